#!/bin/sh
# SPDX-License-Identifier: MIT
# The pages of `make html`: every block type and every example is in them, every link within them leads somewhere, and
# nothing is loaded from the network.
. "${srcdir:-.}/tests/shell.sh"
command -v pandoc > /dev/null || { echo "pandoc is not here"; exit 77; }
cd "$srcdir" || exit 1
pages=${PAGES:-$work/html}
[ -n "${PAGES:-}" ] || sh doc/html.sh "$LINNET" "$pages" > "$work/said" 2>&1 || fail "doc/html.sh: $(tail -n 3 "$work/said")"
for type in $("$LINNET" blocks | sed -n 's/^  \([a-z0-9][a-z0-9-]*\)  .*/\1/p'); do
    grep -q "<h3[^>]* id=\"$type\(-[0-9]*\)\{0,1\}\"" "$pages/reference.html" || fail "the reference has no $type"
done
for file in models/examples/*/*.xml; do
    grep -q '<model[^>]* name=' "$file" || continue
    grep -qF "$file" "$pages/gallery.html" || fail "the gallery has no $file"
done
for page in "$pages"/*.html; do
    for target in $(grep -o '<\(a\|img\|link\|script\) [^>]*\(href\|src\)="[^"#][^"]*"' "$page" | sed 's/.*="\([^"#]*\).*/\1/' | sort -u); do
        case $target in
            http*) ;; # a link for readers
            *) [ -e "$pages/$target" ] || [ -e "doc/$target" ] || fail "$(basename "$page"): $target is not there" ;;
        esac
    done
    grep -q '<\(script\|link\|img\)[^>]*\(src\|href\)="http' "$page" && fail "$(basename "$page") loads from the network"
done
grep -q '"reference.html#capacitor","capacitor"' "$pages/search.js" || fail "the search does not know the capacitor"
# the search: by heading, by words of the text, and text that looks like a tag stays text
if command -v node > /dev/null; then
    node -e 'const fs = require("fs"), { find } = require(process.argv[1] + "/find.js");
const headings = eval(fs.readFileSync(process.argv[1] + "/search.js", "utf8") + "headings");
const first = typed => (find(headings, typed)[0] || {}).address || "";
const want = (typed, address) => { if (!first(typed).startsWith(address)) { console.log(`${typed}: ${first(typed)}`); process.exitCode = 1; } };
want("capacitor", "reference.html#capacitor"); want("gmin stepping", "manual.html");
if (headings.some(h => h[3].includes("begin{aligned}")) || find(headings, "xqzzy").length !== 0) process.exitCode = 1;
if (!headings.some(h => h[3].includes("<resistor id="))) process.exitCode = 1;' "$pages" > "$work/said" 2>&1 ||
        fail "the search: $(cat "$work/said")"
fi
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# The documentation as pages for a browser, by pandoc: tutorials with the pictures their commands draw, manual, mathematics,
# coming from other tools, extending, reliability, stiff problems, how Linnet is built, a reference of all block types from
# the catalogue with typeset equations and figures, a gallery of all examples with their pictures; and a search over all
# that stands in them, which needs no network (doc/find.js).
# Usage: doc/html.sh LINNET FOLDER    run from the top folder of the sources
set -eu
linnet=$1 to=$2
case $linnet in /*) ;; *) linnet=$PWD/$linnet ;; esac
command -v pandoc > /dev/null || {
    echo "doc/html.sh: pandoc is missing; install the Debian package pandoc" >&2
    exit 1
}
mkdir -p "$to/pictures"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

. doc/pages.sh

# ---- pages ----

cat > "$to/style.css" <<'END'
body { max-width: 60em; margin: 0 auto; padding: 0 1em 4em; font: 16px/1.5 sans-serif; color: #222; background: #fff; }
h1 { font-size: 1.9em; } h2 { margin-top: 2em; border-bottom: 1px solid #ddd; } h3 { border-top: 1px solid #eee; padding-top: 1em; }
h4 { margin-bottom: 0; } a { color: #0058a8; text-decoration: none; } a:hover { text-decoration: underline; }
pre, code { font: 14px/1.4 monospace; background: #f4f4f4; } pre { padding: .7em; overflow-x: auto; border-radius: 4px; }
table { border-collapse: collapse; margin: .8em 0; } td, th { border: 1px solid #ccc; padding: .2em .5em; text-align: left; vertical-align: top; }
math { font-size: 110%; } math[display="block"] { text-align: left; margin: .6em 0 .6em 1em; width: fit-content; max-width: 100%; overflow-x: auto; overflow-y: hidden; }
mtable { math-style: normal; } mtd { text-align: left; padding: .25em .1em; }
img { max-width: 100%; max-height: 34em; }
#top { position: sticky; top: 0; background: #fff; padding: .6em 0; margin: 0; border-bottom: 1px solid #ddd; z-index: 1; }
#top a { margin-right: .9em; } #ask { width: 100%; box-sizing: border-box; font-size: 16px; padding: .35em .5em; margin-top: .4em; }
#found:not(:empty) { border: 1px solid #ccc; border-top: 0; padding: .3em .6em; max-height: 70vh; overflow: auto; background: inherit; }
#found a { display: block; padding: .25em 0; } #found small { display: block; color: #666; } #found a:focus, #found a:hover { background: #eef4fb; }
:target { scroll-margin-top: 6em; } h1, h2, h3, h4 { scroll-margin-top: 6em; }
nav ul { padding-left: 1.2em; } nav ul ul ul { display: none; } .thumbs { display: grid; grid-template-columns: repeat(auto-fill, minmax(11em, 1fr)); gap: .8em; margin: 1em 0; }
.thumbs a { display: block; font-size: 13px; line-height: 1.3; border: 1px solid #ddd; border-radius: 4px; padding: .4em; color: inherit; overflow: hidden; }
.thumbs img { width: 100%; height: 7.5em; object-fit: cover; object-position: top left; display: block; margin-bottom: .3em; }
@media (min-width: 84em) {
  body { margin-left: 21em; } nav[role="doc-toc"] { position: fixed; top: 0; bottom: 0; left: 0; width: 18em; overflow: auto; padding: 1em .5em; font-size: 14px;
    border-right: 1px solid #ddd; } nav ul ul ul { display: block; }
}
@media (prefers-color-scheme: dark) {
  body, #top { color: #ddd; background: #181818; } pre, code { background: #262626; } a { color: #8bf; } td, th { border-color: #555; }
  img { background: #fff; } #found a:focus, #found a:hover { background: #263445; } #found small { color: #aaa; }
}
@media print { nav, #top, #found { display: none; } }
END
cat > "$work/head.html" <<'END'
<script src="find.js" defer></script>
END
{
    printf '<div id="top"><a href="index.html"><b>Linnet</b></a>'
    for tutorial in $tutorials; do printf ' <a href="tutorial-%s.html">%s</a>' "$tutorial" "$tutorial"; done
    for name in manual reference gallery mathematics extending coming-from; do
        printf ' <a href="%s.html">%s</a>' "$name" "$(printf '%s' "$name" | tr - ' ')"
    done
    printf '<input id="ask" placeholder="Search everything ( / )" aria-label="Search everything" autocomplete="off"><div id="found"></div></div>\n'
} > "$work/top.html"

# A page as entries for the search, one for each heading: its address, its title, the page's, and the words up to the next.
entries() { # NAME TITLE
    sed -e ':a' -e '/<annotation/{/<\/annotation>/!{N;ba' -e '}}' -e 's/<annotation[^>]*>[^<]*<\/annotation>//g' "$to/$1.html" | awk -v page="$1" -v title="$2" '
        function plain(text) {
            gsub(/<\/?(span|code|a|em|strong|sup|sub)( [^>]*)?>/, "", text)
            gsub(/<[^>]*>/, " ", text)
            gsub(/&lt;/, "<", text); gsub(/&gt;/, ">", text); gsub(/&quot;/, "\"", text); gsub(/&#39;/, "\047", text); gsub(/&amp;/, "\\&", text)
            gsub(/[\t ]+/, " ", text); sub(/^ /, "", text); sub(/ $/, "", text)
            return text
        }
        function quoted(text) { gsub(/\\/, "\\\\", text); gsub(/"/, "\\\"", text); return "\"" text "\"" }
        function put() { if (id != "") printf "[\"%s.html#%s\",%s,\"%s\",%s],\n", page, id, quoted(heading), title, quoted(words) }
        /^<h[1-4][^>]* id="/ {
            put()
            id = $0; sub(/^[^>]* id="/, "", id); sub(/".*/, "", id)
            heading = plain($0); words = ""
            next
        }
        /<\/nav>/ { inside = 1; next }
        inside { text = plain($0); if (text != "") words = words (words == "" ? "" : " ") text }
        END { put() }' >> "$work/headings"
}

page() { # NAME TITLE [+EXTENSION] < MARKDOWN
    named_listings | sed -e 's/\([(]\)\(manual\|mathematics\|extending\|tutorial-[a-z]*\|coming-from\|stiff\|reliability\|architecture\)\.md/\1\2.html/g' |
        pandoc --from "gfm+gfm_auto_identifiers${3:-}" --to html5 --mathml --fail-if-warnings --standalone --wrap=none --toc --toc-depth=3 --css style.css --metadata pagetitle="$2" \
            --include-in-header "$work/head.html" --include-before-body "$work/top.html" -o "$to/$1.html"
    entries "$1" "${2#Linnet: }"
}

figures
reference > "$work/reference.md"
thumbs=1
gallery > "$work/gallery.md"
walk_tutorials
page reference "Linnet: reference" +tex_math_dollars < "$work/reference.md"
page gallery "Linnet: gallery" < "$work/gallery.md"
page manual "Linnet: manual" < doc/manual.md
for tutorial in $tutorials; do
    page "tutorial-$tutorial" "Linnet: tutorial, $tutorial" < "doc/tutorial-$tutorial.md"
done
page mathematics "Linnet: mathematics" +tex_math_dollars < doc/mathematics.md
page extending "Linnet: extending" +tex_math_dollars < doc/extending.md
page coming-from "Linnet: coming from" < doc/coming-from.md
page stiff "Linnet: stiff problems" < doc/stiff.md
page reliability "Linnet: reliability" < doc/reliability.md
page architecture "Linnet: how it is built" < doc/architecture.md
page index "Linnet" <<'END'
# Linnet

Simulates physical networks and block diagrams that are written in XML.

- Tutorials, ten steps each: [electronics](tutorial-electronics.md), from an RC circuit to a rectifier;
  [control](tutorial-control.md), a PI loop and its margins; [mechanics](tutorial-mechanics.md), from a mass on a spring to a
  brake; [numerics](tutorial-numerics.md), methods, orders and stiffness; [teaching](tutorial-teaching.md), from a decay to
  chaos
- [Manual](manual.md): the language, the commands, the methods
- [Reference](reference.html): every block type, from the catalogue
- [Gallery](gallery.html): every example with its picture
- [Mathematics](mathematics.md): what is computed, with sources
- [Extending](extending.md): a block, a method, a solver, an output of one's own
- [Coming from](coming-from.md) SPICE, LTspice, Simulink, Simscape, Modelica, Xcos, Vibesim, MoDyPy, obliq-2
- [Stiff problems](stiff.md), [reliability](reliability.md), [how it is built](architecture.md)
END
{
    printf 'const headings = [\n'
    cat "$work/headings"
    printf '];\n'
} > "$to/search.js"
cp doc/find.js "$to/find.js"
echo "doc/html.sh: $to/index.html"

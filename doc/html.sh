#!/bin/sh
# SPDX-License-Identifier: MIT
# The documentation as pages for a browser, by pandoc: tutorials with the pictures their commands draw, manual, coming from other tools, reliability, stiff problems, how
# Linnet is built, a reference of all block types from the catalogue, a gallery of all examples with their pictures; and a
# search over all headings that needs no network.
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

# ---- what is generated ----

# A section for each type: the whole of `linnet blocks TYPE`, its example at the end as XML.
reference() {
    printf '# Reference of all block types\n\nMade from the catalogue; `linnet blocks TYPE` tells the same.\n\n'
    "$linnet" blocks | while IFS= read -r line; do
        case $line in
            '') ;;
            '  '*) type=${line#  } type=${type%% *}
                printf '### %s\n\n```\n' "$type"
                "$linnet" blocks "$type" | sed '/^Example$/,$d'
                printf '```\n\n```xml\n'
                "$linnet" blocks "$type" | sed '1,/^Example$/d; s/^    //; /^ *$/d'
                printf '```\n\n' ;;
            *) printf '## %s\n\n' "$line" ;;
        esac
    done
}

# A picture of each example, drawn by running it, and the file itself.
gallery() {
    printf '# Gallery of all examples\n\nEach is a file in models/examples; `linnet run FILE` runs it, `linnet plot FILE` draws it.\n\n'
    last=
    for file in models/examples/*/*.xml; do
        name=${file#models/examples/} domain=${name%%/*} title=$(sed -n 's/.*<model[^>]* name="\([^"]*\)".*/\1/p' "$file" | head -n 1)
        [ -n "$title" ] || continue # a file of types that others include
        [ "$domain" = "$last" ] || printf '## %s\n\n' "$domain"
        last=$domain
        picture=pictures/$(printf '%s' "${name%.xml}" | tr / -).svg
        printf '### %s\n\n' "$title"
        sed -n '/^ *<!--/,/-->/p' "$file" | sed '/SPDX/d; s/<!--//; s/-->//; s/^ *//' | sed 's/[*_`<>]/\\&/g'
        printf '\n'
        if timeout 60 "$linnet" plot "$file" -o "$to/$picture" > "$work/said" 2>&1; then
            printf '![%s](%s)\n\n' "$title" "$picture"
        fi
        printf '`%s`\n\n```xml\n' "$file"
        cat "$file"
        printf '```\n\n'
    done
}

# ---- pages ----

cat > "$to/style.css" <<'END'
body { max-width: 60em; margin: 2em auto; padding: 0 1em; font: 16px/1.5 sans-serif; color: #222; background: #fff; }
pre, code { font: 14px/1.4 monospace; background: #f4f4f4; } pre { padding: .7em; overflow-x: auto; }
table { border-collapse: collapse; } td, th { border: 1px solid #ccc; padding: .2em .5em; text-align: left; vertical-align: top; }
img { max-width: 100%; } nav ul { padding-left: 1.2em; } #found a { display: block; } #ask { width: 100%; font-size: 16px; padding: .4em; }
@media (prefers-color-scheme: dark) {
  body { color: #ddd; background: #181818; } pre, code { background: #262626; } a { color: #8bf; } td, th { border-color: #555; }
  img { background: #fff; }
}
@media print { nav, #search { display: none; } }
END
cat > "$work/head.html" <<'END'
<script src="search.js"></script>
END
cat > "$work/top.html" <<'END'
<p id="search"><a href="index.html">Linnet</a> &middot; <a href="manual.html">manual</a> &middot; <a href="reference.html">reference</a>
&middot; <a href="gallery.html">gallery</a> &middot; <a href="coming-from.html">coming from</a>
<input id="ask" placeholder="Search all headings" aria-label="Search all headings"></p><div id="found"></div>
END

page() { # NAME TITLE < MARKDOWN
    sed -e 's/^```xml \(.*\)$/`\1`\n\n```xml/' -e 's/\([(]\)\(manual\|tutorial-[a-z]*\|coming-from\|stiff\|reliability\|architecture\)\.md/\1\2.html/g' |
        pandoc --from gfm+gfm_auto_identifiers --to html5 --standalone --wrap=none --toc --toc-depth=2 --css style.css --metadata pagetitle="$2" \
            --include-in-header "$work/head.html" --include-before-body "$work/top.html" -o "$to/$1.html"
    # headings for the search: "address, title"
    grep -o '<h[1-4][^>]* id="[^"]*"[^>]*>.*</h[1-4]>' "$to/$1.html" |
        sed -e 's/.* id="\([^"]*\)"[^>]*>/\1\t/' -e 's/<[^>]*>//g' -e 's/["\\]/\\&/g' |
        awk -F'\t' -v page="$1" -v title="$2" '{ printf "[\"%s.html#%s\",\"%s\",\"%s\"],\n", page, $1, $2, title }' >> "$work/headings"
}

reference > "$work/reference.md"
gallery > "$work/gallery.md"
page reference "Linnet: reference" < "$work/reference.md"
page gallery "Linnet: gallery" < "$work/gallery.md"
page manual "Linnet: manual" < doc/manual.md
for tutorial in electronics control; do # walked through for its pictures
    sh doc/walk.sh "$linnet" "doc/tutorial-$tutorial.md" "$work/$tutorial"
    cp "$work/$tutorial"/*.svg "$to/pictures/"
    page "tutorial-$tutorial" "Linnet: tutorial, $tutorial" < "doc/tutorial-$tutorial.md"
done
page coming-from "Linnet: coming from" < doc/coming-from.md
page stiff "Linnet: stiff problems" < doc/stiff.md
page reliability "Linnet: reliability" < doc/reliability.md
page architecture "Linnet: how it is built" < doc/architecture.md
page index "Linnet" <<'END'
# Linnet

Simulates physical networks and block diagrams that are written in XML.

- Tutorials, ten steps each: [from an RC circuit to a rectifier](tutorial-electronics.md), [a PI loop and its
  margins](tutorial-control.md)
- [Manual](manual.md): the language, the commands, the methods
- [Reference](reference.html): every block type, from the catalogue
- [Gallery](gallery.html): every example with its picture
- [Coming from](coming-from.md) SPICE, LTspice, Simulink, Simscape, Modelica, Xcos, Vibesim, MoDyPy, obliq-2
- [Stiff problems](stiff.md), [reliability](reliability.md), [how it is built](architecture.md)
END
{
    printf 'const headings = [\n'
    cat "$work/headings"
    cat <<'END'
];
// What is typed is looked for in all headings; addresses come from our own pages only.
document.addEventListener("DOMContentLoaded", () => {
  const ask = document.getElementById("ask"), found = document.getElementById("found");
  ask.addEventListener("input", () => {
    const words = ask.value.toLowerCase().split(/\s+/).filter(Boolean);
    const hits = words.length === 0 ? [] : headings.filter(h => words.every(w => h[1].toLowerCase().includes(w)));
    found.replaceChildren(...hits.slice(0, 30).map(h => {
      const link = document.createElement("a");
      link.href = h[0];
      link.textContent = h[1] + " (" + h[2].replace("Linnet: ", "") + ")";
      return link;
    }));
  });
});
END
} > "$to/search.js"
echo "doc/html.sh: $to/index.html"

#!/bin/sh
# SPDX-License-Identifier: MIT
# The documentation as pages for a browser, by pandoc: tutorials with the pictures their commands draw, manual, mathematics,
# coming from other tools, extending, reliability, stiff problems, how Linnet is built, a reference of all block types from
# the catalogue with typeset equations and figures, a gallery of all examples with their pictures; and a search over all
# headings that needs no network.
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
body { max-width: 60em; margin: 2em auto; padding: 0 1em; font: 16px/1.5 sans-serif; color: #222; background: #fff; }
pre, code { font: 14px/1.4 monospace; background: #f4f4f4; } pre { padding: .7em; overflow-x: auto; }
table { border-collapse: collapse; margin: .8em 0; } td, th { border: 1px solid #ccc; padding: .2em .5em; text-align: left; vertical-align: top; }
math { font-size: 110%; } math[display="block"] { text-align: left; margin: .6em 0 .6em 1em; width: fit-content; max-width: 100%; overflow-x: auto; overflow-y: hidden; }
mtable { math-style: normal; } mtd { text-align: left; padding: .25em .1em; } h3 { border-top: 1px solid #ddd; padding-top: 1em; }
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
&middot; <a href="gallery.html">gallery</a> &middot; <a href="mathematics.html">mathematics</a> &middot; <a href="coming-from.html">coming from</a>
<input id="ask" placeholder="Search all headings" aria-label="Search all headings"></p><div id="found"></div>
END

page() { # NAME TITLE [+EXTENSION] < MARKDOWN
    named_listings | sed -e 's/\([(]\)\(manual\|mathematics\|extending\|tutorial-[a-z]*\|coming-from\|stiff\|reliability\|architecture\)\.md/\1\2.html/g' |
        pandoc --from "gfm+gfm_auto_identifiers${3:-}" --to html5 --mathml --fail-if-warnings --standalone --wrap=none --toc --toc-depth=2 --css style.css --metadata pagetitle="$2" \
            --include-in-header "$work/head.html" --include-before-body "$work/top.html" -o "$to/$1.html"
    # headings for the search: "address, title"
    grep -o '<h[1-4][^>]* id="[^"]*"[^>]*>.*</h[1-4]>' "$to/$1.html" |
        sed -e 's/.* id="\([^"]*\)"[^>]*>/\1\t/' -e 's/<[^>]*>//g' -e 's/["\\]/\\&/g' |
        awk -F'\t' -v page="$1" -v title="$2" '{ printf "[\"%s.html#%s\",\"%s\",\"%s\"],\n", page, $1, $2, title }' >> "$work/headings"
}

figures
reference > "$work/reference.md"
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

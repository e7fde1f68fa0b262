#!/bin/sh
# SPDX-License-Identifier: MIT
# The documentation as one book, by pandoc and XeLaTeX: the same pages as doc/html.sh makes, a chapter each; of the gallery
# the pictures, without the files. A picture in the book is the SVG, turned into PDF by rsvg-convert.
# Usage: doc/pdf.sh LINNET FILE.pdf    run from the top folder of the sources
set -eu
linnet=$1 book=$2
case $linnet in /*) ;; *) linnet=$PWD/$linnet ;; esac
case $book in /*) ;; *) book=$PWD/$book ;; esac
for need in pandoc=pandoc xelatex=texlive-xetex rsvg-convert=librsvg2-bin; do
    command -v "${need%=*}" > /dev/null || {
        echo "doc/pdf.sh: ${need%=*} is missing; install the Debian package ${need#*=}" >&2
        exit 1
    }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
to=$work
mkdir -p "$to/pictures"
. doc/pages.sh

figures
walk_tutorials

# A page as a chapter: listings show their file's name, and links to other pages are words.
chapter() {
    named_listings | sed 's/\[\([^]]*\)\]([a-z-]*\.\(md\|html\)[^)]*)/\1/g; s/\[\([^]]*\)\](#[^)]*)/\1/g'
    printf '\n'
}
{
    for tutorial in $tutorials; do chapter < "doc/tutorial-$tutorial.md"; done
    for page in manual mathematics extending coming-from stiff reliability architecture; do chapter < "doc/$page.md"; done
    reference | chapter
    gallery | awk '/^```xml$/ { skip = 1 } !skip { print } /^```$/ { skip = 0 }' | chapter
} > "$work/book.md"

cat > "$work/head.tex" <<'END'
\usepackage{fvextra}
\fvset{breaklines,breakanywhere,fontsize=\footnotesize}
\DefineVerbatimEnvironment{Highlighting}{Verbatim}{commandchars=\\\{\},breaklines,breakanywhere,fontsize=\footnotesize}
\RecustomVerbatimEnvironment{verbatim}{Verbatim}{breaklines,breakanywhere,fontsize=\footnotesize}
\everydisplay{\small}
\setlength{\LTleft}{0pt}
\makeatletter
\def\maxheight{\ifdim\Gin@nat@height>7cm 7cm\else\Gin@nat@height\fi}
\makeatother
\setlength{\emergencystretch}{3em}
\setcounter{tocdepth}{1}
END
cd "$work" && pandoc book.md --from gfm+tex_math_dollars --standalone --toc --top-level-division=chapter \
    --pdf-engine=xelatex --include-in-header head.tex --metadata title="Linnet" \
    -V documentclass=report -V classoption=fleqn -V papersize=a4 -V geometry=margin=2.2cm -V fontsize=10pt -V monofont="DejaVu Sans Mono" \
    -V monofontoptions=Scale=0.8 -V colorlinks=true -o "$book" > said 2>&1 || { cat said; exit 1; }
grep 'WARNING' said >&2 && exit 1 # a character that no font has, a formula that is none
echo "doc/pdf.sh: $book"

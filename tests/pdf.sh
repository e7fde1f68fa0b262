#!/bin/sh
# SPDX-License-Identifier: MIT
# The book of `make pdf`: it is made, no character of it lacks a glyph and no formula is wrong (doc/pdf.sh ends with a word
# then), and it holds every chapter.
. "${srcdir:-.}/tests/shell.sh"
for need in pandoc xelatex rsvg-convert gnuplot; do
    command -v $need > /dev/null || { echo "$need is not here"; exit 77; }
done
cd "$srcdir" || exit 1
sh doc/pdf.sh "$LINNET" "$work/linnet.pdf" > "$work/said" 2>&1 || fail "doc/pdf.sh: $(tail -n 5 "$work/said")"
[ "$(head -c 5 "$work/linnet.pdf")" = %PDF- ] || fail "it is no PDF"
if command -v mutool > /dev/null; then
    mutool show "$work/linnet.pdf" outline > "$work/outline"
    for chapter in "Tutorial: from a mass" "The Linnet manual" "The mathematics" "Extending" "Coming from" "Reference of all" "Gallery of all"; do
        grep -qF "$chapter" "$work/outline" || fail "the book has no chapter '$chapter'"
    done
fi
finish

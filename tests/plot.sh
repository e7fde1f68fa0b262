#!/bin/sh
# SPDX-License-Identifier: MIT
# linnet plot from outside: files of each kind, a drawing in characters, hostile names, what is wrong, no gnuplot.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1
model=$srcdir/models/examples/electrical/half-wave-rectifier.xml

mkdir empty
expect 5 env PATH="$work/empty" "$LINNET" plot "$model" && says err "install gnuplot" "linnet: failed: a file could not be"
[ -z "$(ls empty)" ] && [ ! -e half-wave-rectifier.svg ] || fail "without gnuplot something was left"
expect 2 "$LINNET" plot "$model" -o picture.gif && says err ".svg, .png or .pdf"
expect 2 "$LINNET" plot && says err "a model file is missing"

printf "time,a'\`touch bad\`_x^2,\"b<i>&\"\"@x\",\$(touch bad)\n0,1,2,1000\n1,2,3,2000\n2,4,0,1e3\n3,4,4,1e3\n" > odd.csv
if ! command -v gnuplot > /dev/null; then finish; fi

expect 0 "$LINNET" plot "$model" --signals 'in,out,R1.*' && says err "linnet: done"
head -c 300 half-wave-rectifier.svg | grep -q '<svg' || fail "the default is not an SVG of the model's name"
expect 0 "$LINNET" plot odd.csv -o odd.svg
grep -qF 'touch bad' odd.svg && [ ! -e bad ] || fail "a name was not shown as it stands"
if command -v xmllint > /dev/null; then xmllint --noout odd.svg || fail "names break the SVG"; fi
expect 0 "$LINNET" plot odd.csv -o odd.png --panels each --log y --size 400x300 && head -c 8 odd.png | grep -q PNG || fail "no PNG"
expect 0 "$LINNET" plot odd.csv -o odd.pdf --panels one && head -c 5 odd.pdf | grep -q '%PDF' || fail "no PDF"
expect 0 "$LINNET" plot odd.csv -o - --signals "b*" --against "\$(touch bad)" && says out "(touch bad)" "1000"
expect 0 "$LINNET" plot "$model" -o - --signals out --from 40ms --to 60ms --size 60x20 && says out "half-wave rectifier" "0.04"

expect 2 "$LINNET" plot odd.csv --signals nothing && says err "fits 'nothing'"
expect 2 "$LINNET" plot "$model" --signals outt && says err "option --signals" "out"
expect 2 "$LINNET" plot odd.csv --panels two && says err "alike, one or each"
expect 2 "$LINNET" plot odd.csv --log z
expect 2 "$LINNET" plot odd.csv --size big
expect 2 "$LINNET" plot odd.csv --from 2 --to 1
expect 2 "$LINNET" plot odd.csv --from '2 kg' && says err "--from"
printf 'time,a\n0,nan\n1,nan\n' > nothing.csv
expect 4 "$LINNET" plot nothing.csv && says err "nothing to draw"
expect 5 "$LINNET" plot gone.csv
expect 5 "$LINNET" plot odd.csv -o no/such/folder.svg && says err "no/such/folder.svg"
expect 3 "$LINNET" plot "$srcdir/tests/bad/$(ls "$srcdir/tests/bad" | grep xml | head -n 1)"
finish

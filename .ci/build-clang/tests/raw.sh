#!/bin/sh
# SPDX-License-Identifier: MIT
# Rawfiles from linnet run, taken up by verify, compare and plot, and read by ngspice where that is installed.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1

cat > rc.xml << 'XML'
<model name="an RC" xmlns="urn:linnet:model:1">
  <ground id="gnd" p="0"/>
  <voltage-source id="V1" p="in" n="0" V="6 V"/>
  <resistor id="R1" p="in" n="out" R="1 kOhm"/>
  <capacitor id="C1" p="out" n="0" C="1 uF"/>
  <simulation duration="1 ms" step="10 us"/>
  <record signals="out C1.i"/>
  <reference signal="out" file="rc.raw" tolerance="1e-12"/>
</model>
XML
expect 0 "$LINNET" run rc.xml -q -o rc.raw && expect 0 "$LINNET" run rc.xml -q -o text.raw --ascii
expect 0 "$LINNET" run rc.xml -q
expect 0 "$LINNET" verify rc.xml && expect 0 "$LINNET" compare rc.xml --reference text.raw --step 10us && says out "the file text.raw"
expect 0 "$LINNET" run rc.xml -q --start-from rc.raw -o on.csv
[ "$(tail -n 1 rc.csv | cut -d, -f2)" = "$(sed -n 2p on.csv | cut -d, -f2)" ] || fail "a run does not go on from a rawfile"
expect 2 "$LINNET" run rc.xml -q -o x.raw --checkpoint c && says err "rawfile"
if command -v gnuplot > /dev/null; then expect 0 "$LINNET" plot rc.raw -o rc.svg; fi

# ngspice's point 37 of either file, and the number of points, are those of the CSV file
if command -v ngspice > /dev/null; then
    for file in rc.raw text.raw; do
        printf '* load\n.control\nload %s\nset numdgt=15\nprint length(out) time[37] v(out)[37] i(C1)[37]\nquit\n.endc\n.end\n' \
            "$file" > load.cir
        expect 0 ngspice -b load.cir
        sed -n 's/^\(length\|time\|v(out)\|i(c1)\).* = //p' out > numbers
        { echo 101; sed -n 39p rc.csv | tr ',' '\n'; } | paste - numbers > pairs
        awk '{ d = $1 - $2; if (d < 0) d = -d; if (!(d <= 1e-13 * ($1 < 0 ? -$1 : $1))) exit 1 } END { exit NR != 4 }' pairs ||
            { fail "ngspice reads other numbers from $file"; cat pairs; }
    done
fi
finish

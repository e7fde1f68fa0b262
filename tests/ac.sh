#!/bin/sh
# SPDX-License-Identifier: MIT
# linnet ac: frequencies, formats, pictures, what is wrong; the same circuit by ngspice where there is one.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1
filter=$srcdir/models/examples/electrical/rlc-filter.xml
ac() { "$LINNET" ac "$filter" --input V1 --output out "$@"; }
rows() { [ "$(wc -l < "$1")" = "$2" ] || fail "$1 has $(wc -l < "$1") lines, expected $2"; }

expect 0 ac --from 100Hz --to 100kHz --points 10 -f csv -o decade.csv && rows decade.csv 32
expect 0 ac --from 100Hz --to 1600Hz --points 3 --per octave -f csv -o octave.csv && rows octave.csv 14
expect 0 ac --from 0Hz --to 1kHz --linear 11 -f csv -o linear.csv && rows linear.csv 12
sed -n 2p linear.csv | grep -q '^0,0,0,[45].*e-05,1,0$' || fail "at 0 Hz: $(sed -n 2p linear.csv)"
expect 0 ac --list '50Hz, 60Hz, 1kHz' && says out "response of out to V1" "            1000       3.32563637      -27.4332095   0.000149982522"
expect 0 ac --list '1kHz' --set R1.R=200Ohm -f json -o point.json
if command -v python3 > /dev/null; then
    python3 -c 'import json, math
p = json.load(open("point.json")); s = 2j*math.pi*1000; h = 1/(1 + s*200e-6 + s*s*1e-8)
assert abs(complex(p["outputs"][0]["re"][0], p["outputs"][0]["im"][0]) - h) < 1e-12, p' || fail "point.json"
fi
if command -v gnuplot > /dev/null; then
    expect 0 ac --from 100Hz --to 100kHz --plot bode.svg -o bode.txt && grep -q '<svg' bode.svg || fail "no picture"
fi
expect 2 "$LINNET" ac "$filter" --output out --from 1Hz --to 2Hz && says err "--input is missing"
expect 2 "$LINNET" ac "$filter" --input V1 --from 1Hz --to 2Hz && says err "--output is missing"
expect 2 "$LINNET" ac "$filter" --input V1 --output ot --from 1Hz --to 2Hz && says err "did you mean 'out'?"
expect 2 "$LINNET" ac "$filter" --input V2 --output out --from 1Hz --to 2Hz && says err "V2"
expect 2 ac --from 1Hz && says err "--to is missing"
expect 2 ac --from 2Hz --to 1Hz && says err "must rise"
expect 2 ac --from 0Hz --to 1Hz && says err "above 0"
expect 2 ac --from 1s --to 2s && says err "--from"
expect 2 ac --from 1Hz --to 2Hz --points 0 && says err "--points"
sed 's|</model>|<constant id="k" out="u" value="0"/><first-order id="P" in="u" out="y" T="1 s"/></model>|' "$filter" > apart.xml
expect 0 "$LINNET" ac apart.xml --input k --output out,y --list 1Hz && says err "out does not depend on k"
# of a deck's nodes its supplies do not answer, which needs no word
printf '%s\n' 'a stage' 'Vcc vcc 0 5' 'V1 in 0 dc 0.6 ac 1' 'R1 vcc out 1k' 'Q1 out in 0 qn' '.model qn npn' '.ac dec 1 1 1k' .end > stage.cir
expect 0 "$LINNET" run stage.cir -o stage.csv
grep -q "does not depend" err && fail "a supply that does not answer is told of"
expect 2 ac --from 1Hz --to 2Hz --per week && says err "decade or octave"
expect 2 ac --from 1Hz --to 2Hz --plot x.gif
expect 0 "$LINNET" ac --help && says out "Usage: linnet ac" "Examples:" "Exit status:"

if command -v ngspice > /dev/null; then
    cat > rlc.cir << 'CIR'
RLC low-pass filter with a diode that conducts
V1 in 0 DC 1 AC 1
R1 in a 50
L1 a out 10m
C1 out 0 1u
D1 out k dd
RD k 0 100
.model dd d(is=1e-12 n=1)
.options gmin=1e-20 reltol=1e-9
.control
set numdgt=12
ac dec 10 100 100k
wrdata spice.txt v(out)
.endc
.end
CIR
    cat > rlc.xml << 'XML'
<model name="with a diode" xmlns="urn:linnet:model:1">
  <ground id="gnd" p="0"/>
  <voltage-source id="V1" p="in" n="0" V="1 V"/>
  <resistor id="R1" p="in" n="a" R="50 Ohm"/>
  <inductor id="L1" p="a" n="out" L="10 mH"/>
  <capacitor id="C1" p="out" n="0" C="1 uF"/>
  <diode id="D1" p="out" n="k" IS="1 pA" N="1" Vt="0.025864917007157463 V" GMIN="0"/>
  <resistor id="RD" p="k" n="0" R="100 Ohm"/>
</model>
XML
    expect 0 "$LINNET" ac rlc.xml --input V1 --output out --from 100Hz --to 100kHz --points 10 -f csv -o rlc.csv
    ngspice -b rlc.cir > spice.log 2>&1
    tail -n +2 rlc.csv | tr ',' ' ' | paste -d' ' - spice.txt | awk '
        {e = sqrt(($5 - $8)^2 + ($6 - $9)^2)/sqrt($8^2 + $9^2); if (e > worst) worst = e; n++}
        END {if (n != 31 || worst > 1e-6) {print "worst difference from ngspice " worst " in " n " rows"; exit 1}}' ||
        fail "ngspice says something else"
fi
# a grid of few points invents no turns: a lag ends at -90 degrees, a dead time of 1 ms at -360 a kHz
cat > coarse.xml << 'EOF'
<model name="coarse" xmlns="urn:linnet:model:1"><constant id="c" out="u" value="1"/><first-order id="lag" in="u" out="y" T="1 ms"/>
<transport-delay id="late" in="u" out="z" delay="1 ms"/></model>
EOF
expect 0 "$LINNET" ac coarse.xml --input u --output y,z --list 1Hz,1MHz -f csv -o coarse.csv &&
    awk -F, 'END { exit !($3 < -89.98 && $3 > -90 && $8 < -359999.9 && $8 > -360000.1) }' coarse.csv || fail "coarse: $(tail -n 1 coarse.csv)"

# the loop transfer, at a signal and at a physical port: |L| = 1 where margins says so, with its phase margin
awk '/<model name="inverting stage"/, /<\/model>/' "$srcdir/doc/manual.md" > stage.xml
expect 0 "$LINNET" ac stage.xml --open R2.p --list 6389514.66Hz && says out "loop transfer L, opened at R2.p" "-126.1126"
expect 0 "$LINNET" ac stage.xml --open A1.n --list 6389514.66Hz -f json && says out '"open": "A1.n"' '"L"'
plant=$srcdir/models/examples/signal/unstable-plant.xml
expect 0 "$LINNET" ac "$plant" --open y --from 0.1Hz --to 10Hz -f csv -o loop.csv && head -n 1 loop.csv | grep -q '^frequency,L.dB,L.phase' || fail "loop.csv"
expect 2 "$LINNET" ac stage.xml --open R2.p --input V1 --list 1kHz && says err "--open takes the place of --input and --output"
expect 2 "$LINNET" ac stage.xml --open V1.p --list 1kHz && says err "nothing comes back to 'V1.p'"
finish

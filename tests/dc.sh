#!/bin/sh
# SPDX-License-Identifier: MIT
# linnet sweep --dc: transfer curves as ngspice has them (where it is installed), hysteresis there and back, nested curves,
# memories of switches.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1

# column NAME FILE: its values, one a line
column() {
    awk -F, -v v="$1" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == v) col = k; next } { print $col }' "$2"
}
# spice DECK VECTOR DC...: ngspice's values of the vector
spice() {
    deck=$1; vector=$2; shift 2
    { sed '/^\.end$/d' "$deck"; printf '.options reltol=1e-6 abstol=1e-14 vntol=1e-9\n.control\ndc %s\nset numdgt=12\nset wr_singlescale\nwrdata curve.txt %s\nquit\n.endc\n.end\n' "$*" "$vector"; } > spice.cir
    ngspice -b spice.cir > spice.out 2>&1
    awk '{ print $2 }' curve.txt
}
# same TOLERANCE FILE FILE
same() {
    paste "$2" "$3" | awk -v t="$1" '{ d = $1 - $2; if (d < 0) d = -d; if (NF != 2 || d > t) bad = 1 } END { exit bad || NR < 10 }'
}

cat > inverter.cir << 'X'
* CMOS inverter
.model n NMOS(LEVEL=1 VTO=0.7 KP=120u LAMBDA=0.02 GAMMA=0.4 PHI=0.7)
.model p PMOS(LEVEL=1 VTO=-0.7 KP=40u LAMBDA=0.02 GAMMA=0.4 PHI=0.7)
Vdd vdd 0 3.3
Vin in 0 0
MP out in vdd vdd p w=6u l=1u
MN out in 0 0 n w=2u l=1u
.end
X
cat > curves.cir << 'X'
* a transistor's output curves
.model q NPN(IS=1e-15 BF=120 VAF=60 RB=100 RC=5 IKF=50m)
Ib 0 b 10u
Vc c 0 5
Q1 c b 0 q
.end
X
cat > schmitt.cir << 'X'
* emitter-coupled Schmitt trigger
.model q NPN(IS=1e-15 BF=100 VAF=100)
Vcc vcc 0 10
Vin in 0 0
Q1 c1 in e q
Q2 c2 b2 e q
R1 vcc c1 4k
R2 vcc c2 2k
Ra c1 b2 10k
Rb b2 0 10k
Re e 0 1k
.end
X
expect 0 "$LINNET" sweep inverter.cir --dc VIN.V=0:3.3:67 -q -o inverter.csv
expect 0 "$LINNET" sweep curves.cir --dc IB.I=10uA,20uA,30uA --dc VC.V=0:5:21 -q -o curves.csv
expect 0 "$LINNET" sweep schmitt.cir --dc VIN.V=0:6:121 --back -q -o schmitt.csv
[ "$(head -n 1 inverter.csv | cut -d, -f1)" = VIN.V ] || fail "the swept parameter is not the first column"
[ "$(head -n 1 curves.csv | cut -d, -f1-2)" = VC.V,IB.I ] || fail "nested: $(head -n 1 curves.csv)"
[ "$(wc -l < curves.csv)" = 64 ] || fail "nested: not 63 points"
if command -v ngspice > /dev/null; then
    column 'v(out)' inverter.csv > ours; spice inverter.cir 'v(out)' vin 0 3.3 0.05 > theirs
    same 1e-5 ours theirs || fail "inverter: another curve than ngspice's"
    column 'i(vc)' curves.csv > ours; spice curves.cir 'i(vc)' vc 0 5 0.25 ib 10u 30u 10u > theirs
    same 1e-9 ours theirs || fail "output curves: others than ngspice's"
    column 'v(c2)' schmitt.csv | head -n 121 > ours; spice schmitt.cir 'v(c2)' vin 0 6 0.05 > theirs
    same 1e-5 ours theirs || fail "schmitt, upwards: another curve than ngspice's"
    column 'v(c2)' schmitt.csv | tail -n 121 > ours; spice schmitt.cir 'v(c2)' vin 6 0 -0.05 > theirs
    same 1e-5 ours theirs || fail "schmitt, downwards: another curve than ngspice's"
    expect 0 "$LINNET" sweep inverter.cir --dc VIN.V=0:3.3:67 -q -o inverter.raw
    printf '* load\n.control\nload inverter.raw\nprint length(v(out))\nquit\n.endc\n.end\n' > load.cir
    expect 0 ngspice -b load.cir && says out "DC transfer characteristic" "= 6.700000e+01"
fi
# 3 V lies within the loop: the same input, two outputs
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "v(c2)") col = k } NR > 1 && $1 > 2.99 && $1 < 3.01 { print $col }' schmitt.csv > loop
awk 'NR == 1 { a = $1 } NR == 2 { b = $1 } END { d = b - a; exit !(NR == 2 && d > 1) }' loop || fail "the Schmitt trigger shows no hysteresis"

cat > relay.xml << 'XML'
<model name="a switch with memory" xmlns="urn:linnet:model:1">
  <ground id="gnd" p="0"/>
  <voltage-source id="V1" p="c" n="0" V="0"/> <voltage-source id="V2" p="a" n="0" V="10 V"/>
  <resistor id="R1" p="a" n="b" R="1 kOhm"/>
  <voltage-controlled-switch id="S1" p="b" n="0" cp="c" cn="0" VT="3 V" VH="1 V" Ron="1 Ohm" Roff="1 MOhm"/>
  <record signals="b"/>
</model>
XML
expect 0 "$LINNET" sweep relay.xml --dc V1.V=0:6:7 --back -q -o - && sed 's/,.*\././' out > levels
awk -F, 'NR > 1 { s = s ($2 > 5 ? "1" : "0") } END { exit s != "1111100000011" }' out || { fail "the switch closes or opens elsewhere"; cat out; }

expect 2 "$LINNET" sweep relay.xml --dc V1.X=0:1:2 && says err "V1.X"
expect 2 "$LINNET" sweep relay.xml --dc 'V1.V=uniform(1,2)' && says err "grid or a list"
expect 2 "$LINNET" sweep relay.xml --dc V1.V=0:1:2 --vary V2.V=1,2 && says err "--vary does not go with --dc"
expect 2 "$LINNET" sweep relay.xml --vary V2.V=1,2 --back && says err "belong to --dc"
if command -v gnuplot > /dev/null; then expect 0 "$LINNET" plot schmitt.csv --signals 'v(c2)' -q -o schmitt.svg; fi
finish

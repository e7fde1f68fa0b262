#!/bin/sh
# SPDX-License-Identifier: MIT
# linnet linearise: matrices against closed forms, in every format; an LTI block gives back its own;
# what has no state space.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1

cat > rlc.xml << 'XML'
<model name="rlc">
  <ground id="gnd" p="0"/>
  <step-voltage id="V1" p="in" n="0" height="1 V"/>
  <resistor id="R1" p="in" n="a" R="10 Ohm"/>
  <inductor id="L1" p="a" n="out" L="1 mH"/>
  <capacitor id="C1" p="out" n="0" C="1 uF"/>
  <simulation duration="1 ms" step="1 us"/>
</model>
XML
cat > lti.xml << 'XML'
<model name="an LTI block gives back its own matrices">
  <constant id="c" value="0" out="u"/>
  <state-space id="P" in="u" out="y" A="-1 2 0; 0.5 -3 1; 0 -1 -0.25" B="1; 0; 2" C="1 0.5 -1" D="0.125"/>
</model>
XML
cat > curved.xml << 'XML'
<model name="x' = u - x^3">
  <parameter name="level" value="8"/>
  <block-type name="cubic"><input name="in"/><output name="out"/><state name="x" start="1.9"/>
    <equation>der(x) = in - x^3</equation><equation>out = x</equation></block-type>
  <constant id="c" value="level" out="u"/>
  <cubic id="Q" in="u" out="x"/>
  <simulation duration="10" tolerance="1e-10" method="radau5"/>
  <record signals="x"/>
</model>
XML
expect 0 "$LINNET" linearise rlc.xml --inputs V1 --outputs out,R1.i && says out "x' = A x + B u" "states  L1.i [A], out [V]"
expect 0 "$LINNET" linearise rlc.xml -u V1 -y 'out R1.i' -o rlc.json
expect 0 "$LINNET" linearise rlc.xml -u V1 -y out --at 0.1ms -o rlc.csv && grep -q '^B,L1.i,V1,1000$' rlc.csv || fail "rlc.csv lacks B"
expect 0 "$LINNET" linearise rlc.xml -u V1 -y out --descriptor -o full.json
expect 0 "$LINNET" linearise rlc.xml -u V1 -y out -o rlc.mat && head -c 6 rlc.mat | grep -q MATLAB || fail "rlc.mat is none"
expect 0 "$LINNET" linearise lti.xml -u c -y y -o lti.json
expect 0 "$LINNET" linearise curved.xml -u c -y x -o curved.json
if command -v python3 > /dev/null; then
    python3 -c 'import json
def close(a, b): assert all(abs(x - y) <= 1e-11*max(1, abs(y)) for r, s in zip(a, b) for x, y in zip(r, s)) and len(a) == len(b), (a, b)
m = json.load(open("rlc.json"))
assert [s["name"] for s in m["states"]] == ["L1.i", "out"] and m["states"][0]["unit"] == "A"
close(m["A"], [[-1e4, -1e3], [1e6, 0]]); close(m["B"], [[1e3], [0]]); close(m["C"], [[0, 1], [1, 0]]); close(m["D"], [[0], [0]])
p = json.load(open("lti.json"))
close(p["A"], [[-1, 2, 0], [0.5, -3, 1], [0, -1, -0.25]]); close(p["B"], [[1], [0], [2]]); close(p["C"], [[1, 0.5, -1]]); close(p["D"], [[0.125]])
# Newton stops 2e-12 from x = 2
q = json.load(open("curved.json")); close(q["A"], [[-12]]); close(q["B"], [[1]])
f = json.load(open("full.json")); assert len(f["E"]) == len(f["A"]) == 5' || fail "matrices are not as they must be"
fi
sed 's|<resistor.*|<capacitor id="C2" p="in" n="0" C="1 uF"/><resistor id="R1" p="in" n="a" R="10 Ohm"/>|' rlc.xml > index2.xml
expect 0 "$LINNET" linearise index2.xml -u V1 -y out # a capacitor across the source
expect 4 "$LINNET" linearise index2.xml -u V1 -y V1.i && says err "sees the derivative of V1" "descriptor"
expect 0 "$LINNET" linearise index2.xml -u V1 -y out --descriptor
cat > held.xml <<EOF
<model xmlns="urn:linnet:model:1"><constant id="r" out="u" value="0"/><zero-order-hold id="h" in="u" out="v" period="0.1 s"/>
<first-order id="P" in="v" out="y" T="0.5 s"/></model>
EOF
expect 0 "$LINNET" linearise held.xml -u u -y y --sampled && says out "x[k+1] = A x[k] + B u[k]" "period 0.1 s" "0.81873075" "0.18126925"
expect 0 "$LINNET" linearise held.xml -u u -y y && says out "A                   P.y"
expect 2 "$LINNET" linearise held.xml -u u -y y --sampled --descriptor
expect 4 "$LINNET" linearise rlc.xml -u V1 -y out --sampled && says err "nothing to sample"
expect 2 "$LINNET" linearise rlc.xml --inputs V1 && says err "--outputs"
expect 2 "$LINNET" linearise rlc.xml -u V7 -y out && says err "V7"
expect 2 "$LINNET" linearise rlc.xml -u V1 -y ouch
expect 2 "$LINNET" linearise rlc.xml -u V1 -y out -o matrices.xls && says err ".json, .csv or .mat"
expect 5 "$LINNET" linearise rlc.xml -u V1 -y out -o nowhere/rlc.mat && says err "cannot write 'nowhere/rlc.mat'"
expect 0 "$LINNET" linearise --help && says out "Usage: linnet linearise" "Options:" "Examples:" "Exit status:"
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# linnet eig from the command line: what it prints in each format, and what it refuses.
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
expect 0 "$LINNET" eig rlc.xml
says out "at its operating point (Newton): 5 unknowns, 2 modes, index 1" "1, 2  -5000 +- 31224.99i" "5032.92 Hz" "C1.v 50 %" \
    "euler 10 us (mode 1, 2)"
expect 0 "$LINNET" eig rlc.xml --at 0.1ms && says out "at 100 us of its run"
expect 0 "$LINNET" eig rlc.xml --at 0 && says out "at 0 s of its run"
expect 0 "$LINNET" eig rlc.xml --set R1.R=1kOhm && says out "stiffness ratio 997.9"
expect 0 "$LINNET" eig rlc.xml --input V1 --output R1.v && says out "from V1 to R1.v: gain 10000, at s = 0: 0; 2 poles (the modes), 1 zero"
expect 0 "$LINNET" eig rlc.xml --input out --output 0 && says out "the output does not see the input"
expect 0 "$LINNET" eig rlc.xml --count 1 --near=-1e3+3e4i && says out "1 mode nearest to the point" "-5000 + 31224.99i"
expect 0 "$LINNET" eig rlc.xml --format csv && says out "kind,re,im,time_constant,frequency,damping,states"
expect 0 "$LINNET" eig rlc.xml --format json --input V1 --output out
if command -v python3 > /dev/null; then
    python3 -c 'import json, sys
eig = json.load(open(sys.argv[1]))
assert eig["operating_point"] and eig["index"] == 1 and len(eig["modes"]) == 2
assert abs(eig["modes"][0]["re"] + 5000) < 1e-6 and abs(eig["transfer"]["gain"]/1e9 - 1) < 1e-9
assert sorted(s["name"] for s in eig["modes"][0]["states"]) == ["C1.v", "L1.i"]
assert [s["method"] for s in eig["stable_steps"]] == ["euler", "heun", "rk4", "rk45"]' "$work/out" || fail "eig --format json is not as told"
fi
sed 's|<resistor.*|<capacitor id="C2" p="in" n="0" C="1 uF"/><resistor id="R1" p="in" n="a" R="10 Ohm"/>|' rlc.xml > index2.xml
expect 0 "$LINNET" eig index2.xml
says out "index 2: V1.p.i follows a derivative" "ties what is stored in C2" "no explicit method takes this model: its index is above 1"

expect 0 "$LINNET" eig rlc.xml -o modes.txt && grep -q "5032.92 Hz" modes.txt || fail "eig -o writes no file"
sed 's|</model>|<constant id="k" out="u" value="0"/><first-order id="P" in="u" out="y" T="1 s"/></model>|' rlc.xml > apart.xml
expect 0 "$LINNET" eig apart.xml --input k --output out && says out "the output does not see the input"
cat > late.xml <<EOF
<model xmlns="urn:linnet:model:1"><constant id="c" out="r" value="0"/><sum id="s" in="r y" signs="+-" out="e"/>
<transport-delay id="d" in="e" out="v" delay="0.3"/><integrator id="P" in="v" out="y"/></model>
EOF
expect 0 "$LINNET" eig late.xml --pade 3 && says out "1 transport delay, by Pade approximants of order 3" "d.past"
expect 2 "$LINNET" eig late.xml --pade 0 && says err "whole number from 1 to 40"

expect 2 "$LINNET" eig rlc.xml --input V1 && says err "belong together"
expect 2 "$LINNET" eig rlc.xml --input V2 --output out && says err "no source, link or signal input is called V2"
expect 2 "$LINNET" eig rlc.xml --input R1 --output out && says err "is no source"
expect 2 "$LINNET" eig rlc.xml --input V1 --output ouch && says err "ouch"
expect 2 "$LINNET" eig rlc.xml --count few
expect 2 "$LINNET" eig rlc.xml --near here
expect 2 "$LINNET" eig rlc.xml --format yaml
expect 2 "$LINNET" eig rlc.xml --at soon
expect 2 "$LINNET" eig
expect 0 "$LINNET" eig --help && says out "Usage: linnet eig" "Options:" "Examples:" "Exit status:"
finish

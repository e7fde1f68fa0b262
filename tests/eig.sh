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
says out "index 2: V1.p.i follows a derivative" "ties what is stored in C2" "largest stable step: euler"

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
# zeros of one modulus: two conjugates stand side by side, a real one does not part them; and models of many shapes
cat > zeros.xml << 'XML'
<model name="tf" xmlns="urn:linnet:model:1">
  <external-input id="i" out="u" value="0"/>
  <transfer-function id="P" in="u" out="y" numerator="1 0 4" denominator="1 2 3 1"/>
  <transfer-function id="S" in="u" out="w" numerator="0" denominator="1 2"/>
  <transfer-function id="U" in="u" out="v" numerator="1" denominator="1 -1 0"/>
  <transfer-function id="T" in="u" out="x" numerator="1" denominator="1 4"/>
  <simulation duration="1" step="0.1"/>
</model>
XML
expect 0 "$LINNET" eig zeros.xml --input i --output y && says out "0 +- 2i" "-2" "grows" "7 poles (the modes), 6 zeros"
expect 0 "$LINNET" eig zeros.xml --input i --output w && says out "the output does not see the input"
sed '/id="[PSU]"/d' zeros.xml > one.xml
expect 0 "$LINNET" eig one.xml --input i --output x && says out "1 pole (the mode" ", 0 zeros" "gain 1, at s = 0: 0.25"
sed '/id="[PSUT]"/d; s|value="0"/>|value="0"/><gain id="g" in="u" out="x" k="3"/>|' zeros.xml > none.xml
expect 0 "$LINNET" eig none.xml --input i --output x && says out "0 modes" "gain 3, at s = 0: 3; 0 poles (the modes), 0 zeros"
expect 0 "$LINNET" eig none.xml --format json && says out '"modes": []'
{
    echo '<model name="many" xmlns="urn:linnet:model:1"><ground id="g" p="0"/><voltage-source id="V" p="a" n="0" V="1"/>'
    for k in 1 2 3 4 5 6 7 8 9 10; do
        echo "<capacitor id=\"C$k\" p=\"a\" n=\"0\" C=\"1 uF\"/><inductor id=\"L$k\" p=\"x$k\" n=\"0\" L=\"1 mH\"/><resistor id=\"R$k\" p=\"a\" n=\"x$k\" R=\"$k\"/>"
    done
    echo '<simulation duration="1" step="0.1"/></model>'
} > many.xml
expect 0 "$LINNET" eig many.xml && says out "10 modes, index 2" "-10000" "V.p.i follows a derivative, because the algebra ties what is stored in C1, C10, C2, C3, C4, C5, C6, C7, ..." \
    "stiffness ratio 10" "largest stable step: euler 200 us"
finish

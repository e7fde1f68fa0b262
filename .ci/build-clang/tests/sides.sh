#!/bin/sh
# SPDX-License-Identifier: MIT
# An operating point is the left side of the start in everything: sources, modes and nonlinear parts alike. What is
# recorded first is at rest, and is what `linnet op` says; what jumps at the start is seen from both sides.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1

# 2 A into 2 A (v/V)^3 before the start, 1 A into 8 A (v/V)^3 from then on: 1 V at rest, and 0.5 V in the end.
cat > cube.xml << 'X'
<model name="two sides of t = 0" xmlns="urn:linnet:model:1">
  <block-type name="src"><port name="p" domain="electrical"/><parameter name="I" unit="A" default="1 A"/>
    <equation>p.i = -I*if(t gt 0, 1, 2)</equation></block-type>
  <block-type name="cube"><port name="p" domain="electrical"/><parameter name="I" unit="A" default="1 A"/>
    <parameter name="V" unit="V" default="1 V"/><equation>p.i = I*if(t gt 0, 8, 2)*(p.v/V)^3</equation></block-type>
  <src id="S" p="a"/> <cube id="N" p="a"/> <capacitor id="C" p="a" n="0" C="1 F"/> <ground id="g" p="0"/>
  <simulation duration="3 s" step="0.01 s" start="operating-point"/>
  <record signals="a S.p.i N.p.i"/>
</model>
X
# The same as a diagram of linear blocks: a step that comes at the very start finds a lag at rest at 1.
cat > lag.xml << 'X'
<model name="a step at the start" xmlns="urn:linnet:model:1">
  <step id="U" out="u" offset="1" height="1"/>
  <transfer-function id="G" in="u" out="y" numerator="1" denominator="1 1"/>
  <simulation duration="3" step="0.01" start="operating-point"/>
  <record signals="u y"/>
  <reference signal="y" value="2 - exp(-t)" tolerance="1e-4"/>
</model>
X
expect 0 "$LINNET" op cube.xml && says out "a"
for method in crank-nicolson backward-euler bdf2 tr-bdf2; do
    expect 0 "$LINNET" run cube.xml -q --method $method -o out.csv
    [ "$(sed -n '2p;3p' out.csv | tr '\n' ' ')" = "0,1,-2,2 0,1,-1,8 " ] || fail "$method: $(sed -n '2p;3p' out.csv)"
done
for method in radau5 tr-bdf2 ida; do
    expect 0 "$LINNET" run cube.xml -q --method $method --tolerance 1e-6 -o out.csv
    awk -F, 'NR == 2 { exit !($1 == 0 && ($2 - 1)^2 < 1e-16 && ($3 + $4)^2 < 1e-16) }' out.csv || fail "$method: $(sed -n '2p' out.csv)"
done
for method in crank-nicolson tr-bdf2; do
    expect 0 "$LINNET" verify lag.xml --method $method
    expect 0 "$LINNET" run lag.xml -q --method $method -o out.csv
    awk -F, 'NR == 2 { exit !($2 == 1 && ($3 - 1)^2 < 1e-20) }' out.csv || fail "$method: $(sed -n '2p' out.csv)"
done
finish

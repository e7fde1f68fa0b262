#!/bin/sh
# SPDX-License-Identifier: MIT
# linnet check --flat: what it prints is a model that reads, prints itself again, and runs to the same bits.
. "${srcdir:-.}/tests/shell.sh"
count=0
mkdir "$work/models"
for model in "$srcdir"/models/examples/*/*.xml; do
    grep -q '<model' "$model" || continue
    folder=${model%/*}
    expect 0 "$LINNET" check --flat --quiet -I "$folder" "$model" && cp "$work/out" "$work/models/flat.xml" || continue
    expect 0 "$LINNET" check --flat --quiet -I "$folder" "$work/models/flat.xml" || continue
    cmp -s "$work/out" "$work/models/flat.xml" || fail "the flat model of $model does not print itself"
    count=$((count + 1))
done
[ "$count" -ge 40 ] || fail "only $count examples were printed"

cat > "$work/deep.xml" << 'XML'
<model name="components in components">
  <parameter name="load" value="2 kOhm"/>
  <parameter name="rate" value="3/(1 s)"/>
  <block-type name="leak"><port name="p" domain="electrical"/><parameter name="G" unit="mS"/>
    <equation>p.i = G*p.v</equation></block-type>
  <component name="cell"><port name="a" domain="electrical"/><port name="b" domain="electrical"/>
    <parameter name="tau" unit="ms" default="1"/><resistor id="R" p="a" n="b" R="load_R"/><parameter name="load_R" default="1 kOhm"/>
    <capacitor id="C" p="b" n="0" C="tau/load_R"/><ground id="g" p="0"/><leak id="l" p="b" G="0.1"/></component>
  <component name="pair"><port name="a" domain="electrical"/><port name="b" domain="electrical"/><parameter name="k" default="2"/>
    <cell id="x" a="a" tau="k"/><cell id="y" b="b" load_R="3 kOhm"/>
    <link id="m" from="x.b" to="y.a"/></component>
  <ground id="gnd" p="0"/><sine-voltage id="V" p="v[0]" n="0" amplitude="1 V" frequency="50 Hz"/>
  <repeat index="i" from="1" to="3"><pair id="P[i]" a="v[(i+1)-(1+1)]" b="v[max(i, 1)]" k="i"/></repeat>
  <resistor id="L" p="v[3]" n="0" R="load"/>
  <voltage-sensor id="M" p="v[3]" n="0" out="m"/><function id="f" in="m" out="y" expression="u*rate*load^0"/>
  <sum id="s" in="m y" signs="+-" out="e"/>
  <simulation duration="20 ms" step="0.1 ms"/>
  <record signals="v[*] P[1].x.R.* P[2].y.C.* P[1].m e f.out"/><record name="heat" expression="m^2/load" unit="mW"/>
  <reference signal="heat" value="m^2/load"/>
</model>
XML
cd "$work" || exit 1
expect 0 "$LINNET" check --flat --quiet deep.xml && cp out flat.xml
says out 'id="P[2].x.C"' 'C="2e-06 F"' 'expression="u*(3)*(2000)^0"'
grep -q '<component\|<repeat' flat.xml && fail "the flat model holds components"
expect 0 "$LINNET" run -q deep.xml -o deep.csv
expect 0 "$LINNET" run -q flat.xml -o flat.csv
cmp -s deep.csv flat.csv || fail "the flat model gives another result"
expect 0 "$LINNET" verify flat.xml

# Links with arrows keep them, at the input of a list that each was numbered for; others are no elements of their own.
cat > arrows.xml << 'XML'
<model><constant id="c" value="1"/><gain id="G" k="2"/><sum id="s" signs="+-+" out="y"/><gain id="H" k="3"/>
  <link id="b" from="G.out" to="s.in[2]"/><link id="a" from="c.out" to="s.in[1] G.in H.in"/>
  <link id="h" from="H.out" to="s.in[3]"/><simulation duration="1 s" step="1 s" method="rk4"/><record signals="y"/></model>
XML
expect 0 "$LINNET" check --flat --quiet arrows.xml && cp out flat.xml
[ "$(grep -c '<link' flat.xml)" = 3 ] || fail "$(grep -c '<link' flat.xml) of 3 links with arrows: $(grep '<link' flat.xml)"
says out 'from="G.out" to="s.in[2]"' 'from="c.out" to="G.in H.in s.in[1]"' 'from="H.out" to="s.in[3]"'
# Elements of a vector: all of them in their order are the vector; others stand by name.
cat > vectors.xml << 'XML'
<model><step id="a" out="u" delay="0.1"/><ramp id="b" out="v" slope="2"/><sine id="c" out="w" frequency="1"/><mux id="M" in="u v w" out="x"/>
  <sum id="s" in="x[1] x[2] x[3]" signs="+-+" out="y"/><demux id="whole" in="x" out="p q r"/><norm id="length" in="x" out="l"/>
  <state-space id="z" A="-1" B="1 2" C="1" D="0 0" in="x[2] x[3]" out="k"/><state-space id="t" A="-1" B="1 2 3" C="1" D="0 0 0" in="x[3] x[1] x[2]" out="m"/>
  <simulation duration="1 s" step="10 ms"/><record signals="p q r y k l m"/></model>
XML
expect 0 "$LINNET" check --flat --quiet vectors.xml && cp out flat.xml
says out 'id="s" in="x[1] x[2] x[3]"' 'id="whole" in="x"' 'id="length" in="x"' 'in="x[2] x[3]"' 'in="x[3] x[1] x[2]"'
expect 0 "$LINNET" run -q vectors.xml -o vectors.csv
expect 0 "$LINNET" run -q flat.xml -o flat.csv
cmp -s vectors.csv flat.csv || fail "the flat model with vectors gives another result"
printf '<model><constant id="c" value="1" out="one"/><gain id="G" in="one" k="2"/></model>' > plain.xml
expect 0 "$LINNET" check --flat --quiet plain.xml
grep -q '<link' out && fail "a link without arrows is an element of its own"
grep -q 'G\.out' out && fail "the link of a port that nothing joins is written, which comes into being by itself"
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# linnet op, and a run that starts from what it wrote.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1

printf '%s\n' 'a quotient by zero' 'V1 a 0 -4' 'B1 b 0 v=1/(v(a)+4)' 'R1 b 0 1kΩ' .op .end > quotient.cir
expect 0 "$LINNET" op quotient.cir && says err "quotient.cir:3: warning: B1." "is no finite number at this point"

# Beside 1e-12 Ohm the balance of its links keeps nothing of 0.1 mS: told, with the block, at rest and
# after a run by each method, a linear network or not; beside 1 uOhm nothing is lost, nor told.
tiny() { cat << XML
<model name="tiny" xmlns="urn:linnet:model:1">
  <ground id="gnd" p="0"/>
  <voltage-source id="V1" p="s" n="0" V="5 V"/>
  <resistor id="R1" p="s" n="a" R="10 kOhm"/>
  <resistor id="RS" p="a" n="b" R="$1"/>
  <resistor id="R2" p="b" n="0" R="10 kOhm"/>
  $2
  <simulation duration="20 ms"/>
</model>
XML
}
stores='<capacitor id="CA" p="a" n="0" C="1 uF"/><capacitor id="CB" p="b" n="0" C="1 uF"/>'
diode='<spice-diode id="D1" p="b" n="0"/>'
told() {
    if [ $ohms = 1e-12 ]; then
        says err "rest.xml:5: warning: rounding leaves " " cancel in flux sum at link a, the largest of RS"
    else
        ! grep -q 'rounding leaves' err || fail "rounding is told of beside 1 uOhm"
    fi
}
for ohms in 1e-12 1e-6; do
    tiny "$ohms Ohm" "$diode" > rest.xml
    expect 0 "$LINNET" op rest.xml && told
    tiny "$ohms Ohm" "$stores" > rest.xml
    for method in radau5 tr-bdf2 bdf2 ida; do
        expect 0 "$LINNET" run rest.xml -m $method -o rest.csv && told
    done
done

cat > rc.xml << 'XML'
<model name="an RC" xmlns="urn:linnet:model:1">
  <ground id="gnd" p="0"/>
  <voltage-source id="V1" p="in" n="0" V="6 V"/>
  <resistor id="R1" p="in" n="out" R="1 kOhm"/>
  <resistor id="R2" p="out" n="0" R="2 kOhm"/>
  <capacitor id="C1" p="out" n="0" C="1 uF" v0="1 V"/>
  <simulation duration="1 ms" step="10 us"/>
  <record signals="out"/>
  <record name="half" expression="out/2"/>
</model>
XML
expect 0 "$LINNET" op rc.xml && says out "found by Newton" "  out  4 V" "C1 (capacitor)" "C1.v0 = 1 V became 4 V"
expect 0 "$LINNET" op rc.xml --set V1.V=9V -f json -o point.json
if command -v python3 > /dev/null; then
    python3 -c 'import json
p = json.load(open("point.json"))
assert {l["name"]: l["value"] for l in p["links"]}["out"] - 6 < 1e-12, p
assert p["dropped"][0]["found"] - 6 < 1e-12 and p["means"] == "Newton"' || fail "point.json is not as it should be"
fi
expect 0 "$LINNET" op rc.xml -f csv -o point.csv && expect 0 "$LINNET" run rc.xml -q --start-from point.csv -o rest.csv
[ "$(cut -d, -f2 rest.csv | sort -u)" = "$(printf '4\nout')" ] || fail "a run from the operating point moves"
expect 0 "$LINNET" run rc.xml -q --duration 0.5ms -o first.csv && expect 0 "$LINNET" run rc.xml -q --start-from first.csv -o second.csv
expect 0 "$LINNET" run rc.xml -q --duration 1ms -o whole.csv
[ "$(sed -n 52p whole.csv | cut -d, -f2)" = "$(sed -n 2p second.csv | cut -d, -f2)" ] || fail "a run does not go on where it ended"
printf 'time,ot\n0,1\n' > wrong.csv
expect 3 "$LINNET" run rc.xml --start-from wrong.csv && says err "wrong.csv:1" "there is no 'ot'" "did you mean 'out'?"
printf 'time,in\n0,6\n' > little.csv
expect 0 "$LINNET" run rc.xml --start-from little.csv && says err "C1 (capacitor): the file tells no start of it"
expect 5 "$LINNET" run rc.xml --start-from nowhere.csv && says err "nowhere.csv"
expect 0 "$LINNET" op rc.xml --free V1.V=1V:0V:20V --hold 'out = 5 V' && says out "V1.V = 7.5 V" "  out  5 V"
expect 4 "$LINNET" op rc.xml --free V1.V=1V:0V:7V --hold 'out = 5 V' && says err "no trim found"
cp "$srcdir/models/examples/mixed/quadcopter.xml" .
expect 0 "$LINNET" op quadcopter.xml --free hover=3 --hold 'z = 0' && says out "hover = 3.57767285 V"
expect 2 "$LINNET" op rc.xml --free V1.X --hold 'out = 5 V' && says err "there is no 'V1.X'"
expect 2 "$LINNET" op rc.xml --free V1.V && says err "something to hold"
sed 's|</model>|<trim><free name="V1.V" guess="1 V"/><hold equation="out = 5 V"/></trim></model>|' rc.xml > trim.xml
expect 0 "$LINNET" op trim.xml && says out "V1.V = 7.5 V"
expect 0 "$LINNET" op trim.xml --no-trim && says out "  out  4 V"
expect 2 "$LINNET" op trim.xml --no-trim --hold 'out = 3 V'
expect 0 "$LINNET" check trim.xml && expect 0 "$LINNET" run trim.xml -o trim.csv
sed -i 's/V1.V/V1.W/' trim.xml && expect 3 "$LINNET" check trim.xml && says err "trim.xml" "there is no 'V1.W'"
expect 2 "$LINNET" op rc.xml --format xml && says err "text, json or csv"
expect 5 "$LINNET" op rc.xml -o no/such/folder.txt && says err "no/such/folder.txt"
# memories go on where a run ended, but not the counts of clocks
cat > count.xml << 'XML'
<model name="count" xmlns="urn:linnet:model:1">
  <constant id="one" out="u" value="1"/>
  <clock id="clock" out="c" period="0.1 s" offset="0.05 s"/>
  <discrete-integrator id="I" in="u" out="y" clock="c" y0="5"/>
  <simulation duration="1 s" step="10 ms"/>
  <record signals="y I.*"/>
</model>
XML
expect 0 "$LINNET" run count.xml -q -o first.csv && expect 0 "$LINNET" run count.xml -q --start-from first.csv -o second.csv
[ "$(tail -n 1 first.csv | cut -d, -f2)" = "$(sed -n 2p second.csv | cut -d, -f2)" ] || fail "memories do not go on: $(sed -n 2p second.csv)"
[ "$(sed -n 2p first.csv | cut -d, -f2)" = 5 ] || fail "the first run does not start at 5"
# conditions of devices side by side, with words for what they are in; means tried before
cat > pair.cir << 'X'
* flip-flop with one side off
.model q NPN(IS=1e-15 BF=100 RB=100)
vcc vcc 0 5
r1 vcc c1 1k
r2 vcc c2 1k
r3 c1 b2 10k
r4 c2 b1 10k
q1 c1 b1 0 q
q2 c2 b2 0 q off
.end
X
expect 0 "$LINNET" op pair.cir && says out "bjt                     Q1             Q2" "saturated            off" "c2   4.61794023 V"
sed -i 's/^q2.*/q2 c2 b2 0 q/; s/^q1.*/& off/' pair.cir && expect 0 "$LINNET" op pair.cir && says out "c1   4.61794023 V"
expect 0 "$LINNET" op "$srcdir/tests/start/bgloop.cir" && says out "tried before, in vain: Newton, damped Newton"
printf '* no point at all\nv1 a 0 5\nr1 a b 1k\nb1 b 0 i=1e-3*(v(b)^2+20)\n.end\n' > none.cir
expect 4 "$LINNET" op none.cir && says err "tried: Newton, damped Newton, gmin stepping (down to 0.0067 of its start), source stepping (up to" "pseudo-transient"
# a body that a magnet carries: no slope at the first guess of its flux, 0, and unstable, so that no way in time leads there; with a
# sensor beside the gap two positions have one velocity, and the equations at rest are singular
cat > hover.xml << 'X'
<model name="hover">
  <ground id="g" p="0"/><magnetic-ground id="mg" p="m0"/><fixed-point id="fp" p="f0"/>
  <constant id="V0" value="3.5" out="u"/>
  <signal-voltage id="V" p="a" n="0" in="u"/>
  <resistor id="R" p="a" n="b" R="5 Ohm"/>
  <magnetic-coil id="C" p="b" n="0" north="n" south="m0" N="1000" phi0="70 uWb"/>
  <moving-gap id="G" p="n" n="m0" rod="r" A="4 cm^2" x0="5 mm"/>
  <mass id="M" p="r" m="0.5 kg"/>
  <force-source id="W" p="f0" n="r" F="4.905 N"/>
</model>
X
expect 0 "$LINNET" op hover.xml && says out "found by Newton in 3 iterations" "x     0.00501070072 m"
sed -e 's|<constant.*|<position-sensor id="s" p="r" out="x"/><function id="c" in="x" out="u" expression="clamp(3.5 + 6000*u, 0, 30)"/>|' hover.xml > held.xml
expect 0 "$LINNET" op held.xml && says out "x  -1.40988691e-06"
expect 0 "$LINNET" op --help && says out "Usage: linnet op" "Examples:" "Exit status:"
finish

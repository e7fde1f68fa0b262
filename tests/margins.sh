#!/bin/sh
# SPDX-License-Identifier: MIT
# linnet margins: what it says, JSON, a picture, what is wrong.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1
model=$srcdir/models/examples/signal/unstable-plant.xml

expect 0 "$LINNET" margins "$model" --open y && says out "loop opened at y, L = -Y/U (negative feedback)" \
    "stable: all natural modes decay" "gain margin     0.692307692" "phase margin    17.9517367 degrees at 2.15992445 rad/s" \
    "delay margin    0.1450592 s" "modulus margin  0.293313013 at 1.77298749 rad/s"
sed 's/1.95 13/1.95 8/' "$model" > falls.xml
expect 0 "$LINNET" margins falls.xml --open y && says out "UNSTABLE: 1 natural mode grows"
expect 0 "$LINNET" margins "$model" --open loop.in -f json -o margins.json
if command -v python3 > /dev/null; then
    python3 -c 'import json
p = json.load(open("margins.json"))
assert p["stable"] is True and abs(p["gain_margin"]["gain_margin"] - 9/13) < 1e-12 and len(p["crossings"]) == 3, p' ||
        fail "margins.json is not as it should be"
fi
if command -v gnuplot > /dev/null; then
    expect 0 "$LINNET" margins "$model" --open y --plot loop.svg && grep -q '<svg' loop.svg || fail "no picture"
    # a loop with an integrator: no decades of straight lines, and a Nyquist panel that is as high as both others
    cat > servo.xml << 'EOF'
<model name="servo" xmlns="urn:linnet:model:1"><step id="r" out="ref"/><sum id="s" in="ref y" signs="+-" out="e"/>
<transfer-function id="g" in="e" out="w" numerator="2" denominator="0.1 1"/><integrator id="i" in="w" out="y"/></model>
EOF
    expect 0 "$LINNET" margins servo.xml --open y --plot servo.json -q && expect 0 "$LINNET" margins servo.xml --open y --plot servo.svg
    command -v python3 > /dev/null && { python3 -c 'import json
bode, phase, nyquist = json.load(open("servo.json"))
f = bode["curves"][0]["x"]
assert 1e-3 < f[0] < 0.05 and 20 < f[-1] < 2000, (f[0], f[-1])
assert [c["name"] for c in nyquist["curves"]] == ["L", "L at -w", "gain 1", "-1"]
assert abs(nyquist["y"]["high"] + nyquist["y"]["low"]) < 0.1' || fail "the pictures of a servo"; }
fi
cat > digital.xml <<EOF
<model xmlns="urn:linnet:model:1"><constant id="ref" out="r" value="1"/><sum id="sm" in="r y" signs="+-" out="err"/>
<zero-order-hold id="h" in="err" out="v" period="0.2"/><transfer-function id="G" in="v" out="y" numerator="12" denominator="1 1"/></model>
EOF
expect 0 "$LINNET" margins digital.xml --open err && says out "sampled loop" "0.2 s, seen at the slowest" "UNSTABLE: 1 natural mode grows" \
    "gain margin     0.836109261"
expect 0 "$LINNET" eig digital.xml -f json && says out '"multipliers": [{"re": -1.3565002'
expect 0 "$LINNET" eig digital.xml && says out "has 1 multiplier" "1.3565, grows"
# a capacitor across a source that a sample sets: index 2, and the reason stands where the multipliers would
sed 's|<resistor id="R1"|<capacitor id="C9" p="a" n="0" C="1 uF"/><resistor id="R1"|' \
    "$srcdir/models/examples/hybrid/sampled-motor.xml" > tied.xml
expect 0 "$LINNET" eig tied.xml && says out "There are no multipliers" "clocks: a model of index above 1 is not sampled"
# L = 1.3 P z^-3/(z - 1) of a hold and a delay of 3 P before an integrator: |L| = 1 at w P = 2 asin(0.13), where 180 degrees
# more than its phase are 90 - (3.5 w P) of them; a delay of what moves between ticks is refused
cat > late.xml <<EOF
<model xmlns="urn:linnet:model:1"><constant id="ref" out="r" value="1"/><sum id="sm" in="r y" signs="+-" out="err"/>
<zero-order-hold id="h" in="err" out="v" period="0.2"/><transport-delay id="td" in="v" out="w" delay="0.6"/>
<integrator id="G" in="w" out="y" k="1.3"/></model>
EOF
expect 0 "$LINNET" margins late.xml --open err && says out "sampled loop" "phase margin    37.7128538 degrees at 1.3036898 rad/s"
expect 0 "$LINNET" eig late.xml && says out "has 4 multipliers"
sed 's|in="r y"|in="r z"|; s|</model>|<transport-delay id="tz" in="y" out="z" delay="0.1"/></model>|' late.xml > moving.xml
expect 0 "$LINNET" eig moving.xml && says out "There are no multipliers" "tz: a model with transport delays is sampled where" "between ticks"
expect 0 "$LINNET" eig tied.xml -f json && says out '"why_no_multipliers": "a model of index above 1'
expect 2 "$LINNET" margins "$model" && says err "--open is missing"
expect 2 "$LINNET" margins "$model" --open yy && says err "there is no signal and no physical port 'yy' to open a loop at"
expect 2 "$LINNET" margins "$model" --open loop.p && says err "there is no signal and no physical port 'loop.p' to open a loop at"
expect 2 "$LINNET" margins "$model" --open r && says err "in no loop"
expect 2 "$LINNET" margins "$srcdir/models/examples/electrical/rlc-filter.xml" --open L1.i && says err "opened at a signal" "physical port"
# physical loops: the same from everywhere in the loop, also in a deck
awk '/<model name="inverting stage"/, /<\/model>/' "$srcdir/doc/manual.md" > stage.xml
for place in R2.p A1.n o; do
    expect 0 "$LINNET" margins stage.xml --open $place && says out "loop opened at $place" "phase margin    53.8873373 degrees at 40146504.7"
done
expect 2 "$LINNET" margins stage.xml --open Ro.v && says err "opened at a signal or a physical port, which 'Ro.v' is not"
expect 2 "$LINNET" margins stage.xml --open CL.n && says err "'CL.n' is held at zero"
expect 2 "$LINNET" margins stage.xml --open V1.p && says err "in no loop"
expect 2 "$LINNET" margins "$model" --open y -f csv && says err "text or json"
expect 0 "$LINNET" margins --help && says out "Usage: linnet margins" "Examples:" "Exit status:"

# three clocks, one of them late: the loop is linear, so it has the same margins at any time of a run. What only follows a clock had a
# sample of its own at the start, which never passed ("no common multiple"), and the multipliers next to zero hid from the reduction
# of the pencil how many are zero ("the step must be tried shorter").
cat > rates.xml << 'X'
<model name="rates">
  <clock id="fast" out="cf" period="1 ms"/><clock id="mid" out="cm" period="5 ms" offset="0.5 ms"/>
  <clock id="slow" out="cs" period="20 ms"/>
  <square id="ref" out="r" frequency="2.5" amplitude="0.5" offset="0.5"/>
  <zero-order-hold id="zr" in="r" out="rh" clock="cs"/>
  <sum id="s1" in="rh x" signs="+-" out="ex"/><discrete-pid id="pos" in="ex" out="vr" kp="12" clock="cs"/>
  <sum id="s2" in="vr v" signs="+-" out="ev"/><discrete-pid id="vel" in="ev" out="ar" kp="40" ki="300" clock="cm"/>
  <sum id="s3" in="ar a" signs="+-" out="ea"/><discrete-pid id="acc" in="ea" out="u" kp="0.3" ki="200" clock="cf"/>
  <first-order id="act" in="u" out="a" T="4 ms"/><integrator id="I1" in="a" out="v"/><integrator id="I2" in="v" out="x"/>
  <simulation duration="1 s"/>
</model>
X
for at in 0.1 0.2 0.337 0.36; do
    expect 0 "$LINNET" margins rates.xml --open x --at $at && says out "gain margin     4.52987" "over the common period of the clocks, 0.02 s" \
        "stable: all natural modes decay" # the integral of "pos" is none: nothing moves it
done
finish

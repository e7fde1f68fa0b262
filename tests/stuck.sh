#!/bin/sh
# SPDX-License-Identifier: MIT
# No run stands still in silence, and none passes through a wall: a ball that bounces ever lower ends the run by the name of
# its block, above the floor, however its steps are taken; a relay that stands on its threshold goes on; steps that bring
# nothing on end the run by name.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1

cat > ball.xml << 'X'
<model name="ball" xmlns="urn:linnet:model:1">
  <block-type name="ball"><parameter name="restitution" default="0.8"/><output name="y"/>
    <state name="h" start="1"/><state name="v"/>
    <equation>der(h) = v</equation><equation>der(v) = -9.81</equation><equation>y = h</equation>
    <when condition="h lt 0"><set name="v" value="-restitution*pre(v)"/></when></block-type>
  <ball id="b" y="y"/>
  <simulation duration="10 s" step="1 ms"/>
  <record signals="y"/>
</model>
X
# The bounces end at sqrt(2/g)*(1 + r)/(1 - r); what the first step after a bounce is wrong by ends them sooner by as much.
for restitution in 0.8 0.5 0.1; do
    for method in rk4 crank-nicolson backward-euler 'radau5 --tolerance 1e-6' 'rk45 --tolerance 1e-6' 'bdf2 --tolerance 1e-4' \
        'tr-bdf2 --tolerance 1e-4' 'ida --tolerance 1e-5'; do
        # shellcheck disable=SC2086
        expect 4 timeout 30 "$LINNET" run ball.xml -q --set b.restitution=$restitution --method $method -o ball.csv || continue
        says err "ball.xml:6: error: b (ball): " " events that come ever closer end at t = " "threshold below which it rests"
        awk -F, -v r=$restitution -v m="$method" 'NR > 1 { if ($2 < low) low = $2; t = $1 }
            END { end = sqrt(2 / 9.81) * (1 + r) / (1 - r); exit !(low > -2e-5 && t < end * 1.002 && t > 0.9 * end) }' ball.csv ||
            fail "restitution $restitution by $method: $(tail -n 1 ball.csv)"
    done
done

# A relay in an algebraic loop that begins where both of its branches hold: at the threshold the state moves by less than
# its last digit in the shortest step. From y(0) = 0.99 and -1 it rises to 1 and falls; a triangle of 4 s.
cat > relay.xml << 'X'
<model name="relay as an algebraic loop" xmlns="urn:linnet:model:1">
  <sum id="S" in="A R" out="a" signs="++"/>
  <function id="F" in="a" out="A" expression="if(u gt 0, 1, -1)"/>
  <integrator id="I" in="A" out="R" k="-1" y0="0.99"/>
  <simulation duration="7" tolerance="1e-6"/>
  <record signals="R A"/>
</model>
X
for start in 0.99 0.5 0.9; do
    for method in radau5 bdf2 tr-bdf2 ida rk45; do
        expect 0 timeout 20 "$LINNET" run relay.xml -q --set I.y0=$start --method $method -o relay.csv || continue
        awk -F, 'NR > 1 { if ($2 < low) low = $2; if ($2 > high) high = $2; n++ } END { exit !(low > -1.0001 && low < -0.999 && high < 1.0001 && high > 0.999 && n < 1000) }' relay.csv ||
            fail "relay from $start by $method"
    done
done

# A sine and a cosine that turn for ever into the cut of atan2: no method of the family crosses it but by an event, and ida,
# which cannot, says where it stands.
cat > cut.xml << 'X'
<model name="cut" xmlns="urn:linnet:model:1"><ramp id="r" out="u" slope="1"/><integrator id="i" in="u" out="x"/>
  <cos id="C" in="x" out="c"/><sin id="S" in="x" out="s"/><atan2 id="a" in="s" x="c" out="y"/>
  <simulation duration="5" tolerance="1e-6" interval="0.5" method="ida"/><record signals="x y"/></model>
X
timeout 30 "$LINNET" run cut.xml -q -o cut.csv 2> err
case $? in
0) ;;
4) grep -q "the run stands still: .* steps from t = 2.50662827" err || fail "the cut: $(head -n 1 err)" ;;
*) fail "the cut does not end" ;;
esac
finish

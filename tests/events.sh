#!/bin/sh
# SPDX-License-Identifier: MIT
# How runs with events end: by <stop>, by <fail> and <assert>, by chattering, at the user's limit; and what of ticks is shown.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1

model() { # NAME WHAT-IS-IN-THE-TYPE [SIMULATION-ATTRIBUTES]
    cat > "$1.xml" <<EOF
<model name="$1" xmlns="urn:linnet:model:1">
  <block-type name="vat">
    <state name="level" start="1"/>
    <memory name="n"/>
    <equation>der(level) = 0.5</equation>
    $2
  </block-type>
  <vat id="T1"/>
  <simulation duration="4" step="0.1" method="rk4" $3/>
  <record signals="T1.level T1.n"/>
</model>
EOF
}

model stops '<when condition="level gt 2"><stop message="the tank is full"/></when>'
expect 0 "$LINNET" run stops.xml
says err "T1: the tank is full"
[ "$(tail -n 1 stops.csv | cut -d. -f1)" = 2 ] || [ "$(tail -n 1 stops.csv | cut -d, -f1 | cut -c1-3)" = 2.0 ] || fail "stops.csv ends with $(tail -n 1 stops.csv)"

model fails '<when condition="level gt 2"><fail message="the tank runs over"/></when>'
expect 4 "$LINNET" run fails.xml
says err "fails.xml:8: error: T1 (vat): the tank runs over (at t = 2 s)"
[ "$(wc -l < fails.csv)" -ge 20 ] || fail "what was computed before the failure is lost"

model asserts '<assert condition="level lt 2" message="the level is safe"/>'
for method in rk4 crank-nicolson backward-euler; do
    expect 4 "$LINNET" run asserts.xml -m $method
    says err "T1 (vat): the level is safe (at t = 2 s)"
done

model again '<when condition="level gt 2"><set name="level" value="2 - (level - 2)"/></when>'
expect 4 "$LINNET" run again.xml
says err "again.xml:8: error: T1 (vat): 1001 events from t = 2 s to 2.0000" "(last: level gt 2)" "add a hysteresis"
expect 4 "$LINNET" run again.xml --event-limit 5
says err "T1 (vat): 6 events from"
model more '<when condition="level gt 2"><set name="level" value="2 - (level - 2)"/></when>' 'event-limit="7"'
expect 4 "$LINNET" run more.xml
says err "T1 (vat): 8 events from"
expect 2 "$LINNET" run more.xml --event-limit 0
says err "option --event-limit is 0; it must be a whole number above 0"

model ticks '<when condition="sample(1 s)"><set name="n" value="n + 1"/></when>' 'ticks="both"'
expect 0 "$LINNET" run ticks.xml
[ "$(grep -c '^[123],' ticks.csv)" = 6 ] || fail "not both sides of three ticks: $(grep '^[123],' ticks.csv)"
model after '<when condition="sample(1 s)"><set name="n" value="n + 1"/></when>' 'ticks="after"'
expect 0 "$LINNET" run after.xml
[ "$(grep -c '^[123],' after.csv)" = 3 ] || fail "not one row for each of three ticks: $(grep '^[123],' after.csv)"
model wrong '<when condition="sample(1 s)"><set name="n" value="n + 1"/></when>' 'ticks="never"'
expect 3 "$LINNET" run wrong.xml
says err "wrong.xml:9: error: simulation: ticks is 'never'; it must be 'after' or 'both'"
# Many blocks on their own: an event of one leaves the steps of the others as they are. 200 balls bounce at 200 times within
# a second; each flight is a parabola, which takes one step.
awk 'BEGIN {
    print "<model name=\"balls\" xmlns=\"urn:linnet:model:1\"><block-type name=\"ball\"><parameter name=\"h0\" default=\"1\"/><output name=\"y\"/>"
    print "<state name=\"h\" start=\"h0\"/><state name=\"v\"/><equation>der(h) = v</equation><equation>der(v) = -9.81</equation><equation>y = h</equation>"
    print "<when condition=\"h lt 0\"><set name=\"v\" value=\"-0.8*v\"/><set name=\"h\" value=\"0\"/></when></block-type>"
    for (k = 0; k < 200; k++) printf "<ball id=\"b%d\" y=\"y%d\" h0=\"%.9g\"/>\n", k, k, 1 + 0.00185*k
    print "<simulation duration=\"1\" tolerance=\"1e-6\"/><record signals=\"y0 y100 y199\"/></model>" }' > balls.xml
for method in radau5 tr-bdf2; do
    expect 0 "$LINNET" run balls.xml --method $method -o balls.csv || continue
    steps=$(cat out err | sed -n 's/.* in \([0-9]*\) steps.*/\1/p')
    [ "$steps" -lt 400 ] || fail "200 events by $method in $steps steps"
    # the interpolation tells where each one is: a step that leads across it, and one that ends there
    solved=$(cat out err | sed -n 's/.* \([0-9]*\) solutions.*/\1/p')
    [ "$solved" -lt 2000 ] || fail "200 events by $method took $solved solutions"
    tail -n 1 balls.csv | awk -F, -v m=$method 'function flies(h, t, v) { t = sqrt(2*h/9.81); v = 0.8*9.81*t; t = 1 - t; return v*t - 9.81/2*t*t }
        function off(a, b) { return a > b ? a - b : b - a }
        END { exit !(off($2, flies(1)) < 1e-8 && off($3, flies(1.185)) < 1e-8 && off($4, flies(1.36815)) < 1e-8) }' || fail "balls by $method: $(tail -n 1 balls.csv)"
done
# the first step is looked into at its middle, on this side of its end and behind its beginning: beyond both the rate has no value; a
# level that is above the mark within the step alone is seen there, on the way to what the tide does at its end
within() { # RATE: level' over one step of 1 s, by crank-nicolson; the mark is 0.4
    cat > within.xml << XML
<model name="within" xmlns="urn:linnet:model:1">
  <block-type name="vat">
    <state name="level" start="0"/>
    <memory name="n"/>
    <state name="tide" start="0"/>
    <memory name="m"/>
    <equation>der(level) = $1</equation>
    <equation>der(tide) = 1</equation>
    <when condition="level gt 0.4"><set name="n" value="n + 1"/></when>
    <when condition="tide gt 0.9"><set name="m" value="m + 1"/></when>
  </block-type>
  <vat id="T1"/>
  <simulation duration="1" step="1" method="crank-nicolson"/>
  <record signals="T1.level T1.n"/>
</model>
XML
    expect 0 "$LINNET" run within.xml -q -o within.csv
    awk -F, -v at="$2" 'NR > 1 && $3 == 1 && seen == 0 { seen = 1; d = $1 - at; wrong = d > 1e-9 || d < -1e-9 } END { exit !seen || wrong }' within.csv ||
        fail "$1: no event at $2: $(tr '\n' ' ' < within.csv)"
}
within "sqrt(t) + sqrt(1 - t)" 0.33416091527 # T*(1 + sqrt(T) + sqrt(1 - T)) = 0.8
within "2 - 4*t" 0.27639320225               # 2 T - 2 T^2 = 0.4; 0 at the end
finish

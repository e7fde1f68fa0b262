#!/bin/sh
# SPDX-License-Identifier: MIT
# Numbers that other systems state for their generated code, from ours: subsystems, products, integrators, a PI controller,
# enabled and nested subsystems; and what the code costs beside the same written by hand.
. "${srcdir:-.}/tests/shell.sh"
. "$srcdir/tests/codegen_kit.sh"
have_compiler || { echo "no C compiler here"; exit 77; }

# value FILE TIME COLUMN NUMBER [TOLERANCE]: the result has that number there.
value() {
    awk -F, -v t="$2" -v column="$3" -v wanted="$4" -v tolerance="${5:-1e-12}" '
        NR == 1 { for (k = 1; k <= NF; k++) if ($k == column) at = k; next }
        ($1 - t < 1e-9) && (t - $1 < 1e-9) { found = 1; got = $at; d = got - wanted; if (d > tolerance || -d > tolerance) exit }
        END { if (!found || d > tolerance || -d > tolerance || !at) { print column " at " t " is " got ", not " wanted; exit 1 } }' \
        "$1" > out || fail "$(cat out)"
}

cat > gains.xml << 'END'
<model name="gains" xmlns="urn:linnet:model:1">
  <component name="triple"><input name="u"/><output name="y"/><gain id="g" in="u" out="y" k="3"/></component>
  <component name="twice"><input name="u"/><output name="y"/>
    <component name="label"><input name="u"/><output name="y"/><gain id="g" in="u" out="y" k="2"/></component>
    <label id="l" u="u" y="y"/></component>
  <constant id="two" out="a" value="2"/>
  <triple id="t" u="a" y="six"/>
  <constant id="three" out="b" value="3"/> <constant id="four" out="c" value="4"/>
  <product id="p" in="b c" out="twelve"/> <gain id="s" in="twelve" out="thirty" k="2.5"/>
  <constant id="five" out="d" value="5"/>
  <twice id="w" u="d" y="ten"/>
  <simulation duration="0.1" step="0.01" method="rk4"/>
  <record signals="six thirty ten"/>
</model>
END
sed -i '/<component name="label">/d; s|<label id="l" u="u" y="y"/>|<label id="l" u="u" y="y"/>|' gains.xml
sed -i '2i <component name="label"><input name="u"/><output name="y"/><gain id="g" in="u" out="y" k="2"/></component>' gains.xml
generate gains.xml && gen/main > gains.csv
[ "$(awk -F, 'NR > 1 && $2 == 6 && $3 == 30 && $4 == 10' gains.csv | wc -l)" = 11 ] || fail "gains: $(head -n 3 gains.csv)"

cat > integrals.xml << 'END'
<model name="integrals" xmlns="urn:linnet:model:1">
  <constant id="one" out="a" value="1"/>
  <constant id="c0" out="b0" value="0"/> <constant id="c2" out="b2" value="2"/>
  <mux id="m" in="b0 a b2" out="v"/>
  <integrator id="i" in="a" out="y"/> <integrator id="j" in="v" out="w"/>
  <simulation duration="10" step="0.01" method="rk4"/>
  <record signals="a y w"/>
</model>
END
generate integrals.xml && gen/main > integrals.csv
value integrals.csv 10 a 1
value integrals.csv 10 y 10 1e-9
value integrals.csv 10 'w[1]' 0
value integrals.csv 10 'w[2]' 10 1e-9
value integrals.csv 10 'w[3]' 20 1e-9
grep -q 'double w\[3\];' gen/gen.h || fail "a vector is no array"

# e = setpoint - feedback, u = 2 e + I, I' = e/2
cat > pi.xml << 'END'
<model name="pi" xmlns="urn:linnet:model:1">
  <external-input id="a" out="setpoint" value="1"/> <external-input id="b" out="feedback" value="0.5"/>
  <sum id="s" in="setpoint feedback" signs="+-" out="e"/>
  <integrator id="i" in="e" out="x" k="0.5"/>
  <gain id="g" in="e" out="f" k="2"/> <sum id="t" in="f x" signs="++" out="u"/>
  <simulation duration="10" step="0.01" method="rk4"/>
  <record signals="u"/>
</model>
END
generate pi.xml && gen/main > pi.csv
value pi.csv 0 u 1
value pi.csv 10 u 3.5 1e-9

# the integral of 1 while enabled; while off it holds; a subsystem within is on when both are
cat > enabled.xml << 'END'
<model name="enabled" xmlns="urn:linnet:model:1">
  <component name="area"><input name="u"/><output name="y"/><integrator id="i" in="u" out="y"/></component>
  <component name="outer"><input name="u"/><input name="on"/><output name="y"/>
    <area id="inner" u="u" y="y" enable="on"/></component>
  <constant id="one" out="a" value="1"/>
  <step id="s" out="late" delay="0.5 s"/>
  <pulse id="p" out="early" period="10 s" width="0.8 s"/>
  <area id="whole" u="a" y="y" enable="late"/>
  <outer id="nested" u="a" on="early" y="z" enable="late"/>
  <area id="first" u="a" y="w" enable="early"/>
  <simulation duration="1" step="0.01" method="rk4"/>
  <record signals="y z w"/>
</model>
END
agrees enabled.xml 1e-12 && cp gen/code.csv enabled.csv
value enabled.csv 0.4 y 0
value enabled.csv 1 y 0.5 1e-9
value enabled.csv 0.8 w 0.8 1e-9
value enabled.csv 1 w 0.8 1e-9
value enabled.csv 1 z 0.3 1e-9

# the components that are on, told by name; before the first step all are
cat > enables.c << 'END'
#include "gen/gen.h"
int main(void) {
    gen_t m;
    gen_init(&m, 0.01);
    const gen_enable_states_t *on = &m.enable_states;
    if (!on->whole_enabled || !on->nested_enabled || !on->nested_inner_enabled || !on->first_enabled) return 1;
    for (int k = 0; k < 100; k++) {
        const int late = k >= 50, early = k < 80;
        if (gen_step(&m) != GEN_OK) return 2;
        if (on->whole_enabled != late || on->nested_enabled != late || on->first_enabled != early) return 3;
        if (on->nested_inner_enabled != (late && early)) return 4;
    }
    m.signals.late = 0;
    gen_evaluate_enable_states(&m);
    return on->whole_enabled || on->first_enabled ? 5 : 0;
}
END
$CC $STRICT -o enables enables.c gen/gen.c -lm 2> err || fail "enables.c: $(head -n 5 err)"
./enables || fail "enables.c ends with $?"
# enabled by a state; by two signals at once; what holds no memory; a name that is no identifier
cat > gates.xml << 'END'
<model name="gates" xmlns="urn:linnet:model:1">
  <component name="area"><input name="u"/><output name="y"/><integrator id="i" in="u" out="y" enable="u"/></component>
  <sine id="s" out="u" frequency="1"/>
  <block-type name="adds-up"><input name="in"/><output name="out"/><equation>der(out) = 6*in</equation></block-type>
  <adds-up id="x" in="u" out="x"/>
  <gain id="g" in="u" out="v" k="2" enable="u x" outputs="reset"/>
  <constant id="c" out="w" value="3" enable="x"/>
  <area id="in-t" u="u" y="y" enable="x"/>
  <simulation duration="1" step="0.01" method="heun"/>
  <record signals="v w y"/>
</model>
END
agrees gates.xml 0
generate gates.xml --float
grep -A6 'typedef struct gen_enable_states' gen/gen.h | grep -c 'int .*_enabled;' > out
[ "$(cat out)" = 4 ] || fail "gates: $(grep enabled gen/gen.h)"
grep -q 'in_t_i_enabled = 0.5f < model->states.x && 0.5f < model->signals.u;' gen/gen.c || fail "gates: $(grep enabled gen/gen.c)"

# samples of before are lines of fixed length; what looks between steps of the past is interpolated, within the step, too
cat > samples.xml << 'END'
<model name="delays" xmlns="urn:linnet:model:1">
  <sine id="s" out="u" frequency="1"/>
  <sample-delay id="d" in="u" out="late" period="20 ms" n="7" y0="0.5"/>
  <moving-average id="m" in="u" out="mean" period="30 ms" n="5"/>
  <fir-filter id="f" in="late" out="fir" period="10 ms" coefficients="0.5 0.25 0.125"/>
  <sum id="e" in="u back" signs="+-" out="error"/>
  <integrator id="i" in="error" out="x" k="4"/>
  <sample-delay id="b" in="x" out="back" period="10 ms" n="10"/>
  <simulation duration="2" step="10 ms" method="rk4"/>
  <record signals="late mean fir x back"/>
</model>
END
agrees samples.xml 0
sed 's|<moving-average.*|<transport-delay id="m" in="u" out="mean" delay="5 ms"/>|' samples.xml > transport.xml
agrees transport.xml 1e-12

# of two events of one instant the later set counts, whatever is known first: a constant, then what follows from signals
cat > sets.xml << 'END'
<model name="sets" xmlns="urn:linnet:model:1">
  <block-type name="two"><input name="u"/><output name="y"/><memory name="m"/><memory name="n"/><equation>y = m + 10*n</equation>
    <when condition="sample(0.1)"><set name="m" value="u"/><set name="n" value="1"/></when>
    <when condition="sample(0.2)"><set name="m" value="0"/><set name="n" value="u"/></when></block-type>
  <component name="sampled"><input name="u"/><output name="y"/>
    <clock id="c" period="0.1" out="n"/><zero-order-hold id="z" in="u" clock="n" out="y"/></component>
  <ramp id="r" slope="1" out="u"/><sine id="s" frequency="0.75" out="on"/>
  <two id="t" u="u" y="y"/>
  <sampled id="a" u="u" y="z" enable="on" states="reset"/>
  <simulation duration="3" step="0.01" method="rk4"/>
  <record signals="y z"/>
</model>
END
agrees sets.xml 0
finish

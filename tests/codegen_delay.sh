#!/bin/sh
# SPDX-License-Identifier: MIT
# linnet codegen of delays: rings of samples give what the simulation gives that lets events act at steps; delays between
# samples, varying delays, delay() in equations, transmission lines; what has no bound is refused by name.
. "${srcdir:-.}/tests/shell.sh"
. "$srcdir/tests/codegen_kit.sh"
have_compiler || { echo "no C compiler here"; exit 77; }
RUN_OPTIONS="--newton exact --events at-steps"

# a loop with dead time, against its closed form, too (1e-6: an edge of the slope lies within what is interpolated)
for method in euler heun rk4 backward-euler crank-nicolson; do
    agrees "$examples/signal/delayed-loop.xml" 1e-12 --method $method
done
generate "$examples/signal/delayed-loop.xml" --method rk4
gen/main | awk -F, 'function after(d) { return $1 > d ? $1 - d : 0 }
    FNR > 1 { d = $3 - (2 * after(0.3) - 2 * after(0.6) ^ 2 + 8 * after(0.9) ^ 3 / 6 - 16 * after(1.2) ^ 4 / 24)
        if (d > 1e-6 || d < -1e-6) bad++ } END { exit bad > 0 || NR < 1000 }' ||
    fail "the loop with dead time leaves its closed form"

# between samples, in an equation, with an input before the start, of a time that a signal gives, and in a loop
cat > pasts.xml << 'END'
<model name="pasts" xmlns="urn:linnet:model:1">
  <block-type name="echo"><input name="u"/><output name="y"/><parameter name="T" unit="s"/>
    <equation>y = u + 0.5*delay(u, T)</equation></block-type>
  <sine id="s" out="u" amplitude="1" frequency="1 Hz"/>
  <transport-delay id="between" in="u" out="a" delay="73.7 ms" initial="-2"/>
  <echo id="E" u="u" y="b" T="123 ms"/>
  <sine id="w" out="lag" amplitude="0.1" offset="0.25" frequency="0.4 Hz"/>
  <variable-delay id="moving" in="u" lag="lag" out="c" longest="0.4 s"/>
  <sum id="e" in="u d" signs="+-" out="err"/>
  <transfer-function id="plant" in="err" out="y" numerator="2" denominator="0.1 1"/>
  <transport-delay id="back" in="y" out="d" delay="50 ms"/>
  <simulation duration="2 s" step="5 ms" method="rk4"/>
  <record signals="a b c y d"/>
</model>
END
for method in euler rk4 backward-euler; do
    agrees pasts.xml 1e-11 --method $method
done
CODEGEN_OPTIONS="--float" RUN_OPTIONS="--events at-steps" agrees pasts.xml 1e-4

# a signal comes back only after its delay, with what lay before the start until then
gen/main -o pasts.csv
awk -F, '$1 > 0.001 && $1 < 0.07 && $2 != -2 { bad = 1 } $1 > 0.08 && $2 < -1.1 { bad = 1 } END { exit bad }' pasts.csv ||
    fail "the value before the start"

# steps longer than the ring was made for are no trouble, shorter ones are told; a step that fails leaves the past alone
cat > short.c << 'END'
#include "gen/gen.h"
#include <stdio.h>
int main(void) {
    static gen_t m;
    gen_init(&m, GEN_STEP / 10);
    int status = GEN_OK;
    for (int k = 0; k < 2000 && status == GEN_OK; k++) status = gen_step(&m);
    printf("%d\n", status == GEN_NOT_FINITE);
    return 0;
}
END
generate pasts.xml --method rk4
$CC -std=c99 -I. -o short short.c gen/gen.c -lm && [ "$(./short)" = 1 ] || fail "a past that is too long for its ring"

# transmission lines, lossless and lossy, in circuits and in water
cat > line.xml << 'END'
<model name="line" xmlns="urn:linnet:model:1">
  <ground id="g" p="0"/>
  <pulse-voltage id="V" p="in" n="0" low="0" high="5 V" delay="20 ns" rise="5 ns" width="200 ns" fall="5 ns" period="1 us"/>
  <resistor id="Rs" p="in" n="a" R="25 Ohm"/>
  <transmission-line id="T" p1="a" n1="0" p2="b" n2="0" Z0="50 Ohm" TD="33.3 ns"/>
  <resistor id="RL" p="b" n="0" R="200 Ohm"/> <diode id="D" p="b" n="c"/> <resistor id="RC" p="c" n="0" R="100 Ohm"/>
  <capacitor id="C" p="c" n="0" C="100 pF"/>
  <simulation duration="400 ns" step="1 ns" method="crank-nicolson"/>
  <record signals="a b c"/>
</model>
END
for method in backward-euler crank-nicolson; do
    agrees line.xml 1e-10 --method $method
done
for name in hydraulic/water-hammer rotational/flexible-shaft; do
    step=$(sed -n 's/.*<simulation[^>]* step="\([^"]*\)".*/\1/p' "$examples/$name.xml")
    agrees "$examples/$name.xml" 1e-10 --method backward-euler --step "${step:-1ms}"
done

# as an FMU: for co-simulation alone, in its own steps
if command -v unzip > out; then
    expect 0 "$LINNET" export pasts.xml -o pasts.fmu
    says err "co-simulation, binary"
    expect 0 "$LINNET" run pasts.fmu --duration 1 --step 5ms -q -o fmu.csv
    expect 0 "$LINNET" run pasts.xml --duration 1 --events at-steps -q -o run.csv
    SIDE=
    same run.csv fmu.csv 1e-11 > out || fail "delays in an FMU: $(head -n 3 out)"
fi

# refused by name
printf '%s\n' '<model name="m" xmlns="urn:linnet:model:1"><step id="s" out="u"/><integrator id="I" in="y" out="x"/>' \
    '<transport-delay id="pipe" in="u" out="y" delay="1 ms"/><simulation duration="1" step="2 ms" method="rk4"/></model>' > short.xml
expect 3 "$LINNET" codegen short.xml -o none
says err "pipe (transport-delay)" "shorter than the step"
expect 3 "$LINNET" codegen pasts.xml -o none --language python
says err "between (transport-delay)" "Python keeps no past"
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# linnet codegen of delays: rings of samples give what the simulation gives that lets events act at steps; delays between
# samples, varying delays, delay() in equations, transmission lines; what has no bound is refused by name. Rates of signals,
# and what waits for a signal to turn: backlash, extrema.
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

# how fast signals change: what waits for a turn turns in the same step, to the last bit
cat > turns.xml << 'END'
<model name="turns" xmlns="urn:linnet:model:1">
  <block-type name="peak">
    <input name="in"/><output name="out"/><output name="slope"/><memory name="peak" start="0"/><memory name="s" start="0"/>
    <equation>out = peak</equation> <equation>slope = s</equation>
    <when condition="rate(in) lt 0"><set name="peak" value="in"/></when>
    <when condition="sample(0.05)"><set name="s" value="rate(in)"/></when>
    <when condition="rate(in) gt 5"><set name="peak" value="rate(in) + 2*in"/></when>
  </block-type>
  <sine id="s" out="u" amplitude="1" frequency="1 Hz"/> <sine id="s2" out="u2" amplitude="0.4" frequency="3.3 Hz"/>
  <sum id="sum" in="u u2" signs="++" out="v"/>
  <backlash id="b" in="v" out="y" width="0.3"/>
  <extrema id="e" in="v" low="lo" high="hi" low_time="lt" high_time="ht"/>
  <transfer-function id="f" in="y" out="z" numerator="1" denominator="0.1 1"/>
  <pulse id="p" out="q" high="1" period="0.37 s" width="0.2 s"/>
  <sum id="jumps" in="z q" signs="++" out="zz"/> <backlash id="b2" in="zz" out="yy" width="0.5"/>
  <zero-order-hold id="h" in="u" out="held" period="70 ms"/>
  <peak id="P" in="v" out="top" slope="r"/> <peak id="H" in="held" out="step" slope="rs"/>
  <simulation duration="5" step="0.01" method="rk4"/>
  <record signals="v y lo hi lt ht z yy top r step rs"/>
</model>
END
for method in euler rk4; do
    agrees turns.xml 1e-14 --method $method
done
awk -F, '$1 > 4.5 { n += $5 > 1.36819 && $5 < 1.3682 } END { exit n < 40 }' gen/code.csv || fail "the extrema"
generate turns.xml --float # sees turns where the difference of floats tells them
gen/main > floats.csv || fail "rates in float: $(tail -n 1 floats.csv)"
cat > turning-circuit.xml << 'END'
<model name="turning circuit" xmlns="urn:linnet:model:1">
  <ground id="g" p="0"/>
  <sine-voltage id="V" p="a" n="0" amplitude="5 V" frequency="1 Hz"/> <resistor id="R" p="a" n="b" R="100 Ohm"/>
  <sine-voltage id="V2" p="c" n="0" amplitude="2 V" frequency="2.71 Hz"/> <resistor id="R2" p="c" n="b" R="70 Ohm"/>
  <capacitor id="C" p="b" n="0" C="300 uF"/> <diode id="D" p="b" n="d"/> <resistor id="R3" p="d" n="0" R="1 kOhm"/>
  <voltage-sensor id="m" p="b" n="0" out="v"/>
  <extrema id="e" in="v" low="lo" high="hi" low_time="lt" high_time="ht"/>
  <simulation duration="5" step="0.01" method="crank-nicolson"/>
  <record signals="v lo hi lt ht"/>
</model>
END
for method in backward-euler crank-nicolson; do
    agrees turning-circuit.xml 1e-12 --method $method
done

# Play in a loop: where its input turns, the edge that has pushed stands at the output, and rounding decides nothing
cat > play.xml << 'END'
<model name="play" xmlns="urn:linnet:model:1">
  <step id="r" out="r" delay="0.9046"/>
  <sum id="e" in="r y" signs="+-" out="e"/>
  <gain id="b0" in="e" out="x0" k="3.707"/>
  <backlash id="b1" in="x0" out="x1" width="0.2547"/>
  <first-order id="b2" in="x1" out="x2" T="0.1014"/>
  <first-order id="plant" in="x2" out="y" T="0.5697"/>
  <simulation duration="2.5" step="1.266 ms"/>
  <record signals="e x0 x1 x2 y"/>
</model>
END
for method in euler rk4 backward-euler crank-nicolson; do
    agrees play.xml 1e-12 --method $method
done

# A rate limiter: what turns steep, jumps and rests, and its own output around it
cat > limits.xml << 'END'
<model name="limits" xmlns="urn:linnet:model:1">
  <sine id="s" out="u" amplitude="1" frequency="1 Hz"/> <rate-limiter id="l" in="u" out="y" rising="4" falling="-3"/>
  <zero-order-hold id="h" in="u" out="held" period="70 ms"/> <rate-limiter id="lh" in="held" out="yh" rising="4" falling="-3"/>
  <pulse id="p" out="q" high="1" period="0.37 s" width="0.2 s"/> <rate-limiter id="lq" in="q" out="yq" rising="9" begins="1" y0="-1"/>
  <sum id="e" in="q x" signs="+-" out="e"/> <transfer-function id="c" in="e" out="v" numerator="6 8" denominator="0.05 1"/>
  <rate-limiter id="r" in="v" out="w" rising="40" falling="-30"/>
  <transfer-function id="plant" in="w" out="x" numerator="1" denominator="1 1 0"/>
  <simulation duration="3" step="0.01" method="rk4"/>
  <record signals="u y held yh q yq v w x"/>
</model>
END
for method in euler rk4; do
    agrees limits.xml 1e-12 --method $method
done
# stairs in a loop, which a line meets just as the rate seen across the jump is too steep the other way
cat > stairs.xml << 'END'
<model name="stairs" xmlns="urn:linnet:model:1">
  <sine id="r" out="r" frequency="0.356"/> <sum id="e" in="r y" signs="+-" out="e"/>
  <pid id="b0" in="e" out="x0" kp="0.6629" ki="0.4053" min="-10" max="10"/> <unit-delay id="b1" in="x0" out="x1" period="0.1689"/>
  <rate-limiter id="b2" in="x1" out="x2" rising="1.314"/> <first-order id="b3" in="x2" out="x3" T="0.04197"/>
  <zero-order-hold id="b4" in="x3" out="x4" period="0.0291"/> <first-order id="plant" in="x4" out="y" T="0.168"/>
  <simulation duration="12.8" step="2.56e-3" method="rk4"/> <record signals="e x0 x1 x2 x3 x4 y"/>
</model>
END
agrees stairs.xml 1e-9

# What jumps and acts through a delay alone turns no rate: Crank-Nicolson goes on undamped, as the simulation does.
cat > held-delay.xml << 'END'
<model name="held delay" xmlns="urn:linnet:model:1">
  <sine id="r" out="r" frequency="1.06 Hz"/> <sum id="e" in="r y" signs="+-" out="e"/> <max id="b0" in="e r" out="x0"/>
  <transport-delay id="b1" in="x0" out="x1" delay="95.8 ms"/> <zero-order-hold id="b2" in="x1" out="x2" period="81.22 ms"/>
  <first-order id="b3" in="x2" out="x3" T="0.1744 s"/> <quantizer id="b4" in="x3" out="x4" step="0.07"/>
  <transport-delay id="b5" in="x4" out="x5" delay="53 ms"/> <first-order id="plant" in="x5" out="y" T="0.858 s"/>
  <simulation duration="4" step="1.694 ms" method="crank-nicolson"/>
  <record signals="e x0 x1 x2 x3 x4 y"/>
</model>
END
agrees held-delay.xml 1e-11

# Delays shorter than a step: its end takes part as a node, and a loop through one is solved with it; before an edge of the
# start comes back in the first half of a step, and behind it; one that varies through the length of a step. In the closed
# form of what passes through nothing but a delay, 1e-9 is what six samples of a sine leave.
cat > near.xml << 'END'
<model name="near" xmlns="urn:linnet:model:1">
  <block-type name="echo"><input name="u"/><output name="y"/><parameter name="T" unit="s"/>
    <equation>y = u + 0.5*delay(y, T)</equation></block-type>
  <sine id="s" out="u" amplitude="1" frequency="1 Hz" phase="30 deg"/>
  <transport-delay id="between" in="u" out="a" delay="3.7 ms" initial="-2"/>
  <echo id="E" u="u" y="b" T="4.1 ms"/>
  <sine id="w" out="lag" amplitude="7 ms" offset="7.5 ms" frequency="0.4 Hz"/>
  <variable-delay id="moving" in="u" lag="lag" out="c" longest="40 ms"/>
  <sum id="e" in="u d" signs="+-" out="err"/>
  <transfer-function id="plant" in="err" out="y" numerator="2" denominator="0.1 1"/>
  <transport-delay id="back" in="y" out="d" delay="1.3 ms"/>
  <sum id="e2" in="u d2" signs="+-" out="err2"/>
  <gain id="g2" in="err2" out="y2" k="0.3"/>
  <transport-delay id="back2" in="y2" out="d2" delay="1.3 ms"/>
  <simulation duration="1 s" step="5 ms" method="rk4"/>
  <record signals="a b c y d y2"/>
</model>
END
for method in euler heun rk4 backward-euler crank-nicolson; do
    agrees near.xml 1e-12 --method $method
done
gen/main | awk -F, 'FNR > 1 && $1 > 0.05 { d = $2 - sin(6.283185307179586 * ($1 - 3.7e-3 + 1/12)); if (d > 1e-9 || d < -1e-9) bad++ }
    END { exit bad > 0 || NR < 190 }' || fail "a signal 3.7 ms ago, in steps of 5 ms"
cat > ctl.xml << 'END'
<model name="ctl" xmlns="urn:linnet:model:1">
  <ground id="g" p="0"/>
  <signal-voltage id="V" p="in" n="0" in="u"/>
  <resistor id="R" p="in" n="out" R="1 kOhm"/> <capacitor id="C" p="out" n="0" C="1 uF"/>
  <voltage-sensor id="m" p="out" n="0" out="y"/>
  <sine id="w" out="lag" amplitude="70 us" offset="75 us" frequency="40 Hz"/>
  <variable-delay id="moving" in="y" lag="lag" out="yd" longest="1 ms"/>
  <step id="r" out="r" delay="3 ms" height="1"/>
  <sum id="e" in="r yd" signs="+-" out="e"/>
  <pid id="pid" in="e" out="u0" kp="2" ki="400"/>
  <transport-delay id="act" in="u0" out="u" delay="60 us"/>
  <simulation duration="50 ms" step="0.1 ms" method="crank-nicolson"/>
  <record signals="out u yd"/>
</model>
END
for method in backward-euler crank-nicolson; do
    agrees ctl.xml 1e-12 --method $method
    for time in 0.3 0.6; do
        sed "s/TD=\"33.3 ns\"/TD=\"$time ns\"/" line.xml > near-line.xml
        agrees near-line.xml 1e-12 --method $method
    done
done

# refused by name
printf '%s\n' '<model name="m" xmlns="urn:linnet:model:1"><sine id="s" out="u" frequency="1 Hz"/><block-type name="ago"><input name="u"/>' \
    '<input name="T"/><output name="y"/><equation>y = delay(u, T)</equation></block-type><ago id="A" u="u" T="u" y="y"/>' \
    '<simulation duration="1" step="2 ms" method="rk4"/></model>' > endless.xml
expect 3 "$LINNET" codegen endless.xml -o none
says err "A (ago)" "varies without a bound" "longest"
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# linnet codegen of circuits with devices in C: every type of them beside the simulation, step by step; a converter with its
# sampled controller in one step function; steps that are divided; heat that generated code cannot follow is refused.
. "${srcdir:-.}/tests/shell.sh"
. "$srcdir/tests/codegen_kit.sh"
have_compiler || { echo "no C compiler here"; exit 77; }
RUN_OPTIONS="--newton exact --events at-steps"

agrees "$examples/electrical/half-wave-rectifier.xml" 1e-12 --method backward-euler --step 50us
agrees "$examples/electrical/zener-regulator.xml" 1e-12 --method crank-nicolson --step 50us

cat > devices.xml << 'END'
<model name="every device" xmlns="urn:linnet:model:1">
  <ground id="g" p="0"/>
  <voltage-source id="VCC" p="vcc" n="0" V="12 V"/>
  <sine-voltage id="V1" p="in" n="0" amplitude="0.5 V" frequency="1 kHz"/>
  <capacitor id="Cin" p="in" n="b" C="1 uF"/>
  <resistor id="R1" p="vcc" n="b" R="100 kOhm"/> <resistor id="R2" p="b" n="0" R="20 kOhm"/>
  <resistor id="RC" p="vcc" n="c" R="4.7 kOhm"/> <resistor id="RE" p="e" n="0" R="1 kOhm"/>
  <bjt id="Q1" c="c" b="b" e="e" type="npn" IS="1e-15" BF="200" VAF="100 V" IKF="20 mA" RB="100 Ohm" RE="1 Ohm" RC="5 Ohm"
       CJE="8 pF" CJC="4 pF" TF="0.4 ns"/>
  <bjt id="Q2" c="0" b="c" e="f" type="pnp" IS="1e-15" BF="100" CJE="8 pF" CJC="4 pF" TF="0.4 ns"/>
  <resistor id="RF" p="vcc" n="f" R="2.2 kOhm"/>
  <mosfet id="M1" d="d" g="c" s="s" b="0" type="nmos" L="2 um" W="100 um" VTO="0.7 V" KP="60e-6" GAMMA="0.4" LAMBDA="0.02"
          TOX="40 nm" CGSO="3e-10" CGDO="3e-10" RD="50 Ohm" RS="50 Ohm" CBD="20 fF" CBS="20 fF"/>
  <resistor id="RD" p="vcc" n="d" R="1 kOhm"/> <resistor id="RS" p="s" n="0" R="1 kOhm"/>
  <mosfet id="M3" d="d3" g="d" s="vcc" b="vcc" type="pmos" LEVEL="3" L="2 um" W="100 um" VTO="-0.7 V" KP="30e-6" TOX="40 nm"
          NSUB="1e16" THETA="0.05" VMAX="1e5" ETA="0.1"/>
  <resistor id="RD3" p="d3" n="0" R="10 kOhm"/>
  <mosfet id="M2" d="d2" g="d" s="0" b="0" type="nmos" LEVEL="2" L="2 um" W="100 um" VTO="0.7 V" KP="30e-6" TOX="40 nm"
          NSUB="1e16" UCRIT="1e4" UEXP="0.1" VMAX="5e4"/>
  <resistor id="RD2" p="vcc" n="d2" R="10 kOhm"/>
  <jfet id="J1" d="dj" g="in" s="sj" type="njf" VTO="-2 V" BETA="1e-3" LAMBDA="0.01" RD="10 Ohm" RS="10 Ohm" CGS="4 pF"
        CGD="2 pF"/>
  <resistor id="RDJ" p="vcc" n="dj" R="1 kOhm"/> <resistor id="RSJ" p="sj" n="0" R="470 Ohm"/>
  <zener-diode id="Z1" p="0" n="z" Bv="5.1 V"/> <resistor id="RZ" p="vcc" n="z" R="1 kOhm"/>
  <spice-diode id="D1" p="dj" n="sd" IS="2.5 nA" RS="0.6 Ohm" N="1.75" TT="4 ns" CJO="4 pF" BV="100 V"/>
  <resistor id="RSD" p="sd" n="0" R="10 kOhm"/>
  <diode id="D2" p="in" n="o2"/> <resistor id="RO2" p="o2" n="0" R="10 kOhm"/>
  <simulation duration="0.6 ms" step="1 us" method="crank-nicolson" start="operating-point"/>
  <record signals="b c e f d s d2 d3 dj sj z sd o2 Q1.c.i M1.d.i"/>
</model>
END
agrees devices.xml 1e-12

# every device is taken along once, and nothing that is not used (-Wall tells)
CC_CLANG=$(command -v clang) && CC=$CC_CLANG generate devices.xml

# under the sanitizers of this compiler, if it has them
sane() {
    printf 'int main(void) { return 0; }\n' > none.c
    $CC -fsanitize=address,undefined -o none none.c 2> out && ./none || return 0
    $CC -std=c99 -fsanitize=address,undefined -fno-sanitize-recover=undefined -o gen/sane gen/gen.c gen/gen_main.c -lm &&
        gen/sane -t "$1" > sane.csv 2> err || fail "sanitizers: $(head -n 5 err)"
}
sane 1e-4

# a deck, whose columns bear the names it gives
cat > amp.cir << 'END'
* common emitter
V1 vcc 0 12
VIN in 0 SIN(0 0.01 1k)
C1 in b 10u
R1 vcc b 47k
R2 b 0 10k
RC vcc c 4.7k
RE e 0 1k
CE e 0 100u
Q1 c b e QN
D1 c o DX
RL o 0 10k
D2 c s DS
RS s 0 20k
.model QN NPN(BF=200 IS=1e-15 VAF=100 CJE=8p CJC=4p TF=0.4n)
.model DX D(IS=1e-14 CJO=4p RS=1)
.model DS D(IS=1e-14 RS=100)
.tran 1u 1m
.print tran v(c) v(o) v(s) i(V1)
.end
END
agrees amp.cir 1e-11 --method crank-nicolson --step 1us

# a bridge whose load hangs on 2 MOhm, beside which its capacitor counts for 200 S and 2000 S: elimination in node voltages
# loses what ties it to ground, and Newton's method finds no end. The reference is radau5's.
cat > bridge.cir << 'END'
floating bridge
.model dd D(is=76.9p rs=42m n=1.45 cjo=26.5p m=0.333 bv=1000 ibv=5u)
V1 inp inn SIN(0 20 50)
D1 inp outp dd
D2 outn inp dd
D3 inn outp dd
D4 outn inn dd
C1 outp outn 100u
R1 outp outn 1k
R2 inn 0 1meg
R3 outn 0 1meg
.tran 1u 20m
.print tran v(outp,outn) v(outn)
.end
END
"$LINNET" run bridge.cir --method radau5 --tolerance 1e-8 -q -o exact.csv
for step in 1us 100ns; do
    generate bridge.cir --method crank-nicolson --step $step && gen/main -o code.csv || fail "the bridge stops"
    tail -q -n 1 exact.csv code.csv | awk -F, '{ for (k = 2; k <= 3; k++) v[NR, k] = $k }
        function off(k) { d = v[1, k] / v[2, k] - 1; return d < 0 ? -d : d }
        END { exit off(2) > 1e-7 || off(3) > 2e-5 }' ||
        fail "the bridge at $step: $(tail -q -n 1 exact.csv code.csv)"
done

# names that end comments, are words of C, or are those of the code itself
cat > hostile.xml << 'END'
<model name="evil */ #error &quot; \&#10; int" xmlns="urn:linnet:model:1">
  <ground id="g" p="0"/>
  <sine-voltage id="int" p="double" n="0" amplitude="5 V" frequency="50 Hz"/>
  <resistor id="for" p="double" n="flows" R="1 Ohm"/>
  <diode id="moved" p="flows" n="signals"/>
  <diode id="ln_flow" p="signals" n="update"/>
  <capacitor id="C-1" p="update" n="0" C="1 uF"/>
  <resistor id="states" p="update" n="0" R="1 kOhm"/>
  <simulation duration="10 ms" step="10 us" method="backward-euler"/>
  <record signals="*"/>
</model>
END
agrees hostile.xml 1e-12

# a buck converter, its diode, its switch and its sampled controller
cat > chopper.xml << 'END'
<model name="chopper" xmlns="urn:linnet:model:1">
  <ground id="g" p="0"/>
  <voltage-source id="V1" p="vin" n="0" V="24 V"/>
  <ideal-switch id="S" p="vin" n="sw" in="pwm"/>
  <diode id="D" p="0" n="sw" Is="1e-12 A"/>
  <inductor id="L" p="sw" n="out" L="100 uH"/>
  <capacitor id="C" p="out" n="0" C="100 uF"/>
  <resistor id="R" p="out" n="0" R="5 Ohm"/>
  <voltage-sensor id="sense" p="out" n="0" out="v"/>
  <constant id="ref" out="r" value="12"/>
  <sum id="err" in="r v" signs="+-" out="e"/>
  <discrete-pid id="ctl" in="e" out="u" kp="0.02" ki="20" period="50 us"/>
  <saturation id="lim" in="u" out="duty" min="0.02" max="0.95"/>
  <sawtooth id="saw" out="carrier" frequency="20 kHz"/>
  <function id="mod" in="duty carrier" out="pwm" expression="if(u1 gt u2, 1, 0)"/>
  <simulation duration="1 ms" step="0.5 us" method="crank-nicolson"/>
  <record signals="out L.i pwm duty"/>
</model>
END
for method in backward-euler crank-nicolson; do
    agrees chopper.xml 1e-11 --method $method
done
sane 2e-4
awk -F, '$2 > 8 { up = 1 } END { exit !up }' gen/code.csv || fail "the converter does not reach its voltage"

# the same as an FMU: what happens between steps happens in it, too
if command -v unzip > out; then
    expect 0 "$LINNET" export chopper.xml --method backward-euler -o chopper.fmu -q
    expect 0 "$LINNET" run chopper.fmu --duration 0.5ms --step 0.5us -q -o fmu.csv
    expect 0 "$LINNET" run chopper.xml --method backward-euler --duration 0.5ms $RUN_OPTIONS -q -o run.csv
    SIDE=
    sed '1s/L_i/L.i/' fmu.csv > code.csv
    same run.csv code.csv 1e-11 > out || fail "the converter as an FMU: $(head -n 3 out)"
fi

# devices that float between linear parts: Newton's method goes over their own voltages, one for a diode, as in C by hand;
# their tolerance is that of the junction, however high the potentials, and of charges, too
printf '%s\n' '<model name="m" xmlns="urn:linnet:model:1"><ground id="g" p="0"/>' \
    '<sine-voltage id="V" p="in" n="0" amplitude="1 kV" frequency="50 Hz"/><resistor id="Ri" p="in" n="a" R="1 Ohm"/>' \
    '<diode id="D" p="a" n="b" Is="1e-12 A"/><resistor id="Rs" p="b" n="c" R="2 Ohm"/>' \
    '<spice-diode id="Z" p="c" n="d" IS="1e-14 A" CJO="2 nF" TT="10 ns"/><spice-diode id="Y" p="c" n="e" IS="1e-15 A" CJO="1 nF"/>' \
    '<resistor id="Ry" p="e" n="d" R="10 kOhm"/>' \
    '<capacitor id="C" p="d" n="0" C="10 uF"/><resistor id="R" p="d" n="0" R="10 kOhm"/>' \
    '<simulation duration="20 ms" step="20 us"/><record signals="a b d D.i Z.i Y.i"/></model>' > floats.xml
for method in backward-euler crank-nicolson; do
    agrees floats.xml 1e-11 --method $method
    grep -Eq 'next->b_above_a|next->a_above_b' gen/gen.c || fail "the diode's voltage is not iterated on by $method"
    [ "$(grep -c 'next->[a-z_]* =' gen/gen.c)" -lt 8 ] || fail "potentials are iterated on by $method"
done
expect 0 "$LINNET" codegen "$examples/electrical/half-wave-rectifier.xml" --method crank-nicolson --name gen -o counted
operations=$(sed -n 's/^[^;]*iterations of \([0-9]*\) operations.*/\1/p' err)
[ "${operations:-99}" -le 15 ] || fail "an iteration of the rectifier takes $operations operations"

# From an operating point, which lies before the start: a pulse that rises in the first half of the first step acts at its begin.
agrees "$srcdir/tests/spice/boost-converter.cir" 1e-11 --method backward-euler --step 100ns
# A multivibrator that flips within a step: Newton's method finds no solution of it, and code and simulation divide it alike;
# junctions are limited anew from where a part begins. Parts towards the flip are many.
agrees "$srcdir/tests/spice/start-multivibrator.cir" 1e-9 --method crank-nicolson --step 1us
grep -q "in_parts(model" gen/gen.c || fail "a step with transistors that is not divided"
grep -A2 noinline gen/gen.c | grep -q " in_parts(" || fail "its parts are inlined, which takes time of the step"
# However rounding falls, each step ends within what is promised, and so does the flip.
expect 0 "$LINNET" codegen "$srcdir/tests/spice/start-multivibrator.cir" --method crank-nicolson --step 1us --name gen -o gen
whole=$(sed -n 's/.* a step takes .*, and at most \([0-9]*\) iterations.* devices are .*/\1/p' err)
parts=$(sed -n 's/.* divided, at most \([0-9]*\) parts are tried, each with at most \([0-9]*\) iterations.*/\1*\2/p' err)
{
    sed 's/^static inline void update(const at_t.*{$/static long updates;\n&\n    updates++;/' gen/gen.c
    cat << 'END'
#include <stdio.h>
    int main(void) {
        static gen_t m;
        long most = 0;
        gen_init(&m);
        while (m.time < 600e-6) {
            updates = 0;
            if (gen_step(&m) != GEN_OK) return 1;
            if (updates > most) most = updates;
        }
        printf("%ld %.4f\n", most, *(double *)(void *)&m.outputs);
        return 0;
    }
END
} > bounded.c
for flags in "-O0" "-O2 -ffp-contract=off" "-O3 -ffp-contract=fast" "-O2 -ffast-math -fno-finite-math-only"; do
    # shellcheck disable=SC2086
    $CC $flags -Igen -o bounded bounded.c -lm 2> err || { fail "$flags: $(head -n 3 err)"; continue; }
    read -r most end << END
$(./bounded)
END
    [ "${most:-999999}" -le $((${whole:-0} + ${parts:-0})) ] && [ "$end" = 4.9969 ] ||
        fail "with $flags $most iterations, $whole + $parts are promised; it ends at $end"
done
generate "$srcdir/tests/spice/schmitt-trigger.cir" --method backward-euler --step 100ns
gen/main -o flips.csv 2> err || fail "a trigger that flips within a step: $(cat err)"

# Ideal diodes in float: a conducting one's current is what its ends differ by, 1e-5 of an ulp of them. Their network is solved in
# double, which is told, and double gives the same but for what is kept in seven digits: at 40 V a current was 0.38 A or none, so
# that a boost converter stopped after 0.5 ms (EVENTS_UNSETTLED), and a six-pulse rectifier of such diodes at its start.
printf '%s\n' '<model name="boost" xmlns="urn:linnet:model:1"><ground id="g" p="0"/><voltage-source id="V" p="in" n="0" V="12 V"/>' \
    '<inductor id="L" p="in" n="sw" L="100 uH"/><square id="G" out="gate" frequency="100 kHz" amplitude="0.5" offset="0.5"/>' \
    '<ideal-switch id="S" p="sw" n="0" in="gate"/><ideal-diode id="D" p="sw" n="out"/>' \
    '<capacitor id="C" p="out" n="0" C="47 uF"/><resistor id="R" p="out" n="0" R="24 Ohm"/>' \
    '<simulation duration="0.1 ms" step="0.1 us" method="backward-euler"/><record signals="out"/></model>' > ideal.xml
{
    echo "<model xmlns='urn:linnet:model:1'><ground id='gnd' p='0'/>"
    for phase in a/0 b/-120 c/-240; do
        x=${phase%/*}
        echo "<sine-voltage id='V$x' p='$x' n='0' amplitude='325' frequency='50' phase='${phase#*/}*pi/180'/>"
        echo "<inductor id='L$x' p='$x' n='${x}1' L='0.2 mH'/><ideal-diode id='DP$x' p='${x}1' n='p' Goff='1e-6' Vknee='0.7'/>"
        echo "<ideal-diode id='DN$x' p='n' n='${x}1' Goff='1e-6' Vknee='0.7'/>"
    done
    echo "<inductor id='L1' p='p' n='q' L='2 mH'/><capacitor id='C1' p='q' n='n' C='1 mF'/><resistor id='R1' p='q' n='n' R='20'/>"
    echo "<resistor id='RN' p='n' n='0' R='1 MOhm'/><simulation duration='30 ms' step='20 us' method='backward-euler'/>"
    echo "<record signals='C1.v L1.i'/></model>"
} > six.xml
for model in ideal six; do
    for method in backward-euler crank-nicolson; do
        generate $model.xml --float --method $method || continue
        grep -q "solved in double" gen/README.md || fail "$model in float: the README does not tell what is double"
        gen/main -o float.csv 2> err || { fail "$model in float by $method stopped: $(cat err)"; continue; }
        generate $model.xml --method $method && gen/main -o double.csv
        paste -d, float.csv double.csv | awk -F, 'function size(x) { return x < 0 ? -x : x }
            NR > 1 { for (k = 2; k <= NF/2; k++) { d = size($k - $(k + NF/2)); if (d > apart[k]) apart[k] = d
                if (size($k) > peak[k]) peak[k] = size($k) } }
            END { for (k in peak) bad += apart[k] > 1e-4 * peak[k]; exit bad > 0 || NR < 1000 }' ||
            fail "$model in float by $method: $(tail -n 1 float.csv), in double $(tail -n 1 double.csv)"
    done
done
generate "$examples/electrical/zener-regulator.xml" --float --method crank-nicolson --step 1ms # what is known before an instant is double, in its noise, too
expect 0 "$LINNET" codegen six.xml --float --name gen -o counted && says err "solved in double"
expect 0 "$LINNET" codegen "$examples/electrical/half-wave-rectifier.xml" --float --name gen -o counted
grep -q "in double" err && fail "junctions are told to be ideal diodes"

# the bound on iterations is told; float; a temperature from a link is refused
printf '%s\n' '<model name="m" xmlns="urn:linnet:model:1"><ground id="g" p="0"/>' \
    '<voltage-source id="V" p="a" n="0" V="5 V"/><resistor id="R" p="a" n="b" R="100 Ohm"/>' \
    '<diode id="D" p="b" n="0" Is="1e-12 A"/><simulation duration="1 ms" step="1 us" method="backward-euler"/>' \
    '<record signals="b"/></model>' > one.xml
agrees one.xml 1e-13
expect 0 "$LINNET" codegen one.xml --name gen -o counted
says err "at most 50 iterations of" "1 device is evaluated at most 50 times"
if generate one.xml --float 2>&1; then :; else fail "devices in float do not compile"; fi
gen/main -o float.csv && awk -F, 'END { exit !($2 > 0.63 && $2 < 0.65) }' float.csv || awk -F, 'END { print $2 }' float.csv

sed 's/Is="1e-12 A"/Is="1e-12 A"/; s|<diode [^>]*/>|<spice-diode id="D" p="b" n="0" heat="case"/><heat-capacity id="H" p="case" C="1 J/K" T0="300 K"/>|' \
    one.xml > warm.xml
expect 3 "$LINNET" codegen warm.xml -o none
says err "D (spice-diode)" "leave the port heat open"
finish

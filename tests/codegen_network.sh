#!/bin/sh
# SPDX-License-Identifier: MIT
# linnet codegen of physical networks: backward Euler and Crank-Nicolson with the elimination written out do what the
# simulation does, whose Newton goes on to rounding; nonlinear parts, sources with edges, a controller and inputs included.
. "${srcdir:-.}/tests/shell.sh"
. "$srcdir/tests/codegen_kit.sh"
have_compiler || { echo "no C compiler here"; exit 77; }
RUN_OPTIONS="--newton exact --events at-steps"

for name in electrical/rc-ladder electrical/rlc-filter electrical/sallen-key-filter hydraulic/torricelli \
    magnetic/two-reluctances mixed/rack-drive electrical/lc-tank; do
    step=$(sed -n 's/.*<simulation[^>]* step="\([^"]*\)".*/\1/p' "$examples/$name.xml")
    duration=$(sed -n 's/.*<simulation[^>]* duration="\([^"]*\)".*/\1/p' "$examples/$name.xml")
    for method in backward-euler crank-nicolson; do
        agrees "$examples/$name.xml" 1e-12 --method $method --step "${step:-($duration)/1000}"
    done
done

# a motor and its PI controller in one step function; the set point comes from outside
cat > drive.xml << 'END'
<model name="drive" xmlns="urn:linnet:model:1">
  <external-input id="set" out="r" value="1"/>
  <sum id="difference" in="r w" signs="+-" out="e"/>
  <integrator id="I" in="e" out="i" k="20"/> <gain id="P" in="e" out="p" k="5"/>
  <sum id="u" in="p i" signs="++" out="v"/>
  <signal-voltage id="supply" in="v" p="a" n="0"/> <ground id="g" p="0"/>
  <resistor id="R" p="a" n="b" R="1 Ohm"/> <inductor id="L" p="b" n="c" L="5 mH"/>
  <motor-constant id="M" p="c" n="0" shaft="s" k="0.1"/>
  <inertia id="J" p="s" J="1e-3 kg.m^2"/>
  <speed-sensor id="sense" p="s" out="w"/>
  <simulation duration="0.5" step="1 ms" method="crank-nicolson"/>
  <record signals="w v R.i R.P"/>
</model>
END
agrees drive.xml 1e-11
printf 'time,r\n0,1\n0.3,2\n' > inputs.csv
gen/main -i inputs.csv > stepped.csv
awk -F, '$1 == 0.3 { before = $2 } END { exit !($2 > before + 0.1) }' stepped.csv || fail "the input does nothing"

# what happens acts between steps: samples, switches, stops, a thermostat
# (The room also from 20 degC with its heater's power, which the controller makes from a temperature, 8000 W of a K: on
# the long way from 10 degC the temperature comes to differ by 2e-14 of itself, the power by 3e-11. Both ways, the code's
# and the simulation's, are then equally far from the same code in long double.)
sed 's/T0="10 degC"/T0="20 degC"/' "$examples/mixed/heated-room.xml" > warm-room.xml
sed 's/signals="T power"/signals="T"/' "$examples/mixed/heated-room.xml" > cold-room.xml
for method in backward-euler crank-nicolson; do
    agrees cold-room.xml 1e-12 --method $method --step "0.5 s"
done
for name in "$examples/hybrid/pwm-inductor" "$examples/magnetic/electromagnet" warm-room; do
    step=$(sed -n 's/.*<simulation[^>]* step="\([^"]*\)".*/\1/p' "$name.xml")
    duration=$(sed -n 's/.*<simulation[^>]* duration="\([^"]*\)".*/\1/p' "$name.xml")
    for method in backward-euler crank-nicolson; do
        agrees "$name.xml" 1e-11 --method $method --step "${step:-($duration)/1000}"
    done
done

# Newton's method overshoots to where a square root has no value, and goes half way back as often as it must: no shorter
# step is needed, with a diode beside it neither
sed 's/ interval="1"//' "$examples/stiff/chemical-akzo.xml" > akzo.xml
agrees akzo.xml 1e-12 --method crank-nicolson --step "0.18 s"
for model in drain drain-diode; do
    agrees "$srcdir/tests/codegen/$model.xml" 1e-12
    grep -q '++refused == 12' gen/gen.c || fail "$model: nothing tells where the square root has no value"
done

# forty segments of pipe: a pivot that is small in its row would let rounding grow until no update is small
agrees "$examples/hydraulic/water-hammer.xml" 1e-9 --method crank-nicolson --step "0.4 ms"

# An edge at the start, and one within half a step of it, are at the start; a capacitor across their source has no current
# from them. A linear circuit begins with the values that have been found at generation.
cat > edges.xml << 'END'
<model name="edges" xmlns="urn:linnet:model:1">
  <ground id="g" p="0"/>
  <pulse-voltage id="V" p="a" n="0" high="5 V" period="1 ms" width="0.3 ms" rise="1 us" fall="1 us"/>
  <capacitor id="C" p="a" n="0" C="1 uF"/>
  <resistor id="R" p="a" n="b" R="1 kOhm"/> <capacitor id="C2" p="b" n="0" C="1 uF"/>
  <simulation duration="2 ms" step="10 us" method="crank-nicolson"/>
  <record signals="a b V.i C.i"/>
</model>
END
agrees edges.xml 1e-12
grep -v 'id="C"' edges.xml | sed 's/ C.i"/"/' > edge.xml
agrees edge.xml 1e-12
agrees edge.xml 1e-12 --method backward-euler

# a breaker that opens under current between two capacitors: its arc burns behind the contacts' resistance
cat > breaker.xml << 'END'
<model name="breaker" xmlns="urn:linnet:model:1">
  <ground id="g" p="0"/>
  <capacitor id="C1" p="a" n="0" C="1 uF" v0="100 V"/> <resistor id="R0" p="a" n="0" R="1 kOhm"/>
  <breaker id="B" p="a" n="b" in="on"/>
  <capacitor id="C2" p="b" n="0" C="1 uF"/> <resistor id="R1" p="b" n="0" R="10 Ohm"/>
  <pulse id="p" out="on" period="1 ms" width="10 us"/>
  <simulation duration="0.2 ms" step="1 us"/>
  <record signals="a b"/>
</model>
END
for method in backward-euler crank-nicolson; do
    agrees breaker.xml 1e-12 --method $method
done

# Branches that a step began with have no value at its end (a root of what has changed its sign, an opening that has come to
# nothing above a leak): it is solved with those of its end, and ends with them, in code and simulation.
cat > vessel.xml << 'END'
<model name="vessel" xmlns="urn:linnet:model:1">
  <block-type name="vessel"><input name="in"/><output name="out"/><variable name="x" start="1"/>
    <equation>der(x) = in - 3*sign(x)*sqrt(abs(x))</equation><equation>out = x</equation></block-type>
  <sine id="s" out="u" frequency="1 Hz"/> <vessel id="k" in="u" out="x"/>
  <simulation duration="2" step="0.01"/>
  <record signals="u x"/>
</model>
END
cat > closes.xml << 'END'
<model name="closes" xmlns="urn:linnet:model:1">
  <vacuum id="vac" p="0"/>
  <pressure-source id="res" p="r" n="0" pressure="5 bar"/>
  <compressible-pipe id="pipe" p="r" n="v" length="200 m" diameter="0.2 m" segments="4" p0="5 bar" flow0="31.4 kg/s" nu="1e-9 m^2/s"/>
  <variable-orifice id="valve" p="v" n="0" in="op" A="2000 mm^2"/>
  <piecewise-linear id="cl" out="op" points="0 1; 0.05 1; 0.06 0; 1 0"/>
  <simulation duration="0.1 s" step="1 ms"/>
  <record signals="op v"/>
</model>
END
for method in backward-euler crank-nicolson; do
    agrees vessel.xml 1e-12 --method $method
    grep -q 'solve_following(' gen/gen.c || fail "nothing follows"
    agrees closes.xml 1e-10 --method $method
done

# Closed switches and diodes of 1e-5 Ohm: of their currents rounding leaves some 1e-9, and where something else happens that
# is no jump, on either side.
cat > closed.xml << 'END'
<model name="closed" xmlns="urn:linnet:model:1">
  <ground id="g" p="0"/>
  <sine-voltage id="V1" p="n1" n="0" amplitude="3.991 V" frequency="5406.9 Hz"/>
  <resistor id="R2" p="n1" n="n2" R="96.4 Ohm"/> <resistor id="R3" p="n2" n="n3" R="3.336 Ohm"/>
  <resistor id="R5" p="n2" n="n5" R="58.85 Ohm"/>
  <capacitor id="C1" p="0" n="n3" C="0.3839 uF"/> <capacitor id="C2" p="n5" n="0" C="9.066 uF"/>
  <ideal-diode id="D0" p="n1" n="n3"/> <ideal-diode id="D2" p="n3" n="n2"/>
  <pulse id="ps" out="gate" width="41.1 us" period="0.1120909 ms"/> <ideal-switch id="S" p="0" n="n2" in="gate"/>
  <simulation duration="0.37 ms"/>
  <record signals="n1 n2 n3 n5"/>
</model>
END
agrees closed.xml 1e-9 --method crank-nicolson --step "0.74 us"

# A capacitor beside a closed switch, where Crank-Nicolson swings about the source: of the rates in which that comes through
# zero rounding at the step's begin is much, and it is no jump.
cat > swings.xml << 'END'
<model name="m7045">
<ground id="g" p="0"/>
<pulse-voltage id="V1" p="n1" n="0" high="1.593" width="0.0004046" period="0.0010115"/>
<resistor id="R2" p="n1" n="n2" R="2.246"/>
<resistor id="R3" p="n1" n="n3" R="53.41"/>
<resistor id="R4" p="n2" n="n4" R="3.443"/>
<capacitor id="C0" p="0" n="n3" C="2.52e-09"/>
<capacitor id="C1" p="n4" n="n2" C="2.457e-06"/>
<capacitor id="C2" p="n3" n="n2" C="2.151e-07"/>
<capacitor id="C3" p="n4" n="n3" C="5.112e-09"/>
<pulse id="ps" out="gate" width="0.0004495555555555556" period="0.0012260606060606062"/><ideal-switch id="S" p="n4" n="n2" in="gate"/>
<simulation duration="0.00405"/><record signals="n1 n2 n3 n4"/></model>
END
agrees swings.xml 1e-9 --method crank-nicolson --step "8.1 us"

# Dry friction that falls with speed: some steps have no solution that Newton's method finds, and are divided as in the
# simulation; Crank-Nicolson keeps what flows at the ends of their parts.
for method in backward-euler crank-nicolson; do
    agrees "$srcdir/tests/codegen/stribeck.xml" 1e-9 --method $method --step "6 ms"
    grep -q "in_parts(model" gen/gen.c || fail "a step that is not divided"
done
generate "$examples/mixed/rack-drive.xml" --method crank-nicolson --step 1ms
grep -q in_parts gen/gen.c && fail "a linear network is divided"

# A line of resistance and capacitance: a type in C of constant entries alone.
for method in backward-euler crank-nicolson; do
    agrees "$srcdir/tests/spice/clamped-line.cir" 1e-11 --method $method --step "0.5 ns"
done

# Both sides take Newton's method the same way: with a kept Jacobian the simulation found no solution at 0.54 ms, behind
# the switch, where the code has one.
cat > zeners.xml << 'END'
<model name="zeners" xmlns="urn:linnet:model:1">
  <ground id="g" p="0"/> <sine-voltage id="V1" p="n1" n="0" amplitude="1.262" frequency="1633.986928104575"/>
  <resistor id="R2" p="n1" n="n2" R="34.9"/> <resistor id="R3" p="0" n="n3" R="8143.0"/>
  <resistor id="R4" p="n3" n="n4" R="8.609"/> <resistor id="R5" p="n4" n="n5" R="26.78"/>
  <capacitor id="C0" p="n2" n="n1" C="5.02e-08"/> <capacitor id="C1" p="n4" n="n5" C="6.319e-07"/>
  <resistor id="RL0" p="n4" n="l0" R="0.3329"/> <inductor id="L0" p="l0" n="n5" L="0.003743"/>
  <resistor id="RL1" p="n2" n="l1" R="0.6019"/> <inductor id="L1" p="l1" n="n3" L="1.673e-05"/>
  <resistor id="RS0" p="n2" n="q0" R="134.0"/> <zener-diode id="D0" p="q0" n="0" Bv="5.1 V"/>
  <resistor id="RS1" p="n3" n="q1" R="1.065"/> <zener-diode id="D1" p="q1" n="n4" Bv="5.1 V"/>
  <resistor id="RS2" p="0" n="q2" R="24.51"/> <diode id="D2" p="q2" n="n3"/>
  <resistor id="RS3" p="0" n="q3" R="8.202"/> <zener-diode id="D3" p="q3" n="n3" Bv="5.1 V"/>
  <pulse id="ps" out="gate" width="0.136 ms" period="0.37090909090909096 ms"/> <ideal-switch id="S" p="n1" n="0" in="gate"/>
  <simulation duration="1.22 ms"/> <record signals="n1 n2 n3 n4 n5"/>
</model>
END
# (Steps longer by 1e-13 move the simulation by 1.4e-6: the circuit amplifies rounding.)
agrees zeners.xml 2e-6 --method crank-nicolson --step "2.44 us"

# no pivot is what some branch of a condition makes zero: a stop's damper, beside the masses that are always there
cat > stop.xml << 'END'
<model name="stop" xmlns="urn:linnet:model:1">
  <mass id="m1" p="n2" m="3.084"/> <mass id="m2" p="n3" m="4.033"/> <mass id="m3" p="n4" m="0.1821"/> <mass id="m0" p="n1" m="2.96"/>
  <spring id="s0" p="n1" n="n3" k="107.5"/>
  <hard-stop id="d0" p="n3" n="n4" low="-0.002873" high="0.005104" k="1e5" d="100"/>
  <dry-friction id="d1" p="n3" n="n2" F="1.77" peak="1.3"/>
  <sine-force id="F1" p="0" n="n1" amplitude="3.217" frequency="1.064"/> <fixed-point id="g" p="0"/>
  <simulation duration="0.5"/><record signals="n1 n2 n3 n4"/></model>
END
agrees stop.xml 1e-9 --method crank-nicolson --step 2ms

# where equations bend at a kink, the last change but one tells nothing of the last: from y = 1.00027 Newton's method crosses
# the kink at 1 by 4e-9, a change whose square is small beside the one before, and is 9e-10 off there
cat > kink.xml << 'END'
<model name="kink" xmlns="urn:linnet:model:1">
  <block-type name="kinked"><input name="u"/><output name="y"/>
    <equation>y^3 + 50*noevent(max(y - 1, 0)) = u</equation></block-type>
  <step id="s" out="u" offset="1.0141875953821546" height="-0.0141875983821544" delay="0.5"/>
  <start link="y" value="1.0003"/><kinked id="K" u="u" y="y"/>
  <simulation start="operating-point" duration="1" step="0.1"/><record signals="u y"/>
</model>
END
agrees kink.xml 1e-12 --method backward-euler
awk -F, 'NR > 1 && $1 > 0.9 { off = $3 - (1 - 1e-9); exit !(off < 1e-12 && off > -1e-12) }' gen/code.csv || fail "a kink is crossed by chance"

# a slope that is infinite where the value is not: roots of what rests at zero
cat > upright.xml << 'END'
<model name="upright" xmlns="urn:linnet:model:1">
  <sine id="r" out="r" amplitude="1" frequency="1" delay="0.1 s"/>
  <integrator id="i" in="r" out="x"/>
  <function id="a" in="x" out="p" expression="sqrt(abs(u))"/>
  <function id="b" in="x" out="q" expression="cbrt(u)"/>
  <function id="c" in="x" out="w" expression="abs(u)^0.6"/>
  <sum id="s" in="p q w" signs="+++" out="z"/>
  <first-order id="f" in="z" out="y" T="0.2"/>
  <simulation duration="0.5" step="10 ms"/><record signals="x p q w y"/>
</model>
END
for method in backward-euler crank-nicolson; do
    agrees upright.xml 1e-11 --method $method
done

# what a closed switch carries is rounding of the potentials at its ends, which the probes for jumps move apart: no step
# of Crank-Nicolson is damped for that
cat > conducts.xml << 'END'
<model name="conducts" xmlns="urn:linnet:model:1">
  <ground id="g" p="0"/>
  <pulse-voltage id="V1" p="n1" n="0" high="4.502" width="4.8899999999999996e-05" period="0.00012225"/>
  <resistor id="R2" p="0" n="n2" R="5452.0"/> <resistor id="R3" p="n1" n="n3" R="784.5"/>
  <resistor id="R4" p="n1" n="n4" R="30.67"/> <resistor id="R5" p="n4" n="n5" R="1979.0"/>
  <capacitor id="C0" p="n3" n="n1" C="2.988e-07"/> <capacitor id="C1" p="n1" n="n2" C="6.719e-08"/>
  <resistor id="RL0" p="0" n="l0" R="18.69"/> <inductor id="L0" p="l0" n="n1" L="0.0006674"/>
  <resistor id="RS0" p="0" n="q0" R="3.204"/> <resistor id="RB0" p="n3" n="b0" R="712.6"/> <bjt id="D0" c="q0" b="b0" e="n5"/>
  <ideal-diode id="D1" p="n1" n="n2"/>
  <simulation duration="4.89e-6"/><record signals="n1 n2 n3 n4 n5"/></model>
END
agrees conducts.xml 1e-9 --method crank-nicolson --step 9.78e-7

# an event that would set the potential of a reference sets nothing, as in the simulation
sed 's/n="n2" F="1.77"/n="0" F="1.77"/; s/p="n3" n="0"/p="0" n="n3"/' stop.xml > held.xml
agrees held.xml 1e-9 --method crank-nicolson --step 2ms

# a ladder of more unknowns than a search through all of its matrix would take in time
{
    printf '%s\n' '<model name="ladder" xmlns="urn:linnet:model:1"><ground id="g" p="0"/>' \
        '<sine-voltage id="V" p="n0" n="0" amplitude="5 V" frequency="1 kHz"/>'
    i=1
    while [ $i -le 700 ]; do
        printf '<resistor id="R%d" p="n%d" n="n%d" R="100 Ohm"/><capacitor id="C%d" p="n%d" n="0" C="1 nF"/>\n' $i $((i - 1)) $i $i $i
        i=$((i + 1))
    done
    printf '%s\n' '<diode id="D" p="n5" n="0"/><simulation duration="50 us" step="1 us" method="backward-euler"/>' \
        '<record signals="n5 n20"/></model>'
} > ladder.xml
CODEGEN_CFLAGS=-O0 agrees ladder.xml 1e-12 # ten thousand lines, an eighth of the time of a compiler that improves them

# parameters that stay open: with their defaults the same; changed, the result of a model with the changed value
CODEGEN_OPTIONS=--tunable
for method in backward-euler crank-nicolson; do
    agrees drive.xml 1e-11 --method $method
    agrees "$examples/hybrid/pwm-inductor.xml" 1e-11 --method $method --step 20us
done
generate drive.xml --method backward-euler
cat > change.c << 'END'
#include "gen/gen.h"
#include <stdio.h>
int main(void) {
    static gen_t m;
    gen_init(&m);
    m.parameters.R_R = 2.0;
    for (int k = 0; k < 300; k++)
        if (gen_step(&m) != GEN_OK) return 1;
    printf("%.15g\n", m.outputs.w);
    return 0;
}
END
$CC -std=c99 -I. -o change change.c gen/gen.c -lm && ./change > changed
expect 0 "$LINNET" run drive.xml --method backward-euler --set "R.R=2 Ohm" $RUN_OPTIONS -q -o run.csv
awk -F, -v w="$(cat changed)" '$1 > 0.2999 && $1 < 0.3001 { d = $2 - w; found = d < 1e-9 && d > -1e-9 } END { exit !found }' run.csv ||
    fail "a parameter changed in a network: $(cat changed)"

# where conditions decide what follows from a derivative, no elimination is fixed: by name, with what to do
expect 3 "$LINNET" codegen "$examples/translational/stick-slip.xml" --method backward-euler --step 1ms -o none
says err "stick-slip.xml:6: error: equation 'p.v - n.v = v' of drive" "index above 1" "let something that stores"

# the same in an FMU, whose importer sets it
if command -v unzip > out; then
    expect 0 "$LINNET" export drive.xml --method backward-euler --tunable -o drive.fmu -q
    expect 0 "$LINNET" run drive.fmu --set R_R=2 --duration 0.5 --step 1ms -q -o fmu.csv
    awk -F, -v w="$(cat changed)" '$1 > 0.2999 && $1 < 0.3001 { for (k = 2; k <= NF; k++) { d = $k - w; found += d < 1e-9 && d > -1e-9 } }
        END { exit !found }' fmu.csv || fail "a parameter changed in an FMU of a network: $(head -n 1 fmu.csv)"
    expect 0 "$LINNET" export drive.xml --method backward-euler -o fixed.fmu -q
    expect 2 "$LINNET" run fixed.fmu --set R_R=2 --duration 0.5 --step 1ms -q -o fmu.csv
fi
# What Newton's method leaves of the current in a switch of 10 uOhm is no jump that damps Crank-Nicolson on one side alone.
cat > closed-switch.xml << 'END'
<model name="closed switch" xmlns="urn:linnet:model:1">
  <ground id="g" p="0"/>
  <sine-voltage id="V1" p="n1" n="0" amplitude="35.74" frequency="214.75357"/>
  <resistor id="R2" p="n1" n="n2" R="239.4"/> <resistor id="R3" p="n2" n="n3" R="119.5"/>
  <resistor id="R4" p="0" n="n4" R="6.011"/>
  <capacitor id="C0" p="0" n="n4" C="4.35e-09"/> <capacitor id="C2" p="n3" n="n4" C="2.653e-06"/>
  <capacitor id="C3" p="n1" n="n2" C="3.558e-08"/>
  <resistor id="RL0" p="n2" n="l0" R="0.1294"/> <inductor id="L0" p="l0" n="n4" L="0.07951"/>
  <resistor id="RL1" p="n4" n="l1" R="45.2"/> <inductor id="L1" p="l1" n="0" L="0.000462"/>
  <resistor id="RS0" p="n4" n="q0" R="3.946"/> <diode id="D0" p="q0" n="n2"/>
  <resistor id="RS2" p="n1" n="q2" R="1.391"/> <spice-diode id="D2" p="q2" n="0" IS="1e-14" CJO="2.973e-11" TT="6.589e-09"/>
  <pulse id="ps" out="gate" width="1.0347 ms" period="2.82212 ms"/> <ideal-switch id="S" p="n3" n="n4" in="gate"/>
  <simulation duration="9.31 ms" step="18.62 us"/>
  <record signals="n1 n2 n3 n4"/>
</model>
END
agrees closed-switch.xml 1e-8 --method crank-nicolson
# Rates of what stands still are rounding: no jump of them damps Crank-Nicolson on one side alone.
cat > held-mass.xml << 'END'
<model name="held mass" xmlns="urn:linnet:model:1">
  <fixed-point id="g" p="0"/>
  <mass id="m0" p="n1" m="4.744 kg" v0="0"/> <mass id="m1" p="n2" m="2.204 kg" v0="0"/>
  <spring id="s0" p="0" n="n1" k="66.43"/> <spring id="s1" p="n1" n="n2" k="61.416"/>
  <dry-friction id="d0" p="n2" n="0" F="1.19" peak="1.3"/> <dry-friction id="d2" p="n2" n="0" F="0.4469" peak="1"/>
  <hard-stop id="d1" p="n1" n="n2" low="-0.001447" high="0.007059" k="1e5" d="100"/>
  <sine-force id="F1" p="0" n="n1" amplitude="1.584" frequency="0.3407 Hz"/> <step-force id="F2" p="0" n="n1" height="3.937"/>
  <simulation duration="0.3" step="2.91 ms" method="crank-nicolson"/>
  <record signals="n1 n2"/>
</model>
END
CODEGEN_OPTIONS= RUN_OPTIONS="--newton exact --events at-steps" agrees held-mass.xml 1e-10
# A mode that turns at an instant and comes back in it has changed nothing: neither side damps the step after it.
{
    echo '<model name="passing mode">'
    n=0
    for link in plus minus vout plus15 minus15; do
        n=$((n + 1))
        echo "<resistor id='r$n' p='$link' n='s$n' R='50 Ohm'/><capacitor id='c$n' p='$link' n='0' C='2 uF'/>"
        echo "<sine-voltage id='v$n' p='s$n' n='0' amplitude='3 V' frequency='11*(1 + 0.37*$n)' offset='1 V'/>"
    done
    echo '<op-amp-with-supply id="U1" p="plus" n="minus" out="vout" vp="plus15" vn="minus15"/><ground id="g" p="0"/>'
    echo '<simulation duration="0.05" step="0.2 ms" method="crank-nicolson"/><record signals="vout U1.i"/></model>'
} > passing.xml
CODEGEN_OPTIONS=--all-signals RUN_OPTIONS="--newton exact --events at-steps" agrees passing.xml 1e-9
# Parameters stay open where several blocks store together, but those of these blocks; assertions on parameters are ranges, and
# a period that a clock stands in for is none.
for name in electrical/transformer:100us rotational/clutch-launch:10ms translational/braked-sled:10ms rotational/gear-train:10ms \
    hybrid/sampled-motor:1ms; do
    CODEGEN_OPTIONS=--tunable RUN_OPTIONS="--newton exact --events at-steps" \
        agrees "$examples/${name%:*}.xml" 1e-9 --method crank-nicolson --step "${name#*:}"
done
grep -q 'controller_min < parameters->controller_max' gen/gen.c || fail "an assertion on parameters is no range"
expect 0 "$LINNET" codegen "$examples/rotational/clutch-launch.xml" -o fixed --tunable --method crank-nicolson --step 10ms
says err "its parameters stay constants"
# Types whose branches are followed, while no step is divided: the solver that stands apart for steps that are rare had no caller.
MAKEFLAGS= MFLAGS= python3 "$srcdir/tests/code_types.py" "$LINNET" types function > told || fail "$(head -n 5 told)"
finish

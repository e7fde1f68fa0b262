#!/bin/sh
# SPDX-License-Identifier: MIT
# Generated code of networks whose index is above 1 where events act: a capacitor across a source beside a switch, with a source
# that moves and one that a program gives; storage behind a short; a place imposed on play. At an instant the equations are
# solved with their derivatives, as in the simulation, and where it leaves them as they were the signals stay.
. "${srcdir:-.}/tests/shell.sh"
. "$srcdir/tests/codegen_kit.sh"
have_compiler || { echo "no C compiler here"; exit 77; }
RUN_OPTIONS="--newton exact --events at-steps"

# python_agrees OPTION...: the Python of model.xml gives what its C in gen/ gives, to the last bit
python_agrees() {
    command -v python3 > out || return 0
    expect 0 "$LINNET" codegen model.xml "$@" --language python --name gen -o python -q
    expect 0 python3 python/gen.py -o python.csv
    same gen/code.csv python.csv 0 > out || fail "Python: $(head -n 3 out)"
}

# converter SOURCE: a buck converter behind a source with its capacitor
converter() {
    cat > model.xml << END
<model name="converter" xmlns="urn:linnet:model:1">
  <ground id="g" p="0"/>
  $1
  <capacitor id="Cin" p="a" n="0" C="10 uF"/>
  <pulse id="P" out="on" width="20 us" period="50 us" delay="5 us"/>
  <ideal-switch id="S" p="a" n="b" in="on"/>
  <ideal-diode id="D" p="0" n="b"/>
  <inductor id="L" p="b" n="c" L="100 uH"/>
  <capacitor id="C" p="c" n="0" C="47 uF"/>
  <resistor id="R" p="c" n="0" R="4 Ohm"/>
  <simulation duration="1 ms" step="1 us"/>
  <record signals="c L.i V.i"/>
</model>
END
}
for source in '<voltage-source id="V" p="a" n="0" V="24 V"/>' \
    '<sine-voltage id="V" p="a" n="0" amplitude="24 V" frequency="1 kHz"/>'; do
    converter "$source"
    for method in backward-euler crank-nicolson; do
        agrees model.xml 1e-9 --method $method # 24 V round to 2e-10 A in the switch's 10 uOhm
        python_agrees --method $method
    done
done

# an input that a program gives, and changes between steps: the capacitor follows at once, and a program that has set it
# before the first step starts there
converter '<external-input id="given" out="v" value="24"/><signal-voltage id="V" p="a" n="0" in="v"/>'
generate model.xml --method backward-euler
cat > drive.c << 'END'
#include "gen/gen.h"
#include <stdio.h>
int main(void) {
    static gen_t a, b; /* from 24 V to 12 V after 100 steps, with the switch open; 12 V from the start */
    int bad = 0;
    gen_init(&a);
    gen_init(&b);
    b.inputs.v = 12.0;
    for (int k = 0; k < 130; k++) {
        if (k == 76) a.inputs.v = 12.0;
        bad |= gen_step(&a) != GEN_OK || gen_step(&b) != GEN_OK;
        bad |= b.signals.a < 12.0 - 1e-9 || b.signals.a > 12.0 + 1e-9;
        bad |= k >= 76 && (a.signals.a < 12.0 - 1e-9 || a.signals.a > 12.0 + 1e-9);
    }
    printf("%d\n", bad);
    return 0;
}
END
$CC $STRICT -o drive drive.c gen/gen.c -lm 2> err && [ "$(./drive)" = 0 ] || fail "driven: $(cat err)"

# a sensor of current that shorts two capacitors; a supply's capacitor; a gas behind a bladder; play between what is imposed
cat > model.xml << 'END'
<model name="short" xmlns="urn:linnet:model:1">
  <ground id="g" p="0"/>
  <sine-voltage id="V" p="s" n="0" amplitude="3 V" frequency="20 Hz" offset="1 V"/>
  <resistor id="R1" p="s" n="c" R="50 Ohm"/>
  <capacitor id="C1" p="c" n="0" C="2 uF"/>
  <capacitor id="C2" p="d" n="0" C="3 uF"/>
  <resistor id="R2" p="d" n="0" R="300 Ohm"/>
  <current-controlled-switch id="W1" p="a" n="0" cp="c" cn="d" IT="4 mA" IH="0.2 mA" Ron="1 Ohm" Roff="1 MOhm"/>
  <resistor id="R3" p="s" n="a" R="1 kOhm"/>
  <simulation duration="0.2 s" step="0.2 ms"/>
  <record signals="a c d W1.cp.i"/>
</model>
END
for method in backward-euler crank-nicolson; do
    agrees model.xml 1e-10 --method $method
    python_agrees --method $method
    agrees "$examples/translational/play.xml" 1e-11 --method $method
done
cat > model.xml << 'END'
<model name="accumulator" xmlns="urn:linnet:model:1">
  <vacuum id="v" p="0"/>
  <sine id="s" out="u" amplitude="2e6" frequency="15 Hz" offset="5e6"/>
  <signal-pressure id="P" p="a" n="0" in="u"/>
  <pipe-resistance id="R" p="a" n="line" R="1 MPa.s/kg"/>
  <fluid-volume id="V" p="line" V="1 l"/>
  <accumulator id="A" p="line" V="2 l" precharge="40 bar" p0="60 bar"/>
  <simulation duration="0.2 s" step="0.2 ms"/>
  <record signals="line A.gas A.m"/>
</model>
END
for method in backward-euler crank-nicolson; do
    agrees model.xml 1e-10 --method $method
done

# charges of junctions in what is differentiated: they follow by their slopes
cat > model.xml << 'END'
<model name="charges" xmlns="urn:linnet:model:1">
  <ground id="g" p="0"/>
  <step-voltage id="V1" p="n1" n="0" height="2.668"/>
  <resistor id="R2" p="0" n="n2" R="708.6"/>
  <capacitor id="C0" p="n2" n="n1" C="1.462e-08"/> <capacitor id="C1" p="n2" n="0" C="1.446e-07"/>
  <resistor id="RL1" p="n1" n="l1" R="0.3087"/> <inductor id="L1" p="l1" n="0" L="0.003467"/>
  <resistor id="RS0" p="n2" n="q0" R="2.678"/>
  <spice-diode id="D0" p="q0" n="n1" IS="1e-14" CJO="5.047e-11" TT="3.716e-08"/>
  <ideal-diode id="D1" p="n2" n="0"/>
  <resistor id="RS3" p="0" n="q3" R="23.23"/> <diode id="D3" p="q3" n="n1"/>
  <simulation duration="0.2 ms" step="0.802 us"/>
  <record signals="n1 n2"/>
</model>
END
for method in backward-euler crank-nicolson; do
    agrees model.xml 1e-10 --method $method
done

# nothing flows into a port that is open, and the block's power is that of the others
cat > model.xml << 'END'
<model name="open" xmlns="urn:linnet:model:1">
  <fixed-shaft id="f" p="0"/>
  <sine-torque id="T" p="0" n="a" amplitude="3 N.m" frequency="2 Hz"/>
  <inertia id="J" p="a" J="0.02 kg.m^2"/>
  <bearing-friction id="b" p="a" torque="0.2 N.m" peak="1.5" d="1 mN.m.s/rad"/>
  <simulation duration="1 s" step="1 ms"/>
  <record signals="a b.Q b.P"/>
</model>
END
agrees model.xml 1e-10 --method backward-euler

# likewise of a device in C
cat > model.xml << 'END'
<model name="open" xmlns="urn:linnet:model:1">
  <ground id="g" p="0"/>
  <sine-voltage id="V" p="a" n="0" amplitude="2 V" frequency="50 Hz"/>
  <resistor id="R" p="a" n="b" R="100 Ohm"/>
  <spice-diode id="D" p="b" n="0" CJO="1 nF"/>
  <simulation duration="20 ms" step="0.1 ms"/>
  <record signals="b D.i D.Q D.P"/>
</model>
END
agrees model.xml 1e-10 --method backward-euler

# An edge of a source moves a capacitor across it at once, though nothing else happens between steps: no charge is carried in the
# step that follows, and what the source gives flows in the resistor alone. Behind that 2 uF are charged by (h/RC)/(1 + h/RC) of
# what is missing, 1/3, a step. With a capacitor that a delayed edge charges all happens in the course of a step.
cat > model.xml << 'END'
<model name="edge" xmlns="urn:linnet:model:1">
  <ground id="g" p="0"/>
  <pulse-voltage id="V" p="a" n="0" high="1 V" period="10 ms" width="4 ms" delay="2 ms"/>
  <capacitor id="C1" p="a" n="0" C="1 uF"/>
  <resistor id="R" p="a" n="b" R="1 kOhm"/>
  <capacitor id="C2" p="b" n="0" C="2 uF"/>
  <simulation duration="10 ms" step="1 ms"/>
  <record signals="a b V.p.i"/>
</model>
END
for method in backward-euler crank-nicolson; do
    agrees model.xml 1e-12 --method $method
    python_agrees --method $method
done
agrees model.xml 1e-12 --method backward-euler
awk -F, 'function size(x) { return x < 0 ? -x : x }
    NR > 1 { k = int($1*1000 + 0.5); want = k < 3 ? 0 : k <= 6 ? 1 - (2/3)^(k - 2) : want*2/3
        bad += size($3 - want) > 1e-12 || size($4 + ($2 - $3)/1000) > 1e-15; rows++ }
    END { exit bad > 0 || rows < 11 }' gen/code.csv || fail "an edge across a capacitor: $(cat gen/code.csv)"
sed -i 's|<pulse-voltage id="V" p="a" n="0" |<signal-voltage id="V" p="a" n="0" in="late"/><transport-delay id="D" in="u" out="late" delay="2 ms"/><pulse id="P" out="u" |' model.xml
agrees model.xml 1e-12 --method backward-euler

# ticks without a rate in a network compile without a warning
cat > model.xml << 'END'
<model name="ticks" xmlns="urn:linnet:model:1">
  <clock id="c" out="n" period="10 ms"/>
  <simulation duration="0.2 s" step="1 ms"/>
  <record signals="n"/>
</model>
END
agrees model.xml 0 --method crank-nicolson
finish

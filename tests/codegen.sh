#!/bin/sh
# SPDX-License-Identifier: MIT
# linnet codegen: the code of ten examples and of small models compiles without a warning and does, bit by bit, what the
# simulation does whose events act at the ends of steps; names and texts of models do no harm; what cannot be carried is
# refused by name. tests/codegen_all.sh takes all examples.
. "${srcdir:-.}/tests/shell.sh"
. "$srcdir/tests/codegen_kit.sh"
have_compiler || { echo "no C compiler here"; exit 77; }

# the same operations in the same order: equal to the last bit
for name in signal/pi-loop signal/anti-windup signal/algebraic-loop signal/complementary-filter signal/coupled-lags \
    signal/drifting-gyro signal/rectified-sine hybrid/bouncing-ball hybrid/enabled_meter hybrid/ripple-counter; do
    agrees "$examples/$name.xml" 0
done
agrees "$examples/hybrid/triggered_sampler.xml" 0 --method heun --step 5ms
agrees "$examples/signal/lorenz.xml" 0 --method euler --step 1ms

# a loop that Newton solves, tables, random numbers, several clocks, memories, a loop of no constant gain
cat > parts.xml << 'END'
<model name="parts" xmlns="urn:linnet:model:1">
  <sine id="s" out="u" amplitude="2" frequency="3 Hz"/>
  <lookup id="table" in="u" out="bent" points="-2 1; -1 0; 0.5 0.2; 2 3"/>
  <sum id="a" in="u w" signs="++" out="x"/>
  <block-type name="curve-back"><input name="in"/><output name="out"/>
    <equation>out = -in - in^3/5</equation></block-type>
  <curve-back id="c" in="x" out="w"/>
  <normal-noise id="noise" out="n" period="20 ms" seed="7"/>
  <zero-order-hold id="fast" in="u" out="f" period="30 ms"/>
  <unit-delay id="slow" in="f" out="d" period="70 ms"/>
  <first-order id="lag" in="bent" out="y" T="0.1 s"/>
  <simulation duration="1" step="10 ms" method="rk4"/>
  <record signals="u bent x w n f d y"/>
</model>
END
agrees parts.xml 1e-12

# a root of what changes sign within a step: by the branch of the begin it has no value there, so stages take that of their
# own place, as the simulation does, that which locates crossings, too
cat > root.xml << 'END'
<model name="root" xmlns="urn:linnet:model:1">
  <block-type name="vessel"><input name="in"/><output name="out"/><variable name="x" start="1"/>
    <equation>der(x) = in - 3*sign(x)*sqrt(abs(x))</equation><equation>out = x</equation></block-type>
  <sine id="s" out="u" frequency="1 Hz"/>
  <function id="f" in="u" out="v" expression="sqrt(abs(u))"/>
  <integrator id="i" in="v" out="y"/>
  <vessel id="k" in="u" out="x"/>
  <simulation duration="2" step="0.01" method="rk4"/>
  <record signals="u v y x"/>
</model>
END
for method in heun rk4; do
    agrees root.xml 0 --method $method
    # the integral of sqrt(abs(sin)) over two periods: 4/pi times that of sqrt(sin) over a quarter
    awk -F, 'END { d = $4 - 1.5255; exit !(NR == 202 && d*d < 4.2e-3^2) }' gen/code.csv || fail "root by $method: $(tail -n 1 gen/code.csv)"
done
expect 0 "$LINNET" run root.xml -q -o root.csv
expect 0 "$LINNET" codegen root.xml --name gen -o tell
grep -q 'rates are computed at most 303 times more; what happens at an instant' "$work/err" || fail "cost: $(cat "$work/err")"

# an edge at the very end of a run has its right side in the code, and so in the run and natively
cat > ends.xml << 'END'
<model name="ends" xmlns="urn:linnet:model:1">
  <step id="s" out="e" delay="0.9"/>
  <integrator id="i" in="e" out="y"/>
  <simulation duration="0.9" step="0.1" method="rk4"/>
  <record signals="e y"/>
</model>
END
agrees ends.xml 0
[ "$(tail -n 1 gen/run.csv | cut -d, -f2)" = 1 ] || fail "the end: $(tail -n 1 gen/run.csv)"
grep -q -e '-t end\] \[-o' gen/README.md || fail "README tells of inputs that there are not"

# inputs come from outside, parameters are changed on the way
cat > controller.xml << 'END'
<model name="controller" xmlns="urn:linnet:model:1">
  <external-input id="set" out="r" value="1"/>
  <external-input id="measured" out="y"/>
  <sum id="difference" in="r y" signs="+-" out="e"/>
  <pid id="pid" in="e" out="u" kp="2" ki="4"/>
  <simulation duration="1" step="0.1" method="euler"/>
  <record signals="u"/>
</model>
END
CODEGEN_OPTIONS=--tunable generate controller.xml
printf 'time,r,y\n0,1,0\n0.25,1,0.5\n0.5,0,0.5\n' > inputs.csv
"$work/gen/main" -i inputs.csv -t 0.7 > out.csv
# u = 2 e + 4 sum of 0.1 e: e is 1 at 0, 0.1, 0.2; 0.5 at 0.3, 0.4; -0.5 from 0.5 on
awk -F, 'NR > 1 { e = $1 < 0.25 ? 1 : $1 < 0.45 ? 0.5 : -0.5; u = 2*e + i; i += 0.4*e
         if ($2 - u > 1e-12 || u - $2 > 1e-12) { print "at " $1 ": " $2 ", not " u; exit 1 } n++ }
         END { exit n != 8 }' out.csv > out || fail "inputs: $(cat out)"
# the name of a matrix stands for its elements, which a file names in quotes; in float, too, the last instant is there; what is
# no option is told; a unit that the model gives stands in the header and the README
printf '%s\n' '<model name="m" xmlns="urn:linnet:model:1"><constant id="M" value="1 2; 3 4" out="m"/>' \
    '<constant id="v" value="1 1" out="x"/><matrix-product id="p" in="m x" out="y"/><integrator id="i" in="y" out="z"/>' \
    '<simulation duration="0.5" step="0.1" method="euler"/><record signals="z"/>' \
    '<record name="sum" expression="z[1] + z[2]" unit="mJ"/></model>' > matrix.xml
printf 'time,"m[2,1]",other,"m[1,1]", "m[1,2]","m[2,2]"\n0,1,9,2,3,4\r\n0.3,5,9,6,7,8\n' > inputs.csv
for options in "" --float "--language python"; do
    rm -rf gen
    # shellcheck disable=SC2086
    expect 0 "$LINNET" codegen matrix.xml --input m $options --test-main --name gen -o gen -q
    set -- python3 gen/gen.py
    if [ "$options" != "--language python" ]; then
        # shellcheck disable=SC2086
        $CC -O1 $STRICT -o gen/main gen/gen.c gen/gen_main.c -lm 2> err || fail "inputs of a matrix: $(head -n 3 err)"
        set -- gen/main
        grep -q '/\* mJ \*/' gen/gen.h && grep -q 'sum (mJ)' gen/README.md || fail "the unit of an expression is lost"
    fi
    "$@" -i inputs.csv | awk -F, 'function off(a, b) { return a - b > 1e-6 || b - a > 1e-6 }
        END { exit NR != 7 || off($1, 0.5) || off($2, 4.1) || off($4, 8.2) }' || fail "inputs of a matrix $options"
    expect 2 "$@" --help
    says err "usage: "
    expect 2 "$@" -t
done

CODEGEN_OPTIONS=--tunable generate controller.xml
cat > use.c << 'END'
#include "gen/gen.h"
#include <stdio.h>
int main(void) { /* two models side by side, one with another gain; the functions that change nothing */
    gen_t a, b;
    gen_init(&a, 0.1);
    gen_init(&b, 0.1);
    b.parameters.pid_kp = 5;
    for (int k = 0; k < 2; k++)
        if (gen_step(&a) != GEN_OK || gen_step(&b) != GEN_OK) return 1;
    gen_states_t rates;
    gen_signals_t signals = a.signals;
    gen_outputs_t outputs;
    if (gen_evaluate_algebraic(&a.inputs, &a.states, &signals, &outputs, &a.parameters) != GEN_OK) return 2;
    gen_derivatives(a.time, &a.inputs, &signals, &a.states, &rates, &a.parameters);
    printf("%g %g %g %g %g\n", a.outputs.u, b.outputs.u, outputs.u, rates.pid_i, a.time);
    return 0;
}
END
$CC $STRICT -o use use.c gen/gen.c -lm 2> err || fail "use.c: $(head -n 5 err)"
[ "$(./use)" = "2.4 5.4 2.8 4 0.2" ] || fail "use.c says $(./use)"
# a parameter beyond what its block allows is told before anything is computed
cat > range.c << 'END'
#include "gen/gen.h"
#include <stdio.h>
int main(void) {
    static gen_t m;
    gen_init(&m, 0.1);
    m.parameters.lag_T = -1;
    const int refused = gen_step(&m) == GEN_OUT_OF_RANGE && m.steps == 0 && gen_evaluate(&m) == GEN_OUT_OF_RANGE;
    m.parameters.lag_T = 2;
    printf("%d %d\n", refused, gen_step(&m) == GEN_OK && m.steps == 1);
    return 0;
}
END
printf '%s\n' '<model name="m" xmlns="urn:linnet:model:1"><constant id="c" out="u" value="1"/><first-order id="lag" in="u" out="y" T="1 s"/>' \
    '<simulation duration="1" step="0.1" method="euler"/><record signals="y"/></model>' > range.xml
for method in euler backward-euler; do
    CODEGEN_OPTIONS=--tunable generate range.xml --method $method
    sed "$([ $method = euler ] || echo 's/(&m, 0.1)/(\&m)/; s/gen_evaluate(&m)/gen_step(\&m)/')" range.c > ranged.c
    $CC $STRICT -I. -o range ranged.c gen/gen.c -lm 2> err || fail "range.c: $(head -n 5 err)"
    [ "$(./range)" = "1 1" ] || fail "a parameter out of its range by $method: $(./range)"
done
CODEGEN_OPTIONS=--tunable generate controller.xml
(cd gen && make -s CC="$CC" && make -s clean) > out 2>&1 || fail "its Makefile: $(tail -n 3 out)"
for file in README.md library.json library.properties; do [ -s gen/$file ] || fail "there is no $file"; done

# no name or text of a model reaches the compiler as anything but a name or a comment
cat > hostile.xml << 'END'
<model name="*/ int x; /* ??/ \" xmlns="urn:linnet:model:1">
  <constant id="while" out="n1" value="1"/>
  <constant id="double" out="in-out" value="2"/>
  <constant id="k" out="in_out" value="3"/>
  <sum id="NAN" in="n1 in-out in_out" signs="+++" out="class"/>
  <integrator id="int" in="class" out="I"/>
  <simulation duration="1" step="0.5" method="euler"/>
  <record signals="n1 in-out in_out class I"/>
</model>
END
agrees hostile.xml 0
CODEGEN_OPTIONS=--tunable agrees hostile.xml 0
expect 0 "$LINNET" codegen hostile.xml -o named -q
ls named | grep -q '^n_.*int_x' || fail "the model's name became $(ls named)"

# names that are macros of C, of the code's own header or of Windows, in C and in C++
{
    echo '<model name="gen" xmlns="urn:linnet:model:1"><sine id="source" out="x0" amplitude="1" frequency="1 Hz"/>'
    last=x0
    for name in FP_NAN M_TWOPI INT8_MAX SEEK_SET EXIT_SUCCESS BYTE_ORDER MAXFLOAT math_errhandling quad signgam GEN_STEP GEN_H near \
        gen_t at signals known h k1 rate_of i386; do
        echo "<first-order id=\"$name\" in=\"$last\" out=\"$name\" T=\"0.3 s\"/>"
        last=$name
    done
    echo '<simulation duration="0.1" step="0.01" method="rk4"/></model>'
} > macros.xml
agrees macros.xml 0
CODEGEN_OPTIONS=--tunable CODEGEN_CFLAGS=-std=gnu11 agrees macros.xml 1e-12 --method backward-euler

# a number too small for a float keeps a divisor from zero none the less
printf '%s\n' '<model name="m" xmlns="urn:linnet:model:1"><step id="s" out="u" delay="0.5"/>' \
    '<function id="f" in="u" out="y" expression="u/max(u, 1e-300)"/><simulation duration="1" step="0.1" method="euler"/><record signals="y"/></model>' > tiny.xml
generate tiny.xml --float && "$work/gen/main" > tiny.csv || fail "a divisor became zero in float: $(tail -n 1 tiny.csv)"

# float: as near as float is
generate "$examples/hybrid/triggered_sampler.xml" --method heun --step 5ms --float # no states: nothing needs the time
generate "$examples/signal/pi-loop.xml" --float
"$work/gen/main" -o float.csv
expect 0 "$LINNET" run "$examples/signal/pi-loop.xml" -q -o run.csv
awk -F, 'NR == FNR { y[sprintf("%.4f", $1)] = $3; next } FNR > 1 { d = $3 - y[sprintf("%.4f", $1)]; n += d < 2e-6 && d > -2e-6 }
         END { exit n < 2000 }' run.csv float.csv || fail "float is far off"
grep -q double gen/gen.c && fail "float code holds a double"

# refused by name and place
expect 3 "$LINNET" codegen "$examples/electrical/rc-step.xml" -o none --method rk4 --step 1us
says err "rc-step.xml:" "physical"
expect 2 "$LINNET" codegen "$examples/signal/pi-loop.xml" -o none --method tr-bdf2
says err "--method euler, heun or rk4"
expect 2 "$LINNET" codegen "$examples/signal/pi-loop.xml" -o none --tolerance 1e-6
expect 2 "$LINNET" codegen "$examples/signal/pi-loop.xml" -o none --name 2nd
says err "identifier"
expect 2 "$LINNET" codegen "$examples/signal/pi-loop.xml" -o none --input nothing
says err "nothing"
expect 5 "$LINNET" codegen "$examples/signal/pi-loop.xml" -o hostile.xml/none
[ -e none ] && fail "refused code left files"
# with any method of fixed step nothing is located within a step: the relay turns at a boundary
printf '%s\n' '<model name="m" xmlns="urn:linnet:model:1"><sine id="s" frequency="1" out="u"/>' \
    '<function id="r" in="u" out="y" expression="if(u gt 0.3, 1, 0)"/><simulation duration="1" step="0.01"/></model>' > "$work/relay.xml"
for method in rk4 backward-euler crank-nicolson; do
    expect 0 "$LINNET" run "$work/relay.xml" --events at-steps --method $method -q -o "$work/r.csv"
    awk -F, 'FNR > 1 && ($1 * 100) % 1 > 1e-6 && ($1 * 100) % 1 < 1 - 1e-6 { exit 1 }' "$work/r.csv" || fail "$method leaves its grid"
done
finish

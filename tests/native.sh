#!/bin/sh
# SPDX-License-Identifier: MIT
# linnet run --native: the same results as by the interpreter, code kept in a cache of the user alone, and a run that is
# interpreted, with a note, where there is no code.
. "${srcdir:-.}/tests/shell.sh"
. "$srcdir/tests/codegen_kit.sh"
have_compiler && command -v cc > out || { echo "no C compiler here"; exit 77; }
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME

# both MODEL TOLERANCE [OPTION]...: native and interpreted runs agree at all times that both have
both() {
    model=$1 tolerance=$2
    shift 2
    expect 0 "$LINNET" run "$model" "$@" --events at-steps --newton exact -q -o plain.csv
    expect 0 "$LINNET" run "$model" --native "$@" -o native.csv || return 1
    grep -q 'native    code compiled' "$work/err" || fail "$model is interpreted: $(cat "$work/err")"
    same plain.csv native.csv "$tolerance" > out || fail "$model: $(head -n 3 out)"
}

# explicit methods: operation by operation the same
SIDE=
both "$srcdir/bench/pid.xml" 0 --duration 10s --interval 10ms
says err "code compiled in"
both "$srcdir/bench/pid.xml" 0 --duration 10s --interval 10ms
says err "code compiled before"
both "$examples/hybrid/bouncing-ball.xml" 1e-12 --method rk4 --step 1ms
both "$examples/hybrid/sampled-motor.xml" 1e-12 --method crank-nicolson --step 1ms
# networks, of which the values belong to the end of a step
SIDE=left
both "$examples/electrical/rlc-filter.xml" 1e-12 --method crank-nicolson --step 1us
both "$examples/electrical/half-wave-rectifier.xml" 1e-12 --method backward-euler --step 50us
says err '1 state; 1 nonlinear block'
# windings that couple by 0.999: to rounding, a linear step's second update may be larger than its first
both "$examples/electrical/transformer.xml" 1e-11 --method crank-nicolson --step 2us

# what is asked to be recorded, measured and resampled is as in any run
sed 's/<record signals="[^"]*"/<record signals="R1.P D1.i out"/' "$examples/electrical/half-wave-rectifier.xml" > few.xml
expect 0 "$LINNET" run few.xml --native --method backward-euler --step 50us --measure 'maximum(out)' --interval 1ms -o few.csv
[ "$(head -n 1 few.csv | cut -d , -f 1-4)" = "time,R1.P,D1.i,out" ] && [ "$(wc -l < few.csv)" -gt 20 ] ||
    fail "recorded: $(head -n 2 few.csv)"
says err "maximum(out)"

# the cache: private; an entry that is no library, or another text, is made anew; none where it is not the user's alone
[ "$(stat -c %a cache/linnet)" = 700 ] || fail "mode of the cache: $(stat -c %a cache/linnet)"
interpreted() { # REASON: the run goes on without native code and says why
    expect 0 "$LINNET" run "$srcdir/bench/pid.xml" --native --duration 10s --interval 10ms -o other.csv
    says err "$1" "the run is interpreted"
    cmp -s other.csv native.csv || fail "another result: $1"
}
both "$srcdir/bench/pid.xml" 0 --duration 10s --interval 10ms
for library in cache/linnet/*.so; do echo "no library" > "$library.new"; mv "$library.new" "$library"; done
interpreted "cannot be loaded"
both "$srcdir/bench/pid.xml" 0 --duration 10s --interval 10ms
says err "code compiled in"
for text in cache/linnet/*.c; do echo "/* another */" > "$text"; done
both "$srcdir/bench/pid.xml" 0 --duration 10s --interval 10ms
says err "code compiled in"
chmod 755 cache/linnet
interpreted "no folder of yours alone"
chmod 700 cache/linnet
rm -rf cache
mkdir none
printf '#!/bin/sh\nexit 127\n' > none/cc
chmod +x none/cc
PATH=$work/none:$PATH interpreted "there is no C compiler"
HOME=relative XDG_CACHE_HOME=relative interpreted "set XDG_CACHE_HOME"

# what the code cannot carry is interpreted; what contradicts it is refused
expect 0 "$LINNET" run "$srcdir/bench/pid.xml" --native --duration 10s --interval 7.3ms -q -o other.csv
says err "no multiple of the step"
expect 0 "$LINNET" run "$examples/electrical/half-wave-rectifier.xml" --native --tolerance 1e-4 -q -o other.csv
says err "it takes fixed steps; give --step"
expect 2 "$LINNET" run "$srcdir/bench/pid.xml" --native --events located -o other.csv
expect 2 "$LINNET" run "$srcdir/bench/pid.xml" --native --checkpoint point -o other.csv

# a step without solution is divided on both sides alike, through the jumps of Van der Pol's oscillator
sed 's|<simulation [^>]*>|<simulation duration="900 s" step="2 s" method="backward-euler"/>|' \
    "$examples/stiff/van-der-pol.xml" > pol.xml
expect 0 "$LINNET" run pol.xml --newton exact -o plain.csv
says err "tried again shorter"
expect 0 "$LINNET" run pol.xml --native -q -o native.csv
same plain.csv native.csv 1e-7 > out || fail "through the jumps: $(head -n 3 out)"

# where the code finds none in parts, either, the run goes on interpreted: a thyristor without charge jumps; it goes out again
# at the end of the half wave, and stays so in the next, which has no pulse. What fails there, too, says why.
printf '%s\n' '* thyristor' '.model q NPN(IS=1e-16 BF=100)' '.model p PNP(IS=1e-16 BF=100)' 'vs a 0 sin(0 21 50)' 'rl a k1 1k' \
    'qp g2 b2 k1 p' 'qn b2 g2 0 q' 'rg g2 0 1k' 'ig 0 g2 pulse(0 5m 3m 10u 10u 100u 1)' '.tran 10u 30m' '.print tran v(k1)' \
    '.end' > thyristor.cir
expect 0 "$LINNET" run thyristor.cir --method backward-euler --step 10us -q -o plain.csv
expect 0 "$LINNET" run thyristor.cir --method backward-euler --step 10us --native -o native.csv
says err "native steps end behind t = " "the run goes on interpreted" "jumps from"
same plain.csv native.csv 1e-6 > out || fail "through a leap: $(head -n 3 out)"
awk -F, '$1 > 5e-3 && $1 < 8e-3 { on = $2 } END { exit !($1 > 0.02999 && on > 0.5 && on < 1) }' native.csv || fail "the leap: $(tail -n 1 native.csv)"
printf '%s\n' '<model name="m"><block-type name="b"><state name="x" start="1"/><equation>der(x) = x^2</equation></block-type>' \
    '<b id="b"/><simulation duration="2" step="1 ms" method="rk4"/><record signals="b.x"/></model>' > up.xml
expect 4 "$LINNET" run up.xml --native -o up.csv
says err "a signal or state is NaN or infinite" "rate of b.x is not finite"
[ "$(wc -l < up.csv)" -gt 900 ] || fail "rows kept: $(wc -l < up.csv)"
finish

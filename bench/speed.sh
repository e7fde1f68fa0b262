#!/bin/sh
# Speed as ratios against something else in the same run: `make bench`. Needs a built tree; ngspice if installed.
# Figures are the best of three runs each, taken in turn, on one core.
#   1. RC ladder of 10 000 sections, 5 000 fixed steps: per step against the bare klu_solve of its matrix (bench/klu_ladder.c)
#   2. the same run as a whole against ngspice with the same forced step, one node saved
#   3. a PID loop, RK4, interpreted and --native: against the same loop written by hand in C at -O2 (bench/pid.c)
#   4. start-up: what the smallest runs take
# bench/growth.py, the next part of `make bench`, goes up to a million sections.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
linnet=${LINNET:-$PWD/linnet}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
one="taskset -c 0"
command -v taskset > /dev/null || one=""
seconds() { # wall seconds of a command, its output thrown away
    begin=$(date +%s.%N)
    "$@" > run.out 2> run.err || { cat run.err >&2; return 1; }
    end=$(date +%s.%N)
    awk -v a="$begin" -v b="$end" 'BEGIN { printf "%.4f\n", b - a }'
}
least() { sort -g | head -n 1; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }

sections=${SECTIONS:-10000} steps=${STEPS:-5000} trials=${TRIALS:-3}
awk -v n="$sections" -v steps="$steps" -f "$here/ladder.awk" > ladder.xml
awk -v n="$sections" -v steps=10 -f "$here/ladder.awk" > ladder10.xml
awk -v n="$sections" -v steps="$steps" -v spice=1 -f "$here/ladder.awk" > ladder.cir
cc -O2 -o klu "$here/klu_ladder.c" -lklu
cc -O2 -o pid "$here/pid.c"
: > a; : > a10; : > k; : > s; : > p; : > pn; : > c
for trial in $(seq "$trials"); do
    seconds $one "$linnet" run ladder.xml -o ladder.csv >> a
    seconds $one "$linnet" run ladder10.xml -o ladder10.csv >> a10
    $one ./klu "$sections" "$steps" >> k
    if command -v ngspice > /dev/null && [ "$trial" -le "${SPICE_TRIALS:-1}" ]; then
        seconds $one ngspice -b -r ladder.raw ladder.cir >> s
        tr -d '\0' < ladder.raw | grep -a 'No. Points' > points || true
    fi
    seconds $one "$linnet" run "$here/pid.xml" -o pid.csv >> p
    seconds $one "$linnet" run "$here/pid.xml" --native -o pid.csv >> pn
    $one ./pid 1000000 0.001 | cut -d' ' -f1 >> c
done
whole=$(least < a); start=$(least < a10); klu=$(least < k)
step=$(awk -v a="$whole" -v b="$start" -v n="$steps" 'BEGIN { printf "%.2f", (a - b) / (n - 10) * 1e6 }')
echo "ladder of $sections sections, $steps steps of Crank-Nicolson"
echo "  linnet  $step us per step, klu_solve $klu us: ratio $(ratio "$step" "$klu") (at most 1.5 is asked)"
if [ -s s ]; then
    echo "  linnet  $whole s per run, ngspice $(least < s) s ($(cat points)): ratio $(ratio "$(least < s)" "$whole") (at least 5 is asked)"
else
    echo "  ngspice is not installed: no comparison"
fi
echo "PID loop, 1000000 steps of RK4"
echo "  linnet  $(least < p) s per run, C at -O2 $(least < c) s: ratio $(ratio "$(least < p)" "$(least < c)") (at most 2.5 is asked)"
echo "  with --native $(least < pn) s per run: ratio $(ratio "$(least < pn)" "$(least < c)") (at most 1.1 is asked)"
runs=${RUNS:-100}
startup() { # processor milliseconds of a command, the mean of so many runs
    (
        k=0
        while [ $k -lt "$runs" ]; do
            "$@" > run.out 2>&1
            k=$((k + 1))
        done
        times
    ) | awk -v n="$runs" 'END { for (k = 1; k <= 2; k++) { split($k, t, /[ms]/); s += 60*t[1] + t[2] }; printf "%.1f", 1000*s/n }'
}
rc=$here/../models/examples/electrical/rc-step.xml
printf 'rc\nV1 in 0 PWL(0 0 1n 1)\nR1 in out 1k\nC1 out 0 1u\n.tran 20u 5m\n.print tran v(out)\n.end\n' > rc.cir
echo "start-up, processor milliseconds, mean of $runs runs"
echo "  linnet --version $(startup "$linnet" --version), rc-step.xml $(startup "$linnet" run "$rc" -q -o rc.csv) (at most 10 is asked)"
if command -v ngspice > /dev/null; then
    echo "  ngspice, such a deck $(startup ngspice -b -r rc.raw rc.cir)"
fi

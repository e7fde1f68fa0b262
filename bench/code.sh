#!/bin/sh
# Generated code beside the same models written by hand (bench/code) and beside the simulator: `make bench-code`. Time of a
# step in ns, the least of 15 runs of CPU time, at -O2 by cc or what CC names; bytes of text at -Os for this machine and, with the cross compiler
# arm-none-eabi-gcc, for a Cortex-M4 with its FPU in single precision.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
linnet=${LINNET:-$PWD/linnet}
examples=$here/../models/examples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
compiler=${CC:-cc}
one="taskset -c 0"
command -v taskset > /dev/null || one=""
text_of() { "$1"size "$2" | awk 'NR == 2 { print $1 }'; }

# row NAME MODEL STEPS METHOD HAND [FLAG]: a line of the table
row() {
    name=$1 model=$2 steps=$3 method=$4 hand=$5
    shift 5
    "$linnet" codegen "$model" --method "$method" -q --name gen -o gen
    $compiler -O2 -Igen -I"$here/code" "$@" -o made "$here/code/harness.c" gen/gen.c -lm
    $compiler -O2 -DHAND -I"$here/code" -o hand "$here/code/harness.c" "$here/code/$hand.c" -lm
    $compiler -Os -c -o made.o gen/gen.c
    $compiler -Os -c -I"$here/code" -o hand.o "$here/code/$hand.c"
    $one ./made "$steps" > made.out
    $one ./hand "$steps" > hand.out
    $one "$linnet" run "$model" --method "$method" --newton exact --events at-steps -o run.csv 2> run.err
    simulated=$(sed -n 's/.*elapsed.* \([0-9.]*\) us a step.*/\1/p' run.err)
    arm=-
    command -v arm-none-eabi-gcc > /dev/null &&
        arm-none-eabi-gcc -Os -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 -c -o arm.o gen/gen.c 2> /dev/null &&
        arm=$(text_of arm-none-eabi- arm.o)
    read -r made_ns made_value < made.out
    read -r hand_ns hand_value < hand.out
    awk -v name="$name" -v a="$made_ns" -v b="$hand_ns" -v s="${simulated:-0}" -v x="$made_value" -v y="$hand_value" \
        -v made="$(text_of "" made.o)" -v hand="$(text_of "" hand.o)" -v arm="$arm" 'BEGIN {
        d = x - y; if (d < 0) d = -d
        printf "| %s | %.1f | %.1f | %.2f | %.0f | %s | %s | %s |%s\n", name, a, b, a / b, 1000 * s, made, hand, arm,
            (d > 1e-6 ? " they differ: " x " and " y : "") }'
}

echo "| model | generated, ns a step | by hand | ratio | simulator | text, bytes | by hand | Cortex-M4 |"
echo "|---|---|---|---|---|---|---|---|"
row "PI loop, rk4" "$examples/signal/pi-loop.xml" 200000 rk4 pi_loop
row "DC motor and its controller, Crank-Nicolson" "$examples/mixed/dc-motor-pi.xml" 200000 crank-nicolson dc_motor -DNETWORK
row "rectifier, Crank-Nicolson" "$examples/electrical/half-wave-rectifier.xml" 100000 crank-nicolson rectifier -DNETWORK

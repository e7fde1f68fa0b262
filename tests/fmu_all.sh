#!/bin/sh
# SPDX-License-Identifier: MIT
# Every example as an FMU, of FMI 2 and 3, in co-simulation by rk4, Crank-Nicolson and backward Euler and in model exchange,
# beside the simulation at every communication point (tests/fmu_compare.py). Of `make check-full`; tests/fmu_examples.sh takes
# the ten that come first.
. "${srcdir:-.}/tests/shell.sh"
. "$srcdir/tests/codegen_kit.sh"
have_compiler || { echo "no C compiler here"; exit 77; }
command -v python3 > out || { echo "no Python here"; exit 77; }
"$LINNET" export "$examples/signal/pi-loop.xml" --compiler none -q -o one.fmu > out 2>&1 ||
    { grep -q libzip out && { echo "no libzip here"; exit 77; }; fail "$(cat out)"; }
$CC -O1 -I"$srcdir/share/fmi" -o host "$srcdir/tests/fmi/host.c" -ldl -lm 2> err || { cat err; exit 1; }

# alike NAME MODE VERSION METHOD: to 1e-11; or there is no such FMU
alike() {
    python3 "$srcdir/tests/fmu_compare.py" "$LINNET" ./host "$examples/$1.xml" "$2" "$3" "$4" 1e-11 > out 2>&1
    case $? in
    0)
        compared=$((compared + 1))
        grep -q 'beside the code' out && beside=$((beside + 1))
        ;;
    77) [ "$2" = me ] || grep -Eq 'physical|explicit|a library holds types|makes .* steps|has no pivot|foreign|holds a derivative|factor that varies|no signal, state|temperature|unknowns|the run of' out ||
        fail "$*: $(tail -n 1 out)" ;;
    *) fail "$*: $(tail -n 1 out)" ;;
    esac
}

compared=0 beside=0
while read -r name mode version method; do
    alike "$name" "$mode" "$version" "$method"
done << 'END'
signal/pi-loop cs 2 rk4
signal/anti-windup cs 3 rk4
stiff/detest-a1 me 3 rk4
hybrid/bouncing-ball me 2 rk4
hybrid/ripple-counter me 3 rk4
hybrid/pwm-inductor cs 3 crank-nicolson
electrical/half-wave-rectifier cs 2 crank-nicolson
mixed/dc-motor-pi cs 3 backward-euler
hydraulic/water-hammer cs 2 backward-euler
signal/delayed-loop cs 3 crank-nicolson
END
[ $compared = 10 ] && [ $beside = 0 ] || fail "of ten $compared were compared, $beside of these beside the code alone"
[ "${FMU_EXAMPLES:-all}" = ten ] && finish

for model in "$examples"/*/*.xml; do
    name=$(basename "$(dirname "$model")")/$(basename "$model" .xml)
    for version in 2 3; do
        alike "$name" cs $version rk4
        alike "$name" me $version rk4
    done
    alike "$name" cs 2 crank-nicolson
    alike "$name" cs 3 backward-euler
done
echo "$compared comparisons, $beside of these beside the code"
[ $((compared - beside)) -ge 240 ] || fail "only $((compared - beside)) were made with the simulation"
finish

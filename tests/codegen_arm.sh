#!/bin/sh
# SPDX-License-Identifier: MIT
# Generated code on ARM: of every example warning-free for a Cortex-M4, in float and in double, without globals and heap; of
# some on a 32-bit Linux, under qemu, with the results of this machine. Of `make check-full`; needs gcc-arm-none-eabi,
# gcc-arm-linux-gnueabihf and qemu-user.
. "${srcdir:-.}/tests/shell.sh"
. "$srcdir/tests/codegen_kit.sh"
for tool in arm-none-eabi-gcc arm-linux-gnueabihf-gcc qemu-arm; do
    command -v $tool > /dev/null || { echo "there is no $tool"; exit 77; }
done
for name in signal/pi-loop signal/algebraic-loop signal/complementary-filter signal/delayed-loop hybrid/bouncing-ball hybrid/enabled_meter; do
    model=$srcdir/models/examples/$name.xml
    CODEGEN_OPTIONS=--float expect 0 "$LINNET" codegen "$model" --float --name gen -o small -q
    arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard -O2 $STRICT -c -o small.o small/gen.c 2> err ||
        fail "$name on a Cortex-M4: $(head -n 5 err)"
    arm-none-eabi-nm small.o | grep -E ' U (__aeabi_d|malloc)' && fail "$name computes in double, or allocates"
    arm-none-eabi-nm small.o | grep -E ' [BDC] ' && fail "$name has globals"
    generate "$model" || continue
    gen/main > here.csv
    arm-linux-gnueabihf-gcc -static -O2 $STRICT -o there gen/gen.c gen/gen_main.c -lm 2> err || { fail "$name: $(head -n 5 err)"; continue; }
    qemu-arm ./there > there.csv || fail "$name stops on ARM"
    # the functions of another libm may differ in the last digit
    same here.csv there.csv 1e-12 > out || fail "$name on ARM: $(cat out)"
done
# every example by every kind of method; clang, where it is there, has warnings of its own
count=0
for model in "$srcdir"/models/examples/*/*.xml; do
    step=$(sed -n 's/.*<simulation[^>]* step="\([^"]*\)".*/\1/p' "$model" | head -n 1)
    duration=$(sed -n 's/.*<simulation[^>]* duration="\([^"]*\)".*/\1/p' "$model" | head -n 1)
    for options in "--method rk4" "--method rk4 --float --tunable" "--method backward-euler" "--method crank-nicolson --float"; do
        # shellcheck disable=SC2086
        "$LINNET" codegen "$model" $options --step "${step:-($duration)/1000}" --name gen -o small -q > out 2>&1 || continue
        arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard -O1 $STRICT -c -o small.o small/gen.c 2> err ||
            fail "$model $options on a Cortex-M4: $(head -n 5 err)"
        arm-none-eabi-nm small.o | grep -E ' [BDC] |malloc' && fail "$model $options has globals, or allocates"
        if command -v clang > out; then
            clang -O0 $STRICT -c -o small.o small/gen.c 2> err || fail "$model $options by clang: $(head -n 5 err)"
        fi
        count=$((count + 1))
    done
done
[ $count -ge 280 ] || fail "only $count codes were compiled"
# circuits: a rectifier with its diode, and events
for name in electrical/half-wave-rectifier hybrid/pwm-inductor hydraulic/water-hammer; do
    CODEGEN_OPTIONS= generate "$srcdir/models/examples/$name.xml" --method backward-euler --step 20us || continue
    arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -O2 $STRICT -c -o small.o gen/gen.c 2> err || fail "$name on a Cortex-M4: $(head -n 5 err)"
    arm-none-eabi-nm small.o | grep -E ' [BDC] |malloc' && fail "$name has globals, or allocates"
    gen/main -t 5e-3 > here.csv
    arm-linux-gnueabihf-gcc -static -O2 $STRICT -o there gen/gen.c gen/gen_main.c -lm 2> err || { fail "$name: $(head -n 5 err)"; continue; }
    qemu-arm ./there -t 5e-3 > there.csv || fail "$name stops on ARM"
    same here.csv there.csv 1e-9 > out || fail "$name on ARM: $(cat out)"
done
finish

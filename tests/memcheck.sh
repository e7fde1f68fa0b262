#!/bin/sh
# SPDX-License-Identifier: MIT
# valgrind's memcheck over a sample of every command: no error, no block lost. Where LINNET_FULL is set (make check-full); else one.
. "${srcdir:-.}/tests/shell.sh"
command -v valgrind > /dev/null || { echo "valgrind is missing (Debian: apt-get install valgrind)"; exit 77; }
cd "$work" && cp "$srcdir"/tests/small/* . || exit 1
examples=$srcdir/models/examples
"$LINNET" run rc.xml -q -o rc.csv || fail "no result"
"$LINNET" run rc.xml -q -o rc.raw || fail "no rawfile"

commands=0
check() { # STATUS COMMAND...
    commands=$((commands + 1))
    status=$1
    shift
    OPENBLAS_NUM_THREADS=1 valgrind -q --leak-check=full --errors-for-leak-kinds=definite,indirect --show-leak-kinds=definite,indirect \
        --error-exitcode=99 "$LINNET" "$@" > out 2> err < /dev/null
    got=$?
    [ $got -eq "$status" ] || { fail "status $got, expected $status: $*"; grep -a '^==' err | head -n 20; }
}
check 0 op deck.cir # a diode without charge: entries that no flow adds to were not set
[ -n "$LINNET_FULL" ] || { finish; exit; }
for method in backward-euler tr-bdf2 bdf2 radau5 ida; do check 0 run deck.cir -q -m $method -t 1e-3 -o o.csv; done
for method in euler heun rk4; do check 0 run loop.xml -q -m $method -o o.csv; done
for ending in raw mat h5; do check 0 run rc.xml -q -o o.$ending; done
check 0 run loop.xml -q -m rk45 -t 1e-4 -o o.csv
check 0 run "$examples/hybrid/thermostat.xml" -q -o o.csv
check 0 run "$examples/electrical/hysteresis-loop.xml" -q -d 1ms -o o.csv
check 0 run deck.cir -q -o o.csv
check 0 check rc.xml
check 3 check "$srcdir"/tests/bad/61-size-grows.xml
check 0 verify rc.xml
check 0 run rc.xml -q -o o.csv
check 0 compare rc.xml --methods backward-euler,tr-bdf2 -q
check 0 eig rc.xml
check 0 linearise rc.xml --inputs V1 --outputs out
check 0 ac rc.xml --input V1 --output out --from 1Hz --to 1kHz
check 0 margins loop.xml --open e
check 0 sweep rc.xml -j 2 -q --vary load=1k,2k --measure 'top=maximum(out)' -o o.csv
check 0 codegen loop.xml -q -o code
check 0 codegen deck.cir -m backward-euler -s 1us -q -o code
check 0 codegen loop.xml -q --language python -o code
check 0 export loop.xml -q --compiler none -o o.fmu
check 0 convert deck.cir -q -o o.xml
check 0 result rc.csv
check 0 result rc.csv rc.raw
check 0 blocks
check 0 blocks mosfet
check 0 loops loop.xml
check 0 plot rc.csv -q -o o.svg
check 0 diagram rc.xml -q -o o.svg
check 0 report rc.xml -q -o o.html
check 0 schema
check 0 completion bash
check 0 bug-report rc.xml -o o.txt
echo "$commands commands"
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# ThreadSanitizer over the API in two threads and over sweeps with two: a build of its own beside the sources, only where
# LINNET_FULL is set (make check-full). Without it nothing is to be seen here: tests/test_threads is a test of make check.
[ -n "$LINNET_FULL" ] || { echo "two threads under ThreadSanitizer: make check-full"; exit 77; }
. "${srcdir:-.}/tests/shell.sh"
build=$work/build
mkdir "$build" && cd "$srcdir" || exit 1
git ls-files -z | xargs -0 cp --parents -t "$build" || { echo "not a work tree of git"; exit 77; }
cd "$build" || exit 1
linker=
command -v mold > /dev/null && linker=-fuse-ld=mold
{ ./bootstrap --disable-shared --without-mpi CFLAGS='-O1 -g1 -fsanitize=thread' LDFLAGS="-fsanitize=thread $linker" &&
    make -s tests/test_threads; } > build.out 2>&1 || { tail build.out bootstrap.log; exit 1; }
export TSAN_OPTIONS='exitcode=66 halt_on_error=0' OPENBLAS_NUM_THREADS=1
tests/test_threads > said 2>&1 || { fail "two threads: status $?"; head -n 60 said; }
cp "$srcdir"/tests/small/deck.cir .
for more in '' '--tolerance 1e-4' '--tolerance 1e-4 --method ida' '--save-runs runs'; do
    # shellcheck disable=SC2086
    expect 0 ./linnet sweep deck.cir -j 2 -q -d 2ms --vary load=1k,2k,3k,4k,5k,6k --measure 'top=maximum(b)' -o o.csv $more
done
expect 0 ./linnet sweep deck.cir -j 2 -q -d 2ms --vary 'load=uniform(1k,9k)' --cases 20 --measure 'top=maximum(b)' -o o.csv
# Threads that evaluate devices: transistors that fail at first, rest and move.
awk 'BEGIN { print "* inverters\n.model nm NMOS(vto=0.6 kp=120u cgso=0.25n)\n.model pm PMOS(vto=-0.7 kp=45u cgso=0.25n)"
    print "VDD vdd 0 3.3\nV1 n0 0 PULSE(0 3.3 0.2n 0.1n 0.1n 1.9n 4n)"
    for (k = 1; k <= 100; k++) {
        printf "MP%d n%d n%d vdd vdd pm w=5u l=0.5u\nMN%d n%d n%d 0 0 nm w=2u l=0.5u\n", k, k, k - 1, k, k, k - 1
        printf "CL%d n%d 0 10f\n", k, k
    }
    print ".tran 10p 2n\n.print tran v(n1) v(n50)\n.end" }' > inverters.cir
for more in '-m crank-nicolson --step 10p' '--tolerance 1e-3'; do
    # shellcheck disable=SC2086
    expect 0 ./linnet run inverters.cir -q --threads 3 -o o.csv $more
done
finish

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
    make -s tests/test_threads; } > build.out 2>&1 || { tail build.out; exit 1; }
export TSAN_OPTIONS='exitcode=66 halt_on_error=0' OPENBLAS_NUM_THREADS=1
tests/test_threads > said 2>&1 || { fail "two threads: status $?"; head -n 60 said; }
cat > rc.xml << 'XML'
<model name="rc" xmlns="urn:linnet:model:1">
  <parameter name="load" value="1 kOhm"/>
  <ground id="gnd" p="0"/>
  <sine-voltage id="V1" p="in" n="0" amplitude="1 V" frequency="1 kHz"/>
  <diode id="D1" p="in" n="out"/>
  <resistor id="R1" p="out" n="0" R="load"/>
  <capacitor id="C1" p="out" n="0" C="1 uF"/>
  <simulation duration="2 ms" step="10 us"/>
</model>
XML
for more in '' '--tolerance 1e-4' '--tolerance 1e-4 --method ida' '--save-runs runs'; do
    # shellcheck disable=SC2086
    expect 0 ./linnet sweep rc.xml -j 2 -q --vary load=1k,2k,3k,4k,5k,6k --measure 'top=maximum(out)' -o o.csv $more
done
expect 0 ./linnet sweep rc.xml -j 2 -q --vary 'load=uniform(1k,9k)' --cases 20 --measure 'top=maximum(out)' -o o.csv
finish

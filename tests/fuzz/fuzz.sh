#!/bin/sh
# SPDX-License-Identifier: MIT
# Searches by clang's libFuzzer: fuzz.sh PROGRAM HOURS [TARGET]... HOURS (0.01 is 36 s) are shared by the targets, all
# without one; `network`, which solves, gets as much as the seven that read. Seeds are the corpus, the examples and the other tests' decks; what is found new stays in ./fuzz-corpus, an input
# that breaks something in ./fuzz-found. Prints executions and time of each target. LeakSanitizer looks at the end
# only (after each execution it took most of the time; the driver counts blocks), and the entropic schedule, whose tables grow
# with every feature of a simulator, is off. What takes long without a sign of life is found by driver.c; a slow run is none.
program=$1 hours=$2
shift 2
[ $# -gt 0 ] || set -- xml deck diagram expression number table checkpoint network
share() { case $1 in network) echo 7 ;; *) echo 1 ;; esac; }
shares=0
for target in "$@"; do shares=$((shares + $(share "$target"))); done
failed=0
for target in "$@"; do
    seconds=$(awk -v h="$hours" -v n="$(share "$target")" -v all=$shares 'BEGIN { s = h*3600*n/all; printf "%d", s < 1 ? 1 : s }')
    mkdir -p "fuzz-corpus/$target" fuzz-found
    seeds=$srcdir/tests/fuzz/corpus/$target
    words=
    longest=4096
    case $target in
        xml) seeds="$seeds $srcdir/models/examples $srcdir/tests/bad" words=-dict=$srcdir/tests/fuzz/xml.dict ;;
        deck) seeds="$seeds $srcdir/tests/spice" words=-dict=$srcdir/tests/fuzz/deck.dict ;;
        expression) words=-dict=$srcdir/tests/fuzz/expression.dict longest=256 ;;
        number | checkpoint | network) longest=256 ;;
    esac
    # shellcheck disable=SC2086
    LINNET_FUZZ=$target ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1 OPENBLAS_NUM_THREADS=1 nice -n 19 \
        "$program" -detect_leaks=0 -entropic=0 -max_total_time="$seconds" -timeout=1200 -rss_limit_mb=3000 -max_len=$longest -print_final_stats=1 \
        -artifact_prefix=fuzz-found/$target- $words "fuzz-corpus/$target" $seeds > "fuzz-$target.log" 2>&1
    status=$?
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "fuzz-$target.log")
    echo "$target: ${runs:-?} executions in $seconds s, status $status"
    [ $status -eq 0 ] || { failed=1; tail -n 40 "fuzz-$target.log"; }
done
exit $failed

#!/bin/sh
# SPDX-License-Identifier: MIT
# A sweep of 10 000 cases in two threads against two independent processes that share the cases: `make bench-sweep`. Both
# are run by turns; the ratio of the least times is the speed of the sweep as a part of that of the two processes.
set -eu
linnet=${LINNET:-$PWD/linnet} trials=${TRIALS:-5} cases=${CASES:-10000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > rc.xml << 'EOF'
<model name="rc" xmlns="urn:linnet:model:1">
  <ground id="gnd" p="0"/>
  <step-voltage id="V1" p="in" n="0" height="1 V"/>
  <resistor id="R1" p="in" n="out" R="1 kOhm"/>
  <capacitor id="C1" p="out" n="0" C="1 uF"/>
  <simulation duration="5 ms" step="20 us"/>
  <measure name="t50" kind="crossing" signal="out" level="0.5 V"/>
  <measure name="end" kind="final" signal="out"/>
</model>
EOF
half=$((cases / 2))
now() { date +%s.%N; }
sweep() { "$linnet" sweep rc.xml --vary 'R1.R=uniform(5%)' --vary 'C1.C=normal(5%)' -q "$@"; }
k=0
while [ $k -lt "$trials" ]; do
    a=$(now)
    sweep --cases "$cases" -j 2 -o both.csv
    b=$(now)
    sweep --cases $half -j 1 -o first.csv & one=$!
    sweep --cases $half -j 1 --seed 2 -o second.csv
    wait $one
    c=$(now)
    echo "$a $b $c" >> times
    k=$((k + 1))
done
echo "load $(cut -d' ' -f1-3 /proc/loadavg 2> /dev/null || echo unknown)"
awk -v n="$cases" '{ s = $2 - $1; p = $3 - $2; printf "two threads %.3f s, two processes %.3f s\n", s, p
    if (NR == 1 || s < ls) ls = s
    if (NR == 1 || p < lp) lp = p }
    END { printf "least: %.3f s (%.0f us a case), %.3f s; the sweep has %.0f %% of the speed of two processes\n",
          ls, 1e6 * ls / n, lp, 100 * lp / ls }' times

#!/bin/sh
# SPDX-License-Identifier: MIT
# linnet sweep from outside: the same bytes whoever works on it and whatever interrupts it, failing cases, what is wrong.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1
cat > rc.xml << 'EOF'
<model name="rc" xmlns="urn:linnet:model:1">
  <parameter name="n" type="integer" value="1"/>
  <ground id="gnd" p="0"/>
  <step-voltage id="V1" p="x[0]" n="0" height="1 V"/>
  <repeat index="k" from="1" to="n">
    <resistor id="R[k]" p="x[k-1]" n="x[k]" R="1 kOhm"/>
    <capacitor id="C[k]" p="x[k]" n="0" C="1 uF"/>
  </repeat>
  <simulation duration="5 ms" step="50 us"/>
  <measure name="end" kind="final" signal="x[1]"/>
</model>
EOF
set -- rc.xml --vary n=1,2,3 --vary 'C[1].C=normal(5%)' --cases 100 --measure 't50=crossing(x[1], level=0.4 V)'

# one, two threads, two processes; another seed is another sweep
expect 0 "$LINNET" sweep "$@" -j 1 -o one.csv && says out "300 of 300 cases, 0 failed" "end [V]" "t50 [s]"
expect 0 "$LINNET" sweep "$@" -j 2 -o two.csv -q
cmp one.csv two.csv || fail "two threads make another result"
[ "$(wc -l < one.csv)" = 301 ] || fail "the result has $(wc -l < one.csv) lines"
expect 0 "$LINNET" sweep "$@" -j 2 -o - -q && cmp -s "$work/out" one.csv || fail "the standard output differs"
expect 0 "$LINNET" sweep "$@" --seed 2 -o seed.csv -q && cmp -s one.csv seed.csv && fail "the seed has no influence"
module=$(dirname "$LINNET")/.libs/linnet-mpi.so
if command -v mpirun > /dev/null && [ -e "$module" ]; then
    root=""
    [ "$(id -u)" != 0 ] || root=--allow-run-as-root
    # what Open MPI itself never frees is not ours to find
    expect 0 env ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" \
        mpirun $root --oversubscribe -n 2 "$LINNET" sweep "$@" -o mpi.csv -q
    cmp one.csv mpi.csv || fail "two processes make another result"
fi

# a parameter's draws do not depend on what else is varied
"$LINNET" sweep rc.xml --vary 'C[1].C=normal(5%)' --cases 5 -o alone.csv -q
awk -F, 'FNR == 1 || FNR > 6 {next} FNR == NR {a[FNR] = $3; next} a[FNR] != $2 {exit 1}' one.csv alone.csv ||
    fail "draws depend on other parameters"

# killed in the middle of a line, and gone on with
expect 0 "$LINNET" sweep "$@" -o cut.csv -q --resume
for bytes in 0 40 5000 5001 17777; do
    head -c $bytes one.csv > cut.csv.part
    expect 0 "$LINNET" sweep "$@" -j 2 -o cut.csv -q --resume
    cmp one.csv cut.csv || fail "resumed at byte $bytes the result differs"
    [ ! -e cut.csv.part ] || fail "the part is still there"
done
"$LINNET" sweep "$@" --step 5us -j 2 -o killed.csv -q & child=$!
tries=0
while [ "$(cat killed.csv.part 2> /dev/null | wc -l)" -lt 3 ] && [ $tries -lt 100 ]; do sleep 0.05; tries=$((tries + 1)); done
kill -INT $child 2> /dev/null
wait $child
status=$?
[ $status = 130 ] || [ $status = 0 ] || fail "interrupted: exit status $status"
[ $status = 0 ] || [ -e killed.csv.part ] || fail "nothing was kept of an interrupted sweep"
expect 0 "$LINNET" sweep "$@" --step 5us -j 2 -o killed.csv -q --resume
"$LINNET" sweep "$@" --step 5us -j 1 -o whole.csv -q
cmp whole.csv killed.csv || fail "an interrupted sweep ends with other bytes"

# a file of another sweep, a damaged one
head -n 5 one.csv > cut.csv.part
expect 2 "$LINNET" sweep "$@" --seed 3 -o cut.csv --resume && says err "belongs to another sweep"
sed 4d one.csv > cut.csv.part
expect 2 "$LINNET" sweep "$@" -o cut.csv --resume && says err "line 4 is not the row of case 3"
rm -f cut.csv.part
expect 0 "$LINNET" sweep "$@" -o one.csv --resume && says out "300 of 300 cases"

# failing cases are rows with a reason; the others are not stopped
expect 4 "$LINNET" sweep rc.xml --vary 'R[1].R=1 kOhm,-1 Ohm,2 kOhm' -o bad.csv
says err "1 of 3 cases"
grep -q '^2,-1,,wrong,.*R\[1\] (resistor)' bad.csv || fail "the reason is missing: $(sed -n 3p bad.csv)"
[ "$(grep -c ',ok,' bad.csv)" = 2 ] || fail "the other cases did not run"

# grids, corners, JSON, single runs
expect 0 "$LINNET" sweep rc.xml --vary 'R[1].R=log:1 Ohm:100 Ohm:3' --vary 'C[1].C=corner:10%' -o grid.csv --format json \
    --save-runs runs
[ "$(cut -d, -f1-3 grid.csv | tr '\n' ' ')" = "case,R[1].R,C[1].C 1,1,9e-07 2,1,1.1e-06 3,10,9e-07 4,10,1.1e-06 5,100,9e-07 6,100,1.1e-06 " ] ||
    fail "the grid is $(cut -d, -f1-3 grid.csv)"
[ "$(ls runs | wc -l)" = 6 ] || fail "single runs were not kept"
if command -v python3 > /dev/null; then
    python3 -c "
import json, csv, statistics
table = json.load(open('$work/out')); rows = list(csv.DictReader(open('grid.csv')))
end = [float(row['end']) for row in rows]; m = table['measures'][0]
assert m['n'] == 6 and m['min'] == min(end) and m['max'] == max(end) and table['failed'] == 0
assert abs(m['mean'] - statistics.mean(end)) < 1e-12 and abs(m['std'] - statistics.stdev(end)) < 1e-9
rows = list(csv.DictReader(open('one.csv'))); c = [float(row['C[1].C']) for row in rows]
assert abs(statistics.mean(c)/1e-6 - 1) < 0.01 and abs(statistics.stdev(c)/5e-8 - 1) < 0.15
" || fail "JSON or the draws are wrong"
fi

# measures of a single run as a file
expect 0 "$LINNET" run rc.xml -q -o rc.csv --measure 'never=crossing(x[1], level=9 V)' --measures rc.json
expect 0 "$LINNET" run rc.xml -q -o rc.csv --measure 'never=crossing(x[1], level=9 V)' --measures measures.csv
grep -q '^end,0.99[0-9]*,V$' measures.csv && grep -q '^never,,s$' measures.csv || fail "measures: $(cat measures.csv)"
grep -q '"name": "never", "value": null, "unit": "s"' rc.json || fail "measures: $(cat rc.json)"
expect 2 "$LINNET" run rc.xml --measures rc.txt && says err ".json or .csv"
sed '/<measure/d' rc.xml > none.xml && expect 2 "$LINNET" run none.xml --measures none.csv && says err "nothing to write"

# what is wrong
expect 2 "$LINNET" sweep rc.xml && says err "nothing is varied"
expect 2 "$LINNET" sweep rc.xml --vary 'R[2].Q=1,2' && says err "R[2].Q"
expect 2 "$LINNET" sweep rc.xml --vary n=1:3 && says err "a grid has three parts"
expect 2 "$LINNET" sweep rc.xml --vary 'n=uniform(1,2)' && says err "--cases is missing"
expect 2 "$LINNET" sweep rc.xml --vary n=1,2 --cases 3 && says err "nothing is random"
expect 2 "$LINNET" sweep rc.xml --vary n=1,2 --measure 'a=maxmum(x[1])' && says err "did you mean 'maximum'"
expect 2 "$LINNET" sweep rc.xml --vary n=1,2 --vary n=1,2 && says err "varied twice"
expect 2 "$LINNET" sweep rc.xml --vary n=1,2 -o rc.xml && says err "would overwrite the model"
finish

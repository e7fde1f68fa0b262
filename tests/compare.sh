#!/bin/sh
# SPDX-License-Identifier: MIT
# linnet compare from outside: the three forms, no NaN anywhere, what is wrong, interruption, the picture.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1
hires=$srcdir/models/examples/stiff/hires.xml
rc=$srcdir/models/examples/electrical/rc-step.xml

no_nan() { grep -iqE '(^|[^a-z])(nan|inf)([^a-z]|$)' "$1" && fail "NaN or infinity in $1: $(grep -iE 'nan|inf' "$1" | head -n 2)"; }

# rk4 grows beyond all bounds at the first step, which must leave no NaN
set -- --methods rk4,radau5,crank-nicolson --step 321.8122/3000,321.8122/30000 --tolerance 1e-4,1e-6
for format in text csv json; do
    expect 0 "$LINNET" compare "$hires" "$@" --format $format -o table.$format && no_nan table.$format
done
grep -q '^rk4 ' table.text && grep -q '^radau5 ' table.text || fail "the table lacks methods"
grep -q '^ *rk4 is unstable at step 0.1073 s: the limit is 0.0132 s, set by h (decay at a rate of 21' table.text ||
    fail "the limit is not told: $(grep -A1 '^rk4' table.text)"
if command -v python3 > /dev/null; then
    python3 - << 'EOF' || fail "CSV and JSON do not tell the same"
import csv, json
rows = list(csv.DictReader(open("table.csv")))
table = json.load(open("table.json"), parse_constant=lambda word: 1 / 0)
assert len(rows) == len(table["rows"]) == 8 and table["complete"] is True
for row, other in zip(rows, table["rows"]):
    assert row["method"] == other["method"] and row["outcome"] == other["outcome"]
    assert (row["max_error"] == "") == (other["max_error"] is None)
    if other["max_error"] is not None: assert 0 <= float(row["max_error"]) < 1
    assert int(row["steps"]) == other["steps"]
good = [row for row in rows if row["method"] == "rk4" and row["step"] < "0.02"]
assert float(good[0]["scd"]) > 9
EOF
fi
expect 0 "$LINNET" compare "$rc" && says out "backward-euler" "radau5" "rk45" "order of" && says err "linnet: done"

# ---- a file as reference: what run writes ----
expect 0 "$LINNET" run "$rc" -m radau5 -t 1e-10 -q -o exact.csv
expect 0 "$LINNET" compare "$rc" --reference exact.csv --methods tr-bdf2 --step 10us,5us && says out "the file exact.csv" "order of tr-bdf2"

# ---- run --estimate-error: Crank-Nicolson's error on the rc step is (h/RC)^2/12 times the largest t exp(-t): 7.66e-7 V ----
expect 0 "$LINNET" run "$rc" --estimate-error -o twice.csv && says err "Richardson, order 2" "largest error" "out" "R1.i"
awk '$1 == "out" {found = $2 > 7.6e-7 && $2 < 7.7e-7 && $3 == "V"} END {exit !found}' "$work/err" ||
    fail "the estimated error is $(cat "$work/err")"
expect 0 "$LINNET" run "$rc" -o once.csv && cmp -s once.csv twice.csv || fail "--estimate-error changes the result"
expect 0 "$LINNET" run "$rc" -t 1e-5 -e -q -o - && says err "tolerance 1e-06"

# ---- wrong ----
expect 2 "$LINNET" compare
expect 2 "$LINNET" compare "$rc" --methods rk44 && says err "option --methods" "did you mean 'rk4'?"
expect 2 "$LINNET" compare "$rc" --methods ,
expect 2 "$LINNET" compare "$rc" --format yaml
expect 2 "$LINNET" compare "$rc" --limit soon
expect 2 "$LINNET" compare "$rc" --plot picture.gif
expect 2 "$LINNET" compare "$rc" --signals nothing
expect 5 "$LINNET" compare gone.xml
expect 5 "$LINNET" compare "$rc" --reference gone.csv
printf 'time,out\n0,1\nbroken' > broken.csv
expect 0 "$LINNET" compare "$rc" --reference broken.csv --methods tr-bdf2 --step 10us
printf 'time,other\n0,1\n' > other.csv
expect 2 "$LINNET" compare "$rc" --reference other.csv && says err "no column of"
expect 5 "$LINNET" compare "$rc" --methods tr-bdf2 --step 10us -o no/such/folder.txt
expect 4 "$LINNET" compare "$hires" --methods rk4 --step 10 && says err "no run came to its end"

# ---- without a limit of stability the error only grows: it is compared, and the order of it is told ----
cat > swing.xml << 'EOF'
<model name="swing"><block-type name="swing"><output name="x"/><state name="p" start="1"/><state name="q"/>
  <equation>der(p) = q</equation><equation>der(q) = -p</equation><equation>x = p</equation></block-type>
  <swing id="s" x="x"/><simulation duration="20" step="0.1"/><reference signal="x" value="cos(t)"/></model>
EOF
expect 0 "$LINNET" compare swing.xml --methods euler,heun --step 0.05,0.025,0.0125
says out "euler is unstable at every step: s holds an undamped oscillation" "order of euler over its steps: 1.14 (theory 1)"
expect 2 "$LINNET" compare swing.xml --methods ode45 && says err "'ode45' is no method; did you mean 'rk45'?"

# ---- a doubtful run is called so below its row ----
expect 0 "$LINNET" compare "$srcdir/models/examples/stiff/car-axis.xml" --methods crank-nicolson --step 1e-3
says out "crank-nicolson does not damp: a.lambda1, which is of index 3, rings"

# ---- interruption: rows that ran are told ----
"$LINNET" compare "$rc" --methods backward-euler --step 10us,1ns -o cut.csv --format csv 2> err &
pid=$!
sleep 0.4
kill -s TERM $pid
wait $pid
status=$?
[ $status = 143 ] || fail "SIGTERM ends with $status"
grep -q '^backward-euler,1e-05,,ran,' cut.csv && grep -q 'not run' cut.csv || fail "the interrupted table is $(cat cut.csv)"
no_nan cut.csv

# nodes that store their difference only: the resistor that has a 700th of the other one's share is not named
cat > floats.xml << 'EOF'
<model xmlns="urn:linnet:model:1"><ground id="gnd" p="0"/><capacitor id="C" p="x" n="z" C="20 uF" v0="1"/>
<resistor id="R" p="z" n="0" R="0.1"/><resistor id="R2" p="x" n="0" R="70"/><simulation duration="1" step="0.02"/><record signals="C.v"/></model>
EOF
expect 0 "$LINNET" compare floats.xml && says out "rk4 is unstable at step 0.02 s: the limit is 0.0039 s, set by C and R2 ("

if command -v gnuplot > /dev/null; then
    expect 0 "$LINNET" compare "$rc" --methods rk4,tr-bdf2 --step 20us,10us --plot wp.svg
    grep -q '<svg' wp.svg || fail "no work-precision diagram"
fi
mkdir empty
expect 5 env PATH="$work/empty" "$LINNET" compare "$rc" --plot wp2.svg && says err "install gnuplot"
finish

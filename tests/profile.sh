#!/bin/sh
# SPDX-License-Identifier: MIT
# run --profile: the parts of a run add up to its time, each once; results are those of a run without it.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1

cat > rectifier.cir <<'END'
* rectifier
.model dd D(is=1e-12 n=1.05 cjo=10p tt=1n)
V1 in 0 PULSE(-5 5 0.1u 0.1u 0.1u 0.3u 1u)
R1 in a 50
D1 a out dd
C1 out 0 1n
R2 out 0 10k
.tran 1n 5u
.print tran v(out)
.end
END
cat > loop.xml <<'END'
<model name="loop" xmlns="urn:linnet:model:1"><step id="r" out="u"/><sum id="s" in="u y" signs="+-" out="e"/>
<integrator id="i" in="e" out="y"/><simulation duration="5" step="0.001"/><record signals="y"/></model>
END

# seconds PART: what the table says of a part, in seconds; empty: the part is not there.
seconds() {
    awk -v part="$1" 'BEGIN { unit["s"] = 1; unit["ms"] = 1e-3; unit["us"] = 1e-6; unit["ns"] = 1e-9 }
        $1 == part && $3 == "%" { print $4*($5 in unit ? unit[$5] : 1); exit }' err
}
parts() { # MODEL PARTS OPTIONS...
    model=$1 names=$2
    shift 2
    expect 0 "$LINNET" run "$model" "$@" -o plain.csv
    grep -q profile err && fail "$model: a profile that nobody asked for"
    expect 0 "$LINNET" run "$model" "$@" --profile -o profiled.csv
    cmp -s plain.csv profiled.csv || fail "$model $*: --profile changes the result"
    for part in $names; do
        [ -n "$(seconds "$part")" ] || fail "$model $*: no time of $part"
    done
    awk '$3 == "%" { sum += $2 } $1 == "profile" { seen++ } END { exit !(seen == 1 && sum > 99 && sum < 101) }' err ||
        fail "$model $*: the parts do not add up"
}
all="other read set-up start corners output method devices assembly factor solve"
parts rectifier.cir "$all" --tolerance 1e-3
parts rectifier.cir "$all" --step 1ns --method crank-nicolson
parts rectifier.cir "$all" --method tr-bdf2 --tolerance 1e-3
parts loop.xml "other read set-up start output method devices"
grep -q assembly err && fail "a diagram has no matrix"

# As often as the summary says; it is told quietly, too, and as JSON.
expect 0 "$LINNET" run rectifier.cir --profile -m crank-nicolson --step 1ns -o profiled.csv
work_says=$(sed -n 's/.*work.*, \([0-9]*\) refactorisations.*/\1/p' err)
table_says=$(sed -n 's/.* factor .* \([0-9]*\) times.*/\1/p' err)
awk -v a="$work_says" -v b="$table_says" 'BEGIN { exit !(a > 1000 && b >= a && b < 1.1*a + 20) }' ||
    fail "$work_says refactorisations, but the table has $table_says"
expect 0 "$LINNET" run rectifier.cir --profile -q -o profiled.csv && says err "profile" "devices"
expect 0 "$LINNET" run rectifier.cir --profile --format json -o profiled.csv && says out '"profile": {"other": ' '"devices": '
grep -q '%' err && fail "text beside JSON"
finish

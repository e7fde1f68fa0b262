#!/bin/sh
# SPDX-License-Identifier: MIT
# linnet result: what is in a result, the same in other formats and at other times, two held against each other; the
# names that results may have.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1
cat > held.xml <<'END'
<model name="held"><ramp id="s" slope="2" out="u"/><zero-order-hold id="h" in="u" out="y" period="0.25 s"/>
  <ground id="g" p="0"/><step-voltage id="V" p="a" n="0" height="3 V" delay="0.5 s"/><resistor id="R" p="a" n="0" R="2 Ohm"/>
  <simulation duration="1 s"/><record signals="u y a R.i"/></model>
END
expect 0 "$LINNET" run held.xml -q && expect 0 "$LINNET" run held.xml -q -o held.mat && expect 0 "$LINNET" run held.xml -q -o held.raw

# What is listed, from each format; the MATLAB file knows units and what is held.
expect 0 "$LINNET" result held.csv && says out "4 signals, from 0 to 1" "twice" "R.i"
expect 0 "$LINNET" result held.mat && says out "4 signals, from 0 to 1" " A " "held"
awk '$1 == "y" && $2 != "" { found = $NF == "held" } $1 == "a" { if ($2 != "V" || $4 != 0 || $5 != 3 || $6 != 3) exit 1 }
    END { exit !found }' out || fail "held.mat: $(cat out)"

# There and back again: every number is the same.
expect 0 "$LINNET" result held.mat -o back.csv && cmp -s held.csv back.csv || fail "CSV by way of .mat is another"
expect 0 "$LINNET" result back.csv -o again.mat && expect 0 "$LINNET" result again.mat -o last.csv && cmp -s held.csv last.csv ||
    fail "and once more"
expect 0 "$LINNET" result held.raw -o raw.csv && expect 0 "$LINNET" result held.csv raw.csv

# HDF5 likewise; more rows than one block of it; a name with a slash; a file of someone else's making.
expect 0 "$LINNET" run held.xml -q -o held.h5
expect 0 "$LINNET" result held.h5 && awk '$1 == "y" && $2 != "" { found = $NF == "held" } $1 == "a" && $2 != "V" { exit 1 }
    END { exit !found }' out || fail "held.h5: $(cat out)"
expect 0 "$LINNET" result held.h5 -o back.csv && cmp -s held.csv back.csv || fail "CSV by way of .h5 is another"
expect 0 "$LINNET" run held.xml -q --points 5001 -o long.csv && expect 0 "$LINNET" result long.csv -o long.h5 &&
    expect 0 "$LINNET" result long.h5 -o back.csv && cmp -s long.csv back.csv || fail "5000 rows by way of .h5"
printf 'time,a/b,..\n0,1,2\n1,2,3\n' > slash.csv
expect 0 "$LINNET" result slash.csv -o slash.h5 && expect 0 "$LINNET" result slash.h5 && says out "a|b" "_.."
if command -v python3 > /dev/null && python3 -c 'import h5py' 2> /dev/null; then
    python3 -c 'import h5py
with h5py.File("held.h5") as f:
    assert list(f["a"][:])[-1] == 3 and f["a"].attrs["unit"] in ("V", b"V") and len(f["time"]) == len(f["y"])
with h5py.File("other.h5", "w") as f:
    f["b"] = [1.0, 2.0]; f["time"] = [0.0, 1.0]; f["note"] = "x"; f["short"] = [1]; f.create_group("g")' || fail "h5py"
    expect 0 "$LINNET" result other.h5 && says out "2 rows of time and 1 signals"
fi
for at in 8 48 96 200 600 2000; do
    { head -c $at held.h5; printf '\377\377\377\177'; tail -c +$((at + 5)) held.h5; } > bad.h5
    timeout 20 "$LINNET" result bad.h5 > out 2>&1
    [ $? -lt 7 ] || fail "four bytes of HDF5 at $at: $(cat out)"
done
head -c 100 held.h5 > short.h5 && expect 5 "$LINNET" result short.h5 && says err "short.h5"

# The layout of the trajectory as its description says (Dymola user manual, "Simulation result file"): version 4, little
# endian doubles; text matrices by columns; dataInfo of four rows.
od -An -td4 -N20 held.mat | tr -s ' \n' '  ' | awk '{ exit !($1 == 51 && $2 == 4 && $3 == 11 && $4 == 0 && $5 == 7) }' || fail "Aclass: $(od -An -td4 -N20 held.mat)"
tr -d '\0' < held.mat | grep -aq 'A1 bt\. ir1 na ' || fail "Aclass is not binTrans"
for name in name description dataInfo data_1 data_2; do grep -aq "$name" held.mat || fail "no matrix $name"; done

# At other times, and of fewer signals.
expect 0 "$LINNET" result held.csv --points 5 --signals u,y -o even.csv
[ "$(cut -d, -f1,3 even.csv | tr '\n' ' ')" = 'time,y 0,0 0.25,0.5 0.5,1 0.75,1.5 1,2 ' ] || fail "$(cat even.csv)"
expect 0 "$LINNET" result held.mat --interval 0.4 --signals y -o even.csv
[ "$(tr '\n' ' ' < even.csv)" = 'time,y 0,0 0.4,0.5 0.8,1.5 1,2 ' ] || fail "held between: $(cat even.csv)"
expect 2 "$LINNET" result held.csv --points 1 -o even.csv
expect 2 "$LINNET" result held.csv --signals nothing && says err "fits 'nothing'"

# Two of them: the same but for a tolerance; an event a little later; another value; nothing in common.
expect 0 "$LINNET" result held.csv held.mat && says out "differs by 0 at most"
sed 's/delay="0.5 s"/delay="0.501 s"/' held.xml > late.xml
expect 0 "$LINNET" run late.xml -q && expect 6 "$LINNET" result held.csv late.csv && says out "too far"
expect 0 "$LINNET" result held.csv late.csv --shift 0.0011
sed 's/R="2 Ohm"/R="2.002 Ohm"/' held.xml > near.xml
expect 0 "$LINNET" run near.xml -q && expect 0 "$LINNET" result held.csv near.csv --tolerance 2e-3
expect 6 "$LINNET" result held.csv near.csv --tolerance 5e-4 && says out "R.i"
printf 'time,z\n0,1\n1,2\n' > other.csv
expect 2 "$LINNET" result held.csv other.csv && says err "nothing was compared"

# Where a result comes from stands in every format but CSV: program, model and its checksum, method, command.
made="linnet [0-9.]*; held.xml, $(wc -c < held.xml) bytes, CRC-32 [0-9a-f]\{8\}; linnet run -q -o %s held.xml; radau5, tolerance"
expect 0 "$LINNET" run held.xml -q -o held.raw
for file in held.raw held.mat held.h5; do
    # shellcheck disable=SC2059
    grep -aq "$(printf "$made" $file)" $file || fail "$file does not say where it comes from: $(strings $file | grep -a linnet)"
done
expect 0 "$LINNET" run held.xml --format json -o held.csv && says out '"origin": "linnet ' '; radau5, tolerance'
expect 0 "$LINNET" op held.xml --format json && says out '"origin": "linnet ' 'CRC-32 ' '; linnet op --format json held.xml"'

# Names of results.
expect 2 "$LINNET" run held.xml -q -o held.cvs && says err "no result has the ending '.cvs'" ".mat"
[ ! -e held.cvs ] || fail "a result of an unknown ending"
expect 0 "$LINNET" run held.xml -q -o /dev/null && expect 0 "$LINNET" run held.xml -q -o held
expect 2 "$LINNET" result held.csv -o held.xls

# What is no trajectory is told, whatever it is.
head -c 100 held.mat > short.mat && expect 5 "$LINNET" result short.mat && says err "short.mat"
printf 'no matrix at all, but longer than a head of 128 bytes %0200d' 0 > text.mat && expect 5 "$LINNET" result text.mat
expect 5 "$LINNET" result gone.mat && says err "gone.mat"
for at in 8 12 40 200 400 700 1000; do
    { head -c $at held.mat; printf '\377\377\377\177'; tail -c +$((at + 5)) held.mat; } > bad.mat
    "$LINNET" result bad.mat > out 2>&1
    [ $? -lt 7 ] || fail "four bytes at $at: $(cat out)"
done
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# Every deck of tests/spice in ngspice and in Linnet: each quantity that both record is compared at ngspice's times, as a
# share of its full scale. A deck may say how close in a comment "* tolerance 1e-3: why"; otherwise 1e-4: ngspice
# starts with steps of first order, and straight lines between points cost up to 1e-6. A deck for a new device needs only its file. Skipped without ngspice.
set -u
command -v ngspice > /dev/null || { echo "ngspice is not installed"; exit 77; }
decks=$(cd "$(dirname "$0")/spice" && pwd)
linnet=${LINNET:-./linnet}
case $linnet in /*) ;; *) linnet=$(pwd)/$linnet ;; esac
work=$(mktemp -d "${TMPDIR:-/tmp}/linnet-ngspice-XXXXXX")
TMPDIR=$work # what the program and its children put into the folder for temporary files is the test's own, too
export TMPDIR
trap 'rm -rf "$work"' EXIT INT TERM
failures=0
SPICE_ASCIIRAWFILE=1
export SPICE_ASCIIRAWFILE

compare() { # ngspice's raw file, our csv, tolerance
    awk -v tolerance="$3" '
    FNR == NR && FNR == 1 { # names in quotes hold commas
        line = $0; n = 0
        while (line != "") {
            if (substr(line, 1, 1) == "\"") { end = index(substr(line, 2), "\""); title = substr(line, 2, end - 1); line = substr(line, end + 3) }
            else { end = index(line ",", ","); title = substr(line, 1, end - 1); line = substr(line, end + 1) }
            column[title] = ++n
        }
        next
    }
    FNR == NR { rows++; split($0, cell, ","); for (k = 1; k <= n; k++) ours[rows, k] = cell[k]; next }
    /^No. Variables:/ { count = $3 }
    /^Variables:/ { reading = 1; next }
    /^Values:/ { reading = 2; next }
    reading == 1 && NF >= 3 { name[$1] = $2 }
    reading == 2 && NF > 0 {
        value[at] = $NF
        if (at++ == count - 1) { point(); at = 0 }
    }
    BEGIN { at = 0; row = 1 }
    function point(   t, k, share, mine, error) {
        t = value[0]
        if (t < ours[1, 1] || t > ours[rows, 1]) return
        while (row < rows - 1 && ours[row + 1, 1] < t) row++
        share = ours[row + 1, 1] > ours[row, 1] ? (t - ours[row, 1]) / (ours[row + 1, 1] - ours[row, 1]) : 1
        for (k = 1; k < count; k++) {
            if (!(name[k] in column)) continue
            mine = ours[row, column[name[k]]] + share * (ours[row + 1, column[name[k]]] - ours[row, column[name[k]]])
            error = mine - value[k]; if (error < 0) error = -error
            if (error > worst[k]) { worst[k] = error; when[k] = t }
            if (value[k] > scale[k]) scale[k] = value[k]
            if (-value[k] > scale[k]) scale[k] = -value[k]
            points[k]++
        }
    }
    END {
        for (k = 1; k < count; k++) if (points[k] > 10) {
            compared++
            share = worst[k] / (scale[k] > 0 ? scale[k] : 1)
            if (share > most) { most = share; which = name[k] " at " when[k] }
        }
        printf "%d quantities, worst %.2g (%s)\n", compared, most, which
        exit !(compared > 0 && most <= tolerance)
    }' "$2" "$1"
}

for deck in "$decks"/*.cir; do
    name=$(basename "$deck" .cir)
    tolerance=$(sed -n 's/^\* tolerance \([0-9.e-]*\).*/\1/p' "$deck")
    ngspice -b -r "$work/$name.raw" "$deck" > "$work/ngspice.log" 2>&1
    if ! "$linnet" run "$deck" -q -o "$work/$name.csv" > "$work/linnet.log" 2>&1; then
        echo "FAIL: $name: $(head -n 3 "$work/linnet.log")"
        failures=$((failures + 1))
    elif ! said=$(compare "$work/$name.raw" "$work/$name.csv" "${tolerance:-1e-4}"); then
        echo "FAIL: $name: $said; allowed ${tolerance:-1e-4}"
        failures=$((failures + 1))
    else
        echo "$name: $said"
    fi
done
[ $failures -eq 0 ]

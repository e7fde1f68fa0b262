#!/bin/sh
# SPDX-License-Identifier: MIT
# Semiconductors against ngspice: operating points to 1e-6 where the equations are the same, runs to 1e-3 of full scale.
# Without ngspice the test is skipped.
. "${srcdir:-.}/tests/shell.sh"
command -v ngspice > /dev/null || exit 77
cd "$work" || exit 1

# both NAME: reads a circuit as Linnet's elements, a line "---", and the same as a SPICE deck without title and end.
both() {
    name=$1
    awk -v name="$name" '
        BEGIN { xml = name ".xml"; cir = name ".cir"
                print "<model name=\"" name "\" xmlns=\"urn:linnet:model:1\"><ground id=\"gnd\" p=\"0\"/>" > xml
                print name > cir; print ".options reltol=1e-7 abstol=1e-17 vntol=1e-10 chgtol=1e-20 method=gear" > cir }
        /^---$/ { deck = 1; next }
        { print > (deck ? cir : xml) }
        END { print "<simulation duration=\"1 s\" start=\"operating-point\"/></model>" > xml }'
}
# spice COMMANDS...: what ngspice prints for the deck at hand.
spice() {
    { cat "$name.cir"; printf '.control\nset numdgt=14\nset wr_singlescale\n'; printf '%s\n' "$@"; printf 'quit\n.endc\n.end\n'; } > deck.cir
    ngspice -b deck.cir > spice.out 2>&1 || grep -iE 'error|warning|unknown' -A2 spice.out
}
# point TOLERANCE SPICE=LINNET...: the same operating point, each value within tolerance * |value| + 1e-12.
point() {
    tolerance=$1; shift
    vectors=; for pair; do vectors="$vectors ${pair%%=*}"; done
    spice op "print$vectors"
    expect 0 "$LINNET" op "$name.xml" -f csv -o point.csv || return
    for pair; do
        want=$(awk -v v="${pair%%=*}" '$1 == v && $2 == "=" { print $3 }' spice.out)
        got=$(awk -F, -v v="${pair#*=}" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == v) col = k } NR == 2 && col { print $col }' point.csv)
        awk -v w="$want" -v g="$got" -v t="$tolerance" 'BEGIN { d = g - w; if (d < 0) d = -d; a = w < 0 ? -w : w
            exit !(w != "" && g != "" && d <= t*a + 1e-12) }' || fail "$name: ${pair#*=} = $got, ngspice has $want"
    done
}
# wave SHARE SPICE=LINNET STEP END [LINNET OPTIONS]: the same curve within a share of its range.
wave() {
    share=$1; pair=$2; step=$3; end=$4; shift 4
    spice "tran $step $end 0 $step" "wrdata wave.txt ${pair%%=*}"
    expect 0 "$LINNET" run "$name.xml" -q --duration "$end" --step "$step" --tolerance 1e-6 -o wave.csv "$@" || return
    awk -F, -v v="${pair#*=}" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == v) col = k; next } { print $1, $col }' wave.csv > ours.txt
    awk -v share="$share" -v name="$name" '
        NR == FNR { if ($1 + 0 == $1) { t[++n] = $1; y[n] = $2; if (n == 1 || $2 > hi) hi = $2; if (n == 1 || $2 < lo) lo = $2 } next }
        n > 1 { while (k < n - 2 && t[k + 2] < $1) k++; a = k + 1; b = k + 2
          w = t[b] > t[a] ? ($1 - t[a])/(t[b] - t[a]) : 1; d = $2 - (y[a] + w*(y[b] - y[a])); if (d < 0) d = -d
          if (d > worst) { worst = d; at = $1 } }
        END { if (ENVIRON["VERBOSE"]) print name ": worst " worst/(hi - lo) " of full scale at " at; exit !(n > 1 && worst <= share*(hi - lo)) }' wave.txt ours.txt ||
        fail "$name: ${pair#*=} differs from ngspice by more than $share of full scale"
}

. "$srcdir/tests/devices_circuits.sh"
finish

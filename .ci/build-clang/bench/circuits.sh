#!/bin/sh
# Transistor circuits against ngspice: `make bench-circuits`. Each program at several tolerances: processor seconds, and the
# error against its own tight run (their equations differ a little), of the times at which an output passes a level.
# Then the ratio of times at equal accuracy: for each run of Linnet the cheapest one of ngspice that errs no more.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
linnet=${LINNET:-$PWD/linnet}
command -v ngspice > /dev/null || { echo "ngspice is not installed: no comparison"; exit 0; }
[ -x /usr/bin/time ] || { echo "/usr/bin/time is missing: no comparison"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
seconds() { /usr/bin/time -o time.txt -f %U "$@" > run.out 2> run.err || cat run.err >&2; cat time.txt; }

# crossings SIGNAL FILE LEVEL: times at which a CSV column passes the level, one a line
crossings() {
    awk -F, -v v="$1" -v level="$3" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == v) col = k; next }
        NR > 2 && (old - level) * ($col - level) < 0 { printf "%.12g\n", t + (level - old) / ($col - old) * ($1 - t) }
        { t = $1; old = $col }' "$2"
}
# error FILE TIGHT SPAN: largest difference of crossings, as a share of a time
error() { paste "$1" "$2" | awk -v span="$3" '{ d = $1 - $2; if (d < 0) d = -d; if (d > worst) worst = d } NF != 2 { bad = 1 } END { if (bad || NR == 0) print "none"; else printf "%.2e\n", worst / span }'; }

# circuit NAME STEP END SIGNAL LEVEL: NAME.cir without analysis cards
circuit() {
    name=$1 step=$2 end=$3 signal=$4 level=$5
    echo "$name: times at which $signal passes $level V, error as a share of the run"
    for reltol in 1e-3 1e-4 1e-5 1e-6; do
        tight=; [ "$reltol" != 1e-6 ] || tight="trtol=1"
        { cat "$name.cir"; printf '.options reltol=%s %s\n.tran %s %s\n.save %s\n.end\n' "$reltol" "$tight" "$step" "$end" "$signal"; } > spice.cir
        taken=$(seconds ngspice -b -r spice.raw spice.cir)
        { printf '* out\n.control\nload spice.raw\nset wr_singlescale\nset numdgt=14\nwrdata spice.txt %s\nquit\n.endc\n.end\n' "$signal"; } > out.cir
        ngspice -b out.cir > out.log 2>&1
        { echo "time,$signal"; awk '{ print $1 "," $2 }' spice.txt; } > spice.csv
        crossings "$signal" spice.csv "$level" > "spice.$reltol"
        echo "$reltol $taken" >> spice.times
    done
    for tolerance in 1e-2 1e-3 1e-4 1e-6; do
        { cat "$name.cir"; printf '.tran %s %s\n.print tran %s\n.end\n' "$step" "$end" "$signal"; } > own.cir
        taken=$(seconds "$linnet" run own.cir -q -m "${METHOD:-radau5}" --step "$step" --tolerance "$tolerance" -o own.csv)
        crossings "$signal" own.csv "$level" > "own.$tolerance"
        echo "$tolerance $taken" >> own.times
    done
    for who in spice own; do
        while read -r at taken; do
            [ "$at" = 1e-6 ] || echo "$who $at $taken $(error "$who.$at" "$who.1e-6" "$end")"
        done < "$who.times"
    done | awk '
        { name = $1 == "own" ? "linnet" : "ngspice"; printf "  %-8s %s  %6.2f s  error %s\n", name, $2, $3, $4 }
        $1 == "spice" { n++; time[n] = $3; error[n] = $4 }
        $1 == "own" { for (k = 1; k <= n; k++) if (error[k] != "none" && error[k] + 0 <= $4 + 0) { printf "           equal accuracy: ngspice takes %.2f times as long\n", time[k] / $3; break } }'
    rm -f spice.* own.*
}

awk 'BEGIN {
    print "* chain of 200 inverters\n.model n NMOS(LEVEL=1 VTO=0.8 KP=100u LAMBDA=0.03 GAMMA=0.4 PHI=0.7 TOX=20n CGSO=0.2n CGDO=0.2n CJ=0.3m)"
    print ".model p PMOS(LEVEL=1 VTO=-0.8 KP=40u LAMBDA=0.03 GAMMA=0.5 PHI=0.7 TOX=20n CGSO=0.2n CGDO=0.2n CJ=0.3m)"
    print "vdd vdd 0 5\nvin n0 0 pulse(0 5 1n 0.2n 0.2n 10n 20n)"
    for (k = 0; k < 200; k++) printf "mp%d n%d n%d vdd vdd p w=10u l=1u ad=20p as=20p\nmn%d n%d n%d 0 0 n w=4u l=1u ad=8p as=8p\nc%d n%d 0 10f\n", k, k + 1, k, k, k + 1, k, k, k + 1 }' > chain.cir
sed '/^vin/d; /^\.end/d' "$here/../tests/start/ua741.cir" > ua741.cir
echo 'vin inp 0 sin(0 1 10k)' >> ua741.cir
circuit chain 1e-10 30e-9 'v(n200)' 2.5
circuit ua741 1e-6 1e-2 'v(out)' 0.5

#!/bin/sh
# SPDX-License-Identifier: MIT
# A coil whose iron saturates across a source: its flux is the integral of a sine, so that its current is known in closed
# form at any row. What is stored nonlinearly must be conserved at steps and between them by every method, and what adds
# up to more than it may must be told; twice ten tolerances, since the sum is an estimate.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1

cat > inrush.xml <<'END'
<model name="inrush">
  <ground id="g" p="0"/> <sine-voltage id="V" p="a" n="0" amplitude="325" frequency="50"/>
  <resistor id="R" p="a" n="b" R="1e-9"/> <saturating-inductor id="L" p="b" n="0" L="1 H" Isat="0.5" Lsat="1 mH"/>
  <simulation duration="0.1"/> <record signals="L.i"/>
</model>
END
# off FILE: the largest error of the current, of its largest value
off() {
    awk -F, 'function tanh(x) { return x > 20 ? 1 : x < -20 ? -1 : (exp(2*x) - 1)/(exp(2*x) + 1) }
        function current(flux,  low, high, k, i) {
            low = 0; high = 3000
            for (k = 0; k < 60; k++) {
                i = (low + high)/2
                if (1e-3*i + 0.999*0.5*tanh(i/0.5) < flux) low = i; else high = i
            }
            return low
        }
        BEGIN { w = 100*atan2(0, -1) }
        NR > 1 { i = current(325/w*(1 - cos(w*$1))); d = i > $2 ? i - $2 : $2 - i
            if (i > peak) peak = i; if (d > worst) worst = d }
        END { print worst/peak }' "$1"
}
for method in radau5 tr-bdf2 bdf2 crank-nicolson ida; do
    for tolerance in 1e-3 1e-4 1e-5; do
        expect 0 "$LINNET" run inrush.xml -q -m $method -t $tolerance -o out.csv
        worst=$(off out.csv)
        awk -v worst="$worst" -v tolerance=$tolerance 'BEGIN { exit !(worst < 20*tolerance) }' || grep -q 'add up' err ||
            fail "$method at $tolerance is $worst off in silence"
        awk -v worst="$worst" -v tolerance=$tolerance 'BEGIN { exit !(worst < 40*tolerance) }' ||
            fail "$method at $tolerance is $worst off"
    done
done

# Stages of a step lie on both sides of the knee, the last of them at rest: rows between are theirs.
sed 's/amplitude="325"/amplitude="10" phase="3 rad"/; s/R="1e-9"/R="5.06"/; s/L="1 H" Isat="0.5" Lsat="1 mH"/L="12.4 mH" Isat="11.9 mA" Lsat="5.2 uH"/' \
    inrush.xml > knee.xml
expect 0 "$LINNET" run knee.xml -q -m bdf2 -t 1e-9 --points 2001 -o reference.csv
expect 0 "$LINNET" run knee.xml -q -t 1e-3 --points 2001 -o out.csv
paste -d, reference.csv out.csv | awk -F, 'NR > 1 { d = $2 > $4 ? $2 - $4 : $4 - $2; if (d > worst) worst = d
    if ($2 > peak) peak = $2 }
    END { print worst/peak; exit !(worst < 1e-2*peak) }' > worst || fail "rows between stages are $(cat worst) off"
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# A bridge rectifier whose output floats on 100 MOhm: only the voltage across its reservoir is stored. At any tolerance it takes
# a sensible number of steps, whatever the rounding of large charges makes of the side that hangs loose.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1
bridge() { # DIODE
    printf '%s\n' '* floating bridge' ".model d D(IS=1e-14 RS=0.1 N=1.05 $1)" 'v1 a b sin(0 20 50)' 'd1 a p d' 'd2 b p d' 'd3 m a d' 'd4 m b d' \
        'c1 p m 100u' 'rl p m 1k' 'rf m 0 100meg' '.tran 100u 100m' '.print tran v(p,m)' '.end'
}
bridge '' > plain.cir
bridge 'CJO=10p TT=5n' > stores.cir
for deck in plain stores; do
    expect 0 "$LINNET" run $deck.cir -q --tolerance 1e-10 -o best.csv || continue
    best=$(tail -n 1 best.csv | cut -d, -f2)
    for how in '1e-4 --step 2ms' '1e-5' '1e-6' '1e-7' '0.9e-8' 1e-9 '1e-5 --method tr-bdf2' '1e-6 --method bdf2' \
        '1e-3 --method ida' '1e-5 --method ida' '1e-7 --method ida'; do
        # shellcheck disable=SC2086
        expect 0 "$LINNET" run $deck.cir -q --tolerance $how -o run.csv || continue
        awk -F, -v best="$best" -v tolerance="${how%% *}" 'END { d = $2 - best; if (d < 0) d = -d; exit !(d <= 20*tolerance*best && NR < 20000) }' run.csv ||
            fail "$deck, $how: $(tail -n 1 run.csv) after $(wc -l < run.csv) points; best $best"
    done
done

# Capacitors of a microfarad that hang on nothing but each other, beside a junction's charge, in steps of 1e-17 s to 1e-11 s: E x is
# 1e-5 C there, and 1e-16 of it divided by such a step is an ampere. Their voltages hold, and the junction's node follows as beside a
# capacitor of its charge.
coupling() { # JUNCTION
    printf '%s\n' '* coupling' 'v2 20 0 10' 'r2 20 2 330' 'c2 2 3 1.2u' 'r3 3 0 4.4k' 'c3 3 5 66n' 'r5 5 0 3k' 'v1 1 0 pulse(0 1m 0 1p 1p 10p 20p)' \
        'r1 1 6 50' 'r6 6 3 1k' "$1" '.model d d(cjo=1p)' '.tran 1p 100p' '.print tran v(2) v(3) v(5) v(6)' '.end'
}
coupling 'c1 6 0 1p' > linear.cir
coupling 'd1 6 0 d' > coupling.cir
expect 0 "$LINNET" run linear.cir -q --tolerance 1e-5 -o best.csv
for tolerance in 1e-4 1e-5 1e-6 1e-7; do
    expect 0 "$LINNET" run coupling.cir -q --tolerance $tolerance -o run.csv &&
        expect 0 "$LINNET" result run.csv best.csv --tolerance 2e-3 --absolute 1e-7 -q
done
# A corner 1e-19 s behind the start, by every implicit method: alpha times a microfarad is 1e13 S there, 1e17 times what ties these
# capacitors to the rest.
sed 's/pulse(0 1m 0 /pulse(0 1m 1e-19 /' coupling.cir > corner.cir
for method in radau5 tr-bdf2 bdf2 backward-euler crank-nicolson ida; do
    expect 0 timeout 20 "$LINNET" run corner.cir -q --tolerance 1e-5 --method $method -o run.csv || continue
    expect 0 "$LINNET" result run.csv best.csv --tolerance 2e-2 --absolute 1e-6 -q || fail "a corner 1e-19 s behind the start, by $method"
done
# Of pairs of nodes that a capacitor alone joins, errors are judged against the node that errs less: 975 steps against the node
# whose row is the pair's balance.
amplifier=$srcdir/models/examples/stiff/transistor-amplifier.xml
expect 0 "$LINNET" run "$amplifier" -m radau5 -o amplifier.csv &&
    awk '/^  time/ { for (k = 1; k < NF; k++) if ($(k + 1) == "steps") exit !($k <= 950) }' err ||
    fail "the amplifier takes too many steps: $(grep '^  time' err)"
# A capacitor that hangs on a coil alone, and a switch that shorts it: what both ends have in common is of index 2 (the coil's voltage),
# the capacitor's voltage is a state, exp(-t/0.1 ns) from 10 us on, also where its current is recorded and so an unknown of its own. Its
# end of 5e-5 V by one step of 20 ns was all that was looked at: 0.31 V at 2 ns by radau5, 4.97 V between by the others.
for signals in 'v' 'v C1.i S1.i L1.i'; do
    cat > shorted.xml << EOF
<model xmlns="urn:linnet:model:1">
  <ground id="g" p="0"/>
  <inductor id="L1" p="0" n="a" L="10 mH"/>
  <capacitor id="C1" p="b" n="a" C="10 uF" v0="5 V"/>
  <ideal-switch id="S1" p="a" n="b" in="on" Ron="10 uOhm" Goff="1 nS"/>
  <step id="s" out="on" delay="10 us"/>
  <voltage-sensor id="M" p="b" n="a" out="v"/>
  <simulation duration="2 ms" tolerance="1e-4"/>
  <record signals="$signals"/>
</model>
EOF
    for method in radau5 tr-bdf2 bdf2 crank-nicolson ida; do
        expect 0 "$LINNET" run shorted.xml -q -m $method --interval 'steps' -o run.csv &&
            awk -F, 'NR > 1 && $1 > 10.0000001e-6 { d = $2 - 5*exp(-($1 - 1e-5)/1e-10); if (d < 0) d = -d; if (d > worst) worst = d; seen += $2 > 1e-3 }
                END { exit !(worst < 5e-3 && seen > 5) }' run.csv ||
            fail "a capacitor shorted in series with a coil, by $method: $(sed -n '/^1.000/p' run.csv | head -n 4 | tr '\n' ' ')"
    done
done
finish

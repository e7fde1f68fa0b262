#!/bin/sh
# SPDX-License-Identifier: MIT
# Switching without any charge: a thyristor of two transistors fires between two points in time, whatever the method, and is on
# as the same one with a little capacitance is. What runs away by itself still fails, and says what was tried.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1

# scr CAPACITANCE: a half wave fires at 3 ms, the next not.
scr() {
    printf '%s\n' '* thyristor' '.model q NPN(IS=1e-16 BF=100)' '.model p PNP(IS=1e-16 BF=100)' 'vs a 0 sin(0 21 50)' 'rl a k1 1k' \
        'qp g2 b2 k1 p' 'qn b2 g2 0 q' 'rg g2 0 1k' 'ig 0 g2 pulse(0 5m 3m 10u 10u 100u 1)' "$1" '.tran 10u 30m' '.print tran v(k1)' '.end'
}
scr 'cg g2 0 10p' > slow.cir
scr '' > fast.cir
# at FILE TIME: v(k1)
at() { awk -F, -v t="$2" 'NR > 1 && $1 >= t { print $2; exit }' "$1"; }
expect 0 "$LINNET" run slow.cir -q -o slow.csv
for how in '' '--tolerance 1e-6' '--method bdf2 --tolerance 1e-4' '--method tr-bdf2 --tolerance 1e-4' '--method backward-euler --step 10us' '--step 10us'; do
    # shellcheck disable=SC2086
    expect 0 "$LINNET" run fast.cir -q $how -o fast.csv || continue
    says err "jumps from" "no solution goes on there" "a small capacitance would"
    for t in 0.0035 0.006 0.008 0.03; do # the voltage is flat there, wherever the points lie
        awk -v g="$(at fast.csv $t)" -v w="$(at slow.csv $t)" 'BEGIN { d = g - w; exit !(g != "" && d <= 0.2 && -d <= 0.2) }' ||
            fail "thyristor $how: $(at fast.csv $t) V at $t, with a capacitance $(at slow.csv $t) V"
    done
done
# to rounding: behind the jump the currents of a saturated transistor cancel and round more than a solution's tolerance, which
# counts as solved; a run crept on for ever there
for how in '--method backward-euler' '--method backward-euler --events at-steps' '--method crank-nicolson --events at-steps'; do
    # shellcheck disable=SC2086
    expect 0 timeout 60 "$LINNET" run fast.cir $how --step 10us --newton exact -o exact.csv || continue
    awk -v g="$(at exact.csv 0.006)" -v w="$(at slow.csv 0.006)" 'BEGIN { d = g - w; exit !(d <= 0.2 && -d <= 0.2) }' || fail "exact, $how"
    awk '/tried again shorter/ { exit !($8 < 3200) }' err || fail "exact, $how: $(grep 'tried again' err)"
done
# What makes no way in a hundred parts of a step is not tried on and on: solutions fold back so closely that few parts find one.
cat > folds.xml << X
<model name="folds" xmlns="urn:linnet:model:1">
  <block-type name="b"><output name="y"/><state name="x" start="0"/><equation>der(x) = 1</equation><equation>y = x + 2e-6*cos(1e6*y)</equation></block-type>
  <b id="b" y="y"/>
  <simulation duration="0.1 s" step="0.01 s" method="backward-euler"/>
</model>
X
expect 4 "$LINNET" run folds.xml --newton exact -o x.csv && says err "the step cannot be taken" "does not converge"
awk '/tried again shorter/ { exit !($8 + $10 < 150) }' err || fail "folds: $(grep 'tried again' err)"
# a capacitor across it would be discharged in no time at all: no jump, but a reason
scr 'cl k1 0 10n' > impossible.cir
expect 4 "$LINNET" run impossible.cir -q -o x.csv && says err "the step cannot be taken" "tried: a jump to another solution, in which potential of link k1" "through a resistance"
for power in 2 3; do
    cat > blow.xml << X
<model name="blow up" xmlns="urn:linnet:model:1">
  <block-type name="b"><output name="y"/><state name="x" start="1"/><equation>der(x) = x^$power</equation><equation>y = x</equation></block-type>
  <b id="b" y="y"/>
  <simulation duration="2 s" tolerance="1e-4" method="radau5"/>
</model>
X
    expect 4 "$LINNET" run blow.xml -q -o x.csv && says err "the step cannot be taken"
done
# A Wien bridge whose amplifier is at its limits for most of a period: in the corner Newton's method goes from one limit to the other,
# however short the step, though the solution goes on. No jump is told of; rk45, whose algebra is solved apart, says where it goes.
cat > wien.xml << 'X'
<model name="Wien bridge">
  <ground id="g" p="0"/><op-amp id="U" p="p" n="m" out="o" gain="1e5"/>
  <resistor id="R1" p="o" n="x" R="10 kOhm"/><capacitor id="C1" p="x" n="p" C="10 nF"/>
  <resistor id="R2" p="p" n="0" R="10 kOhm"/><capacitor id="C2" p="p" n="0" C="10 nF" v0="1 mV"/>
  <resistor id="Rf" p="o" n="m" R="1 kOhm"/><resistor id="L" p="m" n="0" R="400 Ohm"/>
  <simulation duration="20 ms"/><record signals="p"/>
</model>
X
expect 0 "$LINNET" run wien.xml -m rk45 -t 1e-8 -q -o rk45.csv
for how in '-m radau5 -t 1e-4' '-m tr-bdf2 -t 1e-4' '-m bdf2 -t 1e-5' '-m crank-nicolson -t 1e-5'; do
    # shellcheck disable=SC2086
    expect 0 timeout 60 "$LINNET" run wien.xml $how -q -o wien.csv || continue
    ! grep -q jumps err || fail "wien $how: $(grep jumps err)"
    awk -v g="$(tail -n 1 wien.csv | cut -d, -f2)" -v w="$(tail -n 1 rk45.csv | cut -d, -f2)" \
        'BEGIN { d = g - w; exit !(d <= 0.05 && -d <= 0.05) }' || fail "wien $how: $(tail -n 1 wien.csv), $(tail -n 1 rk45.csv) by rk45"
done
# The polynomial of radau5's last step carries 0.1 mV on, which Newton's method may leave of the output, at whatever length of the step:
# no step of the corner was short enough (8e-18 s, 6500, 13 100 and 26 000 steps), and the way around that was taken at each.
for tolerance in 1e-3 1e-4 1e-5; do
    expect 0 timeout 60 "$LINNET" run wien.xml -m radau5 -t $tolerance -o wien.csv || continue
    steps=$(cat out err | sed -n 's/.* in \([0-9]*\) steps.*/\1/p')
    [ "$steps" -lt 5000 ] || fail "wien by radau5 at $tolerance: $steps steps"
done
# an astable multivibrator, whose output does jump: what stands before a fold must not be taken for what goes on
cat > astable.xml << 'X'
<model name="astable">
  <ground id="g" p="0"/><op-amp id="U" p="p" n="m" out="o" gain="1e5"/>
  <resistor id="R" p="o" n="m" R="10 kOhm"/><capacitor id="C" p="m" n="0" C="100 nF" v0="0.1 V"/>
  <resistor id="Ra" p="o" n="p" R="10 kOhm"/><resistor id="Rb" p="p" n="0" R="10 kOhm"/>
  <simulation duration="20 ms"/><record signals="o m"/>
  <measure name="T" kind="period" signal="m" from="5 ms"/>
</model>
X
for how in '-m radau5 -t 1e-6' '-m radau5 -t 1e-4' '-m bdf2 -t 1e-6'; do
    # shellcheck disable=SC2086
    expect 0 timeout 60 "$LINNET" run astable.xml $how -o wien.csv --measures T.csv || continue
    says err "jumps from"
    awk -F, 'NR == 2 { d = $2 - 2*1e4*1e-7*log(3); exit !(d <= 2e-6 && -d <= 2e-6) }' T.csv || fail "astable $how: $(cat T.csv)"
done
# by rk45 each trial of a step looks for the algebra's solution from where the step begins: a rejected one left it on the other side of
# the fold, and the output jumped early, in silence (a period of 1.92 ms at 1e-6, of 1.21 ms at 1e-4, of 2.197 ms)
for tolerance in 1e-4 1e-6; do
    expect 0 "$LINNET" run astable.xml -m rk45 -t $tolerance -o wien.csv --measures T.csv || continue
    awk -F, 'NR == 2 { d = $2 - 2*1e4*1e-7*log(3); exit !(d <= 2e-6 && -d <= 2e-6) }' T.csv || fail "astable, rk45 at $tolerance: $(cat T.csv)"
done
# Half a period takes radau5 nine steps at 1e-3, and jumps that many steps apart were none: they may be as many steps or as much of the
# run apart.
sed 's|id="Ra" p="o" n="p" R="10 kOhm"|id="Ra" p="o" n="p" R="95.74 kOhm"|; s|R="10 kOhm"/>$|R="15.47 kOhm"/>|; s|15.47 kOhm"/><cap|10 kOhm"/><cap|; s|from="5 ms"|from="1 ms"|; s|20 ms|3.8 ms|' \
    astable.xml > short.xml
# ida, which finds no step beside the fold, jumps there, too.
for how in 'radau5 1e-2' 'radau5 1e-3' 'radau5 1e-4' 'ida 1e-4' 'ida 1e-5' 'ida 1e-6'; do
    tolerance=${how#* }
    expect 0 "$LINNET" run short.xml -m "${how% *}" -t "$tolerance" -o short.csv --measures T.csv || continue
    awk -F, -v t="$tolerance" 'NR == 2 { b = 15.47/(15.47 + 95.74); T = 2*1e4*1e-7*log((1 + b)/(1 - b)); d = $2/T - 1; exit !(d <= 20*t + 5e-4 && -d <= 20*t + 5e-4) }' T.csv || # the gain is finite
        fail "short astable by $how: $(cat T.csv)"
done
cat > fold.xml << 'X'
<model name="fold"><ground id="g" p="0"/><op-amp id="U" p="p" n="m" out="o" Vmin="-12" Vmax="12"/>
  <resistor id="R1" p="o" n="p" R="21.08 kOhm"/><resistor id="R2" p="p" n="0" R="10.2 kOhm"/>
  <resistor id="R" p="o" n="m" R="10 kOhm"/><capacitor id="C" p="m" n="0" C="246.7 nF" v0="0.1"/>
  <simulation duration="9.866 ms"/><record signals="m"/><measure name="T" kind="period" signal="m" from="1 ms"/></model>
X
for tolerance in 1e-3 1e-4 1e-5 1e-6; do
    expect 0 "$LINNET" run fold.xml -m ida -t $tolerance -o fold.csv --measures T.csv || continue
    awk -F, -v t=$tolerance 'NR == 2 { b = 10.2/31.28; T = 2*1e4*246.7e-9*log((1 + b)/(1 - b)); d = $2/T - 1; exit !(d <= 20*t + 5e-4 && -d <= 20*t + 5e-4) }' T.csv ||
        fail "an astable by ida at $tolerance: $(cat T.csv)"
done
# A capacitor across an amplifier's output stores nothing of its own: it jumps with it. Schmitt's trigger with one stood still by ida and
# had no step by radau5.
cat > trigger.xml << 'X'
<model name="trigger">
  <ground id="g" p="0"/><pulse-voltage id="V" p="in" n="0" high="2 V" low="-2 V" width="1.83 ms" period="3.66 ms" rise="1 us" fall="1 us"/>
  <op-amp id="U" p="p" n="in" out="o" Vmin="-12" Vmax="12"/><capacitor id="C" p="o" n="0" C="100 pF"/>
  <resistor id="Ra" p="o" n="p" R="59.6 kOhm"/><resistor id="Rb" p="p" n="0" R="4.365 kOhm"/>
  <simulation duration="14.64 ms"/><record signals="o"/>
</model>
X
for method in radau5 ida tr-bdf2 bdf2 crank-nicolson backward-euler; do # the last four jumped early, within the edge
    for tolerance in 1e-3 1e-6; do
        expect 0 timeout 60 "$LINNET" run trigger.xml -q -m $method -t $tolerance -o trigger.csv || continue
        awk -F, 'NR > 1 { if ($2*before < 0) { turns++; if (turns == 1) at = $1 } before = $2 }
            END { d = at - (12*4.365/63.965 + 2)/4*1e-6; print turns, "turns, the first at", at; exit !(turns == 8 && d <= 4e-9 && -d <= 4e-9) }' trigger.csv > turns ||
            fail "a trigger by $method at $tolerance: $(cat turns)"
    done
done
# A comparator with feedback turns where its state ceases to be, though the steps are longer than the range in which it has two: at
# tanh' = 1/(6*60*0.02), of a ramp of 10 V/s. By all but radau5 it turned by the step, in silence, and back and forth in the rows.
cat > comparator.cir << 'X'
* comparator
V1 in 0 PWL(0 -5 1 5 2 -5)
B1 out 0 V=6*tanh(60*(V(p)-V(in)))
Ra out p 98k
Rb p 0 2k
.tran 1m 2
.print tran v(out)
.end
X
for method in radau5 ida tr-bdf2 bdf2 crank-nicolson backward-euler; do
    for tolerance in 1e-3 1e-5; do
        expect 0 timeout 60 "$LINNET" run comparator.cir -q -m $method -t $tolerance -o comparator.csv || continue
        says err "jumps from" "no solution goes on there"
        awk -F, 'NR > 1 { if ($2*before < 0) { turns++; if (turns == 1) at = $1 } before = $2 }
            END { y = sqrt(1 - 1/7.2); z = log((1 + y)/(1 - y))/2; d = at - (5 + 0.12*y - z/60)/10
                print turns, "turns, the first off by", d; exit !(turns == 2 && d <= 1e-6 && -d <= 1e-6) }' comparator.csv > turns ||
            fail "a comparator by $method at $tolerance: $(cat turns)"
    done
done
# So does a linear amplifier with feedback whose output junctions alone limit.
cat > clamped.cir << 'X'
* clamped
V1 in 0 PWL(0 -5 1 5 2 -5)
E1 x 0 p in 1000
Rx x out 1k
.model dd d(is=1e-14)
V2 vp 0 5
V3 vm 0 -5
D1 out vp dd
D2 vm out dd
Ra out p 98k
Rb p 0 2k
.tran 1m 2
.print tran v(out)
.end
X
for method in bdf2 crank-nicolson; do
    expect 0 "$LINNET" run clamped.cir -q -m $method -t 1e-3 -o clamped.csv &&
        awk -F, 'NR > 1 { turns += $2*before < 0; before = $2 } END { exit turns != 2 }' clamped.csv || fail "a clamped amplifier by $method"
done
# The capacitance that a transistor without any has is gone faster than times are told apart: it holds no leap. Most methods had no
# step where this latch turns, radau5 none at 1e-5.
cat > latch.cir << 'X'
* latch
Vin in 0 SIN(0.156 5.144 2.03)
Vdd dd 0 5
.model mn nmos(level=1 vto=1 kp=100u)
.model mp pmos(level=1 vto=-1 kp=50u)
M1 x a 0 0 mn w=10u l=1u
M2 x a dd dd mp w=20u l=1u
M3 out x 0 0 mn w=10u l=1u
M4 out x dd dd mp w=20u l=1u
Ri in a 19.83k
Rf out a 49.43k
Rl out 0 10k
.tran 1m 1
.print tran v(out)
.end
X
turns=
for method in radau5 ida tr-bdf2 bdf2 crank-nicolson; do
    expect 0 timeout 60 "$LINNET" run latch.cir -q -m $method -t 1e-5 -o latch.csv || continue
    got=$(awk -F, 'NR > 1 { if (NR > 2 && ($2 > 2.5) != (before > 2.5)) printf "%.5f ", $1; before = $2 }' latch.csv)
    turns=${turns:-$got}
    [ "$got" = "$turns" ] || fail "a latch by $method: turns at $got, by radau5 at $turns"
done
[ "$(echo "$turns" | wc -w)" -eq 4 ] || fail "a latch turns at $turns"
# Nor does it keep a step from being asked which solution it has led to: by crank-nicolson at 1e-3 a latch turned ten times for eight.
sed -e 's/^Vin .*/V0 i0 0 SIN(0 6.842 3.531)/' -e 's/^Vdd/V1 in i0 SIN(0 1.368 7.199)\n&/' -e 's/19.83k/1.61e4/' -e 's/49.43k/6.315e4/' -e '/print/d' latch.cir > two.cir
expect 0 "$LINNET" run two.cir -q -m crank-nicolson -t 1e-3 -o two.csv &&
    awk -F, 'NR == 1 { while ($++out != "v(out)" && out < NF); next } { high = $out > 2.5 } NR > 2 { turns += high != before } { before = high }
        END { print turns; exit turns != 8 }' two.csv > turns ||
    fail "a latch by crank-nicolson turns $(cat turns) times"
# Rows within a long step come from the equations, if so many iterations as a junction takes lead there: of two transistors that hold
# each other v(out) rose to 0.37 V and fell to 0.23 V again, half a millisecond before it jumps.
cat > pair.cir << 'X'
* pair
Vin in 0 PULSE(-4.213 4.213 0 0.284 0.234 1m 0.520)
Vcc cc 0 5
.model qn npn(bf=100 is=1e-14)
R1 cc out 1k
R2 cc c2 1k
Q1 out b1 0 qn
Q2 c2 b2 0 qn
Rb1 c2 b1 10k
Rb2 out b2 10k
Rs in b1 12.41k
Rl out 0 10k
.tran 1m 1
.print tran v(out)
.end
X
for method in radau5 tr-bdf2 bdf2; do
    expect 0 "$LINNET" run pair.cir -q -m $method -t 1e-5 -o pair.csv || continue
    awk -F, 'NR > 1 && $1 > 0.49 && $1 < 0.5022 { if ($2 < before - 1e-4) exit bad = 1; before = $2; rows++ } END { exit bad || rows < 10 }' pair.csv ||
        fail "rows of two transistors by $method fall before they jump"
done
# And from the ends of the step where the polynomial leads far away: ends on the middle one of three solutions, from where the run
# begins, had rows of the highest between them.
cat > middle.cir << 'X'
* from the middle
V0 i0 0 SIN(0 3.084 3.826)
V1 in i0 SIN(0 0.617 17.673)
Ra out p 1342
Rb p 0 16.39k
Ri in n 1k
Rn n 0 1meg
B1 o1 0 V=6.074*tanh(68630*(V(p)-V(n)))
Ro o1 out 50
Rl out 0 10k
.tran 1m 1
.print tran v(out)
.end
X
expect 0 "$LINNET" run middle.cir -q -m radau5 -t 1e-3 -o middle.csv &&
    awk -F, 'NR > 1 { if ($2 - before > 3 || before - $2 > 3) leaps++; before = $2 } END { exit leaps > 0 }' middle.csv || fail "rows leave the middle solution"
finish

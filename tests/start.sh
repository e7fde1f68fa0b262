#!/bin/sh
# SPDX-License-Identifier: MIT
# Operating points from zero: every deck of tests/start, a chain of 200 inverters, ideal diodes on current sources; each
# potential as ngspice has it (where that is installed), and what physics says of some. A deck is compared to 1e-6.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1

# value NAME: of point.csv
value() {
    awk -F, -v v="$1" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == v) col = k } NR == 2 { print $col }' point.csv
}
# near NAME VALUE TOLERANCE
near() {
    awk -v g="$(value "$1")" -v w="$2" -v t="$3" 'BEGIN { d = g - w; exit !(g != "" && d <= t && -d <= t) }' ||
        fail "$deck: $1 = $(value "$1"), expected $2 within $3"
}
# op FILE: finds the point and holds it against ngspice's.
op() {
    deck=$(basename "$1" .cir)
    expect 0 "$LINNET" op "$1" -q -f csv -o point.csv || return 1
    command -v ngspice > /dev/null || return 0
    { sed '/^\.end$/d' "$1"; printf '.options reltol=1e-6 abstol=1e-14 vntol=1e-9\n.control\nop\nset numdgt=14\nprint all\nquit\n.endc\n.end\n'; } > deck.cir
    ngspice -b deck.cir > spice.out 2>&1
    awk -F, -v deck="$deck" '
        FNR == NR && FNR == 1 { for (k = 1; k <= NF; k++) name[k] = $k; next }
        FNR == NR { for (k = 1; k <= NF; k++) ours[name[k]] = $k; next }
        split($0, part, " = ") == 2 && part[1] ~ /^[a-z0-9]+$/ && part[1] in ours {
            v = part[2] + 0; d = ours[part[1]] - v; if (d < 0) d = -d
            if (d > 1e-6 * (1 + (v < 0 ? -v : v))) { print deck ": " part[1] " = " ours[part[1]] ", ngspice has " v; bad = 1 }
            count++
        }
        END { exit bad || count < 2 }' point.csv spice.out || fail "$deck: differs from ngspice"
}

for file in "$srcdir"/tests/start/*.cir; do op "$file"; done
op "$srcdir/tests/start/ua741.cir" && near out 1 2e-3      # a follower
op "$srcdir/tests/start/bandgap.cir" && near ref 1.25 0.02 # the gap of silicon
op "$srcdir/tests/start/sram.cir" && near q 1.8 1e-3       # the state its node set asks for

awk 'BEGIN {
    print "* chain of 200 inverters\n.model n NMOS(LEVEL=1 VTO=0.8 KP=100u LAMBDA=0.03 GAMMA=0.4 PHI=0.7)"
    print ".model p PMOS(LEVEL=1 VTO=-0.8 KP=40u LAMBDA=0.03 GAMMA=0.5 PHI=0.7)\nvdd vdd 0 5\nvin n0 0 0"
    for (k = 0; k < 200; k++) printf "mp%d n%d n%d vdd vdd p w=10u l=1u\nmn%d n%d n%d 0 0 n w=4u l=1u\n", k, k + 1, k, k, k + 1, k
    print ".end" }' > chain.cir
op chain.cir && near n1 5 1e-6 && near n200 0 1e-6

# SPICE has no ideal diode: two knees in a row carry 1 mA, a third 1.5 mA; one against the current blocks
cat > ideal.xml << 'XML'
<model name="ideal diodes" xmlns="urn:linnet:model:1">
  <ground id="gnd" p="0"/>
  <current-source id="I1" p="0" n="a" I="1 mA"/> <ideal-diode id="D1" p="a" n="b"/> <ideal-diode id="D2" p="b" n="c"/>
  <current-source id="I2" p="0" n="c" I="0.5 mA"/> <ideal-diode id="D3" p="c" n="d"/>
  <resistor id="R1" p="d" n="0" R="1 kOhm"/> <ideal-diode id="D4" p="0" n="d" Goff="0"/>
</model>
XML
deck=ideal
expect 0 "$LINNET" op ideal.xml -q -f csv -o point.csv && near d 1.5 1e-6 && near D2.i 1e-3 1e-9 && near D3.i 1.5e-3 1e-9

# what a device tells of itself at the point, as ngspice does: polarity, small-signal conductances and capacitances
cat > conditions.cir << 'X'
* conditions
.model n NMOS(LEVEL=1 VTO=0.7 KP=120u LAMBDA=0.05 GAMMA=0.4 PHI=0.7)
.model p PMOS(LEVEL=1 VTO=-0.7 KP=40u LAMBDA=0.05 GAMMA=0.4 PHI=0.7)
.model q NPN(IS=1e-15 BF=150 VAF=80 TF=0.4n CJE=1p CJC=0.8p)
.model qp PNP(IS=1e-15 BF=60 VAF=40)
.model j NJF(VTO=-2 BETA=1m LAMBDA=0.02)
.model d D(IS=1e-14 TT=5n CJO=2p)
vdd vdd 0 3.3
vg g 0 1.2
m1 o g s 0 n w=10u l=1u
rs s 0 1k
m2 o g2 vdd vdd p w=20u l=1u
vg2 g2 0 2
vc c 0 5
ib 0 b 10u
q1 c b 0 q
vcp cp 0 -5
ibp bp 0 10u
q2 cp bp 0 qp
j1 c gj sj j
rj sj 0 1k
vgj gj 0 0
id 0 a 1m
d1 a 0 d
.end
X
deck=conditions
expect 0 "$LINNET" op conditions.cir -q -f csv -o point.csv && near M1.region 2 0 && near M2.region 1 0 && near Q1.region 1 0
if command -v ngspice > /dev/null; then
    asked='m1[gm] m1[gds] m1[gmbs] m1[id] m1[vgs] m2[gm] m2[gds] q1[gm] q1[gpi] q1[go] q1[cpi] q1[cmu] q1[ic] q2[gm] q2[go] j1[gm] j1[gds] d1[gd]'
    { sed '/^\.end$/d' conditions.cir; printf '.options reltol=1e-6 abstol=1e-14 vntol=1e-9\n.control\nop\nset numdgt=12\n'
      for it in $asked; do printf 'print @%s\n' "$it"; done; printf 'quit\n.endc\n.end\n'; } > deck.cir
    ngspice -b deck.cir > spice.out 2>&1
    for it in $asked; do
        name=$(printf '%s' "$it" | sed 's/^\(.*\)\[\(.*\)\]$/\1.\2/; s/^[a-z]/\U&/')
        theirs=$(sed -n "s/^@${it%%\[*}\[${it#*\[} = //p; s/^@$(printf '%s' "$it" | sed 's/[][]/\\&/g') = //p" spice.out | head -n 1)
        awk -v g="$(value "$name")" -v w="$theirs" 'BEGIN { d = g - w; if (d < 0) d = -d; exit !(g != "" && w != "" && d <= 1e-4 * (w < 0 ? -w : w)) }' ||
            fail "conditions: $name = $(value "$name"), ngspice has $theirs"
    done
fi

# friction that holds, holds: the spring keeps its start, friction carries the rest; contacts on one body share it
# held ELEMENTS: an operating point of a body held by ELEMENTS, pulled by 3 against a spring that carries 1
held() {
    printf '<model name="held" xmlns="urn:linnet:model:1"><constant id="half" value="0.5" out="u"/>%s</model>\n' "$1" > held.xml
    deck="held by $1"
    expect 0 "$LINNET" op held.xml -q -f csv -o point.csv
}
body='<fixed-point id="floor" p="0"/><mass id="box" p="a" m="2 kg"/><spring id="s" p="a" n="0" k="10" x0="0.1"/>
  <force-source id="pull" p="0" n="a" F="3 N"/>'
shaft='<fixed-shaft id="wall" p="0"/><inertia id="box" p="a" J="2"/><torsion-spring id="s" p="a" n="0" k="10" phi0="0.1"/>
  <torque-source id="pull" p="0" n="a" tau="3 N.m"/>'
held "$body<dry-friction id='f' p='a' F='4 N'/>" && near s.x 0.1 1e-11 && near f.s 2 1e-10
held "$body<translational-brake id='f' p='a' in='u' F='8 N'/>" && near s.x 0.1 1e-11 && near f.s 2 1e-10
held "$body<rolling-resistance id='f' p='a' cr='0.4' N='10 N'/>" && near s.x 0.1 1e-11 && near f.s 2 1e-10
held "$shaft<bearing-friction id='f' p='a' torque='4 N.m'/>" && near s.phi 0.1 1e-11 && near f.s 2 1e-10
held "$shaft<brake id='f' p='a' in='u' torque='8 N.m'/>" && near s.phi 0.1 1e-11 && near f.s 2 1e-10
held "$body<dry-friction id='f' p='a' F='1.5 N'/><dry-friction id='g' p='a' F='1.2 N'/>" && near s.x 0.1 1e-8 &&
    near f.s 1.11111111 1e-7 && near g.s 0.88888889 1e-7

printf '* two sources against each other\nv1 a 0 5\nv2 a b 3\nv3 b 0 1\nr1 a 0 1k\n.end\n' > loop.cir
expect 3 "$LINNET" op loop.cir && says err "V3, V2, V1 fix the same difference of potential"
printf '* nowhere to flow\ni1 0 a 1m\nc1 a 0 1n\nr1 a b 1k\nc2 b 0 1n\n.end\n' > nowhere.cir
expect 4 "$LINNET" op nowhere.cir && says err "nothing brings to rest" "potential of link"

# A start that an ideal source or a coil at rest does not admit drives no current through it (ngspice has 7e10 A here, Linnet had
# 1e6 A), and is told. Where a capacitor can begin with it, it does: one across two coils at rest, an oscillator's kick.
cat > coils.cir << 'X'
* starts against a source and coils
V1 in 0 12
R1 in a 1k
R2 a 0 1k
L1 a b 1m
C2 b 0 1u
R3 b 0 1k
L3 in d 1m
R4 d 0 10
.ic v(in)=3 v(a)=1 v(b)=2 v(d)=5
.tran 1u 10u
.print tran v(in) v(a) v(b) v(d) i(L1) i(L3)
.end
X
deck="starts against a source and coils"
expect 0 "$LINNET" run coils.cir -o coils.csv && says err "link in: its start 3 cannot hold" "link a: its start 1 cannot hold" \
    "link d: its start 5 cannot hold; what it is joined to puts it at 12 (a source, a coil at rest"
awk -F, 'NR == 2 { split("12 2 2 12 0.008 1.2", w, " "); for (k = 1; k <= 6; k++) { d = $(k + 1) / w[k] - 1; if (d * d > 1e-14) bad = 1 } n = NF }
    END { exit !(n == 7 && !bad) }' coils.csv || fail "starts against a source and coils: $(sed -n 2p coils.csv)"
printf '* kick\nV1 v 0 12\nL1 v a 1m\nL2 v b 1m\nC1 a b 1u\n.ic v(a)=11\n.tran 1u 300u\n.print tran v(a,b)\n.end\n' > kick.cir
deck="a capacitor's kick across coils at rest"
expect 0 "$LINNET" run kick.cir -m radau5 -t 1e-7 -q -o kick.csv
awk -F, 'NR > 1 { d = $2 + cos($1 / sqrt(2e-3 * 1e-6)); if (d < 0) d = -d; if (d > m) m = d } END { exit !(NR > 20 && m < 2e-6) }' kick.csv ||
    fail "$deck: no -cos(w t)"

# An oscillator that starts exactly at its point of rest stays there; with a start beside it, it runs.
printf '%s\n' 'negative conductance' 'L1 a 0 1m' 'C1 a 0 1u ic=1m' 'B1 a 0 i=-10m*tanh(v(a))' 'R1 a 0 1k' '.tran 10u 10m' .end > rests.cir
expect 0 "$LINNET" run rests.cir -t 1e-6 -o rests.csv && says err "stands at its operating point, which is unstable" \
    "e-fold in 0.000222 s (" "ic= has no effect without UIC"
sed 's/10m$/10m uic/' rests.cir > runs.cir
expect 0 "$LINNET" run runs.cir -t 1e-6 -o runs.csv
grep -q "stands at" err && fail "an oscillator that runs is told to stand"
sed 's/=-10m/=10m/' rests.cir > stable.cir
expect 0 "$LINNET" run stable.cir -t 1e-6 -o stable.csv
grep -q "stands at" err && fail "a stable point of rest is told of"

# Newton's method on a constraint without a solution: who still moves, and by how much (1, -1, 1, ...)
cat > round.xml << 'XML'
<model name="m"><block-type name="F"><state name="a"/><state name="x"/><variable name="s"/><equation>der(x) = s</equation>
<equation>der(a) = -a</equation><equation>noevent(abs(x)) + 1 = 0</equation></block-type><F id="f"/>
<simulation duration="1" tolerance="1e-6"/><record signals="f.x"/></model>
XML
expect 4 "$LINNET" run round.xml -q -o round.csv && says err "no consistent start found at t = 0 s" "still moving: f.x by -2;"

# A flip-flop stands on the side of the transistor that is not OFF, whose collector is at the saturation voltage; the other one
# is at 5 V by the resistors 1k and 10k, to what a base draws.
for off in 1 2; do
    awk -v off=$off 'BEGIN { print "flip-flop\nvcc c 0 5\nrc1 c a 1k\nrc2 c b 1k\nrb1 a x2 10k\nrb2 b x1 10k"
        print "q1 a x1 0 m" (off == 1 ? " OFF" : "") "\nq2 b x2 0 m" (off == 2 ? " OFF" : "") "\n.model m npn\n.op\n.end" }' > flip.cir
    expect 0 "$LINNET" op flip.cir -q -f csv -o point.csv
    high=$([ $off = 1 ] && echo a || echo b)
    awk -v a="$(value a)" -v b="$(value b)" -v high="$high" 'BEGIN { if (high == "b") { c = a; a = b; b = c }
        exit !(a > 4.55 && a < 4.66 && b > 0.05 && b < 0.1) }' || fail "with q$off OFF a is $(value a), b is $(value b)"
done

# Friction before the run: an operating point balances what it is at the speed there, (2 - 0.8)/0.02 = 60, not what it breaks away at;
# and beside a gear a start value of one side is that of both.
cat > bearing.xml << 'XML'
<model name="bearing" xmlns="urn:linnet:model:1"><fixed-shaft id="g" p="0"/>
  <step-torque id="T" p="0" n="a" height="0" offset="2"/><inertia id="J" p="a" J="0.001"/>
  <bearing-friction id="f" p="a" n="0" torque="0.8" peak="1.3" d="0.02"/>
  <simulation duration="1 s"/><record signals="J.w"/></model>
XML
expect 0 "$LINNET" op bearing.xml -q -f csv -o point.csv
awk -v w="$(value a)" 'BEGIN { d = w/60 - 1; exit !(d*d < 1e-18) }' || fail "a bearing's operating point is $(value a), not 60"
sed 's|offset="2"|offset="0.9"|' bearing.xml > sticks.xml
expect 0 "$LINNET" op sticks.xml -q -f csv -o point.csv
awk -v w="$(value a)" 'BEGIN { exit !(w*w < 1e-18) }' || fail "a bearing that sticks turns at $(value a)"
for way in 1 -1; do
    printf '%s\n' '<model name="geared" xmlns="urn:linnet:model:1"><fixed-shaft id="g" p="0"/>' \
        "<inertia id='A' p='n3' J='0.00115' w0='$((way*22))'/><inertia id='B' p='n4' J='0.0447'/><gear id='G' p='n3' n='n4' ratio='0.6966'/>" \
        '<bearing-friction id="f" p="n3" n="0" torque="0.8" peak="1.3" d="0.02"/>' \
        '<simulation duration="1 s"/><record signals="A.w B.w"/></model>' > geared.xml
    expect 0 "$LINNET" run geared.xml -q -o geared.csv
    awk -F, -v way=$way 'NR == 2 { a = $2/(22*way) - 1; b = $3*0.6966/(22*way) - 1; exit !(a*a < 1e-14 && b*b < 1e-14) }' geared.csv ||
        fail "a gear that starts: $(sed -n 2p geared.csv)"
done
# A gear's losses and a bearing's friction share a shaft at rest, which no torque tells apart; then the shaft turns as
# (J3 + r^2 J2 eta) w' = eta r T - F - d w.
cat > train.xml << 'XML'
<model name="drive train" xmlns="urn:linnet:model:1"><fixed-shaft id="g" p="0"/>
  <inertia id="J2" p="n2" J="0.045"/><inertia id="J3" p="n3" J="0.055"/><lossy-gear id="G" p="n2" n="n3" ratio="1.9" eta="0.956"/>
  <bearing-friction id="f" p="n3" n="0" torque="0.2" peak="1.3" d="0.0127"/>
  <step-torque id="T" p="0" n="n2" height="2.7" delay="0.3"/>
  <simulation duration="3 s" tolerance="1e-6"/><record signals="J3.w"/></model>
XML
sed 's|<simulation|<inertia id="J4" p="n4" J="0.012"/><bearing-friction id="c" p="n3" n="n4" torque="2"/>&|' train.xml > three.xml
for train in train:0.055 three:0.067; do
    expect 0 "$LINNET" run ${train%:*}.xml -q -o train.csv
    awk -F, -v J=${train#*:} 'END { w = (0.956*1.9*2.7 - 0.2)/0.0127*(1 - exp(-0.0127*2.7/(J + 1.9*1.9*0.045*0.956))); d = $2/w - 1
        print d, "off"; exit !(d*d < 1e-10) }' train.csv > off || fail "a drive train, $train: $(cat off)"
done
# A car at rest behind an open clutch, whose engine turns: of two frictions one slips and one holds. Newton's method with modes that follow
# it had both do the one and then the other, for ever; now they are found by principal pivots. w = T t/J.
cat > car.xml << 'X'
<model name="car"><fixed-point id="fp" p="0"/><fixed-shaft id="block" p="case"/>
  <mass id="m" p="v" m="1133 kg"/><dry-friction id="rr" p="v" n="0" F="113.3 N"/>
  <rack-and-pinion id="wheel" shaft="axle" rod="v" radius="0.3 m"/><inertia id="J2" p="axle" J="0.05 kg.m^2"/>
  <clutch id="clutch" p="engine" n="axle" in="c" torque="327.8 N.m"/><constant id="open" out="c" value="0"/>
  <inertia id="J" p="engine" J="0.2 kg.m^2"/><torque-source id="M" p="case" n="engine" tau="100 N.m"/>
  <simulation duration="2 s"/><record signals="m.v J.w"/></model>
X
for method in radau5 tr-bdf2 bdf2 ida crank-nicolson; do
    expect 0 "$LINNET" run car.xml -q -m $method -o car.csv || continue
    awk -F, 'END { exit !($2*$2 < 1e-20 && $3 > 1000 - 1e-3 && $3 < 1000 + 1e-3) }' car.csv || fail "a car with its engine running, $method: $(tail -n 1 car.csv)"
done
finish

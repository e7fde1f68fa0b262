#!/bin/sh
# SPDX-License-Identifier: MIT
# Newton's method costs what it must: at a fixed step it ends where its error is small against the step's own. No answer
# moves by more than a tenth of what a step four times as short moves it by, and a step takes so many iterations only.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1

# A line of resistors and capacitors with a diode at each node.
awk 'BEGIN {
    print "* diodes\n.model dd D(is=1e-12 n=1.05 cjo=10p m=0.4 vj=0.8 tt=1n)\nV1 in 0 SIN(0 5 5meg)\nR0 in n0 50\nC0 n0 0 5p"
    for (k = 1; k <= 20; k++)
        printf "R%d n%d n%d 50\nC%d n%d 0 5p\nD%d n%d 0 dd\n", k, k - 1, k, k, k, k, k
    print ".tran 1n 0.5u\n.print tran v(n1) v(n5) v(n10) v(n20) i(V1)\n.end" }' > diodes.cir
# Amplifiers of bipolar transistors, each driving the next one into clipping.
awk 'BEGIN {
    print "* amplifiers\n.model qn NPN(is=1e-15 bf=120 br=4 vaf=80 ikf=50m ise=1e-14 ne=1.7 rb=50 rc=2 re=0.3 cje=1.2p cjc=0.8p tf=0.3n tr=20n)"
    print "VCC vcc 0 12\nV1 c0 0 SIN(0 0.5 100k)"
    for (k = 1; k <= 10; k++) {
        printf "CC%d c%d b%d 100n\nRA%d vcc b%d 82k\nRB%d b%d 0 22k\nQ%d c%d b%d e%d qn\n", k, k - 1, k, k, k, k, k, k, k, k, k
        printf "RC%d vcc c%d 2.2k\nRE%d e%d 0 2k\n", k, k, k, k
    }
    print ".tran 50n 25u\n.print tran v(c1) v(b2) v(c5) v(c10) i(VCC)\n.end" }' > amplifiers.cir
# Inverters through which edges run, and some that rest meanwhile.
awk 'BEGIN {
    print "* inverters\n.model nm NMOS(vto=0.6 kp=120u gamma=0.4 phi=0.7 lambda=0.06 tox=8n cgso=0.25n cgdo=0.25n cj=0.6m mj=0.45 pb=0.8)"
    print ".model pm PMOS(vto=-0.7 kp=45u gamma=0.5 phi=0.7 lambda=0.08 tox=8n cgso=0.25n cgdo=0.25n cj=0.7m mj=0.45 pb=0.8)"
    print "VDD vdd 0 3.3\nV1 in 0 PULSE(0 3.3 0.2n 0.1n 0.1n 1.9n 4n)\nRI in n0 10"
    for (k = 1; k <= 20; k++) {
        printf "MP%d n%d n%d vdd vdd pm w=5u l=0.5u ad=5p as=5p\nMN%d n%d n%d 0 0 nm w=2u l=0.5u ad=2p as=2p\n", k, k, k - 1, k, k, k - 1
        printf "CL%d n%d 0 10f\n", k, k
    }
    print ".tran 10p 5n\n.print tran v(n1) v(n5) v(n10) v(n20)\n.end" }' > inverters.cir

# moved A B C: the largest of |A - B| in each column over that of |C - B|, at the times of B.
moved() {
    awk -F, 'function size(a) { return a < 0 ? -a : a }
        FNR == 1 { file++; next }
        { time = sprintf("%.9e", $1) }
        file == 1 { for (k = 2; k <= NF; k++) exact[time, k] = $k; seen[time] = 1; next }
        time in seen { for (k = 2; k <= NF; k++) {
            off = size($k - exact[time, k]); if (off > most[file, k]) most[file, k] = off }; columns = NF }
        END { for (k = 2; k <= columns; k++) {
            share = most[2, k]/most[3, k]; if (share > worst) worst = share }; print worst + 0 }' "$2" "$1" "$3"
}

look() { # DECK STEP ITERATIONS-A-STEP
    shorter=$(awk -v h="$2" 'BEGIN { print h/4 }')
    expect 0 "$LINNET" run "$1.cir" -m crank-nicolson --step "$2" -o aimed.csv
    took=$(sed -n 's/.*work *\([0-9]*\) Newton.*/\1/p' "$work/err")
    steps=$(sed -n 's/.* in \([0-9]*\) steps.*/\1/p' "$work/err")
    expect 0 "$LINNET" run "$1.cir" -m crank-nicolson --step "$2" --newton exact -o exact.csv
    expect 0 "$LINNET" run "$1.cir" -m crank-nicolson --step "$shorter" --newton exact -o shorter.csv
    share=$(moved aimed.csv exact.csv shorter.csv)
    awk -v share="$share" 'BEGIN { exit !(share <= 0.1) }' || fail "$1: moved by $share of the error of a step"
    awk -v took="$took" -v steps="$steps" -v most="$3" 'BEGIN { exit !(took > 0 && took <= most*steps) }' ||
        fail "$1: $took iterations in $steps steps, more than $3 a step"
}
# Inverters at rest are not evaluated again; what that moves is far below what Newton's method leaves.
rest() { # DECK STEP
    for how in on off; do
        expect 0 "$LINNET" run "$1.cir" -m crank-nicolson --step "$2" --bypass $how -o $how.csv
    done
    shorter=$(awk -v h="$2" 'BEGIN { print h/4 }')
    expect 0 "$LINNET" run "$1.cir" -m crank-nicolson --step "$shorter" --newton exact -o shorter.csv
    share=$(moved on.csv off.csv shorter.csv)
    awk -v share="$share" 'BEGIN { exit !(share <= 1e-2) }' || fail "$1: bypass moves by $share of the error of a step"
    cmp -s on.csv off.csv && fail "$1: nothing rested"
    for threads in 2 5; do # devices by several threads: the same bytes
        for how in on off; do
            expect 0 "$LINNET" run "$1.cir" -m crank-nicolson --step "$2" --bypass $how --threads $threads -o several.csv
            cmp -s several.csv $how.csv || fail "$1: --threads $threads, --bypass $how, is not the same"
        done
    done
    expect 2 "$LINNET" run "$1.cir" --threads 0 -o never.csv
    says err "option --threads is 0; it must be a whole number, 1 to 1024"
    expect 2 "$LINNET" run "$1.cir" --threads 1.5 -o never.csv
    says err "option --threads is '1.5'; it must be a whole number, 1 to 1024"
    expect 2 "$LINNET" run "$1.cir" -m crank-nicolson --step "$2" --bypass never -o never.csv
    says err "it must be 'on' or 'off'"
}
# Adaptive steps: diodes that turn within a step have a Jacobian for each stage, and inverters at rest give their tangent.
adaptive() { # DECK INTERVAL ITERATIONS-A-STEP RANGE
    expect 0 "$LINNET" run "$1.cir" --tolerance 1e-6 --bypass off --interval "$2" -o tight.csv
    expect 0 "$LINNET" run "$1.cir" --tolerance 1e-4 --interval "$2" -o now.csv
    took=$(sed -n 's/.*work *\([0-9]*\) Newton.*/\1/p' "$work/err")
    steps=$(sed -n 's/.* in \([0-9]*\) steps.*/\1/p' "$work/err")
    awk -v took="$took" -v steps="$steps" -v most="$3" 'BEGIN { exit !(took > 0 && took <= most*steps) }' ||
        fail "$1: $took iterations in $steps adaptive steps, more than $3 a step"
    off=$(awk -F, -v range="$4" 'FNR == 1 { file++; next }
        { time = sprintf("%.9e", $1) }
        file == 1 { exact[time] = $2; next }
        time in exact { off = $2 - exact[time]; if (off < 0) off = -off; if (off > most) most = off; seen++ }
        END { print (seen > 50 ? most/range : "too few") }' tight.csv now.csv)
    awk -v off="$off" 'BEGIN { exit !(off + 0 > 0 && off <= 1e-3) }' || fail "$1: off by $off of the range at 1e-4"
}
# Steps that follow their error: Newton's method ends at it, too. Errors are those of the method: other
# steps of the same tolerance move them by a tenth to a half as well.
ends() { # DECK METHOD INTERVAL ITERATIONS-A-STEP
    expect 0 "$LINNET" run "$1.cir" --tolerance 1e-6 --interval "$3" -o tight.csv
    expect 0 "$LINNET" run "$1.cir" -m "$2" --tolerance 1e-3 --newton exact --interval "$3" -o exact.csv
    expect 0 "$LINNET" run "$1.cir" -m "$2" --tolerance 1e-3 --interval "$3" -o aimed.csv
    took=$(sed -n 's/.*work *\([0-9]*\) Newton.*/\1/p' "$work/err")
    steps=$(sed -n 's/.* in \([0-9]*\) steps.*/\1/p' "$work/err")
    awk -v took="$took" -v steps="$steps" -v most="$4" 'BEGIN { exit !(took > 0 && took <= most*steps) }' ||
        fail "$1 by $2: $took iterations in $steps steps, more than $4 a step"
    share=$(moved aimed.csv tight.csv exact.csv)
    awk -v share="$share" 'BEGIN { exit !(share > 0 && share <= 1.5) }' || fail "$1 by $2: $share of the error of exact steps"
}
# What rests at a tolerance is taken by a tangent the wider the looser the tolerance. A last digit makes other steps, which move
# the result by a tenth to four tenths of its error, as where rest was within 0.36 uV at any tolerance.
rest_adaptive() { # DECK METHOD TOLERANCE INTERVAL
    expect 0 "$LINNET" run "$1.cir" --tolerance 1e-7 --bypass off --interval "$4" -o tight.csv
    for how in on off; do
        expect 0 "$LINNET" run "$1.cir" -m "$2" --tolerance "$3" --bypass $how --interval "$4" -o $how.csv
    done
    share=$(moved on.csv off.csv tight.csv)
    awk -v share="$share" 'BEGIN { exit !(share <= 0.6) }' || fail "$1 by $2 at $3: what rests moves by $share of the error"
    cmp -s on.csv off.csv && fail "$1 by $2 at $3: nothing rested"
}
# The default follows the tolerance and the kind of model.
expect 0 "$LINNET" run diodes.cir --tolerance 1e-2 -o now.csv && says err "tr-bdf2, default for semiconductors at a loose tolerance"
expect 0 "$LINNET" run diodes.cir --tolerance 1e-3 -o now.csv && says err "radau5, default for a tolerance"
printf '%s\n' '* rc' 'V1 in 0 SIN(0 1 1k)' 'R1 in out 1k' 'C1 out 0 1u' '.tran 1u 5m' '.end' > rc.cir
expect 0 "$LINNET" run rc.cir --tolerance 1e-2 -o now.csv && says err "radau5, default for a tolerance"
awk 'BEGIN { print "* line\nV1 n0 0 PULSE(0 1 0 1u 1u 0.5m 1m)"
    for (k = 1; k <= 30; k++) printf "R%d n%d n%d 100\nC%d n%d 0 10n\n", k, k - 1, k, k, k
    print ".tran 1u 5m\n.print tran v(n30)\n.end" }' > line.cir
expect 0 "$LINNET" run line.cir -o now.csv && says err "tr-bdf2, default for a network whose nodes alone store"
expect 0 "$LINNET" run line.cir --tolerance 1e-3 -o now.csv && says err "radau5, default for a tolerance"
sed 's/^C30 .*/L1 n30 0 1m/' line.cir > coil.cir
expect 0 "$LINNET" run coil.cir -o now.csv && says err "radau5, default for a tolerance"
ends diodes tr-bdf2 2n 4.2
ends diodes bdf2 2n 2.2
ends amplifiers tr-bdf2 100n 4.2
ends inverters tr-bdf2 20p 4.2
ends inverters bdf2 20p 2.2
adaptive diodes 2n 6 5
adaptive inverters 20p 8 3.3
rest inverters 10e-12
rest_adaptive inverters tr-bdf2 1e-3 20p
rest_adaptive inverters bdf2 1e-4 20p
rest_adaptive inverters tr-bdf2 1e-5 20p
look diodes 1e-9 1.8
look amplifiers 50e-9 1.8
look inverters 10e-12 2.6
# Few nonlinear blocks in a large network, diodes, a transistor and a breakdown in a mesh: their unknowns are iterated on alone, so
# that a step takes one solution however many iterations; to rounding, by which it is what Newton's method on all unknowns gives.
awk 'BEGIN {
    print "* clamped\n.model d1 D(is=1e-12 rs=5 cjo=2p tt=1n)\n.model z1 D(is=1e-14 bv=2.5 ibv=1u)\n.model q1 NPN(is=1e-15 bf=100 cje=1p cjc=0.5p tf=0.1n)"
    print "V1 n0_0 0 SIN(0 5 10meg)\nD1 n3_3 0 d1\nD2 0 n9_2 d1\nD3 0 n5_12 z1\nQ1 n13_5 n3_9 n6_3 q1"
    for (i = 0; i < 15; i++) for (j = 0; j < 15; j++) {
        if (i + 1 < 15) printf "RV%d_%d n%d_%d n%d_%d 100\n", i, j, i, j, i + 1, j
        if (j + 1 < 15) printf "RH%d_%d n%d_%d n%d_%d 100\n", i, j, i, j, i, j + 1
        if (i + j) printf "C%d_%d n%d_%d 0 1p\n", i, j, i, j
    }
    print ".tran 0.2n 160n\n.print tran v(n3_3) v(n5_12) v(n13_5) v(n14_14) i(V1)\n.end" }' > clamped.cir
for how in crank-nicolson backward-euler; do
    expect 0 "$LINNET" run clamped.cir -m $how --step 0.2n -o few.csv
    solved=$(sed -n 's/.* \([0-9]*\) solutions.*/\1/p' "$work/err")
    [ "$solved" -le 880 ] || fail "a mesh with few diodes by $how: $solved solutions in 800 steps"
    expect 0 "$LINNET" run clamped.cir -m $how --step 0.2n --newton exact -o exact.csv
    awk -F, 'FNR == 1 { file++; next }
        file == 1 { for (k = 1; k <= NF; k++) exact[FNR, k] = $k; rows = FNR; next }
        { for (k = 1; k <= NF; k++) { off = $k - exact[FNR, k]; if (off < 0) off = -off; if (off > most) most = off } seen = FNR }
        END { exit !(most <= 1e-10 && seen == rows && rows > 800) }' exact.csv few.csv || fail "few by $how is not what all gives"
done

# The start of a long chain, whose gains multiply: attempts that have gone astray end soon. A ramp that begins at zero has a
# corner there and no jump, for which all would be solved anew and factored once more.
awk 'BEGIN {
    print "* chain\n.model nm NMOS(vto=0.6 kp=120u gamma=0.4 phi=0.7 lambda=0.06 tox=8n cgso=0.25n cgdo=0.25n cj=0.6m mj=0.45 pb=0.8)"
    print ".model pm PMOS(vto=-0.7 kp=45u gamma=0.5 phi=0.7 lambda=0.08 tox=8n cgso=0.25n cgdo=0.25n cj=0.7m mj=0.45 pb=0.8)"
    print "VDD vdd 0 3.3\nV1 in 0 PULSE(0 3.3 0.02n 0.1n 0.1n 1.9n 4n)\nRI in n0 10"
    for (k = 1; k <= 1000; k++) {
        printf "MP%d n%d n%d vdd vdd pm w=5u l=0.5u ad=5p as=5p\nMN%d n%d n%d 0 0 nm w=2u l=0.5u ad=2p as=2p\n", k, k, k - 1, k, k, k - 1
        printf "CL%d n%d 0 10f\n", k, k
    }
    print ".tran 10p 50p\n.print tran v(n1)\n.end" }' > chain.cir
expect 0 "$LINNET" run chain.cir -m crank-nicolson --step 10p -o chain.csv
took=$(sed -n 's/.*work *\([0-9]*\) Newton.*/\1/p' "$work/err")
[ "$took" -le 230 ] || fail "the start of a long chain and five steps: $took iterations"
says err "1 factorisation,"
# To rounding: a cylinder's liquid is pressed together by a hundredth, so that the mass in it is rounded a hundred times as
# coarsely as the slope of it times the pressure; updates at that are noise, or no step is short enough.
lift=$srcdir/models/examples/hydraulic/hydraulic-lift.xml
for how in backward-euler crank-nicolson tr-bdf2; do
    expect 0 "$LINNET" run "$lift" -q -m $how --newton exact --events at-steps --step 1ms -o lift.csv
done
# An amplifier that comes to its supply within a step leaves a factorisation of its gain, 1e5, by which volts beyond the supply are an
# update of microvolts: the end was taken at 5.69 V of 5 V, off by 1400 tolerances.
cat > supply.xml <<'END'
<model xmlns="urn:linnet:model:1">
  <ground id="g" p="0"/>
  <voltage-source id="Vp" p="vp" n="0" V="5 V"/>
  <voltage-source id="Vn" p="0" n="vn" V="5 V"/>
  <sine-voltage id="V" p="i" n="0" amplitude="1 V" frequency="1 kHz"/>
  <op-amp-with-supply id="A" p="i" n="m" out="o" vp="vp" vn="vn"/>
  <resistor id="R1" p="m" n="0" R="1 kOhm"/>
  <resistor id="R2" p="o" n="m" R="9 kOhm"/>
  <capacitor id="C" p="o" n="m" C="5 nF"/>
  <simulation duration="4 ms"/>
  <record signals="o"/>
</model>
END
for how in tr-bdf2 bdf2 crank-nicolson backward-euler radau5; do
    for tolerance in 1e-3 1e-4; do
        expect 0 "$LINNET" run supply.xml --method $how --tolerance $tolerance -o supply.csv || continue
        awk -F, -v tolerance=$tolerance 'NR > 1 { d = (($2 < 0 ? -$2 : $2) - 5)/5/tolerance; if (d > off) off = d }
            END { printf "%.3g", off; exit !(off < 10) }' supply.csv > off ||
            fail "an amplifier at its supply, $how at $tolerance: $(cat off) tolerances beyond"
    done
done
# A transistor that the source at its gate opens within a step, while what it opens to stands still: the first update moves the source
# alone, and was taken for the last, since by linear rows it is exact. The end was told as 2.00 V (bdf2 at 1e-6, backward Euler; a
# transmission gate by tr-bdf2), in silence. Here in closed form: q = C v, by k/2 (v_gate - v_t - v)^2, since the drain stays above.
cat > gate.cir <<'END'
* gate
vin in 0 5
vc c 0 pulse(0 5 50n 2n 2n 100n 250n)
m1 in c out 0 mn l=1u w=20u
ch out 0 5p ic=2
.model mn nmos level=1 vto=0.7 kp=110u lambda=0
.tran 1n 52n 0 10n uic
.print tran v(out)
.end
END
# of saturation: u' = r - b u^2 with u = v_gate - v_t - v, r = 2.5 V/ns, b = k/2C, from 0 at v_gate = 2.7 V on: u = sqrt(r/b) tanh(sqrt(r b) t)
awk 'BEGIN { r = 2.5e9; b = 110e-6*20/2/5e-12; t = 2e-9 - 2.7/r; y = exp(2*sqrt(r*b)*t)
    printf "%.9g\n", 5 - 0.7 - sqrt(r/b)*(y - 1)/(y + 1) }' > exact
for how in tr-bdf2 bdf2 ida crank-nicolson backward-euler radau5; do
    for tolerance in 1e-3 1e-4 1e-6; do
        expect 0 "$LINNET" run gate.cir -q -m $how -t $tolerance -o gate.csv || continue
        awk -F, -v exact="$(cat exact)" 'END { exit !($2 > exact - 0.03 && $2 < exact + 0.03) }' gate.csv ||
            fail "a gate that opens, $how at $tolerance: $(tail -n 1 gate.csv) for $(cat exact)"
    done
done
# An amplifier about to leave its supply: by the slope of 1e5 that it has between the two 20 mV of its output were an update of 0.7 uV,
# and ida had no step from there. Its loop by Barkhausen: 1/(2 pi R C), a little slower where the output is cut.
cat > wien.xml << 'END'
<model name="wien">
  <ground id="g" p="0"/><op-amp id="U" p="p" n="m" out="o" Vmin="-12" Vmax="12"/><resistor id="Ra" p="o" n="q" R="10 kOhm"/>
  <capacitor id="Ca" p="q" n="p" C="10.77 nF"/><resistor id="Rb" p="p" n="0" R="10 kOhm"/><capacitor id="Cb" p="p" n="0" C="10.77 nF" v0="0.1 V"/>
  <resistor id="Rg" p="m" n="0" R="10 kOhm"/><resistor id="Rf" p="o" n="m" R="25.122 kOhm"/>
  <simulation duration="6.463 ms"/><record signals="p"/><measure name="T" kind="period" signal="p" from="3 ms"/>
</model>
END
expect 0 "$LINNET" run wien.xml -q -m radau5 -t 1e-8 -o wien.csv --measures exact.csv
for tolerance in 1e-3 1e-4 1e-5 1e-6; do
    expect 0 "$LINNET" run wien.xml -q -m ida -t $tolerance -o wien.csv --measures T.csv || continue
    awk -F, -v t=$tolerance 'FNR == 2 { T[++n] = $2 } END { d = T[2]/T[1] - 1; print d; exit !(n == 2 && d <= 20*t && -d <= 20*t) }' exact.csv T.csv > off ||
        fail "a Wien bridge by ida at $tolerance: $(cat off)"
done
finish

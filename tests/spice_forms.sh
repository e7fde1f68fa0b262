#!/bin/sh
# SPDX-License-Identifier: MIT
# Forms of SPICE decks, one by one: each deck says in a comment what its nodes are at the operating point ("* expect: b 2.5"),
# or at the end of its run ("* expect end: v(b) 2.5"), by hand from the text of the deck.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1

near() { awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; if (d < 0) d = -d; s = b < 0 ? -b : b; exit !(a != "" && d <= 1e-6*s + 1e-9) }'; }

# The deck on the standard input holds what it expects of itself.
holds() { # title
    cat > deck.cir
    within 20 "$LINNET" op deck.cir -q > point 2> said || { fail "$1: $(head -n 1 said)"; return; }
    while read -r name value; do
        found=$(awk -v n="$name" '$1 == n { print $2; exit }' point)
        near "$found" "$value" || fail "$1: $name is $found, not $value"
    done <<END
$(sed -n 's/^\* expect: //p' deck.cir)
END
    grep -q "^\* expect end:" deck.cir || return
    within 20 "$LINNET" run deck.cir -q -o run.csv > printed 2> said || { fail "$1: $(head -n 1 said)"; return; }
    while read -r name value; do
        found=$(awk -F, -v n="$name" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == n) c = k } END { print $c }' run.csv)
        near "$found" "$value" || fail "$1: $name ends at $found, not $value"
    done <<END
$(sed -n 's/^\* expect end: //p' deck.cir)
END
}

holds 'resistors of a sheet' <<'END'
etching takes from both sides of a resistor (ngspice 39 gives 71.4667, 53.6 and 33.5 ohm)
V1 a 0 {71.466666666666667+10}
V2 b 0 63.6
V3 c 0 43.5
R1 a n1 etched l=10u w=4u
R2 n1 0 10
R3 b n2 shorter l=10u w=4u
R4 n2 0 10
R5 c n3 sized l=5u
R6 n3 0 10
.model etched r rsh=26.8 narrow=.5u short=1u
.model shorter r rsh=26.8 short=1u
.model sized r rsh=26.8 l=10u w=4u
* expect: n1 10
* expect: n2 10
* expect: n3 10
.end
END

holds 'pulses that a period cuts off, and bursts' <<'END'
a triangle is written with times that a width adds to; a number of pulses or of periods ends the wave (ngspice 39 and LTspice)
V1 a 0 pulse(0 5 0 5u 5u 1n 10u)
V2 b 0 pulse(0 5 1u 5u 5u 2u 8u)
V3 c 0 pulse(0 5 1u 5u 5u 2u 4u)
V4 d 0 pulse(0 5 1u 1u 1u 9u 8u)
V5 e 0 pulse(1 5 1u 1u 1u 2u 8u 2)
V6 f 0 sine(1 2 100k 2u 0 30 1.5)
V7 g 0 pulse(0 1 0 9.8u 0.1u 0.1u 10u)
I1 0 h dc 3 pulse(0 1 0 1u 1u 2u 8u 1)
R1 h 0 2
.tran 0.1u 36.5u
.print tran v(a) v(b) v(c) v(d) v(e) v(f) v(g) v(h)
* expect end: v(a) 3.501
* expect end: v(b) 3.5
* expect end: v(c) 3.5
* expect end: v(d) 5
* expect end: v(e) 1
* expect end: v(f) 0
* expect end: v(g) 0.663265306
* expect end: v(h) 0
* expect: h 6
.end
END

holds 'currents of controlled sources' <<'END'
i(E1) counts from the first node through the source, as of a voltage source; also of G, diodes and @g1[i]
V1 a 0 2
E1 b 0 a 0 3
R2 b 0 1k
H1 c 0 V1 1k
R3 c 0 1k
G1 0 e a 0 1m
R5 e 0 1k
D1 x 0 dd
I1 0 x 1m
.model dd d
.tran 1u 2u
.print tran i(e1) i(h1) i(g1) i(d1) @g1[i] @e1[i]
* expect: b 6
* expect end: i(e1) -0.006
* expect end: i(h1) 0
* expect end: i(g1) 0.002
* expect end: i(d1) 0.001
* expect end: '@g1[i] 0.002
* expect end: '@e1[i] -0.006
.end
END
"$LINNET" op deck.cir -q -o point.raw --ascii > point 2> said || fail "an operating point as a rawfile: $(head -n 1 said)"
awk '/i\(E1/ { c = $1 } /^Values/ { on = 1; k = 0; next } on && k++ == c { found = $NF } END { exit !(found < -0.0059) }' point.raw ||
    fail "a rawfile of an operating point has no current of E1"

cat > deck.cir <<'END'
a distributed RC line as LTRA without inductance, whose far end follows 1 - 4/pi (exp(-pi^2 t/(4 RC)) - ...); the last crossing of five
V1 a 0 pulse(0 1 0 1f 1f 1 2)
O1 a 0 b 0 line
.model line ltra(rel=1 r=500 c=10p len=2)
V2 c 0 sin(0 1 500meg)
.tran 0.1n 10n
.meas tran far find v(b) at=10n
.meas tran last find v(a) when v(c)=0.5 fall=last
.meas tran when when v(c)=0.5 fall=last
.end
END
"$LINNET" run deck.cir -t 1e-6 -o line.csv > point 2> said || fail "$(cat said)"
awk '$1 == "far" || $2 == "far" { far = $(NF - 1) } $1 == "when" { when = $3 } $1 == "last" { last = $3 }
    function off(a, b, by) { return !(a - b <= by && b - a <= by) }
    END { exit off(far, 0.62922257, 3e-4) || off(when, 8e-9 + 2e-9*150/360, 1e-14) || off(last, 1, 1e-9) }' said || fail "an RC line: $(cat said)"

holds 'the body diode of a VDMOS transistor in breakdown' <<'END'
where the model is silent, IBV is 1e-10 and VJ 0.8 (ngspice 39 has 60.54136 V)
V1 a 0 70
R1 a d 100
M1 d 0 0 mm
.model mm vdmos(vto=3 kp=20 bv=60)
* expect: d 60.54136
.end
END
cat > deck.cir <<'END'
a VDMOS transistor whose channel, without current, turns about: tr-bdf2 stood still at 55 ns
V1 d0 0 20
RL d0 d 10
L1 d d2 1u
M1 d2 g 0 irx
VG g0 0 pulse(0 10 1u 10n 10n 4u 10u)
RG g0 g 10
V2 s2 0 pulse(2 -2 0 .1u .1u 5u 10u)
R2 s2 x 5
M2 x 0 0 irx
.model irx vdmos(rg=3 rd=20m rs=5m vto=3 kp=20 lambda=.01 cgdmax=1n cgdmin=100p cgs=800p cjo=500p is=1e-12 rb=10m mtriode=.5 ksubthres=.1 tt=50n bv=60)
.tran 20n 10u
.meas tran top max v(d2)
.end
END
for tolerance in 7e-3 6.9e-3; do
    "$LINNET" run deck.cir -m tr-bdf2 -t $tolerance -o vdmos.csv > point 2> said || fail "a VDMOS transistor at $tolerance: $(grep error: said)"
done
"$LINNET" run deck.cir -t 1e-6 -o vdmos.csv > point 2> said || fail "$(cat said)"
awk '/top = / { top = $(NF - 1) } END { exit !(top > 60.67 && top < 60.70) }' said || fail "breakdown behind a coil: $(grep top said)"

cat > deck.cir <<'END'
par('expression'), HSPICE's and ngspice's, in .print and .meas; a product of voltages has no unit to print
V1 a 0 pulse(0 5 0 10u 1u 1 2)
R1 a b 1k
R2 b 0 1k
.tran 0.1u 10u
.print tran par('v(a)-v(b)') v(a)
.meas tran mean avg par('v(a)*v(b)')
.meas tran most max par('v(a)')
.meas tran sum find par('v(a)+v(b)') at=5u
.meas tran passed when par('v(a)+v(b)')=3 rise=1
.end
END
"$LINNET" run deck.cir -t 1e-6 -o par.csv > point 2> said || fail "$(cat said)"
grep -q "a plain number" said && fail "a unit of nothing: $(grep plain said)"
awk '{ for (k = 1; k < NF; k++) if ($(k + 1) == "=") found[$k] = $(k + 2) }
    function off(a, b) { return !(a - b <= 1e-5*b && b - a <= 1e-5*b) }
    END { exit off(found["mean"], 25/6) || off(found["most"], 5) || off(found["sum"], 3.75) || off(found["passed"], 4e-6) }' said ||
    fail "par(): $(cat said)"
[ "$(head -n 1 par.csv)" = "time,par('v(a)-v(b)'),v(a)" ] && [ "$(tail -n 1 par.csv | cut -d, -f2,3)" = 2.5,5 ] || fail "par() in .print: $(head -n 1 par.csv)"

holds 'modulated sources at rest' <<'END'
the DC value counts at an operating point, also beside SFFM and AM, and the waveform alone in a run
V1 a 0 dc 3.44 ac 1 sffm(1 2.5 5k 2 1k)
I1 0 b sffm(2 2.5 5k 2 1k) dc 0.5
V2 c 0 am(1 0 1k 5k) dc 4
V3 d 0 sffm(1 2.5 5k 2 1k)
R1 b 0 1
.tran 1u 0.4m
.print tran v(a) v(b) v(c) v(d)
* expect: a 3.44
* expect: b 0.5
* expect: c 4
* expect: d 1
* expect end: v(a) 3.3072741065
* expect end: v(b) 4.3072741065
* expect end: v(c) 0
* expect end: v(d) 3.3072741065
.end
END

holds functions <<'END'
functions of expressions, in parameters and in sources
.param many={max(1,2,3)+min(4)} line={pwl(2.5, 0,0, 1,1, 2,3)} level={table(9, 0,0, 1,7)} nominal={agauss(5,1,3)+gauss(1,0.1,3)}
.param held={limit(9,-1,2)} rest={fmod(7,4)} size={hypot(3,4)} signed={sign(3,-2)}
.func pick(x) {x > 2 ? 10 : x < -2 ? -10 : x}
V1 a 0 1.5
B1 n1 0 v=pwl(v(a), -1,0, 0,1, 1,3)
B2 n2 0 v=table(v(a), -1,0, 0,1, 1,3)
B3 n3 0 v=limit(v(a), -1, 1) + max(v(a), 2, 0) + min(v(a))
B4 n4 0 v=(v(a) > 1 & ~(v(n1) > 9)) + 5 % 3
B5 n5 0 v=pick(v(n1)*3)
B6 n6 0 v={many}+{line}
B7 n7 0 v={level+nominal+held+rest+size+signed}
B8 n8 0 v=v(a) tc1=10m
E9 n9 0 table {v(a)} = ((-1,0), (1,4) (2,6))
* expect: n1 4
* expect: n2 3
* expect: n3 4.5
* expect: n4 3
* expect: n5 10
* expect: n6 11
* expect: n7 20
* expect: n8 1.65
* expect: n9 5
.temp 37
.end
END
holds scopes <<'END'
a function belongs to the subcircuit that defines it; 2A is two amperes; halves go to the even neighbour
.func f(x) {10*x}
V1 1 0 1
X2 n2 1 one
X3 n3 1 two
X4 n4 1 three
B5 n5 0 V={f(v(1))}
.subckt one a c
.func f(x) {x}
B1 a 0 V={f(V(c)) + f(2)}
.ends
.subckt two a c
.func f(x) {2*x}
B1 a 0 V={f(V(c))}
.ends
.subckt three a c
.param p={f(3)}
B1 a 0 V={p*V(c)}
.ends
I6 0 n6 2A
R6 n6 0 1
.param half={nint(0.5)} three={nint(2.5)}
B7 n7 0 V=nint(v(1)/2)*100 + nint(v(1)*1.5)*10 + nint(-v(1)*2.5) + {half} + {three}
.opti nopage
.options linsol type=klu
* expect: n2 3
* expect: n3 2
* expect: n4 30
* expect: n5 10
* expect: n6 2
* expect: n7 20
.end
END
holds "times and waves of LTspice" <<'END'
RC charged for one time constant, and a sine by its other name
V1 1 0 PWL(0 0 1u 1)
R1 1 2 1k
C1 2 0 1u
V2 3 0 SINE(0 2 250)
.tran 0 1m
.options timeint reltol=1e-6
* expect: 2 0
* expect end: v(2) 0.631936558
* expect end: v(3) 2
.end
END
holds structure <<'END'
conditions, models like others, subcircuits in parallel, flags of a line, names without a place
.param select=3 two=2
.if (select == 1)
R5 a 0 1
.elseif (select = 3)
.if (two=2)
R5 a 0 1k
.else
R5 a 0 7
.endif
.else
R5 a 0 3
.endif
V1 in 0 1
X1 in a cell m=4 unused=1
.subckt cell p q
R1 p q 4k tc=0,0
I1 0 q 0.25m m=2
.ends
R6 in b rm 1k
R7 b 0 1k
.model rm res(tc1=10m)
Q1 c in 0 fast
.model fast ako:slow (bf=100)
.model slow npn (bf=10 is=1e-16)
R8 vc c 1
V3 vc 0 5
.csparam x=1
.options scale=1 zzz=3
* expect: a 1.5
* expect: b 0.47619048
.temp 37
.end
END
holds sources <<'END'
what changes with time: derivative, integral, transfer functions, exponent of a switch
V1 a 0 dc 0 pwl(0 0 1 2)
B1 d 0 v=ddt(v(a))
B2 i 0 v=idt(v(a), 0.5)
I5 0 neg 1u
C5 neg 0 3u
C6 neg 0 -1u
R5 neg 0 1meg
E3 l 0 laplace {v(a)} = {1/(1+s)}
S4 v 0 a 0 gradual
I4 0 v 1
.model gradual vswitch(ron=1 roff=100 von=3 voff=1)
R1 d i 1k
* expect: d 0
* expect: i 0.5
* expect: v 100
* expect: neg 1
* expect end: v(neg) 1
* expect end: v(d) 2
* expect end: v(i) 1.5
* expect end: v(v) 10
.tran 10m 1
.options reltol=1e-8
.end
END
# what follows changes run.csv
cp run.csv ramp.csv
holds words <<'END'
words of Xyce and HSPICE
.global_param twice={2*gain} gain=3
.param ramp={time*twice}
V1 1 0 2
B2 2 0 v={v(1)*ramp}
B3 3 0 v={twice}
R 1 0 1k
* expect: 3 6
* expect end: v(2) 12
* expect end: {v(2)/2} 6
* expect end: phase 14
.print tran format=csv file=x.csv v(1) v(2) {v(2)/2}
.probe tran phase=par('v(1)+v(2)')
.options timeint method=2 reltol=1e-8
.tran 10m 1 START=0.5
.backanno
.control
plot v(2)[3] nothing
.endc
.end
END
mv ramp.csv run.csv
# L = 2(t - 1 + exp(-t)) at the end of the ramp
near "$(awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "v(l)") c = k } END { print $c }' run.csv)" 0.73575888 || fail "laplace: $(tail -n 1 run.csv)"

cat > deck.cir <<'END'
a resistor, a source and the temperature swept
V1 a 0 2
R1 a b {r} tc1=1m
R2 b 0 1k
.param r=1k
.dc temp 27 127 100
.dc r 1k 3k 1k
.end
END
"$LINNET" run deck.cir -q -o curve.csv > point 2> said || fail "$(cat said)"
[ "$(awk -F, 'FNR > 1 { printf "%.6g ", $3 }' curve-dc.csv curve-dc2.csv)" = "1 0.952381 1 0.666667 0.5 " ] || fail ".dc temp, .dc r: $(cat curve-dc.csv curve-dc2.csv)"
[ "$("$LINNET" op deck.cir -q --set r=3k 2> said | awk '$1 == "b" { print $2 }')" = 0.5 ] || fail "--set of a deck's parameter: $(cat said)"
expect 0 "$LINNET" convert deck.cir -q
says err "the curve over 'temp' is left out" "the curve over 'r' is left out"
! grep -q "<parameter\|<dc-sweep" out || fail "convert keeps parameters that are used up"
cat > deck.cir <<'END'
measures of a frequency response and of DC curves
V1 in 0 dc 1 ac 1
R1 in out 1k
C1 out 0 159.15494309189535n
R2 in half 1k
R3 half 0 1k
.control
ac dec 10 10 100k
meas ac corner when vdb(out)=-3.0102999566398
meas ac at1k find vm(out) at=1k
meas ac angle find vp(out) at=1k
meas ac top max vdb(out) from=100 to=1k
meas ac span trig vdb(out) val=-3.0102999566398 fall=1 targ vdb(out) val=-20 fall=1
meas ac real find v(out) when vdb(out)=-3.0102999566398
meas ac ratio find db(v(half)/v(in)) at=100
dc V1 0 10 1
meas dc mid find v(half) at=5
meas dc cross when v(half)=2.2
meas dc most max v(in)-v(half)
meas dc twice param='mid*2'
.endc
.end
END
"$LINNET" run deck.cir -o curves.csv > point 2> said || fail "$(cat said)"
measured() { awk -v n="$1" '{ for (k = 1; k < NF; k++) if ($k == n && $(k + 1) == "=") { print $(k + 2); exit } }' said; }
roughly() { awk -v a="$(measured "$1")" -v b="$2" 'BEGIN { d = a - b; if (d < 0) d = -d; s = b < 0 ? -b : b; exit !(a != "" && d <= 1e-5*s) }' || fail "measure $1 is $(measured "$1"), not $2"; }
roughly corner 1000; roughly at1k 0.70710678; roughly angle -0.78539816; roughly top -0.043213738; roughly span 8949.8744; roughly real 0.5
roughly ratio -6.0205999; roughly mid 2.5; roughly cross 4.4; roughly most 5; roughly twice 5

cat > deck.cir <<'END'
noise: mean and deviation of 20000 samples; lines between those of TRNOISE, as in ngspice, have two thirds of their power
V1 a 0 dc 1 trnoise(0.5 1u)
R1 a 0 1k
I2 0 b trrandom(1 1u 0 2 1)
R2 b 0 1
.tran 1u 20m
.meas tran mean avg v(a)
.meas tran size rms v(a)
.meas tran centre avg v(b)
.meas tran most max v(b)
.end
END
"$LINNET" run deck.cir -o noise.csv > point 2> said || fail "$(cat said)"
awk '$2 == "mean" || $1 == "mean" { mean = $(NF - 1) } $1 == "size" { size = $3 } $1 == "centre" { centre = $3 } $1 == "most" { most = $3 }
    function off(a, b, by) { return a - b > by || b - a > by }
    END { exit off(mean, 1, 0.02) || off(size^2, 1 + 0.25*2/3, 0.02) || off(centre, 1, 0.05) || most > 3 || most < 2.99 }' said || fail "noise: $(cat said)"
cat > deck.cir <<'END'
a library whose sections ask for one another
V1 a 0 1
X1 a two
.lib 'own.lib' first
.end
END
printf '* sections\n.lib first\n.subckt two p\n.lib "own.lib" second\nX1 p one\n.ends\n.endl first\n.lib second\n.subckt one p\nR1 p 0 2\n.ends\n.endl\n.lib third\n.lib own.lib fourth\n.endl\n.lib fourth\n.lib own.lib third\n.endl\n' > own.lib
[ "$("$LINNET" op deck.cir -q -f csv 2> said | awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "V1.i") c = k } NR == 2 { print $c }')" = -0.5 ] || fail "sections: $(cat said)"
sed 's/ first/ third/' deck.cir > circle.cir
expect 3 "$LINNET" op circle.cir
says err "sections ask for one another in a circle"

# A formula follows the circuit by what is in it, not by how its text looks: parameters whose names begin with "time", and a
# node named like a function, leave a resistor a resistor; a parameter that is a formula of the circuit does not.
cat > deck.cir <<'END'
values that only look like signals
.param timeconst=5 vi=2 sensed={v(a)}
V1 a 0 1
R1 a 0 {timeconst*200}
R2 a 0 R={vi*(timeconst)}
R3 a 0 R={1+sensed}
R4 a 0 {1+time}
.tran 1m 10m
.end
END
"$LINNET" convert deck.cir -o - > said 2>&1
for id in R1:1000 R2:10; do
    grep -q "<resistor id=\"${id%:*}\" .*R=\"${id#*:}\"" said || fail "no resistor ${id%:*} of ${id#*:} Ohm: $(cat said)"
done
[ "$(grep -c '<resistor' said)" = 2 ] || fail "what follows the circuit became a resistor: $(cat said)"
# Nodes may have names of signs, '@' among them, which elsewhere stands between a link and a port; a rawfile and a CSV file of one
# deck have the same signals, under both ways to write them.
printf 't\nV1 @x 0 3\nR1 @x a@b 1k\nR2 a@b n#1+ 1k\nR3 n#1+ 0 1k\n.tran 1u 10u\n.end\n' > signs.cir
expect 0 "$LINNET" run signs.cir -q -o signs.csv
head -n 1 signs.csv | grep -qxF 'time,v(@x),v(a@b),v(n#1+),i(v1)' || fail "nodes of signs: $(head -n 1 signs.csv)"
expect 0 "$LINNET" convert signs.cir -q -o signs.xml && expect 0 "$LINNET" run signs.xml -q -o converted.csv
cmp -s signs.csv converted.csv || fail "converted, nodes of signs are others"
sed 's/<record .*//; s/<simulation/<record signals="a@b a@b@R2.p"\/><simulation/' signs.xml > flux.xml
expect 0 "$LINNET" run flux.xml -q -o flux.csv
tail -n 1 flux.csv | awk -F, '{ exit !($2 > 1.99999 && $2 < 2.00001 && $3 > 0.000999 && $3 < 0.001001) }' || fail "a@b@R2.p: $(tail -n 1 flux.csv)"
expect 0 "$LINNET" run signs.cir -q -o signs.raw
expect 0 "$LINNET" result signs.raw signs.csv && says out "@x  " "v1.i  " && ! grep -q only out || fail "a rawfile and a CSV file"
expect 0 "$LINNET" result signs.csv signs.raw && ! grep -q only out || fail "a CSV file and a rawfile"
# how many words a card has its author decides: all parameters of a type, or one a thousand times
names=$("$LINNET" blocks bjt --format json | tr ',{' '\n\n' | sed -n 's/.*"name": "\([A-Za-z]*[0-9A-Za-z]*\)".*/\1=1/p' | tr '\n' ' ')
{ printf 't\nV1 a 0 1\nR1 a b 1k\nQ1 a b 0 qq\nD1 b 0 dd '; for k in 1 2 3 4 5 6; do printf 'off %.0s' $(seq 500); done
    printf '\n.model qq npn %s\n.model dd d\n.op\n.end\n' "$names"; } > many.cir
"$LINNET" check many.cir > out 2>&1
[ $? -le 3 ] || fail "many parameters: $(tail -n 2 out)"
{ printf 't\nV1 a 0 1\nR1 a b 50\nR2 c 0 50\nT1 b 0 c 0 td=1n '; printf 'z0=50 %.0s' $(seq 3000); printf '\n.tran 1n 10n\n.end\n'; } > many.cir
"$LINNET" check many.cir > out 2>&1
[ $? -le 3 ] || fail "many impedances: $(tail -n 2 out)"
# sources in parallel: amplitudes are so many times larger, times and kinds are not; M is k sqrt(|L1 L2|), L keeps its sign;
# .ic counts across a resistance in series, too; what only begins like a length is none
cat > deck.cir <<'END'
multiplied, negative, in series
I1 0 a TRNOISE(2 1u) m=3
R1 a 0 1
I2 0 b TRRANDOM(1 1u) m=3
R2 b 0 1
L1 c 0 -1m
L2 d 0 4m
K1 L1 L2 0.5
R3 c d 1
V1 e 0 0
R4 e f 1k
C1 f 0 1u rser=2
.ic v(f)=3
.tran 1u 10u uic
.end
END
"$LINNET" convert deck.cir -o - > said 2>&1
for text in '(6)\*(min(floor((t - (0)\*(1 s))/((1e-06)' '(3)\*(2\*uniform' '(-0.001 H)\*der(i1) + (0.001 H)\*der(i2)' 'C="1e-06" v0="3"'; do
    grep -q "$text" said || fail "no $text: $(cat said)"
done
printf 't\nV1 a 0 1\nU1 a b 0 m lumps=3\nR1 b 0 1\n.model m urc(rperl=1 cperl=1p)\n.op\n.end\n' > deck.cir
expect 3 "$LINNET" check deck.cir
says err "'lumps' is no parameter"
# what is free beside constraints are the states of a run: of capacitances around a loop with a source one less than there are
cat > deck.cir <<'END'
common emitter
V1 in 0 SINE(0 10m 1k)
VCC vcc 0 12
R1 vcc b 47k
R2 b 0 10k
RC vcc c 2.2k
RE e 0 680
C1 in b 10u
CE e 0 100u
Q1 c b e qn
.model qn npn(is=6.7f bf=416 cjc=3.6p cje=4.5p)
.tran 1m
.end
END
expect 0 "$LINNET" run deck.cir -o deck.csv
says err "3 states"
cat > deck.cir <<'END'
a sweep sees the DC value of what draws at random
V1 a 0 dc 1 trnoise(0.5 1u)
R1 a 0 1k
I2 0 b dc 4 trrandom(2 1u 0 2 1)
R2 b 0 1
.dc V1 0 2 1
.print dc v(a) v(b)
.end
END
swept=$("$LINNET" run deck.cir -q -o - | cut -d, -f2,3 | tr '\n' ' ')
[ "$swept" = "v(a),v(b) 0,4 1,4 2,4 " ] || fail "a swept TRNOISE: $swept"
# LAPLACE: one transfer function written in several ways is one response, and that of its closed form
cat > laplace.cir << 'END'
laplace forms
V1 in 0 pulse(0 1 0 1p 1p 10 20)
E1 a 0 laplace {V(in)} {1/(s+1) + 1/(s+2)}
E2 b 0 laplace {V(in)} {(2*s+3)/((s+1)*(s+2))}
E3 c 0 laplace {V(in)} {(s+1)^-2}
E4 d 0 laplace {V(in)} {1/(s^2+2*s+1)}
E5 e 0 laplace {V(in)} {-1/(s+1)}
E6 f 0 laplace {V(in)} {1/(s+1) - 1/(s+2)}
E7 g 0 laplace {V(in)} {1/((s+1)*(s+2))}
E8 h 0 laplace {V(in)} {(1/(s+1))^2}
E9 i 0 laplace {V(in)} {2/(s+1) + 3/(s+1)}
E10 j 0 laplace {V(in)} {0*s^2 + 5}
E11 k 0 laplace {V(in)} {(0*s^3 + 5)/(0*s^2 + s + 1)}
R1 a 0 1
.tran 0.01 3 uic
.print tran v(a) v(b) v(c) v(d) v(e) v(f) v(g) v(h) v(i) v(j) v(k)
.end
END
expect 0 "$LINNET" run laplace.cir -q -o laplace.csv -t 1e-7
tr -d '\r' < laplace.csv | awk -F, 'function near(x, y) { return x - y < 3e-6 && y - x < 3e-6 }
    NR > 2 && $1 > 1e-9 { e = exp(-$1); n++
        if (!(near($2, $3) && near($4, $5) && near($4, $9) && near($7, $8) && near($10, $12) && near($2, 1.5 - e - e*e/2) &&
            near($4, 1 - e - $1*e) && near($6, e - 1) && near($7, 0.5 - e + e*e/2) && near($10, 5 - 5*e) && near($11, 5))) { print; exit 1 } }
    END { exit n < 20 }' > "$work/out" || fail "LAPLACE in several forms: $(head -n 1 laplace.csv) $(cat "$work/out")"
# form OF-S TEXT: refused
form() {
    printf 't\nV1 in 0 1\nE1 a 0 laplace {V(in)} %s\nR1 a 0 1\n.op\n.end\n' "$1" > form.cir
    expect 3 "$LINNET" op form.cir && says err "form.cir:3: error: " "$2"
}
form '{s^2/(s+1)}' "is of higher order than the denominator"
for text in '{s^1.5}' '{s^99}' '{1/(s+1)^-1.5}' '{exp(-s)}' '{sin(s)}' '{s^s}' '{(s^15)*(s^15)}' '{1/(s^15) + 1/(s^15+1)}' '{(1/s^15)^2}'; do
    form "$text" "is no fraction of polynomials of s"
done
holds 'forms of libraries: currents of any branch, what stands across a source, temperatures of models, a value before its model' <<'END'
what vendors write; the diodes are alike, once at 50 degC by the model and once by the card
V1 in 0 5
R1 in a 1k hot
.model hot res(t_abs=127 tc1=0.01)
R2 a 0 2k
C1 a 0 1n warmer
.model warmer cap(t_rel_global=10 tnom=27)
Vd d 0 0.6
D1 d 0 hotd
.model hotd d(is=1e-14 t_abs=50 t_measured=27)
D2 d 0 cold temp=50
.model cold d(is=1e-14)
D3 d 0 hotd dtemp=5
D4 d 0 cold temp=50 dtemp=5
R7 alike 0 1k
B3 alike 0 V=1e6*(i(D3)-i(D4))
R8 differ 0 1k
B4 differ 0 V=u(i(D3)-1.1*i(D1))
X1 p two m=2
X2 q two
R9 p 0 500
R10 q 0 1k
.subckt two a
V1 a1 0 4 rser=1k
R1 a1 a 1u
B1 0 a I=1m rpar=1k
.ends
R5 same 0 1k
B1 same 0 V=1e6*(i(D1)-i(D2)) tripdv=1 tripdt=1u
E1 e 0 a 0 2
R3 e 0 1k
B2 0 f I=-i(E1) rpar=1meg cpar=1p
.param twice 2*3
R4 f 0 {twice/3*1k}
* expect: a 2.5
* expect: same 0
* expect: alike 0
* expect: differ 1
* expect: p 1.66666666444444
* expect: q 1.66666666444444
* expect: e 5
* expect: f 9.98003992015968
.end
END

holds 'an .ic inside, a comment behind .ends, the first of two subcircuits, ends of files of DOS' <<END
each instance begins where its own .ic says
.subckt cell a v0=1
R1 a m 1k
C1 m 0 1u
.ic v(m)={2*v0}
.backanno
.ends*** of the cell ***
$(printf '\032')
.subckt cell a v0=1
R1 a 0 7
.ends
X1 0 cell
X2 0 cell v0=3
V1 z 0 1
R1 z 0 1k
.tran 1u 1m uic
.print tran v(x1.m) v(x2.m)
.model dm d(is=1e-14)
.model dm d(is=1)
* expect: z 1
* expect end: v(x1.m) 0.735758882342885
* expect end: v(x2.m) 2.20727664702865
.end
END
says said "warning: model 'dm' is already defined at deck.cir:"
says said "deck.cir:9: warning: subcircuit 'cell' is already defined at " "deck.cir:2, and that one holds"

holds 'diodes of straight lines, as LTspice has them' <<'END'
on, blocked, broken down; a rounded corner (a parabola over 0.4 V about 1 V), two in parallel; a limit; no resistance at all
V1 a 0 10
R1 a b 1k
D1 b 0 d1
.model d1 D(Ron=100 Roff=1e15 Vfwd=0.4 mfg=acme Irms=2)
V2 c 0 -10
R2 c d 1k
D2 d 0 z1
.model z1 D(Ron=1 Roff=1e15 Vfwd=.5 Vrev=4 Rrev=100)
V3 e 0 10
R3 e f 1k
D3 f 0 l1
.model l1 D(Ron=1 Ilimit=2m Vfwd=0 epsilon=.5 Roff=1e15)
V4 g 0 1.1
D4 g 0 l2 m=2
.model l2 D(Ron=10 Vfwd=1 epsilon=.4 Roff=1e15)
R4 h 0 1k
B4 0 h I=i(D4)
V5 k 0 1
R5 k l 1k
D5 l 0 ideal
.model ideal D(Ron=0 Roff=1e15 Vfwd=0)
V6 m 0 -3.8
D6 m 0 l3
.model l3 D(Ron=1 Roff=1e15 Vrev=4 Rrev=10 revEpsilon=1)
R6 o 0 1k
B6 0 o I=-i(D6)
* expect: b 1.27272727272727
* expect: d -4.54545454545455
* expect: f 8
* expect: h 22.5
* expect: l 0
* expect: o 4.5
.end
END

printf 'zeros\nV1 a 0 1\nD1 a 0 d1\n.model d1 d(ron=1 roff=0)\nD2 a 0 d2\n.model d2 d(ron=1 ilimit=0)\nD3 a 0 d3 m=0\n.model d3 d(ron=1)\nD4 a 0 d4\n.model d4 d(ron=-1)\n.op\n.end\n' > zeros.cir
expect 3 "$LINNET" op zeros.cir && says err "zeros.cir:4: error: .model d1: roff=0 must be above 0" "zeros.cir:6: error: .model d2: ilimit=0 must be above 0" \
    "zeros.cir:7: error: d3: m=0 must be above 0" "zeros.cir:10: error: .model d4: ron=-1 must be at least 0"
printf 'area\nV1 a 0 1\nD1 a 0 d1 2\n.model d1 d(ron=1)\n.op\n.end\n' > area.cir
expect 0 "$LINNET" op area.cir && says err "area.cir:3: warning: d1: a diode of straight lines has no area"

holds 'a resistance of next to nothing' <<'END'
macro models join nodes by 1e-15 ohm, whose conductance would hide all else in the balance of a node: 7 mV at this diode
V1 s 0 5
R1 s a 10k
RS a b 1e-15
D1 b 0 dm
.model dm d
R2 b 0 10k
R3 s c 10k
D2 c 0 dm
R4 c 0 10k
B1 off 0 V=v(b)-v(c)
* expect: off 0
.end
END

# a record of elements of a vector: the index is a whole number that is known
cat > elements.xml << 'END'
<model name="v" xmlns="urn:linnet:model:1">
  <parameter name="k" value="2"/>
  <constant id="c" out="a" value="2"/><constant id="d" out="b" value="3"/><mux id="m" in="a b" out="v"/>
  <simulation duration="1" step="0.1" method="rk4"/>
  <record name="x" expression="10*v[1] + v[k]"/>
</model>
END
expect 0 "$LINNET" run elements.xml -q -o elements.csv
[ "$(tail -n 1 elements.csv | tr -d '\r')" = "1,23" ] || fail "elements of a vector: $(tail -n 1 elements.csv)"
for index in 1.5 a 2/0.7; do
    sed "s|v\[k\]|v[$index]|" elements.xml > wrong.xml
    expect 3 "$LINNET" run wrong.xml -q -o elements.csv && says err "wrong.xml:5: error: " "an index of 'v' is a whole number here"
done
for index in 0 3 -1 1,2; do
    sed "s|v\[k\]|v[$index]|" elements.xml > wrong.xml
    expect 3 "$LINNET" run wrong.xml -q -o elements.csv && says err "wrong.xml:5: error: " "v[$index]"
done

# repetitions of PWL: the joint of two has one time, whatever rounding makes of it, and a jump there two points
printf '* pwl\nV1 a 0 PWL(0 0 0.1 1 0.3 0) r=0.1\nR1 a 0 1k\nV2 b 0 PWL(0 0 1 5 1 0) r=0\nR2 b 0 1k\nV3 c 0 PWL(0 1 1 2 2 1) r=0\nR3 c 0 1k\n.tran 10m 5\n.print tran v(a) v(b) v(c)\n.end\n' > pwl.cir
deck="repetitions of PWL"
expect 0 "$LINNET" run pwl.cir -q --points 491 -o pwl.csv && awk -F, '
    NR > 1 { t = $1; x = (t - 0.1) / 0.2; a = t < 0.1 ? 10 * t : 1 - (x - int(x + 1e-9)); y = t - int(t + 1e-9); z = t - 2 * int(t / 2 + 1e-9)
        if (x - int(x + 1e-9) < 1e-6 || y < 1e-6) next # at a jump either value
        d = a - $2; e = 5 * y - $3; f = (z < 1 ? 1 + z : 3 - z) - $4; s = d * d + e * e + f * f; if (s > m) m = s; n++ }
    END { if (!(n > 300 && m < 1e-20)) { print m; exit 1 } }' pwl.csv > off || fail "repetitions of PWL: off by $(cat off)"
finish

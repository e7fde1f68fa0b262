#!/bin/sh
# SPDX-License-Identifier: MIT
# What LTspice's users bring: netlists as it exports them, schematics as it stores them, and files that netlists name.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1

# at FILE NAME VALUE [TOLERANCE]: a potential or flux of the operating point
near() { awk -v a="$1" -v b="$2" -v e="${3:-1e-6}" 'BEGIN { d = a - b; if (d < 0) d = -d; s = b < 0 ? -b : b; exit !(a != "" && d <= e*s + 1e-12) }'; }
at() {
    expect 0 "$LINNET" op "$1" -q || return
    found=$(awk -v n="$2" '$1 == n { print $2; exit }' out)
    near "$found" "$3" "$4" || fail "$1: $2 is $found, not $3"
}
measured() { # FILE NAME VALUE TOLERANCE
    expect 0 "$LINNET" run "$1" -o run.csv || return
    found=$(sed -n "s/^ *\(measures *\)\{0,1\}$2 = \([^ ]*\).*/\2/p" err | head -n 1)
    near "$found" "$3" "$4" || fail "$1: $2 is $found, not $3"
}

# ---- netlists ----

# Parasitics, in series and across all of it: 10 V, 2 Ohm, 3 Ohm beside 1 kOhm, 5 Ohm, 10 Ohm; micro signs of Latin-1, and
# of UTF-8.
printf 't\nV1 in 0 10 Rser=2 Cpar=1n\nL1 in a 10\265 Rser=3 Rpar=1k Cpar=1p\nR2 a b 5\nC1 b 0 1\265 Rser=10m Rpar=10 Lser=1n
.backanno\n.op\n.end\n' > p.net
at p.net b 5.002244277
sed 's/\xb5/\xc2\xb5/' p.net > utf8.net
at utf8.net b 5.002244277
at p.net in 8.999551145
# The resonance of a capacitor with its own inductance, and its loss there.
cat > c.net <<'END'
capacitor with parasitics: at 1/(2 pi sqrt(L C)) only Rser is left
V1 a 0 AC 1
R1 a b 9.9
C1 b 0 1u Lser=1u Rser=0.1 m=1
.ac lin 1 159154.9430918953 159154.9430918953
.end
END
expect 0 "$LINNET" run c.net -q -o ac.csv
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k ~ /b/ && $k !~ /phase|deg/ && !c) c = k; next } { exit !($c > 0.00999 && $c < 0.01001 || $c > -40.01 && $c < -39.99) }' ac.csv ||
    fail "a capacitor with Rser and Lser: $(cat ac.csv)"
for card in "R3 a 0 1 Rser=1" "L3 a 0 1 Lser=1" "I3 a 0 1 Rser=1"; do
    printf 't\nV1 a 0 1\nR1 a 0 1\n%s\n.op\n' "$card" > bad.net
    expect 3 "$LINNET" op bad.net
done
# startup: every independent source rises from 0 within 20 us, in a run only. Closed forms at 10 and 40 us: a lag of 1 us behind
# the ramp; half of 1 mA + 1 mA sin(2 pi 10 kHz t), seen through a current that follows it; half of a pulse of 2 V.
cat > startup.net <<'END'
sources that rise
V1 a 0 5 AC 1
R1 a b 1k
C1 b 0 1n
I1 0 c SINE(1m 1m 10k)
F1 0 d I1 1
R2 c 0 1k
R3 d 0 1k
V2 e 0 PULSE(0 2 5u 1u 1u 10u 30u) Rser=1
R4 e 0 1k
.tran 0 40u 0 0.1u startup
.meas tran va find v(a) at=10u
.meas tran vb find v(b) at=10u
.meas tran later find v(b) at=40u
.meas tran ii find i(i1) at=10u
.meas tran vd find v(d) at=10u
.meas tran ve find v(e) at=10u
.meas tran full find v(c) at=40u
.end
END
measured startup.net va 2.5 1e-5
measured startup.net vb 2.250011350 1e-4
measured startup.net later 4.999999989 1e-4
measured startup.net ii 7.938926261e-4 1e-4
measured startup.net vd 0.7938926261 1e-4
measured startup.net ve 0.999000999 1e-4
measured startup.net full 1.587785252 1e-4
sed -i 's/^.tran.*/.tran 0 40u 0 0.1u steady startup/' startup.net
expect 3 "$LINNET" run startup.net -q && says err "startup.net:11: error: .tran: steady" "give tstop"
sed -i 's/^.tran.*/.tran 1u 40u startup\n.op\n.ac lin 1 159154.9430918953 159154.9430918953/; /^.meas/d' startup.net
expect 0 "$LINNET" convert startup.net -q && says out '<ramped-voltage id="V1.startup"' '<ramped-current id="I1.startup"'
at startup.net b 5
at startup.net c 1
expect 0 "$LINNET" ac startup.net -q && says out "-3.01029996              -45"
printf 't\nV1 a 0 1\nQ1 a a 0 2N3904\n.lib C:\\users\\me\\lib\\cmp\\standard.bjt\n.op\n' > bad.net
expect 3 "$LINNET" op bad.net && says err "standard.bjt holds LTspice's own models" "q1: the model is missing"

# .step is a sweep: a parameter that nothing else gives, a logarithmic one, a source; all of a deck together.
cat > step.net <<'END'
steps
V1 a 0 1
R1 a b {R}
R2 b 0 1k
.step param R list 1k 3k
.step V1 1 2 1
.op
.tran 1m
.meas tran vb max v(b)
.end
END
expect 0 "$LINNET" sweep step.net -q -o step.csv
[ "$(cut -d, -f 2-4 step.csv | tail -n 4 | tr '\n' ' ')" = "1000,1,0.5 1000,2,1 3000,1,0.25 3000,2,0.5 " ] || fail "steps: $(cat step.csv)"
expect 0 "$LINNET" convert step.net -q && says out '<parameter-sweep vary="r=1000,3000 V1.V=1,2"/>'
expect 0 "$LINNET" run step.net -o step.csv && says err "'linnet sweep step.net' runs them"
at step.net b 0.5
sed -i '/^.step V1/d; s/.step param R list 1k 3k/.step dec param R 10 1k 1/' step.net
expect 0 "$LINNET" sweep step.net -q -o step.csv && [ "$(sed 1d step.csv | cut -d, -f 2 | tr '\n' ' ')" = "10 100 1000 " ] || fail "decades: $(cat step.csv)"
sed -i 's/^.step.*/.step param nobody 1 5 1/; s/{R}/5/' step.net
expect 0 "$LINNET" op step.net && says err "nothing in the deck uses the parameter 'nobody'"
sed -i 's/^.step.*/.step NPN 2N2222(VAF) 50 100 25/' step.net
expect 3 "$LINNET" op step.net

# ---- VDMOS ----

# ngspice 39 at reltol=1e-8, lambda = 0: drain currents, forwards, in the triode region, and through the body diode.
cat > vdmos.net <<'END'
power transistor
M1 d g 0 IRF540
Vd d 0 2.5
Vg g 0 6
.model IRF540 VDMOS(Rg=3 Vto=4 Rd=19m Rs=7m Rb=25m Kp=20 Cgdmax=3n Cgdmin=.2n Cgs=1.5n Cjo=1n Is=10p mtriode=1.3 ksubthres=0.05 mfg=X Vds=100)
.op
END
current() { # VD VG A
    sed -i "s/^Vd .*/Vd d 0 $1/; s/^Vg .*/Vg g 0 $2/" vdmos.net
    expect 0 "$LINNET" op vdmos.net -q || return
    found=$(awk '/^VD/ { in_it = 1 } in_it && $1 == "i" { print $2; exit }' out)
    near "$found" "$3" 5e-6 || fail "VDMOS at $1 V, $2 V: $found A, ngspice has $3 A"
}
if command -v ngspice > found; then
    for vd in -1 0.75 2.5 6; do
        for vg in 3 4 5 8; do
            sed "s/^Vd .*/Vd d 0 $vd/; s/^Vg .*/Vg g 0 $vg/; s/^.op/.options reltol=1e-9 abstol=1e-14 vntol=1e-11\n.control\nop\nprint i(vd)\n.endc/" vdmos.net > ng.cir
            reference=$(ngspice -b ng.cir 2> skip | sed -n 's/^i(vd) = //p')
            awk -v i="$reference" 'BEGIN { exit !(i*i > 1e-12) }' && current "$vd" "$vg" "$reference"
        done
    done
fi
current 2.5 6 -31.6330616
# Its switching, at 12 V of the drain and 5 V of the gate: ngspice 39, steps of 5 ns at reltol=1e-5; and the p-channel twin.
cat > switch.net <<'END'
power transistor, switched
M1 d g 0 0 IRF540
V1 vdd 0 24
R1 vdd d 10
Rg in g 50
V2 in 0 PULSE(0 10 1u 10n 10n 5u 10u)
.model IRF540 VDMOS(Rg=3 Vto=4 Rd=19m Rs=7m Rb=25m Kp=20 Cgdmax=3n Cgdmin=.2n Cgs=1.5n Cjo=1n Is=10p)
.tran 10n 10u 0 5n
.meas tran fall when v(d)=12 fall=1
.meas tran rise when v(d)=12 rise=1
.meas tran gm when v(g)=5 rise=1
.end
END
measured switch.net fall 1.09035e-06 1e-4 && measured switch.net rise 6.41544e-06 1e-4 && measured switch.net gm 1.26308e-06 3e-4
expect 0 "$LINNET" convert switch.net -q && says out '<vdmos-channel id="M1"' 'id="M1.Rg"' '<spice-diode id="M1.D"'
sed 's/M1 d g 0 0/M1 d g vdd vdd/; s/R1 vdd d/R1 0 d/; s/PULSE(0 10/PULSE(24 14/; s/VDMOS(/VDMOS(pchan /; s/Vto=4/Vto=-4/
    s/fall when v(d)=12 fall/fall when v(d)=12 rise/; s/rise when v(d)=12 rise/rise when v(d)=12 fall/; s/v(g)=5 rise/v(g)=19 fall/' switch.net > p.net
measured p.net fall 1.09035e-06 1e-4 && measured p.net rise 6.41544e-06 1e-4
sed 's/M1 d g 0 0/M1 d g 0 vdd/' switch.net > bad.net
expect 3 "$LINNET" run bad.net -q -o bad.csv && says err "its fourth node must be the source again"
sed 's/Rg=3/Rq=3/' switch.net > bad.net
expect 3 "$LINNET" run bad.net -q -o bad.csv && says err "has no parameter 'rq'"

# ---- schematics ----

# Every orientation of a divider's upper resistor, of an emitter follower's transistor, with wires that end within others.
pins() { # ORIENTATION X Y: where the pin lies
    case $1 in
        R0) echo "$2 $3" ;; R90) echo "$((-$3)) $2" ;; R180) echo "$((-$2)) $((-$3))" ;; R270) echo "$3 $((-$2))" ;;
        M0) echo "$((-$2)) $3" ;; M90) echo "$3 $2" ;; M180) echo "$2 $((-$3))" ;; M270) echo "$((-$3)) $((-$2))" ;;
    esac
}
for turn in R0 R90 R180 R270 M0 M90 M180 M270; do
    {
        printf 'Version 4\nSHEET 1 880 680\n'
        set -- $(pins $turn 64 0) $(pins $turn 0 48) $(pins $turn 64 96)
        printf 'FLAG %d %d vcc\nFLAG %d %d in\nFLAG %d %d out\n' "$1" "$2" "$3" "$4" "$5" "$6"
        printf 'SYMBOL npn 0 0 %s\nSYMATTR InstName Q1\nSYMATTR Value fast\n' "$turn"
        printf 'SYMBOL voltage 1000 0 R0\nSYMATTR InstName V1\nSYMATTR Value 12\nFLAG 1000 16 vcc\nFLAG 1000 96 0\n'
        printf 'SYMBOL voltage 1200 0 R0\nSYMATTR InstName Vin\nSYMATTR Value 5\nFLAG 1200 16 in\nFLAG 1200 96 0\n'
        set -- $(pins $turn 16 16) $(pins $turn 16 96)
        printf 'FLAG %d %d out\n' "$((2000 + $1))" "$((2000 + $2))"
        # the resistor's other end is joined within a wire across it that leads to the ground
        case $turn in *90 | *270) dx=0 dy=500 ;; *) dx=500 dy=0 ;; esac
        printf 'WIRE %d %d %d %d\n' "$((2000 + $3 - dx))" "$((2000 + $4 - dy))" "$((2000 + $3 + dx))" "$((2000 + $4 + dy))"
        printf 'FLAG %d %d 0\n' "$((2000 + $3 - dx))" "$((2000 + $4 - dy))"
        printf 'SYMBOL res 2000 2000 %s\nSYMATTR InstName R1\nSYMATTR Value 1k\n' "$turn"
        printf 'TEXT 0 400 Left 2 !.op\\n.model fast NPN(Is=1e-15 Bf=200)\nTEXT 0 500 Left 2 ;R9 a b 1\n'
    } > turned.asc
    at turned.asc out 4.24804241 1e-6 # 5 V - VT ln(i/Is), i = out/1k*200/201, by iteration
    at turned.asc vcc 12
done
for symbol in sw e g; do
    {
        printf 'Version 4\nSYMBOL %s 0 0 R0\nSYMATTR InstName %s1\n' "$symbol" "$symbol"
        case $symbol in sw) printf 'SYMATTR Value SWM\n' ;; *) printf 'SYMATTR Value 2m\n' ;; esac
        case $symbol in g) printf 'FLAG 0 96 a\nFLAG 0 16 0\n' ;; *) printf 'FLAG 0 16 a\nFLAG 0 96 0\n' ;; esac
        case $symbol in sw) printf 'FLAG -48 80 c\nFLAG -48 32 0\n' ;; *) printf 'FLAG -48 32 c\nFLAG -48 80 0\n' ;; esac
        printf 'SYMBOL voltage 900 0 R0\nSYMATTR InstName V1\nSYMATTR Value 3\nFLAG 900 16 c\nFLAG 900 96 0\n'
        printf 'SYMBOL res 700 0 R0\nSYMATTR InstName R1\nSYMATTR Value 1k\nFLAG 716 16 a\nFLAG 716 96 b\n'
        printf 'SYMBOL voltage 800 0 R0\nSYMATTR InstName V2\nSYMATTR Value 1\nFLAG 800 16 b\nFLAG 800 96 0\n'
        printf 'TEXT 0 400 Left 2 !.op\nTEXT 0 420 Left 2 !.model SWM SW(Ron=1k Roff=1G Vt=1)\n'
    } > control.asc
    case $symbol in sw) at control.asc a 0.5 1e-5 ;; e) at control.asc a 6e-3 ;; g) at control.asc a -5 ;; esac
done
# An inverting amplifier with the generic operational amplifier, a transistor without a model of its own, a name that does
# not begin with its letter.
cat > amplifier.asc <<'END'
Version 4
SHEET 1 880 680
WIRE 0 0 100 0
WIRE 100 0 100 48
WIRE 100 48 168 48
FLAG 168 80 0
FLAG 232 64 out
SYMBOL Opamps\\opamp 200 0 R0
SYMATTR InstName U1
SYMATTR Value2 Aol=1Meg
FLAG -16 -16 in
FLAG -16 64 x
SYMBOL res -32 -32 R0
SYMATTR InstName feed
SYMATTR Value 1k
FLAG 0 0 x
SYMBOL res 400 0 R0
SYMATTR InstName R2
SYMATTR Value 10k
FLAG 416 16 x
FLAG 416 96 out
SYMBOL voltage 600 0 R0
SYMATTR InstName V1
SYMATTR Value 0.1
FLAG 600 16 in
FLAG 600 96 0
SYMBOL nmos 800 0 R0
SYMATTR InstName M1
SYMATTR Value NMOS
FLAG 848 0 in
FLAG 800 80 in
FLAG 848 96 0
TEXT 0 400 Left 2 !.op
TEXT 0 440 Left 2 !.lib opamp.sub
END
sed -i '/opamp.sub/d' amplifier.asc
at amplifier.asc out -0.99998900 1e-6
expect 0 "$LINNET" convert amplifier.asc -q -o amplifier.xml && grep -q 'id="R_FEED"' amplifier.xml || fail "the name of a resistor: $(cat amplifier.xml)"
printf 'Version 4\nSYMBOL PowerProducts\\\\LT1234 0 0 R0\nSYMATTR InstName U7\nSYMBOL res 0 0 X\n' > bad.asc
expect 3 "$LINNET" op bad.asc && says err "bad.asc:4: error: SYMBOL"
sed -i 4d bad.asc
expect 3 "$LINNET" op bad.asc && says err "bad.asc:2: error: U7: the symbol 'LT1234' is not known here" "let LTspice write the netlist"
printf 'Version 4\nSYMBOL res 0 0 R0\nSYMATTR InstName R1\nSYMATTR Value abc\nFLAG 16 16 0\n' > bad.asc
expect 3 "$LINNET" op bad.asc && says err "bad.asc:2: error: r1"

# A symbol that somebody drew, beside the schematic: its pins in the order of SpiceOrder, what it says where the schematic says
# nothing, the file of its subcircuit; a name with blanks; an amplifier of five pins; a resistor and a diode without values; all
# of it in UTF-16, too.
cat > 'my divider.asy' <<'END'
Version 4
SymbolType CELL
LINE Normal 0 0 48 0
SYMATTR Prefix X
SYMATTR Value2 divide
SYMATTR SpiceModel divider.sub
SYMATTR SpiceLine lower=3k
PIN 0 48 NONE 0
PINATTR PinName low
PINATTR SpiceOrder 3
PIN 0 0 NONE 0
PINATTR PinName high
PINATTR SpiceOrder 1
PIN 48 16 NONE 0
PINATTR PinName middle
PINATTR SpiceOrder 2
END
printf '.subckt divide high middle low lower=1k\nR1 high middle 1k\nR2 middle low {lower}\n.ends\n
.subckt follower plus minus vcc vee out\nE1 out 0 plus minus 1e6\n.ends\n' > divider.sub
cat > drawn.asc <<'END'
Version 4
SHEET 1 880 680
SYMBOL own\\my divider 0 0 R0
SYMATTR InstName X1
FLAG 0 0 in
FLAG 0 48 0
FLAG 48 16 a
SYMBOL my divider 200 0 M0
SYMATTR InstName X2
SYMATTR SpiceLine lower=1k
FLAG 200 0 in
FLAG 200 48 0
FLAG 152 16 b
SYMBOL opamp2 400 0 R0
SYMATTR InstName U1
SYMATTR Value follower
FLAG 368 80 a
FLAG 368 48 buffered
FLAG 400 32 in
FLAG 400 96 0
FLAG 432 64 buffered
SYMBOL Misc\\EuropeanResistor 600 0 R0
SYMATTR InstName R1
SYMATTR Value 1k
FLAG 616 16 in
FLAG 616 96 c
SYMBOL diode 700 0 R0
SYMATTR InstName D1
FLAG 716 0 c
FLAG 716 64 0
SYMBOL voltage 800 0 R0
SYMATTR InstName V1
SYMATTR Value 4
SYMATTR Value2 ""
FLAG 800 16 in
FLAG 800 96 0
TEXT 0 400 Left 2 !.op\n.params q=1µ\nR9 in 0 {q*1G}
END
drawn() { # FILE: its operating point
    at "$1" a 3
    at "$1" b 2
    at "$1" buffered 2.999997
    at "$1" c 0.6861 1e-4 # v = VT ln((4 V - v)/1k/1e-14 A), by iteration
}
drawn drawn.asc
if command -v iconv > found; then
    iconv -f UTF-8 -t UTF-16LE drawn.asc > little.asc && drawn little.asc
    iconv -f UTF-8 -t UTF-16 drawn.asc > marked.asc && drawn marked.asc
    iconv -f UTF-8 -t UTF-16BE drawn.asc > big.asc && drawn big.asc
fi
mkdir -p symbols
mv 'my divider.asy' divider.sub symbols
expect 3 "$LINNET" op drawn.asc && says err "drawn.asc:3: error: X1: the symbol 'my divider' is not known here; put its file my divider.asy into"
cp drawn.asc elsewhere.asc && expect 0 "$LINNET" op elsewhere.asc -I symbols
wrong_symbol() { # SED TEXT
    sed "$1" 'symbols/my divider.asy' > 'my divider.asy'
    expect 3 "$LINNET" op drawn.asc -I symbols && says err "$2"
}
wrong_symbol 's/SpiceOrder 2/SpiceOrder 4/' "the SpiceOrder of its pins is not 1, 2, 3"
wrong_symbol '/Prefix/d' "it has no Prefix"
wrong_symbol '/Prefix/d; s/CELL/BLOCK/' "it stands for a schematic of its own"
wrong_symbol 's/PIN 0 48.*/PIN x/' "write PIN x y"
rm 'my divider.asy'

# ---- files that a deck names ----

mkdir -p project/lib outside
echo 'R1 a 0 1k' > outside/part.inc
echo 'R1 a 0 1k' > project/lib/own.inc
printf 't\n.include ../outside/part.inc\nV1 a 0 1\n.op\n' > project/up.cir
expect 3 "$LINNET" op project/up.cir && says err "leaves the model's folder; -I 'project/../outside' on the command line allows it"
expect 0 "$LINNET" op project/up.cir -I outside
expect 0 "$LINNET" op project/up.cir -I 'project/../outside'
printf "t\n.include %s/outside/part.inc\nV1 a 0 1\n.op\n" "$PWD" > project/kicad.cir
expect 3 "$LINNET" op project/kicad.cir && says err "-I '$PWD/outside' on the command line allows it"
expect 0 "$LINNET" op project/kicad.cir -I "$PWD/outside"
printf 't\n.include lib/../lib/own.inc\nV1 a 0 1\n.op\n' > project/inside.cir
expect 0 "$LINNET" op project/inside.cir
# LTspice writes paths of its system, blanks and all: the file of that name is looked for where the deck may read
printf 't\nV1 a 0 1\n.lib C:\\Program Files\\My Parts\\own.inc\n.op\n' > project/lib/windows.cir
expect 0 "$LINNET" op project/lib/windows.cir
sed 's/^.lib/.inc/' project/lib/windows.cir > project/lib/inc.cir
expect 0 "$LINNET" op project/lib/inc.cir
printf 't\nV1 a 0 1\n.include lib\\own.inc\n.op\n' > project/windows.cir
expect 0 "$LINNET" op project/windows.cir
mkdir -p 'project/two words'
cp project/lib/own.inc 'project/two words'
printf 't\nV1 a 0 1\n.include two words/own.inc\n.op\n' > project/blank.cir
expect 0 "$LINNET" op project/blank.cir
sed 's/own.inc/none.inc/' project/lib/windows.cir > project/bad.cir
expect 3 "$LINNET" op project/bad.cir && says err "project/bad.cir:3: error: include: cannot read 'none.inc'"
# whether a file is there is not told
printf 't\n.include /nowhere/x\nV1 a 0 1\n.op\n' > a.cir && "$LINNET" op a.cir 2> one
printf 't\n.include /etc/passwd\nV1 a 0 1\n.op\n' > a.cir && "$LINNET" op a.cir 2> two
[ "$(sed 's/.nowhere.x//; s/-I .*//' one)" = "$(sed 's/.etc.passwd//; s/-I .*//' two)" ] || fail "a deck finds out which files there are: $(cat one two)"
finish

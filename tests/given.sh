#!/bin/sh
# SPDX-License-Identifier: MIT
# Given start values: they hold beside charges that sources pull at, and conflicts are told with both sides. How runs go on from
# them is compared with ngspice by tests/spice/start-*.cir.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1

# model NAME: reads elements, for a run that starts from values.
model() {
    name=$1
    { printf '<model name="%s" xmlns="urn:linnet:model:1"><ground id="gnd" p="0"/>\n' "$name"; cat
      printf '<simulation duration="100 ns" tolerance="1e-5"/></model>\n'; } > "$name.xml"
}
# starts NAME=VALUE...: the first row of the run, to 1e-6.
starts() {
    expect 0 "$LINNET" run "$name.xml" -q -o run.csv || return
    for pair; do
        awk -F, -v v="${pair%%=*}" -v w="${pair#*=}" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == v) col = k } NR == 2 { got = $col }
            END { d = got - w; exit !(col && d <= 1e-6 && -d <= 1e-6) }' run.csv || fail "$name: ${pair%%=*} does not start at ${pair#*=}: $(sed -n 1,2p run.csv)"
    done
}
# conflict TEXT...: an error of the model that says so.
conflict() {
    expect 3 "$LINNET" run "$name.xml" -q -o run.csv && says err "$@"
}

# the gate's source pulls at the drain by the overlap; given, the load's voltage stays
model load << 'X'
<voltage-source id="VDD" p="vdd" n="0" V="5 V"/><voltage-source id="VG" p="g" n="0" V="2 V"/>
<resistor id="RD" p="vdd" n="d" R="10 kOhm"/><mosfet id="M1" d="d" g="g" s="0" b="0" W="10 um" L="1 um" KP="2e-5" TOX="1 m" CGSO="1e-9" CGDO="1e-9"/>
<capacitor id="C2" p="d" n="0" C="0.1 pF" v0="5 V"/>
X
starts d=5 g=2
# not given, it shares: 2 V * 10 fF / (10 fF + 100 fF)
sed -i 's/ v0="5 V"//' load.xml && starts d=0.181818182
# an inductor in series with one that has a given current follows it
model series << 'X'
<voltage-source id="V1" p="a" n="0" V="1 V"/><inductor id="L1" p="a" n="b" L="1 mH" i0="1 A"/><inductor id="L2" p="b" n="c" L="1 H"/>
<resistor id="R1" p="c" n="0" R="1 Ohm"/>
X
starts c=1
# between given and not given: of three capacitors across a source the first keeps 1 V, the others share 9 V
model three << 'X'
<voltage-source id="V1" p="a" n="0" V="10 V"/><capacitor id="C1" p="a" n="b" C="1 nF" v0="1 V"/>
<capacitor id="C2" p="b" n="c" C="1 nF"/><capacitor id="C3" p="c" n="0" C="2 nF"/>
X
starts b=9 c=3
# junctions, inner nodes behind their resistances
model junctions << 'X'
<resistor id="R1" p="a" n="0" R="1 kOhm"/><spice-diode id="D1" p="a" n="0" CJO="10 pF" v0="-3 V"/>
<resistor id="R2" p="b" n="0" R="1 MOhm"/><resistor id="R3" p="c" n="0" R="1 MOhm"/>
<bjt id="Q1" type="pnp" c="c" b="b" e="0" s="0" CJE="10 pF" CJC="5 pF" vbe0="-0.3 V" vce0="-4 V"/>
<resistor id="R4" p="g" n="0" R="1 MOhm"/><resistor id="R5" p="y" n="0" R="1 MOhm"/>
<jfet id="J1" d="y" g="g" s="0" CGS="5 pF" CGD="5 pF" vds0="2 V" vgs0="-4 V"/>
<resistor id="R6" p="z" n="0" R="90 Ohm"/><spice-diode id="D2" p="z" n="0" CJO="10 pF" RS="10" v0="-3 V"/>
X
starts a=-3 b=-0.3 c=-4 g=-4 y=2 z=-2.7
# a link
model link << 'X'
<resistor id="R1" p="a" n="0" R="1 kOhm"/><capacitor id="C1" p="a" n="0" C="1 nF"/><start link="a" value="2 V" fixed="yes"/>
X
starts a=2

model parallel << 'X'
<resistor id="R1" p="a" n="0" R="1 kOhm"/><capacitor id="C1" p="a" n="0" C="1 nF" v0="3 V"/>
<capacitor id="C2" p="a" n="0" C="1 nF" v0="4 V"/>
X
conflict "parallel.xml:3" "C2 (capacitor)" "v0 = 4 contradicts v0 of C1 (line 2)" "by which it is 3"
model loop << 'X'
<capacitor id="C1" p="a" n="0" C="1 nF" v0="3 V"/><capacitor id="C2" p="a" n="b" C="1 nF" v0="1 V"/><capacitor id="C3" p="b" n="0" C="1 nF" v0="1 V"/>
<resistor id="R1" p="a" n="0" R="1 kOhm"/>
X
conflict "C3 (capacitor)" "v0 = 1 contradicts" "by which it is 2"
model source << 'X'
<voltage-source id="V1" p="a" n="0" V="5 V"/><capacitor id="C1" p="a" n="0" C="1 nF" v0="3 V"/>
X
conflict "C1 (capacitor)" "contradicts what it is joined to, which holds it at 5"
# a block of 34 capacitances: the first and the last start value are held to alike
bank() {
    printf '<block-type name="bank"><port name="n" domain="electrical"/><parameter name="C" unit="F" default="1 uF"/>\n'
    for j in $(seq 34); do
        printf '<port name="p%d" domain="electrical"/><parameter name="v%d" unit="V" default="0"/>' $j $j
        printf '<start of="p%d.v - n.v" value="v%d"/><equation>p%d.i = C*der(p%d.v - n.v)</equation>\n' $j $j $j $j
    done
    printf '<equation>n.i = -(p1.i%s)</equation></block-type>\n' "$(seq -f ' + p%g.i' -s '' 2 34)"
    printf '<voltage-source id="V" p="a%d" n="0" V="1 V"/><bank id="B" n="0" v%d="5 V"' $1 $1
    printf ' p%d="a%d"' $(for j in $(seq 34); do echo $j $j; done)
    printf '/>\n'
}
for k in 1 34; do
    bank $k > bank.txt
    model bank < bank.txt
    conflict "B (bank): its start value v$k = 5 contradicts what it is joined to, which holds it at 1"
done
model link-and-capacitor << 'X'
<capacitor id="C1" p="a" n="0" C="1 nF" v0="3 V"/><resistor id="R1" p="a" n="0" R="1 kOhm"/>
<start link="a" value="2 V" fixed="yes"/>
X
conflict "link-and-capacitor.xml:3" "link a: its start 2 contradicts v0 of C1 (line 2)"
model twice << 'X'
<capacitor id="C1" p="a" n="0" C="1 nF"/><resistor id="R1" p="a" n="0" R="1 kOhm"/>
<start link="a" value="2 V" fixed="yes"/>
<start link="a" value="3 V" fixed="yes"/>
X
conflict "twice.xml:4" "link a has a start at line 3 already"

# .ic against a source, and where nothing is stored: told and dropped; with UIC and without
printf '%s\n' '* .ic in vain' 'v1 in 0 4' 'r1 in out 2k' 'c1 out 0 1u' 'r2 out mid 1k' 'r3 mid 0 1k' '.ic v(in)=5 v(mid)=3 v(out)=1' '.tran 10u 1m' '.end' > vain.cir
sed 's/1m$/1m uic/' vain.cir > vain-uic.cir
for deck in vain vain-uic; do
    expect 0 "$LINNET" run $deck.cir -q -o run.csv && says err "$deck.cir:7: warning: link in: its start 5 cannot hold" "puts it at 4" "link mid: its start 3"
    awk -F, 'NR == 2 { d = $3 - 1; exit !(d < 1e-9 && -d < 1e-9) }' run.csv || fail "$deck: out does not start at 1: $(sed -n 2p run.csv)"
done
# p = m v is stored and has no start of its own: it begins where the starts of m and v put it, by every method, whether the
# type or the model gives them
for given in '' ' v0="7"'; do
    v=5 && [ -n "$given" ] && v=7
    printf '%s\n' '<model name="momentum" xmlns="urn:linnet:model:1"><block-type name="body"><parameter name="v0" default="5"/>' \
        '<state name="m" start="1000"/><state name="v" start="v0"/><variable name="p"/><equation>der(m) = -10</equation>' \
        '<equation>p = m*v</equation><equation>der(p) = -10*v</equation></block-type>' \
        "<body id=\"r\"$given/><simulation duration=\"1\"/><record signals=\"r.*\"/></model>" > momentum.xml
    for method in 'radau5 --tolerance 1e-7' 'rk45 --tolerance 1e-7' 'rk4 --step 0.01' 'crank-nicolson --step 0.01' 'ida --tolerance 1e-7'; do
        # shellcheck disable=SC2086
        expect 0 "$LINNET" run momentum.xml -q --method $method -o run.csv || continue
        awk -F, -v v=$v 'function off(a, b) { return a > b ? a - b : b - a }
            NR == 2 { start = $3 } END { exit !(off(start, 1000*v) < 1e-3 && off($4, v) < 1e-6 && off($3, 990*v) < 1e-2) }' run.csv ||
            fail "momentum$given by $method: $(sed -n 2p run.csv) ... $(tail -n 1 run.csv)"
    done
done
finish

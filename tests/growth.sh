#!/bin/sh
# SPDX-License-Identifier: MIT
# Memory grows with a model, not with its square: long arrays, a chain of algebraic loops whose programs would each hold all
# loops before it, and a chain of transistors.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1

cat > chain.xml << 'E'
<model name="chain"><sine id="s" frequency="1" out="x[0]"/>
  <repeat index="k" from="1" to="10000"><sum id="a[k]" in="x[k-1] y[k]" signs="+-" out="e[k]"/>
    <gain id="g[k]" in="e[k]" k="0.5" out="x[k]"/><function id="h[k]" in="x[k]" out="y[k]" expression="u+0.1*u^3"/></repeat>
  <simulation duration="1"/> <record signals="x[10000]"/></model>
E
expect 0 "$LINNET" run chain.xml -q --max-memory 500MB

# a rod of 20000 pieces, its ends cooling: what is far from them stays as it was
cat > rod.xml << 'E'
<model name="rod"><block-type name="rod"><number name="n" value="20000"/><state name="T" size="n" index="i" start="1"/>
    <equation for="i = 2 .. n-1">der(T[i]) = T[i-1] - 2*T[i] + T[i+1]</equation>
    <equation>der(T[1]) = T[2] - 2*T[1]</equation> <equation>der(T[n]) = T[n-1] - 2*T[n]</equation></block-type>
  <rod id="r"/> <simulation duration="1"/> <record signals="r.T[1] r.T[10000] r.T[20000]"/></model>
E
expect 0 "$LINNET" run rod.xml -q --max-memory 500MB
tail -n 1 rod.csv | awk -F, '{ exit !(($2 - $4)^2 < 1e-12 && ($3 - 1)^2 < 1e-24 && $2 < 0.6 && $2 > 0.4) }' || fail "rod: $(tail -n 1 rod.csv)"

# transistors one behind the other: charges that are zero join no parts, which a dense factorisation would have to take apart
{
    printf 'amplifiers\n.model q NPN(is=1e-15 bf=120 vaf=80 rb=50 cje=1.2p cjc=0.8p tf=0.3n)\nVCC vcc 0 12\nV1 c0 0 SIN(0 0.5 100k)\n'
    k=0
    while [ $k -lt 600 ]; do
        next=$((k + 1))
        printf 'CC%d c%d b%d 100n\nRA%d vcc b%d 82k\nRB%d b%d 0 22k\nQ%d c%d b%d e%d q\nRC%d vcc c%d 2.2k\nRE%d e%d 0 2k\n' \
            $next $k $next $next $next $next $next $next $next $next $next $next $next $next $next
        k=$next
    done
    printf '.op\n.end\n'
} > amplifiers.cir
expect 0 "$LINNET" op amplifiers.cir --max-memory 250MB -o amplifiers.csv

# a ladder of 100000 sections: elements of blocks go when the network stands, equal instances share their values (231 MB before)
awk -v n=100000 -v steps=20 -f "$srcdir/bench/ladder.awk" > ladder.xml
expect 0 "$LINNET" run ladder.xml -q --max-memory 215MB

# a result of 4000 signals: their names and sizes are looked at once each, not once for each pair of pairs (2 minutes)
awk 'BEGIN { line = "time"; for (k = 1; k <= 4000; k++) line = line ",s" k; print line
    for (t = 0; t < 2; t++) { line = t; for (k = 1; k <= 4000; k++) line = line "," t; print line } }' > wide.csv
expect 0 sh -c "ulimit -t 20; exec '$LINNET' plot wide.csv -q -o wide.svg"

# 60000 that stand the other way round: put into the order of their numbers, and into panels (20000 of each took 10 and 1 s, fourfold for
# twice as many)
awk 'BEGIN { for (t = -1; t < 2; t++) { printf t < 0 ? "time" : t; for (k = 60000; k > 0; k--) printf t < 0 ? ",s%d" : ",%d", k; print "" } }' > turned.csv
expect 0 sh -c "ulimit -t 6; exec '$LINNET' plot turned.csv -q -o turned.json"
grep -o '"s[0-9]*"' turned.json | head -n 3 | tr -d '\n' | grep -q '"s1""s2""s3"' || fail "the order of turned.json: $(head -c 300 turned.json)"

# parameters of a deck: each is found at once, not by a walk along those before (40000: 10 seconds); the last of a name holds, and
# what subcircuits call by the same name is their own
{
    printf 'parameters\n.param p0=1\n'
    k=1
    while [ $k -lt 40000 ]; do
        printf '.param p%d={p0+%d}\n' $k $k
        k=$((k + 1))
    done
    printf '.param p7=5\n.subckt s a p7=3\n.param q={p7+p39999}\nR a 0 {q}\n.ends\nV1 a 0 40003\nX1 a s\nR2 a 0 {p7}\n.op\n.end\n'
} > parameters.cir
expect 0 sh -c "ulimit -t 5; exec '$LINNET' op parameters.cir -o parameters.csv"
# R2 = 5 and x1.R = 3 + 1 + 39999, both at 40003 V
tail -n 1 parameters.csv | awk -F, '{ exit !($8 == 8000.6 && $14 == 1) }' || fail "parameters: $(tail -n 1 parameters.csv)"

# likewise subcircuits, models, functions and measures (20000 subcircuits alone: 6 seconds); of functions the last of a name and number of
# arguments holds, the nearest circuit first
{
    printf 'definitions\nV1 a 0 39999\n'
    awk 'BEGIN { for (k = 0; k < 40000; k++)
        printf ".subckt s%d a\n.func g(x) {x+%d}\nR1 a 0 {g(1)}\n.ends\n.func f%d(x) {x}\n.func f%d(x,y) {x*y+%d}\n.model r%d r(r=%d)\n.meas tran m%d max v(a)\n",
            k, k, k, k, k, k, k + 1, k }'
    printf 'X1 a s39998\nX2 a s0\nR1 a 0 r39998\nR2 a 0 {f39999(0, 1)}\nR3 a 0 {f7(3)}\n.op\n.end\n'
} > definitions.cir
expect 0 sh -c "ulimit -t 5; exec '$LINNET' op definitions.cir -f csv -o definitions.csv"
# R1 = 39999, R2 = 0*1 + 39999, R3 = 3, x1.R1 and x2.R1 = 1 + k, all at 39999 V
awk -F, 'END { exit !($8 == 1 && $11 == 1 && $14 == 13333 && $20 == 1 && $23 == 39999) }' definitions.csv || fail "definitions: $(tail -n 1 definitions.csv)"
finish

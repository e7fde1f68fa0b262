#!/bin/sh
# SPDX-License-Identifier: MIT
# Gates, latches and transmission gates of MOS transistors that have no capacitance but their oxide, or none at all: what hangs
# between two transistors jumps or runs away where a model stores charge carelessly, and the step shrinks to nothing (ngspice
# gives up on most of these with TOX). Each must run to its end and give the logic's levels.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1

# deck LEVEL OXIDE LOAD: reads a circuit.
deck() {
    echo "stack of level $1, $2"
    for kind in nmos pmos; do
        [ $kind = nmos ] && of='vto=0.7 kp=110u gamma=0.4' || of='vto=-0.7 kp=50u gamma=0.57'
        [ "$1" = 3 ] && more= || more=lambda=0.05
        echo ".model $kind $kind level=$1 $of $more phi=0.65 $2"
    done
    echo 'vdd vdd 0 3.3'
    cat
    [ -z "$3" ] || echo "cl out 0 $3"
    printf '.tran 0.1n 80n\n.end\n'
}
nor() { deck "$@" << 'E'
va a 0 pulse(0 3.3 1n 0.2n 0.2n 8n 20n)
vb b 0 pulse(0 3.3 1n 0.2n 0.2n 18n 40n)
mp1 x a vdd vdd pmos w=10u l=1u
mp2 out b x vdd pmos w=10u l=1u
mn1 out a 0 0 nmos w=5u l=1u
mn2 out b 0 0 nmos w=5u l=1u
E
}
nand() { deck "$@" << 'E'
va a 0 pulse(0 3.3 1n 0.2n 0.2n 8n 20n)
vb b 0 pulse(0 3.3 2n 0.2n 0.2n 18n 40n)
vc c 0 pulse(0 3.3 3n 0.1n 0.1n 5n 9n)
mp1 out a vdd vdd pmos w=10u l=1u
mp2 out b vdd vdd pmos w=10u l=1u
mp3 out c vdd vdd pmos w=10u l=1u
mn1 out a x 0 nmos w=5u l=1u
mn2 x b y 0 nmos w=5u l=1u
mn3 y c 0 0 nmos w=5u l=1u
E
}
latch() { deck "$@" << 'E'
va a 0 pulse(0 3.3 1n 0.2n 0.2n 2n 20n)
vb b 0 pulse(0 3.3 11n 0.2n 0.2n 2n 20n)
.subckt nor a b out vdd
mp1 x a vdd vdd pmos w=10u l=1u
mp2 out b x vdd pmos w=10u l=1u
mn1 out a 0 0 nmos w=5u l=1u
mn2 out b 0 0 nmos w=5u l=1u
.ends
x1 a qn out vdd nor
x2 b out qn vdd nor
.ic v(out)=0 v(qn)=3.3
E
}
passgate() { deck "$@" << 'E'
vi i 0 pulse(0 3.3 2n 0.5n 0.5n 30n 60n)
vc c 0 pulse(0 3.3 1n 0.2n 0.2n 3n 8n)
vd d 0 pulse(3.3 0 1n 0.2n 0.2n 3n 8n)
m1 i c x 0 nmos w=5u l=1u
m2 i d x vdd pmos w=10u l=1u
m3 x c y 0 nmos w=5u l=1u
m4 x d y vdd pmos w=10u l=1u
mp out y vdd vdd pmos w=10u l=1u
mn out y 0 0 nmos w=5u l=1u
E
}
# levels TIME=LEVEL...: what `out` is.
levels() {
    for pair; do
        awk -F, -v t="${pair%=*}" -v want="${pair#*=}" '
            NR == 1 { for (k = 1; k <= NF; k++) if ($k == "v(out)") col = k; next } $1 >= t*1e-9 { got = $col; exit }
            END { d = got - want; exit !(col && got != "" && d < 0.02 && d > -0.02) }' out.csv ||
            fail "$name by $method: v(out) is not ${pair#*=} V at ${pair%=*} ns"
    done
}
# holds CIRCUIT LEVEL OXIDE LOAD METHODS TIME=LEVEL...
holds() {
    name="$1 $2 $3 $4"
    "$1" "$2" "$3" "$4" > stack.cir
    methods=$5; shift 5
    for method in $methods; do
        expect 0 timeout 60 "$LINNET" run stack.cir -q --method "$method" -o out.csv && levels "$@"
    done
}

all="radau5 backward-euler tr-bdf2 bdf2 crank-nicolson"
nor="0.9=3.3 8=0 16=0 20.9=3.3 28=0 40=3.3"
nand="0.9=3.3 2.9=3.3 6=0 10.9=3.3 24=3.3 40=3.3 43.5=0 76=3.3"
latch="0.9=0 9=0 18=3.3 28=0 38=3.3"
passgate="4=0 10=0 40=3.3 70=0"
holds nor 1 tox=20n 50f "$all" $nor
for load in 50f ""; do
    for level in 1 2 3; do
        holds nor $level tox=20n "$load" radau5 $nor
        holds nand $level tox=20n "$load" radau5 $nand
        holds passgate $level tox=20n "$load" radau5 $passgate
    done
done
holds latch 1 tox=20n "" radau5 $latch
holds latch 3 tox=20n "" radau5 $latch
# without an oxide the gate has no charge at all
holds nor 1 "" 50f radau5 $nor
holds nand 1 "" 50f radau5 $nand
finish

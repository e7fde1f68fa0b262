#!/bin/sh
# SPDX-License-Identifier: MIT
# What rings at full height, leakage against a junction's charge, asks for steps that no method may leave out. It asks for no
# more: few trials are in vain.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1

# A coil of leakage that rings a hundred times against two junctions, of which one conducts at each turn.
cat > tank.cir <<'END'
* tank
.model d0 d(is=1n n=1.2 rs=10m cjo=200p vj=0.6 m=0.4 tt=10n)
V1 in 0 50
L1 in a 0.2u
D1 0 a d0
V2 top 0 70
D2 a top d0
R1 a 0 1meg
.tran 10n 2.5u uic
.print tran v(a) i(L1)
.end
END
# A number that the last run has said, between two words
said() { # BEFORE AFTER
    sed -n "s/.*$1\([0-9]*\)$2.*/\1/p" err | head -n 1
}
trials() {
    echo $(($(said ' in ' ' steps ') + $(said ', ' ' tried again')))
}

# Methods whose steps follow their error foresee what will be allowed at the next one: a quarter of tr-bdf2's trials was in vain.
expect 0 "$LINNET" run tank.cir -m tr-bdf2 --tolerance 7e-3 -o run.csv
[ $(($(said ', ' ' tried again') * 6)) -le "$(trials)" ] || fail "tr-bdf2: $(grep "tried again" err)"

finish

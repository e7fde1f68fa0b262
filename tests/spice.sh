#!/bin/sh
# SPDX-License-Identifier: MIT
# SPICE decks: what is wrong is said with file and line, nothing hostile takes long, files are read from allowed folders
# only. What decks compute is compared with ngspice in ngspice.sh.
set -u
linnet=${LINNET:-./linnet}
case $linnet in /*) ;; *) linnet=$(pwd)/$linnet ;; esac
work=$(mktemp -d "${TMPDIR:-/tmp}/linnet-spice-XXXXXX")
TMPDIR=$work # what the program and its children put into the folder for temporary files is the test's own, too
export TMPDIR
trap 'rm -rf "$work"' EXIT INT TERM
cd "$work" || exit 1

# status, text expected in the messages; the deck comes from standard input
try() {
    cat > deck.cir
    timeout 60 "$linnet" run deck.cir -q -o out.csv > said 2>&1
    status=$?
    if [ $status -ne "$1" ] || { [ -n "$2" ] && ! grep -qF -- "$2" said; }; then
        echo x >> failed # a pipe's end runs in a shell of its own
        echo "FAIL: status $status instead of $1, or not said: $2"
        cut -c1-200 said | head -n 5
    fi
}

# lines of an RC circuit around one line
with() {
    printf 'title\nV1 a 0 1\nR1 a b 1k\nC1 b 0 1u\n%s\n.tran 1u 10u\n.end\n' "$3" | try "$1" "$2"
}

with 0 "" "* nothing"
with 3 "deck.cir:5: error: d1: the model 'dmod' is not defined" "D1 a 0 dmod"
with 3 "deck.cir:5: error: m1: the model 'nch' (line 6) is of level 14 (BSIM4), which is not supported; level 3 with parameters fitted" "M1 a b 0 0 nch
.model nch nmos level=14 vto=0.7"
with 3 "deck.cir:6: error: .model nch: a model of kind nmos has no parameter 'vot' here; did you mean 'vto'?" "M1 a b 0 0 nch
.model nch nmos vot=0.7"
with 0 "deck.cir:6: note: .model nch: 'delta' is no parameter of level 1" "M1 a b 0 0 nch
.model nch nmos vto=0.7 delta=2 kf=1e-26"
with 3 "deck.cir:6: error: .model dm: rth0=100: the block type spice-diode has nothing like it" "D1 a b dm
.model dm d rth0=100"
with 3 "d1: the model 'qm' (line 6) is of kind npn, not d" "D1 a b qm
.model qm npn"
with 3 "s1: vh=-1: a switch with a gradual passage" "S1 a b a 0 sm
.model sm sw vt=1 vh=-1"
with 3 "W1: its current is that of 'v7', which is not in this circuit" "W1 a b v7 wm
.model wm csw it=1m"
with 3 "deck.cir:5: error: r2: the second node is missing" "R2 a"
with 3 "deck.cir:5: error: r2: it has no value" "R2 a 0"
with 3 "deck.cir:5: error: r2: 'big' is neither a number, a parameter nor a .model of kind r" "R2 a 0 big"
with 3 "deck.cir:5: error: r1: the name is already given at line 3" "r1 a 0 1k"
with 3 "deck.cir:5: error: unknown parameter 'rr'" "R2 a 0 {rr*2}"
with 3 "deck.cir:5: error: parameter 'p' needs its own value" ".param p={q} q={p}
R2 a 0 {p}"
with 3 "expression '1+*2': unexpected character at '*2'" "R2 a 0 {1+*2}"
with 3 "a '{' is not closed" "R2 a 0 {1"
with 3 "deck.cir:5: error: x1: subcircuit 'amp' is not defined" "X1 a b amp"
with 3 "deck.cir:5: error: x1: 3 nodes are given, but subcircuit 's' (line 6) has 2" "X1 a b 0 s
.subckt s p q
R1 p q 1
.ends"
with 0 "warning: x1: subcircuit 's' has no parameter 'w'" "X1 a b s w=1
.subckt s p q r=1
R1 p q {r}
.ends"
with 3 "subcircuit 's' contains itself: s -> s; take one of them out" ".subckt s p q
X1 p q s
.ends
X1 a b s"
with 3 "deck.cir:5: error: subcircuit 's' has no .ends" ".subckt s p q"
with 3 "deck.cir:5: error: .ends without a .subckt" ".ends"
with 3 "deck.cir:7: error: alter: stands within 'foreach' of line 6; loops and conditions of scripts are not executed" ".control
foreach r 1k 2k
alter r1=\$r
run
end
.endc"
with 0 "if ... end is passed over" ".control
run
if v(b) > 1
  echo much
end
.endc"
with 3 "alter: a script that changes the circuit between runs is not executed" ".control
alter r1=2k
.endc"
with 0 "" ".control
set noaskquit
run
let p = v(b)*i(v1)
plot v(b) v(a)-v(b) p title 'the power' vs time
.endc"
with 0 "deck.cir:5: warning: .noise is not performed: there is no noise analysis" ".noise v(b) V1 dec 10 1 1k"
with 3 "deck.cir:5: error: .ac: no source has an AC value" ".ac dec 10 1 1k"
with 3 ".dc: the value of 'c1' cannot be swept" ".dc C1 1 2 1"
with 3 ".dc: 'zemp' is no source, resistor or parameter" ".dc zemp 0 100 10"
with 0 "the one of line 6 is taken" ".op
.tran 1u 2u"
with 0 "measures of noise are not taken" ".meas noise x max v(b)"
with 3 ".meas x: 'deriv' is not supported" ".meas tran x deriv v(b) at=1u"
with 3 ".meas x: there is no node 'zz'" ".meas tran x max v(zz)"
with 3 "@q1[ic]: there is no element 'q1'" ".save @q1[ic]"
with 3 "deck.cir:5: error: .trann: this card is not supported; did you mean '.tran'?" ".trann 1 2"
with 0 "warning: .options: 'reltl' is not known and has no effect" ".options reltl=1e-4"
with 0 "'chgtol' has no meaning here" ".options chgtol=1e-14"
with 0 "an absolute tolerance of 1e-12 A is met anyway" ".options abstol=1p"
with 0 "" ".options vntol=1m"
with 3 "deck.cir:5: error: b1: write v=expression or i=expression" "B1 a 0 q=1"
with 3 "function 'foo' of 1 argument is not supported in the expression of a source" "B1 c 0 v=foo(v(a))"
with 3 "F1: its current is that of 'v9', which is not in this circuit" "F1 0 c V9 2"
with 3 "PWL: the time 1 stands behind 2; times rise" "V2 c 0 PWL(0 0 2 1 1 0)"
with 3 "TRNOISE: there is white noise" "V2 c 0 trnoise(1 1 0.5 1)"
with 3 "there is no node 'zz'" ".print tran v(zz)"
with 3 ".ic: there is no node 'zz'" ".ic v(zz)=1"
with 3 "k1: 'l9' is no inductor of this circuit" "L1 a c 1m
K1 L1 L9 0.5"
with 3 "include '../other.cir' leaves the model's folder" ".include ../other.cir"
with 3 "include '/etc/passwd' leaves the model's folder" ".include '/etc/passwd'"
with 3 "circular include" ".include deck.cir"
with 0 "a resistance of 0 becomes 1 mOhm" "R2 b c 0
R3 c 0 1k"
printf 'title\nV1 a 0 1\nR1 a 0 1\n.tran 0 10u 1u\n' | try 0 ""
printf 'title\n+ 1\n' | try 3 "a line that continues ('+') has no card before it"
printf 'title only\n' | try 3 "the deck has no elements; its first line is the title"
printf 't\nR1 a b 1\nV1 a b 1\n.tran 1u 1m\n' | try 3 "no element is joined to node 0"

# names and values: a deck in capitals, suffixes, continuation, comments
cat > lib.inc <<'END'
* a library
.lib slow
.param c=2u
.endl
.lib fast
.param c=1u
.endl
END
try 0 "" <<'END'
Capitals
* comment
V1 A 0 2 $ comment
R1 A B 0.5KOhm ; comment
+
+ tc1=0
R2 B 0
* within
+ 500
C1 B 0 {c}
.LIB lib.inc FAST
.TRAN 1U 10M
.END
R1 this is not read
END
[ "$(sed -n 1p out.csv)" = 'time,v(a),v(b),i(v1)' ] || { echo "FAIL: columns $(sed -n 1p out.csv)"; echo x >> failed; }
"$linnet" check --flat deck.cir > flat.xml || echo x >> failed
grep -q 'C1.*C="1e-06 F"' flat.xml || { echo "FAIL: .lib"; echo x >> failed; }
"$linnet" run flat.xml -q -o flat.csv && cmp -s flat.csv out.csv || { echo "FAIL: the XML of a deck computes something else"; echo x >> failed; }

# rawfiles: what ngspice reads of ours is what the CSV says
for form in "" --ascii; do
    "$linnet" run deck.cir -q $form -o out.raw || echo x >> failed
    command -v ngspice > /dev/null || continue
    printf 'load out.raw\nset numdgt=12\nlet last = length(time) - 1\nprint v(b)[last]\nquit\n' | ngspice -p > said 2>&1
    [ "$(awk '/last\] *=/ { printf "%.8g", $NF }' said)" = "$(tail -n 1 out.csv | awk -F, '{ printf "%.8g", $3 }')" ] ||
        { echo "FAIL: ngspice reads another value of out.raw $form"; cat said; echo x >> failed; }
done

# other languages: what convert writes runs to the same result; measures and the frequency response come from the deck
cat > deck.cir <<'END'
RC with a step
V1 a 0 dc 0 ac 2 pulse(0 1 1u 1n 1n 1 2)
V2 d 0 dc 1 ac 1 180
R1 a b {r}
R2 d b 1k
C1 b 0 1u
.param r=1k
.meas tran t1 when v(b)=0.6 rise=1
.meas tran dt trig v(b) val=0.6 rise=1 targ v(b) val=0.8 rise=1
.meas tran ratio param='dt/(r*1u)'
.meas tran at find v(a)-v(b) when v(b)=0.8
.ac dec 1 1 10
.print ac vdb(b)
.tran 10u 5m
.options reltol=1e-6
.end
END
"$linnet" run deck.cir -o out.csv 2> said || cat said >> failed
# v(b) = 1 - exp(-2 t/ms)/2
awk '/t1 =/ { t1 = $4 } $1 == "dt" { dt = $3 } $1 == "ratio" { r = $3 } $1 == "at" { at = $3 }
    function close_to(a, b) { return a - b < 1e-4*b && b - a < 1e-4*b }
    END { exit !(close_to(t1, 1e-6 + log(0.5/0.4)/2000) && close_to(dt, log(2)/2000) && close_to(r, log(2)/2) && close_to(at, 0.2)) }' said ||
    { echo "FAIL: measures"; cat said; echo x >> failed; }
"$linnet" ac deck.cir -q -f csv > said || echo x >> failed # half of 2 less half of 1, through 500 Ohm and 1 uF
awk -F, 'NR == 3 { found = 1; d = $2 - 10*log(0.25/(1 + (2*3.14159265*10*500e-6)^2))/log(10) } END { exit !(found && d < 1e-6 && d > -1e-6) }' said ||
    { echo "FAIL: ac"; cat said; echo x >> failed; }
printf 'divider\nV1 a 0 sin(1 1 1k)\nR1 a b 1k\nR2 b 0 {r}\n.param r=1k\nVB c 0 2\nRB c 0 1\n.dc V1 0 2 0.5 VB 1 2 1\n.end\n' > sweep.cir
"$linnet" sweep sweep.cir -q -o sweep.csv || echo x >> failed
[ "$(awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "v(b)") c = k } NR > 1 { printf "%g ", $c }' sweep.csv)" = "0 0.25 0.5 0.75 1 0 0.25 0.5 0.75 1 " ] ||
    { echo "FAIL: .dc"; cat sweep.csv; echo x >> failed; }
# several analyses: each in its own file, or all in one rawfile; a source with a DC value has it at rest, its wave in a run
cat > several.cir <<'END'
divider and lag
V1 a 0 dc 4 ac 1 pwl(0 0 1m 1)
I1 0 b dc 2m sin(0 1m 1k)
R1 a b 1k
R2 b 0 1k
C1 b 0 1u
.op
.dc V1 0 2 1
.dc I1 0 1m 1m
.ac dec 1 159.15494 1591.5494
.tf v(b) V1
.tran 10u 1m
.end
END
"$linnet" run several.cir -q -o several.csv > point 2> said || { echo "FAIL: several"; cat said; echo x >> failed; }
grep -q '^  b *3 V' point && grep -q 'gain *0.5' point && grep -q 'input resistance *2000 ' point && grep -q 'output resistance *500 ' point ||
    { echo "FAIL: .op or .tf"; cat point; echo x >> failed; }
[ "$(awk -F, 'FNR > 1 { printf "%g ", $3 }' several-dc.csv several-dc2.csv)" = "1 1.5 2 2 2.5 " ] || { echo "FAIL: .dc of a wave"; cat several-dc*.csv; echo x >> failed; }
[ "$(sed -n 2p several.csv | cut -d, -f1-3)" = "0,0,0" ] || { echo "FAIL: a run begins with the wave"; echo x >> failed; }
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "b.re") c = k } NR == 2 { found = 1; d = $c - 0.5/(1 + 0.25) } END { exit !(found && d < 1e-6 && d > -1e-6) }' several-ac.csv ||
    { echo "FAIL: .ac beside others"; head -n 2 several-ac.csv; echo x >> failed; }
for form in "" --ascii; do
    rm -f several.raw
    "$linnet" run several.cir -q $form -o several.raw > point 2>&1 || { cat point; echo x >> failed; }
    command -v ngspice > /dev/null || continue
    printf 'load several.raw\nset numdgt=9\nsetplot op1\nprint v(b)\nsetplot ac2\nprint vr(b)[0] vi(b)[0]\nsetplot dc2\nprint v(b)[1]\nquit\n' | ngspice -p > said 2>&1
    [ "$(awk '$2 == "=" { printf "%.6g ", $3 }' said)" = "3 0.4 -0.2 2.5 " ] || { echo "FAIL: ngspice reads other plots in several.raw $form"; cat said; echo x >> failed; }
done

# The error of a step is held to trtol times reltol, 7e-3 by default, and never to more than 0.1.
for options in '0.007 gmin=1e-12' '0.0005 reltol=1e-4 trtol=5' '0.001 trtol=1' '0.0005 trtol=0.5' '0.1 trtol=1e9' '0.2 reltol=0.2'; do
    printf 'tolerance\nV1 a 0 SIN(0 1 1k)\nR1 a b 1k\nC1 b 0 1n\n.options %s\n.tran 1u 10u\n.end\n' "${options#* }" > tolerance.cir
    "$linnet" convert tolerance.cir -q -o - | grep -q "tolerance=\"${options%% *}\"" || { echo "FAIL: .options ${options#* }"; echo x >> failed; }
done
printf 'loose\nV1 a 0 1\nR1 a 0 1\n.options vntol=1m reltol=1e-2\n.op\n.end\n' > loose.cir
"$linnet" convert loose.cir -q -o - | grep -q '<tolerance unit="V" absolute="1e-05"/>' || { echo "FAIL: vntol"; echo x >> failed; }
"$linnet" convert deck.cir -q -o deck.xml && "$linnet" run deck.xml -q -o again.csv && cmp -s out.csv again.csv || { echo "FAIL: convert"; echo x >> failed; }
"$linnet" convert deck.xml > said 2>&1
[ $? -eq 2 ] || { echo "FAIL: convert of XML"; echo x >> failed; }

printf 't\nV1 a 0 1\nR1 a 0 1\n.options trtol=0\n.tran 1u 10u\n.end\n' | try 3 "trtol=0 must be above 0"

# hostile: depth, width, growth
{ printf 't\nR1 a 0 {'; head -c 100000 /dev/zero | tr '\0' '('; printf '}\n'; } | try 3 "nested deeper than 100"
{ printf 't\nR1 a 0 {1'; head -c 100000 /dev/zero | sed 's/\x00/+1/g'; printf '}\n'; } | try 3 "more than 2000 terms"
{ printf 't\nR1 a 0 {f30(1)}\n.func f0(x) {x}\n'; k=1; while [ $k -le 30 ]; do echo ".func f$k(x) {f$((k - 1))(x)+f$((k - 1))(x)}"; k=$((k + 1)); done; } |
    try 3 "too deep or too much work"
{ printf 't\nB1 a 0 v=f30(v(a))\n.func f0(x) {x}\n'; k=1; while [ $k -le 30 ]; do echo ".func f$k(x) {f$((k - 1))(x)+f$((k - 1))(x)}"; k=$((k + 1)); done; } |
    try 3 "too deep or too long"
{ printf 't\nX1 a 0 s30\n.subckt s0 p q\n.ends\n'; k=1; while [ $k -le 30 ]; do printf '.subckt s%d p q\nX1 p q s%d\nX2 p q s%d\n.ends\n' $k $((k - 1)) $((k - 1)); k=$((k + 1)); done; } |
    try 3 "open into more than"
# A deck's own cards have no limit of a million: a ladder of 600 000 sections of 1 ohm in series and 1 ohm
# to ground has the golden ratio as its resistance (make check-full).
if [ -n "${LINNET_FULL:-}" ]; then
    awk 'BEGIN { print "ladder\nv1 n0 0 1"
        for (k = 0; k < 600000; k++) printf "ra%d n%d n%d 1\nrb%d n%d 0 1\n", k, k, k + 1, k, k + 1
        print ".op\n.end" }' > wide.cir
    "$linnet" op wide.cir -q 2> /dev/null | grep -q 'n1  *0.381966011 V' ||
        { echo "FAIL: 1 200 000 elements"; echo x >> failed; }
fi
head -c 3000 /dev/urandom | tr -d '\0' > noise.cir
timeout 10 "$linnet" check noise.cir > said 2>&1
[ $? -eq 3 ] || { echo "FAIL: noise"; echo x >> failed; }

[ ! -s failed ]

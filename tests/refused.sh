#!/bin/sh
# SPDX-License-Identifier: MIT
# Command lines that are refused, or that fail: with which exit status and which words. Models that are wrong are those of bad.sh.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" && cp "$srcdir"/tests/small/* . || exit 1
tried=0

# refuse STATUS TEXT COMMAND...: it ends so, and says so
refuse() {
    status=$1 text=$2
    shift 2
    tried=$((tried + 1))
    expect "$status" timeout 20 "$LINNET" "$@" && { says err "$text" || echo "    of: $*"; }
}
# tells TEXT COMMAND...: it is done, and says so, on stdout or stderr
tells() {
    text=$1
    shift
    tried=$((tried + 1))
    expect 0 timeout 20 "$LINNET" "$@" && { grep -qF -e "$text" out err || fail "not said: \"$text\" of: $*: $(head -n 3 out err)"; }
}
model() { printf '<model name="%s" xmlns="urn:linnet:model:1">%s</model>\n' "$1" "$2" > "$1.xml"; }
circuit() { model "$1" "<ground id='g' p='0'/><voltage-source id='V' p='in' n='0' V='1 V'/><resistor id='R' p='in' n='out' R='1 kOhm'/>
<capacitor id='C' p='out' n='0' C='1 uF'/>$2"; }
"$LINNET" run rc.xml -q -o rc.csv || fail "no result"
printf "time,out\n5,1\n6,2\n" > late.csv

# ---- the command line ----
for each in r y e u; do # every link is thought of, the first one too
    sed "s/id=\"$each/&/; s/\"$each\"/\"${each}speed\"/; s/\"r y\"/\"r y\"/" loop.xml > near.xml
    sed -i "s/in=\"r y\"/in=\"$([ $each = r ] && echo rspeed || echo r) $([ $each = y ] && echo yspeed || echo y)\"/" near.xml
    refuse 2 "did you mean '${each}speed'?" plot near.xml --signals "${each}sped" -o near.json
done
refuse 2 "there is no command 'frobnicate'" frobnicate
refuse 2 "there is no option '-z' before a command" -z
for each in "run rc.xml" "sweep rc.xml --vary load=1" "result rc.csv" "plot rc.csv" "ac rc.xml --input V1 --output out --result" schema "codegen loop.xml"; do
    case $each in *--result) option= ;; *) option=-o ;; esac
    # shellcheck disable=SC2086
    refuse 2 " is empty; it must be the name of a" $each $option ""
done
[ -z "$(find . -name '*.part')" ] || fail "a result without a name is begun"
refuse 2 "--include is empty; it must be the name of a folder" run rc.xml -I ""
refuse 2 "--interval is 1e-300: that makes 1e+297 rows, more than 1e+09" run rc.xml --interval 1e-300
refuse 2 "that makes 1e+09 rows of 3 values, more than a picture is made of" plot rc.xml --points 1e9
refuse 2 "that makes 1e+09 rows of 3 values, more than a picture is made of" plot rc.xml --step 1ps
refuse 2 "that makes 1e+09 rows of 3 values, more than a picture is made of" report rc.xml --step 1ps
refuse 2 "that makes 1e+297 rows, more than 1e+09" result rc.csv --interval 1e-300 -o even.csv
refuse 2 "that makes 1e+10 rows, more than 1e+09" result rc.csv --points 10000000001 -o even.csv
refuse 2 "--progress is 'dots'; it must be bar or lines" run rc.xml --progress dots
refuse 2 "--format is 'xml'; it must be text or json" loops loop.xml --format xml
refuse 2 "--format is 'xml'; it must be text or json" sweep rc.xml --vary load=1 --format xml
refuse 2 "--format is 'xml'; it must be text or json" result rc.csv --format xml
refuse 2 "--interval is '0'; it must be a number above 0" result rc.csv --interval 0 -o o.csv
refuse 2 "--points has no meaning here; it is for the result that -o writes" result rc.csv --points 5
refuse 2 "--shift has no meaning here; it is for the comparison of two results" result rc.csv --shift 1ms
refuse 2 "two results at most; 'c.csv' is one too many" result rc.csv rc.csv c.csv
refuse 2 "two results are compared, and nothing is written" result rc.csv rc.csv -o o.csv
refuse 2 "--port is '0'; it must be a number from 1 to 65535" studio --port 0
refuse 2 "--cases is '0.5'; it must be a whole number from 1 to" sweep rc.xml --vary 'load=uniform(1,2)' --cases 0.5
refuse 2 "nothing is varied; give --vary NAME=VALUES, or --dc NAME=VALUES" sweep rc.xml
refuse 2 "--resume needs a file; give one with --output" sweep rc.xml --vary load=1 --resume -o -
refuse 2 "--format json and the result cannot both go to the standard output" run rc.xml -f json -o -
refuse 2 "--estimate-error prints text; leave --format out" run rc.xml -f json -e
refuse 2 "a run with checkpoints needs a result file and goes without --estimate-error" run rc.xml --checkpoint c.ck -e
refuse 2 "a resumed run keeps the checkpoints it was begun with; leave --every out" run rc.xml --resume c.ck --every 1ms
refuse 2 "--checkpoint and the result cannot both be 'o.csv'" run rc.xml -o o.csv --checkpoint o.csv
refuse 2 "--measures and the result cannot both be 'o.csv'" run rc.xml -o o.csv --measure 'top=maximum(out)' --measures o.csv
refuse 2 "--points is '0'; it must be a whole number from 1 on" ac rc.xml --input V1 --output out --from 1Hz --to 1kHz --points 0
refuse 2 "--list: a frequency is below 0" ac rc.xml --input V1 --output out --list=-1Hz,1Hz
refuse 2 "that makes 9e+07 points; take fewer" ac rc.xml --input V1 --output out --from 1Hz --to 1GHz --points 9999999
refuse 2 "zeros and gain need all modes; leave out --count and --near" eig rc.xml --count 1 --input V1 --output out
refuse 2 "--output must be one name, not a pattern" eig rc.xml --input V1 --output 'R1.*'
refuse 2 "--input and --output belong together" eig rc.xml --input V1
refuse 2 "the picture and the table cannot both go to the standard output" compare rc.xml -m heun -f csv -p -
refuse 2 "the model has no reference for 'q*'; --reference computed makes one" compare rc.xml --signals 'q*' -m heun
refuse 2 "no row of 'late.csv' lies within the run" compare rc.xml -m heun -r late.csv
refuse 2 "a tolerance is a positive number such as 5%" sweep rc.xml --vary 'load=uniform(0%)'
refuse 2 "a value cannot be read" sweep rc.xml --vary 'load=uniform(1,x y)'
refuse 2 "the units of the two values do not fit" sweep rc.xml --vary 'load=uniform(1 V,2 A)'
refuse 2 "a lognormal distribution has a median and the deviation" sweep rc.xml --vary 'load=lognormal(1)'
refuse 2 "name or values are missing" sweep rc.xml --vary ' = '
refuse 2 "that makes more than 1e9 cases" sweep rc.xml --vary load=1:2:100000 --vary V1.frequency=1:2:100000
refuse 2 "that makes more than 1e9 cases" sweep rc.xml --vary load=1:2:100000 --vary 'V1.frequency=uniform(1,2)' --cases 100000
refuse 2 "the run starts at 0 s: no time before it can be reached" eig rc.xml --at=-1s
refuse 2 "there is no 'nix'" ac rc.xml --input V1 --output nix --from 1Hz --to 1kHz

# ---- measures ----
measure() { refuse 2 "$2" run rc.xml -q -o o.csv --measure "$1"; }
measure 'x=maximum(out, low=2)' "measure x: "
measure 'x=rise-time(out, low=2)' "measure x: low is 2; it must be from 0 to 1"
measure 'x=zzzzzz(out)' "measure x: there is no kind 'zzzzzz'; 'linnet sweep --help' lists them"
measure 'x=maximun(out)' "measure x: there is no kind 'maximun'; did you mean 'maximum'?"
measure 'x=value(out, when=y)' "measure x: when is 'y'; it must name a measure before this one"
measure 'x=maximum' "cannot read 'x=maximum'; write NAME=KIND(SIGNAL, OPTION=VALUE)"
tells "low = " run rc.xml -o o.csv --measure 'low=time-of-minimum(out) '
refuse 2 "measure x: there are two of the name; take another" run rc.xml -q -o o.csv --measure 'x=maximum(out)' --measure 'x=minimum(out)'
circuit rule "<simulation duration='1 ms'/><measure name='m' kind='maximum'/>"
refuse 3 "measure m: the kind maximum needs 'signal'" run rule.xml -o o.csv
circuit dc "<dc-sweep vary='V.V=0:1:3'/><simulation duration='1 ms'/><measure name='m' kind='maximum' signal='out' analysis='dc-sweep'/>
<measure name='n' kind='final' signal='absent' analysis='dc-sweep'/><measure name='twice' kind='formula' value='2*m' analysis='dc-sweep'/>"
tells "measure n: 'absent' is not among the results" run dc.xml -o o.csv
says err "twice = 2" || cat err

# ---- rest, trim, modes ----
cp "$srcdir"/models/examples/mixed/hovering-propeller.xml trim.xml
refuse 2 "'battery.V=1:2:3:4' has too many parts; write NAME=GUESS:MIN:MAX" op trim.xml --free battery.V=1:2:3:4
refuse 2 "'R1.P' is computed from other values and cannot be free" op trim.xml --free R1.P
tells '"trim": {' op trim.xml -f json
model coasts "<constant id='c' out='u' value='0'/><integrator id='i' in='u' out='y' y0='3'/><simulation duration='1'/>"
tells "1 combination of unknowns left free by the equations at rest; it keeps its start" op coasts.xml
circuit wide "<simulation duration='1 ms'/>"
tells "zero," eig rc.xml --input V1 --output R1.v -f csv
tells "mode" eig rc.xml --count 1 --near=-100+200i
tells "mode" eig rc.xml --count 1 --near=5j
refuse 2 "--near is 'x'" eig rc.xml --count 1 --near x

# ---- sweeps ----
tells "done" sweep rc.xml -j 1 --vary 'load=loguniform(1k,2k)' --cases 2 --measure 'top=maximum(out)' -o s.csv --seed 0
tells "done" sweep rc.xml -j 1 --vary 'load=lognormal(1k,0.1)' --cases 2 --measure 'top=maximum(out)' -o s2.csv
tells "done: 3 points" sweep dc.xml --dc V.V=0:1:3 -o dc.csv
tells "done" sweep rc.xml --set V1.frequency=2kHz --vary load=1k,2k --measure 'top=maximum(out)' -o s3.csv
refuse 2 "'s3.csv' belongs to another sweep" sweep rc.xml --vary load=1k -o s3.csv --resume
mkdir runs && tells "done" sweep rc.xml -j 1 --vary load=1k,2k --measure 'top=maximum(out)' -o s4.csv --save-runs runs
tells "done" plot runs/case-000001.csv runs/case-000002.csv --sweep s4.csv --colour load -o o.svg
refuse 2 "--colour is 'nix'; the table of the sweep has no such column" plot runs/case-000001.csv --sweep s4.csv --colour nix -o o.svg
tells "done" plot s4.csv -x load -o o.svg

# ---- far beyond what can be: told where it stands, before anything is made of it ----
model late "<constant id='c' out='y' value='1'/><simulation start-time='1e300' duration='1'/>"
refuse 3 "late.xml:1: error: simulation: duration is 1: a run from t = 1e+300 s on ends at 1e+300 s, which is no later time" run late.xml -o o.csv
refuse 2 "to 1e+300 s there are 1e+305 steps, more than 1e+09; take a longer step or an earlier time" eig rc.xml --at 1e300s
model often "<repeat index='k' from='1' to='1000000'><repeat index='j' from='k' to='k+1000000'><constant id='c[k,j]' out='y[k,j]' value='1'/></repeat></repeat>
<simulation duration='1'/>"
refuse 3 "often.xml:1: error: <repeat>: k from 1 to 1000000 makes more than 20000000 turns in all, the limit" run often.xml -o o.csv
awk 'BEGIN { printf "title\nV1 a 0 pwl("; for (k = 0; k < 50001; k++) printf "%d 0 ", k; print ")\nR1 a 0 1\n.tran 1 10\n.end" }' > long.cir
refuse 3 "long.cir:2: error: v1: the waveform has more than 100000 values, the limit" run long.cir -o o.csv
[ "$(grep -c 'error: ' err)" = 1 ] || fail "one waveform that is too long: $(cut -c1-200 err)"

# ---- starts from files, checkpoints ----
printf 'time,out\n' > empty.csv
refuse 5 "the file has no row to start from" run rc.xml --start-from empty.csv
refuse 2 "a run with checkpoints writes CSV, which goes on where it stopped; a rawfile does not" run rc.xml --checkpoint c.ck -o o.raw

cp rc.xml kept.xml
ln -s rc.xml rc.ck
for each in rc.xml rc.ck; do refuse 2 "the checkpoint would overwrite the model '$each'; give another file with --checkpoint" run rc.xml --checkpoint $each --every 0.1ms; done
cmp -s rc.xml kept.xml || fail "a checkpoint took the place of its model"

# ---- decks with other parameters ----
refuse 2 "parameter 'load' of a deck is 'load+1'; it must be a number, with or without a unit" run deck.cir --set load=load+1 -o o.csv
printf 'title\n.param load=1k\nV1 a 0 1\nR1 a 0 {1/load}\n.tran 1u 10u\n.end\n' > inverse.cir
refuse 3 "with other parameters: " run inverse.cir --set load=0 -o o.csv

# ---- what the catalogue and the language are ----
tells '"methods": [' blocks --language
tells '"attributes"' blocks --language
finish

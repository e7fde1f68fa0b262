#!/bin/sh
# SPDX-License-Identifier: MIT
# Every call of the operating system fails in turn, in every command and over many models (faults.c). Here a sample; all of
# it where LINNET_FULL is set (make check-full), each way to a call once, over small models by every command, where it is
# `ways` (make coverage).
. "${srcdir:-.}/tests/shell.sh"
: "${builddir:=$PWD}"
faults=$builddir/tests/faults
examples=$srcdir/models/examples
cd "$work" && cp "$srcdir"/tests/small/* . || exit 1
tries=1
few=6
each=new
long=10 # of commands with thousands of ways
late=new-400 last=new-100 # of the last calls, which are the command's own
[ -z "$LINNET_FULL" ] || tries=0 few=0 each=0 long=0 late=0 last=0
[ "$LINNET_FULL" != ways ] || tries=new few=new each=new long=new late=new last=new

# try TRIES RESULT COMMAND...: by each kind of fault
injected=0
calls="open-once read-once read-short read-eintr write-once write-short write-eintr sync-once rename-once close-once lock-once truncate-once write-kill"
try() {
    number=$1
    shift
    for kind in $kinds; do
        "$faults" $kind "$number" "$@" > said 2>&1 || { fail "$kind: $*"; head -n 12 said; }
        done=$(sed -n 's/^[a-z-]*: \([0-9]*\) of .*/\1/p' said)
        injected=$((injected + ${done:-0}))
    done
}

# ---- every command ----
kinds="allocate-once allocate-on $calls"
try $few o.csv run rc.xml -o o.csv
kinds="write-kill sync-kill rename-kill" # and gone on from the checkpoint: the same bytes
try $few o.csv run rc.xml -o o.csv --checkpoint c.ck --every 0.1ms
try $few o.csv run loop.xml -o o.csv --method rk45 --tolerance 1e-6 --checkpoint c.ck --every 0.1
try $few o.csv run deck.cir -o o.csv --checkpoint c.ck --every 10us
kinds="allocate-once $calls"
try $tries o.csv run deck.cir -o o.csv
try $tries o.csv run loop.xml -o o.csv
try $tries o.csv run rc.xml -o o.csv --checkpoint c.ck --every 0.3ms
try $tries o.raw run rc.xml -o o.raw --ascii
try $tries o.csv sweep rc.xml -j 1 -q --vary load=1,2,3 --measure 'top=maximum(out)' -o o.csv
try $tries o.xml convert deck.cir -o o.xml
kinds="allocate-once read-once open-once close-once"
try $tries - check rc.xml
try $tries - verify rc.xml
try $tries - op deck.cir
try $tries - eig rc.xml
try $tries - linearise rc.xml --inputs V1 --outputs out
try $tries - ac rc.xml --input V1 --output out --from 1Hz --to 1kHz
try $tries - margins loop.xml --open e
try $tries - loops loop.xml
try $tries - blocks resistor
try $tries - compare rc.xml --methods heun,rk4 -q

# ---- every way to an allocation of a few: no word was said, a line of the result was missing, what was kept got lost ----
kinds="allocate-once"
try $each - blocks resistor
try $each - blocks heating-resistor
try $each - blocks resistor -f markdown
try $each - blocks --language
try $each - eig loop.xml
try $each - loops loop.xml --format json
try $each o.xml convert cards.cir -q -o o.xml
try $each - check rc.xml --format json
try $each o.raw run rc.xml -q -o o.raw --ascii
try $each - check "$examples/hybrid/thermostat.xml"

# memory that is short within a step: not taken for a singular matrix, of which a shorter step would make another result
cat > short.cir <<'END'
a rectifier and a part that floats
V1 a 0 sin(0 5 1k)
R1 a b 100
D1 b c dd
C1 c 0 1u
R2 c 0 1k
C2 b e 1u
C3 e c 1u
R3 e 0 1g
.model dd d(is=1e-14 cjo=10p tt=5n)
.tran 10u 500u
.end
END
for method in radau5 tr-bdf2; do try $each o.csv run short.cir -m $method -q -o o.csv; done

# likewise within a start whose index is above 1: another guess was taken, and another point found
try $long o.csv run "$examples/electrical/hysteresis-loop.xml" -q -o o.csv

# names that are composed: of a transistor's currents, of a derivative that stands with a factor; the row of one was lost
printf 'names\nV1 a 0 1\nR1 a c 1k\nQ1 c a 0 qq\nC1 c 0 c={1u*(1+V(a))}\n.model qq npn\n.op\n.end\n' > names.cir
try $each - op names.cir

# what a command did without, done with exit status 0: multipliers over a period, signs at a start, a null space at rest, names
cat > ticks.xml <<'END'
<model name="t"><block-type name="hold"><input name="u"/><output name="y"/><memory name="m"/><equation>y = m</equation>
<when condition="sample(0.1 s, 0 s)"><set name="m" value="u"/></when></block-type>
<constant id="r" out="r" value="1"/><sum id="s" in="r y" signs="+-" out="e"/><hold id="h" u="e" y="u"/>
<first-order id="p" in="u" out="y" T="1 s"/><simulation duration="0.3 s" step="0.05 s"/></model>
END
cat > bends.xml <<'END'
<model name="t"><constant id="r" out="r" value="1"/><sum id="s" in="r z" signs="+-" out="e"/><integrator id="i" in="e" out="y" y0="1"/>
<function id="f" in="y" out="z" expression="u^2"/><simulation duration="1"/></model>
END
cat > rest.xml <<'END'
<model name="t"><constant id="c" out="u" value="0"/><integrator id="i" in="u" out="y" y0="3"/><simulation duration="1"/></model>
END
cat > knee.xml <<'END'
<model name="t"><ground id="g" p="0"/><voltage-source id="V" p="a" n="0" V="5 V"/><resistor id="R" p="a" n="b" R="1"/>
<diode id="D" p="b" n="0"/><inductor id="L1" p="c" n="d" L="1"/><inductor id="L2" p="d" n="c" L="1"/>
<resistor id="R2" p="c" n="0" R="1"/><simulation duration="1"/></model>
END
try $late - eig ticks.xml
try $late - loops bends.xml
try $last - op rest.xml
try $last - op knee.xml

# another order of elimination was taken, and results rounded otherwise (in full: of every example)
[ -n "$LINNET_FULL" ] || try new-500 - op "$examples/stiff/diffusion.xml"

try $each code/brief.c codegen short.cir --name brief -m backward-euler --step 1us -q -o code
try $each code/a_loop.c codegen loop.xml -m rk4 --step 1ms -q -o code
# a row without cells was gone on with
try $long - margins loop.xml --open e

# ---- many models ----
kinds="allocate-once"
for model in electrical/half-wave-rectifier electrical/transformer electrical/hysteresis-loop hybrid/bouncing-ball hybrid/thermostat \
    hybrid/sampled-motor hydraulic/two-tanks magnetic/electromagnet mixed/dc-motor-pi mixed/heated-room mixed/quadcopter \
    rotational/clutch-launch; do
    [ -e "$examples/$model.xml" ] || fail "there is no $model.xml"
    try $tries - check "$examples/$model.xml"
    [ "${LINNET_FULL:-ways}" = ways ] || try new o.csv run "$examples/$model.xml" -o o.csv
done

# ---- every way to an allocation: over all decks, examples and bad models; by every command ----
all_models() {
    for deck in "$srcdir"/tests/spice/*.cir; do
        try new - check "$deck"
        try new o.xml convert "$deck" -q -o o.xml
    done
    for model in "$examples"/*/*.xml "$srcdir"/tests/bad/*.xml; do try new - check "$model"; done
    for model in "$examples"/*/*.xml "$srcdir"/tests/spice/start-*.cir; do
        try new - op "$model"
        try new - eig "$model"
        try new - loops "$model"
        try new o.svg diagram "$model" -q -o o.svg
        try new - linearise "$model"
        try new - codegen "$model" -q -o code
    done
}
all_commands() {
    for method in backward-euler crank-nicolson tr-bdf2 bdf2 radau5 ida; do
        for model in deck.cir short.cir "$examples"/electrical/half-wave-rectifier.xml "$examples"/hybrid/thermostat.xml; do
            try new o.csv run "$model" -m $method -d 1ms -q -o o.csv
        done
    done
    for method in euler heun rk4 rk45; do try new o.csv run loop.xml -m $method -q -o o.csv; done
    for ending in raw mat h5; do try new o.$ending run rc.xml -q -o o.$ending; done
    "$LINNET" run rc.xml -q -o rc.csv
    "$LINNET" run rc.xml -q -o rc.raw
    "$LINNET" op rc.xml -q -f csv -o point.csv
    "$LINNET" ac rc.xml --input V1 --output out --from 1Hz --to 1kHz -q -f csv -o ac.csv
    "$LINNET" sweep rc.xml -j 1 -q --vary load=1,2,3 --measure 'top=maximum(out)' --save-runs cases -o table.csv
    "$LINNET" export plant.xml --input u -q -o plant.fmu
    for diagram in *.json *.yaml; do try new o.xml convert "$diagram" -q -o o.xml; done
    for command in "run rc.xml -e -q -o rc2.csv" "run rc.xml -q --profile --measure top=maximum(out) --measures m.json -o rc2.csv" \
        "run rc.xml --format json -o rc2.csv" "check rc.xml --format json" "verify rc.xml --format json" "op deck.cir --format json" \
        "op rc.xml --output op.csv" "eig deck.cir --format json" "eig loop.xml" "linearise loop.xml --inputs r --outputs y" \
        "linearise loop.xml --sampled 10ms --inputs r --outputs y" "ac rc.xml --input V1 --output out --from 1Hz --to 1kHz" \
        "ac deck.cir --input V1 --output b --from 1Hz --to 1kHz --format json" "margins loop.xml --open e --format json" \
        "compare rc.xml --methods heun,tr-bdf2 -t 1e-3,1e-6 -q" "compare loop.xml -s 10ms,1ms -q" \
        "sweep rc.xml -j 1 -q --vary load=1,2,3 --measure top=maximum(out) --save-runs runs" \
        "sweep rc.xml -j 1 -q --vary load=uniform(1,9) --cases 4 --measure top=maximum(out)" \
        "export plant.xml --input u -q -o o.fmu" "codegen rc.xml --language python -q -o o.py" "codegen deck.cir --language python -q -o o.py" \
        "result rc.csv" "result rc.csv --interval 1us -o rc3.csv" "result rc.csv rc.raw" "result rc.raw -o rc3.mat" \
        "blocks" "blocks --format json" "blocks resistor -f markdown" "blocks --language" "blocks pid" "blocks mosfet" "blocks heating-resistor" \
        "plot rc.csv -q -o o.svg" "plot rc.xml -q -o o.html" "plot loop.xml -q -o o.svg" "plot rc.csv -q -o -" \
        "report rc.xml -q -o o.html" "report loop.xml -q -o o.html" "schema" "schema -f xsd" "completion bash" "completion zsh" \
        "diagram cards.cir -q -o o.svg" "diagram rc.xml -l -q -o o.svg" "loops rc.xml" "codegen deck.cir -q -o code" "run analyses.cir -q -o o.raw" "run analyses.cir -q -o o.csv" "op cards.cir" "convert cards.cir -q -o o.xml" "check drawn.asc" "run plant.fmu -q -o f.csv" \
        "convert plant.fmu -q -o f.xml" "sweep rc.xml -q --dc V1.offset=0:1:3 --back -o dc.csv" "run rc.xml --start-from point.csv -q -o o.csv" \
        "op $examples/mixed/hovering-propeller.xml" "op $examples/mixed/hovering-propeller.xml -f json" \
        "eig rc.xml --input V1 --output out" "eig rc.xml --count 1 --near 5j" "margins $examples/hybrid/sampled-motor.xml --open e" \
        "linearise $examples/hybrid/sampled-motor.xml --sampled --inputs r --outputs speed" "linearise loop.xml --descriptor" "linearise rc.xml -o m.mat" \
        "run loop.xml --native -s 1ms -m rk4 -q -o n.csv" "plot ac.csv -q -o o.svg" "plot ac.csv --nyquist -q -o o.svg" "plot table.csv -x load -q -o o.svg" \
        "plot rc.csv rc.raw -q -x in -o o.json" "plot cases/case-000001.csv --sweep table.csv --colour load -q -o o.svg" \
        "compare rc.xml -m heun -r rc.csv -q" "blocks --language" "sweep deck.cir -q -j 1 --vary load=1,2 --measure most=maximum(b) -o o.csv" \
        "bug-report rc.xml -o bug.txt" "loops loop.xml --format json" "diagram loop.xml -x -l -q -o o.tex" "help run" "run --help"; do
        # shellcheck disable=SC2086
        try new - $command
    done
}
[ -z "$LINNET_FULL" ] || all_commands
[ "${LINNET_FULL:-ways}" = ways ] || all_models
printf '%s faults injected\n' "$injected"
finish

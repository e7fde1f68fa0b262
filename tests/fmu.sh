#!/bin/sh
# SPDX-License-Identifier: MIT
# linnet export: FMUs of FMI 2 and 3 do in co-simulation what the simulation does whose events act at the ends of steps, in
# model exchange what it does that locates them; states of an instance are whole, as bytes too; the description is as
# our schema has it. tests/fmi/host.c is the importer.
. "${srcdir:-.}/tests/shell.sh"
. "$srcdir/tests/codegen_kit.sh"
have_compiler || { echo "no C compiler here"; exit 77; }
expect 0 "$LINNET" export --help
printf '%s\n' '<model name="m" xmlns="urn:linnet:model:1"><constant id="c" out="y" value="1"/>' \
    '<simulation duration="1" step="0.1" method="euler"/></model>' > one.xml
"$LINNET" export one.xml --compiler none -q -o one.fmu > out 2>&1 || { grep -q libzip out && { echo "no libzip here"; exit 77; }; fail "$(cat out)"; }
$CC -O1 -Wall -Wextra -Werror -I"$srcdir/share/fmi" -o host "$srcdir/tests/fmi/host.c" -ldl -lm 2> err || { cat err; exit 1; }

# export VERSION MODEL [OPTION]...: the FMU, unpacked, its description checked
export_fmu() {
    version=$1
    shift
    rm -rf fmu it.fmu
    expect 0 "$LINNET" export "$@" --fmi "$version" --name it -q -o it.fmu || return 1
    unzip -q it.fmu -d fmu || fail "the archive of $1 is broken"
    xmllint --noout --relaxng "$srcdir/tests/fmi/fmi$version.rng" fmu/modelDescription.xml 2> err || fail "$1: $(head -n 3 err)"
}
attribute() { sed -n "s/.* $1=\"\([^\"]*\)\".*/\1/p" fmu/modelDescription.xml | head -n 1; }
reference() {
    sed -n -e '/<Int32/s/valueReference="/&i/' -e '/<Boolean/s/valueReference="/&b/' \
        -e "s/.* name=\"$1\" valueReference=\"\([ib]*[0-9]*\)\".*/\1/p" fmu/modelDescription.xml
}
# host MODE STEP END SETTINGS NAME...: runs the FMU in the importer
host_fmu() {
    mode=$1 step=$2 end=$3 values=$4
    shift 4
    token=$(attribute guid)
    [ -n "$token" ] || token=$(attribute instantiationToken)
    list="" title=time
    for signal; do list="$list $(reference "$signal")" title=$title,$(echo "$signal" | tr -d '\\\\'); done
    for value in $values; do list="$list $(reference "${value%=*}")=${value#*=}"; done
    count() { grep -c "$1" fmu/modelDescription.xml; }
    indicators=$(sed -n 's/.*MODEL_INDICATORS \([0-9]*\)/\1/p' fmu/sources/model.h)
    # shellcheck disable=SC2086
    { echo "$title"; $VALGRIND ./host fmu/binaries/*/it.so "$version" "$token" "$mode" "$step" "$end" "$(count 'name="der(')" \
        "$indicators" $list; } > fmu.csv 2> err || fail "the FMU stops: $(head -n 3 err)"
}

# its bytes follow from the model, not from where it is made
expect 0 env TZ=Asia/Kathmandu "$LINNET" export one.xml --compiler none -q -o there.fmu
expect 0 env TZ=America/Lima "$LINNET" export one.xml --compiler none -q -o here.fmu && cmp -s here.fmu there.fmu || fail "an FMU has the time of its place"

# an output's unit is what the model gives, also to an expression; it is described by its block
printf '%s\n' '<model name="m" xmlns="urn:linnet:model:1"><constant id="c" out="y" value="1"/>' \
    '<simulation duration="1" step="0.1" method="euler"/><record signals="y"/><record name="p" expression="2*y" unit="mW"/></model>' > unit.xml
for version in 2 3; do
    export_fmu $version unit.xml
    grep -A1 'name="p"' fmu/modelDescription.xml | grep -q 'unit="mW"' && grep -q '<Unit name="mW"><BaseUnit.* factor="0.001"' fmu/modelDescription.xml ||
        fail "FMI $version: the unit of an expression is lost"
    grep -q 'name="y".* description="constant c, unit.xml:1"' fmu/modelDescription.xml || fail "FMI $version: y is described otherwise"
done

# importers load all functions of FMI 3, whatever the kind of FMU: a network, without model exchange, has those of a diagram
functions() { nm -D --defined-only fmu/binaries/*/it.so | sed -n 's/.* T fmi/fmi/p' | sort; }
export_fmu 3 one.xml && functions > diagram.txt
export_fmu 3 "$examples/electrical/half-wave-rectifier.xml" --method backward-euler && functions > network.txt
grep -q fmi3EnterEventMode network.txt && cmp -s diagram.txt network.txt || fail "functions: $(diff diagram.txt network.txt)"

# columns NAME...: of run.csv, and the time
columns() {
    awk -F, -v names="time,$(echo "$@" | tr ' ' ,)" '
        NR == 1 { n = split(names, want, ","); for (k = 1; k <= NF; k++) at[$k] = k }
        { for (k = 1; k <= n; k++) printf "%s%s", $at[want[k]], k < n ? "," : "\n" }' run.csv
}

# co-simulation: the same operations; a step between communication points of one or of several of the model's
for version in 2 3; do
    for model in "signal/pi-loop 0.01 20 r u y" "hybrid/bouncing-ball 0.001 2 b.height b.bounces b.rests" \
        "hybrid/ripple-counter 0.05 10 u binary n q2" "signal/algebraic-loop 0.1 1 x1 y"; do
        # shellcheck disable=SC2086
        set -- $model
        name=$1 step=$2 end=$3
        shift 3
        export_fmu $version "$examples/$name.xml" --method rk4 --step "$step" || continue
        host_fmu cs "$step" "$end" "" "$@"
        "$LINNET" run "$examples/$name.xml" --method rk4 --step "$step" --duration "$end" --events at-steps -q -o run.csv > out 2>&1
        columns "$@" > wanted.csv
        same wanted.csv fmu.csv 0 > out || fail "$name by FMI $version: $(head -n 3 out)"
    done
done

# model exchange: events are located; a sampled controller with time events, pre(), an edge in time
export_fmu 3 "$examples/hybrid/bouncing-ball.xml" --method rk4 --step 1ms
host_fmu me 0.01 2 "" b.height b.bounces b.rests
expect 0 "$LINNET" run "$examples/hybrid/bouncing-ball.xml" --method rk45 --duration 2 --tolerance 1e-10 --interval 0.01 -q -o run.csv
same run.csv fmu.csv 1e-8 > out || fail "the ball in model exchange: $(head -n 3 out)"
cat > sampled.xml << 'XML'
<model name="sampled" xmlns="urn:linnet:model:1">
  <step id="s" out="r" delay="0.33 s"/>
  <sum id="d" in="r y" signs="+-" out="e"/>
  <zero-order-hold id="z" in="e" out="h" period="70 ms"/>
  <integrator id="i" in="h" out="x" k="2"/>
  <first-order id="p" in="x" out="y" T="0.2 s"/>
  <simulation duration="2" step="10 ms" method="rk4"/>
  <record signals="r h x y"/>
</model>
XML
for version in 2 3; do
    export_fmu $version sampled.xml
    host_fmu me 0.01 2 "" r h x y
    expect 0 "$LINNET" run sampled.xml -q -o run.csv
    awk -F, 'NR == 1 || seen != $1 { if (NR > 1) print line } { line = $0; seen = $1 } END { print line }' run.csv > last.csv
    same last.csv fmu.csv 1e-10 > out || fail "time events in model exchange of FMI $version: $(head -n 3 out)"
done

# parameters and states are set before the start; a vector is an array in FMI 3 and elements in FMI 2
cat > vector.xml << 'XML'
<model name="vector" xmlns="urn:linnet:model:1">
  <external-input id="in" out="u" value="1"/>
  <gain id="g" in="u" out="a" k="2"/> <constant id="c" out="b" value="3"/>
  <mux id="m" in="a b" out="v"/>
  <integrator id="i" in="v" out="w"/>
  <simulation duration="1" step="0.1" method="euler"/>
  <record signals="u v w"/>
</model>
XML
export_fmu 2 vector.xml
host_fmu cs 0.25 1 "g.k=4 i\[1\].y=10" 'v\[1\]' 'v\[2\]' 'w\[1\]'
tail -n 1 fmu.csv | awk -F, '{ exit !($1 == 1 && $2 == 4 && $3 == 3 && $4 - 14 < 1e-12 && 14 - $4 < 1e-12) }' || fail "vector: $(tail -n 1 fmu.csv)"
export_fmu 3 vector.xml
grep -q 'name="v".*Dimension start="2"' fmu/modelDescription.xml || fail "a vector is no array: $(grep 'name="v' fmu/modelDescription.xml)"

# and so it comes back, beside states that bear the names of its elements
export_fmu 3 "$examples/stiff/detest-a1.xml" --method rk4 --step 20ms
expect 0 "$LINNET" run it.fmu -q -o fmu.csv
expect 0 "$LINNET" run "$examples/stiff/detest-a1.xml" --method rk4 --step 20ms --events at-steps -q -o run.csv
{ head -n 1 run.csv; tail -n +2 fmu.csv; } > named.csv
same run.csv named.csv 1e-14 > out || fail "an array, imported: $(head -n 3 out)"

# what is a truth or a whole number, and changes at events alone, is one in FMI 3; in FMI 2 it is a number that is discrete
export_fmu 3 "$examples/hybrid/ripple-counter.xml" --method rk4 --step 50ms
grep 'name="binary"' fmu/modelDescription.xml | grep '<Int32' | grep -q 'variability="discrete"' || fail "a count: $(grep '"binary"' fmu/modelDescription.xml)"
grep 'name="q2"' fmu/modelDescription.xml | grep -q '<Boolean' || fail "a truth: $(grep '"q2"' fmu/modelDescription.xml)"
grep 'name="u"' fmu/modelDescription.xml | grep -q '<Float64' || fail "a number: $(grep '"u"' fmu/modelDescription.xml)"
expect 0 "$LINNET" run it.fmu --step 50ms --duration 5 -q -o fmu.csv # as numbers again
"$LINNET" run "$examples/hybrid/ripple-counter.xml" --method rk4 --step 50ms --duration 5 --events at-steps -q -o run.csv > out 2>&1
same run.csv fmu.csv 0 > out || fail "integers and truths, imported: $(head -n 3 out)"
export_fmu 2 "$examples/hybrid/ripple-counter.xml" --method rk4 --step 50ms
grep 'name="binary"' fmu/modelDescription.xml | grep -q 'variability="discrete".*<Real' || fail "a count in FMI 2: $(grep '"binary"' fmu/modelDescription.xml)"

# a network by an implicit method: co-simulation alone, and steps that fit
export_fmu 2 "$examples/electrical/rc-ladder.xml" --method backward-euler
grep -q ModelExchange fmu/modelDescription.xml && fail "a network promises model exchange"
step=$(attribute stepSize) end=$(attribute stopTime)
host_fmu cs "$step" "$end" "" v10
expect 0 "$LINNET" run "$examples/electrical/rc-ladder.xml" --method backward-euler --newton exact -q -o run.csv
columns v10 > wanted.csv
SIDE=left same wanted.csv fmu.csv 1e-12 > out || fail "the ladder: $(head -n 3 out)"
token=$(attribute guid)
./host fmu/binaries/*/it.so 2 "$token" cs "$(awk "BEGIN { print 1.5 * $step }")" "$end" 0 0 1 > out 2> err && fail "a step that does not fit is taken"
says err "multiples of"
./host fmu/binaries/*/it.so 2 "{0}" cs "$step" "$end" 0 0 1 > out 2> err && fail "another model's token is taken"
says err "another FMU's"

# sources alone, and refusals
unzip -l one.fmu > out
grep -q 'sources/m.c' out && ! grep -q binaries out || fail "an FMU of sources: $(cat out)"
expect 0 "$LINNET" export one.xml --compiler no-such-compiler -o two.fmu
says err "no compiler 'no-such-compiler'" "sources"
cmp one.fmu two.fmu || fail "equal models, different archives"
expect 5 "$LINNET" export one.xml --compiler false -o none.fmu
expect 5 "$LINNET" export one.xml -o nowhere/none.fmu
says err "cannot write 'nowhere/none.fmu': No such file"
expect 2 "$LINNET" export one.xml --fmi 1 -o none.fmu
says err "FMI 2 and 3"
expect 3 "$LINNET" export "$examples/electrical/rc-step.xml" -o none.fmu --method rk4 --step 1us
[ -e none.fmu ] || [ -e none.fmu.so.part ] && fail "a refused export leaves files"
finish

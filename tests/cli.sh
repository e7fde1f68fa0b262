#!/bin/sh
# SPDX-License-Identifier: MIT
# The program from outside: exit statuses, what goes to which stream, files, interruption, help.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1

cat > rc.xml << 'XML'
<model name="an RC" xmlns="urn:linnet:model:1">
  <parameter name="load" value="1 kOhm"/>
  <ground id="gnd" p="0"/>
  <voltage-source id="V1" p="in" n="0" V="1 V"/>
  <resistor id="R1" p="in" n="out" R="load"/>
  <capacitor id="C1" p="out" n="0" C="1 uF"/>
  <simulation duration="1 ms" step="10 us"/>
  <record signals="out R1.i"/>
  <reference signal="out" value="1 - exp(-t/1 ms)" tolerance="1e-5"/>
</model>
XML
sed 's/1 - exp/2 - exp/' rc.xml > missed.xml
sed '/<reference/d; /<simulation/d' rc.xml > bare.xml
sed 's/<resistor/<resitor/' rc.xml > wrong.xml
cat > fails.xml << 'XML'
<model name="no solution behind t = 1" xmlns="urn:linnet:model:1">
  <block-type name="root">
    <output name="y"/>
    <equation>y = sqrt(1 - t)</equation>
  </block-type>
  <root id="r" y="y"/>
  <first-order id="f" in="y" out="z" T="1"/>
  <simulation duration="2" step="0.01"/>
</model>
XML
sed 's/duration="1 ms" step="10 us"/duration="1000 s" step="1 us"/; s/<record.*/<record signals="out"\/>/; /<reference/d' rc.xml > long.xml

# ---- run ----
expect 0 "$LINNET" run rc.xml
says err "an RC" "4 blocks, 3 links; " "crank-nicolson, default for a physical network at a fixed step; fixed step 10 us" "100 steps" \
    "result    rc.csv: 101 rows of time and 2 signals"
[ "$(tail -n 1 "$work/err")" = "linnet: done" ] || fail "the last line is not 'linnet: done'"
[ ! -s "$work/out" ] || fail "run without -o - wrote to stdout"
[ "$(wc -l < rc.csv)" = 102 ] || fail "rc.csv has $(wc -l < rc.csv) lines"
[ "$(head -n 1 rc.csv)" = "time,out,R1.i" ] || fail "rc.csv begins with $(head -n 1 rc.csv)"
expect 0 "$LINNET" run rc.xml -o - && cmp -s "$work/out" rc.csv || fail "-o - differs from the file"
expect 0 "$LINNET" run rc.xml --quiet -o quiet.csv && [ ! -s "$work/err" ] || fail "--quiet is not quiet"
cmp -s quiet.csv rc.csv || fail "two runs differ"
for solver in dense sparse; do
    expect 0 "$LINNET" run rc.xml --linear-solver $solver -o $solver.csv && says err "$solver ("
done
expect 0 "$LINNET" run rc.xml --set load=2kOhm --set C1.C='0.5 uF' -o same.csv
expect 0 "$LINNET" run rc.xml --duration '2 ms' --step 20us --method backward-euler -o - && says err "backward-euler, as asked for" "0 s to 2 ms"
expect 0 "$LINNET" run rc.xml --tolerance 1e-6 -o - && says err "radau5" "adaptive step, tolerance 1e-06"
expect 0 "$LINNET" run rc.xml -m rk4 -s 1us -o rk4.csv
tail -n 1 rk4.csv | awk -F, '{e = $2 - 0.632120558828558; exit !(e < 1e-9 && e > -1e-9)}' || fail "rk4 is off: $(tail -n 1 rk4.csv)"

# ---- the command line is wrong ----
expect 2 "$LINNET" && says err "a command is missing"
expect 2 "$LINNET" rnu rc.xml && says err "did you mean 'run'?"
expect 2 "$LINNET" run && says err "a model file is missing"
expect 2 "$LINNET" run rc.xml other.xml && says err "one too many"
expect 2 "$LINNET" run rc.xml --stp 1us && says err "did you mean '--step'?"
expect 2 "$LINNET" run rc.xml --step && says err "option '--step' needs a value"
expect 2 "$LINNET" run rc.xml -z && says err "there is no option"
expect 2 "$LINNET" run rc.xml --method rk44 && says err "option --method: 'rk44' is no method; did you mean 'rk4'?"
expect 2 "$LINNET" run rc.xml --method rk4 --tolerance 1e-3 && says err "or take backward-euler" " or rk45"
expect 2 "$LINNET" run rc.xml --step '5 kg' && says err "--step"
expect 2 "$LINNET" run rc.xml --duration 0 && says err "option --duration is 0"
expect 2 "$LINNET" run rc.xml --set lod=5 && says err "load"
expect 2 "$LINNET" run rc.xml --set load && says err "NAME=VALUE"
expect 2 "$LINNET" run rc.xml --linear-solver lapack && says err "auto, dense, sparse"
expect 2 "$LINNET" run rc.xml -o rc.xml && says err "no result has the ending '.xml'"
cp rc.xml model.csv
expect 2 "$LINNET" run ./model.csv -o model.csv && says err "would overwrite the model"
ln -s rc.xml link.csv
expect 2 "$LINNET" run rc.xml -o link.csv
grep -q '<model' rc.xml || fail "the model was overwritten"

# ---- the model, the simulation, files ----
expect 3 "$LINNET" run wrong.xml && says err "wrong.xml:5: error: " "<resistor>"
[ "$(tail -n 1 "$work/err")" = "linnet: failed: the model is wrong" ] || fail "the last line of a wrong model"
[ ! -e wrong.csv ] || fail "a wrong model left a result"
expect 3 "$LINNET" run bare.xml && says err "no <simulation>"
expect 0 "$LINNET" run bare.xml --duration 1ms && says err "radau5, default for a tolerance"
expect 4 "$LINNET" run fails.xml && says err "fails.xml" "linnet: failed: the simulation failed at t = " "is kept"
[ "$(wc -l < fails.csv)" -gt 50 ] || fail "what there was was not kept"
expect 5 "$LINNET" run nowhere.xml && says err "nowhere.xml"
expect 5 "$LINNET" run rc.xml -o no/such/folder.csv && says err "no/such/folder.csv"
expect 5 "$LINNET" run rc.xml -o .
if [ -w /dev/full ]; then
    expect 5 "$LINNET" run rc.xml -o /dev/full && says err "/dev/full"
    "$LINNET" run rc.xml -q -o - > /dev/full 2> err; [ $? = 5 ] || fail "a full standard output is not 5"
    "$LINNET" blocks > /dev/full 2> err; [ $? = 5 ] || fail "blocks > /dev/full is not 5"
fi
{ "$LINNET" run long.xml -q -o - 2> err; echo $? > status; } | head -n 1 > /dev/null
[ "$(cat status)" = 5 ] || fail "a closed pipe ends with $(cat status), expected 5"

# ---- interruption: the run ends at once and keeps what it has ----
# under nohup a hangup is ignored, and stays so: these runs are told to take it
takes_hangup=
env --default-signal=HUP true 2> /dev/null && takes_hangup="env --default-signal=HUP"
interrupt() { # signal, expected status
    rm -f long.csv
    $takes_hangup "$LINNET" run long.xml 2> err &
    pid=$!
    wait_for -s long.csv.part
    kill -s "$1" $pid
    wait $pid
    status=$?
    [ $status = "$2" ] || fail "SIG$1 ends with $status, expected $2"
    tail -n 1 err | grep -q '^linnet: interrupted at t = ' || fail "SIG$1: the last line is $(tail -n 1 err)"
    [ -s long.csv ] && [ ! -e long.csv.part ] || fail "SIG$1: the result is not in its place"
    [ "$(tail -c 1 long.csv | od -An -c | tr -d ' ')" = '\n' ] || fail "SIG$1: the last row is torn"
}
interrupt TERM 143
interrupt HUP 129
# nohup linnet run: goes on
rm -f long.csv
(trap '' HUP && exec "$LINNET" run long.xml 2> err) &
pid=$!
wait_for -s long.csv.part
kill -s HUP $pid
sleep 0.2
kill -s TERM $pid || fail "a hangup that is ignored ends a run"
wait $pid
[ $? = 143 ] || fail "a hangup that is ignored ends a run"
interrupt XCPU 152
# a shell starts background jobs with SIGINT ignored; a handler of the program's own takes its place
interrupt INT 130

# ---- verify and check ----
expect 0 "$LINNET" verify rc.xml && says out "rc.xml" "out" "ok"
expect 6 "$LINNET" verify missed.xml && says out "MISSED" && says err "linnet: failed: a reference was missed"
expect 6 "$LINNET" verify rc.xml missed.xml
expect 3 "$LINNET" verify missed.xml wrong.xml
expect 3 "$LINNET" verify bare.xml && says err "there is nothing to verify"
expect 0 "$LINNET" verify -q rc.xml && [ ! -s "$work/out" ] || fail "verify --quiet is not quiet"
expect 6 "$LINNET" verify rc.xml --set load=2kOhm
expect 0 "$LINNET" check rc.xml && says out "rc.xml: no errors" "3 electrical" "crank-nicolson"
expect 0 "$LINNET" check bare.xml && says out "no <simulation>"
expect 3 "$LINNET" check rc.xml wrong.xml
expect 2 "$LINNET" check rc.xml --method nothing

# ---- blocks ----
expect 0 "$LINNET" blocks && says out "electrical (" "capacitor" "transfer-function"
expect 0 "$LINNET" blocks capacitor && says out "p.i = C*der(p.v - n.v)" "required" "> 0" "<capacitor id="
expect 0 "$LINNET" blocks root --model fails.xml && says out "y = sqrt(1 - t)"
expect 2 "$LINNET" blocks capacitr && says err "did you mean 'capacitor'?"
expect 2 "$LINNET" blocks --format yaml
expect 0 "$LINNET" blocks --format json && says out '"name": "capacitor"'
if command -v python3 > /dev/null; then
    python3 -c 'import json, sys; assert len(json.load(sys.stdin)) > 100' < "$work/out" || fail "blocks --format json is no JSON"
fi

# ---- loops ----
cat > loop.xml << 'XML'
<model name="a loop in a loop">
  <parameter name="k" value="2"/>
  <step id="r" out="ref"/>
  <sum id="s" in="ref y" signs="+-" out="e"/>
  <sum id="s2" in="e z" signs="+-" out="u"/>
  <gain id="g" in="u" out="z" k="k"/>
  <first-order id="P" in="u" out="y" T="1 s"/>
</model>
XML
expect 0 "$LINNET" loops loop.xml
says out "1: negative, through s.in[2] (-), s2.in[1] (+)" "    s -[e]-> s2 -[u]-> P -[y]-> s" \
    "2: negative, algebraic, through s2.in[2] (-)" "2 feedback loops, 1 of them algebraic"
expect 0 "$LINNET" loops loop.xml --set k=-2 && says out ": positive, algebraic"
expect 0 "$LINNET" loops loop.xml --limit 1 && says out "stopped at the limit of 1"
expect 0 "$LINNET" loops loop.xml --by-sum && says out "s: out e, back by y at in[2], negative: s2 P" \
    "s2: out u, back by e at in[1], negative: P s" "s2: out u, back by z at in[2], negative: g"
expect 0 "$LINNET" loops loop.xml --algebraic && says out "s2 -[u]-> g" && ! grep -q "P -" "$work/out" || fail "--algebraic tells all"
cat > bent.xml <<'END'
<model name="bent">
  <step id="r" out="w" height="0.7"/><sum id="s" in="w y" signs="+-" out="e"/>
  <abs id="b" in="e" out="u"/><first-order id="f" in="u" out="y" T="1"/><simulation duration="1" step="0.1"/>
</model>
END
expect 0 "$LINNET" loops bent.xml && says out "1: sign unknown, negative at the start, through s.in[2] (-)"
expect 0 "$LINNET" loops bent.xml --set r.height=-1 && says out "1: sign unknown, positive at the start"
expect 0 "$LINNET" loops bent.xml --format json && says out '{"sign": "unknown", "sign-at-start": "negative"'
expect 0 "$LINNET" loops bent.xml --format json --by-sum && says out '"feedback": "unknown", "feedback-at-start": "negative"'
expect 0 "$LINNET" loops rc.xml && says out "no feedback loops" "1 physical network without directed loops"
expect 2 "$LINNET" loops loop.xml --limit none && says err "a whole number above 0"
expect 3 "$LINNET" loops wrong.xml
expect 0 "$LINNET" loops loop.xml --by-sum --format json && cp "$work/out" sums.json
expect 0 "$LINNET" loops loop.xml --format json && cp "$work/out" loops.json
if command -v python3 > /dev/null; then
    python3 -c 'import json
loops, sums = json.load(open("loops.json")), json.load(open("sums.json"))
assert [l["sums"] for l in loops["list"]] == [["s", "s2"], ["s2"]] and loops["complete"]
assert sums["by-sum"][0] == {"sum": "s", "outgoing": "e", "incoming": "y", "in": "in[2]", "feedback": "negative",
                             "algebraic": False, "blocks": ["s2", "P"]}' || fail "loops --format json is not as told"
fi

# ---- results that are not to be trusted are called so ----
examples=$srcdir/models/examples/stiff
expect 0 "$LINNET" run "$examples/hires.xml" --method rk4 --step 16.09ms -o doubt.csv
says err "warning: the step of 0.01609 s is too long for rk4" "rk4 is most likely unstable there" "implicit method"
expect 0 "$LINNET" run "$examples/car-axis.xml" --method crank-nicolson --step 1ms -o doubt.csv
says err "car-axis.xml:" "crank-nicolson does not damp: a.lambda1, which is of index 3, rings from step to step and spoils"
expect 0 "$LINNET" run "$examples/robertson.xml" --tolerance 1e-4 -o doubt.csv
grep -q warning "$work/err" && fail "a good run is doubted"

# ---- help ----
expect 0 "$LINNET" --version && says out "linnet "
expect 0 "$LINNET" --help && says out "Usage: linnet COMMAND" "run" "check" "verify" "blocks" "loops"
for command in run check verify blocks loops; do
    expect 0 "$LINNET" $command --help && says out "Usage: linnet $command" "Options:" "Examples:" "Exit status:"
done
for method in backward-euler crank-nicolson tr-bdf2 rk4; do
    "$LINNET" run --help | grep -q "^  $method " || fail "run --help does not name $method"
done
# ---- bug-report ----
cat > "$work/report.xml" << 'XML'
<model name="to be reported" xmlns="urn:linnet:model:1">
  <step id="s" out="y"/>
  <simulation duration="1" step="0.1"/>
</model>
XML
expect 0 "$LINNET" bug-report "$work/report.xml" -o "$work/report.txt"
for text in "linnet 0" "compiler " libxml2.so "report.xml: 131 bytes, CRC-32" "## run " "1 s in 10 steps" "unknowns" "exit status 0"; do
    grep -qF -e "$text" "$work/report.txt" || fail "the report lacks '$text'"
done
grep -q '<step' "$work/report.txt" && fail "the model stands in a report that was not asked for it"
expect 0 "$LINNET" bug-report "$work/report.xml" --with-model --method no-such && says out "<step id=" "exit status 2" "no-such"
sed 's/<step/<stop-it/' "$work/report.xml" > "$work/wrong.xml"
expect 0 "$LINNET" bug-report "$work/wrong.xml" && says out "exit status 3" "wrong.xml:2: error"
expect 5 "$LINNET" bug-report "$work/nowhere.xml"
# ended, it ends the run that it has started, and leaves nothing
mkdir "$work/scratch"
sed 's/duration="1" step="0.1"/duration="500" step="1us"/' "$work/report.xml" > "$work/endless.xml"
TMPDIR=$work/scratch "$LINNET" bug-report "$work/endless.xml" -o "$work/never.txt" 2> err &
pid=$!
wait_for -e "$work/scratch/linnet-report-$pid.raw.part"
child=$(grep -ls "^PPid:[[:space:]]*$pid\$" /proc/[0-9]*/status | tr -cd '0-9')
[ -n "$child" ] || fail "bug-report has no child"
kill -s TERM $pid
wait $pid
status=$?
[ $status = 143 ] || fail "SIGTERM ends bug-report with $status, expected 143"
kill -0 "$child" 2> /dev/null && fail "bug-report leaves its child computing"
[ -z "$(ls "$work/scratch")" ] && [ ! -e "$work/never.txt" ] || fail "bug-report leaves $(ls "$work/scratch")"
# and so does each command that runs another program; these here compute for a minute
mkdir "$work/slow"
for program in cc gnuplot dot; do printf '#!/bin/sh\necho $$ > "%s/slow/pid"\nsleep 60\n' "$work" > "$work/slow/$program"; done
chmod +x "$work/slow/"*
for command in "run --native -q --step 1ms -o o.csv" "export -o o.fmu" "plot -o o.svg" "diagram -o o.svg"; do
    rm -f "$work/slow/pid"
    # shellcheck disable=SC2086
    XDG_CACHE_HOME=$work/slow PATH=$work/slow:$PATH "$LINNET" $command rc.xml 2> err &
    pid=$!
    wait_for -s "$work/slow/pid"
    begin=$(date +%s)
    kill -s TERM $pid
    wait $pid
    status=$?
    [ $status = 143 ] && [ $(($(date +%s) - begin)) -lt 4 ] || fail "SIGTERM ends $command with $status in $(($(date +%s) - begin)) s: $(cat err)"
    kill -0 "$(cat "$work/slow/pid")" 2> /dev/null && fail "$command leaves its child computing"
done
finish

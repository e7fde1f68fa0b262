#!/bin/sh
# SPDX-License-Identifier: MIT
# --format json of run, check and verify: one object with fields that other programs may rely on (doc/manual.md, "For other
# programs"); and colours, which only people at a terminal see.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1
command -v python3 > /dev/null || exit 77
cat > ask.py <<'END'
import json, sys
answer = json.load(open(sys.argv[1]))
assert set(answer) == {"models", "messages", "status", "exit"}, answer
ok = eval("(" + sys.argv[2] + ")", {"a": answer, "m": answer["models"], "t": answer["messages"]})
sys.exit(0 if ok else str(answer))
END
gives() { # STATUS EXPRESSION COMMAND...
    wanted=$1 expression=$2
    shift 2
    expect "$wanted" "$@" || return
    [ ! -s err ] || fail "stderr: $(head -n 3 err): $*"
    python3 ask.py out "($expression) and a['exit'] == $wanted" > said 2>&1 || fail "$expression: $(tail -n 1 said): $*"
}
cat > rc.xml <<'END'
<model name="r &quot;c&quot;" xmlns="urn:linnet:model:1"><ground id="g" p="0"/><step-voltage id="V" p="a" n="0" height="1 V"/>
  <resistor id="R" p="a" n="b" R="1 kOhm"/><capacitor id="C" p="b" n="0" C="1 uF"/><simulation duration="5 ms" step="10 us"/>
  <record signals="b"/><measure name="top" kind="maximum" signal="b"/>
  <reference signal="b" value="1 - exp(-t/0.001)" tolerance="1e-4"/><reference signal="b" value="2" at="0.001"/></model>
END
printf '<model name="m">\n<resistor id="R" p="a" n="b" R="x"/>\n<resistr id="Q" p="a"/></model>\n' > bad.xml
gives 0 "m[0]['file'] == 'rc.xml' and m[0]['name'] == 'r \"c\"' and m[0]['blocks'] == 4 and m[0]['links'] == {'electrical': 3} and
    m[0]['states'] == 1 and m[0]['method'].startswith('crank-nicolson') and t == [] and a['status'] == 'done'" \
    "$LINNET" check rc.xml --format json
gives 3 "len(m) == 2 and m[1]['blocks'] == 4 and m[0] == {'file': 'bad.xml'} and a['status'] == 'the model is wrong' and
    any(i['severity'] == 'error' and i['file'] == 'bad.xml' and i['line'] == 3 and 'resistor' in i['message'] and
        'error:' not in i['message'] for i in t)" "$LINNET" check bad.xml rc.xml -f json
gives 5 "t[0]['severity'] == 'error' and 'absent.xml' in t[0].get('file', '') + t[0]['message']" "$LINNET" check absent.xml --format json
gives 6 "[r['met'] for r in m[0]['references']] == [True, False] and m[0]['references'][1]['at'] == 0.001 and
    0.6 < m[0]['references'][1]['error'] < 0.8 and m[0]['references'][0]['signal'] == 'b' and m[0]['references'][0]['times'] > 100 and
    m[0]['references'][0]['tolerance'] == 1e-4" "$LINNET" verify rc.xml --format json
gives 0 "m[0]['end'] == 0.005 and m[0]['steps'] == 500 and m[0]['rows'] > 400 and m[0]['signals'] == 1 and m[0]['result'] == 'rc.csv' and
    m[0]['measures'][0]['name'] == 'top' and abs(m[0]['measures'][0]['value'] - 0.99326) < 1e-4 and m[0]['measures'][0]['unit'] == 'V' and
    m[0]['method'] == 'crank-nicolson' and m[0]['elapsed'] >= 0 and m[0]['rejected'] == 0 and m[0]['events'] == 0 and
    m[0]['begin'] == 0" "$LINNET" run rc.xml --format json
[ -s rc.csv ] || fail "no result beside the answer"
gives 3 "m == [{'file': 'bad.xml'}]" "$LINNET" run bad.xml --format json
sed 's/<step-voltage[^>]*>/<diode id="D" p="b" n="0"\/><step-voltage id="V" p="a" n="0" height="1 V"\/>/' rc.xml > warn.xml
expect 2 "$LINNET" run rc.xml --format yaml && says err "it must be text or json"
expect 2 "$LINNET" check rc.xml --flat --format json && says err "leave --format out"
printf 't\nV1 a 0 1\nR1 a 0 1\n.op\n.end\n' > op.cir
expect 2 "$LINNET" run op.cir --format json && says err "commands of their own (<operating-point>)"

# Colours: on a terminal, unless NO_COLOR says otherwise.
escape=$(printf '\033')
if command -v script > found; then
    TERM=xterm script -qec "$LINNET check bad.xml" /dev/null < /dev/null > typed 2>&1
    grep -q "$escape\[1;31merror:" typed || fail "no colour on a terminal: $(cat -v typed)"
    TERM=xterm NO_COLOR=1 script -qec "$LINNET check bad.xml" /dev/null < /dev/null > typed 2>&1
    grep -q "$escape\[1" typed && fail "a colour in spite of NO_COLOR"
    TERM=dumb script -qec "$LINNET check bad.xml" /dev/null < /dev/null > typed 2>&1
    grep -q "$escape\[1" typed && fail "a colour on a dumb terminal"
fi
expect 3 "$LINNET" check bad.xml
grep -q "$escape" err && fail "a colour in a file"
finish

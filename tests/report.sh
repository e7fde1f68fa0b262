#!/bin/sh
# SPDX-License-Identifier: MIT
# linnet report: a page with all its parts, whole as HTML, names of a model escaped, a run that fails, what is wrong. With
# LINNET_FULL set and Chromium there, the page is opened: its curves are drawn and no script fails.
. "${srcdir:-.}/tests/shell.sh"
here=$(cd "${srcdir:-.}" && pwd)
cd "$work" || exit 1
motor=$here/models/examples/mixed/dc-motor-pi.xml

expect 2 "$LINNET" report "$motor" -o page.pdf && says err "ends in .html"
expect 2 sh -c "'$LINNET' report - < '$motor'" && says err "write it to a file first"
expect 3 "$LINNET" report "$here/tests/diagram.sh" -o bad.html
[ ! -e bad.html ] || fail "a report of no model was left"
if ! command -v dot > /dev/null; then finish; fi

expect 0 "$LINNET" report "$motor" -o motor.html && says err "motor.html: "
for part in '<h2>Diagram</h2>' 'data-block="difference"' '<h2>Feedback loops</h2>' 'negative feedback: ' '<h2>Signals</h2>' \
    'id="signals"' 'dygraphs, installed beside Linnet, with its licence' '<h2>Run</h2>' 'crank-nicolson' '<h2>Parameters</h2>' \
    '<td>rotor.J</td>' '<h2>Operating point</h2>' '<h2>Natural modes at the operating point</h2>' 'linnet report ' 'CRC-32 '; do
    grep -qF -- "$part" motor.html || fail "the report lacks $part"
done
grep -qE 'src="?http|href="?http' motor.html && fail "the page needs something from elsewhere"
expect 0 "$LINNET" report "$motor" --set R1.R=2kOhm -o other.html
grep -A2 '<td>R1.R</td>' other.html | grep -q '2000' || fail "--set is not in the report"

# names from outside show and do nothing
cat > 'a<b>"&.xml' << 'END'
<model name="&lt;script>alert(1)&lt;/script>" xmlns="urn:linnet:model:1">
  <sine id="s" out="y" frequency="3 Hz"/>
  <measure name="top" kind="maximum" signal="y"/>
  <simulation duration="1 s"/>
  <record name="&lt;img src=x onerror=alert(1)>" expression="2*y"/>
</model>
END
expect 0 "$LINNET" report 'a<b>"&.xml' -o hostile.html
grep -qE '<script>alert|<img src' hostile.html && fail "a name became a part of the page"
grep -qF '&lt;script&gt;alert(1)' hostile.html && grep -qF '<h2>Measures</h2>' hostile.html || fail "the name or the measure is not shown"

# what a run that fails got to is there, and why
cat > fails.xml << 'END'
<model name="fails" xmlns="urn:linnet:model:1">
  <constant id="c" out="u" value="1"/>
  <block-type name="burst"><output name="out"/><input name="in"/><state name="x" start="1"/><equation>der(x) = x^2*in</equation>
    <equation>out = x</equation></block-type>
  <burst id="b" in="u" out="y"/>
  <simulation duration="2 s"/>
</model>
END
expect 4 "$LINNET" report fails.xml -o fails.html && says err "fails.html: " && says err "error: "
printf '<model xmlns="urn:linnet:model:1"><frob/></model>' > wrong.xml # the page is not read where it fails: told beside it, once
expect 3 "$LINNET" report wrong.xml -q -o wrong.html && says err "wrong.xml:1: error: unknown element <frob>"
[ "$(grep -c frob err)" = 1 ] && grep -q 'unknown element' wrong.html || fail "what is wrong is told other than once: $(cat err)"
grep -q '<h2>Messages</h2>' fails.html && grep -q 'class="error"' fails.html && grep -q 'id="signals"' fails.html || fail "the report of a failed run is not whole"

if command -v python3 > /dev/null; then
    python3 - motor.html other.html hostile.html fails.html << 'END' > complaints || fail "$(cat complaints)"
import sys
from html.parser import HTMLParser
void = {'meta', 'br', 'hr', 'img', 'input', 'link', 'path', 'rect', 'circle'}
wrong = []
class Page(HTMLParser):
    def handle_starttag(self, tag, attributes):
        if tag not in void: self.open.append(tag)
    def handle_startendtag(self, tag, attributes): pass
    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag: wrong.append(f'{self.name}:{self.getpos()[0]}: </{tag}> closes nothing')
for name in sys.argv[1:]:
    page = Page()
    page.open, page.name = [], name
    page.feed(open(name, encoding='utf-8').read())
    if page.open: wrong.append(f'{name}: not closed: {page.open}')
print('\n'.join(wrong))
sys.exit(bool(wrong))
END
fi
if [ -n "${LINNET_FULL:-}" ] && command -v chromium > /dev/null; then
    for page in motor hostile; do
        timeout 150 chromium --headless --no-sandbox --disable-gpu --enable-logging=stderr --virtual-time-budget=5000 --dump-dom \
            "file://$work/$page.html" > dom 2> log
        [ -s dom ] || { echo "Chromium gave up on $page.html: not tried"; continue; }
        grep -q '<canvas' dom || fail "$page.html draws no curve"
        grep -i 'CONSOLE.*error' log && fail "a script of $page.html fails"
    done
fi
finish

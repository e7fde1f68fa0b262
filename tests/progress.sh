#!/bin/sh
# SPDX-License-Identifier: MIT
# What a terminal shows while a command works: a bar after a second, wiped before any message; colours, unless they are refused;
# no bar for a file or a pipe.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1
command -v python3 > which || { echo "no Python to make a terminal"; exit 77; }
cat > long.xml << 'XML'
<model name="long" xmlns="urn:linnet:model:1">
  <sine id="s" out="u" frequency="50 Hz"/><integrator id="l" in="u" out="y"/>
  <simulation duration="900 s" step="1 us" method="rk4"/>
  <record signals="y"/>
</model>
XML
# on_terminal COMMAND...: its standard error is a terminal, what it shows goes to `shown`
cat > terminal.py << 'PYTHON'
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.dup2(os.open("/dev/null", os.O_RDWR), 1)
    os.execvp(sys.argv[1], sys.argv[1:])
shown = b""
while True:
    try:
        block = os.read(terminal, 4096)
    except OSError:
        break
    if not block:
        break
    shown += block
open("shown", "wb").write(shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
PYTHON
on_terminal() {
    wanted_status=$1
    shift
    expect "$wanted_status" env TERM=xterm timeout 60 python3 terminal.py "$LINNET" "$@"
}
escape=$(printf '\033')
on_terminal 4 run long.xml -o long.csv --max-seconds 2.2 --interval 1s --progress bar
tr '\r' '\n' < shown | grep -q "^$escape\[K\[[#.]*\] *[0-9]*%  t = [0-9.e+-]* [a-z]*s, [0-9]* s left" || fail "no bar: $(cat -v shown | head -c 300)"
python3 - << 'PYTHON' || fail "what follows the bar stands behind it: $(cat -v shown | tail -c 300)"
text = open("shown", "rb").read()
behind = text[text.rindex(b" left") + 5:]
raise SystemExit(not behind.startswith(b"\r\033[K") or b"linnet: failed" not in behind)
PYTHON
on_terminal 4 run long.xml -o long.csv --max-seconds 2.2 --interval 1s --progress lines
tr -d '\r' < shown | grep -q '^progress: 0\.[0-9]*$\|^progress: 0$\|^progress: [0-9.e-]*$' || fail "no lines: $(head -c 300 shown)"
sed 's/duration="900 s"/duration="0.2 s"/' long.xml > short.xml
on_terminal 4 sweep short.xml -j 1 --vary "s.frequency=50:60:1000" --measure "top=maximum(y)" -o sweep.csv --max-seconds 2.5
tr '\r' '\n' < shown | grep -q "^$escape\[K\[[#.]*\] [0-9]* of 1000" || fail "no bar of cases: $(cat -v shown | head -c 300)"
rm -f sweep.csv.part
on_terminal 4 sweep short.xml -j 1 --vary "s.frequency=50:60:1000" --measure "top=maximum(y)" -o sweep.csv --max-seconds 2.5 --progress lines
grep -q '^progress: 0\.' shown || fail "no lines of cases: $(cat -v shown | head -c 300)"
# colours of severities: of an error, unless refused, and for no file
sed 's/<sine /<sinne /' long.xml > wrong.xml
on_terminal 3 check wrong.xml
grep -q "$escape\[1;31m" shown || fail "an error on a terminal is not red: $(cat -v shown)"
for refusal in NO_COLOR=1 TERM=dumb; do
    expect 3 env TERM=xterm $refusal python3 terminal.py "$LINNET" check wrong.xml
    grep -q "$escape\[1" shown && fail "$refusal: colours"
done
expect 3 env TERM=xterm "$LINNET" check wrong.xml
grep -q "$escape" err && fail "colours in a file"
expect 4 env TERM=xterm "$LINNET" run long.xml --max-seconds 1.5 --interval 1s -o long.csv --progress bar
grep -q "$escape\|%  t =" err && fail "a bar in a file: $(cat -v err)"
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# Long runs: memory stays as it is. Ten million steps of a fixed and of an implicit method, and a million events; from its first
# second on a run grows by at most a megabyte (make soak; in make check-full a tenth of the steps).
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1
tenth=
[ -z "$LINNET_FULL" ] || tenth=1
scale() { [ -n "$tenth" ] && echo "$1" || echo "${1}0"; }

loop='<step id="set" out="r"/><sum id="s" in="r y" signs="+-" out="e"/><pid id="c" in="e" out="u" kp="2" ki="1" kd="0.1"/>
<transfer-function id="plant" in="u" out="y" numerator="1" denominator="1 3 2"/>'
printf '<model xmlns="urn:linnet:model:1">%s<simulation duration="%s" step="1e-3" method="rk4"/></model>' "$loop" "$(scale 1000)" > rk4.xml
printf '<model xmlns="urn:linnet:model:1"><ground id="g" p="0"/><sine-voltage id="V" p="a" n="0" amplitude="5" frequency="50"/>
<diode id="D" p="a" n="b"/><capacitor id="C" p="b" n="0" C="1 uF"/><resistor id="R" p="b" n="0" R="1 kOhm"/>
<simulation duration="%s" step="1e-4" method="crank-nicolson"/></model>' "$(scale 100)" > implicit.xml
printf '<model xmlns="urn:linnet:model:1"><block-type name="saw"><output name="y"/><state name="x"/><equation>der(x) = 1</equation>
<equation>y = x</equation><when condition="x gt 1"><set name="x" value="0"/></when></block-type><saw id="s" y="y"/>
<simulation duration="%s" tolerance="1e-3" method="rk45"/></model>' 1000000 > events.xml

# grow MODEL: kilobytes between the first second and the end
for model in rk4 implicit events; do
    "$LINNET" run $model.xml -o /dev/null --interval 100 > "$work/said" 2>&1 &
    pid=$!
    first='' last=''
    sleep 1
    while now=$(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' /proc/$pid/status 2> /dev/null) && [ -n "$now" ]; do
        [ -n "$first" ] || first=$now
        last=$now
        sleep 0.2
    done
    wait $pid || { fail "$model: status $?"; tail -n 3 "$work/said"; }
    steps=$(sed -n 's/.* in \([0-9]*\) steps.*/\1/p' "$work/said")
    events=$(sed -n 's/.* \([0-9]*\) events.*/\1/p' "$work/said")
    if [ -z "$first" ]; then
        echo "$model: $steps steps, too quick to be measured"
    else
        echo "$model: $steps steps, ${events:-0} events, from $first kB to $last kB"
        [ $((last - first)) -le 1024 ] || fail "$model grows by $((last - first)) kB"
    fi
done
finish

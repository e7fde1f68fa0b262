#!/bin/sh
# SPDX-License-Identifier: MIT
# The past is right: jumps that pass a delay arrive as jumps, however often they echo, whatever they come from (a step, a
# square wave, a hold, a condition on time or on a state, inside delay() or before it), from the first instant on, by every
# method. What is delayed is piecewise constant, so that its integral has a closed form that every method meets to rounding.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1

# model SOURCE PERIOD DEADTIME: d is the source's signal delayed, x its integral
model() {
    p=$2 T=$3
    tau="max(t - $T, 0)"
    case $1 in
    step) # at six dead times, where the sixth echo of the start is due
        blocks="<step id='S' out='u' delay='6*$T'/><transport-delay id='D' in='u' out='d' delay='$T' initial='0.5'/>"
        value="0.5*min(t, $T) + max(t - 7*$T, 0)" ;;
    square)
        blocks="<square id='S' out='u' frequency='1/(6*$p)'/><transport-delay id='D' in='u' out='d' delay='$T' initial='0'/>"
        value="min(mod($tau, 6*$p), 6*$p - mod($tau, 6*$p))" ;;
    hold)
        blocks="<ramp id='S' out='r' slope='1'/><zero-order-hold id='H' in='r' out='u' period='$p'/>
                <transport-delay id='D' in='u' out='d' delay='$T' initial='0'/>"
        value="$p*$p*floor($tau/$p)*(floor($tau/$p) - 1)/2 + floor($tau/$p)*$p*($tau - floor($tau/$p)*$p)" ;;
    held) # a hold that has its value from the first tick on, which is the start
        blocks="<constant id='S' out='r' value='1'/><zero-order-hold id='H' in='r' out='u' period='$p'/>
                <transport-delay id='D' in='u' out='d' delay='$T' initial='1'/>"
        value="t" ;;
    branch) # a branch that is decided only at the start
        blocks="<constant id='S' out='r' value='-1'/><abs id='H' in='r' out='u'/>
                <transport-delay id='D' in='u' out='d' delay='$T' initial='1'/>"
        value="t" ;;
    time) blocks="<late-time id='D' d='d' a='5*$T' T='$T'/>" value="max(t - 6*$T, 0)" ;;
    state) blocks="<ramp id='S' out='r' slope='1'/><late-state id='D' in='r' d='d' a='0.3' T='$T'/>" value="max(t - 0.3 - $T, 0)" ;;
    comb) # y = u + y(t - T)/2: a jump goes round for ever, half as high each time
        blocks="<step id='S' out='u' delay='0.11'/><comb id='D' in='u' d='d' T='$T'/>"
        value="if(t lt 0.11, 0, (t - 0.11)*(2 - 0.5^floor((t - 0.11)/$T)) - $T*(2 - (floor((t - 0.11)/$T) + 2)*0.5^floor((t - 0.11)/$T)))" ;;
    esac
    cat << X
<model name="$1" xmlns="urn:linnet:model:1">
  <block-type name="late-time"><output name="d"/><parameter name="a" unit="s" default="1 s"/><parameter name="T" unit="s" default="1 s"/>
    <equation>d = delay(if(t ge a, 1, 0), T)</equation></block-type>
  <block-type name="late-state"><input name="in"/><output name="d"/><parameter name="a" default="1"/>
    <parameter name="T" unit="s" default="1 s"/><equation>d = delay(if(in gt a, 1, 0), T)</equation></block-type>
  <block-type name="comb"><input name="in"/><output name="d"/><parameter name="T" unit="s" default="1 s"/>
    <equation>d = in + 0.5*delay(d, T)</equation></block-type>
  $blocks
  <integrator id="I" in="d" out="x"/>
  <simulation duration="1" step="0.0125" method="rk4"/>
  <record signals="d x"/>
  <reference signal="x" value="$value" tolerance="1e-10" at="0.213 0.334 0.487 0.663 0.871 0.993"/>
</model>
X
}

for pair in '0.05 0.07' '0.1 0.05' '0.03 0.1'; do
    for source in step square hold held branch time state comb; do
        # shellcheck disable=SC2086
        model $source $pair > m.xml
        for method in euler rk4 crank-nicolson bdf2 'rk45 --tolerance 1e-6' 'radau5 --tolerance 1e-6' 'tr-bdf2 --tolerance 1e-4' \
            'ida --tolerance 1e-6'; do
            # shellcheck disable=SC2086
            within 20 "$LINNET" verify m.xml --method $method > out 2> err ||
                fail "$source, period and dead time $pair, by $method: $(sed -n 2p out) $(head -n 1 err)"
        done
    done
done

# A line ended in its own impedance: no wave comes back, and nothing but rounding is delayed on the way back.
cat > line.cir << 'X'
* matched line
V1 1 0 SIN(0 1 10meg)
R1 1 2 50
T1 2 0 3 0 Z0=50 TD=5n
R2 3 0 50
.tran 0.25n 100n
.end
X
for method in radau5 bdf2 tr-bdf2 ida crank-nicolson; do
    within 20 "$LINNET" run line.cir -q --method $method -o line.csv 2> err || { fail "matched line by $method: $(head -n 1 err)"; continue; }
    awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) { if ($k == "v(2)") near = k; if ($k == "v(3)") far = k } next }
        { w = 2 * 3.14159265358979 * 1e7; d = $near - sin(w * $1) / 2
          e = $far - ($1 > 5e-9 ? sin(w * ($1 - 5e-9)) / 2 : 0); if (d * d > m) m = d * d; if (e * e > m) m = e * e }
        END { exit !(NR > 100 && NR < 2000 && m < 4e-6) }' line.csv || fail "matched line by $method"
done

# A line between resistances: nothing is stored, so no error estimate sees the steps, and kinks go round as kinks. Each
# method is to follow the waves within ten times its tolerance, whatever its steps are beside the delay.
cat > waves.cir << 'X'
* line between 10 and 1000 ohm
V1 1 0 PULSE(0 1 1n 1n 1n 20n 200n)
R1 1 2 10
T1 2 0 3 0 Z0=50 TD=3n
R2 3 0 1k
.tran 10n 100n
.print tran v(2) v(3)
.end
X
for method in 'radau5 1e-4' 'radau5 1e-6' 'tr-bdf2 7e-3' 'tr-bdf2 1e-4' 'bdf2 1e-3' 'ida 1e-3' 'crank-nicolson 1e-3' 'backward-euler 1e-3'; do
    # shellcheck disable=SC2086
    set -- $method
    within 20 "$LINNET" run waves.cir -q -m "$1" -t "$2" --points 2001 -o waves.csv 2> err ||
        { fail "line between resistances by $method: $(head -n 1 err)"; continue; }
    awk -F, -v tolerance="$2" '
        function pulse(t) { return t <= 1 ? 0 : t < 2 ? t - 1 : t <= 22 ? 1 : t < 23 ? 23 - t : 0 }
        NR > 1 { t = 1e9 * $1; near = pulse(t) * 5 / 6; far = 0; g = 1; a = -40 / 60; b = 950 / 1050
            for (n = 0; 6 * n < t; n++) {
                far += pulse(t - 3 - 6 * n) * 5 / 6 * g * (1 + b)
                near += pulse(t - 6 - 6 * n) * 5 / 6 * g * b * (1 + a)
                g *= a * b
            }
            d = $2 - near; e = $3 - far; if (d < 0) d = -d; if (e < 0) e = -e; if (d > m) m = d; if (e > m) m = e }
        END { if (!(NR > 2000 && m < 10 * tolerance)) { print m; exit 1 } }' waves.csv > off ||
        fail "line between resistances by $method is off by $(cat off)"
done

# Fast and slow stretches in one echo: diodes with charge clamp the far end, and what they make of an edge within picoseconds
# comes back between steps of a nanosecond. A polynomial through both left its samples by 0.4 V; radau5 then stopped.
cat > clamps.cir << 'X'
* line with clamps
V1 1 0 PULSE(0 5 1n 0.2n 0.2n 20n 50n)
R1 1 2 20
T1 2 0 3 0 Z0=50 TD=3n
D1 3 4 d
V2 4 0 3.3
D2 0 3 d
R2 3 0 10k
C2 3 0 2p
.model d d(is=1e-14 cjo=1p tt=1n rs=5)
.tran 0.1n 60n
.print tran v(2) v(3)
.end
X
for method in 'tr-bdf2 1e-5' 'radau5 1e-5' 'radau5 1e-6'; do
    # shellcheck disable=SC2086
    set -- $method
    within 20 "$LINNET" run clamps.cir -q -m "$1" -t "$2" --points 601 -o "$1-$2.csv" 2> err ||
        fail "line with clamps by $method: $(head -n 1 err)"
done
awk -F, 'FNR == 1 { run++; next }
    run == 1 { a[$1] = $2; b[$1] = $3; next }
    $1 in a { n++; d = $2 - a[$1]; e = $3 - b[$1]; if (d * d > m) m = d * d; if (e * e > m) m = e * e }
    END { if (!(n > 1000 && m < 5e-3 ^ 2)) { print sqrt(m); exit 1 } }' radau5-1e-6.csv radau5-1e-5.csv tr-bdf2-1e-5.csv > off ||
    fail "line with clamps: methods differ by $(cat off)"

# The same through a delay that varies, where a kink that comes back is not located after the first turn; and steps that were
# taken again up to an event in several parts, whose points are all recorded (ida was off by 0.03 at 1e-6).
cat > varying.xml << 'X'
<model name="comb of a varying delay" xmlns="urn:linnet:model:1">
  <block-type name="comb"><input name="in"/><output name="d"/><equation>d = in + 0.8*delay(d, 0.1 + 0.03*sin(5*t))</equation></block-type>
  <ramp id="S" out="u" slope="1" delay="0.11"/>
  <comb id="D" in="u" d="d"/>
  <simulation duration="1" tolerance="1e-6"/>
  <record signals="d"/>
</model>
X
for method in 'radau5 1e-4' 'radau5 1e-6' 'tr-bdf2 1e-3' 'bdf2 1e-4' 'rk45 1e-6' 'ida 1e-6'; do
    # shellcheck disable=SC2086
    set -- $method
    within 20 "$LINNET" run varying.xml -q -m "$1" -t "$2" --points 501 -o varying.csv 2> err ||
        { fail "comb of a varying delay by $method: $(head -n 1 err)"; continue; }
    awk -F, -v tolerance="$2" '
        function comb(t) { return t < 0.11 ? 0 : t - 0.11 + 0.8*comb(t - 0.1 - 0.03*sin(5*t)) }
        NR > 1 { d = $2 - comb($1); if (d < 0) d = -d; if (d > m) m = d }
        END { if (!(NR > 500 && m < 10 * tolerance)) { print m; exit 1 } }' varying.csv > off ||
        fail "comb of a varying delay by $method is off by $(cat off)"
done
# A break comes back where a way of links leads from what breaks, and nowhere else: a chain of delays behind a smooth source
# has three corners (it had one for each sum of lags, 111 at 1e-3), and a delay that varies before a fixed one has 1 event
# (it had thousands, and 81 000 steps at 1e-8).
chain() { # FIRST-DELAY
    cat << X
<model name="chain" xmlns="urn:linnet:model:1">
  <sine id="S" out="s" amplitude="1" frequency="1"/>
  <sine id="L" out="lag" amplitude="0.2" offset="0.3" frequency="0.37"/>
  $1
  <transport-delay id="D2" in="y" out="d" delay="0.11"/>
  <integrator id="I" in="d" out="x"/>
  <simulation duration="5"/>
</model>
X
}
chain '<transport-delay id="D1" in="s" out="y" delay="0.3"/>' > fixed.xml
chain '<variable-delay id="D1" in="s" lag="lag" out="y" longest="1"/>' > varying.xml
for method in 'radau5 1e-3 150' 'radau5 1e-8 1500' 'tr-bdf2 1e-4 500' 'bdf2 1e-4 800' 'ida 1e-5 900' 'rk45 1e-6 400'; do
    # shellcheck disable=SC2086
    set -- $method
    for model in fixed varying; do
        expect 0 "$LINNET" run $model.xml -m "$1" -t "$2"
        sed -n 's/.* in \([0-9]*\) steps.*, \([0-9]*\) corners.*/\1 \2/p' err > counts
        read -r steps corners < counts
        [ "${steps:-10000}" -le "$3" ] && [ "${corners:-100}" -le 3 ] ||
            fail "chain of a $model delay by $1 at $2: $steps steps, $corners corners"
    done
done
# A loop of two delays and a limiter, whose kinks come back within 1e-13 s of each other (random model 91014): an event that cut a step to
# 14 roundings of the time left samples whose roughness, which is rounding, bounded the next step by as much.
cat > limited.xml << 'X'
<model name="limited" xmlns="urn:linnet:model:1">
  <sine id="r" out="r" frequency="0.8819"/>
  <sum id="e" in="r y" signs="+-" out="e"/>
  <transport-delay id="b0" in="e" out="x0" delay="0.1652"/>
  <function id="b1" in="x0" out="x1" expression="u^3"/>
  <rate-limiter id="b2" in="x1" out="x2" rising="1.724"/>
  <transport-delay id="b3" in="x2" out="x3" delay="0.02927"/>
  <first-order id="plant" in="x3" out="y" T="0.4675"/>
  <simulation duration="2.3"/><record signals="y"/>
</model>
X
expect 0 "$LINNET" run limited.xml -m rk45 -t 1e-10 -q -o limited.csv
best=$(tail -n 1 limited.csv | cut -d, -f2)
expect 0 within 60 "$LINNET" run limited.xml -m radau5 -t 1e-9 -q -o limited.csv &&
    tail -n 1 limited.csv | awk -F, -v best="$best" '{ d = $2 - best; exit !(d < 1e-8 && d > -1e-8) }' ||
    fail "a limiter between delays by radau5 at 1e-9: $(tail -n 1 limited.csv), rk45 $best"
# A rate that passes a limit is noise right behind that instant, where samples lie nanoseconds apart: at 1e-9 a limiter of a sine met
# 1419 events in ten seconds where there are 33, and one before a backlash chattered until the run ended.
cat > steep.xml << 'X'
<model name="steep" xmlns="urn:linnet:model:1">
  <sine id="S" out="u" amplitude="2" frequency="0.5"/>
  <rate-limiter id="L" in="u" out="r" rising="3" falling="-2"/>
  <backlash id="B" in="r" out="b" width="0.4"/>
  <simulation duration="10 s"/>
</model>
X
for tolerance in 1e-4 1e-6 1e-9; do
    expect 0 "$LINNET" run steep.xml -t $tolerance -o steep.csv
    events=$(sed -n 's/.* \([0-9]*\) events$/\1/p' "$work/err")
    [ "$events" -le 60 ] || fail "a limiter of a sine and its backlash at $tolerance: $events events"
done
# A signal that rests at zero begins in noise, and its rate at an instant is of no step of picoseconds behind a long one: a
# rate limiter behind a backlash chattered to the end of the run, by which of both depended on duration and method.
cat > play.xml << 'X'
<model name="play" xmlns="urn:linnet:model:1">
  <constant id="k" value="1 0.6 0.1" out="k"/> <sine id="s" frequency="0.5" out="s"/> <product id="p" in="k s" out="u"/>
  <backlash id="B" in="u" out="y" width="0.4"/> <rate-limiter id="L" in="y" out="z" rising="3" falling="-5"/>
  <simulation duration="60"/> <record signals="y z"/>
  <reference signal="z[2]" value="0.6*sin(pi*t) - 0.2" at="0.2 0.3 0.4" tolerance="1e-6"/>
  <reference signal="z[2]" value="0.4" at="0.5 0.6 0.8" tolerance="1e-6"/>
</model>
X
for tolerance in 1e-4 1e-6; do
    for method in radau5 tr-bdf2 bdf2 ida rk45; do
        for duration in 2 60; do
            expect 0 within 30 "$LINNET" verify play.xml -m $method -t $tolerance --duration $duration
        done
    done
done
# A time that an event changes: what is seen of the past jumps, and the event is over. Which stretch of the past is seen was
# put back with the memories of the block, and decided anew, without end ("what it sets depends on itself").
cat > lag.xml << 'X'
<model name="lag that events change" xmlns="urn:linnet:model:1">
  <block-type name="two"><output name="y"/><state name="x" start="1"/><memory name="k" start="2"/>
    <equation>der(x) = -delay(x, 0.5 + 0.2*k)</equation><equation>y = x</equation>
    <when condition="x lt 0.2"><set name="k" value="1"/></when></block-type>
  <two id="b"/>
  <simulation duration="1.4" tolerance="1e-7"/> <record signals="b.y b.k"/>
  <reference signal="b.y" value="if(t lt 0.8, 1 - t, 0.2 - 1.7*(t - 0.8) + (t^2 - 0.64)/2)" tolerance="1e-5"/>
  <reference signal="b.k" value="if(t gt 0.8, 1, 2)" at="0.3 0.7 0.9 1.4"/>
</model>
X
for method in radau5 tr-bdf2 bdf2 ida rk45 'rk4 --step 1ms'; do
    # shellcheck disable=SC2086
    expect 0 within 30 "$LINNET" verify lag.xml -m $method
done
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# linnet codegen --language python: every function, loops, events and vectors equal to the simulation to the last bit; delays
# and physical networks equal to rounding; devices as C computes them, to the last bit; inputs; names that are words of Python;
# what it refuses.
. "${srcdir:-.}/tests/shell.sh"
python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))' 2> /dev/null || { echo "no Python 3.8 here"; exit 77; }
. "$srcdir/tests/codegen_kit.sh"

# equals MODEL TOLERANCE [OPTION]...
equals() {
    model=$1 tolerance=$2
    shift 2
    rm -rf gen
    expect 0 "$LINNET" codegen "$model" "$@" --language python --name gen -o gen || return 1
    python3 gen/gen.py -o code.csv 2> err || { fail "the Python of $model stopped: $(tail -n 2 err)"; return 1; }
    # shellcheck disable=SC2086
    expect 0 "$LINNET" run "$model" "$@" --events at-steps $RUN_OPTIONS -q -o run.csv || return 1
    SIDE=
    grep -q '^_SETTLES = False' gen/gen.py && SIDE=left # outputs belong to the end of a step
    same run.csv code.csv "$tolerance" > out || fail "$model in Python: $(head -n 3 out)"
}

equals "$examples/signal/pi-loop.xml" 0
equals "$examples/hybrid/bouncing-ball.xml" 0 --method rk4 --step 1ms
equals "$examples/hybrid/ripple-counter.xml" 0 --method heun --step "(10)/200"
equals "$examples/signal/algebraic-loop.xml" 0 --method euler --step 0.1

# a root that has no value by the branch of a step's begin takes that of its stage; without another branch the step fails
printf '%s\n' '<model name="root" xmlns="urn:linnet:model:1"><sine id="s" out="u" frequency="1 Hz"/>' \
    '<function id="f" in="u" out="v" expression="sqrt(abs(u))"/><integrator id="i" in="v" out="y"/>' \
    '<block-type name="vessel"><input name="in"/><output name="out"/><variable name="x" start="1"/>' \
    '<equation>der(x) = in - 3*sign(x)*sqrt(abs(x))</equation><equation>out = x</equation></block-type><vessel id="k" in="u" out="x"/>' \
    '<simulation duration="2" step="0.01" method="rk4"/><record signals="v y x"/></model>' > root.xml
equals root.xml 0
equals root.xml 0 --method heun
SIDE_OF=$RUN_OPTIONS
RUN_OPTIONS="--newton exact"
sed 's/rk4/crank-nicolson/' root.xml > implicit.xml
equals implicit.xml 1e-12
RUN_OPTIONS=$SIDE_OF
# a divisor that begins with a digit and may be zero
printf '%s\n' '<model name="quotient" xmlns="urn:linnet:model:1"><ramp id="r" out="u" slope="-1" offset="1"/>' \
    '<function id="f" in="u" out="v" expression="1/(8*u - 4)"/>' \
    '<simulation duration="1" step="0.25" method="euler"/><record signals="v"/></model>' > quotient.xml
"$LINNET" codegen quotient.xml --language python --name gen -o gen -q
python3 gen/gen.py > code.csv 2> err && fail "a quotient by zero"
grep -q 'NaN' err || fail "quotient: $(tail -n 1 err)"
sed 's/sqrt(abs(u))/sqrt(1.1 - t)/; s/sign(x)\*sqrt(abs(x))/x/' root.xml > no-root.xml
"$LINNET" codegen no-root.xml --language python --name gen -o gen -q
python3 gen/gen.py -o code.csv 2> err && fail "a root of less than nothing"
grep -q 'NaN' err || fail "no root: $(cat err)"

cat > words.xml << 'END'
<model name="lambda */ &#34;&#34;&#34; &#10;import os" xmlns="urn:linnet:model:1">
  <external-input id="in" out="lambda" value="0.3"/>
  <integrator id="class" in="lambda" out="def" y0="1"/>
  <mux id="m" in="lambda def" out="None"/>
  <gain id="g" in="None" out="g" k="2"/>
  <function id="f" in="lambda def" out="pass" expression="if(u1 gt u2 or not (u2 lt 2), exp(u1), u2^3) + floor(-u2) + round(2.5*u1) + sqrt(u2)"/>
  <function id="h" in="def" out="is" expression="sin(u) + log(u) + tanh(u) + atan2(u, 3) + tgamma(u) + erf(u) + sinc(u)"/>
  <uniform-noise id="n" out="del" period="0.05" seed="7" min="-1" max="1"/>
  <lookup id="c" in="def" out="elif" points="0 0; 1 2; 2 1"/>
  <simulation duration="1" step="0.01" method="rk4"/>
  <record signals="lambda def g pass is del elif"/>
</model>
END
"$LINNET" check words.xml > out 2>&1 || cat out
equals words.xml 1e-13
printf 'time,lambda\n0,0.3\n0.5,-1\n' > inputs.csv
python3 gen/gen.py -i inputs.csv > stepped.csv
awk -F, 'NR > 1 && $1 >= 0.5 && $2 != -1 { bad = 1 } $1 < 0.5 && NR > 1 && $2 != 0.3 { bad = 1 } END { exit bad }' stepped.csv || fail "inputs of Python"

# as a module: the API of the C code
cat > use.py << 'END'
import sys
sys.path.insert(0, "gen")
import gen
m = gen.Model()
assert m.step() == gen.OK and m.steps == 1 and abs(m.time - gen.STEP) < 1e-15
rates = gen.States()
signals, outputs = gen.Signals(), gen.Outputs()
assert m.evaluate_algebraic(0.0, m.inputs, m.states, signals, outputs) == gen.OK
m.derivatives(0.0, m.inputs, signals, m.states, rates)
assert rates.class_y == m.inputs.lambda_ == 0.3, vars(rates)
m.inputs.lambda_ = float("nan")
assert m.step() == gen.NOT_FINITE and m.steps == 1
END
python3 use.py 2> err || fail "the module: $(tail -n 1 err)"
printf '%s\n' '<model name="m" xmlns="urn:linnet:model:1"><constant id="c" out="u" value="1"/><first-order id="lag" in="u" out="y" T="1 s"/>' \
    '<simulation duration="1" step="0.1" method="euler"/><record signals="y"/></model>' > range.xml
expect 0 "$LINNET" codegen range.xml --language python --tunable --name ranged -o gen
printf '%s\n' 'import sys' 'sys.path.insert(0, "gen")' 'import ranged' 'm = ranged.Model()' 'm.parameters.lag_T = -1.0' \
    'assert m.step() == ranged.OUT_OF_RANGE and m.steps == 0' 'm.parameters.lag_T = 2.0' 'assert m.step() == ranged.OK' > range.py
python3 range.py 2> err || fail "a parameter out of its range: $(tail -n 1 err)"

# what a step costs is told as of the code in C, which does the same operations
for pair in signal/pi-loop:rk4 electrical/half-wave-rectifier:crank-nicolson; do
    expect 0 "$LINNET" codegen "$examples/${pair%:*}.xml" --method "${pair#*:}" --name gen -o counted
    grep 'a step takes' err > of_c
    expect 0 "$LINNET" codegen "$examples/${pair%:*}.xml" --method "${pair#*:}" --name gen -o counted --language python
    grep 'a step takes' err | cmp -s - of_c || fail "the cost of ${pair%:*} in Python: $(cat err)"
done
python3 counted/gen.py 2> err | head -n 1 > out
[ -s err ] && fail "a reader that has had enough: $(tail -n 1 err)"

# delays between samples, of a varying time, in a loop; what waits for a signal to turn
cat > past.xml << 'END'
<model name="past" xmlns="urn:linnet:model:1">
  <sine id="s" out="u" amplitude="1" frequency="1 Hz"/> <sine id="w" out="lag" amplitude="0.1" offset="0.25" frequency="0.4 Hz"/>
  <transport-delay id="between" in="u" out="a" delay="73.7 ms" initial="-2"/>
  <variable-delay id="moving" in="u" lag="lag" out="c" longest="0.4 s"/>
  <sum id="e" in="u d" signs="+-" out="err"/>
  <transfer-function id="plant" in="err" out="y" numerator="2" denominator="0.1 1"/>
  <transport-delay id="back" in="y" out="d" delay="50 ms"/>
  <sum id="ez" in="u dz" signs="+-" out="ez"/> <transport-delay id="near" in="z" out="dz" delay="7 ms"/>
  <transfer-function id="fast" in="ez" out="z" numerator="1" denominator="0.1 1"/>
  <sine id="w2" out="near_lag" amplitude="8 ms" offset="9 ms" frequency="0.7 Hz"/>
  <variable-delay id="through" in="u" lag="near_lag" out="dv" longest="20 ms"/>
  <backlash id="b" in="y" out="p" width="0.3"/>
  <extrema id="x" in="y" low="lo" high="hi" low_time="lt" high_time="ht"/>
  <zero-order-hold id="h" in="y" out="held" period="70 ms"/> <rate-limiter id="l" in="held" out="limited" rising="3"/>
  <simulation duration="2 s" step="10 ms" method="rk4"/>
  <record signals="a c y d z dv p lo hi lt ht limited"/>
</model>
END
for method in euler rk4; do
    equals past.xml 1e-13 --method $method
done

# physical networks: linear, nonlinear, with a controller, samples and switches, delays, corners of sources, inputs
RUN_OPTIONS="--newton exact"
for method in backward-euler crank-nicolson; do
    equals "$examples/electrical/rlc-filter.xml" 1e-12 --method $method --step 100us
    equals "$examples/hydraulic/torricelli.xml" 1e-12 --method $method
    equals "$examples/hybrid/pwm-inductor.xml" 1e-11 --method $method --step 100us
    equals "$examples/magnetic/electromagnet.xml" 1e-11 --method $method --step 0.2ms
    equals "$srcdir/tests/codegen/stribeck.xml" 1e-9 --method $method --step "6 ms" # steps that are divided
done
cat > drive.xml << 'END'
<model name="drive" xmlns="urn:linnet:model:1">
  <external-input id="set" out="r" value="1"/>
  <sum id="difference" in="r w" signs="+-" out="e"/>
  <pid id="pi" in="e" out="v" kp="5" ki="20"/>
  <signal-voltage id="supply" in="v" p="a" n="0"/> <ground id="g" p="0"/>
  <resistor id="R" p="a" n="b" R="1 Ohm"/> <inductor id="L" p="b" n="c" L="5 mH"/>
  <motor-constant id="M" p="c" n="0" shaft="s" k="0.1"/> <inertia id="J" p="s" J="1e-3 kg.m^2"/>
  <speed-sensor id="sense" p="s" out="w"/> <transport-delay id="d" in="w" out="late" delay="7.3 ms"/>
  <pulse-voltage id="P" p="q" n="0" low="0" high="1 V" delay="20 ms" rise="5 ms" width="30 ms" fall="5 ms" period="100 ms"/>
  <resistor id="RP" p="q" n="x" R="1 kOhm"/> <capacitor id="CP" p="x" n="0" C="10 uF"/>
  <simulation duration="0.2" step="1 ms" method="crank-nicolson"/>
  <record signals="w v R.i R.P late x"/>
</model>
END
for method in backward-euler crank-nicolson; do
    equals drive.xml 1e-11 --method $method
done
printf 'time,r\n0,1\n0.1,2\n' > inputs.csv
python3 gen/gen.py -i inputs.csv > stepped.csv
CODEGEN_OPTIONS= generate drive.xml --method crank-nicolson
cp -r gen in-c
in-c/main -i inputs.csv > in-c.csv
same in-c.csv stepped.csv 1e-12 > out || fail "inputs of a network in Python: $(head -n 3 out)"
RUN_OPTIONS=

# an update of Newton's method to where a square root has no value is halved, beside a diode
RUN_OPTIONS="--newton exact" equals "$srcdir/tests/codegen/drain-diode.xml" 1e-12

# the equations of devices are those of C
python3 "$srcdir/share/python/translate.py" "$srcdir/src/blocks/native" > equations.py
cmp -s equations.py "$srcdir/share/python/equations.py" ||
    fail "share/python/equations.py is not what share/python/translate.py makes of src/blocks/native: make it again"
RUN_OPTIONS="--newton exact"
equals "$examples/electrical/half-wave-rectifier.xml" 1e-12 --method backward-euler --step 50us
RUN_OPTIONS=

# every type, with all its branches; C and Python do the same operations
cat > devices.cir << 'END'
every device
VCC vcc 0 5
VIN in 0 SIN(0.7 0.6 1meg)
RB1 in b1 100
RC1 vcc c1 1k
Q1 c1 b1 e1 0 QN
RE1 e1 0 50
.model QN NPN(IS=1e-15 BF=80 BR=2 RB=200 RBM=20 IRB=1m RE=2 RC=10 RCO=50 VO=5 GAMMA=1e-9 QCO=1e-12 VAF=60 VAR=8 IKF=5m
+ IKR=1m NKF=0.6 ISE=1e-14 NE=1.8 ISC=1e-14 NC=1.6 TF=1n XTF=3 VTF=2 ITF=5m TR=10n PTF=30 CJE=2p CJC=1p XCJC=0.4 CJS=2p ISS=1e-16)
Q2 0 b2 c2 QP
RB2 c1 b2 5k
RC2 vcc c2 2k
.model QP PNP(IS=1e-15 BF=50 RE=1 RC=5 CJE=1p CJC=1p TF=0.5n)
RD vcc d1 1k
M1 d1 c1 0 0 N1 L=2u W=20u
.model N1 NMOS(LEVEL=1 VTO=0.8 KP=50u GAMMA=0.4 LAMBDA=0.02 RD=5 RS=5 CBD=20f CBS=20f CGSO=2e-10 CGDO=2e-10 CGBO=1e-10 TOX=30n)
RD2 vcc d2 2k
M2 d2 c1 s2 0 N2 L=2u W=20u AD=40p AS=40p PD=20u PS=20u
RS2 s2 0 20
.model N2 NMOS(LEVEL=2 VTO=0.8 KP=50u GAMMA=0.4 NSUB=1e16 TOX=30n UCRIT=1e4 UEXP=0.1 VMAX=5e4 XJ=0.3u NFS=1e11 DELTA=0.5
+ CJ=1e-4 CJSW=3e-10 MJ=0.4 XQC=0.4)
RD3 vcc d3 2k
M3 d3 c1 0 0 N3 L=2u W=20u AD=40p AS=40p PD=20u PS=20u
.model N3 NMOS(LEVEL=3 VTO=0.8 NSUB=1e16 TOX=30n UO=500 THETA=0.05 VMAX=1e5 ETA=0.05 KAPPA=0.4 XJ=0.3u NFS=1e11 DELTA=0.5
+ CJ=1e-4 CJSW=3e-10)
M4 d1 d2 vcc vcc P1 L=2u W=10u
.model P1 PMOS(LEVEL=1 VTO=-0.9 KP=20u GAMMA=0.5 TOX=30n)
RJ vcc j1 1k
J1 j1 in sj JN
RSJ sj 0 300
.model JN NJF(VTO=-2 BETA=1m LAMBDA=0.01 B=0.8 RD=10 RS=10 CGS=2p CGD=2p)
D1 in k1 DS
RK k1 0 500
D3 in k3 DN
RK3 k3 0 500
D2 0 z DZ
RZ vcc z 1k
.model DS D(IS=1e-14 N=1.1 RS=5 CJO=4p VJ=0.8 M=0.4 TT=5n ISR=1e-12 NR=2 IKF=1m JSW=1e-15 CJP=1p PHP=0.7 MJSW=0.3)
.model DN D(IS=1e-14 RS=20)
.model DZ D(IS=1e-14 BV=3.3 IBV=1m NBV=1.2 CJO=10p M=0.5)
.tran 10n 0.5u
.print tran v(c1) v(c2) v(d1) v(d2) v(d3) v(j1) v(k1) v(k3) v(z)
END
cat > zener.xml << 'END'
<model name="zener" xmlns="urn:linnet:model:1">
  <sine-voltage id="V" p="a" n="0" amplitude="9 V" frequency="1 kHz"/> <resistor id="R" p="a" n="b" R="100 Ohm"/>
  <zener-diode id="Z" p="0" n="b" Vz="5.1 V"/> <capacitor id="C" p="b" n="0" C="100 nF"/> <ground id="g" p="0"/>
  <simulation duration="2 ms" step="10 us"/> <record signals="b"/>
</model>
END
for way in "devices.cir backward-euler 10ns" "devices.cir crank-nicolson 10ns" "zener.xml crank-nicolson 10us"; do
    # shellcheck disable=SC2086
    set -- $way
    CODEGEN_OPTIONS=-q generate "$1" --method "$2" --step "$3"
    gen/main -o in-c.csv
    expect 0 "$LINNET" codegen "$1" -q --method "$2" --step "$3" --language python --name gen -o gen
    python3 gen/gen.py -o code.csv 2> err || fail "the Python of $1 stopped: $(tail -n 2 err)"
    same in-c.csv code.csv 0 > out || fail "$1 by $2: Python and C differ: $(head -n 3 out)"
done
[ "$(wc -l < in-c.csv)" = 202 ] || fail "zener.xml took $(wc -l < in-c.csv) rows"

# a step that is divided, with transistors
CODEGEN_OPTIONS=-q generate "$srcdir/tests/spice/start-multivibrator.cir" --method crank-nicolson --step 1us
gen/main -t 530e-6 -o in-c.csv
expect 0 "$LINNET" codegen "$srcdir/tests/spice/start-multivibrator.cir" -q --method crank-nicolson --step 1us --language python \
    --name gen -o gen
python3 gen/gen.py -t 530e-6 -o code.csv 2> err || fail "the Python of a multivibrator stopped: $(tail -n 2 err)"
same in-c.csv code.csv 0 > out || fail "a multivibrator: Python and C differ: $(head -n 3 out)"

# refused by name
expect 2 "$LINNET" codegen "$examples/signal/pi-loop.xml" -o none --language python --float
says err "no --float"
expect 2 "$LINNET" codegen "$examples/signal/pi-loop.xml" -o none --language ada
says err "c or python"
finish

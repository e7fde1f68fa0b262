#!/bin/sh
# SPDX-License-Identifier: MIT
# What people write first, and wrongly: each is answered with what is wrong and what to do, or simply works.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1

model() { # file, text of one more element or nothing, attributes of <simulation>
    cat > "$1" << EOF
<model name="charging a capacitor" xmlns="urn:linnet:model:1">
  <parameter name="load" value="1 kOhm"/>
  <ground id="gnd" p="0"/>
  <voltage-source id="V1" p="in" n="0" V="5 V"/>
  <resistor id="R1" p="in" n="out" R="load"/>
  <capacitor id="C1" p="out" n="0" C="1 uF"/>
  $2
  <simulation ${3:-duration=\"5 ms\" step=\"10 us\"}/>
</model>
EOF
}

# wrong STATUS TEXT COMMAND...: ends so and says the text
wrong() {
    wanted_status=$1 text=$2
    shift 2
    expect "$wanted_status" "$LINNET" "$@" && says err "$text"
}

model m.xml ''

# ---- the command line ----
wrong 2 "'us' stands alone; write a number and its unit as one word, 10us or '10 us'" run m.xml --step 10 us
wrong 2 "'m.xml' is a file, not a command; to run it: linnet run m.xml" m.xml
wrong 2 "there is no command 'rum'; did you mean 'run'?" help rum
wrong 2 "did you mean 'rk45'?" run m.xml --method ode45 -o r.csv
wrong 2 "did you mean 'crank-nicolson'?" run m.xml --method trap -o r.csv
wrong 2 "R1 is a block (resistor), not a parameter; name one of its parameters as R1.NAME: R" run m.xml --set R1=2k
wrong 2 "R1 is a block (resistor), not a parameter" sweep m.xml --vary R1=1k,2k
expect 0 "$LINNET" -V && says out "linnet "
expect 0 "$LINNET" help run && says out "linnet run: simulate a model"

for command in run op 'sweep --vary load=1k,2k' 'ac --input V1 --output out --from 1 --to 1k' eig; do
    # shellcheck disable=SC2086
    wrong 2 "no result has the ending '.unknown'; take .csv" ${command%% *} m.xml $(echo "$command " | cut -d ' ' -f 2-) -o r.unknown
done
# a table under the ending of a table
for command in 'op' 'eig' 'ac --input V1 --output out --from 1 --to 1k' 'linearise -u V1 -y out'; do
    # shellcheck disable=SC2086
    expect 0 "$LINNET" ${command%% *} m.xml $(echo "$command " | cut -s -d ' ' -f 2-) -q -o table.csv
    head -n 1 table.csv | grep -q '^[a-z_]*,' || fail "$command -o table.csv writes $(head -n 1 table.csv)"
    # shellcheck disable=SC2086
    expect 0 "$LINNET" ${command%% *} m.xml $(echo "$command " | cut -s -d ' ' -f 2-) -q -o table.json
    head -c 1 table.json | grep -q '[{[]' || fail "$command -o table.json writes $(head -n 1 table.json)"
done
wrong 2 "nothing is written as '.csv' here, but text or json" margins m.xml --open in -o margins.csv
wrong 2 "no result has the ending '.mat' here; take .csv, .raw" op m.xml -o r.mat
wrong 2 "no result has the ending '.raw' here; take .csv" sweep m.xml --vary load=1k,2k -o r.raw
if ls r.unknown r.mat r.raw 2> left; then fail "a result under an ending that is not its own"; fi
wrong 2 "m.xml:4: error: --input in: V1 (voltage-source) holds this link" ac m.xml --input in --output out --from 1 --to 1k
says err "take the source as the input: --input V1"
[ ! -s "$work/out" ] || fail "rows where nothing answers: $(head -n 3 "$work/out")"
expect 0 "$LINNET" ac m.xml --input in --output V1.i --from 1 --to 1k -q
model f.xml '<frequency-response input="V1" output="out" from="1" to="1k"/>'
expect 0 "$LINNET" run f.xml -q -o f.mat && [ -s f.mat ] && head -n 1 f-ac.csv | grep -q '^frequency,out.dB,' ||
    fail "a trajectory as .mat does not leave the response beside it as CSV"
sed '/<simulation/d' f.xml > g.xml
wrong 2 "no result has the ending '.mat' here; take .csv, .raw" run g.xml -o g.mat

# ---- a frequency response as a rawfile, closed form: 1/(1 + j f/f0), f0 = 1/(2 pi 1 ms) ----
expect 0 "$LINNET" ac m.xml --input V1 --output out --list 159.15494309189535Hz,1591.5494309189535Hz -q -o ac.raw
expect 0 "$LINNET" ac m.xml --input V1 --output out --list 159.15494309189535Hz,1591.5494309189535Hz -q -o text.raw --ascii
expect 0 "$LINNET" result ac.raw text.raw && says out "out.phase                 differs by 0 at most"
expect 0 "$LINNET" result ac.raw -q -o ac.csv
awk -F , 'NR == 1 { exit $0 != "frequency,out.dB,out.phase,out.re,out.im" }' ac.csv || fail "columns: $(head -n 1 ac.csv)"
awk -F , 'function near(a, b) { return (a - b)^2 < 1e-18 }
    NR == 2 { good = near($2, -10*log(2)/log(10)) && near($3, -45) && near($4, 0.5) && near($5, -0.5) }
    END { exit !(good && near($4, 1/101) && near($5, -10/101)) }' ac.csv || fail "a response: $(cat ac.csv)"
if command -v gnuplot > /dev/null; then
    expect 0 "$LINNET" plot ac.raw -o ac.svg
    grep -q 'magnitude (dB)' ac.svg && grep -q 'phase (deg)' ac.svg || fail "a rawfile's response is no Bode plot"
    expect 0 "$LINNET" plot ac.raw --nyquist -q -o nyquist.svg
fi

# ---- numbers ----
wrong 3 "'Meg' is no unit; did you mean 'M'?" check m.xml --set load=1Meg
wrong 3 "a prefix stands behind all digits: 1.5k" check m.xml --set load=1k5
wrong 3 "'uf' is no unit; did you mean 'uF'?" check m.xml --set load=1uf
wrong 3 "not in K; check the unit (K is kelvin, kilo is a small k)" check m.xml --set load=1K
wrong 3 "'cm2' is no unit; a power is written cm^2" check m.xml --set 'load=3 cm2'
wrong 3 "unknown name 's2'; the power of a unit is written s^2" check m.xml --set 'load=9.81 m/s2'
wrong 3 "'msec' is no unit; did you mean 'ms'?" check m.xml --set load=5msec

# ---- attributes ----
model s.xml '' 'time="5 ms" dt="10 us" solver="ode45"'
wrong 3 "<simulation> has no attribute 'time'; did you mean 'duration'?" check s.xml
says err "no attribute 'dt'; did you mean 'step'?" "no attribute 'solver'; did you mean 'method'?"
model z.xml '<zener-diode id="Z1" p="0" n="out" Vz="3.3 V"/>'
expect 0 "$LINNET" check z.xml && says err "z.xml:7: note: Z1 (zener-diode): 'Vz' is taken as 'BV', its name here"
expect 0 "$LINNET" run z.xml --set Z1.Vz=2V -q -o z2.csv
expect 0 "$LINNET" run z.xml --set Z1.BV=2V -q -o b2.csv
cmp -s z2.csv b2.csv || fail "a parameter set by its other name gives another result"
model c.xml '<diode id="D1" p="in" n="out" Is="1 fA"/>'
expect 0 "$LINNET" check c.xml && says err "'Is' is taken as 'IS'"
model t.xml '<zener-diode id="Z1" p="0" n="out" Vz="3.3 V" BV="3 V"/>'
wrong 3 "'Vz' is another name of 'BV', which is given too; keep one" check t.xml

# ---- blocks and links ----
# mistaken TEXT LINE: the line, as one more element of the model, is answered so
mistaken() {
    model x.xml "$2"
    wrong 3 "x.xml:7: error: " run x.xml -q -o x.csv && says err "$1"
}
mistaken "unknown element <Resistor>; did you mean <resistor>?" '<Resistor id="R2" p="out" n="0" R="1k"/>'
mistaken "R2 (resistor): parameter 'R' [Ohm] is required; add R=" '<resistor id="R2" p="out" n="0"/>'
mistaken "R2 (resistor): it has no port or parameter 'a'; it has: p, n, R" '<resistor id="R2" a="out" n="0" R="1k"/>'
mistaken "R2 (resistor): R = -1000 Ohm must be above 0 Ohm" '<resistor id="R2" p="out" n="0" R="-1k"/>'
mistaken "id 'R1' is already defined at line 5; choose another" '<resistor id="R1" p="out" n="0" R="1k"/>'
mistaken "a value in V is wanted here, not in A" '<voltage-source id="V2" p="x" n="0" V="5 A"/><resistor id="R2" p="x" n="0" R="1"/>'
mistaken "the decimal sign is the point" '<resistor id="R2" p="out" n="0" R="1,5 kOhm"/>'
mistaken "a prefix without unit stands directly on its number: 2a; products need a star: 2*a" \
    '<parameter name="a" value="2"/><resistor id="R2" p="out" n="0" R="2 a"/>'
mistaken "a power is written with ^" '<resistor id="R2" p="out" n="0" R="2**3"/>'
mistaken "not well-formed: '<' inside an attribute's value; write lt or &lt;" '<constant id="c" out="u" value="if(t<1, 1, 2)"/>'
mistaken "equations of V2, V1 fix the same difference of potential; remove one or put a resistance in series" \
    '<voltage-source id="V2" p="in" n="0" V="6 V"/>'
mistaken "link 'far': only flux sources meet there (I1)" '<current-source id="I1" p="far" n="0" I="1 A"/>'
mistaken "the electrical part with R2 and V2 floats: no path leads to a reference; add <ground" \
    '<voltage-source id="V2" p="a" n="b" V="5 V"/><resistor id="R2" p="a" n="b" R="1k"/>'
mistaken "has one source" '<step id="a" out="u"/><step id="b" out="u"/>'
mistaken "k (gain): input in reads signal 'u', which has no source; join it to an output" '<gain id="k" in="u" out="y" k="2"/>'
mistaken "is a number, not a link; add <constant" '<gain id="k" in="5" out="y" k="2"/>'
mistaken "ports of one link have one domain" '<mass id="M" p="out" m="1 kg"/>'
mistaken "there is no 'R1.I'; R1 has P, i, v" '<record signals="R1.I"/>'
mistaken "its start value v0 = 1 contradicts what it is joined to, which holds it at 5" '<capacitor id="C2" p="in" n="0" C="1 uF" v0="1 V"/>'
model d.xml '<resistor id="R2" p="outt" n="0" R="1k"/>'
expect 0 "$LINNET" check d.xml && says err "d.xml:7: warning: link 'outt' joins only R2.p; is its name misspelt?"
sed 's/<simulation.*//' m.xml > e.xml
wrong 3 'the model has no <simulation> element; add <simulation duration="..."/>' run e.xml
wrong 3 'there is nothing to verify; add <reference signal="..." value="..."/>' verify m.xml

# ---- files that are no models ----
expect 0 "$LINNET" run m.xml -q -o r.csv
wrong 3 "this is a result or a table, not a model; 'linnet plot' draws it" run r.csv
echo '(kicad_sch' > s.kicad_sch
wrong 3 "a schematic of KiCad" run s.kicad_sch

# ---- decks ----
printf '%s\n' 'a measure of nothing' 'V1 1 0 SIN(0 1 1k)' 'R1 1 0 1k' '.tran 10u 1m' \
    '.measure tran yrms RMS v() from=0 to=1m' .end > e.cir
wrong 3 "e.cir:5: error: .measure yrms: 'v' names no signal; write v(node)" run e.cir

# ---- thirty more mistakes, in a model and in a deck ----
# told STATUS TEXT LINE [SIMULATION]: in a model; deck STATUS TEXT LINE: the same in a deck
told() {
    model x.xml "$3" "${4:-}"
    wrong "$1" "x.xml:" run x.xml -o x.csv && says err "$2"
}
deck() {
    printf 'a deck\nV1 in 0 5\nR1 in out 1k\nC1 out 0 1u\n%s\n.tran 10u 5m\n.end\n' "$3" > x.cir
    wrong "$1" "x.cir:" run x.cir -o x.csv && says err "$2"
}
told 0 "is its name misspelt: a letter for the digit 0?" '<resistor id="R2" p="out" n="O" R="1k"/>'
deck 0 "is its name misspelt: a letter for the digit 0?" 'R2 out O 1k'
told 3 "a unit stands behind its number: 1 uF" '<capacitor id="C2" p="out" n="0" C="uF 1"/>'
deck 3 "'u1' is neither a number, a parameter nor a .model" 'C2 out 0 u1'
deck 0 "'10mf' is read as 0.01: its last letters are the unit of a capacitance" 'L1 x out 10mF
R9 x 0 1'
told 3 "<resistor> opened at line 7 is closed by </model>" '<resistor id="R2" p="out" n="0" R="1k">'
deck 3 "'r3' is not understood here; an element has a line of its own" 'R2 out 0 1k R3 out 0 1k'
told 3 "not in quotes; write name=" '<resistor id=R2 p="out" n="0" R="1k"/>'
deck 3 "a value is missing behind 'r='" 'R2 out 0 R='
told 3 "'milliseconds' is no unit; did you mean 'ms'?" '' 'duration="5 milliseconds" step="10 us"'
deck 3 "'5 m': a unit is joined to its number: 5m" '.tran 10u 5 m'
told 0 "the step of 1e-05 s is longer than the run of 1e-06 s" '' 'duration="1 us" step="10 us"'
told 0 "is taken as 314.159 Hz; of an angular frequency write w/(2*pi)" \
    '<sine-voltage id="V2" p="x" n="0" amplitude="1" frequency="2*pi*50 rad/s"/><resistor id="R2" p="x" n="0" R="1"/>'
told 0 "phase = 90 rad, 14.3 turns; degrees are written '90 deg'" \
    '<sine-voltage id="V2" p="x" n="0" amplitude="1" frequency="50" phase="90"/><resistor id="R2" p="x" n="0" R="1"/>'
told 3 "\"out put\" is not the name of a link" '<resistor id="R2" p="out put" n="0" R="1k"/>'
deck 3 "names have no blanks" 'R2 out put 0 1k'
told 3 "no port or parameter 'anode'; did you mean 'p'?" '<diode id="D1" anode="out" cathode="0"/>'
deck 3 "the model is missing; write its name behind the nodes, and .model NAME d" 'D1 out 0'
told 3 "unknown element <npn>; did you mean <bjt>?" '<npn id="Q1" c="in" b="out" e="0"/>'
deck 3 "if '2n2222' is its name: the deck has no .model of it (.model 2n2222 npn)" 'Q1 in out 0 2N2222'
told 3 "there is no 'vout'; did you mean 'out'?" '<record signals="vout"/>'
deck 3 "there is no node 'outt'" '.save v(outt)'
told 3 "there is no kind 'max'; did you mean 'maximum'?" '<measure name="m" kind="max" signal="out"/>'
deck 3 "'maximum' is not supported; there are" '.meas tran m maximum v(out)'
told 3 "unknown function 'ln'; did you mean 'log'?" '<resistor id="R2" p="out" n="0" R="ln(2)*1k"/>'
deck 3 "there is no function 'ln10' of 1 argument" '.param r={ln10(2)}
R2 out 0 {r}'
told 3 "unknown name 'series'" '<resistor id="R2" p="out" n="0" R="series"/>'
deck 3 "unknown parameter 'rload'; define it with .param" 'R2 out 0 {rload}'
told 3 "parameters in a circle: 'a' needs 'b' needs 'a'" '<parameter name="a" value="b"/><parameter name="b" value="a"/>'
deck 3 "parameter 'a' needs its own value" '.param a={b} b={a}
R2 out 0 {a}'
told 3 "a unit does not begin with 1/" '<parameter name="a" value="0.002 1/K"/>'
deck 0 ".temp: '300k' is 300000 degC; K is kilo there" '.temp 300K'
deck 3 "'4k7': a prefix stands behind all digits: 4.7k" 'R2 out 0 4k7'
told 3 "there is no link 'nowhere'" '<start link="nowhere" value="1 V"/>'
deck 3 "there is no node 'nowhere'" '.ic v(nowhere)=1'
told 3 "unknown name 's'" '<step id="s" out="u"/><transfer-function id="g" in="u" out="y" numerator="1" denominator="s+1"/>'
told 3 "it would differentiate its input" '<step id="s" out="u"/><transfer-function id="g" in="u" out="y" numerator="1 0 0" denominator="1 1"/>'
told 3 "only flux sources meet there (I1)" '<current-source id="I1" p="0" n="x" I="1 mA"/>'
deck 3 "only flux sources meet there (I1)" 'I1 0 x 1m'
deck 4 "nothing brings to rest L1.i" 'L1 in 0 1m'
printf 'V1 in 0 5\nR1 in 0 1k\n.tran 1u 1m\n' > title.cir
expect 0 "$LINNET" run title.cir -q -o x.csv && says err "title.cir:1: warning: the first line of a deck is its title"
sed 's/^R1.*/R1 in gnd_ 1k/; s/^V1.*/deck\nV1 in gnd_ 5/' title.cir > floats.cir
wrong 3 "no element is joined to node 0, the ground" run floats.cir
sed '/<ground/d; s/n="0"/n="low"/' m.xml > floats.xml
wrong 3 "has no reference; add <ground" run floats.xml

# ---- and thirty more: words of textbooks and of other tools, lists, units, waveforms, options ----
told 3 "no port or parameter 'num'; did you mean 'numerator'?" '<step id="u" out="u"/><transfer-function id="g" in="u" out="y" num="1" den="1 2"/>'
says err "no port or parameter 'den'; did you mean 'denominator'?"
told 3 "of a polynomial in s write the coefficients, the highest power first: 1 3 2" \
    '<step id="u" out="u"/><transfer-function id="g" in="u" out="y" numerator="1" denominator="s^2+3*s+2"/>'
told 3 "lists have no brackets; write 1 3 2, and rows as 1 2; 3 4" \
    '<step id="u" out="u"/><transfer-function id="g" in="u" out="y" numerator="[1]" denominator="[1 3 2]"/>'
told 3 "no port or parameter 'P'; did you mean 'kp'?" '<step id="e" out="e"/><pid id="c" in="e" out="u" P="2" I="1" D="0"/>'
says err "did you mean 'ki'?" "did you mean 'kd'?"
told 3 "no port or parameter 'gain'; did you mean 'k'?" '<step id="e" out="e"/><gain id="g" in="e" out="u" gain="2"/>'
told 3 "no port or parameter 'time'; did you mean 'delay'?" '<step id="a" out="a" time="1 s" value="2"/>'
says err "no port or parameter 'value'; did you mean 'height'?"
told 3 "no port or parameter 'f'; did you mean 'frequency'?" '<sine id="a" out="a" amplitude="1" f="50"/>'
told 3 "no port or parameter 'inp'; did you mean 'p'?" '<op-amp id="U1" inp="in" inn="out" out="out"/>'
says err "no port or parameter 'inn'; did you mean 'n'?"
told 3 "no port or parameter 'ic'; did you mean 'v0'?" '<capacitor id="C2" p="out" n="0" C="1 uF" ic="2 V"/>'
told 3 "no port or parameter 'ic'; did you mean 'i0'?" '<inductor id="L2" p="out" n="0" L="1 mH" ic="2 A"/>'
told 3 "no port or parameter 'value'; did you mean 'V'?" '<voltage-source id="V2" p="z" n="0" value="230V"/>'
told 3 "no port or parameter 'value'; did you mean 'R'?" '<resistor id="R2" p="out" n="0" value="1k"/>'
told 3 "no port or parameter 'plus'; did you mean 'p'?" '<voltage-source id="V2" plus="z" minus="0" V="230V"/>'
told 3 "no port or parameter 'x'; did you mean 'x0'?" '<mass id="m1" p="a" m="2 kg" x="1 m"/>'
told 3 "no port or parameter 'c'; did you mean 'd'?" '<damper id="d1" p="a" n="b" c="2 N.s/m"/>'
told 3 "it has: p, m, v0, x0; its other end is the reference of its domain" '<mass id="m1" p="a" n="b" m="2 kg"/>'
told 3 "for a physical network there are <" '<switch id="S1" p="in" n="out"/>'
says err "<ideal-switch>"
told 3 "what stands here does not change with time: take a type with that waveform" \
    '<voltage-source id="V2" p="z" n="0" V="sin(2*pi*50*t)"/>'
told 3 "a unit stands only directly behind a number, as one word: kg.m^2" '<inertia id="J" p="sh" J="1 kg*m^2"/>'
told 3 "products need a star, and a unit is one word: kg.m^2" '<inertia id="J" p="sh" J="1 kg m^2"/>'
told 3 "not in C; check the unit (degrees Celsius are degC)" '<temperature-source id="T" p="h" n="z" T="25 C"/>'
told 3 "there is no 'V(out)'; that is 'out' here" '<record signals="V(out) I(R1)"/>'
says err "there is no 'I(R1)'; that is 'R1.i' here"
told 3 "there are the links 0, in, out" '<record signals="voltage"/>'
told 3 "'1' in signs=\"+1 -1\" is neither '+' nor '-'" '<step id="a" out="a"/><step id="b" out="b"/><sum id="s" in="a,b" signs="+1 -1" out="e"/>'
told 3 "duration is -5 ms; it must be a time above 0" '' 'duration="-5 ms"'
told 3 "a plain number is wanted here, not V; remove the unit" '' 'duration="5 ms" tolerance="1e-6 V"'
wrong 2 "there is no option '--x'; did you mean -x (--against)?" plot m.xml --x V1.i
wrong 2 "did you mean the group 'electrical'?" blocks electric
expect 0 "$LINNET" blocks amplifier && says out "  op-amp" && ! grep -q '  resistor' out || fail "types by a word of their texts"
expect 0 "$LINNET" blocks 'Operational Amplifier' && says out "  op-amp"
wrong 2 "there is no block type 'hologram'" blocks hologram
expect 0 "$LINNET" blocks electrical && says out "electrical (" "  resistor" && ! grep -q translational out || fail "a group alone"
wrong 2 "there is no option '--steps'; did you mean '--step'?" run m.xml --steps 100
wrong 2 "nothing is varied; give --vary NAME=VALUES" sweep m.xml
wrong 2 "the frequencies must rise from --from (above 0) to --to" ac m.xml --input V1 --output out --from 1000 --to 1
deck 3 "'nmos' is taken for the last of 4 nodes" 'M1 out in 0 nmos W=1u'
deck 0 ".wave: no sound is written; -o FILE writes the signals as numbers" '.wave x.wav 16 44100 v(out)'
deck 3 "there is no node 'nix'" '.ic v(nix)=3'

told 3 "<resistor> has no id; name it: <resistor id=\"R2\">" '<resistor name="R2" p="out" n="0" R="1k"/>'
told 0 "C2 (capacitor): both of its ports join link 'out', so that it does nothing there" '<capacitor id="C2" p="out" n="out" C="1 uF"/>'
told 3 "values stand in attributes, such as signals=" '<record>out</record>'
told 3 "values stand in attributes, such as value=" '<parameter name="more">5</parameter>'
told 3 "unknown element <plot>; did you mean <record>?" '<plot signals="out"/>'
told 3 "unknown element <wire>; did you mean <link>?" '<wire from="R1.n" to="C1.p"/>'
told 3 "unknown element <solver>; did you mean <simulation>?" '<solver id="s" method="rk4"/>'
wrong 2 "there is no option '--end'; did you mean '--duration'?" run m.xml --end 5ms
wrong 2 "there is no option '--dt'; did you mean '--step'?" run m.xml --dt 1us
wrong 4 "case 1: m.xml:5: error: R1 (resistor): R: in" sweep m.xml --vary R1.R=1k..10k -o sweep.csv
says err "'k' is no unit; a prefix without unit stands directly on its number"

# ---- a block that bears the name of its signal ----
cat > u.xml << 'EOF'
<model name="loop" xmlns="urn:linnet:model:1">
  <step id="u" out="u"/>
  <sum id="e" in="u y" signs="+-" out="e"/>
  <transfer-function id="y" in="e" out="y" numerator="1" denominator="1 2 1"/>
  <simulation duration="5" step="0.01"/>
  <record signals="y y.out u"/>
  <reference signal="y" value="0.5*(1 - exp(-t)*(cos(t) + sin(t)))" tolerance="1e-8"/>
</model>
EOF
expect 0 "$LINNET" verify u.xml
sed 's/<step id="u"/<step id="e"/; s/<sum id="e"/<sum id="s"/' u.xml > v.xml
wrong 3 "id 'e' is the name of a link too" check v.xml
finish

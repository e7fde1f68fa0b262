#!/bin/sh
# SPDX-License-Identifier: MIT
# Diagrams of Vibesim (YAML) and obliq-2 (JSON), read, converted and run: every block, against closed forms and against the
# numbers that the manuals and tests of both systems state.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1

# ends FILE TOLERANCE NAME VALUE ...: the file runs as it is, and converted, and both end so.
ends() {
    file=$1 tolerance=$2
    shift 2
    expect 0 "$LINNET" convert "$file" -q -o converted.xml || return
    expect 0 "$LINNET" run converted.xml -q -o converted.csv || return
    expect 0 "$LINNET" run "$file" -q -o run.csv || return
    cmp -s run.csv converted.csv || fail "$file: converted, the run is another"
    while [ $# -gt 1 ]; do
        at end "$1" "$2"
        shift 2
    done
}

at() { # TIME NAME VALUE: of run.csv
    awk -F, -v t="$1" -v n="$2" -v v="$3" -v e="$tolerance" '
        NR == 1 { # an element of a matrix is quoted: "A[1,2]" becomes A[1;2]
            while (match($0, /"[^"]*"/)) {
                word = substr($0, RSTART + 1, RLENGTH - 2)
                gsub(",", ";", word)
                $0 = substr($0, 1, RSTART - 1) word substr($0, RSTART + RLENGTH)
            }
            for (k = 1; k <= NF; k++) if ($k == n) c = k
            next
        }
        c && (t == "end" || ($1 - t < 1e-9 && t - $1 < 1e-9)) { x = $c; seen = 1 }
        END { d = x - v; if (d < 0) d = -d; s = v < 0 ? -v : v; exit !(seen && d <= e*(s > 1 ? s : 1)) }' run.csv ||
        fail "$file: $2 at $1 is not $3: $(tail -n 1 run.csv)"
}

# ---- Vibesim ----

# vibesim NAME: blocks "id type [param: value ...]" and wires "from[:port] to[:port]" as a file of Vibesim's.
vibesim() {
    awk -v q="'" '
        BEGIN { print "version: 1\nname: \"a test\"\nblocks:" }
        /^wires/ { print "connections:"; wires = 1; next }
        /^end/ { wires = 2; next }
        wires == 2 { print; next }
        wires { split($1, a, ":"); split($2, b, ":")
            printf "  -\n    from: %s\n    to: %s\n    fromIndex: %d\n    toIndex: %d\n", a[1], b[1], a[2], b[2]; next }
        { printf "  -\n    id: %s\n    type: %s\n    x: 10\n    y: 20\n    rotation: 0\n    params:\n", $1, $2
          if (NF == 2) print "      {}"
          for (k = 3; k <= NF; k += 2) printf "      %s %s\n", $k, $(k + 1) }' > "$1"
}

# Anti-windup: a published loop with limits, its reference made elsewhere.
vibesim windup.yaml <<'END'
r step stepTime: 2
e sum signs: [1,1,-1]
k gain gain: 1
i2 gain gain: 2
u sum signs: [1,1,1]
sat saturation min: -1 max: 1
plant tf num: [1] den: [1,3,1]
excess sum signs: [1,1,-1]
kb gain gain: 1
into sum signs: [1,1,1]
int integrator
view scope width: 220 tMin: ""
wires
r e
plant e:2
e k
e into:1
kb into:2
into int
int i2
k u
i2 u:2
u sat
sat plant
sat excess:1
u excess:2
excess kb
plant view
u view:2
end
variables: ""
runtime: 10
END
ends windup.yaml 1e-5 plant 0.94487 u 1.05513
for pair in 2.5=0.07887 3=0.21335 4=0.45550 6=0.74594 8=0.88165; do at ${pair%=*} plant ${pair#*=}; done
at 2.5 u 1.55325
at 4 u 1.52618

# Labels, variables in LaTeX, a controller whose derivative Vibesim means exactly.
vibesim pendulum.yaml <<'END'
b1 step stepTime: 1
b2 labelSink name: u
b3 labelSource name: u
b4 sum signs: [1,1,-1]
b5 pid kp: 20 ki: 1 kd: "\\kappa"
b6 tf num: [1] den: ["I",0,"-mg"]
b7 labelSink name: "\\theta"
b8 labelSource name: "\\theta"
wires
b1 b2
b3 b4
b8 b4:2
b4 b5
b5 b6
b6 b7
end
variables: "m=1 # kg\ng=9.81\nI=m\nmg=m*g\n\\kappa=2"
sampleTime: 0.01
runtime: 10
END
ends pendulum.yaml 3e-4 theta 1.405919
for pair in 1.1=0.271229 1.5=1.912958 2=2.672858 3=1.525095 6=1.619633; do at ${pair%=*} theta ${pair#*=}; done
grep -q '<parameter name="kappa" value="2"/>' converted.xml || fail "a variable in LaTeX: $(cat converted.xml)"

# Every other block once, at the end of a second of run.
vibesim blocks.yaml <<'END'
c constant value: 2
r ramp slope: 3 start: 0.5
imp impulse time: 0.25 amp: 4
area integrator
s sine amp: 2 freq: 0.25 phase: 0
ch chirp f1: 5 t1: 10
n noise amp: 0.5
low lpf cutoff: 1
high hpf cutoff: 1
d derivative
lag delay delay: 0.4
ss stateSpace A: -1 B: 1 C: 2 D: 1
prod mult
a abs
lo min
hi max
f userFunc expr: "2*u+sqrt(cos(u-2))+clamp(u,0,1)+sinc(u/4)"
z zoh ts: 0.3
dt dtf num: [1] den: [1,-0.5] ts: 0.25
dd ddelay steps: 2 ts: 0.25
ds dstateSpace A: 0.5 B: 1 C: 1 D: 0 ts: 0.25
rate rate rise: 0.5 fall: 1
back backlash width: 1
ge switch condition: ge threshold: 2
gt switch condition: gt threshold: 2
ne switch condition: ne threshold: 2
weighted sum signs: [2,1,-0.5]
lim integrator initial: 0 min: -inf max: 1.5
windup pid kp: 1 ki: 1 kd: 0 max: 0.5
hold foh ts: 0.25
limited saturation
free labelSource name: outside
note comment commentText: "anything: at all"
out fileSink path: out.csv
wires
imp area
c low
c high
r d
r lag
c ss
c prod
s prod:2
s a
c lo
s lo:1
c hi
s hi:1
c f
r z
c dt
r dd
c ds
c rate
r back
c ge:1
c ge
c gt:1
c gt
c gt:2
c ne:1
c ne
c weighted
s weighted:2
c lim
c windup
r hold
c limited
free out
end
runtime: 1
END
ends blocks.yaml 2e-6 outside 0
grep -q "external input, 0 in a run" err || fail "an open label is not told: $(cat err)"
sed -i 's/^    type: fileSink/    type: comment/' blocks.yaml # without a sink everything is recorded
exp() { awk -v x="$1" 'BEGIN { printf "%.12g", exp(x) }'; }
ends blocks.yaml 1e-5 r 1.5 area 4 s 2 low "$(awk 'BEGIN { print 2*(1 - exp(-8*atan2(1, 1))) }')" \
    high "$(awk 'BEGIN { print 2*exp(-8*atan2(1, 1)) }')" lag 0.3 ss "$(awk 'BEGIN { print 4*(1 - exp(-1)) + 2 }')" prod 4 a 2 \
    lo 2 hi 2 f "$(awk 'BEGIN { p = atan2(0, -1); print 4 + 1 + 1 + sin(p/2)/(p/2) }')" z 1.2 dt 3.875 dd 0 ds 3.75 back 1 \
    ge 2 gt 2 ne 0 weighted 3 lim 1.5 windup 2.5 hold 0.75 limited 1 rate 0.5 d 3 \
    ch "$(awk 'BEGIN { print sin(2*atan2(0, -1)*(1 + 0.2)) }')"
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "n") c = k; next } { if ($c < -0.5 || $c > 0.5) bad = 1; sum[$c] = 1 }
    END { for (k in sum) different++; exit bad || different < 50 }' run.csv || fail "noise"

# Algebraic loops x = 1 + g x, which Vibesim cannot solve beyond |g| = 0.47.
for pair in 0.9=10 -1=0.5 -5=0.16666666666666667; do
    vibesim loop.yaml <<END
one constant value: 1
x sum signs: [1,1,1]
g gain gain: ${pair%=*}
v scope
wires
one x
g x:1
x g
x v
end
runtime: 0.1
END
    ends loop.yaml 1e-12 x ${pair#*=}
done
vibesim loop.yaml <<'END'
one constant value: 1
x sum signs: [1,1,1]
wires
one x
x x:1
end
END
expect 4 "$LINNET" run loop.yaml -q -o run.csv && says err "loop.yaml" "nothing determines signal x"

# A leading zero of a transfer function; no gain given is 1.
vibesim zero.yaml <<'END'
one constant
t tf num: [1] den: [0,1]
g gain
v scope
wires
one t
t g
t v
g v:1
end
runtime: 0.4
END
ends zero.yaml 1e-9 t 1 g 1

# Subsystems: ports by their labels, a variable within, a label within that bears the name of the port outside (which keeps
# its value), two outputs.
cat > sub.yaml <<'END'
version: 1
name: nested
blocks:
  - {id: c, type: constant, params: {value: 3}}
  - id: s
    type: subsystem
    params:
      name: "my part"
      externalInputs: [{id: i, name: In+1}]
      externalOutputs: [{id: o2, name: twice}, {id: o3, name: "k times"}]
      subsystem:
        name: inner
        blocks:
          - {id: i, type: labelSource, params: {name: In+1, isExternalPort: true}}
          - {id: again, type: labelSource, params: {name: In+1}}
          - {id: other, type: constant, params: {value: 100}}
          - {id: sink, type: labelSink, params: {name: local}}
          - {id: g2, type: gain, params: {gain: 2}}
          - {id: g3, type: gain, params: {gain: "k"}}
          - {id: o2, type: labelSink, params: {name: twice, isExternalPort: true}}
          - {id: o3, type: labelSink, params: {name: "k times", isExternalPort: true}}
          - {id: look, type: scope, params: {}}
        connections:
          - {from: i, to: g2, fromIndex: 0, toIndex: 0}
          - {from: again, to: g3, fromIndex: 0, toIndex: 0}
          - {from: g2, to: o2, fromIndex: 0, toIndex: 0}
          - {from: g3, to: o3, fromIndex: 0, toIndex: 0}
          - {from: other, to: sink, fromIndex: 0, toIndex: 0}
          - {from: other, to: look, fromIndex: 0, toIndex: 0}
  - {id: v, type: scope, params: {}}
connections:
  - {from: c, to: s, fromIndex: 0, toIndex: 0}
  - {from: s, to: v, fromIndex: 0, toIndex: 0}
  - {from: s, to: v, fromIndex: 1, toIndex: 1}
variables: |
  k = 7
runtime: 0.1
END
ends sub.yaml 1e-12 s_twice 6 s_k_times 21 s.local 100
# a port's name stands in equations, where '-' is a minus
sed 's/In+1/In-1/; s/twice/twice-2/' sub.yaml > minus.yaml
ends minus.yaml 1e-12 s_twice_2 6 s_k_times 21

# What cannot be read is told with its line.
refused() { # FILE TEXT...
    file=$1
    shift
    expect 3 "$LINNET" convert "$file" -q -o nothing.xml && says err "$@"
    [ ! -e nothing.xml ] || fail "a model of a file that is refused"
}
vibesim bad.yaml <<'END'
a constant
q quantumGate
b gain gain: 2
wires
a b
q b
a nobody
end
END
refused bad.yaml "bad.yaml:35: error: two wires come into input 0 of 'b'" "bad.yaml:40: error: a wire joins the block 'nobody'"
vibesim bad.yaml <<'END'
a constant
q quantumGate
END
refused bad.yaml "bad.yaml:13: error: q: the block type 'quantumGate' of Vibesim has no counterpart here"
printf 'blocks:\n  - {id: a, type: constant}\n  - {id: a, type: gain}\n' > bad.yaml
refused bad.yaml "bad.yaml:3: error: the block 'a' is there twice"
printf 'blocks: [\n  1,\n' > bad.yaml && refused bad.yaml "neither YAML nor JSON"
printf 'blocks: &x []\nmore: *x\n' > bad.yaml && refused bad.yaml "bad.yaml:2: error: an alias"
printf 'nothing: 1\n' > bad.yaml && refused bad.yaml "Vibesim's have 'blocks', obliq-2's have 'sheets'"
: > bad.yaml && refused bad.yaml "an empty file"
awk 'BEGIN { printf "blocks: "; for (k = 0; k < 100000; k++) printf "["; print "" }' > bad.yaml && refused bad.yaml "a depth above 64"
vibesim bad.yaml <<'END'
a constant value: nobody
END
expect 3 "$LINNET" run bad.yaml -q -o run.csv && says err "bad.yaml:5: error: a (constant): value" "nobody"

# ---- obliq-2 ----

# obliq NAME BLOCKS WIRES [METADATA]: a sheet; a wire is "from.port>to.port".
obliq() {
    wires=$(printf '%s\n' $3 | awk 'NF { split($0, e, ">"); split(e[1], a, "."); split(e[2], b, ".")
        printf "%s{\"id\":\"w%d\",\"sourceBlockId\":\"%s\",\"targetBlockId\":\"%s\",\"sourcePortIndex\":%d,\"targetPortIndex\":%d}",
            n++ ? ",\n" : "", NR, a[1], b[1], a[2], b[2] }')
    printf '{"version":"2.0","metadata":{"created":"x"%s},\n"sheets":[{"id":"main","name":"Main","extents":{"width":1},
"blocks":[%s],\n"connections":[%s]}],\n"globalSettings":{"simulationTimeStep":0.01,"simulationDuration":%s}}\n' \
        "${4:+,$4}" "$2" "$wires" "${5:-1}" > "$1"
}
block() { printf '{"id":"%s","type":"%s","name":"%s","position":{"x":1,"y":2},"parameters":{%s}},\n' "$1" "$2" "$1" "$3"; }
last() { printf '{"id":"%s","type":"output_port","name":"%s","parameters":{"portName":"%s"}}' "$1" "$1" "$1"; }
source() { block "$1" source "\"signalType\":\"constant\",\"value\":$2${3:+,\"dataType\":\"$3\"}"; }

obliq arithmetic.json "$(source a 10)$(source b 3)$(source c 2)$(source v '[1,2,3]' 'double[3]')$(source w '[4,5,6]' 'double[3]')$(
    source one 1 'double[3]')$(source yes true bool)$(block d sum '"signs":"+--"')$(block e sum '"signs":"++"')$(
    block m multiply '"inputCount":3')$(block g scale '"gain":-5')$(block g2 scale '"factor":0.25')$(block n uminus '')$(
    block x abs '')$(block y cross '')$(block dot dot '')$(block mag mag '')$(last unused)" \
    'a>d.0 b>d.1 c>d.2 v>e.0 w>e.1 a>m.0 b>m.1 c>m.2 b>g.0 a>g2.0 v>n.0 g>x.0 v>y.0 w>y.1 v>dot.0 w>dot.1 w>mag.0 x>unused.0'
sed -i 's/output_port/scale/' arithmetic.json # all is recorded
ends arithmetic.json 1e-12 d 5 'e[1]' 5 'e[3]' 9 m 60 g -15 g2 2.5 'n[2]' -2 x 15 'y[1]' -3 'y[2]' 6 'y[3]' -3 dot 32 \
    mag 8.774964387392123 'one[3]' 1 yes 1

# Expressions in C, with the values that obliq-2's own tests state.
rank=0
blocks=$(source a 5)$(source b 3)$(source z -5)
wires=""
values=""
while IFS='|' read -r expression value; do
    rank=$((rank + 1))
    blocks=$blocks$(block "f$rank" evaluate "\"numInputs\":3,\"expression\":\"$(printf '%s' "$expression" | tr '!' '|' | tr '@' '!')\"")
    wires="$wires a>f$rank.0 b>f$rank.1 z>f$rank.2"
    values="$values f$rank $value"
done <<'END'
in(0)+in(1)*2|11
in(2) < 0 ? -in(2) : in(2)|5
5>4&&3<4|1
5&3|1
4!3|7
8>>2|2
1<<4|16
(10-5)*(3+1)|20
sqrt(9)|3
ceil(4.3)+floor(4.7)*10|45
round(4.5)+trunc(4.7)*10|45
sqrt(pow(3,2)+pow(4,2))|5
~5|-6
@5|0
@0+@@7|2
in(0)%in(1)|2
fabs(in(2))+signbit(in(2))|6
fmax(in(0),in(1))-fmin(in(0),in(1))|2
(in(0)==5)+(in(1)@=3)*10 + (in(0)>=5)|2
-2 - -3|1
END
obliq c.json "$blocks$(last q)" "$wires f1>q.0"
sed -i 's/output_port/scale/' c.json
# shellcheck disable=SC2086
ends c.json 1e-12 $values
for wrong in 'in(3)|does not have: in' 'gamma(1)|not known: .gamma' '1++|lacks an operand' 'in(0)++2|' '2*|lacks an operand' '(1|lacks a .).' \
    '1/0|divides by zero' 'in(0)&1|the bits of signals' 'in(0) 3|goes on where' '++in(0)|changes a value' 'pow(1)|too few'; do
    obliq wrong.json "$(source a 5)$(block f evaluate "\"numInputs\":1,\"expression\":\"${wrong%%|*}\"")$(last q)" 'a>f.0 f>q.0'
    [ "${wrong#*|}" = "" ] && continue # 2 and its sign
    expect 3 "$LINNET" convert wrong.json -q -o nothing.xml || continue
    grep -q "wrong.json:3: error: f (evaluate): the expression .*${wrong#*|}" err || fail "'${wrong%%|*}' is told so: $(cat err)"
done
obliq deep.json "$(block f evaluate "\"expression\":\"$(awk 'BEGIN { for (k = 0; k < 100000; k++) printf "(" }')1\"")$(last q)" 'f>q.0'
refused deep.json "nested too deeply"

# Dynamics, sources, tables, decisions.
obliq blocks.json "$(source a 1)$(block st source '"signalType":"step","stepTime":0.5,"stepValue":2')$(
    block ra source '"signalType":"ramp","slope":2,"startTime":0.25')$(
    block si source '"signalType":"sine","amplitude":2,"frequency":0.25,"phase":0,"offset":1')$(
    block sq source '"signalType":"square","amplitude":2,"frequency":0.7')$(
    block tr source '"signalType":"triangle","amplitude":3,"frequency":0.25')$(
    block ch source '"signalType":"chirp","f0":0.1,"f1":0.3,"duration":2,"amplitude":1')$(
    block no source '"signalType":"noise","amplitude":1,"mean":5')$(
    block wide source '"signalType":"step","stepTime":0,"stepValue":4,"dataType":"double[2]"')$(
    block tf transfer_function '"numerator":[1],"denominator":[1,3,2]')$(
    block l1 lookup_1d '"inputValues":[0,1,2],"outputValues":[0,2,8],"extrapolation":"extrapolate"')$(
    block l2 lookup_2d '"input1Values":[0,1],"input2Values":[0,2],"outputTable":[[0,1],[2,3]]')$(
    block cond condition '"condition":">= 1.5"')$(block same condition '"condition":"== 1"')$(block if if '')$(
    block tg trig '"function":"sincos"')$(block at trig '"function":"atan2"')$(block mu mux '"rows":2,"cols":2')$(
    block mm matrix_multiply '')$(block de demux '"outputCount":2')$(block tp transpose '')$(last q)" \
    'a>tf.0 st>l1.0 a>l2.0 a>l2.1 st>cond.0 a>same.0 a>if.0 cond>if.1 st>if.2 a>tg.0 a>at.0 st>at.1 a>mu.0 st>mu.1 ra>mu.2 a>mu.3
     mu>mm.0 wide>mm.1 wide>de.0 de.1>q.0 mu>tp.0 no>if.3' '"testInputs":{}'
sed -i 's/output_port/scale/' blocks.json
ends blocks.json 1e-5 st 2 ra 1.5 si 3 sq -2 tr 0 ch "$(awk 'BEGIN { print sin(2*atan2(0, -1)*0.2) }')" 'wide[2]' 4 \
    tf "$(awk 'BEGIN { print 0.5 - exp(-1) + exp(-2)/2 }')" l1 8 l2 2.5 cond 1 same 1 if 2 tg_1 "$(awk 'BEGIN { print sin(1) }')" \
    tg_2 "$(awk 'BEGIN { print cos(1) }')" at "$(awk 'BEGIN { print atan2(1, 2) }')" 'mm[1]' 12 'mm[2]' 10 de_2 4 'tp[1;2]' 1.5

# Integrators of a number and of a vector; an input of the model by its test value; a description beyond the first plane.
obliq itest.json "$(source v '[0,1,2]' 'double[3]')$(block i transfer_function '"numerator":[1],"denominator":[1,0]')$(
    block in input_port '"portName":"Input1","dataType":"double","defaultValue":1')$(block s scale '"gain":2.5')$(
    block o1 output_port '"portName":"out1"')$(last out2)" \
    'v>i.0 i>o1.0 in>s.0 s>out2.0' '"description":"smile \ud83d\ude00 \"q\"","testInputs":{"Input1":12.0}' 10
ends itest.json 1e-6 'out1[2]' 10 'out1[3]' 20 out2 30
grep -q 'name="smile 😀 &quot;q&quot;"' converted.xml || fail "a description: $(head -n 2 converted.xml)"

# Sheets, labels, a subsystem that is switched on at 0.5 s and holds what it has as it is off.
cat > sheets.json <<'END'
{"version": "1.0", "metadata": {},
 "sheets": [
  {"id": "main", "blocks": [
    {"id": "one", "type": "source", "name": "one", "parameters": {"value": 1}},
    {"id": "on", "type": "source", "name": "on", "parameters": {"signalType": "square", "frequency": 0.5, "amplitude": -1}},
    {"id": "sub", "type": "subsystem", "name": "A part", "parameters": {
      "inputPorts": ["u"], "outputPorts": ["y", "same"], "showEnableInput": true,
      "sheets": [
        {"id": "s1", "blocks": [
          {"id": "p", "type": "input_port", "name": "p", "parameters": {"portName": "u"}},
          {"id": "i", "type": "transfer_function", "name": "i", "parameters": {"numerator": [1], "denominator": [1, 0]}},
          {"id": "k", "type": "sheet_label_sink", "name": "k", "parameters": {"signalName": "y"}}],
         "connections": [
          {"sourceBlockId": "p", "sourcePortIndex": 0, "targetBlockId": "i", "targetPortIndex": 0},
          {"sourceBlockId": "i", "sourcePortIndex": 0, "targetBlockId": "k", "targetPortIndex": 0}]},
        {"id": "s2", "blocks": [
          {"id": "l", "type": "sheet_label_source", "name": "l", "parameters": {"signalName": "y"}},
          {"id": "o", "type": "output_port", "name": "o", "parameters": {"portName": "y"}},
          {"id": "o2", "type": "output_port", "name": "o2", "parameters": {"portName": "same"}}],
         "connections": [
          {"sourceBlockId": "l", "sourcePortIndex": 0, "targetBlockId": "o", "targetPortIndex": 0},
          {"sourceBlockId": "l", "sourcePortIndex": 0, "targetBlockId": "o2", "targetPortIndex": 0}]}]}},
    {"id": "log", "type": "signal_logger", "name": "log", "parameters": {}}],
   "connections": [
    {"sourceBlockId": "one", "sourcePortIndex": 0, "targetBlockId": "sub", "targetPortIndex": 0},
    {"sourceBlockId": "on", "sourcePortIndex": 0, "targetBlockId": "sub", "targetPortIndex": -1},
    {"sourceBlockId": "sub", "sourcePortIndex": 0, "targetBlockId": "log", "targetPortIndex": 0},
    {"sourceBlockId": "sub", "sourcePortIndex": 1, "targetBlockId": "log", "targetPortIndex": 1}]}],
 "globalSettings": {"simulationTimeStep": 0.01, "simulationDuration": 3.5}}
END
ends sheets.json 1e-9 A_part_y 1.5 A_part_same 1.5
at 1 A_part_y 0
at 3 A_part_y 1
at 1.5 A_part_y 0.5
obliq bad.json "$(source a 5)$(block s sheet_label_source '"signalName":"nowhere"')$(last q)" 's>q.0'
refused bad.json "bad.json:3: error: no sheet label sink gives the label 'nowhere'"
obliq bad.json "$(source a 5)$(block t lookup_1d '"inputValues":[0,1],"outputValues":[0]')$(block h hologram '')$(last q)" 'a>t.0'
refused bad.json "inputValues has 2 and outputValues 1 values" "bad.json:3: error: h: the block type 'hologram' of obliq-2"

# Every command takes them.
expect 0 "$LINNET" check windup.yaml && expect 0 "$LINNET" loops windup.yaml && expect 0 "$LINNET" check itest.json
expect 2 "$LINNET" convert "$srcdir/models/examples/signal/pi-loop.xml"
finish

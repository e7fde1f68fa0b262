#!/bin/sh
# SPDX-License-Identifier: MIT
# Numbers of every type that FMI 2 and 3 know go in and come out of an FMU, as parameters, inputs and outputs, scalars and arrays;
# messages of an FMU 3, an FMU that allows one instance, and the signs that FMI 2 gives for an early end.
. "${srcdir:-.}/tests/shell.sh"
. "$srcdir/tests/codegen_kit.sh"
cd "$work" || exit 1
have_compiler || { echo "no C compiler here"; exit 77; }
command -v python3 > out || { echo "no Python to make archives"; exit 77; }
# out = in + parameter for each type; a negative step size fails, with a message
cat > three.c << 'C'
#include <fmi3.h>
#include <stdlib.h>
#include <string.h>
enum { COUNT = 64 };
typedef struct it { double v[COUNT][2]; void *environment; fmi3LogMessageCallback say; int steps; } it;
fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
        fmi3Boolean events, fmi3Boolean early, const fmi3ValueReference needed[], size_t n, fmi3InstanceEnvironment environment,
        fmi3LogMessageCallback say, fmi3IntermediateUpdateCallback update) {
    it *made = calloc(1, sizeof *made);
    made->environment = environment, made->say = say;
    say(environment, fmi3OK, "c", "all is well");
    return made;
}
void fmi3FreeInstance(fmi3Instance i) { free(i); }
fmi3Status fmi3EnterInitializationMode(fmi3Instance i, fmi3Boolean a, fmi3Float64 b, fmi3Float64 c, fmi3Boolean d, fmi3Float64 e) { return fmi3OK; }
fmi3Status fmi3ExitInitializationMode(fmi3Instance i) { return fmi3Warning; }
fmi3Status fmi3Terminate(fmi3Instance i) { return fmi3OK; }
fmi3Status fmi3DoStep(fmi3Instance i, fmi3Float64 t, fmi3Float64 h, fmi3Boolean final, fmi3Boolean *event, fmi3Boolean *terminate,
                      fmi3Boolean *early, fmi3Float64 *last) {
    it *x = i;
    if (++x->steps == 3 && x->v[0][0] == 13) {
        x->say(x->environment, fmi3Error, "c", "thirteen brings no luck");
        return fmi3Error;
    }
    *terminate = x->steps == 4 && x->v[0][0] == 14;
    return fmi3OK;
}
/* references: inputs 0.., parameters 20.., outputs 40.. */
#define TYPE(T) \
    fmi3Status fmi3Set##T(fmi3Instance i, const fmi3ValueReference r[], size_t n, const fmi3##T v[], size_t m) { \
        for (size_t k = 0; k < m; k++) ((it *)i)->v[r[0]][k] = (double)v[k]; \
        return m <= 2 && r[0] < 40 ? fmi3OK : fmi3Error; \
    } \
    fmi3Status fmi3Get##T(fmi3Instance i, const fmi3ValueReference r[], size_t n, fmi3##T v[], size_t m) { \
        for (size_t k = 0; k < m; k++) v[k] = (fmi3##T)(((it *)i)->v[r[0] - 40][k] + ((it *)i)->v[r[0] - 20][k]); \
        return m <= 2 && r[0] >= 40 ? fmi3OK : fmi3Error; \
    }
TYPE(Float64) TYPE(Float32) TYPE(Int8) TYPE(UInt8) TYPE(Int16) TYPE(UInt16) TYPE(Int32) TYPE(UInt32) TYPE(Int64) TYPE(UInt64) TYPE(Boolean)
C
cat > two.c << 'C'
#include <fmi2.h>
static int n[3], b[3], discards;
static double r[3];
fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String token, fmi2String resources, const fmi2CallbackFunctions *call,
                              fmi2Boolean visible, fmi2Boolean logging) {
    call->logger(call->componentEnvironment, name, fmi2OK, "c", "all is well");
    return call;
}
void fmi2FreeInstance(fmi2Component i) {}
fmi2Status fmi2SetupExperiment(fmi2Component i, fmi2Boolean a, fmi2Real c, fmi2Real d, fmi2Boolean e, fmi2Real f) { return r[1] == 13 ? fmi2Error : fmi2OK; }
fmi2Status fmi2EnterInitializationMode(fmi2Component i) { return r[1] == 14 ? fmi2Error : fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component i) { return r[0] == 15 ? fmi2Error : fmi2OK; }
fmi2Status fmi2Terminate(fmi2Component i) { return fmi2OK; }
#define TYPE(T, of) \
    fmi2Status fmi2Set##T(fmi2Component i, const fmi2ValueReference q[], size_t m, const fmi2##T v[]) { of[q[0]] = v[0]; return v[0] == 99 ? fmi2Error : fmi2OK; } \
    fmi2Status fmi2Get##T(fmi2Component i, const fmi2ValueReference q[], size_t m, fmi2##T v[]) { v[0] = of[0] + of[1]; return v[0] == 77 ? fmi2Error : fmi2OK; }
TYPE(Real, r) TYPE(Integer, n) TYPE(Boolean, b)
fmi2Status fmi2DoStep(fmi2Component i, fmi2Real t, fmi2Real h, fmi2Boolean final) { return r[0] == 16 || r[0] == 17 || r[0] == 18 ? fmi2Discard : fmi2OK; }
fmi2Status fmi2GetBooleanStatus(fmi2Component i, fmi2StatusKind kind, fmi2Boolean *value) {
    *value = r[0] == 18;
    return r[0] == 16 ? fmi2Error : fmi2OK;
}
C
for n in two three; do $CC -w -fPIC -shared -I"$srcdir/share/fmi" -o $n.so $n.c || exit 1; done
python3 - << 'PYTHON'
import os, platform, zipfile
types = "Float64 Float32 Int8 UInt8 Int16 UInt16 Int32 UInt32 Int64 UInt64 Boolean".split()
def archive(name, text, library, folder):
    with zipfile.ZipFile(name, "w") as z:
        z.writestr("modelDescription.xml", text)
        z.writestr("binaries/%s/it.so" % folder, open(library, "rb").read())
machine = platform.machine()
def three(array, more=""):
    size = '<Dimension start="2"/>' if array else ""
    lines = []
    for k, T in enumerate(types):
        many = " 0" if array and T != "Boolean" else " false" if array else ""
        for kind, base, start in (("input", 0, "true" if T == "Boolean" else str(k + 3)), ("parameter", 20, "false" if T == "Boolean" else "2")):
            lines.append('<%s name="%s_%s" valueReference="%d" causality="%s" start="%s%s">%s</%s>' % (T, kind, T, base + k, kind, start, many, size, T))
        lines.append('<%s name="out_%s" valueReference="%d" causality="output">%s</%s>' % (T, T, 40 + k, size, T))
    lines.append('<String name="text" valueReference="63" causality="output"/><Enumeration name="kind" valueReference="52" causality="local"/>')
    return ('<fmiModelDescription fmiVersion="3.0" modelName="types" instantiationToken="x"><CoSimulation modelIdentifier="it" %s/>'
            '<DefaultExperiment startTime="0" stopTime="1" stepSize="0.1"/><ModelVariables>%s</ModelVariables></fmiModelDescription>') % (more, "".join(lines))
folder = {"x86_64": "x86_64-linux", "aarch64": "aarch64-linux"}.get(machine, "x86-linux")
archive("scalars.fmu", three(False), "three.so", folder)
archive("arrays.fmu", three(True), "three.so", folder)
archive("once.fmu", three(False, 'canBeInstantiatedOnlyOncePerProcess="true"'), "three.so", folder)
lines = []
for T, parameter, start in (("Real", "2", "3.5"), ("Integer", "-4", "7"), ("Boolean", "0", "true"), ):
    lines.append('<ScalarVariable name="in_%s" valueReference="0" causality="input"><%s start="%s"/></ScalarVariable>' % (T, T, start))
    lines.append('<ScalarVariable name="p_%s" valueReference="1" causality="parameter"><Annotations/><%s start="%s"/></ScalarVariable>' % (T, T, parameter))
    lines.append('<ScalarVariable name="out_%s" valueReference="2" causality="output"><%s/></ScalarVariable>' % (T, T))
archive("two.fmu", '<fmiModelDescription fmiVersion="2.0" modelName="types" guid="x"><CoSimulation modelIdentifier="it"/>'
        '<ModelVariables>%s</ModelVariables></fmiModelDescription>' % "".join(lines), "two.so", "linux32" if folder == "x86-linux" else "linux64")
PYTHON
"$LINNET" run scalars.fmu -q -o run.csv > out 2>&1 || { grep -q 'libzip\|no library for this machine' out && { cat out; exit 77; }; fail "scalars.fmu: $(cat out)"; }
# last FILE NAME: the last value of a column
last() { awk -F, -v name="$2" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) at = k } END { print $at }' "$1" | tr -d '\r'; }
k=0
for type in Float64 Float32 Int8 UInt8 Int16 UInt16 Int32 UInt32 Int64 UInt64; do # 3 + k in, 2 as a parameter
    [ "$(last run.csv out_$type)" = $((k + 5)) ] || fail "$type: $(last run.csv out_$type), not $((k + 5))"
    k=$((k + 1))
done
[ "$(last run.csv out_Boolean)" = 1 ] || fail "Boolean: $(last run.csv out_Boolean)"
# the ends of their ranges
expect 0 "$LINNET" run scalars.fmu -q -o run.csv --set input_Int8-input.value=-128 --set parameter_Int8=0 --set input_UInt8-input.value=253 \
    --set input_Int16-input.value=-32768 --set parameter_Int16=0 --set input_UInt16-input.value=65533 --set input_Int32-input.value=-2147483648 \
    --set parameter_Int32=0 --set input_UInt32-input.value=4294967293 --set input_Int64-input.value=-9007199254740992 --set parameter_Int64=0 \
    --set input_UInt64-input.value=9007199254740990 --set input_Float32-input.value=0.5 --set parameter_Float32=0.25
for pair in Int8=-128 UInt8=255 Int16=-32768 UInt16=65535 Int32=-2147483648 UInt32=4294967295 Int64=-9007199254740992 UInt64=9007199254740992 \
    Float32=0.75; do
    [ "$(last run.csv "out_${pair%=*}")" = "${pair#*=}" ] || fail "the end of ${pair%=*}: $(last run.csv "out_${pair%=*}"), not ${pair#*=}"
done
# beyond them: refused by name, not wrapped around
for pair in Int8=128 UInt8=-1 Int16=40000 UInt16=65536 Int32=3e+09 UInt32=-0.6 Int64=1e+19 UInt64=1e+20 Float32=1e+39; do
    expect 4 "$LINNET" run scalars.fmu -q -o run.csv --set "input_${pair%=*}-input.value=${pair#*=}" &&
        says err "setting input_${pair%=*}: ${pair#*=} is no number of its type"
done
# what is between two whole numbers is the nearest
expect 0 "$LINNET" run scalars.fmu -q -o run.csv --set input_Int32-input.value=2.9999999999 --set input_UInt8-input.value=-0.4 --set input_Int8-input.value=-2.6
[ "$(last run.csv out_Int32) $(last run.csv out_UInt8) $(last run.csv out_Int8)" = "5 2 -1" ] || fail "rounding: $(tail -n 1 run.csv)"
# arrays, of which each element has a column
expect 0 "$LINNET" run arrays.fmu -q -o run.csv
for type in Float64 Int8 UInt64; do [ "$(last run.csv "out_$type-2")" = 0 ] || [ "$(last run.csv "out_${type}_2_")" = 0 ] || fail "array of $type: $(head -n 1 run.csv)"; done
# what an FMU 3 says, how it ends, and how often it may be there
expect 4 "$LINNET" run scalars.fmu -q -o run.csv --set input_Float64-input.value=13 && says err "a step fails with status 3: thirteen brings no luck" "t = 0.3 s"
expect 0 "$LINNET" run scalars.fmu -o run.csv --set input_Float64-input.value=14 && says err "asks for the end"
tail -n 1 run.csv | awk -F, '{ exit !($1 > 0.39 && $1 < 0.41) }' || fail "its end: $(tail -n 1 run.csv)"
expect 0 "$LINNET" run once.fmu -q -o run.csv
cat > twice.xml << 'XML'
<model name="twice" xmlns="urn:linnet:model:1">
  <constant id="c" out="u" value="1"/>
  <fmu id="A" file="once.fmu" period="0.1 s" inputs="input_Float64" in="u" outputs="out_Float64" out="x"/>
  <fmu id="B" file="once.fmu" period="0.1 s" inputs="input_Float64" in="u" outputs="out_Float64" out="y"/>
  <simulation duration="1" step="0.1" method="euler"/>
  <record signals="x y"/>
</model>
XML
expect 4 "$LINNET" run twice.xml --allow-native -q -o run.csv && says err "B (fmu): it allows one instance in a process"
sed 's/<fmu id="A"/<fmu-no/; /<fmu-no/d; s/x y/y/' twice.xml > single.xml
expect 0 "$LINNET" sweep single.xml --allow-native --vary c.value=1,2,3 --measure "top=maximum(y)" -j 1 -q -o sweep.csv
[ "$(grep -c ',ok,' sweep.csv)" = 3 ] || fail "one after the other: $(cat sweep.csv)"
# FMI 2
expect 0 "$LINNET" run two.fmu -q -o run.csv
[ "$(last run.csv out_Real) $(last run.csv out_Integer) $(last run.csv out_Boolean)" = "5.5 3 1" ] || fail "FMI 2: $(tail -n 1 run.csv)"
for pair in "13=setting up" "14=entering initialization" "15=the end of initialization" "16=a step fails with status 2" "17=a step fails with status 2" \
    "99=setting p_Real"; do
    expect 4 "$LINNET" run two.fmu -q -o run.csv --set "in_Real-input.value=${pair%%=*}" --set p_Real=${pair%%=*} && says err "${pair#*=}"
done
expect 4 "$LINNET" run two.fmu -q -o run.csv --set in_Real-input.value=75 && says err "getting out_Real fails"
expect 0 "$LINNET" run two.fmu -o run.csv --set in_Real-input.value=18 && says err "asks for the end"
finish

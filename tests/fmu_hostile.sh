#!/bin/sh
# SPDX-License-Identifier: MIT
# FMUs that lie or misbehave: archives that are larger than they say or name a file twice, descriptions with impossible
# numbers, code that gives no numbers, unknown outcomes, long messages, ends the program or does not come back.
. "${srcdir:-.}/tests/shell.sh"
. "$srcdir/tests/codegen_kit.sh"
have_compiler || { echo "no C compiler here"; exit 77; }
command -v python3 > out || { echo "no Python to make archives"; exit 77; }

cat > hostile.c << 'C'
#include <fmi2.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int steps;
fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String token, fmi2String resources,
                              const fmi2CallbackFunctions *call, fmi2Boolean visible, fmi2Boolean logging) {
#ifdef TALKS
    static char text[100000];
    memset(text, 'A', sizeof text - 1);
    memcpy(text, "\033[31m\n\377", 7);
    call->logger(call->componentEnvironment, name, fmi2Error, "c", "%s", text);
    return NULL;
#endif
    return &steps;
}
void fmi2FreeInstance(fmi2Component it) {}
fmi2Status fmi2SetupExperiment(fmi2Component it, fmi2Boolean a, fmi2Real b, fmi2Real c, fmi2Boolean d, fmi2Real e) { return fmi2OK; }
fmi2Status fmi2EnterInitializationMode(fmi2Component it) { return fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component it) { return fmi2OK; }
fmi2Status fmi2Terminate(fmi2Component it) { return fmi2OK; }
fmi2Status fmi2GetReal(fmi2Component it, const fmi2ValueReference r[], size_t n, fmi2Real v[]) {
    for (size_t k = 0; k < n; k++)
        v[k] = steps < 3 ? steps : VALUE;
    return fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component it, const fmi2ValueReference r[], size_t n, const fmi2Real v[]) { return fmi2OK; }
fmi2Status fmi2GetInteger(fmi2Component it, const fmi2ValueReference r[], size_t n, fmi2Integer v[]) { v[0] = 0; return fmi2OK; }
fmi2Status fmi2SetInteger(fmi2Component it, const fmi2ValueReference r[], size_t n, const fmi2Integer v[]) { return fmi2OK; }
fmi2Status fmi2GetBoolean(fmi2Component it, const fmi2ValueReference r[], size_t n, fmi2Boolean v[]) { v[0] = 0; return fmi2OK; }
fmi2Status fmi2SetBoolean(fmi2Component it, const fmi2ValueReference r[], size_t n, const fmi2Boolean v[]) { return fmi2OK; }
fmi2Status fmi2DoStep(fmi2Component it, fmi2Real time, fmi2Real step, fmi2Boolean final) {
    if (++steps == 3) {
        DOES;
    }
    return fmi2OK;
}
fmi2Status fmi2GetBooleanStatus(fmi2Component it, fmi2StatusKind kind, fmi2Boolean *value) { *value = 0; return fmi2OK; }
C
# archive FILE LIBRARY [HOW]: a small FMU; what HOW, a Python expression, does to its files: names with contents
archive() {
    python3 - "$@" "$srcdir/tests/fmi/small2.xml" << 'PYTHON'
import struct, sys, warnings, zipfile
warnings.simplefilter("ignore")
name, library, *how, description = sys.argv[1:]
text = open(description, encoding="utf-8").read()
files = [("modelDescription.xml", text), ("binaries/linux64/small2.so", open(library, "rb").read())]
three = ('<fmiModelDescription fmiVersion="3.0" modelName="s" instantiationToken="small"><CoSimulation modelIdentifier="small2"/>'
         '<ModelVariables>%s</ModelVariables></fmiModelDescription>')
array = '<Float64 name="%s" valueReference="%d" causality="%s"><Dimension %s/></Float64>'
def described(new): return [("modelDescription.xml", new)] + files[1:]
def changed(old, new):
    assert old in text
    return described(text.replace(old, new, 1))
if how:
    files = eval(how[0])
with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as z:
    for file, data in files:
        z.writestr(file, data)
if how and "bomb" in how[0]: # ten bytes, says the list of files
    data = open(name, "rb").read().replace(struct.pack("<I", 1 << 26), struct.pack("<I", 10))
    open(name, "wb").write(data)
PYTHON
}
# hostile NAME FLAG...: an FMU whose third step is hostile
hostile() {
    name=$1
    shift
    case " $* " in *" -DVALUE"*) ;; *) set -- "$@" -DVALUE=steps ;; esac
    case " $* " in *" -DDOES"*) ;; *) set -- "$@" -DDOES= ;; esac
    $CC -w -fPIC -shared -I"$srcdir/share/fmi" "$@" -o "$name.so" hostile.c || exit 1
    archive "$name.fmu" "$name.so"
}
hostile good
"$LINNET" run good.fmu -q -o good.csv > out 2>&1 || { grep -q 'libzip\|no library for this machine' out && { cat out; exit 77; }; fail "good.fmu: $(cat out)"; }
tail -n 1 good.csv | awk -F, '{ exit $2 != 10 }' || fail "good.fmu: $(tail -n 1 good.csv)"

# ---- code ----
hostile nan -DVALUE=NAN
expect 4 "$LINNET" run nan.fmu -q -o nan.csv && says err "fmu (fmu): " "is not finite at t = 0.3 s"
[ "$(grep -c . nan.csv)" = 4 ] || fail "rows before what is no number: $(cat nan.csv)"
for status in 2 3 77 -3; do
    hostile status "-DDOES=return $status"
    expect 4 "$LINNET" run status.fmu -q -o run.csv && says err "a step fails with status $status (at t = 0.3 s)"
done
hostile talks -DTALKS
expect 4 "$LINNET" run talks.fmu -q -o run.csv && says err 'makes no instance: \x1b[31m\x0a\xffAAA'
[ "$(wc -c < err)" -lt 1000 ] || fail "a long message: $(wc -c < err) bytes"
# an exit status that is not Linnet's passes for no success
hostile ends '-DDOES=exit(0)'
rm -f ends.csv
expect 4 "$LINNET" run ends.fmu -q -o ends.csv && says err "has ended the program"
[ ! -e ends.csv ] || fail "a result of a program that was ended"
hostile hangs '-DDOES=for(;;)pause()'
expect 4 timeout 30 "$LINNET" run hangs.fmu -q -o hangs.csv --max-seconds 0.2 && says err "time limit"
[ ! -e hangs.csv ] || fail "a result of a run that did not end"

# ---- archives ----
# refused STATUS TEXT HOW
refused() {
    archive bad.fmu good.so "$3"
    expect "$1" timeout 30 "$LINNET" run bad.fmu -q -o run.csv && says err "$2"
}
refused 4 "resources/bomb is damaged" 'files + [("resources/bomb", bytes(1 << 26))]'
refused 5 "damaged" '[("modelDescription.xml", bytes(1 << 26)), ("bomb", "")]'
refused 5 "modelDescription.xml is in it twice" 'files + files[:1]'
refused 5 "nested deeper than 64" 'files + [("resources/" + "a/"*2000 + "b", "")]'
refused 4 "Not a directory" 'files + [("resources/a", ""), ("resources/a/b", "")]'
refused 5 "leads out of the folder" 'files + [("/etc/evil", "")]'
refused 5 "leads out of the folder" 'files + [("resources/x/../../../evil", "")]'
refused 5 "leads out of the folder" 'files + [("resources\\..\\evil", "")]'
refused 4 "cannot be loaded" '[files[0], ("binaries/linux64/small2.so", "no library")]'
refused 4 "cannot be loaded" 'changed("modelIdentifier=\"small2\"", "modelIdentifier=\"other\"")'
refused 3 "lacks the token, the library" 'changed("modelIdentifier=\"small2\"", "modelIdentifier=\"../small2\"")'
leftovers=$(find "$TMPDIR" -maxdepth 1 -name 'linnet-fmu-*')
[ -z "$leftovers" ] || fail "folders are left behind: $leftovers"

# ---- descriptions ----
refused 3 "document types are not accepted" 'changed("<fmiModel", "<!DOCTYPE x [<!ENTITY a \"aaaa\">]><fmiModel")'
refused 3 "deeper than 64 levels" 'changed("<ModelVariables>", "<a>"*3000 + "</a>"*3000 + "<ModelVariables>")'
refused 3 "'-7' is no value reference" 'changed("valueReference=\"3\"", "valueReference=\"-7\"")'
refused 3 "'4294967296' is no value reference" 'changed("valueReference=\"3\"", "valueReference=\"4294967296\"")'
refused 3 "'1x' is no value reference" 'changed("valueReference=\"3\"", "valueReference=\"1x\"")'
for value in NaN 1e999 abc "1 x" ''; do
    refused 3 "start: '$value' is no number" "changed('start=\"1\"', 'start=\"$value\"')"
done
refused 3 "two variables have the name 'direct'" 'changed("name=\"sum\"", "name=\"direct\"")'
refused 3 "two variables are called 'a_b'" 'described(text.replace("\"sum\"", "\"a b\"").replace("\"direct\"", "\"a_b\""))'
refused 3 "no output that is a number" 'described(text.replace("\"output\"", "\"local\""))'
refused 3 "a dimension is no whole number" 'described(three % (array % ("v", 1, "output", "start=\"2.5\"")))'
refused 3 "a dimension is no whole number" 'described(three % (array % ("v", 1, "output", "start=\"-5\"")))'
refused 3 "more than 100000 numbers" 'described(three % (array % ("v", 1, "output", "start=\"1e300\"")))'
refused 3 "more than 100000 numbers" 'described(three % "".join(array % ("v%d" % k, k, "output", "start=\"50000\"") for k in range(3)))'
# what neither goes in nor out takes no memory, and a size is found at once: gigabytes and minutes once
refused 3 "no output that is a number" 'described(three % "".join(array % ("v%d" % k, k, "local", "start=\"100000\"") for k in range(10000)))'
refused 3 "no output that is a number" 'described(three % "".join(array % ("v%d" % k, k, "output", "valueReference=\"59999\"") for k in range(60000)))'
# an experiment without end, and one of no step, are run for a second by a thousandth
archive odd.fmu good.so 'described(text.replace("stopTime=\"1\" stepSize=\"0.1\"", "stopTime=\"INF\" stepSize=\"0\""))'
expect 0 "$LINNET" run odd.fmu -q -o odd.csv
[ "$(grep -c . odd.csv)" = 1002 ] || fail "an experiment without end: $(grep -c . odd.csv) lines"
# names cannot break out of what is made of them
archive named.fmu good.so 'changed("name=\"sum\"", "name=\"a&#10;b&lt;/script&gt;&quot;$(x)`id`\u202e\"")'
expect 0 "$LINNET" run named.fmu -q -o named.csv
head -n 1 named.csv | tr -d '\r' | grep -q '^time,[A-Za-z0-9_-]*,direct,count,positive$' || fail "a name of anything: $(head -n 1 named.csv)"
finish

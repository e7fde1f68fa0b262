#!/bin/sh
# SPDX-License-Identifier: MIT
# FMUs of others: one is run by name, as a block it needs a permission; one written by hand (tests/fmi/small2.c), and our own
# exports of FMI 2 and 3, which then do what the model does that was exported; archives that are not trusted.
. "${srcdir:-.}/tests/shell.sh"
. "$srcdir/tests/codegen_kit.sh"
have_compiler || { echo "no C compiler here"; exit 77; }
command -v python3 > out || { echo "no Python to make archives"; exit 77; }

# archive FILE NAME=SOURCE...: a ZIP archive
archive() {
    python3 - "$@" << 'PYTHON'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z:
    for pair in sys.argv[2:]:
        name, source = pair.split("=", 1)
        z.writestr(name, open(source, "rb").read())
PYTHON
}
$CC -std=c99 -Wall -Wextra -Werror -fPIC -shared -I"$srcdir/share/fmi" -o small2.so "$srcdir/tests/fmi/small2.c" 2> err || { cat err; exit 1; }
case $(uname -m) in x86_64 | aarch64) folder=linux64 ;; *) folder=linux32 ;; esac
[ "$(uname -m)" = aarch64 ] && folder=linux64
echo 5 > begin.txt
archive small.fmu modelDescription.xml="$srcdir/tests/fmi/small2.xml" "binaries/$folder/small2.so=small2.so" resources/begin.txt=begin.txt
"$LINNET" check small.fmu > out 2>&1 || { grep -q libzip out && { echo "no libzip here"; exit 77; }; fail "check: $(cat out)"; }

# an archive written as a stream, as CMake and libarchive do: before a file stands its size at most, neither sum nor length
python3 - small.fmu streamed.fmu << 'PYTHON'
import struct, sys, zipfile
class Stream:
    def __init__(self, path): self.file = open(path, "wb")
    def write(self, data): return self.file.write(data)
    def flush(self): self.file.flush()
with zipfile.ZipFile(sys.argv[1]) as whole, zipfile.ZipFile(Stream(sys.argv[2]), "w", zipfile.ZIP_DEFLATED) as streamed:
    for name in whole.namelist():
        streamed.writestr(name, whole.read(name))
data = bytearray(open(sys.argv[2], "rb").read())
for info in zipfile.ZipFile(sys.argv[2]).infolist():
    assert data[info.header_offset + 6] & 8
    data[info.header_offset + 22:info.header_offset + 26] = struct.pack("<I", info.file_size)
open(sys.argv[2], "wb").write(data)
PYTHON
expect 0 "$LINNET" run streamed.fmu -q -o run.csv
[ "$(grep -c . run.csv)" = 12 ] || fail "an archive written as a stream: $(cat run.csv)"
# what its list of files does not vouch for is damaged
python3 - streamed.fmu torn.fmu << 'PYTHON'
import sys, zipfile
data = bytearray(open(sys.argv[1], "rb").read())
info = zipfile.ZipFile(sys.argv[1]).getinfo("modelDescription.xml")
data[info.header_offset + 30 + len(info.filename) + info.compress_size // 2] ^= 0x55
open(sys.argv[2], "wb").write(data)
PYTHON
expect 5 "$LINNET" run torn.fmu -q -o run.csv
says err "torn.fmu" "damaged"

# what an FMU prints, when it is loaded and in steps, goes to stderr, whatever goes to the standard output; what stands in its
# buffer meanwhile is the program's
{
    sed 's/^    it->count++;/&\n    printf("a step\\n");/' "$srcdir/tests/fmi/small2.c"
    printf '#include <stdio.h>\n__attribute__((constructor)) static void greet(void) { puts("loaded"); }\n'
} | sed '1i #include <stdio.h>' > loud.c
$CC -std=c99 -fPIC -shared -I"$srcdir/share/fmi" -o loud.so loud.c 2> err || { cat err; exit 1; }
archive loud.fmu modelDescription.xml="$srcdir/tests/fmi/small2.xml" "binaries/$folder/small2.so=loud.so" resources/begin.txt=begin.txt
expect 0 "$LINNET" run small.fmu -q -o quiet.csv
"$LINNET" run loud.fmu -q -o - > loud.csv 2> err || fail "what an FMU prints: $(cat err)"
cmp -s quiet.csv loud.csv || fail "an FMU prints into the result: $(head -n 3 loud.csv)"
grep -q loaded err && [ "$(grep -c 'a step' err)" -ge 10 ] || fail "what an FMU prints is lost: $(head -n 3 err)"
"$LINNET" check loud.fmu --format json > loud.json 2> err
python3 -m json.tool loud.json > out 2>&1 || fail "an FMU prints into what check says: $(head -n 3 loud.json)"

# signals keep names that no parameter may bear
printf '%s\n' '<model name="words" xmlns="urn:linnet:model:1"><constant id="a" out="e" value="1"/><constant id="b" out="t" value="2"/>' \
    '<external-input id="g" out="if" value="3"/><sum id="s" in="e t if" signs="+++" out="pi"/>' \
    '<simulation duration="1" step="0.5" method="euler"/><record signals="e t pi"/></model>' > words.xml
expect 0 "$LINNET" export words.xml -q -o words.fmu
expect 0 "$LINNET" run words.fmu --set if-input.value=4 -q -o run.csv
[ "$(head -n 2 run.csv | tr -d '\r' | tr '\n' ' ')" = "time,e,t,pi 0,1,2,7 " ] || fail "names of signals: $(head -n 2 run.csv)"

# by its name: 5 + t, resources are there, integers and truths are numbers, inputs are known at once
expect 0 "$LINNET" run small.fmu -q -o run.csv
[ "$(head -n 1 run.csv | tr -d '\r')" = time,sum,direct,count,positive ] || fail "columns: $(head -n 1 run.csv)"
awk -F, 'NR > 1 { n++; d = $2 - 5 - $1; if (d > 1e-12 || -d > 1e-12 || $3 != 2 || $5 != 1 || $4 != n - 1) { print; exit 1 } } END { exit n != 11 }' run.csv > out ||
    fail "small.fmu: $(cat out)"
expect 0 "$LINNET" run small.fmu --set the_gain=3 --set u-input.value=2 --step 0.25 -q -o run.csv
tail -n 1 run.csv | awk -F, '{ exit !($2 == 11 && $4 == 4) }' || fail "parameters: $(tail -n 1 run.csv)"
# it ends the simulation, and refuses with a word
expect 0 "$LINNET" run small.fmu --set limit=5.45 -o run.csv
tail -n 1 run.csv | awk -F, '{ exit !($1 > 0.499 && $1 < 0.501) }' || fail "its end: $(tail -n 1 run.csv)"
expect 4 "$LINNET" run small.fmu --set the_gain=-1 -q -o run.csv
says err "small2: setting the.gain fails" "a gain of -1 is negative"

# as a block: by permission; in a loop, against the same in our blocks
cat > loop.xml << 'XML'
<model name="loop" xmlns="urn:linnet:model:1">
  <step id="s" out="r" delay="0.3 s"/>
  <sum id="d" in="r x" signs="+-" out="e"/>
  <fmu id="F" file="small.fmu" period="0.1 s" inputs="u" in="e" outputs="sum" out="x" parameters="the.gain" values="2"/>
  <discrete-integrator id="i" in="f" out="y" period="0.1 s" k="2" y0="5"/>
  <sum id="g" in="r y" signs="+-" out="f"/>
  <simulation duration="2" step="0.05" method="rk4"/>
  <record signals="x y"/>
</model>
XML
expect 3 "$LINNET" run loop.xml -q -o run.csv
says err "loop.xml:4: error: F (fmu): it runs the code of 'small.fmu'" "--allow-native"
expect 0 "$LINNET" run loop.xml --allow-native -q -o run.csv
awk -F, 'NR > 1 { d = $2 - $3; if (d > 1e-12 || -d > 1e-12) { print; exit 1 } n++ } END { exit n < 40 }' run.csv > out || fail "in a loop: $(cat out)"
sed 's/inputs="u" in="e"/inputs="v" in="e"/' loop.xml > wrong.xml
expect 3 "$LINNET" check wrong.xml --allow-native
says err "'v' is no input of small.fmu"
expect 3 "$LINNET" codegen loop.xml --allow-native -o code
says err "F (fmu)" "runs foreign code" "put a type made of equations in its place"
expect 0 "$LINNET" sweep loop.xml --allow-native --vary F.values=1,2,3 --measure "top=maximum(x)" -j 2 -q -o sweep.csv
[ "$(grep -c . sweep.csv)" -ge 4 ] || fail "a sweep: $(cat sweep.csv)"

# Beside adaptive steps, whose errors are carried through instants by acting beside them, too: an integrator goes on by the input at the
# tick before, exactly, and not by one moved by a part of an error.
expect 0 "$LINNET" export "$srcdir/tests/small/plant.xml" -q -o plant.fmu
cat > ticks.xml << 'XML'
<model name="ticks" xmlns="urn:linnet:model:1">
  <sine-voltage id="V" p="a" n="0" amplitude="1 V" frequency="3 Hz"/><diode id="D" p="a" n="b"/>
  <resistor id="R" p="b" n="0" R="1 kOhm"/><capacitor id="C" p="b" n="0" C="47 uF"/><ground id="g" p="0"/>
  <voltage-sensor id="s" p="b" n="0" out="u"/><fmu id="F" in="u" out="y z" file="plant.fmu" period="10 ms"/>
  <simulation duration="1 s" tolerance="1e-4" interval="10 ms" method="tr-bdf2"/>
  <record signals="u y"/>
</model>
XML
expect 0 "$LINNET" run ticks.xml --allow-native -q -o ticks.csv
awk -F, 'NR > 1 { if (NR > 2 && $1 > t) { miss = $3 - y - 0.01*u; if (miss > 1e-15 || -miss > 1e-15) { print $1, miss; exit 1 } n++ } t = $1; u = $2; y = $3 }
    END { exit n < 99 }' ticks.csv > out || fail "an FMU's input at a tick: $(cat out)"

# what was exported does in the importer what the model does
for version in 2 3; do
    expect 0 "$LINNET" export "$examples/signal/pi-loop.xml" --fmi $version -q -o pi.fmu
    expect 0 "$LINNET" run pi.fmu -q -o pi.csv
    expect 0 "$LINNET" run "$examples/signal/pi-loop.xml" -q -o wanted.csv
    awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k } { printf "%s,%s,%s,%s\n", $at["time"], $at["r"], $at["y"], $at["u"] }' wanted.csv | tr -d '\r' > a.csv
    awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k } { printf "%s,%s,%s,%s\n", $at["time"], $at["r"], $at["y"], $at["u"] }' pi.csv | tr -d '\r' > b.csv
    same a.csv b.csv 1e-14 > out || fail "the loop by FMI $version: $(head -n 3 out)"
done

# not trusted
archive up.fmu modelDescription.xml="$srcdir/tests/fmi/small2.xml" ../evil.so=small2.so
expect 5 "$LINNET" run up.fmu -q -o run.csv
says err "'up.fmu' is not trusted: ../evil.so leads out of the folder"
python3 - << 'PYTHON'
import zipfile
def archive(name, files, flags=0, mode=0):
    with zipfile.ZipFile(name, "w") as z:
        for file in files:
            info = zipfile.ZipInfo(file)
            info.create_system, info.external_attr = 3, mode << 16
            z.writestr(info, b"modelDescription.xml")
    if flags:  # in the local header and in the list of files
        data = bytearray(open(name, "rb").read())
        data[6] |= flags
        data[data.rindex(b"PK\1\2") + 8] |= flags
        open(name, "wb").write(data)
archive("link.fmu", ["a"], mode=0o120777)
archive("locked.fmu", ["a"], flags=1)
archive("many.fmu", [str(k) for k in range(10001)])
PYTHON
expect 5 "$LINNET" check link.fmu && says err "'link.fmu' is not trusted: a is a symbolic link"
expect 5 "$LINNET" check locked.fmu && says err "'locked.fmu' is not trusted: a is encrypted"
expect 5 "$LINNET" check many.fmu && says err "'many.fmu' is not trusted: it holds more than 10 000 files"
head -c 3000 small.fmu > half.fmu
expect 5 "$LINNET" run half.fmu -q -o run.csv
says err "half.fmu" "damaged"
archive empty.fmu readme=begin.txt
expect 3 "$LINNET" run empty.fmu -q -o run.csv
says err "no modelDescription.xml"
archive bare.fmu modelDescription.xml="$srcdir/tests/fmi/small2.xml"
expect 4 "$LINNET" run bare.fmu -q -o run.csv
says err "no library for this machine"
sed 's/<CoSimulation.*>/<ModelExchange modelIdentifier="small2"\/>/' "$srcdir/tests/fmi/small2.xml" > me.xml
archive me.fmu modelDescription.xml=me.xml
expect 3 "$LINNET" run me.fmu -q -o run.csv
says err "no co-simulation"
leftovers=$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'linnet-fmu-*' -newer small2.so 2> out)
[ -z "$leftovers" ] || fail "folders are left behind: $leftovers"
# arrays of FMI 3 whose size another variable gives: it stays as it begins
cat > vector.xml << 'XML'
<model name="vector" xmlns="urn:linnet:model:1">
  <external-input id="in" out="u" value="1"/>
  <gain id="g" in="u" out="a" k="2"/> <constant id="c" out="b" value="3"/>
  <mux id="m" in="a b" out="v"/>
  <simulation duration="1" step="0.1" method="euler"/>
  <record signals="v"/>
</model>
XML
expect 0 "$LINNET" export vector.xml --fmi 3 --name it -q -o whole.fmu
rm -rf whole
unzip -q whole.fmu -d whole
sed -e 's|<Dimension start="2"/>|<Dimension valueReference="99"/>|' \
    -e 's|<ModelVariables>|&<UInt64 name="n" valueReference="99" causality="structuralParameter" variability="fixed" start="2"/>|' \
    whole/modelDescription.xml > sized.xml
grep -q 'valueReference="99"/></Float64' sized.xml || fail "no array to try"
set --
for file in whole/binaries/*/it.so; do set -- "$@" "${file#whole/}=$file"; done
archive sized.fmu modelDescription.xml=sized.xml "$@"
expect 0 "$LINNET" run sized.fmu -q -o run.csv
tail -n 1 run.csv | awk -F, '{ exit !($2 == 2 && $3 == 3) }' || fail "an array of a size that is set: $(tail -n 1 run.csv)"

# names with blanks and commas, which a list of names cannot hold, have '_' in their place
printf '%s\n' '<model name="named" xmlns="urn:linnet:model:1"><ramp id="s" out="u" slope="2"/><gain id="g" in="u" out="y" k="3"/>' \
    '<record name="flux density, core" expression="y/2"/><record name="half" expression="u/2"/>' \
    '<simulation duration="1" step="0.1" method="rk4"/></model>' > named.xml
for version in 2 3; do
    expect 0 "$LINNET" export named.xml --fmi $version -q -o named.fmu
    expect 0 "$LINNET" run named.fmu -q -o named.csv
    [ "$(head -n 1 named.csv | tr -d '\r')" = "time,flux_density__core,half" ] || fail "named by FMI $version: $(head -n 1 named.csv)"
    awk -F, 'NR > 1 && ($2 - 3 * $1 > 1e-9 || 3 * $1 - $2 > 1e-9) { exit 1 } END { exit NR < 10 }' named.csv || fail "its values: $(tail -n 1 named.csv)"
done
finish

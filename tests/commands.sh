#!/bin/sh
# SPDX-License-Identifier: MIT
# Every command line of doc/manual.md and README.md does as it is written: those that stand by themselves (four blanks in
# front) are run one after the other in one folder, which holds the examples and small models under the names that the
# manual gives. Left out, with the reason: see `skipped`. Commands within sentences of all pages, and options, exist. Every file of
# the sources that the pages name exists.
. "${srcdir:-.}/tests/shell.sh"
command -v gnuplot > /dev/null || { echo "gnuplot is missing: the manual draws"; exit 77; }
cd "$work" || exit 1
mkdir folder && cd folder || exit 1
ln -s "$srcdir/models" "$srcdir/tests" "$srcdir/doc" .
cp "$srcdir"/models/examples/*/*.xml "$srcdir"/models/examples/*/*.csv . 2> /dev/null
printf '#!/bin/sh\nexec "%s" "$@"\n' "$LINNET" > linnet && chmod +x linnet
PATH=$PWD:$PATH

# ---- models that the manual only names ----
model() { printf '<model name="%s" xmlns="urn:linnet:model:1"><ground id="gnd" p="0"/>\n%s\n</model>\n' "$1" "$2" > "$1.xml"; }
awk '/^ *<model/ {inside = 1} inside {sub(/^    /, ""); print} /<\/model>/ {exit}' "$srcdir/README.md" > charge.xml
cp charge.xml rc.xml
sed -n '/^```xml rectifier.xml$/,/^```$/{/^```/d;p}' "$srcdir/doc/tutorial-electronics.md" > rectifier.xml
model amplifier '<parameter name="supply" value="12 V"/> <voltage-source id="VCC" p="top" n="0" V="supply"/>
<resistor id="R1" p="top" n="base" R="47 kOhm"/> <resistor id="R2" p="base" n="0" R="10 kOhm"/> <resistor id="RC" p="top" n="out" R="2 kOhm"/>
<resistor id="RE" p="e" n="0" R="500 Ohm"/> <bjt id="Q1" c="out" b="base" e="e"/> <simulation duration="1 ms" step="10 us"/>
<record signals="out"/> <measure name="rest" kind="final" signal="out"/>'
model twin '<voltage-source id="V1" p="a" n="0" V="5 V"/> <voltage-source id="V2" p="b" n="0" V="5 V"/>
<resistor id="P1" p="a" n="0" R="1 Ohm"/> <resistor id="P2" p="b" n="0" R="2 Ohm"/> <voltage-sensor id="s1" p="a" n="0" out="v1"/> <voltage-sensor id="s2" p="b" n="0" out="v2"/>
<function id="f1" in="v1" out="t1" expression="u1"/> <function id="f2" in="v2" out="t2" expression="u1"/>
<simulation duration="1" step="0.1"/>'
model transistor '<current-source id="IB" p="0" n="b" I="10 uA"/> <bjt id="Q1" c="c" b="b" e="0"/> <voltage-source id="VC" p="c" n="0" V="5 V"/>
<simulation duration="1" step="0.1"/> <record signals="VC.i"/>'
model schmitt '<voltage-source id="VIN" p="in" n="0" V="0 V"/> <resistor id="R1" p="in" n="0" R="1 kOhm"/> <simulation duration="1" step="0.1"/>
<record signals="in"/>'
printf 'inverter\nVIN in 0 0\nVDD top 0 3.3\nM1 out in 0 0 n\nM2 out in top top p\n.model n nmos vto=0.7 kp=100u\n.model p pmos vto=-0.7 kp=50u\n.end\n' > inverter.cir
printf 'amplifier\nV1 in 0 sin(0 1 1k)\nE1 out 0 in m 10000\nR2 out m 9k\nR1 m 0 1k\n.tran 10u 5m\n.end\n' > amplifier.cir
cat > plant.xml <<'END'
<model name="plant" xmlns="urn:linnet:model:1">
<external-input id="force" out="force"/> <gain id="mass" in="force" out="acceleration" k="1"/>
<integrator id="v" in="acceleration" out="v"/> <integrator id="x" in="v" out="x"/>
<simulation duration="1" step="1 ms"/> <record signals="x v"/></model>
END
cat > pendulum.xml <<'END'
<model name="pendulum" xmlns="urn:linnet:model:1">
<block-type name="pendulum"><output name="angle"/><output name="speed"/><state name="a" start="1"/><state name="w"/>
<equation>der(a) = w</equation><equation>der(w) = -sin(a)</equation><equation>angle = a</equation><equation>speed = w</equation></block-type>
<pendulum id="p" angle="angle" speed="speed"/><simulation duration="10" step="0.1"/><record signals="angle speed"/></model>
END
mkdir runs
{
    linnet export plant.xml --input force -o plant.fmu
    python3 - <<'END' # another program would call the parameter so
import zipfile
old = zipfile.ZipFile("plant.fmu")
files = {name: old.read(name) for name in old.namelist()}
files["modelDescription.xml"] = files["modelDescription.xml"].replace(b'name="mass.k"', b'name="mass"')
with zipfile.ZipFile("plant.fmu", "w") as new:
    for name, data in files.items():
        new.writestr(name, data)
END
    linnet run pendulum.xml && linnet run rectifier.xml && linnet run rectifier.xml -o rectifier.mat
    linnet run charge.xml -o before.csv && cp before.csv after.csv
    linnet sweep rc.xml --vary load=1kOhm,2kOhm -o rc-sweep.csv --save-runs runs
} > said 2>&1 || { cat said; fail "preparation"; }

# ---- the lines, as written ----
skipped() { # LINE: why it is not run here, or nothing
    case $1 in
    mpirun*) echo "needs the module for MPI (tests/sweep.sh tries it)" ;;
    *'make check'* | *'make install'* | dpkg-buildpackage*) echo "builds all (.ci/run does it)" ;;
    make\ *) echo "tests/html.sh and tests/pdf.sh do" ;;
    *' studio'*) echo "waits for a browser (tests/studio.sh)" ;;
    *' --every '* | *' --resume rotor'*) echo "takes hours (tests/test_checkpoint.c)" ;;
    *'--cases 10000'*) [ -n "${LINNET_FULL:-}" ] || echo "ten thousand runs: make check-full" ;;
    esac
}
tried=0
for page in "$srcdir/doc/manual.md" "$srcdir/README.md"; do
    # a remark stands behind three blanks, a result behind an arrow
    sed -n 's/^    \(\(\.\/\)\{0,1\}\(linnet\|mpirun\|bootstrap\|dpkg-buildpackage\|make\) .*\)/\1/p' "$page" | sed 's/   .*//; s/  ->.*//; s/ *-> .*//' > lines
    [ -s lines ] || fail "no command stands in $page"
    while IFS= read -r line; do
        line=${line#./bootstrap && } # what is there is built
        [ -z "$(skipped "$line")" ] || continue
        tried=$((tried + 1))
        timeout 120 sh -c "$line" > said 2>&1 < /dev/null || fail "$(basename "$page"): exit status $? of: $line
$(tail -n 3 said)"
    done < lines
done
[ "$tried" -ge 50 ] || fail "only $tried commands were tried"

# ---- commands and options within sentences: `linnet ...` names a command with options that it has, and is run where it names
# a file that is here; `--option` alone is one of some command ----
linnet help > said 2>&1
sed -n '/^Commands/,/^Options/s/^  \([a-z][a-z-]*\) .*/\1/p' said > names
[ "$(wc -l < names)" -ge 20 ] || fail "the commands are not listed: $(cat said)"
mkdir helps
while IFS= read -r name; do linnet "$name" --help > "helps/$name" 2> /dev/null; done < names
linnet --help > helps/linnet 2>&1
named=0 ran=0
for page in "$srcdir"/doc/*.md "$srcdir/README.md" "$srcdir/python/README.md"; do
    tr '\n' ' ' < "$page" | grep -o '`linnet [^`]*`' | sed 's/^`//; s/`$//; s/\\|/|/g' | sort -u > lines
    while IFS= read -r line; do
        set -f
        # shellcheck disable=SC2086
        set -- $line
        set +f
        name=${2:-}
        case $name in -* | '' | [A-Z]* | '[A-Z'* | '"'* | *.xml | *.cir | xyz) continue ;; esac
        [ -e "helps/$name" ] || { fail "$(basename "$page"): there is no command: $line"; continue; }
        named=$((named + 1))
        here=yes
        for word in "$@"; do
            case $word in
                --[a-z]*) grep -qe "${word%%=*}\([ ,=]\|\$\)" "helps/$name" || fail "$(basename "$page"): no option ${word%%=*}: $line" ;;
                -[a-zA-Z]) grep -qe "^ *$word[ ,]" "helps/$name" || fail "$(basename "$page"): no option $word: $line" ;;
                *.xml | *.cir | *.csv) [ -e "$word" ] || here= ;;
            esac
        done
        case $line in *[A-Z][A-Z]* | *...* | *'|'*) continue ;; *.xml* | *.cir* | *.csv*) ;; *) continue ;; esac
        [ -n "$here" ] && [ -z "$(skipped "$line")" ] || continue
        ran=$((ran + 1))
        timeout 120 sh -c "$line" > said 2>&1 < /dev/null || fail "$(basename "$page"): exit status $? of: $line
$(tail -n 3 said)"
    done < lines
    for option in $(tr '\n' ' ' < "$page" | grep -o '`--[a-z][a-z-]*' | tr -d '`' | sort -u); do
        grep -qe "$option\([ ,=]\|\$\)" helps/* || "$srcdir/configure" --help 2> /dev/null | grep -qe "$option" || grep -qe "$option" "$srcdir"/bench/*.py ||
            echo "$(basename "$page"): no command has the option $option"
    done
done > found
[ ! -s found ] || fail "$(cat found)"
[ "$named" -ge 100 ] || fail "only $named commands within sentences"
[ "$ran" -ge 3 ] || fail "only $ran of them were run"

# ---- files that pages name ----
cd "$srcdir" || exit 1
for page in README.md doc/*.md CONTRIBUTING; do
    for file in $(grep -Eo '(^|[^A-Za-z/_.-])(src|tests|doc|include|models|bench|python|share)/[A-Za-z0-9_./-]*[A-Za-z0-9]' "$page" | sed 's/^[^a-z]//' | sort -u); do
        case $file in *NAME* | */tutorial | src/ROOM*) continue ;; esac
        [ -e "$file" ] || [ -e "$file.c" ] || [ -e "$file.h" ] || [ -e "${file%.log}" ] || echo "$page names $file, which is not there"
    done
done > "$work/missing"
[ ! -s "$work/missing" ] || fail "$(cat "$work/missing")"
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# What a stranger may give: names that gnuplot, HTML or a shell would read, tables and starts of numbers that are none or
# too large, a folder that is gone.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1
cat > rc.xml << 'XML'
<model name="x&quot;; $(touch pwned1) `touch pwned2` &lt;/script&gt; ' !touch pwned3&#10;system('touch pwned4')]]&gt;" xmlns="urn:linnet:model:1">
  <ground id="gnd" p="0"/>
  <voltage-source id="V1" p="in" n="0" V="1 V"/>
  <resistor id="R1" p="in" n="out" R="1 kOhm"/>
  <capacitor id="C1" p="out" n="0" C="1 uF"/>
  <simulation duration="1 ms" step="10 us"/>
  <record name="'.system('touch pwned5').'" expression="out"/>
  <record name="''x''''y" expression="2*out"/>
  <record name="&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;" expression="3*out"/>
  <record name="{/Symbol a}@_^ \ %s %n $0 $(touch pwned6)&#10;!touch pwned7" expression="4*out"/>
  <record name="`touch pwned8`" expression="5*out"/>
  <record name="a&#13;b&#9;c]]&gt;" expression="6*out"/>
</model>
XML

# ---- names ----
expect 0 "$LINNET" run rc.xml -q -o rc.csv
if command -v gnuplot > which; then
    for ending in svg html; do expect 0 "$LINNET" plot rc.csv -q -o "rc.$ending"; done
    for name in "'" "''" "'a" "a''b" "''''" "'.system('touch pwned9').'"; do # gnuplot reads '' within a text only
        printf 'time,%s\n0,1\n1,2\n' "$name" > quoted.csv
        expect 0 "$LINNET" plot quoted.csv -q -o quoted.svg && grep -q '’' quoted.svg || fail "a plot of $name"
    done
fi
expect 0 "$LINNET" report rc.xml -q -o report.html
for page in report.html rc.html; do
    [ ! -e $page ] || [ "$(grep -o '</script' $page | wc -l)" = "$(grep -o '<script' $page | wc -l)" ] || fail "a name ends a script in $page"
    grep -q '<script>alert' $page 2> err && fail "a name is a script in $page"
done
expect 0 "$LINNET" diagram rc.xml -q -o drawing.svg
expect 0 "$LINNET" codegen rc.xml -q --name code -o code --test-main
[ ! -e code/Makefile ] || command -v cc > which && (cd code && make -s > made 2>&1) || fail "code of a model of such a name: $(cat code/made)"
# the same names, over the same lines, as those of a run
columns() { tr -d '\n' < "$1" | sed 's/,pwned0.*//'; }
sed 's/<record name="a&#13;/<record name="pwned0" expression="out"\/>&/' rc.xml > named.xml
expect 0 "$LINNET" codegen named.xml -q --language python --name code -o python
expect 0 "$LINNET" run named.xml -q -o named.csv
if command -v python3 > which; then
    (cd python && python3 code.py -o ../python.csv) || fail "Python of a model of such a name"
    [ "$(columns python.csv)" = "$(columns named.csv)" ] || fail "columns in Python: $(columns python.csv)"
    for picture in rc.svg drawing.svg; do
        [ ! -e $picture ] || python3 -c "import sys, xml.dom.minidom as m; m.parse('$picture')" || fail "$picture is no XML"
    done
fi
[ -z "$(find . -name 'pwned*')" ] || fail "a name is obeyed: $(find . -name 'pwned*')"

# ---- numbers ----
# refused TEXT: model.xml
refused() { expect 3 timeout 60 "$LINNET" run model.xml -q -o run.csv && says err "$1"; }
# a table over which no interval can be told; one whose slope cannot: 1 was told for 0.5, in steps of nothing without end
table() {
    printf '<model name="t" xmlns="urn:linnet:model:1"><ramp id="r" out="x" slope="1"/><lookup id="T" in="x" out="y" points="%s"/>
<simulation duration="1 ms" step="10 us"/><record signals="y"/></model>' "$1" > model.xml
}
table "-1e308 0; 1e308 1" && refused "T (lookup): from -1e+308 to 1e+308 (points) it is farther than a number can tell"
table "0 0; 1e-310 1" && refused "T (lookup): between 0 and 1e-310 its table is steeper than a number can tell"
table "0 -1e308; 1 1e308" && refused "T (lookup): between 0 and 1 its table is steeper"
table "-1e307 0; 1e307 1" && expect 0 "$LINNET" run model.xml -q -o run.csv
tail -n 1 run.csv | grep -q ',0.5' || fail "a wide table: $(tail -n 1 run.csv)"
# a table of a sweep whose cells are empty: they take a byte each, and rows were written behind their memory
awk 'BEGIN { print "case,a,b,c"; for (k = 0; k < 20000; k++) print ",,," }' > empty.csv
expect 4 "$LINNET" plot empty.csv -q -o empty.json && says err "there is nothing to draw"
# a start of no numbers
sed '/<record/d' rc.xml > model.xml
for value in nan inf 1e999; do
    printf 'time,out\n0,%s\n' $value > start.csv
    expect 3 "$LINNET" run model.xml -q -o run.csv --start-from start.csv && says err "start.csv: error: 'out' has no finite value in the last row"
done
printf 'time,out\n0,0.25\n' > start.csv
expect 0 "$LINNET" run model.xml -q -o - --start-from start.csv

# ---- a folder that is a file: told once ----
expect 5 "$LINNET" sweep model.xml --vary R1.R=1,2 --save-runs rc.xml --measure "t=maximum(out)" -q -o rows.csv &&
    says err "error: cannot write 'rc.xml/case-000001.csv': Not a directory"
grep -q "error: error:" err && fail "an error is called one twice: $(cat err)"

# ---- a folder that is gone ----
mkdir gone
cat > gone.sh << 'SH'
cd gone && rmdir ../gone && exec "$@"
SH
for command in "run ../rc.xml" "run $work/rc.xml" "plot $work/rc.csv -o x.svg" "sweep $work/rc.xml --vary R1.R=1,2 --measure t=maximum(out)" \
    "codegen $work/rc.xml -o code" "report $work/rc.xml" "studio $work/rc.xml"; do
    mkdir -p gone
    # shellcheck disable=SC2086
    expect 5 timeout 60 sh gone.sh "$LINNET" $command && says err "No such file or directory"
done
mkdir -p gone
expect 0 sh gone.sh "$LINNET" run "$work/model.xml" -q -o -
finish

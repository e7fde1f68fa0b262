#!/bin/sh
# SPDX-License-Identifier: MIT
# linnet diagram: pictures of examples looked at by tests/diagram.py (every block and link once, nothing overlaps), places
# that the model gives, symbols of a model's own types, loops, TikZ, what is wrong, no Graphviz. With LINNET_FULL set all examples and decks.
. "${srcdir:-.}/tests/shell.sh"
here=$(cd "${srcdir:-.}" && pwd)
cd "$work" || exit 1
examples=$here/models/examples

mkdir empty
expect 5 env PATH="$work/empty" "$LINNET" diagram "$examples/electrical/rc-step.xml" -o x.svg && says err "install graphviz"
[ ! -e x.svg ] || fail "without Graphviz something was left"
expect 2 "$LINNET" diagram "$examples/electrical/rc-step.xml" -o x.gif && says err ".svg, .tex, .pdf or .png"
expect 2 "$LINNET" diagram "$examples/electrical/rc-step.xml" --format gif

# places that the model gives need no Graphviz; they are kept by those who write models
cat > placed.xml << 'END'
<model name="a &lt;b&gt; &amp; c" xmlns="urn:linnet:model:1">
  <block-type name="ntc" symbol="resistor"><port name="a" domain="electrical"/><port name="b" domain="electrical"/>
    <parameter name="R" default="1 kOhm" unit="Ohm"/><equation>a.i = (a.v - b.v)/R</equation><equation>b.i = -a.i</equation>
  </block-type>
  <ground id="gnd" p="0" at="100,160"/>
  <voltage-source id="V1" p="in" n="0" V="1 V" at="100,100"/>
  <ntc id="R1" a="in" b="out" at="200,40,180m"/>
  <capacitor id="C1" p="out" n="0" C="1e-7" at="300,100,270m"/>
  <simulation duration="1 ms"/>
</model>
END
expect 0 env PATH="$work/empty" "$LINNET" diagram placed.xml -o placed.svg && says err "4 blocks, 3 links"
grep -q 'data-block="V1" data-type="voltage-source" data-line="6".*translate(100,100)' placed.svg || fail "V1 is not where it was placed"
grep -q 'data-block="R1".*data-turn="180m"' placed.svg || fail "R1 is not turned as it was"
grep -q '100 nF' placed.svg || fail "a plain number has no prefix"
grep -qE '<title>a .lt;b(>|.gt;) .amp; c</title>' placed.svg || fail "the title is not escaped"
expect 0 "$LINNET" check --flat placed.xml && says out 'at="200,40,180m"' 'symbol="resistor"'
cp out flat.xml
expect 0 "$LINNET" diagram flat.xml -o - && cp out flat.svg && grep -q 'data-block="R1".*data-turn="180m"' flat.svg || fail "the flat model lost its places"
sed 's/100,100/100;100/' placed.xml > wrong.xml
expect 3 "$LINNET" check wrong.xml && says err 'wrong.xml:6: error: V1 (voltage-source): at="100;100" is no place'
sed 's/symbol="resistor"/symbol="resister"/' placed.xml > wrong.xml
expect 3 "$LINNET" diagram wrong.xml -o wrong.svg && says err "no symbol 'resister'; did you mean 'resistor'?"
sed 's/300,100/90000,90000/' placed.xml > far.xml
expect 3 "$LINNET" diagram far.xml -o far.svg && says err "too far apart"

# neither repetitions nor components without end
cat > many.xml << 'END'
<model xmlns="urn:linnet:model:1">
  <component name="A"><port name="p" domain="electrical"/><A id="a" p="p"/><A id="b" p="p"/></component>
  <repeat index="k" from="1" to="900000"><resistor id="R[k]" p="x[k]" n="x[k+1]" R="1 Ohm"/></repeat>
</model>
END
expect 3 "$LINNET" diagram many.xml -o many.svg && says err "many.xml:3: error: the model has more than 3000 blocks to draw"
sed 's#<repeat.*#<A id="a" p="q"/>#' many.xml > many2.xml
expect 3 "$LINNET" diagram --expand many2.xml -o many.svg && says err "more than 3000 blocks"
[ ! -e many.svg ] || fail "a picture of nothing was left"

# a model half made is drawn as far as it goes
cat > half.xml << 'END'
<model xmlns="urn:linnet:model:1">
  <resistor id="R1" p="a" at="100,100"/>
  <resitor id="R2" p="a" n="b" at="200,100"/>
</model>
END
expect 3 "$LINNET" diagram half.xml -o half.svg && says err "half.xml:3: error: R2: there is no block type 'resitor'; did you mean 'resistor'?"
grep -q 'data-block="R2"' half.svg && grep -q 'class="open"' half.svg || fail "what there is of a model was not drawn"

# ---- with Graphviz ----
if ! command -v dot > /dev/null; then finish; fi
motor=$examples/mixed/dc-motor-pi.xml
expect 0 "$LINNET" diagram --loops "$motor" -o loops.svg
[ "$(grep -c 'class="block loop-' loops.svg)" -ge 6 ] && grep -q 'class="link signal loop-' loops.svg || fail "loops are not coloured"
expect 0 "$LINNET" diagram "$motor" -o plain.svg
# a chain of forty blocks is folded into rows; where the model gives a place it is not
{ echo '<model name="chain"><constant id="c" out="u0" value="1"/>'
  k=0; while [ $k -lt 40 ]; do echo "<transfer-function id=\"g$k\" in=\"u$k\" out=\"u$((k + 1))\" numerator=\"1\" denominator=\"1 1\"/>"; k=$((k + 1)); done
  echo '</model>'; } > chain.xml
expect 0 "$LINNET" diagram chain.xml -o chain.svg
sed 's/id="c"/id="c" at="0,0"/' chain.xml > given.xml
expect 0 "$LINNET" diagram given.xml -o given.svg
shape() { sed -n 's/.* width="\([0-9]*\)" height="\([0-9]*\)" viewBox.*/\1 \2/p' "$1"; }
shape chain.svg | awk '{ exit !($1 < 3*$2) }' || fail "a chain is no page: $(shape chain.svg)"
shape given.svg | awk '{ exit !($1 > 10*$2) }' || fail "a chain with a place was folded: $(shape given.svg)"
if command -v python3 > /dev/null; then python3 "$here/tests/diagram.py" chain.svg > said || fail "$(head -n 3 said)"; fi
grep -q 'class="block loop-' plain.svg && fail "loops are coloured unasked"
grep -q '>1 g·m²<' plain.svg && grep -q '>0.05 N·m<' plain.svg || fail "units are not printed as one writes them"
expect 0 "$LINNET" diagram "$motor" -o motor.tex && grep -q 'begin{tikzpicture}' motor.tex || fail "no TikZ"
if command -v pdflatex > /dev/null; then # each example at length
    for file in ${LINNET_FULL:+"$examples"/*/*.xml} "$motor"; do
        grep -q '<model[^>]* name=' "$file" || continue
        expect 0 "$LINNET" diagram -q "$file" -o picture.tex
        pdflatex -interaction=nonstopmode -halt-on-error picture.tex > tex.out 2>&1 || fail "TeX refuses the picture of $file: $(grep '^!' tex.out)"
    done
fi
if command -v rsvg-convert > /dev/null; then
    expect 0 "$LINNET" diagram "$motor" -o motor.png && head -c 8 motor.png | grep -q PNG || fail "no PNG"
    expect 0 "$LINNET" diagram "$motor" -o motor.pdf && head -c 5 motor.pdf | grep -q '%PDF' || fail "no PDF"
fi
ladder=$examples/electrical/rc-ladder.xml
expect 0 "$LINNET" diagram "$ladder" -o boxes.svg && expect 0 "$LINNET" diagram --expand "$ladder" -o inside.svg
grep -q 'data-block="s1" data-type="section"' boxes.svg && grep -q 'data-block="s1.R1"' inside.svg &&
    grep -q 'data-component="s1"' inside.svg || fail "--expand does not open components"
expect 0 "$LINNET" diagram --set n=3 "$examples/thermal/heat-rod.xml" -o rod.svg

drawn=
for model in "$examples"/*/*.xml "$here"/tests/spice/*.cir; do
    case ${LINNET_FULL:+yes}:$model in
        :*/electrical/[p-w]*.xml | :*/mixed/[a-k]*.xml | :*/hybrid/* | :*/spice/[d-h]*.cir | :*/translational/* | yes:*) ;;
        *) continue ;;
    esac
    grep -q '<library' "$model" && continue
    picture=$(basename "$(dirname "$model")")-$(basename "$model").svg
    "$LINNET" diagram -q "$model" -o "$picture" 2> err || fail "$model: $(cat err)"
    drawn="$drawn $picture"
done
if command -v python3 > /dev/null; then
    # shellcheck disable=SC2086
    python3 "$here/tests/diagram.py" $drawn placed.svg half.svg loops.svg boxes.svg inside.svg rod.svg > complaints || fail "$(head -n 20 complaints)"
fi
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# linnet schema: RELAX NG and XML Schema accept every example and a model's own types, and refuse typical mistakes.
. "${srcdir:-.}/tests/shell.sh"
here=$(cd "${srcdir:-.}" && pwd)
cd "$work" || exit 1

expect 2 "$LINNET" schema --format dtd && says err "it must be rng or xsd"
expect 2 "$LINNET" schema model.xml && says err "one word too many"
expect 0 "$LINNET" schema -o linnet.rng && expect 0 "$LINNET" schema -o linnet.xsd
expect 0 "$LINNET" schema --format xsd && cmp -s out linnet.xsd || fail "the standard output differs from the file"
grep -q 'a:documentation>Linear resistor<' linnet.rng && grep -q 'xs:documentation>Linear resistor<' linnet.xsd || fail "types have no text"
grep -q '\[Ohm\]' linnet.rng || fail "parameters have no unit"
if ! command -v xmllint > /dev/null; then finish; fi

xmllint --noout --relaxng linnet.rng "$here"/models/examples/*/*.xml 2>&1 | grep -v ' validates$' > complaints
[ ! -s complaints ] || fail "RELAX NG: $(head -n 5 complaints)"
xmllint --noout --schema linnet.xsd "$here"/models/examples/*/*.xml 2>&1 | grep -v ' validates$' > complaints
[ ! -s complaints ] || fail "XML Schema: $(head -n 5 complaints)"

cat > own.xml << 'END'
<model name="own" xmlns="urn:linnet:model:1">
  <block-type name="ball" symbol="mass"><output name="h"/><state name="x" start="1"/><equation>der(x) = -x</equation><equation>h = x</equation></block-type>
  <component name="pair"><port name="p" domain="electrical"/><resistor id="R1" p="p" n="m" R="1 kOhm"/><ball id="b"/></component>
  <ball id="b1" h="y" at="10,20"/>
  <pair id="P1" p="a" whatever="5"/>
  <repeat index="k" from="1" to="3"><gain id="g[k]" in="y" k="2" out="z[k]"/></repeat>
  <simulation duration="1 s" method="radau5"/>
</model>
END
for kind in relaxng:linnet.rng schema:linnet.xsd; do
    xmllint --noout "--${kind%:*}" "${kind#*:}" own.xml 2> err || fail "${kind#*:} refuses types of the model: $(head -n 3 err)"
    # refused by both: what would pass in silence else
    while IFS='|' read -r what from to; do
        sed "s#$from#$to#" own.xml > wrong.xml
        cmp -s own.xml wrong.xml && fail "the mistake '$what' is not made"
        xmllint --noout "--${kind%:*}" "${kind#*:}" wrong.xml 2> err && fail "${kind#*:} accepts $what"
    done << 'END'
a misspelt parameter|R="1 kOhm"|r="1 kOhm"
a misspelt port|in="y"|inn="y"
a block without id|<gain id="g\[k\]"|<gain
an attribute of <simulation> that is none|duration=|time=
a method that is none|radau5|radau6
a domain that is none|domain="electrical"|domain="electric"
a missing required attribute|<state name="x"|<state
an element in a block type that is none|<state |<estate 
an equation without its element|<repeat index="k"|<repeat
END
done
finish

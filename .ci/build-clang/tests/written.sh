#!/bin/sh
# SPDX-License-Identifier: MIT
# A nonlinear row is added up as it is written: large terms that cancel exactly leave the digits of the small ones.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1
# gives VALUE RIGHT-HAND-SIDE: y(1) of der(y) = the right-hand side, where all but y stand still at 1
gives() {
    cat > written.xml <<END_OF_MODEL
<model name="written">
  <block-type name="written"><state name="x" start="1"/> <state name="w" start="1"/> <state name="y"/>
    <equation>der(x) = 0</equation> <equation>der(w) = 0</equation> <equation>der(y) = $2</equation></block-type>
  <written id="r"/> <simulation duration="1"/> <record signals="r.y"/>
</model>
END_OF_MODEL
    expect 0 "$LINNET" run written.xml -q
    tail -n 1 written.csv | awk -F, -v right="$1" '{ off = $2 - right; exit !(off*off < 1e-24) }' ||
        fail "$2: $(tail -n 1 written.csv) instead of $1"
}
gives 0.75 '(x - 0.25*x) - (1e16*x - 1e16*x^3)'
gives 0.75 '(1e16*x^3 - 1e16*x) + 0.75*x'
gives 0.75 '(x^2 - 0.25*x^2) - (1e16*x^2 - 1e16*x^3)'
gives 0.75 '0.75*x + 1e16*(x^3 - x)'
gives 0.75 '(x - 0.25*x) - (1e16*w*x - 1e16*x^3)'
# what cancels by form is not computed at all
gives 1 '(1/x + w^2) - 1/x'
finish

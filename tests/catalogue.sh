#!/bin/sh
# SPDX-License-Identifier: MIT
# Every type that `linnet blocks` lists is used by an example, a test or the manual, and `linnet blocks TYPE` shows how.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1
"$LINNET" blocks | sed -n 's/^  \([a-z0-9][a-z0-9-]*\)  .*/\1/p' | sort > types
cat "$srcdir"/models/examples/*/*.xml "$srcdir"/tests/*.c "$srcdir"/tests/*.h "$srcdir"/tests/*.sh "$srcdir"/doc/manual.md |
    grep -o '[<"][a-z][a-z0-9-]*' | tr -d '<"' | sort -u > used
[ "$(wc -l < types)" -ge 250 ] || fail "only $(wc -l < types) types are listed"
for type in $(comm -23 types used); do fail "no example, test or manual uses a $type"; done
for type in $(cat types); do
    "$LINNET" blocks "$type" > out 2> err || fail "linnet blocks $type: $(cat err)"
    grep -q "<$type " out || fail "linnet blocks $type shows no example"
done

# A file of the library is read when one of its types is asked for, by a list that the build makes of first lines.
mkdir -p models/library
printf '<library>\n  <block-type group="signal"\n    name="late">\n' > models/library/late.xml
printf '<library>\n  <block-type name="early" group="signal">\n' > models/library/early.xml
expect 1 awk -f "$srcdir/src/blocks/embed.awk" models/library/late.xml && says err "late.xml:2:" "first line"
expect 0 awk -f "$srcdir/src/blocks/embed.awk" models/library/early.xml && says out '{"early", "signal"}'
# What can be recorded says what it is.
for type in $(cat types); do
    "$LINNET" blocks "$type" --format json | sed 's/.*"recorded": \[//' | grep -o '"name": "[^"]*"[^}]*}' | grep -v '"doc": "[^"]' |
        sed "s/^\"name\": \"\([^\"]*\).*/$type \1/"
done > silent
[ ! -s silent ] || fail "$(wc -l < silent) names that can be recorded have no text: $(head -n 8 silent | tr '\n' ';')"
# What a type remembers is listed with it, and can be recorded.
"$LINNET" blocks ideal-thyristor | grep -q 'fired.*while the gate is on' || fail "a thyristor's memory is not listed"
# Equations are typeset; the rule of these few is an algorithm, told in words.
"$LINNET" blocks --format markdown | awk '/^### / { if (name != "" && !set) print name; name = $2; set = 0 } /^\$\$/ { set = 1 }
    END { if (!set) print name }' | sort | tr '\n' ' ' > words
[ "$(cat words)" = "analog-filter convert demux fmu lookup lookup-2d mux piecewise-linear reshape terminate time-table " ] ||
    fail "types without typeset equations: $(cat words)"
finish

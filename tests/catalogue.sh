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
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# Every example under models/examples/ carries references, and meets them.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1
count=0
for model in "$srcdir"/models/examples/*/*.xml; do
    grep -q '<model' "$model" || continue # a library of types beside the models
    count=$((count + 1))
    expect 0 "$LINNET" verify "$model" || sed 's/^/    | /' "$work/out" | grep -E 'xml|signal|MISSED'
done
[ "$count" -ge 20 ] || fail "only $count examples were found"
finish

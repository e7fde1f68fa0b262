#!/bin/sh
# SPDX-License-Identifier: MIT
# Results do not depend on the order of what a model holds: every example, flat and with its elements shuffled, runs to
# the same bytes.
. "${srcdir:-.}/tests/shell.sh"
count=0
cd "$work" || exit 1
for model in "$srcdir"/models/examples/*/*.xml; do
    grep -q '<model' "$model" || continue
    cp "${model%/*}"/*.csv . 2> /dev/null
    expect 0 "$LINNET" check --flat --quiet "$model" && cp out flat.xml || continue
    # blocks, links, parameters and references stand in lines of their own; what spreads over lines stays first
    awk -v seed="$count" 'BEGIN { srand(seed + 1) }
        /^<\/model>/ { exit }
        /^  <[a-z][^>]*\/>$/ && !/^  <record/ { later[++n] = $0; next }
        { print }
        END {
            for (k = n; k > 1; k--) { j = int(rand()*k) + 1; line = later[j]; later[j] = later[k]; later[k] = line }
            for (k = 1; k <= n; k++) print later[k]
            print "</model>"
        }' flat.xml > mixed.xml
    expect 0 "$LINNET" run --quiet flat.xml -o flat.csv
    expect 0 "$LINNET" run --quiet mixed.xml -o mixed.csv
    cmp -s flat.csv mixed.csv || fail "the order of elements changes the result of $model"
    cmp -s flat.xml mixed.xml || count=$((count + 1))
done
[ "$count" -ge 60 ] || fail "only $count examples were shuffled"
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# The code of every example that can be generated, beside the simulation: equal step by step. Of `make check-full`.
. "${srcdir:-.}/tests/shell.sh"
. "$srcdir/tests/codegen_kit.sh"
have_compiler || { echo "no C compiler here"; exit 77; }
cd "$work" || exit 1
made=0
for model in "$srcdir"/models/examples/*/*.xml; do
    step=$(sed -n 's/.*<simulation[^>]* step="\([^"]*\)".*/\1/p' "$model")
    duration=$(sed -n 's/.*<simulation[^>]* duration="\([^"]*\)".*/\1/p' "$model")
    # a model without a step gets a thousand
    set -- --method rk4 --step "${step:-(${duration:-1})/1000}"
    "$LINNET" codegen "$model" "$@" -q -o tried --name gen > out 2>&1 || {
        grep -Eq 'physical|delays|explicit method|a library holds types|makes .* steps' out || fail "$model: $(cat out)"
        continue
    }
    # what an explicit method cannot follow stops there, too
    "$LINNET" run "$model" "$@" --events at-steps -q -o tried.csv > out 2>&1 || continue
    agrees "$model" 0 "$@" && made=$((made + 1))
done
[ $made -ge 25 ] || fail "only $made examples were generated"
echo "$made examples"
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# Mutants: one operator or constant of the core is changed at a time, and tests must notice.
#
# mutants.sh [NUMBER [SEED]]: so many mutants, chosen at random from the rooms integrate, system, network, expression, in a copy
# of the build; the tests of the room are run one by one until one fails. Prints each survivor, and how many were killed. Fails
# when fewer than 85 in a hundred are, from a hundred mutants on: a few say little.
: "${srcdir:=$PWD}"
: "${builddir:=$PWD}"
number=${1:-10} seed=${2:-1}
[ "$srcdir" = "$builddir" ] || [ "$(cd "$srcdir" && pwd)" = "$(cd "$builddir" && pwd)" ] ||
    { echo "mutants need a build in the sources"; exit 77; }
copy=$(mktemp -d "${TMPDIR:-/tmp}/linnet-mutants.XXXXXX")
trap 'rm -rf "$copy"' EXIT
trap 'exit 130' INT TERM

tests_of() {
    case $1 in
        integrate) echo test_integrate test_steppers test_radau5 test_explicit test_crossings test_hybrid_runs test_operating \
            test_cases test_continuation test_modes test_triggered test_delay test_convergence test_checkpoint ;;
        system) echo test_integrate test_diagram test_networks test_hidden test_index test_small_signal test_diagram_runs \
            test_hybrid test_delay test_cases test_sampled test_storage ;;
        network) echo test_network test_hierarchy test_vectors test_loops test_storage test_enable test_arrays test_scope \
            test_networks test_index test_cases ;;
        expression) echo test_expression test_blocks test_contract test_arrays test_modes test_cases test_diagram ;;
    esac
}

# file, line, column, length, what takes its place: every place that may be changed
places() {
    awk '
    function out(at, length_, to) { print FILENAME, FNR, at, length_, to }
    FNR == 1 { comment = 0 }
    {
        line = $0
        if (comment) { if (line ~ /\*\//) comment = 0; next }
        if (line ~ /^[ \t]*\/\*/) { if (line !~ /\*\//) comment = 1; next }
        if (line ~ /^[ \t]*(#|\*|static const char|X\()/ || line ~ /"/ || line !~ /^    /) next
        sub(/\/\*.*/, "", line)
        n = length(line)
        for (k = 5; k < n; k++) {
            two = substr(line, k, 2); four = substr(line, k - 1, 3); three = substr(line, k, 3)
            if (two == "==") out(k, 2, "!=")
            if (two == "!=") out(k, 2, "==")
            if (two == "&&") out(k, 2, "||")
            if (two == "||") out(k, 2, "&&")
            if (two == "<=") out(k, 2, "<")
            if (two == ">=") out(k, 2, ">")
            if (four == " < ") out(k, 1, "<=")
            if (four == " > ") out(k, 1, ">=")
            if (four == " + ") out(k, 1, "-")
            if (four == " - ") out(k, 1, "+")
            if (four == " * ") out(k, 1, "/")
            if (four == " / ") out(k, 1, "*")
            if (two == "+=") out(k, 2, "-=")
            if (two == "-=") out(k, 2, "+=")
            if (four ~ /^[ (\[][01][;, )\]]$/) out(k, 1, substr(line, k, 1) == "0" ? "1" : "0")
        }
    }' "$@"
}

mutate() { # file line column length to
    awk -v l="$2" -v c="$3" -v n="$4" -v to="$5" \
        'NR == l { $0 = substr($0, 1, c - 1) to substr($0, c + n) } { print }' "$1" > "$1.new" && mv "$1.new" "$1"
}

# 0: a test noticed
noticed() {
    for test in $(tests_of "$1"); do
        make -s "tests/$test" > make.log 2>&1 || return 0 # it does not even build: no mutant to speak of
        timeout 120 "tests/$test" > test.log 2>&1 || return 0
    done
    return 1
}

(cd "$builddir" && tar cf - --exclude=.git --exclude=.ci/build-\* --exclude=fuzz-\* --exclude='*tests_fuzz_search-*' .) | (cd "$copy" && tar xf -)
cd "$copy" || exit 1
srcdir=$copy builddir=$copy
export srcdir builddir
for room in integrate system network expression; do places src/$room/*.c; done |
    awk -v seed="$seed" 'BEGIN { srand(seed) } { print rand() "\t" $0 }' | sort -n | cut -f 2 | head -n "$number" > places.txt
killed=0 all=0
while read -r file line column length to; do
    cp -p "$file" original.c
    mutate "$file" "$line" "$column" "$length" "$to"
    room=${file#src/}
    all=$((all + 1))
    if noticed "${room%%/*}"; then
        killed=$((killed + 1))
    else
        echo "survived: $file:$line: $(sed -n "${line}p" "$file" | sed 's/^ *//') (was: $(sed -n "${line}p" original.c | sed 's/^ *//'))"
    fi
    cp original.c "$file"
done < places.txt
echo "$killed of $all mutants killed (seed $seed)"
[ "$all" -lt 100 ] || [ $((100 * killed)) -ge $((85 * all)) ]

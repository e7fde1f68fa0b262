# SPDX-License-Identifier: MIT
# For tests of generated code: a model is generated, compiled with every warning an error, run, and
# compared with the simulation that lets events act at the ends of steps. Needs tests/shell.sh; the test goes on in its folder.
: "${CC:=cc}"
STRICT="-std=c99 -pedantic -ffp-contract=off -Wall -Wextra -Wconversion -Wdouble-promotion -Werror"

examples=$srcdir/models/examples
cd "$work" || exit 1

# have_compiler: 0 when there is a C compiler; a test without one passes.
have_compiler() { $CC --version > "$work/out" 2>&1; }

# generate MODEL [OPTION]...: the code of MODEL as gen.c in $work/gen, compiled to $work/gen/main.
generate() {
    rm -rf "$work/gen"
    expect 0 "$LINNET" codegen "$@" $CODEGEN_OPTIONS --name gen -o "$work/gen" --test-main || return 1
    $CC -O1 $STRICT $CODEGEN_CFLAGS -o "$work/gen/main" "$work/gen/gen.c" "$work/gen/gen_main.c" -lm \
        2> "$work/err" && return 0
    fail "the code of $1 does not compile"
    sed 's/^/    | /' "$work/err" | head -n 10
    return 1
}

# same FILE FILE TOLERANCE: two results agree at all times that both have; of a time told twice the last row counts, or
# the first one if SIDE is left: the outputs of a network in which nothing happens between steps belong to a step's end.
# Numbers below LEAST, if it is set, are one: what underflows in a run is zero, so that changes of it are lost; code keeps them.
same() {
    awk -F, -v tolerance="$3" -v side="$SIDE" -v least="${LEAST:-0}" '
        FNR == 1 { file++; columns[file] = $0; next }
        side == "left" && ((file, $1 + 0) in row) { next }
        { row[file, $1 + 0] = $0 }
        function size(x) { return x < 0 ? -x : x }
        END {
            sub(/\r$/, "", columns[1]); sub(/\r$/, "", columns[2])
            if (columns[1] != columns[2]) { print "columns differ: " columns[1] " / " columns[2]; exit 1 }
            for (key in row) {
                split(key, part, SUBSEP)
                if (part[1] != 1 || !((2, part[2]) in row)) continue
                common++
                n = split(row[key], one); split(row[2, part[2]], two)
                for (k = 2; k <= n; k++) {
                    if (size(one[k] + 0) < least && size(two[k] + 0) < least) continue
                    if (one[k] == two[k] || size(one[k] - two[k]) <= tolerance * (1 + size(one[k]))) continue
                    print "at t = " part[2] " column " k ": " one[k] " and " two[k]
                    if (++bad == 5) exit 1
                }
            }
            if (common < 3) { print "only " common + 0 " times in common"; exit 1 }
            exit bad > 0
        }' "$1" "$2"
}

# agrees MODEL TOLERANCE [OPTION]...: generated code and simulation agree step by step.
agrees() {
    model=$1 tolerance=$2
    shift 2
    generate "$model" "$@" || return 1
    "$work/gen/main" -o "$work/gen/code.csv" 2> "$work/err" || { fail "the code of $model stopped: $(cat "$work/err")"; return 1; }
    SIDE=
    grep -q 'gen_evaluate(' "$work/gen/gen.h" || SIDE=left
    # shellcheck disable=SC2086
    expect 0 "$LINNET" run "$model" "$@" ${RUN_OPTIONS---events at-steps} -q -o "$work/gen/run.csv" || return 1
    same "$work/gen/run.csv" "$work/gen/code.csv" "$tolerance" > "$work/out" && return 0
    fail "$model: $(head -n 3 "$work/out")"
}

#!/bin/sh
# SPDX-License-Identifier: MIT
# What compilers do not say (`make lint`): the layout (clang-format 14; nothing built among the sources), the figures of tests/figures.sh, the meaning of each constant (tests/constants.py), and cppcheck,
# whose findings are counted by file and kind in tests/lint.txt, which may only fall: a new one fails. --record writes
# both files anew. `tidy` lists what clang-tidy finds by .clang-tidy, in minutes, and judges nothing.
# Usage: tests/lint.sh [--record] [layout|figures|constants|cppcheck|tidy]...   without a name: the first four
set -u
cd "${srcdir:-.}" || exit 1
record=""
if [ "${1:-}" = --record ]; then record=yes; shift; fi
[ $# -gt 0 ] || set -- layout figures constants cppcheck
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
sources=$(find src -name '*.c' ! -name 'embedded*.c' ! -path 'src/mpi/*' | LC_ALL=C sort)
flags="-Iinclude -Isrc -D_GNU_SOURCE -DLINNET_VERSION=\"0\" -DLINNET_MODULE_DIR=\"/\" -DLINNET_LIBRARY_DIR=\"/\""

# "FILE KIND" for each finding -> counts, against the recorded ones of this tool
judge() { # tool
    LC_ALL=C sort "$work/found" | uniq -c | awk -v tool="$1" '{ print tool, $2, $3, $1 }' > "$work/now"
    if [ -n "$record" ]; then
        { grep -v "^$1 " tests/lint.txt; cat "$work/now"; } 2> /dev/null | LC_ALL=C sort > "$work/all"
        cp "$work/all" tests/lint.txt
    else
        awk 'FNR == NR { most[$1 " " $2 " " $3] = $4; next } $4 > most[$1 " " $2 " " $3] + 0 {
            printf "lint: %s: %s: %d findings of %s, %d before\n", $1, $2, $4, $3, most[$1 " " $2 " " $3]; bad = 1 }
            END { exit bad }' tests/lint.txt "$work/now" || { bad=1; cat "$work/log"; }
    fi
    echo "$1: $(awk '{ n += $4 } END { print n + 0 }' "$work/now") findings"
}

for part in "$@"; do
    case $part in
        layout)
            find src include tests bench doc -name '*.[ch]' ! -name 'embedded*.c' -exec clang-format-14 --dry-run -Werror {} + > "$work/log" 2>&1 ||
                { bad=1; grep 'error:' "$work/log" | sort -u -t: -k1,1 | head -n 20; echo "lint: run 'make format'"; }
            git ls-files -z 2> /dev/null | xargs -0 -r ls -ld | # what is written by hand is smaller
                awk '$5 > 500000 { print "lint: " $NF " has " $5 " bytes: what is built is not kept"; bad = 1 } END { exit bad }' || bad=1 ;;
        constants) python3 tests/constants.py || bad=1 ;;
        figures) if [ -n "$record" ]; then sh tests/figures.sh --record; else sh tests/figures.sh || bad=1; fi ;;
        cppcheck)
            # shellcheck disable=SC2086
            cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --suppress=missingIncludeSystem \
                --suppress=unknownMacro --suppress=varFuncNullUB --suppress=nullPointerArithmeticRedundantCheck -j 2 --template='{file}:{line}: {id}: {message}' $flags $sources > "$work/log" 2>&1
            grep -E '^src/[^:]*:[0-9]+: ' "$work/log" | sed -E 's/^([^:]*):[0-9]+: ([A-Za-z]+): .*/\1 \2/' > "$work/found"
            judge cppcheck ;;
        tidy)
            # shellcheck disable=SC2086
            printf '%s\n' $sources | xargs -P 2 -n 8 sh -c 'clang-tidy-14 --quiet "$@" -- -std=c11 '"$(printf '%s' "$flags" | sed 's/"/\\"/g')"' \
                -isystem /usr/include/suitesparse $(pkg-config --cflags libxml-2.0)' tidy > "$work/log" 2> /dev/null
            grep -E 'warning: .*\[[a-z]' "$work/log" | sed -E "s|^$PWD/||" | grep '^src' | sort -u ;;
        *) echo "lint: there is no part '$part'"; bad=1 ;;
    esac
done
exit $bad

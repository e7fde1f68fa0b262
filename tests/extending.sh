#!/bin/sh
# SPDX-License-Identifier: MIT
# doc/extending.md tells the truth: its model and commands are walked through, what it quotes of the source stands there, line
# by line in this order, and every file that it names exists.
. "${srcdir:-.}/tests/shell.sh"
page=$srcdir/doc/extending.md
sh "$srcdir/doc/walk.sh" "$LINNET" "$page" "$work/walk" || fail "extending.md is not as written"

quoted() { # FILE: the lines of the standard input follow each other there
    awk 'NR == FNR { want[++n] = $0; next }
         $0 == want[at + 1] { if (++at == n) { found = 1; exit } next }
         { at = ($0 == want[1]) } END { exit !found }' - "$1"
}
sed -n 's/^```c \(.*\)$/\1/p' "$page" | while read -r file; do
    [ -f "$srcdir/$file" ] || { echo "FAILED: there is no $file"; exit 1; }
    awk -v file="$file" '/^```c / { inside = $2 == file; next } /^```$/ { inside = 0 } inside' "$page" | quoted "$srcdir/$file" ||
        { echo "FAILED: $file does not have what extending.md quotes"; exit 1; }
done || fail "quotations"
for file in $(grep -o '`\(src\|tests\|doc\|include\|models\)/[A-Za-z0-9_./-]*`' "$page" | tr -d '`' | sort -u); do
    case $file in *NAME*) continue ;; esac
    [ -e "$srcdir/$file" ] || fail "extending.md names $file, which is not there"
done
for list in $(grep -o '`LN_[A-Z_]*`' "$page" | tr -d '`' | sort -u); do
    grep -rq "define $list" "$srcdir/src" || fail "there is no $list"
done
finish

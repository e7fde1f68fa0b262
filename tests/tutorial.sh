#!/bin/sh
# SPDX-License-Identifier: MIT
# The tutorials tell the truth: every listing is a file, every command ends as it says, every line of text is said, every
# picture is drawn; and a walk notices what is not as written.
. "${srcdir:-.}/tests/shell.sh"
command -v gnuplot > /dev/null || { echo "gnuplot is missing: the tutorials draw"; exit 77; }
cd "$work" || exit 1
for tutorial in electronics control mechanics numerics teaching; do
    page=$srcdir/doc/tutorial-$tutorial.md
    sh "$srcdir/doc/walk.sh" "$LINNET" "$page" "$work/$tutorial" || fail "$tutorial is not as written"
    [ "$(grep -c '^## ' "$page")" = 10 ] || fail "$tutorial has not ten steps"
    for picture in $(sed -n 's/^!\[.*\](pictures\/\(.*\))$/\1/p' "$page"); do
        grep -q '<svg' "$tutorial/$picture" || fail "$tutorial shows $picture, which no command draws"
    done
done

fence='```'
printf '%s\n' "${fence}xml none.xml" '<model>' "$fence" "${fence}sh" 'linnet check none.xml' "$fence" "${fence}text" 'all is well' "$fence" > wrong.md
expect 1 sh "$srcdir/doc/walk.sh" "$LINNET" wrong.md "$work/wrong"
says out "exit status 3, expected 0: linnet check none.xml" "not said: all is well"
finish

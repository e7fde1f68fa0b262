#!/bin/sh
# SPDX-License-Identifier: MIT
# The pages for users of other systems: every type, word of the language and command that a table names exists, every
# model is a file that runs as the page says.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1
"$LINNET" blocks | sed -n 's/^  \([a-z0-9][a-z0-9-]*\)  .*/\1/p' > types
"$LINNET" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/linnet \1/p' > commands
# the second column of each row; what stands between backquotes there
grep '^|' "$srcdir/doc/coming-from.md" | grep -v '^|---\|^| there' | awk -F'|' '{print $3}' | grep -o '`[^`]*`' | tr -d '`' | sort -u > names
[ "$(wc -l < names)" -ge 150 ] || fail "only $(wc -l < names) names are in the tables"
while read -r name; do
    case $name in
    '<'*) word=${name#<}; grep -qF "{\"${word%>}\"," "$srcdir/src/model/language.c" || fail "the language has no $name" ;;
    -*) "$LINNET" run --help | grep -qF -e "${name%% *}" || fail "there is no option $name" ;;
    'linnet '*) grep -qxF "$name" commands || fail "there is no command $name" ;;
    -*) "$LINNET" run --help | grep -q -e "^ *${name%% *}, " || fail "run has no option $name" ;;
    *) grep -qxF -e "$name" types || fail "there is no type $name" ;;
    esac
done < names
sh "$srcdir/doc/walk.sh" "$LINNET" "$srcdir/doc/coming-from.md" "$work/walk" || fail "coming-from.md is not as written"
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# The tour of the source in doc/architecture.md is true: every file is named there under its room, and every name is a
# file; files open with their licence, keep their size, and leave nothing unfinished. (Who may include whom: rooms.sh.)
. "${srcdir:-.}/tests/shell.sh"
page=$srcdir/doc/architecture.md
cd "$srcdir" || exit 1
sources=$(find src include -name '*.[ch]' ! -name 'embedded*.c' | sort) # embedded.c is made by the build

# ---- the tour ----
for file in $sources; do
    case $file in include/*) room=include/linnet ;; *) room=$(printf '%s' "$file" | cut -d/ -f1-2) ;; esac
    stem=$(basename "$file" | sed 's/\.[ch]$//')
    awk -v title="## $room" '$0 == title {inside = 1; next} /^## / {inside = 0} inside' "$page" | grep -qF "\`$stem\`" ||
        fail "doc/architecture.md does not name \`$stem\` under $room ($file)"
done
sed -n '/^## \(src\|include\)/,$p' "$page" | awk -F'|' '
    /^## / {room = $0; sub(/^## /, "", room)}
    /^\| `/ && room ~ /^(src|include)/ {n = split($2, names, /`/); for (i = 2; i <= n; i += 2) print room, names[i]}' |
    while read -r room stem; do
        [ -n "$(find "$room" -name "$stem.[ch]")" ] || echo "$room/$stem"
    done > "$work/gone"
[ ! -s "$work/gone" ] || fail "doc/architecture.md names files that are not there: $(tr '\n' ' ' < "$work/gone")"

# ---- each file ----
for file in $sources; do
    [ "$(head -n 1 "$file")" = '/* SPDX-License-Identifier: MIT */' ] || fail "$file does not open with its licence"
    lines=$(grep -c . "$file") # blank ones apart: clang-format puts each statement on a line of its own
    [ "$lines" -le 500 ] || fail "$file has $lines lines"
done
grep -nwE 'TODO|FIXME|XXX|HACK' $sources > "$work/marks" && fail "unfinished: $(cat "$work/marks")"
# what make check runs by its name is a program
for script in $(sed -n 's/^dist_check_SCRIPTS += //p' tests/*.mk | tr -d '\\'); do
    [ -x "$script" ] || fail "$script cannot be run: chmod +x"
done
finish

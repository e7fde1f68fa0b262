#!/bin/sh
# SPDX-License-Identifier: MIT
# The tour of the source in doc/architecture.md is true: every file is named there under its room, and every name is a
# file; files open with their licence, keep their size, and leave nothing unfinished. (Who may include whom: rooms.sh.)
. "${srcdir:-.}/tests/shell.sh"
page=$srcdir/doc/architecture.md
cd "$srcdir" || exit 1
sources=$(find src include -name '*.[ch]' ! -name 'embedded*.c' | sort) # embedded.c is made by the build

# ---- the tour ----
# "ROOM NAME" of each name in backquotes under a room's heading, and "ROOM NAME FILE" of each file
awk '/^## / { room = substr($0, 4); next }
    room != "" { n = split($0, part, /`/); for (i = 2; i <= n; i += 2) print room, part[i] }' "$page" > "$work/told"
printf '%s\n' $sources | awk -F/ '{ stem = $NF; sub(/\.[ch]$/, "", stem); print $1 "/" $2, stem, $0 }' |
    awk 'FNR == NR { told[$0] = 1; next } !(($1 " " $2) in told)' "$work/told" - > "$work/untold"
while read -r room stem file; do
    fail "doc/architecture.md does not name \`$stem\` under $room ($file)"
done < "$work/untold"
sed -n '/^## \(src\|include\)/,$p' "$page" | awk -F'|' '
    /^## / {room = $0; sub(/^## /, "", room)}
    /^\| `/ && room ~ /^(src|include)/ {n = split($2, names, /`/); for (i = 2; i <= n; i += 2) print room, names[i]}' |
    while read -r room stem; do
        [ -n "$(find "$room" -name "$stem.[ch]")" ] || echo "$room/$stem"
    done > "$work/gone"
[ ! -s "$work/gone" ] || fail "doc/architecture.md names files that are not there: $(tr '\n' ' ' < "$work/gone")"

# ---- each file ----
# blank lines apart: clang-format puts each statement on a line of its own
awk 'function judge() { if (lines > 500) print file " has " lines " lines" }
    FNR == 1 { judge(); file = FILENAME; lines = 0
        if ($0 != "/* SPDX-License-Identifier: MIT */") print file " does not open with its licence" }
    /./ { lines++ } END { judge() }' $sources > "$work/forms"
while read -r said; do fail "$said"; done < "$work/forms"
grep -nwE 'TODO|FIXME|XXX|HACK' $sources > "$work/marks" && fail "unfinished: $(cat "$work/marks")"
# what make check runs by its name is a program
for script in $(sed -n 's/^dist_check_SCRIPTS += //p' tests/*.mk | tr -d '\\'); do
    [ -x "$script" ] || fail "$script cannot be run: chmod +x"
done
finish

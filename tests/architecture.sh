#!/bin/sh
# SPDX-License-Identifier: MIT
# The source is as doc/architecture.md says: every file is named there under its room, rooms include downwards only, the
# libraries stay in their room, files open with their licence and keep their size, and no unbounded call is used.
. "${srcdir:-.}/tests/shell.sh"
page=$srcdir/doc/architecture.md
cd "$srcdir" || exit 1
sources=$(find src include -name '*.[ch]' ! -name embedded.c | sort) # embedded.c is made by the build

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

# ---- rooms look downwards only ----
rank() {
    case $1 in
        base) echo 0 ;; linear) echo 1 ;; expression) echo 2 ;; model) echo 3 ;; blocks) echo 4 ;; network) echo 5 ;;
        system) echo 6 ;; integrate | result) echo 7 ;; analysis) echo 8 ;; cli) echo 9 ;; *) echo 99 ;;
    esac
}
grep -n '#include "[a-z_]*/' $sources | sed 's/^src\/\([a-z]*\)\/\([^:]*\):[0-9]*:#include "\([a-z_]*\)\/.*/\1 \3 src\/\1\/\2/' |
    sort -u > "$work/includes"
while read -r from to file; do
    [ "$from" = "$to" ] && continue
    [ "$(rank "$to")" -lt "$(rank "$from")" ] || fail "$file: $from includes a header of $to"
done < "$work/includes"
[ -s "$work/includes" ] || fail "no includes were found"

# ---- libraries in their room ----
for header in lapacke.h klu.h; do
    users=$(grep -l "#include <.*$header>" $sources | grep -v '^src/linear/')
    [ -z "$users" ] || fail "$header is included outside src/linear: $users"
done
users=$(grep -l '#include <libxml' $sources | grep -v '^src/model/')
[ -z "$users" ] || fail "libxml2 is included outside src/model: $users"

# ---- each file ----
for file in $sources; do
    [ "$(head -n 1 "$file")" = '/* SPDX-License-Identifier: MIT */' ] || fail "$file does not open with its licence"
    lines=$(wc -l < "$file")
    [ "$lines" -le 500 ] || fail "$file has $lines lines"
done
grep -nE '\b(strcpy|strcat|sprintf|vsprintf|atof|atoi|strtok|gets|alloca|abort|exit)\(' $sources > "$work/banned" && fail "unbounded calls: $(cat "$work/banned")"
grep -nE '\b(malloc|calloc|realloc|free)\(' $(printf '%s\n' $sources | grep -v '^src/base/sys.c') |
    grep -vE '>(free|malloc)\(|\*free\)' > "$work/memory" && fail "memory behind the back of ln_sys: $(cat "$work/memory")"
grep -nE 'TODO|FIXME|XXX|HACK' $sources > "$work/marks" && fail "unfinished: $(cat "$work/marks")"
finish

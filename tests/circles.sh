#!/bin/sh
# SPDX-License-Identifier: MIT
# Files are layered: none calls itself by way of others, so each can be read after those below it. What calls what is read
# from the objects of the build (nm): a file is in a circle if its calls lead back to it.
. "${srcdir:-.}/tests/shell.sh"
command -v nm > "$work/nm" || { echo "there is no nm"; exit 77; }
find src -name '*.o' | LC_ALL=C sort > "$work/objects" # those of shared libraries stand in .libs
grep -q . "$work/objects" || { echo "no objects stand in this build"; exit 77; }

# FILE: NAME TYPE ...: what a file defines, and what it asks of others
xargs nm -A -P < "$work/objects" 2> "$work/said" | awk '
    {
        file = $1; sub(/:$/, "", file); sub(/\.o$/, "", file); sub(/^src\//, "", file); sub(/\.libs\//, "", file)
        if ($3 == "U") asks[file, $2] = 1
        else if ($3 ~ /^[TDBRCV]$/) home[$2] = file
    }
    END {
        for (pair in asks) {
            split(pair, part, SUBSEP)
            to = home[part[2]]
            if (to != "" && to != part[1]) calls[part[1]] = calls[part[1]] " " to
        }
        for (file in calls) {
            delete seen
            count = split(calls[file], queue, " ")
            for (at = 1; at <= count && !(file in seen); at++) {
                if (queue[at] in seen) continue
                seen[queue[at]] = 1
                more = split(calls[queue[at]], next_ones, " ")
                for (k = 1; k <= more; k++) if (!(next_ones[k] in seen)) queue[++count] = next_ones[k]
            }
            if (file in seen) print file
        }
    }' | LC_ALL=C sort > "$work/found"
[ ! -s "$work/found" ] || fail "these files call one another in a circle: $(tr '\n' ' ' < "$work/found")"
finish

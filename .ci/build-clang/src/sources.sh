#!/bin/sh
# SPDX-License-Identifier: MIT
# The source lists of the rooms for Makefile.am, from the files that are there: src/ROOM/local.mk, a line for each file.
# Run by bootstrap and `make sources`; tests/rooms.sh fails where a list is not what this writes.
# Usage: src/sources.sh [FOLDER]    FOLDER: where the lists go in place of src
cd "$(dirname "$0")/.." || exit 1
for room in src/*/; do
    room=${room%/}
    case $(head -n 1 "$room/local.mk" 2> /dev/null) in '' | '## made by'*) ;; *) continue ;; esac # mpi: kept by hand
    to=${1:-src}/${room#src/}
    mkdir -p "$to"
    case $room in src/cli) list=linnet_SOURCES ;; src/studio) list=studio_sources ;; *) list=liblinnet_la_SOURCES ;; esac
    {
        echo "## made by src/sources.sh: run \`make sources\` when a file comes or goes"
        find "$room" -name '*.[ch]' -type f ! -name embedded.c ! -name embedded_page.c | LC_ALL=C sort |
            awk -v list="$list" 'BEGIN { printf "%s %s", list, list ~ /_SOURCES$/ ? "+=" : "=" } { printf " \\\n\t%s", $0 } END { print "" }'
    } > "$to/local.mk.new"
    if cmp -s "$to/local.mk.new" "$to/local.mk"; then rm "$to/local.mk.new"; else mv "$to/local.mk.new" "$to/local.mk"; fi
done

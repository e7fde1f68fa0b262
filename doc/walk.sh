#!/bin/sh
# SPDX-License-Identifier: MIT
# Walks through a tutorial as it is written, in a folder: each listing with a name (```xml NAME, and spice, asc, yaml, json) becomes that file, each line of ```sh is
# run, and each line of ```text must be among what the lines of sh before it said. A line that ends in "# exit status N"
# must end so, every other one with 0. The pictures that the tutorial shows are among what its commands leave there.
# Usage: doc/walk.sh LINNET TUTORIAL FOLDER    exit status 1, and a line for each, when something is not as written
set -eu
linnet=$1 tutorial=$2 folder=$3
case $linnet in /*) ;; *) linnet=$PWD/$linnet ;; esac
case $tutorial in /*) ;; *) tutorial=$PWD/$tutorial ;; esac
mkdir -p "$folder"
cd "$folder"
cat > walk.run << 'END'
linnet() { "$program" "$@"; }
wrong=0
ended() { # STATUS WANTED LINE
    [ "$1" = "$2" ] || { printf 'exit status %s, expected %s: %s\n' "$1" "$2" "$3"; cat said; wrong=1; }
}
told() { # LINE
    grep -qF -e "$1" said || { printf 'not said: %s\n' "$1"; cat said; wrong=1; }
}
END
awk -v quote="'" '
function quoted(text) { gsub(quote, quote "\\" quote quote, text); return quote text quote }
/^```(xml|spice|asc|yaml|json) [^ ]+$/ { kind = "file"; printf "cat > %s << \"END OF LISTING\"\n", quoted($2); next }
/^```sh$/ { kind = "sh"; print ": > said"; next }
/^```text$/ { kind = "text"; next }
/^```$/ { if (kind == "file") print "END OF LISTING"; kind = ""; next }
kind == "file" { print }
kind == "sh" {
    status = 0
    if (match($0, /# exit status [0-9]+$/)) status = substr($0, RSTART + 14)
    printf "( %s\n) >> said 2>&1 < /dev/null; ended $? %d %s\n", $0, status, quoted($0)
}
kind == "text" && NF > 0 { sub(/^ +/, ""); printf "told %s\n", quoted($0) }
END { print "exit $wrong" }' "$tutorial" >> walk.run
program=$linnet sh walk.run

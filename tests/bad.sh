#!/bin/sh
# SPDX-License-Identifier: MIT
# The collection of bad models: every tests/bad/NAME.xml must end with the exit status and the messages of NAME.expect.
#
# First line of an .expect: [command [options]] status, the command being `check` when it is left out; every further
# line must stand somewhere in the messages (stderr; of verify its table as well). Files that would be large are made
# here. No file may take longer than ten seconds, whatever it holds.
set -u
bad=$(cd "$(dirname "$0")/bad" && pwd)
linnet=${LINNET:-./linnet}
case $linnet in /*) ;; *) linnet=$(pwd)/$linnet ;; esac
work=$(mktemp -d "${TMPDIR:-/tmp}/linnet-bad-XXXXXX")
TMPDIR=$work # what the program and its children put into the folder for temporary files is the test's own, too
export TMPDIR
trap 'rm -rf "$work"' EXIT INT TERM
failures=0
count=0

fail() { # file, what
    failures=$((failures + 1))
    echo "FAIL: $1: $2"
    sed 's/^/      /' "$work/stderr" | cut -c1-240 | head -n 8
}

try() { # model, expected status, command with options; the wanted texts stand in $work/wanted, one a line
    model=$1 status=$2
    shift 2
    count=$((count + 1))
    case $1 in run) set -- "$@" -o "$work/result.csv" ;; esac
    command=$1
    shift
    timeout 10 "$linnet" "$command" "$model" "$@" > "$work/stdout" 2> "$work/stderr"
    got=$?
    [ "$command" = verify ] && cat "$work/stdout" >> "$work/stderr" # its table is a message too
    if [ "$got" -ne "$status" ]; then
        fail "${model##*/}" "ended with $got, expected $status"
        return
    fi
    while IFS= read -r text; do
        grep -F -q -e "$text" "$work/stderr" || fail "${model##*/}" "no message holds: $text"
    done < "$work/wanted"
}

large() { # name, status, texts: a file made into $work/NAME
    model=$work/$1 status=$2
    shift 2
    printf '%s\n' "$@" > "$work/wanted"
    try "$model" "$status" check
    rm -f "$model"
}

repeat() { # text, times
    yes "$1" | head -n "$2" | tr -d '\n'
}

# ---- those that are kept ----
for model in "$bad"/*.xml; do
    expect=${model%.xml}.expect
    if [ ! -f "$expect" ]; then
        : > "$work/stderr"
        fail "${model##*/}" "has no .expect"
        continue
    fi
    sed 1d "$expect" > "$work/wanted"
    set -f
    set -- $(sed -n 1p "$expect")
    set +f
    for status; do :; done
    if [ $# -eq 1 ]; then
        try "$model" "$status" check
    else
        words=$(sed -n '1s/ *[0-9]*$//p' "$expect")
        set -f
        try "$model" "$status" $words
        set +f
    fi
done

# ---- those that are made ----
open='<model xmlns="urn:linnet:model:1">'
printf '%s\n' "cannot read" "absent.xml" "No such file" > "$work/wanted"
try "$work/absent.xml" 5 check
mkdir "$work/folder.xml"
printf '%s\n' "cannot read" "folder.xml" "directory" > "$work/wanted"
try "$work/folder.xml" 5 check

{ echo "$open"; repeat "<a>" 100000; } > "$work/deep.xml"
large deep.xml 3 "deep.xml:2: error: " "deeper than 64"
awk -v open="$open" 'BEGIN { print open "\n<a"; for (k = 0; k < 200000; k++) printf " a%d=\"1\"", k
                             print "/></model>" }' > "$work/attributes.xml"
large attributes.xml 3 "attributes.xml:2: error: " "more than 64 attributes"
{ printf '%s<a b="' "$open"; repeat 0123456789 1100000; echo '"/></model>'; } > "$work/long.xml"
large long.xml 3 "long.xml:1: error: " "longer than 65536 bytes"
{ printf '<!DOCTYPE m [<!ENTITY a "'; repeat 0123456789 10000; printf '">]><m>'; repeat "&a;" 20000; echo "</m>"; } \
    > "$work/quadratic.xml"
large quadratic.xml 3 "quadratic.xml:1: error: document types are not accepted"
{ printf '%s<!--' "$open"; repeat 0123456789 30000000; echo "--></model>"; } > "$work/comment.xml"
large comment.xml 3 "comment.xml:1: error: " "longer than 8388608 bytes"
{ printf '%s<a' "$open"; repeat 0123456789 30000000; echo "/></model>"; } > "$work/tag.xml"
large tag.xml 3 "tag.xml:1: error: " "longer than 65536 bytes"
printf '%s</model>\n' "$open" | gzip -c > "$work/packed.xml"
large packed.xml 3 "packed.xml:1: error: " "compressed input is not accepted"

# a link that leads outside, includes too deep and too many
mkdir "$work/inside"
echo "$open</model>" > "$work/outside.xml"
ln -s ../outside.xml "$work/inside/link.xml"
echo "$open<include href=\"link.xml\"/></model>" > "$work/inside/model.xml"
large inside/model.xml 3 "model.xml:1: error: include 'link.xml' leaves the model's folder"
rm "$work/outside.xml"
k=0
while [ $k -lt 20 ]; do
    echo "<library><include href=\"d$((k + 1)).xml\"/></library>" > "$work/inside/d$k.xml"
    k=$((k + 1))
done
echo "$open<include href=\"d0.xml\"/></model>" > "$work/inside/model.xml"
large inside/model.xml 3 "d15.xml:1: error: " "deeper than 16"
k=0
while [ $k -lt 300 ]; do
    echo "<library/>" > "$work/inside/e$k.xml"
    echo "<include href=\"e$k.xml\"/>"
    k=$((k + 1))
done > "$work/includes"
{ echo "$open"; cat "$work/includes"; echo "</model>"; } > "$work/inside/model.xml"
large inside/model.xml 3 "model.xml:258: error: " "more than 256"

echo "$count bad models, $failures failures"
[ "$failures" -eq 0 ]

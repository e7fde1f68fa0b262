# SPDX-License-Identifier: MIT
# For black-box tests: a folder of their own, and two questions about a command - how it ended and what it said.
# Needs LINNET (the program) and srcdir (the sources); both have defaults for a run by hand from the top folder.
: "${LINNET:=$PWD/linnet}"
: "${srcdir:=$PWD}"
case $srcdir in /*) ;; *) srcdir=$(cd "$srcdir" && pwd) ;; esac
work=$(mktemp -d "${TMPDIR:-/tmp}/linnet-test.XXXXXX")
# what the program and its children put into the folder for temporary files is the test's own, too
TMPDIR=$work.tmp
mkdir "$TMPDIR" && export TMPDIR
trap 'rm -rf "$work" "$TMPDIR"' EXIT
trap 'exit 130' INT TERM
failures=0

fail() {
    printf 'FAILED: %s\n' "$*"
    failures=$((failures + 1))
}

# expect STATUS COMMAND...: runs it; what it says goes to $work/out and $work/err.
expect() {
    wanted=$1
    shift
    "$@" > "$work/out" 2> "$work/err" < /dev/null
    got=$?
    [ "$got" = "$wanted" ] && return 0
    fail "exit status $got, expected $wanted: $*"
    sed 's/^/    | /' "$work/err" | head -n 5
    return 1
}

# within SECONDS COMMAND...: of the processor; what takes longer is killed. How much else the machine does has no part in it.
within() {
    (
        ulimit -t "$1"
        shift
        exec "$@"
    )
}

# says FILE TEXT...: out or err holds each text (fixed, not a pattern).
says() {
    file=$1
    shift
    for text; do
        grep -qF -e "$text" "$work/$file" || {
            fail "std$file lacks \"$text\""
            sed 's/^/    | /' "$work/$file" | head -n 5
        }
    done
}

# wait_for -s|-e FILE: until it has bytes, or is there. How long that takes is the machine's affair: a minute means never.
wait_for() {
    tries=0
    while ! test "$1" "$2"; do
        [ $((tries += 1)) -le 600 ] || { fail "$2 does not come"; return 1; }
        sleep 0.1
    done
}

finish() {
    [ "$failures" = 0 ] || printf '%s checks failed\n' "$failures"
    [ "$failures" = 0 ]
    exit
}

#!/bin/sh
# SPDX-License-Identifier: MIT
# What cannot be hooked is stood in for: a library that hands every call on to the real one (HDF5, matio, libzip) but fails the
# k-th, for each k. A command then succeeds with the same result, or ends with a message, exit status 5 and nothing under
# the result's name. LINNET_FULL: also the many calls of a second, larger file, and of `export`.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1
command -v cc > which || { echo "no C compiler here"; exit 77; }
cat > rc.xml << 'XML'
<model name="an RC" xmlns="urn:linnet:model:1">
  <ground id="gnd" p="0"/>
  <voltage-source id="V1" p="in" n="0" V="1 V"/>
  <resistor id="R1" p="in" n="out" R="1 kOhm"/>
  <capacitor id="C1" p="out" n="0" C="1 uF"/>
  <clock id="K" out="tick" period="0.2 ms"/>
  <simulation duration="1 ms" step="0.1 ms"/>
  <record signals="out R1.i tick"/>
</model>
XML
expect 0 "$LINNET" run rc.xml -q -o wanted.csv

# stand_in NAME SOURCE PREFIX: NAME/FILE, a library before the one that linnet loads; what its calls return when they fail
stand_in() {
    file=$(strings -a "$LINNET" | grep "^lib$1[a-z_]*\.so" | head -1)
    [ -n "$file" ] || return 1
    mkdir -p "$1"
    {
        cat << 'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
static void *whole(void) {
    static void *handle;
    if (handle == NULL) handle = dlopen(getenv("REAL"), RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) { fprintf(stderr, "%s\n", dlerror()); _exit(99); }
    return handle;
}
static int fails(const char *name) {
    static long calls;
    if (++calls != atol(getenv("FAIL"))) return 0;
    int fd = open(getenv("FAILED"), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dprintf(fd, "%s\n", name);
    close(fd);
    return 1;
}
typedef long call(long, long, long, long, long, long, long, long, long, long);
#define CALL(name, can_fail, bad) \
    long name(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j) { \
        static call *real; \
        if (real == NULL) real = (call *)dlsym(whole(), #name); \
        if (can_fail && fails(#name)) return bad; \
        return real(a, b, c, d, e, f, g, h, i, j); \
    }
C
        sed -n "/X($3/s/X(\([A-Za-z0-9_]*\))/\n\1\n/gp" "$srcdir/$2" | grep "^$3" | sort -u > names
        grep '_g$' names | sed 's/.*/long &;/'
        grep -v '_g$\|^H5open$' names | while read -r name; do
            case $name in # names of messages and what gives nothing back cannot fail
                *strerror | zip_error_* | zip_discard | zip_source_free | zip_source_keep | Mat_VarFree | Mat_LogInitFunc | H5dont_atexit | H5Eset_auto2)
                    echo "CALL($name, 0, 0)" ;;
                zip_source_buffer* | zip_open_from_source | zip_fopen_index | Mat_CreateVer | Mat_Open | Mat_VarCreate | Mat_VarRead)
                    echo "CALL($name, 1, 0)" ;;
                Mat_*) echo "CALL($name, 1, 1)" ;;
                *) echo "CALL($name, 1, -1)" ;;
            esac
        done
        if grep -q '^H5open$' names; then # which makes the constants
            echo 'int H5open(void) { if (fails("H5open")) return -1; int got = ((int (*)(void))dlsym(whole(), "H5open"))();'
            grep '_g$' names | sed 's/.*/& = *(long *)dlsym(whole(), "&");/'
            echo 'return got; }'
        fi
    } > "$1/all.c"
    cc -w -O1 -shared -fPIC "$1/all.c" -o "$1/$file" -ldl || { fail "no stand-in for $file"; return 1; }
    real=$(ldconfig -p 2> err | sed -n "s/.*$file .*=> //p" | head -1)
    [ -n "$real" ] || for real in /usr/lib/*/"$file" /usr/lib/"$file"; do [ ! -e "$real" ] || break; done
    [ -e "$real" ]
}
# each_call NAME RESULT CHECK COMMAND...: every call of the library fails once; CHECK is a command that a success must pass (sh -c)
each_call() {
    folder=$work/$1 result=$2 check=$3 k=0 told=0 same=0
    shift 3
    while [ $k -lt 2000 ]; do
        k=$((k + 1))
        rm -rf "$result" failed
        FAILED=$work/failed FAIL=$k REAL=$real LD_LIBRARY_PATH=$folder timeout 120 "$LINNET" "$@" > out 2> err < /dev/null
        status=$?
        [ -e failed ] || break
        if [ $status = 0 ]; then
            same=$((same + 1))
            sh -c "$check" > why 2>&1 || fail "$1: call $k ($(cat failed)) fails, and the result is another: $(head -n 2 why)"
        else
            told=$((told + 1))
            case $status-$(cat failed) in
                5-* | 4-* | 1-H5open | 3-zip_name_locate) ;;
                *) fail "$1: call $k ($(cat failed)) fails: exit status $status: $(head -n 1 err)" ;;
            esac
            grep -q 'error: ' err || fail "$1: call $k ($(cat failed)) fails without a word"
            [ ! -e "$result" ] || [ $status = 4 ] || fail "$1: call $k ($(cat failed)) fails, and $result is there"
        fi
    done
    [ $status = 0 ] && [ $k -gt 3 ] || fail "$1 with a stand-in: exit status $status at call $k: $(head -n 2 err)"
    [ ! -e "$result.part" ] || fail "$result.part is left"
    echo "$*: each of $((k - 1)) calls failed, $told told, $same of no matter"
}
LINNET_TESTED=$LINNET
export LINNET_TESTED
# a success means a result that the real library reads as what was computed; `result` of two files ends with 0 where they agree
if stand_in hdf5 src/result/hdf5.c H5; then
    expect 0 "$LINNET" run rc.xml -q -o rc.h5
    each_call hdf5 made.h5 '"$LINNET_TESTED" result made.h5 wanted.csv -q' run rc.xml -q -o made.h5
    each_call hdf5 none true result rc.h5 wanted.csv -q
fi
if stand_in matio src/result/matfile.c Mat_; then
    expect 0 "$LINNET" run rc.xml -q -o rc.mat
    each_call matio made.mat '"$LINNET_TESTED" result made.mat wanted.csv -q' run rc.xml -q -o made.mat
    each_call matio none true result rc.mat wanted.csv -q
    each_call matio made.mat "test -s made.mat" linearise rc.xml --inputs V1 --outputs out -q -o made.mat
fi
if stand_in zip src/base/archive.c zip_; then
    printf '%s\n' '<model name="g" xmlns="urn:linnet:model:1"><external-input id="in" out="u" value="1"/><gain id="G" in="u" out="y" k="2"/>' \
        '<record signals="y"/><simulation duration="1" step="0.1" method="rk4"/></model>' > g.xml
    expect 0 "$LINNET" export g.xml -q -o g.fmu
    expect 0 "$LINNET" run g.fmu -q -o read.csv
    each_call zip made.csv "cmp made.csv read.csv" run g.fmu -q -o made.csv
    [ -z "$LINNET_FULL" ] || each_call zip made.fmu "cmp made.fmu g.fmu" export g.xml -q -o made.fmu
fi
finish

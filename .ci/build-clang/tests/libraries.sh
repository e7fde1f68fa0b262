#!/bin/sh
# SPDX-License-Identifier: MIT
# Libraries that few commands need: not linked, loaded when they are used, missed by name.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1
cat > rc.xml <<'END'
<model name="rc"><ground id="g" p="0"/><step-voltage id="V" p="a" n="0" height="1 V"/><resistor id="R" p="a" n="b" R="1 kOhm"/>
  <capacitor id="C" p="b" n="0" C="1 uF"/><simulation duration="5 ms" step="10 us"/><record signals="b"/></model>
END

# A run maps none of them.
expect 0 "$LINNET" run rc.xml -q -o rc.csv
if command -v objdump > found; then
    objdump -p "$LINNET" > linked
    for name in hdf5 matio flint arpack lapack blas; do
        grep "NEEDED.*$name" linked && fail "linnet is linked with $name"
    done
fi

# A file that is no library stands in for each: what needs it says so, everything else goes on.
loaded() { # the file that is loaded for something
    strings -a "$LINNET" | grep "^lib$1[a-z_]*\.so" | head -1
}
command -v strings > found || exit 77
mkdir broken
for name in hdf5 matio flint-arb; do
    file=$(loaded "$name")
    [ -n "$file" ] || fail "no file of $name in linnet"
    : > "broken/$file"
done
LD_LIBRARY_PATH=$work/broken
export LD_LIBRARY_PATH
expect 0 "$LINNET" run rc.xml -q -o again.csv && cmp -s rc.csv again.csv || fail "without the libraries the run is another"
expect 5 "$LINNET" run rc.xml -q -o rc.mat && says err "libmatio" "for MATLAB files" "install the Debian package libmatio"
expect 5 "$LINNET" run rc.xml -q -o rc.h5 && says err "libhdf5" "for HDF5 files"
[ ! -e rc.h5 ] && [ ! -e rc.h5.part ] || fail "a file is left behind"
expect 5 "$LINNET" eig rc.xml && says err "libflint-arb" "for eigenvalues in 256 bits"

# One of another version: a function is missing.
if command -v cc > found; then
    echo 'int Mat_Close(void *file) { return file != 0; }' > other.c
    cc -shared -fPIC other.c -o "broken/$(loaded matio)"
    expect 5 "$LINNET" run rc.xml -q -o rc.mat && says err "has no Mat_CreateVer" "another version"
fi
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# The Python module, as a user has it: against closed forms. Skipped where there is no Python with NumPy.
. "${srcdir:-.}/tests/shell.sh"
python=${PYTHON:-/usr/bin/python3}
library=${builddir:-$srcdir}/.libs/liblinnet.so
"$python" -c 'import numpy' 2> /dev/null || { echo "no Python with NumPy: skipped"; exit 77; }
[ -e "$library" ] || { echo "no shared library was built: skipped"; exit 77; }
LINNET_LIBRARY=$library PYTHONPATH=$srcdir/python PYTHONDONTWRITEBYTECODE=1
export LINNET_LIBRARY PYTHONPATH PYTHONDONTWRITEBYTECODE
cd "$work" || exit 1
cp "$srcdir/tests/python_test.py" . || exit 1
"$python" -W error::SyntaxWarning -m unittest -q python_test > out 2>&1 || fail "$(cat out)"
finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# Every type of the catalogue as generated code beside the simulation (tests/code_types.py, which names the few that are tried
# elsewhere). Of `make check-full`.
. "${srcdir:-.}/tests/shell.sh"
. "$srcdir/tests/codegen_kit.sh"
have_compiler || { echo "no C compiler here"; exit 77; }
command -v python3 > out || { echo "no Python"; exit 77; }
python3 "$srcdir/tests/code_types.py" "$LINNET" types > told || fail "$(head -n 20 told)"
tail -n 1 told
finish

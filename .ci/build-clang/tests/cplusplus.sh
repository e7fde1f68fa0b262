#!/bin/sh
# SPDX-License-Identifier: MIT
# The public headers are C++ as well.
. "${srcdir:-.}/tests/shell.sh"
compiler=${CXX:-c++}
command -v "$compiler" > /dev/null || { echo "no C++ compiler: skipped"; exit 77; }
cat > "$work/headers.cpp" << 'EOF'
#include <linnet/analyses.h>
#include <linnet/block.h>
#include <linnet/linnet.h>
#include <linnet/status.h>
int main() { return linnet_version() == nullptr; }
EOF
"$compiler" -std=c++11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I "$srcdir/include" "$work/headers.cpp" \
    > "$work/out" 2>&1 || fail "$(cat "$work/out")"
finish

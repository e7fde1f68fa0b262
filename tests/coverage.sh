#!/bin/sh
# SPDX-License-Identifier: MIT
# Which lines and branches the tests reach, by room: a build for gcov beside the sources, the whole of make check, every way to
# an allocation that fails (tests/faults.sh), gcovr. Fails
# when a room falls below its floor in tests/coverage.txt (room, lines and branches in per cent); floors only rise.
: "${srcdir:=$PWD}"
command -v gcovr > /dev/null || { echo "gcovr is missing (Debian: apt-get install gcovr)"; exit 77; }
cd "$srcdir" || exit 1
build=$PWD/coverage-build
rm -rf "$build" && mkdir "$build" || exit 1
git ls-files -z | xargs -0 cp --parents -t "$build" || exit 1
cd "$build" || exit 1
./bootstrap --disable-shared --without-mpi --enable-coverage --enable-debug CFLAGS='-O1 -g0' > bootstrap.out 2>&1 ||
    { tail bootstrap.out; exit 1; }
make -k -j2 check > check.out 2>&1 || grep -E '^(FAIL|ERROR)' check.out
# what happens when memory is short at each place; a child that is killed hands over its counts (tests/faults.c)
LINNET_FULL=ways LINNET=$build/linnet srcdir=$build builddir=$build sh tests/faults.sh > faults.out 2>&1 || cat faults.out
# what a process that was killed has half written is left out
gcovr --root . --filter src/ --exclude '.*embedded.*' --gcov-ignore-parse-errors --csv -o coverage.csv > gcovr.out 2>&1 ||
    { tail gcovr.out; exit 1; }
awk -F, 'FNR == NR { if ($0 !~ /^#/) { split($0, f, " "); lines[f[1]] = f[2]; branches[f[1]] = f[3] } next }
    FNR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; next }
    { split($at["filename"], part, "/"); room = part[2]
      l[room] += $at["line_total"]; lc[room] += $at["line_covered"]; b[room] += $at["branch_total"]; bc[room] += $at["branch_covered"]
      l["all"] += $at["line_total"]; lc["all"] += $at["line_covered"]
      b["all"] += $at["branch_total"]; bc["all"] += $at["branch_covered"] }
    END { for (room in l) {
            p = 100*lc[room]/l[room]; q = b[room] > 0 ? 100*bc[room]/b[room] : 100
            printf "%-12s lines %5.1f of %6d, branches %5.1f of %6d\n", room, p, l[room], q, b[room]
            if (p < lines[room] || q < branches[room]) { printf "FAILED: %s is below its floor, %s and %s\n", room, lines[room], branches[room]; bad = 1 }
          }
          exit bad }' "$srcdir/tests/coverage.txt" coverage.csv

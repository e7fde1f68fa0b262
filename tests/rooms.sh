#!/bin/sh
# SPDX-License-Identifier: MIT
# The order of the house (doc/architecture.md): a room includes headers of rooms below it only, LAPACKE, KLU, SUNDIALS and NLopt
# stand in one file each, memory goes through base/sys.c, calls that cannot be used safely are absent, every source is in
# the build.
set -eu
cd "${srcdir:-.}"

find src -name '*.[ch]' ! -name 'embedded*.c' | sort | xargs awk '
    function complain(text) { printf "%s:%d: %s\n", FILENAME, FNR, text; bad = 1 }
    function room_of(path) { sub(/^src\//, "", path); sub(/\/.*/, "", path); return path }

    # the line without comments and literals; `inside` says that a comment goes on
    function bare(line,   out, one, two, k) {
        out = ""
        for (k = 1; k <= length(line); k++) {
            one = substr(line, k, 1)
            two = substr(line, k, 2)
            if (inside) { if (two == "*/") { inside = 0; k++ } }
            else if (two == "/*") { inside = 1; k++ }
            else if (two == "//") break
            else if (one == "\"" || one == "\047") {
                for (k++; k <= length(line) && substr(line, k, 1) != one; k++)
                    if (substr(line, k, 1) == "\\") k++
                out = out "0"
            } else out = out one
        }
        return out
    }

    BEGIN {
        count = split("base linear expression model foreign blocks spice reading network system integrate|result|plot|diagram analysis|codegen|studio cli|mpi", levels, " ")
        for (k = 1; k <= count; k++) {
            m = split(levels[k], names, "|")
            for (j = 1; j <= m; j++) level[names[j]] = k
        }
        # header -> the file that may include it
        only["lapacke.h"] = only["cblas.h"] = "src/linear/lapack.h"
        only["linear/lapack.h"] = "src/linear/dense.c src/linear/dense_complex.c src/linear/blas.c " \
            "src/linear/spectrum.c src/linear/spectrum_precise.c src/linear/exponential.c " \
            "src/linear/eigen.c src/linear/arnoldi.c"
        only["dlfcn.h"] = "src/base/sys.c src/base/library.c src/base/compiled.c src/analysis/transport.c src/blocks/fmu/fmu_library.c"
        only["arpack/arpack.h"] = "src/linear/arnoldi.c"
        only["acb_mat.h"] = "src/linear/spectrum_precise.c"
        only["suitesparse/btf.h"] = "src/linear/spectrum.c src/linear/assignment.c"
        only["matio.h"] = "src/result/matfile.c"
        only["yaml.h"] = "src/foreign/document.c"
        only["hdf5.h"] = "src/result/hdf5.c"
        only["suitesparse/klu.h"] = only["suitesparse/amd.h"] = "src/linear/sparse.c src/linear/sparse_complex.c"
        only["zip.h"] = "src/base/archive.c"
        only["mpi.h"] = "src/mpi/mpi.c"
        only["Random123/philox.h"] = "src/analysis/draw.c"
        only["microhttpd.h"] = "src/studio/http.c"
        only["nlopt.h"] = "src/analysis/trim.c"
        only["ida/ida.h"] = "src/integrate/ida.c"
        only["nvector/nvector_serial.h"] = only["sunmatrix/sunmatrix_sparse.h"] = \
            only["sundials/sundials_linearsolver.h"] = "src/integrate/ida_system.h"
        only["sundials/sundials_nonlinearsolver.h"] = "src/integrate/ida_newton.h"
        memory = "malloc|calloc|realloc|free"
        banned = "strcpy|strcat|sprintf|vsprintf|gets|atof|atoi|atol|strtok|alloca"
    }
    FNR == 1 {
        inside = 0
        room = room_of(FILENAME)
        if (!(room in level)) complain("no such room: " room)
        calls = FILENAME == "src/base/sys.c" ? banned : banned "|" memory
    }
    /^[ \t]*#[ \t]*include/ {
        header = $0
        sub(/^[^"<]*["<]/, "", header)
        sub(/[">].*/, "", header)
        if ((header in only) && !index(only[header], FILENAME)) complain("only " only[header] " includes " header)
        if ($0 ~ /"/) {
            other = room_of(header)
            if (!(other in level)) complain("include of " header " names no room")
            else if (other != room && level[other] >= level[room]) complain(room " looks up at " header)
        }
        next
    }
    {
        line = " " bare($0)
        while (match(line, "[^A-Za-z0-9_.>](" calls ")[ ]*\\(")) {
            name = substr(line, RSTART + 1, RLENGTH - 1)
            sub(/[ ]*\(/, "", name)
            complain("call of " name "; " (name ~ "^(" memory ")$" ? "memory goes through an arena or ln_sys" : "not used here"))
            line = substr(line, RSTART + RLENGTH)
        }
    }
    END { exit bad }
'

# every source is in the build: the lists are what src/sources.sh makes of the files that are there
lists=$(mktemp -d)
trap 'rm -rf "$lists"' EXIT
src/sources.sh "$lists"
for list in "$lists"/*/local.mk; do
    room=src/$(basename "$(dirname "$list")")
    cmp "$list" "$room/local.mk" || { echo "$room/local.mk is not the list of its files: run 'make sources'"; exit 1; }
done

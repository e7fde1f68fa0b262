#!/bin/sh
# SPDX-License-Identifier: MIT
# How the source reads, in figures by room: lines of code and how wide, tokens a line, comment to code by characters,
# functions too complex, too long or with too many parameters. `make lint` prints them and fails where one that may only
# fall (tests/figures.txt) has risen, or comment to code of a room there, which may only rise, has fallen; --record writes
# that file anew.
#   tokens       median of the lines that hold code, macros and tables included
#   comment      characters of comments over characters of code, blanks apart
#   complex      functions whose McCabe number (1 + if, for, while, case, &&, ||, ?) is above 15, and the worst
#   long         functions of more than 80 lines; a line has one statement
#   parameters   functions with more than 6
set -eu
cd "${srcdir:-.}"
figures=tests/figures.txt

measure() {
    find src include -name '*.[ch]' ! -name 'embedded*.c' | LC_ALL=C sort | xargs awk '
    function room_of(path,   parts) { split(path, parts, "/"); return parts[1] == "src" ? parts[2] : parts[1] }
    # the line without comments, strings as 0; adds to what is comment
    function bare(line,   out, two, one, k, n) {
        out = ""; n = length(line)
        for (k = 1; k <= n; k++) {
            one = substr(line, k, 1); two = substr(line, k, 2)
            if (inside) {
                if (one != " " && one != "\t") comment[room]++
                if (two == "*/") { comment[room]++; inside = 0; k++ }
            } else if (two == "/*") { comment[room] += 2; inside = 1; k++ }
            else if (one == "\"" || one == "\047") {
                literal = 2
                for (k++; k <= n && substr(line, k, 1) != one; k++) {
                    literal++
                    if (substr(line, k, 1) == "\\") { k++; literal++ }
                }
                code[room] += literal - 1
                out = out "0"
            } else out = out one
        }
        return out
    }
    function count(text, what,   copy) { copy = text; return gsub(what, "", copy) }
    function tokens_of(text,   n) {
        n = gsub(/[A-Za-z0-9_.]+/, " ", text)
        n += gsub(/->|\+\+|--|<<=|>>=|[-+*\/%&|^!=<>]=|&&|\|\||<<|>>|##/, " ", text)
        gsub(/[ \t]/, "", text)
        return n + length(text)
    }
    function ends(   name) {
        name = FILENAME ":" started
        if (mccabe > 15) { complex[room]++; print "complex", mccabe, name > "/dev/stderr" }
        if (mccabe > worst[room]) worst[room] = mccabe
        if (FNR - started > 80) longer[room]++
        functions[room]++
    }
    FNR == 1 { inside = 0; body = 0; head = ""; room = room_of(FILENAME); rooms[room] = 1 }
    {
        if (length($0) > 100) wide[room]++
        line = bare($0)
        bare_line = line
        gsub(/[ \t]/, "", line)
        if (line == "") next
        lines[room]++
        code[room] += length(line)
        n = tokens_of(bare_line)
        if (n > 200) n = 200
        histogram[room, n]++
        if (!body) {
            # a head begins in the first column and ends with its brace
            if (bare_line ~ /^[A-Za-z_]/) { head = ""; started = FNR }
            head = head " " bare_line
            if (bare_line ~ /\)[ ]*\{$/ && head !~ /=/) {
                body = 1; mccabe = 1
                sub(/^[^(]*\(/, "", head)
                while (gsub(/\([^()]*\)/, "", head)) ;
                if (count(head, ",") + 1 > 6) many[room]++
            }
        } else if (bare_line ~ /^\}/) { ends(); body = 0; head = "" }
        else {
            mccabe += count(bare_line, "&&") + count(bare_line, "[|][|]") + count(bare_line, "[?]")
            words = " " bare_line " "
            mccabe += count(words, "[^A-Za-z0-9_](if|for|while|case)[^A-Za-z0-9_]")
        }
    }
    function median(r,   k, sum, half) {
        half = lines[r] / 2
        for (k = 0; k <= 200; k++) { sum += histogram[r, k]; if (sum >= half) return k }
    }
    END {
        for (r in rooms) {
            printf "%s %d %d %d %.2f %d %d %d %d\n", r, lines[r], wide[r], median(r), comment[r] / code[r], complex[r],
                   worst[r], longer[r], many[r]
            for (k = 0; k <= 200; k++) histogram["all", k] += histogram[r, k]
            lines["all"] += lines[r]; wide["all"] += wide[r]; comment["all"] += comment[r]; code["all"] += code[r]
            complex["all"] += complex[r]; longer["all"] += longer[r]; many["all"] += many[r]
            if (worst[r] > worst["all"]) worst["all"] = worst[r]
        }
        printf "all %d %d %d %.2f %d %d %d %d\n", lines["all"], wide["all"], median("all"), comment["all"] / code["all"],
               complex["all"], worst["all"], longer["all"], many["all"]
    }' | LC_ALL=C sort
}

table=$(measure 2> "${TMPDIR:-/tmp}/figures.$$")
[ "${1:-}" != --functions ] || sort -k 2nr "${TMPDIR:-/tmp}/figures.$$"
rm -f "${TMPDIR:-/tmp}/figures.$$"
{
    echo "room lines over-100 tokens comment complex worst long parameters"
    printf '%s\n' "$table"
} | awk '{ printf "%-12s", $1; for (k = 2; k <= NF; k++) printf " %10s", $k; print "" }'

# those that may only fall, over all rooms, and those that may only rise: of rooms whose formulas and dialects a reader
# does not get from the code
now=$(printf '%s\n' "$table" | awk '$1 == "all" { print "over-100", $3; print "tokens", $4; print "complex", $6; print "worst", $7
    print "long", $8; print "parameters", $9 }
    $1 ~ /^(integrate|spice|system)$/ { print "comment-" $1, $5 }')
if [ "${1:-}" = --record ]; then printf '%s\n' "$now" > $figures; exit 0; fi
printf '%s\n' "$now" | awk -v file=$figures 'BEGIN { while ((getline line < file) > 0) { split(line, w, " "); most[w[1]] = w[2] } }
    $1 ~ /^comment-/ && $2 < most[$1] {
        printf "tests/figures.sh: %s is %.2f, less than the %.2f of %s\n", $1, $2, most[$1], file; bad = 1 }
    ($1 in most) && $1 !~ /^comment-/ && $2 > most[$1] { printf "tests/figures.sh: %s is %d, more than the %d of %s\n", $1, $2, most[$1], file; bad = 1 }
    END { exit bad }'

#!/bin/sh
# SPDX-License-Identifier: MIT
# Parameter by parameter against ngspice: each row of tests/parameters.txt makes devices of its own in a small circuit, whose
# operating point and response to a small signal are compared at two temperatures. And every parameter that ngspice names
# (devhelp) stands in a row, or among those that are refused or have nothing to say, with the reason.
. "${srcdir:-.}/tests/shell.sh"
command -v ngspice > /dev/null || exit 77
cd "$work" || exit 1
table=$srcdir/tests/parameters.txt

# A row's first field names its kinds; with a minus it makes no devices.
is_of='function is_of(kind,   of) { split($0, of, "|"); return of[1] !~ /-|#/ && index(" " of[1] " ", " " kind " ") > 0 }'

# What the small signal's frequency is: where charges differ (Meyer's, there) only slopes are compared.
frequency() { case $1 in mos[23]) echo 1 ;; *) echo 10meg ;; esac; }
# circuit KIND: the part around devices of the model m_#; base and drive above it.
circuit() {
    case $1 in
    diode) echo 'd 0.75 -6 is=1e-14 cjo=1p'; cat << 'E' ;;
rb_# in b_# 1k
d_# b_# 0 m_# INST
rr_# vc c_# 1k
rc_# in c_# 1meg
d1_# c_# 0 m_# INST
E
    bjt) echo 'npn 0.8 5 is=1e-16 bf=100 cjc=1p'; cat << 'E' ;;
rb_# in b_# 20k
rc_# vc c_# 2k
q_# c_# b_# 0 s_# m_# INST
rs_# s_# 0 1k
q1_# 0 d_# e_# 0 m_# INST
r1_# in d_# 10k
r2_# vc e_# 20k
E
    pnp) echo 'pnp -0.8 -5 is=1e-16 bf=100 cjc=1p'; cat << 'E' ;;
rb_# in b_# 20k
rc_# vc c_# 2k
q_# c_# b_# 0 s_# m_# INST
rs_# s_# 0 1k
E
    njf) echo 'njf -0.5 5 cgs=1p cgd=0.5p'; cat << 'E' ;;
rb_# in b_# 10k
rc_# vc c_# 2k
j_# c_# b_# 0 m_# INST
r1_# in e_# 1k
j1_# 0 b_# e_# m_# INST
E
    mos*) echo "nmos 2 5 level=${1#mos}$([ "$1" = mos1 ] || echo ' vto=0.8 tox=25n')"; cat << 'E' ;;
rb_# in b_# 10k
rc_# vc c_# 10k
m_# c_# b_# 0 0 m_# INST
rs_# in s_# 1k
m1_# d_# b_# s_# 0 m_# INST
r1_# vc d_# 100k
E
    esac
}
# deck KIND TEMPERATURE: rows of that kind to a circuit; the number of rows goes to a file.
deck() {
    circuit "$1" > circuit.txt
    awk -F'|' -v kind="$1" -v temperature="$2" "$is_of"'
        NR == FNR { if (FNR == 1) { split($0, word, " "); type = word[1]; drive = word[2]; supply = word[3]
                      base = $0; sub(/^[^ ]+ [^ ]+ [^ ]+ /, "", base) } else part[++parts] = $0; next }
        FNR == 1 { print "parameters of " kind; print "vin in 0 dc " drive " ac 1"; print "vc vc 0 " supply
                   print ".options reltol=1e-8 abstol=1e-16 vntol=1e-12 temp=" temperature }
        is_of(kind) { row = rows++; split($2, words, "/"); print ".model m_" row " " type " " base " " words[1]
            for (k = 1; k <= parts; k++) { line = part[k]; gsub(/#/, row, line); sub(/INST/, words[2], line); print line } }
        END { print rows > "rows.txt" }' circuit.txt "$table"
}
# raw FILE: "node re im" of a rawfile of one point.
raw() {
    awk '/^No. Variables/ { n = $3 } /^Variables:/ { v = 1; next } /^Values:/ { v = 2; next }
         v == 1 { name[$1] = $2 } v == 2 && NF { split($NF, z, ","); title = name[i++]; gsub(/^v\(|\)$/, "", title); print title, z[1], z[2] + 0 }' "$1"
}
# compare KIND TEMPERATURE
compare() {
    deck "$1" "$2" > deck.cir
    { cat deck.cir; printf '.control\nset filetype=ascii\nop\nwrite op.raw all\nac lin 1 %s %s\nwrite ac.raw all\nquit\n.endc\n.end\n' "$(frequency "$1")" "$(frequency "$1")"; } > ng.cir
    { cat deck.cir; printf '.op\n.ac lin 1 %s %s\n.end\n' "$(frequency "$1")" "$(frequency "$1")"; } > our.cir
    rm -f op.raw ac.raw
    ngspice -b ng.cir > ng.log 2>&1
    { raw op.raw; } > op.txt; { raw ac.raw; } > ac.txt
    expect 0 "$LINNET" op our.cir -q -f csv -o op.csv || return
    expect 0 "$LINNET" ac our.cir -q -f csv -o ac.csv || return
    awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) name[k] = $k } NR == 2 { for (k = 2; k <= NF; k++) print name[k], $k, 0 }' op.csv > our_op.txt
    awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) name[k] = $k } NR == 2 { for (k = 2; k <= NF; k++) if (name[k] ~ /\.re$/) {
             title = name[k]; sub(/\.re$/, "", title); print title, $k, $(k + 1) } }' ac.csv > our_ac.txt
    awk -v kind="$1" -v temperature="$2" -v verbose="$VERBOSE" "$is_of"'
        function away(a, b, node) { # |a - b| by |b|, from a millivolt on
            x = a[node, 1] - b[node, 1]; y = a[node, 2] - b[node, 2]; size = sqrt(b[node, 1]^2 + b[node, 2]^2)
            return sqrt(x*x + y*y)/(size > 1e-3 ? size : 1e-3) }
        FILENAME == "op.txt" { op[$1, 1] = $2; op[$1, 2] = 0; node[$1] = 1; next }
        FILENAME == "our_op.txt" { mine[$1, 1] = $2; mine[$1, 2] = 0; have[$1] = 1; next }
        FILENAME == "ac.txt" { ac[$1, 1] = $2; ac[$1, 2] = $3; next }
        FILENAME == "our_ac.txt" { small[$1, 1] = $2; small[$1, 2] = $3; next }
        is_of(kind) { split($0, field, "|"); row = rows++; allowed[1] = allowed[2] = ""; split(field[3], allowed, " "); worst[1] = worst[2] = seen = 0
          for (n in node) { if (n !~ "^[bcdes]_" row "$" || !(n in have)) continue
            seen++; d = away(mine, op, n); if (d > worst[1]) worst[1] = d; d = away(small, ac, n); if (d > worst[2]) worst[2] = d }
          ok = seen > 1 && worst[1] <= (allowed[1] ? allowed[1] : 1e-6) && worst[2] <= (allowed[2] ? allowed[2] : 1e-5)
          if (verbose || !ok) printf "%s: %s %s at %g degC: point differs by %.1e, response by %.1e\n", ok ? "ok" : "FAILED", kind, field[2], temperature, worst[1], worst[2]
          bad += !ok }
        END { exit bad > 0 }' op.txt our_op.txt ac.txt our_ac.txt "$table" || fail "$1 at $2 degC"
}
# names DEVICE KIND: each that ngspice has stands somewhere in the table.
names() {
    printf 'x\nr1 1 0 1\nv1 1 0 1\n.control\ndevhelp %s\nquit\n.endc\n.end\n' "$1" > help.cir
    ngspice -b help.cir 2> /dev/null | awk '$3 == "inout" || $3 == "in" { print $2 }' | sort -u > names.txt
    [ -s names.txt ] || fail "ngspice tells no parameters of $1"
    awk -F'|' -v kind="$2" 'index($1, kind) || index($1, "all") { gsub(/=[^ ]*/, "", $2); gsub(/[\/]/, " ", $2); print $2 }' "$table" |
        tr ' ' '\n' | sort -u > known.txt
    lacking=$(comm -23 names.txt known.txt | tr '\n' ' ')
    [ -z "$lacking" ] || fail "tests/parameters.txt says nothing about these of ngspice's $1: $lacking"
}

for kind in diode bjt pnp njf mos1 mos2 mos3; do
    compare $kind 27
    compare $kind 70
done
names Diode diode
names BJT bjt
names JFET njf
names Mos1 mos1
names Mos2 mos2
names Mos3 mos3
finish

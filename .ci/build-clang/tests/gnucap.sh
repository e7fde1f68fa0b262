#!/bin/sh
# SPDX-License-Identifier: MIT
# The decks of Debian's package gnucap (its documentation's examples), not written for us: how many Linnet reads, what the
# others need, and whether operating points and final values of runs are those of gnucap or ngspice. Fails when a deck
# differs from every simulator that accepts it. `make check-gnucap`; skipped without the package. VERBOSE=1 names all decks.
. "${srcdir:-.}/tests/shell.sh"
decks=${GNUCAP_DECKS:-/usr/share/doc/gnucap/examples}
[ -d "$decks" ] && command -v gnucap > /dev/null || { echo "the package gnucap is not installed"; exit 77; }
cd "$work" || exit 1

# The circuit alone: without analyses and what they print.
bare() {
    awk 'NR == 1 { print; next }
        { line = tolower($0); sub(/^[ \t]+/, "", line) }
        line ~ /^\.end([ \t]|$)/ { exit }
        line ~ /^\+/ { if (keep) print; next }
        { keep = line !~ /^[.*#>]/ || line ~ /^\.(model|param|parameter|subckt|ends|macro|eom|options?|opt|lib|endl|inc|include|func|ic|nodeset|temp)/ }
        keep { print }' "$1"
}
# "NODE VALUE" lines of each simulator, nodes in lower case.
by_linnet() { # analysis
    case $1 in
    op) timeout 20 "$LINNET" op ours.cir -q -f csv -o ours.csv 2> said ;;
    *) timeout 60 "$LINNET" run ours.cir -q -o ours.csv 2> said ;;
    esac || return
    awk -v RS='[,\n]' 'NF { print }' ours.csv | awk -v columns="$(head -n 1 ours.csv | awk -F, '{ print NF }')" '
        NR <= columns { name[NR] = $0; next } { value[(NR - 1) % columns + 1] = $0 }
        END { for (k = 1; k <= columns; k++) { n = name[k]; if (n ~ /^v\([^,]*\)$/) n = substr(n, 3, length(n) - 3); print n, value[k] } }' > ours.txt
}
by_ngspice() { # command, an option
    { cat circuit; printf '.control\nset numdgt=9\n%s\n%s\nprint all\nquit\n.endc\n.end\n' "${2:-}" "$1"; } > theirs.cir
    timeout 60 ngspice -b theirs.cir > ngspice.out 2>&1
    grep -qiE "error|warning|singular|fatal|unknown" ngspice.out && return 1
    case $1 in
    op) awk '$2 == "=" && NF == 3 { print tolower($1), $3 }' ngspice.out ;;
    *) awk '/^Index/ { n = NF; for (k = 3; k <= NF; k++) name[k] = tolower($k) } /^[0-9]+\t/ { for (k = 3; k <= NF; k++) value[name[k]] = $k }
        END { for (k in value) print k, value[k] }' ngspice.out ;;
    esac | sed 's/^v(\([^ ]*\)) /\1 /' > ngspice.txt
    [ -s ngspice.txt ]
}
by_gnucap() { # analysis, its card
    { cat circuit; printf '.print %s v(nodes)\n%s\n.end\n' "$1" "$2"; } > theirs.cir
    timeout 20 gnucap -b theirs.cir > gnucap.out 2>&1 || return 1
    awk 'function number(text,   last, scale) {
            last = substr(text, length(text)); scale = index("TGKmunpf", last)
            if (text ~ /Meg$/) return text*1e6
            return scale ? text*10^substr("12 9  3  -3 -6 -9 -12-15", 3*scale - 2, 3) : text + 0
        }
        /^#/ { for (k = 2; k <= NF; k++) name[k] = tolower($k); n = NF; next }
        n && NF == n { for (k = 2; k <= n; k++) value[k] = number($k) }
        END { for (k = 2; k <= n; k++) if (name[k] ~ /^v\(/ && k in value) print substr(name[k], 3, length(name[k]) - 3), value[k] }' gnucap.out > gnucap.txt
    [ -s gnucap.txt ]
}
# Do two lists agree, to 1e-3 of the value and a share of the largest, 1e-5 after a run? The names that both have must be some.
agree() { # list, analysis
    awk -v share="$([ "$2" = op ] && echo 1e-6 || echo 1e-5)" 'NR == FNR { ours[$1] = $2; next }
        $1 in ours { n++; size = $2 < 0 ? -$2 : $2; d = ours[$1] - $2; if (d < 0) d = -d; if (size > most) most = size; far[n] = d; near[n] = size; name[n] = $1 }
        END { for (k = 1; k <= n; k++) if (far[k] > 1e-3*near[k] + share*most + 1e-9) { print name[k], far[k], near[k]; bad = 1 } exit bad || n == 0 }' ours.txt "$1" > differences
}

read_count=0 op_count=0 tran_count=0 refused=0 agreed=0 alone=0 missing=0 finer=0
: > reasons; : > unlike; : > differing
# Differences that have a reason.
explained() {
    case $1 in
    d_switch.nro.[34]*)
        echo "a switch that has no equilibrium: closed, the capacitor is at 0.1 mV, which opens it; open, at 1 kV, which closes it" ;;
    d_switch.nro.*) # ramps of 49.6 us and falls of 5 ns, from t = 0 on
        echo "a relaxation oscillator: by hand v(1) ends at 148.2053 mV, Linnet's at 148.2053, ngspice's at 138.6, at steps of 20 ns 139.5" ;;
    oscillator.*) # 50 (cos(t - 0.1) - cos t)
        echo "an LC tank over 16 periods: by hand v(1) ends at -2.7430, Linnet's at -2.7422, ngspice's at -2.68, at reltol=1e-6 -2.7465" ;;
    d_cap.ic4) echo "of two capacitors in parallel one has a start: Linnet takes it for both, the others share the charge" ;;
    d_mos1.zero) echo "a gate charged through 1 MOhm: its charges are those of Ward and Dutton, ngspice's capacitances Meyer's" ;;
    *) return 1 ;;
    esac
}
judge() { # deck, analysis, ngspice's command, gnucap's card, both for a finer run
    accepted=0 fine=0
    for simulator in ngspice gnucap; do
        if [ $simulator = ngspice ]; then by_ngspice "$3" || continue; else by_gnucap "$2" "$4" || continue; fi
        accepted=1
        if agree $simulator.txt "$2"; then fine=1; break; fi
    done
    # where they differ: once more, a thousand times as exact and at a fiftieth of the step
    if [ $accepted = 1 ] && [ $fine = 0 ] && [ -n "${5:-}" ]; then
        if { by_ngspice "$5" "option reltol=1e-6" && agree ngspice.txt "$2"; } || { by_gnucap "$2" ".options reltol=1e-6
$6" && agree gnucap.txt "$2"; }; then fine=1 finer=$((finer + 1)); fi
    fi
    if [ $accepted = 0 ]; then alone=$((alone + 1))
    elif [ $fine = 1 ]; then agreed=$((agreed + 1))
    elif reason=$(explained "$1"); then echo "$1 ($2): $reason" >> differing
    else echo "$1 ($2): $(head -n 1 differences)" >> unlike
    fi
    [ -z "${VERBOSE:-}" ] || echo "$1 $2: $([ $accepted = 0 ] && echo "nobody else accepts it" || { [ $fine = 1 ] && echo agrees || echo differs; })"
}

# ".5ms" -> ".01ms"
fiftieth() { echo "$1" | awk '{ number = $1; sub(/[a-zA-Z]*$/, "", number); if (number ~ /[eE]$/) { print $1; exit } unit = substr($1, length(number) + 1); printf "%.9g%s", number/50, unit }'; }

fell_short() { # analysis
    missing=$((missing + 1))
    if reason=$(explained "$name"); then echo "$name ($1): $reason" >> differing
    else echo "$name ($1): $(grep error: said | head -n 1 | cut -c1-200)" >> unlike
    fi
}

for deck in "$decks"/*.ckt; do
    name=$(basename "$deck" .ckt)
    cp "$deck" whole.ckt
    if ! timeout 20 "$LINNET" check -q whole.ckt > said 2>&1; then
        refused=$((refused + 1))
        sed -n "s/.*error: //p" said | head -n 1 | sed "s/'[^']*'/.../g; s/ (line [0-9]*)//; s/at line [0-9]*/before/; s/=[-0-9.e]*:/:/; s/^[a-z0-9_#][a-z0-9_.#]*: //" >> reasons
        [ -z "${VERBOSE:-}" ] || echo "$name: $(grep -m1 error: said)"
        continue
    fi
    read_count=$((read_count + 1))
    bare "$deck" > circuit
    { cat circuit; echo .end; } > ours.cir
    uic=$(awk 'tolower($1) ~ /^\.tran/ && tolower($0) ~ /[ \t]uic/ { print "uic"; exit }' "$deck") # then there may be no operating point
    if [ -n "$uic" ]; then :
    elif by_linnet op; then
        op_count=$((op_count + 1))
        judge "$name" op op .op
    else
        fell_short op
    fi
    tran=$(awk 'tolower($1) == ".end" { exit } tolower($1) == ".tran" && NF >= 4 && $3 + 0 > 0 { if ($2 + 0 == 0) print $3, $4; else if ($2 + 0 < $3 + 0) print $3, $2; exit }' "$deck")
    [ -n "$tran" ] || continue
    stop=${tran% *} step=${tran#* }
    { cat circuit; printf '.tran %s %s %s\n.end\n' "$step" "$stop" "$uic"; } > ours.cir
    if by_linnet tran; then
        tran_count=$((tran_count + 1))
        judge "$name" tran "tran $step $stop $uic" ".tran 0 $stop $step $uic" "tran $step $stop 0 $(fiftieth "$step") $uic" ".tran 0 $stop $(fiftieth "$step") $uic"
    else
        fell_short tran
    fi
done
echo "$read_count decks are read, $refused need what Linnet does not have:"
sort reasons | uniq -c | sort -rn | head -n 40
echo "$op_count operating points and $tran_count runs were computed, $missing failed;"
echo "$agreed agree with ngspice or gnucap ($finer of them at reltol=1e-6), $alone nobody else accepts, $(wc -l < differing) differ for a reason:"
cat differing
[ ! -s unlike ] || echo "without a reason differ, or failed:"
cat unlike
[ ! -s unlike ] || fail "$(wc -l < unlike) results differ from every simulator"
finish

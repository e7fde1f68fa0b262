#!/bin/sh
# SPDX-License-Identifier: MIT
# How runs end: with numbers only, with the equations met, with a reason, in time.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1
implicit="radau5 tr-bdf2 bdf2 backward-euler crank-nicolson ida"

# last FILE COLUMN VALUE: the last row has it, to 1e-9
last() {
    tail -n 1 "$1" | awk -F, -v k="$2" -v v="$3" '{ e = $k - v; exit !(e < 1e-9 && e > -1e-9) }' ||
        fail "$1: column $2 ends at $(tail -n 1 "$1" | cut -d, -f"$2"), not at $3"
}
how() { # of a method: by a tolerance where it has no fixed step
    case $1 in radau5 | ida) echo "--tolerance 1e-6" ;; *) echo "--step 0.01s" ;; esac
}

# ---- derivatives that are infinite where the value is not: no end of a run ----
for pair in 'acos 1 0' 'asin 1 1.5707963267948966' 'sqrt 0 0' 'cbrt 0 0' 'acos -1 3.141592653589793'; do
    # shellcheck disable=SC2086
    set -- $pair
    cat > regular.xml << XML
<model name="m"><block-type name="F"><input name="u"/><output name="y"/><equation>y = $1(u)</equation></block-type>
<constant id="c" out="u" value="$2"/><F id="f" u="u" y="y"/><integrator id="i" in="y" out="z"/>
<simulation duration="1 s"/><record signals="u y z"/></model>
XML
    for method in $implicit; do
        # shellcheck disable=SC2046
        expect 0 "$LINNET" run regular.xml -q -m $method $(how $method) -o regular.csv &&
            last regular.csv 3 "$3" && last regular.csv 4 "$3"
    done
    expect 4 "$LINNET" linearise regular.xml --inputs c.y --outputs y 2> /dev/null || expect 2 "$LINNET" linearise regular.xml --inputs none --outputs y
done

# source EQUATION: a model whose source it is, with its integral
source() {
    cat > source.xml << XML
<model name="m"><block-type name="F"><output name="y"/><equation>y = $1</equation></block-type>
<F id="f" y="y"/><integrator id="i" in="y" out="z"/><simulation duration="1 s"/><record signals="y z"/></model>
XML
}
# likewise of time, in the midst of a run; the integrals are those of antiderivatives. A jump that is no event looks the same
for pair in 'cbrt(t-0.5)=0' 'acosh(1+abs(t-0.5))=0.651202966' 'sqrt(abs(t-0.5))=0.471404521' 'atan2(t-0.5,t-0.5)=-0.785398163'; do
    source "${pair%=*}"
    for method in radau5 tr-bdf2 bdf2 ida rk45; do
        expect 0 "$LINNET" run source.xml -q -m $method -t 1e-5 -o source.csv &&
            tail -n 1 source.csv | awk -F, -v z="${pair#*=}" '{ e = $3 - z; exit !(e < 2e-3 && e > -2e-3) }' ||
            fail "${pair%=*} by $method: $(tail -n 1 source.csv)"
    done
done
# a trial that leaves the domain is no error; what no step avoids is one, told once, with the place
for equation in 'log(abs(t-0.5))' 'log(0.5-t)' 'acos(2*t)' 'sqrt(0.5-t)' 'exp(2000*t)'; do
    source "$equation"
    for method in radau5 tr-bdf2 bdf2 ida crank-nicolson; do
        within 60 "$LINNET" run source.xml -q -m $method -t 1e-4 -o source.csv 2> err
        case $? in
            0) [ "$equation" = 'log(abs(t-0.5))' ] && told=0 || fail "$equation by $method: done" ;;
            4) told=1 ;;
            *) fail "$equation by $method ends with another status" ;;
        esac
        [ "$(grep -c 'error: ' err)" = $told ] || fail "$equation by $method: not $told errors: $(head -n 3 err)"
    done
done

# ---- a value of the first guess does not stay ----
cat > guess.xml << 'XML'
<model name="f"><block-type name="F"><input name="u"/><output name="y"/><equation>y = atan2(u-1, u-1)</equation></block-type>
<constant id="c" out="u" value="1"/><integrator id="i" in="y" out="z"/>
<F id="f" u="u" y="y"/><simulation duration="1 s" step="0.25 s"/><record signals="u y z"/></model>
XML
for method in rk4 tr-bdf2 bdf2 backward-euler crank-nicolson; do
    expect 0 "$LINNET" run guess.xml -q -m $method -o guess.csv && last guess.csv 3 0 && last guess.csv 4 0
done

# ---- a true singularity: block, expression, value; no internal status ----
cat > division.xml << 'XML'
<model name="m"><constant id="c" out="u" value="1"/><division id="d" in="u" by="q" out="y"/><pulse id="p" out="q" width="0.1 s"/>
<simulation duration="1 s"/></model>
XML
cat > zero.xml << 'XML'
<model name="m"><division id="d" in="q" by="q"/><pulse id="p" out="q" width="0.1 s"/><simulation duration="1 s"/></model>
XML
for model in division zero; do
    for method in radau5 tr-bdf2 bdf2 backward-euler rk45; do
        expect 4 "$LINNET" run $model.xml -m $method -t 1e-4 && says err "d (division)" " / 0"
        grep -q "must be tried shorter" "$work/err" && fail "$model.xml by $method: an internal status"
    done
done

# x' = -1/x ends at t = 1/2, where x is 0. rk45 crept on, x to and fro within its tolerance
for tolerance in 1e-3 1e-4 1e-6; do
    for method in rk45 radau5 tr-bdf2; do
        cat > ends.xml << 'XML'
<model name="m"><block-type name="sinks"><state name="x" start="1"/><equation>der(x) = -1/x</equation></block-type>
<sinks id="s"/><simulation duration="2 s"/></model>
XML
        expect 4 within 20 "$LINNET" run ends.xml -m $method -t $tolerance -q -o ends.csv && says err "ends.xml:2: error" "at t = 0." "s.x"
    done
done

# ---- numbers only ----
cat > growth.xml << 'XML'
<model name="m"><gain id="g" in="x" out="d" k="1000"/><integrator id="i" in="d" out="x" y0="1"/><simulation duration="10 s"/></model>
XML
expect 4 within 20 "$LINNET" run growth.xml -m ida -t 1e-4 -o growth.csv
[ -s growth.csv ] || fail "the rows before the overflow are lost"
grep -qi 'nan\|inf' growth.csv && fail "growth.csv holds what is no number"
expect 4 within 20 "$LINNET" run growth.xml -m rk4 -s 1ms -o growth.csv
grep -qi 'nan\|inf' growth.csv && fail "growth.csv holds what is no number"

# A core's field passes zero where the run ends: the step left a millionth of what the flux had been there, a hundredth of its
# tolerance, and was told not to be trusted.
cat > core.xml << 'END'
<model xmlns="urn:linnet:model:1">
  <magnetic-ground id="mg" p="0"/>
  <sine id="u" frequency="50" amplitude="500" out="u"/>
  <signal-mmf id="s" p="a" n="0" in="u"/>
  <reluctance id="h" p="a" n="c" R="1.16e6"/>
  <saturating-core id="sc" p="c" n="0" length="0.1 m" A="2e-4 m^2" mu_r="2000" B_sat="1.6 T"/>
  <simulation duration="40 ms"/>
  <record signals="sc.phi"/>
</model>
END
for tolerance in 1e-3 1e-4 1e-6; do
    expect 0 "$LINNET" run core.xml -q --tolerance $tolerance -o core.csv
done
# a loop that ends where all of it is nothing but rounding: its rows are met to their tolerances
cat > small.xml << 'EOF'
<model name="small at the end" xmlns="urn:linnet:model:1"><sine id="s" frequency="1" out="x[0]"/>
<repeat index="k" from="1" to="3"><sum id="a[k]" in="x[k-1] y[k]" signs="+-" out="e[k]"/>
<gain id="g[k]" in="e[k]" k="0.5" out="x[k]"/>
<function id="h[k]" in="x[k]" out="y[k]" expression="u+0.1*u^3"/></repeat>
<simulation duration="1"/><record signals="x[3]"/></model>
EOF
for method in radau5 tr-bdf2 bdf2 crank-nicolson; do
    expect 0 "$LINNET" run small.xml --method $method --tolerance 1e-4 -q -o small.csv
done

# ---- events that come ever closer: as many as are told have two rows at one time ----
cat > bounces.xml << 'XML'
<model name="m"><block-type name="ball"><state name="h" start="1"/><state name="v"/><equation>der(h)=v</equation>
<equation>der(v)=-9.81</equation><when condition="h lt 0"><set name="v" value="-0.7*pre(v)"/></when></block-type>
<ball id="b"/><simulation duration="10 s" step="1 ms"/><record signals="b.h b.v"/></model>
XML
expect 4 "$LINNET" run bounces.xml -q -o bounces.csv && says err "$(awk -F, '$1 == last { n++ } { last = $1 } END { print n }' bounces.csv) events that come ever closer"

# ---- no unknowns: nothing to solve, but a run all the same ----
cat > grounded.xml << 'XML'
<model name="m"><ground id="E" p="0"/><resistor id="R" p="0" n="0" R="1"/><simulation duration="1 ms"/></model>
XML
for method in radau5 tr-bdf2 bdf2 backward-euler crank-nicolson rk45; do
    expect 0 within 20 "$LINNET" run grounded.xml -q -m $method -o grounded.csv && last grounded.csv 1 0.001
done
expect 2 within 20 "$LINNET" run grounded.xml -m ida -o grounded.csv && says err "ida needs an unknown"

# ---- limits ----
sed 's/k="1000"/k="-1"/; s/10 s/1000 s/' growth.xml > long.xml
begun=$(date +%s)
expect 4 "$LINNET" run long.xml --step 1us --max-seconds 1 && says err "the time limit (--max-seconds) is over at t = " "what holds the run: "
[ $(($(date +%s) - begun)) -lt 10 ] || fail "--max-seconds 1 took $(($(date +%s) - begun)) s"
# rows within a step are looked at, too: five steps held a billion of them, and the limit went by
expect 4 timeout 30 "$LINNET" run long.xml -t 1e-3 --points 1e9 --max-seconds 1 && says err "the time limit (--max-seconds) is over at t = "
# sizes whose quotients are beyond what numbers can tell: no memory was short
lift=$srcdir/models/examples/hydraulic/hydraulic-lift.xml
expect 0 within 20 "$LINNET" op "$lift" --set ram.rho=1e-300
expect 4 within 20 "$LINNET" run "$lift" --set ram.rho=1e-300 -q -o lift.csv && says err "no consistent start found"
expect 2 "$LINNET" run long.xml --max-seconds 0 && says err "a number above 0"
expect 2 "$LINNET" run long.xml --max-memory 5 && says err "500MB"
awk 'BEGIN { print "<model name=\"m\"><ground id=\"g\" p=\"0\"/>"
    for (k = 1; k <= 60000; k++) printf "<resistor id=\"R%d\" p=\"n%d\" n=\"n%d\" R=\"1\"/>\n", k, k, k + 1
    print "<resistor id=\"RL\" p=\"n60001\" n=\"0\" R=\"1\"/><voltage-source id=\"V\" p=\"n1\" n=\"0\" V=\"1\"/><simulation duration=\"1 s\"/></model>" }' > large.xml
# AddressSanitizer wants terabytes of addresses
has_addresses() { ! grep -q __asan_init "$LINNET"; }
has_addresses && expect 1 within 60 "$LINNET" check large.xml --max-memory 40MB && says err "out of memory"
# A deck's cards, words and copies as written are given back when it has been read: this one took 68 MB, and takes 44.
awk 'BEGIN { print "* ladder\nV1 n0 0 1"
    for (k = 1; k <= 30000; k++) printf "R%d n%d n%d %.9g\nC%d n%d 0 %.9g\n", k, k - 1, k, 1e3/30000, k, k, 1e-9/30000
    print ".tran 2n 200n\n.print tran v(n9)\n.end" }' > cards.cir
has_addresses && expect 0 within 60 "$LINNET" check cards.cir --max-memory 56MB
has_addresses && ldd "$LINNET" 2> /dev/null | grep -q openblas-serial && for megabytes in 120 160 200 250; do # starts, or says at once that it cannot
    for command in "run growth.xml -d 1ms -o o.csv" "eig growth.xml"; do
        (ulimit -v ${megabytes}000; timeout -k 1 20 "$LINNET" $command > said 2>&1; echo $? > status)
        case $(cat status) in 0 | 1 | 5 | 127) ;; *) fail "$command under ${megabytes} MB: exit status $(cat status)" ;; esac
    done
done

# 128 kB of stack is enough, for what is nested deepest, too: large blocks of bytes lie elsewhere (decks and tables wanted 64 kB).
cp "$srcdir"/tests/small/rc.xml "$srcdir"/tests/small/loop.xml "$srcdir"/tests/small/deck.cir . || exit 1
awk 'BEGIN { print "<model name=\"deep\"><component name=\"c0\"><constant id=\"c\" out=\"y\" value=\"1\"/></component>"
    for (k = 1; k < 64; k++) printf "<component name=\"c%d\"><c%d id=\"i\"/></component>\n", k, k - 1
    print "<c63 id=\"z\"/><simulation duration=\"1\"/></model>" }' > deep.xml
if has_addresses; then # it wants more of the stack, too
    for command in "run rc.xml -q -o rc.csv" "run deck.cir -q -o deck.csv" "op deck.cir" "convert deck.cir -o deck.xml" "plot rc.csv -o rc.svg" \
        "result rc.csv -o rc.raw" "check deep.xml" "run deep.xml -q -o deep.csv" "loops loop.xml" "eig rc.xml" "codegen loop.xml -o code" \
        "sweep rc.xml -q -j 2 --vary load=1,2 -o sweep.csv" "run rc.xml -q --method ida -t 1e-6 -o ida.csv"; do
        expect 0 sh -c "ulimit -s 128; exec '$LINNET' $command"
    done
fi
finish

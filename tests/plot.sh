#!/bin/sh
# SPDX-License-Identifier: MIT
# linnet plot from outside: files of each kind, a drawing in characters, hostile names, what is wrong, no gnuplot.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1
model=$srcdir/models/examples/electrical/half-wave-rectifier.xml

mkdir empty
expect 5 env PATH="$work/empty" "$LINNET" plot "$model" && says err "install gnuplot" "linnet: failed: a file could not be"
[ -z "$(ls empty)" ] && [ ! -e half-wave-rectifier.svg ] || fail "without gnuplot something was left"
expect 2 "$LINNET" plot "$model" -o picture.gif && says err ".svg, .png, .pdf, .html or .json"
expect 2 "$LINNET" plot && says err "a model file is missing"

printf "time,a'\`touch bad\`_x^2,\"b<i>&\"\"@x\",\$(touch bad)\n0,1,2,1000\n1,2,3,2000\n2,4,0,1e3\n3,4,4,1e3\n" > odd.csv
if ! command -v gnuplot > /dev/null; then finish; fi

expect 0 "$LINNET" plot "$model" --signals 'in,out,R1.*' && says err "linnet: done"
head -c 300 half-wave-rectifier.svg | grep -q '<svg' || fail "the default is not an SVG of the model's name"
expect 0 "$LINNET" plot odd.csv -o odd.svg
grep -qF 'touch bad' odd.svg && [ ! -e bad ] || fail "a name was not shown as it stands"
if command -v xmllint > /dev/null; then xmllint --noout odd.svg || fail "names break the SVG"; fi
expect 0 "$LINNET" plot odd.csv -o odd.png --panels each --log y --size 400x300 && head -c 8 odd.png | grep -q PNG || fail "no PNG"
expect 0 "$LINNET" plot odd.csv -o odd.pdf --panels one && head -c 5 odd.pdf | grep -q '%PDF' || fail "no PDF"
expect 0 "$LINNET" plot odd.csv -o - --signals "b*" --against "\$(touch bad)" && says out "(touch bad)" "1000"
expect 0 "$LINNET" plot "$model" -o - --signals out --from 40ms --to 60ms --size 60x20 && says out "half-wave rectifier" " 40 " "time (ms)"

expect 2 "$LINNET" plot odd.csv --signals nothing && says err "fits 'nothing'"
expect 2 "$LINNET" plot "$model" --signals outt && says err "option --signals" "out"
expect 2 "$LINNET" plot odd.csv --panels two && says err "alike, one or each"
expect 2 "$LINNET" plot odd.csv --log z
expect 2 "$LINNET" plot odd.csv --size big
expect 2 "$LINNET" plot odd.csv --from 2 --to 1
expect 2 "$LINNET" plot odd.csv --from '2 kg' && says err "--from"
# operands: files, then signals
printf 'time;a;b\n0;1,5;0\n1;2,5;1\n' > semicolon.csv
printf 'time\ta\tb\n0\t1\t0\n1\t3\t2\n' > tab.csv
expect 0 "$LINNET" plot semicolon.csv tab.csv a -o - && says out "semicolon" "tab" "2.5"
expect 2 "$LINNET" plot semicolon.csv nosuch -o - && says err "fits 'nosuch'"
expect 5 "$LINNET" plot semicolon.csv no/such.csv -o - && says err "no/such.csv"

# A curve at its bounds is inside the frame: the frame's own lines bear no sign of it, and the grid none at all.
cat > flat.xml <<'END'
<model name="o"><constant id="c" out="u" value="1e9"/><integrator id="i" in="u" out="y"/><simulation duration="1e-6"/></model>
END
expect 0 "$LINNET" plot flat.xml -o - --signals u --size 60x20
awk '/\+---.*---\+/ && /[*#]/ { exit 1 }' out || fail "the curve lies on the frame"
cat > sine.xml <<'END'
<model><sine id="s" frequency="1" out="y"/><simulation duration="2" step="0.01"/></model>
END
expect 0 "$LINNET" plot sine.xml -o - --size 79x24
[ "$(tr -cd '*' < out | wc -c)" -lt 160 ] || fail "the grid is drawn with the curve's sign"

# Times have their prefix, values at given times their numbers, a held signal its stairs, events their marks.
cat > held.xml <<'END'
<model name="held"><ramp id="s" slope="1" out="u"/> <zero-order-hold id="h" in="u" out="y" period="4 ms"/>
  <simulation duration="20 ms" step="1 ms"/></model>
END
expect 0 "$LINNET" plot held.xml y u -o held.svg --at 10ms --panels each
grep -q 'time (ms)' held.svg && grep -q '>0.008<' held.svg && grep -q '>0.01<' held.svg || fail "ms, or values at 10 ms"
expect 0 "$LINNET" plot held.xml -o dark.svg --dark && grep -q '#1b1e23' dark.svg || fail "no dark ground"

# Two runs, a sweep as a fan and as measures, a response as Bode and Nyquist plots; a deck.
cat > rc.xml <<'END'
<model name="rc"><parameter name="R" value="1 kOhm"/><ground id="g" p="0"/><step-voltage id="V1" p="in" n="0" height="1 V"/>
  <resistor id="R1" p="in" n="out" R="R"/><capacitor id="C1" p="out" n="0" C="1 uF"/><simulation duration="5 ms"/>
  <measure name="tr" kind="rise-time" signal="out"/></model>
END
expect 0 "$LINNET" run rc.xml -q -o before.csv && expect 0 "$LINNET" run rc.xml -q --set R=2kOhm -o after.csv
expect 0 "$LINNET" plot before.csv after.csv out -o two.svg && grep -q '>before<' two.svg && grep -q '>after<' two.svg || fail "two runs"
expect 0 "$LINNET" plot before.csv after.csv -o four.svg && grep -q '>out, after<' four.svg || fail "two runs of two signals"
expect 0 "$LINNET" sweep rc.xml --vary R=500,1000,2000 -q -o sweep.csv --save-runs runs
expect 0 "$LINNET" plot runs/*.csv out --sweep sweep.csv -o fan.svg && grep -q "> *2000<" fan.svg || fail "no scale of R"
# a logarithmic scale of less than two decades has its numbers
expect 0 "$LINNET" sweep rc.xml --vary R=500,1000,2000,4000 -q -o short.csv --save-runs short
expect 0 "$LINNET" plot short/*.csv out --sweep short.csv -o fan.svg && grep -q '> *500<' fan.svg && grep -q '> *2000<' fan.svg ||
    fail "numbers of a short scale"
# One signal of two results is in one panel, whatever its sizes are; a small one stands not among large ones for a third's sake.
panels_of() { # FILE.json: the names in each panel
    awk -F '"' '/^{"title"/ { printf "%s", sep; sep = " "; comma = "" }
        /^"y":/ { label = $6 } /^{"name"/ { printf "%s%s", comma, $4 == "" ? label : $4; comma = "," }' "$1"
}
printf 'time,large,middle,small\n0,10,1,0.2\n1,10,1,0.2\n' > sizes.csv
sed 's/10,1,0.2/10,1,90/' sizes.csv > other.csv
expect 0 "$LINNET" plot sizes.csv -o sizes.json && [ "$(panels_of sizes.json)" = "large,middle small" ] ||
    fail "panels by size: $(panels_of sizes.json)"
expect 0 "$LINNET" plot sizes.csv other.csv -o sizes.json &&
    [ "$(panels_of sizes.json)" = "large, sizes,middle, sizes,large, other,middle, other small, sizes,small, other" ] ||
    fail "panels by name: $(panels_of sizes.json)"
expect 2 "$LINNET" plot sizes.csv gone.mat -o gone.svg && says err "no signal of the result fits 'gone.mat', and there is no file of this name"
expect 3 "$LINNET" result rc.xml && says err "this is a model or a page, no table of numbers"
printf '\211PNG\r\n\032\n\0\0\0\rIHDR' > picture.csv
expect 3 "$LINNET" plot picture.csv && says err "this is no text, and so no table"
expect 2 "$LINNET" plot before.csv out --sweep sweep.csv -o fan.svg && says err "none of the sweep's cases"
expect 2 "$LINNET" plot runs/*.csv out --sweep before.csv -o fan.svg && says err "no table"
expect 0 "$LINNET" plot sweep.csv tr -o - && says out "tr" "R"
expect 0 "$LINNET" ac rc.xml --input V1 --output out,in --from 1Hz --to 10kHz -f csv -o ac.csv
expect 0 "$LINNET" plot ac.csv out -o bode.svg && grep -q 'phase (deg)' bode.svg && grep -q '>-45<' bode.svg || fail "no Bode plot"
expect 0 "$LINNET" plot ac.csv out --nyquist -o - && says out "real part"
expect 2 "$LINNET" plot ac.csv before.csv -o - && says err "no axis in common"
expect 2 "$LINNET" plot before.csv --nyquist -o -
printf '* deck\nV1 in 0 PULSE(0 1 0 1n 1n 1 2)\nR1 in out 1k\nC1 out 0 1u\n.tran 10u 5m\n.end\n' > rc.cir
expect 0 "$LINNET" plot rc.cir out -o - && says out " rc " "time (ms)"

# Values in ratios are coloured on a logarithmic scale; a logarithmic axis of less than two decades has numbers at 1, 2, 5,
# with a prefix; a million is written out; 0.9995 m is a metre, not 999.5 mm.
sed -i 's/<measure/<record signals="out"\/><measure/' rc.xml
expect 0 "$LINNET" sweep rc.xml --vary R=100,300,1000,5000 -q -o ratios.csv --save-runs ratios
expect 0 "$LINNET" plot ratios/*.csv out --sweep ratios.csv -o fan.svg && grep -q '> *1000<' fan.svg && ! grep -q '> *4000<' fan.svg || fail "no ratios"
printf 'frequency,out.dB,out.phase\n20000,0,-1\n60000,-3,-2\n' > narrow.csv
expect 0 "$LINNET" plot narrow.csv out -o narrow.svg && grep -q 'frequency (kHz)' narrow.svg && grep -q '>50<' narrow.svg || fail "a narrow axis"
printf 'time,n\n0,1e6\n1,0\n' > million.csv
expect 0 "$LINNET" plot million.csv -o million.svg && grep -q '>1000000<' million.svg || fail "a million"
cat > metre.xml <<'END'
<model name="metre"><fixed-point id="w" p="0"/><sine-velocity id="v" p="a" n="0" amplitude="0.9995 m/s" frequency="1 Hz"/>
  <simulation duration="1" step="0.25"/><record signals="a"/></model>
END
expect 0 "$LINNET" plot metre.xml -o metre.svg && grep -q 'a (m/s)' metre.svg || fail "not metres"
# The locus of a loop with an integrator: as wide as high, and no farther than what matters to -1.
expect 0 "$LINNET" margins "$srcdir/models/examples/signal/pi-loop.xml" --open y --plot locus.json -q
python3 -c 'import json
x, y = (json.load(open("locus.json"))[-1][axis] for axis in "xy")
assert json.load(open("locus.json"))[-1]["square"] and max(x["high"] - x["low"], y["high"] - y["low"]) < 7, (x, y)' || fail "the locus is squeezed"

# x[1], x[10], x[2] are drawn as one counts.
printf 'time,x[10],x[1],x[2]\n0,1,2,3\n1,2,3,4\n' > order.csv
expect 0 "$LINNET" plot order.csv -o order.svg
[ "$(grep -o '>x\[[0-9]*\]<' order.svg | uniq | tr -d '\n')" = '>x[1]<>x[2]<>x[10]<' ] || fail "order of names"

# A page: one file, the library and its licence within, hostile names as texts; its scripts are scripts.
if [ -e /usr/share/javascript/dygraphs/dygraph.min.js ]; then
    printf 'time,"</script><img src=x onerror=alert(1)>",b\n0,1,2\n0,3,2\n1,2,3\n' > odd-names.csv
    expect 0 "$LINNET" plot odd-names.csv -o page.html --title '<b>&--></b>'
    grep -q 'Permission is hereby granted' page.html || fail "no licence in the page"
    grep -q '<h1>&lt;b&gt;&amp;--&gt;&lt;/b&gt;</h1>' page.html || fail "the title is not escaped"
    grep -q 'onerror=alert(1)' page.html || fail "the name is not there"
    grep -q '<img' page.html && fail "a name became an element"
    grep -Eq '<(script|link|img|iframe)[^>]* (src|href)=' page.html && fail "the page needs another file"
    grep -q '"marks":\[0\]' page.html || fail "the event is not marked"
    if command -v node > /dev/null; then
        node -e 'const s = require("fs").readFileSync("page.html", "utf8");
            const scripts = [...s.matchAll(/<script>([^]*?)<\/script>/g)];
            if (scripts.length !== 3) throw "scripts: " + scripts.length;
            for (const m of scripts) new Function(m[1]);
            const merge = new Function(scripts[1][1] + "return linnetMerge")();
            const rows = merge([{x: [0, 0, 1], y: [1, 2, null]}, {x: [0.5], y: [7]}]);
            if (JSON.stringify(rows) !== "[[0,1,null],[0,2,null],[0.5,null,7],[1,null,null]]" ||
                !Number.isNaN(rows[3][1])) throw JSON.stringify(rows);' || fail "the page's scripts"
    fi
    expect 0 "$LINNET" plot held.xml y u -o page.html --at 10ms --panels one
    grep -q '"lines":\[10\],' page.html && grep -q '"text":"y: 0.008"' page.html || fail "no values at 10 ms in the page"
    expect 0 "$LINNET" plot runs/*.csv out --sweep sweep.csv -o page.html && grep -q '"name":"R = 2000"' page.html || fail "no values of R"
    expect 5 "$LINNET" plot odd-names.csv -o no/such/page.html
fi

printf 'time,a\n0,nan\n1,nan\n' > nothing.csv
expect 4 "$LINNET" plot nothing.csv && says err "nothing to draw"
expect 5 "$LINNET" plot gone.csv
expect 5 "$LINNET" plot odd.csv -o no/such/folder.svg && says err "no/such/folder.svg"
expect 3 "$LINNET" plot "$srcdir/tests/bad/$(ls "$srcdir/tests/bad" | grep xml | head -n 1)"
finish

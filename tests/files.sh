#!/bin/sh
# SPDX-License-Identifier: MIT
# Files from outside: two runs into one result, disks that are full, folders that vanish, pipes and devices in place of files,
# names with anything in them, streams that nobody reads.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1
escape=$(printf '\033')

cat > rc.xml << 'XML'
<model name="an RC" xmlns="urn:linnet:model:1">
  <ground id="gnd" p="0"/>
  <voltage-source id="V1" p="in" n="0" V="1 V"/>
  <resistor id="R1" p="in" n="out" R="1 kOhm"/>
  <capacitor id="C1" p="out" n="0" C="1 uF"/>
  <simulation duration="1 ms" step="10 us"/>
  <record signals="out R1.i"/>
</model>
XML
sed 's/duration="1 ms" step="10 us"/duration="1000 s" step="1 us"/' rc.xml > long.xml
printf 'a deck\nV1 in 0 1\nR1 in 0 1k\n.tran 1u 10u\n.end\n' > deck.cir

# ---- two runs into one result ----
"$LINNET" run long.xml -o one.csv 2> one.err & first=$!
wait_for -s one.csv.part
expect 5 "$LINNET" run rc.xml -o one.csv && says err "another run of linnet is writing it"
expect 5 "$LINNET" sweep rc.xml --vary R1.R=1,2 --measure 'top=maximum(out)' -o one.csv && says err "another run of linnet is writing it"
kill -TERM $first; wait $first; [ $? = 143 ] || fail "a run ended by SIGTERM does not end with 143"
[ -s one.csv ] && [ ! -e one.csv.part ] || fail "the first run lost its result"
tail -n 1 one.csv | awk -F, 'NF != 3 { exit 1 }' || fail "the result is torn: $(tail -n 1 one.csv)"
expect 0 "$LINNET" run rc.xml -o one.csv
for ending in mat h5 raw; do
    "$LINNET" run long.xml -o "one.$ending" 2> one.err & first=$!
    wait_for -e "one.$ending.part"
    sleep 0.2
    expect 5 "$LINNET" run rc.xml -o "one.$ending" && says err "another run of linnet is writing it"
    kill -TERM $first; wait $first; [ $? = 143 ] || fail "a run into one.$ending ended by SIGTERM does not end with 143"
    [ -s "one.$ending" ] && [ ! -e "one.$ending.part" ] || fail "the first run lost one.$ending: $(cat one.err)"
    echo left > "one.$ending.part"
    expect 0 "$LINNET" run rc.xml -q -o "one.$ending" && expect 0 "$LINNET" result "one.$ending" one.csv -q
    [ ! -e "one.$ending.part" ] || fail "what is left of one.$ending"
done
echo left > left.csv.part # by a crash: no obstacle
expect 0 "$LINNET" run rc.xml -o left.csv && cmp -s left.csv one.csv || fail "what a crash left is in the way"

# ---- disks and folders ----
expect 5 sh -c "ulimit -f 1; exec '$LINNET' run rc.xml -s 1us -o big.csv" && says err "cannot write 'big.csv': File too large"
[ ! -e big.csv ] || fail "half a result bears its name"
# the library that writes the file fails: in the midst, and at its last byte
for ending in raw mat h5; do
    expect 0 "$LINNET" run rc.xml -q -s 1us -o big.$ending
    for bytes in 1024 $(($(wc -c < big.$ending) - 1)); do
        rm -f big.$ending
        expect 5 prlimit --fsize=$bytes "$LINNET" run rc.xml -q -s 1us -o big.$ending && says err "cannot write 'big.$ending'"
        [ ! -e big.$ending ] || fail "half a result is named big.$ending"
    done
done
# a result of the same model by the same command has the same bytes, whenever it is made
for ending in raw mat h5; do expect 0 "$LINNET" run rc.xml -q -o when.$ending && mv when.$ending before.$ending; done
sleep 1.1
for ending in raw mat h5; do
    expect 0 "$LINNET" run rc.xml -q -o when.$ending && cmp -s when.$ending before.$ending || fail "when.$ending depends on the time of day"
done
for command in "run rc.xml -q -o" "convert deck.cir -o" "compare rc.xml --methods heun -q -o"; do
    # shellcheck disable=SC2086
    expect 5 "$LINNET" $command /dev/full && says err "No space left on device"
done
for command in "blocks" "check rc.xml" "op rc.xml" "eig rc.xml"; do
    # shellcheck disable=SC2086
    expect 5 sh -c "'$LINNET' $command > /dev/full" && says err "standard output"
done
# likewise what other programs make for us: gnuplot does not look whether its picture is written
for tool in "gnuplot plot rc.xml -q -o drawn.svg" "gnuplot plot rc.xml -q -o drawn.png" "rsvg-convert diagram rc.xml -q -o drawn.pdf"; do
    command -v "${tool%% *}" > "$work/which" || continue
    # shellcheck disable=SC2086
    expect 5 prlimit --fsize=2048 "$LINNET" ${tool#* } && says err "cannot write 'drawn." "File too large"
    [ -z "$(find . -name 'drawn.*')" ] || fail "half a picture: $(ls drawn.*)"
done
for tool in "gnuplot plot rc.xml -q -o -" "rsvg-convert diagram rc.xml -q -f png -o -"; do
    command -v "${tool%% *}" > "$work/which" || continue
    expect 5 sh -c "'$LINNET' ${tool#* } > /dev/full" && says err "cannot write 'the standard output': No space left on device"
    { "$LINNET" ${tool#* } 2> err; echo $? > status; } | true
    [ "$(cat status)" = 5 ] && [ ! -s err ] || fail "$tool into a closed pipe: $(cat status err)"
done
mkdir gone
"$LINNET" run long.xml -o gone/r.csv 2> gone.err & first=$!
wait_for -s gone/r.csv.part
rm -r gone
kill -TERM $first; wait $first
grep -q "cannot name 'gone/r.csv': No such file or directory" gone.err || fail "a folder that vanished is not told: $(cat gone.err)"
grep -q "rows so far" gone.err && fail "rows are said to be where nothing is"
expect 5 "$LINNET" run rc.xml -o /proc/r.csv && says err "cannot write '/proc/r.csv'"
expect 5 "$LINNET" run rc.xml -o no/such/folder.csv && says err "No such file or directory"
expect 5 "$LINNET" run . && says err "cannot read '.'"

# ---- pipes and devices in place of files: never waited for, never read without end ----
mkfifo pipe
printf 'x,y\n0,0\n1,1\n' > table.csv
sed 's|<ground|<include href="pipe"/><ground|' rc.xml > include.xml
sed 's|<record.*|<reference signal="out" file="pipe" tolerance="1"/>|' rc.xml > reference.xml
sed 's|<ground|<lookup id="T" in="t1" out="t2" file="pipe"/><constant id="k" out="t1" value="0"/><ground|' rc.xml > table.xml
printf 'a deck\n.include pipe\nR1 1 0 1\n.end\n' > include.cir
for model in include.xml reference.xml include.cir; do
    expect 5 timeout 60 "$LINNET" verify $model && says err "it is a pipe or a device"
done
expect 5 timeout 60 "$LINNET" run table.xml && says err "it is a pipe or a device"
expect 5 timeout 60 "$LINNET" run include.xml && says err "'pipe'" "it is included here"
ln -s /dev/zero zero.xml
grep -q __asan_init "$LINNET" || # AddressSanitizer wants terabytes of addresses
    expect 5 timeout 60 sh -c "ulimit -v 4000000; exec '$LINNET' run zero.xml" && says err "the limit of what is no file"
expect 5 timeout 60 "$LINNET" run rc.xml --resume pipe && says err "it is a pipe or a device"

# what is written to takes the bytes itself or refuses them: a file never takes its place
for name in rows.csv picture.svg drawing.png; do mkfifo $name; done
timeout 60 cat rows.csv > rows & expect 0 timeout 60 "$LINNET" sweep rc.xml --vary R1.R=1k,2k -o rows.csv; wait $!
[ -p rows.csv ] && [ "$(grep -c ok rows)" = 2 ] && [ ! -e rows.csv.part ] || fail "a pipe gets the rows '$(cat rows)'"
expect 5 timeout 60 "$LINNET" plot rc.xml -o picture.svg && says err "'picture.svg': it is a device or a pipe, which is not replaced"
[ -p picture.svg ] && [ ! -e picture.svg.part ] || fail "a picture took the place of a pipe"
if command -v rsvg-convert > "$work/which"; then
    expect 5 timeout 60 "$LINNET" diagram rc.xml -o drawing.png && says err "which is not replaced"
    [ -p drawing.png ] || fail "a drawing took the place of a pipe"
fi
if [ "$(id -u)" = 0 ] && mknod full c 1 7 2> err; then
    expect 5 "$LINNET" sweep rc.xml --vary R1.R=1k,2k -o full && says err "'full': No space left on device"
    [ -c full ] || fail "rows took the place of a device"
fi
rm -f rows.csv picture.svg drawing.png full

# ---- a name that is a symbolic link: it stays, and the file that it leads to is replaced, there or not ----
mkdir elsewhere links
expect 0 "$LINNET" run rc.xml -q -o -
mv "$work/out" wanted.csv
echo old > elsewhere/r.csv
ln elsewhere/r.csv elsewhere/other # replaced at once: who has it open, or by another name, keeps the old one
ln -s ../elsewhere/r.csv links/r.csv
ln -s links/r.csv chain.csv
expect 0 "$LINNET" run rc.xml -q -o chain.csv
[ -L chain.csv ] && [ -L links/r.csv ] && cmp -s elsewhere/r.csv wanted.csv && [ "$(cat elsewhere/other)" = old ] ||
    fail "a link is not followed: $(ls -l chain.csv links elsewhere)"
[ ! -e links/r.csv.part ] && [ ! -e chain.csv.part ] && [ ! -e elsewhere/r.csv.part ] || fail "a part file is left behind a link"
for ending in raw mat h5 svg; do
    ln -s "$work/elsewhere/new.$ending" "links/new.$ending"
    case $ending in
        svg) expect 0 "$LINNET" plot rc.xml -q -o "links/new.$ending" ;;
        *) expect 0 "$LINNET" run rc.xml -q -o "links/new.$ending" ;;
    esac
    [ -L "links/new.$ending" ] && [ -s "elsewhere/new.$ending" ] || fail "a link to no file yet is not followed: $ending"
done
for made in "made.csv sweep rc.xml --vary R1.R=1k,2k --measure top=maximum(out) -q" "made.xml convert deck.cir" "made.svg diagram rc.xml"; do
    name=${made%% *}
    ln -s "../elsewhere/$name" "links/$name"
    # shellcheck disable=SC2086
    expect 0 "$LINNET" ${made#* } -o "links/$name"
    [ -L "links/$name" ] && [ -s "elsewhere/$name" ] || fail "$made does not follow a link"
done
if command -v rsvg-convert > "$work/which"; then
    ln -s ../elsewhere/made.png links/made.png
    expect 0 "$LINNET" diagram rc.xml -o links/made.png && [ -L links/made.png ] && [ -s elsewhere/made.png ] || fail "a drawing does not follow a link"
fi
ln -s circle.csv circle.csv
ln -s no/where.csv nowhere.csv
expect 5 "$LINNET" run rc.xml -q -o circle.csv && says err "cannot write 'circle.csv': Too many levels of symbolic links"
expect 5 "$LINNET" sweep rc.xml --vary R1.R=1k,2k -q -o circle.csv && says err "Too many levels of symbolic links"
expect 5 "$LINNET" run rc.xml -q -o nowhere.csv && says err "cannot write 'no/where.csv': No such file or directory"
[ -L circle.csv ] && [ -L nowhere.csv ] || fail "a link that leads nowhere is gone"
# to a result that another run writes, by another name
ln -s elsewhere/busy.csv busy.csv
"$LINNET" run long.xml -o elsewhere/busy.csv 2> busy.err & first=$!
wait_for -s elsewhere/busy.csv.part
expect 5 "$LINNET" run rc.xml -o busy.csv && says err "another run of linnet is writing it"
kill -TERM $first; wait $first
# gone on from a checkpoint, the result behind a link
ln -s elsewhere/cut.csv cut.csv
sed 's/duration="1 ms" step="10 us"/duration="20 s" step="10 us"/' rc.xml > cut.xml
"$LINNET" run cut.xml -q -o cut.csv --checkpoint cut.ck --every 10ms 2> cut.err & first=$!
wait_for -s cut.ck
kill -TERM $first; wait $first
if [ -s cut.ck ]; then
    expect 0 "$LINNET" run cut.xml -q -o cut.csv --resume cut.ck
    [ -L cut.csv ] || fail "a result that is gone on with takes the place of a link"
    expect 0 "$LINNET" run cut.xml -q -o whole.csv && cmp -s whole.csv elsewhere/cut.csv || fail "a result behind a link is not gone on with"
fi

# ---- a model from a pipe ----
expect 0 "$LINNET" run rc.xml -q -o file.csv
expect 0 sh -c "'$LINNET' run - -q -o - < rc.xml" && cmp -s "$work/out" file.csv || fail "a model from the standard input"
expect 0 sh -c "cat rc.xml | '$LINNET' run /dev/stdin -q -o -" && cmp -s "$work/out" file.csv || fail "a model from a pipe"
cat rc.xml > pipe & expect 0 timeout 60 "$LINNET" run pipe -q -o - && cmp -s "$work/out" file.csv || fail "a model from a FIFO"
expect 0 sh -c "'$LINNET' run - < rc.xml" && says err "stdin.csv" && [ -s stdin.csv ]
expect 0 sh -c "'$LINNET' convert - < deck.cir" && says out "<resistor"
expect 0 sh -c "'$LINNET' check - < deck.cir"
expect 3 sh -c "sed 's/<resistor/<resitor/' rc.xml | '$LINNET' check -" && says err "-:4: error: " "<resitor>"
expect 3 "$LINNET" run - && says err "is empty"
sed 's/R1 in 0 1k/.param k=1k\nR1 in 0 {k}/' deck.cir > param.cir
expect 0 sh -c "'$LINNET' run - -q -o - --set k=2k < param.cir" && mv "$work/out" streamed.csv
expect 0 "$LINNET" run param.cir -q -o - --set k=2k && cmp -s "$work/out" streamed.csv || fail "a deck from a pipe with other parameters"

# ---- nobody reads ----
for command in "blocks" "check rc.xml" "run rc.xml -s 10ns -o -" "convert deck.cir" "eig rc.xml" "ac rc.xml --from 1Hz --to 1kHz --input V1 --output out" "--help"; do
    # shellcheck disable=SC2086
    { "$LINNET" $command 2> err; echo $? > status; } | true
    sleep 0.05
    { sleep 0.3; "$LINNET" $command 2> err; echo $? > status; } | true
    [ "$(cat status)" = 5 ] || fail "$command into a closed pipe: exit status $(cat status)"
    grep -v '^  \|^linnet: .* in ' err | grep -q 'fail\|error\|done' && fail "$command into a closed pipe says: $(cat err)"
done
expect 5 sh -c "'$LINNET' blocks >&-" && says err "standard output"
expect 0 sh -c "'$LINNET' run rc.xml -o shut.csv <&- >&- 2>&-" && cmp -s shut.csv file.csv || fail "a run without standard streams"
# a result follows from its model: not from where and when it is run, nor from the user's language
expect 0 sh -c "cd / && env -i TZ=Asia/Tokyo LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 '$LINNET' run '$work/rc.xml' -q -o '$work/else.csv'" &&
    cmp -s else.csv file.csv || fail "a run elsewhere has another result"
expect 0 env POSIXLY_CORRECT=1 "$LINNET" run rc.xml -q -o else.csv && cmp -s else.csv file.csv || fail "options behind a model are not read"

# ---- names ----
odd="odd ${escape}[31m
name;\$(x)"
cp rc.xml "$odd.xml"
expect 0 "$LINNET" run "$odd.xml" && cmp -s "$odd.csv" file.csv || fail "an odd name"
sed 's/<resistor/<resitor/' rc.xml > "$odd.xml"
expect 3 "$LINNET" run "$odd.xml"
grep -q "$escape" "$work/err" && fail "an escape sequence in a file's name reaches the terminal"
# nor in any command, of models, results and the command line; nor in the heads of results
printf 'time,a%s[31mb\n0,1\n1,2\n' "$escape" > odd.csv
cp rc.xml "$odd.xml"
cp deck.cir "$odd.cir"
"$LINNET" run rc.xml -q -o "$odd.csv"
# silent WORD...: no control character of a name comes through
silent() {
    "$LINNET" "$@" > "$work/out" 2> "$work/err" < /dev/null
    [ $? -le 6 ] || fail "$1 of an odd name ends otherwise"
    LC_ALL=C grep -q "$escape" "$work/out" "$work/err" && fail "an escape sequence of a name reaches the terminal: $1 $(cat -v "$work/out" "$work/err" | head -n 2)"
}
for command in run check verify op eig linearise diagram report compare codegen bug-report; do silent $command "$odd.xml"; done
for command in run op convert check; do silent $command "$odd.cir"; done
silent run rc.xml -o "$odd.raw" && LC_ALL=C grep -aq "^Command:.*$escape" "$odd.raw" && fail "an escape sequence in the head of a rawfile"
silent codegen rc.xml -o "$odd"
silent export "$odd.xml" -o "$odd.fmu"
silent linearise "$odd.xml" --inputs V1 --outputs out
silent ac "$odd.xml" --input V1 --output out --from 1Hz --to 9Hz
silent sweep "$odd.xml" --vary R1.R=1,2 --measure "odd$escape=maximum(out)" -o sweep.csv
silent sweep "$odd.xml" --dc V1.offset=0:1:3
silent result odd.csv
silent result odd.csv "$odd.csv"
silent result "$odd.csv"
silent plot odd.csv -o odd.svg
silent "$odd"
silent run rc.xml "--$odd"
silent diagram rc.xml -o "odd.$odd"
expect 0 "$LINNET" convert "$odd.cir" -o odd.xml && expect 0 "$LINNET" run odd.xml -q -o odd2.csv
LC_ALL=C grep -l "$escape" ./*.svg sweep.csv odd.xml && fail "an escape sequence of a name in a file"
cp rc.xml ./-dash.xml
expect 0 "$LINNET" run -q -o dash.csv -- -dash.xml && cmp -s dash.csv file.csv || fail "a name with a leading dash"
expect 0 "$LINNET" run -q -- -dash.xml && cmp -s ./-dash.csv file.csv || fail "a result with a leading dash"

# ---- what stands in decks ----
printf 't\nV1 \033[31mx 0 1\nR1 \033[31mx 0 1k\n.tran 1u 10u\n.end\n' > escape.cir
printf 't\nV1 a\377b 0 1\nR1 a\377b 0 1k\n.tran 1u 10u\n.end\n' > latin1.cir
printf 't\r\nV1 a 0 1\r\nR1 a 0 1k\r\n.tran 1u 10u\r\n.end\r\n\032' > dos.cir
for deck in escape latin1 dos; do
    expect 0 "$LINNET" run $deck.cir -o $deck.csv
    expect 0 "$LINNET" op $deck.cir && cat "$work/out" >> "$work/err"
    expect 0 "$LINNET" convert $deck.cir -o $deck.xml && cat $deck.xml $deck.csv >> "$work/err"
    LC_ALL=C grep -q "$escape" "$work/err" && fail "an escape sequence of $deck.cir comes through"
    expect 0 "$LINNET" run $deck.xml -q -o again.csv && cmp -s again.csv $deck.csv || fail "$deck.cir converted says something else"
done
head -n 1 escape.csv | grep -qF 'v(\x1b[31mx)' || fail "the node of escape.cir is $(head -n 1 escape.csv)"
head -n 1 latin1.csv | grep -q 'v(aÿb)' || fail "the node of latin1.cir is $(head -n 1 latin1.csv)"
# ---- what stands in models: C1 controls and marks of direction, in names, titles and documentation ----
printf '<model name="a\302\23331m\342\200\256b"><block-type name="z" doc="d\342\200\256"><port name="p" domain="electrical" doc="&#x9b;"/>
<parameter name="R" doc="\342\201\246"/><equation>p.i = p.v/R</equation></block-type><z id="z1" p="in" R="1 MOhm"/>' > marks.xml
sed '1d' rc.xml >> marks.xml
marks=$(printf '\302\233\|\342\200\256\|\342\201\246')
for command in "run -o marks.csv" "run -o marks.raw" check "check --flat" op "eig" "blocks z --model" "plot -o marks.svg" "verify"; do
    # shellcheck disable=SC2086
    case $command in
        blocks*) "$LINNET" $command marks.xml > all.txt 2>&1 ;;
        *) "$LINNET" ${command%% *} marks.xml $(expr "$command " : '[a-z]* \(.*\)') > all.txt 2>&1 ;;
    esac
    cat marks.csv marks.raw marks.svg >> all.txt 2> /dev/null
    LC_ALL=C grep -aq "$marks" all.txt && fail "marks come through '$command'"
done
grep -q 'Title: a\\x9b31m' marks.raw || fail "the title of marks.raw is $(head -n 1 marks.raw)"
cat > self.cir << 'DECK'
self
.subckt gate a b
x1 a b gate
x2 a b gate
r1 a b 1
.ends
.subckt one a
x1 a two
.ends
.subckt two a
x1 a one
.ends
x0 1 0 gate
x9 1 one
v1 1 0 1
.tran 1 10
.end
DECK
expect 3 timeout 5 "$LINNET" run self.cir && says err "self.cir:3: error: x0.x1: subcircuit 'gate' contains itself: gate -> gate" \
    "subcircuit 'one' contains itself: one -> two -> one"
[ "$(grep -c 'contains itself' "$work/err")" = 3 ] || fail "a circle is told $(grep -c 'contains itself' "$work/err") times"
finish

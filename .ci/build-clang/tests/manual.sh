#!/bin/sh
# SPDX-License-Identifier: MIT
# The manual tells the truth: every XML listing is a model that checks (and meets its references where it has some), every
# method, command, option, function of the library and type it should name is named, and no type it names is unknown. The
# model in README.md is the manual's.
. "${srcdir:-.}/tests/shell.sh"
manual=$srcdir/doc/manual.md
cd "$work" || exit 1

awk '/^```xml$/ {n++; inside = 1; next} /^```$/ {inside = 0} inside {print > ("listing-" n ".xml")}' "$manual"
count=0
for listing in listing-*.xml; do
    count=$((count + 1))
    expect 0 "$LINNET" check "$listing" || sed -n 2p "$listing"
    [ ! -s "$work/err" ] || [ "$(cat "$work/err")" = "linnet: done" ] || fail "$listing has warnings: $(cat "$work/err")"
    if grep -q '<reference' "$listing"; then
        expect 0 "$LINNET" verify "$listing" || cat "$work/out"
    fi
done
[ "$count" -ge 6 ] || fail "only $count listings were found"

awk '/^ *<model/ {inside = 1} inside {sub(/^    /, ""); print} /<\/model>/ {exit}' "$srcdir/README.md" > readme.xml
cmp -s readme.xml listing-1.xml || fail "the model in README.md is not the first listing of the manual"

named() { # in the manual and, if it is a second argument, there too
    grep -qF -e "$1" "$manual" || fail "the manual does not name $1"
    [ $# -lt 2 ] || grep -qF -e "$1" "$2" || fail "$2 does not name $1"
}
sed 's/\\-/-/g' "$srcdir/doc/linnet.1" > page
for method in $("$LINNET" run --help | sed -n '/^Methods:/,/^$/s/^  \([a-z][a-z0-9-]*\)  .*/\1/p'); do named "\`$method\`"; named "$method" page; done
for command in $("$LINNET" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    named "linnet $command" page
    for option in $("$LINNET" "$command" --help | sed -n 's/^  \(-.,\|   \) \(--[a-z-]*\).*/\2/p'); do
        grep -qF -e "$option" page || fail "the man page does not name $option of $command"
        [ "$command" != run ] || [ "$option" = --output ] || grep -qF -e "$option" "$manual" || fail "the manual does not name $option"
    done
done
for function in $(grep -ho 'linnet_[a-z_]*(' "$srcdir/include/linnet/linnet.h" "$srcdir/include/linnet/status.h" | sort -u); do named "\`${function%(}\`"; done
for status in 0 1 2 3 4 5 6; do grep -q "^| $status |" "$manual" || fail "the manual does not tell exit status $status"; done
for type in $(sed -n '/^## 4/,/^## 5/s/^| [a-z]* | `\(.*\)` |$/\1/p' "$manual"); do
    expect 0 "$LINNET" blocks "$type"
done
finish

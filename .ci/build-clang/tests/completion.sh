#!/bin/sh
# SPDX-License-Identifier: MIT
# The shells complete what the program knows: every command, every option that its help tells, the values of some.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1
command -v bash > /dev/null || exit 77
expect 0 "$LINNET" completion bash && mv out linnet.bash
expect 0 "$LINNET" completion zsh && mv out _linnet
cat > ask.bash <<'END'
. ./linnet.bash
PATH=$(dirname "$LINNET"):$PATH
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_linnet
printf '%s\n' "${COMPREPLY[@]}"
END
offers() { # WORDS... -- OFFERED...
    words=""
    LINNET=$LINNET bash ask.bash "$@" > offered 2> said || fail "completion of '$*': $(cat said)"
}
"$LINNET" --help | sed -n '/^Commands/,/^$/s/^  \([a-z]*\) .*/\1/p' | sort > commands
[ "$(wc -l < commands)" -gt 15 ] || fail "the commands cannot be told: $(cat commands)"
offers linnet ''
sort offered | comm -23 commands - | grep . && fail "commands that are not offered"
offers linnet ver && [ "$(cat offered)" = verify ] || fail "ver: $(cat offered)"
offers linnet help pl && [ "$(cat offered)" = plot ] || fail "help pl: $(cat offered)"
while read -r command; do
    "$LINNET" "$command" --help | grep -o '^  \(-., \)\{0,1\} *--[a-z-]*' | grep -o -e '--[a-z-]*' | sort -u > options
    offers linnet "$command" --
    sort -u offered | comm -23 options - | grep . && fail "options of $command that are not offered"
    while read -r option; do
        grep -q -e "$option" _linnet || fail "zsh does not know $option of $command"
    done < options
done < commands
offers linnet run model.xml --method ra && [ "$(cat offered)" = radau5 ] || fail "methods: $(cat offered)"
touch model.xml result.csv
mkdir folder
offers linnet run mo && [ "$(cat offered)" = model.xml ] || fail "files: $(cat offered)"
offers linnet run model.xml -o re && [ "$(cat offered)" = result.csv ] || fail "files of an option: $(cat offered)"
offers linnet run model.xml -I fo && [ "$(cat offered)" = folder ] || fail "folders: $(cat offered)"
offers linnet blocks capac && [ "$(cat offered)" = capacitor ] || fail "types: $(cat offered)"
offers linnet completion z && [ "$(cat offered)" = zsh ] || fail "shells: $(cat offered)"
if command -v zsh > /dev/null; then zsh -n _linnet || fail "zsh does not read its script"; fi
expect 2 "$LINNET" completion fish && says err "neither bash nor zsh"
expect 2 "$LINNET" completion && says err "name the shell"
finish

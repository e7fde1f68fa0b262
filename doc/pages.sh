# SPDX-License-Identifier: MIT
# What pages and book share: the parts of the documentation that are made from the program itself. Read by doc/html.sh and
# doc/pdf.sh, which set `linnet` (the program), `to` (the folder; pictures go to $to/pictures) and `work` (a folder of
# their own).

tutorials='electronics control mechanics numerics teaching'

# Where each type's example stands alone, drawn: the type's symbol.
figures() {
    "$linnet" blocks | sed -n 's/^  \([a-z0-9][a-z0-9-]*\)  .*/\1/p' | while IFS= read -r type; do
        { printf '<model name="%s" xmlns="urn:linnet:model:1">\n' "$type"
          "$linnet" blocks "$type" | sed '1,/^Example$/d'
          printf '</model>\n'
        } > "$work/figure.xml"
        "$linnet" diagram -q "$work/figure.xml" -o "$to/pictures/block-$type.svg" > "$work/said" 2>&1 ||
            { cat "$work/said" >&2; return 1; }
    done
}

# A section for each type as `linnet blocks --format markdown` writes it, the figure behind its first paragraph.
reference() {
    printf '# Reference of all block types\n\nMade from the catalogue; `linnet blocks TYPE` tells the same. A subscript is the port or\n'
    printf 'the block that a quantity belongs to: $v_p$ is `p.v`. What an arrow sets is set at an event.\n\n'
    "$linnet" blocks > "$work/catalogue"
    while IFS= read -r line; do
        case $line in
            '' | "'linnet"*) ;;
            '  '*) type=${line#  } type=${type%% *}
                "$linnet" blocks --format markdown "$type" | awk -v type="$type" '
                    { print }
                    /^$/ && ++blank == 2 { printf "![`%s`](pictures/block-%s.svg)\n\n", type, type }' ;;
            *) printf '## %s\n\n' "$line" ;;
        esac
    done < "$work/catalogue"
}

# The examples: "DOMAIN FILE PICTURE TITLE" a line; what has no <model> is a file of types that others include.
examples() {
    for file in models/examples/*/*.xml; do
        name=${file#models/examples/} title=$(sed -n 's/.*<model[^>]* name="\([^"]*\)".*/\1/p' "$file" | head -n 1)
        [ -n "$title" ] || continue
        printf '%s %s %s %s\n' "${name%%/*}" "$file" "$(printf '%s' "${name%.xml}" | tr / -)" "$title"
    done
}

# A picture of each example, drawn by running it, its diagram, and the file itself. Where `thumbs` is set each domain
# begins with all its pictures in small, which lead to their examples.
gallery() {
    printf '# Gallery of all examples\n\nEach is a file in models/examples; `linnet run FILE` runs it, `linnet plot FILE` draws it.\n\n'
    examples > "$work/examples"
    while read -r domain file picture title; do
        timeout 60 "$linnet" plot "$file" -o "$to/pictures/$picture.svg" > "$work/said" 2>&1 || rm -f "$to/pictures/$picture.svg"
        "$linnet" diagram -q "$file" -o "$to/pictures/$picture-diagram.svg" > "$work/said" 2>&1 || return 1
    done < "$work/examples"
    last=
    while read -r domain file picture title; do
        if [ "$domain" != "$last" ]; then
            printf '## %s\n\n' "$domain"
            [ -z "${thumbs:-}" ] || small_pictures "$domain"
        fi
        last=$domain
        printf '<a id="of-%s"></a>\n\n### %s\n\n' "$picture" "$title"
        sed -n '/^ *<!--/,/-->/p' "$file" | sed '/SPDX/d; s/<!--//; s/-->//; s/^ *//' | sed 's/[*_`<>$]/\\&/g'
        printf '\n'
        [ ! -e "$to/pictures/$picture.svg" ] || printf '![%s](pictures/%s.svg)\n\n' "$title" "$picture"
        printf '![diagram of %s](pictures/%s-diagram.svg)\n\n' "$title" "$picture"
        printf '`%s`\n\n```xml\n' "$file"
        cat "$file"
        printf '```\n\n'
    done < "$work/examples"
}

small_pictures() { # DOMAIN
    printf '<div class="thumbs">\n'
    while read -r of _ name words; do
        [ "$of" = "$1" ] || continue
        small=$name
        [ -e "$to/pictures/$name.svg" ] || small=$name-diagram
        printf '<a href="#of-%s"><img src="pictures/%s.svg" alt="" loading="lazy">%s</a>\n' "$name" "$small" "$words"
    done < "$work/examples"
    printf '</div>\n\n'
}

# Tutorials are walked through for their pictures.
walk_tutorials() {
    for tutorial in $tutorials; do
        sh doc/walk.sh "$linnet" "doc/tutorial-$tutorial.md" "$work/$tutorial" || return 1
        cp "$work/$tutorial"/*.svg "$to/pictures/"
    done
}

# Listings that bear a file's name show it above themselves.
named_listings() {
    sed -e 's/^```\(xml\|c\|spice\|asc\|yaml\|json\) \(.*\)$/`\2`\n\n```\1/'
}

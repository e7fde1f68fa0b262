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

# A picture of each example, drawn by running it, and the file itself.
gallery() {
    printf '# Gallery of all examples\n\nEach is a file in models/examples; `linnet run FILE` runs it, `linnet plot FILE` draws it.\n\n'
    last=
    for file in models/examples/*/*.xml; do
        name=${file#models/examples/} domain=${name%%/*} title=$(sed -n 's/.*<model[^>]* name="\([^"]*\)".*/\1/p' "$file" | head -n 1)
        [ -n "$title" ] || continue # a file of types that others include
        [ "$domain" = "$last" ] || printf '## %s\n\n' "$domain"
        last=$domain
        picture=pictures/$(printf '%s' "${name%.xml}" | tr / -).svg
        printf '### %s\n\n' "$title"
        sed -n '/^ *<!--/,/-->/p' "$file" | sed '/SPDX/d; s/<!--//; s/-->//; s/^ *//' | sed 's/[*_`<>$]/\\&/g'
        printf '\n'
        if timeout 60 "$linnet" plot "$file" -o "$to/$picture" > "$work/said" 2>&1; then
            printf '![%s](%s)\n\n' "$title" "$picture"
        fi
        printf '`%s`\n\n```xml\n' "$file"
        cat "$file"
        printf '```\n\n'
    done
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

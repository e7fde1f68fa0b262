# Text files as a C array: src/blocks/embedded.h says what comes out. Bytes below are written as a string literal per
# line; the model files are UTF-8 text, of which C needs only backslash and quote escaped.
#   awk -f embed.awk models/library/*.xml src/expression/special.c > embedded.c
# With -v list=NAME -v header=HEADER all files go into one array of that name, which HEADER declares.
BEGIN {
    print "/* Made by embed.awk; do not edit. */"
    printf "#include \"%s\"\n", header != "" ? header : "blocks/embedded.h"
}
function attribute(word,   at) {
    at = match($0, " " word "=\"[^\"]+\"")
    return substr($0, at + length(word) + 3, RLENGTH - length(word) - 4)
}
FNR == 1 {
    if (count > 0) print "    ;"
    name[++count] = FILENAME
    sub(/.*\//, "", name[count])
    is_source[count] = list == "" && FILENAME ~ /\.([ch]|py)$/
    printf "static const char file%d[] =\n", count
}
# The types of a library file, so that it need not be read for their names.
/^ *<(block-type|component) / && FILENAME ~ /\/library\/.*\.xml$/ {
    if ($0 !~ / name="[^"]+"/ || $0 !~ / group="[^"]+"/) {
        print FILENAME ":" FNR ": name and group of a type belong into its first line" > "/dev/stderr"
        exit failed = 1
    }
    types[count] = types[count] "    {\"" attribute("name") "\", \"" attribute("group") "\"},\n"
}
{
    gsub(/\\/, "&&")
    gsub(/"/, "\\\"")
    gsub(/\?\?/, "?\\?")
    printf "    \"%s\\n\"\n", $0
}
function print_list(called, sources,   k) {
    printf "const ln_embedded_file %s[] = {\n", called
    for (k = 1; k <= count; k++)
        if (is_source[k] == sources)
            printf "    {\"%s\", file%d, sizeof file%d - 1, %s},\n", name[k], k, k, types[k] != "" ? "types" k : "0"
    print "    {0, 0, 0, 0}};"
}
END {
    if (failed) exit 1
    if (count > 0) print "    ;"
    for (k = 1; k <= count; k++)
        if (types[k] != "") printf "static const ln_embedded_type types%d[] = {\n%s    {0, 0}};\n", k, types[k]
    print_list(list != "" ? list : "ln_embedded_library", 0)
    if (list == "") print_list("ln_embedded_sources", 1)
}

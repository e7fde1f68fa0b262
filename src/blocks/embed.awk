# Text files as a C array: src/blocks/embedded.h says what comes out. Bytes below are written as a string literal per
# line; the model files are UTF-8 text, of which C needs only backslash and quote escaped.
#   awk -f embed.awk models/library/*.xml src/expression/special.c > embedded.c
# With -v list=NAME -v header=HEADER all files go into one array of that name, which HEADER declares.
BEGIN {
    print "/* Made by embed.awk; do not edit. */"
    printf "#include \"%s\"\n", header != "" ? header : "blocks/embedded.h"
}
FNR == 1 {
    if (count > 0) print "    ;"
    name[++count] = FILENAME
    sub(/.*\//, "", name[count])
    is_source[count] = list == "" && FILENAME ~ /\.[ch]$/
    printf "static const char file%d[] =\n", count
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
        if (is_source[k] == sources) printf "    {\"%s\", file%d, sizeof file%d - 1},\n", name[k], k, k
    print "    {0, 0, 0}};"
}
END {
    if (count > 0) print "    ;"
    print_list(list != "" ? list : "ln_embedded_library", 0)
    if (list == "") print_list("ln_embedded_sources", 1)
}

# Text files as a C array: src/blocks/embedded.h says what comes out. Bytes below are written as a string literal per
# line; the model files are UTF-8 text, of which C needs only backslash and quote escaped.
#   awk -f embed.awk models/library/*.xml > embedded.c
BEGIN {
    print "/* Made by embed.awk from models/library; do not edit. */"
    print "#include \"blocks/embedded.h\""
}
FNR == 1 {
    if (count > 0) print "    ;"
    name[++count] = FILENAME
    sub(/.*\//, "", name[count])
    printf "static const char file%d[] =\n", count
}
{
    gsub(/\\/, "\\\\")
    gsub(/"/, "\\\"")
    gsub(/\?\?/, "?\\?")
    printf "    \"%s\\n\"\n", $0
}
END {
    if (count > 0) print "    ;"
    print "const ln_embedded_file ln_embedded_library[] = {"
    for (k = 1; k <= count; k++) printf "    {\"%s\", file%d, sizeof file%d - 1},\n", name[k], k, k
    print "    {0, 0, 0}};"
}

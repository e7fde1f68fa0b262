/* SPDX-License-Identifier: MIT */
/* The automaton that runs over a file's bytes ahead of the XML parser; see scan.h. Lines are
 * counted once per chunk and the line of a tag only when a message needs it: the scan must cost
 * little beside the parser. */
#include "model/scan.h"

#include <string.h>

void ln_scan_start(ln_scan *scan, const char *file, const ln_limits *limits) {
    memset(scan, 0, sizeof *scan);
    scan->file = file;
    scan->limits = limits;
    scan->line = 1;
    scan->blank = 1;
}

static int newlines(const char *bytes, size_t length) {
    int count = 0;
    for (size_t i = 0; i < length; i++)
        count += bytes[i] == '\n';
    return count;
}

/* ---- how a file begins ---- */

static linnet_status check_first_bytes(const ln_scan *scan, const char *bytes, size_t length,
                                       ln_report *report) {
    static const char packed[] = "compressed input is not accepted",
                      wide[] = "the file is in the encoding UTF-16";
    static const struct {
        const char *bytes;
        size_t length;
        const char *what, *hint;
    } known[] = {
        {"\x1f\x8b", 2, packed, "unpack the file first (gunzip)"},
        {"BZh", 3, packed, "unpack the file first (bunzip2)"},
        {"\xfd"
         "7zXZ",
         5, packed, "unpack the file first (unxz)"},
        {"\x28\xb5\x2f\xfd", 4, packed, "unpack the file first (unzstd)"},
        {"PK\x03\x04", 4, packed, "unpack the file first (unzip)"},
        {"\xff\xfe", 2, wide, "save it as UTF-8"},
        {"\xfe\xff", 2, wide, "save it as UTF-8"},
        {"<\0", 2, wide, "save it as UTF-8"},
        {"\0<", 2, wide, "save it as UTF-8"},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (length >= known[k].length && memcmp(bytes, known[k].bytes, known[k].length) == 0)
            return ln_fail(report, LINNET_MODEL, (ln_place){scan->file, 1, 0},
                           "not an XML file: %s; %s", known[k].what, known[k].hint);
    return LINNET_OK;
}

static int same_word(const char *a, size_t length, const char *b) {
    if (strlen(b) != length)
        return 0;
    for (size_t i = 0; i < length; i++) {
        char c = a[i] >= 'A' && a[i] <= 'Z' ? (char)(a[i] - 'A' + 'a') : a[i];
        if (c != b[i])
            return 0;
    }
    return 1;
}

/* <?xml version="1.0" encoding="..."?>: only UTF-8 and its part ASCII. */
static linnet_status check_declaration(const ln_scan *scan, ln_report *report) {
    const char *text = scan->declaration;
    if (strncmp(text, "xml", 3) != 0 || strchr(" \t\r\n", text[3]) == NULL)
        return LINNET_OK;
    const char *word = strstr(text, "encoding");
    const char *quote = word != NULL ? strpbrk(word, "'\"") : NULL;
    const char *end = quote != NULL ? strchr(quote + 1, *quote) : NULL;
    if (end == NULL)
        return LINNET_OK;
    size_t length = (size_t)(end - quote - 1);
    if (same_word(quote + 1, length, "utf-8") || same_word(quote + 1, length, "utf8") ||
        same_word(quote + 1, length, "us-ascii") || same_word(quote + 1, length, "ascii"))
        return LINNET_OK;
    return ln_fail(report, LINNET_MODEL, (ln_place){scan->file, 1, 0},
                   "encoding '%.*s' is not accepted; save the file as UTF-8", (int)length,
                   quote + 1);
}

/* ---- one state each: they look at bytes[at..length) and return how far they got ---- */

/* The line of bytes[at]. */
static ln_place place_at(const ln_scan *scan, const char *bytes, size_t at) {
    return (ln_place){scan->file, scan->line + newlines(bytes, at), 0};
}

/* The line of the present tag's '<'. Not for every tag: it counts from the beginning of the chunk.
 */
static ln_place place_of_tag(const ln_scan *scan, const char *bytes) {
    return scan->tag_line != 0 ? (ln_place){scan->file, scan->tag_line, 0}
                               : place_at(scan, bytes, scan->tag_start);
}

static size_t scan_text(ln_scan *scan, const char *bytes, size_t at, size_t length) {
    const char *next = memchr(bytes + at, '<', length - at);
    size_t end = next != NULL ? (size_t)(next - bytes) : length;
    if (scan->blank) {
        while (at < end && memchr(" \t\r\n\xef\xbb\xbf", bytes[at], 7) != NULL)
            at++;
        if (at < end || next != NULL)
            scan->blank = 0;
    }
    if (next == NULL)
        return length;
    scan->state = LN_SCAN_OPEN;
    scan->nmark = 0;
    scan->tag_start = end;
    scan->tag_line = 0;
    scan->tag_bytes = 1;
    scan->attributes = 0;
    return end + 1;
}

static void enter_section(ln_scan *scan, ln_scan_state state) {
    scan->state = state;
    scan->before[0] = scan->before[1] = '\0';
}

/* One byte behind '<' at a time, until the kind is known. */
static linnet_status scan_open(ln_scan *scan, const char *bytes, size_t *at, ln_report *report) {
    static const char comment[] = "!--", cdata[] = "![CDATA[", doctype[] = "!DOCTYPE";
    scan->mark[scan->nmark++] = bytes[*at];
    size_t n = (size_t)scan->nmark;
    if (scan->mark[0] == '?') {
        ++*at;
        enter_section(scan, LN_SCAN_INSTRUCTION);
        scan->ndeclaration = 0;
    } else if (n == strlen(doctype) && memcmp(scan->mark, doctype, n) == 0) {
        return ln_fail(report, LINNET_MODEL, place_of_tag(scan, bytes),
                       "document types are not accepted; remove the <!DOCTYPE ...>");
    } else if (n <= strlen(comment) && memcmp(scan->mark, comment, n) == 0) {
        ++*at;
        if (n == strlen(comment))
            enter_section(scan, LN_SCAN_COMMENT);
    } else if (n <= strlen(cdata) && memcmp(scan->mark, cdata, n) == 0) {
        ++*at;
        if (n == strlen(cdata))
            enter_section(scan, LN_SCAN_CDATA);
    } else if (n < strlen(doctype) && memcmp(scan->mark, doctype, n) == 0) {
        ++*at;
    } else {
        scan->state = LN_SCAN_TAG; /* and this byte is the tag's */
    }
    return LINNET_OK;
}

static linnet_status tag_limits(const ln_scan *scan, const char *bytes, ln_report *report) {
    if (scan->attributes > scan->limits->attributes)
        return ln_fail(report, LINNET_MODEL, place_of_tag(scan, bytes),
                       "a tag has more than %d attributes, the limit; "
                       "give long lists as element text",
                       scan->limits->attributes);
    if (scan->tag_bytes > scan->limits->tag_bytes)
        return ln_fail(report, LINNET_MODEL, place_of_tag(scan, bytes),
                       "a tag is longer than %zu bytes, the limit; "
                       "give long lists as element text",
                       scan->limits->tag_bytes);
    return LINNET_OK;
}

static linnet_status section_limit(const ln_scan *scan, const char *bytes, ln_report *report) {
    if (scan->tag_bytes <= scan->limits->section_bytes)
        return LINNET_OK;
    return ln_fail(
        report, LINNET_MODEL, place_of_tag(scan, bytes),
        "a comment, CDATA section or processing instruction is longer than %zu bytes, the limit",
        scan->limits->section_bytes);
}

static size_t scan_tag(ln_scan *scan, const char *bytes, size_t at, size_t length) {
    size_t start = at;
    while (at < length) {
        char c = bytes[at++];
        if (c == '=')
            scan->attributes++;
        if (c == '"' || c == '\'') {
            scan->quote = c;
            scan->state = LN_SCAN_VALUE;
            break;
        }
        if (c == '>') {
            scan->state = LN_SCAN_TEXT;
            break;
        }
    }
    scan->tag_bytes += at - start;
    return at;
}

static size_t scan_value(ln_scan *scan, const char *bytes, size_t at, size_t length) {
    const char *end = memchr(bytes + at, scan->quote, length - at);
    size_t next = end != NULL ? (size_t)(end - bytes) + 1 : length;
    if (end != NULL)
        scan->state = LN_SCAN_TAG;
    scan->tag_bytes += next - at;
    return next;
}

/* Comments, CDATA sections and instructions end at '>' behind two (instructions: one) certain
 * bytes. */
static size_t scan_section(ln_scan *scan, const char *bytes, size_t at, size_t length) {
    const char *end = memchr(bytes + at, '>', length - at);
    size_t stop = end != NULL ? (size_t)(end - bytes) : length;
    if (scan->state == LN_SCAN_INSTRUCTION && scan->bytes + at < sizeof scan->declaration)
        for (size_t i = at; i < stop && scan->ndeclaration < sizeof scan->declaration - 1; i++) {
            scan->declaration[scan->ndeclaration++] = bytes[i];
            scan->declaration[scan->ndeclaration] = '\0';
        }
    for (size_t i = stop > at + 2 ? stop - 2 : at; i < stop; i++) {
        scan->before[0] = scan->before[1];
        scan->before[1] = bytes[i];
    }
    scan->tag_bytes += (end != NULL ? stop + 1 : length) - at;
    if (end == NULL)
        return length;
    char a = scan->before[0], b = scan->before[1];
    if (scan->state == LN_SCAN_INSTRUCTION ? b == '?'
        : scan->state == LN_SCAN_COMMENT   ? a == '-' && b == '-'
                                           : a == ']' && b == ']')
        scan->state = LN_SCAN_TEXT;
    scan->before[0] = scan->before[1];
    scan->before[1] = '>';
    return stop + 1;
}

linnet_status ln_scan_feed(ln_scan *scan, const char *bytes, size_t length, ln_report *report) {
    if (scan->bytes == 0)
        LN_TRY(check_first_bytes(scan, bytes, length, report));
    size_t at = 0;
    while (at < length) {
        switch (scan->state) {
        case LN_SCAN_TEXT: at = scan_text(scan, bytes, at, length); break;
        case LN_SCAN_OPEN: LN_TRY(scan_open(scan, bytes, &at, report)); break;
        case LN_SCAN_TAG:
        case LN_SCAN_VALUE:
            at = scan->state == LN_SCAN_TAG ? scan_tag(scan, bytes, at, length)
                                            : scan_value(scan, bytes, at, length);
            LN_TRY(tag_limits(scan, bytes, report));
            break;
        case LN_SCAN_COMMENT:
        case LN_SCAN_CDATA:
            at = scan_section(scan, bytes, at, length);
            LN_TRY(section_limit(scan, bytes, report));
            break;
        case LN_SCAN_INSTRUCTION:
            at = scan_section(scan, bytes, at, length);
            LN_TRY(section_limit(scan, bytes, report));
            if (scan->state == LN_SCAN_TEXT && scan->bytes + at <= sizeof scan->declaration + 8)
                LN_TRY(check_declaration(scan, report));
            break;
        }
    }
    if (scan->state != LN_SCAN_TEXT)
        scan->tag_line = place_of_tag(scan, bytes).line;
    scan->line += newlines(bytes, length);
    scan->bytes += length;
    return LINNET_OK;
}

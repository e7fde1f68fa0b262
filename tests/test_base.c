/* SPDX-License-Identifier: MIT */
/* The room `base`: memory and its shortage, texts, numbers that read back, maps, nearest names,
 * messages, outcomes. */
#include "unit.h"

#include "base/json.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/domain.h"
#include "base/input.h"
#include "base/part.h"
#include "base/report.h"
#include "base/sys.h"
#include "base/text.h"
#include "base/utf16.h"
#include "base/visible.h"
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- an operating system whose memory ends ---- */

static long calls_left, held;
static void *allocate_some(size_t bytes) {
    if (calls_left-- <= 0)
        return NULL;
    held++;
    return malloc(bytes > 0 ? bytes : 1);
}
static void *resize_some(void *block, size_t bytes) {
    if (calls_left-- <= 0)
        return NULL;
    if (block == NULL)
        held++;
    return realloc(block, bytes > 0 ? bytes : 1);
}
static void release_counted(void *block) {
    if (block != NULL)
        held--;
    free(block);
}

static ln_sys_table counting;
static void begin_shortage(long calls) {
    counting = ln_sys_real;
    counting.allocate = allocate_some;
    counting.resize = resize_some;
    counting.release = release_counted;
    calls_left = calls;
    held = 0;
    ln_sys = &counting;
}
static void end_shortage(void) {
    ln_sys = &ln_sys_real;
    CU_ASSERT_EQUAL(held, 0);
}

/* ---- arenas ---- */

static void test_arena(void) {
    ln_arena *arena = ln_arena_new();
    size_t total = 0;
    unsigned char *kept[300];
    for (size_t k = 0; k < 300; k++) {
        size_t bytes = k * k * 7 % 9000;
        kept[k] = ln_arena_alloc(arena, bytes, 1);
        CU_ASSERT_FATAL(kept[k] != NULL);
        CU_ASSERT_EQUAL((uintptr_t)kept[k] % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < bytes; i++)
            CU_ASSERT_FATAL(kept[k][i] == 0);
        memset(kept[k], (int)k, bytes);
        total += bytes;
    }
    for (size_t k = 0; k < 300; k++)
        for (size_t i = 0; i < k * k * 7 % 9000; i++)
            CU_ASSERT_FATAL(kept[k][i] == (unsigned char)k);
    CU_ASSERT(ln_arena_used(arena) >= total && ln_arena_used(arena) < total + 300 * 16);
    CU_ASSERT(ln_arena_alloc(arena, SIZE_MAX / 2, 3) == NULL);
    CU_ASSERT(ln_arena_alloc(arena, SIZE_MAX, SIZE_MAX) == NULL);
    CU_ASSERT(ln_arena_alloc(arena, SIZE_MAX, 1) == NULL);
    CHECK_TEXT(ln_arena_text(arena, "abcdef", 3), "abc");
    CHECK_TEXT(ln_arena_string(arena, ""), "");
    CHECK_TEXT(ln_arena_printf(arena, "%s-%d", "R", 12), "R-12");
    CHECK_TEXT(ln_arena_printf(arena, "%s.%.*s, %s%%", "amplifier", 2, "out", ""),
               "amplifier.ou, %");
    CHECK_TEXT(ln_arena_printf(arena, "%.*s/%s.%s", 2, "abc", "d", "e"), "ab/d.e");
    CHECK_TEXT(ln_arena_printf(arena, "(%.*s)", 0, "abc"), "()");
    CHECK_TEXT(ln_arena_printf(arena, "%.*s", -1, "abc"), "abc"); /* as printf has it */
    const char *volatile none = NULL;
    CHECK_TEXT(ln_arena_printf(arena, "%s.%s", none, "b"), ".b");
    ln_arena_free(arena);
    ln_arena_free(NULL);
}

static void test_arena_short(void) {
    begin_shortage(0);
    CU_ASSERT(ln_arena_new() == NULL);
    end_shortage();
    begin_shortage(2);
    ln_arena *arena = ln_arena_new();
    CU_ASSERT(ln_arena_string(arena, "kept") != NULL);
    CU_ASSERT(LN_NEW(arena, double, 100000) == NULL);
    char *more = ln_arena_string(arena, "the chunk that is there still serves");
    CHECK_TEXT(more, "the chunk that is there still serves");
    ln_arena_free(arena);
    end_shortage();
}

static void test_grow(void) {
    double *items = NULL;
    size_t count = 0, room = 0;
    for (; count < 1000; count++) {
        CU_ASSERT_FATAL(LN_GROW(items, count, room));
        items[count] = (double)count;
    }
    for (size_t k = 0; k < count; k++)
        CU_ASSERT_FATAL(items[k] == (double)k);
    ln_sys->release(items);
    begin_shortage(2);
    items = NULL;
    count = room = 0;
    while (LN_GROW(items, count, room))
        items[count++] = 7;
    CU_ASSERT(room == count && count >= 8 && items[0] == 7 && items[count - 1] == 7);
    ln_sys->release(items);
    end_shortage();
}

/* ---- text ---- */

static void test_text(void) {
    ln_text text = {0};
    for (int k = 0; k < 1000; k++)
        ln_text_printf(&text, "%d,", k);
    ln_text_add_bytes(&text, "endless", 3);
    ln_text_add(&text, "!");
    CU_ASSERT(!text.failed && strlen(text.data) == text.length);
    CU_ASSERT_EQUAL(text.length, 10 * 2 + 90 * 3 + 900 * 4 + 4);
    CU_ASSERT(strncmp(text.data, "0,1,2,3,", 8) == 0 &&
              strcmp(text.data + text.length - 8, "999,end!") == 0);
    ln_text_free(&text);
    CU_ASSERT(text.data == NULL && text.length == 0);
    begin_shortage(1);
    for (int k = 0; k < 1000; k++)
        ln_text_add(&text, "some more");
    CU_ASSERT(text.failed);
    ln_text_add(&text, "and nothing happens");
    ln_text_free(&text);
    end_shortage();
}

/* RFC 8259: commas, quotes, null for what has no value; beyond the depth the text fails. */
static void test_json(void) {
    ln_text text = {0};
    ln_json json = {.out = &text};
    ln_json_begin(&json, NULL, LN_JSON_OBJECT_LINES);
    ln_json_text(&json, "a\"b", "line\nand \x01 \\");
    ln_json_number(&json, "x", 0.1);
    ln_json_number(&json, "nan", NAN);
    ln_json_text_if(&json, "nothing", NULL);
    ln_json_begin(&json, "list", LN_JSON_LIST);
    ln_json_integer(&json, NULL, -3);
    ln_json_flag(&json, NULL, 1);
    ln_json_null(&json, NULL);
    ln_json_begin(&json, NULL, LN_JSON_LIST_LINES);
    ln_json_end(&json);
    ln_json_end(&json);
    ln_json_finish(&json);
    CU_ASSERT_STRING_EQUAL(text.data,
                           "{\n  \"a\\\"b\": \"line\\nand \\u0001 \\\\\",\n  \"x\": 0.1,\n"
                           "  \"nan\": null,\n  \"list\": [-3, true, null, []]\n}\n");
    CU_ASSERT(!text.failed);
    json = (ln_json){.out = &text};
    for (int k = 0; k <= LN_JSON_DEPTH; k++)
        ln_json_begin(&json, NULL, LN_JSON_LIST);
    CU_ASSERT(text.failed);
    ln_text_free(&text);
}

/* http://www.isthe.com/chongo/tech/comp/fnv, test vectors of FNV-1a, 64 bits */
static void test_hash(void) {
    CU_ASSERT(ln_hash(LN_HASH_BEGIN, "", 0) == 0xcbf29ce484222325u);
    CU_ASSERT(ln_hash(LN_HASH_BEGIN, "a", 1) == 0xaf63dc4c8601ec8cu);
    CU_ASSERT(ln_hash(LN_HASH_BEGIN, "foobar", 6) == 0x85944171f73967e8u);
    CU_ASSERT(ln_hash(ln_hash(LN_HASH_BEGIN, "foo", 3), "bar", 3) == 0x85944171f73967e8u);
}

/* ---- numbers ---- */

static uint64_t random_state = 7;
static uint64_t random_bits(void) { /* splitmix64 */
    uint64_t z = random_state += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

/* What the C library makes of it with the fewest of 15, 16, 17 digits; whole numbers below 1e15 are
 * written out by both. */
static void check_number(double value) {
    char ours[32], theirs[40];
    int length = ln_number_format(ours, value);
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(theirs, sizeof theirs, "%.*g", digits, value);
        if (strtod(theirs, NULL) == value)
            break;
    }
    const char *end = NULL;
    double back = ln_number_read(ours, &end);
    if (strcmp(ours, theirs) != 0 || back != value || *end != '\0' ||
        (size_t)length != strlen(ours))
        printf("\n    %a is written %s, expected %s, read back %a\n", value, ours, theirs, back);
    CU_ASSERT(strcmp(ours, theirs) == 0);
    CU_ASSERT(back == value && signbit(back) == signbit(value) && *end == '\0');
    CU_ASSERT_EQUAL((size_t)length, strlen(ours));
}

/* Random patterns, FEW by check_number(); in `make check-full` MANY more, shared out among
 * processes: what Linnet writes is read back as the number by Linnet and by the C library, and what
 * the C library writes by %.17g is read as the number by Linnet. */
enum { FEW = 100000, MANY = 100000000, MOST_PROCESSES = 16 };

static int reads_back(double value) {
    char text[32], digits[40];
    const char *end = NULL, *behind = NULL;
    (void)ln_number_format(text, value);
    snprintf(digits, sizeof digits, "%.17g", value);
    const double ours = ln_number_read(text, &end), theirs = strtod(text, NULL),
                 long_one = ln_number_read(digits, &behind);
    if (memcmp(&ours, &value, sizeof value) == 0 && memcmp(&theirs, &value, sizeof value) == 0 &&
        memcmp(&long_one, &value, sizeof value) == 0 && *end == '\0' && *behind == '\0')
        return 1;
    printf("\n    %a is written %s, read back %a by Linnet, %a by the C library; %s is read %a\n",
           value, text, ours, theirs, digits, long_one);
    return 0;
}

/* So many patterns from a seed of their own; returns whether all are right. */
static int check_patterns(uint64_t seed, long count) {
    int right = 1;
    random_state = seed;
    for (long k = 0; k < count && right; k++) {
        const uint64_t bits = random_bits();
        double any;
        memcpy(&any, &bits, sizeof any);
        right = !isfinite(any) || reads_back(any);
    }
    fflush(stdout);
    return right;
}

/* MANY patterns, a share for each processor. */
static void test_many_numbers(void) {
    pid_t child[MOST_PROCESSES];
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const int processes = processors < 1                ? 1
                          : processors > MOST_PROCESSES ? MOST_PROCESSES
                                                        : (int)processors;
    if (getenv("LINNET_FULL") == NULL)
        return;
    fflush(stdout);
    for (int k = 0; k < processes; k++)
        if ((child[k] = fork()) == 0)
            _exit(check_patterns(1000 + (uint64_t)k, MANY / processes) ? 0 : 1);
    for (int k = 0; k < processes; k++) {
        int status = -1;
        CU_ASSERT(child[k] > 0 && waitpid(child[k], &status, 0) == child[k] && status == 0);
    }
}

static void test_numbers_written(void) {
    static const double some[] = {0.0,
                                  -0.0,
                                  1,
                                  -1,
                                  0.1,
                                  0.2,
                                  0.3,
                                  1e-6,
                                  1e15,
                                  1e16,
                                  1e17,
                                  123456789012345678.0,
                                  1e22,
                                  1e23,
                                  1e36,
                                  9.999999999999999e36,
                                  1e37,
                                  1e100,
                                  1e300,
                                  1e-20,
                                  1e-21,
                                  1e-22,
                                  1e-300,
                                  5e-324,
                                  2.2250738585072014e-308,
                                  1.7976931348623157e308,
                                  0.0001,
                                  0.00001,
                                  999999999999999.9,
                                  9999999999999999.0,
                                  0.99999999999999989,
                                  4.35,
                                  0.5,
                                  0.25,
                                  9007199254740993.0,
                                  1.0 / 3,
                                  2.0 / 3,
                                  100,
                                  1e14,
                                  1e5,
                                  299792458,
                                  6.02214076e23,
                                  1.602176634e-19,
                                  1.380649e-23};
    for (size_t k = 0; k < sizeof some / sizeof *some; k++)
        check_number(some[k]);
    for (int k = -1074; k < 1024; k++) { /* powers of two: neighbours below are closer */
        check_number(ldexp(1, k));
        check_number(nextafter(ldexp(1, k), 0));
        check_number(nextafter(ldexp(1, k), INFINITY));
    }
    for (int k = 0; k < FEW; k++) {
        uint64_t bits = random_bits();
        double any, usual = ldexp((double)(int64_t)bits, -(int)(random_bits() % 90)),
                    step = (double)k * 1e-5;
        memcpy(&any, &bits, sizeof any);
        if (isfinite(any)) {
            check_number(any);
            CU_ASSERT(reads_back(any));
        }
        check_number(usual);
        check_number(step);
        check_number((double)(int64_t)(bits % 20000000) / 1000);
    }
    char text[32];
    ln_number_format(text, NAN);
    CHECK_TEXT(text, "nan");
    ln_number_format(text, -INFINITY);
    CHECK_TEXT(text, "-inf");
}

static void check_read(const char *text, double expected, int used) {
    const char *end = NULL;
    double value = ln_number_read(text, &end);
    if (value != expected || end != text + used)
        printf("\n    \"%s\" is read as %.17g, %td bytes\n", text, value, end - text);
    CU_ASSERT(value == expected);
    CU_ASSERT_EQUAL(end - text, used);
}

static void test_numbers_read(void) {
    check_read("12", 12, 2);
    check_read("-.5e1x", -5, 5);
    check_read("+3.", 3, 3);
    check_read("1e", 1, 1);
    check_read("2e+", 2, 1);
    check_read("1eV", 1, 1);
    check_read("1.2.3", 1.2, 3);
    check_read("4.7uF", 4.7, 3);
    check_read("0x10", 0, 1);
    check_read("inf", 0, 0);
    check_read("nan", 0, 0);
    check_read("", 0, 0);
    check_read("-", 0, 0);
    check_read(".", 0, 0);
    check_read(" 1", 0, 0);
    check_read("1e999", HUGE_VAL, 5);
    check_read("-1e999", -HUGE_VAL, 6);
    check_read("1e-999", 0, 6);
    check_read("1e99999999999999999999", HUGE_VAL, 22);
    check_read("0e99999999999999999999", 0, 22);
    check_read("0.000000000000000000000000000001", 1e-30, 32);
    check_read("9007199254740993", 9007199254740992.0, 16); /* halfway: to even */
    /* just above */
    check_read("9007199254740993.00000000000000000000001", 9007199254740994.0, 40);
    check_read("100000000000000000000000000000", 1e29, 30);
    check_read("8.5e22", 8.5e22, 6);
    check_read("1.7976931348623157e308", 1.7976931348623157e308, 22);
    check_read("5e-324", 5e-324, 6);
}

/* A host program's locale with a comma changes nothing; skipped by itself where none is installed.
 */
static void test_numbers_in_a_locale(void) {
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    const char *set = NULL;
    for (size_t k = 0; k < sizeof names / sizeof *names && set == NULL; k++)
        set = setlocale(LC_ALL, names[k]);
    char text[32];
    ln_number_format(text, 1.5e300);
    CHECK_TEXT(text, "1.5e+300");
    ln_number_format(text, 0.1);
    CHECK_TEXT(text, "0.1");
    check_read("1.7976931348623157e308", 1.7976931348623157e308, 22);
    check_read("1,5", 1, 1);
    setlocale(LC_ALL, "C");
}

/* ---- UTF-16 ---- */

static void check_utf16(const char *bytes, size_t length, const char *expected) {
    ln_text text = {0};
    ln_text_add_bytes(&text, bytes, length);
    ln_utf16_decode(&text);
    CHECK_TEXT(text.data, expected);
    ln_text_free(&text);
}

/* Characters of one to four bytes, halves that stand alone, either order, with a mark or without.
 */
static void test_utf16(void) {
    check_utf16("\xFF\xFE"
                "a\0\xE9\0\xAC\x20\x3D\xD8\x00\xDE",
                12, "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
    check_utf16("\xFE\xFF\0a\x20\xAC\xD8\x3D\xDE\x00", 10, "a\xE2\x82\xAC\xF0\x9F\x98\x80");
    check_utf16("a\0\x3D\xD8"
                "b\0\x00\xDE",
                8,
                "a\xEF\xBF\xBD"
                "b\xEF\xBF\xBD");
    check_utf16("\0a\0b", 4, "ab");
    check_utf16("abc", 3, "abc");
}

/* ---- maps and names ---- */

static void test_map(void) {
    enum { COUNT = 20000 };
    char(*keys)[16] = calloc(COUNT, sizeof *keys);
    ln_map *map = ln_map_new();
    CU_ASSERT_FATAL(keys != NULL && map != NULL);
    CU_ASSERT_EQUAL(ln_map_get(map, "R1"), -1);
    for (int k = 0; k < COUNT; k++) {
        snprintf(keys[k], sizeof keys[k], "R%d", k * 7);
        CU_ASSERT_FATAL(ln_map_put(map, keys[k], k) == k);
    }
    CU_ASSERT_EQUAL(ln_map_put(map, "R14", 99), 2);
    for (int k = 0; k < COUNT; k++)
        CU_ASSERT_FATAL(ln_map_get(map, keys[k]) == k);
    CU_ASSERT_EQUAL(ln_map_get(map, "R1"), -1);
    CU_ASSERT_EQUAL(ln_map_put(map, "", 5), 5);
    CU_ASSERT_EQUAL(ln_map_get(map, ""), 5);
    ln_map_free(map);
    ln_map_free(NULL);
    begin_shortage(2);
    map = ln_map_new();
    int put = 0;
    while (put < COUNT && ln_map_put(map, keys[put], put) == put)
        put++;
    CU_ASSERT(put >= 8 && put < COUNT && ln_map_put(map, keys[put], put) == -1);
    for (int k = 0; k < put; k++)
        CU_ASSERT(ln_map_get(map, keys[k]) == k);
    ln_map_free(map);
    end_shortage();
    free(keys);
}

static void test_nearest(void) {
    static const char *const types[] = {"resistor", NULL, "capacitor", "inductor", "diode", "R"};
    const size_t count = sizeof types / sizeof *types;
    CHECK_TEXT(ln_nearest("resitor", types, count), "resistor");
    CHECK_TEXT(ln_nearest("risestor", types, count), "resistor");
    CHECK_TEXT(ln_nearest("doide", types, count), "diode");
    CHECK_TEXT(ln_nearest("Capacitor", types, count), "capacitor");
    CU_ASSERT(ln_nearest("thermistor-bridge", types, count) == NULL);
    CU_ASSERT(ln_nearest("xyz", types, count) == NULL);
    CU_ASSERT(ln_nearest("anything", types, 0) == NULL);
    char longer[300];
    memset(longer, 'a', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    CU_ASSERT(ln_nearest(longer, types, count) == NULL);
}

/* ---- messages ---- */

typedef struct heard {
    int count;
    ln_severity last;
    char text[200];
} heard;
static void hear(void *context, ln_severity severity, ln_place place, const char *text) {
    heard *record = context;
    (void)place;
    record->count++;
    record->last = severity;
    snprintf(record->text, sizeof record->text, "%s", text);
}

static void test_messages(void) {
    heard record = {0};
    ln_report *report = ln_report_new(hear, &record);
    ln_place place = {"m.xml", 12, 0};
    ln_error(report, place, "%s (%s): R is %g; make it positive", "R1", "resistor", -2.0);
    CHECK_TEXT(record.text, "m.xml:12: error: R1 (resistor): R is -2; make it positive");
    ln_warn(report, (ln_place){"m.xml", 0, 0}, "no components");
    CHECK_TEXT(record.text, "m.xml: warning: no components");
    ln_note(report, LN_NOWHERE, "done");
    CHECK_TEXT(record.text, "note: done");
    CU_ASSERT_EQUAL(record.last, LN_NOTE);
    CU_ASSERT_EQUAL(ln_fail(report, LINNET_MODEL, place, "wrong"), LINNET_MODEL);
    CU_ASSERT_EQUAL(ln_report_errors(report), 2);
    CU_ASSERT_EQUAL(ln_report_warnings(report), 1);
    CHECK_TEXT(ln_report_text(report, 1), "m.xml: warning: no components");
    CU_ASSERT(ln_report_text(report, 4) == NULL && ln_report_text(report, -1) == NULL);
    for (int k = 0; k < 100; k++)
        ln_error(report, place, "message %d", k);
    CU_ASSERT_EQUAL(ln_report_errors(report), 102);
    CU_ASSERT_EQUAL(record.count, 50 + 2);
    ln_report_close(report);
    CU_ASSERT_EQUAL(record.count, 50 + 3);
    CHECK_TEXT(record.text, "note: and 52 more errors");
    ln_report_free(report);
    ln_report_free(NULL);
    ln_error(NULL, place, "to nobody");
    CU_ASSERT_EQUAL(ln_report_errors(NULL), 0);
}

/* A mistake made a thousand times must not hide the reason for which a run ended. */
static void test_kinds_of_messages(void) {
    heard record = {0};
    ln_report *report = ln_report_new(hear, &record);
    for (int again = 0; again < 3; again++)
        for (int k = 0; k < 40; k++)
            ln_warn(report, (ln_place){"m.cir", k + 1, 0}, "link 'n%d' hangs", k);
    CU_ASSERT_EQUAL(record.count, 10);
    for (int k = 0; k < 100000; k++)
        ln_warn(report, LN_NOWHERE, "R%d is large", k);
    CU_ASSERT_EQUAL(record.count, 20);
    ln_error(report, LN_NOWHERE, "it stopped");
    CHECK_TEXT(record.text, "error: it stopped");
    ln_warn(report, LN_NOWHERE, "errors of %s add up", "v");
    CHECK_TEXT(record.text, "warning: errors of v add up");
    CU_ASSERT_EQUAL(record.count, 22);
    for (int k = 0; k < 60; k++)
        ln_note(report, LN_NOWHERE, "%s", k % 2 ? "D1: mfg" : "D2: mfg");
    CU_ASSERT_EQUAL(record.count, 24);
    ln_report *other = ln_report_new(hear, &record);
    ln_report_forward(other, report);
    CU_ASSERT_EQUAL(record.count, 2 * 24);
    ln_report_free(other);
    ln_report_close(report);
    CU_ASSERT_EQUAL(record.count, 2 * 24 + 2);
    CHECK_TEXT(record.text, "note: and 99990 more warnings like this: R0 is large");
    ln_report_free(report);
}

static void test_messages_short(void) {
    heard record = {0};
    begin_shortage(0);
    CU_ASSERT(ln_report_new(hear, &record) == NULL);
    end_shortage();
    begin_shortage(1);
    ln_report *report = ln_report_new(hear, &record);
    CU_ASSERT_EQUAL(ln_no_memory(report), LINNET_MEMORY);
    CU_ASSERT_EQUAL(ln_report_errors(report), 1);
    CU_ASSERT(record.count == 1 && strstr(record.text, "out of memory") != NULL);
    ln_report_free(report);
    end_shortage();
    /* who reads what was kept learns that a warning is missing there; who gets it handed on, too */
    begin_shortage(1);
    report = ln_report_new(NULL, NULL);
    ln_warn(report, LN_NOWHERE, "it is wrong by 1 V");
    calls_left = 100;
    CU_ASSERT(ln_report_has_lost(report) && ln_report_text(report, 0) == NULL);
    ln_report *other = ln_report_new(NULL, NULL);
    ln_warn(other, LN_NOWHERE, "this one is kept");
    CU_ASSERT(!ln_report_has_lost(other) && !ln_report_has_lost(NULL));
    ln_report_forward(other, report);
    CU_ASSERT(ln_report_text(other, 1) != NULL &&
              strstr(ln_report_text(other, 1), "memory was short") != NULL);
    ln_report_free(other);
    ln_report_free(report);
    end_shortage();
}

/* ---- tables ---- */

static void test_outcomes(void) {
    static const struct {
        linnet_status status;
        int code;
    } expected[] = {{LINNET_OK, 0},     {LINNET_INTERNAL, 1},     {LINNET_USAGE, 2},
                    {LINNET_MODEL, 3},  {LINNET_FAILED, 4},       {LINNET_IO, 5},
                    {LINNET_MISSED, 6}, {LINNET_INTERRUPTED, 130}};
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        CU_ASSERT_EQUAL(linnet_status_exit(expected[k].status), expected[k].code);
        CU_ASSERT(strlen(linnet_status_text(expected[k].status)) > 3);
    }
    CU_ASSERT_EQUAL(linnet_status_exit((linnet_status)-99), 1);
    CU_ASSERT(linnet_status_text((linnet_status)-99) != NULL);
}

static void test_domains(void) {
    static const char *const names[] = {"signal",  "electrical", "translational", "rotational",
                                        "thermal", "hydraulic",  "magnetic"};
    CU_ASSERT_EQUAL(sizeof names / sizeof *names, LINNET_DOMAINS);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        int found = ln_domain_find(names[k]);
        CU_ASSERT_FATAL(found >= 0);
        const ln_domain_info *info = ln_domain((linnet_domain)found);
        CHECK_TEXT(info->name, names[k]);
        CU_ASSERT(info->potential_abstol > 0 && info->flux_abstol > 0);
        CU_ASSERT(info->potential_nominal > info->potential_abstol &&
                  info->flux_nominal > info->flux_abstol);
        CU_ASSERT((found == LINNET_SIGNAL) == (info->potential_unit == NULL));
    }
    CHECK_TEXT(ln_domain(LINNET_ROTATIONAL)->flux, "tau");
    CHECK_TEXT(ln_domain(LINNET_HYDRAULIC)->flux_unit, "kg/s");
    CU_ASSERT_EQUAL(ln_domain(LINNET_THERMAL)->power, LN_POWER_FLUX);
    CU_ASSERT_EQUAL(ln_domain_find("optical"), -1);
}

static void test_system_calls(void) {
    char path[] = "/tmp/linnet-base-XXXXXX", moved[40], buffer[8] = "";
    int fd = mkstemp(path);
    CU_ASSERT_FATAL(fd >= 0);
    close(fd);
    snprintf(moved, sizeof moved, "%s.moved", path);
    fd = ln_sys->open_write(path);
    CU_ASSERT(fd >= 0 && ln_sys->write(fd, "abc", 3) == 3 && ln_sys->close(fd) == 0);
    CU_ASSERT_EQUAL(ln_sys->rename(path, moved), 0);
    CU_ASSERT(ln_sys->open_read(path) == -1 && errno == ENOENT);
    fd = ln_sys->open_read(moved);
    CU_ASSERT_EQUAL(ln_sys->read(fd, buffer, sizeof buffer), 3);
    CHECK_TEXT(buffer, "abc");
    CU_ASSERT(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    ln_sys->close(fd);
    CU_ASSERT_EQUAL(ln_sys->remove(moved), 0);
    double before = ln_sys->clock();
    CU_ASSERT(ln_sys->clock() >= before);
    unsigned long count = ln_sys_allocations();
    ln_sys->release(ln_sys->allocate(0));
    CU_ASSERT_EQUAL(ln_sys_allocations(), count + 1);
}

/* RFC 3629, section 4: what is a character and what is none. */
static void test_utf8(void) {
    static const struct {
        const char *bytes;
        int length;
    } cases[] = {{"a", 1},
                 {"\xC3\xBF", 2},
                 {"\xE2\x82\xAC", 3},
                 {"\xF0\x9D\x84\x9E", 4},
                 {"\xC0\x80", 0},
                 {"\xE0\x80\x80", 0},
                 {"\xED\xA0\x80", 0},
                 {"\xF0\x80\x80\x80", 0},
                 {"\xF4\x90\x80\x80", 0},
                 {"\xFF", 0},
                 {"\xC3", 0},
                 {"\xE2\x82", 0},
                 {"\x80", 0},
                 {"\xC3"
                  "a",
                  0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        CU_ASSERT_EQUAL(ln_utf8_length(cases[k].bytes, strlen(cases[k].bytes)), cases[k].length);
}

static void test_visible(void) {
    static const struct {
        const char *text, *shown;
        int lines;
    } cases[] = {{"R1.i", "R1.i", 0},
                 {"", "", 0},
                 {"\xC2\xB5 \xC3\xA4", "\xC2\xB5 \xC3\xA4", 0},
                 {"\x1b[31mx", "\\x1b[31mx", 0},
                 {"a\xFF", "a\\xff", 0},
                 {"a\nb\tc",
                  "a\\x0a"
                  "b\\x09"
                  "c",
                  0},
                 {"a\nb\tc", "a\nb\tc", 1},
                 {"\x7F", "\\x7f", 1},
                 {"\xC2\x9B"
                  "31m",
                  "\\x9b31m", 0},
                 {"x\xE2\x80\xAEy", "x\\u202ey", 0},
                 {"\xEF\xBB\xBFz", "\\ufeffz", 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        ln_text out = {0};
        ln_visible_add(&out, cases[k].text, cases[k].lines);
        CU_ASSERT_STRING_EQUAL(out.data, cases[k].shown);
        CU_ASSERT_EQUAL(ln_visible_is(cases[k].text, cases[k].lines),
                        strcmp(cases[k].text, cases[k].shown) == 0);
        ln_text_free(&out);
    }
}

static void test_cleaned(void) {
    static const struct {
        const char *bytes, *clean;
    } cases[] = {{"plain\r\n\tx\f", "plain\r\n\tx\f"},
                 {"\xC2\xB5", "\xC2\xB5"},
                 {"1\xB5", "1\xC2\xB5"},
                 {"\xC2\xB5\xB5", "\xC3\x82\xC2\xB5\xC2\xB5"},
                 {"a\x1b"
                  "b",
                  "a\\x1b"
                  "b"},
                 {"a\x1a\x1a", "a"},
                 {"a\x1a"
                  "b",
                  "a\\x1a"
                  "b"},
                 {"\xC2\x9B", "\\x9b"},
                 {"a\xE2\x80\xAE", "a\\u202e"},
                 {"\x9B", "\\x9b"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        ln_text text = {0};
        ln_text_add(&text, cases[k].bytes);
        ln_visible_clean(&text);
        CU_ASSERT_STRING_EQUAL(text.data, cases[k].clean);
        CU_ASSERT_EQUAL(text.length, strlen(cases[k].clean));
        ln_text_free(&text);
    }
}

/* One writer at a time; a lock ends with its descriptor, and a file that was renamed meanwhile is
 * not taken for the part. */
static void test_parts(void) {
    char folder[] = "/tmp/linnet-part-XXXXXX", part[64], whole[64];
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(part, sizeof part, "%s/x.part", folder);
    snprintf(whole, sizeof whole, "%s/x", folder);
    const int first = ln_part_open(part, 0);
    CU_ASSERT(first >= 0 && write(first, "abc", 3) == 3);
    CU_ASSERT(ln_part_open(part, 0) == -1 && errno == EWOULDBLOCK);
    CU_ASSERT(ln_part_again(part) == -1 && errno == EWOULDBLOCK);
    CU_ASSERT(rename(part, whole) == 0);
    const int second = ln_part_open(part, 0); /* another file by now */
    CU_ASSERT(second >= 0 && close(second) == 0 && close(first) == 0);
    const int third = ln_part_again(whole);
    CU_ASSERT(third >= 0 && lseek(third, 0, SEEK_END) == 3 && close(third) == 0);
    CU_ASSERT(ln_part_again("/no/such/file") == -1 && errno == ENOENT);
    CU_ASSERT(unlink(part) == 0 && unlink(whole) == 0 && rmdir(folder) == 0);
}

static void test_inputs(void) {
    char folder[] = "/tmp/linnet-input-XXXXXX", pipe_path[64];
    ln_report *report = ln_report_new(NULL, NULL);
    ln_text bytes = {0};
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(pipe_path, sizeof pipe_path, "%s/fifo", folder);
    CU_ASSERT_FATAL(mkfifo(pipe_path, 0600) == 0);
    CU_ASSERT(ln_input_is_stream(pipe_path) && ln_input_is_stream("-") &&
              ln_input_is_stream("/dev/zero") && !ln_input_is_stream(folder));
    CU_ASSERT(ln_input_read(pipe_path, LN_FROM_MODEL, 100, report, &bytes) == LINNET_IO);
    CU_ASSERT(ln_input_read("/dev/zero", LN_FROM_MODEL, 100, report, &bytes) == LINNET_IO &&
              bytes.length == 0);
    CU_ASSERT(ln_input_read(folder, LN_FROM_MODEL, 100, report, &bytes) == LINNET_IO);
    CU_ASSERT(ln_input_read("/dev/zero", LN_FROM_USER, 100, report, &bytes) == LINNET_OK &&
              bytes.length > 100);
    ln_text_free(&bytes);
    CU_ASSERT(ln_input_read("/dev/null", LN_FROM_USER, 100, report, &bytes) == LINNET_OK &&
              bytes.length == 0 && bytes.data != NULL);
    ln_text_free(&bytes);
    ln_report_free(report);
    CU_ASSERT(unlink(pipe_path) == 0 && rmdir(folder) == 0);
}

UNIT_MAIN({"arena", test_arena}, {"arena, memory short", test_arena_short},
          {"growing array", test_grow}, {"text", test_text}, {"hash", test_hash},
          {"JSON", test_json}, {"numbers written", test_numbers_written},
          {"many numbers", test_many_numbers}, {"numbers read", test_numbers_read},
          {"numbers in another locale", test_numbers_in_a_locale}, {"map", test_map},
          {"nearest name", test_nearest}, {"messages", test_messages},
          {"kinds of messages", test_kinds_of_messages},
          {"messages, memory short", test_messages_short}, {"outcomes", test_outcomes},
          {"domains", test_domains}, {"system calls", test_system_calls}, {"UTF-8", test_utf8},
          {"UTF-16", test_utf16}, {"made visible", test_visible}, {"made clean", test_cleaned},
          {"part files", test_parts}, {"inputs", test_inputs})

/* SPDX-License-Identifier: MIT */
/* Fuzz targets: functions that take any bytes and must neither crash, nor leak, nor find a promise
 * of Linnet broken. driver.c runs them, over files or as clang's libFuzzer. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include "base/report.h"
#include "blocks/catalogue.h"

#include <stddef.h>
#include <stdint.h>

typedef struct fuzz_target {
    const char *name;
    const char *doc;
    void (*run)(const uint8_t *data, size_t length);
    int models; /* needs the catalogue, which is made before memory is counted */
} fuzz_target;

void fuzz_xml(const uint8_t *data, size_t length);
void fuzz_diagram(const uint8_t *data, size_t length);
void fuzz_deck(const uint8_t *data, size_t length);
void fuzz_expression(const uint8_t *data, size_t length);
void fuzz_number(const uint8_t *data, size_t length);
void fuzz_table(const uint8_t *data, size_t length);
void fuzz_checkpoint(const uint8_t *data, size_t length);
void fuzz_network(const uint8_t *data, size_t length);

/* Says which promise is broken and ends the process with abort(), as libFuzzer wants it. */
_Noreturn void fuzz_broken(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A sign of life: the execution has as long again as at its start. */
void fuzz_alive(void);
/* The rule of all readers and runs: a call that did not succeed has a final status and has said
 * why. */
void fuzz_told(linnet_status status, const ln_report *report, const char *what);
/* The bytes as a file, which is the same one at every call; its path. */
const char *fuzz_file(const uint8_t *data, size_t length);

/* The built-in types, made once and kept, as reading them takes longer than most executions. Models
 * that define types have a catalogue of their own. Behind a use: fuzz_catalogue_end(). */
ln_catalogue *fuzz_catalogue(ln_report *report);
void fuzz_catalogue_end(void);

/* Bytes as choices. Behind the end every choice is 0. */
typedef struct fuzz_bytes {
    const uint8_t *at;
    size_t left;
} fuzz_bytes;
/* A number below n, 1 to 65 536. */
unsigned fuzz_choice(fuzz_bytes *bytes, unsigned n);

#endif

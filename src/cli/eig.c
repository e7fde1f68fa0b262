/* SPDX-License-Identifier: MIT */
/* linnet eig: the natural modes of a model, linearised. */
#include "cli/eig.h"

#include "base/text.h"
#include "result/document.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static linnet_status eig_command(const ln_command *command, int argc, char **argv);
static const char formats[] = "text, json or csv";

static const ln_option options[] = {
    LN_OPTION_AT,
    {"input", 0, "NAME",
     "with --output: zeros and gain from this source, link or signal\ninput (such as G1.in)"},
    {"output", 0, "NAME", "to this quantity"},
    {"count", 0, "NUMBER", "only so many modes, those nearest to a point; for large models"},
    {"near", 0, "NUMBER", "that point, in 1/s: 0, -100, -100+2000i (default: 0)"},
    LN_OPTION_PADE,
    {"format", 'f', "FORMAT", "text (default), json or csv"},
    {"result", 'o', "FILE", "where it goes (default: the standard output)"},
    LN_OPTIONS_HOW,
    LN_OPTIONS_WHAT,
    {"quiet", 'q', NULL, "no last line"},
    {NULL, 0, NULL, NULL}};

const ln_command ln_command_eig = {
    .name = "eig",
    .doc = "tell a model's natural modes: eigenvalues, damping, stable steps",
    .usage = "MODEL [OPTION]...",
    .about = "Linearises MODEL at its operating point, or at a time of a run, with exact "
             "derivatives, and tells its\n"
             "eigenvalues, time constants, natural frequencies and damping, which states take part "
             "in each mode, how\n"
             "stiff it is, which step each explicit method could take, and its index.",
    .options = options,
    .more = ln_help_methods,
    .examples = "  linnet eig models/examples/electrical/rlc-tank.xml\n"
                "  linnet eig filter.xml --input V1 --output out\n"
                "  linnet eig rectifier.xml --at 12ms --format json\n"
                "  linnet eig grid.xml --count 10 --near 314i\n",
    .exits = "012345",
    .run = eig_command};

/* ---- options ---- */

/* "-100+2000i": real part, imaginary part, either alone. */
static int read_complex(const char *text, double *re, double *im) {
    const char *end;
    double first = ln_number_read(text, &end);
    *re = *im = 0;
    if (end == text)
        return 0;
    if ((*end == 'i' || *end == 'j') && end[1] == '\0') {
        *im = first;
        return isfinite(first);
    }
    *re = first;
    if (*end == '\0')
        return isfinite(first);
    if (*end != '+' && *end != '-')
        return 0;
    const char *second = end;
    *im = ln_number_read(second, &end);
    return end != second && (*end == 'i' || *end == 'j') && end[1] == '\0' && isfinite(*re) &&
           isfinite(*im);
}

typedef struct wanted {
    int count, order;
    double re, im;
} wanted;

/* How many modes: 10 beside --near alone, 0 (all) where nothing is said. */
static linnet_status read_count(const ln_job *job, int *count) {
    const char *text = ln_job_value(job, "count"), *end;
    *count = ln_job_value(job, "near") != NULL ? 10 : 0;
    if (text == NULL)
        return LINNET_OK;
    const double number = ln_number_read(text, &end);
    if (end == text || *end != '\0' || number != floor(number) || number < 1 || number > 10000)
        return ln_usage(job->command, "--count is '%.60s'; it must be a whole number above 0",
                        text);
    *count = (int)number;
    return LINNET_OK;
}

static linnet_status read_wanted(const ln_job *job, wanted *out) {
    *out = (wanted){.count = 0};
    const char *near = ln_job_value(job, "near");
    LN_TRY(read_count(job, &out->count));
    if ((out->order = ln_linear_point_pade(job)) == 0)
        return LINNET_USAGE;
    if (near != NULL && !read_complex(near, &out->re, &out->im))
        return ln_usage(job->command,
                        "--near is '%.60s'; write a number such as 0, -100 or -100+2000i", near);
    if ((ln_job_value(job, "input") == NULL) != (ln_job_value(job, "output") == NULL))
        return ln_usage(job->command,
                        "--input and --output belong together: zeros lie between two quantities");
    if (ln_job_value(job, "input") != NULL && out->count > 0)
        return ln_usage(job->command,
                        "zeros and gain need all modes; leave out --count and --near");
    if (ln_linear_format(job, formats) < 0)
        return LINNET_USAGE;
    return LINNET_OK;
}

/* ---- the work ---- */

static linnet_status find_transfer(const ln_job *job, const ln_linear_point *point, ln_modes *modes,
                                   ln_transfer *transfer) {
    ln_input input;
    ln_quantity output;
    LN_TRY(ln_small_signal_input(modes->small, ln_job_value(job, "input"), &input));
    if (!ln_network_find(point->simulation.network, ln_job_value(job, "output"), &output, NULL))
        return ln_fail(job->report, LINNET_USAGE, LN_NOWHERE,
                       "--output must be one name, not a pattern");
    return ln_transfer_find(modes, &input, &output, transfer);
}

static linnet_status write_modes(const ln_job *job, const ln_eig_view *view) {
    const int format = ln_linear_format(job, formats);
    ln_text text = {0};
    if (format == 0)
        ln_eig_text(view, job->arena, &text);
    else if (format == 1)
        ln_eig_json(view, &text);
    else
        ln_eig_csv(view, &text);
    return ln_linear_write(job, &text);
}

static linnet_status find(const ln_job *job, const wanted *want, ln_linear_point *point,
                          ln_small_signal *expanded, ln_modes *modes) {
    ln_transfer transfer;
    ln_multipliers multipliers;
    ln_eig_view view = {.point = point,
                        .modes = modes,
                        .pade_order = want->order,
                        .input = ln_job_value(job, "input"),
                        .output = ln_job_value(job, "output"),
                        .multipliers = &multipliers};
    LN_TRY(ln_multipliers_find(&point->small, &point->simulation.settings, &multipliers));
    LN_TRY(ln_pade_expand(&point->small, want->order, expanded));
    LN_TRY(ln_modes_find(expanded, want->count, want->re, want->im, modes));
    if (view.input != NULL) {
        LN_TRY(find_transfer(job, point, modes, &transfer));
        view.transfer = &transfer;
    }
    return write_modes(job, &view);
}

static linnet_status work(const ln_job *job, ln_linear_point *point) {
    wanted want;
    ln_small_signal expanded = {.means = ""};
    ln_modes modes = {.count = 0};
    linnet_status status = read_wanted(job, &want);
    if (status == LINNET_OK)
        status = find(job, &want, point, &expanded, &modes);
    ln_modes_free(&modes);
    ln_small_signal_free(&expanded);
    return status;
}

static linnet_status check(const ln_job *job) {
    const char *file = ln_job_value(job, "result");
    if (file != NULL)
        LN_TRY(ln_format_check(file, LN_FORMAT_CASES, LN_FORMAT_TEXTS, job->report));
    return read_wanted(job, &(wanted){.count = 0});
}

static linnet_status eig_command(const ln_command *command, int argc, char **argv) {
    return ln_linear_command_run(&(ln_linear_command){"output", check, NULL, work}, command, argc,
                                 argv);
}

/* SPDX-License-Identifier: MIT */
/* linnet ac: the small-signal response between a source and signals. */
#include "analysis/curve_measures.h"
#include "analysis/margins.h"
#include "cli/analyses.h"
#include "cli/bode_view.h"
#include "cli/linear_point.h"
#include "cli/summary.h"
#include "model/scope.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static linnet_status ac_command(const ln_command *command, int argc, char **argv);
static const char formats[] = "text, csv or json";

static const ln_option options[] = {
    {"input", 0, "NAMES",
     "where the small signal enters: a source, a signal, a link, or a\n"
     "block's signal input; several at once as NAME:SIZE@DEGREES"},
    {"output", 0, "NAMES", "what is looked at: signals, separated by commas"},
    {"open", 0, "SIGNAL",
     "instead of both: the loop transfer L of the loop opened there,\nas margins opens it"},
    {"from", 0, "FREQUENCY", "lowest frequency, such as 10Hz"},
    {"to", 0, "FREQUENCY", "highest frequency, such as 1MHz"},
    {"points", 0, "NUMBER",
     "points per decade (default 20; of tables in\n"
     "files and of pictures 100)"},
    {"per", 0, "INTERVAL", "decade (default) or octave"},
    {"linear", 0, "NUMBER", "so many points, evenly spaced, instead"},
    {"list", 0, "FREQUENCIES", "these frequencies instead: 50Hz,60Hz,400Hz"},
    {"at", 0, "TIME", "linearise at this time of a run (default: operating point)"},
    {"format", 'f', "NAME", "text (default), csv or json"},
    {"result", 'o', "FILE", "where it goes (default: the standard output); FILE.raw is a rawfile"},
    {"ascii", 0, NULL, "numbers of a rawfile as text, not binary"},
    {"plot", 0, "FILE", "also draw Bode and Nyquist plots: .svg, .png, .pdf or .html"},
    {"linear-solver", 0, "NAME", "one of " LN_LINEAR_WORDS},
    LN_OPTIONS_WHAT,
    {"quiet", 'q', NULL, "no last line"},
    {NULL, 0, NULL, NULL}};

const ln_command ln_command_ac = {
    .name = "ac",
    .doc = "compute the small-signal frequency response",
    .usage =
        "MODEL [--input NAME] [--output NAMES] [--open SIGNAL] [--from F] [--to F] [OPTION]...",
    .about = "Linearises MODEL at its operating point, or at a time of its run, and computes the "
             "response of the outputs\n"
             "to a small sine of amplitude 1 at the input: magnitude, phase (unwrapped), group "
             "delay. What no option says\n"
             "is taken from the model's <frequency-response>.",
    .options = options,
    .examples = "  linnet ac filter.xml --input V1 --output out --from 10Hz --to 1MHz\n"
                "  linnet ac filter.xml --input V1 --output out,R1.i --from 1Hz --to 1kHz --linear "
                "1000 -f csv -o ac.csv\n"
                "  linnet ac filter.xml --input V1 --output out --from 1Hz --to 1MHz --plot "
                "filter.svg -o filter.txt\n"
                "  linnet ac amplifier.cir --open R2.p --from 1kHz --to 10MHz\n",
    .exits = "012345",
    .run = ac_command};

/* ---- which frequencies ---- */

enum { MOST_POINTS = 10000000 };

/* A whole number from 1 on; 0 after a complaint. */
static long read_count(const ln_job *job, const char *name, long standard) {
    const char *text = ln_job_value(job, name), *end;
    if (text == NULL)
        return standard;
    double value = ln_number_read(text, &end);
    if (end != text && *end == '\0' && value >= 1 && value <= MOST_POINTS && value == floor(value))
        return (long)value;
    (void)ln_usage(job->command, "--%s is '%.60s'; it must be a whole number from 1 on", name,
                   text);
    return 0;
}

/* A value with its unit, in the model's scope. */
static linnet_status read_value(const ln_job *job, ln_scope *scope, const char *name,
                                const char *unit, double *value) {
    const char *text = ln_job_value(job, name);
    char title[32];
    if (text == NULL)
        return ln_usage(job->command, "--%s is missing", name);
    snprintf(title, sizeof title, "option --%s", name);
    linnet_status status = ln_scope_value(scope, text, unit, (ln_place){title, 0, 0}, value);
    return status == LINNET_MODEL ? LINNET_USAGE : status;
}

static linnet_status read_list(const ln_job *job, ln_scope *scope, double **frequency, int *count) {
    int rows = 0, cols = 0;
    linnet_status status = ln_scope_list(
        scope, (ln_written){ln_job_value(job, "list"), "Hz", (ln_place){"option --list", 0, 0}},
        frequency, &rows, &cols);
    if (status != LINNET_OK)
        return status == LINNET_MODEL ? LINNET_USAGE : status;
    *count = rows * cols;
    for (int k = 0; k < *count; k++)
        if (!((*frequency)[k] >= 0))
            return ln_usage(job->command, "--list: a frequency is below 0");
    return LINNET_OK;
}

/* Points per decade where nothing is said: as many rows as one reads, or as a curve needs. */
static long usual_points(const ln_job *job) {
    const char *file = ln_job_value(job, "result"), *format = ln_job_format(job);
    const int numbers = (format != NULL && strcmp(format, "text") != 0) ||
                        (file != NULL && (ln_format_of(file)->holds & LN_FORMAT_PAIRS));
    return numbers || ln_job_value(job, "plot") != NULL ? 100 : 20;
}

/* A range of frequencies and how densely it is filled. */
typedef struct band {
    double from, to; /* Hz */
    double ratio;    /* 10 of decades, 2 of octaves; of --linear the points are evenly spaced */
    long points;     /* per decade or octave; of --linear in all */
    int linear;
} band;

/* The range of --from and --to, and the points of --linear, or of --points and --per. */
static linnet_status read_band(const ln_job *job, ln_scope *scope, band *range) {
    const char *per = ln_job_value(job, "per");
    const int octave = per != NULL && strcmp(per, "octave") == 0;
    if (per != NULL && !octave && strcmp(per, "decade") != 0)
        return ln_usage(job->command, "--per is '%.60s'; it must be decade or octave", per);
    range->ratio = octave ? 2 : 10;
    range->linear = ln_job_value(job, "linear") != NULL;
    LN_TRY(read_value(job, scope, "from", "Hz", &range->from));
    LN_TRY(read_value(job, scope, "to", "Hz", &range->to));
    const int begins_well = range->linear ? range->from >= 0 : range->from > 0;
    if (!begins_well || !(range->to >= range->from) || !isfinite(range->to))
        return ln_usage(job->command, "the frequencies must rise from --from%s to --to",
                        range->linear ? "" : " (above 0)");
    range->points =
        range->linear ? read_count(job, "linear", 0) : read_count(job, "points", usual_points(job));
    return range->points == 0 ? LINNET_USAGE : LINNET_OK;
}

/* How many intervals lie between the frequencies of the range. */
static double intervals_of(const band *range) {
    if (range->linear)
        return (double)range->points - 1;
    /* a range that is whole decades but for rounding has no interval more */
    const double decades = log(range->to / range->from) / log(range->ratio);
    return ceil(decades * (double)range->points - 1e-9);
}

static linnet_status make_grid(const ln_job *job, ln_scope *scope, double **frequency, int *count) {
    if (ln_job_value(job, "list") != NULL)
        return read_list(job, scope, frequency, count);
    band range;
    LN_TRY(read_band(job, scope, &range));
    const double intervals = intervals_of(&range), width = range.to - range.from;
    if (intervals > MOST_POINTS)
        return ln_usage(job->command, "that makes %.3g points; take fewer", intervals);
    *count = (int)intervals + 1;
    *frequency = LN_NEW(job->arena, double, *count);
    if (*frequency == NULL)
        return ln_no_memory(job->report);
    for (int k = 0; k < *count; k++)
        (*frequency)[k] = range.linear
                              ? range.from + width * (k / fmax(intervals, 1))
                              : range.from * pow(range.ratio, (double)k / (double)range.points);
    if (*count > 1)
        (*frequency)[*count - 1] = range.to;
    return LINNET_OK;
}

/* ---- the whole ---- */

static linnet_status write_response(const ln_job *job, const ln_bode_view *view) {
    static void (*const writers[])(const ln_bode_view *, ln_text *) = {ln_bode_text, ln_bode_csv,
                                                                       ln_bode_json};
    const char *plot = ln_job_value(job, "plot"), *file = ln_job_value(job, "result");
    ln_text text = {0};
    if (file != NULL && (ln_format_of(file)->holds & LN_FORMAT_PAIRS)) {
        LN_TRY(ln_bode_result(view, file, ln_job_value(job, "ascii") != NULL, job->is_next,
                              job->report));
    } else {
        writers[ln_linear_format(job, formats)](view, &text);
        LN_TRY(ln_linear_write(job, &text));
    }
    return plot != NULL ? ln_bode_plot(view, plot, job->report) : LINNET_OK;
}

/* Does output j answer at any of the frequencies? */
static int is_seen(const ln_bode *bode, int j) {
    for (int k = 0; k < bode->count; k++) {
        const double complex h = bode->h[(size_t)j * (size_t)bode->count + (size_t)k];
        if (h != 0 && !isnan(creal(h)))
            return 1;
    }
    return 0;
}

/* A flux brought into a link that a source holds goes through the source, and nothing answers. */
static linnet_status check_held(const ln_job *job, const ln_linear_point *point,
                                const ln_response *response, const ln_bode *bode) {
    const ln_network *network = point->simulation.network;
    const int holder = response->ninputs == 1 && bode->poles == 0
                           ? ln_system_holder(network, response->inputs[0].name)
                           : -1;
    for (int j = 0; j < bode->noutputs && holder >= 0; j++)
        if (is_seen(bode, j))
            return LINNET_OK;
    if (holder < 0)
        return LINNET_OK;
    const ln_instance *source = &network->instances[holder];
    return ln_fail(job->report, LINNET_USAGE, source->place,
                   "--input %s: %s (%s) holds this link, so that nothing brought into it reaches "
                   "an output; take the source as the input: --input %s",
                   response->inputs[0].name, source->name, source->block.type->name, source->name);
}

/* What makes a response say nothing. Of outputs that the model lists, a deck's nodes with its
 * supplies among them, one that answers is enough. */
static void warn_of(const ln_job *job, const ln_model *model, const ln_response *response,
                    const ln_bode *bode) {
    const char *by_model =
        model->response != NULL ? ln_attribute_of(model->response, "output") : NULL;
    int seen = 0;
    if (bode->poles > 0)
        ln_warn(job->report, LN_NOWHERE,
                "the model has a pole at %d of the frequencies: there is no response there",
                bode->poles);
    for (int j = 0; j < bode->noutputs; j++)
        seen += is_seen(bode, j);
    if (bode->poles == bode->count || (seen > 0 && ln_job_value(job, "output") == by_model))
        return;
    for (int j = 0; j < bode->noutputs; j++)
        if (!is_seen(bode, j))
            ln_warn(job->report, LN_NOWHERE,
                    "%s does not depend on %s: no way leads there at this point",
                    response->names[j], response->input);
}

/* Columns NAME.dB, phase, radians, magnitude, re and im of each output. */
static linnet_status measure(const ln_job *job, const ln_model *model, const ln_response *response,
                             const ln_bode *bode) {
    enum { PARTS = 6 };
    static const char *const parts[PARTS] = {"dB", "phase", "radians", "magnitude", "re", "im"},
                             *const units[PARTS] = {"dB", "deg", "rad", "", "", ""};
    const size_t count = (size_t)bode->count, all = count * (size_t)bode->noutputs;
    ln_measured_column *columns = LN_NEW(job->arena, ln_measured_column, PARTS * bode->noutputs);
    double *radians = LN_NEW(job->arena, double, all), *size = LN_NEW(job->arena, double, all);
    if (columns == NULL || radians == NULL || size == NULL)
        return ln_no_memory(job->report);
    for (size_t k = 0; k < all; k++)
        radians[k] = carg(bode->h[k]), size[k] = cabs(bode->h[k]);
    for (int j = 0; j < bode->noutputs; j++) {
        const size_t at = (size_t)j * count;
        /* C11 6.2.5: laid out as an array of two */
        const double *pairs = (const double *)(bode->h + at);
        const double *const values[PARTS] = {
            bode->decibel + at, bode->phase + at, radians + at, size + at, pairs, pairs + 1};
        for (int part = 0; part < PARTS; part++) {
            const char *name =
                ln_arena_printf(job->arena, "%s.%s", response->names[j], parts[part]);
            if (name == NULL)
                return ln_no_memory(job->report);
            columns[j * PARTS + part] = (ln_measured_column){
                name, part > 2 ? response->units[j] : units[part], values[part], part > 3 ? 2 : 1};
        }
    }
    ln_measures *measures;
    LN_TRY(ln_curve_measures_take(model,
                                  &(ln_measured_curves){"frequency-response", "Hz", bode->frequency,
                                                        bode->count, 1, columns,
                                                        PARTS * bode->noutputs},
                                  job->report, &measures));
    if (!job->quiet)
        ln_measures_print(measures);
    ln_measures_free(measures);
    return LINNET_OK;
}

/* The response from --input to --output. */
static linnet_status follow_input(const ln_job *job, ln_linear_point *point,
                                  const double *frequency, int count, ln_response *response,
                                  ln_bode *bode) {
    LN_TRY(ln_response_begin(response, &point->small, ln_job_value(job, "input"),
                             ln_job_value(job, "output"), job->request.linear));
    LN_TRY(ln_bode_sweep(response, frequency, count, ln_progress_poll,
                         &(ln_progress_line){.form = LN_PROGRESS_NONE}, bode));
    return check_held(job, point, response, bode);
}

/* The loop transfer of the loop opened at --open: an output L. */
static linnet_status follow_loop(const ln_job *job, ln_linear_point *point, const double *frequency,
                                 int count, ln_response *response, ln_bode *bode) {
    static const char *names[] = {"L"}, *units[] = {""};
    const char *open = ln_job_value(job, "open");
    *response = (ln_response){
        .input = open, .names = names, .units = units, .noutputs = 1, .small = &point->small};
    return ln_loop_bode(&point->small, open, job->request.linear,
                        &(ln_loop_sweep){frequency, count, ln_progress_poll,
                                         &(ln_progress_line){.form = LN_PROGRESS_NONE}},
                        bode);
}

static linnet_status respond(const ln_job *job, ln_linear_point *point, ln_response *response) {
    const int is_loop = ln_job_value(job, "open") != NULL;
    double *frequency = NULL;
    int count = 0;
    ln_bode bode = {0};
    LN_TRY(make_grid(job, point->simulation.network->scope, &frequency, &count));
    LN_TRY((is_loop ? follow_loop : follow_input)(job, point, frequency, count, response, &bode));
    warn_of(job, point->model, response, &bode);
    const ln_bode_view view = {.model = point->simulation.network->name,
                               .origin = point->model->origin,
                               .small = &point->small,
                               .response = response,
                               .is_loop = is_loop,
                               .bode = &bode,
                               .arena = job->arena};
    LN_TRY(write_response(job, &view));
    return measure(job, point->model, response, &bode);
}

static linnet_status work(const ln_job *job, ln_linear_point *point) {
    ln_response response = {.noutputs = 0};
    linnet_status status = respond(job, point, &response);
    ln_response_free(&response);
    return status;
}

static linnet_status check(const ln_job *job) {
    const char *file = ln_job_value(job, "result");
    if (ln_job_value(job, "open") != NULL &&
        (ln_job_value(job, "input") != NULL || ln_job_value(job, "output") != NULL))
        return ln_usage(job->command, "--open takes the place of --input and --output");
    if (ln_linear_format(job, formats) < 0)
        return LINNET_USAGE;
    if (file != NULL)
        LN_TRY(ln_format_check(file, LN_FORMAT_PAIRS, LN_FORMAT_TEXTS, job->report));
    return ln_job_value(job, "plot") != NULL ? ln_plot_check(ln_job_value(job, "plot"), job->report)
                                             : LINNET_OK;
}

/* What no option says, <frequency-response> does; one option about the grid replaces all of its
 * own. */
static linnet_status complete_options(ln_job *job, const ln_model *model) {
    static const struct {
        const char *name;
        int grid;
    } known[] = {{"input", 0},  {"output", 0}, {"from", 0},   {"to", 0},
                 {"points", 1}, {"per", 1},    {"linear", 1}, {"list", 1}};
    enum { KNOWN = sizeof known / sizeof *known };
    int own_grid = 0;
    for (int k = 0; k < KNOWN; k++)
        own_grid |= known[k].grid && ln_job_value(job, known[k].name) != NULL;
    for (int k = 0; k < KNOWN && model->response != NULL; k++)
        for (int j = 0; job->command->options[j].name != NULL; j++)
            if (strcmp(job->command->options[j].name, known[k].name) == 0 &&
                job->values[j] == NULL && !(known[k].grid && own_grid))
                job->values[j] = ln_attribute_of(model->response, known[k].name);
    if (ln_job_value(job, "open") != NULL)
        return LINNET_OK;
    if (ln_job_value(job, "input") == NULL)
        return ln_usage(job->command, "--input is missing, and the model has no "
                                      "<frequency-response>: name a source or a signal");
    if (ln_job_value(job, "output") == NULL)
        return ln_usage(job->command, "--output is missing: name signals to look at");
    return LINNET_OK;
}

static const ln_linear_command itself = {"output", check, complete_options, work};

linnet_status ln_ac_of_model(ln_job *job, const ln_model *model) {
    return ln_linear_command_on(&itself, job, model);
}

static linnet_status ac_command(const ln_command *command, int argc, char **argv) {
    return ln_linear_command_run(&itself, command, argc, argv);
}

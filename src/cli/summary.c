/* SPDX-License-Identifier: MIT */
/* The summary of a run: one subject a line, what is zero or self-evident left out. */
#include "cli/summary.h"

#include "cli/terminal.h"
#include "model/model.h"
#include <math.h>
#include <stdio.h>

/* "1 block", "5 blocks" */
static const char *count(char buffer[48], long number, const char *noun) {
    size_t length = 0;
    while (noun[length] != '\0')
        length++;
    int y = number != 1 && noun[length - 1] == 'y';
    const char *ending = y ? "ies" : number == 1 ? "" : "s";
    snprintf(buffer, 48, "%ld %.*s%s", number, (int)(y ? length - 1 : length), noun, ending);
    return buffer;
}

static void title(const char *text) {
    fprintf(stderr, "  %-9s ", text);
}

static void print_size(const ln_simulation *simulation) {
    const ln_statistics *run = &simulation->statistics;
    char a[48], b[48], c[48], d[48];
    title("size");
    fprintf(stderr, "%s, %s; %s, %s", count(a, simulation->network->ninstances, "block"),
            count(b, simulation->network->nlinks, "link"), count(c, run->unknowns, "unknown"),
            count(d, run->states, "state"));
    if (run->nonlinear == 0)
        fputs("; linear", stderr);
    else
        fprintf(stderr, "; %s", count(a, run->nonlinear, "nonlinear block"));
    if (run->loops > 0)
        fprintf(stderr, "; %s", count(a, run->loops, "algebraic loop"));
    fputc('\n', stderr);
}

static void print_method(const ln_simulation *simulation) {
    const ln_settings *settings = &simulation->settings;
    char step[32];
    title("method");
    fprintf(stderr, "%s, %s; ", settings->method->name, simulation->method_why);
    if (settings->tolerance > 0) {
        fprintf(stderr, "adaptive step, tolerance %g", settings->tolerance);
        if (settings->step > 0)
            fprintf(stderr, ", at most %s", ln_time_text(step, settings->step, 6));
    } else {
        fprintf(stderr, "fixed step %s", ln_time_text(step, settings->step, 6));
    }
    fputc('\n', stderr);
}

static void print_steps(const ln_simulation *simulation) {
    const ln_statistics *run = &simulation->statistics;
    char a[48], b[48], c[32], d[32];
    title("time");
    fprintf(stderr, "%s to %s in %s", ln_time_text(c, simulation->settings.begin, 6),
            ln_time_text(d, run->t, 6), count(a, run->steps, "step"));
    if (simulation->settings.tolerance > 0 && run->steps > 0)
        fprintf(stderr, " of %s to %s", ln_time_text(c, run->smallest, 3),
                ln_time_text(d, run->largest, 3));
    if (run->rejected > 0)
        fprintf(stderr, ", %ld tried again shorter", run->rejected);
    if (run->breakpoints > 0)
        fprintf(stderr, ", %s", count(b, run->breakpoints, "corner"));
    if (run->events > 0)
        fprintf(stderr, ", %s", count(b, run->events, "event"));
    fputc('\n', stderr);
    if (run->ended[0] == '\0')
        return;
    title("ended");
    fprintf(stderr, "%s\n", run->ended);
}

static void print_work(const ln_simulation *simulation) {
    const ln_statistics *run = &simulation->statistics;
    char a[48], b[48], c[48];
    if (simulation->settings.integrator != NULL) {
        title("native");
        fprintf(stderr, "%s\n", simulation->settings.integrator->what);
        return;
    }
    title("work");
    if (!simulation->settings.method->implicit) {
        fprintf(stderr, "%s of the right-hand side", count(a, run->evaluations, "evaluation"));
        if (run->newton > 0)
            fprintf(stderr, ", %s", count(b, run->newton, "Newton iteration"));
    } else {
        fprintf(stderr, "%s, %s", count(a, run->newton, "Newton iteration"),
                count(b, run->factored, "factorisation"));
        if (run->refactored > 0)
            fprintf(stderr, ", %s", count(c, run->refactored, "refactorisation"));
        fprintf(stderr, ", %s", count(a, run->solved, "solution"));
        if (run->linear != LN_LINEAR_AUTO)
            fprintf(stderr, "; %s", ln_linear_kind_doc(run->linear));
    }
    fputc('\n', stderr);
}

static void print_dominants(const ln_statistics *run) {
    for (int k = 0; k < LN_DOMINANTS && run->dominant[k].share > 0; k++) {
        const ln_dominant *dominant = &run->dominant[k];
        fprintf(stderr, "%s%s (%.0f %%", k > 0 ? ", " : " of ", dominant->name,
                100 * dominant->share);
        if (dominant->rejected > 0)
            fprintf(stderr, ", %ld tried again", dominant->rejected);
        fputc(')', stderr);
    }
}

/* Why steps were not longer, the commonest cause first. */
static void print_causes(const ln_statistics *run) {
    static const char *const what[LN_CAUSES] = {"the error", "Newton's method", "events",
                                                "corners",   "delays",          "the largest step",
                                                "sources"};
    int given[LN_CAUSES] = {0}, count = 0;
    for (int most = 0;; count++) {
        most = -1;
        for (int j = 0; j < LN_CAUSES; j++)
            if (!given[j] && run->by[j] > (most < 0 ? 0 : run->by[most]))
                most = j;
        if (most < 0)
            break;
        given[most] = 1;
        if (count == 0)
            title("steps by");
        fprintf(stderr, "%s%s", count > 0 ? "; " : "", what[most]);
        if (most == LN_BY_ERROR && run->dominant[0].share > 0) {
            print_dominants(run);
            continue;
        }
        if (most == LN_BY_NEWTON && run->unsolved_at[0] != '\0')
            fprintf(stderr, " at %s", run->unsolved_at);
        fprintf(stderr, " (%.2g %%)", 100 * (double)run->by[most] / (double)run->steps);
    }
    if (count > 0)
        fputc('\n', stderr);
}

/* What is known of the error without another run. */
static void print_accuracy(const ln_statistics *run) {
    print_causes(run);
    if (run->local_error > 0) {
        title("error");
        fprintf(stderr, "about %.2g of its largest value in one step, worst in %s (sampled)\n",
                run->local_error, run->local_error_of);
    }
}

void ln_measures_print(const ln_measures *measures) {
    for (int k = 0; k < ln_measures_count(measures); k++) {
        const ln_measured *measured = ln_measures_at(measures, k);
        title(k == 0 ? "measures" : "");
        if (isnan(measured->value))
            fprintf(stderr, "%s: none\n", measured->name);
        else
            fprintf(stderr, "%s = %.9g%s%s\n", measured->name, measured->value,
                    *measured->unit != '\0' ? " " : "", measured->unit);
    }
}

void ln_summary_print(const ln_simulation *simulation, const char *output) {
    const ln_statistics *run = &simulation->statistics;
    char a[48], b[32], c[32];
    int ncolumns;
    (void)ln_recorder_columns(simulation->recorder, &ncolumns);
    fprintf(stderr, "%s\n", simulation->model->name);
    print_size(simulation);
    print_method(simulation);
    if (run->start_means != NULL && run->start_means[0] != '\0') {
        title("start");
        fprintf(stderr, "%s\n", run->start_means);
    }
    print_steps(simulation);
    print_accuracy(run);
    print_work(simulation);
    ln_measures_print(simulation->measures);
    title("elapsed");
    fprintf(stderr, "%s", ln_time_text(b, simulation->seconds, 3));
    if (run->steps > 0)
        fprintf(stderr, ", %s a step",
                ln_time_text(c, simulation->seconds / (double)run->steps, 3));
    fputc('\n', stderr);
    if (output == NULL)
        return;
    title("result");
    fprintf(stderr, "%s: %s of time", output, count(a, simulation->rows, "row"));
    fprintf(stderr, " and %s\n", count(a, ncolumns, "signal"));
}

void ln_profile_print(const ln_profile *profile) {
    double all = 0;
    char text[32];
    for (int k = 0; k < LN_PROFILE_COUNT; k++)
        all += profile->seconds[k];
    title("profile");
    fprintf(stderr, "%s in all\n", ln_time_text(text, all, 3));
    for (int k = 0; k < LN_PROFILE_COUNT; k++) {
        if (profile->entered[k] == 0 && k != LN_PART_OTHER)
            continue;
        fprintf(stderr, "  %9s %-9s %5.1f %%  %9s  ", "", ln_profile_word((ln_profile_part)k),
                100 * profile->seconds[k] / all, ln_time_text(text, profile->seconds[k], 3));
        if (k > LN_PART_METHOD || k == LN_PART_CORNER || k == LN_PART_OUTPUT)
            fprintf(stderr, "%ld times: ", profile->entered[k]);
        fprintf(stderr, "%s\n", ln_profile_doc((ln_profile_part)k));
    }
}

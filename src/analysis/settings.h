/* SPDX-License-Identifier: MIT */
/* How a model shall be run: what its <simulation> element says, what the command line or a program
 * says instead, and the rules that fill the rest (design section 3, "Defaults"). */
#ifndef LN_ANALYSIS_SETTINGS_H
#define LN_ANALYSIS_SETTINGS_H

#include "integrate/integrate.h"
#include "network/network.h"

/* Steps of a fixed length, and rows, of one run. */
static const double LN_MOST_STEPS = 1e9;

/* The method that a name which is none may have meant: another program's, or the nearest; NULL. */
const char *ln_method_meant(const char *name);

/* What is asked for beside the model. A text is an expression as in a model, "10 us"; NULL: what
 * the model says. Zero-initialise. Strings are borrowed. */
typedef struct ln_request {
    const char *method, *step, *tolerance, *duration, *start_time, *start, *interval, *points,
        *event_limit, *ticks, *newton, *events, *bypass, *threads;
    const char *start_time_option; /* how the user asks for start_time; NULL: "start-time" */
    /* put before an option's name in messages: "--" on the command line; NULL: none */
    const char *prefix;
    const ln_override *overrides; /* of parameters */
    int noverrides;
    const char *const *measures; /* beside those of the model: "t_rise=rise-time(out)" */
    int nmeasures;
    const linnet_block_class *const *natives; /* types of the program's own */
    int nnatives;
    int at_rest; /* 1: an operating point for its own sake, where the model's <at-rest> hold */
    ln_linear_kind linear;
    ln_catalogue *catalogue; /* types to be used and kept, natives with them; NULL: new ones */
} ln_request;

/* Fills *settings for this network; *why (static text) says who chose the method. A step or
 * tolerance in the request replaces both of the model: how to step is one decision. All errors are
 * reported; LINNET_USAGE when the request is to blame, LINNET_MODEL when the model is. */
linnet_status ln_settings_make(const ln_network *network, const ln_request *request,
                               ln_report *report, ln_settings *settings, const char **why);

/* A positive time given as the option `name` ("every"), an expression as in the model.
 * LINNET_USAGE, reported. */
linnet_status ln_settings_time(const ln_network *network, const ln_request *request,
                               const char *name, const char *text, ln_report *report, double *time);

#endif

/* SPDX-License-Identifier: MIT */
/* Cards that say how to run: .tran becomes <simulation>, .ic <start> or values of capacitors;
 * .options. Those of the other analyses, and of what is kept, are kept for analysis.c, record.c and
 * measure.c. */
#include "base/domain.h"
#include "spice/deck.h"

#include <math.h>
#include <string.h>

static void set_temperature(ln_cursor *cursor, double *temperature) {
    const ln_spice_word *written = ln_peek(cursor);
    if (ln_take_value(cursor, "a temperature in degC", temperature) && *temperature > 1000)
        ln_warn(cursor->spice->report, cursor->card->place,
                ".temp: '%.60s' is %g degC; K is kilo there, and kelvins are not understood",
                written->text, *temperature);
    if (ln_peek(cursor) != NULL)
        ln_warn(cursor->spice->report, cursor->card->place,
                ".temp: the first temperature is taken, %g; `linnet sweep --vary temp=...` runs "
                "the deck for others",
                *temperature);
}

/* ---- .options ---- */

/* Options that speak of how ngspice computes or prints, and have no equal here. */
static const char *const idle[] = {
    "noacct", "acct", "list", "nomod", "nopage", "node", "opts", "noopiter", "itl1", "itl2", "itl3",
    "itl4", "itl5", "itl6", "chgtol", "trtol", "pivtol", "pivrel", "gminsteps", "srcsteps",
    "numdgt", "limpts", "lvltim", "cptime", "limtim", "maxord", "ramptime", "trytocompact",
    "badmos3", "klu", "sparse", "interp", "noinit", "rshunt_off", "post", "probe", "savecurrents",
    "out", "outwidth", "trace", "nobypass", "nolubypass", "noincmode", "dampstrategy",
    "trsteporder", "namednodes", "warn", "maxwarns", "seed", "seedinfo", "brief", "ingold", "width",
    "autostop", "xmu", "nofreqopcheck", "keepopinfo", "plotwinsize", "nomarch", "fastaccess",
    "measdgt", "accurate", "unwrap", "cshunt_off", "bypass", "convergence", "newtol", "dcap",
    "baudrate", "minbreak", "topologycheck", "ptrantau", "thermo",
    /* Xyce's groups of options */
    "timeint", "device", "nonlin", "nonlin-tran", "linsol", "linsol-ac", "output", "parser",
    "diagnostic", "measure", NULL};

static int is_idle_option(const char *name) {
    size_t k = 0;
    while (idle[k] != NULL && strcmp(idle[k], name) != 0)
        k++;
    return idle[k] != NULL;
}

static void set_method(ln_cursor *cursor) {
    ln_spice *spice = cursor->spice;
    const char *method = ln_take_name(cursor, "a method");
    if (method == NULL)
        return;
    if (strncmp(method, "trap", 4) == 0)
        spice->settings.method = "tr-bdf2";
    else if (strcmp(method, "gear") == 0 || strcmp(method, "bdf2") == 0)
        spice->settings.method = "bdf2";
    else if (strcmp(method, "euler") == 0)
        spice->settings.method = "backward-euler";
    else if (method[0] < '0' || method[0] > '9') /* numbers are Xyce's */
        ln_card_error(cursor, "method=%s is not known; ngspice has trap and gear", method);
}

static void option(ln_cursor *cursor, const char *name, int pair) {
    ln_spice *spice = cursor->spice;
    double value = 1;
    if (is_idle_option(name)) {
        if (pair)
            cursor->at++;
        ln_note(spice->report, cursor->card->place,
                ".options: '%s' has no meaning here: it concerns how another simulator computes or "
                "prints",
                name);
        return;
    }
    if (strcmp(name, "method") == 0 && pair) {
        set_method(cursor);
        return;
    }
    if (pair && !ln_take_value(cursor, name, &value))
        return;
    if (strcmp(name, "reltol") == 0) {
        if (value > 0 && value < 1)
            spice->settings.reltol = value;
        else
            ln_card_error(cursor, "reltol=%g must be above 0 and below 1", value);
    } else if (strcmp(name, "vntol") == 0 || strcmp(name, "abstol") == 0) {
        spice->settings.tolerances = cursor->card->place;
        if (value > 0)
            *(name[0] == 'v' ? &spice->settings.vntol : &spice->settings.abstol) = value;
        else
            ln_card_error(cursor, "%s=%g must be above 0", name, value);
    } else if (strcmp(name, "temp") == 0)
        spice->settings.temperature = value;
    else if (strcmp(name, "tnom") == 0)
        spice->settings.nominal = value;
    else if (strcmp(name, "gmin") == 0)
        spice->settings.gmin = value;
    else if (strcmp(name, "scale") == 0)
        spice->settings.scale = value;
    else {
        size_t count = 0;
        while (idle[count] != NULL)
            count++;
        const char *nearest = ln_nearest(name, idle, count);
        ln_warn(spice->report, cursor->card->place,
                ".options: '%s' is not known and has no effect%s%s%s", name,
                nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                nearest != NULL ? "'?" : "");
    }
}

static int is_word(const ln_cursor *cursor, const char *word) {
    return ln_peek_is(cursor, 'w') && strcmp(ln_peek(cursor)->text, word) == 0;
}

/* Xyce's options go by packages: ".options linsol type=klu". Most concern how Xyce computes; those
 * of timeint and device have names that are read here, too. */
static int is_package(ln_cursor *cursor) {
    static const char *const packages[] = {
        "linsol",   "linsol-ac",   "linsol-hb", "nonlin",      "nonlin-tran", "parser", "output",
        "topology", "conductance", "dist",      "sensitivity", "restart",     "hbint",  "loca"};
    if ((is_word(cursor, "timeint") || is_word(cursor, "device")) && !ln_peek_pair(cursor))
        cursor->at++;
    for (size_t k = 0; k < sizeof packages / sizeof *packages; k++)
        if (is_word(cursor, packages[k]) && !ln_peek_pair(cursor))
            return 1;
    return 0;
}

static void options(ln_cursor *cursor) {
    if (is_package(cursor)) {
        ln_note(cursor->spice->report, cursor->card->place,
                ".options %s has no meaning here: it concerns how Xyce computes or prints",
                ln_peek(cursor)->text);
        return;
    }
    while (ln_peek_is(cursor, 'w')) {
        const int pair = ln_peek_pair(cursor);
        const char *name = ln_take_name(cursor, "an option");
        if (pair)
            cursor->at++;
        option(cursor, name, pair);
    }
    ln_expect_end(cursor);
}

/* ---- .tran ---- */

/* .tran tstep tstop [tstart [tmax]] [uic], or .tran tstop. A tstep of zero leaves the step to the
 * simulator, unless a third value follows that can only be gnucap's tstep: 0 tstop tstep. */
static void tran(ln_cursor *cursor) {
    ln_spice *spice = cursor->spice;
    if (spice->settings.tran != NULL) {
        (void)ln_keep_first(cursor, &spice->settings.tran);
        return;
    }
    double *const values[] = {&spice->settings.tran_step, &spice->settings.tran_stop,
                              &spice->settings.tran_start, &spice->settings.tran_max};
    int values_given = 0;
    spice->settings.tran = cursor->card;
    spice->settings.tran_step = spice->settings.tran_stop = 0;
    for (int k = 0;
         k < 4 && ln_peek(cursor) != NULL && !is_word(cursor, "uic") && !is_word(cursor, "trace") &&
         !is_word(cursor, "startup") && !is_word(cursor, "steady") && !is_word(cursor, "nodiscard");
         k++) {
        /* HSPICE's word for tstart */
        if (is_word(cursor, "start") && ln_peek_pair(cursor))
            cursor->at += 2, k = 2;
        if (!ln_take_value(cursor, "a time", values[k]))
            return;
        values_given = k + 1;
    }
    if (is_word(cursor, "uic"))
        spice->settings.uic = 1, cursor->at++;
    if (is_word(cursor, "trace"))
        cursor->at += 2; /* what gnucap shows */
    while (is_word(cursor, "startup") || is_word(cursor, "steady") ||
           is_word(cursor, "nodiscard")) {
        spice->settings.startup |= is_word(cursor, "startup");
        if (is_word(cursor, "steady"))
            ln_card_error(cursor, "steady (stop as soon as all is periodic, which LTspice's own "
                                  "models of converters tell) is not supported; give tstop");
        cursor->at++;
    }
    ln_expect_end(cursor);
    if (spice->settings.tran_step == 0 && spice->settings.tran_start > 0) {
        spice->settings.tran_step = spice->settings.tran_start;
        spice->settings.tran_start = 0;
    }
    if (values_given == 1) { /* LTspice: .tran tstop */
        spice->settings.tran_stop = spice->settings.tran_step;
        spice->settings.tran_step = 0;
    }
    if (spice->settings.tran_step < 0)
        ln_card_error(cursor, "tstep must not be negative");
    if (!(spice->settings.tran_stop > 0))
        ln_card_error(cursor, "tstop must be above 0; write .tran tstep tstop");
    if (spice->settings.tran_step == 0) /* LTspice and Xyce: what suits the run */
        spice->settings.tran_step = spice->settings.tran_stop / 50;
    if (spice->settings.tran_start < 0 || spice->settings.tran_start >= spice->settings.tran_stop)
        ln_card_error(cursor, "tstart must be from 0 to below tstop");
    if (spice->settings.tran_max < 0)
        ln_card_error(cursor, "tmax must not be negative");
}

/* .options vntol and abstol: what is allowed beside reltol |x|. A model says it for a relative
 * tolerance of 1e-4. To ngspice they say where Newton's iteration may end, and decks have them very
 * small; that is met anyway, for it goes on to 1e-8 of what is usual here for errors of steps,
 * which could not be kept as small. */
static void absolute(ln_spice *spice, const char *unit, double allowed, double usual) {
    const double absolute = allowed * 1e-4 / spice->settings.reltol;
    if (allowed > 0 && absolute <= usual)
        ln_note(spice->report, spice->settings.tolerances,
                ".options: an absolute tolerance of %g %s is met anyway", allowed, unit);
    if (absolute <= usual)
        return;
    ln_element *e = ln_emit(spice, "tolerance", spice->settings.tolerances, 2);
    ln_emit_text(spice, e, "unit", unit);
    ln_emit_number(spice, e, "absolute", absolute);
}

void ln_spice_simulation(ln_spice *spice) {
    const ln_domain_info *usual = ln_domain(LINNET_ELECTRICAL);
    absolute(spice, "V", spice->settings.vntol, usual->potential_abstol);
    absolute(spice, "A", spice->settings.abstol, usual->flux_abstol);
    if (spice->settings.tran == NULL)
        return;
    const double span = spice->settings.tran_stop - spice->settings.tran_start;
    /* ngspice's largest step where none is given: the smaller of tstep and a fiftieth of what is
     * shown */
    const double step = spice->settings.tran_max > 0 ? spice->settings.tran_max
                                                     : fmin(spice->settings.tran_step, span / 50);
    ln_element *e = ln_emit(spice, "simulation", spice->settings.tran->place, 6);
    ln_emit_number(spice, e, "duration", spice->settings.tran_stop);
    ln_emit_number(spice, e, "step", step);
    ln_emit_number(spice, e, "tolerance", spice->settings.reltol);
    if (spice->settings.method != NULL)
        ln_emit_text(spice, e, "method", spice->settings.method);
    if (!spice->settings.uic)
        ln_emit_text(spice, e, "start", "operating-point");
    if (spice->settings.tran_start > 0)
        ln_emit_number(spice, e, "record-from", spice->settings.tran_start);
}

/* ---- .ic and .nodeset ---- */

/* v(node)=value ... */
static void initial(ln_cursor *cursor, int is_guess) {
    ln_spice *spice = cursor->spice;
    const ln_inside top = {.circuit = &spice->deck, .scope = &spice->global, .prefix = "", .m = 1};
    while (ln_peek(cursor) != NULL) {
        const char *v = ln_take_name(cursor, "v(node)=value"), *node = NULL;
        double value;
        int fine = v != NULL && strcmp(v, "v") == 0 && ln_skip(cursor, '(') &&
                   (node = ln_take_name(cursor, "a node")) != NULL && ln_skip(cursor, ')') &&
                   ln_skip(cursor, '=');
        if (!fine) {
            ln_card_error(cursor, "write v(node)=value");
            return;
        }
        spice->global.params = spice->deck.params;
        if (!ln_take_value(cursor, "a voltage", &value))
            return;
        ln_initial start = {ln_node_of(spice, &top, node), value, cursor->card->place};
        if (is_guess)
            LN_SPICE_ADD(spice, spice->settings.guesses, start);
        else
            LN_SPICE_ADD(spice, spice->settings.initial, start);
    }
}

/* ---- the way in ---- */

/* ".options" and any beginning of it from ".opt" on, as ngspice takes it. */
static int is_options(const char *word) {
    const size_t length = strlen(word);
    return length >= strlen(".opt") && strncmp(word, ".options", length) == 0;
}

/* Cards about titles, listings and counters of SPICE and gnucap: nothing of the circuit follows
 * from them. */
static int is_idle(const char *word) {
    static const char *const idle_cards[] = {".title",   ".width",    ".list",      ".stat",
                                             ".status",  ".alarm",    ".store",     ".fanout",
                                             ".csparam", ".backanno", ".preprocess"};
    for (size_t k = 0; k < sizeof idle_cards / sizeof *idle_cards; k++)
        if (strcmp(idle_cards[k], word) == 0)
            return 1;
    return 0;
}

/* .meas tran name ...: the name is known from here on. */
static void take_measure(ln_cursor *cursor) {
    ln_spice *spice = cursor->spice;
    LN_SPICE_ADD(spice, spice->asked.measuring, cursor->card);
    if (cursor->count > 2 && cursor->words[2].kind == 'w')
        LN_SPICE_ADD(spice, spice->asked.measures, cursor->words[2].text);
}

int ln_spice_control(ln_cursor *cursor, const char *word) {
    ln_spice *spice = cursor->spice;
    cursor->name = word;
    if (strcmp(word, ".tran") == 0)
        LN_SPICE_ADD(spice, spice->settings.early, cursor->card);
    else if (is_options(word) || strcmp(word, ".temp") == 0 || strcmp(word, ".ic") == 0 ||
             strcmp(word, ".nodeset") == 0)
        LN_SPICE_ADD(spice, spice->settings.early, cursor->card);
    else if (strcmp(word, ".save") == 0 || strcmp(word, ".print") == 0 ||
             strcmp(word, ".plot") == 0 || strcmp(word, ".probe") == 0)
        LN_SPICE_ADD(spice, spice->asked.saves,
                     (ln_save){.card = cursor->card, .skip = 1, .named = 1});
    else if (ln_analysis_card(cursor, word))
        return 1;
    else if (is_idle(word))
        return 1;
    else if (strcmp(word, ".meas") == 0 || strcmp(word, ".measure") == 0)
        take_measure(cursor);
    else if (strcmp(word, ".control") == 0)
        spice->script.within = 1;
    else {
        static const char *const known[] = {
            ".tran",  ".options", ".temp",    ".ic",  ".nodeset", ".save",   ".print", ".plot",
            ".probe", ".op",      ".ac",      ".dc",  ".model",   ".subckt", ".ends",  ".param",
            ".func",  ".global",  ".include", ".lib", ".title",   ".end"};
        const char *nearest = ln_nearest(word, known, sizeof known / sizeof *known);
        ln_card_error(cursor, "this card is not supported%s%s%s",
                      nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                      nearest != NULL ? "'?" : "");
    }
    return 1;
}

void ln_spice_settings(ln_spice *spice) {
    for (size_t k = 0; k < spice->asked.analyses.count; k++)
        if (spice->asked.analyses.items[k].emit == ln_step_sweep)
            ln_step_parameter(spice, spice->asked.analyses.items[k].card);
    for (size_t k = 0; k < spice->settings.early.count; k++) {
        ln_cursor cursor = ln_card_words(spice, NULL, spice->settings.early.items[k]);
        if (cursor.words == NULL)
            return;
        const char *word = cursor.name = ln_take_name(&cursor, "a card");
        /* of a script */
        if (*word != '.')
            cursor.name = word = ln_spice_text(spice, ".%s", word);
        if (strcmp(word, ".option") == 0)
            word = ".options";
        if (strcmp(word, ".tran") == 0)
            tran(&cursor);
        else if (strcmp(word, ".temp") == 0)
            set_temperature(&cursor, &spice->settings.temperature);
        else if (strcmp(word, ".ic") == 0 || strcmp(word, ".nodeset") == 0)
            initial(&cursor, word[1] == 'n');
        else
            options(&cursor);
    }
}

/* SPDX-License-Identifier: MIT */
/* Cards that say how to run: .tran, .options, .temp, .ic and .nodeset.
 *
 * They are kept as they are met and read before the first element is made, for values of elements
 * depend on them (temperature, gmin, the end of the run). .tran becomes <simulation>; .ic and
 * .nodeset become <start> elements (record.c) or, with UIC, start values of capacitors
 * (passive.c). Cards of other analyses and of results are passed on to analysis.c, record.c and
 * measure.c. */
#include "base/domain.h"
#include "base/words.h"
#include "spice/deck.h"

#include <math.h>
#include <string.h>

/* ---- .temp ---- */

static void temperature(ln_cursor *cursor) {
    double *degrees = &cursor->spice->settings.temperature;
    const ln_spice_word *written = ln_peek(cursor);
    if (ln_take_value(cursor, "a temperature in degC", degrees) && *degrees > 1000)
        ln_warn(cursor->spice->report, cursor->card->place,
                ".temp: '%.60s' is %g degC; K is kilo there, and kelvins are not understood",
                written->text, *degrees);
    if (ln_peek(cursor) != NULL)
        ln_warn(cursor->spice->report, cursor->card->place,
                ".temp: the first temperature is taken, %g; `linnet sweep --vary temp=...` runs "
                "the deck for others",
                *degrees);
}

/* ---- .options ---- */

/* Options that concern how another simulator computes or prints: they have no counterpart here. */
static const char *const idle_options[] = {
    "noacct", "acct", "list", "nomod", "nopage", "node", "opts", "noopiter", "itl1", "itl2", "itl3",
    "itl4", "itl5", "itl6", "chgtol", "pivtol", "pivrel", "gminsteps", "srcsteps", "numdgt",
    "limpts", "lvltim", "cptime", "limtim", "maxord", "ramptime", "trytocompact", "badmos3", "klu",
    "sparse", "interp", "noinit", "rshunt_off", "post", "probe", "savecurrents", "out", "outwidth",
    "trace", "nobypass", "nolubypass", "noincmode", "dampstrategy", "trsteporder", "namednodes",
    "warn", "maxwarns", "seed", "seedinfo", "brief", "ingold", "width", "autostop", "xmu",
    "nofreqopcheck", "keepopinfo", "plotwinsize", "nomarch", "fastaccess", "measdgt", "accurate",
    "unwrap", "cshunt_off", "bypass", "convergence", "newtol", "dcap", "baudrate", "minbreak",
    "topologycheck", "ptrantau", "thermo",
    /* Xyce's groups of options */
    "timeint", "device", "nonlin", "nonlin-tran", "linsol", "linsol-ac", "output", "parser",
    "diagnostic", "measure"};

/* ngspice integrates by the trapezoidal rule or by Gear's method of order 2 (ngspice manual,
 * "Transient analysis options"). TR-BDF2 stands for the first: its order is the same, and it does
 * not ring. */
static void set_method(ln_cursor *cursor) {
    ln_deck_settings *settings = &cursor->spice->settings;
    const char *method = ln_take_name(cursor, "a method");
    if (method == NULL)
        return;
    if (strncmp(method, "trap", 4) == 0)
        settings->method = "tr-bdf2";
    else if (strcmp(method, "gear") == 0 || strcmp(method, "bdf2") == 0)
        settings->method = "bdf2";
    else if (strcmp(method, "euler") == 0)
        settings->method = "backward-euler";
    else if (method[0] < '0' || method[0] > '9') /* Xyce's methods are numbers */
        ln_card_error(cursor, "method=%s is not known; ngspice has trap and gear", method);
}

/* Options that are numbers, and which numbers they may be. */
typedef struct number_option {
    const char *name;
    size_t member;                                     /* of ln_deck_settings, a double */
    enum { ANY, POSITIVE, TOLERANCE, FRACTION } range; /* TOLERANCE: positive, too */
} number_option;

static const number_option number_options[] = {
    {"reltol", offsetof(ln_deck_settings, reltol), FRACTION},
    {"trtol", offsetof(ln_deck_settings, trtol), POSITIVE},
    {"vntol", offsetof(ln_deck_settings, vntol), TOLERANCE},
    {"abstol", offsetof(ln_deck_settings, abstol), TOLERANCE},
    {"temp", offsetof(ln_deck_settings, temperature), ANY},
    {"tnom", offsetof(ln_deck_settings, nominal), ANY},
    {"gmin", offsetof(ln_deck_settings, gmin), ANY},
    {"scale", offsetof(ln_deck_settings, scale), ANY}};

/* Reports a number that is out of its range, and keeps the one before. */
static void set_number(ln_cursor *cursor, const number_option *option, double value) {
    ln_deck_settings *settings = &cursor->spice->settings;
    const int positive = option->range == POSITIVE || option->range == TOLERANCE;
    if (option->range == TOLERANCE)
        settings->tolerances = cursor->card->place;
    if (positive && !(value > 0))
        ln_card_error(cursor, "%s=%g must be above 0", option->name, value);
    else if (option->range == FRACTION && !(value > 0 && value < 1))
        ln_card_error(cursor, "%s=%g must be above 0 and below 1", option->name, value);
    else
        *(double *)(void *)((char *)settings + option->member) = value;
}

/* A warning only: ngspice passes over what it does not know, too. */
static void unknown_option(const ln_cursor *cursor, const char *name) {
    const char *nearest =
        ln_nearest(name, idle_options, sizeof idle_options / sizeof *idle_options);
    ln_warn(cursor->spice->report, cursor->card->place,
            ".options: '%s' is not known and has no effect%s%s%s", name,
            nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
            nearest != NULL ? "'?" : "");
}

/* name or name=value; a name alone counts as 1. */
static void option(ln_cursor *cursor) {
    const int is_pair = ln_peek_pair(cursor);
    const char *name = ln_take_name(cursor, "an option");
    double value = 1;
    if (is_pair)
        cursor->at++; /* '=' */
    if (LN_IS_AMONG(idle_options, name)) {
        if (is_pair)
            cursor->at++;
        ln_note(cursor->spice->report, cursor->card->place,
                ".options: '%s' has no meaning here: it concerns how another simulator computes or "
                "prints",
                name);
    } else if (is_pair && strcmp(name, "method") == 0) {
        set_method(cursor);
    } else if (!is_pair || ln_take_value(cursor, name, &value)) {
        const number_option *known = LN_ROW(number_options, name);
        if (known != NULL)
            set_number(cursor, known, value);
        else
            unknown_option(cursor, name);
    }
}

/* Xyce's options go by packages: ".options linsol type=klu". Most concern how Xyce computes; those
 * of timeint and device have names that are read here, too. */
static int is_package(ln_cursor *cursor) {
    static const char *const packages[] = {
        "linsol",   "linsol-ac",   "linsol-hb", "nonlin",      "nonlin-tran", "parser", "output",
        "topology", "conductance", "dist",      "sensitivity", "restart",     "hbint",  "loca"};
    if (!ln_peek_pair(cursor))
        (void)(ln_take_word(cursor, "timeint") || ln_take_word(cursor, "device"));
    return ln_peek_is(cursor, 'w') && !ln_peek_pair(cursor) &&
           LN_IS_AMONG(packages, ln_peek(cursor)->text);
}

static void options(ln_cursor *cursor) {
    if (is_package(cursor)) {
        ln_note(cursor->spice->report, cursor->card->place,
                ".options %s has no meaning here: it concerns how Xyce computes or prints",
                ln_peek(cursor)->text);
        return;
    }
    while (ln_peek_is(cursor, 'w'))
        option(cursor);
    ln_expect_end(cursor);
}

/* ---- .tran ---- */

static const char *const run_flags[] = {"uic", "trace", "startup", "steady", "nodiscard"};

/* tstep tstop [tstart [tmax]], in seconds; returns how many are given, -1: reported. */
static int take_times(ln_cursor *cursor) {
    ln_deck_settings *settings = &cursor->spice->settings;
    double *const values[] = {&settings->tran_step, &settings->tran_stop, &settings->tran_start,
                              &settings->tran_max};
    int given = 0;
    while (given < 4 && ln_peek(cursor) != NULL &&
           !(ln_peek_is(cursor, 'w') && LN_IS_AMONG(run_flags, ln_peek(cursor)->text))) {
        if (ln_peek_pair(cursor) && ln_take_word(cursor, "start")) {
            cursor->at++; /* HSPICE: start=tstart */
            given = 2;
        }
        if (!ln_take_value(cursor, "a time", values[given]))
            return -1;
        given++;
    }
    return given;
}

/* UIC of SPICE, trace of gnucap (with what it shows), the others of LTspice. */
static void take_flags(ln_cursor *cursor) {
    ln_deck_settings *settings = &cursor->spice->settings;
    if (ln_take_word(cursor, "uic"))
        settings->uic = 1;
    if (ln_take_word(cursor, "trace"))
        cursor->at++;
    for (;;) {
        if (ln_take_word(cursor, "startup"))
            settings->startup = 1;
        else if (ln_take_word(cursor, "steady"))
            ln_card_error(cursor, "steady (stop as soon as all is periodic, which LTspice's own "
                                  "models of converters tell) is not supported; give tstop");
        else if (!ln_take_word(cursor, "nodiscard"))
            return;
    }
}

/* The dialects: gnucap's 0 tstop tstep, LTspice's tstop alone; where no step is said, a fiftieth of
 * the run, as LTspice and Xyce choose one. */
static void complete_times(ln_deck_settings *settings, int given) {
    if (settings->tran_step == 0 && settings->tran_start > 0) {
        settings->tran_step = settings->tran_start;
        settings->tran_start = 0;
    }
    if (given == 1) {
        settings->tran_stop = settings->tran_step;
        settings->tran_step = 0;
    }
}

/* .tran tstep tstop [tstart [tmax]] [uic], or .tran tstop. */
static void tran(ln_cursor *cursor) {
    ln_deck_settings *settings = &cursor->spice->settings;
    if (settings->tran != NULL) {
        (void)ln_keep_first(cursor, &settings->tran);
        return;
    }
    settings->tran = cursor->card;
    settings->tran_step = settings->tran_stop = 0;
    const int given = take_times(cursor);
    if (given < 0)
        return;
    take_flags(cursor);
    ln_expect_end(cursor);
    complete_times(settings, given);
    if (settings->tran_step < 0)
        ln_card_error(cursor, "tstep must not be negative");
    if (!(settings->tran_stop > 0))
        ln_card_error(cursor, "tstop must be above 0; write .tran tstep tstop");
    if (settings->tran_step == 0)
        settings->tran_step = settings->tran_stop / 50;
    if (settings->tran_start < 0 || settings->tran_start >= settings->tran_stop)
        ln_card_error(cursor, "tstart must be from 0 to below tstop");
    if (settings->tran_max < 0)
        ln_card_error(cursor, "tmax must not be negative");
}

/* .options vntol and abstol allow an error beside reltol |x|. A model states its absolute tolerance
 * for a relative one of 1e-4, so the number is scaled by 1e-4/reltol. In ngspice the two end
 * Newton's iteration, and decks set them very small. Newton's iteration meets such values here
 * anyway: it ends at 1e-8 of the usual error of a step. Errors of steps cannot be kept that small,
 * so a value below the usual one is told and left out. */
static void absolute(ln_spice *spice, const char *unit, double allowed, double usual) {
    const double absolute = allowed * 1e-4 / spice->settings.reltol;
    if (allowed > 0 && absolute <= usual)
        ln_note(spice->report, spice->settings.tolerances,
                ".options: an absolute tolerance of %g %s is met anyway", allowed, unit);
    if (absolute <= usual)
        return;
    ln_element *e = ln_emit(spice, "tolerance", spice->settings.tolerances);
    ln_emit_text(spice, e, "unit", unit);
    ln_emit_number(spice, e, "absolute", absolute);
}

/* SPICE holds the error of a step, by its estimate, to trtol times reltol: reltol ends Newton's
 * iteration (L. Nagel, SPICE2, 1975, 4.3; ngspice manual, "Transient analysis options"). A trtol by
 * which decks switch that off leaves the loosest tolerance that still is one. */
static double error_of_step(const ln_deck_settings *settings) {
    static const double LOOSEST = 0.1;
    return fmin(settings->trtol * settings->reltol, fmax(LOOSEST, settings->reltol));
}

int ln_start_acts(const ln_cursor *cursor, double value) {
    ln_deck_settings *settings = &cursor->spice->settings;
    if (!settings->uic && value != 0 && settings->idle_start.line == 0)
        settings->idle_start = cursor->card->place;
    return settings->uic;
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
    ln_element *e = ln_emit(spice, "simulation", spice->settings.tran->place);
    ln_emit_number(spice, e, "duration", spice->settings.tran_stop);
    ln_emit_number(spice, e, "step", step);
    ln_emit_number(spice, e, "tolerance", error_of_step(&spice->settings));
    if (spice->settings.method != NULL)
        ln_emit_text(spice, e, "method", spice->settings.method);
    if (!spice->settings.uic)
        ln_emit_text(spice, e, "start", "operating-point");
    if (spice->settings.idle_start.line > 0)
        ln_note(spice->report, spice->settings.idle_start,
                "ic= has no effect without UIC on the .tran card: the run starts at the operating "
                "point; .ic v(node)=value holds a node there");
    if (spice->settings.tran_start > 0)
        ln_emit_number(spice, e, "record-from", spice->settings.tran_start);
}

/* ---- .ic and .nodeset ---- */

/* v(node)=value; 0 reported. */
static int take_initial(ln_cursor *cursor, ln_initial *start) {
    ln_spice *spice = cursor->spice;
    const ln_inside top = {.circuit = &spice->deck, .scope = &spice->global, .prefix = "", .m = 1};
    const ln_inside *inside = cursor->inside != NULL ? cursor->inside : &top;
    const char *v = ln_take_name(cursor, "v(node)=value"), *node = NULL;
    const int fine = v != NULL && strcmp(v, "v") == 0 && ln_skip(cursor, '(') &&
                     (node = ln_take_name(cursor, "a node")) != NULL && ln_skip(cursor, ')') &&
                     ln_skip(cursor, '=');
    if (!fine) {
        ln_card_error(cursor, "write v(node)=value");
        return 0;
    }
    spice->global.params = spice->deck.params;
    start->place = cursor->card->place;
    if (!ln_take_value(cursor, "a voltage", &start->value))
        return 0;
    start->node = ln_node_of(spice, inside, node);
    return 1;
}

int ln_is_start_card(const char *word) {
    return strcmp(word, ".ic") == 0 || strcmp(word, ".nodeset") == 0;
}

static void initial(ln_cursor *cursor) {
    ln_initial start;
    while (ln_peek(cursor) != NULL && take_initial(cursor, &start))
        LN_SPICE_ADD(cursor->spice, cursor->spice->settings.initial, start);
}

static void guess(ln_cursor *cursor) {
    ln_initial start;
    while (ln_peek(cursor) != NULL && take_initial(cursor, &start))
        LN_SPICE_ADD(cursor->spice, cursor->spice->settings.guesses, start);
}

/* ---- the way in ---- */

/* Cards about titles, listings and counters of SPICE and gnucap: nothing of the circuit follows
 * from them. */
int ln_is_idle_card(const char *word) {
    static const char *const idle_cards[] = {".title",   ".width",    ".list",      ".stat",
                                             ".status",  ".alarm",    ".store",     ".fanout",
                                             ".csparam", ".backanno", ".preprocess"};
    return LN_IS_AMONG(idle_cards, word);
}

/* .save, .print, .plot, .probe: for record.c. */
static void keep_save(ln_cursor *cursor) {
    LN_SPICE_ADD(cursor->spice, cursor->spice->asked.saves,
                 (ln_save){.card = cursor->card, .skip = 1, .named = 1});
}

/* .meas tran name ...: for measure.c. Its name is known from here on. */
static void keep_measure(ln_cursor *cursor) {
    ln_spice_request *asked = &cursor->spice->asked;
    LN_SPICE_ADD(cursor->spice, asked->measuring, cursor->card);
    if (cursor->count > 2 && cursor->words[2].kind == 'w' &&
        ln_map_put(asked->measures, cursor->words[2].text, 0) < 0)
        (void)ln_spice_no_memory(cursor->spice);
}

static void begin_script(ln_cursor *cursor) {
    cursor->spice->script.within = 1;
}

typedef struct card_row {
    const char *word;
    void (*take)(ln_cursor *cursor);
} card_row;

/* Cards that are kept for other files of the room. */
static const card_row kept_cards[] = {{".save", keep_save},      {".print", keep_save},
                                      {".plot", keep_save},      {".probe", keep_save},
                                      {".meas", keep_measure},   {".measure", keep_measure},
                                      {".control", begin_script}};

/* Settings, which are read before the elements; .options beside them, for it may be shortened. */
static const card_row settings_cards[] = {
    {".tran", tran}, {".temp", temperature}, {".ic", initial}, {".nodeset", guess}};

void ln_take_starts(ln_cursor *cursor) {
    const card_row *card = LN_ROW(settings_cards, cursor->words[0].text);
    card->take(cursor);
}

/* ".options" and any beginning of it from ".opt" on, as ngspice takes it. */
static int is_options(const char *word) {
    const size_t length = strlen(word);
    return length >= strlen(".opt") && strncmp(word, ".options", length) == 0;
}

static void unknown_card(const ln_cursor *cursor, const char *word) {
    if (strcmp(word, ".wave") == 0) {
        ln_warn(cursor->spice->report, cursor->card->place,
                ".wave: no sound is written; -o FILE writes the signals as numbers");
        return;
    }
    static const char *const known[] = {
        ".tran",  ".options", ".temp",    ".ic",  ".nodeset", ".save",   ".print", ".plot",
        ".probe", ".op",      ".ac",      ".dc",  ".model",   ".subckt", ".ends",  ".param",
        ".func",  ".global",  ".include", ".lib", ".title",   ".end"};
    const char *nearest = ln_nearest(word, known, sizeof known / sizeof *known);
    ln_card_error(cursor, "this card is not supported%s%s%s",
                  nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                  nearest != NULL ? "'?" : "");
}

void ln_spice_control(ln_cursor *cursor, const char *word) {
    ln_spice *spice = cursor->spice;
    cursor->name = word;
    const card_row *kept = LN_ROW(kept_cards, word);
    if (kept != NULL)
        kept->take(cursor);
    else if (is_options(word) || LN_ROW(settings_cards, word) != NULL)
        LN_SPICE_ADD(spice, spice->settings.early, cursor->card);
    else if (!ln_analysis_card(cursor, word) && !ln_is_idle_card(word))
        unknown_card(cursor, word);
}

void ln_spice_settings(ln_spice *spice) {
    for (size_t k = 0; k < spice->asked.analyses.count; k++)
        if (spice->asked.analyses.items[k].emit == ln_step_sweep)
            ln_step_parameter(spice, spice->asked.analyses.items[k].card);
    for (size_t k = 0; k < spice->settings.early.count; k++) {
        ln_cursor cursor = ln_card_words(spice, NULL, spice->settings.early.items[k]);
        if (cursor.words == NULL)
            return;
        cursor.name = ln_take_name(&cursor, "a card");
        if (*cursor.name != '.') /* a command of a script */
            cursor.name = ln_spice_text(spice, ".%s", cursor.name);
        const card_row *card = LN_ROW(settings_cards, cursor.name);
        (card != NULL ? card->take : options)(&cursor);
    }
}

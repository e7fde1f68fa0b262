/* SPDX-License-Identifier: MIT */
/* Three ways to write an operating point down. Columns come sorted: links, then quantities by
 * owner. */
#include "cli/point_text.h"

#include "cli/point_table.h"
#include "cli/terminal.h"
#include "model/model.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The name of a column within its owner: "R1.i" -> "i". */
static const char *short_name(const ln_operating *op, int k) {
    const char *name = op->columns[k].name;
    return op->owner[k] < 0
               ? name
               : name + strlen(op->simulation.network->instances[op->owner[k]].name) + 1;
}

/* ---- text ---- */

static void put_value(const ln_operating *op, int k, size_t width, ln_text *text) {
    ln_text_printf(text, "  %-*s  %.9g%s%s\n", (int)width, short_name(op, k), op->values[k],
                   *op->columns[k].unit != '\0' ? " " : "", op->columns[k].unit);
}

static size_t width_of(const ln_operating *op, int owner, int first) {
    size_t width = 0;
    for (int k = first; k < op->ncolumns && (owner < 0 || op->owner[k] == owner); k++) {
        if (owner < 0 && k >= op->nlinks)
            continue;
        size_t length = strlen(short_name(op, k));
        if (length > width)
            width = length;
    }
    return width;
}

static const char *owner_name(const ln_start_note *note) {
    return note->block != NULL ? note->block->name : note->link->name;
}

static void put_note(const ln_start_note *note, const char *what, ln_text *text) {
    ln_text_printf(text, "  %s.%s = %.9g%s%s %s", owner_name(note),
                   *note->name != '\0' ? note->name : "start", note->wanted,
                   *note->unit != '\0' ? " " : "", note->unit, what);
}

static void put_notes(const ln_operating *op, ln_text *text) {
    if (op->ndropped > 0)
        ln_text_add(text,
                    "\nstart values dropped, because the equations at rest hold something else\n");
    for (int k = 0; k < op->ndropped; k++) {
        put_note(&op->dropped[k], "became", text);
        ln_text_printf(text, " %.9g%s%s\n", op->dropped[k].found,
                       *op->dropped[k].unit != '\0' ? " " : "", op->dropped[k].unit);
    }
    if (op->point.nfree == 0)
        return;
    ln_text_printf(
        text, "\n%d combination%s of unknowns left free by the equations at rest; %s start%s\n",
        op->point.nfree, op->point.nfree > 1 ? "s" : "",
        op->point.nfree > 1 ? "they keep their" : "it keeps its", op->point.nfree > 1 ? "s" : "");
    for (int k = 0; k < op->nkept; k++)
        put_note(&op->kept[k], "kept\n", text);
    const ln_network *network = op->simulation.network;
    for (int i = 0, count = 0; op->nkept == 0 && i < network->n && count < 8; i++) {
        if (!op->point.free_unknown[i])
            continue;
        ln_text_printf(text, "  %s\n", ln_network_unknown_name(network, i));
        count++;
    }
}

static void put_trim(const ln_trim *trim, ln_text *text) {
    ln_text_add(text, "\ntrim\n");
    for (int k = 0; k < trim->nfound; k++) {
        const ln_trim_value *value = &trim->found[k];
        ln_text_printf(text, "  %s = %.9g%s%s%s\n", value->name, value->value,
                       *value->unit != '\0' ? " " : "", value->unit,
                       value->at_bound ? ", at its bound" : "");
    }
    if (trim->minimised != NULL)
        ln_text_printf(text, "  least %s = %.9g\n", trim->minimised, trim->objective);
    ln_text_printf(text, "  largest residual %.1e\n", trim->residual);
}

/* Does a column go into the table of conditions, and not to its block? */
static int is_tabled(const ln_operating *op, int k) {
    return op->owner[k] >= 0 &&
           ln_point_is_condition(op->simulation.network->instances[op->owner[k]].block.type,
                                 short_name(op, k));
}

static void put_blocks(const ln_operating *op, ln_text *text) {
    size_t width = 0;
    for (int k = 0; k < op->ncolumns; k++) {
        const int owner = op->owner[k];
        if (owner < 0)
            continue;
        if (k == 0 || op->owner[k - 1] != owner) {
            const ln_instance *block = &op->simulation.network->instances[owner];
            width = width_of(op, owner, k);
            ln_text_printf(text, "\n%s (%s)\n", block->name, block->block.type->name);
        }
        if (!is_tabled(op, k))
            put_value(op, k, width, text);
    }
}

void ln_point_text(const ln_operating *op, const ln_trim *trim, ln_text *text) {
    const ln_simulation *simulation = &op->simulation;
    char time[32];
    ln_text_printf(text, "%s: operating point at t = %s, found by %s in %ld iteration%s\n",
                   simulation->network->name, ln_time_text(time, simulation->settings.begin, 9),
                   op->point.means, op->point.iterations, op->point.iterations == 1 ? "" : "s");
    if (*op->point.tried != '\0')
        ln_text_printf(text, "  tried before, in vain: %s\n", op->point.tried);
    if (trim != NULL)
        put_trim(trim, text);
    size_t width = width_of(op, -1, 0);
    if (width > 0)
        ln_text_add(text, "\nlinks\n");
    for (int k = 0; k < op->ncolumns; k++)
        if (k < op->nlinks)
            put_value(op, k, width, text);
    ln_point_conditions(op, text);
    put_blocks(op, text);
    put_notes(op, text);
}

/* ---- JSON ---- */

static void put_json_value(ln_json *json, const char *name, double value, const char *unit) {
    ln_json_begin(json, NULL, LN_JSON_OBJECT);
    ln_json_text(json, "name", name);
    ln_json_number(json, "value", value);
    ln_json_text(json, "unit", unit);
    ln_json_end(json);
}

static void put_json_column(const ln_operating *op, int k, ln_json *json) {
    put_json_value(json, short_name(op, k), op->values[k], op->columns[k].unit);
}

static void put_json_notes(const char *name, const ln_start_note *notes, int count, ln_json *json) {
    ln_json_begin(json, name, LN_JSON_LIST_LINES);
    for (int k = 0; k < count; k++) {
        ln_json_begin(json, NULL, LN_JSON_OBJECT);
        ln_json_text(json, notes[k].block != NULL ? "block" : "link", owner_name(&notes[k]));
        ln_json_text(json, "start", notes[k].name);
        ln_json_number(json, "wanted", notes[k].wanted);
        ln_json_number(json, "found", notes[k].found);
        ln_json_text(json, "unit", notes[k].unit);
        ln_json_end(json);
    }
    ln_json_end(json);
}

/* The columns of one block stand behind one another. */
static void put_json_blocks(const ln_operating *op, ln_json *json) {
    const ln_network *network = op->simulation.network;
    ln_json_begin(json, "blocks", LN_JSON_LIST_LINES);
    for (int k = 0; k < op->ncolumns;) {
        const int owner = op->owner[k];
        if (owner < 0) {
            k++;
            continue;
        }
        ln_json_begin(json, NULL, LN_JSON_OBJECT);
        ln_json_text(json, "name", network->instances[owner].name);
        ln_json_text(json, "type", network->instances[owner].block.type->name);
        ln_json_begin(json, "values", LN_JSON_LIST_LINES);
        for (; k < op->ncolumns && (op->owner[k] == owner || op->owner[k] < 0); k++)
            if (op->owner[k] == owner)
                put_json_column(op, k, json);
        ln_json_end(json);
        ln_json_end(json);
    }
    ln_json_end(json);
}

static void put_json_trim(const ln_trim *trim, ln_json *json) {
    ln_json_begin(json, "trim", LN_JSON_OBJECT);
    ln_json_begin(json, "free", LN_JSON_LIST);
    for (int k = 0; k < trim->nfound; k++) {
        ln_json_begin(json, NULL, LN_JSON_OBJECT);
        ln_json_text(json, "name", trim->found[k].name);
        ln_json_number(json, "value", trim->found[k].value);
        ln_json_text(json, "unit", trim->found[k].unit);
        ln_json_flag(json, "at_bound", trim->found[k].at_bound);
        ln_json_end(json);
    }
    ln_json_end(json);
    ln_json_number(json, "objective", trim->minimised != NULL ? trim->objective : NAN);
    ln_json_number(json, "residual", trim->residual);
    ln_json_end(json);
}

void ln_point_json(const ln_operating *op, const ln_trim *trim, ln_text *text) {
    const ln_simulation *simulation = &op->simulation;
    ln_json json = {.out = text};
    ln_json_head(&json, simulation->network->name, simulation->model->origin);
    ln_json_number(&json, "time", simulation->settings.begin);
    ln_json_text(&json, "means", op->point.means);
    ln_json_text(&json, "tried", op->point.tried);
    ln_json_integer(&json, "iterations", op->point.iterations);
    ln_json_integer(&json, "free", op->point.nfree);
    ln_json_begin(&json, "links", LN_JSON_LIST_LINES);
    for (int k = 0; k < op->nlinks && k < op->ncolumns; k++)
        put_json_column(op, k, &json);
    ln_json_end(&json);
    put_json_blocks(op, &json);
    if (trim != NULL)
        put_json_trim(trim, &json);
    put_json_notes("dropped", op->dropped, op->ndropped, &json);
    put_json_notes("kept", op->kept, op->nkept, &json);
    ln_json_finish(&json);
}

/* ---- CSV ---- */

void ln_point_csv(const ln_operating *op, ln_text *text) {
    ln_text_add(text, "time");
    for (int k = 0; k < op->ncolumns; k++) {
        ln_text_add(text, ",");
        ln_csv_text(text, op->columns[k].name);
    }
    ln_text_add(text, "\n");
    ln_csv_number(text, op->simulation.settings.begin);
    for (int k = 0; k < op->ncolumns; k++) {
        ln_text_add(text, ",");
        ln_csv_number(text, op->values[k]);
    }
    ln_text_add(text, "\n");
}

/* ---- rawfile ---- */

/* Has the block a second side? Its ".i" is then the current of the first, which is not what SPICE
 * calls the current of a controlled source: that is "p2.i". */
static int has_two_sides(const linnet_block_class *type) {
    for (int k = 0; k < type->nports; k++)
        if (strcmp(type->ports[k].name, "p2") == 0)
            return 1;
    return 0;
}

/* Potentials and currents, as ngspice's own rawfiles have them: a column ".i" is a block's current.
 */
static int is_in_raw(const ln_operating *op, int k) {
    if (k < op->nlinks)
        return 1;
    const char *name = short_name(op, k);
    const int owner = op->owner[k];
    if (owner >= 0 && has_two_sides(op->simulation.network->instances[owner].block.type))
        return strcmp(name, "p2.i") == 0;
    return strcmp(name, "i") == 0;
}

linnet_status ln_point_result(const ln_operating *op, const char *path, int as_text, int is_next) {
    ln_report *report = op->simulation.report;
    const ln_result_head head = {.title = op->simulation.network->name,
                                 .origin = op->simulation.model->origin,
                                 .name = "Operating Point",
                                 .is_next = is_next,
                                 .as_text = as_text};
    ln_column *columns = LN_NEW(op->arena, ln_column, op->ncolumns);
    double *values = LN_NEW(op->arena, double, op->ncolumns);
    int count = 0;
    if (columns == NULL || values == NULL)
        return ln_no_memory(report);
    for (int k = 0; k < op->ncolumns; k++)
        if (is_in_raw(op, k))
            columns[count] = op->columns[k], values[count++] = op->values[k];
    ln_sink *sink = ln_sink_file(path, &head, report);
    if (sink == NULL)
        return LINNET_IO;
    linnet_status status = sink->open(sink, columns, count);
    if (status == LINNET_OK)
        status = sink->row(sink, op->simulation.settings.begin, values);
    linnet_status closed = sink->close(sink, status == LINNET_OK);
    return status != LINNET_OK ? status : closed;
}

/* SPDX-License-Identifier: MIT */
/* Classes of devices, made from their branches; see the header. */
#include "blocks/native/device.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Below it a device changes no more, so that no iterate is without a value, K. */
static const double COLDEST = 50;

typedef ln_device_shape variant;

/* ---- tables ---- */

int ln_device_variant(const ln_device *device, const double *const *values,
                      const char *const *texts, char message[256]) {
    int number = 0;
    for (int k = 0; k < device->ninner; k++)
        if (device->exists(values, k))
            number |= 1 << k;
    if (device->type < 0 || strcmp(texts[device->type], device->polarity[0]) == 0)
        return number;
    if (strcmp(texts[device->type], device->polarity[1]) == 0)
        return number | 1 << device->ninner;
    snprintf(message, 256, "type = \"%.100s\" must be \"%s\" or \"%s\"", texts[device->type],
             device->polarity[0], device->polarity[1]);
    return -1;
}

/* The slot of an entry, which is added if it is new. */
static short find_slot(linnet_entry *entries, int *count, int row, int col, linnet_kind kind) {
    int k = 0;
    while (k < *count &&
           (entries[k].row != row || entries[k].col != col || entries[k].kind != kind))
        k++;
    if (k == *count)
        entries[(*count)++] = (linnet_entry){row, col, kind, LINNET_STATE};
    return (short)k;
}

/* Entries of all branches by the voltages; what joins two nodes that are one leaves none. */
static void place_branches(variant *v, linnet_entry *entries, int *count, char *marks) {
    for (int b = 0; b < v->device->nbranches; b++) {
        const ln_branch *branch = &v->device->branches[b];
        const int row[2] = {v->unknown[branch->from], v->unknown[branch->to]};
        if (row[0] == row[1])
            continue;
        ln_joined *one = &v->joined[v->njoined++];
        *one = (ln_joined){.branch = (unsigned char)b,
                           .from = (unsigned char)row[0],
                           .to = (unsigned char)row[1],
                           .stores = (unsigned char)branch->stores,
                           .ncontrols = (unsigned char)branch->ncontrols};
        for (int side = 0; side < 2; side++)
            marks[row[side]] = (char)(marks[row[side]] | (branch->stores ? 2 : 1));
        for (int c = 0; c < branch->ncontrols; c++) {
            for (int k = 0; k < 2; k++)
                one->control[c][k] = (unsigned char)v->unknown[branch->control[c][k]];
            for (int k = 0; k < LN_CORNERS; k++)
                one->slot[c][k] = find_slot(entries, count, row[k / 2], one->control[c][k % 2],
                                            branch->stores ? LINNET_E : LINNET_A);
        }
    }
}

/* Those of the branches by the temperature. They stand behind the others, so that where the heat
 * port is open nobody looks at them. */
static void place_slopes_by_heat(variant *v, linnet_entry *entries, int *count) {
    for (int k = 0; k < v->njoined; k++) {
        const ln_joined *one = &v->joined[k];
        const linnet_kind kind = one->stores ? LINNET_E : LINNET_A;
        v->by_heat[one->branch][0] = find_slot(entries, count, one->from, v->nports, kind);
        v->by_heat[one->branch][1] = find_slot(entries, count, one->to, v->nports, kind);
    }
}

/* The heat, by the potentials of all nodes and the temperature. */
static void place_losses(variant *v, linnet_entry *entries, int *count, char *marks) {
    for (int k = 0; k < v->nunknowns; k++)
        v->losses[k] = find_slot(entries, count, v->nports, k, LINNET_A);
    marks[v->nports] = 1;
}

/* What the device's starts give, then inner nodes, which begin where their port does. */
static int place_starts(const variant *v, linnet_block_class *class, linnet_start *starts) {
    int count = 0;
    for (int k = 0; k < v->device->nstarts; k++) {
        const ln_device_start *start = &v->device->starts[k];
        starts[count++] = (linnet_start){class->params[start->param].name,
                                         {v->unknown[start->from], v->unknown[start->to]},
                                         LINNET_START_OPTIONAL};
    }
    for (int k = 0; k < v->device->ninner; k++)
        if (v->inner >> k & 1)
            starts[count++] =
                (linnet_start){NULL,
                               {v->unknown[v->nports + k], v->unknown[v->device->inner[k].on]},
                               LINNET_START_INNER};
    return count;
}

int ln_device_tables(const ln_device *device, int number, linnet_block_class *class,
                     void *(*allocate)(void *context, size_t bytes), void *context) {
    enum {
        MOST = LN_DEVICE_BRANCHES * (LN_DEVICE_CONTROLS * LN_CORNERS + 2) + LN_DEVICE_NODES + 1
    };
    linnet_entry entries[MOST];
    variant *v = allocate(context, sizeof *v);
    linnet_var *vars = allocate(context, (size_t)(device->ninner + 1) * sizeof *vars);
    linnet_row *rows = allocate(context, (size_t)(device->ninner + 1) * sizeof *rows);
    char *marks = allocate(context, LN_DEVICE_NODES + 2);
    linnet_start *starts =
        allocate(context, (size_t)(device->nstarts + device->ninner + 1) * sizeof *starts);
    if (v == NULL || vars == NULL || rows == NULL || marks == NULL || starts == NULL)
        return 0;
    *v = (variant){.device = device,
                   .sign = number >> device->ninner ? -1 : 1,
                   .nports = class->nports - 1,
                   .nnodes = class->nports - 1 + device->ninner,
                   .inner = (unsigned)number & ((1u << device->ninner) - 1)};
    class->nvars = class->nentries = 0;
    for (int k = 0; k < v->nports; k++)
        v->unknown[k] = (signed char)k;
    for (int k = 0; k < device->ninner; k++) {
        v->unknown[v->nports + k] = v->unknown[device->inner[k].on];
        if (!(v->inner >> k & 1))
            continue;
        vars[class->nvars] = device->inner[k].var;
        rows[class->nvars] = (linnet_row){device->inner[k].var.name, "A"};
        v->unknown[v->nports + k] = (signed char)(class->nports + class->nvars++);
    }
    v->nunknowns = class->nports + class->nvars;
    place_branches(v, entries, &class->nentries, marks);
    place_slopes_by_heat(v, entries, &class->nentries);
    place_losses(v, entries, &class->nentries, marks);
    for (int k = 0; k < v->nunknowns; k++)
        marks[k] = (char)(marks[k] + '0');
    linnet_entry *kept = allocate(context, (size_t) class->nentries * sizeof *kept);
    if (kept == NULL)
        return 0;
    memcpy(kept, entries, (size_t) class->nentries * sizeof *kept);
    class->entries = kept;
    class->vars = vars;
    class->rows = rows;
    class->nonlinear_rows = marks;
    class->off = device->off + 1;
    class->starts = starts;
    class->nstarts = place_starts(v, class, starts);
    class->data = v;
    return 1;
}

linnet_status ln_device_check(const linnet_block *block, const char *const *names,
                              char message[256]) {
    const variant *v = block->type->data;
    const double *values[256];
    for (int k = 0; k < block->type->nparams; k++)
        values[k] = block->p + block->type->params[k].offset;
    for (int k = 0; k < v->device->ninner; k++) {
        const int wanted = v->device->exists(values, k) != 0;
        if (wanted == (int)(v->inner >> k & 1))
            continue;
        snprintf(
            message, 256,
            "with these values %s has %s node behind it, which cannot change within a run; set "
            "them before",
            names[k], wanted ? "a" : "no");
        return LINNET_MODEL;
    }
    return LINNET_OK;
}

void ln_device_begin(const linnet_block *block, double *value) {
    const ln_device *device = ((const variant *)block->type->data)->device;
    for (int k = 0; k < block->type->nstarts; k++) {
        const double given = k < device->nstarts ? block->p[device->starts[k].param] : 0;
        value[k] = isnan(given) ? 0 : given;
    }
}

int ln_device_carried(const linnet_block_class *class, ln_carried *carried) {
    if (class->eval != ln_device_eval)
        return 0;
    const variant *v = class->data;
    *carried = (ln_carried){.type = v->device->carried,
                            .branches = v->device->branches,
                            .nbranches = v->device->nbranches,
                            .nnodes = v->nnodes,
                            .sign = v->sign,
                            .flows = v->device->flows};
    memcpy(carried->unknown, v->unknown, sizeof carried->unknown);
    return 1;
}

double ln_device_sign(const linnet_block *block) {
    return ((const variant *)block->type->data)->sign;
}

const ln_device_shape *ln_device_shape_of(const linnet_block_class *type) {
    return type->eval == ln_device_eval ? type->data : NULL;
}

/* ---- evaluation ---- */

/* Node voltages in the first polarity. */
static void gather(const variant *v, const double *x, double *voltage) {
    for (int k = 0; k < v->nnodes; k++)
        voltage[k] = v->sign * x[v->unknown[k]];
}

/* The device at a temperature: flows as its parameters make them there. 0 where they make no
 * device. */
static int flows_at(const linnet_block *block, double temperature, const double *voltage,
                    ln_flow *flow) {
    enum { VALUES = 256, WORK = 128 };
    const variant *v = block->type->data;
    double p[VALUES], work[WORK];
    char message[256];
    if (block->type->nvalues > VALUES || block->type->nwork > WORK)
        return 0;
    memcpy(p, block->p, (size_t)block->type->nvalues * sizeof *p);
    p[block->type->params[v->device->temperature].offset] = temperature;
    const linnet_block warm = {block->type, p, work};
    if (block->type->prepare(&warm, message) != LINNET_OK)
        return 0;
    v->device->flows(&warm, voltage, flow);
    return 1;
}

/* An open port is seen at zero. */
static double temperature_of(const variant *v, const linnet_point *point) {
    const double t = point->x[v->nports];
    return t < 0 || t > 0 ? fmax(t, COLDEST) : 0;
}

/* What a branch loses is taken at the heat port. */
static void lose(const variant *v, const double *voltage, const ln_flow *flow, linnet_out *out) {
    for (int b = 0; b < v->device->nbranches; b++) {
        const ln_branch *branch = &v->device->branches[b];
        const int from = v->unknown[branch->from], to = v->unknown[branch->to];
        if (from == to || branch->stores || branch->made_up)
            continue;
        const double across = voltage[branch->from] - voltage[branch->to];
        out->f[v->nports] -= flow[b].value * across;
        if (out->entry == NULL)
            continue;
        out->entry[v->losses[from]] -= v->sign * flow[b].value;
        out->entry[v->losses[to]] += v->sign * flow[b].value;
        for (int c = 0; c < branch->ncontrols; c++) {
            out->entry[v->losses[v->unknown[branch->control[c][0]]]] -=
                v->sign * flow[b].slope[c] * across;
            out->entry[v->losses[v->unknown[branch->control[c][1]]]] +=
                v->sign * flow[b].slope[c] * across;
        }
    }
}

/* Slopes by the temperature, by central differences. */
static linnet_status slopes_by_heat(const linnet_block *block, double t, const double *voltage,
                                    linnet_out *out) {
    const variant *v = block->type->data;
    ln_flow left[LN_DEVICE_BRANCHES], right[LN_DEVICE_BRANCHES];
    const double h = 3e-6 * t;
    if (!flows_at(block, t - h, voltage, left) || !flows_at(block, t + h, voltage, right))
        return LINNET_RETRY;
    for (int b = 0; b < v->device->nbranches; b++) {
        const ln_branch *branch = &v->device->branches[b];
        if (v->unknown[branch->from] == v->unknown[branch->to])
            continue;
        const double slope = (right[b].value - left[b].value) / (2 * h);
        out->entry[v->by_heat[b][0]] += v->sign * slope;
        out->entry[v->by_heat[b][1]] -= v->sign * slope;
        if (!branch->stores && !branch->made_up)
            out->entry[v->losses[v->nports]] -=
                slope * (voltage[branch->from] - voltage[branch->to]);
    }
    return LINNET_OK;
}

static void add_values(const variant *v, const ln_flow *flow, linnet_out *out) {
    for (int k = 0; k < v->njoined; k++) {
        const ln_joined *one = &v->joined[k];
        const double value = v->sign * flow[one->branch].value;
        double *into = one->stores ? out->q : out->f;
        into[one->from] += value;
        into[one->to] -= value;
    }
}

static void add_slopes(const variant *v, const ln_flow *flow, double *entry) {
    for (int k = 0; k < v->njoined; k++) {
        const ln_joined *one = &v->joined[k];
        for (int c = 0; c < one->ncontrols; c++) {
            const double slope = flow[one->branch].slope[c];
            const short *slot = one->slot[c];
            entry[slot[0]] += slope;
            entry[slot[1]] -= slope;
            entry[slot[2]] -= slope;
            entry[slot[3]] += slope;
        }
    }
}

linnet_status ln_device_eval(const linnet_block *block, const linnet_point *point,
                             linnet_out *out) {
    const variant *v = block->type->data;
    const double temperature = temperature_of(v, point);
    double voltage[LN_DEVICE_NODES];
    ln_flow flow[LN_DEVICE_BRANCHES];
    gather(v, point->x, voltage);
    if (!(temperature > 0))
        v->device->flows(block, voltage, flow);
    else if (!flows_at(block, temperature, voltage, flow))
        return LINNET_RETRY;
    add_values(v, flow, out);
    if (out->entry != NULL)
        add_slopes(v, flow, out->entry);
    if (!(temperature > 0))
        return LINNET_OK;
    lose(v, voltage, flow, out);
    return out->entry == NULL || temperature <= COLDEST
               ? LINNET_OK
               : slopes_by_heat(block, temperature, voltage, out);
}

linnet_status ln_device_value(const linnet_block *block, const linnet_point *point,
                              linnet_out *out) {
    linnet_out without = {out->q, out->f, NULL};
    return ln_device_eval(block, point, &without);
}

/* Only what a limited node differs from where Newton wants it is written back; of nodes that are
 * one, the inner node's wish counts, being the later. */
int ln_device_limit(const linnet_block *block, const double *x_old, double *x_new) {
    const variant *v = block->type->data;
    double old[LN_DEVICE_NODES], wanted[LN_DEVICE_NODES] = {0}, moved[LN_DEVICE_NODES];
    if (v->device->limit == NULL)
        return 0;
    gather(v, x_old, old);
    gather(v, x_new, wanted);
    memcpy(moved, wanted, sizeof moved);
    if (!v->device->limit(block, old, moved))
        return 0;
    for (int k = 0; k < v->nnodes; k++)
        if (moved[k] < wanted[k] || moved[k] > wanted[k])
            x_new[v->unknown[k]] = v->sign * moved[k];
    return 1;
}

double ln_device_observe(const linnet_block *block, const linnet_point *point, int index) {
    const variant *v = block->type->data;
    double voltage[LN_DEVICE_NODES];
    ln_flow flow[LN_DEVICE_BRANCHES];
    const double temperature = temperature_of(v, point);
    gather(v, point->x, voltage);
    if (!(temperature > 0 && flows_at(block, temperature, voltage, flow)))
        v->device->flows(block, voltage, flow);
    return (index < v->device->nsigned ? v->sign : 1) *
           v->device->condition(block, voltage, flow, index);
}

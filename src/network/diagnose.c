/* SPDX-License-Identifier: MIT */
/* Diagnosis before numbers: what makes a network's equations singular whatever its values are.
 *
 * Cheapest first, and no check runs on what an earlier one refused: relations between parameters;
 * parts of a domain without reference; loops of ideal potential sources; equations and unknowns
 * that cannot be matched. Every block's entries are looked at once, those that change at one point.
 */
#include "network/flatten.h"
#include "network/structure.h"

#include "base/domain.h"
#include "base/sys.h"
#include <math.h>
#include <string.h>

static void *room(size_t count, size_t size, int *good) {
    void *memory = ln_sys->allocate((count + 1) * size);
    *good &= memory != NULL;
    return memory;
}

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

static int allocate(ln_structure *all) {
    const ln_network *network = all->network;
    const size_t nlinks = (size_t)network->nlinks;
    size_t work = 0, entries = 0, rows = 0, memories = 0;
    int good = 1;
    for (int i = 0; i < network->ninstances; i++) {
        const linnet_block_class *type = network->instances[i].block.type;
        work = larger(work, type->nwork);
        entries = larger(entries, (size_t)type->nentries);
        rows = larger(rows, (size_t)(type->nports + type->nvars));
        memories = larger(memories, (size_t)type->nmemories);
    }
    all->work = room(work, sizeof(double), &good);
    all->x = room(rows, sizeof(double), &good);
    all->q = room(rows, sizeof(double), &good);
    all->f = room(rows, sizeof(double), &good);
    all->m = room(memories, sizeof(double), &good);
    all->entry = room(2 * entries, sizeof(double), &good);
    all->of_row = room(entries, sizeof(int), &good);
    all->part = room(nlinks, sizeof(int), &good);
    all->anchored = room(nlinks, 1, &good);
    if (!good)
        return 0;
    for (int k = 0; k < network->nlinks; k++) {
        all->part[k] = k;
        all->anchored[k] = network->links[k].unknown < 0;
    }
    return 1;
}

/* Adds the entries that change, at a point without special symmetry: all potentials and variables
 * near their nominal sizes, no two alike, memories near 1. Where the block refuses the point they
 * are NAN. An open heat port is at zero, as the system sees it: a device has a temperature of its
 * own then, and is not prepared for another. */
static void sample(ln_structure *all, const linnet_block *block, const int *links) {
    const linnet_block_class *type = block->type;
    int n = type->nports + type->nvars;
    for (int j = 0; j < n; j++) {
        double nominal = j < type->nports ? ln_domain(type->ports[j].domain)->potential_nominal
                                          : type->vars[j - type->nports].nominal;
        all->x[j] = (nominal > 0 ? nominal : 1) * (0.7 + 0.6 * fmod(0.618034 * (j + 1), 1.0));
        all->q[j] = all->f[j] = 0;
        if (j < type->nports && type->ports[j].domain == LINNET_THERMAL && links[j] < 0)
            all->x[j] = 0;
    }
    for (int k = 0; k < type->nmemories; k++)
        all->m[k] = 0.7 + 0.6 * fmod(0.618034 * (k + 1), 1.0);
    linnet_point point = {.x = all->x, .m = all->m};
    if (type->modes != NULL)
        type->modes(block, &point, all->m + type->nmemories - type->nmodes);
    double *constant = all->entry + type->nentries;
    memcpy(constant, all->entry, (size_t)type->nentries * sizeof *constant);
    linnet_status status = type->eval(block, &point, &(linnet_out){all->q, all->f, all->entry});
    for (int k = 0; k < type->nentries; k++) {
        if (type->entries[k].change == LINNET_CONSTANT)
            all->entry[k] = constant[k];
        else if (status != LINNET_OK)
            all->entry[k] = NAN;
    }
}

/* Derived parameters and entries of an instance, in structure->entry. */
static int evaluate(ln_structure *all, const ln_instance *instance) {
    const linnet_block_class *type = instance->block.type;
    linnet_block block = instance->block;
    block.work = all->work;
    char message[256] = "";
    if (type->prepare != NULL && type->prepare(&block, message) != LINNET_OK) {
        all->status = ln_fail(all->report, LINNET_MODEL, instance->place, "%s (%s): %s",
                              instance->name, type->name, message);
        return 0;
    }
    memset(all->entry, 0, (size_t)type->nentries * sizeof *all->entry);
    if (type->linear != NULL)
        type->linear(&block, all->entry);
    if (type->eval != NULL)
        sample(all, &block, instance->links);
    return 1;
}

static int walk(ln_structure *all) {
    for (int i = 0; i < all->network->ninstances; i++) {
        const ln_instance *instance = &all->network->instances[i];
        if (instance->block.type->reference_port >= 0 || !evaluate(all, instance))
            continue;
        if (!ln_join_parts(all, i) || !ln_add_fixed(all, i))
            return 0;
    }
    return 1;
}

linnet_status ln_diagnose(ln_network *network, ln_report *report) {
    ln_structure all = {.network = network, .report = report, .status = LINNET_OK};
    int going = allocate(&all) && walk(&all);
    if (going && all.status == LINNET_OK)
        going = ln_check_parts(&all);
    if (going && all.status == LINNET_OK)
        going = ln_check_loops(&all);
    ln_sys->release(all.part);
    ln_sys->release(all.anchored);
    ln_sys->release(all.fixed);
    if (going && all.status == LINNET_OK)
        going = ln_check_matching(&all);
    ln_sys->release(all.work);
    ln_sys->release(all.entry);
    ln_sys->release(all.of_row);
    ln_sys->release(all.x);
    ln_sys->release(all.q);
    ln_sys->release(all.f);
    ln_sys->release(all.m);
    return going ? all.status : ln_no_memory(report);
}

/* SPDX-License-Identifier: MIT */
/* The public API's lists: the names of a model that was prepared, copied out of its network. */
#include "analysis/api.h"

#include "base/domain.h"
#include "base/sys.h"
#include "base/text.h"
#include "model/scope.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct owned_list {
    linnet_list list; /* first: what the caller sees */
    ln_arena *arena;  /* the names */
    linnet_item *items;
    size_t room;
    int failed;
} owned_list;

static void free_owned(owned_list *own) {
    if (own == NULL)
        return;
    ln_sys->release(own->items);
    ln_arena_free(own->arena);
    ln_sys->release(own);
}

void linnet_list_free(linnet_list *list) {
    free_owned((owned_list *)list);
}

static const char *keep(owned_list *own, const char *text) {
    const char *copy = text != NULL ? ln_arena_string(own->arena, text) : NULL;
    own->failed |= text != NULL && copy == NULL;
    return copy;
}

static void add(owned_list *own, linnet_item item) {
    if (own->failed || !LN_GROW(own->items, own->list.count, own->room)) {
        own->failed = 1;
        return;
    }
    item.name = keep(own, item.name);
    item.type = keep(own, item.type != NULL ? item.type : "");
    item.unit = keep(own, item.unit != NULL ? item.unit : "");
    item.file = keep(own, item.file);
    own->items[own->list.count++] = item;
    own->list.items = own->items;
}

static void add_blocks(owned_list *own, const ln_network *network) {
    for (int i = 0; i < network->ninstances; i++) {
        const ln_instance *instance = &network->instances[i];
        add(own, (linnet_item){.name = instance->name,
                               .type = instance->block.type->name,
                               .value = (double)NAN,
                               .file = instance->place.file,
                               .line = instance->place.line});
    }
}

static void add_links(owned_list *own, const ln_network *network) {
    for (int k = 0; k < network->nlinks; k++) {
        const ln_link *link = &network->links[k];
        const ln_domain_info *domain = ln_domain(link->domain);
        add(own, (linnet_item){.name = link->name,
                               .type = domain->name,
                               .unit = domain->potential_unit,
                               .value = (double)NAN,
                               .file = link->place.file,
                               .line = link->place.line});
    }
}

/* A parameter's value in its own place of the block's numbers; NAN where it is a list or a text. */
static double value_of(const ln_instance *instance, const linnet_param *param) {
    const int is_number = !(param->flags & (LINNET_LIST | LINNET_MATRIX | LINNET_TEXT));
    return is_number ? instance->block.p[param->offset] : (double)NAN;
}

static void add_parameters(owned_list *own, const ln_network *network) {
    for (int k = 0; k < ln_scope_count(network->scope); k++) {
        double value;
        const char *unit, *name = ln_scope_name(network->scope, k, &value, &unit);
        add(own, (linnet_item){.name = name, .unit = unit, .value = value});
    }
    for (int i = 0; i < network->ninstances; i++) {
        const ln_instance *instance = &network->instances[i];
        const linnet_block_class *type = instance->block.type;
        for (int k = 0; k < type->nparams && !own->failed; k++) {
            if (strchr(type->params[k].name, ' ') != NULL)
                continue; /* a table of the type's own */
            const char *name =
                ln_arena_printf(own->arena, "%s.%s", instance->name, type->params[k].name);
            own->failed |= name == NULL;
            add(own, (linnet_item){.name = name,
                                   .type = type->name,
                                   .unit = type->params[k].unit,
                                   .value = value_of(instance, &type->params[k]),
                                   .file = instance->place.file,
                                   .line = instance->place.line});
        }
    }
}

static void add_signal(void *context, const char *name, const ln_quantity *quantity) {
    add(context, (linnet_item){.name = name, .unit = quantity->unit, .value = (double)NAN});
}

static void add_offered(void *context, const char *name, const char *unit) {
    add(context, (linnet_item){.name = name, .unit = unit, .value = (double)NAN});
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const linnet_item *)a)->name, ((const linnet_item *)b)->name);
}

static linnet_status fill(owned_list *own, const ln_network *network, linnet_list_kind kind) {
    switch (kind) {
    case LINNET_LIST_BLOCKS: add_blocks(own, network); break;
    case LINNET_LIST_LINKS: add_links(own, network); break;
    case LINNET_LIST_PARAMETERS: add_parameters(own, network); break;
    case LINNET_LIST_SIGNALS:
        own->failed |= ln_network_match(network, "*", add_signal, own) < 0;
        for (int i = 0; i < network->ninstances; i++)
            ln_network_offered(network, i, add_offered, own);
        break;
    default: return LINNET_USAGE;
    }
    if (own->failed)
        return LINNET_MEMORY;
    if (own->list.count > 0)
        qsort(own->items, own->list.count, sizeof *own->items, by_name);
    return LINNET_OK;
}

linnet_status linnet_list_names(linnet_model *model, linnet_list_kind kind, linnet_list **list) {
    if (model == NULL || list == NULL)
        return LINNET_USAGE;
    *list = NULL;
    ln_report *report = ln_api_begin(model);
    ln_simulation simulation = {.method_why = ""};
    owned_list *own = ln_sys->allocate(sizeof *own);
    if (own != NULL)
        *own = (owned_list){.arena = ln_arena_new()};
    linnet_status status = own != NULL && own->arena != NULL ? LINNET_OK : ln_no_memory(report);
    if (status == LINNET_OK)
        status = ln_api_request(model, NULL, report);
    if (status == LINNET_OK)
        status = ln_simulation_prepare(&simulation, model->model, &model->request, 0, NULL, report);
    if (status == LINNET_OK)
        status = fill(own, simulation.network, kind);
    ln_simulation_free(&simulation);
    if (status == LINNET_OK)
        *list = &own->list;
    else
        free_owned(own);
    return ln_api_end(report, status);
}

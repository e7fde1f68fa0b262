/* SPDX-License-Identifier: MIT */
/* Feedback loops in a drawing: each block and link gets the number of the first loop that it lies
 * in. */
#include "diagram/room.h"

#include "network/feedback.h"
#include <string.h>

static const long most_loops = 1000;

typedef struct colouring {
    ln_drawing *drawing;
    const ln_network *network;
} colouring;

/* The part of that name, or the component in which it stands. */
static ln_drawn_part *find_part(ln_drawing *drawing, const char *name) {
    ln_drawn_part *best = NULL;
    for (int k = 0; k < drawing->nparts; k++) {
        ln_drawn_part *part = &drawing->parts[k];
        const size_t length = strlen(part->name);
        if (strncmp(part->name, name, length) != 0 ||
            (name[length] != '\0' && name[length] != '.' && name[length] != '['))
            continue;
        if (best == NULL || length > strlen(best->name))
            best = part;
    }
    return best;
}

static void colour_part(ln_drawing *drawing, const char *name, int loop) {
    ln_drawn_part *part = find_part(drawing, name);
    if (part != NULL && part->loop == 0)
        part->loop = loop;
}

/* The net of a link by its name, or by that of the vector it is an element of. */
static void colour_net(ln_drawing *drawing, const char *name, int loop) {
    for (int k = 0; k < drawing->nnets; k++) {
        ln_net *net = &drawing->nets[k];
        const size_t length = strlen(net->name);
        if (strncmp(net->name, name, length) == 0 &&
            (name[length] == '\0' || name[length] == '[') && net->loop == 0)
            net->loop = loop;
    }
}

/* The link at a block's output, whatever its name. */
static void colour_output(ln_drawing *drawing, const char *block, const char *port, int loop) {
    const ln_drawn_part *part = find_part(drawing, block);
    if (part == NULL || strcmp(part->name, block) != 0)
        return;
    for (int k = 0; k < part->npins; k++)
        if (strcmp(part->pins[k].port, port) == 0 && part->pins[k].net >= 0 &&
            drawing->nets[part->pins[k].net].loop == 0)
            drawing->nets[part->pins[k].net].loop = loop;
}

static linnet_status visit(void *context, const ln_feedback_loop *loop) {
    const colouring *c = context;
    const int number = ++c->drawing->nloops;
    for (int k = 0; k < loop->nmembers; k++) {
        const ln_loop_member *member = &loop->members[k];
        const ln_instance *in = &c->network->instances[member->instance],
                          *out = &c->network->instances[member->out_instance];
        colour_part(c->drawing, in->name, number);
        colour_part(c->drawing, out->name, number);
        colour_output(c->drawing, out->name, out->block.type->ports[member->out].name, number);
        colour_net(c->drawing, c->network->links[member->to].name, number);
    }
    return LINNET_OK;
}

linnet_status ln_highlight_loops(ln_drawing *drawing, const ln_model *model,
                                 const ln_drawing_wish *wish, ln_report *report) {
    ln_override *overrides = LN_NEW(drawing->arena, ln_override, wish->nsettings + 1);
    ln_network *network = NULL;
    ln_loop_count count;
    if (overrides == NULL)
        return ln_no_memory(report);
    for (int k = 0; k < wish->nsettings; k++)
        overrides[k] = (ln_override){wish->names[k], wish->values[k]};
    linnet_status status =
        ln_network_build(NULL, model, overrides, wish->nsettings, report, &network);
    if (status == LINNET_OK) {
        colouring c = {drawing, network};
        status = ln_feedback_loops(network, most_loops, NULL, report,
                                   (ln_feedback_visitor){visit, &c}, &count);
    }
    ln_network_free(network);
    return status;
}

/* SPDX-License-Identifier: MIT */
/* linnet convert: a model in another language, written in ours. */
#include "cli/job.h"
#include "model/write.h"
#include "result/document.h"
#include "reading/open.h"
#include <string.h>

static linnet_status convert_command(const ln_command *command, int argc, char **argv);

static const ln_option options[] = {
    {"output", 'o', "FILE", "where the model goes (default: the standard output)"},
    {"include", 'I', "DIR", "also read included files from here; repeatable"},
    {"quiet", 'q', NULL, "no last line"},
    {NULL, 0, NULL, NULL}};

const ln_command ln_command_convert = {
    .name = "convert",
    .doc = "write a model of another simulator in XML",
    .usage = "FILE [OPTION]...",
    .about =
        "Reads a SPICE deck with all it includes, a netlist or schematic (.asc) of LTspice, or a "
        "diagram of Vibesim\n"
        "(.yaml) or obliq-2 (.json), and writes the model that it means: its elements with "
        "their numbers, how to run\n"
        "it, what to record. It runs to the same result. What has no counterpart is an error "
        "with its line.",
    .options = options,
    .examples = "  linnet convert amplifier.cir -o amplifier.xml\n"
                "  linnet convert amplifier.cir -I ~/spice/models -o amplifier.xml\n"
                "  linnet convert antiwindup.yaml -o antiwindup.xml\n",
    .exits = "01235",
    .run = convert_command};

/* A deck's parameters were used up as its numbers were computed: in the model nothing would follow
 * from them. A curve over one of them is left out, too, and told. */
static int is_used_up(const ln_job *job, const ln_element *element) {
    if (strcmp(element->name, "parameter") == 0)
        return 1;
    if (strcmp(element->name, "dc-sweep") != 0)
        return 0;
    const char *at = ln_attribute_of(element, "vary");
    for (; at != NULL && *at != '\0'; at += strcspn(at, " "), at += strspn(at, " ")) {
        if (memchr(at, '.', strcspn(at, "=")) != NULL)
            continue;
        ln_warn(job->report, ln_place_of(element),
                "the curve over '%.*s' is left out: the model holds numbers in its place; sweep "
                "the deck itself",
                (int)strcspn(at, "="), at);
        return 1;
    }
    return 0;
}

static linnet_status write_model(const ln_job *job, const ln_model *model) {
    ln_text text = {0};
    ln_text_add(&text,
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<model xmlns=\"urn:linnet:model:1\"");
    ln_xml_attribute(&text, "name", model->name);
    /* a deck's root says only that names are taken as they are */
    for (int k = 0; k < model->root->nattributes; k++)
        if (strcmp(model->root->attributes[k].name, "name") != 0)
            ln_xml_attribute(&text, model->root->attributes[k].name,
                             model->root->attributes[k].value);
    ln_text_add(&text, ">\n");
    for (const ln_element *child = model->root->first; child != NULL; child = child->next)
        if (model->again == NULL || !is_used_up(job, child))
            ln_xml_element(&text, child, 1);
    ln_text_add(&text, "</model>\n");
    linnet_status status =
        ln_document_write(job->output != NULL ? job->output : "-", &text, job->report);
    ln_text_free(&text);
    return status;
}

static linnet_status convert(const ln_job *job) {
    ln_model *model = NULL;
    linnet_status status = ln_job_model(job, job->files[0], &model);
    if (status == LINNET_OK && model->again == NULL && !ln_diagram_suffix(job->files[0]))
        status = ln_usage(
            job->command,
            "'%.200s' is written in Linnet's own language; 'linnet check --flat' expands it",
            job->files[0]);
    if (status == LINNET_OK)
        status = write_model(job, model);
    if (model != NULL)
        ln_model_free(model);
    return status;
}

static linnet_status convert_command(const ln_command *command, int argc, char **argv) {
    ln_job job;
    linnet_status status;
    if (ln_job_read(&job, command, argc, argv, LN_JOB_ONE, &status)) {
        status = convert(&job);
        ln_report_close(job.report);
        if (status != LINNET_OK || !job.quiet)
            ln_terminal_outcome(status);
    }
    ln_job_free(&job);
    return status;
}

/* SPDX-License-Identifier: MIT */
/* modelDescription.xml read: see fmi_description.h. */
#include "foreign/fmi_description.h"

#include "base/input.h"
#include "model/tree.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARCHIVE = 1 << 29, MOST_DESCRIPTION = 1 << 27, MOST_ELEMENTS = 100000 };

typedef struct reading {
    const char *path;
    ln_arena *arena;
    ln_report *report;
    ln_fmi_description *out;
    ln_fmi_variable *variable;
} reading;

static linnet_status refuse(const reading *reader, const char *why) {
    return ln_fail(reader->report, LINNET_MODEL, (ln_place){reader->path, 0, 0}, "%s", why);
}

static const ln_element *child_of(const ln_element *element, const char *name) {
    const ln_element *child = element != NULL ? element->first : NULL;
    while (child != NULL && strcmp(child->name, name) != 0)
        child = child->next;
    return child;
}

static double number_of(const ln_element *element, const char *name, double otherwise) {
    const char *text = element != NULL ? ln_attribute_of(element, name) : NULL, *end;
    if (text == NULL)
        return otherwise;
    const double value = ln_number_read(text, &end);
    return end != text ? value : otherwise;
}

/* ---- variables ---- */

static ln_fmi_type type_of(const char *name, int version) {
    static const char *const names[] = {
#define LN_FMI_NAME(name) #name,
        LN_FMI_TYPES(LN_FMI_NAME)
#undef LN_FMI_NAME
    };
    if (version == 2)
        return strcmp(name, "Real") == 0                                          ? LN_FMI_Float64
               : strcmp(name, "Integer") == 0 || strcmp(name, "Enumeration") == 0 ? LN_FMI_Int32
               : strcmp(name, "Boolean") == 0                                     ? LN_FMI_Boolean
                                              : LN_FMI_NO_NUMBER;
    if (strcmp(name, "Enumeration") == 0)
        return LN_FMI_Int64;
    for (int k = 0; k < LN_FMI_NO_NUMBER; k++)
        if (strcmp(name, names[k]) == 0)
            return (ln_fmi_type)k;
    return LN_FMI_NO_NUMBER;
}

static ln_fmi_causality causality_of(const ln_element *element) {
    const char *text = ln_attribute_of(element, "causality");
    return text == NULL                     ? LN_FMI_OTHER
           : strcmp(text, "input") == 0     ? LN_FMI_INPUT
           : strcmp(text, "output") == 0    ? LN_FMI_OUTPUT
           : strcmp(text, "parameter") == 0 ? LN_FMI_PARAMETER
                                            : LN_FMI_OTHER;
}

/* The size of a dimension: a number, or that of a structural parameter, which nobody sets here. */
static double size_of(const ln_element *variables, const ln_element *dimension) {
    const char *reference = ln_attribute_of(dimension, "valueReference");
    if (reference == NULL)
        return number_of(dimension, "start", 0);
    for (const ln_element *each = variables->first; each != NULL; each = each->next) {
        const char *own = ln_attribute_of(each, "valueReference");
        if (own != NULL && strcmp(own, reference) == 0)
            return number_of(each, "start", 0);
    }
    return 0;
}

/* The elements of an array of FMI 3; 0: none, too many, or a size that nothing gives. */
static int count_of(const ln_element *variables, const ln_element *element) {
    double count = 1;
    for (const ln_element *child = element->first; child != NULL; child = child->next)
        if (strcmp(child->name, "Dimension") == 0)
            count *= size_of(variables, child);
    return count >= 1 && count <= MOST_ELEMENTS ? (int)count : 0;
}

/* Numbers, and true and false; the first stands for elements that are not given. */
static const double *start_of(const reading *reader, const ln_element *typed, int count) {
    const char *text = ln_attribute_of(typed, "start");
    double *start = LN_NEW(reader->arena, double, count);
    for (int k = 0; text != NULL && start != NULL && k < count; k++) {
        const char *end;
        text += strspn(text, " \t\r\n");
        start[k] = ln_number_read(text, &end);
        if (end == text && k > 0)
            start[k] = start[0];
        if (end == text && k == 0)
            start[k] = strncmp(text, "true", 4) == 0;
        text = end == text ? text + strcspn(text, " \t\r\n") : end;
    }
    return start;
}

static linnet_status add_variable(reading *reader, const ln_element *variables,
                                  const ln_element *element) {
    const int version = reader->out->version;
    const ln_element *typed = version == 2 ? element->first : element;
    const char *name = ln_attribute_of(element, "name"),
               *reference = ln_attribute_of(element, "valueReference");
    while (version == 2 && typed != NULL && strcmp(typed->name, "Annotations") == 0)
        typed = typed->next;
    if (name == NULL || reference == NULL || typed == NULL)
        return ln_fail(reader->report, LINNET_MODEL, ln_place_of(element),
                       "a variable lacks its name, reference or type");
    const int count = version == 2 ? 1 : count_of(variables, typed);
    ln_fmi_variable *added = &reader->variable[reader->out->nvariables++];
    *added = (ln_fmi_variable){.name = name,
                               .about = ln_attribute_of(element, "description"),
                               .reference = (unsigned)strtoul(reference, NULL, 10),
                               .type = count > 0 ? type_of(typed->name, version) : LN_FMI_NO_NUMBER,
                               .causality = causality_of(element),
                               .count = count > 0 ? count : 1,
                               .start = start_of(reader, typed, count > 0 ? count : 1)};
    return added->start != NULL ? LINNET_OK : ln_no_memory(reader->report);
}

/* ---- the whole ---- */

/* What begins, ends and paces an experiment, and the variables one by one. */
static linnet_status read_variables(reading *reader, const ln_element *experiment,
                                    const ln_element *variables) {
    ln_fmi_description *out = reader->out;
    int count = 0;
    out->start = number_of(experiment, "startTime", NAN);
    out->stop = number_of(experiment, "stopTime", NAN);
    out->step = number_of(experiment, "stepSize", NAN);
    for (const ln_element *each = variables->first; each != NULL; each = each->next)
        count++;
    out->variables = reader->variable = LN_NEW(reader->arena, ln_fmi_variable, count);
    if (reader->variable == NULL)
        return ln_no_memory(reader->report);
    for (const ln_element *each = variables->first; each != NULL; each = each->next)
        LN_TRY(add_variable(reader, variables, each));
    return LINNET_OK;
}

static linnet_status read_root(reading *reader, const ln_element *root) {
    ln_fmi_description *out = reader->out;
    const char *version = ln_attribute_of(root, "fmiVersion"), *once;
    const ln_element *simulation = child_of(root, "CoSimulation"),
                     *experiment = child_of(root, "DefaultExperiment"),
                     *variables = child_of(root, "ModelVariables");
    out->version = version == NULL ? 0 : version[0] == '2' ? 2 : version[0] == '3' ? 3 : 0;
    if (strcmp(root->name, "fmiModelDescription") != 0 || out->version == 0)
        return refuse(reader, "this is no FMU of FMI 2 or 3");
    if (simulation == NULL)
        return refuse(reader,
                      "this FMU has no co-simulation, the one interface that Linnet imports");
    out->model = ln_attribute_of(root, "modelName");
    out->token = ln_attribute_of(root, out->version == 2 ? "guid" : "instantiationToken");
    out->identifier = ln_attribute_of(simulation, "modelIdentifier");
    if (out->token == NULL || out->identifier == NULL || variables == NULL ||
        strchr(out->identifier, '/') != NULL)
        return refuse(reader, "its description lacks the token, the library or the variables");
    once = ln_attribute_of(simulation, "canBeInstantiatedOnlyOncePerProcess");
    out->only_once = once != NULL && (strcmp(once, "true") == 0 || strcmp(once, "1") == 0);
    return read_variables(reader, experiment, variables);
}

static linnet_status read_description(reading *reader, ln_archive *archive) {
    ln_text text = {0};
    linnet_status status;
    int found;
    const char *name = ln_arena_printf(reader->arena, "%s/modelDescription.xml", reader->path);
    ln_limits limits = ln_limits_default;
    limits.passes_over = 1; /* annotations of whatever tool */
    status = ln_archive_read(archive, "modelDescription.xml", MOST_DESCRIPTION, &text, &found);
    if (status == LINNET_OK && !found)
        status = refuse(reader, "this is no FMU: it has no modelDescription.xml");
    if (status == LINNET_OK && name == NULL)
        status = ln_no_memory(reader->report);
    if (status == LINNET_OK) {
        const ln_element *root = ln_tree_read_memory(
            reader->arena, (ln_document){name, text.data != NULL ? text.data : "", text.length},
            &limits, reader->report, &status);
        if (root != NULL)
            status = read_root(reader, root);
    }
    ln_text_free(&text);
    return status;
}

linnet_status ln_fmi_open(const char *path, ln_arena *arena, ln_report *report, ln_text *bytes,
                          ln_archive **archive, ln_fmi_description *description) {
    reading reader = {.path = path, .arena = arena, .report = report, .out = description};
    *archive = NULL;
    *description = (ln_fmi_description){0};
    LN_TRY(ln_input_read(path, LN_FROM_MODEL, MOST_ARCHIVE, report, bytes));
    if (bytes->length > MOST_ARCHIVE)
        return ln_fail(report, LINNET_IO, LN_NOWHERE, "'%s' is larger than 512 MB", path);
    LN_TRY(ln_archive_open(path, bytes, report, archive));
    return read_description(&reader, *archive);
}

linnet_status ln_fmi_describe(const char *path, ln_arena *arena, ln_report *report,
                              ln_fmi_description *description) {
    ln_text bytes = {0};
    ln_archive *archive;
    const linnet_status status = ln_fmi_open(path, arena, report, &bytes, &archive, description);
    ln_archive_close(archive);
    ln_text_free(&bytes);
    return status;
}

/* Do a variable's name and a word begin alike, over so many characters? plain: where a word cannot
 * hold what stands in the name, a blank or comma, it has '_'. */
static int begin_alike(const char *name, const char *word, size_t length, int plain) {
    size_t k = 0;
    while (k < length && name[k] != '\0' &&
           (name[k] == word[k] ||
            (plain && word[k] == '_' && strchr(LN_BETWEEN_WORDS, name[k]) != NULL)))
        k++;
    return k == length;
}

static const ln_fmi_variable *find(const ln_fmi_description *description,
                                   ln_fmi_causality causality, const char *name, size_t length,
                                   int *element, int plain) {
    for (int k = 0; k < description->nvariables; k++) {
        const ln_fmi_variable *variable = &description->variables[k];
        const size_t own = strlen(variable->name);
        if (variable->causality != causality)
            continue;
        if (own == length && begin_alike(variable->name, name, length, plain)) {
            *element = 0;
            return variable->count == 1 ? variable : NULL;
        }
        if (variable->count == 1 || own + 2 >= length ||
            !begin_alike(variable->name, name, own, plain) || name[own] != '[' ||
            name[length - 1] != ']')
            continue;
        char *end;
        const long index = strtol(name + own + 1, &end, 10);
        *element = (int)index - 1;
        return end == name + length - 1 && index >= 1 && index <= variable->count ? variable : NULL;
    }
    return NULL;
}

const ln_fmi_variable *ln_fmi_find(const ln_fmi_description *description,
                                   ln_fmi_causality causality, const char *name, size_t length,
                                   int *element) {
    const ln_fmi_variable *found = find(description, causality, name, length, element, 0);
    return found != NULL ? found : find(description, causality, name, length, element, 1);
}

const char *ln_fmi_platform(int version) {
#if defined __x86_64__
    return version == 2 ? "linux64" : "x86_64-linux";
#elif defined __i386__
    return version == 2 ? "linux32" : "x86-linux";
#elif defined __aarch64__
    return version == 2 ? "linux64" : "aarch64-linux";
#else
    return version == 2 ? (sizeof(void *) == 8 ? "linux64" : "linux32") : "unknown-linux";
#endif
}

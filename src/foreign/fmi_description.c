/* SPDX-License-Identifier: MIT */
/* modelDescription.xml read: see fmi_description.h. */
#include "foreign/fmi_description.h"

#include "base/input.h"
#include "model/tree.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Of an archive and its description in bytes; of the numbers that go in and out, in all. */
enum { MOST_ARCHIVE = 1 << 29, MOST_DESCRIPTION = 1 << 27, MOST_ELEMENTS = 100000 };

typedef struct description_reader {
    const char *path;
    ln_arena *arena;
    ln_report *report;
    ln_fmi_description *out;
    ln_fmi_variable *variable;
    const ln_fmi_variable **by_name;
    ln_map *references; /* ordinals of the elements that describe variables; NULL: not yet */
    double *sizes;      /* what each of them begins with */
    int elements;       /* of all variables that are kept */
} description_reader;

static linnet_status refuse(const description_reader *reader, const char *why) {
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

/* What variables begin with, found by their references, for arrays that name one as a size. */
static linnet_status note_sizes(description_reader *reader, const ln_element *variables) {
    int count = 0;
    for (const ln_element *each = variables->first; each != NULL; each = each->next)
        count++;
    reader->sizes = LN_NEW(reader->arena, double, count);
    reader->references = ln_map_new();
    if (reader->sizes == NULL || reader->references == NULL)
        return ln_no_memory(reader->report);
    count = 0;
    for (const ln_element *each = variables->first; each != NULL; each = each->next, count++) {
        const char *own = ln_attribute_of(each, "valueReference");
        reader->sizes[count] = number_of(each, "start", 0);
        if (own != NULL && ln_map_put(reader->references, own, count) < 0)
            return ln_no_memory(reader->report);
    }
    return LINNET_OK;
}

/* The size of a dimension: a number, or that of a structural parameter, which nobody sets here. */
static linnet_status size_of(description_reader *reader, const ln_element *variables,
                             const ln_element *dimension, double *size) {
    const char *reference = ln_attribute_of(dimension, "valueReference");
    *size = number_of(dimension, "start", 0);
    if (reference == NULL)
        return LINNET_OK;
    if (reader->references == NULL)
        LN_TRY(note_sizes(reader, variables));
    const int found = ln_map_get(reader->references, reference);
    *size = found >= 0 ? reader->sizes[found] : 0;
    return LINNET_OK;
}

/* The elements of a variable, of an array of FMI 3 the product of its dimensions; 0: none, or a
 * size that nothing gives. */
static linnet_status count_of(description_reader *reader, const ln_element *variables,
                              const ln_element *element, int *count) {
    double product = 1;
    for (const ln_element *child = element->first; child != NULL; child = child->next) {
        double size;
        if (strcmp(child->name, "Dimension") != 0)
            continue;
        LN_TRY(size_of(reader, variables, child, &size));
        if (!(size >= 0) || size != floor(size))
            return ln_fail(reader->report, LINNET_MODEL, ln_place_of(child),
                           "a dimension is no whole number");
        product *= size;
    }
    if (product > MOST_ELEMENTS - reader->elements)
        return ln_fail(reader->report, LINNET_MODEL, ln_place_of(element),
                       "inputs, outputs and parameters are more than %d numbers, the limit",
                       MOST_ELEMENTS);
    *count = (int)product;
    reader->elements += *count;
    return LINNET_OK;
}

/* One start value, *text then behind it: a number, or true and false. 0: it is none. */
static int read_start(const char **text, double *value) {
    const char *end;
    const size_t length = strcspn(*text, " \t\r\n");
    *value = ln_number_read(*text, &end);
    if (end == *text) {
        *value = length == 4 && strncmp(*text, "true", 4) == 0;
        end += *value > 0 || (length == 5 && strncmp(*text, "false", 5) == 0) ? length : 0;
    }
    const int is_value = length > 0 && isfinite(*value) && end == *text + length;
    *text = end + strspn(end, " \t\r\n");
    return is_value;
}

/* The first stands for elements that are not given. */
static linnet_status read_starts(const description_reader *reader, const ln_element *typed,
                                 int count, double *start) {
    const char *text = ln_attribute_of(typed, "start");
    if (text == NULL)
        return LINNET_OK;
    int well = 1;
    text += strspn(text, " \t\r\n");
    for (int k = 0; k < count && well; k++)
        if (k > 0 && *text == '\0')
            start[k] = start[0];
        else
            well = read_start(&text, &start[k]);
    if (!well || (count > 0 && *text != '\0'))
        return ln_fail(reader->report, LINNET_MODEL, ln_place_of(typed),
                       "start: '%.60s' is no number%s", ln_attribute_of(typed, "start"),
                       count > 1 ? ", nor one for each element" : "");
    return LINNET_OK;
}

/* A reference is a number of 32 bits without sign. */
static int read_reference(const char *text, unsigned *reference) {
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    *reference = (unsigned)value;
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && value <= UINT32_MAX;
}

/* Kept are numbers that go in or out; of the others it is asked only what each variable has. */
static linnet_status add_variable(description_reader *reader, const ln_element *variables,
                                  const ln_element *element) {
    const int version = reader->out->version;
    const ln_element *typed = version == 2 ? element->first : element;
    const char *name = ln_attribute_of(element, "name"),
               *reference = ln_attribute_of(element, "valueReference");
    const ln_fmi_causality causality = causality_of(element);
    ln_fmi_variable *added = &reader->variable[reader->out->nvariables];
    int count = 1;
    while (version == 2 && typed != NULL && strcmp(typed->name, "Annotations") == 0)
        typed = typed->next;
    if (name == NULL || reference == NULL || typed == NULL)
        return ln_fail(reader->report, LINNET_MODEL, ln_place_of(element),
                       "a variable lacks its name, reference or type");
    const ln_fmi_type type = type_of(typed->name, version);
    *added = (ln_fmi_variable){.name = name, .type = type, .causality = causality};
    added->about = ln_attribute_of(element, "description");
    if (!read_reference(reference, &added->reference))
        return ln_fail(reader->report, LINNET_MODEL, ln_place_of(element),
                       "'%.60s' is no value reference: a number from 0 to 4294967295", reference);
    if (causality == LN_FMI_OTHER || type == LN_FMI_NO_NUMBER)
        return LINNET_OK;
    LN_TRY(count_of(reader, variables, version == 2 ? typed : element, &count));
    double *start = LN_NEW(reader->arena, double, count);
    if (start == NULL)
        return ln_no_memory(reader->report);
    LN_TRY(read_starts(reader, typed, count, start));
    added->count = count, added->start = start;
    reader->by_name[reader->out->nvariables] = added;
    reader->out->nvariables += count > 0;
    return LINNET_OK;
}

/* ---- the whole ---- */

static int compare_names(const void *a, const void *b) {
    return strcmp((*(const ln_fmi_variable *const *)a)->name,
                  (*(const ln_fmi_variable *const *)b)->name);
}

static linnet_status sort_names(const description_reader *reader) {
    const size_t count = (size_t)reader->out->nvariables;
    qsort((void *)reader->by_name, count, sizeof(ln_fmi_variable *), compare_names);
    for (size_t k = 1; k < count; k++)
        if (compare_names(&reader->by_name[k - 1], &reader->by_name[k]) == 0)
            return ln_fail(reader->report, LINNET_MODEL, (ln_place){reader->path, 0, 0},
                           "two variables have the name '%.100s'", reader->by_name[k]->name);
    return LINNET_OK;
}

/* What begins, ends and paces an experiment, and the variables one by one. */
static linnet_status read_variables(description_reader *reader, const ln_element *experiment,
                                    const ln_element *variables) {
    ln_fmi_description *out = reader->out;
    int count = 0;
    out->start = number_of(experiment, "startTime", NAN);
    out->stop = number_of(experiment, "stopTime", NAN);
    out->step = number_of(experiment, "stepSize", NAN);
    for (const ln_element *each = variables->first; each != NULL; each = each->next)
        count++;
    out->variables = reader->variable = LN_NEW(reader->arena, ln_fmi_variable, count);
    out->by_name = reader->by_name = LN_NEW(reader->arena, const ln_fmi_variable *, count);
    if (reader->variable == NULL || reader->by_name == NULL)
        return ln_no_memory(reader->report);
    for (const ln_element *each = variables->first; each != NULL; each = each->next)
        LN_TRY(add_variable(reader, variables, each));
    return sort_names(reader);
}

static linnet_status read_root(description_reader *reader, const ln_element *root) {
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

static linnet_status read_description(description_reader *reader, ln_archive *archive) {
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
        ln_map_free(reader->references);
    }
    ln_text_free(&text);
    return status;
}

linnet_status ln_fmi_open(const char *path, ln_arena *arena, ln_report *report, ln_text *bytes,
                          ln_archive **archive, ln_fmi_description *description) {
    description_reader reader = {
        .path = path, .arena = arena, .report = report, .out = description};
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

/* Do a variable's name and a word begin alike, over so many characters? Where a word cannot hold
 * what stands in the name, a blank or comma, it has '_'. */
static int begin_alike(const char *name, const char *word, size_t length) {
    size_t k = 0;
    while (k < length &&
           (name[k] == word[k] || (word[k] == '_' && strchr(LN_BETWEEN_WORDS, name[k]) != NULL)))
        k++;
    return k == length;
}

/* The variable of exactly this name. */
static const ln_fmi_variable *find_name(const ln_fmi_description *description, const char *name,
                                        size_t length) {
    int from = 0, to = description->nvariables;
    while (from < to) {
        const int middle = from + (to - from) / 2;
        const ln_fmi_variable *variable = description->by_name[middle];
        int order = strncmp(variable->name, name, length);
        if (order == 0)
            order = variable->name[length] != '\0';
        if (order == 0)
            return variable;
        if (order < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return NULL;
}

/* What a word that begins with a variable's name, of `own` characters, means of it; NULL: nothing.
 */
static const ln_fmi_variable *element_of(const ln_fmi_variable *variable, const char *word,
                                         size_t length, size_t own, int *element) {
    char *end;
    *element = 0;
    if (own == length)
        return variable->count == 1 ? variable : NULL;
    if (variable->count == 1 || word[own] != '[' || word[length - 1] != ']')
        return NULL;
    const long index = strtol(word + own + 1, &end, 10);
    *element = (int)index - 1;
    return end == word + length - 1 && index >= 1 && index <= variable->count ? variable : NULL;
}

const ln_fmi_variable *ln_fmi_find(const ln_fmi_description *description,
                                   ln_fmi_causality causality, const char *name, size_t length,
                                   int *element) {
    size_t own = length;
    const ln_fmi_variable *found = find_name(description, name, length);
    while (found == NULL && own > 0 && name[--own] != '[')
        ;
    if (found == NULL && own > 0)
        found = find_name(description, name, own);
    if (found != NULL && found->causality == causality)
        found = element_of(found, name, length, own, element);
    else
        found = NULL;
    for (int k = 0; k < description->nvariables && found == NULL; k++) {
        const ln_fmi_variable *variable = &description->variables[k];
        own = strlen(variable->name);
        if (variable->causality == causality && own <= length &&
            begin_alike(variable->name, name, own))
            found = element_of(variable, name, length, own, element);
    }
    return found;
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

/* SPDX-License-Identifier: MIT */
/* modelDescription.xml as FMI 2.0.5 (section 2.2) and FMI 3.0.1 (section 2.4) have it. */
#include "codegen/fmu_writer.h"

#include "base/text.h"
#include "expression/dimension.h"
#include "model/write.h"

#include <linnet/linnet.h>
#include <math.h>
#include <string.h>

static void add_number(ln_text *out, const char *name, double value) {
    char digits[32];
    ln_number_format(digits, value);
    ln_text_printf(out, " %s=\"%s\"", name, digits);
}

/* ---- units ---- */

static void add_unit(ln_text *out, const char *unit) {
    static const char *const bases[7] = {"m", "kg", "s", "A", "K", "mol", "cd"};
    double factor, offset;
    ln_dimension dimension;
    int whole = ln_unit_read(unit, &factor, &offset, &dimension, NULL);
    ln_text_add(out, "    <Unit");
    ln_xml_attribute(out, "name", unit);
    for (int k = 0; whole && k < 7; k++)
        whole = dimension.exponent[k] % 12 == 0;
    if (!whole || dimension.any != LN_DEFINITE) {
        ln_text_add(out, "/>\n");
        return;
    }
    ln_text_add(out, "><BaseUnit");
    for (int k = 0; k < 7; k++)
        if (dimension.exponent[k] != 0)
            ln_text_printf(out, " %s=\"%d\"", bases[k], dimension.exponent[k] / 12);
    if (factor != 1)
        add_number(out, "factor", factor);
    if (offset != 0)
        add_number(out, "offset", offset);
    ln_text_add(out, "/></Unit>\n");
}

static void add_units(const ln_fmu_writer *w, ln_text *out) {
    ln_text_add(out, "  <UnitDefinitions>\n");
    for (int k = 0; k < w->nvariables; k++) {
        const char *unit = w->variable[k].unit;
        int known = unit == NULL;
        for (int i = 0; i < k && !known; i++)
            known = w->variable[i].unit != NULL && strcmp(w->variable[i].unit, unit) == 0;
        if (!known)
            add_unit(out, unit);
    }
    ln_text_add(out, "  </UnitDefinitions>\n");
}

/* ---- what the FMU can ---- */

static void add_sources(const ln_fmu_writer *w, ln_text *out) {
    ln_text_add(out, "    <SourceFiles>\n");
    for (const char *const *name = w->source; *name != NULL; name++) {
        ln_text_add(out, "      <File");
        ln_xml_attribute(out, "name", *name);
        ln_text_add(out, "/>\n");
    }
    ln_text_add(out, "    </SourceFiles>\n");
}

static void add_interface_2(const ln_fmu_writer *w, ln_text *out, const char *name) {
    ln_text_printf(out, "  <%s", name);
    ln_xml_attribute(out, "modelIdentifier", w->c->name);
    if (strcmp(name, "CoSimulation") == 0)
        ln_text_printf(out, " canHandleVariableCommunicationStepSize=\"%s\"",
                       w->c->plan->implicit != NULL ? "false" : "true");
    else
        ln_text_add(out, " completedIntegratorStepNotNeeded=\"true\"");
    ln_text_add(out, " canNotUseMemoryManagementFunctions=\"true\" canGetAndSetFMUstate=\"true\" "
                     "canSerializeFMUstate=\"true\">\n");
    add_sources(w, out);
    ln_text_printf(out, "  </%s>\n", name);
}

static void add_interface_3(const ln_fmu_writer *w, ln_text *out, const char *name) {
    ln_text_printf(out, "  <%s", name);
    ln_xml_attribute(out, "modelIdentifier", w->c->name);
    ln_text_add(out, " canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\"");
    if (strcmp(name, "CoSimulation") == 0) {
        ln_text_printf(out, " canHandleVariableCommunicationStepSize=\"%s\"",
                       w->c->plan->implicit != NULL ? "false" : "true");
        add_number(out, "fixedInternalStepSize", w->c->request->settings->step);
    }
    ln_text_add(out, "/>\n");
}

static void add_experiment(const ln_fmu_writer *w, ln_text *out) {
    const ln_settings *settings = w->c->request->settings;
    ln_text_add(out, "  <LogCategories>\n"
                     "    <Category name=\"logStatusWarning\"/>\n"
                     "    <Category name=\"logStatusDiscard\"/>\n"
                     "    <Category name=\"logStatusError\"/>\n"
                     "  </LogCategories>\n  <DefaultExperiment");
    add_number(out, "startTime", settings->begin);
    if (settings->end > settings->begin)
        add_number(out, "stopTime", settings->end);
    add_number(out, "stepSize", settings->step);
    ln_text_add(out, "/>\n");
}

/* What a step of the FMU's own costs: nobody else can tell, and a scheduler wants to know. */
static void add_annotation(const ln_fmu_writer *w, ln_text *out) {
    ln_codegen_summary cost;
    ln_c_summarise(w->c, &cost);
    ln_text_add(out, w->version == 2 ? "  <VendorAnnotations>\n    <Tool name=\"Linnet\">"
                                     : "  <Annotations>\n    <Annotation type=\"Linnet\">");
    ln_text_printf(out,
                   "<step xmlns=\"urn:linnet:fmu:1\" method=\"%s\" operations=\"%ld\" "
                   "calls=\"%ld\" iterations=\"%d\" operationsOfIteration=\"%ld\" "
                   "callsOfIteration=\"%ld\"/>",
                   w->c->request->settings->method->name, cost.operations, cost.calls,
                   cost.iterations, cost.iteration_operations, cost.iteration_calls);
    ln_text_add(out, w->version == 2 ? "</Tool>\n  </VendorAnnotations>\n"
                                     : "</Annotation>\n  </Annotations>\n");
}

/* ---- variables ---- */

static const char *causality_of(const ln_fmu_variable *v) {
    switch (v->kind) {
    case LN_FMU_TIME: return "independent";
    case LN_FMU_INPUT: return "input";
    case LN_FMU_PARAMETER: return "parameter";
    case LN_FMU_OUTPUT: return "output";
    default: return v->is_output ? "output" : "local";
    }
}

/* What makes the variable what it is: FMI 2 in an element around the type, FMI 3 with the type. */
static void add_role(const ln_fmu_writer *w, ln_text *out, int k) {
    const ln_fmu_variable *v = &w->variable[k];
    ln_xml_attribute(out, "name", v->name);
    ln_text_printf(out, " valueReference=\"%d\"", k);
    if (v->about != NULL && v->about[0] != '\0')
        ln_xml_attribute(out, "description", v->about);
    ln_xml_attribute(out, "causality", causality_of(v));
    ln_xml_attribute(out, "variability",
                     v->kind == LN_FMU_PARAMETER ? "tunable"
                     : v->is_discrete            ? "discrete"
                                                 : "continuous");
    if (v->kind == LN_FMU_PARAMETER || v->kind == LN_FMU_STATE)
        ln_text_add(out, " initial=\"exact\"");
    else if (v->kind != LN_FMU_TIME && v->kind != LN_FMU_INPUT)
        ln_text_add(out, " initial=\"calculated\"");
}

static void add_numbers(ln_text *out, const ln_fmu_variable *v) {
    if (v->unit != NULL && v->type == LN_FMU_FLOAT64)
        ln_xml_attribute(out, "unit", v->unit);
    if (v->nominal > 0)
        add_number(out, "nominal", v->nominal);
    if (v->param != NULL && isfinite(v->param->min))
        add_number(out, "min", v->param->min);
    if (v->param != NULL && isfinite(v->param->max))
        add_number(out, "max", v->param->max);
    if (v->start == NULL)
        return;
    ln_text_add(out, " start=\"");
    for (int i = 0; i < v->count; i++) {
        char digits[32];
        ln_number_format(digits, v->start[i]);
        ln_text_printf(out, "%s%s", i > 0 ? " " : "", digits);
    }
    ln_text_add(out, "\"");
}

static void add_variable_2(const ln_fmu_writer *w, ln_text *out, int k) {
    const ln_fmu_variable *v = &w->variable[k];
    ln_text_add(out, "    <ScalarVariable");
    add_role(w, out, k);
    ln_text_add(out, "><Real");
    add_numbers(out, v);
    if (v->of >= 0)
        ln_text_printf(out, " derivative=\"%d\"", v->of + 1);
    ln_text_add(out, "/></ScalarVariable>\n");
}

static void add_variable_3(const ln_fmu_writer *w, ln_text *out, int k) {
    static const char *const types[] = {"Float64", "Int32", "Boolean"};
    const ln_fmu_variable *v = &w->variable[k];
    ln_text_printf(out, "    <%s", types[v->type]);
    add_role(w, out, k);
    add_numbers(out, v);
    if (v->of >= 0)
        ln_text_printf(out, " derivative=\"%d\"", v->of);
    if (v->rows == 0) {
        ln_text_add(out, "/>\n");
        return;
    }
    ln_text_printf(out, "><Dimension start=\"%d\"/>", v->rows);
    if (v->cols > 0)
        ln_text_printf(out, "<Dimension start=\"%d\"/>", v->cols);
    ln_text_printf(out, "</%s>\n", types[v->type]);
}

/* ---- structure ---- */

static int is_output(const ln_fmu_variable *v) {
    return v->kind == LN_FMU_OUTPUT || v->is_output;
}
static int is_rate(const ln_fmu_variable *v) {
    return v->kind == LN_FMU_RATE;
}
static int is_initial(const ln_fmu_variable *v) {
    return v->kind == LN_FMU_OUTPUT || v->kind == LN_FMU_RATE;
}
static int is_indicator(const ln_fmu_variable *v) {
    return v->kind == LN_FMU_INDICATOR;
}

static void add_unknowns_2(const ln_fmu_writer *w, ln_text *out, const char *name,
                           int (*belongs)(const ln_fmu_variable *v)) {
    int any = 0;
    for (int k = 0; k < w->nvariables; k++) {
        if (!belongs(&w->variable[k]))
            continue;
        if (!any++)
            ln_text_printf(out, "    <%s>\n", name);
        ln_text_printf(out, "      <Unknown index=\"%d\"/>\n", k + 1);
    }
    if (any)
        ln_text_printf(out, "    </%s>\n", name);
}

static void add_unknowns_3(const ln_fmu_writer *w, ln_text *out, const char *name,
                           int (*belongs)(const ln_fmu_variable *v)) {
    for (int k = 0; k < w->nvariables; k++)
        if (belongs(&w->variable[k]))
            ln_text_printf(out, "    <%s valueReference=\"%d\"/>\n", name, k);
}

static void add_structure(const ln_fmu_writer *w, ln_text *out) {
    ln_text_add(out, "  <ModelStructure>\n");
    if (w->version == 2) {
        add_unknowns_2(w, out, "Outputs", is_output);
        add_unknowns_2(w, out, "Derivatives", is_rate);
        add_unknowns_2(w, out, "InitialUnknowns", is_initial);
    } else {
        add_unknowns_3(w, out, "Output", is_output);
        add_unknowns_3(w, out, "ContinuousStateDerivative", is_rate);
        add_unknowns_3(w, out, "InitialUnknown", is_initial);
        add_unknowns_3(w, out, "EventIndicator", is_indicator);
    }
    ln_text_add(out, "  </ModelStructure>\n");
}

/* ---- the files ---- */

void ln_fmu_description(const ln_fmu_writer *w, ln_text *out) {
    const ln_plan *plan = w->c->plan;
    const char *name = plan->network->name;
    const ln_program *guards = w->exchange ? plan->guards.program : NULL;
    ln_text_printf(out,
                   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription "
                   "fmiVersion=\"%s\"",
                   w->version == 2 ? "2.0" : "3.0");
    ln_xml_attribute(out, "modelName", name != NULL && name[0] != '\0' ? name : w->c->name);
    ln_xml_attribute(out, w->version == 2 ? "guid" : "instantiationToken", w->token);
    ln_text_printf(out, " generationTool=\"Linnet %s\" variableNamingConvention=\"flat\"",
                   linnet_version());
    if (w->version == 2)
        ln_text_printf(out, " numberOfEventIndicators=\"%d\"",
                       guards != NULL ? guards->noutputs : 0);
    ln_text_add(out, ">\n");
    if (w->exchange)
        (w->version == 2 ? add_interface_2 : add_interface_3)(w, out, "ModelExchange");
    (w->version == 2 ? add_interface_2 : add_interface_3)(w, out, "CoSimulation");
    add_units(w, out);
    add_experiment(w, out);
    if (w->version == 2)
        add_annotation(w, out);
    ln_text_add(out, "  <ModelVariables>\n");
    for (int k = 0; k < w->nvariables; k++)
        (w->version == 2 ? add_variable_2 : add_variable_3)(w, out, k);
    ln_text_add(out, "  </ModelVariables>\n");
    add_structure(w, out);
    if (w->version == 3)
        add_annotation(w, out);
    ln_text_add(out, "</fmiModelDescription>\n");
}

/* sources/buildDescription.xml of FMI 3. */
void ln_fmu_build(const ln_fmu_writer *w, ln_text *out) {
    ln_text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<fmiBuildDescription fmiVersion=\"3.0\">\n  <BuildConfiguration");
    ln_xml_attribute(out, "modelIdentifier", w->c->name);
    ln_text_add(out, ">\n    <SourceFileSet language=\"C99\">\n");
    for (const char *const *name = w->source; *name != NULL; name++) {
        ln_text_add(out, "      <SourceFile");
        ln_xml_attribute(out, "name", *name);
        ln_text_add(out, "/>\n");
    }
    ln_text_add(out, "    </SourceFileSet>\n    <Library name=\"m\" external=\"true\"/>\n"
                     "  </BuildConfiguration>\n</fmiBuildDescription>\n");
}

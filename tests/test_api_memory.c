/* SPDX-License-Identifier: MIT */
/* The public API while memory fails: one allocation in each pass through a model's life. Every call
 * ends with LINNET_OK or LINNET_MEMORY, and says so where it can; what was given before stays; all
 * memory is given back. */
#include "base/sys.h"
#include "unit.h"

#include <linnet/analyses.h>

static const char text[] =
    "<model name='rc' xmlns='urn:linnet:model:1'><parameter name='load' value='1 kOhm'/>\n"
    "<ground id='gnd' p='0'/><voltage-source id='V1' p='in' n='0' V='1 V'/>\n"
    "<resistor id='R1' p='in' n='out' R='load'/><capacitor id='C1' p='out' n='0' C='1 uF'/>\n"
    "<simulation duration='1 ms' step='0.1 ms'/><record signals='out R1.i'/></model>";

static long calls, target, blocks;
static void *allocate(size_t bytes) {
    void *block = ++calls == target ? NULL : ln_sys_real.allocate(bytes);
    blocks += block != NULL;
    return block;
}
static void *resize(void *old, size_t bytes) {
    void *block = ++calls == target ? NULL : ln_sys_real.resize(old, bytes);
    blocks += block != NULL && old == NULL;
    return block;
}
static void release(void *block) {
    blocks -= block != NULL;
    ln_sys_real.release(block);
}

static int is_fine(linnet_status status) {
    return status == LINNET_OK || status == LINNET_MEMORY;
}

static void set_up(linnet_model *model) {
    const linnet_status first = linnet_allow_folder(model, "/tmp");
    CU_ASSERT(is_fine(first) && is_fine(linnet_allow_folder(model, "/")));
    CU_ASSERT(is_fine(linnet_load_text(model, "rc.xml", text, strlen(text))));
    CU_ASSERT(is_fine(linnet_set(model, "load", "2 kOhm")));
    CU_ASSERT(is_fine(linnet_measure(model, "last=final(out)")));
}

/* What needs a model that could be read. */
static void use(linnet_model *model) {
    linnet_result *result = NULL;
    linnet_list *list = NULL;
    linnet_modes *modes = NULL;
    linnet_state_space *space = NULL;
    linnet_stepping *stepping = NULL;
    static const char *const vary[] = {"load=1 kOhm,3 kOhm"};
    const double frequency = 100;
    CU_ASSERT(is_fine(linnet_run_memory(model, NULL, &result)));
    linnet_result_free(result);
    CU_ASSERT(is_fine(linnet_list_names(model, LINNET_LIST_PARAMETERS, &list)));
    linnet_list_free(list);
    CU_ASSERT(is_fine(linnet_operating_point(model, &result)));
    linnet_result_free(result);
    CU_ASSERT(is_fine(linnet_eigenvalues(model, NULL, 0, &modes)));
    linnet_modes_free(modes);
    CU_ASSERT(is_fine(linnet_response(model, NULL, "V1", "out", &frequency, 1, &result)));
    linnet_result_free(result);
    CU_ASSERT(is_fine(linnet_linearise(model, NULL, "V1", "out", &space)));
    linnet_state_space_free(space);
    CU_ASSERT(is_fine(linnet_sweep(model, &(linnet_sweep_plan){vary, 1, 0, 1}, 1, &result)));
    linnet_result_free(result);
    if (linnet_begin(model, &stepping) == LINNET_OK)
        CU_ASSERT(is_fine(linnet_step(stepping, 0.5e-3)));
    linnet_finish(stepping);
}

static void live(void) {
    linnet_model *model = linnet_model_new();
    if (model == NULL)
        return;
    set_up(model);
    if (linnet_diagnostic_count(model) == 0)
        use(model);
    CU_ASSERT(linnet_measure(model, NULL) == LINNET_OK);
    linnet_model_free(model);
}

/* Every allocation of reading and setting, of the rest every 157th. */
static void test_short_memory(void) {
    ln_sys_table table = ln_sys_real;
    table.allocate = allocate, table.resize = resize, table.release = release;
    table.arena_pieces = 1;
    live(); /* what is made once stays */
    ln_sys = &table;
    target = calls = blocks = 0;
    live();
    const long all = calls, kept = blocks;
    CU_ASSERT(all > 1000);
    for (target = 1; target <= all; target += target < 200 ? 1 : 157) {
        calls = blocks = 0;
        live();
        CU_ASSERT(blocks <= kept);
        if (blocks > kept)
            printf("\n    call %ld of %ld: %ld blocks are not given back", target, all, blocks);
    }
    ln_sys = &ln_sys_real;
}

/* A type with arrays: each of its elements is read in an arena of its own, and a name that did not
 * fit in there was told as unknown. */
static const char arrays[] =
    "<model name='a' xmlns='urn:linnet:model:1'><block-type name='z'><output name='y'/>\n"
    "<parameter name='n' integer='yes' default='2' min='1'/><state name='x' size='n'/>\n"
    "<let name='d' size='n' index='i' value='noevent(abs(x[i]))*2'/>\n"
    "<let name='s' size='n' index='i' value='noevent(max(d[i], 1))'/>\n"
    "<equation for='i = 1 .. n'>der(x[i]) = if(i eq 1, 1, s[1]) - s[i]</equation>\n"
    "<equation>y = s[2]</equation></block-type><z id='z1' y='y'/><simulation "
    "duration='1'/></model>";

static linnet_status read_arrays(int *errors) {
    linnet_model *model = linnet_model_new();
    linnet_list *list = NULL;
    if (model == NULL)
        return LINNET_MEMORY;
    linnet_status status = linnet_load_text(model, "a.xml", arrays, strlen(arrays));
    if (status == LINNET_OK)
        status = linnet_list_names(model, LINNET_LIST_SIGNALS, &list);
    *errors = linnet_diagnostic_count(model);
    linnet_list_free(list);
    linnet_model_free(model);
    return status;
}

static void test_arrays(void) {
    int errors = 0;
    ln_sys_table table = ln_sys_real;
    table.allocate = allocate, table.resize = resize, table.release = release;
    table.arena_pieces = 1;
    CU_ASSERT(read_arrays(&errors) == LINNET_OK && errors == 0);
    ln_sys = &table;
    target = calls = 0;
    (void)read_arrays(&errors);
    const long all = calls;
    for (target = 1; target <= all; target++) {
        calls = 0;
        const linnet_status status = read_arrays(&errors);
        CU_ASSERT(is_fine(status));
        if (!is_fine(status))
            printf("\n    call %ld of %ld: status %d", target, all, (int)status);
    }
    ln_sys = &ln_sys_real;
}

UNIT_MAIN({"memory runs short", test_short_memory}, {"of arrays in a type", test_arrays})

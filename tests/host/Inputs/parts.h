/* Included before a generated program: its regions run in three parts on the process's device, by
   the rows of their tables. For each leaf that fits, and each of its launches that is cut: every
   part gets arrays in which all bytes that none of its rows reads are 0xA5, and may change only
   bytes that one of its rows writes; these make up the result. All leaves have to leave the same.
   Prints how many leaves and parts there were, and what is wrong. */
#include "runtime/tables.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 3, ARRAYS = 16, POISON = 0xA5 };

struct parts_run {
    const struct treefork_region *region;
    struct treefork_device *device;
    struct treefork_evaluation evaluation;
    struct treefork_argument *arguments; /* with two more at the end, and one for each array */
    struct treefork_binding bindings[16];
    size_t n_bindings, bytes[ARRAYS];
    char *arrays[ARRAYS], *seen[ARRAYS], *before[ARRAYS], *may[ARRAYS], *result[ARRAYS];
    int leaves, parts, faults;
};

static struct parts_run parts_total;

static void parts_fault(struct parts_run *run, const char *text)
{
    if (run->faults++ < 5)
        printf("%s: %s (%s)\n", run->region->name, text, treefork_message());
}

/* The bytes of a row of the part f up to t. */
static void parts_mark(struct parts_run *run, const struct treefork_part_row *row, treefork_int f,
                       treefork_int t)
{
    struct treefork_part_bytes b;
    if (!treefork_evaluation_part(&run->evaluation, row, f, t, &b))
        parts_fault(run, "a row leaves 64 bits");
    for (treefork_int p = 0; p < b.pieces; p++)
        for (treefork_int i = 0; i < b.length; i++) {
            size_t at = (size_t)(b.offset + p * b.pitch + i);
            if (at < run->bytes[row->array])
                run->may[row->array][at] |= (char)((b.reads ? 1 : 0) | (b.writes ? 2 : 0));
            else
                parts_fault(run, "a row ends behind its array");
        }
}

static void parts_prepare(struct parts_run *run, const struct treefork_cut_row *cut, treefork_int f,
                          treefork_int t)
{
    for (size_t a = 0; a < run->region->n_arrays; a++)
        memset(run->may[a], 0, run->bytes[a]);
    for (size_t i = 0; i < cut->count; i++)
        parts_mark(run, &run->region->parts[cut->first + i], f, t);
    for (size_t a = 0; a < run->region->n_arrays; a++)
        for (size_t i = 0; i < run->bytes[a]; i++)
            run->seen[a][i] = run->before[a][i] =
                run->may[a][i] & 1 ? run->arrays[a][i] : (char)POISON;
}

static void parts_finish(struct parts_run *run)
{
    for (size_t a = 0; a < run->region->n_arrays; a++) {
        treefork_host(run->device, run->seen[a], TREEFORK_READ);
        for (size_t i = 0; i < run->bytes[a]; i++)
            if (run->may[a][i] & 2)
                run->result[a][i] = run->seen[a][i];
            else if (run->seen[a][i] != run->before[a][i])
                parts_fault(run, "a part writes bytes that none of its rows writes");
        treefork_release(run->device, run->seen[a]);
    }
}

/* The part f up to t of the axis, whose blocks are `unit` rows of the plane or one of a row. */
static void parts_launch(struct parts_run *run, struct treefork_launch plan,
                         const struct treefork_cut_row *cut, treefork_int f, treefork_int t,
                         treefork_int unit)
{
    const struct treefork_region *region = run->region;
    struct treefork_argument *arrays = run->arguments + region->n_parameters;
    treefork_int rows = plan.blocks / plan.grid_width;
    parts_prepare(run, cut, f, t);
    for (size_t a = 0; a < region->n_arrays; a++)
        if (treefork_use(run->device, run->seen[a], run->bytes[a], TREEFORK_READ | TREEFORK_WRITE,
                         &arrays[a].value.buffer))
            parts_fault(run, "an array is refused");
    plan.blocks = unit ? (t - f) * unit * plan.grid_width : (t - f) * rows;
    plan.grid_width = unit ? plan.grid_width : t - f;
    arrays[region->n_arrays].value.i = unit ? 0 : f;
    arrays[region->n_arrays + 1].value.i = unit ? f * unit : 0;
    plan.part = 1;
    plan.n_arguments = region->n_parameters + 2 * (size_t)region->n_arrays + 2;
    plan.arguments = run->arguments;
    plan.n_bindings = run->n_bindings;
    plan.bindings = run->bindings;
    if (treefork_run(run->device, &plan))
        parts_fault(run, "a part does not run");
    parts_finish(run);
    parts_total.parts++;
}

/* False if the launch is not cut. */
static int parts_cut(struct parts_run *run, const struct treefork_leaf_row *leaf, int launch)
{
    const struct treefork_region *region = run->region;
    const struct treefork_launch_row *row = &region->launches[leaf->first + launch];
    const struct treefork_cut_row *cut = &region->cuts[leaf->first + launch];
    const uint16_t *grid = region->lists + row->grid;
    struct treefork_launch plan = {0};
    treefork_int blocks = 0, between, unit = cut->axis + 1 < grid[0];
    if (cut->axis == TREEFORK_NONE ||
        treefork_evaluation_plan(&run->evaluation, row, leaf->id, &plan))
        return 0;
    if (plan.blocks == 0)
        return 1;
    treefork_evaluation_value(&run->evaluation, grid[1 + cut->axis], &blocks);
    for (int i = 1; unit && i < grid[0] - 1; i++) {
        treefork_evaluation_value(&run->evaluation, grid[1 + i], &between);
        unit *= between;
    }
    for (size_t a = 0; a < region->n_arrays; a++)
        memcpy(run->result[a], run->arrays[a], run->bytes[a]);
    for (int g = PARTS - 1; g >= 0; g--) {
        treefork_int f = blocks * g / PARTS, t = blocks * (g + 1) / PARTS;
        if (t > f)
            parts_launch(run, plan, cut, f, t, unit);
    }
    for (size_t a = 0; a < region->n_arrays; a++)
        memcpy(run->arrays[a], run->result[a], run->bytes[a]);
    return 1;
}

/* Of all tunables the same number, the greatest that divides what it has to. */
static void parts_choose(struct parts_run *run, treefork_int *integers)
{
    const struct treefork_region *region = run->region;
    for (int n = 4; n >= 1; n--) {
        for (size_t i = 0; i < region->n_tunables; i++) {
            size_t parameter = region->tunables[i].parameter;
            run->arguments[parameter].value.i = n;
            integers[region->parameters[parameter].integer] = n;
        }
        treefork_evaluation_set(&run->evaluation, treefork_device_machine(run->device), integers);
        if (treefork_evaluation_exact(&run->evaluation))
            return;
    }
}

static void parts_begin(struct parts_run *run, const struct treefork_argument *arguments)
{
    const struct treefork_region *region = run->region;
    treefork_int integers[64];
    run->arguments = calloc(region->n_parameters + 2 * (size_t)region->n_arrays + 2,
                            sizeof *run->arguments);
    memcpy(run->arguments, arguments,
           (region->n_parameters + (size_t)region->n_arrays) * sizeof *arguments);
    for (int i = 0; i < 2; i++)
        run->arguments[region->n_parameters + region->n_arrays + i].type = TREEFORK_I32;
    for (size_t a = 0; a < region->n_arrays; a++)
        run->arguments[region->n_parameters + region->n_arrays + 2 + a].type = TREEFORK_I64;
    for (size_t i = 0; i < region->n_parameters; i++)
        if (region->parameters[i].integer != TREEFORK_NONE)
            integers[region->parameters[i].integer] = arguments[i].value.i;
    treefork_evaluation_new(region, &run->evaluation);
    parts_choose(run, integers);
    for (size_t i = 0; i < region->n_parameters; i++)
        if (region->parameters[i].bound)
            run->bindings[run->n_bindings++] = (struct treefork_binding){
                region->parameters[i].name, run->arguments[i].value.i};
}

static void parts_copy(struct parts_run *run, const void *const *arrays)
{
    for (size_t a = 0; a < run->region->n_arrays; a++)
        memcpy(run->arrays[a], arrays[a], run->bytes[a]);
}

/* The leaf from the region's data on; its results are in run->arrays. */
static int parts_leaf(struct parts_run *run, const struct treefork_leaf_row *leaf,
                      const void *const *arrays)
{
    int is_cut = treefork_evaluation_fits(&run->evaluation, leaf, NULL);
    parts_copy(run, arrays);
    for (int i = 0; i < leaf->count && is_cut; i++)
        is_cut = parts_cut(run, leaf, i);
    return is_cut;
}

static int parts_region_run(const struct treefork_region *region,
                            struct treefork_argument *arguments, const void *const *arrays,
                            int automatic)
{
    struct parts_run run = {.region = region, .device = treefork_default()};
    char *first[ARRAYS] = {NULL};
    (void)automatic;
    parts_begin(&run, arguments);
    for (size_t a = 0; a < region->n_arrays; a++) {
        treefork_int bytes = 0;
        treefork_evaluation_bytes(&run.evaluation, a, &bytes);
        char **const copies[] = {&run.arrays[a], &run.seen[a], &run.before[a],
                                 &run.may[a],    &run.result[a], &first[a]};
        run.bytes[a] = (size_t)bytes;
        for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
            *copies[i] = malloc(run.bytes[a] + 1);
    }
    for (size_t v = 0; v < region->n_leaves && region->cuts; v++) {
        if (!parts_leaf(&run, &region->leaves[v], arrays))
            continue;
        for (size_t a = 0; a < region->n_arrays; a++)
            if (run.leaves == 0)
                memcpy(first[a], run.arrays[a], run.bytes[a]);
            else if (memcmp(first[a], run.arrays[a], run.bytes[a]) != 0)
                parts_fault(&run, "leaves differ");
        run.leaves++;
    }
    for (size_t a = 0; a < region->n_arrays && run.leaves; a++)
        memcpy((void *)arrays[a], first[a], run.bytes[a]);
    for (size_t a = 0; a < region->n_arrays; a++) {
        char *const copies[] = {run.arrays[a], run.seen[a],   run.before[a],
                                run.may[a],    run.result[a], first[a]};
        for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
            free(copies[i]);
    }
    parts_total.leaves += run.leaves;
    parts_total.faults += run.faults;
    treefork_evaluation_free(&run.evaluation);
    free(run.arguments);
    return run.leaves ? TREEFORK_OK : TREEFORK_NO_DEVICE;
}

__attribute__((destructor)) static void parts_report(void)
{
    printf("%d leaves, %d parts, %d faults\n", parts_total.leaves, parts_total.parts,
           parts_total.faults);
}

#define treefork_region_run parts_region_run

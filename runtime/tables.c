/* The tables of generated programs, read. In: a region's tables, a machine, the region's integer
   parameters; out: whether a leaf fits, its launches, the model's figures and times, the fastest
   leaf. Nothing here knows a device.

   An evaluation holds the values of one region at one point. Operations are computed in their
   order, first those that fits and launches need, the others when a figure is asked for: leaves
   share them, so that a candidate of a choice costs each value once. A value that leaves 64 bits
   is marked; whoever uses it fails, and nobody else. */
#include "runtime/joined.h"
#include "runtime/several.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int treefork_layout_check(const char *kind, const char *name, int layout)
{
    if (layout == TREEFORK_TABLES)
        return TREEFORK_OK;
    return treefork_fail(
        TREEFORK_ARGUMENT,
        "the tables of %s %s have layout %d, and this libtreefork reads layout %d: generate the "
        "program again with the treefork that belongs to this library",
        kind, name, layout, TREEFORK_TABLES);
}

/* --- values ---------------------------------------------------------------------------------- */

int treefork_evaluation_new(const struct treefork_region *region, struct treefork_evaluation *e)
{
    memset(e, 0, sizeof *e);
    if (!region)
        return treefork_fail(TREEFORK_ARGUMENT, "there is no such region");
    int status = treefork_layout_check("region", region->name, region->layout);
    if (status)
        return status;
    size_t inputs = (size_t)region->n_constants + region->n_integers + region->n_machine,
           n = inputs + region->n_operations;
    e->region = region;
    e->inputs = inputs;
    e->value = calloc(n + 1, sizeof *e->value + 1);
    if (!e->value)
        return treefork_fail(TREEFORK_MEMORY, "no memory for the values of region %s",
                             region->name);
    e->wrong = (unsigned char *)(e->value + n + 1);
    memcpy(e->value, region->constants, region->n_constants * sizeof *e->value);
    return TREEFORK_OK;
}

void treefork_evaluation_free(struct treefork_evaluation *e)
{
    free(e->value);
    free(e->access);
    e->value = NULL;
    e->access = NULL;
}

void treefork_evaluation_set(struct treefork_evaluation *e, const struct treefork_machine *machine,
                             const treefork_int *values)
{
    const struct treefork_region *region = e->region;
    treefork_int *at = e->value + region->n_constants;
    e->machine = machine;
    e->done = 0;
    e->has_accesses = false;
    memcpy(at, values, region->n_integers * sizeof *at);
    at += region->n_integers;
    for (size_t i = 0; i < region->n_machine; i++)
        at[i] = machine->value[region->machine[i]];
}

/* a is marked unless it lies between lo and hi. */
static treefork_int kept_within(treefork_int a, treefork_int lo, treefork_int hi, int *wrong)
{
    *wrong |= a < lo || a > hi;
    return a;
}

#if defined __GNUC__ && __GNUC__ >= 5
#define CHECKED(name, a, b, wrong) \
    long long result; \
    *(wrong) |= __builtin_##name##_overflow(a, b, &result); \
    return (treefork_int)result
#else
#define CHECKED(name, a, b, wrong) return treefork_##name(a, b, wrong)
#endif
static treefork_int add(treefork_int a, treefork_int b, int *wrong)
{
    CHECKED(add, a, b, wrong);
}

static treefork_int sub(treefork_int a, treefork_int b, int *wrong)
{
    CHECKED(sub, a, b, wrong);
}

static treefork_int mul(treefork_int a, treefork_int b, int *wrong)
{
    CHECKED(mul, a, b, wrong);
}

static treefork_int ceil_multiple(treefork_int numerator, treefork_int denominator,
                                  treefork_int multiple, int *wrong)
{
    treefork_int unit = mul(multiple, denominator, wrong);
    if (*wrong || unit <= 0) {
        *wrong = 1;
        return 0;
    }
    return mul(multiple, numerator / unit + (numerator % unit > 0), wrong);
}

/* Computes the first `count` operations. */
static void evaluate(struct treefork_evaluation *e, size_t count)
{
    treefork_int *const value = e->value;
    unsigned char *const mark = e->wrong;
    for (size_t i = e->done; i < count; i++) {
        const struct treefork_operation o = e->region->operations[i];
        treefork_int a = value[o.a], b = value[o.b], result = 0;
        int wrong = mark[o.a] | mark[o.b];
        switch ((enum treefork_code)o.code) {
        case TREEFORK_OP_ADD: result = add(a, b, &wrong); break;
        case TREEFORK_OP_SUB: result = sub(a, b, &wrong); break;
        case TREEFORK_OP_MUL: result = mul(a, b, &wrong); break;
        case TREEFORK_OP_DIV: result = treefork_div(a, b, &wrong); break;
        case TREEFORK_OP_REM: result = treefork_rem(a, b, &wrong); break;
        case TREEFORK_OP_EQ: result = a == b; break;
        case TREEFORK_OP_NE: result = a != b; break;
        case TREEFORK_OP_LT: result = a < b; break;
        case TREEFORK_OP_LE: result = a <= b; break;
        case TREEFORK_OP_GT: result = a > b; break;
        case TREEFORK_OP_GE: result = a >= b; break;
        case TREEFORK_OP_NOT: result = !a; break;
        case TREEFORK_OP_BIT_NOT: result = ~a; break;
        case TREEFORK_OP_BIT_AND: result = a & b; break;
        case TREEFORK_OP_BIT_OR: result = a | b; break;
        case TREEFORK_OP_BIT_XOR: result = a ^ b; break;
        case TREEFORK_OP_SHIFT_RIGHT: result = a >> (b & 63); break;
        case TREEFORK_OP_AND:
            result = a && b;
            wrong = mark[o.a] || (a && mark[o.b]);
            break;
        case TREEFORK_OP_OR:
            result = a || b;
            wrong = mark[o.a] || (!a && mark[o.b]);
            break;
        case TREEFORK_OP_SELECT:
            result = value[a ? o.b : o.c];
            wrong = mark[o.a] | mark[a ? o.b : o.c];
            break;
        case TREEFORK_OP_LEAST: result = a < b ? a : b; break;
        case TREEFORK_OP_GREATEST: result = a > b ? a : b; break;
        case TREEFORK_OP_BOOL: result = a != 0; break;
        case TREEFORK_OP_I8: result = kept_within(a, INT8_MIN, INT8_MAX, &wrong); break;
        case TREEFORK_OP_U8: result = (uint8_t)a; break;
        case TREEFORK_OP_I16: result = kept_within(a, INT16_MIN, INT16_MAX, &wrong); break;
        case TREEFORK_OP_U16: result = (uint16_t)a; break;
        case TREEFORK_OP_I32: result = kept_within(a, INT32_MIN, INT32_MAX, &wrong); break;
        case TREEFORK_OP_U32: result = (uint32_t)a; break;
        case TREEFORK_OP_U64: result = kept_within(a, 0, INT64_MAX, &wrong); break;
        case TREEFORK_OP_CEIL: result = ceil_multiple(a, b, value[o.c], &wrong); break;
        case TREEFORK_OP_BOUND:
            result = ceil_multiple(a, b, value[o.c], &wrong);
            if (wrong)
                result = TREEFORK_UNLIMITED;
            wrong = 0;
            break;
        case TREEFORK_OP_WRONG:
        case TREEFORK_OPERATIONS: wrong = 1; break;
        }
        value[e->inputs + i] = result;
        mark[e->inputs + i] = (unsigned char)wrong;
    }
    if (e->done < count)
        e->done = count;
}

static treefork_int value_of(const struct treefork_evaluation *e, uint16_t number, int *wrong)
{
    *wrong |= e->wrong[number];
    return e->value[number];
}

/* --- leaves ---------------------------------------------------------------------------------- */

const struct treefork_leaf_row *treefork_leaf_find(const struct treefork_region *region, int leaf)
{
    for (size_t i = 0; i < region->n_leaves; i++)
        if (region->leaves[i].id == leaf)
            return &region->leaves[i];
    return NULL;
}

static const struct treefork_launch_row *launch_find(const struct treefork_region *region, int leaf,
                                                     int launch)
{
    const struct treefork_leaf_row *row = treefork_leaf_find(region, leaf);
    return row && launch >= 0 && launch < row->count ? &region->launches[row->first + launch]
                                                     : NULL;
}

bool treefork_evaluation_fits(struct treefork_evaluation *e, const struct treefork_leaf_row *leaf,
                              struct treefork_trace *trace)
{
    struct treefork_walk walk = {.trace = trace};
    const uint16_t *list = e->region->lists + leaf->fits;
    evaluate(e, e->region->n_shape);
    for (size_t i = 1; i <= list[0]; i++) {
        const struct treefork_condition *c = &e->region->conditions[list[i]];
        walk.step = e->wrong[c->left] | e->wrong[c->right];
        if (!treefork_holds(&walk, c->text, e->value[c->left], (enum treefork_relation)c->relation,
                            e->value[c->right]))
            return false;
    }
    return true;
}

bool treefork_evaluation_exact(struct treefork_evaluation *e)
{
    const uint16_t *list = e->region->lists + e->region->exact;
    evaluate(e, e->region->n_shape);
    for (size_t i = 1; i <= list[0]; i++)
        if (e->wrong[list[i]] || e->value[list[i]] != 0)
            return false;
    return true;
}

bool treefork_evaluation_overwrites(struct treefork_evaluation *e, size_t array)
{
    const uint16_t *list = e->region->lists + e->region->arrays[array].overwrites;
    evaluate(e, e->region->n_shape);
    for (size_t i = 1; i <= list[0]; i++)
        if (e->wrong[list[i]] || e->value[list[i]] == 0)
            return false;
    return true;
}

/* Number of points of a box; 0 if an extent is not positive. */
static treefork_int box_points(const struct treefork_evaluation *e, uint16_t extents, int *wrong)
{
    const uint16_t *list = e->region->lists + extents;
    treefork_int points = 1, extent;
    for (size_t i = 1; i <= list[0]; i++) {
        extent = value_of(e, list[i], wrong);
        points = extent <= 0 || points == 0 ? 0 : mul(points, extent, wrong);
    }
    return points;
}

/* Registers per thread that the driver's compiler may use: min(R_B, max(24,
 * ceil8(numerator/denominator))). */
static int register_budget(const struct treefork_machine *machine, treefork_int numerator,
                           treefork_int denominator)
{
    treefork_int need = numerator / denominator + (numerator % denominator > 0);
    const treefork_int any = TREEFORK_REGISTERS_MOST;
    treefork_int most = machine->value[TREEFORK_R_B] < any ? machine->value[TREEFORK_R_B] : any;
    if (need < 24)
        need = 24;
    need = need > any ? any : (need + 7) / 8 * 8;
    return (int)(need < most ? need : most);
}

/* Threads of a kernel that runs with any block: as many as wanted and as the device allows. */
static treefork_int clamped(const struct treefork_machine *machine, treefork_int threads,
                            int registers)
{
    treefork_int most = machine->value[TREEFORK_T_B], file = machine->value[TREEFORK_F_B];
    treefork_int unit = machine->value[TREEFORK_W_B] * machine->value[TREEFORK_Q_B];
    if (file != TREEFORK_UNLIMITED && registers > 0 && unit > 0 &&
        file / registers / unit * unit < most)
        most = file / registers / unit * unit;
    if (threads > most)
        threads = most;
    return threads < 1 ? 1 : threads;
}

/* The points of a strided band are counted in int on the device. */
static bool countable(const struct treefork_evaluation *e, uint16_t boxes, int *wrong)
{
    const uint16_t *list = e->region->lists + boxes;
    for (size_t i = 1; i <= list[0]; i++)
        if (box_points(e, list[i], wrong) > INT32_MAX - 65536)
            return false;
    return true;
}

/* The last extent of a box; 0 if it has none. */
static treefork_int box_width(const struct treefork_evaluation *e, uint16_t extents, int *wrong)
{
    const uint16_t *list = e->region->lists + extents;
    return list[0] ? value_of(e, list[list[0]], wrong) : 0;
}

int treefork_evaluation_plan(struct treefork_evaluation *e, const struct treefork_launch_row *row,
                             int leaf, struct treefork_launch *plan)
{
    int wrong = 0;
    evaluate(e, e->region->n_shape);
    plan->module = &e->region->modules[row->module];
    plan->kernel = plan->module->name;
    plan->blocks = box_points(e, row->grid, &wrong);
    plan->threads = box_points(e, row->block, &wrong);
    if (plan->threads == 0)
        plan->blocks = 0;
    plan->grid_width = box_width(e, row->grid, &wrong);
    plan->block_width = row->any_block ? 0 : box_width(e, row->block, &wrong);
    plan->registers = 0;
    if (row->registers != TREEFORK_NONE)
        plan->registers = register_budget(e->machine, value_of(e, row->registers, &wrong),
                                          value_of(e, row->divisor, &wrong));
    plan->shared_bytes = 0;
    if (row->shared != TREEFORK_NONE) {
        treefork_int bytes = value_of(e, row->shared, &wrong);
        plan->shared_bytes = bytes < 4 ? 4 : bytes;
    }
    if (!countable(e, row->points, &wrong) || wrong)
        return treefork_fail(TREEFORK_OVERFLOW, "an extent of leaf %d is too large", leaf);
    if (row->any_block)
        plan->threads = clamped(e->machine, plan->threads, plan->registers);
    return TREEFORK_OK;
}

int treefork_evaluation_bytes(struct treefork_evaluation *e, size_t array, treefork_int *bytes)
{
    const struct treefork_array_row *row = &e->region->arrays[array];
    int wrong = 0;
    evaluate(e, e->region->n_shape);
    *bytes = value_of(e, row->bytes, &wrong);
    if (wrong || *bytes < 0)
        return treefork_fail(TREEFORK_OVERFLOW, "the extent of %s leaves 64 bits", row->name);
    return TREEFORK_OK;
}

/* --- figures --------------------------------------------------------------------------------- */

/* A list of pairs of values; their number. */
static int pairs_fill(const struct treefork_evaluation *e, uint16_t pairs, treefork_int *first,
                      treefork_int *second, int *wrong)
{
    const uint16_t *list = e->region->lists + pairs;
    int n = list[0] / 2 < TREEFORK_AXES ? list[0] / 2 : TREEFORK_AXES;
    for (int i = 0; i < n; i++) {
        first[i] = value_of(e, list[1 + 2 * i], wrong);
        second[i] = value_of(e, list[2 + 2 * i], wrong);
    }
    return n;
}

static int access_fill(const struct treefork_evaluation *e, const struct treefork_access_row *row,
                       struct treefork_access *access)
{
    int wrong = 0;
    access->bytes = row->bytes;
    access->shared = row->shared;
    access->affine = row->affine;
    access->overlaps = row->overlaps;
    access->address = row->address;
    access->advance = row->advance;
    access->in_loop = row->in_loop;
    access->slopes = row->slopes;
    access->rounds = value_of(e, row->rounds, &wrong);
    access->waits = value_of(e, row->waits, &wrong);
    access->n_axes = pairs_fill(e, row->axes, access->extent, access->stride, &wrong);
    access->n_loops = pairs_fill(e, row->loops, access->trip, access->step, &wrong);
    return wrong;
}

/* A run whose choice is remembered asks for no figures. */
static int accesses_allocate(struct treefork_evaluation *e)
{
    size_t n = e->region->n_accesses;
    if (e->access)
        return TREEFORK_OK;
    e->access = calloc(n + 1, sizeof *e->access + sizeof *e->warps + 1);
    if (!e->access)
        return treefork_fail(TREEFORK_MEMORY, "no memory for the figures of region %s",
                             e->region->name);
    e->warps = (struct treefork_warp *)(e->access + n + 1);
    e->access_wrong = (unsigned char *)(e->warps + n + 1);
    return TREEFORK_OK;
}

/* All accesses of the region, once for all leaves. */
static int accesses_fill(struct treefork_evaluation *e)
{
    if (e->has_accesses)
        return TREEFORK_OK;
    int status = accesses_allocate(e);
    if (status)
        return status;
    evaluate(e, e->region->n_figures);
    for (size_t i = 0; i < e->region->n_accesses; i++)
        e->access_wrong[i] = (unsigned char)access_fill(e, &e->region->accesses[i], &e->access[i]);
    memset(e->warps, 0, e->region->n_accesses * sizeof *e->warps);
    e->has_accesses = true;
    return TREEFORK_OK;
}

/* Bytes of all arrays together; 0 if they are not known. */
static treefork_int footprint(const struct treefork_evaluation *e, int *wrong)
{
    treefork_int sum = 0;
    int unknown = 0, overflow = 0;
    for (size_t i = 0; i < e->region->n_arrays; i++) {
        treefork_int bytes = value_of(e, e->region->arrays[i].bytes, &unknown);
        unknown |= bytes < 0;
        sum = add(sum, bytes, &overflow);
    }
    if (unknown)
        return 0;
    *wrong |= overflow;
    return sum;
}

/* The figures of what the launch would run. */
static const struct treefork_figure_row *figures_find(const struct treefork_evaluation *e,
                                                      const struct treefork_launch_row *row,
                                                      const struct treefork_module *module)
{
    bool is_general = row->general != TREEFORK_NONE && e->texts &&
                      e->texts->is_general(e->texts, module);
    return &e->region->figures[is_general ? row->general : row->figures];
}

int treefork_evaluation_figures(struct treefork_evaluation *e,
                                const struct treefork_launch_row *row, int leaf,
                                const struct treefork_launch *plan,
                                struct treefork_figures *figures)
{
    const struct treefork_figure_row *f = figures_find(e, row, plan->module);
    const uint16_t *list = e->region->lists + f->accesses;
    int wrong = 0;
    int status = accesses_fill(e);
    if (status)
        return status;
    figures->blocks = plan->blocks;
    figures->threads = plan->threads;
    figures->registers = plan->registers;
    figures->shared_bytes = plan->shared_bytes;
    figures->width = plan->block_width;
    figures->floats = value_of(e, f->floats, &wrong);
    figures->doubles = value_of(e, f->doubles, &wrong);
    figures->instructions = value_of(e, f->instructions, &wrong);
    figures->barriers = value_of(e, f->barriers, &wrong);
    figures->alone = value_of(e, f->alone, &wrong);
    figures->loops = value_of(e, f->loops, &wrong);
    figures->footprint = footprint(e, &wrong);
    figures->n_accesses = list[0] / 4u;
    figures->accesses = e->access;
    figures->order = list + 1;
    figures->values = e->value;
    figures->warps = e->warps;
    for (size_t i = 0; i < figures->n_accesses; i++)
        wrong |= e->access_wrong[list[1 + 4 * i]] | e->wrong[list[4 + 4 * i]];
    if (wrong)
        return treefork_fail(TREEFORK_OVERFLOW, "a figure of leaf %d leaves 64 bits", leaf);
    return TREEFORK_OK;
}

static int launch_predict(struct treefork_evaluation *e, const struct treefork_launch_row *row,
                          int leaf, const struct treefork_launch *plan,
                          struct treefork_prediction *prediction)
{
    struct treefork_figures figures = {0};
    if (row->figures == TREEFORK_NONE) {
        *prediction = (struct treefork_prediction){.nanoseconds = NO_TIME, .bound = "unknown"};
        return TREEFORK_OK;
    }
    int status = treefork_evaluation_figures(e, row, leaf, plan, &figures);
    return status ? status : treefork_predict(e->machine, &figures, prediction);
}

int treefork_evaluation_predict(struct treefork_evaluation *e, const struct treefork_leaf_row *leaf,
                                treefork_int *threads, struct treefork_prediction *prediction)
{
    int status = TREEFORK_OK;
    for (size_t i = 0; status == TREEFORK_OK && i < leaf->count; i++) {
        const struct treefork_launch_row *row = &e->region->launches[leaf->first + i];
        struct treefork_launch plan = {0};
        struct treefork_prediction now = {0};
        status = treefork_evaluation_plan(e, row, leaf->id, &plan);
        if (status == TREEFORK_OK)
            status = launch_predict(e, row, leaf->id, &plan, &now);
        *threads = i == 0 || plan.threads < *threads ? plan.threads : *threads;
        if (i == 0)
            *prediction = now;
        else if (treefork_joins_launches(e->machine) && row[-1].joined != TREEFORK_NONE)
            treefork_prediction_join(e->machine, prediction, &now);
        else
            treefork_prediction_add(prediction, &now);
    }
    return status;
}

/* On several devices the time of as many of them as would be taken. */
static void time_share(struct treefork_evaluation *e, const struct treefork_leaf_row *leaf,
                       struct treefork_prediction *time)
{
    struct treefork_several_time shared;
    if (!e->several)
        return;
    treefork_several_choose(e, e->several, leaf, &shared);
    time->nanoseconds = shared.nanoseconds;
}

/* The leaf's time as choices compare it; false if it does not fit or has none. */
static bool leaf_time(struct treefork_evaluation *e, const struct treefork_leaf_row *leaf,
                      struct treefork_prediction *time)
{
    treefork_int threads = 0;
    *time = (struct treefork_prediction){0};
    if (!treefork_evaluation_fits(e, leaf, NULL) ||
        treefork_evaluation_predict(e, leaf, &threads, time) != TREEFORK_OK)
        return false;
    time_share(e, leaf, time);
    treefork_handicap(e->machine, threads, leaf->safe && e->region->n_leaves > 1, time);
    return true;
}

int treefork_evaluation_best(struct treefork_evaluation *e, int only,
                             struct treefork_prediction *best)
{
    int found = 0;
    for (size_t i = 0; i < e->region->n_leaves; i++) {
        const struct treefork_leaf_row *leaf = &e->region->leaves[i];
        struct treefork_prediction now;
        bool is_possible = (only == 0 || leaf->id == only) && leaf_time(e, leaf, &now);
        if (is_possible && (!found || treefork_faster(&now, best))) {
            *best = now;
            found = leaf->id;
        }
    }
    return found;
}

bool treefork_evaluation_value(struct treefork_evaluation *e, uint16_t number, treefork_int *value)
{
    evaluate(e, number < e->inputs ? 0 : number - e->inputs + 1);
    *value = e->value[number];
    return !e->wrong[number];
}

/* --- one question at a time ------------------------------------------------------------------ */

/* An evaluation for one answer; the leaf and, if `launch` is not negative, that launch exist. */
static int question_begin(struct treefork_evaluation *e, const struct treefork_region *region,
                          const struct treefork_machine *machine, const treefork_int *values,
                          int leaf, int launch)
{
    int status = treefork_evaluation_new(region, e);
    if (status)
        return status;
    if (!treefork_leaf_find(region, leaf) || (launch >= 0 && !launch_find(region, leaf, launch))) {
        treefork_evaluation_free(e);
        return treefork_fail(TREEFORK_ARGUMENT, "there is no leaf %d", leaf);
    }
    treefork_evaluation_set(e, machine, values);
    return TREEFORK_OK;
}

int treefork_region_fits(const struct treefork_region *region,
                         const struct treefork_machine *machine, const treefork_int *values,
                         int leaf, struct treefork_trace *trace)
{
    struct treefork_evaluation e;
    if (question_begin(&e, region, machine, values, leaf, -1))
        return 0;
    int fits = treefork_evaluation_fits(&e, treefork_leaf_find(region, leaf), trace);
    treefork_evaluation_free(&e);
    return fits;
}

int treefork_region_plan(const struct treefork_region *region,
                         const struct treefork_machine *machine, const treefork_int *values,
                         int leaf, int launch, struct treefork_launch *plan)
{
    struct treefork_evaluation e;
    int status = question_begin(&e, region, machine, values, leaf, launch);
    if (status)
        return status;
    status = treefork_evaluation_plan(&e, launch_find(region, leaf, launch), leaf, plan);
    treefork_evaluation_free(&e);
    return status;
}

int treefork_region_predict(const struct treefork_region *region,
                            const struct treefork_machine *machine, const treefork_int *values,
                            int leaf, struct treefork_prediction *prediction)
{
    struct treefork_evaluation e;
    treefork_int threads = 0;
    int status = question_begin(&e, region, machine, values, leaf, -1);
    if (status)
        return status;
    status = treefork_evaluation_predict(&e, treefork_leaf_find(region, leaf), &threads,
                                         prediction);
    treefork_evaluation_free(&e);
    return status;
}

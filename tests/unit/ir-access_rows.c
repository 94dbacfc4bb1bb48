/* What parts of launches touch (ir/access/rows.h), of the kernels of the table and of random nests
   (arguments: seed, number of nests), against traces at small random parameters: every element that
   a block touches lies in a row for it, no part's row of writes holds what another part writes, a
   row that is exact is written wholly. Rows that are one short are seen to be so in most kernels of
   the table, and most rows begin and end at the least and greatest subscript of their blocks. */
#include "ir/access/rows.h"
#include "tests/unit/draw.h"
#include "tests/unit/ir-access_judge.h"
#include <glob.h>

enum { POINTS = 40, TRIES = 300, ELEMENTS = 1 << 14, NESTS = 300, NEST_POINTS = 12,
       BLOCKS = 16 };

struct row_judge {
    struct check *check;
    const char *name;
    const struct kernel *kernel;
    struct part_rows rows;
    struct trace *trace;
    const int64_t *point;
    int points;                       /* random parameters to try */
    int shortened;                    /* every row ends one earlier */
    long uncovered, overlapping, missing, events;
    long tight, loose;                /* ends of rows of single blocks */
};

static int64_t value_of(const struct scope *scope, const struct expr *e, int64_t otherwise)
{
    int64_t value;
    return e && trace_value(scope, e, &value) ? value : otherwise;
}

static bool row_is_active(const struct scope *params, const struct part_row *row)
{
    return value_of(params, row->condition, 1) != 0;
}

/* Does the row of block g hold the element? */
static bool row_holds(const struct row_judge *judge, const struct part_row *row, int64_t g,
                      const int64_t *subscripts)
{
    const struct scope *params = &judge->trace->scope;
    if (row->dimension < 0)
        return true;
    for (int d = 0; d < row->dimension; d++)
        if (row->outer[d] && value_of(params, row->outer[d], -1) != subscripts[d])
            return false;
    int64_t at = subscripts[row->dimension], step = value_of(params, row->step, 0);
    return at >= step * g + value_of(params, row->from, 0) &&
           at < step * (g + 1) + value_of(params, row->to, 0) - judge->shortened &&
           at >= value_of(params, row->least, INT64_MIN) &&
           at <= value_of(params, row->most, INT64_MAX);
}

/* The block's number along the axis. */
static int64_t block_of(const struct row_judge *judge, const struct event *event)
{
    const struct expr *var = expr_var(judge->trace->arena,
                                      judge->kernel->grid[judge->rows.axis].var);
    return value_of(&event->scope, var, -1);
}

static void judge_event(struct row_judge *judge, const struct event *event)
{
    int64_t g = block_of(judge, event);
    bool is_held = false, is_taken = false;
    for (size_t i = 0; i < judge->rows.count; i++) {
        const struct part_row *row = &judge->rows.at[i];
        if (row->array != event->array || row->is_write != event->is_write ||
            !row_is_active(&judge->trace->scope, row))
            continue;
        is_held |= row_holds(judge, row, g, event->subscripts);
        if (!row->is_write || row->reduction)
            continue;
        for (int64_t other = g - 3; other <= g + 3; other++)
            is_taken |= other != g && row_holds(judge, row, other, event->subscripts);
    }
    judge->events++;
    judge->uncovered += !is_held;
    judge->overlapping += is_taken;
}

/* Extents of the array; 0 elements where one is not known or there are too many. */
static int64_t elements_of(const struct row_judge *judge, const struct array *array,
                           int64_t *extents)
{
    int64_t product = 1;
    for (int d = 0; d < array->n_dims; d++) {
        extents[d] = value_of(&judge->trace->scope, array->dims[d], 0);
        product = extents[d] > 0 && product < ELEMENTS / extents[d] ? product * extents[d] : 0;
    }
    return product;
}

static int64_t place_of(const struct array *array, const int64_t *extents,
                        const int64_t *subscripts)
{
    int64_t place = 0;
    for (int d = 0; d < array->n_dims; d++)
        place = place * extents[d] + subscripts[d];
    return place;
}

static bool holds_exactly(const struct row_judge *judge, const struct part_row *row)
{
    bool holds = row->is_write && row->is_exact && row_is_active(&judge->trace->scope, row) &&
                 !judge->trace->maybe;
    for (size_t i = 0; i < row->n_exact && holds; i++)
        holds = value_of(&judge->trace->scope, row->exact[i], 0) != 0;
    return holds;
}

/* Every element in the row of a block is written by a block with that number. */
static void judge_exact(struct row_judge *judge, const struct part_row *row)
{
    int64_t extents[TRACE_DIMS], at[TRACE_DIMS], blocks = 0;
    int64_t n = holds_exactly(judge, row) ? elements_of(judge, row->array, extents) : 0;
    int64_t *writer = ARENA_ARRAY(judge->trace->arena, int64_t, n + 1);
    for (size_t i = 0; i < judge->trace->events.count && n; i++) {
        const struct event *event = &judge->trace->events.at[i];
        if (event->array == row->array && event->is_write)
            writer[place_of(row->array, extents, event->subscripts)] = block_of(judge, event) + 1;
    }
    trace_value(&judge->trace->scope, judge->kernel->grid[judge->rows.axis].extent, &blocks);
    for (int64_t i = 0; i < n; i++) {
        int64_t rest = i;
        for (int d = row->array->n_dims - 1; d >= 0; d--) {
            at[d] = rest % extents[d];
            rest /= extents[d];
        }
        for (int64_t g = 0; g < blocks; g++)
            judge->missing += row_holds(judge, row, g, at) && writer[i] != g + 1;
    }
}

/* The blocks' subscripts in the dimension of the row. */
struct extremes {
    bool is_met;
    int64_t least, most;
};

static void extremes_find(const struct row_judge *judge, const struct part_row *row,
                          struct extremes *by_block)
{
    for (size_t i = 0; i < judge->trace->events.count; i++) {
        const struct event *event = &judge->trace->events.at[i];
        int64_t g = block_of(judge, event), at = event->subscripts[row->dimension];
        if (event->array != row->array || event->is_write != row->is_write || g >= BLOCKS)
            continue;
        struct extremes *e = &by_block[g];
        e->least = e->is_met && e->least < at ? e->least : at;
        e->most = e->is_met && e->most > at ? e->most : at;
        e->is_met = true;
    }
}

/* Does the row of each block begin, and of reads end, where its subscripts do? */
static void judge_tightness(struct row_judge *judge, const struct part_row *row)
{
    const struct scope *params = &judge->trace->scope;
    struct extremes by_block[BLOCKS] = {{0}};
    if (row->dimension < 0 || judge->trace->maybe || !row_is_active(params, row))
        return;
    extremes_find(judge, row, by_block);
    int64_t step = value_of(params, row->step, 0), least = value_of(params, row->least, INT64_MIN),
            most = value_of(params, row->most, INT64_MAX);
    for (int64_t g = 0; g < BLOCKS; g++) {
        int64_t first = step * g + value_of(params, row->from, 0);
        int64_t last = step * (g + 1) + value_of(params, row->to, 0) - 1;
        if (!by_block[g].is_met)
            continue;
        bool begins = by_block[g].least == (first > least ? first : least);
        bool ends = row->is_write || by_block[g].most == (last < most ? last : most);
        judge->tight += begins + ends;
        judge->loose += !begins + !ends;
    }
}

/* False if the parameters are none of a launch. */
static bool point_is_launched(const struct row_judge *judge, const struct legality *legality)
{
    for (int i = 0; i < judge->kernel->n_params; i++) {
        const struct param *param = judge->kernel->params[i];
        if (param->variable >= 0 && param->has_lo && judge->point[param->variable] < param->lo)
            return false;
    }
    return sas_holds(judge->kernel->facts, judge->point) == 1 &&
           (legality->verdict != ACCESS_PROVED_UNDER ||
            sas_holds(legality->condition, judge->point) == 1);
}

static bool judge_rows_at(struct row_judge *judge, const struct legality *legality)
{
    if (!point_is_launched(judge, legality))
        return false;
    struct arena *arena = arena_new();
    judge->trace = trace_run(arena, judge->kernel, judge->point);
    bool ok = judge->trace->events.count < judge->trace->limit && trace_in_bounds(judge->trace);
    for (size_t i = 0; i < judge->trace->events.count && ok; i++)
        judge_event(judge, &judge->trace->events.at[i]);
    for (size_t i = 0; i < judge->rows.count && ok && !judge->shortened; i++) {
        judge_exact(judge, &judge->rows.at[i]);
        judge_tightness(judge, &judge->rows.at[i]);
    }
    arena_free(arena);
    return ok;
}

/* Adds up what is wrong at random parameters. */
static void judge_run(struct row_judge *judge, const struct legality *legality, uint64_t seed)
{
    int points = 0;
    for (int i = 0; i < TRIES && points < judge->points; i++) {
        int64_t point[RING_CAPACITY] = {0};
        for (int k = 0; k < judge->kernel->n_params; k++) {
            const struct param *param = judge->kernel->params[k];
            if (param->variable >= 0)
                point[param->variable] =
                    (int64_t)draw(&seed, param->role == ROLE_TUNABLE ? 4 : 14);
        }
        judge->point = point;
        points += judge_rows_at(judge, legality);
    }
}

/* Sums over kernels: axes that are cut, of these those where rows that end one earlier are seen to
   be short, ends of rows. */
struct rows_seen {
    int cut, short_seen;
    long tight, loose;
};

static void kernel_rows(struct check *check, struct ctx *ctx, const char *path,
                        const struct kernel *kernel, int axis, int points, uint64_t seed,
                        struct rows_seen *seen)
{
    struct row_judge judge = {.check = check, .name = path, .kernel = kernel,
                              .points = points, .rows = access_rows(ctx, kernel, kernel, axis)};
    struct legality legality = access_parallel(ctx, kernel);
    if (judge.rows.refusal)
        return;
    judge_run(&judge, &legality, seed);
    check_that(check, judge.uncovered == 0, "%s, axis %d: %ld accesses outside their rows", path,
               axis, judge.uncovered);
    check_that(check, judge.overlapping == 0, "%s, axis %d: %ld writes in rows of other blocks",
               path, axis, judge.overlapping);
    check_that(check, judge.missing == 0, "%s, axis %d: %ld elements of exact rows not written",
               path, axis, judge.missing);
    seen->tight += judge.tight;
    seen->loose += judge.loose;
    judge.shortened = 1;
    judge_run(&judge, &legality, seed);
    seen->cut++;
    seen->short_seen += judge.uncovered > 0;
}

static void run_kernel(struct check *check, const char *path, uint64_t seed,
                       struct rows_seen *seen)
{
    check_test(check);
    struct ctx *ctx = ctx_new();
    struct source source = {.path = path};
    source.text = file_read(ctx, path, &source.length);
    const struct kernel *kernel = source.text ? kernel_read(ctx, &source) : NULL;
    if (check_that(check, kernel != NULL, "%s cannot be read", path))
        for (int axis = 0; axis < kernel->n_grid; axis++)
            kernel_rows(check, ctx, path, kernel, axis, POINTS, seed, seen);
    ctx_free(ctx);
}

/* --- random nests ----------------------------------------------------------------------------- */

static const char *nest_row(uint64_t *state)
{
    return PICK(state, "i * B + j", "i * B + j", "i * B + j + 1", "(i * s + k) * B + j",
                "(i * s + k) * B + j", "(i * B + j) * s + k", "2 * (i * B + j)", "i + j",
                "i * s * B + j * s + k + 1", "N - 1 - (i * B + j)", "(i * B + j) % N");
}

static const char *nest_column(uint64_t *state)
{
    return PICK(state, "l * C + h", "l * C + h", "l * C + h + 1", "h", "l * C + C - 1 - h");
}

static const char *nest_element(struct arena *arena, uint64_t *state, const char *y, const char *x)
{
    const char *a = PICK(state, "", "", " + 1", " - 1", " + 2"), *b = PICK(state, "", "", " - 1");
    switch (draw(state, 4)) {
    case 0: return arena_printf(arena, "a[%s%s][%s%s]", y, a, x, b);
    case 1: return arena_printf(arena, "b[(%s%s) * N + %s%s]", y, a, x, b);
    case 2: return arena_printf(arena, "u[%s][%s%s]", PICK(state, "0", "1", "t % 2"), y, a);
    default: return arena_printf(arena, "c[%s%s]", y, a);
    }
}

static const char *nest_store(struct arena *arena, uint64_t *state, const char *y, const char *x)
{
    struct str text = str_new(arena);
    switch (draw(state, 5)) {
    case 0: str_addf(&text, "u[1 - t %% 2][%s] = ", y); break;
    case 1: str_addf(&text, "b[(%s) * N + %s] = ", y, x); break;
    case 2: str_addf(&text, "b[(%s) * M + %s] = ", y, x); break;
    case 3: str_addf(&text, "c[%s] = ", y); break;
    default: str_addf(&text, "a[%s][%s] = ", y, x);
    }
    str_add(&text, nest_element(arena, state, y, x));
    for (uint64_t n = draw(state, 3); n > 0; n--)
        str_addf(&text, " + %s", nest_element(arena, state, nest_row(state), x));
    str_add(&text, ";");
    return text.text;
}

static const char *nest_text(struct arena *arena, uint64_t *state)
{
    struct str text = str_new(arena);
    const char *y = nest_row(state), *x = nest_column(state);
    const char *store = nest_store(arena, state, y, x);
    str_add(&text, "kernel nest {\n    ring N, M, s, B, C, t;\n    param data size int N >= 1;\n"
                   "    param data size int M >= 0;\n    param program tunable int s >= 1;\n"
                   "    param program tunable int B >= 1;\n    param program tunable int C >= 1;\n"
                   "    param data uniform int t;\n    global int a[N + 2][N + 2];\n"
                   "    global int b[];\n    global int c[];\n    global int u[2][N + 2];\n");
    str_addf(&text, "    grid int i < %s;\n    grid int l < %s;\n    block int j < B;\n"
                    "    block int h < C;\n    body {\n        band (int j < B, int h < C) {\n"
                    "            for (int k = 0; k < %s; k += 1) {\n",
             PICK(state, "N / B", "N / (s * B)", "(N + B - 1) / B", "(N + s * B - 1) / (s * B)"),
             PICK(state, "N / C", "(N + C - 1) / C"), PICK(state, "s", "s", "1", "j + 1"));
    switch (draw(state, 5)) {
    case 0: str_addf(&text, "if (%s < N && %s < N) { %s }\n", y, x, store); break;
    case 1: str_addf(&text, "if (%s < %s) { %s }\n", x, y, store); break;
    case 2:
        str_addf(&text, "if (t %% 2) { %s } else { %s }\n", store,
                 nest_store(arena, state, y, x));
        break;
    case 3: str_addf(&text, "if (%s < N - 1) { %s }\n", y, store); break;
    default: str_addf(&text, "%s\n", store);
    }
    str_add(&text, "            }\n        }\n    }\n}\n");
    return text.text;
}

static void run_nests(struct check *check, uint64_t seed, int nests, struct rows_seen *seen)
{
    for (int n = 0; n < nests; n++) {
        struct ctx *ctx = check_ctx();
        const char *text = nest_text(ctx->arena, &seed);
        const struct kernel *kernel = kernel_read(ctx, check_source(ctx, text));
        const char *name = arena_printf(ctx->arena, "nest %d", n);
        if (check_that(check, kernel != NULL, "%s cannot be read: %s\n%s", name, ctx->last, text))
            for (int axis = 0; axis < kernel->n_grid; axis++)
                kernel_rows(check, ctx, name, kernel, axis, NEST_POINTS, seed + 1, seen);
        ctx_free(ctx);
    }
}

static void seen_print(const char *name, const struct rows_seen *seen)
{
    printf("%s: %d axes are cut, of %d a row one short is seen; %ld ends of rows are tight, %ld "
           "loose\n",
           name, seen->cut, seen->short_seen, seen->tight, seen->loose);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 34;
    struct rows_seen table = {0}, nests = {0};
    glob_t found = {0};
    printf("seed %llu\n", (unsigned long long)seed);
    glob("tests/unit/ir-access_kernels/*.kernel", 0, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++)
        run_kernel(&check, found.gl_pathv[i], seed, &table);
    globfree(&found);
    seen_print("table", &table);
    check_test(&check);
    check_that(&check, table.cut >= 50 && table.short_seen >= table.cut * 3 / 4 &&
                           table.loose < table.tight / 4, "rows are missing or loose");
    check_test(&check);
    run_nests(&check, seed, argc > 2 ? atoi(argv[2]) : NESTS, &nests);
    seen_print("random nests", &nests);
    return check_end(&check, "ir-access_rows");
}

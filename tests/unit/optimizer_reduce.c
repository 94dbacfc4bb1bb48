/* Sums as kernels with trees and parts (optimizer/strategies/reduce.c): region kernels as text,
   lowered with shared memory and without it, against the serial reading of the region kernel.

   Integers are equal; floating sums are near, and have the same bits with shared memory and
   without, in any order of threads and blocks, and read serially. Elements that no iteration
   reaches keep their bits. A barrier that is removed is a race. Long, as all forms, types and
   mutants go over one list of region kernels and one way to run them. */
#include "ir/access/sums.h"
#include "ir/reduction.h"
#include "optimizer/strategies/strategies.h"
#include "tests/mutants/mutate.h"
#include "tests/unit/ir_check.h"
#include <math.h>

enum { ARRAYS = 12, PARAMS = 4, ORDERS = 3 };

/* Sums over the points i of one axis, and over i, j of two. */
static const char LINE[] = "kernel line {\n"
                           "    ring n, B;\n"
                           "    param data size int n >= 0;\n"
                           "    param program tunable int B >= 1;\n"
                           "    global const T x[n];\n"
                           "    global T s[3];\n"
                           "    global T m[];\n"
                           "    global T z[n];\n"
                           "    fact 1 <= B;\n"
                           "    grid int b < (n + BLOCK - 1) / BLOCK;\n"
                           "    block int t < BLOCK;\n"
                           "    body {\n"
                           "        band (int t < BLOCK) {\n"
                           "            let int i = b * BLOCK + t;\n"
                           "            if (i < n) {\n"
                           "                SUMS\n"
                           "            }\n"
                           "        }\n"
                           "    }\n"
                           "}\n";
static const char PLANE[] = "kernel plane {\n"
                            "    ring n, k, B, D;\n"
                            "    param data size int n >= 0;\n"
                            "    param program tunable int B >= 1;\n"
                            "    param data size int k >= 0;\n"
                            "    param program tunable int D >= 1;\n"
                            "    global const T x[n][k];\n"
                            "    global T s[1];\n"
                            "    global T y[n];\n"
                            "    global T q[k];\n"
                            "    global T z[n][k];\n"
                            "    fact 1 <= B;\n"
                            "    fact 1 <= D;\n"
                            "    grid int bi < (n + BLOCK - 1) / BLOCK;\n"
                            "    grid int bj < (k + DEPTH - 1) / DEPTH;\n"
                            "    block int ti < BLOCK;\n"
                            "    block int tj < DEPTH;\n"
                            "    body {\n"
                            "        STARTS\n"
                            "        band (int ti < BLOCK, int tj < DEPTH) {\n"
                            "            let int i = bi * BLOCK + ti;\n"
                            "            let int j = bj * DEPTH + tj;\n"
                            "            if (i < n && j < k) {\n"
                            "                SUMS\n"
                            "            }\n"
                            "        }\n"
                            "        FINISHES\n"
                            "    }\n"
                            "}\n";
/* A row of points for each block. */
static const char ROWS[] = "kernel rows {\n"
                           "    ring n, k, B, D;\n"
                           "    param data size int n >= 0;\n"
                           "    param program tunable int B >= 1;\n"
                           "    param data size int k >= 0;\n"
                           "    param program tunable int D >= 1;\n"
                           "    global const T x[n][k];\n"
                           "    global T s[1];\n"
                           "    global T y[n];\n"
                           "    global T z[n][k];\n"
                           "    fact 1 <= B;\n"
                           "    grid int i < n;\n"
                           "    block int t < BLOCK;\n"
                           "    body {\n"
                           "        STARTS\n"
                           "        band (int t < BLOCK) {\n"
                           "            for (int j = t; j < k; j += BLOCK) {\n"
                           "                SUMS\n"
                           "            }\n"
                           "        }\n"
                           "        FINISHES\n"
                           "    }\n"
                           "}\n";

/* A row for each block, which uses its sum. */
static const char STRIPS[] = "kernel strips {\n"
                             "    ring n, k, B, D;\n"
                             "    param data size int n >= 0;\n"
                             "    param program tunable int B >= 1;\n"
                             "    param data size int k >= 0;\n"
                             "    param program tunable int D >= 1;\n"
                             "    global const T x[n][k];\n"
                             "    global T y[n];\n"
                             "    global T q[k];\n"
                             "    fact 1 <= B;\n"
                             "    grid int i < n;\n"
                             "    block int t < BLOCK;\n"
                             "    body {\n"
                             "        STARTS\n"
                             "        for (int j = 0; j < k; j += BLOCK) {\n"
                             "            band (int t < BLOCK) {\n"
                             "                if (j + t < k) {\n"
                             "                    reduce OP y[i] = x[i][j + t];\n"
                             "                }\n"
                             "            }\n"
                             "        }\n"
                             "        for (int l = 0; l < k; l += BLOCK) {\n"
                             "            band (int u < BLOCK) {\n"
                             "                if (l + u < k) {\n"
                             "                    SUMS\n"
                             "                }\n"
                             "            }\n"
                             "        }\n"
                             "    }\n"
                             "}\n";

/* Four columns for each block, which uses their sums. */
static const char COLUMNS[] = "kernel columns {\n"
                              "    ring n, k, B, D;\n"
                              "    param data size int n >= 0;\n"
                              "    param program tunable int B >= 1;\n"
                              "    param data size int k >= 0;\n"
                              "    param program tunable int D >= 1;\n"
                              "    global const T x[n][k];\n"
                              "    global T y[k];\n"
                              "    global T q[n];\n"
                              "    fact 1 <= B;\n"
                              "    grid int g < (k + 3) / 4;\n"
                              "    block int t < BLOCK;\n"
                              "    block int c < 4;\n"
                              "    body {\n"
                              "        STARTS\n"
                              "        for (int i = 0; i < n; i += BLOCK) {\n"
                              "            band (int t < BLOCK, int c < 4) {\n"
                              "                if (i + t < n && 4 * g + c < k) {\n"
                              "                    reduce OP y[4 * g + c] = x[i + t][4 * g + c];\n"
                              "                }\n"
                              "            }\n"
                              "        }\n"
                              "        for (int l = 0; l < n; l += BLOCK * 4) {\n"
                              "            band (int t < BLOCK, int c < 4) {\n"
                              "                let int r = l + t * 4 + c;\n"
                              "                for (int u = 0; u < 4; u += 1) {\n"
                              "                    if (r < n && 4 * g + u < k) {\n"
                              "                        SUMS\n"
                              "                    }\n"
                              "                }\n"
                              "            }\n"
                              "        }\n"
                              "    }\n"
                              "}\n";

/* Elements that the data tell. */
static const char BINS[] = "kernel bins {\n"
                           "    ring n, k, B, D;\n"
                           "    param data size int n >= 0;\n"
                           "    param program tunable int B >= 1;\n"
                           "    param data size int k >= 1;\n"
                           "    param program tunable int D >= 1;\n"
                           "    global const int p[n];\n"
                           "    global const T x[n];\n"
                           "    global T s[1];\n"
                           "    global T h[k];\n"
                           "    global T g[3][k];\n"
                           "    global T z[n];\n"
                           "    global T m[];\n"
                           "    fact 1 <= B;\n"
                           "    fact 1 <= D;\n"
                           "    GRID\n"
                           "}\n";
static const char BINS_LINE[] = "grid int b < (n + BLOCK - 1) / BLOCK;\n"
                                "    block int t < BLOCK;\n"
                                "    body {\n"
                                "        band (int t < BLOCK) {\n"
                                "            let int i = b * BLOCK + t;\n"
                                "            if (i < n) {\n"
                                "                SUMS\n"
                                "            }\n"
                                "        }\n"
                                "    }\n";
static const char BINS_KNOWN[] = "grid int b < 40;\n"
                                 "    block int t < BLOCK;\n"
                                 "    body {\n"
                                 "        band (int t < BLOCK) {\n"
                                 "            let int i = b * BLOCK + t;\n"
                                 "            if (i < n) {\n"
                                 "                SUMS\n"
                                 "            }\n"
                                 "        }\n"
                                 "    }\n";
static const char BINS_PLANE[] = "grid int bi < (n + BLOCK - 1) / BLOCK;\n"
                                 "    grid int j < k;\n"
                                 "    block int t < BLOCK;\n"
                                 "    body {\n"
                                 "        band (int t < BLOCK) {\n"
                                 "            let int i = bi * BLOCK + t;\n"
                                 "            if (i < n) {\n"
                                 "                SUMS\n"
                                 "            }\n"
                                 "        }\n"
                                 "    }\n";

/* The shapes of sums: kernel, accumulations, how many kernels they become for a floating type and
   for one that has atomic operations. */
static const struct shape {
    const char *name, *text, *sums;
    int parts, atomic_parts;
} SHAPES[] = {
    {"all", LINE, "reduce OP s[0] = x[i];", 2, 1},
    {"two", LINE, "reduce OP s[0] = x[i]; reduce OP m[0] = x[i]; z[i] = x[i];", 2, 1},
    {"loop", LINE, "for (int r = 0; r < 3; r += 1) { reduce OP s[0] = x[(i + r) % n]; }", 2, 1},
    {"some", LINE, "if (i % 3 == 1) { reduce OP s[0] = x[i]; }", 2, 1},
    {"several", LINE,
     "reduce OP s[0] = x[i]; if (i % 2) { reduce OP s[2] = x[i]; } reduce OP s[0] = x[i];", 2, 1},
    {"plane", PLANE, "reduce OP s[0] = x[i][j]; z[i][j] = x[i][j];", 2, 1},
    {"rows", PLANE, "reduce OP y[i] = x[i][j];", 2, 1},
    {"columns", PLANE, "reduce OP q[j] = x[i][j];", 2, 1},
    {"both", PLANE, "reduce OP y[i] = x[i][j]; reduce OP q[j] = x[i][j];", 2, 1},
    {"three", PLANE,
     "reduce OP y[i] = x[i][j]; reduce OP q[j] = x[i][j]; reduce OP s[0] = x[i][j];", 2, 1},
    {"block", ROWS, "reduce OP y[i] = x[i][j];", 1, 1},
    {"mixed", ROWS, "reduce OP y[i] = x[i][j]; reduce OP s[0] = x[i][j];", 2, 1},
    {"last", LINE, "reduce OP z[n - 1] = x[i];", 2, 1},
};

/* Starts and finishes of PLANE, of ROWS and of STRIPS. */
static const char ENDS_BEGIN[] =
    "band (int ti < BLOCK, int tj < DEPTH) {\n"
    "    if (bi * BLOCK + ti < n && bj * DEPTH + tj == 0) {\n"
    "        reduce start y[bi * BLOCK + ti] = x[bi * BLOCK + ti][0];\n"
    "    }\n"
    "    if (bj * DEPTH + tj < k && bi * BLOCK + ti == 0) {\n"
    "        reduce start q[bj * DEPTH + tj] = 3;\n"
    "    }\n"
    "}\n";
static const char ENDS_END[] =
    "band (int ti < BLOCK, int tj < DEPTH) {\n"
    "    if (bi * BLOCK + ti < n && bj * DEPTH + tj == k - 1) {\n"
    "        reduce finish z[bi * BLOCK + ti][0] = y[bi * BLOCK + ti];\n"
    "        reduce finish y[bi * BLOCK + ti] = y[bi * BLOCK + ti] + 1;\n"
    "    }\n"
    "}\n";

static const struct {
    struct shape shape;
    const char *starts, *finishes;
    int first_mode;                          /* see check_barriers */
} ENDS[] = {
    {{"ends", PLANE, "reduce OP y[i] = x[i][j]; reduce OP q[j] = x[i][j];", 2, 2}, ENDS_BEGIN,
     ENDS_END, 0},
    {{"ends in the block", ROWS, "reduce OP y[i] = x[i][j];", 1, 1},
     "band (int t < BLOCK) { if (t == 0) { reduce start y[i] = x[i][0]; } }",
     "band (int t < BLOCK) { if (t == 0) { reduce finish y[i] = y[i] + x[i][0];"
     " reduce finish z[i][0] = y[i]; } }", 0},
    {{"strips", STRIPS, "reduce OP q[k - 1 - (l + u)] = x[i][l + u] + y[i];", 2, 1},
     "band (int t < BLOCK) { if (t == 0) { reduce start y[i] = x[i][0]; } }", "", 1},
    {{"strips that go on", STRIPS, "reduce OP q[k - 1 - (l + u)] = x[i][l + u] + y[i];", 2, 1},
     "", "", 2},
    {{"columns", COLUMNS, "reduce OP q[r] = x[r][4 * g + u] + y[4 * g + u];", 2, 1},
     "band (int t < BLOCK, int c < 4) { if (t == 0 && 4 * g + c < k) {"
     " reduce start y[4 * g + c] = g + 1; } }", "", 1},
    {{"walk", STRIPS, "reduce OP q[k - 1 - (l + u)] = x[i][l + u];", 2, 1}, "", "", 1},
};

/* Those of BINS: the grid, how many copies a block has. */
static const struct scattered {
    const char *name, *grid, *sums;
    int copies;
} SCATTERED[] = {
    {"bins", BINS_LINE, "reduce OP h[(p[i] & 1023) % k] = x[i];", 1},
    {"rows of bins", BINS_LINE,
     "reduce OP g[p[i] & 1][(p[i] & 1023) % k] = x[i]; z[i] = x[i];", 1},
    {"two bins", BINS_LINE,
     "for (int r = 0; r < 3; r += 1) { reduce OP h[((p[i] & 1023) + r) % k] = x[i]; } "
     "if (i % 2) { reduce OP g[p[i] & 1][0] = x[i]; } reduce OP h[0] = x[i];", 2},
    {"bins and a sum", BINS_LINE,
     "reduce OP h[(p[i] & 1023) % k] = x[i]; reduce OP s[0] = x[i];", 1},
    {"open bins", BINS_LINE, "reduce OP m[0 * (p[i] & 1023)] = x[i];", 0},
    {"known points", BINS_KNOWN, "reduce OP h[(p[i] & 1023) % k] = x[i];", 1},
    {"plane of bins", BINS_PLANE, "reduce OP h[((p[i] & 1023) + j) % k] = x[i];", 1},
    {"some axes", BINS_PLANE,
     "reduce OP h[((p[i] & 1023) + j) % k] = x[i]; reduce OP g[1][j] = x[i];", 0},
};

static char *replace_all(struct ctx *ctx, const char *text, const char *from, const char *to)
{
    char *edited = arena_strdup(ctx->arena, text), *next;
    while ((next = check_edit(ctx, edited, from, to)) != NULL)
        edited = next;
    return edited;
}

/* --- data ------------------------------------------------------------------------------------- */

struct sizes {
    int64_t n, block, k, depth;
};

/* Buffers of a kernel's global arrays; those that are no partial ones are compared. */
struct buffers {
    struct interpret_array at[ARRAYS];
    size_t bytes[ARRAYS];
    int count, compared;
};

static void params_fill(const struct kernel *kernel, struct sizes sizes, union value *params)
{
    const int64_t values[PARAMS] = {sizes.n, sizes.block, sizes.k, sizes.depth};
    for (int i = 0; i < kernel->n_params; i++)
        params[i].integer = values[i];
}

static size_t elements_of(const struct kernel *kernel, const struct array *array,
                          const union value *params)
{
    size_t count = 1;
    for (int d = 0; d < array->n_dims; d++) {
        union value extent = {.integer = 1};
        if (array->dims[d])
            expr_evaluate(kernel, array->dims[d], params, &extent);
        count *= (size_t)extent.integer;
    }
    return count;
}

static void element_set(enum type type, void *data, size_t i, double value)
{
    switch (type) {
    case TYPE_F32: ((float *)data)[i] = (float)value; break;
    case TYPE_F64: ((double *)data)[i] = value; break;
    default:
        if (type_bytes(type) == 4)
            ((int32_t *)data)[i] = (int32_t)value;
        else
            ((int64_t *)data)[i] = (int64_t)value;
    }
}

static double element_get(enum type type, const void *data, size_t i)
{
    switch (type) {
    case TYPE_F32: return ((const float *)data)[i];
    case TYPE_F64: return ((const double *)data)[i];
    default:
        return type_bytes(type) == 4 ? ((const int32_t *)data)[i]
                                     : (double)((const int64_t *)data)[i];
    }
}

/* Small numbers of both signs; ones and near ones for products. Partial arrays hold rubbish. */
static struct buffers buffers_new(struct ctx *ctx, const struct kernel *kernel,
                                  const union value *params, enum reduce_op reduction)
{
    struct buffers buffers = {.compared = 0};
    uint64_t state = 88172645463325252u;
    for (int i = 0; i < kernel->n_arrays; i++) {
        const struct array *array = kernel->arrays[i];
        if (array->space != SPACE_GLOBAL)
            continue;
        size_t count = elements_of(kernel, array, params);
        size_t bytes = count * type_bytes(array->element);
        char *data = arena_alloc(ctx->arena, bytes + 8);
        memset(data, 0xff, bytes + 8);
        for (size_t e = 0; e < count && !array->is_partial; e++) {
            double value = (double)(check_random(&state) % 2001) / 8 - 125;
            if (reduction == REDUCE_MUL)
                value = type_is_floating(array->element) ? 1 + value / 100000 : (int)value | 1;
            element_set(array->element, data, e, value);
        }
        buffers.at[buffers.count] = (struct interpret_array){data, count};
        buffers.bytes[buffers.count++] = bytes;
        buffers.compared += !array->is_partial;
    }
    return buffers;
}

static bool buffers_equal(const struct buffers *a, const struct buffers *b)
{
    for (int i = 0; i < a->compared; i++)
        if (memcmp(a->at[i].data, b->at[i].data, a->bytes[i]) != 0)
            return false;
    return true;
}

static bool buffers_near(const struct kernel *kernel, const struct buffers *a,
                         const struct buffers *b)
{
    for (int i = 0; i < a->compared; i++) {
        enum type type = kernel->arrays[i]->element;
        for (size_t e = 0; e < a->at[i].count; e++) {
            double x = element_get(type, a->at[i].data, e), y = element_get(type, b->at[i].data, e);
            double bound = type_is_floating(type) ? 1e-3 * (fabs(x) + 1) : 0;
            if (!(fabs(x - y) <= bound) && !(isnan(x) && isnan(y)) && x != y)
                return false;
        }
    }
    return true;
}

/* --- kernels ---------------------------------------------------------------------------------- */

/* How a lowered kernel is run: seed 0 and no blocks: serially. */
struct order {
    bool is_shared, is_serial;
    int64_t threads, blocks;
    uint64_t seed;
};

static const struct order ORDERINGS[] = {
    {true, false, 0, 0, 1},  {true, false, 0, 1, 2},  {true, false, 0, 3, 3},
    {true, true, 0, 0, 0},   {false, false, 1, 0, 4}, {false, false, 3, 2, 5},
    {false, false, 32, 1, 6}};

struct lowered {
    const struct kernel *region;
    struct kernel_parts parts[2];            /* without and with shared memory, placed */
};

/* A region kernel from its text with the partial arrays, and what it becomes. */
static bool lowered_make(struct check *check, struct ctx *ctx, const char *name, const char *text,
                         struct lowered *lowered)
{
    struct kernel *region = kernel_read(ctx, check_source(ctx, text));
    if (!check_that(check, region != NULL, "%s: %s", name, ctx->last))
        return false;
    sums_add_arrays(ctx, region);
    lowered->region = region;
    bool ok = check_that(check, kernel_verify(ctx, region), "%s: %s", name, ctx->last);
    const char *printed = check_print(ctx, region);
    const struct kernel *again = kernel_read(ctx, check_source(ctx, printed));
    ok &= check_that(check, again && !strcmp(check_print(ctx, again), printed),
                     "%s: partial arrays are not read as printed: %s", name, ctx->last);
    for (int i = 0; i < 2 && ok; i++) {
        struct kernel_parts parts = strategy_reduce(
                ctx, region, (struct reduce_options){.is_shared = i == 1, .has_copies = i == 1});
        for (int k = 0; k < parts.count; k++) {
            parts.at[k] = i ? strategy_place(ctx, parts.at[k],
                                             (struct placement_options){.stage = UINT64_MAX,
                                                                        .promote = true})
                            : strategy_stride(ctx, parts.at[k]);
            ok &= check_that(check, kernel_verify(ctx, parts.at[k]), "%s: %s\n%s", name, ctx->last,
                             check_print(ctx, parts.at[k]));
            ok &= check_that(check, i || kernel_all_strided(parts.at[k]), "%s is not strided",
                             name);
        }
        lowered->parts[i] = parts;
    }
    return ok;
}

static struct interpret_result lowered_run(struct ctx *ctx, const struct kernel_parts *parts,
                                           const union value *params, struct buffers *buffers,
                                           struct order order)
{
    struct interpret_result result = {.status = INTERPRET_DONE};
    struct interpret_input input = {.params = params,
                                    .arrays = buffers->at,
                                    .threads = order.threads,
                                    .blocks = order.blocks,
                                    .seed = order.seed};
    for (int i = 0; i < parts->count && result.status == INTERPRET_DONE; i++)
        result = order.is_serial ? interpret_serial(ctx->arena, parts->at[i], &input)
                                 : interpret_threads(ctx->arena, parts->at[i], &input);
    return result;
}

static void sizes_check(struct check *check, struct ctx *ctx, const char *name,
                        const struct lowered *lowered, struct sizes sizes,
                        enum reduce_op reduction)
{
    union value params[PARAMS];
    params_fill(lowered->region, sizes, params);
    struct buffers serial = buffers_new(ctx, lowered->region, params, reduction);
    struct interpret_input input = {.params = params, .arrays = serial.at};
    struct interpret_result result = interpret_serial(ctx->arena, lowered->region, &input);
    struct buffers first = {.count = 0};
    check_that(check, result.status == INTERPRET_DONE, "%s: %s", name, result.message);
    for (size_t i = 0; i < sizeof ORDERINGS / sizeof *ORDERINGS; i++) {
        struct order order = ORDERINGS[i];
        const struct kernel_parts *parts = &lowered->parts[order.is_shared];
        struct buffers buffers = buffers_new(ctx, lowered->region, params, reduction);
        result = lowered_run(ctx, parts, params, &buffers, order);
        if (!check_that(check, result.status == INTERPRET_DONE,
                        "%s, n=%d B=%d k=%d D=%d, order %zu: %s %s\n%s", name, (int)sizes.n,
                        (int)sizes.block, (int)sizes.k, (int)sizes.depth, i,
                        interpret_status_name(result.status), result.message,
                        check_print(ctx, parts->at[parts->count - 1])))
            return;
        if (!first.count)
            first = buffers;
        check_that(check, buffers_equal(&first, &buffers),
                   "%s, n=%d B=%d k=%d D=%d: order %zu has other bits", name, (int)sizes.n,
                   (int)sizes.block, (int)sizes.k, (int)sizes.depth, i);
    }
    check_that(check, buffers_near(lowered->region, &serial, &first),
               "%s, n=%d B=%d k=%d D=%d: far from the serial sum", name, (int)sizes.n,
               (int)sizes.block, (int)sizes.k, (int)sizes.depth);
}

/* --- tests ------------------------------------------------------------------------------------ */

static char *shape_text(struct ctx *ctx, const struct shape *shape, enum type type,
                        enum reduce_op reduction, const char *block, const char *depth)
{
    char *text = replace_all(ctx, shape->text, "SUMS", shape->sums);
    text = replace_all(ctx, text, "STARTS", "");
    text = replace_all(ctx, text, "FINISHES", "");
    text = replace_all(ctx, text, " T ", arena_printf(ctx->arena, " %s ", type_name(type)));
    text = replace_all(ctx, text, "OP", reduction_text(reduction));
    text = replace_all(ctx, text, "BLOCK", block);
    return replace_all(ctx, text, "DEPTH", depth);
}

static char *scattered_text(struct ctx *ctx, const struct scattered *scattered, enum type type,
                            enum reduce_op reduction, const char *block)
{
    const struct shape shape = {.text = replace_all(ctx, BINS, "GRID", scattered->grid),
                                .sums = scattered->sums};
    return shape_text(ctx, &shape, type, reduction, block, "D");
}

static const struct sizes SIZES[] = {{0, 1, 5, 2},   {37, 3, 11, 2}, {2, 32, 7, 4}, {1, 3, 1, 1},
                                     {70, 1, 67, 1}, {130, 5, 3, 3}, {9, 7, 80, 2}};

/* Every operator on every type, with block extents that are parameters. */
static void check_types(struct check *check, const struct shape *shape)
{
    static const enum type types[] = {TYPE_I32, TYPE_U32, TYPE_I64, TYPE_F32, TYPE_F64};
    check_test(check);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        for (enum reduce_op r = REDUCE_NONE + 1; r < REDUCE_COUNT; r++) {
            bool is_common = (types[i] == TYPE_I32 || types[i] == TYPE_F32) &&
                             (r == REDUCE_ADD || r == REDUCE_MIN);
            bool is_usual = is_common || shape == SHAPES;
            if (!reduction_applies(r, types[i]) || !test_scale(is_usual, 1))
                continue;
            struct ctx *ctx = check_ctx();
            struct lowered lowered;
            const char *name = arena_printf(ctx->arena, "%s %s %s", shape->name,
                                            type_name(types[i]), reduction_text(r));
            char *text = shape_text(ctx, shape, types[i], r, "B", "D");
            if (lowered_make(check, ctx, name, text, &lowered)) {
                int count = reduction_is_atomic(r, types[i]) ? shape->atomic_parts : shape->parts;
                check_that(check, lowered.parts[1].count == count, "%s: %d kernels", name,
                           lowered.parts[1].count);
                size_t few = r == REDUCE_ADD ? sizeof SIZES / sizeof *SIZES
                                             : (size_t)test_scale(2, 7);
                for (size_t k = 0; k < few; k++)
                    sizes_check(check, ctx, name, &lowered, SIZES[k], r);
            }
            ctx_free(ctx);
        }
}

/* Blocks of literal extents, and more points than a fixed number of blocks has threads. */
static void check_blocks(struct check *check)
{
    static const struct {
        int shape;
        const char *block, *depth;
        struct sizes sizes;
    } rows[] = {
        {0, "1", "1", {9000, 1, 0, 1}},   {0, "3", "1", {4000, 3, 0, 1}},
        {0, "32", "1", {1000, 32, 0, 1}}, {0, "100", "1", {1234, 100, 0, 1}},
        {0, "256", "1", {513, 256, 0, 1}}, {5, "4", "8", {150, 4, 290, 8}},
        {6, "4", "8", {5, 4, 600, 8}},    {7, "4", "8", {300, 4, 9, 8}},
        {8, "2", "16", {40, 2, 40, 16}},  {10, "32", "1", {5, 32, 100, 1}},
    };
    check_test(check);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ctx *ctx = check_ctx();
        struct lowered lowered;
        const struct shape *shape = &SHAPES[rows[i].shape];
        char *text = shape_text(ctx, shape, TYPE_F32, REDUCE_ADD, rows[i].block, rows[i].depth);
        if (lowered_make(check, ctx, shape->name, text, &lowered))
            sizes_check(check, ctx, shape->name, &lowered, rows[i].sizes, REDUCE_ADD);
        ctx_free(ctx);
    }
}

static float tree_sum(float *lanes, int block)
{
    for (int d = 256; d > 0; d /= 2)
        for (int t = 0; t + d < block; t++)
            lanes[t] += lanes[t + d];
    return lanes[0];
}

/* The sum of a line in the order that docs/reductions.md promises. */
static float line_sum(const float *x, int n, int block, float element)
{
    static float lanes[256], parts[1024];
    int blocks = (n + block - 1) / block;
    int each = (blocks - 1) / 1024 + 1, count = (blocks + 15) / 16;
    each = each < 16 ? 16 : each;
    count = count < 1024 ? count : 1024;
    for (int g = 0; g < count; g++) {
        int end = (g + 1) * each < blocks ? (g + 1) * each : blocks;
        for (int t = 0; t < block; t++) {
            lanes[t] = -0.0f;
            for (int b = g * each; b < end; b++)
                lanes[t] += b * block + t < n ? x[b * block + t] : -0.0f;
        }
        parts[g] = tree_sum(lanes, block);
    }
    for (int t = 0; t < block; t++) {
        lanes[t] = -0.0f;
        for (int p = t; p < count; p += block)
            lanes[t] += parts[p];
    }
    return element + tree_sum(lanes, block);
}

static void check_order(struct check *check)
{
    static const struct sizes sizes[] = {{9000, 1, 0, 1}, {400, 7, 0, 1}, {700, 256, 0, 1}};
    check_test(check);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct ctx *ctx = check_ctx();
        struct lowered lowered;
        union value params[PARAMS];
        char *text = shape_text(ctx, &SHAPES[0], TYPE_F32, REDUCE_ADD, "B", "1");
        if (lowered_make(check, ctx, "order", text, &lowered)) {
            params_fill(lowered.region, sizes[i], params);
            struct buffers buffers = buffers_new(ctx, lowered.region, params, REDUCE_ADD);
            float element = *(float *)buffers.at[1].data;
            lowered_run(ctx, &lowered.parts[1], params, &buffers, ORDERINGS[0]);
            float sum = *(float *)buffers.at[1].data;
            float expected = line_sum(buffers.at[0].data, (int)sizes[i].n, (int)sizes[i].block,
                                      element);
            check_that(check, sum == expected, "order: %.9g, not %.9g", sum, expected);
        }
        ctx_free(ctx);
    }
}

/* Parts of one element of a long array are those of one place, not of the array. */
static void check_fixed(struct check *check)
{
    const struct shape *last = &SHAPES[sizeof SHAPES / sizeof *SHAPES - 1];
    struct ctx *ctx = check_ctx();
    struct lowered lowered;
    check_test(check);
    if (lowered_make(check, ctx, last->name,
                     shape_text(ctx, last, TYPE_F32, REDUCE_ADD, "B", "D"), &lowered)) {
        const char *text = check_print(ctx, lowered.region);
        check_that(check, strstr(text, " z_parts[1024][1] partial") != NULL, "%s", text);
    }
    ctx_free(ctx);
}

/* Elements that nothing reaches keep their bits, whatever they are; what is no number is taken by
   sums and not by extremes. */
static void check_bits(struct check *check)
{
    static const uint32_t bits[] = {0x80000000, 0, 0x7fc12345, 0xffc00001, 0x7f800000, 0xff800000};
    static const enum reduce_op ops[] = {REDUCE_ADD, REDUCE_MUL, REDUCE_MIN, REDUCE_MAX};
    check_test(check);
    for (size_t i = 0; i < 4 * 6; i++) {
        struct ctx *ctx = check_ctx();
        struct lowered lowered;
        union value params[PARAMS];
        char *text = shape_text(ctx, &SHAPES[6], TYPE_F32, ops[i / 6], "B", "D");
        text = check_edit(ctx, text, "j < k)", "j < k && x[i][j] > 0.0f)");
        if (lowered_make(check, ctx, "bits", text, &lowered)) {
            params_fill(lowered.region, (struct sizes){6, 3, 9, 4}, params);
            for (int mode = 0; mode < 2; mode++) {
                struct buffers buffers = buffers_new(ctx, lowered.region, params, ops[i / 6]);
                float *x = buffers.at[0].data;
                uint32_t *y = buffers.at[2].data;
                for (int e = 0; e < 6; e++)
                    y[e] = bits[i % 6];
                for (int e = 0; e < 6 * 9; e++)
                    x[e] = e / 9 == 3 ? NAN : -1;
                lowered_run(ctx, &lowered.parts[mode], params, &buffers,
                            ORDERINGS[mode ? 0 : 5]);
                for (int e = 0; e < 6; e++)
                    check_that(check, y[e] == bits[i % 6], "%s: element %d of %08x is %08x",
                               reduction_text(ops[i / 6]), e, (unsigned)bits[i % 6],
                               (unsigned)y[e]);
            }
        }
        ctx_free(ctx);
    }
}

/* Does some run of the parts find a race, a barrier not all threads reach, or another result? */
static bool mutant_is_caught(struct ctx *ctx, const struct lowered *lowered,
                             const struct kernel_parts *parts, bool is_shared)
{
    union value params[PARAMS];
    static const struct sizes sizes[] = {{80, 4, 37, 3}, {80, 2, 70, 2}, {2200, 4, 5, 1},
                                         {18000, 2, 1, 1}, {4200, 1, 2, 2}};
    for (int i = 0; i < 10; i++) {
        params_fill(lowered->region, sizes[i / 2], params);
        int64_t blocks = 1 + i % 2, threads = is_shared ? 0 : 12;
        struct buffers buffers = buffers_new(ctx, lowered->region, params, REDUCE_ADD);
        struct order order = {is_shared, false, threads, blocks, (uint64_t)blocks};
        if (lowered_run(ctx, parts, params, &buffers, order).status == INTERPRET_RACE)
            return true;
    }
    return false;
}

/* `first_mode`: 0, all kernels; 1, only those with shared memory; 2, none. Of some the proofs leave
   more barriers than there must be. */
static void check_barriers(struct check *check, struct ctx *ctx, const char *name,
                           const char *text, int first_mode)
{
    check_test(check);
    struct lowered lowered;
    int n = 0;
    if (lowered_make(check, ctx, name, text, &lowered))
        for (int mode = first_mode; mode < 2; mode++)
            for (int part = 0; part < lowered.parts[mode].count; part++)
                for (int place = 0;; place++, n++) {
                    struct kernel_parts parts = lowered.parts[mode];
                    const char *before;
                    parts.at[part] = mutate(ctx->arena, parts.at[part], MUTATION_BARRIER, place,
                                            &before);
                    if (!parts.at[part])
                        break;
                    check_that(check, mutant_is_caught(ctx, &lowered, &parts, mode),
                               "%s: barrier %d of kernel %d (%s) is not missed\n%s", name, place,
                               part, mode ? "shared" : "strided",
                               check_print(ctx, lowered.parts[mode].at[part]));
                }
    check_that(check, n > 0 || first_mode == 2, "%s: no barrier was removed", name);
}

/* --- elements that the data tell -------------------------------------------------------------- */

static int copies_count(const struct kernel *kernel)
{
    int count = 0;
    for (int i = 0; i < kernel->n_arrays; i++)
        count += kernel->arrays[i]->space == SPACE_SHARED &&
                 stmt_accumulates_in(kernel->body, kernel->arrays[i]);
    return count;
}

static void check_scattered(struct check *check, const struct scattered *scattered)
{
    static const struct {
        const char *block;
        struct sizes sizes;
    } rows[] = {{"1", {700, 1, 5, 1}},     {"32", {1000, 32, 67, 1}}, {"100", {1234, 100, 3, 1}},
                {"256", {5000, 256, 9, 1}}, {"32", {0, 32, 7, 1}},      {"B", {0, 1, 5, 2}},
                {"B", {37, 3, 11, 2}},      {"B", {2, 32, 7, 4}},       {"B", {700, 5, 300, 3}}};
    check_test(check);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (enum reduce_op r = REDUCE_NONE + 1; r < REDUCE_COUNT; r++) {
            enum type type = r % 2 ? TYPE_I32 : TYPE_U32;
            bool is_usual = r == REDUCE_ADD || r == REDUCE_MAX || scattered == SCATTERED;
            if (!reduction_is_atomic(r, type) || !test_scale(is_usual, 1))
                continue;
            struct ctx *ctx = check_ctx();
            struct lowered lowered;
            const char *name = arena_printf(ctx->arena, "%s %s %s", scattered->name,
                                            type_name(type), reduction_text(r));
            char *text = scattered_text(ctx, scattered, type, r, rows[i].block);
            if (lowered_make(check, ctx, name, text, &lowered)) {
                int count = copies_count(lowered.parts[1].at[0]);
                check_that(check, count == scattered->copies, "%s: %d copies", name, count);
                int64_t blocks;
                const struct axis *grid = lowered.parts[1].at[0]->grid;
                check_that(check, !expr_get_integer(grid->extent, &blocks) || blocks < 40,
                           "%s: a block for each point", name);
                sizes_check(check, ctx, name, &lowered, rows[i].sizes, r);
            }
            ctx_free(ctx);
        }
}

int main(void)
{
    struct check check = {0};
    size_t n = sizeof SHAPES / sizeof *SHAPES;
    for (size_t i = 0; i < n; i++)
        check_types(&check, &SHAPES[i]);
    check_blocks(&check);
    check_order(&check);
    check_bits(&check);
    check_fixed(&check);
    for (size_t i = 0; i < n; i++) {
        struct ctx *ctx = check_ctx();
        check_barriers(&check, ctx, SHAPES[i].name,
                       shape_text(ctx, &SHAPES[i], TYPE_F32, REDUCE_ADD, "B", "D"), 0);
        ctx_free(ctx);
    }
    for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++) {
        struct ctx *ctx = check_ctx();
        struct shape shape = ENDS[i].shape;
        shape.text = replace_all(ctx, shape.text, "STARTS", ENDS[i].starts);
        shape.text = replace_all(ctx, shape.text, "FINISHES", ENDS[i].finishes);
        check_types(&check, &shape);
        check_barriers(&check, ctx, shape.name,
                       shape_text(ctx, &shape, TYPE_F32, REDUCE_ADD, "B", "D"),
                       ENDS[i].first_mode);
        ctx_free(ctx);
    }
    for (size_t i = 0; i < sizeof SCATTERED / sizeof *SCATTERED; i++) {
        struct ctx *ctx = check_ctx();
        check_scattered(&check, &SCATTERED[i]);
        if (SCATTERED[i].copies)
            check_barriers(&check, ctx, SCATTERED[i].name,
                           scattered_text(ctx, &SCATTERED[i], TYPE_I32, REDUCE_ADD, "B"), 0);
        ctx_free(ctx);
    }
    return check_end(&check, "optimizer_reduce");
}

/* Kernels that finish sums as work of the last block (optimizer/strategies/last.c), made of region
   kernels with floating sums.

   The one kernel has the bits of the two, in any order of threads and blocks, in the thread
   interpreter and compiled; its text is read as printed. Defects are noticed: a barrier that is
   missing is a race, and so are the last block's statements if every block executes them; a text
   that breaks the rule `last` is no kernel. Its PTX counts a block between two fences. Kernels that
   cannot be one stay two. */
#include "ir/access/sums.h"
#include "ir/llvm/llvm.h"
#include "optimizer/strategies/strategies.h"
#include "tests/unit/ir_check.h"

enum { ARRAYS = 12, N = 2000, ORDERS = 5 };

#define HEAD(axes)                                                                                 \
    "kernel sums {\n    ring n, B;\n    param data size int n >= 0;\n"                             \
    "    param program tunable int B >= 1;\n    global const float x[n];\n"                        \
    "    global float s[2];\n    global float m[1];\n    fact 1 <= B;\n" axes                      \
    "    body {\n"
#define LINE "    grid int b < (n + B - 1) / B;\n    block int t < B;\n"
#define PLANE                                                                                      \
    "    grid int c < 3;\n    grid int b < (n + 4 * B - 1) / (4 * B);\n"                           \
    "    block int q < 4;\n    block int t < B;\n"
#define END "    }\n}\n"

static const struct region {
    const char *name, *text;
} REGIONS[] = {
    {"a sum", HEAD(LINE) "band (int t < B) { let int i = b * B + t; if (i < n) {"
                         " reduce + s[0] = x[i]; } }" END},
    {"three sums", HEAD(LINE) "band (int t < B) { let int i = b * B + t; if (i < n) {"
                              " reduce + s[0] = x[i]; reduce + s[1] = x[i] * x[i];"
                              " reduce max m[0] = x[i]; } }" END},
    {"a sum over two axes",
     HEAD(PLANE) "band (int q < 4, int t < B) { let int i = (b * 4 + q) * B + t; if (i < n) {"
                 " reduce + s[1] = x[i] * c; } }" END},
};

/* The two kernels of a region, and the one. */
struct lasting {
    struct ctx *ctx;
    const struct kernel *region, *first, *second, *both;
};

static const struct kernel *placed(struct ctx *ctx, const struct kernel *kernel)
{
    return strategy_place(ctx, kernel,
                          (struct placement_options){.stage = UINT64_MAX, .promote = true});
}

static bool lasting_make(struct check *check, const struct region *region, struct lasting *l)
{
    struct kernel *kernel = kernel_read(l->ctx, check_source(l->ctx, region->text));
    if (!check_that(check, kernel != NULL, "%s: %s", region->name, l->ctx->last))
        return false;
    sums_add_arrays(l->ctx, kernel);
    struct kernel_parts parts =
        strategy_reduce(l->ctx, kernel, (struct reduce_options){.is_shared = true});
    l->region = kernel;
    if (!check_that(check, parts.count == 2, "%s: %d kernels", region->name, parts.count))
        return false;
    l->first = placed(l->ctx, parts.at[0]);
    l->second = placed(l->ctx, parts.at[1]);
    l->both = strategy_join_last(l->ctx, l->first, l->second);
    return check_that(check, l->both != NULL, "%s: they stay two", region->name) &&
           check_that(check, kernel_verify(l->ctx, l->both), "%s: %s\n%s", region->name,
                      l->ctx->last, check_print(l->ctx, l->both));
}

/* --- runs ------------------------------------------------------------------------------------- */

struct values {
    union value params[2];
    struct interpret_array arrays[ARRAYS];
    size_t bytes[ARRAYS];
};

/* Partial arrays hold rubbish. */
static void values_fill(const struct lasting *l, int64_t n, int64_t block, struct values *v)
{
    uint64_t state = 88172645463325252u;
    *v = (struct values){.bytes = {0}};
    v->params[0].integer = n;
    v->params[1].integer = block;
    for (int i = 0; i < l->region->n_arrays; i++) {
        const struct array *array = l->region->arrays[i];
        size_t count = 1;
        for (int d = 0; d < array->n_dims; d++) {
            union value extent = {.integer = 1};
            expr_evaluate(l->region, array->dims[d], v->params, &extent);
            count *= (size_t)extent.integer;
        }
        v->bytes[i] = array->is_partial ? 0 : count * sizeof(float);
        v->arrays[i] = (struct interpret_array){
            arena_alloc(l->ctx->arena, (count + 1) * sizeof(float)), count};
        memset(v->arrays[i].data, 0xff, count * sizeof(float));
        for (size_t e = 0; e < count && !array->is_partial; e++)
            ((float *)v->arrays[i].data)[e] = (float)(check_random(&state) % 2001) / 7 - 125;
    }
}

static bool values_equal(const struct values *a, const struct values *b)
{
    for (int i = 0; i < ARRAYS; i++)
        if (a->bytes[i] && memcmp(a->arrays[i].data, b->arrays[i].data, a->bytes[i]) != 0)
            return false;
    return true;
}

static struct interpret_result threads_run(const struct lasting *l, const struct kernel *kernel,
                                           struct values *v, uint64_t seed, int64_t blocks)
{
    struct interpret_input input = {
        .params = v->params, .arrays = v->arrays, .seed = seed, .blocks = blocks};
    return interpret_threads(l->ctx->arena, kernel, &input);
}

static void bits_check(struct check *check, const struct lasting *l, const char *name, int64_t n,
                       int64_t block)
{
    static const int64_t blocks[ORDERS] = {0, 1, 3, 0, 2};
    struct values two, one;
    values_fill(l, n, block, &two);
    threads_run(l, l->first, &two, 0, 0);
    threads_run(l, l->second, &two, 0, 0);
    for (int order = 0; order < ORDERS; order++) {
        values_fill(l, n, block, &one);
        struct interpret_result result =
            threads_run(l, l->both, &one, (uint64_t)order, blocks[order]);
        check_that(check, result.status == INTERPRET_DONE && values_equal(&one, &two),
                   "%s, n=%d B=%d, order %d: %s %s", name, (int)n, (int)block, order,
                   interpret_status_name(result.status), result.message);
        values_fill(l, n, block, &one);
        struct interpret_input input = {
            .params = one.params, .arrays = one.arrays, .seed = (uint64_t)order};
        bool done = llvm_run(l->ctx, l->both, &input, blocks[order]);
        check_that(check, done && values_equal(&one, &two), "%s, n=%d B=%d, order %d, compiled: %s",
                   name, (int)n, (int)block, order, done ? "other bits" : l->ctx->last);
    }
}

/* --- text ------------------------------------------------------------------------------------- */

static void text_check(struct check *check, const struct lasting *l, const char *name)
{
    const char *text = check_print(l->ctx, l->both);
    const struct kernel *again = kernel_read(l->ctx, check_source(l->ctx, text));
    check_that(check, again && strcmp(check_print(l->ctx, again), text) == 0,
               "%s is not read as printed: %s", name, l->ctx->last);
}

#define BEHIND                                                                                     \
    "                }\n            }\n            band (int t < B) {\n"                           \
    "                if (t == 0) {\n                    let float s_sum_4"

/* Edits of the text of the first region's kernel, and what says that they are wrong. */
static const struct edit {
    const char *what, *from, *to, *seen;
} EDITS[] = {
    {"every block does it", "last {", "if (0 <= n) {", "race"},
    {"the wrong block may do it", "last {", "if (n < 0) {", "bits"},
    {"a missing barrier", "barrier;\n            for (int round_2", "for (int round_2", "race"},
    {"another missing barrier", "    barrier;\n" BEHIND, BEHIND, "race"},
    {"the block's point in it", "last {", "last { let int mine = part;", "rule 'scope'"},
    {"a local of the block in it", "last {", "last { band (int t < B) { let float mine = s_own; }",
     "rule 'scope'"},
    {"something behind it", "last {", "last { } barrier; last {", "rule 'last'"},
    {"it depends", "last {", "if (n) { last { } } last {", "rule 'last'"},
};

/* A broken rule, a fault of the thread interpreter, other bits; "": nothing is wrong. */
static const char *wrong_of(const struct lasting *l, const struct kernel *kernel)
{
    struct values right, seen;
    if (!kernel_verify(l->ctx, kernel))
        return l->ctx->last;
    values_fill(l, N, 5, &right);
    values_fill(l, N, 5, &seen);
    threads_run(l, l->both, &right, 0, 0);
    struct interpret_result result = threads_run(l, kernel, &seen, 3, 0);
    if (result.status != INTERPRET_DONE)
        return interpret_status_name(result.status);
    return values_equal(&right, &seen) ? "" : "bits";
}

static void edits_check(struct check *check, const struct lasting *l)
{
    const char *text = check_print(l->ctx, l->both);
    for (size_t i = 0; i < sizeof EDITS / sizeof *EDITS; i++) {
        const char *edited = check_edit(l->ctx, text, EDITS[i].from, EDITS[i].to);
        check_test(check);
        if (!check_that(check, edited != NULL, "%s: nothing to edit in\n%s", EDITS[i].what, text))
            continue;
        const struct kernel *kernel = kernel_read(l->ctx, check_source(l->ctx, edited));
        const char *seen = kernel ? wrong_of(l, kernel) : l->ctx->last;
        check_that(check, strstr(seen, EDITS[i].seen) != NULL, "%s: expected %s, got '%s'",
                   EDITS[i].what, EDITS[i].seen, seen);
    }
}

/* --- kernels that stay two -------------------------------------------------------------------- */

static void refusals_check(struct check *check, const struct lasting *l)
{
    struct arena *arena = l->ctx->arena;
    struct kernel *wide = kernel_copy(arena, l->second), *other = kernel_copy(arena, l->second),
                  *bare = kernel_copy(arena, l->first), *large = kernel_copy(arena, l->second);
    struct axis grid = {l->second->grid[0].var, expr_integer(arena, TYPE_I32, 2)},
                block = {l->second->block[0].var, expr_integer(arena, TYPE_I32, 32)};
    wide->grid = &grid;
    other->block = &block;
    bare->shared_bytes = NULL;
    large->shared_bytes = expr_binary(arena, OP_ADD, large->shared_bytes,
                                      expr_integer(arena, large->shared_bytes->type, 4));
    check_test(check);
    check_that(check, !strategy_join_last(l->ctx, l->first, wide), "two blocks finish");
    check_that(check, !strategy_join_last(l->ctx, l->first, other), "another block");
    check_that(check, !strategy_join_last(l->ctx, bare, l->second), "no shared memory");
    check_that(check, !strategy_join_last(l->ctx, l->first, large), "more shared memory");
    check_that(check, !strategy_join_last(l->ctx, l->both, l->second), "a last block twice");
    check_that(check, !strategy_join_last(l->ctx, strategy_stride(l->ctx, l->first), l->second),
               "strided bands and plain ones");
}

/* --- PTX -------------------------------------------------------------------------------------- */

/* Do the words stand in the text in this order? */
static const char *missing_of(const char *text, const char *const *words, int n)
{
    for (int i = 0; i < n; i++) {
        const char *at = strstr(text, words[i]);
        if (!at)
            return words[i];
        text = at + strlen(words[i]);
    }
    return NULL;
}

static void ptx_check(struct check *check, const struct lasting *l)
{
    static const char *const words[] = {
        "st.global", "bar.sync", "membar.gl", "atom.global.inc.u32", "st.shared", "membar.gl",
        "bar.sync",  "ld.shared", "bra",      "bar.sync",            "st.shared", "bar.sync"};
    const struct ptx_options options = {.target = 70, .libdevice = ""};
    const char *text = llvm_ptx(l->ctx, l->both, &options),
               *missing = text ? missing_of(text, words, sizeof words / sizeof *words) : "all";
    check_test(check);
    check_that(check, !missing, "not in its place in PTX: %s\n%s", missing, text);
}

int main(void)
{
    struct check check = {0};
    for (size_t i = 0; i < sizeof REGIONS / sizeof *REGIONS; i++) {
        struct lasting l = {.ctx = check_ctx()};
        check_test(&check);
        if (lasting_make(&check, &REGIONS[i], &l)) {
            text_check(&check, &l, REGIONS[i].name);
            bits_check(&check, &l, REGIONS[i].name, N, 5);
            bits_check(&check, &l, REGIONS[i].name, 37, 3);
            bits_check(&check, &l, REGIONS[i].name, 1, 32);
        }
        if (i == 0 && l.both) {
            edits_check(&check, &l);
            refusals_check(&check, &l);
            ptx_check(&check, &l);
        }
        ctx_free(l.ctx);
    }
    return check_end(&check, "optimizer_last");
}

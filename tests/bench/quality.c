/* Static quality of generated PTX, counted in its text (ir/ptx/loops.c): what a thread runs besides
   fused operations in the hottest loop of each leaf of every sample. In: samples/. Out: two
   Markdown tables, for sm_80 with contraction as CUDA C has it. `quality --count FILE ENTRY` prints
   the counts of any PTX (tools/bench-quality gives it what `build` writes, and nvcc's).

   Three texts per leaf: bound, as specialised at load (all tunables constants, loops that thereby
   have constant trip counts unrolled up to UNROLL times); symbolic; and bound to PPCG's defaults
   (tiles of 32, blocks of 32 x 16; in the first table leaf 1's, which no strategy beyond common
   subexpressions has touched). The unit is a fused operation where at least half of the loop's
   floating-point operations are fused; else a floating-point operation; where the loop has none a
   global store. The best leaf is the one with the fewest other instructions per unit in the bound
   text among those that stage what leaf 1 stages (instructions do not tell what a missing tile
   costs) and use no local memory. Registers and spills are the assembler's where there is one.
   Shared accesses are counted by the simulator at the sizes given in the table. */
#include "ir/llvm/llvm.h"
#include "ir/ptx/loops.h"
#include "ir/ptx/ptx.h"
#include "ir/simulate.h"
#include "tests/unit/optimizer_test.h"

enum { TARGET = 80, UNROLL = 8, BINDINGS_MOST = 8, TEXTS = 3 };
enum text { TEXT_BOUND, TEXT_SYMBOLIC, TEXT_DEFAULTS };

struct row {
    const char *sample, *bound, *defaults, *sizes;
};

static const struct row rows[] = {
    {"matmul", "s=8, B0=16, ub1=16", "s=2, B0=32, ub1=16", "n=128"},
    {"matvec", "B=256, h=32", "B=32, h=32", "m=256, n=64"},
    {"jacobi1d", "s=8, B=256", "s=1, B=32", "N=2050"},
    {"jacobi2d", "s=8, B0=8, B1=32", "s=2, B0=32, B1=16", "N=258"},
    {"heat3d", "s=8, B0=2, B1=4, B2=32", "s=8, B0=4, B1=4, B2=32", "N=34"},
    {"transpose", "s=8, B0=16, B1=16", "s=2, B0=32, B1=16", "N=128"},
    {"matadd", "B0=8, B1=32", "B0=32, B1=16", "N=128"},
    {"axpy", "s=8, B=256", "s=1, B=32", "n=4096"},
};

struct figure {
    bool made;
    struct ptx_loop loop;
    int estimate, measured;           /* 0: no toolkit */
    struct ptx_measure measure;
};

/* One launch of a leaf: each has a row of its own. */
struct leaf {
    const struct variant *variant;
    const struct launch *launch;
    struct figure figures[TEXTS];
};

static size_t bindings_read(struct ctx *ctx, const char *text, struct binding *bindings)
{
    size_t n = 0;
    char name[32];
    long long value;
    for (int used;
         n < BINDINGS_MOST && sscanf(text, " %31[A-Za-z0-9_] = %lld %n", name, &value, &used) == 2;
         n++) {
        bindings[n] = (struct binding){arena_strdup(ctx->arena, name), value};
        text += used + (text[used] == ',');
    }
    return n;
}

static int units(const struct ptx_loop *n)
{
    return 2 * n->fmas >= n->flops && n->fmas ? n->fmas : n->flops ? n->flops : n->stores;
}

static const char *unit_name(const struct ptx_loop *n)
{
    return 2 * n->fmas >= n->flops && n->fmas ? "fused"
           : n->flops                         ? "floating"
           : n->stores                        ? "store"
                                              : "none";
}

/* Other instructions per unit; -1 if there is none. */
static double overhead(const struct ptx_loop *n)
{
    return units(n) ? (double)(n->instructions - units(n)) / units(n) : -1;
}

static struct figure figure_make(struct ctx *ctx, const struct kernel *kernel, const char *bound)
{
    struct binding bindings[BINDINGS_MOST];
    struct ptx_options options = {
        .target = TARGET, .bindings = bindings, .contract = true, .unroll = UNROLL};
    struct figure f = {false, {0}, 0, 0, {0}};
    const char *message;
    options.n_bindings = bindings_read(ctx, bound, bindings);
    const char *ptx = llvm_ptx(ctx, kernel, &options);
    if (!ptx || !ptx_hot_loop(ptx, kernel->name, &f.loop))
        return f;
    f.made = true;
    f.estimate = ptx_registers(ptx, kernel->name);
    f.measured = ptx_measure(ctx, ptx, kernel->name, TARGET, &f.measure, &message);
    return f;
}

static struct leaf leaf_make(struct ctx *ctx, const struct row *row, const struct variant *variant,
                             const struct launch *launch)
{
    struct leaf leaf = {.variant = variant, .launch = launch};
    leaf.figures[TEXT_BOUND] = figure_make(ctx, launch->kernel, row->bound);
    leaf.figures[TEXT_SYMBOLIC] = figure_make(ctx, launch->symbolic, "");
    leaf.figures[TEXT_DEFAULTS] = figure_make(ctx, launch->kernel, row->defaults);
    return leaf;
}

static bool gives_up_staging(const struct variant *variant)
{
    bool drops = variant->safe;
    for (size_t i = 0; i < variant->n_strategies; i++)
        drops |= strncmp(variant->strategies[i]->name, "drop", 4) == 0;
    return drops;
}

static bool is_better(const struct leaf *a, const struct leaf *b)
{
    const struct ptx_loop *x = &a->figures[TEXT_BOUND].loop, *y = &b->figures[TEXT_BOUND].loop;
    if (!a->figures[TEXT_BOUND].made || x->local || !units(x) || gives_up_staging(a->variant))
        return false;
    return y->local || !units(y) || overhead(x) < overhead(y);
}

static void overhead_print(const struct figure *f)
{
    if (f->made && units(&f->loop))
        printf(" %.3f |", overhead(&f->loop));
    else
        printf(" – |");
}

/* The most passes one shared access of a warp takes; 0 if nothing is staged, -1 if the run
   fails. */
static int64_t bank_degree(struct ctx *ctx, const struct row *row, const struct kernel *kernel)
{
    struct interpret_array *arrays =
        ARENA_ARRAY(ctx->arena, struct interpret_array, kernel->n_arrays + 1);
    union value params[64];
    int64_t most = 0;
    if (!params_set(kernel, arena_printf(ctx->arena, "%s, %s", row->sizes, row->bound), params) ||
        !data_make(ctx, kernel, params, arrays))
        return -1;
    struct interpret_input input = {.params = params, .arrays = arrays};
    struct simulation run =
        kernel_simulate(ctx->arena, kernel, &input, (struct simulate_options){0});
    if (run.result.status != INTERPRET_DONE)
        return -1;
    for (size_t i = 0; i < run.count; i++)
        if (run.accesses[i].array->space == SPACE_SHARED && run.accesses[i].degree_most > most)
            most = run.accesses[i].degree_most;
    return most;
}

static void strategies_print(const struct variant *variant)
{
    for (size_t i = 0; i < variant->n_strategies; i++)
        printf("%s%s", i ? ", " : " ", variant->strategies[i]->name);
    printf("%s |", variant->n_strategies ? "" : " none");
}

static void region_print_row(struct ctx *ctx, const struct row *row, const struct region *region,
                             const struct leaf *leaf, const struct leaf *first)
{
    const struct figure *f = &leaf->figures[TEXT_BOUND];
    const struct ptx_loop *n = &f->loop;
    printf("| %s | %d |", region->name, leaf->variant->id);
    strategies_print(leaf->variant);
    printf(" %s | %d | %d |", unit_name(n), units(n), n->instructions);
    overhead_print(&leaf->figures[TEXT_BOUND]);
    overhead_print(&leaf->figures[TEXT_SYMBOLIC]);
    overhead_print(&first->figures[TEXT_DEFAULTS]);
    printf(" %d, %d | %d |", n->shared, n->global, n->vectors);
    if (f->measured == 1)
        printf(" %d of %d | %d |", f->measure.registers, f->estimate,
               f->measure.spill_bytes + f->measure.stack_bytes);
    else
        printf(" ? of %d | ? |", f->estimate);
    int64_t degree = bank_degree(ctx, row, leaf->launch->kernel);
    printf(degree > 0 ? " %lld |\n" : degree ? " ? |\n" : " – |\n", (long long)degree);
}

static void leaves_print(const struct region *region, const struct leaf *leaves, size_t count)
{
    printf("\nEvery leaf of %s:\n\n| leaf | strategies | fused operations | other per fused: bound "
           "| symbolic | PPCG's sizes | local |\n"
           "| --- | --- | --- | --- | --- | --- | --- |\n",
           region->name);
    for (size_t i = 0; i < count; i++) {
        const struct ptx_loop *n = &leaves[i].figures[TEXT_BOUND].loop;
        printf("| %d |", leaves[i].variant->id);
        strategies_print(leaves[i].variant);
        printf(" %d |", n->fmas);
        for (int t = 0; t < TEXTS; t++)
            overhead_print(&leaves[i].figures[t]);
        printf(" %d |\n", n->local);
    }
}

/* Prints the best leaf's row, or the table of all leaves. */
static bool region_run(struct ctx *ctx, const struct row *row, const struct region *region,
                       bool all)
{
    struct tree_options options = {.mode = TREE_KEEP};
    const struct tree *tree = tree_build(ctx, region, &options);
    if (!tree)
        return false;
    VEC(struct leaf) leaves = {0};
    size_t best = 0;
    for (size_t v = 0; v < tree->n_variants; v++)
        for (size_t i = 0; i < tree->variants[v].n_launches; i++)
            vec_push(ctx->arena, &leaves,
                     leaf_make(ctx, row, &tree->variants[v], &tree->variants[v].launches[i]));
    for (size_t i = 1; i < leaves.count; i++)
        if (is_better(&leaves.at[i], &leaves.at[best]))
            best = i;
    if (all)
        leaves_print(region, leaves.at, leaves.count);
    else
        region_print_row(ctx, row, region, &leaves.at[best], &leaves.at[0]);
    return true;
}

static bool sample_run(const struct row *row, bool all)
{
    struct ctx *ctx = ctx_new();
    struct program *program = sample_read(ctx, row->sample);
    bool done = program != NULL;
    for (size_t r = 0; done && r < program->n_regions; r++)
        done = region_run(ctx, row, program->regions[r], all);
    ctx_free(ctx);
    return done;
}

static void loop_print(const char *name, const struct ptx_loop *n)
{
    printf("\"%s\": {\"instructions\": %d, \"fused\": %d, \"floating\": %d, \"shared\": %d, "
           "\"global\": %d, \"local\": %d, "
           "\"stores\": %d, \"shared_stores\": %d, \"vectors\": %d, \"in_flight\": %d, \"unit\": "
           "\"%s\", \"units\": %d}",
           name, n->instructions, n->fmas, n->flops, n->shared, n->global, n->local, n->stores,
           n->shared_stores, n->vectors, n->in_flight, unit_name(n), units(n));
}

/* The hot loop and the copy loop of an entry, as JSON. */
static int count_file(const char *path, const char *entry)
{
    struct ctx *ctx = ctx_new();
    size_t length;
    struct ptx_loop hot, copy;
    const char *text = file_read(ctx, path, &length);
    bool done = text && ptx_hot_loop(text, entry, &hot) && ptx_copy_loop(text, entry, &copy);
    if (done) {
        printf("{");
        loop_print("hot", &hot);
        printf(", ");
        loop_print("copy", &copy);
        printf("}\n");
    }
    ctx_free(ctx);
    return !done;
}

int main(int argc, char **argv)
{
    bool done = true;
    if (argc == 4 && strcmp(argv[1], "--count") == 0)
        return count_file(argv[2], argv[3]);
    printf(
        "| region | best leaf | strategies | unit | per turn | instructions | others per unit: "
        "bound | symbolic | leaf 1 at PPCG's sizes "
        "| accesses: shared, global | vectors | registers of estimate | spill bytes | bank passes "
        "|\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        done &= sample_run(&rows[i], false);
    done &= sample_run(&rows[0], true);
    return !done;
}

/* Kernels as the assembler sees them, beside what is foreseen of them. In: C files with
   annotations, and kernels as text
   (*.kernel). Out: one line per kernel, binding and GPU, fields separated by tabs: see `head` and
   figure.def; tools/bench-counters makes tables of it and fits the weights of the figures.

   Of a file every leaf of every tree is taken: as it stands, where nothing sizes its private
   arrays, else with what does bound to 1, 4 and 16 in turn, as the register counter does. Equal
   texts are measured once. The smallest budget is the least multiple of 8 from 24 on such that
   nothing is spilled within it and within those above, up to the free choice. A file that cannot be
   read is told on stderr and counts as failed; status 3: neither ptxas nor nvJitLink.
   BENCH_PTX=FOLDER keeps the texts, BENCH_ASSEMBLED=FILE what the assembler made of them.

   With --launched as the first argument the lines are those of launches as the runtime makes them,
   in the forms whose PTX is embedded: the budget that follows from the launch's polynomial,
   whichever the GPU, and what the assembler makes of it
   (`launched_head`). */
#include "base/map.h"
#include "emit/device.h"
#include "emit/names.h"
#include "ir/llvm/llvm.h"
#include "ir/ptx/ptx.h"
#include "metafork/region.h"
#include "optimizer/tree.h"
#include "tests/bench/assembled.h"
#include "tests/bench/problem.h"
#include "tests/unit/ir-llvm_test.h"
#include <stdlib.h>

enum { LEAST = 24, STEP = 8, MOST = 255, BINDINGS = 8, SKIPPED = 3 };

static const int TARGETS[] = {75, 80, 90};
static const int64_t SIZES[] = {1, 4, 16};
enum { N_TARGETS = sizeof TARGETS / sizeof *TARGETS, N_SIZES = sizeof SIZES / sizeof *SIZES };

static const char head[] =
    "kernel\tleaf\ts\tsm\tbound\tbudget\tfree\tstack\tkept\tspill\tsmallest\tms\tagain";

/* capped: the leaf's own limit is below what it needs (pressure level 3); spill: within the budget;
   raised: the limit in the end, which rises by steps where the kernel spills. */
static const char launched_head[] =
    "kernel\tleaf\ts\tsm\tcapped\tbudget\tfree\tkept\tspill\traised";

enum { PRESSURE_CAPPED = 3 };

struct bench {
    bool launched;             /* --launched */
    struct ctx *ctx;
    struct map *seen;          /* texts measured already */
    struct assembled *assembled;
    const char *folder;        /* where PTX is kept; NULL = nowhere */
    const char *family, *leaf;
    size_t failed, kept;
    struct ctx *evaluation;    /* where estimates are timed: the tree's own are not known there */
    double first, again;       /* CPU milliseconds of an estimate: made, and from the cache */
};

/* The text without the limit of pressure level 3, which spills on purpose. */
static const char *without_limit(struct arena *arena, const char *ptx)
{
    const char *limit = strstr(ptx, ".maxnreg"), *end = limit ? strchr(limit, '\n') : NULL;
    return end ? arena_printf(arena, "%.*s%s", (int)(limit - ptx), ptx, end) : ptx;
}

static bool measure_by(struct bench *bench, enum ptx_assembler assembler,
                       const struct ptx_source *source, struct ptx_measure *out)
{
    const char *message = "";
    int done = assembled_measure(bench->assembled, bench->ctx, assembler, source, out, &message);
    if (done < 0)
        fprintf(stderr, "%s %s: %s\n", bench->family, bench->leaf, message);
    bench->failed += done < 0;
    return done == 1;
}

/* By the linker; where that is not there by the program. */
static bool measure(struct bench *bench, const struct ptx_source *source, struct ptx_measure *out)
{
    return measure_by(bench, PTX_LINKER, source, out) ||
           measure_by(bench, PTX_PROGRAM, source, out);
}

/* The bytes that one assembler spills within the limit, which as in the runtime it is given only if
   it takes more freely; the registers kept in *kept. -1 if it is not there. */
static int spilled_by(struct bench *bench, enum ptx_assembler assembler,
                      const struct ptx_source *source, int limit, int *kept)
{
    struct ptx_measure made = {0};
    struct ptx_source limited = {ptx_limited(bench->ctx->arena, source->ptx, source->entry, limit),
                                 source->entry, source->target};
    bool done = measure_by(bench, assembler, source, &made);
    if (done && made.registers > limit)
        done = measure_by(bench, assembler, &limited, &made);
    *kept = made.registers;
    return done ? made.spill_bytes : -1;
}

/* By the linker, or by the program where that is not there. With --launched both are asked, and the
   larger number counts. */
static int spilled(struct bench *bench, const struct ptx_source *source, int limit, int *kept)
{
    int other = 0, first = spilled_by(bench, PTX_LINKER, source, limit, kept);
    if (first < 0)
        return spilled_by(bench, PTX_PROGRAM, source, limit, kept);
    int second = bench->launched ? spilled_by(bench, PTX_PROGRAM, source, limit, &other) : 0;
    return first > second ? first : second;
}

/* The least multiple of STEP from which on up to `top` nothing is spilled. */
static int smallest(struct bench *bench, const struct ptx_source *source, int top)
{
    int least = top + STEP, kept;
    while (least > LEAST && spilled(bench, source, least - STEP, &kept) == 0)
        least -= STEP;
    return least;
}

static void row(struct bench *bench, const struct kernel *kernel, const struct ptx_options *options,
                const char *s)
{
    struct ptx_measure freely = {0};
    const char *text = llvm_ptx(bench->ctx, kernel, options), *name = kernel->name;
    struct ptx_source source = {text ? without_limit(bench->ctx->arena, text) : NULL, name,
                                options->target};
    double figures[PTX_FIGURES_MAX];
    int limit = 0, kept = 0;
    if (!text || !ptx_figures(source.ptx, name, figures, &limit) ||
        !measure(bench, &source, &freely)) {
        bench->failed++;
        return;
    }
    int bound = ptx_weigh(figures, 0), budget = ptx_budget(bound, MOST),
        top = ptx_budget(freely.registers, MOST - MOST % STEP),
        spill = spilled(bench, &source, budget, &kept);
    printf("%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.3f\t%.4f", bench->family, bench->leaf, s,
           options->target, bound, budget, freely.registers, freely.stack_bytes, kept, spill,
           smallest(bench, &source, top), bench->first, bench->again);
    for (int i = 0; ptx_figure_name(i); i++)
        printf("\t%g", figures[i]);
    printf("\n");
}

static void keep(struct bench *bench, const char *ptx)
{
    char *path = arena_printf(bench->ctx->arena, "%s/%s.%zu.ptx", bench->folder, bench->family,
                              bench->kept++);
    for (char *c = path + strlen(bench->folder) + 1; *c; c++)
        if (*c == '/')
            *c = '-';
    FILE *file = fopen(path, "w");
    if (!file)
        return;
    fputs(ptx, file);
    fclose(file);
}

/* One evaluation of the register counter, the first and the second time. */
static void evaluate(struct bench *bench, const struct kernel *kernel, struct ptx_options options)
{
    options.estimate = true;
    options.target = 0;
    double start = cpu_now();
    int first = llvm_registers(bench->evaluation, kernel, &options);
    double between = cpu_now();
    int again = llvm_registers(bench->evaluation, kernel, &options);
    bench->again = 1e3 * (cpu_now() - between);
    bench->first = 1e3 * (between - start);
    bench->failed += first < 0 || first != again;
}

static void form(struct bench *bench, const struct kernel *kernel, const struct binding *bindings,
                 size_t n)
{
    struct ptx_options options = {.target = TARGETS[0], .n_bindings = n, .bindings = bindings};
    const char *ptx = llvm_ptx(bench->ctx, kernel, &options);
    if (!ptx) {
        bench->failed++;
        return;
    }
    ptx = without_limit(bench->ctx->arena, ptx);
    if (map_get(bench->seen, ptx))
        return;
    map_put(bench->seen, ptx, bench);
    evaluate(bench, kernel, options);
    const char *s = n ? arena_printf(bench->ctx->arena, "%lld", (long long)bindings[0].value) : "-";
    if (bench->folder) {
        printf("# %zu\n", bench->kept);
        keep(bench, ptx);
    }
    for (int t = 0; t < N_TARGETS; t++) {
        options.target = TARGETS[t];
        row(bench, kernel, &options, s);
    }
}

/* As it stands, or with the tunables that size private arrays bound as the register counter binds
   them. */
static void forms(struct bench *bench, const struct kernel *kernel)
{
    struct binding bindings[BINDINGS];
    size_t n = 0;
    for (int i = 0; i < kernel->n_params && n < BINDINGS; i++)
        if (device_must_bind(kernel, kernel->params[i]))
            bindings[n++].name = kernel->params[i]->var->name;
    if (n == 0)
        form(bench, kernel, NULL, 0);
    for (int s = 0; s < N_SIZES && n > 0; s++) {
        for (size_t i = 0; i < n; i++)
            bindings[i].value = SIZES[s];
        form(bench, kernel, bindings, n);
    }
}

/* The budget of a launch at the bound values, as the runtime makes it; 0 if it has no estimate. */
static int launch_budget(const struct tree *tree, const struct launch *launch,
                         const struct binding *bindings, size_t n)
{
    int64_t point[RING_CAPACITY] = {0}, need = 0;
    for (size_t i = 0; i < n; i++)
        point[ring_find(tree->ring, bindings[i].name)] = bindings[i].value;
    if (!launch->registers || !poly_evaluate(launch->registers, point, &need))
        return 0;
    return ptx_budget((int)need, MOST);
}

static void launched_row(struct bench *bench, const struct launch *launch,
                         const struct ptx_options *options, int budget)
{
    struct ptx_measure freely;
    const struct kernel *kernel = launch->kernel;
    const char *text = llvm_ptx(bench->ctx, kernel, options);
    struct ptx_source source = {text ? without_limit(bench->ctx->arena, text) : NULL, kernel->name,
                                options->target};
    int kept = 0;
    if (!text || !measure(bench, &source, &freely)) {
        bench->failed++;
        return;
    }
    int spill = spilled(bench, &source, budget, &kept), raised = budget;
    for (int left = spill; left > 0 && raised < freely.registers; raised += STEP)
        left = spilled(bench, &source, raised + STEP, &kept);
    const char *s = options->n_bindings ? arena_printf(bench->ctx->arena, "%lld",
                                                       (long long)options->bindings[0].value)
                                        : "-";
    printf("%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", bench->family, bench->leaf, s,
           options->target, kernel->pressure >= PRESSURE_CAPPED, budget, freely.registers, kept,
           spill, raised);
}

/* The forms of a launch whose PTX is embedded, but for the symbolic one where there are others. */
static void launched_rows(struct bench *bench, const struct tree *tree, const struct launch *launch)
{
    const struct kernel *kernel = launch->kernel;
    struct binding bindings[BINDINGS];
    size_t n = 0;
    for (int i = 0; i < kernel->n_params && n < BINDINGS; i++)
        if (device_must_bind(kernel, kernel->params[i]))
            bindings[n++].name = kernel->params[i]->var->name;
    for (int form = 0; form < (n ? PTX_BINDINGS : 1); form++) {
        for (size_t i = 0; i < n; i++)
            bindings[i].value = ptx_bindings[form];
        int budget = launch_budget(tree, launch, bindings, n);
        for (int t = 0; t < N_TARGETS; t++)
            launched_row(
                bench, launch,
                &(struct ptx_options){.target = TARGETS[t], .n_bindings = n, .bindings = bindings},
                budget);
    }
}

static void region_bench(struct bench *bench, const struct region *region)
{
    static const struct tree_options options = {0};
    const struct tree *tree = tree_build(bench->ctx, region, &options);
    bench->failed += !tree;
    for (size_t v = 0; tree && v < tree->n_variants; v++) {
        bench->leaf = arena_printf(bench->ctx->arena, "%s.%d", region->name, tree->variants[v].id);
        for (size_t i = 0; i < tree->variants[v].n_launches; i++) {
            const struct launch *launch = &tree->variants[v].launches[i];
            if (bench->launched)
                launched_rows(bench, tree, launch);
            else
                forms(bench, launch->kernel);
        }
    }
}

static void file_bench(struct bench *bench, const char *path)
{
    static const char *const arguments[] = {"-Iruntime"};
    size_t length = strlen(path);
    bench->ctx = ctx_new();
    bench->evaluation = ctx_new();
    bench->seen = map_new(bench->ctx->arena);
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    bool is_text = length > 7 && !strcmp(path + length - 7, ".kernel");
    bench->family = arena_printf(bench->ctx->arena, "%.*s%s", (int)strcspn(base, "."), base,
                                 is_text ? "(kernel)" : "");
    bench->kept = 0;
    if (is_text) {
        const char *text = file_read(bench->ctx, path, &length);
        struct kernel *kernel = text ? kernel_of_text(bench->ctx, path, text) : NULL;
        bench->leaf = "kernel";
        bench->failed += !kernel;
        if (kernel)
            forms(bench, kernel);
    } else {
        struct program *program = program_read(
            bench->ctx, path, &(struct program_options){.n_arguments = 1, .arguments = arguments});
        bench->failed += !program;
        for (size_t r = 0; program && r < program->n_regions; r++)
            region_bench(bench, program->regions[r]);
    }
    ctx_free(bench->ctx);
    ctx_free(bench->evaluation);
}

/* Is there anything to compare with? */
static bool toolkit_present(void)
{
    static const char text[] =
        ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry k()\n{\n\tret;\n}\n";
    struct ctx *ctx = ctx_new();
    struct ptx_measure measured;
    const char *message;
    int done = ptx_measure(ctx, text, "k", TARGETS[0], &measured, &message);
    ctx_free(ctx);
    return done != 0;
}

int main(int argc, char **argv)
{
    struct bench bench = {.folder = getenv("BENCH_PTX")};
    if (!toolkit_present()) {
        fprintf(stderr, "measurements skipped: no ptxas or nvJitLink\n");
        return SKIPPED;
    }
    struct ctx *ctx = ctx_new();
    bench.assembled = assembled_open(ctx, getenv("BENCH_ASSEMBLED"));
    bench.launched = argc > 1 && !strcmp(argv[1], "--launched");
    printf("%s", bench.launched ? launched_head : head);
    for (int i = 0; ptx_figure_name(i) && !bench.launched; i++)
        printf("\t%s", ptx_figure_name(i));
    printf("\n");
    for (int i = 1 + bench.launched; i < argc; i++)
        file_bench(&bench, argv[i]);
    ctx_free(ctx);
    fprintf(stderr, "%zu failed\n", bench.failed);
    return bench.failed != 0;
}

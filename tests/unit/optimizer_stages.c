/* Tiles filled rounds ahead (optimizer/strategies/stages.c) with 2, 3 and 4 buffers, levels that
   this test makes: regions of samples and of tests/programs with a loop at block level and tiles,
   at the values of their `// SET:` lines and with fewer rounds than buffers. Thread by thread with
   all checks, with values that arrive late and at once, with blocks that take several points in
   turn, and by LLVM on the CPU they leave the bits of the serial reading. A round has one barrier.
   One program is run with four rows of points a thread, too, whose tiles are copied by vectors.

   Then the kernels are broken on purpose: each barrier left out, each one that waits made a plain
   one or one that waits for a group less, each slot the next one. All are caught thread by thread.

   Golden: shared words of matmul, S * (B0^2 + s * B0 * ub1), and of a plain product S * 32 * (B0 +
   B1); which level a machine takes is in tests/tree/asynchrony.test. */
#include "ir/async.h"
#include "ir/llvm/llvm.h"
#include "ir/walk.h"
#include "optimizer/counters/scope.h"
#include "optimizer/phases.h"
#include "optimizer_test.h"

enum { BUFFERS_MOST = 4, SETS_MOST = 8 };

/* File, what it is run with besides its `// SET:` lines, loops that are staged in all its
   regions. */
static const struct {
    const char *path, *sets;
    int loops;
    bool is_coarse; /* four rows of points a thread, and wide loads */
} programs[] = {
    {"tests/paper/matmul/matmul.c",
     "// SET: n=16,s=2,B0=4,ub1=2\n// SET: n=20,s=2,B0=4,ub1=2\n"
     "// SET: n=4,s=1,B0=4,ub1=4\n// SET: n=8,s=2,B0=4,ub1=2\n"
     "// SET: n=0,s=2,B0=4,ub1=2\n",
     1, false},
    {"samples/matvec/matvec.c",
     "// SET: m=10,n=12,B=4,h=3\n// SET: m=10,n=15,B=4,h=3\n"
     "// SET: m=5,n=1,B=4,h=3\n// SET: m=5,n=0,B=2,h=2\n", 1, false},
    {"tests/programs/gemm_guarded.c",
     "// SET: m=5,n=6,l=0,B0=4,B1=3,h=2,alpha=1,beta=2\n"
     "// SET: m=5,n=6,l=3,B0=4,B1=3,h=3,alpha=1,beta=2\n",
     1, false},
    {"tests/programs/tile_loops.c", "// SET: ni=5,nj=6,nk=70,B0=4,B1=3\n", 1, false},
    {"tests/programs/tile_loops.c",
     "// SET: ni=5,nj=6,nk=70,B0=4,B1=4\n// SET: ni=9,nj=8,nk=72,B0=8,B1=4\n", 1, true},
    {"tests/programs/nbody.c", "// SET: bodies=32,tile=8\n", 1, false},
    {"tests/programs/mirrored.c", "// SET: m=13,n=140,B=4,r=2,w=140\n", 1, false},
    {"tests/programs/three_regions.c", "// SET: n=13,m=140,B=4\n", 1, false},
    {"tests/programs/serial_filter.c", "// SET: m=6,n=100,B=4\n", 1, false},
    {"tests/programs/kahan.c", "// SET: n=17,m=140,B=4\n", 1, false},
};

/* A region's kernel and one of it with stages, on one set of values. */
struct stages_run {
    struct check *check;
    struct ctx *ctx;
    const char *name, *set;
    const struct kernel *reference, *kernel;
    union value params[32];
    struct interpret_array data[32], expected[32];
};

static bool run_open(struct stages_run *run)
{
    struct arena *arena = run->ctx->arena;
    struct str values = str_new(arena);
    for (const char *at = run->set; *at; at++) {
        at += *at == '.' ? strcspn(at, ", ") : 0;
        str_addf(&values, *at ? "%c" : "", *at);
        at -= !*at;
    }
    if (!params_set(run->reference, values.text, run->params) ||
        !data_make(run->ctx, run->reference, run->params, run->data) ||
        !data_make(run->ctx, run->reference, run->params, run->expected))
        return false;
    struct interpret_input input = {.params = run->params, .arrays = run->expected};
    return interpret_serial(arena, run->reference, &input).status == INTERPRET_DONE;
}

/* The data fresh, for one witness. */
static struct interpret_array *data_fresh(struct stages_run *run)
{
    struct interpret_array *own =
        ARENA_ARRAY(run->ctx->arena, struct interpret_array, run->kernel->n_arrays + 1);
    for (int i = 0; i < run->reference->n_arrays; i++) {
        const struct array *array = run->reference->arrays[i];
        if (array->space != SPACE_GLOBAL)
            continue;
        size_t bytes = run->data[i].count * type_bytes(array->element);
        own[i].count = run->data[i].count;
        own[i].data = arena_alloc(run->ctx->arena, bytes + 8);
        memcpy(own[i].data, run->data[i].data, bytes);
    }
    return own;
}

static bool is_expected(const struct stages_run *run, const struct interpret_array *own)
{
    for (int i = 0; i < run->reference->n_arrays; i++) {
        const struct array *array = run->reference->arrays[i];
        size_t bytes = own[i].count * type_bytes(array->element);
        if (array->space == SPACE_GLOBAL && memcmp(own[i].data, run->expected[i].data, bytes))
            return false;
    }
    return true;
}

/* Thread by thread; seeds from 2 on let one block take all points. */
static bool runs_by_threads(struct stages_run *run, const struct kernel *kernel, uint64_t seed,
                            const char **why)
{
    struct interpret_array *own = data_fresh(run);
    struct interpret_input input = {.params = run->params,
                                    .arrays = own,
                                    .seed = seed,
                                    .blocks = seed / 2 > 0};
    struct interpret_result r = interpret_threads(run->ctx->arena, kernel, &input);
    *why = r.status == INTERPRET_DONE ? "other results" : r.message;
    return r.status == INTERPRET_DONE && is_expected(run, own);
}

static void check_run(struct stages_run *run, int buffers)
{
    const char *why = "";
    for (uint64_t seed = 0; seed < 4; seed++)
        check_that(run->check, runs_by_threads(run, run->kernel, seed, &why),
                   "%s, %s: %d buffers, seed %d: %s", run->name, run->set, buffers, (int)seed, why);
    struct interpret_array *own = data_fresh(run);
    struct interpret_input input = {.params = run->params, .arrays = own};
    check_that(run->check,
               llvm_run(run->ctx, run->kernel, &input, 1) && is_expected(run, own),
               "%s, %s: %d buffers, LLVM: %s", run->name, run->set, buffers, run->ctx->last);
}

/* --- mutants ---------------------------------------------------------------------------------- */

enum defect { DEFECT_NO_BARRIER, DEFECT_PLAIN, DEFECT_LESS, DEFECT_SLOT, DEFECT_COUNT };
static const char *const defect_names[] = {"barrier left out", "plain barrier",
                                           "waits for a group less", "other slot"};

struct defective {
    struct arena *arena;
    enum defect defect;
    int place, seen, buffers;
};

static bool is_place(const struct defective *d, const struct stmt *s)
{
    switch (d->defect) {
    case DEFECT_NO_BARRIER: return s->kind == STMT_BARRIER;
    case DEFECT_PLAIN:
    case DEFECT_LESS: return s->kind == STMT_BARRIER && s->waits;
    default: return s->kind == STMT_LET && !strncmp(s->var->name, "slot", 4);
    }
}

static const struct stmt *defect_make(void *state, const struct stmt *s)
{
    struct defective *d = state;
    struct arena *arena = d->arena;
    if (!is_place(d, s) || d->seen++ != d->place)
        return s;
    if (d->defect == DEFECT_NO_BARRIER)
        return NULL;
    if (d->defect == DEFECT_PLAIN)
        return stmt_barrier(arena);
    if (d->defect == DEFECT_LESS)
        return stmt_pending(arena, s->pending + 1);
    const struct expr *next = expr_binary(arena, OP_ADD, s->value,
                                          expr_integer(arena, TYPE_I32, 1));
    return stmt_let(arena, s->var, expr_binary(arena, OP_REM, next,
                                               expr_integer(arena, TYPE_I32, d->buffers)));
}

/* NULL behind the last place. */
static const struct kernel *mutant_make(struct ctx *ctx, const struct kernel *kernel,
                                        struct defective *d)
{
    struct kernel *mutant = kernel_copy(ctx->arena, kernel);
    mutant->body = stmt_rewrite(ctx->arena, kernel->body, defect_make, d);
    return d->seen > d->place ? mutant : NULL;
}

static bool is_caught(struct stages_run *run, const struct kernel *mutant)
{
    const char *why;
    for (uint64_t seed = 0; seed < 4; seed++)
        if (!runs_by_threads(run, mutant, seed, &why))
            return true;
    return false;
}

/* Every mutant is caught at one of the sets. In front of the loop barriers only part the groups. */
static void check_mutants(struct stages_run *runs, int n, int buffers)
{
    for (int defect = 0; defect < DEFECT_COUNT; defect++)
        for (int place = defect == DEFECT_LESS ? buffers - 2 : 0;; place++) {
            struct defective d = {.arena = runs->ctx->arena, .defect = (enum defect)defect,
                                  .place = place, .buffers = buffers};
            const struct kernel *mutant = mutant_make(runs->ctx, runs->kernel, &d);
            bool caught = false;
            if (!mutant)
                break;
            for (int i = 0; i < n && !caught; i++)
                caught = is_caught(&runs[i], mutant);
            check_that(runs->check, caught, "%s: %d buffers: %s, place %d", runs->name, buffers,
                       defect_names[defect], place);
        }
}

/* --- programs --------------------------------------------------------------------------------- */

static const struct kernel *placed_kernel(struct ctx *ctx, const struct region *region,
                                          int buffers)
{
    struct placement_options options = {.stage = UINT64_MAX, .pieces = true, .promote = true,
                                        .promote_symbolic = true, .batch = true,
                                        .stages = buffers};
    return strategy_place(ctx, region->kernel, options);
}

static const struct kernel *staged_kernel(struct ctx *ctx, const struct region *region,
                                          int buffers, bool is_coarse)
{
    const struct kernel *kernel = placed_kernel(ctx, region, buffers);
    if (is_coarse)
        kernel = strategy_wide(ctx, strategy_coarsen(ctx, kernel, 0, 4), true);
    return kernel_verify(ctx, kernel) && kernel_has_async(ctx->arena, kernel) ? kernel : NULL;
}

static bool copies_vectors(struct ctx *ctx, const struct kernel *kernel)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, ctx->arena, kernel->body); s;
         s = stmt_next(&walk))
        if (s->kind == STMT_STORE && s->async && s->width)
            return true;
    return false;
}

/* Loops with asynchronous copies whose rounds have barriers other than one. */
static int count_loops(struct ctx *ctx, const struct kernel *kernel, int *many)
{
    int loops = 0;
    struct stmt_walk walk, inner;
    for (const struct stmt *s = stmt_first(&walk, ctx->arena, kernel->body); s;
         s = stmt_next(&walk)) {
        int barriers = 0, waits = 0;
        if (s->kind != STMT_FOR || s->children[0]->kind != STMT_SEQUENCE ||
            s->children[0]->children[0]->kind != STMT_BARRIER)
            continue;
        const struct stmt *t = stmt_first(&inner, ctx->arena, s);
        for (; t; t = stmt_next(&inner)) {
            barriers += t->kind == STMT_BARRIER;
            waits += t->kind == STMT_BARRIER && t->waits;
        }
        loops += waits > 0;
        *many += waits > 0 && barriers > 1;
    }
    return loops;
}

/* The model takes so many rounds of copies to be under way at once. */
static void check_phases(struct check *check, struct ctx *ctx, const struct kernel *kernel,
                         int buffers)
{
    struct map *phases = phases_find(ctx->arena, kernel);
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, ctx->arena, kernel->body); s;
         s = stmt_next(&walk)) {
        const struct expr *condition,
            *load = s->kind == STMT_STORE && s->async ? async_load(s->value, &condition) : NULL;
        const struct phase *phase = load ? map_get_pointer(phases, load) : NULL;
        check_that(check, !load || (phase && phase->overlaps == buffers), "%s: %d rounds overlap",
                   kernel->name, phase ? phase->overlaps : -1);
    }
}

static bool sums_in(const struct kernel *kernel)
{
    return kernel_accumulates(kernel) || stmt_has_end(kernel->body);
}

/* One region with so many buffers; its staged loops. */
static int check_region(struct check *check, struct ctx *ctx, const struct region *region,
                        const char *text, int buffers, bool is_coarse)
{
    int n = 0, many = 0;
    struct stages_run *runs = ARENA_ARRAY(ctx->arena, struct stages_run, SETS_MOST);
    const struct kernel *kernel =
        sums_in(region->kernel) ? NULL : staged_kernel(ctx, region, buffers, is_coarse);
    if (!kernel)
        return 0;
    check_that(check, !is_coarse || copies_vectors(ctx, kernel), "%s: no vectors are copied ahead",
               region->name);
    for (const char *set = setting_next(ctx, "// SET:", &text); set && n < SETS_MOST;
         set = setting_next(ctx, "// SET:", &text)) {
        runs[n] = (struct stages_run){.check = check, .ctx = ctx, .name = region->name, .set = set,
                                      .reference = region->kernel, .kernel = kernel};
        n += run_open(&runs[n]);
    }
    check_that(check, n > 0, "%s: no values to run it with", region->name);
    for (int i = 0; i < n; i++)
        check_run(&runs[i], buffers);
    check_phases(check, ctx, kernel, buffers);
    int loops = count_loops(ctx, kernel, &many);
    check_that(check, many == 0, "%s: %d loops have several barriers a round", region->name, many);
    if (n > 0)
        check_mutants(runs, n, buffers);
    return loops;
}

static void check_program(struct check *check, size_t index, int buffers)
{
    struct ctx *ctx = ctx_new();
    size_t length;
    int loops = 0;
    const char *file = file_read(ctx, programs[index].path, &length);
    struct program *program = program_read(ctx, programs[index].path, &READING);
    check_test(check);
    if (check_that(check, file && program, "%s cannot be read", programs[index].path)) {
        const char *text = arena_printf(ctx->arena, "%s%s\n", programs[index].sets, file);
        for (size_t r = 0; r < program->n_regions; r++)
            loops += check_region(check, ctx, program->regions[r], text, buffers,
                                  programs[index].is_coarse);
    }
    check_that(check, loops == programs[index].loops, "%s: %d staged loops", programs[index].path,
               loops);
    ctx_free(ctx);
}

/* --- golden ----------------------------------------------------------------------------------- */

static void check_words(struct check *check, const char *path, const char *const expected[3])
{
    struct ctx *ctx = ctx_new();
    struct program *program = program_read(ctx, path, &READING);
    check_test(check);
    for (int buffers = 2; buffers <= BUFFERS_MOST; buffers++) {
        const struct kernel *kernel = staged_kernel(ctx, program->regions[0], buffers, false);
        const struct poly *words = kernel ? kernel_shared_words(kernel) : NULL;
        const char *text = words ? poly_text(ctx->arena, words) : "none";
        check_that(check, !strcmp(text, expected[buffers - 2]), "%s: %d buffers have %s words",
                   path, buffers, text);
    }
    ctx_free(ctx);
}

/* Words and threads of a multiprocessor, tiles of h * (B0 + B1) words, blocks of B0 * B1 threads:
   S * r - 1 for S = 1 to 4, r the blocks that fit with 256 reserved words each. */
static const struct {
    int words, threads, h, B0, B1;
    int64_t golden[BUFFERS_MOST];
} hidings[] = {{58368, 2048, 32, 32, 8, {7, 15, 23, 31}},
               {58368, 2048, 80, 32, 32, {1, 3, 5, 7}},
               {12288, 1536, 32, 32, 8, {5, 7, 8, 7}}};

/* Sets the variables of the value's ring; one lane for floats, so that they take the longest. */
static void hiding_point(struct ring *ring, size_t row, int64_t *point)
{
    const struct {
        const char *name;
        int64_t value;
    } values[] = {{"Z_M", hidings[row].words}, {"T_M", hidings[row].threads}, {"h", hidings[row].h},
                  {"B0", hidings[row].B0},     {"B1", hidings[row].B1},       {"W_B", 32},
                  {"Q_B", 4},                  {"F_M", 1 << 30},              {"U_F", 256},
                  {"Z_R", 256},                {"U_Z", 32},                   {"N_M", 32},
                  {"Y_G", 500},                {"P_S", 1},                    {"P_I", 10000}};
    for (int v = 0; v < ring_count(ring); v++) {
        point[v] = 100;
        for (size_t i = 0; i < sizeof values / sizeof *values; i++)
            if (!strcmp(values[i].name, ring_name(ring, v)))
                point[v] = values[i].value;
    }
}

/* The report `hidden` of all numbers of buffers against each other: 100 * (S * r - 1) * c / Y_G. */
static void check_hidden(struct check *check, size_t row)
{
    struct ctx *ctx = ctx_new();
    struct program *program = program_read(ctx, "tests/programs/gemm_guarded.c", &READING);
    struct store *store = store_bare(ctx, program->regions[0]);
    int64_t first[2] = {0, 1};
    check_test(check);
    for (int buffers = 1; buffers <= BUFFERS_MOST; buffers++) {
        int64_t point[RING_CAPACITY] = {0}, value[2] = {0, 1};
        struct counter_value hidden =
            counter_hidden(store, placed_kernel(ctx, program->regions[0], buffers));
        if (!check_that(check, hidden.count > 0, "no value: %s", hidden.reason))
            continue;
        hiding_point(poly_ring(hidden.pieces[0].numerator), row, point);
        int piece = counter_value_at(&hidden, point, &value[0], &value[1]);
        if (buffers == 1)
            memcpy(first, value, sizeof first);
        check_that(check,
                   piece >= 0 && value[0] * first[1] * hidings[row].golden[0] ==
                                     first[0] * value[1] * hidings[row].golden[buffers - 1],
                   "row %zu, %d buffers: %lld / %lld, with one %lld / %lld", row, buffers,
                   (long long)value[0], (long long)value[1], (long long)first[0],
                   (long long)first[1]);
        int64_t rounds = hidings[row].golden[buffers - 1], work = value[0] / (100 * rounds);
        check_that(check, work >= 2 * hidings[row].h * hidings[row].B0 * hidings[row].B1,
                   "row %zu, %d buffers: %lld operations a round", row, buffers, (long long)work);
    }
    ctx_free(ctx);
}

int main(void)
{
    struct check check = {0};
    static const char *const matmul[] = {"2*s*B0*ub1 + 2*B0^2", "3*s*B0*ub1 + 3*B0^2",
                                         "4*s*B0*ub1 + 4*B0^2"},
                      *const product[] = {"64*B0 + 64*B1", "96*B0 + 96*B1", "128*B0 + 128*B1"};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        for (int buffers = 2; buffers <= BUFFERS_MOST; buffers += test_scale(2, 1))
            check_program(&check, i, buffers);
    check_words(&check, "tests/paper/matmul/matmul.c", matmul);
    check_words(&check, "tests/programs/tile_loops.c", product);
    for (size_t row = 0; row < sizeof hidings / sizeof *hidings; row++)
        check_hidden(&check, row);
    return check_end(&check, "optimizer_stages");
}

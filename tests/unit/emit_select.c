/* NAME_select and the fits of the tables against the tree: for every region of every sample the
   generated selector is compiled and asked at random points (small and huge parameters, finite and
   unlimited machines, every other point with a limit at, just below or just above what some
   constraint asks); FLINT evaluates the same systems in tree_select. The seed is printed. */
#include "emit/emit.h"
#include "emit/host.h"
#include "tests/unit/ir_check.h"
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#define SANITIZE "-fsanitize=address,undefined -fno-sanitize-recover=undefined"
#else
#define SANITIZE ""
#endif

enum { POINTS_MOST = 1000 };

static const char *const samples[] = {"samples/jacobi1d/jacobi1d",   "samples/matmul/matmul",
                                      "samples/transpose/transpose", "samples/matvec/matvec",
                                      "samples/matadd/matadd",       "samples/jacobi2d/jacobi2d",
                                      "samples/heat3d/heat3d",       "samples/axpy/axpy",
                                      "tests/programs/mixed",        "tests/programs/sobel"};

static const char *const symbols[] = {
#define X(symbol, key, unit, lo, hi, cuda, opencl, fallback) #symbol,
#include "runtime/machine.def"
#undef X
};
static const int64_t least[] = {
#define X(symbol, key, unit, lo, hi, cuda, opencl, fallback) lo,
#include "runtime/machine.def"
#undef X
};
#define TREEFORK_UNLIMITED INT64_MAX
static const int64_t missing[] = {
#define X(symbol, key, unit, lo, hi, cuda, opencl, fallback) fallback,
#include "runtime/machine.def"
#undef X
};
enum { MACHINE = sizeof symbols / sizeof *symbols };

/* Points per region. */
static int point_count(void)
{
    return test_scale(250, POINTS_MOST);
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static int64_t random_machine(uint64_t *state, int parameter)
{
    int64_t base = least[parameter] > 0 ? least[parameter] : 0;
    switch (next_random(state) % 5) {
    case 0: return missing[parameter] == INT64_MAX ? INT64_MAX : base ? 1 : 0;
    case 1: return base + (int64_t)(next_random(state) % 64);
    case 2: return base + (int64_t)(next_random(state) % 2048);
    default: return base + (int64_t)(next_random(state) % 70000);
    }
}

static int64_t random_parameter(uint64_t *state)
{
    switch (next_random(state) % 12) {
    case 0: return (int64_t)(next_random(state) % (UINT64_C(1) << 40));
    case 1: return (int64_t)(next_random(state) % 5000);
    case 2: return 0;
    default: return (int64_t)(next_random(state) % 33);
    }
}

/* A program that reads points and prints the selector's answer and the set of variants that fit. */
static char *write_program(struct ctx *ctx, const struct tree *tree, const char *source,
                           int selected)
{
    struct str out = str_new(ctx->arena), values = str_new(ctx->arena), all = str_new(ctx->arena);
    const struct kernel *k = tree->region->kernel;
    const char *name = tree->region->name;
    int place = 0;
    for (int i = 0; i < k->n_params; i++) {
        bool is_selected = host_selects(tree, k->params[i]);
        if (host_is_integer(k->params[i]) && k->params[i]->role != ROLE_MACHINE)
            str_addf(&all, is_selected ? "p[%d], " : "0, ", place);
        if (is_selected)
            str_addf(&values, "p[%d], ", place++);
    }
    str_addf(&out,
             "#include \"%s\"\n#include <inttypes.h>\n#include <treefork.h>\n"
             "int main(void)\n{\n    struct treefork_machine m;\n    int64_t p[%d];\n"
             "    for (;;) {\n        for (int i = 0; i < TREEFORK_PARAMETERS; i++)\n"
             "            if (scanf(\"%%\" SCNd64, &m.value[i]) != 1)\n                return 0;\n"
             "        for (int i = 0; i < %d; i++)\n            if (scanf(\"%%\" SCNd64, &p[i]) != "
             "1)\n                return 1;\n"
             "        struct treefork_trace trace = {0};\n        uint64_t fits = 0;\n",
             source, selected + 1, selected);
    str_addf(&out, "        int64_t all[] = {%s0};\n        int v = %s_select(&m, %s&trace);\n",
             all.text, name, values.text);
    str_addf(&out,
             "        for (int i = 1; i <= %zu; i++)\n"
             "            fits |= (uint64_t)!!treefork_region_fits(&tf_region_%s, &m, all, i, "
             "NULL) << (i - 1);\n",
             tree->n_variants, name);
    str_add(&out, "        printf(\"%d %\" PRIu64 \"\\n\", v > 0 && trace.variant != v ? 0 : v, "
                  "fits);\n    }\n}\n");
    return out.text;
}

/* What the selector must answer: a variant's number, TREEFORK_ARGUMENT or TREEFORK_ILLEGAL as -1,
   overflow as -2. */
static int expected_answer(const struct tree *tree, int64_t *point)
{
    struct sas checks[2] = {tree->initial, tree->region->conditions};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < checks[k].count; i++) {
            int holds = constraint_holds(checks[k].at[i], point);
            if (holds == 0)
                return -1;
        }
    int index = tree_select(tree, point, NULL);
    return index < 0 ? -2 : tree->variants[index].id;
}

/* Bit set of the variants (64 at most) whose fits holds; what overflows does not fit. */
static uint64_t expected_fits(const struct tree *tree, int64_t *point)
{
    uint64_t fits = 0;
    (void)tree_point_complete(tree, point);
    for (size_t i = 0; i < tree->n_variants; i++)
        fits |= (uint64_t)(tree_system_holds(tree, tree->variants[i].fits, point) == 1) << i;
    return fits;
}

struct question {
    struct check *check;
    struct ctx *ctx;
    const char *name;
    const struct tree *tree;
    int64_t (*points)[RING_CAPACITY];
    FILE *answers;
};

static bool is_auxiliary(const struct tree *tree, int variable)
{
    bool found = false;
    for (size_t i = 0; i < tree->n_auxiliaries; i++)
        found |= tree->auxiliaries[i]->variable == variable;
    return found;
}

/* Is a value so large, limits apart, that products of three leave 64 bits? */
static bool is_huge(const struct tree *tree, const int64_t *point)
{
    bool huge = false;
    for (int v = 0; v < ring_count(tree->ring); v++)
        huge |= !(tree->machine >> v & 1) && !is_auxiliary(tree, v) && point[v] > 1 << 20;
    return huge;
}

static void check_answers(struct question *q)
{
    int asked[3] = {0, 0, 0};
    for (int i = 0; i < point_count(); i++) {
        int want = expected_answer(q->tree, q->points[i]), got = 0;
        uint64_t fits = 0;
        bool read = fscanf(q->answers, "%d %" SCNu64, &got, &fits) == 2;
        /* The selector multiplies step by step and FLINT at once, so at large values it may
           overflow where the tree does not; never the other way round, and never into another
           variant. */
        bool overflow = got == -3 && is_huge(q->tree, q->points[i]);
        bool good = want > 0 ? got == want || overflow : got < 0;
        asked[want > 0 ? 0 : -want] += 1;
        asked[2] += overflow && want > 0;
        check_that(q->check, read && good, "%s: point %d: selector %d, tree %d", q->name, i, got,
                   want);
        if (want > 0 && !is_huge(q->tree, q->points[i])) {
            uint64_t fitting = expected_fits(q->tree, q->points[i]);
            check_that(q->check, fits == fitting, "%s: point %d: fits %#" PRIx64 ", tree %#" PRIx64,
                       q->name, i, fits, fitting);
        }
    }
    check_that(q->check, asked[0] > point_count() / 4, "%s: only %d points reach a variant",
               q->name, asked[0]);
    check_that(q->check, asked[2] < point_count() / 4, "%s: %d points overflow", q->name, asked[2]);
}

/* Puts a limit of some constraint of the tree to the value where it turns, or one beside it. */
static void point_to_boundary(const struct tree *tree, uint64_t *state, int64_t *point)
{
    int64_t turned[RING_CAPACITY], at_0, at_1;
    const struct variant *variant = &tree->variants[next_random(state) % tree->n_variants];
    bool of_case = variant->n_systems && next_random(state) % 2;
    struct sas sas =
        of_case ? variant->systems[next_random(state) % variant->n_systems].minimal : variant->fits;
    memcpy(turned, point, sizeof turned);
    if (!sas.count || !tree_point_complete(tree, turned))
        return;
    const struct poly *poly = sas.at[next_random(state) % sas.count].poly;
    for (int v = 0; v < ring_count(tree->ring); v++) {
        if (!(tree->machine >> v & 1) || !poly_uses(poly, v))
            continue;
        turned[v] = 0;
        bool known = poly_evaluate(poly, turned, &at_0);
        turned[v] = 1;
        if (!known || !poly_evaluate(poly, turned, &at_1) || llabs(at_0) > INT64_C(1) << 50 ||
            llabs(at_1 - at_0) != 1)
            return;
        int64_t value = -at_0 * (at_1 - at_0) + (int64_t)(next_random(state) % 3) - 1;
        int parameter = 0;
        while (strcmp(symbols[parameter], ring_name(tree->ring, v)))
            parameter++;
        if (value >= least[parameter])
            point[v] = value;
        return;
    }
}

static void random_points(struct question *q, uint64_t *state, struct str *text)
{
    const struct kernel *k = q->tree->region->kernel;
    q->points = arena_alloc(q->ctx->arena, POINTS_MOST * sizeof *q->points);
    memset(q->points, 0, POINTS_MOST * sizeof *q->points);
    for (int i = 0; i < point_count(); i++) {
        int64_t machine[MACHINE], values[64], *point = q->points[i];
        for (int p = 0; p < MACHINE; p++) {
            int variable = ring_find(q->tree->ring, symbols[p]);
            machine[p] = random_machine(state, p);
            if (variable >= 0)
                point[variable] = machine[p];
        }
        for (int p = 0; p < k->n_params; p++) {
            int variable = ring_find(q->tree->ring, k->params[p]->var->name);
            values[p] = random_parameter(state);
            if (variable >= 0)
                point[variable] = values[p];
        }
        if (i % 2)
            point_to_boundary(q->tree, state, point);
        for (int p = 0; p < MACHINE; p++) {
            int variable = ring_find(q->tree->ring, symbols[p]);
            str_addf(text, "%" PRId64 " ", variable >= 0 ? point[variable] : machine[p]);
        }
        for (int p = 0; p < k->n_params; p++)
            if (host_selects(q->tree, k->params[p]))
                str_addf(text, "%" PRId64 " ", values[p]);
        str_char(text, '\n');
    }
}

static bool write_text(struct question *q, const char *path, const char *text)
{
    return check_that(q->check, file_write(q->ctx, path, text, strlen(text)), "cannot write %s",
                      path);
}

static void check_region(struct question *q, const char *at, const char *runtime, uint64_t *state)
{
    struct arena *arena = q->ctx->arena;
    struct str points = str_new(arena);
    int selected = 0;
    for (int p = 0; p < q->tree->region->kernel->n_params; p++)
        selected += host_selects(q->tree, q->tree->region->kernel->params[p]);
    random_points(q, state, &points);
    write_text(q, arena_printf(arena, "%s.points", at), points.text);
    write_text(q, arena_printf(arena, "%s.main.c", at),
               write_program(q->ctx, q->tree, arena_printf(arena, "%s.tf.c", at), selected));
    q->answers =
        popen(arena_printf(arena,
                           "cc %s -Iruntime -o %s %s.main.c %s -lm -ldl -lpthread && %s <%s.points",
                           SANITIZE, at, at, runtime, at, at),
              "r");
    if (check_that(q->check, q->answers != NULL, "%s: no answers", q->name)) {
        check_answers(q);
        pclose(q->answers);
    }
}

/* With and without a target, whose auxiliary integers have caps and limits of their own. */
static void check_sample(struct check *check, const char *path, const char *const *places,
                         size_t n_targets, uint64_t *state)
{
    check_test(check);
    static const char *const arguments[] = {"-Iruntime"};
    static const struct target targets[] = {{"occupancy", false, 0}};
    const char *folder = places[0], *runtime = places[1];
    struct program_options options = {.n_arguments = 1, .arguments = arguments};
    struct tree_options tree_options = {.n_targets = n_targets, .targets = targets};
    struct ctx *ctx = check_ctx();
    struct question q = {.check = check, .ctx = ctx, .name = strrchr(path, '/') + 1};
    struct host_texts texts = host_texts_new(ctx->arena);
    struct program *program = program_read(ctx, arena_printf(ctx->arena, "%s.c", path), &options);
    const struct tree **trees =
        ARENA_ARRAY(ctx->arena, const struct tree *, program ? program->n_regions + 1 : 1);
    bool built = program != NULL;
    for (size_t r = 0; built && r < program->n_regions; r++)
        built = (trees[r] = tree_build(ctx, program->regions[r], &tree_options)) != NULL;
    if (check_that(check, built && emit_host(ctx, &texts, program, trees, NULL), "%s: %s", q.name,
                   ctx->last)) {
        const char *at = arena_printf(ctx->arena, "%s/%s", folder, q.name);
        write_text(&q, arena_printf(ctx->arena, "%s.tf.c", at), texts.source.text);
        write_text(&q, arena_printf(ctx->arena, "%s.texts.h", at), texts.texts.text);
        for (size_t r = 0; r < program->n_regions; r++) {
            q.tree = trees[r];
            q.name = trees[r]->region->name;
            check_region(&q, at, runtime, state);
        }
    }
    ctx_free(ctx);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    uint64_t state = 42;
    char folder[] = P_tmpdir "/emit_select_XXXXXX", runtime[4096], command[64];
    const char *slash = strrchr(argv[0], '/');
    (void)argc;
    printf("emit_select: seed %" PRIu64 "\n", state);
    snprintf(runtime, sizeof runtime, "%.*s/../lib/runtime.a", slash ? (int)(slash - argv[0]) : 1,
             slash ? argv[0] : ".");
    if (access(runtime, R_OK)) {
        check.skipped += (int)(sizeof samples / sizeof *samples);
        return check_end(&check, "emit_select");
    }
    check_that(&check, mkdtemp(folder) != NULL, "no folder for results");
    const char *const places[] = {folder, runtime};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        bool aims = test_scale(i % 4 == 0, 1);
        for (size_t targets = 0; targets < (aims ? 2 : 1); targets++)
            check_sample(&check, samples[i], places, targets, &state);
    }
    snprintf(command, sizeof command, "rm -rf %s", folder);
    check_that(&check, system(command) == 0, "cannot remove %s", folder);
    return check_end(&check, "emit_select");
}

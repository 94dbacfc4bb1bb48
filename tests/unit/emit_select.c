/* NAME_select against the tree: for every sample the generated selector is compiled and asked at random points (small and
   huge parameters, finite and unlimited machines); FLINT evaluates the same systems in tree_select. The seed is printed. */
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

enum { POINTS = 1000 };

static const char *const samples[] = {"samples/jacobi1d/jacobi1d", "samples/matmul/matmul", "samples/transpose/transpose",
                                      "samples/matvec/matvec", "samples/matadd/matadd", "samples/jacobi2d/jacobi2d",
                                      "samples/heat3d/heat3d", "tests/programs/mixed", "tests/programs/sobel"};

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
enum { MACHINE = sizeof symbols / sizeof *symbols };

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
    case 0: return strcmp(symbols[parameter], "W_B") && strcmp(symbols[parameter], "Q_B") ? INT64_MAX : 1;
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

/* A program that reads points and prints the selector's answers. */
static char *write_program(struct ctx *ctx, const struct tree *tree, const char *header, int selected)
{
    struct str out = str_new(ctx->arena);
    str_addf(&out, "#include <inttypes.h>\n#include \"%s\"\nint main(void)\n{\n    struct treefork_machine m;\n    int64_t p[%d];\n"
             "    for (;;) {\n        for (int i = 0; i < TREEFORK_PARAMETERS; i++)\n"
             "            if (scanf(\"%%\" SCNd64, &m.value[i]) != 1)\n                return 0;\n"
             "        for (int i = 0; i < %d; i++)\n            if (scanf(\"%%\" SCNd64, &p[i]) != 1)\n                return 1;\n"
             "        struct treefork_trace trace = {0};\n        int v = %s_select(&m", header, selected + 1, selected,
             tree->region->name);
    for (int i = 0; i < selected; i++)
        str_addf(&out, ", p[%d]", i);
    str_add(&out, ", &trace);\n        printf(\"%d\\n\", v > 0 && trace.variant != v ? 0 : v);\n    }\n}\n");
    return out.text;
}

/* What the selector must answer: a variant's number, TREEFORK_ARGUMENT or TREEFORK_ILLEGAL as -1, overflow as -2. */
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
    for (int i = 0; i < POINTS; i++) {
        int want = expected_answer(q->tree, q->points[i]), got = 0;
        bool read = fscanf(q->answers, "%d", &got) == 1;
        /* The selector multiplies step by step and FLINT at once, so at large values it may overflow where the tree does
           not; never the other way round, and never into another variant. */
        bool overflow = got == -3 && is_huge(q->tree, q->points[i]);
        bool good = want > 0 ? got == want || overflow : got < 0;
        asked[want > 0 ? 0 : -want] += 1;
        asked[2] += overflow && want > 0;
        check_that(q->check, read && good, "%s: point %d: selector %d, tree %d", q->name, i, got, want);
    }
    check_that(q->check, asked[0] > POINTS / 4, "%s: only %d points reach a variant", q->name, asked[0]);
    check_that(q->check, asked[2] < POINTS / 4, "%s: %d points overflow", q->name, asked[2]);
}

static void random_points(struct question *q, uint64_t *state, struct str *text)
{
    const struct kernel *k = q->tree->region->kernel;
    q->points = arena_alloc(q->ctx->arena, POINTS * sizeof *q->points);
    memset(q->points, 0, POINTS * sizeof *q->points);
    for (int i = 0; i < POINTS; i++) {
        for (int p = 0; p < MACHINE; p++) {
            int variable = ring_find(q->tree->ring, symbols[p]);
            int64_t value = random_machine(state, p);
            str_addf(text, "%" PRId64 " ", value);
            if (variable >= 0)
                q->points[i][variable] = value;
        }
        for (int p = 0; p < k->n_params; p++) {
            int64_t value = random_parameter(state);
            int variable = ring_find(q->tree->ring, k->params[p]->var->name);
            if (variable >= 0)
                q->points[i][variable] = value;
            if (host_selects(q->tree, k->params[p]))
                str_addf(text, "%" PRId64 " ", value);
        }
        str_char(text, '\n');
    }
}

static bool write_text(struct question *q, const char *path, const char *text)
{
    return check_that(q->check, file_write(q->ctx, path, text, strlen(text)), "cannot write %s", path);
}

static void check_sample(struct check *check, const char *path, const char *folder, const char *runtime, uint64_t *state)
{
    const char *name = strrchr(path, '/') + 1;
    static const char *const arguments[] = {"-Iruntime"};
    struct program_options options = {1, arguments};
    struct tree_options tree_options = {0};
    struct ctx *ctx = check_ctx();
    struct arena *arena = ctx->arena;
    struct question q = {.check = check, .ctx = ctx, .name = name};
    struct str source = str_new(arena), header = str_new(arena), points = str_new(arena);
    struct program *program = program_read(ctx, arena_printf(arena, "%s.c", path), &options);
    q.tree = program ? tree_build(ctx, program->regions[0], &tree_options) : NULL;
    if (check_that(check, q.tree && emit_host(ctx, &source, &header, program, &q.tree, NULL), "%s: %s", name, ctx->last)) {
        int selected = 0;
        for (int p = 0; p < q.tree->region->kernel->n_params; p++)
            selected += host_selects(q.tree, q.tree->region->kernel->params[p]);
        const char *at = arena_printf(arena, "%s/%s", folder, name);
        random_points(&q, state, &points);
        write_text(&q, arena_printf(arena, "%s.tf.c", at), source.text);
        write_text(&q, arena_printf(arena, "%s.tf.h", at), header.text);
        write_text(&q, arena_printf(arena, "%s.points", at), points.text);
        write_text(&q, arena_printf(arena, "%s.main.c", at), write_program(ctx, q.tree, arena_printf(arena, "%s.tf.h", name), selected));
        q.answers = popen(arena_printf(arena, "cc %s -Iruntime -o %s %s.tf.c %s.main.c %s -ldl -lpthread && %s <%s.points", SANITIZE, at,
                                       at, at, runtime, at, at), "r");
        if (check_that(check, q.answers != NULL, "%s: no answers", name)) {
            check_answers(&q);
            pclose(q.answers);
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
    snprintf(runtime, sizeof runtime, "%.*s/../lib/runtime.a", slash ? (int)(slash - argv[0]) : 1, slash ? argv[0] : ".");
    if (access(runtime, R_OK)) {
        check.skipped += (int)(sizeof samples / sizeof *samples);
        return check_end(&check, "emit_select");
    }
    check_that(&check, mkdtemp(folder) != NULL, "no folder for results");
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        check_sample(&check, samples[i], folder, runtime, &state);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    check_that(&check, system(command) == 0, "cannot remove %s", folder);
    return check_end(&check, "emit_select");
}

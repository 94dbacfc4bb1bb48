/* Blocks of several bands as one thread, against runs: random kernels with rounds at the block's
   level, scalars and arrays that threads keep from band to band, tiles, barriers and trees of sums.
   What blocks_make makes of one, as a kernel of one thread, is run with all checks and must leave
   the data that threads leave, bit for bit. Which kernels are taken, and the text of one, are
   checked too; some are compiled for an OpenCL device and run there. Arguments: seed, number of
   kernels, of those on the device. */
#include "emit/rows.h"
#include "ir/walk.h"
#include "tests/unit/draw.h"
#include "tests/unit/emit_opencl.h"
#include "tests/unit/emit_unit.h"
#include "tests/unit/ir_check.h"
#include <inttypes.h>

enum { BLOCKS = 3, LENGTH = 200, WORDS = LENGTH + LENGTH + 64 + BLOCKS };

/* --- random kernels --------------------------------------------------------------------------- */

/* Names that end in @ are declared in each rounds anew. */
static const char *value(uint64_t *state)
{
    return PICK(state, "x[q@]", "x[q@] * v[q@]", "acc + x[q@]", "own[1] - v[q@]",
                "most * 2 + x[q@]", "seed + v[q@]", "x[m] + own[0]");
}

/* What a thread does in a round. */
static void add_work(uint64_t *state, struct str *text)
{
    for (int n = 1 + (int)draw(state, 3); n > 0; n--)
        switch (draw(state, 5)) {
        case 0: str_addf(text, "acc = acc + %s;\n", value(state)); break;
        case 1: str_addf(text, "own[%s] = %s;\n", PICK(state, "0", "1"), value(state)); break;
        case 2: str_add(text, "if (v[q@] > most) {\nmost = v[q@];\n}\n"); break;
        case 3: str_addf(text, "acc = %s;\n", value(state)); break;
        default:
            str_addf(text, "let int z%d@ = (int)(%s);\nacc = acc + z%d@;\n", n, value(state), n);
        }
}

/* Rounds of the block around a band. */
static void add_rounds(uint64_t *state, struct str *out, int number)
{
    struct str text = str_new(out->arena);
    bool guards = draw(state, 4) > 0;
    str_addf(&text, "for (int c@ = %s; c@ < m; c@ += 1) {\n", PICK(state, "0", "1"));
    str_addf(&text, "let int base@ = (g * m + c@) * A * B;\n%s",
             PICK(state, "", "acc = acc + seed;\n", "seed = seed + 1;\n"));
    str_add(&text, "band (int i < A, int j < B) {\nlet int q@ = base@ + i * B + j;\n");
    if (guards)
        str_addf(&text, "if (%s) {\n",
                 PICK(state, "q@ < n", "n > q@", "q@ < n && q@ > 5", "q@ < n && x[q@] > 2",
                      "i > 0 && q@ <= n - 1", "q@ % 3 == 0"));
    add_work(state, &text);
    str_addf(&text, "%s}\n%s}\n", guards ? "}\n" : "", PICK(state, "", "barrier;\n"));
    for (const char *p = text.text; *p; p++)
        str_char(out, *p == '@' ? (char)('0' + number) : *p);
}

/* The sum of what threads have, by a tree. */
static void add_tree(uint64_t *state, struct str *text)
{
    str_addf(text, "band (int i < A, int j < B) {\nsh[i * B + j] = %s;\n}\nbarrier;\n",
             PICK(state, "acc", "most", "acc + own[1]", "other", "acc * most"));
    str_addf(text, "for (int k = 0; k < 4; k += 1) {\nlet int d = 8 >> k;\n%s (%s) {\n",
             PICK(state, "strided band", "strided band"), "int t < d");
    str_addf(text, "if (t + d < A * B) {\nsh[t] = sh[t] %s;\n}\n}\nbarrier;\n}\n",
             PICK(state, "+ sh[t + d]", "- sh[t + d]"));
}

static const char *kernel_text(struct arena *arena, uint64_t *state)
{
    struct str text = str_new(arena);
    const char *type = PICK(state, "int", "float");
    str_addf(&text,
             "kernel f {\nring n, m, A, B;\nparam data size int n >= 0;\n"
             "param data size int m >= 0;\nparam program tunable int A >= 1;\n"
             "param program tunable int B >= 1;\nglobal const %s x[200];\nglobal const %s v[200];\n"
             "global %s y[64];\nglobal %s part[3];\nshared %s sh[A * B] at 0;\nprivate %s own[2];\n"
             "shared_bytes 4 * A * B;\ngrid int g < 3;\nblock int i < A;\nblock int j < B;\n"
             "body {\n",
             type, type, type, type, type, type);
    str_addf(&text, "let %s acc = %s;\nlet %s most = v[1];\nlet %s seed = 3;\nprivate own;\n",
             type, PICK(state, "0", "-1", "x[3]"), type, type);
    str_addf(&text, "own[0] = 1;\nown[1] = %s;\n", PICK(state, "seed", "acc", "x[2]"));
    for (int i = 1 + (int)draw(state, 2); i > 0; i--)
        add_rounds(state, &text, i);
    str_addf(&text, "let %s other = %s;\n", type, PICK(state, "seed", "acc + own[0]", "most"));
    str_add(&text, PICK(state, "", "acc = acc * 2;\n", "own[1] = acc;\n",
                        "if (m > 2) {\nacc = other;\n}\n"));
    add_tree(state, &text);
    str_addf(&text, "band (int i < A, int j < B) {\nif (i == 0 && j == 0) {\npart[g] = sh[0];\n}\n"
                    "if (g == 1) {\ny[i * B + j] = %s;\n}\n}\nbarrier;\n}\n}\n",
             PICK(state, "acc", "own[1] + other", "most"));
    return text.text;
}

/* --- runs ------------------------------------------------------------------------------------- */

/* The body of a block in a band of one thread. */
static const struct kernel *kernel_of_one(struct arena *arena, const struct kernel *kernel,
                                          const struct stmt *block)
{
    struct kernel *copy = kernel_copy(arena, kernel);
    struct axis *single = ARENA_NEW(arena, struct axis);
    VEC(const struct array *) arrays = {0};
    struct stmt_walk walk;
    *single = (struct axis){var_new(arena, "single", TYPE_I32, VAR_ITERATOR),
                            expr_integer(arena, TYPE_I32, 1)};
    for (int i = 0; i < kernel->n_arrays; i++)
        if (kernel->arrays[i]->space != SPACE_PRIVATE)
            vec_push(arena, &arrays, kernel->arrays[i]);
    for (const struct stmt *s = stmt_first(&walk, arena, block); s; s = stmt_next(&walk))
        if (s->kind == STMT_ARRAY)
            vec_push(arena, &arrays, s->array);
    copy->arrays = arrays.at;
    copy->n_arrays = (int)arrays.count;
    copy->block = single;
    copy->n_block = 1;
    copy->body = stmt_band(arena, single, 1, false, block);
    return copy;
}

static const size_t counts[] = {LENGTH, LENGTH, 64, BLOCKS};

static void fill(const struct kernel *kernel, int32_t *words)
{
    for (int i = 0; i < 4; i++)
        for (size_t k = 0; k < counts[i]; k++, words++) {
            *words = (int32_t)((k * 7 + (size_t)i * 5) % 11);
            float real = (float)*words / 3;
            if (kernel->arrays[i]->element == TYPE_F32)
                memcpy(words, &real, sizeof real);
        }
}

static struct interpret_result run(struct arena *arena, const struct kernel *kernel,
                                   const union value *params, int32_t *words)
{
    struct interpret_array arrays[16] = {{0}};
    fill(kernel, words);
    for (int i = 0; i < 4; words += counts[i++])
        arrays[i] = (struct interpret_array){words, counts[i]};
    struct interpret_input input = {.params = params, .arrays = arrays, .seed = 1};
    return interpret_threads(arena, kernel, &input);
}

/* n, m, A, B */
static void draw_point(uint64_t *state, union value *params)
{
    params[0].integer = (int64_t)draw(state, 120);
    params[1].integer = (int64_t)draw(state, 4);
    params[2].integer = 1 + (int64_t)draw(state, 2);
    params[3].integer = 1 + (int64_t)draw(state, 8);
}

static const char *point_text(struct arena *arena, const union value *params)
{
    return arena_printf(arena, "n %d m %d A %d B %d", (int)params[0].integer,
                        (int)params[1].integer, (int)params[2].integer, (int)params[3].integer);
}

static int compare(struct check *check, uint64_t *state, const struct kernel *kernel,
                   const struct kernel *one, const char *text)
{
    static int32_t threads[WORDS], block[WORDS];
    struct arena *arena = arena_new();
    union value params[4];
    draw_point(state, params);
    bool usable = run(arena, kernel, params, threads).status == INTERPRET_DONE;
    struct interpret_result result = run(arena, one, params, block);
    bool is_same = result.status == INTERPRET_DONE && !memcmp(threads, block, sizeof block);
    check_that(check, !usable || is_same, "%s: %s\n%s", point_text(arena, params),
               result.status == INTERPRET_DONE ? "other data" : result.message, text);
    arena_free(arena);
    return usable;
}

/* The text of one thread on a device, whose compiler knows A and B. */
static void compare_device(struct check *check, struct opencl *cl, uint64_t *state,
                           struct ctx *ctx, const struct kernel *kernel)
{
    static int32_t threads[WORDS], device[WORDS];
    union value params[4];
    draw_point(state, params);
    if (run(ctx->arena, kernel, params, threads).status != INTERPRET_DONE)
        return;
    int n[4];
    struct opencl_value values[8];
    int32_t *words = device;
    for (int i = 0; i < 4; i++) {
        n[i] = (int)params[i].integer;
        values[i] = (struct opencl_value){4, &n[i], false};
        values[4 + i] = (struct opencl_value){4 * counts[i], words, true};
        words += counts[i];
    }
    fill(kernel, device);
    const char *text = unit_text(ctx, kernel, &dialect_opencl);
    cl_program program = opencl_build(
        cl, text, arena_printf(ctx->arena, "-DTREEFORK_PLANE -DTREEFORK_ROWS -DTREEFORK_BIND_A=%d "
                                           "-DTREEFORK_BIND_B=%d", n[2], n[3]));
    if (!check_that(check, program != NULL, "%s\n%s", cl->log, text))
        return;
    struct opencl_shape shape = {{BLOCKS, 1}, {1, 1}};
    cl_int status = opencl_run(cl, program, "f_1", values, 8, 4 * (size_t)(n[2] * n[3]), shape);
    check_that(check, status == CL_SUCCESS && !memcmp(threads, device, sizeof device),
               "%s: OpenCL status %d\n%s", point_text(ctx->arena, params), status, text);
    CL_CALL(cl, clReleaseProgram)(program);
}

/* The runs done. `cl`: NULL: none on a device. */
static int check_blocks(struct check *check, uint64_t *state, struct opencl *cl)
{
    struct ctx *ctx = check_ctx();
    const char *text = kernel_text(ctx->arena, state);
    const struct kernel *kernel = kernel_read(ctx, check_source(ctx, text));
    int done = 0;
    if (!check_that(check, kernel != NULL, "unreadable: %s\n%s", ctx->last, text))
        return 0;
    const struct thread_rows rows = rows_find(ctx->arena, kernel, kernel->body);
    if (check_that(check, rows.block && rows.n_bound == 2, "no block\n%s", text)) {
        const struct kernel *one = kernel_of_one(ctx->arena, kernel, rows.block);
        for (int i = 0; i < 3; i++)
            done += compare(check, state, kernel, one, check_print(ctx, one));
        if (cl)
            compare_device(check, cl, state, ctx, kernel);
    }
    ctx_free(ctx);
    return done;
}

/* --- which kernels, and the text -------------------------------------------------------------- */

static const char SUM[] =
    "kernel f {\nring n, B;\nparam data size int n >= 0;\nparam program %s int B >= 1;\n"
    "global const float x[n];\nglobal float part[8];\nshared float sh[B] at 0;\n"
    "shared_bytes 4 * B;\ngrid int g < 8;\nblock int t < B;\nbody {\nlet float acc = -0.0f;\n"
    "for (int c = 0; c < n; c += 1) {\nband (int t < B) {\nlet int i = (g * n + c) * B + t;\n"
    "if (i < n) {\n%s}\n}\n}\nband (int t < B) {\nsh[t] = acc;\n}\nbarrier;\n"
    "for (int k = 0; k < 10; k += 1) {\nlet int d = 512 >> k;\n%s (int u < d) {\n"
    "if (u + d < B) {\nsh[u] = %s;\n}\n}\nbarrier;\n}\n"
    "band (int t < B) {\nif (t == 0) {\npart[g] = sh[0];\n}\n}\nbarrier;\n}\n}\n";

static const struct sum_case {
    const char *role, *work, *band, *tree;
    bool taken;
} sums[] = {
    {"tunable", "acc = acc + x[i];\n", "strided band", "sh[u] + sh[u + d]", true},
    {"tunable", "if (x[i] > acc) {\nacc = x[i];\n}\n", "strided band", "sh[u] + sh[u + d]", true},
    /* no number of a launch is bound but tunables */
    {"uniform", "acc = acc + x[i];\n", "strided band", "sh[u] + sh[u + d]", false},
    {"tunable", "for (int e = 0; e < n; e += 1) {\nacc = acc + x[e];\n}\n", "strided band",
     "sh[u] + sh[u + d]", true},
    /* the number of a thread is not known */
    {"tunable", "acc = acc + x[i];\n", "strided band", "sh[u] + sh[u + d] * acc", false},
    /* no tree */
    {"tunable", "acc = acc + x[i];\n", "strided band", "sh[u] * 2", false},
    {"tunable", "acc = acc + x[i];\n", "strided band", "0;\nlet float a = sh[u + d];\nsh[u] = a",
     true},
};

static void check_sums(struct check *check)
{
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        struct ctx *ctx = check_ctx();
        const struct sum_case *c = &sums[i];
        const char *text = arena_printf(ctx->arena, SUM, c->role, c->work, c->band, c->tree);
        const struct kernel *kernel = kernel_read(ctx, check_source(ctx, text));
        if (check_that(check, kernel != NULL, "unreadable: %s\n%s", ctx->last, text)) {
            bool taken = rows_find(ctx->arena, kernel, kernel->body).block;
            check_that(check, taken == c->taken, "%s\n%s", taken ? "taken" : "left", text);
        }
        ctx_free(ctx);
    }
}

/* Parts of the text of the first of them: what compilers have to see to make vectors. */
static void check_text(struct check *check)
{
    static const char *const parts[] = {
        "#if defined TREEFORK_ROWS && defined TREEFORK_BIND_B\n__attribute__",
        "\tfloat acc_threads[((int)TREEFORK_BIND_B)];",
        "for (int t = 0; t < until; t++) {\n\t\t\t\tfloat acc = acc_threads[t];",
        "for (int u = 0; u < until_2; u++) {\n\t\t\t\tsh[u] = sh[u] + sh[u + d];",
        "long until_3 = (long)B < 1L ? (long)B : 1L;"};
    struct ctx *ctx = check_ctx();
    const char *source = arena_printf(ctx->arena, SUM, sums[0].role, sums[0].work, sums[0].band,
                                      sums[0].tree);
    const struct kernel *kernel = kernel_read(ctx, check_source(ctx, source));
    const char *text = kernel ? unit_text(ctx, kernel, &dialect_opencl) : "";
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        check_that(check, strstr(text, parts[i]) != NULL, "not there: %s\n%s", parts[i], text);
    ctx_free(ctx);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    struct opencl cl;
    uint64_t state = argc > 1 ? strtoull(argv[1], NULL, 10) : 3;
    int kernels = argc > 2 ? atoi(argv[2]) : test_scale(60, 3000),
        compiled = argc > 3 ? atoi(argv[3]) : test_scale(3, 100), done = 0;
    bool has_opencl = opencl_open(&cl);
    printf("seed %" PRIu64 "\n", state);
    check_test(&check);
    for (int i = 0; i < kernels; i++)
        done += check_blocks(&check, &state, has_opencl && i < compiled ? &cl : NULL);
    printf("%d kernels, %d runs\n", kernels, done);
    check_that(&check, done > kernels, "hardly any kernel runs");
    check.skipped += !has_opencl;
    if (has_opencl)
        opencl_close(&cl);
    check_test(&check);
    check_sums(&check);
    check_text(&check);
    return check_end(&check, "emit_blocks");
}

/* Asynchronous copies before every witness: pipelines of 2 to 4 buffers that sum the rows of a
   matrix, with copies in batches and point by point, guards as conditions and as zeros, rows that
   are no multiple of the tile's, 0 rounds and more. The thread interpreter runs them with values
   that arrive late and at once, LLVM on the CPU and PoCL with plain copies; the results are those
   of the serial reading. Each barrier left out, each barrier that waits for less and each wrong
   slot is caught by the thread interpreter. PTX has the instructions from sm_80 on, one barrier a
   round and copies behind it. What an asynchronous copy may not be is refused. */
#include "ir/async.h"
#include "ir/interpret.h"
#include "tests/unit/emit_opencl.h"
#include "tests/unit/emit_unit.h"
#include "tests/unit/ir_check.h"
#include "tests/unit/ir-llvm_test.h"

enum { ROWS = 3, COLUMNS = 4, N_MOST = 19, BUFFERS_MOST = 4 };

struct pipe {
    int buffers, batch;
    bool is_guarded; /* cells outside are not filled; else they are zeros */
    int width;       /* elements of a copy, where they are vectors */
    const char *type;
};

/* The copies of round `round`, over axes r`at` and c`at`. */
static const char *fill_text(struct ctx *ctx, const struct pipe *pipe, const char *round, int at)
{
    bool is_real = !strcmp(pipe->type, "float") || !strcmp(pipe->type, "double");
    const char *zero = is_real ? arena_printf(ctx->arena, "(%s)0.0", pipe->type) : "0";
    const char *batch = pipe->batch ? arena_printf(ctx->arena, "batch %d ", pipe->batch) : "",
               *vector = pipe->width ? arena_printf(ctx->arena, "vector %d ", pipe->width) : "";
    int width = pipe->width ? pipe->width : 1;
    const char *column = arena_printf(ctx->arena, "%d * c%d", width, at),
               *inside = arena_printf(ctx->arena, "i * B + r%d < n && %s * C + %s < n", at, round,
                                      column),
               *element = arena_printf(ctx->arena, "x[i * B + r%d][%s * C + %s]", at, round,
                                       column),
               *place = arena_printf(ctx->arena, "tile[to%d][r%d][%s]", at, at, column);
    const char *copy =
        pipe->is_guarded
            ? arena_printf(ctx->arena, "if (%s) {\nasync %s%s = %s;\n}", inside, vector, place,
                           element)
            : arena_printf(ctx->arena, "async %s%s = %s ? %s : %s;", vector, place, inside,
                           element, zero);
    return arena_printf(ctx->arena,
                        "let int to%d = %s %% %d;\n"
                        "strided band %s(int r%d < B, int c%d < C / %d) {\n%s\n}\n",
                        at, round, pipe->buffers, batch, at, at, width, copy);
}

static char *pipe_text(struct ctx *ctx, const struct pipe *pipe)
{
    int s = pipe->buffers;
    const char *t = pipe->type;
    struct str out = str_new(ctx->arena);
    str_addf(&out,
             "kernel pipe {\n    ring n, B, C;\n    param data size int n >= 0;\n"
             "    param program tunable int B >= 1;\n    param program tunable int C >= 1;\n"
             "    global const %s x[n][n];\n    global %s y[n];\n"
             "    shared %s tile[%d][B][C] at 0 of x;\n    shared_bytes %dL * (long)B * (long)C;\n"
             "    grid int i < (n + B - 1) / B;\n    block int v < B;\n    body {\n",
             t, t, t, s, s * (strcmp(t, "double") ? 4 : 8));
    str_addf(&out, "let %s sum = 0;\nlet int rounds = (n + C - 1) / C;\n", t);
    str_addf(&out, "for (int p = 0; p < %d; p += 1) {\nif (p > 0) {\nbarrier pending %d;\n}\n",
             s - 1, s - 2);
    str_addf(&out, "if (p < rounds) {\n%s}\n}\n", fill_text(ctx, pipe, "p", 0));
    str_addf(&out, "for (int k = 0; k < rounds; k += 1) {\nbarrier pending %d;\nif (k + %d < "
                   "rounds) {\n%s}\n",
             s - 2, s - 1, fill_text(ctx, pipe, arena_printf(ctx->arena, "(k + %d)", s - 1), 1));
    str_addf(&out,
             "band (int v < B) {\nfor (int e = 0; e < C; e += 1) {\n"
             "if (i * B + v < n && k * C + e < n) {\n"
             "sum = sum + tile[k %% %d][v][e] * (%s)(e + 1);\n}\n}\n}\n}\n",
             s, t);
    str_add(&out, "band (int v < B) {\nif (i * B + v < n) {\ny[i * B + v] = sum;\n}\n}\nbarrier;\n"
                  "}\n}\n");
    return out.text;
}

static struct kernel *pipe_kernel(struct check *check, struct ctx *ctx, const char *text)
{
    struct kernel *kernel = kernel_read(ctx, check_source(ctx, text));
    bool is_right = kernel && kernel_verify(ctx, kernel);
    return check_that(check, is_right, "%s\n%s", ctx->last, text) ? kernel : NULL;
}

static struct interpret_input pipe_input(struct ctx *ctx, const struct kernel *kernel, int n)
{
    uint64_t random = 20261129;
    struct binding values[] = {{"n", n}, {"B", ROWS}, {"C", COLUMNS}};
    return input_make(ctx, kernel, values, 3, &random);
}

static bool run_opencl(struct opencl *cl, struct ctx *ctx, const struct kernel *kernel,
                       struct interpret_input *input)
{
    int params[3];
    struct opencl_value values[5];
    for (int i = 0; i < 3; i++) {
        params[i] = (int)input->params[i].integer;
        values[i] = (struct opencl_value){4, &params[i], false};
    }
    for (int i = 0; i < 2; i++)
        values[3 + i] = (struct opencl_value){input->arrays[i].count *
                                                  type_bytes(kernel->arrays[i]->element),
                                              input->arrays[i].data, true};
    cl_program program = opencl_build(cl, unit_text(ctx, kernel, &dialect_opencl), "");
    if (!program)
        return false;
    size_t blocks = (size_t)(params[0] + ROWS - 1) / ROWS;
    cl_int status = opencl_run(cl, program, "pipe_1", values, 5, 8 * BUFFERS_MOST * ROWS * COLUMNS,
                               (struct opencl_shape){{blocks, 1}, {ROWS, 1}});
    CL_CALL(cl, clReleaseProgram)(program);
    return status == CL_SUCCESS;
}

/* The kernel with n columns before all witnesses but PoCL. */
static void check_witnesses(struct check *check, struct ctx *ctx, const struct kernel *kernel,
                            int n)
{
    struct interpret_input input = pipe_input(ctx, kernel, n),
                           serial = input_copy(ctx, kernel, &input),
                           native = input_copy(ctx, kernel, &input);
    interpret_serial(ctx->arena, kernel, &serial);
    for (uint64_t seed = 0; seed < 4; seed++) {
        struct interpret_input own = input_copy(ctx, kernel, &input);
        own.seed = seed;
        own.blocks = (int64_t)(seed / 2);
        struct interpret_result r = interpret_threads(ctx->arena, kernel, &own);
        check_that(check, r.status == INTERPRET_DONE && arrays_equal(kernel, &own, &serial),
                   "n %d seed %d: %s\n%s", n, (int)seed, r.message, check_print(ctx, kernel));
    }
    check_that(check,
               llvm_run(ctx, kernel, &native, n % 2) && arrays_equal(kernel, &native, &serial),
               "LLVM: n %d: %s\n%s", n, ctx->last, check_print(ctx, kernel));
}

static void check_opencl(struct check *check, struct opencl *cl, struct ctx *ctx,
                         const struct kernel *kernel, int n)
{
    struct interpret_input input = pipe_input(ctx, kernel, n),
                           serial = input_copy(ctx, kernel, &input);
    interpret_serial(ctx->arena, kernel, &serial);
    bool ran = run_opencl(cl, ctx, kernel, &input);
    check_that(check, ran && arrays_equal(kernel, &input, &serial), "PoCL: %s\n%s", cl->log,
               check_print(ctx, kernel));
}

static void check_pipes(struct check *check)
{
    static const char *const types[] = {"int", "float", "double"};
    struct opencl cl;
    bool has_opencl = opencl_open(&cl);
    check_test(check);
    check->skipped += !has_opencl;
    for (int buffers = 2; buffers <= BUFFERS_MOST; buffers++)
        for (int i = 0; i < 6; i++) {
            struct ctx *ctx = check_ctx();
            struct pipe pipe = {.buffers = buffers,
                                .batch = 4 - 2 * ((i + buffers) % 3),
                                .is_guarded = i % 2,
                                .type = types[i / 2]};
            const struct kernel *kernel = pipe_kernel(check, ctx, pipe_text(ctx, &pipe));
            int n_most = kernel ? N_MOST : -1;
            for (int n = 0; n <= n_most; n += test_scale(3, 1))
                check_witnesses(check, ctx, kernel, n);
            if (kernel && has_opencl && test_scale(i == buffers, 1))
                check_opencl(check, &cl, ctx, kernel, N_MOST - i);
            ctx_free(ctx);
        }
    if (has_opencl)
        opencl_close(&cl);
}

/* Vectors, whose rows begin at multiples of 16 bytes. */
static void check_vectors(struct check *check)
{
    static const char *const types[] = {"float", "double"};
    struct opencl cl;
    bool has_opencl = opencl_open(&cl);
    check_test(check);
    check->skipped += !has_opencl;
    for (int i = 0; i < 8; i++) {
        struct ctx *ctx = check_ctx();
        struct pipe pipe = {.buffers = 2 + i / 4, .batch = i / 2 % 2 ? 4 : 0, .is_guarded = i / 4,
                            .type = types[i % 2], .width = i % 2 ? 2 : 4};
        const struct kernel *kernel = pipe_kernel(check, ctx, pipe_text(ctx, &pipe));
        int n_most = kernel ? N_MOST : -1;
        for (int n = 0; n <= n_most; n += COLUMNS)
            check_witnesses(check, ctx, kernel, n);
        if (kernel && has_opencl && test_scale(i < 2, 1))
            check_opencl(check, &cl, ctx, kernel, 4 * COLUMNS);
        ctx_free(ctx);
    }
    if (has_opencl)
        opencl_close(&cl);
}

/* --- mutants ---------------------------------------------------------------------------------- */

/* Does the thread interpreter see that the text is no copy of the right one? */
static bool is_caught(struct ctx *ctx, const char *text, const struct interpret_input *input,
                      const struct interpret_input *serial)
{
    const struct kernel *kernel = text ? kernel_read(ctx, check_source(ctx, text)) : NULL;
    if (!kernel || !kernel_verify(ctx, kernel))
        return true;
    bool caught = false;
    for (uint64_t seed = 0; seed < 4; seed++) {
        struct interpret_input own = input_copy(ctx, kernel, input);
        own.seed = seed;
        own.blocks = 1;
        struct interpret_result r = interpret_threads(ctx->arena, kernel, &own);
        caught |= r.status != INTERPRET_DONE || !arrays_equal(kernel, &own, serial);
    }
    return caught;
}

static void check_mutants_of(struct check *check, int buffers)
{
    struct ctx *ctx = check_ctx();
    struct pipe pipe = {.buffers = buffers, .batch = 4, .type = "float"};
    char *text = pipe_text(ctx, &pipe), *less, *slot, *first, *read, *fill;
    int n = buffers == 3 ? N_MOST - COLUMNS : N_MOST; /* slot 0 is read in the last round */
    const struct kernel *kernel = pipe_kernel(check, ctx, text);
    struct interpret_input input = pipe_input(ctx, kernel, n),
                           serial = input_copy(ctx, kernel, &input);
    interpret_serial(ctx->arena, kernel, &serial);
    const char *loop = "k += 1) {\n";
    const char *wait = arena_printf(ctx->arena, "%sbarrier pending %d;\n", loop, buffers - 2);
    less = arena_printf(ctx->arena, "%sbarrier pending %d;\n", loop, buffers - 1);
    slot = arena_printf(ctx->arena, "tile[k %% %d]", buffers);
    first = arena_printf(ctx->arena, "to0 = p %% %d", buffers);
    fill = arena_printf(ctx->arena, "to1 = (k + %d) %% %d", buffers - 1, buffers);
    read = arena_printf(ctx->arena, "tile[(k + 1) %% %d]", buffers);
    const char *const mutants[][3] = {
        {"no barrier in the loop", wait, loop},
        {"a plain barrier in the loop", wait, "k += 1) {\nbarrier;\n"},
        {"a barrier that waits for less", wait, less},
        {"no barrier at the end", "barrier;\n}\n}\n", "}\n}\n"},
        {"the wrong slot is read", slot, read},
        {"the wrong slot is filled", fill, arena_printf(ctx->arena, "to1 = k %% %d", buffers)},
        {"the wrong slot is filled first", first,
         arena_printf(ctx->arena, "to0 = (p + 1) %% %d", buffers)},
        {"copies a round late", arena_printf(ctx->arena, "(k + %d) * C", buffers - 1),
         arena_printf(ctx->arena, "(k + %d) * C", buffers)},
    };
    check_that(check, !is_caught(ctx, text, &input, &serial), "the right one is refused\n%s", text);
    for (size_t i = 0; i < sizeof mutants / sizeof *mutants; i++)
        check_that(check,
                   is_caught(ctx, check_edit(ctx, text, mutants[i][1], mutants[i][2]), &input,
                             &serial) &&
                       check_edit(ctx, text, mutants[i][1], mutants[i][2]),
                   "%d buffers: %s", buffers, mutants[i][0]);
    ctx_free(ctx);
}

/* --- texts ------------------------------------------------------------------------------------ */

static int count(const char *text, const char *what)
{
    int n = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        n++;
    return n;
}

static void check_ptx(struct check *check)
{
    struct ctx *ctx = check_ctx();
    struct pipe pipe = {.buffers = 2, .batch = 4, .type = "float"};
    const struct kernel *kernel = pipe_kernel(check, ctx, pipe_text(ctx, &pipe));
    struct ptx_options options = {.target = 80, .libdevice = ""};
    check_test(check);
    const char *ptx = llvm_ptx(ctx, kernel, &options);
    if (check_that(check, ptx, "%s", ctx->last)) {
        const char *wait = strstr(ptx, "cp.async.wait_group 0;"),
                   *barrier = wait ? strstr(wait, "bar.sync") : NULL,
                   *copy = barrier ? strstr(barrier, "cp.async.ca.shared.global") : NULL;
        check_that(check, copy && !strstr(ptx, "st.shared"), "no wait, barrier, copies:\n%s", ptx);
        check_that(check, count(ptx, "cp.async.wait_group") == count(ptx, "commit_group") &&
                       count(ptx, "bar.sync") == count(ptx, "cp.async.wait_group") + 1,
                   "other barriers:\n%s", ptx);
        check_that(check, llvm_registers(ctx, kernel, &options) > 0, "no estimate");
    }
    options.target = 75;
    ptx = llvm_ptx(ctx, kernel, &options);
    check_that(check, ptx && !strstr(ptx, "cp.async") && strstr(ptx, "st.shared"), "sm_75:\n%s",
               ptx);
    const char *cuda = unit_text(ctx, kernel, &dialect_cuda);
    check_that(check, strstr(cuda, "TREEFORK_PENDING(0);") && strstr(cuda, "TREEFORK_COPY(4, "),
               "CUDA C:\n%s", cuda);
    check_that(check, !strstr(unit_text(ctx, kernel, &dialect_opencl), "TREEFORK_COPY"), "OpenCL");
    pipe.width = 4;
    cuda = unit_text(ctx, pipe_kernel(check, ctx, pipe_text(ctx, &pipe)), &dialect_cuda);
    check_that(check, strstr(cuda, "TREEFORK_COPY_VECTOR(float4, "), "CUDA C:\n%s", cuda);
    ctx_free(ctx);
}

/* --- rules ------------------------------------------------------------------------------------ */

static const char vectors[] =
    "kernel vectors {\n"
    "    ring n, B;\n"
    "    param data size int n >= 0;\n"
    "    param program tunable int B >= 1;\n"
    "    global const float x[n];\n"
    "    global const short z[n];\n"
    "    global float y[n];\n"
    "    shared float tile[4 * B] at 0 of x;\n"
    "    shared short small[B] at 0 of z;\n"
    "    shared_bytes 16L * (long)B;\n"
    "    grid int i < n / (4 * B);\n"
    "    block int v < B;\n"
    "    body {\n"
    "        band (int v < B) {\n"
    "            async vector 4 tile[4 * v] = x[4 * (i * B + v)];\n"
    "        }\n"
    "        barrier pending 0;\n"
    "        band (int v < B) {\n"
    "            y[i * B + v] = tile[4 * B - 4 * v - 1];\n"
    "        }\n"
    "        barrier;\n"
    "    }\n"
    "}\n";

/* A vector that is copied at once has no condition. */
static void check_plain_guard(struct check *check, struct ctx *ctx)
{
    char *text = check_edit(ctx, vectors, "= x[4 * (i * B + v)];",
                            "= v < 3 ? x[4 * (i * B + v)] : 0.0f;");
    struct kernel *kernel = kernel_read(ctx, check_source(ctx, text));
    check_that(check, kernel && kernel_verify(ctx, kernel), "a guarded vector: %s", ctx->last);
    text = check_edit(ctx, text, "async vector", "vector");
    kernel = kernel_read(ctx, check_source(ctx, text));
    check_that(check,
               kernel && !kernel_verify(ctx, kernel) && strstr(ctx->last, "the rule 'vector'"),
               "a guarded vector that is no asynchronous copy: %s", ctx->last);
}

static void check_rules(struct check *check)
{
    static const char copy[] = "async vector 4 tile[4 * v] = x[4 * (i * B + v)];";
    static const char *const edits[][2] = {
        {copy, "async tile[v] = x[v] * 2.0f;"},
        {copy, "async tile[v] = v < 3 ? x[v] : 1.0f;"},
        {copy, "async tile[v] = y[v];"},
        {copy, "async tile[v] = 1.0f;"},
        {copy, "async y[v] = x[v];"},
        {copy, "async small[v] = z[v];"},
        {copy, "async tile[v] = z[v];"},
        {"barrier pending 0;", "barrier;"},
    };
    static const char *const unread[][2] = {
        {"pending 0", "pending 8"}, {"pending 0", "pending B"}, {copy, "async n = 3;"}};
    check_test(check);
    struct ctx *ctx = check_ctx();
    const struct kernel *kernel = pipe_kernel(check, ctx, vectors);
    check_that(check, kernel && !strcmp(check_print(ctx, kernel), vectors), "printed as\n%s",
               check_print(ctx, kernel));
    struct ptx_options options = {.target = 90, .libdevice = ""};
    const char *ptx = llvm_ptx(ctx, kernel, &options);
    check_that(check, ptx && strstr(ptx, "cp.async.cg.shared.global"), "no vector:\n%s", ptx);
    check_plain_guard(check, ctx);
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        char *text = check_edit(ctx, vectors, edits[i][0], edits[i][1]);
        kernel = text ? kernel_read(ctx, check_source(ctx, text)) : NULL;
        check_that(check,
                   kernel && !kernel_verify(ctx, kernel) && strstr(ctx->last, "the rule 'async'"),
                   "'%s': %s", edits[i][1], ctx->last);
    }
    for (size_t i = 0; i < sizeof unread / sizeof *unread; i++) {
        char *text = check_edit(ctx, vectors, unread[i][0], unread[i][1]);
        check_that(check, text && !kernel_read(ctx, check_source(ctx, text)), "'%s' is read",
                   unread[i][1]);
    }
    ctx_free(ctx);
}

int main(void)
{
    struct check check = {0};
    check_pipes(&check);
    check_vectors(&check);
    check_test(&check);
    for (int buffers = 2; buffers <= BUFFERS_MOST; buffers++)
        check_mutants_of(&check, buffers);
    check_ptx(&check);
    check_rules(&check);
    return check_end(&check, "emit_async");
}

/* Vector copies (16-byte accesses) before every witness: text both ways, rules, the thread
   interpreter, LLVM on the CPU, PTX, OpenCL on PoCL, CUDA C. A misaligned vector, one that crosses
   the end of a row or of an array and one that races must be noticed. */
#include "emit/device.h"
#include "ir/interpret.h"
#include "ir/llvm/llvm.h"
#include "tests/unit/emit_opencl.h"
#include "tests/unit/emit_unit.h"
#include "tests/unit/ir_check.h"

enum { BLOCK = 6, BLOCKS = 3, COUNT = 4 * BLOCK * BLOCKS };

static const char wide[] =
    "kernel wide {\n"
    "    ring n, B;\n"
    "    param data size int n >= 0;\n"
    "    param program tunable int B >= 1;\n"
    "    global const float x[n];\n"
    "    global float y[n];\n"
    "    global const long u[2][n];\n"
    "    global long w[n];\n"
    "    shared long rows[2][2 * B] at 0 of u;\n"
    "    shared float tile[4 * B] at 32 * B of x;\n"
    "    private float keep[4];\n"
    "    private long pair[2];\n"
    "    shared_bytes 48 * B;\n"
    "    grid int i < n / (4 * B);\n"
    "    block int j < B;\n"
    "    body {\n"
    "        strided band (int q < B) {\n"
    "            vector 4 tile[4 * q] = x[4 * B * i + 4 * q];\n"
    "        }\n"
    "        strided band (int r < 2, int p < B) {\n"
    "            vector 2 rows[r][2 * p] = u[r][2 * (i * B + p)];\n"
    "        }\n"
    "        barrier;\n"
    "        band (int j < B) {\n"
    "            private keep;\n"
    "            private pair;\n"
    "            vector 4 keep[0] = tile[4 * ((j + 1) % B)];\n"
    "            vector 2 pair[0] = rows[1][2 * j];\n"
    "            unroll for (int e = 0; e < 4; e += 1) {\n"
    "                keep[e] = keep[e] * 2.0f + (float)pair[e % 2] + (float)rows[0][2 * j];\n"
    "            }\n"
    "            vector 4 y[4 * (B * i + j)] = keep[0];\n"
    "            vector 2 w[2 * (B * i + j)] = pair[0];\n"
    "        }\n"
    "        barrier;\n"
    "    }\n"
    "}\n";

struct data {
    float x[COUNT], y[COUNT];
    int64_t u[2 * COUNT], w[COUNT];
};

static void data_begin(struct data *d)
{
    for (int i = 0; i < COUNT; i++) {
        d->x[i] = (float)i / 4;
        d->y[i] = -1;
        d->w[i] = -1;
        d->u[i] = 3 * i;
        d->u[COUNT + i] = 7 * i + 1;
    }
}

static void data_expect(struct data *d)
{
    data_begin(d);
    for (int t = 0; t < COUNT / 4; t++) {
        int i = t / BLOCK, j = t % BLOCK;
        for (int e = 0; e < 4; e++)
            d->y[4 * t + e] = d->x[4 * (BLOCK * i + (j + 1) % BLOCK) + e] * 2 +
                              (float)d->u[COUNT + 2 * t + e % 2] + (float)d->u[2 * t];
        for (int e = 0; e < 2; e++)
            d->w[2 * t + e] = d->u[COUNT + 2 * t + e];
    }
}

static bool data_equal(const struct data *a, const struct data *b)
{
    return !memcmp(a->y, b->y, sizeof a->y) && !memcmp(a->w, b->w, sizeof a->w);
}

struct input {
    union value params[2];
    struct interpret_array arrays[8];
    struct interpret_input input;
};

static void input_set(struct input *in, struct data *d, uint64_t seed)
{
    *in =
        (struct input){.params = {{.integer = COUNT}, {.integer = BLOCK}},
                       .arrays = {{d->x, COUNT}, {d->y, COUNT}, {d->u, 2 * COUNT}, {d->w, COUNT}}};
    in->input = (struct interpret_input){.params = in->params, .arrays = in->arrays, .seed = seed};
}

static void check_runs(struct check *check, struct ctx *ctx, const struct kernel *kernel)
{
    check_test(check);
    struct data expected, d;
    struct input in;
    data_expect(&expected);
    for (int mode = 0; mode < 5; mode++) {
        data_begin(&d);
        input_set(&in, &d, (uint64_t)mode);
        struct interpret_result r = mode ? interpret_threads(ctx->arena, kernel, &in.input)
                                         : interpret_serial(ctx->arena, kernel, &in.input);
        check_that(check, r.status == INTERPRET_DONE && data_equal(&d, &expected),
                   "interpreter, mode %d: %s", mode, r.message);
        check_that(check, r.shared_top == 48 * BLOCK, "interpreter: %zu bytes of shared memory",
                   r.shared_top);
        data_begin(&d);
        check_that(check, llvm_run(ctx, kernel, &in.input, mode % 2) && data_equal(&d, &expected),
                   "LLVM, mode %d: %s", mode, ctx->last);
    }
}

/* What is broken, the interpreter's word for it, and whether the checks of LLVM's run see it by
   themselves. */
static const struct {
    const char *from, *to;
    enum interpret_status status;
    bool refused;
} mutants[] = {
    {"= x[4 * B * i + 4 * q]", "= x[4 * B * i + 4 * q + 1]", INTERPRET_ALIGNMENT, true},
    {"tile[4 * q]", "tile[4 * q + 2]", INTERPRET_ALIGNMENT, true},
    {"at 32 * B of x", "at 32 * B + 8 of x", INTERPRET_ALIGNMENT, true},
    {"= u[r][2 * (i * B + p)]", "= u[r][2 * (i * B + p) + 1]", INTERPRET_ALIGNMENT, true},
    {"vector 4 keep[0] = tile", "vector 4 keep[1] = tile", INTERPRET_BOUNDS, true},
    {"private float keep[4]", "private float keep[3]", INTERPRET_BOUNDS, true},
    {"int q < B", "int q < B + 1", INTERPRET_BOUNDS, true},
    {"y[4 * (B * i + j)]", "y[4 * (B * i + j + 1)]", INTERPRET_BOUNDS, true},
    {"y[4 * (B * i + j)]", "y[4 * (B * i + j / 2)]", INTERPRET_RACE, false},
    {"= x[4 * B * i + 4 * q]", "= x[4 * B * i + 4 * q - 4]", INTERPRET_BOUNDS, true},
    {"tile[4 * q] =", "tile[0] =", INTERPRET_RACE, false},
    {"        }\n        barrier;\n        band", "        }\n        band", INTERPRET_RACE, false},
    {"vector 2 rows[r][2 * p]", "vector 2 rows[r][2 * (p / 2)]", INTERPRET_RACE, false},
    {"int q < B", "int q < B - 1", INTERPRET_UNINITIALISED, false},
};

static void check_mutants(struct check *check)
{
    check_test(check);
    for (size_t i = 0; i < sizeof mutants / sizeof *mutants; i++) {
        struct ctx *ctx = check_ctx();
        struct data d;
        struct input in;
        char *text = check_edit(ctx, wide, mutants[i].from, mutants[i].to);
        const struct kernel *kernel = text ? kernel_read(ctx, check_source(ctx, text)) : NULL;
        if (check_that(check, kernel != NULL, "'%s' is not read: %s", mutants[i].to, ctx->last)) {
            data_begin(&d);
            input_set(&in, &d, 0);
            struct interpret_result r = interpret_threads(ctx->arena, kernel, &in.input);
            check_that(check, r.status == mutants[i].status, "'%s': %s: %s", mutants[i].to,
                       interpret_status_name(r.status), r.message);
            data_begin(&d);
            bool ran = !mutants[i].refused || llvm_run(ctx, kernel, &in.input, 0);
            check_that(check, ran != mutants[i].refused, "'%s': LLVM's run does not notice",
                       mutants[i].to);
        }
        ctx_free(ctx);
    }
}

/* Aligned, inside the array, but over the end of a row. */
static void check_row(struct check *check)
{
    check_test(check);
    static const char text[] = "kernel row {\n    global float x[2][6];\n    shared float tile[4] "
                               "at 0;\n    shared_bytes 16;\n    grid int i < 1;\n"
                               "    block int j < 1;\n    body {\n        strided band (int q < 1) "
                               "{\n            vector 4 tile[0] = x[0][4];\n"
                               "        }\n    }\n}\n";
    struct ctx *ctx = check_ctx();
    float x[12] = {0};
    struct interpret_array arrays[] = {{x, 12}, {NULL, 0}};
    struct interpret_input input = {.params = NULL, .arrays = arrays};
    const struct kernel *kernel = kernel_read(ctx, check_source(ctx, text));
    if (check_that(check, kernel && kernel_verify(ctx, kernel), "row: %s", ctx->last)) {
        struct interpret_result r = interpret_threads(ctx->arena, kernel, &input);
        check_that(check, r.status == INTERPRET_BOUNDS && strstr(r.message, "element 7"), "row: %s",
                   r.message);
    }
    ctx_free(ctx);
}

static const char *const refused[][2] = {
    {"vector 4 tile", "vector 2 tile"},
    {"vector 2 rows", "vector 4 rows"},
    {"= x[4 * B * i + 4 * q]", "= x[4 * B * i + 4 * q] + 1.0f"},
    {"= x[4 * B * i + 4 * q]", "= 1.0f"},
    {"= x[4 * B * i + 4 * q]", "= (float)w[4 * B * i + 4 * q]"},
    {"vector 4 tile[4 * q] = x[", "vector 4 tile[4 * q] = tile["},
};

static void check_rules(struct check *check)
{
    check_test(check);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct ctx *ctx = check_ctx();
        char *text = check_edit(ctx, wide, refused[i][0], refused[i][1]);
        const struct kernel *kernel = text ? kernel_read(ctx, check_source(ctx, text)) : NULL;
        check_that(check,
                   kernel && !kernel_verify(ctx, kernel) && strstr(ctx->last, "the rule 'vector'"),
                   "'%s': %s", refused[i][1], ctx->last);
        ctx_free(ctx);
    }
    static const char *const unread[][2] = {{"vector 4 tile", "vector x tile"},
                                            {"vector 4 tile", "vector tile"},
                                            {"vector 4 tile", "vector 1 tile"},
                                            {"vector 4 tile", "vector 17 tile"}};
    for (size_t i = 0; i < sizeof unread / sizeof *unread; i++) {
        struct ctx *ctx = check_ctx();
        char *text = check_edit(ctx, wide, unread[i][0], unread[i][1]);
        check_that(check, text && !kernel_read(ctx, check_source(ctx, text)), "'%s' is read",
                   unread[i][1]);
        ctx_free(ctx);
    }
}

static void check_texts(struct check *check, struct ctx *ctx, const struct kernel *kernel)
{
    check_test(check);
    static const struct binding block[] = {{"B", BLOCK}};
    static const char *const accesses[] = {
        "ld.global.nc.v4.f32", "st.shared.v4.f32", "ld.shared.v4.f32", "st.global.v4.f32",
        "ld.global.nc.v2.u64", "st.shared.v2.u64", "ld.shared.v2.u64", "st.global.v2.u64"};
    struct ptx_options options = {
        .target = 80, .n_bindings = 1, .bindings = block, .libdevice = ""};
    char *first = check_print(ctx, kernel);
    check_that(check, strcmp(first, wide) == 0, "printed as\n%s", first);
    const char *ptx = llvm_ptx(ctx, kernel, &options);
    for (size_t i = 0; ptx && i < sizeof accesses / sizeof *accesses; i++)
        check_that(check, strstr(ptx, accesses[i]) != NULL, "no %s in the PTX:\n%s", accesses[i],
                   ptx);
    check_that(check, ptx && !strstr(ptx, ".local"), "private arrays are in local memory");
}

static void check_opencl(struct check *check, struct ctx *ctx, const struct kernel *kernel)
{
    check_test(check);
    struct opencl cl;
    struct data d, expected;
    int n = COUNT, b = BLOCK;
    if (!opencl_open(&cl)) {
        check->skipped++;
        return;
    }
    cl_program program = opencl_build(&cl, unit_text(ctx, kernel, &dialect_opencl), "");
    data_begin(&d);
    data_expect(&expected);
    struct opencl_value values[] = {{4, &n, false},          {4, &b, false},
                                    {sizeof d.x, d.x, true}, {sizeof d.y, d.y, true},
                                    {sizeof d.u, d.u, true}, {sizeof d.w, d.w, true}};
    if (check_that(check, program != NULL, "OpenCL: %s", cl.log)) {
        cl_int status = opencl_run(&cl, program, "wide_1", values, 6, 48 * BLOCK,
                                   (struct opencl_shape){{BLOCKS, 1}, {BLOCK, 1}});
        check_that(check, status == CL_SUCCESS && data_equal(&d, &expected),
                   "OpenCL: status %d, or another result", status);
        CL_CALL(&cl, clReleaseProgram)(program);
    }
    opencl_close(&cl);
}

int main(void)
{
    struct check check = {0};
    struct ctx *ctx = check_ctx();
    const struct kernel *kernel = kernel_read(ctx, check_source(ctx, wide));
    if (check_that(&check, kernel && kernel_verify(ctx, kernel), "not read or not well formed: %s",
                   ctx->last)) {
        check_texts(&check, ctx, kernel);
        check_runs(&check, ctx, kernel);
        check_opencl(&check, ctx, kernel);
        const char *cuda = unit_text(ctx, kernel, &dialect_cuda);
        check_that(
            &check,
            strstr(cuda, "((float4 *)tile)[(unsigned int)(4 * q) / 4] = *(const float4 *)&x["),
            "CUDA C:\n%s", cuda);
        check_that(&check, strstr(cuda, "__align__(16) float keep[4];"), "CUDA C: %s", cuda);
    }
    check_mutants(&check);
    check_row(&check);
    check_rules(&check);
    ctx_free(ctx);
    return check_end(&check, "emit_vector");
}

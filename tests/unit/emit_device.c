/* Kernels as OpenCL C and CUDA C: hand-written kernels are printed, compiled by every device
   compiler there is (PoCL, NVRTC, nvcc), run on PoCL for several parameters and grids, and compared
   with the serial interpreter. Subscripts as they are printed are computed in 32 bits, for arrays
   of about 2^31 bytes. */
#include "emit/device.h"
#include "runtime/internal.h"
#include "tests/unit/emit_opencl.h"
#include "tests/unit/emit_unit.h"
#include "tests/unit/ir_check.h"
#include "tests/unit/ir_kernels.h"
#include <unistd.h>

static const char kernel_words[] =
    "kernel words {\n"
    "    ring kernel, n;\n"
    "    param program tunable int kernel >= 1;\n"
    "    param data size int n >= 0;\n"
    "    param data value float thread;\n"
    "    global float this[n];\n"
    "    global _Bool half[n];\n"
    "    grid int block < (n + kernel - 1) / kernel;\n"
    "    block int class < kernel;\n"
    "    body {\n"
    "        band (int class < kernel) {\n"
    "            let int local = block * kernel + class;\n"
    "            let _Bool is_odd = local % 2;\n"
    "            if (local < n) {\n"
    "                this[local] = this[local] * thread + 0.2f + (float)abs(-local);\n"
    "                half[local] = is_odd;\n"
    "            }\n"
    "        }\n"
    "    }\n"
    "}\n";

static const struct kernel *read_kernel(struct ctx *ctx, const char *text)
{
    return kernel_read(ctx, check_source(ctx, text));
}

/* Jacobi with a barrier behind the last use of its tile, since a block runs several points of the
   grid. */
static const char *jacobi_closed(struct ctx *ctx)
{
    static const char end[] = "    }\n}\n";
    return arena_printf(ctx->arena, "%.*s        barrier;\n%s",
                        (int)(strlen(kernel_jacobi) - strlen(end)), kernel_jacobi, end);
}

/* Jacobi on the device against the serial interpreter, with a grid smaller than the number of
   blocks too. */
struct jacobi {
    int n, s, b, t;
    bool bound;
};

static void check_jacobi(struct check *check, struct opencl *cl, struct ctx *ctx, struct jacobi j)
{
    int n = j.n, s = j.s, b = j.b, t = j.t;
    const struct kernel *k = read_kernel(ctx, jacobi_closed(ctx));
    cl_program program = opencl_build(
        cl, unit_text(ctx, k, &dialect_opencl),
        j.bound ? arena_printf(ctx->arena, "-DTREEFORK_BIND_s=%d -DTREEFORK_BIND_B=%d", s, b) : "");
    if (!check_that(check, program != NULL, "jacobi1d: %s", cl->log))
        return;
    int *device = ARENA_ARRAY(ctx->arena, int, 2 * n),
        *serial = ARENA_ARRAY(ctx->arena, int, 2 * n);
    for (int i = 0; i < 2 * n; i++)
        device[i] = serial[i] = (i * 7919 + 13) % 1000 - 500;
    union value params[] = {{.integer = n}, {.integer = s}, {.integer = b}, {.integer = t}};
    struct interpret_array arrays[] = {{serial, 2 * (size_t)n}, {NULL, 0}};
    struct interpret_input input = {.params = params, .arrays = arrays};
    struct interpret_result result = interpret_serial(ctx->arena, k, &input);
    struct opencl_value values[] = {{4, &n, false}, {4, &s, false}, {4, &b, false}, {4, &t, false},
                                    {8 * (size_t)n, device, true}};
    size_t blocks = (size_t)((n - 2) / (s * b));
    struct opencl_shape shape = {{blocks > 3 ? 3 : blocks, 1}, {(size_t)b, 1}};
    cl_int status =
        opencl_run(cl, program, "jacobi1d_1", values, 5, 4 * (size_t)(s * b + 2), shape);
    check_that(check, result.status == INTERPRET_DONE, "jacobi1d serially: %s", result.message);
    check_that(check, status == CL_SUCCESS, "jacobi1d N=%d s=%d B=%d: OpenCL status %d", n, s, b,
               status);
    check_that(check, !memcmp(device, serial, 8 * (size_t)n),
               "jacobi1d N=%d s=%d B=%d t=%d differs", n, s, b, t);
    CL_CALL(cl, clReleaseProgram)(program);
}

static void check_matmul(struct check *check, struct opencl *cl, struct ctx *ctx, int n, int q,
                         int s)
{
    const struct kernel *k = read_kernel(ctx, kernel_matmul);
    int b0 = q, b1 = 3;
    size_t count = (size_t)n * (size_t)n;
    double *a = ARENA_ARRAY(ctx->arena, double, count), *b = ARENA_ARRAY(ctx->arena, double, count);
    double *device = ARENA_ARRAY(ctx->arena, double, count),
           *serial = ARENA_ARRAY(ctx->arena, double, count);
    cl_program program = opencl_build(cl, unit_text(ctx, k, &dialect_opencl), "");
    check_that(check, !program && strstr(cl->log, "TREEFORK_BIND_s"),
               "unbound private size must be refused: %s", cl->log);
    program = opencl_build(cl, unit_text(ctx, k, &dialect_opencl),
                           arena_printf(ctx->arena, "-DTREEFORK_PLANE -DTREEFORK_BIND_s=%d", s));
    if (!check_that(check, program != NULL, "matmul: %s", cl->log))
        return;
    for (size_t i = 0; i < count; i++) {
        a[i] = (double)(i % 17) - 8;
        b[i] = (double)(i % 13) - 6;
    }
    union value params[] = {
        {.integer = n}, {.integer = q}, {.integer = b0}, {.integer = b1}, {.integer = s}};
    struct interpret_array arrays[6] = {{a, count}, {b, count}, {serial, count}};
    struct interpret_input input = {.params = params, .arrays = arrays};
    struct interpret_result result = interpret_serial(ctx->arena, k, &input);
    struct opencl_value values[] = {
        {4, &n, false}, {4, &q, false},       {4, &b0, false},      {4, &b1, false},
        {4, &s, false}, {8 * count, a, true}, {8 * count, b, true}, {8 * count, device, true}};
    size_t shared = (size_t)(8 * b0 * q + 8 * q * b1 * s);
    struct opencl_shape shape = {{(size_t)(n / (b1 * s)), (size_t)(n / b0)},
                                 {(size_t)b1, (size_t)b0}};
    cl_int status = opencl_run(cl, program, "matmul_1", values, 8, shared, shape);
    check_that(check, result.status == INTERPRET_DONE, "matmul serially: %s", result.message);
    check_that(check, status == CL_SUCCESS, "matmul n=%d: OpenCL status %d", n, status);
    check_that(check, !memcmp(device, serial, 8 * count), "matmul n=%d Q=%d s=%d differs", n, q, s);
    CL_CALL(cl, clReleaseProgram)(program);
}

/* Names that the language reserves, _Bool, a constant without a short decimal, abs. */
static void check_words(struct check *check, struct opencl *cl, struct ctx *ctx)
{
    const struct kernel *k = read_kernel(ctx, kernel_words);
    int n = 37, b = 8;
    float factor = 1.5f, device[37], serial[37];
    unsigned char odd[37] = {0};
    cl_program program = opencl_build(cl, unit_text(ctx, k, &dialect_opencl), "");
    if (!check_that(check, program != NULL, "words: %s", cl->log))
        return;
    for (int i = 0; i < n; i++) {
        device[i] = (float)i;
        serial[i] = device[i] * factor + 0.2f + (float)abs(-i);
    }
    struct opencl_value values[] = {{4, &b, false},
                                    {4, &n, false},
                                    {4, &factor, false},
                                    {sizeof device, device, true},
                                    {sizeof odd, odd, true}};
    cl_int status =
        opencl_run(cl, program, "words_1", values, 5, 0, (struct opencl_shape){{5, 1}, {8, 1}});
    check_that(check, status == CL_SUCCESS, "words: OpenCL status %d", status);
    check_that(check, !memcmp(device, serial, sizeof device), "words: floats differ");
    for (int i = 0; i < n; i++)
        check_that(check, odd[i] == i % 2, "words: half[%d] = %d", i, odd[i]);
    CL_CALL(cl, clReleaseProgram)(program);
}

static void check_opencl(struct check *check)
{
    check_test(check);
    struct opencl cl;
    struct ctx *ctx = check_ctx();
    if (!opencl_open(&cl)) {
        check->skipped++;
    } else {
        check_jacobi(check, &cl, ctx, (struct jacobi){131, 4, 16, 0, true});
        check_jacobi(check, &cl, ctx, (struct jacobi){131, 4, 16, 1, false});
        check_jacobi(check, &cl, ctx, (struct jacobi){30, 1, 7, 1, true});
        check_matmul(check, &cl, ctx, 13, 4, 2);
        check_matmul(check, &cl, ctx, 12, 3, 4);
        check_words(check, &cl, ctx);
        cl_program zoo =
            opencl_build(&cl, unit_text(ctx, read_kernel(ctx, kernel_zoo), &dialect_opencl), "");
        check_that(check, zoo != NULL, "zoo: %s", cl.log);
        if (zoo)
            CL_CALL(&cl, clReleaseProgram)(zoo);
        opencl_close(&cl);
    }
    ctx_free(ctx);
}

typedef int nvrtc_create(void **program, const char *text, const char *name, int n,
                         const char *const *h, const char *const *i);
typedef int nvrtc_compile(void *program, int n, const char *const *options);
typedef int nvrtc_destroy(void **program);
typedef int nvrtc_log(void *program, char *log);

static void check_nvrtc(struct check *check, struct ctx *ctx, const char *const *texts, int n)
{
    check_test(check);
    const char *const options[] = {"--gpu-architecture=sm_80", "--fmad=false",
                                   "-DTREEFORK_BIND_s=4"};
    void *library = dlopen("libnvrtc.so", RTLD_NOW);
    library = library ? library : dlopen("/usr/local/cuda/lib64/libnvrtc.so", RTLD_NOW);
    if (!library) {
        check->skipped++;
        return;
    }
    for (int i = 0; i < n; i++) {
        void *program = NULL;
        char *log = arena_alloc(ctx->arena, 1 << 16);
        (__extension__(nvrtc_create *)
             dlsym(library, "nvrtcCreateProgram"))(&program, texts[i], "kernel.cu", 0, NULL, NULL);
        int status = (__extension__(nvrtc_compile *)
                          dlsym(library, "nvrtcCompileProgram"))(program, 3, options);
        if (status)
            (__extension__(nvrtc_log *)dlsym(library, "nvrtcGetProgramLog"))(program, log);
        check_that(check, status == 0, "NVRTC refuses text %d: %s", i, log);
        (__extension__(nvrtc_destroy *)dlsym(library, "nvrtcDestroyProgram"))(&program);
    }
}

static void check_nvcc(struct check *check, struct ctx *ctx, const char *const *texts, int n)
{
    check_test(check);
    if (system("PATH=$PATH:/usr/local/cuda/bin nvcc --version >/dev/null 2>&1")) {
        check->skipped++;
        return;
    }
    for (int i = 0; i < n; i++) {
        char path[] = P_tmpdir "/emit_device_XXXXXX";
        int file = mkstemp(path);
        if (!check_that(check, file >= 0 && write(file, texts[i], strlen(texts[i])) > 0,
                        "cannot write %s", path))
            return;
        close(file);
        char *command = arena_printf(
            ctx->arena,
            "PATH=$PATH:/usr/local/cuda/bin nvcc -x cu -arch=sm_80 -DTREEFORK_BIND_s=4 "
            "-Xptxas -O1 -c -o /dev/null %s",
            path);
        check_that(check, system(command) == 0, "nvcc refuses text %d", i);
        unlink(path);
    }
}

enum { BOX_DIMS = 4, BOXES = 2000 };

/* An array d0 x d1 x … and the element i0, i1, …; `at` reads its printed subscript. */
struct box {
    int n;
    int64_t extent[BOX_DIMS], index[BOX_DIMS];
    const char *at;
    bool overflows;
};

static int sum_read(struct box *box);

static int factor_read(struct box *box)
{
    static const char cast[] = "(TREEFORK_INDEX)";
    if (!strncmp(box->at, cast, sizeof cast - 1)) {
        box->at += sizeof cast - 1;
        return factor_read(box);
    }
    if (*box->at == '(') {
        box->at++;
        int value = sum_read(box);
        box->at += *box->at == ')';
        return value;
    }
    char kind = box->at[0];
    int number = box->at[1] - '0';
    box->at += 2;
    return (int)(kind == 'd' ? box->extent[number] : box->index[number]);
}

/* As int, which is what TREEFORK_INDEX is then. */
static int product_read(struct box *box)
{
    int value = factor_read(box);
    for (; !strncmp(box->at, " * ", 3); ) {
        box->at += 3;
        box->overflows |= __builtin_mul_overflow(value, factor_read(box), &value);
    }
    return value;
}

static int sum_read(struct box *box)
{
    int value = product_read(box);
    for (; !strncmp(box->at, " + ", 3); ) {
        box->at += 3;
        box->overflows |= __builtin_add_overflow(value, product_read(box), &value);
    }
    return value;
}

/* The subscript of a[i0][i1]… as OpenCL C. */
static const char *subscript_text(struct ctx *ctx, int n)
{
    struct str text = str_new(ctx->arena);
    str_add(&text, "kernel box {\n    ring d0, d1, d2, d3, i0, i1, i2, i3;\n");
    for (int i = 0; i < n; i++)
        str_addf(&text, "    param data size int d%d >= 1;\n    param data size int i%d >= 0;\n", i,
                 i);
    str_add(&text, "    global _Bool a");
    for (int i = 0; i < n; i++)
        str_addf(&text, "[d%d]", i);
    str_add(&text, ";\n    grid int b < 1;\n    block int t < 1;\n    body {\n        band (int t "
                   "< 1) {\n            a");
    for (int i = 0; i < n; i++)
        str_addf(&text, "[i%d]", i);
    str_add(&text, " = 1;\n        }\n    }\n}\n");
    const struct kernel *kernel = read_kernel(ctx, text.text);
    const char *found = kernel ? strstr(unit_text(ctx, kernel, &dialect_opencl), "a[") : NULL;
    return found ? found + 2 : NULL;
}

static int64_t draw(int64_t most)
{
    return 1 + (int64_t)((((uint64_t)rand() << 31) ^ (uint64_t)rand()) % (uint64_t)most);
}

static int64_t least_divisor(int64_t number)
{
    int64_t divisor = 2;
    while (divisor < 1000 && number % divisor)
        divisor++;
    return divisor < 1000 ? divisor : 1;
}

/* Extents whose product is 2^31 up to a few, or about that, and the last element or any. Returns
   the product. */
static int64_t box_draw(struct box *box)
{
    int64_t rest = ((int64_t)1 << 31) + draw(7) - 4, product = 1;
    bool divides = rand() % 2;
    for (int i = 0; i < box->n; i++) {
        box->extent[i] = divides ? least_divisor(rest) : draw(draw(rest));
        if (i == box->n - 1)
            box->extent[i] = divides ? rest : rest + draw(2) - 1;
        rest /= box->extent[i];
        rest += !rest;
        box->extent[i] = box->extent[i] > INT32_MAX ? INT32_MAX : box->extent[i];
        product *= box->extent[i];
    }
    bool is_last = rand() % 2;
    for (int i = 0; i < box->n; i++)
        box->index[i] = (is_last ? box->extent[i] : draw(box->extent[i])) - 1;
    return product;
}

/* Where the library takes 32 bits for subscripts, nothing on the way overflows; where it does not,
   something may. */
static void check_narrow(struct check *check, struct ctx *ctx)
{
    int narrow = 0, beyond = 0;
    check_test(check);
    srand(20261123);
    for (int i = 0; i < BOXES; i++) {
        struct box box = {.n = 1 + i % BOX_DIMS};
        int64_t bytes = box_draw(&box), number = 0;
        const char *text = subscript_text(ctx, box.n);
        if (!check_that(check, text != NULL, "no subscript of %d dimensions: %s", box.n, ctx->last))
            return;
        box.at = text;
        int value = sum_read(&box);
        for (int k = 0; k < box.n; k++)
            number = number * box.extent[k] + box.index[k];
        bool few = treefork_bytes_are_few((size_t)bytes);
        narrow += few;
        beyond += !few && box.overflows;
        check_that(check, *box.at == ']', "subscript not understood: %.60s", text);
        check_that(check, !few || (!box.overflows && value == number),
                   "%lld bytes, element %lld of %d dimensions: %.60s", (long long)bytes,
                   (long long)number, box.n, text);
    }
    check_that(check, narrow > BOXES / 8 && beyond > BOXES / 64,
               "%d narrow boxes, %d that overflow: too few", narrow, beyond);
}

int main(void)
{
    struct check check = {0};
    struct ctx *ctx = check_ctx();
    const char *const sources[] = {jacobi_closed(ctx), kernel_matmul, kernel_zoo, kernel_words};
    const char *cuda[4], *opencl[4];
    for (int i = 0; i < 4; i++) {
        const struct kernel *k = read_kernel(ctx, sources[i]);
        if (!check_that(&check, k != NULL, "kernel %d does not parse: %s", i, ctx->last))
            return check_end(&check, "emit_device");
        cuda[i] = unit_text(ctx, k, &dialect_cuda);
        opencl[i] = unit_text(ctx, k, &dialect_opencl);
        check_that(&check, !strcmp(opencl[i], unit_text(ctx, k, &dialect_opencl)),
                   "text %d is not the same twice", i);
    }
    check_that(&check, strstr(opencl[3], "int kernel_") && strstr(cuda[3], " this_"),
               "reserved words stay");
    check_that(&check, strstr(opencl[3], "0x1.99999ap-3f") != NULL, "0.2f is not written exactly");
    check_narrow(&check, ctx);
    check_opencl(&check);
    check_nvrtc(&check, ctx, cuda, 4);
    check_nvcc(&check, ctx, cuda, 3);
    ctx_free(ctx);
    return check_end(&check, "emit_device");
}

/* Kernels against the C compiler: every program of tests/programs (every third at small scale,
   where tests/programs compares leaves of all with serial C) and every sample is compiled twice by
   cc, once as it is and once with a hook in the place of each region, which interprets the region's
   kernel, serially and thread by thread. Both are called in this process and must leave the same
   data, bit for bit, and return the same. Each kernel, of every program, printed as MetaFork C and
   read again is the same kernel.

   A program says by `// SET: n=37,B=4` with which values its functions are called (others are 3).
   Data are random from a fixed seed. */
#include "base/map.h"
#include "ir/interpret.h"
#include "ir/reduction.h"
#include "ir/walk.h"
#include "metafork/region.h"
#include "tests/unit/check.h"
#include <glob.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPEN_ELEMENTS = 1 << 14, NAMES_MAX = 32, TEXT_MAX_BYTES = 1 << 20 };

static struct check results;

static void check(bool good, const char *path, const char *what, const char *detail)
{
    results.passed += good;
    results.failed += !good;
    if (!good)
        printf("FAIL %s: %s: %s\n", path, what, detail ? detail : "");
}

/* Values by name: "n=37,B=4". */
struct setting {
    int n;
    char names[NAMES_MAX][32];
    double values[NAMES_MAX];
};

static struct setting setting_read(const char *text)
{
    struct setting s = {0};
    char copy[512];
    snprintf(copy, sizeof copy, "%s", text);
    for (char *word = strtok(copy, ", \r\n"); word && s.n < NAMES_MAX;
         word = strtok(NULL, ", \r\n")) {
        char *equal = strchr(word, '=');
        if (!equal)
            continue;
        *equal = 0;
        snprintf(s.names[s.n], sizeof s.names[s.n], "%s", word);
        s.values[s.n++] = strtod(equal + 1, NULL);
    }
    return s;
}

static double setting_get(const struct setting *s, const char *name)
{
    for (int i = 0; i < s->n; i++)
        if (!strcmp(s->names[i], name))
            return s->values[i];
    return 3;
}

/* The bytes of a scalar as C passes it. */
static void scalar_store(enum type type, double x, void *to)
{
    bool is_real = type_is_floating(type);
    union value v = is_real ? (union value){.real = x} : (union value){.integer = (int64_t)x};
    value_store(type, to, v);
}

static uint64_t random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void fill_random(enum type type, void *data, size_t count, uint64_t seed)
{
    uint64_t state = seed * 2654435761u + 88172645463325252u;
    for (size_t i = 0; i < count; i++) {
        uint64_t r = random_next(&state) >> 20;
        double real = (double)(r % 2001) / 1000.0 - 1.0;
        int64_t integer = (int64_t)(r % 101) - 50;
        scalar_store(type, type_is_floating(type) ? real : (double)integer,
                     (char *)data + i * type_bytes(type));
    }
}

/* An array argument of a C function, or an array of the file: as the C program leaves it, as the
   kernels do. */
struct buffer {
    const char *name;
    enum type type;
    size_t count;
    void *initial, *expected, *actual;
};

enum { BUFFERS_MAX = 48 };

struct run {
    struct ctx *ctx;
    const char *path;
    const struct program *program;
    const struct function *function;
    const struct setting *setting;
    int n_buffers;
    struct buffer buffers[BUFFERS_MAX];
    bool threads;
    bool is_near;               /* a region had floating sums whose order threads decide */
    int regions_run;
};

/* What the hook in the place of a region works for. */
static struct run *current;

/* Extents of arguments: sums, products, quotients of values that are set. */
static int64_t extent_value(const struct run *r, const struct expr *e)
{
    int64_t a = e->n_arguments > 0 ? extent_value(r, e->arguments[0]) : 0;
    int64_t b = e->n_arguments > 1 ? extent_value(r, e->arguments[1]) : 0;
    switch (e->kind) {
    case EXPR_INTEGER: return e->integer;
    case EXPR_VAR: return (int64_t)setting_get(r->setting, e->var->name);
    case EXPR_CAST: return a;
    case EXPR_BINARY:
        return e->op == OP_ADD        ? a + b
               : e->op == OP_SUB      ? a - b
               : e->op == OP_MUL      ? a * b
               : e->op == OP_DIV && b ? a / b
               : e->op == OP_SHL      ? a * ((int64_t)1 << b)
               : e->op == OP_SHR      ? a >> b
                                      : 0;
    default: return 0;
    }
}

static size_t argument_count(const struct run *r, const struct argument *argument)
{
    int64_t count = 1;
    for (int d = 0; d < argument->n_dims; d++) {
        if (!argument->dims[d])
            return OPEN_ELEMENTS;
        count *= extent_value(r, argument->dims[d]);
    }
    return (size_t)(count > 0 ? count : 0);
}

static void buffers_make(struct run *r)
{
    struct arena *arena = r->ctx->arena;
    for (int i = 0; i < r->function->n_arguments && r->n_buffers < BUFFERS_MAX; i++) {
        const struct argument *argument = &r->function->arguments[i];
        if (!argument->is_array)
            continue;
        struct buffer *b = &r->buffers[r->n_buffers++];
        *b = (struct buffer){
            .name = argument->name, .type = argument->type, .count = argument_count(r, argument)};
        size_t bytes = (b->count + 1) * type_bytes(b->type);
        b->initial = arena_alloc(arena, bytes);
        b->expected = arena_alloc(arena, bytes);
        b->actual = arena_alloc(arena, bytes);
        fill_random(b->type, b->initial, b->count, 17 + (uint64_t)i);
        memcpy(b->expected, b->initial, bytes);
    }
}

static struct buffer *buffer_of(struct run *r, const char *name)
{
    for (int i = 0; i < r->n_buffers; i++)
        if (!strcmp(r->buffers[i].name, name))
            return &r->buffers[i];
    return NULL;
}

/* Are the elements equal, or where threads take floating sums in an order of theirs near? */
static bool elements_agree(const struct run *r, const struct buffer *b, size_t k)
{
    unsigned width = type_bytes(b->type);
    const char *expected = (char *)b->expected + k * width, *actual = (char *)b->actual + k * width;
    if (!memcmp(expected, actual, width))
        return true;
    if (!r->is_near || !type_is_floating(b->type))
        return false;
    double x = value_load(b->type, (const unsigned char *)expected).real,
           y = value_load(b->type, (const unsigned char *)actual).real;
    return fabs(x - y) <= 1e-4 * (fabs(x) + 1);
}

static void compare(struct run *r, const char *what)
{
    for (int i = 0; i < r->n_buffers; i++) {
        struct buffer *b = &r->buffers[i];
        size_t k = 0;
        while (k < b->count && elements_agree(r, b, k))
            k++;
        check(k == b->count, r->path, what,
              arena_printf(r->ctx->arena, "%s[%zu] differs", b->name, k));
    }
}

/* Compiles `text`. NULL after a failed check. */
static void *library_make(struct ctx *ctx, const char *path, const char *text)
{
    static int number;
    struct arena *arena = ctx->arena;
    char folder[] = P_tmpdir "/metafork-XXXXXX";
    if (!mkdtemp(folder))
        return NULL;
    const char *c = arena_printf(arena, "%s/p.c", folder),
               *so = arena_printf(arena, "%s/p%d.so", folder, number++);
    FILE *f = fopen(c, "w");
    fputs(text, f);
    fclose(f);
    int rc = system(arena_printf(
        arena,
        "cc -std=gnu11 -O0 -w -fno-strict-aliasing -fwrapv -ffp-contract=off -shared -fPIC "
        "-Iruntime -o %s %s -lm",
        so, c));
    void *library = rc == 0 ? dlopen(so, RTLD_NOW | RTLD_LOCAL) : NULL;
    unlink(c);
    unlink(so);
    rmdir(folder);
    check(library != NULL, path, "cc compiles it", text);
    return library;
}

/* call_NAME(arguments, result) for every function with regions. */
static void add_wrappers(struct str *out, const struct program *program)
{
    for (size_t k = 0; k < program->n_functions; k++) {
        const struct function *f = &program->functions[k];
        bool is_void = !strcmp(f->return_text, "void");
        str_addf(out, "\nvoid call_%s(void **tf_v, void *tf_r)\n{\n    (void)tf_r;\n    ", f->name);
        if (!is_void)
            str_addf(out, "*(%s *)tf_r = ", f->return_text);
        str_addf(out, "%s(", f->name);
        for (int i = 0; i < f->n_arguments; i++)
            if (f->arguments[i].is_array)
                str_addf(out, "%stf_v[%d]", i ? ", " : "", i);
            else
                str_addf(out, "%s*(%s *)tf_v[%d]", i ? ", " : "", type_name(f->arguments[i].type),
                         i);
        str_add(out, ");\n}\n");
    }
}

/* The program with a call of the hook in the place of each region. */
static char *hooked_text(struct ctx *ctx, const struct program *program)
{
    struct str out = str_new(ctx->arena);
    size_t at = 0;
    str_add(&out, "extern void (*tf_hook)(int, void **);\n");
    for (size_t k = 0; k < program->n_regions; k++) {
        const struct region *region = program->regions[k];
        const struct kernel *kernel = region->kernel;
        str_add_n(&out, program->source->text + at, region->begin - at);
        str_add(&out, "{ void *tf_v[] = {");
        for (int i = 0; i < kernel->n_params; i++)
            str_addf(&out, "(void *)&(%s){%s}, ", type_name(kernel->params[i]->var->type),
                     kernel->params[i]->var->name);
        for (int i = 0; i < kernel->n_arrays; i++)
            if (kernel->arrays[i]->space == SPACE_GLOBAL)
                str_addf(&out, "(void *)%s%s, ", kernel->arrays[i]->is_scalar ? "&" : "",
                         kernel->arrays[i]->is_partial ? "0" : kernel->arrays[i]->name);
        str_addf(&out, "0}; tf_hook(%zu, tf_v); }", k);
        at = region->end;
    }
    str_add(&out, program->source->text + at);
    str_add(&out, "\nvoid (*tf_hook)(int, void **);\n");
    add_wrappers(&out, program);
    return out.text;
}

/* Elements behind a pointer that the program hands over. */
static size_t elements_at(const struct kernel *kernel, const struct array *array, const void *data,
                          const union value *params)
{
    size_t count = 1;
    for (int i = 0; i < current->n_buffers; i++)
        if (current->buffers[i].actual == data)
            return current->buffers[i].count;
    for (int d = 0; d < array->n_dims; d++) {
        union value extent;
        if (!array->dims[d] || !expr_evaluate(kernel, array->dims[d], params, &extent))
            return OPEN_ELEMENTS;
        count *= (size_t)(extent.integer > 0 ? extent.integer : 0);
    }
    return count;
}

/* In the place of a region: its kernel, interpreted. */
static void hook(int number, void **v)
{
    struct run *r = current;
    struct arena *arena = r->ctx->arena;
    const struct kernel *kernel = r->program->regions[number]->kernel;
    union value *params = ARENA_ARRAY(arena, union value, kernel->n_params + 1);
    struct interpret_array *arrays =
        ARENA_ARRAY(arena, struct interpret_array, kernel->n_arrays + 1);
    int n = 0;
    for (int i = 0; i < kernel->n_params; i++)
        params[i] = value_load(kernel->params[i]->var->type, v[n++]);
    for (int i = 0; i < kernel->n_arrays; i++)
        if (kernel->arrays[i]->space == SPACE_GLOBAL) {
            arrays[i] = (struct interpret_array){
                v[n], elements_at(kernel, kernel->arrays[i], v[n], params)};
            n++;
        }
    struct interpret_input input = {.params = params, .arrays = arrays, .seed = r->threads ? 5 : 0};
    r->is_near |= r->threads && kernel_inexact_sum(kernel);
    struct interpret_result result = r->threads ? interpret_threads(arena, kernel, &input)
                                                : interpret_serial(arena, kernel, &input);
    check(result.status == INTERPRET_DONE, r->path, interpret_status_name(result.status),
          result.message);
    r->regions_run++;
}

static bool call_function(struct run *r, void *library, bool actual, char result[16])
{
    const struct function *f = r->function;
    void *arguments[64], *call = dlsym(library, arena_printf(r->ctx->arena, "call_%s", f->name));
    void (*function)(void **, void *);
    if (!call || f->n_arguments > 64)
        return false;
    for (int i = 0; i < f->n_arguments; i++) {
        struct buffer *b = f->arguments[i].is_array ? buffer_of(r, f->arguments[i].name) : NULL;
        arguments[i] = b ? (actual ? b->actual : b->expected) : arena_alloc(r->ctx->arena, 8);
        if (b && actual)
            memcpy(b->actual, b->initial, b->count * type_bytes(b->type));
        if (!f->arguments[i].is_array)
            scalar_store(f->arguments[i].type, setting_get(r->setting, f->arguments[i].name),
                         arguments[i]);
    }
    memset(result, 0, 16);
    memcpy(&function, &call, sizeof function);
    function(arguments, result);
    return true;
}

static bool is_callable(const struct function *f)
{
    for (int i = 0; i < f->n_arguments; i++)
        if (!f->arguments[i].is_supported)
            return false;
    return !f->is_main;
}

/* The function as it is against the function with its regions replaced, serially and thread by
   thread. */
static void run_function(struct run *r, void *original, void *hooked)
{
    char expected[16], actual[16];
    void *place = dlsym(hooked, "tf_hook");
    void (*function)(int, void **) = hook;
    if (!place)
        return;
    memcpy(place, &function, sizeof function);
    buffers_make(r);
    current = r;
    check(call_function(r, original, false, expected), r->path, "can be called", r->function->name);
    for (int threads = 0; threads < 2; threads++) {
        r->threads = threads;
        call_function(r, hooked, true, actual);
        compare(r, threads ? "thread by thread" : "serially");
        check(!memcmp(expected, actual, sizeof expected), r->path, "returns the same",
              r->function->name);
    }
}

static char *kernel_text(struct ctx *ctx, const struct kernel *kernel)
{
    struct str s = str_new(ctx->arena);
    kernel_print(&s, kernel);
    return s.text;
}

/* Has the kernel starts that the threads of a block share, which MetaFork C has no words for? */
static bool shares_starts(struct ctx *ctx, const struct kernel *kernel)
{
    struct stmt_walk walk;
    const struct stmt *s = stmt_first(&walk, ctx->arena, kernel->body);
    for (; s; s = stmt_next(&walk))
        if (s->kind == STMT_BAND && s->strided)
            return true;
    return false;
}

/* Reading the printed kernel gives the same kernel and the same print, and a C compiler takes it
   without a warning. */
static void round_trip(struct ctx *ctx, const char *path, const struct kernel *kernel)
{
    struct str text = str_new(ctx->arena), again = str_new(ctx->arena);
    if (shares_starts(ctx, kernel))
        return;
    region_print(ctx, &text, kernel);
    struct program *program = program_read_text(ctx, "printed.c", text.text, text.length, NULL);
    check(program && program->n_regions == 1, path, "reading what was printed", text.text);
    if (!program || program->n_regions != 1)
        return;
    region_print(ctx, &again, program->regions[0]->kernel);
    check(!strcmp(text.text, again.text), path, "print, read, print is the identity", again.text);
    char *before = kernel_text(ctx, kernel), *after = kernel_text(ctx, program->regions[0]->kernel);
    check(!strcmp(before, after), path, "print, read gives the same kernel",
          arena_printf(ctx->arena, "%s%s", before, after));
}

static void run_settings(struct ctx *ctx, const char *path, const struct program *program,
                         const char *settings[], int n)
{
    struct str text = str_new(ctx->arena);
    str_add(&text, program->source->text);
    add_wrappers(&text, program);
    void *original = library_make(ctx, path, text.text);
    void *hooked = library_make(ctx, path, hooked_text(ctx, program));
    for (int i = 0; original && hooked && i < n; i++) {
        struct setting setting = setting_read(settings[i]);
        for (size_t k = 0; k < program->n_functions; k++) {
            struct run r = {.ctx = ctx,
                            .path = path,
                            .program = program,
                            .function = &program->functions[k],
                            .setting = &setting};
            if (is_callable(r.function))
                run_function(&r, original, hooked);
        }
    }
    if (original)
        dlclose(original);
    if (hooked)
        dlclose(hooked);
}

/* Without settings the program is read, and its kernels are printed and read again. */
static void run_file(const char *path, const char *settings[], int n)
{
    check_test(&results);
    struct ctx *ctx = ctx_new();
    ctx->quiet = true;
    struct program *program = program_read(ctx, path, NULL);
    check(program != NULL, path, "is lowered", ctx->last);
    if (program && n > 0)
        run_settings(ctx, path, program, settings, n);
    for (size_t k = 0; program && k < program->n_regions; k++)
        round_trip(ctx, path, program->regions[k]->kernel);
    ctx_free(ctx);
}

static void run_program(const char *path, bool is_run)
{
    static char text[TEXT_MAX_BYTES];
    const char *settings[16];
    int n = 0;
    FILE *f = fopen(path, "r");
    size_t length = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    text[length] = 0;
    for (char *at = strstr(text, "// SET: "); at && n < 16; at = strstr(at + 1, "// SET: "))
        settings[n++] = at + 8;
    char *copies[16];
    for (int i = 0; i < n; i++) {
        copies[i] = strdup(settings[i]);
        copies[i][strcspn(copies[i], "\n")] = 0;
        settings[i] = copies[i];
    }
    check(n > 0, path, "has a SET line", "");
    run_file(path, settings, is_run ? n : 0);
    for (int i = 0; i < n; i++)
        free(copies[i]);
}

static const struct {
    const char *path, *setting;
} samples[] = {
    {"samples/matadd/matadd.c", "N=24,B0=4,B1=3"},
    {"samples/matmul/matmul.c", "n=24,s=2,B0=4,ub1=3"},
    {"samples/jacobi1d/jacobi1d.c", "T=3,N=26,s=2,B=4"},
    {"samples/transpose/transpose.c", "N=24,s=2,B0=4,B1=3"},
    {"samples/jacobi2d/jacobi2d.c", "T=2,N=17,s=2,B0=4,B1=3"},
    {"samples/heat3d/heat3d.c", "N=14,s=2,B0=2,B1=3,B2=4,r=0.125"},
    {"samples/axpy/axpy.c", "n=53,s=2,B=8,alpha=3"},
    {"samples/matvec/matvec.c", "m=21,n=24,B=8,h=4"},
};

int main(void)
{
    glob_t found = {0};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        run_file(samples[i].path, (const char *[]){samples[i].setting}, 1);
    glob("tests/programs/*.c", 0, NULL, &found);
    check(found.gl_pathc > 0, "tests/programs", "has programs", "");
    for (size_t i = 0; i < found.gl_pathc; i++)
        run_program(found.gl_pathv[i], i % (size_t)test_scale(3, 1) == 0);
    globfree(&found);
    return check_end(&results, "metafork_programs");
}

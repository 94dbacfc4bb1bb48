/* Kernels against the C compiler: every program of tests/programs and every sample is lowered; its kernel, run serially
   and thread by thread, must leave the arrays exactly as the C function does, which is compiled by cc and called in this
   process; printed as MetaFork C, compiled and called, it must do so again, and reading the print gives the same kernel.

   A program says by `// SET: n=37,B=4` with which values it is run (others are 3); `T` rounds of a sample with a loop
   over t around its region are run by setting t. Data are random from a fixed seed; equality is bitwise. */
#include "base/map.h"
#include "ir/interpret.h"
#include "metafork/region.h"
#include <dirent.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPEN_ELEMENTS = 4096, NAMES_MAX = 32, TEXT_MAX_BYTES = 1 << 20 };

static int passed, failed;

static void check(bool good, const char *path, const char *what, const char *detail)
{
    passed += good;
    failed += !good;
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
    for (char *word = strtok(copy, ", \r\n"); word && s.n < NAMES_MAX; word = strtok(NULL, ", \r\n")) {
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

static union value value_of(enum type type, double x)
{
    union value v;
    memset(&v, 0, sizeof v);
    if (type_is_floating(type))
        v.real = type == TYPE_F32 ? (float)x : x;
    else
        v.integer = type_wrap(type, (int64_t)x);
    return v;
}

/* The bytes of a scalar as C passes it. */
static void scalar_store(enum type type, double x, void *to)
{
    float f = (float)x;
    int64_t i = (int64_t)x;
    if (type == TYPE_F32)
        memcpy(to, &f, sizeof f);
    else if (type == TYPE_F64)
        memcpy(to, &x, sizeof x);
    else
        memcpy(to, &i, type_bytes(type));
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
        scalar_store(type, type_is_floating(type) ? real : (double)integer, (char *)data + i * type_bytes(type));
    }
}

/* One array of the kernel: what C works on, what the interpreter works on. */
struct buffer {
    enum type type;
    size_t count;
    void *initial, *expected, *actual;
};

struct run {
    struct ctx *ctx;
    const char *path;
    const struct kernel *kernel;
    const struct function *function;
    const struct setting *setting;
    union value *params;
    struct buffer *buffers;      /* by kernel->arrays */
    void *library;
};

static void params_set(struct run *r, const char *name, double value)
{
    for (int i = 0; i < r->kernel->n_params; i++) {
        const struct var *var = r->kernel->params[i]->var;
        if (!name || !strcmp(var->name, name))
            r->params[i] = value_of(var->type, name ? value : setting_get(r->setting, var->name));
    }
}

static size_t array_count(struct run *r, const struct array *array)
{
    size_t count = 1;
    for (int d = 0; d < array->n_dims; d++) {
        union value extent;
        if (!array->dims[d] || !expr_evaluate(r->kernel, array->dims[d], r->params, &extent))
            return OPEN_ELEMENTS;
        count *= (size_t)(extent.integer > 0 ? extent.integer : 0);
    }
    return count;
}

static bool is_argument(const struct run *r, const char *name)
{
    for (int i = 0; i < r->function->n_arguments; i++)
        if (!strcmp(r->function->arguments[i].name, name))
            return true;
    return false;
}

static void buffers_make(struct run *r)
{
    struct arena *arena = r->ctx->arena;
    r->buffers = ARENA_ARRAY(arena, struct buffer, r->kernel->n_arrays + 1);
    for (int i = 0; i < r->kernel->n_arrays; i++) {
        const struct array *array = r->kernel->arrays[i];
        struct buffer *b = &r->buffers[i];
        if (array->space != SPACE_GLOBAL)
            continue;
        b->type = array->element;
        b->count = array_count(r, array);
        size_t bytes = (b->count + 1) * type_bytes(b->type);
        b->initial = arena_alloc(arena, bytes);
        b->expected = arena_alloc(arena, bytes);
        b->actual = arena_alloc(arena, bytes);
        fill_random(b->type, b->initial, b->count, 17 + (uint64_t)i);
        void *global = r->library && !is_argument(r, array->name) ? dlsym(r->library, array->name) : NULL;
        if (global)
            memcpy(b->initial, global, b->count * type_bytes(b->type));
    }
}

static void buffers_reset(struct run *r, bool expected)
{
    for (int i = 0; i < r->kernel->n_arrays; i++) {
        struct buffer *b = &r->buffers[i];
        if (b->count)
            memcpy(expected ? b->expected : b->actual, b->initial, b->count * type_bytes(b->type));
    }
}

static struct buffer *buffer_of(struct run *r, const char *name)
{
    for (int i = 0; i < r->kernel->n_arrays; i++)
        if (r->buffers[i].count && !strcmp(r->kernel->arrays[i]->name, name))
            return &r->buffers[i];
    return NULL;
}

static void compare(struct run *r, const char *what)
{
    for (int i = 0; i < r->kernel->n_arrays; i++) {
        struct buffer *b = &r->buffers[i];
        unsigned width = b->count ? type_bytes(b->type) : 1;
        size_t k = 0;
        while (k < b->count && !memcmp((char *)b->expected + k * width, (char *)b->actual + k * width, width))
            k++;
        if (b->count)
            check(k == b->count, r->path, what, arena_printf(r->ctx->arena, "%s[%zu] differs", r->kernel->arrays[i]->name, k));
    }
}

/* Compiles `text` with a function call_NAME(void **) behind it. NULL after a failed check. */
static void *library_make(struct run *r, const char *text, const char *wrapper)
{
    static int number;
    struct arena *arena = r->ctx->arena;
    char folder[] = "/tmp/metafork-XXXXXX";
    if (!mkdtemp(folder))
        return NULL;
    const char *c = arena_printf(arena, "%s/p.c", folder), *so = arena_printf(arena, "%s/p%d.so", folder, number++);
    FILE *f = fopen(c, "w");
    fprintf(f, "%s\n%s", text, wrapper);
    fclose(f);
    int rc = system(arena_printf(arena, "cc -std=gnu11 -O1 -w -fno-strict-aliasing -fwrapv -ffp-contract=off -shared -fPIC "
                                        "-Iruntime -o %s %s -lm", so, c));
    void *library = rc == 0 ? dlopen(so, RTLD_NOW | RTLD_LOCAL) : NULL;
    unlink(c);
    unlink(so);
    rmdir(folder);
    check(library != NULL, r->path, "cc compiles it", text);
    return library;
}

static const char *wrapper_of(struct run *r)
{
    struct str s = str_new(r->ctx->arena);
    const struct function *f = r->function;
    str_addf(&s, "void call_%s(void **v)\n{\n    %s(", f->name, f->name);
    for (int i = 0; i < f->n_arguments; i++)
        if (f->arguments[i].is_array)
            str_addf(&s, "%sv[%d]", i ? ", " : "", i);
        else
            str_addf(&s, "%s*(%s *)v[%d]", i ? ", " : "", type_name(f->arguments[i].type), i);
    str_add(&s, ");\n}\n");
    return s.text;
}

/* Calls the C function on the `expected` data. */
static void call_function(struct run *r)
{
    const struct function *f = r->function;
    void *arguments[64], *call = dlsym(r->library, arena_printf(r->ctx->arena, "call_%s", f->name));
    void (*function)(void **);
    for (int i = 0; i < f->n_arguments; i++) {
        struct buffer *b = f->arguments[i].is_array ? buffer_of(r, f->arguments[i].name) : NULL;
        arguments[i] = b ? b->expected : arena_alloc(r->ctx->arena, OPEN_ELEMENTS * 8);
        if (!f->arguments[i].is_array)
            scalar_store(f->arguments[i].type, setting_get(r->setting, f->arguments[i].name), arguments[i]);
    }
    memcpy(&function, &call, sizeof function);
    function(arguments);
}

/* Rounds of a loop over t around the region, where the function has a T. */
static int rounds_of(const struct run *r)
{
    return is_argument(r, "T") && kernel_param(r->kernel, "t") ? (int)setting_get(r->setting, "T") : 1;
}

static void interpret(struct run *r, bool threads)
{
    struct interpret_array *arrays = ARENA_ARRAY(r->ctx->arena, struct interpret_array, r->kernel->n_arrays + 1);
    for (int i = 0; i < r->kernel->n_arrays; i++)
        arrays[i] = (struct interpret_array){r->buffers[i].actual, r->buffers[i].count};
    struct interpret_input input = {.params = r->params, .arrays = arrays, .seed = threads ? 5 : 0};
    buffers_reset(r, false);
    for (int t = 0; t < rounds_of(r); t++) {
        if (rounds_of(r) > 1)
            params_set(r, "t", t);
        struct interpret_result result = threads ? interpret_threads(r->ctx->arena, r->kernel, &input)
                                                 : interpret_serial(r->ctx->arena, r->kernel, &input);
        check(result.status == INTERPRET_DONE, r->path, interpret_status_name(result.status), result.message);
    }
    compare(r, threads ? "thread by thread" : "serially");
}

/* The printed function on the kernel's own parameters. */
static void run_printed(struct run *r, const char *text)
{
    struct str s = str_new(r->ctx->arena);
    const struct kernel *k = r->kernel;
    void *arguments[64];
    int n = 0;
    str_addf(&s, "void call_printed(void **v)\n{\n    %s(", k->name);
    for (int i = 0; i < k->n_params; i++, n++) {
        enum type type = k->params[i]->var->type;
        arguments[n] = arena_alloc(r->ctx->arena, 8);
        scalar_store(type, type_is_floating(type) ? r->params[i].real : (double)r->params[i].integer, arguments[n]);
        str_addf(&s, "%s*(%s *)v[%d]", n ? ", " : "", type_name(type), n);
    }
    for (int i = 0; i < k->n_arrays; i++)
        if (k->arrays[i]->space == SPACE_GLOBAL) {
            arguments[n] = r->buffers[i].actual;
            str_addf(&s, "%sv[%d]", n ? ", " : "", n);
            n++;
        }
    str_add(&s, ");\n}\n");
    void *library = library_make(r, text, s.text);
    void *call = library ? dlsym(library, "call_printed") : NULL;
    void (*function)(void **);
    if (!call || rounds_of(r) > 1)
        return;
    memcpy(&function, &call, sizeof function);
    buffers_reset(r, false);
    function(arguments);
    compare(r, "printed as MetaFork C");
    dlclose(library);
}

static char *kernel_text(struct ctx *ctx, const struct kernel *kernel)
{
    struct str s = str_new(ctx->arena);
    kernel_print(&s, kernel);
    return s.text;
}

static void round_trip(struct run *r, bool run)
{
    struct str text = str_new(r->ctx->arena), again = str_new(r->ctx->arena);
    region_print(r->ctx, &text, r->kernel);
    struct program *program = program_read_text(r->ctx, "printed.c", text.text, text.length, NULL);
    check(program && program->n_regions == 1, r->path, "reading what was printed", text.text);
    if (!program || program->n_regions != 1)
        return;
    region_print(r->ctx, &again, program->regions[0]->kernel);
    check(!strcmp(text.text, again.text), r->path, "print, read, print is the identity", again.text);
    char *before = kernel_text(r->ctx, r->kernel), *after = kernel_text(r->ctx, program->regions[0]->kernel);
    check(!strcmp(before, after), r->path, "print, read gives the same kernel", arena_printf(r->ctx->arena, "%s%s", before, after));
    if (run)
        run_printed(r, text.text);
}

static void run_region(struct run *r, const struct region *region, const struct program *program, bool first)
{
    r->kernel = region->kernel;
    r->function = &program->functions[region->function];
    r->params = ARENA_ARRAY(r->ctx->arena, union value, r->kernel->n_params + 1);
    r->library = library_make(r, program->source->text, wrapper_of(r));
    if (!r->library)
        return;
    params_set(r, NULL, 0);
    buffers_make(r);
    buffers_reset(r, true);
    call_function(r);
    interpret(r, false);
    interpret(r, true);
    params_set(r, NULL, 0);
    if (first)
        round_trip(r, true);
    dlclose(r->library);
}

static void run_file(const char *path, const char *settings[], int n)
{
    for (int i = 0; i < n; i++) {
        struct ctx *ctx = ctx_new();
        struct setting setting = setting_read(settings[i]);
        ctx->quiet = true;
        struct program *program = program_read(ctx, path, NULL);
        check(program != NULL, path, "is lowered", ctx->last);
        for (size_t k = 0; program && k < program->n_regions; k++) {
            struct run r = {.ctx = ctx, .path = path, .setting = &setting};
            run_region(&r, program->regions[k], program, i == 0);
        }
        ctx_free(ctx);
    }
}

static void run_program(const char *path)
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
    run_file(path, settings, n);
    for (int i = 0; i < n; i++)
        free(copies[i]);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void run_folder(const char *folder)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, NULL, by_name);
    check(n > 2, folder, "has programs", "");
    for (int i = 0; i < n; i++) {
        char path[512];
        const char *dot = strrchr(entries[i]->d_name, '.');
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (dot && !strcmp(dot, ".c"))
            run_program(path);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
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
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        run_file(samples[i].path, (const char *[]){samples[i].setting}, 1);
    run_folder("tests/programs");
    printf("metafork_programs: %d passed, %d failed\n", passed, failed);
    return failed != 0;
}

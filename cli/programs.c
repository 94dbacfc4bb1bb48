/* Leaves as users get them: the harness around the user's file is the reference; the same harness around the generated
   file, linked with libtreefork, is run once per leaf with that leaf forced. Results come back through files. */
#include "cli/verify.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool runtime_locate(struct ctx *ctx, const char **library, const char **include)
{
    static const char *const places[][2] = {
        {"libtreefork.a", "../runtime"}, {"libtreefork.a", "../../runtime"}, {"../lib/libtreefork.a", "../include"}};
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    char *slash = length > 0 ? (self[length] = 0, strrchr(self, '/')) : NULL;
    if (slash)
        *slash = 0;
    for (size_t i = 0; slash && i < sizeof places / sizeof places[0]; i++) {
        *library = arena_printf(ctx->arena, "%s/%s", self, places[i][0]);
        *include = arena_printf(ctx->arena, "%s/%s", self, places[i][1]);
        if (access(*library, R_OK) == 0 && access(arena_printf(ctx->arena, "%s/treefork.h", *include), R_OK) == 0)
            return true;
    }
    diag_error(ctx, loc_none(), "libtreefork.a and treefork.h are not where treefork is installed; run `make` or `make install`");
    return false;
}

static const char *in_folder(struct verification *v, const char *name)
{
    return arena_printf(v->ctx->arena, "%s/%s", v->folder, name);
}

static const char *folder_of(struct verification *v, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? arena_strndup(v->ctx->arena, path, (size_t)(slash - path)) : ".";
}

struct compilation {
    const char *source;      /* text to compile: the harness, or a whole program */
    const char *included;    /* value of TREEFORK_SOURCE, NULL for a whole program */
    const char *program;     /* executable to make */
    bool with_runtime;
};

/* One call of the C compiler. Both sides get the same flags: no contraction, so that both round alike. */
static bool compile(struct verification *v, const struct compilation *c)
{
    const char *library, *include, *cc = getenv("CC");
    const char *log = in_folder(v, "compile.log");
    VEC(const char *) argv = {0};
    if (!runtime_locate(v->ctx, &library, &include))
        return false;
    const char *fixed[] = {cc && *cc ? cc : "cc", "-std=gnu11", "-O1", "-w", "-ffp-contract=off", "-fwrapv", "-I",
                           include, "-I", folder_of(v, v->source_path), "-I", v->folder};
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        vec_push(v->ctx->arena, &argv, fixed[i]);
    for (size_t i = 0; i < v->flags.count; i++)
        vec_push(v->ctx->arena, &argv, v->flags.at[i]);
    if (c->included)
        vec_push(v->ctx->arena, &argv, arena_printf(v->ctx->arena, "-DTREEFORK_SOURCE=\"%s\"", c->included));
#if defined __SANITIZE_ADDRESS__
    vec_push(v->ctx->arena, &argv, "-fsanitize=address,undefined");
#endif
    const char *rest[] = {"-o", c->program, c->source};
    for (size_t i = 0; i < 3; i++)
        vec_push(v->ctx->arena, &argv, rest[i]);
    const char *libraries[] = {library, "-ldl", "-lpthread"};
    for (size_t i = 0; c->with_runtime && i < 3; i++)
        vec_push(v->ctx->arena, &argv, libraries[i]);
    vec_push(v->ctx->arena, &argv, "-lm");
    vec_push(v->ctx->arena, &argv, NULL);
    const char *const settings[] = {NULL};
    struct child_result result = child_run(v, argv.at, settings, log, log);
    if (result.end == CHILD_DONE)
        return true;
    diag_error(v->ctx, loc_none(), "the C compiler failed on %s: %s", c->source, child_describe(v->ctx, &result));
    return false;
}

static bool text_write(struct verification *v, const char *name, const char *text)
{
    return file_write(v->ctx, in_folder(v, name), text, strlen(text));
}

/* The generated program, once for all functions. */
static bool generate(struct verification *v)
{
    struct str source = str_new(v->ctx->arena), header = str_new(v->ctx->arena), ptx = str_new(v->ctx->arena);
    unsigned before = v->ctx->errors;
    bool quiet = v->ctx->quiet;
    v->ctx->quiet = true;
    bool has_ptx = emit_ptx(v->ctx, &ptx, v->program, v->trees, 70);
    v->ctx->quiet = quiet;
    v->ctx->errors = before;
    return emit_host(v->ctx, &source, &header, v->program, v->trees, has_ptx ? ptx.text : NULL) &&
           text_write(v, arena_printf(v->ctx->arena, "%s.tf.c", v->program->stem), source.text) &&
           text_write(v, arena_printf(v->ctx->arena, "%s.tf.h", v->program->stem), header.text);
}

struct subject {
    int function;
    const struct datum *data;
    const char *serial, *leaf;       /* executables */
    const char *expected;            /* content of the serial result */
    size_t expected_length;
    bool whole_program;
};

static bool subject_compile(struct verification *v, struct subject *s)
{
    const struct function *f = &v->program->functions[s->function];
    char absolute[PATH_MAX];
    const char *generated = arena_printf(v->ctx->arena, "%s.tf.c", v->program->stem);
    const char *source = realpath(v->source_path, absolute) ? absolute : v->source_path;
    s->serial = in_folder(v, arena_printf(v->ctx->arena, "%s.serial", f->name));
    s->leaf = in_folder(v, arena_printf(v->ctx->arena, "%s.leaf", f->name));
    if (s->whole_program)
        return compile(v, &(struct compilation){source, NULL, s->serial, false}) &&
               compile(v, &(struct compilation){in_folder(v, generated), NULL, s->leaf, true});
    const char *name = arena_printf(v->ctx->arena, "%s.harness.c", f->name);
    if (!text_write(v, name, harness_text(v, s->function, s->data)))
        return false;
    return compile(v, &(struct compilation){in_folder(v, name), source, s->serial, false}) &&
           compile(v, &(struct compilation){in_folder(v, name), generated, s->leaf, true});
}

/* Runs an executable; the result is what the harness wrote, or the standard output of a whole program. */
static struct child_result subject_run(struct verification *v, const struct subject *s, const char *executable,
                                       const char *const *settings, const char **content, size_t *length)
{
    const char *result_path = in_folder(v, "result"), *output = in_folder(v, "output");
    unlink(result_path);
    const char *const argv[] = {strchr(executable, '/') ? executable : arena_printf(v->ctx->arena, "./%s", executable),
                                s->whole_program ? NULL : result_path, NULL};
    struct child_result result = child_run(v, argv, settings, output, in_folder(v, "errors"));
    *content = NULL;
    if (result.end == CHILD_DONE)
        *content = file_read(v->ctx, s->whole_program ? output : result_path, length);
    return result;
}

/* Compares everything behind the count of launches. */
static bool contents_equal(struct verification *v, const struct subject *s, const char *content, size_t length,
                           struct str *text)
{
    const struct function *f = &v->program->functions[s->function];
    if (length != s->expected_length) {
        str_addf(text, "%zu bytes of results, serial %zu", length, s->expected_length);
        return false;
    }
    size_t at = s->whole_program ? 0 : sizeof(unsigned long long);
    for (int i = 0; !s->whole_program && i < f->n_arguments; i++) {
        if (!s->data[i].is_array)
            continue;
        /* copies, so that elements are aligned */
        size_t size = (size_t)s->data[i].count * type_bytes(s->data[i].type);
        if (!data_compare(v, &s->data[i], arena_strndup(v->ctx->arena, content + at, size),
                          arena_strndup(v->ctx->arena, s->expected + at, size), text))
            return false;
        at += size;
    }
    if (memcmp(content + at, s->expected + at, length - at) == 0)
        return true;
    str_add(text, s->whole_program ? "other output" : "another value was returned");
    return false;
}

/* Was the leaf refused because the device cannot hold it, or because what it needs of the parameters is not given? */
static bool is_misfit(const char *errors)
{
    return strstr(errors, "does not fit") || strstr(errors, "its conditions on the parameters do not hold");
}

static void leaf_run(struct verification *v, const struct subject *s, const struct tree *tree, const struct variant *variant)
{
    struct str text = str_new(v->ctx->arena);
    const char *content, *region = tree->region->name;
    size_t length = 0;
    unsigned long long launches = 1;
    const char *force = arena_printf(v->ctx->arena, "%s=%d", region, variant->id);
    const char *settings[] = {"TREEFORK_FORCE", force, "TREEFORK_ON_ERROR", "abort", "ASAN_OPTIONS", "detect_leaks=0",
                              v->device ? "TREEFORK_DEVICE" : NULL, v->device, NULL};
    struct child_result result = subject_run(v, s, s->leaf, settings, &content, &length);
    printf("%s leaf %d%s: ", region, variant->id, variant->safe ? " (safe)" : "");
    if (content && !s->whole_program && length >= sizeof launches)
        memcpy(&launches, content, sizeof launches);
    if (!content && is_misfit(result.errors)) {
        v->skipped++;
        printf("skipped: %s\n", result.errors);
    } else if (!content) {
        v->failed++;
        printf("FAILED: %s\n", child_describe(v->ctx, &result));
    } else if (!contents_equal(v, s, content, length, &text)) {
        v->failed++;
        printf("FAILED: %s\n", text.text);
    } else {
        v->passed++;
        printf("equals serial;%s %llu launches\n", text.text, launches);
    }
    fflush(stdout);
}

static bool function_verify(struct verification *v, int function, int only_leaf)
{
    struct datum *data = NULL;
    struct subject s = {.function = function, .whole_program = v->program->functions[function].is_main};
    const char *const settings[] = {"ASAN_OPTIONS", "detect_leaks=0", NULL};
    if (!s.whole_program && !data_plan(v, function, &data))
        return false;
    s.data = data;
    if (!subject_compile(v, &s))
        return false;
    struct child_result result = subject_run(v, &s, s.serial, settings, &s.expected, &s.expected_length);
    if (!s.expected) {
        diag_error(v->ctx, loc_none(), "the serial program itself: %s", child_describe(v->ctx, &result));
        return false;
    }
    for (size_t i = 0; i < v->program->n_regions; i++)
        for (size_t j = 0; v->program->regions[i]->function == function && j < v->trees[i]->n_variants; j++)
            if (!only_leaf || v->trees[i]->variants[j].id == only_leaf)
                leaf_run(v, &s, v->trees[i], &v->trees[i]->variants[j]);
    return true;
}

bool verify_programs(struct verification *v, int only_leaf, const char *only_function)
{
    if (!generate(v))
        return false;
    for (size_t i = 0; i < v->program->n_functions; i++)
        if (!only_function || strcmp(v->program->functions[i].name, only_function) == 0)
            if (!function_verify(v, (int)i, only_leaf))
                return false;
    return true;
}

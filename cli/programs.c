/* Leaves as users get them: the harness around the user's file is the reference; the same harness
   around the generated file, linked with libtreefork, runs each leaf (leaves.c). Here both programs
   are made, the serial one is run, and the leaves that are asked for are gone through. */
#include "base/progress.h"
#include "cli/harness.h"
#include "cli/leaves.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool runtime_find(struct ctx *ctx, const char **library, const char **include)
{
    static const char *const places[][2] = {{"libtreefork.a", "../runtime"},
                                            {"libtreefork.a", "../../runtime"},
                                            {"../libtreefork.a", "../../runtime"},
                                            {"../libtreefork.a", "../../../runtime"},
                                            {"../lib/libtreefork.a", "../include"},
                                            {"../lib/" TREEFORK_MULTIARCH "/libtreefork.a",
                                             "../include"}};
    const char *self = executable_folder(ctx);
    size_t n_places = self ? sizeof places / sizeof places[0] : 0;
    for (size_t i = 0; i < n_places; i++) {
        *library = arena_printf(ctx->arena, "%s/%s", self, places[i][0]);
        *include = arena_printf(ctx->arena, "%s/%s", self, places[i][1]);
        if (access(*library, R_OK) == 0 &&
            access(arena_printf(ctx->arena, "%s/treefork.h", *include), R_OK) == 0)
            return true;
    }
    return false;
}

bool runtime_locate(struct ctx *ctx, const char **library, const char **include)
{
    if (runtime_find(ctx, library, include))
        return true;
    diag_error(ctx, loc_none(),
               "libtreefork.a and treefork.h are not where treefork is installed; run `make` or "
               "`make install`");
    return false;
}

const char *verify_path(struct verification *v, const char *name)
{
    return arena_printf(v->ctx->arena, "%s/%s", v->folder, name);
}

const char *verify_original(struct verification *v)
{
    char absolute[PATH_MAX];
    const char *path = v->original ? v->original : v->source_path;
    return realpath(path, absolute) ? arena_strdup(v->ctx->arena, absolute) : path;
}

bool verify_has_original(const struct verification *v)
{
    return v->original || v->program->source->origin;
}

static const char *folder_of(struct verification *v, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? arena_strndup(v->ctx->arena, path, (size_t)(slash - path)) : ".";
}

typedef VEC(const char *) word_list;

static void words_add(struct verification *v, word_list *list, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        vec_push(v->ctx->arena, list, words[i]);
}

/* CC as make has it: a program and perhaps its first arguments ("ccache gcc"). */
static void words_add_compiler(struct verification *v, word_list *list)
{
    const char *cc = getenv("CC");
    char *words = arena_strdup(v->ctx->arena, cc ? cc : ""), *save = NULL;
    size_t before = list->count;
    for (char *word = strtok_r(words, " \t", &save); word; word = strtok_r(NULL, " \t", &save))
        vec_push(v->ctx->arena, list, word);
    if (list->count == before)
        vec_push(v->ctx->arena, list, "cc");
}

/* One call of the C compiler. Both sides get the same flags: no contraction, so that both
   round alike, and one number of threads, that of a large device, so that they take one way. */
static struct child_result compiler_run(struct verification *v, const struct compilation *c)
{
    struct child_result none = {CHILD_NONE, 0, ""};
    const char *library, *include;
    const char *log = verify_path(v, "compile.log");
    word_list argv = {0};
    if (!runtime_locate(v->ctx, &library, &include))
        return none;
    const char *fixed[] = {"-std=gnu11",
                           "-O1",
                           "-w",
                           "-ffp-contract=off",
                           "-fwrapv",
                           "-I",
                           include,
                           "-I",
                           folder_of(v, v->source_path),
                           "-I",
                           v->folder};
    words_add_compiler(v, &argv);
    words_add(v, &argv, fixed, sizeof fixed / sizeof fixed[0]);
    if (!c->is_of_users)
        vec_push(v->ctx->arena, &argv, "-Dmeta_threads()=262144");
    words_add(v, &argv, ast_bool_words, v->ctx->bool_words ? BOOL_WORDS : 0);
    words_add(v, &argv, v->flags.arguments, (size_t)v->flags.n_arguments);
    /* Functions that nobody calls, the program's main among them, may call those of other files. */
    const char *parts[] = {"-ffunction-sections", "-Wl,--gc-sections"};
    if (c->included) {
        vec_push(v->ctx->arena, &argv,
                 arena_printf(v->ctx->arena, "-DTREEFORK_SOURCE=\"%s\"", c->included));
        words_add(v, &argv, parts, 2);
    }
#if defined __SANITIZE_ADDRESS__
    vec_push(v->ctx->arena, &argv, "-fsanitize=address,undefined");
#endif
    const char *checks[] = {"-g", "-fsanitize=address,undefined",
                            "-fno-sanitize-recover=undefined"};
    if (c->is_checked)
        words_add(v, &argv, checks, 3);
    const char *rest[] = {"-o", c->program, c->source};
    words_add(v, &argv, rest, 3);
    const char *shared[] = {"-shared", "-fPIC", "-Wl,-Bsymbolic"};
    if (c->is_library)
        words_add(v, &argv, shared, 3);
    const char *libraries[] = {library, "-ldl", "-lpthread"};
    if (c->with_runtime)
        words_add(v, &argv, libraries, 3);
    vec_push(v->ctx->arena, &argv, "-lm");
    vec_push(v->ctx->arena, &argv, NULL);
    /* What a compiler that is stopped leaves behind goes with the folder. */
    const char *const settings[] = {"TMPDIR", v->folder, NULL};
    const char *base = strrchr(c->source, '/');
    progress_begin(v->ctx, "compiling %s", base ? base + 1 : c->source);
    struct child_result result = child_run(v, argv.at, settings, log, log, 0);
    progress_end(v->ctx);
    return result;
}

/* "undefined reference to `f'", as the linker says; NULL if nothing is lacking. */
static const char *lacking_function(struct verification *v)
{
    size_t length;
    char *text = file_read(v->ctx, verify_path(v, "compile.log"), &length);
    char *line = text ? strstr(text, "undefined reference to ") : NULL;
    if (line)
        line[strcspn(line, "\n")] = 0;
    return line;
}

/* A diagnostic, if something is lacking. */
static bool lacks_function(struct verification *v, const char *lacking)
{
    if (lacking)
        diag_error(v->ctx, loc_none(), "'%s' is no whole program: %s; verify takes one file, so "
                                       "include the others", v->source_path, lacking);
    return lacking != NULL;
}

bool verify_compile(struct verification *v, const struct compilation *c)
{
    struct child_result result = compiler_run(v, c);
    if (result.end == CHILD_DONE)
        return true;
    const char *cc = getenv("CC");
    if (verify_stopped())
        return false;
    if (result.end == CHILD_EXIT && result.code == CHILD_NOT_FOUND) {
        diag_error(v->ctx, loc_none(),
                   "there is no C compiler '%s' to compile what is run; set CC to one",
                   cc && *cc ? cc : "cc");
        return false;
    }
    if (!lacks_function(v, lacking_function(v)))
        diag_error(v->ctx, loc_none(), "the C compiler failed on %s: %s", c->source,
                   child_describe(v->ctx, &result));
    return false;
}

bool verify_write(struct verification *v, const char *name, const char *text)
{
    return file_write(v->ctx, verify_path(v, name), text, strlen(text));
}

bool verify_generate(struct verification *v)
{
    struct str ptx = str_new(v->ctx->arena);
    struct host_texts host = host_texts_new(v->ctx->arena);
    unsigned before = v->ctx->errors;
    bool quiet = v->ctx->quiet;
    v->ctx->quiet = true;
    bool has_ptx = emit_ptx(v->ctx, &ptx, v->program, v->trees, 70);
    v->ctx->quiet = quiet;
    v->ctx->errors = before;
    return emit_host(v->ctx, &host, v->program, v->trees, has_ptx ? ptx.text : NULL) &&
           verify_write(v, arena_printf(v->ctx->arena, "%s.tf.c", v->program->stem),
                      host.source.text) &&
           verify_write(v, arena_printf(v->ctx->arena, "%s.texts.h", v->program->stem),
                      host.texts.text) &&
           verify_write(v, arena_printf(v->ctx->arena, "%s.tf.h", v->program->stem),
                      host.header.text);
}

/* The serial side, by the compiler's sanitizers where it has them. */
static bool compile_serial(struct verification *v, struct compilation c)
{
    c.is_checked = !v->no_sanitizers;
    if (c.is_checked && compiler_run(v, &c).end == CHILD_DONE)
        return true;
    c.is_checked = false;
    if (!verify_compile(v, &c))
        return false;
    if (!v->no_sanitizers)
        printf("the serial program: not checked by sanitizers: the C compiler cannot link with "
               "-fsanitize=address,undefined\n");
    v->no_sanitizers = true;
    return true;
}

/* The serial program of the subject: that of main as it stands, else the harness around it. */
static bool serial_compile(struct verification *v, struct subject *s)
{
    const struct function *f = &v->program->functions[s->function];
    const char *name = arena_printf(v->ctx->arena, "%s.harness.c", f->name);
    s->serial = verify_path(v, arena_printf(v->ctx->arena, "%s.serial", f->name));
    if (s->whole_program)
        return compile_serial(v, (struct compilation){.source = verify_original(v),
                                                      .program = s->serial});
    return verify_write(v, name, harness_text(v, s->function, s->data, s->n_data)) &&
           compile_serial(v, (struct compilation){.source = verify_path(v, name),
                                                  .included = verify_original(v),
                                                  .program = s->serial});
}

/* `leaf_text`: the harness of the generated program, NULL = that of the serial one. */
static bool subject_compile(struct verification *v, struct subject *s, const char *leaf_text)
{
    const struct function *f = &v->program->functions[s->function];
    const char *generated = arena_printf(v->ctx->arena, "%s.tf.c", v->program->stem);
    s->leaf = verify_path(v, arena_printf(v->ctx->arena, "%s.leaf", f->name));
    if (!serial_compile(v, s))
        return false;
    if (s->whole_program)
        return verify_compile(v, &(struct compilation){.source = verify_path(v, generated),
                                                       .program = s->leaf,
                                                       .with_runtime = true});
    const char *name = arena_printf(v->ctx->arena, "%s.%s.c", f->name,
                                    leaf_text ? "leaf" : "harness");
    if (leaf_text && !verify_write(v, name, leaf_text))
        return false;
    return verify_compile(v, &(struct compilation){.source = verify_path(v, name),
                                                   .included = generated,
                                                   .program = s->leaf,
                                                   .with_runtime = true});
}

/* What a sanitizer wrote about the run that just ended, without its decoration; NULL if it
   found nothing. */
static const char *sanitizer_fault(struct verification *v)
{
    static const char undefined[] = ": runtime error: ", address[] = "SUMMARY: AddressSanitizer: ";
    size_t length;
    char *text = file_read(v->ctx, verify_path(v, "errors"), &length);
    char *line = text ? strstr(text, address) : NULL,
         *error = text ? strstr(text, undefined) : NULL;
    char *end = line ? strchr(line, '\n') : error ? strchr(error, '\n') : NULL;
    if (end)
        *end = 0;
    if (line)
        return arena_printf(v->ctx->arena, "%s (AddressSanitizer)", line + sizeof address - 1);
    if (!error)
        return NULL;
    while (error > text && error[-1] != '\n')
        error--;
    return arena_printf(v->ctx->arena, "%s (UndefinedBehaviorSanitizer)", error);
}

void least_values_note(struct verification *v, int function)
{
    for (size_t i = 0; i < v->program->n_regions; i++) {
        const struct region *region = v->program->regions[i];
        if (region->function != function)
            continue;
        for (int k = 0; k < region->kernel->n_params; k++) {
            const char *low = data_below_least(v, region, region->kernel->params[k]);
            if (low)
                diag_note(v->ctx, loc_none(), "%s", low);
        }
    }
}

void serial_blame(struct verification *v, int function, const char *fault)
{
    const char *name = v->program->functions[function].name, *filler = filler_name(v, function);
    if (verify_stopped() || lacks_function(v, strstr(fault, "undefined symbol: ")) ||
        filler_lacks(v, function, fault))
        return;
    if (filler && (text_has_word(fault, filler) || strstr(fault, v->filler_path)))
        diag_error(v->ctx, loc_none(), "--data: %s itself: %s", filler, fault);
    else
        diag_error(v->ctx, loc_none(), "%s: the serial program itself: %s", name, fault);
    least_values_note(v, function);
}

/* The serial program's result, which is expected of leaves. */
static bool serial_run(struct verification *v, struct subject *s)
{
    const char *const settings[] = {"ASAN_OPTIONS",
                                    "detect_leaks=0:exitcode=86",
                                    "UBSAN_OPTIONS",
                                    "exitcode=86:print_stacktrace=0",
                                    NULL};
    struct run_result run = subject_run(v, s, s->serial, settings);
    rename(verify_path(v, "result"), verify_path(v, "expected"));
    const char *fault = run.end.end == CHILD_DONE ? NULL : sanitizer_fault(v);
    if (fault)
        run.content = NULL;
    const char *lacked = child_lacked(&run.end);
    if (!run.content && lacked && !fault)
        diag_error(v->ctx, loc_none(), "%s: no result of the serial program: %s",
                   v->program->functions[s->function].name, lacked);
    else if (!run.content)
        serial_blame(v, s->function, fault ? fault : child_describe(v->ctx, &run.end));
    s->expected = run;
    return run.content != NULL;
}

void subject_end(struct verification *v, struct subject *s)
{
    run_release(&s->expected);
    if (v->keeps_files)
        return;
    unlink(verify_path(v, "result"));
    unlink(verify_path(v, "expected"));
}

bool subject_make(struct verification *v, struct subject *s, const char *leaf_text)
{
    return subject_compile(v, s, leaf_text) && serial_run(v, s);
}

bool original_is_sound(struct verification *v, int function, const struct datum *data, int n_data)
{
    struct subject s = {.function = function,
                        .n_data = n_data,
                        .data = data,
                        .whole_program = v->program->functions[function].is_main};
    bool is_sound = serial_compile(v, &s) && serial_run(v, &s);
    subject_end(v, &s);
    return is_sound;
}

/* Is the leaf of index `leaf` of a region to run on the device at this set? */
static bool leaf_wanted(const struct verification *v, size_t region, size_t leaf)
{
    const struct tree *tree = v->trees[region];
    if (v->only_leaf && tree->variants[leaf].id != v->only_leaf)
        return false;
    if (v->device_runs == DEVICE_RUNS_FIRST && leaf > 0)
        return false;
    return v->device_runs == DEVICE_RUNS_ALL || !v->device_done[region][leaf];
}

/* How many leaves of a function are to run on the device at this set? */
static size_t function_leaves(const struct verification *v, int function)
{
    size_t count = 0;
    for (size_t i = 0; i < v->program->n_regions; i++) {
        if (v->program->regions[i]->function != function)
            continue;
        for (size_t j = 0; j < v->trees[i]->n_variants; j++)
            count += leaf_wanted(v, i, j);
    }
    return count;
}

static bool region_verify(struct verification *v, struct subject *s, size_t region)
{
    const struct tree *tree = v->trees[region];
    for (size_t i = 0; i < tree->n_variants; i++) {
        size_t passed = v->passed;
        if (!leaf_wanted(v, region, i))
            continue;
        if (verify_stopped() || !leaf_verify(v, s, tree, &tree->variants[i]))
            return false;
        v->device_done[region][i] |= v->passed > passed;
    }
    return true;
}

static bool regions_verify(struct verification *v, struct subject *s)
{
    for (size_t i = 0; i < v->program->n_regions; i++)
        if (v->program->regions[i]->function == s->function && !region_verify(v, s, i))
            return false;
    return true;
}

static bool function_verify(struct verification *v, int function)
{
    struct datum *data = NULL;
    struct subject s = {.function = function,
                        .whole_program = v->program->functions[function].is_main};
    if (!s.whole_program && !data_plan(v, function, &data, &s.n_data)) {
        least_values_note(v, function);
        return false;
    }
    if (!room_suffices(v, function, data, s.n_data, ROOM_DEVICE))
        return false;
    s.data = data;
    s.shares_process = !s.whole_program && function_leaves(v, function) > 1;
    bool fine = subject_make(v, &s, NULL) && hosted_check(v, function, &s.expected) &&
                regions_verify(v, &s);
    leaves_end(v, &s);
    subject_end(v, &s);
    return fine;
}

bool verify_programs_wanted(const struct verification *v)
{
    for (size_t i = 0; i < v->program->n_functions; i++)
        if (verify_takes_function(v, (int)i) && function_leaves(v, (int)i))
            return true;
    return false;
}

bool verify_programs(struct verification *v)
{
    bool fine = true;
    if (!v->is_generated && !verify_generate(v))
        return false;
    v->is_generated = true;
    for (size_t i = 0; i < v->program->n_functions && !v->no_device; i++)
        if (verify_takes_function(v, (int)i) && function_leaves(v, (int)i))
            fine &= function_verify(v, (int)i);
    return fine;
}

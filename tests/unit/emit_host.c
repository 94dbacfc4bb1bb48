/* Whole translation units: programs of tests/unit/emit_programs and all samples are generated,
   compiled without a warning by gcc and clang, linked with the runtime, run with variants forced
   (every one at full scale), and its output compared with the plain program's. Case trees are read
   back as JSON and checked against their schema where python3 has jsonschema; DOT where Graphviz
   is. */
#include "emit/emit.h"
#include "emit/names.h"
#include "tests/unit/ir_check.h"
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <unistd.h>

/* The runtime is built as this program is. */
#ifdef __SANITIZE_ADDRESS__
#define SANITIZE "-fsanitize=address,undefined -fno-sanitize-recover=undefined"
#else
#define SANITIZE ""
#endif

static const char *const programs[] = {"touches", "words",      "edges",
                                       "forms",   "conditions", "signatures"};
static const char *const samples[] = {"jacobi1d", "axpy",      "matmul",   "matadd",
                                      "matvec",   "transpose", "jacobi2d", "heat3d"};

struct job {
    struct check *check;
    struct ctx *ctx;
    const char *name, *path, *folder, *runtime;
    bool is_sample;
    struct program *program;
    const struct tree **trees;
    struct host_texts host;
    struct str json, dot, ptx;
    int variants;               /* the most of any region */
};

static bool run_command(struct job *job, const char *what, const char *command)
{
    return check_that(job->check, system(command) == 0, "%s: %s: %s", job->name, what, command);
}

static bool generate(struct job *job)
{
    static const char *const arguments[] = {"-Iruntime"};
    struct program_options options = {.n_arguments = 1, .arguments = arguments};
    struct tree_options tree_options = {0};
    struct ctx *ctx = job->ctx;
    job->program = program_read(ctx, job->path, &options);
    if (!check_that(job->check, job->program != NULL, "%s is not read: %s", job->name, ctx->last))
        return false;
    job->trees = ARENA_ARRAY(ctx->arena, const struct tree *, job->program->n_regions);
    for (size_t r = 0; r < job->program->n_regions; r++) {
        job->trees[r] = tree_build(ctx, job->program->regions[r], &tree_options);
        if (!check_that(job->check, job->trees[r] != NULL, "%s has no tree: %s", job->name,
                        ctx->last))
            return false;
        int n = (int)job->trees[r]->n_variants;
        job->variants = n > job->variants ? n : job->variants;
    }
    job->host = host_texts_new(ctx->arena);
    job->json = str_new(ctx->arena);
    job->dot = str_new(ctx->arena);
    emit_json(ctx, &job->json, job->program, job->trees, false);
    emit_dot(ctx, &job->dot, job->program, job->trees);
    job->ptx = str_new(ctx->arena);
    if (!emit_ptx(ctx, &job->ptx, job->program, job->trees, 70))
        job->check->skipped++;
    bool done = emit_host(ctx, &job->host, job->program, job->trees,
                          job->ptx.length ? job->ptx.text : NULL);
    return check_that(job->check, done, "%s has no host code: %s", job->name, ctx->last);
}

static void write_file(struct job *job, const char *suffix, const struct str *text)
{
    const char *path = arena_printf(job->ctx->arena, "%s/%s%s", job->folder, job->name, suffix);
    check_that(job->check, file_write(job->ctx, path, text->text, text->length), "cannot write %s",
               path);
}

static bool has_jsonschema(void)
{
    static int status = -1;
    if (status < 0)
        status = system("python3 -c 'import jsonschema' 2>/dev/null") == 0;
    return status;
}

/* The entry stands in host code, or the text is that of an earlier leaf. */
static void check_embedded(struct job *job, const struct tree *tree, const char *entry)
{
    struct arena *arena = job->ctx->arena;
    bool embedded = false;
    for (size_t v = 0; v < tree->n_variants; v++)
        for (size_t i = 0; i < tree->variants[v].n_launches; i++) {
            const struct variant *variant = &tree->variants[v];
            if (!entry ||
                strcmp(entry, launch_entry(arena, tree, variant, &variant->launches[i])) != 0)
                continue;
            variant = launch_owner(job->ctx, tree, variant, i, job->ptx.length ? 70 : 0);
            const char *name = launch_entry(arena, tree, variant, &variant->launches[i]);
            embedded =
                strstr(job->host.texts.text, arena_printf(arena, "tf_text_%s[] =", name)) != NULL;
        }
    check_that(job->check, embedded, "%s: no kernel %s", job->name, entry ? entry : "");
}

/* The members that every reader relies on. */
static void check_json(struct job *job)
{
    cJSON *root = cJSON_Parse(job->json.text);
    const cJSON *regions = cJSON_GetObjectItem(root, "regions"), *region;
    check_that(job->check, cJSON_GetArraySize(regions) == (int)job->program->n_regions,
               "%s: JSON has other regions", job->name);
    size_t number = 0;
    cJSON_ArrayForEach(region, regions) {
        const cJSON *variants = cJSON_GetObjectItem(region, "variants"), *variant, *last = NULL;
        cJSON_ArrayForEach(variant, variants) {
            const cJSON *kernel;
            cJSON_ArrayForEach(kernel, cJSON_GetObjectItem(variant, "kernels")) {
                const char *entry = cJSON_GetStringValue(cJSON_GetObjectItem(kernel, "entry"));
                check_embedded(job, job->trees[number], entry);
            }
            last = variant;
        }
        check_that(job->check, cJSON_IsTrue(cJSON_GetObjectItem(last, "safe")),
                   "%s: the last variant is not safe", job->name);
        check_that(job->check, cJSON_GetArraySize(cJSON_GetObjectItem(last, "fits")) == 0,
                   "%s: the safe variant has fits", job->name);
        number++;
    }
    cJSON_Delete(root);
    write_file(job, ".json", &job->json);
    /* tests/tree/schema.test holds the samples against the schema; once is enough, for it takes
       seconds. */
    if (!job->is_sample && !has_jsonschema())
        job->check->skipped++;
    else if (!job->is_sample)
        run_command(
            job, "schema",
            arena_printf(
                job->ctx->arena,
                "python3 -c \"import json, jsonschema; jsonschema.validate("
                "json.load(open('%s/%s.json')), json.load(open('docs/tree.schema.json')))\"",
                job->folder, job->name));
    write_file(job, ".dot", &job->dot);
    if (system("command -v dot >/dev/null"))
        job->check->skipped++;
    else
        run_command(job, "dot",
                    arena_printf(job->ctx->arena, "dot -Tsvg %s/%s.dot >/dev/null", job->folder,
                                 job->name));
}

static void check_entries(struct job *job, const struct tree *tree, const struct variant *variant)
{
    struct arena *arena = job->ctx->arena;
    for (size_t i = 0; i < variant->n_launches; i++) {
        const struct launch *launch = &variant->launches[i];
        const char *entry = launch_entry(arena, tree, variant, launch),
                   *binding = kernel_binding(arena, launch->kernel, 4);
        check_that(job->check,
                   strstr(job->ptx.text, arena_printf(arena, ".entry %s(", entry)) != NULL,
                   "no PTX of %s", entry);
        entry = entry_bound(arena, entry, binding);
        check_that(job->check,
                   strstr(job->ptx.text, arena_printf(arena, ".entry %s(", entry)) != NULL,
                   "no PTX of %s", entry);
    }
}

/* PTX assembles for every target at hand, and every launch has its entries. At small scale the
   programs do for the last target, and tests/ptx assembles the samples. */
static void check_ptx(struct job *job)
{
    static const char *const targets[] = {"75", "80", "90"};
    enum { TARGETS = sizeof targets / sizeof *targets };
    struct arena *arena = job->ctx->arena;
    if (!job->ptx.length)
        return;
    for (size_t r = 0; r < job->program->n_regions; r++)
        for (size_t v = 0; v < job->trees[r]->n_variants; v++)
            check_entries(job, job->trees[r], &job->trees[r]->variants[v]);
    write_file(job, ".ptx", &job->ptx);
    if (job->is_sample && test_scale(1, 0))
        return;
    if (system("PATH=$PATH:/usr/local/cuda/bin ptxas --version >/dev/null 2>&1")) {
        job->check->skipped++;
        return;
    }
    for (int i = test_scale(TARGETS - 1, 0); i < TARGETS; i++)
        run_command(
            job, "ptxas",
            arena_printf(arena,
                         "PATH=$PATH:/usr/local/cuda/bin ptxas -arch=sm_%s -o /dev/null %s/%s.ptx",
                         targets[i], job->folder, job->name));
}

static void check_compiles(struct job *job)
{
    static const char *const compilers[] = {"gcc -std=c11", "clang -std=c11"};
    struct arena *arena = job->ctx->arena;
    write_file(job, ".tf.c", &job->host.source);
    write_file(job, ".texts.h", &job->host.texts);
    write_file(job, ".tf.h", &job->host.header);
    for (size_t i = 0; i < 2; i++)
        run_command(job, "compiles",
                    arena_printf(arena,
                                 "%s -Wall -Wextra -Werror -Iruntime -c -o /dev/null %s/%s.tf.c",
                                 compilers[i], job->folder, job->name));
    run_command(
        job, "header in C",
        arena_printf(arena,
                     "gcc -std=c11 -Wall -Wextra -Werror -Iruntime -x c -fsyntax-only %s/%s.tf.h",
                     job->folder, job->name));
    if (system("command -v g++ >/dev/null") == 0)
        run_command(
            job, "header in C++",
            arena_printf(arena,
                         "g++ -Wall -Wextra -Werror -Iruntime -x c++ -fsyntax-only %s/%s.tf.h",
                         job->folder, job->name));
    else
        job->check->skipped++;
}

/* Every variant number in every region at once, and the dispatcher's own choice (0); at small scale
   that choice, then the last number in the first region, for the device's compiler remembers the
   others. */
static void check_runs(struct job *job)
{
    struct arena *arena = job->ctx->arena;
    const char *at = arena_printf(arena, "%s/%s", job->folder, job->name);
    if (!run_command(
            job, "serial",
            arena_printf(
                arena,
                "cc -DNDEBUG -ffp-contract=off -Iruntime -o %s.serial %s -lm && %s.serial >%s.want",
                at, job->path, at, at)))
        return;
    if (access(job->runtime, R_OK)) {
        job->check->skipped++;
        return;
    }
    if (!run_command(
            job, "links",
            arena_printf(arena,
                         "cc -DGENERATED %s -Iruntime -o %s.run %s.tf.c %s -lm -ldl -lpthread",
                         SANITIZE, at, at, job->runtime)))
        return;
    size_t n_forced = test_scale(1, 0) ? 1 : job->program->n_regions;
    for (int v = 0; v <= job->variants; v++) {
        bool is_end = v == 0 || v == job->variants;
        if (!is_end && test_scale(1, 0))
            continue;
        struct str force = str_new(arena);
        for (size_t r = 0; v > 0 && r < n_forced; r++) {
            int n = (int)job->trees[r]->n_variants;
            str_addf(&force, "%s%s=%d", r ? "," : "", job->program->regions[r]->name,
                     v < n ? v : n);
        }
        run_command(
            job, "output",
            arena_printf(arena,
                         "TREEFORK_FORCE=%s TREEFORK_QUIET=1 %s.run >%s.got && cmp %s.got %s.want",
                         force.text, at, at, at, at));
    }
}

static void check_program(struct check *check, const char *folder, const char *runtime,
                          const char *name, bool is_sample)
{
    check_test(check);
    struct ctx *ctx = check_ctx();
    struct job job = {.check = check,
                      .ctx = ctx,
                      .name = name,
                      .folder = folder,
                      .runtime = runtime,
                      .is_sample = is_sample};
    job.path = is_sample ? arena_printf(ctx->arena, "samples/%s/%s.c", name, name)
                         : arena_printf(ctx->arena, "tests/unit/emit_programs/%s.c", name);
    if (generate(&job)) {
        check_json(&job);
        check_ptx(&job);
        check_compiles(&job);
        if (!is_sample)
            check_runs(&job);
    }
    ctx_free(ctx);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    char folder[] = P_tmpdir "/emit_host_XXXXXX", runtime[4096];
    const char *slash = strrchr(argv[0], '/');
    (void)argc;
    /* The runtime's archive lies beside this program's folder: BUILD/unit/emit_host,
       BUILD/lib/runtime.a. */
    snprintf(runtime, sizeof runtime, "%.*s/../lib/runtime.a", slash ? (int)(slash - argv[0]) : 1,
             slash ? argv[0] : ".");
    if (!check_that(&check, mkdtemp(folder) != NULL, "no folder for results"))
        return check_end(&check, "emit_host");
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        check_program(&check, folder, runtime, programs[i], false);
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        check_program(&check, folder, runtime, samples[i], true);
    if (!check.failed) {
        char command[64];
        snprintf(command, sizeof command, "rm -rf %s", folder);
        check_that(&check, system(command) == 0, "cannot remove %s", folder);
    }
    return check_end(&check, "emit_host");
}

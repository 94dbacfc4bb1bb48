/* treefork verify: every leaf, forced whatever the machine's case as long as it physically fits, against the serial program.
   The generated host program and the serial one run in child processes on the same random data (printed seed); or the
   kernels run inside the generator under one of its witnesses. One line per leaf, a last line with the counts. */
#include "cli/verify.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const struct option_row verify_rows[] = {
    {"--set", "NAME=VALUE,…", "values of the function's scalar arguments"},
    {"--extent", "ARRAY=COUNT,…", "elements of an array whose length nothing else tells"},
    {"--leaf", "K", "only this leaf"},
    {"--function", "NAME", "only this function"},
    {"--device", "cuda|opencl[:K]", "device to run on (default: the best there is)"},
    {"--witness", "device|threads|cpu", "run the leaves on the device (default), in the thread interpreter with its checks, or by LLVM on the CPU"},
    {"--seed", "N", "seed of the data (default 1)"},
    {"--tolerance", "X", "bound for floating point, relative to the array's largest magnitude (default 1e-5, double 1e-12)"},
    {"--timeout", "SECONDS", "time limit of a child process (default 120)"},
    {"--keep", "DIR", "leave sources, programs and results in DIR"},
    INPUT_ROWS,
    TREE_ROWS,
};
const size_t verify_row_count = sizeof verify_rows / sizeof verify_rows[0];

/* "a=100,b=20" of every --extent. */
static bool extents_parse(struct ctx *ctx, const struct command_line *line, struct assignments *extents)
{
    struct command_line only = {0};
    static const struct option_row row = {"--set", "", ""};
    for (size_t i = 0; i < line->options.count; i++)
        if (strcmp(line->options.at[i].row->name, "--extent") == 0) {
            struct option_value value = {&row, line->options.at[i].text};
            vec_push(ctx->arena, &only.options, value);
        }
    return assignments_parse(ctx, &only, extents);
}

static bool numbers_parse(struct verification *v, const struct command_line *line, int64_t *leaf)
{
    int64_t seed = 1;
    const char *text = option_text(line, "--seed");
    if (text && !option_integer(v->ctx, "--seed", text, 1, INT64_MAX, &seed))
        return false;
    v->seed = (uint64_t)seed;
    v->timeout = 120;
    text = option_text(line, "--timeout");
    if (text && !option_integer(v->ctx, "--timeout", text, 1, 86400, &v->timeout))
        return false;
    text = option_text(line, "--leaf");
    *leaf = 0;
    if (text && !option_integer(v->ctx, "--leaf", text, 1, 1000000, leaf))
        return false;
    v->tolerance = -1;
    text = option_text(line, "--tolerance");
    char *end = NULL;
    if (text && ((v->tolerance = strtod(text, &end)) < 0 || end == text || *end)) {
        diag_error(v->ctx, loc_none(), "--tolerance: '%s' is not a number >= 0", text);
        return false;
    }
    return true;
}

static bool witness_known(struct ctx *ctx, const char *witness)
{
    static const char *const names[] = {"device", "threads", "cpu"};
    for (int i = 0; i < 3; i++)
        if (strcmp(names[i], witness) == 0)
            return true;
    option_unknown(ctx, "witness", witness, names, 3);
    return false;
}

/* Names that --set may give: arguments of the functions and parameters of the kernels. */
static bool names_known(struct verification *v, const char *function)
{
    VEC(const char *) names = {0}, functions = {0};
    bool found = !function;
    for (size_t i = 0; i < v->program->n_functions; i++) {
        const struct function *f = &v->program->functions[i];
        vec_push(v->ctx->arena, &functions, f->name);
        found = found || strcmp(f->name, function) == 0;
        for (int j = 0; j < f->n_arguments; j++)
            vec_push(v->ctx->arena, &names, f->arguments[j].name);
    }
    for (size_t i = 0; i < v->program->n_regions; i++) {
        const struct kernel *kernel = v->program->regions[i]->kernel;
        for (int j = 0; j < kernel->n_params; j++)
            vec_push(v->ctx->arena, &names, kernel->params[j]->var->name);
        for (int j = 0; j < kernel->n_arrays; j++)
            vec_push(v->ctx->arena, &names, kernel->arrays[j]->name);
    }
    if (!found)
        option_unknown(v->ctx, "function", function, functions.at, functions.count);
    return found && assignments_known(v->ctx, &v->set, names.at, names.count) &&
           assignments_known(v->ctx, &v->extents, names.at, names.count);
}

static bool folder_open(struct verification *v, const char *keep)
{
    const char *base = getenv("TMPDIR");
    if (keep) {
        if (mkdir(keep, 0777) != 0 && errno != EEXIST) {
            diag_error(v->ctx, loc_none(), "cannot make the folder '%s': %s", keep, strerror(errno));
            return false;
        }
        v->folder = keep;
        return true;
    }
    char *folder = arena_printf(v->ctx->arena, "%s/treefork-verify-XXXXXX", base && *base ? base : P_tmpdir);
    v->folder = mkdtemp(folder);
    if (!v->folder)
        diag_error(v->ctx, loc_none(), "cannot make a temporary folder '%s': %s", folder, strerror(errno));
    return v->folder != NULL;
}

static void folder_remove(struct verification *v)
{
    const char *const argv[] = {"rm", "-rf", "--", v->folder, NULL};
    const char *const settings[] = {NULL};
    child_run(v, argv, settings, "/dev/null", "/dev/null");
}

/* The numbers that --leaf may have: those of any region. */
static bool leaf_known(struct verification *v, int leaf)
{
    int most = 0;
    for (size_t i = 0; i < v->program->n_regions; i++)
        for (size_t j = 0; j < v->trees[i]->n_variants; j++)
            most = v->trees[i]->variants[j].id > most ? v->trees[i]->variants[j].id : most;
    if (leaf > most)
        diag_error(v->ctx, loc_none(), "--leaf: there is no leaf %d; the last is %d", leaf, most);
    return leaf <= most;
}

static bool verify_all(struct verification *v, const struct command_line *line, int leaf)
{
    const char *witness = option_text(line, "--witness"), *keep = option_text(line, "--keep");
    printf("seed %llu\n", (unsigned long long)v->seed);
    if (witness && strcmp(witness, "device") != 0)
        return verify_kernels(v, leaf, witness);
    if (!folder_open(v, keep))
        return false;
    bool fine = verify_programs(v, leaf, option_text(line, "--function"));
    if (!keep)
        folder_remove(v);
    return fine;
}

enum exit_code command_verify(struct ctx *ctx, const struct command_line *line)
{
    enum exit_code code;
    int64_t leaf;
    struct verification v = {.ctx = ctx, .device = option_text(line, "--device")};
    const char *witness = option_text(line, "--witness");
    if (!assignments_parse(ctx, line, &v.set) || !extents_parse(ctx, line, &v.extents) ||
        !numbers_parse(&v, line, &leaf) || (witness && !witness_known(ctx, witness)))
        return EXIT_USAGE;
    struct program *program = input_program(ctx, line, &code);
    v.program = program;
    v.trees = program ? input_trees(ctx, line, program, &code) : NULL;
    if (!v.trees)
        return code;
    if (!names_known(&v, option_text(line, "--function")) || !leaf_known(&v, (int)leaf))
        return EXIT_USAGE;
    v.source_path = line->positional.at[0];
    v.flags = input_options(ctx, line);
    bool fine = verify_all(&v, line, (int)leaf);
    if (fine || v.passed + v.failed + v.skipped)
        printf("%zu verified, %zu failed, %zu skipped\n", v.passed, v.failed, v.skipped);
    return v.failed || !fine ? EXIT_INPUT : EXIT_DONE;
}

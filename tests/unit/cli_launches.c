/* Leaves of several launches, which no strategy makes yet: trees in which every leaf of
   tests/unit/emit_programs/launches.c launches its own kernel and then the next leaf's (the safe
   one its own twice). JSON, texts, PTX, tables, predicted times, witnesses and `-d lines` go over
   both; the generated program runs both, in order, on PoCL and on the simulated driver. */
#include "cli/lines.h"
#include "cli/predict.h"
#include "cli/verify.h"
#include "emit/device.h"
#include "emit/emit.h"
#include "emit/names.h"
#include "tests/unit/check.h"
#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* The runtime is built as this program is. */
#ifdef __SANITIZE_ADDRESS__
#define SANITIZE "-fsanitize=address,undefined -fno-sanitize-recover=undefined"
#else
#define SANITIZE ""
#endif
#define SOURCE "tests/unit/emit_programs/launches.c"
#define MACHINE "machines/ampere-a100.json"

/* The sizes with which the program runs its regions. */
static const struct binding VALUES[] = {{"N", 1026}, {"s", 2}, {"B", 64}};
enum { N_VALUES = sizeof VALUES / sizeof *VALUES, REGIONS = 2 };

struct bench {
    struct check *check;
    struct ctx *ctx;
    const char *folder, *build;          /* where results go; where this program's parent folder
                                            lies */
    struct program *program;
    const struct tree *single[REGIONS], *trees[REGIONS];   /* as built; with several launches */
    struct treefork_machine machine;
    struct assignments set;
    struct host_texts host;
    struct str ptx;
};

/* --- trees ----------------------------------------------------------------------------------- */

/* A variant that launches what `own` does and then what `next` does, and needs what both need. */
static struct variant variant_join(struct arena *arena, const struct variant *own,
                                   const struct variant *next)
{
    struct variant joined = *own;
    const struct variant *const both[] = {own, next};
    struct launch *launches = ARENA_ARRAY(arena, struct launch, own->n_launches + next->n_launches);
    joined.n_launches = 0;
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < both[k]->n_launches; i++) {
            launches[joined.n_launches] = both[k]->launches[i];
            launches[joined.n_launches].number = (int)joined.n_launches + 1;
            joined.n_launches++;
        }
    for (size_t i = 0; i < next->fits.count; i++)
        joined.fits = sas_add(arena, joined.fits, next->fits.at[i]);
    joined.launches = launches;
    return joined;
}

static const struct tree *tree_join(struct arena *arena, const struct tree *from)
{
    struct tree *tree = ARENA_NEW(arena, struct tree);
    struct variant *variants = ARENA_ARRAY(arena, struct variant, from->n_variants);
    for (size_t v = 0; v < from->n_variants; v++)
        variants[v] = variant_join(arena, &from->variants[v],
                                   &from->variants[v + 1 < from->n_variants ? v + 1 : v]);
    *tree = *from;
    tree->variants = variants;
    return tree;
}

static bool trees_make(struct bench *b)
{
    static const char *const arguments[] = {"-Iruntime"};
    static const struct program_options reading = {.n_arguments = 1, .arguments = arguments};
    const struct tree_options options = {.max_leaves = (size_t)test_scale(4, 0)};
    b->program = program_read(b->ctx, SOURCE, &reading);
    if (!check_that(b->check, b->program && b->program->n_regions == REGIONS, "%s: %s", SOURCE,
                    b->ctx->last))
        return false;
    for (size_t r = 0; r < REGIONS; r++) {
        b->single[r] = tree_build(b->ctx, b->program->regions[r], &options);
        if (!check_that(b->check, b->single[r] && b->single[r]->n_variants > 1,
                        "a tree of leaves: %s", b->ctx->last))
            return false;
        b->trees[r] = tree_join(b->ctx->arena, b->single[r]);
    }
    for (size_t i = 0; i < N_VALUES; i++) {
        struct assignment one = {
            .name = VALUES[i].name, .is_whole = true, .value = VALUES[i].value};
        vec_push(b->ctx->arena, &b->set.list, one);
    }
    return check_that(b->check, treefork_machine_read(MACHINE, &b->machine) == TREEFORK_OK, "%s",
                      treefork_message());
}

/* --- texts ----------------------------------------------------------------------------------- */

static void check_mentions(struct bench *b, const char *what, const struct str *text,
                           const char *wanted)
{
    check_that(b->check, strstr(text->text, wanted) != NULL, "%s: no %s", what, wanted);
}

/* "mix_3_k2" in every language, its place beside it. */
static void check_launch_texts(struct bench *b, const struct tree *tree,
                               const struct variant *variant, const struct launch *launch,
                               const struct str *opencl, const struct str *cuda)
{
    struct arena *arena = b->ctx->arena;
    const char *entry =
        arena_printf(arena, "%s_%d_k%d", tree->region->name, variant->id, launch->number);
    const char *binding = kernel_binding(arena, launch->kernel, 4),
               *start = arena_printf(arena, " %s(", entry);
    const char *place =
        arena_printf(arena, "%s, leaf %d of %zu, launch %d of 2", tree->region->name, variant->id,
                     tree->n_variants, launch->number);
    check_mentions(b, "OpenCL", opencl, start);
    check_mentions(b, "OpenCL", opencl, place);
    check_mentions(b, "CUDA", cuda, start);
    check_mentions(b, "PTX", &b->ptx, arena_printf(arena, ".entry %s(", entry));
    check_mentions(
        b, "PTX", &b->ptx,
        arena_printf(arena, ".entry %s%s%s(", entry, *binding ? "__" : "", *binding ? "s_4" : ""));
    check_mentions(b, "texts", &b->host.texts, arena_printf(arena, "tf_text_%s[] =", entry));
    check_mentions(b, "texts", &b->host.texts,
                   arena_printf(arena, "{\"%s\", tf_text_%s, tf_text_%s,", entry, entry, entry));
}

static void check_texts(struct bench *b)
{
    struct str opencl = str_new(b->ctx->arena), cuda = str_new(b->ctx->arena),
               picture = str_new(b->ctx->arena);
    check_test(b->check);
    emit_opencl(b->ctx, &opencl, NULL, b->program, b->trees);
    emit_cuda(b->ctx, &cuda, NULL, b->program, b->trees);
    for (size_t r = 0; r < REGIONS; r++)
        for (size_t v = 0; v < b->trees[r]->n_variants; v++) {
            const struct variant *variant = &b->trees[r]->variants[v];
            check_that(b->check, variant->n_launches == 2, "two launches");
            for (size_t i = 0; i < variant->n_launches; i++)
                check_launch_texts(b, b->trees[r], variant, &variant->launches[i], &opencl, &cuda);
        }
    tree_print(b->ctx, &picture, b->trees[0]);
    check_mentions(b, "tree", &picture, "  launches 2, one after another\n");
}

static void check_json(struct bench *b)
{
    struct str text = str_new(b->ctx->arena);
    check_test(b->check);
    emit_json(b->ctx, &text, b->program, b->trees, true);
    cJSON *root = cJSON_Parse(text.text);
    const cJSON *region, *variant, *kernel;
    cJSON_ArrayForEach(region, cJSON_GetObjectItem(root, "regions")) {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(region, "name"));
        cJSON_ArrayForEach(variant, cJSON_GetObjectItem(region, "variants")) {
            int id = (int)cJSON_GetNumberValue(cJSON_GetObjectItem(variant, "id")), number = 0;
            cJSON_ArrayForEach(kernel, cJSON_GetObjectItem(variant, "kernels")) {
                const char *entry = cJSON_GetStringValue(cJSON_GetObjectItem(kernel, "entry"));
                const char *wanted = arena_printf(b->ctx->arena, "%s_%d_k%d", name, id, ++number);
                check_that(b->check, entry && !strcmp(entry, wanted), "JSON has %s for %s", entry,
                           wanted);
            }
            check_that(b->check, number == 2, "JSON: %d kernels of leaf %d", number, id);
        }
    }
    cJSON_Delete(root);
}

static void check_lines(struct bench *b)
{
    struct str out = str_new(b->ctx->arena);
    const struct ptx_options set = {.n_bindings = N_VALUES, .bindings = VALUES};
    check_test(b->check);
    if (!check_that(b->check, lines_print(b->ctx, &out, b->trees[0]->variants, &set), "lines: %s",
                    b->ctx->last))
        return;
    const char *first = strstr(out.text, "// leaf 1, launch 1 of 2\n"),
               *second = strstr(out.text, "// leaf 1, launch 2 of 2\n");
    check_that(b->check, first && second && first < second, "lines of both launches: %s", out.text);
    const char *counted = second ? strstr(second, "  counted: ") : NULL,
               *counters = counted ? strstr(counted, "  lines ") : NULL;
    check_that(b->check, counters && counters == strstr(out.text, "\n  lines ") + 1,
               "the leaf's counters stand once: %s", out.text);
}

/* --- times and tables ------------------------------------------------------------------------ */

static bool point_of(struct bench *b, const struct tree *tree, int64_t **point)
{
    return check_that(b->check,
                      point_make(b->ctx, tree, &b->machine, &b->set, point) &&
                          tree_point_complete(tree, *point),
                      "a point: %s", b->ctx->last);
}

/* Of two launches the time is the sum, but that the second one is queued behind the first; the
   block that counts is the smaller. */
static void check_times(struct bench *b)
{
    check_test(b->check);
    for (size_t r = 0; r < REGIONS; r++) {
        const struct tree *tree = b->trees[r], *single = b->single[r];
        int64_t *point;
        if (!point_of(b, tree, &point))
            continue;
        for (size_t v = 0; v < tree->n_variants; v++) {
            struct leaf_time own, next, both;
            size_t other = v + 1 < tree->n_variants ? v + 1 : v;
            bool done =
                !leaf_predict(b->ctx, single, &single->variants[v], &b->machine, point, &own) &&
                !leaf_predict(b->ctx, single, &single->variants[other], &b->machine, point,
                              &next) &&
                !leaf_predict(b->ctx, tree, &tree->variants[v], &b->machine, point, &both);
            if (!check_that(b->check, done && both.n_launches == 2, "leaf %zu has a time", v + 1))
                continue;
            const struct treefork_prediction *p = &own.prediction, *q = &next.prediction,
                                             *sum = &both.prediction;
            double spared = q->launch - q->behind,
                   all = p->nanoseconds + q->nanoseconds - spared;
            check_that(b->check,
                       spared > 0 && fabs(sum->nanoseconds - all) <= 1e-9 * all &&
                           sum->launch == p->launch + q->behind &&
                           sum->sectors == p->sectors + q->sectors && sum->sum == p->sum + q->sum,
                       "leaf %zu: the sum", v + 1);
            check_that(b->check,
                       both.threads == (own.threads < next.threads ? own.threads : next.threads),
                       "leaf %zu: threads", v + 1);
        }
    }
}

/* What the tables of the generated program give, interpreted by the runtime. */
static const char plans_source[] =
    "#define main program_main\n"
    "#include \"launches.tf.c\"\n"
    "#undef main\n"
    "#include <treefork-tables.h>\n"
    "static void plans(const struct treefork_region *region, const struct treefork_machine "
    "*machine, const treefork_int *values)\n"
    "{\n"
    "    for (int leaf = 1; leaf <= region->n_leaves; leaf++) {\n"
    "        struct treefork_prediction p;\n"
    "        struct treefork_launch plan;\n"
    "        for (int i = 0; treefork_region_plan(region, machine, values, leaf, i, &plan) == "
    "TREEFORK_OK; i++)\n"
    "            printf(\"%s: %lld blocks of %lld threads, %lld bytes, %d registers\\n\", "
    "plan.kernel, (long long)plan.blocks,\n"
    "                   (long long)plan.threads, (long long)plan.shared_bytes, plan.registers);\n"
    "        if (treefork_region_predict(region, machine, values, leaf, &p) == TREEFORK_OK)\n"
    "            printf(\"leaf %d: fits %d, %.3f ns, %s\\n\", leaf,\n"
    "                   treefork_region_fits(region, machine, values, leaf, NULL), p.nanoseconds, "
    "p.bound);\n"
    "    }\n"
    "}\n"
    "int main(void)\n"
    "{\n"
    "    static const treefork_int mix_values[] = {1026, 2, 64}, twice_values[] = {1026, 64};\n"
    "    struct treefork_machine machine;\n"
    "    if (treefork_machine_read(\"" MACHINE "\", &machine) != TREEFORK_OK)\n"
    "        return 1;\n"
    "    plans(&tf_region_mix, &machine, mix_values);\n"
    "    plans(&tf_region_twice, &machine, twice_values);\n"
    "    return 0;\n"
    "}\n";

/* The same lines from the tree. */
static void plans_expect(struct bench *b, struct str *out, const struct tree *tree)
{
    int64_t *point;
    if (!point_of(b, tree, &point))
        return;
    for (size_t v = 0; v < tree->n_variants; v++) {
        const struct variant *variant = &tree->variants[v];
        struct leaf_time time;
        if (!check_that(b->check, !leaf_predict(b->ctx, tree, variant, &b->machine, point, &time),
                        "leaf %d has a time", variant->id))
            continue;
        for (size_t i = 0; i < time.n_launches; i++) {
            const struct treefork_figures *f = &time.launches[i].figures;
            str_addf(out, "%s_%d_k%zu: %lld blocks of %lld threads, %lld bytes, %lld registers\n",
                     tree->region->name, variant->id, i + 1, (long long)f->blocks,
                     (long long)f->threads, (long long)f->shared_bytes, (long long)f->registers);
        }
        str_addf(out, "leaf %d: fits %d, %.3f ns, %s\n", variant->id,
                 tree_system_holds(tree, variant->fits, point) == 1, time.prediction.nanoseconds,
                 time.prediction.bound);
    }
}

/* --- programs -------------------------------------------------------------------------------- */

static bool run_command(struct bench *b, const char *what, const char *command)
{
    return check_that(b->check, system(command) == 0, "%s: %s", what, command);
}

static void write_file(struct bench *b, const char *name, const char *text)
{
    const char *path = arena_printf(b->ctx->arena, "%s/%s", b->folder, name);
    check_that(b->check, file_write(b->ctx, path, text, strlen(text)), "cannot write %s", path);
}

/* What the simulated driver runs, as `treefork -d leaves` prints it. */
static void write_kernels(struct bench *b)
{
    struct str text = str_new(b->ctx->arena);
    for (size_t r = 0; r < REGIONS; r++)
        for (size_t v = 0; v < b->trees[r]->n_variants; v++) {
            const struct variant *variant = &b->trees[r]->variants[v];
            for (size_t i = 0; i < variant->n_launches; i++) {
                str_addf(&text, "// leaf %d%s\n", variant->id,
                         launch_place(b->ctx->arena, variant, &variant->launches[i]));
                kernel_print(&text, variant->launches[i].kernel);
            }
        }
    write_file(b, "kernels", text.text);
}

static bool program_make(struct bench *b)
{
    struct arena *arena = b->ctx->arena;
    b->host = host_texts_new(arena);
    b->ptx = str_new(arena);
    check_test(b->check);
    if (!check_that(b->check,
                    emit_ptx(b->ctx, &b->ptx, b->program, b->trees, 70) &&
                        emit_host(b->ctx, &b->host, b->program, b->trees, b->ptx.text),
                    "host code: %s", b->ctx->last))
        return false;
    write_file(b, "launches.tf.c", b->host.source.text);
    write_file(b, "launches.texts.h", b->host.texts.text);
    write_file(b, "plans.c", plans_source);
    write_kernels(b);
    const char *libraries = arena_printf(arena, "%s/lib/runtime.a -lm -ldl -lpthread", b->build);
    return run_command(b, "plain",
                       arena_printf(arena,
                                    "cc -DTIMES=2 -Iruntime -o %s/plain " SOURCE
                                    " && %s/plain >%s/want",
                                    b->folder, b->folder, b->folder)) &&
           run_command(
               b, "generated",
               arena_printf(
                   arena, "cc %s -Wall -Wextra -Werror -Iruntime -o %s/program %s/launches.tf.c %s",
                   SANITIZE, b->folder, b->folder, libraries)) &&
           run_command(b, "plans",
                       arena_printf(arena, "cc %s -Iruntime -I%s -o %s/plans %s/plans.c %s",
                                    SANITIZE, b->folder, b->folder, b->folder, libraries));
}

static void check_tables(struct bench *b)
{
    struct str expected = str_new(b->ctx->arena);
    size_t length;
    check_test(b->check);
    for (size_t r = 0; r < REGIONS; r++)
        plans_expect(b, &expected, b->trees[r]);
    if (!run_command(b, "plans",
                     arena_printf(b->ctx->arena, "%s/plans >%s/plans.got", b->folder, b->folder)))
        return;
    const char *got =
        file_read(b->ctx, arena_printf(b->ctx->arena, "%s/plans.got", b->folder), &length);
    check_that(b->check, got && !strcmp(got, expected.text), "the tables give\n%s, the trees\n%s",
               got ? got : "", expected.text);
}

/* Every leaf forced: the plain program with TIMES = 2 writes the same. */
static void check_runs(struct bench *b, const char *settings)
{
    struct arena *arena = b->ctx->arena;
    check_test(b->check);
    for (size_t v = 1; v <= b->trees[0]->n_variants; v++) {
        size_t last = b->trees[1]->n_variants, other = v < last ? v : last;
        run_command(
            b, "output",
            arena_printf(arena,
                         "TREEFORK_FORCE=mix=%zu,twice=%zu TREEFORK_ON_ERROR=abort "
                         "ASAN_OPTIONS=detect_leaks=0 %s %s/program >%s/got && cmp %s/got %s/want",
                         v, other, settings, b->folder, b->folder, b->folder, b->folder));
    }
}

static void check_devices(struct bench *b)
{
    struct treefork_device *device;
    const char *driver = arena_printf(b->ctx->arena, "%s/libcuda-simulated.so", b->build);
    if (access(driver, R_OK) == 0) {
        check_runs(b,
                   arena_printf(b->ctx->arena,
                                "TREEFORK_DEVICE=cuda TREEFORK_NVRTC=none TREEFORK_CUDA_DRIVER=%s "
                                "TREEFORK_SIMULATED_IR=%s/kernels",
                                driver, b->folder));
    } else {
        printf("skipped: no simulated driver\n");
        b->check->skipped++;
    }
    if (treefork_open("opencl", &device) == TREEFORK_OK) {
        treefork_close(device);
        check_runs(b, "TREEFORK_DEVICE=opencl");
    } else {
        printf("skipped: no OpenCL device\n");
        b->check->skipped++;
    }
}

/* The witnesses inside the generator compare with the region run once: `twice` agrees, and `mix`,
   of which each launch counts, must not. */
static void check_witness(struct bench *b, const char *witness)
{
    struct verification v = {.ctx = b->ctx,
                             .program = b->program,
                             .trees = b->trees,
                             .set = b->set,
                             .seed = 1,
                             .tolerance = -1,
                             .timeout = 60,
                             .folder = b->folder,
                             .source_path = SOURCE};
    check_test(b->check);
    printf("Every leaf of mix has to fail now:\n");
    check_that(b->check, verify_hosted(&v, witness), "%s: %s", witness, b->ctx->last);
    hosted_end(&v);
    check_that(b->check,
               v.passed == b->trees[1]->n_variants && v.failed == b->trees[0]->n_variants &&
                   v.skipped == 0,
               "%s: %zu leaves agree, %zu differ, %zu skipped", witness, v.passed, v.failed,
               v.skipped);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    char folder[] = P_tmpdir "/cli_launches_XXXXXX", build[4096], command[64];
    const char *slash = strrchr(argv[0], '/');
    (void)argc;
    snprintf(build, sizeof build, "%.*s/..", slash ? (int)(slash - argv[0]) : 1,
             slash ? argv[0] : ".");
    if (!check_that(&check, mkdtemp(folder) != NULL, "no folder for results"))
        return check_end(&check, "cli_launches");
    struct bench b = {.check = &check, .ctx = ctx_new(), .folder = folder, .build = build};
    if (trees_make(&b) && program_make(&b)) {
        check_texts(&b);
        check_json(&b);
        check_lines(&b);
        check_times(&b);
        check_tables(&b);
        check_devices(&b);
        check_witness(&b, "threads");
        check_witness(&b, "cpu");
    }
    ctx_free(b.ctx);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    check_that(&check, check.failed || system(command) == 0, "cannot remove %s", folder);
    return check_end(&check, "cli_launches");
}

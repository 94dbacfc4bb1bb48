/* A launch never fails for registers: for every region of the samples, with and without a target,
   the generated NAME_select and launch plan are compiled and asked on every machine file with
   random parameters. Whatever leaf they take, the safe one too, at least one of its blocks must fit
   a multiprocessor, by treefork_occupancy with the budget as registers and by the vendor's header
   where it is installed. */
#include "emit/emit.h"
#include "emit/host.h"
#include "tests/unit/ir_check.h"
#include "tests/unit/occupancy_header.h"
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#define SANITIZE "-fsanitize=address,undefined -fno-sanitize-recover=undefined"
#else
#define SANITIZE ""
#endif

static const char *const samples[] = {"samples/jacobi1d/jacobi1d",   "samples/matmul/matmul",
                                      "samples/transpose/transpose", "samples/matvec/matvec",
                                      "samples/matadd/matadd",       "samples/jacobi2d/jacobi2d",
                                      "samples/heat3d/heat3d",       "samples/axpy/axpy"};

/* The program's own part: a random parameter, the judgement of a launch. */
static const char frame[] =
    "#include \"tests/unit/occupancy_header.h\"\n#include <stdio.h>\n#include <stdlib.h>\n"
    "static int64_t draw(void)\n{\n"
    "    static const int64_t extents[] = {1, 2, 3, 8, 16, 31, 32, 64, 100, 128, 256, 1024};\n"
    "    return rand() % 4 ? extents[rand() % 12] : rand() % 5000;\n}\n"
    "static int launches(const struct treefork_machine *m, const struct treefork_launch *l)\n{\n"
    "    struct treefork_occupancy o;\n"
    "    int good = !treefork_occupancy(m, l->threads, l->registers, l->shared_bytes, &o) && "
    "o.blocks > 0;\n"
    "#ifdef HAS_HEADER\n    cudaOccResult header;\n"
    "    if (m->value[TREEFORK_A_D] >= 70 && header_ask(m, (int)l->threads, l->registers, "
    "(int)l->shared_bytes, &header))\n"
    "        good = good && header.activeBlocksPerMultiprocessor > 0;\n#endif\n"
    "    if (!good)\n"
    "        fprintf(stderr, \"%s on %s: %lld threads, %d registers, %lld bytes do not fit\\n\", "
    "l->kernel, m->name,\n"
    "                (long long)l->threads, l->registers, (long long)l->shared_bytes);\n    return "
    "good;\n}\n";

/* main: prints launches, launches of the safe leaf, and how many did not fit. */
static void write_program(struct str *out, const struct tree *tree, const char *source)
{
    const struct kernel *k = tree->region->kernel;
    const char *name = tree->region->name;
    str_addf(out, "#include \"%s\"\n%s", source, frame);
    str_add(out,
            "int main(int argc, char **argv)\n{\n    int tf_n = 0, tf_safe = 0, tf_bad = 0;\n    "
            "srand(11);\n"
            "    for (int tf_i = 1; tf_i < argc; tf_i++) {\n        struct treefork_machine tf_m;\n"
            "        if (treefork_machine_read(argv[tf_i], &tf_m))\n            return 1;\n"
            "        for (int tf_k = 0; tf_k < 400; tf_k++) {\n            struct treefork_launch "
            "tf_l = {0};\n"
            "            int64_t tf_p[] = {");
    for (int i = 0; i < k->n_params; i++)
        if (host_is_integer(k->params[i]) && k->params[i]->role != ROLE_MACHINE)
            str_add(out, "draw(), ");
    str_addf(out, "0};\n            int tf_v = tf_select_%s(&tf_m, tf_p, NULL);\n", name);
    str_addf(out,
             "            if (tf_v <= 0 || treefork_region_plan(&tf_region_%s, &tf_m, tf_p, tf_v, "
             "0, &tf_l) || tf_l.threads < 1 ||\n"
             "                tf_l.blocks < 1)\n                continue;\n",
             name);
    str_addf(out,
             "            tf_n++;\n            tf_safe += tf_v == %d;\n"
             "            tf_bad += !launches(&tf_m, &tf_l);\n        }\n    }\n"
             "    printf(\"%%d %%d %%d\\n\", tf_n, tf_safe, tf_bad);\n    return 0;\n}\n",
             tree->variants[tree->n_variants - 1].id);
}

struct places {
    const char *folder, *runtime, *include;
};

static void check_region(struct check *check, struct ctx *ctx, const struct tree *tree,
                         const struct places *places, const char *at)
{
    struct str out = str_new(ctx->arena);
    const char *name = tree->region->name;
    int launches = 0, safe = 0, bad = 1;
    write_program(&out, tree, arena_printf(ctx->arena, "%s.tf.c", at));
    check_that(check,
               file_write(ctx, arena_printf(ctx->arena, "%s.main.c", at), out.text, out.length),
               "%s: cannot write", name);
    FILE *answers = popen(
        arena_printf(
            ctx->arena,
            "cc %s %s -I. -Iruntime -o %s %s.main.c %s -lm -ldl -lpthread && %s machines/*.json",
            SANITIZE, places->include, at, at, places->runtime, at),
        "r");
    bool read = answers && fscanf(answers, "%d %d %d", &launches, &safe, &bad) == 3;
    if (answers)
        pclose(answers);
    check_that(check, read && bad == 0, "%s: %d of %d launches do not fit", name, bad, launches);
    check_that(check, safe > 0 && launches > safe, "%s: %d launches, %d of the safe leaf", name,
               launches, safe);
    printf("%s: %d launches, %d of the safe leaf\n", name, launches, safe);
}

static void check_sample(struct check *check, const char *path, const struct places *places,
                         size_t n_targets)
{
    check_test(check);
    static const char *const arguments[] = {"-Iruntime"};
    static const struct target targets[] = {{"occupancy", false, 0}};
    struct program_options options = {.n_arguments = 1, .arguments = arguments};
    struct tree_options tree_options = {.n_targets = n_targets, .targets = targets};
    struct ctx *ctx = check_ctx();
    const char *at = arena_printf(ctx->arena, "%s/%s", places->folder, strrchr(path, '/') + 1);
    struct host_texts texts = host_texts_new(ctx->arena);
    struct program *program = program_read(ctx, arena_printf(ctx->arena, "%s.c", path), &options);
    const struct tree **trees =
        ARENA_ARRAY(ctx->arena, const struct tree *, program ? program->n_regions + 1 : 1);
    bool built = program != NULL;
    for (size_t r = 0; built && r < program->n_regions; r++)
        built = (trees[r] = tree_build(ctx, program->regions[r], &tree_options)) != NULL;
    if (check_that(check, built && emit_host(ctx, &texts, program, trees, NULL), "%s: %s", path,
                   ctx->last)) {
        check_that(check,
                   file_write(ctx, arena_printf(ctx->arena, "%s.tf.c", at), texts.source.text,
                              texts.source.length) &&
                       file_write(ctx, arena_printf(ctx->arena, "%s.texts.h", at), texts.texts.text,
                                  texts.texts.length),
                   "%s: cannot write", path);
        for (size_t r = 0; r < program->n_regions; r++)
            check_region(check, ctx, trees[r], places, at);
    }
    ctx_free(ctx);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    char folder[] = P_tmpdir "/emit_occupancy_XXXXXX", runtime[4096], include[4096] = "",
         command[64];
    const char *slash = strrchr(argv[0], '/'), *toolkit = getenv("CUDA_HOME");
    (void)argc;
    printf("emit_occupancy: seed 11\n");
    snprintf(runtime, sizeof runtime, "%.*s/../lib/runtime.a", slash ? (int)(slash - argv[0]) : 1,
             slash ? argv[0] : ".");
    if (access(runtime, R_OK)) {
        check.skipped += (int)(sizeof samples / sizeof *samples);
        return check_end(&check, "emit_occupancy");
    }
#ifdef HAS_HEADER
    snprintf(include, sizeof include, "-isystem %s/include", toolkit ? toolkit : "/usr/local/cuda");
#else
    printf("UNSUPPORTED: no cuda_occupancy.h\n");
    (void)toolkit;
    check.skipped++;
#endif
    check_that(&check, mkdtemp(folder) != NULL, "no folder for results");
    struct places places = {folder, runtime, include};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        bool aims = test_scale(i % 4 == 0, 1);
        for (size_t targets = 0; targets < (aims ? 2 : 1); targets++)
            check_sample(&check, samples[i], &places, targets);
    }
    snprintf(command, sizeof command, "rm -rf %s", folder);
    check_that(&check, system(command) == 0, "cannot remove %s", folder);
    return check_end(&check, "emit_occupancy");
}

/* The published trees (spec C-28, C-30, C-31) from the samples' C text: injected registers, real
   shared words and threads, in both modes; leaves, minimal systems, codes, number of variants. */
#include "optimizer_test.h"

enum { LEAVES_MAX = 8 };

struct golden {
    const char *sample;
    enum tree_mode mode;
    const char *counters[2];
    int64_t unreduced, reduced;
    size_t n_variants;                     /* without the safe one */
    struct {
        const char *codes, *system;
        int variant;
    } leaves[LEAVES_MAX];
};

static const struct golden GOLDEN[] = {
    {"matadd",
     TREE_KEEP,
     {"registers", "threads"},
     14,
     10,
     2,
     {{"(1)(2)(2)", "14 <= R_B, B0*B1 <= T_B", 1},
      {"(2)(2)(3b)(1)", "R_B < 14, 10 <= R_B, B0*B1 <= T_B", 2}}},
    {"matadd",
     TREE_RETRACT,
     {"registers", "threads"},
     14,
     10,
     2,
     {{"(1)(2)(2)", "14 <= R_B, B0*B1 <= T_B", 1},
      {"(2)(2)(3b)(1)", "R_B < 14, 10 <= R_B, B0*B1 <= T_B", 2}}},
    {"jacobi1d",
     TREE_KEEP,
     {"registers", "shared"},
     9,
     9,
     3,
     {{"(1)(4a)(3a)(2)(2)", "9 <= R_B, 2*s*B + 2 <= Z_B", 1},
      {"(1)(3b)(4a)(3a)(2)(2)", "9 <= R_B, Z_B < 2*s*B + 2, 2*B + 2 <= Z_B", 2},
      {"(1)(3b)(2)(2)(4b)", "9 <= R_B, Z_B < 2*B + 2", 3}}},
    {"jacobi1d",
     TREE_RETRACT,
     {"registers", "shared"},
     9,
     9,
     3,
     {{"(1)(4a)(3a)(2)(2)", "9 <= R_B, 2*s*B + 2 <= Z_B", 1},
      {"(1)(3b)(4a)(3a)(2)(2)", "Z_B < 2*s*B + 2, 2*B + 2 <= Z_B, 9 <= R_B", 2},
      {"(1)(3b)(2)(2)(4b)", "Z_B < 2*B + 2, 9 <= R_B", 3}}},
    {"transpose",
     TREE_KEEP,
     {"registers", "shared"},
     6,
     5,
     3,
     {{"(1)(4a)(3a)(2)(2)", "6 <= R_B, 2*s*B0*B1 <= Z_B", 1},
      {"(1)(3b)(4a)(3a)(2)(2)", "6 <= R_B, Z_B < 2*s*B0*B1, 2*B0*B1 <= Z_B", 2},
      {"(1)(3b)(2)(2)(4b)", "6 <= R_B, Z_B < 2*B0*B1", 3},
      {"(2)(2)(3b)(1)(4a)(3a)", "R_B < 6, 5 <= R_B, 2*B0*B1 <= Z_B", 2},
      {"(2)(2)(3b)(1)(4b)", "R_B < 6, 5 <= R_B, Z_B < 2*B0*B1", 3}}},
    {"transpose",
     TREE_RETRACT,
     {"registers", "shared"},
     6,
     5,
     3,
     {{"(1)(4a)(3a)(2)(2)", "6 <= R_B, 2*s*B0*B1 <= Z_B", 1},
      {"(1)(3b)(4a)(3a)(2)(2)", "Z_B < 2*s*B0*B1, 2*B0*B1 <= Z_B, 5 <= R_B", 2},
      {"(1)(3b)(2)(2)(4b)", "Z_B < 2*B0*B1, 5 <= R_B", 3},
      {"(2)(2)(3b)(1)(4a)(3a)", "R_B < 6, 5 <= R_B, 2*B0*B1 <= Z_B", 2},
      {"(2)(2)(3b)(1)(4b)", "R_B < 6, Z_B < 2*B0*B1, 5 <= R_B", 3}}},
};

static char *codes_text(struct arena *arena, const struct leaf_system *leaf)
{
    struct str text = str_new(arena);
    for (size_t i = 0; i < leaf->n_codes; i++)
        str_addf(&text, "(%s)", leaf->codes[i]);
    return text.text;
}

static char *system_text(struct arena *arena, const struct tree *tree, struct sas sas)
{
    struct str text = str_new(arena);
    for (size_t i = 0; i < sas.count; i++) {
        str_add(&text, i ? ", " : "");
        constraint_print(&text, sas.at[i], tree->machine);
    }
    return text.text;
}

static void check_leaf(struct check *check, struct ctx *ctx, const struct tree *tree,
                       const struct golden *golden, size_t k)
{
    int id = golden->leaves[k].variant;
    const struct variant *variant = &tree->variants[id - 1];
    bool found = false;
    for (size_t i = 0; i < variant->n_systems; i++) {
        const struct leaf_system *leaf = &variant->systems[i];
        found |=
            strcmp(codes_text(ctx->arena, leaf), golden->leaves[k].codes) == 0 &&
            strcmp(system_text(ctx->arena, tree, leaf->minimal), golden->leaves[k].system) == 0;
        check_that(check, leaf->has_witness, "%s variant %d: no witness: %s", golden->sample, id,
                   leaf->reason);
    }
    struct str picture = str_new(ctx->arena);
    if (!check_that(check, found, "%s, mode %d: no leaf %s {%s} in variant %d", golden->sample,
                    (int)golden->mode, golden->leaves[k].codes, golden->leaves[k].system, id)) {
        tree_print(ctx, &picture, tree);
        printf("%s\n", picture.text);
    }
}

static void check_golden(struct check *check, const struct golden *golden)
{
    check_test(check);
    struct ctx *ctx = ctx_new();
    struct injection registers = {"registers", golden->unreduced, golden->reduced};
    struct tree_options options = {.mode = golden->mode,
                                   .n_counters = 2,
                                   .counters = golden->counters,
                                   .n_injections = 1,
                                   .injections = &registers,
                                   .golden = true};
    struct program *program = sample_read(ctx, golden->sample);
    const struct tree *tree = program ? tree_build(ctx, program->regions[0], &options) : NULL;
    size_t expected = 0, systems = 0;
    while (expected < LEAVES_MAX && golden->leaves[expected].codes)
        expected++;
    if (check_that(check, tree != NULL, "%s: no tree: %s", golden->sample, ctx->last) &&
        check_that(check, tree->n_variants == golden->n_variants + 1, "%s: %zu variants",
                   golden->sample, tree->n_variants)) {
        for (size_t i = 0; i < tree->n_variants; i++)
            systems += tree->variants[i].n_systems;
        check_that(check, systems == expected, "%s: %zu leaves", golden->sample, systems);
        check_that(check,
                   tree->variants[golden->n_variants].safe &&
                       tree->variants[golden->n_variants].n_systems == 0,
                   "%s: the safe variant is not last and outside the tree", golden->sample);
        for (size_t k = 0; k < expected; k++)
            check_leaf(check, ctx, tree, golden, k);
    }
    ctx_free(ctx);
}

int main(void)
{
    struct check check = {0};
    for (size_t i = 0; i < sizeof GOLDEN / sizeof *GOLDEN; i++)
        check_golden(&check, &GOLDEN[i]);
    return check_end(&check, "optimizer_golden");
}

/* Vector accesses: where the strategies make them and under which condition, that both branches of
   the condition give what the serial reading gives (thread interpreter and LLVM on the CPU), that
   the vectors run where the condition holds, that a broken condition is noticed, and what the PTX
   looks like. With an argument FILE.c and names of strategies: prints the kernel of that set, with
   `ptx NAME=VALUE,…` its PTX. */
#include "optimizer_test.h"
#include "ir/llvm/llvm.h"

enum { SETS = 4 };
static const uint64_t BOTH = STRATEGY_BIT(VECTOR) | STRATEGY_BIT(VECTOR_LOOP);

static struct store *open_file(struct ctx *ctx, const char *path, const char *text)
{
    FILE *file = text ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "#include <metafork.h>\n%s", text);
        fclose(file);
    }
    struct program *program = program_read(ctx, path, &READING);
    return program && program->n_regions ? store_bare(ctx, program->regions[0]) : NULL;
}

/* "s=2,B=4" as bindings. */
static size_t bindings_of(struct arena *arena, const char *text, struct binding *bindings)
{
    size_t count = 0;
    char *copy = arena_strdup(arena, text);
    for (char *at = strtok(copy, ", "); at && count < 16; at = strtok(NULL, ", ")) {
        char *sign = strchr(at, '=');
        if (sign)
            *sign = 0;
        bindings[count++] = (struct binding){at, sign ? atoll(sign + 1) : 0};
    }
    return count;
}

static const char *ptx_of(struct ctx *ctx, const struct kernel *kernel, const char *values)
{
    struct binding bindings[16];
    struct ptx_options options = {
        .target = 80, .bindings = bindings, .libdevice = "", .contract = true};
    options.n_bindings = bindings_of(ctx->arena, values, bindings);
    return llvm_ptx(ctx, kernel, &options);
}

static int print_kernels(char **arguments)
{
    uint64_t set = 0;
    struct ctx *ctx = ctx_new();
    const char *values = NULL;
    for (char **name = arguments + 1; *name; name++) {
        if (strategy_find(*name) >= 0)
            set |= (uint64_t)1 << strategy_find(*name);
        else if (strcmp(*name, "ptx") == 0 && name[1])
            values = *++name;
    }
    struct store *store = open_file(ctx, arguments[0], NULL);
    struct kernel_entry *build = store ? set_kernel(store, set, false) : NULL;
    const char *text = build && values ? ptx_of(ctx, build->kernel, values)
                       : build         ? build->text
                                       : "";
    fputs(text ? text : "", stdout);
    ctx_free(ctx);
    return build == NULL;
}

/* Programs with the facts of their kernels: lines that must be there, and points where the vectors
   run. */
struct program_case {
    const char *name, *text;
    const char *lines[4];
    const char *vectors[3], *scalars[3];     /* points: the vectors run, they do not */
};

static const struct program_case CASES[] = {
    {"guarded fill: a vector at the edge goes element by element",
     "void f(int n, int B, float a[n], float c[n])\n{\n    int dim = (n + 2 * B - 1) / (2 * B);\n  "
     "  meta_schedule cache(a, c) {\n"
     "        meta_for (int i = 0; i < dim; i++)\n            meta_for (int j = 0; j < B; j++)\n"
     "                for (int k = 0; k < 2; k++)\n                    if ((i * B + j) * 2 + k < "
     "n)\n"
     "                        c[(i * B + j) * 2 + k] = 2.0f * a[(i * B + j) * 2 + k];\n    }\n}\n",
     {"if (2L * (long)B % 4L == 0L) {",
      "if (2 * B * i + 4 * r0_3 <= n - 1 && 2 * B * i + (4 * r0_3 + 3) <= n - 1) {",
      "for (int e = 0; e < 4; e += 1) {", "vector 4 c[2 * B * i + 4 * "},
     {"n=37, B=8", "n=30, B=4", "n=16, B=16"},
     {"n=37, B=7", "n=11, B=5", "n=30, B=3"}},
    {"halo: the rest of a row that 4 does not divide",
     "void f(int n, int B, float a[n], float c[n])\n{\n    int dim = (n - 2) / B;\n    "
     "meta_schedule cache(a) {\n"
     "        meta_for (int i = 0; i < dim; i++)\n            meta_for (int j = 0; j < B; j++)\n"
     "                c[i * B + j] = a[i * B + j] + a[i * B + j + 1] + a[i * B + j + 2];\n    "
     "}\n}\n",
     {"if (B % 4 == 0) {", "int r0_2 < (B + 2) / 4",
      "vector 4 shared_a[4 * r0_2] = a[B * i + 4 * r0_2];", "int r0_3 < (B + 2) % 4"},
     {"n=34, B=8", "n=35, B=4", "n=100, B=12"},
     {"n=30, B=5", "n=40, B=6", "n=11, B=3"}},
    {"doubles, whole rows",
     "void f(int n, int B, double a[n][B], double c[n][B])\n{\n    meta_schedule cache(a) {\n"
     "        meta_for (int i = 0; i < n; i++)\n            meta_for (int j = 0; j < B; j++)\n"
     "            {\n                double sum = 0;\n                for (int k = 0; k < B; "
     "k++)\n                    sum += a[i][k];\n"
     "                c[i][j] = sum;\n            }\n    }\n}\n",
     {"if (B % 2 == 0) {", "vector 2 shared_a["},
     {"n=3, B=4", "n=2, B=6", "n=1, B=2"},
     {"n=3, B=5", "n=2, B=1", "n=1, B=7"}},
    {"a thread's own elements, read and written in place",
     "void f(int n, int B, int s, float a[n], float c[n])\n{\n    int dim = n / (s * B);\n    "
     "meta_schedule {\n"
     "        meta_for (int i = 0; i < dim; i++)\n            meta_for (int j = 0; j < B; j++)\n"
     "                for (int k = 0; k < s; k++)\n                    c[(i * B + j) * s + k] = "
     "c[(i * B + j) * s + k] * 2.0f + a[(i * B + j) * s + k];\n    }\n}\n",
     {"if (s % 4 == 0) {", "vector 4 vector_c[0] = c[(i * B + j) * s + k_2];",
      "vector 4 c[(i * B + j) * s + k_2] = vector_c[0];", "vector 4 vector_a[0] = a["},
     {"n=64, B=4, s=4", "n=70, B=2, s=8", "n=24, B=1, s=4"},
     {"n=64, B=4, s=3", "n=70, B=2, s=2", "n=24, B=5, s=1"}},
    {"a bound that is no polynomial: groups and a rest",
     "void f(int n, int B, int s, float a[n], float c[n])\n{\n    int dim = n / (s * B);\n    "
     "meta_schedule {\n"
     "        meta_for (int i = 0; i < dim; i++)\n            meta_for (int j = 0; j < B; j++) {\n "
     "               float sum = 0.0f;\n"
     "                for (int k = 0; k <= j; k++)\n                    sum += a[k];\n             "
     "   c[i * B + j] = sum;\n            }\n    }\n}\n",
     {"for (int k_2 = 0; k_2 < j + 1 - (j + 1) % 4; k_2 += 4) {", "vector 4 vector_a[0] = a[k_2];"},
     {"n=40, B=10, s=1", "n=40, B=8, s=2", "n=30, B=7, s=1"},
     {"n=40, B=3, s=1", "n=9, B=2, s=1", "n=9, B=1, s=1"}},
};

/* Programs in which nothing may be moved, each with the reason as its name. */
static const char *const LEFT[][2] = {
    {"written at another place too", "for (int k = 0; k < s; k++)\n c[(i * B + j) * s + k] = k > 0 "
                                     "? c[(i * B + j) * s + k - 1] + 1.0f : 0.0f;"},
    {"read under a condition", "for (int k = 0; k < s; k++)\n if (k % 3 != j) c[(i * B + j) * s + "
                               "k] = a[(i * B + j) * s + k];"},
    {"stride two",
     "for (int k = 0; k < s; k++)\n c[((i * B + j) * s + k) * 2] = a[((i * B + j) * s + k) * 2];"},
    {"three iterations",
     "for (int k = 0; k < 3; k++)\n c[(i * B + j) * 3 + k] = a[(i * B + j) * 3 + k];"},
    {"never aligned", "for (int k = 0; k < 4 * s; k++)\n c[(i * B + j) * 4 * s + k + 1] = a[(i * B "
                      "+ j) * 4 * s + k + 2];"},
    {"a base that the loop changes",
     "int p = 0;\n for (int k = 0; k < s; k++)\n p = p + (int)a[p + k];\n c[i * B + j] = p;"},
};

static const struct stmt *misalign(void *state, const struct stmt *s)
{
    struct arena *arena = state;
    if (s->kind != STMT_STORE || !s->width)
        return s;
    struct stmt *copy = ARENA_NEW(arena, struct stmt);
    const struct array *array = s->value->array;
    const struct expr *indices[8];
    for (int i = 0; i < array->n_dims; i++)
        indices[i] = s->value->arguments[i];
    int last = array->n_dims - 1;
    indices[last] =
        expr_binary(arena, OP_SUB, indices[last], expr_integer(arena, indices[last]->type, 1));
    *copy = *s;
    copy->value = expr_load(arena, array, indices, s->value->loc);
    return copy;
}

/* The same with the conditions on divisibility taken away. */
static const struct stmt *unconditional(void *state, const struct stmt *s)
{
    (void)state;
    bool chooses = s->kind == STMT_IF && s->children[1] && s->value->kind == EXPR_BINARY;
    const struct expr *e = chooses ? s->value : NULL;
    while (e && e->op == OP_LAND)
        e = e->arguments[0];
    return e && e->op == OP_EQ && e->arguments[0]->kind == EXPR_BINARY &&
                   e->arguments[0]->op == OP_REM
               ? s->children[0]
               : s;
}

static const struct kernel *changed(struct ctx *ctx, const struct kernel *kernel,
                                    const struct stmt *(*change)(void *state, const struct stmt *s))
{
    struct kernel *copy = kernel_copy(ctx->arena, kernel);
    copy->body = stmt_rewrite(ctx->arena, kernel->body, change, ctx->arena);
    return copy;
}

/* The CPU's result against the serial one. */
static bool native_agrees(struct ctx *ctx, const struct kernel *base, const struct kernel *kernel,
                          const union value *params)
{
    struct interpret_array expected[64], got[64];
    if (!data_make(ctx, base, params, expected) || !data_make(ctx, base, params, got))
        return false;
    struct interpret_input serial = {.params = params, .arrays = expected},
                           native = {.params = params, .arrays = got, .seed = 7};
    bool same = interpret_serial(ctx->arena, base, &serial).status == INTERPRET_DONE &&
                llvm_run(ctx, kernel, &native, 0);
    for (int i = 0; i < base->n_arrays && same; i++)
        if (base->arrays[i]->space == SPACE_GLOBAL)
            same = !memcmp(expected[i].data, got[i].data,
                           expected[i].count * type_bytes(base->arrays[i]->element));
    return same;
}

static void check_point(struct check *check, struct ctx *ctx, const struct kernel *base,
                        const struct kernel *kernel, const char *point, bool runs)
{
    union value params[64];
    const char *why = "", *alarm = "";
    if (!check_that(check, params_set(base, point, params), "no point '%s'", point))
        return;
    bool same = kernels_agree(ctx, base, kernel, (struct trial){params, 0, 3}, &why);
    check_that(check, same, "%s at %s: %s", base->name, point, why);
    check_that(check, native_agrees(ctx, base, kernel, params),
               "%s at %s: another result on the CPU: %s", base->name, point, ctx->last);
    bool quiet = kernels_agree(ctx, base, changed(ctx, kernel, misalign),
                               (struct trial){params, 0, 3}, &alarm);
    check_that(check, quiet != runs, "%s at %s: the vectors %s: %s", base->name, point,
               runs ? "do not run" : "run", alarm);
    const struct kernel *bare = changed(ctx, kernel, unconditional);
    quiet = kernels_agree(ctx, base, bare, (struct trial){params, 0, 3}, &alarm);
    check_that(check, quiet == runs || bare->body == kernel->body,
               "%s at %s: without its condition: %s", base->name, point, alarm);
}

static void check_case(struct check *check, const struct program_case *c)
{
    check_test(check);
    struct ctx *ctx = ctx_new();
    ctx->quiet = true;
    char path[] = P_tmpdir "/optimizer_vector.c";
    struct store *store = open_file(ctx, path, c->text);
    struct kernel_entry *build = store ? set_kernel(store, BOTH, false) : NULL;
    if (check_that(check, build != NULL, "%s: %s", c->name, ctx->last)) {
        for (size_t i = 0; i < sizeof c->lines / sizeof *c->lines && c->lines[i]; i++)
            check_that(check, strstr(build->text, c->lines[i]) != NULL, "%s: no '%s' in\n%s",
                       c->name, c->lines[i], build->text);
        for (size_t i = 0; i < 3 && c->vectors[i]; i++)
            check_point(check, ctx, store->space->region->kernel, build->kernel, c->vectors[i],
                        true);
        for (size_t i = 0; i < 3 && c->scalars[i]; i++)
            check_point(check, ctx, store->space->region->kernel, build->kernel, c->scalars[i],
                        false);
    }
    ctx_free(ctx);
}

static void check_left(struct check *check, const char *const *left)
{
    check_test(check);
    struct ctx *ctx = ctx_new();
    ctx->quiet = true;
    char path[] = P_tmpdir "/optimizer_vector.c";
    struct store *store =
        open_file(ctx, path,
                  arena_printf(ctx->arena,
                               "void f(int n, int B, int s, float a[n], float c[n])\n{\n    int "
                               "dim = n / (s * B);\n    meta_schedule {\n"
                               "        meta_for (int i = 0; i < dim; i++)\n            meta_for "
                               "(int j = 0; j < B; j++) {\n %s\n            }\n    }\n}\n",
                               left[1]));
    struct kernel_entry *build = store ? set_kernel(store, BOTH, false) : NULL;
    check_that(check, build && !strstr(build->text, "vector 4"), "%s: %s", left[0],
               build ? build->text : ctx->last);
    check_that(check, build && !store_applies(store, set_key(BOTH), STRATEGY_VECTOR_LOOP),
               "%s: applicable", left[0]);
    ctx_free(ctx);
}

/* Samples with what their PTX must hold once the block is bound. */
static const struct {
    const char *sample, *values, *words[3];
} PTX[] = {
    {"matmul", "B0=16,ub1=8,s=4", {"ld.global.nc.v4.f32", "st.shared.v4.f32", "ld.shared.v4.f32"}},
    {"transpose", "B0=16,B1=8,s=4", {"ld.shared.v4.u32", "st.global.v4.u32"}},
    {"jacobi1d", "B=128,s=4", {"ld.global.v4.u32", "st.shared.v4.u32"}},
    {"heat3d", "B0=4,B1=4,B2=16,s=2", {"ld.global.nc.v2.f64", "st.shared.v2.f64"}},
    {"matvec", "B=64,h=16", {"ld.global.nc.v4.f32", "st.shared.v4.f32"}},
};

static void check_ptx(struct check *check)
{
    check_test(check);
    for (size_t i = 0; i < sizeof PTX / sizeof *PTX; i++) {
        struct ctx *ctx = ctx_new();
        struct store *store = open_file(ctx, sample_path(ctx->arena, PTX[i].sample), NULL);
        struct kernel_entry *build = store ? set_kernel(store, BOTH, false) : NULL;
        const char *ptx = build ? ptx_of(ctx, build->kernel, PTX[i].values) : NULL;
        for (size_t k = 0; k < 3 && PTX[i].words[k]; k++)
            check_that(check, ptx && strstr(ptx, PTX[i].words[k]), "%s: no %s in\n%s",
                       PTX[i].sample, PTX[i].words[k], ptx);
        check_that(check, ptx && !strstr(ptx, ".local"), "%s: local memory", PTX[i].sample);
        ctx_free(ctx);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return print_kernels(argv + 1);
    struct check check = {0};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        check_case(&check, &CASES[i]);
    for (size_t i = 0; i < sizeof LEFT / sizeof *LEFT; i++)
        check_left(&check, LEFT[i]);
    check_ptx(&check);
    return check_end(&check, "optimizer_vector");
}

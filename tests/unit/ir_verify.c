/* Every rule of kernel_verify, each broken by one edit of a correct kernel's text or, where the
   reader and the constructors would not let it through, by a change behind their back. */
#include "ir_check.h"
#include "ir_kernels.h"
#include <stdlib.h>

static const struct {
    const char *kernel, *from, *to, *rule;
} edits[] = {
    {kernel_jacobi, "tile[u] = a[N + i * s * B + u];", "tile[u] = k;", ""},
    {kernel_jacobi, "let int q = k * B + j;\n", "let int q = j; barrier;\n", "nesting"},
    {kernel_jacobi, "let int q = k * B + j;\n", "let int q = j; strided band (int z < 3) { }\n",
     "nesting"},
    {kernel_jacobi, "barrier;", "while (t) { }", "nesting"},
    {kernel_jacobi, "let int q = k * B + j;\n", "let int q = j; while (q < k) { barrier; }\n",
     "nesting"},
    {kernel_jacobi, "let int q = k * B + j;\n",
     "let int q = j; while (q < k) { let int r = q; } let int z = r;\n", "scope"},
    {kernel_jacobi, "let int q = k * B + j;\n", "let int q = j; while (q < k) { k = 3; }\n",
     "kind"},
    {kernel_jacobi, "band (int j < B)", "band (int j < B + 1)", "plain band"},
    {kernel_jacobi, "band (int j < B)", "band (int j < B, int w < 1)", "plain band"},
    {kernel_jacobi, "barrier;", "tile[0] = 1;", "store"},
    {kernel_jacobi, "barrier;", "a[i] = 1;", "store"},
    {kernel_jacobi, "global int a", "global const int a", "store"},
    {kernel_jacobi, "        if (t % 2) {", "        if (a[0]) {", "uniform"},
    {kernel_jacobi, "        if (t % 2) {", "        if (j < 2) {", "scope"},
    {kernel_jacobi, "barrier;",
     "barrier; let int x; strided band (int z < 3) { x = z; } if (x) { barrier; }", "uniform"},
    {kernel_jacobi, "barrier;",
     "let int x = a[i]; let int y = x + 1; for (int z = 0; z < y; z += 1) { barrier; }", "uniform"},
    {kernel_jacobi, "barrier;", "let int x = tile[0]; strided band (int z < x) { }", "uniform"},
    {kernel_jacobi, "barrier;", "for (int z = 0; z < 4; z += 0) { }", "loop"},
    {kernel_jacobi, "barrier;", "for (int z = 0; z < 4; z += 0 - 2) { }", "loop"},
    {kernel_jacobi, "let int p = i", "if (t) { let int r = 1; } let int p = r + i", "scope"},
    {kernel_jacobi, "barrier;", "for (int z = 0; z < 4; z += 1) { } let int x = z;", "scope"},
    {kernel_jacobi, "barrier;", "strided band (int z < 4) { let int w = 1; } let int x = w;",
     "scope"},
    {kernel_jacobi, "let int p = i * s * B", "i = 3; let int p = i * s * B", "kind"},
    {kernel_jacobi, "let int p = i * s * B", "s = 3; let int p = i * s * B", "kind"},
    {kernel_jacobi, "block int j < B;", "block int j < B / 2;", "block"},
    {kernel_jacobi, "block int j < B;", "block int j < i;", "block"},
    {kernel_quarter, "    divisible B by 4;\n", "", "block"},
    {kernel_quarter, "    divisible B by 4;\n", "    divisible B by 2;\n", "block"},
    {kernel_quarter, "    divisible B by 4;\n", "    divisible B by 4;\n    divisible n by 1;\n",
     "divisible"},
    {kernel_quarter, "        band (int j < B / 4)", "        band (int j < B / 2)", "plain band"},
    {kernel_jacobi, "grid int i < (N - 2)", "grid int i < a[0] * (N - 2)", "grid"},
    {kernel_jacobi, "grid int i < (N - 2)", "grid int i < abs(N - 2)", "grid"},
    {kernel_zoo, "    block unsigned int e < 8U;\n", "", "axes"},
    {kernel_jacobi, "int tile[s * B + 2] at 0", "int tile[s * B + 2] at 2", "shared"},
    {kernel_jacobi, "int tile[s * B + 2] at 0", "int tile[s * B + 2] at 6 * B", "shared"},
    {kernel_jacobi, "int tile[s * B + 2] at 0", "int tile[s * B + 2] at 4 * B / 3", "shared"},
    {kernel_jacobi, "int tile[s * B + 2] at 0", "int tile[s * B + 2]", "shared"},
    {kernel_jacobi, "    shared_bytes 4 * (s * B + 2);\n", "", "shared"},
    {kernel_jacobi, "shared int tile", "shared restrict int tile", "array"},
    {kernel_jacobi, "int tile[s * B + 2] at 0", "int tile[s * B + 2] partial at 0", "array"},
    {kernel_jacobi, "tile[s * B + 2]", "tile[]", "array"},
    {kernel_matmul, "        private pc;\n", "", "array"},
    {kernel_matmul, "        private pc;\n", "        if (n) { private pc; }\n", "array"},
    {kernel_matmul, "        private pc;\n", "        private pc;\n        private pc;\n",
     "declaration"},
    {kernel_matmul, "        private pc;\n", "        private pc;\n        private ta;\n", "array"},
    {kernel_matmul, "    private double pc[s] of c;\n",
     "    private double pc[s] of c;\n    global int late[3];\n", "array"},
};

/* Everything kernel_verify says about a kernel; "" if it is well formed. */
static const char *complaints(struct ctx *ctx, const struct kernel *kernel)
{
    char *seen = NULL;
    size_t size = 0;
    ctx->quiet = false;
    ctx->diagnostics = open_memstream(&seen, &size);
    bool ok = kernel_verify(ctx, kernel);
    fclose(ctx->diagnostics);
    ctx->diagnostics = stderr;
    ctx->quiet = true;
    const char *copy = arena_strdup(ctx->arena, seen);
    free(seen);
    return ok == (*copy == 0) ? copy : "the answer does not fit the diagnostics";
}

static void check_edits(struct check *check)
{
    check_test(check);
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        struct ctx *ctx = check_ctx();
        const char *text = check_edit(ctx, edits[i].kernel, edits[i].from, edits[i].to);
        const struct kernel *kernel = text ? kernel_read(ctx, check_source(ctx, text)) : NULL;
        const char *seen = kernel ? complaints(ctx, kernel) : "unreadable";
        const char *rule = arena_printf(ctx->arena, "the rule '%s'", edits[i].rule);
        check_that(check, text && (edits[i].rule[0] ? strstr(seen, rule) != NULL : !kernel),
                   "'%s': expected %s, got %s (%s)", edits[i].to, rule, seen, ctx->last);
        ctx_free(ctx);
    }
}

/* A kernel to damage, and its parts. */
struct patient {
    struct ctx *ctx;
    struct kernel *kernel;
    struct arena *arena;
};

static const struct expr *find_load(const struct stmt *s)
{
    if (s->kind == STMT_STORE && s->value->kind == EXPR_LOAD)
        return s->value;
    for (int i = 0; i < s->n_children; i++) {
        const struct expr *found = s->children[i] ? find_load(s->children[i]) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

static void damage_value_type(struct patient *p)
{
    struct expr *load = (struct expr *)find_load(p->kernel->body);
    load->type = TYPE_F64;
}

static void damage_operand_count(struct patient *p)
{
    struct expr *load = (struct expr *)find_load(p->kernel->body);
    load->n_arguments = 0;
}

static void damage_twice_named(struct patient *p)
{
    ((struct var *)p->kernel->params[1]->var)->name = "tile";
}

static void damage_param_kind(struct patient *p)
{
    ((struct var *)p->kernel->params[1]->var)->kind = VAR_LOCAL;
}

static void damage_param_variable(struct patient *p)
{
    ((struct param *)p->kernel->params[1])->variable = 0;
}

static void damage_pressure(struct patient *p)
{
    p->kernel->pressure = 4;
}

static void damage_facts(struct patient *p)
{
    p->kernel->facts = sas_empty(ring_new(p->arena));
}

static void damage_listed(struct patient *p)
{
    p->kernel->n_arrays = 1;
}

static void damage_let_kind(struct patient *p)
{
    const struct var *var = var_new(p->arena, "fresh", TYPE_I32, VAR_ITERATOR);
    const struct stmt *parts[] = {stmt_let(p->arena, var, NULL), p->kernel->body};
    p->kernel->body = stmt_sequence(p->arena, parts, 2);
}

static void damage_store_type(struct patient *p)
{
    const struct var *var = var_new(p->arena, "fresh", TYPE_I64, VAR_LOCAL);
    struct stmt *let = (struct stmt *)stmt_let(p->arena, var, expr_integer(p->arena, TYPE_I64, 3));
    let->value = expr_integer(p->arena, TYPE_I32, 3);
    const struct stmt *parts[] = {let, p->kernel->body};
    p->kernel->body = stmt_sequence(p->arena, parts, 2);
}

static void damage_function(struct patient *p)
{
    const struct var *var = var_new(p->arena, "fresh", TYPE_F64, VAR_LOCAL);
    const struct expr *one = expr_real(p->arena, TYPE_F64, 1);
    const struct stmt *parts[] = {
        stmt_let(p->arena, var, expr_call(p->arena, TYPE_F64, "system", &one, 1)), p->kernel->body};
    p->kernel->body = stmt_sequence(p->arena, parts, 2);
}

static const struct {
    void (*damage)(struct patient *p);
    const char *rule;
} damages[] = {
    {damage_value_type, "type"},
    {damage_operand_count, "type"},
    {damage_twice_named, "declaration"},
    {damage_param_kind, "kind"},
    {damage_param_variable, "parameter"},
    {damage_pressure, "pressure"},
    {damage_facts, "facts"},
    {damage_listed, "array"},
    {damage_let_kind, "kind"},
    {damage_store_type, "type"},
    {damage_function, "function"},
};

static void check_damages(struct check *check)
{
    check_test(check);
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        struct ctx *ctx = check_ctx();
        struct patient p = {ctx, kernel_read(ctx, check_source(ctx, kernel_jacobi)), ctx->arena};
        if (check_that(check, p.kernel, "not read: %s", ctx->last)) {
            damages[i].damage(&p);
            const char *seen = complaints(ctx, p.kernel);
            const char *rule = arena_printf(ctx->arena, "the rule '%s'", damages[i].rule);
            check_that(check, strstr(seen, rule), "damage %zu: expected %s, got %s", i, rule, seen);
        }
        ctx_free(ctx);
    }
}

int main(void)
{
    static const char *const good[] = {kernel_jacobi, kernel_matmul, kernel_zoo};
    struct check check = {0};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct ctx *ctx = check_ctx();
        const struct kernel *kernel = kernel_read(ctx, check_source(ctx, good[i]));
        const char *seen = kernel ? complaints(ctx, kernel) : ctx->last;
        check_that(&check, kernel && !*seen, "kernel %zu: %s", i, seen);
        ctx_free(ctx);
    }
    check_edits(&check);
    check_damages(&check);
    return check_end(&check, "ir_verify");
}

/* Every scalar type with every operator and every conversion in a kernel of its own making: the CPU
   through LLVM equals the serial interpreter bit by bit, and the same kernels become PTX. */
#include "tests/unit/ir-llvm_test.h"

enum { COUNT = 50, TARGET = 80 };

static const char shell[] =
    "kernel k {\n    ring n;\n    param data size int n >= 1;\n    global const %s a[n];\n    "
    "global const %s b[n];\n"
    "    global %s c[n];\n    grid int i < (n + 7) / 8;\n    block int j < 8;\n    body {\n"
    "        band (int t < 8) {\n            let int p = i * 8 + t;\n            if (p < n) {\n"
    "                c[p] = %s;\n            }\n        }\n    }\n}\n";

static void run_text(struct test *test, struct ctx *ctx, const char *what, const char *text)
{
    static const struct binding set[] = {{"n", COUNT}};
    uint64_t random = 77;
    struct kernel *kernel = kernel_of_text(ctx, what, text);
    if (!check(test, kernel && kernel_verify(ctx, kernel), what))
        return;
    struct interpret_input input = input_make(ctx, kernel, set, 1, &random);
    struct interpret_input serial = input_copy(ctx, kernel, &input);
    struct interpret_result result = interpret_serial(ctx->arena, kernel, &serial);
    input.seed = 5;
    bool ran = llvm_run(ctx, kernel, &input, 0);
    if (!check(test,
               result.status == INTERPRET_DONE && ran && arrays_equal(kernel, &input, &serial),
               what))
        printf("    %s\n", result.message ? result.message : "other values");
    struct ptx_options options = {.target = TARGET};
    check(test, llvm_ptx(ctx, kernel, &options), what);
}

static void run_binary(struct test *test, struct ctx *ctx, enum type type)
{
    check_test(&test->count);
    static const char *const arithmetic[] = {"+",  "-",  "*",  "<",  "<=", ">",
                                             ">=", "==", "!=", "&&", "||"};
    static const char *const integer[] = {"&", "|", "^"};
    const char *name = type_name(type);
    struct arena *arena = ctx->arena;
    for (size_t i = 0; i < sizeof arithmetic / sizeof *arithmetic; i++) {
        char *body = arena_printf(arena, "(%s)(a[p] %s b[p])", name, arithmetic[i]);
        run_text(test, ctx, arena_printf(arena, "%s: %s", name, body),
                 arena_printf(arena, shell, name, name, name, body));
    }
    for (size_t i = 0; i < sizeof integer / sizeof *integer && !type_is_floating(type); i++) {
        char *body = arena_printf(arena, "(%s)(a[p] %s b[p])", name, integer[i]);
        run_text(test, ctx, arena_printf(arena, "%s: %s", name, body),
                 arena_printf(arena, shell, name, name, name, body));
    }
}

/* Operators whose right side must be tame. */
static void run_partial(struct test *test, struct ctx *ctx, enum type type)
{
    check_test(&test->count);
    static const char *const floating[] = {"a[p] / b[p]", "-a[p]", "!a[p]",
                                           "a[p] < b[p] ? a[p] : b[p]"};
    static const char *const integer[] = {"a[p] / (b[p] == 0 ? 1 : b[p])",
                                          "a[p] % (b[p] == 0 ? 1 : b[p])",
                                          "(a[p] & 1023) << (b[p] & 5)",
                                          "a[p] >> (b[p] & 7)",
                                          "~a[p]",
                                          "-a[p]",
                                          "!a[p]",
                                          "b[p] != 0 && a[p] / b[p] > 2",
                                          "b[p] == 0 || a[p] % b[p] == 1",
                                          "b[p] != 0 ? a[p] / b[p] : a[p]"};
    const char *name = type_name(type);
    const char *const *rows = type_is_floating(type) ? floating : integer;
    size_t n = type_is_floating(type) ? sizeof floating / sizeof *floating
                                      : sizeof integer / sizeof *integer;
    for (size_t i = 0; i < n; i++) {
        char *body = arena_printf(ctx->arena, "(%s)(%s)", name, rows[i]);
        run_text(test, ctx, arena_printf(ctx->arena, "%s: %s", name, body),
                 arena_printf(ctx->arena, shell, name, name, name, body));
    }
}

/* A floating value is brought into the range of every integer type first: outside it C defines
   nothing. */
static void run_cast(struct test *test, struct ctx *ctx, enum type from, enum type to)
{
    check_test(&test->count);
    const char *name = type_name(from), *body = "a[p]";
    if (type_is_floating(from) && !type_is_floating(to) && to != TYPE_BOOL)
        body = from == TYPE_F32 ? "fabsf(a[p] * 0.5f)" : "fabs(a[p] * 0.5)";
    char *text = arena_printf(ctx->arena, "(%s)%s", type_name(to), body);
    run_text(test, ctx, arena_printf(ctx->arena, "%s to %s", name, type_name(to)),
             arena_printf(ctx->arena, shell, name, name, type_name(to), text));
}

/* What follows the first argument of a function, by the column of function.def. */
static const char *arguments_rest(char column)
{
    switch (column) {
    case '1': return "";
    case '2': return ", b[p]";
    case 'i': return ", p % 7 - 3";
    default: return ", b[p], a[p]";
    }
}

static void run_functions(struct test *test, struct ctx *ctx)
{
    check_test(&test->count);
    static const char *const functions[] = {
#define X(name, n, device) #name, #n,
#include "ir/function.def"
#undef X
    };
    for (size_t i = 0; i + 1 < sizeof functions / sizeof *functions; i += 2)
        for (int single = 0; single < 2; single++) {
            const char *name = single ? "float" : "double", *f = single ? "f" : "";
            const char *rest = arguments_rest(functions[i + 1][0]);
            char *body = arena_printf(ctx->arena, "%s%s(a[p]%s)", functions[i], f, rest);
            run_text(test, ctx, body, arena_printf(ctx->arena, shell, name, name, name, body));
        }
    run_text(test, ctx, "abs", arena_printf(ctx->arena, shell, "int", "int", "int", "abs(a[p])"));
    run_text(test, ctx, "labs",
             arena_printf(ctx->arena, shell, "long", "long", "long", "labs(a[p])"));
}

int main(void)
{
    struct test test = {.name = "ir-llvm_types"};
    struct ctx *ctx = ctx_new();
    for (int type = 0; type < TYPE_COUNT; type++) {
        run_binary(&test, ctx, (enum type)type);
        run_partial(&test, ctx, (enum type)type);
        for (int to = 0; to < TYPE_COUNT; to++)
            run_cast(&test, ctx, (enum type)type, (enum type)to);
    }
    run_functions(&test, ctx);
    ctx_free(ctx);
    return test_end(&test);
}

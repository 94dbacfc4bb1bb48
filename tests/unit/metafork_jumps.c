/* `continue` in the bodies of loops: random bodies of a thread, with branches, inner loops and
   jumps anywhere, are written as C, lowered and run by the serial interpreter, and must leave what
   a direct evaluation of the body leaves. Every step depends on the order. Arguments: seed, number
   of bodies. */
#include "base/ctx.h"
#include "ir/interpret.h"
#include "metafork/region.h"
#include "tests/unit/check.h"
#include "tests/unit/draw.h"
#include <inttypes.h>

enum { ELEMENTS = 24, PARTS_MAX = 4, DEEP = 4, VALUES = 1009 };

enum node_kind { NODE_SET, NODE_IF, NODE_LOOP, NODE_BLOCK, NODE_CONTINUE, NODE_KINDS };
enum test_kind { TEST_LESS, TEST_GREATER_EITHER, TEST_BOTH, TEST_NOT, TEST_DATA, TEST_KINDS };

struct list;

/* A statement: y = y*3 + a; if (test) one else other; for (k < a) one; { one }; continue. */
struct node {
    enum node_kind kind;
    enum test_kind test;
    int a, depth;
    const struct list *one, *other;
};

struct list {
    int n;
    struct node at[PARTS_MAX];
};

struct maker {
    struct arena *arena;
    uint64_t state;
};

static const struct list *list_make(struct maker *m, int depth)
{
    struct list *list = ARENA_NEW(m->arena, struct list);
    list->n = draw(&m->state, PARTS_MAX + 1);
    for (int i = 0; i < list->n; i++) {
        struct node *node = &list->at[i];
        node->kind = (enum node_kind)draw(&m->state, depth < DEEP ? NODE_KINDS : 1);
        if (depth == DEEP && draw(&m->state, 3) == 0)
            node->kind = NODE_CONTINUE;
        node->test = (enum test_kind)draw(&m->state, TEST_KINDS);
        node->a = 1 + draw(&m->state, 6);
        node->depth = depth;
        if (node->kind >= NODE_IF && node->kind <= NODE_BLOCK)
            node->one = list_make(m, depth + 1);
        if (node->kind == NODE_IF && draw(&m->state, 2))
            node->other = list_make(m, depth + 1);
    }
    return list;
}

static const char *test_text(struct arena *arena, const struct node *node)
{
    switch (node->test) {
    case TEST_LESS: return arena_printf(arena, "i < %d", 4 * node->a);
    case TEST_GREATER_EITHER: return arena_printf(arena, "i >= n - %d || y[i] %% 2 == 0", node->a);
    case TEST_BOTH: return arena_printf(arena, "i > %d && !(y[i] > 500 || i == 9)", node->a);
    case TEST_NOT: return arena_printf(arena, "!(i %% %d)", node->a);
    default: return arena_printf(arena, "y[i] %% %d", node->a + 1);
    }
}

static bool test_holds(const struct node *node, int n, int i, int y)
{
    switch (node->test) {
    case TEST_LESS: return i < 4 * node->a;
    case TEST_GREATER_EITHER: return i >= n - node->a || y % 2 == 0;
    case TEST_BOTH: return i > node->a && y <= 500 && i != 9;
    case TEST_NOT: return i % node->a == 0;
    default: return y % (node->a + 1) != 0;
    }
}

static void list_write(struct str *out, const struct list *list)
{
    for (int i = 0; i < list->n; i++) {
        const struct node *node = &list->at[i];
        switch (node->kind) {
        case NODE_SET: str_addf(out, "y[i] = (y[i] * 3 + %d) %% %d;\n", node->a, VALUES); break;
        case NODE_IF: str_addf(out, "if (%s) {\n", test_text(out->arena, node)); break;
        case NODE_LOOP:
            str_addf(out, "for (int k%d = 0; k%d < %d; k%d++) {\n", node->depth, node->depth,
                     node->a, node->depth);
            break;
        case NODE_BLOCK: str_add(out, "{\n"); break;
        default: str_add(out, "continue;\n");
        }
        if (node->one) {
            list_write(out, node->one);
            str_add(out, "}\n");
        }
        if (node->other) {
            str_add(out, "else {\n");
            list_write(out, node->other);
            str_add(out, "}\n");
        }
    }
}

/* False if it ended by a jump. */
static bool list_run(const struct list *list, int n, int i, int *y)
{
    int length = list ? list->n : 0;
    for (int s = 0; s < length; s++) {
        const struct node *node = &list->at[s];
        int rounds = node->kind == NODE_LOOP ? node->a : 0;
        if (node->kind == NODE_CONTINUE)
            return false;
        if (node->kind == NODE_SET)
            *y = (*y * 3 + node->a) % VALUES;
        if (node->kind == NODE_BLOCK && !list_run(node->one, n, i, y))
            return false;
        if (node->kind == NODE_IF &&
            !list_run(test_holds(node, n, i, *y) ? node->one : node->other, n, i, y))
            return false;
        for (int k = 0; k < rounds; k++)
            list_run(node->one, n, i, y);
    }
    return true;
}

static bool kernel_run(struct arena *arena, const struct kernel *k, int n, int32_t *y)
{
    union value params[1] = {{.integer = n}};
    struct interpret_array arrays[1] = {{y, ELEMENTS}};
    struct interpret_input input = {.params = params, .arrays = arrays};
    return k->n_params == 1 && k->n_arrays == 1 &&
           interpret_serial(arena, k, &input).status == INTERPRET_DONE;
}

/* One random body at four extents. */
static bool body_check(struct check *check, struct maker *m)
{
    struct ctx *ctx = ctx_new();
    struct str text = str_new(ctx->arena);
    m->arena = ctx->arena;
    const struct list *list = list_make(m, 0);
    str_add(&text, "#include <metafork.h>\nvoid f(int n, int y[restrict 24])\n{\nmeta_schedule {\n"
                   "meta_for (int g = 0; g < (n + 3) / 4; g++)\nmeta_for (int l = 0; l < 4; l++) "
                   "{\nint i = g * 4 + l;\n"
                   "if (i >= n)\ncontinue;\ny[i] = y[i] + 2;\n");
    list_write(&text, list);
    str_add(&text, "y[i] = y[i] + 1;\n}\n}\n}\n");
    struct program *program = program_read_text(ctx, "body.c", text.text, text.length, NULL);
    bool good = program != NULL;
    for (int n = ELEMENTS; good && n > 0; n -= 7) {
        int32_t expected[ELEMENTS], y[ELEMENTS];
        for (int i = 0; i < ELEMENTS; i++) {
            int value = y[i] = i * 7 % 11;
            value += i < n ? 2 : 0;
            if (i < n && list_run(list, n, i, &value))
                value++;
            expected[i] = value;
        }
        good = kernel_run(ctx->arena, program->regions[0]->kernel, n, y) &&
               memcmp(y, expected, sizeof y) == 0;
    }
    check_that(check, good, "a body does not leave what it should:\n%s", text.text);
    ctx_free(ctx);
    return good;
}

int main(int argc, char **argv)
{
    struct check check = {0};
    struct maker maker = {.state = argc > 1 ? strtoull(argv[1], NULL, 10) : 7};
    int bodies = argc > 2 ? atoi(argv[2]) : test_scale(60, 3000);
    printf("metafork_jumps: seed %" PRIu64 "\n", maker.state);
    for (int i = 0; i < bodies && body_check(&check, &maker); i++)
        ;
    return check_end(&check, "metafork_jumps");
}

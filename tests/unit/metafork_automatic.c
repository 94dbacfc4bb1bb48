/* What automatic.c says a region may choose, against runs: random nests with digits in all orders,
   pieces, guards that bound, imply, cut off or only skip, floors and ceilings, values carried in
   locals, private arrays and memory, bands in the rounds of a loop. Of every kernel the tunables
   that it calls choosable are moved while the others stay, and the serial run must leave the same
   data, bit for bit, wherever no run has a race and the divisions are exact that have to be. The
   data are integers, and every step depends on the order (y = 3*y + x). Arguments: seed, number of
   kernels. */
#include "base/ctx.h"
#include "ir/interpret.h"
#include "ir/walk.h"
#include "metafork/lower.h"
#include "tests/unit/check.h"
#include "tests/unit/draw.h"
#include <inttypes.h>

enum { ELEMENTS = 60 * 60, POINTS = 8, N_TUNABLES = 4, N_PARAMS = N_TUNABLES + 2 };

struct maker {
    uint64_t state;
    struct str *out;
};

/* One more x of column k, in one of the ways that depend on the order. */
static void step(struct maker *m, const char *to, const char *k)
{
    str_addf(m->out, "%s = %s * 3 + x[%s];\n", to, to, k);
}

/* A sum over k in pieces of h, mostly as it should be. */
static void pieces(struct maker *m, const char *to)
{
    bool swapped = draw(&m->state, 8) == 0, guarded = draw(&m->state, 8) != 0;
    const char *count = PICK(&m->state, "(m + h - 1) / h", "(m + h - 1) / h", "(m + h - 1) / h",
                             "m / h", "(m + h) / h");
    const char *first = PICK(&m->state, "", "", "if (p == 0) { TO = 1; }\n",
                             "if (p == 1) { TO = 1; }\n", "TO = TO + 1;\n");
    const char *last = PICK(&m->state, "", "", "", "if (p == 0) { TO = TO * 2; }\n");
    const char *guard = PICK(&m->state, "p * h + z < m", "p * h + z < m", "p * h + z <= m - 1",
                             "p * h + z < m - 1", "p * h + z < n", "p * h + z < m && z != 1");
    const char *k = PICK(&m->state, "p * h + z", "p * h + z", "p * h + z", "p + z", "z");
    if (swapped)
        str_addf(m->out, "for (int z = 0; z < h; z += 1) {\nfor (int p = 0; p < %s; p += 1) {\n",
                 count);
    else {
        str_addf(m->out, "for (int p = 0; p < %s; p += 1) {\n", count);
        for (const char *c = first; *c; c++)
            if (!strncmp(c, "TO", 2))
                str_add(m->out, to), c++;
            else
                str_char(m->out, *c);
        str_add(m->out, "for (int z = 0; z < h; z += 1) {\n");
    }
    if (guarded)
        str_addf(m->out, "if (%s) {\n", guard);
    step(m, to, k);
    str_add(m->out, guarded ? "}\n}\n" : "}\n");
    for (const char *c = swapped ? "" : last; *c; c++)
        if (!strncmp(c, "TO", 2))
            str_add(m->out, to), c++;
        else
            str_char(m->out, *c);
    str_add(m->out, "}\n");
}

/* The same by loops whose bounds do what guards do, or nearly. */
static void bounded_pieces(struct maker *m, const char *to)
{
    if (draw(&m->state, 2)) {
        str_addf(m->out, "for (int p = 0; p < %s; p += 1) {\nfor (int z = 0; z < %s; z += 1) {\n",
                 PICK(&m->state, "(m + h - 1) / h", "(m + h - 1) / h", "m / h"),
                 PICK(&m->state, "(h < m - p * h ? h : m - p * h)",
                      "(m - p * h > h ? h : m - p * h)", "(h < m - p ? h : m - p)",
                      "(h > m - p * h ? h : m - p * h)", "h"));
        step(m, to, "p * h + z");
    } else {
        str_addf(m->out, "for (int p = 0; p < m; p += h) {\nfor (int z = %s; z < %s; z += 1) {\n",
                 PICK(&m->state, "p", "p", "p", "p + 1"),
                 PICK(&m->state, "(p + h < m ? p + h : m)", "(p + h <= m ? p + h : m)",
                      "(m > p + h ? p + h : m)", "p + h"));
        step(m, to, PICK(&m->state, "z", "z", "z", "p"));
    }
    str_add(m->out, "}\n}\n");
}

static void inner(struct maker *m, const char *to)
{
    switch (draw(&m->state, 7)) {
    case 5:
    case 6: bounded_pieces(m, to); break;
    case 4:
        str_add(m->out, "for (int p = 0; p < (m + B - 1) / B; p += 1) {\nif (p * B + j < m) {\n");
        step(m, to, "p * B + j");
        str_add(m->out, "}\n}\n");
        break;
    case 0: step(m, to, PICK(&m->state, "r", "r", "q", "0")); break;
    case 1:
        str_add(m->out, "for (int z = 0; z < m; z += 1) {\n");
        step(m, to, "z");
        str_add(m->out, "}\n");
        break;
    default: pieces(m, to); break;
    }
}

/* The band: numbers r and q, a guard, and what is done under it. */
static void band(struct maker *m, bool two, bool serial, const char *shape)
{
    const char *r =
        serial ? PICK(&m->state, "(i * s + k) * B + j", "(i * s + k) * B + j",
                      "(i * B + j) * s + k", "i * s * B + k + j")
               : PICK(&m->state, "i * B + j", "i * B + j", "i * B + j", "i * B + j + 1", "i + j");
    const char *q = two ? PICK(&m->state, "g * C + l", "g * C + l", "g * C + l", "g * C + j") : "0";
    const char *guard =
        two ? PICK(&m->state, "r < n && q < n", "r < n && q < n", "r < n && q <= r",
                   "r < n && q < r", "q < n && r <= q", "r < n && q < n && r + q < n",
                   "!(r >= n || q >= n)", "!(r >= n && q >= n)", "r < n", "r <= n && q < n",
                   "r == 0 && q < n", "q <= r")
            : PICK(&m->state, "r < n", "r < n", "r <= n - 1", "r < n - 1", "r <= n", "r == 0",
                   "r < n && r != 2", "2 * r < n", "r < m", "!(r >= n)", "!(n <= r || r == 2)");
    str_addf(m->out, "let int r = %s;\nlet int q = %s;\n", r, q);
    bool guarded = draw(&m->state, 8) != 0;
    if (guarded)
        str_addf(m->out, "if (%s) {\n", guard);
    if (*shape == 'o' || *shape == 'c') {
        const char *to = *shape == 'o' ? "t[0]" : "c";
        inner(m, to);
        str_addf(m->out, "y[r][q] = %s;\n", to);
    } else if (*shape == 'm')
        inner(m, PICK(&m->state, "y[r][q]", "y[r][q]", "y[r][q]", "y[r * B][q]", "y[q][r]"));
    else {
        str_addf(m->out, "%s",
                 *shape == 'l' ? "let int t = y[r][q];\n" : "private t;\nt[0] = y[r][q];\n");
        inner(m, *shape == 'l' ? "t" : "t[0]");
        str_addf(m->out, "y[r][q] = %s;\n", *shape == 'l' ? "t" : "t[0]");
    }
    if (guarded)
        str_add(m->out, "}\n");
}

static void head(struct maker *m)
{
    str_add(m->out, "kernel f {\nring n, m, B, C, h, s;\nparam data size int n >= 0;\nparam data "
                    "size int m >= 0;\n"
                    "param program tunable int B >= 1;\nparam program tunable int C >= 1;\n"
                    "param program tunable int h >= 1;\nparam program tunable int s >= 1;\n"
                    "global int y[60][60];\nglobal const int x[60];\n");
}

/* A fixed grid of s blocks, whose threads go on in steps of all threads together; mostly as it
 * should be. */
static void make_strided(struct maker *m)
{
    bool carried = draw(&m->state, 4) == 0, guarded = draw(&m->state, 4) == 0,
         around = draw(&m->state, 4) == 0;
    const char *from = PICK(&m->state, "i * B + j", "i * B + j", "i * B + j", "j * s + i",
                            "i * B + j + 1", "m + i * B + j", "i + j", "0", "i * B + j + B"),
               *to = PICK(&m->state, "n", "n", "n", "n - 1", "m + n", "n + B", "n * B"),
               *by = PICK(&m->state, "s * B", "s * B", "s * B", "s * B", "s", "B", "2 * s * B",
                          "s * B + 1");
    head(m);
    str_addf(m->out, "grid int i < %s;\nblock int j < B;\nbody {\nband (int j < B) {\n",
             PICK(&m->state, "s", "s", "s", "s", "(n + s - 1) / s"));
    if (carried)
        str_add(m->out, "let int c = 0;\n");
    if (around) {
        str_add(m->out, "for (int k = 0; k < m; k += 1) {\n");
        from = PICK(&m->state, from, "k + i * B + j", "k * B + i * B + j");
        to = PICK(&m->state, to, "n - k", "n - k", "k + n", "i + n");
    }
    str_addf(m->out, "for (int w = %s; w < %s; w += %s) {\nlet int r = %s;\nlet int q = 0;\n", from,
             to, by, PICK(&m->state, "w", "w", "w", "w + 1", "w + B - 1"));
    if (guarded)
        str_addf(m->out, "if (%s) {\n",
                 PICK(&m->state, "r < n", "r < m", "w != 3", "r < n && r > i", "i < m"));
    inner(m, carried ? "c" : PICK(&m->state, "y[r][0]", "y[r][0]", "y[w][r]", "y[r][i]"));
    if (carried)
        str_add(m->out, "y[r][0] = c;\n");
    str_addf(m->out, "%s%s}\n}\n}\n}\n", guarded ? "}\n" : "", around ? "}\n" : "");
}

/* Text with the band's number behind the names d, w and z. */
static void chain_add(struct maker *m, const char *text, int number)
{
    for (const char *c = text; *c; c++) {
        str_char(m->out, *c);
        if (strchr("dwz", *c))
            str_addf(m->out, "_%d", number);
    }
}

/* What the first thread of a band does alone. */
static void chain_first(struct maker *m, int number)
{
    str_addf(m->out, "if (%s) {\n",
             PICK(&m->state, "j == 0", "j == 0", "j == 0", "j == 0", "0 == j", "j == 0 && k < m",
                  "j == 1", "j <= 0", "j == B - 1"));
    chain_add(m,
              PICK(&m->state, "y[k][0] = y[0][k] * 3 + 1;\n", "y[k][0] = y[0][k] * 3 + 1;\n",
                   "y[k][1] = y[k][0] + c;\n", "c = k + 2;\n", "c = k + 2;\n", "d = y[k][1];\n",
                   "for (int z = j; z < n; z += B) {\ny[0][k] = y[0][k] * 3 + x[z];\n}\n",
                   "for (int z = j; z < n; z += B) {\nlet int w = z + 1;\ny[0][k] = y[0][k] * 3 "
                   "+ 1;\n}\n",
                   "for (int z = 0; z < n; z += 1) {\ny[0][k] = y[0][k] * 3 + x[z];\n}\n",
                   "y[j][2] = y[k][0] + 1;\n"),
              number);
    str_add(m->out, "}\n");
}

/* What all its threads do. */
static void chain_loop(struct maker *m, int number)
{
    chain_add(m,
              arena_printf(m->out->arena, "for (int z = %s; z < %s; z += %s) {\n",
                           PICK(&m->state, "j", "j", "k + j", "k + 1 + j", "j + j"),
                           PICK(&m->state, "n", "n", "k", "n - k"),
                           PICK(&m->state, "B", "B", "B", "B", "C")),
              number);
    chain_add(m,
              PICK(&m->state, "y[z][0] = y[z][0] * 3 + y[k][1];\n", "y[z][1] = y[z][1] * 5 + d;\n",
                   "y[z][k] = y[z][0] + 1;\n", "y[z][k] = c;\n", "y[z][k] = y[z][k] + c;\n",
                   "c = c * 3 + z;\n", "y[z][j] = 1;\n",
                   "for (int w = j; w < m; w += B) {\ny[z][w] = 7;\n}\n",
                   "for (int w = 0; w < m; w += 1) {\ny[z][w] = y[z][w] * 3 + x[w];\n}\n",
                   "if (z < 60) {\nif (j == 0) {\ny[0][k] = y[0][k] * 3 + 1;\n}\n}\n"),
              number);
    str_add(m->out, "}\n");
}

static void chain_band(struct maker *m, int number)
{
    str_add(m->out, "band (int j < B) {\n");
    chain_add(m, PICK(&m->state, "let int d = 3;\n", "let int d = k;\n"), number);
    if (draw(&m->state, 3) == 0)
        chain_first(m, number);
    else
        chain_loop(m, number);
    if (draw(&m->state, 6) == 0)
        chain_add(m,
                  PICK(&m->state, "y[j][3] = c;\n", "if (j == 0) {\ny[k][4] = d;\n}\n",
                       "if (j == 0) {\ny[k][4] = c;\n}\n"),
                  number);
    str_add(m->out, "}\nbarrier;\n");
}

/* Bands of one block, or of several, in the rounds of a loop. */
static void make_chain(struct maker *m)
{
    head(m);
    str_addf(m->out, "grid int i < %s;\nblock int j < B;\nbody {\nlet int c = 1;\n",
             PICK(&m->state, "1", "1", "1", "1", "1", "(n + B - 1) / B"));
    str_addf(m->out, "for (int k = 0; k < %s; k += 1) {\n", PICK(&m->state, "n", "m"));
    for (int n = 1 + (int)draw(&m->state, 3); n > 0; n--)
        chain_band(m, n);
    str_add(m->out, "}\n}\n}\n");
}

static void make_kernel(struct maker *m)
{
    const char *shape = PICK(&m->state, "memory", "local", "memory", "private");
    bool two = draw(&m->state, 2), serial = draw(&m->state, 3) == 0,
         skip = two && draw(&m->state, 3) == 0, carried = serial && draw(&m->state, 4) == 0;
    const char *rows = serial ? PICK(&m->state, "(n + s * B - 1) / (s * B)",
                                     "(n + s * B - 1) / (s * B)", "n / (s * B)", "n / s / B")
                              : PICK(&m->state, "(n + B - 1) / B", "(n + B - 1) / B", "n / B",
                                     "(n + B) / B", "(n - 1 + B - 1) / B");
    const char *columns = PICK(&m->state, "(n + C - 1) / C", "(n + C - 1) / C", "n / C");
    head(m);
    if (*shape == 'p')
        str_add(m->out, "private int t[2];\n");
    bool outside = *shape == 'p' && draw(&m->state, 2);
    str_addf(m->out, "grid int i < %s;\n", rows);
    if (two)
        str_addf(m->out, "grid int g < %s;\n", columns);
    str_add(m->out, two ? "block int j < B;\nblock int l < C;\n" : "block int j < B;\n");
    str_add(m->out, "body {\n");
    if (skip)
        str_addf(m->out, "if (%s) {\n",
                 PICK(&m->state, "g * C <= i * B + B - 1", "g * C <= i * B + B - 1",
                      "g * C < i * B + B - 1", "i * B <= g * C + C - 1", "g <= i"));
    /* c and t live as long as the thread, or as long as one number. */
    str_add(m->out, two ? "band (int j < B, int l < C) {\n" : "band (int j < B) {\n");
    if (carried)
        str_add(m->out, "let int c = 0;\n");
    if (outside)
        str_add(m->out, "private t;\nt[0] = 1;\n");
    if (serial)
        str_add(m->out, "for (int k = 0; k < s; k += 1) {\n");
    band(m, two, serial, outside ? "outside" : carried ? "carried" : shape);
    str_addf(m->out, "%s}\n%s}\n}\n", serial ? "}\n" : "", skip ? "}\n" : "");
}

/* Is every division by a tunable in extents and bounds exact, of those that are no ceilings? */
static bool divides(const struct kernel *k, struct arena *arena, const struct expr *root,
                    const union value *params)
{
    struct expr_walk walk;
    for (const struct expr *e = expr_first(&walk, arena, root); e; e = expr_next(&walk)) {
        union value a, b;
        if (e->kind != EXPR_BINARY || e->op != OP_DIV || e->arguments[0]->op == OP_SUB ||
            (e->arguments[0]->kind == EXPR_BINARY && e->arguments[0]->op == OP_ADD))
            continue;
        if (!expr_evaluate(k, e->arguments[0], params, &a) ||
            !expr_evaluate(k, e->arguments[1], params, &b) || b.integer == 0 ||
            a.integer % b.integer != 0)
            return false;
    }
    return true;
}

static bool divisions_exact(const struct kernel *k, struct arena *arena, const union value *params)
{
    struct stmt_walk walk;
    bool exact = true;
    for (int i = 0; i < k->n_grid; i++)
        exact &= divides(k, arena, k->grid[i].extent, params);
    for (const struct stmt *s = stmt_first(&walk, arena, k->body); s; s = stmt_next(&walk))
        if (s->kind == STMT_FOR)
            exact &= divides(k, arena, s->to, params);
    return exact;
}

/* What a run leaves in y; false if it goes out of bounds or has a race. */
static bool run(struct arena *arena, const struct kernel *k, const union value *params, int32_t *y)
{
    static int32_t x[60];
    int32_t scratch[ELEMENTS];
    for (int i = 0; i < ELEMENTS; i++)
        y[i] = scratch[i] = i * 7 % 11;
    for (int i = 0; i < 60; i++)
        x[i] = i * 5 % 13 + 1;
    struct interpret_array arrays[4] = {{0}};
    for (int i = 0; i < k->n_arrays; i++)
        if (k->arrays[i]->space == SPACE_GLOBAL)
            arrays[i] = k->arrays[i]->n_dims == 2 ? (struct interpret_array){scratch, ELEMENTS}
                                                  : (struct interpret_array){x, 60};
    struct interpret_input input = {.params = params, .arrays = arrays};
    if (interpret_threads(arena, k, &input).status != INTERPRET_DONE)
        return false;
    for (int i = 0; i < k->n_arrays; i++)
        if (k->arrays[i]->space == SPACE_GLOBAL && k->arrays[i]->n_dims == 2)
            arrays[i].data = y;
    return interpret_serial(arena, k, &input).status == INTERPRET_DONE;
}

struct tally {
    int kernels, free, exact, never, strided, chains, compared;
};

/* Two points that differ in choosable tunables only; 1 equal, 0 different, -1 no answer. */
static int compare(struct maker *m, struct arena *arena, const struct kernel *k,
                   const struct automatic *automatic)
{
    static const int values[] = {1, 2, 3, 4, 5, 8};
    static int32_t one[ELEMENTS], other[ELEMENTS];
    union value a[N_PARAMS], b[N_PARAMS];
    bool exact = false;
    a[0].integer = (int64_t)draw(&m->state, 17);
    a[1].integer = (int64_t)draw(&m->state, 14);
    memcpy(b, a, sizeof a);
    for (int i = 2; i < N_PARAMS; i++) {
        a[i].integer = b[i].integer = values[draw(&m->state, 6)];
        if (automatic->tunables[i] != CHOOSABLE_NEVER)
            b[i].integer = values[draw(&m->state, 6)];
        exact |= automatic->tunables[i] == CHOOSABLE_EXACT && a[i].integer != b[i].integer;
    }
    if (!memcmp(a, b, sizeof a) ||
        (exact && !(divisions_exact(k, arena, a) && divisions_exact(k, arena, b))))
        return -1;
    if (!run(arena, k, a, one) || !run(arena, k, b, other))
        return -1;
    return memcmp(one, other, sizeof one) == 0;
}

/* Does the variable stand in an extent of grid or block? */
static bool is_extent(const struct kernel *k, const struct var *var)
{
    return expr_uses_var(k->grid[0].extent, var) || expr_uses_var(k->block[0].extent, var);
}

static void check_kernel(struct check *check, struct maker *m, struct tally *tally)
{
    struct ctx *ctx = ctx_new();
    struct str text = str_new(ctx->arena);
    m->out = &text;
    bool is_strided = draw(&m->state, 4) == 0, is_chain = draw(&m->state, 4) == 0;
    if (is_chain)
        make_chain(m);
    else if (is_strided)
        make_strided(m);
    else
        make_kernel(m);
    struct source source = {.path = "kernel", .text = text.text, .length = text.length};
    struct kernel *k = kernel_read(ctx, &source);
    tally->kernels++;
    if (!k) {
        printf("FAIL unreadable\n%s", text.text);
        check->failed++;
        ctx_free(ctx);
        return;
    }
    struct automatic automatic = automatic_find(ctx, k);
    for (int i = 2; i < N_PARAMS; i++) {
        tally->free += automatic.tunables[i] == CHOOSABLE_ALWAYS;
        tally->exact += automatic.tunables[i] == CHOOSABLE_EXACT;
        tally->never += automatic.tunables[i] == CHOOSABLE_NEVER;
        tally->chains += is_chain && automatic.tunables[i] == CHOOSABLE_ALWAYS &&
                         is_extent(k, k->params[i]->var);
        tally->strided += !is_chain && is_strided && automatic.tunables[i] == CHOOSABLE_ALWAYS &&
                          is_extent(k, k->params[i]->var);
    }
    bool good = true;
    for (int i = 0; i < POINTS && good; i++) {
        struct arena *arena = arena_new();
        int answer = compare(m, arena, k, &automatic);
        tally->compared += answer >= 0;
        good = answer != 0;
        arena_free(arena);
    }
    check->passed += good;
    check->failed += !good;
    if (!good) {
        printf("FAIL: the choice changes what is computed\n%s", text.text);
        for (int i = 2; i < N_PARAMS; i++)
            printf("%s: %s\n", k->params[i]->var->name,
                   automatic.reasons[i] ? automatic.reasons[i] : "free");
    }
    ctx_free(ctx);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    struct tally tally = {0};
    struct maker maker = {.state = argc > 1 ? strtoull(argv[1], NULL, 10) : 42};
    int kernels = argc > 2 ? atoi(argv[2]) : test_scale(1500, 20000);
    printf("metafork_automatic: seed %" PRIu64 "\n", maker.state);
    check_test(&check);
    for (int i = 0; i < kernels; i++)
        check_kernel(&check, &maker, &tally);
    printf("%d kernels, tunables: %d free (%d in steps of a grid, %d of chains), %d exact, %d "
           "never; %d pairs of "
           "points compared\n",
           tally.kernels, tally.free, tally.strided, tally.chains, tally.exact, tally.never,
           tally.compared);
    check_test(&check);
    check_that(&check, tally.compared > tally.kernels / 2, "hardly any pair was compared");
    check_that(&check, tally.strided > tally.kernels / 50, "hardly any steps of a grid were free");
    check_that(&check, tally.chains > tally.kernels / 50, "hardly any chain's block was free");
    return check_end(&check, "metafork_automatic");
}

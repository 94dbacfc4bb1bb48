/* Promotion under guards, with what follows from it (conditions out of loops, bounds, work for
   nothing), against runs: random accumulations over pieces of a serial loop under conditions that
   bound, cut off, skip rounds, read data or tell apart first rounds; arrays with exact extents,
   with more, and with none. Where the kernel is legal, the placed one is run thread by thread with
   all checks (bounds, races, values never written) and must leave the data of the serial run, bit
   for bit, staged and not, with vector copies, with common subexpressions. Arguments: seed, number
   of kernels. */
#include "optimizer/strategies/strategies.h"
#include "tests/unit/optimizer_runs.h"
#include <ctype.h>

enum { SIDE = 40, ELEMENTS = SIDE * SIDE, N_PARAMS = 6, N_FORMS = 4 };

struct maker {
    uint64_t state;
    struct str *out;
    int promoted, guarded, bounded, zeroed; /* kernels */
};

/* Up to four conditions, joined in any order; `pinned`: before them one that only the first column
 * meets. */
static void guard(struct maker *m, bool points, bool pinned)
{
    static const char *const usual[] = {"r < n", "q < n", "p * h + z < m"};
    size_t first = draw(&m->state, 3);
    const char *join = pinned ? " && " : "if (";
    if (pinned)
        str_addf(m->out, "if (%s",
                 PICK(&m->state, "q + z == 0", "q + z <= 0", "l + g + z < 1", "q == z && z == 0"));
    for (size_t i = 0; i < 3; i++) {
        if (draw(&m->state, 12) == 0)
            continue;
        str_addf(m->out, "%s%s", join, usual[(first + i) % 3]);
        join = " && ";
    }
    if (draw(&m->state, 2) || *join == 'i')
        str_addf(m->out, "%s%s", join,
                 PICK(&m->state, "d[p * h + z] > 2", "d[z] > 2", "z != 1", "q <= r", "r < q",
                      "(r + z) % 2 == 0", "p * h + z >= 2", "n > 3", "m > 2", "q != n - 1",
                      "p * h + z <= r", "r + p * h + z < n", "z < m - p * h", "p > 0",
                      points ? "w < 2" : "l > 0", "d[0] > 5"));
    str_add(m->out, ") {\n");
}

/* One round on y[r][q], in one of several forms. */
static void step(struct maker *m, const char *y, const char *x)
{
    switch (draw(&m->state, 9)) {
    case 8: str_addf(m->out, "%s = %s;\n%s = %s * 3;\n", y, x, y, y); break;
    case 0: str_addf(m->out, "%s = %s;\n", y, x); break;
    case 1:
        str_addf(m->out, "if (p * h + z == 0) {\n%s = 1;\n}\n%s = %s * 3 + %s;\n", y, y, y, x);
        break;
    case 2:
        str_addf(m->out, "if (z %% 2 == 0) {\n%s = %s + %s;\n} else {\n%s = %s * 2;\n}\n", y, y, x,
                 y, y);
        break;
    case 3:
        str_addf(m->out, "if (%s > 20) {\n%s = %s - 17;\n}\n%s = %s + %s;\n", y, y, y, y, y, x);
        break;
    default: str_addf(m->out, "%s = %s * 3 + %s;\n", y, y, x); break;
    }
}

/* The second nest declares names of its own: zz for z. */
static void names_double(struct maker *m, const char *text)
{
    for (const char *c = text; *c; c++) {
        bool alone = strchr("zwq", *c) && !isalnum(c[1]) && (c == text || !isalnum(c[-1]));
        str_addf(m->out, alone ? "%c%c" : "%c", *c, *c);
    }
}

/* A nest over the columns and over the rounds of a piece, one in the other. */
static void nest(struct maker *m, bool points, bool inside, const char *y)
{
    const char *over_w = points ? "for (int w = 0; w < s; w += 1) {\n" : "";
    const char *over_z =
        PICK(&m->state, "for (int z = 0; z < h; z += 1) {\n", "for (int z = 0; z < h; z += 1) {\n",
             "for (int z = 0; z < h - 1; z += 1) {\n",
             "for (int z = 0; z < (h < m - p * h ? h : m - p * h); z += 1) {\n");
    str_addf(m->out, "%s%s", inside ? over_z : over_w, inside ? over_w : over_z);
    str_addf(m->out, "let int q = %s;\n",
             points ? PICK(&m->state, "(g * s + w) * C + l", "(g * s + w) * C + l",
                           "(g * C + l) * s + w")
                    : "g * C + l");
    bool pinned = draw(&m->state, 8) == 0, arms = !pinned && draw(&m->state, 8) == 0;
    if (arms)
        str_add(m->out, "if (d[z] > 3) {\n");
    guard(m, points, pinned);
    y = pinned ? strchr(y, '*') ? "y[r * n]" : "y[r][0]" : y;
    step(m, y,
         PICK(&m->state, "x[r][p * h + z] * v[p * h + z][q]", "x[r][p * h + z]",
              "v[p * h + z][q] + 1", "d[z]"));
    str_add(m->out, "}\n");
    if (arms)
        str_addf(m->out, "} else {\nif (r < n && q < n) {\n%s = %s - 1;\n}\n}\n", y, y);
    if (!pinned && draw(&m->state, 6) == 0)
        str_addf(m->out, "if (r < n && q < n) {\n%s = %s + 1;\n}\n", y, y);
    str_addf(m->out, "}\n%s", points ? "}\n" : "");
}

static void make_kernel(void *maker, struct str *text)
{
    struct maker *m = maker;
    m->out = text;
    const char *type = draw(&m->state, 4) ? "float" : "int",
               *side = PICK(&m->state, "[n][n]", "[n][n]", "[40][40]", "[]");
    bool open = side[1] == ']', points = draw(&m->state, 2), block_level = draw(&m->state, 4) != 0,
         two = draw(&m->state, 5) == 0;
    str_addf(m->out,
             "kernel f {\nring n, m, B, C, h, s;\nparam data size int n >= 0;\nparam data size int "
             "m >= 0;\n"
             "param program tunable int B >= 1;\nparam program tunable int C >= 1;\n"
             "param program tunable int h >= 1;\nparam program tunable int s >= 1;\n"
             "global %s y%s;\nglobal const %s x%s cache;\nglobal const %s v%s cache;\nglobal const "
             "int d[40];\n",
             type, side, type, draw(&m->state, 2) ? "[n][m]" : "[40][40]", type,
             draw(&m->state, 2) ? "[m][n]" : "[40][40]");
    str_addf(m->out,
             "grid int i < (n + B - 1) / B;\ngrid int g < (n + C%s - 1) / (C%s);\nblock int j < "
             "B;\nblock int l < C;\nbody {\n",
             points ? " * s" : "", points ? " * s" : "");
    const char *pieces =
        PICK(&m->state, "(m + h - 1) / h", "(m + h - 1) / h", "m / h", "(m + h) / h");
    const char *loop = "for (int p = 0; p < %s; p += 1) {\n";
    if (block_level)
        str_addf(m->out, loop, pieces);
    str_add(m->out, "band (int j < B, int l < C) {\n");
    if (!block_level)
        str_addf(m->out, loop, pieces);
    str_add(m->out, "let int r = i * B + j;\n");
    const char *outer = draw(&m->state, 4) == 0 ? PICK(&m->state, "if (r < n) {\n",
                                                       "if (d[0] > 3) {\n", "if (i * B < n) {\n")
                                                : "";
    str_add(m->out, outer);
    bool inside = draw(&m->state, 2);
    const char *y = open ? "y[r * n + q]" : "y[r][q]";
    nest(m, points, inside, y);
    if (two) {
        struct str second = str_new(m->out->arena), *first = m->out;
        m->out = &second;
        nest(m, points, inside, y);
        m->out = first;
        names_double(m, second.text);
    }
    str_addf(m->out, "%s}\n}\n}\n}\n", *outer ? "}\n" : "");
}

struct data {
    float real[3][ELEMENTS];
    int32_t whole[3][ELEMENTS], d[SIDE];
};

static void data_fill(struct data *data)
{
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < ELEMENTS; i++)
            data->real[a][i] = (float)(data->whole[a][i] = (i * 7 + a) % 11);
    for (int i = 0; i < SIDE; i++)
        data->d[i] = i * 5 % 13;
}

static void bind(const struct kernel *k, const union value *params, void *into,
                 struct interpret_array *arrays)
{
    struct data *data = into;
    int64_t n = params[0].integer, m = params[1].integer;
    const int64_t counts[3] = {n * n, n * m, m * n};
    data_fill(data);
    for (int i = 0; i < 3; i++) {
        void *values =
            k->arrays[i]->element == TYPE_F32 ? (void *)data->real[i] : (void *)data->whole[i];
        int64_t fixed, count = counts[i];
        if (k->arrays[i]->dims[0] && expr_get_integer(k->arrays[i]->dims[0], &fixed))
            count = ELEMENTS;
        arrays[i] = (struct interpret_array){values, (size_t)count};
    }
    arrays[3] = (struct interpret_array){data->d, SIDE};
}

/* Counts what promotion did. */
static void form_count(struct maker *m, struct ctx *ctx, const struct kernel *k,
                       const struct kernel *placed)
{
    const struct promotion *promotions;
    size_t n = access_promotions(ctx, k, &promotions);
    const char *before = check_print(ctx, k), *after = check_print(ctx, placed);
    m->promoted += n > 0;
    m->guarded += n > 0 && promotions[0].guard;
    m->bounded += !strstr(before, " ? h : ") && strstr(after, " ? h : ");
    m->zeroed += strstr(after, " : 0.0f") != NULL;
}

/* The placed forms of a kernel; NULL where there is nothing new. */
static void forms_make(void *maker, struct ctx *ctx, const struct kernel *k,
                       const struct kernel **forms)
{
    struct placement_options options = {.promote = true, .promote_symbolic = true};
    forms[0] = strategy_place(ctx, k, options);
    options.stage = ~0ull;
    forms[1] = strategy_place(ctx, k, options);
    forms[2] = strategy_vector(ctx, forms[1]);
    forms[3] = strategy_cse(ctx, forms[1], 2);
    form_count(maker, ctx, k, forms[1]);
}

static void point_draw(void *maker, union value *params)
{
    struct maker *m = maker;
    params[0].integer = (int64_t)draw(&m->state, 9);
    params[1].integer = (int64_t)draw(&m->state, 8);
    for (int i = 2; i < N_PARAMS; i++)
        params[i].integer = (int64_t)draw(&m->state, 4) + 1;
}

int main(int argc, char **argv)
{
    struct check check = {0};
    struct maker m = {.state = 7};
    struct runs runs = {.maker = &m,
                        .state = &m.state,
                        .n_forms = N_FORMS,
                        .n_points = 5,
                        .data_bytes = sizeof(struct data),
                        .make = make_kernel,
                        .forms = forms_make,
                        .point = point_draw,
                        .bind = bind};
    runs_all(&runs, &check, argc, argv, test_scale(80, 4000));
    printf("kernels: %d promoted, %d under a guard, %d with a new bound, %d with zeros\n",
           m.promoted, m.guarded, m.bounded, m.zeroed);
    check_that(&check,
               runs.done > runs.kernels && m.guarded > runs.kernels / 8 && m.bounded && m.zeroed,
               "hardly anything was promoted under guards");
    return check_end(&check, "optimizer_promotion");
}

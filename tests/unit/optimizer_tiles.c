/* Points of a thread (coarsening along one axis or two, with what it makes common: conditions,
   loops, loads, values), against runs: random stencils, products, planes read by turns, private
   arrays, branches on data, in one to three dimensions, under guards around all of it or parts of
   it. Where the points are proved independent, the placed kernel is coarsened by 2, 4 or 8, run
   thread by thread with all checks (bounds, races, values never written), and must leave the data
   of the serial run, bit for bit, staged and not, with common subexpressions, kept loads, unrolled
   loops. Arguments: seed, number of kernels. */
#include "optimizer/strategies/strategies.h"
#include "tests/unit/optimizer_runs.h"

enum { SIDE = 12, MOST = SIDE * SIDE * SIDE, N_FORMS = 4, AXES = 3, N_PARAMS = 2 + AXES };

/* A kernel in the making: `axes` block axes, whose points are r, q, p. */
struct maker {
    uint64_t state;
    struct str *out;
    struct arena *arena;
    int axes, halo, names;
    int coarse, joined, shared, apart, valued; /* forms */
};

static const char *const POINT[AXES] = {"r", "q", "p"};

/* name[r + a][q + b]…, every offset within the halo. */
static const char *element(struct maker *m, const char *name, bool moved)
{
    struct str text = str_new(m->arena);
    str_add(&text, name);
    for (int i = 0; i < m->axes; i++) {
        int away = moved && m->halo && draw(&m->state, 2) == 0 ? (int)draw(&m->state, 3) - 1 : 0;
        str_addf(&text, away ? "[%s %s 1]" : "[%s]", POINT[i], away < 0 ? "-" : "+");
    }
    return text.text;
}

static const char *sum(struct maker *m, const char *name)
{
    struct str text = str_new(m->arena);
    int n = 2 + (int)draw(&m->state, 4);
    for (int i = 0; i < n; i++)
        str_addf(&text, "%s%s", i ? " + " : "", element(m, name, true));
    return text.text;
}

/* One piece of work on element `y` of an array that no other piece touches. */
static void piece(struct maker *m, const char *type, const char *array)
{
    const char *y = element(m, array, false), *first = POINT[draw(&m->state, (uint64_t)m->axes)];
    int number = m->names++;
    switch (draw(&m->state, 15)) {
    case 14:
        str_addf(m->out,
                 "let %s a%d = 3;\nlet %s b%d = 2;\n%s = (a%d * b%d - a%d) * %s + (a%d * b%d - "
                 "a%d);\n%sb%d = 4;\n%s = %s * 2 + (a%d * b%d - a%d);\n",
                 type, number, type, number, y, number, number, number, element(m, "x", true),
                 number, number, number, number % 2 ? "// " : "", number, y, y, number, number,
                 number);
        break;
    case 13:
        str_addf(m->out, "let int i%d = t;\n%s = e[i%d];\ni%d = i%d + 1;\n%s = %s * 2 + e[i%d];\n",
                 number, y, number, number, number, y, y, number);
        break;
    case 11:
        str_addf(m->out, "let %s s%d = 1;\nif (%s > 2) {\ns%d = 5;\n}\n%s = s%d;\n", type, number,
                 first, number, y, number);
        break;
    case 12:
        str_addf(m->out,
                 "private private_%s;\nprivate_%s[0] = 2;\nif (%s > 2) {\nprivate_%s[0] = "
                 "4;\n}\n%s = private_%s[0];\n",
                 array, array, first, array, y, array);
        break;
    case 9:
        str_addf(m->out, "%s = %s + %s;\n%s = %s * 2 + %s;\n", y, y, sum(m, "x"), y, y, y);
        break;
    case 10:
        str_addf(m->out, "%s = (r < 3 ? e[r + 9] : 1) + (r < 3 ? e[r + 9] * 2 : 5);\n", y);
        break;
    case 0: str_addf(m->out, "%s = %s;\n", y, sum(m, "x")); break;
    case 1:
        str_addf(m->out,
                 "let %s s%d = 0;\nfor (int k%d = 0; k%d < %s; k%d += 1) {\n%s"
                 "s%d = s%d + d[%s] * e[k%d] + d[k%d];\n%s}\n%s = s%d;\n",
                 type, number, number, number, PICK(&m->state, "n", "n", "3", first), number,
                 number % 2 ? "if (t > 2) {\n" : "", number, number, first, number, number,
                 number % 2 ? "}\n" : "", y, number);
        break;
    case 2:
        str_addf(m->out, "let %s s%d = %s;\n%s = s%d * 2 + (%s > 5 ? %s : s%d);\n", type, number,
                 element(m, "x", true), y, number, element(m, "x", true), element(m, "x", true),
                 number);
        break;
    case 3:
        str_addf(m->out,
                 "private private_%s;\nprivate_%s[0] = %s;\nprivate_%s[1] = 3;\n%s = private_%s[t "
                 "%% 2];\n",
                 array, array, element(m, "x", true), array, y, array);
        break;
    case 4:
        str_addf(m->out, "if (d[%s] > 3) {\n%s = %s;\n} else {\n%s = 1;\n}\n", first, y,
                 sum(m, "x"), y);
        break;
    case 5: str_addf(m->out, "%s = %s * 2 + %s;\n", y, y, element(m, "x", true)); break;
    case 6:
        str_addf(m->out, "let int i%d = %s;\nif (i%d + 1 < n) {\n%s = e[i%d + 1] + e[i%d];\n}\n",
                 number, first, number, y, number, number);
        break;
    case 7:
        str_addf(m->out,
                 "let %s s%d;\nif (%s < 4) {\ns%d = %s;\n} else {\ns%d = 7;\n}\n%s = s%d;\n", type,
                 number, first, number, element(m, "x", true), number, y, number);
        break;
    default:
        str_addf(m->out, "if (t %% 2) {\n%s = %s;\n} else {\n%s = %s;\n}\n", y, sum(m, "x"), y,
                 element(m, "x", true));
        break;
    }
}

/* All points inside, but for a mistake now and then, which makes the serial run fail. */
static void guard(struct maker *m)
{
    const char *join = "if (";
    for (int i = 0; i < m->axes; i++) {
        if (m->halo && draw(&m->state, 30)) {
            str_addf(m->out, "%s%s >= 1 && %s < n - 1", join, POINT[i], POINT[i]);
            join = " && ";
        } else if (draw(&m->state, 30)) {
            str_addf(m->out, "%s%s < n", join, POINT[i]);
            join = " && ";
        }
    }
    if (draw(&m->state, 3) == 0 || *join == 'i')
        str_addf(m->out, "%s%s", join,
                 PICK(&m->state, "r != 2", "n > 3", "d[0] > 0", "r % 2 == 0", "e[r] < 9", "t != 1",
                      "2 * r < n + 1", m->axes > 1 ? "q <= r" : "r < t"));
    str_add(m->out, ") {\n");
}

static void make_kernel(void *maker, struct str *text)
{
    struct maker *m = maker;
    m->out = text;
    m->arena = text->arena;
    m->names = 0;
    const char *type = PICK(&m->state, "int", "int", "float"),
               *side[] = {"[n]", "[n][n]", "[n][n][n]"};
    m->axes = 1 + (int)draw(&m->state, 3);
    m->halo = (int)draw(&m->state, 2);
    str_add(m->out, "kernel f {\nring n, t, A, B, C;\nparam data size int n >= 0;\nparam program "
                    "uniform int t;\n"
                    "param program tunable int A >= 1;\nparam program tunable int B >= 1;\nparam "
                    "program tunable int C >= 1;\n");
    str_addf(m->out,
             "global const %s x%s cache;\nglobal %s y%s cache;\nglobal %s w%s;\nglobal const int "
             "d[12];\n"
             "global const int e[12] cache;\nprivate %s private_y[2];\nprivate %s private_w[2];\n",
             type, side[m->axes - 1], type, side[m->axes - 1], type, side[m->axes - 1], type, type);
    static const char extent[AXES] = "ABC", *const block = "ijk";
    for (int i = 0; i < m->axes; i++)
        str_addf(m->out, "grid int g%c < (n + %c - 1) / %c;\n", block[i], extent[i], extent[i]);
    for (int i = 0; i < m->axes; i++)
        str_addf(m->out, "block int %c < %c;\n", block[i], extent[i]);
    str_add(m->out, "body {\nband (");
    for (int i = 0; i < m->axes; i++)
        str_addf(m->out, "%sint %c < %c", i ? ", " : "", block[i], extent[i]);
    str_add(m->out, ") {\n");
    for (int i = 0; i < m->axes; i++)
        str_addf(m->out, "let int %s = g%c * %c + %c;\n", POINT[i], block[i], extent[i], block[i]);
    bool two = draw(&m->state, 2), whole = draw(&m->state, 2);
    guard(m);
    piece(m, type, "y");
    if (two && !whole) {
        str_add(m->out, "}\n");
        guard(m);
    }
    if (two)
        piece(m, type, "w");
    str_add(m->out, "}\n}\n}\n}\n");
}

struct data {
    float real[3][MOST];
    int32_t whole[3][MOST], small[2][SIDE];
};

static void data_fill(struct data *data)
{
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < MOST; i++)
            data->real[a][i] = (float)(data->whole[a][i] = (i * 7 + a) % 11);
    for (int i = 0; i < SIDE; i++) {
        data->small[0][i] = i * 5 % 7;
        data->small[1][i] = i * 3 % 11;
    }
}

static void bind(const struct kernel *k, const union value *params, void *into,
                 struct interpret_array *arrays)
{
    struct data *data = into;
    size_t count = 1;
    data_fill(data);
    for (int i = 0; i < k->arrays[0]->n_dims; i++)
        count *= (size_t)params[0].integer;
    for (int i = 0; i < 3; i++) {
        void *values =
            k->arrays[i]->element == TYPE_F32 ? (void *)data->real[i] : (void *)data->whole[i];
        arrays[i] = (struct interpret_array){values, count};
    }
    for (int i = 0; i < 2; i++)
        arrays[3 + i] = (struct interpret_array){data->small[i], SIDE};
}

/* A placed form, coarsened along one axis or two; perhaps rewritten further. */
static const struct kernel *form_make(struct ctx *ctx, struct maker *m, const struct kernel *k)
{
    struct placement_options options = {
        .promote = true, .promote_symbolic = true, .stage = draw(&m->state, 2) ? ~0ull : 0};
    const struct kernel *placed = strategy_place(ctx, k, options);
    int axis = (int)draw(&m->state, (uint64_t)m->axes);
    const struct kernel *coarse = strategy_coarsen(ctx, placed, axis, 2 << draw(&m->state, 3));
    if (draw(&m->state, 2))
        coarse = strategy_coarsen(ctx, coarse, (int)draw(&m->state, (uint64_t)m->axes),
                                  2 << draw(&m->state, 2));
    const char *before = check_print(ctx, placed), *after = check_print(ctx, coarse);
    m->coarse += coarse != placed;
    m->joined += strstr(after, "else rare") != NULL;
    m->shared += !strstr(before, "_value") && strstr(after, "_value");
    m->apart += strstr(after, "unroll for") != NULL;
    m->valued += strstr(after, "let float value") != NULL;
    switch (draw(&m->state, 5)) {
    case 0: return strategy_cse(ctx, coarse, 2);
    case 1: return strategy_scalar_replace(ctx, coarse);
    case 2: return strategy_unroll(ctx, coarse, 4);
    case 3: return strategy_cse(ctx, strategy_vector(ctx, coarse), 1);
    default: return coarse;
    }
}

static void forms_make(void *maker, struct ctx *ctx, const struct kernel *k,
                       const struct kernel **forms)
{
    for (int i = 0; i < N_FORMS; i++)
        forms[i] = form_make(ctx, maker, k);
}

static void point_draw(void *maker, union value *params)
{
    struct maker *m = maker;
    params[0].integer = (int64_t)draw(&m->state, m->axes == 3 ? 8 : SIDE);
    params[1].integer = (int64_t)draw(&m->state, 4);
    for (int i = 2; i < N_PARAMS; i++) {
        int64_t power = (int64_t)1 << (m->axes < 3 ? 2 : 0) << draw(&m->state, 2);
        params[i].integer = draw(&m->state, 5) ? power : 1 + (int64_t)draw(&m->state, 6);
    }
}

/* A triangle parts a thread's rows around a loop: they follow each other, so that few threads have
   rows on both sides. */
static void check_triangle(struct check *check)
{
    static const char text[] =
        "kernel f {\nring n, A, B;\nparam data size int n >= 0;\n"
        "param program tunable int A >= 1;\nparam program tunable int B >= 1;\n"
        "global const int x[n][n];\nglobal int y[n][n];\n"
        "grid int gi < (n + A - 1) / A;\ngrid int gj < (n + B - 1) / B;\n"
        "block int i < A;\nblock int j < B;\nbody {\nband (int i < A, int j < B) {\n"
        "let int r = gi * A + i;\nlet int q = gj * B + j;\nif (%s) {\nlet int s = 0;\n"
        "for (int k = 0; k < n; k += 1) {\ns = s + x[r][k] * x[q][k];\n}\ny[r][q] = s;\n}\n}\n}\n"
        "}\n";
    static const struct {
        const char *guard;
        int axis;
        bool consecutive;
    } rows[] = {
        {"r < n && q <= r", 0, true},
        {"r < n && q <= r", 1, false},
        {"r < n && q < n", 0, true},
        {"n > 3", 0, false},
    };
    struct placement_options options = {.promote = true};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ctx *ctx = check_ctx();
        struct str source = str_new(ctx->arena);
        str_addf(&source, text, rows[i].guard);
        const struct kernel *k = kernel_read(ctx, check_source(ctx, source.text));
        if (check_that(check, k != NULL, "unreadable: %s\n%s", ctx->last, source.text)) {
            const struct kernel *placed = strategy_place(ctx, k, options);
            struct str after = str_new(ctx->arena);
            kernel_print(&after, strategy_coarsen(ctx, placed, rows[i].axis, 4));
            check_that(check, (strstr(after.text, "4 * ") != NULL) == rows[i].consecutive,
                       "if (%s), axis %d:\n%s", rows[i].guard, rows[i].axis, after.text);
        }
        ctx_free(ctx);
    }
}

/* What points compute alike is computed once; a product that is added stays with its sum. */
static void check_values(struct check *check)
{
    static const char text[] =
        "kernel f {\nring n, A, B;\nparam data size int n >= 0;\nparam data value float c;\n"
        "param program tunable int A >= 1;\nparam program tunable int B >= 1;\n"
        "global const float x[n][n];\nglobal float y[n][n];\n"
        "grid int gi < (n + A - 1) / A;\ngrid int gj < (n + B - 1) / B;\n"
        "block int i < A;\nblock int j < B;\nbody {\nband (int i < A, int j < B) {\n"
        "let int r = gi * A + i;\nlet int q = gj * B + j;\nif (r < n && q < n) {\n"
        "let float s = 0;\nfor (int k = 0; k < n; k += 1) {\ns = s + %s;\n}\ny[r][q] = s;\n}\n}\n"
        "}\n}\n";
    static const struct {
        const char *added;
        int axis;
        bool shares;
    } rows[] = {
        {"c * x[r][k] * x[k][q]", 1, true},
        {"c * x[r][k] * x[k][q]", 0, false},
        {"(c * x[r][k] + x[k][q])", 1, false},
        {"(x[r][k] - c) * x[k][q]", 1, true},
        {"x[k][q] / (c + x[r][k])", 1, true},
    };
    struct placement_options options = {.promote = true};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ctx *ctx = check_ctx();
        struct str source = str_new(ctx->arena);
        str_addf(&source, text, rows[i].added);
        const struct kernel *k = kernel_read(ctx, check_source(ctx, source.text));
        if (check_that(check, k != NULL, "unreadable: %s\n%s", ctx->last, source.text)) {
            const struct kernel *placed = strategy_place(ctx, k, options);
            struct str after = str_new(ctx->arena);
            kernel_print(&after, strategy_coarsen(ctx, placed, rows[i].axis, 4));
            check_that(check, (strstr(after.text, "let float value") != NULL) == rows[i].shares,
                       "%s, axis %d:\n%s", rows[i].added, rows[i].axis, after.text);
        }
        ctx_free(ctx);
    }
}

/* Rows of points lie along the axis that shares most with the last one: in a batch of products not
   along the batch. */
static void check_rows(struct check *check)
{
    static const char text[] =
        "kernel f {\nring n, A, B, C;\nparam data size int n >= 0;\n"
        "param program tunable int A >= 1;\nparam program tunable int B >= 1;\n"
        "param program tunable int C >= 1;\n"
        "global const int x[n][n][n];\nglobal const int z[n][n];\nglobal int y[n][n][n];\n"
        "grid int gi < (n + A - 1) / A;\ngrid int gj < (n + B - 1) / B;\n"
        "grid int gk < (n + C - 1) / C;\nblock int i < A;\nblock int j < B;\nblock int k < C;\n"
        "body {\nband (int i < A, int j < B, int k < C) {\nlet int r = gi * A + i;\n"
        "let int q = gj * B + j;\nlet int p = gk * C + k;\nif (r < n && q < n && p < n) {\n"
        "let int s = 0;\nfor (int m = 0; m < n; m += 1) {\ns = s + %s;\n}\ny[r][q][p] = s;\n}\n"
        "}\n}\n}\n";
    static const struct {
        const char *added;
        int axis;
    } rows[] = {
        {"x[r][q][m] * x[r][m][p]", 1},     /* a product for each r */
        {"x[q][r][m] * x[q][m][p]", 0},     /* for each q */
        {"x[r][m][p] * z[m][q]", 1},        /* the first along the last axis */
        {"x[r][q][m] * z[m][p]", 0},        /* either: the outermost */
        {"x[r][q][p] + z[m][m]", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ctx *ctx = check_ctx();
        struct str source = str_new(ctx->arena);
        str_addf(&source, text, rows[i].added);
        const struct kernel *k = kernel_read(ctx, check_source(ctx, source.text));
        if (check_that(check, k != NULL, "unreadable: %s\n%s", ctx->last, source.text))
            check_that(check, strategy_coarsen_rows(ctx, k) == rows[i].axis, "%s: rows along %d",
                       rows[i].added, strategy_coarsen_rows(ctx, k));
        ctx_free(ctx);
    }
}

int main(int argc, char **argv)
{
    struct check check = {0};
    struct maker m = {.state = 5};
    struct runs runs = {.maker = &m,
                        .state = &m.state,
                        .n_forms = N_FORMS,
                        .n_points = 4,
                        .data_bytes = sizeof(struct data),
                        .make = make_kernel,
                        .forms = forms_make,
                        .point = point_draw,
                        .bind = bind};
    check_test(&check);
    check_triangle(&check);
    check_test(&check);
    check_values(&check);
    check_test(&check);
    check_rows(&check);
    runs_all(&runs, &check, argc, argv, test_scale(100, 4000));
    printf("forms: %d coarsened, %d with joined conditions, %d with common loads, %d with common "
           "values, %d with points apart\n",
           m.coarse, m.joined, m.shared, m.valued, m.apart);
    check_that(&check,
               runs.done > 2 * runs.kernels && m.joined > runs.kernels / 4 &&
                   m.shared > runs.kernels / 4 && m.valued > runs.kernels / 100 && m.apart,
               "hardly anything was coarsened");
    return check_end(&check, "optimizer_tiles");
}

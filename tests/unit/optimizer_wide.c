/* Wide loads against runs: random products of tiles, whose factors are read along rows and down
   columns, by one thread and by its neighbours, alone or for several columns of a thread, of
   elements of 4 and 8 bytes, in pieces of literal and of symbolic depth, filled when they are
   needed or a round ahead, under guards and bounds that leave a rest, with loops that do not fit:
   other steps, stores to tiles, loads on a condition. Where the points are proved independent, the
   placed kernel is coarsened along one axis or two, its loads are made wide, and it is run thread
   by thread with all checks (bounds, alignment, races, values never written); it must leave the
   data of the serial run, bit for bit, perhaps rewritten further. Arguments: seed, number of
   kernels. */
#include "optimizer/strategies/strategies.h"
#include "tests/unit/optimizer_runs.h"

enum { SIDE = 40, ELEMENTS = SIDE * SIDE, N_FORMS = 4 };

struct maker {
    uint64_t state;
    struct str *out;
    const char *type;
    int coarse, wide, turned, gathered, moved, padded, rest, inner, staged, refused; /* forms */
};

/* What a round multiplies, of a thread's rows and of its columns. */
static const char *left(struct maker *m)
{
    return PICK(&m->state, "x[r][k]", "x[r][k]", "x[r][k]", "x[k][r]", "x[r][k + 1]", "x[r][2 * k]",
                "u[k]", "x[r][k] * x[r][k]", "(k > 2 ? x[r][k] : 2)");
}

static const char *right(struct maker *m, bool several)
{
    if (several)
        return PICK(&m->state, "v[k][q + w]", "v[q + w][k]", "v[k][q]", "v[k][w + q]");
    return PICK(&m->state, "v[k][q]", "v[k][q]", "v[q][k]", "x[q][k]", "x[r][k]", "v[q + k][r]");
}

/* A band whose points have the coordinates r and q, so called or with an ending of its own. */
static void points_begin(struct maker *m, bool several, const char *ending)
{
    str_addf(m->out,
             "band (int j < B, int l < C) {\nlet int r%s = i * B + j;\nlet int q%s = (g * C + l) * "
             "%d;\n",
             ending, ending, several ? 2 : 1);
}

/* The loop over a piece's rounds. */
static void rounds_make(struct maker *m, bool several, const char *depth)
{
    const char *sum = several ? "w" : "0";
    str_add(m->out, draw(&m->state, 3) ? "if (r < n && q < n) {\n" : "if (r < n + 2) {\n");
    str_addf(m->out, "for (int z = %s; z < %s; z += %s) {\nlet int k = p * %s + z;\n",
             PICK(&m->state, "0", "0", "0", "0", "1"), depth,
             PICK(&m->state, "1", "1", "1", "1", "2"), depth);
    const char *guard = PICK(&m->state, "if (k < m) {\n", "if (k < m) {\n", "");
    str_add(m->out, guard);
    if (several)
        str_add(m->out, "unroll for (int w = 0; w < 2; w += 1) {\n");
    str_addf(m->out, "own[%s] = own[%s]%s + %s * %s;\n", sum, sum,
             PICK(&m->state, "", "", " * 3"), left(m), right(m, several));
    if (draw(&m->state, 4) == 0)
        str_addf(m->out, "let %s more = %s;\nown[%s] = own[%s] * 2 + more;\n", m->type,
                 right(m, several), sum, sum);
    str_addf(m->out, "%s%s}\n}\n", several ? "}\n" : "", *guard ? "}\n" : "");
}

static void make_kernel(void *maker, struct str *text)
{
    struct maker *m = maker;
    m->out = text;
    bool several = draw(&m->state, 3) == 0;
    const char *depth = PICK(&m->state, "H", "H", "8", "6", "B");
    m->type = PICK(&m->state, "float", "float", "double", "int");
    str_add(text, "kernel f {\nring n, m, B, C, H;\nparam data size int n >= 0;\nparam data size "
                  "int m >= 0;\nparam program tunable int B >= 1;\nparam program tunable int C >= "
                  "1;\nparam program tunable int H >= 1;\n");
    str_addf(text,
             "global %s y[40][40];\nglobal const %s x[40][40] cache;\nglobal const %s v[40][40] "
             "cache;\nglobal const %s u[40] cache;\nprivate %s own[2];\n",
             m->type, m->type, m->type, m->type, m->type);
    str_addf(
        text,
        "grid int i < (n + B - 1) / B;\ngrid int g < (n + C - 1) / C;\nblock int j < B;\nblock "
        "int l < C;\nbody {\nprivate own;\n");
    points_begin(m, several, "_0");
    str_addf(
        text,
        "own[0] = r_0 + 1;\nown[1] = q_0;\n}\nfor (int p = 0; p < (m + %s - 1) / %s; p += 1) {\n",
        depth, depth);
    points_begin(m, several, "");
    rounds_make(m, several, depth);
    str_add(text, "}\n}\n");
    points_begin(m, several, "_1");
    str_add(text, "if (r_1 < n && q_1 < n) {\ny[r_1][q_1] = own[0];\n");
    str_add(text, several ? "if (q_1 + 1 < n) {\ny[r_1][q_1 + 1] = own[1];\n}\n" : "");
    str_add(text, "}\n}\n}\n}\n");
}

struct data {
    union {
        float f32[ELEMENTS];
        double f64[ELEMENTS];
        int32_t i32[ELEMENTS];
    } arrays[4];
};

static void data_fill(struct data *data, enum type type)
{
    for (int a = 0; a < 4; a++)
        for (int i = 0; i < ELEMENTS; i++) {
            int value = (i * 7 + a * 3 + i / SIDE) % 11 - 4;
            if (type == TYPE_F32)
                data->arrays[a].f32[i] = (float)value + (float)a / 8;
            else if (type == TYPE_F64)
                data->arrays[a].f64[i] = value + a / 8.0;
            else
                data->arrays[a].i32[i] = value;
        }
}

static void bind(const struct kernel *k, const union value *params, void *into,
                 struct interpret_array *arrays)
{
    struct data *data = into;
    (void)params;
    data_fill(data, k->arrays[0]->element);
    for (int i = 0; i < 4; i++)
        arrays[i] = (struct interpret_array){&data->arrays[i], i < 3 ? ELEMENTS : SIDE};
}

static void form_count(struct maker *m, struct ctx *ctx, const struct kernel *coarse,
                       const struct kernel *wide)
{
    const char *before = check_print(ctx, coarse), *text = check_print(ctx, wide);
    m->wide += wide != coarse;
    m->refused += wide == coarse;
    m->turned += (!strstr(before, "shared_v[C]") && strstr(text, "shared_v[C]")) ||
                 (!strstr(before, "shared_v[2][C]") && strstr(text, "shared_v[2][C]"));
    m->gathered += strstr(text, " = column_shared_") != NULL;
    m->moved += strstr(text, "4 column_shared_") || strstr(text, "2 column_shared_");
    m->padded += strstr(text, "H + 4]") || strstr(text, "H + 2]") || strstr(text, "[12]");
    m->staged += wide != coarse && strstr(text, "async vector ");
    m->rest += strstr(text, "else rare") && strstr(text, "odd == 0");
    m->inner += strstr(text, "[2][4]") || strstr(text, "[2][2]");
}

/* A placed form whose threads have several points and make wide loads; perhaps rewritten
   further. */
static const struct kernel *form_make(struct ctx *ctx, struct maker *m, const struct kernel *k)
{
    struct placement_options options = {.stage = ~0ull,
                                        .stage_streamed = draw(&m->state, 2),
                                        .promote = draw(&m->state, 2),
                                        .batch = draw(&m->state, 2),
                                        .stages = 1 + (int)draw(&m->state, 2)};
    const struct kernel *placed = strategy_place(ctx, k, options);
    const struct kernel *coarse = strategy_coarsen(ctx, placed, 0, 2 << draw(&m->state, 2));
    if (draw(&m->state, 2))
        coarse = strategy_coarsen(ctx, coarse, 1, 2 << draw(&m->state, 2));
    const struct kernel *wide = strategy_wide(ctx, coarse, true);
    m->coarse += coarse != placed;
    form_count(m, ctx, coarse, wide);
    switch (draw(&m->state, 5)) {
    case 0: return strategy_cse(ctx, wide, 2);
    case 1: return strategy_scalar_replace(ctx, wide);
    case 2: return strategy_unroll(ctx, wide, 4);
    case 3: return strategy_cse(ctx, strategy_vector(ctx, wide), 1);
    default: return wide;
    }
}

static void forms_make(void *maker, struct ctx *ctx, const struct kernel *k,
                       const struct kernel **forms)
{
    for (int i = 0; i < N_FORMS; i++)
        forms[i] = form_make(ctx, maker, k);
}

/* Mostly `least` times a power of two below 2^powers, else any number up to `most`. */
static int64_t extent_draw(struct maker *m, int64_t least, uint64_t powers, uint64_t most)
{
    if (draw(&m->state, 6))
        return least << draw(&m->state, powers);
    return 1 + (int64_t)draw(&m->state, most);
}

static void point_draw(void *maker, union value *params)
{
    struct maker *m = maker;
    params[0].integer = (int64_t)draw(&m->state, 11);
    params[1].integer = (int64_t)draw(&m->state, 18);
    params[2].integer = extent_draw(m, 4, 2, 6);
    params[3].integer = extent_draw(m, 4, 2, 6);
    params[4].integer = extent_draw(m, 2, 3, 9);
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
    runs_all(&runs, &check, argc, argv, test_scale(60, 4000));
    printf("forms: %d coarsened, %d with wide loads, %d with tiles turned, %d filled by vectors, "
           "%d by vectors of the array, %d with longer rows, %d with a rest, %d for several "
           "columns, %d by asynchronous vectors, %d refused\n",
           m.coarse, m.wide, m.turned, m.gathered, m.moved, m.padded, m.rest, m.inner, m.staged,
           m.refused);
    check_that(&check,
               runs.done > 2 * runs.kernels && m.wide > runs.kernels / 2 &&
                   m.turned > runs.kernels / 8 && m.gathered > runs.kernels / 8 &&
                   m.moved > runs.kernels / 8 && m.padded > runs.kernels / 8 &&
                   m.rest > runs.kernels / 4 &&
                   m.inner > runs.kernels / 16 && m.staged > runs.kernels / 8 && m.refused,
               "hardly any loads were made wide");
    return check_end(&check, "optimizer_wide");
}

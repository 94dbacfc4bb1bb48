/* Pieces of serial loops against runs: random nests in which threads add up, under guards, rows and
   columns of arrays, with scalars and elements as accumulators, bounds that all threads share and
   bounds that they do not, conditions on data, else branches, code before and behind the loop,
   private arrays, a second loop, pieces by hand around it. Where the kernel is legal, the placed
   one is run thread by thread with all checks (bounds, races, values never written) and must leave
   the data of the serial run, bit for bit: as it is, with vector copies, with common
   subexpressions, with half the threads, with all that cache(...) names. Arguments: seed, number of
   kernels. */
#include "optimizer/strategies/strategies.h"
#include "tests/unit/optimizer_runs.h"

enum { SIDE = 80, ELEMENTS = SIDE * SIDE, N_FORMS = 5 };

struct maker {
    uint64_t state;
    struct str *out;
    int cut, twice, padded, kept, freed, elements; /* kernels */
};

/* What a round reads: rows and columns of its own, of another thread's, of none. */
static const char *operand(struct maker *m)
{
    return PICK(&m->state, "x[r][k]", "x[r][k]", "v[k][q]", "v[q][k]", "x[k][r]", "x[q][k]",
                "x[r][k + 1]", "v[r + k][q]", "u[k]", "x[r][q]", "v[g + k][q]", "x[i][k]",
                "x[2 * r][k]");
}

/* One round on the accumulators s, t and y[r][q]. */
static void round_make(struct maker *m, bool elements)
{
    const char *a = operand(m), *b = operand(m);
    const char *guard = PICK(&m->state, "", "", "", "if (k < n) {\n", "if (u[k] > 4) {\n",
                             "if (k != r) {\n", "if (q < n) {\n", "if (x[r][k] > 3) {\n");
    str_addf(m->out, "%ss = s * 3 + %s * %s;\n", guard, a, b);
    if (draw(&m->state, 2))
        str_addf(m->out, "t = t + s * %s;\n", operand(m));
    if (elements)
        str_addf(m->out, "y[r][q] = y[r][q] * 3 + %s;\n", operand(m));
    if (draw(&m->state, 6) == 0)
        str_add(m->out, "own[k % 2] = s;\n");
    str_add(m->out, *guard ? "}\n" : "");
}

static void loop_make(struct maker *m, bool elements, const char *k)
{
    const char *from = PICK(&m->state, "0", "0", "0", "1", "n", "first", "i"),
               *to = PICK(&m->state, "m", "m", "m", "m - 1", "33", "70", "n + m - 7", "last",
                          "last", "r + 20", "u[1] + 20", "i * B + 18", "odd");
    struct str body = str_new(m->out->arena), *out = m->out;
    str_addf(m->out, "for (int %s = %s; %s < %s; %s += %s) {\n", k, from, k, to, k,
             draw(&m->state, 6) ? "1" : "2");
    m->out = &body;
    round_make(m, elements);
    m->out = out;
    for (const char *c = body.text; *c; c++) {
        bool alone = *c == 'k' && (c == body.text || c[-1] < 'a' || c[-1] > 'z') &&
                     (c[1] < 'a' || c[1] > 'z');
        if (alone)
            str_add(m->out, k);
        else
            str_char(m->out, *c);
    }
    str_add(m->out, "}\n");
}

/* What a thread does. */
static void thread_make(struct maker *m)
{
    bool elements = draw(&m->state, 3) == 0;
    const char *guard =
        PICK(&m->state, "if (r < n && q < n) {\n", "if (r < n && q < n) {\n",
             "if (r < n) {\nif (q < n) {\n", "if (r + q < 2 * n && r < n && q < n) {\n",
             "if (u[0] > 3) {\n", "if (n > 3) {\n", "");
    int depth = (*guard != 0) + (strstr(guard, "\nif") != NULL);
    str_addf(m->out,
             "let int r = i * B + j;\nlet int q = g * C + l;\nlet int last = m - 2;\nlet int first "
             "= %s;\nlet int odd = m;\n%s",
             PICK(&m->state, "2", "n - 1", "i + 1", "r % 3"), guard);
    str_addf(m->out, "let %s s = %s;\nlet %s t = 0;\nprivate own;\nown[0] = 1;\nown[1] = 2;\n",
             "float", PICK(&m->state, "0", "1", "x[r][0]", "r + 2"), "float");
    if (draw(&m->state, 3) == 0)
        str_addf(m->out, "if (%s) {\nodd = m - 3;\ns = 2;\n}\n",
                 PICK(&m->state, "r % 2 == 0", "m > 20", "u[2] > 6"));
    if (elements)
        str_addf(m->out, "y[r][q] = %s;\n", PICK(&m->state, "0", "s", "y[r][q] + 1", "x[r][q]"));
    const char *inner = PICK(&m->state, "", "", "", "if (q > 0) {\n", "if (s > 1) {\n",
                             "if (m > 17) {\n", "if (y[r][q] < 2) {\n");
    str_add(m->out, inner);
    loop_make(m, elements, "k");
    if (*inner && draw(&m->state, 2))
        str_add(m->out, "} else {\nt = 5;\n");
    str_add(m->out, *inner ? "}\n" : "");
    if (draw(&m->state, 4) == 0)
        loop_make(m, elements, "kk");
    str_addf(m->out, "y[r][q] = %s;\n",
             elements ? "y[r][q] + s + t + own[0]"
                      : PICK(&m->state, "s + t", "s * t + own[1]", "y[r][q] + s"));
    if (depth == 1 && draw(&m->state, 3) == 0)
        str_add(m->out, "} else {\nif (r < 40 && q < 40) {\nz[r][q] = z[r][q] + 1;\n}\n");
    str_add(m->out, depth == 2 ? "}\n}\n" : depth ? "}\n" : "");
}

static void make_kernel(void *maker, struct str *text)
{
    struct maker *m = maker;
    m->out = text;
    static const char *const cached[] = {"", "", " cache"};
    bool by_hand = draw(&m->state, 5) == 0;
    str_add(m->out, "kernel f {\nring n, m, B, C, h, w;\nparam data size int n >= 0;\nparam data "
                    "size int m >= 0;\n"
                    "param program tunable int B >= 1;\nparam program tunable int C >= 1;\n"
                    "param data uniform int h;\nparam data uniform int w;\n");
    str_addf(m->out,
             "global float y[80][80]%s;\nglobal const float x[80][80]%s;\nglobal const float "
             "v[80][80]%s;\n"
             "global float z[80][80];\nglobal const int u[80];\nprivate float own[2];\n",
             cached[draw(&m->state, 3)], cached[draw(&m->state, 3)], cached[draw(&m->state, 3)]);
    str_add(m->out, "grid int i < (n + B - 1) / B;\ngrid int g < (n + C - 1) / C;\nblock int j < "
                    "B;\nblock int l < C;\nbody {\n");
    str_add(m->out, by_hand ? "for (int p = 0; p < 2; p += 1) {\n" : "");
    str_add(m->out, "band (int j < B, int l < C) {\n");
    thread_make(m);
    str_addf(m->out, "}\n}\n}\n%s", by_hand ? "}\n" : "");
}

struct data {
    float real[4][ELEMENTS];
    int32_t u[SIDE];
};

static void data_fill(struct data *data)
{
    for (int a = 0; a < 4; a++)
        for (int i = 0; i < ELEMENTS; i++)
            data->real[a][i] = (float)((i * 7 + a * 3) % 11 - 4);
    for (int i = 0; i < SIDE; i++)
        data->u[i] = i * 5 % 13;
}

static void bind(const struct kernel *k, const union value *params, void *into,
                 struct interpret_array *arrays)
{
    struct data *data = into;
    (void)k, (void)params;
    data_fill(data);
    for (int i = 0; i < 4; i++)
        arrays[i] = (struct interpret_array){data->real[i], ELEMENTS};
    arrays[4] = (struct interpret_array){data->u, SIDE};
}

/* Counts what a placed form has. */
static void form_count(struct maker *m, const char *text)
{
    m->cut += strstr(text, "_piece = 0") != NULL;
    m->twice += strstr(text, " k_piece = 0") && strstr(text, " kk_piece = 0");
    m->padded += strstr(text, "_piece = 0") && strstr(text, "[33]");
    m->kept += strstr(text, "_piece = 0") && strstr(text, "  s = 0.0f;") != NULL;
    m->freed += strstr(text, "_piece = 0") && strstr(text, " : 0.0f;");
    m->elements += strstr(text, "_piece = 0") && strstr(text, "private_y[0] * 3");
}

/* The placed forms of a kernel. */
static void forms_make(void *maker, struct ctx *ctx, const struct kernel *k,
                       const struct kernel **forms)
{
    struct placement_options options = {
        .stage = ~0ull, .promote = true, .promote_symbolic = true, .pieces = true};
    forms[0] = strategy_place(ctx, k, options);
    forms[1] = strategy_vector(ctx, forms[0]);
    forms[2] = strategy_cse(ctx, forms[0], 2);
    forms[3] = strategy_coarsen(ctx, forms[0], 0, 2);
    options.stage_streamed = true;
    forms[4] = strategy_place(ctx, k, options);
    form_count(maker, check_print(ctx, forms[0]));
}

static void point_draw(void *maker, union value *params)
{
    struct maker *m = maker;
    params[0].integer = (int64_t)draw(&m->state, 8);
    params[1].integer = (int64_t)draw(&m->state, 73);
    params[2].integer = (int64_t)draw(&m->state, 4) + 1;
    params[3].integer = (int64_t)draw(&m->state, 4) + 1;
    params[4].integer = params[5].integer = 1;
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
    runs_all(&runs, &check, argc, argv, test_scale(60, 3000));
    printf(
        "kernels: %d cut, %d in two loops, %d with padded rows, %d with scalars kept, %d with work "
        "for nothing, %d with elements\n",
        m.cut, m.twice, m.padded, m.kept, m.freed, m.elements);
    check_that(&check,
               m.cut > runs.kernels / 4 && m.padded > runs.kernels / 10 &&
                   m.kept > runs.kernels / 32 && m.freed,
               "hardly anything was cut");
    return check_end(&check, "optimizer_pieces");
}

/* A thread's own sums in lanes (optimizer/strategies/own_lanes.c, own_threads.c) against runs:
   random kernels whose threads sum along rows into scalars and elements, under guards, between
   locals, conditions and stores, in one loop or two, the second one with what the first one gave,
   which may store in their rounds, too, and before a loop that only stores.
   Where the kernel is legal, both forms, placed, are run thread by thread with all checks (bounds,
   races, values never written) and must leave the data of the serial run; sums are of small
   integers, so that their order tells nothing (tests/host/own-lanes.test compares bits). Then: what
   has to stay as it is, and that each barrier is missed. Arguments: seed, number of kernels. */
#include "optimizer/strategies/strategies.h"
#include "tests/mutants/mutate.h"
#include "tests/unit/optimizer_runs.h"

enum { SIDE = 64, ELEMENTS = SIDE * SIDE, REALS = 6, N_FORMS = 3 };

struct maker {
    uint64_t state;
    int apart, planes, refused;      /* kernels with a thread for each lane; of two axes; without */
};

static const char HEAD[] = "kernel f {\n"
                           "ring n, m, B;\n"
                           "param data size int n >= 0;\n"
                           "param data size int m >= 0;\n"
                           "param program tunable int B >= 1;\n"
                           "global float y[64];\n"
                           "global float z[64];\n"
                           "global const float x[64][64];\n"
                           "global const float v[64][64];\n"
                           "global double d[64];\n"
                           "global const float w[64];\n"
                           "global const int u[64];\n"
                           "global float o[64][64];\n"
                           "fact 1 <= B;\n"
                           "lanes 16;\n";

/* Threads of one axis and of two, and their rows. */
static const struct {
    const char *block, *band;
} FORMS[] = {{"grid int b < (n + B - 1) / B;\nblock int t < B;\nbody {\n",
              "band (int t < B) {\nlet int r = b * B + t;\n"},
             {"grid int b < (n + 2 * B - 1) / (2 * B);\nblock int t < B;\nblock int h < 2;\n"
              "body {\n",
              "band (int t < B, int h < 2) {\nlet int r = (b * B + t) * 2 + h;\n"}};

/* What a round does with its element. */
static void round_make(struct maker *m, struct str *out, const char *k, const char *term)
{
    bool is_open = draw(&m->state, 4) == 0;
    str_addf(out, "let float e_%s = x[r][%s];\n%s", k, k, is_open ? "if (u[3] > 2) {\n" : "");
    str_addf(out, "s = s %s e_%s * (%s);\n", PICK(&m->state, "+", "-"), k, term);
    if (draw(&m->state, 2))
        str_addf(out, "if (e_%s > %s) {\nc = c + 1;\n}\n", k, PICK(&m->state, "0", "2", "w[r]"));
    str_addf(out,
             PICK(&m->state, "", "if (e_%s > top) {\ntop = e_%s;\n}\n",
                  "if (!(top <= e_%s)) {\ntop = e_%s;\n}\n", "top = top > e_%s ? top : e_%s;\n",
                  "top = e_%s <= top ? e_%s : top;\n", "top = fmax(top, e_%s);\n",
                  "if (u[2] > 1) {\ntop = fmin(e_%s, top);\n}\n"),
             k, k);
    if (draw(&m->state, 3) == 0)
        str_addf(out, "d[r] = d[r] + (double)(%s);\n", PICK(&m->state, "2", "w[r]", term));
    str_addf(out,
             PICK(&m->state, "", "", "o[r][%s] = e_%s + w[%s];\n", "o[r][%s + 1] = e_%s;\n",
                  "o[r][m - 1 - %s] = e_%s - w[%s];\n", "o[r][3] = e_%s;\n"),
             k, k, k);
    str_add(out, is_open ? "}\n" : "");
}

/* A loop that stores and sums nothing. */
static void stores_make(struct maker *m, struct str *out)
{
    str_addf(out, "for (int q = %s; q < m; q += 1) {\n", PICK(&m->state, "0", "0", "1", "first"));
    str_add(out, PICK(&m->state, "o[r][q] = o[r][q] * 2 + s;\n", "o[r][q] = x[r][q] - c;\n",
                      "if (x[r][q] > 0) {\no[r][q] = x[r][m - 1 - q];\n}\n", "o[q][r] = w[q];\n",
                      "o[r][q] = o[r][m - 1 - q];\n"));
    str_add(out, "}\n");
}

static void loop_make(struct maker *m, struct str *out, const char *k, const char *term)
{
    str_addf(out, "for (int %s = %s; %s < %s; %s += 1) {\n", k,
             PICK(&m->state, "0", "0", "1", "r", "first"), k,
             PICK(&m->state, "m", "m", "m - 1", "r", "odd"), k);
    round_make(m, out, k, term);
    str_add(out, "}\n");
}

static void make_kernel(void *maker, struct str *out)
{
    struct maker *m = maker;
    bool is_under = draw(&m->state, 4) == 0, has_two = draw(&m->state, 2);
    int form = draw(&m->state, 3) == 0;
    str_addf(out, "%s%s%s", HEAD, FORMS[form].block, FORMS[form].band);
    str_add(out, PICK(&m->state, "if (r < n) {\n", "if (r < n && r != 3) {\n"));
    str_addf(out,
             "let int first = %s;\nlet int odd = m;\nlet float s = %s;\nlet float c = %s;\nlet "
             "float top = 1;\nlet float a = %s;\n",
             PICK(&m->state, "2", "r % 3"), PICK(&m->state, "0", "w[r]", "1"),
             PICK(&m->state, "0", "3"), PICK(&m->state, "2", "w[r]", "(float)u[r]"));
    str_add(out, PICK(&m->state, "", "d[r] = 0;\n", "d[r] = d[r] + 1;\n"));
    str_add(out, PICK(&m->state, "", "if (m > 20) {\nodd = m - 5;\n}\n",
                      "if (u[r] > 4) {\na = 1;\n}\n"));
    if (is_under)
        str_add(out, PICK(&m->state, "if (w[2] > 0) {\n", "if (m > 9) {\n", "if (a > 1) {\n"));
    loop_make(m, out, "k", PICK(&m->state, "1", "w[k]", "v[r][k]", "a"));
    str_add(out, is_under && draw(&m->state, 2) ? "z[r] = s;\n" : "");
    str_add(out, is_under ? "}\n" : "");
    str_add(out, PICK(&m->state, "", "z[r] = s + c;\n",
                      "if (s > 0) {\nz[r] = c;\n} else {\nz[r] = a;\n}\n"));
    if (has_two) {
        str_addf(out, "let float g = %s;\n",
                 PICK(&m->state, "s > 2 ? 2 : 1", "a", "c > 1 ? 3 : -1"));
        str_add(out, PICK(&m->state, "", "s = 0;\n", "if (g > 1) {\ns = g;\n}\n"));
        loop_make(m, out, "l", PICK(&m->state, "g", "z[r] > 2 ? 1 : 2", "w[l]"));
    }
    str_add(out, PICK(&m->state, "", "", "y[r] = o[r][2];\n"));
    if (draw(&m->state, 3) == 0)
        stores_make(m, out);
    str_add(out, PICK(&m->state, "", "", "z[r] = o[r][3] + y[r];\n"));
    str_add(out, PICK(&m->state, "y[r] = s + c + top;\n", "y[r] = top;\n",
                      "y[r] = s;\nz[r] = y[r] + 1;\n"));
    str_add(out, "}\n}\n}\n}\n");
}

struct data {
    float y[SIDE], z[SIDE], x[ELEMENTS], v[ELEMENTS];
    double d[SIDE];
    float w[SIDE];
    int32_t u[SIDE];
    float o[ELEMENTS];
};

static void bind(const struct kernel *k, const union value *params, void *into,
                 struct interpret_array *arrays)
{
    struct data *data = into;
    (void)k, (void)params;
    memset(data, 0, sizeof *data);
    for (int i = 0; i < SIDE; i++) {
        data->y[i] = data->z[i] = (float)(i % 5);
        data->d[i] = i % 7;
        data->w[i] = (float)(i * 3 % 5 - 1);
        data->u[i] = i * 5 % 13;
    }
    for (int i = 0; i < ELEMENTS; i++) {
        data->x[i] = (float)(i * 7 % 11 - 4);
        data->v[i] = (float)(i * 5 % 7 - 3);
        data->o[i] = (float)(i % 13);
    }
    const struct interpret_array all[] = {{data->y, SIDE}, {data->z, SIDE}, {data->x, ELEMENTS},
                                          {data->v, ELEMENTS}, {data->d, SIDE}, {data->w, SIDE},
                                          {data->u, SIDE}, {data->o, ELEMENTS}};
    memcpy(arrays, all, sizeof all);
}

static const struct placement_options PLACEMENT = {.stage = UINT64_MAX, .promote = true};

/* The kernel with all lanes in a thread; each in its own; the second one with common
   subexpressions. */
static void forms_make(void *maker, struct ctx *ctx, const struct kernel *k,
                       const struct kernel **forms)
{
    struct maker *m = maker;
    const struct kernel *apart = strategy_own_threads(ctx, k);
    *(apart == k ? &m->refused : &m->apart) += 1;
    m->planes += apart->n_block == 3;
    forms[0] = strategy_place(ctx, strategy_own_lanes(ctx, k), PLACEMENT);
    forms[1] = strategy_place(ctx, strategy_own_lanes(ctx, apart), PLACEMENT);
    forms[2] = strategy_cse(ctx, forms[1], 2);
}

static void point_draw(void *maker, union value *params)
{
    struct maker *m = maker;
    params[0].integer = (int64_t)draw(&m->state, 12);
    params[1].integer = (int64_t)draw(&m->state, 62);
    params[2].integer = (int64_t)draw(&m->state, 5) + 1;
}

/* --- what is made apart, and what is not ------------------------------------------------------ */

static const struct kernel *kernel_of(struct check *check, struct ctx *ctx, const char *body)
{
    const char *text = arena_printf(ctx->arena, "%s%s%s}\n}\n", HEAD, FORMS[0].block, body);
    const struct kernel *kernel = kernel_read(ctx, check_source(ctx, text));
    check_that(check, kernel != NULL, "%s\n%s", ctx->last, text);
    return kernel;
}

#define THREAD(body) "band (int t < B) {\nlet int r = b * B + t;\nif (r < n) {\n" body "}\n}\n"
#define SUM(k) "for (int " k " = 0; " k " < m; " k " += 1) {\ns = s + x[r][" k "];\n}\n"

static void check_refused(struct check *check)
{
    static const char *const bodies[] = {
        /* loops that store one element in all rounds, or need an order, or are no sums */
        THREAD("let float s = 0;\n" SUM("k")
               "for (int l = 0; l < m; l += 1) {\nz[r] = z[r] * 2;\n}\ny[r] = s;\n"),
        THREAD("let float s = 0;\nfor (int k = 1; k < m; k += 1) {\ns = s + x[r][k];\n"
               "o[r][k] = o[r][k - 1];\n}\ny[r] = s;\n"),
        THREAD("let float s = 0;\nlet float c = 1;\n" SUM("k")
               "for (int l = 0; l < m; l += 1) {\nc = c * 2;\n}\ny[r] = s + c;\n"),
        /* a local that reads what the kernel stores to */
        THREAD("let float s = y[r];\n" SUM("k") "y[r] = s;\n"),
        /* a local that is set where only the first thread goes */
        THREAD("let float s = 0;\nlet float c = 0;\n" SUM("k")
               "if (s > 1) {\nc = 2;\nz[r] = 1;\n}\ny[r] = s + c;\n"),
        /* a condition that changes */
        THREAD("let float s = 0;\nlet int q = 1;\nif (q > 0) {\n" SUM("k") "q = 0;\n" SUM("l")
               "}\ny[r] = s;\n"),
        /* a condition on what is stored */
        THREAD("let float s = 0;\nif (y[r] > 0) {\n" SUM("k") "}\ny[r] = s;\n"),
        /* a loop in one of two branches */
        THREAD("let float s = 0;\nif (w[r] > 0) {\n" SUM("k") "} else {\ns = 2;\n}\ny[r] = s;\n"),
    };
    check_test(check);
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        struct ctx *ctx = check_ctx();
        const struct kernel *kernel = kernel_of(check, ctx, bodies[i]);
        if (kernel) {
            const char *lanes = check_print(ctx, strategy_own_lanes(ctx, kernel));
            check_that(check, strategy_own_threads(ctx, kernel) == kernel, "text %zu is apart", i);
            check_that(check, strstr(lanes, "s_lanes") != NULL, "text %zu has no sum", i);
        }
        ctx_free(ctx);
    }
}

/* Is each barrier of the kernel with threads for lanes missed? */
static void check_barriers(struct check *check, const char *body, int barriers)
{
    struct ctx *ctx = check_ctx();
    const struct kernel *kernel = kernel_of(check, ctx, body), *mutant;
    int n = 0;
    check_test(check);
    if (!kernel)
        return;
    const struct kernel *apart = strategy_place(ctx, strategy_own_threads(ctx, kernel), PLACEMENT);
    check_that(check, apart->n_block == 2, "not made apart\n%s", check_print(ctx, apart));
    for (const char *before; (mutant = mutate(ctx->arena, apart, MUTATION_BARRIER, n, &before));
         n++) {
        bool is_missed = false;
        for (int blocks = 1; blocks <= 3 && !is_missed; blocks++) {
            static struct data data;
            struct interpret_array arrays[8];
            const union value params[] = {{.integer = 9}, {.integer = 40}, {.integer = 2}};
            bind(kernel, params, &data, arrays);
            struct interpret_input input = {
                .params = params, .arrays = arrays, .blocks = blocks, .seed = 3};
            is_missed = interpret_threads(ctx->arena, mutant, &input).status == INTERPRET_RACE;
        }
        check_that(check, is_missed, "barrier %d is not missed\n%s", n, check_print(ctx, apart));
    }
    check_that(check, n == barriers, "%d barriers\n%s", n, check_print(ctx, apart));
    ctx_free(ctx);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    struct maker m = {.state = 11};
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
    printf("kernels: %d with a thread for each lane, %d of two axes, %d without\n", m.apart,
           m.planes, m.refused);
    check_that(&check, m.apart > runs.legal / 4 && m.planes > runs.legal / 20,
               "hardly any was made apart");
    check_refused(&check);
    check_barriers(&check, THREAD("let float s = 0;\n" SUM("k") "y[r] = s;\n"), 2);
    /* Two sums one behind the other, the second one of what the first one stored. */
    check_barriers(&check,
                   THREAD("let float s = 0;\n" SUM("k") "z[r] = s;\nlet float c = 0;\n"
                          "for (int l = 0; l < m; l += 1) {\nc = c + x[r][l] * z[r];\n}\n"
                          "y[r] = c;\n"),
                   3);
    return check_end(&check, "optimizer_own");
}

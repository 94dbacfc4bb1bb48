/* The points of a row as lanes, against runs: random bands whose points run loops, in step and not,
   with scalars and arrays of their own, scalars that are equal for all, conditions of both kinds
   and loads that are the same in each round. What lanes_make makes of them, as a kernel of one
   thread, is run with all checks (bounds, races, values never written) and must leave the data of
   the serial run, bit for bit. Arguments: seed, number of kernels. */
#include "emit/lanes.h"
#include "ir/walk.h"
#include "tests/unit/optimizer_runs.h"

enum { ROWS = 5, COLUMNS = 100 };

struct maker {
    uint64_t state;
    struct str *out;
    int depth, loops;           /* of statements; made so far */
    bool in_step;               /* all points are here */
    bool whole, shares;         /* integers alone; u stays equal for all */
    int made;                   /* kernels with lanes */
};

/* A value of a point; a and b are its own, u is equal for all. */
static const char *value(struct maker *m)
{
    return PICK(&m->state, "a + 1", "b * 3 - a", "x[q] + a", "v[q] * 2", "a + u", "w[3] - b",
                "v[2 * q] + v[2 * q + 1] * a", "x[q] * w[r]", "own[1] + b", "a * 2 + own[0]",
                "w[q] + v[2 * q]", "v[x[q] > 3 ? 1 : 2] + b", "z[r][2 * q] + 1", "b");
}

static const char *condition(struct maker *m)
{
    return m->in_step ? PICK(&m->state, "a > 4", "q % 3 != 0", "m > 2", "u > 3", "x[q] > b",
                             "w[2] > 4 && r > 1", "t < q")
                      : PICK(&m->state, "a > 4", "q % 3 != 0", "m > 2", "x[q] > b");
}

static void statements(struct maker *m, int n);

/* A loop; in step where its bounds say so. */
static void loop(struct maker *m)
{
    bool was_in_step = m->in_step, apart = draw(&m->state, 4) == 0;
    bool has_place = draw(&m->state, 2);
    const char *most = m->shares ? "9" : "4";
    const char *rounds = apart ? PICK(&m->state, "q % 4", "(a > 3 ? 2 : 1)", "r + q")
                               : PICK(&m->state, "m", "m", "t", "9", most, "(u > 2 ? 2 : 1)");
    int k = m->loops++;
    m->in_step = m->in_step && !apart;
    str_addf(m->out, "for (int k%d = %s; k%d < %s; k%d += %s) {\n", k,
             PICK(&m->state, "0", "0", "1"), k, rounds, k, PICK(&m->state, "1", "1", "2"));
    if (has_place)
        str_addf(m->out, "let int e%d = %s;\na = a + v[e%d];\nb = b + z[r][2 * q];\n", k,
                 PICK(&m->state, "2 * q + 1", m->whole ? "q + (u & 1)" : "q"), k);
    if (draw(&m->state, 2))
        str_addf(m->out, "b = b + w[k%d] * v[2 * q];\n", k);
    if (draw(&m->state, 3) == 0)
        str_addf(m->out, "own[k%d %% 3] = a;\n", k);
    if (draw(&m->state, 3) == 0 && m->in_step)
        str_addf(m->out, "a = a - u;\nu = u + w[k%d];\n", k);
    m->depth++;
    statements(m, 2);
    m->depth--;
    if (has_place)
        str_addf(m->out, "b = b + v[e%d];\n", k);
    str_add(m->out, "}\n");
    m->in_step = was_in_step;
}

static void branch(struct maker *m)
{
    bool was_in_step = m->in_step;
    str_addf(m->out, "if (%s) {\n", condition(m));
    m->in_step = false;
    m->depth++;
    statements(m, 2);
    m->depth--;
    str_add(m->out, draw(&m->state, 2) ? "} else {\nb = b + 5;\n}\n" : "}\n");
    m->in_step = was_in_step;
}

static void statement(struct maker *m)
{
    switch (draw(&m->state, m->depth < 3 ? 11 : 6)) {
    case 0:
        str_addf(m->out, "%s = %s;\n", PICK(&m->state, "y[r][q]", "z[r][2 * q]"), value(m));
        break;
    case 1: str_addf(m->out, "own[%s] = %s;\n", PICK(&m->state, "0", "1", "2"), value(m)); break;
    case 2: str_addf(m->out, "b = %s;\n", value(m)); break;
    case 3:
        if (m->in_step)
            str_addf(m->out, "u = %s;\n",
                     PICK(&m->state, "u + 1", "w[1] + u", "w[t]", m->shares ? "w[2]" : "a"));
        break;
    case 4: str_addf(m->out, "late = %s;\nb = b - late;\n", value(m)); break;
    case 5: str_addf(m->out, "a = %s;\n", value(m)); break;
    case 6:
    case 7: branch(m); break;
    default: loop(m); break;
    }
}

static void statements(struct maker *m, int n)
{
    for (int i = 0; i < n; i++)
        statement(m);
}

static void make(void *maker, struct str *text)
{
    struct maker *m = maker;
    m->out = text;
    m->depth = m->loops = 0;
    m->in_step = true;
    m->shares = draw(&m->state, 3) > 0;
    const char *type = draw(&m->state, 3) ? "int" : "float";
    bool before = draw(&m->state, 2);
    m->whole = *type == 'i';
    str_addf(text,
             "kernel f {\nring n, m, B, C;\nparam data size int n >= 0;\n"
             "param data size int m >= 0;\nparam program tunable int B >= 1;\n"
             "param program tunable int C >= 1;\nglobal %s y[5][100];\n"
             "global %s z[5][200];\nglobal const %s x[100];\nglobal const %s v[200];\n"
             "global const %s w[100];\nprivate %s own[3];\n"
             "grid int g < (4 + B) / B;\ngrid int h < (n + C - 1) / C;\n"
             "block int i < B;\nblock int j < C;\nbody {\nlet int base = h * C;\n"
             "band (int i < B, int j < C) {\nlet int r = g * B + i;\nlet int q = base + j;\n"
             "let int t = m + 1;\n%sif (%sq < n && r < 5%s) {\n",
             type, type, type, type, type, type, before ? "let int ahead = x[0] > 2;\n" : "",
             PICK(&m->state, "", "q > 0 && ", "m > 1 && "), PICK(&m->state, "", " && q < t + 70"));
    str_addf(text,
             "let %s a = x[q];\nlet %s b = %s;\nlet %s u = w[0];\nlet %s late;\nprivate own;\n"
             "own[0] = a;\nown[1] = 2;\nown[2] = b;\n",
             type, type, before ? "ahead" : "1", type, type);
    statements(m, 2);
    str_add(text, "for (int z0 = 0; z0 < (n < 91 ? m : 0); z0 += 1) {\nb = b + v[2 * q + 20];\n}\n"
                  "for (int k = 0; k < m; k += 1) {\nb = b + w[k] * v[2 * q];\n");
    m->depth = 1;
    statements(m, 2);
    str_add(text, "}\n");
    m->depth = 0;
    statements(m, 3);
    str_add(text, "y[r][q] = a + b * 2 + u + own[2] + own[0];\n}\n}\n}\n}\n");
}

/* --- the kernel of one thread ----------------------------------------------------------------- */

/* The private arrays of the form behind those of the kernel. */
static void add_arrays(struct arena *arena, struct kernel *kernel, const struct stmt *s)
{
    VEC(const struct array *) arrays = {0};
    struct stmt_walk walk;
    for (int i = 0; i < kernel->n_arrays; i++)
        if (kernel->arrays[i]->space == SPACE_GLOBAL || stmt_uses_array(s, kernel->arrays[i]))
            vec_push(arena, &arrays, kernel->arrays[i]);
    for (s = stmt_first(&walk, arena, s); s; s = stmt_next(&walk)) {
        bool is_known = s->kind != STMT_ARRAY;
        for (size_t i = 0; i < arrays.count; i++)
            is_known |= arrays.at[i] == s->array;
        if (!is_known)
            vec_push(arena, &arrays, s->array);
    }
    kernel->arrays = arrays.at;
    kernel->n_arrays = (int)arrays.count;
}

static const struct stmt *with_band(struct arena *arena, const struct stmt *s,
                                    const struct stmt *band, const struct stmt *instead)
{
    if (s == band)
        return instead;
    if (s->n_children == 0)
        return s;
    const struct stmt **children = ARENA_ARRAY(arena, const struct stmt *, (size_t)s->n_children);
    for (int i = 0; i < s->n_children; i++)
        children[i] = with_band(arena, s->children[i], band, instead);
    return stmt_rebuild(arena, s, children);
}

/* One thread that goes through the rows of its block. */
static const struct kernel *kernel_of_lanes(struct arena *arena, const struct kernel *kernel,
                                            const struct thread_rows *rows)
{
    struct kernel *copy = kernel_copy(arena, kernel);
    struct axis *block = ARENA_NEW(arena, struct axis);
    const struct expr *one = expr_integer(arena, TYPE_I32, 1);
    const struct axis *row = &rows->band->axes[0];
    *block = (struct axis){var_new(arena, "single", TYPE_I32, VAR_ITERATOR), one};
    const struct stmt *work = stmt_for(arena, row->var, expr_integer(arena, TYPE_I32, 0),
                                       row->extent, one, rows->lanes);
    const struct stmt *band = stmt_band(arena, block, 1, false, work);
    copy->body = with_band(arena, kernel->body, rows->band, band);
    copy->block = block;
    copy->n_block = 1;
    add_arrays(arena, copy, copy->body);
    return copy;
}

static void forms(void *maker, struct ctx *ctx, const struct kernel *kernel,
                  const struct kernel **forms)
{
    struct maker *m = maker;
    struct thread_rows rows = rows_find(ctx->arena, kernel, kernel->body);
    m->made += rows.lanes != NULL;
    forms[0] = rows.lanes ? kernel_of_lanes(ctx->arena, kernel, &rows) : kernel;
}

static void point(void *maker, union value *params)
{
    static const int columns[] = {1, 7, 20, 90};
    struct maker *m = maker;
    params[0].integer = (int64_t)draw(&m->state, COLUMNS + 1);
    params[1].integer = (int64_t)draw(&m->state, 6);
    params[2].integer = 1 + (int64_t)draw(&m->state, 3);
    params[3].integer = columns[draw(&m->state, 4)];
}

static void bind(const struct kernel *kernel, const union value *params, void *data,
                 struct interpret_array *arrays)
{
    static const size_t counts[] = {ROWS * COLUMNS, ROWS * 2 * COLUMNS, COLUMNS,
                                    2 * COLUMNS, COLUMNS};
    int32_t *words = data;
    (void)params;
    for (int i = 0; i < 5; i++) {
        arrays[i] = (struct interpret_array){words, counts[i]};
        for (size_t k = 0; k < arrays[i].count; k++) {
            int32_t number = (int32_t)((k * 7 + (size_t)i * 5) % 11);
            float real = (float)number / 3;
            if (kernel->arrays[i]->element == TYPE_F32)
                memcpy(&words[k], &real, sizeof real);
            else
                words[k] = number;
        }
        words += arrays[i].count;
    }
}

int main(int argc, char **argv)
{
    struct check check = {0};
    struct maker maker = {.state = 5};
    struct runs runs = {.maker = &maker,
                        .state = &maker.state,
                        .n_forms = 1,
                        .n_points = 3,
                        .data_bytes = 4 * (3 * ROWS * COLUMNS + 4 * COLUMNS),
                        .make = make,
                        .forms = forms,
                        .point = point,
                        .bind = bind};
    runs_all(&runs, &check, argc, argv, test_scale(60, 3000));
    printf("%d with lanes\n", maker.made);
    check_that(&check, maker.made > runs.legal / 2, "hardly any kernel has lanes");
    check_that(&check, runs.legal > runs.kernels / 2, "hardly any kernel is legal");
    return check_end(&check, "emit_lanes");
}

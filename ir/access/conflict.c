/* In: two references and a question. Out: is it certain, by integer linear arithmetic, that they
   never meet? And: do conditions on parameters exclude each other?

   The system (linear.h) becomes rows of integers for isl, one column per unknown: the variables of
   both executions, parameters, and products of parameters, which are numbers of their own of which
   the facts tell something. What is not linear with literal coefficients is left out, which only
   leaves more solutions; so this decides triangles, strided and modulo subscripts with literal
   sizes, where the digits of delta.c say "open". Where that fails, digits are folded into numbers
   (numbers.c) and the question is asked again. Alternatives (one of these differs, a number is not
   0, a quotient of either sign) are tried one after the other. */
#include "ir/access/linear.h"
#include <string.h>

enum { COLUMNS_MAX = 96, CHOICES_MAX = 10, LEAVES_MAX = 96 };

/* sum of coefficients * columns + constant */
struct line {
    int64_t at[COLUMNS_MAX], constant;
};

typedef VEC(struct line) lines;

/* One of the alternatives holds: all rows of it are >= 0. */
struct choice {
    VEC(lines) alternatives;
};

struct param_product {
    unsigned exponents[RING_CAPACITY];
};

struct writing {
    struct linear_set *linear;
    struct arena *arena;
    int n_columns;
    int *columns[2];                  /* of the variables of either side, from 1; 0: none yet */
    int params[RING_CAPACITY];        /* likewise */
    VEC(struct param_product) products;
    VEC(int) product_columns;
    lines equal, least;               /* = 0; >= 0 */
    size_t n_choices;
    struct choice choices[CHOICES_MAX];
    long leaves;
};

static int column_new(struct writing *w)
{
    return w->n_columns < COLUMNS_MAX ? ++w->n_columns : 0;
}

static unsigned degree_of(const struct ring *ring, const unsigned *exponents, int *variable)
{
    unsigned degree = 0;
    for (int v = 0; v < ring_count(ring); v++)
        if (exponents[v]) {
            degree += exponents[v];
            *variable = v;
        }
    return degree;
}

/* The column of a product of parameters; 0 if it is new and `add` is not set. */
static int product_column(struct writing *w, const unsigned *exponents, bool add)
{
    struct param_product product = {{0}};
    memcpy(product.exponents, exponents,
           (size_t)ring_count(w->linear->analysis->ring) * sizeof *exponents);
    for (size_t i = 0; i < w->products.count; i++)
        if (!memcmp(&w->products.at[i], &product, sizeof product))
            return w->product_columns.at[i];
    if (!add)
        return 0;
    vec_push(w->arena, &w->products, product);
    vec_push(w->arena, &w->product_columns, column_new(w));
    return vec_last(&w->product_columns);
}

/* Adds a multiple of the polynomial; false, with nothing to be relied on, if a coefficient is no
   integer or (without `add`) a product of parameters is new. */
static bool line_poly(struct writing *w, struct line *line, const struct poly *p, int64_t factor,
                      bool add)
{
    const struct ring *ring = w->linear->analysis->ring;
    int64_t n, d;
    unsigned exponents[RING_CAPACITY];
    for (size_t i = 0; i < poly_terms(p); i++) {
        int v = 0;
        if (!poly_term(p, i, &n, &d, exponents) || d != 1 ||
            __builtin_mul_overflow(n, factor, &n))
            return false;
        unsigned degree = degree_of(ring, exponents, &v);
        if (degree == 0) {
            if (__builtin_add_overflow(line->constant, n, &line->constant))
                return false;
            continue;
        }
        if (degree == 1 && !w->params[v])
            w->params[v] = column_new(w);
        int column = degree == 1 ? w->params[v] : product_column(w, exponents, add);
        if (!column || __builtin_add_overflow(line->at[column - 1], n, &line->at[column - 1]))
            return false;
    }
    return true;
}

static bool line_variable(struct writing *w, struct line *line, int side, int v, int64_t factor)
{
    int *column = &w->columns[side][v];
    if (!*column)
        *column = column_new(w);
    return *column && !__builtin_add_overflow(line->at[*column - 1], factor,
                                              &line->at[*column - 1]);
}

static bool is_literal(const struct form *form)
{
    int64_t c;
    for (int i = 0; i < form->n_terms; i++)
        if (!poly_get_integer(form->terms[i].coefficient, &c))
            return false;
    return true;
}

/* Adds factor * form, of one side's variables; false if a coefficient is no literal. */
static bool line_form(struct writing *w, struct line *line, const struct form *form, int side,
                      int64_t factor)
{
    int64_t c;
    if (!is_literal(form))
        return false;
    for (int i = 0; i < form->n_terms; i++) {
        poly_get_integer(form->terms[i].coefficient, &c);
        if (__builtin_mul_overflow(c, factor, &c) ||
            !line_variable(w, line, side, form->terms[i].iterator, c))
            return false;
    }
    return line_poly(w, line, form->constant, factor, true);
}

static struct line line_negative(const struct line *line, int64_t constant)
{
    struct line negative = {.constant = -line->constant + constant};
    for (int i = 0; i < COLUMNS_MAX; i++)
        negative.at[i] = -line->at[i];
    return negative;
}

/* A new choice; NULL if there are too many, which only leaves more solutions. */
static struct choice *choice_new(struct writing *w)
{
    return w->n_choices < CHOICES_MAX ? &w->choices[w->n_choices++] : NULL;
}

static void choice_add(struct writing *w, struct choice *choice, lines alternative)
{
    vec_push(w->arena, &choice->alternatives, alternative);
}

/* The row is >= least or <= -least. */
static void choice_apart(struct writing *w, struct choice *choice, const struct line *line)
{
    lines above = {0}, below = {0};
    struct line over = *line;
    over.constant--;
    vec_push(w->arena, &above, over);
    vec_push(w->arena, &below, line_negative(line, -1));
    choice_add(w, choice, above);
    choice_add(w, choice, below);
}

/* form = m * quotient + remainder, with the remainder between -m and m and of the form's sign. */
static void write_division(struct writing *w, const struct linear_constraint *c,
                           const struct line *form)
{
    struct line whole = *form, remainder = {.constant = 0};
    if (!line_variable(w, &whole, c->side, c->quotient, -c->literal) ||
        !line_variable(w, &whole, c->side, c->remainder, -1) ||
        !line_variable(w, &remainder, c->side, c->remainder, 1))
        return;
    vec_push(w->arena, &w->equal, whole);
    struct choice *choice = choice_new(w);
    lines up = {0}, down = {0};
    struct line top = line_negative(&remainder, c->literal - 1), bottom = remainder;
    bottom.constant = c->literal - 1;
    vec_push(w->arena, choice ? &up : &w->least, top);
    vec_push(w->arena, choice ? &down : &w->least, bottom);
    if (!choice)
        return;
    vec_push(w->arena, &up, *form);
    vec_push(w->arena, &up, remainder);
    vec_push(w->arena, &down, line_negative(form, -1));
    vec_push(w->arena, &down, line_negative(&remainder, 0));
    choice_add(w, choice, up);
    choice_add(w, choice, down);
}

static void write_constraint(struct writing *w, const struct linear_constraint *c)
{
    struct line line = {.constant = 0};
    if (!line_form(w, &line, c->form, c->side, 1))
        return;
    struct choice *choice;
    switch (c->kind) {
    case LINEAR_LEAST: vec_push(w->arena, &w->least, line); break;
    case LINEAR_EQUAL: vec_push(w->arena, &w->equal, line); break;
    case LINEAR_UNEQUAL:
        choice = choice_new(w);
        if (choice)
            choice_apart(w, choice, &line);
        break;
    case LINEAR_DIVISION: write_division(w, c, &line); break;
    }
}

/* Adds that the two values of a variable are at most so far apart. */
static void write_apart(struct writing *w, const struct line *difference, const struct poly *apart)
{
    struct line above = *difference, below = line_negative(difference, 0);
    if (poly_is_zero(apart)) {
        vec_push(w->arena, &w->equal, *difference);
        return;
    }
    above = line_negative(&above, 0);
    below = line_negative(&below, 0);
    if (line_poly(w, &above, apart, 1, true) && line_poly(w, &below, apart, 1, true)) {
        vec_push(w->arena, &w->least, above);
        vec_push(w->arena, &w->least, below);
    }
}

/* How the variables of the two sides are related; with `different`, that one differs that must. */
static void write_relation(struct writing *w, bool different)
{
    const struct linear_set *linear = w->linear;
    struct choice *choice = NULL;
    for (int v = 0; v < (int)linear->variables.count; v++) {
        const struct linear_variable *variable = &linear->variables.at[v];
        struct line difference = {.constant = 0};
        if (!variable->in[0] || !variable->in[1] || (!variable->apart && !variable->different))
            continue;
        if (!line_variable(w, &difference, 0, v, 1) || !line_variable(w, &difference, 1, v, -1)) {
            different = false;
            continue;
        }
        if (variable->apart)
            write_apart(w, &difference, variable->apart);
        if (variable->different && different) {
            choice = choice ? choice : choice_new(w);
            if (choice)
                choice_apart(w, choice, &difference);
        }
    }
    if (choice && !different)
        choice->alternatives.count = 0;
}

/* The rows that can be written; false if none can. */
static bool write_rows(struct writing *w)
{
    bool any = false;
    for (size_t i = 0; i < w->linear->rows.count; i++) {
        const struct linear_row *row = &w->linear->rows.at[i];
        struct line line = {.constant = 0};
        if (line_form(w, &line, row->sides[0], 0, 1) && line_form(w, &line, row->sides[1], 1, -1)) {
            vec_push(w->arena, &w->equal, line);
            any = true;
        }
    }
    return any;
}

/* Adds that the row's sides are at least so far apart. */
static bool write_gap(struct writing *w, const struct linear_gap *gap)
{
    struct line difference = {.constant = 0};
    if (!line_form(w, &difference, gap->row->sides[0], 0, 1) ||
        !line_form(w, &difference, gap->row->sides[1], 1, -1))
        return false;
    struct line above = difference, below = line_negative(&difference, 0);
    if (!line_poly(w, &above, gap->distance, -1, true) ||
        !line_poly(w, &below, gap->distance, -1, true))
        return false;
    struct choice *choice = choice_new(w);
    lines over = {0}, under = {0};
    vec_push(w->arena, &over, above);
    vec_push(w->arena, &under, below);
    choice_add(w, choice, over);
    choice_add(w, choice, under);
    return true;
}

/* (x - least x) * (y - least y) >= 0 for a product of two parameters with lower bounds. */
static void write_product(struct writing *w, size_t number)
{
    const struct context *context = w->linear->context;
    struct ring *ring = w->linear->analysis->ring;
    const struct poly *product = NULL;
    struct line line = {.constant = 0};
    int degree = 0;
    for (int v = 0; v < ring_count(ring); v++)
        for (unsigned k = 0; k < w->products.at[number].exponents[v]; k++) {
            const struct poly *x = poly_sub(poly_variable(ring, v),
                                            poly_integer(ring, context->lo[v]));
            if (!context->has_lo[v] || ++degree > 2)
                return;
            product = product ? poly_mul(product, x) : x;
        }
    if (product && line_poly(w, &line, product, 1, false))
        vec_push(w->arena, &w->least, line);
}

/* What is known of products of parameters, and of parameters beside them. */
static void write_product_facts(struct writing *w)
{
    const struct context *context = w->linear->context;
    for (size_t i = 0; i < w->products.count; i++)
        write_product(w, i);
    for (size_t i = 0; i < context->facts.count; i++) {
        struct line line = {.constant = 0};
        if (line_poly(w, &line, context->facts.at[i], 1, false))
            vec_push(w->arena, &w->least, line);
    }
}

/* Lower bounds; where digits were folded or products of parameters occur, the facts. */
static void write_facts(struct writing *w)
{
    const struct linear_set *linear = w->linear;
    const struct context *context = linear->context;
    if (linear->folded || w->products.count)
        write_product_facts(w);
    for (int v = 0; v < ring_count(linear->analysis->ring); v++)
        if (w->params[v] && context->has_lo[v]) {
            struct line line = {.constant = -context->lo[v]};
            line.at[w->params[v] - 1] = 1;
            vec_push(w->arena, &w->least, line);
        }
}

static const int64_t *lines_pack(const struct writing *w, const lines *from)
{
    size_t n = (size_t)w->n_columns;
    int64_t *rows = ARENA_ARRAY(w->arena, int64_t, (from->count + 1) * (n + 1));
    for (size_t i = 0; i < from->count; i++) {
        memcpy(rows + i * (n + 1), from->at[i].at, n * sizeof *rows);
        rows[i * (n + 1) + n] = from->at[i].constant;
    }
    return rows;
}

/* Is there certainly no solution in which choices from number `at` on are met? */
static bool choices_empty(struct writing *w, size_t at)
{
    struct presburger_system system = {w->n_columns, w->equal.count, w->least.count,
                                       lines_pack(w, &w->equal), lines_pack(w, &w->least)};
    while (at < w->n_choices && !w->choices[at].alternatives.count)
        at++;
    if (--w->leaves < 0)
        return false;
    if (presburger_system_empty(w->linear->analysis->presburger, &system))
        return true;
    if (at == w->n_choices)
        return false;
    size_t mark = w->least.count;
    bool empty = true;
    for (size_t i = 0; i < w->choices[at].alternatives.count && empty; i++) {
        const lines *alternative = &w->choices[at].alternatives.at[i];
        for (size_t k = 0; k < alternative->count; k++)
            vec_push(w->arena, &w->least, alternative->at[k]);
        empty = choices_empty(w, at + 1);
        w->least.count = mark;
    }
    return empty;
}

bool linear_empty(struct linear_set *linear, const struct linear_gap *gap)
{
    struct arena *arena = arena_new();
    struct writing *w = ARENA_NEW(arena, struct writing);
    w->linear = linear;
    w->arena = arena;
    w->leaves = LEAVES_MAX;
    for (int side = 0; side < 2; side++)
        w->columns[side] = ARENA_ARRAY(arena, int, linear->variables.count + 1);
    bool asked = !gap || write_gap(w, gap);
    if (asked) {
        write_relation(w, !gap);
        asked = write_rows(w) || gap || !linear->rows.count;
    }
    if (asked) {
        for (size_t i = 0; i < linear->constraints.count; i++)
            write_constraint(w, &linear->constraints.at[i]);
        write_facts(w);
    }
    bool empty = asked && choices_empty(w, 0);
    arena_free(arena);
    return empty;
}

bool linear_refutes(struct analysis *analysis, const struct context *context,
                    const struct access *a, const struct access *b,
                    const struct meeting_question *question)
{
    struct linear_set *linear = linear_meeting(analysis, context, a, b, question);
    if (!linear->rows.count)
        return false;
    if (linear_empty(linear, NULL))
        return true;
    bool folded = numbers_fold(linear), split = numbers_split(linear);
    return (folded || split) && linear_empty(linear, NULL);
}

/* Does b stand under all of a's conditions on parameters? */
static bool conditions_shared(const struct access *a, const struct access *b)
{
    for (size_t i = 0; i < a->n_path; i++) {
        const struct condition *c = &a->path[i].condition;
        bool shared = a->path[i].iterator >= 0 || c->kind != CONDITION_PARAMS || !c->expr;
        for (size_t k = 0; k < b->n_path && !shared; k++)
            shared = b->path[k].iterator < 0 && b->path[k].condition.expr &&
                     b->path[k].condition.negated == c->negated &&
                     expr_equal(b->path[k].condition.expr, c->expr);
        if (!shared)
            return false;
    }
    return true;
}

bool linear_excludes(struct analysis *analysis, const struct access *a, const struct access *b)
{
    if (conditions_shared(a, b) || conditions_shared(b, a))
        return false;
    struct linear_set *linear = linear_conditions(analysis, a, b);
    return linear && linear_empty(linear, NULL);
}

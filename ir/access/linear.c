/* In: two references and a question about them. Out: the system of linear.h: the loops around both
   executions, their conditions, equal subscripts and how the executions are related.

   An iterator counts the rounds of its loop where the first value and the step are parameters: its
   variable is first + step * rounds; else it has the variable's values. Quotients and remainders by
   literals are exact, with C's truncation: fresh variables q, r with e = m*q + r and r of e's sign;
   so are the low bits of e, `e & m - 1`.
   Quotients of parameters are floors, whose facts the context has. */
#include "ir/access/linear.h"

struct building {
    struct linear_set *linear;
    const struct access *access;      /* whose iterators are in scope; NULL: none */
    int side;
    const int *numbers;               /* by iterator of the side: its variable */
};

static const struct form *term_of(struct building *build, const struct expr *e);

static const struct form *term_var(struct building *build, const struct var *var)
{
    struct analysis *analysis = build->linear->analysis;
    int v = ring_find(analysis->ring, var->name);
    if (var->kind == VAR_PARAM && v >= 0 && analysis->params[v] == var)
        return form_constant(analysis, poly_variable(analysis->ring, v));
    if (build->access)
        for (size_t i = 0; i < build->access->n_path; i++) {
            int k = build->access->path[i].iterator;
            if (k >= 0 && analysis->iterators.at[k].var == var)
                return build->linear->values[build->side][k];
        }
    return NULL;
}

static bool literal(const struct expr *e, int64_t *value)
{
    while (e->kind == EXPR_CAST && type_bytes(e->type) >= 4)
        e = e->arguments[0];
    *value = e->integer;
    return e->kind == EXPR_INTEGER;
}

static int variable_add(struct building *build)
{
    struct linear_set *linear = build->linear;
    struct linear_variable fresh = {.in = {build->side == 0, build->side == 1}};
    vec_push(linear->analysis->arena, &linear->variables, fresh);
    return (int)linear->variables.count - 1;
}

static void constraint_add(struct building *build, enum linear_kind kind, const struct form *form)
{
    struct linear_constraint c = {kind, build->side, form, 0, -1, -1};
    vec_push(build->linear->analysis->arena, &build->linear->constraints, c);
}

static const struct form *term_divide(struct building *build, const struct expr *e)
{
    struct analysis *analysis = build->linear->analysis;
    int64_t m;
    const struct form *a = term_of(build, e->arguments[0]);
    if (a && literal(e->arguments[1], &m) && m >= 1) {
        struct linear_constraint c = {LINEAR_DIVISION, build->side, a, m, variable_add(build), 0};
        c.remainder = variable_add(build);
        vec_push(analysis->arena, &build->linear->constraints, c);
        return form_iterator(analysis, e->op == OP_DIV ? c.quotient : c.remainder);
    }
    const struct form *b = a && a->n_terms == 0 ? term_of(build, e->arguments[1]) : NULL;
    if (!b || b->n_terms || poly_is_zero(b->constant))
        return NULL;
    int q = analysis_floor(analysis, a->constant, b->constant, e->type);
    if (q < 0)
        return NULL;
    const struct form *quotient = form_constant(analysis, poly_variable(analysis->ring, q));
    return e->op == OP_DIV ? quotient
                           : form_sub(analysis, a, form_scale(analysis, quotient, b->constant));
}

/* `e & m - 1` for a power m of two: r in e = m*q + r with 0 <= r < m, also for e below 0. */
static const struct form *term_mask(struct building *build, const struct expr *e)
{
    struct analysis *analysis = build->linear->analysis;
    int64_t most;
    const struct form *a = term_of(build, e->arguments[0]);
    if (!a || !literal(e->arguments[1], &most) || most < 1 || most > INT16_MAX ||
        (most & (most + 1)))
        return NULL;
    const struct form *quotient = form_iterator(analysis, variable_add(build));
    const struct form *rest =
        form_sub(analysis, a, form_scale(analysis, quotient,
                                         poly_integer(analysis->ring, most + 1)));
    constraint_add(build, LINEAR_LEAST, rest);
    constraint_add(build, LINEAR_LEAST,
                   form_sub(analysis, form_integer(analysis, most), rest));
    return rest;
}

static const struct form *term_binary(struct building *build, const struct expr *e)
{
    struct analysis *analysis = build->linear->analysis;
    if (e->op == OP_DIV || e->op == OP_REM)
        return term_divide(build, e);
    if (e->op == OP_AND)
        return term_mask(build, e);
    if (e->op != OP_ADD && e->op != OP_SUB && e->op != OP_MUL)
        return NULL;
    const struct form *a = term_of(build, e->arguments[0]),
                      *b = a ? term_of(build, e->arguments[1]) : NULL;
    if (!b)
        return NULL;
    if (e->op == OP_ADD)
        return form_add(analysis, a, b);
    if (e->op == OP_SUB)
        return form_sub(analysis, a, b);
    if (b->n_terms == 0)
        return form_scale(analysis, a, b->constant);
    return a->n_terms == 0 ? form_scale(analysis, b, a->constant) : NULL;
}

/* An integer as a form over the side's variables; NULL if it is not linear. */
static const struct form *term_of(struct building *build, const struct expr *e)
{
    struct analysis *analysis = build->linear->analysis;
    if (type_is_floating(e->type))
        return NULL;
    switch (e->kind) {
    case EXPR_INTEGER: return form_integer(analysis, e->integer);
    case EXPR_VAR: return term_var(build, e->var);
    case EXPR_CAST: return type_bytes(e->type) >= 4 ? term_of(build, e->arguments[0]) : NULL;
    case EXPR_UNARY: {
        const struct form *a = e->op == OP_NEG ? term_of(build, e->arguments[0]) : NULL;
        return a ? form_scale(analysis, a, poly_integer(analysis->ring, -1)) : NULL;
    }
    case EXPR_BINARY: return term_binary(build, e);
    default: return NULL;
    }
}

static void compare_add(struct building *build, const struct form *a, enum op op,
                        const struct form *b)
{
    struct analysis *analysis = build->linear->analysis;
    const struct form *less = form_sub(analysis, b, a), *more = form_sub(analysis, a, b),
                      *one = form_integer(analysis, 1);
    switch (op) {
    case OP_LT: constraint_add(build, LINEAR_LEAST, form_sub(analysis, less, one)); break;
    case OP_LE: constraint_add(build, LINEAR_LEAST, less); break;
    case OP_GT: constraint_add(build, LINEAR_LEAST, form_sub(analysis, more, one)); break;
    case OP_GE: constraint_add(build, LINEAR_LEAST, more); break;
    case OP_EQ: constraint_add(build, LINEAR_EQUAL, less); break;
    default: constraint_add(build, LINEAR_UNEQUAL, less); break;
    }
}

/* Adds the condition if it is linear and signed; otherwise nothing. */
static void condition_add(struct building *build, const struct expr *e, bool negated)
{
    struct linear_set *linear = build->linear;
    while (e->kind == EXPR_UNARY && e->op == OP_NOT) {
        negated = !negated;
        e = e->arguments[0];
    }
    size_t mark = linear->constraints.count;
    bool compares = e->kind == EXPR_BINARY && e->op >= OP_LT && e->op <= OP_NE;
    if (compares && !type_is_signed(e->arguments[0]->type))
        return;
    const struct form *a = term_of(build, compares ? e->arguments[0] : e), *b = NULL;
    if (a)
        b = compares ? term_of(build, e->arguments[1]) : form_integer(linear->analysis, 0);
    if (!a || !b) {
        linear->constraints.count = mark;
        return;
    }
    enum op op = compares ? e->op : OP_NE;
    compare_add(build, a, negated ? op_negate(op) : op, b);
}

/* The loop of one step of the path: the variable's value in terms of the iterator, its bounds. */
static void loop_add(struct building *build, const struct path_step *step)
{
    struct linear_set *linear = build->linear;
    struct analysis *analysis = linear->analysis;
    int number = build->numbers[step->iterator];
    const struct form *from = step->from ? term_of(build, step->from) : NULL;
    const struct form *by = step->step ? term_of(build, step->step) : NULL;
    const struct form *to = step->to ? term_of(build, step->to) : NULL;
    const struct form *rounds = form_iterator(analysis, number), *value = rounds;
    int64_t stride = 0;
    bool literal_step = by && by->n_terms == 0 && poly_get_integer(by->constant, &stride);
    /* term_of may have added variables and moved them. */
    struct linear_variable *variable = &linear->variables.at[number];
    if (from && from->n_terms == 0 && by && by->n_terms == 0) {
        value = form_add(analysis, from, form_scale(analysis, rounds, by->constant));
        constraint_add(build, LINEAR_LEAST, rounds);
        if (literal_step && stride == 1 && to && to->n_terms == 0)
            variable->extent = poly_sub(to->constant, from->constant);
    } else if (from) {
        constraint_add(build, LINEAR_LEAST, form_sub(analysis, value, from));
        if (literal_step && stride > 1)
            constraint_add(build, LINEAR_EQUAL,
                           form_sub(analysis, form_sub(analysis, value, from),
                                    form_scale(analysis,
                                               form_iterator(analysis, variable_add(build)),
                                               by->constant)));
    }
    linear->values[build->side][step->iterator] = value;
    if (to)
        compare_add(build, value, OP_LT, to);
}

static void path_add(struct building *build)
{
    const struct access *access = build->access;
    for (size_t i = 0; i < access->n_path; i++) {
        const struct path_step *step = &access->path[i];
        if (step->iterator >= 0)
            loop_add(build, step);
        else if (step->condition.expr && step->condition.kind != CONDITION_OPAQUE)
            condition_add(build, step->condition.expr, step->condition.negated);
    }
}

/* The iterator of a that iterator `w` of b stands for; -1: none. */
static int partner_of(const struct analysis *analysis, const struct access *a,
                      const struct access *b, int w)
{
    const struct iterator *it = &analysis->iterators.at[w];
    bool shared = it->level == LEVEL_THREAD && a->band && b->band &&
                  bands_share_threads(a->band, b->band);
    for (size_t i = 0; i < a->n_path; i++) {
        int v = a->path[i].iterator;
        if (v >= 0 && (v == w || (shared && analysis->iterators.at[v].level == LEVEL_THREAD &&
                                  analysis->iterators.at[v].axis == it->axis)))
            return v;
    }
    return -1;
}

static struct linear_set *linear_new(struct analysis *analysis, const struct context *context)
{
    struct linear_set *linear = ARENA_NEW(analysis->arena, struct linear_set);
    linear->analysis = analysis;
    linear->context = context;
    for (int side = 0; side < 2; side++)
        linear->values[side] = ARENA_ARRAY(analysis->arena, const struct form *,
                                           analysis->iterators.count + 1);
    for (size_t i = 0; i < analysis->iterators.count; i++)
        vec_push(analysis->arena, &linear->variables, ((struct linear_variable){0}));
    return linear;
}

static void rows_add(struct linear_set *linear, const struct building *sides)
{
    const struct access *a = sides[0].access, *b = sides[1].access;
    for (int d = 0; d < a->reference.array->n_dims; d++) {
        struct building left = sides[0], right = sides[1];
        if (!a->indices[d] || !b->indices[d])
            continue;
        struct linear_row row = {{term_of(&left, a->indices[d]), NULL}};
        row.sides[1] = row.sides[0] ? term_of(&right, b->indices[d]) : NULL;
        if (row.sides[1])
            vec_push(linear->analysis->arena, &linear->rows, row);
    }
}

struct linear_set *linear_meeting(struct analysis *analysis, const struct context *context,
                              const struct access *a, const struct access *b,
                              const struct meeting_question *question)
{
    struct linear_set *linear = linear_new(analysis, context);
    int n = (int)analysis->iterators.count;
    int *numbers[2] = {ARENA_ARRAY(analysis->arena, int, (size_t)n + 1),
                       ARENA_ARRAY(analysis->arena, int, (size_t)n + 1)};
    struct building sides[2] = {{linear, a, 0, numbers[0]}, {linear, b, 1, numbers[1]}};
    for (int side = 0; side < 2; side++) {
        const struct access *access = sides[side].access;
        for (size_t i = 0; i < access->n_path; i++) {
            int v = access->path[i].iterator, w = v < 0 ? -1 : v;
            if (w < 0)
                continue;
            if (side == 1 && partner_of(analysis, a, b, v) >= 0)
                w = partner_of(analysis, a, b, v);
            numbers[side][v] = w;
            linear->variables.at[w].in[side] = true;
        }
    }
    path_add(&sides[0]);
    path_add(&sides[1]);
    rows_add(linear, sides);
    for (int v = 0; v < n; v++) {
        struct linear_variable *variable = &linear->variables.at[v];
        enum relation_of r = iterator_relation(analysis, question, v);
        if (!variable->in[0] || !variable->in[1])
            continue;
        variable->different = r == DIFFERENT;
        variable->apart = r == SAME ? poly_integer(analysis->ring, 0) : NULL;
    }
    return linear;
}

struct linear_set *linear_conditions(struct analysis *analysis, const struct access *a,
                                 const struct access *b)
{
    struct linear_set *linear = linear_new(analysis, analysis->context);
    int conditions[2] = {0, 0};
    for (int side = 0; side < 2; side++) {
        const struct access *access = side ? b : a;
        struct building build = {linear, NULL, side, NULL};
        for (size_t i = 0; i < access->n_path; i++) {
            const struct condition *c = &access->path[i].condition;
            if (access->path[i].iterator < 0 && c->kind == CONDITION_PARAMS && c->expr) {
                condition_add(&build, c->expr, c->negated);
                conditions[side]++;
            }
        }
    }
    return conditions[0] && conditions[1] ? linear : NULL;
}

/* In: two references and a question. Out: is it certain, by integer linear arithmetic, that they
   never meet? And: do conditions on parameters exclude each other?

   The meeting is written down as a set in isl's notation: both executions' iterators with their
   bounds, conditions, equal subscripts and the relation asked for. What is not linear with literal
   coefficients is left out, which only makes the set larger; so this decides triangles, strided and
   modulo subscripts with literal sizes, where the digits of delta.c say "open". Quotients and
   remainders by literals are exact, with C's truncation: fresh variables q, r with e = m*q + r and
   r of e's sign. */
#include "ir/access/delta.h"
#include <string.h>

struct writing {
    struct analysis *analysis;
    struct arena *arena;
    char side;                        /* 'a', 'b', or 'p': parameters only */
    const struct access *access;      /* whose iterators are in scope */
    struct str names, constraints;
    int fresh;
    bool failed;
};

static const char *write_expr(struct writing *w, const struct expr *e);

static const char *write_var(struct writing *w, const struct var *var)
{
    int v = ring_find(w->analysis->ring, var->name);
    if (var->kind == VAR_PARAM && v >= 0 && w->analysis->params[v] == var)
        return arena_printf(w->arena, "p%d", v);
    if (w->access)
        for (size_t i = 0; i < w->access->n_path; i++) {
            int k = w->access->path[i].iterator;
            if (k >= 0 && w->analysis->iterators.at[k].var == var)
                return arena_printf(w->arena, "%c%d", w->side, k);
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

static const char *write_division(struct writing *w, const struct expr *e)
{
    int64_t m;
    const char *a = write_expr(w, e->arguments[0]);
    if (!a || !literal(e->arguments[1], &m) || m < 1)
        return NULL;
    int n = w->fresh++;
    str_addf(&w->names, ", q%d, r%d", n, n);
    str_addf(&w->constraints,
             " and %s = %lld*q%d + r%d and ((%s >= 0 and 0 <= r%d < %lld) or (%s < 0 and %lld < "
             "r%d <= 0))",
             a, (long long)m, n, n, a, n, (long long)m, a, (long long)-m, n);
    return arena_printf(w->arena, "%c%d", e->op == OP_DIV ? 'q' : 'r', n);
}

static const char *write_binary(struct writing *w, const struct expr *e)
{
    int64_t value;
    if (e->op == OP_DIV || e->op == OP_REM)
        return write_division(w, e);
    if (e->op == OP_MUL && !literal(e->arguments[0], &value) && !literal(e->arguments[1], &value))
        return NULL;
    if (e->op != OP_ADD && e->op != OP_SUB && e->op != OP_MUL)
        return NULL;
    const char *a = write_expr(w, e->arguments[0]), *b = a ? write_expr(w, e->arguments[1]) : NULL;
    return b ? arena_printf(w->arena, "(%s %s %s)", a, op_text(e->op), b) : NULL;
}

/* An integer term; NULL if it is not linear. */
static const char *write_expr(struct writing *w, const struct expr *e)
{
    if (type_is_floating(e->type))
        return NULL;
    switch (e->kind) {
    case EXPR_INTEGER: return arena_printf(w->arena, "(%lld)", (long long)e->integer);
    case EXPR_VAR: return write_var(w, e->var);
    case EXPR_CAST: return type_bytes(e->type) >= 4 ? write_expr(w, e->arguments[0]) : NULL;
    case EXPR_UNARY: {
        const char *a = e->op == OP_NEG ? write_expr(w, e->arguments[0]) : NULL;
        return a ? arena_printf(w->arena, "(-%s)", a) : NULL;
    }
    case EXPR_BINARY: return write_binary(w, e);
    default: return NULL;
    }
}

static const char *comparison(enum op op, bool negated)
{
    switch (op) {
    case OP_LT: return negated ? ">=" : "<";
    case OP_LE: return negated ? ">" : "<=";
    case OP_GT: return negated ? "<=" : ">";
    case OP_GE: return negated ? "<" : ">=";
    case OP_EQ: return negated ? "!=" : "=";
    case OP_NE: return negated ? "=" : "!=";
    default: return NULL;
    }
}

/* Adds the condition if it is linear and signed; otherwise nothing. */
static void write_condition(struct writing *w, const struct expr *e, bool negated)
{
    while (e->kind == EXPR_UNARY && e->op == OP_NOT) {
        negated = !negated;
        e = e->arguments[0];
    }
    size_t mark = w->constraints.length, names = w->names.length;
    const char *op = e->kind == EXPR_BINARY ? comparison(e->op, negated) : NULL;
    bool wraps = op && !type_is_signed(e->arguments[0]->type);
    const char *a = wraps ? NULL : write_expr(w, op ? e->arguments[0] : e);
    const char *b = a && op ? write_expr(w, e->arguments[1]) : "0";
    if (a && b) {
        if (!op)
            op = negated ? "=" : "!=";
        str_addf(&w->constraints, " and %s %s %s", a, op, b);
        return;
    }
    w->constraints.length = mark;
    w->constraints.text[mark] = '\0';
    w->names.length = names;
    w->names.text[names] = '\0';
}

static void write_access(struct writing *w, const struct access *access, char side)
{
    w->access = access;
    w->side = side;
    for (size_t i = 0; i < access->n_path; i++) {
        const struct path_step *step = &access->path[i];
        if (step->iterator < 0) {
            if (step->condition.expr && step->condition.kind != CONDITION_OPAQUE)
                write_condition(w, step->condition.expr, step->condition.negated);
            continue;
        }
        str_addf(&w->names, ", %c%d", side, step->iterator);
        const char *from = step->from ? write_expr(w, step->from) : NULL,
                   *to = step->to ? write_expr(w, step->to) : NULL;
        int64_t by = 0;
        if (from)
            str_addf(&w->constraints, " and %c%d >= %s", side, step->iterator, from);
        if (to)
            str_addf(&w->constraints, " and %c%d < %s", side, step->iterator, to);
        if (from && step->step && literal(step->step, &by) && by > 1)
            str_addf(&w->constraints, " and (%c%d - %s) mod %lld = 0", side, step->iterator, from,
                     (long long)by);
    }
}

/* Equal subscripts; false if none can be written. */
static bool write_subscripts(struct writing *w, const struct access *a, const struct access *b)
{
    bool any = false;
    for (int d = 0; d < a->reference.array->n_dims; d++) {
        if (!a->indices[d] || !b->indices[d])
            continue;
        w->access = a, w->side = 'a';
        const char *x = write_expr(w, a->indices[d]);
        w->access = b, w->side = 'b';
        const char *y = x ? write_expr(w, b->indices[d]) : NULL;
        if (y)
            str_addf(&w->constraints, " and %s = %s", x, y);
        any |= y != NULL;
    }
    return any;
}

static enum relation_of step_relation(const struct analysis *analysis,
                                      const struct meeting_question *question, int iterator)
{
    const struct iterator *it = &analysis->iterators.at[iterator];
    for (size_t i = 0; i < question->n_loops; i++)
        if (it->stmt == question->loops[i])
            return DIFFERENT;
    switch (it->level) {
    case LEVEL_GRID: return question->grid;
    case LEVEL_OUTER: return question->outer;
    case LEVEL_THREAD: return question->thread;
    default: return question->serial;
    }
}

/* Only for references of one nest: iterators are matched by number. */
static void write_relation(struct writing *w, const struct access *a, const struct access *b,
                           const struct meeting_question *question)
{
    struct str differ = str_new(w->arena);
    for (size_t i = 0; i < a->n_path; i++)
        for (size_t k = 0; k < b->n_path; k++) {
            int v = a->path[i].iterator;
            if (v < 0 || b->path[k].iterator != v)
                continue;
            enum relation_of r = step_relation(w->analysis, question, v);
            if (r == SAME)
                str_addf(&w->constraints, " and a%d = b%d", v, v);
            if (r == DIFFERENT)
                str_addf(&differ, "%sa%d != b%d", differ.length ? " or " : "", v, v);
        }
    if (differ.length)
        str_addf(&w->constraints, " and (%s)", differ.text);
}

static int write_decide(struct writing *w)
{
    struct str set = str_new(w->arena);
    for (int v = 0; v < ring_count(w->analysis->ring); v++)
        if (w->analysis->params[v]) {
            str_addf(&set, "%sp%d", set.length ? ", " : "[", v);
            if (w->analysis->context->has_lo[v])
                str_addf(&w->constraints, " and p%d >= %lld", v,
                         (long long)w->analysis->context->lo[v]);
        }
    str_addf(&set, "%s] -> { [z%s] : z = 0%s }", set.length ? "" : "[", w->names.text,
             w->constraints.text);
    return presburger_empty(w->analysis->presburger, set.text);
}

static struct writing writing_begin(struct analysis *analysis, struct arena *arena)
{
    struct writing w = {.analysis = analysis, .arena = arena};
    w.names = str_new(arena);
    w.constraints = str_new(arena);
    return w;
}

bool linear_refutes(struct analysis *analysis, const struct access *a, const struct access *b,
                    const struct meeting_question *question)
{
    struct arena *arena = arena_new();
    struct writing w = writing_begin(analysis, arena);
    write_access(&w, a, 'a');
    write_access(&w, b, 'b');
    bool refuted = write_subscripts(&w, a, b);
    write_relation(&w, a, b, question);
    refuted = refuted && write_decide(&w) == 1;
    arena_free(arena);
    return refuted;
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
    struct arena *arena = arena_new();
    struct writing w = writing_begin(analysis, arena);
    w.side = 'p';
    int conditions[2] = {0, 0};
    for (int side = 0; side < 2; side++) {
        const struct access *access = side ? b : a;
        for (size_t i = 0; i < access->n_path; i++) {
            const struct condition *c = &access->path[i].condition;
            if (access->path[i].iterator < 0 && c->kind == CONDITION_PARAMS && c->expr) {
                write_condition(&w, c->expr, c->negated);
                conditions[side]++;
            }
        }
    }
    bool excluded = conditions[0] && conditions[1] && write_decide(&w) == 1;
    arena_free(arena);
    return excluded;
}

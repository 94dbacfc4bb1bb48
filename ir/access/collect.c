/* In: a kernel in banded form, and what is known of its parameters. Out: every reference to a
   global array with its iterators, the conditions it stands under, its guards and its subscripts as
   linear forms.

   The walk keeps a scope of local scalars (definitions that are assigned once are substituted,
   others are unknown) and a path of loops and conditions, both undone on the way back. Conditions
   also arise inside expressions: the arms of a selection and the right sides of && and ||. What
   the path says of ranges, guards and facts is settle.c's. */
#include "ir/access/analysis.h"
#include "ir/walk.h"
#include <string.h>

struct collection {
    struct analysis *analysis;
    const struct stmt *band;
    const struct stmt *vector, *end;
    VEC(struct path_step) path;
    struct guards guards;
};

static void walk_stmt(struct collection *walk, const struct stmt *s);

static bool is_assigned(const struct analysis *analysis, const struct var *var)
{
    for (size_t i = 0; i < analysis->assigned.count; i++)
        if (analysis->assigned.at[i] == var)
            return true;
    return false;
}

static void find_assigned(struct analysis *analysis)
{
    struct stmt_walk walk;
    const struct stmt *body = analysis->kernel->body;
    for (const struct stmt *s = stmt_first(&walk, analysis->arena, body); s; s = stmt_next(&walk))
        if (s->kind == STMT_SET || (s->kind == STMT_LET && !s->value))
            vec_push(analysis->arena, &analysis->assigned, s->var);
}

static void kind_of_node(struct analysis *analysis, const struct expr *e, enum condition_kind *kind)
{
    enum condition_kind found = CONDITION_PARAMS;
    if (e->kind == EXPR_LOAD) {
        found = CONDITION_OPAQUE;
    } else if (e->kind == EXPR_VAR && e->var->kind != VAR_PARAM) {
        const struct scope_binding *binding = scope_find(analysis, e->var);
        if (!binding || binding->iterator < 0)
            found = CONDITION_OPAQUE;
        else if (analysis->iterators.at[binding->iterator].level <= LEVEL_OUTER)
            found = CONDITION_BLOCK;
        else
            found = CONDITION_THREAD;
    }
    if (found > *kind)
        *kind = found;
    for (int i = 0; i < e->n_arguments; i++)
        kind_of_node(analysis, e->arguments[i], kind);
}

/* What the walk has just learnt, from the given places of its lists on, as lists of their own. */
static struct guards guards_since(struct collection *walk, size_t n_forms, size_t n_facts)
{
    struct arena *arena = walk->analysis->arena;
    struct guards own = {.leans = walk->guards.leans};
    for (size_t i = n_forms; i < walk->guards.forms.count; i++)
        vec_push(arena, &own.forms, walk->guards.forms.at[i]);
    for (size_t i = n_facts; i < walk->guards.facts.count; i++)
        vec_push(arena, &own.facts, walk->guards.facts.at[i]);
    return own;
}

static struct condition condition_make(struct collection *walk, const struct expr *e, bool negated)
{
    struct condition condition = {.expr = scope_expand(walk->analysis, e), .negated = negated};
    size_t n_forms = walk->guards.forms.count, n_facts = walk->guards.facts.count;
    if (condition.expr)
        kind_of_node(walk->analysis, condition.expr, &condition.kind);
    else
        condition.kind = CONDITION_OPAQUE;
    walk->guards.leans = false;
    condition.affine = guard_collect(walk->analysis, e, negated, &walk->guards);
    condition.guards = guards_since(walk, n_forms, n_facts);
    return condition;
}

/* Conjunctions become conditions of their own, so that each keeps its kind. */
static void condition_push(struct collection *walk, const struct expr *e, bool negated)
{
    if (e->kind == EXPR_UNARY && e->op == OP_NOT) {
        condition_push(walk, e->arguments[0], !negated);
    } else if (e->kind == EXPR_BINARY && e->op == (negated ? OP_LOR : OP_LAND)) {
        condition_push(walk, e->arguments[0], negated);
        condition_push(walk, e->arguments[1], negated);
    } else {
        struct path_step step = {.iterator = -1, .condition = condition_make(walk, e, negated)};
        vec_push(walk->analysis->arena, &walk->path, step);
    }
}

/* The lengths of the path, the guards and the scope, to which walk_return cuts them back. */
struct mark {
    size_t path, forms, facts, scope;
};

static struct mark walk_mark(const struct collection *walk)
{
    return (struct mark){walk->path.count, walk->guards.forms.count, walk->guards.facts.count,
                         walk->analysis->scope.count};
}

static void walk_return(struct collection *walk, struct mark mark)
{
    walk->path.count = mark.path;
    walk->guards.forms.count = mark.forms;
    walk->guards.facts.count = mark.facts;
    walk->analysis->scope.count = mark.scope;
}

static const char *subscript_reason(struct analysis *analysis, const struct expr *e)
{
    return arena_printf(analysis->ctx->arena,
                        "the subscript %s is not affine in the loop variables",
                        expr_text(analysis->ctx->arena, e));
}

/* The affine terms of a sum, without the others; NULL if there are none. */
static const struct form *affine_part(struct analysis *analysis, const struct expr *e)
{
    const struct form *form = form_of(analysis, e);
    if (form)
        return form;
    if (e->kind == EXPR_CAST)
        return affine_part(analysis, e->arguments[0]);
    if (e->kind != EXPR_BINARY || (e->op != OP_ADD && e->op != OP_SUB))
        return NULL;
    const struct form *a = affine_part(analysis, e->arguments[0]),
                      *b = affine_part(analysis, e->arguments[1]);
    if (!a || !b)
        return a || e->op == OP_SUB ? a : b;
    return e->op == OP_ADD ? form_add(analysis, a, b) : form_sub(analysis, a, b);
}

/* How far the first subscript of an open array goes if it is not affine. */
static void access_reach(struct analysis *analysis, struct access *access, const struct expr *index)
{
    struct reached *reach = ARENA_NEW(analysis->arena, struct reached);
    *reach = reach_of(analysis, index);
    access->reach = reach;
    access->part = affine_part(analysis, index);
}

static void access_add(struct collection *walk, struct reference reference,
                       const struct expr *const *indices)
{
    struct analysis *analysis = walk->analysis;
    if (reference.array->space != SPACE_GLOBAL &&
        (reference.array->space != SPACE_SHARED || !analysis->shared))
        return;
    struct access *access = ARENA_NEW(analysis->arena, struct access);
    int n = reference.array->n_dims;
    const struct form **subscripts = ARENA_ARRAY(analysis->arena, const struct form *, n);
    const struct form **usual = ARENA_ARRAY(analysis->arena, const struct form *, n);
    const struct expr **expanded = ARENA_ARRAY(analysis->arena, const struct expr *, n);
    access->choices = 1;
    for (int d = 0; d < n; d++) {
        subscripts[d] = form_of(analysis, indices[d]);
        usual[d] = subscripts[d];
        if (!usual[d] && reference.array->space == SPACE_GLOBAL)
            usual[d] = form_usual(analysis, indices[d], &access->choices);
        expanded[d] = scope_expand(analysis, indices[d]);
        if (!subscripts[d] && !access->unknown)
            access->unknown = subscript_reason(analysis, indices[d]);
    }
    if (!subscripts[0] && !reference.array->dims[0])
        access_reach(analysis, access, indices[0]);
    access->reference = reference;
    access->subscripts = subscripts;
    access->usual = usual;
    access->indices = expanded;
    access->band = walk->band;
    access->vector = walk->vector;
    access->end = walk->end;
    if (walk->end && reference.is_write)
        access->value = scope_expand(analysis, walk->end->value);
    struct path_step *path = ARENA_ARRAY(analysis->arena, struct path_step, walk->path.count + 1);
    if (walk->path.count)
        memcpy(path, walk->path.at, walk->path.count * sizeof *path);
    access->path = path;
    access->n_path = walk->path.count;
    access_settle(analysis, access);
    vec_push(analysis->arena, &analysis->accesses, access);
}

static void sink_add(struct collection *walk, const struct expr *e)
{
    vec_push(walk->analysis->arena, &walk->analysis->sinks, scope_expand_partly(walk->analysis, e));
}

static void walk_expr(struct collection *walk, const struct expr *e)
{
    struct mark mark = walk_mark(walk);
    if (e->kind == EXPR_SELECT) {
        walk_expr(walk, e->arguments[0]);
        for (int arm = 1; arm <= 2; arm++) {
            condition_push(walk, e->arguments[0], arm == 2);
            walk_expr(walk, e->arguments[arm]);
            walk_return(walk, mark);
        }
        return;
    }
    if (e->kind == EXPR_BINARY && (e->op == OP_LAND || e->op == OP_LOR)) {
        walk_expr(walk, e->arguments[0]);
        condition_push(walk, e->arguments[0], e->op == OP_LOR);
        walk_expr(walk, e->arguments[1]);
        walk_return(walk, mark);
        return;
    }
    for (int i = 0; i < e->n_arguments; i++)
        walk_expr(walk, e->arguments[i]);
    if (e->kind == EXPR_LOAD)
        access_add(walk, (struct reference){e->array, false, e, NULL, e->loc}, e->arguments);
}

static int iterator_add(struct collection *walk, struct iterator it)
{
    struct analysis *analysis = walk->analysis;
    it.value = it.var ? expr_var(analysis->ctx->arena, it.var) : NULL;
    vec_push(analysis->arena, &analysis->iterators, it);
    int number = (int)analysis->iterators.count - 1;
    struct scope_binding binding = {it.var, form_iterator(analysis, number), NULL, number, NULL};
    vec_push(analysis->arena, &analysis->scope, binding);
    return number;
}

static void walk_axes(struct collection *walk, const struct axis *axes, int n,
                      const struct stmt *band)
{
    struct analysis *analysis = walk->analysis;
    for (int i = 0; i < n; i++) {
        const struct form *extent = form_of(analysis, axes[i].extent);
        enum level level = band ? LEVEL_THREAD : LEVEL_GRID;
        struct iterator it = {axes[i].var, level, band, i, {0}, NULL, NULL};
        it.range.lo = form_integer(analysis, 0);
        it.range.hi = extent ? form_sub(analysis, extent, form_integer(analysis, 1)) : NULL;
        struct path_step step = {.iterator = iterator_add(walk, it)};
        step.from = expr_integer(analysis->ctx->arena, TYPE_I64, 0);
        step.to = scope_expand(analysis, axes[i].extent);
        step.step = expr_integer(analysis->ctx->arena, TYPE_I64, 1);
        vec_push(analysis->arena, &walk->path, step);
    }
}

/* A loop with another step than 1: its iterator counts the rounds, var = from + step * round. */
static void rounds_bind(struct collection *walk, const struct stmt *s, const struct form *from,
                        const struct form *to, const struct form *by)
{
    struct analysis *analysis = walk->analysis;
    struct arena *arena = analysis->ctx->arena;
    struct iterator it = {s->var, walk->band ? LEVEL_SERIAL : LEVEL_OUTER, s, -1, {0}, NULL, NULL};
    it.range.lo = form_integer(analysis, 0);
    const struct poly *span = NULL;
    if (from && to && by && by->n_terms == 0)
        span = form_extreme(analysis, analysis->context, NULL, form_sub(analysis, to, from), true);
    if (span) {
        const struct poly *a = poly_add(span,
                                        poly_sub(by->constant, poly_integer(analysis->ring, 1)));
        int q = analysis_floor(analysis, a, by->constant, TYPE_I64);
        if (q >= 0)
            it.range.hi = form_constant(analysis, poly_sub(poly_variable(analysis->ring, q),
                                                           poly_integer(analysis->ring, 1)));
    }
    int number = iterator_add(walk, it);
    const struct expr *round = expr_binary(arena, OP_SUB, expr_var(arena, s->var),
                                           expr_cast(arena, s->var->type, s->from));
    round = expr_binary(arena, OP_DIV, round, expr_cast(arena, s->var->type, s->step));
    analysis->iterators.at[number].value = round;
    struct scope_binding *binding = &vec_last(&analysis->scope);
    binding->form = NULL;
    if (from && by && by->n_terms == 0)
        binding->form =
            form_add(analysis, from,
                     form_scale(analysis, form_iterator(analysis, number), by->constant));
    if (binding->form && to)
        analysis->iterators.at[number].room =
            form_sub(analysis, form_sub(analysis, to, form_integer(analysis, 1)), binding->form);
}

/* Is the binding of an integer whose bounds change as the walk goes on? */
static bool is_tracked(const struct analysis *analysis, size_t binding)
{
    const struct var *var = analysis->scope.at[binding].var;
    return analysis->open && var && var->kind == VAR_LOCAL && !type_is_floating(var->type) &&
           is_assigned(analysis, var);
}

static void reach_set(struct analysis *analysis, const struct var *var,
                       const struct reached *bounds)
{
    for (size_t i = analysis->scope.count; i-- > 0;)
        if (analysis->scope.at[i].var == var) {
            analysis->scope.at[i].bounds = bounds;
            return;
        }
}

static const struct reached *reach_keep(struct analysis *analysis, struct reached bounds)
{
    struct reached *kept = ARENA_NEW(analysis->arena, struct reached);
    *kept = bounds;
    return kept;
}

/* Forgets the bounds of what a loop's body assigns. */
static void reach_forget(struct analysis *analysis, const struct stmt *body)
{
    struct stmt_walk walk;
    if (!analysis->open)
        return;
    for (const struct stmt *s = stmt_first(&walk, analysis->arena, body); s; s = stmt_next(&walk))
        if (s->kind == STMT_SET)
            reach_set(analysis, s->var, NULL);
}

/* The bounds of all bindings as they are now. */
static const struct reached **reach_save(struct analysis *analysis, size_t n)
{
    const struct reached **saved = ARENA_ARRAY(analysis->arena, const struct reached *, n + 1);
    for (size_t i = 0; i < n; i++)
        saved[i] = analysis->scope.at[i].bounds;
    return saved;
}

/* Begins an arm of an if: what its condition says is added. */
static void reach_begin(struct analysis *analysis, const struct reached *const *before, size_t n,
                         const struct expr *condition, bool negated)
{
    for (size_t i = 0; i < n; i++) {
        struct scope_binding *binding = &analysis->scope.at[i];
        if (!is_tracked(analysis, i))
            continue;
        struct reached bounds = before[i] ? *before[i] : (struct reached){0};
        reach_refine(analysis, &bounds, expr_var(analysis->ctx->arena, binding->var), condition,
                      negated);
        binding->bounds = reach_keep(analysis, bounds);
    }
}

/* Ends an if: what holds at the end of both arms holds behind it. */
static void reach_meet(struct analysis *analysis, const struct reached *const *other, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct scope_binding *binding = &analysis->scope.at[i];
        if (!is_tracked(analysis, i))
            continue;
        binding->bounds = binding->bounds && other[i]
                              ? reach_keep(analysis, reach_join(analysis, *other[i],
                                                                  *binding->bounds))
                              : NULL;
    }
}

enum { ENDS_MAX = 8 };

/* Adds e, of a minimum its operands; what is beyond ENDS_MAX is left out. */
static int ends_add(const struct expr *e, int n, const struct expr *ends[ENDS_MAX])
{
    const struct expr *a, *b;
    if (expr_get_minimum(e, &a, &b))
        return ends_add(b, ends_add(a, n, ends), ends);
    if (n < ENDS_MAX)
        ends[n++] = e;
    return n;
}

/* What the variable of a loop stays below, all of it in every round: the loop's end, or the
   operands of a minimum, one over the parameters first if there is one. */
static int loop_ends(struct analysis *analysis, const struct stmt *loop,
                     const struct expr *ends[ENDS_MAX])
{
    const struct expr *whole = scope_expand(analysis, loop->to);
    int n = whole ? ends_add(whole, 0, ends) : 0;
    for (int i = 1; i < n; i++)
        if (expr_reads_only_params(ends[i]) && !expr_reads_only_params(ends[0])) {
            const struct expr *first = ends[i];
            ends[i] = ends[0];
            ends[0] = first;
        }
    if (n > 1)
        return n;
    ends[0] = loop->to;
    return 1;
}

static void walk_for(struct collection *walk, const struct stmt *s)
{
    struct analysis *analysis = walk->analysis;
    struct mark mark = walk_mark(walk);
    const struct expr *const bounds[3] = {s->from, s->to, s->step};
    for (int i = 0; i < 3; i++) {
        sink_add(walk, bounds[i]);
        walk_expr(walk, bounds[i]);
    }
    const struct expr *ends[ENDS_MAX];
    int n_ends = loop_ends(analysis, s, ends);
    const struct form *from = form_of(analysis, s->from), *to = form_of(analysis, ends[0]),
                      *by = form_of(analysis, s->step);
    struct path_step step = {.loop = s,
                             .from = scope_expand(analysis, s->from),
                             .to = scope_expand(analysis, s->to),
                             .step = scope_expand(analysis, s->step)};
    int64_t one;
    if (by && by->n_terms == 0 && poly_get_integer(by->constant, &one) && one == 1) {
        struct iterator it = {s->var, walk->band ? LEVEL_SERIAL : LEVEL_OUTER, s, -1, {from, NULL},
                              NULL, NULL};
        it.range.hi = to ? form_sub(analysis, to, form_integer(analysis, 1)) : NULL;
        iterator_add(walk, it);
    } else {
        rounds_bind(walk, s, from, to, by);
    }
    step.iterator = vec_last(&analysis->scope).iterator;
    vec_push(analysis->arena, &walk->path, step);
    for (int i = 1; i < n_ends; i++)
        condition_push(walk, expr_binary(analysis->ctx->arena, OP_LT,
                                         expr_var(analysis->ctx->arena, s->var), ends[i]),
                       false);
    reach_forget(analysis, s->children[0]);
    walk_stmt(walk, s->children[0]);
    reach_forget(analysis, s->children[0]);
    walk_return(walk, mark);
}

/* What stands in the loop is executed perhaps, any number of times: a condition of which nothing is
   known, and that equals no other; what its own condition reads, too. What that says of integers
   holds where a round begins. */
static void walk_while(struct collection *walk, const struct stmt *s)
{
    struct analysis *analysis = walk->analysis;
    struct mark mark = walk_mark(walk);
    struct path_step step = {
        .iterator = -1, .repeats = true, .condition = {.kind = CONDITION_OPAQUE}};
    size_t n = analysis->open ? mark.scope : 0;
    vec_push(analysis->arena, &walk->path, step);
    reach_forget(analysis, s->children[0]);
    sink_add(walk, s->value);
    walk_expr(walk, s->value);
    const struct reached **before = reach_save(analysis, n);
    reach_begin(analysis, before, n, s->value, false);
    walk_stmt(walk, s->children[0]);
    walk_return(walk, mark);
    for (size_t i = 0; i < n; i++)
        analysis->scope.at[i].bounds = before[i];
}

static void walk_let(struct collection *walk, const struct stmt *s)
{
    struct analysis *analysis = walk->analysis;
    struct scope_binding binding = {s->var, NULL, NULL, -1, NULL};
    if (s->value)
        walk_expr(walk, s->value);
    if (s->value && is_assigned(analysis, s->var))
        sink_add(walk, s->value);
    if (s->value && !is_assigned(analysis, s->var)) {
        binding.expr = scope_expand(analysis, s->value);
        binding.form = type_is_floating(s->var->type) || type_bytes(s->var->type) < 4
                           ? NULL
                           : form_of(analysis, s->value);
    }
    if (s->value && !binding.form && analysis->open)
        binding.bounds = reach_keep(analysis, reach_of(analysis, s->value));
    vec_push(analysis->arena, &analysis->scope, binding);
}

static void walk_set(struct collection *walk, const struct stmt *s)
{
    struct analysis *analysis = walk->analysis;
    sink_add(walk, s->value);
    walk_expr(walk, s->value);
    if (analysis->open)
        reach_set(analysis, s->var, reach_keep(analysis, reach_of(analysis, s->value)));
}

static void walk_if(struct collection *walk, const struct stmt *s)
{
    struct analysis *analysis = walk->analysis;
    struct mark mark = walk_mark(walk);
    sink_add(walk, s->value);
    walk_expr(walk, s->value);
    size_t n = analysis->open ? mark.scope : 0;
    const struct reached **before = reach_save(analysis, n), **then = NULL;
    for (int arm = 0; arm < 2; arm++) {
        reach_begin(analysis, before, n, s->value, arm == 1);
        if (arm < s->n_children && s->children[arm]) {
            condition_push(walk, s->value, arm == 1);
            walk_stmt(walk, s->children[arm]);
            walk_return(walk, mark);
        }
        if (arm == 0)
            then = reach_save(analysis, n);
    }
    reach_meet(analysis, then, n);
}

static void walk_stmt(struct collection *walk, const struct stmt *s)
{
    struct mark mark = walk_mark(walk);
    switch (s->kind) {
    case STMT_SEQUENCE:
        for (int i = 0; i < s->n_children; i++)
            walk_stmt(walk, s->children[i]);
        walk_return(walk, mark);
        break;
    case STMT_LET: walk_let(walk, s); break;
    case STMT_SET: walk_set(walk, s); break;
    case STMT_STORE:
        for (int d = 0; d < s->array->n_dims; d++) {
            sink_add(walk, s->indices[d]);
            walk_expr(walk, s->indices[d]);
        }
        sink_add(walk, s->value);
        walk->vector = s->width ? s : NULL;
        walk->end = s->end ? s : NULL;
        walk_expr(walk, s->value);
        access_add(walk, (struct reference){s->array, true, NULL, s, s->loc}, s->indices);
        walk->vector = NULL;
        walk->end = NULL;
        break;
    case STMT_IF: walk_if(walk, s); break;
    case STMT_FOR: walk_for(walk, s); break;
    case STMT_WHILE: walk_while(walk, s); break;
    case STMT_BAND:
        walk->band = s;
        walk_axes(walk, s->axes, s->n_axes, s);
        walk_stmt(walk, s->children[0]);
        walk->band = NULL;
        walk_return(walk, mark);
        break;
    case STMT_LAST:
        walk_stmt(walk, s->children[0]);
        walk_return(walk, mark);
        break;
    case STMT_ARRAY:
    case STMT_BARRIER: break;
    }
}

void analysis_collect(struct analysis *analysis)
{
    struct collection walk = {.analysis = analysis};
    find_assigned(analysis);
    walk_axes(&walk, analysis->kernel->grid, analysis->kernel->n_grid, NULL);
    walk_stmt(&walk, analysis->kernel->body);
}

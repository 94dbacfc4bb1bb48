#ifndef TESTS_UNIT_IR_ACCESS_TRACE_H
#define TESTS_UNIT_IR_ACCESS_TRACE_H
#include "base/vec.h"
#include "ir/kernel.h"
#include <string.h>

/* Runs a kernel's integer part literally for given parameters and lists every reference it makes:
   an independent judge of the answers of ir/access. Values that depend on data are unknown;
   conditions on them are taken both ways. */

enum { TRACE_VARS = 64, TRACE_DIMS = 4 };

struct scope {
    const struct var *vars[TRACE_VARS];
    int64_t values[TRACE_VARS];
    bool known[TRACE_VARS];
    int count;
};

struct event {
    const struct array *array;
    const void *node;                 /* the load or the store, a struct stmt */
    bool is_write;
    int64_t subscripts[TRACE_DIMS];
    int block, execution, thread;     /* execution: number of the band's execution, over the whole
                                         launch */
    struct scope scope;
};

struct execution {
    const struct stmt *band;
    int block;
    struct scope scope;               /* at block level, where the band stands */
};

struct trace {
    struct arena *arena;
    const struct kernel *kernel;
    struct scope scope;
    int block, thread, current;
    bool maybe;                       /* a condition or a subscript depended on data */
    size_t limit;
    VEC(struct event) events;
    VEC(struct execution) executions;
};

static inline void scope_set(struct scope *scope, const struct var *var, bool known, int64_t value)
{
    int i = 0;
    while (i < scope->count && scope->vars[i] != var)
        i++;
    if (i == TRACE_VARS)
        return;
    scope->vars[i] = var;
    scope->known[i] = known;
    scope->values[i] = value;
    scope->count += i == scope->count;
}

static inline bool trace_value(const struct scope *scope, const struct expr *e, int64_t *value);

static inline bool trace_binary(const struct scope *scope, const struct expr *e, int64_t *value)
{
    int64_t a, b;
    if (!trace_value(scope, e->arguments[0], &a))
        return false;
    if ((e->op == OP_LAND && !a) || (e->op == OP_LOR && a)) {
        *value = e->op == OP_LOR;
        return true;
    }
    if (!trace_value(scope, e->arguments[1], &b) ||
        ((e->op == OP_DIV || e->op == OP_REM) && b == 0))
        return false;
    switch (e->op) {
    case OP_ADD: *value = a + b; break;
    case OP_SUB: *value = a - b; break;
    case OP_MUL: *value = a * b; break;
    case OP_DIV: *value = a / b; break;
    case OP_REM: *value = a % b; break;
    case OP_LT: *value = a < b; break;
    case OP_LE: *value = a <= b; break;
    case OP_GT: *value = a > b; break;
    case OP_GE: *value = a >= b; break;
    case OP_EQ: *value = a == b; break;
    case OP_NE: *value = a != b; break;
    case OP_LAND:
    case OP_LOR: *value = b != 0; break;
    case OP_SHL: *value = a * ((int64_t)1 << b); break;
    case OP_SHR: *value = a >> b; break;
    case OP_AND: *value = a & b; break;
    default: return false;
    }
    return true;
}

/* False if the value is not a known integer. */
static inline bool trace_value(const struct scope *scope, const struct expr *e, int64_t *value)
{
    if (type_is_floating(e->type))
        return false;
    switch (e->kind) {
    case EXPR_INTEGER: *value = e->integer; return true;
    case EXPR_VAR:
        for (int i = 0; i < scope->count; i++)
            if (scope->vars[i] == e->var) {
                *value = scope->values[i];
                return scope->known[i];
            }
        return false;
    case EXPR_UNARY:
        if (!trace_value(scope, e->arguments[0], value))
            return false;
        *value = e->op == OP_NEG ? -*value : e->op == OP_NOT ? !*value : ~*value;
        return true;
    case EXPR_BINARY: return trace_binary(scope, e, value);
    case EXPR_CAST: return trace_value(scope, e->arguments[0], value);
    case EXPR_SELECT:
        return trace_value(scope, e->arguments[0], value) &&
               trace_value(scope, e->arguments[*value ? 1 : 2], value);
    default: return false;
    }
}

static inline void trace_event(struct trace *trace, const struct array *array, const void *node,
                               bool is_write, const struct expr *const *indices)
{
    struct event event = {array,        node,           is_write,      {0},
                          trace->block, trace->current, trace->thread, trace->scope};
    if (array->space != SPACE_GLOBAL || trace->events.count >= trace->limit)
        return;
    for (int d = 0; d < array->n_dims; d++)
        if (!trace_value(&trace->scope, indices[d], &event.subscripts[d])) {
            trace->maybe = true;
            return;
        }
    vec_push(trace->arena, &trace->events, event);
}

static inline void trace_expr(struct trace *trace, const struct expr *e)
{
    int64_t value;
    bool selects = e->kind == EXPR_SELECT,
         shortens = e->kind == EXPR_BINARY && (e->op == OP_LAND || e->op == OP_LOR);
    if (selects || shortens) {
        trace_expr(trace, e->arguments[0]);
        bool known = trace_value(&trace->scope, e->arguments[0], &value);
        trace->maybe |= !known;
        if (selects && (!known || value))
            trace_expr(trace, e->arguments[1]);
        if (selects && (!known || !value))
            trace_expr(trace, e->arguments[2]);
        if (shortens && (!known || (value != 0) == (e->op == OP_LAND)))
            trace_expr(trace, e->arguments[1]);
        return;
    }
    for (int i = 0; i < e->n_arguments; i++)
        trace_expr(trace, e->arguments[i]);
    if (e->kind == EXPR_LOAD)
        trace_event(trace, e->array, e, false, e->arguments);
}

static inline void trace_stmt(struct trace *trace, const struct stmt *s);

static inline void trace_points(struct trace *trace, const struct axis *axes, int n, int at,
                                int *number, const struct stmt *body)
{
    int64_t extent = 0;
    if (at == n) {
        trace->thread = (*number)++;
        trace_stmt(trace, body);
        return;
    }
    if (!trace_value(&trace->scope, axes[at].extent, &extent))
        return;
    for (int64_t v = 0; v < extent; v++) {
        scope_set(&trace->scope, axes[at].var, true, v);
        trace_points(trace, axes, n, at + 1, number, body);
    }
}

static inline void trace_band(struct trace *trace, const struct stmt *s)
{
    struct execution execution = {s, trace->block, trace->scope};
    int number = 0;
    vec_push(trace->arena, &trace->executions, execution);
    trace->current = (int)trace->executions.count - 1;
    struct scope before = trace->scope;
    trace_points(trace, s->axes, s->n_axes, 0, &number, s->children[0]);
    trace->scope = before;
    trace->thread = trace->current = -1;
}

static inline void trace_if(struct trace *trace, const struct stmt *s)
{
    int64_t value = 0;
    trace_expr(trace, s->value);
    bool known = trace_value(&trace->scope, s->value, &value);
    trace->maybe |= !known;
    if (!known || value)
        trace_stmt(trace, s->children[0]);
    if ((!known || !value) && s->n_children > 1 && s->children[1])
        trace_stmt(trace, s->children[1]);
}

static inline void trace_for(struct trace *trace, const struct stmt *s)
{
    int64_t from, to, step;
    if (!trace_value(&trace->scope, s->from, &from) || !trace_value(&trace->scope, s->to, &to) ||
        !trace_value(&trace->scope, s->step, &step) || step < 1) {
        trace->maybe = true;
        return;
    }
    for (int64_t v = from; v < to; v += step) {
        scope_set(&trace->scope, s->var, true, v);
        trace_stmt(trace, s->children[0]);
    }
}

static inline void trace_stmt(struct trace *trace, const struct stmt *s)
{
    int64_t value = 0;
    switch (s->kind) {
    case STMT_SEQUENCE:
        for (int i = 0; i < s->n_children; i++)
            trace_stmt(trace, s->children[i]);
        break;
    case STMT_LET:
    case STMT_SET:
        if (s->value)
            trace_expr(trace, s->value);
        bool known = s->value && trace_value(&trace->scope, s->value, &value);
        scope_set(&trace->scope, s->var, known, value);
        break;
    case STMT_STORE:
        for (int d = 0; d < s->array->n_dims; d++)
            trace_expr(trace, s->indices[d]);
        trace_expr(trace, s->value);
        trace_event(trace, s->array, s, true, s->indices);
        break;
    case STMT_IF: trace_if(trace, s); break;
    case STMT_FOR: trace_for(trace, s); break;
    case STMT_BAND: trace_band(trace, s); break;
    case STMT_WHILE:    /* no kernel of these tests has one */
    case STMT_ARRAY:
    case STMT_LAST: trace_stmt(trace, s->children[0]); break;
    case STMT_BARRIER: break;
    }
}

static inline void trace_grid(struct trace *trace, int at)
{
    int64_t extent = 0;
    if (at == trace->kernel->n_grid) {
        struct scope before = trace->scope;
        trace->thread = trace->current = -1;
        trace_stmt(trace, trace->kernel->body);
        trace->scope = before;
        trace->block++;
        return;
    }
    if (!trace_value(&trace->scope, trace->kernel->grid[at].extent, &extent))
        return;
    for (int64_t v = 0; v < extent; v++) {
        scope_set(&trace->scope, trace->kernel->grid[at].var, true, v);
        trace_grid(trace, at + 1);
    }
}

/* `point`: by ring variable. Everything lies in `arena`. */
static inline struct trace *trace_run(struct arena *arena, const struct kernel *kernel,
                                      const int64_t *point)
{
    struct trace *trace = ARENA_NEW(arena, struct trace);
    trace->arena = arena;
    trace->kernel = kernel;
    trace->limit = 6000;
    for (int i = 0; i < kernel->n_params; i++)
        if (kernel->params[i]->variable >= 0)
            scope_set(&trace->scope, kernel->params[i]->var, true,
                      point[kernel->params[i]->variable]);
    trace_grid(trace, 0);
    return trace;
}

#endif

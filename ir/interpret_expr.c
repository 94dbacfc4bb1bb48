/* Translates expressions to closures for one run.

   In: an expression, the run with its parameters' values; out: a tree whose leaves are constants,
   slots of the running thread, grid variables of the running block, and loads. Parameters become
   constants and integer operations on constants are done here, so that what remains is the work
   that differs between iterations.

   Each scalar has a slot in the frame of its thread. A local is checked for having a value;
   iterators always have one. */
#include "ir/fold.h"
#include "ir/interpret_code.h"
#include <assert.h>

static struct closure *code_new(struct interpreter *run, const struct expr *source)
{
    struct closure *c = ARENA_NEW(run->scratch, struct closure);
    c->type = source->type;
    c->op = source->op;
    c->source = source;
    return c;
}

int code_slot(struct interpreter *run, const struct var *var)
{
    int *slot = map_get_pointer(run->slots, var);
    if (!slot) {
        slot = ARENA_NEW(run->scratch, int);
        *slot = run->n_slots++;
        map_put_pointer(run->slots, var, slot);
    }
    return *slot;
}

static union value run_constant(const struct closure *c, struct thread *t)
{
    (void)t;
    return c->constant;
}

static union value run_slot(const struct closure *c, struct thread *t)
{
    return t->values[c->slot];
}

static union value run_grid(const struct closure *c, struct thread *t)
{
    return t->run->grid[c->slot];
}

static union value run_local(const struct closure *c, struct thread *t)
{
    if (!t->defined[c->slot])
        interpret_stop(t->run, INTERPRET_UNINITIALISED,
                       "%s'%s' is read but has no value (block %lld, thread %lld)",
                       interpret_place(t->run, c->source->loc), c->source->var->name,
                       (long long)t->run->block, (long long)t->number);
    return t->values[c->slot];
}

static union value run_select(const struct closure *c, struct thread *t)
{
    const struct closure *chosen = c->a->run(c->a, t).integer ? c->b : c->c;
    return chosen->run(chosen, t);
}

static void make_constant(struct closure *c, union value value)
{
    c->run = run_constant;
    c->constant = value;
}

static void make_var(struct interpreter *run, struct closure *c, const struct var *var)
{
    const struct kernel *k = run->kernel;
    for (int i = 0; i < k->n_params; i++)
        if (k->params[i]->var == var) {
            make_constant(c, value_normal(var->type, run->input->params[i]));
            return;
        }
    for (int i = 0; i < k->n_grid; i++)
        if (k->grid[i].var == var) {
            c->run = run_grid;
            c->slot = i;
            return;
        }
    c->run = var->kind == VAR_LOCAL ? run_local : run_slot;
    c->slot = code_slot(run, var);
}

static void make_binary(struct interpreter *run, struct closure *c, const struct expr *e)
{
    int64_t value;
    bool logical = e->op == OP_LAND || e->op == OP_LOR;
    c->a = logical ? code_condition(run, e->arguments[0]) : code_make(run, e->arguments[0]);
    c->b = logical ? code_condition(run, e->arguments[1]) : code_make(run, e->arguments[1]);
    c->from = e->arguments[0]->type;
    if (!type_is_floating(c->from) && c->a->run == run_constant && c->b->run == run_constant &&
        fold_binary(e->op, c->from, c->a->constant.integer, c->b->constant.integer, &value))
        make_constant(c, value_integer(value));
    else
        code_binary(c);
}

static void make_unary(struct interpreter *run, struct closure *c, const struct expr *e)
{
    const struct expr *operand = e->arguments[0];
    c->a = e->op == OP_NOT ? code_condition(run, operand) : code_make(run, operand);
    c->from = e->op == OP_NOT ? TYPE_I32 : operand->type;
    if (e->kind == EXPR_CAST)
        code_cast(c);
    else
        code_unary(c);
    if (c->a->run == run_constant && !type_is_floating(c->from))
        make_constant(c, c->run(c, NULL));
}

const struct closure *const *code_list(struct interpreter *run, const struct expr *const *list,
                                       int n)
{
    const struct closure **codes = ARENA_ARRAY(run->scratch, const struct closure *, n);
    for (int i = 0; i < n; i++)
        codes[i] = code_make(run, list[i]);
    return codes;
}

static union value run_floating(const struct closure *c, struct thread *t)
{
    t->run->counts->floating++;
    return c->a->run(c->a, t);
}

static union value run_integer(const struct closure *c, struct thread *t)
{
    t->run->counts->integers++;
    return c->a->run(c->a, t);
}

/* c, counted where it is an operation. */
static const struct closure *code_counted(struct interpreter *run, const struct closure *c)
{
    const struct expr *e = c->source;
    bool unary = e->kind == EXPR_UNARY && e->op != OP_NOT;
    bool binary = e->kind == EXPR_BINARY && e->op != OP_LAND && e->op != OP_LOR;
    if (!run->counts || run->in_bounds || c->run == run_constant ||
        (e->kind != EXPR_CALL && !unary && !binary))
        return c;
    struct closure *counted = code_new(run, e);
    counted->a = c;
    counted->run = type_is_floating(e->kind == EXPR_CALL ? e->type : e->arguments[0]->type)
                       ? run_floating
                       : run_integer;
    return counted;
}

const struct closure *code_make(struct interpreter *run, const struct expr *e)
{
    struct closure *c = code_new(run, e);
    switch (e->kind) {
    case EXPR_INTEGER: make_constant(c, value_integer(e->integer)); break;
    case EXPR_REAL: make_constant(c, value_real(e->real)); break;
    case EXPR_VAR: make_var(run, c, e->var); break;
    case EXPR_LOAD:
        c->memory = map_get_pointer(run->arrays, e->array);
        assert(c->memory);
        c->operands = code_list(run, e->arguments, e->n_arguments);
        c->in_end = run->in_end;
        c->run = memory_load;
        break;
    case EXPR_UNARY:
    case EXPR_CAST: make_unary(run, c, e); break;
    case EXPR_BINARY: make_binary(run, c, e); break;
    case EXPR_SELECT:
        c->a = code_condition(run, e->arguments[0]);
        c->b = code_make(run, e->arguments[1]);
        c->c = code_make(run, e->arguments[2]);
        c->run = run_select;
        break;
    case EXPR_CALL:
        c->function = function_find(e->function);
        assert(c->function);
        c->operands = code_list(run, e->arguments, e->n_arguments);
        code_call(c);
        break;
    }
    return code_counted(run, c);
}

const struct closure *code_condition(struct interpreter *run, const struct expr *e)
{
    const struct closure *a = code_make(run, e);
    if (!type_is_floating(e->type))
        return a;
    struct closure *c = code_new(run, e);
    c->a = a;
    code_truth(c);
    return c;
}

const struct closure *code_less(struct interpreter *run, const struct var *var,
                                const struct expr *to)
{
    return code_make(run, expr_binary(run->scratch, OP_LT, expr_var(run->scratch, var), to));
}

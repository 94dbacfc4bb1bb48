/* Iterators of 8 and 16 bits as `int`: `short i; for (i = 0; i < n; i++)`.

   In: the body of a function. Out: the same body with an `int` in place of each variable of fewer
   bits that loops alone count with: C converts it to that wherever it is read. It is set to values
   of its own type, and a loop that ends never takes it further: in steps of 1 it meets its bound
   first, and in longer ones it is compared with a literal that leaves room for a step. Unsigned
   ones count up, as `i >= 0` would not end a loop. The declaration's text stays. */
#include "frontend/ask.h"
#include "frontend/header.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"

struct narrow {
    struct arena *arena;
    const struct ast *body;          /* of the function */
    const struct ast *variable;
    int64_t least, most;             /* values of the variable's type */
};

/* False for other types. */
static bool limits_read(struct narrow *n, enum ast_class class)
{
    int bits = class == AST_TYPE_I8 || class == AST_TYPE_U8 ? 8 : 16;
    bool is_signed = class == AST_TYPE_I8 || class == AST_TYPE_I16;
    n->least = is_signed ? -((int64_t)1 << (bits - 1)) : 0;
    n->most = n->least + ((int64_t)1 << bits) - 1;
    return is_signed || class == AST_TYPE_U8 || class == AST_TYPE_U16;
}

static bool value_fits(const struct narrow *n, const struct ast *value)
{
    struct narrow other = *n;
    value = ast_strip(value);
    if (value->kind == AST_INTEGER)
        return value->integer >= n->least && value->integer <= n->most;
    return value->type && limits_read(&other, value->type->class) && other.least >= n->least &&
           other.most <= n->most;
}

/* Does a loop that ends keep the variable in its type, of which the header has the step? */
static bool counts_within(const struct narrow *n, const struct ast *loop, int64_t step)
{
    struct header_comparison c;
    if (!header_compares(loop->children[1], n->variable, &c) || (step < 0 && !n->least))
        return false;
    bool is_up = c.op == AST_OP_LT || c.op == AST_OP_LE;
    bool is_down = c.op == AST_OP_GT || c.op == AST_OP_GE;
    if (step == 1 || step == -1)
        return c.op == AST_OP_NE || (step > 0 ? is_up : is_down);
    const struct ast *bound = ast_strip(c.bound);
    int64_t last = bound->integer - c.plus + step;
    return bound->kind == AST_INTEGER && (step > 0 ? is_up : is_down) && last >= n->least &&
           last <= n->most;
}

/* The number of changes of the variable in a loop's header, if each keeps it in its type. */
static int header_changes(const struct narrow *n, const struct ast *loop)
{
    int count = 0;
    for (int i = 0; i < header_count(loop, 2); i++) {
        int64_t step = header_step(header_at(loop, 2, i), n->variable);
        count += step && counts_within(n, loop, step);
    }
    return count;
}

/* Do loops alone count with the variable, within its type? */
static bool is_counter(const struct narrow *n)
{
    int changes = 0;
    struct ast_walk walk;
    for (const struct ast *at = ast_first(&walk, n->arena, n->body); at; at = ast_next(&walk)) {
        const struct ast *value = value_given(at, n->variable);
        if (value && !value_fits(n, value))
            return false;
        if (at->kind == AST_SIZEOF && at->decl && ast_mentions(at->decl, n->variable))
            return false;
        changes += value && at->kind == AST_ASSIGN;
        changes += at->kind == AST_FOR && !at->is_meta ? header_changes(n, at) : 0;
    }
    return changes > 0 && changes == ast_count_writes(n->body, n->variable) &&
           !ast_takes_address(n->body, n->variable);
}

/* A conversion that C makes to the type of the variable, or from that to `int`, is one to `int`, or
   none. */
static void cast_widen(const struct ast *cast, const struct ast_type *type)
{
    if (cast->kind != AST_CAST || !cast->is_implicit)
        return;
    if (cast->children[0]->type->class == type->class)
        *form_change(cast) = *cast->children[0];
    else
        form_change(cast)->type = type;
}

static void variable_widen(const struct narrow *n)
{
    const struct ast_type *type = form_int(n->arena);
    struct ast_walk walk;
    form_change(n->variable)->type = type;
    for (const struct ast *at = ast_first(&walk, n->arena, n->body); at; at = ast_next(&walk)) {
        const struct ast *target = change_target(at), *value = value_given(at, n->variable);
        if ((at->kind == AST_REF && at->decl == n->variable) ||
            (target && is_ref_to(target, n->variable)))
            form_change(at)->type = type;
        if (value)
            cast_widen(value, type);
    }
    for (const struct ast *at = ast_first(&walk, n->arena, n->body); at; at = ast_next(&walk))
        if (at->kind == AST_CAST && at->type->class == type->class &&
            at->children[0]->kind == AST_REF && at->children[0]->decl == n->variable)
            cast_widen(at, type);
}

void narrow_widen(struct arena *arena, const struct ast *body)
{
    struct ast_walk walk;
    for (const struct ast *at = ast_first(&walk, arena, body); at; at = ast_next(&walk)) {
        struct narrow n = {.arena = arena, .body = body, .variable = at};
        if (at->kind == AST_VARIABLE && at->type && !at->is_static && !at->is_extern &&
            !at->type->is_volatile && limits_read(&n, at->type->class) && is_counter(&n))
            variable_widen(&n);
    }
}

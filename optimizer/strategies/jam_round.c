/* One round of a jammed loop.

   In: a nest with its shifts, a value for the inner loop's variable. Out: the statements of all
   copies of the body.

   No copy of a round waits for another one (optimizer/pipeline/jam.h), so the statements of a copy
   stay in their order and are free between those of the others: of each statement first what all
   copies load, then their values, then their stores. A store in between would keep a compiler from
   moving the loads behind it. Names that the body declares are other names in every copy. */
#include "optimizer/strategies/jam.h"

struct round {
    struct jam_nest *nest;
    struct arena *arena;
    const struct expr *round;
    int copy, conditional;            /* conditional: inside an operand that may not be evaluated */
    bool whole;                       /* loads are taken out, and carried ones replaced */
    struct map *vars;                 /* names that the body declares: those of the copy */
    struct stmts loads, values, stores;
};

static const struct expr *round_expr(struct round *r, const struct expr *e);

static const struct expr *copy_operands(struct round *r, const struct expr *e)
{
    const struct expr **operands = ARENA_ARRAY(r->arena, const struct expr *, e->n_arguments + 1);
    bool chooses = e->kind == EXPR_SELECT ||
                   (e->kind == EXPR_BINARY && (e->op == OP_LAND || e->op == OP_LOR));
    for (int i = 0; i < e->n_arguments; i++) {
        r->conditional += chooses && i > 0;
        operands[i] = round_expr(r, e->arguments[i]);
        r->conditional -= chooses && i > 0;
    }
    return e->n_arguments ? expr_rebuild(r->arena, e, operands) : e;
}

static const struct expr *copy_var(struct round *r, const struct expr *e)
{
    const struct jam_nest *nest = r->nest;
    const struct var *own = map_get_pointer(r->vars, e->var);
    int64_t shift = nest->shifts[r->copy];
    if (own)
        return expr_var(r->arena, own);
    if (e->var == nest->outer->var && r->copy)
        return expr_binary(r->arena, OP_ADD, e, expr_integer(r->arena, e->type, r->copy));
    if (e->var != nest->inner->var)
        return e;
    return shift ? expr_binary(r->arena, OP_SUB, r->round,
                               expr_integer(r->arena, e->type, shift))
                 : r->round;
}

static const struct var *round_name(struct round *r, const char *stem, enum type type)
{
    return var_new(r->arena, names_fresh(r->nest->names, stem), type, VAR_LOCAL);
}

static const struct expr *copy_load(struct round *r, const struct expr *e)
{
    const struct jam_nest *nest = r->nest;
    for (size_t i = 0; r->whole && i < nest->carries.count; i++)
        if (nest->carries.at[i].copy == r->copy && nest->carries.at[i].load == e)
            return expr_var(r->arena, nest->carries.at[i].var);
    const struct expr *load = copy_operands(r, e);
    if (!r->whole || r->conditional || e->array->space == SPACE_PRIVATE)
        return load;
    const struct var *var = round_name(r, e->array->name, e->type);
    vec_push(r->arena, &r->loads, stmt_let(r->arena, var, load));
    return expr_var(r->arena, var);
}

static const struct expr *round_expr(struct round *r, const struct expr *e)
{
    if (e->kind == EXPR_VAR)
        return copy_var(r, e);
    return e->kind == EXPR_LOAD ? copy_load(r, e) : copy_operands(r, e);
}

static const struct expr *map_expr(void *state, const struct expr *e)
{
    return round_expr(state, e);
}

static const struct stmt *round_stmt(struct round *r, const struct stmt *s)
{
    struct stmt *mapped = (struct stmt *)stmt_map_exprs(r->arena, s, map_expr, r);
    if (s->kind == STMT_LET)
        map_put_pointer(r->vars, s->var, (void *)round_name(r, s->var->name, s->var->type));
    const struct var *own = s->var ? map_get_pointer(r->vars, s->var) : NULL;
    mapped->var = own ? own : s->var;
    if (s->n_children == 0)
        return mapped;
    const struct stmt **children = ARENA_ARRAY(r->arena, const struct stmt *, s->n_children);
    for (int i = 0; i < s->n_children; i++)
        children[i] = s->children[i] ? round_stmt(r, s->children[i]) : NULL;
    return stmt_rebuild(r->arena, mapped, children);
}

/* The scalar of a store's value goes on to the loads of the next round. */
static void value_carry(struct round *r, const struct stmt *store, const struct var *value,
                        struct stmts *ends)
{
    const struct jam_nest *nest = r->nest;
    for (size_t i = 0; i < nest->carries.count; i++) {
        const struct jam_carry *carry = &nest->carries.at[i];
        if (carry->store == store && carry->from == r->copy)
            vec_push(r->arena, ends, stmt_set(r->arena, carry->var, expr_var(r->arena, value)));
    }
}

static void store_copy(struct round *r, const struct stmt *s, struct stmts *ends)
{
    const struct var *value = round_name(r, s->array->name, s->array->element);
    const struct expr **indices = ARENA_ARRAY(r->arena, const struct expr *, s->array->n_dims + 1);
    for (int d = 0; d < s->array->n_dims; d++)
        indices[d] = round_expr(r, s->indices[d]);
    vec_push(r->arena, &r->values, stmt_let(r->arena, value, round_expr(r, s->value)));
    vec_push(r->arena, &r->stores, stmt_store(r->arena, s->array, indices,
                                              expr_var(r->arena, value), s->loc));
    value_carry(r, s, value, ends);
}

static const struct stmt *list_stmt(struct arena *arena, const struct stmts *list)
{
    return stmt_sequence(arena, list->at, (int)list->count);
}

const struct stmt *jam_round(struct jam_nest *nest, const struct expr *round)
{
    struct arena *arena = nest->arena;
    struct round copies[JAM_COPIES];
    struct stmts all = {0}, ends = {0};
    for (int c = 0; c < nest->jam.copies; c++)
        copies[c] = (struct round){.nest = nest, .arena = arena, .round = round, .copy = c,
                                   .whole = true, .vars = map_new(arena)};
    for (int k = 0; k < nest->n_body; k++) {
        const struct stmt *s = nest->body[k], *parts[3];
        struct stmts lists[3] = {{0}, {0}, {0}};
        for (int c = 0; c < nest->jam.copies; c++) {
            struct round *r = &copies[c];
            r->conditional = s->kind == STMT_IF;
            r->loads = r->values = r->stores = (struct stmts){0};
            if (s->kind == STMT_STORE)
                store_copy(r, s, &ends);
            else
                vec_push(arena, &r->values, round_stmt(r, s));
            vec_push(arena, &lists[0], list_stmt(arena, &r->loads));
            vec_push(arena, &lists[1], list_stmt(arena, &r->values));
            vec_push(arena, &lists[2], list_stmt(arena, &r->stores));
        }
        for (int i = 0; i < 3; i++)
            parts[i] = list_stmt(arena, &lists[i]);
        vec_push(arena, &all, stmt_sequence(arena, parts, 3));
    }
    vec_push(arena, &all, list_stmt(arena, &ends));
    return list_stmt(arena, &all);
}

static struct round round_of_copy(struct jam_nest *nest, const struct expr *round, int copy)
{
    return (struct round){.nest = nest, .arena = nest->arena, .round = round, .copy = copy,
                          .vars = map_new(nest->arena)};
}

const struct stmt *jam_round_guarded(struct jam_nest *nest, const struct expr *round,
                                     const struct expr *begin, const struct expr *end)
{
    struct arena *arena = nest->arena;
    struct stmts all = {0};
    for (int c = 0; c < nest->jam.copies; c++) {
        struct round r = round_of_copy(nest, round, c);
        const struct expr *own = round_expr(&r, expr_var(arena, nest->inner->var));
        const struct expr *guard = expr_binary(arena, OP_LT, own, end);
        struct stmts body = {0};
        if (begin && nest->shifts[c])
            guard = expr_binary(arena, OP_LAND, expr_binary(arena, OP_GE, own, begin), guard);
        for (int k = 0; k < nest->n_body; k++)
            vec_push(arena, &body, round_stmt(&r, nest->body[k]));
        vec_push(arena, &all, stmt_if(arena, guard, list_stmt(arena, &body), NULL));
    }
    return list_stmt(arena, &all);
}

const struct stmt *jam_carried(struct jam_nest *nest, const struct expr *first)
{
    struct stmts all = {0};
    for (size_t i = 0; i < nest->carries.count; i++) {
        struct jam_carry *carry = &nest->carries.at[i];
        struct round r = round_of_copy(nest, first, carry->copy);
        carry->var = round_name(&r, carry->load->array->name, carry->load->type);
        vec_push(nest->arena, &all,
                 stmt_let(nest->arena, carry->var, copy_operands(&r, carry->load)));
    }
    return list_stmt(nest->arena, &all);
}

static bool is_certain_in(const struct expr *e, const struct expr *load)
{
    bool chooses = e->kind == EXPR_SELECT ||
                   (e->kind == EXPR_BINARY && (e->op == OP_LAND || e->op == OP_LOR));
    bool found = e == load;
    for (int i = 0; i < (chooses ? 1 : e->n_arguments) && !found; i++)
        found = is_certain_in(e->arguments[i], load);
    return found;
}

bool jam_load_is_certain(const struct stmt *s, const struct expr *load)
{
    bool found = false;
    for (int i = 0; i < stmt_n_exprs(s) && !found; i++)
        found = is_certain_in(stmt_expr(s, i), load);
    return found;
}

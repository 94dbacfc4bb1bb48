/* What C's scalars are in a kernel.

   In: declarations as the lowering meets them. Out: symbols, one per declaration. A scalar declared
   outside the region becomes a parameter, unless it is *derived*: an integer local with one
   definition before the region whose inputs do not change in the function; then its definition is
   substituted (design, Parameters). The kernel's parameters are thus variables that are visible,
   and have their values, where the region stands. A scalar that the region sums is an array of one
   element. */
#include "frontend/facts.h"
#include "ir/machine.h"
#include "metafork/lower.h"
#include <string.h>

_Static_assert((int)AST_TYPE_F64 - (int)AST_TYPE_BOOL == (int)TYPE_F64 - (int)TYPE_BOOL,
               "rows of the two type tables");

bool type_of(const struct ast_type *type, enum type *out)
{
    if (!type || !ast_class_is_scalar(type->class) || type->is_volatile)
        return false;
    *out = (enum type)((int)TYPE_BOOL + (int)(type->class - AST_TYPE_BOOL));
    return true;
}

struct symbol *symbol_add(struct lower *l, const struct ast *decl, enum symbol_kind kind)
{
    struct symbol *symbol = ARENA_NEW(l->arena, struct symbol);
    symbol->kind = kind;
    symbol->decl = decl;
    symbol->level = l->level;
    map_put_pointer(l->symbols, decl, symbol);
    return symbol;
}

struct var *local_add(struct lower *l, const char *name, enum type type, enum var_kind kind,
                      struct loc loc)
{
    struct var *var = var_new(l->arena, name, type, kind);
    var->loc = loc;
    vec_push(l->arena, &l->vars, var);
    return var;
}

const struct var *scalar_outer(struct lower *l, const char *name)
{
    for (size_t i = 0; i < l->outer.count; i++)
        if (l->outer.at[i]->kind == SYMBOL_SCALAR && !strcmp(l->outer.at[i]->var->name, name))
            return l->outer.at[i]->var;
    return NULL;
}

static const struct var *lookup(void *state, const char *name)
{
    return scalar_outer(state, name);
}

const struct expr *poly_host(struct lower *l, const struct poly *poly, enum type type)
{
    return poly_expr(l->arena, poly, type, lookup, l);
}

/* The polynomial form of an extent over parameters, if it has one. */
const struct expr *extent_simplify(struct lower *l, const struct expr *e)
{
    const struct poly *poly = expr_reads_only_params(e) ? expr_poly(l->scratch, e) : NULL;
    const struct expr *simple = poly ? poly_host(l, poly, e->type) : NULL;
    return simple ? simple : e;
}

static size_t gotos_count(struct lower *l, const struct ast *root)
{
    struct ast_walk walk;
    size_t n = 0;
    for (const struct ast *node = ast_first(&walk, l->arena, root); node; node = ast_next(&walk))
        n += node->kind == AST_GOTO;
    return n;
}

bool path_is_straight(struct lower *l, int at, const struct ast *inner)
{
    for (int i = 0; i < at; i++)
        if (l->path[i]->kind == AST_SWITCH)
            return false;
    const struct ast_facts *facts = ast_facts(l->unit, l->body);
    return !facts->has_indirect_goto &&
           (!facts->n_gotos || facts->n_gotos == gotos_count(l, inner));
}

/* The value that a local gets at its only definition before the region, as AST: its initialiser, or
   the one plain assignment to it that stands, unconditionally and skipped by no jump, before the
   region. NULL if there is no such definition. */
const struct ast *definition_of(struct lower *l, const struct ast *decl)
{
    int writes = writes_of(l->writes, decl);
    if (decl->kind != AST_VARIABLE || decl->is_global || decl->is_static || writes > 1)
        return NULL;
    if (decl->n_children)
        return writes ? NULL : decl->children[0];
    for (int i = 0; i + 1 < l->n_path; i++) {
        const struct ast *list = l->path[i];
        if (list->kind == AST_COMPOUND)
            for (int k = 0; k < list->n_children && list->children[k] != l->path[i + 1]; k++) {
                const struct ast *s = list->children[k];
                if (s->kind == AST_ASSIGN && !s->op && s->children[0]->kind == AST_REF &&
                    s->children[0]->decl == decl)
                    return path_is_straight(l, i, l->path[i + 1]) ? s->children[1] : NULL;
            }
    }
    return NULL;
}

/* Is it the variable of a loop around the region, declared and counted by the loop alone? What is
   computed from it inside the loop has the same value at the region. */
static bool is_loop_variable(struct lower *l, const struct ast *decl)
{
    for (int i = 0; i < l->n_path; i++) {
        const struct ast *loop = l->path[i];
        const struct ast *start = loop->kind == AST_FOR ? loop->children[0] : NULL,
                         *step = start ? loop->children[2] : NULL;
        bool declares = start && start->kind == AST_DECLARE && start->n_children == 1 &&
                        start->children[0] == decl;
        if (declares)
            return step && ast_writes(step, decl) && writes_of(l->writes, decl) == 1;
    }
    return false;
}

bool is_repeatable(struct lower *l, const struct ast *value)
{
    const struct ast *decl = value->decl;
    switch (value->kind) {
    case AST_INTEGER:
    case AST_CHARACTER:
    case AST_SIZEOF:
        return true;
    case AST_REF:
        if (decl->kind == AST_FUNCTION || !decl->type || !ast_class_is_integer(decl->type->class) ||
            decl->type->is_volatile)
            return false;
        if (decl->is_static ||
            (decl->is_global && ast_ways(l->body, l->body, decl) & (WAY_CALL | WAY_STORE)))
            return false;
        return writes_of(l->writes, decl) == 0 || definition_of(l, decl) != NULL ||
               is_loop_variable(l, decl);
    case AST_CAST:
    case AST_UNARY:
    case AST_BINARY:
    case AST_CONDITIONAL:
        if (!value->type || !ast_class_is_integer(value->type->class) ||
            (value->kind == AST_UNARY && value->op > AST_OP_NOT) || value->op == AST_OP_COMMA)
            return false;
        for (int i = 0; i < value->n_children; i++)
            if (!is_repeatable(l, value->children[i]))
                return false;
        return true;
    default:
        return false;
    }
}

static const struct ast *derived_value(struct lower *l, const struct ast *decl)
{
    if (map_get_pointer(l->opaque, decl))
        return NULL;
    if (decl->is_global && decl->type->is_const && decl->n_children &&
        is_repeatable(l, decl->children[0]))
        return decl->children[0];
    const struct ast *value = definition_of(l, decl);
    return value && is_repeatable(l, value) ? value : NULL;
}

bool symbol_is_derived(struct lower *l, const struct ast *decl)
{
    enum type type;
    return type_of(decl->type, &type) && !type_is_floating(type) && derived_value(l, decl) != NULL;
}

/* Made of sums and products, with the definitions of its variables? */
static bool is_polynomial(struct lower *l, const struct ast *value)
{
    if (value->kind == AST_REF && symbol_is_derived(l, value->decl))
        return is_polynomial(l, derived_value(l, value->decl));
    if (value->kind == AST_BINARY && value->op != AST_OP_ADD && value->op != AST_OP_SUB &&
        value->op != AST_OP_MUL)
        return false;
    if (value->kind == AST_CONDITIONAL || (value->kind == AST_UNARY && value->op > AST_OP_MINUS))
        return false;
    for (int i = 0; i < value->n_children; i++)
        if (!is_polynomial(l, value->children[i]))
            return false;
    return true;
}

void extent_names_keep(struct lower *l, const struct ast *bound)
{
    bound = ast_strip(bound);
    if (bound->kind == AST_REF && symbol_is_derived(l, bound->decl) && !is_polynomial(l, bound))
        map_put_pointer(l->opaque, bound->decl, (void *)bound->decl);
}

void choice_name_keep(struct lower *l, const struct ast *ref)
{
    const struct ast *value = symbol_is_derived(l, ref->decl) ? derived_value(l, ref->decl) : NULL;
    if (value && ast_strip(value)->kind == AST_CONDITIONAL)
        map_put_pointer(l->opaque, ref->decl, (void *)ref->decl);
}

static struct symbol *symbol_derived(struct lower *l, const struct ast *decl,
                                     const struct ast *definition, enum type type)
{
    struct symbol *symbol = symbol_add(l, decl, SYMBOL_BAD);
    enum level level = l->level;
    l->level = LEVEL_HOST;
    const struct expr *value = expression_lower(l, definition);
    l->level = level;
    if (!value)
        return symbol;
    symbol->kind = SYMBOL_VALUE;
    symbol->level = LEVEL_HOST;
    symbol->value = expr_cast(l->arena, type, value);
    return symbol;
}

static bool name_is_free(struct lower *l, const struct ast *decl, const struct ast *use)
{
    if (machine_is_symbol(decl->name)) {
        diag_error(l->ctx, use->loc,
                   "`%s` is the name of a machine parameter of the case tree; rename the variable",
                   decl->name);
        return false;
    }
    return !name_is_taken(l, decl, use);
}

/* A half is passed as a float, which has its value: whoever reads it computes with floats. */
static struct symbol *symbol_param(struct lower *l, const struct ast *decl, const struct ast *use,
                                   enum type type)
{
    if (!name_is_free(l, decl, use))
        return symbol_add(l, decl, SYMBOL_BAD);
    struct symbol *symbol = symbol_add(l, decl, SYMBOL_SCALAR);
    symbol->level = LEVEL_HOST;
    type = type_is_floating(type) ? type_promote(type) : type;
    symbol->var = var_new(l->arena, decl->name, type, VAR_PARAM);
    symbol->var->loc = decl->loc;
    vec_push(l->arena, &l->outer, symbol);
    return symbol;
}

struct symbol *symbol_find(struct lower *l, const struct ast *decl, const struct ast *use)
{
    struct symbol *symbol = map_get_pointer(l->symbols, decl);
    if (symbol)
        return symbol;
    enum type type;
    if (decl->kind == AST_FUNCTION) {
        refuse(l, use, arena_printf(l->arena, "the function `%s` as a value", decl->name),
               "call it by its name");
        return symbol_add(l, decl, SYMBOL_BAD);
    }
    if (decl->type &&
        (decl->type->class == AST_TYPE_ARRAY || decl->type->class == AST_TYPE_POINTER))
        return array_outer(l, decl, use);
    if (!type_of(decl->type, &type)) {
        refuse_type(l, use, decl->type);
        return symbol_add(l, decl, SYMBOL_BAD);
    }
    if (clause_names(l, AST_REDUCE, decl))
        return array_of_scalar(l, decl, use, type);
    if (symbol_is_derived(l, decl))
        return symbol_derived(l, decl, derived_value(l, decl), type);
    return symbol_param(l, decl, use, type);
}

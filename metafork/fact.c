/* What is known of parameters where a region stands.

   In: the statements around and before a region. Out: comparisons of parameters of its kernel that
   hold there: asserts, conditions of `if` around it, those under which a pointer that such an `if`
   asks for is not NULL, and conditions of loops whose body writes nothing that they read; through a
   variable that the kernel does not have (`i < n` in a loop under `n <= m`), too. */
#include "frontend/header.h"
#include "metafork/lower.h"
#include <string.h>

/* What bounds a variable that is no parameter of the kernel. */
struct fact_bound {
    const struct ast *decl;
    bool is_low;                     /* poly < or <= the variable; else above it */
    bool is_strict;
    const struct poly *poly;
};

struct facts {
    struct sas all;
    VEC(struct fact_bound) bounds;
};

static void fact_add(struct lower *l, struct facts *facts, struct constraint fact)
{
    for (size_t i = 0; i < facts->all.count; i++)
        if (constraint_equal(facts->all.at[i], fact))
            return;
    facts->all = sas_add(l->arena, facts->all, fact);
}

static bool is_known(struct lower *l, const struct kernel *kernel, const struct ast *node);

/* Is the variable a parameter of the kernel in its ring, or derived from such? */
static bool variable_is_known(struct lower *l, const struct kernel *kernel, const struct ast *decl)
{
    const struct symbol *symbol = map_get_pointer(l->symbols, decl);
    if (symbol && symbol->kind == SYMBOL_SCALAR && symbol->level == LEVEL_HOST)
        return ring_find(kernel->ring, symbol->var->name) >= 0;
    const struct ast *definition = definition_of(l, decl);
    if (definition)
        return is_known(l, kernel, definition);
    return symbol && symbol->kind == SYMBOL_VALUE && symbol->level == LEVEL_HOST;
}

/* Is every variable of the condition such a parameter or derived from such? */
static bool is_known(struct lower *l, const struct kernel *kernel, const struct ast *node)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, l->arena, node); n; n = ast_next(&walk)) {
        bool is_variable = n->kind == AST_REF && n->decl && n->decl->kind != AST_FUNCTION;
        if (is_variable && !variable_is_known(l, kernel, n->decl))
            return false;
    }
    return true;
}

static enum relation relation_of(enum ast_op op)
{
    switch (op) {
    case AST_OP_LT: return RELATION_LT;
    case AST_OP_LE: return RELATION_LE;
    case AST_OP_GT: return RELATION_GT;
    case AST_OP_GE: return RELATION_GE;
    case AST_OP_NE: return RELATION_NE;
    default: return RELATION_EQ;
    }
}

/* An unsigned comparison says the same of the integers if both sides are unsigned as written. */
static bool is_plain_comparison(const struct ast *c)
{
    for (int i = 0; i < 2; i++) {
        const struct ast *written = ast_strip(c->children[i]);
        enum type compared, own;
        if (!type_of(c->children[i]->type, &compared) || !type_of(written->type, &own) ||
            (!type_is_signed(compared) && type_is_signed(own) && written->kind != AST_INTEGER))
            return false;
    }
    return true;
}

/* The statement that a `for` or an `if` runs while its condition holds. */
static const struct ast *governed(const struct ast *statement)
{
    return statement->children[statement->kind == AST_FOR ? 3 : 1];
}

/* Does the body of the loop, or the branch, leave the variable alone? */
static bool variable_stays(struct lower *l, const struct ast *decl, const struct ast *loop)
{
    return decl && !ast_may_write(l->body, governed(loop), decl);
}

/* Has the expression its value still at the region, as the loop's body writes nothing that it
   reads? */
static bool value_stays(struct lower *l, const struct ast *c, const struct ast *loop)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, l->arena, c); n; n = ast_next(&walk)) {
        bool computes = n->kind == AST_INTEGER || n->kind == AST_CHARACTER ||
                        n->kind == AST_SIZEOF || n->kind == AST_CAST || n->kind == AST_BINARY ||
                        (n->kind == AST_UNARY && n->op <= AST_OP_NOT);
        if (!computes && !(n->kind == AST_REF && variable_stays(l, n->decl, loop)))
            return false;
    }
    return true;
}

static bool condition_stays(struct lower *l, const struct ast *c, const struct ast *loop)
{
    return is_plain_comparison(c) && value_stays(l, c, loop);
}

static const struct poly *side_poly(struct lower *l, const struct kernel *kernel,
                                    const struct ast *side)
{
    enum level level = l->level;
    l->level = LEVEL_HOST;
    const struct expr *e = expression_lower(l, side);
    l->level = level;
    return e ? expr_poly(kernel->ring, e) : NULL;
}

/* The variable of `v`, `v + 1` or `v - 1`, and the number; sums of unsigned numbers may wrap. */
static const struct ast *shifted_variable(const struct ast *side, int64_t *shift)
{
    const struct ast *n = ast_strip(side);
    enum type type;
    bool adds = n->kind == AST_BINARY && (n->op == AST_OP_ADD || n->op == AST_OP_SUB) &&
                n->children[1]->kind == AST_INTEGER && type_of(n->type, &type) &&
                type_is_signed(type) && n->children[1]->integer < INT32_MAX;
    *shift = 0;
    if (adds)
        *shift = n->op == AST_OP_ADD ? n->children[1]->integer : -n->children[1]->integer;
    n = adds ? ast_strip(n->children[0]) : n;
    return n->kind == AST_REF ? n : NULL;
}

/* A comparison with a variable that keeps its value and is no parameter of the kernel, on the side
   `at`: a bound of it. */
static bool bound_read(struct lower *l, const struct kernel *kernel, struct facts *facts,
                       const struct ast *c, int at)
{
    int64_t shift;
    const struct ast *v = shifted_variable(c->children[at], &shift), *other = c->children[!at];
    bool orders = c->op >= AST_OP_LT && c->op <= AST_OP_GE;
    if (!orders || !v || !v->decl || v->decl->is_global || !is_repeatable(l, v) ||
        writes_of(l->writes, v->decl) != 0 || !is_plain_comparison(c) ||
        !is_known(l, kernel, other))
        return false;
    enum ast_op op = at ? op_exchanged(c->op) : c->op;
    struct fact_bound bound = {v->decl, op == AST_OP_GT || op == AST_OP_GE,
                          op == AST_OP_LT || op == AST_OP_GT, side_poly(l, kernel, other)};
    if (!bound.poly)
        return false;
    bound.poly = poly_sub(bound.poly, poly_integer(kernel->ring, shift));
    vec_push(l->arena, &facts->bounds, bound);
    return true;
}

/* What lies below a variable is less than what lies above it; between x < v and v < y is 1. */
static void bounds_join(struct lower *l, const struct kernel *kernel, struct facts *facts)
{
    const struct poly *one = poly_integer(kernel->ring, 1);
    for (size_t i = 0; i < facts->bounds.count; i++)
        for (size_t k = 0; k < facts->bounds.count; k++) {
            const struct fact_bound *low = &facts->bounds.at[i], *high = &facts->bounds.at[k];
            if (low->decl != high->decl || !low->is_low || high->is_low)
                continue;
            enum relation less = low->is_strict || high->is_strict ? RELATION_LT : RELATION_LE;
            const struct poly *least = low->poly;
            if (low->is_strict && high->is_strict)
                least = poly_add(least, one);
            fact_add(l, facts, constraint_make(least, less, high->poly));
        }
}

/* `loop`: the `for` or `if` around the region whose condition the comparison is; NULL: it stands in
   a statement before the region. */
static bool add_comparison(struct lower *l, const struct kernel *kernel, struct facts *facts,
                           const struct ast *c, const struct ast *loop)
{
    bool is_again = (!loop || loop->kind == AST_IF) && is_repeatable(l, c);
    if (!is_again && !(loop && condition_stays(l, c, loop)))
        return false;
    if (!is_known(l, kernel, c))
        return bound_read(l, kernel, facts, c, 0) || bound_read(l, kernel, facts, c, 1);
    const struct poly *p = side_poly(l, kernel, c->children[0]),
                      *q = side_poly(l, kernel, c->children[1]);
    if (!p || !q)
        return false;
    struct constraint fact = constraint_make(p, relation_of(c->op), q);
    fact_add(l, facts, fact);
    return true;
}

static bool add_fact(struct lower *l, const struct kernel *kernel, struct facts *facts,
                     const struct ast *condition, const struct ast *loop);

/* The facts of a pointer that is not NULL: if it began as `condition ? value : 0`, those of the
   condition. */
static bool add_chosen(struct lower *l, const struct kernel *kernel, struct facts *facts,
                       const struct ast *pointer)
{
    bool is_pointer = pointer->type && pointer->type->class == AST_TYPE_POINTER && pointer->decl;
    const struct ast *value = is_pointer ? definition_of(l, pointer->decl) : NULL;
    value = value ? ast_strip(value) : NULL;
    return value && value->kind == AST_CONDITIONAL && is_zero_value(value->children[2]) &&
           add_fact(l, kernel, facts, value->children[0], NULL);
}

/* The polynomial comparisons of a conjunction; false if a part of it is none. */
static bool add_fact(struct lower *l, const struct kernel *kernel, struct facts *facts,
                     const struct ast *condition, const struct ast *loop)
{
    const struct ast *c = ast_strip(condition);
    while (c->kind == AST_UNARY && c->op == AST_OP_NOT &&
           ast_strip(c->children[0])->kind == AST_UNARY &&
           ast_strip(c->children[0])->op == AST_OP_NOT)
        c = ast_strip(ast_strip(c->children[0])->children[0]);
    if (c->kind == AST_REF)
        return add_chosen(l, kernel, facts, c);
    if (c->kind != AST_BINARY)
        return false;
    if (c->op == AST_OP_LAND) {
        bool left = add_fact(l, kernel, facts, c->children[0], loop);
        return add_fact(l, kernel, facts, c->children[1], loop) && left;
    }
    if ((c->op < AST_OP_LT || c->op > AST_OP_NE) || !c->children[0]->type ||
        !ast_class_is_integer(c->children[0]->type->class))
        return false;
    return add_comparison(l, kernel, facts, c, loop);
}

/* Is it a literal, of a signed type, or a variable that is no sum of unsigned numbers, which may
   have wrapped? */
static bool start_is_plain(struct lower *l, const struct ast *value)
{
    enum type type;
    if (value->kind == AST_INTEGER || (type_of(value->type, &type) && type_is_signed(type)))
        return true;
    return value->kind == AST_REF && value->decl && !definition_of(l, value->decl);
}

/* The variable of a loop is not below its first value, or not above it. */
static void add_start(struct lower *l, const struct kernel *kernel, struct facts *facts,
                      const struct ast *loop)
{
    struct loop_start start;
    if (!loop_start_read(l->body, loop, &start) ||
        (start.may_wrap && start.value->kind != AST_INTEGER))
        return;
    const struct symbol *symbol = map_get_pointer(l->symbols, start.decl);
    int v = symbol && symbol->kind == SYMBOL_SCALAR ? ring_find(kernel->ring, symbol->var->name)
                                                    : -1;
    bool stays = value_stays(l, start.value, loop) && is_known(l, kernel, start.value) &&
                 start_is_plain(l, start.value);
    if (v < 0 || !stays)
        return;
    const struct poly *from = start.may_wrap ? poly_integer(kernel->ring, 0)
                                             : side_poly(l, kernel, start.value);
    if (from)
        fact_add(l, facts, constraint_make(poly_variable(kernel->ring, v),
                                           start.is_down ? RELATION_LE : RELATION_GE, from));
}

struct sas facts_collect(struct lower *l, const struct kernel *kernel)
{
    struct facts facts = {.all = sas_empty(kernel->ring)};
    for (int i = 0; i < kernel->n_params; i++) {
        const struct param *p = kernel->params[i];
        if (p->has_lo && p->variable >= 0)
            facts.all = sas_add(l->arena, facts.all,
                                constraint_make(poly_variable(kernel->ring, p->variable),
                                                RELATION_GE, poly_integer(kernel->ring, p->lo)));
    }
    for (int i = 0; i + 1 < l->n_path; i++) {
        const struct ast *around = l->path[i], *next = l->path[i + 1];
        if (around->kind == AST_IF && around->n_children >= 2 && around->children[1] == next &&
            path_is_straight(l, i, next))
            add_fact(l, kernel, &facts, around->children[0], around);
        if (around->kind == AST_FOR && next == around->children[3] &&
            path_is_straight(l, i, around)) {
            add_start(l, kernel, &facts, around);
            if (around->children[1])
                add_fact(l, kernel, &facts, around->children[1], around);
        }
        if (around->kind == AST_COMPOUND && path_is_straight(l, i, next))
            for (int k = 0; k < around->n_children && around->children[k] != next; k++) {
                const struct ast *s = around->children[k];
                if (s->kind == AST_CALL && s->decl && s->n_children == 1 &&
                    !strcmp(s->decl->name, AST_ASSERT))
                    add_fact(l, kernel, &facts, s->children[0], NULL);
            }
    }
    bounds_join(l, kernel, &facts);
    return facts.all;
}

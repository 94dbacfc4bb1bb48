/* Roles of the kernel's parameters, and what may be assumed about them.

   In: the body and the parameters' variables. Out: struct param for each (design, Parameters):
   *size* if it occurs in an array's extent; *tunable* if it is a meta_tunable, or occurs in a
   block extent, as a divisor in an extent or loop bound, or in the bound of a redistributable
   loop; *value* if it never decides which elements are touched; *uniform* otherwise. An integer
   that only multiplies up a grid extent counts the elements behind a pointer (`T *x`) and is a
   size too, and so is one that multiplies an iterator in the first subscript of such an array
   (its pitch). Facts: the lower bounds, the asserts and the conditions that hold wherever the
   region runs, those of loops around it included, if the loop's body writes nothing that they
   read; the variable of a loop around the region that counts up from a literal is never below
   it. */
#include "ir/walk.h"
#include "metafork/lower.h"
#include <string.h>

struct marks {
    struct arena *arena;
    struct map *structural, *size, *block, *divisor, *grid, *coarse, *pitch;
    struct map *subscript;   /* what first subscripts of arrays without declared extent use */
    bool changed;
};

static void mark(struct marks *m, struct map *set, const struct var *var)
{
    if (!map_get_pointer(set, var)) {
        map_put_pointer(set, var, (void *)var);
        m->changed = true;
    }
}

/* All variables of e; e may be NULL. */
static void mark_expr(struct marks *m, struct map *set, const struct expr *e)
{
    struct expr_walk walk;
    for (e = expr_first(&walk, m->arena, e); e; e = expr_next(&walk))
        if (e->kind == EXPR_VAR)
            mark(m, set, e->var);
}

static void mark_divisors(struct marks *m, const struct expr *e)
{
    struct expr_walk walk;
    for (e = expr_first(&walk, m->arena, e); e; e = expr_next(&walk))
        if (e->kind == EXPR_BINARY && (e->op == OP_DIV || e->op == OP_REM))
            mark_expr(m, m->divisor, e->arguments[1]);
}

/* A parameter, or a product of parameters and literals: marks its variables. */
static void mark_factors(struct marks *m, const struct expr *e)
{
    while (e->kind == EXPR_CAST)
        e = e->arguments[0];
    if (e->kind == EXPR_VAR && e->var->kind == VAR_PARAM)
        mark(m, m->pitch, e->var);
    if (e->kind == EXPR_BINARY && e->op == OP_MUL) {
        mark_factors(m, e->arguments[0]);
        mark_factors(m, e->arguments[1]);
    }
}

/* What multiplies an iterator in a subscript of an open array is a pitch of it. */
static void mark_subscript(struct marks *m, const struct expr *e)
{
    if (e->kind == EXPR_LOAD)
        return;
    if (e->kind == EXPR_VAR)
        mark(m, m->subscript, e->var);
    for (int i = 0; i < e->n_arguments; i++) {
        mark_subscript(m, e->arguments[i]);
        if (e->kind == EXPR_BINARY && e->op == OP_MUL && expr_reads_only_params(e->arguments[i]) &&
            !expr_reads_only_params(e->arguments[1 - i]))
            mark_factors(m, e->arguments[i]);
    }
}

static bool is_open(const struct array *array)
{
    return array->space == SPACE_GLOBAL && !array->dims[0];
}

/* Subscripts and conditions inside the expressions of s. */
static void mark_inside(struct marks *m, const struct stmt *s)
{
    struct expr_walk walk;
    for (const struct expr *e = stmt_first_expr(&walk, m->arena, s); e; e = expr_next(&walk)) {
        if (e->kind == EXPR_SELECT)
            mark_expr(m, m->structural, e->arguments[0]);
        if (e->kind != EXPR_LOAD)
            continue;
        for (int i = 0; i < e->n_arguments; i++)
            mark_expr(m, m->structural, e->arguments[i]);
        if (is_open(e->array))
            mark_subscript(m, e->arguments[0]);
    }
}

static void mark_stmt(struct marks *m, const struct stmt *s)
{
    mark_inside(m, s);
    if (s->kind == STMT_IF || s->kind == STMT_WHILE)
        mark_expr(m, m->structural, s->value);
    if (s->kind == STMT_STORE)
        for (int i = 0; i < s->array->n_dims; i++)
            mark_expr(m, m->structural, s->indices[i]);
    if (s->kind == STMT_STORE && is_open(s->array))
        mark_subscript(m, s->indices[0]);
    if (s->kind == STMT_FOR) {
        const struct expr *bounds[] = {s->from, s->to, s->step};
        for (int i = 0; i < 3; i++) {
            mark_expr(m, m->structural, bounds[i]);
            mark_divisors(m, bounds[i]);
        }
    }
    if ((s->kind == STMT_LET || s->kind == STMT_SET) && s->value &&
        map_get_pointer(m->structural, s->var)) {
        mark_expr(m, m->structural, s->value);
        if (map_get_pointer(m->subscript, s->var))
            mark_subscript(m, s->value);
    }
}

static void mark_kernel(struct marks *m, const struct kernel *kernel)
{
    struct stmt_walk walk;
    for (int i = 0; i < kernel->n_arrays; i++)
        for (int d = 0; d < kernel->arrays[i]->n_dims; d++)
            mark_expr(m, m->size, kernel->arrays[i]->dims[d]);
    for (int i = 0; i < kernel->n_grid; i++) {
        mark_expr(m, m->grid, kernel->grid[i].extent);
        mark_divisors(m, kernel->grid[i].extent);
    }
    for (int i = 0; i < kernel->n_block; i++)
        mark_expr(m, m->block, kernel->block[i].extent);
    do {
        m->changed = false;
        for (const struct stmt *s = stmt_first(&walk, m->arena, kernel->body); s;
             s = stmt_next(&walk))
            mark_stmt(m, s);
    } while (m->changed);
}

static bool has_open_array(const struct kernel *kernel)
{
    for (int i = 0; i < kernel->n_arrays; i++)
        if (is_open(kernel->arrays[i]))
            return true;
    return false;
}

static void role_set(const struct lower *l, const struct marks *m, const struct kernel *kernel,
                     struct param *param)
{
    const struct var *var = param->var;
    bool divisor = map_get_pointer(m->divisor, var) != NULL, marked = false;
    for (size_t i = 0; i < l->outer.count; i++)
        marked |= l->outer.at[i]->var == var && tunable_default(l->outer.at[i]->decl) > 0;
    for (size_t i = 0; i < l->divisors.count; i++)
        divisor |= l->divisors.at[i] == var;
    param->class = PARAM_PROGRAM;
    param->role = ROLE_UNIFORM;
    param->has_lo = true;
    param->lo = divisor ? 1 : 0;
    if (type_is_floating(var->type)) {
        param->role = ROLE_VALUE;
        param->has_lo = false;
    } else if (map_get_pointer(m->size, var)) {
        param->role = ROLE_SIZE;
        param->class = PARAM_DATA;
    } else if (marked || map_get_pointer(m->block, var) || map_get_pointer(m->divisor, var) ||
               map_get_pointer(m->coarse, var)) {
        param->role = ROLE_TUNABLE;
        param->lo = 1;
    } else if (map_get_pointer(m->pitch, var) ||
               (map_get_pointer(m->grid, var) && has_open_array(kernel))) {
        param->role = ROLE_SIZE;
        param->class = PARAM_DATA;
    } else {
        param->has_lo = divisor;
        bool structural = map_get_pointer(m->structural, var) || map_get_pointer(m->grid, var) ||
                          divisor;
        param->role = structural ? ROLE_UNIFORM : ROLE_VALUE;
    }
}

void roles_assign(struct lower *l, struct kernel *kernel, const struct var *const *vars, int n,
                  const struct stmt *const *coarse, size_t n_coarse)
{
    struct arena *arena = l->arena;
    struct marks m = {.arena = arena,
                      .structural = map_new(arena),
                      .size = map_new(arena),
                      .block = map_new(arena),
                      .divisor = map_new(arena),
                      .grid = map_new(arena),
                      .coarse = map_new(arena),
                      .pitch = map_new(arena),
                      .subscript = map_new(arena)};
    const struct param **params = ARENA_ARRAY(arena, const struct param *, n + 1);
    mark_kernel(&m, kernel);
    for (size_t i = 0; i < n_coarse; i++)
        mark_expr(&m, m.coarse, coarse[i]->to);
    kernel->ring = ring_new(arena);
    for (int i = 0; i < n; i++) {
        struct param *param = ARENA_NEW(arena, struct param);
        param->var = vars[i];
        role_set(l, &m, kernel, param);
        param->variable = param->role == ROLE_VALUE ? -1
                                                    : ring_variable(kernel->ring, vars[i]->name);
        params[i] = param;
    }
    kernel->params = params;
    kernel->n_params = n;
    kernel->facts = facts_collect(l, kernel);
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

static size_t nodes_count(struct lower *l, const struct ast *root, enum ast_kind kind)
{
    struct ast_walk walk;
    size_t n = 0;
    for (const struct ast *node = ast_first(&walk, l->arena, root); node; node = ast_next(&walk))
        n += node->kind == kind;
    return n;
}

/* Is the body of the loop on the way to the region, l->path[at], entered by its head alone, and by
   no jump? */
static bool loop_is_entered(struct lower *l, int at)
{
    for (int i = 0; i < at; i++)
        if (l->path[i]->kind == AST_SWITCH)
            return false;
    return !ast_has(l->body, AST_INDIRECT_GOTO) &&
           nodes_count(l, l->body, AST_GOTO) == nodes_count(l, l->path[at], AST_GOTO);
}

static bool is_addressed(struct lower *l, const struct ast *decl)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, l->arena, l->body); n; n = ast_next(&walk))
        if (n->kind == AST_UNARY && n->op == AST_OP_ADDRESS && ast_writes(n, decl))
            return true;
    return false;
}

/* Does the body of the loop leave the variable alone? */
static bool variable_stays(struct lower *l, const struct ast *decl, const struct ast *loop)
{
    return decl && decl->type && !decl->type->is_volatile && !decl->is_global &&
           !decl->is_static && !is_addressed(l, decl) && !ast_writes(loop->children[3], decl);
}

/* Does the condition of the loop still hold at the region, as the loop's body writes nothing that
   it reads? */
static bool condition_stays(struct lower *l, const struct ast *c, const struct ast *loop)
{
    struct ast_walk walk;
    if (!is_plain_comparison(c))
        return false;
    for (const struct ast *n = ast_first(&walk, l->arena, c); n; n = ast_next(&walk)) {
        bool computes = n->kind == AST_INTEGER || n->kind == AST_CHARACTER ||
                        n->kind == AST_SIZEOF || n->kind == AST_CAST || n->kind == AST_BINARY ||
                        (n->kind == AST_UNARY && n->op <= AST_OP_NOT);
        if (!computes && !(n->kind == AST_REF && variable_stays(l, n->decl, loop)))
            return false;
    }
    return true;
}

/* `loop`: the comparison is its condition; NULL: it stands in a statement before the region or
   around it. */
static bool add_comparison(struct lower *l, const struct kernel *kernel, struct sas *facts,
                           const struct ast *c, const struct ast *loop)
{
    if (!is_known(l, kernel, c) || !(loop ? condition_stays(l, c, loop) : is_repeatable(l, c)))
        return false;
    enum level level = l->level;
    l->level = LEVEL_HOST;
    const struct expr *a = expression_lower(l, c->children[0]),
                      *b = expression_lower(l, c->children[1]);
    l->level = level;
    const struct poly *p = a ? expr_poly(kernel->ring, a) : NULL,
                      *q = b ? expr_poly(kernel->ring, b) : NULL;
    if (!p || !q)
        return false;
    struct constraint fact = constraint_make(p, relation_of(c->op), q);
    for (size_t i = 0; i < facts->count; i++)
        if (constraint_equal(facts->at[i], fact))
            return true;
    *facts = sas_add(l->arena, *facts, fact);
    return true;
}

/* The polynomial comparisons of a conjunction; false if a part of it is none. */
static bool add_fact(struct lower *l, const struct kernel *kernel, struct sas *facts,
                     const struct ast *condition, const struct ast *loop)
{
    const struct ast *c = ast_strip(condition);
    while (c->kind == AST_UNARY && c->op == AST_OP_NOT &&
           ast_strip(c->children[0])->kind == AST_UNARY &&
           ast_strip(c->children[0])->op == AST_OP_NOT)
        c = ast_strip(ast_strip(c->children[0])->children[0]);
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

static void add_start(struct lower *l, const struct kernel *kernel, struct sas *facts,
                      const struct ast *loop)
{
    int64_t from;
    const struct ast *decl = loop_counts_up(loop, &from);
    const struct symbol *symbol = decl ? map_get_pointer(l->symbols, decl) : NULL;
    int v = symbol && symbol->kind == SYMBOL_SCALAR ? ring_find(kernel->ring, symbol->var->name)
                                                    : -1;
    struct constraint fact;
    if (v < 0)
        return;
    fact = constraint_make(poly_variable(kernel->ring, v), RELATION_GE,
                           poly_integer(kernel->ring, from));
    for (size_t i = 0; i < facts->count; i++)
        if (constraint_equal(facts->at[i], fact))
            return;
    *facts = sas_add(l->arena, *facts, fact);
}

struct sas facts_collect(struct lower *l, const struct kernel *kernel)
{
    struct sas facts = sas_empty(kernel->ring);
    for (int i = 0; i < kernel->n_params; i++) {
        const struct param *p = kernel->params[i];
        if (p->has_lo && p->variable >= 0)
            facts = sas_add(l->arena, facts,
                            constraint_make(poly_variable(kernel->ring, p->variable), RELATION_GE,
                                            poly_integer(kernel->ring, p->lo)));
    }
    for (int i = 0; i + 1 < l->n_path; i++) {
        const struct ast *around = l->path[i], *next = l->path[i + 1];
        if (around->kind == AST_IF && around->n_children >= 2 && around->children[1] == next)
            add_fact(l, kernel, &facts, around->children[0], NULL);
        if (around->kind == AST_FOR && next == around->children[3] && loop_is_entered(l, i)) {
            add_start(l, kernel, &facts, around);
            if (around->children[1])
                add_fact(l, kernel, &facts, around->children[1], around);
        }
        if (around->kind == AST_COMPOUND)
            for (int k = 0; k < around->n_children && around->children[k] != next; k++) {
                const struct ast *s = around->children[k];
                if (s->kind == AST_CALL && s->decl && s->n_children == 1 &&
                    !strcmp(s->decl->name, AST_ASSERT))
                    add_fact(l, kernel, &facts, s->children[0], NULL);
            }
    }
    return facts;
}

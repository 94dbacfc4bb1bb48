/* Scalars declared ahead that each round sets anew: `int k; for (…) { k = i * m + j; … }`.

   In: the body of a function. Out: `int k = i * m + j;` in place of such an assignment in a block
   of a loop, as C99 has it, with a variable of its own under the same name. The statements behind
   the assignment, as far as the next one in the block, are its *range*. The assignment becomes a
   declaration if its value is read in the range only: any other read of the variable stands in the
   range of another assignment, which does not hold this one. Ranges are entered by their
   assignments alone, as functions with labels are left as they are. A second declaration in a block
   gets a block of its own. */
#include "base/vec.h"
#include "frontend/header.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"

enum { SETS_MAX = 64 };

/* An assignment of a variable, or the loop whose header sets it. */
struct set {
    const struct ast *ast, *block;   /* block: NULL where a header sets the variable */
    int at, end;                     /* of the block's children: the assignment, behind the range */
    struct map *range;               /* the nodes in the range, as keys */
    bool in_loop;
};
typedef VEC(struct set) set_list;

struct locals {
    struct arena *arena;
    const struct ast *body, *decl;
    set_list sets;
};

static const struct ast *assigned_to(const struct locals *l, const struct ast *ast)
{
    bool plain = ast->kind == AST_ASSIGN && ast->op == AST_OP_NONE &&
                 is_ref_to(ast->children[0], l->decl);
    return plain && !ast_mentions(ast->children[1], l->decl) ? ast->children[1] : NULL;
}

static void range_add(const struct locals *l, struct set *set, const struct ast *root)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, l->arena, root); n; n = ast_next(&walk))
        map_put_pointer(set->range, n, set);
}

static void block_sets(struct locals *l, const struct ast *block, bool in_loop)
{
    for (int i = 0; i < block->n_children; i++) {
        struct set set = {block->children[i], block, i, i + 1, map_new(l->arena), in_loop};
        if (!assigned_to(l, block->children[i]))
            continue;
        while (set.end < block->n_children && !assigned_to(l, block->children[set.end]))
            range_add(l, &set, block->children[set.end++]);
        vec_push(l->arena, &l->sets, set);
    }
}

static void header_set(struct locals *l, const struct ast *loop)
{
    const struct ast *value = NULL, *own = header_own(loop, 0);
    struct set set = {loop, NULL, 0, 0, map_new(l->arena), false};
    if (!own || header_iterator(own, &value) != l->decl || ast_mentions(value, l->decl))
        return;
    for (int i = 1; i < loop->n_children; i++)
        range_add(l, &set, loop->children[i]);
    vec_push(l->arena, &l->sets, set);
}

static void sets_find(struct locals *l, const struct ast *ast, bool in_loop)
{
    if (ast->kind == AST_COMPOUND)
        block_sets(l, ast, in_loop);
    if (ast->kind == AST_FOR)
        header_set(l, ast);
    for (int i = 0; i < ast->n_children; i++)
        if (ast->children[i] && !ast_is_expression(ast->children[i]))
            sets_find(l, ast->children[i], in_loop || ast_is_loop(ast));
}

/* Does the value of the set reach no read outside its range? */
static bool is_read_inside(const struct locals *l, const struct set *set)
{
    struct ast_walk walk;
    struct map *targets = map_new(l->arena);
    bool good = true;
    const struct ast *n = ast_first(&walk, l->arena, l->body);
    for (; n && good; n = ast_next(&walk)) {
        if (assigned_to(l, n))
            map_put_pointer(targets, n->children[0], (void *)n);
        if (!is_ref_to(n, l->decl) || n->kind != AST_REF || map_get_pointer(targets, n) ||
            map_get_pointer(set->range, n))
            continue;
        good = false;
        for (size_t i = 0; i < l->sets.count && !good; i++)
            good = &l->sets.at[i] != set && map_get_pointer(l->sets.at[i].range, n) &&
                   !map_get_pointer(l->sets.at[i].range, set->ast);
    }
    return good;
}

/* The variable of the new declaration in the statements of the range. */
static void refs_turn(const struct locals *l, const struct set *set, const struct ast *variable)
{
    struct ast_walk walk;
    for (int i = set->at + 1; i < set->end; i++) {
        const struct ast *n = ast_first(&walk, l->arena, set->block->children[i]);
        for (; n; n = ast_next(&walk))
            if (n->kind == AST_REF && n->decl == l->decl)
                form_change(n)->decl = variable;
    }
}

static void set_declare(const struct locals *l, const struct set *set)
{
    struct ast *node = form_change(set->ast);
    struct ast *variable = form_make(l->arena, AST_VARIABLE, node, l->decl->type, 1,
                                     &node->children[1]);
    const struct ast **children = ARENA_ARRAY(l->arena, const struct ast *, 1);
    variable->name = l->decl->name;
    variable->owner = l->decl->owner;
    variable->is_made = false;
    children[0] = variable;
    refs_turn(l, set, variable);
    node->kind = AST_DECLARE;
    node->op = AST_OP_NONE;
    node->type = NULL;
    node->is_made = true;
    node->children = children;
    node->n_children = 1;
}

/* The children of a block from one on in a block of their own. */
static void rest_wrap(const struct locals *l, const struct ast *block, int at)
{
    int n = block->n_children - at;
    struct ast *rest = form_make(l->arena, AST_COMPOUND, block->children[at], NULL, n,
                                 block->children + at);
    const struct ast **children = ARENA_ARRAY(l->arena, const struct ast *, at + 1);
    rest->end = block->children[block->n_children - 1]->end;
    for (int i = 0; i < at; i++)
        children[i] = block->children[i];
    children[at] = rest;
    form_change(block)->children = children;
    form_change(block)->n_children = at + 1;
}

static bool can_be_own(const struct ast *body, const struct ast *decl)
{
    return decl->kind == AST_VARIABLE && decl->owner && decl->type && !decl->is_static &&
           !decl->is_extern && !decl->is_global && !decl->is_macro &&
           ast_class_is_integer(decl->type->class) && decl->type->class != AST_TYPE_BOOL &&
           !decl->type->is_volatile && !decl->type->is_const && !ast_takes_address(body, decl);
}

/* Does a declaration among the statements of a block declare the variable? */
static bool block_declares(const struct ast *block, const struct ast *variable)
{
    for (int i = 0; i < block->n_children; i++) {
        const struct ast *declare = block->children[i];
        int n = declare->kind == AST_DECLARE ? declare->n_children : 0;
        for (int k = 0; k < n; k++)
            if (declare->children[k] == variable)
                return true;
    }
    return false;
}

static void variable_declare(struct locals *l)
{
    set_list good = {0};
    l->sets.count = 0;
    sets_find(l, l->body, false);
    if (l->sets.count > SETS_MAX)
        return;
    for (size_t i = 0; i < l->sets.count; i++) {
        const struct set *set = &l->sets.at[i];
        if (set->block && set->in_loop && form_has_texts(set->ast) &&
            is_read_inside(l, set))
            vec_push(l->arena, &good, *set);
    }
    for (size_t i = good.count; i-- > 0;) {
        bool further = i > 0 && good.at[i - 1].block == good.at[i].block;
        further |= block_declares(good.at[i].block, l->decl);
        set_declare(l, &good.at[i]);
        if (further)
            rest_wrap(l, good.at[i].block, good.at[i].at);
    }
}

void locals_declare(struct arena *arena, const struct ast *body)
{
    struct locals l = {.arena = arena, .body = body};
    VEC(const struct ast *) variables = {0};
    struct ast_walk walk;
    if (ast_has(body, AST_LABEL) || ast_has(body, AST_SWITCH) ||
        ast_has(body, AST_STATEMENT_EXPR))
        return;
    for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk))
        if (can_be_own(body, n))
            vec_push(arena, &variables, n);
    for (size_t i = 0; i < variables.count; i++) {
        l.decl = variables.at[i];
        variable_declare(&l);
    }
}

/* Structures declared ahead that each round of a loop sets anew, as C89 has them:

       struct v d;                                for (i = 0; i < n; i++) {
       for (i = 0; i < n; i++) {                      struct v d;
           d.x = b[i].x - a[i].x;                     d.x = b[i].x - a[i].x;

   In: the body of a function. Out: the structure is declared in the block that sets it, for
   fields.c. In that block each of its members is set, by a statement of the block itself, before
   anything reads it; all that names the structure stands in such blocks. */
#include "base/vec.h"
#include "frontend/ask.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"
#include <string.h>

enum { BLOCKS_MAX = 16 };

struct declared_ahead {
    struct arena *arena;
    const struct ast *decl;
    const struct ast *blocks[BLOCKS_MAX];
    int n_blocks;
};

static bool can_move(const struct ast *body, const struct ast *decl)
{
    return decl->kind == AST_VARIABLE && decl->owner && decl->type && !decl->is_static &&
           !decl->is_extern && !decl->is_global && !decl->is_macro && !decl->n_children &&
           decl->type->class == AST_TYPE_STRUCT && decl->type->fields &&
           !decl->type->is_volatile && !decl->type->has_volatile && !ast_takes_address(body, decl);
}

/* --- members that statements set -------------------------------------------------------------- */

static uint32_t all_members(const struct ast *decl)
{
    return (uint32_t)((1ull << decl->type->n_fields) - 1);
}

/* The members of the structure that a node itself names. */
static uint32_t members_of(const struct declared_ahead *a, const struct ast *node)
{
    if (node->kind != AST_MEMBER || !node->n_children ||
        !is_ref_to(node->children[0], a->decl))
        return 0;
    for (int i = 0; i < a->decl->type->n_fields; i++)
        if (!strcmp(a->decl->type->fields[i].name, node->name))
            return 1u << i;
    return all_members(a->decl);
}

static uint32_t members_named(const struct declared_ahead *a, const struct ast *root)
{
    struct ast_walk walk;
    uint32_t named = 0;
    for (const struct ast *n = ast_first(&walk, a->arena, root); n; n = ast_next(&walk)) {
        uint32_t own = members_of(a, n);
        named |= own;
        if (own)
            ast_skip(&walk);
        else if (n->kind == AST_REF && n->decl == a->decl)
            named |= all_members(a->decl);
    }
    return named;
}

/* The members that `d.x = d.y = value` sets, and the value; of other statements none. */
static uint32_t members_set(const struct declared_ahead *a, const struct ast *statement,
                            const struct ast **value)
{
    uint32_t set = 0;
    *value = statement;
    while ((*value)->kind == AST_ASSIGN && (*value)->op == AST_OP_NONE) {
        const struct ast *target = ast_strip((*value)->children[0]);
        uint32_t own = is_ref_to(target, a->decl) ? all_members(a->decl) : members_of(a, target);
        if (!own)
            break;
        set |= own;
        *value = ast_strip((*value)->children[1]);
    }
    return set;
}

/* Does each statement read only members that statements of the block before it have set? */
static bool block_sets(const struct declared_ahead *a, const struct ast *block)
{
    uint32_t set = 0;
    for (int i = 0; i < block->n_children; i++) {
        const struct ast *value;
        uint32_t sets = members_set(a, block->children[i], &value);
        if (members_named(a, value) & ~set)
            return false;
        set |= sets;
    }
    return true;
}

/* --- blocks ----------------------------------------------------------------------------------- */

/* The block of a loop in which the structure can be declared; NULL if there is none. */
static const struct ast *block_find(const struct declared_ahead *a, const struct ast *root)
{
    while (root && ast_mentions(root, a->decl)) {
        const struct ast *only = NULL;
        int n_naming = 0;
        if (root->kind == AST_COMPOUND && block_sets(a, root))
            return root;
        for (int i = 0; i < root->n_children; i++)
            if (root->children[i] && ast_mentions(root->children[i], a->decl)) {
                only = root->children[i];
                n_naming++;
            }
        root = n_naming == 1 && !ast_is_expression(only) ? only : NULL;
    }
    return NULL;
}

/* The blocks of the outermost loops that name the structure; false if it is named elsewhere. */
static bool blocks_find(struct declared_ahead *a, const struct ast *root)
{
    if (ast_is_loop(root)) {
        const struct ast *block = ast_mentions(root, a->decl) ? block_find(a, root) : NULL;
        if (block && a->n_blocks < BLOCKS_MAX)
            a->blocks[a->n_blocks++] = block;
        return block || !ast_mentions(root, a->decl);
    }
    if (ast_is_expression(root))
        return !ast_mentions(root, a->decl);
    for (int i = 0; i < root->n_children; i++)
        if (root->children[i] && !blocks_find(a, root->children[i]))
            return false;
    return true;
}

/* --- the declaration -------------------------------------------------------------------------- */

static void block_declare(const struct declared_ahead *a, const struct ast *block)
{
    const struct ast **list = ARENA_ARRAY(a->arena, const struct ast *, block->n_children + 1);
    const struct ast *first = block->children[0];
    struct ast *variable = form_make(a->arena, AST_VARIABLE, first, a->decl->type, 0, NULL);
    variable->name = a->decl->name;
    variable->owner = a->decl->owner;
    variable->is_made = false;
    const struct ast *declared = variable;
    struct ast *declare = form_make(a->arena, AST_DECLARE, first, NULL, 1, &declared);
    variable->end = declare->end = first->begin;
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, a->arena, block); n; n = ast_next(&walk))
        if (n->kind == AST_REF && n->decl == a->decl)
            form_change(n)->decl = variable;
    list[0] = declare;
    memcpy(list + 1, block->children, (size_t)block->n_children * sizeof *list);
    form_change(block)->children = list;
    form_change(block)->n_children++;
}

void structures_declare(struct arena *arena, const struct ast *body)
{
    VEC(const struct ast *) variables = {0};
    struct ast_walk walk;
    if (ast_has(body, AST_LABEL) || ast_has(body, AST_SWITCH) || ast_has(body, AST_STATEMENT_EXPR))
        return;
    for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk))
        if (can_move(body, n))
            vec_push(arena, &variables, n);
    for (size_t i = 0; i < variables.count; i++) {
        struct declared_ahead a = {.arena = arena, .decl = variables.at[i]};
        if (!blocks_find(&a, body))
            continue;
        for (int k = 0; k < a.n_blocks; k++)
            block_declare(&a, a.blocks[k]);
    }
}

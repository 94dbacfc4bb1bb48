/* Members of structures that a loop only reads: `p.dt`, `par->alpha`, `image.pixels[i]`.

   In: the body of a function. Out: such a member is a variable of its own, `p_dt`, which the
   mapped text declares before a fragment that uses it. The structure is a local variable or a
   parameter, or what a pointer means that keeps its value; nothing in the innermost loop around
   the member writes it: no assignment to it or to the whole, no address, and, where a pointer leads
   to it, no element of an array that C lets be the member, and no call. An element that is written
   may be a number's place where a test of addresses tells (scop/alias.c). Reading a fragment asks
   whether the member has one value in all of it (`member_path_change`). A structure that a pointer
   leads to is read only if there is one: loops that do nothing read nothing. */
#include "base/vec.h"
#include "frontend/ask.h"
#include "frontend/calls.h"
#include "frontend/header.h"
#include "frontend/writes.h"
#include "mapper/forms/opening.h"
#include "mapper/forms/words.h"
#include <string.h>

/* A variable that expressions of members begin with. */
struct member_root {
    bool is_in_loop, has_address;    /* a loop declares it; its address is taken */
};

struct members {
    struct arena *arena;
    const struct ast *function, *body;
    node_list effects;               /* nodes that may change members, in the innermost loop around
                                        or the body */
    struct map *roots;               /* struct member_root by variable */
    struct word_list *words;
    VEC(struct ast *) variables;
};

/* The variable that an expression of members begins with; NULL for other expressions. A pointer may
   lead to the first structure only. */
static const struct ast *root_of(const struct ast *ast, bool *by_pointer)
{
    *by_pointer = false;
    while (ast->kind == AST_MEMBER && ast->n_children == 1 && !*by_pointer) {
        ast = ast->children[0];
        *by_pointer = ast->type && ast->type->class == AST_TYPE_POINTER;
    }
    bool local = ast->kind == AST_REF && ast->decl && !ast->decl->is_global &&
                 !ast->decl->is_static &&
                 (ast->decl->kind == AST_PARAMETER || ast->decl->kind == AST_VARIABLE);
    return local && ast->type && !ast->decl->type->is_volatile ? ast->decl : NULL;
}

/* The array or variable that an assignment changes a part of. */
static const struct ast *changed_base(const struct ast *target)
{
    while (target->n_children && target->kind != AST_REF)
        target = target->children[0];
    return target->kind == AST_REF ? target->decl : NULL;
}

/* Is it an element of an array that a pointer or a member leads to without a further pointer? */
static bool is_plain_element(const struct ast *target)
{
    bool element = target->kind == AST_INDEX;
    while (target->kind == AST_INDEX && element) {
        target = ast_strip(target->children[0]);
        element = target->kind != AST_INDEX || target->type->class != AST_TYPE_POINTER;
    }
    return element && (target->kind == AST_REF || target->kind == AST_MEMBER);
}

/* May an element that is written be the member, although no test of addresses that a fragment could
   make tells? (scop/alias.c makes it for numbers.) */
static bool may_be(const struct ast *target, const struct ast *member)
{
    const struct ast *base = changed_base(target);
    bool is_array = base && base->type->class == AST_TYPE_ARRAY && base->kind != AST_PARAMETER;
    bool own = base && (base->type->is_restrict || is_array) && target->kind == AST_INDEX;
    bool tested = type_is_scalar(member->type) && is_plain_element(target);
    return !own && !tested && types_may_meet(target->type, member->type);
}

/* The part of the structure or pointer that the expression of members names first, and is not the
   variable itself; its depth counts from 1. */
static const struct ast *part_at(const struct ast *ast, int depth)
{
    int n = 0;
    for (const struct ast *at = ast; at->kind == AST_MEMBER; at = ast_strip(at->children[0]))
        n++;
    for (; n > depth; n--)
        ast = ast_strip(ast->children[0]);
    return n == depth ? ast : NULL;
}

/* Are the two different members of one structure, as `p->n` and `p->sum`, or parts of such? */
static bool are_apart(const struct ast *target, const struct ast *member)
{
    while (target->kind == AST_INDEX && target->children[0]->type &&
           target->children[0]->type->class == AST_TYPE_ARRAY)
        target = target->children[0];
    bool by_pointer, by_other;
    if (target->kind != AST_MEMBER || !root_of(target, &by_other) ||
        root_of(target, &by_other) != root_of(member, &by_pointer) || by_other != by_pointer)
        return false;
    for (int depth = 1;; depth++) {
        const struct ast *a = part_at(target, depth), *b = part_at(member, depth);
        const struct ast_type *whole = a ? ast_strip(a->children[0])->type : NULL;
        whole = whole && whole->class == AST_TYPE_POINTER ? whole->element : whole;
        if (!a || !b || !whole || whole->class != AST_TYPE_STRUCT)
            return false;
        if (strcmp(a->name, b->name) != 0)
            return *a->name && *b->name;
    }
}

/* Does a node change the member of the variable, or may it? is_private: no pointer leads to the
   variable, which holds the structure itself. */
static bool changes(const struct ast *n, const struct ast *member, const struct ast *root,
                    bool by_pointer, bool is_private)
{
    const struct ast *target = written_meant(change_target(n));
    bool by_other;
    if (n->kind == AST_UNARY && n->op == AST_OP_ADDRESS && changed_base(n->children[0]) == root)
        return true;
    if (by_pointer && n->kind == AST_CALL && !call_is_pure(n))
        return true;
    if (!target || are_apart(target, member))
        return false;
    if (target->kind == AST_MEMBER && is_private)
        return changed_base(target) == root;
    if (target->kind == AST_MEMBER)
        return root_of(target, &by_other) == root ||
               ((by_pointer || !root_of(target, &by_other)) &&
                types_may_meet(target->type, member->type));
    return (target->kind == AST_REF && target->decl == root) ||
           (by_pointer && target->kind != AST_REF && may_be(target, member));
}

/* A node below another that changes the member, or may by a store through a pointer; NULL: none. */
static const struct ast *change_below(struct arena *arena, const struct ast *node,
                                      const struct ast *member)
{
    bool by_pointer;
    const struct ast *root = root_of(member, &by_pointer);
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, node); n; n = ast_next(&walk))
        if (changes(n, member, root, by_pointer, false))
            return n;
    return NULL;
}

const struct ast *member_path_change(struct arena *arena, const struct ast *node,
                                     const struct ast *variable)
{
    bool by_pointer;
    const struct ast *value =
        variable->is_made && variable->n_children ? variable->children[0] : NULL;
    if (!value || value->kind != AST_MEMBER)
        return NULL;
    bool declares = ast_declares(node, root_of(value, &by_pointer));
    return declares ? value : change_below(arena, node, value);
}

const struct ast *member_path_pointer(const struct ast *variable)
{
    bool by_pointer;
    const struct ast *value =
        variable->is_made && variable->n_children ? variable->children[0] : NULL;
    bool number = value && value->kind == AST_MEMBER && type_is_scalar(variable->type);
    const struct ast *root = number ? root_of(value, &by_pointer) : NULL;
    return root && by_pointer ? root : NULL;
}

static const struct member_root *root_known(const struct members *m, const struct ast *root)
{
    struct member_root *known = map_get_pointer(m->roots, root);
    if (known)
        return known;
    known = ARENA_NEW(m->arena, struct member_root);
    *known = (struct member_root){form_is_in_loop(m->arena, root, m->body),
                                  ast_takes_address(m->body, root)};
    map_put_pointer(m->roots, root, known);
    return known;
}

/* The nodes below another that may change a member. */
static node_list effects_below(const struct members *m, const struct ast *node)
{
    node_list list = {0};
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, m->arena, node); n; n = ast_next(&walk))
        if (n->kind == AST_CALL || change_target(n) ||
            (n->kind == AST_UNARY && n->op == AST_OP_ADDRESS))
            vec_push(m->arena, &list, n);
    return list;
}

/* Has the member one value in the innermost loop around it? A pointer that a loop declares is left
   to records.c. */
static bool member_stays(const struct members *m, const struct ast *member, const struct ast *root,
                         bool by_pointer)
{
    const struct member_root *known = root_known(m, root);
    bool is_private = !by_pointer && !known->has_address;
    if (known->is_in_loop)
        return false;
    for (size_t i = 0; i < m->effects.count; i++)
        if (changes(m->effects.at[i], member, root, by_pointer, is_private))
            return false;
    return true;
}

/* "p_dt" */
static const char *name_of(const struct members *m, const struct ast *member,
                           const struct ast *root)
{
    const char *name = member->name;
    for (const struct ast *at = member->children[0]; at->kind == AST_MEMBER; at = at->children[0])
        name = *at->name ? arena_printf(m->arena, "%s_%s", at->name, name) : name;
    return words_variable(m->words, arena_printf(m->arena, "%s_%s", root->name, name));
}

/* The variable that stands for the member. */
static struct ast *variable_for(struct members *m, const struct ast *member, const struct ast *root,
                                bool by_pointer)
{
    for (size_t i = 0; i < m->variables.count; i++)
        if (ast_equal(m->variables.at[i]->children[0], member))
            return m->variables.at[i];
    struct ast *value = ARENA_NEW(m->arena, struct ast);
    *value = *member;
    struct ast *variable = form_variable(m->arena, m->function, name_of(m, member, root),
                                         member->type, value);
    variable->integer = by_pointer;
    vec_push(m->arena, &m->variables, variable);
    return variable;
}

/* Is it a pointer to numbers or to structures, of a type that has a name? */
static bool leads_to_elements(const struct ast_type *type)
{
    const struct ast_type *element = type->class == AST_TYPE_POINTER ? type->element : NULL;
    return element &&
           (type_is_scalar(element) || (element->class == AST_TYPE_STRUCT && element->bytes > 0 &&
                                        !strchr(element->text, '(')));
}

static void member_paths_find(struct members *m, const struct ast *ast)
{
    bool by_pointer;
    if (!ast)
        return;
    const node_list outer = m->effects;
    if (ast_is_loop(ast))
        m->effects = effects_below(m, ast);
    const struct ast *root = ast->kind == AST_MEMBER ? root_of(ast, &by_pointer) : NULL;
    bool value = root && ast->type && !ast->type->is_volatile &&
                 (type_is_scalar(ast->type) || leads_to_elements(ast->type));
    if (value && member_stays(m, ast, root, by_pointer)) {
        struct ast *node = form_change(ast);
        node->decl = variable_for(m, ast, root, by_pointer);
        node->kind = AST_REF;
        node->n_children = 0;
        node->is_made = true;
        return;
    }
    for (int i = 0; i < ast->n_children; i++)
        member_paths_find(m, ast->children[i]);
    m->effects = outer;
}

void members_find(struct ctx *ctx, const struct word_list *words, const struct ast *function,
                  const struct ast *body)
{
    struct members m = {.arena = ctx->arena,
                        .function = function,
                        .body = body,
                        .roots = map_new(ctx->arena)};
    m.effects = effects_below(&m, body);
    m.words = words_again(ctx->arena, words);
    member_paths_find(&m, body);
}

/* --- printing --------------------------------------------------------------------------------- */

/* Pointers that may be NULL: `bias != NULL ? bias[o] : 0`, `if (mask) …` in loops.

   In: the body of a function. Out: whether such a pointer is there as a variable of its own,
   `bias_given`, which the mapped text sets before a fragment that asks. The pointer is a parameter
   or a local variable that keeps its value; loops then ask an integer that no thread changes. */
#include "base/vec.h"
#include "frontend/ask.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"
#include "mapper/forms/words.h"
#include <string.h>

struct nulls {
    struct arena *arena;
    const struct ast *function, *body;
    struct word_list *words;
    VEC(const struct ast *) variables;
};

/* Does the pointer keep its value while the function runs its loops? */
static bool keeps_place(const struct nulls *s, const struct ast *decl)
{
    bool own = decl->kind == AST_PARAMETER ||
               (decl->kind == AST_VARIABLE && decl->n_children == 1 &&
                !form_is_in_loop(s->arena, decl, s->body));
    return own && !decl->is_global && !decl->is_static && !decl->is_made &&
           !decl->type->is_volatile && !ast_writes(s->body, decl) &&
           !ast_takes_address(s->body, decl);
}

/* The variable that says whether the pointer is there; its value is `p ? 1 : 0`. */
static const struct ast *given_variable(struct nulls *s, const struct ast *pointer)
{
    for (size_t i = 0; i < s->variables.count; i++)
        if (s->variables.at[i]->children[0]->children[0]->decl == pointer->decl)
            return s->variables.at[i];
    const struct ast_type *type = form_int(s->arena);
    const struct ast *parts[] = {form_ref(s->arena, pointer, pointer->decl),
                                 form_literal(s->arena, pointer, type, 1),
                                 form_literal(s->arena, pointer, type, 0)};
    const struct ast *value = form_make(s->arena, AST_CONDITIONAL, pointer, type, 3, parts);
    const char *name =
        words_variable(s->words, arena_printf(s->arena, "%s_given", pointer->decl->name));
    const struct ast *variable = form_variable(s->arena, s->function, name, type, value);
    vec_push(s->arena, &s->variables, variable);
    return variable;
}

/* The variable in place of a node that asks for the pointer; `!` before it where the node asks
   whether it is NULL. */
static void question_replace(struct nulls *s, const struct ast *node, const struct ast *pointer,
                             bool is_negated)
{
    if (node->is_part || !keeps_place(s, pointer->decl))
        return;
    const struct ast *ref = form_ref(s->arena, node, given_variable(s, pointer));
    struct ast *changed = form_change(node);
    if (!is_negated) {
        *changed = *ref;
        return;
    }
    struct ast *not = form_make(s->arena, AST_UNARY, node, ref->type, 1, &ref);
    not->op = AST_OP_NOT;
    *changed = *not;
}

static void questions_find(struct nulls *s, const struct ast *ast, bool in_loop)
{
    in_loop |= ast_is_loop(ast);
    for (int i = 0; i < ast->n_children; i++) {
        const struct ast *child = ast->children[i];
        if (!child)
            continue;
        const struct ast *asked = in_loop ? ast_asks_null(child) : NULL;
        const struct ast *bare = in_loop ? ast_condition_pointer(ast, i) : NULL;
        if (asked)
            question_replace(s, child, asked,
                             child->kind == AST_UNARY || child->op == AST_OP_EQ);
        else if (bare)
            question_replace(s, child, bare, false);
        else
            questions_find(s, child, in_loop);
    }
}

void nulls_find(struct arena *arena, const struct word_list *words, const struct ast *function,
                const struct ast *body)
{
    struct nulls s = {.arena = arena, .function = function, .body = body,
                      .words = words_again(arena, words)};
    questions_find(&s, body, false);
}

/* Parameters that a function moves down once, before its loops: `--x;`, `a -= a_offset;`.

   In: the body of a function, as f2c writes it, whose arrays begin at 1. Out: the loops use the
   array where it begins: `x_from[i - 1]`, with `double *x_from = x + 1;` before a fragment that
   uses it. A region copies arrays from element 0 on, which lies before what the caller gave where a
   pointer was moved down. One statement of the function's own block moves the parameter, by an
   integer that is made of variables, which keep their values behind the statement. A variable such
   as a_offset, which one statement of that block sets, is read through. Loops name elements of the
   parameter alone. */
#include "base/vec.h"
#include "frontend/ask.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"
#include "mapper/forms/words.h"

struct shifted {
    struct arena *arena;
    const struct ast *function, *body;
    struct word_list *words;
};

/* A parameter, the statement that moves it down, and the number of elements by which. */
struct moved_down {
    const struct ast *decl, *amount;
    int at;                          /* of the body's children */
};

/* --- what moves a parameter ------------------------------------------------------------------- */

/* Do the statements before one run once, and always on the way to it? */
static bool is_reached_once(const struct ast *body, int at)
{
    for (int i = 0; i <= at; i++)
        if (ast_has(body->children[i], AST_LABEL) || ast_has(body->children[i], AST_GOTO))
            return false;
    return true;
}

/* Does the variable keep its value behind a statement of the body, and its name there? */
static bool stays_behind(const struct shifted *s, const struct ast *decl, int at)
{
    bool stays = decl->owner && !decl->is_static && !decl->type->is_volatile &&
                 ast_class_is_integer(decl->type->class);
    for (int i = at + 1; i < s->body->n_children && stays; i++)
        stays = !ast_may_write(s->body, s->body->children[i], decl) &&
                !form_hides(s->arena, decl, s->body->children[i]);
    return stays;
}

/* Is it a number, or a sum or product of variables that stay? */
static bool amount_stays(const struct shifted *s, const struct ast *amount, int at)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, s->arena, amount); n; n = ast_next(&walk)) {
        bool makes = n->kind == AST_BINARY &&
                     (n->op == AST_OP_ADD || n->op == AST_OP_SUB || n->op == AST_OP_MUL);
        bool plain = n->kind == AST_INTEGER || makes || (n->kind == AST_CAST && n->is_implicit) ||
                     (n->kind == AST_REF && stays_behind(s, n->decl, at));
        if (!plain || n->is_part || !n->type || !ast_class_is_integer(n->type->class))
            return false;
    }
    return true;
}

/* The value of a variable that one statement of the body sets before another one; the expression
   itself if it is no such variable. */
static const struct ast *value_meant(const struct shifted *s, const struct ast *ast, int at)
{
    const struct ast *plain = ast_strip(ast);
    bool is_set_once = plain->kind == AST_REF && plain->decl->kind == AST_VARIABLE &&
                       ast_count_writes(s->body, plain->decl) + plain->decl->n_children == 1;
    if (!is_set_once)
        return ast;
    for (int i = 0; i < at; i++) {
        const struct ast *value = value_given(s->body->children[i], plain->decl);
        bool same = value && value->type->class == plain->decl->type->class;
        if (same && amount_stays(s, value, i))
            return value;
    }
    return ast;
}

/* Reads `--p`, `p--` and `p -= n`; false of other statements. */
static bool shift_read(const struct shifted *s, int at, struct moved_down *shift)
{
    const struct ast *statement = s->body->children[at], *target = change_target(statement);
    if (!target || target->kind != AST_REF || !form_has_texts(statement))
        return false;
    *shift = (struct moved_down){.decl = target->decl, .at = at};
    if (statement->kind == AST_UNARY) {
        shift->amount = form_literal(s->arena, statement, NULL, 1);
        return statement->op == AST_OP_POST_DECREMENT || statement->op == AST_OP_PRE_DECREMENT;
    }
    shift->amount = value_meant(s, statement->children[1], at);
    return statement->op == AST_OP_SUB && amount_stays(s, shift->amount, at);
}

static bool can_be_shifted(const struct shifted *s, const struct ast *decl)
{
    bool leads = decl->kind == AST_PARAMETER && decl->type->class == AST_TYPE_POINTER &&
                 type_is_scalar(decl->type->element) && !decl->type->is_volatile;
    return leads && !decl->type->element->is_volatile && ast_count_writes(s->body, decl) == 1 &&
           !ast_takes_address(s->body, decl) && !form_hides(s->arena, decl, s->body);
}

/* --- elements of a parameter ------------------------------------------------------------------ */

static bool is_element_of(const struct ast *ast, const struct ast *decl)
{
    return ast->kind == AST_INDEX && is_ref_to(ast->children[0], decl) && !ast->is_part &&
           !ast->children[0]->is_part && !ast->children[1]->is_part;
}

static int count_refs(const struct shifted *s, const struct ast *root, const struct ast *decl)
{
    struct ast_walk walk;
    int n_refs = 0;
    for (const struct ast *n = ast_first(&walk, s->arena, root); n; n = ast_next(&walk))
        n_refs += n->kind == AST_REF && n->decl == decl;
    return n_refs;
}

/* The elements of the parameter below a loop; -1 if the loop uses it in another way. */
static int count_elements(const struct shifted *s, const struct ast *loop, const struct ast *decl)
{
    struct ast_walk walk;
    int n_elements = 0;
    for (const struct ast *n = ast_first(&walk, s->arena, loop); n; n = ast_next(&walk))
        n_elements += is_element_of(n, decl);
    return n_elements == count_refs(s, loop, decl) ? n_elements : -1;
}

/* Does something behind the statement use elements in loops, and are these all uses in loops? */
static bool loops_use_elements(const struct shifted *s, const struct moved_down *shift)
{
    struct ast_walk walk;
    int n_used = 0;
    for (int i = shift->at + 1; i < s->body->n_children; i++) {
        const struct ast *n = ast_first(&walk, s->arena, s->body->children[i]);
        for (; n; n = ast_next(&walk)) {
            int n_elements = ast_is_loop(n) ? count_elements(s, n, shift->decl) : 0;
            if (n_elements < 0)
                return false;
            n_used += n_elements;
            if (ast_is_loop(n))
                ast_skip(&walk);
        }
    }
    return n_used > 0;
}

/* `x_from[i - 1]` in place of `x[i]`. */
static void element_shift(const struct shifted *s, const struct moved_down *shift,
                          const struct ast *element, const struct ast *variable)
{
    const struct ast **children = ARENA_ARRAY(s->arena, const struct ast *, 2);
    struct ast *name = form_ref(s->arena, element->children[0], variable);
    name->name = variable->name;
    children[0] = name;
    children[1] = form_sum(s->arena, element->children[1], form_copy(s->arena, shift->amount),
                           AST_OP_SUB);
    form_change(element)->children = children;
    form_change(element)->integer = 0;
    form_change(element)->is_made = true;
}

static void elements_shift(const struct shifted *s, const struct moved_down *shift,
                           const struct ast *variable)
{
    struct ast_walk walk;
    for (int i = shift->at + 1; i < s->body->n_children; i++) {
        const struct ast *n = ast_first(&walk, s->arena, s->body->children[i]);
        for (; n; n = ast_next(&walk))
            if (is_element_of(n, shift->decl))
                element_shift(s, shift, n, variable);
    }
}

/* `x + 1`: where the array begins. */
static const struct ast *beginning_variable(const struct shifted *s, const struct moved_down *shift)
{
    const struct ast *place = s->body->children[shift->at];
    const struct ast *name = form_ref(s->arena, change_target(place), shift->decl);
    const struct ast *value = form_binary(s->arena, AST_OP_ADD, shift->decl->type, place, name,
                                          form_copy(s->arena, shift->amount));
    return form_variable(s->arena, s->function,
                         words_variable(s->words,
                                        arena_printf(s->arena, "%s_from", shift->decl->name)),
                         shift->decl->type, value);
}

void shifted_find(struct arena *arena, const struct word_list *words, const struct ast *function,
                  const struct ast *body)
{
    struct shifted s = {arena, function, body, words_again(arena, words)};
    struct moved_down shift;
    for (int i = 0; i < body->n_children; i++)
        if (shift_read(&s, i, &shift) && can_be_shifted(&s, shift.decl) &&
            is_reached_once(body, i) && loops_use_elements(&s, &shift))
            elements_shift(&s, &shift, beginning_variable(&s, &shift));
}

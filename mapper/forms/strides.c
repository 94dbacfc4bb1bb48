/* Loops in steps of a variable: `for (int i = s; i < e; i += c)` as a loop that counts its rounds.

   In: the body of a function. Out: `for (int i = 0; i < i_rounds; i++)`, where `s + i * c` stands
   for `i`. The rounds are a variable of their own, which the mapped text declares before a fragment
   that uses it, as members of structures (members.c): 0 where c is not positive or s not below e.
   So is a step that is no sum or product, `1 << stage`. All that s, e and c name keeps its value in
   the loop, and a fragment that holds it changes none of it (scop/symbol.c). Nobody reads the
   iterator behind the loop, and it is signed: with c below 1 a loop that begins would never end.
   Loops inside count by numbers. One over the points of a step, `for (j = i; j < i + h; j++)`,
   begins at 0, where `i + j` stands for `j`. All of the loop is mapped, or nothing that uses such
   an iterator. A loop around is no axis: it calls functions of other files, does not count, or its
   rounds store to the same elements, as the stages of a Fourier transform; and no caller takes the
   function into its own statements: a thread counts as the source. */
#include "frontend/behind.h"
#include "frontend/calls.h"
#include "frontend/header.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"
#include "mapper/forms/words.h"

struct strides {
    struct arena *arena;
    struct ast_unit *unit;
    const struct ast *function, *body;
    struct word_list *words;
};

/* The parts of such a loop's header. */
struct stride {
    const struct ast *iterator, *start, *end, *step;
    enum ast_op op;                  /* `<` or `<=` */
};

static bool is_signed(const struct ast *ast)
{
    return ast->type && (ast->type->class == AST_TYPE_I32 || ast->type->class == AST_TYPE_I64);
}

/* Has the variable one value in the loop, which is known before? */
static bool keeps_value(const struct strides *s, const struct ast *loop, const struct ast *decl)
{
    bool local = decl->kind == AST_PARAMETER ||
                 (decl->kind == AST_VARIABLE && !decl->is_global && !decl->is_static);
    return local && !decl->type->is_volatile && !ast_writes(loop, decl) &&
           !ast_takes_address(s->body, decl) && !ast_declares(loop, decl) &&
           !form_hides(s->arena, decl, s->body);
}

static bool is_sum(const struct ast *n)
{
    return n->kind == AST_BINARY && (n->op == AST_OP_ADD || n->op == AST_OP_SUB ||
                                     n->op == AST_OP_MUL);
}

/* A shift, or a share of a number. */
static bool is_scaled(const struct ast *n)
{
    const struct ast *right = n->kind == AST_BINARY ? ast_strip(n->children[1]) : NULL;
    return right && (n->op == AST_OP_SHL || (n->op == AST_OP_DIV && right->kind == AST_INTEGER &&
                                             right->integer > 0));
}

/* Is it made of integers that keep their values? */
static bool is_kept(const struct strides *s, const struct ast *loop, const struct ast *ast)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, s->arena, ast); n; n = ast_next(&walk)) {
        bool good = is_sum(n) || is_scaled(n) || n->kind == AST_INTEGER || n->kind == AST_CAST ||
                    (n->kind == AST_REF && keeps_value(s, loop, n->decl));
        if (!good || !is_signed(n))
            return false;
    }
    return true;
}

/* Has a sum of it and the iterator the iterator's type? */
static bool is_narrow(const struct ast *ast, const struct ast *iterator)
{
    return iterator->type->class == AST_TYPE_I64 || ast->type->class == AST_TYPE_I32;
}

/* Reads a header; false if it is of another form. */
static bool stride_parts(const struct ast *loop, struct stride *stride)
{
    const struct ast *start = loop->children[0], *amount = NULL;
    struct header_comparison comparison;
    int sign = 0;
    if (!start || (start->kind == AST_DECLARE && start->n_children != 1) || !loop->children[1] ||
        !loop->children[2] || loop->is_macro || loop->is_meta || start->is_macro)
        return false;
    stride->iterator = header_iterator(start, &stride->start);
    if (!stride->iterator || !is_signed(stride->iterator) ||
        !header_amount(loop->children[2], stride->iterator, &sign, &amount) || sign != 1 ||
        !amount || ast_strip(amount)->kind == AST_INTEGER ||
        header_step(loop->children[2], stride->iterator) ||
        !header_compares(loop->children[1], stride->iterator, &comparison) || comparison.plus ||
        !is_ref_to(ast_strip(comparison.side), stride->iterator))
        return false;
    stride->start = ast_strip(stride->start);
    stride->step = ast_strip(amount);
    stride->end = comparison.bound;
    stride->op = comparison.op;
    return stride->op == AST_OP_LT || stride->op == AST_OP_LE;
}

/* Is the iterator declared by the loop, or read by nobody behind it? */
static bool iterator_is_own(const struct strides *s, const struct ast *loop,
                            const struct ast *iterator)
{
    bool local = !iterator->is_global && !iterator->is_static && !iterator->type->is_volatile;
    return loop->children[0]->kind == AST_DECLARE ||
           (local && !ast_takes_address(s->body, iterator) && !ast_has(s->body, AST_LABEL) &&
            !ast_has(s->body, AST_SWITCH) &&
            !ast_is_read_behind(s->body, loop, loop, iterator));
}

/* --- loops inside ----------------------------------------------------------------------------- */

/* A loop over the points of a step: `for (j = i + a; j < i + b; j++)`. */
struct step_points {
    const struct ast *iterator;
    const struct ast *start, *end;   /* what i is added to; NULL: nothing */
    enum ast_op op;                  /* `<` or `<=` */
};

/* Finds what a sum adds to the variable, NULL for nothing; false if it is no such sum. */
static bool added_to(const struct ast *ast, const struct ast *variable, const struct ast **rest)
{
    ast = ast_strip(ast);
    *rest = NULL;
    if (is_ref_to(ast, variable))
        return true;
    if (ast->kind != AST_BINARY || ast->op != AST_OP_ADD || !is_signed(ast))
        return false;
    bool is_second = is_ref_to(ast->children[1], variable);
    *rest = ast->children[!is_second];
    return (is_second || is_ref_to(ast->children[0], variable)) &&
           !ast_mentions(*rest, variable);
}

static bool points_read(const struct strides *s, const struct ast *loop,
                        const struct ast *iterator, struct step_points *points)
{
    const struct ast *value = NULL;
    struct header_comparison comparison;
    points->iterator = header_iterator(loop->children[0], &value);
    const struct ast *body = loop->children[3], *own = points->iterator;
    bool counts = own && own->type->class == iterator->type->class &&
                  loop->children[2] && header_step(loop->children[2], own) == 1 &&
                  header_compares(loop->children[1], own, &comparison) && !comparison.plus &&
                  is_ref_to(ast_strip(comparison.side), own);
    if (!counts || (comparison.op != AST_OP_LT && comparison.op != AST_OP_LE) ||
        !iterator_is_own(s, loop, own) || ast_writes(body, own) || ast_takes_address(body, own))
        return false;
    points->op = comparison.op;
    return added_to(value, iterator, &points->start) &&
           added_to(comparison.bound, iterator, &points->end);
}

/* Does a loop inside count by numbers, over the points of a step or in a header that is free of the
   iterator? */
static bool loop_fits(const struct strides *s, const struct ast *loop, const struct ast *iterator)
{
    const struct ast *value = NULL;
    struct step_points points;
    const struct ast *own = loop->children[0] && !loop->is_macro && !loop->is_meta
                                ? header_iterator(loop->children[0], &value) : NULL;
    if (!own || !loop->children[1] || !loop->children[2] || !header_step(loop->children[2], own))
        return false;
    return (!ast_mentions(loop->children[0], iterator) &&
            !ast_mentions(loop->children[1], iterator)) ||
           points_read(s, loop, iterator, &points);
}

/* Keeps the node a loop that holds loops from being a fragment: a jump, a call that does more than
   to compute, an element of an array of several axes, whose rows are no sum of products? */
static bool is_in_the_way(const struct ast *n, const struct ast *iterator)
{
    bool jumps = n->kind == AST_BREAK || n->kind == AST_CONTINUE || n->kind == AST_GOTO ||
                 n->kind == AST_LABEL || n->kind == AST_SWITCH || n->kind == AST_RETURN;
    bool is_row = n->kind == AST_INDEX && ast_strip(n->children[0])->kind == AST_INDEX &&
                  ast_mentions(n, iterator);
    return jumps || is_row || (n->kind == AST_CALL && !call_is_pure(n));
}

/* Do the loops inside, if there are any, fit, and all that stands beside them? */
static bool loops_fit(const struct strides *s, const struct ast *loop, const struct ast *iterator)
{
    const struct ast *body = loop->children[3];
    struct ast_walk walk;
    if (ast_has(body, AST_WHILE) || ast_has(body, AST_DO) || form_has_mark(s->unit, loop))
        return false;
    if (!ast_has(body, AST_FOR))
        return true;
    for (const struct ast *n = ast_first(&walk, s->arena, body); n; n = ast_next(&walk))
        if (is_in_the_way(n, iterator) || (n->kind == AST_FOR && !loop_fits(s, n, iterator)))
            return false;
    return true;
}

/* Reads a loop; false if the values in its header may change. */
static bool stride_read(const struct strides *s, const struct ast *loop, struct stride *stride)
{
    const struct ast *body = loop->children[3];
    return stride_parts(loop, stride) && iterator_is_own(s, loop, stride->iterator) &&
           loops_fit(s, loop, stride->iterator) && is_kept(s, loop, stride->step) &&
           is_kept(s, loop, stride->start) && is_kept(s, loop, stride->end) &&
           is_narrow(stride->step, stride->iterator) &&
           is_narrow(stride->start, stride->iterator) && !ast_writes(body, stride->iterator) &&
           !ast_takes_address(body, stride->iterator);
}

/* `c > 0 && s < e ? ((long)e - s - 1) / c + 1 : 0`; one less is not taken off for `<=`. */
static const struct ast *rounds_make(const struct strides *s, const struct stride *stride)
{
    struct arena *arena = s->arena;
    const struct ast_type *wide = form_long(arena, AST_TYPE_I64), *type = stride->iterator->type;
    const struct ast *zero = form_literal(s->arena, stride->step, type, 0);
    const struct ast *one = form_literal(s->arena, stride->step, type, 1);
    const struct ast *start = form_copy(arena, stride->start), *end = form_copy(arena, stride->end);
    const struct ast *step = form_copy(arena, stride->step);
    const struct ast *begins = form_binary(arena, stride->op, type, start, start, end);
    const struct ast *grows = form_binary(arena, AST_OP_GT, type, step, step, zero);
    const struct ast *both = form_binary(arena, AST_OP_LAND, type, grows, grows, begins);
    const struct ast *length = form_widen(arena, end, AST_TYPE_I64, true);
    if (ast_strip(start)->kind != AST_INTEGER || ast_strip(start)->integer)
        length = form_binary(arena, AST_OP_SUB, wide, length, length, start);
    if (stride->op == AST_OP_LT)
        length = form_binary(arena, AST_OP_SUB, wide, length, length, one);
    const struct ast *steps = form_binary(arena, AST_OP_DIV, wide, length, length, step);
    const struct ast *rounds = form_binary(arena, AST_OP_ADD, wide, steps, steps, one);
    const struct ast *parts[] = {both, rounds, zero};
    return form_make(arena, AST_CONDITIONAL, stride->step, wide, 3, parts);
}

/* The variable that counts the rounds. */
static const struct ast *variable_make(const struct strides *s, const struct stride *stride)
{
    const struct ast *value = rounds_make(s, stride);
    const struct ast_type *type = stride->iterator->type;
    const char *name =
        words_variable(s->words, arena_printf(s->arena, "%s_rounds", stride->iterator->name));
    return form_variable(s->arena, s->function, name, type, value);
}

/* A copy that C converts to a type which has all its values. */
static const struct ast *typed_copy(const struct strides *s, const struct ast *ast,
                                    const struct ast_type *type)
{
    return form_widen(s->arena, form_copy(s->arena, ast), type->class, false);
}

/* `first + iterator * step` stands for an iterator. */
struct stand_in {
    const struct ast *iterator;
    const struct ast *first, *step;  /* NULL: 0, and 1 */
};

static const struct ast *value_make(const struct strides *s, const struct stand_in *stand_in,
                                    const struct ast *use)
{
    const struct ast_type *type = stand_in->iterator->type;
    const struct ast *value = form_ref(s->arena, use, stand_in->iterator);
    if (stand_in->step)
        value = form_binary(s->arena, AST_OP_MUL, type, use, value,
                            typed_copy(s, stand_in->step, type));
    if (stand_in->first)
        value = form_binary(s->arena, AST_OP_ADD, type, use, typed_copy(s, stand_in->first, type),
                            value);
    return value;
}

/* The value in place of uses of the iterator. */
static void uses_change(const struct strides *s, const struct stand_in *stand_in,
                        const struct ast *root)
{
    for (int i = 0; i < root->n_children; i++) {
        const struct ast *use = root->children[i];
        if (!use)
            continue;
        if (!is_ref_to(use, stand_in->iterator)) {
            uses_change(s, stand_in, use);
            continue;
        }
        const struct ast *value = value_make(s, stand_in, use);
        struct ast *node = form_change(use);
        node->kind = AST_BINARY;
        node->op = value->op;
        node->is_made = true;
        node->children = value->children;
        node->n_children = 2;
    }
}

/* `int i = value` or `i = value` in place of a loop's start; NULL: 0. */
static void start_make(const struct strides *s, struct ast *start, const struct ast *iterator,
                       const struct ast *value)
{
    const struct ast *first = value ? value : form_literal(s->arena, start, iterator->type, 0);
    const struct ast *sides[] = {NULL, first};
    start->is_made = true;
    if (start->kind == AST_DECLARE) {
        struct ast *variable = form_change(iterator);
        variable->children = form_make(s->arena, AST_COMPOUND, start, NULL, 1, &first)->children;
        variable->is_made = false;
        return;
    }
    sides[0] = start->children[0];
    start->children = form_make(s->arena, AST_COMPOUND, start, NULL, 2, sides)->children;
}

/* All of the loop is mapped, or nothing that uses the iterator. */
static void step_note(const struct strides *s, const struct ast *loop, const struct ast *iterator)
{
    form_note(s->arena, s->unit, MOVING_STEP, loop, iterator);
}

/* `for (start; i < end; i++)` in place of a loop's header. */
static void header_make(const struct strides *s, const struct ast *loop,
                        const struct ast *iterator, const struct ast *first, enum ast_op op,
                        const struct ast *end)
{
    const struct ast_type *type = iterator->type;
    struct ast *start = form_change(loop->children[0]), *node = form_change(loop);
    start_make(s, start, iterator, first);
    const struct ast *condition = loop->children[1];
    const struct ast *target = form_ref(s->arena, loop->children[2], iterator);
    struct ast *step = form_make(s->arena, AST_UNARY, loop->children[2], type, 1, &target);
    step->op = AST_OP_POST_INCREMENT;
    const struct ast *parts[] = {
        start,
        form_binary(s->arena, op, type, condition, form_ref(s->arena, condition, iterator), end),
        step, loop->children[3]};
    node->children = form_make(s->arena, AST_FOR, loop, NULL, 4, parts)->children;
    node->is_made = true;
}

/* Loops over the points of a step begin at 0. */
static void points_change(const struct strides *s, const struct ast *outer,
                          const struct ast *iterator, const struct ast *root)
{
    struct step_points points;
    for (int i = 0; i < root->n_children; i++)
        if (root->children[i] && !ast_is_expression(root->children[i]))
            points_change(s, outer, iterator, root->children[i]);
    if (root->kind != AST_FOR || !points_read(s, root, iterator, &points))
        return;
    const struct ast *zero = form_literal(s->arena, root, iterator->type, 0);
    const struct stand_in stand_in = {points.iterator, form_ref(s->arena, root, iterator), NULL};
    uses_change(s, &stand_in, root->children[3]);
    header_make(s, root, points.iterator, points.start, points.op, points.end ? points.end : zero);
    step_note(s, outer, points.iterator);
}

/* The step, by a variable of its own if it is no sum or product. */
static const struct ast *step_make(const struct strides *s, const struct stride *stride)
{
    struct ast_walk walk;
    bool sums = true;
    for (const struct ast *n = ast_first(&walk, s->arena, stride->step); n; n = ast_next(&walk))
        sums &= !is_scaled(n);
    if (sums)
        return stride->step;
    const char *name =
        words_variable(s->words, arena_printf(s->arena, "%s_step", stride->iterator->name));
    const struct ast *variable = form_variable(s->arena, s->function, name, stride->step->type,
                                               form_copy(s->arena, stride->step));
    return form_ref(s->arena, stride->step, variable);
}

static void stride_fold(struct strides *s, const struct ast *loop)
{
    struct stride stride;
    if (!stride_read(s, loop, &stride))
        return;
    stride.step = step_make(s, &stride);
    const struct ast *variable = variable_make(s, &stride);
    points_change(s, loop, stride.iterator, loop->children[3]);
    bool begins = stride.start->kind != AST_INTEGER || stride.start->integer;
    const struct stand_in stand_in = {stride.iterator, begins ? stride.start : NULL, stride.step};
    uses_change(s, &stand_in, loop->children[3]);
    header_make(s, loop, stride.iterator, NULL, AST_OP_LT,
                form_ref(s->arena, loop->children[1], variable));
    step_note(s, loop, stride.iterator);
}

/* --- loops around ----------------------------------------------------------------------------- */

/* The value with which a variable begins in a loop within the one around, as an iterator or where
   it is declared; NULL: it begins elsewhere. */
static const struct ast *value_begun(const struct strides *s, const struct ast *around,
                                     const struct ast *variable)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, s->arena, around->children[3]); n;
         n = ast_next(&walk)) {
        const struct ast *value = NULL;
        if (n->kind == AST_FOR && n->children[0] &&
            header_iterator(n->children[0], &value) == variable)
            return value;
        if (n == variable && !ast_writes(around, variable))
            return n->n_children ? n->children[0] : NULL;
    }
    return NULL;
}

enum { VALUES_DEEP = 8 };

/* Does the expression begin with the same values in each round of the loop around? */
static bool is_same_each_round(const struct strides *s, const struct ast *around,
                               const struct ast *ast, int deep)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, s->arena, ast); n; n = ast_next(&walk)) {
        if (n->kind == AST_CALL || n->kind == AST_INDEX || n->kind == AST_MEMBER)
            return false;
        if (n->kind != AST_REF)
            continue;
        const struct ast *value = value_begun(s, around, n->decl);
        bool stays = !ast_writes(around, n->decl) && !ast_declares(around, n->decl);
        if (!stays && (!value || !deep || !is_same_each_round(s, around, value, deep - 1)))
            return false;
    }
    return true;
}

/* Does a loop store, in each round of the one around, to an element that it stores to in others? */
static bool stores_again(const struct strides *s, const struct ast *around, const struct ast *loop)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, s->arena, loop->children[3]); n;
         n = ast_next(&walk)) {
        const struct ast *target = n->kind == AST_ASSIGN ? ast_strip(n->children[0]) : NULL;
        if (target && target->kind == AST_INDEX &&
            ast_strip(target->children[0])->kind == AST_REF &&
            is_same_each_round(s, around, target->children[0], 0) &&
            is_same_each_round(s, around, target->children[1], VALUES_DEEP))
            return true;
    }
    return false;
}

/* Does a loop in steps of a variable do so, which keeps the loop around from being an axis? */
static bool rounds_meet(const struct strides *s, const struct ast *around)
{
    struct ast_walk walk;
    struct stride stride;
    for (const struct ast *n = ast_first(&walk, s->arena, around->children[3]); n;
         n = ast_next(&walk))
        if (n->kind == AST_FOR && stride_parts(n, &stride) && stores_again(s, around, n))
            return true;
    return false;
}

/* Changes the loops that cannot be parts of a thread's statement, which may count as they do. */
static void strides_find(struct strides *s, const struct ast *ast)
{
    if (ast->kind == AST_FOR)
        stride_fold(s, ast);
    bool is_axis = ast->kind == AST_FOR && !loop_scales(ast) && !loop_calls_others(s->arena, ast) &&
                   !rounds_meet(s, ast);
    if (is_axis)
        return;
    for (int i = 0; i < ast->n_children; i++)
        if (ast->children[i] && !ast_is_expression(ast->children[i]))
            strides_find(s, ast->children[i]);
}

static bool is_called_in(const struct strides *s, const struct ast *root)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, s->arena, root); n; n = ast_next(&walk))
        if (n->kind == AST_CALL && n->decl == s->function)
            return true;
    return false;
}

/* May the function be part of others' statements? */
static bool may_help(const struct strides *s, struct ast_unit *unit)
{
    const struct ast_type *result = s->function->type;
    bool called = false;
    if (result && result->class == AST_TYPE_VOID)
        return false;
    for (size_t i = 0; i < unit->n_declarations && !called; i++) {
        const struct ast *other = unit->declarations[i];
        called = other->kind == AST_FUNCTION && is_called_in(s, ast_body(unit, other));
    }
    return called;
}

void strides_fold(struct arena *arena, struct ast_unit *unit, const struct word_list *words,
                  const struct ast *function, const struct ast *body)
{
    struct strides s = {arena, unit, function, body, words_again(arena, words)};
    if (ast_has(body, AST_FOR) && !may_help(&s, unit))
        strides_find(&s, body);
}

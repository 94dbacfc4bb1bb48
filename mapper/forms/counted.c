/* Loops that count although their headers do not say so: `i = 0; while (i < n) { …; i++; }`, and
   `i = 0; do { … } while (++i < n);`.

   In: the body of a function. Out: a `for` in place of a `while`, and the missing parts of a `for`,
   where a statement before the loop sets the iterator and the last statement of the body steps it.
   The set is taken out if nothing between needs it, no jump leads between it and the loop, and its
   value is the same there; both stay in the source's own text. */
#include "base/vec.h"
#include "frontend/header.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"
#include <string.h>

/* A loop whose parts may stand outside of its header. */
struct counted_loop {
    struct loop_parts parts;
    const struct ast *iterator;
};

/* In a function's body. */
struct counted {
    struct arena *arena;
    const struct ast *body;
};

/* The variable that a step adds to; NULL if the statement is no step. */
static const struct ast *stepped_by(const struct ast *statement)
{
    const struct ast *target = statement ? change_target(statement) : NULL;
    bool good = target && target->kind == AST_REF && !statement->is_macro &&
                header_step(statement, target->decl);
    return good ? target->decl : NULL;
}

/* Does the condition compare the variable, in all its parts? */
static bool is_compared(const struct ast *condition, const struct ast *decl)
{
    condition = ast_strip(condition);
    if (condition->kind != AST_BINARY)
        return false;
    if (condition->op == AST_OP_LAND)
        return is_compared(condition->children[0], decl) &&
               is_compared(condition->children[1], decl);
    struct header_comparison comparison;
    return header_compares(condition, decl, &comparison);
}

/* Does a label stand there, which a jump leads to? */
static bool has_label(const struct ast *root)
{
    return ast_has(root, AST_LABEL) || ast_has(root, AST_CASE) || ast_has(root, AST_DEFAULT);
}

/* Reads a loop that lacks a start or a step; the last statement of the body is the step if the
   header has none. False if the loop is not of this form. */
static bool counted_loop_read(const struct counted *f, const struct ast *loop,
                              struct counted_loop *c)
{
    struct loop_parts *p = &c->parts;
    if (!loop_parts_read(loop, p) || (p->start && p->step))
        return false;
    bool is_last = !p->step;
    if (is_last)
        p->step = last_statement(p->body);
    if (!p->step || (is_last && ast_has_own_jump(p->body, AST_CONTINUE)))
        return false;
    c->iterator = stepped_by(p->step);
    return c->iterator && ast_class_is_integer(c->iterator->type->class) &&
           is_compared(p->condition, c->iterator) && !c->iterator->is_global &&
           !c->iterator->is_static && !ast_takes_address(f->body, c->iterator) &&
           ast_count_writes(p->body, c->iterator) == is_last;
}

/* The number of the variable in a declaration that gives variables values; -1 if another statement
   is given, or a declaration of other variables. */
static int declared_at(const struct ast *declare, const struct ast *decl)
{
    if (declare->kind != AST_DECLARE || decl->n_children != 1)
        return -1;
    for (int i = 0; i < declare->n_children; i++)
        if (declare->children[i] == decl)
            return i;
    return -1;
}

static bool variable_stays(const struct counted *f, const struct ast *decl,
                           const struct ast *block, int from, int to)
{
    for (int i = from; i < to; i++)
        if (ast_may_write(f->body, block->children[i], decl))
            return false;
    return true;
}

/* Do the statements between leave all variables of the value alone? It reads no memory. */
static bool value_stays(const struct counted *f, const struct ast *value, const struct ast *block,
                        int from, int to)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, f->arena, value); n; n = ast_next(&walk)) {
        bool reads = n->kind == AST_CALL || n->kind == AST_INDEX || n->kind == AST_MEMBER ||
                     (n->kind == AST_UNARY && n->op == AST_OP_DEREFERENCE);
        bool plain = !reads && !change_target(n);
        if (n->kind == AST_REF)
            plain = variable_stays(f, n->decl, block, from, to);
        if (!plain)
            return to == from;
    }
    return true;
}

/* The number of the statement before the loop that sets the loop's iterator; -1 if no statement
   does, or if the loop may begin with another value. */
static int start_find(const struct counted *f, const struct counted_loop *c,
                      const struct ast *block, int at)
{
    for (int i = at; i-- > 0;) {
        const struct ast *statement = block->children[i];
        const struct ast *value = value_given(statement, c->iterator);
        if (value) {
            bool alone = statement->kind == AST_ASSIGN || !statement->is_macro;
            bool last = declared_at(statement, c->iterator) == statement->n_children - 1;
            int from = statement->kind == AST_ASSIGN || last ? i + 1 : i;
            return alone && value_stays(f, value, block, from, at) ? i : -1;
        }
        if (ast_mentions(statement, c->iterator) || ast_declares(statement, c->iterator) ||
            has_label(statement))
            return -1;
    }
    return -1;
}

/* `i = value` in place of a declaration, which stays without the value. */
static const struct ast *start_split(struct arena *arena, const struct counted_loop *c,
                                     const struct ast *declare)
{
    struct ast *variable = form_change(c->iterator);
    const struct ast *sides[] = {form_ref(arena, declare, variable), variable->children[0]};
    variable->n_children = 0;
    form_change(declare)->is_made = true;
    return form_make(arena, AST_ASSIGN, declare, variable->type, 2, sides);
}

static bool is_used_beside(const struct counted_loop *c, const struct ast *block)
{
    bool used = false;
    for (int i = 0; i < block->n_children && !used; i++) {
        const struct ast *statement = block->children[i];
        used = statement != c->parts.loop && declared_at(statement, c->iterator) < 0 &&
               (ast_mentions(statement, c->iterator) || ast_declares(statement, c->iterator));
    }
    return used;
}

/* Takes the assignment or declarator of the iterator out of the statement. Returns a copy, the
   loop's start. */
static const struct ast *start_take(struct arena *arena, const struct counted_loop *c,
                                    const struct ast *statement)
{
    struct ast *start = ARENA_NEW(arena, struct ast), *left = form_change(statement);
    const struct ast **list = ARENA_ARRAY(arena, const struct ast *, 1);
    int number = declared_at(statement, c->iterator), kept = statement->n_children - 1;
    *start = *statement;
    if (number >= 0) {
        list[0] = c->iterator;
        start->children = list;
        start->n_children = 1;
    }
    left->name = c->iterator->name;
    left->integer = (int64_t)c->parts.loop->end;
    if (number < 0 || !kept) {
        form_remove(statement);
        return start;
    }
    list = ARENA_ARRAY(arena, const struct ast *, kept);
    for (int i = 0, n = 0; i < statement->n_children; i++)
        if (i != number)
            list[n++] = statement->children[i];
    left->children = list;
    left->n_children = kept;
    left->is_made = true;
    return start;
}

static void loop_make(const struct counted *f, struct counted_loop *c, const struct ast *block,
                      int at)
{
    struct arena *arena = f->arena;
    bool is_for = c->parts.loop->kind == AST_FOR;
    bool is_ahead = c->parts.loop->kind == AST_DO &&
                    ast_holds(c->parts.loop->children[1], c->parts.step);
    int before = c->parts.start ? -1 : start_find(f, c, block, at);
    if (!c->parts.start && before < 0)
        return;
    const struct ast *set = before < 0 ? NULL : block->children[before];
    if (set)
        c->parts.start = set->kind == AST_DECLARE && is_used_beside(c, block)
                       ? start_split(arena, c, set) : start_take(arena, c, set);
    if (!is_for || c->parts.step != c->parts.loop->children[2]) {
        struct ast *step = ARENA_NEW(arena, struct ast);
        *step = *c->parts.step;
        if (!is_ahead) {
            form_remove(c->parts.step);
            form_change(c->parts.step)->integer = 0;
        }
        c->parts.step = step;
    }
    const struct ast **children = ARENA_ARRAY(arena, const struct ast *, 4);
    children[0] = c->parts.start;
    children[1] = c->parts.condition;
    children[2] = c->parts.step;
    children[3] = c->parts.body;
    struct ast *node = form_change(c->parts.loop);
    node->kind = AST_FOR;
    node->is_made = true;
    node->children = children;
    node->n_children = 4;
}

/* --- `do` loops ------------------------------------------------------------------------------- */

/* Is it made of numbers, and of local integers that the loop leaves alone? */
static bool bound_stays(const struct counted *f, const struct ast *bound, const struct ast *loop)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, f->arena, bound); n; n = ast_next(&walk)) {
        bool sums = n->kind == AST_BINARY && (n->op == AST_OP_ADD || n->op == AST_OP_SUB ||
                                              n->op == AST_OP_MUL || n->op == AST_OP_DIV);
        bool good = n->kind == AST_INTEGER || sums || (n->kind == AST_CAST && n->is_implicit) ||
                    (n->kind == AST_REF && !n->decl->is_global && !n->decl->is_static &&
                     !ast_may_write(f->body, loop, n->decl));
        if (!good || n->is_part)
            return false;
    }
    return true;
}

/* Reads a `do` that steps its iterator last, by 1, also as `++i < n`, and compares it with a bound
   that stays. */
static bool do_read(const struct counted *f, const struct ast *loop, struct counted_loop *c,
                    struct header_comparison *comparison)
{
    const struct ast *body = loop->children[0], *condition = ast_strip(loop->children[1]);
    *c = (struct counted_loop){.parts = {.loop = loop, .condition = condition, .body = body}};
    if (loop->is_macro || condition->is_macro || !is_comparison(condition) ||
        body->kind != AST_COMPOUND || !body->n_children ||
        ast_has_own_jump(body, AST_CONTINUE) || ast_has_own_jump(body, AST_BREAK))
        return false;
    const struct ast *side = ast_strip(condition->children[0]);
    bool ahead = side->kind == AST_UNARY && side->op == AST_OP_PRE_INCREMENT;
    c->parts.step = ahead ? side : body->children[body->n_children - 1];
    c->iterator = stepped_by(c->parts.step);
    if (!c->iterator || header_step(c->parts.step, c->iterator) != 1 ||
        !ast_class_is_integer(c->iterator->type->class) || c->iterator->is_global ||
        c->iterator->is_static || ast_takes_address(f->body, c->iterator) ||
        ast_count_writes(loop, c->iterator) != 1)
        return false;
    if (ahead)
        c->parts.condition = form_binary(f->arena, condition->op, condition->type, condition,
                                   form_ref(f->arena, side, c->iterator),
                                   condition->children[1]);
    return header_compares(c->parts.condition, c->iterator, comparison) && !comparison->plus &&
           (comparison->op == AST_OP_LT || comparison->op == AST_OP_LE) &&
           bound_stays(f, comparison->bound, loop);
}

/* `n > 1 ? n : 1`: the bound, or the least one with which the loop runs once from its start. */
static const struct ast *bound_once(struct arena *arena, const struct ast *bound, int64_t least)
{
    const struct ast *plain = ast_strip(bound);
    if (plain->kind == AST_INTEGER && plain->integer >= least)
        return bound;
    const struct ast *literal = form_literal(arena, bound, bound->type, least);
    const struct ast *parts[] = {
        form_binary(arena, AST_OP_GT, form_int(arena), bound, bound, literal),
        form_copy(arena, bound), literal};
    return form_make(arena, AST_CONDITIONAL, bound, bound->type, 3, parts);
}

/* A `do` runs once whatever its condition says. */
static void do_make(const struct counted *f, struct counted_loop *c,
                    const struct header_comparison *comparison, const struct ast *block, int at)
{
    int before = start_find(f, c, block, at);
    const struct ast *set = before < 0 ? NULL : block->children[before];
    const struct ast *start = set ? ast_strip(value_given(set, c->iterator)) : NULL;
    if (!start || start->kind != AST_INTEGER || start->is_part)
        return;
    bool is_less = comparison->op == AST_OP_LT;
    const struct ast *place = c->parts.condition;
    c->parts.condition =
        form_binary(f->arena, comparison->op, form_int(f->arena), place,
                    form_ref(f->arena, place, c->iterator),
                    bound_once(f->arena, comparison->bound, start->integer + is_less));
    loop_make(f, c, block, at);
}

static void counted_loops_find(const struct counted *f, const struct ast *ast)
{
    struct counted_loop counted;
    struct header_comparison comparison;
    for (int i = 0; i < ast->n_children; i++) {
        const struct ast *child = ast->children[i];
        bool loops = child && (child->kind == AST_WHILE || child->kind == AST_FOR);
        if (loops && ast->kind == AST_COMPOUND && counted_loop_read(f, child, &counted))
            loop_make(f, &counted, ast, i);
        else if (child && child->kind == AST_DO && ast->kind == AST_COMPOUND &&
                 do_read(f, child, &counted, &comparison))
            do_make(f, &counted, &comparison, ast, i);
        if (child && !ast_is_expression(child))
            counted_loops_find(f, child);
    }
}

void counted_find(struct arena *arena, const struct ast *body)
{
    struct counted f = {arena, body};
    counted_loops_find(&f, body);
}

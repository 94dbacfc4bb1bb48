/* Loops whose iterations end early: `if (c) continue; rest` as `if (!c) { rest }`.

   In: the body of a function. Out: counted loops with no `continue` of their own. Statements that a
   `goto` skips are the same, of another end (skips_to_label). The statements
   behind an `if` that jumps go into the other branch. If only some paths jump, the statements
   behind run under the negated conditions of these paths; the `if` must not change these
   conditions. New lists stand beside the old ones, so a loop with any other jump stays unchanged.
   The text of the moved statements is the source's text behind the `if`. */
#include "base/vec.h"
#include "frontend/ask.h"
#include "frontend/calls.h"
#include "frontend/header.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"
#include <string.h>

typedef VEC(const struct ast *) statement_list;

struct skips {
    struct arena *arena;
    const struct ast_unit *unit;
    const struct ast *body;          /* of the function */
    size_t end;                      /* of the last statement of the loop's body */
    const char *label;               /* that jumps lead to; NULL: `continue` is the jump */
    bool is_made;                    /* of statements, as labels may stand between their bytes */
};

/* Statements up to the end of an iteration. */
struct skip_tail {
    const struct ast *const *at;
    int count;
};

static bool tail_finish(const struct skips *s, struct skip_tail tail, statement_list *out);

static bool is_jump(const struct skips *s, const struct ast *ast)
{
    return s->label ? ast->kind == AST_GOTO && ast->name && !strcmp(ast->name, s->label)
                    : ast->kind == AST_CONTINUE;
}

static bool may_jump(const struct skips *s, const struct ast *ast)
{
    if (!s->label)
        return ast && ast_has_own_jump(ast, AST_CONTINUE) != NULL;
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, s->arena, ast); n; n = ast_next(&walk))
        if (is_jump(s, n))
            return true;
    return false;
}

/* Is nothing behind the statement reached? */
static bool always_jumps(const struct skips *s, const struct ast *ast)
{
    if (!ast || is_jump(s, ast))
        return ast != NULL;
    if (ast->kind == AST_IF)
        return ast->n_children > 2 && always_jumps(s, ast->children[1]) &&
               always_jumps(s, ast->children[2]);
    return ast->kind == AST_COMPOUND && ast->n_children &&
           always_jumps(s, ast->children[ast->n_children - 1]);
}

static bool is_nothing(const struct ast *ast)
{
    if (!ast || ast->kind == AST_EMPTY)
        return true;
    bool nothing = ast->kind == AST_COMPOUND;
    for (int i = 0; i < ast->n_children && nothing; i++)
        nothing = is_nothing(ast->children[i]);
    return nothing;
}

/* --- conditions ------------------------------------------------------------------------------- */

static enum ast_op opposite_of(enum ast_op op)
{
    switch (op) {
    case AST_OP_LT: return AST_OP_GE;
    case AST_OP_GE: return AST_OP_LT;
    case AST_OP_GT: return AST_OP_LE;
    case AST_OP_LE: return AST_OP_GT;
    case AST_OP_EQ: return AST_OP_NE;
    case AST_OP_NE: return AST_OP_EQ;
    default: return AST_OP_NONE;
    }
}

/* `a >= b` for `a < b` of whole numbers, which no NaN is; `!c` for others. */
static const struct ast *not_of(const struct skips *s, const struct ast *c)
{
    const struct ast *const *sides = c->children;
    if (c->kind == AST_UNARY && c->op == AST_OP_NOT && !sides[0]->is_part)
        return sides[0];
    bool whole = c->kind == AST_BINARY && opposite_of(c->op) != AST_OP_NONE &&
                 ast_class_is_integer(sides[0]->type->class) &&
                 !ast_strip(sides[0])->is_part && !ast_strip(sides[1])->is_part;
    struct ast *not = form_make(s->arena, whole ? AST_BINARY : AST_UNARY, c, c->type,
                                whole ? 2 : 1, whole ? sides : &c);
    not->op = whole ? opposite_of(c->op) : AST_OP_NOT;
    return not;
}

static const struct ast *joined(const struct skips *s, enum ast_op op, const struct ast *a,
                                const struct ast *b)
{
    if (!a || !b)
        return a ? a : b;
    return form_binary(s->arena, op, a->type, a, a, b);
}

static const struct ast *jump_condition(const struct skips *s, const struct ast *ast);

/* The same of a branch that jumps, which a condition leads to. */
static const struct ast *branch_condition(const struct skips *s, const struct ast *c,
                                          const struct ast *branch)
{
    if (always_jumps(s, branch))
        return c;
    const struct ast *inner = jump_condition(s, branch);
    return inner ? joined(s, AST_OP_LAND, c, inner) : NULL;
}

static const struct ast *if_condition(const struct skips *s, const struct ast *ast)
{
    const struct ast *all = NULL, *c = ast->children[0];
    for (int i = 1; i < ast->n_children; i++) {
        if (!may_jump(s, ast->children[i]))
            continue;
        const struct ast *own = branch_condition(s, i == 1 ? c : not_of(s, c), ast->children[i]);
        if (!own)
            return NULL;
        all = joined(s, AST_OP_LOR, all, own);
    }
    return all;
}

/* Where a statement jumps on some paths, as a condition; NULL if it is of another form. */
static const struct ast *jump_condition(const struct skips *s, const struct ast *ast)
{
    const struct ast *all = NULL;
    if (ast->kind == AST_IF)
        return if_condition(s, ast);
    if (ast->kind != AST_COMPOUND)
        return NULL;
    for (int i = 0; i < ast->n_children; i++) {
        if (!may_jump(s, ast->children[i]))
            continue;
        const struct ast *own = jump_condition(s, ast->children[i]);
        if (!own)
            return NULL;
        all = joined(s, AST_OP_LOR, all, own);
    }
    return all;
}

/* May a store change what is read there? */
static bool may_meet(const struct ast *stored, const struct ast *read)
{
    const struct ast *a = ast_base(stored), *b = ast_base(read);
    bool are_arrays = a && b && a->type && b->type && a->type->class == AST_TYPE_ARRAY &&
                      b->type->class == AST_TYPE_ARRAY;
    bool own = are_arrays && a->decl->type->class == AST_TYPE_ARRAY &&
               b->decl->type->class == AST_TYPE_ARRAY;
    return !stored->type || !read->type || (own ? a->decl == b->decl
                                                : types_may_meet(stored->type, read->type));
}

/* May something at or below the root change what is read from memory there? */
static bool stores(struct arena *arena, const struct ast *root, const struct ast *read)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, root); n; n = ast_next(&walk)) {
        const struct ast *target = change_target(n);
        if ((target && target->kind != AST_REF && may_meet(target, read)) ||
            (n->kind == AST_CALL && !call_is_pure(n)))
            return true;
    }
    return false;
}

/* Does the condition nothing but have a value? */
static bool has_no_effect(struct arena *arena, const struct ast *condition)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, condition); n; n = ast_next(&walk))
        if (change_target(n) || (n->kind == AST_CALL && !call_is_pure(n)))
            return false;
    return true;
}

/* Has the condition no effect, and the same value behind the statement as inside? */
static bool condition_is_kept(const struct skips *s, const struct ast *condition,
                              const struct ast *statement)
{
    struct ast_walk walk;
    if (!has_no_effect(s->arena, condition))
        return false;
    for (const struct ast *n = ast_first(&walk, s->arena, condition); n; n = ast_next(&walk)) {
        bool own = n->kind == AST_REF && n->decl->begin >= statement->begin &&
                   n->decl->end <= statement->end;
        bool memory = n->kind == AST_INDEX || n->kind == AST_MEMBER ||
                      (n->kind == AST_UNARY && n->op == AST_OP_DEREFERENCE);
        if (own || (memory && stores(s->arena, statement, n)) ||
            (n->kind == AST_REF && ast_may_write(s->body, statement, n->decl)))
            return false;
    }
    return true;
}

/* --- statements ------------------------------------------------------------------------------- */

static struct ast *block_make(const struct skips *s, const struct ast *place,
                              const statement_list *list)
{
    struct ast *block = form_make(s->arena, AST_COMPOUND, place, NULL, (int)list->count, list->at);
    block->begin = block->end = 0;
    return block;
}

/* The statements behind an `if`, finished, as a block whose text begins at a byte. NULL: there is
   something that cannot be. */
static const struct ast *rest_make(const struct skips *s, struct skip_tail rest, size_t begin)
{
    statement_list list = {0};
    if (!tail_finish(s, rest, &list))
        return NULL;
    struct ast *block = block_make(s, rest.at[0], &list);
    if (s->is_made)
        return block;
    block->is_made = false;
    block->is_rest = true;
    block->begin = begin;
    block->end = statement_end(s->unit, rest.at[rest.count - 1]);
    return block;
}

static struct ast *if_make(const struct skips *s, const struct ast *place,
                           const struct ast *condition, const struct ast *yes,
                           const struct ast *no)
{
    const struct ast *parts[3] = {condition, yes, no};
    if (is_nothing(yes)) {
        parts[0] = not_of(s, condition);
        parts[1] = no;
        no = NULL;
    }
    if (is_nothing(no))
        no = NULL;
    bool empty = !no && is_nothing(parts[1]) && has_no_effect(s->arena, condition);
    struct ast *node = form_make(s->arena, empty ? AST_EMPTY : AST_IF, place, NULL,
                                 empty ? 0 : 2 + (no != NULL), parts);
    node->end = statement_end(s->unit, place);
    node->integer = empty ? (int64_t)s->end : 0;
    return node;
}

/* A statement that is the last of an iteration; NULL if it cannot be. The text behind a `continue`
   needs it, so that no fragment ends before that. */
static const struct ast *last_make(const struct skips *s, const struct ast *ast)
{
    statement_list list = {0};
    struct ast *node;
    if (!ast || !may_jump(s, ast))
        return ast;
    if (is_jump(s, ast)) {
        node = form_make(s->arena, AST_EMPTY, ast, NULL, 0, NULL);
        node->integer = (int64_t)s->end;
        return node;
    }
    if (ast->kind == AST_IF)
        return tail_finish(s, (struct skip_tail){&ast, 1}, &list) ? list.at[0] : NULL;
    if (ast->kind != AST_COMPOUND ||
        !tail_finish(s, (struct skip_tail){ast->children, ast->n_children}, &list))
        return NULL;
    node = ARENA_NEW(s->arena, struct ast);
    *node = *ast;
    node->children = list.at;
    node->n_children = (int)list.count;
    return node;
}

/* The branch that does not jump, joined with the statements behind the `if`; NULL if these have
   jumps without a form. */
static const struct ast *going_make(const struct skips *s, const struct ast *branch,
                                    struct skip_tail rest, const struct ast *ast)
{
    statement_list all = {0}, list = {0};
    if (is_nothing(branch))
        return rest_make(s, rest, statement_end(s->unit, ast));
    vec_push(s->arena, &all, branch);
    for (int i = 0; i < rest.count; i++)
        vec_push(s->arena, &all, rest.at[i]);
    if (!tail_finish(s, (struct skip_tail){all.at, (int)all.count}, &list))
        return NULL;
    return block_make(s, branch, &list);
}

/* An `if` of which a branch, or both, jumps always. */
static const struct ast *branch_make(const struct skips *s, const struct ast *ast,
                                     struct skip_tail rest)
{
    const struct ast *yes = ast->children[1], *no = ast->n_children > 2 ? ast->children[2] : NULL;
    bool first = always_jumps(s, yes), second = no && always_jumps(s, no);
    if (!rest.count || (first && second)) {
        const struct ast *one = last_make(s, yes), *other = last_make(s, no);
        return rest.count || !one || (no && !other)
                   ? NULL : if_make(s, ast, ast->children[0], one, other);
    }
    const struct ast *ended = last_make(s, first ? yes : no);
    const struct ast *going = ended ? going_make(s, first ? no : yes, rest, ast) : NULL;
    if (!going)
        return NULL;
    struct ast *node = if_make(s, ast, ast->children[0], first ? ended : going,
                               first ? going : ended);
    node->end = statement_end(s->unit, rest.at[rest.count - 1]);
    return node;
}

/* Adds a statement that jumps on some paths, without the jump, and an `if` around the statements
   behind, for the other paths. */
static bool split_finish(const struct skips *s, const struct ast *ast, struct skip_tail rest,
                         statement_list *out)
{
    const struct ast *condition = jump_condition(s, ast), *own = last_make(s, ast);
    if (!condition || !own || !condition_is_kept(s, condition, ast))
        return false;
    const struct ast *behind = rest_make(s, rest, rest.at[0]->begin);
    if (!behind)
        return false;
    struct ast *node = if_make(s, rest.at[0], not_of(s, condition), behind, NULL);
    node->end = statement_end(s->unit, rest.at[rest.count - 1]);
    vec_push(s->arena, out, own);
    vec_push(s->arena, out, node);
    return true;
}

/* Adds the same statements without jumps; false if no `if` can replace a jump. */
static bool tail_finish(const struct skips *s, struct skip_tail tail, statement_list *out)
{
    for (int i = 0; i < tail.count; i++) {
        const struct ast *ast = tail.at[i], *last = NULL;
        struct skip_tail rest = {tail.at + i + 1, tail.count - i - 1};
        if (!may_jump(s, ast)) {
            vec_push(s->arena, out, ast);
            continue;
        }
        bool branches = ast->kind == AST_IF && !ast->is_macro;
        bool ends = branches && (!rest.count || always_jumps(s, ast->children[1]) ||
                                 (ast->n_children > 2 && always_jumps(s, ast->children[2])));
        if (!branches && ast->kind != AST_COMPOUND && !is_jump(s, ast))
            return false;
        if (rest.count && !ends && !is_jump(s, ast) && !always_jumps(s, ast))
            return split_finish(s, ast, rest, out);
        if (rest.count && !ends)
            return false;
        last = ends ? branch_make(s, ast, rest) : last_make(s, ast);
        if (last)
            vec_push(s->arena, out, last);
        return last != NULL;
    }
    return true;
}

/* --- loops ------------------------------------------------------------------------------------ */

bool form_has_mark(const struct ast_unit *unit, const struct ast *loop)
{
    bool found = false;
    for (size_t i = 0; i < unit->n_pragmas; i++) {
        const struct ast_pragma *pragma = &unit->pragmas[i];
        found |= (pragma->kind == PRAGMA_SCOP || pragma->kind == PRAGMA_ENDSCOP) &&
                 pragma->begin > loop->begin && pragma->end < loop->end;
    }
    return found;
}

/* Has a block lost its labels, or a `switch` its cases? */
static bool holds_made(struct arena *arena, const struct ast *body)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk))
        if (n->is_made && (n->kind == AST_COMPOUND || n->kind == AST_IF))
            return true;
    return false;
}

static void loop_finish(struct arena *arena, const struct ast_unit *unit,
                        const struct ast *function_body, const struct ast *loop)
{
    const struct ast *body = loop->children[3];
    bool block = body->kind == AST_COMPOUND && body->n_children;
    const struct ast *end = block ? body->children[body->n_children - 1] : body;
    struct skips s = {arena, unit, function_body, statement_end(unit, end), NULL,
                      holds_made(arena, body)};
    const struct ast *own = last_make(&s, body);
    if (!own)
        return;
    const struct ast **children = ARENA_ARRAY(arena, const struct ast *, 4);
    memcpy(children, loop->children, 4 * sizeof *children);
    children[3] = own;
    form_change(loop)->children = children;
}

const struct ast *skips_to_label(struct arena *arena, const struct ast_unit *unit,
                                 const struct ast *body, const char *label,
                                 const struct ast *list)
{
    statement_list out = {0};
    const struct ast *end = list->children[list->n_children - 1];
    struct skips s = {arena, unit, body, statement_end(unit, end), label, true};
    struct skip_tail tail = {list->children, list->n_children};
    return tail_finish(&s, tail, &out) ? block_make(&s, list, &out) : NULL;
}

void skips_fold(struct arena *arena, const struct ast_unit *unit, const struct ast *body)
{
    struct ast_walk walk;
    statement_list loops = {0};
    for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk))
        if (n->kind == AST_FOR && !n->is_macro && !n->is_meta && n->children[1] &&
            n->children[2] && ast_has_own_jump(n->children[3], AST_CONTINUE) &&
            !ast_has_own_jump(n->children[3], AST_BREAK) && !form_has_mark(unit, n))
            vec_push(arena, &loops, n);
    for (size_t i = 0; i < loops.count; i++)
        loop_finish(arena, unit, body, loops.at[i]);
}

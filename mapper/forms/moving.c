/* Pointers and integers that loops move: `for (…) *p++ = …`, `for (y …) { …; p += pitch; }`.

   In: the body of a function. Out: `*(a + i - s)` for `*p++`, where p is `a` before a loop over i
   from s; places.c makes an element of it. A pointer is followed through counted loops with steps
   of one: a loop moves the pointer by the number of rounds times the motion of the body. The motion
   of an iteration is a sum of steps at the ends of statements. The sum keeps one value during the
   outermost loop, and no step stands under a condition. Rounds may be below 0 where nobody uses the
   pointer behind them in the outermost loop. Behind a loop that stands in no other one the text
   sets the pointer, if somebody reads it there, and the next loop goes on from that value; its
   elements hold where all of a loop is mapped. An integer is followed in the same way if its values
   cannot wrap (numbers.c); its sums hold in every part of the loop.
   One file: pointers and integers are followed by one walk, which asks and then changes. */
#include "base/map.h"
#include "base/vec.h"
#include "frontend/behind.h"
#include "frontend/header.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"
#include "mapper/forms/numbers.h"
#include <string.h>

/* A pointer in one outermost loop. */
struct moving {
    struct arena *arena;
    const struct ast *body;           /* of the function */
    const struct ast *decl, *value;   /* value: of the pointer before the loop */
    const struct ast *loop;
    const struct ast *begin;          /* the part of the header of `loop` that sets the pointer */
    bool is_number;                   /* an integer, no pointer */
    struct map *amounts;              /* of steps that were met */
    bool changes;                     /* the second walk */
    bool is_live;                     /* somebody reads a last value */
};

/* How a statement moves the pointer. */
struct motion {
    const struct ast *by;             /* the number of elements that is added; NULL: 0 */
    bool is_known, is_unsure;         /* `by` is final; `by` is right only if the loops run */
    bool is_open;                     /* the same of the loops in the outermost one */
    bool is_used;                     /* the statement uses an element of the pointer */
};

static bool is_pointer_ref(const struct moving *m, const struct ast *ast)
{
    return ast->kind == AST_REF && ast->decl == m->decl;
}

static int count_refs(const struct moving *m, const struct ast *root)
{
    struct ast_walk walk;
    int n_refs = 0;
    for (const struct ast *n = ast_first(&walk, m->arena, root); n; n = ast_next(&walk))
        n_refs += is_pointer_ref(m, n);
    return n_refs;
}

/* The node that steps the pointer; NULL if there is none. */
static const struct ast *step_in(const struct moving *m, const struct ast *root)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, m->arena, root); n; n = ast_next(&walk)) {
        const struct ast *target = change_target(n);
        if (target && is_pointer_ref(m, target))
            return n;
    }
    return NULL;
}

/* Does the name mean the variable, with one value, everywhere in the loop? */
static bool keeps_one_value(const struct moving *m, const struct ast *decl, const struct ast *loop)
{
    bool inside = decl->begin >= loop->begin && decl->end <= loop->end;
    return !inside && decl->type && !ast_may_write(m->body, loop, decl) &&
           !form_hides(m->arena, decl, loop);
}

/* Is an expression of names and numbers, or the place of an element, the same everywhere in the
   loop? It reads no memory. */
static bool is_loop_invariant(const struct moving *m, const struct ast *ast)
{
    bool sums = ast->kind == AST_BINARY &&
                (ast->op == AST_OP_ADD || ast->op == AST_OP_SUB || ast->op == AST_OP_MUL);
    bool shares = ast->kind == AST_BINARY &&
                  (ast->op == AST_OP_DIV || ast->op == AST_OP_REM || ast->op == AST_OP_SHR ||
                   ast->op == AST_OP_AND) &&
                  ast_strip(ast->children[1])->kind == AST_INTEGER;
    bool address = ast->kind == AST_UNARY && ast->op == AST_OP_ADDRESS &&
                   ast->children[0]->kind == AST_INDEX;
    bool row = ast->kind == AST_INDEX && ast->type && ast->type->class == AST_TYPE_ARRAY;
    bool casts = ast->kind == AST_CAST && (ast->is_implicit || type_is_scalar(ast->type));
    bool minus = ast->kind == AST_UNARY && ast->op == AST_OP_MINUS;
    if (ast->kind == AST_INTEGER)
        return true;
    if (ast->kind == AST_REF)
        return keeps_one_value(m, ast->decl, m->loop);
    if (address)
        return is_loop_invariant(m, ast->children[0]->children[0]) &&
               is_loop_invariant(m, ast->children[0]->children[1]);
    bool good = sums || shares || row || casts || minus;
    for (int i = 0; i < ast->n_children && good; i++)
        good = is_loop_invariant(m, ast->children[i]);
    return good;
}

static const struct ast *number(const struct moving *m, int64_t value)
{
    return form_literal(m->arena, m->loop, NULL, value);
}

static const struct ast *sum_of(const struct moving *m, const struct ast *a, const struct ast *b)
{
    int64_t value, other, plus;
    bool numbers = a && number_of(a, &value) && number_of(b, &other);
    if (numbers && !__builtin_add_overflow(value, other, &value))
        return number(m, value);
    bool ends = m->is_number && a && a->kind == AST_BINARY && a->is_made &&
                a->op == AST_OP_ADD && number_of(a->children[1], &value) && number_of(b, &other);
    if (ends && !__builtin_add_overflow(value, other, &plus))
        return form_sum(m->arena, a->children[0], number(m, plus), AST_OP_ADD);
    return form_sum(m->arena, a, b, AST_OP_ADD);
}

/* The number of elements that a step adds; NULL if the number is unknown. */
static const struct ast *amount_read(const struct moving *m, const struct ast *step)
{
    int64_t value;
    if (m->is_number && step->kind == AST_ASSIGN && step->op == AST_OP_NONE)
        return number_added(m->body, step, m->decl, &value) ? number(m, value) : NULL;
    if (step->kind == AST_UNARY) {
        bool up = step->op == AST_OP_PRE_INCREMENT || step->op == AST_OP_POST_INCREMENT;
        return number(m, up ? 1 : -1);
    }
    bool adds = step->kind == AST_ASSIGN && (step->op == AST_OP_ADD || step->op == AST_OP_SUB);
    if (!adds || !is_loop_invariant(m, step->children[1]))
        return NULL;
    if (m->is_number && !number_is_exact(m->arena, step->children[1], m->decl->type))
        return NULL;
    return form_sum(m->arena, NULL, step->children[1], step->op);
}

/* The same; what a step adds is read before anything changes. */
static const struct ast *step_amount(const struct moving *m, const struct ast *step)
{
    const struct ast *amount = map_get_pointer(m->amounts, step);
    if (amount)
        return amount;
    amount = amount_read(m, step);
    if (amount)
        map_put_pointer(m->amounts, step, (void *)amount);
    return amount;
}

/* The number that an integer is, in place of a node. */
static void put_number(const struct moving *m, const struct ast *node, const struct ast *offset)
{
    const struct ast *sum = form_copy(m->arena, m->value);
    int64_t zero;
    if (!m->changes)
        return;
    if (offset && !(number_of(sum, &zero) && zero == 0))
        sum = sum_of(m, form_copy(m->arena, offset), sum);
    else if (offset)
        sum = form_copy(m->arena, offset);
    *form_change(node) = *number_place(m->arena, m->body, node, sum, m->decl->type);
}

/* `value + offset` in place of a node. */
static void put_place(const struct moving *m, const struct ast *node, const struct ast *offset)
{
    if (m->is_number) {
        put_number(m, node, offset);
        return;
    }
    if (m->changes)
        *form_change(node) = *form_binary(m->arena, AST_OP_ADD, m->decl->type, node,
                                          form_copy(m->arena, m->value),
                                          offset ? form_copy(m->arena, offset) : number(m, 0));
}

static void put_places(const struct moving *m, const struct ast *root, const struct ast *offset)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, m->arena, root); n; n = ast_next(&walk))
        if (is_pointer_ref(m, n)) {
            put_place(m, n, offset);
            ast_skip(&walk);
        }
}

/* Is the step evaluated once whenever the statement is? */
static bool is_certain(const struct ast *ast, const struct ast *step)
{
    bool chooses = ast->kind == AST_CONDITIONAL || ast->kind == AST_SIZEOF ||
                   (ast->kind == AST_BINARY && (ast->op == AST_OP_LAND || ast->op == AST_OP_LOR));
    for (int i = 0; i < ast->n_children; i++)
        if (ast->children[i] &&
            (ast->children[i] == step || is_certain(ast->children[i], step)))
            return !chooses || i == 0;
    return false;
}

static bool has_macro(const struct moving *m, const struct ast *root)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, m->arena, root); n; n = ast_next(&walk))
        if (is_pointer_ref(m, n) && (n->is_macro || n->is_part))
            return true;
    return false;
}

/* Follows a statement without a stepping loop. */
static bool follow_leaf(const struct moving *m, const struct ast *ast, const struct ast *offset,
                        struct motion *motion)
{
    const struct ast *step = step_in(m, ast);
    motion->is_used = step != ast;
    if (m->is_number && number_is_measured(m->arena, ast, m->decl))
        return false;
    if (!step) {
        put_places(m, ast, offset);
        return true;
    }
    motion->by = step_amount(m, step);
    if (!motion->by)
        return false;
    if (step == ast) {
        motion->is_used = false;
        if (m->changes) {
            form_change(ast)->name = m->decl->name;
            form_change(ast)->integer = (int64_t)m->loop->end;
            form_remove(ast);
        }
        return true;
    }
    bool before = step->op == AST_OP_PRE_INCREMENT || step->op == AST_OP_PRE_DECREMENT;
    bool plain = ast->kind == AST_ASSIGN || ast->kind == AST_DECLARE;
    if (step->kind != AST_UNARY || !plain || count_refs(m, ast) != 1 || !is_certain(ast, step))
        return false;
    put_place(m, step, before ? sum_of(m, offset, motion->by) : offset);
    return true;
}

static bool follow(const struct moving *m, const struct ast *ast, const struct ast *offset,
                   struct motion *motion);

/* Follows the statements of a block in their order. If a loop among them may not run, no other
   statement uses elements. */
static bool follow_block(const struct moving *m, const struct ast *ast, const struct ast *offset,
                         struct motion *motion)
{
    int n_unsure = 0, n_used = 0;
    for (int i = 0; i < ast->n_children; i++) {
        struct motion own = {0};
        if (!count_refs(m, ast->children[i]))
            continue;
        if (!follow(m, ast->children[i], offset, &own) || (motion->by && !motion->is_known))
            return false;
        n_unsure += own.is_unsure;
        n_used += own.is_used && !own.is_unsure;
        motion->is_used |= own.is_used;
        motion->is_unsure |= own.is_unsure;
        motion->is_known = own.is_known && (motion->is_known || !motion->by);
        if (own.by) {
            offset = sum_of(m, offset, own.by);
            motion->by = sum_of(m, motion->by, own.by);
        }
    }
    return !n_unsure || (n_unsure == 1 && !n_used);
}

/* The end of a loop that counts by one, up or down: the first value that the iterator does not
   have. */
static const struct ast *rounds_end(const struct moving *m, const struct ast *loop,
                                    const struct ast *iterator)
{
    struct header_comparison c;
    int by = number_counts(m->arena, m->body, loop, iterator);
    if (!by || !header_compares(loop->children[1], iterator, &c) || c.plus ||
        loop->children[1]->is_macro)
        return NULL;
    bool ends = c.op == (by > 0 ? AST_OP_LT : AST_OP_GT);
    const struct ast *bound = ast_strip(c.bound);
    if (!bound->type || !ast_class_is_integer(bound->type->class) ||
        (!ends && c.op != (by > 0 ? AST_OP_LE : AST_OP_GE)))
        return NULL;
    return ends ? bound : sum_of(m, bound, number(m, by));
}

/* b - a, or a - b where the loop counts down. */
static const struct ast *rounds_between(const struct moving *m, bool is_down, const struct ast *a,
                                        const struct ast *b)
{
    return form_sum(m->arena, is_down ? a : b, is_down ? b : a, AST_OP_SUB);
}

/* The step of the pointer beside the iterator's in a header; NULL: there is none. */
static const struct ast *header_motion(const struct moving *m, const struct ast *loop)
{
    for (int i = 0; i < header_count(loop, 2); i++) {
        const struct ast *element = header_at(loop, 2, i), *target = change_target(element);
        if (target && is_pointer_ref(m, target))
            return element;
    }
    return NULL;
}

/* Takes an assignment out of a part of a header. */
static void header_remove(const struct moving *m, const struct ast *loop, int part,
                          const struct ast *element)
{
    const struct ast *at = loop->children[part];
    while (m->changes && at->kind == AST_BINARY && at->op == AST_OP_COMMA) {
        const struct ast *left = at->children[0], *right = at->children[1];
        if (ast_strip(left) == element || ast_strip(right) == element) {
            *form_change(at) = *(ast_strip(left) == element ? right : left);
            form_change(at)->is_made = true;
            return;
        }
        at = ast_strip(left);
    }
}

/* Do the header's parts name the pointer where they set and step it only? */
static bool header_is_plain(const struct moving *m, const struct ast *loop)
{
    const struct ast *step = header_motion(m, loop);
    int n_refs = count_refs(m, loop->children[3]) + (step ? count_refs(m, step) : 0);
    if (m->begin && loop == m->loop)
        n_refs += count_refs(m, m->begin);
    return n_refs == count_refs(m, loop) &&
           (!step || (count_refs(m, step) == 1 && !has_macro(m, step) && step_amount(m, step)));
}

static bool follow_loop(const struct moving *m, const struct ast *loop, const struct ast *offset,
                        struct motion *motion)
{
    const struct ast *value = NULL, *step = header_motion(m, loop), *own = header_own(loop, 0);
    const struct ast *iterator = own ? header_iterator(own, &value) : NULL;
    const struct ast *end = iterator ? rounds_end(m, loop, iterator) : NULL;
    struct moving dry = *m;
    struct motion body = {.is_known = true}, again = body;
    dry.changes = false;
    bool is_down = end && number_counts(m->arena, m->body, loop, iterator) < 0;
    if (!end || !is_loop_invariant(m, value) || (m->is_number && is_down) ||
        (m->is_number && !(number_is_exact(m->arena, value, iterator->type) &&
                           number_is_exact(m->arena, end, form_long(m->arena, AST_TYPE_I64)) &&
                           number_is_signed(iterator->type))) ||
        !header_is_plain(m, loop) ||
        !follow(&dry, loop->children[3], offset, &body) || (body.by && !body.is_known))
        return false;
    motion->is_used = body.is_used;
    motion->is_known = true;
    if (step) {
        body.by = sum_of(m, body.by, step_amount(m, step));
        header_remove(m, loop, 2, step);
    }
    if (body.by) {
        struct header_comparison c;
        header_compares(loop->children[1], iterator, &c);
        const struct ast *start = ast_strip(value);
        const struct ast *rounds = rounds_between(m, is_down, start, ast_strip(c.side));
        offset = sum_of(m, offset, form_product(m->arena, rounds, body.by));
        motion->is_known = is_loop_invariant(m, end);
        motion->is_open = body.is_unsure;
        motion->is_unsure = end->kind != AST_INTEGER || value->kind != AST_INTEGER ||
                            (is_down ? end->integer > value->integer
                                     : end->integer < value->integer) || body.is_unsure;
        motion->by = form_product(m->arena, rounds_between(m, is_down, start, end), body.by);
    }
    return follow(m, loop->children[3], offset, &again);
}

static bool follow(const struct moving *m, const struct ast *ast, const struct ast *offset,
                   struct motion *motion)
{
    motion->is_known = true;
    if (ast->kind == AST_COMPOUND)
        return follow_block(m, ast, offset, motion);
    if (ast->kind == AST_FOR && step_in(m, ast))
        return follow_loop(m, ast, offset, motion);
    return follow_leaf(m, ast, offset, motion);
}

/* --- the pointers ----------------------------------------------------------------------------- */

/* The value if the pointer may begin with it; NULL if not. */
static const struct ast *value_to_begin(const struct moving *m, const struct ast *value)
{
    if (!value || count_refs(m, value) || !value->type)
        return NULL;
    bool fits = m->is_number ? number_is_exact(m->arena, value, m->decl->type)
                             : value->type->element != NULL;
    return fits ? value : NULL;
}

/* The part of a loop's header that sets the pointer beside the iterator, and the value; NULL if
   there is none. */
static const struct ast *header_begin(const struct moving *m, const struct ast *loop,
                                      const struct ast **value)
{
    if (loop->kind != AST_FOR || header_count(loop, 0) < 2)
        return NULL;
    for (int i = 0; i < header_count(loop, 0); i++) {
        const struct ast *element = header_at(loop, 0, i);
        if (element == m->decl && element->n_children)
            *value = value_to_begin(m, element->children[0]);
        else if (element->kind == AST_ASSIGN && element->op == AST_OP_NONE &&
                 is_pointer_ref(m, element->children[0]) && !has_macro(m, element))
            *value = value_to_begin(m, element->children[1]);
        else
            continue;
        return *value && header_own(loop, 0) != element ? element : NULL;
    }
    return NULL;
}

/* The value to which a statement sets the pointer; NULL if the statement sets no such value. */
static const struct ast *pointer_value(const struct moving *m, const struct ast *ast)
{
    const struct ast *value = NULL;
    if (ast->kind == AST_ASSIGN && ast->op == AST_OP_NONE && is_pointer_ref(m, ast->children[0]))
        value = ast->children[1];
    if (ast->kind == AST_DECLARE)
        for (int i = 0; i < ast->n_children; i++)
            if (ast->children[i] == m->decl && m->decl->n_children)
                value = m->decl->children[0];
    return value_to_begin(m, value);
}

/* Does what the value is made of keep it in these statements of the block? */
static bool pointer_stays(const struct moving *m, const struct ast *value, const struct ast *block,
                          int from, int to)
{
    struct moving at = *m;
    for (int i = from; i < to; i++) {
        at.loop = block->children[i];
        if (!is_loop_invariant(&at, value))
            return false;
    }
    return true;
}

static void set_remove(const struct moving *m, const struct ast *set)
{
    if (set->kind != AST_ASSIGN)
        return;
    form_change(set)->name = m->decl->name;
    form_change(set)->integer = (int64_t)m->loop->end;
    form_remove(set);
}

/* The first reference, to be printed where the pointer is its own value. */
static const struct ast *own_value(const struct moving *m, const struct ast *body)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, m->arena, body); n; n = ast_next(&walk))
        if (is_pointer_ref(m, n)) {
            struct ast *copy = ARENA_NEW(m->arena, struct ast);
            *copy = *n;
            return copy;
        }
    return NULL;
}

static void moved_add(const struct moving *m, struct ast_unit *unit, enum ast_moving kind,
                      const struct ast *last)
{
    struct ast_moved *moved = ARENA_NEW(m->arena, struct ast_moved);
    *moved = (struct ast_moved){kind, m->decl, m->loop, last, unit->moved};
    unit->moved = moved;
}

/* `0 < n ? value + motion : value`: the value behind the outermost loop, which the text sets. False
   if an inner loop that may not run moves the variable, too. */
static bool last_add(const struct moving *m, struct ast_unit *unit, const struct motion *motion)
{
    const struct ast *start = NULL, *iterator = header_iterator(header_own(m->loop, 0), &start);
    const struct ast *end = rounds_end(m, m->loop, iterator);
    bool is_down = number_counts(m->arena, m->body, m->loop, iterator) < 0;
    if (!motion->by || !motion->is_known || motion->is_open || m->begin)
        return false;
    if (!m->changes)
        return true;
    const struct ast *by = form_copy(m->arena, motion->by);
    const struct ast *moved = form_copy(m->arena, m->value);
    moved = m->is_number ? sum_of(m, by, moved)
                         : form_binary(m->arena, AST_OP_ADD, m->decl->type, m->loop, moved, by);
    const struct ast *least = is_down ? end : ast_strip(start);
    const struct ast *most = is_down ? ast_strip(start) : end;
    moved_add(m, unit, m->is_number ? MOVING_NUMBER : MOVING_POINTER,
              number_behind(m->arena, m->loop, least, most, moved, m->value));
    return true;
}

/* Folds the pointer in a block; true if each statement that uses the pointer either sets a value or
   is the single loop behind such a statement, or reads a number's last value in no loop, which
   might be an axis. START: the pointer's value at the beginning of the block, NULL if the value is
   unknown. */
static bool fold_block(struct moving *m, struct ast_unit *unit, const struct ast *block,
                       const struct ast *start)
{
    const struct ast *value = start, *set = NULL;
    bool is_own = start != NULL, is_read = false;
    for (int i = 0, from = 0; i < block->n_children; i++) {
        const struct ast *child = block->children[i], *next = pointer_value(m, child);
        struct motion motion = {.is_known = true};
        if (next) {
            value = next;
            set = child;
            from = i + 1;
            is_own = is_read = false;
            continue;
        }
        if (!count_refs(m, child) || (is_read && !step_in(m, child)))
            continue;
        m->begin = header_begin(m, child, &value);
        if (m->begin) {
            set = NULL;
            from = i;
            is_own = false;
        }
        m->value = value;
        m->loop = child;
        if (!value || child->kind != AST_FOR || !step_in(m, child) ||
            !(is_own || pointer_stays(m, value, block, from, i + 1)) ||
            !follow_loop(m, child, NULL, &motion))
            return false;
        bool goes_on = ast_is_read_behind(m->body, child, child, m->decl);
        if (m->changes && !m->is_number && !goes_on)
            moved_add(m, unit, MOVING_POINTER, NULL);
        if (goes_on &&
            (form_is_in_loop(m->arena, block, m->body) || !last_add(m, unit, &motion)))
            return false;
        if (m->changes && set)
            set_remove(m, set);
        if (m->begin)
            header_remove(m, child, 0, m->begin);
        value = goes_on ? form_ref(m->arena, m->loop, m->decl) : NULL;
        is_own = is_read = goes_on;
        m->is_live |= goes_on;
        set = NULL;
    }
    return true;
}

/* The only child of a node that uses the pointer; NULL: several, or none. */
static const struct ast *user_in(const struct moving *m, const struct ast *ast)
{
    const struct ast *user = NULL;
    for (int i = 0; i < ast->n_children; i++) {
        if (!ast->children[i] || !count_refs(m, ast->children[i]))
            continue;
        if (user)
            return NULL;
        user = ast->children[i];
    }
    return user;
}

static void fold_pointer(struct moving *m, struct ast_unit *unit, const struct ast *body)
{
    bool is_own = m->decl->kind == AST_PARAMETER && !m->is_number;
    const struct ast *start = is_own ? own_value(m, body) : NULL;
    for (const struct ast *at = body; at; at = user_in(m, at)) {
        if (at->kind != AST_COMPOUND)
            continue;
        m->changes = m->is_live = false;
        m->loop = NULL;
        if (!fold_block(m, unit, at, at == body ? start : NULL) || !m->loop)
            continue;
        m->changes = true;
        fold_block(m, unit, at, at == body ? start : NULL);
        if (!m->is_live && m->loop)
            form_undeclare(m->arena, body, m->decl, m->loop->end);
        return;
    }
}

/* Scalars, or structures that are arrays of scalars (records.c). */
static bool has_elements(const struct ast_type *type)
{
    return type_is_scalar(type) || (type && type->class == AST_TYPE_STRUCT && type->bytes > 0);
}

static bool is_candidate(const struct moving *m, const struct ast *n, const struct ast *body)
{
    return (n->kind == AST_PARAMETER || n->kind == AST_VARIABLE) && n->type &&
           ((n->type->class == AST_TYPE_POINTER && has_elements(n->type->element)) ||
            number_is_signed(n->type)) &&
           !n->type->is_volatile && !n->is_static && !n->is_extern && !n->is_global &&
           !n->is_macro && !ast_takes_address(body, n) && step_in(m, body);
}

void moving_fold(struct arena *arena, struct ast_unit *unit, const struct ast *function,
                 const struct ast *body)
{
    struct moving m = {.arena = arena, .body = body};
    VEC(const struct ast *) pointers = {0};
    struct ast_walk walk;
    if (ast_has(body, AST_LABEL) || ast_has(body, AST_SWITCH))
        return;
    for (int i = 0; i < function->n_children; i++)
        vec_push(arena, &pointers, function->children[i]);
    for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk))
        vec_push(arena, &pointers, n);
    for (size_t i = 0; i < pointers.count; i++) {
        m.decl = pointers.at[i];
        m.is_number = m.decl->type && number_is_signed(m.decl->type);
        m.amounts = map_new(arena);
        if (is_candidate(&m, m.decl, body))
            fold_pointer(&m, unit, body);
    }
}

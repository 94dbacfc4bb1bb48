/* Loops that end by a variable which is no iterator: `while (n-- > 0)`, `while (p != end)`.

   In: the body of a function. Out: `for (int i = 0; i < n; i++)` with an iterator that is made. An
   integer counts down to 0 in the condition, or at the end of each round: `n - 1 - i` or `n - i`
   stands for it, and nobody reads it behind the loop. (A signed one below 0 would overflow.) A
   pointer steps by one element in each round to a place of the same array: the loop counts the
   elements between, and still steps the pointer, which moving.c follows. */
#include "base/map.h"
#include "base/vec.h"
#include "frontend/behind.h"
#include "frontend/header.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"
#include "mapper/forms/rounds.h"
#include "mapper/forms/words.h"
#include <string.h>

/* --- the loop that counts --------------------------------------------------------------------- */

static bool is_beside(const struct ast *made, const struct ast *loop)
{
    return made->kind == AST_FOR && made->is_made &&
           (made->end <= loop->begin || loop->end <= made->begin);
}

/* Is the name given to nothing in the function but to iterators that are made for other loops? */
static bool is_free(const struct rounds *r, const struct ast *loop, const char *name)
{
    struct ast_walk walk;
    for (int i = 0; i < r->function->n_children; i++)
        if (r->function->children[i]->name && !strcmp(r->function->children[i]->name, name))
            return false;
    for (const struct ast *n = ast_first(&walk, r->arena, r->body); n; n = ast_next(&walk)) {
        const struct ast *decl = n->kind == AST_REF ? n->decl : n;
        if (is_beside(n, loop))
            ast_skip(&walk);
        else if (decl && decl->name && !strcmp(decl->name, name))
            return false;
    }
    return !map_get(r->unit->macros, name);
}

static const char *iterator_name(const struct rounds *r, const struct ast *loop)
{
    static const char *const usual[] = {"i", "j", "k", "l"};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (is_free(r, loop, usual[i]))
            return usual[i];
    return words_fresh(r->words, "i", 2);
}

struct ast *iterator_make(const struct rounds *r, const struct ast *loop,
                          const struct ast_type *type)
{
    const struct ast *zero = form_literal(r->arena, loop, type, 0);
    struct ast *iterator = form_make(r->arena, AST_VARIABLE, loop, type, 1, &zero);
    iterator->name = iterator_name(r, loop);
    iterator->end = iterator->begin;
    iterator->owner = r->function;
    iterator->is_made = false;
    return iterator;
}

void counting_loop_make(const struct rounds *r, const struct loop_parts *p,
                        const struct ast *iterator, const struct ast *rounds)
{
    struct arena *arena = r->arena;
    const struct ast *name = form_ref(arena, p->loop, iterator);
    struct ast *step = form_make(arena, AST_UNARY, p->loop, iterator->type, 1, &name);
    step->op = AST_OP_POST_INCREMENT;
    const struct ast *steps = step;
    if (p->step)
        steps = form_binary(arena, AST_OP_COMMA, iterator->type, p->step, p->step, step);
    const struct ast *parts[] = {
        form_make(arena, AST_DECLARE, p->loop, NULL, 1, &iterator),
        form_binary(arena, AST_OP_LT, iterator->type, p->loop,
                    form_ref(arena, p->loop, iterator), rounds),
        steps, p->body};
    const struct ast *made = form_make(arena, AST_FOR, p->loop, NULL, 4, parts);
    const struct ast *both[] = {p->start, made};
    struct ast *node = form_change(p->loop);
    *node = p->start ? *form_make(arena, AST_COMPOUND, p->loop, NULL, 2, both) : *made;
}

static bool plain_loop_read(const struct ast *loop, struct loop_parts *p)
{
    return loop_parts_read(loop, p) && !loop->is_made && !p->condition->is_macro &&
           !p->body->is_macro && !ast_has_own_jump(p->body, AST_CONTINUE);
}

/* --- integers that count down ----------------------------------------------------------------- */

struct countdown {
    const struct ast *decl;
    bool is_ahead;                   /* counted down before the body of a round */
};

/* The side of `x > 0`, `x != 0`, `x >= 1`, `0 < x` or `x` that is no number; NULL: the condition is
   no such one. `least`: the value of x in the last round. */
static const struct ast *positive_side(const struct ast *condition, int64_t *least)
{
    condition = ast_strip(condition);
    *least = 1;
    if (!is_comparison(condition))
        return condition;
    const struct ast *side = ast_strip(condition->children[0]);
    const struct ast *bound = ast_strip(condition->children[1]);
    enum ast_op op = condition->op;
    if (side->kind == AST_INTEGER) {
        const struct ast *other = side;
        side = bound;
        bound = other;
        op = op_exchanged(op);
    }
    if (bound->kind != AST_INTEGER || (op != AST_OP_GT && op != AST_OP_NE && op != AST_OP_GE))
        return NULL;
    *least = bound->integer + (op != AST_OP_GE);
    return op == AST_OP_NE && bound->integer != 0 ? NULL : side;
}

static bool can_count(const struct rounds *r, const struct ast *decl)
{
    enum ast_class class = decl->type ? decl->type->class : AST_TYPE_VOID;
    bool counts = class == AST_TYPE_I32 || class == AST_TYPE_U32 || class == AST_TYPE_I64 ||
                  class == AST_TYPE_U64;
    return counts && (decl->kind == AST_PARAMETER || decl->kind == AST_VARIABLE) &&
           !decl->is_global && !decl->is_static && !decl->type->is_volatile &&
           !ast_takes_address(r->body, decl) && !form_hides(r->arena, decl, r->body);
}

/* Reads what the condition says; false if it counts nothing down. */
static bool countdown_read(const struct rounds *r, const struct loop_parts *p, struct countdown *c)
{
    int64_t least;
    const struct ast *side = positive_side(p->condition, &least);
    if (!side)
        return false;
    bool post = side->kind == AST_UNARY && side->op == AST_OP_POST_DECREMENT;
    bool pre = side->kind == AST_UNARY && side->op == AST_OP_PRE_DECREMENT;
    const struct ast *name = post || pre ? ast_strip(side->children[0]) : side;
    c->is_ahead = post || pre;
    c->decl = name->kind == AST_REF && name->decl ? name->decl : NULL;
    if (!c->decl || least != (pre ? 0 : 1) || !can_count(r, c->decl))
        return false;
    bool is_signed = c->decl->type->class == AST_TYPE_I32 || c->decl->type->class == AST_TYPE_I64;
    return is_signed || !pre;
}

/* `n - 1 - i` or `n - i` in place of uses of n. */
static void uses_replace(const struct rounds *r, const struct ast *root, const struct countdown *c,
                         const struct ast *iterator)
{
    struct ast_walk walk;
    VEC(const struct ast *) uses = {0};
    for (const struct ast *n = ast_first(&walk, r->arena, root); n; n = ast_next(&walk)) {
        if (n->kind == AST_REF && n->decl == c->decl)
            vec_push(r->arena, &uses, n);
    }
    for (size_t i = 0; i < uses.count; i++) {
        const struct ast_type *type = c->decl->type;
        const struct ast *use = uses.at[i], *value = form_ref(r->arena, use, c->decl);
        if (c->is_ahead)
            value = form_binary(r->arena, AST_OP_SUB, type, use, value,
                                form_literal(r->arena, use, type, 1));
        *form_change(use) = *form_binary(r->arena, AST_OP_SUB, type, use, value,
                                         form_ref(r->arena, use, iterator));
    }
}

static bool countdown_fold(const struct rounds *r, struct loop_parts *p)
{
    struct countdown c;
    if (!countdown_read(r, p, &c) ||
        (p->start && (ast_mentions(p->start, c.decl) || ast_declares(p->start, c.decl))) ||
        ast_is_read_behind(r->body, p->loop, p->loop, c.decl))
        return false;
    const struct ast *last = NULL;
    if (!c.is_ahead && p->step && header_step(p->step, c.decl) == -1)
        p->step = NULL;
    else if (!c.is_ahead && !p->step) {
        last = last_statement(p->body);
        if (!last || header_step(last, c.decl) != -1)
            return false;
    } else if (!c.is_ahead || (p->step && ast_mentions(p->step, c.decl)))
        return false;
    if (ast_count_writes(p->body, c.decl) != (last != NULL))
        return false;
    struct ast *iterator = iterator_make(r, p->loop, c.decl->type);
    if (last) {
        form_remove(last);
        form_change(last)->integer = 0;
    }
    uses_replace(r, p->body, &c, iterator);
    counting_loop_make(r, p, iterator, form_ref(r->arena, p->loop, c.decl));
    return true;
}

/* --- pointers that step to an end ------------------------------------------------------------- */

enum { POINTERS_MAX = 3 };           /* whose values are followed to find a place */

/* A place in an array: of a declaration, with a number of elements behind it (NULL: 0). */
struct array_place {
    const struct ast *base, *offset;
};

/* A loop over elements, and the block that it stands in. */
struct pointer_loop {
    const struct ast *pointer, *loop, *block;
    int at;                          /* in the block */
};

/* Is the variable the same from statement `from` of the block on, and in the loop? The pointer is
   the same until the loop begins. */
static bool stays_until(const struct rounds *r, const struct pointer_loop *p, int from,
                        const struct ast *decl)
{
    bool far = from < 0;
    int inside = decl == p->pointer ? ast_count_writes(p->loop, decl) : 0;
    if (decl->type->class == AST_TYPE_ARRAY)
        return true;
    if (decl->is_global || decl->is_static || decl->type->is_volatile ||
        ast_takes_address(r->body, decl) || form_hides(r->arena, decl, r->body))
        return false;
    if (far)
        return ast_count_writes(r->body, decl) == inside;
    for (int i = from; i <= p->at; i++)
        if (ast_count_writes(p->block->children[i], decl) > (i == p->at ? inside : 0))
            return false;
    return true;
}

/* Is it made of numbers and of integers that stay, by sums, products and choices? */
static bool offset_stays(const struct rounds *r, const struct pointer_loop *p, int from,
                         const struct ast *ast)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, r->arena, ast); n; n = ast_next(&walk)) {
        bool sums = n->kind == AST_CONDITIONAL || is_comparison(n) ||
                    (n->kind == AST_BINARY &&
                     (n->op == AST_OP_ADD || n->op == AST_OP_SUB || n->op == AST_OP_MUL));
        bool good = n->kind == AST_INTEGER || (sums && !n->is_macro) ||
                    (n->kind == AST_CAST && n->is_implicit) ||
                    (n->kind == AST_REF && !n->is_macro && stays_until(r, p, from, n->decl));
        if (!good || n->is_part || !n->type || !ast_class_is_integer(n->type->class) ||
            n->type->class == AST_TYPE_U32)
            return false;
    }
    return true;
}

static bool element_place(const struct rounds *r, const struct pointer_loop *p, int from, int depth,
                       const struct ast *ast, struct array_place *place);

/* The place that a pointer variable leads to before statement `at` of the block, by the values of
   `depth` pointers: with 0 the variable's own, whatever that is. */
static bool variable_place(const struct rounds *r, const struct pointer_loop *p, int at, int depth,
                           const struct ast *decl, struct array_place *place)
{
    *place = (struct array_place){decl, NULL};
    if (!depth)
        return true;
    for (int i = at; i-- > 0;) {
        const struct ast *statement = p->block->children[i], *value = value_given(statement, decl);
        if (value)
            return !ast_mentions(value, decl) && element_place(r, p, i, depth - 1, value, place);
        if (ast_writes(statement, decl))
            return false;
    }
    return decl->kind == AST_VARIABLE && decl->n_children && !ast_writes(r->body, decl) &&
           element_place(r, p, -1, depth - 1, decl->children[0], place);
}

/* Reads a place that statement `from` names (below 0: one before all); its variables keep their
   values until the loop. */
static bool element_place(const struct rounds *r, const struct pointer_loop *p, int from, int depth,
                       const struct ast *ast, struct array_place *place)
{
    ast = ast_strip(ast);
    const struct ast *pointer = NULL, *number = NULL;
    if (ast->is_macro || ast->is_part || !ast->type)
        return false;
    if (ast->kind == AST_REF && ast->decl->type->class == AST_TYPE_ARRAY) {
        *place = (struct array_place){ast->decl, NULL};
        return true;
    }
    if (ast->kind == AST_REF)
        return ast->decl->type->class == AST_TYPE_POINTER &&
               stays_until(r, p, from < 0 ? from : from + 1, ast->decl) &&
               variable_place(r, p, from < 0 ? 0 : from, depth, ast->decl, place);
    if (ast->kind == AST_UNARY && ast->op == AST_OP_ADDRESS &&
        ast_strip(ast->children[0])->kind == AST_INDEX) {
        const struct ast *element = ast_strip(ast->children[0]);
        pointer = element->children[0];
        number = element->children[1];
    } else if (ast->kind == AST_BINARY && (ast->op == AST_OP_ADD || ast->op == AST_OP_SUB)) {
        bool first = ast_strip(ast->children[0])->type->element != NULL;
        pointer = ast->children[!first];
        number = ast->children[first];
        if (!first && ast->op == AST_OP_SUB)
            return false;
    }
    if (!pointer || !offset_stays(r, p, from < 0 ? from : from + 1, number) ||
        !element_place(r, p, from, depth, pointer, place))
        return false;
    bool less = ast->kind == AST_BINARY && ast->op == AST_OP_SUB;
    number = form_copy(r->arena, ast_strip(number));
    place->offset = !place->offset && !less
                        ? number
                        : form_sum(r->arena, place->offset, number, less ? AST_OP_SUB : AST_OP_ADD);
    return true;
}

/* Does the node step the variable once whenever it is executed? */
static bool steps_once(const struct ast *ast, const struct ast *decl)
{
    const struct ast *target = change_target(ast);
    bool chooses = ast->kind == AST_CONDITIONAL || ast->kind == AST_IF || ast_is_loop(ast) ||
                   ast->kind == AST_SWITCH || ast->kind == AST_SIZEOF ||
                   (ast->kind == AST_BINARY && (ast->op == AST_OP_LAND || ast->op == AST_OP_LOR));
    if (target && is_ref_to(ast_strip(target), decl))
        return header_step(ast, decl) == 1;
    int n = chooses ? 0 : ast->n_children;
    for (int i = 0; i < n; i++)
        if (ast->children[i] && steps_once(ast->children[i], decl))
            return true;
    return false;
}

/* The number of elements between two places of an array; NULL if they are unknown. */
static const struct ast *places_between(const struct rounds *r, const struct array_place *start,
                                  const struct array_place *end, bool has_end)
{
    const struct ast *number = end->offset;
    bool is_unsigned = (number && number->type->class == AST_TYPE_U64) ||
                       (start->offset && start->offset->type->class == AST_TYPE_U64);
    if (start->base != end->base || !number || (is_unsigned && start->offset))
        return NULL;
    if (start->offset)
        number = form_sum(r->arena, number, form_copy(r->arena, start->offset), AST_OP_SUB);
    return has_end ? form_sum(r->arena, number, form_literal(r->arena, number, NULL, 1),
                              AST_OP_ADD)
                   : number;
}

static const struct ast *pointer_compared(const struct ast *condition,
                                          struct header_comparison *comparison)
{
    condition = ast_strip(condition);
    int n_sides = is_comparison(condition) ? 2 : 0;
    for (int i = 0; i < n_sides; i++) {
        const struct ast *side = ast_strip(condition->children[i]);
        bool pointer = side->kind == AST_REF && side->decl->type &&
                       side->decl->type->class == AST_TYPE_POINTER;
        if (pointer && header_compares(condition, side->decl, comparison) && !comparison->plus &&
            ast_strip(comparison->side) == side &&
            (comparison->op == AST_OP_LT || comparison->op == AST_OP_LE ||
             comparison->op == AST_OP_NE))
            return side->decl;
    }
    return NULL;
}

/* The place at which the pointer begins, by the loop's own start or by what stands before. */
static bool start_read(const struct rounds *r, const struct pointer_loop *p, int depth,
                       const struct ast *start, struct array_place *place)
{
    const struct ast *value = start ? value_given(start, p->pointer) : NULL;
    if (start && !value)
        return false;
    return value ? element_place(r, p, p->at, depth, value, place)
                 : variable_place(r, p, p->at, depth, p->pointer, place);
}

/* The number of elements that the loop steps over, by the values of as few pointers as say it; NULL
   if they are unknown. */
static const struct ast *elements_between(const struct rounds *r, const struct pointer_loop *p,
                                          const struct ast *start, const struct ast *bound,
                                          bool has_end)
{
    struct array_place from, to;
    for (int both = 0; both <= 2 * POINTERS_MAX; both++)
        for (int first = 0; first <= both; first++) {
            const struct ast *number = NULL;
            if (start_read(r, p, first, start, &from) &&
                element_place(r, p, p->at, both - first, bound, &to))
                number = places_between(r, &from, &to, has_end);
            if (number)
                return number;
        }
    return NULL;
}

/* Without a pointer to the end that no other loop needs: what it is made of would seem to be used
   there. */
static void end_remove(const struct rounds *r, const struct ast *bound)
{
    const struct ast *decl = ast_strip(bound)->decl;
    struct ast_walk walk;
    bool is_own = ast_strip(bound)->kind == AST_REF && decl->kind == AST_VARIABLE &&
                  !decl->is_global && !decl->is_static && decl->type->class == AST_TYPE_POINTER;
    int n_sets = 0, n_uses = 0;
    if (!is_own)
        return;
    for (const struct ast *n = ast_first(&walk, r->arena, r->body); n; n = ast_next(&walk)) {
        n_sets += n->kind == AST_ASSIGN && value_given(n, decl);
        n_uses += is_ref_to(n, decl);
    }
    if (n_uses != n_sets)
        return;
    for (const struct ast *n = ast_first(&walk, r->arena, r->body); n; n = ast_next(&walk)) {
        if (n->kind == AST_ASSIGN && value_given(n, decl))
            form_remove(n);
        else if (n->kind == AST_DECLARE && value_given(n, decl))
            form_change(decl)->n_children = 0;
    }
}

static bool pointers_fold(const struct rounds *r, const struct loop_parts *plain,
                          const struct ast *block, int at)
{
    struct header_comparison comparison;
    struct pointer_loop p = {pointer_compared(plain->condition, &comparison), plain->loop, block,
                             at};
    bool by_header = p.pointer && plain->step && steps_once(plain->step, p.pointer);
    if (!p.pointer || p.pointer->is_global || p.pointer->is_static ||
        ast_takes_address(r->body, p.pointer) ||
        ast_count_writes(plain->body, p.pointer) != !by_header ||
        (plain->step && ast_count_writes(plain->step, p.pointer) != by_header) ||
        !(by_header || steps_once(plain->body, p.pointer)))
        return false;
    const struct ast *rounds = elements_between(r, &p, plain->start, comparison.bound,
                                                comparison.op == AST_OP_LE);
    if (!rounds)
        return false;
    const struct ast_type *type = rounds->type;
    if (type->class != AST_TYPE_I32 && type->class != AST_TYPE_I64 && type->class != AST_TYPE_U64)
        type = form_long(r->arena, AST_TYPE_I64);
    const struct ast *bound = comparison.bound;
    counting_loop_make(r, plain, iterator_make(r, plain->loop, type), rounds);
    end_remove(r, bound);
    return true;
}

static void rounds_find(const struct rounds *r, const struct ast *ast)
{
    struct loop_parts plain;
    for (int i = 0; i < ast->n_children; i++) {
        const struct ast *child = ast->children[i];
        bool loops = child && (child->kind == AST_WHILE || child->kind == AST_FOR);
        if (loops && ast->kind == AST_COMPOUND && plain_loop_read(child, &plain) &&
            !countdown_fold(r, &plain))
            pointers_fold(r, &plain, ast, i);
        if (child && !ast_is_expression(child))
            rounds_find(r, child);
    }
}

void rounds_fold(struct arena *arena, const struct ast_unit *unit, const struct word_list *words,
                 const struct ast *function, const struct ast *body)
{
    struct rounds r = {arena, unit, function, body, words_again(arena, words)};
    if (!ast_has(body, AST_LABEL) && !ast_has(body, AST_SWITCH) && !ast_has(body, AST_GOTO))
        rounds_find(&r, body);
}

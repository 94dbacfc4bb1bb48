/* Changes that a person asks for: two loops of a nest exchanged, a loop cut in one for each of its
   statements.

   In: the words of the request. Out: the source with that change, if every pair of accesses that
   touch one element keeps its order; else why not: the shape of the text, or a pair with two
   iterations that would run the other way round. The result is plain C, which can be asked about,
   changed again and mapped. */
#include "frontend/ask.h"
#include "mapper/ask/ask.h"
#include "mapper/ask/report.h"
#include "mapper/scop/block.h"
#include "mapper/scop/depend.h"
#include "mapper/scop/limit.h"
#include "mapper/scop/sets.h"
#include "mapper/scop/walk.h"
#include <assert.h>
#include <ctype.h>
#include <isl/map.h>
#include <stdio.h>
#include <string.h>

struct change {
    struct ctx *ctx;
    const struct ast_unit *unit;
    const struct found_loop *found;
    struct scop *scop;
    const struct scop_node *node;    /* of the loop that is named */
    const char *words;               /* the request */
};

static const struct scop_node *node_find(const struct scop_node *node, const struct scop_loop *loop)
{
    if (!node || node->loop == loop)
        return node;
    const struct scop_node *found = NULL;
    for (int i = 0; i < node->n_children && !found; i++)
        found = node_find(node->children[i], loop);
    return found;
}

/* Says why the change cannot be made. Returns false. */
static bool reject(const struct change *c, const struct ast *at, const char *why)
{
    diag_error(c->ctx, at->loc, "`%s` cannot be applied: %s", c->words, why);
    return false;
}

/* Says which pair would run the other way round. */
static bool refuse_pair(const struct change *c, const struct block *block)
{
    struct str text = str_new(c->scop->arena);
    block_print(&text, c->scop, block);
    diag_error(c->ctx, c->node->ast->loc,
               "`%s` cannot be applied: it would change which comes first", c->words);
    for (const char *line = text.text; *line; line += strcspn(line, "\n") + 1) {
        line += strspn(line, " ");
        diag_note(c->ctx, loc_none(), "%.*s", (int)strcspn(line, "\n"), line);
    }
    return false;
}

/* --- the text --------------------------------------------------------------------------------- */

/* The bytes of a loop's `for (…)` in the source; false if the source has other text there. */
static bool header_range(const struct change *c, const struct ast *loop, size_t *begin, size_t *end)
{
    const char *text = c->unit->source->text;
    const struct ast *body = loop->children[3];
    *begin = loop->begin;
    *end = body ? body->begin : 0;
    while (*end > *begin && isspace((unsigned char)text[*end - 1]))
        (*end)--;
    return *end > *begin + 4 && !loop->is_macro && !loop->is_made && !body->is_macro &&
           strncmp(text + *begin, "for", 3) == 0 && text[*end - 1] == ')';
}

static void source_add(const struct change *c, struct str *out, size_t begin, size_t end)
{
    str_addf(out, "%.*s", (int)(end - begin), c->unit->source->text + begin);
}

/* --- pairs of accesses that keep their order -------------------------------------------------- */

static bool stmt_is_below(const struct scop_stmt *stmt, const struct scop_loop *loop)
{
    return stmt_loop(stmt, loop->depth) == loop;
}

/* All pairs of accesses below the loop that meet, one of them writing; false as soon as `visit`
   is. */
typedef bool (*pair_visit)(const struct change *c, struct block *block, void *data);

static bool accesses_visit(const struct change *c, const struct scop_stmt *from,
                           const struct scop_stmt *to, pair_visit visit, void *data)
{
    for (size_t i = 0; i < from->accesses.count; i++)
        for (size_t k = 0; k < to->accesses.count; k++) {
            struct block block = {.from = from, .to = to};
            block.first = &from->accesses.at[i];
            block.second = &to->accesses.at[k];
            bool meet = block.first->array == block.second->array &&
                        (block.first->is_write || block.second->is_write);
            block.kind = block_kind_of(block.first, block.second);
            if (meet && !visit(c, &block, data))
                return false;
        }
    return true;
}

static bool pairs_visit(const struct change *c, pair_visit visit, void *data)
{
    const struct scop_loop *loop = c->found->loop;
    for (size_t i = 0; i < c->scop->stmts.count; i++)
        for (size_t k = 0; k < c->scop->stmts.count; k++) {
            const struct scop_stmt *from = c->scop->stmts.at[i], *to = c->scop->stmts.at[k];
            bool both = stmt_is_below(from, loop) && stmt_is_below(to, loop);
            if (both && !accesses_visit(c, from, to, visit, data))
                return false;
        }
    return true;
}

static bool touches_array(const struct change *c, const struct scop_array *array)
{
    struct access_walk walk;
    const struct scop_access *access = access_first(&walk, c->scop, array);
    while (access && !stmt_is_below(walk.stmt, c->found->loop))
        access = access_next(&walk);
    return access != NULL;
}

/* Arrays that may be the same memory may hold pairs that nobody sees. */
static bool refuse_overlap(const struct change *c)
{
    for (size_t i = 0; i < c->scop->overlaps.count; i++) {
        const struct scop_overlap *pair = &c->scop->overlaps.at[i];
        const char *second = pair->scalar ? pair->scalar->name : pair->second->name;
        if (touches_array(c, pair->first) && (pair->scalar || touches_array(c, pair->second)))
            return reject(c, c->node->ast,
                          arena_printf(c->scop->arena,
                                       "`%s` and `%s` may overlap; declare them `restrict`",
                                       pair->first->name, second));
    }
    return true;
}

/* False after a refusal if the block has pairs or isl gives up. */
static bool none_left(const struct change *c, struct block *block)
{
    isl_bool empty = isl_map_is_empty(block->pairs);
    if (empty == isl_bool_true)
        return true;
    if (empty == isl_bool_error)
        return reject(c, c->node->ast, "the dependences are more than isl decides in its limit");
    return refuse_pair(c, block);
}

/* --- interchange ------------------------------------------------------------------------------ */

struct levels {
    int outer, inner;                /* depths of the two loops */
    const struct scop_loop *loops[LOOP_DEPTH_MAX];   /* by depth, from the named one to the inner */
    const struct scop_array *carried;                /* asked about, see values_cross */
};

/* The loop that is all there is in a loop; NULL if there is more. */
static const struct scop_node *only_loop(const struct scop_node *loop)
{
    const struct scop_node *node = loop->n_children == 1 ? loop->children[0] : NULL;
    while (node && node->kind == SCOP_BLOCK)
        node = node->n_children == 1 ? node->children[0] : NULL;
    return node && node->kind == SCOP_LOOP ? node : NULL;
}

static bool form_has(const struct affine *form, const struct scop_loop *loop)
{
    return affine_factor(form, loop->symbol) != 0;
}

static bool bounds_have(const struct scop_loop *loop, const struct scop_loop *other)
{
    bool found = form_has(&loop->start, other);
    for (int i = 0; i < loop->n_limits; i++)
        found |= form_has(&loop->limits[i], other);
    return found;
}

/* Instances that come in this order at one depth. */
static __isl_give isl_map *ordered(__isl_take isl_map *pairs, const struct scop_loop *loop,
                                   bool later)
{
    int at = loop->depth;
    return (loop->step > 0) == later
               ? isl_map_order_lt(pairs, isl_dim_in, at, isl_dim_out, at)
               : isl_map_order_gt(pairs, isl_dim_in, at, isl_dim_out, at);
}

/* The pairs of which the second would run first: equal down to some place of the new order, and
   there the wrong way round. */
static __isl_give isl_map *turned_pairs(__isl_take isl_map *pairs, const struct levels *l)
{
    isl_map *turned = isl_map_subtract(isl_map_copy(pairs), isl_map_copy(pairs));
    for (int depth = l->outer; depth <= l->inner; depth++) {
        int at = depth == l->outer ? l->inner : depth == l->inner ? l->outer : depth;
        isl_map *back = ordered(isl_map_copy(pairs), l->loops[at], false);
        turned = isl_map_union(turned, back);
        pairs = isl_map_equate(pairs, isl_dim_in, at, isl_dim_out, at);
    }
    isl_map_free(pairs);
    return turned;
}

/* The pairs that loops from the outer to the inner one order. */
static __isl_give isl_map *carried_pairs(const struct block *block, const struct levels *l)
{
    isl_map *pairs = NULL;
    for (int depth = l->outer; depth <= l->inner; depth++) {
        isl_map *some = scop_pairs(block->from, block->first, block->to, block->second, depth + 1);
        pairs = pairs ? isl_map_union(pairs, some) : some;
    }
    return pairs;
}

static bool block_keeps_value(const struct change *c, struct block *block, void *data)
{
    const struct levels *l = data;
    if (block->first->array != l->carried || block->kind != BLOCK_FLOW)
        return true;
    block->pairs = scop_keep_map(c->scop, carried_pairs(block, l));
    isl_map *values = value_pairs(c->scop, block);
    bool none = isl_map_is_empty(values) == isl_bool_true;
    isl_map_free(values);
    return none;
}

/* A private scalar of which no iteration gets a value from another is nobody's concern. */
static bool values_cross(const struct change *c, const struct scop_array *array, struct levels *l)
{
    l->carried = array;
    return !pairs_visit(c, block_keeps_value, l);
}

static bool interchange_pair(const struct change *c, struct block *block, void *data)
{
    struct levels *l = data;
    scop_question_begin(c->scop);
    if (block->first->array->is_private && !values_cross(c, block->first->array, l))
        return true;
    block->pairs = scop_keep_map(c->scop, turned_pairs(carried_pairs(block, l), l));
    return none_left(c, block);
}

/* The loops down to the inner one; false after a refusal. */
static bool levels_find(const struct change *c, int a, int b, struct levels *l,
                        const struct scop_node **nodes)
{
    const struct scop_node *node = c->node;
    assert(node);
    int first = a < b ? a : b, last = a < b ? b : a, top = c->found->loop->depth;
    for (int i = 0; i <= last; i++) {
        if (!node)
            return reject(c, c->node->ast,
                          arena_printf(c->scop->arena, "loop `%s` is not all that its body holds "
                                       "down to loop %d of the nest; `distribute` it first",
                                       c->found->loop->name, last));
        nodes[i] = node;
        l->loops[top + i] = node->loop;
        node = only_loop(node);
    }
    l->outer = top + first;
    l->inner = top + last;
    for (int i = first; i <= last; i++)
        for (int k = first; k < i; k++)
            if (bounds_have(nodes[i]->loop, nodes[k]->loop))
                return reject(c, nodes[i]->ast,
                              arena_printf(c->scop->arena, "the bounds of loop `%s` have `%s`",
                                           nodes[i]->loop->name, nodes[k]->loop->name));
    return true;
}

static bool headers_swap(const struct change *c, struct str *out, const struct ast *outer,
                         const struct ast *inner)
{
    size_t a, a_end, b, b_end;
    if (!header_range(c, outer, &a, &a_end) || !header_range(c, inner, &b, &b_end))
        return reject(c, outer, "a macro or a comment stands in a loop's head");
    source_add(c, out, 0, a);
    source_add(c, out, b, b_end);
    source_add(c, out, a_end, b);
    source_add(c, out, a, a_end);
    source_add(c, out, b_end, c->unit->source->length);
    return true;
}

static bool interchange(const struct change *c, struct str *out, int a, int b)
{
    struct levels l = {0};
    const struct scop_node *nodes[LOOP_DEPTH_MAX];
    if (a == b || a < 0 || b < 0 || a >= LOOP_DEPTH_MAX || b >= LOOP_DEPTH_MAX)
        return reject(c, c->node->ast, "two loops of the nest are named by two numbers from 0 up");
    if (!levels_find(c, a, b, &l, nodes) || !refuse_overlap(c) ||
        !pairs_visit(c, interchange_pair, &l))
        return false;
    int top = c->found->loop->depth;
    return headers_swap(c, out, nodes[l.outer - top]->ast, nodes[l.inner - top]->ast);
}

/* --- distribute ------------------------------------------------------------------------------- */

/* The statements that a loop's body is made of. */
static const struct scop_node *body_of(const struct scop_node *loop)
{
    const struct scop_node *node = loop->n_children == 1 ? loop->children[0] : NULL;
    return node && node->kind == SCOP_BLOCK ? node : NULL;
}

/* In which of them does the statement stand? */
static size_t part_number(const struct scop_node *body, const struct scop_stmt *stmt)
{
    const struct scop_node *node = stmt->node;
    while (node->parent != body)
        node = node->parent;
    return node->ast->begin;
}

static bool distribute_pair(const struct change *c, struct block *block, void *data)
{
    const struct scop_node *body = data;
    size_t from = part_number(body, block->from), to = part_number(body, block->to);
    scop_question_begin(c->scop);
    if (from == to)
        return true;
    if (block->first->array->is_private) {
        if (block->kind != BLOCK_FLOW)
            return true;
        isl_map *before =
            scop_pairs_before(block->from, block->first, block->to, block->second);
        block->pairs = scop_keep_map(c->scop, before);
        block->pairs = scop_keep_map(c->scop, value_pairs(c->scop, block));
        return none_left(c, block);
    }
    if (from < to)
        return true;
    block->pairs = scop_keep_map(c->scop, scop_pairs(block->from, block->first, block->to,
                                                     block->second, c->found->loop->depth + 1));
    return none_left(c, block);
}

/* Can the statements of the body stand in loops of their own? */
static bool parts_check(const struct change *c, const struct ast *body)
{
    if (!body || body->kind != AST_COMPOUND || body->n_children < 2)
        return reject(c, c->node->ast, "its body is one statement");
    for (int i = 0; i < body->n_children; i++)
        if (body->children[i]->kind == AST_DECLARE || body->children[i]->is_macro)
            return reject(c, body->children[i], "a declaration or a macro stands in its body");
    return true;
}

/* One loop for each statement, in braces of their own. */
static bool loops_print(const struct change *c, struct str *out, const struct ast *loop)
{
    const struct ast *body = loop->children[3];
    size_t begin, end;
    if (!header_range(c, loop, &begin, &end))
        return reject(c, loop, "a macro or a comment stands in its head");
    const char *text = c->unit->source->text;
    int column = 0;
    while ((size_t)column < begin && text[begin - 1 - (size_t)column] == ' ')
        column++;
    source_add(c, out, 0, begin);
    str_add(out, "{\n");
    for (int i = 0; i < body->n_children; i++) {
        const struct ast *part = body->children[i];
        str_indent(out, column + 4);
        source_add(c, out, begin, end);
        str_char(out, '\n');
        str_indent(out, column + 8);
        source_add(c, out, part->begin, statement_end(c->unit, part));
        str_char(out, '\n');
    }
    str_indent(out, column);
    source_add(c, out, body->end - 1, c->unit->source->length);
    return true;
}

static bool distribute(const struct change *c, struct str *out)
{
    const struct scop_node *body = body_of(c->node);
    return parts_check(c, c->node->ast->children[3]) && body && refuse_overlap(c) &&
           pairs_visit(c, distribute_pair, (void *)body) && loops_print(c, out, c->node->ast);
}

/* --- requests --------------------------------------------------------------------------------- */

bool mapping_apply(struct ctx *ctx, struct str *out, struct ast_unit *unit,
                   struct map_choice *choice)
{
    char verb[16], loop[64];
    int a = 0, b = 0, end = 0;
    int n = sscanf(choice->request, " %15s %63s %n%d %d %n", verb, loop, &end, &a, &b, &end);
    bool swap = n == 4 && strcmp(verb, "interchange") == 0;
    bool cut = n == 2 && strcmp(verb, "distribute") == 0;
    if ((!swap && !cut) || choice->request[end]) {
        diag_error(ctx, loc_none(), "`%s` is not understood; `interchange LOOP 0 1` exchanges two "
                   "loops of the nest that LOOP begins, `distribute LOOP` gives each statement of "
                   "its body a loop", choice->request);
        choice->is_unknown = true;
        return false;
    }
    struct found_loop found;
    choice->loop = arena_strdup(ctx->arena, loop);
    if (!loop_named(ctx, unit, choice, &found))
        return false;
    struct change c = {ctx, unit, &found, found.nest->scop, NULL, choice->request};
    c.node = node_find(c.scop->root, found.loop);
    assert(c.node && "a loop of a fragment is one of its nodes");
    return swap ? interchange(&c, out, a, b) : distribute(&c, out);
}

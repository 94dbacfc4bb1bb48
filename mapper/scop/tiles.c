/* Loops that a person cut in tiles: `for (ii …; ii += 32) … for (i = ii; i < ii + 32; i++)`.

   In: a scop with its dependences. Out: the source without such a loop over tiles: that over the
   points of a tile runs from its start to its end at once. Each point is of one tile, so this is an
   order of the same iterations; the mapper takes the new order if every dependence keeps its order.
   The loop over tiles becomes a block (forms.h). Blocks of a device's size are the schedule's to
   choose. */
#include "mapper/forms/forms.h"
#include "mapper/forms/transformations.h"
#include "mapper/scop/extract.h"
#include "mapper/scop/read.h"
#include <string.h>

static bool limits_have(const struct scop_loop *loop, const struct affine *limit)
{
    for (int i = 0; i < loop->n_limits; i++)
        if (affine_equal(&loop->limits[i], limit))
            return true;
    return false;
}

/* Do the loop's tiles end at the limit, whichever it is? */
static bool tiles_end_at(const struct scop_loop *tiles, const struct affine *limit)
{
    struct affine rounds = *limit, one = affine_constant(1);
    return affine_add(&rounds, &tiles->start, -1) && affine_add(&rounds, &one, 1) &&
           !rounds.n_terms && rounds.constant >= 0 && rounds.constant % tiles->step == 0;
}

/* Does the header do more than to count? */
static bool has_beside(const struct scop_loop *loop)
{
    return header_count(loop->ast, 0) > 1 || header_count(loop->ast, 2) > 1;
}

/* Does the loop run over the points of each tile, and over no more? */
static bool runs_points(const struct scop_loop *tiles, const struct scop_loop *loop)
{
    struct affine first = affine_iterator(tiles), last = first;
    struct affine length = affine_constant(tiles->step - 1);
    bool good = loop->step == 1 && !has_beside(loop) && !loop->is_live &&
                affine_equal(&loop->start, &first) &&
                loop->iterator->type->class == tiles->iterator->type->class &&
                affine_add(&last, &length, 1) && limits_have(loop, &last);
    for (int i = 0; i < loop->n_limits && good; i++)
        good = affine_equal(&loop->limits[i], &last) || limits_have(tiles, &loop->limits[i]);
    for (int i = 0; i < tiles->n_limits && good; i++)
        good = limits_have(loop, &tiles->limits[i]) || tiles_end_at(tiles, &tiles->limits[i]);
    return good;
}

/* The loop around a statement that runs over the points of the tiles; NULL: none, or several. */
static const struct scop_loop *points_around(const struct scop_loop *tiles,
                                             const struct scop_stmt *stmt)
{
    const struct scop_loop *found = NULL;
    for (int i = tiles->depth + 1; i < stmt->depth; i++) {
        if (!runs_points(tiles, stmt->loops[i]))
            continue;
        if (found)
            return NULL;
        found = stmt->loops[i];
    }
    return found;
}

static bool stmt_in_tiles(const struct scop_loop *tiles, const struct scop_stmt *stmt)
{
    return tiles->depth < stmt->depth && stmt->loops[tiles->depth] == tiles;
}

/* Has each statement one point loop, in which all of its unit stands? */
static bool points_cover(const struct scop *scop, const struct scop_loop *tiles)
{
    bool any = false;
    for (size_t i = 0; i < scop->stmts.count; i++) {
        const struct scop_stmt *stmt = scop->stmts.at[i];
        if (!stmt_in_tiles(tiles, stmt))
            continue;
        const struct scop_loop *points = points_around(tiles, stmt);
        if (!points || stmt->unit->depth <= points->depth)
            return false;
        any = true;
    }
    return any;
}

static bool names(struct arena *arena, const struct ast *root, const struct ast *decl)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, root); n; n = ast_next(&walk))
        if (n->kind == AST_REF && n->decl == decl)
            return true;
    return false;
}

/* The loop over the points of a tile at a node; NULL for other nodes. */
static const struct scop_loop *points_at(const struct scop *scop, const struct scop_loop *tiles,
                                         const struct ast *ast)
{
    for (size_t i = 0; i < scop->loops.count; i++)
        if (scop->loops.at[i]->ast == ast && runs_points(tiles, scop->loops.at[i]))
            return scop->loops.at[i];
    return NULL;
}

/* Is the tile named in heads of point loops only? */
static bool is_tile_only(const struct scop *scop, const struct scop_loop *tiles,
                         const struct ast *ast)
{
    if (!ast)
        return true;
    if (points_at(scop, tiles, ast))
        return is_tile_only(scop, tiles, ast->children[3]);
    if (ast->kind == AST_REF)
        return ast->decl != tiles->iterator;
    for (int i = 0; i < ast->n_children; i++)
        if (!is_tile_only(scop, tiles, ast->children[i]))
            return false;
    return true;
}

/* --- order ------------------------------------------------------------------------------------ */

/* Pairs that come in the other order along a loop. */
static bool turns(__isl_keep isl_map *pairs, const struct scop_loop *loop, int at)
{
    isl_map *other = isl_map_copy(pairs);
    other = loop->step > 0 ? isl_map_order_gt(other, isl_dim_in, at, isl_dim_out, at)
                           : isl_map_order_lt(other, isl_dim_in, at, isl_dim_out, at);
    bool none = isl_map_is_empty(other) == isl_bool_true;
    isl_map_free(other);
    return !none;
}

static int common_loops(const struct scop_stmt *a, const struct scop_stmt *b)
{
    int n = 0;
    while (n < a->depth && n < b->depth && a->loops[n] == b->loops[n])
        n++;
    return n;
}

/* Do the edge's pairs keep their order without the tiles? */
static bool edge_stays(const struct scop_edge *edge, const struct scop_loop *tiles)
{
    int shared = common_loops(edge->from, edge->to);
    isl_map *pairs = isl_map_copy(edge->pairs);
    bool good = true;
    for (int at = tiles->depth + 1; at < shared && good; at++) {
        good = !turns(pairs, edge->from->loops[at], at);
        pairs = isl_map_equate(pairs, isl_dim_in, at, isl_dim_out, at);
    }
    if (good && edge->from->id >= edge->to->id)
        good = isl_map_is_empty(pairs) == isl_bool_true;
    isl_map_free(pairs);
    return good;
}

static bool order_stays(const struct scop *scop, const struct scop_loop *tiles)
{
    for (size_t i = 0; i < scop->edges.count; i++) {
        const struct scop_edge *edge = &scop->edges.at[i];
        bool inside = stmt_in_tiles(tiles, edge->from) && stmt_in_tiles(tiles, edge->to);
        if (inside && edge->level > tiles->depth && !edge_stays(edge, tiles))
            return false;
    }
    return true;
}

/* --- the change ------------------------------------------------------------------------------- */

/* The condition of the tiles, of the points; NULL if it cannot be printed. */
static const struct ast *condition_of(struct arena *arena, const struct ast *ast,
                                      const struct ast *tile, const struct ast *point)
{
    const struct ast *children[3];
    if (!names(arena, ast, tile))
        return ast;
    if (ast->kind == AST_REF) {
        struct ast *ref = form_make(arena, AST_REF, ast, ast->type, 0, NULL);
        ref->decl = point;
        return ref;
    }
    bool plain = ast->kind == AST_BINARY || (ast->kind == AST_CAST && ast->is_implicit);
    if (!plain || ast->is_macro)
        return NULL;
    for (int i = 0; i < ast->n_children; i++) {
        children[i] = condition_of(arena, ast->children[i], tile, point);
        if (!children[i])
            return NULL;
    }
    struct ast *made = form_make(arena, ast->kind, ast, ast->type, ast->n_children, children);
    made->op = ast->op;
    made->is_implicit = ast->is_implicit;
    return made;
}

/* The part of a head that sets the iterator, to another value. */
static const struct ast *start_of(struct arena *arena, const struct ast *start,
                                  const struct ast *value)
{
    if (start->kind == AST_DECLARE) {
        const struct ast **list = ARENA_ARRAY(arena, const struct ast *, 1);
        struct ast *variable = form_change(start->children[0]);
        list[0] = value;
        variable->children = list;
        return start;
    }
    const struct ast *sides[] = {start->children[0], value};
    return form_make(arena, AST_ASSIGN, start, start->type, 2, sides);
}

static void points_widen(struct scop *scop, const struct scop_loop *tiles,
                         const struct scop_loop *points)
{
    struct arena *arena = scop->arena;
    const struct ast **children = ARENA_ARRAY(arena, const struct ast *, 4);
    const struct ast *value = NULL;
    struct ast *loop = form_change(points->ast);
    header_iterator(header_own(tiles->ast, 0), &value);
    memcpy(children, loop->children, 4 * sizeof *children);
    children[0] = start_of(arena, children[0], value);
    children[1] = condition_of(arena, tiles->ast->children[1], tiles->iterator,
                               points->iterator);
    loop->children = children;
    loop->is_made = true;
}

static void tiles_drop(struct scop *scop, const struct scop_loop *tiles)
{
    struct ast *loop = form_change(tiles->ast);
    const struct ast **body = ARENA_ARRAY(scop->arena, const struct ast *, 1);
    for (size_t i = 0; i < scop->loops.count; i++)
        if (scop->loops.at[i]->depth > tiles->depth && runs_points(tiles, scop->loops.at[i]))
            points_widen(scop, tiles, scop->loops.at[i]);
    body[0] = loop->children[3];
    loop->kind = AST_COMPOUND;
    loop->children = body;
    loop->n_children = 1;
    loop->is_made = true;
}

bool tiles_remove(struct scop *scop)
{
    if (!transformation_is_on(scop->ctx, TRANSFORMATION_UNTILING))
        return false;
    for (size_t i = 0; i < scop->loops.count; i++) {
        const struct scop_loop *tiles = scop->loops.at[i];
        bool steps = tiles->step > 1 && !has_beside(tiles) && !tiles->phase.n_terms &&
                     !tiles->phase.constant &&
                     !tiles->is_live && tiles->ast->children[2];
        if (!steps || !points_cover(scop, tiles) ||
            !is_tile_only(scop, tiles, tiles->ast->children[3]) ||
            !condition_of(scop->arena, tiles->ast->children[1], tiles->iterator, tiles->iterator) ||
            !order_stays(scop, tiles))
            continue;
        tiles_drop(scop, tiles);
        return true;
    }
    return false;
}

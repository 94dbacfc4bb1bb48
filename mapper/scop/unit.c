/* Scalars: which live in threads, which belong to the host; and the units that they make.

   In: a scop. Out: each statement in a unit. A scalar is private to the body of a loop if every
   iteration writes it before it reads it, and nobody reads it behind the loop; the statements of
   one such iteration that share it, a *web*, run in one thread, so they are one unit whose
   instances are the iterations of the loops around the web. A web begins at a statement of a block
   that needs no value of the scalar from before it. A scalar whose writes all stand outside loops
   and read no array is computed by the host. Any other scalar *carries* values from iteration to
   iteration, or out of the fragment: it is treated as an array of one element and printed so. */
#include "mapper/forms/transformations.h"
#include "mapper/scop/behind.h"
#include "mapper/scop/depend.h"
#include "mapper/scop/values.h"
#include "mapper/scop/walk.h"
#include <string.h>

struct webs {
    struct scop *scop;
    const struct scop_array *scalar;
    struct scop_stmt **parent;       /* by statement: union-find */
    int *depth;                      /* by representative */
};

static struct scop_stmt *web_find(const struct webs *w, struct scop_stmt *stmt)
{
    while (w->parent[stmt->id] != stmt)
        stmt = w->parent[stmt->id];
    return stmt;
}

/* Every statement is a unit of its own. */
static void webs_begin(struct webs *w)
{
    for (size_t i = 0; i < w->scop->stmts.count; i++) {
        w->parent[i] = w->scop->stmts.at[i];
        w->depth[i] = w->scop->stmts.at[i]->depth;
    }
}

static void join(struct webs *w, struct scop_stmt *a, struct scop_stmt *b, int depth)
{
    struct scop_stmt *first = web_find(w, a), *second = web_find(w, b);
    if (first->id > second->id) {
        struct scop_stmt *swap = first;
        first = second;
        second = swap;
    }
    if (w->depth[second->id] < depth)
        depth = w->depth[second->id];
    if (w->depth[first->id] > depth)
        w->depth[first->id] = depth;
    w->parent[second->id] = first;
}

static bool leaf_touches(const struct scop_stmt *stmt, const struct scop_array *scalar,
                         bool *reads, bool *writes)
{
    *reads = *writes = false;
    bool touches = false;
    for (size_t i = 0; i < stmt->accesses.count; i++) {
        const struct scop_access *access = &stmt->accesses.at[i];
        if (access->array != scalar)
            continue;
        touches = true;
        *reads |= !access->is_write;
        *writes |= access->is_write && !access->is_may;
    }
    return touches;
}

static bool node_touches(const struct scop_node *node, const struct scop_array *scalar)
{
    bool reads, writes, found = node->stmt && leaf_touches(node->stmt, scalar, &reads, &writes);
    for (int i = 0; i < node->n_children && !found; i++)
        found = node->children[i] && node_touches(node->children[i], scalar);
    return found;
}

/* Does the node read the scalar before a write? `defined`: whether the scalar has a value before
   the node; on return, behind the node. */
static bool is_exposed(const struct scop_node *node, const struct scop_array *scalar, bool *defined)
{
    if (!node)
        return false;
    if (node->kind == SCOP_LEAF) {
        bool reads, writes;
        bool found = leaf_touches(node->stmt, scalar, &reads, &writes);
        bool exposed = found && !*defined && reads;
        *defined |= writes;
        return exposed;
    }
    bool behind[2] = {*defined, *defined}, exposed = false;
    for (int i = 0; i < node->n_children; i++) {
        if (node->kind == SCOP_IF)
            exposed |= is_exposed(node->children[i], scalar, &behind[i]);
        else
            exposed |= is_exposed(node->children[i], scalar, defined);
    }
    if (node->kind == SCOP_IF)
        *defined = behind[0] && behind[1];
    if (node->kind == SCOP_LOOP)
        *defined = behind[0];
    return exposed;
}

/* Joins every statement below the node that touches the scalar to `first`. */
static void web_join(struct webs *w, const struct scop_node *node, struct scop_stmt **first,
                     int depth)
{
    bool reads, writes;
    if (!node)
        return;
    if (node->stmt && leaf_touches(node->stmt, w->scalar, &reads, &writes)) {
        *first = *first ? *first : node->stmt;
        join(w, *first, node->stmt, depth);
    }
    for (int i = 0; i < node->n_children; i++)
        web_join(w, node->children[i], first, depth);
}

static void webs_of_node(struct webs *w, const struct scop_node *node, int depth);
static void webs_of_block(struct webs *w, const struct scop_node *block, int depth);

/* The web of children [begin, end) of a block. */
static void web_of(struct webs *w, const struct scop_node *block, int begin, int end, int depth)
{
    int n = 0;
    const struct scop_node *only = NULL;
    for (int i = begin; i < end; i++)
        if (node_touches(block->children[i], w->scalar)) {
            only = block->children[i];
            n++;
        }
    bool defined = false;
    struct scop_stmt *first = NULL;
    if (n == 1 && only->kind != SCOP_LEAF && !is_exposed(only, w->scalar, &defined)) {
        webs_of_node(w, only, depth);
        return;
    }
    for (int i = begin; i < end; i++)
        web_join(w, block->children[i], &first, depth);
}

static void webs_of_node(struct webs *w, const struct scop_node *node, int depth)
{
    if (node->kind == SCOP_LOOP)
        depth++;
    if (node->kind != SCOP_BLOCK) {
        for (int i = 0; i < node->n_children; i++)
            if (node->children[i])
                web_of(w, node, i, i + 1, depth);
        return;
    }
    webs_of_block(w, node, depth);
}

/* Children of a block that share values of the scalar. `defines`: behind them it has a value of
   theirs. */
struct web {
    int begin, end;
    bool defines;
};

/* A child that reads no earlier value begins a web. Another child joins the webs from which the
   value may come: the preceding webs, back to the last web that surely sets the scalar. */
static void webs_of_block(struct webs *w, const struct scop_node *block, int depth)
{
    VEC(struct web) list = {0};
    for (int i = 0; i < block->n_children; i++) {
        bool defined = false;
        if (!node_touches(block->children[i], w->scalar))
            continue;
        bool exposed = is_exposed(block->children[i], w->scalar, &defined);
        if (!exposed || !list.count) {
            struct web web = {i, i + 1, defined};
            vec_push(w->scop->arena, &list, web);
            continue;
        }
        while (list.count > 1 && !vec_last(&list).defines)
            list.count--;
        vec_last(&list).end = i + 1;
        vec_last(&list).defines |= defined;
    }
    for (size_t i = 0; i < list.count; i++)
        web_of(w, block, list.at[i].begin, list.at[i].end, depth);
}

/* --- roles ------------------------------------------------------------------------------------ */

/* Outside loops and conditions, also in the place of a loop. */
static bool is_first(const struct scop_stmt *stmt)
{
    const struct scop_node *block = stmt->node->parent;
    while (block->parent && block->kind == SCOP_BLOCK && block->ast->is_made)
        block = block->parent;
    return stmt->depth == 0 && !block->parent;
}

bool stmt_is_level(const struct scop *scop, const struct scop_stmt *stmt)
{
    struct ast_walk walk;
    for (const struct scop_node *node = stmt->node; node; node = node->parent)
        if (node->kind == SCOP_IF)
            return false;
    for (const struct ast *n = ast_first(&walk, scop->arena, stmt->ast); n; n = ast_next(&walk))
        if (n->kind == AST_REF && is_named(scop, n->decl))
            return false;
    return true;
}

/* Is it the read of a scalar that is summed, or that the host computes from such? */
static bool access_is_of_sum(const struct scop_access *access)
{
    return !access->is_write && !access->reduction && !access->array->n_dims &&
           (access->array->is_summed || access->array->is_from_sum);
}

static bool reads_sum(const struct scop_stmt *stmt)
{
    for (size_t i = 0; i < stmt->accesses.count; i++)
        if (access_is_of_sum(&stmt->accesses.at[i]))
            return true;
    return false;
}

/* Does a statement in the loop set the scalar? */
static bool loop_sets(const struct scop *scop, const struct scop_loop *loop,
                      const struct scop_array *scalar)
{
    struct access_walk walk;
    for (const struct scop_access *access = access_first(&walk, scop, scalar); access;
         access = access_next(&walk))
        if (access->is_write && walk.stmt->depth > loop->depth &&
            walk.stmt->loops[loop->depth] == loop)
            return true;
    return false;
}

/* Does the statement make something of a sum, in loops of the host that have the sum in them? */
static bool is_behind_sum(const struct scop *scop, const struct scop_stmt *stmt)
{
    bool inside = !stmt->depth;
    for (size_t i = 0; i < stmt->accesses.count && !inside; i++)
        inside = access_is_of_sum(&stmt->accesses.at[i]) &&
                 loop_sets(scop, stmt->loops[stmt->depth - 1], stmt->accesses.at[i].array);
    return inside && reads_sum(stmt) && stmt_is_level(scop, stmt);
}

/* With scalars only, unless it sets what a search has found, and where the host may run it: outside
   loops and conditions, or in loops of the host behind a sum in these. */
static bool is_host_statement(const struct scop *scop, const struct scop_stmt *stmt)
{
    for (size_t i = 0; i < stmt->accesses.count; i++)
        if (stmt->accesses.at[i].array->n_dims && !stmt->sets_place)
            return false;
    return is_first(stmt) || is_behind_sum(scop, stmt);
}

/* Does host code compute the scalar: by statements that read only what it computes too? */
static bool is_computed_by_host(const struct scop *scop, const struct scop_array *scalar)
{
    bool reads, writes;
    for (size_t i = 0; i < scop->stmts.count; i++) {
        const struct scop_stmt *stmt = scop->stmts.at[i];
        if (!leaf_touches(stmt, scalar, &reads, &writes) || !writes)
            continue;
        if (!is_host_statement(scop, stmt))
            return false;
        for (size_t k = 0; k < stmt->accesses.count; k++) {
            const struct scop_array *array = stmt->accesses.at[k].array;
            if (!array->is_host && !array->is_summed && !(array->n_dims && stmt->sets_place))
                return false;
        }
    }
    return true;
}

/* Finds the scalars that are set to what sums, or such scalars, are read for. */
static void sums_follow(struct scop *scop)
{
    bool changed = true, reads, writes;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < scop->arrays.count; i++) {
            struct scop_array *array = scop->arrays.at[i];
            for (size_t k = 0; k < scop->stmts.count; k++) {
                const struct scop_stmt *stmt = scop->stmts.at[k];
                if (array->n_dims || array->is_from_sum || array->is_summed ||
                    !leaf_touches(stmt, array, &reads, &writes) || !writes || !reads_sum(stmt))
                    continue;
                array->is_from_sum = changed = true;
            }
        }
    }
}

/* Does a statement in loops perhaps write the scalar? */
static bool is_unsure_in_loops(const struct scop *scop, const struct scop_array *scalar)
{
    struct access_walk walk;
    for (const struct scop_access *access = access_first(&walk, scop, scalar); access;
         access = access_next(&walk))
        if (access->is_may && !is_first(walk.stmt))
            return true;
    return false;
}

/* Assumes that the host computes all scalars, then takes out scalars that the host cannot compute,
   and scalars computed from these, until nothing changes. */
static void host_scalars_find(struct scop *scop)
{
    bool changed = true;
    sums_follow(scop);
    for (size_t i = 0; i < scop->arrays.count; i++) {
        struct scop_array *array = scop->arrays.at[i];
        array->is_host = !array->n_dims && !array->is_summed && !is_unsure_in_loops(scop, array);
    }
    while (changed) {
        changed = false;
        for (size_t i = 0; i < scop->arrays.count; i++) {
            struct scop_array *array = scop->arrays.at[i];
            if (!array->is_host || is_computed_by_host(scop, array))
                continue;
            array->is_host = false;
            changed = true;
        }
    }
}

/* A mention of a scalar outside the fragment; NULL if there is none. */
static const struct ast *mention_outside(const struct scop *scop, const struct ast *decl)
{
    const struct fragment *f = scop->fragment;
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, scop->arena, f->body); n; n = ast_next(&walk))
        if (n->kind == AST_REF && n->decl == decl && (n->begin < f->begin || n->begin >= f->end))
            return n;
    return NULL;
}

/* May the fragment run again with the values that it leaves: in a loop, or behind a label? */
static bool runs_again(const struct scop *scop)
{
    const struct fragment *f = scop->fragment;
    const struct ast *first = f->statements[0], *last = f->statements[f->n_statements - 1];
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, scop->arena, f->body); n; n = ast_next(&walk)) {
        bool loop = n->kind == AST_FOR || n->kind == AST_WHILE || n->kind == AST_DO;
        bool around = n != first && n->begin <= first->begin && last->end <= n->end;
        if ((loop && around) || n->kind == AST_LABEL)
            return true;
    }
    return false;
}

/* A scalar that carries values is renamed: it is an array from the fragment's beginning to its
   end. */
static bool check_carried(struct scop *scop, const struct scop_array *scalar, bool inside)
{
    struct access_walk walk;
    for (const struct scop_access *access = access_first(&walk, scop, scalar); access;
         access = access_next(&walk))
        if (inside)
            return scop_refuse(scop, REFUSE_SCALAR_LIVE, access->ast->loc, scalar->name);
    return true;
}

/* Does the outermost loop around a statement hold further loops? */
static bool has_nest(const struct scop *scop, const struct scop_stmt *stmt)
{
    for (size_t i = 0; i < scop->stmts.count; i++) {
        const struct scop_stmt *other = scop->stmts.at[i];
        if (stmt->depth > 0 && other->depth > 1 && other->loops[0] == stmt->loops[0])
            return true;
    }
    return false;
}

/* Would a web of the scalar hold a whole nest of loops in one thread, as it begins outside all
   loops? Then it had better be an array. */
static bool spans_nests(struct webs *w, const struct scop_array *scalar)
{
    struct webs trial = *w;
    bool reads, writes, spans = false;
    if (map_get_pointer(w->scop->is_declared, scalar->decl))
        return false;
    trial.scalar = scalar;
    trial.parent = ARENA_ARRAY(w->scop->arena, struct scop_stmt *, STATEMENTS_MAX);
    trial.depth = ARENA_ARRAY(w->scop->arena, int, STATEMENTS_MAX);
    webs_begin(&trial);
    webs_of_node(&trial, w->scop->root, 0);
    for (size_t i = 0; i < w->scop->stmts.count; i++) {
        struct scop_stmt *stmt = w->scop->stmts.at[i];
        spans |= leaf_touches(stmt, scalar, &reads, &writes) && has_nest(w->scop, stmt) &&
                 trial.depth[web_find(&trial, stmt)->id] == 0;
    }
    return spans;
}

static bool scalar_decide(struct scop *scop, struct webs *w, struct scop_array *scalar)
{
    const struct ast *decl = scalar->decl;
    bool defined = false;
    bool inside = map_get_pointer(scop->is_declared, decl) != NULL;
    if (scalar->is_host || scalar->is_summed)
        return true;
    bool exposed = is_exposed(scop->root, scalar, &defined);
    scalar->is_live_out = !inside && (decl->is_global || decl->is_static ||
                                      (mention_outside(scop, decl) &&
                                       variable_is_read_behind(scop, decl)) ||
                                      (exposed && runs_again(scop)));
    scalar->is_live_in = exposed || (scalar->is_live_out && !defined);
    bool shared = !inside && !transformation_is_on(scop->ctx, TRANSFORMATION_PRIVATISATION);
    if (scalar->is_live_out || exposed || shared || spans_nests(w, scalar)) {
        scalar->is_carried = true;
        return check_carried(scop, scalar, inside);
    }
    scalar->is_private = true;
    w->scalar = scalar;
    webs_of_node(w, scop->root, 0);
    return true;
}

/* The one statement of a unit that computes scalars of the host, or sets a sum otherwise than by
   threads. */
static bool is_host_unit(const struct scop *scop, const struct scop_stmt *stmt)
{
    if (stmt->sets_place)
        return true;
    for (size_t i = 0; i < stmt->accesses.count; i++) {
        const struct scop_access *access = &stmt->accesses.at[i];
        bool is_sum = access->array->is_summed && !access->array->n_dims;
        bool is_alone = !access->reduction || is_first(stmt) || is_behind_sum(scop, stmt);
        if (access->is_write && (access->array->is_host || (is_sum && is_alone)))
            return true;
    }
    return false;
}

static void unit_add(struct scop *scop, const struct webs *w, struct scop_stmt *stmt)
{
    struct scop_stmt *first = web_find(w, stmt);
    if (first == stmt) {
        struct scop_unit *unit = ARENA_NEW(scop->arena, struct scop_unit);
        unit->id = stmt->id;
        unit->depth = w->depth[stmt->id];
        memcpy(unit->loops, stmt->loops, sizeof unit->loops);
        unit->is_host = is_host_unit(scop, stmt);
        stmt->unit = unit;
        vec_push(scop->arena, &scop->units, unit);
    }
    stmt->unit = first->unit;
    vec_push(scop->arena, &stmt->unit->stmts, stmt);
}

bool scop_units(struct scop *scop)
{
    struct webs w = {scop, NULL, ARENA_ARRAY(scop->arena, struct scop_stmt *, STATEMENTS_MAX),
                     ARENA_ARRAY(scop->arena, int, STATEMENTS_MAX)};
    webs_begin(&w);
    host_scalars_find(scop);
    for (size_t i = 0; i < scop->arrays.count; i++) {
        struct scop_array *array = scop->arrays.at[i];
        if (!array->n_dims && array->is_written && !scalar_decide(scop, &w, array))
            return false;
    }
    for (size_t i = 0; i < scop->stmts.count; i++)
        unit_add(scop, &w, scop->stmts.at[i]);
    return true;
}

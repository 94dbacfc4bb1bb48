/* Conditions of a thread, in place of the loops that it runs one iteration of.

   In: the nodes of a fragment and the region that is printed. Out: what a loop is in a thread, and
   the conditions that all statements below a node share. These are made of iterators and of values
   that the fragment does not change, so that they hold before a node where they hold in it, unless
   they speak of an iterator of a loop in between; and as they are affine, they have a value also
   where the source would not ask for it. */
#include "frontend/ask.h"
#include "frontend/writes.h"
#include "mapper/plan/box.h"
#include "mapper/print/print.h"
#include <string.h>

const struct scop_stmt *any_stmt(const struct plan_text *t, const struct scop_node *node)
{
    if (!node)
        return NULL;
    if (node->stmt)
        return stmt_member(t, node->stmt) ? node->stmt : NULL;
    const struct scop_stmt *found = NULL;
    for (int i = 0; i < node->n_children && !found; i++)
        found = any_stmt(t, node->children[i]);
    return found;
}

/* The axis that the loop is; -1: a loop of the threads. */
static int axis_of(const struct plan_text *t, const struct scop_node *node)
{
    const struct scop_stmt *stmt = any_stmt(t, node);
    const struct plan_member *member = stmt ? stmt_member(t, stmt) : NULL;
    if (!member)
        return -1;
    for (int axis = 0; axis < t->region->n_axes; axis++)
        if (member->axes[axis] == node->loop->depth)
            return axis;
    return -1;
}

/* Does the host's common loop run the loop? */
static bool host_runs_loop(const struct plan_text *t, const struct scop_node *node)
{
    const struct scop_stmt *stmt = any_stmt(t, node);
    const struct plan_member *member = stmt ? stmt_member(t, stmt) : NULL;
    return member && t->region->common && member->common == node->loop->depth;
}

/* Are they one condition, as far as their trees say? */
bool guard_equal(struct plan_text *t, const struct guard *a, const struct guard *b)
{
    if (a->condition && b->condition)
        return a->is_negated == b->is_negated &&
               expressions_agree(t, a->inner, a->condition, b->inner, b->condition);
    return !a->condition && !b->condition && a->axis == b->axis && a->is_exact && b->is_exact &&
           affine_equal(&a->form, &b->form);
}

static bool is_among_given(struct plan_text *t, const guard_list *list,
                           const struct guard *guard)
{
    for (size_t i = 0; i < list->count; i++)
        if (guard_equal(t, &list->at[i], guard))
            return true;
    return false;
}

bool guard_is_given(struct plan_text *t, const struct guard *guard)
{
    return is_among_given(t, &t->given, guard);
}

/* Adds the condition that an iterator of that name is within the bound. Of an axis the box may have
   the same bound; below a common loop, and on a diagonal, it may also imply another. */
static void bound_guard_add(struct plan_text *t, const struct scop_loop *loop, const char *name,
                            const struct plan_axis *axis, const struct affine *bound, bool upper,
                            struct fixed_loop *fixed)
{
    struct affine rest = affine_iterator(loop);
    if (axis && affine_equal(bound, upper ? &axis->upper : &axis->lower))
        return;
    rest.terms[0].factor = upper ? -1 : 1;
    bool good = affine_add(&rest, bound, upper ? 1 : -1);
    bool asks = t->region->common || (axis && t->region->diagonal);
    if (good && asks && region_implies(t->scop, t->depth, t->region, t->part, &rest))
        return;
    struct guard guard = {.text = limit_text(t, name, bound, upper), .axis = NO_AXIS,
                          .loops = rest, .form = rest};
    guard.is_exact = good && form_unify(t, &guard.form);
    if (!is_among_given(t, &t->given, &guard))
        vec_push(t->arena, &fixed->guards, guard);
}

struct fixed_loop fixed_loop_of(struct plan_text *t, const struct scop_node *node)
{
    struct fixed_loop fixed = {.is_fixed = true};
    const struct plan_axis *axis = NULL;
    const char *name = node->loop->name;
    int number = axis_of(t, node);
    if (number >= 0) {
        axis = &t->region->axes[number];
        name = axis->name;
    } else if (host_runs_loop(t, node)) {
        name = t->region->common->name;
    } else if (t->scop->split && loop_is_point(node->loop)) {
        return fixed;
    } else {
        fixed.is_fixed = node->loop == t->region->follows;
    }
    if (!fixed.is_fixed)
        return fixed;
    bool up = node->loop->step > 0;
    bound_guard_add(t, node->loop, name, axis, &node->loop->start, !up, &fixed);
    for (int i = 0; i < node->loop->n_limits; i++)
        bound_guard_add(t, node->loop, name, axis, &node->loop->limits[i], up, &fixed);
    return fixed;
}

/* --- shared conditions ------------------------------------------------------------------------ */

/* Does the condition name the loop's iterator, or a value that the loop declares? */
static bool speaks_of(const struct plan_text *t, const struct guard *guard,
                      const struct scop_loop *loop)
{
    struct ast_walk walk;
    const struct ast *condition = guard->condition;
    if (!condition)
        return guard->axis == NO_AXIS &&
               (!guard->is_exact || affine_factor(&guard->loops, loop->symbol) != 0);
    for (const struct ast *n = ast_first(&walk, t->arena, condition); n; n = ast_next(&walk))
        if (n->kind == AST_REF && (n->decl == loop->iterator || ast_declares(loop->ast, n->decl)))
            return true;
    return false;
}

static bool counts_loop(const struct plan_text *t, const struct ast *decl)
{
    for (size_t i = 0; i < t->scop->loops.count; i++)
        if (t->scop->loops.at[i]->iterator == decl)
            return true;
    return false;
}

/* Does the condition name a variable that has its value from the loop's body alone? */
static bool names_value_of(const struct plan_text *t, const struct guard *guard,
                           const struct scop_loop *loop)
{
    struct ast_walk walk;
    if (!guard->condition)
        return false;
    for (const struct ast *n = ast_first(&walk, t->arena, guard->condition); n;
         n = ast_next(&walk))
        if (n->kind == AST_REF && !counts_loop(t, n->decl) &&
            (ast_declares(loop->ast, n->decl) || ast_writes(loop->ast, n->decl)))
            return true;
    return false;
}

static void guard_append(struct plan_text *t, guard_list *list, const struct guard *guard)
{
    if (!is_among_given(t, &t->given, guard) && !is_among_given(t, list, guard))
        vec_push(t->arena, list, *guard);
}

struct guard if_guard(struct plan_text *t, const struct scop_node *node)
{
    const struct ast *condition = node->ast->children[0];
    struct guard guard = {.axis = NO_AXIS, .condition = condition, .inner = loop_around(node)};
    guard.text = source_text(t, guard.inner, condition);
    guard.is_negated = !any_stmt(t, node->children[0]);
    if (guard.is_negated)
        guard.text = arena_printf(t->arena, "!(%s)", guard.text);
    return guard;
}

static bool loop_guards(struct plan_text *t, const struct scop_node *node, guard_list *list)
{
    guard_list inner = {0};
    struct fixed_loop fixed = {0};
    if (!node_guards(t, node->children[0], &inner))
        return false;
    if (node->loop->depth >= t->depth) {
        fixed = fixed_loop_of(t, node);
        for (size_t i = 0; i < fixed.guards.count; i++)
            guard_append(t, list, &fixed.guards.at[i]);
    }
    bool is_free = node->loop->depth < t->depth || fixed.is_fixed;
    for (size_t i = 0; i < inner.count; i++)
        if (is_free ? !names_value_of(t, &inner.at[i], node->loop)
                    : !speaks_of(t, &inner.at[i], node->loop))
            guard_append(t, list, &inner.at[i]);
    return true;
}

void guards_meet(struct plan_text *t, guard_list *list, const guard_list *other)
{
    guard_list both = {0};
    for (size_t i = 0; i < list->count; i++)
        if (is_among_given(t, other, &list->at[i]))
            vec_push(t->arena, &both, list->at[i]);
    *list = both;
}

void point_guards(struct plan_text *t, const struct scop_node *node, guard_list *list)
{
    const struct plan_member *member = stmt_member(t, node->stmt);
    if (!member)
        return;
    for (int axis = 0; axis < t->region->n_axes; axis++) {
        if (member->axes[axis] != AT_POINT)
            continue;
        struct guard guard = {.axis = axis, .form = member->points[axis], .is_exact = true};
        guard.text = arena_printf(t->arena, "%s == %s", t->region->axes[axis].name,
                                  sum_text(t, &member->points[axis], 0));
        guard_append(t, list, &guard);
    }
}

bool node_guards(struct plan_text *t, const struct scop_node *node, guard_list *list)
{
    bool found = false;
    if (!any_stmt(t, node))
        return false;
    if (t->part == PART_ALL && region_parts(t->region) > 1)
        return true;
    if (node->kind == SCOP_LEAF) {
        point_guards(t, node, list);
        return true;
    }
    if (node->kind == SCOP_LOOP)
        return loop_guards(t, node, list);
    for (int i = 0; i < node->n_children; i++) {
        guard_list own = {0};
        if (!node->children[i] || !node_guards(t, node->children[i], &own))
            continue;
        if (found)
            guards_meet(t, list, &own);
        else
            *list = own;
        found = true;
    }
    bool one = node->kind == SCOP_IF &&
               !(any_stmt(t, node->children[0]) && any_stmt(t, node->children[1]));
    if (one) {
        struct guard guard = if_guard(t, node);
        guard_append(t, list, &guard);
    }
    return found;
}

const char *guards_text(struct plan_text *t, const guard_list *list, bool is_part)
{
    struct str out = str_new(t->arena);
    for (size_t i = 0; i < list->count; i++) {
        const struct ast *condition = list->at[i].condition;
        bool chooses = condition && (condition->kind == AST_CONDITIONAL ||
                                     (condition->kind == AST_BINARY &&
                                      condition->op == AST_OP_LOR));
        bool braces = chooses && (is_part || list->count > 1) && !list->at[i].is_negated;
        str_addf(&out, braces ? "%s(%s)" : "%s%s", i ? " && " : "", list->at[i].text);
    }
    return out.text;
}

size_t guards_give(struct plan_text *t, const guard_list *list)
{
    size_t before = t->given.count;
    for (size_t i = 0; i < list->count; i++)
        vec_push(t->arena, &t->given, list->at[i]);
    return before;
}

/* The text of sums, limits and pieces of the source, iterators under the names of their axes.

   In: nodes of the source and the printed region. Out: the source's text with new names: an
   iterator becomes the axis's name or the iterator's value in the region, a scalar or array in
   memory of the printed text becomes an element of this memory. */
#include "frontend/text.h"
#include "mapper/plan/box.h"
#include "mapper/plan/change.h"
#include "mapper/print/print.h"
#include "mapper/scop/extract.h"
#include "mapper/scop/range.h"
#include "mapper/scop/values.h"
#include <string.h>

/* Rounds of a loop that may be run in vain, to know their number. */
enum { ROUNDS_MAX = 4096 };

void line_begin(struct plan_text *t, int indent)
{
    str_indent(t->out, indent);
}

/* Parts of a nest have no iterator of a loop with one iteration: its value stands in its place. */
static void points_put(const struct scop *scop, struct affine *sum)
{
    for (int i = 0; i < sum->n_terms; i++) {
        const struct affine_term term = sum->terms[i];
        const struct scop_loop *loop = scop->symbols.at[term.symbol].loop;
        if (!loop || !loop_is_point(loop))
            continue;
        struct affine iterator = affine_iterator(loop);
        affine_add(sum, &iterator, -term.factor);
        affine_add(sum, &loop->start, term.factor);
        i = -1;
    }
}

const char *sum_text(struct plan_text *t, const struct affine *a, int64_t plus)
{
    struct affine sum = *a, constant = affine_constant(plus);
    affine_add(&sum, &constant, 1);
    if (t->scop->split)
        points_put(t->scop, &sum);
    return affine_text(t->scop, &sum);
}

const char *limit_text(struct plan_text *t, const char *name, const struct affine *limit,
                       bool upper)
{
    int64_t rest = affine_rest(t->scop, limit);
    bool strict = upper ? rest < 0 : rest > 0;
    const char *relation = upper ? (strict ? "<" : "<=") : (strict ? ">" : ">=");
    return arena_printf(t->arena, "%s %s %s", name, relation,
                        sum_text(t, limit, strict ? (upper ? 1 : -1) : 0));
}

/* --- the source's text ------------------------------------------------------------------------ */

const struct scop_memory *memory_meant(const struct plan_text *t, const struct ast *name)
{
    return t->scop->moved ? map_get_pointer(t->scop->moved, name) : NULL;
}

const struct ast *element_meant(const struct plan_text *t, const struct ast *name)
{
    const struct ast *element = t->scop->in_place ? map_get_pointer(t->scop->in_place, name) : NULL;
    return element ? element : name;
}

const struct scop_loop *loop_counting(const struct scop_loop *inner, const struct ast *decl)
{
    while (inner && inner->iterator != decl)
        inner = inner->outer;
    return inner;
}

int loop_role(const struct plan_text *t, const struct scop_loop *loop)
{
    for (size_t i = 0; i < t->region->members.count; i++) {
        const struct plan_member *member = &t->region->members.at[i];
        if (!member_is_in(member, t->part))
            continue;
        if (t->region->common && member->unit->loops[member->common] == loop)
            return ROLE_COMMON;
        for (int axis = 0; axis < t->region->n_axes; axis++)
            if (member_loop(member, axis) == loop)
                return axis;
    }
    return ROLE_NONE;
}

bool form_unify(const struct plan_text *t, struct affine *form)
{
    if (t->scop->split)
        points_put(t->scop, form);
    return region_unify(t->region, t->part, form);
}

/* The name of the axis, or of the host's loop, that runs a loop of the region; NULL: none does. */
static const char *role_name(const struct plan_text *t, const struct scop_loop *loop)
{
    int role = loop_role(t, loop);
    return role == ROLE_COMMON ? t->region->common->name
           : role == ROLE_NONE ? NULL
                               : t->region->axes[role].name;
}

/* Has a form's text the type of signed numbers of that class? A number alone is an `int`. */
static bool has_class(const struct scop *scop, const struct affine *form, enum ast_class class)
{
    bool good = form->n_terms > 0 || class == AST_TYPE_I32;
    for (int i = 0; i < form->n_terms; i++)
        good &= scop->symbols.at[form->terms[i].symbol].class == class;
    return good;
}

/* "(k + 1)", "k", "0", "0L", "(long)k": the only value of an iterator, of the iterator's type. */
static const char *point_text(struct plan_text *t, const struct scop_loop *loop)
{
    struct affine value = loop->start;
    points_put(t->scop, &value);
    enum ast_class class = loop->iterator->type->class == AST_TYPE_I64 ? AST_TYPE_I64
                                                                       : AST_TYPE_I32;
    const char *text = sum_text(t, &value, 0);
    bool plain = value.n_terms == 1 && affine_is_name(t->scop, &value);
    if (!value.n_terms && !value.n_names && value.constant >= 0)
        return class == AST_TYPE_I64 ? arena_printf(t->arena, "%sL", text) : text;
    text = plain ? text : arena_printf(t->arena, "(%s)", text);
    return has_class(t->scop, &value, class)
               ? text
               : arena_printf(t->arena, "(%s)%s", class == AST_TYPE_I64 ? "long" : "int", text);
}

/* The text in place of a name: an element or another name for a scalar, an axis's new name, or a
   value; NULL: the name itself. */
static const char *new_name(struct plan_text *t, const struct scop_loop *inner,
                            const struct ast *ref)
{
    const struct ast *element = element_meant(t, ref);
    if (element != ref)
        return source_text(t, inner, element);
    const struct scop_memory *memory = memory_meant(t, ref);
    if (memory)
        return memory_text(t->scop, memory);
    const char *given = map_get_pointer(t->carried, ref->decl);
    if (!given && t->region)
        given = map_get_pointer(t->privates, ref->decl);
    if (given)
        return given;
    const struct scop_loop *loop = t->region ? loop_counting(inner, ref->decl) : NULL;
    if (!loop)
        return NULL;
    if (t->scop->split && loop_is_point(loop))
        return point_text(t, loop);
    const char *name = role_name(t, loop);
    return name && strcmp(name, loop->name) != 0 ? name : NULL;
}

const char *source_text(struct plan_text *t, const struct scop_loop *inner, const struct ast *ast)
{
    struct map *names = map_new(t->arena);
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, t->arena, ast); n; n = ast_next(&walk)) {
        const int *chosen = map_get_pointer(t->scop->chosen, n);
        const char *name = chosen ? t->scop->symbols.at[*chosen].text
                           : n->kind == AST_REF && n->decl ? new_name(t, inner, n)
                                                           : NULL;
        if (name)
            map_put_pointer(names, n, (void *)name);
    }
    struct ast_writer writer = {t->arena, t->scop->unit->source, names};
    const char *text = ast_text(&writer, ast);
    if (!text)
        diag_error(t->scop->ctx, ast->loc,
                   "a macro stands for something here that cannot be printed under other names; "
                   "write it out");
    return text ? text : "";
}

/* Is the loop one of the source's, and none that was made of several? */
static bool is_written(const struct scop *scop, const struct scop_loop *loop)
{
    for (size_t i = 0; i < scop->loops.count; i++)
        if (scop->loops.at[i] == loop)
            return true;
    return false;
}

/* "1 + (i + 1) % 2" */
static const char *phased_text(struct plan_text *t, const struct scop_loop *loop)
{
    const char *start = sum_text(t, &loop->start, 0);
    int64_t step = loop->step;
    bool from_zero = !loop->start.n_terms && !loop->start.constant;
    return arena_printf(t->arena, "%s%s(%s) %% %lld", from_zero ? "" : start,
                        from_zero ? "" : " + ", sum_text(t, &loop->phase, 0), (long long)step);
}

/* "i++", "i--", "i += 8" */
static const char *step_text(struct plan_text *t, const struct scop_loop *loop)
{
    if (loop->step == 1 || loop->step == -1)
        return arena_printf(t->arena, "%s%s", loop->name, loop->step > 0 ? "++" : "--");
    return arena_printf(t->arena, "%s += %lld", loop->name, (long long)loop->step);
}

/* Does a part of a loop's header mention a name for a value? Where the loop stands it may be
   declared nowhere. */
static bool names_value(const struct plan_text *t, const struct ast *part)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, t->arena, part); n; n = ast_next(&walk))
        if (n->kind == AST_REF && n->decl && is_named(t->scop, n->decl))
            return true;
    return false;
}

/* Where the loop begins, in the source's words if they can stand there. */
static const char *first_value_text(struct plan_text *t, const struct scop_loop *loop)
{
    const struct ast *value = NULL;
    if (is_written(t->scop, loop))
        header_iterator(header_own(loop->ast, 0), &value);
    return value && !names_value(t, value) ? source_text(t, loop->outer, value)
                                           : sum_text(t, &loop->start, 0);
}

const char *bounded_text(struct plan_text *t, const struct scop_loop *loop, const char **rest)
{
    const struct affine *limit = NULL;
    struct str others = str_new(t->arena);
    bool written = is_written(t->scop, loop);
    if ((written && (!loop->ast->children[2] || loop->is_masked)) || loop->step < 0)
        return NULL;
    for (int i = 0; i < loop->n_limits; i++) {
        struct affine rounds = loop->limits[i];
        bool few = !limit && affine_add(&rounds, &loop->start, -1) && !rounds.n_terms &&
                   rounds.constant < ROUNDS_MAX;
        limit = few ? &loop->limits[i] : limit;
        if (!few)
            str_addf(&others, "%s%s", others.length ? " && " : "",
                     limit_text(t, loop->name, &loop->limits[i], true));
    }
    if (!limit || !others.length)
        return NULL;
    *rest = others.text;
    return arena_printf(t->arena, "for (%s %s = %s; %s; %s)", loop->type, loop->name,
                        first_value_text(t, loop), limit_text(t, loop->name, limit, true),
                        written ? source_text(t, loop, header_own(loop->ast, 2))
                                : step_text(t, loop));
}

static const char *limits_text(struct plan_text *t, const struct scop_loop *loop)
{
    struct str all = str_new(t->arena);
    for (int i = 0; i < loop->n_limits; i++)
        str_addf(&all, "%s%s", i ? " && " : "",
                 limit_text(t, loop->name, &loop->limits[i], loop->step > 0));
    return all.text;
}

/* The header of a loop, close to the source's, with the iterator's declaration. */
const char *header_text(struct plan_text *t, const struct scop_loop *loop)
{
    const struct ast *const *parts = loop->ast->children;
    bool written = is_written(t->scop, loop);
    bool counts = (loop->is_last && !class_is_unsigned(loop->iterator->type->class)) ||
                  (loop->is_ahead && loop->n_limits == 1 && loop->step == 1);
    bool shifts = loop->is_shifted || loop->is_ahead || (written && names_value(t, parts[1]));
    if (!written || counts)
        return arena_printf(t->arena, "for (%s %s = %s; %s; %s)", loop->type, loop->name,
                            sum_text(t, &loop->start, 0), limits_text(t, loop),
                            step_text(t, loop));
    const char *start = loop->is_masked ? phased_text(t, loop) : first_value_text(t, loop);
    if (shifts)
        return arena_printf(t->arena, "for (%s %s = %s; %s; %s)", loop->type, loop->name, start,
                            limits_text(t, loop), source_text(t, loop, header_own(loop->ast, 2)));
    return arena_printf(t->arena, parts[2] ? "for (%s %s = %s; %s; %s)" : "for (%s %s = %s; %s;)",
                        loop->type, loop->name, start,
                        source_text(t, loop, parts[1]),
                        parts[2] ? source_text(t, loop, header_own(loop->ast, 2)) : "");
}

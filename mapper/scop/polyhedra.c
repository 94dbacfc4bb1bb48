/* A fragment's instances and what they touch, in isl.

   In: loops, conditions and subscripts as affine forms. Out: a set of instances for each statement
   and a relation from instances to elements for each access. Sizes may have any value: what is
   independent is so for all of them. */
#include "frontend/ask.h"
#include "mapper/scop/choices.h"
#include "mapper/scop/claim.h"
#include "mapper/scop/flat.h"
#include "mapper/scop/limit.h"
#include "mapper/scop/range.h"
#include "mapper/scop/sets.h"
#include "polyhedra/context.h"
#include <isl/aff.h>
#include <isl/space.h>
#include <isl/val.h>
#include <string.h>

static void clean_space(void *object)
{
    isl_space_free(object);
}

static void clean_set(void *object)
{
    isl_set_free(object);
}

static void clean_map(void *object)
{
    isl_map_free(object);
}

isl_set *scop_keep_set(struct scop *scop, __isl_take isl_set *set)
{
    if (set)
        arena_on_free(scop->arena, clean_set, set);
    return set;
}

isl_map *scop_keep_map(struct scop *scop, __isl_take isl_map *map)
{
    if (map)
        arena_on_free(scop->arena, clean_map, map);
    return map;
}

static void isl_begin(struct scop *scop)
{
    scop->isl = polyhedra_context(scop->arena);
    scop_limit_begin(scop);
    scop->params = isl_space_params_alloc(scop->isl, (unsigned)scop->n_params);
    for (size_t i = 0; i < scop->symbols.count; i++) {
        const struct affine_symbol *symbol = &scop->symbols.at[i];
        if (symbol->param >= 0 && symbol->decl)
            scop->params = isl_space_set_dim_name(scop->params, isl_dim_param,
                                                  (unsigned)symbol->param, symbol->text);
    }
    arena_on_free(scop->arena, clean_space, scop->params);
}

/* start <= i <= limits, or the other way round, and i is a step of the loop. */
static __isl_give isl_set *loop_restrict(const struct scop *scop, struct scop_place at,
                                         const struct scop_loop *loop, __isl_take isl_set *set)
{
    struct affine iterator = affine_iterator(loop);
    for (int i = -1; i < loop->n_limits; i++) {
        const struct affine *bound = i < 0 ? &loop->start : &loop->limits[i];
        isl_aff *left = affine_isl(scop, at, &iterator);
        isl_aff *right = affine_isl(scop, at, bound);
        bool least = (i < 0) == (loop->step > 0);
        set = isl_set_intersect(set, least ? isl_aff_ge_set(left, right)
                                           : isl_aff_le_set(left, right));
    }
    int64_t step = loop->step < 0 ? -loop->step : loop->step;
    if (step == 1)
        return set;
    isl_aff *distance = isl_aff_sub(affine_isl(scop, at, &iterator),
                                    affine_isl(scop, at, &loop->start));
    distance = isl_aff_sub(distance, affine_isl(scop, at, &loop->phase));
    distance = isl_aff_mod_val(distance, isl_val_int_from_si(scop->isl, (long)step));
    return isl_set_intersect(set, isl_set_from_basic_set(isl_aff_zero_basic_set(distance)));
}

/* Loops around a node. */
static int depth_of(const struct scop_node *node)
{
    int depth = 0;
    for (node = node->parent; node; node = node->parent)
        depth += node->kind == SCOP_LOOP;
    return depth;
}

static __isl_give isl_set *conditions_restrict(struct scop *scop, const struct scop_stmt *stmt,
                                               __isl_take isl_set *set)
{
    for (const struct scop_node *at = stmt->node; at->parent; at = at->parent) {
        const struct scop_node *outer = at->parent;
        if (outer->kind != SCOP_IF)
            continue;
        int depth = depth_of(outer);
        isl_set *holds = condition_set(scop, place_below(stmt->loops, depth),
                                       outer->ast->children[0]);
        if (outer->children[1] == at)
            holds = isl_set_complement(holds);
        holds = isl_set_add_dims(holds, isl_dim_set, (unsigned)(stmt->depth - depth));
        set = isl_set_intersect(set, holds);
    }
    return set;
}

/* Where a parameter is the quotient that it stands for: c * q <= e < c * q + c for e >= 0, and the
   other way round below. */
static __isl_give isl_set *quotient_set(const struct scop *scop, struct scop_place at, int number)
{
    const struct affine_symbol *symbol = &scop->symbols.at[number];
    struct affine rest = *symbol->dividend, quotient = {.n_terms = 1, .terms = {{number, 1}}};
    struct affine zero = affine_constant(0);
    isl_set *sides[2];
    affine_add(&rest, &quotient, -symbol->divisor);
    for (int side = 0; side < 2; side++) {
        int64_t sign = side ? -1 : 1;
        struct affine part = affine_constant(0), whole = part;
        struct affine most = affine_constant(symbol->divisor - 1);
        affine_add(&part, &rest, sign);
        affine_add(&whole, symbol->dividend, sign);
        isl_set *low = isl_aff_ge_set(affine_isl(scop, at, &part), affine_isl(scop, at, &zero));
        isl_set *high = isl_aff_le_set(affine_isl(scop, at, &part), affine_isl(scop, at, &most));
        isl_set *own = isl_aff_ge_set(affine_isl(scop, at, &whole), affine_isl(scop, at, &zero));
        sides[side] = isl_set_intersect(isl_set_intersect(low, high), own);
    }
    return isl_set_union(sides[0], sides[1]);
}

__isl_give isl_set *loops_set(const struct scop *scop, struct scop_place at)
{
    isl_space *space = isl_space_copy(scop->params);
    isl_set *set = isl_set_universe(isl_space_add_unnamed_tuple_ui(space, (unsigned)at.depth));
    for (size_t i = 0; i < scop->symbols.count; i++) {
        const struct affine_symbol *symbol = &scop->symbols.at[i];
        struct affine own = {.n_terms = 1, .terms = {{(int)i, 1}}};
        if (symbol->param >= 0 && class_is_unsigned(symbol->class))
            set = isl_set_lower_bound_si(set, isl_dim_param, (unsigned)symbol->param, 0);
        if (symbol->value)
            set = isl_set_intersect(set, isl_aff_eq_set(affine_isl(scop, at, &own),
                                                        affine_isl(scop, at,
                                                                   symbol->value)));
    }
    for (int i = 0; i < at.depth; i++)
        set = loop_restrict(scop, at, at.loops[i], set);
    for (size_t i = 0; i < scop->symbols.count; i++)
        if (scop->symbols.at[i].dividend)
            set = isl_set_intersect(set, quotient_set(scop, at, (int)i));
    return isl_set_coalesce(set);
}

static __isl_give isl_set *domain_of(struct scop *scop, const struct scop_stmt *stmt)
{
    return conditions_restrict(scop, stmt, loops_set(scop, place_in(stmt)));
}

/* Instances of a statement, at which an access is looked at. */
struct instances {
    struct scop *scop;
    const struct scop_stmt *stmt;
    isl_set *domain;
};

/* Where the form is below 0 or not below the bound. */
static __isl_give isl_set *outside_of(const struct scop *scop, const struct scop_stmt *stmt,
                                      const struct affine *form, const struct affine *bound)
{
    struct affine zero = affine_constant(0);
    isl_set *low = isl_aff_lt_set(affine_isl(scop, place_in(stmt), form),
                                  affine_isl(scop, place_in(stmt), &zero));
    isl_set *high = isl_aff_ge_set(affine_isl(scop, place_in(stmt), form),
                                   affine_isl(scop, place_in(stmt), bound));
    return isl_set_union(low, high);
}

/* Is a digit within its pitch after some whole pitches came to it from the digit before? */
static bool digit_holds(const struct instances *in, struct scop_access *access, int i,
                        int64_t shift, bool claims)
{
    struct affine digit = access->subscripts[i], before = access->subscripts[i - 1];
    struct affine bound = flat_bound(access->array, i), one = affine_constant(1);
    const struct flat_blocks *blocks = &access->array->pitches[i - 1].blocks;
    if ((blocks->are_tested && shift) || !affine_add(&digit, &bound, shift) ||
        !affine_add(&before, &one, -shift))
        return false;
    isl_set *outside = outside_of(in->scop, in->stmt, &digit, &bound);
    bool holds = isl_set_is_disjoint(in->domain, outside) == isl_bool_true;
    if (!holds && claims)
        holds = scop_claim(in->scop, in->domain, outside);
    else
        isl_set_free(outside);
    if (holds) {
        access->subscripts[i] = digit;
        access->subscripts[i - 1] = before;
    }
    return holds;
}

/* Is the first digit, of an unsigned number, never below 0? */
static bool row_holds(const struct instances *in, const struct scop_access *access)
{
    struct affine zero = affine_constant(0);
    const struct affine *row = &access->subscripts[0];
    const struct scop_stmt *stmt = in->stmt;
    isl_set *below = isl_aff_lt_set(affine_isl(in->scop, place_in(stmt), row),
                                    affine_isl(in->scop, place_in(stmt), &zero));
    if (isl_set_is_disjoint(in->domain, below) != isl_bool_true)
        return scop_claim_place(in->scop, in->domain, below);
    isl_set_free(below);
    return true;
}

/* Are all digits of a flat access but the first within their pitches? Where nobody writes the array
   nothing need be claimed for it. */
static bool digits_hold(const struct instances *in, struct scop_access *access)
{
    const struct scop_array *array = access->array;
    enum ast_class class = access->sum->class;
    bool claims = array->is_written || !array->decl->type->is_restrict;
    for (int i = array->n_pitches; i > 0; i--)
        if (!digit_holds(in, access, i, 0, false) &&
            !digit_holds(in, access, i, 1, false) &&
            !digit_holds(in, access, i, -1, false) &&
            !digit_holds(in, access, i, 0, claims))
            return false;
    for (int i = 0; i < array->n_pitches; i++) {
        const struct flat_blocks *blocks = &array->pitches[i].blocks;
        if (blocks->are_tested && !claims)
            return false;
        if (blocks->are_tested)
            scop_claim_blocks(in->scop, blocks);
    }
    if (!class_is_unsigned(class))
        return true;
    return row_holds(in, access) &&
           (class != AST_TYPE_U32 || scop_claim_number(in->scop, access));
}

/* Has the element that a pointer leads to (places.c, helper.c) a number of at least 0? A pointer
   may lead before an array's name, into memory that a region does not copy. */
static bool place_holds(const struct instances *in, const struct scop_access *access)
{
    return !access->is_place || !access->is_affine[0] || row_holds(in, access);
}

/* May the form be below 0, by its signs, its parameters and the starts of the loops? */
static bool looks_negative(const struct scop *scop, const struct scop_stmt *stmt,
                           const struct affine *form)
{
    bool negative = form->constant < 0;
    for (int i = 0; i < form->n_terms; i++) {
        const struct affine_symbol *symbol = &scop->symbols.at[form->terms[i].symbol];
        negative |= form->terms[i].factor < 0 ||
                    (!symbol->loop && !class_is_unsigned(symbol->class));
    }
    for (int i = 0; i < stmt->depth; i++)
        negative |= stmt->loops[i]->start.constant < 0 || stmt->loops[i]->start.n_terms > 0;
    return negative;
}

/* The condition under which a part of an expression or of an `if` is evaluated; NULL: it always is.
   `is_not`: the part is evaluated if the condition does not hold. */
static const struct ast *condition_of_part(const struct ast *ast, int part, bool *is_not)
{
    bool chooses = ast->kind == AST_CONDITIONAL || ast->kind == AST_IF;
    bool connects = ast->kind == AST_BINARY && (ast->op == AST_OP_LAND || ast->op == AST_OP_LOR);
    *is_not = chooses ? part == 2 : ast->op == AST_OP_LOR;
    return part > 0 && (chooses || connects) ? ast->children[0] : NULL;
}

/* Removes the instances at which conditions in a statement keep a node from being evaluated, as far
   as these are affine over the fragment's parameters. */
static __isl_give isl_set *evaluated(const struct instances *in, const struct ast *ast,
                                     const struct ast *node, __isl_take isl_set *domain)
{
    struct scop *scop = in->scop;
    const struct scop_place place = place_in(in->stmt);
    size_t n_symbols = scop->symbols.count;
    bool is_not;
    int part = 0;
    while (ast != node && part < ast->n_children && !ast_holds(ast->children[part], node))
        part++;
    if (ast == node || part == ast->n_children)
        return domain;
    const struct ast *condition = condition_of_part(ast, part, &is_not);
    if (condition && condition_is_affine(scop, place, condition) &&
        scop->symbols.count == n_symbols) {
        isl_set *holds = condition_set(scop, place, condition);
        domain = is_not ? isl_set_subtract(domain, holds) : isl_set_intersect(domain, holds);
    }
    return evaluated(in, ast->children[part], node, domain);
}

/* Is an element behind the place that a pointer holds: proved, or tested at run time? C has
   elements before it, `p = a + 1; … p[i - 1]`, but no region copies these. */
static bool is_behind(const struct instances *in, const struct scop_access *access)
{
    bool plain = access->array->decl->type->class == AST_TYPE_POINTER && access->is_affine[0];
    if (!plain || !looks_negative(in->scop, in->stmt, &access->subscripts[0]))
        return true;
    isl_set *domain = evaluated(in, in->stmt->ast, access->ast, isl_set_copy(in->domain));
    struct instances made = {in->scop, in->stmt, domain};
    bool holds = row_holds(&made, access);
    isl_set_free(domain);
    return holds;
}

static __isl_give isl_map *relation_of(const struct instances *in,
                                       const struct scop_access *access)
{
    const struct scop_stmt *stmt = in->stmt;
    isl_space *space = isl_set_get_space(in->domain);
    space = isl_space_add_dims(isl_space_from_domain(space), isl_dim_out,
                               (unsigned)access->array->n_dims);
    isl_map *map = isl_map_universe(space);
    for (int i = 0; i < access->array->n_dims; i++) {
        if (!access->is_affine[i])
            continue;
        isl_aff *aff = affine_isl(in->scop, place_in(stmt), &access->subscripts[i]);
        isl_map *row = isl_map_from_aff(aff);
        if (i > 0)
            row = isl_map_insert_dims(row, isl_dim_out, 0, (unsigned)i);
        row = isl_map_add_dims(row, isl_dim_out, (unsigned)(access->array->n_dims - i - 1));
        map = isl_map_intersect(map, row);
    }
    return isl_map_intersect_domain(map, isl_set_copy(in->domain));
}

__isl_give isl_map *relation_make(struct scop *scop, const struct scop_stmt *stmt,
                                  __isl_keep isl_set *domain, struct scop_access *access)
{
    struct instances in = {scop, stmt, domain};
    bool is_flat = access->array->n_pitches && access->is_affine[0];
    if (!place_holds(&in, access))
        return scop_refuse_for(scop, REFUSE_PLACE_BEFORE, access->ast->loc, access->array->name,
                               stmt->ast);
    if (is_flat && !digits_hold(&in, access))
        memset(access->is_affine, 0, sizeof access->is_affine);
    if (!is_behind(&in, access))
        return scop_refuse_for(scop, REFUSE_PLACE_BEFORE, access->ast->loc, access->array->name,
                               stmt->ast);
    return relation_of(&in, access);
}

/* `%` is the mathematician's where its left side is not negative; false after a refusal. */
static bool phases_hold(struct scop *scop, const struct scop_stmt *stmt)
{
    for (int i = 0; i < stmt->depth; i++) {
        const struct scop_place outside = place_below(stmt->loops, i);
        const struct scop_loop *loop = stmt->loops[i];
        struct affine above = affine_constant(1);
        bool divides = loop->dividend.n_terms || loop->dividend.constant;
        if (!affine_add(&above, &loop->dividend, 1) ||
            (divides && !loops_imply_positive(scop, outside, &above)))
            return scop_refuse(scop, REFUSE_BOUND, loop->ast->loc, NULL);
    }
    return true;
}

/* A loop that ends at the place that it meets begins there or before: proved, or tested at run
   time; false after a refusal. */
static bool ends_hold(struct scop *scop, const struct scop_stmt *stmt)
{
    for (int i = 0; i < stmt->depth; i++) {
        const struct scop_place outside = place_below(stmt->loops, i);
        const struct scop_loop *loop = stmt->loops[i];
        struct affine end = loop->limits[0], step = affine_constant(loop->step);
        if (!loop->is_met)
            continue;
        if (!affine_add(&end, &step, 1))
            return scop_refuse(scop, REFUSE_BOUND, loop->ast->loc, NULL);
        isl_set *run = loops_set(scop, outside);
        isl_aff *start = affine_isl(scop, outside, &loop->start);
        isl_aff *last = affine_isl(scop, outside, &end);
        isl_set *misses = loop->step > 0 ? isl_aff_gt_set(start, last)
                                         : isl_aff_lt_set(start, last);
        bool holds = isl_set_is_disjoint(run, misses) == isl_bool_true;
        if (holds)
            isl_set_free(misses);
        else
            holds = scop_claim(scop, run, misses);
        isl_set_free(run);
        if (!holds)
            return scop_refuse(scop, REFUSE_HEADER, loop->ast->loc, NULL);
    }
    return true;
}

static bool is_affine_along_any(const struct scop_access *access)
{
    bool any = false;
    for (int i = 0; i < access->array->n_dims; i++)
        any |= access->is_affine[i];
    return any;
}

bool scop_relations(struct scop *scop)
{
    for (size_t i = 0; i < scop->stmts.count; i++) {
        struct scop_stmt *stmt = scop->stmts.at[i];
        if (!phases_hold(scop, stmt) || !ends_hold(scop, stmt))
            return false;
        for (size_t k = 0; k < stmt->accesses.count; k++) {
            struct scop_access *access = &stmt->accesses.at[k];
            if (access->relation)
                continue;
            isl_map *relation = access->alternatives.count
                                    ? alternatives_relation(scop, stmt, access)
                                    : relation_make(scop, stmt, stmt->domain, access);
            bool is_open = !access->alternatives.count && !is_affine_along_any(access);
            access->relation = scop_keep_map(scop, relation);
            if (access->is_write && access->array->n_dims && is_open && !access->reduction)
                return refuse_write(scop, access->ast->children[1], access->array->name);
            if (!access->relation)
                return scop_refuse(scop, REFUSE_LIMIT, scop->fragment->loc, NULL);
        }
    }
    return true;
}

bool scop_sets(struct scop *scop)
{
    isl_begin(scop);
    for (size_t i = 0; i < scop->stmts.count; i++)
        scop->stmts.at[i]->domain = scop_keep_set(scop, domain_of(scop, scop->stmts.at[i]));
    return scop_ranges(scop) && scop_relations(scop);
}

bool loops_imply_positive(const struct scop *scop, struct scop_place at, const struct affine *form)
{
    isl_set *run = loops_set(scop, at);
    struct affine zero = affine_constant(0);
    run = isl_set_intersect(run, isl_aff_le_set(affine_isl(scop, at, form),
                                                affine_isl(scop, at, &zero)));
    isl_bool empty = isl_set_is_empty(run);
    isl_set_free(run);
    return empty == isl_bool_true;
}

/* Subscripts that are affine in pieces: `a[i > 0 ? i - 1 : 0]`, `u[(t + 1) % 2][i]`,
   `a[(i + 1) % n]`; and conditions that are, `if ((i + j) % 2 == c)` (condition.c).

   In: an element's subscripts. Out: its alternatives, each an access of its own, affine, at the
   instances where its choices hold: one branch of each `?:`, one remainder of each `e % c` or
   `e & c`, one lap of each `e % n`. At every instance one of them holds. The access itself has the
   union of their relations, and what all of them agree upon. A choice is known by its place in the
   source and the calls of helpers around it; all of them are gone through like the digits of a
   number. */
#include "mapper/scop/bounds.h"
#include "mapper/scop/choices.h"
#include "mapper/scop/extract.h"
#include "mapper/scop/range.h"
#include "mapper/scop/sets.h"
#include <isl/aff.h>
#include <isl/val.h>
#include <string.h>

enum { REST_MAX = 8, LAPS = 2 };

/* `e % c`, `e & c - 1` for a literal: c; 0 for other expressions. */
static int64_t literal_rest(const struct ast *ast)
{
    if (ast->kind != AST_BINARY || (ast->op != AST_OP_REM && ast->op != AST_OP_AND))
        return 0;
    const struct ast *right = ast->children[1];
    while (right->kind == AST_CAST)
        right = right->children[0];
    if (right->kind != AST_INTEGER || right->integer < 1 || right->integer > REST_MAX)
        return 0;
    int64_t most = right->integer + (ast->op == AST_OP_AND);
    return ast->op == AST_OP_REM || !(most & (most - 1)) ? most : 0;
}

static bool same_calls(const struct scop_frame *a, const struct scop_frame *b)
{
    while (a && b && a->call == b->call) {
        a = a->outer;
        b = b->outer;
    }
    return !a && !b;
}

/* The choice at a place, the first of its count if it is a new one; NULL: there are too many, or
   nothing new may come after the fragment has been read. */
static const struct scop_choice *choice_at(const struct scop *scop, struct scop_place at,
                                           const struct ast *ast, int count)
{
    struct choice_list *list = at.choices;
    for (int i = 0; i < list->n; i++)
        if (list->at[i].ast == ast && same_calls(list->at[i].frame, at.frame))
            return &list->at[i];
    if (list->n == CHOICES_MAX || scop->isl)
        return NULL;
    list->at[list->n] = (struct scop_choice){ast, at.frame, 0, count};
    return &list->at[list->n++];
}

/* Reads a part of a choice, outside the unsigned expression around the choice. */
static bool part_read(struct scop *scop, struct scop_place at, const struct ast *ast,
                      struct affine *out)
{
    at.is_modular = false;
    return affine_read(scop, at, ast, out);
}

static bool branch_read(struct scop *scop, struct scop_place at, const struct ast *ast,
                        struct affine *out)
{
    struct scop_place inside = at;
    inside.is_modular = false;
    bool good = condition_is_affine(scop, inside, ast->children[0]);
    const struct scop_choice *choice = good ? choice_at(scop, at, ast, 2) : NULL;
    return choice && affine_read(scop, at, ast->children[1 + choice->taken], out);
}

/* A dividend below 0 has remainders below 0, but of `&`. */
static bool is_never_negative(const struct scop *scop, const struct ast *ast,
                              const struct affine *dividend)
{
    struct affine least;
    return ast->op == AST_OP_AND || class_is_unsigned(ast->type->class) ||
           (affine_bound(scop, 0, dividend, false, &least) && !least.n_terms &&
            least.constant >= 0);
}

static bool rest_read(struct scop *scop, struct scop_place at, const struct ast *ast,
                      struct affine *out)
{
    int64_t divisor = literal_rest(ast);
    struct affine dividend;
    if (!part_read(scop, at, ast->children[0], &dividend))
        return false;
    int64_t below = is_never_negative(scop, ast, &dividend) ? 0 : divisor - 1;
    const struct scop_choice *choice = choice_at(scop, at, ast, (int)(divisor + below));
    *out = affine_constant(choice ? choice->taken - below : 0);
    return choice != NULL;
}

/* `e % n` is e - n in the second lap. That no lap comes after the second is asked where an access
   is related to its instances (laps_hold), but of no condition. */
static bool lap_read(struct scop *scop, struct scop_place at, const struct ast *ast,
                     struct affine *out)
{
    struct affine length;
    if (!part_read(scop, at, ast->children[0], out) ||
        !part_read(scop, at, ast->children[1], &length))
        return false;
    const struct scop_choice *choice = choice_at(scop, at, ast, LAPS);
    return choice && affine_add(out, &length, -choice->taken);
}

bool is_remainder(const struct ast *ast)
{
    return ast->type && ast_class_is_integer(ast->type->class) && literal_rest(ast) > 0;
}

bool choice_read(struct scop *scop, struct scop_place at, const struct ast *ast, struct affine *out)
{
    if (!at.choices || !ast->type || !ast_class_is_integer(ast->type->class))
        return false;
    if (ast->kind == AST_CONDITIONAL)
        return branch_read(scop, at, ast, out);
    if (literal_rest(ast))
        return rest_read(scop, at, ast, out);
    return ast->kind == AST_BINARY && ast->op == AST_OP_REM && at.index &&
           lap_read(scop, at, ast, out);
}

/* --- enumeration ------------------------------------------------------------------------------ */

bool choices_step(struct choice_list *list)
{
    while (list->n && list->at[list->n - 1].taken + 1 == list->at[list->n - 1].count)
        list->n--;
    if (list->n)
        list->at[list->n - 1].taken++;
    return list->n > 0;
}

static bool is_known(const struct scop_access *access)
{
    for (int i = 0; i < access->array->n_dims; i++)
        if (!access->is_affine[i] && !access->sum)
            return false;
    return true;
}

bool alternatives_read(struct scop *scop, struct scop_place at, const struct ast *index,
                       struct scop_access *access)
{
    size_t n_ranges = scop->ranges.count;
    struct choice_list next = {0};
    struct scop_access plain = *access;
    do {
        struct scop_access *form = ARENA_NEW(scop->arena, struct scop_access);
        struct choice_list *choices = ARENA_NEW(scop->arena, struct choice_list);
        *form = plain;
        *choices = next;
        at.choices = choices;
        subscripts_read(scop, at, index, form);
        form->choices = choices;
        vec_push(scop->arena, &access->alternatives, form);
        if (!choices->n || !is_known(form) || access->alternatives.count > ALTERNATIVES_MAX) {
            scop->ranges.count = n_ranges;
            *access = plain;
            return false;
        }
        next = *choices;
    } while (choices_step(&next));
    return true;
}

/* --- instances at which choices hold ---------------------------------------------------------- */

static __isl_give isl_aff *aff_of(struct scop *scop, struct scop_place at, const struct ast *ast)
{
    struct affine form;
    part_read(scop, at, ast, &form);
    return affine_isl(scop, at, &form);
}

/* The instances at which the dividend has the chosen remainder, with the signs of C. */
static __isl_give isl_set *rest_set(struct scop *scop, struct scop_place at,
                                    const struct scop_choice *choice)
{
    int64_t divisor = literal_rest(choice->ast);
    long rest = (long)(choice->taken - (choice->count - divisor));
    bool is_signed = choice->count > divisor;
    isl_aff *dividend = aff_of(scop, at, choice->ast->children[0]);
    isl_set *sides = NULL;
    isl_aff *zero = isl_aff_sub(isl_aff_copy(dividend), isl_aff_copy(dividend));
    if (is_signed && rest > 0)
        sides = isl_aff_ge_set(isl_aff_copy(dividend), isl_aff_copy(zero));
    if (is_signed && rest < 0)
        sides = isl_aff_le_set(isl_aff_copy(dividend), isl_aff_copy(zero));
    isl_aff_free(zero);
    dividend = isl_aff_add_constant_si(dividend, (int)-rest);
    dividend = isl_aff_mod_val(dividend, isl_val_int_from_si(scop->isl, (long)divisor));
    isl_set *equal = isl_set_from_basic_set(isl_aff_zero_basic_set(dividend));
    return sides ? isl_set_intersect(equal, sides) : equal;
}

/* e in [0, n) or in [n, 2 n). */
static __isl_give isl_set *lap_set(struct scop *scop, struct scop_place at,
                                   const struct scop_choice *choice)
{
    isl_aff *length = aff_of(scop, at, choice->ast->children[1]);
    isl_aff *part = aff_of(scop, at, choice->ast->children[0]);
    for (int lap = 0; lap < choice->taken; lap++)
        part = isl_aff_sub(part, isl_aff_copy(length));
    isl_aff *zero = isl_aff_sub(isl_aff_copy(part), isl_aff_copy(part));
    isl_set *begun = isl_aff_ge_set(isl_aff_copy(part), zero);
    return isl_set_intersect(begun, isl_aff_lt_set(part, length));
}

static __isl_give isl_set *choice_set(struct scop *scop, struct scop_place at,
                                      const struct scop_choice *choice)
{
    const struct ast *ast = choice->ast;
    at.frame = choice->frame;
    if (ast->kind != AST_CONDITIONAL)
        return literal_rest(ast) ? rest_set(scop, at, choice) : lap_set(scop, at, choice);
    isl_set *holds = condition_set(scop, at, ast->children[0]);
    return choice->taken ? isl_set_complement(holds) : holds;
}

__isl_give isl_set *choices_restrict(struct scop *scop, struct scop_place at,
                                     __isl_take isl_set *set)
{
    int n = at.choices ? at.choices->n : 0;
    for (int i = 0; i < n; i++)
        set = isl_set_intersect(set, choice_set(scop, at, &at.choices->at[i]));
    return set;
}

/* The instances of an alternative. */
static __isl_give isl_set *form_domain(struct scop *scop, const struct scop_stmt *stmt,
                                       const struct scop_access *form)
{
    struct scop_place at = place_in(stmt);
    at.index = form->ast;
    at.choices = form->choices;
    return choices_restrict(scop, at, isl_set_copy(stmt->domain));
}

/* Is every dividend of a lap in one of the two? */
static bool laps_hold(struct scop *scop, const struct scop_stmt *stmt,
                      const struct scop_access *access)
{
    isl_set *open = isl_set_copy(stmt->domain);
    for (size_t i = 0; i < access->alternatives.count; i++) {
        const struct scop_access *form = access->alternatives.at[i];
        open = isl_set_subtract(open, form_domain(scop, stmt, form));
    }
    isl_bool empty = isl_set_is_empty(open);
    isl_set_free(open);
    return empty == isl_bool_true;
}

/* The subscripts that all alternatives have. */
static void forms_join(struct scop_access *access)
{
    for (int dim = 0; dim < access->array->n_dims; dim++) {
        const struct scop_access *first = access->alternatives.at[0];
        bool same = first->is_affine[dim];
        for (size_t i = 1; i < access->alternatives.count && same; i++)
            same = access->alternatives.at[i]->is_affine[dim] &&
                   affine_equal(&access->alternatives.at[i]->subscripts[dim],
                                &first->subscripts[dim]);
        access->is_affine[dim] = same;
        access->subscripts[dim] = first->subscripts[dim];
    }
}

/* Is each element of the access known? */
static bool forms_are_exact(const struct scop_access *access)
{
    for (size_t i = 0; i < access->alternatives.count; i++)
        for (int dim = 0; dim < access->array->n_dims; dim++)
            if (!access->alternatives.at[i]->is_affine[dim])
                return false;
    return true;
}

__isl_give isl_map *alternatives_relation(struct scop *scop, const struct scop_stmt *stmt,
                                          struct scop_access *access)
{
    isl_map *all = NULL;
    for (size_t i = 0; i < access->alternatives.count; i++) {
        struct scop_access *form = access->alternatives.at[i];
        isl_set *domain = form_domain(scop, stmt, form);
        isl_map *own = relation_make(scop, stmt, domain, form);
        all = all ? isl_map_union(all, own) : own;
        isl_set_free(domain);
    }
    if (laps_hold(scop, stmt, access) && (!access->is_write || forms_are_exact(access))) {
        forms_join(access);
        return isl_map_coalesce(all);
    }
    isl_map_free(all);
    access->alternatives.count = 0;
    memset(access->is_affine, 0, sizeof access->is_affine);
    return relation_make(scop, stmt, stmt->domain, access);
}

const struct affine *access_form(const struct scop_access *access, int dim)
{
    const struct scop_access *form = access->alternatives.count ? access->alternatives.at[0]
                                                                : access;
    return form->is_affine[dim] ? &form->subscripts[dim] : NULL;
}

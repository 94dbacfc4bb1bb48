/* Which tunables a region may choose for itself: those on which the set of iterations, and what
   each does, does not depend.

   In: a kernel. Out: per parameter NULL or the reason why not, and the extents of what is
   divided among blocks and pieces. Method: iterators that are the digits of a number P
   (`digits.h`) go through every value below its limit once, whatever the radices are. If
   everything done with these iterators stands where P < limit is known, and depends on them
   through P alone, the parameters that occur only in the radices and in P do not matter.
   Anything else that mentions a tunable does.

   P < limit is known where the conditions on the way there imply it: `i < n && j <= i` bounds j
   too. A condition that the conditions above every effect beneath it imply only skips what does
   nothing, such as whole blocks above a diagonal, and is passed over.

   A value may be carried from one round of a digit's loop to the next only if all digits are
   serial loops, each directly inside the next higher one: then the rounds are those of one loop
   over P. What stands in the first piece before the lower loops (`if (p == 0) sum = 0;`) stands
   before that loop. Locals are replaced by their definitions first; one that is set again counts
   as it stands.

   Sums of floating numbers are taken in the order of lanes and blocks: where the kernel accumulates
   one, every tunable matters, so that the bits are those of the text on every device. */
#include "ir/reduction.h"
#include "ir/walk.h"
#include "metafork/lower.h"
#include "metafork/study.h"
#include <string.h>

/* --- conditions ------------------------------------------------------------------------------ */

static bool has_effect(const struct stmt *stmt)
{
    return stmt->kind == STMT_STORE || stmt->kind == STMT_SET;
}

/* Do the conditions between here and every effect below imply p >= 0? */
static bool implied_below(struct study *s, const struct stmt *stmt, struct conditions known,
                          const struct poly *p)
{
    if (has_effect(stmt))
        return conditions_imply(&s->digits, &known, p);
    for (int i = 0; i < stmt->n_children; i++) {
        struct conditions inside = known;
        if (stmt->kind == STMT_IF && i == 0)
            conditions_add(&s->digits, &inside, digits_condition(&s->digits, stmt->value));
        if (stmt->children[i] && !implied_below(s, stmt->children[i], inside, p))
            return false;
    }
    return true;
}

/* Does the comparison only skip what does nothing? */
static bool is_shortcut(struct study *s, const struct stmt *guard, const struct conditions *known,
                        const struct expr *comparison)
{
    const struct poly *p, *q;
    comparison_polys(&s->digits, comparison, &p, &q);
    return p && !q && guard->n_children == 1 &&
           implied_below(s, guard->children[0], *known, p);
}

/* The number whose first piece the comparison `top == 0` picks out, where no lower digit's loop has
   begun in that piece; NULL: it is something else. */
static struct digit_group *first_piece(struct study *s, const struct study_place *place,
                                       const struct expr *c)
{
    const struct poly *p, *q;
    comparison_polys(&s->digits, c, &p, &q);
    if (!q)
        return NULL;
    for (int i = 0; i < place->n_loops; i++) {
        const struct var *var = digits_counter(&s->digits, place->loops[i]);
        struct digit_group *group = study_group(s, var);
        int v = digits_variable(&s->digits, var);
        const struct poly *top = v >= 0 ? poly_variable(s->digits.ring, v) : NULL;
        if (group && group->digits[group->n - 1] == var && group->is_serial &&
            !s->has_begun[study_number(s, group)] && (poly_equal(p, top) || poly_equal(q, top)))
            return group;
    }
    return NULL;
}

/* The axis of the block of which the comparison `axis == 0` picks out thread 0; NULL: it is
   something else. */
static const struct var *zero_axis(struct study *s, const struct study_place *place,
                                   const struct expr *c)
{
    const struct poly *p, *q;
    comparison_polys(&s->digits, c, &p, &q);
    if (!q)
        return NULL;
    for (int i = 0; i < s->kernel->n_block; i++) {
        const struct var *var = s->kernel->block[i].var;
        int v = digits_variable(&s->digits, var);
        const struct poly *own = v >= 0 ? poly_variable(s->digits.ring, v) : NULL;
        if (own && (poly_equal(p, own) || poly_equal(q, own)) && study_is_zero(s, var, place))
            return var;
    }
    return NULL;
}

/* The conjuncts of a guard. */
static void use_guard(struct study *s, const struct stmt *guard, const struct expr *c,
                      struct study_place *place)
{
    const struct poly *p, *q;
    if (c->kind == EXPR_BINARY && c->op == OP_LAND) {
        use_guard(s, guard, c->arguments[0], place);
        use_guard(s, guard, c->arguments[1], place);
        return;
    }
    const struct var *zero = zero_axis(s, place, c);
    if (zero) {
        place->zeros[place->n_zeros++] = zero;
        return;
    }
    const struct digit_group *first = first_piece(s, place, c);
    if (first)
        place->is_first[study_number(s, first)] = true;
    if (first || is_shortcut(s, guard, &place->known, c))
        return;
    comparison_polys(&s->digits, c, &p, &q);
    if (p)
        use_poly(s, p, place, true);
    else
        use_expanded(s, c, place);
    conditions_add(&s->digits, &place->known, c);
}

/* --- statements ------------------------------------------------------------------------------ */

static void study_loop(struct study *s, const struct stmt *loop, struct study_place *place)
{
    const struct var *counter = digits_counter(&s->digits, loop);
    struct digit_group *group = study_group(s, counter);
    if (group && group->digits[group->n - 1] == counter)
        study_enter(s, group, place);
    group = study_group(s, counter);
    if (group) {
        s->has_begun[study_number(s, group)] = group->digits[group->n - 1] != counter;
        if (group->is_bound)
            use_poly(s, group->limit, place, false);
    } else {
        use_expanded(s, loop->from, place);
        use_expanded(s, loop->step, place);
        use_expanded(s, loop->to, place);
    }
    conditions_add_loop(&s->digits, &place->known, loop);
    if (place->n_loops < LOOPS_MAX)
        place->loops[place->n_loops++] = loop;
    else
        use_var(s, counter);
}

static void study_values(struct study *s, const struct stmt *stmt, const struct study_place *place)
{
    if (stmt->kind == STMT_LET)
        study_declare(s, stmt->var, place);
    if (stmt->kind == STMT_ARRAY)
        study_declare(s, stmt->array, place);
    if (stmt->kind == STMT_LET && !map_get_pointer(s->digits.sets, stmt->var))
        return;
    for (int i = 0; i < stmt_n_exprs(stmt); i++)
        use_expanded(s, stmt_expr(stmt, i), place);
    if (stmt->kind == STMT_SET)
        use_kept(s, stmt->var, place);
    if (stmt->kind == STMT_STORE)
        use_stored(s, stmt->array, place);
}

static void study_stmt(struct study *s, const struct stmt *stmt, const struct study_place *outer)
{
    struct study_place place = *outer;
    if (stmt->kind == STMT_IF)
        use_guard(s, stmt, digits_condition(&s->digits, stmt->value), &place);
    else if (stmt->kind == STMT_FOR)
        study_loop(s, stmt, &place);
    else if (stmt->kind == STMT_BAND)
        for (int i = 0; i < stmt->n_axes; i++) {
            if (!study_group(s, stmt->axes[i].var))
                use_expanded(s, stmt->axes[i].extent, &place);
        }
    else
        study_values(s, stmt, &place);
    for (int i = 0; i < stmt->n_children; i++)
        if (stmt->children[i])
            study_stmt(s, stmt->children[i],
                       stmt->kind == STMT_IF && i == 1 ? outer : &place);
}

static void study_kernel(struct study *s)
{
    struct study_place nowhere = {0};
    conditions_add_facts(&s->digits, &nowhere.known);
    s->declared = map_new(s->arena);
    s->elsewhere = map_new(s->arena);
    study_begin(s);
    study_stmt(s, s->kernel->body, &nowhere);
    for (int i = 0; i < s->kernel->n_grid; i++)
        if (!study_group(s, s->kernel->grid[i].var))
            use_expanded(s, s->kernel->grid[i].extent, &nowhere);
}

/* The first division by something that uses `var`; NULL if there is none. */
static const struct expr *division_in(struct study *s, const struct expr *root,
                                      const struct var *var)
{
    struct expr_walk walk;
    for (const struct expr *e = expr_first(&walk, s->arena, root); e; e = expr_next(&walk))
        if (e->kind == EXPR_BINARY && e->op == OP_DIV && expr_uses_var(e->arguments[1], var))
            return e;
    return NULL;
}

/* The first such division in the extents of the grid and in the bounds of the loops. */
static const struct expr *division_find(struct study *s, const struct var *var)
{
    struct stmt_walk walk;
    for (int i = 0; i < s->kernel->n_grid; i++) {
        const struct expr *found = division_in(s, s->kernel->grid[i].extent, var);
        if (found)
            return found;
    }
    for (const struct stmt *stmt = stmt_first(&walk, s->arena, s->kernel->body); stmt;
         stmt = stmt_next(&walk)) {
        const struct expr *found = stmt->kind == STMT_FOR ? division_in(s, stmt->to, var) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

/* The quotient that a number of blocks of size `var` is computed from; NULL if there is none. */
static const struct expr *quotient_find(struct study *s, const struct var *var)
{
    const struct expr *division = division_find(s, var);
    struct expr_walk walk;
    if (!division)
        return NULL;
    for (const struct expr *e = expr_first(&walk, s->arena, division->arguments[0]); e;
         e = expr_next(&walk))
        if (e->kind == EXPR_BINARY && e->op == OP_DIV && !expr_uses_var(e, var))
            return e;
    return NULL;
}

static const char *reason_for(struct study *s, const struct var *var)
{
    if (!map_get_pointer(s->elsewhere, var))
        return NULL;
    const struct expr *division = s->digits.allow_exact ? NULL : division_find(s, var);
    if (division)
        return arena_printf(
            s->arena,
            "%s truncates, and no guard makes up for it: which elements are computed "
            "depends on %s",
            expr_text(s->arena, division), var->name);
    const struct expr *quotient = quotient_find(s, var);
    if (quotient)
        return arena_printf(
            s->arena,
            "the number of blocks divides the quotient %s, and guards are not compared with one",
            expr_text(s->arena, quotient));
    return arena_printf(s->arena,
                        "%s occurs in the program outside of block sizes and guarded subscripts",
                        var->name);
}

/* The limits of numbers as polynomials of the kernel's ring; those over other values are left
   out. */
static void extents_collect(struct study *s, struct automatic *automatic)
{
    struct ring *ring = s->kernel->ring;
    const struct poly **extents =
        ARENA_ARRAY(s->arena, const struct poly *, s->digits.n_groups + 1);
    for (int g = 0; g < s->digits.n_groups; g++) {
        const struct poly *limit = s->digits.groups[g].limit;
        int variables[RING_CAPACITY];
        bool is_known = !s->digits.groups[g].broken;
        for (int v = 0; v < ring_count(s->digits.ring); v++) {
            variables[v] = ring_find(ring, ring_name(s->digits.ring, v));
            is_known &= variables[v] >= 0 || !poly_uses(limit, v);
        }
        if (is_known)
            extents[automatic->n_extents++] = poly_map(ring, limit, variables);
    }
    automatic->extents = extents;
}

static bool uses_tunable(const struct kernel *kernel, const struct expr *e)
{
    for (int i = 0; i < kernel->n_params; i++)
        if (kernel->params[i]->role == ROLE_TUNABLE && expr_uses_var(e, kernel->params[i]->var))
            return true;
    return false;
}

/* P < a, without fractions. */
static const char *guard_text(struct arena *arena, const struct digit_group *group)
{
    int64_t times = poly_denominator(group->limit);
    const char *number = poly_text(arena, group->number),
               *limit = poly_text(arena, poly_scale(group->limit, times, 1));
    return times == 1 ? arena_printf(arena, "%s < %s", number, limit)
                      : arena_printf(arena, "%lld*(%s) < %s", (long long)times, number, limit);
}

static void truncations_collect(struct study *s, struct automatic *automatic)
{
    struct truncation *all = ARENA_ARRAY(s->arena, struct truncation, s->digits.n_groups + 1);
    for (int g = 0; g < s->digits.n_groups; g++) {
        const struct digit_group *group = &s->digits.groups[g];
        const struct expr *division = group_division(&s->digits, group);
        if (group->broken || !group->is_exact || !uses_tunable(s->kernel, division->arguments[1]))
            continue;
        all[automatic->n_truncations++] = (struct truncation){
            .loc = group->digits[group->n - 1]->loc,
            .division = expr_text(s->arena, division),
            .dividend = expr_text(s->arena, division->arguments[0]),
            .divisor = expr_text(s->arena, division->arguments[1]),
            .guard = guard_text(s->arena, group)};
    }
    automatic->truncations = all;
}

/* Groups can break late, which makes more parameters count: repeated until none breaks. */
static struct study study_run(struct arena *arena, const struct kernel *kernel, bool allow_exact)
{
    struct study s = {
        .arena = arena, .kernel = kernel, .digits = digits_of(arena, kernel, allow_exact)};
    for (int broken = -1, now = 0; broken != now;) {
        broken = now;
        now = 0;
        study_kernel(&s);
        for (int g = 0; g < s.digits.n_groups; g++)
            now += s.digits.groups[g].broken;
    }
    return s;
}

struct automatic automatic_find(struct ctx *ctx, const struct kernel *kernel)
{
    struct arena *arena = ctx->arena;
    struct study free = study_run(arena, kernel, false), exact = study_run(arena, kernel, true);
    struct automatic automatic = {0};
    enum choosable *tunables = ARENA_ARRAY(arena, enum choosable, kernel->n_params + 1);
    const char **reasons = ARENA_ARRAY(arena, const char *, kernel->n_params + 1);
    const struct array *sum = kernel_inexact_sum(kernel);
    for (int i = 0; i < kernel->n_params; i++) {
        const struct var *var = kernel->params[i]->var;
        if (kernel->params[i]->role != ROLE_TUNABLE)
            continue;
        reasons[i] = sum ? arena_printf(arena, "the bits of the sum %s depend on it", sum->name)
                         : reason_for(&free, var);
        if (sum)
            continue;
        if (!reasons[i])
            tunables[i] = CHOOSABLE_ALWAYS;
        else if (!map_get_pointer(exact.elsewhere, var))
            tunables[i] = CHOOSABLE_EXACT;
        else
            reasons[i] = reason_for(&exact, var);
    }
    automatic.tunables = tunables;
    automatic.reasons = reasons;
    extents_collect(&exact, &automatic);
    truncations_collect(&exact, &automatic);
    return automatic;
}

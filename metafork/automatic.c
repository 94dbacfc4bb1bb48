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
   as it stands. */
#include "ir/walk.h"
#include "metafork/digits.h"
#include "metafork/lower.h"
#include <string.h>

enum { LOOPS_MAX = 32 };

/* Where a statement stands. */
struct place {
    struct conditions known;
    int n_loops;
    const struct stmt *loops[LOOPS_MAX];     /* serial ones, the outermost first */
    bool is_first[GROUPS_MAX];               /* in the first piece of a number's loops, before any
                                                value of the number */
};

struct study {
    struct arena *arena;
    const struct kernel *kernel;
    struct numbers digits;
    struct map *depths;                      /* local to the number of loops around it */
    struct map *elsewhere;                   /* variables used otherwise */
    bool has_begun[GROUPS_MAX];              /* this piece has met a loop of a lower digit */
};

static struct digit_group *group_of(struct study *s, const struct var *var)
{
    for (int g = 0; g < s->digits.n_groups; g++)
        if (group_has(&s->digits.groups[g], var) && !s->digits.groups[g].broken)
            return &s->digits.groups[g];
    return NULL;
}

static void use_var(struct study *s, const struct var *var)
{
    struct digit_group *group;
    while ((group = group_of(s, var)))
        group->broken = true;
    map_put_pointer(s->elsewhere, var, (void *)var);
}

/* Is P < limit known there? */
static bool is_bounded(struct study *s, const struct digit_group *group, const struct place *place)
{
    if (group->is_exact)
        return true;
    const struct poly *room = poly_sub(poly_sub(group->limit, group->number),
                                       poly_integer(s->digits.ring, 1));
    return conditions_imply(&s->digits, &place->known, room);
}

static bool group_uses(struct study *s, const struct digit_group *group, const struct poly *p)
{
    for (int i = 0; i < group->n; i++)
        if (poly_uses(p, digits_variable(&s->digits, group->digits[i])))
            return true;
    return false;
}

/* p with the number of the group, a variable of its own, in place of the digits; p itself if it
   does not depend on them through the number alone. */
static const struct poly *number_put(struct study *s, const struct digit_group *group,
                                     const struct poly *p)
{
    struct ring *ring = s->digits.ring;
    int first = digits_variable(&s->digits, group->digits[0]),
        number = ring_variable(ring, arena_printf(s->arena, "%s'", group->digits[0]->name));
    if (number < 0)
        return p;
    const struct poly *others = poly_sub(group->number, poly_variable(ring, first)),
                      *q = poly_substitute(p, first, poly_sub(poly_variable(ring, number), others));
    return q && !group_uses(s, group, q) ? q : p;
}

/* What p mentions besides numbers counts as used; so numbers that share a digit break each
   other. `place`: numbers must be bounded there; NULL: it is a condition, which may be asked
   anywhere. */
static void use_poly(struct study *s, const struct poly *p, const struct place *place)
{
    struct numbers *d = &s->digits;
    for (int g = 0; g < d->n_groups; g++) {
        struct digit_group *group = &d->groups[g];
        if (group->broken || !group_uses(s, group, p))
            continue;
        if (!place || is_bounded(s, group, place))
            p = number_put(s, group, p);
        group->broken = group_uses(s, group, p);
    }
    for (int i = 0; i < s->kernel->n_params; i++) {
        const struct var *var = s->kernel->params[i]->var;
        int v = ring_find(d->ring, var->name);
        if (v >= 0 && poly_uses(p, v))
            use_var(s, var);
    }
}

static void use_expr(struct study *s, const struct expr *e, const struct place *place)
{
    const struct poly *p = type_is_floating(e->type) ? NULL : expr_poly(s->digits.ring, e);
    if (p)
        use_poly(s, p, place);
    else if (e->kind == EXPR_VAR)
        use_var(s, e->var);
    else
        for (int i = 0; i < e->n_arguments; i++)
            use_expr(s, e->arguments[i], place);
}

static void use_expanded(struct study *s, const struct expr *e, const struct place *place)
{
    use_expr(s, digits_expand(&s->digits, e), place);
}

/* --- loops ----------------------------------------------------------------------------------- */

static int loop_place(const struct study *s, const struct place *place, const struct var *var)
{
    for (int i = 0; i < place->n_loops; i++)
        if (digits_counter(&s->digits, place->loops[i]) == var)
            return i;
    return -1;
}

/* Are the digits serial loops around this place, each directly inside the next higher one? */
static bool is_one_loop(const struct study *s, const struct digit_group *group,
                        const struct place *place)
{
    int top = loop_place(s, place, group->digits[group->n - 1]);
    for (int i = 0; i < group->n; i++)
        if (loop_place(s, place, group->digits[i]) != top + group->n - 1 - i)
            return false;
    return top >= 0;
}

static int group_number(const struct study *s, const struct digit_group *group)
{
    return (int)(group - s->digits.groups);
}

/* Is this done as often, and in the same order, whatever the radices are? */
static bool is_in_order(struct study *s, const struct digit_group *group,
                        const struct place *place)
{
    if (place->is_first[group_number(s, group)])
        return true;
    return is_one_loop(s, group, place) && is_bounded(s, group, place);
}

/* The loops from number `first` on carry something from round to round here. */
static void use_carried(struct study *s, const struct place *place, int first)
{
    for (int i = first; i < place->n_loops; i++) {
        struct digit_group *group = group_of(s, digits_counter(&s->digits, place->loops[i]));
        if (group && !is_in_order(s, group, place))
            group->broken = true;
    }
}

/* How many loops stand around the declaration of a local or private array. */
static int declared_depth(const struct study *s, const void *local)
{
    const int *depth = map_get_pointer(s->depths, local);
    return depth ? *depth : 0;
}

/* What is stored between the loops of digits is stored once per piece; a private array carries what
   is stored in it. */
static void use_stored(struct study *s, const struct array *array, const struct place *place)
{
    if (array->space == SPACE_PRIVATE)
        use_carried(s, place, declared_depth(s, array));
    for (int i = 0; i < place->n_loops; i++) {
        struct digit_group *group = group_of(s, digits_counter(&s->digits, place->loops[i]));
        if (group && group->is_serial && !is_in_order(s, group, place))
            group->broken = true;
    }
}

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
static struct digit_group *first_piece(struct study *s, const struct place *place,
                                       const struct expr *c)
{
    const struct poly *p, *q;
    comparison_polys(&s->digits, c, &p, &q);
    if (!q)
        return NULL;
    for (int i = 0; i < place->n_loops; i++) {
        const struct var *var = digits_counter(&s->digits, place->loops[i]);
        struct digit_group *group = group_of(s, var);
        int v = digits_variable(&s->digits, var);
        const struct poly *top = v >= 0 ? poly_variable(s->digits.ring, v) : NULL;
        if (group && group->digits[group->n - 1] == var && group->is_serial &&
            !s->has_begun[group_number(s, group)] && (poly_equal(p, top) || poly_equal(q, top)))
            return group;
    }
    return NULL;
}

/* The conjuncts of a guard. */
static void use_guard(struct study *s, const struct stmt *guard, const struct expr *c,
                      struct place *place)
{
    const struct poly *p, *q;
    if (c->kind == EXPR_BINARY && c->op == OP_LAND) {
        use_guard(s, guard, c->arguments[0], place);
        use_guard(s, guard, c->arguments[1], place);
        return;
    }
    const struct digit_group *first = first_piece(s, place, c);
    if (first)
        place->is_first[group_number(s, first)] = true;
    if (first || is_shortcut(s, guard, &place->known, c))
        return;
    comparison_polys(&s->digits, c, &p, &q);
    if (p)
        use_poly(s, p, NULL);
    else
        use_expanded(s, c, place);
    conditions_add(&s->digits, &place->known, c);
}

/* --- statements ------------------------------------------------------------------------------ */

static void study_loop(struct study *s, const struct stmt *loop, struct place *place)
{
    const struct var *counter = digits_counter(&s->digits, loop);
    struct digit_group *group = group_of(s, counter);
    if (group) {
        s->has_begun[group_number(s, group)] = group->digits[group->n - 1] != counter;
        if (group->is_bound)
            use_poly(s, group->limit, place);
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

static void declare(struct study *s, const void *local, const struct place *place)
{
    int *depth = ARENA_NEW(s->arena, int);
    *depth = place->n_loops;
    map_put_pointer(s->depths, local, depth);
}

static void study_values(struct study *s, const struct stmt *stmt, const struct place *place)
{
    if (stmt->kind == STMT_LET)
        declare(s, stmt->var, place);
    if (stmt->kind == STMT_ARRAY)
        declare(s, stmt->array, place);
    if (stmt->kind == STMT_LET && !map_get_pointer(s->digits.sets, stmt->var))
        return;
    for (int i = 0; i < stmt_n_exprs(stmt); i++)
        use_expanded(s, stmt_expr(stmt, i), place);
    if (stmt->kind == STMT_SET)
        use_carried(s, place, declared_depth(s, stmt->var));
    if (stmt->kind == STMT_STORE)
        use_stored(s, stmt->array, place);
}

static void study_stmt(struct study *s, const struct stmt *stmt, const struct place *outer)
{
    struct place place = *outer;
    if (stmt->kind == STMT_IF)
        use_guard(s, stmt, digits_condition(&s->digits, stmt->value), &place);
    else if (stmt->kind == STMT_FOR)
        study_loop(s, stmt, &place);
    else if (stmt->kind == STMT_BAND)
        for (int i = 0; i < stmt->n_axes; i++) {
            if (!group_of(s, stmt->axes[i].var))
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
    struct place nowhere = {0};
    conditions_add_facts(&s->digits, &nowhere.known);
    s->depths = map_new(s->arena);
    s->elsewhere = map_new(s->arena);
    study_stmt(s, s->kernel->body, &nowhere);
    for (int i = 0; i < s->kernel->n_grid; i++)
        if (!group_of(s, s->kernel->grid[i].var))
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
    for (int i = 0; i < kernel->n_params; i++) {
        const struct var *var = kernel->params[i]->var;
        if (kernel->params[i]->role != ROLE_TUNABLE)
            continue;
        reasons[i] = reason_for(&free, var);
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

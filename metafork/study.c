/* Uses of numbers and parameters by a kernel's statements.

   In: an expression and where it stands. Out: numbers that it breaks, as it does not depend on
   their digits through the number alone or stands where the number is not bounded, and parameters
   that it uses otherwise than as radices.

   Numbers may share an axis of the block as a digit, as those of the loops `for (i = t; i < n; i +=
   B)` in the bands of a chain do, if no statement stands in the loops of two of them: then only
   pairs of equal digits would meet, which depends on the radix. Where `t == 0` leaves one thread of
   a block, and no number of t is under way, that thread does the same for all extents of t. */
#include "metafork/study.h"

/* Where a local or private array is declared. */
struct declared {
    int n_loops, n_zeros;            /* of its place */
};

struct digit_group *study_group(struct study *s, const struct var *var)
{
    for (int g = 0; g < s->digits.n_groups; g++)
        if (group_has(&s->digits.groups[g], var) && !s->digits.groups[g].broken)
            return &s->digits.groups[g];
    return NULL;
}

void use_var(struct study *s, const struct var *var)
{
    struct digit_group *group;
    while ((group = study_group(s, var)))
        group->broken = true;
    map_put_pointer(s->elsewhere, var, (void *)var);
}

/* Is P < limit known there? */
static bool is_bounded(struct study *s, const struct digit_group *group,
                       const struct study_place *place)
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

/* p with 0 in place of the axes of which only thread 0 comes here. */
static const struct poly *zeros_put(struct study *s, const struct poly *p,
                                    const struct study_place *place)
{
    for (int i = 0; i < place->n_zeros; i++) {
        int v = digits_variable(&s->digits, place->zeros[i]);
        if (v >= 0 && poly_uses(p, v))
            p = poly_substitute(p, v, poly_integer(s->digits.ring, 0));
    }
    return p;
}

static bool uses_top(struct study *s, const struct digit_group *group, const struct poly *p)
{
    return poly_uses(p, digits_variable(&s->digits, group->digits[group->n - 1]));
}

void use_poly(struct study *s, const struct poly *p, const struct study_place *place,
              bool is_condition)
{
    struct numbers *d = &s->digits;
    p = zeros_put(s, p, place);
    for (int g = 0; g < d->n_groups; g++) {
        const struct digit_group *group = &d->groups[g];
        if (!group->broken && uses_top(s, group, p) &&
            (is_condition || is_bounded(s, group, place)))
            p = number_put(s, group, p);
    }
    for (int g = 0; g < d->n_groups; g++)
        d->groups[g].broken = d->groups[g].broken || group_uses(s, &d->groups[g], p);
    for (int i = 0; i < s->kernel->n_params; i++) {
        const struct var *var = s->kernel->params[i]->var;
        int v = ring_find(d->ring, var->name);
        if (v >= 0 && poly_uses(p, v))
            use_var(s, var);
    }
}

static void use_expr(struct study *s, const struct expr *e, const struct study_place *place)
{
    const struct poly *p = type_is_floating(e->type) ? NULL : expr_poly(s->digits.ring, e);
    if (p)
        use_poly(s, p, place, false);
    else if (e->kind == EXPR_VAR)
        use_var(s, e->var);
    else
        for (int i = 0; i < e->n_arguments; i++)
            use_expr(s, e->arguments[i], place);
}

void use_expanded(struct study *s, const struct expr *e, const struct study_place *place)
{
    use_expr(s, digits_expand(&s->digits, e), place);
}

/* --- loops ----------------------------------------------------------------------------------- */

static int loop_place(const struct study *s, const struct study_place *place, const struct var *var)
{
    for (int i = 0; i < place->n_loops; i++)
        if (digits_counter(&s->digits, place->loops[i]) == var)
            return i;
    return -1;
}

/* Are the digits serial loops around this place, each directly inside the next higher one? */
static bool is_one_loop(const struct study *s, const struct digit_group *group,
                        const struct study_place *place)
{
    int top = loop_place(s, place, group->digits[group->n - 1]);
    for (int i = 0; i < group->n; i++)
        if (loop_place(s, place, group->digits[i]) != top + group->n - 1 - i)
            return false;
    return top >= 0;
}

int study_number(const struct study *s, const struct digit_group *group)
{
    return (int)(group - s->digits.groups);
}

/* Is this done as often, and in the same order, whatever the radices are? */
static bool is_in_order(struct study *s, const struct digit_group *group,
                        const struct study_place *place)
{
    if (place->is_first[study_number(s, group)])
        return true;
    return is_one_loop(s, group, place) && is_bounded(s, group, place);
}

/* The loops from number `first` on carry something from round to round here. */
static void use_rounds(struct study *s, const struct study_place *place, int first)
{
    for (int i = first; i < place->n_loops; i++) {
        struct digit_group *group = study_group(s, digits_counter(&s->digits, place->loops[i]));
        if (group && !is_in_order(s, group, place))
            group->broken = true;
    }
}

void study_declare(struct study *s, const void *local, const struct study_place *place)
{
    struct declared *declared = ARENA_NEW(s->arena, struct declared);
    *declared = (struct declared){place->n_loops, place->n_zeros};
    map_put_pointer(s->declared, local, declared);
}

void use_kept(struct study *s, const void *local, const struct study_place *place)
{
    const struct declared *found = map_get_pointer(s->declared, local);
    struct declared declared = found ? *found : (struct declared){0, 0};
    use_rounds(s, place, declared.n_loops);
    for (int i = declared.n_zeros; i < place->n_zeros; i++)
        use_var(s, place->zeros[i]);
}

void use_stored(struct study *s, const struct array *array, const struct study_place *place)
{
    if (array->space == SPACE_PRIVATE)
        use_kept(s, array, place);
    for (int i = 0; i < place->n_loops; i++) {
        struct digit_group *group = study_group(s, digits_counter(&s->digits, place->loops[i]));
        if (group && group->is_serial && !is_in_order(s, group, place))
            group->broken = true;
    }
}

/* --- numbers that share a digit --------------------------------------------------------------- */

static bool is_axis(const struct axis *axes, int n, const struct var *var)
{
    for (int i = 0; i < n; i++)
        if (axes[i].var == var)
            return true;
    return false;
}

/* Is the number's highest digit an iterator that runs while all statements do? */
static bool is_everywhere(const struct study *s, const struct digit_group *group)
{
    const struct var *top = group->digits[group->n - 1];
    return is_axis(s->kernel->grid, s->kernel->n_grid, top) ||
           is_axis(s->kernel->block, s->kernel->n_block, top);
}

static bool is_under_way(const struct study *s, const struct digit_group *group,
                         const struct study_place *place)
{
    return is_everywhere(s, group) || loop_place(s, place, group->digits[group->n - 1]) >= 0;
}

static bool groups_share(const struct digit_group *a, const struct digit_group *b)
{
    for (int i = 0; i < a->n; i++)
        if (group_has(b, a->digits[i]))
            return true;
    return false;
}

/* Is all that the numbers share axes of the block? */
static bool share_is_axes(const struct study *s, const struct digit_group *a,
                          const struct digit_group *b)
{
    for (int i = 0; i < a->n; i++)
        if (group_has(b, a->digits[i]) &&
            !is_axis(s->kernel->block, s->kernel->n_block, a->digits[i]))
            return false;
    return true;
}

void study_begin(struct study *s)
{
    struct digit_group *groups = s->digits.groups;
    for (int a = 0; a < s->digits.n_groups; a++)
        for (int b = 0; b < a; b++)
            if (groups_share(&groups[a], &groups[b]) &&
                (!share_is_axes(s, &groups[a], &groups[b]) || is_everywhere(s, &groups[a]) ||
                 is_everywhere(s, &groups[b])))
                groups[a].broken = groups[b].broken = true;
}

void study_enter(struct study *s, struct digit_group *group, const struct study_place *place)
{
    for (int i = 0; i < place->n_zeros; i++)
        group->broken |= group_has(group, place->zeros[i]);
    for (int g = 0; g < s->digits.n_groups; g++) {
        struct digit_group *other = &s->digits.groups[g];
        if (other != group && groups_share(other, group) && is_under_way(s, other, place))
            group->broken = other->broken = true;
    }
}

bool study_is_zero(struct study *s, const struct var *var, const struct study_place *place)
{
    bool is_free = is_axis(s->kernel->block, s->kernel->n_block, var) &&
                   place->n_zeros < ZEROS_MAX;
    for (int g = 0; g < s->digits.n_groups; g++)
        is_free = is_free && !(group_has(&s->digits.groups[g], var) &&
                               is_under_way(s, &s->digits.groups[g], place));
    return is_free;
}

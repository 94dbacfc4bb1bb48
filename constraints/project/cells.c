/* A region of the plane cut into pieces that can be drawn. In: a formula in x and y without
   quantifiers; out: the intervals of x between the breakpoints, and over each of them the strips of
   y where it holds, bounded by numbered real roots of the irreducible curves. Breakpoints are the
   real roots of the curves' leading coefficients and discriminants in y and of their pairwise
   resultants: between two of them the curves have constantly many real roots, which keep their
   order (Collins). The signs over an interval are those over one rational point of it. Neighbours
   with the same strips are one cell where the curves that bound them go on smoothly. */
#include "constraints/project/axis.h"

enum { CURVE_LIMIT = 64, CURVE_DEGREE = 40, CURVE_TERMS = 400 };

typedef VEC(fmpz_mpoly_struct *) mpoly_list;

struct cutting {
    struct arena *arena, *scratch;
    struct ring *ring;
    const struct formula *f;
    int x, y;
    mpoly_list curves;                    /* irreducible, with y */
    VEC(const struct poly *) texts;       /* the same for the result */
    mpoly_list lines;                     /* without y: breakpoints are their roots */
    const char *reason;
};

static fmpz_mpoly_struct *mpoly_new(struct cutting *c)
{
    return poly_scratch(c->scratch, c->ring)->value->zpoly;
}

static bool known(const mpoly_list *list, const fmpz_mpoly_t p, const fmpz_mpoly_ctx_struct *ctx)
{
    for (size_t i = 0; i < list->count; i++)
        if (fmpz_mpoly_equal(list->at[i], p, ctx))
            return true;
    return false;
}

static void curve_add(struct cutting *c, const fmpz_mpoly_struct *p)
{
    const fmpz_mpoly_ctx_struct *ctx = c->ring->ctx->zctx;
    bool has_y = mpoly_degree_in(p, c->y, ctx) > 0;
    mpoly_list *list = has_y ? &c->curves : &c->lines;
    if (fmpz_mpoly_is_fmpz(p, ctx) || known(list, p, ctx))
        return;
    if (mpoly_total_degree(p, ctx) > CURVE_DEGREE || p->length > CURVE_TERMS ||
        list->count >= CURVE_LIMIT) {
        c->reason = "the curves are beyond the limits";
        return;
    }
    fmpz_mpoly_struct *copy = mpoly_new(c);
    fmpz_mpoly_set(copy, p, ctx);
    vec_push(c->scratch, list, copy);
    if (!has_y)
        return;
    struct poly *text = poly_scratch(c->arena, c->ring);
    fmpq_mpoly_t value;
    fmpq_mpoly_init(value, c->ring->ctx);
    fmpz_mpoly_set(value->zpoly, p, ctx);
    fmpq_one(value->content);
    fmpq_mpoly_reduce(value, c->ring->ctx);
    fmpq_mpoly_swap(text->value, value, c->ring->ctx);
    fmpq_mpoly_clear(value, c->ring->ctx);
    vec_push(c->scratch, &c->texts, text);
}

static void factors_add(struct cutting *c, const fmpz_mpoly_struct *p)
{
    const fmpz_mpoly_ctx_struct *ctx = c->ring->ctx->zctx;
    fmpz_mpoly_factor_t factors;
    if (fmpz_mpoly_is_zero(p, ctx))
        return;
    fmpz_mpoly_factor_init(factors, ctx);
    if (!fmpz_mpoly_factor(factors, p, ctx))
        c->reason = "a curve could not be factorised";
    for (slong i = 0; i < factors->num; i++)
        curve_add(c, factors->poly + i);
    fmpz_mpoly_factor_clear(factors, ctx);
}

static void atoms_add(struct cutting *c, const struct formula *f)
{
    if (f->kind == FORMULA_ATOM)
        factors_add(c, f->constraint.poly->value->zpoly);
    for (size_t i = 0; i < f->count && !c->reason; i++)
        atoms_add(c, f->at[i]);
}

/* Leading coefficients, discriminants, resultants. Factors of what has no y are lines. */
static void curves_project(struct cutting *c)
{
    const fmpz_mpoly_ctx_struct *ctx = c->ring->ctx->zctx;
    fmpz_mpoly_t p;
    fmpz_mpoly_init(p, ctx);
    for (size_t i = 0; i < c->curves.count && !c->reason; i++) {
        const fmpz_mpoly_struct *curve = c->curves.at[i];
        const slong variables[1] = {c->y};
        const ulong exponents[1] = {(ulong)mpoly_degree_in(curve, c->y, ctx)};
        fmpz_mpoly_get_coeff_vars_ui(p, curve, variables, exponents, 1, ctx);
        factors_add(c, p);
        if (exponents[0] > 1 && fmpz_mpoly_discriminant(p, curve, c->y, ctx))
            factors_add(c, p);
        for (size_t j = 0; j < i && !c->reason; j++)
            if (fmpz_mpoly_resultant(p, curve, c->curves.at[j], c->y, ctx))
                factors_add(c, p);
    }
    fmpz_mpoly_clear(p, ctx);
}

static void univariates_clear(void *object)
{
    fmpz_poly_clear(object);
}

static struct line *breakpoints(struct cutting *c)
{
    fmpz_poly_struct *list = ARENA_ARRAY(c->scratch, fmpz_poly_struct, c->lines.count + 1);
    for (size_t i = 0; i < c->lines.count; i++) {
        fmpz_poly_init(list + i);
        arena_on_free(c->scratch, univariates_clear, list + i);
        axis_take(c->ring, list + i, c->lines.at[i], c->x, -1, NULL);
    }
    return line_new(c->scratch, list, c->lines.count);
}

/* The curve that has the line's root number i, and which of its roots that is. */
static struct branch branch_of(struct cutting *c, const struct axis *axis, size_t i, bool open)
{
    struct branch branch = {.open = open};
    for (size_t k = 0; k < c->texts.count; k++) {
        const fmpz_poly_struct *p = axis->polynomials + axis->atoms.count + k;
        if (line_sign(axis->line, p, 2 * i + 1) != 0)
            continue;
        branch.curve = c->texts.at[k];
        branch.root = 1;
        for (size_t j = 0; j < i; j++)
            branch.root += line_sign(axis->line, p, 2 * j + 1) == 0;
        break;
    }
    return branch;
}

static void strips_collect(struct cutting *c, struct cell *cell, const struct axis *axis)
{
    VEC(struct strip) strips = {0};
    size_t cells = 2 * axis->line->count + 1;
    for (size_t first = 0; first < cells; first++) {
        if (!axis_holds(axis, first))
            continue;
        size_t last = first;
        while (last + 1 < cells && axis_holds(axis, last + 1))
            last++;
        struct strip strip = {.lo.open = true, .hi.open = true};
        if (first)
            strip.lo = branch_of(c, axis, first % 2 ? first / 2 : first / 2 - 1, first % 2 == 0);
        if (last < cells - 1)
            strip.hi = branch_of(c, axis, last / 2, last % 2 == 0);
        vec_push(c->arena, &strips, strip);
        first = last;
    }
    cell->strips = strips.at;
    cell->count = strips.count;
}

/* --- joining --------------------------------------------------------------------------------- */

static bool branch_same(const struct branch *a, const struct branch *b)
{
    return a->curve == b->curve && a->root == b->root && a->open == b->open;
}

/* Do the roots of the curve go on at the line's root number i with the same numbers: is neither the
   leading coefficient nor the discriminant zero there? */
static bool curve_continues(struct cutting *c, const struct line *line, size_t i,
                            const struct poly *curve)
{
    const fmpz_mpoly_ctx_struct *ctx = c->ring->ctx->zctx;
    const slong variables[1] = {c->y};
    bool continues = true;
    fmpz_mpoly_t p;
    fmpz_poly_t q;
    fmpz_mpoly_init(p, ctx);
    fmpz_poly_init(q);
    const ulong exponents[1] = {curve ? poly_degree(curve, c->y) : 0};
    for (int which = 0; curve && which < (exponents[0] > 1 ? 2 : 1); which++) {
        if (which)
            fmpz_mpoly_discriminant(p, curve->value->zpoly, c->y, ctx);
        else
            fmpz_mpoly_get_coeff_vars_ui(p, curve->value->zpoly, variables, exponents, 1, ctx);
        axis_take(c->ring, q, p, c->x, -1, NULL);
        continues &= q->length == 1 || line_sign(line, q, 2 * i + 1) != 0;
    }
    fmpz_mpoly_clear(p, ctx);
    fmpz_poly_clear(q);
    return continues;
}

/* Is the cell after the breakpoint the same as the one before it? */
static bool cell_continues(struct cutting *c, const struct line *line, size_t i,
                           const struct cell *before, const struct cell *after)
{
    if (before->count != after->count)
        return false;
    for (size_t k = 0; k < after->count; k++) {
        const struct strip *a = before->strips + k, *b = after->strips + k;
        if (!branch_same(&a->lo, &b->lo) || !branch_same(&a->hi, &b->hi) ||
            !curve_continues(c, line, i, a->lo.curve) || !curve_continues(c, line, i, a->hi.curve))
            return false;
    }
    return true;
}

/* The cell over the line's interval number i. */
static struct cell cell_make(struct cutting *c, const struct line *line, size_t i)
{
    struct cell cell = {0};
    fmpq_t value;
    fmpq_init(value);
    line_sample(line, 2 * i, value);
    struct axis *axis = axis_new(c->scratch, c->f, c->y, c->x, value);
    axis_cut(axis, (const fmpz_mpoly_struct *const *)c->curves.at, c->curves.count, c->x, value);
    strips_collect(c, &cell, axis);
    fmpq_clear(value);
    return cell;
}

const struct cell *formula_cells(struct arena *arena, struct ring *ring, const struct formula *f,
                                 int x, int y, size_t *count, const char **reason)
{
    VEC(struct cell) list = {0};
    struct cutting c = {
        .arena = arena, .scratch = arena_new(), .ring = ring, .f = f, .x = x, .y = y};
    size_t joined = 0;   /* the last cell reaches up to this breakpoint */
    atoms_add(&c, f);
    curves_project(&c);
    struct line *line = c.reason ? NULL : breakpoints(&c);
    for (size_t i = 0; line && i <= line->count; i++) {
        struct cell cell = cell_make(&c, line, i);
        cell.x.lo = endpoint_of(arena, line, i - 1, i == 0, true);
        cell.x.hi = endpoint_of(arena, line, i, i == line->count, true);
        if (!cell.count)
            continue;
        if (list.count && joined == i && cell_continues(&c, line, i - 1, &vec_last(&list), &cell))
            vec_last(&list).x.hi = cell.x.hi;
        else
            vec_push(arena, &list, cell);
        joined = i + 1;
    }
    arena_free(c.scratch);
    *count = list.count;
    if (reason)
        *reason = c.reason;
    return c.reason ? NULL : list.at ? list.at : ARENA_NEW(arena, struct cell);
}

/* Projection at the sample (Collins, Hong; docs/certificates.md, rule 2). In: cells of the level
   over the sample, one of them or a covering of the line; out: irreducible polynomials of lower
   levels. On every connected set around the sample where none of them changes its sign, the roots
   of the cells' polynomials are continuous functions: the coefficients kept fix the degree, the
   subresultants with the derivative the number of distinct roots, those of pairs the order of
   roots; so the cells stay and stay a covering. A cell that was decided by a covering over it stays
   connected, one that is alone is never empty; for a cell of a covering decided by signs alone (a
   leaf) neither is asked for. Zeros at the sample decide how many coefficients and subresultants
   that takes. */
#include "constraints/cover/search.h"
#include "base/vec.h"

struct projection {
    struct search *s;
    struct arena *arena;
    int variable;
    bool covering;
    uint64_t stamp, stamp_from;
    VEC(int) found;
};

/* Adds the irreducible factors of a polynomial given by number. */
static bool found_add(struct projection *p, int polynomial)
{
    if (polynomial < 0)
        return polynomial != POLYNOMIAL_VOID;
    if (!table_factor(p->s->table, polynomial))
        return false;
    const struct polynomial *entry = p->s->table->at[polynomial];
    for (size_t i = 0; i < entry->factor_count; i++) {
        struct view *view = view_of(p->s, entry->factors[i]);
        if (view->mark == p->stamp)
            continue;
        view->mark = p->stamp;
        vec_push(p->arena, &p->found, entry->factors[i]);
    }
    return true;
}

/* The polynomial without its terms of highest degree that vanish over the sample; *degree of it, -1
   if it vanishes. The coefficients looked at are added. False if the budget is spent. */
static bool reduce(struct projection *p, int polynomial, int *reductum, int *degree)
{
    const struct shape *shape = table_shape(p->s->table, polynomial, p->variable);
    for (*degree = (int)shape->degree; *degree >= 0; --*degree) {
        int coefficient = shape->at[*degree], zero = view_zero(p->s, coefficient);
        if (zero < 0 || !found_add(p, coefficient))
            return false;
        if (!zero)
            break;
    }
    *reductum = *degree < 1
                    ? POLYNOMIAL_ONE
                    : table_reductum(p->s->table, polynomial, p->variable, (unsigned)*degree);
    return true;
}

/* Adds principal subresultants of two reducta up to the first that is not zero at the sample. */
static bool add_chain(struct projection *p, int f, int g)
{
    struct table *table = p->s->table;
    unsigned m = table_degree(table, f, p->variable), n = table_degree(table, g, p->variable);
    for (unsigned k = 0; k < m && k < n; k++) {
        int coefficient = table_subresultant(table, f, g, p->variable, k);
        int zero = view_zero(p->s, coefficient);
        if (zero < 0 || !found_add(p, coefficient))
            return false;
        if (!zero)
            break;
    }
    return true;
}

/* Keeps the number and multiplicities of the roots of one polynomial. */
static bool add_polynomial(struct projection *p, int polynomial)
{
    struct view *view = view_of(p->s, polynomial);
    int reductum, degree;
    if (view->mark_from == p->stamp_from)
        return true;
    view->mark_from = p->stamp_from;
    if (!reduce(p, polynomial, &reductum, &degree))
        return false;
    return degree < 2 ||
           add_chain(p, reductum, table_derivative(p->s->table, reductum, p->variable));
}

/* Keeps the order of the roots of two polynomials whose degree over the sample is 1 or more. */
static bool add_pair(struct projection *p, int f, int g)
{
    int degree;
    if (f == g)
        return true;
    return reduce(p, f, &f, &degree) && reduce(p, g, &g, &degree) && add_chain(p, f, g);
}

/* Keeps the roots of the cell's polynomials on their side of one of its bounds: side -1 the lower,
   1 the upper. */
static bool add_side(struct projection *p, const struct cell *cell, const struct bound *bound,
                     int side)
{
    struct search *s = p->s;
    if (!bound->end)
        return true;
    for (size_t i = 0; i < cell->set.count; i++) {
        int polynomial = cell->set.at[i];
        struct view *view;
        if (polynomial == bound->polynomial || view_level(s, polynomial) != (int)s->height)
            continue;
        if (!view_roots(s, polynomial, &view))
            return false;
        if (!view->root_count)
            continue;
        int order = root_compare(s->sample, view->roots[side < 0 ? 0 : view->root_count - 1],
                                 bound->end->root);
        if (order == SIGN_UNDECIDED ||
            (order * side >= 0 && !add_pair(p, bound->polynomial, polynomial)))
            return false;
    }
    return true;
}

static bool add_cell(struct projection *p, const struct cell *cell)
{
    for (size_t i = 0; i < cell->set.count; i++) {
        int polynomial = cell->set.at[i];
        bool here = view_level(p->s, polynomial) == (int)p->s->height;
        if (here ? !add_polynomial(p, polynomial) : !found_add(p, polynomial))
            return false;
    }
    if (!add_side(p, cell, &cell->lo, -1) || !add_side(p, cell, &cell->hi, 1))
        return false;
    return (cell->leaf && p->covering) || !cell->lo.end || !cell->hi.end ||
           add_pair(p, cell->lo.polynomial, cell->hi.polynomial);
}

bool project_cells(struct search *s, struct arena *arena, struct cell **cells, size_t count,
                   bool covering, struct set *set)
{
    struct projection p = {
        .s = s, .arena = s->level[s->height].arena, .variable = s->level[s->height].variable};
    p.covering = covering;
    p.stamp = ++s->version;
    p.stamp_from = ++s->version;
    for (size_t i = 0; i < count; i++)
        if (!add_cell(&p, cells[i]))
            return false;
    for (size_t i = 0; covering && i + 1 < count; i++)
        if (!add_pair(&p, cells[i]->hi.polynomial, cells[i + 1]->lo.polynomial))
            return false;
    *set = set_make(arena, p.found.at, p.found.count);
    return !s->budget->spent;
}

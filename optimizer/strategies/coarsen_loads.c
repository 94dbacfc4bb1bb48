/* What the points of a thread load, counted to choose how a kernel is coarsened.

   In: statements and the points of a thread, consecutive or a block apart. Out: the elements of
   global and shared arrays that all copies load, each once (elements.c). Loops that are marked to
   be unrolled count round by round: what a window of taps reads at one point its next point reads
   in other rounds. */
#include "optimizer/strategies/coarsen.h"
#include "ir/walk.h"

/* Short loops that an element's subscripts name, and the most rounds of all together that are
   looked at one by one. */
enum { LOOPS_MOST = 4, ROUNDS_MOST = 128 };

/* The variables in the subscripts of a load that are a literal in each of its copies: the point,
   then those of short loops. */
struct copying {
    int n;
    const struct var *variables[1 + LOOPS_MOST];
    const struct expr *values[1 + LOOPS_MOST];
    const struct stmt *loops[1 + LOOPS_MOST];
};

/* An element as a copy reads it, in one round of the loops. */
static const struct element *element_copy(struct coarsening *c, const struct element *from,
                                          const struct copying *copying)
{
    int n = from->array->n_dims;
    const struct expr **subscripts = ARENA_ARRAY(c->arena, const struct expr *, n + 1);
    const struct poly **polys = ARENA_ARRAY(c->arena, const struct poly *, n + 1);
    struct substitution values = {copying->n, copying->variables, copying->values};
    for (int i = 0; i < n; i++) {
        subscripts[i] = expr_replace(c->arena, from->subscripts[i], &values);
        polys[i] = expr_poly(c->elements.ring, subscripts[i]);
    }
    struct element *element = ARENA_NEW(c->arena, struct element);
    *element = (struct element){from->array, subscripts, polys};
    return element;
}

static bool element_uses(const struct element *element, const struct var *var)
{
    for (int i = 0; i < element->array->n_dims; i++)
        if (expr_uses_var(element->subscripts[i], var))
            return true;
    return false;
}

/* Which of the short loops around the element's load it is read in round by round. */
static struct copying copying_begin(struct coarsening *c, const struct element *element,
                                    const struct stmts *around)
{
    struct copying copying = {.n = 1, .variables = {c->point}};
    int64_t rounds = 1;
    for (size_t i = 0; i < around->count && copying.n <= LOOPS_MOST; i++) {
        const struct stmt *loop = around->at[i];
        int64_t more = stmt_literal_rounds(loop);
        if (!element_uses(element, loop->var) || rounds * more > ROUNDS_MOST)
            continue;
        rounds *= more;
        copying.loops[copying.n] = loop;
        copying.variables[copying.n++] = loop->var;
    }
    return copying;
}

static void load_add(struct coarsening *c, struct loads *loads, const struct element *own)
{
    bool known = false;
    for (size_t i = 0; i < loads->distinct.count && !known; i++)
        known = element_equal(loads->distinct.at[i], own);
    if (!known)
        vec_push(c->arena, &loads->distinct, own);
    loads->all++;
}

/* Adds what the copy reads in all rounds of the loops from number `at` on. */
static void rounds_add(struct coarsening *c, struct loads *loads, const struct element *element,
                       struct copying *copying, int at)
{
    if (at == copying->n) {
        load_add(c, loads, element_copy(c, element, copying));
        return;
    }
    const struct stmt *loop = copying->loops[at];
    int64_t rounds = stmt_literal_rounds(loop), from, step;
    if (!expr_get_integer(loop->from, &from) || !expr_get_integer(loop->step, &step))
        return;
    for (int64_t round = 0; round < rounds; round++) {
        copying->values[at] = expr_integer(c->arena, loop->var->type, from + round * step);
        rounds_add(c, loads, element, copying, at + 1);
    }
}

static void loads_add(struct coarsening *c, struct loads *loads, const struct element *element,
                      const struct stmts *around)
{
    struct copying copying = copying_begin(c, element, around);
    vec_push(c->arena, &loads->first, element);
    for (int copy = 0; copy < c->factor; copy++) {
        copying.values[0] = point_of(c, expr_var(c->arena, c->point), copy);
        rounds_add(c, loads, element, &copying, 1);
    }
}

struct loads loads_count(struct coarsening *c, const struct stmt *root)
{
    struct loads loads = {0};
    struct stmts around = {0};
    struct stmt_walk stmts;
    struct expr_walk exprs;
    for (const struct stmt *s = stmt_first(&stmts, c->arena, root); s; s = stmt_next(&stmts)) {
        if (s->kind == STMT_FOR && s->unroll && stmt_literal_rounds(s))
            vec_push(c->arena, &around, s);
        if (s->width)
            continue;
        const struct expr *e = stmt_first_expr(&exprs, c->arena, s);
        for (; e; e = expr_next(&exprs)) {
            const struct element *element = NULL;
            if (e->kind == EXPR_LOAD && e->array->space != SPACE_PRIVATE)
                element = elements_of(&c->elements, e);
            if (element)
                loads_add(c, &loads, element, &around);
        }
    }
    return loads;
}

size_t bands_load(struct coarsening *c, const struct stmt *body, bool consecutive)
{
    size_t count = 0;
    struct stmt_walk walk;
    c->consecutive = consecutive;
    for (const struct stmt *s = stmt_first(&walk, c->arena, body); s; s = stmt_next(&walk)) {
        if (s->kind != STMT_BAND || s->strided)
            continue;
        c->point = s->axes[c->axis].var;
        count += loads_count(c, s->children[0]).distinct.count;
    }
    return count;
}

size_t tiles_load(struct coarsening *c, const struct stmt *body)
{
    size_t count = 0;
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, c->arena, body); s; s = stmt_next(&walk)) {
        if (s->kind != STMT_BAND || s->strided || c->axis + 1 >= s->n_axes)
            continue;
        c->point = s->axes[c->axis].var;
        struct loads loads = loads_count(c, s->children[0]);
        for (size_t i = 0; i < loads.distinct.count; i++) {
            bool varies = element_uses(loads.distinct.at[i], s->axes[s->n_axes - 1].var);
            count += varies ? (size_t)c->factor : 1;
        }
    }
    return count;
}

/* Do threads that follow each other along the axis load the same element, or neighbours? Of a tile
   they may load any: rows of tiles are padded where that keeps banks apart. */
static bool is_neighbourly(const struct coarsening *c, const struct element *element)
{
    if (element->array->space == SPACE_SHARED)
        return true;
    int v = ring_find(c->elements.ring, c->point->name), last = element->array->n_dims - 1;
    int64_t step;
    for (int i = 0; i <= last; i++) {
        const struct poly *p = element->polys[i];
        if (!expr_uses_var(element->subscripts[i], c->point))
            continue;
        if (!p || v < 0 || i < last || poly_degree(p, v) > 1 ||
            !poly_get_integer(poly_coefficient(p, v, 1), &step) || step != 1)
            return false;
    }
    return true;
}

bool loop_shares(struct coarsening *c, const struct stmt *loop)
{
    struct loads loads = loads_count(c, loop);
    for (size_t i = 0; i < loads.first.count; i++)
        if (!is_neighbourly(c, loads.first.at[i]))
            return false;
    return (int)loads.distinct.count < loads.all;
}

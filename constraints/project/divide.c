/* Division of equations. In: a conjunction with f = 0 and g = 0, deg f <= deg g in x; out: where
   the leading coefficient of f does not vanish, g is replaced by its pseudo-remainder by f, which
   vanishes with g there; where it vanishes, f loses its leading term. Repeated, this is Euclid's
   algorithm with parameters. It pays where the remainder is simpler than g (the difference of two
   circles is a line), and where degrees are beyond what roots in radicals can do. */
#include "constraints/project/plan.h"

enum { COST_SIMPLER = 90, COST_EUCLID = 1500, DIVISION_LIMIT = 200 };

/* remainder: of lc^k * g by f, k as small as the steps need. */
static void remainder_make(struct work *w, fmpz_mpoly_t remainder, const struct polynomial *f,
                           const struct polynomial *g, int x)
{
    unsigned degree = work_degree(w, f->p, x);
    fmpz_mpoly_t lead, top, power;
    fmpz_mpoly_init(lead, w->ctx);
    fmpz_mpoly_init(top, w->ctx);
    fmpz_mpoly_init(power, w->ctx);
    work_coefficient(w, lead, f->p, x, degree);
    fmpz_mpoly_set(remainder, g->p, w->ctx);
    for (unsigned d = work_degree(w, remainder, x);
         !w->broken && d >= degree && !fmpz_mpoly_is_zero(remainder, w->ctx);
         d = work_degree(w, remainder, x)) {
        work_coefficient(w, top, remainder, x, d);
        fmpz_mpoly_gen(power, x, w->ctx);
        fmpz_mpoly_pow_ui(power, power, d - degree, w->ctx);
        work_mul(w, top, top, power);
        work_mul(w, top, top, f->p);
        work_mul(w, remainder, remainder, lead);
        fmpz_mpoly_sub(remainder, remainder, top, w->ctx);
    }
    fmpz_mpoly_clear(lead, w->ctx);
    fmpz_mpoly_clear(top, w->ctx);
    fmpz_mpoly_clear(power, w->ctx);
}

size_t divide_cost(struct work *w, const struct polynomial *divisor,
                   const struct polynomial *dividend, int x, bool leading)
{
    unsigned low = work_degree(w, divisor->p, x), high = work_degree(w, dividend->p, x);
    if (low < 2 || high < low || divisor == dividend || w->divisions >= DIVISION_LIMIT)
        return 0;
    fmpz_mpoly_t remainder;
    fmpz_mpoly_init(remainder, w->ctx);
    remainder_make(w, remainder, divisor, dividend, x);
    bool simpler = leading && remainder->length <= divisor->p->length + dividend->p->length &&
                   mpoly_total_degree(remainder, w->ctx) <= mpoly_total_degree(dividend->p, w->ctx);
    fmpz_mpoly_clear(remainder, w->ctx);
    return simpler ? COST_SIMPLER : low > 2 ? COST_EUCLID : 0;
}

void equation_divide(struct work *w, const struct node *node, const struct plan *plan,
                     node_list *out)
{
    const struct polynomial *f = plan->chosen->factors[0], *g = plan->other->factors[0];
    unsigned degree = work_degree(w, f->p, plan->x);
    fmpz_mpoly_t lead, rest;
    fmpz_mpoly_init(lead, w->ctx);
    fmpz_mpoly_init(rest, w->ctx);
    w->divisions++;
    work_coefficient(w, lead, f->p, plan->x, degree);
    remainder_make(w, rest, f, g, plan->x);
    const struct node *divided =
        node_and2(w, conjunction_without(w, node, plan->other), node_sign(w, rest, SIGN_ZERO));
    vec_push(w->arena, out,
             node_and2(w, node_sign(w, lead, SIGN_NEGATIVE | SIGN_POSITIVE), divided));
    fmpz_mpoly_gen(rest, plan->x, w->ctx);
    fmpz_mpoly_pow_ui(rest, rest, degree, w->ctx);
    work_mul(w, rest, rest, lead);
    fmpz_mpoly_sub(rest, f->p, rest, w->ctx);
    const struct node *shortened =
        node_and2(w, conjunction_without(w, node, plan->chosen), node_sign(w, rest, SIGN_ZERO));
    vec_push(w->arena, out, node_and2(w, node_sign(w, lead, SIGN_ZERO), shortened));
    fmpz_mpoly_clear(lead, w->ctx);
    fmpz_mpoly_clear(rest, w->ctx);
}

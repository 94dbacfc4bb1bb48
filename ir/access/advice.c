/* Which assertion of the user's would supply a fact that a question lacks.

   In: a polynomial p and a bound that it is not known to reach. Out: assertions to try, simplest
   first: a single parameter is at least 0 or 1, all parameters of p are, p itself is. Only what an
   `assert` before the region can state is offered: parameters, no quotients. Whether an assertion
   decides the question is for the caller to try, since a fact that is missing is not always the
   only one. */
#include "ir/access/advice.h"

struct advice_search {
    struct analysis *analysis;
    const struct context *context;
    const struct poly *p;
    advice_list list;
};

/* May something be gained by knowing that the variable is at least `least`? */
static bool is_open(const struct advice_search *search, int variable, int64_t least)
{
    const struct context *context = search->context;
    return search->analysis->params[variable] && poly_uses(search->p, variable) &&
           !(context->has_lo[variable] && context->lo[variable] >= least);
}

static void add_bound(struct advice_search *search, struct advice *advice, struct str *text,
                      int variable, int64_t least)
{
    struct ring *ring = search->analysis->ring;
    const struct poly *x = poly_variable(ring, variable);
    advice->facts[advice->n_facts++] = poly_sub(x, poly_integer(ring, least));
    str_add(text, text->length ? " && " : "");
    str_addf(text, "%s >= %lld", ring_name(ring, variable), (long long)least);
}

static void add_advice(struct advice_search *search, struct advice *advice, const char *condition)
{
    struct arena *arena = search->analysis->ctx->arena;
    if (!advice->n_facts)
        return;
    advice->text = arena_printf(arena, "`assert(%s);` before the region", condition);
    vec_push(search->analysis->arena, &search->list, *advice);
}

static void add_single(struct advice_search *search, int64_t least)
{
    for (int v = 0; v < ring_count(search->analysis->ring); v++) {
        struct advice advice = {0};
        struct str text = str_new(search->analysis->arena);
        if (!is_open(search, v, least))
            continue;
        add_bound(search, &advice, &text, v, least);
        add_advice(search, &advice, text.text);
    }
}

static void add_all(struct advice_search *search, int64_t least)
{
    struct advice advice = {0};
    struct str text = str_new(search->analysis->arena);
    for (int v = 0; v < ring_count(search->analysis->ring); v++)
        if (is_open(search, v, least))
            add_bound(search, &advice, &text, v, least);
    if (advice.n_facts > 1)
        add_advice(search, &advice, text.text);
}

static void add_whole(struct advice_search *search, int64_t least)
{
    struct analysis *analysis = search->analysis;
    const struct expr *e = expr_of_poly(analysis, search->p, TYPE_I32);
    if (!e || !analysis_export(analysis, search->p))
        return;
    struct advice advice = {.n_facts = 1};
    advice.facts[0] = poly_sub(search->p, poly_integer(analysis->ring, least));
    add_advice(search, &advice, arena_printf(analysis->arena, "%s >= %lld",
                                             expr_text(analysis->arena, e), (long long)least));
}

advice_list advice_find(struct analysis *analysis, const struct context *context,
                        const struct poly *p, int64_t least)
{
    struct advice_search search = {analysis, context, p, {0}};
    add_single(&search, 0);
    add_single(&search, 1);
    add_all(&search, 0);
    add_all(&search, 1);
    add_whole(&search, least);
    return search.list;
}

struct context *advice_take(const struct context *context, const struct advice *advice)
{
    struct context *under = context_extend(context);
    for (size_t i = 0; i < advice->n_facts; i++)
        context_fact(under, advice->facts[i]);
    context_floors(under);
    return under;
}

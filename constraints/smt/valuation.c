/* Models and what terms are worth in them. In: the solver's witness; out: exact values, by
   evaluation from the operands to the root, each node of the graph once. Divisions by zero give
   what the assertions say of them: the value kept for an equal dividend, else 0 (in a session with
   one constant for all: that constant). */
#include "constraints/smt/valuation.h"

struct valuation {
    struct arena *arena;
    const struct session *session;
    const struct exact *point[RING_CAPACITY];
    const struct exact *zero;
};

struct valuation *valuation_new(struct session *session)
{
    const struct witness *witness = solver_witness(session->solver);
    if (!witness)
        return NULL;
    struct arena *arena = arena_new();
    struct valuation *valuation = ARENA_NEW(arena, struct valuation);
    valuation->arena = arena;
    valuation->session = session;
    valuation->zero = exact_fraction(arena, 0, 1);
    bool read = true;
    for (int v = 0; v < ring_count(session->ring); v++) {
        valuation->point[v] = exact_witness(arena, witness, v);
        read = read && valuation->point[v];
    }
    for (int v = ring_count(session->ring); v < RING_CAPACITY; v++)
        valuation->point[v] = valuation->zero;
    if (read)
        return valuation;
    arena_free(arena);
    return NULL;
}

void valuation_free(struct valuation *valuation)
{
    if (valuation)
        arena_free(valuation->arena);
}

struct meaning valuation_symbol(const struct valuation *valuation, struct arena *arena,
                                const struct symbol *symbol)
{
    const struct poly *p = session_find(valuation->session, symbol);
    const struct exact *value = p ? exact_at(arena, p, valuation->point) : valuation->zero;
    if (symbol->sort == SORT_BOOL)
        return (struct meaning){.truth = exact_sign(value) > 0};
    return (struct meaning){.value = value};
}

/* --- evaluation ------------------------------------------------------------------------------ */

struct evaluation {
    const struct valuation *valuation;
    struct arena *arena;
    struct map *done;
    const char *error;
};

/* function(argument) */
static const struct exact *zero_value(const struct evaluation *e, enum zero_function function,
                                      const struct exact *argument)
{
    const struct session *session = e->valuation->session;
    if (session->zero_constant[function] >= 0)
        return e->valuation->point[session->zero_constant[function]];
    for (size_t i = 0; i < session->zeros.count; i++) {
        const struct zero *zero = &session->zeros.at[i];
        const struct exact *at = zero->function == function
                                     ? exact_at(e->arena, zero->argument, e->valuation->point)
                                     : NULL;
        if (at && exact_compare(at, argument) == 0)
            return e->valuation->point[zero->variable];
    }
    return e->valuation->zero;
}

static const struct exact *divided(const struct evaluation *e, enum term_op op,
                                   const struct exact *a, const struct exact *b)
{
    static const enum zero_function functions[] = {
        [TERM_DIVIDE] = ZERO_DIVIDE, [TERM_IDIV] = ZERO_DIV, [TERM_MOD] = ZERO_MOD};
    struct arena *arena = e->arena;
    if (!a || !b)
        return NULL;
    if (exact_sign(b) == 0)
        return zero_value(e, functions[op], a);
    const struct exact *quotient = exact_div(arena, a, b);
    if (op == TERM_DIVIDE)
        return quotient;
    if (exact_sign(b) > 0)
        quotient = exact_floor(arena, quotient);
    else
        quotient = exact_sub(arena, e->valuation->zero,
                             exact_floor(arena, exact_sub(arena, e->valuation->zero, quotient)));
    return op == TERM_IDIV ? quotient : exact_sub(arena, a, exact_mul(arena, b, quotient));
}

static const struct exact *literal(const struct evaluation *e, const char *text)
{
    const char *error = NULL;
    const struct poly *p = poly_read(e->valuation->session->ring, text, &error);
    return p ? exact_constant(e->arena, p) : NULL;
}

static const struct exact *number(const struct evaluation *e, const struct term *term,
                                  const struct meaning *at, size_t count)
{
    struct arena *arena = e->arena;
    const struct exact *value = count ? at[0].value : NULL;
    switch (term->op) {
    case TERM_NUMBER: return literal(e, term->name);
    case TERM_ITE: return at[at[0].truth ? 1 : 2].value;
    case TERM_NEG: return exact_sub(arena, e->valuation->zero, value);
    case TERM_POWER: return exact_power(arena, value, term->exponent);
    case TERM_FLOOR: return exact_floor(arena, value);
    case TERM_DIVIDE:
    case TERM_IDIV:
    case TERM_MOD: return divided(e, term->op, value, at[1].value);
    default: break;
    }
    for (size_t i = 1; i < count; i++)
        value = term->op == TERM_ADD ? exact_add(arena, value, at[i].value)
                                     : exact_mul(arena, value, at[i].value);
    return value;
}

static bool truth(const struct term *term, const struct meaning *at, size_t count)
{
    size_t holding = 0;
    for (size_t i = 0; i < count; i++)
        holding += at[i].truth;
    switch (term->op) {
    case TERM_TRUE: return true;
    case TERM_NOT: return !at[0].truth;
    case TERM_AND: return holding == count;
    case TERM_OR: return holding > 0;
    case TERM_XOR: return at[0].truth != at[1].truth;
    case TERM_ITE: return at[at[0].truth ? 1 : 2].truth;
    case TERM_EQ: return exact_compare(at[0].value, at[1].value) == 0;
    case TERM_LE: return exact_compare(at[0].value, at[1].value) <= 0;
    case TERM_LT: return exact_compare(at[0].value, at[1].value) < 0;
    default: return false;
    }
}

static bool known(void *self, const struct term *term)
{
    return map_get_pointer(((struct evaluation *)self)->done, term) != NULL;
}

static bool enter(void *self, const struct term *term)
{
    struct evaluation *e = self;
    if (term->op == TERM_FORALL || term->op == TERM_EXISTS)
        e->error = "the value of a term with quantifiers is not told";
    return !e->error;
}

static bool leave(void *self, const struct term *term)
{
    struct evaluation *e = self;
    size_t count;
    const struct term *const *operands = term_operands(e->arena, term, &count);
    struct meaning *at = ARENA_ARRAY(e->arena, struct meaning, count),
                   *meaning = ARENA_NEW(e->arena, struct meaning);
    for (size_t i = 0; i < count; i++)
        at[i] = *(const struct meaning *)map_get_pointer(e->done, operands[i]);
    if (term->op == TERM_CONSTANT)
        *meaning = valuation_symbol(e->valuation, e->arena, term->symbol);
    else if (term->sort == SORT_BOOL)
        meaning->truth = truth(term, at, count);
    else
        meaning->value = number(e, term, at, count);
    map_put_pointer(e->done, term, meaning);
    if (term->sort == SORT_BOOL || meaning->value)
        return true;
    e->error = "a value is beyond the limits of degree or size";
    return false;
}

bool valuation_of(const struct valuation *valuation, struct arena *arena, const struct term *term,
                  struct meaning *meaning, const char **error)
{
    struct evaluation e = {valuation, arena, map_new(arena), NULL};
    const struct term_visitor visitor = {&e, known, enter, leave};
    if (!term_visit(arena, term, &visitor)) {
        *error = e.error;
        return false;
    }
    *meaning = *(const struct meaning *)map_get_pointer(e.done, term);
    return true;
}

/* --- printing -------------------------------------------------------------------------------- */

void meaning_print(struct str *out, struct meaning meaning, enum sort sort)
{
    if (sort == SORT_BOOL)
        str_add(out, meaning.truth ? "true" : "false");
    else
        exact_print(out, meaning.value, sort == SORT_REAL);
}

static void zeros_print(struct str *out, const struct valuation *valuation,
                        enum zero_function function, const char *name, enum sort sort)
{
    const struct session *session = valuation->session;
    const struct exact *otherwise = valuation->zero;
    size_t open = 0;
    if (session->zero_constant[function] >= 0)
        otherwise = valuation->point[session->zero_constant[function]];
    struct str cases = str_new(out->arena);
    for (size_t i = 0; i < session->zeros.count; i++) {
        const struct zero *zero = &session->zeros.at[i];
        const struct exact *at = zero->function == function
                                     ? exact_at(out->arena, zero->argument, valuation->point)
                                     : NULL;
        if (!at)
            continue;
        str_add(&cases, "(ite (= x ");
        exact_print(&cases, at, sort == SORT_REAL);
        str_add(&cases, ") ");
        exact_print(&cases, valuation->point[zero->variable], sort == SORT_REAL);
        str_char(&cases, ' ');
        open++;
    }
    if (!open && session->zero_constant[function] < 0)
        return;
    exact_print(&cases, otherwise, sort == SORT_REAL);
    str_addf(out, "  (define-fun %s ((x %s)) %s %s", name, sort_name(sort), sort_name(sort),
             cases.text);
    for (; open; open--)
        str_char(out, ')');
    str_add(out, ")\n");
}

void valuation_print_zeros(struct str *out, const struct valuation *valuation)
{
    zeros_print(out, valuation, ZERO_DIVIDE, "/0", SORT_REAL);
    zeros_print(out, valuation, ZERO_DIV, "div0", SORT_INT);
    zeros_print(out, valuation, ZERO_MOD, "mod0", SORT_INT);
}

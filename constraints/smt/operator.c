/* The operators of SMT-LIB written out in those of term.h. In: operands; out: a term, or an error
   that names the operator and the operand. Sorts follow the standard, except that integers may
   stand where reals are expected (as other tools have it): one real operand makes the result real.
   `=`, `<` and the like are chains, `distinct` is pairwise, `=>` associates to the right, `-`, `/`
   and `div` to the left; `xor` is associative. */
#include "constraints/smt/term.h"
#include <string.h>

enum operands { OPERANDS_BOOL, OPERANDS_NUMBER, OPERANDS_INT, OPERANDS_ANY, OPERANDS_MIXED };

typedef const struct term *(*operator_function)(struct term_maker *maker,
                                                const struct term *const *at, size_t count);

struct operator {
    const char *name;
    operator_function apply;
    size_t least, greatest;
    enum operands operands;
};

static const struct term *unary(struct term_maker *maker, enum term_op op, const struct term *a)
{
    return term_make(maker, op, &a, 1);
}

static const struct term *binary(struct term_maker *maker, enum term_op op, const struct term *a,
                                 const struct term *b)
{
    return term_make(maker, op, (const struct term *[]){a, b}, 2);
}

static const struct term *apply_not(struct term_maker *maker, const struct term *const *at,
                                    size_t count)
{
    (void)count;
    return unary(maker, TERM_NOT, at[0]);
}

static const struct term *apply_and(struct term_maker *maker, const struct term *const *at,
                                    size_t count)
{
    return term_make(maker, TERM_AND, at, count);
}

static const struct term *apply_or(struct term_maker *maker, const struct term *const *at,
                                   size_t count)
{
    return term_make(maker, TERM_OR, at, count);
}

static const struct term *left(struct term_maker *maker, enum term_op op,
                               const struct term *const *at, size_t count)
{
    const struct term *term = at[0];
    for (size_t i = 1; i < count; i++)
        term = binary(maker, op, term, at[i]);
    return term;
}

/* A balanced tree: neighbours are joined until one is left. */
static const struct term *apply_xor(struct term_maker *maker, const struct term *const *at,
                                    size_t count)
{
    const struct term **terms = ARENA_ARRAY(maker->arena, const struct term *, count);
    memcpy(terms, at, count * sizeof *at);
    for (; count > 1; count = (count + 1) / 2)
        for (size_t i = 0; i < count; i += 2)
            terms[i / 2] =
                i + 1 < count ? binary(maker, TERM_XOR, terms[i], terms[i + 1]) : terms[i];
    return terms[0];
}

static const struct term *apply_implies(struct term_maker *maker, const struct term *const *at,
                                        size_t count)
{
    const struct term *term = at[count - 1];
    for (size_t i = count - 1; i-- > 0;)
        term = binary(maker, TERM_OR, unary(maker, TERM_NOT, at[i]), term);
    return term;
}

static const struct term *apply_ite(struct term_maker *maker, const struct term *const *at,
                                    size_t count)
{
    if (at[0]->sort != SORT_BOOL)
        maker->error = "the condition of ite is no Bool";
    else if ((at[1]->sort == SORT_BOOL) != (at[2]->sort == SORT_BOOL))
        maker->error = "the branches of ite are of different sorts";
    else
        return term_make(maker, TERM_ITE, at, count);
    return NULL;
}

static const struct term *equality(struct term_maker *maker, const struct term *a,
                                   const struct term *b)
{
    return a->sort == SORT_BOOL ? unary(maker, TERM_NOT, binary(maker, TERM_XOR, a, b))
                                : binary(maker, TERM_EQ, a, b);
}

/* The conjunction of op over neighbours; `swapped`: with its sides exchanged. */
static const struct term *chain(struct term_maker *maker, enum term_op op, bool swapped,
                                const struct term *const *at, size_t count)
{
    VEC(const struct term *) links = {0};
    for (size_t i = 0; i + 1 < count; i++) {
        const struct term *a = at[swapped ? i + 1 : i], *b = at[swapped ? i : i + 1];
        vec_push(maker->arena, &links,
                 op == TERM_EQ ? equality(maker, a, b) : binary(maker, op, a, b));
    }
    return term_make(maker, TERM_AND, links.at, links.count);
}

static const struct term *apply_equal(struct term_maker *maker, const struct term *const *at,
                                      size_t count)
{
    return chain(maker, TERM_EQ, false, at, count);
}

static const struct term *apply_distinct(struct term_maker *maker, const struct term *const *at,
                                         size_t count)
{
    VEC(const struct term *) pairs = {0};
    if (at[0]->sort == SORT_BOOL && count > 2)
        return term_make(maker, TERM_FALSE, NULL, 0);
    for (size_t i = 0; i < count && !maker->error; i++)
        for (size_t j = i + 1; j < count; j++)
            vec_push(maker->arena, &pairs, unary(maker, TERM_NOT, equality(maker, at[i], at[j])));
    return term_make(maker, TERM_AND, pairs.at, pairs.count);
}

static const struct term *apply_less(struct term_maker *maker, const struct term *const *at,
                                     size_t count)
{
    return chain(maker, TERM_LT, false, at, count);
}

static const struct term *apply_less_equal(struct term_maker *maker, const struct term *const *at,
                                           size_t count)
{
    return chain(maker, TERM_LE, false, at, count);
}

static const struct term *apply_greater(struct term_maker *maker, const struct term *const *at,
                                        size_t count)
{
    return chain(maker, TERM_LT, true, at, count);
}

static const struct term *apply_greater_equal(struct term_maker *maker,
                                              const struct term *const *at, size_t count)
{
    return chain(maker, TERM_LE, true, at, count);
}

static const struct term *apply_add(struct term_maker *maker, const struct term *const *at,
                                    size_t count)
{
    return term_make(maker, TERM_ADD, at, count);
}

static const struct term *apply_subtract(struct term_maker *maker, const struct term *const *at,
                                         size_t count)
{
    if (count == 1)
        return unary(maker, TERM_NEG, at[0]);
    const struct term **terms = ARENA_ARRAY(maker->arena, const struct term *, count);
    for (size_t i = 0; i < count; i++)
        terms[i] = i ? unary(maker, TERM_NEG, at[i]) : at[0];
    return term_make(maker, TERM_ADD, terms, count);
}

static const struct term *apply_multiply(struct term_maker *maker, const struct term *const *at,
                                         size_t count)
{
    return term_make(maker, TERM_MUL, at, count);
}

static const struct term *apply_divide(struct term_maker *maker, const struct term *const *at,
                                       size_t count)
{
    return left(maker, TERM_DIVIDE, at, count);
}

static const struct term *apply_div(struct term_maker *maker, const struct term *const *at,
                                    size_t count)
{
    return left(maker, TERM_IDIV, at, count);
}

static const struct term *apply_mod(struct term_maker *maker, const struct term *const *at,
                                    size_t count)
{
    return left(maker, TERM_MOD, at, count);
}

static const struct term *apply_abs(struct term_maker *maker, const struct term *const *at,
                                    size_t count)
{
    const struct term *zero = term_number(maker, "0", SORT_INT);
    (void)count;
    return term_make(maker, TERM_ITE,
                     (const struct term *[]){binary(maker, TERM_LE, zero, at[0]), at[0],
                                             unary(maker, TERM_NEG, at[0])},
                     3);
}

/* A sum of one operand, real. */
static const struct term *apply_to_real(struct term_maker *maker, const struct term *const *at,
                                        size_t count)
{
    const struct term *zero = term_number(maker, "0", SORT_REAL);
    (void)count;
    return at[0]->sort == SORT_REAL ? at[0] : binary(maker, TERM_ADD, at[0], zero);
}

static const struct term *apply_to_int(struct term_maker *maker, const struct term *const *at,
                                       size_t count)
{
    (void)count;
    return at[0]->sort == SORT_INT ? at[0] : unary(maker, TERM_FLOOR, at[0]);
}

static const struct term *apply_is_int(struct term_maker *maker, const struct term *const *at,
                                       size_t count)
{
    return binary(maker, TERM_EQ, at[0], apply_to_int(maker, at, count));
}

static const struct term *apply_foreign(struct term_maker *maker, const struct term *const *at,
                                        size_t count)
{
    (void)at;
    (void)count;
    maker->error = "is no operator on polynomials";
    return NULL;
}

static const struct operator operators[] = {
#define X(name, how, least, greatest, sort) {name, apply_##how, least, greatest, OPERANDS_##sort},
#include "constraints/smt/operator.def"
#undef X
};

static const struct operator *operator_find(const char *name)
{
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++)
        if (strcmp(operators[i].name, name) == 0)
            return &operators[i];
    return NULL;
}

bool operator_known(const char *name)
{
    return operator_find(name) != NULL;
}

/* What is expected of operand `t`, given the first one; NULL if it is so. */
static const char *operand_wrong(const struct operator* op, const struct term *t,
                                 const struct term *first)
{
    bool is_bool = t->sort == SORT_BOOL;
    switch (op->operands) {
    case OPERANDS_BOOL: return is_bool ? NULL : "a Bool";
    case OPERANDS_NUMBER: return is_bool ? "a number" : NULL;
    case OPERANDS_INT: return t->sort == SORT_INT ? NULL : "an Int";
    case OPERANDS_ANY:
        return is_bool == (first->sort == SORT_BOOL) ? NULL : is_bool ? "a number" : "a Bool";
    case OPERANDS_MIXED: break;
    }
    return NULL;
}

const struct term *operator_apply(struct term_maker *maker, const char *name,
                                  const struct term *const *at, size_t count)
{
    const struct operator *op = operator_find(name);
    if (op->apply == apply_foreign)
        maker->error = arena_printf(maker->arena, "%s is no operator on polynomials", name);
    else if (count < op->least || (op->greatest && count > op->greatest))
        maker->error = arena_printf(maker->arena, "%s cannot have %zu operand%s", name, count,
                                    count == 1 ? "" : "s");
    for (size_t i = 0; i < count && !maker->error; i++) {
        const char *expected = operand_wrong(op, at[i], at[0]);
        if (expected)
            maker->error = arena_printf(maker->arena, "operand %zu of %s is %s, %s is expected",
                                        i + 1, name, sort_name(at[i]->sort), expected);
    }
    return maker->error ? NULL : op->apply(maker, at, count);
}

/* Products of complex numbers as C's Annex G.5.1 has them.

   In: the parts of both factors as code. Out: code of the parts of (ac - bd) + (ad + bc)i. Where
   both come out as NaN a factor with an infinite part is a direction, whose parts are 1, -1 or 0;
   NaN counts as 0, and the product is infinite in the direction of both. The product stays NaN
   where no factor and none of ac, bd, ad, bc is infinite. */
#include "replay/coding.h"

static const struct code *code_number(const struct product_code *p, double value)
{
    struct code *code = code_begin(p->coding, CODE_CONSTANT, p->class, NULL);
    code->real = value;
    return code;
}

static const struct code *code_computed(const struct product_code *p, enum ast_op op,
                                        const struct code *a, const struct code *b)
{
    struct code *code = code_begin(p->coding, CODE_ARITHMETIC, p->class, NULL);
    code->how = op;
    code->a = a;
    code->b = b;
    return code;
}

static const struct code *code_compared(const struct product_code *p, enum ast_op op,
                                        const struct code *a, const struct code *b)
{
    struct code *code = code_begin(p->coding, CODE_COMPARE, AST_TYPE_I32, NULL);
    code->how = op;
    code->from = p->class;
    code->a = a;
    code->b = b;
    return code;
}

static const struct code *code_joined(const struct product_code *p, enum code_op op,
                                      const struct code *a, const struct code *b)
{
    struct code *code = code_begin(p->coding, op, AST_TYPE_I32, NULL);
    code->a = a;
    code->b = b;
    return code;
}

static const struct code *code_chosen(const struct product_code *p, const struct code *which,
                                      const struct code *yes, const struct code *no)
{
    struct code *code = code_begin(p->coding, CODE_CHOICE, p->class, NULL);
    code->a = which;
    code->b = yes;
    code->c = no;
    return code;
}

static const struct code *code_is_infinite(const struct product_code *p, const struct code *x)
{
    const struct code *rest = code_computed(p, AST_OP_SUB, x, x);
    return code_joined(p, CODE_BOTH, code_compared(p, AST_OP_EQ, x, x),
                       code_compared(p, AST_OP_NE, rest, code_number(p, 0)));
}

static const struct code *code_either_is_infinite(const struct product_code *p,
                                                  const struct code *x, const struct code *y)
{
    return code_joined(p, CODE_EITHER, code_is_infinite(p, x), code_is_infinite(p, y));
}

static const struct code *code_direction(const struct product_code *p,
                                         const struct code *is_endless, const struct code *x)
{
    const struct code *sign = code_chosen(p, code_compared(p, AST_OP_GT, x, code_number(p, 0)),
                                          code_number(p, 1), code_number(p, -1));
    const struct code *end = code_chosen(p, code_is_infinite(p, x), sign, code_number(p, 0));
    const struct code *rest =
        code_chosen(p, code_compared(p, AST_OP_EQ, x, x), x, code_number(p, 0));
    return code_chosen(p, is_endless, end, rest);
}

void product_parts(const struct product_code *p, const struct code *out[2])
{
    const struct code *const *f = p->factors;
    const struct code *ac = code_computed(p, AST_OP_MUL, f[0], f[2]),
                      *bd = code_computed(p, AST_OP_MUL, f[1], f[3]),
                      *ad = code_computed(p, AST_OP_MUL, f[0], f[3]),
                      *bc = code_computed(p, AST_OP_MUL, f[1], f[2]);
    const struct code *parts[] = {code_computed(p, AST_OP_SUB, ac, bd),
                                  code_computed(p, AST_OP_ADD, ad, bc)};
    const struct code *first = code_either_is_infinite(p, f[0], f[1]),
                      *second = code_either_is_infinite(p, f[2], f[3]);
    const struct code *a = code_direction(p, first, f[0]), *b = code_direction(p, first, f[1]);
    const struct code *c = code_direction(p, second, f[2]), *d = code_direction(p, second, f[3]);
    const struct code *ends[] = {code_computed(p, AST_OP_SUB, code_computed(p, AST_OP_MUL, a, c),
                                               code_computed(p, AST_OP_MUL, b, d)),
                                 code_computed(p, AST_OP_ADD, code_computed(p, AST_OP_MUL, a, d),
                                               code_computed(p, AST_OP_MUL, b, c))};
    const struct code *is_infinity =
        code_joined(p, CODE_EITHER, code_joined(p, CODE_EITHER, first, second),
                    code_joined(p, CODE_EITHER, code_either_is_infinite(p, ac, bd),
                                code_either_is_infinite(p, ad, bc)));
    const struct code *is_number =
        code_joined(p, CODE_EITHER, code_compared(p, AST_OP_EQ, parts[0], parts[0]),
                    code_compared(p, AST_OP_EQ, parts[1], parts[1]));
    for (int i = 0; i < 2; i++) {
        const struct code *infinity = code_computed(p, AST_OP_DIV, ends[i], code_number(p, 0));
        out[i] =
            code_chosen(p, is_number, parts[i], code_chosen(p, is_infinity, infinity, parts[i]));
    }
}

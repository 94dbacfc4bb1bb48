/* Products of complex numbers that come out as no number.

       if (re != re && im != im) {              both parts of (a + bi)(c + di) are NaN
           const double ac = a * c, bd = b * d, ad = a * d, bc = b * c;
           const int first = …, second = …;     is a factor infinite: a or b, c or d?
           if (first || second || …) {          … or is a product: ac, bd, ad, bc?
               const double a1 = first ? (a is infinite ? (a > 0 ? 1 : -1) : 0) : (a == a ? a : 0);
               …                                the same of b, c and d
               re = (a1 * c1 - b1 * d1) / 0.0;
               im = (a1 * d1 + b1 * c1) / 0.0;
           }
       }

   In: the parts of both factors, and the names of the product's. Out: these statements, which
   compute what C's Annex G.5.1 says: an infinite factor counts as a direction, a part that is NaN
   as 0. The annex multiplies by INFINITY; a quotient by 0.0 is the same. It also keeps the signs of
   zeros, which no infinity depends on. */
#include "mapper/forms/product.h"
#include "base/vec.h"
#include "frontend/ask.h"
#include "mapper/forms/words.h"

typedef VEC(const struct ast *) statement_list;

static const struct ast *part_literal(const struct complex_product *p, double value)
{
    struct ast *real = form_make(p->arena, AST_REAL, p->re, p->re->type, 0, NULL);
    real->real = value;
    return real;
}

static const struct ast *part_computed(const struct complex_product *p, enum ast_op op,
                                       const struct ast *a, const struct ast *b)
{
    return form_binary(p->arena, op, p->re->type, p->re, form_copy(p->arena, a),
                       form_copy(p->arena, b));
}

static const struct ast *part_asked(const struct complex_product *p, enum ast_op op,
                                    const struct ast *a, const struct ast *b)
{
    return form_binary(p->arena, op, form_int(p->arena), p->re, form_copy(p->arena, a),
                       form_copy(p->arena, b));
}

static const struct ast *part_chosen(const struct complex_product *p, const struct ast *which,
                                     const struct ast *yes, const struct ast *no)
{
    const struct ast *parts[] = {form_copy(p->arena, which), yes, no};
    return form_make(p->arena, AST_CONDITIONAL, p->re, p->re->type, 3, parts);
}

/* `x == x && x - x != 0` */
static const struct ast *part_is_infinite(const struct complex_product *p, const struct ast *x)
{
    const struct ast *rest = part_computed(p, AST_OP_SUB, x, x);
    return part_asked(p, AST_OP_LAND, part_asked(p, AST_OP_EQ, x, x),
                      part_asked(p, AST_OP_NE, rest, part_literal(p, 0)));
}

static const struct ast *either_is_infinite(const struct complex_product *p, const struct ast *x,
                                            const struct ast *y)
{
    return part_asked(p, AST_OP_LOR, part_is_infinite(p, x), part_is_infinite(p, y));
}

static const struct ast *part_declared(const struct complex_product *p, statement_list *list,
                                       const char *name, const struct ast_type *type,
                                       const struct ast *value)
{
    const struct ast *declared =
        form_declare(p->arena, p->re, p->function, words_fresh(p->words, name, 1), type, value);
    vec_push(p->arena, list, declared);
    return form_ref(p->arena, p->re, declared->children[0]);
}

/* The direction of a part of an infinite factor, or the part of another one without NaN. */
static const struct ast *part_direction(const struct complex_product *p,
                                        const struct ast *is_endless, const struct ast *x)
{
    const struct ast *sign = part_chosen(p, part_asked(p, AST_OP_GT, x, part_literal(p, 0)),
                                         part_literal(p, 1), part_literal(p, -1));
    const struct ast *end = part_chosen(p, part_is_infinite(p, x), sign, part_literal(p, 0));
    const struct ast *rest =
        part_chosen(p, part_asked(p, AST_OP_EQ, x, x), form_copy(p->arena, x), part_literal(p, 0));
    return part_chosen(p, is_endless, end, rest);
}

static const struct ast *product_block(const struct complex_product *p, const statement_list *list)
{
    return form_make(p->arena, AST_COMPOUND, p->re, NULL, (int)list->count, list->at);
}

static const struct ast *product_if(const struct complex_product *p, const struct ast *condition,
                                    const struct ast *block)
{
    const struct ast *parts[] = {condition, block};
    return form_make(p->arena, AST_IF, p->re, NULL, 2, parts);
}

/* `re = (a c - b d) / 0.0; im = (a d + b c) / 0.0;` of directions. */
static void parts_set(const struct complex_product *p, const struct ast *const *f,
                      statement_list *list)
{
    const struct ast *re = part_computed(p, AST_OP_SUB, part_computed(p, AST_OP_MUL, f[0], f[2]),
                                         part_computed(p, AST_OP_MUL, f[1], f[3]));
    const struct ast *im = part_computed(p, AST_OP_ADD, part_computed(p, AST_OP_MUL, f[0], f[3]),
                                         part_computed(p, AST_OP_MUL, f[1], f[2]));
    const struct ast *zero = part_literal(p, 0);
    vec_push(p->arena, list,
             form_assign(p->arena, p->re, AST_OP_NONE, form_copy(p->arena, p->re),
                         part_computed(p, AST_OP_DIV, re, zero)));
    vec_push(p->arena, list,
             form_assign(p->arena, p->re, AST_OP_NONE, form_copy(p->arena, p->im),
                         part_computed(p, AST_OP_DIV, im, zero)));
}

/* Short names for the factors' parts and for what is summed. */
static const struct ast *short_name(const struct complex_product *p, statement_list *list,
                                    const char *name, const struct ast *value)
{
    const struct ast *bare = ast_strip(value);
    if (bare->kind == AST_REF || bare->kind == AST_REAL)
        return value;
    return part_declared(p, list, name, p->re->type, form_copy(p->arena, value));
}

const struct ast *product_recover(const struct complex_product *p)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    static const char *const term_names[] = {"ac", "bd", "ad", "bc"};
    const struct ast *f[4], *terms[4], *directions[4];
    const struct ast_type *whole = form_int(p->arena);
    statement_list outer = {0}, inner = {0};
    for (int i = 0; i < 4; i++)
        f[i] = short_name(p, &outer, names[i], p->factors[i]);
    for (int i = 0; i < 4; i++)
        terms[i] =
            part_declared(p, &outer, term_names[i], p->re->type,
                          part_computed(p, AST_OP_MUL, f[i % 2], f[i == 0 || i == 3 ? 2 : 3]));
    const struct ast *first =
        part_declared(p, &outer, "first", whole, either_is_infinite(p, f[0], f[1]));
    const struct ast *second =
        part_declared(p, &outer, "second", whole, either_is_infinite(p, f[2], f[3]));
    for (int i = 0; i < 4; i++)
        directions[i] = part_declared(p, &inner, names[i], p->re->type,
                                      part_direction(p, i < 2 ? first : second, f[i]));
    parts_set(p, directions, &inner);
    const struct ast *overflows =
        part_asked(p, AST_OP_LOR, either_is_infinite(p, terms[0], terms[1]),
                   either_is_infinite(p, terms[2], terms[3]));
    const struct ast *recovers =
        part_asked(p, AST_OP_LOR, part_asked(p, AST_OP_LOR, first, second), overflows);
    vec_push(p->arena, &outer, product_if(p, recovers, product_block(p, &inner)));
    const struct ast *both = part_asked(p, AST_OP_LAND, part_asked(p, AST_OP_NE, p->re, p->re),
                                        part_asked(p, AST_OP_NE, p->im, p->im));
    return product_if(p, both, product_block(p, &outer));
}

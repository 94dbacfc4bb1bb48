#ifndef MAPPER_PRODUCT_H
#define MAPPER_PRODUCT_H
#include "mapper/forms/forms.h"

/* The product (a + bi)(c + di) of two complex numbers. */
struct complex_product {
    struct arena *arena;
    const struct ast *function;      /* the one around the product */
    struct word_list *words;
    const struct ast *factors[4];    /* a, b, c, d: read several times */
    const struct ast *re, *im;       /* names of variables that have ac - bd and ad + bc */
};

/* product.c: an `if` behind what gives both variables their values: where both came out as NaN they
   get what C's Annex G.5.1 says. */
const struct ast *product_recover(const struct complex_product *p);

#endif

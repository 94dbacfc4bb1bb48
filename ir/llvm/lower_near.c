/* Addresses that accesses share.

   Subscripts of a neighbourhood, y*N + x, (y + 1)*N + x, y*N + x - 1, differ by numbers that are
   the same for all threads. In: the subscripts of an element. Out: a pointer that these accesses
   have in common, and behind it steps by the terms of the difference, a polynomial over parameters;
   LLVM computes what is common once, and a literal step is part of the instruction.

   How: a subscript is taken apart along its last additions, through the definitions of variables
   that never change, into a part that stays and a sum of parameters and literals. The part that
   stays is an expression of the program, whose arithmetic does not wrap, as that of no subscript
   does. Horner's scheme over the extents is linear, so it is applied to the parts that stay and, as
   polynomials, to the differences. Pointers in between may lie outside of the array: they are sums
   modulo the width of a pointer, and only the last one is used. Subscripts of the last two
   dimensions are taken apart: beyond them accesses differ by whole planes, which share little, and
   the steps would occupy registers (8 of 32 in a Jacobi kernel over u[2][N][N]).

   Parts of a sum are added before they are made wide, where no sum of them can wrap: they are the
   subscript less its difference, and where that is a small literal, -1 or more, at all accesses of
   the array, the sum lies between -DIFFERENCE_MOST and the largest number, as no subscript is the
   largest itself: arrays have less elements. One product of narrow numbers stands then in the place
   of one of wide numbers, which is four. */
#include "ir/llvm/lower.h"
#include "ir/walk.h"

enum { SPLIT_DIMS = 2, DIFFERENCE_MOST = 1 << 16 };

static bool is_signed_integer(enum type type)
{
    return !type_is_floating(type) && type_is_signed(type);
}

/* Does e combine integers without losing a bit of them? */
static bool combines(const struct expr *e)
{
    bool known = e->kind == EXPR_CAST || (e->kind == EXPR_UNARY && e->op == OP_NEG) ||
                 (e->kind == EXPR_BINARY && e->op >= OP_ADD && e->op <= OP_MUL);
    for (int i = 0; i < e->n_arguments; i++)
        if (type_bytes(e->arguments[i]->type) > type_bytes(e->type))
            return false;
    return known;
}

/* Is e a sum of products of parameters and literals, computed without wrapping? */
static bool is_uniform(const struct lowering *l, const struct expr *e)
{
    if (!is_signed_integer(e->type))
        return false;
    if (e->kind == EXPR_VAR) {
        const struct param *param = kernel_param(l->kernel, e->var->name);
        return param && param->var == e->var;
    }
    if (e->kind == EXPR_INTEGER)
        return true;
    if (!combines(e))
        return false;
    for (int i = 0; i < e->n_arguments; i++)
        if (!is_uniform(l, e->arguments[i]))
            return false;
    return true;
}

static const struct poly *uniform_poly(const struct lowering *l, const struct expr *e)
{
    return is_uniform(l, e) ? expr_poly(l->kernel->ring, e) : NULL;
}

static bool adds_signed(const struct expr *e)
{
    return e->kind == EXPR_BINARY && (e->op == OP_ADD || e->op == OP_SUB) &&
           is_signed_integer(e->type) && is_signed_integer(e->arguments[0]->type) &&
           is_signed_integer(e->arguments[1]->type);
}

/* A subscript taken apart: the sum of the terms and of the difference. */
struct subscript {
    VEC(const struct expr *) terms;
    const struct poly *difference;     /* what is the same for all threads */
};

/* Takes one addition, or the name of a sum, off *e; false if there is none to take off. */
static bool subscript_peel(struct lowering *l, const struct expr **e, struct subscript *parts)
{
    const struct expr *at = *e;
    if (at->kind == EXPR_VAR) {
        const struct expr *meaning = map_get_pointer(l->definitions, at->var);
        *e = meaning ? meaning : at;
        return meaning;
    }
    if (!adds_signed(at))
        return false;
    const struct poly *right = uniform_poly(l, at->arguments[1]);
    const struct poly *left = at->op == OP_ADD ? uniform_poly(l, at->arguments[0]) : NULL;
    if (right) {
        *e = at->arguments[0];
        parts->difference = at->op == OP_ADD ? poly_add(parts->difference, right)
                                             : poly_sub(parts->difference, right);
    } else if (left) {
        *e = at->arguments[1];
        parts->difference = poly_add(parts->difference, left);
    }
    return left || right;
}

/* Adds what e is made of. `deep`: of a sum of two parts that are not the same for all threads each
   is taken apart. */
static void parts_add(struct lowering *l, struct subscript *parts, const struct expr *e, bool deep)
{
    const struct poly *uniform = uniform_poly(l, e);
    if (uniform) {
        parts->difference = poly_add(parts->difference, uniform);
        return;
    }
    bool goes_on = true;
    while (goes_on)
        goes_on = subscript_peel(l, &e, parts);
    if (deep && adds_signed(e) && e->op == OP_ADD) {
        parts_add(l, parts, e->arguments[0], true);
        parts_add(l, parts, e->arguments[1], true);
    } else {
        vec_push(l->ctx->arena, &parts->terms, e);
    }
}

static LLVMValueRef integer_of(struct lowering *l, LLVMTypeRef type, const struct expr *e)
{
    return LLVMBuildIntCast2(l->builder, lower_expr(l, e), type, type_is_signed(e->type), "");
}

/* Coefficient times powers of parameters. */
static LLVMValueRef term_value(struct lowering *l, LLVMTypeRef type, const struct poly *p, size_t i)
{
    int64_t numerator = 0, denominator = 1;
    unsigned exponents[RING_CAPACITY] = {0};
    if (!poly_term(p, i, &numerator, &denominator, exponents))
        l->failed = true;
    LLVMValueRef product = LLVMConstInt(type, 1, false);
    for (int v = 0; v < ring_count(l->kernel->ring); v++)
        for (unsigned k = 0; k < exponents[v]; k++) {
            const struct var *var = kernel_param(l->kernel, ring_name(l->kernel->ring, v))->var;
            LLVMValueRef factor = LLVMBuildIntCast2(l->builder, map_get_pointer(l->values, var),
                                                    type, true, "");
            product = LLVMBuildMul(l->builder, product, factor, "");
        }
    LLVMValueRef coefficient = LLVMConstInt(type, (unsigned long long)numerator, true);
    return LLVMBuildMul(l->builder, product, coefficient, "");
}

/* The sum of terms that do not wrap as narrow numbers. */
static LLVMValueRef terms_narrow(struct lowering *l, LLVMTypeRef type,
                                 const struct subscript *parts)
{
    LLVMValueRef sum = lower_expr(l, parts->terms.at[0]);
    for (size_t i = 1; i < parts->terms.count; i++)
        sum = LLVMBuildNSWAdd(l->builder, sum, lower_expr(l, parts->terms.at[i]), "");
    return LLVMBuildIntCast2(l->builder, sum, type, true, "");
}

static LLVMValueRef terms_value(struct lowering *l, LLVMTypeRef type, const struct subscript *parts,
                                bool narrow)
{
    LLVMValueRef sum = LLVMConstNull(type);
    if (narrow && parts->terms.count > 1)
        return terms_narrow(l, type, parts);
    for (size_t i = 0; i < parts->terms.count; i++)
        sum = LLVMBuildAdd(l->builder, sum, integer_of(l, type, parts->terms.at[i]), "");
    return sum;
}

/* The sum of the differences, NULL if it is none that can be added; the number that the parts that
   stay make goes to *number. */
static const struct poly *places_split(struct lowering *l, const struct array *array,
                                       const struct expr *const *indices, LLVMTypeRef type,
                                       LLVMValueRef *number)
{
    const struct poly *sum = poly_integer(l->kernel->ring, 0);
    bool deep = map_get_pointer(l->deep, array), narrow = deep && !map_get_pointer(l->apart, array);
    *number = LLVMConstNull(type);
    for (int i = 0; i < array->n_dims; i++) {
        struct subscript parts = {.difference = poly_integer(l->kernel->ring, 0)};
        if (i >= array->n_dims - SPLIT_DIMS)
            parts_add(l, &parts, indices[i], deep);
        else
            vec_push(l->ctx->arena, &parts.terms, indices[i]);
        if (i > 0) {
            const struct poly *extent = uniform_poly(l, array->dims[i]);
            sum = extent ? poly_mul(sum, extent) : NULL;
            *number = LLVMBuildMul(l->builder, *number, integer_of(l, type, array->dims[i]), "");
        }
        *number = LLVMBuildAdd(l->builder, *number, terms_value(l, type, &parts, narrow),
                               "");
        sum = poly_add(sum, parts.difference);
    }
    return sum && poly_denominator(sum) == 1 && !poly_is_zero(sum) ? sum : NULL;
}

LLVMValueRef lower_near_address(struct lowering *l, const struct array *array, LLVMValueRef base,
                                const struct expr *const *indices)
{
    bool is_narrow = array->space == SPACE_SHARED && !l->host;
    LLVMTypeRef type = LLVMIntTypeInContext(l->backend->context, is_narrow ? 32 : 64);
    LLVMTypeRef element = lower_type(l, array->element);
    LLVMValueRef number;
    l->in_subscript++;
    const struct poly *sum = places_split(l, array, indices, type, &number);
    l->in_subscript--;
    if (!sum)
        return NULL;
    LLVMValueRef address = LLVMBuildGEP2(l->builder, element, base, &number, 1, "");
    for (size_t i = 0; i < poly_terms(sum); i++) {
        LLVMValueRef step = term_value(l, type, sum, i);
        address = LLVMBuildGEP2(l->builder, element, address, &step, 1, "");
    }
    return address;
}

/* Does a part of the sum hide what is the same for all threads? */
static bool hides(struct lowering *l, const struct expr *subscript)
{
    struct subscript shallow = {.difference = poly_integer(l->kernel->ring, 0)}, deep = shallow;
    parts_add(l, &shallow, subscript, false);
    parts_add(l, &deep, subscript, true);
    return !poly_equal(shallow.difference, deep.difference);
}

/* Does the sum of the parts fit the type of each? */
static bool adds_narrow(struct lowering *l, const struct expr *subscript)
{
    struct subscript parts = {.difference = poly_integer(l->kernel->ring, 0)};
    int64_t difference;
    parts_add(l, &parts, subscript, true);
    bool fits = poly_get_integer(parts.difference, &difference) && difference >= -1 &&
                difference <= DIFFERENCE_MOST;
    for (size_t i = 0; i < parts.terms.count; i++)
        fits &= parts.terms.at[i]->type == TYPE_I32;
    return fits;
}

static void access_note(struct lowering *l, const struct array *array,
                        const struct expr *const *indices)
{
    int first = array->n_dims > SPLIT_DIMS ? array->n_dims - SPLIT_DIMS : 0;
    for (int i = first; i < array->n_dims; i++) {
        if (hides(l, indices[i]))
            map_put_pointer(l->deep, array, (void *)array);
        if (!adds_narrow(l, indices[i]))
            map_put_pointer(l->apart, array, (void *)array);
    }
}

void lower_near_begin(struct lowering *l)
{
    struct stmt_walk stmts;
    struct expr_walk exprs;
    struct arena *arena = l->ctx->arena;
    for (const struct stmt *s = stmt_first(&stmts, arena, l->body); s; s = stmt_next(&stmts)) {
        const struct expr *e = stmt_first_expr(&exprs, arena, s);
        for (; e; e = expr_next(&exprs))
            if (e->kind == EXPR_LOAD)
                access_note(l, e->array, e->arguments);
        if (s->kind == STMT_STORE)
            access_note(l, s->array, s->indices);
    }
}

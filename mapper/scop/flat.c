/* Flat subscripts: a[(i * n + j) * m + k] as the element i, j, k of an array of three axes.

   In: subscripts of arrays with one axis, as sums of products. Out: for each array that parameters
   multiply in subscripts its pitches, n * m and m, and subscripts as digits: i, j, k. Digits are
   unique where each but the first is at least 0 and below the ratio of two pitches, which
   polyhedra.c asks isl for all instances: then two elements are equal only if all digits are.
   Factors that are literals belong to a pitch where they are common to all accesses: a pixel of
   three colours, a[3 * (y * w + x) + c], has the pitch 3 * w.
   A pitch need not be a multiple of the next: in a[t * row + h * size + i] rows may hold blocks,
   as those of the heads of attention, where size is row / heads. That is taken where an iterator
   counts to the size of a block, and the text tests that a row holds all the blocks. */
#include "mapper/scop/flat.h"
#include "mapper/scop/helper.h"
#include "mapper/scop/range.h"
#include "mapper/scop/values.h"
#include "mapper/scop/walk.h"
#include <string.h>

/* --- sums of products ------------------------------------------------------------------------- */

struct reading {
    struct scop *scop;
    struct scop_place at;
    bool *is_narrow;                 /* set: an unsigned part of 32 bits wraps by itself */
};

static bool is_same_product(const struct pitch_term *a, const struct pitch_term *b)
{
    return a->n == b->n && !memcmp(a->symbols, b->symbols, (size_t)a->n * sizeof a->symbols[0]);
}

static bool pitch_term_add(struct pitch_sum *sum, const struct pitch_term *term, int64_t factor)
{
    int at = 0;
    while (at < sum->n && !is_same_product(&sum->terms[at], term))
        at++;
    if (at == FLAT_TERMS)
        return false;
    if (at == sum->n) {
        sum->terms[at] = *term;
        sum->terms[at].form = affine_constant(0);
        sum->n++;
    }
    return affine_add(&sum->terms[at].form, &term->form, factor);
}

/* The symbols of a product stay in order. */
static bool symbol_multiply(struct pitch_term *term, int symbol)
{
    int at = term->n;
    if (term->n == FLAT_FACTORS)
        return false;
    for (; at > 0 && term->symbols[at - 1] > symbol; at--)
        term->symbols[at] = term->symbols[at - 1];
    term->symbols[at] = symbol;
    term->n++;
    return true;
}

/* Adds a * factor * symbols of b * (the symbol, unless it is -1). */
static bool scaled_add(struct pitch_sum *sum, const struct pitch_term *a,
                       const struct pitch_term *b, int64_t factor, int symbol)
{
    struct pitch_term term = *a;
    for (int i = 0; i < b->n; i++)
        if (!symbol_multiply(&term, b->symbols[i]))
            return false;
    return (symbol < 0 || symbol_multiply(&term, symbol)) && pitch_term_add(sum, &term, factor);
}

/* Adds the product of two terms; b has no iterator. */
static bool product_add(struct pitch_sum *sum, const struct pitch_term *a,
                        const struct pitch_term *b)
{
    if (b->form.constant && !scaled_add(sum, a, b, b->form.constant, -1))
        return false;
    for (int i = 0; i < b->form.n_terms; i++)
        if (!scaled_add(sum, a, b, b->form.terms[i].factor, b->form.terms[i].symbol))
            return false;
    return true;
}

static bool sum_read(const struct reading *r, const struct ast *ast, struct pitch_sum *sum);

/* A factor: `n + 2` is a parameter of its own. */
static bool factor_read(const struct reading *r, const struct ast *ast, struct pitch_sum *sum)
{
    if (!sum_read(r, ast, sum))
        return false;
    struct affine *form = &sum->terms[0].form;
    bool adds = sum->n == 1 && !sum->terms[0].n && !affine_has_iterator(r->scop, form) &&
                form->n_terms + (form->constant != 0) > 1;
    if (adds && !class_is_unsigned(ast->type->class))
        *form = affine_whole(r->scop, form, ast->type->class);
    return true;
}

static bool multiply_read(const struct reading *r, const struct ast *ast, struct pitch_sum *sum)
{
    struct pitch_sum left, right;
    if (!factor_read(r, ast->children[0], &left) || !factor_read(r, ast->children[1], &right))
        return false;
    for (int i = 0; i < left.n; i++)
        for (int k = 0; k < right.n; k++) {
            const struct pitch_term *a = &left.terms[i], *b = &right.terms[k];
            bool swap = affine_has_iterator(r->scop, &b->form);
            if (swap && affine_has_iterator(r->scop, &a->form))
                return false;
            if (!product_add(sum, swap ? b : a, swap ? a : b))
                return false;
        }
    return true;
}

static bool add_read(const struct reading *r, const struct ast *ast, struct pitch_sum *sum)
{
    struct pitch_sum right;
    if (!sum_read(r, ast->children[0], sum) || !sum_read(r, ast->children[1], &right))
        return false;
    for (int i = 0; i < right.n; i++)
        if (!pitch_term_add(sum, &right.terms[i], ast->op == AST_OP_ADD ? 1 : -1))
            return false;
    return true;
}

/* A call of a function with a single `return` statement. */
static bool call_read(const struct reading *r, const struct ast *call, struct pitch_sum *sum)
{
    struct reading inside = *r;
    const struct ast *value = helper_enter(r->scop, call, &inside.at);
    return value && value->type && value->type->class == call->type->class &&
           sum_read(&inside, value, sum);
}

/* May the operand of a conversion be read as part of the sum? Signed sums do not wrap; what is
   converted to an unsigned type wraps with the sum it is part of; an unsigned part of 32 bits does
   not where the whole number is below 2^32. */
static bool is_transparent(const struct ast *cast)
{
    enum ast_class to = cast->type->class, from = cast->children[0]->type->class;
    bool wide = to == AST_TYPE_I64 || to == AST_TYPE_U64 || to == AST_TYPE_U32;
    bool narrow = from == AST_TYPE_I32 || (from == AST_TYPE_I64 && to != AST_TYPE_U32) ||
                  (from == AST_TYPE_U32 && to == AST_TYPE_I64);
    return from == to || (wide && narrow);
}

static bool sum_read(const struct reading *r, const struct ast *ast, struct pitch_sum *sum)
{
    struct pitch_term term = {0};
    struct reading caller = *r;
    struct scop_place part = r->at;
    while (ast->kind == AST_CAST && ast->type && ast->children[0]->type && is_transparent(ast)) {
        *r->is_narrow |= ast->type->class == AST_TYPE_I64 &&
                         ast->children[0]->type->class == AST_TYPE_U32;
        ast = ast->children[0];
    }
    sum->n = 0;
    if (!ast->type || (ast->type->class != AST_TYPE_I32 && ast->type->class != AST_TYPE_I64 &&
                       !class_is_unsigned(ast->type->class)))
        return false;
    bool binary = ast->kind == AST_BINARY;
    if (ast->kind == AST_CALL)
        return call_read(r, ast, sum);
    const struct ast *argument =
        ast->kind == AST_REF ? helper_argument(ast->decl, &caller.at) : NULL;
    if (argument && argument->type && argument->type->class == ast->type->class)
        return sum_read(&caller, argument, sum);
    const struct ast *value = ast->kind == AST_REF ? named_value(r->scop, ast->decl) : NULL;
    if (value && value->type && value->type->class == ast->type->class)
        return sum_read(r, value, sum);
    if (binary && (ast->op == AST_OP_ADD || ast->op == AST_OP_SUB))
        return add_read(r, ast, sum);
    if (binary && ast->op == AST_OP_MUL && multiply_read(r, ast, sum))
        return true;
    sum->n = 0;
    part.is_modular |= class_is_unsigned(ast->type->class);
    return affine_read(r->scop, part, ast, &term.form) && pitch_term_add(sum, &term, 1);
}

struct pitch_sum *flat_read(struct scop *scop, struct scop_place at, const struct ast *subscript)
{
    bool is_narrow = false;
    struct reading r = {scop, at, &is_narrow};
    struct pitch_sum *sum = ARENA_NEW(scop->arena, struct pitch_sum);
    size_t n_ranges = scop->ranges.count;
    sum->class = subscript->type ? subscript->type->class : AST_TYPE_I64;
    if (sum_read(&r, subscript, sum)) {
        sum->class = is_narrow ? AST_TYPE_U32 : sum->class;
        return sum;
    }
    scop->ranges.count = n_ranges;
    return NULL;
}

/* --- pitches ---------------------------------------------------------------------------------- */

static int64_t divisor_of(int64_t a, int64_t b)
{
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static int64_t form_divisor(const struct affine *form, int64_t divisor)
{
    divisor = divisor_of(divisor, form->constant);
    for (int i = 0; i < form->n_terms; i++)
        divisor = divisor_of(divisor, form->terms[i].factor);
    return divisor;
}

static void form_divide(struct affine *form, int64_t divisor)
{
    form->constant /= divisor;
    for (int i = 0; i < form->n_terms; i++)
        form->terms[i].factor /= divisor;
}

/* The only symbol of the longer product that the shorter product lacks; -1 if more symbols
   differ. */
static int ratio_of(const struct pitch_term *longer, const struct pitch_term *shorter)
{
    int extra = -1, k = 0;
    if (longer->n != shorter->n + 1)
        return -1;
    for (int i = 0; i < longer->n; i++) {
        bool same = k < shorter->n && longer->symbols[i] == shorter->symbols[k];
        if (!same && extra >= 0)
            return -1;
        k += same;
        extra = same ? extra : longer->symbols[i];
    }
    return k == shorter->n ? extra : -1;
}

typedef VEC(struct scop_access *) access_list;

struct products {
    int n;
    struct pitch_term at[FLAT_TERMS];
    const access_list *accesses;     /* the array's, which have the products */
};

/* Products that multiply iterators, the longest first, and the empty one last. */
static void iterator_products(const struct scop *scop, struct products *list,
                              const struct pitch_sum *sum)
{
    for (int i = 0; i < sum->n; i++) {
        const struct pitch_term *term = &sum->terms[i];
        int at = 0;
        if (!term->n || !affine_has_iterator(scop, &term->form))
            continue;
        while (at < list->n && !is_same_product(&list->at[at], term))
            at++;
        if (at < list->n || list->n + 1 >= FLAT_TERMS)
            continue;
        for (at = list->n++; at > 0 && list->at[at - 1].n < term->n; at--)
            list->at[at] = list->at[at - 1];
        list->at[at] = *term;
    }
}

static struct pitch_term product_of(const struct flat_pitch *pitch)
{
    struct pitch_term term = {.n = pitch->n};
    memcpy(term.symbols, pitch->symbols, sizeof term.symbols);
    return term;
}

/* The pitch that a product is; the number of pitches for 1, -1 for another. */
static int pitch_number(const struct scop_array *array, const struct pitch_term *product)
{
    for (int i = 0; i < array->n_pitches; i++) {
        struct pitch_term own = product_of(&array->pitches[i]);
        if (is_same_product(&own, product))
            return i;
    }
    return product->n ? -1 : array->n_pitches;
}

/* Behind the greatest value of a loop's iterator; false if that depends on other iterators. */
static bool loop_end(const struct scop *scop, const struct scop_loop *loop, struct affine *end)
{
    struct affine one = affine_constant(1);
    *end = loop->step > 0 ? loop->limits[0] : loop->start;
    return affine_add(end, &one, 1) && !affine_has_iterator(scop, end);
}

/* The end of an iterator in the form, only `wanted` unless that is NULL. */
static bool form_end(const struct scop *scop, const struct affine *form,
                     const struct affine *wanted, struct affine *end)
{
    for (int i = 0; i < form->n_terms; i++) {
        const struct scop_loop *loop = scop->symbols.at[form->terms[i].symbol].loop;
        if (loop && loop_end(scop, loop, end) && (!wanted || affine_equal(end, wanted)))
            return true;
    }
    return false;
}

/* The same of an iterator that a product multiplies in an access. */
static bool product_end(const struct scop *scop, const struct products *list,
                        const struct pitch_term *product, const struct affine *wanted,
                        struct affine *end)
{
    for (size_t i = 0; i < list->accesses->count; i++) {
        const struct pitch_sum *sum = list->accesses->at[i]->sum;
        int n = sum ? sum->n : 0;
        for (int k = 0; k < n; k++)
            if (is_same_product(&sum->terms[k], product) &&
                form_end(scop, &sum->terms[k].form, wanted, end))
                return true;
    }
    return false;
}

/* Leaves one symbol out of a product. */
static struct pitch_term product_without(const struct pitch_term *product, int symbol)
{
    struct pitch_term rest = {0};
    bool is_left_out = false;
    for (int i = 0; i < product->n; i++) {
        bool leaves = !is_left_out && product->symbols[i] == symbol;
        is_left_out |= leaves;
        if (!leaves)
            rest.symbols[rest.n++] = product->symbols[i];
    }
    return rest;
}

/* Do the numbers of a test compare as they stand: are all signed, or all unsigned? */
static bool are_comparable(const struct scop *scop, const struct flat_blocks *blocks)
{
    bool is_unsigned = class_is_unsigned(scop->symbols.at[blocks->row].class);
    bool good = class_is_unsigned(scop->symbols.at[blocks->size].class) == is_unsigned;
    for (int i = 0; i < blocks->count.n_terms; i++) {
        int symbol = blocks->count.terms[i].symbol;
        good &= class_is_unsigned(scop->symbols.at[symbol].class) == is_unsigned;
    }
    return good;
}

/* Products of q * stride and q * b, where an iterator below b is multiplied by q: rows that hold
   blocks. */
static bool blocks_find(const struct scop *scop, const struct products *list,
                        const struct pitch_term *row, const struct pitch_term *block,
                        struct flat_blocks *blocks)
{
    struct affine end;
    if (row->n != block->n)
        return false;
    for (int i = 0; i < row->n; i++) {
        struct pitch_term rest = product_without(row, row->symbols[i]);
        int symbol = ratio_of(block, &rest);
        struct affine size = affine_of(symbol);
        if (symbol < 0 || !product_end(scop, list, &rest, &size, &end) ||
            !product_end(scop, list, block, NULL, &end))
            continue;
        *blocks = (struct flat_blocks){true, symbol, row->symbols[i], end};
        if (are_comparable(scop, blocks))
            return true;
    }
    return false;
}

/* The first chain of products each of which is the next one times a symbol, or may hold blocks of
   it, down to 1. */
static bool chain_find(const struct scop *scop, const struct products *list, int at, bool may_test,
                       struct scop_array *array)
{
    struct pitch_term one = {0};
    bool is_begun = at >= 0;
    const struct pitch_term *last = &list->at[is_begun ? at : 0];
    if (is_begun && ratio_of(last, &one) >= 0 && (!may_test || array->n_pitches == list->n))
        return true;
    for (int next = 0; next < list->n && array->n_pitches < FLAT_FACTORS; next++) {
        const struct pitch_term *term = &list->at[next];
        struct flat_blocks blocks = {0};
        bool is_next = next > at && (!is_begun || ratio_of(last, term) >= 0);
        if (!is_next && may_test && is_begun && pitch_number(array, term) < 0)
            is_next = blocks_find(scop, list, last, term, &blocks);
        if (!is_next)
            continue;
        struct flat_pitch *pitch = &array->pitches[array->n_pitches++];
        *pitch = (struct flat_pitch){.factor = 0, .n = term->n};
        memcpy(pitch->symbols, term->symbols, sizeof pitch->symbols);
        if (is_begun)
            array->pitches[array->n_pitches - 2].blocks = blocks;
        if (chain_find(scop, list, next, may_test, array))
            return true;
        array->n_pitches--;
    }
    return false;
}

/* Tested blocks are taken where all products are pitches so, and are not else. */
static bool pitches_find(const struct scop *scop, const struct products *list,
                         struct scop_array *array)
{
    struct scop_array tested = *array;
    bool is_found = list->n && chain_find(scop, list, -1, false, array);
    if (array->n_pitches < list->n && chain_find(scop, list, -1, true, &tested)) {
        memcpy(array->pitches, tested.pitches, sizeof array->pitches);
        array->n_pitches = tested.n_pitches;
        return true;
    }
    return is_found;
}

/* A product of parameters alone, n * p, as p rows of the pitch n; false if there is no such
   pitch. */
static bool constant_place(const struct scop_array *array, const struct pitch_term *term,
                           int *number, struct affine *form)
{
    for (int i = 0; i <= array->n_pitches; i++) {
        struct pitch_term own = {0};
        if (i < array->n_pitches)
            own = product_of(&array->pitches[i]);
        int symbol = ratio_of(term, &own);
        if (symbol < 0 || term->form.n_terms)
            continue;
        *number = i;
        *form = affine_constant(0);
        form->n_terms = 1;
        form->terms[0] = (struct affine_term){symbol, term->form.constant};
        return true;
    }
    return false;
}

/* The product that a digit multiplies. */
static struct pitch_term digit_product(const struct scop_array *array, int digit)
{
    struct pitch_term one = {0};
    return digit < array->n_pitches ? product_of(&array->pitches[digit]) : one;
}

/* Whole rows that hold blocks, `y * stride + stride + x * b`, belong to the digit of the rows. */
static bool rows_settle(const struct scop_array *array, int number, struct affine *digits)
{
    const struct pitch_term row = digit_product(array, number);
    for (int i = number + 1; i <= array->n_pitches; i++) {
        const struct pitch_term product = digit_product(array, i);
        int symbol = ratio_of(&row, &product);
        int64_t factor = symbol < 0 ? 0 : affine_factor(&digits[i], symbol);
        struct affine rows = affine_of(symbol), one = affine_constant(1);
        if (factor && (!affine_add(&digits[i], &rows, -factor) ||
                       !affine_add(&digits[number], &one, factor)))
            return false;
    }
    return true;
}

/* The digits of an access, before they are divided by the pitches' factors. */
static bool access_digits(const struct scop_array *array, const struct pitch_sum *sum,
                          struct affine *digits)
{
    for (int i = 0; i <= array->n_pitches; i++)
        digits[i] = affine_constant(0);
    for (int i = 0; i < sum->n; i++) {
        struct affine form = sum->terms[i].form;
        int number = pitch_number(array, &sum->terms[i]);
        if (number < 0 && !constant_place(array, &sum->terms[i], &number, &form))
            return false;
        if (!affine_add(&digits[number], &form, 1))
            return false;
    }
    for (int i = 0; i < array->n_pitches; i++)
        if (array->pitches[i].blocks.are_tested && !rows_settle(array, i, digits))
            return false;
    return true;
}

/* Whole pitches in a digit, i * n + n + j, belong to the digit before it. */
static bool digits_settle(const struct scop_array *array, struct affine *digits)
{
    for (int i = array->n_pitches; i > 0; i--) {
        if (array->pitches[i - 1].blocks.are_tested)
            continue;
        const struct affine bound = flat_bound(array, i);
        int64_t factor = affine_factor(&digits[i], bound.terms[0].symbol);
        int64_t times = factor / bound.terms[0].factor;
        struct affine one = affine_constant(1);
        if (times && (!affine_add(&digits[i], &bound, -times) ||
                      !affine_add(&digits[i - 1], &one, times)))
            return false;
    }
    return true;
}

static access_list accesses_of(struct scop *scop, const struct scop_array *array)
{
    access_list list = {0};
    struct access_walk walk;
    for (struct scop_access *access = access_first(&walk, scop, array); access;
         access = access_next(&walk)) {
        for (size_t i = 0; i < access->alternatives.count; i++)
            vec_push(scop->arena, &list, access->alternatives.at[i]);
        if (!access->alternatives.count)
            vec_push(scop->arena, &list, access);
    }
    return list;
}

/* Each pitch's factor divides what stands at it in all accesses, and those of longer pitches. */
static void factors_find(struct scop_array *array, const access_list *accesses)
{
    struct affine digits[FLAT_FACTORS + 1];
    for (int i = 0; i < array->n_pitches; i++) {
        int64_t divisor = i ? array->pitches[i - 1].factor : 0;
        for (size_t k = 0; k < accesses->count; k++)
            if (accesses->at[k]->sum && access_digits(array, accesses->at[k]->sum, digits))
                divisor = form_divisor(&digits[i], divisor);
        array->pitches[i].factor = divisor ? divisor : 1;
    }
}

static void array_split(struct scop *scop, struct scop_array *array)
{
    access_list accesses = accesses_of(scop, array);
    struct products products = {.accesses = &accesses};
    for (size_t i = 0; i < accesses.count; i++)
        if (accesses.at[i]->sum)
            iterator_products(scop, &products, accesses.at[i]->sum);
    if (!pitches_find(scop, &products, array))
        return;
    factors_find(array, &accesses);
    array->n_dims = array->n_pitches + 1;
    for (size_t i = 0; i < accesses.count; i++) {
        struct scop_access *access = accesses.at[i];
        bool good = access->sum && access_digits(array, access->sum, access->subscripts);
        for (int k = 0; k < array->n_pitches; k++)
            form_divide(&access->subscripts[k], array->pitches[k].factor);
        good = good && digits_settle(array, access->subscripts);
        for (int k = 0; k < array->n_dims; k++)
            access->is_affine[k] = good;
    }
}

void flat_split(struct scop *scop)
{
    for (size_t i = 0; i < scop->arrays.count; i++)
        if (scop->arrays.at[i]->n_dims == 1)
            array_split(scop, scop->arrays.at[i]);
}

struct affine flat_bound(const struct scop_array *array, int digit)
{
    const struct flat_blocks *blocks = &array->pitches[digit - 1].blocks;
    struct pitch_term longer = product_of(&array->pitches[digit - 1]), shorter = {0};
    int64_t factor = array->pitches[digit - 1].factor;
    if (digit < array->n_pitches) {
        shorter = product_of(&array->pitches[digit]);
        factor /= array->pitches[digit].factor;
    }
    struct affine bound = affine_constant(0);
    struct affine whole = affine_of(ratio_of(&longer, &shorter));
    if (blocks->are_tested)
        whole = blocks->count;
    affine_add(&bound, &whole, factor);
    return bound;
}

char *flat_pitch_text(const struct scop *scop, const struct scop_array *array)
{
    struct str out = str_new(scop->arena);
    const struct flat_pitch *pitch = &array->pitches[0];
    if (pitch->factor != 1)
        str_addf(&out, "%lld", (long long)pitch->factor);
    for (int i = 0; i < pitch->n; i++)
        str_addf(&out, "%s%s", out.length ? " * " : "",
                 scop->symbols.at[pitch->symbols[i]].text);
    return out.text;
}

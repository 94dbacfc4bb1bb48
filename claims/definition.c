/* Definitions of auxiliary integers.

   In: the text. Out: a term, its value, its facts. For integers n and d > 0, v = k*ceil(n/d) gives
   k*n <= d*v <= k*(n + d - 1), and v = k*floor(n/d) gives k*(n - d + 1) <= d*v <= k*n; for k = 1
   these leave one integer. max and min are told by "at least" and "at most" of their parts. */
#include "claims/definition.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- reading --------------------------------------------------------------------------------- */

struct term_reader {
    struct ring *ring;
    const char **why;
};

static const struct term *text_refuse(const struct term_reader *reader, const char *text)
{
    *reader->why = arena_printf(ring_arena(reader->ring), "'%s' is no definition", text);
    return NULL;
}

/* The first of `signs` in the text that is in no parentheses; NULL. */
static const char *sign_find(const char *text, char sign)
{
    int depth = 0;
    for (; *text; text++) {
        depth += (*text == '(') - (*text == ')');
        if (depth == 0 && *text == sign)
            return text;
    }
    return NULL;
}

/* What stands in the parentheses that "NAME(" opens and the text's last character closes;
   NULL. */
static const char *call_inside(struct arena *arena, const char *text, const char *name)
{
    size_t length = strlen(text), skip = strlen(name);
    if (strncmp(text, name, skip) != 0 || text[skip] != '(' || text[length - 1] != ')')
        return NULL;
    const char *inside = arena_strndup(arena, text + skip + 1, length - skip - 2);
    int depth = 0;
    for (const char *at = inside; *at; at++) {
        depth += (*at == '(') - (*at == ')');
        if (depth < 0)
            return NULL;
    }
    return depth == 0 ? inside : NULL;
}

/* With integer coefficients, so that it is an integer at every point. */
static const struct poly *integer_poly(const struct term_reader *reader, const char *text)
{
    int known = ring_count(reader->ring);
    const struct poly *p = poly_read(reader->ring, text, reader->why);
    if (!p)
        return NULL;
    if (ring_count(reader->ring) > known) {
        *reader->why = arena_printf(ring_arena(reader->ring), "'%s' has an unknown name", text);
        return NULL;
    }
    if (poly_denominator(p) == 1)
        return p;
    *reader->why = arena_printf(ring_arena(reader->ring), "'%s' is not always an integer", text);
    return NULL;
}

static const struct term *quotient_read(const struct term_reader *reader, const char *inside,
                                        enum term_kind kind, int64_t scale)
{
    struct arena *arena = ring_arena(reader->ring);
    const char *slash = sign_find(inside, '/');
    struct term *term = ARENA_NEW(arena, struct term);
    if (!slash)
        return text_refuse(reader, inside);
    *term = (struct term){.kind = kind, .scale = scale};
    term->poly = integer_poly(reader, arena_strndup(arena, inside, (size_t)(slash - inside)));
    term->divisor = term->poly ? integer_poly(reader, slash + 1) : NULL;
    return term->divisor ? term : NULL;
}

static const struct term *part_read(const struct term_reader *reader, const char *text);

static const struct term *pair_read(const struct term_reader *reader, const char *inside,
                                    enum term_kind kind)
{
    struct arena *arena = ring_arena(reader->ring);
    const char *comma = sign_find(inside, ',');
    struct term *term = ARENA_NEW(arena, struct term);
    if (!comma)
        return text_refuse(reader, inside);
    *term = (struct term){.kind = kind};
    term->left = part_read(reader, arena_strndup(arena, inside, (size_t)(comma - inside)));
    term->right = term->left ? part_read(reader, comma + 1) : NULL;
    return term->right ? term : NULL;
}

/* The number before a "*" that a ceiling or a floor follows, which *text then begins with; 1. */
static int64_t scale_read(const char **text)
{
    char *end;
    long long scale = strtoll(*text, &end, 10);
    bool follows = end != *text && *end == '*' &&
                   (!strncmp(end + 1, "ceil(", 5) || !strncmp(end + 1, "floor(", 6));
    if (!follows || scale <= 0)
        return 1;
    *text = end + 1;
    return scale;
}

static const struct term *part_read(const struct term_reader *reader, const char *text)
{
    static const struct {
        const char *name;
        enum term_kind kind;
    } calls[] = {{"max", TERM_MAX}, {"min", TERM_MIN}, {"ceil", TERM_CEIL}, {"floor", TERM_FLOOR}};
    struct arena *arena = ring_arena(reader->ring);
    text += strspn(text, " ");
    size_t length = strlen(text);
    while (length && text[length - 1] == ' ')
        length--;
    const char *body = arena_strndup(arena, text, length);
    int64_t scale = scale_read(&body);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const char *inside = *body ? call_inside(arena, body, calls[i].name) : NULL;
        if (inside && calls[i].kind <= TERM_MIN)
            return pair_read(reader, inside, calls[i].kind);
        if (inside)
            return quotient_read(reader, inside, calls[i].kind, scale);
    }
    struct term *term = ARENA_NEW(arena, struct term);
    *term = (struct term){.kind = TERM_POLY, .poly = integer_poly(reader, body)};
    return term->poly ? term : NULL;
}

const struct term *term_read(struct ring *ring, const char *text, const char **why)
{
    struct term_reader reader = {ring, why};
    return part_read(&reader, text);
}

/* --- values ---------------------------------------------------------------------------------- */

static bool quotient_value(const struct term *term, const int64_t *point, int64_t *value)
{
    int64_t n, d;
    if (!poly_evaluate(term->poly, point, &n) || !poly_evaluate(term->divisor, point, &d) || d <= 0)
        return false;
    int64_t quotient = n / d;
    if (term->kind == TERM_CEIL)
        quotient += n % d > 0;
    else
        quotient -= n % d < 0;
    return !__builtin_mul_overflow(quotient, term->scale, value);
}

bool term_evaluate(const struct term *term, const int64_t *point, int64_t *value)
{
    int64_t left, right;
    if (term->kind == TERM_POLY)
        return poly_evaluate(term->poly, point, value);
    if (term->kind == TERM_CEIL || term->kind == TERM_FLOOR)
        return quotient_value(term, point, value);
    if (!term_evaluate(term->left, point, &left) || !term_evaluate(term->right, point, &right))
        return false;
    *value = (term->kind == TERM_MAX) == (left > right) ? left : right;
    return true;
}

bool term_uses(const struct term *term, int variable)
{
    if (term->left)
        return term_uses(term->left, variable) || term_uses(term->right, variable);
    return poly_uses(term->poly, variable) || (term->divisor && poly_uses(term->divisor, variable));
}

size_t term_divisors(const struct term *term, const struct poly **divisors, size_t room)
{
    int64_t number;
    if (term->left) {
        size_t count = term_divisors(term->left, divisors, room);
        return count + term_divisors(term->right, divisors + count, room - count);
    }
    bool positive = !term->divisor || (poly_get_integer(term->divisor, &number) && number > 0);
    if (positive || room == 0)
        return 0;
    divisors[0] = term->divisor;
    return 1;
}

/* --- facts ----------------------------------------------------------------------------------- */

/* v is at least (at most, if `above`) scale times the quotient. */
static const struct formula *quotient_bound(struct arena *arena, const struct term *term,
                                            const struct poly *v, bool above)
{
    const struct poly *one = poly_integer(poly_ring(v), 1), *n = term->poly;
    const struct poly *rest = poly_sub(term->divisor, one);
    if (above && term->kind == TERM_CEIL)
        n = poly_add(n, rest);
    if (!above && term->kind == TERM_FLOOR)
        n = poly_sub(n, rest);
    return formula_atom(arena, constraint_make(poly_mul(v, term->divisor),
                                               above ? RELATION_LE : RELATION_GE,
                                               poly_scale(n, term->scale, 1)));
}

static const struct formula *bound(struct arena *arena, const struct term *term,
                                   const struct poly *v, bool above)
{
    if (term->kind == TERM_POLY)
        return formula_atom(
            arena, constraint_make(v, above ? RELATION_LE : RELATION_GE, term->poly));
    if (!term->left)
        return quotient_bound(arena, term, v, above);
    const struct formula *parts[] = {bound(arena, term->left, v, above),
                                     bound(arena, term->right, v, above)};
    bool both = (term->kind == TERM_MAX) != above;
    return both ? formula_and(arena, parts, 2) : formula_or(arena, parts, 2);
}

const struct formula *term_facts(struct arena *arena, const struct term *term,
                                 const struct poly *value)
{
    const struct formula *parts[] = {bound(arena, term, value, false),
                                     bound(arena, term, value, true)};
    return formula_and(arena, parts, 2);
}

/* n/d < m/e, or v >= w. */
static const struct formula *not_below(struct arena *arena, const struct term *first,
                                       const struct poly *v, const struct term *second,
                                       const struct poly *w)
{
    const struct formula *parts[] = {
        formula_atom(arena, constraint_make(poly_mul(first->poly, second->divisor), RELATION_LT,
                                            poly_mul(second->poly, first->divisor))),
        formula_atom(arena, constraint_make(v, RELATION_GE, w))};
    return formula_or(arena, parts, 2);
}

const struct formula *term_order(struct arena *arena, const struct term *first,
                                 const struct poly *v, const struct term *second,
                                 const struct poly *w)
{
    if (!first->divisor || first->kind != second->kind || first->scale != second->scale)
        return formula_true();
    const struct formula *parts[] = {not_below(arena, first, v, second, w),
                                     not_below(arena, second, w, first, v)};
    return formula_and(arena, parts, 2);
}

/* Checked arithmetic as C text. In: polynomials and constraints. Out: nested calls of tf_add and
   its sisters, which NAME_select defines by the runtime's treefork_add, so that an overflow is an
   error and never a wrong leaf.

   A constraint is printed by constraint_print and its two sides are read back from that text: what
   a trace shows and what is evaluated cannot differ. Rational coefficients are cleared first (the
   common denominator is positive). */
#include "emit/checked.h"
#include <assert.h>
#include <inttypes.h>
#include <string.h>

static void add_integer(struct str *out, int64_t value)
{
    str_addf(out, "%" PRId64, value);
}

/* A term without its sign: |coefficient| * variables. */
static char *term_text(struct arena *arena, const struct ring *ring, int64_t coefficient,
                       const unsigned *exponents)
{
    struct str text = str_new(arena);
    if (coefficient != 1)
        add_integer(&text, coefficient);
    for (int v = 0; v < ring_count(ring); v++)
        for (unsigned e = 0; e < exponents[v]; e++) {
            char *so_far = arena_strdup(arena, text.text);
            text.length = 0;
            if (*so_far)
                str_addf(&text, "tf_mul(%s, %s)", so_far, ring_name(ring, v));
            else
                str_add(&text, ring_name(ring, v));
        }
    if (text.length == 0)
        str_char(&text, '1');
    return text.text;
}

void checked_poly(struct str *out, const struct poly *p)
{
    struct arena *arena = out->arena;
    const struct ring *ring = poly_ring(p);
    char *sum = NULL;
    for (size_t i = 0; i < poly_terms(p); i++) {
        int64_t numerator, denominator;
        unsigned exponents[RING_CAPACITY];
        if (!poly_term(p, i, &numerator, &denominator, exponents) || numerator == INT64_MIN) {
            str_add(out, "tf_too_large()");
            return;
        }
        assert(denominator == 1);
        char *term = term_text(arena, ring, numerator < 0 ? -numerator : numerator, exponents);
        if (!sum && numerator > 0)
            sum = term;
        else
            sum = arena_printf(arena, "tf_%s(%s, %s)", numerator < 0 ? "sub" : "add",
                               sum ? sum : "0", term);
    }
    str_add(out, sum ? sum : "0");
}

static struct constraint clear_denominator(struct constraint c)
{
    int64_t common = poly_denominator(c.poly);
    if (common > 1)
        c.poly = poly_scale(c.poly, common, 1);
    return c;
}

struct sides constraint_sides(struct arena *arena, struct constraint c, uint64_t machine)
{
    static const struct {
        const char *text;
        enum relation relation;
    } relations[] = {{" <= ", RELATION_LE}, {" >= ", RELATION_GE}, {" == ", RELATION_EQ},
                     {" != ", RELATION_NE}, {" = ", RELATION_EQ},  {" < ", RELATION_LT},
                     {" > ", RELATION_GT}};
    struct sides sides = {0};
    struct str text = str_new(arena);
    c = clear_denominator(c);
    constraint_print(&text, c, machine);
    sides.text = text.text;
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        const char *at = strstr(text.text, relations[i].text), *error;
        if (!at)
            continue;
        sides.relation = relations[i].relation;
        sides.left = poly_read(poly_ring(c.poly),
                               arena_strndup(arena, text.text, (size_t)(at - text.text)), &error);
        sides.right = poly_read(poly_ring(c.poly), at + strlen(relations[i].text), &error);
        break;
    }
    assert(sides.left && sides.right);
    return sides;
}

const char *constraint_explained(struct arena *arena, const struct tree *tree, struct constraint c)
{
    struct str text = str_new(arena);
    const char *before = " with ";
    str_add(&text, constraint_sides(arena, c, tree->machine).text);
    for (size_t i = 0; i < tree->n_auxiliaries; i++)
        if (poly_uses(c.poly, tree->auxiliaries[i]->variable)) {
            str_addf(&text, "%s%s = %s", before, tree->auxiliaries[i]->name,
                     tree->auxiliaries[i]->text);
            before = ", ";
        }
    return text.text;
}

const char *relation_symbol(enum relation relation)
{
    static const char *const names[] = {
        [RELATION_EQ] = "TREEFORK_EQ", [RELATION_NE] = "TREEFORK_NE", [RELATION_LT] = "TREEFORK_LT",
        [RELATION_LE] = "TREEFORK_LE", [RELATION_GT] = "TREEFORK_GT", [RELATION_GE] = "TREEFORK_GE",
    };
    return names[relation];
}

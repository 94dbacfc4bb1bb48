/* Checked arithmetic as C text. In: polynomials, constraints, expressions over parameters. Out: nested calls of the
   runtime's treefork_add and its sisters, so that an overflow is an error and never a wrong extent or leaf.

   A constraint is printed by constraint_print and its two sides are read back from that text: what a trace shows and what
   is evaluated cannot differ. Rational coefficients are cleared first (the common denominator is positive). */
#include "emit/checked.h"
#include <assert.h>
#include <inttypes.h>
#include <string.h>

static void add_integer(struct str *out, int64_t value)
{
    if (value == INT64_MIN)
        str_add(out, "INT64_MIN");
    else if (value > INT32_MAX || value < -INT32_MAX)
        str_addf(out, "INT64_C(%" PRId64 ")", value);
    else
        str_addf(out, "%" PRId64, value);
}

/* A term without its sign: |coefficient| * variables. */
static char *term_text(struct arena *arena, const struct ring *ring, int64_t coefficient, const unsigned *exponents,
                       const char *error)
{
    struct str text = str_new(arena);
    if (coefficient != 1)
        add_integer(&text, coefficient);
    for (int v = 0; v < ring_count(ring); v++)
        for (unsigned e = 0; e < exponents[v]; e++) {
            char *so_far = arena_strdup(arena, text.text);
            text.length = 0;
            if (*so_far)
                str_addf(&text, "treefork_mul(%s, %s, %s)", so_far, ring_name(ring, v), error);
            else
                str_add(&text, ring_name(ring, v));
        }
    if (text.length == 0)
        str_char(&text, '1');
    return text.text;
}

void checked_poly(struct str *out, const struct poly *p, const char *error)
{
    struct arena *arena = out->arena;
    const struct ring *ring = poly_ring(p);
    char *sum = NULL;
    for (size_t i = 0; i < poly_terms(p); i++) {
        int64_t numerator, denominator;
        unsigned exponents[RING_CAPACITY];
        if (!poly_term(p, i, &numerator, &denominator, exponents) || numerator == INT64_MIN) {
            str_addf(out, "tf_too_large(%s)", error);
            return;
        }
        assert(denominator == 1);
        char *term = term_text(arena, ring, numerator < 0 ? -numerator : numerator, exponents, error);
        if (!sum && numerator > 0)
            sum = term;
        else
            sum = arena_printf(arena, "treefork_%s(%s, %s, %s)", numerator < 0 ? "sub" : "add", sum ? sum : "0", term, error);
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
    } relations[] = {{" <= ", RELATION_LE}, {" >= ", RELATION_GE}, {" == ", RELATION_EQ}, {" != ", RELATION_NE},
                     {" = ", RELATION_EQ},  {" < ", RELATION_LT},  {" > ", RELATION_GT}};
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
        sides.left = poly_read(poly_ring(c.poly), arena_strndup(arena, text.text, (size_t)(at - text.text)), &error);
        sides.right = poly_read(poly_ring(c.poly), at + strlen(relations[i].text), &error);
        break;
    }
    assert(sides.left && sides.right);
    return sides;
}

/* The result of an operation of `type`, brought into that type as C does or marked as overflow. */
static void add_narrowed(struct str *out, enum type type, const char *value, const char *error)
{
    switch (type) {
    case TYPE_I64: str_add(out, value); break;
    case TYPE_U64: str_addf(out, "tf_range(%s, 0, INT64_MAX, %s)", value, error); break;
    case TYPE_U32: str_addf(out, "(int64_t)(uint32_t)%s", value); break;
    case TYPE_BOOL: str_addf(out, "(%s != 0)", value); break;
    case TYPE_I32: str_addf(out, "tf_range(%s, INT32_MIN, INT32_MAX, %s)", value, error); break;
    case TYPE_I16: str_addf(out, "tf_range(%s, INT16_MIN, INT16_MAX, %s)", value, error); break;
    case TYPE_I8: str_addf(out, "tf_range(%s, INT8_MIN, INT8_MAX, %s)", value, error); break;
    case TYPE_U16: str_addf(out, "(int64_t)(uint16_t)%s", value); break;
    case TYPE_U8: str_addf(out, "(int64_t)(uint8_t)%s", value); break;
    default: str_add(out, value); break;
    }
}

static bool checked_binary(struct str *out, const struct expr *e, const char *error)
{
    static const char *const names[] = {[OP_ADD] = "add", [OP_SUB] = "sub", [OP_MUL] = "mul", [OP_DIV] = "div",
                                        [OP_REM] = "rem", [OP_LOR] = NULL};
    struct str a = str_new(out->arena), b = str_new(out->arena);
    const struct expr *right = e->arguments[1];
    if (!checked_expr(&a, e->arguments[0], error) || !checked_expr(&b, right, error))
        return false;
    if (e->op == OP_SHL || e->op == OP_SHR) {
        if (right->kind != EXPR_INTEGER || right->integer < 0 || right->integer > 62)
            return false;
        char *text = e->op == OP_SHR ? arena_printf(out->arena, "(%s >> %s)", a.text, b.text)
                                     : arena_printf(out->arena, "treefork_mul(%s, INT64_C(1) << %s, %s)", a.text, b.text, error);
        add_narrowed(out, e->type, text, error);
        return true;
    }
    if (names[e->op])
        add_narrowed(out, e->type, arena_printf(out->arena, "treefork_%s(%s, %s, %s)", names[e->op], a.text, b.text, error),
                     error);
    else
        str_addf(out, "(%s %s %s)", a.text, op_text(e->op), b.text);
    return true;
}

static bool checked_unary(struct str *out, const struct expr *e, const char *error)
{
    struct str a = str_new(out->arena);
    if (!checked_expr(&a, e->arguments[0], error))
        return false;
    if (e->op == OP_NOT)
        str_addf(out, "!%s", a.text);
    else if (e->op == OP_NEG)
        add_narrowed(out, e->type, arena_printf(out->arena, "treefork_sub(0, %s, %s)", a.text, error), error);
    else
        add_narrowed(out, e->type, arena_printf(out->arena, "(~%s)", a.text), error);
    return true;
}

static bool checked_cast(struct str *out, const struct expr *e, const char *error)
{
    const struct expr *a = e->arguments[0];
    struct str text = str_new(out->arena);
    if (type_is_floating(a->type) || !checked_expr(&text, a, error))
        return false;
    bool holds_all = type_bytes(e->type) > type_bytes(a->type) && (type_is_signed(e->type) || !type_is_signed(a->type));
    if (holds_all || e->type == a->type)
        str_add(out, text.text);
    else
        add_narrowed(out, e->type, text.text, error);
    return true;
}

bool checked_expr(struct str *out, const struct expr *e, const char *error)
{
    if (type_is_floating(e->type))
        return false;
    switch (e->kind) {
    case EXPR_INTEGER:
        if (e->type == TYPE_U64 && e->integer < 0)
            return false;
        add_integer(out, e->integer);
        return true;
    case EXPR_VAR: str_add(out, e->var->name); return true;
    case EXPR_UNARY: return checked_unary(out, e, error);
    case EXPR_BINARY: return checked_binary(out, e, error);
    case EXPR_CAST: return checked_cast(out, e, error);
    case EXPR_SELECT: {
        struct str c = str_new(out->arena), a = str_new(out->arena), b = str_new(out->arena);
        if (!checked_expr(&c, e->arguments[0], error) || !checked_expr(&a, e->arguments[1], error) ||
            !checked_expr(&b, e->arguments[2], error))
            return false;
        str_addf(out, "(%s ? %s : %s)", c.text, a.text, b.text);
        return true;
    }
    default: return false;
    }
}

/* Formulas as text: SMT-LIB 2 terms (exact, for other tools) and C-like conditions (for people).
   Names of variables are written as they are; whoever needs SMT-LIB's quoting gives the ring quoted
   names. */
#include "constraints/formula.h"
#include "constraints/ring.h"

static void integer_print_smt(struct str *out, const fmpz_t value)
{
    char *text = fmpz_get_str(NULL, 10, value);
    if (fmpz_sgn(value) < 0)
        str_addf(out, "(- %s.0)", text + 1);
    else
        str_addf(out, "%s.0", text);
    flint_free(text);
}

static void term_print_smt(struct str *out, const fmpz_mpoly_t p, slong i, const struct ring *ring)
{
    ulong exponents[RING_CAPACITY], degree = 0;
    mpoly_exponents(exponents, p, i, ring->ctx->zctx);
    for (int v = 0; v < ring->count; v++)
        degree += exponents[v];
    bool unit = fmpz_is_one(p->coeffs + i);
    if (!degree || degree + !unit > 1)
        str_add(out, degree ? "(* " : "");
    if (!degree || !unit)
        integer_print_smt(out, p->coeffs + i);
    bool first = degree && unit;
    for (int v = 0; v < ring->count; v++)
        for (ulong e = 0; e < exponents[v]; e++, first = false)
            str_addf(out, "%s%s", first ? "" : " ", ring->names[v]);
    if (degree && degree + !unit > 1)
        str_char(out, ')');
}

/* The primitive integer polynomial compared with zero, as in SMT-LIB. */
static void atom_print_smt(struct str *out, struct constraint c)
{
    static const char *const relations[] = {
        [RELATION_EQ] = "=", [RELATION_NE] = "distinct", [RELATION_LT] = "<",
        [RELATION_LE] = "<=", [RELATION_GT] = ">", [RELATION_GE] = ">=",
    };
    if (!c.poly) {
        str_add(out, "beyond-the-limits");
        return;
    }
    const struct ring *ring = c.poly->ring;
    fmpz_mpoly_t p;
    fmpz_mpoly_init(p, ring->ctx->zctx);
    poly_primitive(p, c.poly);
    str_addf(out, "(%s ", relations[c.relation]);
    if (!p->length)
        str_add(out, "0.0");
    if (p->length > 1)
        str_add(out, "(+ ");
    for (slong i = 0; i < p->length; i++) {
        str_add(out, i ? " " : "");
        term_print_smt(out, p, i, ring);
    }
    str_add(out, p->length > 1 ? ") 0.0)" : " 0.0)");
    fmpz_mpoly_clear(p, ring->ctx->zctx);
}

/* The ring of the first atom below; NULL if there is none. */
static const struct ring *ring_below(const struct formula *f)
{
    if (f->kind == FORMULA_ATOM)
        return f->constraint.poly ? f->constraint.poly->ring : NULL;
    for (size_t i = 0; i < f->count; i++) {
        const struct ring *ring = ring_below(f->at[i]);
        if (ring)
            return ring;
    }
    return NULL;
}

void formula_print_smt(struct str *out, const struct formula *f)
{
    static const char *const heads[] = {
        [FORMULA_NOT] = "(not", [FORMULA_AND] = "(and",       [FORMULA_OR] = "(or",
        [FORMULA_XOR] = "(xor", [FORMULA_EXISTS] = "(exists", [FORMULA_FORALL] = "(forall",
    };
    if (f->kind == FORMULA_TRUE || f->kind == FORMULA_FALSE) {
        str_add(out, f->kind == FORMULA_TRUE ? "true" : "false");
        return;
    }
    if (f->kind == FORMULA_ATOM) {
        atom_print_smt(out, f->constraint);
        return;
    }
    str_add(out, heads[f->kind]);
    if (f->kind == FORMULA_EXISTS || f->kind == FORMULA_FORALL)
        str_addf(out, " ((%s Real))", ring_name(ring_below(f), f->variable));
    for (size_t i = 0; i < f->count; i++) {
        str_char(out, ' ');
        formula_print_smt(out, f->at[i]);
    }
    str_char(out, ')');
}

static void operand_print(struct str *out, const struct formula *f, uint64_t machine)
{
    bool compound = f->count > 1;
    str_add(out, compound ? "(" : "");
    formula_print(out, f, machine);
    str_add(out, compound ? ")" : "");
}

void formula_print(struct str *out, const struct formula *f, uint64_t machine)
{
    switch (f->kind) {
    case FORMULA_TRUE: str_add(out, "true"); return;
    case FORMULA_FALSE: str_add(out, "false"); return;
    case FORMULA_ATOM: constraint_print(out, f->constraint, machine); return;
    case FORMULA_NOT:
        str_add(out, "!(");
        formula_print(out, f->at[0], machine);
        str_char(out, ')');
        return;
    case FORMULA_EXISTS:
    case FORMULA_FORALL:
        str_addf(out, "%s %s: ", f->kind == FORMULA_EXISTS ? "exists" : "forall",
                 ring_name(ring_below(f), f->variable));
        operand_print(out, f->at[0], machine);
        return;
    case FORMULA_AND:
    case FORMULA_OR:
    case FORMULA_XOR: break;
    }
    for (size_t i = 0; i < f->count; i++) {
        str_add(out, !i                       ? ""
                     : f->kind == FORMULA_AND ? " && "
                     : f->kind == FORMULA_OR  ? " || "
                                              : " ^ ");
        operand_print(out, f->at[i], machine);
    }
}

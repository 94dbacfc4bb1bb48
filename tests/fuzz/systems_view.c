/* Systems as SMT-LIB, as formulas of the solver, their truth at points (in 128-bit integers, apart
   from the solver's arithmetic), and their smaller variants. */
#include "tests/fuzz/systems.h"
#include <string.h>

/* ISO C has no such type, hence no other way to name it. */
__extension__ typedef __int128 wide;

static const char *const NAMES[VARIABLES] = {"x", "y", "z", "w"};

/* Variables of both sorts? */
static bool mixed(const struct system *s)
{
    bool integers = false, reals = false;
    for (int v = 0; v < s->variables; v++) {
        integers |= s->integer[v];
        reals |= !s->integer[v];
    }
    return integers && reals;
}

static void term_print(struct str *out, const struct system *s, const struct term *t)
{
    str_addf(out, t->coefficient < 0 ? "(* (- %d)" : "(* %d",
             t->coefficient < 0 ? -t->coefficient : t->coefficient);
    for (int v = 0; v < s->variables; v++)
        for (int e = 0; e < t->exponents[v]; e++)
            str_addf(out, mixed(s) && s->integer[v] ? " (to_real %s)" : " %s", NAMES[v]);
    str_add(out, ")");
}

static void node_print(struct str *out, const struct system *s, int n)
{
    static const char *const HEADS[] = {"",   "not", "and",    "or",    "xor",
                                        "=>", "ite", "exists", "forall"};
    static const char *const RELATIONS[] = {"=", "distinct", "<", "<=", ">", ">="};
    const struct node *node = &s->node[n];
    if (node->kind == NODE_ATOM) {
        str_addf(out, "(%s (+ 0 0", RELATIONS[node->relation]);
        for (int i = 0; i < node->terms; i++) {
            str_add(out, " ");
            term_print(out, s, &node->term[i]);
        }
        str_add(out, ") 0)");
        return;
    }
    str_addf(out, "(%s", HEADS[node->kind]);
    if (node->kind == NODE_EXISTS || node->kind == NODE_FORALL)
        str_addf(out, " ((%s Real))", NAMES[node->bound]);
    for (int i = 0; i < node->children; i++) {
        str_add(out, " ");
        node_print(out, s, node->child[i]);
    }
    str_add(out, ")");
}

char *system_smt(struct arena *arena, const struct system *s, const char *comment)
{
    struct str out = str_new(arena);
    str_addf(&out, "%s(set-logic ALL)\n", comment ? comment : "");
    for (int v = 0; v < s->variables; v++)
        str_addf(&out, "(declare-fun %s () %s)\n", NAMES[v], s->integer[v] ? "Int" : "Real");
    for (int i = 0; i < s->assertions; i++) {
        str_add(&out, "(assert ");
        node_print(&out, s, s->assertion[i]);
        str_add(&out, ")\n");
    }
    for (int v = 0; v < s->variables; v++)
        if (s->boxed[v])
            str_addf(&out, "(assert (>= %s (- %d)))\n(assert (<= %s %d))\n", NAMES[v], -s->lo,
                     NAMES[v], s->hi);
    str_add(&out, "(check-sat)\n");
    return out.text;
}

static const struct poly *node_poly(struct ring *ring, const struct node *node)
{
    const struct poly *p = poly_integer(ring, 0);
    for (int i = 0; i < node->terms; i++) {
        const struct poly *t = poly_integer(ring, node->term[i].coefficient);
        for (int v = 0; v < VARIABLES; v++)
            if (node->term[i].exponents[v])
                t = poly_mul(t, poly_power(poly_variable(ring, ring_variable(ring, NAMES[v])),
                                           node->term[i].exponents[v]));
        p = poly_add(p, t);
    }
    return p;
}

static const struct formula *node_formula(struct arena *arena, struct ring *ring,
                                          const struct system *s, int n)
{
    const struct node *node = &s->node[n];
    const struct formula *at[CHILDREN] = {NULL};
    if (node->kind == NODE_ATOM) {
        struct constraint c = {node_poly(ring, node), node->relation};
        return formula_atom(arena, c);
    }
    for (int i = 0; i < node->children; i++)
        at[i] = node_formula(arena, ring, s, node->child[i]);
    switch (node->kind) {
    case NODE_NOT: return formula_not(arena, at[0]);
    case NODE_AND: return formula_and(arena, at, (size_t)node->children);
    case NODE_OR: return formula_or(arena, at, (size_t)node->children);
    case NODE_XOR: return formula_xor(arena, at[0], at[1]);
    case NODE_IMPLIES: return formula_implies(arena, at[0], at[1]);
    case NODE_ITE: return formula_ite(arena, at[0], at[1], at[2]);
    case NODE_EXISTS: return formula_exists(arena, ring_variable(ring, NAMES[node->bound]), at[0]);
    default: return formula_forall(arena, ring_variable(ring, NAMES[node->bound]), at[0]);
    }
}

int system_count(const struct system *s)
{
    int n = s->assertions;
    for (int v = 0; v < s->variables; v++)
        n += 2 * s->boxed[v];
    return n;
}

const struct formula *system_formula(struct arena *arena, struct ring *ring, const struct system *s,
                                     int i)
{
    if (i < s->assertions)
        return node_formula(arena, ring, s, s->assertion[i]);
    int k = i - s->assertions, v = 0;
    for (; !s->boxed[v] || k >= 2; v++)
        k -= s->boxed[v] ? 2 : 0;
    const struct poly *x = poly_variable(ring, ring_variable(ring, NAMES[v]));
    return formula_atom(arena, k ? constraint_make(x, RELATION_LE, poly_integer(ring, s->hi))
                                 : constraint_make(x, RELATION_GE, poly_integer(ring, s->lo)));
}

static bool times(wide *a, int64_t b)
{
    return !__builtin_mul_overflow(*a, (b), a);
}

/* Sign of an atom's polynomial, all denominators multiplied away; 2 on overflow. */
static int atom_sign(const struct node *node, const int64_t *numerator, const int64_t *denominator)
{
    wide sum = 0;
    unsigned highest[VARIABLES] = {0};
    for (int i = 0; i < node->terms; i++)
        for (int v = 0; v < VARIABLES; v++)
            if (node->term[i].exponents[v] > highest[v])
                highest[v] = node->term[i].exponents[v];
    for (int i = 0; i < node->terms; i++) {
        wide t = node->term[i].coefficient;
        for (int v = 0; v < VARIABLES; v++)
            for (unsigned e = 0; e < highest[v]; e++)
                if (!times(&t, e < node->term[i].exponents[v] ? numerator[v] : denominator[v]))
                    return 2;
        if (__builtin_add_overflow(sum, t, &sum))
            return 2;
    }
    return sum > 0 ? 1 : sum < 0 ? -1 : 0;
}

/* Three-valued: 1, 0, -1 unknown. */
static int node_holds(const struct system *s, int n, const int64_t *numerator,
                      const int64_t *denominator)
{
    const struct node *node = &s->node[n];
    int at[CHILDREN] = {0}, unknown = 0, trues = 0;
    if (node->kind == NODE_ATOM) {
        int sign = atom_sign(node, numerator, denominator);
        return sign == 2 ? -1 : relation_holds(node->relation, sign);
    }
    if (node->kind == NODE_EXISTS || node->kind == NODE_FORALL)
        return -1;
    for (int i = 0; i < node->children; i++) {
        at[i] = node_holds(s, node->child[i], numerator, denominator);
        unknown += at[i] < 0;
        trues += at[i] == 1;
    }
    switch (node->kind) {
    case NODE_NOT: return unknown ? -1 : !at[0];
    case NODE_AND: return trues + unknown < node->children ? 0 : unknown ? -1 : 1;
    case NODE_OR: return trues ? 1 : unknown ? -1 : 0;
    case NODE_XOR: return unknown ? -1 : trues == 1;
    case NODE_IMPLIES: return at[0] == 0 || at[1] == 1 ? 1 : unknown ? -1 : 0;
    default: return at[0] < 0 ? -1 : at[0] ? at[1] : at[2];
    }
}

/* Sign of numerator / denominator - bound. */
static int beyond(int64_t numerator, int bound, int64_t denominator)
{
    wide a = numerator, b = bound;
    b *= denominator;
    return a > b ? 1 : a < b ? -1 : 0;
}

int system_holds(const struct system *s, const int64_t *numerator, const int64_t *denominator)
{
    int truth = 1;
    for (int v = 0; v < s->variables; v++) {
        if (s->integer[v] && denominator[v] != 1)
            return 0;
        if (s->boxed[v] && (beyond(numerator[v], s->lo, denominator[v]) < 0 ||
                            beyond(numerator[v], s->hi, denominator[v]) > 0))
            return 0;
    }
    for (int i = 0; i < s->assertions; i++) {
        int one = node_holds(s, s->assertion[i], numerator, denominator);
        if (one == 0)
            return 0;
        truth = one < 0 ? -1 : truth;
    }
    return truth;
}

int system_search(const struct system *s, int lo, int hi, int64_t *point)
{
    static const int64_t ONES[VARIABLES] = {1, 1, 1, 1};
    bool unknown = false;
    for (int v = 0; v < VARIABLES; v++)
        point[v] = v < s->variables ? lo : 0;
    for (;;) {
        int truth = system_holds(s, point, ONES), v = 0;
        if (truth == 1)
            return 1;
        unknown |= truth < 0;
        while (v < s->variables && point[v] == hi)
            point[v++] = lo;
        if (v == s->variables)
            return unknown ? -1 : 0;
        point[v]++;
    }
}

bool system_finite(const struct system *s)
{
    for (int v = 0; v < s->variables; v++)
        if (!s->integer[v] || !s->boxed[v])
            return false;
    return !s->quantified;
}

/* Node n in a smaller form, `way` counted down; true if there was one. */
static bool node_smaller(struct system *s, int n, int *way)
{
    struct node *node = &s->node[n];
    if (node->kind == NODE_ATOM) {
        for (int i = 0; i < node->terms; i++) {
            struct term *t = &node->term[i];
            if ((*way)-- == 0) {
                *t = node->term[--node->terms];
                return true;
            }
            if ((t->coefficient > 1 || t->coefficient < -1) && (*way)-- == 0) {
                t->coefficient /= 2;
                return true;
            }
            for (int v = 0; v < VARIABLES; v++)
                if (t->exponents[v] && (*way)-- == 0) {
                    t->exponents[v]--;
                    return true;
                }
        }
        return false;
    }
    for (int i = 0; i < node->children; i++) {
        if ((*way)-- == 0) {
            *node = s->node[node->child[i]];
            return true;
        }
        if (node_smaller(s, node->child[i], way))
            return true;
    }
    return false;
}

bool system_smaller(const struct system *s, int way, struct system *smaller)
{
    *smaller = *s;
    for (int i = 0; i < s->assertions; i++)
        if (way-- == 0) {
            smaller->assertion[i] = smaller->assertion[--smaller->assertions];
            return true;
        }
    for (int v = 0; v < s->variables; v++)
        if (s->boxed[v] && !s->integer[v] && way-- == 0) {
            smaller->boxed[v] = false;
            return true;
        }
    for (int v = 0; v < s->variables; v++)
        if (s->integer[v] && way-- == 0) {
            smaller->integer[v] = false;
            return true;
        }
    for (int i = 0; i < s->assertions; i++)
        if (node_smaller(smaller, s->assertion[i], &way))
            return true;
    return false;
}

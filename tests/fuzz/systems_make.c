/* Random systems of 1 to 4 variables and degree at most 4 with small coefficients. In: seed and
   index. Out: a system of one of several manners: atoms of random terms; equations and inequalities
   that a chosen point satisfies; products and sums of squares, so that signs depend on factors;
   conditions of the kind kernels make; curves through an irrational point. A third has Boolean
   structure, a quarter integers, a sixteenth a quantifier. */
#include "tests/fuzz/systems.h"
#include <string.h>

struct maker {
    uint64_t state;
    struct system s;
    int point[VARIABLES];   /* planted */
    int square[VARIABLES];  /* planted squares of irrational coordinates */
};

/* splitmix64, G. Steele, D. Lea, C. Flood (2014). */
static unsigned below(struct maker *m, unsigned n)
{
    uint64_t z = m->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (unsigned)((z ^ z >> 31) % n);
}

static int between(struct maker *m, int lo, int hi)
{
    return lo + (int)below(m, (unsigned)(hi - lo + 1));
}

static int node_new(struct maker *m, enum node_kind kind)
{
    int n = m->s.nodes < NODES ? m->s.nodes++ : NODES - 1;
    memset(&m->s.node[n], 0, sizeof m->s.node[n]);
    m->s.node[n].kind = kind;
    return n;
}

static struct term term_random(struct maker *m, int degree)
{
    struct term t = {between(m, 1, below(m, 4) ? 4 : 12), {0}};
    if (below(m, 2))
        t.coefficient = -t.coefficient;
    for (int d = between(m, 0, degree); d > 0; d--)
        t.exponents[below(m, (unsigned)m->s.variables)]++;
    return t;
}

/* Adds to a term of the same exponents where there is one; false if there is no room. */
static bool term_add(struct node *node, struct term t)
{
    for (int i = 0; i < node->terms; i++)
        if (!memcmp(node->term[i].exponents, t.exponents, sizeof t.exponents)) {
            node->term[i].coefficient += t.coefficient;
            if (!node->term[i].coefficient)
                node->term[i] = node->term[--node->terms];
            return true;
        }
    if (node->terms == TERMS)
        return false;
    if (t.coefficient)
        node->term[node->terms++] = t;
    return true;
}

static void terms_random(struct maker *m, struct node *node, int most, int degree)
{
    for (int i = between(m, 1, most); i > 0; i--)
        term_add(node, term_random(m, degree));
}

/* Product of two short polynomials, as far as there is room: signs then depend on factors
   (mostly). */
static void product_random(struct maker *m, struct node *node)
{
    struct node a = {0}, b = {0};
    terms_random(m, &a, 2, 2);
    terms_random(m, &b, 2, 2);
    if (below(m, 3) == 0)
        b = a;
    for (int i = 0; i < a.terms; i++)
        for (int j = 0; j < b.terms; j++) {
            struct term t = {a.term[i].coefficient * b.term[j].coefficient, {0}};
            for (int v = 0; v < VARIABLES; v++)
                t.exponents[v] = (unsigned char)(a.term[i].exponents[v] + b.term[j].exponents[v]);
            term_add(node, t);
        }
}

static void squares_random(struct maker *m, struct node *node)
{
    for (int v = 0; v < m->s.variables; v++) {
        struct term t = {between(m, 1, 3), {0}};
        t.exponents[v] = below(m, 4) ? 2 : 4;
        term_add(node, t);
    }
    if (below(m, 2))
        term_add(node, term_random(m, 2));
    term_add(node, (struct term){-between(m, -2, 9), {0}});
}

/* 2*s*B + 2 <= Z and its like: bilinear, or one variable against a number. */
static void kernel_random(struct maker *m, struct node *node)
{
    int n = m->s.variables;
    struct term t = {between(m, 1, 3), {0}}, z = {-1, {0}};
    t.exponents[below(m, (unsigned)n)]++;
    if (below(m, 3))
        t.exponents[below(m, (unsigned)n)]++;
    z.exponents[below(m, (unsigned)n)]++;
    term_add(node, t);
    if (below(m, 2))
        term_add(node, z);
    term_add(node, (struct term){between(m, -6, 3), {0}});
}

/* Even powers, and a constant so that the point with the planted squares is on the curve or just
   beside: isolated and touching solutions at irrational points. */
static void irrational_random(struct maker *m, struct node *node)
{
    int sum = 0;
    for (int i = between(m, 1, 3); i > 0; i--) {
        struct term t = {between(m, 1, 3) * (below(m, 3) ? 1 : -1), {0}};
        int value = t.coefficient;
        for (int d = between(m, 1, 2); d > 0; d--) {
            unsigned v = below(m, (unsigned)m->s.variables);
            t.exponents[v] = (unsigned char)(t.exponents[v] + 2);
            value *= m->square[v];
        }
        if (term_add(node, t))
            sum += value;
    }
    if (below(m, 6) == 0)
        sum += between(m, -1, 1);
    term_add(node, (struct term){-sum, {0}});
}

static int64_t value_at(const struct node *node, const int *point)
{
    int64_t sum = 0;
    for (int i = 0; i < node->terms; i++) {
        int64_t t = node->term[i].coefficient;
        for (int v = 0; v < VARIABLES; v++)
            for (int e = 0; e < node->term[i].exponents[v]; e++)
                t *= point[v];
        sum += t;
    }
    return sum;
}

/* The constant is moved so that the planted point satisfies the relation, mostly just so. */
static void plant(struct maker *m, struct node *node)
{
    int64_t value = value_at(node, m->point);
    bool strict = node->relation == RELATION_LT || node->relation == RELATION_GT ||
                  node->relation == RELATION_NE;
    int slack = strict                          ? between(m, 1, 3)
                : node->relation == RELATION_EQ ? 0
                                                : (int)below(m, 2) * between(m, 0, 3);
    bool above = node->relation == RELATION_GT || node->relation == RELATION_GE;
    if (value < -100000 || value > 100000)
        return;
    term_add(node, (struct term){(int)-value + (above ? slack : -slack), {0}});
}

static int atom_random(struct maker *m, unsigned manner)
{
    static const enum relation RELATIONS[] = {RELATION_EQ, RELATION_EQ, RELATION_NE, RELATION_LT,
                                              RELATION_LE, RELATION_GT, RELATION_GE};
    int n = node_new(m, NODE_ATOM);
    struct node *node = &m->s.node[n];
    node->relation = RELATIONS[below(m, 7)];
    unsigned kind = manner < 4 ? manner : manner == 6 && below(m, 4) ? 4 : below(m, 5);
    if (kind == 0)
        terms_random(m, node, TERMS - 1, 4);
    else if (kind == 1)
        product_random(m, node);
    else if (kind == 2)
        squares_random(m, node);
    else if (kind == 3)
        kernel_random(m, node);
    else
        irrational_random(m, node);
    if (manner == 5 || below(m, 8) == 0)
        plant(m, node);
    return n;
}

static int formula_random(struct maker *m, unsigned manner, int depth)
{
    static const enum node_kind KINDS[] = {NODE_NOT, NODE_AND,     NODE_OR, NODE_OR,
                                           NODE_XOR, NODE_IMPLIES, NODE_ITE};
    if (depth == 0 || below(m, 4) == 0 || m->s.nodes > NODES - 8)
        return atom_random(m, manner);
    enum node_kind kind = KINDS[below(m, 7)];
    int n = node_new(m, kind);
    int children = kind == NODE_NOT                      ? 1
                   : kind == NODE_ITE                    ? 3
                   : kind == NODE_AND || kind == NODE_OR ? between(m, 2, 3)
                                                         : 2;
    for (int i = 0; i < children; i++) {
        int child = formula_random(m, manner, depth - 1);
        m->s.node[n].child[i] = child;
    }
    m->s.node[n].children = children;
    return n;
}

struct system system_random(uint64_t seed, uint64_t index)
{
    struct maker m = {.state = seed * 0xd1342543de82ef95u ^ index * 0xaf251af3b0f025b5u};
    m.s.variables = between(&m, 1, VARIABLES);
    if (m.s.variables == VARIABLES && below(&m, 2))
        m.s.variables = 2;
    m.s.lo = between(&m, -4, 0);
    m.s.hi = m.s.lo + between(&m, 2, 8);
    bool integers = below(&m, 4) == 0, structure = below(&m, 3) == 0;
    m.s.quantified = !integers && m.s.variables > 1 && below(&m, 16) == 0;
    static const int SQUARES[] = {2, 2, 3, 5, 1, 4};
    for (int v = 0; v < m.s.variables; v++) {
        m.square[v] = SQUARES[below(&m, 6)];
        m.point[v] = between(&m, -3, 3);
        m.s.integer[v] = integers && below(&m, 4);
        m.s.boxed[v] = m.s.integer[v] || below(&m, 12) == 0;
    }
    unsigned manner = below(&m, 7);
    m.s.assertions = between(&m, 1, structure ? 4 : 7);
    for (int i = 0; i < m.s.assertions; i++) {
        int n = formula_random(&m, manner, structure ? between(&m, 0, 2) : 0);
        if (m.s.quantified && below(&m, 2)) {
            int q = node_new(&m, below(&m, 2) ? NODE_EXISTS : NODE_FORALL);
            m.s.node[q].children = 1;
            m.s.node[q].child[0] = n;
            m.s.node[q].bound = (int)below(&m, (unsigned)m.s.variables);
            n = q;
        }
        m.s.assertion[i] = n;
    }
    return m.s;
}

#ifndef CONSTRAINTS_PROJECT_PLAN_H
#define CONSTRAINTS_PROJECT_PLAN_H
#include "constraints/project/work.h"

typedef VEC(const struct node *) node_list;

enum method {
    METHOD_NONE,
    METHOD_EQUATION,      /* put the roots of an equation in */
    METHOD_PAIRS,         /* pairs of bounds */
    METHOD_DISTRIBUTE,    /* multiply a disjunction out */
    METHOD_POINTS,        /* test points */
    METHOD_LOWER,         /* x^g becomes x */
    METHOD_DIVIDE,        /* one equation by another */
};

/* What to do next with a conjunction; the least cost is taken, of equal ones the first. */
struct plan {
    enum method method;
    int x;
    const struct node *chosen;      /* the equation or the disjunction */
    const struct node *other;       /* the equation that is divided by it */
    size_t cost;
};

/* plan.c */
struct plan plan_make(struct work *w, const struct node *node, uint64_t block,
                      const struct theory *theory);
/* The theory with the conjuncts that do not use x. */
const struct theory *theory_beside(struct work *w, const struct node *node, int x,
                                   const struct theory *theory);

/* The coefficient of x^degree is known not to vanish. */
bool leads(struct work *w, const struct polynomial *f, int x, unsigned degree,
           const struct theory *theory);

/* The conjunction without one of its conjuncts. */
const struct node *conjunction_without(struct work *w, const struct node *node,
                                       const struct node *conjunct);

/* divide.c */
/* The cost of replacing an equation in x by its remainder, 0 if that is no use; `leading`: the
   divisor's leading coefficient is known not to vanish. */
size_t divide_cost(struct work *w, const struct polynomial *divisor,
                   const struct polynomial *dividend, int x, bool leading);
/* The disjuncts that come of it. */
void equation_divide(struct work *w, const struct node *node, const struct plan *plan,
                     node_list *out);

/* degrees.c */
struct degrees {
    size_t atoms;         /* with x */
    unsigned highest;     /* degree in x of a factor */
    size_t burden;        /* sum of the atoms' degrees */
    unsigned common;      /* divisor of all exponents of x, atoms about x itself apart */
    bool entangled;       /* the sign of x matters in another way than by one conjunct */
};
struct degrees degrees_of(struct work *w, const struct node *node, int x);
/* An equivalent of "there is x with node", x standing for x^common. */
const struct node *degrees_lower(struct work *w, const struct node *node, int x, unsigned common);

#endif

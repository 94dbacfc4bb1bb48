#ifndef CONSTRAINTS_CHECK_CHECKER_H
#define CONSTRAINTS_CHECK_CHECKER_H
/* What the files of the checker share: one check, its polynomials, hypotheses and real numbers, all
   in the arena of the check. A function that returns false (NULL, UNKNOWN_SIGN) has recorded why;
   the first record stays. */
#include "base/map.h"
#include "base/vec.h"
#include "constraints/check/check.h"
#include "constraints/ring.h"

/* S-expressions: words (|words| keep their bars), "strings" and (lists), with their places. */
enum text_kind { TEXT_LIST, TEXT_WORD, TEXT_STRING };

struct text {
    enum text_kind kind;
    const char *word;            /* word, or string without its quotes; "" for a list */
    struct text **at;            /* list */
    size_t count;
    unsigned line, column;       /* from 1 */
    const struct item *item;     /* the polynomial that it has been read as */
};

/* A primitive integer polynomial with positive leading coefficient; equal ones are the same
   object. */
struct item {
    const char *text;
    fmpz_mpoly_t p;
    const struct item **factors;   /* irreducible, not constant; NULL until item_factor */
    unsigned *exponents;           /* of the factors */
    size_t factor_count;
};

/* An item, or its derivative (derived 1), without terms beyond the degree in the variable of
   concern. */
struct reductum {
    const struct item *item;
    slong degree, derived;
};

struct hypothesis {
    const struct formula *f;
    bool negated;
};

/* The sign of an atom's item, UNKNOWN_SIGN if not known. */
enum { UNKNOWN_SIGN = 2 };
typedef int (*sign_function)(void *context, const struct item *item);

struct checker {
    struct arena *arena;
    struct ring *ring;                  /* the question's variables; the certificate's
                                           polynomials */
    int variables;                      /* of the question, and x */
    fmpq_mpoly_ctx_t ctx;               /* of the items: generator v = ring variable v, and a spare
                                           one after them */
    bool integer[RING_CAPACITY];        /* by variable */
    uint64_t steps;
    enum check_outcome outcome;         /* CHECK_VERIFIED while nothing is wrong */
    const char *why;
    const char *names[RING_CAPACITY + 1];   /* of the generators, all different */
    VEC(struct item *) all;
    struct map *items;                  /* by text; subresultants also by that of (f g variable
                                           k) */
    struct map *notes;                  /* what hypothesis.c keeps per formula */
    uint64_t evaluation;                /* number of the present one, and what it knows */
    sign_function sign;
    void *context;
    int depth;                          /* of the formula's node at hand */
    VEC(struct hypothesis) hypotheses;  /* in force, by number */
};

__attribute__((format(printf, 3, 4)))
bool checker_refute(struct checker *checker, const struct text *place, const char *format, ...);
bool checker_give_up(struct checker *checker, const char *why);
bool checker_step(struct checker *checker, uint64_t steps);
/* -1 after checker_refute. */
int checker_variable(struct checker *checker, const struct text *name);

/* text.c: the one expression of `source`; NULL and *why ("line:column: …") if it is not one. */
struct text *text_read(struct arena *arena, const char *source, const char **why);
bool text_is(const struct text *text, const char *word);
/* A list that begins with `word` and has from `least` to `most` items after it. */
bool text_begins(const struct text *text, const char *word, size_t least, size_t most);
/* A decimal index below `limit`. */
bool text_index(const struct text *text, size_t limit, size_t *index);

/* polynomial.c */
bool checker_polynomials(struct checker *checker, const struct ring *ring);
const struct poly *checker_poly(struct checker *checker, const struct text *text);
const qqbar_struct *checker_rational(struct checker *checker, const struct text *text);
const struct item *item_intern(struct checker *checker, const fmpz_mpoly_t p);
/* p = a positive constant * *sign * item. */
const struct item *item_of(struct checker *checker, const struct poly *p, int *sign);
bool item_factor(struct checker *checker, const struct item *item);
slong item_degree(const struct checker *checker, const struct item *item, int variable);
const struct item *item_coefficient(struct checker *checker, const struct item *item, int variable,
                                    slong k);
/* Principal subresultant coefficient k, up to a constant factor. */
const struct item *subresultant(struct checker *checker, struct reductum f, struct reductum g,
                                int variable, slong k);

/* hypothesis.c */
bool hypothesis_add(struct checker *checker, struct hypothesis h);
bool hypothesis_read(struct checker *checker, const struct text *text, struct hypothesis *h);
/* Three-valued: 1, 0, -1 unknown. */
int hypothesis_truth(struct checker *checker, struct hypothesis h, sign_function sign,
                     void *context);
/* An atom, with the relation that holds; false if h is none. */
bool hypothesis_atom(struct hypothesis h, struct constraint *atom);
/* Are its solutions open because of its form alone: only <, > and != in negation normal form? */
bool hypothesis_strict(struct checker *checker, struct hypothesis h);

/* number.c; numbers are real qqbar */
struct point {
    struct checker *checker;
    size_t count;
    struct {
        int variable;
        const qqbar_struct *number;
    } at[RING_CAPACITY + 1];
};

/* The distinct real roots, ascending; degree over the point, -1: it vanishes identically there. */
struct roots {
    slong degree;
    VEC(const qqbar_struct *) at;
};

qqbar_struct *number_new(struct checker *checker);
void point_add(struct point *point, int variable, const qqbar_struct *number);
/* Are all variables of the item, `except` (-1: none) aside, set? */
bool point_sets(const struct point *point, const struct item *item, int except);
int point_sign(const struct point *point, const fmpz_mpoly_t p);
bool point_roots(const struct point *point, const fmpz_mpoly_t p, int variable,
                 struct roots *roots);

bool product_check(struct checker *checker, const struct text *proof);
bool cover_check(struct checker *checker, const struct text *proof);
bool witness_check(struct checker *checker, const struct text *text);
bool constant_check(struct checker *checker, const struct text *text);

#endif

#ifndef CLAIMS_CLAIM_H
#define CLAIMS_CLAIM_H
#include "claims/document.h"

/* What a tree claims, as questions that a proof or a point answers. The list of a region depends on
   the tree alone, so that who proves and who checks a certificate ask the same. */

enum claim_kind {
#define X(SYMBOL, word, title, failure) CLAIM_##SYMBOL,
#include "claims/claim.def"
#undef X
    CLAIM_KINDS
};
const char *claim_title(enum claim_kind kind);

/* Of all integer points of the initial system where auxiliary integers have the values of their
   definitions: */
enum claim_form {
    CLAIM_IMPLIES,   /* those that satisfy the premises satisfy the conclusions */
    CLAIM_NOWHERE,   /* none satisfies the premises */
    CLAIM_SOMEWHERE, /* one satisfies the premises: `point` */
    CLAIM_TEXT       /* nothing is asked of points: `fault` tells what reading the tree showed */
};

struct claim {
    enum claim_kind kind;
    const char *key;                    /* "cover 2.1": unique in the region */
    const char *subject;                /* "leaf 2, case 1" */
    enum claim_form form;
    const char *fault;                  /* NULL = the text is right */
    const char *unstated;               /* why the tree does not state it; NULL */
    struct sas premises, conclusions;
    const struct formula *besides;      /* a premise that is no constraint; NULL */
    const int64_t *point;               /* the witness; NULL = the tree has none */
};

struct claim_list {
    size_t count;
    const struct claim *at;
};
struct claim_list claims_of(struct arena *arena, const struct document_region *region);

/* The question that the claim's certificate answers (docs/certificates.md): `sat` of
   CLAIM_SOMEWHERE, else `unsat`. */
struct check_question;
struct check_question *claim_question(struct arena *arena, const struct document_region *region,
                                      const struct claim *claim);
enum claim_status {
    CLAIM_READ,        /* holds as is seen from the text of the tree */
    CLAIM_WITNESSED,   /* proved by a point */
    CLAIM_PROVED,      /* proved by a certificate */
    CLAIM_FAILED,
    CLAIM_OPEN,        /* neither proved nor refuted within the budget */
    CLAIM_UNSTATED     /* the tree does not say what would have to be proved */
};
struct claim_result {
    enum claim_status status;
    const char *evidence;               /* the certificate; NULL = none is needed or there is
                                           none */
    const char *why;                    /* FAILED, OPEN, UNSTATED */
};

/* Time and answers of a run over claims. */
struct claim_cost {
    double solver, checker;             /* CPU seconds */
};

/* prove.c: by the solver, at most `steps` for each (0 = default); what it answers goes through the
   independent checker. */
struct claim_result claim_prove(struct arena *arena, const struct document_region *region,
                                const struct claim *claim, uint64_t steps, struct claim_cost *cost);
/* check.c: by a certificate alone; NULL = there is none. */
struct claim_result claim_check(struct arena *arena, const struct document_region *region,
                                const struct claim *claim, const char *certificate,
                                struct claim_cost *cost);
/* check.c: what a point that breaks the claim shows; NULL if it does not break it. */
const char *claim_broken(struct arena *arena, const struct document_region *region,
                         const struct claim *claim, const int64_t *point);

#endif

#ifndef CLAIMS_LISTER_H
#define CLAIMS_LISTER_H
#include "base/vec.h"
#include "claims/claim.h"

/* What the two files that list claims share: the claims so far, and the places of the tree. */

/* A place or fork met on the way down, with the constraints on the way. */
struct stop {
    const struct document_node *node;   /* NULL: the rest */
    struct sas way;
    int number;                         /* of forks, from 1 */
    size_t parent;                      /* the fork above; of the first itself */
    bool accepted;                      /* it hangs at its accept edge */
};

struct lister {
    struct arena *arena;
    const struct document_region *region;
    VEC(struct claim) claims;
    VEC(struct stop) stops;             /* of the whole tree, in the order of reading */
};

/* A new claim without premises and conclusions; its key is the kind's word and what follows. */
__attribute__((format(printf, 4, 5)))
struct claim *claim_add(struct lister *lister, enum claim_kind kind, const char *subject,
                        const char *format, ...);
/* The case that stands at a place; NULL if it is not there. */
const struct document_case *case_at(const struct lister *lister, const struct stop *stop);
/* What holds where piece k counts: none of those before. NULL of the first. */
const struct formula *not_before(struct lister *lister, const struct document_need *need, size_t k);
/* a/b <= c/d for positive b and d (NULL = 1), and that they are positive. */
struct sas fraction_below(struct lister *lister, const struct poly *a, const struct poly *b,
                          const struct poly *c, const struct poly *d);

/* strategies.c: the claims of the strategies at the refuse edges of forks. */
void strategy_claims(struct lister *lister);

#endif

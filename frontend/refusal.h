#ifndef FRONTEND_REFUSAL_H
#define FRONTEND_REFUSAL_H
#include "frontend/ast.h"

/* The constructs that the mapper and the lowering refuse: the rows of refusal.def. */

enum refusal {
#define X(NAME, called, in_fragment, in_region) REFUSE_##NAME,
#include "frontend/refusal.def"
#undef X
    REFUSALS
};

enum refusal_place { REFUSED_IN_FRAGMENT, REFUSED_IN_REGION };

/* How a refused construct is called, and what to do instead. */
struct refusal_text {
    const char *called, *instead;
};

/* The row of a node's kind; REFUSE_OTHER if the place has none. */
enum refusal refusal_of_node(const struct ast *node, enum refusal_place place);
/* The words for REFUSE_OTHER: the name of the node, or of the node's kind. */
const char *refusal_name(const struct ast *node);
/* The texts of a row, with `words` (NULL: a question mark) in place of each %s. */
struct refusal_text refusal_text(struct arena *arena, enum refusal row, enum refusal_place place,
                                 const char *words);

#endif

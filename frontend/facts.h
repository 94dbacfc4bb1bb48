#ifndef FRONTEND_FACTS_H
#define FRONTEND_FACTS_H
#include "frontend/ast.h"
#include "base/map.h"

/* Facts about the body of a function that are asked for each of its nests, gathered in one walk. */

/* The bytes from the first mention of a variable to its last one: the places where they begin. */
struct ast_span {
    size_t first, last;
};

struct ast_facts {
    struct map *changed;             /* declaration of a scalar or pointer to the first node that
                                        changes it by name */
    struct map *addressed;           /* declaration to a node that takes its address */
    struct map *spans;               /* declaration to struct ast_span */
    size_t n_gotos;
    bool has_indirect_goto;
    bool has_hidden_ways;            /* jumps and labels, statements in expressions: ways through
                                        the body that its nesting does not show */
};

/* The facts of a body, kept by its unit: to be asked when the mapper has changed bodies for the
   last time (mapper/forms/forms.h). */
const struct ast_facts *ast_facts(const struct ast_unit *unit, const struct ast *body);

#endif

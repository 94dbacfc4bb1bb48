#ifndef MAPPER_FRAGMENT_H
#define MAPPER_FRAGMENT_H
#include "base/vec.h"
#include "ir/reduce.h"
#include "mapper/scop/refuse.h"

/* Fragments of a file, as pragmas mark them (find.c), before they are read. */

/* A variable that a clause `reduction` names. */
struct directive_sum {
    enum reduce_op reduction;
    const char *name;
    size_t length;
};

/* An OpenMP or OpenACC directive on a loop. */
struct directive {
    const struct ast_pragma *pragma;
    int depth;                       /* nested loops under the directive, with the marked one */
    struct scop_refusal refusal;     /* of a clause; no text: none */
    VEC(struct directive_sum) sums;
    struct scop_refusal unused;      /* of the first clause of sums: a note for where no sum runs in
                                        parallel */
};
struct sinking;
/* Statements to map: marked ones (find.c), or loops that the mapper chose. */
struct fragment {
    const struct ast *function, *body;   /* the function around the fragment, the function's body */
    size_t n_statements;
    const struct ast *const *statements;
    size_t begin, end;               /* bytes that the mapped text replaces: with the pragmas */
    size_t statements_end;           /* behind the last statement and its semicolon */
    struct loc loc;                  /* of the pragma */
    bool needs_braces;
    const struct directive *directive;   /* the directive that marks the fragment; NULL: none */
    struct sinking *sinking;         /* conditions around loops are read as sink.h says; NULL: as
                                        they stand */
};
typedef VEC(struct fragment) fragment_list;
/* `needs_marks`: what is wrong with a pair of pragmas is an error, else a warning. False after
   errors. */
bool fragments_find(struct ctx *ctx, struct ast_unit *unit, bool needs_marks, fragment_list *list);
/* The statement that begins first behind an offset, and whether it stands in a block. */
const struct ast *const *statement_behind(struct arena *arena, const struct ast *body,
                                          size_t offset, bool *in_block);

#endif

#ifndef MAPPER_EXTRACT_H
#define MAPPER_EXTRACT_H
#include "frontend/header.h"
#include "mapper/scop/read.h"

/* State and functions that extract.c and its neighbours share while a fragment is read. */

struct sum_place {
    const struct ast *node;
    enum reduce_op reduction;
};

struct extraction {
    struct scop *scop;
    const struct scop_stmt *before;  /* the last read statement; NULL: none, or the next statement
                                        may precede the last one in the text */
    bool is_other;                   /* reading a block in the place of a loop or an `if` */
    int sunk_depth;                  /* loops around the outermost `if` whose block is read; 0: none
                                        is */
    VEC(const struct ast *) set;     /* scalars that the statement has surely written before */
    VEC(struct sum_place) sums;      /* elements that the statement accumulates in (sums.c) */
    const loop_others *others;       /* blocks in place of loops */
};

/* reference.c: the accesses of the place's statement, which is a leaf, or of a part of it;
   `is_may`: under a condition on data. False after a refusal. */
bool accesses_read(struct extraction *e, struct scop_place at, const struct ast *ast, bool is_may);
/* reference.c: the subscripts of an element under the choices of the place. */
void subscripts_read(struct scop *scop, struct scop_place at, const struct ast *index,
                     struct scop_access *access);
/* alternatives.c: the same in all ways that choices can be made; false, with no alternatives, if
   there are no choices or too many. */
bool alternatives_read(struct scop *scop, struct scop_place at, const struct ast *index,
                       struct scop_access *access);

/* The accesses of an expression, and of an assignment, `++` or `--`. */
bool expression_read(struct extraction *e, struct scop_place at, const struct ast *ast);
bool write_read(struct extraction *e, struct scop_place at, const struct ast *ast, bool is_may);

/* helper.c: the accesses of a call of a function with a body; `is_statement`: its value is not
   used. False after a refusal. */
bool helper_read(struct extraction *e, struct scop_place at, const struct ast *call, bool is_may,
                 bool is_statement);

/* The loop without its body; NULL after a refusal. */
struct scop_loop *header_read(struct scop *scop, struct scop_place at, const struct ast *ast);

/* extremum.c: the operands of which an expression is the least, or the greatest; an affine
   expression is its own single operand. Operands over parameters come first. False for other
   expressions. */
struct extremum {
    int n;
    struct affine forms[LOOP_LIMITS];
};
bool extremum_read(struct scop *scop, struct scop_place at, const struct ast *ast, bool least,
                   struct extremum *out);

/* inner.c: the accesses of a loop that belongs to a statement. False after a refusal. */
bool inner_loop_read(struct extraction *e, struct scop_place at, const struct ast *ast,
                     bool is_may);

/* named.c: what is assigned to memory below a node, or given to a function, by declaration. */
void stored_collect(struct scop *scop, const struct ast *root);
/* Are all variables of the declaration names? They are from then on, if so. */
bool names_read(struct scop *scop, struct scop_place at, const struct ast *declare);

/* Declarations of what statements below a node change, each with where it does first. */
void written_collect(struct arena *arena, struct map *written, const struct ast *root);
/* Variables that are declared below a node. */
void declared_collect(struct scop *scop, const struct ast *root);
/* Iterators declared outside are used by their own loops only, and the values that they end with
   are known where somebody reads them behind. Refuses the fragment otherwise. */
void iterators_check(struct scop *scop);
/* The mapped text names what the fragment is made of, sizes of arrays, too, by the source's
   names. */
void names_check(struct scop *scop);
/* The mapped text declares a variable of the fragment where it needs one: nobody behind may. */
void declarations_check(struct scop *scop);
/* A member of a structure that is read as a variable is not changed in the fragment. */
void members_check(struct scop *scop);
/* Text behind the fragment may need a statement in it that the mapped text is without (forms.h). */
void removed_check(struct scop *scop);
/* A loop that moves a pointer is mapped as a whole (moving.c). */
void moved_check(struct scop *scop);

#endif

#ifndef METAFORK_STUDY_H
#define METAFORK_STUDY_H
#include "metafork/digits.h"

/* What of a kernel depends on which radices: shared by study.c, which takes in uses of numbers and
   parameters, and automatic.c, which goes over the statements. */

enum { LOOPS_MAX = 32, ZEROS_MAX = 3 };

/* Where a statement stands. */
struct study_place {
    struct conditions known;
    int n_loops;
    const struct stmt *loops[LOOPS_MAX];     /* serial ones, the outermost first */
    bool is_first[GROUPS_MAX];               /* in the first piece of a number's loops, before any
                                                value of the number */
    int n_zeros;
    const struct var *zeros[ZEROS_MAX];      /* axes of the block of which only thread 0 comes here,
                                                once whatever the extents are */
};

struct study {
    struct arena *arena;
    const struct kernel *kernel;
    struct numbers digits;
    struct map *declared;                    /* local to where it is declared */
    struct map *elsewhere;                   /* variables used otherwise */
    bool has_begun[GROUPS_MAX];              /* this piece has met a loop of a lower digit */
};

/* The number of which the iterator is a digit; NULL: of none that is not broken. */
struct digit_group *study_group(struct study *s, const struct var *var);
int study_number(const struct study *s, const struct digit_group *group);
/* Breaks numbers that share what they may not, wherever they are used. */
void study_begin(struct study *s);
/* The loop of a number's highest digit begins: breaks it if it shares a digit with one that is
   under way, or has one that is fixed. */
void study_enter(struct study *s, struct digit_group *group, const struct study_place *place);
/* Does `v == 0`, v an axis of the block, pick out one thread that does the same for all radices? */
bool study_is_zero(struct study *s, const struct var *var, const struct study_place *place);
void use_var(struct study *s, const struct var *var);
/* What p mentions besides numbers, which must be bounded there, counts as used. A condition may be
   asked anywhere. */
void use_poly(struct study *s, const struct poly *p, const struct study_place *place,
              bool is_condition);
/* Locals are replaced by their definitions. */
void use_expanded(struct study *s, const struct expr *e, const struct study_place *place);
void study_declare(struct study *s, const void *local, const struct study_place *place);
/* What the local or private array gets here may be read in a later round, or by threads that do not
   come here. */
void use_kept(struct study *s, const void *local, const struct study_place *place);
/* What is stored between the loops of digits is stored once per piece; a private array carries what
   is stored in it. */
void use_stored(struct study *s, const struct array *array, const struct study_place *place);

#endif

#ifndef IR_BATCH_H
#define IR_BATCH_H
#include "base/vec.h"
#include "ir/kernel.h"

/* Copies in batches: strided bands of which a thread does several points at once, all their loads
   before their stores (stmt.batch; docs/kernel.md says what such a band may hold). */

/* Points of a batch where tiles are filled and written back, and the most there may be. */
enum { BATCH_POINTS = 4, BATCH_MOST = 16 };

/* The band with `points` points to a batch, where it is a copy that allows that; else as it is. */
const struct stmt *batch_band(struct arena *arena, const struct stmt *band, int points);
/* May this band be done in batches? One store for each point, perhaps under a condition, behind
   definitions; the value has one load, of another array. Or a vector is gathered: a loop to be
   unrolled stores such values to a private array, element by element, and one vector store takes
   them; or the loop stores zeros, in whose place a vector is loaded under a condition. Subscripts
   are linear in the axes, and nothing else is read from memory. */
bool batch_allowed(struct arena *arena, const struct stmt *band);

/* A global array as a line of elements, the first subscript for all. */
struct batch_line {
    const struct array *array, *line;
};

/* A kernel whose batches are spelled out as loops of a thread. It is for printers: its body holds
   stores outside bands. */
struct batches {
    const struct kernel *kernel;        /* the one given, if it has no batches */
    const struct var *thread, *threads; /* the thread's number and the count, to be defined by who
                                           prints; NULL: not used */
    const struct stmt *begin;           /* definitions once for all blocks; NULL: none */
    VEC(struct batch_line) lines;
    struct map *anew;                   /* variables whose values compilers are not to see through:
                                           what is computed from them would be kept in registers
                                           from one copy, or batch, to the next */
    struct map *places;                 /* variables that are numbers of elements of a line, to the
                                           line: they begin with any number and go on by sums, so
                                           that they may be kept as addresses */
};
struct batch_options {
    bool unrolls;    /* point by point, with variables in `anew`, for a compiler that keeps what it
                        can; else with loops that are marked to be unrolled */
    bool ahead;      /* in loops that fill tiles the first batches are loaded a round ahead */
};
struct batches batches_expand(struct arena *arena, const struct kernel *kernel,
                              struct batch_options options);

#endif

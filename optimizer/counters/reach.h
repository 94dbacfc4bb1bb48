#ifndef OPTIMIZER_COUNTERS_REACH_H
#define OPTIMIZER_COUNTERS_REACH_H
#include "optimizer/counters/scope.h"

/* What one access reaches when a box of threads makes it: the closed forms of spec H-23 and H-24,
   in pieces.

   The unit is the element (of a vector copy: the vector). An axis of the box is
   - zero:  all its threads are at one place,
   - small: its step is certainly less than a line, so that no line between its first and its last
     thread is left out,
   - large: any other; its threads count as being on lines of their own.
   A box then touches at most prod(large extents) * (floor((sum over small axes of (extent - 1) *
   step + phase) / line) + 1) lines, and exactly these where every row (the small axes) begins at
   `phase` after the beginning of a line and the large steps keep the rows apart. */

enum reach_kind { REACH_ZERO, REACH_SMALL, REACH_LARGE };

struct reach_axis {
    enum reach_kind kind;
    const struct poly *extent;
    const struct poly *step;          /* absolute value, elements; NULL = sign unknown (then it
                                         is large) */
    int first, last;                  /* the band's axes it is made of, counted from the fastest */
};

struct reach {
    const struct list_access *access;
    bool is_known;                    /* false: not affine, or of unknown extent; `n` is 0 */
    int n;
    struct reach_axis axes[AXES_MAX]; /* fastest first; axes that continue each other are one */
    int n_small;
    bool is_contiguous;               /* one axis that is all of the band's, or none */
    int64_t bytes;                    /* of an element, or of a vector */
    /* What must be whole lines so that every row begins at the same place in a line: multiples (p =
       whole lines). */
    bool is_alignable;                /* such a condition can be stated, and may hold */
    size_t n_whole;
    const struct poly *whole[4 * AXES_MAX];
    int64_t phase;                    /* elements; negative: counted from the end of a line */
    /* Where all of these hold large axes keep apart what they reach. NULL list and !is_apart:
       cannot be told. */
    bool is_apart;
    size_t n_apart;
    struct constraint apart[2 * AXES_MAX];
};

/* `threshold`: literal steps of up to so many bytes are small. `line`: bytes of a line. */
struct reach reach_make(const struct list_access *access, int64_t threshold,
                        const struct poly *line);
/* Bytes of a literal step that may be less than a line or not, that is above `least`; 0 if there
   is none. */
int64_t reach_threshold(const struct list_access *access, int64_t least, int64_t above);

struct ratio {
    const struct poly *numerator, *denominator;   /* denominator NULL = 1 */
};
/* Product of the extents of the large axes times the lines of a row, for a box with these extents
   (n of them; numerator over the common `denominator`, which divides one extent only; NULL = 1).
   `worst`: rows begin anywhere in a line. */
struct ratio reach_lines(struct scope *scope, const struct reach *reach,
                         const struct ratio *extents, const struct poly *line, bool worst);
/* Lines that the different elements of the box would fill; a lower bound unless at most one axis is
   small and the large ones keep rows apart (if they may: where `apart` holds). */
const struct poly *reach_ideal(struct scope *scope, const struct reach *reach,
                               const struct ratio *extents, const struct poly *line);
/* At most so many for any `count` consecutive points of the box, which are spread over at most
   `rows` rows of the fastest axis. */
const struct poly *reach_run(struct scope *scope, const struct reach *reach,
                             const struct poly *count, const struct poly *rows,
                             const struct poly *line);

/* Elements from one row's first to the next one's, if rows follow each other: extent times step of
   the one small axis; numerator NULL if there is not just one. `extents` NULL: those of
   the axes. */
struct ratio reach_row(const struct reach *reach, const struct ratio *extents);

struct ratio ratio_of(const struct poly *p);
struct ratio ratio_mul(struct ratio a, struct ratio b);
struct ratio ratio_add(struct ratio a, struct ratio b);

#endif

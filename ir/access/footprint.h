#ifndef IR_ACCESS_FOOTPRINT_H
#define IR_ACCESS_FOOTPRINT_H
#include "ir/access/delta.h"

/* The boxes of an array that one band touches in one execution, before they become
   program expressions. */

enum { DIGITS_MAX = 8, MEMBERS_MAX = 64 };

/* One iterator of a digit: v' = iterator - lo (or hi - iterator if reversed) counts weight units of
   the digit. */
struct digit_part {
    int iterator;
    bool reversed;
    const struct poly *weight;
};

/* A dimension of the box: coordinates 0 .. extent - 1, each `stride` elements of array
   dimension `dimension`. */
struct digit {
    int dimension;
    const struct poly *stride, *extent;   /* extent without the references' offsets */
    size_t n_parts;
    const struct digit_part *parts;
};

/* One reference of a box and where it lies in it, per digit. */
struct member {
    const struct access *access;
    int64_t offsets[DIGITS_MAX];
};

struct box {
    const struct array *array;
    const struct stmt *band;
    const struct context *context;
    int n_digits;
    struct digit digits[DIGITS_MAX];
    int64_t least[DIGITS_MAX], most[DIGITS_MAX];     /* of the members' offsets */
    const struct form *const *base;       /* array->n_dims: the element of the first member at the
                                             box's beginning */
    const struct range *ranges;           /* by iterator, over iterators outside the band: the tile
                                             iterators' hulls */
    bool hull_ranges;                     /* a bound depends on another iterator */
    bool read_only;                       /* nothing in the kernel writes the array */
    bool gaps;                            /* some cells between others are never touched */
    bool ambiguous;                       /* without the guards, two cells might stand for
                                             one element */
    int n_members;
    struct member members[MEMBERS_MAX];
};

struct footprint {
    const char *failure;                  /* NULL: the boxes are valid */
    VEC(struct box *) boxes;
};

/* footprint.c */
struct footprint footprint_collect(struct analysis *analysis, const struct stmt *band,
                                   const struct array *array);
bool iterator_in_tile(const struct analysis *analysis, int iterator);
/* The extent of digit k with the halo. */
const struct poly *box_extent(struct analysis *analysis, const struct box *box, int k);
/* The element's subscript in dimension d as a form in which iterator first + k is coordinate k. */
const struct form *box_element(struct analysis *analysis, const struct box *box, int d, int first);
/* Iterators for the coordinates; returns the first. */
int box_coordinates(struct analysis *analysis, const struct box *box);

/* digits.c: the digits of the tile iterators of one subscript; false if a sign is open or digits
   might overlap. */
bool digits_build(struct analysis *analysis, struct box *box, int dimension,
                  const struct form *subscript);
/* The difference of two constants as offsets in the digits of a dimension; false if it is none. */
bool digits_offset(struct analysis *analysis, const struct box *box, int dimension,
                   const struct poly *difference, int64_t *offsets);

/* written.c: conditions over the coordinates (iterators first + k) under which a cell is touched by
   the written members (or by all); guards that must be >= 0, as a disjunction of conjunctions. */
struct cell_case {
    VEC(const struct form *) guards;
    VEC(struct condition) conditions;
};
struct cell_condition {
    bool possible;                        /* false: it cannot be expressed */
    bool always;                          /* every cell */
    VEC(struct cell_case) cases;
};
struct cell_condition box_touched(struct analysis *analysis, const struct box *box,
                                  bool written_only, int first);
/* Does a subscript contain a fresh iterator? */
bool access_fresh(const struct analysis *analysis, const struct access *access);
/* The first step of the path that stands inside the band. */
size_t band_begin(const struct analysis *analysis, const struct access *access);
/* Conditions inside the band that all members share, uniform in the block. */
size_t box_conditions(struct analysis *analysis, const struct box *box,
                      const struct condition **conditions);

/* sharing.c: is no element of the box touched by two iterations of the band, and do neighbouring
   threads touch neighbouring elements? */
bool box_is_streamed(struct analysis *analysis, const struct box *box);
/* Do neighbouring threads go down a column? Do several threads, but not all, touch one element? */
bool box_is_crossed(struct analysis *analysis, const struct box *box);
bool box_is_shared(struct analysis *analysis, const struct box *box);

/* extent.c */
/* Rows of an array whose first extent is open, from the references that are made whenever the box
   is touched (NULL: all, counted under their conditions, as far as those are not known to hold). */
const struct expr *analysis_rows(struct analysis *analysis, const struct context *known,
                                 const struct array *array, const struct box *box, enum type type);
const struct expr *analysis_extent(struct analysis *analysis, const struct array *array);
/* The extent of a dimension as a polynomial, as access_extent has it wherever anything is launched;
   NULL if it is none. */
const struct poly *analysis_dimension(struct analysis *analysis, const struct array *array, int d);
/* overwrite.c: does every launch write the whole array, whatever it reads? */
struct overwriting analysis_covered(struct analysis *analysis, const struct array *array);
/* Does every launch overwrite the array? */
struct overwriting analysis_overwritten(struct analysis *analysis, const struct array *array);
/* prepared.c: has the thread that makes reference number `read` always written its element? */
bool read_is_prepared(struct analysis *analysis, size_t read);
/* tile.c */
struct tiling analysis_tiles(struct analysis *analysis, const struct stmt *band,
                             const struct array *array);

/* promote.c */
size_t analysis_promotions(struct analysis *analysis, const struct promotion **promotions);
/* Does the thread keep the element in a register over all rounds of the loop that the step of the
   reference's path enters? */
bool access_is_kept(struct analysis *analysis, const struct access *access, size_t step);

#endif

#ifndef IR_ACCESS_H
#define IR_ACCESS_H
#include "constraints/solve.h"
#include "ir/kernel.h"

/* What the statements of a kernel touch, answered as polynomials or verdicts. Works on the banded
   form (before anything is staged); method: subscripts as mixed-radix numbers with polynomial
   strides (docs/access.md). */

enum access_verdict { ACCESS_PROVED, ACCESS_PROVED_UNDER, ACCESS_CONFLICT, ACCESS_UNKNOWN };

/* One array reference of the kernel: a load expression or a store statement. */
struct reference {
    const struct array *array;
    bool is_write;
    const struct expr *load;          /* or NULL */
    const struct stmt *store;         /* or NULL */
    struct loc loc;
};

/* Two references of one array, of which at least one writes. */
struct access_pair {
    struct reference a, b;
};

struct legality {
    enum access_verdict verdict;
    struct sas condition;             /* PROVED_UNDER: what the dispatcher must check */
    const struct access_pair *causes; /* condition.count entries: what each keeps apart */
    struct reference a, b;            /* CONFLICT, UNKNOWN: the two accesses */
    /* CONFLICT: a witness ("i = 0 and i = 1 both touch a[4] for B = 2"). UNKNOWN: the missing fact,
       and the assertion that supplies it where one does. */
    const char *reason;
};

/* May all iterations of the grid and the bands run concurrently (between two barriers)? */
struct legality access_parallel(struct ctx *ctx, const struct kernel *kernel);
/* May the iterations of the serial loop `loop` (inside a band) be given to different blocks? */
struct legality access_coarse(struct ctx *ctx, const struct kernel *kernel,
                              const struct stmt *loop);

/* How `loop` becomes part of the grid: iterator g of grid axis `axis` becomes g*trip + k (fold)
   where every subscript and guard has coefficient(g) = trip * coefficient(k); axis -1: it needs an
   axis of its own. */
struct fold {
    int axis;
};
struct fold access_fold(struct ctx *ctx, const struct kernel *kernel, const struct stmt *loop);

/* The serial loops inside bands that may be redistributed (all at once), outermost first; count 0
   if none may. */
size_t access_coarse_loops(struct ctx *ctx, const struct kernel *kernel,
                           const struct stmt ***loops);

/* Staging. A tile is a box of an array that one band touches in one execution; a band's tiles are
   disjoint where one of them is written. */
struct tile {
    const struct array *array;
    int n_dims;                              /* dimensions of the tile (after delinearisation,
                                                constant ones left out) */
    const struct poly *const *extents;       /* n_dims, polynomials in the parameters */
    const struct expr *const *element;       /* array->n_dims subscripts of the array for tile
                                                coordinates `coordinates` */
    const struct var *const *coordinates;    /* n_dims variables that `element` uses, TYPE_I32
                                                or TYPE_I64 */
    const struct expr *inside;               /* condition over coordinates under which a cell may be
                                                filled: its element lies in the array and no other
                                                block writes it; NULL = always */
    const struct expr *condition;            /* uniform condition under which the band touches the
                                                tile; NULL = always */
    bool is_read, is_written;
    bool exact;                              /* every cell is touched by a block without
                                                cut-off guards */
    bool is_streamed;                        /* no element is touched by two iterations of the band,
                                                but for rounds over which its thread keeps it in a
                                                register, and neighbouring threads touch
                                                neighbouring elements: a copy would save nothing */
    bool is_crossed;                         /* neighbouring threads go down a column */
    bool is_shared;                          /* several threads, but not all, touch one element */
    /* Write-back: condition over coordinates under which the cell is written; NULL = every cell.
       Valid if write_exact. */
    const struct expr *written;
    bool write_exact;                        /* false: each thread must store its own elements */
    const struct poly *words;                /* product of extents × words per element */
    size_t n_references;
    const struct reference *references;
    const struct expr *const *const *places; /* per reference: n_dims tile subscripts in the scope
                                                of the reference */
};

struct tiling {
    bool possible;
    const char *reason;        /* why not */
    size_t count;
    const struct tile *tiles;
};
/* The tiles of `array` for one band (a STMT_BAND of kernel->body). Unknown legality of a written
   array: not possible. */
struct tiling access_tiles(struct ctx *ctx, const struct kernel *kernel, const struct stmt *band,
                           const struct array *array);

/* Must a barrier stand between an execution of band a and a later one of band b by the same block
   (a may be b: then between two iterations of the block-level loops around it)? Looks at global
   arrays only. */
bool access_needs_barrier(struct ctx *ctx, const struct kernel *kernel, const struct stmt *a,
                          const struct stmt *b);

/* Promotion to registers (Figure 4: private_c[s]). Legal if the references have one subscript per
   thread that does not depend on `around`, and neither another thread or block, wherever the guard
   holds, nor another reference inside `around` touches those elements. Promotions of one array have
   different loops, none inside another. */
struct promotion {
    const struct array *array;
    size_t n_references;
    const struct reference *references;      /* what becomes private; others inside `around` stay */
    const struct stmt *around;               /* the statement (loop) before which to load and after
                                                which to store */
    int n_iterators;                         /* serial loops of the thread that the subscript
                                                depends on */
    const struct stmt *const *loops;         /* n_iterators of them, outermost first: their trip
                                                counts size the private array */
    const struct expr *const *subscript;     /* array->n_dims */
    const struct expr *guard;                /* holds wherever a reference is made; elsewhere the
                                                elements may be missing or another thread's. The
                                                conditions that can be told outside; NULL = none */
    bool load_first, is_written;
};
/* Does this load, or this store, of the kernel become private? The other one is NULL. */
bool promotion_has(const struct promotion *promotion, const struct expr *load,
                   const struct stmt *store);
size_t access_promotions(struct ctx *ctx, const struct kernel *kernel,
                         const struct promotion **promotions);

/* Number of elements of a global array that the kernel may touch, counted from its start: an
   expression (TYPE_I64) over parameters, from the declared extents or else from the subscripts.
   NULL if neither tells. */
const struct expr *access_extent(struct ctx *ctx, const struct kernel *kernel,
                                 const struct array *array);
/* The extent of one of its dimensions as a polynomial in the parameters, wherever anything is
   launched; NULL: it is none, or is not known. */
const struct expr *access_dimension(struct ctx *ctx, const struct kernel *kernel,
                                    const struct array *array, int d);
/* Why access_extent found none: the first reference that nothing bounds. */
struct extent_fault {
    struct loc loc;
    const char *subscript;            /* its first subscript; NULL: the references bound it one by
                                         one, but there are too many */
    const char *guess;                /* an extent over the parameters that would fit the affine
                                         part of the subscript; NULL: none */
};
struct extent_fault access_extent_fault(struct ctx *ctx, const struct kernel *kernel,
                                        const struct array *array);
/* An accumulating store reads its array and writes it. */
void access_flags(const struct kernel *kernel, const struct array *array, bool *is_read,
                  bool *is_written);
/* Which global arrays does any kernel, staged or not, read from memory, elements that their own
   thread has always written before left out, and which does it write? `moved`: kernel->n_arrays
   entries, zero at first. */
struct array_moves {
    bool is_read, is_written;
};
void access_moved(struct ctx *ctx, const struct kernel *kernel, struct array_moves *moved);
/* Does every launch overwrite an array: does it write each element, as access_extent counts them,
   and read none before? */
struct overwriting {
    bool is_shown;                    /* it does wherever the conditions hold */
    size_t n_conditions;
    const struct expr *const *conditions;    /* comparisons over parameters */
};
/* `overwritten`: kernel->n_arrays entries, zero at first. */
void access_overwritten(struct ctx *ctx, const struct kernel *kernel,
                        struct overwriting *overwritten);

/* Are all references to the global or shared array of any kernel, staged or not, proved to lie in
   its declared extents? */
bool access_within(struct ctx *ctx, const struct kernel *kernel, const struct array *array);

/* Report of everything above for `-d access`. */
void access_print(struct ctx *ctx, struct str *out, const struct kernel *kernel);

#endif

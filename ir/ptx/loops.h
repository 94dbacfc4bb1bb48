#ifndef IR_PTX_LOOPS_H
#define IR_PTX_LOOPS_H
#include <stdbool.h>

/* What a loop of PTX text spends its instructions on. Counted as they stand in the text, once per
   turn of the loop, both sides of a branch; a vector access is one instruction; pragmas and labels
   are none. */
struct ptx_loop {
    int instructions;
    int fmas;                  /* fused floating-point operations */
    int flops;                 /* floating-point operations but moves and conversions; an fma
                                  is one */
    int shared, global, local; /* accesses by space; local memory is where private arrays and
                                  spills end */
    int stores, shared_stores; /* of them to global and to shared memory */
    int vectors;               /* accesses of two or four elements among them */
    int in_flight;             /* the most global loads in a row, as they stand in the text, without
                                  a shared store between */
    int barriers;
    int loops;                 /* loops of the entry in all */
};

/* The loop with the most fused operations, where a block counts for the innermost loop around it;
   where none has any, the one with the most floating-point operations; where none has those either,
   the one with the most accesses. All zero but for `local` if the entry has no loop; `local` counts
   the whole entry. False if the text is not understood. */
bool ptx_hot_loop(const char *ptx, const char *entry, struct ptx_loop *loop);
/* The loop that copies into shared memory: of those with global loads and shared stores the one
   with the most loads in flight; without instructions if there is none. False as above. */
bool ptx_copy_loop(const char *ptx, const char *entry, struct ptx_loop *loop);

#endif

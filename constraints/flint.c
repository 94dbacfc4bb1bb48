/* Taming of FLINT and GMP. Both end the process by abort() when memory runs out or an argument is
   out of range; a tool that writes files wants a message and an exit status instead. The handlers
   are process-wide in both libraries, so they are set once, before the first ring is made; the
   memory functions of GMP stay compatible with malloc and free, so that another user of GMP in the
   process (isl) may free what was allocated before.

   FLINT's own blocks are many, small and short-lived: coefficients and exponents of polynomials
   that an arena frees together. A block that is freed is kept by its size and handed out again; the
   blocks that a thread keeps are freed when it ends, whichever thread had them allocated. FLINT's
   memory functions have no argument of their own, hence the thread-local list. Sanitizers see each
   block.
   Source: FLINT manual, flint_set_abort, __flint_set_memory_functions; GMP manual, custom
   allocation. */
#include "constraints/flint.h"
#include <gmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

static _Noreturn void gave_up(void)
{
    fputs("treefork: error: the algebra library gave up (out of memory or beyond its limits)\n",
          stderr);
    _Exit(3);
}

static void *memory_new(size_t size)
{
    void *p = malloc(size ? size : 1);
    if (!p)
        gave_up();
    return p;
}

static void *memory_resize(void *p, size_t old_size, size_t size)
{
    (void)old_size;
    p = realloc(p, size ? size : 1);
    if (!p)
        gave_up();
    return p;
}

static void memory_free(void *p, size_t size)
{
    (void)size;
    free(p);
}

/* --- small blocks ----------------------------------------------------------------------------- */

enum { STEP = 16, SIZES = 33 };            /* blocks of up to STEP * (SIZES - 1) bytes are kept */

/* The head in front of each block. */
struct small_block {
    struct small_block *next;              /* kept blocks of this size are a list */
    size_t steps;                          /* its size in steps; SIZES: more, never kept */
};

struct small_blocks {
    struct small_block *kept[SIZES];       /* by size */
    bool is_known;                         /* freed when the thread ends */
};

_Static_assert(sizeof(struct small_block) % STEP == 0, "what follows a block's head is aligned");

static _Thread_local struct small_blocks blocks;
static tss_t blocks_key;

static void blocks_clear(void *object)
{
    struct small_blocks *ended = object;
    for (size_t i = 0; i < SIZES; i++)
        for (struct small_block *b = ended->kept[i], *next; b; b = next) {
            next = b->next;
            free(b);
        }
    *ended = (struct small_blocks){0};
}

static void *block_new(size_t size)
{
    size_t steps = (size + STEP - 1) / STEP;
    struct small_block *block = steps < SIZES ? blocks.kept[steps] : NULL;
    if (block) {
        blocks.kept[steps] = block->next;
        return block + 1;
    }
    block = memory_new(sizeof *block + (steps < SIZES ? steps * STEP : size));
    block->steps = steps < SIZES ? steps : SIZES;
    return block + 1;
}

static void *block_zero(size_t count, size_t size)
{
    if (size && count > PTRDIFF_MAX / size)
        gave_up();
    return memset(block_new(count * size), 0, count * size);
}

static void block_free(void *p)
{
    struct small_block *block = p ? (struct small_block *)p - 1 : NULL;
    if (!block)
        return;
    if (block->steps == SIZES) {
        free(block);
        return;
    }
    if (!blocks.is_known)
        blocks.is_known = tss_set(blocks_key, &blocks) == thrd_success;
    block->next = blocks.kept[block->steps];
    blocks.kept[block->steps] = block;
}

static void *block_resize(void *p, size_t size)
{
    struct small_block *block = p ? (struct small_block *)p - 1 : NULL;
    if (!block)
        return block_new(size);
    if (block->steps == SIZES)
        return (struct small_block *)memory_resize(block, 0, sizeof *block + size) + 1;
    if (size <= block->steps * STEP)
        return p;
    void *grown = memcpy(block_new(size), p, block->steps * STEP);
    block_free(p);
    return grown;
}

/* --- once per process ------------------------------------------------------------------------- */

static void tame(void)
{
    flint_set_abort(gave_up);
#ifndef __SANITIZE_ADDRESS__
    if (tss_create(&blocks_key, blocks_clear) == thrd_success)
        __flint_set_memory_functions(block_new, block_zero, block_resize, block_free);
#endif
    mp_set_memory_functions(memory_new, memory_resize, memory_free);
}

void flint_tame(void)
{
    static once_flag once = ONCE_FLAG_INIT;
    call_once(&once, tame);
}

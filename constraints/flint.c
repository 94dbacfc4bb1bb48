/* Taming of FLINT and GMP. Both end the process by abort() when memory runs out or an argument is
   out of range; a tool that writes files wants a message and an exit status instead. The handlers
   are process-wide in both libraries, so they are set once, before the first ring is made; the
   memory functions stay compatible with malloc and free, so that another user of GMP in the process
   (isl) may free what was allocated before. Source: FLINT manual, flint_set_abort; GMP manual,
   custom allocation. */
#include "constraints/flint.h"
#include <gmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
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

static void tame(void)
{
    flint_set_abort(gave_up);
    mp_set_memory_functions(memory_new, memory_resize, memory_free);
}

void flint_tame(void)
{
    static once_flag once = ONCE_FLAG_INIT;
    call_once(&once, tame);
}

/* Fibers by POSIX contexts.

   A fiber keeps its stack and context from one use to the next: its main loop runs the work, says
   that it is done and waits to be started again, so that a block of threads costs switches only.
   All stacks lie in one allocation, whose pages the system supplies when they are touched.

   The address sanitizer is told of each switch, since it would take the new stack for a corrupted
   old one. */
#include "ir/llvm/fiber.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#define SWITCH_START(save, bottom, size) __sanitizer_start_switch_fiber((save), (bottom), (size))
#define SWITCH_FINISH(save, bottom, size) __sanitizer_finish_switch_fiber((save), (bottom), (size))
#else
#define SWITCH_START(save, bottom, size) ((void)(save), (void)(bottom), (void)(size))
#define SWITCH_FINISH(save, bottom, size) ((void)(save), (void)(bottom), (void)(size))
#endif

struct fiber {
    ucontext_t context;
    enum fiber_state state;
    bool started;
    void *fake;              /* the sanitizer's */
};

static_assert(sizeof(void *) <= 2 * sizeof(unsigned), "a pointer is passed as two halves");

struct fibers {
    size_t count, stack, running;
    unsigned char *stacks;
    struct fiber *at;
    ucontext_t home;
    void *home_fake;
    const void *home_bottom;
    size_t home_size;
    void (*work)(void *owner, size_t index);
    void *owner;
};

static void fibers_free(void *object)
{
    struct fibers *fibers = object;
    free(fibers->stacks);
    free(fibers->at);
}

struct fibers *fibers_new(struct arena *arena, size_t count, size_t stack,
                          void (*work)(void *owner, size_t index), void *owner)
{
    struct fibers *fibers = ARENA_NEW(arena, struct fibers);
    *fibers = (struct fibers){.count = count, .stack = stack, .work = work, .owner = owner};
    fibers->stacks = malloc(count * stack);
    fibers->at = calloc(count, sizeof *fibers->at);
    arena_on_free(arena, fibers_free, fibers);
    return fibers->stacks && fibers->at ? fibers : NULL;
}

static void go_home(struct fibers *fibers, enum fiber_state state)
{
    struct fiber *fiber = &fibers->at[fibers->running];
    fiber->state = state;
    SWITCH_START(&fiber->fake, fibers->home_bottom, fibers->home_size);
    swapcontext(&fiber->context, &fibers->home);
    SWITCH_FINISH(fiber->fake, &fibers->home_bottom, &fibers->home_size);
}

/* makecontext passes ints: the pointer comes in two halves. */
static void fiber_main(unsigned first, unsigned second)
{
    unsigned halves[2] = {first, second};
    struct fibers *fibers = NULL;
    memcpy(&fibers, halves, sizeof fibers);
    SWITCH_FINISH(NULL, &fibers->home_bottom, &fibers->home_size);
    for (;;) {
        fibers->work(fibers->owner, fibers->running);
        go_home(fibers, FIBER_DONE);
    }
}

static void fiber_start(struct fibers *fibers, size_t index)
{
    struct fiber *fiber = &fibers->at[index];
    unsigned halves[2] = {0, 0};
    memcpy(halves, &fibers, sizeof fibers);
    getcontext(&fiber->context);
    fiber->context.uc_stack.ss_sp = fibers->stacks + index * fibers->stack;
    fiber->context.uc_stack.ss_size = fibers->stack;
    fiber->context.uc_link = NULL;
    makecontext(&fiber->context, (void (*)(void))fiber_main, 2, halves[0], halves[1]);
    fiber->started = true;
}

enum fiber_state fiber_run(struct fibers *fibers, size_t index)
{
    struct fiber *fiber = &fibers->at[index];
    if (fiber->state == FIBER_FAILED)
        return FIBER_FAILED;
    if (!fiber->started)
        fiber_start(fibers, index);
    fibers->running = index;
    fiber->state = FIBER_RUNNING;
    SWITCH_START(&fibers->home_fake, fibers->stacks + index * fibers->stack, fibers->stack);
    swapcontext(&fibers->home, &fiber->context);
    SWITCH_FINISH(fibers->home_fake, NULL, NULL);
    return fiber->state;
}

void fiber_wait(struct fibers *fibers)
{
    go_home(fibers, FIBER_WAITING);
}

void fiber_fail(struct fibers *fibers)
{
    go_home(fibers, FIBER_FAILED);
}

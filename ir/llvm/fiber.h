#ifndef IR_LLVM_FIBER_H
#define IR_LLVM_FIBER_H
#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

/* Threads of a block as fibers of one thread of the host. */

enum fiber_state { FIBER_IDLE, FIBER_RUNNING, FIBER_WAITING, FIBER_DONE, FIBER_FAILED };

struct fiber;
struct fibers;

/* `count` fibers, each of which runs work(owner, index) whenever it is started; stacks of `stack`
   bytes. NULL if memory is short. Freed with the arena. */
struct fibers *fibers_new(struct arena *arena, size_t count, size_t stack,
                          void (*work)(void *owner, size_t index), void *owner);
/* Lets fiber `index` run: from the start if it is idle or done, else from where it waits, until it
   waits, ends or fails. */
enum fiber_state fiber_run(struct fibers *fibers, size_t index);
/* Called by the running fiber: back to who let it run. A failed fiber is never run on. */
void fiber_wait(struct fibers *fibers);
void fiber_fail(struct fibers *fibers);

#endif

#ifndef NULL_DRIVER_H
#define NULL_DRIVER_H
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A CUDA driver and an OpenCL library in one that do nothing but memory, for tests of the runtime
   itself: its threads (built with ThreadSanitizer), its way out of every failure, its cost per
   launch. Only what runtime/cuda.def and runtime/opencl.def name.

   Kernels do nothing, but two: `add_one` adds 1 to the elements of its first argument, an array of
   int; the second is their number. Those of the region add_blocks (add_blocks.c), in OpenCL, add 1
   to the elements of their blocks: the arguments are the elements of a block, of all blocks, the
   array, and of a part the number of its first block and the beginning of its window. Calls share
   no lock, so that a race of the runtime shows. What the driver handed out and did not get back is
   counted.

   A call that gives something back does so, even where it says that it failed.

   After null_late(1) a launch runs when its queue is waited for or a copy comes behind it in the
   same queue, not before: what is out of order shows. The legacy stream of CUDA is a queue of its
   own.

   NULL_FAIL=N: the N-th call fails, all others work; NULL_CODE=C with this number (999; OpenCL -5).
   NULL_TYPE=cpu: OpenCL devices share the host's memory. NULL_MEMORY=BYTES: what a device has. */

enum { DEVICES = 2, ARGUMENTS = 64, LATE = 1024 };

struct function {
    bool adds;
    int place;                  /* OpenCL: that of the array among the arguments; -1: it does
                                   nothing */
    long memory;                /* OpenCL: the number of that memory object */
    int n;
    bool is_part;
    unsigned char value[ARGUMENTS][8];
};

/* A stream or command queue, with what was launched and has not run. */
struct queue {
    void *context, *device;
    uint64_t properties;
    int references, n, count[LATE];
    int *array[LATE];
    _Atomic long operations;
};

/* What tests ask and set. */
const char *null_failed(void);    /* the name of the function whose call failed; "" if none did */
long null_calls(void);
long null_live(void);             /* objects that were handed out and not given back */
long null_operations(const void *queue);      /* launches and copies that the queue was given */
int null_depth(void);             /* contexts of CUDA that this thread has pushed */
void null_reset(void);
void null_forget(void);           /* what was not given back goes with its context */
void null_fail(long call, long code);
void null_own(int own);           /* from 1 to 0 calls neither count nor fail: the program's own */
void null_late(int late);

/* A function of CUDA or OpenCL, which no header declares. */
#define EXPORT(result, name, parameters) result name parameters; result name parameters

#pragma GCC visibility push(hidden)
/* The number that an environment variable gives. */
long number_of(const char *name, long otherwise);
/* Counts the call; true where it is to fail, with code_or(what the interface usually says). */
bool fails(const char *function);
long code_or(long usual);

void *object_new(size_t size);
void object_free(void *object);
void live_add(long n);

/* Bytes of the device; false where it has no more. */
bool memory_take(size_t bytes);
void memory_give(size_t bytes);
size_t memory_taken(void);

void queue_add(struct queue *q, int *array, int count);
void queue_copy(struct queue *q, void *to, const void *from, size_t bytes);
int32_t queue_wait(struct queue *q, int32_t failed);
void queue_end(struct queue *q);
void queues_forget(const char *at, size_t bytes);

void function_name(struct function *f, const char *name);
#pragma GCC visibility pop

#endif

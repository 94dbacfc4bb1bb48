#ifndef IR_ASYNC_H
#define IR_ASYNC_H
#include "ir/kernel.h"

/* Asynchronous copies: stores of an element of 4 or 8 bytes, or of a vector, from global to shared
   memory that go on while the thread does other things. The value is a load of an array that the
   kernel does not write, or `condition ? load : 0`, of a vector for all its elements; it may arrive
   at any time until a barrier of stmt_pending has waited for its group. GPUs from sm_80 on have
   them; elsewhere they are plain copies. */

/* The most groups that a barrier may leave under way. */
enum { PENDING_MOST = 7 };
/* The first GPUs that have such copies: sm_80. */
enum { ASYNC_TARGET = 80 };

/* The load of a copy's value, and the condition under which it is made in *condition (NULL:
   always). NULL if the value has another form. */
const struct expr *async_load(const struct expr *value, const struct expr **condition);
/* The array that a vector copy reads. */
const struct array *vector_source(const struct stmt *copy);
/* Does the kernel have asynchronous copies? */
bool kernel_has_async(struct arena *arena, const struct kernel *kernel);

#endif

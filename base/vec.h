#ifndef BASE_VEC_H
#define BASE_VEC_H
#include "base/arena.h"

/* A growing array in an arena: `VEC(int) v = {0}; vec_push(arena, &v, 7); v.at[0]`.
   Old storage stays in the arena until it is freed. */
#define VEC(T)                                                                                     \
    struct {                                                                                       \
        T *at;                                                                                     \
        size_t count, capacity;                                                                    \
    }

#define vec_push(arena, v, x)                                                                      \
    ((v)->at = vec_reserve((arena), (v)->at, (v)->count, &(v)->capacity, sizeof *(v)->at),         \
     (void)((v)->at[(v)->count++] = (x)))
#define vec_pop(v) ((v)->at[--(v)->count])
#define vec_last(v) ((v)->at[(v)->count - 1])

/* Storage for at least count + 1 items of `size` bytes, with the old items copied. */
void *vec_reserve(struct arena *arena, void *items, size_t count, size_t *capacity, size_t size);

#endif

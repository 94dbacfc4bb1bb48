/* The one function behind the VEC macros. */
#include "base/vec.h"
#include <string.h>

void *vec_reserve(struct arena *arena, void *items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return items;
    *capacity = *capacity ? *capacity * 2 : 8;
    void *grown = arena_alloc(arena, *capacity * size);
    if (count)
        memcpy(grown, items, count * size);
    return grown;
}

/* The form of asynchronous copies.

   In: the value of a store, or a kernel. Out: what is loaded and when, or whether there are such
   copies. One form serves all: a GPU copies 4, 8 or 16 bytes, or writes as many zeros where it is
   told to read nothing, so that a guard costs no branch. */
#include "ir/async.h"
#include "ir/walk.h"

const struct expr *async_load(const struct expr *value, const struct expr **condition)
{
    *condition = NULL;
    if (value->kind == EXPR_SELECT && expr_is_zero(value->arguments[2])) {
        *condition = value->arguments[0];
        value = value->arguments[1];
    }
    return value->kind == EXPR_LOAD ? value : NULL;
}

const struct array *vector_source(const struct stmt *copy)
{
    const struct expr *condition, *load = async_load(copy->value, &condition);
    return load ? load->array : NULL;
}

bool kernel_has_async(struct arena *arena, const struct kernel *kernel)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, arena, kernel->body); s; s = stmt_next(&walk))
        if (s->kind == STMT_STORE && s->async)
            return true;
    return false;
}

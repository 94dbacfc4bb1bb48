#ifndef MAPPER_TRANSFORMATIONS_H
#define MAPPER_TRANSFORMATIONS_H
#include "base/ctx.h"

/* Changes of loops that the mapper may make (spec H-03): the rows of transformations.def. */

enum transformation {
#define X(symbol, name, when, text) TRANSFORMATION_##symbol,
#include "mapper/forms/transformations.def"
#undef X
    TRANSFORMATIONS
};

/* Is it asked for: by default, or not switched off (ctx->map_without)? */
static inline bool transformation_is_on(const struct ctx *ctx, enum transformation row)
{
    return !(ctx->map_without & 1u << row);
}

#endif

#ifndef TESTS_UNIT_EMIT_UNIT_H
#define TESTS_UNIT_EMIT_UNIT_H
#include "emit/device.h"

/* The device unit of one kernel, as if it were the only leaf of a region's tree; the entry is its
   name with "_1". */
static inline const char *unit_text(struct ctx *ctx, const struct kernel *kernel,
                                    const struct dialect *dialect)
{
    struct region region = {.name = kernel->name, .kernel = kernel};
    struct launch launch = {.number = 1, .kernel = kernel, .symbolic = kernel};
    struct variant variant = {
        .id = 1, .n_launches = 1, .launches = &launch, .fits = sas_empty(kernel->ring)};
    struct tree tree = {
        .region = &region, .ring = kernel->ring, .n_variants = 1, .variants = &variant};
    struct str out = str_new(ctx->arena);
    device_unit(ctx, &out, dialect, &tree, &variant, &launch);
    return out.text;
}

#endif

/* Recorded register estimates (estimates.h).

   In: kernels and estimates, or a file. Out: a file of lines "HASH SAMPLES RESIDUAL BOUND" behind a
   head with a version, in the order in which the estimates were made. The hash is over the kernel's
   text without its ring, its level of register pressure, the target, and whether products and sums
   are fused: what the estimate depends on. */
#include "optimizer/estimates.h"
#include "base/ctx.h"
#include "base/map.h"
#include "base/vec.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char HEAD[] = "treefork registers 1\n";
enum { HASH_DIGITS = 16 };

struct estimate_row {
    const char *hash;
    struct estimate estimate;
};

struct estimates {
    struct arena *arena;
    struct map *rows;                    /* by hash: struct estimate */
    VEC(struct estimate_row) order;
};

struct estimates *estimates_new(struct arena *arena)
{
    struct estimates *estimates = ARENA_NEW(arena, struct estimates);
    estimates->arena = arena;
    estimates->rows = map_new(arena);
    return estimates;
}

static const char *estimate_key(struct arena *arena, const struct kernel *kernel,
                                struct estimate_form form)
{
    int64_t level[2] = {kernel->pressure, form.target};
    uint64_t hash = hash_bytes(kernel_hash(kernel), level, sizeof level);
    if (form.contract)
        hash = hash_bytes(hash, "contract", strlen("contract"));
    return arena_printf(arena, "%016" PRIx64, hash);
}

static void row_add(struct estimates *estimates, const char *hash, struct estimate estimate)
{
    if (map_get(estimates->rows, hash))
        return;
    struct estimate *kept = ARENA_NEW(estimates->arena, struct estimate);
    *kept = estimate;
    map_put(estimates->rows, hash, kept);
    vec_push(estimates->arena, &estimates->order, ((struct estimate_row){hash, estimate}));
}

const struct estimate *estimates_find(const struct estimates *estimates,
                                      const struct kernel *kernel, struct estimate_form form)
{
    return map_get(estimates->rows, estimate_key(estimates->arena, kernel, form));
}

void estimates_add(struct estimates *estimates, const struct kernel *kernel,
                   struct estimate_form form, struct estimate estimate)
{
    row_add(estimates, estimate_key(estimates->arena, kernel, form), estimate);
}

/* "0123456789abcdef 5 1 3*s + 35"; false if it is something else. */
static bool row_read(struct estimates *estimates, const char *line)
{
    struct estimate estimate;
    char hash[HASH_DIGITS + 1];
    int end = 0;
    if (sscanf(line, "%16[0-9a-f] %zu %" SCNd64 " %n", hash, &estimate.samples, &estimate.residual,
               &end) != 3 ||
        strlen(hash) != HASH_DIGITS || !line[end])
        return false;
    estimate.bound = arena_strdup(estimates->arena, line + end);
    row_add(estimates, arena_strdup(estimates->arena, hash), estimate);
    return true;
}

struct estimates *estimates_read(struct ctx *ctx, const char *path)
{
    size_t length;
    char *text = file_read(ctx, path, &length), *save = NULL;
    if (!text)
        return NULL;
    if (strncmp(text, HEAD, strlen(HEAD)) != 0) {
        diag_error(ctx, loc_none(), "%s does not begin with '%.*s': it holds no recorded registers",
                   path, (int)strlen(HEAD) - 1, HEAD);
        return NULL;
    }
    struct estimates *estimates = estimates_new(ctx->arena);
    int number = 1;
    for (char *line = strtok_r(text + strlen(HEAD), "\n", &save); line;
         line = strtok_r(NULL, "\n", &save)) {
        number++;
        if (!row_read(estimates, line)) {
            diag_error(ctx, loc_none(), "%s:%d: not 'HASH SAMPLES RESIDUAL BOUND'", path, number);
            return NULL;
        }
    }
    return estimates;
}

bool estimates_write(struct ctx *ctx, const struct estimates *estimates, const char *path)
{
    struct str text = str_new(ctx->arena);
    str_add(&text, HEAD);
    for (size_t i = 0; i < estimates->order.count; i++) {
        const struct estimate_row *row = &estimates->order.at[i];
        str_addf(&text, "%s %zu %lld %s\n", row->hash, row->estimate.samples,
                 (long long)row->estimate.residual, row->estimate.bound);
    }
    return file_write(ctx, path, text.text, text.length);
}

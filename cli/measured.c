/* What was measured of a tree's leaves at a point: the tool's side of runtime/measured.c. In: the
   store, read once for all points; a tree. The digest of a region's source is made of the texts
   that a generated program would have, so that times of another text are never shown. */
#include "cli/measured.h"
#include "emit/checked.h"
#include "emit/code.h"
#include "emit/device.h"
#include "emit/names.h"
#include "runtime/measured.h"

struct measured_store {
    struct arena *arena;
    VEC(struct treefork_record) records;
};

static bool record_add(void *state, const char *line, size_t length)
{
    struct measured_store *store = state;
    struct treefork_record record;
    if (!treefork_record_read(line, length, &record))
        return false;
    vec_push(store->arena, &store->records, record);
    return true;
}

const struct measured_store *measured_read(struct ctx *ctx)
{
    struct measured_store *store = ARENA_NEW(ctx->arena, struct measured_store);
    store->arena = ctx->arena;
    treefork_store_read(TREEFORK_TUNED_FILE, TREEFORK_TUNED_HEADER, record_add, store);
    return store;
}

struct tree_point {
    struct ctx *ctx;
    const struct tree *tree;
    const int64_t *point;
};

static void hash_launch(const struct tree_point *p, const char *words,
                        const struct variant *variant, const struct launch *launch,
                        struct treefork_hash *hash)
{
    struct ctx *ctx = p->ctx;
    struct str text = str_new(ctx->arena);
    str_add(&text, words);
    device_unit(ctx, &text, &dialect_either, p->tree, variant, launch);
    treefork_source_kernel(hash, text.text, launch_entry(ctx->arena, p->tree, variant, launch),
                           ctx->contract);
}

static void hash_variant(const struct tree_point *p, const char *words,
                         const struct variant *variant, struct treefork_hash *hash)
{
    struct ctx *ctx = p->ctx;
    treefork_source_leaf(hash, (uint16_t)variant->id);
    for (size_t i = 0; i < variant->fits.count; i++)
        treefork_source_condition(hash,
                                  constraint_explained(ctx->arena, p->tree, variant->fits.at[i]));
    for (size_t i = 0; i < variant->n_launches; i++) {
        const struct launch *launch = &variant->launches[i], joined = launch_joined(launch);
        hash_launch(p, words, variant, launch, hash);
        if (launch->joined)
            hash_launch(p, words, variant, &joined, hash);
    }
}

static void tree_source(const void *state, char digest[DIGEST_ROOM])
{
    const struct tree_point *p = state;
    struct treefork_hash hash;
    struct str words = str_new(p->ctx->arena);
    device_words(p->ctx, &words);
    treefork_source_start(&hash, p->tree->region->name);
    for (size_t i = 0; i < p->tree->n_variants; i++)
        hash_variant(p, words.text, &p->tree->variants[i], &hash);
    treefork_source_end(&hash, digest);
}

static bool tree_value(const void *state, const char *name, size_t length, int64_t *value,
                       bool *varies)
{
    const struct tree_point *p = state;
    const struct region *region = p->tree->region;
    const char *whole = arena_strndup(p->ctx->arena, name, length);
    for (int i = 0; i < region->kernel->n_params; i++) {
        int v = ring_find(p->tree->ring, whole);
        if (strcmp(region->kernel->params[i]->var->name, whole) != 0 || v < 0)
            continue;
        *value = p->point[v];
        *varies = region->varies[i];
        return code_integer_parameter(region->kernel, whole) >= 0;
    }
    return false;
}

void measured_fill(struct ctx *ctx, const struct measured_store *store, const struct tree *tree,
                   const struct treefork_machine *machine, const int64_t *point,
                   struct treefork_explained_leaf *leaves, size_t n_leaves)
{
    const struct tree_point state = {ctx, tree, point};
    struct treefork_measured_point asked = {.region = tree->region->name,
                                            .machine = machine->name,
                                            .state = &state,
                                            .source = tree_source,
                                            .value = tree_value,
                                            .leaves = leaves,
                                            .n_leaves = n_leaves};
    for (size_t i = 0; i < store->records.count; i++)
        treefork_measured_take(&asked, &store->records.at[i]);
}

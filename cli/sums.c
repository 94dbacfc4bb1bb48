/* Functions whose leaves take floating sums in another order than their text.

   Leaves are compared with the function whose sums are taken in the order of all leaves; kernels.c
   checks each sum against the serial one, within the rounding of its terms. Here are the functions
   with such sums found, and the bits of all leaves at a set compared, which docs/language.md
   promises to be equal. Records of functions at sets outlive witnesses. */
#include "base/map.h"
#include "cli/verify.h"
#include "ir/reduction.h"
#include "ir/walk.h"
#include <math.h>
#include <string.h>

static bool has_such_sums(const struct verification *v, int function)
{
    for (size_t i = 0; i < v->program->n_regions; i++)
        if (v->program->regions[i]->function == function &&
            kernel_is_inexact(v->program->regions[i]->kernel))
            return true;
    return false;
}

static bool calls_library(struct verification *v, int function)
{
    for (size_t i = 0; i < v->program->n_regions; i++)
        if (v->program->regions[i]->function == function &&
            stmt_calls_library(v->ctx->arena, v->program->regions[i]->kernel->body))
            return true;
    return false;
}

struct sum_record *sum_record(struct verification *v, int function)
{
    for (size_t i = 0; i < v->sums.count; i++)
        if (v->sums.at[i]->function == function && v->sums.at[i]->set == v->set.list.at)
            return v->sums.at[i];
    struct sum_record *record = ARENA_NEW(v->ctx->arena, struct sum_record);
    *record = (struct sum_record){.function = function,
                                  .set = v->set.list.at,
                                  .is_needed = has_such_sums(v, function),
                                  .is_of_library = calls_library(v, function)};
    vec_push(v->ctx->arena, &v->sums, record);
    return record;
}

static uint64_t hash_real(uint64_t hash, enum type type, const void *at)
{
    double value = value_load(type, at).real;
    value = isnan(value) ? 0 : value;
    return hash_bytes(hash, &value, sizeof value);
}

static uint64_t results_hash(uint64_t hash, const struct datum *d, const void *results)
{
    size_t size = type_bytes(d->type);
    if (!type_is_floating(d->type))
        return hash_bytes(hash, results, (size_t)d->count * size);
    for (int64_t i = 0; i < d->count; i++)
        hash = hash_real(hash, d->type, (const char *)results + (size_t)i * size);
    return hash;
}

static uint64_t results_bits(struct verification *v, const struct sum_results *results)
{
    struct datum returned = {.count = 1};
    uint64_t hash = HASH_START;
    for (int i = 0; i < results->n_data; i++)
        if (results->data[i].is_array)
            hash = results_hash(hash, &results->data[i], results->at[i]);
    bool returns = returns_number(&v->program->functions[results->function], &returned.type);
    return returns ? results_hash(hash, &returned, results->at[results->n_data]) : hash;
}

bool sum_bits_agree(struct verification *v, struct sum_record *record,
                    const struct sum_results *results, const char *leaf, const char *witness,
                    struct str *text)
{
    if (!record->is_needed || v->ctx->contract)
        return true;
    uint64_t bits = results_bits(v, results);
    if (record->is_of_library && strcmp(record->witness, witness) != 0)
        record->has_bits = false;
    if (!record->has_bits) {
        record->has_bits = true;
        record->bits = bits;
        snprintf(record->first, sizeof record->first, "%s", leaf);
        snprintf(record->witness, sizeof record->witness, "%s", witness);
    }
    if (record->bits != bits)
        str_addf(text, "other bits than %s", record->first);
    return record->bits == bits;
}

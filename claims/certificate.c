/* The file of certificates. Out: one line for each claim that needs a proof, so that two files can
   be compared by eye. In: the same, of the tree at hand only: each region is named with a
   fingerprint. */
#include "claims/certificate.h"
#include "base/map.h"
#include "claims/reader.h"
#include <string.h>

enum { SCHEMA = 1 };

/* --- fingerprints ---------------------------------------------------------------------------- */

static void system_text(struct str *out, const struct document_region *region, const char *word,
                        struct sas sas)
{
    str_addf(out, "%s", word);
    for (size_t i = 0; i < sas.count; i++) {
        str_char(out, i ? ',' : ' ');
        constraint_print(out, sas.at[i], region->machine);
    }
    str_char(out, '\n');
}

static void case_text(struct str *out, const struct document_region *region,
                      const struct document_case *found)
{
    system_text(out, region, "path", found->path);
    system_text(out, region, "shown", found->shown);
    for (int v = 0; v < ring_count(region->ring); v++) {
        if (found->has_point)
            str_addf(out, "%lld ", (long long)found->point[v]);
        if (found->lo)
            str_addf(out, "[%lld, %lld] ", (long long)found->lo[v], (long long)found->hi[v]);
    }
    str_char(out, '\n');
}

static void part_text(struct str *out, const struct document_part *part)
{
    str_addf(out, "test %d", part->test);
    for (size_t i = 0; i < part->n_keys; i++) {
        str_add(out, i ? ", " : " ");
        poly_print(out, part->keys[i]);
    }
    str_char(out, '\n');
}

static void need_text(struct str *out, const struct document_region *region,
                      const struct document_need *need)
{
    if (need->is_resource || need->count || need->n_parts)
        str_addf(out, "need %s %s\n", need->counter, need->limit);
    for (size_t i = 0; i < need->n_parts; i++)
        part_text(out, &need->parts[i]);
    for (size_t i = 0; i < need->count; i++) {
        system_text(out, region, "guard", need->pieces[i].guard);
        poly_print(out, need->pieces[i].numerator);
        str_add(out, " / ");
        str_add(out, need->pieces[i].denominator
                         ? poly_text(out->arena, need->pieces[i].denominator)
                         : "1");
        str_char(out, '\n');
    }
}

static void leaf_text(struct str *out, const struct document_region *region,
                      const struct document_leaf *leaf)
{
    str_addf(out, "leaf %d%s\n", leaf->id, leaf->safe ? " safe" : "");
    for (size_t i = 0; i < leaf->n_cases; i++)
        case_text(out, region, &leaf->cases[i]);
    system_text(out, region, "fits", leaf->fits);
    for (size_t i = 0; i < leaf->n_needs; i++)
        need_text(out, region, &leaf->needs[i]);
}

static void node_text(struct str *out, const struct document_region *region,
                      const struct document_node *node)
{
    if (!node) {
        str_add(out, "rest\n");
        return;
    }
    if (!node->is_fork) {
        str_addf(out, "at %d.%zu\n", node->leaf, node->system);
        return;
    }
    str_addf(out, "fork %s %s ", node->counter, node->condition ? node->condition : "");
    if (node->proposed)
        str_addf(out, "with %s ", node->proposed);
    constraint_print(out, node->constraint, region->machine);
    str_char(out, '\n');
    if (node->part)
        part_text(out, node->part);
    node_text(out, region, node->accept);
    node_text(out, region, node->refuse);
}

const char *region_fingerprint(struct arena *arena, const struct document_region *region)
{
    struct arena *scratch = arena_new();
    struct str text = str_new(scratch);
    str_addf(&text, "%s %s\n", region->name, region->keeps ? "keep" : "retract");
    for (int v = 0; v < ring_count(region->ring); v++)
        str_addf(&text, "%s%s ", ring_name(region->ring, v),
                 region->machine >> v & 1 ? " of machines" : "");
    for (size_t i = 0; i < region->n_auxiliaries; i++)
        str_addf(&text, "%s = %s\n", region->auxiliaries[i].name, region->auxiliaries[i].text);
    system_text(&text, region, "initial", region->initial);
    node_text(&text, region, region->root);
    for (size_t i = 0; i < region->n_leaves; i++)
        leaf_text(&text, region, &region->leaves[i]);
    uint64_t hash = hash_bytes(HASH_START, text.text, text.length);
    arena_free(scratch);
    return arena_printf(arena, "%016llx", (unsigned long long)hash);
}

/* --- writing --------------------------------------------------------------------------------- */

/* Members "key": "text" of the results for which `text_of` has one, a line each. */
static void members_print(struct str *out, struct claim_list claims,
                          const struct claim_result *results, bool proved)
{
    const char *between = "\n    ";
    for (size_t i = 0; i < claims.count; i++) {
        const struct claim_result *result = &results[i];
        bool has_proof = result->evidence && result->status != CLAIM_OPEN;
        const char *text = proved ? result->evidence : result->why;
        if (proved ? !has_proof : result->status != CLAIM_OPEN)
            continue;
        str_add(out, between);
        str_quote(out, claims.at[i].key);
        str_add(out, ": ");
        str_quote(out, text ? text : "");
        between = ",\n    ";
    }
}

void certificate_print(struct str *out, const struct document *document,
                       const struct claim_list *claims, const struct claim_result *const *results)
{
    str_addf(out, "{\n \"certificate\": %d,\n \"program\": ", (int)SCHEMA);
    str_quote(out, document->program);
    str_add(out, ",\n \"regions\": [");
    for (size_t r = 0; r < document->n_regions; r++) {
        str_addf(out, "%s\n  {\n   \"name\": ", r ? "," : "");
        str_quote(out, document->regions[r].name);
        str_addf(out, ",\n   \"tree\": \"%s\",\n   \"proofs\": {",
                 region_fingerprint(out->arena, &document->regions[r]));
        members_print(out, claims[r], results[r], true);
        str_add(out, "\n   },\n   \"unproved\": {");
        members_print(out, claims[r], results[r], false);
        str_add(out, "\n   }\n  }");
    }
    str_add(out, "\n ]\n}\n");
}

/* --- reading --------------------------------------------------------------------------------- */

struct certificate {
    size_t n_regions;
    struct map **proofs;                /* by region: key -> text */
    const char ***keys;                 /* by region, in order; NULL behind the last */
};

struct certificate_reader {
    struct ctx *ctx;
    const char *path;
    struct certificate *certificate;
};

static bool certificate_refuse(const struct certificate_reader *reader, const char *what)
{
    diag_error(reader->ctx, loc_none(), "%s: %s", reader->path, what);
    return false;
}

static bool proofs_take(struct certificate_reader *reader, const cJSON *proofs, size_t r)
{
    struct arena *arena = reader->ctx->arena;
    const cJSON *item;
    size_t n = 0;
    struct map *map = map_new(arena);
    const char **keys = ARENA_ARRAY(arena, const char *, (size_t)cJSON_GetArraySize(proofs) + 1);
    cJSON_ArrayForEach(item, proofs) {
        if (!cJSON_IsString(item))
            return certificate_refuse(
                reader, arena_printf(arena, "the proof of '%s' is no text", item->string));
        keys[n] = arena_strdup(arena, item->string);
        map_put(map, keys[n++], arena_strdup(arena, item->valuestring));
    }
    reader->certificate->proofs[r] = map;
    reader->certificate->keys[r] = keys;
    return true;
}

static bool region_take(struct certificate_reader *reader, const cJSON *item,
                        const struct document_region *region, size_t r)
{
    struct arena *arena = reader->ctx->arena;
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(item, "name"),
                *tree = cJSON_GetObjectItemCaseSensitive(item, "tree"),
                *proofs = cJSON_GetObjectItemCaseSensitive(item, "proofs");
    if (!cJSON_IsString(name) || !cJSON_IsString(tree) || !cJSON_IsObject(proofs))
        return certificate_refuse(reader, arena_printf(arena, "region %zu has no name, tree and "
                                                              "proofs", r + 1));
    const char *fingerprint = region_fingerprint(arena, region);
    if (strcmp(name->valuestring, region->name) != 0)
        return certificate_refuse(
            reader, arena_printf(arena,
                                 "it is the certificate of another tree: region %zu is '%s' there "
                                 "and '%s' here",
                                 r + 1, name->valuestring, region->name));
    if (strcmp(tree->valuestring, fingerprint) != 0)
        return certificate_refuse(
            reader, arena_printf(arena,
                                 "it is the certificate of another tree of '%s' (%s, this is %s): "
                                 "make one by `treefork check`",
                                 region->name, tree->valuestring, fingerprint));
    return proofs_take(reader, proofs, r);
}

static bool certificate_take(struct certificate_reader *reader, const cJSON *root,
                             const struct document *document)
{
    struct arena *arena = reader->ctx->arena;
    const cJSON *schema = cJSON_GetObjectItemCaseSensitive(root, "certificate"),
                *regions = cJSON_GetObjectItemCaseSensitive(root, "regions");
    if (!cJSON_IsNumber(schema) || !cJSON_IsArray(regions))
        return certificate_refuse(reader, "it is no certificate of a tree");
    if (schema->valueint != SCHEMA)
        return certificate_refuse(
            reader, arena_printf(arena, "it is a certificate of schema %d, and this treefork reads "
                                        "%d: make one by `treefork check`",
                                 schema->valueint, (int)SCHEMA));
    if ((size_t)cJSON_GetArraySize(regions) != document->n_regions)
        return certificate_refuse(
            reader, arena_printf(arena,
                                 "it is the certificate of another tree: it has %d regions, and "
                                 "the tree %zu",
                                 cJSON_GetArraySize(regions), document->n_regions));
    reader->certificate->proofs = ARENA_ARRAY(arena, struct map *, document->n_regions + 1);
    reader->certificate->keys = ARENA_ARRAY(arena, const char **, document->n_regions + 1);
    for (size_t r = 0; r < document->n_regions; r++)
        if (!region_take(reader, cJSON_GetArrayItem(regions, (int)r), &document->regions[r], r))
            return false;
    return true;
}

const struct certificate *certificate_read(struct ctx *ctx, const char *path, const char *text,
                                           const struct document *document)
{
    struct certificate_reader reader = {ctx, path, ARENA_NEW(ctx->arena, struct certificate)};
    cJSON *root = document_json(ctx, path, text);
    bool taken = root && certificate_take(&reader, root, document);
    cJSON_Delete(root);
    return taken ? reader.certificate : NULL;
}

const char *certificate_find(const struct certificate *certificate, size_t r, const char *key)
{
    return map_get(certificate->proofs[r], key);
}

const char *certificate_stranger(const struct certificate *certificate, size_t r,
                                 struct claim_list claims)
{
    struct arena *scratch = arena_new();
    struct map *known = map_new(scratch);
    const char *stranger = NULL;
    for (size_t i = 0; i < claims.count; i++)
        map_put(known, claims.at[i].key, scratch);
    for (const char **key = certificate->keys[r]; *key && !stranger; key++)
        stranger = map_get(known, *key) ? NULL : *key;
    arena_free(scratch);
    return stranger;
}

/* treefork diff: two trees from their tree.json, told in words. Regions are matched by name,
   kernels by the strategies that made them, whatever their numbers. Cases are compared as sets of
   constraints. Status 0: they claim the same; 1: they differ, or cannot be read. */
#include "base/map.h"
#include "claims/document.h"
#include "cli/cli.h"
#include "cli/picture.h"
#include "emit/names.h"
#include <stdlib.h>
#include <string.h>

const struct option_row diff_rows[] = {
    {"--quiet", NULL, "print nothing; the status tells"},
};
const size_t diff_row_count = sizeof diff_rows / sizeof diff_rows[0];

/* What is found, under a heading that is printed once. */
struct difference {
    struct arena *arena;
    struct str out;
    const char *region, *leaf;          /* headings not printed yet; NULL */
    size_t count;
};

__attribute__((format(printf, 2, 3)))
static void differ(struct difference *d, const char *format, ...)
{
    va_list arguments;
    if (d->region)
        str_addf(&d->out, "%s\n", d->region);
    if (d->leaf)
        str_addf(&d->out, "  %s\n", d->leaf);
    d->region = d->leaf = NULL;
    va_start(arguments, format);
    str_addf(&d->out, "%s\n", arena_vprintf(d->arena, format, arguments));
    va_end(arguments);
    d->count++;
}

/* --- texts ------------------------------------------------------------------------------------ */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The constraints, sorted, each once. */
static const char *system_text(struct arena *arena, const struct document_region *region,
                               struct sas sas)
{
    const char **texts = ARENA_ARRAY(arena, const char *, sas.count + 1);
    struct str out = str_new(arena);
    for (size_t i = 0; i < sas.count; i++)
        texts[i] = constraint_text(arena, sas.at[i], region->machine);
    qsort(texts, sas.count, sizeof *texts, by_text);
    for (size_t i = 0; i < sas.count; i++)
        if (i == 0 || strcmp(texts[i], texts[i - 1]) != 0)
            str_addf(&out, "%s%s", out.length ? ", " : "", texts[i]);
    return out.length ? out.text : "always";
}

static const char *need_text(struct arena *arena, const struct document_region *region,
                             const struct document_need *need)
{
    struct str out = str_new(arena);
    for (size_t i = 0; i < need->count; i++) {
        const struct document_piece *piece = &need->pieces[i];
        str_addf(&out, "%s%s", i ? " or " : "", poly_text(arena, piece->numerator));
        if (piece->denominator)
            str_addf(&out, " / (%s)", poly_text(arena, piece->denominator));
        if (piece->guard.count)
            str_addf(&out, " if %s", system_text(arena, region, piece->guard));
    }
    return need->count ? out.text : "unknown";
}

/* "leaf 3 (granularity, cse1)" */
static const char *leaf_name(struct arena *arena, const struct document_leaf *leaf)
{
    return arena_printf(arena, "leaf %d (%s)", leaf->id,
                        *leaf->strategies ? leaf->strategies : "as written");
}

/* "shared_words_per_block" to "shared words per block" */
static const char *spaced(struct arena *arena, const char *name)
{
    char *copy = arena_strdup(arena, name);
    for (char *c = copy; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    return copy;
}

/* --- leaves ----------------------------------------------------------------------------------- */

/* How many leaves before this one have its strategies. */
static size_t occurrence_of(const struct document_region *region, const struct document_leaf *leaf)
{
    size_t count = 0;
    for (const struct document_leaf *l = region->leaves; l < leaf; l++)
        count += strcmp(l->strategies, leaf->strategies) == 0 && l->safe == leaf->safe;
    return count;
}

/* The leaf of the other tree that was made alike; NULL. */
static const struct document_leaf *leaf_alike(const struct document_region *other,
                                              const struct document_leaf *leaf, size_t occurrence)
{
    for (size_t i = 0; i < other->n_leaves; i++) {
        const struct document_leaf *l = &other->leaves[i];
        if (strcmp(l->strategies, leaf->strategies) == 0 && l->safe == leaf->safe &&
            occurrence-- == 0)
            return l;
    }
    return NULL;
}

/* Cases of `from` that `in` lacks. */
static void cases_only(struct difference *d, const char *sign, const struct document_region *region,
                       const struct document_leaf *from, const struct document_region *other,
                       const struct document_leaf *in)
{
    struct map *known = map_new(d->arena);
    for (size_t i = 0; i < in->n_cases; i++)
        map_put(known, system_text(d->arena, other, in->cases[i].shown), d);
    for (size_t i = 0; i < from->n_cases; i++) {
        const char *text = system_text(d->arena, region, from->cases[i].shown);
        if (!map_get(known, text))
            differ(d, "    %s case %s  %s", sign, text, from->cases[i].codes);
    }
}

static void needs_compare(struct difference *d, const struct document_region *before,
                          const struct document_leaf *old, const struct document_region *after,
                          const struct document_leaf *new)
{
    for (size_t i = 0; i < new->n_needs; i++) {
        if (!new->needs[i].is_resource)
            continue;
        const char *now = need_text(d->arena, after, &new->needs[i]), *was = NULL;
        for (size_t k = 0; k < old->n_needs; k++)
            if (strcmp(old->needs[k].counter, new->needs[i].counter) == 0)
                was = need_text(d->arena, before, &old->needs[k]);
        if (!was || strcmp(was, now) != 0)
            differ(d, "    %s (%s): %s, was %s", spaced(d->arena, new->needs[i].counter),
                   new->needs[i].limit, now, was ? was : "not counted");
    }
}

static void leaf_compare(struct difference *d, const struct document_region *before,
                         const struct document_leaf *old, const struct document_region *after,
                         const struct document_leaf *new)
{
    const char *was = system_text(d->arena, before, old->fits),
               *now = system_text(d->arena, after, new->fits);
    d->leaf = leaf_name(d->arena, new);
    if (old->id != new->id)
        differ(d, "    was leaf %d", old->id);
    if (strcmp(was, now) != 0)
        differ(d, "    runs where %s\n      was where %s", now, was);
    needs_compare(d, before, old, after, new);
    cases_only(d, "-", before, old, after, new);
    cases_only(d, "+", after, new, before, old);
    d->leaf = NULL;
}

/* --- regions ---------------------------------------------------------------------------------- */

static const struct document_region *region_find(const struct document *document, const char *name)
{
    for (size_t i = 0; i < document->n_regions; i++)
        if (strcmp(document->regions[i].name, name) == 0)
            return &document->regions[i];
    return NULL;
}

static void definitions_compare(struct difference *d, const struct document_region *before,
                                const struct document_region *after)
{
    for (size_t i = 0; i < after->n_auxiliaries; i++)
        for (size_t k = 0; k < before->n_auxiliaries; k++) {
            const struct document_auxiliary *new = &after->auxiliaries[i],
                                            *old = &before->auxiliaries[k];
            if (strcmp(new->name, old->name) == 0 && strcmp(new->text, old->text) != 0)
                differ(d, "  %s = %s, was %s", new->name, new->text, old->text);
        }
}

static void region_compare(struct difference *d, const struct document_region *before,
                           const struct document_region *after)
{
    const char *was = system_text(d->arena, before, before->initial),
               *now = system_text(d->arena, after, after->initial);
    d->region = after->name;
    if (before->keeps != after->keeps)
        differ(d, "  mode %s, was %s", after->keeps ? "keep" : "retract",
               before->keeps ? "keep" : "retract");
    if (strcmp(was, now) != 0)
        differ(d, "  always %s\n    was %s", now, was);
    definitions_compare(d, before, after);
    for (size_t i = 0; i < before->n_leaves; i++) {
        const struct document_leaf *leaf = &before->leaves[i];
        if (!leaf_alike(after, leaf, occurrence_of(before, leaf)))
            differ(d, "  - %s", leaf_name(d->arena, leaf));
    }
    for (size_t i = 0; i < after->n_leaves; i++) {
        const struct document_leaf *leaf = &after->leaves[i];
        const struct document_leaf *old = leaf_alike(before, leaf, occurrence_of(after, leaf));
        if (old)
            leaf_compare(d, before, old, after, leaf);
        else
            differ(d, "  + %s", leaf_name(d->arena, leaf));
    }
    d->region = NULL;
}

static void documents_compare(struct difference *d, const struct document *before,
                              const struct document *after)
{
    for (size_t i = 0; i < before->n_regions; i++)
        if (!region_find(after, before->regions[i].name))
            differ(d, "- region %s", before->regions[i].name);
    for (size_t i = 0; i < after->n_regions; i++) {
        const struct document_region *old = region_find(before, after->regions[i].name);
        if (old)
            region_compare(d, old, &after->regions[i]);
        else
            differ(d, "+ region %s", after->regions[i].name);
    }
}

static const struct document *document_open(struct ctx *ctx, const char *path)
{
    size_t length;
    const char *text = file_read(ctx, path, &length);
    return text ? document_read(ctx, path, text) : NULL;
}

enum exit_code command_diff(struct ctx *ctx, const struct command_line *line)
{
    struct difference d = {.arena = ctx->arena, .out = str_new(ctx->arena)};
    if (line->positional.count != 2) {
        diag_error(ctx, loc_none(), "two trees are expected: OLD.tree.json NEW.tree.json");
        return EXIT_USAGE;
    }
    const struct document *before = document_open(ctx, line->positional.at[0]);
    const struct document *after = before ? document_open(ctx, line->positional.at[1]) : NULL;
    if (!after)
        return EXIT_INPUT;
    documents_compare(&d, before, after);
    if (!option_flag(line, "--quiet"))
        fputs(d.count ? d.out.text : "the trees say the same\n", stdout);
    return d.count ? EXIT_INPUT : EXIT_DONE;
}

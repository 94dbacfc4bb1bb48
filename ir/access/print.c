/* The report of everything this room knows of a kernel, for `-d access`: legality, redistribution,
   tiles of every array per band, promotions, extents. One analysis serves all of it. */
#include "ir/access/footprint.h"
#include "ir/walk.h"

static const char *verdict_text(enum access_verdict verdict)
{
    static const char *const texts[] = {[ACCESS_PROVED] = "proved",
                                        [ACCESS_PROVED_UNDER] = "proved under",
                                        [ACCESS_CONFLICT] = "conflict",
                                        [ACCESS_UNKNOWN] = "unknown"};
    return texts[verdict];
}

static void print_legality(struct str *out, const char *name, const struct legality *legality)
{
    str_addf(out, "%s: %s", name, verdict_text(legality->verdict));
    for (size_t i = 0; i < legality->condition.count; i++) {
        str_add(out, i ? ", " : " ");
        constraint_print(out, legality->condition.at[i], 0);
    }
    if (legality->reason)
        str_addf(out, ": %s", legality->reason);
    str_add(out, "\n");
}

static void print_condition(struct str *out, const char *name, const struct expr *e)
{
    if (!e)
        return;
    str_addf(out, "    %s ", name);
    expr_print(out, e);
    str_add(out, "\n");
}

static void print_reference(struct str *out, const struct tile *tile, size_t i)
{
    const struct reference *r = &tile->references[i];
    str_addf(out, "    %s %s", r->is_write ? "write" : "read", r->array->name);
    for (int d = 0; d < r->array->n_dims; d++) {
        str_char(out, '[');
        expr_print(out, r->load ? r->load->arguments[d] : r->store->indices[d]);
        str_char(out, ']');
    }
    str_add(out, " at ");
    for (int k = 0; k < tile->n_dims; k++) {
        str_char(out, '[');
        expr_print(out, tile->places[i][k]);
        str_char(out, ']');
    }
    str_add(out, "\n");
}

static void print_tile(struct str *out, const struct tile *tile)
{
    str_addf(out, "  tile of %s:", tile->array->name);
    for (int k = 0; k < tile->n_dims; k++) {
        str_addf(out, "%s%s < ", k ? ", " : " ", tile->coordinates[k]->name);
        poly_print(out, tile->extents[k]);
    }
    str_add(out, "; words ");
    poly_print(out, tile->words);
    str_addf(out, " (%s); element", tile->exact ? "exact" : "hull");
    for (int d = 0; d < tile->array->n_dims; d++) {
        str_char(out, d ? ']' : ' ');
        str_char(out, '[');
        expr_print(out, tile->element[d]);
    }
    str_add(out, "]\n");
    print_condition(out, "if", tile->condition);
    print_condition(out, "inside", tile->inside);
    print_condition(out, "written", tile->written);
    if (tile->is_streamed)
        str_add(out, "    streamed: not staged, as a copy would save nothing\n");
    if (tile->is_crossed)
        str_add(out, "    crossed: neighbouring threads go down a column\n");
    if (tile->is_shared)
        str_add(out, "    shared: several threads touch one element, but not all\n");
    if (!tile->write_exact)
        str_add(out, "    written cells have no condition: each thread stores its own\n");
    for (size_t i = 0; i < tile->n_references; i++)
        print_reference(out, tile, i);
}

static bool band_uses(const struct analysis *analysis, const struct stmt *band,
                      const struct array *array)
{
    for (size_t i = 0; i < analysis->accesses.count; i++) {
        const struct access *access = analysis->accesses.at[i];
        if (access->band == band && access->reference.array == array)
            return true;
    }
    return false;
}

static void print_tiles(struct analysis *analysis, struct str *out, const struct stmt *band,
                        int number, const struct array *array)
{
    struct tiling tiling = analysis_tiles(analysis, band, array);
    if (!tiling.possible)
        str_addf(out, "band %d: %s has no tiles: %s\n", number, array->name, tiling.reason);
    else
        str_addf(out, "band %d: tiles of %s\n", number, array->name);
    for (size_t i = 0; i < tiling.count; i++)
        print_tile(out, &tiling.tiles[i]);
}

static void print_bands(struct analysis *analysis, struct str *out)
{
    const struct kernel *kernel = analysis->kernel;
    struct stmt_walk walk;
    int n_bands = 0;
    for (const struct stmt *s = stmt_first(&walk, analysis->arena, kernel->body); s;
         s = stmt_next(&walk)) {
        if (s->kind != STMT_BAND)
            continue;
        n_bands++;
        for (int i = 0; i < kernel->n_arrays; i++)
            if (band_uses(analysis, s, kernel->arrays[i]))
                print_tiles(analysis, out, s, n_bands, kernel->arrays[i]);
    }
}

static void print_overwriting(struct str *out, struct overwriting overwriting)
{
    if (overwriting.is_shown)
        str_add(out, ", overwritten");
    for (size_t i = 0; i < overwriting.n_conditions; i++) {
        str_add(out, i ? " and " : " if ");
        expr_print(out, overwriting.conditions[i]);
    }
}

static void print_extents(struct analysis *analysis, struct str *out)
{
    for (int i = 0; i < analysis->kernel->n_arrays; i++) {
        const struct array *array = analysis->kernel->arrays[i];
        if (array->space != SPACE_GLOBAL)
            continue;
        const struct expr *extent = analysis_extent(analysis, array);
        str_addf(out, "extent of %s: ", array->name);
        if (extent)
            expr_print(out, extent);
        else
            str_add(out, "unknown");
        print_overwriting(out, analysis_overwritten(analysis, array));
        str_add(out, "\n");
    }
}

static void print_promotions(struct analysis *analysis, struct str *out)
{
    const struct promotion *promotions;
    size_t n = analysis_promotions(analysis, &promotions);
    for (size_t i = 0; i < n; i++) {
        const struct promotion *p = &promotions[i];
        str_addf(out, "promotion of %s", p->array->name);
        for (int d = 0; d < p->array->n_dims; d++) {
            str_char(out, '[');
            expr_print(out, p->subscript[d]);
            str_char(out, ']');
        }
        for (int k = 0; k < p->n_iterators; k++)
            str_addf(out, "%s %s", k ? "," : " over", p->loops[k]->var->name);
        str_addf(out, " around %s%s%s",
                 p->around->kind == STMT_FOR ? p->around->var->name : "the band",
                 p->load_first ? ", loaded" : "", p->is_written ? ", stored" : "");
        if (p->guard) {
            str_add(out, ", if ");
            expr_print(out, p->guard);
        }
        str_add(out, "\n");
    }
}

void access_print(struct ctx *ctx, struct str *out, const struct kernel *kernel)
{
    struct analysis *analysis = analysis_new(ctx, kernel);
    struct legality legality = analysis_parallel(analysis);
    print_legality(out, "parallel", &legality);
    const struct stmt **loops;
    size_t n = analysis_coarse_loops(analysis, &loops);
    for (size_t i = 0; i < n; i++) {
        struct fold fold = analysis_fold(analysis, loops[i]);
        str_addf(out, "coarse: %s ", loops[i]->var->name);
        str_add(out, fold.axis < 0 ? "gets a grid axis of its own\n" : "folds into grid axis ");
        if (fold.axis >= 0)
            str_addf(out, "%s\n", kernel->grid[fold.axis].var->name);
    }
    print_bands(analysis, out);
    print_promotions(analysis, out);
    print_extents(analysis, out);
    analysis_free(analysis);
}

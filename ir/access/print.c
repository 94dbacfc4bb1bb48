/* The report of everything this room knows of a kernel, for `-d access`: legality, redistribution, tiles of every array
   per band, promotions, extents. One analysis serves all of it. */
#include "ir/access/footprint.h"

static const char *verdict_text(enum access_verdict verdict)
{
    static const char *const texts[] = {[ACCESS_PROVED] = "proved", [ACCESS_PROVED_UNDER] = "proved under",
                                        [ACCESS_CONFLICT] = "conflict", [ACCESS_UNKNOWN] = "unknown"};
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
    if (!tile->write_exact)
        str_add(out, "    written cells have no condition: each thread stores its own\n");
    for (size_t i = 0; i < tile->n_references; i++)
        print_reference(out, tile, i);
}

struct printing {
    struct analysis *analysis;
    struct str *out;
    int bands;
};

static void print_band(void *state, const struct stmt *s)
{
    struct printing *printing = state;
    const struct kernel *kernel = printing->analysis->kernel;
    if (s->kind != STMT_BAND)
        return;
    printing->bands++;
    for (int i = 0; i < kernel->n_arrays; i++) {
        bool used = false;
        for (size_t k = 0; k < printing->analysis->accesses.count; k++) {
            const struct access *access = printing->analysis->accesses.at[k];
            used |= access->band == s && access->reference.array == kernel->arrays[i];
        }
        if (!used)
            continue;
        struct tiling tiling = analysis_tiles(printing->analysis, s, kernel->arrays[i]);
        if (!tiling.possible)
            str_addf(printing->out, "band %d: %s has no tiles: %s\n", printing->bands, kernel->arrays[i]->name, tiling.reason);
        else
            str_addf(printing->out, "band %d: tiles of %s\n", printing->bands, kernel->arrays[i]->name);
        for (size_t k = 0; k < tiling.count; k++)
            print_tile(printing->out, &tiling.tiles[k]);
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
        str_addf(out, " around %s%s%s", p->around->kind == STMT_FOR ? p->around->var->name : "the band",
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
    struct printing printing = {analysis, out, 0};
    stmt_walk(kernel->body, print_band, &printing);
    print_promotions(analysis, out);
    print_extents(analysis, out);
    analysis_free(analysis);
}

/* The verdicts of ir/access on the regions of a mapped text.

   In: regions that are not proved independent, by their number in the text. Out: the plans, in
   which those are loops of the host, without the fragments that are left as their source. */
#include "mapper/print/mapping.h"
#include "mapper/scop/block.h"
#include <string.h>

/* --- arrays without extents ------------------------------------------------------------------- */

/* The fragment's first access to an array (NULL: any) that may be to any element, and its
   statement; NULL: none. */
static const struct scop_access *open_access(const struct scop *scop, const char *array,
                                             const struct scop_stmt **stmt)
{
    for (size_t i = 0; i < scop->stmts.count; i++)
        for (size_t k = 0; k < scop->stmts.at[i]->accesses.count; k++) {
            const struct scop_access *access = &scop->stmts.at[i]->accesses.at[k];
            bool is_asked = !array || !strcmp(access->array->name, array);
            *stmt = scop->stmts.at[i];
            if (is_asked && access->array->n_dims && !access->is_affine[0])
                return access;
        }
    return NULL;
}

/* Has a loop of the fragment several limits? Where it stays in a thread, nobody who reads the text
   knows its rounds before it starts, and what it subscripts is known less well than here. */
static bool has_limits(const struct scop *scop)
{
    for (size_t i = 0; i < scop->loops.count; i++)
        if (scop->loops.at[i]->n_limits > 1)
            return true;
    return false;
}

bool mapping_is_open(const struct plain_file *mapping)
{
    const struct scop_stmt *stmt;
    for (size_t i = 0; i < mapping->plans.count; i++) {
        const struct scop *scop = mapping->plans.at[i]->scop;
        if (open_access(scop, NULL, &stmt) || has_limits(scop))
            return true;
    }
    return false;
}

static bool is_symbol(const struct scop *scop, const struct ast *decl)
{
    for (size_t i = 0; i < scop->symbols.count; i++)
        if (scop->symbols.at[i].param >= 0 && scop->symbols.at[i].decl == decl)
            return true;
    return false;
}

/* The integers that the fragment counts with, then the other parameters of its function, of which
   one may be what a person knows the array by. */
static int integer_names(const struct scop *scop, struct str *names, const char **last)
{
    const struct ast *function = scop->fragment->function;
    int n = 0;
    for (size_t i = 0; i < scop->symbols.count; i++) {
        const struct affine_symbol *symbol = &scop->symbols.at[i];
        if (symbol->param < 0 || !symbol->decl)
            continue;
        *last = symbol->decl->name;
        str_addf(names, "%s%s", n++ ? ", " : "", *last);
    }
    for (int i = 0; i < function->n_children; i++) {
        const struct ast *decl = function->children[i];
        if (decl->kind != AST_PARAMETER || !decl->name || !decl->type ||
            !ast_class_is_integer(decl->type->class) || is_symbol(scop, decl))
            continue;
        *last = decl->name;
        str_addf(names, "%s%s", n++ ? ", " : "", *last);
    }
    return n;
}

/* "with its extent in terms of the integers at hand (w, h)" */
static const char *extent_advice(const struct scop *scop, const struct scop_array *array)
{
    const struct ast_type *element = array ? array->decl->type->element : NULL;
    struct str names = str_new(scop->arena);
    const char *last = NULL;
    int n = integer_names(scop, &names, &last);
    if (!n)
        return "with a constant extent";
    if (n == 1 && element && !element->element)
        return arena_printf(scop->arena,
                            "with its extent, as in `%s %s[%s]` if that is how many it has",
                            element->text, array->name, last);
    return arena_printf(scop->arena, "with its extent in terms of the integers at hand (%s)",
                        names.text);
}

/* Says it at the array's declaration in the source. */
static void extent_report(const struct scop *scop, const char *name)
{
    const struct scop_stmt *stmt = NULL;
    const struct scop_access *access = open_access(scop, name, &stmt);
    const struct scop_array *array = NULL;
    for (size_t i = 0; i < scop->arrays.count; i++)
        if (!strcmp(scop->arrays.at[i]->name, name))
            array = scop->arrays.at[i];
    const struct ast *loop = stmt && stmt->depth ? stmt->loops[0]->ast
                                                 : scop->fragment->statements[0];
    bool is_local = array && array->decl->kind == AST_VARIABLE &&
                    array->decl->type->class == AST_TYPE_POINTER;
    (scop->ctx->strict ? diag_error : diag_warning)(
        scop->ctx, array ? array->decl->loc : scop->fragment->loc,
        "it is not known how many elements of `%s` the loop of line %u touches; %s %s; the loop "
        "stays on the host",
        name, loc_line(loop->loc),
        is_local ? "make a function of the loop and declare it there" : "declare it",
        extent_advice(scop, array));
    if (access)
        diag_note(scop->ctx, access->ast->loc, "nothing bounds the subscript of %s here",
                  access_text(scop, access));
}

/* Has a verdict before the one at `at` said it of the same array and fragment? */
static bool is_said(const struct map_verdict *verdicts, const size_t *fragments, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (fragments[i] == fragments[at] && verdicts[i].array &&
            !strcmp(verdicts[i].array, verdicts[at].array))
            return true;
    return false;
}

/* --- regions ---------------------------------------------------------------------------------- */

/* Regions that have no text but in a chain that is not proved are serial, as nobody judged them. */
static void chains_drop(const plan_list *steps, bool drops)
{
    for (size_t i = 0; i < steps->count; i++) {
        struct plan_step *step = steps->at[i];
        bool own = step->kind == PLAN_CHAIN && step->region.is_serial && !chain_has_other(step);
        step->region.is_serial |= drops;
        chains_drop(&step->body, drops || own);
    }
}

/* The region at a number that counts down over the printed ones of a plan and its alternatives;
   NULL if it stands behind them. */
static struct plan_region *plan_region_at(const struct schedule *plan, size_t *number)
{
    for (; plan; plan = plan->otherwise) {
        if (*number < plan->printed.count)
            return plan->printed.at[*number];
        *number -= plan->printed.count;
    }
    return NULL;
}

static bool plan_has_regions(const struct schedule *plan)
{
    bool has = false;
    for (; plan; plan = plan->otherwise) {
        chains_drop(&plan->steps, false);
        has |= steps_have_region(&plan->steps);
    }
    return has;
}

/* Takes out the plans that are marked, with their fragments; false if none is. */
static bool plans_drop(struct plain_file *mapping, const bool *drops)
{
    size_t kept = 0, count = mapping->plans.count;
    for (size_t i = 0; i < count; i++) {
        mapping->plans.at[kept] = mapping->plans.at[i];
        mapping->fragments.at[kept] = mapping->fragments.at[i];
        kept += !drops[i];
    }
    mapping->plans.count = mapping->fragments.count = kept;
    return kept < count;
}

bool mapping_judge(struct plain_file *mapping, const struct map_verdict *verdicts, size_t n)
{
    size_t count = mapping->plans.count;
    bool *drops = ARENA_ARRAY(mapping->arena, bool, count);
    size_t *fragments = ARENA_ARRAY(mapping->arena, size_t, n + 1);
    for (size_t i = 0; i < n; i++) {
        size_t number = verdicts[i].region, at = 0;
        struct plan_region *region = NULL;
        for (; at < count && !region; at++)
            region = plan_region_at(mapping->plans.at[at], &number);
        if (region)
            region->is_serial = true;
        if (region && verdicts[i].is_conflict)
            drops[at - 1] = true;
        fragments[i] = at;
        if (region && verdicts[i].array && !is_said(verdicts, fragments, i))
            extent_report(mapping->plans.at[at - 1]->scop, verdicts[i].array);
    }
    for (size_t i = 0; i < count; i++)
        drops[i] = drops[i] || !plan_has_regions(mapping->plans.at[i]);
    plans_drop(mapping, drops);
    return mapping->plans.count > 0;
}

/* --- errors in the mapped text ---------------------------------------------------------------- */

enum yield { YIELD_FRAGMENTS, YIELD_FUNCTIONS, YIELD_ALL };

static bool fragment_yields(const struct plain_file *mapping, const struct fragment *fragment,
                            enum yield what, struct loc place)
{
    const struct ast *function = fragment->function;
    if (what == YIELD_ALL)
        return true;
    if (place.source != mapping->source || !place.line)
        return false;
    size_t at = loc_offset(place);
    return what == YIELD_FRAGMENTS ? fragment->begin <= at && at < fragment->end
                                   : function->begin <= at && at < function->end;
}

static bool fragments_yield(struct plain_file *mapping, enum yield what, const struct loc *places,
                            size_t n)
{
    size_t count = mapping->plans.count;
    bool *drops = ARENA_ARRAY(mapping->arena, bool, count);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < n; k++)
            drops[i] |= fragment_yields(mapping, &mapping->fragments.at[i], what, places[k]);
    return plans_drop(mapping, drops);
}

bool mapping_yield(struct plain_file *mapping, const struct loc *places, size_t n)
{
    return fragments_yield(mapping, YIELD_FRAGMENTS, places, n) ||
           fragments_yield(mapping, YIELD_FUNCTIONS, places, n) ||
           fragments_yield(mapping, YIELD_ALL, places, n);
}

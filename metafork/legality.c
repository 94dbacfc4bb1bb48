/* What the user is told about the legality of the annotations.

   In: a region's verdict by ir/access. Out: a conflict as an error, belief as a warning (or an
   error, if the context is strict), both as a warning in a text that the mapper made, whose regions
   then stay serial, and every condition under which alone the iterations are
   independent as a warning with the assertion that makes it a fact: where the condition is false at
   run time the serial program runs, which nobody should find out by measuring. Each message has the
   places of both accesses. */
#include "ir/reduction.h"
#include "metafork/lower.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool same_place(const struct reference *a, const struct reference *b)
{
    return a->loc.line == b->loc.line && a->loc.column == b->loc.column;
}

static void report_reference(struct ctx *ctx, const struct reference *reference)
{
    if (reference->array && reference->loc.source)
        diag_note(ctx, reference->loc, "%s of `%s` here", reference->is_write ? "write" : "read",
                  reference->array->name);
}

static void report_pair(struct ctx *ctx, const struct reference *a, const struct reference *b)
{
    if (!same_place(a, b))
        report_reference(ctx, a);
    report_reference(ctx, b);
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The constraint as C, with powers as products ("4*r^2 <= m" becomes "4*r*r <= m"); NULL if it
   holds a fraction. */
static char *constraint_as_c(struct arena *arena, struct constraint c)
{
    struct str printed = str_new(arena), out = str_new(arena);
    constraint_print(&printed, c, 0);
    if (strchr(printed.text, '/'))
        return NULL;
    size_t name = 0;
    for (const char *at = printed.text; *at; at++) {
        if (*at != '^') {
            if (is_word(*at) && (at == printed.text || !is_word(at[-1])))
                name = out.length;
            str_char(&out, *at);
            continue;
        }
        char *end;
        unsigned long power = strtoul(at + 1, &end, 10);
        char *word = arena_strdup(arena, out.text + name);
        for (unsigned long i = 1; i < power; i++)
            str_addf(&out, "*%s", word);
        at = end - 1;
    }
    return out.text;
}

/* Says each condition once, and which assertion makes it a fact. */
void conditions_report(struct lower *l, const struct region *region)
{
    struct ctx *ctx = l->ctx;
    for (size_t i = 0; i < region->conditions.count; i++) {
        const struct access_pair *pair = &region->legality.causes[i];
        struct loc loc = pair->a.loc.source ? pair->a.loc : region->loc;
        struct str text = str_new(l->arena);
        constraint_print(&text, region->conditions.at[i], 0);
        const char *fact = constraint_as_c(l->arena, region->conditions.at[i]);
        const char *advice = "";
        if (fact)
            advice = arena_printf(l->arena, " (`assert(%s);` before the region makes it a fact)",
                                  fact);
        diag_warning(ctx, loc,
                     "the iterations of meta_for that touch `%s` are proved independent only where "
                     "%s; elsewhere the region runs serially%s",
                     pair->a.array->name, text.text, advice);
        if (!same_place(&pair->a, &pair->b))
            report_pair(ctx, &pair->a, &pair->b);
    }
}

/* "w.c:10", without the folder, so that generated files do not depend on where they were built. */
static char *place_text(struct arena *arena, struct loc loc)
{
    const char *slash = strrchr(loc.source->path, '/');
    return arena_printf(arena, "%s:%u", slash ? slash + 1 : loc.source->path, loc.line);
}

char *region_condition_place(struct arena *arena, const struct region *region, size_t i)
{
    const struct reference *a = &region->legality.causes[i].a, *b = &region->legality.causes[i].b;
    if (!a->loc.source || !b->loc.source)
        return arena_printf(arena, "`%s`", a->array->name);
    if (a->loc.line == b->loc.line)
        return arena_printf(arena, "`%s` (%s)", a->array->name, place_text(arena, a->loc));
    return arena_printf(arena, "`%s` (%s and %s)", a->array->name, place_text(arena, a->loc),
                        place_text(arena, b->loc));
}

/* Where the two accesses would be sums by one operator, the clause that says so. */
static void clause_advise(struct lower *l, const struct kernel *kernel,
                          const struct array *array)
{
    enum reduce_op reduction = array ? reduction_guess(l->arena, kernel->body, array) : REDUCE_NONE;
    if (reduction)
        diag_note(l->ctx, l->schedule->loc,
                  "`meta_schedule meta_reduce(%s, %s)` makes `%s` a sum over the iterations",
                  reduction_text(reduction), array->name, array->name);
}

void legality_report(struct lower *l, const struct kernel *kernel,
                     const struct legality *legality)
{
    struct ctx *ctx = l->ctx;
    struct loc loc = legality->a.loc.source ? legality->a.loc : l->schedule->loc;
    const char *reason = legality->reason ? legality->reason : "";
    bool proved = legality->verdict == ACCESS_PROVED || legality->verdict == ACCESS_PROVED_UNDER;
    if (!proved && ctx->judges && !ctx->strict)
        diag_warning(ctx, loc,
                     "the iterations of this region are not proved independent: %s; it stays "
                     "serial",
                     reason);
    else if (legality->verdict == ACCESS_CONFLICT)
        diag_error(ctx, loc, "iterations of meta_for conflict: %s", reason);
    else if (legality->verdict == ACCESS_UNKNOWN && ctx->strict)
        diag_error(ctx, loc, "independence of the meta_for iterations is not proved: %s", reason);
    else if (legality->verdict == ACCESS_UNKNOWN)
        diag_warning(ctx, loc,
                     "independence of the meta_for iterations is believed, not proved: %s", reason);
    else
        return;
    report_pair(ctx, &legality->a, &legality->b);
    if (!ctx->judges)
        clause_advise(l, kernel, legality->a.array);
}

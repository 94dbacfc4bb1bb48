/* Names that the printed text needs: iterators of axes, blocks and threads, tunables.

   In: the words of the file, the macros of its headers. Out: names unlike all words and macros. The
   iterator of an axis keeps the source's name if all loops of the axis have this name and no other
   declaration hides the name; otherwise the iterator gets a new name. */
#include "mapper/forms/words.h"
#include "mapper/print/names.h"
#include "mapper/scop/values.h"
#include <string.h>

/* A search for names of a part's axes. */
struct name_search {
    struct word_list *words;
    const struct scop *scop;
    const struct plan_region *region;
    int depth, part;
    const char *outer[AXES_MAX];     /* the first part's names in another one, else NULL */
};

static bool member_allows(const struct name_search *s, const struct plan_member *member, int axis,
                          const char *name)
{
    const struct scop_loop *loop = member_loop(member, axis);
    for (size_t k = 0; k < member->unit->stmts.count; k++) {
        const struct scop_stmt *stmt = member->unit->stmts.at[k];
        if (member->part == s->part ? stmt_means_other(s->scop, stmt, name, loop)
                                    : !s->part && stmt_needs(s->scop, stmt, s->depth, name))
            return false;
    }
    return true;
}

/* May the axis bear the name? */
static bool is_free(const struct name_search *s, int axis, const char *name)
{
    for (int k = 0; k < s->region->n_axes; k++) {
        const char *other = k < axis ? s->region->axes[k].name : NULL;
        if (k != axis && ((other && !strcmp(other, name)) ||
                          (s->outer[k] && !strcmp(s->outer[k], name))))
            return false;
    }
    for (size_t i = 0; i < s->scop->symbols.count; i++)
        if (!s->scop->symbols.at[i].loop && !strcmp(s->scop->symbols.at[i].text, name))
            return false;
    for (size_t i = 0; i < s->region->members.count; i++)
        if (!member_allows(s, &s->region->members.at[i], axis, name))
            return false;
    return true;
}

/* A new name for an axis; several axes may run loops that the source calls alike. */
static const char *name_new(const struct name_search *s, int axis, const char *base)
{
    base = arena_printf(s->scop->arena, "%s_", base);
    const char *name = s->part ? NULL : words_local(s->words, base);
    for (int k = 0; k < axis && name; k++)
        name = strcmp(s->region->axes[k].name, name) != 0 ? name : NULL;
    return name ? name : words_fresh(s->words, base, 2);
}

void region_names(struct word_list *words, const struct scop *scop, struct plan_region *region,
                  int depth, int part)
{
    struct name_search s = {words, scop, region, depth, part, {NULL}};
    for (int axis = 0; axis < region->n_axes; axis++)
        s.outer[axis] = part ? region->axes[axis].name : NULL;
    for (int axis = 0; axis < region->n_axes; axis++) {
        struct plan_axis *a = &region->axes[axis];
        const struct scop_loop *last = NULL;
        a->name = NULL;
        a->type = "int";
        for (size_t i = 0; i < region->members.count; i++) {
            const struct plan_member *member = &region->members.at[i];
            if (member->part != part || member->axes[axis] == AT_POINT)
                continue;
            last = member_loop(member, axis);
            if (strcmp(last->type, "int") != 0)
                a->type = last->type;
            if (!a->name && is_free(&s, axis, last->name))
                a->name = last->name;
        }
        if (!a->name && last)
            a->name = name_new(&s, axis, last->name);
    }
}

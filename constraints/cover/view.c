/* Polynomials as one question sees them: their level, their sign at the present sample, their roots
   on the line over it. In: numbers of the table; out: what is exact at the sample. Signs and roots
   are remembered with the version of the coordinate or line they were computed for; versions are
   never given twice, so that what is stale is never read. */
#include "constraints/cover/search.h"
#include "base/vec.h"
#include <stdlib.h>
#include <string.h>

struct view *view_of(struct search *s, int polynomial)
{
    struct views *views = s->views;
    if ((size_t)polynomial >= views->count) {
        size_t count = 2 * s->table->count + 64;
        struct view *at = ARENA_ARRAY(s->table->arena, struct view, count);
        if (views->count)
            memcpy(at, views->at, views->count * sizeof *at);
        views->at = at;
        views->count = count;
    }
    return &views->at[polynomial];
}

int view_level(struct search *s, int polynomial)
{
    struct view *view = view_of(s, polynomial);
    if (view->level_version == s->question)
        return view->level;
    int level = -1;
    for (uint64_t rest = s->table->at[polynomial]->variables; rest; rest &= rest - 1) {
        int position = s->position[__builtin_ctzll(rest)];
        level = position > level ? position : level;
    }
    view->level_version = s->question;
    return view->level = level;
}

int view_sign(struct search *s, int polynomial)
{
    int at = view_level(s, polynomial);
    if (at >= (int)s->height)
        return SIGN_OPEN;
    struct view *view = view_of(s, polynomial);
    if (view->sign_version == s->level[at].version)
        return view->sign;
    int sign = sample_sign(s->sample, s->table->at[polynomial]->value);
    if (sign == SIGN_UNDECIDED)
        return sign;
    view->sign_version = s->level[at].version;
    return view->sign = sign;
}

int view_zero(struct search *s, int polynomial)
{
    if (polynomial < 0)
        return polynomial == POLYNOMIAL_VOID ? -1 : polynomial == POLYNOMIAL_ZERO;
    if (!table_factor(s->table, polynomial))
        return -1;
    const struct polynomial *p = s->table->at[polynomial];
    for (size_t i = 0; i < p->factor_count; i++) {
        int sign = view_sign(s, p->factors[i]);
        if (sign == SIGN_UNDECIDED)
            return -1;
        if (!sign)
            return 1;
    }
    return 0;
}

bool view_roots(struct search *s, int polynomial, struct view **found)
{
    struct view *view = *found = view_of(s, polynomial);
    struct level *level = &s->level[s->height];
    if (view->root_version == level->line)
        return true;
    const struct root **roots = NULL;
    size_t count = 0;
    bool some = sample_roots(s->sample, level->arena, s->table->at[polynomial]->value,
                             level->variable, &roots, &count);
    if (s->budget->spent)
        return false;
    view->vanishes = !some;
    view->roots = roots;
    view->root_count = some ? count : 0;
    view->root_version = level->line;
    return true;
}

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

struct set set_make(struct arena *arena, const int *at, size_t count)
{
    if (!count)
        return (struct set){NULL, 0};
    int *copy = ARENA_ARRAY(arena, int, count);
    memcpy(copy, at, count * sizeof *copy);
    qsort(copy, count, sizeof *copy, compare_ints);
    size_t kept = 1;
    for (size_t i = 1; i < count; i++)
        if (copy[i] != copy[kept - 1])
            copy[kept++] = copy[i];
    return (struct set){copy, kept};
}

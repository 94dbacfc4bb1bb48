/* The chart of the free variables. In: points of the free space as the search meets them, each the
   sample of a cell on which truth and the signs of the chart's polynomials are constant; the cells
   cover the space. Out: which sign vectors are true, which are false, and which other polynomials
   might tell those apart that are both. */
#include "base/map.h"
#include "base/vec.h"
#include "constraints/cover/search.h"

bool chart_point(struct search *s, struct arena *arena, int truth, struct set *set)
{
    struct chart *chart = s->chart;
    char *signs = ARENA_ARRAY(arena, char, chart->signs.count + 1);
    VEC(int) joined = {0};
    for (size_t i = 0; i < set->count; i++)
        vec_push(arena, &joined, set->at[i]);
    for (size_t i = 0; i < chart->signs.count; i++) {
        int sign = view_sign(s, chart->signs.at[i]);
        if (sign == SIGN_UNDECIDED)
            return false;
        signs[i] = "-0+"[sign + 1];
        vec_push(arena, &joined, chart->signs.at[i]);
    }
    *set = set_make(arena, joined.at, joined.count);
    struct point *point = map_get(chart->points, signs);
    if (point) {
        point->truth = point->truth == truth ? truth : 2;
    } else {
        point = ARENA_NEW(s->arena, struct point);
        *point = (struct point){arena_strdup(s->arena, signs), truth};
        map_put(chart->points, signs, point);
        chart->at =
            vec_reserve(s->arena, chart->at, chart->count, &chart->capacity, sizeof *chart->at);
        chart->at[chart->count++] = point;
    }
    chart->mixed |= point->truth == 2;
    return true;
}

static void bound_add(struct search *s, const struct bound *bound)
{
    struct chart *chart = s->chart;
    if (!bound->end)
        return;
    chart->bounds = vec_reserve(s->arena, chart->bounds, chart->bound_count, &chart->bound_capacity,
                                sizeof *chart->bounds);
    chart->bounds[chart->bound_count++] = bound->polynomial;
}

int chart_line(struct search *s, struct cell **cells, size_t count)
{
    struct chart *chart = s->chart;
    int common = cells[0]->truth;
    for (size_t i = 0; i < count; i++) {
        const struct set *set = &cells[i]->set;
        common = cells[i]->truth == common ? common : 2;
        for (size_t j = 0; j < set->count; j++) {
            chart->members = vec_reserve(s->arena, chart->members, chart->member_count,
                                         &chart->member_capacity, sizeof *chart->members);
            chart->members[chart->member_count++] = set->at[j];
        }
        if (i + 1 == count || (cells[i]->truth == cells[i + 1]->truth && cells[i]->truth != 2))
            continue;
        bound_add(s, &cells[i]->hi);
        bound_add(s, &cells[i + 1]->lo);
    }
    return common;
}

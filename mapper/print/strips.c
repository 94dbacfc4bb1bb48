/* A strip as C: a block for each row or group of columns, and for each statement a band of its
   lanes.

   In: a region with `is_strip`. Out:
       meta_for (int i = 0; i < m; i++) {
           meta_for (int tj = 0; tj < B0; tj++)
               if (tj == 0)
                   t[i] = 0;
           for (int j0 = 0; j0 < n; j0 += B0)
               meta_for (int tj = 0; tj < B0; tj++) {
                   int j = j0 + tj;
                   if (j < n)
                       t[i] += A[i][j] * x[j];
               }
           …
       }
   Serially each statement runs through its row before the next one does. A block of columns is
       meta_for (int bj = 0; bj < n; bj += 8) {
           for (int i0 = 0; i0 < m; i0 += B0)
               meta_for (int ti = 0; ti < B0; ti++)
                   meta_for (int tj = 0; tj < 8; tj++) {
                       int i = i0 + ti;
                       int j = bj + tj;
                       if (i < m && j < n)
                           x[j] += A[i][j] * y[i];
                   }
           for (int i0 = 0; i0 < m; i0 += B0 * 8)
               meta_for (int ti = 0; ti < B0; ti++)
                   meta_for (int tj = 0; tj < 8; tj++) {
                       int i = i0 + ti * 8 + tj;
                       for (int c = 0; c < 8; c++) {
                           int j = bj + c;
                           if (i < m && j < n)
                               w[i] += A[i][j] * x[j];
                       }
                   }
       }
   so that neighbouring threads read neighbours, and an element of w belongs to one thread. */
#include "mapper/plan/strips.h"
#include "mapper/print/names.h"
#include "mapper/print/print.h"
#include <inttypes.h>
#include <string.h>

/* The band of a member: the block's axis as the strip has it, and the lanes' if there is one. */
static struct plan_step band_step(struct plan_text *t, const struct plan_step *step,
                                  const struct plan_member *of)
{
    struct plan_step band = *step;
    struct plan_member member = *of;
    int lanes = strip_lanes(of, step->depth);
    member.part = 0;
    band.region.is_strip = false;
    band.region.members = (member_list){0};
    if (lanes != LANES_NONE) {
        const struct scop_loop *loop = member.unit->loops[lanes];
        struct plan_axis axis = {.lower = loop->start, .upper = loop->limits[0], .step = 1};
        member.axes[1] = lanes;
        band.region.n_axes = 2;
        band.region.axes[1] = axis;
    }
    vec_push(t->arena, &band.region.members, member);
    return band;
}

/* A strip being printed. */
struct strip_text {
    const char *point;               /* the variable of the block: a row, or the first column */
    int64_t points;                  /* that a block owns */
    const char *block;               /* the extent of the lanes' axis */
    const char *column;              /* the thread's variable along the columns of a block */
};

/* "meta_for (int tj = 0; tj < B0; tj++)" */
static struct text_stmt *thread_print(struct plan_text *t, const char *thread, const char *extent,
                                      printed_list *out)
{
    struct text_stmt *head = head_print(
        t, out, arena_printf(t->arena, "meta_for (int %s = 0; %s < %s; %s++)", thread, thread,
                             extent, thread));
    head->is_bare = true;
    return head;
}

static const char *points_extent(struct plan_text *t, const struct strip_text *strip)
{
    return arena_printf(t->arena, "%" PRId64, strip->points);
}

/* The heads of a band: its lanes, and the columns of its block. */
static struct text_stmt *band_print(struct plan_text *t, const struct strip_text *strip,
                                    const char *thread, printed_list *out)
{
    struct text_stmt *band = thread_print(t, thread, strip->block, out);
    if (strip->points > 1)
        band = thread_print(t, strip->column, points_extent(t, strip), &band->body);
    return band;
}

static void value_print(struct plan_text *t, const struct plan_axis *axis, const char *value,
                        printed_list *out)
{
    const char *text = arena_printf(t->arena, "%s %s = %s;", axis->type, axis->name, value);
    printed_add(t->arena, out, PRINTED_LINE, text)->is_declaration = true;
}

/* The iterator of the block's point under the name that this band has for it; `within`: the number
   of a column in its block. */
static void point_print(struct plan_text *t, const struct strip_text *strip, const char *within,
                        printed_list *out)
{
    const struct plan_axis *axis = &t->region->axes[0];
    const char *value = strip->point;
    if (strip->points > 1)
        value = arena_printf(t->arena, "%s + %s", strip->point, within);
    if (strcmp(axis->name, value) != 0)
        value_print(t, axis, value, out);
}

/* "tj < B0 && j < n": a condition of a band's thread, and that of its column. */
static const char *head_text(struct plan_text *t, const struct strip_text *strip,
                             const char *condition)
{
    const struct plan_axis *axis = &t->region->axes[0];
    if (strip->points == 1)
        return condition;
    return arena_printf(t->arena, "%s && %s", condition,
                        limit_text(t, axis->name, &axis->upper, true));
}

/* A statement that one thread runs for each point. */
static void single_print(struct plan_text *t, const struct strip_text *strip, int indent)
{
    printed_list list = {0};
    const char *thread = words_local(t->words, "t");
    const char *first = arena_printf(t->arena, "%s == 0", thread);
    struct text_stmt *band = band_print(t, strip, thread, &list);
    if (strip->points > 1) {
        point_print(t, strip, strip->column, &band->body);
        scalars_print(t, &band->body);
        guarded_print(t, head_text(t, strip, first), t->scop->root, &band->body);
    } else {
        struct text_stmt *own = head_print(t, &band->body,
                                           arena_printf(t->arena, "if (%s)", first));
        own->is_if = true;
        point_print(t, strip, NULL, &own->body);
        scalars_print(t, &own->body);
        nodes_print(t, t->scop->root, &own->body);
    }
    printed_layout(t->out, &list, indent);
}

/* A statement that all lanes run, in rounds. Of a block of columns each thread has one of them, or
   all, one after the other, and is a lane of its own; or (AT_FIRST) is a lane that the first of
   them has. */
enum columns { EACH_ITS_OWN, EACH_ALL, AT_FIRST };

static void rounds_print(struct plan_text *t, const struct strip_text *strip,
                         enum columns columns, int indent)
{
    const struct plan_axis *lanes = &t->region->axes[1];
    printed_list list = {0};
    const char *first = words_local(t->words, arena_printf(t->arena, "%s0", lanes->name)),
               *thread = words_local(t->words, arena_printf(t->arena, "t%s", lanes->name)),
               *lane = thread, *step = strip->block, *column = strip->column;
    if (strip->points > 1 && columns != EACH_ITS_OWN) {
        const char *points = points_extent(t, strip);
        lane = arena_printf(t->arena, "%s * %s + %s", thread, points, column);
        step = arena_printf(t->arena, "%s * %s", strip->block, points);
    }
    const char *head = arena_printf(t->arena, "for (%s %s = %s; %s; %s += %s)", lanes->type, first,
                                    sum_text(t, &lanes->lower, 0),
                                    limit_text(t, first, &lanes->upper, true), first, step);
    struct text_stmt *rounds = head_print(t, &list, head);
    rounds->is_bare = true;
    struct text_stmt *inner = band_print(t, strip, thread, &rounds->body);
    value_print(t, lanes, arena_printf(t->arena, "%s + %s", first, lane), &inner->body);
    if (columns == EACH_ALL) {
        column = words_local(t->words, "c");
        const char *all = arena_printf(t->arena, "for (int %s = 0; %s < %s; %s++)", column, column,
                                       points_extent(t, strip), column);
        inner = head_print(t, &inner->body, all);
    }
    if (columns != AT_FIRST)
        point_print(t, strip, column, &inner->body);
    scalars_print(t, &inner->body);
    const char *inside = limit_text(t, lanes->name, &lanes->upper, true);
    inside = columns == AT_FIRST ? inside : head_text(t, strip, inside);
    guarded_print(t, inside, t->scop->root, &inner->body);
    printed_layout(t->out, &list, indent);
}

struct plan_axis strip_blocks(struct plan_text *t, const struct plan_step *step)
{
    struct plan_axis axis = step->region.axes[0];
    int64_t points = strip_points(&step->region, step->depth);
    if (points > 1) {
        axis.name = words_local(t->words, arena_printf(t->arena, "b%s", axis.name));
        axis.step = points;
    }
    return axis;
}

static enum columns columns_of(const struct plan_member *member, int64_t points)
{
    if (strip_starts(member))
        return AT_FIRST;
    return points > 1 && strip_walks(member) ? EACH_ALL : EACH_ITS_OWN;
}

void strip_print(struct plan_text *t, struct plan_step *step, int indent)
{
    int64_t points = strip_points(&step->region, step->depth);
    const char *thread = arena_printf(t->arena, "t%s", step->region.axes[0].name);
    struct strip_text strip = {.point = strip_blocks(t, step).name,
                               .points = points,
                               .block = tunable_name(t, points > 1, STRIP_LANES / points),
                               .column = words_local(t->words, thread)};
    member_list members = step->region.members;
    for (size_t i = 0; i < members.count; i++) {
        struct plan_step band = band_step(t, step, &members.at[i]);
        region_enter(t, &band);
        if (strip_starts(&members.at[i]))
            band.region.axes[0].name = strip.point;
        if (band.region.n_axes > 1)
            rounds_print(t, &strip, columns_of(&members.at[i], points), indent);
        else
            single_print(t, &strip, indent);
        region_leave(t);
    }
}

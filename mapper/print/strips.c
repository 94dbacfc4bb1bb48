/* A strip as C: a block for each row, and for each statement a band of its lanes.

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
   Serially each statement runs through its row before the next one does. */
#include "mapper/plan/strips.h"
#include "mapper/print/names.h"
#include "mapper/print/print.h"
#include <string.h>

/* The band of a member: the rows' axis as the strip has it, and the lanes' axis if there is one. */
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

/* "meta_for (int tj = 0; tj < B0; tj++)" */
static struct text_stmt *lanes_print(struct plan_text *t, const char *thread, const char *block,
                                     printed_list *out)
{
    struct text_stmt *head = head_print(
        t, out, arena_printf(t->arena, "meta_for (int %s = 0; %s < %s; %s++)", thread, thread,
                             block, thread));
    head->is_bare = true;
    return head;
}

/* The rows' iterator under the name that this band has for it. */
static void row_alias_print(struct plan_text *t, const struct plan_axis *rows, const char *name,
                            printed_list *out)
{
    if (!strcmp(rows->name, name))
        return;
    const char *text = arena_printf(t->arena, "%s %s = %s;", rows->type, rows->name, name);
    printed_add(t->arena, out, PRINTED_LINE, text)->is_declaration = true;
}

/* A statement that one thread runs for each row. */
static void single_print(struct plan_text *t, const char *row, const char *block, int indent)
{
    printed_list list = {0};
    const char *thread = words_local(t->words, "t");
    struct text_stmt *band = lanes_print(t, thread, block, &list);
    struct text_stmt *own = head_print(t, &band->body,
                                       arena_printf(t->arena, "if (%s == 0)", thread));
    own->is_if = true;
    row_alias_print(t, &t->region->axes[0], row, &own->body);
    scalars_print(t, &own->body);
    nodes_print(t, t->scop->root, &own->body);
    printed_layout(t->out, &list, indent);
}

/* A statement that all lanes run, in rounds. */
static void rounds_print(struct plan_text *t, const char *row, const char *block, int indent)
{
    const struct plan_axis *lanes = &t->region->axes[1];
    printed_list list = {0};
    const char *first = words_local(t->words, arena_printf(t->arena, "%s0", lanes->name)),
               *thread = words_local(t->words, arena_printf(t->arena, "t%s", lanes->name));
    const char *head = arena_printf(t->arena, "for (%s %s = %s; %s; %s += %s)", lanes->type, first,
                                    sum_text(t, &lanes->lower, 0),
                                    limit_text(t, first, &lanes->upper, true), first, block);
    struct text_stmt *rounds = head_print(t, &list, head);
    rounds->is_bare = true;
    struct text_stmt *band = lanes_print(t, thread, block, &rounds->body);
    const char *place = arena_printf(t->arena, "%s %s = %s + %s;", lanes->type, lanes->name, first,
                                     thread);
    printed_add(t->arena, &band->body, PRINTED_LINE, place)->is_declaration = true;
    row_alias_print(t, &t->region->axes[0], row, &band->body);
    scalars_print(t, &band->body);
    guarded_print(t, limit_text(t, lanes->name, &lanes->upper, true), t->scop->root, &band->body);
    printed_layout(t->out, &list, indent);
}

void strip_print(struct plan_text *t, struct plan_step *step, int indent)
{
    const char *row = step->region.axes[0].name;
    const char *block = tunable_name(t, 0, STRIP_LANES);
    member_list members = step->region.members;
    for (size_t i = 0; i < members.count; i++) {
        struct plan_step band = band_step(t, step, &members.at[i]);
        region_enter(t, &band);
        if (band.region.n_axes > 1)
            rounds_print(t, row, block, indent);
        else
            single_print(t, row, block, indent);
        region_leave(t);
    }
}

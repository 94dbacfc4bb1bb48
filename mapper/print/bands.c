/* A chain as C: one region of one block, and where its sizes are too large the steps of the host.

   In: a step of kind PLAN_CHAIN. Out: the host's loops at block level, and for each region a band
   of the block's threads. They go over the points of its axis in steps of all of them; what has no
   axis is thread 0's. */
#include "mapper/print/names.h"
#include "mapper/print/print.h"
#include <inttypes.h>

struct bands {
    struct plan_text *t;
    const char *block, *thread;      /* the extent of all bands, the iterator of their threads */
};

static void print_links(const struct bands *bands, const plan_list *steps, int indent);

/* "if (t == 0)" or "for (int i = j + 1 + t; i < n; i += B0)" */
static const char *share_text(const struct bands *bands)
{
    struct plan_text *t = bands->t;
    const struct plan_axis *axis = &t->region->axes[0];
    if (!t->region->n_axes)
        return arena_printf(t->arena, "if (%s == 0)", bands->thread);
    return arena_printf(t->arena, "for (%s %s = %s%s; %s; %s += %s)", axis->type, axis->name,
                        start_text(t, axis), bands->thread,
                        limit_text(t, axis->name, &axis->upper, true), axis->name, bands->block);
}

static void print_chain_band(const struct bands *bands, struct plan_step *step, int indent)
{
    struct plan_text *t = bands->t;
    printed_list list = {0};
    region_enter(t, step);
    const char *head = arena_printf(t->arena, "meta_for (int %s = 0; %s < %s; %s++)",
                                    bands->thread, bands->thread, bands->block, bands->thread);
    struct text_stmt *band = head_print(t, &list, head);
    band->is_bare = true;
    struct text_stmt *share = head_print(t, &band->body, share_text(bands));
    share->is_if = !t->region->n_axes;
    scalars_print(t, &share->body);
    nodes_print(t, t->scop->root, &share->body);
    printed_layout(t->out, &list, indent);
    region_leave(t);
}

static void print_link(const struct bands *bands, struct plan_step *step, int indent)
{
    if (step->kind == PLAN_REGION) {
        print_chain_band(bands, step, indent);
        return;
    }
    line_begin(bands->t, indent);
    str_addf(bands->t->out, "%s {\n", header_text(bands->t, step->loop));
    print_links(bands, &step->body, indent + 4);
    line_begin(bands->t, indent);
    str_add(bands->t->out, "}\n");
}

static void print_links(const struct bands *bands, const plan_list *steps, int indent)
{
    for (size_t i = 0; i < steps->count; i++)
        print_link(bands, steps->at[i], indent);
}

/* "if (n > 0 && n <= 8192) ": there is something to run, and not too much. */
static void print_sizes(struct plan_text *t, const struct plan_chain *chain)
{
    const char *before = "if (";
    for (int i = 0; i < chain->n_positive; i++) {
        str_addf(t->out, "%s%s", before, affine_positive_text(t->scop, &chain->positive[i]));
        before = " && ";
    }
    for (int i = 0; i < chain->n_sizes; i++) {
        str_addf(t->out, "%s%s <= %" PRId64, before, affine_text(t->scop, &chain->sizes[i]),
                 chain->most);
        before = " && ";
    }
    if (before[0] == ' ')
        str_add(t->out, ") ");
}

void print_chain(struct plan_text *t, struct plan_step *step, int indent)
{
    struct bands bands = {t, tunable_name(t, 0, step->chain.extent), words_local(t->words, "t")};
    const char *b = words_local(t->words, "b");
    bool is_one = step->body.count == 1;
    line_begin(t, indent);
    print_sizes(t, &step->chain);
    schedule_begin(t, &step->region);
    str_add(t->out, "{\n");
    line_begin(t, indent + 4);
    str_addf(t->out, "meta_for (int %s = 0; %s < 1; %s++)%s\n", b, b, b, is_one ? "" : " {");
    print_links(&bands, &step->body, indent + 8);
    if (!is_one) {
        line_begin(t, indent + 4);
        str_add(t->out, "}\n");
    }
    line_begin(t, indent);
    str_add(t->out, "}");
    if (chain_has_other(step)) {
        str_add(t->out, " else {\n");
        print_steps(t, &step->body, indent + 4);
        line_begin(t, indent);
        str_add(t->out, "}");
    }
    str_add(t->out, "\n");
}

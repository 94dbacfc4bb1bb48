/* A plan as MetaFork C.

   In: the schedule of a fragment. Out: host loops, and regions whose threads are the source's
   statements in the source's order, below conditions in place of the loops that became axes. The
   text of a thread is the source's own. */
#include "mapper/forms/transformations.h"
#include "mapper/plan/box.h"
#include "mapper/plan/chain.h"
#include "mapper/print/names.h"
#include "mapper/print/print.h"
#include "mapper/print/schedule.h"
#include "mapper/scop/behind.h"
#include "mapper/scop/sets.h"
#include "mapper/scop/walk.h"
#include <inttypes.h>
#include <string.h>

const char *tunable_name(struct plan_text *t, int place, int64_t extent)
{
    for (size_t i = 0; i < t->tunables.count; i++)
        if (t->tunables.at[i].place == place && t->tunables.at[i].extent == extent)
            return t->tunables.at[i].name;
    struct tunable_name name = {place, extent, words_fresh(t->words, "B", 0)};
    vec_push(t->arena, &t->tunables, name);
    return name.name;
}

struct axis_names {
    const char *grid, *thread, *block;
};

/* "n", "(n + 1) / 2": the points of an axis. */
static const char *axis_count(struct plan_text *t, const struct plan_axis *axis)
{
    struct affine points = axis_points(axis), more = affine_constant(axis->step - 1);
    if (axis->step == 1)
        return affine_text(t->scop, &points);
    affine_add(&points, &more, 1);
    return arena_printf(t->arena, "%s / %" PRId64, affine_operand_text(t->scop, &points),
                        axis->step);
}

/* "(n + B0 - 1) / B0": blocks that hold the points of an axis. */
static const char *grid_text(struct plan_text *t, const struct plan_axis *axis, const char *block)
{
    return arena_printf(t->arena, "(%s + %s - 1) / %s", axis_count(t, axis), block, block);
}

/* "bi * B0 + ti", "2 * (bi * B0 + ti)" */
static const char *place_text(struct plan_text *t, const struct plan_axis *axis,
                              const struct axis_names *names)
{
    const char *number = arena_printf(t->arena, "%s * %s + %s", names->grid, names->block,
                                      names->thread);
    return axis->step == 1 ? number
                           : arena_printf(t->arena, "%" PRId64 " * (%s)", axis->step, number);
}

const char *start_text(struct plan_text *t, const struct plan_axis *axis)
{
    if (!axis->lower.n_terms && !axis->lower.n_names && !axis->lower.constant)
        return "";
    return arena_printf(t->arena, "%s + ", sum_text(t, &axis->lower, 0));
}

static bool region_declares(const struct plan_text *t, const struct ast *decl)
{
    for (size_t i = 0; i < t->scop->stmts.count; i++) {
        const struct scop_stmt *stmt = t->scop->stmts.at[i];
        if (stmt->ast->kind != AST_DECLARE || !stmt_member(t, stmt))
            continue;
        for (int k = 0; k < stmt->ast->n_children; k++)
            if (stmt->ast->children[k] == decl)
                return true;
    }
    return false;
}

static bool uses(const struct plan_text *t, const struct scop_array *scalar)
{
    struct access_walk walk;
    const struct scop_access *access = access_first(&walk, t->scop, scalar);
    while (access && !stmt_member(t, walk.stmt))
        access = access_next(&walk);
    return access != NULL;
}

/* Does the fragment speak of a variable from around it that is called as the scalar is? */
static bool hides_outer(const struct scop *scop, const struct scop_array *scalar)
{
    struct ast_walk walk;
    for (size_t i = 0; i < scop->fragment->n_statements; i++)
        for (const struct ast *n = ast_first(&walk, scop->arena, scop->fragment->statements[i]); n;
             n = ast_next(&walk))
            if (n->kind == AST_REF && n->decl && n->decl != scalar->decl &&
                !strcmp(n->decl->name, scalar->name) &&
                !map_get_pointer(scop->is_declared, n->decl))
                return true;
    return false;
}

/* Would the scalar's name hide a variable from around the fragment, or memory that the region
   touches? */
static bool hides(const struct plan_text *t, const struct scop_array *scalar)
{
    const struct scop *scop = t->scop;
    if (hides_outer(scop, scalar))
        return true;
    for (size_t i = 0; i < scop->symbols.count; i++)
        if (!scop->symbols.at[i].loop && !strcmp(scop->symbols.at[i].text, scalar->name))
            return true;
    for (size_t i = 0; i < scop->arrays.count; i++) {
        const struct scop_array *other = scop->arrays.at[i];
        if (other->decl != scalar->decl && !strcmp(other->name, scalar->name) && uses(t, other))
            return true;
    }
    return false;
}

/* The name that the region declares a private scalar under: the source's, unless that hides
   another. */
static const char *private_name(struct plan_text *t, const struct scop_array *scalar)
{
    if (!hides(t, scalar))
        return scalar->name;
    const char *name = words_fresh(t->words, arena_printf(t->arena, "%s_", scalar->name), 2);
    map_put_pointer(t->privates, scalar->decl, (void *)name);
    return name;
}

void scalars_print(struct plan_text *t, printed_list *out)
{
    VEC(const struct scop_array *) list = {0};
    t->privates = map_new(t->arena);
    for (size_t i = 0; i < t->scop->arrays.count; i++) {
        const struct scop_array *scalar = t->scop->arrays.at[i];
        if (scalar->is_private && uses(t, scalar) && !region_declares(t, scalar->decl))
            vec_push(t->arena, &list, scalar);
    }
    for (size_t i = 0; i < list.count;) {
        const char *type = list.at[i]->decl->type->canonical;
        struct str line = str_new(t->arena);
        str_addf(&line, "%s %s", type, private_name(t, list.at[i]));
        for (i++; i < list.count && !strcmp(type, list.at[i]->decl->type->canonical); i++)
            str_addf(&line, ", %s", private_name(t, list.at[i]));
        str_char(&line, ';');
        printed_add(t->arena, out, PRINTED_LINE, line.text)->is_declaration = true;
    }
}

/* "for (int i = 1; i < n; i++)" over the points of an axis. */
static const char *points_text(struct plan_text *t, const struct plan_axis *axis)
{
    const char *next = axis->step == 1 ? arena_printf(t->arena, "%s++", axis->name)
                                       : arena_printf(t->arena, "%s += %" PRId64, axis->name,
                                                      axis->step);
    return arena_printf(t->arena, "for (%s %s = %s; %s; %s)", axis->type, axis->name,
                        sum_text(t, &axis->lower, 0),
                        limit_text(t, axis->name, &axis->upper, true), next);
}

static const char *count_text(struct plan_text *t, const char *type, const char *iterator,
                              const char *count)
{
    return arena_printf(t->arena, "for (%s %s = 0; %s < %s; %s++)", type, iterator, iterator, count,
                        iterator);
}

/* How many axes have no threads: the first ones; all where they are not cut in blocks. */
static int block_axes(const struct plan_text *t)
{
    bool strips = transformation_is_on(t->scop->ctx, TRANSFORMATION_STRIP_MINING);
    return strips ? region_block_axes(t->region) : t->region->n_axes;
}

/* Must a statement tell where the block begins? None is needed if there are as many loops above it
   as in it, or if extents of the grid divide by those of the block. */
static bool parts_heads(const struct plan_text *t)
{
    int n = t->region->n_axes, n_threads = n - block_axes(t);
    bool is_halved = n_threads && n_threads != n && (n + n_threads) % 2 == 0;
    return n > 1 && (!n_threads || is_halved);
}

/* Heads of the loops over blocks and threads; the last one opens a brace. They are so many. */
static int print_heads(struct plan_text *t, const struct axis_names *names, int indent)
{
    const struct plan_region *r = t->region;
    int n = r->n_axes, first = block_axes(t), n_heads = 0;
    const char *heads[AXES_MAX + THREAD_AXES_MAX];
    for (int i = 0; i < n; i++)
        heads[n_heads++] = i < first ? points_text(t, &r->axes[i])
                                     : count_text(t, r->axes[i].type, names[i].grid,
                                                  grid_text(t, &r->axes[i], names[i].block));
    for (int i = first; i < n; i++)
        heads[n_heads++] = count_text(t, r->axes[i].type, names[i].thread, names[i].block);
    if (n == 0)
        heads[n_heads++] = count_text(t, "int", words_local(t->words, "b"), "1");
    if (n == first)
        heads[n_heads++] = count_text(t, "int", words_local(t->words, "t"), "1");
    for (int i = 0; i < n_heads; i++) {
        bool parts = parts_heads(t) && i == n - 1;
        line_begin(t, indent + 4 * i);
        str_addf(t->out, "meta_%s%s\n", heads[i], i == n_heads - 1 || parts ? " {" : "");
        str_indent(t->out, parts ? indent + 4 * n : 0);
        str_add(t->out, parts ? ";\n" : "");
    }
    return n_heads;
}

/* Does the form's text begin with a minus? */
static bool begins_with_minus(const struct affine *form)
{
    bool adds = form->constant > 0;
    for (int i = 0; i < form->n_terms; i++)
        adds |= form->terms[i].factor > 0;
    return !adds && (form->n_terms || form->constant);
}

/* The iterator that follows from the sum and the axes: (w - the others) / its factor of 1 or -1. */
static const char *follows_text(struct plan_text *t)
{
    const struct plan_region *r = t->region;
    struct affine others = affine_constant(0);
    int64_t own = affine_factor(&r->wave, r->follows->symbol);
    for (int i = 0; i < r->wave.n_terms; i++) {
        struct affine term = affine_constant(0);
        term.n_terms = 1;
        term.terms[0] = r->wave.terms[i];
        if (r->wave.terms[i].symbol != r->follows->symbol)
            affine_add(&others, &term, -own);
    }
    const char *text = affine_text(t->scop, &others);
    const char *sign = own < 0 ? "-" : "";
    return begins_with_minus(&others) ? arena_printf(t->arena, "%s%s - %s", sign, t->wave, text + 1)
                              : arena_printf(t->arena, "%s%s + %s", sign, t->wave, text);
}

/* The declaration of the iterator that follows from a wavefront, if there is one. */
static void print_follower(struct plan_text *t, int indent)
{
    const struct plan_region *r = t->region;
    if (!r->follows)
        return;
    line_begin(t, indent);
    str_addf(t->out, "%s %s = %s;\n", r->follows->type, r->follows->name, follows_text(t));
}

/* The iterators of the axes from those of blocks and threads. */
static void print_iterators(struct plan_text *t, const struct axis_names *names, int indent)
{
    const struct plan_region *r = t->region;
    int first = block_axes(t);
    for (int i = first; i < r->n_axes; i++) {
        bool same = i > first && !strcmp(r->axes[i].type, r->axes[i - 1].type);
        if (!same)
            line_begin(t, indent);
        str_addf(t->out, "%s %s = %s%s", same ? "," : r->axes[i].type, r->axes[i].name,
                 start_text(t, &r->axes[i]), place_text(t, &r->axes[i], &names[i]));
        bool more = i + 1 < r->n_axes && !strcmp(r->axes[i].type, r->axes[i + 1].type);
        str_add(t->out, more ? "" : ";\n");
    }
    print_follower(t, indent);
}

/* "i < n && j < m": what keeps the threads in the box. */
static const char *box_text(struct plan_text *t)
{
    const struct plan_region *r = t->region;
    struct str out = str_new(t->arena);
    int first = block_axes(t);
    for (int i = first; i < r->n_axes; i++)
        str_addf(&out, "%s%s", i > first ? " && " : "",
                 limit_text(t, r->axes[i].name, &r->axes[i].upper, true));
    return out.text;
}

/* Has the axis a point whenever another axis has one? Of axes with equal points the first implies
   the others. */
static bool axis_is_implied(const struct plan_region *r, int axis)
{
    struct affine points = axis_points(&r->axes[axis]);
    for (int k = 0; k < r->n_axes; k++) {
        struct affine other = axis_points(&r->axes[k]);
        int64_t more = points.constant - other.constant;
        other.constant = points.constant;
        if (k != axis && affine_equal(&points, &other) && (more > 0 || (more == 0 && k < axis)))
            return true;
    }
    return false;
}

/* Forms that are positive whenever a region runs. */
enum { POSITIVE_MAX = 16 };
struct positive_forms {
    int n;
    struct affine at[POSITIVE_MAX];
};

static void positive_add(const struct plan_text *t, struct positive_forms *forms,
                         struct affine form)
{
    const struct scop_loop *hosts[HOSTS_MAX];
    int n_hosts = region_hosts(t->region, t->depth, hosts);
    if (forms->n < POSITIVE_MAX &&
        !loops_imply_positive(t->scop, place_below(hosts, n_hosts), &form))
        forms->at[forms->n++] = form;
}

/* Do the positive forms imply a parameter of at least 1? */
static bool forms_imply(const struct positive_forms *forms, int symbol)
{
    for (int i = 0; i < forms->n; i++)
        if (forms->at[i].n_terms == 1 && forms->at[i].constant <= 0 &&
            affine_factor(&forms->at[i], symbol) == 1)
            return true;
    return false;
}

/* Does nothing of the region run where the parameter is below 1? */
static bool needs_positive(const struct plan_text *t, const struct affine *param)
{
    for (size_t i = 0; i < t->region->members.count; i++) {
        const struct scop_unit *unit = t->region->members.at[i].unit;
        for (size_t k = 0; k < unit->stmts.count; k++)
            if (!loops_imply_positive(t->scop, place_in(unit->stmts.at[k]), param))
                return false;
    }
    return true;
}

/* The sizes of rows of a flat array. */
static void pitches_add(const struct plan_text *t, const struct scop_array *array,
                        struct positive_forms *forms)
{
    for (int i = 0; i < array->n_pitches; i++)
        for (int k = 0; k < array->pitches[i].n; k++) {
            int symbol = array->pitches[i].symbols[k];
            struct affine param = {.n_terms = 1, .terms = {{symbol, 1}}};
            if (!forms_imply(forms, symbol) && needs_positive(t, &param))
                positive_add(t, forms, param);
        }
}

/* "n > 1": where an axis has no point nothing runs, and a size may be negative there; nor where the
   rows of a flat array have no element, as far as loops in the threads say so. */
static void print_condition(struct plan_text *t)
{
    const struct plan_region *r = t->region;
    struct positive_forms forms = {0};
    for (int i = 0; i < r->n_axes; i++)
        if (!axis_is_implied(r, i))
            positive_add(t, &forms, axis_points(&r->axes[i]));
    for (size_t i = 0; i < r->members.count; i++) {
        const struct scop_unit *unit = r->members.at[i].unit;
        for (size_t k = 0; k < unit->stmts.count; k++)
            for (size_t a = 0; a < unit->stmts.at[k]->accesses.count; a++)
                pitches_add(t, unit->stmts.at[k]->accesses.at[a].array, &forms);
    }
    for (int i = 0; i < forms.n; i++)
        str_addf(t->out, "%s%s", i ? " && " : "if (",
                 affine_positive_text(t->scop, &forms.at[i]));
    if (forms.n)
        str_add(t->out, ") ");
}

static const char *array_text(const struct scop_array *array)
{
    return array->memory ? array->memory->name : array->name;
}

/* "meta_reduce(+, s, t) meta_reduce(max, m) " */
static void print_clauses(struct plan_text *t)
{
    const struct plan_region *r = t->region;
    for (enum reduce_op reduction = REDUCE_NONE + 1; reduction < REDUCE_COUNT; reduction++) {
        const char *before = NULL;
        for (size_t i = 0; i < r->row_sums.count + r->sums.count; i++) {
            const struct plan_sum *sum = i < r->row_sums.count
                                             ? &r->row_sums.at[i]
                                             : &r->sums.at[i - r->row_sums.count];
            if (sum->reduction != reduction)
                continue;
            if (!before)
                str_addf(t->out, "meta_reduce(%s", reduction_text(reduction));
            before = ", ";
            str_addf(t->out, ", %s", array_text(sum->array));
        }
        str_add(t->out, before ? ") " : "");
    }
}

void schedule_begin(struct plan_text *t, struct plan_region *region)
{
    vec_push(t->arena, &t->plan->printed, region);
    str_add(t->out, "meta_schedule ");
}

static void print_region(struct plan_text *t, struct plan_step *step, int indent)
{
    struct plan_region *r = &step->region;
    struct axis_names names[AXES_MAX] = {0};
    printed_list list = {0};
    region_enter(t, step);
    for (int i = block_axes(t); i < r->n_axes; i++) {
        names[i].block = tunable_name(t, r->n_axes - 1 - i, r->axes[i].extent);
        names[i].grid = words_local(t->words, arena_printf(t->arena, "b%s", r->axes[i].name));
        names[i].thread = words_local(t->words, arena_printf(t->arena, "t%s", r->axes[i].name));
    }
    line_begin(t, indent);
    print_condition(t);
    schedule_begin(t, &step->region);
    print_clauses(t);
    str_add(t->out, "{\n");
    int inner = indent + 4;
    inner += 4 * print_heads(t, names, inner);
    print_iterators(t, names, inner);
    scalars_print(t, &list);
    if (block_axes(t) < r->n_axes)
        guarded_print(t, box_text(t), t->scop->root, &list);
    else
        nodes_print(t, t->scop->root, &list);
    printed_layout(t->out, &list, inner);
    line_begin(t, inner - 4);
    str_add(t->out, "}\n");
    if (parts_heads(t)) {
        line_begin(t, inner - 8);
        str_add(t->out, "}\n");
    }
    line_begin(t, indent);
    str_add(t->out, "}\n");
    region_leave(t);
}

static void print_strip(struct plan_text *t, struct plan_step *step, int indent)
{
    region_enter(t, step);
    line_begin(t, indent);
    print_condition(t);
    schedule_begin(t, &step->region);
    print_clauses(t);
    str_add(t->out, "{\n");
    line_begin(t, indent + 4);
    struct plan_axis blocks = strip_blocks(t, step);
    str_addf(t->out, "meta_%s {\n", points_text(t, &blocks));
    region_leave(t);
    strip_print(t, step, indent + 8);
    line_begin(t, indent + 4);
    str_add(t->out, "}\n");
    line_begin(t, indent);
    str_add(t->out, "}\n");
}

/* A region without a proof: loops over its axes, on the host. */
static void print_serial(struct plan_text *t, struct plan_step *step, int indent)
{
    struct plan_region *r = &step->region;
    int inner = indent + 4 * (r->n_axes ? r->n_axes : 1);
    printed_list list = {0};
    region_enter(t, step);
    for (int i = 0; i < r->n_axes; i++) {
        line_begin(t, indent + 4 * i);
        str_addf(t->out, "%s%s", points_text(t, &r->axes[i]), i + 1 < r->n_axes ? "\n" : " ");
    }
    line_begin(t, r->n_axes ? 0 : indent);
    str_add(t->out, "{\n");
    print_follower(t, inner);
    scalars_print(t, &list);
    nodes_print(t, t->scop->root, &list);
    printed_layout(t->out, &list, inner);
    line_begin(t, inner - 4);
    str_add(t->out, "}\n");
    region_leave(t);
}

/* "int i_first = 1, i_last = n;", and then where the diagonal begins later or ends before. */
static void print_ends(struct plan_text *t, const struct plan_diagonal *diagonal, int indent)
{
    for (int i = 0; i < diagonal->n_ends; i++) {
        const struct scop_loop *name = diagonal->ends[i].name;
        bool same = i > 0 && !strcmp(name->type, diagonal->ends[i - 1].name->type);
        if (!same)
            line_begin(t, indent);
        str_addf(t->out, "%s %s = %s", same ? "," : name->type, name->name,
                 sum_text(t, &diagonal->ends[i].box, 0));
        bool more = i + 1 < diagonal->n_ends &&
                    !strcmp(name->type, diagonal->ends[i + 1].name->type);
        str_add(t->out, more ? "" : ";\n");
    }
    for (int i = 0; i < diagonal->n_ends; i++) {
        const struct plan_end *end = &diagonal->ends[i];
        const char *text = sum_text(t, &end->bound, 0);
        if (end->divisor > 1)
            text = arena_printf(t->arena, "(%s) / %" PRId64, text, end->divisor);
        line_begin(t, indent);
        str_addf(t->out, "if (%s %s %s)\n", end->name->name, end->upper ? ">" : "<", text);
        line_begin(t, indent + 4);
        str_addf(t->out, "%s = %s;\n", end->name->name, text);
    }
}

static void loop_rename(struct plan_text *t, struct scop_loop *loop, const char *name)
{
    loop->name = name;
    t->scop->symbols.at[loop->symbol].text = name;
}

/* The ends of a diagonal's axes get names; axes may run loops that the source calls alike. */
static void ends_rename(struct plan_text *t, struct plan_diagonal *diagonal)
{
    for (int i = 0; i < diagonal->n_ends; i++) {
        const struct plan_end *end = &diagonal->ends[i];
        bool is_taken = false;
        for (int k = 0; k < i; k++)
            is_taken |= !strcmp(diagonal->ends[k].base, end->base);
        loop_rename(t, end->name, is_taken ? words_fresh(t->words, end->base, 2)
                                           : words_local(t->words, end->base));
    }
}

/* The host loop over the values of a sum of iterators, its region with the axes of the diagonal. */
static void print_wave(struct plan_text *t, const struct plan_step *step, int indent)
{
    struct plan_region *r = &step->body.at[0]->region;
    struct plan_diagonal *diagonal = r->diagonal;
    struct plan_axis box[THREAD_AXES_MAX];
    loop_rename(t, diagonal->sum, words_local(t->words, "w"));
    t->wave = diagonal->sum->name;
    ends_rename(t, diagonal);
    memcpy(box, r->axes, sizeof box);
    memcpy(r->axes, diagonal->axes, sizeof box);
    line_begin(t, indent);
    str_addf(t->out, "for (%s %s = %s; %s; %s++) {\n", r->follows->type, t->wave,
             sum_text(t, &step->lower, 0), limit_text(t, t->wave, &step->upper, true), t->wave);
    print_ends(t, diagonal, indent + 4);
    print_steps(t, &step->body, indent + 4);
    memcpy(r->axes, box, sizeof box);
    line_begin(t, indent);
    str_add(t->out, "}\n");
}

void print_steps(struct plan_text *t, const plan_list *steps, int indent)
{
    for (size_t i = 0; i < steps->count; i++) {
        struct plan_step *step = steps->at[i];
        if (step->kind == PLAN_REGION && step->region.is_serial) {
            print_serial(t, step, indent);
        } else if (step->kind == PLAN_REGION && step->region.is_strip) {
            print_strip(t, step, indent);
        } else if (step->kind == PLAN_REGION) {
            print_region(t, step, indent);
        } else if (step->kind == PLAN_CHAIN && !step->region.is_serial) {
            print_chain(t, step, indent);
        } else if (step->kind == PLAN_CHAIN) {
            print_steps(t, &step->body, indent);
        } else if (step->kind == PLAN_WAVE) {
            print_wave(t, step, indent);
        } else if (step->kind == PLAN_HOST) {
            printed_list list = {0};
            leaf_print(t, step->unit->stmts.at[0]->node, &list);
            printed_layout(t->out, &list, indent);
        } else {
            line_begin(t, indent);
            str_addf(t->out, "%s {\n", header_text(t, step->loop));
            print_steps(t, &step->body, indent + 4);
            line_begin(t, indent);
            str_add(t->out, "}\n");
        }
    }
}

/* Arrays of one element in place of scalars that carry values. */
static void print_carried(struct plan_text *t, struct str *out, int indent)
{
    for (size_t i = 0; i < t->scop->arrays.count; i++) {
        const struct scop_array *scalar = t->scop->arrays.at[i];
        if (!scalar->is_carried)
            continue;
        const char *name = words_fresh(t->words, arena_printf(t->arena, "%s_", scalar->name), 0);
        map_put_pointer(t->carried, scalar->decl, arena_printf(t->arena, "%s[0]", name));
        str_indent(out, indent);
        str_addf(out, "%s %s[1]", scalar->decl->type->canonical, name);
        if (scalar->is_live_in)
            str_addf(out, " = {%s}",
                     variable_is_unset(t->scop, scalar->decl) ? "0" : scalar->name);
        str_add(out, ";\n");
    }
}

static void print_carried_values(struct plan_text *t, struct str *out, int indent)
{
    for (size_t i = 0; i < t->scop->arrays.count; i++) {
        const struct scop_array *scalar = t->scop->arrays.at[i];
        if (!scalar->is_carried || !scalar->is_live_out)
            continue;
        str_indent(out, indent);
        str_addf(out, "%s = %s;\n", scalar->name,
                 (const char *)map_get_pointer(t->carried, scalar->decl));
    }
}

void schedule_print(struct str *out, struct schedule *plan, struct word_list *words, int indent)
{
    struct str steps = str_new(out->arena);
    struct plan_text t = {.arena = out->arena,
                          .out = &steps,
                          .scop = plan->scop,
                          .words = words,
                          .plan = plan};
    t.carried = map_new(out->arena);
    t.privates = map_new(out->arena);
    print_carried(&t, out, indent);
    print_steps(&t, &plan->steps, indent);
    print_carried_values(&t, &steps, indent);
    str_indent(out, t.tunables.count ? indent : 0);
    for (size_t i = 0; i < t.tunables.count; i++)
        str_addf(out, "%s%s = meta_tunable(%" PRId64 ")", i ? ", " : "const int ",
                 t.tunables.at[i].name, t.tunables.at[i].extent);
    str_add(out, t.tunables.count ? ";\n" : "");
    str_add(out, steps.text);
}

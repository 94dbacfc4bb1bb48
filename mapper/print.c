/* A plan as MetaFork C.

   In: the schedule of a fragment. Out: host loops, and regions whose threads are the source's
   statements in the source's order, below conditions in place of the loops that became axes. What
   stands in a thread is the source's own text. */
#include "mapper/names.h"
#include <inttypes.h>
#include <string.h>

struct tunable_name {
    int place;                       /* of the axis, from x on */
    int64_t extent;
    const char *name;
};

struct plan_text {
    struct arena *arena;
    struct str *out;
    const struct scop *scop;
    struct word_list *words;
    VEC(struct tunable_name) tunables;
    const struct plan_region *region;   /* being printed */
    int depth;                       /* host loops around it */
};

static void line_begin(struct plan_text *t, int indent)
{
    str_indent(t->out, indent);
}

/* The sum without outer signs that a factor would need, plus a constant. */
static const char *sum_text(struct plan_text *t, const struct affine *a, int64_t plus)
{
    struct affine sum = *a, constant = affine_constant(plus);
    affine_add(&sum, &constant, 1);
    return affine_text(t->scop, &sum);
}

/* "i < n" for a limit of n - 1, "i <= n" for one of n; downwards "i > 0" or "i >= n". */
static const char *limit_text(struct plan_text *t, const char *name, const struct affine *limit,
                              bool upper)
{
    bool strict = upper ? limit->constant < 0 : limit->constant > 0;
    const char *relation = upper ? (strict ? "<" : "<=") : (strict ? ">" : ">=");
    return arena_printf(t->arena, "%s %s %s", name, relation,
                        sum_text(t, limit, strict ? (upper ? 1 : -1) : 0));
}

static const char *header_text(struct plan_text *t, const struct scop_loop *loop)
{
    struct str out = str_new(t->arena);
    str_addf(&out, "for (%s %s = %s; ", loop->type, loop->name, sum_text(t, &loop->start, 0));
    for (int i = 0; i < loop->n_limits; i++)
        str_addf(&out, "%s%s", i ? " && " : "",
                 limit_text(t, loop->name, &loop->limits[i], loop->step > 0));
    if (loop->step == 1 || loop->step == -1)
        str_addf(&out, "; %s%s)", loop->name, loop->step > 0 ? "++" : "--");
    else
        str_addf(&out, "; %s %s %" PRId64 ")", loop->name, loop->step > 0 ? "+=" : "-=",
                 loop->step > 0 ? loop->step : -loop->step);
    return out.text;
}

/* --- threads ---------------------------------------------------------------------------------- */

static const struct plan_member *stmt_member(const struct plan_text *t,
                                             const struct scop_stmt *stmt)
{
    for (size_t i = 0; i < t->region->members.count; i++)
        if (t->region->members.at[i].unit == stmt->unit)
            return &t->region->members.at[i];
    return NULL;
}

/* A statement of the region at or below the node; NULL if there is none. */
static const struct scop_stmt *any_stmt(const struct plan_text *t, const struct scop_node *node)
{
    if (!node)
        return NULL;
    if (node->stmt)
        return stmt_member(t, node->stmt) ? node->stmt : NULL;
    const struct scop_stmt *found = NULL;
    for (int i = 0; i < node->n_children && !found; i++)
        found = any_stmt(t, node->children[i]);
    return found;
}

/* The axis that the loop is; -1: a loop of the threads. */
static int axis_of(const struct plan_text *t, const struct scop_node *node)
{
    const struct scop_stmt *stmt = any_stmt(t, node);
    const struct plan_member *member = stmt ? stmt_member(t, stmt) : NULL;
    for (int axis = 0; member && axis < t->region->n_axes; axis++)
        if (member->axes[axis] == node->loop->depth)
            return axis;
    return -1;
}

/* What keeps the axis within the loop, as far as the box does not; "" if nothing is needed. */
static const char *guard_text(struct plan_text *t, const struct scop_loop *loop,
                              const struct plan_axis *axis)
{
    struct str out = str_new(t->arena);
    bool up = loop->step > 0;
    if (!affine_equal(&loop->start, up ? &axis->lower : &axis->upper))
        str_add(&out, limit_text(t, axis->name, &loop->start, !up));
    for (int i = 0; i < loop->n_limits; i++)
        if (!affine_equal(&loop->limits[i], up ? &axis->upper : &axis->lower))
            str_addf(&out, "%s%s", out.length ? " && " : "",
                     limit_text(t, axis->name, &loop->limits[i], up));
    return out.text;
}

static const char *alias_text(struct plan_text *t, const struct scop_loop *loop,
                              const struct plan_axis *axis)
{
    return strcmp(axis->name, loop->name) == 0
               ? NULL
               : arena_printf(t->arena, "%s %s = %s;", loop->type, loop->name, axis->name);
}

/* Is something declared in the block that statements behind it might call otherwise? */
static bool has_scope(const struct plan_text *t, const struct scop_node *node)
{
    bool inner = node->parent && node->parent->kind == SCOP_BLOCK;
    for (int i = 0; i < node->n_children && inner; i++)
        if (node->children[i]->stmt && node->children[i]->ast->kind == AST_DECLARE &&
            any_stmt(t, node->children[i]))
            return true;
    return false;
}

/* Statements that the node prints as; a declaration is no statement of C and counts as two. */
static int statements_count(struct plan_text *t, const struct scop_node *node)
{
    int count = 0;
    if (!any_stmt(t, node))
        return 0;
    if (node->kind == SCOP_LEAF)
        return node->ast->kind == AST_DECLARE ? 2 : 1;
    if (node->kind == SCOP_IF || (node->kind == SCOP_BLOCK && has_scope(t, node)))
        return 1;
    if (node->kind == SCOP_LOOP && node->loop->depth >= t->depth) {
        int axis = axis_of(t, node);
        bool vanishes = axis >= 0 && !*guard_text(t, node->loop, &t->region->axes[axis]) &&
                        !alias_text(t, node->loop, &t->region->axes[axis]);
        if (!vanishes)
            return 1;
    }
    for (int i = 0; i < node->n_children; i++)
        count += statements_count(t, node->children[i]);
    return count;
}

static void print_nodes(struct plan_text *t, const struct scop_node *node, int indent);

/* The statements of a body behind what stands in the line; `alias`: a declaration before them. */
static void print_body(struct plan_text *t, const struct scop_node *body, const char *alias,
                       bool braces, int indent)
{
    braces = braces || alias || statements_count(t, body) != 1;
    str_add(t->out, braces ? " {\n" : "\n");
    if (alias) {
        line_begin(t, indent + 4);
        str_addf(t->out, "%s\n", alias);
    }
    print_nodes(t, body, indent + 4);
    if (braces) {
        line_begin(t, indent);
        str_add(t->out, "}\n");
    }
}

static void print_leaf(struct plan_text *t, const struct scop_node *node, int indent)
{
    const struct ast *ast = node->ast;
    const char *text = t->scop->unit->source->text + ast->begin;
    size_t length = ast->end - ast->begin;
    bool ends = length && (text[length - 1] == ';' || text[length - 1] == '}');
    if (ast->kind == AST_IF && length && text[length - 1] != '}')
        ends = false;
    line_begin(t, indent);
    str_addf(t->out, "%.*s%s\n", (int)length, text, ends ? "" : ";");
}

static void print_axis_loop(struct plan_text *t, const struct scop_node *node, int number,
                            int indent)
{
    const struct plan_axis *axis = &t->region->axes[number];
    const char *guard = guard_text(t, node->loop, axis), *alias = alias_text(t, node->loop, axis);
    if (!*guard && !alias) {
        print_nodes(t, node->children[0], indent);
        return;
    }
    line_begin(t, indent);
    if (*guard)
        str_addf(t->out, "if (%s)", guard);
    print_body(t, node->children[0], alias, !*guard, indent);
}

static void print_if(struct plan_text *t, const struct scop_node *node, int indent)
{
    const struct ast *condition = node->ast->children[0];
    bool first = any_stmt(t, node->children[0]) != NULL;
    bool second = any_stmt(t, node->children[1]) != NULL;
    line_begin(t, indent);
    str_addf(t->out, first ? "if (%.*s)" : "if (!(%.*s))",
             (int)(condition->end - condition->begin),
             t->scop->unit->source->text + condition->begin);
    print_body(t, node->children[first ? 0 : 1], NULL, first && second, indent);
    if (!first || !second)
        return;
    line_begin(t, indent);
    str_add(t->out, "else");
    print_body(t, node->children[1], NULL, false, indent);
}

static void print_node(struct plan_text *t, const struct scop_node *node, int indent)
{
    int axis = node->kind == SCOP_LOOP ? axis_of(t, node) : -1;
    if (node->kind == SCOP_LEAF) {
        print_leaf(t, node, indent);
    } else if (node->kind == SCOP_IF) {
        print_if(t, node, indent);
    } else if (node->kind == SCOP_BLOCK) {
        print_nodes(t, node, indent);
    } else if (node->loop->depth < t->depth) {
        print_nodes(t, node->children[0], indent);
    } else if (axis >= 0) {
        print_axis_loop(t, node, axis, indent);
    } else {
        line_begin(t, indent);
        str_add(t->out, header_text(t, node->loop));
        print_body(t, node->children[0], NULL, false, indent);
    }
}

static void print_nodes(struct plan_text *t, const struct scop_node *node, int indent)
{
    if (node->kind != SCOP_BLOCK) {
        print_node(t, node, indent);
        return;
    }
    bool braces = has_scope(t, node);
    if (braces) {
        line_begin(t, indent);
        str_add(t->out, "{\n");
    }
    for (int i = 0; i < node->n_children; i++)
        if (any_stmt(t, node->children[i]))
            print_node(t, node->children[i], indent + (braces ? 4 : 0));
    if (braces) {
        line_begin(t, indent);
        str_add(t->out, "}\n");
    }
}

/* --- regions ---------------------------------------------------------------------------------- */

static const char *tunable_name(struct plan_text *t, int place, int64_t extent)
{
    for (size_t i = 0; i < t->tunables.count; i++)
        if (t->tunables.at[i].place == place && t->tunables.at[i].extent == extent)
            return t->tunables.at[i].name;
    struct tunable_name name = {place, extent, words_fresh(t->words, "B", 0)};
    vec_push(t->arena, &t->tunables, name);
    return name.name;
}

/* "(n + B0 - 1) / B0": blocks that hold upper - lower + 1 points. */
static const char *grid_text(struct plan_text *t, const struct plan_axis *axis, const char *block)
{
    struct affine points = axis->upper;
    affine_add(&points, &axis->lower, -1);
    return arena_printf(t->arena, "(%s + %s - 1) / %s", sum_text(t, &points, 1), block, block);
}

static const char *start_text(struct plan_text *t, const struct plan_axis *axis)
{
    if (!axis->lower.n_terms && !axis->lower.constant)
        return "";
    return arena_printf(t->arena, "%s + ", sum_text(t, &axis->lower, 0));
}

static bool declares(const struct plan_text *t, const struct ast *decl)
{
    for (size_t i = 0; i < t->scop->stmts.count; i++) {
        const struct scop_stmt *stmt = t->scop->stmts.at[i];
        bool own = stmt->ast->kind == AST_DECLARE && stmt_member(t, stmt);
        for (int k = 0; own && k < stmt->ast->n_children; k++)
            if (stmt->ast->children[k] == decl)
                return true;
    }
    return false;
}

static bool uses(const struct plan_text *t, const struct scop_array *scalar)
{
    for (size_t i = 0; i < t->scop->stmts.count; i++) {
        const struct scop_stmt *stmt = t->scop->stmts.at[i];
        for (size_t k = 0; stmt_member(t, stmt) && k < stmt->accesses.count; k++)
            if (stmt->accesses.at[k].array == scalar)
                return true;
    }
    return false;
}

/* Private scalars that no statement of the region declares. */
static void print_scalars(struct plan_text *t, int indent)
{
    for (size_t i = 0; i < t->scop->arrays.count; i++) {
        const struct scop_array *scalar = t->scop->arrays.at[i];
        if (!scalar->is_private || !uses(t, scalar) || declares(t, scalar->decl))
            continue;
        line_begin(t, indent);
        str_addf(t->out, "%s %s;\n", scalar->decl->type->canonical, scalar->name);
    }
}

struct axis_names {
    const char *grid, *thread, *block;
};

static void print_heads(struct plan_text *t, const struct axis_names *names, int indent)
{
    const struct plan_region *r = t->region;
    int n = r->n_axes ? r->n_axes : 1;
    for (int i = 0; i < 2 * n; i++) {
        const struct axis_names *own = &names[i % n];
        const struct plan_axis *axis = &r->axes[i % n];
        const char *extent = i < n ? "1" : own->block;
        const char *iterator = i < n ? own->grid : own->thread;
        const char *type = r->n_axes ? axis->type : "int";
        if (i < n && r->n_axes)
            extent = grid_text(t, axis, own->block);
        line_begin(t, indent + 4 + 4 * i);
        str_addf(t->out, "meta_for (%s %s = 0; %s < %s; %s++)%s\n", type, iterator, iterator,
                 extent, iterator, i == 2 * n - 1 ? " {" : "");
    }
}

/* The iterators of the axes from those of blocks and threads, and what keeps them in the box. */
static void print_iterators(struct plan_text *t, const struct axis_names *names, int indent)
{
    const struct plan_region *r = t->region;
    for (int i = 0; i < r->n_axes; i++) {
        bool same = i > 0 && !strcmp(r->axes[i].type, r->axes[i - 1].type);
        if (!same)
            line_begin(t, indent);
        str_addf(t->out, "%s %s = %s%s * %s + %s", same ? "," : r->axes[i].type, r->axes[i].name,
                 start_text(t, &r->axes[i]), names[i].grid, names[i].block, names[i].thread);
        bool more = i + 1 < r->n_axes && !strcmp(r->axes[i].type, r->axes[i + 1].type);
        str_add(t->out, more ? "" : ";\n");
    }
    print_scalars(t, indent);
    if (!r->n_axes)
        return;
    line_begin(t, indent);
    str_add(t->out, "if (");
    for (int i = 0; i < r->n_axes; i++)
        str_addf(t->out, "%s%s", i ? " && " : "",
                 limit_text(t, r->axes[i].name, &r->axes[i].upper, true));
    str_add(t->out, ")");
}

static void print_region(struct plan_text *t, struct plan_step *step, int indent)
{
    struct plan_region *r = &step->region;
    struct axis_names names[AXES_MAX] = {
        {words_local(t->words, "b"), words_local(t->words, "t"), "1"}};
    t->region = r;
    t->depth = step->depth;
    region_names(t->words, r);
    for (int i = 0; i < r->n_axes; i++) {
        names[i].block = tunable_name(t, r->n_axes - 1 - i, r->axes[i].extent);
        names[i].grid = words_local(t->words, arena_printf(t->arena, "b%s", r->axes[i].name));
        names[i].thread = words_local(t->words, arena_printf(t->arena, "t%s", r->axes[i].name));
    }
    line_begin(t, indent);
    str_add(t->out, "meta_schedule {\n");
    print_heads(t, names, indent);
    int inner = indent + 4 + 8 * (r->n_axes ? r->n_axes : 1);
    print_iterators(t, names, inner);
    if (r->n_axes)
        print_body(t, t->scop->root, NULL, false, inner);
    else
        print_nodes(t, t->scop->root, inner);
    line_begin(t, inner - 4);
    str_add(t->out, "}\n");
    line_begin(t, indent);
    str_add(t->out, "}\n");
}

static void print_steps(struct plan_text *t, const plan_list *steps, int indent)
{
    for (size_t i = 0; i < steps->count; i++) {
        struct plan_step *step = steps->at[i];
        if (step->kind == PLAN_REGION) {
            print_region(t, step, indent);
        } else if (step->kind == PLAN_HOST) {
            print_leaf(t, step->unit->stmts.at[0]->node, indent);
        } else {
            line_begin(t, indent);
            str_addf(t->out, "%s {\n", header_text(t, step->loop));
            print_steps(t, &step->body, indent + 4);
            line_begin(t, indent);
            str_add(t->out, "}\n");
        }
    }
}

void schedule_print(struct str *out, const struct plan *plan, struct word_list *words, int indent)
{
    struct str steps = str_new(out->arena);
    struct plan_text t = {.arena = out->arena, .out = &steps, .scop = plan->scop, .words = words};
    print_steps(&t, &plan->steps, indent);
    str_indent(out, indent);
    for (size_t i = 0; i < t.tunables.count; i++)
        str_addf(out, "%s%s = meta_tunable(%" PRId64 ")", i ? ", " : "const int ",
                 t.tunables.at[i].name, t.tunables.at[i].extent);
    str_add(out, t.tunables.count ? ";\n" : "");
    str_add(out, steps.text);
}

/* The statements of one thread, or of the host, as C.

   In: the nodes of a fragment and the region that is printed. Out: the region's statements in the
   source's order, below conditions in place of the loops that became axes. The text of statements
   is the source's own, iterators under the names of their axes. */
#include "mapper/print.h"
#include <inttypes.h>
#include <string.h>

void line_begin(struct plan_text *t, int indent)
{
    str_indent(t->out, indent);
}

const char *sum_text(struct plan_text *t, const struct affine *a, int64_t plus)
{
    struct affine sum = *a, constant = affine_constant(plus);
    affine_add(&sum, &constant, 1);
    return affine_text(t->scop, &sum);
}

const char *limit_text(struct plan_text *t, const char *name, const struct affine *limit,
                       bool upper)
{
    bool strict = upper ? limit->constant < 0 : limit->constant > 0;
    const char *relation = upper ? (strict ? "<" : "<=") : (strict ? ">" : ">=");
    return arena_printf(t->arena, "%s %s %s", name, relation,
                        sum_text(t, limit, strict ? (upper ? 1 : -1) : 0));
}

const char *header_text(struct plan_text *t, const struct scop_loop *loop)
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

/* --- the source's text ------------------------------------------------------------------------ */

/* The axis's name where a loop of the region became one that is called otherwise, the element where
   a scalar became an array; else NULL. */
static const char *new_name(const struct plan_text *t, const struct ast *iterator)
{
    const char *element = map_get_pointer(t->carried, iterator);
    if (element)
        return element;
    for (size_t i = 0; t->region && i < t->region->members.count; i++) {
        const struct plan_member *member = &t->region->members.at[i];
        for (int axis = 0; axis < t->region->n_axes; axis++) {
            const struct scop_loop *loop = member->unit->loops[member->axes[axis]];
            if (loop->iterator == iterator && strcmp(loop->name, t->region->axes[axis].name) != 0)
                return t->region->axes[axis].name;
        }
    }
    return NULL;
}

typedef VEC(const struct ast *) ref_list;

/* Names to be replaced below a node, by place. */
static void refs_find(struct plan_text *t, const struct ast *ast, ref_list *refs)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, t->arena, ast); n; n = ast_next(&walk)) {
        if (n->kind != AST_REF || n->is_macro || !new_name(t, n->decl))
            continue;
        vec_push(t->arena, refs, n);
        for (size_t i = refs->count - 1; i > 0 && refs->at[i - 1]->begin > n->begin; i--) {
            refs->at[i] = refs->at[i - 1];
            refs->at[i - 1] = n;
        }
    }
}

/* The text of a node of the source, iterators under the names of their axes. */
static const char *source_text(struct plan_text *t, const struct ast *ast)
{
    const char *text = t->scop->unit->source->text;
    struct str out = str_new(t->arena);
    ref_list refs = {0};
    size_t at = ast->begin;
    refs_find(t, ast, &refs);
    for (size_t i = 0; i < refs.count; i++) {
        str_add_n(&out, text + at, refs.at[i]->begin - at);
        str_add(&out, new_name(t, refs.at[i]->decl));
        at = refs.at[i]->end;
    }
    str_add_n(&out, text + at, ast->end - at);
    return out.text;
}

/* --- threads ---------------------------------------------------------------------------------- */

const struct plan_member *stmt_member(const struct plan_text *t, const struct scop_stmt *stmt)
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
    if (!member)
        return -1;
    for (int axis = 0; axis < t->region->n_axes; axis++)
        if (member->axes[axis] == node->loop->depth)
            return axis;
    return -1;
}

/* What keeps the axis within the loop, as far as the box does not; "" if nothing is needed. Without
   an axis: what keeps the iterator of the loop that follows from a wavefront. */
static const char *guard_text(struct plan_text *t, const struct scop_loop *loop,
                              const struct plan_axis *axis)
{
    struct str out = str_new(t->arena);
    const char *name = axis ? axis->name : loop->name;
    bool up = loop->step > 0;
    if (!axis || !affine_equal(&loop->start, up ? &axis->lower : &axis->upper))
        str_add(&out, limit_text(t, name, &loop->start, !up));
    for (int i = 0; i < loop->n_limits; i++)
        if (!axis || !affine_equal(&loop->limits[i], up ? &axis->upper : &axis->lower))
            str_addf(&out, "%s%s", out.length ? " && " : "",
                     limit_text(t, name, &loop->limits[i], up));
    return out.text;
}

/* Is the iterator named inside a macro, where it cannot get another name? */
static bool is_in_macro(struct plan_text *t, const struct scop_loop *loop)
{
    struct ast_walk walk;
    const struct ast *body = loop->ast->children[3];
    for (const struct ast *n = ast_first(&walk, t->arena, body); n; n = ast_next(&walk))
        if (n->kind == AST_REF && n->decl == loop->iterator && n->is_macro)
            return true;
    return false;
}

/* The declaration that gives an axis the loop's own name, too; NULL where none is needed. */
static const char *alias_text(struct plan_text *t, const struct scop_loop *loop,
                              const struct plan_axis *axis)
{
    return strcmp(axis->name, loop->name) == 0 || !is_in_macro(t, loop)
               ? NULL
               : arena_printf(t->arena, "%s %s = %s;", loop->type, loop->name, axis->name);
}

/* Is something declared in the block that statements behind it might call otherwise? */
static bool has_scope(const struct plan_text *t, const struct scop_node *node)
{
    if (!node->parent || node->parent->kind != SCOP_BLOCK)
        return false;
    for (int i = 0; i < node->n_children; i++)
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

void print_body(struct plan_text *t, const struct scop_node *body, const char *alias, bool braces,
                int indent)
{
    struct str inner = str_new(t->arena), *out = t->out;
    t->out = &inner;
    print_nodes(t, body, indent + 4);
    t->out = out;
    bool is_if = !strncmp(inner.text + strspn(inner.text, " "), "if (", 4);
    braces = braces || alias || is_if || statements_count(t, body) != 1;
    bool alone = !t->out->length || t->out->text[t->out->length - 1] == ' ';
    str_add(t->out, braces ? (alone ? "{\n" : " {\n") : "\n");
    if (alias) {
        line_begin(t, indent + 4);
        str_addf(t->out, "%s\n", alias);
    }
    str_add(t->out, inner.text);
    if (braces) {
        line_begin(t, indent);
        str_add(t->out, "}\n");
    }
}

/* Blanks before a node's first line in the source. */
static int column_of(const struct plan_text *t, const struct ast *ast)
{
    const char *text = t->scop->unit->source->text;
    size_t line = ast->begin;
    while (line > 0 && text[line - 1] != '\n')
        line--;
    return (int)strspn(text + line, " ");
}

/* Text whose further lines move by `columns`. */
static void print_shifted(struct plan_text *t, const char *text, int columns)
{
    for (const char *at = text; *at; at++) {
        str_char(t->out, *at);
        if (*at != '\n')
            continue;
        int blanks = (int)strspn(at + 1, " ");
        str_indent(t->out, blanks + columns > 0 ? blanks + columns : 0);
        at += blanks;
    }
}

void print_leaf(struct plan_text *t, const struct scop_node *node, int indent)
{
    const struct ast *ast = node->ast;
    const char *text = source_text(t, ast);
    size_t length = strlen(text);
    bool ends = length && (text[length - 1] == ';' || text[length - 1] == '}');
    if (ast->kind == AST_IF && length && text[length - 1] != '}')
        ends = false;
    line_begin(t, indent);
    print_shifted(t, text, indent - column_of(t, ast));
    str_add(t->out, ends ? "\n" : ";\n");
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
    str_addf(t->out, first ? "if (%s)" : "if (!(%s))", source_text(t, condition));
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
    } else if (node->loop == t->region->follows) {
        line_begin(t, indent);
        str_addf(t->out, "if (%s)", guard_text(t, node->loop, NULL));
        print_body(t, node->children[0], NULL, false, indent);
    } else {
        line_begin(t, indent);
        str_add(t->out, header_text(t, node->loop));
        print_body(t, node->children[0], NULL, false, indent);
    }
}

void print_nodes(struct plan_text *t, const struct scop_node *node, int indent)
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

/* The statements of one thread, or of the host, as C.

   In: the nodes of a fragment and the region that is printed. Out: the region's statements in the
   source's order, below conditions in place of the loops that became axes. The text of statements
   is the source's own, iterators under the names of their axes (text.c). */
#include "frontend/ask.h"
#include "frontend/text.h"
#include "mapper/plan/box.h"
#include "mapper/plan/change.h"
#include "mapper/print/print.h"
#include <string.h>

const struct scop_loop *loop_around(const struct scop_node *node)
{
    while (node->parent && node->parent->kind != SCOP_LOOP)
        node = node->parent;
    return node->parent ? node->parent->loop : NULL;
}

/* --- threads ---------------------------------------------------------------------------------- */

const struct plan_member *stmt_member(const struct plan_text *t, const struct scop_stmt *stmt)
{
    for (size_t i = 0; i < t->region->members.count; i++)
        if (t->region->members.at[i].unit == stmt->unit &&
            member_is_in(&t->region->members.at[i], t->part))
            return &t->region->members.at[i];
    return NULL;
}

/* A thread runs one iteration of each of the two loops. Do they hold the same statements, under two
   conditions one of which always holds? */
static bool are_complements(struct plan_text *t, const struct scop_node *a,
                            const struct scop_node *b)
{
    struct fixed_loop first, second;
    if (a->kind != SCOP_LOOP || b->kind != SCOP_LOOP || a->loop->depth < t->depth)
        return false;
    first = fixed_loop_of(t, a);
    second = fixed_loop_of(t, b);
    if (first.guards.count != 1 || second.guards.count != 1 || !first.guards.at[0].is_exact ||
        !second.guards.at[0].is_exact)
        return false;
    struct affine sum = first.guards.at[0].form, never = affine_constant(-1);
    return affine_add(&sum, &second.guards.at[0].form, 1) && affine_equal(&sum, &never) &&
           nodes_agree(t, a->children[0], b->children[0]);
}

/* The child of a block behind `at` that has statements of the region; n_children if none has. */
static int child_behind(const struct plan_text *t, const struct scop_node *block, int at)
{
    int next = at + 1;
    while (next < block->n_children && !any_stmt(t, block->children[next]))
        next++;
    return next;
}

/* The child of a block behind `at` if the children's conditions are complements; otherwise 0. */
static int complement_of(struct plan_text *t, const struct scop_node *block, int at)
{
    int next = child_behind(t, block, at);
    if (next >= block->n_children || !any_stmt(t, block->children[at]) ||
        !are_complements(t, block->children[at], block->children[next]))
        return 0;
    return next;
}

/* --- statements ------------------------------------------------------------------------------- */

/* Blanks before a node's first line in the source. */
static int node_column(const struct plan_text *t, const struct ast *ast)
{
    const char *text = t->scop->unit->source->text;
    size_t line = ast->begin;
    while (line > 0 && text[line - 1] != '\n')
        line--;
    return (int)strspn(text + line, " ");
}

static bool is_declaration(const struct plan_text *t, const struct scop_node *node)
{
    return node->kind == SCOP_NAMES || (node->stmt && node->ast->kind == AST_DECLARE &&
                                        !memory_meant(t, node->ast->children[0]));
}

/* "sum[p]", or the same of memory of its own. */
static const char *element_text(const struct plan_text *t, const struct scop_access *access)
{
    const struct scop_array *array = access->array;
    struct str out = str_new(t->arena);
    str_add(&out, array->memory ? array->memory->name : array->name);
    for (int i = 0; i < array->n_dims; i++)
        str_addf(&out, "[%s]", affine_text(t->scop, &access->subscripts[i]));
    return out.text;
}

/* A statement as it is printed: of the source, a declaration whose variable became an element, or a
   copy of an element. */
static const char *leaf_text(struct plan_text *t, const struct scop_node *node)
{
    if (node->is_copy)
        return arena_printf(t->arena, "%s = %s", element_text(t, &node->stmt->accesses.at[1]),
                            element_text(t, &node->stmt->accesses.at[0]));
    const struct ast *ast = node->ast;
    bool declares = ast->kind == AST_DECLARE;
    const struct scop_memory *memory = declares ? memory_meant(t, ast->children[0]) : NULL;
    if (memory)
        return arena_printf(t->arena, "%s = %s", memory_text(t->scop, memory),
                            source_text(t, loop_around(node), ast->children[0]->children[0]));
    return source_text(t, loop_around(node), ast);
}

void leaf_print(struct plan_text *t, const struct scop_node *node, printed_list *out)
{
    const struct ast *ast = node->ast;
    bool is_assignment = node->is_copy || (ast->kind == AST_DECLARE && !is_declaration(t, node));
    bool ends = is_assignment || ast_needs_semicolon(ast);
    const char *text = arena_printf(t->arena, "%s%s", leaf_text(t, node), ends ? ";" : "");
    struct text_stmt *line = printed_add(t->arena, out, PRINTED_LINE, text);
    line->column = node_column(t, ast);
    line->is_if = ast->kind == AST_IF;
    line->is_declaration = is_declaration(t, node);
}

struct text_stmt *head_print(struct plan_text *t, printed_list *out, const char *text)
{
    return printed_add(t->arena, out, PRINTED_HEAD, text);
}

/* `if` over what a list of conditions is for. */
static struct text_stmt *print_conditions(struct plan_text *t, printed_list *out,
                                        const guard_list *guards)
{
    const char *text = arena_printf(t->arena, "if (%s)", guards_text(t, guards, false));
    struct text_stmt *head = head_print(t, out, text);
    head->is_if = true;
    return head;
}

/* A loop of which a thread runs one iteration. */
static void print_fixed_loop(struct plan_text *t, const struct scop_node *node,
                             const struct fixed_loop *fixed, printed_list *out)
{
    if (!fixed->guards.count) {
        nodes_print(t, node->children[0], out);
        return;
    }
    size_t given = guards_give(t, &fixed->guards);
    nodes_print(t, node->children[0], &print_conditions(t, out, &fixed->guards)->body);
    t->given.count = given;
}

static void print_branches(struct plan_text *t, const struct scop_node *node, printed_list *out)
{
    bool first = any_stmt(t, node->children[0]) != NULL;
    bool second = any_stmt(t, node->children[1]) != NULL;
    const struct scop_node *branch = node->children[first ? 0 : 1];
    struct guard guard = if_guard(t, node);
    if (first != second && guard_is_given(t, &guard)) {
        nodes_print(t, branch, out);
        return;
    }
    struct text_stmt *head = head_print(t, out, arena_printf(t->arena, "if (%s)", guard.text));
    head->is_if = true;
    head->has_braces = first && second;
    nodes_print(t, branch, &head->body);
    if (first && second)
        nodes_print(t, node->children[1], &head->otherwise);
}

static void print_thread_loop(struct plan_text *t, const struct scop_node *node, printed_list *out)
{
    guard_list guards = {0};
    if (node->loop->depth < t->depth) {
        nodes_print(t, node->children[0], out);
        return;
    }
    struct fixed_loop fixed = fixed_loop_of(t, node);
    if (fixed.is_fixed) {
        print_fixed_loop(t, node, &fixed, out);
        return;
    }
    node_guards(t, node, &guards);
    size_t given = guards_give(t, &guards);
    if (guards.count)
        out = &print_conditions(t, out, &guards)->body;
    const char *rest, *bounded = bounded_text(t, node->loop, &rest);
    struct text_stmt *head = head_print(t, out, bounded ? bounded : header_text(t, node->loop));
    if (bounded) {
        head->is_bare = true;
        head = head_print(t, &head->body, arena_printf(t->arena, "if (%s)", rest));
        head->is_if = true;
    }
    nodes_print(t, node->children[0], &head->body);
    t->given.count = given;
}

/* A statement, below the condition that it runs at a point of an axis if it does. */
static void print_stmt(struct plan_text *t, const struct scop_node *node, printed_list *out)
{
    guard_list guards = {0};
    point_guards(t, node, &guards);
    if (guards.count) {
        struct text_stmt *head = print_conditions(t, out, &guards);
        head->is_bare = true;
        out = &head->body;
    }
    leaf_print(t, node, out);
}

static void print_node(struct plan_text *t, const struct scop_node *node, printed_list *out)
{
    if (node->kind == SCOP_LEAF)
        print_stmt(t, node, out);
    else if (node->kind == SCOP_IF)
        print_branches(t, node, out);
    else if (node->kind == SCOP_BLOCK)
        nodes_print(t, node, out);
    else
        print_thread_loop(t, node, out);
}

/* --- names ------------------------------------------------------------------------------------ */

/* Does the text of a node speak of a variable of the declaration? */
static bool node_mentions(const struct ast *ast, const struct ast *declare)
{
    for (int i = 0; i < declare->n_children; i++)
        if (ast_mentions(ast, declare->children[i]))
            return true;
    return false;
}

static bool names_are_used(const struct plan_text *t, const struct scop_node *names);

/* Does what is printed of the node use a variable of the declaration? */
static bool uses_names(const struct plan_text *t, const struct scop_node *node,
                       const struct ast *declare)
{
    bool uses = false;
    if (!node)
        return false;
    if (node->kind == SCOP_NAMES)
        return node_mentions(node->ast, declare) && names_are_used(t, node);
    if (node->stmt)
        return stmt_member(t, node->stmt) && node_mentions(node->ast, declare);
    if (node->kind == SCOP_IF && any_stmt(t, node))
        uses = node_mentions(node->ast->children[0], declare);
    for (int i = 0; i < node->n_children && !uses; i++)
        uses = uses_names(t, node->children[i], declare);
    return uses;
}

/* Must the region declare the names? */
static bool names_are_used(const struct plan_text *t, const struct scop_node *names)
{
    const struct scop_node *block = names->parent;
    bool behind = false, used = false;
    for (int i = 0; i < block->n_children && !used; i++) {
        used = behind && uses_names(t, block->children[i], names->ast);
        behind |= block->children[i] == names;
    }
    return used;
}

/* --- lists ------------------------------------------------------------------------------------ */

/* Children of a block from `first` on, before `end`. */
struct node_run {
    const struct scop_node *block;
    int first, end;
};

/* The longest run from `first` on whose statements share conditions; a single child if the next
   child shares no condition. */
static struct node_run run_from(struct plan_text *t, const struct node_run *all, int first,
                                guard_list *guards)
{
    struct node_run run = {all->block, first, first + 1};
    node_guards(t, all->block->children[first], guards);
    for (int i = first + 1; i < all->end && guards->count; i++) {
        guard_list own = {0}, both = *guards;
        const struct scop_node *child = all->block->children[i];
        if (child->kind == SCOP_NAMES && names_are_used(t, child))
            break;
        if (!node_guards(t, all->block->children[i], &own))
            continue;
        guards_meet(t, &both, &own);
        if (!both.count)
            break;
        *guards = both;
        run.end = i + 1;
    }
    if (run.end == first + 1)
        guards->count = 0;
    return run;
}

static void print_run(struct plan_text *t, const struct node_run *run, printed_list *out);

/* Prints a run below the shared conditions. */
static void print_shared(struct plan_text *t, const struct node_run *run, const guard_list *guards,
                         printed_list *out)
{
    size_t given = guards_give(t, guards);
    print_run(t, run, &print_conditions(t, out, guards)->body);
    t->given.count = given;
}

static void print_run(struct plan_text *t, const struct node_run *run, printed_list *out)
{
    const struct scop_node *block = run->block;
    for (int i = run->first; i < run->end; i++) {
        guard_list guards = {0};
        const struct scop_node *child = block->children[i];
        if (child->kind == SCOP_NAMES && names_are_used(t, child))
            leaf_print(t, child, out);
        if (!any_stmt(t, child))
            continue;
        int complement = complement_of(t, block, i);
        if (complement && complement < run->end) {
            nodes_print(t, block->children[i]->children[0], out);
            i = complement;
            continue;
        }
        struct node_run shared = run_from(t, run, i, &guards);
        if (guards.count) {
            print_shared(t, &shared, &guards, out);
            i = shared.end - 1;
        } else {
            print_node(t, block->children[i], out);
        }
    }
}

static bool declares_in_thread(const struct plan_text *t, const struct scop_node *node)
{
    if (node->kind == SCOP_NAMES)
        return names_are_used(t, node);
    return is_declaration(t, node) && any_stmt(t, node);
}

/* Does a block declare a variable that is called as one of the declaration? */
static bool shares_name(const struct ast *declare, const struct scop_node *block)
{
    for (int i = 0; i < block->n_children; i++) {
        const struct ast *other = block->children[i]->ast;
        int n = other->kind == AST_DECLARE ? other->n_children : 0;
        for (int k = 0; k < n; k++)
            for (int j = 0; j < declare->n_children; j++)
                if (!strcmp(other->children[k]->name, declare->children[j]->name))
                    return true;
    }
    return false;
}

/* Is the node printed without braces of its own beside other statements? */
static bool has_siblings(struct plan_text *t, const struct scop_node *block)
{
    for (const struct scop_node *node = block; node->parent; node = node->parent) {
        const struct scop_node *parent = node->parent;
        if (parent->kind == SCOP_BLOCK) {
            int n = 0;
            for (int i = child_behind(t, parent, -1); i < parent->n_children;
                 i = child_behind(t, parent, i))
                n++;
            for (int i = 0; i < parent->n_children; i++)
                n += parent->children[i]->kind == SCOP_NAMES &&
                     shares_name(parent->children[i]->ast, block);
            if (n > 1)
                return true;
        } else if (parent->kind == SCOP_LOOP && parent->loop->depth >= t->depth) {
            struct fixed_loop fixed = fixed_loop_of(t, parent);
            if (!fixed.is_fixed)
                return false;
        }
    }
    return false;
}

/* Is something declared in the block that statements beside it might call otherwise? */
static bool has_scope(struct plan_text *t, const struct scop_node *block)
{
    bool declares = false;
    for (int i = 0; i < block->n_children && !declares; i++)
        declares = declares_in_thread(t, block->children[i]);
    return declares && has_siblings(t, block);
}

void nodes_print(struct plan_text *t, const struct scop_node *node, printed_list *out)
{
    if (t->part == PART_ALL && region_parts(t->region) > 1) {
        parts_print(t, out);
        return;
    }
    if (node->kind != SCOP_BLOCK) {
        print_node(t, node, out);
        return;
    }
    struct node_run all = {node, 0, node->n_children};
    if (has_scope(t, node))
        out = &printed_add(t->arena, out, PRINTED_BLOCK, NULL)->body;
    print_run(t, &all, out);
}

void guarded_print(struct plan_text *t, const char *head, const struct scop_node *root,
                   printed_list *out)
{
    guard_list guards = {0};
    node_guards(t, root, &guards);
    size_t given = guards_give(t, &guards);
    const char *text = arena_printf(t->arena, "if (%s%s%s)", head, guards.count ? " && " : "",
                                    guards_text(t, &guards, true));
    nodes_print(t, root, &head_print(t, out, text)->body);
    t->given.count = given;
}

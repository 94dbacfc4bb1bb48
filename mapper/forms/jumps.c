/* Blocks of loops whose statements are chosen by jumps: forward `goto` and `switch` as `if`.

   In: the body of a function. Out: `if`s in place of a `switch` each of whose cases ends with a
   jump, and blocks of loops without labels. The statements before a label are like an iteration,
   and a jump to the label like `continue` (skips.c); the first label is taken out first. A block
   changes as a whole or not at all, and only if no loop stands there: no fragment then begins or
   ends between a jump and its label. A changed block is printed statement by statement, as the
   source's text has labels between statements. */
#include "base/vec.h"
#include "frontend/ask.h"
#include "frontend/calls.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"
#include <string.h>

typedef VEC(const struct ast *) statement_list;

struct jumps {
    struct arena *arena;
    const struct ast_unit *unit;
    const struct ast *body;          /* of the function */
};

static bool is_loop(const struct ast *ast)
{
    return ast->kind == AST_FOR || ast->kind == AST_WHILE || ast->kind == AST_DO;
}

static bool is_case(const struct ast *ast)
{
    return ast->kind == AST_CASE || ast->kind == AST_DEFAULT;
}

/* Jumps or labels with the name (NULL: any) at or below a node. */
static int count_of(const struct jumps *j, const struct ast *root, enum ast_kind kind,
                    const char *name)
{
    int count = 0;
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, j->arena, root); n; n = ast_next(&walk))
        count += n->kind == kind && (!name || !n->name || !strcmp(n->name, name));
    return count;
}

/* Does no loop, mark or word of a macro's stand there, nor anything that makes or shares places to
   jump to? */
static bool is_foldable(const struct jumps *j, const struct ast *root)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, j->arena, root); n; n = ast_next(&walk)) {
        bool jumps = n->kind == AST_GOTO || n->kind == AST_LABEL || n->kind == AST_SWITCH ||
                     n->kind == AST_BREAK || is_case(n);
        if (is_loop(n) || n->kind == AST_INDIRECT_GOTO || n->kind == AST_STATEMENT_EXPR ||
            n->kind == AST_ASM || n->kind == AST_MS_ASM || n->kind == AST_SCHEDULE ||
            (jumps && n->is_macro))
            return false;
    }
    return !form_has_mark(j->unit, root);
}

static const struct ast *list_make(const struct jumps *j, const struct ast *place,
                                    const statement_list *list)
{
    struct ast *block = form_make(j->arena, AST_COMPOUND, place, NULL, (int)list->count, list->at);
    block->begin = block->end = 0;
    return block;
}

/* --- switch ----------------------------------------------------------------------------------- */

/* Statements of a `switch` with their cases. */
struct switch_arm {
    const struct ast *condition;     /* NULL of `default` alone */
    bool is_default;
    bool is_closed;                  /* its last statement jumps */
    statement_list statements;
};
typedef VEC(struct switch_arm) arm_list;

static bool is_int(const struct ast *ast)
{
    return ast->type && ast->type->class == AST_TYPE_I32 && !ast->is_part;
}

/* An integer that each reading finds the same, until something is written. */
static bool is_value(const struct jumps *j, const struct ast *value)
{
    struct ast_walk walk;
    if (!value->type || !ast_class_is_integer(value->type->class))
        return false;
    for (const struct ast *n = ast_first(&walk, j->arena, value); n; n = ast_next(&walk))
        if (change_target(n) || (n->kind == AST_CALL && !call_is_pure(n)) ||
            (n->type && n->type->is_volatile))
            return false;
    return true;
}

static const struct ast *converted(const struct jumps *j, const struct ast *ast,
                                   const struct ast_type *type)
{
    if (ast->type->class == type->class)
        return ast;
    struct ast *cast = form_make(j->arena, AST_CAST, ast, type, 1, &ast);
    cast->is_implicit = true;
    return cast;
}

/* `value == constant` as C compares them: an `int` with what the value is promoted to. */
static const struct ast *equality(const struct jumps *j, const struct ast *value,
                                  const struct ast *constant)
{
    bool is_short = value->type->bytes < 4;
    const struct ast *own = form_copy(j->arena, value);
    return form_binary(j->arena, AST_OP_EQ, constant->type, value,
                       is_short ? converted(j, own, constant->type) : own,
                       is_short ? constant : converted(j, constant, value->type));
}

/* Adds the cases at a statement to an arm; the statement behind them, NULL if one has no form. */
static const struct ast *cases_read(const struct jumps *j, const struct ast *value,
                                    const struct ast *ast, struct switch_arm *arm)
{
    while (is_case(ast)) {
        bool is_default = ast->kind == AST_DEFAULT;
        if (ast->n_children != (is_default ? 1 : 2))
            return NULL;
        arm->is_default |= is_default;
        const struct ast *constant = is_default ? NULL : ast_strip(ast->children[0]);
        if (constant && !is_int(constant))
            return NULL;
        const struct ast *equal = constant ? equality(j, value, constant) : NULL;
        if (equal && arm->condition)
            equal = form_binary(j->arena, AST_OP_LOR, constant->type, value, arm->condition, equal);
        arm->condition = equal ? equal : arm->condition;
        ast = ast->children[ast->n_children - 1];
    }
    return ast;
}

static bool leaves(const struct ast *ast)
{
    return ast->kind == AST_GOTO || ast->kind == AST_CONTINUE;
}

/* A block without its last statement, a `break`. */
static const struct ast *block_open(const struct jumps *j, const struct ast *block)
{
    statement_list list = {0};
    for (int i = 0; i + 1 < block->n_children; i++)
        vec_push(j->arena, &list, block->children[i]);
    return list_make(j, block, &list);
}

/* Adds a statement to an arm; false if it has no form there. */
static bool arm_add(const struct jumps *j, struct switch_arm *arm, const struct ast *ast)
{
    const struct ast *last = ast;
    if (arm->is_closed || ast->kind == AST_DECLARE)
        return false;
    if (ast->kind == AST_COMPOUND && ast->n_children)
        last = ast->children[ast->n_children - 1];
    arm->is_closed = last->kind == AST_BREAK || leaves(last);
    if (ast->kind == AST_BREAK || ast->kind == AST_EMPTY)
        return true;
    if (last->kind == AST_BREAK)
        ast = block_open(j, ast);
    vec_push(j->arena, &arm->statements, ast);
    return !ast_has_own_jump(ast, AST_BREAK);
}

/* The arms of a `switch`; false if one is without form. */
static bool arms_read(const struct jumps *j, const struct ast *value, const struct ast *block,
                      arm_list *arms)
{
    for (int i = 0; i < block->n_children; i++) {
        const struct ast *ast = block->children[i];
        struct switch_arm *arm = arms->count ? &arms->at[arms->count - 1] : NULL;
        if (is_case(ast) && (!arm || arm->is_closed)) {
            vec_push(j->arena, arms, (struct switch_arm){0});
            arm = &arms->at[arms->count - 1];
        }
        if (!arm || (is_case(ast) && arm->statements.count))
            return false;
        ast = cases_read(j, value, ast, arm);
        if (!ast || !arm_add(j, arm, ast))
            return false;
    }
    return arms->count > 0;
}

/* The statements of an arm as a block; one block stays. */
static const struct ast *arm_make(const struct jumps *j, const struct ast *place,
                                  const struct switch_arm *arm)
{
    const struct ast *only = arm->statements.count == 1 ? arm->statements.at[0] : NULL;
    return only && only->kind == AST_COMPOUND ? only : list_make(j, place, &arm->statements);
}

static void switch_fold(const struct jumps *j, const struct ast *ast)
{
    arm_list arms = {0};
    const struct ast *value = ast->n_children == 2 ? ast->children[0] : NULL, *other = NULL;
    const struct ast *block = value ? ast->children[1] : NULL;
    if (!block || block->kind != AST_COMPOUND || !is_value(j, value) || ast->is_macro ||
        !is_foldable(j, block) || ast_has(block, AST_SWITCH) ||
        ast_has(block, AST_LABEL) || !arms_read(j, value, block, &arms))
        return;
    for (size_t i = 0; i < arms.count; i++)
        if (arms.at[i].is_default)
            other = arm_make(j, ast, &arms.at[i]);
    for (size_t i = arms.count; i-- > 0;) {
        if (arms.at[i].is_default)
            continue;
        const struct ast *parts[] = {arms.at[i].condition, arm_make(j, ast, &arms.at[i]), other};
        other = form_make(j->arena, AST_IF, ast, NULL, other ? 3 : 2, parts);
    }
    if (!other)
        return;
    struct ast *node = form_change(ast);
    node->kind = other->kind;
    node->is_made = true;
    node->children = other->children;
    node->n_children = other->n_children;
}

/* --- goto ------------------------------------------------------------------------------------- */

/* A label in a block: the number of the statement that it stands before. */
struct block_label {
    const char *name;
    size_t at;
};
typedef VEC(struct block_label) label_list;

/* The statements of a block without labels, and these. */
static void labels_read(const struct jumps *j, const struct ast *block, statement_list *list,
                        label_list *labels)
{
    for (int i = 0; i < block->n_children; i++) {
        const struct ast *ast = block->children[i];
        for (; ast->kind == AST_LABEL && ast->n_children;
             ast = ast->children[ast->n_children - 1]) {
            struct block_label label = {ast->name, list->count};
            vec_push(j->arena, labels, label);
        }
        vec_push(j->arena, list, ast);
    }
}

/* Is no other label of that name, and do all jumps to the label stand before it in the list? */
static bool is_ahead(const struct jumps *j, const statement_list *list, struct block_label label)
{
    int inside = 0;
    for (size_t i = 0; i < label.at; i++)
        inside += count_of(j, list->at[i], AST_GOTO, label.name);
    return count_of(j, j->body, AST_LABEL, label.name) == 1 &&
           count_of(j, j->body, AST_GOTO, label.name) == inside;
}

/* Does a statement of the list from `at` on name what a statement declares? */
static bool is_named_behind(const statement_list *list, const struct ast *declare, size_t at)
{
    for (int i = 0; i < declare->n_children; i++)
        for (size_t k = at; k < list->count; k++)
            if (ast_mentions(list->at[k], declare->children[i]))
                return true;
    return false;
}

/* Does a statement from `at` on mean a variable that one before it, from `from` on, declares? */
static bool is_declared_between(const statement_list *list, size_t from, size_t at)
{
    for (size_t i = from; i < at; i++)
        if (list->at[i]->kind == AST_DECLARE && is_named_behind(list, list->at[i], at))
            return true;
    return false;
}

/* Takes the jumps to a label out of a list, by whose new length the later labels move; false if one
   has no form. */
static bool label_fold(const struct jumps *j, statement_list *list, label_list *labels,
                       size_t number)
{
    statement_list part = {0}, out = {0};
    struct block_label label = labels->at[number];
    size_t first = 0;
    while (first < label.at && !count_of(j, list->at[first], AST_GOTO, label.name))
        first++;
    if (first == label.at)
        return true;
    if (is_declared_between(list, first, label.at))
        return false;
    for (size_t i = 0; i < first; i++)
        vec_push(j->arena, &out, list->at[i]);
    for (size_t i = first; i < label.at; i++)
        vec_push(j->arena, &part, list->at[i]);
    const struct ast *made = skips_to_label(j->arena, j->unit, j->body, label.name,
                                            list_make(j, part.at[0], &part));
    if (!made || count_of(j, made, AST_GOTO, label.name))
        return false;
    for (int i = 0; i < made->n_children; i++)
        vec_push(j->arena, &out, made->children[i]);
    size_t end = out.count;
    for (size_t i = label.at; i < list->count; i++)
        vec_push(j->arena, &out, list->at[i]);
    for (size_t i = number + 1; i < labels->count; i++)
        labels->at[i].at += end - label.at;
    *list = out;
    return true;
}

static void block_fold(const struct jumps *j, const struct ast *block)
{
    statement_list list = {0}, full = {0};
    label_list labels = {0};
    labels_read(j, block, &list, &labels);
    if (!labels.count || !is_foldable(j, block) || ast_has(block, AST_SWITCH) ||
        ast_has(block, AST_CASE) || ast_has(block, AST_DEFAULT))
        return;
    for (size_t i = 0; i < labels.count; i++)
        if (!is_ahead(j, &list, labels.at[i]))
            return;
    for (size_t i = 0; i < labels.count; i++)
        if (!label_fold(j, &list, &labels, i))
            return;
    for (size_t i = 0; i < list.count; i++)
        if (list.at[i]->kind != AST_EMPTY)
            vec_push(j->arena, &full, list.at[i]);
    const struct ast *made = list_make(j, block, &full);
    struct ast *node = form_change(block);
    node->is_made = true;
    node->children = made->children;
    node->n_children = made->n_children;
}

/* Inner blocks come first: the outer ones then see `if` for `switch`. */
static void jumps_find(const struct jumps *j, const struct ast *ast, bool is_inside)
{
    for (int i = 0; i < ast->n_children; i++) {
        const struct ast *child = ast->children[i];
        if (child && !ast_is_expression(child))
            jumps_find(j, child, is_inside || is_loop(ast));
    }
    if (is_inside && ast->kind == AST_SWITCH)
        switch_fold(j, ast);
    if (is_inside && ast->kind == AST_COMPOUND)
        block_fold(j, ast);
}

/* Blanks in place of the bytes from one place to another, where a statement goes on; in the line
   before, if nothing but blanks stands in front of them in theirs. */
static void bytes_blank(char *text, size_t begin, size_t end)
{
    size_t line = begin;
    while (line > 0 && (text[line - 1] == ' ' || text[line - 1] == '\t'))
        line--;
    memset(text + begin, ' ', end - begin);
    bool moves = line > 1 && text[line - 1] == '\n' && text[line - 2] != '\\' && text[end] != '\n';
    if (!moves)
        return;
    memmove(text + end - (begin - line), text + line, begin - line);
    memset(text + line - 1, ' ', end - begin);
    text[end - (begin - line) - 1] = '\n';
}

/* Takes the text of a label, up to the statement or the end of the line, out of the source. */
static bool label_blank(const struct ast_unit *unit, const struct ast *label)
{
    char *text = (char *)unit->source->text;
    size_t end = label->begin, length = strlen(label->name);
    if (strncmp(text + end, label->name, length) != 0)
        return false;
    end += length + strspn(text + end + length, " \t");
    if (text[end] != ':')
        return false;
    bytes_blank(text, label->begin, end + 1 + strspn(text + end + 1, " \t"));
    return true;
}

static void body_drop_labels(struct arena *arena, const struct ast_unit *unit,
                             const struct ast *body)
{
    struct jumps j = {.arena = arena, .body = body};
    struct ast_walk walk;
    if (ast_has(body, AST_INDIRECT_GOTO) || ast_has(body, AST_LABEL_ADDRESS))
        return;
    for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk))
        while (n->kind == AST_LABEL && n->n_children && !n->is_macro && n->name &&
               !count_of(&j, body, AST_GOTO, n->name) && label_blank(unit, n))
            *form_change(n) = *n->children[n->n_children - 1];
}

void labels_drop(struct arena *arena, struct ast_unit *unit)
{
    for (size_t i = 0; i < unit->n_declarations; i++) {
        const struct ast *function = unit->declarations[i];
        const struct ast *body = function->kind == AST_FUNCTION ? ast_body(unit, function) : NULL;
        if (body && ast_has(body, AST_LABEL))
            body_drop_labels(arena, unit, body);
    }
}

void jumps_fold(struct arena *arena, const struct ast_unit *unit, const struct ast *body)
{
    struct jumps j = {arena, unit, body};
    if (!ast_has(body, AST_INDIRECT_GOTO) && !ast_has(body, AST_LABEL_ADDRESS))
        jumps_find(&j, body, false);
}

/* The AST's tables and walk, and its printed form.

   In: nodes made by frontend/convert.c. Out: one line per node, children indented: kind, operator
   or name, value, type, place. Invariant: printing depends on the nodes only, so the same file
   gives the same text. */
#include "frontend/ast.h"
#include <inttypes.h>
#include <string.h>

static const char *const kind_texts[] = {
#define X(NAME, text, cursor) text,
#include "frontend/ast.def"
#undef X
};

static const char *const op_texts[] = {
    "=",
#define X(NAME, text, operands, clang) text,
#include "frontend/operator.def"
#undef X
};

static const char *const class_texts[] = {
#define X(NAME, text) text,
#include "frontend/type.def"
#undef X
};

const char *ast_kind_text(enum ast_kind kind)
{
    return kind_texts[kind];
}

const char *ast_op_text(enum ast_op op)
{
    return op_texts[op];
}

const char *ast_class_text(enum ast_class class)
{
    return class_texts[class];
}

bool ast_is_expression(const struct ast *node)
{
    return node->kind < AST_COMPOUND;
}

bool ast_is_loop(const struct ast *node)
{
    return node->kind == AST_FOR || node->kind == AST_WHILE || node->kind == AST_DO;
}

bool ast_is_clause(const struct ast *node)
{
    return node->kind == AST_CALL && node->decl && node->decl->name &&
           (!strcmp(node->decl->name, AST_CACHE) || !strcmp(node->decl->name, AST_REDUCE));
}

const struct ast *ast_strip(const struct ast *node)
{
    while (node && node->kind == AST_CAST && node->is_implicit)
        node = node->children[0];
    return node;
}

const struct ast *ast_plain(const struct ast *node)
{
    while (node && node->kind == AST_CAST &&
           (node->is_implicit || (ast_class_is_integer(node->type->class) &&
                                  node->type->class == node->children[0]->type->class)))
        node = node->children[0];
    return node;
}

/* Without the conversions that are not written and change no type. */
static const struct ast *without_idle(const struct ast *node)
{
    while (node && node->kind == AST_CAST && node->is_implicit && node->type &&
           node->children[0]->type && node->type->class == node->children[0]->type->class)
        node = node->children[0];
    return node;
}

bool ast_equal(const struct ast *a, const struct ast *b)
{
    a = without_idle(a);
    b = without_idle(b);
    if (a == b)
        return true;
    if (!a || !b || a->kind != b->kind || a->op != b->op || a->n_children != b->n_children ||
        a->decl != b->decl || (a->type ? a->type->class : AST_TYPE_VOID) !=
                                  (b->type ? b->type->class : AST_TYPE_VOID))
        return false;
    bool same = a->integer == b->integer && a->real == b->real &&
                (a->name ? b->name && !strcmp(a->name, b->name) : !b->name);
    for (int i = 0; i < a->n_children && same; i++)
        same = ast_equal(a->children[i], b->children[i]);
    return same;
}

bool ast_class_is_integer(enum ast_class class)
{
    return class >= AST_TYPE_BOOL && class <= AST_TYPE_U64;
}

bool ast_class_is_scalar(enum ast_class class)
{
    return class >= AST_TYPE_BOOL && class <= AST_TYPE_F64;
}

static void pending_push(struct ast_walk *walk, const struct ast *node)
{
    if (!node)
        return;
    if (walk->n_pending == walk->capacity) {
        const struct ast **longer =
            ARENA_ARRAY(walk->arena, const struct ast *, 2 * walk->capacity);
        memcpy(longer, walk->pending, walk->capacity * sizeof *longer);
        walk->pending = longer;
        walk->capacity *= 2;
    }
    walk->pending[walk->n_pending++] = node;
}

const struct ast *ast_first(struct ast_walk *walk, struct arena *arena, const struct ast *root)
{
    walk->arena = arena;
    walk->last = NULL;
    walk->n_pending = 0;
    walk->capacity = AST_WALK_PENDING;
    walk->pending = walk->usual;
    pending_push(walk, root);
    return ast_next(walk);
}

const struct ast *ast_next(struct ast_walk *walk)
{
    if (walk->last)
        for (int i = walk->last->n_children; i-- > 0;)
            pending_push(walk, walk->last->children[i]);
    walk->last = walk->n_pending ? walk->pending[--walk->n_pending] : NULL;
    return walk->last;
}

void ast_skip(struct ast_walk *walk)
{
    walk->last = NULL;
}

static void print_value(struct str *out, const struct ast *node)
{
    switch (node->kind) {
    case AST_INTEGER:
    case AST_CHARACTER:
    case AST_SIZEOF:
        str_addf(out, " %" PRId64, node->integer);
        break;
    case AST_REAL:
        str_addf(out, " %a", node->real);
        break;
    case AST_UNARY:
    case AST_BINARY:
        str_addf(out, " %s", ast_op_text(node->op));
        break;
    case AST_ASSIGN:
        str_addf(out, " %s=", node->op ? ast_op_text(node->op) : "");
        break;
    case AST_REF:
    case AST_CALL:
        str_addf(out, " %s", node->decl ? node->decl->name : "?");
        break;
    default:
        if (node->name && *node->name)
            str_addf(out, " %s", node->name);
    }
}

void ast_print(struct str *out, const struct ast *node, int indent)
{
    str_indent(out, indent);
    if (!node) {
        str_add(out, "-\n");
        return;
    }
    str_add(out, node->kind == AST_FOR && node->is_meta ? "meta_for" : ast_kind_text(node->kind));
    print_value(out, node);
    if (node->kind == AST_CAST && node->is_implicit)
        str_add(out, " implicit");
    if (node->type)
        str_addf(out, " : %s", node->type->text);
    str_addf(out, " @%u:%u", node->loc.line, node->loc.column);
    if (node->end)
        str_addf(out, " [%zu, %zu)", node->begin, node->end);
    str_char(out, '\n');
    for (int i = 0; i < node->n_children; i++)
        ast_print(out, node->children[i], indent + 2);
}

void ast_unit_print(struct str *out, struct ast_unit *unit)
{
    for (size_t i = 0; i < unit->n_declarations; i++) {
        const struct ast *d = unit->declarations[i];
        ast_print(out, d, 0);
        const struct ast *body = d->kind == AST_FUNCTION ? ast_body(unit, d) : NULL;
        if (body)
            ast_print(out, body, 2);
    }
}

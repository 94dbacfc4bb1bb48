/* Initial values of const arrays that are declared with them: what such a table holds is the same
   in every run, so that a witness which makes its own data must take these values.

   In: the declaration of a const array. Out: the expressions of its elements, as constants of the
   kernel's types. Only expressions of literals and of const integers are taken; for others the
   table is unknown, which is a value and no error. */
#include "metafork/lower.h"
#include <string.h>

enum { TABLE_ENTRIES_MAX = 1 << 16 };

/* Can the value be computed from this node alone? */
static bool node_is_constant(struct lower *l, const struct ast *node)
{
    switch (node->kind) {
    case AST_INTEGER:
    case AST_CHARACTER:
    case AST_SIZEOF:
    case AST_REAL:
    case AST_ZERO:
        return true;
    case AST_REF:
        return node->decl->is_global && symbol_is_derived(l, node->decl);
    case AST_CAST:
    case AST_UNARY:
    case AST_BINARY:
    case AST_CONDITIONAL:
        for (int i = 0; i < node->n_children; i++)
            if (!node_is_constant(l, node->children[i]))
                return false;
        return true;
    default:
        return false;
    }
}

struct table_reading {
    struct lower *l;
    const struct array *array;
    int64_t size; /* elements of the array */
    VEC(struct table_entry) entries;
};

static bool entry_add(struct table_reading *r, int64_t element, const struct ast *node)
{
    if (element >= r->size || r->entries.count >= TABLE_ENTRIES_MAX ||
        !node_is_constant(r->l, node))
        return false;
    struct table_entry entry = {element, expr_integer(r->l->arena, TYPE_I32, 0)};
    if (node->kind != AST_ZERO)
        entry.value = expression_lower(r->l, node);
    vec_push(r->l->arena, &r->entries, entry);
    return entry.value != NULL;
}

/* `[index] = value` with one literal index: the index, -1 for any other designator. */
static int64_t designated_index(const struct table_reading *r, const struct ast *node)
{
    const char *text = r->l->unit->source->text;
    if (node->n_children != 2 || node->children[0]->kind != AST_INTEGER || node->is_macro ||
        !node->end)
        return -1;
    for (size_t i = node->begin; i + 2 < node->end; i++)
        if (memcmp(text + i, "...", 3) == 0)
            return -1;
    return node->children[0]->integer;
}

/* The elements of a list that covers `size` of them from `begin` on. Braces inside may be left
   out. */
static bool list_read(struct table_reading *r, const struct ast *list, int dim, int64_t begin,
                      int64_t size)
{
    int64_t next = begin, extent;
    if (dim >= r->array->n_dims || !expr_get_integer(r->array->dims[dim], &extent) || extent < 1)
        return false;
    int64_t row = size / extent;
    for (int i = 0; i < list->n_children; i++) {
        const struct ast *child = list->children[i];
        if (child->kind == AST_DESIGNATED) {
            int64_t index = designated_index(r, child);
            if (index < 0 || index >= extent)
                return false;
            next = begin + index * row;
            child = child->children[1];
        }
        bool is_list = child->kind == AST_LIST && dim + 1 < r->array->n_dims;
        if (is_list && (next - begin) % row != 0)
            return false;
        if (is_list ? !list_read(r, child, dim + 1, next, row) : !entry_add(r, next, child))
            return false;
        next += is_list ? row : 1;
    }
    return true;
}

static int64_t array_size(const struct array *array)
{
    int64_t size = 1, extent;
    for (int i = 0; i < array->n_dims; i++) {
        if (!array->dims[i] || !expr_get_integer(array->dims[i], &extent) || extent < 1 ||
            __builtin_mul_overflow(size, extent, &size))
            return 0;
    }
    return size;
}

bool table_read(struct lower *l, const struct symbol *symbol, struct table *table)
{
    const struct ast *decl = symbol->decl;
    struct table_reading reading = {
        .l = l, .array = symbol->array, .size = array_size(symbol->array)};
    bool initialised = decl->n_children > 0;
    if (!symbol->array->is_const || decl->kind != AST_VARIABLE ||
        decl->type->class != AST_TYPE_ARRAY || (!initialised && !decl->is_static))
        return false;
    unsigned errors = l->ctx->errors;
    bool quiet = l->ctx->quiet;
    enum level level = l->level;
    l->ctx->quiet = true;
    l->level = LEVEL_HOST;
    bool known = reading.size > 0;
    if (known && initialised)
        known = decl->children[0]->kind == AST_LIST &&
                list_read(&reading, decl->children[0], 0, 0, reading.size);
    l->level = level;
    l->ctx->quiet = quiet;
    l->ctx->errors = errors;
    *table = (struct table){symbol->array->name, known, reading.entries.count, reading.entries.at};
    return true;
}

/* Types of expressions with the extents of their declarations, as strides and bounds.

   In: an expression. Out: the type that its declaration gives it, whose extents clang does not tell
   for expressions. Extents that are no numbers are evaluated where the declaration is and stay in
   slots, as C says. */
#include "frontend/ask.h"
#include "frontend/writes.h"
#include "replay/coding.h"

enum ast_class type_class(const struct ast_type *type)
{
    bool is_address = type->class == AST_TYPE_ARRAY || type->class == AST_TYPE_FUNCTION;
    return is_address ? AST_TYPE_POINTER : type->class;
}

bool type_is_memory(const struct ast_type *type)
{
    return type->class == AST_TYPE_ARRAY || type->class == AST_TYPE_STRUCT ||
           type->class == AST_TYPE_UNION;
}

const struct ast_type *shape_element(const struct ast_type *shape)
{
    bool leads = shape && (shape->class == AST_TYPE_POINTER || shape->class == AST_TYPE_ARRAY);
    return leads ? shape->element : NULL;
}

static const struct ast_type *pointer_to(struct coding *coding, const struct ast_type *element)
{
    struct ast_type *type = ARENA_NEW(coding->arena, struct ast_type);
    type->class = AST_TYPE_POINTER;
    type->text = type->canonical = "pointer";
    type->bytes = 8;
    type->count = -1;
    type->element = element;
    return type;
}

static const struct ast_type *shape_of_sum(struct coding *coding, const struct ast *ast)
{
    for (int i = 0; i < ast->n_children; i++) {
        const struct ast_type *type = ast->children[i]->type;
        if (type && type_class(type) == AST_TYPE_POINTER)
            return shape_of(coding, ast->children[i]);
    }
    return ast->type;
}

/* The array that a pointer stands for: `T *row = a[i]`, and nobody changes row. That C lets nobody
   go from row to row is held against a[0] by nobody, who writes so walks through all of `a`. */
static const struct ast_type *row_of(struct coding *coding, const struct ast *decl)
{
    return decl && coding->at ? map_get_pointer(coding->at->rows, decl) : NULL;
}

void row_note(struct coding *coding, const struct ast *decl)
{
    const struct ast *value = decl->n_children ? ast_strip(decl->children[0]) : NULL;
    bool is_row = value && value->kind == AST_INDEX && decl->type->class == AST_TYPE_POINTER &&
                  ast_strip(value->children[1])->kind != AST_INTEGER;
    const struct ast_type *shape = is_row ? shape_of(coding, value) : NULL;
    if (shape && shape->class == AST_TYPE_ARRAY && !ast_writes(coding->at->body, decl))
        map_put_pointer(coding->at->rows, decl, (void *)shape);
}

const struct ast_type *shape_of(struct coding *coding, const struct ast *ast)
{
    const struct ast_type *inner;
    switch (ast->kind) {
    case AST_REF:
        inner = row_of(coding, ast->decl);
        return inner ? inner : ast->decl && ast->decl->type ? ast->decl->type : ast->type;
    case AST_INDEX:
        inner = shape_element(shape_of_sum(coding, ast));
        return inner ? inner : ast->type;
    case AST_UNARY:
        if (ast->op == AST_OP_DEREFERENCE) {
            inner = shape_element(shape_of(coding, ast->children[0]));
            return inner ? inner : ast->type;
        }
        if (ast->op == AST_OP_ADDRESS)
            return pointer_to(coding, shape_of(coding, ast->children[0]));
        return ast->op == AST_OP_NOT ? ast->type : shape_of(coding, ast->children[0]);
    case AST_BINARY: {
        bool moves = ast->type && ast->type->class == AST_TYPE_POINTER &&
                     (ast->op == AST_OP_ADD || ast->op == AST_OP_SUB);
        return moves ? shape_of_sum(coding, ast) : ast->type;
    }
    case AST_ASSIGN: return shape_of(coding, ast->children[0]);
    case AST_CAST:
        return ast->is_implicit && type_class(ast->type) == AST_TYPE_POINTER &&
                       ast->type->element && ast->type->element->bytes < 0
                   ? shape_of(coding, ast->children[0]) : ast->type;
    case AST_CONDITIONAL: return shape_of(coding, ast->children[1]);
    default: return ast->type;
    }
}

const struct code *code_of_extent(struct coding *coding, const struct ast_type *type)
{
    if (type->class != AST_TYPE_ARRAY)
        return NULL;
    if (type->count >= 0)
        return code_constant(coding, AST_TYPE_I64, type->count);
    int slot = coding->at ? number_get(coding->at->extents, type) : -1;
    if (slot < 0)
        return NULL;
    struct code *code = code_begin(coding, CODE_SLOT, AST_TYPE_I64, NULL);
    code->slot = slot;
    return code;
}

const struct code *code_of_bytes(struct coding *coding, const struct ast_type *type)
{
    if (type->bytes >= 0)
        return type->bytes ? code_constant(coding, AST_TYPE_I64, type->bytes) : NULL;
    const struct code *extent = code_of_extent(coding, type);
    const struct code *bytes = extent ? code_of_bytes(coding, type->element) : NULL;
    if (!bytes)
        return NULL;
    struct code *product = code_begin(coding, CODE_ARITHMETIC, AST_TYPE_I64, NULL);
    product->how = AST_OP_MUL;
    product->a = extent;
    product->b = bytes;
    return product;
}

bool stride_set(struct coding *coding, struct code *code, const struct ast_type *type)
{
    if (!type)
        return false;
    code->stride = type->class == AST_TYPE_VOID ? 1 : type->bytes;
    if (code->stride >= 0)
        return true;
    code->c = code_of_bytes(coding, type);
    return code->c != NULL;
}

void code_of_extents(struct coding *coding, const struct ast_type *type, code_list *list)
{
    const struct ast_type *whole = type;
    for (; type && (type->class == AST_TYPE_ARRAY || type->class == AST_TYPE_POINTER);
         type = type->element) {
        if (type->class != AST_TYPE_ARRAY || type->count >= 0 || !type->extent ||
            map_get_pointer(coding->at->extents, type))
            continue;
        /* The first extent of a parameter says nothing of memory. */
        enum code_op op = type == whole ? CODE_SET_SLOT : CODE_SET_EXTENT;
        struct code *set = code_begin(coding, op, AST_TYPE_I64, type->extent);
        set->slot = slot_new(coding, NULL);
        set->b = code_convert(coding, code_of_value(coding, type->extent), AST_TYPE_I64);
        number_put(coding, coding->at->extents, type, set->slot);
        vec_push(coding->arena, list, set);
    }
}

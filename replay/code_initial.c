/* Initial values and copies of structures as code.

   In: a declaration with its initial value, or a structure that is assigned, and the address of
   where it goes. Out: code that stores it, element by element or as one copy. A form that is
   not known, as a list with names, becomes code that stops the run as unknown. */
#include "replay/coding.h"
#include "replay/value.h"

static const struct code *begin_at(struct coding *coding, const struct ast *value,
                                   const struct ast_type *type, const struct code *address,
                                   int slot)
{
    enum code_op op = address ? CODE_STORE : CODE_SET_SLOT;
    struct code *code = code_begin(coding, op, type_class(type), value);
    const struct code *given = code_of_value(coding, value);
    if (!class_bytes(code->class) || !is_known_class(given->class))
        return code_unknown(coding, value, "an initial value of a type that is not known");
    code->a = address;
    code->b = code_convert(coding, given, code->class);
    code->slot = slot;
    return code;
}

static const struct code *zero_at(struct coding *coding, const struct ast *place,
                                  const struct ast_type *type, const struct code *address)
{
    struct code *code = code_begin(coding, CODE_STORE, type_class(type), place);
    code->a = address;
    code->b = code_convert(coding, code_constant(coding, AST_TYPE_I32, 0), code->class);
    code->slot = -1;
    return code;
}

/* A member of a structure: of a list of values or in memory; 0 behind the end of a list. NULL if
   the member is another one's part or has a name in the list. */
static const struct ast *member_of(struct coding *coding, const struct ast *whole, int field)
{
    const struct ast_type *type = whole->type;
    struct ast *member = ARENA_NEW(coding->arena, struct ast);
    *member = *whole;
    if (whole->kind == AST_LIST && field < whole->n_children) {
        const struct ast *item = whole->children[field];
        return item->kind == AST_DESIGNATED || item->kind == AST_LIST ? NULL : item;
    }
    if (whole->kind == AST_LIST) {
        member->kind = AST_ZERO;
        return member;
    }
    const struct ast **base = ARENA_ARRAY(coding->arena, const struct ast *, 1);
    base[0] = whole;
    member->kind = AST_MEMBER;
    member->type = type->fields[field].type;
    member->integer = type->fields[field].byte;
    member->children = base;
    member->n_children = 1;
    return member;
}

const struct code *structure_members(struct coding *coding, const struct code *target,
                                     const struct ast *value)
{
    const struct ast_type *type = value->type;
    code_list list = {0};
    const struct ast *whole = value->kind == AST_LITERAL && value->n_children == 1
                                  ? value->children[0] : value;
    bool known = type->fields && whole->type && whole->type->fields &&
                 (whole->kind == AST_LIST || whole->kind == AST_REF || whole->kind == AST_INDEX);
    if (!known)
        return code_unknown(coding, value, "a structure is copied");
    for (int i = 0; i < type->n_fields; i++) {
        const struct ast_type *own = type->fields[i].type;
        struct code *at = code_begin(coding, CODE_MEMBER, AST_TYPE_POINTER, value);
        const struct ast *item = member_of(coding, whole, i);
        at->a = target;
        at->value = type->fields[i].byte;
        if (!item)
            return code_unknown(coding, value, "a structure is copied");
        if (item->kind == AST_ZERO)
            vec_push(coding->arena, &list, zero_at(coding, value, own, at));
        else
            vec_push(coding->arena, &list, begin_at(coding, item, own, at, -1));
    }
    return code_block(coding, &list);
}

/* Copies the elements of a structure. */
const struct code *structure_copy(struct coding *coding, const struct code *target,
                                  const struct ast *value)
{
    const struct ast_type *type = value->type;
    struct code *code = code_begin(coding, CODE_COPY, AST_TYPE_POINTER, value);
    const struct code **list = ARENA_ARRAY(coding->arena, const struct code *, 3);
    if (!type->part || type->bytes <= 0 || !class_bytes(type->part->class))
        return structure_members(coding, target, value);
    list[0] = target;
    list[1] = code_of_address(coding, value);
    list[2] = code_constant(coding, AST_TYPE_I64, type->bytes);
    code->list = list;
    code->n = 3;
    code->from = type->part->class;
    return code;
}

/* The elements that a list gives, one store each. */
static bool list_lower(struct coding *coding, const struct ast *list, const struct ast_type *type,
                       const struct code *address, code_list *out)
{
    if (type->class != AST_TYPE_ARRAY || !type->element || list->n_children > LOCAL_ELEMENTS_MAX)
        return false;
    for (int i = 0; i < list->n_children; i++) {
        const struct ast *item = list->children[i];
        struct code *at = code_begin(coding, CODE_ELEMENT, AST_TYPE_POINTER, item);
        at->a = address;
        at->b = code_constant(coding, AST_TYPE_I64, i);
        if (!stride_set(coding, at, type->element) || item->kind == AST_DESIGNATED)
            return false;
        if (item->kind == AST_ZERO)
            continue;
        if (item->kind == AST_LIST && !list_lower(coding, item, type->element, at, out))
            return false;
        if (item->kind != AST_LIST && type_is_memory(type->element))
            return false;
        if (item->kind != AST_LIST)
            vec_push(coding->arena, out, begin_at(coding, item, type->element, at, -1));
    }
    return true;
}

const struct code *code_of_initial(struct coding *coding, const struct ast *decl,
                                   const struct code *address, int slot)
{
    const struct ast *value = decl->children[0];
    code_list list = {0};
    if (!type_is_memory(decl->type)) {
        bool is_list = value->kind == AST_LIST && value->n_children == 1;
        return begin_at(coding, is_list ? value->children[0] : value, decl->type, address, slot);
    }
    if (is_complex_type(decl->type) && value->kind != AST_LIST)
        return complex_store(coding, decl, decl->type, address, value);
    if (decl->type->class == AST_TYPE_STRUCT)
        return value->kind == AST_LIST || value->kind == AST_LITERAL
                   ? structure_members(coding, address, value)
                   : structure_copy(coding, address, value);
    if (value->kind == AST_LIST && list_lower(coding, value, decl->type, address, &list))
        return code_block(coding, &list);
    return code_unknown(coding, value, "the initial value of an array");
}

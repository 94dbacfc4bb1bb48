/* Types of clang as ours.

   In: a type, or a declaration, whose array extents are expressions of its own. Out: struct
   ast_type. Typedefs, enums and attributes are looked through; the extents as written come from the
   declaration's children, where clang lists those of its own declarator innermost first, and from
   the children of the typedefs on the way. Expressions' types are kept by clang's type, so that a
   file has few type objects. */
#include "frontend/clang.h"
#include <string.h>

/* Extents of one declarator that are not used yet, innermost first. */
struct extents {
    cursor_list list;
    size_t left;
};

static enum ast_class class_of(enum CXTypeKind kind)
{
    switch (kind) {
    case CXType_Void: return AST_TYPE_VOID;
    case CXType_Bool: return AST_TYPE_BOOL;
    case CXType_Char_S:
    case CXType_SChar: return AST_TYPE_I8;
    case CXType_Char_U:
    case CXType_UChar: return AST_TYPE_U8;
    case CXType_Short: return AST_TYPE_I16;
    case CXType_UShort: return AST_TYPE_U16;
    case CXType_Int: return AST_TYPE_I32;
    case CXType_UInt: return AST_TYPE_U32;
    case CXType_Long:
    case CXType_LongLong: return AST_TYPE_I64;
    case CXType_ULong:
    case CXType_ULongLong: return AST_TYPE_U64;
    case CXType_Float: return AST_TYPE_F32;
    case CXType_Double: return AST_TYPE_F64;
    case CXType_LongDouble:
    case CXType_Float128: return AST_TYPE_LONG_DOUBLE;
    case CXType_Float16: return AST_TYPE_F16;
    case CXType_Half:
    case CXType_BFloat16: return AST_TYPE_HALF;
    case CXType_Int128:
    case CXType_UInt128: return AST_TYPE_INT128;
    case CXType_Complex: return AST_TYPE_STRUCT;
    case CXType_Atomic: return AST_TYPE_ATOMIC;
    case CXType_Vector:
    case CXType_ExtVector: return AST_TYPE_VECTOR;
    case CXType_Pointer: return AST_TYPE_POINTER;
    case CXType_ConstantArray:
    case CXType_VariableArray:
    case CXType_IncompleteArray: return AST_TYPE_ARRAY;
    case CXType_FunctionProto:
    case CXType_FunctionNoProto: return AST_TYPE_FUNCTION;
    default: return AST_TYPE_OTHER;
    }
}

/* The expressions among a declarator's children: its extents, without the initialiser. */
static struct extents extents_of(struct ast_unit *unit, CXCursor declaration)
{
    struct extents extents = {{0}, 0};
    cursor_list children = cursor_children(unit, declaration);
    CXCursor initialiser = clang_Cursor_getVarDeclInitializer(declaration);
    for (size_t i = 0; i < children.count; i++) {
        if (!clang_isExpression(clang_getCursorKind(children.at[i])) ||
            clang_equalCursors(children.at[i], initialiser))
            continue;
        vec_push(unit->ctx->arena, &extents.list, children.at[i]);
    }
    extents.left = extents.list.count;
    return extents;
}

static void fill(struct ast_unit *unit, struct ast_type *type, CXType clang,
                 struct extents *extents);

static const struct ast_type *build(struct ast_unit *unit, CXType clang, struct extents *extents)
{
    struct ast_type *type = ARENA_NEW(unit->ctx->arena, struct ast_type);
    type->count = -1;
    type->bytes = -1;
    type->text = type->canonical = "a type of too many layers";
    type->class = AST_TYPE_OTHER;
    if (unit->state->type_depth >= TYPE_DEPTH_MAX)
        return type;
    type->text = clang_text(unit->ctx->arena, clang_getTypeSpelling(clang));
    type->canonical = clang_text(unit->ctx->arena, clang_getTypeSpelling(clang_getUnqualifiedType(
                                                       clang_getCanonicalType(clang))));
    type->bytes = clang_Type_getSizeOf(clang);
    if (type->bytes < 0)
        type->bytes = -1;
    unit->state->type_depth++;
    fill(unit, type, clang, extents);
    unit->state->type_depth--;
    return type;
}

static void fill_array(struct ast_unit *unit, struct ast_type *type, CXType clang,
                       struct extents *extents)
{
    bool open = clang.kind == CXType_IncompleteArray;
    CXType element = clang_getArrayElementType(clang);
    type->count = clang.kind == CXType_ConstantArray ? clang_getArraySize(clang) : -1;
    /* `T a[] = {…}` has a size but no extent: then fewer extents are left than constant or
       variable layers. */
    size_t layers = 0;
    for (CXType t = clang; class_of(t.kind) == AST_TYPE_ARRAY && layers <= TYPE_DEPTH_MAX;
         t = clang_getArrayElementType(t))
        layers += t.kind != CXType_IncompleteArray;
    if (!open && extents && extents->left >= layers && extents->left)
        type->extent = cursor_convert(unit, extents->list.at[--extents->left]);
    type->element = build(unit, element, extents);
    type->is_restrict = strstr(type->text, "[restrict") != NULL;
}

/* Reads the type that a typedef, an attribute or `struct S` stands for; false if `type` is of
   another kind. */
static bool look_through(struct ast_unit *unit, CXType clang, CXType *inner, struct extents *own,
                         bool *has_own)
{
    *has_own = false;
    switch (clang.kind) {
    case CXType_Elaborated:
        *inner = clang_Type_getNamedType(clang);
        return true;
    case CXType_Attributed:
        *inner = clang_Type_getModifiedType(clang);
        return true;
    case CXType_Typedef: {
        CXCursor declaration = clang_getTypeDeclaration(clang);
        *inner = clang_getTypedefDeclUnderlyingType(declaration);
        *own = extents_of(unit, declaration);
        *has_own = true;
        return true;
    }
    case CXType_Enum:
        *inner = clang_getEnumDeclIntegerType(clang_getTypeDeclaration(clang));
        return true;
    default:
        return false;
    }
}

/* The scalar type that all of a type's parts have. */
struct part_search {
    CXType type;                     /* of the first part; invalid as long as there is none */
    bool differ;
    bool has_volatile;               /* a part is volatile, or the parts lie too deep */
    int depth;
};

static enum CXVisitorResult field_look(CXCursor field, CXClientData data);

static void parts_look(CXType type, struct part_search *parts)
{
    type = clang_getCanonicalType(type);
    bool is_struct = type.kind == CXType_Record &&
                     clang_getCursorKind(clang_getTypeDeclaration(type)) == CXCursor_StructDecl;
    if (++parts->depth > TYPE_DEPTH_MAX || clang_isVolatileQualifiedType(type)) {
        parts->differ = parts->has_volatile = true;
    } else if (is_struct) {
        clang_Type_visitFields(type, field_look, parts);
    } else if (type.kind == CXType_ConstantArray) {
        parts_look(clang_getArrayElementType(type), parts);
    } else {
        parts->differ |= parts->type.kind != CXType_Invalid && parts->type.kind != type.kind;
        parts->type = clang_getUnqualifiedType(type);
    }
    parts->depth--;
}

static enum CXVisitorResult field_look(CXCursor field, CXClientData data)
{
    struct part_search *parts = data;
    parts->differ |= clang_Cursor_isBitField(field) != 0;
    parts_look(clang_getCursorType(field), parts);
    return parts->has_volatile ? CXVisit_Break : CXVisit_Continue;
}

/* The type of a structure's parts if they have one, and the structure is a number of them. */
static const struct ast_type *part_of(struct ast_unit *unit, CXType record, bool *has_volatile)
{
    struct part_search parts = {.depth = 0};
    parts_look(record, &parts);
    *has_volatile = parts.has_volatile;
    if (parts.differ || parts.type.kind == CXType_Invalid)
        return NULL;
    const struct ast_type *part = build(unit, parts.type, NULL);
    long long bytes = clang_Type_getSizeOf(record);
    bool whole = ast_class_is_scalar(part->class) && bytes > 0 && bytes % part->bytes == 0;
    return whole ? part : NULL;
}

/* The members of a structure. */
struct field_list {
    struct ast_unit *unit;
    struct ast_field at[FIELDS_MAX];
    int count;
    bool others;                     /* a member is no plain scalar */
};

static enum CXVisitorResult field_add(CXCursor field, CXClientData data)
{
    struct field_list *list = data;
    struct arena *arena = list->unit->ctx->arena;
    CXType type = clang_getCanonicalType(clang_getCursorType(field));
    long long bits = clang_Cursor_getOffsetOfField(field);
    struct ast_field own = {.name = clang_text(arena, clang_getCursorSpelling(field))};
    list->others = !ast_class_is_scalar(class_of(type.kind)) || clang_Cursor_isBitField(field) ||
                   clang_isVolatileQualifiedType(type) || bits < 0 || !*own.name ||
                   list->count == FIELDS_MAX;
    if (list->others)
        return CXVisit_Break;
    own.type = build(list->unit, clang_getCursorType(field), NULL);
    own.byte = bits / 8;
    list->at[list->count++] = own;
    return CXVisit_Continue;
}

static void fields_fill(struct ast_unit *unit, struct ast_type *type, CXType record)
{
    struct field_list list = {.unit = unit};
    clang_Type_visitFields(record, field_add, &list);
    if (list.others || !list.count)
        return;
    struct ast_field *fields = ARENA_ARRAY(unit->ctx->arena, struct ast_field, list.count);
    memcpy(fields, list.at, (size_t)list.count * sizeof *fields);
    type->fields = fields;
    type->n_fields = list.count;
}

/* Two parts, one behind the other, as C lays them out (6.2.5). */
static void complex_fill(struct ast_unit *unit, struct ast_type *type, CXType clang)
{
    static const char *const names[] = {"re", "im"};
    const struct ast_type *part = build(unit, clang_getElementType(clang), NULL);
    type->is_complex = true;
    if (part->class != AST_TYPE_F32 && part->class != AST_TYPE_F64)   /* integers: of gcc alone */
        return;
    struct ast_field *fields = ARENA_ARRAY(unit->ctx->arena, struct ast_field, 2);
    for (int i = 0; i < 2; i++)
        fields[i] = (struct ast_field){names[i], part, i * part->bytes};
    type->part = part;
    type->fields = fields;
    type->n_fields = 2;
}

static void fill(struct ast_unit *unit, struct ast_type *type, CXType clang,
                 struct extents *extents)
{
    type->is_const |= clang_isConstQualifiedType(clang) != 0;
    type->is_volatile |= clang_isVolatileQualifiedType(clang) != 0;
    type->is_restrict |= clang_isRestrictQualifiedType(clang) != 0;
    CXType inner;
    struct extents own;
    bool has_own;
    if (look_through(unit, clang, &inner, &own, &has_own) && inner.kind != CXType_Invalid) {
        fill(unit, type, inner, has_own ? &own : extents);
        return;
    }
    type->class = class_of(clang.kind);
    if (type->class == AST_TYPE_OTHER && clang_getCanonicalType(clang).kind != clang.kind) {
        fill(unit, type, clang_getCanonicalType(clang), extents);
        return;
    }
    if (clang.kind == CXType_Record)
        type->class = clang_getCursorKind(clang_getTypeDeclaration(clang)) == CXCursor_UnionDecl
                          ? AST_TYPE_UNION
                          : AST_TYPE_STRUCT;
    if (clang.kind == CXType_Complex) {
        complex_fill(unit, type, clang);
    } else if (type->class == AST_TYPE_STRUCT) {
        type->part = part_of(unit, clang, &type->has_volatile);
        fields_fill(unit, type, clang);
    }
    if (type->class == AST_TYPE_POINTER)
        type->element = build(unit, clang_getPointeeType(clang), extents);
    if (type->class == AST_TYPE_ARRAY)
        fill_array(unit, type, clang, extents);
}

const struct ast_type *type_convert(struct ast_unit *unit, CXType type)
{
    if (type.kind == CXType_Invalid)
        return NULL;
    const struct ast_type *known = map_get_pointer(unit->state->types, type.data[0]);
    if (known)
        return known;
    const struct ast_type *made = build(unit, type, NULL);
    map_put_pointer(unit->state->types, type.data[0], (void *)made);
    return made;
}

const struct ast_type *type_of_declaration(struct ast_unit *unit, CXCursor cursor)
{
    struct extents extents = extents_of(unit, cursor);
    return build(unit, clang_getCursorType(cursor), &extents);
}

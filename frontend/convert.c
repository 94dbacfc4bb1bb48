/* Cursors of clang as nodes of ours.

   In: cursors of a parsed unit. Out: nodes, made at once and for good; declarations once each, so
   that a reference's `decl` is its identity. Most kinds follow frontend/ast.def: the cursor's
   children become the node's. The cases below are those where clang hides something: conversions
   without a kind (found by the change of type), missing parts of a `for` (found by its semicolons),
   labels that stand for annotations, values of literals. Depth is bounded, so that no input
   exhausts the stack here or in later stages. One file: all kinds are made by one recursion. */
#include "frontend/clang.h"
#include <string.h>

static const struct {
    enum CXCursorKind cursor;
    enum ast_kind kind;
} rows[] = {
#define CXCursor_0 CXCursor_InvalidFile
#define X(NAME, text, kind) {CXCursor_##kind, AST_##NAME},
#include "frontend/ast.def"
#undef X
};

static enum CXChildVisitResult collect(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    void **state = data;
    cursor_list *list = state[1];
    vec_push((struct arena *)state[0], list, cursor);
    return CXChildVisit_Continue;
}

cursor_list cursor_children(struct ast_unit *unit, CXCursor cursor)
{
    cursor_list list = {0};
    void *state[] = {unit->ctx->arena, &list};
    clang_visitChildren(cursor, collect, state);
    return list;
}

bool in_main_file(const struct ast_unit *unit, CXSourceLocation location, unsigned *offset)
{
    CXFile file;
    clang_getExpansionLocation(location, &file, NULL, NULL, offset);
    return file && clang_File_isEqual(file, unit->state->file);
}

/* Is the place inside a macro's expansion? */
static bool is_expanded(struct ast_unit *unit, CXSourceLocation location, unsigned offset)
{
    CXFile file;
    unsigned spelling;
    clang_getSpellingLocation(location, &file, NULL, NULL, &spelling);
    return !file || !clang_File_isEqual(file, unit->state->file) || spelling != offset;
}

/* The bytes of a node whose ends are in the main file; a macro's call counts as a whole. */
static void set_range(struct ast_unit *unit, struct ast *node, CXSourceRange range, unsigned begin,
                      unsigned end)
{
    CXSourceLocation last = clang_getRangeEnd(range);
    const struct macro_call *first_call = macro_call_at(unit, begin, false);
    bool expanded = is_expanded(unit, last, end);
    const struct macro_call *last_call = macro_call_at(unit, end, !expanded);
    node->is_macro = first_call && is_expanded(unit, clang_getRangeStart(range), begin);
    node->is_macro_end = last_call && (expanded || last_call->end == end);
    node->begin = node->is_macro ? first_call->begin : begin;
    node->end = node->is_macro_end ? last_call->end : end;
    node->end = node->end > node->begin ? node->end : node->begin;
}

/* A node with place and range, without children. */
static struct ast *node_make(struct ast_unit *unit, enum ast_kind kind, CXCursor cursor)
{
    struct ast *node = ARENA_NEW(unit->ctx->arena, struct ast);
    CXSourceRange range = clang_getCursorExtent(cursor);
    node->kind = kind;
    node->loc = clang_place(unit, clang_getCursorLocation(cursor));
    unsigned begin, end;
    if (in_main_file(unit, clang_getRangeStart(range), &begin) &&
        in_main_file(unit, clang_getRangeEnd(range), &end))
        set_range(unit, node, range, begin, end);
    if (ast_is_expression(node))
        node->type = type_convert(unit, clang_getCursorType(cursor));
    return node;
}

static struct ast *opaque(struct ast_unit *unit, CXCursor cursor, const char *name)
{
    struct ast *node = node_make(unit, AST_OPAQUE, cursor);
    node->name = name;
    return node;
}

static void set_children(struct ast_unit *unit, struct ast *node, const CXCursor *cursors, size_t n)
{
    const struct ast **children = ARENA_ARRAY(unit->ctx->arena, const struct ast *, n + 1);
    int count = 0;
    for (size_t i = 0; i < n; i++) {
        const struct ast *child = cursor_convert(unit, cursors[i]);
        if (child)
            children[count++] = child;
    }
    node->children = children;
    node->n_children = count;
    parts_mark(unit, node);
}

static void set_value(struct ast *node, CXCursor cursor)
{
    CXEvalResult result = clang_Cursor_Evaluate(cursor);
    CXEvalResultKind kind = result ? clang_EvalResult_getKind(result) : CXEval_UnExposed;
    if (kind == CXEval_Int)
        node->integer = clang_EvalResult_isUnsignedInt(result)
                            ? (int64_t)clang_EvalResult_getAsUnsigned(result)
                            : clang_EvalResult_getAsLongLong(result);
    else if (kind == CXEval_Float)
        node->real = clang_EvalResult_getAsDouble(result);
    else {
        node->name = node->kind == AST_SIZEOF ? "sizeof of a variable-length array"
                                              : "literal that clang cannot evaluate";
        node->kind = AST_OPAQUE;
    }
    if (result)
        clang_EvalResult_dispose(result);
}

/* `.member = value`, with the member's name; other designators have no name. */
static void convert_designated(struct ast_unit *unit, struct ast *node, const cursor_list *children)
{
    bool is_member = children->count == 2 &&
                     clang_getCursorKind(children->at[0]) == CXCursor_MemberRef;
    node->kind = AST_DESIGNATED;
    node->name = is_member ? clang_text(unit->ctx->arena, clang_getCursorSpelling(children->at[0]))
                           : NULL;
    set_children(unit, node, children->at + is_member, children->count - (size_t)is_member);
}

/* Conversions: dropped where the class of the type stays (reads of variables,
   decays, qualifiers). */
static const struct ast *convert_unexposed(struct ast_unit *unit, CXCursor cursor,
                                           const cursor_list *children)
{
    struct ast *node = node_make(unit, AST_CAST, cursor);
    if (!children->count) {
        node->kind = AST_ZERO;
        return node;
    }
    if (children->count > 1 || !clang_isExpression(clang_getCursorKind(children->at[0])) ||
        !node->type || node->type->class == AST_TYPE_VOID) {
        node->kind = AST_OPAQUE;
        node->name = "construct that clang does not show";
        if (children->count > 1)
            convert_designated(unit, node, children);
        else
            set_children(unit, node, children->at, children->count);
        return node;
    }
    const struct ast *child = cursor_convert(unit, children->at[0]);
    enum ast_class from = child->type ? child->type->class : AST_TYPE_OTHER, to = node->type->class;
    bool is_resized = node->type->is_complex && child->type &&
                      child->type->bytes != node->type->bytes;
    if ((from == to && !is_resized) ||
        (to == AST_TYPE_POINTER && (from == AST_TYPE_ARRAY || from == AST_TYPE_FUNCTION)))
        return child;
    const struct ast **list = ARENA_ARRAY(unit->ctx->arena, const struct ast *, 1);
    list[0] = child;
    node->children = list;
    node->n_children = 1;
    node->is_implicit = true;
    node->loc = child->loc;
    return node;
}

static const struct ast *convert_reference(struct ast_unit *unit, CXCursor cursor)
{
    CXCursor target = clang_getCursorReferenced(cursor);
    struct ast *node = node_make(unit, AST_REF, cursor);
    if (clang_getCursorKind(target) == CXCursor_EnumConstantDecl) {
        node->kind = AST_INTEGER;
        node->integer = clang_getEnumConstantDeclValue(target);
        return node;
    }
    node->decl = cursor_declaration(unit, target);
    if (!node->decl) {
        node->kind = AST_OPAQUE;
        node->name = "name that is neither a variable nor a function";
    }
    return node;
}

static enum ast_op binary_op(enum CXBinaryOperatorKind kind)
{
    switch (kind) {
#define CLANG_1(NAME, clang)
#define CLANG_2(NAME, clang)                                                                       \
    case CXBinaryOperator_##clang:                                                                 \
        return AST_OP_##NAME;
#define X(NAME, text, operands, clang) CLANG_##operands(NAME, clang)
#include "frontend/operator.def"
#undef X
#undef CLANG_1
#undef CLANG_2
    case CXBinaryOperator_MulAssign: return AST_OP_MUL;
    case CXBinaryOperator_DivAssign: return AST_OP_DIV;
    case CXBinaryOperator_RemAssign: return AST_OP_REM;
    case CXBinaryOperator_AddAssign: return AST_OP_ADD;
    case CXBinaryOperator_SubAssign: return AST_OP_SUB;
    case CXBinaryOperator_ShlAssign: return AST_OP_SHL;
    case CXBinaryOperator_ShrAssign: return AST_OP_SHR;
    case CXBinaryOperator_AndAssign: return AST_OP_AND;
    case CXBinaryOperator_XorAssign: return AST_OP_XOR;
    case CXBinaryOperator_OrAssign: return AST_OP_OR;
    default: return AST_OP_NONE;
    }
}

static enum ast_op unary_op(enum CXUnaryOperatorKind kind)
{
    switch (kind) {
#define CLANG_1(NAME, clang)                                                                       \
    case CXUnaryOperator_##clang:                                                                  \
        return AST_OP_##NAME;
#define CLANG_2(NAME, clang)
#define X(NAME, text, operands, clang) CLANG_##operands(NAME, clang)
#include "frontend/operator.def"
#undef X
#undef CLANG_1
#undef CLANG_2
    default: return AST_OP_NONE;
    }
}

static const struct ast *convert_operator(struct ast_unit *unit, struct ast *node, CXCursor cursor,
                                          const cursor_list *children)
{
    if (node->kind == AST_UNARY) {
        enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(cursor);
        if (kind == CXUnaryOperator_Extension && children->count == 1)
            return cursor_convert(unit, children->at[0]);
        node->op = unary_op(kind);
    } else {
        enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);
        node->op = binary_op(kind);
        if (kind == CXBinaryOperator_Assign)
            node->kind = AST_ASSIGN;
    }
    set_children(unit, node, children->at, children->count);
    if ((node->op == AST_OP_NONE && node->kind != AST_ASSIGN) ||
        node->n_children != (node->kind == AST_UNARY ? 1 : 2)) {
        node->kind = AST_OPAQUE;
        node->name = "operator";
    }
    return node;
}

/* The first byte of a member in its structure; -1 for bit-fields and where clang knows none. */
static int64_t member_byte(CXCursor member)
{
    CXCursor field = clang_getCursorReferenced(member);
    long long bits = clang_Cursor_getOffsetOfField(field);
    return bits < 0 || clang_Cursor_isBitField(field) ? -1 : bits / 8;
}

static const struct ast *convert_call(struct ast_unit *unit, struct ast *node, CXCursor cursor)
{
    int n = clang_Cursor_getNumArguments(cursor);
    CXCursor target = clang_getCursorReferenced(cursor);
    if (clang_getCursorKind(target) == CXCursor_FunctionDecl)
        node->decl = cursor_declaration(unit, target);
    cursor_list arguments = {0};
    for (int i = 0; i < n; i++)
        vec_push(unit->ctx->arena, &arguments, clang_Cursor_getArgument(cursor, (unsigned)i));
    set_children(unit, node, arguments.at, arguments.count);
    return node;
}

/* Offsets of the two semicolons of a `for`; false if its head is not text of the main file, where a
   macro may stand for the keyword. */
static bool find_semicolons(struct ast_unit *unit, const struct ast *node, unsigned semicolons[2])
{
    CXTranslationUnit tu = unit->state->tu;
    CXSourceRange range =
        clang_getRange(clang_getLocationForOffset(tu, unit->state->file, (unsigned)node->begin),
                       clang_getLocationForOffset(tu, unit->state->file, (unsigned)node->end));
    CXToken *tokens = NULL;
    unsigned n = 0, found = 0;
    int depth = 0;
    const struct macro_call *call =
        node->is_macro ? macro_call_at(unit, (unsigned)node->begin, false) : NULL;
    bool has_arguments = call && unit->source->text[call->end - 1] == ')';
    if (!node->end || has_arguments)
        return false;
    clang_tokenize(tu, range, &tokens, &n);
    for (unsigned i = 0; i < n && found < 2; i++) {
        CXString string = clang_getTokenSpelling(tu, tokens[i]);
        const char *text = clang_getCString(string);
        depth += !strcmp(text, "(") || !strcmp(text, "{");
        depth -= !strcmp(text, ")") || !strcmp(text, "}");
        if (depth == 1 && !strcmp(text, ";"))
            clang_getExpansionLocation(clang_getTokenLocation(tu, tokens[i]), NULL, NULL, NULL,
                                       &semicolons[found++]);
        clang_disposeString(string);
    }
    clang_disposeTokens(tu, tokens, n);
    return found == 2;
}

/* Absent parts are missing children: each child goes to the part whose semicolons surround it. */
static const struct ast *convert_for(struct ast_unit *unit, struct ast *node,
                                     const cursor_list *children)
{
    const struct ast **parts = ARENA_ARRAY(unit->ctx->arena, const struct ast *, 4);
    unsigned semicolons[2];
    size_t n = children->count;
    bool known = n < 4 && find_semicolons(unit, node, semicolons);
    if (n < 4 && !known) {
        node->kind = AST_OPAQUE;
        node->name = "a `for` without all its parts inside a macro";
        set_children(unit, node, children->at, n);
        return node;
    }
    for (size_t i = 0; i < n && i < 4; i++) {
        const struct ast *child = cursor_convert(unit, children->at[i]);
        size_t part = i;
        if (known)
            part = (size_t)(child->begin > semicolons[0]) + (size_t)(child->begin > semicolons[1]);
        parts[i + 1 == n ? 3 : part] = child;
    }
    node->children = parts;
    node->n_children = 4;
    parts_mark(unit, node);
    return node;
}

/* The characters of a string literal; the empty string if clang has no value for the cursor. */
static const char *string_text(struct arena *arena, CXCursor cursor)
{
    CXEvalResult result = clang_Cursor_Evaluate(cursor);
    bool is_string = result && clang_EvalResult_getKind(result) == CXEval_StrLiteral;
    const char *text = arena_strdup(arena, is_string ? clang_EvalResult_getAsStr(result) : "");
    if (result)
        clang_EvalResult_dispose(result);
    return text;
}

/* The call in the condition of a statement that is a clause's `while`; NULL for others. *body is
   the statement under it. */
static const struct ast *convert_clause(struct ast_unit *unit, CXCursor statement, CXCursor *body)
{
    cursor_list inner = cursor_children(unit, statement);
    if (clang_getCursorKind(statement) != CXCursor_WhileStmt || inner.count != 2 ||
        clang_getCursorKind(inner.at[0]) != CXCursor_CallExpr)
        return NULL;
    const struct ast *mark = cursor_convert(unit, inner.at[0]);
    *body = inner.at[1];
    if (!mark || !ast_is_clause(mark))
        return NULL;
    struct ast *first = (struct ast *)ast_strip(mark->children[0]);
    if (first->kind == AST_STRING)
        first->name = string_text(unit->ctx->arena, clang_Cursor_getArgument(inner.at[0], 0));
    return mark;
}

/* `while (__treefork_cache(0, a, b)) while (__treefork_reduce("+", s)) body` under a schedule
   label. */
static const struct ast *convert_schedule(struct ast_unit *unit, struct ast *node,
                                          CXCursor statement)
{
    struct arena *arena = unit->ctx->arena;
    VEC(const struct ast *) parts = {0};
    const struct ast *clause;
    CXCursor body;
    node->kind = AST_SCHEDULE;
    vec_push(arena, &parts, NULL);
    while ((clause = convert_clause(unit, statement, &body)) != NULL) {
        vec_push(arena, &parts, clause);
        statement = body;
    }
    parts.at[0] = cursor_convert(unit, statement);
    node->children = parts.at;
    node->n_children = (int)parts.count;
    return node;
}

static const struct ast *convert_label(struct ast_unit *unit, struct ast *node, CXCursor cursor,
                                       const cursor_list *children)
{
    node->name = clang_text(unit->ctx->arena, clang_getCursorSpelling(cursor));
    if (!children->count)
        return node;
    CXCursor statement = children->at[children->count - 1];
    if (!strncmp(node->name, "__treefork_schedule_", 20))
        return convert_schedule(unit, node, statement);
    if (!strncmp(node->name, "__treefork_for_", 15)) {
        struct ast *loop = (struct ast *)cursor_convert(unit, statement);
        loop->is_meta = loop->kind == AST_FOR;
        return loop;
    }
    set_children(unit, node, children->at, children->count);
    return node;
}

/* `return x++` returns x where x ends with the call. */
static const struct ast *value_kept(const struct ast *value)
{
    bool steps = value->kind == AST_UNARY && (value->op == AST_OP_POST_INCREMENT ||
                                              value->op == AST_OP_POST_DECREMENT);
    const struct ast *name = steps ? value->children[0] : NULL;
    const struct ast *decl = name && name->kind == AST_REF ? name->decl : NULL;
    bool ends = decl && (decl->kind == AST_PARAMETER || decl->kind == AST_VARIABLE) &&
                !decl->is_global && !decl->is_static && !decl->is_extern &&
                !decl->type->is_volatile && ast_class_is_scalar(decl->type->class);
    return ends ? name : value;
}

static const struct ast *convert_return(struct ast_unit *unit, struct ast *node,
                                        const cursor_list *children)
{
    set_children(unit, node, children->at, children->count);
    if (!node->n_children)
        return node;
    const struct ast **value = ARENA_NEW(unit->ctx->arena, const struct ast *);
    *value = value_kept(node->children[0]);
    node->children = value;
    return node;
}

static const struct ast *convert_kind(struct ast_unit *unit, enum ast_kind kind, CXCursor cursor)
{
    cursor_list children = cursor_children(unit, cursor);
    struct ast *node = node_make(unit, kind, cursor);
    switch (kind) {
    case AST_INTEGER:
    case AST_CHARACTER:
    case AST_REAL:
        set_value(node, cursor);
        return node;
    case AST_SIZEOF:
        set_value(node, cursor);
        if (children.count && clang_isExpression(children.at[children.count - 1].kind))
            node->decl = cursor_convert(unit, children.at[children.count - 1]);
        return node;
    case AST_UNARY:
    case AST_BINARY:
    case AST_ASSIGN:
        return convert_operator(unit, node, cursor, &children);
    case AST_CALL:
        return convert_call(unit, node, cursor);
    case AST_FOR:
        return convert_for(unit, node, &children);
    case AST_CAST: /* before the operand stand the extents that its type names */
        if (children.count)
            set_children(unit, node, &children.at[children.count - 1], 1);
        return node;
    case AST_LABEL:
        return convert_label(unit, node, cursor, &children);
    case AST_GOTO:
        if (children.count)
            node->name = clang_text(unit->ctx->arena, clang_getCursorSpelling(children.at[0]));
        break;
    case AST_RETURN:
        return convert_return(unit, node, &children);
    case AST_MEMBER:
        node->name = clang_text(unit->ctx->arena, clang_getCursorSpelling(cursor));
        if (strchr(node->name, '('))
            node->name = "";             /* clang tells where the structure stands */
        node->integer = member_byte(cursor);
        break;
    default:
        break;
    }
    set_children(unit, node, children.at, children.count);
    return node;
}

static const struct ast *convert_cursor(struct ast_unit *unit, CXCursor cursor)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (clang_isDeclaration(kind))
        return cursor_declaration(unit, cursor);
    if (kind == CXCursor_DeclRefExpr)
        return convert_reference(unit, cursor);
    if (kind == CXCursor_ParenExpr || kind == CXCursor_UnexposedStmt ||
        kind == CXCursor_UnexposedExpr) {
        cursor_list children = cursor_children(unit, cursor);
        if (kind == CXCursor_UnexposedExpr)
            return convert_unexposed(unit, cursor, &children);
        return children.count ? cursor_convert(unit, children.at[children.count - 1])
                              : opaque(unit, cursor, "construct");
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].cursor == kind && rows[i].cursor != CXCursor_InvalidFile)
            return half_widened(unit, convert_kind(unit, rows[i].kind, cursor));
    if (clang_isExpression(kind) || clang_isStatement(kind))
        return opaque(unit, cursor,
                      clang_text(unit->ctx->arena, clang_getCursorKindSpelling(kind)));
    return NULL;
}

/* NULL for what is no part of the program's text (references to types, attributes). */
const struct ast *cursor_convert(struct ast_unit *unit, CXCursor cursor)
{
    struct ast_state *state = unit->state;
    if (state->depth >= AST_DEPTH_MAX) {
        if (!state->too_deep)
            diag_error(unit->ctx, clang_place(unit, clang_getCursorLocation(cursor)),
                       "nested more than %d levels deep; split the expression or statement",
                       AST_DEPTH_MAX);
        state->too_deep = true;
        return opaque(unit, cursor, "nesting");
    }
    state->depth++;
    const struct ast *node = convert_cursor(unit, cursor);
    state->depth--;
    return node;
}

/* A character as the devices' compilers have it: signed. */
static int64_t character_value(char c)
{
    int64_t value = (unsigned char)c;
    return value < 128 ? value : value - 256;
}

/* A string that initialises a const array of characters, as the list of its characters; NULL where
   the text may hold a character 0, which clang's value does not tell. */
static const struct ast *characters_of(struct ast_unit *unit, const struct ast *string,
                                       CXCursor cursor)
{
    CXEvalResult result = clang_Cursor_Evaluate(cursor);
    const char *text = result && clang_EvalResult_getKind(result) == CXEval_StrLiteral
                           ? clang_EvalResult_getAsStr(result)
                           : NULL;
    size_t n = text ? strlen(text) : 0;
    bool plain = text && string->end && !string->is_macro;
    for (size_t i = string->begin; plain && i + 1 < string->end; i++)
        plain = unit->source->text[i] != '\\' || !strchr("01234567xuU", unit->source->text[i + 1]);
    struct ast *list = ARENA_NEW(unit->ctx->arena, struct ast);
    const struct ast **characters = ARENA_ARRAY(unit->ctx->arena, const struct ast *, n + 1);
    *list = *string;
    list->kind = AST_LIST;
    for (size_t i = 0; i < n; i++) {
        struct ast *character = ARENA_NEW(unit->ctx->arena, struct ast);
        *character = *string;
        character->kind = AST_CHARACTER;
        character->type = string->type->element;
        character->integer = character_value(text[i]);
        characters[i] = character;
    }
    list->children = characters;
    list->n_children = (int)n;
    if (result)
        clang_EvalResult_dispose(result);
    return plain ? list : NULL;
}

static void fill_variable(struct ast_unit *unit, struct ast *node, CXCursor cursor)
{
    enum CX_StorageClass storage = clang_Cursor_getStorageClass(cursor);
    CXCursor initialiser = clang_Cursor_getVarDeclInitializer(cursor);
    node->is_static = storage == CX_SC_Static;
    node->is_extern = storage == CX_SC_Extern;
    node->is_register = storage == CX_SC_Register;
    node->is_global = clang_getCursorKind(clang_getCursorSemanticParent(cursor)) ==
                      CXCursor_TranslationUnit;
    node->owner = node->is_global ? NULL : unit->state->owner;
    node->type = type_of_declaration(unit, cursor);
    parts_mark_extents(unit, node);
    if (!clang_Cursor_isNull(initialiser))
        set_children(unit, node, &initialiser, 1);
    const struct ast_type *element = node->type->class == AST_TYPE_ARRAY ? node->type->element
                                                                         : NULL;
    if (node->n_children && node->children[0]->kind == AST_STRING && element && element->is_const &&
        element->bytes == 1) {
        const struct ast **list = ARENA_NEW(unit->ctx->arena, const struct ast *);
        *list = characters_of(unit, node->children[0], initialiser);
        node->children = *list ? list : node->children;
    }
}

/* Does a caller pass a parameter as another type than it has? The type of a definition in the old
   style has what the default promotions make of the parameters. */
static bool is_promoted(CXCursor function)
{
    CXType type = clang_getCursorType(function);
    int n = clang_getNumArgTypes(type);
    for (int i = 0; i < n; i++) {
        CXType own = clang_getCursorType(clang_Cursor_getArgument(function, (unsigned)i));
        CXType passed = clang_getCanonicalType(clang_getArgType(type, (unsigned)i));
        if (passed.kind != CXType_Pointer && passed.kind != clang_getCanonicalType(own).kind)
            return true;
    }
    return false;
}

static void fill_function(struct ast_unit *unit, struct ast *node, CXCursor cursor)
{
    struct arena *arena = unit->ctx->arena;
    const struct ast *outer = unit->state->owner;
    int n = clang_Cursor_getNumArguments(cursor);
    const struct ast **parameters = ARENA_ARRAY(arena, const struct ast *, n > 0 ? n : 1);
    CXCursor *kept = ARENA_NEW(arena, CXCursor);
    *kept = cursor;
    unit->state->owner = node;
    for (int i = 0; i < n; i++)
        parameters[i] = cursor_declaration(unit, clang_Cursor_getArgument(cursor, (unsigned)i));
    unit->state->owner = outer;
    node->children = parameters;
    node->n_children = n > 0 ? n : 0;
    node->is_static = clang_Cursor_getStorageClass(cursor) == CX_SC_Static;
    node->is_variadic = clang_Cursor_isVariadic(cursor) != 0;
    node->is_unprototyped = is_promoted(cursor);
    node->has_body = clang_isCursorDefinition(cursor) != 0;
    node->type = type_convert(unit, clang_getCursorResultType(cursor));
    node->cursor = kept;
}

/* One node per entity: the definition where there is one, known by its canonical declaration. NULL
   for declarations that are none of the program's own (and for second declarations of what is
   defined elsewhere in the file). */
const struct ast *cursor_declaration(struct ast_unit *unit, CXCursor cursor)
{
    const void *key = clang_getCanonicalCursor(cursor).data[0];
    struct ast *node = map_get_pointer(unit->state->decls, key);
    if (node)
        return node;
    CXCursor definition = clang_getCursorDefinition(cursor);
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (clang_Cursor_isNull(definition) || clang_getCursorKind(definition) != kind)
        definition = cursor;
    size_t row = 0, n = sizeof rows / sizeof *rows;
    while (row < n && rows[row].cursor != kind)
        row++;
    if (row == n || !clang_isDeclaration(kind))
        return NULL;
    node = node_make(unit, rows[row].kind, definition);
    node->name = clang_text(unit->ctx->arena, clang_getCursorSpelling(definition));
    map_put_pointer(unit->state->decls, key, node);
    if (kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl)
        fill_variable(unit, node, definition);
    else if (kind == CXCursor_FunctionDecl)
        fill_function(unit, node, definition);
    return node;
}

const struct ast *ast_body(struct ast_unit *unit, const struct ast *function)
{
    struct ast_state *state = unit->state;
    const struct ast *body = map_get_pointer(state->bodies, function);
    if (body || !function->has_body || !state->tu)
        return body;
    cursor_list children = cursor_children(unit, *(const CXCursor *)function->cursor);
    const struct ast *outer = state->owner;
    state->owner = function;
    for (size_t i = 0; i < children.count; i++)
        if (clang_getCursorKind(children.at[i]) == CXCursor_CompoundStmt)
            body = cursor_convert(unit, children.at[i]);
    state->owner = outer;
    map_put_pointer(state->bodies, function, (void *)body);
    return body;
}

/* Expressions of the AST as code.

   In: an expression, typed, its conversions explicit. Out: code of its value, or of the address of
   the named object. Scalars are slots of the frame, all other objects memory. An unknown construct
   becomes code that stops the run as unknown. */
#include "frontend/writes.h"
#include "replay/coding.h"
#include "replay/value.h"
#include <string.h>

struct code *code_begin(struct coding *coding, enum code_op op, enum ast_class class,
                      const struct ast *place)
{
    struct code *code = ARENA_NEW(coding->arena, struct code);
    code->op = op;
    code->class = code->from = class;
    code->mark = code->slot = -1;
    if (place)
        code->loc = place->loc;
    return code;
}

const struct code *code_constant(struct coding *coding, enum ast_class class, int64_t value)
{
    struct code *code = code_begin(coding, CODE_CONSTANT, class, NULL);
    code->value = value;
    return code;
}

const struct code *code_unknown(struct coding *coding, const struct ast *place, const char *what)
{
    enum ast_class class = place && place->type ? type_class(place->type) : AST_TYPE_VOID;
    struct code *code = code_begin(coding, CODE_UNKNOWN, class, place);
    code->name = what;
    return code;
}

const struct code *code_convert(struct coding *coding, const struct code *code,
                                enum ast_class class)
{
    if (code->class == class || code->op == CODE_UNKNOWN)
        return code;
    struct code *convert = code_begin(coding, CODE_CONVERT, class, NULL);
    convert->from = code->class;
    convert->a = code;
    convert->loc = code->loc;
    return convert;
}

bool is_known_class(enum ast_class class)
{
    return class_bytes(class) > 0 || class == AST_TYPE_VOID;
}

int slot_find(const struct coding *coding, const struct ast *decl)
{
    return coding->at ? number_get(coding->at->slots, decl) : -1;
}

/* --- literals --------------------------------------------------------------------------------- */

static void literal_note(struct coding *coding, int64_t value)
{
    literal_list *list = &coding->program->literals;
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i] == value)
            return;
    if (list->count < 64)
        vec_push(coding->arena, list, value);
}

static const struct code *integer_lower(struct coding *coding, const struct ast *ast)
{
    enum ast_class class = ast->type->class;
    bool is_literal = ast->kind == AST_INTEGER;
    int64_t value = class_wrap(class, ast->integer);
    struct code *code = code_begin(coding, CODE_CONSTANT, class, ast);
    code->value = value;
    if (is_literal && value >= LITERAL_LARGE)
        literal_note(coding, value);
    if (is_literal && value >= LITERAL_LARGE - 8)
        code->op = coding->chooses && value > 2 * LITERAL_LARGE ? CODE_LIMIT : CODE_LITERAL;
    return code;
}

static const struct code *real_lower(struct coding *coding, const struct ast *ast)
{
    struct code *code = code_begin(coding, CODE_CONSTANT, ast->type->class, ast);
    code->real = class_round(ast->type->class, ast->real);
    return code;
}

/* --- memory ----------------------------------------------------------------------------------- */

const struct ast *reducing_clause(const struct coding *coding, const struct ast *ast)
{
    const struct ast *base = ast;
    while (base && (base->kind == AST_INDEX || base->kind == AST_CAST || base->kind == AST_MEMBER))
        base = base->children[0];
    int n = coding->region ? coding->region->n_children : 0;
    for (int i = 1; i < n; i++) {
        const struct ast *clause = coding->region->children[i];
        if (strcmp(clause->decl->name, AST_REDUCE) != 0)
            continue;
        for (int k = 1; k < clause->n_children; k++) {
            const struct ast *name = ast_strip(clause->children[k]);
            const struct ast_type *type = name->type;
            while (!base && type && type->element)
                type = type->element;
            if (base ? base->kind == AST_REF && base->decl == name->decl
                     : type && !ast_class_is_integer(type->class))
                return clause;
        }
    }
    return NULL;
}

bool is_reduced(const struct coding *coding, const struct ast *ast)
{
    return reducing_clause(coding, ast) != NULL;
}

static struct code *load(struct coding *coding, const struct ast *ast, const struct code *address)
{
    struct code *code = code_begin(coding, CODE_LOAD, type_class(ast->type), ast);
    code->is_reduced = is_reduced(coding, ast);
    code->a = address;
    return code;
}

static const struct code *string_lower(struct coding *coding, const struct ast *ast)
{
    struct code *code = code_begin(coding, CODE_STRING, AST_TYPE_POINTER, ast);
    code->name = "a string";
    if (ast->end > ast->begin)
        code->name = arena_strndup(coding->arena, coding->unit->source->text + ast->begin,
                                   ast->end - ast->begin);
    return code;
}

/* The slot's value as it stands: a scalar, or the address of memory. */
static const struct code *slot_lower(struct coding *coding, const struct ast *ast, int slot,
                                     enum ast_class class)
{
    struct code *code = code_begin(coding, CODE_SLOT, class, ast);
    code->slot = slot;
    return code;
}

static bool is_variable(const struct ast *decl)
{
    return decl && (decl->kind == AST_VARIABLE || decl->kind == AST_PARAMETER);
}

static const struct code *reference_address(struct coding *coding, const struct ast *ast)
{
    int slot = slot_find(coding, ast->decl);
    if (!is_variable(ast->decl))
        return code_unknown(coding, ast, "the address of a function");
    if (slot >= 0)
        return slot_lower(coding, ast, slot, AST_TYPE_POINTER);
    struct code *code = code_begin(coding, CODE_GLOBAL, AST_TYPE_POINTER, ast);
    code->value = global_number(coding, ast->decl);
    return code;
}

static const struct code *reference_lower(struct coding *coding, const struct ast *ast)
{
    int slot = slot_find(coding, ast->decl);
    if (!is_variable(ast->decl))
        return code_unknown(coding, ast, "a function as a value");
    if (slot >= 0 && !is_object(coding, ast->decl))
        return slot_lower(coding, ast, slot, type_class(ast->type));
    const struct code *address = reference_address(coding, ast);
    return type_is_memory(ast->decl->type) ? address : load(coding, ast, address);
}

static const struct code *index_lower(struct coding *coding, const struct ast *ast)
{
    bool is_left = type_class(ast->children[0]->type) == AST_TYPE_POINTER;
    const struct ast *base = ast->children[!is_left], *index = ast->children[is_left];
    const struct ast_type *shape = shape_of(coding, base);
    struct code *code = code_begin(coding, CODE_ELEMENT, AST_TYPE_POINTER, ast);
    code->a = code_of_value(coding, base);
    code->b = code_of_value(coding, index);
    if (!shape_element(shape) || !stride_set(coding, code, shape_element(shape)))
        return code_unknown(coding, ast, "an array whose extents nobody knows");
    bool is_open = base->kind == AST_MEMBER && shape->count <= 1;
    code->d = is_open ? NULL : code_of_extent(coding, shape);
    code->is_row = base->kind == AST_INDEX;
    return code;
}

static const struct code *member_lower(struct coding *coding, const struct ast *ast)
{
    if (ast->integer < 0 || ast->n_children < 1 || !ast->children[0]->type)
        return code_unknown(coding, ast, "a member that is no whole number of bytes");
    const struct ast *base = ast->children[0];
    struct code *code = code_begin(coding, CODE_MEMBER, AST_TYPE_POINTER, ast);
    code->value = ast->integer;
    code->a = type_class(base->type) == AST_TYPE_POINTER ? code_of_value(coding, base)
                                                         : code_of_address(coding, base);
    return code;
}

/* `__real__ z` or `__imag__ z` */
static bool takes_part(const struct ast *ast)
{
    return (ast->op == AST_OP_REAL_PART || ast->op == AST_OP_IMAGINARY_PART) &&
           is_complex_type(ast->children[0]->type);
}

const struct code *code_of_address(struct coding *coding, const struct ast *ast)
{
    switch (ast->kind) {
    case AST_REF: return reference_address(coding, ast);
    case AST_INDEX: return index_lower(coding, ast);
    case AST_MEMBER: return member_lower(coding, ast);
    case AST_STRING: return string_lower(coding, ast);
    case AST_UNARY:
        if (ast->op == AST_OP_DEREFERENCE)
            return code_of_value(coding, ast->children[0]);
        if (takes_part(ast))
            return complex_part_address(coding, ast->children[0],
                                        ast->op == AST_OP_IMAGINARY_PART);
        break;
    default: break;
    }
    return code_unknown(coding, ast, "the address of a value");
}

static const struct code *element_lower(struct coding *coding, const struct ast *ast)
{
    const struct code *address = code_of_address(coding, ast);
    return type_is_memory(ast->type) || address->op == CODE_UNKNOWN ? address
                                                                    : load(coding, ast, address);
}

/* --- operators -------------------------------------------------------------------------------- */

static const struct code *pointer_sum(struct coding *coding, const struct ast *ast)
{
    bool is_left = type_class(ast->children[0]->type) == AST_TYPE_POINTER;
    const struct ast *base = ast->children[!is_left], *by = ast->children[is_left];
    bool differs = ast->op == AST_OP_SUB && type_class(by->type) == AST_TYPE_POINTER;
    struct code *code = code_begin(coding, differs ? CODE_DISTANCE : CODE_ADVANCE,
                                 differs ? type_class(ast->type) : AST_TYPE_POINTER, ast);
    code->how = ast->op;
    code->a = code_of_value(coding, base);
    code->b = code_of_value(coding, by);
    if (!stride_set(coding, code, shape_element(shape_of(coding, base))))
        return code_unknown(coding, ast, "a pointer to what has no known size");
    return code;
}

static const struct code *comparison_lower(struct coding *coding, const struct ast *ast)
{
    if (is_complex_type(ast->children[0]->type) || is_complex_type(ast->children[1]->type))
        return complex_compare(coding, ast);
    struct code *code = code_begin(coding, CODE_COMPARE, type_class(ast->type), ast);
    const struct code *a = code_of_value(coding, ast->children[0]);
    const struct code *b = code_of_value(coding, ast->children[1]);
    bool pointers = a->class == AST_TYPE_POINTER || b->class == AST_TYPE_POINTER;
    code->how = ast->op;
    code->from = pointers ? AST_TYPE_POINTER : class_common(a->class, b->class);
    if (!is_known_class(a->class) || !is_known_class(b->class))
        return code_unknown(coding, ast, "a comparison of a type that is not known");
    code->a = code_convert(coding, a, code->from);
    code->b = code_convert(coding, b, code->from);
    return code;
}

static const struct code *two_lower(struct coding *coding, const struct ast *ast, enum code_op op)
{
    struct code *code = code_begin(coding, op, type_class(ast->type), ast);
    code->a = code_of_value(coding, ast->children[0]);
    code->b = code_of_value(coding, ast->children[1]);
    return code;
}

/* The right operand. A divisor tells into how many parts something is cut, and bounds nothing. */
static const struct code *right_lower(struct coding *coding, const struct ast *ast)
{
    bool chooses = coding->chooses;
    coding->chooses &= ast->op != AST_OP_DIV;
    const struct code *right = code_of_value(coding, ast->children[1]);
    coding->chooses = chooses;
    return right;
}

static const struct code *binary_lower(struct coding *coding, const struct ast *ast)
{
    enum ast_class class = type_class(ast->type);
    bool pointers = type_class(ast->children[0]->type) == AST_TYPE_POINTER ||
                    type_class(ast->children[1]->type) == AST_TYPE_POINTER;
    switch (ast->op) {
    case AST_OP_LT:
    case AST_OP_GT:
    case AST_OP_LE:
    case AST_OP_GE:
    case AST_OP_EQ:
    case AST_OP_NE: return comparison_lower(coding, ast);
    case AST_OP_LAND: return two_lower(coding, ast, CODE_BOTH);
    case AST_OP_LOR: return two_lower(coding, ast, CODE_EITHER);
    case AST_OP_COMMA: return two_lower(coding, ast, CODE_SEQUENCE);
    default: break;
    }
    if (pointers)
        return pointer_sum(coding, ast);
    if (!ast_class_is_integer(class) && !class_is_real(class))
        return code_unknown(coding, ast, "an operator of a type that is not known");
    bool shifts = ast->op == AST_OP_SHL || ast->op == AST_OP_SHR;
    struct code *code = code_begin(coding, CODE_ARITHMETIC, class, ast);
    code->how = ast->op;
    code->a = code_convert(coding, code_of_value(coding, ast->children[0]), class);
    code->b = right_lower(coding, ast);
    if (!shifts)
        code->b = code_convert(coding, code->b, class);
    return code;
}

static const struct code *unary_lower(struct coding *coding, const struct ast *ast, enum code_op op)
{
    struct code *code = code_begin(coding, op, type_class(ast->type), ast);
    code->a = code_of_value(coding, ast->children[0]);
    code->from = code->a->class;
    if (op != CODE_NOT)
        code->a = code_convert(coding, code->a, code->class);
    return code;
}

/* Is it a call of malloc? A condition for it chooses between plans with and without memory. */
static bool allocates(const struct ast *ast)
{
    const struct ast *call = ast_strip(ast);
    return call->kind == AST_CALL && call->decl && !strcmp(call->decl->name, "malloc");
}

static const struct code *choice_lower(struct coding *coding, const struct ast *ast)
{
    enum ast_class class = type_class(ast->type);
    struct code *code = code_begin(coding, CODE_CHOICE, class, ast);
    if (ast->n_children != 3 || !is_known_class(class))
        return code_unknown(coding, ast, "a conditional of a type that is not known");
    bool chooses = coding->chooses;
    coding->chooses = class == AST_TYPE_POINTER && allocates(ast->children[1]);
    code->a = code_of_value(coding, ast->children[0]);
    coding->chooses = chooses;
    code->b = code_convert(coding, code_of_value(coding, ast->children[1]), class);
    code->c = code_convert(coding, code_of_value(coding, ast->children[2]), class);
    return code;
}

static const struct code *cast_lower(struct coding *coding, const struct ast *ast)
{
    enum ast_class class = type_class(ast->type);
    const struct ast *operand = ast->n_children ? ast->children[ast->n_children - 1] : NULL;
    if (!operand || !is_known_class(class))
        return code_unknown(coding, ast, "a conversion to a type that is not known");
    if (is_complex_type(operand->type) && class_is_real(class))
        return code_convert(coding, complex_part(coding, operand, 0), class);
    return code_convert(coding, code_of_value(coding, operand), class);
}

/* --- changes ---------------------------------------------------------------------------------- */

/* Does something at or below the node change what a second look at it sees? */
static bool has_effects(struct coding *coding, const struct ast *root)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, coding->arena, root); n; n = ast_next(&walk))
        if (change_target(n) || n->kind == AST_CALL)
            return true;
    return false;
}

/* Copies of single members read the places of both sides again. */
static const struct code *structure_assign(struct coding *coding, const struct ast *ast)
{
    const struct ast *value = ast->children[1];
    const struct code *target = code_of_address(coding, ast->children[0]);
    bool is_whole = value->kind != AST_LITERAL && ast->type->part;
    if (ast->op || (!is_whole && (has_effects(coding, ast->children[0]) ||
                                  has_effects(coding, value))))
        return code_unknown(coding, ast, "a structure is copied");
    return value->kind == AST_LITERAL ? structure_members(coding, target, value)
                                      : structure_copy(coding, target, value);
}

/* A change of what an lvalue names: of its slot, or of memory at its address. */
static struct code *change_new(struct coding *coding, const struct ast *ast,
                               const struct ast *target, enum code_op in_slot,
                               enum code_op in_memory)
{
    int slot = target->kind == AST_REF ? slot_find(coding, target->decl) : -1;
    bool is_slot = slot >= 0 && !is_object(coding, target->decl);
    enum code_op op = is_slot ? in_slot : in_memory;
    struct code *code = code_begin(coding, op, type_class(target->type), ast);
    code->slot = slot;
    code->is_reduced = is_reduced(coding, target);
    if (!is_slot)
        code->a = code_of_address(coding, target);
    code->mark = coding->program->n_marks++;
    code->stride = -1;
    return code;
}

static bool is_changeable(struct coding *coding, const struct ast *target, struct code *code)
{
    if (code->class != AST_TYPE_POINTER)
        return class_bytes(code->class) > 0;
    return !code->how || stride_set(coding, code, shape_element(shape_of(coding, target)));
}

static const struct code *assignment_lower(struct coding *coding, const struct ast *ast)
{
    const struct ast *target = ast->children[0];
    if (is_complex_type(target->type))
        return complex_assign(coding, ast);
    if (type_is_memory(target->type))
        return structure_assign(coding, ast);
    struct code *code = change_new(coding, ast, target, CODE_SET_SLOT, CODE_STORE);
    const struct code *value = code_of_value(coding, ast->children[1]);
    code->how = ast->op;
    if (!is_changeable(coding, target, code) || !is_known_class(value->class))
        return code_unknown(coding, ast, "an assignment of a type that is not known");
    bool shifts = ast->op == AST_OP_SHL || ast->op == AST_OP_SHR;
    code->b = ast->op ? value : code_convert(coding, value, code->class);
    code->from = shifts ? class_common(code->class, AST_TYPE_I32)
                        : class_common(code->class, value->class);
    return code;
}

static const struct code *step_lower(struct coding *coding, const struct ast *ast)
{
    const struct ast *target = ast->children[0];
    struct code *code = change_new(coding, ast, target, CODE_STEP_SLOT, CODE_STEP);
    bool is_down = ast->op == AST_OP_PRE_DECREMENT || ast->op == AST_OP_POST_DECREMENT;
    code->how = is_down ? AST_OP_SUB : AST_OP_ADD;
    code->is_before = ast->op == AST_OP_POST_INCREMENT || ast->op == AST_OP_POST_DECREMENT;
    code->from = class_common(code->class, AST_TYPE_I32);
    if (!is_changeable(coding, target, code))
        return code_unknown(coding, ast, "a step of a type that is not known");
    return code;
}

static const struct code *operator_lower(struct coding *coding, const struct ast *ast)
{
    switch (ast->op) {
    case AST_OP_PLUS:
        return code_convert(coding, code_of_value(coding, ast->children[0]), type_class(ast->type));
    case AST_OP_MINUS: return unary_lower(coding, ast, CODE_NEGATE);
    case AST_OP_COMPLEMENT: return unary_lower(coding, ast, CODE_COMPLEMENT);
    case AST_OP_NOT: return unary_lower(coding, ast, CODE_NOT);
    case AST_OP_DEREFERENCE: return element_lower(coding, ast);
    case AST_OP_ADDRESS: return code_of_address(coding, ast->children[0]);
    case AST_OP_PRE_INCREMENT:
    case AST_OP_PRE_DECREMENT:
    case AST_OP_POST_INCREMENT:
    case AST_OP_POST_DECREMENT: return step_lower(coding, ast);
    default:
        return takes_part(ast) ? complex_part(coding, ast->children[0],
                                              ast->op == AST_OP_IMAGINARY_PART)
                               : code_unknown(coding, ast, "an operator of complex numbers");
    }
}

static const struct code *block_value(struct coding *coding, const struct ast *ast)
{
    const struct ast *block = ast->n_children ? ast->children[0] : NULL;
    code_list list = {0};
    if (!block || block->kind != AST_COMPOUND)
        return code_unknown(coding, ast, "a statement as an expression");
    for (int i = 0; i < block->n_children; i++)
        vec_push(coding->arena, &list, code_of_statement(coding, block->children[i]));
    struct code *code = code_begin(coding, CODE_BLOCK_VALUE, type_class(ast->type), ast);
    code->list = list.at;
    code->n = (int)list.count;
    return code;
}

const struct code *code_of_value(struct coding *coding, const struct ast *ast)
{
    if (!ast->type)
        return code_unknown(coding, ast, "an expression without a type");
    switch (ast->kind) {
    case AST_INTEGER:
    case AST_CHARACTER:
    case AST_SIZEOF:
        return ast_class_is_integer(ast->type->class) ? integer_lower(coding, ast)
                                                      : code_unknown(coding, ast, "a literal");
    case AST_REAL:
        return class_is_real(ast->type->class) ? real_lower(coding, ast)
                                               : code_unknown(coding, ast, "a literal");
    case AST_ZERO:
        return code_convert(coding, code_constant(coding, AST_TYPE_I32, 0),
                            type_class(ast->type));
    case AST_REF: return reference_lower(coding, ast);
    case AST_INDEX:
    case AST_MEMBER: return element_lower(coding, ast);
    case AST_STRING: return string_lower(coding, ast);
    case AST_UNARY: return operator_lower(coding, ast);
    case AST_BINARY: return binary_lower(coding, ast);
    case AST_ASSIGN: return assignment_lower(coding, ast);
    case AST_CONDITIONAL: return choice_lower(coding, ast);
    case AST_CALL: return code_of_call(coding, ast);
    case AST_CAST: return cast_lower(coding, ast);
    case AST_STATEMENT_EXPR: return block_value(coding, ast);
    default:
        return code_unknown(coding, ast,
                            ast->name && *ast->name ? ast->name : ast_kind_text(ast->kind));
    }
}

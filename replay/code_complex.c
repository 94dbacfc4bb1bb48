/* Complex numbers as code: two numbers, one behind the other in memory.

   In: an expression of a complex type, or a real one of complex operands. Out: code of both parts,
   as C defines the operators: a real operand has no imaginary part (C11 6.3.1.8), a product is that
   of Annex G (code_product.c). Quotients of complex numbers, calls that get or give some, and what
   changes something while a value is computed stop the run as unknown. */
#include "frontend/writes.h"
#include "replay/coding.h"
#include "replay/value.h"
#include <string.h>

struct complex_code {
    enum ast_class class;            /* of the parts */
    const struct code *re, *im;      /* im: NULL of a real number */
};

bool is_complex_type(const struct ast_type *type)
{
    return type && type->is_complex && type->part;
}

static struct complex_code complex_lower(struct coding *coding, const struct ast *ast);

static struct complex_code complex_unknown(struct coding *coding, const struct ast *ast)
{
    const struct code *code = code_unknown(coding, ast, "an operator of complex numbers");
    return (struct complex_code){AST_TYPE_F64, code, code};
}

/* --- parts ------------------------------------------------------------------------------------ */

static const struct code *part_address(struct coding *coding, const struct code *address,
                                       const struct ast_type *type, int part)
{
    struct code *member = code_begin(coding, CODE_MEMBER, AST_TYPE_POINTER, NULL);
    member->a = address;
    member->value = type->fields[part].byte;
    return member;
}

static const struct code *part_load(struct coding *coding, const struct ast *ast, int part)
{
    struct code *load = code_begin(coding, CODE_LOAD, ast->type->part->class, ast);
    load->a = part_address(coding, code_of_address(coding, ast), ast->type, part);
    load->is_reduced = is_reduced(coding, ast);
    return load;
}

static const struct code *part_real(struct coding *coding, enum ast_class class, double value)
{
    struct code *code = code_begin(coding, CODE_CONSTANT, class, NULL);
    code->real = value;
    return code;
}

static const struct code *part_minus(struct coding *coding, const struct code *part)
{
    struct code *code = code_begin(coding, CODE_NEGATE, part->class, NULL);
    code->a = part;
    return code;
}

static const struct code *part_compute(struct coding *coding, enum ast_op op, enum ast_class class,
                                       const struct code *a, const struct code *b)
{
    struct code *code = code_begin(coding, CODE_ARITHMETIC, class, NULL);
    code->how = op;
    code->a = code_convert(coding, a, class);
    code->b = code_convert(coding, b, class);
    return code;
}

/* --- values ----------------------------------------------------------------------------------- */

static struct complex_code complex_sum_lower(struct coding *coding, enum ast_op op,
                                             enum ast_class class, struct complex_code a,
                                             struct complex_code b)
{
    struct complex_code sum = {class, part_compute(coding, op, class, a.re, b.re), NULL};
    if (a.im && b.im)
        sum.im = part_compute(coding, op, class, a.im, b.im);
    else if (a.im)
        sum.im = code_convert(coding, a.im, class);
    else
        sum.im = code_convert(coding, op == AST_OP_SUB ? part_minus(coding, b.im) : b.im, class);
    return sum;
}

static struct complex_code complex_product_lower(struct coding *coding, enum ast_class class,
                                                 struct complex_code a, struct complex_code b)
{
    struct complex_code product = {.class = class};
    const enum ast_op times = AST_OP_MUL;
    if (a.im && b.im) {
        const struct code *parts[2];
        const struct product_code whole = {
            coding, class, {code_convert(coding, a.re, class), code_convert(coding, a.im, class),
                            code_convert(coding, b.re, class), code_convert(coding, b.im, class)}};
        product_parts(&whole, parts);
        return (struct complex_code){class, parts[0], parts[1]};
    }
    product.re = part_compute(coding, times, class, a.re, b.re);
    product.im = part_compute(coding, times, class, a.im ? a.im : a.re, a.im ? b.re : b.im);
    return product;
}

static struct complex_code complex_operator(struct coding *coding, const struct ast *ast,
                                            enum ast_class class, struct complex_code a,
                                            struct complex_code b)
{
    if (!a.im && !b.im)
        return complex_unknown(coding, ast);
    switch (ast->op) {
    case AST_OP_ADD:
    case AST_OP_SUB: return complex_sum_lower(coding, ast->op, class, a, b);
    case AST_OP_MUL: return complex_product_lower(coding, class, a, b);
    case AST_OP_DIV:
        if (b.im || !a.im)
            return complex_unknown(coding, ast);
        return (struct complex_code){class, part_compute(coding, AST_OP_DIV, class, a.re, b.re),
                                     part_compute(coding, AST_OP_DIV, class, a.im, b.re)};
    default: return complex_unknown(coding, ast);
    }
}

static struct complex_code complex_unary(struct coding *coding, const struct ast *ast)
{
    struct complex_code value = complex_lower(coding, ast->children[0]);
    bool turns = ast->op == AST_OP_MINUS || ast->op == AST_OP_COMPLEMENT;
    if (!value.im || (!turns && ast->op != AST_OP_PLUS))
        return complex_unknown(coding, ast);
    if (ast->op == AST_OP_MINUS)
        value.re = part_minus(coding, value.re);
    if (turns)
        value.im = part_minus(coding, value.im);
    return value;
}

static struct complex_code complex_cast(struct coding *coding, const struct ast *ast)
{
    struct complex_code value = complex_lower(coding, ast->children[ast->n_children - 1]);
    enum ast_class class = ast->type->part->class;
    value.re = code_convert(coding, value.re, class);
    value.im = value.im ? code_convert(coding, value.im, class) : part_real(coding, class, 0);
    value.class = class;
    return value;
}

static struct complex_code complex_choice(struct coding *coding, const struct ast *ast)
{
    struct complex_code yes = complex_lower(coding, ast->children[1]),
                        no = complex_lower(coding, ast->children[2]);
    struct code *parts[2];
    if (!yes.im || !no.im)
        return complex_unknown(coding, ast);
    for (int i = 0; i < 2; i++) {
        parts[i] = code_begin(coding, CODE_CHOICE, yes.class, ast);
        parts[i]->a = code_of_value(coding, ast->children[0]);
        parts[i]->b = i ? yes.im : yes.re;
        parts[i]->c = i ? no.im : no.re;
    }
    return (struct complex_code){yes.class, parts[0], parts[1]};
}

/* The C library's name of a function of complex numbers without its last letter for float; "" of
   other calls. */
static const char *library_stem(struct coding *coding, const struct ast *ast)
{
    static const char builtin[] = "__builtin_";
    if (ast->kind != AST_CALL || !ast->decl || ast->decl->has_body)
        return "";
    const char *name = ast->decl->name;
    name += strncmp(name, builtin, sizeof builtin - 1) == 0 ? sizeof builtin - 1 : 0;
    size_t length = strlen(name);
    return length > 1 && name[length - 1] == 'f' ? arena_strndup(coding->arena, name, length - 1)
                                                 : name;
}

static struct complex_code complex_value_call(struct coding *coding, const struct ast *ast)
{
    const char *stem = library_stem(coding, ast);
    if (strcmp(stem, "complex") == 0 && ast->n_children == 2)
        return (struct complex_code){ast->type->part->class,
                                     code_of_value(coding, ast->children[0]),
                                     code_of_value(coding, ast->children[1])};
    if (strcmp(stem, "conj") != 0 || ast->n_children != 1)
        return complex_unknown(coding, ast);
    struct complex_code value = complex_lower(coding, ast->children[0]);
    if (!value.im)
        return complex_unknown(coding, ast);
    value.im = part_minus(coding, value.im);
    return value;
}

static struct complex_code complex_lower(struct coding *coding, const struct ast *ast)
{
    if (!is_complex_type(ast->type))
        return (struct complex_code){type_class(ast->type), code_of_value(coding, ast), NULL};
    enum ast_class class = ast->type->part->class;
    bool is_place = ast->kind == AST_REF || ast->kind == AST_INDEX || ast->kind == AST_MEMBER ||
                    (ast->kind == AST_UNARY && ast->op == AST_OP_DEREFERENCE);
    if (is_place)
        return (struct complex_code){class, part_load(coding, ast, 0), part_load(coding, ast, 1)};
    switch (ast->kind) {
    case AST_UNARY: return complex_unary(coding, ast);
    case AST_BINARY:
        return complex_operator(coding, ast, class, complex_lower(coding, ast->children[0]),
                              complex_lower(coding, ast->children[1]));
    case AST_CAST: return complex_cast(coding, ast);
    case AST_CONDITIONAL: return complex_choice(coding, ast);
    case AST_CALL: return complex_value_call(coding, ast);
    case AST_IMAGINARY:
        if (ast->n_children == 1 && ast->children[0]->kind == AST_REAL)
            return (struct complex_code){class, part_real(coding, class, 0),
                                         part_real(coding, class, ast->children[0]->real)};
        return complex_unknown(coding, ast);
    default: return complex_unknown(coding, ast);
    }
}

/* --- real numbers of complex ones ------------------------------------------------------------- */

const struct code *complex_part(struct coding *coding, const struct ast *ast, int part)
{
    struct complex_code value = complex_lower(coding, ast);
    if (!part)
        return value.re;
    return value.im ? value.im : part_real(coding, value.class, 0);
}

const struct code *complex_part_address(struct coding *coding, const struct ast *ast, int part)
{
    return part_address(coding, code_of_address(coding, ast), ast->type, part);
}

const struct code *complex_call(struct coding *coding, const struct ast *ast)
{
    const char *stem = library_stem(coding, ast);
    if (ast->n_children != 1 || !is_complex_type(ast->children[0]->type))
        return NULL;
    if (strcmp(stem, "creal") == 0 || strcmp(stem, "cimag") == 0)
        return complex_part(coding, ast->children[0], stem[1] == 'i');
    if (strcmp(stem, "cabs") != 0)
        return NULL;
    struct complex_code value = complex_lower(coding, ast->children[0]);
    struct code *code = code_begin(coding, CODE_MATH, value.class, ast);
    const struct code **list = ARENA_ARRAY(coding->arena, const struct code *, 2);
    list[0] = value.re;
    list[1] = value.im;
    code->list = list;
    code->n = 2;
    code->name = "hypot";
    code->value = math_find(code->name);
    return code;
}

const struct code *complex_compare(struct coding *coding, const struct ast *ast)
{
    bool is_equal = ast->op == AST_OP_EQ;
    struct code *code = code_begin(coding, is_equal ? CODE_BOTH : CODE_EITHER, AST_TYPE_I32, ast);
    struct code *parts[2];
    for (int i = 0; i < 2; i++) {
        const struct code *a = complex_part(coding, ast->children[0], i);
        const struct code *b = complex_part(coding, ast->children[1], i);
        parts[i] = code_begin(coding, CODE_COMPARE, AST_TYPE_I32, ast);
        parts[i]->how = ast->op;
        parts[i]->from = class_common(a->class, b->class);
        parts[i]->a = code_convert(coding, a, parts[i]->from);
        parts[i]->b = code_convert(coding, b, parts[i]->from);
    }
    code->a = parts[0];
    code->b = parts[1];
    return is_equal || ast->op == AST_OP_NE
               ? code : code_unknown(coding, ast, "an operator of complex numbers");
}

/* --- changes ---------------------------------------------------------------------------------- */

static bool has_effects(struct coding *coding, const struct ast *root)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, coding->arena, root); n; n = ast_next(&walk))
        if (change_target(n) || (n->kind == AST_CALL && n->decl && n->decl->has_body))
            return true;
    return false;
}

/* Both parts, or the real one alone, are computed before one is stored. */
static const struct code *parts_store(struct coding *coding, const struct ast *place,
                                      const struct ast_type *type, const struct code *address,
                                      struct complex_code parts, bool both)
{
    code_list list = {0};
    enum ast_class class = type->part->class;
    const struct code *const given[] = {parts.re,
                                        parts.im ? parts.im : part_real(coding, class, 0)};
    int slots[2], n = both ? 2 : 1;
    for (int i = 0; i < n; i++) {
        struct code *set = code_begin(coding, CODE_SET_SLOT, class, place);
        set->slot = slots[i] = slot_new(coding, NULL);
        set->b = code_convert(coding, given[i], class);
        set->stride = -1;
        vec_push(coding->arena, &list, set);
    }
    for (int i = 0; i < n; i++) {
        struct code *store = code_begin(coding, CODE_STORE, class, place);
        struct code *slot = code_begin(coding, CODE_SLOT, class, place);
        slot->slot = slots[i];
        store->a = part_address(coding, address, type, i);
        store->b = slot;
        store->mark = coding->program->n_marks++;
        store->stride = -1;
        vec_push(coding->arena, &list, store);
    }
    return code_block(coding, &list);
}

const struct code *complex_store(struct coding *coding, const struct ast *place,
                                 const struct ast_type *type, const struct code *address,
                                 const struct ast *value)
{
    if (has_effects(coding, value))
        return code_unknown(coding, value, "an operator of complex numbers");
    return parts_store(coding, place, type, address, complex_lower(coding, value), true);
}

/* `z *= d` computes in the wider type of both, as C says of all operators, and stores that of z. A
   real number that is added leaves the imaginary part as it is. */
const struct code *complex_assign(struct coding *coding, const struct ast *ast)
{
    const struct ast *target = ast->children[0], *value = ast->children[1];
    if (has_effects(coding, target) || has_effects(coding, value))
        return code_unknown(coding, ast, "an operator of complex numbers");
    const struct code *address = code_of_address(coding, target);
    struct complex_code parts = complex_lower(coding, value);
    enum ast_class class = class_common(target->type->part->class, parts.class);
    bool both = parts.im || (ast->op != AST_OP_ADD && ast->op != AST_OP_SUB);
    if (ast->op)
        parts = complex_operator(coding, ast, class, complex_lower(coding, target), parts);
    return parts_store(coding, ast, target->type, address, parts, both);
}

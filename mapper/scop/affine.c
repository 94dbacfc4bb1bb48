/* Expressions of C as affine forms over iterators and parameters.

   In: expressions of the front end. Out: struct affine. Signed arithmetic
   that overflows has no meaning in C, so that whole numbers are a true model of it; unsigned
   arithmetic is read as if it did not wrap, and noted for range.c to prove that. An expression over
   scalars that the fragment does not change is a parameter of its own (symbol.c). */
#include "mapper/scop/choices.h"
#include "mapper/scop/helper.h"
#include "mapper/scop/range.h"
#include "mapper/scop/values.h"
#include <string.h>

struct affine affine_constant(int64_t constant)
{
    return (struct affine){.constant = constant};
}

struct affine affine_of(int symbol)
{
    return (struct affine){.n_terms = 1, .terms = {{symbol, 1}}};
}

struct affine affine_iterator(const struct scop_loop *loop)
{
    return affine_of(loop->symbol);
}

static bool term_add(struct affine *a, int symbol, int64_t factor)
{
    int at = 0;
    while (at < a->n_terms && a->terms[at].symbol < symbol)
        at++;
    bool known = at < a->n_terms && a->terms[at].symbol == symbol;
    if (!known && a->n_terms == AFFINE_TERMS)
        return false;
    if (!known) {
        memmove(a->terms + at + 1, a->terms + at,
                (size_t)(a->n_terms++ - at) * sizeof a->terms[0]);
        a->terms[at] = (struct affine_term){symbol, 0};
    }
    if (__builtin_add_overflow(a->terms[at].factor, factor, &a->terms[at].factor))
        return false;
    if (!a->terms[at].factor)
        memmove(a->terms + at, a->terms + at + 1,
                (size_t)(--a->n_terms - at) * sizeof a->terms[0]);
    return true;
}

/* The name of a part of the constant, which is forgotten where there are too many. */
static void name_add(struct affine *a, int place, int64_t factor)
{
    int at = 0;
    while (at < a->n_names && a->names[at].symbol != place)
        at++;
    if (at == AFFINE_NAMES)
        return;
    if (at == a->n_names)
        a->names[a->n_names++] = (struct affine_term){place, 0};
    if (__builtin_add_overflow(a->names[at].factor, factor, &a->names[at].factor))
        a->names[at].factor = 0;
    if (!a->names[at].factor)
        a->names[at] = a->names[--a->n_names];
}

bool affine_add(struct affine *a, const struct affine *b, int64_t factor)
{
    int64_t constant, product;
    for (int i = 0; i < b->n_names; i++)
        if (!__builtin_mul_overflow(b->names[i].factor, factor, &product))
            name_add(a, b->names[i].symbol, product);
    if (__builtin_mul_overflow(b->constant, factor, &constant) ||
        __builtin_add_overflow(a->constant, constant, &a->constant))
        return false;
    for (int i = 0; i < b->n_terms; i++)
        if (__builtin_mul_overflow(b->terms[i].factor, factor, &product) ||
            !term_add(a, b->terms[i].symbol, product))
            return false;
    return true;
}

bool affine_equal(const struct affine *a, const struct affine *b)
{
    if (a->constant != b->constant || a->n_terms != b->n_terms)
        return false;
    for (int i = 0; i < a->n_terms; i++)
        if (a->terms[i].symbol != b->terms[i].symbol || a->terms[i].factor != b->terms[i].factor)
            return false;
    return true;
}

int64_t affine_factor(const struct affine *a, int symbol)
{
    for (int i = 0; i < a->n_terms; i++)
        if (a->terms[i].symbol == symbol)
            return a->terms[i].factor;
    return 0;
}

bool affine_has_iterator(const struct scop *scop, const struct affine *a)
{
    for (int i = 0; i < a->n_terms; i++)
        if (scop->symbols.at[a->terms[i].symbol].loop)
            return true;
    return false;
}

/* Does a conversion to the class keep every value of the other class? Of an unsigned class, only
   nonnegative values count. */
static bool keeps_values(const struct ast_type *from, const struct ast_type *to)
{
    if (!ast_class_is_integer(from->class))
        return false;
    if (class_is_unsigned(to->class))
        return from->bytes <= to->bytes;
    return class_is_signed(to->class) &&
           (class_is_signed(from->class) ? from->bytes <= to->bytes : from->bytes < to->bytes);
}

const struct scop_loop *loop_of_iterator(struct scop_place at, const struct ast *decl)
{
    for (int i = at.depth; i-- > 0;)
        if (at.loops[i]->iterator == decl)
            return at.loops[i];
    return NULL;
}

static bool read_sum(struct scop *scop, struct scop_place at, const struct ast *ast,
                     struct affine *out)
{
    struct affine right;
    if (!affine_read(scop, at, ast->children[0], out) ||
        !affine_read(scop, at, ast->children[1], &right))
        return false;
    if (ast->op != AST_OP_MUL)
        return affine_add(out, &right, ast->op == AST_OP_ADD ? 1 : -1);
    if (right.n_terms && out->n_terms)
        return false;
    struct affine product = affine_constant(0);
    bool scales_right = right.n_terms || (!out->n_terms && right.n_names);
    const struct affine *form = scales_right ? &right : out;
    bool fits = affine_add(&product, form, scales_right ? out->constant : right.constant);
    *out = product;
    return fits;
}

/* The argument that a parameter of the function being read stands for, at its own place. */
static bool read_argument(struct scop *scop, struct scop_place at, const struct ast_type *type,
                          const struct ast *argument, struct affine *out)
{
    bool keeps = argument->type && keeps_values(argument->type, type);
    if (!keeps || !affine_read(scop, at, argument, out))
        return false;
    if (class_is_unsigned(type->class) && class_is_signed(argument->type->class))
        range_add(scop, at, argument, type->class, out);
    return true;
}

/* The unsigned operand of a conversion to a signed type of no more bits: its value must be one of
   that type. */
static bool read_signed(struct scop *scop, struct scop_place at, const struct ast *operand,
                        const struct ast_type *type, struct affine *out)
{
    struct scop_place inside = at;
    inside.is_modular = false;
    if (!affine_read(scop, inside, operand, out))
        return false;
    if (out->n_terms)
        range_add(scop, inside, operand, type->bytes == 4 ? AST_TYPE_U32 : AST_TYPE_U64, out);
    return out->n_terms || (out->constant >= 0 && out->constant <= INT32_MAX);
}

/* The operand of a conversion. One of signed values to an unsigned type is part of what is computed
   there; else the operand must have a value of its own type. */
static bool read_operand(struct scop *scop, struct scop_place at, const struct ast *operand,
                         const struct ast_type *type, struct affine *out)
{
    struct scop_place inside = at;
    bool converts = class_is_unsigned(type->class) && class_is_signed(operand->type->class);
    bool same = class_is_unsigned(type->class) && operand->type->bytes == type->bytes;
    if (class_is_unsigned(operand->type->class) && class_is_signed(type->class) &&
        type->bytes >= 4 && type->bytes <= operand->type->bytes)
        return read_signed(scop, at, operand, type, out);
    inside.is_modular &= converts || same;
    if (!keeps_values(operand->type, type) || !affine_read(scop, inside, operand, out))
        return false;
    if (!converts || at.is_modular)
        return true;
    if (out->n_terms)
        range_add(scop, at, operand, type->class, out);
    return out->n_terms || out->constant >= 0;
}

/* A call of a function with a single `return` statement. */
static bool read_call(struct scop *scop, struct scop_place at, const struct ast *call,
                      struct affine *out)
{
    const struct ast *value = helper_enter(scop, call, &at);
    return value && value->type && read_operand(scop, at, value, call->type, out);
}

/* A quotient of literals, as in `sizeof a / sizeof *a`, or of parameters by a literal that a form
   has made, which is a parameter, too. */
static bool read_quotient(struct scop *scop, struct scop_place at, const struct ast *ast,
                          struct affine *out)
{
    struct affine dividend, divisor;
    bool good = affine_read(scop, at, ast->children[0], &dividend) &&
                !affine_has_iterator(scop, &dividend) &&
                affine_read(scop, at, ast->children[1], &divisor) && !divisor.n_terms &&
                !divisor.n_names && divisor.constant > 0;
    if (!good || (!dividend.n_terms && dividend.constant < 0))
        return false;
    *out = dividend.n_terms || dividend.n_names
               ? affine_quotient(scop, &dividend, divisor.constant, ast->type->class)
               : affine_constant(dividend.constant / divisor.constant);
    return true;
}

/* `n << 2` is n * 4, where C gives it a meaning. */
static bool read_shift(struct scop *scop, struct scop_place at, const struct ast *ast,
                       struct affine *out)
{
    struct affine left, right;
    return affine_read(scop, at, ast->children[0], &left) &&
           affine_read(scop, at, ast->children[1], &right) && !right.n_terms &&
           right.constant >= 0 && right.constant < 8 * ast->type->bytes - 1 &&
           affine_add(out, &left, (int64_t)1 << right.constant);
}

static bool read_operation(struct scop *scop, struct scop_place at, const struct ast *ast,
                           struct affine *out)
{
    struct affine inner;
    if (ast->kind == AST_UNARY)
        return (ast->op == AST_OP_MINUS || ast->op == AST_OP_PLUS) &&
               affine_read(scop, at, ast->children[0], &inner) &&
               affine_add(out, &inner, ast->op == AST_OP_MINUS ? -1 : 1);
    if (ast->op == AST_OP_DIV)
        return read_quotient(scop, at, ast, out);
    if (ast->op == AST_OP_SHL)
        return read_shift(scop, at, ast, out);
    return (ast->op == AST_OP_ADD || ast->op == AST_OP_SUB || ast->op == AST_OP_MUL) &&
           read_sum(scop, at, ast, out);
}

/* The result of an unsigned operation must be a value of the operation's type; results of the parts
   may wrap. */
static bool read_unsigned(struct scop *scop, struct scop_place at, const struct ast *ast,
                          struct affine *out)
{
    struct scop_place inside = at;
    inside.is_modular = true;
    bool good = read_operation(scop, inside, ast, out);
    if (good && !at.is_modular)
        range_add(scop, at, ast, ast->type->class, out);
    return good;
}

static bool read_form(struct scop *scop, struct scop_place at, const struct ast *ast,
                      struct affine *out)
{
    *out = affine_constant(0);
    if (!ast->type || !ast_class_is_integer(ast->type->class))
        return false;
    switch (ast->kind) {
    case AST_INTEGER:
    case AST_CHARACTER:
    case AST_SIZEOF:
        out->constant = ast->integer;
        return ast->type->class != AST_TYPE_U64 || ast->integer >= 0;
    case AST_REF: {
        struct scop_place caller = at;
        const struct ast *argument = helper_argument(ast->decl, &caller);
        if (argument)
            return read_argument(scop, caller, ast->type, argument, out);
        const struct ast *value = at.index || !at.stmt ? named_value(scop, ast->decl) : NULL;
        if (value)
            return affine_read(scop, at, value, out);
        const struct scop_loop *loop = loop_of_iterator(at, ast->decl);
        return loop && term_add(out, loop->symbol, 1);
    }
    case AST_CALL:
        return read_call(scop, at, ast, out);
    case AST_CAST:
        if (ast->is_made && ast->type->class == AST_TYPE_I32)
            return affine_read(scop, at, ast->children[0], out);
        return read_operand(scop, at, ast->children[0], ast->type, out);
    case AST_UNARY:
    case AST_BINARY:
        if (class_is_unsigned(ast->type->class))
            return read_unsigned(scop, at, ast, out);
        return class_is_signed(ast->type->class) && read_operation(scop, at, ast, out);
    default:
        return false;
    }
}

/* Names the constant if the whole expression is a call of a macro. The macro must have the same
   meaning in the printed text. */
static void constant_name(struct scop *scop, struct scop_place at, const struct ast *ast,
                          struct affine *out)
{
    struct affine_constant constant = {NULL, out->constant};
    bool calls = ast->is_macro && ast->is_macro_end && !ast->is_part && !ast->is_made &&
                 ast->end > ast->begin && class_is_signed(ast->type->class);
    if (!calls || at.frame || !macro_is_fixed(scop->unit, ast->begin))
        return;
    constant.text = arena_strndup(scop->arena, scop->unit->source->text + ast->begin,
                                  ast->end - ast->begin);
    size_t place = 0;
    while (place < scop->constants.count &&
           strcmp(scop->constants.at[place].text, constant.text) != 0)
        place++;
    if (place == scop->constants.count)
        vec_push(scop->arena, &scop->constants, constant);
    if (scop->constants.at[place].value != constant.value)
        return;
    out->n_names = 1;
    out->names[0] = (struct affine_term){(int)place, 1};
}

bool affine_read(struct scop *scop, struct scop_place at, const struct ast *ast, struct affine *out)
{
    size_t n_ranges = scop->ranges.count;
    if (read_form(scop, at, ast, out)) {
        if (!out->n_terms)
            constant_name(scop, at, ast, out);
        return true;
    }
    scop->ranges.count = n_ranges;
    bool is_rest = ast->kind == AST_BINARY;
    return (is_rest && choice_read(scop, at, ast, out)) ||
           parameter_read(scop, at, ast, out) ||
           (!is_rest && choice_read(scop, at, ast, out));
}

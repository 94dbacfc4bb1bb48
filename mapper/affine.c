/* Expressions of C as affine forms over iterators and parameters.

   In: expressions of the front end. Out: struct affine, and from it isl's forms. Signed arithmetic
   that overflows has no meaning in C, so that whole numbers are a true model of it; unsigned
   arithmetic is read as if it did not wrap, and noted for range.c to prove that. An expression over
   scalars that the fragment does not change is a parameter of its own, whatever its operators
   are. */
#include "mapper/scop.h"
#include <inttypes.h>
#include <isl/aff.h>
#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>
#include <string.h>

struct affine affine_constant(int64_t constant)
{
    return (struct affine){.constant = constant};
}

struct affine affine_iterator(const struct scop_loop *loop)
{
    struct affine form = affine_constant(0);
    form.n_terms = 1;
    form.terms[0] = (struct affine_term){loop->symbol, 1};
    return form;
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

bool affine_add(struct affine *a, const struct affine *b, int64_t factor)
{
    int64_t constant, product;
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

static int symbol_add(struct scop *scop, const char *text, const struct ast *decl,
                      const struct scop_loop *loop, enum ast_class class)
{
    int param = loop ? -1 : scop->n_params++;
    struct affine_symbol symbol = {.text = text, .decl = decl, .loop = loop, .param = param,
                                   .class = class};
    vec_push(scop->arena, &scop->symbols, symbol);
    return (int)scop->symbols.count - 1;
}

int affine_symbol_of(struct scop *scop, const struct scop_loop *loop)
{
    return symbol_add(scop, loop->name, NULL, loop, loop->iterator->type->class);
}

static int parameter_of(struct scop *scop, const char *text, const struct ast *decl,
                        enum ast_class class)
{
    for (size_t i = 0; i < scop->symbols.count; i++) {
        const struct affine_symbol *symbol = &scop->symbols.at[i];
        if (!symbol->loop && symbol->decl == decl && !strcmp(symbol->text, text))
            return (int)i;
    }
    return symbol_add(scop, text, decl, NULL, class);
}

static bool is_signed(enum ast_class class)
{
    return class == AST_TYPE_I8 || class == AST_TYPE_I16 || class == AST_TYPE_I32 ||
           class == AST_TYPE_I64;
}

/* Does a conversion to the class keep every value of the other? To an unsigned one, if it is not
   negative. */
static bool keeps_values(const struct ast_type *from, const struct ast_type *to)
{
    if (!ast_class_is_integer(from->class))
        return false;
    if (class_is_unsigned(to->class))
        return from->bytes <= to->bytes;
    return is_signed(to->class) &&
           (is_signed(from->class) ? from->bytes <= to->bytes : from->bytes < to->bytes);
}

static const struct scop_loop *loop_of(const struct scop_loop *const *loops, int depth,
                                       const struct ast *decl)
{
    for (int i = depth; i-- > 0;)
        if (loops[i]->iterator == decl)
            return loops[i];
    return NULL;
}

/* Operators that never trap, whatever their operands are. */
static bool is_harmless(const struct ast *n)
{
    bool divides = n->kind == AST_BINARY && (n->op == AST_OP_DIV || n->op == AST_OP_REM);
    const struct ast *divisor = divides ? ast_strip(n->children[1]) : NULL;
    return !divides || (divisor->kind == AST_INTEGER && divisor->integer > 0);
}

static const char *parameter_text(const struct scop *scop, const struct ast *ast);

/* A part of a macro's expansion, which has no text in the file; NULL if it is not made of names,
   sums and products. */
static const char *part_text(const struct scop *scop, const struct ast *ast)
{
    bool computes = ast->kind == AST_BINARY &&
                    (ast->op == AST_OP_ADD || ast->op == AST_OP_SUB || ast->op == AST_OP_MUL);
    if (ast->kind == AST_INTEGER && ast->type->class == AST_TYPE_I32)
        return arena_printf(scop->arena, "%" PRId64, ast->integer);
    const char *left = computes ? parameter_text(scop, ast->children[0]) : NULL;
    const char *right = left ? parameter_text(scop, ast->children[1]) : NULL;
    return right ? arena_printf(scop->arena, "(%s %s %s)", left, ast_op_text(ast->op), right)
                 : NULL;
}

/* What stands in the file, with the names that the mapper made of its parts (`p_wide` for
   `p.wide`); NULL if it made something else of one. */
static const char *named_text(const struct scop *scop, const struct ast *ast)
{
    const char *text = scop->unit->source->text;
    struct str out = str_new(scop->arena);
    struct ast_walk walk;
    size_t at = ast->begin;
    for (const struct ast *n = ast_first(&walk, scop->arena, ast); n; n = ast_next(&walk)) {
        if (!n->is_made)
            continue;
        if (n->kind != AST_REF || n->begin < at || n->end > ast->end)
            return NULL;
        str_add_n(&out, text + at, n->begin - at);
        str_add(&out, n->decl->name);
        at = n->end;
    }
    str_add_n(&out, text + at, ast->end - at);
    return out.text;
}

/* As the source has it, with the conversions that C makes of itself. */
static const char *parameter_text(const struct scop *scop, const struct ast *ast)
{
    if (ast->kind == AST_REF)
        return ast->decl->name;
    if (ast->kind == AST_CAST && (ast->is_implicit || ast->is_part)) {
        const char *operand = parameter_text(scop, ast->children[0]);
        return operand ? arena_printf(scop->arena, "(%s)%s", ast->type->text, operand) : NULL;
    }
    if (ast->is_part)
        return part_text(scop, ast);
    const char *text = named_text(scop, ast);
    return text ? arena_printf(scop->arena, "(%s)", text) : NULL;
}

/* What C's division says of a parameter `n / 2`. */
static void quotient_note(struct scop *scop, const struct scop_loop *const *loops, int depth,
                          const struct ast *ast, int symbol)
{
    struct affine *dividend = ARENA_NEW(scop->arena, struct affine);
    ast = ast_strip(ast);
    bool is_quotient = ast->kind == AST_BINARY && ast->op == AST_OP_DIV;
    const struct ast *divisor = is_quotient ? ast_strip(ast->children[1]) : NULL;
    bool divides = divisor && divisor->kind == AST_INTEGER && divisor->integer > 1 &&
                   divisor->integer < INT16_MAX && is_signed(ast->type->class);
    if (!divides || scop->isl || scop->symbols.at[symbol].dividend ||
        !affine_read(scop, loops, depth, ast->children[0], dividend))
        return;
    scop->symbols.at[symbol].dividend = dividend;
    scop->symbols.at[symbol].divisor = divisor->integer;
}

/* A parameter if it is made of literals and scalars that keep their values. */
static bool read_parameter(struct scop *scop, const struct scop_loop *const *loops, int depth,
                           const struct ast *ast, struct affine *out)
{
    struct ast_walk walk;
    bool has_name = false, changes = false;
    bool has_text = ast->end > ast->begin || ast->kind == AST_REF || ast->is_part;
    if (!ast->type || !has_text ||
        !(is_signed(ast->type->class) || class_is_unsigned(ast->type->class)))
        return false;
    for (const struct ast *n = ast_first(&walk, scop->arena, ast); n; n = ast_next(&walk)) {
        bool plain = n->kind == AST_INTEGER || n->kind == AST_CHARACTER || n->kind == AST_CAST ||
                     n->kind == AST_BINARY || n->kind == AST_SIZEOF || n->kind == AST_CONDITIONAL ||
                     (n->kind == AST_UNARY && n->op <= AST_OP_NOT);
        bool scalar = n->kind == AST_REF && n->type && ast_class_is_integer(n->type->class) &&
                      !n->type->is_volatile && !loop_of(loops, depth, n->decl) &&
                      !map_get_pointer(scop->written, n->decl) &&
                      !map_get_pointer(scop->is_declared, n->decl) &&
                      (!n->decl->owner || n->decl->owner == scop->fragment->function);
        has_name |= scalar;
        changes |= scalar && map_get_pointer(scop->changed, n->decl);
        bool comma = n->kind == AST_BINARY && n->op == AST_OP_COMMA;
        if ((!plain && !scalar) || !is_harmless(n) || comma)
            return false;
    }
    if (!has_name)
        return false;
    const char *text = parameter_text(scop, ast);
    if (!text)
        return false;
    int symbol = parameter_of(scop, text, ast->kind == AST_REF ? ast->decl : NULL,
                              ast->type->class);
    quotient_note(scop, loops, depth, ast, symbol);
    scop->symbols.at[symbol].changes = changes;
    *out = affine_constant(0);
    return term_add(out, symbol, 1);
}

struct affine affine_whole(struct scop *scop, const struct affine *form, enum ast_class class)
{
    struct affine whole = {.n_terms = 1, .terms = {{0, 1}}};
    for (size_t i = 0; i < scop->symbols.count; i++)
        if (scop->symbols.at[i].value && affine_equal(scop->symbols.at[i].value, form)) {
            whole.terms[0].symbol = (int)i;
            return whole;
        }
    struct affine *value = ARENA_NEW(scop->arena, struct affine);
    *value = *form;
    const char *text = arena_printf(scop->arena, "(%s)", affine_text(scop, form));
    whole.terms[0].symbol = symbol_add(scop, text, NULL, NULL, class);
    vec_last(&scop->symbols).value = value;
    return whole;
}

struct affine affine_quotient(struct scop *scop, const struct affine *dividend, int64_t divisor,
                              enum ast_class class)
{
    struct affine quotient = {.n_terms = 1, .terms = {{0, 1}}}, *own;
    bool is_name = dividend->n_terms == 1 && !dividend->constant && dividend->terms[0].factor == 1;
    const char *text = arena_printf(scop->arena, is_name ? "(%s / %" PRId64 ")"
                                                         : "((%s) / %" PRId64 ")",
                                    affine_text(scop, dividend), divisor);
    int symbol = parameter_of(scop, text, NULL, class);
    own = ARENA_NEW(scop->arena, struct affine);
    *own = *dividend;
    scop->symbols.at[symbol].dividend = own;
    scop->symbols.at[symbol].divisor = divisor;
    quotient.terms[0].symbol = symbol;
    return quotient;
}

static bool read_sum(struct scop *scop, const struct scop_loop *const *loops, int depth,
                     const struct ast *ast, struct affine *out)
{
    struct affine right;
    if (!affine_read(scop, loops, depth, ast->children[0], out) ||
        !affine_read(scop, loops, depth, ast->children[1], &right))
        return false;
    if (ast->op != AST_OP_MUL)
        return affine_add(out, &right, ast->op == AST_OP_ADD ? 1 : -1);
    if (right.n_terms && out->n_terms)
        return false;
    struct affine product = affine_constant(0);
    const struct affine *form = right.n_terms ? &right : out;
    bool fits = affine_add(&product, form, right.n_terms ? out->constant : right.constant);
    *out = product;
    return fits;
}

/* A parameter of the function being read as its argument. */
static bool read_argument(struct scop *scop, const struct scop_loop *const *loops, int depth,
                          const struct ast_type *type, const struct ast *argument,
                          const struct scop_frame *callee, struct affine *out)
{
    struct scop_frame *frame = scop->frame;
    int modular = scop->modular;
    bool keeps = argument->type && keeps_values(argument->type, type);
    scop->frame = (struct scop_frame *)callee->outer;
    scop->modular = 0;
    bool good = keeps && affine_read(scop, loops, depth, argument, out);
    scop->frame = frame;
    scop->modular = modular;
    if (good && class_is_unsigned(type->class) && is_signed(argument->type->class))
        range_add(scop, loops, depth, argument, type->class, out);
    return good;
}

/* The operand of a conversion. One of signed values to an unsigned type is part of what is computed
   there; else the operand must have a value of its own type. */
static bool read_operand(struct scop *scop, const struct scop_loop *const *loops, int depth,
                         const struct ast *operand, const struct ast_type *type,
                         struct affine *out)
{
    int modular = scop->modular;
    bool converts = class_is_unsigned(type->class) && is_signed(operand->type->class);
    bool same = class_is_unsigned(type->class) && operand->type->bytes == type->bytes;
    if (!converts && !same)
        scop->modular = 0;
    bool good = keeps_values(operand->type, type) &&
                affine_read(scop, loops, depth, operand, out);
    scop->modular = modular;
    if (good && converts && !modular && out->n_terms)
        range_add(scop, loops, depth, operand, type->class, out);
    return good && !(converts && !modular && !out->n_terms && out->constant < 0);
}

/* A call of a function that is one `return`. */
static bool read_call(struct scop *scop, const struct scop_loop *const *loops, int depth,
                      const struct ast *call, struct affine *out)
{
    struct scop_frame frame;
    const struct ast *value = helper_enter(scop, call, &frame);
    bool good = value && value->type && read_operand(scop, loops, depth, value, call->type, out);
    if (value)
        helper_leave(scop);
    return good;
}

/* A quotient of literals, as in `sizeof a / sizeof *a`. */
static bool read_quotient(struct scop *scop, const struct scop_loop *const *loops, int depth,
                          const struct ast *ast, struct affine *out)
{
    struct affine divisor;
    bool good = affine_read(scop, loops, depth, ast->children[0], out) && !out->n_terms &&
                affine_read(scop, loops, depth, ast->children[1], &divisor) && !divisor.n_terms &&
                out->constant >= 0 && divisor.constant > 0;
    if (good)
        out->constant /= divisor.constant;
    return good;
}

static bool read_operation(struct scop *scop, const struct scop_loop *const *loops, int depth,
                           const struct ast *ast, struct affine *out)
{
    struct affine inner;
    if (ast->kind == AST_UNARY)
        return (ast->op == AST_OP_MINUS || ast->op == AST_OP_PLUS) &&
               affine_read(scop, loops, depth, ast->children[0], &inner) &&
               affine_add(out, &inner, ast->op == AST_OP_MINUS ? -1 : 1);
    if (ast->op == AST_OP_DIV)
        return read_quotient(scop, loops, depth, ast, out);
    return (ast->op == AST_OP_ADD || ast->op == AST_OP_SUB || ast->op == AST_OP_MUL) &&
           read_sum(scop, loops, depth, ast, out);
}

/* What an unsigned operation gives is a value of its type; what its parts give need not be. */
static bool read_unsigned(struct scop *scop, const struct scop_loop *const *loops, int depth,
                          const struct ast *ast, struct affine *out)
{
    scop->modular++;
    bool good = read_operation(scop, loops, depth, ast, out);
    scop->modular--;
    if (good && !scop->modular)
        range_add(scop, loops, depth, ast, ast->type->class, out);
    return good;
}

static bool read_form(struct scop *scop, const struct scop_loop *const *loops, int depth,
                      const struct ast *ast, struct affine *out)
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
        const struct scop_frame *frame;
        const struct ast *argument = helper_argument(scop, ast->decl, &frame);
        if (argument)
            return read_argument(scop, loops, depth, ast->type, argument, frame, out);
        const struct ast *value = scop->index ? named_value(scop, ast->decl) : NULL;
        if (value)
            return affine_read(scop, loops, depth, value, out);
        const struct scop_loop *loop = loop_of(loops, depth, ast->decl);
        return loop && term_add(out, loop->symbol, 1);
    }
    case AST_CALL:
        return read_call(scop, loops, depth, ast, out);
    case AST_CAST:
        return read_operand(scop, loops, depth, ast->children[0], ast->type, out);
    case AST_UNARY:
    case AST_BINARY:
        if (class_is_unsigned(ast->type->class))
            return read_unsigned(scop, loops, depth, ast, out);
        return is_signed(ast->type->class) && read_operation(scop, loops, depth, ast, out);
    default:
        return false;
    }
}

bool affine_read(struct scop *scop, const struct scop_loop *const *loops, int depth,
                 const struct ast *ast, struct affine *out)
{
    size_t n_ranges = scop->ranges.count;
    if (read_form(scop, loops, depth, ast, out))
        return true;
    scop->ranges.count = n_ranges;
    bool is_rest = ast->kind == AST_BINARY;
    return (is_rest && choice_read(scop, loops, depth, ast, out)) ||
           read_parameter(scop, loops, depth, ast, out) ||
           (!is_rest && choice_read(scop, loops, depth, ast, out));
}

/* May the form add something below 0? Then unsigned parts are converted, or the sum might wrap. */
static bool subtracts(const struct scop *scop, const struct affine *a)
{
    bool found = a->constant < 0;
    for (int i = 0; i < a->n_terms; i++)
        found |= a->terms[i].factor < 0 ||
                 !class_is_unsigned(scop->symbols.at[a->terms[i].symbol].class);
    return found;
}

/* Positive terms first, then the constant, so that no sum begins with a minus where that can be
   helped. `wide`: numbers of 32 bits do not wrap in it. */
static char *sum_text(const struct scop *scop, const struct affine *a, bool wide)
{
    struct str out = str_new(scop->arena);
    bool converts = subtracts(scop, a);
    for (int sign = 1; sign >= -1; sign -= 2) {
        for (int i = 0; i < a->n_terms; i++) {
            int64_t factor = a->terms[i].factor;
            if ((factor > 0) != (sign > 0))
                continue;
            str_add(&out, out.length ? (sign > 0 ? " + " : " - ") : (sign > 0 ? "" : "-"));
            if (factor != sign)
                str_addf(&out, "%" PRIu64 " * ", factor < 0 ? -(uint64_t)factor : (uint64_t)factor);
            const struct affine_symbol *symbol = &scop->symbols.at[a->terms[i].symbol];
            bool longer = converts ? class_is_unsigned(symbol->class)
                                   : wide && symbol->class == AST_TYPE_U32;
            str_addf(&out, "%s%s", longer ? "(long)" : "", symbol->text);
        }
        if (sign > 0 && a->constant > 0 && a->n_terms)
            str_addf(&out, "%s%" PRId64, out.length ? " + " : "", a->constant);
    }
    if (!a->n_terms)
        str_addf(&out, "%" PRId64, a->constant);
    else if (a->constant < 0)
        str_addf(&out, " - %" PRIu64, -(uint64_t)a->constant);
    return out.text;
}

char *affine_text(const struct scop *scop, const struct affine *a)
{
    return sum_text(scop, a, false);
}

char *affine_wide_text(const struct scop *scop, const struct affine *a)
{
    return sum_text(scop, a, a->n_terms > 1 || a->constant ||
                                 (a->n_terms == 1 && a->terms[0].factor != 1));
}

static bool has_unsigned(const struct scop *scop, const struct affine *a)
{
    for (int i = 0; i < a->n_terms; i++)
        if (class_is_unsigned(scop->symbols.at[a->terms[i].symbol].class))
            return true;
    return false;
}

/* Are the parts signed numbers that may lie far apart, some of them subtracted? Iterators lie
   between their bounds. */
static bool may_be_far(const struct scop *scop, const struct affine *a)
{
    bool subtracted = false;
    for (int i = 0; i < a->n_terms; i++) {
        const struct affine_symbol *symbol = &scop->symbols.at[a->terms[i].symbol];
        if (symbol->loop)
            return false;
        subtracted |= a->terms[i].factor < 0;
    }
    return subtracted;
}

char *affine_positive_text(const struct scop *scop, const struct affine *a)
{
    struct affine more = *a, less = affine_constant(0);
    int64_t least = -a->constant;
    more.constant = more.n_terms = 0;
    if (has_unsigned(scop, a)) {
        /* Above a constant that has no sign either. */
        more = *a;
        least = least > 0 ? least : 0;
        more.constant += least;
        return arena_printf(scop->arena, "%s > %" PRId64, affine_wide_text(scop, &more), least);
    }
    bool compares = (least == 0 || least == -1) && a->n_terms == 2 &&
                    a->terms[0].factor * a->terms[1].factor == -1;
    if (!compares && !may_be_far(scop, a)) {
        more = *a;
        more.constant = 0;
        return arena_printf(scop->arena, "%s > %" PRId64, affine_text(scop, &more), least);
    }
    for (int i = 0; i < a->n_terms; i++) {
        struct affine *side = a->terms[i].factor > 0 ? &more : &less;
        side->terms[side->n_terms] = a->terms[i];
        side->terms[side->n_terms++].factor *= a->terms[i].factor > 0 ? 1 : -1;
    }
    const char *left = affine_text(scop, &more), *right = affine_text(scop, &less);
    if (!more.n_terms)
        return arena_printf(scop->arena, "%s < %" PRId64, right, -least);
    if (least == 0 || least == -1)
        return arena_printf(scop->arena, "%s %s %s", left, least ? ">=" : ">", right);
    return arena_printf(scop->arena, "%s > %s %c %" PRId64 "L", left, right, least > 0 ? '+' : '-',
                        least > 0 ? least : -least);
}

static int dimension_of(const struct scop_loop *const *loops, int depth,
                        const struct scop_loop *loop)
{
    for (int i = 0; i < depth; i++)
        if (loops[i]->symbol == loop->symbol)
            return i;
    return -1;
}

__isl_give isl_aff *affine_isl(const struct scop *scop, const struct scop_loop *const *loops,
                               int depth, const struct affine *a)
{
    isl_space *space = isl_space_copy(scop->params);
    space = isl_space_add_unnamed_tuple_ui(space, (unsigned)depth);
    isl_aff *aff = isl_aff_zero_on_domain(isl_local_space_from_space(space));
    aff = isl_aff_set_constant_val(aff, isl_val_int_from_si(scop->isl, (long)a->constant));
    for (int i = 0; i < a->n_terms; i++) {
        const struct affine_symbol *symbol = &scop->symbols.at[a->terms[i].symbol];
        isl_val *factor = isl_val_int_from_si(scop->isl, (long)a->terms[i].factor);
        int at = symbol->loop ? dimension_of(loops, depth, symbol->loop) : symbol->param;
        aff = isl_aff_set_coefficient_val(aff, symbol->loop ? isl_dim_in : isl_dim_param, at,
                                          factor);
    }
    return aff;
}

static bool is_comparison(enum ast_op op)
{
    return op >= AST_OP_LT && op <= AST_OP_NE;
}

static bool is_connective(const struct ast *ast)
{
    return (ast->kind == AST_BINARY && (ast->op == AST_OP_LAND || ast->op == AST_OP_LOR)) ||
           (ast->kind == AST_UNARY && ast->op == AST_OP_NOT);
}

/* The sides of a comparison; of a remainder that stands alone it is whether that is not 0. */
static bool sides_read(struct scop *scop, const struct scop_loop *const *loops, int depth,
                       const struct ast *ast, struct affine *left, struct affine *right)
{
    *right = affine_constant(0);
    if (ast->kind == AST_BINARY && is_comparison(ast->op))
        return affine_read(scop, loops, depth, ast->children[0], left) &&
               affine_read(scop, loops, depth, ast->children[1], right);
    return is_remainder(ast) && affine_read(scop, loops, depth, ast, left);
}

/* Are the sides affine in all ways that choices can be made? These are kept, if there are some. */
static bool comparison_is_affine(struct scop *scop, const struct scop_loop *const *loops, int depth,
                                 const struct ast *ast)
{
    struct affine left, right;
    struct choice_list next = {0};
    struct condition_pieces *pieces = ARENA_NEW(scop->arena, struct condition_pieces);
    if (scop->choices)
        return sides_read(scop, loops, depth, ast, &left, &right);
    do {
        struct choice_list *choices = ARENA_NEW(scop->arena, struct choice_list);
        *choices = next;
        scop->choices = choices;
        bool good = sides_read(scop, loops, depth, ast, &left, &right);
        scop->choices = NULL;
        vec_push(scop->arena, &pieces->choices, choices);
        if (!good || pieces->choices.count > ALTERNATIVES_MAX)
            return false;
        next = *choices;
    } while (choices_step(&next));
    if (vec_last(&pieces->choices)->n)
        map_put_pointer(scop->pieces, ast, pieces);
    return true;
}

bool condition_is_affine(struct scop *scop, const struct scop_loop *const *loops, int depth,
                         const struct ast *ast)
{
    size_t n_ranges = scop->ranges.count;
    bool good = true;
    if (is_connective(ast)) {
        for (int i = 0; i < ast->n_children && good; i++)
            good = condition_is_affine(scop, loops, depth, ast_strip(ast->children[i]));
    } else {
        good = comparison_is_affine(scop, loops, depth, ast);
    }
    if (!good)
        scop->ranges.count = n_ranges;
    return good;
}

static __isl_give isl_set *comparison_set(struct scop *scop, const struct scop_loop *const *loops,
                                          int depth, const struct ast *ast)
{
    struct affine forms[2];
    sides_read(scop, loops, depth, ast, &forms[0], &forms[1]);
    isl_aff *left = affine_isl(scop, loops, depth, &forms[0]);
    isl_aff *right = affine_isl(scop, loops, depth, &forms[1]);
    switch (ast->kind == AST_BINARY ? ast->op : AST_OP_NE) {
    case AST_OP_LT: return isl_aff_lt_set(left, right);
    case AST_OP_GT: return isl_aff_gt_set(left, right);
    case AST_OP_LE: return isl_aff_le_set(left, right);
    case AST_OP_GE: return isl_aff_ge_set(left, right);
    case AST_OP_EQ: return isl_aff_eq_set(left, right);
    default: return isl_aff_ne_set(left, right);
    }
}

/* The union of a comparison's pieces, each where its choices hold. */
static __isl_give isl_set *pieces_set(struct scop *scop, const struct scop_loop *const *loops,
                                      int depth, const struct ast *ast,
                                      const struct condition_pieces *pieces)
{
    isl_set *all = NULL;
    for (size_t i = 0; i < pieces->choices.count; i++) {
        scop->choices = pieces->choices.at[i];
        isl_set *own = comparison_set(scop, loops, depth, ast);
        scop->choices = NULL;
        own = choices_restrict(scop, loops, depth, pieces->choices.at[i], own);
        all = all ? isl_set_union(all, own) : own;
    }
    return isl_set_coalesce(all);
}

__isl_give isl_set *condition_set(struct scop *scop, const struct scop_loop *const *loops,
                                  int depth, const struct ast *ast)
{
    const struct condition_pieces *pieces = map_get_pointer(scop->pieces, ast);
    if (!is_connective(ast))
        return pieces && !scop->choices ? pieces_set(scop, loops, depth, ast, pieces)
                                        : comparison_set(scop, loops, depth, ast);
    isl_set *first = condition_set(scop, loops, depth, ast_strip(ast->children[0]));
    if (ast->op == AST_OP_NOT)
        return isl_set_complement(first);
    isl_set *second = condition_set(scop, loops, depth, ast_strip(ast->children[1]));
    return ast->op == AST_OP_LAND ? isl_set_intersect(first, second) : isl_set_union(first, second);
}

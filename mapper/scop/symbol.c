/* The symbols of affine forms: iterators, and what stays as it is while a fragment runs.

   In: expressions of the front end that are made of literals and of scalars that the fragment does
   not change. Out: a parameter for each expression, named by the source's text; two expressions
   with one text are one parameter. An expression need not be affine for that, whatever its
   operators are, so long as it cannot trap. A sum or a quotient of parameters can be a parameter of
   its own, which remembers what it stands for. */
#include "frontend/header.h"
#include "frontend/text.h"
#include "mapper/scop/range.h"
#include <inttypes.h>
#include <string.h>

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

/* `ast`: the expression, NULL if it is none of the source. Names in one text may mean different
   variables. */
static int parameter_of(struct scop *scop, const char *text, const struct ast *ast,
                        enum ast_class class)
{
    const struct ast *decl = ast && ast->kind == AST_REF ? ast->decl : NULL;
    for (size_t i = 0; i < scop->symbols.count; i++) {
        const struct affine_symbol *symbol = &scop->symbols.at[i];
        bool equal = symbol->ast && ast ? ast_equal(symbol->ast, ast)
                                        : !strcmp(symbol->text, text);
        if (!symbol->loop && symbol->decl == decl && equal)
            return (int)i;
    }
    int symbol = symbol_add(scop, text, decl, NULL, class);
    scop->symbols.at[symbol].ast = ast;
    return symbol;
}

/* Operators that never trap, whatever their operands are. */
static bool is_harmless(const struct ast *n)
{
    bool divides = n->kind == AST_BINARY && (n->op == AST_OP_DIV || n->op == AST_OP_REM);
    const struct ast *divisor = divides ? ast_strip(n->children[1]) : NULL;
    return !divides || (divisor->kind == AST_INTEGER && divisor->integer > 0);
}

/* The source's text of a parameter, with C's implicit conversions written out and with the mapper's
   names for its parts (`p_wide` for `p.wide`). NULL if the expression has no text. */
static const char *parameter_text(const struct scop *scop, const struct ast *ast)
{
    struct ast_writer writer = {scop->arena, scop->unit->source, NULL};
    if (ast->kind == AST_REF)
        return ast->decl->name;
    if (ast->kind == AST_CAST && ast->is_implicit) {
        const char *operand = parameter_text(scop, ast->children[0]);
        return operand ? arena_printf(scop->arena, "(%s)%s", ast->type->text, operand) : NULL;
    }
    const char *text = ast_text(&writer, ast);
    return text ? arena_printf(scop->arena, "(%s)", text) : NULL;
}

/* Notes the dividend of a parameter `n / 2`, with the rules of C's division. */
static void quotient_note(struct scop *scop, struct scop_place at, const struct ast *ast,
                          int symbol)
{
    struct affine *dividend = ARENA_NEW(scop->arena, struct affine);
    ast = ast_strip(ast);
    bool is_quotient = ast->kind == AST_BINARY && ast->op == AST_OP_DIV;
    const struct ast *divisor = is_quotient ? ast_strip(ast->children[1]) : NULL;
    bool divides = divisor && divisor->kind == AST_INTEGER && divisor->integer > 1 &&
                   divisor->integer < INT16_MAX && class_is_signed(ast->type->class);
    if (!divides || scop->isl || scop->symbols.at[symbol].dividend ||
        !affine_read(scop, at, ast->children[0], dividend))
        return;
    scop->symbols.at[symbol].dividend = dividend;
    scop->symbols.at[symbol].divisor = divisor->integer;
}

/* Literals, and operators over what stands below them. */
static bool is_plain(const struct ast *n)
{
    switch (n->kind) {
    case AST_INTEGER:
    case AST_CHARACTER:
    case AST_CAST:
    case AST_SIZEOF:
    case AST_CONDITIONAL:
        return true;
    case AST_BINARY:
        return n->op != AST_OP_COMMA;
    case AST_UNARY:
        return n->op <= AST_OP_NOT;
    default:
        return false;
    }
}

/* Is it a part of a value that a form chooses by a comparison, `n > 1 ? n : 1` (counted.c)? */
static bool is_choice(const struct ast *n)
{
    return n->kind == AST_CONDITIONAL || n->kind == AST_INTEGER || is_comparison(n);
}

/* The variable of a name that the fragment declares; NULL: none. */
static const struct ast *variable_inside(const struct scop *scop, const char *name)
{
    struct ast_walk walk;
    for (size_t i = 0; i < scop->fragment->n_statements; i++) {
        const struct ast *n = ast_first(&walk, scop->arena, scop->fragment->statements[i]);
        for (; n; n = ast_next(&walk))
            if (n->kind == AST_VARIABLE && !strcmp(n->name, name))
                return n;
    }
    return NULL;
}

const struct ast *variable_change(const struct scop *scop, const struct ast *decl)
{
    struct ast_walk walk;
    const struct ast *change = map_get_pointer(scop->written, decl);
    const struct ast *value = decl->is_made && decl->n_children ? decl->children[0] : NULL;
    if (change || !value || ast_has(value, AST_MEMBER) || ast_has(value, AST_INDEX))
        return change;
    for (const struct ast *n = ast_first(&walk, scop->arena, value); n; n = ast_next(&walk)) {
        if (n->kind != AST_REF)
            continue;
        change = variable_inside(scop, n->decl->name);
        change = change ? change : variable_change(scop, n->decl);
        if (change)
            return change;
    }
    return NULL;
}

/* A variable from outside the fragment that keeps its value while it runs. */
static bool is_kept_scalar(const struct scop *scop, struct scop_place at, const struct ast *n)
{
    return n->kind == AST_REF && n->type && ast_class_is_integer(n->type->class) &&
           !n->type->is_volatile && !loop_of_iterator(at, n->decl) &&
           !variable_change(scop, n->decl) && !map_get_pointer(scop->is_declared, n->decl) &&
           (!n->decl->owner || n->decl->owner == scop->fragment->function);
}

/* Is a value chosen in the expression, which the judge takes for no term of a sum? */
static bool has_choice(const struct scop *scop, const struct ast *ast)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, scop->arena, ast); n; n = ast_next(&walk))
        if (n->kind == AST_CONDITIONAL)
            return true;
    return false;
}

bool parameter_read(struct scop *scop, struct scop_place at, const struct ast *ast,
                    struct affine *out)
{
    struct ast_walk walk;
    bool has_name = false, changes = false;
    bool has_text = ast->end > ast->begin || ast->kind == AST_REF || ast->is_part;
    if (!ast->type || !has_text ||
        !(class_is_signed(ast->type->class) || class_is_unsigned(ast->type->class)))
        return false;
    for (const struct ast *n = ast_first(&walk, scop->arena, ast); n; n = ast_next(&walk)) {
        bool scalar = is_kept_scalar(scop, at, n);
        bool made = n->is_made && n->kind != AST_REF && n->kind != AST_CAST && !is_choice(n);
        if (made || (!is_plain(n) && !scalar) || !is_harmless(n))
            return false;
        has_name |= scalar;
        changes |= scalar && map_get_pointer(scop->changed, n->decl);
    }
    const char *text = has_name ? parameter_text(scop, ast) : NULL;
    if (!text)
        return false;
    int symbol = parameter_of(scop, text, ast, ast->type->class);
    if (has_choice(scop, ast)) {
        scop->symbols.at[symbol].choice = text;
        int *place = ARENA_NEW(scop->arena, int);
        *place = symbol;
        map_put_pointer(scop->chosen, ast, place);
    }
    quotient_note(scop, at, ast, symbol);
    scop->symbols.at[symbol].changes = changes;
    *out = affine_of(symbol);
    return true;
}

struct affine affine_whole(struct scop *scop, const struct affine *form, enum ast_class class)
{
    for (size_t i = 0; i < scop->symbols.count; i++)
        if (scop->symbols.at[i].value && affine_equal(scop->symbols.at[i].value, form))
            return affine_of((int)i);
    struct affine *value = ARENA_NEW(scop->arena, struct affine);
    *value = *form;
    const char *text = arena_printf(scop->arena, "(%s)", affine_text(scop, form));
    int symbol = symbol_add(scop, text, NULL, NULL, class);
    scop->symbols.at[symbol].value = value;
    return affine_of(symbol);
}

struct affine affine_quotient(struct scop *scop, const struct affine *dividend, int64_t divisor,
                              enum ast_class class)
{
    const char *text = arena_printf(scop->arena, "(%s / %" PRId64 ")",
                                    affine_operand_text(scop, dividend), divisor);
    int symbol = parameter_of(scop, text, NULL, class);
    struct affine *own = ARENA_NEW(scop->arena, struct affine);
    *own = *dividend;
    scop->symbols.at[symbol].dividend = own;
    scop->symbols.at[symbol].divisor = divisor;
    return affine_of(symbol);
}

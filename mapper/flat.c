/* Flat subscripts: a[i * n + j] as the element of row i and column j.

   In: the subscripts of pointers with one axis. Out: for each pointer that a parameter multiplies
   in subscripts its pitch, and subscripts split into row and column. The split is true where every
   column is at least 0 and below the pitch, which polyhedra.c asks isl for all instances: then two
   elements are equal only if rows and columns are. */
#include "mapper/scop.h"

static const struct ast *plain(const struct ast *ast)
{
    while (ast->kind == AST_CAST && ast->is_implicit)
        ast = ast->children[0];
    return ast;
}

static bool is_pitch(const struct scop *scop, const struct ast *factor)
{
    return factor->kind == AST_REF && factor->decl->kind != AST_FUNCTION &&
           ast_class_is_integer(factor->decl->type->class) &&
           !map_get_pointer(scop->written, factor->decl) &&
           !map_get_pointer(scop->is_declared, factor->decl);
}

/* The parameter that multiplies something in a subscript; NULL if there is none. */
static const struct ast *pitch_in(struct scop *scop, const struct ast *subscript)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, scop->arena, subscript); n; n = ast_next(&walk)) {
        if (n->kind == AST_INDEX)
            ast_skip(&walk);
        if (n->kind != AST_BINARY || n->op != AST_OP_MUL)
            continue;
        for (int i = 1; i >= 0; i--)
            if (is_pitch(scop, plain(n->children[i])))
                return plain(n->children[i])->decl;
    }
    return NULL;
}

void pitches_find(struct scop *scop, const struct ast *root)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, scop->arena, root); n; n = ast_next(&walk)) {
        const struct ast *base = n->kind == AST_INDEX ? n->children[0] : NULL;
        if (!base || base->kind != AST_REF || !base->decl->type->element ||
            base->decl->type->element->element)
            continue;
        const struct ast *pitch = pitch_in(scop, n->children[1]);
        if (pitch && !map_get_pointer(scop->pitches, base->decl))
            map_put_pointer(scop->pitches, base->decl, (void *)pitch);
    }
}

struct flat_split {
    struct scop *scop;
    const struct scop_loop *const *loops;
    int depth;
    const struct ast *pitch;
    struct affine *row, *column;
};

/* The form is the pitch itself. */
static bool is_pitch_form(const struct flat_split *s, const struct affine *form)
{
    return form->n_terms == 1 && !form->constant && form->terms[0].factor == 1 &&
           s->scop->symbols.at[form->terms[0].symbol].decl == s->pitch;
}

static bool split_product(const struct flat_split *s, const struct ast *product, int64_t sign)
{
    for (int i = 1; i >= 0; i--) {
        struct affine factor, rest;
        if (affine_read(s->scop, s->loops, s->depth, product->children[i], &factor) &&
            is_pitch_form(s, &factor) &&
            affine_read(s->scop, s->loops, s->depth, product->children[1 - i], &rest))
            return affine_add(s->row, &rest, sign);
    }
    return false;
}

static bool split(const struct flat_split *s, const struct ast *ast, int64_t sign)
{
    struct affine form;
    ast = plain(ast);
    bool sum = ast->kind == AST_BINARY && (ast->op == AST_OP_ADD || ast->op == AST_OP_SUB);
    if (!ast->type || (ast->type->class != AST_TYPE_I32 && ast->type->class != AST_TYPE_I64))
        return false;
    if (sum)
        return split(s, ast->children[0], sign) &&
               split(s, ast->children[1], ast->op == AST_OP_ADD ? sign : -sign);
    if (ast->kind == AST_BINARY && ast->op == AST_OP_MUL && split_product(s, ast, sign))
        return true;
    return affine_read(s->scop, s->loops, s->depth, ast, &form) &&
           affine_add(s->column, &form, sign);
}

bool subscript_split(struct scop *scop, const struct scop_loop *const *loops, int depth,
                     const struct ast *pitch, const struct ast *subscript, struct affine *row,
                     struct affine *column)
{
    struct flat_split s = {scop, loops, depth, pitch, row, column};
    *row = *column = affine_constant(0);
    if (!split(&s, subscript, 1))
        return false;
    for (int i = 0; i < column->n_terms; i++) {
        struct affine_term term = column->terms[i];
        struct affine whole = affine_constant(0), one = affine_constant(1);
        whole.n_terms = 1;
        whole.terms[0] = (struct affine_term){term.symbol, 1};
        if (is_pitch_form(&s, &whole))
            return affine_add(column, &whole, -term.factor) && affine_add(row, &one, term.factor);
    }
    return true;
}

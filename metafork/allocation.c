/* How many elements a local pointer's memory has: `p = malloc(n * sizeof(T))`, `p = &s->m`.

   In: a pointer to scalars, or to arrays. Out: the number of elements, over variables that have the
   same value at the region; NULL where the pointer's one value is neither such a call nor the
   address of a structure's member, which is one element. So it is known what must be copied for a
   loop that reads the array by index. */
#include "metafork/lower.h"
#include <string.h>

enum { FACTORS_MAX = 8 };

/* The factors of a product; of the factor `size`, the bytes of an element, the number alone. */
struct factors {
    int n, n_sizes;
    const struct ast *at[FACTORS_MAX];
    int64_t size;
};

/* The value before conversions that keep every value of at least 0. */
static const struct ast *converted_value(const struct ast *ast)
{
    while (ast->kind == AST_CAST && ast->type && ast_class_is_integer(ast->type->class) &&
           ast->children[0]->type && ast->type->bytes >= ast->children[0]->type->bytes)
        ast = ast->children[0];
    return ast;
}

/* Is the product of whole numbers what its factors say? A product of 32 bits may wrap if it has no
   sign. */
static bool never_wraps(const struct ast *product)
{
    return product->type && ast_class_is_integer(product->type->class) &&
           product->type->class != AST_TYPE_U32;
}

static bool factors_read(struct lower *l, const struct ast *product, struct factors *factors)
{
    const struct ast *ast = converted_value(product);
    if (ast->kind == AST_BINARY && ast->op == AST_OP_MUL && never_wraps(ast))
        return factors_read(l, ast->children[0], factors) &&
               factors_read(l, ast->children[1], factors);
    if (ast->kind == AST_SIZEOF && ast->integer == factors->size) {
        factors->n_sizes++;
        return true;
    }
    bool good = factors->n < FACTORS_MAX && is_repeatable(l, ast);
    if (good)
        factors->at[factors->n++] = ast;
    return good;
}

bool is_zero_value(const struct ast *ast)
{
    while (ast->kind == AST_CAST)
        ast = ast->children[0];
    return ast->kind == AST_INTEGER && ast->integer == 0;
}

/* The call of a function that allocates, if that is the pointer's value; else NULL. */
static const struct ast *allocating_call(const struct ast *value)
{
    while (value && value->kind == AST_CAST)
        value = value->children[0];
    const struct ast *function = value && value->kind == AST_CALL ? value->decl : NULL;
    bool allocates = function && !function->has_body &&
                     ((!strcmp(function->name, "malloc") && value->n_children == 1) ||
                      (!strcmp(function->name, "calloc") && value->n_children == 2));
    return allocates ? value : NULL;
}

/* Is the pointer's value the address of a member, if not NULL? */
static bool leads_to_member(const struct ast *value, const struct ast_type *element)
{
    const struct ast *at = value ? ast_strip(value) : NULL;
    if (at && at->kind == AST_CONDITIONAL && is_zero_value(at->children[2]))
        at = ast_strip(at->children[1]);
    const struct ast *member = at && at->kind == AST_UNARY && at->op == AST_OP_ADDRESS
                                   ? at->children[0] : NULL;
    return member && member->kind == AST_MEMBER && member->type && element &&
           member->type->class == element->class && member->type->bytes == element->bytes;
}

const struct expr *allocation_extent(struct lower *l, const struct ast *decl)
{
    const struct ast_type *element = decl->type->element;
    const struct ast *call = allocating_call(definition_of(l, decl));
    struct factors factors = {.size = element ? (int64_t)element->bytes : 0};
    if (leads_to_member(definition_of(l, decl), element))
        return expr_integer(l->arena, TYPE_I64, 1);
    bool good = call && factors.size > 0 && ast_class_is_scalar(element->class);
    if (!good)
        return NULL;
    for (int i = 0; i < call->n_children; i++)
        if (!factors_read(l, call->children[i], &factors))
            return NULL;
    if (factors.n_sizes != 1)
        return NULL;
    enum level level = l->level;
    const struct expr *extent = expr_integer(l->arena, TYPE_I64, 1);
    l->level = LEVEL_HOST;
    for (int i = 0; i < factors.n && extent; i++) {
        const struct expr *factor = expression_lower(l, factors.at[i]);
        extent = factor ? expr_binary(l->arena, OP_MUL, extent,
                                      expr_cast(l->arena, TYPE_I64, factor))
                        : NULL;
    }
    l->level = level;
    return extent && expr_reads_only_params(extent) ? extent : NULL;
}

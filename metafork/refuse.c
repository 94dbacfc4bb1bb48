/* Refusals: what a region may not contain, said at its place, by its name, with what to do instead.

   In: a node and, where the reason is not its kind alone, words. Out: one diagnostic. The rows are
   in frontend/refusal.def. In a text that the mapper printed such a thing is the mapper's fault. */
#include "metafork/lower.h"

void refuse(struct lower *l, const struct ast *node, const char *what, const char *instead)
{
    map_put_pointer(l->refused, node, (void *)node);
    l->ctx->is_internal |= l->ctx->judges;
    diag_error(l->ctx, node->loc, "%s is not possible in a region; %s", what, instead);
}

void refuse_row(struct lower *l, const struct ast *node, enum refusal row, const char *words)
{
    struct refusal_text text = refusal_text(l->arena, row, REFUSED_IN_REGION, words);
    refuse(l, node, text.called, text.instead);
}

void refuse_kind(struct lower *l, const struct ast *node)
{
    refuse_row(l, node, refusal_of_node(node, REFUSED_IN_REGION), refusal_name(node));
}

/* A loop whose head is refused is not read further, so a jump in its body would be met only when
   all else is mended. A `break` may be right then, in a band. */
void refuse_jumps(struct lower *l)
{
    struct ast_walk walk;
    const struct ast *schedule = l->schedule;
    for (const struct ast *n = ast_first(&walk, l->arena, schedule); n; n = ast_next(&walk)) {
        if (n->kind == AST_GOTO && !map_get_pointer(l->refused, n))
            refuse_kind(l, n);
    }
}

static const char *type_advice(enum ast_class class)
{
    switch (class) {
    case AST_TYPE_LONG_DOUBLE: return "use float or double";
    case AST_TYPE_HALF: return "use _Float16, float or double";
    case AST_TYPE_INT128: return "use integers of at most 64 bits";
    case AST_TYPE_ATOMIC: return "iterations of meta_for are independent and need no atomics";
    case AST_TYPE_VECTOR: return "use arrays of scalars";
    case AST_TYPE_POINTER: return "use array names with subscripts";
    case AST_TYPE_ARRAY: return "give every element a subscript in each dimension";
    case AST_TYPE_FUNCTION: return "call functions by their name";
    case AST_TYPE_STRUCT:
    case AST_TYPE_UNION: return "use scalars and arrays of scalars";
    default: return "use integers of at most 64 bits, _Float16, float or double";
    }
}

void refuse_type(struct lower *l, const struct ast *node, const struct ast_type *type)
{
    struct arena *arena = l->arena;
    if (type && type->is_volatile)
        refuse_row(l, node, REFUSE_VOLATILE, type->text);
    else if (type && type->is_complex)
        refuse(l, node, arena_printf(arena, "a value of type `%s`", type->text),
               "use real and imaginary parts as separate scalars, or plain C, which is mapped");
    else
        refuse(l, node, arena_printf(arena, "a value of type `%s` (%s)", type ? type->text : "?",
                                     ast_class_text(type ? type->class : AST_TYPE_OTHER)),
               type_advice(type ? type->class : AST_TYPE_OTHER));
}

/* Why a written subscript is no sum of iterators and parameters.

   In: the subscript. Out: the refusal that names the culprit: `^`, memory, a quotient or a variable
   of several values, as each wants something else in its place. A variable stands for all values
   that the fragment gives it. */
#include "frontend/writes.h"
#include "mapper/scop/extract.h"

struct makings {
    bool bits, memory, quotient;
    bool again;                      /* a variable that is set more than once */
};

struct inquiry {
    const struct scop *scop;
    struct map *seen;                /* variables whose values were looked at, as keys */
    struct makings makings;
};

static void value_look(struct inquiry *q, const struct ast *value);

/* Looks at the values of the variable: its first one and those of all assignments. */
static void variable_look(struct inquiry *q, const struct ast *variable)
{
    const struct fragment *f = q->scop->fragment;
    struct ast_walk walk;
    int n_values = 0;
    bool plain = variable->kind == AST_VARIABLE && variable->type &&
                 ast_class_is_integer(variable->type->class);
    if (!plain || map_get_pointer(q->seen, variable))
        return;
    map_put_pointer(q->seen, variable, q);
    if (variable->n_children == 1 && variable->begin >= f->begin) {   /* else a parameter */
        n_values++;
        value_look(q, variable->children[0]);
    }
    for (size_t i = 0; i < f->n_statements; i++) {
        const struct ast *n = ast_first(&walk, q->scop->arena, f->statements[i]);
        for (; n; n = ast_next(&walk))
            if (n->kind == AST_ASSIGN && is_ref_to(n->children[0], variable)) {
                n_values++;
                value_look(q, n->children[1]);
            }
    }
    q->makings.again |= n_values > 1;
}

static void value_look(struct inquiry *q, const struct ast *value)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, q->scop->arena, value); n; n = ast_next(&walk)) {
        bool binary = n->kind == AST_BINARY;
        q->makings.bits |= binary && n->op == AST_OP_XOR;
        q->makings.quotient |= binary && (n->op == AST_OP_DIV || n->op == AST_OP_REM) &&
                               ast_strip(n->children[1])->kind != AST_INTEGER;
        q->makings.memory |= n->kind == AST_INDEX || n->kind == AST_MEMBER ||
                             (n->kind == AST_UNARY && n->op == AST_OP_DEREFERENCE);
        if (n->kind == AST_REF)
            variable_look(q, n->decl);
    }
}

void *refuse_write(struct scop *scop, const struct ast *subscript, const char *name)
{
    struct inquiry q = {.scop = scop, .seen = map_new(scop->arena)};
    value_look(&q, subscript);
    enum refusal refusal = q.makings.bits       ? REFUSE_WRITE_BITS
                           : q.makings.memory   ? REFUSE_WRITE_INDEX
                           : q.makings.quotient ? REFUSE_WRITE_QUOTIENT
                           : q.makings.again    ? REFUSE_WRITE_AGAIN
                                                : REFUSE_WRITE_SUBSCRIPT;
    return scop_refuse(scop, refusal, subscript->loc, name);
}

/* Names for values: `int at = y * w + x;`, `const double c = a[i][k];`.

   In: a declaration inside a loop of the fragment. Out: is it a name, that is, does each of its
   variables keep for good a value that follows from iterators, other names and memory that the
   fragment leaves alone? A name is no statement: it joins nothing in one thread, and every thread
   that uses it declares it anew. Subscripts are read through names, and what a name reads counts
   where it is used. */
#include "frontend/calls.h"
#include "frontend/writes.h"
#include "mapper/scop/extract.h"
#include "mapper/scop/helper.h"
#include "mapper/scop/values.h"

const struct ast *named_value(const struct scop *scop, const struct ast *decl)
{
    bool has_value = decl->kind == AST_VARIABLE && decl->n_children == 1 &&
                     map_get_pointer(scop->is_declared, decl) &&
                     !map_get_pointer(scop->written, decl) && !decl->is_static &&
                     !decl->is_extern && type_is_scalar(decl->type) && !decl->type->is_volatile;
    return has_value ? decl->children[0] : NULL;
}

bool is_named(const struct scop *scop, const struct ast *decl)
{
    return map_get_pointer(scop->named, decl) != NULL;
}

/* Everything in memory that the fragment may change: what is assigned to, also in functions that it
   calls, and what is given to a function. */
void stored_collect(struct scop *scop, const struct ast *root)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, scop->arena, root); n; n = ast_next(&walk)) {
        const struct ast *called = n->kind == AST_CALL && n->decl && n->decl->has_body ? n->decl
                                                                                       : NULL;
        if (called && !map_get_pointer(scop->stored, called)) {
            map_put_pointer(scop->stored, called, (void *)n);
            stored_collect(scop, ast_body(scop->unit, called));
        }
        int n_given = n->kind == AST_CALL ? n->n_children : change_target(n) != NULL;
        for (int i = 0; i < n_given; i++) {
            const struct ast *base = ast_base(n->children[i]);
            if (base && base->decl->type && base->decl->type->element)
                map_put_pointer(scop->stored, base->decl, (void *)n);
        }
    }
}

static bool keeps_value(const struct scop *scop, struct scop_place at, const struct ast *ref)
{
    const struct ast *decl = ref->decl;
    if (decl->type && decl->type->element)
        return !map_get_pointer(scop->stored, decl) && !map_get_pointer(scop->written, decl) &&
               !map_get_pointer(scop->is_declared, decl);
    return loop_of_iterator(at, decl) || is_named(scop, decl) ||
           (!map_get_pointer(scop->written, decl) && !map_get_pointer(scop->is_declared, decl));
}

/* May its text be copied, with other names in it: does no macro stand there but for numbers? */
static bool can_be_copied(const struct scop *scop, const struct ast *n)
{
    return !n->is_part && (!n->is_macro || (n->kind != AST_REF &&
                                            macro_is_fixed(scop->unit, n->begin)));
}

static bool value_is_fixed(const struct scop *scop, struct scop_place at, const struct ast *value)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, scop->arena, value); n; n = ast_next(&walk)) {
        bool plain = ast_is_expression(n) && n->kind != AST_ASSIGN && n->kind != AST_LIST &&
                     !(n->kind == AST_CALL && !call_is_pure(n)) &&
                     !(n->kind == AST_UNARY && n->op > AST_OP_NOT) &&
                     !(n->kind == AST_BINARY && n->op == AST_OP_COMMA);
        if (!plain || !can_be_copied(scop, n) || (n->kind == AST_REF && !keeps_value(scop, at, n)))
            return false;
    }
    return true;
}

bool names_read(struct scop *scop, struct scop_place at, const struct ast *declare)
{
    bool good = at.depth > 0 && !declare->is_macro;
    for (int i = 0; i < declare->n_children && good; i++) {
        const struct ast *value = named_value(scop, declare->children[i]);
        good = value && value_is_fixed(scop, at, value) &&
               !sizeof_asks(scop, declare->children[i]);
        if (good)
            map_put_pointer(scop->named, declare->children[i], (void *)declare);
    }
    if (!good)
        for (int i = 0; i < declare->n_children; i++)
            map_put_pointer(scop->named, declare->children[i], NULL);
    return good;
}

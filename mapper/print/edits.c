/* Changes of the source's text outside of its fragments.

   In: a mapped file. Out: the edits, by place. A scalar that carries a value is an array of one
   element in the mapped text, which begins with the value from before, whether a round reads it or
   not. Where loops without a round may leave the scalar without a value, its declaration therefore
   gets 0:

       int half;                                   int half = 0;
       for (int l = 0; l < n; l++)                 …
           half = m >> l;                          int half_0[1] = {half};

   An integer that the regions count with gets one, too, as the test before them may read it where
   no loop runs. */
#include "mapper/print/edits.h"
#include "mapper/scop/behind.h"
#include <string.h>

static void edit_add(struct arena *arena, edit_list *edits, struct edit edit)
{
    size_t at = edits->count;
    vec_push(arena, edits, edit);
    while (at > 0 && edits->at[at - 1].begin > edit.begin) {
        edits->at[at] = edits->at[at - 1];
        at--;
    }
    edits->at[at] = edit;
}

static void pragma_leave_out(const struct plain_file *mapping, const struct ast_pragma *pragma,
                             edit_list *edits)
{
    const char *text = mapping->source->text;
    size_t begin = pragma->begin, end = pragma->end;
    while (begin > 0 && text[begin - 1] != '\n')
        begin--;
    edit_add(mapping->arena, edits, (struct edit){begin, end + (text[end] == '\n'), ""});
}

/* Does the source's text end a declaration without a value by the variable's name? Not if a macro
   made it. */
static bool ends_by_name(const struct plain_file *mapping, const struct ast *decl)
{
    size_t length = strlen(decl->name);
    return decl->end >= length && decl->end <= mapping->source->length &&
           !memcmp(mapping->source->text + decl->end - length, decl->name, length);
}

static void value_give(const struct plain_file *mapping, const struct ast *decl, edit_list *edits)
{
    bool is_new = ends_by_name(mapping, decl);
    for (size_t i = 0; i < edits->count && is_new; i++)
        is_new = edits->at[i].begin != decl->end;
    if (is_new)
        edit_add(mapping->arena, edits, (struct edit){decl->end, decl->end, " = 0"});
}

static void values_give(const struct plain_file *mapping, const struct scop *scop,
                        edit_list *edits)
{
    for (size_t i = 0; i < scop->arrays.count; i++) {
        const struct scop_array *scalar = scop->arrays.at[i];
        if (scalar->is_carried && scalar->is_live_in && variable_may_be_unset(scop, scalar->decl))
            value_give(mapping, scalar->decl, edits);
    }
    for (size_t i = 0; i < scop->symbols.count; i++) {
        const struct affine_symbol *symbol = &scop->symbols.at[i];
        if (symbol->param >= 0 && symbol->decl && symbol->decl->kind == AST_VARIABLE &&
            variable_may_be_unset(scop, symbol->decl))
            value_give(mapping, symbol->decl, edits);
    }
}

edit_list edits_find(const struct plain_file *mapping)
{
    edit_list edits = {0};
    for (size_t i = 0; i < mapping->pragmas.count; i++)
        pragma_leave_out(mapping, &mapping->pragmas.at[i], &edits);
    for (size_t i = 0; i < mapping->plans.count; i++) {
        const struct schedule *plan = mapping->plans.at[i];
        for (; plan; plan = plan->otherwise)
            values_give(mapping, plan->scop, &edits);
    }
    return edits;
}

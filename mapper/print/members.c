/* Declarations of the variables that stand for members of structures.

   In: a fragment that names such variables, which forms made (members.c, lengths.c, nulls.c,
   strides.c, records.c, written.c). Out: their declarations, before the fragment's text. */
#include "frontend/ask.h"
#include "frontend/text.h"
#include "mapper/forms/forms.h"
#include "mapper/print/members.h"
#include "mapper/scop/sink.h"
#include <string.h>

typedef VEC(const struct ast *) variable_list;

static void variables_add(struct arena *arena, const struct ast *root, variable_list *list)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, root); n; n = ast_next(&walk)) {
        bool is_new = n->is_made && n->kind == AST_REF && n->decl->is_made;
        for (size_t i = 0; i < list->count && is_new; i++)
            is_new = list->at[i] != n->decl;
        if (is_new && n->decl->children[0]->is_made)
            variables_add(arena, n->decl->children[0], list);
        if (is_new)
            vec_push(arena, list, n->decl);
    }
}

/* The rounds of a loop (forms/strides.c), or whether a pointer is there (forms/nulls.c). */
static void made_value_print(struct str *out, const struct scop *scop, const struct ast *variable)
{
    struct ast_writer writer = {scop->arena, scop->unit->source, NULL};
    const char *value = ast_text(&writer, variable->children[0]);
    const char *type = variable->type->canonical;
    bool converts = variable->children[0]->type->class != variable->type->class;
    str_addf(out, converts ? "const %s %s = (%s)(%s);\n" : "const %s %s = %.0s%s;\n", type,
             variable->name, type, value ? value : "0");
}

/* The variables that the fragment names, with those that keep conditions (sink.h). */
static variable_list variables_of(const struct scop *scop)
{
    const struct sinking *sinking = scop->fragment->sinking;
    variable_list list = {0};
    for (size_t i = 0; i < scop->fragment->n_statements; i++)
        variables_add(scop->arena, scop->fragment->statements[i], &list);
    size_t n_kept = sinking ? sinking->kept.count : 0;
    for (size_t i = 0; i < n_kept; i++)
        vec_push(scop->arena, &list, sinking->kept.at[i]);
    return list;
}

bool members_are_used(const struct scop *scop)
{
    return variables_of(scop).count > 0;
}

void members_print(struct str *out, const struct scop *scop, int indent)
{
    variable_list list = variables_of(scop);
    for (size_t i = 0; i < list.count; i++) {
        const struct ast *variable = list.at[i], *value = variable->children[0];
        bool scalar = type_is_scalar(variable->type), by_pointer = variable->integer;
        if (value->kind == AST_CONDITIONAL && value->is_made) {
            str_indent(out, indent);
            made_value_print(out, scop, variable);
            continue;
        }
        struct ast_writer writer = {scop->arena, scop->unit->source, NULL};
        if (value->kind == AST_REF) {   /* records.c */
            str_indent(out, indent);
            record_print(out, &writer, variable);
            continue;
        }
        if (written_structure(variable)) {
            str_indent(out, indent);
            written_print(out, &writer, variable);
            continue;
        }
        const char *text = ast_text(&writer, value);
        const struct ast *base = value;
        while (base->n_children)
            base = base->children[0];
        const char *type = scalar ? variable->type->canonical : variable->type->text;
        str_indent(out, indent);
        str_addf(out, "%s%s%s%s = ", scalar ? "const " : "", type,
                 type[strlen(type) - 1] == '*' ? "" : " ", variable->name);
        if (by_pointer)
            str_addf(out, "%s ? ", base->decl->name);
        str_addf(out, "%s%s;\n", text ? text : "0", by_pointer ? " : 0" : "");
    }
}

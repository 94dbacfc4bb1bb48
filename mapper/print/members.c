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

/* --- when they are read ----------------------------------------------------------------------- */

enum { ENTRIES_MAX = 3 };

/* The conditions under which a fragment reads a variable: of each place those of the loops around
   it, "n > 0 && m > 0". */
struct entries {
    const struct scop *scop;
    const struct ast *variable;
    const struct ast *const *later;  /* in the order of declaration, from the variable on */
    size_t n_later;
    const char *at[ENTRIES_MAX];
    int n;
    bool is_always;
};

static bool entry_is_known(const struct entries *e, const char *conditions)
{
    for (int i = 0; i < e->n; i++)
        if (!strcmp(e->at[i], conditions))
            return true;
    return false;
}

/* conditions: NULL: there is none. */
static void entry_add(struct entries *e, const struct ast *ast, const char *conditions)
{
    if (e->is_always || !ast || !ast_mentions(ast, e->variable))
        return;
    e->is_always = !conditions || (e->n == ENTRIES_MAX && !entry_is_known(e, conditions));
    if (!e->is_always && !entry_is_known(e, conditions))
        e->at[e->n++] = conditions;
}

/* Adds the condition of the loop's first round, if it compares parameters that are declared before
   the variable. */
static const char *conditions_below(const struct entries *e, const struct scop_loop *loop,
                                    const char *conditions)
{
    const struct scop *scop = e->scop;
    struct affine way = loop->step > 0 ? loop->limits[0] : loop->start;
    const struct affine *begin = loop->step > 0 ? &loop->start : &loop->limits[0];
    const struct affine one = affine_constant(1);
    bool good = affine_add(&way, begin, -1) && affine_add(&way, &one, 1) && way.n_terms > 0 &&
                !affine_has_iterator(scop, &way);
    for (size_t i = 0; i < e->n_later && good; i++)
        good = !ast_mentions(loop->ast->children[0], e->later[i]) &&
               !ast_mentions(loop->ast->children[1], e->later[i]);
    const char *own = good ? affine_positive_text(scop, &way) : NULL;
    if (!own || !conditions)
        return own ? own : conditions;
    return arena_printf(scop->arena, "%s && %s", conditions, own);
}

static void entries_find(struct entries *e, const struct scop_node *node, const char *conditions)
{
    const struct ast *ast = node->ast;
    bool is_loop = node->kind == SCOP_LOOP;
    int n_header = is_loop ? ast->n_children - 1 : node->kind == SCOP_IF;
    if (node->kind == SCOP_LEAF || node->kind == SCOP_NAMES)
        entry_add(e, ast, conditions);
    for (int i = 0; i < n_header; i++)
        entry_add(e, ast->children[i], conditions);
    if (is_loop)
        conditions = conditions_below(e, node->loop, conditions);
    for (int i = 0; i < node->n_children; i++)
        if (node->children[i])
            entries_find(e, node->children[i], conditions);
}

/* The pointer, or the variable, that the value of a variable begins with. */
static const struct ast *value_base(const struct ast *variable)
{
    const struct ast *base = variable->children[0];
    while (base->n_children)
        base = base->children[0];
    return base->decl;
}

static struct entries entries_of(const struct scop *scop, const variable_list *list, size_t at)
{
    struct entries of = {scop, list->at[at], &list->at[at], list->count - at, {NULL}, 0, false};
    entries_find(&of, scop->root, NULL);
    return of;
}

/* The variables that are always read before the others, whose conditions may name them; what a
   variable's value mentions stays before that variable. */
static variable_list always_first(const struct scop *scop, const variable_list *list)
{
    variable_list sorted = {0}, others = {0};
    for (size_t i = 0; i < list->count; i++) {
        struct entries of = {.scop = scop, .variable = list->at[i]};
        entries_find(&of, scop->root, NULL);
        bool is_first = of.is_always || !of.n;
        for (size_t k = 0; k < list->count && !is_first; k++)
            is_first = k != i && ast_mentions(list->at[k], list->at[i]);
        vec_push(scop->arena, is_first ? &sorted : &others, list->at[i]);
    }
    for (size_t i = 0; i < others.count; i++)
        vec_push(scop->arena, &sorted, others.at[i]);
    return sorted;
}

/* When the fragment reads the member that a variable of the list stands for: "(n > 0 || m > 0)";
   NULL if it always does, or reads another one by the same pointer, or nobody can say. all: by
   place in the list. */
static const char *read_when(const struct scop *scop, const variable_list *list,
                             const struct entries *all, size_t at)
{
    const struct ast *variable = list->at[at];
    bool is_always = all[at].is_always || !all[at].n;
    for (size_t i = 0; i < list->count && !is_always; i++) {
        const struct ast *other = list->at[i];
        bool is_beside = i != at && other->integer && value_base(other) == value_base(variable);
        is_always = (i != at && ast_mentions(other, variable)) ||
                    (is_beside && all[i].is_always);
    }
    if (is_always)
        return NULL;
    struct str out = str_new(scop->arena);
    for (int i = 0; i < all[at].n; i++)
        str_addf(&out, "%s%s", i ? " || " : "", all[at].at[i]);
    return all[at].n > 1 ? arena_printf(scop->arena, "(%s)", out.text) : out.text;
}

/* --- declarations ----------------------------------------------------------------------------- */

void members_print(struct str *out, const struct scop *scop, int indent)
{
    const variable_list found = variables_of(scop), list = always_first(scop, &found);
    struct entries *entries = ARENA_ARRAY(scop->arena, struct entries, list.count + 1);
    for (size_t i = 0; i < list.count; i++)
        entries[i] = entries_of(scop, &list, i);
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
        const char *when = by_pointer ? read_when(scop, &list, entries, i) : NULL;
        const char *type = scalar ? variable->type->canonical : variable->type->text;
        str_indent(out, indent);
        str_addf(out, "%s%s%s%s = ", scalar ? "const " : "", type,
                 type[strlen(type) - 1] == '*' ? "" : " ", variable->name);
        if (by_pointer)
            str_addf(out, "%s%s%s ? ", when ? when : "", when ? " && " : "",
                     value_base(variable)->name);
        str_addf(out, "%s%s;\n", text ? text : "0", by_pointer ? " : 0" : "");
    }
}

/* Loops that macros write: `#define SAVE(x, n) { total += 1; for (i = 0; i < n; i++) x[i] = 0; }`.

   In: the nests of a function. Out: those that pay refused if they stand in the call of a macro
   which also writes a statement with an effect that no such nest has. Mapped text takes the place
   of the whole call, so that such a statement would be lost. Declarations without a value, blocks
   and a `do … while (0)` around the loops may be lost: the mapped text declares what it needs. */
#include "frontend/ask.h"
#include "mapper/plan/nest.h"
#include "mapper/scop/scop.h"

struct macro_place {
    const nest_list *nests;
    size_t first;                    /* of the function's nests */
    size_t begin, end;               /* bytes of what takes the place of the call */
};

static bool is_mapped(const struct macro_place *place, const struct ast *ast)
{
    for (size_t i = place->first; i < place->nests->count; i++) {
        const struct nest *nest = place->nests->at[i];
        for (size_t k = 0; k < nest->fragment.n_statements; k++)
            if (nest->fragment.statements[k] == ast)
                return nest_pays(nest);
    }
    return false;
}

/* May the statement be lost with the call, as nests have all that it does? */
static bool is_spared(const struct macro_place *place, const struct ast *ast)
{
    bool good = ast->kind == AST_EMPTY || ast->kind == AST_COMPOUND || ast->kind == AST_DECLARE ||
                (ast->kind == AST_VARIABLE && !ast->n_children);
    if (is_mapped(place, ast))
        return true;
    if (ast->kind == AST_DO)
        return ast->children[1]->kind == AST_INTEGER && !ast->children[1]->integer &&
               is_spared(place, ast->children[0]);
    for (int i = 0; i < ast->n_children && good; i++)
        good = !ast->children[i] || is_spared(place, ast->children[i]);
    return good;
}

/* Is all spared that stands at the bytes of the place, below the node? */
static bool call_is_spared(const struct macro_place *place, const struct ast *ast)
{
    bool is_apart = ast->end <= place->begin || place->end <= ast->begin;
    bool is_around = ast->begin < place->begin || ast->end > place->end;
    if (is_apart || is_mapped(place, ast))
        return true;
    int count = is_around ? ast->n_children : 0;
    for (int i = 0; i < count; i++) {
        const struct ast *child = ast->children[i];
        bool is_statement = child && (ast->kind == AST_COMPOUND || !ast_is_expression(child));
        if (is_statement && !call_is_spared(place, child))
            return false;
    }
    return is_around || is_spared(place, ast);
}

void nests_in_macros_refuse(const struct ast *body, const nest_list *list, size_t first)
{
    for (bool changes = true; changes;) {
        changes = false;
        for (size_t i = first; i < list->count; i++) {
            struct nest *nest = list->at[i];
            const struct fragment *f = &nest->fragment;
            struct macro_place place = {list, first, f->begin, f->end};
            bool shares = false;
            for (size_t k = 0; k < f->n_statements; k++)
                shares |= f->statements[k]->is_part;
            if (!shares || !nest_pays(nest) || call_is_spared(&place, body))
                continue;
            scop_refuse(nest->scop, REFUSE_MACRO_LOOP, f->loc, NULL);
            nest->refusal = nest->scop->refusal;
            nest->plan = NULL;
            nest->scop = NULL;
            changes = true;
        }
    }
}

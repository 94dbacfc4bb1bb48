/* Graphs of a file for Graphviz: who calls whom, dependences of statements; flow.c draws control.

   In: a unit. Out: a graph in the order of the text, the same for the same file. */
#include "mapper/ask/ask.h"
#include "mapper/ask/graph.h"
#include "mapper/ask/report.h"
#include "mapper/plan/nest.h"
#include <string.h>

enum { TEXT_MOST = 60 };

const char *graph_text(struct arena *arena, const struct ast_unit *unit, size_t begin, size_t end)
{
    const char *text = unit->source->text + begin;
    size_t length = 0;
    while (begin + length < end && text[length] != '\n' && length < TEXT_MOST)
        length++;
    while (length && (text[length] & 0xC0) == 0x80)
        length--;
    bool whole = begin + length == end;
    return arena_printf(arena, "%.*s%s", (int)length, text, whole ? "" : " ...");
}

static const char *quoted(struct arena *arena, const char *text)
{
    struct str out = str_new(arena);
    str_quote(&out, text);
    return out.text;
}

const char *graph_label(struct arena *arena, const char *text)
{
    struct str out = str_new(arena);
    for (; *text; text++) {
        if (*text == '\n')
            str_add(&out, "\\l");
        else if (*text == '"' || *text == '\\')
            str_addf(&out, "\\%c", *text);
        else
            str_char(&out, *text == '\t' ? ' ' : *text);
    }
    return out.text;
}

void graph_begin(struct str *out, const char *name)
{
    str_addf(out, "digraph %s {\n  node [shape=box, fontname=\"monospace\"];\n"
                  "  edge [fontname=\"monospace\"];\n", name);
}

bool functions_find(struct ctx *ctx, struct ast_unit *unit, struct map_choice *choice,
                    function_list *list)
{
    if (choice->function) {
        const struct ast *function = function_named(ctx, unit, choice);
        if (function)
            vec_push(ctx->arena, list, function);
        return function != NULL;
    }
    for (size_t i = 0; i < unit->n_declarations; i++) {
        const struct ast *decl = unit->declarations[i];
        if (decl->kind == AST_FUNCTION && decl->has_body && ast_body(unit, decl))
            vec_push(ctx->arena, list, decl);
    }
    return true;
}

/* --- calls ------------------------------------------------------------------------------------ */

struct callee {
    const char *name;
    int count;
};
typedef VEC(struct callee) callee_list;

static void callee_add(struct arena *arena, callee_list *list, const char *name)
{
    struct callee callee = {name, 1};
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->at[i].name, name) == 0) {
            list->at[i].count++;
            return;
        }
    vec_push(arena, list, callee);
}

static callee_list callees_of(struct ctx *ctx, struct ast_unit *unit, const struct ast *function)
{
    struct ast_walk walk;
    callee_list list = {0};
    const struct ast *n = ast_first(&walk, ctx->arena, ast_body(unit, function));
    for (; n; n = ast_next(&walk)) {
        bool own = n->decl && n->decl->name && strncmp(n->decl->name, "__treefork", 10) == 0;
        if (n->kind == AST_CALL && !own)
            callee_add(ctx->arena, &list, n->decl ? n->decl->name : "(a pointer)");
    }
    return list;
}

bool mapping_draw_calls(struct ctx *ctx, struct str *out, struct ast_unit *unit,
                        struct map_choice *choice)
{
    function_list functions = {0};
    callee_list others = {0};
    if (!functions_find(ctx, unit, choice, &functions))
        return false;
    graph_begin(out, "calls");
    for (size_t i = 0; i < functions.count; i++)
        str_addf(out, "  %s [label=\"%s\\nline %u\"];\n",
                 quoted(ctx->arena, functions.at[i]->name), functions.at[i]->name,
                 loc_line(functions.at[i]->loc));
    for (size_t i = 0; i < functions.count; i++) {
        callee_list list = callees_of(ctx, unit, functions.at[i]);
        for (size_t k = 0; k < list.count; k++) {
            str_addf(out, "  %s -> %s", quoted(ctx->arena, functions.at[i]->name),
                     quoted(ctx->arena, list.at[k].name));
            if (list.at[k].count > 1)
                str_addf(out, " [label=\"%d times\"]", list.at[k].count);
            str_add(out, ";\n");
            bool here = false;
            for (size_t f = 0; f < functions.count; f++)
                here |= strcmp(functions.at[f]->name, list.at[k].name) == 0;
            if (!here)
                callee_add(ctx->arena, &others, list.at[k].name);
        }
    }
    for (size_t i = 0; i < others.count; i++)
        str_addf(out, "  %s [style=dashed];\n", quoted(ctx->arena, others.at[i].name));
    str_add(out, "}\n");
    return true;
}

/* --- dependences ------------------------------------------------------------------------------ */

/* "C, loop k": the array and what orders the pair. */
static const char *edge_label(struct arena *arena, const struct scop_edge *edge)
{
    const struct scop_stmt *from = edge->from, *to = edge->to;
    int at = edge->level - 1;
    bool loop = at < from->depth && at < to->depth && from->loops[at] == to->loops[at];
    return arena_printf(arena, "%s, %s%s", edge->first->array->name,
                        loop ? "loop " : "in order", loop ? from->loops[at]->name : "");
}

/* Solid: a value; dashed: a place that is used again; dotted: written twice. */
static const char *edge_style(const struct scop_edge *edge)
{
    if (!edge->first->is_write)
        return "dashed";
    return edge->second->is_write ? "dotted" : "solid";
}

static void draw_statement(struct str *out, const struct scop *scop, size_t number,
                           const struct scop_stmt *stmt, int indent)
{
    const struct ast *ast = stmt->ast;
    const char *text = arena_printf(out->arena, "S%d, line %u\n%s\n", stmt->id, loc_line(ast->loc),
                                    graph_text(out->arena, scop->unit, ast->begin, ast->end));
    str_indent(out, indent);
    str_addf(out, "f%zu_s%d [label=\"%s\"];\n", number, stmt->id, graph_label(out->arena, text));
}

static void draw_unit(struct str *out, const struct scop *scop, size_t number,
                      const struct scop_unit *unit)
{
    if (unit->stmts.count == 1) {
        draw_statement(out, scop, number, unit->stmts.at[0], 4);
        return;
    }
    str_addf(out, "    subgraph cluster_%zu_%d {\n      label=\"one thread\";\n", number, unit->id);
    for (size_t i = 0; i < unit->stmts.count; i++)
        draw_statement(out, scop, number, unit->stmts.at[i], 6);
    str_add(out, "    }\n");
}

static void draw_nest(struct str *out, const struct nest *nest, size_t number)
{
    const struct scop *scop = nest->scop;
    struct map *seen = map_new(out->arena);
    str_addf(out, "  subgraph cluster_%zu {\n    label=\"%s, line %u\";\n", number,
             nest->fragment.function->name, loc_line(nest->fragment.loc));
    for (size_t i = 0; i < scop->units.count; i++)
        draw_unit(out, scop, number, scop->units.at[i]);
    for (size_t i = 0; i < scop->edges.count; i++) {
        const struct scop_edge *edge = &scop->edges.at[i];
        const char *line = arena_printf(
            out->arena, "    f%zu_s%d -> f%zu_s%d [label=\"%s\", style=%s];\n", number,
            edge->from->id, number, edge->to->id, edge_label(out->arena, edge), edge_style(edge));
        if (map_get(seen, line))
            continue;
        map_put(seen, line, seen);
        str_add(out, line);
    }
    str_add(out, "  }\n");
}

bool mapping_draw_dependences(struct ctx *ctx, struct str *out, struct ast_unit *unit,
                              struct map_choice *choice)
{
    nest_list nests = {0};
    if (!nests_ask(ctx, unit, choice, &nests))
        return false;
    graph_begin(out, "dependences");
    for (size_t i = 0; i < nests.count; i++)
        if (nests.at[i]->scop)
            draw_nest(out, nests.at[i], i);
    str_add(out, "}\n");
    return true;
}

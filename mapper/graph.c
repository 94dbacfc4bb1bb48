/* Graphs of a file for Graphviz: who calls whom, the flow of control, dependences of statements.

   In: a unit. Out: a graph in the order of the text, the same for the same file. Control flow has a
   box for statements that follow each other, another shape for what decides, and an edge for each
   way on. */
#include "mapper/nest.h"
#include <ctype.h>
#include <string.h>

enum { TEXT_MOST = 60 };

/* The first line of a node's text, cut where it is long. */
static const char *short_text(struct arena *arena, const struct ast_unit *unit, size_t begin,
                              size_t end)
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

static void graph_begin(struct str *out, const char *name)
{
    str_addf(out, "digraph %s {\n  node [shape=box, fontname=\"monospace\"];\n"
                  "  edge [fontname=\"monospace\"];\n", name);
}

/* The functions with a body that the choice names, in order. False after a diagnostic. */
typedef VEC(const struct ast *) function_list;

static bool functions_find(struct ctx *ctx, struct ast_unit *unit, struct map_choice *choice,
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
                 functions.at[i]->loc.line);
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

/* --- control flow ----------------------------------------------------------------------------- */

/* A way out of a box that leads to what comes next. */
struct flow_tail {
    int box;
    const char *label;               /* "" for the only way */
};
typedef VEC(struct flow_tail) tail_list;

struct box {
    const char *shape;
    struct str text;                 /* lines end with \n */
};

struct flow_edge {
    int from, to;
    const char *label;
};

struct flow_goto {
    int box;
    const char *label;
};

struct flow {
    struct arena *arena;
    const struct ast_unit *unit;
    VEC(struct box) boxes;
    VEC(struct flow_edge) edges;
    tail_list *breaks, *continues;   /* of the loop or switch around */
    tail_list returns;
    int open;                        /* a box of statements that may take another; -1: none */
    int chooser;                     /* the switch around; -1: none */
    bool has_default;
    struct map *labels;              /* boxes by name: the number, an int */
    VEC(struct flow_goto) gotos;
};

static void tail_add(struct flow *f, tail_list *list, int box, const char *label)
{
    struct flow_tail tail = {box, label};
    vec_push(f->arena, list, tail);
}

static void tails_append(struct flow *f, tail_list *list, const tail_list *more)
{
    for (size_t i = 0; i < more->count; i++)
        vec_push(f->arena, list, more->at[i]);
}

static void edge_add(struct flow *f, int from, int to, const char *label)
{
    struct flow_edge edge = {from, to, label};
    vec_push(f->arena, &f->edges, edge);
}

static void tails_lead(struct flow *f, const tail_list *tails, int to)
{
    for (size_t i = 0; i < tails->count; i++)
        edge_add(f, tails->at[i].box, to, tails->at[i].label);
}

/* A box where the tails lead; it alone is the tail then. */
static int box_add(struct flow *f, const char *shape, const char *text, tail_list *tails)
{
    struct box box = {shape, str_new(f->arena)};
    int number = (int)f->boxes.count;
    str_add(&box.text, text);
    vec_push(f->arena, &f->boxes, box);
    tails_lead(f, tails, number);
    *tails = (tail_list){0};
    f->open = -1;
    return number;
}

/* "12: i < n" */
static const char *line_text(const struct flow *f, const char *before, const struct ast *ast,
                             size_t end)
{
    return arena_printf(f->arena, "%u: %s%s\n", ast->loc.line, before,
                        short_text(f->arena, f->unit, ast->begin, end));
}

static void flow_statement(struct flow *f, const struct ast *ast, tail_list *tails);

static void flow_plain(struct flow *f, const struct ast *ast, tail_list *tails)
{
    const char *text = line_text(f, "", ast, statement_end(f->unit, ast));
    if (f->open >= 0) {
        str_add(&f->boxes.at[f->open].text, text);
        return;
    }
    int box = box_add(f, "box", text, tails);
    tail_add(f, tails, box, "");
    f->open = box;
}

/* What stands before the body of a loop or an `if`. */
static const char *head_text(const struct flow *f, const struct ast *ast, const struct ast *body)
{
    size_t end = body && body->begin > ast->begin ? body->begin : ast->end;
    while (end > ast->begin && isspace((unsigned char)f->unit->source->text[end - 1]))
        end--;
    return line_text(f, "", ast, end);
}

static void flow_if(struct flow *f, const struct ast *ast, tail_list *tails)
{
    int box = box_add(f, "diamond", head_text(f, ast, ast->children[1]), tails);
    tail_list after = {0};
    for (int i = 1; i <= 2; i++) {
        const struct ast *branch = i < ast->n_children ? ast->children[i] : NULL;
        tail_add(f, tails, box, i == 1 ? "yes" : "no");
        f->open = -1;
        if (branch)
            flow_statement(f, branch, tails);
        tails_append(f, &after, tails);
        *tails = (tail_list){0};
    }
    *tails = after;
    f->open = -1;
}

/* The body of a loop from `entry` on; what goes on behind it and by `continue` leads to `back`. */
static void flow_body(struct flow *f, const struct ast *body, tail_list *tails, tail_list *breaks,
                      tail_list *rounds)
{
    tail_list *outer_breaks = f->breaks, *outer_continues = f->continues;
    f->breaks = breaks;
    f->continues = rounds;
    f->open = -1;
    if (body)
        flow_statement(f, body, tails);
    tails_append(f, rounds, tails);
    f->breaks = outer_breaks;
    f->continues = outer_continues;
    f->open = -1;
}

/* `for` and `while`: the head decides before each round. */
static void flow_loop(struct flow *f, const struct ast *ast, tail_list *tails)
{
    const struct ast *body = ast->children[ast->n_children - 1];
    int box = box_add(f, "hexagon", head_text(f, ast, body), tails);
    tail_list breaks = {0}, rounds = {0};
    tail_add(f, tails, box, "round");
    flow_body(f, body, tails, &breaks, &rounds);
    tails_lead(f, &rounds, box);
    *tails = (tail_list){0};
    tail_add(f, tails, box, "end");
    tails_append(f, tails, &breaks);
}

static void flow_do(struct flow *f, const struct ast *ast, tail_list *tails)
{
    const struct ast *body = ast->children[0], *condition = ast->children[1];
    int first = box_add(f, "box", arena_printf(f->arena, "%u: do\n", ast->loc.line), tails);
    tail_list breaks = {0}, rounds = {0};
    tail_add(f, tails, first, "");
    flow_body(f, body, tails, &breaks, &rounds);
    int box = box_add(f, "hexagon", line_text(f, "while ", condition, condition->end), &rounds);
    edge_add(f, box, first, "round");
    *tails = (tail_list){0};
    tail_add(f, tails, box, "end");
    tails_append(f, tails, &breaks);
}

static void flow_switch(struct flow *f, const struct ast *ast, tail_list *tails)
{
    const struct ast *body = ast->children[ast->n_children - 1];
    int outer = f->chooser;
    bool outer_default = f->has_default;
    tail_list *outer_breaks = f->breaks, breaks = {0};
    f->chooser = box_add(f, "diamond", head_text(f, ast, body), tails);
    f->has_default = false;
    f->breaks = &breaks;
    flow_statement(f, body, tails);
    tails_append(f, tails, &breaks);
    if (!f->has_default)
        tail_add(f, tails, f->chooser, "else");
    f->breaks = outer_breaks;
    f->chooser = outer;
    f->has_default = outer_default;
    f->open = -1;
}

static void flow_case(struct flow *f, const struct ast *ast, tail_list *tails)
{
    const char *label = "default";
    if (ast->kind == AST_CASE) {
        const struct ast *value = ast->children[0];
        label = short_text(f->arena, f->unit, value->begin, value->end);
    }
    f->has_default |= ast->kind == AST_DEFAULT;
    if (f->chooser >= 0)
        tail_add(f, tails, f->chooser, label);
    f->open = -1;
    flow_statement(f, ast->children[ast->n_children - 1], tails);
}

/* `break`, `continue`, `return`, `goto`: a box from which nothing goes on. */
static void flow_jump(struct flow *f, const struct ast *ast, tail_list *tails)
{
    flow_plain(f, ast, tails);
    int box = f->open;
    *tails = (tail_list){0};
    f->open = -1;
    if (ast->kind == AST_BREAK && f->breaks)
        tail_add(f, f->breaks, box, "");
    else if (ast->kind == AST_CONTINUE && f->continues)
        tail_add(f, f->continues, box, "");
    else if (ast->kind == AST_RETURN)
        tail_add(f, &f->returns, box, "");
}

/* Nodes do not name the label of a `goto`; the text does. */
static void flow_goto(struct flow *f, const struct ast *ast, tail_list *tails)
{
    const char *text = f->unit->source->text + ast->begin;
    flow_plain(f, ast, tails);
    size_t length = 0;
    text += strncmp(text, "goto", 4) == 0 ? 4 : 0;
    text += strspn(text, " \t\n");
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    struct flow_goto jump = {f->open, arena_strndup(f->arena, text, length)};
    vec_push(f->arena, &f->gotos, jump);
    *tails = (tail_list){0};
    f->open = -1;
}

static void flow_label(struct flow *f, const struct ast *ast, tail_list *tails)
{
    const char *text = arena_printf(f->arena, "%u: %s:\n", ast->loc.line, ast->name);
    int *box = ARENA_NEW(f->arena, int);
    *box = box_add(f, "box", text, tails);
    map_put(f->labels, ast->name, box);
    tail_add(f, tails, *box, "");
    flow_statement(f, ast->children[ast->n_children - 1], tails);
}

static void flow_statement(struct flow *f, const struct ast *ast, tail_list *tails)
{
    if (!ast)
        return;
    switch (ast->kind) {
    case AST_COMPOUND:
        for (int i = 0; i < ast->n_children; i++)
            flow_statement(f, ast->children[i], tails);
        return;
    case AST_IF:
        flow_if(f, ast, tails);
        return;
    case AST_FOR:
    case AST_WHILE:
        flow_loop(f, ast, tails);
        return;
    case AST_DO:
        flow_do(f, ast, tails);
        return;
    case AST_SWITCH:
        flow_switch(f, ast, tails);
        return;
    case AST_CASE:
    case AST_DEFAULT:
        flow_case(f, ast, tails);
        return;
    case AST_LABEL:
        flow_label(f, ast, tails);
        return;
    case AST_GOTO:
        flow_goto(f, ast, tails);
        return;
    case AST_BREAK:
    case AST_CONTINUE:
    case AST_RETURN:
        flow_jump(f, ast, tails);
        return;
    case AST_EMPTY:
        return;
    default:
        flow_plain(f, ast, tails);
    }
}

/* Text for a label: lines to the left. */
static const char *label_of(struct arena *arena, const char *text)
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

static void flow_print(struct str *out, const struct flow *f, size_t number, const char *name)
{
    str_addf(out, "  subgraph cluster_%zu {\n    label=\"%s\";\n", number, name);
    for (size_t i = 0; i < f->boxes.count; i++)
        str_addf(out, "    f%zu_%zu [shape=%s, label=\"%s\"];\n", number, i,
                 f->boxes.at[i].shape, label_of(f->arena, f->boxes.at[i].text.text));
    for (size_t i = 0; i < f->edges.count; i++) {
        const struct flow_edge *edge = &f->edges.at[i];
        str_addf(out, "    f%zu_%d -> f%zu_%d", number, edge->from, number, edge->to);
        if (*edge->label)
            str_addf(out, " [label=\"%s\"]", label_of(f->arena, edge->label));
        str_add(out, ";\n");
    }
    str_add(out, "  }\n");
}

bool mapping_draw_flow(struct ctx *ctx, struct str *out, struct ast_unit *unit,
                       struct map_choice *choice)
{
    function_list functions = {0};
    if (!functions_find(ctx, unit, choice, &functions))
        return false;
    graph_begin(out, "flow");
    for (size_t i = 0; i < functions.count; i++) {
        struct flow f = {.arena = ctx->arena, .unit = unit, .chooser = -1};
        tail_list tails = {0};
        f.labels = map_new(ctx->arena);
        tail_add(&f, &tails, box_add(&f, "oval", "begin", &tails), "");
        flow_statement(&f, ast_body(unit, functions.at[i]), &tails);
        tails_append(&f, &tails, &f.returns);
        box_add(&f, "oval", "end", &tails);
        for (size_t k = 0; k < f.gotos.count; k++) {
            const char *label = f.gotos.at[k].label;
            const int *box = map_get(f.labels, label);
            if (box)
                edge_add(&f, f.gotos.at[k].box, *box, "");
        }
        flow_print(out, &f, i, functions.at[i]->name);
    }
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
    const char *text = arena_printf(out->arena, "S%d, line %u\n%s\n", stmt->id, ast->loc.line,
                                    short_text(out->arena, scop->unit, ast->begin, ast->end));
    str_indent(out, indent);
    str_addf(out, "f%zu_s%d [label=\"%s\"];\n", number, stmt->id, label_of(out->arena, text));
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
             nest->fragment.function->name, nest->fragment.loc.line);
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

/* The flow of control of functions as a graph for Graphviz.

   In: a unit. Out: for each function a box for statements that follow each other, another shape for
   what decides, and an edge for each way on. */
#include "frontend/ask.h"
#include "mapper/ask/ask.h"
#include "mapper/ask/graph.h"
#include <ctype.h>
#include <string.h>

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
                        graph_text(f->arena, f->unit, ast->begin, end));
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

/* The text of a loop or an `if` before the body. */
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
        label = graph_text(f->arena, f->unit, value->begin, value->end);
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

static void flow_print(struct str *out, const struct flow *f, size_t number, const char *name)
{
    str_addf(out, "  subgraph cluster_%zu {\n    label=\"%s\";\n", number, name);
    for (size_t i = 0; i < f->boxes.count; i++)
        str_addf(out, "    f%zu_%zu [shape=%s, label=\"%s\"];\n", number, i,
                 f->boxes.at[i].shape, graph_label(f->arena, f->boxes.at[i].text.text));
    for (size_t i = 0; i < f->edges.count; i++) {
        const struct flow_edge *edge = &f->edges.at[i];
        str_addf(out, "    f%zu_%d -> f%zu_%d", number, edge->from, number, edge->to);
        if (*edge->label)
            str_addf(out, " [label=\"%s\"]", graph_label(f->arena, edge->label));
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

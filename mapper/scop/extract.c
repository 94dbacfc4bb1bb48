/* The statements of a fragment: blocks, loops, conditions, leaves.

   In: a fragment. Out: a scop whose nodes mirror the source, with affine bounds and subscripts.
   Conditions over iterators and parameters are nodes; an `if` on data is one statement, whose
   writes happen perhaps. reference.c reads the accesses of statements, header.c the headers of
   loops. Constructs without a meaning here are refused by name. */
#include "frontend/facts.h"
#include "frontend/groups.h"
#include "mapper/scop/extract.h"
#include "mapper/scop/flat.h"
#include "mapper/scop/read.h"
#include "mapper/scop/sink.h"
#include "mapper/scop/sums.h"
#include <string.h>

static struct scop_node *scop_node_new(struct scop *scop, enum scop_node_kind kind,
                                       const struct ast *ast, int n_children)
{
    struct scop_node *node = ARENA_NEW(scop->arena, struct scop_node);
    node->kind = kind;
    node->ast = ast;
    node->n_children = n_children;
    node->children = ARENA_ARRAY(scop->arena, struct scop_node *, n_children + 1);
    return node;
}

static struct scop_node *read_node(struct extraction *e, struct scop_place at,
                                   const struct ast *ast);

/* Notes the variables that statements change and declare. */
static void changed_collect(struct scop *scop, const struct ast *root)
{
    written_collect(scop->arena, scop->written, root);
    declared_collect(scop, root);
    stored_collect(scop, root);
}

static struct scop_node *read_leaf(struct extraction *e, struct scop_place at,
                                   const struct ast *ast)
{
    struct scop *scop = e->scop;
    struct scop_node *node = scop_node_new(scop, SCOP_LEAF, ast, 0);
    struct scop_stmt *stmt = ARENA_NEW(scop->arena, struct scop_stmt);
    if (scop->stmts.count == STATEMENTS_MAX)
        return scop_refuse(scop, REFUSE_STATEMENTS, ast->loc, NULL);
    stmt->id = (int)scop->stmts.count;
    stmt->ast = ast;
    stmt->node = node;
    stmt->depth = at.depth;
    stmt->sunk_depth = e->sunk_depth;
    for (int i = 0; i < at.depth; i++)
        stmt->loops[i] = at.loops[i];
    at.loops = stmt->loops;
    at.stmt = stmt;
    node->stmt = stmt;
    e->set.count = e->sums.count = 0;
    sums_collect(e, ast);
    if (!accesses_read(e, at, ast, false))
        return NULL;
    sums_mark(e, stmt);
    if (!e->is_other && e->before && e->before->ast->end > ast->begin)
        return scop_refuse(scop, REFUSE_MACRO, ast->loc, NULL);
    e->before = stmt;
    vec_push(scop->arena, &scop->stmts, stmt);
    return node;
}

static struct scop_node *read_block(struct extraction *e, struct scop_place at,
                                    const struct ast *ast, int n,
                                    const struct ast *const *statements)
{
    struct scop_node *node = scop_node_new(e->scop, SCOP_BLOCK, ast, n);
    node->n_children = 0;
    for (int i = 0; i < n; i++) {
        struct scop_node *child = read_node(e, at, statements[i]);
        if (!child)
            return NULL;
        child->parent = node;
        node->children[node->n_children++] = child;
    }
    return node;
}

static struct scop_node *read_other(struct extraction *e, struct scop_place at,
                                    const struct ast *block);

/* An `if` on data: a statement, or loops whose statements have the condition. */
static struct scop_node *read_choice(struct extraction *e, struct scop_place at,
                                     const struct ast *ast)
{
    struct scop *scop = e->scop;
    const struct fragment *fragment = scop->fragment;
    const struct ast *block = at.depth ? sunk_block(scop->arena, scop->unit, fragment, ast) : NULL;
    scop->may_sink |= block != NULL;
    if (!block || !fragment->sinking)
        return read_leaf(e, at, ast);
    int outer = e->sunk_depth;
    changed_collect(scop, block);
    e->sunk_depth = outer ? outer : at.depth;
    struct scop_node *node = read_other(e, at, block);
    e->sunk_depth = outer;
    return node;
}

static struct scop_node *read_if(struct extraction *e, struct scop_place at, const struct ast *ast)
{
    if (!condition_is_affine(e->scop, at, ast->children[0]))
        return read_choice(e, at, ast);
    struct scop_node *node = scop_node_new(e->scop, SCOP_IF, ast, 2);
    for (int i = 0; i < 2 && i + 1 < ast->n_children; i++) {
        if (!ast->children[i + 1])
            continue;
        if (ast->is_made)
            e->before = NULL;
        node->children[i] = read_node(e, at, ast->children[i + 1]);
        if (!node->children[i])
            return NULL;
        node->children[i]->parent = node;
    }
    return node;
}

/* A loop that is not affine, as part of a statement; NULL after the refusal that there was. */
static struct scop_node *read_as_statement(struct extraction *e, struct scop_place at,
                                           const struct ast *ast)
{
    struct scop_refusal before = e->scop->refusal;
    e->scop->refusal = (struct scop_refusal){0};
    struct scop_node *node = at.depth ? read_leaf(e, at, ast) : NULL;
    if (node)
        node->stmt->otherwise = before;
    else
        e->scop->refusal = before;
    return node;
}

/* A loop that data ends. */
static struct scop_node *read_repeat(struct extraction *e, struct scop_place at,
                                     const struct ast *ast, const struct ast *culprit)
{
    scop_refuse_kind(e->scop, culprit);
    return read_as_statement(e, at, ast);
}

/* In the body of a loop. */
static struct scop_place place_inside(struct scop *scop, struct scop_place at,
                                      const struct scop_loop *loop)
{
    const struct scop_loop **loops = ARENA_ARRAY(scop->arena, const struct scop_loop *,
                                                 at.depth + 1);
    for (int i = 0; i < at.depth; i++)
        loops[i] = at.loops[i];
    loops[at.depth++] = loop;
    at.loops = loops;
    return at;
}

/* The assignments of a part, `j = 0` or `j++`, but that of the iterator. */
static bool read_beside(struct extraction *e, struct scop_place at, const struct ast *loop,
                        int part, struct scop_node *block)
{
    const struct ast *own = header_own(loop, part);
    for (int i = 0; i < header_count(loop, part); i++) {
        const struct ast *beside = header_at(loop, part, i);
        if (beside == own)
            continue;
        struct scop_node *node =
            beside->kind == AST_VARIABLE
                ? scop_refuse(e->scop, REFUSE_HEADER, beside->loc, NULL) : read_node(e, at, beside);
        if (!node)
            return false;
        node->parent = block;
        block->children[block->n_children++] = node;
    }
    return true;
}

static struct scop_node *beside_new(struct extraction *e, const struct ast *loop, int part)
{
    struct scop_node *block =
        scop_node_new(e->scop, SCOP_BLOCK, loop, header_count(loop, part) + 1);
    block->n_children = 0;
    return block;
}

/* The body, and behind it the assignments of the third part to other variables. */
static struct scop_node *read_round(struct extraction *e, struct scop_place at,
                                    const struct ast *loop)
{
    struct scop_node *body = read_node(e, at, loop->children[3]);
    if (!body || header_count(loop, 2) < 2)
        return body;
    struct scop_node *block = beside_new(e, loop, 2);
    body->parent = block;
    block->children[block->n_children++] = body;
    e->before = NULL;
    return read_beside(e, at, loop, 2, block) ? block : NULL;
}

static struct scop_node *read_loop(struct extraction *e, struct scop_place at,
                                   const struct ast *ast)
{
    struct scop *scop = e->scop;
    struct scop_node *node = scop_node_new(scop, SCOP_LOOP, ast, 1);
    const struct ast *jump = ast_has_own_jump(ast->children[3], AST_BREAK);
    if (!jump)
        jump = ast_has_own_jump(ast->children[3], AST_CONTINUE);
    if (jump)
        return read_repeat(e, at, ast, jump);
    if (at.depth == LOOP_DEPTH_MAX)
        return scop_refuse(scop, REFUSE_DEPTH, ast->loc, NULL);
    node->loop = header_read(scop, at, ast);
    if (!node->loop)
        return read_as_statement(e, at, ast);
    vec_push(scop->arena, &scop->loops, node->loop);
    node->children[0] = read_round(e, place_inside(scop, at, node->loop), ast);
    if (!node->children[0])
        return NULL;
    node->children[0]->parent = node;
    return node;
}

/* The block in place of a loop: its statements have the bytes of the loop or of parts of it, in any
   order. */
static struct scop_node *read_other(struct extraction *e, struct scop_place at,
                                    const struct ast *block)
{
    struct scop_node *node = scop_node_new(e->scop, SCOP_BLOCK, block, block->n_children);
    bool was_other = e->is_other;
    e->is_other = true;
    for (int i = 0; i < block->n_children; i++) {
        node->children[i] = read_node(e, at, block->children[i]);
        if (!node->children[i])
            return NULL;
        node->children[i]->parent = node;
    }
    e->is_other = was_other;
    e->before = NULL;
    return node;
}

/* The loop, and before it the assignments of its first part to other variables. */
static struct scop_node *read_for(struct extraction *e, struct scop_place at,
                                  const struct ast *ast)
{
    for (size_t i = 0; i < e->others->count; i++)
        if (e->others->at[i].loop == ast)
            return read_other(e, at, e->others->at[i].block);
    if (header_count(ast, 0) < 2 || !header_own(ast, 0))
        return read_loop(e, at, ast);
    struct scop_node *block = beside_new(e, ast, 0);
    struct scop_node *loop = read_beside(e, at, ast, 0, block) ? read_loop(e, at, ast) : NULL;
    if (!loop)
        return NULL;
    loop->parent = block;
    block->children[block->n_children++] = loop;
    return block;
}

static bool has_values(const struct ast *declare)
{
    for (int i = 0; i < declare->n_children; i++)
        if (declare->children[i]->kind != AST_VARIABLE || declare->children[i]->n_children ||
            !type_is_scalar(declare->children[i]->type))
            return true;
    return false;
}

static struct scop_node *read_node(struct extraction *e, struct scop_place at,
                                   const struct ast *ast)
{
    switch (ast->kind) {
    case AST_COMPOUND:
        return read_block(e, at, ast, ast->n_children, ast->children);
    case AST_FOR:
        return read_for(e, at, ast);
    case AST_WHILE:
    case AST_DO:
        return read_repeat(e, at, ast, ast);
    case AST_IF:
        return read_if(e, at, ast);
    case AST_EMPTY:
        return scop_node_new(e->scop, SCOP_BLOCK, ast, 0);
    case AST_DECLARE:
        if (!has_values(ast))
            return scop_node_new(e->scop, SCOP_BLOCK, ast, 0);
        if (names_read(e->scop, at, ast))
            return scop_node_new(e->scop, SCOP_NAMES, ast, 0);
        return read_leaf(e, at, ast);
    default:
        return read_leaf(e, at, ast);
    }
}

/* Does a byte stand in an expression or a declaration? They are printed with the source's bytes. */
static bool is_in_words(const struct scop *scop, size_t at)
{
    struct ast_walk walk;
    for (size_t i = 0; i < scop->fragment->n_statements; i++) {
        const struct ast *root = scop->fragment->statements[i];
        for (const struct ast *n = ast_first(&walk, scop->arena, root); n; n = ast_next(&walk))
            if ((ast_is_expression(n) || n->kind == AST_DECLARE) && n->begin < at && at < n->end)
                return true;
    }
    return false;
}

/* The place of the first directive that keeps the fragment as it is; NOBODY if none does. The text
   is printed from what the preprocessor chose, so that its directives are lost. Groups between
   statements are tested before the text (print/file.c); nothing depends on advice to compilers and
   on directives of OpenMP and OpenACC. */
static size_t directive_find(const struct scop *scop)
{
    const struct ast_unit *unit = scop->unit;
    const struct fragment *f = scop->fragment;
    struct directives d = directives_from(unit, f->statements[0]->begin,
                                          f->statements[f->n_statements - 1]->end);
    size_t depth = 0, opened = NOBODY, empty = 0;
    while (directive_next(&d)) {
        if (d.class == OPENS && d.begin >= empty) {
            size_t end = empty_group_end(unit, d.begin);
            empty = end ? end : empty;
        }
        if (d.begin < empty || is_advice_at(unit, d.begin))
            continue;
        if ((d.class == OTHER && !ast_is_skipped(unit, d.begin)) ||
            (d.class != OTHER && d.class != OPENS && !depth) || is_in_words(scop, d.begin))
            return d.begin;
        opened = d.class == OPENS && !depth ? d.begin : opened;
        depth += d.class == OPENS;
        depth -= d.class == CLOSES;
    }
    return depth ? opened : NOBODY;
}

static struct loc loc_at(const struct source *source, size_t at)
{
    struct loc loc = {source, 1, 1};
    for (size_t i = 0; i < at; i++) {
        bool ends = source->text[i] == '\n';
        loc.line += ends;
        loc.column = ends ? 1 : loc.column + 1;
    }
    return loc;
}

struct scop *scop_read(struct ctx *ctx, struct ast_unit *unit, const struct fragment *fragment,
                       const loop_others *others)
{
    struct scop *scop = ARENA_NEW(ctx->arena, struct scop);
    struct extraction e = {.scop = scop, .others = others};
    size_t directive;
    scop->ctx = ctx;
    scop->arena = ctx->arena;
    scop->unit = unit;
    scop->fragment = fragment;
    scop->written = map_new(ctx->arena);
    scop->is_declared = map_new(ctx->arena);
    scop->stored = map_new(ctx->arena);
    scop->named = map_new(ctx->arena);
    scop->chosen = map_new(ctx->arena);
    scop->pieces = map_new(ctx->arena);
    scop->changed = ast_facts(unit, fragment->body)->changed;
    directive = directive_find(scop);
    if (directive != NOBODY) {
        scop_refuse(scop, REFUSE_DIRECTIVE, loc_at(unit->source, directive), NULL);
        return scop;
    }
    for (size_t i = 0; i < fragment->n_statements; i++)
        changed_collect(scop, fragment->statements[i]);
    for (size_t i = 0; i < others->count; i++)
        changed_collect(scop, others->at[i].block);
    scop->root = read_block(&e, place_outside(), NULL, (int)fragment->n_statements,
                            fragment->statements);
    if (scop->root) {
        flat_split(scop);
        iterators_check(scop);
        declarations_check(scop);
        members_check(scop);
        removed_check(scop);
        moved_check(scop);
        names_check(scop);
    }
    return scop;
}

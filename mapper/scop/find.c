/* The fragments of a file.

   In: a unit with its pragmas. Out: for each `#pragma scop … endscop` the statements between, for
   each `#pragma target` the next loop or block; targets inside a scop stand for it; for each
   directive of OpenMP or OpenACC that shares out a loop, that loop, unless a mark is around it.
   Pragmas that do not pair, stand in no function or cut a statement in two are errors, or warnings
   where marks are not needed, as every loop is looked at. */
#include "frontend/ask.h"
#include "mapper/scop/directive.h"
#include <string.h>

struct find {
    struct ctx *ctx;
    struct ast_unit *unit;
    fragment_list *list;
    struct map *said;                /* clauses that were said to be unused */
    bool needs_marks;                /* no loop is taken but where a mark says so */
};

/* A pair of pragmas marks nothing: an error, or a warning where unmarked loops are taken, too. */
static bool mark_refuse(struct find *f, struct loc loc, const char *text)
{
    if (f->needs_marks)
        diag_error(f->ctx, loc, "%s", text);
    else
        diag_warning(f->ctx, loc, "%s; it marks nothing, and `--all` looks at every loop", text);
    return false;
}

/* The function whose body holds an offset; NULL if there is none. */
static const struct ast *function_at(struct find *f, size_t offset)
{
    for (size_t i = 0; i < f->unit->n_declarations; i++) {
        const struct ast *decl = f->unit->declarations[i];
        const struct ast *body = decl->kind == AST_FUNCTION ? ast_body(f->unit, decl) : NULL;
        if (body && body->begin < offset && offset < body->end)
            return decl;
    }
    return NULL;
}

/* The innermost block around a range. */
static const struct ast *block_around(struct arena *arena, const struct ast *body, size_t begin,
                                      size_t end)
{
    struct ast_walk walk;
    const struct ast *found = body;
    for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk)) {
        bool around = n->begin < begin && end < n->end;
        if (!around)
            ast_skip(&walk);
        else if (n->kind == AST_COMPOUND)
            found = n;
    }
    return found;
}

static bool fragment_of_scop(struct find *f, const struct ast_pragma *open,
                             const struct ast_pragma *close)
{
    const struct ast *function = function_at(f, open->begin);
    if (!function || function_at(f, close->begin) != function)
        return mark_refuse(f, open->loc,
                           "`#pragma scop` and its `#pragma endscop` must stand in the body of one "
                           "function");
    const struct ast *body = ast_body(f->unit, function);
    const struct ast *block = block_around(f->ctx->arena, body, open->begin, close->end);
    int first = 0, last = block->n_children;
    while (first < last && block->children[first]->begin < open->begin)
        first++;
    while (last > first && block->children[last - 1]->begin > close->begin)
        last--;
    bool cut = (first > 0 && block->children[first - 1]->end > open->begin) ||
               (last > first && block->children[last - 1]->end > close->begin);
    if (cut || first == last)
        return mark_refuse(
            f, open->loc,
            cut ? "`#pragma scop` and `#pragma endscop` cut a statement in two; put both into one "
                  "block"
                : "there is nothing between `#pragma scop` and `#pragma endscop`");
    struct fragment fragment = {function, body, (size_t)(last - first), block->children + first,
                                open->begin, close->end,
                                statement_end(f->unit, block->children[last - 1]), open->loc,
                                false, NULL, NULL};
    vec_push(f->ctx->arena, f->list, fragment);
    return true;
}

/* Is the child a statement, be it an expression? */
static bool holds_statement(const struct ast *ast, int child)
{
    return ast->kind == AST_COMPOUND || (ast->kind == AST_IF && child > 0) ||
           (ast->kind == AST_FOR && child == 3) || (ast->kind == AST_WHILE && child == 1);
}

const struct ast *const *statement_behind(struct arena *arena, const struct ast *body,
                                          size_t offset, bool *in_block)
{
    struct ast_walk walk;
    const struct ast *const *found = NULL;
    for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk))
        for (int i = 0; i < n->n_children; i++) {
            const struct ast *const *child = &n->children[i];
            bool behind = *child && (holds_statement(n, i) || !ast_is_expression(*child)) &&
                          (*child)->end && (*child)->begin >= offset;
            if (!behind || (found && (*found)->begin <= (*child)->begin))
                continue;
            found = child;
            *in_block = n->kind == AST_COMPOUND;
        }
    return found;
}

/* The loop behind an OpenMP or OpenACC directive. */
static void fragment_of_loop(struct find *f, const struct ast_pragma *pragma)
{
    const struct ast *function = function_at(f, pragma->begin);
    const struct ast *body = function ? ast_body(f->unit, function) : NULL;
    bool in_block = true;
    const struct ast *const *found =
        body ? statement_behind(f->ctx->arena, body, pragma->end, &in_block) : NULL;
    bool inside = f->list->count && vec_last(f->list).end > pragma->begin;
    if (!found || (*found)->kind != AST_FOR || inside)
        return;
    struct directive *directive = ARENA_NEW(f->ctx->arena, struct directive);
    directive_read(f->ctx, f->unit, pragma, f->said, directive);
    size_t end = statement_end(f->unit, *found);
    struct fragment fragment = {function, body, 1, found, pragma->begin, end, end, pragma->loc,
                                !in_block, directive, NULL};
    vec_push(f->ctx->arena, f->list, fragment);
}

static bool is_in_threads(struct find *f, const struct ast_pragma *pragma)
{
    const struct ast *function = function_at(f, pragma->begin);
    const struct ast *body = function ? ast_body(f->unit, function) : NULL;
    return body && directive_has_team(f->ctx->arena, f->unit, pragma, body);
}

static bool marks_loop(struct find *f, const struct ast_pragma *pragma)
{
    return pragma->kind == PRAGMA_LOOP || pragma->kind == PRAGMA_SIMD ||
           (pragma->kind == PRAGMA_SHARE && is_in_threads(f, pragma));
}

/* Does a mark stand between the directive at i and the statement behind both? */
static bool is_above_mark(const struct ast_unit *unit, size_t i)
{
    size_t next = i + 1;
    while (next < unit->n_pragmas && unit->pragmas[next].kind >= PRAGMA_LOOP)
        next++;
    return next < unit->n_pragmas &&
           directives_above(unit, unit->pragmas[next].begin) <= unit->pragmas[i].begin;
}

static bool fragment_of_target(struct find *f, const struct ast_pragma *pragma)
{
    const struct ast *function = function_at(f, pragma->begin);
    const struct ast *body = function ? ast_body(f->unit, function) : NULL;
    bool in_block = true;
    const struct ast *const *found =
        body ? statement_behind(f->ctx->arena, body, pragma->end, &in_block) : NULL;
    if (!found || ((*found)->kind != AST_FOR && (*found)->kind != AST_COMPOUND)) {
        diag_error(f->ctx, pragma->loc, "`#pragma target` must stand before a `for` or a block");
        return false;
    }
    size_t end = statement_end(f->unit, *found);
    struct fragment fragment = {function, body, 1, found, pragma->begin, end, end, pragma->loc,
                                !in_block, NULL, NULL};
    vec_push(f->ctx->arena, f->list, fragment);
    return true;
}

/* Index of the `endscop` of the scop at i; n_pragmas after a diagnostic. */
static size_t scop_close(struct find *f, size_t i)
{
    const struct ast_unit *unit = f->unit;
    size_t close = i + 1;
    while (close < unit->n_pragmas && unit->pragmas[close].kind >= PRAGMA_TARGET)
        close++;
    if (close < unit->n_pragmas && unit->pragmas[close].kind == PRAGMA_ENDSCOP)
        return close;
    mark_refuse(f, unit->pragmas[i].loc, "`#pragma scop` without its `#pragma endscop`");
    return unit->n_pragmas;
}

static bool has_target(const struct ast_unit *unit, size_t begin, size_t end)
{
    bool found = false;
    for (size_t i = begin; i < end; i++)
        found |= unit->pragmas[i].kind == PRAGMA_TARGET;
    return found;
}

bool fragments_find(struct ctx *ctx, struct ast_unit *unit, bool needs_marks, fragment_list *list)
{
    struct find f = {ctx, unit, list, map_new(ctx->arena), needs_marks};
    unsigned errors = ctx->errors;
    for (size_t i = 0; i < unit->n_pragmas; i++) {
        const struct ast_pragma *pragma = &unit->pragmas[i];
        if (pragma->kind == PRAGMA_TARGET)
            fragment_of_target(&f, pragma);
        if (marks_loop(&f, pragma) && !is_above_mark(unit, i))
            fragment_of_loop(&f, pragma);
        if (pragma->kind == PRAGMA_ENDSCOP)
            mark_refuse(&f, pragma->loc, "`#pragma endscop` without a `#pragma scop` before it");
        if (pragma->kind != PRAGMA_SCOP)
            continue;
        size_t close = scop_close(&f, i);
        if (close == unit->n_pragmas)
            continue;
        if (!has_target(unit, i + 1, close))
            fragment_of_scop(&f, pragma, &unit->pragmas[close]);
        for (i++; i < close; i++)
            if (unit->pragmas[i].kind == PRAGMA_TARGET)
                fragment_of_target(&f, &unit->pragmas[i]);
    }
    for (size_t i = 1; i < list->count; i++)
        if (ctx->errors == errors && list->at[i].begin < list->at[i - 1].end)
            diag_error(ctx, list->at[i].loc, "`#pragma target` inside what another one marks");
    return ctx->errors == errors;
}

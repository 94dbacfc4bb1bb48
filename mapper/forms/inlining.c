/* Calls of functions whose body is loops, as these loops.

       static void axpy(int n, float alpha, const float *x, float *y)
       {
           for (int i = 0; i < n; i++)
               y[i] += alpha * x[i];
       }
       axpy(n, 2 * s, a, b + k);                  float alpha;
                                                  alpha = 2 * s;
                                                  for (int i = 0; i < n; i++)
                                                      (b + k)[i] += alpha * a[i];

   In: a statement that is a call, or an assignment or a declaration with such calls in its value.
   Out: the text of the same in the caller. It is text and not nodes, as what is made of it is read
   like any other C: places, names and types are what the file says. Each argument that is a number
   is evaluated once, as by C; where it is a literal, a variable that stays or a whole number made
   of such, it stands where the parameter stood. The result of a function is the variable that it
   returns, and where that is all that the statement takes, the caller's variable itself. */
#include "frontend/ask.h"
#include "frontend/text.h"
#include "frontend/writes.h"
#include "mapper/forms/inlining.h"
#include <string.h>

/* --- calls of a statement --------------------------------------------------------------------- */

/* Functions of a compilation that were looked at: `yes` of those that have loops, or call such,
   `no` of others, and of those whose body is still being read. */
static const char loops_known[] = "inlining", yes[] = "yes", no[] = "no";

static struct map *known_functions(struct ctx *ctx)
{
    if (!ctx->caches)
        ctx->caches = map_new(ctx->arena);
    struct map *known = map_get(ctx->caches, loops_known);
    if (known)
        return known;
    known = map_new(ctx->arena);
    map_put(ctx->caches, loops_known, known);
    return known;
}

static bool is_of_loops(struct ast_unit *unit, const struct ast *call)
{
    const struct ast *function = call->kind == AST_CALL ? call->decl : NULL;
    const struct ast *code = function && function->has_body ? ast_body(unit, function) : NULL;
    struct map *known = known_functions(unit->ctx);
    const char *answer = code ? map_get_pointer(known, function) : no;
    struct ast_walk walk;
    if (answer)
        return answer == yes;
    map_put_pointer(known, function, (void *)no);
    for (const struct ast *n = ast_first(&walk, unit->ctx->arena, code); n; n = ast_next(&walk))
        if (ast_is_loop(n) || is_of_loops(unit, n)) {
            map_put_pointer(known, function, (void *)yes);
            return true;
        }
    return false;
}

const struct ast *inlining_call(struct arena *arena, struct ast_unit *unit,
                                const struct ast *statement)
{
    struct ast_walk walk;
    bool may_hold = statement->kind == AST_CALL || statement->kind == AST_ASSIGN ||
                    statement->kind == AST_DECLARE;
    const struct ast *n = may_hold ? ast_first(&walk, arena, statement) : NULL;
    for (; n; n = ast_next(&walk))
        if (is_of_loops(unit, n))
            return n;
    return NULL;
}

/* The value that a statement takes in, without conversions; NULL of a call alone. */
static const struct ast *value_taken(const struct ast *statement)
{
    const struct ast *variable = statement->kind == AST_DECLARE ? statement->children[0] : NULL;
    if (variable)
        return variable->n_children ? ast_strip(variable->children[0]) : NULL;
    return statement->kind == AST_ASSIGN ? ast_strip(statement->children[1]) : NULL;
}

/* Is the node evaluated whenever the expression is? */
static bool is_always(const struct ast *expression, const struct ast *node)
{
    for (const struct ast *at = expression; at != node;) {
        const struct ast *next = NULL;
        bool chooses = at->kind == AST_CONDITIONAL ||
                       (at->kind == AST_BINARY && (at->op == AST_OP_LAND || at->op == AST_OP_LOR));
        for (int i = 0; i < at->n_children; i++)
            if (at->children[i] && ast_holds(at->children[i], node))
                next = chooses && i > 0 ? NULL : at->children[i];
        if (!next)
            return false;
        at = next;
    }
    return true;
}

/* May the called function run before all else that the statement does? */
static bool check_turn(struct inlining *in)
{
    const struct ast *statement = in->site->statement, *value = value_taken(statement);
    bool is_calm = inlining_is_calm(in->arena, in->unit, in->callee);
    const struct ast *target = statement->kind == AST_ASSIGN ? ast_strip(statement->children[0])
                                                             : NULL;
    bool to_name = !target || (target->kind == AST_REF && statement->op == AST_OP_NONE &&
                               !target->decl->is_global && !target->decl->is_static);
    if (statement->kind == AST_CALL)
        return statement == in->call || inlining_fail(in, "stands in an argument of another call");
    if (statement->kind == AST_DECLARE && (statement->n_children != 1 ||
                                           statement->children[0]->kind != AST_VARIABLE))
        return inlining_fail(in, "stands in a declaration of several variables");
    if (!value || !ast_holds(value, in->call))
        return inlining_fail(in, "stands in a subscript");
    if (value != in->call && !(is_calm && inlining_is_value(in->arena, in->unit, value)))
        return inlining_fail(in, "stores to memory, or stands beside what changes something");
    if (!is_calm && !to_name)
        return inlining_fail(in, "stores to memory, and its result goes there, too");
    return is_always(value, in->call) ||
           inlining_fail(in, "stands under `&&`, `||` or `?:`");
}

/* --- the result ------------------------------------------------------------------------------- */

static const struct ast *result_of(const struct inlining *in)
{
    const struct ast *last = last_statement(in->code);
    return last && last->kind == AST_RETURN && last->n_children ? last->children[0] : NULL;
}

/* Lets a function that returns a variable make it in the caller's variable, where that is all that
   the statement is for. */
static void result_place(struct inlining *in)
{
    const struct ast *statement = in->site->statement, *result = ast_plain(result_of(in));
    const struct ast *target = statement->kind == AST_ASSIGN ? statement->children[0] : NULL;
    const struct ast *decl = target && target->kind == AST_REF ? target->decl : NULL;
    if (!decl || statement->op != AST_OP_NONE || statement->children[1] != in->call || !result ||
        result != result_of(in) || result->kind != AST_REF || result->decl->owner != in->callee ||
        result->decl->kind != AST_VARIABLE || !type_is_scalar(decl->type) ||
        result->decl->type->class != decl->type->class || decl->type->is_volatile ||
        decl->owner != in->site->function || decl->is_static ||
        ast_takes_address(in->site->body, decl) || ast_mentions(in->call, decl))
        return;
    struct ast *ref = form_ref(in->arena, in->call, decl);
    ref->begin = ref->end = 0;
    in->target = decl;
    map_put_pointer(in->values, result->decl, ref);
    map_put(in->taken, decl->name, in);
}

/* The nodes of a statement that a macro writes, to be printed from their parts. */
static const struct ast *without_bytes(struct inlining *in, const struct ast *ast)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, in->arena, ast); n; n = ast_next(&walk))
        form_change(n)->begin = form_change(n)->end = 0;
    return ast;
}

/* The statement with the result in the place of the call; NULL if nothing is left of it. */
static const struct ast *rest_of_statement(struct inlining *in)
{
    const struct ast *statement = in->site->statement, *result = result_of(in);
    const struct ast *value = result ? inlining_copy(in, result) : NULL;
    if (statement->kind == AST_CALL) {
        if (value && !inlining_is_value(in->arena, in->unit, value))
            inlining_fail(in, "returns what has an effect of its own");
        return NULL;
    }
    if (!value) {
        inlining_fail(in, "returns nothing");
        return NULL;
    }
    value = inlining_convert(in, value, in->callee->type);
    if (in->target && value->kind == AST_REF && value->decl == in->target)
        return NULL;
    const struct ast *rest = form_copy(in->arena, statement);
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, in->arena, rest); n; n = ast_next(&walk)) {
        if (n->kind != AST_CALL || n->begin != in->call->begin || n->decl != in->callee)
            continue;
        *form_change(n) = *value;
        form_change(n)->begin = in->call->begin;
        form_change(n)->end = in->call->end;
        form_change(n)->is_made = true;
        return in->call->is_part ? without_bytes(in, rest) : rest;
    }
    inlining_fail(in, "stands in a macro");
    return NULL;
}

/* --- text ------------------------------------------------------------------------------------- */

/* A statement as lines, each behind the margin. */
static void statement_print(struct inlining *in, struct str *out, const char *margin,
                            const struct ast *statement)
{
    struct ast_writer writer = {in->arena, in->unit->source, NULL};
    const char *text = statement->kind == AST_EMPTY ? "" : ast_text(&writer, statement);
    if (!text)
        inlining_fail(in, "has a statement that can only stand where it is");
    if (!text || !*text)
        return;
    str_add(out, margin);
    for (; *text; text++) {
        str_char(out, *text);
        if (*text == '\n')
            str_add(out, margin);
    }
    bool is_ended = out->text[out->length - 1] == ';' || !ast_needs_semicolon(statement);
    str_add(out, is_ended ? "\n" : ";\n");
}

static const char *margin_before(struct inlining *in, size_t at)
{
    const char *text = in->unit->source->text;
    size_t line = at;
    while (line > 0 && text[line - 1] != '\n')
        line--;
    return arena_printf(in->arena, "%.*s", (int)strspn(text + line, " \t"), text + line);
}

/* All statements in the place of one: the first line has its margin already, the last no end. */
static const char *site_text(struct inlining *in)
{
    const char *margin = margin_before(in, in->site->statement->begin);
    const char *inner = in->site->in_block ? margin : arena_printf(in->arena, "%s    ", margin);
    struct str out = str_new(in->arena);
    bool returns = result_of(in) || (last_statement(in->code) &&
                                     last_statement(in->code)->kind == AST_RETURN);
    struct ast most = *in->code;
    most.n_children -= returns;
    const struct ast *whole = inlining_without_guards(in, &most, result_of(in));
    const struct ast *code = inlining_copy(in, whole), *rest = rest_of_statement(in);
    for (size_t i = 0; i < in->before.count; i++)
        statement_print(in, &out, inner, in->before.at[i]);
    for (int i = 0; i < code->n_children; i++)
        statement_print(in, &out, inner, code->children[i]);
    if (rest)
        statement_print(in, &out, inner, rest);
    if (!in->site->in_block)
        return arena_printf(in->arena, "{\n%s%s}", out.text, margin);
    const char *first = out.text + (out.length ? strlen(margin) : 0);
    size_t length = strlen(first);
    return arena_strndup(in->arena, first, length ? length - 1 : 0);
}

struct inlined inlining_make(struct arena *arena, struct ast_unit *unit, struct word_list *words,
                             const struct inlining_site *site)
{
    const struct ast *call = inlining_call(arena, unit, site->statement);
    struct str declarations = str_new(arena);
    struct inlining in = {.arena = arena, .unit = unit, .words = words, .site = site,
                          .call = call, .callee = call->decl, .code = ast_body(unit, call->decl),
                          .values = map_new(arena), .taken = map_new(arena),
                          .outside = map_new(arena), .declarations = &declarations};
    const char *text = NULL;
    if (site->statement->is_part || !call->end)
        inlining_fail(&in, "stands in a macro that writes more than its statement");
    if (!in.reason && inlining_check(&in) && check_turn(&in)) {
        result_place(&in);
        if (inlining_bind(&in))
            text = site_text(&in);
    }
    return (struct inlined){declarations.text, text, in.reason};
}

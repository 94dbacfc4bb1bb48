/* Conditions on data around loops, `if (x[j] != 0) for (i = 0; …; i++) …`, as conditions in them.

   In: an `if` whose condition is not affine, with counted loops in its branches. Out: a block
   without the `if`: a variable keeps what the condition was, `int holds = x[j] != 0;`, and each
   statement runs where the variable says so. The loops themselves run always, so that they are
   loops of the fragment:

       if (b[l] != 0) {                     int holds = b[l] != 0;
           t = a * b[l];                    double t = holds ? a * b[l] : 0;
           for (i = 0; i < n; i++)    ->    for (i = 0; i < n; i++)
               c[i] += t * x[i];                if (holds)
       }                                            c[i] += t * x[i];

   A header is made of integers that have values there, and nobody reads the iterator behind. A
   scalar that the branch sets before it reads it, and that nobody reads behind, is a variable of
   the block, so that every round knows its value. Other statements keep their order and their
   meaning: the kept value is that of the condition's one evaluation, and a statement below a
   condition that was false does nothing, whatever numbers are no number. */
#include "base/vec.h"
#include "frontend/behind.h"
#include "frontend/header.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"
#include "mapper/forms/words.h"
#include "mapper/scop/sink.h"

typedef VEC(const struct ast *) statement_list;

struct sink {
    struct arena *arena;
    struct word_list *words;
    const struct fragment *fragment;
    const struct ast *body;          /* of the function */
    struct map *values;              /* a scalar to the name of the block's own variable */
    statement_list own;              /* scalars of the function with such a name, innermost last */
    struct sinking *sinking;
    bool is_wrong;                   /* a loop cannot run where the condition does not hold */
    int n_loops;                     /* loops that run always now */
};

/* --- values ----------------------------------------------------------------------------------- */

/* Does a child of the block before the one that holds the statement set the variable? */
static bool sets_before(const struct ast *block, const struct ast *decl,
                        const struct ast *statement)
{
    int at = 0, set_at = block->n_children;
    while (at < block->n_children && !ast_holds(block->children[at], statement))
        at++;
    for (int i = block->n_children; i-- > 0;)
        if (value_given(block->children[i], decl))
            set_at = i;
    return at < block->n_children && set_at < at;
}

/* Has the variable a value wherever the statement may run? Parameters and initialised variables
   have one, and variables that a statement before sets. */
static bool is_surely_set(const struct sink *s, const struct ast *decl, const struct ast *statement)
{
    struct ast_walk walk;
    if (decl->kind == AST_PARAMETER || decl->n_children || !decl->owner || decl->is_static)
        return true;
    for (const struct ast *n = ast_first(&walk, s->arena, s->body); n; n = ast_next(&walk))
        if ((header_begins_anew(n, decl) && ast_holds(n->children[3], statement)) ||
            (n->kind == AST_COMPOUND && sets_before(n, decl, statement)))
            return true;
    return false;
}

/* Is the node a literal, a variable that has a value there, or an operator that cannot trap? */
static bool is_calm_node(const struct sink *s, const struct ast *n, const struct ast *statement)
{
    bool divides = n->op == AST_OP_DIV || n->op == AST_OP_REM;
    if (n->is_part || !type_is_scalar(n->type) || n->type->is_volatile)
        return false;
    switch (n->kind) {
    case AST_INTEGER: case AST_REAL: case AST_CHARACTER: return true;
    case AST_CAST: return n->is_implicit;
    case AST_UNARY: return n->op == AST_OP_MINUS || n->op == AST_OP_NOT;
    case AST_BINARY: return n->op != AST_OP_COMMA && !divides;
    case AST_REF: return is_surely_set(s, n->decl, statement);
    default: return false;
    }
}

/* Is the expression made of integers that have values there, so that it cannot trap? */
static bool value_is_there(const struct sink *s, const struct ast *value,
                           const struct ast *statement)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, s->arena, value); n; n = ast_next(&walk))
        if (!is_calm_node(s, n, statement) || !ast_class_is_integer(n->type->class))
            return false;
    return true;
}

/* Has the variable one value in all of the fragment? */
static bool variable_is_kept(const struct sink *s, const struct ast *decl)
{
    bool kept = true;
    for (size_t i = 0; i < s->fragment->n_statements && kept; i++)
        kept = !ast_declares(s->fragment->statements[i], decl) &&
               !ast_may_write(s->body, s->fragment->statements[i], decl);
    return kept;
}

/* Is the condition the same in all of the fragment, and can the text compute it before? */
static bool condition_is_kept(const struct sink *s, const struct ast *condition)
{
    struct ast_walk walk;
    const struct ast *first = s->fragment->statements[0];
    for (const struct ast *n = ast_first(&walk, s->arena, condition); n; n = ast_next(&walk))
        if (!is_calm_node(s, n, first) || (n->kind == AST_REF && !variable_is_kept(s, n->decl)))
            return false;
    return true;
}

/* The iterator of a loop that counts by a header that is harmless; NULL of other loops. */
static const struct ast *counter_of(const struct sink *s, const struct ast *loop)
{
    const struct ast *value = NULL;
    struct header_comparison c;
    if (loop->kind != AST_FOR || loop->is_macro || loop->is_meta || !loop->children[0] ||
        !loop->children[1] || !loop->children[2] || loop->children[1]->is_macro)
        return NULL;
    const struct ast *iterator = header_iterator(loop->children[0], &value);
    if (!iterator || !value || header_count(loop, 2) != 1 ||
        !header_step(header_at(loop, 2, 0), iterator) ||
        !header_compares(loop->children[1], iterator, &c))
        return NULL;
    return value_is_there(s, value, loop) && value_is_there(s, c.bound, loop) ? iterator : NULL;
}

/* Has a loop below the statement, or the statement, a header as above? */
static bool has_counted(const struct sink *s, const struct ast *statement)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, s->arena, statement); n; n = ast_next(&walk))
        if (n->kind == AST_FOR && counter_of(s, n))
            return true;
    return false;
}

/* Do the bytes of all that stands around a node hold the node's, as questions about what is read
   behind it want? */
static bool has_place(const struct ast *root, const struct ast *node)
{
    while (root != node) {
        const struct ast *next = NULL;
        for (int i = 0; i < root->n_children && !next; i++)
            next = root->children[i] && ast_holds(root->children[i], node) ? root->children[i]
                                                                           : NULL;
        if (!next || next->begin > node->begin || next->end < node->end)
            return false;
        root = next;
    }
    return true;
}

static bool is_dead_behind(const struct sink *s, const struct ast *statement,
                           const struct ast *decl)
{
    return has_place(s->body, statement) && !ast_takes_address(s->body, decl) &&
           !ast_is_read_behind(s->body, statement, statement, decl);
}

/* Does a further run of the loop, whose statements do nothing, change nothing? */
static bool loop_is_free(const struct sink *s, const struct ast *loop)
{
    const struct ast *iterator = counter_of(s, loop), *body = loop->children[3];
    return iterator && !ast_has_own_jump(body, AST_BREAK) &&
           !ast_has_own_jump(body, AST_CONTINUE) && !ast_writes(body, iterator) &&
           (ast_declares(loop, iterator) || is_dead_behind(s, loop, iterator));
}

/* --- variables of the block ------------------------------------------------------------------- */

/* A node of the block below a statement, with the block's own variables. */
static const struct ast *put(const struct sink *s, const struct ast *ast)
{
    return form_put(s->arena, ast, s->values);
}

static const struct ast *block_of(const struct sink *s, const struct ast *place,
                                  const statement_list *list)
{
    return form_make(s->arena, AST_COMPOUND, place, NULL, (int)list->count, list->at);
}

static const struct ast *statement_guard(const struct sink *s, const struct ast *guard,
                                 const struct ast *statement)
{
    const struct ast *own = put(s, statement);
    if (own->kind != AST_COMPOUND)
        own = form_make(s->arena, AST_COMPOUND, own, NULL, 1, &own);
    const struct ast *parts[] = {form_copy(s->arena, guard), own};
    return form_make(s->arena, AST_IF, statement, NULL, 2, parts);
}

static const struct ast *number_make(const struct sink *s, const struct ast *place, int64_t value)
{
    return form_literal(s->arena, place, form_int(s->arena), value);
}

/* The condition as 0 or 1. */
static const struct ast *truth_of(const struct sink *s, const struct ast *condition)
{
    const struct ast *bare = ast_strip(condition);
    bool asks = is_comparison(bare) || (bare->kind == AST_UNARY && bare->op == AST_OP_NOT) ||
                (bare->kind == AST_BINARY &&
                 (bare->op == AST_OP_EQ || bare->op == AST_OP_LAND || bare->op == AST_OP_LOR));
    const struct ast *zero = number_make(s, condition, 0);
    return asks ? condition
                : form_binary(s->arena, AST_OP_NE, form_int(s->arena), condition, condition,
                              form_convert(s->arena, condition, condition->type, zero));
}

/* `int holds = condition;`, and the name of the variable. */
static const struct ast *holds_declare(const struct sink *s, const struct ast *condition,
                                       statement_list *out)
{
    const struct ast *declare =
        form_declare(s->arena, condition, s->fragment->function,
                     words_fresh(s->words, "holds", 1), form_int(s->arena),
                     truth_of(s, condition));
    vec_push(s->arena, out, declare);
    return form_ref(s->arena, condition, declare->children[0]);
}

/* The value where the guard holds, 0 elsewhere; a harmless one everywhere. */
static const struct ast *value_where(const struct sink *s, const struct ast *guard,
                                     const struct ast *statement, const struct ast *decl,
                                     const struct ast *value)
{
    if (value_is_there(s, value, statement))
        return put(s, value);
    const struct ast *zero = form_convert(s->arena, statement, decl->type,
                                          number_make(s, statement, 0));
    const struct ast *parts[] = {form_copy(s->arena, guard),
                                 form_convert(s->arena, statement, decl->type, put(s, value)),
                                 zero};
    return form_make(s->arena, AST_CONDITIONAL, statement, form_plain_type(s->arena, decl->type),
                     3, parts);
}

/* The scalar of the function to which the statement, one of a block's children, gives a value that
   nobody reads behind the block; NULL of other statements. */
static const struct ast *own_scalar(const struct sink *s, const struct ast *block,
                                    const struct ast *statement)
{
    const struct ast *target = statement->kind == AST_ASSIGN && statement->op == AST_OP_NONE
                                   ? statement->children[0] : NULL;
    const struct ast *decl = target && target->kind == AST_REF ? target->decl : NULL;
    bool plain = decl && decl->kind == AST_VARIABLE && decl->owner && !decl->is_static &&
                 !decl->is_extern && type_is_scalar(decl->type) && !decl->type->is_volatile;
    return plain && form_has_texts(statement) && !map_get_pointer(s->values, decl) &&
           !ast_mentions(statement->children[1], decl) && is_dead_behind(s, block, decl) ? decl
                                                                                        : NULL;
}

/* `T name = guard ? value : 0;` */
static void scalar_declare(struct sink *s, const struct ast *guard,
                           const struct ast *statement, const struct ast *decl,
                           const struct ast *value, statement_list *out)
{
    const struct ast *declare =
        form_declare(s->arena, statement, s->fragment->function, decl->name, decl->type,
                     value_where(s, guard, statement, decl, value));
    map_put_pointer(s->values, decl, form_ref(s->arena, statement, declare->children[0]));
    vec_push(s->arena, &s->own, decl);
    vec_push(s->arena, out, declare);
}

/* A variable that a branch declares without a value. */
static void bare_declare(struct sink *s, const struct ast *declare, const struct ast *decl,
                         statement_list *out)
{
    const struct ast *own = put(s, decl);
    vec_push(s->arena, out, form_make(s->arena, AST_DECLARE, declare, NULL, 1, &own));
}

static bool can_declare(const struct ast *decl)
{
    return decl->kind == AST_VARIABLE && !decl->is_static && !decl->is_extern &&
           (!decl->n_children || (type_is_scalar(decl->type) && !decl->type->is_volatile));
}

/* The declaration of a branch; false if it declares what no variable of the block can stand for. */
static bool declaration_sink(struct sink *s, const struct ast *guard,
                             const struct ast *declare, statement_list *out)
{
    if (declare->is_macro || !form_has_texts(declare))
        return false;
    for (int i = 0; i < declare->n_children; i++)
        if (!can_declare(declare->children[i]))
            return false;
    for (int i = 0; i < declare->n_children; i++) {
        const struct ast *decl = declare->children[i];
        if (decl->n_children)
            scalar_declare(s, guard, declare, decl, decl->children[0], out);
        else
            bare_declare(s, declare, decl, out);
    }
    return true;
}

/* --- statements ------------------------------------------------------------------------------- */

static void statement_sink(struct sink *s, const struct ast *guard, const struct ast *block,
                           const struct ast *ast, statement_list *out);

/* The statement, which may be a block, as a block below the guard. */
static const struct ast *branch_sink(struct sink *s, const struct ast *guard,
                                     const struct ast *ast)
{
    statement_list list = {0};
    size_t n_own = s->own.count;
    bool is_block = ast->kind == AST_COMPOUND;
    int n = is_block ? ast->n_children : 1;
    for (int i = 0; i < n; i++)
        statement_sink(s, guard, ast, is_block ? ast->children[i] : ast, &list);
    while (s->own.count > n_own)
        map_put_pointer(s->values, s->own.at[--s->own.count], NULL);
    return block_of(s, ast, &list);
}

static void loop_sink(struct sink *s, const struct ast *guard, const struct ast *loop,
                      statement_list *out)
{
    const struct ast *parts[4], *body = loop->children[3];
    for (int i = 0; i < 3; i++)
        parts[i] = put(s, loop->children[i]);
    parts[3] = has_counted(s, body) ? branch_sink(s, guard, body) : statement_guard(s, guard, body);
    struct ast *own = form_make(s->arena, AST_FOR, loop, NULL, 4, parts);
    own->name = loop->name;
    s->n_loops++;
    vec_push(s->arena, out, own);
}

/* The variable that the text declares before the fragment, `const int holds = beta == 0. ? 1 : 0;`,
   the same for equal conditions. */
static const struct ast *kept_variable(const struct sink *s, const struct ast *condition)
{
    struct sinking *sinking = s->sinking;
    size_t n = sinking ? sinking->kept.count : 0;
    for (size_t i = 0; i < n; i++)
        if (ast_equal(sinking->kept.at[i]->children[0]->children[0], condition))
            return sinking->kept.at[i];
    const struct ast *parts[] = {form_copy(s->arena, condition), number_make(s, condition, 1),
                                 number_make(s, condition, 0)};
    const struct ast *value = form_make(s->arena, AST_CONDITIONAL, condition, form_int(s->arena), 3,
                                        parts);
    const struct ast *variable =
        form_variable(s->arena, s->fragment->function, words_fresh(s->words, "holds", 1),
                      form_int(s->arena), value);
    if (sinking)
        vec_push(s->arena, &sinking->kept, variable);
    return variable;
}

/* `holds && c`, or `holds && !c` */
static const struct ast *guard_join(const struct sink *s, const struct ast *guard, bool holds,
                                    const struct ast *c)
{
    const struct ast_type *type = form_int(s->arena);
    const struct ast *own = form_copy(s->arena, c);
    if (!holds) {
        struct ast *not = form_make(s->arena, AST_UNARY, c, type, 1, &own);
        not->op = AST_OP_NOT;
        own = not;
    }
    return guard ? form_binary(s->arena, AST_OP_LAND, type, c, form_copy(s->arena, guard), own)
                 : own;
}

/* `if (condition)` around the branches below the guard; NULL: around the branches as they are. */
static void kept_sink(struct sink *s, const struct ast *guard, const struct ast *ast,
                      const struct ast *condition, statement_list *out)
{
    const struct ast *parts[3] = {condition};
    for (int i = 1; i < ast->n_children; i++)
        parts[i] = guard && ast->children[i] ? branch_sink(s, guard, ast->children[i])
                                             : ast->children[i];
    s->n_loops += !guard;
    vec_push(s->arena, out,
             form_make(s->arena, AST_IF, ast, NULL, ast->n_children, parts));
}

/* An `if` with loops in it, below a guard (NULL: none). */
static void if_sink(struct sink *s, const struct ast *guard, const struct ast *ast,
                    statement_list *out)
{
    bool has_else = ast->n_children > 2 && ast->children[2];
    const struct ast *condition = put(s, ast->children[0]);
    if (guard && value_is_there(s, ast->children[0], ast)) {
        kept_sink(s, guard, ast, condition, out);
        return;
    }
    if (condition_is_kept(s, ast->children[0])) {
        const struct ast *kept = form_ref(s->arena, ast, kept_variable(s, ast->children[0]));
        kept_sink(s, guard, ast,
                  form_binary(s->arena, AST_OP_NE, form_int(s->arena), ast, kept,
                              number_make(s, ast, 0)), out);
        return;
    }
    const struct ast *holds =
        holds_declare(s, guard ? guard_join(s, guard, true, condition) : condition, out);
    vec_push(s->arena, out, branch_sink(s, holds, ast->children[1]));
    if (!has_else)
        return;
    const struct ast *fails = holds_declare(s, guard_join(s, guard, false, holds), out);
    vec_push(s->arena, out, branch_sink(s, fails, ast->children[2]));
}

static bool is_condition(const struct ast *condition)
{
    return !condition->is_part && type_is_scalar(condition->type) &&
           !ast_strip(condition)->is_part;
}

/* `block`: the branch or the body whose child the statement is, or the statement itself. */
static void statement_sink(struct sink *s, const struct ast *guard, const struct ast *block,
                           const struct ast *ast, statement_list *out)
{
    const struct ast *decl = own_scalar(s, block, ast);
    bool sinks = has_counted(s, ast);
    s->is_wrong |= ast->is_part;
    if (ast->kind == AST_EMPTY)
        return;
    if (decl)
        scalar_declare(s, guard, ast, decl, ast->children[1], out);
    else if (ast->kind == AST_DECLARE && declaration_sink(s, guard, ast, out))
        return;
    else if (ast->kind == AST_DECLARE)
        s->is_wrong = true;
    else if (sinks && ast->kind == AST_COMPOUND)
        vec_push(s->arena, out, branch_sink(s, guard, ast));
    else if (sinks && ast->kind == AST_IF && is_condition(ast->children[0]))
        if_sink(s, guard, ast, out);
    else if (sinks && ast->kind == AST_FOR && loop_is_free(s, ast))
        loop_sink(s, guard, ast, out);
    else
        vec_push(s->arena, out, statement_guard(s, guard, ast));
}

static bool has_other_ways(struct arena *arena, const struct ast *ast)
{
    static const enum ast_kind kinds[] = {AST_RETURN, AST_GOTO, AST_LABEL, AST_SWITCH, AST_ASM,
                                          AST_INDIRECT_GOTO, AST_STATEMENT_EXPR, AST_SCHEDULE};
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, ast); n; n = ast_next(&walk))
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (n->kind == kinds[i])
                return true;
    return ast_has_own_jump(ast, AST_BREAK) || ast_has_own_jump(ast, AST_CONTINUE);
}

const struct ast *sunk_block(struct arena *arena, struct ast_unit *unit,
                             const struct fragment *fragment, const struct ast *ast)
{
    statement_list list = {0};
    struct sinking *kept = fragment->sinking;
    struct sink s = {.arena = arena, .words = kept ? kept->words : NULL, .fragment = fragment,
                     .body = fragment->body, .values = map_new(arena), .sinking = kept};
    const struct ast *block = kept ? map_get_pointer(kept->blocks, ast) : NULL;
    if (block || ast->is_macro || !is_condition(ast->children[0]) || !has_counted(&s, ast) ||
        has_other_ways(arena, ast))
        return block;
    if (!s.words)
        s.words = words_of(arena, unit);
    if_sink(&s, NULL, ast, &list);
    if (s.is_wrong || !s.n_loops)
        return NULL;
    block = block_of(&s, ast, &list);
    if (kept)
        map_put_pointer(kept->blocks, ast, (void *)block);
    return block;
}

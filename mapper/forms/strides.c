/* Loops in steps of a variable: `for (int i = s; i < e; i += c)` as a loop that counts its rounds.

   In: the body of a function. Out: `for (int i = 0; i < i_rounds; i++)`, where `s + i * c` stands
   for `i`. The rounds are a variable of their own, which the mapped text declares before a fragment
   that uses it, as members of structures (members.c): 0 where c is not positive or s not below e.
   All that s, e and c name keeps its value in the function. Nobody reads the iterator behind the
   loop, and it is signed: with c below 1 a loop that begins would never end. No loop stands inside,
   as a fragment within would use the iterator as the source counts; a loop around calls functions
   of other files, and no caller takes the function into its own statements, where a thread counts
   as the source. */
#include "frontend/behind.h"
#include "frontend/calls.h"
#include "frontend/header.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"
#include "mapper/forms/words.h"

struct strides {
    struct arena *arena;
    const struct ast_unit *unit;
    const struct ast *function, *body;
    struct word_list *words;
};

/* The parts of such a loop's header. */
struct stride {
    const struct ast *iterator, *start, *end, *step;
    enum ast_op op;                  /* `<` or `<=` */
};

static bool is_signed(const struct ast *ast)
{
    return ast->type && (ast->type->class == AST_TYPE_I32 || ast->type->class == AST_TYPE_I64);
}

/* Does a marked fragment hold the place? The rounds are declared before it. */
static bool is_marked(const struct strides *s, size_t place)
{
    bool inside = false;
    for (size_t i = 0; i < s->unit->n_pragmas && s->unit->pragmas[i].begin < place; i++) {
        enum ast_pragma_kind kind = s->unit->pragmas[i].kind;
        inside = kind == PRAGMA_SCOP || (inside && kind != PRAGMA_ENDSCOP);
    }
    return inside;
}

/* Has the variable one value in all of the function's loops, which is known before each? */
static bool keeps_value(const struct strides *s, const struct ast *decl)
{
    bool local = decl->kind == AST_PARAMETER ||
                 (decl->kind == AST_VARIABLE && decl->n_children && !decl->is_global &&
                  !decl->is_static && !is_marked(s, decl->begin));
    return local && !decl->type->is_volatile && !ast_writes(s->body, decl) &&
           !ast_takes_address(s->body, decl) && !form_is_in_loop(s->arena, decl, s->body) &&
           !form_hides(s->arena, decl, s->body);
}

/* Is it a sum or product of integers that keep their values? */
static bool is_kept(const struct strides *s, const struct ast *ast)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, s->arena, ast); n; n = ast_next(&walk)) {
        bool sums = n->kind == AST_BINARY && (n->op == AST_OP_ADD || n->op == AST_OP_SUB ||
                                              n->op == AST_OP_MUL);
        bool good = sums || n->kind == AST_INTEGER || n->kind == AST_CAST ||
                    (n->kind == AST_REF && keeps_value(s, n->decl));
        if (!good || !is_signed(n))
            return false;
    }
    return true;
}

/* Does no fragment stand within the loop? */
static bool is_innermost(const struct strides *s, const struct ast *loop)
{
    const struct ast *body = loop->children[3];
    return !ast_has(body, AST_FOR) && !ast_has(body, AST_WHILE) && !ast_has(body, AST_DO) &&
           !form_has_mark(s->unit, loop);
}

/* Has a sum of it and the iterator the iterator's type? */
static bool is_narrow(const struct ast *ast, const struct ast *iterator)
{
    return iterator->type->class == AST_TYPE_I64 || ast->type->class == AST_TYPE_I32;
}

/* Reads a header; false if it is of another form. */
static bool stride_parts(const struct ast *loop, struct stride *stride)
{
    const struct ast *start = loop->children[0], *amount = NULL;
    struct header_comparison comparison;
    int sign = 0;
    if (!start || (start->kind == AST_DECLARE && start->n_children != 1) || !loop->children[1] ||
        !loop->children[2] || loop->is_macro || loop->is_meta || start->is_macro)
        return false;
    stride->iterator = header_iterator(start, &stride->start);
    if (!stride->iterator || !is_signed(stride->iterator) ||
        !header_amount(loop->children[2], stride->iterator, &sign, &amount) || sign != 1 ||
        !amount || ast_strip(amount)->kind == AST_INTEGER ||
        header_step(loop->children[2], stride->iterator) ||
        !header_compares(loop->children[1], stride->iterator, &comparison) || comparison.plus ||
        !is_ref_to(ast_strip(comparison.side), stride->iterator))
        return false;
    stride->start = ast_strip(stride->start);
    stride->step = ast_strip(amount);
    stride->end = comparison.bound;
    stride->op = comparison.op;
    return stride->op == AST_OP_LT || stride->op == AST_OP_LE;
}

/* Is the iterator declared by the loop, or read by nobody behind it? */
static bool iterator_is_own(const struct strides *s, const struct ast *loop,
                            const struct ast *iterator)
{
    bool local = !iterator->is_global && !iterator->is_static && !iterator->type->is_volatile;
    return loop->children[0]->kind == AST_DECLARE ||
           (local && !ast_takes_address(s->body, iterator) && !ast_has(s->body, AST_LABEL) &&
            !ast_has(s->body, AST_SWITCH) &&
            !ast_is_read_behind(s->body, loop, loop, iterator));
}

/* Reads a loop; false if the values in its header may change. */
static bool stride_read(const struct strides *s, const struct ast *loop, struct stride *stride)
{
    const struct ast *body = loop->children[3];
    return stride_parts(loop, stride) && iterator_is_own(s, loop, stride->iterator) &&
           is_innermost(s, loop) && is_kept(s, stride->step) &&
           is_kept(s, stride->start) && is_kept(s, stride->end) &&
           is_narrow(stride->step, stride->iterator) &&
           is_narrow(stride->start, stride->iterator) && !ast_writes(body, stride->iterator) &&
           !ast_takes_address(body, stride->iterator);
}

/* `c > 0 && s < e ? ((long)e - s - 1) / c + 1 : 0`; one less is not taken off for `<=`. */
static const struct ast *rounds_make(const struct strides *s, const struct stride *stride)
{
    struct arena *arena = s->arena;
    const struct ast_type *wide = form_long(arena, AST_TYPE_I64), *type = stride->iterator->type;
    const struct ast *zero = form_literal(s->arena, stride->step, type, 0);
    const struct ast *one = form_literal(s->arena, stride->step, type, 1);
    const struct ast *start = form_copy(arena, stride->start), *end = form_copy(arena, stride->end);
    const struct ast *step = form_copy(arena, stride->step);
    const struct ast *begins = form_binary(arena, stride->op, type, start, start, end);
    const struct ast *grows = form_binary(arena, AST_OP_GT, type, step, step, zero);
    const struct ast *both = form_binary(arena, AST_OP_LAND, type, grows, grows, begins);
    const struct ast *length = form_widen(arena, end, AST_TYPE_I64, true);
    if (ast_strip(start)->kind != AST_INTEGER || ast_strip(start)->integer)
        length = form_binary(arena, AST_OP_SUB, wide, length, length, start);
    if (stride->op == AST_OP_LT)
        length = form_binary(arena, AST_OP_SUB, wide, length, length, one);
    const struct ast *steps = form_binary(arena, AST_OP_DIV, wide, length, length, step);
    const struct ast *rounds = form_binary(arena, AST_OP_ADD, wide, steps, steps, one);
    const struct ast *parts[] = {both, rounds, zero};
    return form_make(arena, AST_CONDITIONAL, stride->step, wide, 3, parts);
}

/* The variable that counts the rounds. */
static const struct ast *variable_make(const struct strides *s, const struct stride *stride)
{
    const struct ast *value = rounds_make(s, stride);
    const struct ast_type *type = stride->iterator->type;
    const char *name =
        words_variable(s->words, arena_printf(s->arena, "%s_rounds", stride->iterator->name));
    return form_variable(s->arena, s->function, name, type, value);
}

static bool is_use(const struct ast *ast, const struct stride *stride)
{
    return ast->kind == AST_REF && ast->decl == stride->iterator;
}

/* A copy that C converts to a type which has all its values. */
static const struct ast *typed_copy(const struct strides *s, const struct ast *ast,
                                    const struct ast_type *type)
{
    return form_widen(s->arena, form_copy(s->arena, ast), type->class, false);
}

/* `i * c` */
static const struct ast *product_make(const struct strides *s, const struct stride *stride,
                                      const struct ast *use)
{
    const struct ast_type *type = stride->iterator->type;
    return form_binary(s->arena, AST_OP_MUL, type, use,
                       form_ref(s->arena, use, stride->iterator),
                       typed_copy(s, stride->step, type));
}

/* `s + i * c` in place of uses of the iterator. */
static void uses_change(const struct strides *s, const struct stride *stride,
                        const struct ast *root)
{
    const struct ast_type *type = stride->iterator->type;
    const struct ast *start = ast_strip(stride->start);
    bool begins = start->kind != AST_INTEGER || start->integer;
    for (int i = 0; i < root->n_children; i++) {
        const struct ast *use = root->children[i];
        if (!use)
            continue;
        if (!is_use(use, stride)) {
            uses_change(s, stride, use);
            continue;
        }
        const struct ast *product = product_make(s, stride, use), *sum = product;
        if (begins)
            sum = form_binary(s->arena, AST_OP_ADD, type, start, typed_copy(s, start, type),
                              product);
        struct ast *node = form_change(use);
        node->kind = AST_BINARY;
        node->op = sum->op;
        node->is_made = true;
        node->children = sum->children;
        node->n_children = 2;
    }
}

/* `int i = 0` or `i = 0` in place of a loop's start. */
static void start_make(const struct strides *s, struct ast *start, const struct ast *iterator)
{
    const struct ast *zero = form_literal(s->arena, start, iterator->type, 0);
    const struct ast *sides[] = {NULL, zero};
    start->is_made = true;
    if (start->kind == AST_DECLARE) {
        struct ast *variable = form_change(iterator);
        variable->children = form_make(s->arena, AST_COMPOUND, start, NULL, 1, &zero)->children;
        variable->is_made = false;
        return;
    }
    sides[0] = start->children[0];
    start->children = form_make(s->arena, AST_COMPOUND, start, NULL, 2, sides)->children;
}

static void stride_fold(struct strides *s, const struct ast *loop)
{
    struct stride stride;
    if (!stride_read(s, loop, &stride))
        return;
    const struct ast_type *type = stride.iterator->type;
    const struct ast *variable = variable_make(s, &stride);
    uses_change(s, &stride, loop->children[3]);
    const struct ast *iterator = stride.iterator;
    struct ast *start = form_change(loop->children[0]), *node = form_change(loop);
    start_make(s, start, iterator);
    const struct ast *condition = loop->children[1];
    const struct ast *target = form_ref(s->arena, loop->children[2], iterator);
    struct ast *step = form_make(s->arena, AST_UNARY, loop->children[2], type, 1, &target);
    step->op = AST_OP_POST_INCREMENT;
    const struct ast *parts[] = {
        start,
        form_binary(s->arena, AST_OP_LT, type, condition, form_ref(s->arena, condition, iterator),
                    form_ref(s->arena, condition, variable)),
        step, loop->children[3]};
    node->children = form_make(s->arena, AST_FOR, loop, NULL, 4, parts)->children;
    node->is_made = true;
}

/* Does something in the loop call a function of another file, as no thread does? */
static bool stays_on_host(const struct strides *s, const struct ast *loop)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, s->arena, loop); n; n = ast_next(&walk))
        if (n->kind == AST_CALL && !call_is_pure(n) && !call_is_mark(n) &&
            !(n->decl && n->decl->has_body))
            return true;
    return false;
}

/* Changes the loops that cannot be parts of a thread's statement, which may count as they do. */
static void strides_find(struct strides *s, const struct ast *ast)
{
    bool loops = ast->kind == AST_FOR || ast->kind == AST_WHILE || ast->kind == AST_DO;
    if (ast->kind == AST_FOR)
        stride_fold(s, ast);
    if (loops && !stays_on_host(s, ast))
        return;
    for (int i = 0; i < ast->n_children; i++)
        if (ast->children[i] && !ast_is_expression(ast->children[i]))
            strides_find(s, ast->children[i]);
}

static bool is_called_in(const struct strides *s, const struct ast *root)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, s->arena, root); n; n = ast_next(&walk))
        if (n->kind == AST_CALL && n->decl == s->function)
            return true;
    return false;
}

/* May the function be part of others' statements? */
static bool may_help(const struct strides *s, struct ast_unit *unit)
{
    const struct ast_type *result = s->function->type;
    bool called = false;
    if (result && result->class == AST_TYPE_VOID)
        return false;
    for (size_t i = 0; i < unit->n_declarations && !called; i++) {
        const struct ast *other = unit->declarations[i];
        called = other->kind == AST_FUNCTION && is_called_in(s, ast_body(unit, other));
    }
    return called;
}

void strides_fold(struct arena *arena, struct ast_unit *unit, const struct word_list *words,
                  const struct ast *function, const struct ast *body)
{
    struct strides s = {arena, unit, function, body, words_again(arena, words)};
    if (ast_has(body, AST_FOR) && !may_help(&s, unit))
        strides_find(&s, body);
}

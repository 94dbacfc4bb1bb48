/* Arithmetic of `_Complex` as that of its two parts.

   In: the body of a function. Out: in loops, assignments, first values and parts of complex numbers
   in terms of their real and imaginary parts, as of a structure of two members: `z[i] = a * b`
   becomes `{ float p = …; float q = …; z[i].re = p; z[i].im = q; }`, whose members records.c,
   fields.c, members.c and written.c take further, since C lays a complex number out as an array of
   two. Understood are sums, differences, products, quotients by real numbers, `conj`, `creal`,
   `cimag`, `cabs`, `I`, `CMPLX`, conversions and comparisons; a real operand stays real, as C and
   both compilers have it (6.3.1.8). A product is (ac - bd) + (ad + bc)i; where both parts come out
   as NaN, statements behind it find the infinity that C has there (Annex G; docs/bits.md), so that
   a product needs a statement that is always run. A loop is changed as a whole, or not at all if it
   does something else with a complex number. */
#include "base/vec.h"
#include "frontend/ask.h"
#include "frontend/calls.h"
#include "frontend/writes.h"
#include "mapper/forms/opening.h"
#include "mapper/forms/product.h"
#include "mapper/forms/words.h"
#include <string.h>

/* Nodes of one part: products inside products compute their operands' parts several times where no
   statement can name them. */
enum { PART_NODES_MAX = 300 };

/* The node gets the contents of the other one, once all of a loop is understood. */
struct complex_change {
    struct ast *node;
    const struct ast *made;
};

struct complexes {
    struct arena *arena;
    struct ast_unit *unit;
    struct word_list *words;
    const struct ast *function;
    node_list *before;               /* statements before the one in question; NULL: there may be
                                        none, as the expression may not be computed */
    VEC(struct complex_change) changes;
    bool fails;
};

/* The value of an expression. */
struct complex_value {
    const struct ast_type *type;     /* of a part */
    const struct ast *re, *im;       /* im: NULL of a real number */
    bool mixes;                      /* a part of it is made of both parts of a number in memory */
};

static bool is_complex(const struct ast *ast)
{
    return ast->type && ast->type->is_complex;
}

static struct complex_value complex_fail(struct complexes *c, const struct ast *place)
{
    c->fails = true;
    return (struct complex_value){.type = place->type, .re = place, .im = place};
}

/* --- parts ------------------------------------------------------------------------------------ */

/* A part of a number in memory or in a variable: 0 the real one. */
static const struct ast *part_make(struct complexes *c, const struct ast *number, int part)
{
    return form_member(c->arena, number, &number->type->fields[part]);
}

static const struct ast *part_number(struct complexes *c, const struct ast *place,
                                     const struct ast_type *type, double value)
{
    struct ast *number = form_make(c->arena, AST_REAL, place, type, 0, NULL);
    number->real = value;
    return number;
}

static const struct ast *part_cast(struct complexes *c, const struct ast_type *type,
                                   const struct ast *value)
{
    return value->type->class == type->class
               ? value
               : form_make(c->arena, AST_CAST, value, type, 1, &value);
}

static const struct ast *part_minus(struct complexes *c, const struct ast *value)
{
    struct ast *minus = form_make(c->arena, AST_UNARY, value, value->type, 1, &value);
    minus->op = AST_OP_MINUS;
    return minus;
}

static const struct ast *part_op(struct complexes *c, enum ast_op op, const struct ast *a,
                                 const struct ast *b)
{
    return form_binary(c->arena, op, a->type, a, form_copy(c->arena, a), form_copy(c->arena, b));
}

/* Does a second reading cost nothing, and give the same whatever is stored meanwhile? */
static bool part_is_name(const struct ast *ast)
{
    ast = ast_strip(ast);
    return ast->kind == AST_REF || ast->kind == AST_REAL || ast->kind == AST_INTEGER;
}

/* Does a second reading cost nothing while nothing is stored? */
static bool part_is_cheap(const struct ast *ast)
{
    ast = ast_strip(ast);
    return part_is_name(ast) || ast->kind == AST_MEMBER || ast->kind == AST_INDEX;
}

/* The value as the name of a variable that is declared before the statement. */
static const struct ast *part_named(struct complexes *c, const struct ast *value, const char *name)
{
    const struct ast *declared = form_declare(c->arena, value, c->function,
                                              words_fresh(c->words, name, 1), value->type, value);
    vec_push(c->arena, c->before, declared);
    return form_ref(c->arena, value, declared->children[0]);
}

/* Names what is read twice. Where no statement may stand before, the value is computed twice. */
static void complex_name(struct complexes *c, struct complex_value *value)
{
    if (c->before && !part_is_cheap(value->re))
        value->re = part_named(c, value->re, "re");
    if (c->before && value->im && !part_is_cheap(value->im))
        value->im = part_named(c, value->im, "im");
}

/* Names what a store might change. */
static void complex_keep(struct complexes *c, struct complex_value *value)
{
    if (!part_is_name(value->re))
        value->re = part_named(c, value->re, "re");
    if (value->im && !part_is_name(value->im))
        value->im = part_named(c, value->im, "im");
}

/* --- values ----------------------------------------------------------------------------------- */

static struct complex_value complex_of(struct complexes *c, const struct ast *ast);
static const struct ast *real_of(struct complexes *c, const struct ast *ast);

/* A place that names, members, subscripts and pointers lead to. */
static bool is_number_place(struct complexes *c, const struct ast *ast)
{
    struct ast_walk walk;
    if (ast->kind != AST_REF && ast->kind != AST_INDEX && ast->kind != AST_MEMBER &&
        !(ast->kind == AST_UNARY && ast->op == AST_OP_DEREFERENCE))
        return false;
    for (const struct ast *n = ast_first(&walk, c->arena, ast); n; n = ast_next(&walk))
        if (change_target(n) || n->kind == AST_CALL || n->is_part)
            return false;
    return true;
}

static struct complex_value complex_sum(struct complexes *c, const struct ast *ast,
                                        struct complex_value a, struct complex_value b)
{
    struct complex_value sum = {.type = a.type, .mixes = a.mixes || b.mixes};
    sum.re = part_op(c, ast->op, a.re, b.re);
    if (a.im && b.im)
        sum.im = part_op(c, ast->op, a.im, b.im);
    else if (a.im)
        sum.im = a.im;
    else
        sum.im = ast->op == AST_OP_SUB ? part_minus(c, b.im) : b.im;
    return sum;
}

/* A complex number times, or by, a real one; both parts read the real one. */
static struct complex_value scaled(struct complexes *c, enum ast_op op, struct complex_value z,
                                   struct complex_value real, bool is_first)
{
    struct complex_value product = {.type = z.type};
    complex_name(c, &real);
    product.re = is_first ? part_op(c, op, real.re, z.re) : part_op(c, op, z.re, real.re);
    product.im = is_first ? part_op(c, op, real.re, z.im) : part_op(c, op, z.im, real.re);
    product.mixes = z.mixes || !part_is_name(real.re);
    return product;
}

static struct complex_value product_of(struct complexes *c, const struct ast *ast,
                                       struct complex_value a, struct complex_value b)
{
    struct complex_value product = {.type = a.type, .mixes = true};
    if (!c->before)
        return complex_fail(c, ast);
    complex_name(c, &a);
    complex_name(c, &b);
    product.re = part_named(c, part_op(c, AST_OP_SUB, part_op(c, AST_OP_MUL, a.re, b.re),
                                       part_op(c, AST_OP_MUL, a.im, b.im)), "re");
    product.im = part_named(c, part_op(c, AST_OP_ADD, part_op(c, AST_OP_MUL, a.re, b.im),
                                       part_op(c, AST_OP_MUL, a.im, b.re)), "im");
    struct complex_product parts = {c->arena, c->function, c->words,
                                    {a.re, a.im, b.re, b.im}, product.re, product.im};
    vec_push(c->arena, c->before, product_recover(&parts));
    return product;
}

static struct complex_value binary_of(struct complexes *c, const struct ast *ast,
                                      struct complex_value a, struct complex_value b)
{
    a.type = b.type = ast->type->part;
    a.re = part_cast(c, a.type, a.re);
    b.re = part_cast(c, b.type, b.re);
    if (!a.im && !b.im)
        return complex_fail(c, ast);
    switch (ast->op) {
    case AST_OP_ADD:
    case AST_OP_SUB: return complex_sum(c, ast, a, b);
    case AST_OP_MUL:
        if (a.im && b.im)
            return product_of(c, ast, a, b);
        return a.im ? scaled(c, AST_OP_MUL, a, b, false)
                    : scaled(c, AST_OP_MUL, b, a, true);
    case AST_OP_DIV:
        return b.im ? complex_fail(c, ast) : scaled(c, AST_OP_DIV, a, b, false);
    default: return complex_fail(c, ast);
    }
}

static struct complex_value unary_of(struct complexes *c, const struct ast *ast)
{
    struct complex_value value = complex_of(c, ast->children[0]);
    bool is_known = ast->op == AST_OP_PLUS || ast->op == AST_OP_MINUS ||
                    ast->op == AST_OP_COMPLEMENT;
    if (!is_known || !value.im)
        return complex_fail(c, ast);
    if (ast->op == AST_OP_MINUS)
        value.re = part_minus(c, value.re);
    if (ast->op != AST_OP_PLUS)
        value.im = part_minus(c, value.im);
    return value;
}

/* The function's name without "__builtin_" and the `f` of float; "" of no call. */
static const char *function_stem(struct complexes *c, const struct ast *ast)
{
    static const char builtin[] = "__builtin_";
    if (ast->kind != AST_CALL || !ast->decl || ast->decl->has_body || ast->decl->is_static)
        return "";
    const char *name = ast->decl->name;
    if (strncmp(name, builtin, sizeof builtin - 1) == 0)
        name += sizeof builtin - 1;
    size_t length = strlen(name);
    return length && name[length - 1] == 'f' ? arena_strndup(c->arena, name, length - 1) : name;
}

static struct complex_value call_of(struct complexes *c, const struct ast *ast)
{
    const char *stem = function_stem(c, ast);
    if (strcmp(stem, "complex") == 0 && ast->n_children == 2)
        return (struct complex_value){.type = ast->type->part,
                                      .re = real_of(c, ast->children[0]),
                                      .im = real_of(c, ast->children[1])};
    if (strcmp(stem, "conj") != 0 || ast->n_children != 1)
        return complex_fail(c, ast);
    struct complex_value value = complex_of(c, ast->children[0]);
    if (!value.im)
        return complex_fail(c, ast);
    value.im = part_minus(c, value.im);
    return value;
}

static struct complex_value cast_of(struct complexes *c, const struct ast *ast)
{
    struct complex_value value = complex_of(c, ast->children[0]);
    const struct ast_type *type = ast->type->part;
    value.re = part_cast(c, type, value.re);
    value.im = value.im ? part_cast(c, type, value.im) : part_number(c, ast, type, 0);
    value.type = type;
    return value;
}

/* `which ? a : b`, each part by itself. */
static struct complex_value choice_of(struct complexes *c, const struct ast *ast)
{
    const struct ast *which = real_of(c, ast->children[0]);
    node_list *before = c->before;
    c->before = NULL;
    struct complex_value a = complex_of(c, ast->children[1]),
                         b = complex_of(c, ast->children[2]);
    c->before = before;
    struct complex_value value = {.type = ast->type->part, .mixes = true};
    if (!a.im || !b.im)
        return complex_fail(c, ast);
    const struct ast *re[] = {which, a.re, b.re};
    const struct ast *im[] = {form_copy(c->arena, which), a.im, b.im};
    value.re = form_make(c->arena, AST_CONDITIONAL, ast, value.type, 3, re);
    value.im = form_make(c->arena, AST_CONDITIONAL, ast, value.type, 3, im);
    return value;
}

static struct complex_value complex_of(struct complexes *c, const struct ast *ast)
{
    if (c->fails)
        return complex_fail(c, ast);
    if (!is_complex(ast))
        return type_is_scalar(ast->type)
                   ? (struct complex_value){.type = ast->type, .re = real_of(c, ast)}
                   : complex_fail(c, ast);
    if (!ast->type->part)
        return complex_fail(c, ast);
    if (is_number_place(c, ast))
        return (struct complex_value){ast->type->part, part_make(c, ast, 0), part_make(c, ast, 1),
                                      false};
    switch (ast->kind) {
    case AST_UNARY: return unary_of(c, ast);
    case AST_BINARY: {
        struct complex_value a = complex_of(c, ast->children[0]);
        struct complex_value b = complex_of(c, ast->children[1]);
        return binary_of(c, ast, a, b);
    }
    case AST_CALL: return call_of(c, ast);
    case AST_LIST:
        if (ast->n_children != 2)
            return complex_fail(c, ast);
        return (struct complex_value){ast->type->part, real_of(c, ast->children[0]),
                                      real_of(c, ast->children[1]), false};
    case AST_CAST: return cast_of(c, ast);
    case AST_CONDITIONAL: return choice_of(c, ast);
    case AST_IMAGINARY:
        if (ast->n_children != 1 || ast->children[0]->kind != AST_REAL)
            return complex_fail(c, ast);
        return (struct complex_value){ast->type->part, part_number(c, ast, ast->type->part, 0),
                                      part_number(c, ast, ast->type->part, ast->children[0]->real),
                                      false};
    default: return complex_fail(c, ast);
    }
}

/* --- real numbers of complex ones ------------------------------------------------------------- */

/* `a.re == b.re && a.im == b.im`, or one of both differs. */
static const struct ast *comparison_of(struct complexes *c, const struct ast *ast)
{
    struct complex_value a = complex_of(c, ast->children[0]),
                         b = complex_of(c, ast->children[1]);
    const struct ast *zero = part_number(c, ast, a.im ? a.type : b.type, 0);
    const struct ast *re = part_op(c, ast->op, a.re, b.re);
    const struct ast *im = part_op(c, ast->op, a.im ? a.im : zero, b.im ? b.im : zero);
    form_change(re)->type = form_change(im)->type = ast->type;
    return form_binary(c->arena, ast->op == AST_OP_EQ ? AST_OP_LAND : AST_OP_LOR, ast->type, ast,
                       re, im);
}

/* `hypot` of both parts, which is how C defines the absolute value (Annex G). */
static const struct ast *absolute_of(struct complexes *c, const struct ast *ast)
{
    struct complex_value value = complex_of(c, ast->children[0]);
    struct ast *function = ARENA_NEW(c->arena, struct ast);
    bool is_float = value.type->class == AST_TYPE_F32;
    *function = (struct ast){.kind = AST_FUNCTION,
                             .type = value.type,
                             .name = is_float ? "__builtin_hypotf" : "__builtin_hypot"};
    const struct ast *parts[] = {value.re, value.im ? value.im
                                                    : part_number(c, ast, value.type, 0)};
    struct ast *call = form_make(c->arena, AST_CALL, ast, value.type, 2, parts);
    call->decl = function;
    return call;
}

/* The real value that an operator, a function or a conversion makes of complex numbers; NULL of
   other nodes. */
static const struct ast *special_of(struct complexes *c, const struct ast *ast)
{
    const struct ast *operand = ast->n_children ? ast->children[0] : NULL;
    const char *stem = function_stem(c, ast);
    if (!operand || !type_is_scalar(ast->type))
        return NULL;
    bool is_re = strcmp(stem, "creal") == 0, is_im = strcmp(stem, "cimag") == 0;
    if (ast->kind == AST_UNARY) {
        is_re = ast->op == AST_OP_REAL_PART;
        is_im = ast->op == AST_OP_IMAGINARY_PART;
    }
    if (strcmp(stem, "cabs") == 0)
        return absolute_of(c, ast);
    if (ast->kind == AST_BINARY && (is_complex(operand) || is_complex(ast->children[1])))
        return ast->op == AST_OP_EQ || ast->op == AST_OP_NE ? comparison_of(c, ast) : NULL;
    bool is_cast = ast->kind == AST_CAST && is_complex(operand) &&
                   ast->type->class != AST_TYPE_BOOL;
    if (!is_re && !is_im && !is_cast)
        return NULL;
    struct complex_value value = complex_of(c, operand);
    const struct ast *zero = part_number(c, ast, value.type, 0);
    return part_cast(c, ast->type, is_im ? (value.im ? value.im : zero) : value.re);
}

/* A real expression without complex numbers. */
static const struct ast *real_of(struct complexes *c, const struct ast *ast)
{
    const struct ast *made = special_of(c, ast);
    bool differs = false;
    if (made)
        return made;
    if (is_complex(ast) || change_target(ast))
        return complex_fail(c, ast).re;
    const struct ast **children = ARENA_ARRAY(c->arena, const struct ast *, ast->n_children + 1);
    node_list *before = c->before;
    for (int i = 0; i < ast->n_children; i++) {
        bool is_number = ast->children[i] && ast->children[i]->type;
        c->before = i > 0 && has_choice(ast) ? NULL : before;
        children[i] = is_number && !c->fails ? real_of(c, ast->children[i]) : ast->children[i];
        differs |= children[i] != ast->children[i];
    }
    c->before = before;
    if (!differs)
        return ast;
    struct ast *copy = ARENA_NEW(c->arena, struct ast);
    *copy = *ast;
    copy->children = children;
    copy->is_made = true;
    return copy;
}

/* --- statements ------------------------------------------------------------------------------- */

static void change_add(struct complexes *c, const struct ast *node, const struct ast *made)
{
    vec_push(c->arena, &c->changes, ((struct complex_change){form_change(node), made}));
}

static void part_check(struct complexes *c, const struct ast *part)
{
    struct ast_walk walk;
    int n = 0;
    for (const struct ast *a = ast_first(&walk, c->arena, part); a; a = ast_next(&walk))
        n++;
    c->fails |= n > PART_NODES_MAX;
}

/* Takes the bytes from a statement and from those below it, as the text has none of them. */
static void statement_empty(const struct ast *statement, size_t begin)
{
    struct ast *node = form_change(statement);
    node->begin = node->end = begin;
    for (int i = 0; i < node->n_children; i++) {
        bool holds = statement_is(statement, i) || node->kind == AST_DECLARE;
        if (holds && node->children[i])
            statement_empty(node->children[i], begin);
    }
}

/* The last statement has the bytes, as statements follow each other. */
static void statement_place(const struct ast *statement, const struct ast *assign, bool is_last)
{
    struct ast *node = form_change(statement);
    if (!is_last) {
        statement_empty(statement, assign->begin);
        return;
    }
    node->begin = assign->begin;
    node->end = assign->end;
}

/* `z = value`, `z += value`: statements for both parts. Where the parts of the value are made of
   both parts of numbers, which may be those of z, they are computed before the first is stored. */
static void assignment_change(struct complexes *c, const struct ast *assign)
{
    const struct ast *target = assign->children[0];
    node_list list = {0};
    c->before = &list;
    struct complex_value value = complex_of(c, assign->children[1]);
    enum ast_op op = assign->op == AST_OP_ADD || assign->op == AST_OP_SUB ? assign->op
                                                                          : AST_OP_NONE;
    if (!target->type->part || !is_number_place(c, target) || !form_has_texts(assign)) {
        c->fails = true;
        return;
    }
    c->fails |= assign->op != op && value.type->bytes > target->type->part->bytes;
    if (assign->op != op) {
        struct complex_value before = {target->type->part, part_make(c, target, 0),
                                       part_make(c, target, 1), false};
        value = binary_of(c, assign, before, value);
    }
    if (op == AST_OP_NONE && !value.im)
        value.im = part_number(c, assign, target->type->part, 0);
    if (value.mixes)
        complex_keep(c, &value);
    for (int part = 0; part < 2 && !c->fails; part++) {
        const struct ast *own = part ? value.im : value.re;
        if (!own)
            continue;
        own = op == AST_OP_NONE ? part_cast(c, target->type->part, own) : own;
        part_check(c, own);
        vec_push(c->arena, &list,
                 form_assign(c->arena, assign, op, part_make(c, target, part), own));
    }
    for (size_t i = 0; i < list.count; i++)
        statement_place(list.at[i], assign, i + 1 == list.count);
    change_add(c, assign,
               form_make(c->arena, AST_COMPOUND, assign, NULL, (int)list.count, list.at));
}

/* The first value of a variable as a list of its parts. */
static void initialiser_change(struct complexes *c, const struct ast *first)
{
    struct complex_value value = complex_of(c, first);
    if (c->fails)
        return;
    const struct ast *parts[] = {value.re, value.im ? value.im
                                                    : part_number(c, first, value.type, 0)};
    part_check(c, parts[0]);
    part_check(c, parts[1]);
    struct ast *list = form_make(c->arena, AST_LIST, first, first->type, 2, parts);
    change_add(c, first, list);
}

/* A statement that is no assignment of a complex number, behind what its values need. */
static void statement_behind(struct complexes *c, const struct ast *statement,
                             const node_list *before)
{
    node_list list = *before;
    struct ast *copy = ARENA_NEW(c->arena, struct ast);
    *copy = *statement;
    vec_push(c->arena, &list, copy);
    for (size_t i = 0; i < before->count; i++)
        statement_empty(list.at[i], statement->begin);
    change_add(c, statement,
               form_make(c->arena, AST_COMPOUND, statement, NULL, (int)list.count, list.at));
}

static void node_change(struct complexes *c, const struct ast *ast, bool is_statement);

/* Notes the changes of a node's children. Statements may stand before an assignment and an `if`,
   for what these always compute. */
static void children_change(struct complexes *c, const struct ast *ast, bool is_statement)
{
    node_list *outer = c->before, before = {0};
    bool takes = ast->kind == AST_ASSIGN || ast->kind == AST_IF;
    if (is_statement)
        c->before = takes ? &before : NULL;
    node_list *own = c->before;
    for (int i = 0; i < ast->n_children; i++) {
        c->before = i > 0 && has_choice(ast) ? NULL : own;
        if (ast->children[i])
            node_change(c, ast->children[i], statement_is(ast, i));
    }
    if (before.count)
        statement_behind(c, ast, &before);
    c->before = outer;
}

/* Notes the changes of a node and of all below it. */
static void node_change(struct complexes *c, const struct ast *ast, bool is_statement)
{
    bool is_assign = is_statement && ast->kind == AST_ASSIGN && is_complex(ast);
    if (c->fails)
        return;
    if (is_assign) {
        assignment_change(c, ast);
        return;
    }
    if (ast->kind == AST_VARIABLE && ast->n_children && is_complex(ast)) {
        initialiser_change(c, ast->children[0]);
        return;
    }
    const struct ast *made = ast->type && ast_is_expression(ast) ? special_of(c, ast) : NULL;
    if (made) {
        part_check(c, made);
        change_add(c, ast, made);
        return;
    }
    c->fails |= ast_is_expression(ast) && is_complex(ast);
    children_change(c, ast, is_statement);
}

/* --- loops ------------------------------------------------------------------------------------ */

static bool has_complex(struct arena *arena, const struct ast *root)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, root); n; n = ast_next(&walk))
        if (is_complex(n))
            return true;
    return false;
}

static void complex_loop_change(struct complexes *c, const struct ast *loop)
{
    c->fails = false;
    c->changes.count = 0;
    node_change(c, loop, false);
    size_t n = c->fails ? 0 : c->changes.count;
    for (size_t i = 0; i < n; i++) {
        struct ast *node = c->changes.at[i].node;
        size_t begin = node->begin;
        size_t end = c->changes.at[i].made->kind == AST_COMPOUND ? statement_end(c->unit, node)
                                                                 : node->end;
        *node = *c->changes.at[i].made;
        node->begin = begin;
        node->end = end;
    }
}

/* The outermost loops whose numbers are all understood. */
static void complex_loops_change(struct complexes *c, const struct ast *root)
{
    if (root->kind == AST_FOR && !root->is_meta && root->children[3]) {
        products_declare(c->arena, root);
        complex_loop_change(c, root);
        if (!c->fails)
            return;
    }
    for (int i = 0; i < root->n_children; i++)
        if (root->children[i] && !ast_is_expression(root->children[i]) &&
            root->children[i]->kind != AST_SCHEDULE)
            complex_loops_change(c, root->children[i]);
}

void complex_split(struct arena *arena, struct ast_unit *unit, const struct word_list *words,
                   const struct ast *function, const struct ast *body)
{
    struct complexes c = {.arena = arena, .unit = unit, .function = function};
    c.words = words_again(arena, words);
    if (has_complex(arena, body))
        complex_loops_change(&c, body);
}

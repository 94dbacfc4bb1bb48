/* Variables that never change, as what they stand for: `int m = 1000;`, `const int half = n / 2;`,
   `for (int i = 0, end = n; i < end; i++)`.

   In: the body of a function. Out: the value in place of each read of such a variable, as if the
   value had been written out. A value is made of literals and of variables that keep their own
   values as long as the name can be used, so that it is the same wherever the name stands. Names
   that loops give to values of their own (named.c) stay, and so do names in extents: arrays are
   laid out by them. The new node has the place of the name and prints the value's own text. */
#include "frontend/ask.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"
#include <inttypes.h>
#include <string.h>

struct constants {
    struct arena *arena;
    const struct ast_unit *unit;
    const struct ast *body;
    struct map *changed, *kept;      /* by variable: assigned somewhere; named by an extent or by an
                                        operand of `sizeof` */
    struct map *asked;               /* references in bounds, subscripts, conditions and in values
                                        that variables begin with */
};

static bool is_plain_integer(const struct ast_type *type)
{
    return type && ast_class_is_integer(type->class) && type->class != AST_TYPE_BOOL &&
           type->bytes >= 4 && !type->is_volatile;
}

static bool is_local(const struct ast *decl)
{
    return decl->owner && !decl->is_static && !decl->is_extern && !decl->is_global;
}

/* Does the variable have one value everywhere in `scope`, or in the whole function? */
static bool keeps_one(const struct constants *c, const struct ast *decl, const struct ast *scope)
{
    bool inside = decl->begin >= scope->begin && decl->end <= scope->end;
    return is_plain_integer(decl->type) && is_local(decl) &&
           (!map_get_pointer(c->changed, decl) ||
            (!inside && scope->kind == AST_FOR && !ast_writes(scope, decl))) &&
           !form_hides(c->arena, decl, scope) && !ast_takes_address(c->body, decl);
}

/* A literal of another type, as C converts it without a word, or another variable's value. */
static bool converts_value(const struct ast *cast)
{
    return cast->is_implicit && (ast_strip(cast)->kind == AST_INTEGER || cast->is_made);
}

/* Is the value of a declaration the same wherever the name is used, below `scope`? It cannot
   trap. */
static bool value_is_steady(const struct constants *c, const struct ast *value,
                            const struct ast *scope)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, c->arena, value); n; n = ast_next(&walk)) {
        bool divides = n->kind == AST_BINARY && (n->op == AST_OP_DIV || n->op == AST_OP_REM);
        const struct ast *divisor = divides ? ast_strip(n->children[1]) : NULL;
        bool plain = n->kind == AST_INTEGER || n->kind == AST_SIZEOF || n->kind == AST_REF ||
                     n->kind == AST_CONDITIONAL ||
                     (n->kind == AST_BINARY && n->op != AST_OP_COMMA) ||
                     (n->kind == AST_UNARY && n->op <= AST_OP_NOT) ||
                     (n->kind == AST_CAST && (scope->kind == AST_FOR || converts_value(n)));
        bool traps = divides && (divisor->kind != AST_INTEGER || divisor->integer <= 0);
        if (!plain || traps || !is_plain_integer(n->type) || n->is_part ||
            (n->kind == AST_REF && !keeps_one(c, n->decl, scope)))
            return false;
    }
    return true;
}

/* The value of a global constant, a literal. */
static bool is_global_constant(const struct ast *decl)
{
    return decl->kind == AST_VARIABLE && is_plain_integer(decl->type) && decl->type->is_const &&
           (decl->is_global || decl->is_static) && decl->n_children == 1 &&
           ast_strip(decl->children[0])->kind == AST_INTEGER;
}

/* The scope of a variable that a statement declares, where it is one whose reads are its value:
   a block of no loop, or the loop whose header declares it. */
static bool is_constant(const struct constants *c, const struct ast *decl, const struct ast *scope)
{
    bool in_header = scope->kind == AST_FOR;
    return decl->kind == AST_VARIABLE && decl->n_children == 1 && is_plain_integer(decl->type) &&
           !decl->is_static && !decl->is_extern && !ast_takes_address(c->body, decl) &&
           !map_get_pointer(c->changed, decl) && !map_get_pointer(c->kept, decl) &&
           (in_header || !form_is_in_loop(c->arena, decl, c->body)) &&
           value_is_steady(c, decl->children[0], scope);
}

/* The value in place of a reference, converted where the variable's type is not the value's. */
static void put_value(const struct constants *c, const struct ast *ref, const struct ast *decl)
{
    const struct ast *value = form_copy(c->arena, decl->children[0]);
    struct ast *node = form_change(ref);
    const struct ast **children = ARENA_ARRAY(c->arena, const struct ast *, 1);
    struct ast_type *type = ARENA_NEW(c->arena, struct ast_type);
    *type = *decl->type;
    type->text = type->canonical;
    type->is_const = false;
    children[0] = value;
    node->kind = AST_CAST;
    node->is_implicit = ast_strip(value)->type->class == type->class;
    node->is_made = true;
    node->decl = NULL;
    node->type = type;
    node->children = children;
    node->n_children = 1;
}

/* Puts values in place of the references that count, and of all to what a header declares. The
   declaration notes where the last text with the name ends. */
static void put_values(const struct constants *c, const struct ast *declare, const struct ast *decl,
                       const struct ast *scope)
{
    struct ast_walk walk;
    struct ast *node = form_change(declare);
    for (const struct ast *n = ast_first(&walk, c->arena, scope); n; n = ast_next(&walk)) {
        if (n->kind != AST_REF || n->decl != decl)
            continue;
        if (scope->kind != AST_FOR && (int64_t)n->end > node->integer) {
            node->integer = (int64_t)n->end;
            node->name = decl->name;
        }
        if (scope->kind == AST_FOR || map_get_pointer(c->asked, n))
            put_value(c, n, decl);
    }
}

/* The declaration in a header without the variable, which nothing names now. */
static void declarator_remove(const struct constants *c, const struct ast *declare, int at)
{
    const struct ast **kept = ARENA_ARRAY(c->arena, const struct ast *, declare->n_children);
    struct ast *node = form_change(declare);
    int n = 0;
    for (int i = 0; i < declare->n_children; i++)
        if (i != at)
            kept[n++] = declare->children[i];
    node->children = kept;
    node->n_children = n;
    node->is_made = true;
}

static void declare_fold(const struct constants *c, const struct ast *declare,
                         const struct ast *scope)
{
    for (int i = 0; i < declare->n_children; i++) {
        const struct ast *decl = declare->children[i];
        if (!is_constant(c, decl, scope))
            continue;
        put_values(c, declare, decl, scope);
        if (scope->kind == AST_FOR && declare->n_children > 1)
            declarator_remove(c, declare, i--);
    }
}

static void fold_below(const struct constants *c, const struct ast *ast)
{
    for (int i = 0; i < ast->n_children; i++) {
        const struct ast *child = ast->children[i];
        bool scoped = ast->kind == AST_COMPOUND || (ast->kind == AST_FOR && i == 0);
        if (!child || ast_is_expression(child))
            continue;
        if (child->kind == AST_DECLARE && scoped)
            declare_fold(c, child, ast);
        fold_below(c, child);
    }
}

/* --- variables that stay, references that count ----------------------------------------------- */

static void keep_variables(const struct constants *c, const struct ast *root)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, c->arena, root); n; n = ast_next(&walk))
        if (n->kind == AST_REF)
            map_put_pointer(c->kept, n->decl, (void *)n);
}

static void keep_extents(const struct constants *c, const struct ast_type *type)
{
    for (; type; type = type->element)
        keep_variables(c, type->extent);
}

static void asked_add(const struct constants *c, const struct ast *root)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, c->arena, root); n; n = ast_next(&walk))
        if (n->kind == AST_REF)
            map_put_pointer(c->asked, n, (void *)n);
}

/* The references whose values decide which iterations there are and which elements they touch. */
static void asked_find(const struct constants *c, const struct ast *loop)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, c->arena, loop); n; n = ast_next(&walk)) {
        int first = n->kind == AST_INDEX, last = n->kind == AST_FOR ? 3 : first + 1;
        bool asks = n->kind == AST_INDEX || n->kind == AST_FOR || n->kind == AST_IF ||
                    n->kind == AST_WHILE || n->kind == AST_CONDITIONAL;
        if (!asks)
            continue;
        for (int i = first; i < last; i++)
            asked_add(c, n->children[i]);
    }
}

static void changed_find(const struct constants *c)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, c->arena, c->body); n; n = ast_next(&walk)) {
        const struct ast *target = change_target(n);
        if (target && target->kind == AST_REF)
            map_put_pointer(c->changed, target->decl, (void *)n);
    }
}

/* The number that an extent is, by its own or by a variable's literal; NULL of others. */
static const struct ast *extent_number(const struct constants *c, const struct ast *extent)
{
    const struct ast *value = extent ? ast_strip(extent) : NULL;
    const struct ast *decl = value && value->kind == AST_REF ? value->decl : NULL;
    if (decl && decl->kind == AST_VARIABLE && decl->n_children == 1 && is_local(decl) &&
        is_plain_integer(decl->type) && !map_get_pointer(c->changed, decl) &&
        !ast_takes_address(c->body, decl))
        value = ast_strip(decl->children[0]);
    return value && value->kind == AST_INTEGER && value->integer > 0 ? value : NULL;
}

/* The type of an array with numbers as its extents; NULL if an extent is none. */
static const struct ast_type *array_type_numbered(const struct constants *c,
                                                  const struct ast_type *type)
{
    if (type->class != AST_TYPE_ARRAY)
        return type;
    const struct ast_type *element = array_type_numbered(c, type->element);
    const struct ast *number = extent_number(c, type->extent);
    if (!element || !number)
        return NULL;
    struct ast_type *made = ARENA_NEW(c->arena, struct ast_type);
    int base = (int)strcspn(element->canonical, "[");
    *made = *type;
    made->element = element;
    made->extent = number;
    made->count = number->integer;
    made->bytes = element->bytes * made->count;
    made->text = made->canonical = arena_printf(c->arena, "%.*s[%" PRId64 "]%s", base,
                                                element->canonical, made->count,
                                                element->canonical + base);
    return made;
}

/* Arrays that loops declare with such variables as extents, `float sum[width]`, get the numbers:
   each thread has such an array of its own. */
static void extents_fold(const struct constants *c)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, c->arena, c->body); n; n = ast_next(&walk)) {
        if (n->kind != AST_DECLARE)
            continue;
        for (int i = 0; i < n->n_children; i++) {
            const struct ast *decl = n->children[i];
            bool varies = decl->kind == AST_VARIABLE && decl->type->class == AST_TYPE_ARRAY &&
                          decl->type->bytes < 0 && form_is_in_loop(c->arena, decl, c->body);
            const struct ast_type *type = varies ? array_type_numbered(c, decl->type) : NULL;
            if (type) {
                form_change(decl)->type = type;
                form_change(n)->is_made = true;
            }
        }
    }
}

static void kept_find(const struct constants *c)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, c->arena, c->body); n; n = ast_next(&walk)) {
        if (n->kind == AST_SIZEOF)
            keep_variables(c, n->decl);
        if (n->kind == AST_VARIABLE)
            asked_add(c, n);
        if (ast_is_loop(n))
            asked_find(c, n);
        if (n->type && (n->kind == AST_VARIABLE || n->kind == AST_CAST))
            keep_extents(c, n->type);
    }
}

void constants_fold(struct arena *arena, const struct ast_unit *unit, const struct ast *body)
{
    struct constants c = {arena, unit, body, map_new(arena), map_new(arena), map_new(arena)};
    struct ast_walk walk;
    changed_find(&c);
    extents_fold(&c);
    kept_find(&c);
    for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk))
        if (n->kind == AST_REF && map_get_pointer(c.asked, n) && is_global_constant(n->decl))
            put_value(&c, n, n->decl);
    fold_below(&c, body);
}

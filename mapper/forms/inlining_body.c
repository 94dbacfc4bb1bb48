/* The body of a called function as statements of the caller.

   In: a call that inlining_check lets pass. Out: nodes without bytes, which are printed from their
   parts: parameters are the arguments, or variables that get their values before; variables that
   the function declares outside its loops are declared before all that is mapped, under names that
   nobody has, and set where the function declares them; those of its loops stay in these, renamed
   where a name of the caller's would be hidden. */
#include "frontend/ask.h"
#include "frontend/text.h"
#include "frontend/writes.h"
#include "mapper/forms/inlining.h"
#include "mapper/forms/words.h"

static const struct ast_type *plain_type(struct inlining *in, const struct ast_type *type)
{
    struct ast_type *plain = ARENA_NEW(in->arena, struct ast_type);
    *plain = *type;
    plain->text = type->canonical;
    plain->is_const = false;
    return plain;
}

static struct ast *node_made(struct inlining *in, enum ast_kind kind, const struct ast_type *type,
                             int n_children, const struct ast *const *children)
{
    struct ast place = *in->call;
    place.begin = place.end = 0;
    place.is_part = false;
    return form_make(in->arena, kind, &place, type, n_children, children);
}

static const struct ast *assignment_made(struct inlining *in, const struct ast *decl,
                                         const struct ast *value)
{
    const struct ast *ref = node_made(in, AST_REF, decl->type, 0, NULL);
    form_change(ref)->decl = decl;
    const struct ast *sides[] = {ref, value};
    return node_made(in, AST_ASSIGN, decl->type, 2, sides);
}

/* --- names ------------------------------------------------------------------------------------ */

/* Notes the names of an expression of the caller's, which loops of the function must not hide. */
static void names_note(struct inlining *in, const struct ast *ast)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, in->arena, ast); n; n = ast_next(&walk))
        if ((n->kind == AST_REF || n->kind == AST_CALL) && n->decl && n->decl->name)
            map_put(in->taken, n->decl->name, in);
}

/* Notes the variables that a loop's header or a block declares, or that a header sets. */
static void names_of_scope(struct inlining *in, const struct ast *scope)
{
    const struct ast *start = scope->kind == AST_FOR ? scope->children[0] : NULL;
    const struct ast *set = start ? change_target(start) : NULL;
    if (set)
        names_note(in, set);
    for (int i = 0; i < scope->n_children; i++) {
        const struct ast *declare = scope->children[i];
        int n = declare && declare->kind == AST_DECLARE ? declare->n_children : 0;
        for (int k = 0; k < n; k++)
            if (declare->children[k]->kind == AST_VARIABLE)
                map_put(in->taken, declare->children[k]->name, in);
    }
}

/* Notes the names of the loops and blocks around the call that are mapped with it: an inner loop
   over a variable of the same name would hide them from what the mapper puts into it. */
static void names_around(struct inlining *in)
{
    const struct ast *site = in->site->statement;
    struct ast_walk walk;
    for (size_t i = 0; i < in->site->n_mapped; i++) {
        const struct ast *n = ast_first(&walk, in->arena, in->site->mapped[i]);
        for (; n; n = ast_next(&walk))
            if (n->begin <= site->begin && site->end <= n->end && n != site)
                names_of_scope(in, n);
            else
                ast_skip(&walk);
    }
}

static const char *name_made(struct inlining *in, const char *base)
{
    const char *name = words_variable(in->words, base);
    while (map_get(in->outside, name) || map_get(in->taken, name))
        name = words_fresh(in->words, base, 2);
    return name;
}

/* A variable of the called function under a name, from which on it stands for it. */
static struct ast *variable_rename(struct inlining *in, const struct ast *decl, const char *name,
                                   const struct ast_type *type)
{
    struct ast *variable = node_made(in, AST_VARIABLE, type, 0, NULL);
    struct ast *ref = node_made(in, AST_REF, type, 0, NULL);
    variable->name = name;
    variable->owner = in->site->function;
    ref->decl = variable;
    map_put_pointer(in->values, decl, ref);
    return variable;
}

/* The type with the extents that the caller's variables give. */
static const struct ast_type *type_copy(struct inlining *in, const struct ast_type *type)
{
    struct ast_type *copy = ARENA_NEW(in->arena, struct ast_type);
    if (!type->element)
        return type;
    *copy = *type;
    copy->element = type_copy(in, type->element);
    copy->extent = type->count < 0 ? inlining_copy(in, type->extent) : NULL;
    return copy;
}

/* Declares a variable of the function before all that is mapped. */
static const struct ast *variable_hoist(struct inlining *in, const struct ast *decl,
                                        const struct ast_type *type)
{
    const char *name = name_made(in, decl->name);
    const struct ast *variable = variable_rename(in, decl, name, type);
    struct ast_writer writer = {in->arena, in->unit->source, NULL};
    const char *text = ast_declarator_text(&writer, type, name);
    map_put(in->taken, name, in);
    if (text)
        str_addf(in->declarations, "%s;\n", text);
    else
        inlining_fail(in, "has a variable, `%s`, of a type that has no name", decl->name);
    return variable;
}

/* Does the value come from memory? */
static bool reads_elements(struct inlining *in, const struct ast *value)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, in->arena, value); n; n = ast_next(&walk))
        if (n->kind == AST_INDEX || n->kind == AST_MEMBER || n->kind == AST_CALL ||
            (n->kind == AST_UNARY && n->op == AST_OP_DEREFERENCE))
            return true;
    return false;
}

/* Declares a variable that is set once, to a value, and gives the assignment. One that comes from
   memory is an array of one element: statements that share a scalar with what reads memory would
   all be one thread's (scop/unit.c). */
static const struct ast *value_hoist(struct inlining *in, const struct ast *decl,
                                     const struct ast *value)
{
    const struct ast_type *type = plain_type(in, decl->type);
    if (!reads_elements(in, value) || ast_writes(in->code, decl))
        return assignment_made(in, variable_hoist(in, decl, type), ast_strip(value));
    struct ast_type *array = ARENA_NEW(in->arena, struct ast_type);
    *array = (struct ast_type){.class = AST_TYPE_ARRAY, .text = type->text,
                               .canonical = type->canonical, .bytes = type->bytes,
                               .element = type, .count = 1};
    variable_hoist(in, decl, array);
    const struct ast *parts[] = {map_get_pointer(in->values, decl),
                                 form_literal(in->arena, in->call, form_int(in->arena), 0)};
    form_change(parts[1])->begin = form_change(parts[1])->end = 0;
    const struct ast *sides[] = {node_made(in, AST_INDEX, type, 2, parts), ast_strip(value)};
    map_put_pointer(in->values, decl, (void *)sides[0]);
    return node_made(in, AST_ASSIGN, type, 2, sides);
}

/* --- arguments -------------------------------------------------------------------------------- */

static bool is_real(const struct ast_type *type)
{
    return type->class == AST_TYPE_F32 || type->class == AST_TYPE_F64;
}

/* A literal of another type, as C converts it; NULL of other nodes. */
static const struct ast *literal_convert(struct inlining *in, const struct ast *value,
                                         const struct ast_type *type)
{
    bool negative = value->kind == AST_UNARY && value->op == AST_OP_MINUS;
    const struct ast *literal = negative ? ast_strip(value->children[0]) : value;
    bool whole = literal->kind == AST_INTEGER && literal->integer >= 0 &&
                 literal->integer <= INT32_MAX;
    if (!is_real(type) || !(whole || (literal->kind == AST_REAL && is_real(literal->type))))
        return NULL;
    struct ast *real = node_made(in, AST_REAL, type, 0, NULL);
    real->real = whole ? (double)literal->integer : literal->real;
    if (type->class == AST_TYPE_F32)
        real->real = (double)(float)real->real;
    const struct ast *operand = real;
    if (!negative)
        return real;
    struct ast *minus = node_made(in, AST_UNARY, type, 1, &operand);
    minus->op = AST_OP_MINUS;
    return minus;
}

const struct ast *inlining_convert(struct inlining *in, const struct ast *value,
                                   const struct ast_type *type)
{
    value = ast_strip(value);
    const struct ast_type *to = plain_type(in, type);
    const struct ast *literal = value->type->class == type->class
                                    ? value : literal_convert(in, value, to);
    return literal ? literal : node_made(in, AST_CAST, to, 1, &value);
}

/* A parameter that is a number. */
static bool scalar_bind(struct inlining *in, const struct ast *parameter,
                        const struct ast *argument)
{
    const struct ast_type *type = parameter->type;
    if (!type_is_scalar(type) || type->is_volatile)
        return inlining_fail(in, "has a parameter of type `%s`", type->text);
    if (!inlining_is_value(in->arena, in->unit, argument))
        return inlining_fail(in, "is given for `%s` what has an effect of its own",
                             parameter->name);
    if (!ast_writes(in->code, parameter) && inlining_is_still(in, argument)) {
        const struct ast *value = inlining_convert(in, argument, type);
        names_note(in, value);
        map_put_pointer(in->values, parameter, (void *)value);
        return true;
    }
    vec_push(in->arena, &in->before, value_hoist(in, parameter, argument));
    return true;
}

/* Do two pointers lead to elements of one kind? */
static bool is_same_element(const struct ast_type *a, const struct ast_type *b)
{
    a = a->element;
    b = b->element;
    while (a && b && a->class == AST_TYPE_ARRAY && b->class == AST_TYPE_ARRAY) {
        if (a->count >= 0 && b->count >= 0 && a->count != b->count)
            return false;
        a = a->element;
        b = b->element;
    }
    return a && b && a->class == b->class && a->class != AST_TYPE_POINTER &&
           ast_class_is_scalar(a->class);
}

/* Has a row of the parameter as many elements as one of the argument, by number or by text? */
static bool row_agrees(struct inlining *in, const struct ast_type *parameter,
                       const struct ast_type *argument)
{
    const struct ast *of_parameter = parameter->extent, *of_argument = argument->extent;
    if (parameter->count < 0 && of_parameter)
        of_parameter = ast_strip(inlining_copy(in, of_parameter));
    of_argument = ast_strip(of_argument);
    bool is_literal = of_parameter && of_parameter->kind == AST_INTEGER;
    int64_t count = parameter->count >= 0 ? parameter->count
                    : is_literal          ? of_parameter->integer
                                          : -1;
    if (count >= 0 || argument->count >= 0)
        return count == argument->count;
    return of_parameter && of_argument && ast_equal(of_parameter, of_argument);
}

/* The type of a place in an array, with the extents that the array's declaration has. */
static const struct ast_type *place_type(const struct ast *place)
{
    place = ast_strip(place);
    bool is_sum = place->kind == AST_BINARY &&
                  (place->op == AST_OP_ADD || place->op == AST_OP_SUB);
    if (place->kind == AST_REF)
        return place->decl->type;
    if (place->kind == AST_INDEX) {
        const struct ast_type *rows = place_type(place->children[0]);
        return rows ? rows->element : NULL;
    }
    if (place->kind == AST_UNARY && place->op == AST_OP_ADDRESS &&
        ast_strip(place->children[0])->kind == AST_INDEX)
        return place_type(ast_strip(place->children[0])->children[0]);
    if (!is_sum)
        return place->type;
    const struct ast_type *left = place_type(place->children[0]);
    return left && left->element ? left : place_type(place->children[1]);
}

/* Do all axes but the first have one length? Then `a[i][j]` is the same element of both. */
static bool rows_agree(struct inlining *in, const struct ast_type *parameter,
                       const struct ast_type *argument)
{
    const struct ast_type *a = parameter->element, *b = argument ? argument->element : NULL;
    bool agree = true;
    while (agree && a && b && a->class == AST_TYPE_ARRAY && b->class == AST_TYPE_ARRAY) {
        agree = row_agrees(in, a, b);
        a = a->element;
        b = b->element;
    }
    return agree;
}

/* A parameter that is an array: `a[i]` is an element of the argument. */
static bool array_bind(struct inlining *in, const struct ast *parameter,
                       const struct ast *argument)
{
    const struct ast *place = ast_strip(argument);
    if (ast_writes(in->code, parameter))
        return inlining_fail(in, "moves its parameter `%s`", parameter->name);
    if (!inlining_is_place(in, place) || !is_same_element(parameter->type, place->type))
        return inlining_fail(in, "is given for `%s` what is no place in an array that stays, "
                                 "`a + i`, `&a[i]` or a row `a[i]`", parameter->name);
    if (!rows_agree(in, parameter->type, place_type(place)))
        return inlining_fail(in, "has rows of another length in `%s` than it is given, as far as "
                                 "the text says", parameter->name);
    names_note(in, place);
    map_put_pointer(in->values, parameter, (void *)place);
    return true;
}

bool inlining_bind(struct inlining *in)
{
    names_around(in);
    for (int i = 0; i < in->callee->n_children; i++) {
        const struct ast *parameter = in->callee->children[i], *argument = in->call->children[i];
        bool is_array = parameter->type && parameter->type->element;
        if (!parameter->name || !*parameter->name)
            continue;
        if (!(is_array ? array_bind : scalar_bind)(in, parameter, argument))
            return false;
    }
    return true;
}

/* --- declarations outside loops --------------------------------------------------------------- */

/* Has the size of an array its value before all that is mapped? */
static bool is_known_before(struct inlining *in, const struct ast *extent)
{
    struct ast_walk walk;
    if (!extent || in->site->in_loop || !inlining_is_still(in, extent))
        return false;
    for (const struct ast *n = ast_first(&walk, in->arena, extent); n; n = ast_next(&walk)) {
        bool is_name = n->kind == AST_REF, is_late = is_name && n->decl->begin >= in->site->place;
        for (size_t i = 0; i < in->site->n_mapped; i++)
            is_late |= is_name && ast_writes(in->site->mapped[i], n->decl);
        if (is_late)
            return false;
    }
    return true;
}

static bool array_hoist(struct inlining *in, const struct ast *decl)
{
    const struct ast_type *type = type_copy(in, decl->type);
    if (decl->n_children)
        return inlining_fail(in, "begins an array, `%s`, with values", decl->name);
    for (const struct ast_type *t = type; t && t->class == AST_TYPE_ARRAY; t = t->element)
        if (t->count < 0 && !is_known_before(in, t->extent))
            return inlining_fail(in, "has an array, `%s`, whose size is not known before",
                                 decl->name);
    variable_hoist(in, decl, type);
    return true;
}

/* The assignment in place of the declaration of a variable; NULL if there is nothing to set. */
static const struct ast *variable_set(struct inlining *in, const struct ast *decl)
{
    const struct ast_type *type = decl->type;
    const struct ast *value = decl->n_children ? inlining_copy(in, decl->children[0]) : NULL;
    bool stays = value && !ast_writes(in->code, decl);
    if (type->class == AST_TYPE_ARRAY) {
        array_hoist(in, decl);
        return NULL;
    }
    if (type->element) {
        if (stays && inlining_is_place(in, value) && is_same_element(type, ast_strip(value)->type))
            map_put_pointer(in->values, decl, (void *)ast_strip(value));
        else
            inlining_fail(in, "moves a pointer, `%s`", decl->name);
        return NULL;
    }
    if (!type_is_scalar(type)) {
        inlining_fail(in, "has a variable of type `%s`", type->text);
        return NULL;
    }
    if (stays && ast_class_is_integer(type->class) && inlining_is_still(in, value)) {
        map_put_pointer(in->values, decl,
                        (void *)inlining_convert(in, value, type));
        return NULL;
    }
    bool is_target = in->target && map_get_pointer(in->values, decl);
    if (is_target)
        return value ? assignment_made(in, in->target, ast_strip(value)) : NULL;
    if (value)
        return value_hoist(in, decl, value);
    variable_hoist(in, decl, plain_type(in, type));
    return NULL;
}

/* --- copies ----------------------------------------------------------------------------------- */

/* A variable that a loop of the function declares. */
static const struct ast *variable_copy(struct inlining *in, const struct ast *decl)
{
    bool is_taken = map_get(in->taken, decl->name) != NULL;
    const char *name = is_taken ? name_made(in, decl->name) : decl->name;
    const struct ast *value = decl->n_children ? inlining_copy(in, decl->children[0]) : NULL;
    struct ast *variable = variable_rename(in, decl, name, type_copy(in, decl->type));
    variable->n_children = value ? 1 : 0;
    const struct ast **children = ARENA_ARRAY(in->arena, const struct ast *, 1);
    children[0] = value;
    variable->children = children;
    return variable;
}

/* The statements of a block; declarations outside loops are assignments. */
static const struct ast *block_copy(struct inlining *in, const struct ast *block)
{
    VEC(const struct ast *) list = {0};
    for (int i = 0; i < block->n_children; i++) {
        const struct ast *child = block->children[i];
        if (child->kind != AST_DECLARE || in->in_loop) {
            vec_push(in->arena, &list, inlining_copy(in, child));
            continue;
        }
        for (int k = 0; k < child->n_children; k++) {
            const struct ast *decl = child->children[k];
            const struct ast *set = decl->kind == AST_VARIABLE ? variable_set(in, decl) : NULL;
            if (decl->kind != AST_VARIABLE)
                inlining_fail(in, "declares more than variables");
            if (set)
                vec_push(in->arena, &list, set);
        }
    }
    return node_made(in, AST_COMPOUND, NULL, (int)list.count, list.at);
}

const struct ast *inlining_copy(struct inlining *in, const struct ast *ast)
{
    if (!ast)
        return NULL;
    const struct ast *value = ast->kind == AST_REF ? map_get_pointer(in->values, ast->decl) : NULL;
    if (value)
        return value;
    if (ast->kind == AST_VARIABLE)
        return variable_copy(in, ast);
    if (ast->kind == AST_COMPOUND)
        return block_copy(in, ast);
    struct ast *copy = ARENA_NEW(in->arena, struct ast);
    const struct ast **list = ARENA_ARRAY(in->arena, const struct ast *, ast->n_children + 1);
    bool in_loop = in->in_loop;
    *copy = *ast;
    copy->begin = copy->end = 0;
    copy->is_macro = copy->is_macro_end = copy->is_part = false;
    in->in_loop |= ast_is_loop(ast);
    for (int i = 0; i < ast->n_children; i++)
        list[i] = inlining_copy(in, ast->children[i]);
    in->in_loop = in_loop;
    copy->children = list;
    copy->name = ast->kind == AST_FOR ? inlining_words(in, ast) : ast->name;
    return copy;
}

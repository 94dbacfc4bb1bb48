/* Calls as code: by the name and by what is known of the function. */
#include "replay/coding.h"
#include "replay/value.h"
#include <math.h>
#include <string.h>

static struct code *call_new(struct coding *coding, const struct ast *ast, enum code_op op)
{
    enum ast_class class = ast->type ? type_class(ast->type) : AST_TYPE_VOID;
    struct code *code = code_begin(coding, op, class, ast);
    const struct code **list = ARENA_ARRAY(coding->arena, const struct code *, ast->n_children + 1);
    for (int i = 0; i < ast->n_children; i++)
        list[i] = code_of_value(coding, ast->children[i]);
    code->list = list;
    code->n = ast->n_children;
    code->name = ast->decl->name;
    return code;
}

/* The text without blanks. */
static const char *text_of(struct coding *coding, const struct ast *ast)
{
    struct str out = str_new(coding->arena);
    for (size_t i = ast->begin; i < ast->end; i++)
        if (!strchr(" \t\r\n", coding->unit->source->text[i]))
            str_char(&out, coding->unit->source->text[i]);
    return out.text;
}

/* Does a place of the mapped text stand in what was copied of the source? */
static bool is_copied(const struct source_origin *origin, size_t at)
{
    const struct source_part *part = NULL;
    for (size_t i = 0; i < origin->count; i++)
        if (origin->at[i].at <= at)
            part = &origin->at[i];
    return part && part->is_same;
}

/* The mapped text allocates memory for itself beside what its source allocates. */
static const struct code *allocation_lower(struct coding *coding, const struct ast *ast)
{
    struct code *code = call_new(coding, ast, CODE_ALLOCATE);
    const struct source_origin *origin = coding->unit->source->origin;
    const struct map *known = coding->program->known_allocations;
    const char *text = text_of(coding, ast);
    map_put(coding->program->allocations, text, code);
    if (origin)
        code->value = !is_copied(origin, ast->begin);
    else if (known)
        code->value = !map_get(known, text);
    return code;
}

static const struct code *math_lower(struct coding *coding, const struct ast *ast, int row)
{
    enum ast_class class = type_class(ast->type);
    struct code *code = call_new(coding, ast, CODE_MATH);
    code->value = row;
    code->from = class_is_real(class) || !code->n ? class : code->list[0]->class;
    if (!class_is_real(code->from) || math_arity(row) != ast->n_children)
        return code_unknown(coding, ast, "a function of a type that is not known");
    for (int i = 0; i < code->n; i++)
        if (!ast_class_is_integer(code->list[i]->class) && !class_is_real(code->list[i]->class))
            return code_unknown(coding, ast, "a function of a type that is not known");
    return code;
}

/* The class of the elements of memory that a call moves; VOID if the class is unknown. */
static enum ast_class moved_class(struct coding *coding, const struct ast *argument)
{
    while (argument->kind == AST_CAST && argument->n_children &&
           type_class(argument->children[0]->type) == AST_TYPE_POINTER)
        argument = argument->children[0];
    const struct ast_type *element = shape_element(shape_of(coding, argument));
    while (element && element->class == AST_TYPE_ARRAY)
        element = element->element;
    if (element && element->class == AST_TYPE_STRUCT)
        element = element->part;
    return element && class_bytes(element->class) ? element->class : AST_TYPE_VOID;
}

static const struct code *move_lower(struct coding *coding, const struct ast *ast, enum code_op op)
{
    enum ast_class class = AST_TYPE_VOID;
    if (ast->n_children == 3)
        class = moved_class(coding, ast->children[0]);
    if (class == AST_TYPE_VOID)
        return code_unknown(coding, ast, "memory of unknown elements is moved");
    struct code *code = call_new(coding, ast, op);
    code->from = class;
    return code;
}

/* Arguments that are pointers say what they lead to, if it may be changed. */
static const struct code *event_lower(struct coding *coding, const struct ast *ast)
{
    struct code *code = call_new(coding, ast, CODE_OPAQUE);
    const struct code **list = ARENA_ARRAY(coding->arena, const struct code *, code->n + 1);
    for (int i = 0; i < code->n; i++) {
        const struct ast *argument = ast->children[i];
        const struct ast_type *element = argument->type ? shape_element(argument->type) : NULL;
        struct code *reached = code_begin(coding, CODE_CONVERT, code->list[i]->class, argument);
        list[i] = code->list[i];
        if (!class_bytes(list[i]->class))
            return code_unknown(coding, ast, "a value of a type that is not known is passed");
        if (list[i]->class != AST_TYPE_POINTER || (element && element->is_const))
            continue;
        reached->a = list[i];
        reached->value = moved_class(coding, argument);
        list[i] = reached;
    }
    code->list = list;
    return code;
}

static const struct code *own_lower(struct coding *coding, const struct ast *ast)
{
    struct function_code *function = code_of_function(coding, ast->decl);
    struct code *code = call_new(coding, ast, CODE_CALL);
    code->function = function;
    const struct code **list = ARENA_ARRAY(coding->arena, const struct code *, code->n + 1);
    if (code->n != ast->decl->n_children || ast->decl->is_variadic)
        return code_unknown(coding, ast, "a call whose arguments are none of the function's");
    for (int i = 0; i < code->n; i++) {
        enum ast_class class = type_class(ast->decl->children[i]->type);
        if (!class_bytes(class))
            return code_unknown(coding, ast, "a structure is passed");
        list[i] = code_convert(coding, code->list[i], class);
    }
    code->list = list;
    return code;
}

static bool is_named(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

#define IS_NAMED(name, ...)                                                                        \
    is_named(name, (const char *const[]){__VA_ARGS__},                                             \
             sizeof(const char *const[]){__VA_ARGS__} / sizeof(char *))

/* A variable of the list has the value of the call: its name tells tunables apart. */
static const struct code *mark_lower(struct coding *coding, const struct ast *ast, enum code_op op)
{
    struct code *code = call_new(coding, ast, op);
    code->name = arena_printf(coding->arena, "%s %s", coding->at ? coding->at->name : "",
                              coding->declared ? coding->declared->name : "");
    return code;
}

/* INFINITY, HUGE_VAL and NAN are calls for clang. */
static const struct code *constant_lower(struct coding *coding, const struct ast *ast,
                                         const char *name)
{
    struct code *code = code_begin(coding, CODE_CONSTANT, type_class(ast->type), ast);
    code->real = *name == 'n' ? (double)NAN : (double)INFINITY;
    return code;
}

const struct code *code_of_call(struct coding *coding, const struct ast *ast)
{
    static const char builtin[] = "__builtin_";
    if (!ast->decl || ast->decl->kind != AST_FUNCTION)
        return code_unknown(coding, ast, "a call through a pointer");
    const char *name = ast->decl->name;
    if (!strcmp(name, AST_TUNABLE))
        return mark_lower(coding, ast, CODE_TUNABLE);
    if (!strcmp(name, AST_THREADS))
        return mark_lower(coding, ast, CODE_THREADS);
    if (!strcmp(name, AST_PAYS) || !strcmp(name, AST_PAID))
        return mark_lower(coding, ast, CODE_PAYS);
    if (!strcmp(name, AST_ASSERT))
        return call_new(coding, ast, CODE_ASSERT);
    if (ast->decl->has_body)
        return own_lower(coding, ast);
    if (!strncmp(name, builtin, sizeof builtin - 1))
        name += sizeof builtin - 1;
    if (!strcmp(name, "isinf_sign"))
        name = "isinf";
    const struct code *part = complex_call(coding, ast);
    if (part)
        return part;
    int row = math_find(name);
    if (row >= 0)
        return math_lower(coding, ast, row);
    if (IS_NAMED(name, "inf", "inff", "huge_val", "huge_valf", "nan", "nanf"))
        return constant_lower(coding, ast, name);
    if (IS_NAMED(name, "abs", "labs", "llabs") && ast->n_children == 1) {
        struct code *code = call_new(coding, ast, CODE_MATH);
        code->value = -1;
        return code;
    }
    if (IS_NAMED(name, "malloc", "calloc", "aligned_alloc"))
        return allocation_lower(coding, ast);
    if (!strcmp(name, "free") && ast->n_children == 1)
        return call_new(coding, ast, CODE_FREE);
    if (IS_NAMED(name, "memcpy", "memmove"))
        return move_lower(coding, ast, CODE_COPY);
    if (!strcmp(name, "memset"))
        return move_lower(coding, ast, CODE_FILL);
    if (name != ast->decl->name ||
        IS_NAMED(name, "realloc", "alloca", "setjmp", "longjmp", "qsort"))
        return code_unknown(coding, ast, arena_printf(coding->arena, "a call of `%s`", name));
    return event_lower(coding, ast);
}

/* Functions and statements of a unit as code. */
#include "frontend/ask.h"
#include "replay/coding.h"
#include "replay/replay.h"
#include "replay/value.h"
#include <string.h>

const struct code *code_block(struct coding *coding, const code_list *list)
{
    if (list->count == 1)
        return list->at[0];
    struct code *code = code_begin(coding, CODE_BLOCK, AST_TYPE_VOID, NULL);
    code->list = list->at;
    code->n = (int)list->count;
    return code;
}

void number_put(struct coding *coding, struct map *map, const void *key, int number)
{
    int *kept = ARENA_NEW(coding->arena, int);
    *kept = number;
    map_put_pointer(map, key, kept);
}

int number_get(const struct map *map, const void *key)
{
    const int *kept = map_get_pointer(map, key);
    return kept ? *kept : -1;
}

int slot_new(struct coding *coding, const struct ast *decl)
{
    int slot = coding->at->n_slots++;
    if (decl)
        number_put(coding, coding->at->slots, decl, slot);
    return slot;
}

bool is_object(const struct coding *coding, const struct ast *decl)
{
    if (decl->kind == AST_PARAMETER && decl->type->class == AST_TYPE_ARRAY)
        return false;
    return type_is_memory(decl->type) || map_get_pointer(coding->at->addressed, decl);
}

/* --- variables -------------------------------------------------------------------------------- */

int64_t global_number(struct coding *coding, const struct ast *decl)
{
    int known = number_get(coding->globals, decl);
    if (known >= 0)
        return known;
    int64_t number = (int64_t)coding->program->globals.count;
    struct global_code global = {.name = decl->name, .type = decl->type};
    const struct ast_type *element = decl->type;
    if (decl->owner)
        global.name = arena_printf(coding->arena, "%s.%s", decl->owner->name, decl->name);
    while (element->class == AST_TYPE_ARRAY)
        element = element->element;
    number_put(coding, coding->globals, decl, (int)number);
    vec_push(coding->arena, &coding->program->globals, global);
    if (!element->is_const || !decl->n_children)
        return number;
    struct code *address = code_begin(coding, CODE_GLOBAL, AST_TYPE_POINTER, decl);
    address->value = number;
    const struct code *initial = code_of_initial(coding, decl, address, -1);
    coding->program->globals.at[number].initial = initial;
    coding->program->globals.at[number].is_known = initial->op != CODE_UNKNOWN;
    return number;
}

static void object_lower(struct coding *coding, const struct ast *decl, code_list *list)
{
    struct code *code = code_begin(coding, CODE_OBJECT, AST_TYPE_VOID, decl);
    code->slot = slot_new(coding, decl);
    code->name = decl->name;
    code->a = code_of_bytes(coding, decl->type);
    code->value = decl->n_children > 0 && type_is_memory(decl->type);
    vec_push(coding->arena, list, code);
    if (!decl->n_children)
        return;
    struct code *address = code_begin(coding, CODE_SLOT, AST_TYPE_POINTER, decl);
    address->slot = code->slot;
    vec_push(coding->arena, list, code_of_initial(coding, decl, address, -1));
}

static void variable_lower(struct coding *coding, const struct ast *decl, code_list *list)
{
    if (decl->is_static || decl->is_extern)
        return;
    const struct ast *outer = coding->declared;
    coding->declared = decl;
    code_of_extents(coding, decl->type, list);
    if (is_object(coding, decl)) {
        object_lower(coding, decl, list);
    } else {
        struct code *unset = code_begin(coding, CODE_UNSET, AST_TYPE_VOID, decl);
        unset->slot = slot_new(coding, decl);
        if (decl->n_children)
            vec_push(coding->arena, list, code_of_initial(coding, decl, NULL, unset->slot));
        else
            vec_push(coding->arena, list, unset);
    }
    row_note(coding, decl);
    coding->declared = outer;
}

/* --- statements ------------------------------------------------------------------------------- */

static const struct code *code_empty(struct coding *coding, const struct ast *ast)
{
    return code_begin(coding, CODE_EMPTY, AST_TYPE_VOID, ast);
}

static const struct code *declaration_lower(struct coding *coding, const struct ast *ast)
{
    code_list list = {0};
    for (int i = 0; i < ast->n_children; i++)
        if (ast->children[i]->kind == AST_VARIABLE)
            variable_lower(coding, ast->children[i], &list);
    return code_block(coding, &list);
}

static const struct code *compound_lower(struct coding *coding, const struct ast *ast)
{
    code_list list = {0};
    for (int i = 0; i < ast->n_children; i++)
        vec_push(coding->arena, &list, code_of_statement(coding, ast->children[i]));
    return code_block(coding, &list);
}

static bool has_region(struct coding *coding, const struct ast *ast)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, coding->arena, ast); n; n = ast_next(&walk))
        if (n->kind == AST_SCHEDULE)
            return true;
    return false;
}

static const struct code *if_lower(struct coding *coding, const struct ast *ast)
{
    struct code *code = code_begin(coding, CODE_IF, AST_TYPE_VOID, ast);
    if (ast->n_children < 2)
        return code_unknown(coding, ast, "`if`");
    coding->chooses = ast->n_children > 2 && has_region(coding, ast);
    code->a = code_of_value(coding, ast->children[0]);
    coding->chooses = false;
    code->b = code_of_statement(coding, ast->children[1]);
    code->c = ast->n_children > 2 ? code_of_statement(coding, ast->children[2]) : NULL;
    return code;
}

/* The slot of the variable that a loop's first part sets; -1: none. */
static int iterator_slot(struct coding *coding, const struct ast *first)
{
    const struct ast *decl = NULL;
    if (first->kind == AST_DECLARE && first->n_children == 1)
        decl = first->children[0];
    if (first->kind == AST_ASSIGN && first->children[0]->kind == AST_REF)
        decl = first->children[0]->decl;
    int slot = decl ? slot_find(coding, decl) : -1;
    return slot >= 0 && !is_object(coding, decl) ? slot : -1;
}

static const struct code *for_lower(struct coding *coding, const struct ast *ast)
{
    enum code_op op = ast->is_meta ? CODE_META_FOR : CODE_FOR;
    struct code *code = code_begin(coding, op, AST_TYPE_VOID, ast);
    const struct ast *const *parts = ast->children;
    code->a = parts[0] ? code_of_statement(coding, parts[0]) : NULL;
    code->b = parts[1] ? code_of_value(coding, parts[1]) : NULL;
    code->c = parts[2] ? code_of_value(coding, parts[2]) : NULL;
    code->d = parts[3] ? code_of_statement(coding, parts[3]) : code_empty(coding, ast);
    code->is_ordered = ast->is_meta && (is_reduced(coding, NULL) || coding->has_ends);
    if (ast->is_meta && code->a && code->b && code->c)
        code->slot = iterator_slot(coding, parts[0]);
    return code;
}

/* Has the region a clause that reduces floating numbers by min or max? */
static bool picks_reals(const struct coding *coding, const struct ast *region)
{
    for (int i = 1; i < region->n_children; i++) {
        const struct ast *clause = region->children[i];
        if (strcmp(clause->decl->name, AST_REDUCE) != 0)
            continue;
        const char *op = ast_strip(clause->children[0])->name;
        if (op[0] == 'm' && is_reduced(coding, NULL))
            return true;
    }
    return false;
}

static bool mentions_reduced(const struct coding *coding, const struct ast *ast,
                             const struct ast *decl)
{
    bool found = ast->kind == AST_REF && (decl ? ast->decl == decl : is_reduced(coding, ast));
    for (int i = 0; i < ast->n_children && !found; i++)
        found = ast->children[i] && mentions_reduced(coding, ast->children[i], decl);
    return found;
}

/* Is `a op= e` an accumulation by the operator of a clause, of which this is the first letter? */
static bool op_accumulates(enum ast_op op, char clause)
{
    switch (op) {
    case AST_OP_ADD:
    case AST_OP_SUB: return clause == '+';
    case AST_OP_MUL: return clause == '*';
    case AST_OP_AND: return clause == '&';
    case AST_OP_OR: return clause == '|';
    case AST_OP_XOR: return clause == '^';
    default: return false;
    }
}

/* Is the value a sum by the operator of a clause that the target is one operand of, `a + e + f`? */
static bool value_accumulates(const struct coding *coding, const struct ast *value,
                              const struct ast *decl, char clause)
{
    value = ast_strip(value);
    if (value->kind == AST_REF)
        return value->decl == decl;
    if (value->kind == AST_INDEX)
        return value_accumulates(coding, value->children[0], decl, clause) &&
               !mentions_reduced(coding, value->children[1], decl);
    if (value->kind != AST_BINARY || !op_accumulates(value->op, clause))
        return false;
    const struct ast *left = value->children[0], *right = value->children[1];
    if (mentions_reduced(coding, left, decl))
        return !mentions_reduced(coding, right, decl) &&
               value_accumulates(coding, left, decl, clause);
    return value->op != AST_OP_SUB && value_accumulates(coding, right, decl, clause);
}

/* Does an assignment begin or end what the region's clauses reduce? For min and max each one counts
   but `a = e > a ? e : a`, also one that may be `if (e > a) a = e;`. */
static bool assignment_ends(const struct coding *coding, const struct ast *ast)
{
    const struct ast *base = ast->children[0], *value = ast->children[1];
    if (!is_reduced(coding, base))
        return mentions_reduced(coding, value, NULL);
    while (base->kind != AST_REF)
        base = base->children[0];
    char clause = ast_strip(reducing_clause(coding, base)->children[0])->name[0];
    if (ast->op != AST_OP_NONE)
        return !op_accumulates(ast->op, clause);
    bool picks = ast_strip(value)->kind == AST_CONDITIONAL &&
                 mentions_reduced(coding, value, base->decl);
    return clause == 'm' ? !picks : !value_accumulates(coding, value, base->decl, clause);
}

static bool region_has_ends(const struct coding *coding, const struct ast *ast)
{
    bool found = ast->kind == AST_ASSIGN && assignment_ends(coding, ast);
    for (int i = 0; i < ast->n_children && !found; i++)
        found = ast->children[i] && region_has_ends(coding, ast->children[i]);
    return found;
}

static const struct code *region_lower(struct coding *coding, const struct ast *ast)
{
    coding->region = ast;
    coding->has_ends = region_has_ends(coding, ast->children[0]);
    coding->at->picks_reals |= picks_reals(coding, ast);
    const struct code *body = code_of_statement(coding, ast->children[0]);
    coding->region = NULL;
    coding->has_ends = false;
    return body;
}

static const struct code *while_lower(struct coding *coding, const struct ast *ast)
{
    bool is_do = ast->kind == AST_DO;
    struct code *code = code_begin(coding, is_do ? CODE_DO : CODE_WHILE, AST_TYPE_VOID, ast);
    if (ast->n_children != 2)
        return code_unknown(coding, ast, "`while`");
    code->b = code_of_value(coding, ast->children[is_do]);
    code->d = code_of_statement(coding, ast->children[!is_do]);
    return code;
}

static void case_lower(struct coding *coding, const struct ast *ast, code_list *list)
{
    while (ast->kind == AST_CASE || ast->kind == AST_DEFAULT) {
        struct code *mark = code_begin(coding, CODE_CASE, AST_TYPE_VOID, ast);
        if (ast->kind == AST_CASE)
            mark->a = code_of_value(coding, ast->children[0]);
        vec_push(coding->arena, list, mark);
        ast = ast->children[ast->n_children - 1];
    }
    vec_push(coding->arena, list, code_of_statement(coding, ast));
}

static const struct code *switch_lower(struct coding *coding, const struct ast *ast)
{
    const struct ast *body = ast->n_children == 2 ? ast->children[1] : NULL;
    struct code *code = code_begin(coding, CODE_SWITCH, AST_TYPE_VOID, ast);
    code_list list = {0};
    if (!body || body->kind != AST_COMPOUND)
        return code_unknown(coding, ast, "`switch`");
    code->a = code_of_value(coding, ast->children[0]);
    for (int i = 0; i < body->n_children; i++)
        case_lower(coding, body->children[i], &list);
    code->list = list.at;
    code->n = (int)list.count;
    return code;
}

static const struct code *return_lower(struct coding *coding, const struct ast *ast)
{
    struct code *code = code_begin(coding, CODE_RETURN, AST_TYPE_VOID, ast);
    if (ast->n_children)
        code->a = code_convert(coding, code_of_value(coding, ast->children[0]), coding->at->result);
    return code;
}

const struct code *code_of_statement(struct coding *coding, const struct ast *ast)
{
    switch (ast->kind) {
    case AST_COMPOUND: return compound_lower(coding, ast);
    case AST_DECLARE: return declaration_lower(coding, ast);
    case AST_IF: return if_lower(coding, ast);
    case AST_FOR: return for_lower(coding, ast);
    case AST_WHILE:
    case AST_DO: return while_lower(coding, ast);
    case AST_SWITCH: return switch_lower(coding, ast);
    case AST_BREAK: return code_begin(coding, CODE_BREAK, AST_TYPE_VOID, ast);
    case AST_CONTINUE: return code_begin(coding, CODE_CONTINUE, AST_TYPE_VOID, ast);
    case AST_RETURN: return return_lower(coding, ast);
    case AST_EMPTY: return code_empty(coding, ast);
    case AST_LABEL: {
        const struct ast *last = ast->n_children ? ast->children[ast->n_children - 1] : NULL;
        return last ? code_of_statement(coding, last) : code_empty(coding, ast);
    }
    case AST_SCHEDULE: return region_lower(coding, ast);
    case AST_GOTO:
    case AST_INDIRECT_GOTO: return code_unknown(coding, ast, "`goto`");
    case AST_CASE:
    case AST_DEFAULT: return code_unknown(coding, ast, "a `case` in a statement of its `switch`");
    default:
        return ast_is_expression(ast) ? code_of_value(coding, ast)
                                      : code_unknown(coding, ast, ast_kind_text(ast->kind));
    }
}

/* --- functions -------------------------------------------------------------------------------- */

/* Variables whose address is taken live in memory. */
static struct map *addressed_find(struct arena *arena, const struct ast *body)
{
    struct map *found = map_new(arena);
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk))
        if (n->kind == AST_UNARY && n->op == AST_OP_ADDRESS && n->children[0]->kind == AST_REF)
            map_put_pointer(found, n->children[0]->decl, (void *)n);
    return found;
}

/* A parameter whose address is taken gets memory, to which its value goes. */
static void parameter_move(struct coding *coding, const struct ast *decl, int from, code_list *list)
{
    struct code *object = code_begin(coding, CODE_OBJECT, AST_TYPE_VOID, decl);
    struct code *store = code_begin(coding, CODE_STORE, type_class(decl->type), decl);
    struct code *address = code_begin(coding, CODE_SLOT, AST_TYPE_POINTER, decl);
    struct code *value = code_begin(coding, CODE_SLOT, type_class(decl->type), decl);
    object->slot = address->slot = slot_new(coding, decl);
    object->name = decl->name;
    object->a = code_constant(coding, AST_TYPE_I64, decl->type->bytes);
    value->slot = from;
    store->a = address;
    store->b = value;
    vec_push(coding->arena, list, object);
    vec_push(coding->arena, list, store);
}

static void parameters_lower(struct coding *coding, const struct ast *decl,
                             struct function_code *function)
{
    struct parameter_code *list =
        ARENA_ARRAY(coding->arena, struct parameter_code, decl->n_children + 1);
    code_list begin = {0};
    for (int i = 0; i < decl->n_children; i++) {
        const struct ast *parameter = decl->children[i];
        enum ast_class class = parameter->type->class;
        list[i] = (struct parameter_code){parameter->name, parameter->type,
                                          class == AST_TYPE_STRUCT || class == AST_TYPE_UNION,
                                          class == AST_TYPE_POINTER && coding->at->body &&
                                              ast_may_be_null(coding->arena, coding->at->body,
                                                              parameter)};
        slot_new(coding, parameter);
    }
    for (int i = 0; i < decl->n_children; i++)
        if (!list[i].is_object && is_object(coding, decl->children[i]))
            parameter_move(coding, decl->children[i], i, &begin);
    for (int i = 0; i < decl->n_children; i++)
        code_of_extents(coding, decl->children[i]->type, &begin);
    function->parameters = list;
    function->n_parameters = decl->n_children;
    function->extents = code_block(coding, &begin);
}

/* The number of a node that adds it to a loop's iterator, `i += 8`, or divides by it, `n / 256`; 0
   of other nodes. */
static int64_t stride_in(const struct ast *ast)
{
    const struct ast *step = ast->kind == AST_FOR ? ast->children[2] : NULL;
    bool adds = step && step->kind == AST_ASSIGN && step->op == AST_OP_ADD;
    bool divides = ast->kind == AST_BINARY && ast->op == AST_OP_DIV;
    const struct ast *value = adds ? step->children[1] : divides ? ast->children[1] : NULL;
    value = value ? ast_strip(value) : NULL;
    return value && value->kind == AST_INTEGER ? value->integer : 0;
}

/* The longest step of loops at or below a node that is a number, and the greatest divisor. */
static int64_t longest_stride(const struct ast *ast)
{
    int64_t stride = stride_in(ast);
    for (int i = 0; i < ast->n_children; i++) {
        int64_t own = ast->children[i] ? longest_stride(ast->children[i]) : 0;
        stride = own > stride ? own : stride;
    }
    return stride;
}

struct function_code *code_of_function(struct coding *coding, const struct ast *decl)
{
    struct function_code *function = map_get_pointer(coding->functions, decl);
    if (function)
        return function;
    function = ARENA_NEW(coding->arena, struct function_code);
    map_put_pointer(coding->functions, decl, function);
    const struct ast *body = ast_body(coding->unit, decl);
    struct coding_function *outer = coding->at;
    bool chooses = coding->chooses;
    struct coding_function inner = {.slots = map_new(coding->arena),
                                      .body = body,
                                      .extents = map_new(coding->arena),
                                      .rows = map_new(coding->arena),
                                      .addressed = addressed_find(coding->arena, body),
                                      .name = decl->name,
                                      .result = type_class(decl->type)};
    coding->at = &inner;
    coding->chooses = false;
    *function = (struct function_code){.name = decl->name, .begin = decl->begin, .end = decl->end,
                                       .loc = decl->loc, .class = inner.result,
                                       .mark_begin = coding->program->n_marks};
    parameters_lower(coding, decl, function);
    function->body = body ? code_of_statement(coding, body) : NULL;
    function->n_slots = inner.n_slots;
    function->stride = body ? longest_stride(body) : 0;
    function->picks_reals = inner.picks_reals;
    function->mark_end = coding->program->n_marks;
    coding->at = outer;
    coding->chooses = chooses;
    return function;
}

struct replay_program *replay_read(struct ctx *ctx, struct ast_unit *unit,
                                   const struct replay_program *source)
{
    struct replay_program *program = ARENA_NEW(ctx->arena, struct replay_program);
    struct coding coding = {.ctx = ctx, .arena = ctx->arena, .unit = unit, .program = program,
                         .functions = map_new(ctx->arena), .globals = map_new(ctx->arena)};
    program->source = unit->source;
    program->allocations = map_new(ctx->arena);
    program->known_allocations = source ? source->allocations : NULL;
    for (size_t i = 0; i < unit->n_declarations; i++) {
        const struct ast *decl = unit->declarations[i];
        if (decl->kind == AST_FUNCTION && decl->has_body)
            vec_push(ctx->arena, &program->functions, code_of_function(&coding, decl));
    }
    return program;
}

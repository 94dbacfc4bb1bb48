/* Where host code of a function touches what its regions work on.

   In: the function's body, the places of its regions, their arrays. Out: ranges of statements
   that are no ancestors of a region, each with what it does (struct touch). Conservative: every
   element reached through a pointer counts (it may be the same memory), every call that may
   reach memory, and `return`, behind which the caller looks. A local array of a region that host
   code never names nor initialises is scratch: it need not be copied. Elements of a local array
   that no region names do not count, unless a region works on a local pointer, or on a parameter
   that the function sets, which may point to it; names of arrays and pointers alone do not either:
   exchanging two pointers touches nothing. Calls: functions of the mathematical library touch
   nothing, those of library.def what their arguments point to. A local array of a region in an
   inner block dies with the block: its device copy must be dropped there, and jumps out of the
   block count as touches, so that nothing newer is left on the device. */
#include "metafork/lower.h"
#include <string.h>

/* The effect of an expression or statement on an array, from nothing to everything. */
enum level_of_touch { NOTHING, READS, WRITES };

struct finder {
    struct arena *arena;
    const struct source *source;
    const struct region_place *places;
    size_t n_places;
    const struct map *arrays;
    bool has_local_pointer;
    int dying;                    /* blocks around the statement whose arrays die before the
                                     function ends */
    VEC(struct touch) touches;
    enum level_of_touch eager;
};

static enum level_of_touch look(const struct finder *f, const struct ast *node);

static enum level_of_touch most(enum level_of_touch a, enum level_of_touch b)
{
    return a > b ? a : b;
}

static bool is_local(const struct ast *decl)
{
    return decl && decl->kind == AST_VARIABLE && !decl->is_global && !decl->is_static &&
           !decl->is_extern;
}

/* A local array or structure that no region can mean. */
static bool is_own(const struct finder *f, const struct ast *decl)
{
    bool holds = decl && decl->type &&
                 (decl->type->class == AST_TYPE_ARRAY || decl->type->class == AST_TYPE_STRUCT ||
                  decl->type->class == AST_TYPE_UNION);
    return !f->has_local_pointer && holds && is_local(decl) && !map_get_pointer(f->arrays, decl);
}

static enum level_of_touch look_below(const struct finder *f, const struct ast *node)
{
    enum level_of_touch level = NOTHING;
    for (int i = 0; i < node->n_children && level < WRITES; i++)
        level = most(level, look(f, node->children[i]));
    return level;
}

/* A member of a plain scalar variable's kind: no region works on it. */
static bool is_plain_member(const struct ast *node)
{
    const struct ast *of = node->n_children ? ast_strip(node->children[0]) : NULL;
    return of && of->kind == AST_REF && of->type && of->type->class == AST_TYPE_STRUCT &&
           node->type && ast_class_is_scalar(node->type->class);
}

/* The variable at the root of `x.a[i].b[k]`; NULL if a pointer is followed on the way. */
static const struct ast *root_of(const struct ast *node)
{
    for (node = ast_strip(node); node && (node->kind == AST_INDEX || node->kind == AST_MEMBER);) {
        const struct ast *below = node->n_children ? ast_strip(node->children[0]) : NULL;
        if (!below || !below->type || below->type->class == AST_TYPE_POINTER)
            return NULL;
        node = below;
    }
    return node && node->kind == AST_REF ? node->decl : NULL;
}

/* The effect of evaluating the object `node`, where `level` is what is done with its value. */
static enum level_of_touch look_at_object(const struct finder *f, const struct ast *node,
                                          enum level_of_touch level)
{
    node = ast_strip(node);
    bool memory = node->kind == AST_INDEX ||
                  (node->kind == AST_UNARY && node->op == AST_OP_DEREFERENCE) ||
                  (node->kind == AST_MEMBER && !is_plain_member(node));
    bool record = node->kind == AST_REF && node->type && !ast_class_is_scalar(node->type->class) &&
                  node->type->class != AST_TYPE_POINTER && node->type->class != AST_TYPE_ARRAY;
    if (node->kind != AST_REF && !memory && !is_plain_member(node))
        return look_below(f, node);
    if ((!memory && !record) || is_own(f, root_of(node)))
        level = NOTHING;
    if (node->kind != AST_REF)
        for (int i = 0; i < node->n_children; i++)
            if (!is_plain_member(node))
                level = most(level, look(f, node->children[i]));
    return level;
}

static bool points_nowhere(const struct finder *f, const struct ast *argument)
{
    const struct ast *plain = ast_strip(argument);
    while (plain->kind == AST_CAST && plain->n_children)
        plain = ast_strip(plain->children[0]);
    if (plain->kind == AST_UNARY && plain->op == AST_OP_ADDRESS && plain->n_children) {
        const struct ast *object = ast_strip(plain->children[0]);
        return object->kind == AST_REF && is_local(object->decl) &&
               !map_get_pointer(f->arrays, object->decl);
    }
    return plain->kind == AST_STRING || plain->kind == AST_INTEGER ||
           (plain->kind == AST_REF &&
            (is_own(f, plain->decl) || (plain->type && strstr(plain->type->text, "FILE"))));
}

static enum level_of_touch look_at_arguments(const struct finder *f, const struct ast *node)
{
    enum level_of_touch level = NOTHING;
    for (int i = 0; i < node->n_children && level < WRITES; i++) {
        const struct ast *argument = node->children[i];
        enum ast_class class = argument->type ? argument->type->class : AST_TYPE_OTHER;
        if (points_nowhere(f, argument))
            continue;
        level = ast_class_is_scalar(class) ? most(level, look(f, argument)) : WRITES;
    }
    return level;
}

static bool is_of_library(const struct ast *function)
{
    static const char *const names[] = {
#define X(name) #name,
#include "metafork/library.def"
#undef X
    };
    if (!function->has_body && !function->is_static)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (!strcmp(function->name, names[i]))
                return true;
    return false;
}

static enum level_of_touch look_at_call(const struct finder *f, const struct ast *node)
{
    if (!node->decl)
        return WRITES;
    if (call_is_mark(node) || call_is_pure(node))
        return look_below(f, node);
    return is_of_library(node->decl) ? look_at_arguments(f, node) : WRITES;
}

static enum level_of_touch look_at_unary(const struct finder *f, const struct ast *node)
{
    const struct ast *operand = ast_strip(node->children[0]);
    if (node->op >= AST_OP_PRE_INCREMENT && node->op <= AST_OP_POST_DECREMENT)
        return look_at_object(f, operand, WRITES);
    if (node->op == AST_OP_DEREFERENCE)
        return look_at_object(f, node, READS);
    if (node->op == AST_OP_ADDRESS && (operand->kind == AST_INDEX || operand->kind == AST_REF))
        return look_below(f, operand);
    return look_below(f, node);
}

static enum level_of_touch look(const struct finder *f, const struct ast *node)
{
    if (!node)
        return NOTHING;
    switch (node->kind) {
    case AST_REF:
    case AST_INDEX:
    case AST_MEMBER:
        return look_at_object(f, node, READS);
    case AST_UNARY:
        return node->n_children ? look_at_unary(f, node) : NOTHING;
    case AST_ASSIGN:
        return most(look_at_object(f, node->children[0], WRITES), look(f, node->children[1]));
    case AST_CALL:
        return look_at_call(f, node);
    case AST_SIZEOF:
        return NOTHING;
    case AST_BREAK:
    case AST_CONTINUE:
        return f->dying ? WRITES : NOTHING;
    case AST_GOTO:
    case AST_INDIRECT_GOTO:
        return f->dying ? WRITES : NOTHING;
    case AST_RETURN:
    case AST_ASM:
    case AST_MS_ASM:
    case AST_OPAQUE:
        return WRITES;
    default:
        return look_below(f, node);
    }
}

static bool is_ancestor(const struct finder *f, const struct ast *node)
{
    for (size_t i = 0; i < f->n_places; i++)
        for (int k = 0; k < f->places[i].n_path; k++)
            if (f->places[i].path[k] == node)
                return true;
    return false;
}

/* Behind blanks, comments and line continuations. */
static size_t blank_end(const struct source *source, size_t at)
{
    const char *text = source->text;
    for (size_t length = source->length; at < length;) {
        if (strchr(" \t\r\n\f\v\\", text[at])) {
            at++;
        } else if (text[at] == '/' && at + 1 < length && text[at + 1] == '*') {
            const char *end = strstr(text + at + 2, "*/");
            at = end ? (size_t)(end - text) + 2 : length;
        } else if (text[at] == '/' && at + 1 < length && text[at + 1] == '/') {
            while (at < length && text[at] != '\n')
                at++;
        } else
            break;
    }
    return at;
}

/* Behind the parenthesis that closes the one at `at`. */
static size_t parentheses_end(const struct source *source, size_t at)
{
    const char *text = source->text;
    int depth = 0;
    for (; at < source->length; at++) {
        char c = text[at];
        depth += c == '(';
        depth -= c == ')';
        if (depth == 0)
            return at + 1;
        if (c == '"' || c == '\'')
            for (at++; at < source->length && text[at] != c; at++)
                at += text[at] == '\\';
    }
    return at;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The end of a statement with its semicolon. What ends in a macro's expansion ends, for clang,
   behind the macro's name. */
static size_t end_of(const struct finder *f, const struct ast *node)
{
    const char *text = f->source->text;
    size_t at = node->end, next;
    if (at && (text[at - 1] == ';' || (text[at - 1] == '}' && !ast_is_expression(node))))
        return at;
    next = blank_end(f->source, at);
    if (at && is_word(text[at - 1]) && next < f->source->length && text[next] == '(') {
        at = parentheses_end(f->source, next);
        next = blank_end(f->source, at);
    }
    return next < f->source->length && text[next] == ';' ? next + 1 : at;
}

static void visit_statement(struct finder *f, const struct ast *node)
{
    enum level_of_touch level = look(f, node);
    if (level == NOTHING)
        return;
    if (node->end <= node->begin) {    /* of another file, by #include inside the function */
        f->eager = most(f->eager, level);
        return;
    }
    struct touch touch = {.begin = node->begin, .end = end_of(f, node),
                          .kind = node->kind == AST_RETURN ? TOUCH_RETURN
                                  : level == WRITES        ? TOUCH_WRITE
                                                           : TOUCH_READ,
                          .form = ast_is_expression(node) ? FORM_EXPRESSION
                                  : node->kind == AST_DECLARE ? FORM_DECLARATION : FORM_STATEMENT};
    vec_push(f->arena, &f->touches, touch);
}

/* Where the statements of a block end: before its brace, or before the call of a macro that writes
   it. */
static size_t statements_end(const struct finder *f, const struct ast *block)
{
    const char *text = f->source->text;
    size_t at = block->end;
    int depth = 0;
    if (!block->is_macro_end)
        return at - 1;
    do {
        at--;
        depth += text[at] == ')';
        depth -= text[at] == '(';
    } while (at > block->begin && depth);
    while (at > block->begin && (text[at] == '(' || text[at - 1] == ' '))
        at--;
    while (at > block->begin && is_word(text[at - 1]))
        at--;
    return at;
}

/* The arrays declared in a block that a region may work on: `at` is where they die. */
static int arrays_die(struct finder *f, const struct ast *block, size_t at, bool note)
{
    int count = 0;
    for (int i = 0; i < block->n_children; i++) {
        const struct ast *declare = block->children[i];
        if (declare && declare->kind == AST_DECLARE)
            for (int k = 0; k < declare->n_children; k++) {
                const struct ast *decl = declare->children[k];
                bool meant = is_local(decl) && decl->type && decl->type->class == AST_TYPE_ARRAY &&
                             (f->has_local_pointer || map_get_pointer(f->arrays, decl));
                count += meant;
                if (meant && note)
                    vec_push(f->arena, &f->touches,
                             ((struct touch){
                                 .begin = at, .end = at, .kind = TOUCH_END, .array = decl->name}));
            }
    }
    return count;
}

static void visit(struct finder *f, const struct ast *node, bool is_outermost)
{
    if (!node || node->kind == AST_SCHEDULE)
        return;
    if (!is_ancestor(f, node)) {
        visit_statement(f, node);
        return;
    }
    bool block = node->kind == AST_COMPOUND,
         dying = block && !is_outermost && arrays_die(f, node, 0, false) > 0;
    f->dying += dying;
    for (int i = 0; i < node->n_children; i++) {
        const struct ast *child = node->children[i];
        bool part = !block && child && ast_is_expression(child) && !is_ancestor(f, child);
        bool statement = node->kind == AST_IF ? i > 0
                         : node->kind == AST_FOR
                             ? i == 3
                             : node->kind == AST_LABEL || node->kind == AST_CASE ||
                                   node->kind == AST_DEFAULT;
        if ((part && !statement) || (node->kind == AST_FOR && i < 3))
            f->eager = most(f->eager, look(f, child));
        else
            visit(f, child, false);
    }
    f->dying -= dying;
    if (dying && node->end > node->begin)
        arrays_die(f, node, statements_end(f, node), true);
}

/* Does a region work on a pointer that the function may point to a local array: one of its own, or
   a parameter that it sets? */
static bool has_local_pointer(const struct finder *f, const struct ast *body)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, f->arena, body); n; n = ast_next(&walk)) {
        const struct ast *decl = n->kind == AST_REF ? n->decl : NULL;
        if (decl && map_get_pointer(f->arrays, decl) &&
            decl->type->class == AST_TYPE_POINTER &&
            (decl->kind == AST_VARIABLE || ast_writes(body, decl)))
            return true;
    }
    return false;
}

/* What host code might do with the variable: it is named outside the regions, or stands where
   nobody sees it. */
static bool host_names(const struct ast *node, const struct ast *decl)
{
    if (!node || node->kind == AST_SCHEDULE)
        return false;
    if (node->kind == AST_ASM || node->kind == AST_MS_ASM || node->kind == AST_OPAQUE ||
        (node->kind == AST_REF && node->decl == decl))
        return true;
    for (int i = 0; i < node->n_children; i++)
        if (host_names(node->children[i], decl))
            return true;
    return false;
}

bool array_is_scratch(const struct ast *body, const struct ast *decl)
{
    return is_local(decl) && decl->type && decl->type->class == AST_TYPE_ARRAY &&
           decl->n_children == 0 && !host_names(body, decl);
}

/* Is the variable named in the node? */
static bool node_names(const struct ast *node, const struct ast *decl)
{
    if (!node || (node->kind == AST_REF && node->decl == decl))
        return node != NULL;
    for (int i = 0; i < node->n_children; i++)
        if (node_names(node->children[i], decl))
            return true;
    return false;
}

static bool node_holds(const struct ast *node, const struct ast *part)
{
    if (!node || node == part)
        return node != NULL;
    for (int i = 0; i < node->n_children; i++)
        if (node_holds(node->children[i], part))
            return true;
    return false;
}

/* May parts of the body run again, so that what one branch of an `if` has left reaches the
   other? */
static bool may_repeat(enum ast_kind kind)
{
    return kind == AST_FOR || kind == AST_WHILE || kind == AST_DO;
}

/* `once`: nothing of the body runs twice. */
static bool is_lone(const struct ast *body, const struct ast *decl, const struct ast *schedule,
                    bool once)
{
    if (!body || body == schedule)
        return true;
    if (body->kind == AST_SCHEDULE)
        return !node_names(body, decl);
    if (once && body->kind == AST_IF)
        for (int i = 1; i < body->n_children; i++)
            if (node_holds(body->children[i], schedule))
                return is_lone(body->children[i], decl, schedule, once);
    for (int i = 0; i < body->n_children; i++)
        if (!is_lone(body->children[i], decl, schedule, once && !may_repeat(body->kind)))
            return false;
    return true;
}

bool array_is_lone(const struct ast *body, const struct ast *decl, const struct ast *schedule)
{
    struct ast_walk walk;
    struct arena *scratch = arena_new();
    bool once = true;
    for (const struct ast *n = ast_first(&walk, scratch, body); n; n = ast_next(&walk))
        once = once && n->kind != AST_LABEL;
    arena_free(scratch);
    return is_lone(body, decl, schedule, once);
}

static bool has_value(struct arena *arena, const struct ast *body)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk))
        if (n->kind == AST_RETURN && n->n_children && n->children[0])
            return true;
    return false;
}

void touches_find(struct arena *arena, const struct ast *body, const struct region_place *places,
                  size_t n_places, const struct map *arrays, struct function *function)
{
    struct finder f = {.arena = arena, .places = places, .n_places = n_places, .arrays = arrays,
                       .source = body->loc.source};
    f.has_local_pointer = has_local_pointer(&f, body);
    visit(&f, body, true);
    function->touches = f.touches.at;
    function->n_touches = f.touches.count;
    function->is_eager = f.eager > NOTHING;
    function->eager_kind = f.eager == WRITES ? TOUCH_WRITE : TOUCH_READ;
    function->has_value = has_value(arena, body);
    function->falls_off = body->n_children == 0 ||
                          body->children[body->n_children - 1]->kind != AST_RETURN;
}

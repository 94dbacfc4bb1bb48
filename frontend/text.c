/* Nodes as C.

   In: nodes, and texts that stand for some of their names. Out: C. A node is printed in one of
   three ways: as its bytes, where nothing in it changes; as its bytes with texts put in places,
   where each place has bytes of its own; else from its parts, whose parentheses follow from the
   operators. The last way never looks at bytes of the node, so that no macro's call can be taken
   for what it stands for. Layout alone (margins of lines) is read off the source. */
#include "frontend/ask.h"
#include "frontend/text.h"
#include "base/vec.h"
#include <inttypes.h>
#include <string.h>

static const char *name_in_place(const struct ast_writer *w, const struct ast *ast)
{
    return w->names ? map_get_pointer(w->names, ast) : NULL;
}

static bool is_changed(const struct ast_writer *w, const struct ast *ast)
{
    return ast->is_made || name_in_place(w, ast);
}

/* Is something at or below the node printed otherwise than it stands in the file? */
static bool has_change(const struct ast_writer *w, const struct ast *ast)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, w->arena, ast); n; n = ast_next(&walk))
        if (is_changed(w, n))
            return true;
    return false;
}

static bool has_bytes(const struct ast *ast)
{
    return ast->end > ast->begin && !ast->is_part;
}

/* --- expressions ------------------------------------------------------------------------------ */

/* How strongly operators bind their operands. */
enum rank {
    RANK_COMMA, RANK_ASSIGN, RANK_CONDITIONAL, RANK_LOR, RANK_LAND, RANK_OR, RANK_XOR, RANK_AND,
    RANK_EQUAL, RANK_LESS, RANK_SHIFT, RANK_SUM, RANK_PRODUCT, RANK_UNARY, RANK_PRIMARY
};

static enum rank rank_of_op(enum ast_op op)
{
    switch (op) {
    case AST_OP_COMMA: return RANK_COMMA;
    case AST_OP_LOR: return RANK_LOR;
    case AST_OP_LAND: return RANK_LAND;
    case AST_OP_OR: return RANK_OR;
    case AST_OP_XOR: return RANK_XOR;
    case AST_OP_AND: return RANK_AND;
    case AST_OP_EQ: case AST_OP_NE: return RANK_EQUAL;
    case AST_OP_LT: case AST_OP_GT: case AST_OP_LE: case AST_OP_GE: return RANK_LESS;
    case AST_OP_SHL: case AST_OP_SHR: return RANK_SHIFT;
    case AST_OP_ADD: case AST_OP_SUB: return RANK_SUM;
    default: return RANK_PRODUCT;
    }
}

static enum rank rank_of(const struct ast *ast)
{
    switch (ast->kind) {
    case AST_BINARY: return rank_of_op(ast->op);
    case AST_ASSIGN: return RANK_ASSIGN;
    case AST_CONDITIONAL: return RANK_CONDITIONAL;
    case AST_CAST: return RANK_UNARY;
    case AST_MEMBER:
        return ast->n_children && ast_strip(ast->children[0])->type->is_complex ? RANK_UNARY
                                                                               : RANK_PRIMARY;
    case AST_UNARY:
        return ast->op == AST_OP_POST_INCREMENT || ast->op == AST_OP_POST_DECREMENT ? RANK_PRIMARY
                                                                                   : RANK_UNARY;
    default: return RANK_PRIMARY;
    }
}

static bool is_signed(const struct ast *ast)
{
    return ast->type->class == AST_TYPE_I64 || ast->type->class == AST_TYPE_I32;
}

/* The right operand of a signed addition in 64 bits may be a sum itself: what is added up is the
   same. */
static bool adds_up(const struct ast *ast, const struct ast *right)
{
    return ast->is_made && ast->op == AST_OP_ADD && rank_of(right) == RANK_SUM &&
           is_signed(ast) && is_signed(right);
}

/* Would a reader, or a compiler's warning, ask for parentheses that C does not need? */
static bool is_mixed(enum rank outer, const struct ast *operand)
{
    enum rank inner = rank_of(operand);
    bool bits = outer >= RANK_OR && outer <= RANK_AND;
    if (operand->kind != AST_BINARY)
        return false;
    return (outer == RANK_LOR && inner == RANK_LAND) || bits || outer == RANK_SHIFT ||
           (outer == RANK_PRODUCT && inner == RANK_PRODUCT) ||
           (outer == RANK_SUM && operand->op != AST_OP_MUL && inner == RANK_PRODUCT);
}

static const char *operand_text(const struct ast_writer *w, const struct ast *ast, bool is_plain)
{
    const char *text = ast_text(w, ast);
    return text && !is_plain ? arena_printf(w->arena, "(%s)", text) : text;
}

static const char *binary_text(const struct ast_writer *w, const struct ast *ast)
{
    const struct ast *left = ast_strip(ast->children[0]), *right = ast_strip(ast->children[1]);
    enum rank rank = rank_of_op(ast->op);
    bool first = rank_of(left) >= rank && !is_mixed(rank, left);
    bool second = (rank_of(right) > rank || adds_up(ast, right)) && !is_mixed(rank, right);
    bool signs = rank == RANK_SUM && right->kind == AST_UNARY;
    const char *texts[] = {operand_text(w, left, first), operand_text(w, right, second && !signs)};
    if (!texts[0] || !texts[1])
        return NULL;
    return arena_printf(w->arena, ast->op == AST_OP_COMMA ? "%s%s %s" : "%s %s %s", texts[0],
                        ast_op_text(ast->op), texts[1]);
}

static const char *unary_text(const struct ast_writer *w, const struct ast *ast)
{
    const struct ast *operand = ast_strip(ast->children[0]);
    const char *text = operand_text(w, operand, rank_of(operand) == RANK_PRIMARY);
    if (!text || ast->op >= AST_OP_REAL_PART)
        return NULL;
    bool behind = ast->op == AST_OP_POST_INCREMENT || ast->op == AST_OP_POST_DECREMENT;
    return arena_printf(w->arena, "%s%s", behind ? text : ast_op_text(ast->op),
                        behind ? ast_op_text(ast->op) : text);
}

static const char *assign_text(const struct ast_writer *w, const struct ast *ast)
{
    const char *target = ast_text(w, ast->children[0]);
    const struct ast *right = ast_strip(ast->children[1]);
    const char *value = operand_text(w, right, rank_of(right) >= RANK_ASSIGN);
    const char *sign = ast->op == AST_OP_NONE ? "" : ast_op_text(ast->op);
    return target && value ? arena_printf(w->arena, "%s %s= %s", target, sign, value) : NULL;
}

static const char *conditional_text(const struct ast_writer *w, const struct ast *ast)
{
    const char *texts[3];
    for (int i = 0; i < 3; i++) {
        const struct ast *part = ast_strip(ast->children[i]);
        texts[i] = operand_text(w, part, rank_of(part) > RANK_CONDITIONAL);
        if (!texts[i])
            return NULL;
    }
    return arena_printf(w->arena, "%s ? %s : %s", texts[0], texts[1], texts[2]);
}

/* Nodes with commas between. */
static const char *list_text(const struct ast_writer *w, const struct ast *const *nodes, int n)
{
    struct str out = str_new(w->arena);
    for (int i = 0; i < n; i++) {
        const char *text = operand_text(w, nodes[i], rank_of(ast_strip(nodes[i])) > RANK_COMMA);
        if (!text)
            return NULL;
        str_addf(&out, "%s%s", i ? ", " : "", text);
    }
    return out.text;
}

static const char *call_text(const struct ast_writer *w, const struct ast *ast)
{
    const char *list = list_text(w, ast->children, ast->n_children);
    return list && ast->decl ? arena_printf(w->arena, "%s(%s)", ast->decl->name, list) : NULL;
}

static const char *index_text(const struct ast_writer *w, const struct ast *ast)
{
    const struct ast *array = ast_strip(ast->children[0]);
    const char *base = operand_text(w, array, rank_of(array) == RANK_PRIMARY);
    const char *subscript = ast_text(w, ast->children[1]);
    return base && subscript ? arena_printf(w->arena, "%s[%s]", base, subscript) : NULL;
}

static const char *member_text(const struct ast_writer *w, const struct ast *ast)
{
    const struct ast *base = ast->n_children ? ast_strip(ast->children[0]) : NULL;
    while (base && base->kind == AST_MEMBER && !*base->name && base->n_children)
        base = ast_strip(base->children[0]);            /* of a structure without a name */
    const char *text = base ? operand_text(w, base, rank_of(base) == RANK_PRIMARY) : NULL;
    if (text && base->type && base->type->is_complex)
        return arena_printf(w->arena, "%s %s", ast->integer ? "__imag__" : "__real__", text);
    bool points = base && base->type && base->type->class == AST_TYPE_POINTER;
    return text && *ast->name ? arena_printf(w->arena, "%s%s%s", text, points ? "->" : ".",
                                             ast->name)
                              : NULL;
}

static const char *cast_text(const struct ast_writer *w, const struct ast *ast)
{
    const struct ast *operand = ast_strip(ast->children[0]);
    if (ast->is_implicit)
        return ast_text(w, operand);
    const char *text = operand_text(w, operand, rank_of(operand) == RANK_PRIMARY);
    return text ? arena_printf(w->arena, "(%s)%s", ast->type->text, text) : NULL;
}

static const char *integer_text(const struct ast_writer *w, const struct ast *ast)
{
    enum ast_class class = ast->is_made || !ast->type ? AST_TYPE_I32 : ast->type->class;
    const char *suffix = class == AST_TYPE_U32   ? "u"
                         : class == AST_TYPE_I64 ? "L"
                         : class == AST_TYPE_U64 ? "UL"
                                                 : "";
    if (class == AST_TYPE_U32 || class == AST_TYPE_U64)
        return arena_printf(w->arena, "%" PRIu64 "%s", (uint64_t)ast->integer, suffix);
    bool negative = ast->integer < 0 && !ast->is_made;
    if (ast->integer == INT64_MIN)
        return NULL;
    return arena_printf(w->arena, negative ? "(%" PRId64 "%s)" : "%" PRId64 "%s", ast->integer,
                        suffix);
}

/* A literal that has the same value. */
static const char *real_text(const struct ast_writer *w, const struct ast *ast)
{
    bool is_float = ast->type->class == AST_TYPE_F32;
    if (!is_float && ast->type->class != AST_TYPE_F64)
        return NULL;
    const char *text = arena_printf(w->arena, is_float ? "%.9g" : "%.17g", ast->real);
    if (!strpbrk(text, "0123456789"))
        return NULL;
    return arena_printf(w->arena, "%s%s%s", text, strpbrk(text, ".e") ? "" : ".0",
                        is_float ? "f" : "");
}

static const char *expression_text(const struct ast_writer *w, const struct ast *ast)
{
    switch (ast->kind) {
    case AST_REF: return ast->decl->name;
    case AST_INTEGER: return integer_text(w, ast);
    case AST_CHARACTER: return arena_printf(w->arena, "%" PRId64, ast->integer);
    case AST_SIZEOF: return arena_printf(w->arena, "%" PRIu64 "UL", (uint64_t)ast->integer);
    case AST_REAL: return real_text(w, ast);
    case AST_INDEX: return index_text(w, ast);
    case AST_UNARY: return unary_text(w, ast);
    case AST_BINARY: return binary_text(w, ast);
    case AST_ASSIGN: return assign_text(w, ast);
    case AST_CONDITIONAL: return conditional_text(w, ast);
    case AST_CALL: return call_text(w, ast);
    case AST_CAST: return cast_text(w, ast);
    case AST_MEMBER: return member_text(w, ast);
    default: return NULL;
    }
}

/* --- declarations ----------------------------------------------------------------------------- */

const char *ast_declarator_text(const struct ast_writer *w, const struct ast_type *type,
                                const char *name)
{
    if (type->class == AST_TYPE_ARRAY) {
        const char *extent = type->extent ? ast_text(w, type->extent)
                             : type->count < 0 ? ""
                                               : arena_printf(w->arena, "%" PRId64, type->count);
        return extent ? ast_declarator_text(w, type->element,
                                            arena_printf(w->arena, "%s[%s]", name, extent))
                      : NULL;
    }
    if (type->class == AST_TYPE_POINTER && type->element->class == AST_TYPE_ARRAY)
        return ast_declarator_text(w, type->element, arena_printf(w->arena, "(*%s)", name));
    bool names_itself = type->class == AST_TYPE_FUNCTION || strchr(type->text, ')');
    return names_itself ? NULL : arena_printf(w->arena, "%s %s", type->text, name);
}

static const char *variable_text(const struct ast_writer *w, const struct ast *variable)
{
    if (variable->kind != AST_VARIABLE)
        return NULL;
    const char *text = ast_declarator_text(w, variable->type, variable->name);
    const struct ast *first = variable->n_children ? ast_strip(variable->children[0]) : NULL;
    const char *value = first ? operand_text(w, first, rank_of(first) > RANK_COMMA) : "";
    if (!text || !value)
        return NULL;
    return arena_printf(w->arena, "%s%s%s%s", variable->is_static ? "static " : "", text,
                        first ? " = " : "", value);
}

static const char *declare_text(const struct ast_writer *w, const struct ast *declare)
{
    struct str out = str_new(w->arena);
    for (int i = 0; i < declare->n_children; i++) {
        const char *text = variable_text(w, declare->children[i]);
        if (!text)
            return NULL;
        str_addf(&out, "%s%s", i ? "; " : "", text);
    }
    str_char(&out, ';');
    return out.text;
}

/* --- statements ------------------------------------------------------------------------------- */

/* The last statement in the text of a statement. */
static const struct ast *last_of(const struct ast *ast)
{
    for (const struct ast *next = ast; next;) {
        ast = next;
        bool holds = ast->kind == AST_IF || ast->kind == AST_FOR || ast->kind == AST_WHILE ||
                     ast->kind == AST_LABEL || ast->kind == AST_SWITCH || ast->kind == AST_CASE ||
                     ast->kind == AST_DEFAULT;
        next = holds && ast->n_children ? ast->children[ast->n_children - 1] : NULL;
    }
    return ast;
}

bool ast_needs_semicolon(const struct ast *statement)
{
    const struct ast *last = last_of(statement);
    bool is_closed = last->kind == AST_COMPOUND || last->kind == AST_DECLARE;
    if (last->kind == AST_EMPTY)
        return last != statement && last->is_made;
    return !is_closed;
}

size_t statement_end(const struct ast_unit *unit, const struct ast *statement)
{
    const char *text = unit->source->text;
    size_t end = statement->end, next = end + strspn(text + end, " \t\n");
    bool is_open = last_of(statement)->kind == AST_COMPOUND && end && text[end - 1] != '}';
    return (is_open || ast_needs_semicolon(statement)) && text[next] == ';' ? next + 1 : end;
}

/* The blanks at the beginning of the line in which a statement stands. */
static const char *margin_of(const struct ast_writer *w, const struct ast *ast)
{
    const char *text = w->source->text;
    size_t line = ast->begin;
    while (line > 0 && text[line - 1] != '\n')
        line--;
    return arena_printf(w->arena, "%.*s", (int)strspn(text + line, " \t"), text + line);
}

/* Where lines within the margin's block begin. */
static const char *inner_margin(const struct ast_writer *w, const char *margin)
{
    return arena_printf(w->arena, "%s%s", margin, *margin == '\t' ? "\t" : "    ");
}

static const char *ended_text(const struct ast_writer *w, const struct ast *ast)
{
    const char *text = ast_text(w, ast);
    bool is_ended = text && *text && text[strlen(text) - 1] == ';';
    return text && !is_ended && ast_needs_semicolon(ast) ? arena_printf(w->arena, "%s;", text)
                                                         : text;
}

/* Text whose further lines begin with another margin. */
static const char *moved_text(const struct ast_writer *w, const char *text, const char *from,
                              const char *to)
{
    struct str out = str_new(w->arena);
    size_t length = strlen(from);
    for (const char *at = text; *at; at++) {
        str_char(&out, *at);
        if (*at != '\n' || strncmp(at + 1, from, length) != 0)
            continue;
        str_add(&out, to);
        at += length;
    }
    return out.text;
}

/* Statements from several places, a line for each. */
static const char *block_text(const struct ast_writer *w, const struct ast *block,
                              const char *margin)
{
    struct str out = str_new(w->arena);
    const char *inner = inner_margin(w, margin);
    str_add(&out, "{\n");
    for (int i = 0; i < block->n_children; i++) {
        const struct ast *child = block->children[i];
        const char *text = child->kind == AST_EMPTY ? "" : ended_text(w, child);
        if (!text)
            return NULL;
        if (*text)
            str_addf(&out, "%s%s\n", inner, moved_text(w, text, margin_of(w, child), inner));
    }
    str_addf(&out, "%s}", margin);
    return out.text;
}

/* The rest of a block, whose lines stand further right now. */
static const char *rest_text(const struct ast_writer *w, const struct ast *rest,
                             const char *margin)
{
    const char *text = ast_text(w, rest), *inner = inner_margin(w, margin);
    struct str out = str_new(w->arena);
    if (!text)
        return NULL;
    size_t blanks = strspn(text, " \t");
    if (!strchr(text, '\n'))
        return arena_printf(w->arena, "{ %s }", text + blanks);
    str_char(&out, '{');
    if (text[blanks] == '\n' || text[blanks] == '/')
        str_add_n(&out, text, blanks);
    else
        str_addf(&out, "\n%s", inner);
    str_add(&out, moved_text(w, text + blanks, margin, inner));
    str_addf(&out, "\n%s}", margin);
    return out.text;
}

static const char *branch_text(const struct ast_writer *w, const struct ast *branch,
                               const char *margin)
{
    if (!branch)
        return "{ }";
    if (branch->kind != AST_COMPOUND) {
        const char *text = ended_text(w, branch);
        return text ? arena_printf(w->arena, "{ %s }", text) : NULL;
    }
    if (branch->is_made)
        return block_text(w, branch, margin);
    return branch->is_rest ? rest_text(w, branch, margin) : ast_text(w, branch);
}

/* `else` goes on with `if` where both are made. */
static const char *if_text(const struct ast_writer *w, const struct ast *ast);

static const char *other_text(const struct ast_writer *w, const struct ast *branch,
                              const char *margin)
{
    bool chains = branch && branch->kind == AST_IF && branch->is_made;
    return chains ? if_text(w, branch) : branch_text(w, branch, margin);
}

static const char *if_text(const struct ast_writer *w, const struct ast *ast)
{
    const char *margin = margin_of(w, ast), *condition = ast_text(w, ast->children[0]);
    const char *yes = branch_text(w, ast->children[1], margin);
    const char *no = ast->n_children < 3 ? "" : other_text(w, ast->children[2], margin);
    if (!condition || !yes || !no)
        return NULL;
    return arena_printf(w->arena, "if (%s) %s%s%s", condition, yes, *no ? " else " : "", no);
}

/* The first part of a `for`: "int i = 0", "i = 0, j = 1" or nothing. */
static const char *start_text(const struct ast_writer *w, const struct ast *part)
{
    struct str out = str_new(w->arena);
    if (!part || part->kind != AST_DECLARE)
        return part ? ast_text(w, part) : "";
    for (int i = 0; i < part->n_children; i++) {
        const struct ast *variable = part->children[i];
        const char *value = variable->n_children ? ast_text(w, variable->children[0]) : "";
        const char *text = ast_declarator_text(w, variable->type, variable->name);
        bool further = i > 0 && variable->type->class < AST_TYPE_POINTER;
        if (!text || !value || (i > 0 && !further))
            return NULL;
        str_addf(&out, "%s%s%s%s", i ? ", " : "", i ? variable->name : text, *value ? " = " : "",
                 value);
    }
    return out.text;
}

static const char *for_text(const struct ast_writer *w, const struct ast *loop)
{
    const struct ast *const *parts = loop->children;
    const char *start = start_text(w, parts[0]);
    const char *condition = parts[1] ? ast_text(w, parts[1]) : "";
    const char *step = parts[2] ? ast_text(w, parts[2]) : "";
    const char *body = parts[3] ? ended_text(w, parts[3]) : ";";
    if (!start || !condition || !step || !body || loop->is_meta)
        return NULL;
    const char *word = loop->name ? arena_printf(w->arena, "\n#pragma %s\n", loop->name) : "";
    return arena_printf(w->arena, "%sfor (%s; %s; %s) %s", word, start, condition, step,
                        *body ? body : ";");
}

static const char *while_text(const struct ast_writer *w, const struct ast *ast)
{
    bool first = ast->kind == AST_WHILE;
    const char *condition = ast_text(w, ast->children[first ? 0 : 1]);
    const char *body = ended_text(w, ast->children[first ? 1 : 0]);
    if (!condition || !body)
        return NULL;
    return first ? arena_printf(w->arena, "while (%s) %s", condition, *body ? body : ";")
                 : arena_printf(w->arena, "do %s while (%s)", *body ? body : ";", condition);
}

static const char *return_text(const struct ast_writer *w, const struct ast *ast)
{
    const char *value = ast->n_children ? ast_text(w, ast->children[0]) : "";
    return value ? arena_printf(w->arena, "return%s%s", *value ? " " : "", value) : NULL;
}

static const char *parts_text(const struct ast_writer *w, const struct ast *ast)
{
    switch (ast->kind) {
    case AST_IF: return if_text(w, ast);
    case AST_COMPOUND: return block_text(w, ast, margin_of(w, ast));
    case AST_FOR: return for_text(w, ast);
    case AST_WHILE: case AST_DO: return while_text(w, ast);
    case AST_EMPTY: return "";
    case AST_DECLARE: return declare_text(w, ast);
    case AST_RETURN: return return_text(w, ast);
    case AST_BREAK: return "break";
    case AST_CONTINUE: return "continue";
    default: return expression_text(w, ast);
    }
}

/* --- bytes ------------------------------------------------------------------------------------ */

/* Drops the line of a statement that is no more, of which the text so far has the blanks; where the
   text goes on. */
static size_t line_drop(struct str *out, const char *text, size_t at)
{
    at += text[at] == ';';
    at += text[at] == ' ' && out->length && out->text[out->length - 1] == ' ';
    while (text[at] == '\n' && out->length && out->text[out->length - 1] == ' ')
        out->text[--out->length] = 0;
    return at + (text[at] == '\n' && out->length && out->text[out->length - 1] == '\n');
}

/* Ends a text whose last statement is no more, without the line that it stood in. */
static size_t line_end(struct str *out, size_t end)
{
    while (out->length && strchr(" \t\n", out->text[out->length - 1]))
        out->text[--out->length] = 0;
    return end;
}

typedef VEC(const struct ast *) node_list;

/* The children in which something changes, by place. */
static node_list changed_children(const struct ast_writer *w, const struct ast *ast)
{
    node_list list = {0};
    for (int i = 0; i < ast->n_children; i++) {
        const struct ast *child = ast->children[i];
        if (!child || !has_change(w, child))
            continue;
        vec_push(w->arena, &list, child);
        for (size_t k = list.count - 1; k > 0 && list.at[k - 1]->begin > child->begin; k--) {
            list.at[k] = list.at[k - 1];
            list.at[k - 1] = child;
        }
    }
    return list;
}

/* May the text of a made operand need parentheses that its place does not have? */
static bool loosens(const struct ast *ast, const struct ast *child)
{
    bool operand = ast->kind == AST_BINARY || ast->kind == AST_UNARY || ast->kind == AST_CAST ||
                   ast->kind == AST_CONDITIONAL || ast->kind == AST_MEMBER ||
                   (ast->kind == AST_INDEX && child == ast->children[0]);
    while (operand && !child->is_made && child->kind == AST_CAST && child->is_implicit)
        child = child->children[0];
    bool is_new = child->is_made || (child->is_macro && child->is_macro_end);
    return operand && is_new && ast_is_expression(child) &&
           rank_of(ast_strip(child)) < RANK_PRIMARY;
}

/* The bytes from one place to the next with new texts of children between; false where a child has
   no place of its own. */
static bool splice(const struct ast_writer *w, const struct ast *ast, struct str *out, size_t *at,
                   bool *has_text)
{
    const char *source = w->source->text;
    node_list children = changed_children(w, ast);
    for (size_t i = 0; i < children.count; i++) {
        const struct ast *child = children.at[i];
        if (child->kind == AST_COMPOUND && child->is_made &&
            (!has_bytes(child) || (!child->is_rest && source[child->end - 1] != '}')))
            return false;
        if (!has_bytes(child) || child->begin < *at || child->end > ast->end || loosens(ast, child))
            return false;
        const char *text = ast_text(w, child);
        *has_text = *has_text && text;
        if (!text)
            return true;
        str_add_n(out, source + *at, child->begin - *at);
        str_add(out, text);
        *at = child->kind == AST_EMPTY ? line_drop(out, source, child->end) : child->end;
        *at += child->kind == AST_DECLARE && source[*at] == ';';
        if (*at > ast->end)
            *at = line_end(out, ast->end);
    }
    return true;
}

const char *ast_text(const struct ast_writer *w, const struct ast *ast)
{
    const char *name = name_in_place(w, ast);
    bool from_parts = ast->is_made || !has_bytes(ast);
    if (name)
        return name;
    if (!from_parts && !has_change(w, ast))
        return arena_strndup(w->arena, w->source->text + ast->begin, ast->end - ast->begin);
    struct str out = str_new(w->arena);
    size_t at = ast->begin;
    bool has_text = true;
    if (from_parts || !splice(w, ast, &out, &at, &has_text))
        return parts_text(w, ast);
    str_add_n(&out, w->source->text + at, ast->end - at);
    return has_text ? out.text : NULL;
}

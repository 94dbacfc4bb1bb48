/* Reads C expressions over declared names, and holds what all files of the reader share: errors,
   expected tokens, types.

   Precedence climbing over the strengths of ir/expr_print.c. Conversions are inserted by the
   constructors, as C would; what they take for granted (integer operands of %, shifts and bit
   operators, number of subscripts and arguments) is checked here first, so that no text can
   break them.

   Invariant: after the first error the current token is TOKEN_END and stays it, so that every loop
   ends and every function returns something harmless. Nesting and size of expressions
   are bounded. */
#include "ir/function.h"
#include "ir/read.h"
#include "ir/walk.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 200, NODES_MAX = 4000 };

struct kernel_reader reader_new(struct ctx *ctx, const struct source *source)
{
    return (struct kernel_reader){.ctx = ctx, .arena = ctx->arena, .lexer = lexer_new(source),
                           .vars = map_new(ctx->arena), .arrays = map_new(ctx->arena)};
}

static void fail(struct kernel_reader *r, struct loc loc, const char *format, va_list arguments)
{
    if (r->failed)
        return;
    diag_error(r->ctx, loc, "%s", arena_vprintf(r->arena, format, arguments));
    r->failed = true;
    r->lexer.at = r->lexer.source->length;
    lexer_next(&r->lexer);
}

void reader_fail_at(struct kernel_reader *r, struct loc loc, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail(r, loc, format, arguments);
    va_end(arguments);
}

void reader_fail(struct kernel_reader *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail(r, r->lexer.token.loc, format, arguments);
    va_end(arguments);
}

bool reader_at(const struct kernel_reader *r, const char *text)
{
    return token_is(&r->lexer.token, text);
}

bool reader_accept(struct kernel_reader *r, const char *text)
{
    if (!reader_at(r, text))
        return false;
    lexer_next(&r->lexer);
    return true;
}

/* The current token for messages. */
static const char *found(const struct kernel_reader *r)
{
    const struct kernel_token *t = &r->lexer.token;
    if (t->kind == TOKEN_END)
        return "the end of the text";
    if (t->kind == TOKEN_PUNCTUATION && (t->text[0] < 33 || t->text[0] > 126))
        return arena_printf(r->arena, "byte 0x%02x", (unsigned)(unsigned char)t->text[0]);
    return arena_printf(r->arena, "'%.*s'", (int)(t->length < 60 ? t->length : 60), t->text);
}

void reader_expect(struct kernel_reader *r, const char *text)
{
    if (!reader_accept(r, text))
        reader_fail(r, "expected '%s', found %s", text, found(r));
}

static bool is_type_word(const struct kernel_token *t)
{
    static const char *const words[] = {"_Bool", "signed", "unsigned", "char",  "short",
                                        "int",   "long",   "_Float16", "float", "double"};
    if (t->kind == TOKEN_NAME)
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (token_is(t, words[i]))
                return true;
    return false;
}

bool reader_at_type(const struct kernel_reader *r)
{
    return is_type_word(&r->lexer.token);
}

const char *reader_name(struct kernel_reader *r, struct loc *loc)
{
    const struct kernel_token t = r->lexer.token;
    *loc = t.loc;
    if (t.kind != TOKEN_NAME || is_type_word(&t)) {
        reader_fail(r, "expected a name, found %s", found(r));
        return "";
    }
    lexer_next(&r->lexer);
    return arena_strndup(r->arena, t.text, t.length);
}

enum type reader_type(struct kernel_reader *r)
{
    struct str words = str_new(r->arena);
    if (!reader_at_type(r))
        reader_fail(r, "expected a type, found %s", found(r));
    while (reader_at_type(r) && words.length < 64) {
        str_add(&words, words.length ? " " : "");
        str_add_n(&words, r->lexer.token.text, r->lexer.token.length);
        lexer_next(&r->lexer);
    }
    for (int type = 0; type < TYPE_COUNT; type++)
        if (strcmp(type_name((enum type)type), words.text) == 0)
            return (enum type)type;
    reader_fail(r, "'%s' is no type of kernels", words.text);
    return TYPE_I32;
}

bool reader_enter(struct kernel_reader *r)
{
    if (r->depth >= DEPTH_MAX)
        reader_fail(r, "nested deeper than %d levels", DEPTH_MAX);
    r->depth++;
    return !r->failed;
}

void reader_leave(struct kernel_reader *r)
{
    r->depth--;
}

static const struct expr *placed(const struct expr *e, struct loc loc)
{
    ((struct expr *)e)->loc = loc;
    return e;
}

/* Suffixes u, l in any order and case; the type C gives the literal. */
static const struct expr *read_integer_literal(struct kernel_reader *r)
{
    const struct kernel_token t = r->lexer.token;
    char *end, *text = arena_strndup(r->arena, t.text, t.length);
    errno = 0;
    unsigned long long value = strtoull(text, &end, 0);
    int n_unsigned = 0, n_long = 0;
    for (; *end; end++) {
        n_unsigned += *end == 'u' || *end == 'U';
        n_long += *end == 'l' || *end == 'L';
        if (!strchr("uUlL", *end))
            break;
    }
    if (*end || n_unsigned > 1 || n_long > 2)
        reader_fail(r, "'%s' is no number", text);
    else if (errno || (!n_unsigned && value > INT64_MAX))
        reader_fail(r, "%s does not fit in its type", text);
    enum type type = n_unsigned ? TYPE_U32 : TYPE_I32;
    if (n_long || value > (n_unsigned ? UINT32_MAX : (unsigned long long)INT32_MAX))
        type = n_unsigned ? TYPE_U64 : TYPE_I64;
    if (!r->failed)
        lexer_next(&r->lexer);
    return placed(expr_integer(r->arena, type, (int64_t)value), t.loc);
}

static const struct expr *read_real_literal(struct kernel_reader *r)
{
    const struct kernel_token t = r->lexer.token;
    char *end, *text = arena_strndup(r->arena, t.text, t.length);
    double value = strtod(text, &end);
    bool single = strcmp(end, "f") == 0 || strcmp(end, "F") == 0;
    if (single)
        value = strtof(text, &end);
    if (*end && !single)
        reader_fail(r, "'%s' is no number", text);
    else
        lexer_next(&r->lexer);
    return placed(expr_real(r->arena, single ? TYPE_F32 : TYPE_F64, value), t.loc);
}

static const struct expr *nothing(struct kernel_reader *r)
{
    return expr_integer(r->arena, TYPE_I32, 0);
}

static const struct expr *read_call(struct kernel_reader *r, const char *name, struct loc loc)
{
    const struct function_row *f = function_find(name);
    const struct expr *arguments[3];
    int n = 0;
    if (!f) {
        reader_fail_at(r, loc, "no function '%s' in kernels", name);
        return nothing(r);
    }
    reader_expect(r, "(");
    while (!r->failed) {
        arguments[n++] = reader_expr(r);
        if (n == f->n_arguments || !reader_accept(r, ","))
            break;
    }
    if (!r->failed && (n != f->n_arguments || reader_at(r, ",")))
        reader_fail_at(r, loc, "'%s' takes %d arguments", name, f->n_arguments);
    reader_expect(r, ")");
    return r->failed ? nothing(r) : expr_call(r->arena, f->type, name, arguments, n);
}

const struct expr *const *reader_indices(struct kernel_reader *r, const struct array *array)
{
    const struct expr **indices = ARENA_ARRAY(r->arena, const struct expr *, array->n_dims);
    for (int i = 0; i < array->n_dims; i++) {
        if (!reader_at(r, "["))
            reader_fail(r, "'%s' has %d dimensions", array->name, array->n_dims);
        reader_expect(r, "[");
        indices[i] = reader_integer(r);
        reader_expect(r, "]");
    }
    if (reader_at(r, "["))
        reader_fail(r, "'%s' has %d dimensions", array->name, array->n_dims);
    return indices;
}

static const struct expr *read_named(struct kernel_reader *r)
{
    struct loc loc;
    const char *name = reader_name(r, &loc);
    if (reader_at(r, "("))
        return placed(read_call(r, name, loc), loc);
    const struct array *array = map_get(r->arrays, name);
    if (array) {
        const struct expr *const *indices = reader_indices(r, array);
        return r->failed ? nothing(r) : expr_load(r->arena, array, indices, loc);
    }
    const struct var *var = map_get(r->vars, name);
    if (var)
        return placed(expr_var(r->arena, var), loc);
    if (strcmp(name, "INFINITY") == 0 || strcmp(name, "NAN") == 0)
        return placed(expr_real(r->arena, TYPE_F32, name[0] == 'I' ? INFINITY : NAN), loc);
    reader_fail_at(r, loc, "'%s' is not declared", name);
    return nothing(r);
}

static const struct expr *read_primary(struct kernel_reader *r)
{
    if (r->lexer.token.kind == TOKEN_INTEGER)
        return read_integer_literal(r);
    if (r->lexer.token.kind == TOKEN_REAL)
        return read_real_literal(r);
    if (r->lexer.token.kind == TOKEN_NAME)
        return read_named(r);
    reader_fail(r, "expected an expression, found %s", found(r));
    return nothing(r);
}

static const struct expr *read_unary(struct kernel_reader *r);

static const struct expr *read_parenthesis(struct kernel_reader *r)
{
    const struct expr *e;
    lexer_next(&r->lexer);
    if (reader_at_type(r)) {
        enum type type = reader_type(r);
        reader_expect(r, ")");
        e = read_unary(r);
        return r->failed ? nothing(r) : expr_cast(r->arena, type, e);
    }
    e = reader_expr(r);
    reader_expect(r, ")");
    return e;
}

static const struct expr *read_unary(struct kernel_reader *r)
{
    static const enum op ops[] = {OP_NEG, OP_NOT, OP_COMPLEMENT};
    const struct expr *e = NULL;
    if (!reader_enter(r))
        return nothing(r);
    if (reader_at(r, "("))
        e = read_parenthesis(r);
    for (size_t i = 0; !e && i < 3; i++) {
        if (!reader_accept(r, op_text(ops[i])))
            continue;
        e = read_unary(r);
        if (ops[i] == OP_COMPLEMENT && type_is_floating(e->type))
            reader_fail(r, "'~' needs an integer");
        e = r->failed ? nothing(r) : expr_unary(r->arena, ops[i], e);
    }
    if (!e)
        e = read_primary(r);
    reader_leave(r);
    return e;
}

/* The binary operator at the current token; false if there is none. */
static bool current_op(const struct kernel_reader *r, enum op *op)
{
    for (enum op o = OP_ADD; o <= OP_LOR; o++)
        if (reader_at(r, op_text(o))) {
            *op = o;
            return r->lexer.token.kind == TOKEN_PUNCTUATION;
        }
    return false;
}

static const struct expr *read_binary(struct kernel_reader *r, int least)
{
    enum op op;
    const struct expr *a = read_unary(r);
    while (!r->failed && current_op(r, &op) && op_precedence(op) >= least) {
        lexer_next(&r->lexer);
        const struct expr *b = read_binary(r, op_precedence(op) + 1);
        bool integers = (op >= OP_REM && op <= OP_XOR);
        if (integers && (type_is_floating(a->type) || type_is_floating(b->type)))
            reader_fail(r, "'%s' needs integers", op_text(op));
        if (++r->nodes > NODES_MAX)
            reader_fail(r, "an expression of more than %d operators", NODES_MAX);
        a = r->failed ? nothing(r) : expr_binary(r->arena, op, a, b);
    }
    return a;
}

const struct expr *reader_expr(struct kernel_reader *r)
{
    if (!reader_enter(r))
        return nothing(r);
    r->nodes = r->expr_depth++ ? r->nodes : 0;
    const struct expr *e = read_binary(r, 1);
    if (reader_accept(r, "?")) {
        const struct expr *a = reader_expr(r);
        reader_expect(r, ":");
        const struct expr *b = reader_expr(r);
        e = expr_select(r->arena, e, a, b);
    }
    r->expr_depth--;
    reader_leave(r);
    return e;
}

const struct expr *reader_integer(struct kernel_reader *r)
{
    const struct expr *e = reader_expr(r);
    if (!r->failed && type_is_floating(e->type))
        reader_fail(r, "expected an integer expression before this");
    return r->failed ? nothing(r) : e;
}

static void declare_names(struct map *vars, const struct stmt *s)
{
    if (s->var)
        map_put(vars, s->var->name, (void *)s->var);
    for (int i = 0; i < s->n_axes; i++)
        map_put(vars, s->axes[i].var->name, (void *)s->axes[i].var);
}

const struct expr *expr_read(struct ctx *ctx, const struct source *source,
                             const struct kernel *scope)
{
    struct kernel_reader r = reader_new(ctx, source);
    for (int i = 0; i < scope->n_params; i++)
        map_put(r.vars, scope->params[i]->var->name, (void *)scope->params[i]->var);
    for (int i = 0; i < scope->n_arrays; i++)
        map_put(r.arrays, scope->arrays[i]->name, (void *)scope->arrays[i]);
    for (int i = 0; i < scope->n_grid; i++)
        map_put(r.vars, scope->grid[i].var->name, (void *)scope->grid[i].var);
    for (int i = 0; i < scope->n_block; i++)
        map_put(r.vars, scope->block[i].var->name, (void *)scope->block[i].var);
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, ctx->arena, scope->body); s; s = stmt_next(&walk))
        declare_names(r.vars, s);
    const struct expr *e = reader_expr(&r);
    if (!r.failed && r.lexer.token.kind != TOKEN_END)
        reader_fail(&r, "expected the end, found %s", found(&r));
    return r.failed ? NULL : e;
}

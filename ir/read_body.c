/* Reads the statements of a kernel's body.

   In: the reader behind an opening brace; out: a sequence. A word that begins a statement (let,
   private, vector, reduce, band, …) is a keyword unless `=` or `[` follows it, so that a program's
   array may bear that name.

   Names are unique in a kernel: a declaration of a known name is an error, save that a plain band
   may name the axes of the kernel's block again, which are then the same variables. */
#include "ir/async.h"
#include "ir/batch.h"
#include "ir/read.h"
#include "ir/reduction.h"
#include <string.h>

void reader_declare(struct kernel_reader *r, const struct var *var)
{
    if (map_get(r->vars, var->name) || map_get(r->arrays, var->name))
        reader_fail_at(r, var->loc, "'%s' is declared twice", var->name);
    else
        map_put(r->vars, var->name, (void *)var);
}

static struct var *read_var(struct kernel_reader *r, enum var_kind kind)
{
    struct loc loc;
    enum type type = reader_type(r);
    const char *name = reader_name(r, &loc);
    struct var *var = var_new(r->arena, name, type, kind);
    var->loc = loc;
    return var;
}

struct axis reader_axis(struct kernel_reader *r)
{
    struct var *var = read_var(r, VAR_ITERATOR);
    reader_expect(r, "<");
    struct axis axis = {var, reader_integer(r)};
    if (type_is_floating(var->type))
        reader_fail_at(r, var->loc, "the axis '%s' needs an integer type", var->name);
    return axis;
}

/* A statement word: the token is `word` and what follows does not make it the target of
   an assignment. */
static bool at_word(const struct kernel_reader *r, const char *word)
{
    if (!reader_at(r, word))
        return false;
    struct lexer ahead = r->lexer;
    lexer_next(&ahead);
    return !token_is(&ahead.token, "=") && !token_is(&ahead.token, "[");
}

static bool accept_word(struct kernel_reader *r, const char *word)
{
    if (!at_word(r, word))
        return false;
    lexer_next(&r->lexer);
    return true;
}

static const struct stmt *read_let(struct kernel_reader *r)
{
    const struct expr *value = NULL;
    struct var *var = read_var(r, VAR_LOCAL);
    if (reader_accept(r, "="))
        value = reader_expr(r);
    reader_declare(r, var);
    reader_expect(r, ";");
    return stmt_let(r->arena, var, value);
}

static const struct stmt *read_private(struct kernel_reader *r)
{
    struct loc loc;
    const char *name = reader_name(r, &loc);
    const struct array *array = map_get(r->arrays, name);
    if (!array)
        reader_fail_at(r, loc, "'%s' is no array", name);
    reader_expect(r, ";");
    return array ? stmt_array(r->arena, array) : NULL;
}

static const struct stmt *read_assignment(struct kernel_reader *r)
{
    struct loc loc;
    const char *name = reader_name(r, &loc);
    const struct array *array = map_get(r->arrays, name);
    const struct var *var = map_get(r->vars, name);
    if (!array && !var)
        reader_fail_at(r, loc, "'%s' is not declared", name);
    const struct expr *const *indices = array ? reader_indices(r, array) : NULL;
    reader_expect(r, "=");
    const struct expr *value = reader_expr(r);
    reader_expect(r, ";");
    if (r->failed)
        return NULL;
    return array ? stmt_store(r->arena, array, indices, value, loc)
                 : stmt_set(r->arena, var, value);
}

/* vector WIDTH array[…] = array[…]; */
static const struct stmt *read_vector(struct kernel_reader *r)
{
    struct loc loc = r->lexer.token.loc;
    int64_t width;
    const struct expr *count = reader_integer(r);
    const struct stmt *s = read_assignment(r);
    if (!s || r->failed)
        return NULL;
    if (!expr_get_integer(count, &width) || width < 2 || width > VECTOR_BYTES ||
        s->kind != STMT_STORE)
        reader_fail_at(r, loc, "a vector copy has a width from 2 to %d and stores to an array",
                       VECTOR_BYTES);
    else
        ((struct stmt *)s)->width = (int)width;
    return s;
}

/* async array[…] = …; or async vector WIDTH array[…] = …; */
static const struct stmt *read_async(struct kernel_reader *r)
{
    struct loc loc = r->lexer.token.loc;
    const struct stmt *s = accept_word(r, "vector") ? read_vector(r) : read_assignment(r);
    if (!s || r->failed)
        return NULL;
    if (s->kind == STMT_STORE)
        return stmt_async(r->arena, s);
    reader_fail_at(r, loc, "an asynchronous copy stores to an array");
    return NULL;
}

/* barrier; or barrier pending GROUPS; */
static const struct stmt *read_barrier(struct kernel_reader *r)
{
    struct loc loc = r->lexer.token.loc;
    int64_t groups = 0;
    bool waits = accept_word(r, "pending");
    const struct expr *count = waits ? reader_integer(r) : NULL;
    reader_expect(r, ";");
    if (!waits || r->failed)
        return stmt_barrier(r->arena);
    if (!expr_get_integer(count, &groups) || groups < 0 || groups > PENDING_MOST)
        reader_fail_at(r, loc, "a barrier leaves from 0 to %d groups pending", PENDING_MOST);
    return stmt_pending(r->arena, (int)groups);
}

/* reduce OPERATOR array[…] = value; with `start` or `finish` in place of the operator, too */
static const struct stmt *read_reduce(struct kernel_reader *r)
{
    struct loc loc = r->lexer.token.loc;
    enum sum_end end = at_word(r, "start") ? SUM_END_START : SUM_END_NONE;
    end = at_word(r, "finish") ? SUM_END_FINISH : end;
    enum reduce_op reduction = reduction_find(r->lexer.token.text, r->lexer.token.length);
    lexer_next(&r->lexer);
    const struct stmt *s = read_assignment(r);
    if (!s || r->failed)
        return NULL;
    if ((!reduction && !end) || s->kind != STMT_STORE) {
        reader_fail_at(r, loc, "an accumulating store has an operator, + * & | ^ min max, or is "
                               "the start or finish of sums, and stores to an array");
        return s;
    }
    ((struct stmt *)s)->reduction = reduction;
    ((struct stmt *)s)->end = end;
    return s;
}

static const struct stmt *read_block(struct kernel_reader *r, const struct kernel *kernel)
{
    reader_expect(r, "{");
    return reader_body(r, kernel);
}

static const struct stmt *read_if(struct kernel_reader *r, const struct kernel *kernel)
{
    reader_expect(r, "(");
    const struct expr *condition = reader_expr(r);
    reader_expect(r, ")");
    const struct stmt *then = read_block(r, kernel);
    bool otherwise = reader_accept(r, "else"), rare = otherwise && reader_accept(r, "rare");
    struct stmt *s = (struct stmt *)stmt_if(r->arena, condition, then,
                                            otherwise ? read_block(r, kernel) : NULL);
    s->rare = rare;
    return s;
}

static const struct stmt *read_for(struct kernel_reader *r, const struct kernel *kernel,
                                   bool unroll)
{
    reader_expect(r, "(");
    struct var *var = read_var(r, VAR_ITERATOR);
    reader_expect(r, "=");
    const struct expr *from = reader_integer(r);
    reader_declare(r, var);
    reader_expect(r, ";");
    reader_expect(r, var->name);
    reader_expect(r, "<");
    const struct expr *to = reader_integer(r);
    reader_expect(r, ";");
    reader_expect(r, var->name);
    reader_expect(r, "+=");
    const struct expr *step = reader_integer(r);
    reader_expect(r, ")");
    if (type_is_floating(var->type))
        reader_fail_at(r, var->loc, "the loop variable '%s' needs an integer type", var->name);
    const struct stmt *body = read_block(r, kernel);
    if (r->failed)
        return NULL;
    const struct stmt *s = stmt_for(r->arena, var, from, to, step, body);
    ((struct stmt *)s)->unroll = unroll;
    return s;
}

static const struct stmt *read_while(struct kernel_reader *r, const struct kernel *kernel)
{
    reader_expect(r, "(");
    const struct expr *condition = reader_expr(r);
    reader_expect(r, ")");
    const struct stmt *body = read_block(r, kernel);
    return r->failed ? NULL : stmt_while(r->arena, condition, body);
}

/* The axis' variable is the block's one if a plain band names it in its place. */
static void declare_axis(struct kernel_reader *r, const struct kernel *kernel, struct axis *axis,
                         int i, bool strided)
{
    const struct var *own = !strided && i < kernel->n_block ? kernel->block[i].var : NULL;
    if (own && strcmp(own->name, axis->var->name) == 0 && own->type == axis->var->type)
        axis->var = own;
    else
        reader_declare(r, axis->var);
}

/* "batch 4": 0 where it is left out. */
static int read_batch(struct kernel_reader *r)
{
    struct loc loc = r->lexer.token.loc;
    int64_t points;
    if (!accept_word(r, "batch"))
        return 0;
    const struct expr *count = reader_integer(r);
    if (r->failed)
        return 0;
    if (!expr_get_integer(count, &points) || points < 1 || points > BATCH_MOST)
        reader_fail_at(r, loc, "a batch has from 1 to %d points", BATCH_MOST);
    return (int)points;
}

static const struct stmt *read_band(struct kernel_reader *r, const struct kernel *kernel,
                                    bool strided)
{
    struct axis axes[AXES_MAX];
    int n = 0, batch = read_batch(r);
    reader_expect(r, "(");
    do {
        if (n == AXES_MAX)
            reader_fail(r, "more than %d axes", AXES_MAX);
        if (r->failed)
            return NULL;
        axes[n] = reader_axis(r);
        n++;
    } while (reader_accept(r, ","));
    reader_expect(r, ")");
    for (int i = 0; i < n; i++)
        declare_axis(r, kernel, &axes[i], i, strided);
    const struct stmt *body = read_block(r, kernel);
    if (r->failed)
        return NULL;
    const struct stmt *band = stmt_band(r->arena, axes, n, strided, body);
    ((struct stmt *)band)->batch = batch;
    return band;
}

static const struct stmt *read_stmt(struct kernel_reader *r, const struct kernel *kernel)
{
    if (accept_word(r, "let"))
        return read_let(r);
    if (accept_word(r, "private"))
        return read_private(r);
    if (accept_word(r, "vector"))
        return read_vector(r);
    if (accept_word(r, "async"))
        return read_async(r);
    if (accept_word(r, "reduce"))
        return read_reduce(r);
    if (accept_word(r, "if"))
        return read_if(r, kernel);
    if (accept_word(r, "for"))
        return read_for(r, kernel, false);
    if (accept_word(r, "while"))
        return read_while(r, kernel);
    if (accept_word(r, "unroll")) {
        reader_expect(r, "for");
        return read_for(r, kernel, true);
    }
    if (accept_word(r, "band"))
        return read_band(r, kernel, false);
    if (accept_word(r, "strided")) {
        reader_expect(r, "band");
        return read_band(r, kernel, true);
    }
    if (accept_word(r, "barrier"))
        return read_barrier(r);
    if (accept_word(r, "last"))
        return stmt_last(r->arena, read_block(r, kernel));
    return read_assignment(r);
}

const struct stmt *reader_body(struct kernel_reader *r, const struct kernel *kernel)
{
    VEC(const struct stmt *) children = {0};
    if (reader_enter(r))
        while (!r->failed && !reader_at(r, "}")) {
            struct loc loc = r->lexer.token.loc;
            const struct stmt *s = read_stmt(r, kernel);
            if (!s || r->failed)
                break;
            ((struct stmt *)s)->loc = loc;
            vec_push(r->arena, &children, s);
        }
    reader_leave(r);
    reader_expect(r, "}");
    return stmt_sequence(r->arena, children.at, (int)children.count);
}

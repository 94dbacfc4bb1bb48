/* Loads of copies one round ahead.

   In: a kernel whose loops at block level fill tiles by copies in batches and then compute,
       for (k …) { copies of round k; barrier; computation; barrier }
   Out: the first batch of each copy is loaded a round before it is stored,
       for (k …) {
           copies of round k, whose first batch stands in `held` but in the first round
           barrier;
           if (there is a next round) first batches of the next round to `held`
           computation; barrier
       }
   so that these loads are under way while the threads compute. A copy's later batches stay as
   they are, and so does the first one of the first round: loads once more before the loop would be
   a third text of them. The bands are only marked here; ir/batch_expand.c makes loops of them.

   Why it is right: what is loaded ahead is global memory that the loop does not write, and the
   statements that say where, copied for the next round, read nothing that the loop changes but its
   own variable. A thread stores what it has loaded itself, at the points and under the conditions
   of the same round. How much is held is limited, since it takes registers through the whole
   computation. Source: software pipelining of loads through registers, as in Volkov and Demmel,
   "Benchmarking GPUs to tune dense linear algebra". */
#include "ir/batch_loops.h"
#include "ir/walk.h"

/* The most words of 4 bytes that all copies of a loop may hold, and the most copies. */
enum { WORDS_MOST = 32, COPIES_MOST = 8 };

struct ahead_loop {
    struct batch_expansion *x;
    const struct stmt *loop;
    int n_bands, words;
    const struct stmt *bands[COPIES_MOST];   /* whose first batches are loaded ahead */
    struct batch_ahead *marks[COPIES_MOST];
};

/* Does e have one value in all rounds, as far as anything but the loop's variable decides? */
static bool has_one_value(const struct ahead_loop *a, const struct expr *e)
{
    if (e->kind == EXPR_LOAD || e->kind == EXPR_CALL ||
        (e->kind == EXPR_VAR && stmt_sets_var(a->loop->children[0], e->var)))
        return false;
    for (int i = 0; i < e->n_arguments; i++)
        if (!has_one_value(a, e->arguments[i]))
            return false;
    return true;
}

static bool all_steady(const struct ahead_loop *a, const struct stmt *root)
{
    struct stmt_walk stmts;
    struct expr_walk exprs;
    struct arena *arena = a->x->arena;
    for (const struct stmt *s = stmt_first(&stmts, arena, root); s; s = stmt_next(&stmts)) {
        if (s->kind == STMT_SET)
            return false;
        for (const struct expr *e = stmt_first_expr(&exprs, arena, s); e; e = expr_next(&exprs))
            if (e->kind == EXPR_CALL ||
                (e->kind == EXPR_VAR && stmt_sets_var(a->loop->children[0], e->var)))
                return false;
    }
    return true;
}

/* Takes the band in, if the first batch of its copy may be loaded ahead. */
static bool band_take(struct ahead_loop *a, const struct stmt *band)
{
    struct batch_copy copy;
    struct batch_form from, to;
    if (band->kind != STMT_BAND || !band->batch || band->n_axes > 2 || a->n_bands == COPIES_MOST ||
        !all_steady(a, band) || !batch_match(a->x->arena, band, &copy, &from, &to) ||
        !copy.store->width || copy.store->async || copy.load->array->space != SPACE_GLOBAL ||
        stmt_stores_to(a->loop, copy.load->array))
        return false;
    enum type type = copy.store->array->element;
    int elements = band->batch * copy.store->width,
        words = elements * (type_bytes(type) > 4 ? 2 : 1);
    if (a->words + words > WORDS_MOST)
        return false;
    struct batch_ahead *mark = ARENA_NEW(a->x->arena, struct batch_ahead);
    *mark = (struct batch_ahead){.held = batch_private(a->x, "ahead", type, elements)};
    a->words += words;
    a->bands[a->n_bands] = band;
    a->marks[a->n_bands++] = mark;
    return true;
}

/* The bands of a copy that are taken in, under the copy's condition; NULL if there is none. */
static const struct stmt *copy_take(struct ahead_loop *a, const struct stmt *s)
{
    if (s->kind == STMT_IF && has_one_value(a, s->value)) {
        const struct stmt *then = s->children[0] ? copy_take(a, s->children[0]) : NULL;
        return then ? stmt_if(a->x->arena, s->value, then, NULL) : NULL;
    }
    if (s->kind == STMT_SEQUENCE && s->n_children == 1)
        return copy_take(a, s->children[0]);
    return band_take(a, s) ? s : NULL;
}

static bool is_batch_copy(const struct stmt *s)
{
    if (s->kind == STMT_BAND)
        return s->batch > 0;
    bool is = s->kind == STMT_IF || s->kind == STMT_SEQUENCE;
    for (int i = 0; i < s->n_children && is; i++)
        is = !s->children[i] || is_batch_copy(s->children[i]);
    return is;
}

/* The statements before the loop's first barrier that load ahead; NULL if other statements than
   definitions and copies stand there, or nothing can be loaded ahead. *barrier: its place. */
static const struct stmt *loads_of(struct ahead_loop *a, int *barrier)
{
    struct batch_list list = {0};
    const struct stmt *body = a->loop->children[0];
    if (body->kind != STMT_SEQUENCE || !has_one_value(a, a->loop->from) ||
        !has_one_value(a, a->loop->to) || !has_one_value(a, a->loop->step))
        return NULL;
    for (int i = 0; i < body->n_children; i++) {
        const struct stmt *s = body->children[i];
        *barrier = i;
        if (s->kind == STMT_BARRIER)
            return a->n_bands ? batch_sequence(a->x, &list) : NULL;
        bool is_definition = s->kind == STMT_LET && s->value && has_one_value(a, s->value) &&
                             !stmt_sets_var(body, s->var);
        if (!is_definition && !is_batch_copy(s))
            return NULL;
        const struct stmt *taken = is_definition ? s : copy_take(a, s);
        if (taken)
            batch_append(a->x, &list, taken);
    }
    return NULL;
}

/* The loads where the loop's variable is `value`, if there is such a round: marked bands. */
static const struct stmt *loads_at(struct ahead_loop *a, const struct stmt *loads,
                                   const struct expr *value)
{
    struct arena *arena = a->x->arena;
    struct stmt_walk walk;
    int n = 0;
    const struct stmt *copy = stmt_instance(arena, loads, a->loop->var, value);
    for (const struct stmt *s = stmt_first(&walk, arena, copy); s; s = stmt_next(&walk)) {
        if (s->kind != STMT_BAND)
            continue;
        struct batch_ahead *mark = ARENA_NEW(arena, struct batch_ahead);
        *mark = *a->marks[n++];
        mark->loads = true;
        map_put_pointer(a->x->ahead, s, mark);
    }
    return stmt_if(arena, expr_binary(arena, OP_LT, value, a->loop->to), copy, NULL);
}

static const struct stmt *band_mark(void *state, const struct stmt *s)
{
    struct ahead_loop *a = state;
    for (int i = 0; i < a->n_bands; i++)
        if (a->bands[i] == s) {
            struct stmt *own = ARENA_NEW(a->x->arena, struct stmt);
            *own = *s;
            map_put_pointer(a->x->ahead, own, a->marks[i]);
            return own;
        }
    return s;
}

static const struct stmt *loop_mark(void *state, const struct stmt *s)
{
    struct batch_expansion *x = state;
    struct ahead_loop a = {.x = x, .loop = s};
    struct batch_list parts = {0}, all = {0};
    int barrier;
    const struct stmt *loads = s->kind == STMT_FOR && !s->unroll ? loads_of(&a, &barrier) : NULL;
    if (!loads)
        return s;
    const struct stmt *body = s->children[0];
    const struct expr *at = expr_var(x->arena, s->var),
                      *next = expr_cast(x->arena, s->var->type,
                                        batch_binary(x, OP_ADD, at, s->step));
    for (int i = 0; i < body->n_children; i++) {
        const struct stmt *own = body->children[i];
        batch_append(x, &parts, i < barrier ? stmt_rewrite(x->arena, own, band_mark, &a) : own);
        if (i == barrier)
            batch_append(x, &parts, loads_at(&a, loads, next));
    }
    for (int i = 0; i < a.n_bands; i++) {
        a.marks[i]->first = batch_binary(x, OP_EQ, at, s->from);
        batch_append(x, &all, stmt_array(x->arena, a.marks[i]->held));
    }
    const struct stmt *whole = batch_sequence(x, &parts);
    batch_append(x, &all, stmt_rebuild(x->arena, s, &whole));
    return batch_sequence(x, &all);
}

const struct stmt *batch_ahead_mark(struct batch_expansion *x, const struct stmt *body)
{
    return stmt_rewrite(x->arena, body, loop_mark, x);
}

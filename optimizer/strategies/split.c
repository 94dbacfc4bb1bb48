/* Fission: a kernel as several, which are launched one after the other.

   In: a banded kernel. Out: kernels that together have its stores, each a stretch of its text with
   the bands, conditions and loops around it.

   A cut stands between two of the text's assignments. Points that run at once touch nothing in
   common (proved before a strategy changes their order), and statements of one point keep their
   order, as a launch ends before the next one begins. So a cut is legal where
   - no value of a thread crosses it: a local that both sides name is an integer over parameters,
     axes and loops, which each side computes for itself; no private array lies on both sides;
   - in a loop around it neither side touches what the other one stores, since the rounds of the
     first side then all come before those of the second;
   - the conditions and bounds around it read nothing that the kernel stores;
   - all accumulations in an array stand on one side, so that they remain one sum. Its starts and
     finishes, which stand before and behind everything, go with them: into a part that is launched
     behind statements which a start stood before, or before those which a finish stood behind. So
     neither may touch what the other stores.
   An array that both sides touch moves twice: the best cut is the one that leaves the fewest words
   in such arrays, as the degrees of their extents tell. Of equal cuts it is the one whose smaller
   side has most stores.
   Source: design, "How better leaves enter". */
#include "ir/walk.h"
#include "optimizer/strategies/rewrite.h"
#include "optimizer/strategies/strategies.h"

enum { DEGREES = 4, STORES_MOST = 64 };

/* A condition, loop or band around the atoms of numbers `begin` to `end` - 1. */
struct text_span {
    const struct stmt *around;
    int begin, end;
};

/* From the first to the last place of the atoms that name something which no cut may part. */
struct unparted {
    const struct var *var;
    const struct array *array;
    int first, last;
};

struct split_cut {
    int at;                             /* the first place behind it */
    int shared[DEGREES];                /* arrays on both sides by the degree of their extent */
    int balance;                        /* stores of the smaller side */
};

/* The text of a kernel: its atoms are what stands in sequences and is no span. */
struct split_text {
    struct ctx *ctx;
    struct arena *arena;
    const struct kernel *kernel;
    struct stmts atoms;
    int *places;                        /* by atom: its number; of a start or finish that of an
                                           accumulation in its sum. A cut parts the places */
    VEC(struct text_span) spans;
    struct stmts cheap;                 /* lets that every part may compute for itself */
    VEC(struct unparted) unparted;
    VEC(struct split_cut) cuts;
    int *degrees;                       /* by kernel->arrays; -1 = not asked yet */
    bool is_opaque;                     /* something in it is not to be parted */
};

/* --- the text --------------------------------------------------------------------------------- */

static bool is_span(const struct stmt *s)
{
    return s->kind == STMT_IF || s->kind == STMT_FOR || s->kind == STMT_BAND;
}

static void text_read(struct split_text *t, const struct stmt *s)
{
    int begin = (int)t->atoms.count;
    t->is_opaque |= s->kind == STMT_BARRIER;
    if (s->kind != STMT_SEQUENCE && !is_span(s)) {
        vec_push(t->arena, &t->atoms, s);
        return;
    }
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i])
            text_read(t, s->children[i]);
    if (is_span(s))
        vec_push(t->arena, &t->spans, ((struct text_span){s, begin, (int)t->atoms.count}));
}

static bool let_is_copied(const struct split_text *t, const struct stmt *let)
{
    for (size_t i = 0; i < t->cheap.count; i++)
        if (t->cheap.at[i] == let)
            return true;
    return false;
}

static bool atom_is_end(const struct stmt *atom)
{
    return atom->kind == STMT_STORE && atom->end;
}

/* The first accumulation in an array that the start or finish names; -1 if there is none. */
static int accumulation_of(const struct split_text *t, const struct stmt *end)
{
    for (int i = 0; i < (int)t->atoms.count; i++) {
        const struct stmt *s = t->atoms.at[i];
        if (s->kind == STMT_STORE && s->reduction && stmt_uses_array(end, s->array))
            return i;
    }
    return -1;
}

static void places_find(struct split_text *t)
{
    t->places = ARENA_ARRAY(t->arena, int, t->atoms.count + 1);
    for (int i = 0; i < (int)t->atoms.count; i++) {
        const struct stmt *s = t->atoms.at[i];
        t->places[i] = atom_is_end(s) ? accumulation_of(t, s) : i;
        t->is_opaque |= t->places[i] < 0;
    }
}

static void unparted_see(const struct split_text *t, struct unparted *u, int begin, int end)
{
    for (int i = begin; i < end; i++) {
        int place = t->places[i];
        if (u->first < 0 || place < u->first)
            u->first = place;
        if (place > u->last)
            u->last = place;
    }
}

static bool span_uses_var(const struct text_span *span, const struct var *var)
{
    for (int i = 0; i < stmt_n_exprs(span->around); i++)
        if (expr_uses_var(stmt_expr(span->around, i), var))
            return true;
    return false;
}

/* A local or an array that has to stay in one part. */
static void unparted_add(struct split_text *t, const struct var *var, const struct array *array)
{
    struct unparted u = {var, array, -1, -1};
    for (int i = 0; i < (int)t->atoms.count; i++) {
        const struct stmt *s = t->atoms.at[i];
        bool is_named = var ? stmt_uses_var(s, var) || stmt_gives_value(s, var)
                            : stmt_uses_array(s, array) ||
                                  (s->kind == STMT_ARRAY && s->array == array);
        if (is_named)
            unparted_see(t, &u, i, i + 1);
    }
    for (size_t i = 0; i < t->spans.count; i++)
        if (var && span_uses_var(&t->spans.at[i], var))
            unparted_see(t, &u, t->spans.at[i].begin, t->spans.at[i].end);
    vec_push(t->arena, &t->unparted, u);
}

/* Finds the locals and the arrays that no cut may part. */
static void text_tie(struct split_text *t)
{
    const struct kernel *kernel = t->kernel;
    for (size_t i = 0; i < t->atoms.count; i++) {
        const struct stmt *s = t->atoms.at[i];
        if (s->kind == STMT_LET && let_is_cheap(t->arena, t->kernel->body, s, &t->cheap))
            vec_push(t->arena, &t->cheap, s);
        else if (s->kind == STMT_LET)
            unparted_add(t, s->var, NULL);
    }
    t->degrees = ARENA_ARRAY(t->arena, int, kernel->n_arrays + 1);
    for (int i = 0; i < kernel->n_arrays; i++) {
        const struct array *array = kernel->arrays[i];
        t->degrees[i] = -1;
        t->is_opaque |= array->space == SPACE_SHARED;
        if (array->space == SPACE_PRIVATE || stmt_accumulates_in(kernel->body, array))
            unparted_add(t, NULL, array);
    }
}

/* --- cuts ------------------------------------------------------------------------------------- */

/* Is the atom a store behind which a cut may stand? */
static bool atom_stores(const struct stmt *s)
{
    return stmt_contains(s, STMT_STORE) && !atom_is_end(s);
}

static bool range_uses(const struct split_text *t, int begin, int end, const struct array *array)
{
    for (int i = begin; i < end; i++)
        if (stmt_uses_array(t->atoms.at[i], array))
            return true;
    return false;
}

static bool range_stores(const struct split_text *t, int begin, int end, const struct array *array)
{
    for (int i = begin; i < end; i++)
        if (stmt_stores_to(t->atoms.at[i], array))
            return true;
    return false;
}

static bool side_uses(const struct split_text *t, int at, bool behind, const struct array *array)
{
    for (int i = 0; i < (int)t->atoms.count; i++)
        if ((t->places[i] >= at) == behind && stmt_uses_array(t->atoms.at[i], array))
            return true;
    return false;
}

/* Has the span atoms on both sides of a cut? */
static bool span_is_cut(const struct split_text *t, const struct text_span *span, int at)
{
    bool before = false, behind = false;
    for (int i = span->begin; i < span->end; i++) {
        before |= t->places[i] < at;
        behind |= t->places[i] >= at;
    }
    return before && behind;
}

/* Does an atom touch an array that the other one stores to? */
static bool atoms_meet(const struct split_text *t, const struct stmt *a, const struct stmt *b)
{
    for (int i = 0; i < t->kernel->n_arrays; i++) {
        const struct array *array = t->kernel->arrays[i];
        if (stmt_uses_array(a, array) && stmt_uses_array(b, array) &&
            (stmt_stores_to(a, array) || stmt_stores_to(b, array)))
            return true;
    }
    return false;
}

/* Would a launch of the start or finish come behind atoms that follow it in the text, or before
   those ahead of it, and do they meet? */
static bool end_is_tied(const struct split_text *t, int end, int at)
{
    bool is_behind = t->places[end] >= at;
    for (int i = 0; i < (int)t->atoms.count; i++) {
        bool is_apart = (t->places[i] >= at) != is_behind, exchanged = (i > end) == is_behind;
        if (is_apart && exchanged && atoms_meet(t, t->atoms.at[end], t->atoms.at[i]))
            return true;
    }
    return false;
}

/* Do the bounds and conditions of the span read an array that the kernel stores to? */
static bool span_reads_stored(const struct split_text *t, const struct text_span *span)
{
    struct expr_walk walk;
    for (const struct expr *e = stmt_first_expr(&walk, t->arena, span->around); e;
         e = expr_next(&walk))
        if (e->kind == EXPR_LOAD && stmt_stores_to(t->kernel->body, e->array))
            return true;
    return false;
}

/* Does one side of a cut in the loop touch what the other side stores? */
static bool loop_is_tied(const struct split_text *t, const struct text_span *loop, int at)
{
    for (int i = 0; i < t->kernel->n_arrays; i++) {
        const struct array *array = t->kernel->arrays[i];
        bool before = range_uses(t, loop->begin, at, array),
             after = range_uses(t, at, loop->end, array);
        if (before && after && range_stores(t, loop->begin, loop->end, array))
            return true;
    }
    return false;
}

static bool cut_is_legal(const struct split_text *t, int at)
{
    for (size_t i = 0; i < t->unparted.count; i++)
        if (t->unparted.at[i].first < at && t->unparted.at[i].last >= at)
            return false;
    for (size_t i = 0; i < t->spans.count; i++) {
        const struct text_span *span = &t->spans.at[i];
        if (!span_is_cut(t, span, at))
            continue;
        if (span_reads_stored(t, span) ||
            (span->around->kind == STMT_FOR && loop_is_tied(t, span, at)))
            return false;
    }
    for (int i = 0; i < (int)t->atoms.count; i++)
        if (atom_is_end(t->atoms.at[i]) && end_is_tied(t, i, at))
            return false;
    return true;
}

/* The degree of the number of elements of an array. */
static int array_degree(const struct split_text *t, int index)
{
    const struct array *array = t->kernel->arrays[index];
    int degree = 0;
    for (int i = 0; i < array->n_dims; i++) {
        const struct expr *extent = array->dims[i] ? array->dims[i]
                                                   : access_extent(t->ctx, t->kernel, array);
        const struct poly *p = extent ? kernel_expr_poly(t->kernel, extent) : NULL;
        degree += p ? (int)poly_total_degree(p) : 1;
        if (!array->dims[i])
            break;
    }
    return degree < DEGREES ? degree : DEGREES - 1;
}

static void cut_weigh(struct split_text *t, struct split_cut *cut)
{
    int count = (int)t->atoms.count, stores[2] = {0, 0};
    for (int i = 0; i < t->kernel->n_arrays; i++) {
        const struct array *array = t->kernel->arrays[i];
        if (!side_uses(t, cut->at, false, array) || !side_uses(t, cut->at, true, array))
            continue;
        if (t->degrees[i] < 0)
            t->degrees[i] = array_degree(t, i);
        cut->shared[t->degrees[i]]++;
    }
    for (int i = 0; i < count; i++)
        stores[i >= cut->at] += atom_stores(t->atoms.at[i]);
    cut->balance = stores[0] < stores[1] ? stores[0] : stores[1];
}

static bool cut_is_better(const struct split_cut *a, const struct split_cut *b)
{
    for (int d = DEGREES; d-- > 0;)
        if (a->shared[d] != b->shared[d])
            return a->shared[d] < b->shared[d];
    return a->balance > b->balance;
}

/* The first legal cut behind the store of that number and before the next one; none behind the
   last store. */
static void cut_look(struct split_text *t, int store)
{
    int count = (int)t->atoms.count, next = store + 1;
    while (next < count && !atom_stores(t->atoms.at[next]))
        next++;
    if (next == count)
        return;
    for (int at = store + 1; at <= next; at++)
        if (cut_is_legal(t, at)) {
            struct split_cut cut = {.at = at};
            cut_weigh(t, &cut);
            vec_push(t->arena, &t->cuts, cut);
            return;
        }
}

static void cuts_find(struct split_text *t)
{
    int stores = 0;
    text_read(t, t->kernel->body);
    for (size_t i = 0; i < t->atoms.count; i++)
        stores += atom_stores(t->atoms.at[i]);
    if (stores < 2 || stores > STORES_MOST)
        return;
    places_find(t);
    text_tie(t);
    for (int i = 0; !t->is_opaque && i < (int)t->atoms.count; i++)
        if (atom_stores(t->atoms.at[i]))
            cut_look(t, i);
}

/* The best `most` cuts in the order of the text; returns how many there are. */
static int cuts_choose(const struct split_text *t, int most, int *at)
{
    int n = 0;
    for (size_t i = 0; i < t->cuts.count; i++) {
        int better = 0;
        for (size_t k = 0; k < t->cuts.count; k++) {
            bool is_ahead = cut_is_better(&t->cuts.at[k], &t->cuts.at[i]) ||
                            (k < i && !cut_is_better(&t->cuts.at[i], &t->cuts.at[k]));
            better += is_ahead;
        }
        if (better < most)
            at[n++] = t->cuts.at[i].at;
    }
    return n;
}

/* --- parts ------------------------------------------------------------------------------------ */

struct text_part {
    const struct split_text *text;
    int begin, end;                     /* the first place of the part, and the end */
    int next;                           /* the number of the atom that comes next */
    int count;                          /* the number of its atoms so far */
};

/* The part of a statement, NULL if it has none. */
static const struct stmt *part_stmt(struct text_part *part, const struct stmt *s)
{
    const struct split_text *t = part->text;
    int number = part->next, count = part->count;
    if (s->kind != STMT_SEQUENCE && !is_span(s)) {
        part->next++;
        bool is_inside = t->places[number] >= part->begin && t->places[number] < part->end;
        part->count += is_inside;
        return is_inside || let_is_copied(t, s) ? s : NULL;
    }
    const struct stmt **children = ARENA_ARRAY(t->arena, const struct stmt *, s->n_children + 1);
    bool is_same = true;
    for (int i = 0; i < s->n_children; i++) {
        children[i] = s->children[i] ? part_stmt(part, s->children[i]) : NULL;
        is_same &= children[i] == s->children[i];
    }
    if (is_span(s) && part->count == count)
        return NULL;
    return is_same ? s : stmt_rebuild(t->arena, s, children);
}

static const struct kernel *part_kernel(const struct split_text *t, int begin, int end)
{
    struct text_part part = {.text = t, .begin = begin, .end = end};
    struct kernel *kernel = kernel_copy(t->arena, t->kernel);
    const struct stmt *body = part_stmt(&part, t->kernel->body);
    kernel->body = body_drop_unused(t->arena, body);
    return kernel;
}

struct kernel_parts strategy_split(struct ctx *ctx, const struct kernel *kernel, int level)
{
    struct kernel_parts parts = {1, {kernel}};
    int at[SPLITS_MOST];
    if (level == 0)
        return parts;
    struct split_text t = {.ctx = ctx, .arena = ctx->arena, .kernel = kernel};
    cuts_find(&t);
    int n = cuts_choose(&t, level == 1 ? 1 : SPLITS_MOST - 1, at);
    if (n == 0)
        return parts;
    at[n] = (int)t.atoms.count;
    parts.count = n + 1;
    for (int i = 0; i <= n; i++)
        parts.at[i] = part_kernel(&t, i ? at[i - 1] : 0, at[i]);
    return parts;
}

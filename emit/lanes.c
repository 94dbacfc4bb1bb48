/* The points of a row as lanes.

   In: a plain band whose guard is an interval of the last axis, and whose threads run loops. Out:
   statements that do the work of a row: groups of points of the interval one after the other; of a
   group, long loops whose bounds are the same for all points stand outside, and each piece of work
   between them is a loop over the points of the group, its lanes, which compilers make vectors of.
   Scalars that a point computes in one piece and uses in another stand in private arrays, one
   element a lane; pieces load them first and store them last. Integers that are made of the axes
   alone are made again in each piece, so that neighbours are seen to touch neighbouring elements.
   Scalars that are equal for all points are computed once, outside.
   A row of which neighbours walk through memory apart from each other stays as it is: each line
   would be asked for again in every round.
   Invariant: each point executes its statements in their order; points of a plain band are
   independent of each other. Nothing of a group is executed that no point of it executes. */
#include "emit/vectors.h"
#include "ir/walk.h"

enum {
    LANES_MOST = 64,
    LANES_LEAST = 8,
    GROUP_BYTES = 131072        /* of what lanes keep: a part of a second-level cache */
};

/* --- places of what pieces use ---------------------------------------------------------------- */

static bool is_remade(const struct lanes *l, const struct var *var)
{
    for (size_t i = 0; i < l->remade.count; i++)
        if (l->remade.at[i]->var == var)
            return true;
    return false;
}

/* A use of a scalar, or of an array. */
static void note(struct lanes *l, const struct var *var, const struct array *own)
{
    const void *object = var ? (const void *)var : own;
    struct place *place = map_get_pointer(l->places, object);
    if (!map_get_pointer(l->varying, object) || var == l->column || (var && is_remade(l, var)))
        return;
    if (!place) {
        place = ARENA_NEW(l->arena, struct place);
        *place = (struct place){var, own, l->n_pieces, false, NULL};
        map_put_pointer(l->places, object, place);
    }
    if (place->piece != l->n_pieces && !place->spans) {
        place->spans = true;
        vec_push(l->arena, &l->spanning, place);
    }
}

static void note_exprs(struct lanes *l, const struct stmt *s)
{
    struct expr_walk walk;
    for (const struct expr *e = stmt_first_expr(&walk, l->arena, s); e; e = expr_next(&walk)) {
        if (e->kind == EXPR_VAR)
            note(l, e->var, NULL);
        if (e->kind == EXPR_LOAD && e->array->space == SPACE_PRIVATE)
            note(l, NULL, e->array);
    }
}

static void note_accesses(struct lanes *l, const struct stmt *s)
{
    struct expr_walk walk;
    for (const struct expr *e = stmt_first_expr(&walk, l->arena, s); e; e = expr_next(&walk))
        if (e->kind == EXPR_LOAD && e->array->space == SPACE_GLOBAL)
            l->fails |= lanes_elements_apart(l, e->array, e->arguments);
    if (s->kind == STMT_STORE && s->array->space == SPACE_GLOBAL)
        l->fails |= lanes_elements_apart(l, s->array, s->indices);
}

static void piece_note(struct lanes *l)
{
    for (size_t i = 0; i < l->piece.count; i++) {
        struct stmt_walk walk;
        for (const struct stmt *s = stmt_first(&walk, l->arena, l->piece.at[i]); s;
             s = stmt_next(&walk)) {
            if (s->kind == STMT_LET || s->kind == STMT_SET)
                note(l, s->var, NULL);
            if (s->kind == STMT_ARRAY ||
                (s->kind == STMT_STORE && s->array->space == SPACE_PRIVATE))
                note(l, NULL, s->array);
            note_exprs(l, s);
            if (l->n_outside > 0)
                note_accesses(l, s);
        }
        l->gains |= l->n_outside > 0 && !lanes_has_long_loop(l->piece.at[i]);
    }
}

/* --- pieces ----------------------------------------------------------------------------------- */

static const struct place *spanning_place(const struct lanes *l, const void *object)
{
    const struct place *place = map_get_pointer(l->places, object);
    return place && place->array ? place : NULL;
}

static const struct expr *lane_load(struct lanes *l, const struct array *array)
{
    const struct expr *lane = expr_var(l->arena, l->lane);
    return expr_load(l->arena, array, &lane, array->loc);
}

/* The subscripts of a private array and the lane. */
static const struct expr *const *with_lane(struct lanes *l, int n,
                                           const struct expr *const *indices)
{
    const struct expr **all = ARENA_ARRAY(l->arena, const struct expr *, (size_t)n + 1);
    for (int i = 0; i < n; i++)
        all[i] = indices[i];
    all[n] = expr_var(l->arena, l->lane);
    return all;
}

static const struct expr *load_of_lane(void *state, const struct expr *e)
{
    struct lanes *l = state;
    const struct place *place = e->kind == EXPR_LOAD ? spanning_place(l, e->array) : NULL;
    if (!place)
        return e;
    return expr_load(l->arena, place->array, with_lane(l, e->array->n_dims, e->arguments), e->loc);
}

static const struct stmt *store_of_lane(void *state, const struct stmt *s)
{
    struct lanes *l = state;
    const struct place *place = s->array ? spanning_place(l, s->array) : NULL;
    if (!place)
        return s;
    if (s->kind == STMT_ARRAY)
        return NULL;
    return stmt_store(l->arena, place->array, with_lane(l, s->array->n_dims, s->indices), s->value,
                      s->loc);
}

static bool stmts_use(const struct stmts *stmts, const struct var *var)
{
    for (size_t i = 0; i < stmts->count; i++)
        if (stmt_uses_var(stmts->at[i], var))
            return true;
    return false;
}

static bool stmts_set(const struct stmts *stmts, const struct var *var)
{
    for (size_t i = 0; i < stmts->count; i++)
        if (stmt_sets_var(stmts->at[i], var))
            return true;
    return false;
}

/* The declaration of the scalar among the statements of a piece, not inside them. */
static const struct stmt *stmts_let(const struct stmts *stmts, const struct var *var)
{
    for (size_t i = 0; i < stmts->count; i++)
        if (stmts->at[i]->kind == STMT_LET && stmts->at[i]->var == var)
            return stmts->at[i];
    return NULL;
}

static void add(struct lanes *l, struct stmts *to, const struct stmt *s)
{
    vec_push(l->arena, to, s);
}

/* The axis and the scalars made again that the piece needs, in their order. */
static void add_remade(struct lanes *l, struct stmts *body)
{
    struct stmts needed = {0};
    for (size_t i = l->remade.count; i > 0; i--) {
        const struct stmt *let = l->remade.at[i - 1];
        if (stmts_use(&l->piece, let->var) || stmts_use(&needed, let->var))
            add(l, &needed, let);
    }
    const struct expr *column = expr_binary(l->arena, OP_ADD, expr_var(l->arena, l->first),
                                            expr_var(l->arena, l->lane));
    if (stmts_use(&l->piece, l->column) || stmts_use(&needed, l->column))
        add(l, body, stmt_let(l->arena, l->column, column));
    for (size_t i = needed.count; i > 0; i--)
        add(l, body, needed.at[i - 1]);
}

static const struct stmt *piece_statements(struct lanes *l)
{
    struct stmts body = {0}, stores = {0};
    const struct expr *lane = expr_var(l->arena, l->lane);
    add_remade(l, &body);
    for (size_t i = 0; i < l->spanning.count; i++) {
        const struct place *place = l->spanning.at[i];
        const struct var *var = place->var;
        if (!var)
            continue;
        const struct stmt *let = stmts_let(&l->piece, var);
        bool is_set = stmts_set(&l->piece, var) || (let && let->value);
        if (!let && (stmts_use(&l->piece, var) || is_set))
            add(l, &body, stmt_let(l->arena, var, lane_load(l, place->array)));
        if (is_set)
            add(l, &stores, stmt_store(l->arena, place->array, &lane, expr_var(l->arena, var),
                                       var->loc));
    }
    const struct stmt *work = stmt_sequence(l->arena, l->piece.at, (int)l->piece.count);
    work = stmt_rewrite_exprs(l->arena, work, load_of_lane, l);
    add(l, &body, stmt_rewrite(l->arena, work, store_of_lane, l));
    add(l, &body, stmt_sequence(l->arena, stores.at, (int)stores.count));
    return stmt_sequence(l->arena, body.at, (int)body.count);
}

/* Names of its own for what the piece declares and another one has declared; the axis is none there
   any more. */
static const struct stmt *declared_once(struct lanes *l, const struct stmt *piece)
{
    VEC(const struct var *) variables = {0};
    VEC(const struct expr *) values = {0};
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, l->arena, piece); s; s = stmt_next(&walk)) {
        if (s->kind != STMT_LET && s->kind != STMT_FOR)
            continue;
        bool is_again = map_get_pointer(l->declared, s->var);
        if (is_again || s->var == l->column) {
            const char *name = is_again ? names_fresh(&l->names, s->var->name) : s->var->name;
            enum var_kind kind = s->kind == STMT_LET ? VAR_LOCAL : VAR_ITERATOR;
            vec_push(l->arena, &variables, s->var);
            vec_push(l->arena, &values,
                     expr_var(l->arena, var_new(l->arena, name, s->var->type, kind)));
        }
        map_put_pointer(l->declared, s->var, (void *)s->var);
    }
    const struct substitution substitution = {(int)variables.count, variables.at, values.at};
    return variables.count > 0 ? stmt_replace(l->arena, piece, &substitution) : piece;
}

/* The end of a piece: a loop over the lanes. */
static void piece_end(struct lanes *l, struct stmts *out)
{
    if (l->piece.count == 0)
        return;
    if (!l->builds) {
        piece_note(l);
    } else {
        l->work = piece_statements(l);
        const struct stmt *loop =
            stmt_for(l->arena, l->lane, expr_integer(l->arena, TYPE_I32, 0),
                     expr_var(l->arena, l->count), expr_integer(l->arena, TYPE_I32, 1), l->work);
        l->last = declared_once(l, loop);
        add(l, out, l->last);
    }
    l->n_pieces++;
    l->piece.count = 0;
}

/* An integer that is made of axes, parameters and loops alone, once and for all. */
static bool may_be_remade(const struct lanes *l, const struct stmt *s)
{
    if (s->kind != STMT_LET || !s->value || type_is_floating(s->var->type) ||
        stmt_sets_var(l->body, s->var) || !expr_is_total(s->value))
        return false;
    struct expr_walk walk;
    for (const struct expr *e = expr_first(&walk, l->arena, s->value); e; e = expr_next(&walk)) {
        if (e->kind != EXPR_VAR || e->var == l->column)
            continue;
        if (!is_remade(l, e->var) && (map_get_pointer(l->varying, e->var) ||
                                       stmt_sets_var(l->body, e->var)))
            return false;
    }
    return true;
}

static void deal(struct lanes *l, const struct stmt *s, struct stmts *out);

/* Control that stands outside, around pieces of its own; copies of these would only take room. */
static const struct stmt *deal_inside(struct lanes *l, const struct stmt *s)
{
    const struct stmt **children = ARENA_ARRAY(l->arena, const struct stmt *, 2);
    bool is_loop = s->kind != STMT_IF && lanes_loop_is_long(s);
    struct stmts inner = {0};
    l->n_outside += is_loop;
    for (int i = 0; i < s->n_children; i++) {
        bool is_rare = s->rare && i == 1;
        if (!s->children[i])
            continue;
        inner = (struct stmts){0};
        l->rare += is_rare;
        deal(l, s->children[i], &inner);
        piece_end(l, &inner);
        l->rare -= is_rare;
        children[i] = stmt_sequence(l->arena, inner.at, (int)inner.count);
    }
    l->n_outside -= is_loop;
    if (!is_loop || s->kind != STMT_FOR)
        return stmt_rebuild(l->arena, s, children);
    const struct stmt *loop =
        stmt_for(l->arena, s->var, s->from, s->to, s->step, children[0]);
    bool ends_by_lanes = inner.count > 0 && inner.at[inner.count - 1] == l->last;
    return l->builds && !l->rare && ends_by_lanes ? vectors_make(l, loop, &inner, l->work) : loop;
}

/* A declaration without a value, of which an element of an array becomes, has one. */
static const struct stmt *with_value(const struct lanes *l, const struct stmt *s)
{
    if (s->kind != STMT_LET || s->value || !spanning_place(l, s->var))
        return s;
    return stmt_let(l->arena, s->var, expr_zero(l->arena, s->var->type));
}

/* Statements that all points reach in step. */
static void deal(struct lanes *l, const struct stmt *s, struct stmts *out)
{
    if (s->kind == STMT_SEQUENCE) {
        for (int i = 0; i < s->n_children; i++)
            deal(l, s->children[i], out);
        return;
    }
    if (!lanes_is_outside(l, s)) {
        add(l, may_be_remade(l, s) ? &l->remade : &l->piece, with_value(l, s));
        return;
    }
    if (s->kind != STMT_LET && s->kind != STMT_ARRAY)
        piece_end(l, out);
    add(l, out, lanes_is_control(s) ? deal_inside(l, s) : s);
}

/* --- the work of a row ------------------------------------------------------------------------ */

/* Bytes that a lane keeps from piece to piece; 0: not known. */
static int64_t lane_bytes(const struct lanes *l)
{
    int64_t sum = 0;
    for (size_t i = 0; i < l->spanning.count; i++) {
        const struct place *place = l->spanning.at[i];
        int64_t bytes = type_bytes(place->var ? place->var->type : place->own->element), extent;
        int n = place->own ? place->own->n_dims : 0;
        for (int d = 0; d < n; d++) {
            if (!expr_get_integer(place->own->dims[d], &extent) || extent > GROUP_BYTES)
                return 0;
            bytes *= extent;
        }
        sum += bytes;
    }
    return sum;
}

static int64_t lanes_of_group(const struct lanes *l)
{
    int64_t bytes = lane_bytes(l), lanes = l->rows->lanes_most ? l->rows->lanes_most : LANES_MOST;
    while (lanes > LANES_LEAST && (lanes * bytes > GROUP_BYTES || (bytes == 0 && lanes > 16)))
        lanes /= 2;
    return lanes;
}

/* The array that holds a scalar or an array for each lane. */
static const struct array *array_of_lanes(struct lanes *l, const struct place *place,
                                          int64_t lanes)
{
    struct array *array = ARENA_NEW(l->arena, struct array);
    int n = place->own ? place->own->n_dims : 0;
    const struct expr **dims = ARENA_ARRAY(l->arena, const struct expr *, (size_t)n + 1);
    for (int d = 0; d < n; d++)
        dims[d] = place->own->dims[d];
    dims[n] = expr_integer(l->arena, TYPE_I32, lanes);
    const char *name = place->own ? place->own->name : place->var->name;
    *array = (struct array){
        .name = names_fresh(&l->names, arena_printf(l->arena, "%s_lanes", name)),
        .element = place->var ? place->var->type : place->own->element,
        .space = SPACE_PRIVATE,
        .n_dims = n + 1,
        .dims = dims};
    return array;
}

static const struct var *var_fresh(struct lanes *l, const char *stem, enum type type,
                                   enum var_kind kind)
{
    return var_new(l->arena, names_fresh(&l->names, stem), type, kind);
}

/* The row's groups of so many points, whose work is `work`. */
static const struct stmt *groups(struct lanes *l, const struct stmts *work, int64_t lanes)
{
    struct arena *arena = l->arena;
    struct stmts body = {0};
    const struct expr *from = expr_var(arena, l->from), *to = expr_var(arena, l->to),
                      *most = expr_integer(arena, TYPE_I64, lanes),
                      *left = expr_binary(arena, OP_SUB, to, expr_var(arena, l->first));
    add(l, &body, stmt_let(arena, l->count, expr_minimum(arena, left, most)));
    for (size_t i = 0; i < l->spanning.count; i++)
        add(l, &body, stmt_array(arena, l->spanning.at[i]->array));
    add(l, &body, stmt_sequence(arena, work->at, (int)work->count));
    const struct stmt *loop =
        stmt_for(arena, l->first, expr_minimum(arena, from, to), to,
                 expr_integer(arena, TYPE_I32, lanes),
                 stmt_sequence(arena, body.at, (int)body.count));
    const struct stmt *parts[] = {stmt_let(arena, l->from, l->rows->from),
                                  stmt_let(arena, l->to, l->rows->to), loop};
    return stmt_sequence(arena, parts, 3);
}

/* The scalars before the guard, and the work behind it. */
static void deal_band(struct lanes *l, struct stmts *before, struct stmts *work)
{
    l->piece.count = l->remade.count = 0;
    l->n_pieces = 0;
    for (size_t i = 0; i < l->before.count; i++)
        deal(l, l->before.at[i], before);
    deal(l, l->body, work);
    piece_end(l, work);
}

static void define_scalars(struct lanes *l, const struct stmt *part)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, l->arena, part); s; s = stmt_next(&walk))
        if (s->kind == STMT_LET)
            definitions_add(&l->scope, s);
}

/* The parts of the band, with what is known of them. */
static void take_band(struct lanes *l)
{
    struct stmts parts = lanes_children(l, l->rows->band->children[0]);
    for (size_t i = 0; i < parts.count; i++)
        if (parts.at[i] != l->rows->guard)
            vec_push(l->arena, &l->before, parts.at[i]);
    l->body = l->rows->guard->children[0];
    define_scalars(l, l->kernel->body);
    lanes_find_varying(l);
    lanes_load_ahead(l);
    lanes_find_varying(l);
}

const struct stmt *lanes_make(struct arena *arena, const struct kernel *kernel,
                              struct thread_rows *rows)
{
    const struct axis *last = &rows->band->axes[rows->band->n_axes - 1];
    struct lanes l = {.arena = arena,
                      .kernel = kernel,
                      .rows = rows,
                      .names = names_new(arena, kernel),
                      .column = last->var,
                      .declared = map_new(arena),
                      .written = map_new(arena),
                      .varying = map_new(arena),
                      .places = map_new(arena),
                      .scope = {.arena = arena, .body = kernel->body}};
    struct stmts before = {0}, work = {0};
    take_band(&l);
    deal_band(&l, &before, &work);
    if (!l.gains || l.fails || (rows->left && lanes_expr_varies(&l, rows->left)))
        return NULL;
    l.first = var_fresh(&l, "first", TYPE_I32, VAR_ITERATOR);
    l.lane = var_fresh(&l, "lane", TYPE_I32, VAR_ITERATOR);
    l.count = var_fresh(&l, "lanes", TYPE_I32, VAR_LOCAL);
    l.from = var_fresh(&l, "from", TYPE_I64, VAR_LOCAL);
    l.to = var_fresh(&l, "to", TYPE_I64, VAR_LOCAL);
    int64_t lanes = lanes_of_group(&l);
    for (size_t i = 0; i < l.spanning.count; i++)
        l.spanning.at[i]->array = array_of_lanes(&l, l.spanning.at[i], lanes);
    l.builds = true;
    before.count = work.count = 0;
    deal_band(&l, &before, &work);
    rows->vectors = l.vectors;
    rows->lane_count = l.count;
    const struct stmt *row = groups(&l, &work, lanes);
    add(&l, &before, rows->left ? stmt_if(arena, rows->left, row, NULL) : row);
    return stmt_sequence(arena, before.at, (int)before.count);
}

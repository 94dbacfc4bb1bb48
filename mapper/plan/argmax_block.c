/* The block in place of a nest that finds where an extreme stands: sums, each in loops of its own.

   In: a nest, as argmax.c read it. Out: a block of declarations, loops with the nest's
   headers, and statements of the host behind them; its nodes have the bytes of the nest. */
#include "frontend/ask.h"
#include "frontend/header.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"
#include "mapper/forms/words.h"
#include "mapper/plan/argmax.h"
#include <string.h>

static bool is_real(const struct ast *decl)
{
    return decl->type->class == AST_TYPE_F32 || decl->type->class == AST_TYPE_F64;
}

/* A block that is being written for a nest. */
struct place_block {
    struct place_nest *nest;
    struct arena *arena;
    const struct ast *place;         /* that all nodes stand at: the outermost loop */
    struct place_search *out;
    VEC(const struct ast *) statements;
    struct extreme_place *x;         /* whose statements are written */
    const struct ast *rounds;        /* has the nest a round? NULL if that is not known */
};

static const char *name_free(const struct place_nest *nest, const char *name)
{
    while (words_have(nest->words, name))
        name = arena_printf(nest->scop->arena, "%s_", name);
    return name;
}

/* Does the statement set a variable of that name, or an element of it? */
static bool sets_name(const struct ast *statement, const char *name)
{
    const struct ast *target = statement ? change_target(statement) : NULL;
    while (target && target->kind == AST_INDEX)
        target = target->children[0];
    return target && target->kind == AST_REF && !strcmp(target->decl->name, name);
}

/* How many `if` of the function before the nest set a variable of that name? Each nest has names of
   its own. */
static int number_before(const struct place_nest *nest, const char *name)
{
    const struct ast *body = nest->scop->fragment->body;
    struct ast_walk walk;
    int n_before = 0;
    for (const struct ast *n = ast_first(&walk, nest->scop->arena, body); n; n = ast_next(&walk)) {
        const struct ast *then = n->kind == AST_IF ? n->children[1] : NULL;
        if (!then || n->begin >= nest_ast(nest)->begin)
            continue;
        n_before += sets_name(then, name);
        int n_children = then->kind == AST_COMPOUND ? then->n_children : 0;
        for (int i = 0; i < n_children; i++)
            n_before += sets_name(then->children[i], name);
    }
    return n_before;
}

/* `T name = value;` */
static const struct ast *sum_declare(struct place_block *b, const char *name,
                                      const struct ast_type *type, const struct ast *value)
{
    const struct ast *declare = form_declare(b->arena, b->place,
                                             b->nest->scop->fragment->function,
                                             name_free(b->nest, name), type, value);
    const struct ast *variable = declare->children[0];
    vec_push(b->arena, &b->statements, declare);
    vec_push(b->arena, &b->out->sums, variable);
    return variable;
}

static const struct ast *ref_to(const struct place_block *b, const struct ast *decl)
{
    return form_ref(b->arena, b->place, decl);
}

static const struct ast *comparison_with(const struct place_block *b, const struct ast *left,
                                         enum ast_op op, const struct ast *right)
{
    return form_binary(b->arena, op, form_int(b->arena), b->place, left, right);
}

/* `left op decl` */
static const struct ast *comparison_make(const struct place_block *b, const struct ast *left,
                                         enum ast_op op, const struct ast *decl)
{
    return comparison_with(b, left, op, ref_to(b, decl));
}

/* `target = value` */
static const struct ast *store_make(const struct place_block *b, const struct ast *target,
                                    const struct ast *value)
{
    return form_assign(b->arena, b->place, AST_OP_NONE, target, value);
}

/* `if (condition) { … }` */
static const struct ast *if_make(const struct place_block *b, const struct ast *condition,
                                 const struct ast *const *stores, int n)
{
    const struct ast *parts[] = {condition,
                                 form_make(b->arena, AST_COMPOUND, b->place, NULL, n, stores)};
    return form_make(b->arena, AST_IF, b->x->ast, NULL, 2, parts);
}

/* `if (condition) decl = value;` */
static const struct ast *guarded_make(const struct place_block *b, const struct ast *condition,
                                      const struct ast *decl, const struct ast *value)
{
    const struct ast *store = store_make(b, ref_to(b, decl), value);
    return if_make(b, condition, &store, 1);
}

/* The loops of the nest around other statements. */
static void loops_add(struct place_block *b, const struct ast *const *statements, int n)
{
    const struct ast *body = form_make(b->arena, AST_COMPOUND, b->place, NULL, n, statements);
    for (int i = b->nest->n_loops; i-- > 0;) {
        const struct ast *const *header = b->nest->loops[i]->ast->children;
        const struct ast *parts[] = {header[0], header[1], header[2], body};
        body = form_make(b->arena, AST_FOR, b->place, NULL, 4, parts);
    }
    vec_push(b->arena, &b->statements, body);
}

/* --- whether there is a round ----------------------------------------------------------------- */

/* `0 < n`; NULL where loops begin at what others tell. */
static const struct ast *rounds_read(const struct place_block *b)
{
    const struct ast *all = NULL;
    for (int i = 0; i < b->nest->n_loops; i++) {
        const struct scop_loop *loop = b->nest->loops[i];
        const struct ast *const *header = loop->ast->children;
        const struct ast *start = header[0] ? value_given(header[0], loop->iterator) : NULL;
        if (!start || !header[1])
            return NULL;
        struct map *first = map_new(b->arena);
        map_put_pointer(first, loop->iterator, form_change(start));
        for (int k = 0; k < i; k++)
            if (ast_mentions(start, b->nest->loops[k]->iterator) ||
                ast_mentions(header[1], b->nest->loops[k]->iterator))
                return NULL;
        all = conjunction(b->arena, all, form_put(b->arena, header[1], first));
    }
    return all;
}

/* The value of m where the nest has a round: an element need not exist where it has none. */
static const struct ast *start_value(const struct place_block *b)
{
    const struct ast *target = b->x->target, *copy = form_copy(b->arena, target);
    if (target->kind == AST_REF)
        return copy;
    const struct ast *none = form_literal(b->arena, b->place, form_int(b->arena), 0);
    const struct ast *parts[] = {form_copy(b->arena, b->rounds), copy,
                                 form_convert(b->arena, b->place, target->type, none)};
    return form_make(b->arena, AST_CONDITIONAL, b->place, target->type, 3, parts);
}

/* --- passes ----------------------------------------------------------------------------------- */

/* Does one of the statements name a variable of the declaration? */
static bool is_needed(const struct place_block *b, const struct ast *declare,
                      const struct ast *const *statements, int n)
{
    struct ast_walk walk;
    for (int i = 0; i < n; i++) {
        const struct ast *node = ast_first(&walk, b->arena, statements[i]);
        for (; node; node = ast_next(&walk))
            if (node->kind == AST_REF && ast_declares(declare, node->decl))
                return true;
    }
    return false;
}

/* Loops over a statement in place of the `if`, with the declarations of the body that it needs. */
static void pass_add(struct place_block *b, const struct ast *statement)
{
    const struct ast **list = ARENA_ARRAY(b->arena, const struct ast *, b->x->at + 1);
    int first = b->x->at;
    list[first] = statement;
    for (int i = b->x->at; i-- > 0;) {
        const struct ast *declare = body_at(b->nest, i);
        bool needs = declare->kind == AST_DECLARE &&
                     is_needed(b, declare, list + first, b->x->at - first + 1);
        if (needs)
            list[--first] = declare;
    }
    loops_add(b, list + first, b->x->at - first + 1);
}

/* The value e, the comparison's operator with e on its left side. */
static const struct ast *element_copy(const struct place_block *b)
{
    return form_copy(b->arena, b->x->value);
}

static enum ast_op direction(const struct place_block *b)
{
    enum ast_op op = b->x->comparison->op;
    return b->x->side ? op_exchanged(op) : op;
}

/* Does the first place count that has the extreme, not the last one? */
static bool is_strict(const struct place_block *b)
{
    if (!b->x->comparison)
        return false;
    return direction(b) == AST_OP_LT || direction(b) == AST_OP_GT;
}

/* `guards && condition` */
static const struct ast *under_guards(const struct place_block *b, const struct ast *condition)
{
    const struct ast *guards = form_copy(b->arena, b->x->guards);
    return conjunction(b->arena, guards, condition);
}

/* A name for what is found of a target. */
static const char *stem_of(const struct place_block *b, const struct ast *target, const char *word)
{
    const struct ast *decl = target_variable(target);
    int n_before = number_before(b->nest, decl->name);
    return n_before ? arena_printf(b->arena, "%s_%s%d", decl->name, word, n_before + 1)
                    : arena_printf(b->arena, "%s_%s", decl->name, word);
}

/* `double m_best = m;`, and `if (e > m_best) m_best = e;`; NULL if there is no extreme. */
static const struct ast *extreme_add(struct place_block *b)
{
    const struct ast *target = b->x->target;
    b->x->stem = stem_of(b, b->x->store ? target : b->x->along[0]->children[0],
                         target ? "best" : "last");
    if (!target)
        return NULL;
    b->x->best = sum_declare(b, b->x->stem, target->type, start_value(b));
    const struct ast *takes = comparison_make(b, element_copy(b), direction(b), b->x->best);
    return guarded_make(b, under_guards(b, takes), b->x->best, element_copy(b));
}

/* The nest with sums in place of the `if`s. */
static void extremes_add(struct place_block *b)
{
    struct place_nest *nest = b->nest;
    int n = body_count(nest), n_kept = 0;
    const struct ast **list = ARENA_ARRAY(b->arena, const struct ast *, n + 1);
    for (int i = 0; i < n; i++)
        list[i] = body_at(nest, i);
    for (int i = 0; i < nest->n_extremes; i++) {
        b->x = &nest->extremes[i];
        list[b->x->at] = extreme_add(b);
    }
    bool has_work = false;
    for (int i = 0; i < n; i++) {
        has_work |= list[i] && list[i]->kind != AST_DECLARE;
        if (list[i])
            list[n_kept++] = list[i];
    }
    if (has_work)
        loops_add(b, list, n_kept);
}

/* Is the greatest place looked for, as the last one that has the extreme, or the first one of a
   loop that counts down? */
static bool wants_greatest(const struct place_block *b, int i)
{
    return is_strict(b) == (b->nest->loops[i]->step < 0);
}

/* The iterator as a number of the type of its places; the conversion is written where C would take
   the place's sign away instead. */
static const struct ast *iterator_as(const struct place_block *b, int i,
                                     const struct ast_type *type)
{
    const struct ast *iterator = ref_to(b, b->nest->loops[i]->iterator);
    return form_widen(b->arena, iterator, type->class, iterator->type->class == AST_TYPE_U64);
}

/* `e == m_best`, where the loops around have their places. */
static const struct ast *is_at_place(const struct place_block *b)
{
    const struct ast *all = NULL;
    for (int i = 0; i < b->x->n_places; i++) {
        const struct ast *iterator = iterator_as(b, i, b->x->places[i]->type);
        all = conjunction(b->arena, all,
                          comparison_make(b, iterator, AST_OP_EQ, b->x->places[i]));
    }
    const struct ast *guards = form_copy(b->arena, b->x->guards);
    all = guards ? conjunction(b->arena, all, guards) : all;
    return !b->x->best ? all
                       : conjunction(b->arena, all, comparison_make(b, element_copy(b), AST_OP_EQ,
                                                                    b->x->best));
}

/* The type of places, and a number before the first or behind the last one, which need not be told
   from a place where the comparison is strict. False if there is no such number. */
static bool place_type(const struct place_block *b, int i, const struct ast_type **type,
                       int64_t *none)
{
    const struct scop_loop *loop = b->nest->loops[i];
    enum ast_class class = loop->iterator->type->class;
    bool greatest = wants_greatest(b, i);
    bool is_unsigned = class == AST_TYPE_U32 || class == AST_TYPE_U64;
    bool is_short = class == AST_TYPE_I32 || class == AST_TYPE_U32;
    bool from_zero = loop->step > 0 && !loop->start.n_terms && !loop->start.n_names &&
                     loop->start.constant >= 0;
    *type = loop->iterator->type;
    if (is_strict(b)) {
        int64_t most = !is_short ? INT64_MAX : is_unsigned ? UINT32_MAX : INT32_MAX;
        int64_t least = is_unsigned ? 0 : -most - 1;
        *none = greatest ? least : most;
        return *none != INT64_MIN;
    }
    if (!from_zero || is_unsigned)
        *type = form_long(b->arena, AST_TYPE_I64);
    *none = from_zero ? -1 : greatest ? (int64_t)INT32_MIN - 1 : (int64_t)UINT32_MAX + 1;
    return from_zero || is_short;
}

/* `int i_best = 2147483647; for (…) if (e == m_best && i < i_best) i_best = i;` */
static bool place_add(struct place_block *b, int i)
{
    const struct ast *iterator = b->nest->loops[i]->iterator;
    const struct ast_type *type;
    int64_t none;
    if (!place_type(b, i, &type, &none))
        return false;
    const struct ast *found = is_at_place(b);
    const struct ast *first = form_literal(b->arena, b->place, type, none);
    const char *name = arena_printf(b->arena, "%s_%s", b->x->stem, iterator->name);
    b->x->places[i] = sum_declare(b, name, type, first);
    b->x->n_places = i + 1;
    const struct ast *value = iterator_as(b, i, type);
    enum ast_op op = wants_greatest(b, i) ? AST_OP_GT : AST_OP_LT;
    const struct ast *takes = conjunction(b->arena, found,
                                          comparison_make(b, value, op, b->x->places[i]));
    pass_add(b, guarded_make(b, takes, b->x->places[i], form_copy(b->arena, value)));
    return true;
}

/* Does an element beat the start? */
static const struct ast *is_found(const struct place_block *b)
{
    const struct ast *target = b->x->target;
    if (is_strict(b)) {
        const struct ast *beats = comparison_with(b, ref_to(b, b->x->best), direction(b),
                                                  form_copy(b->arena, target));
        return target->kind == AST_REF ? beats : conjunction(b->arena, b->rounds, beats);
    }
    const struct ast_type *type;
    int64_t none = 0;
    place_type(b, 0, &type, &none);
    return form_binary(b->arena, AST_OP_NE, form_int(b->arena), b->place,
                       ref_to(b, b->x->places[0]), form_literal(b->arena, b->place, type, none));
}

/* Can e, or a start that e takes the place of, be a zero of either sign? They compare equal. */
static bool has_two_zeros(const struct place_block *b)
{
    const struct ast *value = b->x->store ? ast_strip(b->x->value) : NULL;
    if (!value)
        return false;
    bool is_absolute = value->kind == AST_CALL && value->decl &&
                       (!strcmp(value->decl->name, "fabs") || !strcmp(value->decl->name, "fabsf"));
    return is_real(b->x->best) && (!is_absolute || !is_strict(b));
}

/* A literal of the extreme's type. */
static const struct ast *literal_of(const struct place_block *b, int64_t value)
{
    return form_convert(b->arena, b->place, b->x->best->type,
                        form_literal(b->arena, b->place, form_int(b->arena), value));
}

/* The zero at the place, beyond which `-1` is, or `1`: a sum that takes one element. */
static const struct ast *zero_add(struct place_block *b)
{
    bool greater = direction(b) == AST_OP_GT || direction(b) == AST_OP_GE;
    const char *name = arena_printf(b->arena, "%s_zero", b->x->best->name);
    const struct ast *zero = sum_declare(b, name, b->x->best->type,
                                         literal_of(b, greater ? -1 : 1));
    const struct ast *takes = comparison_make(b, element_copy(b),
                                              greater ? AST_OP_GT : AST_OP_LT, zero);
    takes = conjunction(b->arena, is_at_place(b), takes);
    pass_add(b, guarded_make(b, takes, zero, element_copy(b)));
    return zero;
}

/* The value that goes along, at the place. */
static const struct ast *at_place(const struct place_block *b, const struct ast *value)
{
    for (int i = 0; i < b->x->n_places; i++)
        if (is_ref_to(value, b->nest->loops[i]->iterator) && value->kind == AST_REF) {
            const struct ast *place = ref_to(b, b->x->places[i]);
            if (b->x->places[i]->type->class == value->type->class)
                return place;
            return form_make(b->arena, AST_CAST, b->place, value->type, 1, &place);
        }
    struct ast *copy = form_change(form_copy(b->arena, value));
    const struct ast **list = ARENA_ARRAY(b->arena, const struct ast *, copy->n_children + 1);
    bool changes = false;
    for (int i = 0; i < copy->n_children; i++) {
        list[i] = at_place(b, value->children[i]);
        changes |= list[i]->is_made;
    }
    copy->children = list;
    copy->is_made |= changes;
    return copy;
}

/* `if (m_best > m) { k = i_best; m = m_best; }` */
static void end_add(struct place_block *b)
{
    const struct extreme_place *x = b->x;
    const struct ast *stores[PLACES_ALONG_MAX + 1], *value = x->store ? ref_to(b, x->best) : NULL;
    if (value && has_two_zeros(b)) {
        const struct ast *zero = zero_add(b);
        const struct ast *parts[] = {comparison_make(b, literal_of(b, 0), AST_OP_NE, x->best),
                                     value, ref_to(b, zero)};
        value = form_make(b->arena, AST_CONDITIONAL, b->place, value->type, 3, parts);
    }
    for (int i = 0; i < x->n_along; i++)
        stores[i] = store_make(b, form_copy(b->arena, x->along[i]->children[0]),
                               at_place(b, x->along[i]->children[1]));
    if (value)
        stores[x->n_along] = store_make(b, form_copy(b->arena, x->target), value);
    const struct ast *end = if_make(b, is_found(b), stores, x->n_along + (value != NULL));
    vec_push(b->arena, &b->statements, end);
    vec_push(b->arena, &b->out->ends, end);
}

bool search_make(struct place_nest *nest, struct place_search *out)
{
    struct place_block b = {.nest = nest, .arena = nest->scop->arena, .place = nest_ast(nest),
                            .out = out};
    b.rounds = rounds_read(&b);
    for (int i = 0; i < nest->n_extremes; i++)
        if (!b.rounds && start_is_element(&nest->extremes[i]))
            return false;
    extremes_add(&b);
    for (int i = 0; i < nest->n_extremes; i++) {
        b.x = &nest->extremes[i];
        for (int k = 0; k < nest->n_loops; k++)
            if (!place_add(&b, k))
                return false;
        end_add(&b);
    }
    out->other.loop = nest_ast(nest);
    out->other.block = form_make(b.arena, AST_COMPOUND, b.place, NULL, (int)b.statements.count,
                                 b.statements.at);
    return true;
}

/* Loops that find where the least or the greatest of several values stands.

   In: nests of loops whose innermost body has `if (e > m) { m = e; k = i; }` (also >=, <, <=, under
   conditions, beside other statements). Out: a block for each, which takes the place of the nest
   where the change pays (scop/extract.c). All its loops are sums whose order is free:

       double m_best = m;
       for (…) if (e > m_best) m_best = e;                    the extreme
       int i_best = 2147483647;
       for (…) if (e == m_best && i < i_best) i_best = i;     the first place that has it
       k = m_best > m ? i_best : k;
       m = m_best;

   `>=` keeps the last place, a loop that counts down meets the greatest first. Of nests each loop
   has its place, found among those that have the places of the loops around. The order of
   comparisons is the source's, so that numbers that are none never count, and nothing is set where
   no element beats the start. A zero has the sign of the element at the place: one more sum finds
   it.

   `if (x[i] < x[k]) k = i;` reads the extreme as x[k] and sets k alone. `if (c) k = i;` has no
   extreme: the last place is looked for at which c holds.

   The variables k are set to what is made of iterators and of variables that the loop leaves
   alone. The second pass computes e anew, so that e has no function whose bits differ between
   devices, and no product that a kernel may fuse with a sum. */
#include "frontend/ask.h"
#include "frontend/calls.h"
#include "frontend/header.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"
#include "mapper/forms/words.h"
#include "mapper/plan/argmax.h"
#include <string.h>

/* --- reading ---------------------------------------------------------------------------------- */

/* The statement in blocks that hold nothing else. */
static const struct ast *alone_in(const struct ast *statement)
{
    while (statement && statement->kind == AST_COMPOUND && statement->n_children == 1)
        statement = statement->children[0];
    return statement;
}

/* Has the call of a library the same bits wherever it is made? */
static bool call_is_exact(const struct ast *call)
{
    static const char *const exact[] = {"fabs", "fabsf", "abs", "labs", "llabs"};
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
        if (call->decl && call_is_pure(call) && !strcmp(call->decl->name, exact[i]))
            return true;
    return false;
}

/* May a kernel compute the operation as a part of another one? */
static bool is_fused(const struct place_nest *nest, const struct ast *n)
{
    return nest->scop->ctx->contract && n->kind == AST_BINARY && n->op == AST_OP_MUL && n->type &&
           !ast_class_is_integer(n->type->class);
}

static bool leads_to_pointers(const struct ast *decl)
{
    const struct ast_type *type = decl->type;
    return type->element && type->element->class == AST_TYPE_POINTER;
}

/* Has the expression no effect, and the same bits whenever its operands have the same? */
static bool is_exact(const struct place_nest *nest, const struct ast *value)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, nest->scop->arena, value); n; n = ast_next(&walk))
        if (!ast_is_expression(n) || change_target(n) || is_fused(nest, n) ||
            (n->kind == AST_CALL && !call_is_exact(n)))
            return false;
    return true;
}

const struct ast *conjunction(struct arena *arena, const struct ast *a, const struct ast *b)
{
    return a ? form_binary(arena, AST_OP_LAND, b->type, b, a, b) : b;
}

/* `a < b` of `!(a < b)`, and of the like; NULL of other conditions. */
static const struct ast *negated_order(const struct ast *condition)
{
    bool is_not = condition->kind == AST_UNARY && condition->op == AST_OP_NOT;
    const struct ast *inner = is_not ? ast_strip(condition->children[0]) : NULL;
    bool is_order = inner && inner->kind == AST_BINARY && inner->op >= AST_OP_LT &&
                    inner->op <= AST_OP_GE && inner->children[0]->type && inner->children[1]->type;
    return is_order ? inner : NULL;
}

/* Reads the conditions down to the comparison; the statement below it, or NULL. */
static const struct ast *conditions_read(struct arena *arena, struct extreme_place *x)
{
    const struct ast *at = alone_in(x->ast);
    while (at && at->kind == AST_IF && (at->n_children < 3 || !at->children[2])) {
        const struct ast *condition = ast_strip(at->children[0]);
        const struct ast *below = alone_in(at->children[1]);
        if (!below || below->kind != AST_IF) {
            if (condition->kind == AST_BINARY && condition->op == AST_OP_LAND) {
                x->guards = conjunction(arena, x->guards, condition->children[0]);
                condition = ast_strip(condition->children[1]);
            }
            x->comparison = condition;
            return at->children[1];
        }
        x->guards = conjunction(arena, x->guards, condition);
        at = below;
    }
    return NULL;
}

/* Is it `x = value` of a scalar, or of an element of an array that has a name? */
static bool is_plain_store(const struct ast *ast)
{
    bool stores = ast->kind == AST_ASSIGN && ast->op == AST_OP_NONE && !ast->is_macro;
    const struct ast *target = stores ? ast->children[0] : NULL, *base = target;
    while (base && base->kind == AST_INDEX)
        base = base->children[0];
    const struct ast *decl = base && base->kind == AST_REF ? base->decl : NULL;
    return decl && type_is_scalar(target->type) && !target->type->is_volatile &&
           !decl->is_register;
}

static bool is_ordered_type(const struct ast_type *type)
{
    return type->class == AST_TYPE_I32 || type->class == AST_TYPE_U32 ||
           type->class == AST_TYPE_I64 || type->class == AST_TYPE_U64 ||
           type->class == AST_TYPE_F32 || type->class == AST_TYPE_F64;
}

/* Does the comparison compare a value with the variable that is set to it? */
static bool comparison_read(struct extreme_place *x, const struct ast *store)
{
    const struct ast *c = x->comparison;
    if (c->kind != AST_BINARY || c->op < AST_OP_LT || c->op > AST_OP_GE || !is_plain_store(store))
        return false;
    for (x->side = 0; x->side < 2; x->side++)
        if (ast_equal(c->children[1 - x->side], store->children[0]) &&
            ast_equal(c->children[x->side], store->children[1]))
            return is_ordered_type(store->children[0]->type);
    return false;
}

static bool is_iterator(const struct place_nest *nest, const struct ast *decl)
{
    for (int i = 0; i < nest->n_loops; i++)
        if (nest->loops[i]->iterator == decl)
            return true;
    return false;
}

/* The variable that is set to the iterator; NULL if none is. */
static const struct ast *set_to(const struct extreme_place *x, const struct ast *iterator)
{
    for (int i = 0; i < x->n_along; i++) {
        const struct ast *target = x->along[i]->children[0];
        if (target->kind == AST_REF && is_ref_to(x->along[i]->children[1], iterator) &&
            target->type->class == iterator->type->class)
            return target->decl;
    }
    return NULL;
}

/* Is `at` the expression with each iterator's variable in its place, as x[k] is x[i] with k? */
static bool is_at_variables(const struct place_nest *nest, const struct extreme_place *x,
                            const struct ast *expression, const struct ast *at)
{
    expression = ast_strip(expression);
    at = ast_strip(at);
    if (expression->kind == AST_REF && is_iterator(nest, expression->decl))
        return at->kind == AST_REF && at->decl == set_to(x, expression->decl);
    bool same = expression->kind == at->kind && expression->op == at->op &&
                expression->decl == at->decl && expression->integer == at->integer &&
                expression->real == at->real && expression->n_children == at->n_children;
    for (int i = 0; i < at->n_children && same; i++)
        same = is_at_variables(nest, x, expression->children[i], at->children[i]);
    return same;
}

/* Reads `x[i] > x[k]`, where k is set to i. */
static bool implied_read(const struct place_nest *nest, struct extreme_place *x)
{
    const struct ast *c = x->comparison;
    if (c->kind != AST_BINARY || c->op < AST_OP_LT || c->op > AST_OP_GE)
        return false;
    for (x->side = 0; x->side < 2; x->side++) {
        const struct ast *value = ast_strip(c->children[x->side]);
        const struct ast *target = ast_strip(c->children[1 - x->side]);
        bool elements = value->kind == AST_INDEX && target->kind == AST_INDEX &&
                        is_ordered_type(value->type) && !ast_equal(value, target);
        if (!elements || !is_at_variables(nest, x, value, target))
            continue;
        x->value = value;
        x->target = target;
        return true;
    }
    return false;
}

/* Is the statement such an `if`? */
static bool extreme_read(const struct place_nest *nest, const struct ast *ast,
                         struct extreme_place *x)
{
    struct arena *arena = nest->scop->arena;
    *x = (struct extreme_place){.ast = ast};
    const struct ast *below = conditions_read(arena, x);
    int n = !below ? 0 : below->kind == AST_COMPOUND ? below->n_children : 1;
    for (int i = 0; i < n; i++) {
        const struct ast *store = below->kind == AST_COMPOUND ? below->children[i] : below;
        if (!x->store && comparison_read(x, store))
            x->store = store;
        else if (is_plain_store(store) && x->n_along < PLACES_ALONG_MAX)
            x->along[x->n_along++] = store;
        else
            return false;
    }
    if (!x->n_along)
        return false;
    if (x->store) {
        x->value = x->store->children[1];
        x->target = x->store->children[0];
    } else if (!implied_read(nest, x)) {
        x->guards = conjunction(arena, x->guards, x->comparison);
        x->comparison = NULL;
    }
    return true;
}

static const struct scop_loop *loop_of_ast(const struct scop *scop, const struct ast *ast)
{
    for (size_t i = 0; i < scop->loops.count; i++)
        if (scop->loops.at[i]->ast == ast)
            return scop->loops.at[i];
    return NULL;
}

/* The loops of the nest from this one on, and the innermost body. */
static bool loops_read(struct place_nest *nest, const struct scop_loop *loop)
{
    nest->n_loops = 0;
    while (loop && nest->n_loops < PLACES_LOOPS_MAX) {
        bool plain = !loop->ast->is_macro && header_count(loop->ast, 0) < 2 &&
                     header_count(loop->ast, 2) < 2;
        if (!plain)
            return false;
        nest->loops[nest->n_loops++] = loop;
        nest->body = loop->ast->children[3];
        const struct ast *inner = alone_in(nest->body);
        loop = inner && inner->kind == AST_FOR ? loop_of_ast(nest->scop, inner) : NULL;
    }
    return nest->n_loops > 0;
}

/* --- what the second pass finds as the first one did ------------------------------------------ */

static bool is_repeatable(const struct place_nest *nest, const struct ast *value, bool in_memory);

/* Does another name than that of the base lead to a target? Whether they are one array is tested
   where the block runs. */
static bool is_tested_apart(const struct ast *target, const struct ast *base)
{
    while (target->kind == AST_INDEX)
        target = target->children[0];
    return base && target->kind == AST_REF && target->decl != base->decl &&
           !leads_to_pointers(base->decl) && !leads_to_pointers(target->decl);
}

/* Is it an element at subscripts that the nest leaves alone? */
static bool has_fixed_place(const struct place_nest *nest, const struct ast *element)
{
    struct ast_walk walk;
    if (element->kind != AST_INDEX)
        return false;
    for (; element->kind == AST_INDEX; element = element->children[0]) {
        const struct ast *subscript = element->children[1], *n;
        if (!is_repeatable(nest, subscript, false))
            return false;
        for (n = ast_first(&walk, nest->scop->arena, subscript); n; n = ast_next(&walk))
            if (n->kind == AST_REF && is_iterator(nest, n->decl))
                return false;
    }
    return true;
}

/* Is it an element of an array that the nest may store to? */
static bool may_be_stored(const struct place_nest *nest, const struct ast *element)
{
    struct ast_walk walk;
    const struct ast *base = ast_base(element);
    const struct ast *n = ast_first(&walk, nest->scop->arena, nest_ast(nest));
    for (; n; n = ast_next(&walk)) {
        const struct ast *target = change_target(n);
        if (n->kind == AST_CALL && !call_is_pure(n))
            return true;
        if (!target || target->kind == AST_REF)
            continue;
        const struct ast *stored = ast_base(target);
        bool apart = base && stored && base->decl != stored->decl &&
                     (base->decl->type->is_restrict || stored->decl->type->is_restrict ||
                      (base->decl->kind == AST_VARIABLE && stored->decl->kind == AST_VARIABLE &&
                       base->decl->type->class == AST_TYPE_ARRAY &&
                       stored->decl->type->class == AST_TYPE_ARRAY));
        apart = apart || (has_fixed_place(nest, target) && is_tested_apart(target, base));
        if (!apart && types_may_meet(target->type, element->type))
            return true;
    }
    return false;
}


/* Has the variable the same value whenever iterators have the same values? */
static bool is_repeatable_name(const struct place_nest *nest, const struct ast *decl,
                               bool in_memory)
{
    if (is_iterator(nest, decl))
        return true;
    if (!in_memory || !ast_declares(nest->body, decl))
        return !ast_writes(nest_ast(nest), decl) && !ast_declares(nest_ast(nest), decl);
    for (int i = 0; i < body_count(nest); i++)
        if (body_at(nest, i)->kind == AST_DECLARE && ast_declares(body_at(nest, i), decl))
            return decl->n_children && !ast_writes(nest->body, decl) &&
                   is_repeatable(nest, decl->children[0], true);
    return false;
}

/* `in_memory`: elements that the nest leaves alone may be read, and variables of its body. */
static bool is_repeatable(const struct place_nest *nest, const struct ast *value, bool in_memory)
{
    struct ast_walk walk;
    if (!is_exact(nest, value))
        return false;
    for (const struct ast *n = ast_first(&walk, nest->scop->arena, value); n; n = ast_next(&walk)) {
        bool element = n->kind == AST_INDEX || n->kind == AST_MEMBER ||
                       (n->kind == AST_UNARY && n->op == AST_OP_DEREFERENCE);
        if (element && (!in_memory || may_be_stored(nest, n)))
            return false;
        if (n->kind == AST_REF && n->decl && !is_repeatable_name(nest, n->decl, in_memory))
            return false;
    }
    return true;
}

/* Does the nest name the variable elsewhere than in the `if`, or there more often than that? */
static bool is_named_else(const struct place_nest *nest, const struct ast *decl, int times)
{
    struct ast_walk walk;
    int n_named = 0;
    const struct ast *n = ast_first(&walk, nest->scop->arena, nest_ast(nest));
    for (; n; n = ast_next(&walk))
        n_named += n->kind == AST_REF && n->decl == decl;
    return n_named > times || ast_declares(nest_ast(nest), decl);
}

/* How often does the `if` name the variable that it gives an extreme, or what goes along, to? */
static int times_named(const struct place_nest *nest, const struct extreme_place *x,
                       const struct ast *decl)
{
    int times = x->store && target_variable(x->target) == decl ? 2 : 0;
    struct ast_walk walk;
    const struct ast *n = x->target && !x->store ? ast_first(&walk, nest->scop->arena, x->target)
                                                 : NULL;
    for (; n; n = ast_next(&walk))
        times += n->kind == AST_REF && n->decl == decl;
    for (int i = 0; i < x->n_along; i++)
        times += target_variable(x->along[i]->children[0]) == decl;
    return times;
}

/* Are the two surely different variables or elements? */
static bool targets_differ(const struct ast *a, const struct ast *b)
{
    if (target_variable(a) != target_variable(b))
        return true;
    while (a->kind == AST_INDEX && b->kind == AST_INDEX) {
        const struct ast *first = ast_strip(a->children[1]), *second = ast_strip(b->children[1]);
        if (first->kind == AST_INTEGER && second->kind == AST_INTEGER &&
            first->integer != second->integer)
            return true;
        a = a->children[0];
        b = b->children[0];
    }
    return false;
}

/* Is the target a scalar, or one element in all rounds, which the nest names in the `if` alone? */
static bool target_stays(const struct place_nest *nest, const struct extreme_place *x,
                         const struct ast *target)
{
    const struct ast *decl = target_variable(target);
    return (target->kind == AST_REF || has_fixed_place(nest, target)) &&
           !is_named_else(nest, decl, times_named(nest, x, decl));
}

/* Can the place be found behind the extreme? */
static bool extreme_is_good(const struct place_nest *nest, const struct extreme_place *x)
{
    bool good = (!x->store || target_stays(nest, x, x->target)) &&
                (!x->value || is_repeatable(nest, x->value, true)) &&
                (!x->guards || is_repeatable(nest, x->guards, true));
    for (int i = 0; i < x->n_along && good; i++)
        good = target_stays(nest, x, x->along[i]->children[0]) &&
               (!x->store || targets_differ(x->target, x->along[i]->children[0])) &&
               is_repeatable(nest, x->along[i]->children[1], false);
    return good;
}

/* --- changes ---------------------------------------------------------------------------------- */

/* The statements of the body that find places; false if there is none. */
static bool extremes_find(struct place_nest *nest)
{
    nest->n_extremes = 0;
    for (int i = 0; i < body_count(nest) && nest->n_extremes < EXTREMES_MAX; i++) {
        struct extreme_place *x = &nest->extremes[nest->n_extremes];
        if (!extreme_read(nest, body_at(nest, i), x) || !extreme_is_good(nest, x))
            continue;
        x->at = i;
        nest->n_extremes++;
    }
    return nest->n_extremes > 0;
}

void place_searches_find(struct scop *scop, struct change_list *list)
{
    struct place_nest nest = {.scop = scop};
    for (size_t i = 0; i < scop->loops.count; i++) {
        const struct scop_loop *loop = scop->loops.at[i];
        if (changes_replace(list, loop->ast) || !loops_read(&nest, loop) || !extremes_find(&nest))
            continue;
        struct place_search *search = ARENA_NEW(scop->arena, struct place_search);
        nest.words = nest.words ? nest.words : words_of(scop->arena, scop->unit);
        if (search_make(&nest, search))
            vec_push(scop->arena, list,
                     ((struct scop_change){.row = TRANSFORMATION_SUMS, .places = search,
                                           .other = &search->other}));
    }
}

/* The assignment beside that of an extreme whose value the place does not tell; NULL if
   there is none. */
static const struct ast *along_of(const struct place_nest *nest, const struct ast *ast)
{
    struct extreme_place x = {.ast = ast};
    const struct ast *below = conditions_read(nest->scop->arena, &x), *other = NULL;
    int n = below && below->kind == AST_COMPOUND ? below->n_children : 0;
    for (int i = 0; i < n; i++) {
        const struct ast *store = below->children[i];
        bool follows = is_plain_store(store) &&
                       is_repeatable(nest, store->children[1], false);
        if (!x.store && comparison_read(&x, store))
            x.store = store;
        else if (!follows && !other && change_target(store))
            other = store;
    }
    return x.store ? other : NULL;
}

const struct ast *place_search_blame(struct scop *scop)
{
    struct place_nest nest = {.scop = scop};
    const struct ast *found = NULL;
    for (size_t i = 0; i < scop->loops.count && !found; i++) {
        int n = loops_read(&nest, scop->loops.at[i]) ? body_count(&nest) : 0;
        for (int k = 0; k < n && !found; k++)
            found = along_of(&nest, body_at(&nest, k));
    }
    return found;
}

/* The condition `!(e <= m)` of a statement that sets m to e; NULL of others. */
static const struct ast *negated_of(struct arena *arena, const struct ast *ast)
{
    struct extreme_place x = {.ast = ast};
    const struct ast *below = conditions_read(arena, &x), *condition = x.comparison;
    const struct ast *inner = below ? negated_order(condition) : NULL;
    x.comparison = inner;
    int n = inner && below->kind == AST_COMPOUND ? below->n_children : 0;
    for (int i = 0; i < n; i++)
        if (comparison_read(&x, below->children[i]))
            return condition;
    return inner && comparison_read(&x, below) ? condition : NULL;
}

const struct ast *negated_extreme_find(struct scop *scop)
{
    struct place_nest nest = {.scop = scop};
    const struct ast *found = NULL;
    for (size_t i = 0; i < scop->loops.count && !found; i++) {
        int n = loops_read(&nest, scop->loops.at[i]) ? body_count(&nest) : 0;
        for (int k = 0; k < n && !found; k++)
            found = negated_of(scop->arena, body_at(&nest, k));
    }
    return found;
}

void place_search_apply(struct scop *scop, const struct place_search *places)
{
    for (size_t i = 0; i < places->sums.count; i++)
        array_find(scop, places->sums.at[i])->is_summed = true;
    for (size_t i = 0; i < places->ends.count; i++)
        for (size_t k = 0; k < scop->stmts.count; k++)
            if (scop->stmts.at[k]->ast == places->ends.at[i])
                scop->stmts.at[k]->sets_place = true;
}

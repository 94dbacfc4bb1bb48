/* Calls of functions that get structures, as what these functions compute.

       static float at(const struct image *im, int x, int y)
       {
           return im->data[y * im->w + x];
       }
       out[x] = at(im, x - 1, y);                 out[x] = im->data[y * im->w + (x - 1)];

   In: the body of a function. Out: in its loops such a call is the value that the called function
   returns, with arguments in place of parameters, so that members.c and records.c see the members;
   a call for its effect is the statements that store. A called function is read as a list of
   values of its own variables: declarations, assignments to them, `if` and `return`; a function
   that returns a value stores nothing to memory. Arguments change nothing, and a value that is
   computed by a call is used once. After a store no value is used that was read from memory before
   it. Nothing of the caller hides a name that the called function means. */
#include "frontend/ask.h"
#include "frontend/groups.h"
#include "frontend/writes.h"
#include "mapper/forms/opening.h"
#include "mapper/forms/words.h"
#include <string.h>

/* Statements that are still to come. */
struct statements_left {
    const struct ast *const *at;
    int n;
    const struct statements_left *next;
};

/* --- statements ------------------------------------------------------------------------------- */

static int calls_count(struct opening *o, const struct ast *ast)
{
    struct ast_walk walk;
    int n = 0;
    for (const struct ast *a = ast_first(&walk, o->arena, ast); a; a = ast_next(&walk))
        n += a->kind == AST_CALL;
    return n;
}

static void bind(struct opening *o, called_list *list, const struct ast *decl,
                 const struct ast *value)
{
    value = value_name(o, decl->name, decl->type, value);
    struct called_variable *old = called_find(list, decl);
    struct called_variable binding = {decl, value, false};
    if (old)
        *old = binding;
    else
        vec_push(o->arena, list, binding);
}

static called_list bindings_copy(struct opening *o, const called_list *list)
{
    called_list copy = {0};
    for (size_t i = 0; i < list->count; i++)
        vec_push(o->arena, &copy, list->at[i]);
    return copy;
}

/* A declaration of variables that are no more than their values. */
static bool declaration_step(struct opening *o, const struct ast *statement, called_list *list)
{
    bool good = true;
    for (int i = 0; i < statement->n_children && good && !o->fails; i++) {
        const struct ast *decl = statement->children[i], *value = NULL;
        good = decl->kind == AST_VARIABLE && !decl->is_static && !decl->is_extern &&
               (type_is_scalar(decl->type) || is_structure_value(decl->type)) &&
               !decl->type->is_volatile;
        if (good && decl->n_children)
            value = conversion_write(o, expression_open(o, decl->children[0], list));
        else if (good && is_structure_value(decl->type))
            value = structure_list(o, decl->type, NULL);
        bind(o, list, decl, value);
    }
    return good;
}

/* An assignment to a variable of the function, or to a member of it. */
static bool variable_step(struct opening *o, const struct ast *statement, called_list *list)
{
    statement = increment_spell(o, statement);
    const struct ast *target = statement->kind == AST_ASSIGN ? statement->children[0] : NULL;
    const struct ast *decl = target ? own_variable(o->callee, target) : NULL;
    bool whole = decl && target->kind == AST_REF;
    const struct ast *old = decl && !whole && called_find(list, decl)
                                ? called_find(list, decl)->value : NULL;
    if (!decl || (!whole && !old) ||
        !(type_is_scalar(target->type) || (whole && is_structure_value(target->type))))
        return false;
    const struct ast *value = value_assigned(o, statement, list);
    if (o->fails)
        return false;
    bind(o, list, decl, whole ? value : structure_set(o, old, target->name, value));
    return true;
}

/* Statements that give variables values alone; false if there are others. */
static bool variables_step(struct opening *o, const struct ast *statement, called_list *list);

/* The values behind two branches. */
static void branches_join(struct opening *o, const struct ast *condition, called_list *list,
                          const called_list *yes, const called_list *no)
{
    condition = value_name(o, "is", form_int(o->arena), condition);
    for (size_t i = 0; i < list->count; i++) {
        const struct ast *first = yes->at[i].value, *second = no->at[i].value;
        list->at[i].value = first;
        if (first == second)
            continue;
        o->n_nodes += nodes_count(o, condition);
        list->at[i].value = first && second
                                ? value_choose(o, list->at[i].decl->type,
                                               form_copy(o->arena, condition), first, second)
                                : NULL;
    }
}

/* A variable that the condition names and whose value is a choice itself; NULL if there is none. */
static const struct called_variable *chosen_in(struct opening *o, const struct ast *condition,
                                               const called_list *list)
{
    struct ast_walk walk;
    const struct ast *n = ast_first(&walk, o->arena, condition);
    for (; n; n = ast_next(&walk)) {
        const struct called_variable *variable =
            n->kind == AST_REF ? called_find(list, n->decl) : NULL;
        if (variable && variable->value && variable->value->kind == AST_CONDITIONAL)
            return variable;
    }
    return NULL;
}

/* `if (c) x = a;` makes x `c ? a : x`. Where x is `d ? u : v` both are chosen from apart, so that
   `(x < 0 ? 0 : x) >= w` stands in no condition. */
static bool choice_step(struct opening *o, const struct ast *choice, called_list *list)
{
    called_list yes = bindings_copy(o, list), no = bindings_copy(o, list);
    const struct called_variable *chosen = chosen_in(o, choice->children[0], list);
    if (chosen) {
        const struct ast *value = chosen->value;
        called_find(&yes, chosen->decl)->value = value->children[1];
        called_find(&no, chosen->decl)->value = value->children[2];
        if (++o->n_nodes > OPENING_NODES_MAX || !choice_step(o, choice, &yes) ||
            !choice_step(o, choice, &no))
            return false;
        branches_join(o, value->children[0], list, &yes, &no);
        return true;
    }
    const struct ast *condition = expression_open(o, choice->children[0], list);
    const struct ast *other = choice->n_children > 2 ? choice->children[2] : NULL;
    bool is_choice = o->is_choice;
    o->is_choice = true;
    bool good = variables_step(o, choice->children[1], &yes) &&
                (!other || variables_step(o, other, &no));
    o->is_choice = is_choice;
    if (!good)
        return false;
    branches_join(o, condition, list, &yes, &no);
    return true;
}

static bool variables_step(struct opening *o, const struct ast *statement, called_list *list)
{
    bool good = true;
    if (statement->kind == AST_COMPOUND) {
        for (int i = 0; i < statement->n_children && good && !o->fails; i++)
            good = variables_step(o, statement->children[i], list);
        return good;
    }
    if (statement->kind == AST_IF)
        return choice_step(o, statement, list);
    if (statement->kind == AST_DECLARE)
        return declaration_step(o, statement, list);
    return statement->kind == AST_EMPTY || variable_step(o, statement, list);
}

/* Does the statement only give variables of the called function values? */
static bool is_step(struct opening *o, const struct ast *statement)
{
    struct ast_walk walk;
    const struct ast *n = ast_first(&walk, o->arena, statement);
    for (; n; n = ast_next(&walk)) {
        const struct ast *target = change_target(n);
        bool own = target && own_variable(o->callee, target);
        if (n->kind == AST_RETURN || (target && !own) ||
            (n->kind == AST_CALL && !is_calm_call(o, n)))
            return false;
    }
    return true;
}

/* Takes the next statement; blocks are taken as their statements. NULL behind the last one. */
static const struct ast *statement_take(struct opening *o, struct statements_left *rest)
{
    const struct ast *statement = NULL;
    do {
        while (rest->n == 0 && rest->next)
            *rest = *rest->next;
        if (rest->n == 0)
            return NULL;
        rest->n--;
        statement = *rest->at++;
        if (statement->kind == AST_COMPOUND) {
            struct statements_left *outer = ARENA_NEW(o->arena, struct statements_left);
            *outer = *rest;
            *rest = (struct statements_left){statement->children, statement->n_children, outer};
        }
    } while (statement->kind == AST_COMPOUND);
    return statement;
}

/* The value that the statements return. */
static const struct ast *value_returned(struct opening *o, struct statements_left rest,
                                        called_list *list)
{
    const struct ast *statement = NULL;
    while (!o->fails && (statement = statement_take(o, &rest)) != NULL) {
        if (statement->kind == AST_RETURN && statement->n_children)
            return conversion_write(o, expression_open(o, statement->children[0], list));
        if (is_step(o, statement)) {
            o->fails |= !variables_step(o, statement, list);
            continue;
        }
        if (statement->kind != AST_IF)
            return opening_fail(o);
        called_list other = bindings_copy(o, list);
        struct statements_left yes = {&statement->children[1], 1, &rest};
        struct statements_left no = {&statement->children[2], statement->n_children > 2, &rest};
        const struct ast *condition = expression_open(o, statement->children[0], list);
        bool is_choice = o->is_choice;
        o->is_choice = true;
        const struct ast *first = value_returned(o, yes, list);
        const struct ast *second = o->fails ? first : value_returned(o, no, &other);
        o->is_choice = is_choice;
        return o->fails ? o->place
                        : value_choose(o, o->callee->type, condition, first, second);
    }
    return opening_fail(o);
}

/* The last statement has the bytes, as statements follow each other. */
static const struct ast *stores_block(struct opening *o, const node_list *list)
{
    for (size_t i = 0; i + 1 < list->count; i++)
        form_change(list->at[i])->end = list->at[i]->begin;
    return form_make(o->arena, AST_COMPOUND, o->place, NULL, (int)list->count, list->at);
}

/* Is it memory that others see, and not a part of a structure that the function was given? */
static bool is_outside(const struct ast *target)
{
    bool by_pointer = target->kind == AST_UNARY && target->op == AST_OP_DEREFERENCE;
    while (!by_pointer && (target->kind == AST_MEMBER || target->kind == AST_INDEX)) {
        target = ast_strip(target->children[0]);
        by_pointer = target->type && target->type->class == AST_TYPE_POINTER;
    }
    return by_pointer;
}

/* A store, in place of an assignment to memory. */
static const struct ast *store_open(struct opening *o, const struct ast *store,
                                    called_list *list)
{
    const struct ast *target = store->children[0];
    if (store->kind != AST_ASSIGN || !is_outside(target) || !type_is_scalar(target->type))
        return opening_fail(o);
    const struct ast *sides[] = {expression_open(o, target, list),
                                 expression_open(o, store->children[1], list)};
    struct ast *node = form_make(o->arena, AST_ASSIGN, o->place, store->type, 2, sides);
    node->op = store->op;
    for (size_t i = 0; i < list->count; i++)
        list->at[i].is_before_store |= list->at[i].value && reads_memory(o, list->at[i].value);
    return node;
}

/* `x >= 0 && y >= 0` of `x < 0 || y < 0`. */
static const struct ast *condition_turn(struct opening *o, const struct ast *condition)
{
    static const enum ast_op turned[][2] = {
        {AST_OP_LT, AST_OP_GE}, {AST_OP_GE, AST_OP_LT}, {AST_OP_GT, AST_OP_LE},
        {AST_OP_LE, AST_OP_GT}, {AST_OP_EQ, AST_OP_NE}, {AST_OP_NE, AST_OP_EQ}
    };
    bool is_both = condition->op == AST_OP_LAND;
    if (condition->kind == AST_BINARY && (is_both || condition->op == AST_OP_LOR))
        return form_binary(o->arena, is_both ? AST_OP_LOR : AST_OP_LAND, condition->type, o->place,
                           condition_turn(o, condition->children[0]),
                           condition_turn(o, condition->children[1]));
    bool counts = condition->kind == AST_BINARY &&
                  ast_class_is_integer(condition->children[0]->type->class);
    for (size_t i = 0; i < sizeof turned / sizeof *turned; i++)
        if (counts && condition->op == turned[i][0])
            return form_binary(o->arena, turned[i][1], condition->type, o->place,
                               condition->children[0], condition->children[1]);
    struct ast *node = form_make(o->arena, AST_UNARY, o->place, condition->type, 1, &condition);
    node->op = AST_OP_NOT;
    return node;
}

static void effect_of(struct opening *o, struct statements_left rest, called_list *list,
                      node_list *out);

/* The stores of an `if` and of the statements behind it, which run after either branch. */
static void effect_choose(struct opening *o, const struct ast *choice,
                          const struct statements_left *rest, called_list *list, node_list *out)
{
    called_list other = bindings_copy(o, list);
    node_list first = {0}, second = {0};
    struct statements_left yes = {&choice->children[1], 1, rest};
    struct statements_left no = {&choice->children[2], choice->n_children > 2, rest};
    const struct ast *condition = expression_open(o, choice->children[0], list);
    effect_of(o, yes, list, &first);
    effect_of(o, no, &other, &second);
    if (!first.count) {
        condition = condition_turn(o, condition);
        first = second;
        second.count = 0;
    }
    const struct ast *parts[] = {condition, stores_block(o, &first), stores_block(o, &second)};
    vec_push(o->arena, out,
             form_make(o->arena, AST_IF, o->place, NULL, second.count ? 3 : 2, parts));
}

/* The stores that the statements make. */
static void effect_of(struct opening *o, struct statements_left rest, called_list *list,
                      node_list *out)
{
    const struct ast *statement = NULL;
    while (!o->fails && (statement = statement_take(o, &rest)) != NULL) {
        if (statement->kind == AST_RETURN) {
            o->fails |= statement->n_children > 0;
            return;
        }
        if (is_step(o, statement)) {
            o->fails |= !variables_step(o, statement, list);
            continue;
        }
        if (statement->kind != AST_IF) {
            vec_push(o->arena, out, store_open(o, statement, list));
            continue;
        }
        effect_choose(o, statement, &rest, list, out);
        return;
    }
}

/* --- calls ------------------------------------------------------------------------------------ */

/* The body of the called function, with its parameters bound; NULL if it is not understood. */
static const struct ast *call_enter(struct opening *o, const struct ast *call, called_list *list)
{
    const struct ast *function = call->decl;
    const struct ast *body = function->has_body ? ast_body(o->unit, function) : NULL;
    if (!body || function->is_variadic || function->n_children != call->n_children ||
        function == o->function || ++o->depth > OPENING_CALLS_MAX ||
        (body->loc.source == o->unit->source && groups_choose(o->unit, body->begin, body->end)))
        return NULL;
    for (int i = 0; i < call->n_children; i++) {
        const struct ast *parameter = function->children[i], *value = call->children[i];
        bool by_value = parameter->type->class == AST_TYPE_STRUCT;
        bool is_whole = by_value && !parameter->type->is_complex;
        bool good = is_whole ? is_place(ast_strip(value)) || is_full_list(value)
                             : type_is_scalar(parameter->type) || parameter->type->element ||
                                   by_value;
        if (!good || !is_calm_value(o, value) || parameter->type->is_volatile)
            return NULL;
        bind(o, list, parameter, conversion_write(o, form_copy(o->arena, value)));
    }
    return body;
}

/* Are there more calls in the result, and in the declarations from `first` on that it needs, than
   the function and its arguments have? */
static bool repeats_calls(struct opening *o, const struct ast *call, const struct ast *body,
                          const struct ast *result, size_t first)
{
    int before = calls_count(o, body), after = calls_count(o, result);
    for (int i = 0; i < call->n_children; i++)
        before += calls_count(o, call->children[i]);
    for (size_t i = first; o->names && i < o->names->declared->count; i++)
        after += calls_count(o, o->names->declared->at[i]);
    return after > before;
}

const struct ast *value_of_call(struct opening *o, const struct ast *call)
{
    called_list list = {0};
    size_t first = o->names ? o->names->declared->count : 0;
    const struct ast *outer = o->callee, *body = call_enter(o, call, &list);
    bool good = type_is_scalar(call->type) || call->type->is_complex ||
                is_structure_value(call->type);
    if (!body || !good)
        return opening_fail(o);
    o->callee = call->decl;
    struct statements_left rest = {&body, 1, NULL};
    const struct ast *value = value_returned(o, rest, &list);
    o->callee = outer;
    bool is_partial = !o->fails && value->kind == AST_LITERAL && !is_full_list(value);
    if (o->fails || is_partial || repeats_calls(o, call, body, value, first))
        return opening_fail(o);     /* partial: of a structure some members of which nobody set */
    return value;
}

static const struct ast *effect_of_call(struct opening *o, const struct ast *call)
{
    called_list list = {0};
    node_list stores = {0};
    const struct ast *body = call_enter(o, call, &list);
    if (!body)
        return opening_fail(o);
    o->callee = call->decl;
    struct statements_left rest = {&body, 1, NULL};
    effect_of(o, rest, &list, &stores);
    const struct ast *block = stores_block(o, &stores);
    if (o->fails || !stores.count || repeats_calls(o, call, body, block, 0))
        return opening_fail(o);
    return stores.count == 1 && stores.at[0]->kind == AST_ASSIGN ? stores.at[0] : block;
}

/* The result takes the call's place and bytes. */
static void call_replace(struct opening *o, const struct ast *call, const struct ast *result)
{
    bool is_literal = result->kind == AST_INTEGER || result->kind == AST_REAL ||
                      result->kind == AST_CHARACTER || result->kind == AST_SIZEOF;
    if (is_literal)
        result = form_make(o->arena, AST_CAST, call, result->type, 1, &result);
    struct ast copy = *result;
    copy.begin = call->begin;
    copy.end = call->end;
    copy.is_made = true;
    copy.is_macro = copy.is_macro_end = false;
    *form_change(call) = copy;
}

/* Puts what a call computes in its place. Values get names only where the text without them would
   repeat a call or be too long. */
static void call_open(struct opening *o, const struct ast *call, bool is_statement)
{
    struct opening opening = *o;
    const struct ast_moved *moved = o->unit->moved;
    size_t n_declared = o->names ? o->names->declared->count : 0;
    if (call->is_macro || call->is_part || !call->decl || !passes_structure(call->decl))
        return;
    opening.place = call;
    opening.names = NULL;
    const struct ast *result = is_statement ? effect_of_call(&opening, call)
                                            : value_of_call(&opening, call);
    if (opening.fails && o->names) {
        opening = *o;
        opening.place = call;
        result = value_of_call(&opening, call);
    }
    if (!opening.fails) {
        call_replace(&opening, call, result);
    } else if (o->names) {
        o->names->declared->count = n_declared;
        o->unit->moved = moved;
    }
}

/* `c ? sum(a, b) : a` as a choice for each member. */
static void structure_choose(struct opening *o, const struct ast *choice)
{
    struct opening opening = *o;
    const struct ast *yes = choice->children[1], *no = choice->children[2];
    bool good = (is_full_list(yes) || is_place(yes)) && (is_full_list(no) || is_place(no)) &&
                (is_full_list(yes) || is_full_list(no));
    opening.place = choice;
    if (!good || choice->is_macro || choice->is_part || !is_structure_value(choice->type) ||
        !is_calm_value(o, choice) || (!o->names && nodes_count(o, choice) > OPENING_NODES_MAX))
        return;
    call_replace(&opening, choice,
                 value_choose(&opening, choice->type, choice->children[0], yes, no));
}

/* May declarations of values that the statement needs stand before it? The statement has no effect
   but its own assignment or declaration. */
static bool takes_names(struct opening *o, const struct ast *statement)
{
    bool takes = statement->kind == AST_ASSIGN || statement->kind == AST_IF ||
                 (statement->kind == AST_DECLARE && statement->n_children == 1);
    int n = statement->kind == AST_IF ? 1 : statement->n_children;
    for (int i = 0; i < n && takes; i++)
        takes = is_calm_value(o, statement->children[i]);
    return takes;
}

/* The statement behind the declarations; both stand in the place of the statement. */
static void names_declare(struct opening *o, const struct ast *parent, int child,
                          const node_list *declared)
{
    const struct ast *statement = parent->children[child];
    bool is_block = parent->kind == AST_COMPOUND;
    int n_before = is_block ? child : 0, end = is_block ? parent->n_children : 0;
    node_list list = {0};
    for (int i = 0; i < n_before; i++)
        vec_push(o->arena, &list, parent->children[i]);
    for (size_t i = 0; i < declared->count; i++) {
        struct ast *declare = form_change(declared->at[i]);
        struct ast *variable = form_change(declare->children[0]);
        declare->begin = declare->end = variable->begin = variable->end = statement->begin;
        vec_push(o->arena, &list, declare);
    }
    vec_push(o->arena, &list, statement);
    for (int i = child + 1; i < end; i++)
        vec_push(o->arena, &list, parent->children[i]);
    if (is_block) {
        form_change(parent)->children = list.at;
        form_change(parent)->n_children = (int)list.count;
        form_change(parent)->is_made = true;
    } else {
        const struct ast **children = ARENA_ARRAY(o->arena, const struct ast *,
                                                  parent->n_children);
        memcpy(children, parent->children, (size_t)parent->n_children * sizeof *children);
        children[child] = form_make(o->arena, AST_COMPOUND, statement, NULL, (int)list.count,
                                    list.at);
        form_change(parent)->children = children;
    }
}

static void calls_open_below(struct opening *o, const struct ast *ast, const struct ast *loop,
                             bool in_loop)
{
    bool enters = !loop && ast->kind == AST_FOR && !loop_is_of_host(o->arena, o->unit, ast);
    loop = enters ? ast : loop;
    in_loop = in_loop || ast_is_loop(ast);
    for (int i = 0; i < ast->n_children; i++) {
        const struct ast *child = ast->children[i];
        struct opening inner = *o;
        node_list declared = {0};
        struct opened_names names = {o->words, loop, &declared};
        if (!child)
            continue;
        if (statement_is(ast, i)) {
            inner.names = loop && takes_names(o, child) ? &names : NULL;
            inner.is_choice = false;
        }
        inner.is_choice |= i > 0 && has_choice(ast);
        calls_open_below(&inner, child, loop, in_loop);
        if (in_loop && child->kind == AST_CALL)
            call_open(&inner, child, statement_is(ast, i));
        if (in_loop && child->kind == AST_CONDITIONAL)
            structure_choose(&inner, child);
        if (declared.count)
            names_declare(o, ast, i, &declared);
        i += ast->kind == AST_COMPOUND ? (int)declared.count : 0;
    }
}

void calls_open(struct arena *arena, struct ast_unit *unit, const struct word_list *words,
                const struct ast *function, const struct ast *body)
{
    struct opening o = {.arena = arena, .unit = unit, .function = function, .body = body,
                        .words = words_again(arena, words)};
    calls_open_below(&o, body, NULL, false);
}

/* The results of two runs: visible elements of memory, the returned value, events.

   In: two runs that returned. Out: the difference whose element the source wrote first, at the
   statement that wrote it. Memory that only one side knows is not compared, nor what an allocation
   held before the source wrote there. */
#include "replay/trial.h"

static bool is_shared(const struct object *object)
{
    return object && (object->kind == OBJECT_PARAMETER || object->kind == OBJECT_GLOBAL ||
                      object->kind == OBJECT_POINTED || object->kind == OBJECT_HEAP);
}

/* "`y[3]`", "`n`", "element 5 of `A`". */
static const char *element_name(struct arena *arena, const struct object *object, int64_t offset,
                                int bytes)
{
    const struct ast_type *element = object->element;
    bool is_flat = element && class_bytes(element->class) > 0;
    if (object->kind == OBJECT_GLOBAL && object->is_scalar && !offset)
        return arena_printf(arena, "`%s`", object->name);
    if (is_flat)
        return arena_printf(arena, "`%s[%lld]`", object->name, (long long)(offset / bytes));
    return arena_printf(arena, "element %lld of `%s`", (long long)(offset / bytes), object->name);
}

static bool is_comparable(struct value a, struct value b, enum ast_class class)
{
    if (class != AST_TYPE_POINTER)
        return true;
    bool known_a = !a.object || is_shared(a.object), known_b = !b.object || is_shared(b.object);
    return known_a && known_b;
}

static void found(struct trial *trial, struct trial_difference *difference, const char *what,
                  struct loc loc, int64_t step)
{
    if (difference->what && difference->step <= step)
        return;
    difference->what = arena_strdup(trial->room->arena, what);
    difference->loc = loc;
    difference->step = step;
}

/* Do the values agree? Equal numbers of different elements do so only where a region may take
   either. */
static bool is_same(const struct trial *trial, struct value a, struct value b, enum ast_class class)
{
    bool is_open = trial->functions[1]->picks_reals && class_is_real(class);
    return value_is_equal(a, b, class) || (is_open && a.real == b.real);
}

/* The value of the element on the other side. */
static bool other_value(struct trial *trial, int side, struct object *object, int64_t offset,
                        const struct element *cell, struct value *value)
{
    const struct element *other = element_find(trial->runs[side].memory, cell->key);
    if (!other) {
        *value = world_initial(&trial->world, object, offset, cell->class);
        return true;
    }
    *value = other->value;
    if (ast_class_is_integer(other->class) && ast_class_is_integer(cell->class))
        *value = value_integer(class_wrap(cell->class, value->integer));
    return other->class == cell->class ||
           (ast_class_is_integer(other->class) && ast_class_is_integer(cell->class));
}

static void cell_compare(struct trial *trial, int side, const struct element *cell,
                         struct trial_difference *difference)
{
    struct object *object = trial->world.all.at[cell->key >> OBJECT_BITS];
    int64_t offset = element_offset(cell->key);
    struct value value;
    if (!is_shared(object) || object->is_constant || object->sides[side].is_dead)
        return;
    if (side == 1 && element_find(trial->runs[0].memory, cell->key))
        return;
    if (cell->is_unset || (side == 1 && object->is_unset))
        return;
    bool is_known = other_value(trial, !side, object, offset, cell, &value);
    const struct element *mapped = element_find(trial->runs[1].memory, cell->key);
    bool is_lost = side == 0 && (mapped ? mapped->is_unset : object->is_unset);
    difference->cells++;
    if (!is_lost && (!is_known || !is_comparable(cell->value, value, cell->class) ||
                     is_same(trial, cell->value, value, cell->class)))
        return;
    found(trial, difference, element_name(trial->arena, object, offset, cell->bytes),
          cell->writer->loc, side ? INT64_MAX - 1 : cell->step);
}

static void memories_compare(struct trial *trial, struct trial_difference *difference)
{
    for (int side = 0; side < 2; side++) {
        const struct elements *memory = trial->runs[side].memory;
        for (size_t i = 0; i < memory->size; i++)
            if (memory->cells[i].round == memory->round)
                cell_compare(trial, side, &memory->cells[i], difference);
    }
}

static void events_compare(struct trial *trial, struct trial_difference *difference)
{
    const event_list *a = &trial->runs[0].events, *b = &trial->runs[1].events;
    size_t least = a->count < b->count ? a->count : b->count;
    for (size_t i = 0; i < least; i++) {
        difference->cells++;
        if (a->at[i].term == b->at[i].term)
            continue;
        found(trial, difference,
              arena_printf(trial->arena, "what call %zu of `%s` is given", i + 1, a->at[i].name),
              a->at[i].loc, INT64_MAX - 2);
        return;
    }
    if (a->count == b->count)
        return;
    const struct event *event = a->count > b->count ? &a->at[least] : &b->at[least];
    found(trial, difference, arena_printf(trial->arena, "whether `%s` is called", event->name),
          event->loc, INT64_MAX - 2);
}

struct trial_difference trial_compare(struct trial *trial)
{
    struct trial_difference difference = {0};
    const struct function_code *function = trial->functions[0];
    struct value a = trial->runs[0].result, b = trial->runs[1].result;
    memories_compare(trial, &difference);
    events_compare(trial, &difference);
    if (!class_bytes(function->class) || !trial->runs[0].has_result)
        return difference;
    difference.cells++;
    if (is_comparable(a, b, function->class) && !is_same(trial, a, b, function->class))
        found(trial, &difference, "what it returns", function->loc, INT64_MAX);
    return difference;
}

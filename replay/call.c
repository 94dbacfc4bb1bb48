/* Calls: functions of the file are run, those of <math.h> computed, memory is made; others are
   events with their arguments and what the program's memory holds, and give a small number. */
#include "replay/run.h"
#include <string.h>

enum { ARGUMENTS_MAX = 32 };

static void extents_set(struct run *run, const struct function_code *function)
{
    if (function->extents)
        code_perform(run, function->extents);
}

static void enter(struct run *run, const struct function_code *function,
                  const struct value *arguments)
{
    struct slot *outer = run->frame;
    size_t n_slots = run->n_slots;
    if (run->n_slots + (size_t)function->n_slots > SLOTS_MAX || run->depth == CALLS_MAX) {
        run_stop(run, RUN_UNKNOWN, "calls that are nested too deeply", NULL);
        return;
    }
    run->frame = run->slots + n_slots;
    run->n_slots += (size_t)function->n_slots;
    run->depth++;
    for (int i = 0; i < function->n_slots; i++)
        run->frame[i].is_set = false;
    for (int i = 0; i < function->n_parameters; i++)
        run->frame[i] = (struct slot){arguments[i], true};
    extents_set(run, function);
    if (!function->body)
        run_stop(run, RUN_UNKNOWN, "a function without a body", NULL);
    else
        code_perform(run, function->body);
    run->depth--;
    run->n_slots = n_slots;
    run->frame = outer;
}

void run_function(struct run *run, const struct function_code *function,
                  const struct value *arguments)
{
    enter(run, function, arguments);
    if (run->end == RUN_GOES)
        run->end = RUN_RETURNED;
}

static bool arguments_of(struct run *run, const struct code *code, struct value *values)
{
    if (code->n > ARGUMENTS_MAX) {
        run_stop(run, RUN_UNKNOWN, "a call of many arguments", code);
        return false;
    }
    for (int i = 0; i < code->n; i++)
        values[i] = code_value(run, code->list[i]);
    return !run->end;
}

/* Forgets the result of a call, which its caller has taken: a caller that ends the program, or has
   no `return`, gives no result. */
static void result_clear(struct run *run)
{
    run->result = value_integer(0);
    run->has_result = false;
}

static struct value called(struct run *run, const struct code *code)
{
    struct value arguments[ARGUMENTS_MAX];
    if (!arguments_of(run, code, arguments))
        return value_integer(0);
    if (++run->steps > run->limit)
        run_stop(run, RUN_LONG, "too many steps", code);
    result_clear(run);
    enter(run, code->function, arguments);
    struct value result = run->result;
    result_clear(run);
    return result;
}

static struct value computed(struct run *run, const struct code *code)
{
    struct value arguments[ARGUMENTS_MAX], value = value_real(0);
    if (!arguments_of(run, code, arguments))
        return value;
    if (code->value < 0) {
        if (arguments[0].integer < 0)
            run_check(run, value_negate(code->class, arguments[0], &arguments[0]), code);
        return arguments[0];
    }
    for (int i = 0; i < code->n; i++)
        run_check(run, value_convert(arguments[i], code->list[i]->class, code->from,
                                     run->world->sums, &arguments[i]), code);
    if (!run_check(run, value_function((int)code->value, code->from, arguments,
                                       run->world->sums, &value), code))
        return value;
    if (code->class != code->from)
        run_check(run, value_convert(value, code->from, code->class, run->world->sums, &value),
                  code);
    return value;
}

/* --- events ----------------------------------------------------------------------------------- */

static bool is_seen(const struct object *object)
{
    return object && object->kind != OBJECT_LOCAL && object->kind != OBJECT_OWN;
}

static uint64_t term_of(const struct object *object, int64_t offset, struct value value,
                        enum ast_class class)
{
    uint64_t term = term_mix(is_seen(object) ? object->id : 5, (uint64_t)offset);
    if (class_is_real(class))
        return term_mix(term, value.term);
    if (class == AST_TYPE_POINTER)
        return term_mix(term, is_seen(value.object) ? value.object->id : 7);
    return term_mix(term, (uint64_t)value.integer);
}

static struct object *object_of(const struct world *world, uint64_t id)
{
    return id < world->all.count ? world->all.at[id] : NULL;
}

/* A sum over the visible elements of memory whose values differ from the initial ones. */
static uint64_t memory_term(struct run *run)
{
    const struct elements *memory = run->memory;
    uint64_t sum = 0;
    for (size_t i = 0; i < memory->size; i++) {
        const struct element *cell = &memory->cells[i];
        if (cell->round != memory->round || cell->is_unset)
            continue;
        struct object *object = object_of(run->world, cell->key >> OBJECT_BITS);
        int64_t offset = element_offset(cell->key);
        if (!is_seen(object) || object->sides[run->side].is_dead)
            continue;
        struct value first = world_initial(run->world, object, offset, cell->class);
        if (object->is_unset || !value_is_equal(first, cell->value, cell->class))
            sum += term_of(object, offset, cell->value, cell->class);
    }
    run->steps += (int64_t)memory->size / 8;
    return sum;
}

static void event_add(struct run *run, const struct code *code, uint64_t term)
{
    struct event event = {term, code->name, code->loc};
    vec_push(run->arena, &run->events, event);
}

/* A function that nobody knows changes what it can reach; of that the beginning stands for all. */
static void reached_change(struct run *run, const struct code *code, struct value pointer,
                           const struct code *argument)
{
    enum ast_class class = (enum ast_class)argument->value;
    int bytes = class_bytes(class);
    bool is_changed = argument->op == CODE_CONVERT && pointer.object && bytes;
    for (int i = 0; is_changed && i < 2; i++) {
        struct value address = pointer, value = value_integer((int64_t)run->events.count % 5);
        address.integer += (int64_t)i * bytes;
        if (class_is_real(class))
            value = value_real((double)(run->events.count * 3 + (size_t)i) / 16);
        if (class != AST_TYPE_POINTER)
            element_store(run, address, class, value, code);
    }
}

/* A pointer that such a function gives leads to memory that both sides see. */
static struct value given(struct run *run, const struct code *code, size_t number)
{
    const char *key = arena_printf(run->arena, "%s %zu", code->name, number);
    struct object *object = map_get(run->world->pointed, key);
    if (!object) {
        object = world_object(run->world, OBJECT_POINTED, key);
        map_put(run->world->pointed, key, object);
    }
    return value_pointer(object, 0);
}

static struct value asked(struct run *run, const struct code *code)
{
    struct value arguments[ARGUMENTS_MAX];
    if (!arguments_of(run, code, arguments))
        return value_integer(0);
    uint64_t term = term_mix(term_text(code->name), memory_term(run));
    for (int i = 0; i < code->n; i++)
        term = term_mix(term, term_of(NULL, i, arguments[i], code->list[i]->class));
    event_add(run, code, term);
    for (int i = 0; i < code->n; i++)
        if (code->list[i]->class == AST_TYPE_POINTER)
            reached_change(run, code, arguments[i], code->list[i]);
    if (!strcmp(code->name, "exit") || !strcmp(code->name, "abort") ||
        !strcmp(code->name, "_Exit")) {
        run->end = RUN_RETURNED;
        return value_integer(0);
    }
    size_t number = run->events.count;
    if (code->class == AST_TYPE_POINTER)
        return given(run, code, number);
    if (class_is_real(code->class))
        return value_real((double)(number % 7) / 4);
    return value_integer(class_wrap(code->class, world_size(run->world, number, code->class)));
}

/* --- memory ----------------------------------------------------------------------------------- */

static struct value allocated(struct run *run, const struct code *code)
{
    struct value sizes[ARGUMENTS_MAX];
    bool is_own = code->value != 0;
    if (!arguments_of(run, code, sizes))
        return value_pointer(NULL, 0);
    if (is_own && run->world->lacks_memory)
        return value_pointer(NULL, 0);
    struct object *object = is_own ? world_object(run->world, OBJECT_OWN, "memory")
                                   : world_heap(run->world, run->n_heap++);
    object->is_unset = true;
    object->is_zero = code->n == 2;
    if (object->is_zero)
        object->is_unset = false;
    if (!run->world->is_shrunk)
        object->size = code->n == 2 ? sizes[0].integer * sizes[1].integer : sizes[0].integer;
    return value_pointer(object, 0);
}

static void freed(struct run *run, const struct code *code)
{
    struct value address = code_value(run, code->list[0]);
    struct object *object = address.object;
    if (!object || run->end)
        return;
    if (object->sides[run->side].is_dead || address.integer)
        run_stop(run, RUN_UNDEFINED, "memory is freed twice", code);
    object->sides[run->side].is_dead = true;
}

/* Copies elements one by one, backwards if the target lies behind the source. */
static void copied(struct run *run, const struct code *code, const struct value *arguments)
{
    enum ast_class class = code->from;
    int64_t bytes = class_bytes(class), n = arguments[2].integer / bytes;
    bool backward = value_compare(AST_OP_GT, AST_TYPE_POINTER, arguments[0], arguments[1]);
    if (arguments[2].integer % bytes)
        run_stop(run, RUN_UNKNOWN, "part of an element is copied", code);
    for (int64_t i = 0; i < n && !run->end; i++) {
        struct value to = arguments[0], from = arguments[1];
        int64_t at = (backward ? n - 1 - i : i) * bytes;
        to.integer += at;
        from.integer += at;
        element_store(run, to, class, element_load(run, from, class, code), code);
    }
}

static void filled(struct run *run, const struct code *code, const struct value *arguments)
{
    enum ast_class class = code->from;
    int64_t bytes = class_bytes(class), n = arguments[2].integer / bytes;
    struct value value = class_is_real(class) ? value_real(0) : value_integer(0);
    if (bytes == 1)
        value = value_integer(class_wrap(class, arguments[1].integer));
    else if (arguments[1].integer || class == AST_TYPE_POINTER)
        run_stop(run, RUN_UNKNOWN, "memset by another value than 0", code);
    if (arguments[2].integer % bytes)
        run_stop(run, RUN_UNKNOWN, "part of an element is set", code);
    for (int64_t i = 0; i < n && !run->end; i++) {
        struct value to = arguments[0];
        to.integer += i * bytes;
        element_store(run, to, class, value, code);
    }
}

static struct value moved(struct run *run, const struct code *code)
{
    struct value arguments[ARGUMENTS_MAX];
    if (!arguments_of(run, code, arguments))
        return value_pointer(NULL, 0);
    if (code->op == CODE_COPY)
        copied(run, code, arguments);
    else
        filled(run, code, arguments);
    return arguments[0];
}

static struct value asserted(struct run *run, const struct code *code)
{
    if (!code_value(run, code->list[0]).integer)
        run_stop(run, RUN_UNDEFINED, "an assert does not hold", code);
    return value_integer(0);
}

struct value call_value(struct run *run, const struct code *code)
{
    switch (code->op) {
    case CODE_CALL: return called(run, code);
    case CODE_MATH: return computed(run, code);
    case CODE_OPAQUE: return asked(run, code);
    case CODE_ALLOCATE: return allocated(run, code);
    case CODE_FREE: freed(run, code); return value_integer(0);
    case CODE_COPY:
    case CODE_FILL: return moved(run, code);
    case CODE_TUNABLE: return value_integer(world_tunable(run->world, code->name));
    case CODE_THREADS: return value_integer(run->world->threads);
    case CODE_PAYS: return value_integer(run->world->pays);
    case CODE_ASSERT: return asserted(run, code);
    default:
        run_stop(run, RUN_UNKNOWN, "a construct that the replay does not know", code);
        return value_integer(0);
    }
}

/* Values of expressions.

   In: code of a value and the state of the run. Out: the value, with the run's changes made. Where
   the run has ended values are of no account: whoever changes something or repeats looks first. */
#include "replay/run.h"
#include <limits.h>

void run_stop(struct run *run, enum run_end end, const char *reason, const struct code *code)
{
    if (run->end)
        return;
    run->end = end;
    run->reason = reason;
    run->at = code;
}

bool run_check(struct run *run, enum value_end end, const struct code *code)
{
    if (end == VALUE_UNDEFINED)
        run_stop(run, RUN_UNDEFINED, "arithmetic that C does not define", code);
    else if (end == VALUE_UNKNOWN)
        run_stop(run, RUN_UNKNOWN, "an operator of a type that is not known", code);
    return end == VALUE_GOOD;
}

static struct value slot_value(struct run *run, const struct code *code)
{
    const struct slot *slot = &run->frame[code->slot];
    if (!slot->is_set)
        run_stop(run, RUN_UNDEFINED, "a variable without a value is read", code);
    return slot->value;
}

static struct value converted(struct run *run, const struct code *code)
{
    struct value value = code_value(run, code->a);
    run_check(run, value_convert(value, code->from, code->class, run->world->sums, &value), code);
    return value;
}

static struct value unary(struct run *run, const struct code *code)
{
    struct value value = code_value(run, code->a);
    if (code->op == CODE_NOT)
        return value_integer(!value_is_true(value, code->from));
    if (code->op == CODE_COMPLEMENT)
        return value_integer(class_wrap(code->class, ~value.integer));
    run_check(run, value_negate(code->class, value, &value), code);
    return value;
}

static struct value arithmetic(struct run *run, const struct code *code)
{
    struct value a = code_value(run, code->a), b = code_value(run, code->b);
    run_check(run, value_compute(code->how, code->class, a, b, run->world->sums, &a), code);
    return a;
}

static struct value compared(struct run *run, const struct code *code)
{
    struct value a = code_value(run, code->a), b = code_value(run, code->b);
    return value_integer(value_compare(code->how, code->from, a, b));
}

static bool truth(struct run *run, const struct code *code)
{
    return value_is_true(code_value(run, code), code->class);
}

static struct value logical(struct run *run, const struct code *code)
{
    bool left = truth(run, code->a);
    bool decides = code->op == CODE_BOTH ? !left : left;
    return value_integer(decides || run->end ? left : truth(run, code->b));
}

static struct value last_value(struct run *run, const struct code *code)
{
    for (int i = 0; i + 1 < code->n && !run->end; i++)
        code_perform(run, code->list[i]);
    return code->n && !run->end ? code_value(run, code->list[code->n - 1]) : value_integer(0);
}

/* --- addresses -------------------------------------------------------------------------------- */

static int64_t stride_of(struct run *run, const struct code *code)
{
    return code->stride >= 0 ? code->stride : code_value(run, code->c).integer;
}

/* A subscript beyond its row is no difference by itself in the mapped text: the source may reach
   the same element by a pointer to the row. The contents of memory tell a wrong element. */
static struct value element(struct run *run, const struct code *code)
{
    struct value address = code_value(run, code->a);
    int64_t index = code_value(run, code->b).integer, bytes;
    int64_t extent = code->d ? code_value(run, code->d).integer : INT64_MAX;
    if (code->d && (run->side == 0 || !code->is_row) && (index < 0 || index >= extent))
        run_stop(run, RUN_UNDEFINED, "a subscript is outside of its array", code);
    if (__builtin_mul_overflow(index, stride_of(run, code), &bytes) ||
        __builtin_add_overflow(address.integer, bytes, &address.integer))
        run_stop(run, RUN_UNDEFINED, "an address is too far", code);
    return address;
}

static struct value advance(struct run *run, const struct code *code)
{
    struct value address = code_value(run, code->a);
    int64_t by = code_value(run, code->b).integer, bytes;
    if (__builtin_mul_overflow(by, stride_of(run, code), &bytes)) {
        run_stop(run, RUN_UNDEFINED, "an address is too far", code);
        return address;
    }
    address.integer += code->how == AST_OP_SUB ? -bytes : bytes;
    return address;
}

static struct value distance(struct run *run, const struct code *code)
{
    struct value a = code_value(run, code->a), b = code_value(run, code->b);
    int64_t stride = stride_of(run, code);
    if (a.object != b.object || stride <= 0)
        run_stop(run, RUN_UNDEFINED, "pointers of two objects are subtracted", code);
    return value_integer(stride > 0 ? (a.integer - b.integer) / stride : 0);
}

struct object *run_global(struct run *run, int64_t number)
{
    const struct global_code *global = &run->program->globals.at[number];
    struct object *object = run->globals[number];
    if (object)
        return object;
    object = world_global(run->world, global->name, global->type);
    run->globals[number] = object;
    if (global->is_known) {
        object->is_zero = object->is_constant = true;
        const struct strand *strand = run->strand;
        run->strand = NULL;
        if (global->initial)
            code_perform(run, global->initial);
        run->strand = strand;
    }
    return object;
}

static struct value string_value(struct run *run, const struct code *code)
{
    struct object *object = map_get(run->world->named, code->name);
    if (!object) {
        object = world_object(run->world, OBJECT_STRING, code->name);
        map_put(run->world->named, code->name, object);
    }
    return value_pointer(object, 0);
}

/* --- changes ---------------------------------------------------------------------------------- */

static void mark(struct run *run, const struct code *code)
{
    if (code->mark >= 0 && run->marks[code->mark] < UCHAR_MAX)
        run->marks[code->mark]++;
}

/* old `how` value, in the class of the assignment's target: computed in class `from`. */
static struct value combined(struct run *run, const struct code *code, struct value old,
                             struct value value)
{
    if (code->class == AST_TYPE_POINTER) {
        int64_t bytes = value.integer * stride_of(run, code);
        old.integer += code->how == AST_OP_SUB ? -bytes : bytes;
        return old;
    }
    bool shifts = code->how == AST_OP_SHL || code->how == AST_OP_SHR;
    enum value_end end = value_convert(old, code->class, code->from, run->world->sums, &old);
    if (end == VALUE_GOOD && !shifts)
        end = value_convert(value, code->b->class, code->from, run->world->sums, &value);
    if (end == VALUE_GOOD)
        end = value_compute(code->how, code->from, old, value, run->world->sums, &old);
    if (end == VALUE_GOOD)
        end = value_convert(old, code->from, code->class, run->world->sums, &old);
    run_check(run, end, code);
    return old;
}

static struct value set_slot(struct run *run, const struct code *code)
{
    struct value value = code_value(run, code->b);
    if (run->end)
        return value;
    if (code->how)
        value = combined(run, code, slot_value(run, code), value);
    run->frame[code->slot] = (struct slot){value, true};
    mark(run, code);
    return value;
}

static struct value set_extent(struct run *run, const struct code *code)
{
    struct value value = set_slot(run, code);
    if (value.integer < 0)
        run_stop(run, RUN_UNDEFINED, "a row has an extent below 0", code);
    return value;
}

static struct value store(struct run *run, const struct code *code)
{
    bool copies = !code->how && code->b->op == CODE_LOAD && code->b->class == code->class;
    struct value address = code_value(run, code->a),
                 value = code_value(run, copies ? code->b->a : code->b);
    if (code->how)
        value = combined(run, code, element_load(run, address, code->class, code), value);
    if (run->end)
        return value;
    if (copies)
        value = element_copy(run, address, value, code);
    else
        element_store(run, address, code->class, value, code);
    mark(run, code);
    return value;
}

static struct value step(struct run *run, const struct code *code)
{
    bool is_slot = code->op == CODE_STEP_SLOT;
    struct value address = is_slot ? value_integer(0) : code_value(run, code->a);
    struct value old = is_slot ? slot_value(run, code)
                               : element_load(run, address, code->class, code);
    struct value value = old, one = value_integer(1);
    enum value_sums sums = run->world->sums;
    if (class_is_real(code->class))
        one = value_real(1);
    if (run->end)
        return old;
    if (code->class == AST_TYPE_POINTER)
        value.integer += code->how == AST_OP_SUB ? -stride_of(run, code) : stride_of(run, code);
    else if (run_check(run, value_convert(old, code->class, code->from, sums, &value), code) &&
             run_check(run, value_compute(code->how, code->from, value, one, sums, &value), code))
        run_check(run, value_convert(value, code->from, code->class, sums, &value), code);
    if (is_slot)
        run->frame[code->slot].value = value;
    else
        element_store(run, address, code->class, value, code);
    mark(run, code);
    return code->is_before ? old : value;
}

struct value code_value(struct run *run, const struct code *code)
{
    switch (code->op) {
    case CODE_CONSTANT:
        return class_is_real(code->class) ? value_real(code->real) : value_integer(code->value);
    case CODE_LITERAL: return value_integer(world_literal(run->world, code->value));
    case CODE_LIMIT: return value_integer(world_limit(run->world, code->value));
    case CODE_SLOT: return slot_value(run, code);
    case CODE_LOAD: return element_load(run, code_value(run, code->a), code->class, code);
    case CODE_CONVERT: return converted(run, code);
    case CODE_NEGATE:
    case CODE_COMPLEMENT:
    case CODE_NOT: return unary(run, code);
    case CODE_ARITHMETIC: return arithmetic(run, code);
    case CODE_COMPARE: return compared(run, code);
    case CODE_BOTH:
    case CODE_EITHER: return logical(run, code);
    case CODE_CHOICE: return code_value(run, truth(run, code->a) ? code->b : code->c);
    case CODE_SEQUENCE:
        code_value(run, code->a);
        return code_value(run, code->b);
    case CODE_BLOCK_VALUE: return last_value(run, code);
    case CODE_GLOBAL: return value_pointer(run_global(run, code->value), 0);
    case CODE_STRING: return string_value(run, code);
    case CODE_ELEMENT: return element(run, code);
    case CODE_MEMBER: {
        struct value address = code_value(run, code->a);
        address.integer += code->value;
        return address;
    }
    case CODE_ADVANCE: return advance(run, code);
    case CODE_DISTANCE: return distance(run, code);
    case CODE_SET_SLOT: return set_slot(run, code);
    case CODE_SET_EXTENT: return set_extent(run, code);
    case CODE_STORE: return store(run, code);
    case CODE_STEP_SLOT:
    case CODE_STEP: return step(run, code);
    case CODE_UNKNOWN:
        run_stop(run, RUN_UNKNOWN, code->name, code);
        return value_integer(0);
    default: return call_value(run, code);
    }
}

/* One trial: arguments are made, then both sides run on them.

   In: a number, from which everything follows. Out: the two runs, with their memories. */
#include "replay/trial.h"
#include <string.h>

static void world_begin(struct world *world, const struct trial_room *room, struct arena *arena,
                        const literal_list *literals, int number, bool is_shrunk)
{
    static const int limits[] = {-1, 0, -1, 2};
    *world = (struct world){.arena = arena,
                            .seed = term_mix(17, (uint64_t)number),
                            .number = number,
                            .order = (enum world_order)((number + 1) % 3),
                            .overlaps = number % 5 == 3 && !room->ctx->restricts,
                            .lacks_memory = number % 5 == 2,
                            .is_shrunk = is_shrunk,
                            .sums = room->ctx->reassociates ? SUMS_FREE : SUMS_ORDERED,
                            .threads = number % 4 < 2 ? 1 : (int64_t)1 << 30,
                            .pays = number % 8 != 5,
                            .limit = limits[number % 4],
                            .literals = literals,
                            .named = map_new(arena),
                            .pointed = map_new(arena)};
}

static enum ast_class scalar_class(const struct ast_type *type)
{
    while (type && (type->class == AST_TYPE_ARRAY))
        type = type->element;
    return type ? type->class : AST_TYPE_VOID;
}

static bool may_share(const struct ast_type *a, const struct ast_type *b)
{
    enum ast_class class = scalar_class(a->element);
    return !a->is_restrict && !b->is_restrict && class_bytes(class) &&
           class != AST_TYPE_POINTER && class == scalar_class(b->element);
}

/* A place in the memory of an earlier parameter, a few elements behind the beginning; false if no
   earlier parameter has such memory. */
static bool shared_place(struct trial *trial, const struct function_code *function, int at,
                         struct value *arguments)
{
    const struct ast_type *type = function->parameters[at].type;
    if (!trial->world.overlaps)
        return false;
    for (int i = 0; i < at; i++) {
        const struct ast_type *other = function->parameters[i].type;
        bool leads = other->class == AST_TYPE_POINTER || other->class == AST_TYPE_ARRAY;
        if (!leads || !may_share(other, type) || !arguments[i].object)
            continue;
        int64_t far = (int64_t)(term_mix(trial->world.seed, (uint64_t)at) % 3);
        arguments[at] = arguments[i];
        arguments[at].integer += far * class_bytes(scalar_class(type->element));
        return true;
    }
    return false;
}

/* In two of the trials sizes go up, or down, from parameter to parameter. */
static int64_t size_make(const struct trial *trial, int at, uint64_t name, enum ast_class class)
{
    if (class == AST_TYPE_BOOL || (trial->world.number != 1 && trial->world.number != 2))
        return world_size(&trial->world, name, class);
    return trial->world.number == 1 ? 2 + at % 7 : 8 - at % 7;
}

/* Is the pointer NULL in this trial? In a third of the trials all are that may be, in a third some
   of them. */
static bool is_null(const struct trial *trial, const struct parameter_code *parameter,
                    uint64_t name)
{
    const struct world *world = &trial->world;
    return parameter->may_be_null &&
           (world->number % 3 == 1 ||
            (world->number % 3 == 2 && term_mix(world->seed, name) % 2 == 0));
}

static struct value argument_make(struct trial *trial, int at)
{
    struct world *world = &trial->world;
    const struct parameter_code *parameter = &trial->functions[0]->parameters[at];
    const struct ast_type *type = parameter->type;
    bool leads = type->class == AST_TYPE_POINTER || type->class == AST_TYPE_ARRAY;
    uint64_t name = term_text(parameter->name ? parameter->name : "");
    if (is_null(trial, parameter, name))
        return value_integer(0);
    if (leads || parameter->is_object) {
        struct object *object = world_object(world, leads ? OBJECT_PARAMETER : OBJECT_LOCAL,
                                             parameter->name);
        object->element = leads ? type->element : type;
        object->is_scalar = scalar_class(object->element) == AST_TYPE_STRUCT;
        return value_pointer(object, 0);
    }
    if (!class_is_real(type->class))
        return value_integer(size_make(trial, at, name, type->class));
    struct value value = value_real(world_real(world, name));
    value.term = term_mix(world->seed, name);
    value.real = class_round(type->class, value.real);
    return value;
}

static void arguments_make(struct trial *trial, struct value *arguments)
{
    const struct function_code *function = trial->functions[0];
    for (int i = 0; i < function->n_parameters; i++) {
        const struct ast_type *type = function->parameters[i].type;
        bool leads = type->class == AST_TYPE_POINTER || type->class == AST_TYPE_ARRAY;
        if (!leads || !shared_place(trial, function, i, arguments))
            arguments[i] = argument_make(trial, i);
    }
}

static void side_run(struct trial *trial, int side, int64_t limit)
{
    struct trial_room *room = trial->room;
    struct run *run = &trial->runs[side];
    const struct replay_program *program = room->programs[side];
    elements_begin(&room->memories[side], room->arena);
    *run = (struct run){.ctx = room->ctx,
                        .arena = trial->arena,
                        .world = &trial->world,
                        .program = program,
                        .side = side,
                        .limit = limit,
                        .memory = &room->memories[side],
                        .slots = room->slots,
                        .frame = room->slots,
                        .globals = ARENA_ARRAY(trial->arena, struct object *,
                                               program->globals.count + 1),
                        .marks = room->marks[side]};
    memset(run->marks, 0, (size_t)program->n_marks + 1);
    run_function(run, trial->functions[side], trial->arguments);
}

void trial_begin(struct trial *trial, struct trial_room *room,
                 const struct function_code *const functions[2], int number, bool is_shrunk,
                 int64_t limit)
{
    *trial = (struct trial){.room = room, .arena = arena_new()};
    trial->functions[0] = functions[0];
    trial->functions[1] = functions[1];
    trial->arguments = ARENA_ARRAY(trial->arena, struct value, functions[0]->n_parameters + 1);
    world_begin(&trial->world, room, trial->arena, &room->programs[0]->literals, number, is_shrunk);
    if (number >= TRIALS_FEW)
        trial->world.stride = functions[1]->stride;
    arguments_make(trial, trial->arguments);
    side_run(trial, 0, limit);
}

void trial_follow(struct trial *trial, int64_t limit)
{
    side_run(trial, 1, limit);
}

void trial_end(struct trial *trial)
{
    arena_free(trial->arena);
}

static void size_add(struct str *out, const char *name, int64_t value)
{
    str_addf(out, "%s%s = %lld", out->length ? ", " : "with ", name, (long long)value);
}

const char *trial_sizes(struct arena *arena, const struct trial *trial)
{
    const struct function_code *function = trial->functions[0];
    struct str out = str_new(arena);
    for (int i = 0; i < function->n_parameters; i++) {
        const struct parameter_code *parameter = &function->parameters[i];
        if (ast_class_is_integer(parameter->type->class) && parameter->name && *parameter->name)
            size_add(&out, parameter->name, trial->arguments[i].integer);
    }
    return out.text;
}

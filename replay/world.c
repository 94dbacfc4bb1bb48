/* The common beginning of both sides of a trial.

   In: a trial's number. Out: sizes, initial values and choices. The first trials have equal sizes
   of a few iterations, then unlike ones, ones, zeros; integers in memory are small, as they may be
   subscripts, and in some objects they go up, as the beginnings of rows do. */
#include "replay/world.h"
#include <string.h>

struct object *world_object(struct world *world, enum object_kind kind, const char *name)
{
    struct object *object = ARENA_NEW(world->arena, struct object);
    if (!world->all.count)
        vec_push(world->arena, &world->all, NULL);
    object->id = world->all.count;
    vec_push(world->arena, &world->all, object);
    object->kind = kind;
    object->name = name;
    object->size = -1;
    object->seed = term_mix(world->seed, term_text(name));
    return object;
}

int64_t object_address(const struct object *object)
{
    return (int64_t)(object->id << OBJECT_BITS);
}

struct object *world_global(struct world *world, const char *name, const struct ast_type *type)
{
    struct object *object = map_get(world->named, name);
    if (object)
        return object;
    object = world_object(world, OBJECT_GLOBAL, name);
    object->size = type->bytes;
    object->element = type->class == AST_TYPE_ARRAY ? type->element : type;
    object->is_scalar = type->class != AST_TYPE_ARRAY;
    map_put(world->named, name, object);
    return object;
}

struct object *world_heap(struct world *world, size_t n)
{
    while (world->heap.count <= n) {
        struct object *object = world_object(world, OBJECT_HEAP, "memory");
        object->is_unset = true;
        vec_push(world->arena, &world->heap, object);
    }
    return world->heap.at[n];
}

/* --- values ----------------------------------------------------------------------------------- */

int64_t world_size(const struct world *world, uint64_t name, enum ast_class class)
{
    static const int few[] = {0, 1, 2, 3, 4, 5, 6, 8, 9, 12, -2, 3};
    uint64_t draw = term_mix(world->seed, name);
    int64_t size, rounds = 1 + world->number % 2;
    if (world->stride)
        return world->stride * rounds + 1 + (int64_t)(draw % 3);
    switch (world->number) {
    case 0: size = 4; break;
    case 1: size = 2 + (int64_t)(draw % 5); break;
    case 2: size = 3 + (int64_t)(draw % 5); break;
    case 3: size = 1; break;
    case 4: size = 5; break;
    case 5: size = (int64_t)(draw % 4); break;
    default: size = few[draw % (sizeof few / sizeof *few)];
    }
    if (size < 0 && !class_is_signed(class))
        size = 7;
    return class == AST_TYPE_BOOL ? size & 1 : size;
}

double world_real(const struct world *world, uint64_t name)
{
    uint64_t draw = term_mix(world->seed, name);
    switch (world->number % 3) {
    case 0: return ((double)(draw % 129) - 64) / 16;
    case 1: return (double)(draw % 65 + 1) / 64;
    default: return (double)(draw % 5) - 1;
    }
}

static int64_t integer_of(const struct world *world, const struct object *object, int64_t place,
                          enum ast_class class)
{
    uint64_t draw = term_mix(object->seed, (uint64_t)place);
    bool is_byte = class_bytes(class) == 1;
    if (class == AST_TYPE_BOOL)
        return (int64_t)(draw & 1);
    if (object->is_scalar)
        return world_size(world, draw, class);
    switch ((object->seed >> 40) % 6) {
    case 0: return (int64_t)(draw % 3);
    case 4: return (int64_t)(draw % 2);
    case 3: return (int64_t)(draw % (is_byte ? 4 : 1000));
    case 1: return (int64_t)(draw % (is_byte ? 120 : 7));
    case 2: return is_byte ? (int64_t)(draw % 50) : (place * 3 + (int64_t)(draw & 1)) / 2;
    default: return world->number > 2 ? (int64_t)(draw % 7) - 2 : (int64_t)(draw % 4);
    }
}

/* A pointer in memory leads to an object of its own: a list of these ends after LINKS_MOST. Where
   memory overlaps some of an array's pointers lead to what the first one leads to. */
enum { LINKS_MOST = 8 };

static struct value pointer_of(struct world *world, struct object *object, int64_t offset)
{
    char key[40];
    if (object->links == LINKS_MOST)
        return value_pointer(NULL, 0);
    if (world->overlaps && term_mix(object->seed, (uint64_t)offset) % 4 == 1)
        offset = 0;
    snprintf(key, sizeof key, "%llu+%lld", (unsigned long long)object->id, (long long)offset);
    struct object *target = map_get(world->pointed, key);
    if (!target) {
        target = world_object(world, OBJECT_POINTED, key);
        target->name = arena_printf(world->arena, "what %s leads to", object->name);
        target->links = object->links + 1;
        map_put(world->pointed, key, target);
    }
    return value_pointer(target, 0);
}

struct value world_initial(struct world *world, struct object *object, int64_t offset,
                           enum ast_class class)
{
    if (class == AST_TYPE_POINTER)
        return object->is_zero ? value_pointer(NULL, 0) : pointer_of(world, object, offset);
    int64_t place = offset / class_bytes(class);
    if (class_is_real(class)) {
        if (object->is_zero)
            return value_real(0);
        struct value value = {{.real = 0}, {.term = 0}};
        value.term = term_mix(object->seed, (uint64_t)offset);
        value.real = world_real(world, value.term);
        return value;
    }
    int64_t integer = object->is_zero ? 0 : integer_of(world, object, place, class);
    return value_integer(class_wrap(class, integer));
}

/* --- what the text says ----------------------------------------------------------------------- */

enum { NEAR = 8, MULTIPLES = 4 };

/* Each large literal has a small one in its place, and what is near it or near a multiple is as
   near to that. */
int64_t world_literal(const struct world *world, int64_t value)
{
    int64_t sign = value < 0 ? -1 : 1, size = value * sign;
    if (!world->is_shrunk || size < LITERAL_LARGE - NEAR)
        return value;
    for (size_t i = 0; i < world->literals->count; i++) {
        int64_t anchor = world->literals->at[i];
        for (int k = 1; k <= MULTIPLES && anchor > 0 && size / k >= anchor / 2; k++) {
            int64_t beyond = size - anchor * k;
            if (beyond >= -NEAR && beyond <= NEAR)
                return sign * ((10 + 3 * (int64_t)(i % 8)) * k + beyond);
        }
    }
    return value;
}

int64_t world_limit(const struct world *world, int64_t value)
{
    for (size_t i = 0; i < world->literals->count; i++) {
        int64_t beyond = value - world->literals->at[i];
        if (beyond >= -NEAR && beyond <= NEAR)
            return world_literal(world, value);
    }
    return world->limit < 0 ? value : world->limit;
}

int64_t world_tunable(const struct world *world, const char *name)
{
    static const int extents[] = {2, 3, 1, 4, 2, 3};
    return extents[term_mix(world->seed, term_text(name)) % (sizeof extents / sizeof *extents)];
}

/* Elements of one side's memory, in a hash table by address.

   In: addresses. Out: what was written there last, or the world's initial value. An element that is
   read in another size or at another beginning than it was written ends the run as unknown, except
   where no element is touched in two ways. */
#include "replay/memory.h"
#include "replay/run.h"

enum { CELLS_FIRST = 512 };

void elements_begin(struct elements *memory, struct arena *arena)
{
    if (!memory->size) {
        memory->arena = arena;
        memory->size = CELLS_FIRST;
        memory->cells = ARENA_ARRAY(arena, struct element, memory->size);
    }
    memory->round++;
    memory->count = 0;
}

uint64_t element_key(const struct object *object, int64_t offset)
{
    return (object->id << OBJECT_BITS) + (uint64_t)(offset + ((int64_t)1 << (OBJECT_BITS - 1)));
}

int64_t element_offset(uint64_t key)
{
    return (int64_t)(key & (((uint64_t)1 << OBJECT_BITS) - 1)) - ((int64_t)1 << (OBJECT_BITS - 1));
}

static struct element *place_of(const struct elements *memory, uint64_t key)
{
    uint64_t mask = memory->size - 1;
    uint64_t at = (key * 0x9e3779b97f4a7c15u) >> 32;
    for (at &= mask;; at = (at + 1) & mask) {
        struct element *cell = &memory->cells[at];
        if (cell->round != memory->round || cell->key == key)
            return cell;
    }
}

const struct element *element_find(const struct elements *memory, uint64_t key)
{
    const struct element *cell = place_of(memory, key);
    return cell->round == memory->round ? cell : NULL;
}

static void grow(struct elements *memory)
{
    struct element *old = memory->cells;
    size_t size = memory->size;
    memory->size *= 2;
    memory->cells = ARENA_ARRAY(memory->arena, struct element, memory->size);
    for (size_t i = 0; i < size; i++)
        if (old[i].round == memory->round)
            *place_of(memory, old[i].key) = old[i];
}

/* Does an element lie across the bytes, without being them? */
static bool is_crossed(const struct elements *memory, const struct object *object, int64_t offset,
                       int bytes)
{
    for (int64_t other = offset - 7; other < offset + bytes; other++) {
        const struct element *cell = element_find(memory, element_key(object, other));
        bool is_same = other == offset && cell && cell->bytes == bytes;
        if (cell && !is_same && other + cell->bytes > offset)
            return true;
    }
    return false;
}

/* The object of an address that may be touched; NULL when the run has ended. */
static struct object *touched(struct run *run, struct value address, int bytes,
                              const struct code *code)
{
    const int64_t far = (int64_t)1 << (OBJECT_BITS - 2);
    struct object *object = address.object;
    int64_t offset = address.integer;
    if (run->end)
        return NULL;
    if (++run->steps > run->limit) {
        run_stop(run, RUN_LONG, "too many steps", code);
        return NULL;
    }
    struct object_side *side = object ? &object->sides[run->side] : NULL;
    if (!object || side->is_dead || offset < -far || offset > far ||
        (object->size >= 0 && (offset < 0 || offset + bytes > object->size))) {
        run_stop(run, RUN_UNDEFINED, "memory outside of objects is touched", code);
        return NULL;
    }
    if (!side->grain)
        side->grain = bytes;
    side->is_mixed |= side->grain != bytes || offset % bytes;
    if (!side->is_mixed || !is_crossed(run->memory, object, offset, bytes))
        return object;
    run_stop(run, RUN_UNKNOWN, "bytes of one type are touched as another", code);
    return NULL;
}

/* Did another thread write there, without a barrier between? Accumulations may meet. */
static bool is_raced(struct run *run, const struct element *cell, const struct code *code)
{
    if (code->is_reduced && cell->writer->is_reduced)
        return false;
    if (cell->strand == run->strand || !strands_are_concurrent(cell->strand, run->strand))
        return false;
    run_stop(run, RUN_UNDEFINED, "two threads of a region touch one element", code);
    return true;
}

/* Did nobody write a value there, in an object that begins without? */
static bool is_unset(const struct run *run, const struct object *object, int64_t offset)
{
    const struct element *cell = element_find(run->memory, element_key(object, offset));
    return cell ? cell->is_unset : object->is_unset;
}

struct value element_load(struct run *run, struct value address, enum ast_class class,
                         const struct code *code)
{
    int bytes = class_bytes(class);
    struct object *object = touched(run, address, bytes, code);
    if (!object)
        return value_integer(0);
    const struct element *cell = element_find(run->memory, element_key(object, address.integer));
    if (cell && is_raced(run, cell, code))
        return value_integer(0);
    if (is_unset(run, object, address.integer))
        run_stop(run, RUN_UNDEFINED, "memory without a value is read", code);
    if (!cell)
        return world_initial(run->world, object, address.integer, class);
    if (cell->class == class)
        return cell->value;
    if (!ast_class_is_integer(cell->class) || !ast_class_is_integer(class)) {
        run_stop(run, RUN_UNKNOWN, "bytes of one type are read as another", code);
        return value_integer(0);
    }
    return value_integer(class_wrap(class, cell->value.integer));
}

void element_store(struct run *run, struct value address, enum ast_class class, struct value value,
                  const struct code *code)
{
    int bytes = class_bytes(class);
    struct object *object = touched(run, address, bytes, code);
    struct elements *memory = run->memory;
    if (!object)
        return;
    if (2 * memory->count >= memory->size)
        grow(memory);
    struct element *cell = place_of(memory, element_key(object, address.integer));
    if (cell->round == memory->round && is_raced(run, cell, code))
        return;
    memory->count += cell->round != memory->round;
    *cell = (struct element){.key = element_key(object, address.integer), .value = value,
                             .writer = code, .strand = run->strand, .step = run->steps,
                             .round = memory->round, .class = (unsigned char)class,
                             .bytes = (unsigned char)bytes};
}

struct value element_copy(struct run *run, struct value to, struct value from,
                          const struct code *code)
{
    struct object *object = touched(run, from, class_bytes(code->class), code->b);
    bool unset = object && is_unset(run, object, from.integer);
    struct value value = unset ? value_integer(0)
                               : element_load(run, from, code->class, code->b);
    if (run->end)
        return value;
    element_store(run, to, code->class, value, code);
    if (!run->end)
        place_of(run->memory, element_key(to.object, to.integer))->is_unset = unset;
    return value;
}

#ifndef REPLAY_MEMORY_H
#define REPLAY_MEMORY_H
#include "replay/world.h"

/* Memory of one side: the written elements by object and offset. Other elements have the world's
   initial values, so that an object needs no extent. */

struct run;
struct strand;

struct element {
    uint64_t key;
    struct value value;
    const struct code *writer;
    const struct strand *strand;     /* of the writer */
    int64_t step;                    /* of the write */
    unsigned round;                  /* of the memory that holds the element */
    unsigned char class, bytes;
    bool is_unset;                   /* a copy of memory without a value */
};

struct elements {
    struct arena *arena;
    size_t count, size;              /* size: a power of two */
    unsigned round;
    struct element *cells;
};

void elements_begin(struct elements *memory, struct arena *arena);
struct value element_load(struct run *run, struct value address, enum ast_class class,
                         const struct code *code);
void element_store(struct run *run, struct value address, enum ast_class class, struct value value,
                  const struct code *code);
/* `a = b` of elements of one class. Memory without a value may be copied, but not computed with. */
struct value element_copy(struct run *run, struct value to, struct value from,
                          const struct code *code);
/* NULL: nobody wrote there. */
const struct element *element_find(const struct elements *memory, uint64_t key);
uint64_t element_key(const struct object *object, int64_t offset);
int64_t element_offset(uint64_t key);

#endif

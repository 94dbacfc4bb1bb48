#ifndef REPLAY_WORLD_H
#define REPLAY_WORLD_H
#include "base/map.h"
#include "replay/code.h"
#include "replay/value.h"

/* The world of a trial's two sides: objects, their initial values, sizes, and choices such as the
   order of threads. Everything follows from the trial's number. */

enum object_kind {
    OBJECT_PARAMETER,                /* a pointer of the function's parameters leads to it */
    OBJECT_GLOBAL,
    OBJECT_POINTED,                  /* a pointer in memory leads to it */
    OBJECT_HEAP,                     /* the program allocated it */
    OBJECT_LOCAL,                    /* a variable of a function, on one side */
    OBJECT_OWN,                      /* the mapped text allocated it, for itself */
    OBJECT_STRING
};

/* Bytes between the beginnings of two objects. */
enum { OBJECT_BITS = 40 };

struct object_side {
    int grain;                       /* bytes of its elements; 0: not touched yet */
    bool is_mixed;                   /* elements of several sizes */
    bool is_dead;
};

struct object {
    uint64_t id;
    enum object_kind kind;
    const char *name;
    const struct ast_type *element;  /* of what a pointer leads to; NULL: not known */
    uint64_t seed;
    int64_t size;                    /* in bytes; -1: not known */
    bool is_unset;                   /* begins without values */
    bool is_zero;
    bool is_constant;                /* nothing may change it */
    bool is_scalar;                  /* integers in it are sizes */
    int links;                       /* pointers in memory that lead here, one to the next */
    struct object_side sides[2];
};

typedef VEC(struct object *) object_list;

enum world_order { ORDER_FORWARD, ORDER_BACKWARD, ORDER_MIXED };

struct world {
    struct arena *arena;
    uint64_t seed;
    int number;                      /* of the trial */
    enum world_order order;          /* of the threads of the mapped text */
    bool overlaps;                   /* parameters that may share memory do */
    bool lacks_memory;               /* the mapped text's own allocations fail */
    enum value_sums sums;
    bool is_shrunk;                  /* large literals are small */
    int64_t threads;                 /* of meta_threads() */
    bool pays;                       /* of meta_pays() */
    int64_t stride;                  /* sizes are beyond a round, or two, of such a step of the
                                        mapped text; 0: they are few */
    int64_t limit;                   /* in place of limits of the mapped text alone; -1: as
                                        written */
    const literal_list *literals;    /* of the source, large */
    object_list all;                 /* by id; 0: none */
    object_list heap;                /* by the order of allocation */
    struct map *named;               /* globals, by name */
    struct map *pointed;             /* objects by where the pointer stands */
};

struct object *world_object(struct world *world, enum object_kind kind, const char *name);
/* The file's variable of the name, the same for both sides. */
struct object *world_global(struct world *world, const char *name, const struct ast_type *type);
/* The n-th allocation of the program. */
struct object *world_heap(struct world *world, size_t n);
/* An integer parameter or variable: most often a size. */
int64_t world_size(const struct world *world, uint64_t name, enum ast_class class);
double world_real(const struct world *world, uint64_t name);
/* The value of an object's place before any write. */
struct value world_initial(struct world *world, struct object *object, int64_t offset,
                           enum ast_class class);
int64_t world_literal(const struct world *world, int64_t value);
int64_t world_limit(const struct world *world, int64_t value);
int64_t world_tunable(const struct world *world, const char *name);
int64_t object_address(const struct object *object);

#endif

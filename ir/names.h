#ifndef IR_NAMES_H
#define IR_NAMES_H
#include "base/map.h"
#include "ir/kernel.h"

/* Names taken in a kernel (by parameters, arrays, variables and its ring) and by what is being
   added to it. */
struct names {
    struct arena *arena;
    const struct kernel *kernel;
    struct map *taken;                  /* NULL until a name is asked for */
    struct map *numbers;                /* by stem: the last number tried */
};

struct names names_new(struct arena *arena, const struct kernel *kernel);
/* stem, or stem_2, stem_3 …; taken from now on. */
const char *names_fresh(struct names *names, const char *stem);

/* A name that is not used in the kernel, made from `stem` (stem itself, stem_2, …). Names handed
   out before count only once they are declared in the kernel. */
const char *kernel_fresh(struct arena *arena, const struct kernel *kernel, const char *stem);

#endif

#ifndef EMIT_AUTO_H
#define EMIT_AUTO_H
#include "base/vec.h"
#include "emit/host.h"

/* What auto.c (may there be a NAME_auto?) and auto_write.c (its text) share. */

struct divisions {
    struct arena *arena;
    const struct var *var;
    VEC(const struct expr *) found;
};
/* The divisions of the region's extents and loop bounds by `var`. */
struct divisions region_divisions(struct arena *arena, const struct region *region,
                                  const struct var *var);
/* The divisions that must be exact where NAME_auto chooses the tunables of the region, each once;
   those whose operands the host cannot compute are left out. None if there is no NAME_auto. */
struct exact_divisions {
    size_t count;
    const struct expr *const *at;
};
struct exact_divisions auto_exact_divisions(struct host *host, const struct tree *tree);
/* The candidates for a tunable are 1, 2, 4 … 2^(choices - 1). */
int tunable_choices(const struct region *region, const struct param *param);
/* Is the argument `name` of the function a tunable of one of its regions? */
bool auto_tunable(struct host *host, int function, const char *name);

#endif

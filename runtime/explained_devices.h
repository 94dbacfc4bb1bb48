#ifndef TREEFORK_EXPLAINED_DEVICES_H
#define TREEFORK_EXPLAINED_DEVICES_H
/* The part of an explanation about several devices. */
#include "runtime/explanation.h"

#pragma GCC visibility push(hidden)

/* Fills in all but who says the number: as many devices as the leaf is predicted to run on best, or
   as `several` gives. Nothing is owned after a failure. */
int treefork_devices_explain(struct treefork_evaluation *e, const struct treefork_several *several,
                             const struct treefork_leaf_row *leaf,
                             struct treefork_explained_devices *devices);
void treefork_devices_explained_free(struct treefork_explained_devices *devices);
/* Lines of an explanation. */
void treefork_devices_text(struct treefork_text *text,
                           const struct treefork_explained_devices *devices);
/* A member "devices" of its object, with the comma before it. */
void treefork_devices_json(struct treefork_text *text,
                           const struct treefork_explained_devices *devices);

#pragma GCC visibility pop
#endif

#ifndef CLI_PREDICT_H
#define CLI_PREDICT_H
#include "cli/cli.h"

/* The model's time for a leaf at a point (one entry per ring variable); NULL, or why there is none. */
const char *leaf_predict(struct ctx *ctx, const struct tree *tree, const struct variant *variant,
                         const struct treefork_machine *machine, const int64_t *point, struct treefork_prediction *prediction);

#endif

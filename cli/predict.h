#ifndef CLI_PREDICT_H
#define CLI_PREDICT_H
#include "cli/cli.h"

/* A launch at a point: its figures and the model's time for them. */
struct launch_time {
    struct treefork_figures figures;
    int64_t grid_width;                  /* blocks along the grid's last axis; 0 = all */
    struct treefork_prediction prediction;
};
/* A leaf at a point: its launches in order and the time of all, one after another. */
struct leaf_time {
    size_t n_launches;
    const struct launch_time *launches;
    int64_t threads;                     /* of the smallest block */
    struct treefork_prediction prediction;
};
/* The point has one entry per ring variable. NULL, or why there is none. */
const char *leaf_predict(struct ctx *ctx, const struct tree *tree, const struct variant *variant,
                         const struct treefork_machine *machine, const int64_t *point,
                         struct leaf_time *time);

#endif

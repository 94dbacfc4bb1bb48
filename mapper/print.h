#ifndef MAPPER_PRINT_H
#define MAPPER_PRINT_H
#include "mapper/names.h"

/* What print.c and thread.c share while a plan is printed. */

struct tunable_name {
    int place;                       /* of the axis, from x on */
    int64_t extent;
    const char *name;
};

struct plan_text {
    struct arena *arena;
    struct str *out;
    const struct scop *scop;
    struct word_list *words;
    VEC(struct tunable_name) tunables;
    const struct plan_region *region;   /* being printed */
    int depth;                       /* host loops around it */
    const char *wave;                /* the iterator of the wavefront around it */
    struct map *carried;             /* declaration of a scalar to the text of its element */
};

void line_begin(struct plan_text *t, int indent);
/* The sum without outer signs that a factor would need, plus a constant. */
const char *sum_text(struct plan_text *t, const struct affine *a, int64_t plus);
/* "i < n" for a limit of n - 1, "i <= n" for one of n; downwards "i > 0" or "i >= n". */
const char *limit_text(struct plan_text *t, const char *name, const struct affine *limit,
                       bool upper);
/* "for (int i = 0; i < n; i++)" */
const char *header_text(struct plan_text *t, const struct scop_loop *loop);
/* The region's member that a statement is of; NULL if it stands in another region. */
const struct plan_member *stmt_member(const struct plan_text *t, const struct scop_stmt *stmt);
/* The region's statements at or below a node, in the order of the source. */
void print_nodes(struct plan_text *t, const struct scop_node *node, int indent);
/* The statements of a body behind what stands in the line; `alias`: a declaration before them. */
void print_body(struct plan_text *t, const struct scop_node *body, const char *alias, bool braces,
                int indent);
void print_leaf(struct plan_text *t, const struct scop_node *node, int indent);

#endif

#ifndef CLI_PICTURE_H
#define CLI_PICTURE_H
#include "optimizer/tree.h"

/* The case tree in words, for the terminal (`treefork tree`): strategies and resources are named,
   the codes and letters of the paper stand behind. tree_print (optimizer/tree.h) has the
   paper's form. */

struct picture_style {
    bool ascii;                         /* no box-drawing characters */
    bool colour;
};

/* What is shown; NULL = everything. Ways without a leaf (a test) of the kind are left out, with a
   count. */
struct picture_filter {
    const char *strategy;               /* its name: leaves to which it was applied */
    const char *counter;                /* its name: tests of it, and its values */
};

/* "one element per thread"; the name itself where there are no words. */
const char *strategy_words(const char *name);
const char *counter_words(const char *name);

void picture_print(struct str *out, const struct tree *tree,
                   const struct picture_style *style, const struct picture_filter *filter);
/* One leaf: its cases, what it needs, all counters, its kernel and how that differs from the first
   leaf's. False if there is no leaf of that number. */
bool picture_leaf(struct ctx *ctx, struct str *out, const struct tree *tree, int id,
                  const struct picture_style *style);
/* "leaf 2: one element per thread (3b)", its cases and resources. */
void picture_variant(struct str *out, const struct tree *tree, const struct variant *variant,
                     const struct picture_style *style, const char *counter);

/* The lines of `after` that differ from those of `before`, with two lines around: "- old",
   "+ new". */
void lines_diff(struct str *out, const char *before, const char *after,
                const struct picture_style *style);

/* Should colours be used on this stream? Not where NO_COLOR is set to something, where it is no
   terminal or a dumb one. */
bool terminal_has_colour(FILE *stream);
/* Prints a text, on a terminal through the pager (PAGER, else less) unless `plain`. */
void terminal_print(const char *text, bool plain);

#endif

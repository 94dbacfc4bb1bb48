#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H
#include "emit/emit.h"

/* The case tree as one file for browsers, read from the disk without a network. */

/* A text of kernels and the source line of each of its lines (base/lines.h). */
struct page_text {
    const char *text;                     /* "" for none */
    const struct line_origins *lines;
};

struct page {
    const struct program *program;
    const struct tree *const *trees;
    struct page_text cuda, opencl, ptx;   /* as NAME.cu and NAME.cl; PTX of each launch's symbolic
                                             kernel, one behind the other */
    size_t n_machines;
    const char *const *machines;          /* texts of machine files, for the page's menu */
    const char *words;                    /* {"cse1": "…"}: what strategies and counters are */
    const struct tree *const *views;      /* the trees with projections, for areas; NULL */
    const char *tuning;                   /* a T4 document, or NULL */
};
/* False after a diagnostic. */
bool page_write(struct ctx *ctx, struct str *out, const struct page *page);

#endif

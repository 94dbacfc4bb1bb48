#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H
#include "emit/emit.h"

/* The case tree as one file for browsers, read from the disk without a network. */

struct page {
    const struct program *program;
    const struct tree *const *trees;
    const char *cuda, *opencl, *ptx;      /* NAME.cu, NAME.cl, NAME.ptx; "" for none */
    size_t n_machines;
    const char *const *machines;          /* texts of machine files, for the page's menu */
    const char *words;                    /* {"cse1": "…"}: what strategies and counters are */
    const struct tree *const *views;      /* the trees with projections, for areas; NULL */
    const char *tuning;                   /* a T4 document, or NULL */
};
/* False after a diagnostic. */
bool page_write(struct ctx *ctx, struct str *out, const struct page *page);

#endif

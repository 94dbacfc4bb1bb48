#ifndef CLI_PAGE_H
#define CLI_PAGE_H
#include "cli/cli.h"

/* Kernels of a program as `treefork build` writes them; "" where there are none. */
struct page_texts {
    const char *cuda, *opencl, *ptx;
};

/* The page of a program (page/page.h). False after a diagnostic. */
bool page_make(struct ctx *ctx, struct str *out, const struct program *program,
               const struct tree *const *trees, const struct page_texts *texts);
/* The same where the texts are not at hand. */
bool page_make_anew(struct ctx *ctx, struct str *out, const struct program *program,
                    const struct tree *const *trees);

#endif

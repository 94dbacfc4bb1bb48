#ifndef CLI_PAGE_H
#define CLI_PAGE_H
#include "cli/texts.h"

/* What a page may hold besides. */
struct page_extras {
    const struct tree *const *views;  /* the trees with projections; NULL: none */
    const char *tuning;               /* what `treefork tune --output` wrote; NULL: nothing */
};
/* The text of a T4 document, NULL after a diagnostic. */
const char *page_tuning(struct ctx *ctx, const char *path);
/* The page of a program (page/page.h). False after a diagnostic. */
bool page_make(struct ctx *ctx, struct str *out, const struct program *program,
               const struct tree *const *trees, const struct told_texts *told,
               const struct page_extras *extras);
/* The same into a file, with the texts of the kernels made for it. */
bool page_save(struct ctx *ctx, const char *path, const struct program *program,
               const struct tree *const *trees, const struct page_extras *extras);

#endif

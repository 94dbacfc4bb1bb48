#ifndef CONSTRAINTS_CHECK_TEXT_H
#define CONSTRAINTS_CHECK_TEXT_H
#include "base/arena.h"
#include <stdbool.h>

/* S-expressions: words (|words| keep their bars), "strings" and (lists), with their places. */
enum text_kind { TEXT_WORD, TEXT_STRING, TEXT_LIST };

struct text {
    enum text_kind kind;
    const char *word;            /* word, or string without its quotes; "" for a list */
    struct text **at;            /* list */
    size_t count;
    unsigned line, column;       /* from 1 */
};

/* The one expression of `source`; NULL and *why ("line:column: …") if it is not one. */
struct text *text_read(struct arena *arena, const char *source, const char **why);
bool text_is(const struct text *text, const char *word);
/* A list that begins with `word` and has from `least` to `most` items after it. */
bool text_begins(const struct text *text, const char *word, size_t least, size_t most);
/* A decimal index below `limit`. */
bool text_index(const struct text *text, size_t limit, size_t *index);

#endif

#ifndef BASE_STR_H
#define BASE_STR_H
#include "base/arena.h"
#include <stdbool.h>

/* A string builder in an arena; `text` is always NUL-terminated ("" at first). */
struct str {
    struct arena *arena;
    char *text;
    size_t length, capacity;
};

struct str str_new(struct arena *arena);
void str_add(struct str *str, const char *text);
void str_add_n(struct str *str, const char *text, size_t length);
void str_char(struct str *str, char c);
void str_addf(struct str *str, const char *format, ...) __attribute__((format(printf, 2, 3)));
void str_integer(struct str *str, long long value);
/* `n` spaces. */
void str_indent(struct str *str, int n);
/* `text` between double quotes with C (and JSON) escapes. */
void str_quote(struct str *str, const char *text);
/* The first `length` bytes of `text` as text of XML and HTML, attributes included. */
void str_markup(struct str *str, const char *text, size_t length);

/* Does `text` begin with `with`? Most texts differ in the first characters. */
static inline bool str_begins(const char *text, const char *with)
{
    while (*with && *text == *with) {
        text++;
        with++;
    }
    return !*with;
}

/* Does the list have the word? */
bool str_is_one_of(const char *word, const char *const *words, size_t count);
/* Characters, not bytes, of a text in UTF-8. */
int str_width(const char *text);
/* The candidate that differs from `word` by upper and lower case alone, else the nearest by edit
   distance, NULL if none is near; for "did you mean". */
const char *str_nearest(const char *word, const char *const *candidates, size_t count);

#endif

#ifndef CONSTRAINTS_SMT_SEXPR_H
#define CONSTRAINTS_SMT_SEXPR_H
#include "base/str.h"

/* S-expressions of SMT-LIB 2.6, read one command at a time from a source of bytes. */

enum sexpr_kind {
    SEXPR_NUMERAL,
    SEXPR_DECIMAL,
    SEXPR_BITS,
    SEXPR_STRING,
    SEXPR_SYMBOL,
    SEXPR_KEYWORD,
    SEXPR_LIST
};

struct sexpr {
    enum sexpr_kind kind;
    unsigned line, column;                /* from 1 */
    const char *text;                     /* atoms: as written, symbols without bars, strings
                                             without quotes; lists: NULL */
    const struct sexpr *const *at;        /* lists */
    size_t count;
};

/* Fills `buffer` with at most `capacity` bytes and returns how many; 0 at the end. May be asked
   again only before that. */
typedef size_t (*sexpr_source)(void *self, char *buffer, size_t capacity);

struct sexpr_reader;
struct sexpr_reader *sexpr_reader_new(struct arena *arena, sexpr_source source, void *self);

/* Where something is not right, and what. */
struct sexpr_error {
    unsigned line, column;
    const char *message;
    bool outside;             /* outside of any list */
};

/* The next one, in `arena`; NULL at the end of the text or, with error->message set, after
   something that is none: then the text is skipped up to the end of the outermost parenthesis that
   it stands in. Nesting has no limit. */
const struct sexpr *sexpr_read(struct sexpr_reader *reader, struct arena *arena,
                               struct sexpr_error *error);
/* As SMT-LIB text on one line. */
void sexpr_print(struct str *out, const struct sexpr *expr);
/* A symbol, between bars where it needs them. */
void symbol_print(struct str *out, const char *name);
bool sexpr_is(const struct sexpr *expr, const char *symbol);

#endif

#ifndef FRONTEND_SCAN_H
#define FRONTEND_SCAN_H
#include <stdbool.h>
#include <stddef.h>

/* A C text as words and signs, before clang reads it: comments, literals and directives are
   skipped. */

enum token_kind {
    TOKEN_WORD,                      /* letters, digits and underscores: names, keywords, numbers */
    TOKEN_SIGN                       /* one character of punctuation */
};

struct token {
    enum token_kind kind;
    const char *text;                /* in the scanned text, not terminated */
    size_t length;
    unsigned line;                   /* from 1 */
    bool after_directive;            /* a directive stands between it and the token before it */
};

struct scanner {
    const char *at, *end;
    unsigned line;                   /* of `at` */
};

struct scanner scanner_make(const char *text, size_t length);
/* The next token; false at the end of the text. */
bool scanner_next(struct scanner *scanner, struct token *token);

bool token_equal(const struct token *token, const char *text);

#endif

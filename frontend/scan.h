#ifndef FRONTEND_SCAN_H
#define FRONTEND_SCAN_H
#include <stdbool.h>
#include <stddef.h>

/* A C text as words and signs, before clang reads it: comments and literals are skipped,
   directives too where they are not asked for. */

enum token_kind {
    TOKEN_WORD,                      /* letters, digits and underscores: names, keywords, numbers */
    TOKEN_SIGN,                      /* one character of punctuation */
    TOKEN_DIRECTIVE                  /* a whole directive, where the scanner is asked for them */
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
    bool gives_directives;           /* false: directives are skipped */
    bool is_within;                  /* the line has tokens before `at`: `#` begins no directive */
};

struct scanner scanner_make(const char *text, size_t length);
/* The next token; false at the end of the text. */
bool scanner_next(struct scanner *scanner, struct token *token);

bool token_equal(const struct token *token, const char *text);

#endif

#ifndef IR_LEX_H
#define IR_LEX_H
#include "base/ctx.h"

/* Tokens of the textual form of kernels. */

enum kernel_token_kind { TOKEN_END, TOKEN_NAME, TOKEN_INTEGER, TOKEN_REAL, TOKEN_PUNCTUATION };

struct kernel_token {
    enum kernel_token_kind kind;
    const char *text;     /* in the source, `length` bytes; not terminated */
    size_t length;
    struct loc loc;
};

struct lexer {
    const struct source *source;
    size_t at;            /* next unread byte */
    unsigned line;
    size_t line_begin;
    struct kernel_token token;   /* the current one */
    size_t token_begin;
};

struct lexer lexer_new(const struct source *source);
/* Reads the next token into lexer->token; at the end it stays TOKEN_END. A byte that begins no
   token is a punctuation token of its own. */
void lexer_next(struct lexer *lexer);
bool token_is(const struct kernel_token *token, const char *text);

#endif

/* How deeply a text is nested, before clang reads it.

   In: a C text. Out: whether clang's recursive parser can take it on the stack that parse.c gives
   it: clang bounds brackets itself, but not chains of prefix operators and casts, of operators, of
   statements without braces, of else-ifs. Counted are the tokens of such chains since the last `;`,
   `,` or brace, and the else-ifs of a function. The limit is half of what libclang 19 was seen to
   bear (casts cost most). */
#include "frontend/clang.h"
#include "frontend/scan.h"
#include <string.h>

enum { CHAIN_MAX = 8000 };

struct nesting {
    int braces, chain, elses;
};

static void count_word(struct nesting *n, const struct token *token)
{
    static const char *const nesting[] = {"if", "for", "while", "do", "sizeof", "switch", "case"};
    n->elses += token_equal(token, "else");
    for (size_t i = 0; i < sizeof nesting / sizeof *nesting; i++)
        n->chain += token_equal(token, nesting[i]);
}

static void count_sign(struct nesting *n, char c)
{
    if (strchr(";,{}", c)) {
        n->braces += (c == '{') - (c == '}');
        n->chain = 0;
        if (n->braces <= 0)
            n->elses = 0;
    }
    n->chain += strchr("-+!~*&([/%<>=|^?:.", c) != NULL;
}

bool nesting_check(struct ctx *ctx, const struct source *source)
{
    struct scanner scanner = scanner_make(source->text, source->length);
    struct nesting n = {0, 0, 0};
    struct token token;
    while (scanner_next(&scanner, &token)) {
        if (token.kind == TOKEN_WORD)
            count_word(&n, &token);
        else
            count_sign(&n, *token.text);
        if (n.chain <= CHAIN_MAX && n.elses <= CHAIN_MAX)
            continue;
        diag_error(ctx, (struct loc){source, token.line, 1},
                   "nested too deeply (more than %d operators, casts or else-ifs in one "
                   "statement); split it",
                   CHAIN_MAX);
        return false;
    }
    return true;
}

/* How deeply a text is nested, before clang reads it.

   In: a C text. Out: whether clang's recursive parser can take it on the stack that parse.c gives it: clang bounds
   brackets itself, but not chains of prefix operators and casts, of operators, of statements without braces, of else-ifs.
   Counted are the tokens of such chains since the last `;`, `,` or brace, and the else-ifs of a function; comments,
   literals and directives are skipped. The limit is half of what libclang 19 was seen to bear (casts cost most). */
#include "frontend/clang.h"
#include <string.h>

enum { CHAIN_MAX = 8000 };

struct scanner {
    const char *at, *end;
    unsigned line;
    int braces, chain, elses;
};

static void skip_line(struct scanner *s)
{
    while (s->at < s->end && *s->at != '\n') {
        if (*s->at == '\\' && s->at + 1 < s->end && s->at[1] == '\n') {
            s->line++;
            s->at++;
        }
        s->at++;
    }
}

static void skip_comment(struct scanner *s)
{
    for (s->at += 2; s->at < s->end && !(s->at[0] == '*' && s->at + 1 < s->end && s->at[1] == '/'); s->at++)
        s->line += *s->at == '\n';
    s->at += s->at < s->end ? 2 : 0;
}

static void skip_literal(struct scanner *s)
{
    char quote = *s->at++;
    while (s->at < s->end && *s->at != quote && *s->at != '\n')
        s->at += *s->at == '\\' && s->at + 1 < s->end && s->at[1] != '\n' ? 2 : 1;
    s->at += s->at < s->end && *s->at == quote;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void scan_word(struct scanner *s)
{
    static const char *const nesting[] = {"if", "for", "while", "do", "sizeof", "switch", "case"};
    const char *begin = s->at;
    while (s->at < s->end && is_word(*s->at))
        s->at++;
    size_t length = (size_t)(s->at - begin);
    s->elses += length == 4 && !strncmp(begin, "else", 4);
    for (size_t i = 0; i < sizeof nesting / sizeof *nesting; i++)
        s->chain += strlen(nesting[i]) == length && !strncmp(begin, nesting[i], length);
}

static void scan_sign(struct scanner *s)
{
    char c = *s->at++;
    s->line += c == '\n';
    if (strchr(";,{}", c)) {
        s->braces += (c == '{') - (c == '}');
        s->chain = 0;
        if (s->braces <= 0)
            s->elses = 0;
    }
    s->chain += strchr("-+!~*&([/%<>=|^?:.", c) != NULL;
}

static void scan(struct scanner *s)
{
    char c = *s->at, next = s->at + 1 < s->end ? s->at[1] : 0;
    if (c == '/' && next == '/')
        skip_line(s);
    else if (c == '/' && next == '*')
        skip_comment(s);
    else if (c == '#')
        skip_line(s);
    else if (c == '"' || c == '\'')
        skip_literal(s);
    else if (is_word(c))
        scan_word(s);
    else if (c)
        scan_sign(s);
    else
        s->at++;
}

bool nesting_check(struct ctx *ctx, const struct source *source)
{
    struct scanner s = {source->text, source->text + source->length, 1, 0, 0, 0};
    while (s.at < s.end) {
        scan(&s);
        if (s.chain <= CHAIN_MAX && s.elses <= CHAIN_MAX)
            continue;
        diag_error(ctx, (struct loc){source, s.line, 1}, "nested too deeply (more than %d operators, casts or else-ifs in one "
                   "statement); split it", CHAIN_MAX);
        return false;
    }
    return true;
}

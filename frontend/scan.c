/* A C text as words and signs.

   In: the text of a file. Out: its tokens one by one. A scanner knows nothing of macros and
   conditions of the preprocessor, so its tokens are those of the text as written. Directives
   begin a line and are skipped, with the lines that continue them. */
#include "frontend/scan.h"
#include <string.h>

struct scanner scanner_make(const char *text, size_t length)
{
    return (struct scanner){text, text + length, 1, false, false};
}

static char char_after(const struct scanner *s)
{
    return s->at + 1 < s->end ? s->at[1] : 0;
}

static void skip_line(struct scanner *s)
{
    while (s->at < s->end && *s->at != '\n') {
        if (*s->at == '\\' && char_after(s) == '\n') {
            s->line++;
            s->at++;
        }
        s->at++;
    }
}

static void skip_comment(struct scanner *s)
{
    s->at += 2;
    while (s->at < s->end && !(*s->at == '*' && char_after(s) == '/')) {
        s->line += *s->at == '\n';
        s->at++;
    }
    s->at += s->at < s->end ? 2 : 0;
}

static void skip_literal(struct scanner *s)
{
    char quote = *s->at++;
    while (s->at < s->end && *s->at != quote && *s->at != '\n') {
        char next = char_after(s);
        s->at += *s->at == '\\' && next && next != '\n' ? 2 : 1;
    }
    s->at += s->at < s->end && *s->at == quote;
}

static void take_directive(struct scanner *s, struct token *token)
{
    token->kind = TOKEN_DIRECTIVE;
    token->text = s->at;
    token->line = s->line;
    skip_line(s);
    token->length = (size_t)(s->at - token->text);
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void take(struct scanner *s, struct token *token, enum token_kind kind)
{
    const char *begin = s->at++;
    while (kind == TOKEN_WORD && s->at < s->end && is_word(*s->at))
        s->at++;
    token->kind = kind;
    token->text = begin;
    token->length = (size_t)(s->at - begin);
    token->line = s->line;
    s->is_within = true;
}

bool scanner_next(struct scanner *s, struct token *token)
{
    token->after_directive = false;
    while (s->at < s->end) {
        char c = *s->at, next = char_after(s);
        if (c == '/' && next == '/') {
            skip_line(s);
        } else if (c == '/' && next == '*') {
            skip_comment(s);
        } else if (c == '#' && !s->is_within) {
            token->after_directive = true;
            take_directive(s, token);
            if (s->gives_directives)
                return true;
        } else if (c == '"' || c == '\'') {
            skip_literal(s);
            s->is_within = true;
        } else if (is_word(c)) {
            take(s, token, TOKEN_WORD);
            return true;
        } else if (c && !strchr(" \t\r\n\f\v", c)) {
            take(s, token, TOKEN_SIGN);
            return true;
        } else {
            s->line += c == '\n';
            s->is_within &= c != '\n' || s->at[-1] == '\\';     /* a continued line goes on */
            s->at++;
        }
    }
    return false;
}

bool token_equal(const struct token *token, const char *text)
{
    return strlen(text) == token->length && !strncmp(token->text, text, token->length);
}

/* Splits the text of a kernel into names, numbers and punctuation.

   In: any bytes, NULs included; out: tokens that point into the source, each with its place. White
   space and comments to the end of a line (// …) separate. Whether a number or a byte makes sense
   is for the reader to say: nothing is reported here, and every call but those at the end moves
   forward by at least one byte. */
#include "ir/lex.h"
#include <string.h>

struct lexer lexer_new(const struct source *source)
{
    struct lexer lexer = {.source = source, .line = 1};
    lexer_next(&lexer);
    return lexer;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The byte `offset` places ahead, 0 behind the end. */
static char peek(const struct lexer *lexer, size_t offset)
{
    size_t at = lexer->at + offset;
    return at < lexer->source->length ? lexer->source->text[at] : 0;
}

static void skip_space(struct lexer *lexer)
{
    while (lexer->at < lexer->source->length) {
        char c = peek(lexer, 0);
        if (c == '\n') {
            lexer->line++;
            lexer->line_begin = lexer->at + 1;
        } else if (c == '/' && peek(lexer, 1) == '/') {
            while (lexer->at + 1 < lexer->source->length && peek(lexer, 1) != '\n')
                lexer->at++;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            return;
        }
        lexer->at++;
    }
}

/* Digits, letters and points, and a sign behind the e of a decimal exponent: a
   preprocessing number. */
static enum kernel_token_kind scan_number(struct lexer *lexer)
{
    bool hexadecimal = peek(lexer, 0) == '0' && (peek(lexer, 1) == 'x' || peek(lexer, 1) == 'X'),
         real = false;
    for (;; lexer->at++) {
        char c = peek(lexer, 0);
        bool exponent = !hexadecimal && (c == 'e' || c == 'E');
        if (!is_digit(c) && !is_letter(c) && c != '.')
            return real ? TOKEN_REAL : TOKEN_INTEGER;
        real |= c == '.' || exponent || (!hexadecimal && (c == 'f' || c == 'F'));
        if (exponent && (peek(lexer, 1) == '+' || peek(lexer, 1) == '-'))
            lexer->at++;
    }
}

static size_t punctuation_length(const struct lexer *lexer)
{
    static const char *const pairs[] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+="};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (peek(lexer, 0) == pairs[i][0] && peek(lexer, 1) == pairs[i][1])
            return 2;
    return 1;
}

void lexer_next(struct lexer *lexer)
{
    skip_space(lexer);
    struct kernel_token *token = &lexer->token;
    size_t begin = lexer->at;
    token->loc = (struct loc){lexer->source, lexer->line,
                              (unsigned)(begin - lexer->line_begin) + 1};
    token->text = lexer->source->text + begin;
    lexer->token_begin = begin;
    if (begin >= lexer->source->length) {
        token->kind = TOKEN_END;
    } else if (is_letter(peek(lexer, 0))) {
        token->kind = TOKEN_NAME;
        while (is_letter(peek(lexer, 0)) || is_digit(peek(lexer, 0)))
            lexer->at++;
    } else if (is_digit(peek(lexer, 0)) || (peek(lexer, 0) == '.' && is_digit(peek(lexer, 1)))) {
        token->kind = scan_number(lexer);
    } else {
        token->kind = TOKEN_PUNCTUATION;
        lexer->at += punctuation_length(lexer);
    }
    token->length = lexer->at - begin;
}

bool token_is(const struct kernel_token *token, const char *text)
{
    return token->kind != TOKEN_END && token->length == strlen(text) &&
           memcmp(token->text, text, token->length) == 0;
}

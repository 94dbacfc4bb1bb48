/* Reading of a certificate's text. In: characters; out: a tree of words, strings and lists in an
   arena, each with its place. Anything may come in, hence nesting is limited (lists are read
   recursively) and every character is either consumed or named in the message. A string has no
   escapes: a quotation mark ends it. */
#include "constraints/check/checker.h"
#include <string.h>

enum { NESTING_LIMIT = 4000 };

struct reader {
    struct arena *arena;
    const char *at, *line_start;
    unsigned line;
    int depth;
    const char *why;
};

static struct text *fail(struct reader *reader, const char *what)
{
    unsigned column = (unsigned)(reader->at - reader->line_start) + 1;
    reader->why = arena_printf(reader->arena, "%u:%u: %s", reader->line, column, what);
    return NULL;
}

/* The next character that is neither space nor comment. */
static char peek(struct reader *reader)
{
    for (;; reader->at++) {
        if (*reader->at == ';')
            reader->at += strcspn(reader->at, "\n");
        if (*reader->at == '\n') {
            reader->line++;
            reader->line_start = reader->at + 1;
        } else if (!*reader->at || !strchr(" \t\r", *reader->at))
            return *reader->at;
    }
}

static struct text *item_read(struct reader *reader);

static struct text *list_read(struct reader *reader, struct text *list)
{
    VEC(struct text *) items = {0};
    if (++reader->depth > NESTING_LIMIT)
        return fail(reader, "lists are nested too deeply");
    for (reader->at++; peek(reader) != ')';) {
        struct text *item = item_read(reader);
        if (!item)
            return NULL;
        vec_push(reader->arena, &items, item);
    }
    reader->at++;
    reader->depth--;
    list->at = items.at;
    list->count = items.count;
    return list;
}

static struct text *item_read(struct reader *reader)
{
    char c = peek(reader);
    struct text *text = ARENA_NEW(reader->arena, struct text);
    text->word = "";
    text->line = reader->line;
    text->column = (unsigned)(reader->at - reader->line_start) + 1;
    if (c == '(')
        return list_read(reader, text);
    bool string = c == '"', bars = c == '|';
    size_t length = string || bars ? 1 + strcspn(reader->at + 1, string ? "\"\n" : "|\n")
                                   : strcspn(reader->at, " \t\r\n()\";|");
    if ((string || bars) && reader->at[length] != c)
        return fail(reader, "what is quoted here does not end on its line");
    length += bars;
    if (!length)
        return fail(reader, c ? "a word or a list should begin here" : "the text ends too early");
    text->kind = string ? TEXT_STRING : TEXT_WORD;
    text->word = arena_strndup(reader->arena, reader->at + string, length - string);
    reader->at += length + string;
    return text;
}

struct text *text_read(struct arena *arena, const char *source, const char **why)
{
    struct reader reader = {.arena = arena, .at = source, .line_start = source, .line = 1};
    struct text *text = item_read(&reader);
    if (text && peek(&reader))
        text = fail(&reader, "the certificate should end here");
    *why = reader.why;
    return text;
}

bool text_is(const struct text *text, const char *word)
{
    return text->kind == TEXT_WORD && !strcmp(text->word, word);
}

bool text_begins(const struct text *text, const char *word, size_t least, size_t most)
{
    return text->kind == TEXT_LIST && text->count > least && text->count - 1 <= most &&
           text_is(text->at[0], word);
}

bool text_index(const struct text *text, size_t limit, size_t *index)
{
    size_t length = strlen(text->word);
    *index = 0;
    for (const char *c = text->word; *c >= '0' && *c <= '9' && length < 10; c++, length--)
        *index = *index * 10 + (size_t)(*c - '0');
    return text->kind == TEXT_WORD && *text->word && !length && *index < limit;
}

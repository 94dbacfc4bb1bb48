/* String builder; edit distance for suggestions. */
#include "base/str.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

struct str str_new(struct arena *arena)
{
    struct str str = {arena, arena_alloc(arena, 32), 0, 32};
    return str;
}

/* Room for `length` more characters and the end; where they go. */
static char *str_room(struct str *str, size_t length)
{
    if (str->length + length + 1 > str->capacity) {
        while (str->length + length + 1 > str->capacity)
            str->capacity *= 2;
        char *grown = arena_alloc_raw(str->arena, str->capacity);
        memcpy(grown, str->text, str->length);
        str->text = grown;
    }
    char *begin = str->text + str->length;
    str->length += length;
    str->text[str->length] = 0;
    return begin;
}

void str_add_n(struct str *str, const char *text, size_t length)
{
    memcpy(str_room(str, length), text, length);
}

void str_add(struct str *str, const char *text)
{
    str_add_n(str, text, strlen(text));
}

void str_char(struct str *str, char c)
{
    *str_room(str, 1) = c;
}

void str_integer(struct str *str, long long value)
{
    char digits[24];
    size_t at = sizeof digits;
    unsigned long long rest = value < 0 ? 0ull - (unsigned long long)value
                                        : (unsigned long long)value;
    do
        digits[--at] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0)
        digits[--at] = '-';
    str_add_n(str, digits + at, sizeof digits - at);
}

void str_addf(struct str *str, const char *format, ...)
{
    char small[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(small, sizeof small, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    if ((size_t)length < sizeof small) {
        str_add_n(str, small, (size_t)length);
        return;
    }
    va_start(arguments, format);
    str_add(str, arena_vprintf(str->arena, format, arguments));
    va_end(arguments);
}

void str_indent(struct str *str, int n)
{
    if (n > 0)
        memset(str_room(str, (size_t)n), ' ', (size_t)n);
}

void str_quote(struct str *str, const char *text)
{
    str_char(str, '"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            str_addf(str, "\\%c", c);
        else if (c == '\n')
            str_add(str, "\\n");
        else if (c == '\t')
            str_add(str, "\\t");
        else if (c < 32)
            str_addf(str, "\\u%04x", c);
        else
            str_char(str, (char)c);
    }
    str_char(str, '"');
}

void str_markup(struct str *str, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '<')
            str_add(str, "&lt;");
        else if (text[i] == '>')
            str_add(str, "&gt;");
        else if (text[i] == '&')
            str_add(str, "&amp;");
        else if (text[i] == '"')
            str_add(str, "&quot;");
        else
            str_char(str, text[i]);
    }
}

enum { WORD_MAX = 63 };

/* Levenshtein distance, one row at a time; words longer than WORD_MAX are far from everything. */
static size_t distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b), row[WORD_MAX + 1];
    if (n > WORD_MAX || m > WORD_MAX)
        return WORD_MAX + 1;
    for (size_t j = 0; j <= m; j++)
        row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t above = row[j], best = diagonal + (a[i - 1] != b[j - 1]);
            best = above + 1 < best ? above + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            diagonal = above;
            row[j] = best;
        }
    }
    return row[m];
}

bool str_is_one_of(const char *word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

int str_width(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

const char *str_nearest(const char *word, const char *const *candidates, size_t count)
{
    const char *best = NULL;
    size_t nearest = strlen(word) / 3 + 2;
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(word, candidates[i]) == 0)
            return candidates[i];
    for (size_t i = 0; i < count; i++) {
        size_t d = distance(word, candidates[i]);
        if (d < nearest) {
            nearest = d;
            best = candidates[i];
        }
    }
    return best;
}

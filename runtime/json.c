/* The one flat JSON reader of the runtime (at most 200 lines: generated programs depend on no
   library). In: text; out: a call per member of one object whose values are strings, integers or
   null. Everything else that JSON knows is refused by name with path:line:column, as are broken
   texts, integers beyond 64 bits and anything after the object.
   Invariant: `at` never passes `length`; the text needs no NUL at its end. */
#include "runtime/internal.h"
#include <string.h>

enum { KEY_MAX = 128, STRING_MAX = 2048 };

struct json_reader {
    const char *text, *path;
    size_t length, at;
};

/* Line and column of an offset, counted from 1. */
static void reader_place(const struct json_reader *r, size_t at, unsigned *line, unsigned *column)
{
    *line = *column = 1;
    for (size_t i = 0; i < at && i < r->length; i++) {
        ++*column;
        if (r->text[i] == '\n') {
            ++*line;
            *column = 1;
        }
    }
}

static int reader_fail(const struct json_reader *r, size_t at, const char *what)
{
    unsigned line, column;
    reader_place(r, at, &line, &column);
    return treefork_fail(TREEFORK_FILE, "%s:%u:%u: %s", r->path, line, column, what);
}

static int reader_peek(struct json_reader *r)
{
    while (r->at < r->length && strchr(" \t\r\n", r->text[r->at]) && r->text[r->at])
        r->at++;
    return r->at < r->length ? (unsigned char)r->text[r->at] : -1;
}

static int reader_expect(struct json_reader *r, char c)
{
    char what[64];
    if (reader_peek(r) == c) {
        r->at++;
        return TREEFORK_OK;
    }
    snprintf(what, sizeof what,
             r->at < r->length ? "expected '%c'" : "the file ends where '%c' is expected", c);
    return reader_fail(r, r->at, what);
}

/* Four hexadecimal digits after \u as UTF-8; a half of a surrogate pair has no meaning alone and
   is refused. */
static int reader_unicode(struct json_reader *r, char *out, size_t *n)
{
    unsigned code = 0;
    for (int i = 0; i < 4; i++, r->at++) {
        const char *digits = "0123456789abcdefABCDEF";
        const char *digit = r->at < r->length && r->text[r->at] ? strchr(digits, r->text[r->at])
                                                                : NULL;
        if (!digit)
            return reader_fail(r, r->at, "expected four hexadecimal digits after \\u");
        unsigned value = (unsigned)(digit - digits);
        code = code * 16 + (value < 16 ? value : value - 6);
    }
    if (code == 0 || (code >= 0xD800 && code < 0xE000))
        return reader_fail(r, r->at, "this \\u escape is not supported");
    if (code >= 0x800) {
        out[(*n)++] = (char)(0xE0 | code >> 12);
        out[(*n)++] = (char)(0x80 | (code >> 6 & 0x3F));
    } else if (code >= 0x80) {
        out[(*n)++] = (char)(0xC0 | code >> 6);
    }
    out[(*n)++] = (char)(code < 0x80 ? code : 0x80 | (code & 0x3F));
    return TREEFORK_OK;
}

static int reader_escape(struct json_reader *r, char *out, size_t *n)
{
    const char *names = "\"\\/bfnrt", *values = "\"\\/\b\f\n\r\t";
    char c = r->at < r->length ? r->text[r->at++] : '\0';
    if (c == 'u')
        return reader_unicode(r, out, n);
    const char *found = c ? strchr(names, c) : NULL;
    if (!found)
        return reader_fail(r, r->at - 1, "unknown escape in a string");
    out[(*n)++] = values[found - names];
    return TREEFORK_OK;
}

static int reader_string(struct json_reader *r, char *out, size_t room)
{
    size_t n = 0, start;
    int status = reader_expect(r, '"');
    if (status)
        return status;
    for (start = r->at - 1; r->at < r->length && r->text[r->at] != '"';) {
        unsigned char c = (unsigned char)r->text[r->at++];
        if (c < 0x20)
            return reader_fail(r, r->at - 1, "a control character in a string");
        if (n + 4 > room)
            return reader_fail(r, start, "this string is too long");
        if (c != '\\')
            out[n++] = (char)c;
        else if ((status = reader_escape(r, out, &n)))
            return status;
    }
    out[n] = '\0';
    return r->at < r->length ? (r->at++, TREEFORK_OK)
                             : reader_fail(r, start, "this string has no end");
}

static int reader_integer(struct json_reader *r, int64_t *value)
{
    size_t start = r->at;
    bool negative = r->text[r->at] == '-';
    uint64_t number = 0, bound = (uint64_t)INT64_MAX + (negative ? 1 : 0);
    r->at += negative;
    size_t first = r->at;
    for (; r->at < r->length && r->text[r->at] >= '0' && r->text[r->at] <= '9'; r->at++) {
        uint64_t digit = (uint64_t)(r->text[r->at] - '0');
        if (number > (bound - digit) / 10)
            return reader_fail(r, start, "this number does not fit into 64 bits");
        number = number * 10 + digit;
    }
    if (r->at == first || (r->text[first] == '0' && r->at > first + 1))
        return reader_fail(r, start, "this is no number");
    if (r->at < r->length && r->text[r->at] && strchr(".eE", r->text[r->at]))
        return reader_fail(r, start, "expected an integer without fraction or exponent");
    *value = negative ? (number ? -(int64_t)(number - 1) - 1 : 0) : (int64_t)number;
    return TREEFORK_OK;
}

static int reader_value(struct json_reader *r, struct treefork_json_member *member, char *string)
{
    int c = reader_peek(r);
    if (c == '"') {
        member->kind = TREEFORK_JSON_STRING;
        member->string = string;
        return reader_string(r, string, STRING_MAX);
    }
    if (c == '-' || (c >= '0' && c <= '9')) {
        member->kind = TREEFORK_JSON_INTEGER;
        return reader_integer(r, &member->integer);
    }
    if (r->length - r->at >= 4 && memcmp(r->text + r->at, "null", 4) == 0) {
        member->kind = TREEFORK_JSON_NULL;
        r->at += 4;
        return TREEFORK_OK;
    }
    return reader_fail(r, r->at, c < 0 ? "the file ends where a value is expected"
                                       : "expected a string, an integer or null");
}

static int reader_member(struct json_reader *r,
                         int (*call)(void *, const struct treefork_json_member *), void *state)
{
    char key[KEY_MAX], string[STRING_MAX];
    struct treefork_json_member member = { .key = key, .path = r->path };
    reader_peek(r);
    reader_place(r, r->at, &member.line, &member.column);
    int status = reader_string(r, key, sizeof key);
    if (!status)
        status = reader_expect(r, ':');
    if (!status)
        status = reader_value(r, &member, string);
    return status ? status : call(state, &member);
}

int treefork_json_flat(const char *text, size_t length, const char *path,
                       int (*member)(void *state, const struct treefork_json_member *member),
                       void *state)
{
    struct json_reader r = { .text = text, .path = path, .length = length };
    int status = reader_expect(&r, '{');
    bool more = !status && reader_peek(&r) != '}';
    while (more) {
        if ((status = reader_member(&r, member, state)))
            return status;
        more = reader_peek(&r) == ',';
        r.at += more;
    }
    if (!status)
        status = reader_expect(&r, '}');
    if (!status && reader_peek(&r) >= 0)
        status = reader_fail(&r, r.at, "something follows the object");
    return status;
}

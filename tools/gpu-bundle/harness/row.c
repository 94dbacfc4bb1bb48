/* JSON by hand: the writer of a row. In: members; out: one line, flushed, so that a reader of the
   pipe has it whole or not at all. */
#include "row.h"
#include <math.h>
#include <stdio.h>

static void text_print(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < ' ' || c > '~')
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void member_begin(struct row *row, const char *name)
{
    if (row->has_member[row->depth])
        printf(", ");
    row->has_member[row->depth] = true;
    if (name) {
        text_print(name);
        printf(": ");
    }
}

static void level_begin(struct row *row, char open, char close)
{
    putchar(open);
    row->depth++;
    row->has_member[row->depth] = false;
    row->close[row->depth] = close;
}

struct row row_begin(void)
{
    struct row row = {.depth = -1};
    level_begin(&row, '{', '}');
    return row;
}

void row_text(struct row *row, const char *name, const char *text)
{
    member_begin(row, name);
    text_print(text);
}

void row_number(struct row *row, const char *name, double value)
{
    member_begin(row, name);
    if (isfinite(value))
        printf("%.6g", value);
    else
        printf("null");
}

void row_integer(struct row *row, const char *name, int64_t value)
{
    member_begin(row, name);
    printf("%lld", (long long)value);
}

void row_bool(struct row *row, const char *name, bool value)
{
    member_begin(row, name);
    printf(value ? "true" : "false");
}

void row_object(struct row *row, const char *name)
{
    member_begin(row, name);
    level_begin(row, '{', '}');
}

void row_list(struct row *row, const char *name)
{
    member_begin(row, name);
    level_begin(row, '[', ']');
}

void row_close(struct row *row)
{
    putchar(row->close[row->depth--]);
}

void row_end(struct row *row)
{
    while (row->depth >= 0)
        row_close(row);
    putchar('\n');
    fflush(stdout);
}

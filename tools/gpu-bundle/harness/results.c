#include "results.h"
#include "clock.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool text_grow(struct text *text, size_t more)
{
    if (text->length + more < text->room)
        return true;
    size_t room = 2 * (text->length + more) + 1024;
    char *at = realloc(text->at, room);
    if (!at)
        return false;
    text->at = at;
    text->room = room;
    return true;
}

void text_add(struct text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length >= 0 && text_grow(text, (size_t)length + 1)) {
        vsnprintf(text->at + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(arguments);
    va_end(again);
}

void text_add_string(struct text *text, const char *string)
{
    text_add(text, "\"");
    for (; *string; string++) {
        unsigned char c = (unsigned char)*string;
        if (c == '"' || c == '\\')
            text_add(text, "\\%c", c);
        else if (c < ' ' || c > '~')
            text_add(text, "\\u%04x", c);
        else
            text_add(text, "%c", c);
    }
    text_add(text, "\"");
}

static void part_print(const struct results *r, struct text *out, bool is_done)
{
    text_add(
        out,
        "%s\n    {\"part\": \"%s\", \"seconds\": %.1f, \"done\": %s, \"left\": %d, \"rows\": [",
        r->parts.length ? "," : "", r->part, seconds_now() - r->start, is_done ? "true" : "false",
        r->n_left);
    text_add(out, "%s%s]}", r->rows.length ? r->rows.at : "", r->rows.length ? "\n    " : "");
}

void results_part_begin(struct results *r, const char *part)
{
    r->part = part;
    r->start = seconds_now();
    r->rows.length = 0;
    r->n_left = 0;
    results_write(r, true);
}

void results_row(struct results *r, const char *row)
{
    size_t length = strlen(row);
    if (length < 2 || row[0] != '{' || row[length - 1] != '}')
        return;
    text_add(&r->rows, "%s\n      %s", r->rows.length ? "," : "", row);
}

void results_part_end(struct results *r)
{
    struct text part = {0};
    part_print(r, &part, true);
    if (part.at)
        text_add(&r->parts, "%s", part.at);
    free(part.at);
    r->part = NULL;
    results_write(r, true);
}

static bool text_write(const struct text *text, const char *path)
{
    char part[4096];
    snprintf(part, sizeof part, "%s.part", path);
    FILE *file = fopen(part, "w");
    bool done = file && fwrite(text->at, 1, text->length, file) == text->length;
    if (file)
        done &= fclose(file) == 0;
    return done && rename(part, path) == 0;
}

bool results_write(struct results *r, bool now)
{
    struct text all = {0};
    if (!now && seconds_now() - r->written < 0.5)
        return true;
    r->written = seconds_now();
    text_add(&all, "{%s,\n  \"running\": %s,\n  \"parts\": [%s", r->head.at,
             r->is_done ? "false" : "true", r->parts.length ? r->parts.at : "");
    if (r->part)
        part_print(r, &all, false);
    text_add(&all, "]\n}\n");
    bool done = all.at && text_write(&all, r->path);
    if (!done)
        fprintf(stderr, "%s: cannot be written: %s\n", r->path, strerror(errno));
    free(all.at);
    return done;
}

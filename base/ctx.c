/* Diagnostics with place and caret; files read whole. */
#include "base/ctx.h"
#include "base/progress.h"
#include "base/str.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct ctx *ctx_new(void)
{
    struct arena *arena = arena_new();
    struct ctx *ctx = ARENA_NEW(arena, struct ctx);
    ctx->arena = arena;
    ctx->diagnostics = stderr;
    ctx->last = "";
    return ctx;
}

void ctx_free(struct ctx *ctx)
{
    if (ctx)
        arena_free(ctx->arena);
}

struct loc loc_none(void)
{
    return (struct loc){NULL, 0, 0};
}

/* The text of a line without its end; empty if there is no such line. */
static const char *source_line(const struct source *source, unsigned line, size_t *length)
{
    const char *p = source->text, *end = p + source->length;
    for (; line > 1 && p < end; p++)
        if (*p == '\n')
            line--;
    const char *stop = p;
    while (stop < end && *stop != '\n' && *stop != '\r')
        stop++;
    *length = (size_t)(stop - p);
    return p;
}

/* The place of a byte. */
static struct loc loc_at(const struct source *source, size_t at)
{
    struct loc loc = {source, 1, 1};
    for (size_t i = 0; i < at && i < source->length; i++) {
        loc.column = source->text[i] == '\n' ? 1 : loc.column + 1;
        loc.line += source->text[i] == '\n';
    }
    return loc;
}

static bool is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* So many characters of a line of `text` stand at `at`. */
static size_t common_length(const char *at, const char *text)
{
    size_t n = 0;
    while (at[n] && at[n] == text[n] && text[n] != '\n')
        n++;
    return n;
}

/* Where the word of a line of a made text stands in a part of its origin, with as much of that line
   as possible behind it; the part's first character that is no blank if nowhere. */
static size_t word_find(const struct source *source, const struct source_part *part,
                        const char *line, size_t length)
{
    size_t found = part->begin, most = 0;
    while (found < part->end && strchr(" \t\r\n", source->text[found]))
        found++;
    size_t end = length && part->end - found >= length ? part->end - length + 1 : found;
    for (size_t i = found; i < end; i++) {
        size_t common = common_length(source->text + i, line);
        if (common < length || common <= most || is_word(source->text[i + length]) ||
            (i > 0 && is_word(source->text[i - 1])))
            continue;
        found = i;
        most = common;
    }
    return found;
}

size_t loc_offset(struct loc loc)
{
    size_t ignored;
    return (size_t)(source_line(loc.source, loc.line, &ignored) - loc.source->text) +
           loc.column - 1;
}

/* Of a place in a text that was made of another the place there: the same character, or where the
   same word stands first in what its part was made of; a place in a text that was
   made itself is followed to its own origin. */
struct loc loc_origin(struct loc loc)
{
    const struct source *made = loc.source;
    const struct source_origin *origin = made ? made->origin : NULL;
    const struct source_part *part = NULL;
    size_t length = 0;
    if (!origin || !loc.line)
        return loc;
    size_t at = loc_offset(loc);
    for (size_t i = 0; i < origin->count; i++)
        if (!part || origin->at[i].at <= at)
            part = &origin->at[i];
    if (!part)
        return loc;
    if (part->is_same) {
        size_t same = part->begin + (at > part->at ? at - part->at : 0);
        return loc_origin(loc_at(origin->source, same < part->end ? same : part->end));
    }
    while (at + length < made->length && is_word(made->text[at + length]))
        length++;
    at = word_find(origin->source, part, made->text + at, length);
    return loc_origin(loc_at(origin->source, at));
}

unsigned loc_line(struct loc loc)
{
    return loc_origin(loc).line;
}

/* Of a longer line the part around the place is shown, from a whole character on. */
enum { COLUMNS_SHOWN = 240, COLUMNS_BEFORE = 160 };

static size_t first_shown(const char *text, size_t length, unsigned column)
{
    size_t first = length > COLUMNS_SHOWN && column > COLUMNS_BEFORE ? column - COLUMNS_BEFORE : 0;
    while (first && first < length && ((unsigned char)text[first] & 0xc0) == 0x80)
        first++;
    return first < length ? first : 0;
}

/* The caret's line repeats the tabs of the text above it. */
static void print_caret(FILE *f, struct loc loc)
{
    if (!loc.source->text || !loc.line)
        return;
    size_t length;
    const char *text = source_line(loc.source, loc.line, &length);
    size_t first = first_shown(text, length, loc.column);
    size_t shown = length - first < COLUMNS_SHOWN ? length - first : COLUMNS_SHOWN;
    fprintf(f, "%.*s\n", (int)shown, text + first);
    for (size_t i = first; i + 1 < loc.column; i++)
        fputc(i < length && text[i] == '\t' ? '\t' : ' ', f);
    fputs("^\n", f);
}

static void report(struct ctx *ctx, struct loc loc, enum severity severity, const char *format,
                   va_list arguments)
{
    static const char *const names[] = {"note", "warning", "error"};
    char *text = arena_vprintf(ctx->arena, format, arguments);
    loc = loc_origin(loc);
    if (severity == SEVERITY_ERROR) {
        ctx->errors++;
        ctx->last = text;
        ctx->last_loc = loc;
    }
    if (severity == SEVERITY_ERROR && ctx->yields) {
        vec_push(ctx->arena, &ctx->refused, loc);
        severity = SEVERITY_WARNING;
    }
    ctx->warnings += severity == SEVERITY_WARNING;
    if (ctx->quiet)
        return;
    progress_clear(ctx);
    if (!loc.source) {
        fprintf(ctx->diagnostics, "treefork: %s: %s\n", names[severity], text);
        return;
    }
    fprintf(ctx->diagnostics, "%s:%u:%u: %s: %s\n", loc.source->path, loc.line, loc.column,
            names[severity], text);
    print_caret(ctx->diagnostics, loc);
}

void diag_error(struct ctx *ctx, struct loc loc, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(ctx, loc, SEVERITY_ERROR, format, arguments);
    va_end(arguments);
}

void diag_warning(struct ctx *ctx, struct loc loc, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(ctx, loc, SEVERITY_WARNING, format, arguments);
    va_end(arguments);
}

void diag_note(struct ctx *ctx, struct loc loc, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(ctx, loc, SEVERITY_NOTE, format, arguments);
    va_end(arguments);
}

static char *read_all(struct ctx *ctx, FILE *f, size_t *length)
{
    struct str text = str_new(ctx->arena);
    char buffer[8192];
    size_t n;
    while ((n = fread(buffer, 1, sizeof buffer, f)) > 0)
        str_add_n(&text, buffer, n);
    *length = text.length;
    return ferror(f) ? NULL : text.text;
}

char *file_read(struct ctx *ctx, const char *path, size_t *length)
{
    size_t ignored;
    FILE *f = fopen(path, "rb");
    char *text = f ? read_all(ctx, f, length ? length : &ignored) : NULL;
    if (!text)
        diag_error(ctx, loc_none(), "cannot read '%s': %s", path, strerror(errno));
    if (f)
        fclose(f);
    return text;
}

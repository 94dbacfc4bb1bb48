/* Which source line each line of a device text comes from, for the page. In: marks that the printer
   leaves while it prints statements: from this byte on the text comes from that line. Out: an entry
   for each line of the text.

   A line comes from the first statement that begins on it, else from the statement around it: a
   closing brace from what it closes. Statements without a place of their own, which strategies add,
   come from their value's place or from the statement around them. Nothing of this is kept where no
   marks are asked for, and the text is the same with and without. */
#include "emit/device.h"
#include "emit/emit.h"
#include "ir/walk.h"
#include <string.h>

static void mark_add(struct device *device, unsigned line, bool begins)
{
    struct origin_marks *marks = device->marks;
    struct origin_mark mark = {device->out->length, line, begins};
    marks->line = line;
    vec_push(device->arena, marks, mark);
}

/* Marks the beginning of text from line `own`; if that is 0, from the line of the text around. */
static unsigned origin_begin(struct device *device, unsigned own)
{
    unsigned around = device->marks->line;
    mark_add(device, own ? own : around, true);
    return around;
}

unsigned device_origin_begin(struct device *device, const struct stmt *s)
{
    if (!device->marks)
        return 0;
    return origin_begin(device, stmt_source_line(device->marks->source, s));
}

unsigned device_origin_axis(struct device *device, const struct var *var)
{
    if (!device->marks)
        return 0;
    return origin_begin(device, source_line_of(device->marks->source, var->loc));
}

void device_origin_end(struct device *device, unsigned around)
{
    if (device->marks)
        mark_add(device, around, false);
}

void marks_lines(struct arena *arena, const struct origin_marks *marks, const struct str *text,
                 struct line_origins *lines)
{
    size_t next = 0, begin = 0;
    unsigned now = 0;
    while (begin < text->length) {
        const char *newline = memchr(text->text + begin, '\n', text->length - begin);
        size_t end = newline ? (size_t)(newline - text->text) + 1 : text->length;
        bool is_named = false;
        unsigned line = now;
        for (; next < marks->count && marks->at[next].at < end; next++) {
            const struct origin_mark *mark = &marks->at[next];
            now = mark->line;
            if (mark->begins && now && !is_named)
                line = now;
            is_named |= mark->begins && now;
        }
        vec_push(arena, lines, line);
        begin = end;
    }
}

unsigned region_last_line(struct arena *arena, const struct source *own,
                          const struct region *region)
{
    struct stmt_walk walk;
    unsigned last = 0;
    const struct stmt *s = stmt_first(&walk, arena, region->kernel->body);
    for (; s; s = stmt_next(&walk)) {
        unsigned line = stmt_source_line(own, s);
        last = line > last ? line : last;
    }
    return last;
}

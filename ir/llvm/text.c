/* PTX as LLVM prints it, without what says nothing.

   In: the text of a module. Out: the same program, shorter:
   - comments that number calls or say where inline assembly stands are dropped: the first count the
     calls of all texts printed by the process, and a text should not depend on what was compiled
     before it;
   - a move behind the instruction that makes its operand, which nobody else reads, is that
     instruction's result: what is left of a number that was hidden from LLVM (lower_stmt.c), and
     what a loop carries;
   - a branch around few instructions becomes their guard (guard.c);
   - of a branch around another branch one is left, as LLVM turns no condition of PTX round:
         @%p1 bra A; bra.uni B; A:    becomes    @!%p1 bra B; A:
     unless B stands before: with a condition on a branch back assemblers schedule the loop in
     another way, which made one kernel of many spill.

   But for guards only lines that follow each other are looked at, so that no other path comes
   between them. */
#include "ir/llvm/text.h"
#include "base/str.h"
#include "ir/llvm/backend.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct text_lines {
    struct arena *arena;
    struct line_list lines;
    const char *begin, *end;   /* of the function at hand: its body, where registers have
                                  a meaning */
};

bool line_is(const struct line *line, const char *text)
{
    return line->at[0] == text[0] && line->length == strlen(text) &&
           strncmp(line->at, text, line->length) == 0;
}

const char *line_behind(const struct line *line, const char *head)
{
    size_t i = 0;
    while (head[i] && i < line->length && line->at[i] == head[i])
        i++;
    return head[i] ? NULL : line->at + i;
}

struct line line_made(struct arena *arena, const char *text, unsigned source)
{
    const char *kept = arena_strdup(arena, text);
    return (struct line){kept, strlen(kept), source};
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

size_t name_length(const char *at)
{
    size_t length = 0;
    while (at[length] && is_name(at[length]))
        length++;
    return length;
}

/* --- moves ------------------------------------------------------------------------------------ */

/* "\tmov.b64 \t%rd7, %rd9;" between registers of one kind. */
bool move_read(const struct line *line, struct move *move)
{
    const char *at = line_behind(line, "\tmov.");
    if (!at || line->at[line->length - 1] != ';')
        return false;
    at += name_length(at);
    at += strspn(at, " \t");
    move->to = (struct line){.at = at, .length = name_length(at)};
    at += move->to.length;
    if (strncmp(at, ", %", 3) != 0)
        return false;
    move->from = (struct line){.at = at + 2, .length = name_length(at + 2)};
    size_t kind = strcspn(move->to.at, "0123456789");
    return at + 2 + move->from.length + 1 == line->at + line->length && move->to.at[0] == '%' &&
           kind == strcspn(move->from.at, "0123456789") &&
           strncmp(move->to.at, move->from.at, kind) == 0;
}

static bool is_idle(const struct move *move)
{
    return move->to.length == move->from.length &&
           strncmp(move->to.at, move->from.at, move->to.length) == 0;
}

/* Does the register stand in the function twice and no oftener? */
static bool stands_twice(const struct text_lines *l, const struct line *name)
{
    int count = 0;
    const char *at = memchr(l->begin, '%', (size_t)(l->end - l->begin));
    while (at && count < 3) {
        size_t length = name_length(at);
        count += length == name->length && strncmp(at, name->at, length) == 0;
        at = memchr(at + length, '%', (size_t)(l->end - (at + length)));
    }
    return count == 2;
}

/* Where the instruction of the line names its result, which is the register; NULL if it does
   not. */
static const char *result_place(const struct line *line, const struct line *name)
{
    if (line->length < 2 || line->at[0] != '\t' || !islower((unsigned char)line->at[1]))
        return NULL;
    size_t op = strcspn(line->at + 1, " \t") + 1;
    if (op >= line->length)
        return NULL;
    const char *at = line->at + op + strspn(line->at + op, " \t");
    bool makes = name_length(at) == name->length && strncmp(at, name->at, name->length) == 0 &&
                 at[name->length] == ',';
    return makes ? at : NULL;
}

/* Lets the instruction of the last line make what the move wants; false if it does not make what
   is moved. */
static bool move_join(struct text_lines *l, const struct move *move)
{
    struct line *last = l->lines.count ? &vec_last(&l->lines) : NULL;
    const char *place = last ? result_place(last, &move->from) : NULL;
    if (!place || !stands_twice(l, &move->from))
        return false;
    size_t head = (size_t)(place - last->at), rest = head + move->from.length;
    *last = line_made(l->arena,
                      arena_printf(l->arena, "%.*s%.*s%.*s", (int)head, last->at,
                                   (int)move->to.length, move->to.at, (int)(last->length - rest),
                                   last->at + rest),
                      last->source);
    return true;
}

/* --- branches --------------------------------------------------------------------------------- */

/* Stands the label, which `at` begins with, before? */
static bool stands_before(const struct text_lines *l, const char *at)
{
    size_t length = name_length(at);
    for (size_t i = l->lines.count; i-- > 0;) {
        const struct line *line = &l->lines.at[i];
        if (line->length == length + 1 && strncmp(line->at, at, length) == 0)
            return true;
    }
    return false;
}

/* The last lines are a branch under a condition and one without, and the label is where the first
   one goes: one branch under the opposite condition. */
static void branches_join(struct text_lines *l, const struct line *label)
{
    if (l->lines.count < 2 || label->length < 2)
        return;
    struct line *first = &l->lines.at[l->lines.count - 2];
    const char *over = line_behind(&vec_last(&l->lines), "\tbra.uni \t"),
               *condition = line_behind(first, "\t@");
    if (!over || !condition)
        return;
    bool is_negated = *condition == '!';
    const char *name = condition + is_negated, *bra = name + name_length(name);
    size_t target = label->length - 1;
    if (strncmp(bra, " bra \t", 6) != 0 || strncmp(bra + 6, label->at, target) != 0 ||
        bra[6 + target] != ';' || stands_before(l, over))
        return;
    *first = line_made(l->arena,
                       arena_printf(l->arena, "\t@%s%.*s bra \t%.*s;", is_negated ? "" : "!",
                                    (int)(bra - name), name, (int)name_length(over), over),
                       first->source);
    l->lines.count--;
}

/* --- the text --------------------------------------------------------------------------------- */

static bool is_remark(const struct line *line)
{
    return line_is(line, "\t// begin inline asm") || line_is(line, "\t// end inline asm");
}

static void line_add(struct text_lines *l, struct line line)
{
    static const char MARK[] = " // callseq ";
    struct move move;
    for (size_t i = 0; i + sizeof MARK - 1 <= line.length; i++)
        if (line.at[i] == MARK[0] && str_begins(line.at + i, MARK))
            line.length = i;
    if (is_remark(&line))
        return;
    if (move_read(&line, &move) && (is_idle(&move) || move_join(l, &move)))
        return;
    if (line.at[0] == '$' && line.at[line.length - 1] == ':')
        branches_join(l, &line);
    vec_push(l->arena, &l->lines, line);
}

/* A function begins and ends with a brace on a line of its own. */
static void function_find(struct text_lines *l, const struct line *line)
{
    if (!line_is(line, "{"))
        return;
    const char *end = strstr(line->at, "\n}");
    l->begin = line->at;
    l->end = end ? end : line->at + strlen(line->at);
}

/* Does the line belong to the debug information of a module? A `.loc` sets *source to the source
   line of the lines behind it. */
static bool origin_read(const struct line *line, unsigned *source)
{
    const char *place = line_behind(line, "\t.loc\t");
    if (place) {
        place += strcspn(place, " ");          /* the file's number */
        *source = (unsigned)strtoul(place, NULL, 10);
    }
    return place || line_behind(line, "\t.file\t") || line_behind(line, "$L__func_") ||
           line_behind(line, "$L__tmp");
}

static bool is_instruction(const struct line *line)
{
    return line->length > 2 && line->at[0] == '\t' && line->at[1] != '.' && line->at[1] != '/';
}

char *text_tidy(struct arena *arena, const char *text, struct line_origins *lines)
{
    struct arena *scratch = arena_new();
    struct text_lines l = {.arena = scratch, .begin = text, .end = text};
    struct str out = str_new(scratch);
    const char *at = text;
    unsigned source = 0;
    while (*at) {
        struct line line = {.at = at, .length = strcspn(at, "\n")};
        at += line.length + (at[line.length] == '\n');
        if (lines && origin_read(&line, &source))
            continue;
        if (is_instruction(&line))
            line.source = source;
        function_find(&l, &line);
        line_add(&l, line);
    }
    lines_guard(scratch, &l.lines);
    for (size_t i = 0; i < l.lines.count; i++) {
        str_add_n(&out, l.lines.at[i].at, l.lines.at[i].length);
        str_char(&out, '\n');
        if (lines)
            vec_push(arena, lines, l.lines.at[i].source);
    }
    char *tidy = arena_strdup(arena, out.text);
    arena_free(scratch);
    return tidy;
}

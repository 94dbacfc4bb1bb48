/* The reader and printer of S-expressions. In: bytes, as they come; out: one tree per command, in
   the caller's arena, each node with its place. Open lists stand on a stack of their own, so that
   depth costs memory only. The first error of a command is remembered and reading goes on to its
   closing parenthesis, so that the next command is read from its beginning. Beyond the standard:
   numbers with an exponent (1.5e-3) and with leading zeros are read. Source: SMT-LIB standard 2.6,
   section 3. */
#include "base/vec.h"
#include "constraints/smt/sexpr.h"
#include <ctype.h>
#include <string.h>

enum { CHUNK = 1 << 16, SOURCE_END = -1 };

struct sexpr_reader {
    sexpr_source source;
    void *self;
    char chunk[CHUNK];
    size_t at, count;
    bool ended;
    unsigned line, column;   /* of the character at `at` */
};

/* One command while it is read. */
struct form {
    struct sexpr_reader *reader;
    struct arena *arena;
    struct sexpr_error *error;
    VEC(struct sexpr *) open;              /* the lists not yet closed */
    VEC(size_t) starts;                    /* where their children begin in `children` */
    VEC(const struct sexpr *) children;
};

struct sexpr_reader *sexpr_reader_new(struct arena *arena, sexpr_source source, void *self)
{
    struct sexpr_reader *reader = ARENA_NEW(arena, struct sexpr_reader);
    reader->source = source;
    reader->self = self;
    reader->line = reader->column = 1;
    return reader;
}

static int peek(struct sexpr_reader *reader)
{
    if (reader->at == reader->count && !reader->ended) {
        reader->at = 0;
        reader->count = reader->source(reader->self, reader->chunk, CHUNK);
        reader->ended = reader->count == 0;
    }
    return reader->ended ? SOURCE_END : (unsigned char)reader->chunk[reader->at];
}

/* Columns count characters: the bytes that continue one in UTF-8 do not. */
static void advance(struct sexpr_reader *reader)
{
    unsigned char c = (unsigned char)reader->chunk[reader->at++];
    if (c == '\n') {
        reader->line++;
        reader->column = 1;
    } else if ((c & 0xC0) != 0x80) {
        reader->column++;
    }
}

static bool is_space(int c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_symbol(int c)
{
    return c != SOURCE_END && c < 128 && (isalnum(c) || (c && strchr("~!@$%^&*_-+=<>.?/", c)));
}

static void skip_blank(struct sexpr_reader *reader)
{
    for (int c = peek(reader); is_space(c) || c == ';'; c = peek(reader)) {
        if (c == ';')
            while (peek(reader) != '\n' && peek(reader) != SOURCE_END)
                advance(reader);
        else
            advance(reader);
    }
}

static void refuse(struct form *form, unsigned line, unsigned column, const char *message)
{
    if (!form->error->message)
        *form->error = (struct sexpr_error){line, column, message, !form->open.count};
}

static bool is_number(const char *text, enum sexpr_kind *kind)
{
    size_t digits = strspn(text, "0123456789");
    *kind = SEXPR_NUMERAL;
    text += digits;
    if (*text == '.') {
        size_t decimals = strspn(text + 1, "0123456789");
        if (!decimals)
            return false;
        *kind = SEXPR_DECIMAL;
        text += decimals + 1;
    }
    if (*text == 'e' || *text == 'E') {
        text += 1 + (text[1] == '-' || text[1] == '+');
        if (!isdigit((unsigned char)*text))
            return false;
        *kind = SEXPR_DECIMAL;
        text += strspn(text, "0123456789");
    }
    return !*text;
}

static struct sexpr *plain_read(struct form *form, struct sexpr *atom)
{
    struct str text = str_new(form->arena);
    int first = peek(form->reader);
    do {
        str_char(&text, (char)peek(form->reader));
        advance(form->reader);
    } while (is_symbol(peek(form->reader)));
    atom->text = text.text;
    atom->kind = first == ':' ? SEXPR_KEYWORD : first == '#' ? SEXPR_BITS : SEXPR_SYMBOL;
    if (isdigit(first) && !is_number(text.text, &atom->kind))
        refuse(form, atom->line, atom->column,
               arena_printf(form->arena, "'%s' is no number and no symbol", text.text));
    if ((first == ':' || first == '#') && !text.text[1])
        refuse(form, atom->line, atom->column,
               arena_printf(form->arena, "'%s' stands alone", text.text));
    return atom;
}

/* Between bars, or between quotation marks of which two are one. */
static struct sexpr *delimited_read(struct form *form, struct sexpr *atom, int mark)
{
    struct sexpr_reader *reader = form->reader;
    struct str text = str_new(form->arena);
    atom->kind = mark == '|' ? SEXPR_SYMBOL : SEXPR_STRING;
    for (advance(reader); peek(reader) != SOURCE_END; advance(reader)) {
        if (peek(reader) == mark) {
            advance(reader);
            if (mark == '|' || peek(reader) != mark) {
                atom->text = text.text;
                return atom;
            }
        }
        if (!peek(reader) || (mark == '|' && peek(reader) == '\\'))
            refuse(form, reader->line, reader->column,
                   "this character may not stand in a quoted symbol or a string");
        str_char(&text, (char)peek(reader));
    }
    refuse(form, atom->line, atom->column, mark == '|' ? "the symbol that begins here has no end"
                                                       : "the string that begins here has no end");
    atom->text = text.text;
    return atom;
}

/* NULL if no atom begins here; the character is skipped then. */
static const struct sexpr *atom_read(struct form *form)
{
    struct sexpr_reader *reader = form->reader;
    struct sexpr *atom = ARENA_NEW(form->arena, struct sexpr);
    int c = peek(reader);
    atom->line = reader->line;
    atom->column = reader->column;
    if (c == '|' || c == '"')
        return delimited_read(form, atom, c);
    if (is_symbol(c) || c == ':' || c == '#')
        return plain_read(form, atom);
    refuse(form, reader->line, reader->column,
           c >= ' ' && c < 127 ? arena_printf(form->arena, "unexpected character '%c'", c)
                               : arena_printf(form->arena, "unexpected character (code %d)", c));
    advance(reader);
    return NULL;
}

static void list_open(struct form *form)
{
    struct sexpr *list = ARENA_NEW(form->arena, struct sexpr);
    *list = (struct sexpr){SEXPR_LIST, form->reader->line, form->reader->column, NULL, NULL, 0};
    vec_push(form->arena, &form->open, list);
    vec_push(form->arena, &form->starts, form->children.count);
    advance(form->reader);
}

static const struct sexpr *list_close(struct form *form)
{
    struct sexpr *list = vec_pop(&form->open);
    size_t start = vec_pop(&form->starts);
    list->count = form->children.count - start;
    const struct sexpr **at = ARENA_ARRAY(form->arena, const struct sexpr *, list->count);
    if (list->count)
        memcpy(at, form->children.at + start, list->count * sizeof *at);
    list->at = at;
    form->children.count = start;
    advance(form->reader);
    return list;
}

/* The expression that ends next, at whatever depth; NULL at the end of the text or where none
   stands. */
static const struct sexpr *next(struct form *form)
{
    skip_blank(form->reader);
    int c = peek(form->reader);
    if (c == SOURCE_END)
        return NULL;
    if (c == '(') {
        list_open(form);
        return NULL;
    }
    if (c != ')')
        return atom_read(form);
    if (form->open.count)
        return list_close(form);
    refuse(form, form->reader->line, form->reader->column, "a closing parenthesis too many");
    advance(form->reader);
    return NULL;
}

const struct sexpr *sexpr_read(struct sexpr_reader *reader, struct arena *arena,
                               struct sexpr_error *error)
{
    struct form form = {.reader = reader, .arena = arena, .error = error};
    *error = (struct sexpr_error){0};
    for (;;) {
        const struct sexpr *expr = next(&form);
        if (!form.open.count && (expr || error->message))
            return error->message ? NULL : expr;
        if (expr)
            vec_push(arena, &form.children, expr);
        if (peek(reader) != SOURCE_END)
            continue;
        if (form.open.count)
            refuse(&form, form.open.at[0]->line, form.open.at[0]->column,
                   "the list that begins here has no end");
        return NULL;
    }
}

/* --- printing -------------------------------------------------------------------------------- */

void symbol_print(struct str *out, const char *name)
{
    bool plain = *name && !isdigit((unsigned char)*name);
    for (const char *c = name; plain && *c; c++)
        plain = is_symbol((unsigned char)*c);
    str_addf(out, plain ? "%s" : "|%s|", name);
}

static void atom_print(struct str *out, const struct sexpr *atom)
{
    if (atom->kind == SEXPR_SYMBOL) {
        symbol_print(out, atom->text);
        return;
    }
    if (atom->kind != SEXPR_STRING) {
        str_add(out, atom->text);
        return;
    }
    str_char(out, '"');
    for (const char *c = atom->text; *c; c++) {
        if (*c == '"')
            str_char(out, '"');
        str_char(out, *c);
    }
    str_char(out, '"');
}

/* A list being printed, and its element that comes next. */
struct printed {
    const struct sexpr *list;
    size_t next;
};

void sexpr_print(struct str *out, const struct sexpr *expr)
{
    VEC(struct printed) open = {0};
    for (;;) {
        if (expr->kind == SEXPR_LIST) {
            str_char(out, '(');
            vec_push(out->arena, &open, ((struct printed){expr, 0}));
        } else {
            atom_print(out, expr);
        }
        for (; open.count && vec_last(&open).next == vec_last(&open).list->count; open.count--)
            str_char(out, ')');
        if (!open.count)
            return;
        struct printed *top = &vec_last(&open);
        if (top->next)
            str_char(out, ' ');
        expr = top->list->at[top->next++];
    }
}

bool sexpr_is(const struct sexpr *expr, const char *symbol)
{
    return expr->kind == SEXPR_SYMBOL && strcmp(expr->text, symbol) == 0;
}

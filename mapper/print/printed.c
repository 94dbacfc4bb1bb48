/* Statements of the mapped text as lines.

   In: a tree of statements. Out: text. A body has braces unless the body is one statement; a body
   that is an `if` has braces, too, since an `else` could belong to either `if`. */
#include "mapper/print/printed.h"
#include <string.h>

struct text_stmt *printed_add(struct arena *arena, printed_list *list, enum printed_kind kind,
                            const char *text)
{
    struct text_stmt *printed = ARENA_NEW(arena, struct text_stmt);
    printed->kind = kind;
    printed->text = text;
    vec_push(arena, list, printed);
    return printed;
}

/* A statement whose further lines move by `columns`. */
static void layout_line(struct str *out, const struct text_stmt *line, int indent)
{
    str_indent(out, indent);
    for (const char *at = line->text; *at; at++) {
        str_char(out, *at);
        if (*at != '\n')
            continue;
        int blanks = (int)strspn(at + 1, " "), columns = blanks + indent - line->column;
        str_indent(out, columns > 0 ? columns : 0);
        at += blanks;
    }
    str_char(out, '\n');
}

static void layout_block(struct str *out, const printed_list *list, int indent)
{
    str_add(out, "{\n");
    printed_layout(out, list, indent + 4);
    str_indent(out, indent);
    str_add(out, "}\n");
}

void printed_body(struct str *out, const printed_list *body, bool has_braces, int indent)
{
    if (has_braces) {
        str_char(out, ' ');
        layout_block(out, body, indent);
        return;
    }
    str_char(out, '\n');
    printed_layout(out, body, indent + 4);
}

static bool needs_braces(const printed_list *body, bool is_bare)
{
    const struct text_stmt *only = body->count == 1 ? body->at[0] : NULL;
    return !only || only->is_declaration || (only->is_if && !is_bare);
}

static void layout_head(struct str *out, const struct text_stmt *head, int indent)
{
    str_indent(out, indent);
    str_add(out, head->text);
    printed_body(out, &head->body, head->has_braces || needs_braces(&head->body, head->is_bare),
                 indent);
    if (!head->otherwise.count)
        return;
    str_indent(out, indent);
    str_add(out, "else");
    printed_body(out, &head->otherwise, needs_braces(&head->otherwise, false), indent);
}

void printed_layout(struct str *out, const printed_list *list, int indent)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct text_stmt *printed = list->at[i];
        if (printed->kind == PRINTED_LINE) {
            layout_line(out, printed, indent);
        } else if (printed->kind == PRINTED_HEAD) {
            layout_head(out, printed, indent);
        } else {
            str_indent(out, indent);
            layout_block(out, &printed->body, indent);
        }
    }
}

#ifndef MAPPER_PRINTED_H
#define MAPPER_PRINTED_H
#include "base/str.h"
#include "base/vec.h"

/* Statements of the mapped text before they are laid out: what stands in what, and what each is. */

enum printed_kind {
    PRINTED_LINE,                    /* a statement of the source, a declaration */
    PRINTED_HEAD,                    /* `if (…)` or `for (…)` with its body */
    PRINTED_BLOCK                    /* a body in braces of its own */
};

struct text_stmt;
typedef VEC(struct text_stmt *) printed_list;

struct text_stmt {
    enum printed_kind kind;
    const char *text;                /* LINE: with its semicolon; HEAD: as far as the parenthesis */
    int column;                      /* LINE: where the text began; its further lines move along */
    bool is_if;                      /* it begins with an `if`, whose `else` might be taken for
                                        another's */
    bool is_declaration;             /* LINE: it stands in braces, even alone */
    bool has_braces;                 /* HEAD: around any body */
    bool is_bare;                    /* HEAD: no braces around a body that is an `if` */
    printed_list body, otherwise;    /* HEAD, BLOCK; of HEAD also what follows `else` */
};

struct text_stmt *printed_add(struct arena *arena, printed_list *list, enum printed_kind kind,
                            const char *text);
/* The statements as lines that begin `indent` columns from the left. */
void printed_layout(struct str *out, const printed_list *list, int indent);
/* A body behind a head that is printed. */
void printed_body(struct str *out, const printed_list *body, bool has_braces, int indent);

#endif

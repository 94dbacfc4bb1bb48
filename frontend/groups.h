#ifndef FRONTEND_GROUPS_H
#define FRONTEND_GROUPS_H
#include "base/str.h"
#include "frontend/ast.h"
#include "frontend/scan.h"

/* Directives that begin a group, go to its next branch, go to its last branch and end it, and all
   other directives. */
enum directive_class { OPENS, TURNS, TURNS_LAST, CLOSES, OTHER };

/* The directives from a byte of the main file to another, one after the other. */
struct directives {
    const struct ast_unit *unit;
    struct scanner scanner;
    struct token token;
    enum directive_class class;
    size_t begin, end;               /* its bytes in the file */
};

struct directives directives_from(const struct ast_unit *unit, size_t begin, size_t end);
bool directive_next(struct directives *d);

/* Does a pragma stand at the byte that says how a loop runs, or which threads run it? */
bool is_advice_at(const struct ast_unit *unit, size_t at);
/* The end of a group from `#if` to its `#endif` that chooses between comments, and pragmas that say
   how loops run, alone; 0 if none begins at the byte. */
size_t empty_group_end(const struct ast_unit *unit, size_t at);

/* Do groups between two bytes choose code? */
bool groups_choose(const struct ast_unit *unit, size_t begin, size_t end);
/* Lines that define a macro where the preprocessor chooses otherwise between two bytes than it did
   here: the groups with `#define NAME` in place of what was not chosen. */
void groups_print(struct str *out, const struct ast_unit *unit, size_t begin, size_t end,
                  const char *name);

#endif

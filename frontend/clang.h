#ifndef FRONTEND_CLANG_H
#define FRONTEND_CLANG_H
#include "base/map.h"
#include "base/vec.h"
#include "frontend/ast.h"
#include <clang-c/Index.h>

/* Declarations shared by the files that call libclang: parse.c, convert.c, type.c. */

enum { AST_DEPTH_MAX = 1000, TYPE_DEPTH_MAX = 64 };

/* A use of a macro in the main file: bytes from its name to the end of its arguments. */
struct macro_call {
    unsigned begin, end;
};

struct ast_state {
    CXIndex index;
    CXTranslationUnit tu;
    CXFile file;                     /* the main file */
    struct map *sources;             /* CXFile to struct source */
    struct map *decls;               /* clang's declaration to struct ast */
    struct map *bodies;              /* function node to its body */
    struct map *types;               /* clang's type to struct ast_type */
    struct map *placing;             /* macros that use `__LINE__` or `__FILE__`, by name */
    bool has_placing;                /* there are some */
    VEC(struct macro_call) calls;    /* by place; none stands in another */
    const struct ast *owner;         /* function whose body is being converted */
    int depth, type_depth;
    bool too_deep;                   /* reported */
};

typedef VEC(CXCursor) cursor_list;

/* macro_calls.c: fills state->calls and unit->macros. */
void macros_find(struct ast_unit *unit);
/* The call that an offset stands in, if `at_end` also directly behind; NULL: none. */
const struct macro_call *macro_call_at(const struct ast_unit *unit, unsigned offset, bool at_end);

/* parse.c */
struct loc clang_place(struct ast_unit *unit, CXSourceLocation location);
char *clang_text(struct arena *arena, CXString string);

/* nesting.c: false after a diagnostic if the text is nested more deeply than clang's own
   stack bears. */
bool nesting_check(struct ctx *ctx, const struct source *source);

/* marks.c: the header that defines the marks; false after diagnostics if a function bears a mark's
   name, or if the file uses marks without metafork.h. `header` is the path under which clang knows
   the text. */
extern const char marks_text[];
bool marks_check(struct ast_unit *unit, const char *header);

/* pragmas.c: fills unit->pragmas. */
void pragmas_find(struct ast_unit *unit);

/* part.c: marks children of a node that share a macro's call with the node or with each other, and
   the nodes below such children. */
void parts_mark(struct ast_unit *unit, const struct ast *node);

/* part.c: the same for extents in a declaration's type. */
void parts_mark_extents(struct ast_unit *unit, const struct ast *declaration);

/* convert.c */
cursor_list cursor_children(struct ast_unit *unit, CXCursor cursor);
/* Is the place in the main file? A macro's expansion is where the macro is used. `offset` gets its
   byte, unless NULL. */
bool in_main_file(const struct ast_unit *unit, CXSourceLocation location, unsigned *offset);
const struct ast *cursor_convert(struct ast_unit *unit, CXCursor cursor);
const struct ast *cursor_declaration(struct ast_unit *unit, CXCursor cursor);

/* half.c: an operation or constant of halves as one of floats; other nodes as they are. */
const struct ast *half_widened(struct ast_unit *unit, const struct ast *node);

/* type.c: the type of an expression; the type of a declaration with its extents as written. */
const struct ast_type *type_convert(struct ast_unit *unit, CXType type);
const struct ast_type *type_of_declaration(struct ast_unit *unit, CXCursor cursor);

#endif

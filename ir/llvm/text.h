#ifndef IR_LLVM_TEXT_H
#define IR_LLVM_TEXT_H
#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include <stdbool.h>

/* Lines of PTX, which text.c and copies.c make shorter and guard.c lets follow each other without
   branches. */

enum { RESULTS_MOST = 8 };     /* of an instruction */

struct line {
    const char *at;
    size_t length;             /* without the end of the line */
    unsigned source;           /* number of its source line, or 0 */
};

struct line_list {
    struct line *at;
    size_t count, capacity;
};

struct line line_made(struct arena *arena, const char *text, unsigned source);
bool line_is(const struct line *line, const char *text);
/* What follows `head` in the line; NULL if it begins otherwise. */
const char *line_behind(const struct line *line, const char *head);
/* How long the name, of a register or a label, at `at` is. */
size_t name_length(const char *at);

/* A move between registers of one kind. */
struct move {
    struct line to, from;
};
bool move_read(const struct line *line, struct move *move);

/* copies.c */
bool op_begins(const char *text, const char *with);
/* The line's operation where it is an instruction without guard; else NULL. */
const char *line_operation(const struct line *line);
/* The registers that the line makes: their number, and names in the arena. */
int line_results(struct arena *arena, const struct line *line, const char *names[RESULTS_MOST]);
/* The count of a name, 0 if it is new. */
int *count_of(struct arena *arena, struct map *counts, const char *name);
/* How often the lines make each register: name to int. */
struct map *definitions_count(struct arena *arena, const struct line_list *lines, size_t begin,
                              size_t end);
/* Lets the readers of copies read originals, in a function's lines from `begin` to *end, which
   become fewer. `definitions`: how often they make each register. */
void copies_drop(struct arena *arena, struct line_list *lines, size_t begin, size_t *end,
                 struct map *definitions);

/* guard.c: instructions under a guard in the place of branches around them, and no copies, in all
   functions. */
void lines_guard(struct arena *arena, struct line_list *lines);

#endif

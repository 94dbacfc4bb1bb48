#ifndef EMIT_TABLES_H
#define EMIT_TABLES_H
#include "base/vec.h"
#include "emit/choice.h"
#include "emit/code.h"
#include "emit/host.h"
#include "ir/access/access.h"
#include "optimizer/figures.h"

/* The rows of a region's tables, as tables.c collects and tables_print.c prints them. Values are
   numbers of the region's code; which number each has in the program is known at the end. */

struct condition_row {
    const char *text;
    int left, right;
    enum relation relation;
};

struct list_entry {
    int number;
    bool is_value; /* numbered by the code, not a row or a place */
};

struct access_row {
    int rounds, waits;
    unsigned axes, loops;
    const struct figure_access *from;
};

struct figure_row {
    int values[6]; /* in the order of struct treefork_figure_row */
    unsigned accesses;
};

struct launch_row {
    size_t module;
    unsigned grid, block, points;
    int shared, registers, divisor; /* -1: none */
    bool any_block;
    int figures, general; /* -1: none */
    int joined; /* module; -1: none */
};

struct leaf_row {
    const struct variant *variant;
    unsigned fits;
    size_t first, count;
};

struct step_row {
    const struct node *fork;
    unsigned counter, accept, refuse; /* words */
    int on_accept, on_refuse; /* steps; -1 - the number of an end */
};

struct end_row {
    int leaf;
    unsigned codes; /* word */
};

/* Elements of an array that a part touches: values, `condition` and `step` -1 where there is none.
   `exact`: a list or NONE. */
struct part_values {
    int array;
    bool is_write;
    enum treefork_reduction reduction; /* not NONE: a write in which blocks add up */
    int condition, step, from, to, least, most, unit, base, pieces, pitch;
    unsigned exact;
    bool is_widened; /* by dimensions that the kernel touches at one subscript */
};

struct cut_values {
    int axis; /* -1: the launch runs whole */
    size_t first, count; /* rows of parts */
};

struct tables {
    struct host *host;
    struct arena *arena;
    const struct tree *tree;
    struct host_code *code;
    struct code_ring names; /* of the tree's ring */
    struct map *names_of; /* member of struct treefork_region -> name of its array */
    struct map *known; /* text of a list, condition or access -> its number */
    VEC(struct list_entry) lists;
    VEC(struct condition_row) conditions;
    VEC(struct access_row) accesses;
    VEC(struct figure_row) figures;
    VEC(struct launch_row) launches;
    VEC(struct leaf_row) leaves;
    VEC(struct cut_values) cuts; /* by launch */
    VEC(struct part_values) parts;
    VEC(const char *) words;
    VEC(struct step_row) steps; /* of the case tree, each before its branches */
    VEC(struct end_row) ends;
    VEC(int) asked; /* conditions before the tree, then those of its steps, where they are told */
    VEC(int) bytes; /* by array */
    VEC(bool) moves; /* by array: a region of the function writes it */
    struct overwriting *overwritten; /* by array of the kernel */
    VEC(unsigned) overwrites; /* by global array: a list of values */
    struct choice_rows choice;
    unsigned exact;
    VEC(unsigned) dividends; /* by tunable */
    size_t n_shape, n_figures;
};

/* The number of the list of these values; 0 without values. */
unsigned tables_list(struct tables *t, const int *values, size_t n);
/* parts.c: rows of parts, behind all that has operations of its own. */
void parts_collect(struct tables *t);
/* steps.c: the case tree's rows. */
void steps_collect(struct tables *t);

/* The rows of a tree, for printing; false after a diagnostic. With `are_told` there are rows for
   what NAME_select asks, too, for readers that have no C compiler (tables_json.c). */
bool tables_collect(struct tables *t, struct host *host, const struct tree *tree, bool are_told);

/* Numbers in the tables: of a value and of a row, NONE where there is none (-1), and of a step or
   an end. The code has ended. */
unsigned tables_value(const struct tables *t, int value);
unsigned tables_row(int row);
unsigned tables_place(const struct tables *t, int place);

/* All rows as C text. The code has ended. */
void tables_print(struct tables *t);

#endif

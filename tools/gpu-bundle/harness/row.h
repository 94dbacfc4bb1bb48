#ifndef BUNDLE_ROW_H
#define BUNDLE_ROW_H
/* A row of results: one JSON object on one line of standard output. Members follow each other in
   the order of calls; in a list names are NULL. */
#include <stdbool.h>
#include <stdint.h>

enum { ROW_DEPTH = 8 };

struct row {
    int depth;
    bool has_member[ROW_DEPTH];
    char close[ROW_DEPTH];      /* what ends each level */
};

struct row row_begin(void);
void row_text(struct row *row, const char *name, const char *text);
/* null for what is no number. */
void row_number(struct row *row, const char *name, double value);
void row_integer(struct row *row, const char *name, int64_t value);
void row_bool(struct row *row, const char *name, bool value);
void row_object(struct row *row, const char *name);
void row_list(struct row *row, const char *name);
/* Ends the innermost object or list. */
void row_close(struct row *row);
/* Ends the row and hands it over. */
void row_end(struct row *row);

#endif

#ifndef BUNDLE_RESULTS_H
#define BUNDLE_RESULTS_H
/* The file of results: one JSON object, whole at any time, since every version of it is written to
   another name and renamed. */
#include <stdbool.h>
#include <stddef.h>

struct text {
    char *at;
    size_t length, room;
};

struct results {
    const char *path;
    struct text head;           /* members before "parts" */
    struct text parts;          /* finished ones */
    struct text rows;           /* of the part at work */
    const char *part;           /* NULL: none is */
    double start, written;      /* of the part; of the file */
    int n_left;                 /* tasks of the part for which there was no time */
    bool is_done;               /* nothing more will be written */
};

#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
void text_add(struct text *text, const char *format, ...);
/* As a JSON string. */
void text_add_string(struct text *text, const char *string);

/* Writes the file, too. */
void results_part_begin(struct results *results, const char *part);
/* A row, which is JSON. */
void results_row(struct results *results, const char *row);
void results_part_end(struct results *results);
/* At most twice a second unless it is `now`; false after a message if the file cannot be
   written. */
bool results_write(struct results *results, bool now);

#endif

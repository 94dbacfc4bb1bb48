#ifndef TREEFORK_STORE_H
#define TREEFORK_STORE_H
/* Files of lines in the cache's folder, each line a flat JSON object; the first line is the file's
   header. Lines are only ever added, by any number of processes at once. */
#include "runtime/internal.h"

#pragma GCC visibility push(hidden)

/* The file of choices that were tuned, and its header. */
#define TREEFORK_TUNED_FILE "tuned.jsonl"
#define TREEFORK_TUNED_HEADER "{\"treefork_tuned\": 1}"

/* A line without its newline; false if it is damaged. */
typedef bool treefork_store_line(void *state, const char *line, size_t length);
/* Every line behind the header, in order. That some are damaged, or that the file is of another
   format or no file to be trusted, is said once; then they are passed over. Nothing happens without
   a folder or a file. */
void treefork_store_read(const char *name, const char *header, treefork_store_line *line,
                         void *state);
/* Adds a line in one write, under a lock; the header before it where the file is new. FILE, with
   what went wrong; then the file is as it was. */
int treefork_store_append(const char *name, const char *header, const char *line);
/* Why no line could be added to the file as it is; NULL: one could, as far as can be told. */
const char *treefork_store_refuses(const char *name, const char *header);
/* Removes the file, if it is there. */
void treefork_store_remove(const char *name);
/* The folder's lock, which one process at a time holds while it measures; it ends with the
   descriptor, which is to be closed, or with the process. TREEFORK_LOCK_HELD: by another process;
   -1: there is none (no folder, or a file system without locks). */
#define TREEFORK_LOCK_HELD (-2)
int treefork_store_lock(void);
/* Waits until no other process has the file of that name, which is made, and then has it until the
   descriptor is closed. -1: nothing is waited for, as there is no lock. */
int treefork_store_turn(const char *name);
/* Says that the process works with the file of that name, which is made, until the descriptor is
   closed; -1: it cannot be said. */
int treefork_store_use(const char *name);
/* Does another process say so, too? Where none does, none can from here on. */
bool treefork_store_used(int use);
/* The cache's folder, for messages; false if there is none that may be used. */
bool treefork_store_path(char *path, size_t room);

/* Adds `, "name": "text"` to an object, escaped. */
void treefork_store_add(struct treefork_text *object, const char *name, const char *text);

#pragma GCC visibility pop
#endif

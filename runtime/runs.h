#ifndef TREEFORK_RUNS_H
#define TREEFORK_RUNS_H
/* Where the newest bytes of an array are: sorted runs of bytes, each with the set of sides that
   have them. A side is a bit: the host, or a member, of which a device has one. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

enum { SIDE_OF_HOST = 1, SIDE_OF_MEMBER = 2 };      /* of member k, from 1 on: 1 << k */

/* Begins at byte `begin` and ends where the next run begins, the last one where the array ends. */
struct treefork_byte_run {
    size_t begin;
    uint64_t sides;             /* never none */
};

/* Neighbours have different sides, the first run begins at 0. An array is known by one run at
   first, and after every access to all of it; that run is not listed. */
struct treefork_runs {
    uint64_t all;               /* sides that have every byte: those of a single run */
    uint64_t any;               /* sides that have some byte */
    size_t end;                 /* bytes of the array */
    size_t count;               /* of runs; 1: `at` says nothing */
    size_t room, spare_room;
    struct treefork_byte_run *at, *spare;    /* owned; every change overwrites the spare list */
};

/* Bytes of an array: `pieces` pieces of so many bytes, `pitch` bytes apart, by rising address. */
struct treefork_row {
    size_t begin, bytes, pitch, pieces;
};

/* Copies the bytes of a row, of one piece or more, to a side from one of the sides `from`; the
   status. */
typedef int (*treefork_run_copy)(void *state, uint64_t from, uint64_t to,
                                 const struct treefork_row *row);

static inline struct treefork_row treefork_row_of(size_t begin, size_t end)
{
    return (struct treefork_row){begin, end - begin, end - begin, 1};
}

/* Does the side have the newest contents of all bytes, of some? */
static inline bool treefork_runs_has(const struct treefork_runs *runs, uint64_t side)
{
    return runs->all & side;
}
static inline bool treefork_runs_touches(const struct treefork_runs *runs, uint64_t side)
{
    return runs->any & side;
}

/* Of an array of so many bytes that these sides have. */
static inline struct treefork_runs treefork_runs_of(uint64_t sides, size_t bytes)
{
    return (struct treefork_runs){.all = sides, .any = sides, .end = bytes, .count = 1};
}

/* So many bytes of the row are newest at none of these sides. The sides that have them are added to
   *others. */
size_t treefork_runs_lacking(const struct treefork_runs *runs, uint64_t sides,
                             struct treefork_row row, uint64_t *others);
/* All bytes are newest at these sides and nowhere else. */
static inline void treefork_runs_set(struct treefork_runs *runs, uint64_t sides)
{
    runs->all = runs->any = sides;
    runs->count = 1;
}

/* The side has all bytes, too. */
void treefork_runs_gain(struct treefork_runs *runs, uint64_t side);
/* The side gets the newest bytes of the row: those that it lacks are copied, in the order of the
   array. Several stretches of equal length, equally far apart and with the same sides are a single
   copy. The status of the first copy that fails, after which the side counts as before; MEMORY. */
int treefork_runs_need(struct treefork_runs *runs, uint64_t side, struct treefork_row row,
                       treefork_run_copy copy, void *state);
/* The side has written the row: nobody else has it now. MEMORY, with nothing changed. */
int treefork_runs_wrote(struct treefork_runs *runs, uint64_t side, struct treefork_row row);
/* The side loses all bytes. The host gets copies of the bytes that no other side has; copy NULL:
   such bytes are given up, and the host's count. */
int treefork_runs_leave(struct treefork_runs *runs, uint64_t side, treefork_run_copy copy,
                        void *state);
/* The array has so many bytes from now on; further ones than before are newest at this side.
   MEMORY, with nothing changed. */
int treefork_runs_resize(struct treefork_runs *runs, size_t bytes, uint64_t side);
void treefork_runs_free(struct treefork_runs *runs);

#pragma GCC visibility pop
#endif

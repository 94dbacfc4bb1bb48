#ifndef RUNTIME_MOTION_H
#define RUNTIME_MOTION_H
/* Structured programs over arrays that two memories hold, and copies that are placed in them before
   they run: verified motion (spec H-17). Out: a program with copies that is right on every path, to
   be compared with what the runtime copies when it runs.

   A step uses arrays on one side, or is a copy of an array to one side, a loop of 0 or more rounds,
   or a branch. A use writes a range of its target, from what the target and a source have, or only
   reads its source. */
#include "tests/unit/draw.h"
#include <stdbool.h>
#include <stdlib.h>

enum { ARRAYS = 3, ELEMENTS = 16, STEPS_MAX = 4000 };
enum side { HOST, DEVICE };
enum step_kind { STEP_USE, STEP_COPY, STEP_LOOP, STEP_BRANCH };

struct range {
    int array, from, count;             /* array -1: none */
};

struct step {
    enum step_kind kind;
    enum side side;                     /* of a use; the one that a copy writes */
    struct range target, source;        /* a copy's array is its target's */
    bool overwrites;                    /* the target's whole range, whatever is in it */
    int id;
    struct step *body[2];               /* a loop has one */
    struct step *next;
};

struct pool {
    struct step steps[STEPS_MAX];
    int count, n_uses;
};

static inline struct step *step_new(struct pool *pool, enum step_kind kind, enum side side)
{
    struct step *step = pool->count < STEPS_MAX ? &pool->steps[pool->count++] : NULL;
    if (!step)
        abort();
    *step = (struct step){.kind = kind, .side = side, .target = {-1, 0, 0}, .source = {-1, 0, 0}};
    if (kind == STEP_USE)
        step->id = ++pool->n_uses;
    return step;
}

/* --- random programs ------------------------------------------------------------------------- */

/* Whole arrays are used as such, of which a use touches a range. */
static inline struct range range_draw(uint64_t *seed, int array)
{
    int from = (int)draw(seed, 3) * (ELEMENTS / 4),
        count = 1 + (int)draw(seed, (uint64_t)(ELEMENTS - from));
    if (draw(seed, 3) == 0)
        return (struct range){array, 0, ELEMENTS};
    return (struct range){array, from, count};
}

static inline struct step *use_draw(struct pool *pool, uint64_t *seed)
{
    struct step *use = step_new(pool, STEP_USE, draw(seed, 2) ? DEVICE : HOST);
    int target = (int)draw(seed, ARRAYS),
        other = (target + 1 + (int)draw(seed, ARRAYS - 1)) % ARRAYS;
    bool reads_only = use->side == HOST && draw(seed, 2);
    if (!reads_only)
        use->target = range_draw(seed, target);
    if (reads_only || draw(seed, 2))
        use->source = range_draw(seed, other);
    use->overwrites = use->side == DEVICE && draw(seed, 4) == 0;
    return use;
}

static inline struct step *steps_draw(struct pool *pool, uint64_t *seed, int depth)
{
    struct step *first = NULL, **end = &first;
    for (int n = 1 + (int)draw(seed, 4); n > 0; n--) {
        uint64_t kind = depth > 0 ? draw(seed, 6) : 5;
        if (kind < 2) {
            *end = step_new(pool, kind ? STEP_LOOP : STEP_BRANCH, HOST);
            (*end)->body[0] = steps_draw(pool, seed, depth - 1);
            (*end)->body[1] = kind == 0 && draw(seed, 2) ? steps_draw(pool, seed, depth - 1) : NULL;
        } else {
            *end = use_draw(pool, seed);
        }
        end = &(*end)->next;
    }
    return first;
}

/* --- which side has the newest contents ------------------------------------------------------ */

/* A set of states of one array: a bit for each set of sides that are valid, at 1, 2 and 3. */
typedef unsigned state_set;

static inline state_set states_with(state_set states, enum side side)
{
    return states & (side == HOST ? 1u << 1 | 1u << 3 : 1u << 2 | 1u << 3);
}

static inline bool use_verify(const struct step *use, int array, bool is_whole, state_set *states)
{
    bool writes = use->target.array == array, reads = use->source.array == array;
    bool covers = writes && use->overwrites && is_whole;
    if ((writes || reads) && !covers && states_with(*states, use->side) != *states)
        return false;
    if (writes)
        *states = use->side == HOST ? 1u << 1 : 1u << 2;
    return true;
}

/* The states behind the steps; false if a side may be used that is not valid. */
static inline bool steps_verify(const struct step *step, int array, state_set *states)
{
    for (; step; step = step->next) {
        state_set first = *states, second = *states;
        switch (step->kind) {
        case STEP_USE:
            if (!use_verify(step, array, step->target.count == ELEMENTS, states))
                return false;
            break;
        case STEP_COPY:
            if (step->target.array == array && states_with(*states, !step->side) != *states)
                return false;
            if (step->target.array == array)
                *states = 1u << 3;
            break;
        case STEP_LOOP:
            do {
                first = *states;
                if (!steps_verify(step->body[0], array, &second))
                    return false;
                *states |= second;
                second = *states;
            } while (*states != first);
            break;
        case STEP_BRANCH:
            if (!steps_verify(step->body[0], array, &first) ||
                !steps_verify(step->body[1], array, &second))
                return false;
            *states = first | second;
            break;
        }
    }
    return true;
}

/* The host has all arrays before the program, and wants them behind. */
static inline bool program_verify(const struct step *program)
{
    for (int array = 0; array < ARRAYS; array++) {
        state_set states = 1u << 1;
        if (!steps_verify(program, array, &states) || states_with(states, HOST) != states)
            return false;
    }
    return true;
}

/* --- copies ---------------------------------------------------------------------------------- */

static inline struct step *copy_new(struct pool *pool, int array, enum side to, struct step *next)
{
    struct step *copy = step_new(pool, STEP_COPY, to);
    copy->target = (struct range){array, 0, ELEMENTS};
    copy->next = next;
    return copy;
}

/* A copy behind each step that writes, to the other side. */
static inline void copies_insert(struct pool *pool, struct step *step)
{
    for (; step; step = step->next) {
        copies_insert(pool, step->body[0]);
        copies_insert(pool, step->body[1]);
        if (step->kind == STEP_USE && step->target.array >= 0) {
            step->next = copy_new(pool, step->target.array, !step->side, step->next);
            step = step->next;
        }
    }
}

/* With copies behind each writer, the host before the program among them. */
static inline struct step *program_with_copies(struct pool *pool, struct step *program)
{
    copies_insert(pool, program);
    for (int array = 0; array < ARRAYS; array++)
        program = copy_new(pool, array, DEVICE, program);
    return program;
}

static inline bool copy_delete(struct step *const *program, struct step **place)
{
    struct step *copy = *place;
    *place = copy->next;
    if (program_verify(*program))
        return true;
    *place = copy;
    return false;
}

/* Past the next step that is no copy, or out of the statement around, behind which is `behind`. */
static inline bool copy_move(struct step *const *program, struct step **place, struct step **behind)
{
    struct step *copy = *place, *after = copy->next, **to;
    while (after && after->kind == STEP_COPY)
        after = after->next;
    to = after ? &after->next : behind;
    if (!to)
        return false;
    struct step *next = copy->next;
    *place = next;
    copy->next = *to;
    *to = copy;
    if (program_verify(*program))
        return true;
    *to = copy->next;
    copy->next = next;
    *place = copy;
    return false;
}

/* One round over all copies of a list; was anything changed? */
static inline bool copies_improve(struct step *const *program, struct step **list,
                                  struct step **behind)
{
    bool changed = false;
    for (struct step **place = list; *place;) {
        struct step *step = *place;
        for (int i = 0; i < 2; i++)
            if (step->body[i])
                changed |= copies_improve(program, &step->body[i], &step->next);
        bool moves = step->kind == STEP_COPY &&
                     (copy_delete(program, place) || copy_move(program, place, behind));
        changed |= moves;
        if (!moves)
            place = &step->next;
    }
    return changed;
}

/* Verified motion: copies are deleted or move on as long as the analysis holds. */
static inline void copies_move(struct step **program)
{
    while (copies_improve(program, program, NULL))
        continue;
}

#endif

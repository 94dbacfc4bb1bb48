#ifndef MAPPER_COVERS_H
#define MAPPER_COVERS_H
#include "base/str.h"
#include "base/vec.h"
#include "frontend/ast.h"
#include "mapper/forms/choice.h"

/* The answer to `map --covers` as numbers and texts: covers.c finds it, whoever has case trees
   fills in times, and text and JSON are made of it. All in the arena of the context. */

/* A number of elements: a polynomial over sizes, and its value at those of the question. */
struct cover_words {
    const char *text;
    bool is_known;                   /* no part of it is unknown */
    double value;
};

/* An array that a step touches. */
struct cover_array {
    const char *name;                /* "z"; of memory that the text allocates "copy of z" */
    bool is_read, is_written;
    struct cover_words reads, writes;
    bool vanishes;                   /* nobody but the threads of the step needs it */
    bool has_parts;                  /* a second kernel finishes sums in it from parts in memory */
    struct cover_words parts;        /* has_parts: the elements that keep these */
};

/* An array in which blocks keep parts of sums for the kernel that finishes them. */
struct cover_part {
    const char *array;
    double elements;
};
/* The predicted time of a step on a machine, of its fastest leaf. */
struct cover_time {
    bool is_known;
    double nanoseconds;              /* of all launches */
    int leaf;                        /* 0: the step has several regions, or none */
    const char *choice;              /* "B0 = 16, B1 = 8"; "" without tunables */
    size_t n_parts;
    const struct cover_part *parts;
};

typedef VEC(size_t) nest_numbers;
struct cover_step {
    nest_numbers nests;              /* the nests of the step */
    const char *shape;               /* "region (i, j)", "the host" */
    bool is_region;
    int launches;                    /* of a region */
    VEC(struct cover_array) arrays;
    struct cover_time time;
};

struct cover_answer {
    bool is_chosen;                  /* the plan's */
    VEC(struct cover_step) steps;
    struct cover_words words;        /* of all regions, without arrays that vanish */
    int launches;
    bool has_loops;                  /* loops of the host beside them */
    bool has_host;                   /* statements or nests that the host runs, without a time */
    double mapper_nanoseconds;       /* by which the mapper chooses */
    bool is_timed;                   /* every region has a time on the machine */
    double nanoseconds;              /* then: of all regions */
    const struct plan_cover *cover;
};

struct cover_nest {
    unsigned line;
    const char *text;                /* the first statement, of which a long end is left out */
    size_t n_statements;
};

/* Two nests that no cover has in one region. */
struct cover_place {
    struct loc loc;
    bool writes;
    const char *text;                /* "t[i]" */
};
struct cover_pair {
    size_t first, second;            /* by number */
    const char *reason;              /* in words; NULL: the dependence alone */
    const char *array;               /* of a dependence between them; NULL: none is in the way */
    struct cover_place places[2];
    const char *witness;             /* "with n = 1: i = 0 writes t[0], and j = 0 reads it" */
};

/* A list of nests of a fragment with its covers, or why there is none. */
struct covers_answer {
    const char *file, *function;
    unsigned line;
    const char *refusal;             /* why there are no covers; NULL: there are */
    unsigned refusal_line;           /* of the refused statement; 0: none is refused */
    const char *loop;                /* the loop of the host around the list; NULL: none */
    unsigned loop_line;
    VEC(struct map_size) sizes;      /* of the question */
    VEC(struct map_size) values;     /* sizes, and the middle values of iterators of host loops */
    VEC(struct cover_nest) nests;
    VEC(struct cover_answer) found;  /* the plan's first, the others by time */
    bool is_cut;                     /* there are more covers than these */
    VEC(struct cover_pair) apart;    /* none if covers are left out, as nobody knows */
    const char *end;                 /* why the next loop of the block is in no list with these;
                                        NULL: there is none */
    unsigned end_line;               /* of the statement in the way, or of that loop */
    const struct nest *nest;
    const struct plan_covers *covers;
    const struct map_choice *choice;
};
typedef VEC(struct covers_answer) covers_answers;

/* The covers of the fragments that the choice names. False after a diagnostic. */
bool covers_ask(struct ctx *ctx, struct ast_unit *unit, struct map_choice *choice,
                covers_answers *list);
/* A region of a cover's text: the number of its step, and how often it is launched. */
struct printed_region {
    size_t step;
    double rounds;
};
typedef VEC(struct printed_region) printed_regions;
/* The file mapped with this cover in the place of the plan's, and with all other loops on the host;
   the regions in the order of the text. The text serves predictions: no judge has seen it. */
void cover_text(struct ctx *ctx, const struct covers_answer *answer, const struct cover_answer *one,
                struct str *out, printed_regions *printed);
/* Puts the covers behind the plan's in the order of their times on the machine. */
void covers_sort(struct covers_answer *answer);
/* covers_text.c: the answer as text. `machine`: the machine of the times; NULL: those of the
   mapper. */
void covers_print(struct str *out, const struct covers_answer *answer, const char *machine);

#endif

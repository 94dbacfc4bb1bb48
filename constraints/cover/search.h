#ifndef CONSTRAINTS_COVER_SEARCH_H
#define CONSTRAINTS_COVER_SEARCH_H
/* One question to an engine, between its files. Levels are numbered from 0 in the order of
   assignment; the level of a polynomial is that of its last variable. At each level the line over
   the coordinates already chosen is covered by cells: open intervals between neighbouring roots, or
   single roots, each with the irreducible polynomials whose signs decide the truth of the question
   over it. Cells, roots and end points of a level live in the level's own arena, which is freed
   when the level is left; only numbers of polynomials and origins go up. */
#include "constraints/cover/cover.h"
#include "constraints/cover/table.h"

enum { SIGN_OPEN = 3 };   /* beside the signs and SIGN_UNDECIDED: some variable is not assigned */

/* --- the matrix: hypotheses, in negation normal form --- */

struct factor {
    int polynomial;
    bool odd;
};

struct atom {
    enum relation relation;
    int sign;                       /* of the constant factor */
    const struct factor *factors;
    size_t count;
    bool beyond;                    /* its polynomial is beyond the limits: always unknown */
};

enum node_kind { NODE_TRUE, NODE_FALSE, NODE_ATOM, NODE_AND, NODE_OR };

struct node {
    enum node_kind kind;
    struct atom atom;
    const int *operands;            /* nodes */
    size_t count;
    uint64_t levels;                /* of the polynomials in it, a bit set */
    bool strict;                    /* atoms <, >, != only: its solutions are open */
    uint64_t stamp, cost_stamp;     /* value and cost are of these evaluations */
    uint64_t seen;                  /* by this collection */
    int value;                      /* 1, 0, -1 unknown */
    double cost;
};

struct hypothesis {
    int node;
    size_t assertion;
    int decided;                    /* level at which it was found true, the number of levels if it
                                       is not yet */
};

/* --- polynomials as the question sees them --- */

struct view {
    int level;                          /* valid if level_version is the question's */
    uint64_t level_version;
    int sign;                           /* at the sample, valid if sign_version is the level's */
    uint64_t sign_version;
    uint64_t root_version;              /* roots valid if this is the level's line */
    const struct root **roots;
    size_t root_count;
    bool vanishes;                      /* identically over the sample below its level */
    uint64_t mark, mark_from;           /* stamps of collections */
};

/* By number of polynomial; they stay from question to question, since no version is given twice. */
struct views {
    struct view *at;
    size_t count;
    uint64_t version;                   /* the last one given */
};

/* --- cells --- */

/* A place on the line of a level. */
struct end {
    const struct root *root;
    int polynomial;                     /* it was first met as its index-th root */
    size_t index;
    size_t rank;                        /* among the ends of the level, ascending */
};

/* An end as the index-th root (from 1) of a polynomial. */
struct bound {
    struct end *end;                    /* NULL: infinite */
    int polynomial;
    size_t index;
};

struct set {
    const int *at;                      /* ascending */
    size_t count;
};

struct proof;

struct cell {
    struct bound lo, hi;                /* lo.end == hi.end: that number */
    struct set set;
    int truth;
    bool leaf;                          /* decided by the signs of the set alone */
    bool closed;                        /* an open cell whose finite bounds need no cell of their
                                           own */
    double cost;
    const uint64_t *origins;            /* hypotheses, a bit set */
    const struct proof *proof;          /* NULL: not recorded */
};

/* A place for a sample: an end, or (NULL) a rational. */
struct place {
    fmpq_t value;
    const struct end *end;
};

struct level {
    int variable;
    char quantifier;                    /* 'e', 'a', 'f' free */
    struct arena *arena;                /* while the level is being covered */
    uint64_t line;                      /* version of the line */
    uint64_t version;                   /* of the present coordinate; 0: none */
    const int *touched;                 /* hypotheses with polynomials of this level */
    size_t touched_count;
    struct end **ends;
    size_t end_count, end_capacity;
    struct cell **cells;
    size_t cell_count, cell_capacity;
    const struct place *place;          /* of the present coordinate */
};

struct search {
    struct engine *engine;
    struct table *table;
    struct arena *arena;                /* of the question */
    struct budget *budget;
    const fmpz_mpoly_ctx_struct *ctx;
    struct sample *sample;
    struct level *level;
    size_t levels, height;              /* of them assigned */
    int position[RING_CAPACITY];        /* level by variable, -1 = none */
    size_t free;                        /* the first levels are free variables: all cells over them
                                           are wanted */
    struct chart *chart;                /* what is learnt of them */
    bool plain;                         /* all quantifiers are 'e': a point is wanted */
    bool certificate;
    struct node *nodes;
    size_t node_count, node_capacity;
    struct hypothesis *hypotheses;
    size_t hypothesis_count, hypothesis_capacity, words;
    const uint64_t *strict;             /* hypotheses whose atoms all are, a bit set */
    const size_t *numbers;              /* of the hypotheses in the certificate; NULL = their own */
    struct views *views;                /* of the engine */
    uint64_t question;                  /* version of the question */
    uint64_t version, stamp;            /* counters; versions go on from question to question */
};

/* Of the free variables: the signs of some polynomials at the points looked at, and what else might
   tell true from false. */
struct chart {
    struct set signs;                   /* polynomials in the free variables */
    struct map *points;                 /* their signs as text to a struct point */
    struct point **at;                  /* the same, in the order they were found */
    size_t count, capacity;
    bool mixed;                         /* points with the same signs differ in truth */
    int *bounds, *members;              /* polynomials met as bounds between different truths; in
                                           sets of free cells */
    size_t bound_count, bound_capacity, member_count, member_capacity;
};

struct point {
    const char *signs;                  /* "-0+", by position in the chart's set */
    int truth;                          /* 1, 0, 2: points of both truths */
};

/* What is known about a sample or a line: its truth over the cell that `set` describes. */
struct outcome {
    int truth;                          /* 1, 0, -1: the budget is spent */
    struct set set;
    const uint64_t *origins;
    const struct proof *proof;
};

/* matrix.c */
/* Reads the assertions; false if the budget is spent. */
bool matrix_read(struct search *s, const struct formula *const *assertions, size_t count);
/* Evaluates the hypotheses that the newest coordinate may decide, or `all` that are not decided. 1
   all are true, 0 some false (their numbers are put in `false_at`, room for all), -1 neither. */
int matrix_evaluate(struct search *s, bool all, size_t *false_at, size_t *false_count);
/* Takes back what was decided at level `height` and above. */
void matrix_retreat(struct search *s, size_t height);
/* The polynomials whose signs make hypothesis h false; of all hypotheses together, true. In
   `arena`. */
struct set matrix_false(struct search *s, struct arena *arena, size_t h);
struct set matrix_true(struct search *s, struct arena *arena);

/* view.c */
struct view *view_of(struct search *s, int polynomial);
/* The level of a polynomial. */
int view_level(struct search *s, int polynomial);
/* -1, 0, 1, SIGN_UNDECIDED, SIGN_OPEN at the sample. */
int view_sign(struct search *s, int polynomial);
/* Is it zero at the sample? 1, 0, -1 undecided; any polynomial number, all variables assigned. */
int view_zero(struct search *s, int polynomial);
/* The roots on the line of its level, over the sample below. False if the budget is spent. */
bool view_roots(struct search *s, int polynomial, struct view **view);
/* A set from polynomials collected by number, in `arena`. */
struct set set_make(struct arena *arena, const int *at, size_t count);

/* line.c */
/* Starts and ends the covering of level s->height. */
void line_open(struct search *s);
void line_close(struct search *s);
/* A place outside the cells of the level s->height; false if there is none or the budget is
   spent. */
bool line_place(struct search *s, struct place *place);
/* The cell around the place in which no member of the set changes its sign. False if the budget is
   spent. */
bool line_cell(struct search *s, const struct place *place, struct set set, struct cell *cell);
/* Adds a copy of the cell. */
struct cell *line_add(struct search *s, struct cell cell);
/* Cells of least cost that cover the line, in ascending order, in the level's arena. */
struct cell **line_cover(struct search *s, size_t *count);
void place_push(struct search *s, const struct place *place);
void place_pop(struct search *s);

/* project.c */
/* The polynomials below level s->height whose signs keep what the cells over it say, all cells one
   covering. False if the budget is spent. */
bool project_cells(struct search *s, struct arena *arena, struct cell **cells, size_t count,
                   bool covering, struct set *set);

/* search.c */
/* A point that answers a plain question is in the sample afterwards, roots in the arenas of the
   levels. */
struct outcome covering_run(struct search *s);

/* chart.c: what the free levels show */
/* At a point of the free variables: adds the polynomials of the chart to the set, and records their
   signs with the truth. False if the budget is spent. */
bool chart_point(struct search *s, struct arena *arena, int truth, struct set *set);
/* Records the bounds and sets of cells that cover a free line; their common truth, or 2. */
int chart_line(struct search *s, struct cell **cells, size_t count);

/* proof.c */
/* The proof of a cell: `hypothesis` is false there (-1: none is, the cells `below` cover the line
   over it). */
const struct proof *proof_cell(struct search *s, const struct place *place, const struct cell *cell,
                               int hypothesis, const struct proof *below);
const struct proof *proof_contradiction(struct search *s, size_t hypothesis);
const struct proof *proof_list(struct search *s, struct cell **cells, size_t count);
/* The text of a PROOF in `arena`. */
const char *covering_text(struct search *s, struct arena *arena, const struct proof *top,
                          const uint64_t *origins);

/* engine.c */
/* A search ready to run in `arena`; false if the budget is spent already. */
bool covering_start(struct search *s, struct engine *engine, struct arena *arena,
                    const struct engine_question *question);
/* Frees the arenas of levels that were not closed, or keeps them as long as `arena` for the roots
   in the sample. */
void covering_end(struct search *s, bool keep);
struct ring *engine_ring(const struct engine *engine);

#endif

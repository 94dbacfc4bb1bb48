/* Registers of an entry.

   In: PTX text. Out: for a GPU, what the assembler will take where nothing limits it, and for all a
   number with which it spills nothing, from which the budget is made. Both are weighed sums of the
   figures of figure.def, whose weights were fitted to what the assembler does; the second is meant
   as an upper bound and errs on that side. It is one for all GPUs, since a launch has one budget,
   and never below what a thread has where the multiprocessor is full of threads. Neither knows the
   assembler's tricks of the day: docs/results/counters.md says how far they are off. A limit in the
   text (.maxnreg) bounds both. */
#include "ir/ptx/code.h"
#include <math.h>

enum { BUDGET_LEAST = 24, BUDGET_STEP = 8 };

/* A sum of decimal weights may be above a whole number by so much. */
#define ROUNDING 1e-6

/* The architectures of figure.def's first columns, ascending. */
enum { COLUMNS = 3 };
static const int ARCHITECTURES[COLUMNS] = {75, 80, 90};

static const double FREE[FIGURE_COUNT][COLUMNS] = {
#define X(symbol, text, f75, f80, f90, bound) {f75, f80, f90},
#include "ir/ptx/figure.def"
#undef X
};
static const double BOUND[FIGURE_COUNT] = {
#define X(symbol, text, f75, f80, f90, bound) bound,
#include "ir/ptx/figure.def"
#undef X
};

const char *ptx_figure_name(int i)
{
    static const char *const NAMES[] = {
#define X(symbol, text, f75, f80, f90, bound) #symbol,
#include "ir/ptx/figure.def"
#undef X
    };
    return i >= 0 && i < FIGURE_COUNT ? NAMES[i] : NULL;
}

_Static_assert((int)FIGURE_COUNT <= (int)PTX_FIGURES_MAX,
               "figure.def has more rows than ptx.h provides for");

/* The last column that is not newer than the target. */
static int column_of(int target)
{
    int column = 0;
    while (column + 1 < COLUMNS && ARCHITECTURES[column + 1] <= target)
        column++;
    return column;
}

static int freely_of(const double *figures, int column)
{
    double sum = 0;
    for (int i = 0; i < FIGURE_COUNT; i++)
        sum += figures[i] * FREE[i][column];
    return sum > 0 ? (int)round(sum) : 0;
}

static int bound_of(const double *figures)
{
    double sum = 0;
    for (int i = 0; i < FIGURE_COUNT; i++)
        sum += figures[i] * BOUND[i];
    return sum > PTX_BOUND_LEAST ? (int)ceil(sum - ROUNDING) : PTX_BOUND_LEAST;
}

bool ptx_figures(const char *ptx, const char *entry, double *figures, int *limit)
{
    struct arena *arena = arena_new();
    struct ptx_code *code = code_read(arena, ptx, entry);
    if (code) {
        *limit = code->limit;
        code_figures(code, figures);
    }
    arena_free(arena);
    return code;
}

struct ptx_estimate ptx_weigh(const double *figures, int limit, int target)
{
    int first = target ? column_of(target) : 0, last = target ? first : COLUMNS - 1;
    struct ptx_estimate estimate = {.bound = bound_of(figures)};
    for (int column = first; column <= last; column++) {
        int freely = freely_of(figures, column);
        estimate.freely = freely > estimate.freely ? freely : estimate.freely;
    }
    if (limit && limit < estimate.bound)
        estimate.bound = limit;
    if (limit && limit < estimate.freely)
        estimate.freely = limit;
    return estimate;
}

bool ptx_estimate(const char *ptx, const char *entry, int target, struct ptx_estimate *estimate)
{
    double figures[FIGURE_COUNT];
    int limit;
    if (!ptx_figures(ptx, entry, figures, &limit))
        return false;
    *estimate = ptx_weigh(figures, limit, target);
    return true;
}

int ptx_registers(const char *ptx, const char *entry, int target)
{
    struct ptx_estimate estimate;
    return ptx_estimate(ptx, entry, target, &estimate) ? estimate.bound : -1;
}

int ptx_budget(int registers, int limit)
{
    int budget = (registers + BUDGET_STEP - 1) / BUDGET_STEP * BUDGET_STEP;
    budget = budget < BUDGET_LEAST ? BUDGET_LEAST : budget;
    return budget > limit ? limit : budget;
}

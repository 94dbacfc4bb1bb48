/* Registers of an entry.

   In: PTX text. Out: a number of registers within which it spills nothing, from which the budget is
   made: a weighed sum of the figures of figure.def, whose weights were fitted to what the assembler
   does. It is meant as an upper bound and errs on that side. It is one for all GPUs, since a launch
   has one budget, and never below what a thread has where the multiprocessor is full of threads. It
   does not know the assembler's tricks of the day: docs/results/counters.md says how far it is off.
   A limit in the text (.maxnreg) bounds it. */
#include "ir/ptx/code.h"
#include <math.h>
#include <string.h>

enum { BUDGET_LEAST = 24, BUDGET_STEP = 8 };

/* A sum of decimal weights may be above a whole number by so much. */
#define ROUNDING 1e-6

static const double WEIGHTS[FIGURE_COUNT] = {
#define X(symbol, text, weight) weight,
#include "ir/ptx/figure.def"
#undef X
};

const char *ptx_figure_name(int i)
{
    static const char *const NAMES[] = {
#define X(symbol, text, weight) #symbol,
#include "ir/ptx/figure.def"
#undef X
    };
    return i >= 0 && i < FIGURE_COUNT ? NAMES[i] : NULL;
}

_Static_assert((int)FIGURE_COUNT <= (int)PTX_FIGURES_MAX,
               "figure.def has more rows than ptx.h provides for");

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

int ptx_weigh(const double *figures, int limit)
{
    double sum = 0;
    for (int i = 0; i < FIGURE_COUNT; i++)
        sum += figures[i] * WEIGHTS[i];
    int registers = sum > PTX_BOUND_LEAST ? (int)ceil(sum - ROUNDING) : PTX_BOUND_LEAST;
    return limit && limit < registers ? limit : registers;
}

int ptx_registers(const char *ptx, const char *entry)
{
    double figures[FIGURE_COUNT];
    int limit;
    return ptx_figures(ptx, entry, figures, &limit) ? ptx_weigh(figures, limit) : -1;
}

int ptx_budget(int registers, int limit)
{
    int budget = (registers + BUDGET_STEP - 1) / BUDGET_STEP * BUDGET_STEP;
    budget = budget < BUDGET_LEAST ? BUDGET_LEAST : budget;
    return budget > limit ? limit : budget;
}

const char *ptx_limited(struct arena *arena, const char *ptx, const char *entry, int limit)
{
    const char *from = strstr(ptx, arena_printf(arena, ".entry %s(", entry));
    const char *body = from ? strstr(from, "\n{") : NULL;
    const char *own = body ? strstr(from, ".maxnreg") : NULL;
    if (!body || (own && own < body))
        return body ? ptx : NULL;
    return arena_printf(arena, "%.*s\n.maxnreg %d%s", (int)(body - ptx), ptx, limit, body);
}

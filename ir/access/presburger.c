/* Everything that is asked of isl: emptiness of sets of integers with linear constraints. Used for
   the linear programmes of sign queries, for conditions on parameters with remainders, and for
   meetings whose coefficients are all literal (triangles, strided and modulo sets, numbers made
   of digits), where isl is exact.

   Each question may take so many operations of isl, and what exceeds them is "undecided". One
   context per analysis, freed with its arena. */
#include "ir/access/context.h"
#include "polyhedra/context.h"
#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/lp.h>
#include <isl/mat.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>
#include <limits.h>

enum { OPERATIONS_MAX = 200000 };

/* The operations that a question may take once its numbers are written, each by an operation. */
static long operations_left(size_t n_rows, int n_vars)
{
    size_t numbers = n_rows * ((size_t)n_vars + 1);
    return numbers < OPERATIONS_MAX ? OPERATIONS_MAX - (long)numbers : 1;
}

struct presburger {
    isl_ctx *isl;
};

struct presburger *presburger_new(struct arena *arena)
{
    struct presburger *presburger = ARENA_NEW(arena, struct presburger);
    presburger->isl = polyhedra_context(arena);
    return presburger;
}

/* Values that an int holds, as nearly all are, need no value of isl's. */
static __isl_give isl_mat *element_set(__isl_take isl_mat *matrix, int row, int column,
                                       int64_t value)
{
    if (value >= INT_MIN && value <= INT_MAX)
        return isl_mat_set_element_si(matrix, row, column, (int)value);
    isl_val *wide = isl_val_int_from_si(isl_mat_get_ctx(matrix), (long)value);
    return isl_mat_set_element_val(matrix, row, column, wide);
}

/* Rows in isl's order, the constant in the first column, and x >= 0 for the first `n_signs`
   variables. */
static __isl_give isl_mat *rows_matrix(isl_ctx *isl, int n, int n_signs, size_t n_rows,
                                       const int64_t *rows)
{
    isl_mat *matrix = isl_mat_alloc(isl, (unsigned)n_rows + (unsigned)n_signs, (unsigned)n + 1);
    for (int i = 0; i < (int)n_rows + n_signs; i++)
        for (int k = -1; k < n; k++) {
            const int64_t *row = rows + (size_t)i * (size_t)(n + 1);
            int64_t value = i < (int)n_rows ? row[k < 0 ? n : k] : k == i - (int)n_rows;
            matrix = element_set(matrix, i, k + 1, value);
        }
    return matrix;
}

static __isl_give isl_basic_set *rows_set(__isl_take isl_space *space, __isl_take isl_mat *equal,
                                          __isl_take isl_mat *least)
{
    return isl_basic_set_from_constraint_matrices(space, equal, least, isl_dim_cst, isl_dim_param,
                                                  isl_dim_set, isl_dim_div);
}

/* A linear programme over the rationals with objective 0: its maximum is "not a number" if there is
   no solution. All rows enter at once: isl simplifies a set after every single constraint that
   is added. */
bool presburger_rows_empty(struct presburger *presburger, int n_vars, size_t n_rows,
                           const int64_t *rows)
{
    isl_ctx *isl = presburger->isl;
    polyhedra_allow(isl, operations_left(n_rows + (size_t)n_vars, n_vars));
    isl_space *space = isl_space_set_alloc(isl, 0, (unsigned)n_vars);
    isl_aff *objective = isl_aff_zero_on_domain(isl_local_space_from_space(isl_space_copy(space)));
    isl_basic_set *set = rows_set(space, isl_mat_alloc(isl, 0, (unsigned)n_vars + 1),
                                  rows_matrix(isl, n_vars, n_vars, n_rows, rows));
    isl_val *most = isl_basic_set_max_lp_val(set, objective);
    bool empty = most && isl_val_is_nan(most) == isl_bool_true;
    isl_val_free(most);
    isl_aff_free(objective);
    isl_basic_set_free(set);
    return empty;
}

bool presburger_system_empty(struct presburger *presburger, const struct presburger_system *system)
{
    isl_ctx *isl = presburger->isl;
    int n = system->n_vars;
    polyhedra_allow(isl, operations_left(system->n_equal + system->n_least, n));
    isl_basic_set *set = rows_set(isl_space_set_alloc(isl, 0, (unsigned)n),
                                  rows_matrix(isl, n, 0, system->n_equal, system->equal),
                                  rows_matrix(isl, n, 0, system->n_least, system->least));
    bool empty = set && isl_basic_set_is_empty(set) == isl_bool_true;
    isl_basic_set_free(set);
    return empty;
}

/* Loops over the rounds of a tree, as trees over the lanes of a block have them whose extent is a
   parameter (optimizer/strategies/reduce_tree.c): all rounds that an int has room for, each asking
   whether it has lanes. In: a loop of any kernel, before or behind strategies. Out: the numbers of
   lanes, so that cost models count the rounds that work. Only the form that is described in the
   header is taken: any other loop counts as it stands. */
#include "ir/halving.h"

const struct stmt *halving_condition(const struct stmt *loop)
{
    const struct stmt *body = loop->kind == STMT_FOR ? loop->children[0] : NULL;
    if (!body || body->kind != STMT_SEQUENCE || body->n_children != 2)
        return NULL;
    const struct stmt *branch = body->children[1];
    bool is_alone = branch->kind == STMT_IF && !branch->rare && !branch->children[1];
    return body->children[0]->kind == STMT_LET && is_alone ? branch : NULL;
}

static bool is_var(const struct expr *e, const struct var *var)
{
    return e->kind == EXPR_VAR && e->var == var;
}

/* Does the loop begin with its first round, or one that the number of lanes tells? */
static bool is_beginning(const struct expr *from)
{
    int64_t first, later;
    if (from->kind == EXPR_SELECT)
        return expr_get_integer(from->arguments[1], &later) && is_beginning(from->arguments[2]);
    return expr_get_integer(from, &first) && first == 0;
}

/* Is the local 2^(rounds - 1) >> round, in a loop of such rounds? */
static bool is_distance(const struct stmt *loop, const struct expr *value)
{
    int64_t to, step, greatest;
    return is_beginning(loop->from) && expr_get_integer(loop->to, &to) &&
           expr_get_integer(loop->step, &step) && to > 0 && to < 32 && step == 1 &&
           value && value->kind == EXPR_BINARY && value->op == OP_SHR &&
           is_var(value->arguments[1], loop->var) &&
           expr_get_integer(value->arguments[0], &greatest) && greatest == INT64_C(1) << (to - 1);
}

/* Adds what the distance is compared with; false if the condition asks something else. */
static bool lanes_add(const struct expr *e, const struct var *distance, const struct expr **lanes,
                      int *count)
{
    if (e->kind != EXPR_BINARY)
        return false;
    if (e->op == OP_LOR)
        return lanes_add(e->arguments[0], distance, lanes, count) &&
               lanes_add(e->arguments[1], distance, lanes, count);
    if (e->op != OP_LT || !is_var(e->arguments[0], distance))
        return false;
    for (int i = 0; i < *count; i++)
        if (expr_equal(lanes[i], e->arguments[1]))
            return true;
    if (*count == HALVING_LANES)
        return false;
    lanes[(*count)++] = e->arguments[1];
    return true;
}

int loop_halves(const struct stmt *loop, const struct expr **lanes)
{
    const struct stmt *branch = halving_condition(loop);
    const struct stmt *let = branch ? loop->children[0]->children[0] : NULL;
    int count = 0;
    if (!let || !is_distance(loop, let->value) ||
        !lanes_add(branch->value, let->var, lanes, &count))
        return 0;
    return count;
}

/* What NAME_select calls on its way down the case tree. In: both sides of a comparison, computed in
   checked arithmetic; out: whether it holds, noted in the trace. An overflow counts only where no
   side is unlimited; once it has counted, no condition holds any more, and the end of the walk is
   an error, never a leaf. */
#include "runtime/treefork-tables.h"

static int relation_holds(treefork_int left, enum treefork_relation relation, treefork_int right)
{
    switch (relation) {
    case TREEFORK_EQ: return left == right;
    case TREEFORK_NE: return left != right;
    case TREEFORK_LT: return left < right;
    case TREEFORK_LE: return left <= right;
    case TREEFORK_GT: return left > right;
    case TREEFORK_GE: return left >= right;
    }
    return 0;
}

int treefork_holds(struct treefork_walk *walk, const char *text, treefork_int left,
                   enum treefork_relation relation, treefork_int right)
{
    int unlimited = left == TREEFORK_UNLIMITED || right == TREEFORK_UNLIMITED;
    if (walk->step && !unlimited)
        walk->error = 1;
    walk->step = 0;
    int holds = relation_holds(left, relation, right) && !walk->error;
    if (walk->trace && walk->trace->count < TREEFORK_TRACE_MAX) {
        struct treefork_trace_entry *entry = &walk->trace->entry[walk->trace->count++];
        entry->text = text;
        entry->left = left;
        entry->right = right;
        entry->unlimited = unlimited;
        entry->holds = holds;
    }
    return holds;
}

int treefork_leaf(const struct treefork_walk *walk, int leaf)
{
    if (walk->error)
        return -treefork_fail(TREEFORK_OVERFLOW, "a condition of the case tree leaves 64 bits");
    if (walk->trace)
        walk->trace->variant = leaf;
    return leaf;
}

int treefork_no_leaf(const struct treefork_walk *walk)
{
    if (walk->error)
        return treefork_leaf(walk, 0);
    return -treefork_fail(TREEFORK_NO_LEAF, "no case holds");
}

treefork_int treefork_auxiliary(treefork_int numerator, treefork_int denominator,
                                treefork_int multiple, treefork_int least, int *error)
{
    treefork_int unit = treefork_mul(multiple, denominator, error), value = TREEFORK_UNLIMITED;
    if (!*error && unit > 0)
        value = treefork_mul(multiple, numerator / unit + (numerator % unit > 0), error);
    if (*error)
        value = TREEFORK_UNLIMITED;
    *error = 0;
    return value < least ? least : value;
}

treefork_int treefork_limit_multiple(treefork_int limit, treefork_int multiple)
{
    return limit == TREEFORK_UNLIMITED ? limit : multiple;
}

treefork_int treefork_least(treefork_int a, treefork_int b)
{
    return a < b ? a : b;
}

treefork_int treefork_too_large(int *error)
{
    *error = 1;
    return 0;
}

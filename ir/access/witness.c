/* In: two references that could not be kept apart, and the question. Out: parameters and two
   executions at which they touch one element, as a text; or nothing.

   The references are executed literally for small parameters, in the order of their sum, sizes of
   at least 2 first (they read better): loops from the outside in, conditions evaluated, subscripts
   hashed. What depends on data has no witness here. A budget bounds the work of a search, and all
   searches of an analysis together: each takes a share of what is left, since conflicts show at
   small parameters and a kernel full of undecided pairs has hundreds of searches. */
#include "base/map.h"
#include "ir/access/delta.h"
#include <string.h>

enum { BUCKETS = 1024, INSTANCES_MAX = 3000, DEPTH_MAX = 24, DIMS_MAX = 8, SUM_MAX = 14 };
enum { WORK_MAX = 400000, WORK_LEAST = 10000, SHARES = 8 };
/* Nodes of expressions that a step may evaluate for one unit of work, and for each further one. */
enum { NODES_FIRST = 48, NODES_MORE = 8 };

struct instance {
    int64_t values[DEPTH_MAX];             /* by position in the path */
    int64_t subscripts[DIMS_MAX];
    int next;                              /* in its bucket, -1 = last */
};

struct collision_search {
    struct analysis *analysis;
    const struct access *a, *b;
    const struct meeting_question *question;
    const struct var **vars;               /* parameters, then the iterators of the access
                                              at hand */
    int64_t *values;
    size_t n_params, n_vars;
    int *variables;                        /* by parameter: its ring variable */
    struct flat *facts;                    /* by constraint of the kernel's facts; not valid where
                                              it does not fit */
    struct instance *instances;
    int n_instances, *buckets;
    struct instance now;
    long work, budget;
    int nodes;                             /* evaluated in the step at hand */
    bool failed;                           /* something could not be evaluated */
    const char *found;
};

static bool evaluate(struct collision_search *search, const struct expr *e, int64_t *value);

static bool evaluate_binary(struct collision_search *search, const struct expr *e, int64_t *value)
{
    int64_t a, b;
    if (!evaluate(search, e->arguments[0], &a))
        return false;
    if ((e->op == OP_LAND && !a) || (e->op == OP_LOR && a)) {
        *value = e->op == OP_LOR;
        return true;
    }
    if (!evaluate(search, e->arguments[1], &b))
        return false;
    switch (e->op) {
    case OP_ADD: *value = a + b; return true;
    case OP_SUB: *value = a - b; return true;
    case OP_MUL: return !__builtin_mul_overflow(a, b, value);
    case OP_DIV: return b != 0 && (*value = a / b, true);
    case OP_REM: return b != 0 && (*value = a % b, true);
    case OP_SHL: return b >= 0 && b < 31 && a >= 0 && (*value = a << b, true);
    case OP_SHR: return b >= 0 && b < 63 && a >= 0 && (*value = a >> b, true);
    case OP_AND: *value = a & b; return true;
    case OP_OR: *value = a | b; return true;
    case OP_XOR: *value = a ^ b; return true;
    case OP_LT: *value = a < b; return true;
    case OP_LE: *value = a <= b; return true;
    case OP_GT: *value = a > b; return true;
    case OP_GE: *value = a >= b; return true;
    case OP_EQ: *value = a == b; return true;
    case OP_NE: *value = a != b; return true;
    case OP_LAND:
    case OP_LOR: *value = b != 0; return true;
    default: return false;
    }
}

static bool evaluate(struct collision_search *search, const struct expr *e, int64_t *value)
{
    if (!e || type_is_floating(e->type))
        return false;
    if (++search->nodes > NODES_FIRST + NODES_MORE) {
        search->nodes = NODES_FIRST;
        search->work++;
    }
    switch (e->kind) {
    case EXPR_INTEGER: *value = e->integer; return true;
    case EXPR_VAR:
        for (size_t i = search->n_vars; i-- > 0;)
            if (search->vars[i] == e->var) {
                *value = search->values[i];
                return true;
            }
        return false;
    case EXPR_UNARY:
        if (!evaluate(search, e->arguments[0], value))
            return false;
        if (e->op == OP_NEG)
            *value = -*value;
        else
            *value = e->op == OP_NOT ? !*value : ~*value;
        return true;
    case EXPR_BINARY: return evaluate_binary(search, e, value);
    case EXPR_CAST:
        return (type_bytes(e->type) >= 4 || e->type == TYPE_BOOL) &&
               evaluate(search, e->arguments[0], value);
    case EXPR_SELECT:
        return evaluate(search, e->arguments[0], value) &&
               evaluate(search, e->arguments[*value ? 1 : 2], value);
    default: return false;
    }
}

static uint64_t subscripts_hash(const struct collision_search *search,
                                const struct instance *instance)
{
    return hash_bytes(HASH_START, instance->subscripts,
                      (size_t)search->a->reference.array->n_dims * sizeof(int64_t)) %
           BUCKETS;
}

/* Is the iterator at position `i` of a's path the same as that at position k of b's? */
static bool positions_match(const struct collision_search *search, size_t i, size_t k)
{
    int v = search->a->path[i].iterator, w = search->b->path[k].iterator;
    if (v < 0 || w < 0)
        return false;
    const struct iterator *x = &search->analysis->iterators.at[v],
                          *y = &search->analysis->iterators.at[w];
    return v == w || (x->level == LEVEL_THREAD && y->level == LEVEL_THREAD && x->axis == y->axis &&
                      bands_share_threads(search->a->band, search->b->band));
}

static bool related(const struct collision_search *search, const struct instance *x,
                    const struct instance *y)
{
    bool required = false, differs = false;
    for (size_t i = 0; i < search->a->n_path; i++)
        for (size_t k = 0; k < search->b->n_path; k++) {
            if (!positions_match(search, i, k))
                continue;
            enum relation_of r = iterator_relation(search->analysis, search->question,
                                                   search->a->path[i].iterator);
            if (r == SAME && x->values[i] != y->values[k])
                return false;
            required |= r == DIFFERENT;
            differs |= r == DIFFERENT && x->values[i] != y->values[k];
        }
    return !required || differs;
}

static void print_instance(struct collision_search *search, struct str *out,
                           const struct access *access, const struct instance *x)
{
    const char *comma = "";
    for (size_t i = 0; i < access->n_path; i++)
        if (access->path[i].iterator >= 0) {
            str_addf(out, "%s%s = %lld", comma,
                     search->analysis->iterators.at[access->path[i].iterator].var->name,
                     (long long)x->values[i]);
            comma = ", ";
        }
}

static void found(struct collision_search *search, const struct instance *x)
{
    struct str out = str_new(search->analysis->ctx->arena);
    print_instance(search, &out, search->a, x);
    str_add(&out, " and ");
    print_instance(search, &out, search->b, &search->now);
    str_addf(&out, " both touch %s", search->a->reference.array->name);
    for (int d = 0; d < search->a->reference.array->n_dims; d++)
        str_addf(&out, "[%lld]", (long long)x->subscripts[d]);
    for (size_t i = 0; i < search->n_params; i++)
        str_addf(&out, "%s%s = %lld", i ? ", " : " for ", search->vars[i]->name,
                 (long long)search->values[i]);
    search->found = out.text;
}

static void instance_visit(struct collision_search *search, const struct access *access, bool store)
{
    for (int d = 0; d < access->reference.array->n_dims; d++)
        if (!evaluate(search, access->indices[d], &search->now.subscripts[d])) {
            search->failed = true;
            return;
        }
    uint64_t h = subscripts_hash(search, &search->now);
    if (store) {
        if (search->n_instances == INSTANCES_MAX)
            return;
        search->now.next = search->buckets[h];
        search->instances[search->n_instances] = search->now;
        search->buckets[h] = search->n_instances++;
        return;
    }
    size_t bytes = (size_t)access->reference.array->n_dims * sizeof(int64_t);
    for (int k = search->buckets[h]; k >= 0 && !search->found; k = search->instances[k].next) {
        const struct instance *x = &search->instances[k];
        search->work++;
        if (!memcmp(x->subscripts, search->now.subscripts, bytes) &&
            related(search, x, &search->now))
            found(search, x);
    }
}

static void enumerate(struct collision_search *search, const struct access *access, size_t at,
                      bool store)
{
    if (search->failed || search->found || ++search->work > search->budget)
        return;
    search->nodes = 0;
    if (at == access->n_path) {
        instance_visit(search, access, store);
        return;
    }
    const struct path_step *step = &access->path[at];
    int64_t value, from, to, by;
    if (step->iterator < 0) {
        if (!evaluate(search, step->condition.expr, &value))
            search->failed = true;
        else if ((value == 0) == step->condition.negated)
            enumerate(search, access, at + 1, store);
        return;
    }
    if (!evaluate(search, step->from, &from) || !evaluate(search, step->to, &to) ||
        !evaluate(search, step->step, &by) || by < 1) {
        search->failed = true;
        return;
    }
    size_t n = search->n_vars++;
    search->vars[n] = search->analysis->iterators.at[step->iterator].var;
    for (int64_t v = from; v < to; v += by) {
        search->values[n] = search->now.values[at] = v;
        enumerate(search, access, at + 1, store);
    }
    search->n_vars = n;
}

/* Does a fact of the kernel hold at the point, beyond doubt? */
static bool fact_holds(const struct collision_search *search, size_t i, const int64_t *point)
{
    struct constraint fact = search->analysis->kernel->facts.at[i];
    int64_t value;
    if (!search->facts[i].valid)
        return constraint_holds(fact, point) == 1;
    return flat_evaluate(&search->facts[i], point, &value) &&
           relation_holds(fact.relation, (value > 0) - (value < 0));
}

static bool facts_hold(const struct collision_search *search)
{
    int64_t point[RING_CAPACITY] = {0};
    bool hold = true;
    for (size_t i = 0; i < search->n_params; i++)
        point[search->variables[i]] = search->values[i];
    for (size_t i = 0; hold && i < search->analysis->kernel->facts.count; i++)
        hold = fact_holds(search, i, point);
    return hold;
}

/* Both references at the present parameters. */
static void try_point(struct collision_search *search)
{
    search->work++;
    if (!facts_hold(search))
        return;
    search->n_instances = 0;
    for (int i = 0; i < BUCKETS; i++)
        search->buckets[i] = -1;
    enumerate(search, search->a, 0, true);
    enumerate(search, search->b, 0, false);
}

static void try_sum(struct collision_search *search, size_t at, const int64_t *base, int64_t sum)
{
    if (search->failed || search->found || search->work > search->budget)
        return;
    if (at + 1 >= search->n_params) {
        if (search->n_params)
            search->values[at] = base[at] + sum;
        try_point(search);
        return;
    }
    for (int64_t v = 0; v <= sum; v++) {
        search->values[at] = base[at] + v;
        try_sum(search, at + 1, base, sum - v);
    }
}

static long budget_share(const struct analysis *analysis)
{
    long share = WORK_MAX - analysis->witness_work / SHARES;
    return share > WORK_LEAST ? share : WORK_LEAST;
}

static void params_collect(struct collision_search *search, int64_t *base)
{
    const struct kernel *kernel = search->analysis->kernel;
    for (int i = 0; i < kernel->n_params; i++) {
        if (kernel->params[i]->variable < 0)
            continue;
        search->variables[search->n_params] = kernel->params[i]->variable;
        base[search->n_params] = kernel->params[i]->has_lo ? kernel->params[i]->lo : 0;
        search->vars[search->n_params++] = kernel->params[i]->var;
    }
    search->n_vars = search->n_params;
}

/* Thousands of points are tried against the same facts. */
static void facts_flatten(struct collision_search *search, struct arena *arena)
{
    struct sas facts = search->analysis->kernel->facts;
    search->facts = ARENA_ARRAY(arena, struct flat, facts.count + 1);
    for (size_t i = 0; i < facts.count; i++)
        if (facts.at[i].poly)
            search->facts[i] = flat_of(arena, facts.at[i].poly);
}

const char *witness_find(struct analysis *analysis, const struct access *a, const struct access *b,
                         const struct meeting_question *question)
{
    if (a->n_path > DEPTH_MAX || b->n_path > DEPTH_MAX || a->reference.array->n_dims > DIMS_MAX)
        return NULL;
    struct arena *arena = arena_new();
    size_t n = (size_t)analysis->kernel->n_params + DEPTH_MAX;
    struct collision_search search = {.analysis = analysis, .a = a, .b = b, .question = question,
                            .budget = budget_share(analysis)};
    search.vars = ARENA_ARRAY(arena, const struct var *, n);
    search.variables = ARENA_ARRAY(arena, int, n);
    search.values = ARENA_ARRAY(arena, int64_t, n);
    search.instances = ARENA_ARRAY(arena, struct instance, INSTANCES_MAX);
    search.buckets = ARENA_ARRAY(arena, int, BUCKETS);
    int64_t *base = ARENA_ARRAY(arena, int64_t, n), *two = ARENA_ARRAY(arena, int64_t, n);
    params_collect(&search, base);
    facts_flatten(&search, arena);
    for (size_t i = 0; i < search.n_params; i++)
        two[i] = base[i] < 2 ? 2 : base[i];
    for (int pass = 0; pass < 2; pass++) {
        search.work = 0;
        for (int64_t sum = 0; sum <= SUM_MAX; sum++)
            try_sum(&search, 0, pass ? base : two, sum);
        analysis->witness_work += search.work;
    }
    arena_free(arena);
    return search.found;
}

/* Latencies of a statement's operations.

   In: a statement, and a load or a variable that it reads. Out: how long after the value is
   there its own result is there, as a form in machine parameters. Only the chain of operations
   between the two counts: other loads and operations of the statement do not wait, and may be
   done before. A load waits as if memory had to answer; a compiler that keeps what the iteration
   before has stored in a register saves that. */
#include "optimizer/pipeline/latency.h"
#include <inttypes.h>
#include <string.h>

struct delay_chain {
    const struct latencies *latencies;
    const struct expr *load;
    const struct var *var;
};

int64_t delay_cycles(const struct latencies *l, const struct delay *delay)
{
    return delay->cycles + delay->additions * l->addition + delay->shared * l->shared +
           delay->global * l->global;
}

struct delay delay_sum(const struct delay *a, const struct delay *b)
{
    return (struct delay){a->cycles + b->cycles, a->additions + b->additions,
                          a->shared + b->shared, a->global + b->global};
}

static void latency_add(struct str *text, int64_t times, const char *name)
{
    if (!times)
        return;
    str_add(text, text->length ? " + " : "");
    if (times > 1 || !*name)
        str_addf(text, "%" PRId64 "%s", times, *name ? " " : "");
    str_add(text, name);
}

const char *delay_text(struct arena *arena, const struct delay *delay)
{
    struct str text = str_new(arena);
    latency_add(&text, delay->global, "Y_G");
    latency_add(&text, delay->shared, "Y_S");
    latency_add(&text, delay->additions, "L");
    latency_add(&text, delay->cycles, "");
    return text.length ? text.text : "0";
}

static int64_t operator_cycles(enum op op)
{
    switch (op) {
#define OPERATION(op, cycles) case OP_##op: return cycles;
#define FUNCTION(name, cycles)
#include "optimizer/pipeline/latency.def"
    default: return 0;
    }
}

static int64_t function_cycles(const char *function)
{
    static const struct {
        const char *name;
        int64_t cycles;
    } rows[] = {
#define OPERATION(op, cycles)
#define FUNCTION(name, cycles) {#name, cycles}, {#name "f", cycles},
#include "optimizer/pipeline/latency.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, function) == 0)
            return rows[i].cycles;
    return 0;
}

static struct delay memory_delay(const struct array *array)
{
    return (struct delay){.shared = array->space == SPACE_SHARED,
                          .global = array->space == SPACE_GLOBAL};
}

/* How much later than its operands the value of the node itself is there. */
static struct delay node_delay(const struct expr *e)
{
    int64_t cycles = 0;
    if (e->kind == EXPR_LOAD)
        return memory_delay(e->array);
    if (e->kind == EXPR_CALL)
        cycles = function_cycles(e->function);
    else if (e->kind == EXPR_BINARY)
        cycles = operator_cycles(e->op);
    if (cycles)
        return (struct delay){.cycles = cycles};
    return (struct delay){.additions = e->type == TYPE_F64 ? 2 : 1};
}

/* Does the expression wait for what the chain begins with? *delay: how long, at most. */
static bool chain_follow(const struct delay_chain *chain, const struct expr *e, struct delay *delay)
{
    bool begins = e == chain->load || (e->kind == EXPR_VAR && e->var == chain->var), waits = false;
    struct delay own = node_delay(e), longest = {0}, here;
    if (begins) {
        *delay = e->kind == EXPR_LOAD ? own : longest;
        return true;
    }
    for (int i = 0; i < e->n_arguments; i++) {
        if (!chain_follow(chain, e->arguments[i], &here))
            continue;
        if (!waits ||
            delay_cycles(chain->latencies, &here) > delay_cycles(chain->latencies, &longest))
            longest = here;
        waits = true;
    }
    *delay = delay_sum(&own, &longest);
    return waits;
}

struct delay delay_through(const struct latencies *latencies, const struct stmt *s,
                           const struct expr *load, const struct var *var)
{
    struct delay_chain chain = {latencies, load, var};
    struct delay longest = {.additions = 1}, here;
    int n = latencies->is_real ? stmt_n_exprs(s) : 0;
    bool waits = false;
    for (int i = 0; i < n; i++) {
        if (!chain_follow(&chain, stmt_expr(s, i), &here))
            continue;
        if (!waits || delay_cycles(latencies, &here) > delay_cycles(latencies, &longest))
            longest = here;
        waits = true;
    }
    return longest;
}

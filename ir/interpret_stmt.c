/* Translates statements to closures that one thread runs alone: everything inside bands, and what
   stands at block level without a band or barrier in it. Bands and barriers themselves are run
   by ir/interpret_block.c. */
#include "ir/interpret_code.h"

static void run_sequence(const struct action *s, struct thread *t)
{
    for (int i = 0; i < s->n_children; i++)
        s->sequence[i]->run(s->sequence[i], t);
}

static void run_assignment(const struct action *s, struct thread *t)
{
    interpret_step(t->run);
    t->values[s->slot] = s->value->run(s->value, t);
    t->defined[s->slot] = 1;
}

static void run_declaration(const struct action *s, struct thread *t)
{
    interpret_step(t->run);
    t->defined[s->slot] = 0;
}

static void run_if(const struct action *s, struct thread *t)
{
    interpret_step(t->run);
    const struct action *branch = s->children[s->value->run(s->value, t).integer ? 0 : 1];
    if (branch)
        branch->run(branch, t);
}

static void run_for(const struct action *s, struct thread *t)
{
    interpret_step(t->run);
    enum type type = s->source->var->type;
    uint64_t around = t->run->rounds;
    t->values[s->slot] = s->from->run(s->from, t);
    for (uint64_t round = 0; s->again->run(s->again, t).integer; round++) {
        interpret_step(t->run);
        t->run->rounds = interpret_round(around, round);
        s->children[0]->run(s->children[0], t);
        uint64_t next = t->values[s->slot].unsigned_ + s->step->run(s->step, t).unsigned_;
        t->values[s->slot] = value_integer(type_wrap(type, (int64_t)next));
    }
    t->run->rounds = around;
}

static void run_while(const struct action *s, struct thread *t)
{
    interpret_step(t->run);
    uint64_t around = t->run->rounds;
    for (uint64_t round = 0; s->value->run(s->value, t).integer; round++) {
        interpret_step(t->run);
        t->run->rounds = interpret_round(around, round);
        s->children[0]->run(s->children[0], t);
    }
    t->run->rounds = around;
}

/* Bands and barriers are never run by one thread; verified kernels have none inside a band. */
static void run_misplaced(const struct action *s, struct thread *t)
{
    interpret_stop(t->run, INTERPRET_DIVERGENCE, "%sa %s inside a band (block %lld, thread %lld)",
                   interpret_place(t->run, s->source->loc),
                   s->kind == STMT_BAND ? "band" : "barrier", (long long)t->run->block,
                   (long long)t->number);
}

static void make_band(struct interpreter *run, struct action *a, const struct stmt *s)
{
    const struct closure **extents = ARENA_ARRAY(run->scratch, const struct closure *, s->n_axes);
    int *slots = ARENA_ARRAY(run->scratch, int, s->n_axes);
    run->in_bounds = true;
    for (int i = 0; i < s->n_axes; i++) {
        extents[i] = code_make(run, s->axes[i].extent);
        slots[i] = code_slot(run, s->axes[i].var);
    }
    run->in_bounds = false;
    a->run = run_misplaced;
    a->n_axes = s->n_axes;
    a->operands = extents;
    a->axis_slots = slots;
}

static void make_sequence(struct interpreter *run, struct action *a, const struct stmt *s)
{
    const struct action **children = ARENA_ARRAY(run->scratch, const struct action *,
                                                 s->n_children);
    for (int i = 0; i < s->n_children; i++) {
        children[i] = action_make(run, s->children[i]);
        a->collective |= children[i]->collective;
    }
    a->run = run_sequence;
    a->sequence = children;
    a->n_children = s->n_children;
}

static void make_leaf(struct interpreter *run, struct action *a, const struct stmt *s)
{
    if (s->kind == STMT_LET || s->kind == STMT_SET) {
        a->slot = code_slot(run, s->var);
        a->run = s->value ? run_assignment : run_declaration;
        return;
    }
    if (s->kind == STMT_STORE && s->reduction)
        a->run = memory_accumulate;
    else if (s->kind == STMT_STORE)
        a->run = s->width ? memory_copy : memory_store;
    else
        a->run = s->kind == STMT_ARRAY ? memory_create : run_misplaced;
    if (!s->array)
        return;
    a->memory = map_get_pointer(run->arrays, s->array);
    if (s->kind == STMT_STORE)
        a->operands = code_list(run, s->indices, s->array->n_dims);
}

const struct action *action_make(struct interpreter *run, const struct stmt *s)
{
    struct action *a = ARENA_NEW(run->scratch, struct action);
    a->kind = s->kind;
    a->source = s;
    a->collective = s->kind == STMT_BAND || s->kind == STMT_BARRIER;
    if (s->kind == STMT_SEQUENCE) {
        make_sequence(run, a, s);
        return a;
    }
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i]) {
            a->children[i] = action_make(run, s->children[i]);
            a->collective |= a->children[i]->collective;
        }
    run->in_end = s->kind == STMT_STORE && s->end;
    if (s->value)
        a->value = s->kind == STMT_IF || s->kind == STMT_WHILE ? code_condition(run, s->value)
                                                               : code_make(run, s->value);
    run->in_end = false;
    if (s->kind == STMT_IF) {
        a->run = run_if;
    } else if (s->kind == STMT_WHILE) {
        a->run = run_while;
    } else if (s->kind == STMT_FOR) {
        a->run = run_for;
        a->slot = code_slot(run, s->var);
        run->in_bounds = true;
        a->from = code_make(run, s->from);
        a->step = code_make(run, s->step);
        a->again = code_less(run, s->var, s->to);
        run->in_bounds = false;
    } else if (s->kind == STMT_BAND) {
        make_band(run, a, s);
    } else {
        make_leaf(run, a, s);
    }
    return a;
}

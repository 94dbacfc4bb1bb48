/* Statements.

   In: code of a statement. Out: how control leaves it, with the run's changes made. The rounds of
   a meta_for are independent where the text is right, so the mapped text runs them in the trial's
   order: its header is run alone for the values of its iterator, which then are taken forwards,
   backwards or mixed. */
#include "replay/run.h"

static bool truth(struct run *run, const struct code *code)
{
    return value_is_true(code_value(run, code), code->class) && !run->end;
}

static bool is_over(struct run *run, const struct code *code)
{
    if (++run->steps > run->limit)
        run_stop(run, RUN_LONG, "too many steps", code);
    return run->end != RUN_GOES;
}

static enum flow block(struct run *run, const struct code *code, int from)
{
    for (int i = from; i < code->n; i++) {
        enum flow flow = code_perform(run, code->list[i]);
        if (flow != FLOW_NEXT)
            return flow;
    }
    return FLOW_NEXT;
}

static enum flow rounds(struct run *run, const struct code *code)
{
    bool is_test = code->op != CODE_DO;
    while (!is_over(run, code)) {
        if (is_test && code->b && !truth(run, code->b))
            break;
        is_test = true;
        enum flow flow = code_perform(run, code->d);
        if (flow == FLOW_BREAK)
            break;
        if (flow == FLOW_RETURN)
            return flow;
        if (code->c && !run->end)
            code_value(run, code->c);
    }
    return run->end ? FLOW_RETURN : FLOW_NEXT;
}

static enum flow loop(struct run *run, const struct code *code)
{
    if (code->a)
        code_perform(run, code->a);
    return run->end ? FLOW_RETURN : rounds(run, code);
}

typedef VEC(struct value) value_list;

static void header_run(struct run *run, const struct code *code, value_list *values)
{
    code_perform(run, code->a);
    while (!is_over(run, code) && truth(run, code->b)) {
        vec_push(run->arena, values, run->frame[code->slot].value);
        code_value(run, code->c);
    }
}

static void mix(struct run *run, value_list *values)
{
    for (size_t i = values->count; i > 1; i--) {
        size_t other = term_mix(run->world->seed, ++run->draws) % i;
        struct value value = values->at[i - 1];
        values->at[i - 1] = values->at[other];
        values->at[other] = value;
    }
}

bool strands_are_concurrent(const struct strand *a, const struct strand *b)
{
    while (a && (!b || a->depth > b->depth))
        a = a->outer;
    while (b && (!a || b->depth > a->depth))
        b = b->outer;
    for (; a && b && a != b; a = a->outer, b = b->outer)
        if (a->loop == b->loop)
            return true;
    return false;
}

/* The body for one value of the iterator, by threads of its own. */
static enum flow round_run(struct run *run, const struct code *code, struct value value,
                           uint64_t loop)
{
    const struct strand *outer = run->strand;
    struct strand *strand = ARENA_NEW(run->arena, struct strand);
    *strand = (struct strand){outer, loop, outer ? outer->depth + 1 : 0};
    run->strand = strand;
    run->frame[code->slot] = (struct slot){value, true};
    enum flow flow = code_perform(run, code->d);
    run->strand = outer;
    return flow;
}

static enum flow threads(struct run *run, const struct code *code)
{
    value_list values = {0};
    bool is_forward = run->side == 0 || code->is_ordered;
    enum world_order order = is_forward ? ORDER_FORWARD : run->world->order;
    uint64_t number = ++run->loops;
    if (code->slot < 0)
        return loop(run, code);
    header_run(run, code, &values);
    if (order == ORDER_MIXED)
        mix(run, &values);
    for (size_t i = 0; i < values.count && !run->end; i++) {
        size_t at = order == ORDER_BACKWARD ? values.count - 1 - i : i;
        if (round_run(run, code, values.at[at], number) == FLOW_RETURN)
            return FLOW_RETURN;
    }
    return run->end ? FLOW_RETURN : FLOW_NEXT;
}

static enum flow chosen(struct run *run, const struct code *code)
{
    int64_t value = code_value(run, code->a).integer;
    int at = -1;
    for (int i = 0; i < code->n && !run->end; i++) {
        const struct code *mark = code->list[i];
        if (mark->op != CODE_CASE)
            continue;
        if (!mark->a && at < 0)
            at = i;
        if (mark->a && code_value(run, mark->a).integer == value) {
            at = i;
            break;
        }
    }
    enum flow flow = at < 0 || run->end ? FLOW_NEXT : block(run, code, at);
    return flow == FLOW_BREAK ? FLOW_NEXT : flow;
}

/* A variable that begins as memory has an object of its own each time. */
static void object_begin(struct run *run, const struct code *code)
{
    int64_t bytes = code->a ? code_value(run, code->a).integer : -1;
    if (run->end)
        return;
    struct object *object = world_object(run->world, OBJECT_LOCAL, code->name);
    object->is_unset = !code->value;
    object->is_zero = code->value != 0;
    object->size = bytes;
    run->frame[code->slot] = (struct slot){value_pointer(object, 0), true};
}

static enum flow returned(struct run *run, const struct code *code)
{
    if (code->a)
        run->result = code_value(run, code->a);
    run->has_result = code->a != NULL;
    return FLOW_RETURN;
}

enum flow code_perform(struct run *run, const struct code *code)
{
    if (run->end)
        return FLOW_RETURN;
    switch (code->op) {
    case CODE_EMPTY:
    case CODE_CASE: return FLOW_NEXT;
    case CODE_BLOCK: return block(run, code, 0);
    case CODE_IF: {
        const struct code *taken = truth(run, code->a) ? code->b : code->c;
        return taken && !run->end ? code_perform(run, taken) : FLOW_NEXT;
    }
    case CODE_FOR:
    case CODE_WHILE:
    case CODE_DO: return loop(run, code);
    case CODE_META_FOR: return threads(run, code);
    case CODE_SWITCH: return chosen(run, code);
    case CODE_BREAK: return FLOW_BREAK;
    case CODE_CONTINUE: return FLOW_CONTINUE;
    case CODE_RETURN: return returned(run, code);
    case CODE_UNSET: run->frame[code->slot].is_set = false; return FLOW_NEXT;
    case CODE_OBJECT: object_begin(run, code); return FLOW_NEXT;
    default: code_value(run, code); return run->end ? FLOW_RETURN : FLOW_NEXT;
    }
}

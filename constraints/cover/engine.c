/* The engine: what outlives a question. In: a ring; out: answers. It holds a FLINT context of just
   as many variables as the ring has now, so that exponents stay short, and the table of
   polynomials, in an arena of its own that is thrown away when it has grown too large. All else
   lives in the arena of the answer. */
#include "constraints/cover/search.h"

enum { TABLE_LIMIT = 64 << 20 };

struct engine {
    struct ring *ring;
    int variables;
    fmpz_mpoly_ctx_t ctx;
    struct arena *table_arena;
    struct table *table;
    struct views views;
};

static void engine_clear(void *object)
{
    struct engine *engine = object;
    arena_free(engine->table_arena);
    fmpz_mpoly_ctx_clear(engine->ctx);
}

static void table_start(struct engine *engine)
{
    engine->table_arena = arena_new();
    engine->table = table_new(engine->table_arena, engine->ctx);
    engine->views = (struct views){.version = engine->views.version};
}

struct engine *engine_new(struct arena *arena, struct ring *ring)
{
    struct engine *engine = ARENA_NEW(arena, struct engine);
    engine->ring = ring;
    engine->variables = ring_count(ring);
    fmpz_mpoly_ctx_init(engine->ctx, engine->variables ? engine->variables : 1, ORD_LEX);
    table_start(engine);
    arena_on_free(arena, engine_clear, engine);
    return engine;
}

int engine_variables(const struct engine *engine)
{
    return engine->variables;
}

const fmpz_mpoly_ctx_struct *engine_context(const struct engine *engine)
{
    return engine->ctx;
}

struct ring *engine_ring(const struct engine *engine)
{
    return engine->ring;
}

void engine_tidy(struct engine *engine)
{
    if (table_size(engine->table) <= TABLE_LIMIT)
        return;
    arena_free(engine->table_arena);
    table_start(engine);
}

/* Levels and what the question says of them. */
static void levels_read(struct search *s, const struct engine_question *question)
{
    const int *order = question->order;
    s->levels = question->levels;
    if (!order)
        order = engine_order(s->arena, s->engine->ring, question->assertions, question->count,
                             &s->levels);
    s->level = ARENA_ARRAY(s->arena, struct level, s->levels + 1);
    s->plain = true;
    for (int v = 0; v < RING_CAPACITY; v++)
        s->position[v] = -1;
    for (size_t l = 0; l < s->levels; l++) {
        s->level[l].variable = order[l];
        s->level[l].quantifier = question->quantifiers ? question->quantifiers[l] : 'e';
        s->plain &= s->level[l].quantifier == 'e';
        s->position[order[l]] = (int)l;
    }
}

static void arena_release(void *arena)
{
    arena_free(arena);
}

void covering_end(struct search *s, bool keep)
{
    s->views->version = s->version;
    for (size_t l = 0; l < s->levels; l++)
        if (s->level[l].arena && keep)
            arena_on_free(s->arena, arena_release, s->level[l].arena);
        else
            arena_free(s->level[l].arena);
}

static void answer_point(struct search *s, struct engine_answer *answer)
{
    fmpq_t zero;
    fmpq_init(zero);
    for (; s->height < s->levels; s->height++)
        sample_push_rational(s->sample, s->level[s->height].variable, zero);
    fmpq_clear(zero);
    answer->sample = s->sample;
}

static void answer_core(struct search *s, const struct outcome *outcome, size_t count,
                        struct engine_answer *answer)
{
    answer->core = ARENA_ARRAY(s->arena, bool, count);
    for (size_t h = 0; h < s->hypothesis_count; h++)
        if (outcome->origins[h / 64] >> h % 64 & 1)
            answer->core[s->hypotheses[h].assertion] = true;
}

bool covering_start(struct search *s, struct engine *engine, struct arena *arena,
                    const struct engine_question *question)
{
    *s = (struct search){.engine = engine,
                         .table = engine->table,
                         .views = &engine->views,
                         .arena = arena,
                         .budget = question->budget,
                         .ctx = engine->ctx,
                         .numbers = question->numbers,
                         .version = engine->views.version};
    engine->table->budget = question->budget;
    s->question = ++s->version;
    levels_read(s, question);
    s->certificate = question->certificate && s->plain;
    s->sample = sample_new(arena, engine->ctx, question->budget);
    return matrix_read(s, question->assertions, question->count);
}

struct engine_answer engine_ask(struct engine *engine, struct arena *arena,
                                const struct engine_question *question)
{
    struct search s;
    struct engine_answer answer = {.truth = -1};
    bool ready = covering_start(&s, engine, arena, question);
    struct outcome outcome = ready ? covering_run(&s) : (struct outcome){.truth = -1};
    answer.truth = question->budget->spent ? -1 : outcome.truth;
    if (answer.truth == 1 && s.plain)
        answer_point(&s, &answer);
    if (answer.truth == 0)
        answer_core(&s, &outcome, question->count, &answer);
    if (answer.truth == 0 && s.certificate)
        answer.certificate = covering_text(&s, arena, outcome.proof, outcome.origins);
    covering_end(&s, answer.truth == 1 && s.plain);
    return answer;
}

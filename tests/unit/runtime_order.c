/* The order of launches and copies of members (runtime/order.c), against a driver that runs nothing
   and knows what every operation is behind. Random launches, copies between members, copies from
   and to the host, waits and frees, on arrays of 64 bytes of which each touches a random row. Any
   two operations that touch a byte of one member's memory, of which one writes, are in order by
   queues, events and waits alone; and nothing that was handed out is left. */
#include "runtime/group.h"
#include "tests/unit/draw.h"
#include "tests/unit/runtime_test.h"
#include <inttypes.h>
#include <stdlib.h>

enum { MEMBERS = 4, QUEUES = 2 * MEMBERS, BUFFERS = 3, BYTES = 64, KEPT = 300, STEPS = 60000 };

struct clock {
    uint32_t seen[QUEUES];
};

struct access {
    size_t buffer, member, queue;
    uint64_t bytes;             /* a bit for each */
    bool writes;
    uint32_t number;
    struct clock clock;
};

struct scene {
    struct test *test;
    uint64_t state;
    struct treefork_device member[MEMBERS];
    struct treefork_group group;
    struct treefork_buffer buffer[BUFFERS];
    struct treefork_window others[BUFFERS][MEMBERS - 1];
    struct clock queue[QUEUES], host;
    struct access kept[KEPT];
    size_t accesses;
    long events;
    unsigned unordered, lacking;
};

static struct scene *scene_of(const struct treefork_device *device)
{
    return device->state;
}

static size_t queue_of(const struct treefork_device *device, enum treefork_queue queue)
{
    return 2 * (size_t)(device - scene_of(device)->member) + (queue == TREEFORK_COPIES);
}

static void clock_learn(struct clock *clock, const struct clock *other)
{
    for (size_t i = 0; i < QUEUES; i++)
        if (other->seen[i] > clock->seen[i])
            clock->seen[i] = other->seen[i];
}

/* --- a driver that runs nothing --------------------------------------------------------------- */

static int fake_event(struct scene *s, size_t queue, union treefork_object *event)
{
    struct clock *clock = malloc(sizeof *clock);
    *clock = s->queue[queue];
    event->pointer = clock;
    s->events++;
    return TREEFORK_OK;
}

static int fake_event_new(struct treefork_device *device, union treefork_object *event)
{
    return fake_event(scene_of(device), queue_of(device, TREEFORK_LAUNCHES), event);
}

static void fake_event_free(struct treefork_device *device, union treefork_object event)
{
    scene_of(device)->events--;
    free(event.pointer);
}

static int fake_event_await(struct treefork_device *device, enum treefork_queue queue,
                            union treefork_object event)
{
    clock_learn(&scene_of(device)->queue[queue_of(device, queue)], event.pointer);
    return TREEFORK_OK;
}

static int fake_wait(struct treefork_device *device, const char *what)
{
    struct scene *s = scene_of(device);
    (void)what;
    clock_learn(&s->host, &s->queue[queue_of(device, TREEFORK_LAUNCHES)]);
    clock_learn(&s->host, &s->queue[queue_of(device, TREEFORK_COPIES)]);
    return TREEFORK_OK;
}

/* --- what is touched -------------------------------------------------------------------------- */

static uint64_t row_bits(const struct treefork_row *row)
{
    uint64_t bits = 0;
    for (size_t k = 0; k < row->pieces * row->bytes; k++)
        bits |= (uint64_t)1 << (row->begin + k / row->bytes * row->pitch + k % row->bytes);
    return bits;
}

static bool is_ordered(const struct access *a, const struct access *b)
{
    return a->number <= b->clock.seen[a->queue];
}

/* The operation at hand of a queue. */
static void touch(struct scene *s, struct access now, const struct treefork_row *row)
{
    now.bytes = row_bits(row);
    now.number = s->queue[now.queue].seen[now.queue];
    now.clock = s->queue[now.queue];
    for (size_t i = 0; i < KEPT && i < s->accesses; i++) {
        const struct access *a = &s->kept[i];
        s->unordered += a->buffer == now.buffer && a->member == now.member &&
                        a->bytes & now.bytes && (a->writes || now.writes) && !is_ordered(a, &now);
    }
    s->kept[s->accesses++ % KEPT] = now;
}

static void operation_begin(struct scene *s, size_t queue)
{
    clock_learn(&s->queue[queue], &s->host);
    s->queue[queue].seen[queue]++;
}

static size_t buffer_number(const struct scene *s, union treefork_object memory)
{
    return (size_t)(memory.address - 1) / (MEMBERS * sizeof s->member[0]) % BUFFERS;
}

static int fake_copy(struct treefork_device *to, union treefork_object target, size_t at,
                     struct treefork_device *from, union treefork_object source,
                     const struct treefork_row *row, union treefork_object *done)
{
    struct scene *s = scene_of(to);
    size_t queue = queue_of(to, TREEFORK_COPIES), buffer = buffer_number(s, target);
    CHECK(s->test, buffer_number(s, source) == buffer && at == row->begin);
    operation_begin(s, queue);
    touch(s, (struct access){.buffer = buffer, .member = (size_t)(from - s->member),
                             .queue = queue}, row);
    touch(s, (struct access){.buffer = buffer, .member = (size_t)(to - s->member), .queue = queue,
                             .writes = true}, row);
    return fake_event(s, queue, done);
}

static const struct treefork_driver fake_driver = {
    .kind = "fake", .memory_copy = fake_copy, .event_new = fake_event_new,
    .event_free = fake_event_free, .event_await = fake_event_await, .wait = fake_wait,
};

/* --- operations ------------------------------------------------------------------------------- */

static struct treefork_row row_draw(uint64_t *state)
{
    static const size_t pitches[] = {8, 8, 8, 16, 12};
    size_t pitch = pitches[draw(state, 5)], bytes = 1 + draw(state, 4);
    size_t begin = draw(state, pitch), most = (BYTES - begin - bytes) / pitch + 1;
    struct treefork_row row = {begin, bytes, pitch, 1 + draw(state, most)};
    if (draw(state, 2))
        return row;
    size_t from = draw(state, BYTES);
    return treefork_row_of(from, from + 1 + draw(state, BYTES - from));
}

/* A launch, or a copy from or to the host, which is waited for. */
static void launch(struct scene *s, bool is_host)
{
    size_t member = draw(&s->state, MEMBERS), queue = 2 * member;
    size_t n = is_host ? 1 : 1 + draw(&s->state, 3);
    struct treefork_row row[3];
    size_t buffer[3];
    bool writes[3];
    for (size_t i = 0; i < n; i++) {
        row[i] = row_draw(&s->state);
        buffer[i] = draw(&s->state, BUFFERS);
        writes[i] = draw(&s->state, 2);
        treefork_order_behind(s->member, &s->buffer[buffer[i]], member, &row[i], writes[i]);
        s->lacking += treefork_order_lacks(s->member, &s->buffer[buffer[i]], member, &row[i],
                                           writes[i]);
    }
    operation_begin(s, queue);
    for (size_t i = 0; i < n; i++)
        touch(s, (struct access){.buffer = buffer[i], .member = member, .queue = queue,
                                 .writes = writes[i]}, &row[i]);
    treefork_order_given(s->member, member);
    if (is_host)
        clock_learn(&s->host, &s->queue[queue]);
}

static void copy(struct scene *s)
{
    size_t to = draw(&s->state, MEMBERS), from = (to + 1 + draw(&s->state, MEMBERS - 1)) % MEMBERS;
    struct treefork_row row = row_draw(&s->state);
    treefork_order_copy(s->member, &s->buffer[draw(&s->state, BUFFERS)], to, from, &row);
}

/* A launch on one member that may touch everything there. */
static void launch_whole(struct scene *s)
{
    size_t member = draw(&s->state, MEMBERS), queue = 2 * member;
    struct treefork_row all = treefork_row_of(0, BYTES);
    treefork_order_behind_all(s->member, member);
    operation_begin(s, queue);
    for (size_t i = 0; i < BUFFERS; i++)
        touch(s, (struct access){.buffer = i, .member = member, .queue = queue, .writes = true},
              &all);
    treefork_order_given(s->member, member);
}

/* Memory is freed that nobody may use: as if the program wrote it itself. */
static void settle(struct scene *s)
{
    size_t buffer = draw(&s->state, BUFFERS);
    treefork_order_settle(s->member, &s->buffer[buffer]);
    for (size_t i = 0; i < s->group.order.count; i++)
        s->lacking += s->group.order.copying[i].buffer == &s->buffer[buffer];
}

static void step(struct scene *s)
{
    uint64_t kind = draw(&s->state, 1000);
    if (kind < 700)
        copy(s);
    else if (kind < 985)
        launch(s, false);
    else if (kind < 990)
        launch(s, true);
    else if (kind < 994)
        launch_whole(s);
    else if (kind < 997)
        settle(s);
    else
        treefork_group_wait(s->member, "all");
}

static void scene_make(struct scene *s)
{
    s->group.count = MEMBERS;
    for (size_t i = 0; i < MEMBERS; i++) {
        s->member[i].driver = &fake_driver;
        s->member[i].state = s;
        s->group.member[i] = &s->member[i];
    }
    s->member[0].group = &s->group;
    for (size_t b = 0; b < BUFFERS; b++) {
        s->buffer[b].memory.address = 1 + b * MEMBERS * sizeof s->member[0];
        for (size_t i = 0; i < MEMBERS - 1; i++)
            s->others[b][i].memory = s->buffer[b].memory;
        s->buffer[b].others = s->others[b];
    }
}

int main(int argc, char **argv)
{
    struct test test = {.name = "runtime_order"};
    struct scene *s = calloc(1, sizeof *s);
    s->test = &test;
    s->state = argc > 1 ? strtoull(argv[1], NULL, 10) : 34;
    printf("runtime_order: seed %" PRIu64 "\n", s->state);
    scene_make(s);
    check_test(&test.count);
    for (int i = 0; i < STEPS; i++)
        step(s);
    treefork_order_end(s->member);
    CHECK(&test, s->unordered == 0 && s->lacking == 0 && s->events == 0);
    if (s->unordered || s->lacking || s->events)
        printf("%u pairs without an order, %u copies that are still to come, %ld events left\n",
               s->unordered, s->lacking, s->events);
    free(s);
    return test_end(&test);
}

/* The memory of a function at one set. Its children share a file in the folder of the run with the
   tool: the board, the leaves, a place for each datum and one for the returned value. Beside it are
   the contents that are expected of the places. An array at file scope is copied from its place
   before a call and back behind it, and its place holds no memory in between. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* madvise, of Linux */
#endif
#include "cli/hosted.h"
#include "cli/leaves.h"
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PLACE_ALIGNMENT = 64 };

/* Where a file cannot have holes the memory stays. */
void place_take(void *place, unsigned long bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t before = (page - (uintptr_t)place % page) % page;
    if (bytes >= before + page)
        madvise((char *)place + before, (bytes - before) / page * page, MADV_REMOVE);
}

void places_fill(struct hosted *h)
{
    uint64_t state = h->v->seed;
    for (int i = 0; i < h->n_data; i++)
        data_fill(&h->data[i], &state, h->places[i]);
    memset(h->places[h->n_data], 0, h->bytes[h->n_data]);
}

static size_t rounded(size_t bytes)
{
    return (bytes + PLACE_ALIGNMENT) / PLACE_ALIGNMENT * PLACE_ALIGNMENT;
}

/* Zeros that children change for the tool, too; NULL after a diagnostic. */
static void *memory_share(struct verification *v, const char *path, size_t bytes)
{
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    void *memory = MAP_FAILED;
    if (file >= 0)                    /* else a full file system would be a signal later */
        errno = posix_fallocate(file, 0, (off_t)bytes);
    if (file >= 0 && errno == 0)
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED)
        diag_error(v->ctx, loc_none(), "cannot share %zu bytes by '%s': %s", bytes, path,
                   strerror(errno));
    if (file >= 0)
        close(file);
    return memory == MAP_FAILED ? NULL : memory;
}

bool places_make(struct hosted *h)
{
    struct arena *arena = h->v->ctx->arena;
    size_t n = (size_t)h->n_data;
    size_t board = rounded(sizeof *h->session.board +
                           h->v->program->n_regions * sizeof(struct meeting));
    size_t head = board + rounded(h->n_leaves * sizeof *h->leaves);
    struct memory_range *ranges = ARENA_ARRAY(arena, struct memory_range, n + 1);
    h->places = ARENA_ARRAY(arena, void *, n + 1);
    h->bytes = ARENA_ARRAY(arena, unsigned long, n + 1);
    h->shared_bytes = head;
    for (size_t i = 0; i <= n; i++) {
        h->bytes[i] = i < n ? (size_t)h->data[i].count * type_bytes(h->data[i].type) : 8;
        h->shared_bytes += rounded(h->bytes[i]);
    }
    h->shared_path = verify_path(h->v, arena_printf(arena, "shared.%zu", h->v->shares++));
    h->shared = memory_share(h->v, h->shared_path, h->shared_bytes);
    if (!h->shared)
        return false;
    char *at = h->shared + head;
    for (size_t i = 0; i <= n; i++, at += rounded(h->bytes[i - 1])) {
        h->places[i] = at;
        if (i < n && h->data[i].is_array)
            ranges[h->session.n_ranges++] = (struct memory_range){at, h->bytes[i]};
    }
    h->session.ranges = ranges;
    h->session.board = (void *)h->shared;
    h->leaves = (void *)(h->shared + board);
    return true;
}

/* Bytes of a place that are compared: an array's, a returned number's. */
static size_t compared_bytes(const struct hosted *h, int i)
{
    enum type type;
    bool returns = !h->is_main &&
                   returns_number(&h->v->program->functions[h->function], &type);
    if (i == h->n_data)
        return returns ? type_bytes(type) : 0;
    return h->data[i].is_array ? h->bytes[i] : 0;
}

/* The contents of the places are kept apart. False after a diagnostic. */
static bool kept_fill(struct hosted *h, const void *const *contents)
{
    char *at = h->kept;
    if (!at) {
        for (int i = 0; i <= h->n_data; i++)
            h->kept_bytes += rounded(h->bytes[i]);
        at = malloc(h->kept_bytes);
        if (!at) {
            diag_error(h->v->ctx, loc_none(), "there is no memory for %zu bytes of results",
                       h->kept_bytes);
            return false;
        }
        h->kept = at;
        h->expected = ARENA_ARRAY(h->v->ctx->arena, const void *, h->n_data + 1);
    }
    for (int i = 0; i <= h->n_data; i++, at += rounded(h->bytes[i - 1])) {
        memcpy(at, contents[i], compared_bytes(h, i));
        h->expected[i] = at;
    }
    return true;
}

bool places_keep(struct hosted *h, const char *output, size_t length,
                 const struct child_result *end)
{
    h->output = output;
    h->output_length = length;
    h->end = *end;
    return kept_fill(h, (const void *const *)h->places);
}

void places_expect(struct hosted *h, const struct run_result *original)
{
    const char *at = original->content + sizeof(struct result_head);
    h->output = original->output;
    h->output_length = original->output_length;
    h->end = original->end;
    h->expected = ARENA_ARRAY(h->v->ctx->arena, const void *, h->n_data + 1);
    for (int i = 0; i <= h->n_data; i++) {
        h->expected[i] = at;
        if (i < h->n_data && h->data[i].is_array)
            at += h->bytes[i];
    }
}

bool places_equal(struct hosted *h, const struct child_result *end, const char *output,
                  size_t length, struct str *text)
{
    struct datum returned = {.name = "the returned value",
                             .count = 1,
                             .scale = data_scale(h->v, h->data, h->n_data)};
    bool returns = !h->is_main &&
                   returns_number(&h->v->program->functions[h->function], &returned.type);
    if (end->code != h->end.code)
        str_addf(text, "exit status %d, serial %d", end->code, h->end.code);
    else if (!output || length != h->output_length || memcmp(output, h->output, length) != 0)
        str_add(text, "it prints something else than the serial program");
    if (text->length)
        return false;
    for (int i = 0; i < h->n_data; i++)
        if (h->data[i].is_array &&
            !data_compare(h->v, &h->data[i], h->places[i], h->expected[i], text))
            return false;
    return !returns ||
           data_compare(h->v, &returned, h->places[h->n_data], h->expected[h->n_data], text);
}

bool places_own(struct hosted *h)
{
    return !h->expected || h->kept || kept_fill(h, h->expected);
}

void places_release(struct hosted *h)
{
    if (h->shared)
        munmap(h->shared, h->shared_bytes);
    free(h->kept);
    unlink(h->shared_path);
}

/* What the assembler made of texts.

   In: PTX, a target, an assembler. Out: its measure, from the file if it is there, else from the
   assembler, which takes a tenth of a second and more. The key is a hash of all three, so that
   kernels whose text did not change cost nothing when a fit is made again. Several processes may
   append to one file: a line is written at once. The toolkit is no part of the key: the file is for
   one toolkit. */
#include "tests/bench/assembled.h"
#include "base/map.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct assembled {
    struct arena *arena;
    struct map *known;   /* of struct ptx_measure, by key */
    const char *path;
};

static void known_put(struct assembled *assembled, const char *key,
                      const struct ptx_measure *measure)
{
    struct ptx_measure *copy = ARENA_NEW(assembled->arena, struct ptx_measure);
    *copy = *measure;
    map_put(assembled->known, key, copy);
}

struct assembled *assembled_open(struct ctx *ctx, const char *path)
{
    struct assembled *assembled = ARENA_NEW(ctx->arena, struct assembled);
    *assembled = (struct assembled){ctx->arena, map_new(ctx->arena), path};
    FILE *file = path ? fopen(path, "r") : NULL;
    char line[160], key[64];
    struct ptx_measure m;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "%63s %d %d %d %d", key, &m.registers, &m.spill_bytes, &m.stack_bytes,
                   &m.shared_bytes) == 5)
            known_put(assembled, key, &m);
    if (file)
        fclose(file);
    return assembled;
}

static const char *key_of(struct arena *arena, enum ptx_assembler assembler,
                          const struct ptx_source *source)
{
    uint64_t hash = hash_bytes(hash_bytes(HASH_START, source->entry, strlen(source->entry)),
                               source->ptx, strlen(source->ptx));
    return arena_printf(arena, "%016" PRIx64 ".%d.%d", hash, source->target, (int)assembler);
}

static void line_append(const struct assembled *assembled, const char *key,
                        const struct ptx_measure *m)
{
    FILE *file = assembled->path ? fopen(assembled->path, "a") : NULL;
    if (!file)
        return;
    fprintf(file, "%s %d %d %d %d\n", key, m->registers, m->spill_bytes, m->stack_bytes,
            m->shared_bytes);
    fclose(file);
}

int assembled_measure(struct assembled *assembled, struct ctx *ctx, enum ptx_assembler assembler,
                      const struct ptx_source *source, struct ptx_measure *measure,
                      const char **message)
{
    const char *key = key_of(ctx->arena, assembler, source);
    const struct ptx_measure *known = map_get(assembled->known, key);
    if (known) {
        *measure = *known;
        return 1;
    }
    int done = ptx_measure_by(ctx, assembler, source, measure, message);
    if (done == 1) {
        known_put(assembled, key, measure);
        line_append(assembled, key, measure);
    }
    return done;
}

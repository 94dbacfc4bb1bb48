/* The kernels that the simulated driver runs. In: the file TREEFORK_SIMULATED_IR, what `treefork -d
   leaves FILE.c` prints
   ("// leaf 2" before each kernel text, "// leaf 2, launch 1 of 3" where the leaf has several);
   out: the kernel of an entry NAME_2 or NAME_2__s_4, NAME_2_k1 or NAME_2_k1__s_4. A file's text is
   read once. */
#include "tests/simulated/simulated.h"
#include <stdlib.h>
#include <string.h>

static const char *ir_text(struct sim *sim)
{
    const char *path = getenv("TREEFORK_SIMULATED_IR");
    size_t length;
    if (!sim->ir && path && sim->ctx)
        sim->ir = file_read(sim->ctx, path, &length);
    return sim->ir;
}

/* Does the kernel text of leaf `leaf` at `text`, which begins behind the leaf's number, have this
   entry? */
static bool section_is(const char *text, long leaf, const char *entry)
{
    char name[256];
    int n = 0, launch;
    const char *at = strstr(text, "kernel ");
    if (!at || sscanf(at, "kernel %200[A-Za-z0-9_]%n", name, &n) != 1)
        return false;
    size_t length = strlen(name);
    if (sscanf(text, ", launches %d and %*d of", &launch) == 1)
        snprintf(name + length, sizeof name - length, "_%ld_k%dk%d", leaf, launch, launch + 1);
    else if (sscanf(text, ", launch %d of", &launch) == 1)
        snprintf(name + length, sizeof name - length, "_%ld_k%d", leaf, launch);
    else
        snprintf(name + length, sizeof name - length, "_%ld", leaf);
    length = strlen(name);
    return strncmp(entry, name, length) == 0 &&
           (entry[length] == '\0' || strncmp(entry + length, "__", 2) == 0);
}

const struct kernel *sim_kernel(const char *entry)
{
    static const char head[] = "// leaf ";
    struct sim *sim = simulated();
    if (!sim->ctx)
        sim->ctx = ctx_new();
    const char *text = ir_text(sim);
    for (text = text ? strstr(text, head) : NULL; text; text = strstr(text, head)) {
        char *body;
        long leaf = strtol(text + sizeof head - 1, &body, 10);
        const char *end = strstr(body, head);
        text = body;
        if (!section_is(body, leaf, entry))
            continue;
        struct source *source = ARENA_NEW(sim->ctx->arena, struct source);
        body = strchr(body, '\n');
        source->length = end ? (size_t)(end - body) : strlen(body);
        source->text = arena_strndup(sim->ctx->arena, body, source->length);
        source->path = getenv("TREEFORK_SIMULATED_IR");
        return kernel_read(sim->ctx, source);
    }
    return NULL;
}

/* The page of a program: what page/ needs is gathered here, the machine files that lie beside the
   tool and the texts of the kernels. */
#include "cli/page.h"
#include "page/page.h"
#include <cjson/cJSON.h>
#include <string.h>

/* Machine files that cannot be read are left out: the page has others. */
static void machines_gather(struct ctx *ctx, struct page *page)
{
    struct machine_files files = machine_files_find(ctx, NULL);
    const char **texts = ARENA_ARRAY(ctx->arena, const char *, files.list.count + 1);
    for (size_t i = 0; i < files.list.count; i++) {
        struct treefork_machine machine;
        size_t length;
        const char *text = treefork_machine_read(files.list.at[i], &machine) == TREEFORK_OK
                               ? file_read(ctx, files.list.at[i], &length)
                               : NULL;
        if (text)
            texts[page->n_machines++] = text;
    }
    page->machines = texts;
}

const char *page_tuning(struct ctx *ctx, const char *path)
{
    size_t length;
    const char *text = file_read(ctx, path, &length);
    if (!text)
        return NULL;
    cJSON *document = cJSON_Parse(text);
    bool is_known = cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(document, "results"));
    cJSON_Delete(document);
    if (is_known)
        return text;
    diag_error(ctx, loc_none(), "%s: this is no document that treefork tune --output wrote", path);
    return NULL;
}

/* cli/words.def as a JSON object. */
static const char *words_json(struct arena *arena)
{
    static const struct {
        const char *name, *words;
    } rows[] = {
#define STRATEGY(name, words) {name, words},
#define COUNTER(name, words) {name, words},
#include "cli/words.def"
#undef STRATEGY
#undef COUNTER
    };
    struct str out = str_new(arena);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        str_char(&out, i ? ',' : '{');
        str_quote(&out, rows[i].name);
        str_char(&out, ':');
        str_quote(&out, rows[i].words);
    }
    str_char(&out, '}');
    return out.text;
}

bool page_make(struct ctx *ctx, struct str *out, const struct program *program,
               const struct tree *const *trees, const struct told_texts *told,
               const struct page_extras *extras)
{
    struct page page = {.program = program,
                        .trees = trees,
                        .cuda = {told->texts.cuda.text, &told->cuda},
                        .opencl = {told->texts.opencl.text, &told->opencl},
                        .ptx = {told->texts.ptx.text, &told->ptx},
                        .words = words_json(ctx->arena),
                        .views = extras->views,
                        .tuning = extras->tuning};
    machines_gather(ctx, &page);
    return page_write(ctx, out, &page);
}

bool page_save(struct ctx *ctx, const char *path, const struct program *program,
               const struct tree *const *trees, const struct page_extras *extras)
{
    struct str text = str_new(ctx->arena);
    const struct told_texts told = told_texts_make(ctx, program, trees, TARGET_LOWEST, true);
    return page_make(ctx, &text, program, trees, &told, extras) &&
           file_write(ctx, path, text.text, text.length);
}

/* The page. In: a program, its trees, the texts of its kernels, machine files. Out: one HTML file:
   the frame, style and script of page/browser/, the engine (page/engine/, WebAssembly), and the
   data as one JSON object. Data and engine are compressed and written in base64, so that nothing of
   the user's source is ever read as HTML; the browser unpacks them. */
#include "page/page.h"
#include <string.h>
#include <zlib.h>

/* page/assets.S */
extern const char page_frame[], page_style[], page_script[];
extern const unsigned char page_engine[], page_engine_end[];

static void add_base64(struct str *out, const unsigned char *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        unsigned group = (unsigned)bytes[i] << 16;
        group |= i + 1 < n ? (unsigned)bytes[i + 1] << 8 : 0;
        group |= i + 2 < n ? bytes[i + 2] : 0;
        str_char(out, digits[group >> 18]);
        str_char(out, digits[group >> 12 & 63]);
        str_char(out, i + 1 < n ? digits[group >> 6 & 63] : '=');
        str_char(out, i + 2 < n ? digits[group & 63] : '=');
    }
}

static bool add_packed(struct ctx *ctx, struct str *out, const void *bytes, size_t n)
{
    uLongf length = compressBound((uLong)n);
    unsigned char *packed = ARENA_ARRAY(ctx->arena, unsigned char, length);
    if (compress2(packed, &length, bytes, (uLong)n, Z_BEST_COMPRESSION) != Z_OK) {
        diag_error(ctx, loc_none(), "the page's data cannot be compressed");
        return false;
    }
    add_base64(out, packed, length);
    return true;
}

/* --- the data -------------------------------------------------------------------------------- */

static void add_member(struct str *out, const char *name, const char *text)
{
    str_addf(out, ",\n\"%s\":", name);
    str_quote(out, text);
}

static size_t line_of(const char *text, size_t place)
{
    size_t line = 1;
    for (size_t i = 0; i < place && text[i]; i++)
        line += text[i] == '\n';
    return line;
}

/* The place in a source of its byte `at`. */
static struct loc loc_of(const struct source *source, size_t at)
{
    size_t begin = at;
    while (begin > 0 && source->text[begin - 1] != '\n')
        begin--;
    return (struct loc){source, (unsigned)line_of(source->text, at), (unsigned)(at - begin) + 1};
}

/* A text that the mapper made has places of its own between statements, which may lie anywhere in
   the user's. */
static void add_span(struct str *out, const struct source *own, const struct source *source,
                     const struct region *region)
{
    unsigned first = source_line_of(own, loc_of(source, region->begin)),
             last = source_line_of(own, loc_of(source, region->end)),
             inside = own == source ? 0 : region_last_line(out->arena, own, region);
    str_addf(out, "[%u,%u]", first, last > inside ? last : inside);
}

/* The user's own text, of which the mapper may have made the program's, and the lines of each
   region there, from 1. */
static void add_source(struct str *out, const struct program *program)
{
    const struct source *own = source_own(program->source);
    const char *slash = strrchr(own->path, '/');
    add_member(out, "file", slash ? slash + 1 : own->path);
    add_member(out, "source", own->text);
    str_add(out, ",\n\"lines\":[");
    for (size_t r = 0; r < program->n_regions; r++) {
        str_add(out, r ? "," : "");
        add_span(out, own, program->source, program->regions[r]);
    }
    str_char(out, ']');
}

/* A text of kernels, and where its lines come from. */
static void add_kernels(struct str *out, const char *name, const struct page_text *text)
{
    add_member(out, name, text->text);
    str_addf(out, ",\n\"%sLines\":[", name);
    for (size_t i = 0; i < text->lines->count; i++)
        str_addf(out, "%s%u", i ? "," : "", text->lines->at[i]);
    str_char(out, ']');
}

static bool add_data(struct ctx *ctx, struct str *out, const struct page *page)
{
    struct str tree = str_new(ctx->arena), tables = str_new(ctx->arena);
    emit_json(ctx, &tree, page->program, page->trees, false);
    if (!emit_tables_json(ctx, &tables, page->program, page->trees))
        return false;
    str_addf(out, "{\"version\":\"%s\"", TREEFORK_VERSION);
    add_member(out, "program", page->program->stem);
    add_source(out, page->program);
    str_addf(out, ",\n\"tree\":%s,\n\"tables\":%s,\n\"machines\":[", tree.text, tables.text);
    for (size_t i = 0; i < page->n_machines; i++)
        str_addf(out, "%s%s", i ? "," : "", page->machines[i]);
    str_addf(out, "],\n\"words\":%s", page->words);
    if (page->views) {
        str_add(out, ",\n\"views\":");
        emit_json(ctx, out, page->program, page->views, false);
    }
    str_addf(out, ",\n\"tuning\":%s", page->tuning ? page->tuning : "null");
    add_kernels(out, "cuda", &page->cuda);
    add_kernels(out, "opencl", &page->opencl);
    add_kernels(out, "ptx", &page->ptx);
    str_char(out, '}');
    return true;
}

/* --- the frame ------------------------------------------------------------------------------- */

/* What stands in the frame as {{name}}; false after a diagnostic. */
static bool add_part(struct ctx *ctx, struct str *out, const struct page *page, const char *name,
                     size_t length)
{
    struct str data = str_new(ctx->arena);
    if (strncmp(name, "title", length) == 0)
        str_markup(out, page->program->stem, strlen(page->program->stem));
    else if (strncmp(name, "style", length) == 0)
        str_add(out, page_style);
    else if (strncmp(name, "script", length) == 0)
        str_add(out, page_script);
    else if (strncmp(name, "engine", length) == 0)
        return add_packed(ctx, out, page_engine, (size_t)(page_engine_end - page_engine));
    else
        return add_data(ctx, &data, page) && add_packed(ctx, out, data.text, data.length);
    return true;
}

bool page_write(struct ctx *ctx, struct str *out, const struct page *page)
{
    const char *text = page_frame, *mark;
    while ((mark = strstr(text, "{{"))) {
        const char *end = strstr(mark, "}}");
        str_add_n(out, text, (size_t)(mark - text));
        if (!add_part(ctx, out, page, mark + 2, (size_t)(end - mark - 2)))
            return false;
        text = end + 2;
    }
    str_add(out, text);
    return true;
}

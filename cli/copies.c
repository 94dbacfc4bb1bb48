/* What the runtime will copy (`treefork map --copies`).

   In: a program and where its host code touches arrays. Out: at each region the arrays that go to
   the device before it, at host code and the function's end those that come back. The statements of
   a function are followed as they run, with the set of states that each array may be in: the newest
   contents are with the host, with the device, or with both. A copy is made where a side is needed
   that is stale in each state, and may be made where it is stale in some; loops are followed until
   the states stay the same (spec H-17, read off instead of placed). Tests that the mapped text
   makes, `if (n > 0)` before a region and `if (apart)` with the source as its `else`, are taken to
   hold. Where a function begins the host has everything. */
#include "cli/copies.h"
#include "ir/access/access.h"
#include <string.h>

enum { WITH_HOST = 1, WITH_DEVICE = 2, WITH_BOTH = 4, ANYWHERE = 7 };

struct copied {
    const char *name;
    const char *bytes;               /* as the last region said that uses it */
    unsigned states;                 /* none: this place is not reached */
};

struct path {
    struct ctx *ctx;
    struct str *out;                 /* NULL: only states are of interest */
    const struct program *program;
    const struct function *function;
    VEC(struct copied) arrays;
    bool jumps;                      /* somewhere a loop is left before its end */
};

static struct copied *array_find(struct path *p, const char *name)
{
    for (size_t i = 0; i < p->arrays.count; i++)
        if (strcmp(p->arrays.at[i].name, name) == 0)
            return &p->arrays.at[i];
    vec_push(p->ctx->arena, &p->arrays, ((struct copied){name, "?", WITH_HOST}));
    return &p->arrays.at[p->arrays.count - 1];
}

static unsigned line_at(const struct program *program, size_t at)
{
    unsigned line = 1;
    for (size_t i = 0; i < at; i++)
        line += program->source->text[i] == '\n';
    return line;
}

static void place_print(struct path *p, size_t at, const char *what)
{
    const char *path = p->program->source->path, *slash = strrchr(path, '/');
    str_addf(p->out, "%s:%u: %s: %s\n", slash ? slash + 1 : path, line_at(p->program, at),
             p->function->name, what);
}

static void copy_print(struct path *p, const char *way, const struct copied *array, bool always,
                       const char *where)
{
    str_addf(p->out, "  %s %s: %s bytes%s\n", way, array->name, array->bytes, always ? "" : where);
}

/* --- regions ---------------------------------------------------------------------------------- */

static const char *bytes_text(struct ctx *ctx, const struct kernel *kernel,
                              const struct array *array)
{
    const struct expr *extent = access_extent(ctx, kernel, array);
    const struct poly *elements = extent ? expr_poly(kernel->ring, extent) : NULL;
    int64_t size = type_bytes(array->element);
    if (elements)
        return poly_text(ctx->arena, poly_scale(elements, size, 1));
    struct str text = str_new(ctx->arena);
    if (!extent)
        return "an unknown number of";
    str_addf(&text, "%lld * (", (long long)size);
    expr_print(&text, extent);
    str_add(&text, ")");
    return text.text;
}

/* The array before a launch that needs its contents, at least where it does not overwrite it. */
static void array_upload(struct path *p, const struct copied *array, bool covers_perhaps)
{
    bool stale = array->states == WITH_HOST;
    if (!p->out || !(array->states & WITH_HOST))
        return;
    copy_print(p, "in ", array, stale && !covers_perhaps,
               stale ? ", unless all is overwritten" : ", unless the device has them");
}

static void region_follow(struct path *p, const struct region *region)
{
    const struct kernel *k = region->kernel;
    struct overwriting *overwritten = ARENA_ARRAY(p->ctx->arena, struct overwriting,
                                                  k->n_arrays + 1);
    access_overwritten(p->ctx, k, overwritten);
    if (p->out)
        place_print(p, region->begin, region->name);
    for (int i = 0; i < k->n_arrays; i++) {
        bool reads, writes, covers = overwritten[i].is_shown && !overwritten[i].n_conditions;
        bool covers_perhaps = overwritten[i].is_shown && overwritten[i].n_conditions;
        if (!array_is_given(k->arrays[i]) || region->is_scratch[i])
            continue;
        struct copied *array = array_find(p, k->arrays[i]->name);
        array->bytes = bytes_text(p->ctx, k, k->arrays[i]);
        access_flags(k, k->arrays[i], &reads, &writes);
        if (!covers)
            array_upload(p, array, covers_perhaps);
        if (writes && array->states)
            array->states = WITH_DEVICE;
        else if (array->states & WITH_HOST)
            array->states = (array->states & ~(unsigned)WITH_HOST) | WITH_BOTH;
    }
}

/* --- host code -------------------------------------------------------------------------------- */

static void touch_follow(struct path *p, enum touch_kind kind, size_t at, const char *what)
{
    bool begun = false;
    for (size_t i = 0; i < p->arrays.count; i++) {
        struct copied *array = &p->arrays.at[i];
        if (p->out && array->states & WITH_DEVICE) {
            if (!begun)
                place_print(p, at, what);
            begun = true;
            copy_print(p, "out", array, array->states == WITH_DEVICE,
                       ", if the device has newer ones");
        }
        if (array->states & WITH_DEVICE)
            array->states = (array->states & ~(unsigned)WITH_DEVICE) | WITH_BOTH;
        if (kind != TOUCH_READ && array->states)
            array->states = WITH_HOST;
        if (kind == TOUCH_RETURN)
            array->states = 0;
    }
}

static const struct touch *touch_of(const struct path *p, const struct ast *node)
{
    for (size_t i = 0; i < p->function->n_touches; i++) {
        const struct touch *touch = &p->function->touches[i];
        if (touch->kind != TOUCH_END && touch->begin == node->begin && node->end > node->begin)
            return touch;
    }
    return NULL;
}

static const struct region *region_of(const struct path *p, const struct ast *node)
{
    for (size_t i = 0; i < p->program->n_regions; i++) {
        const struct region *region = p->program->regions[i];
        if (node->kind == AST_SCHEDULE && region->begin <= node->begin && node->begin < region->end)
            return region;
    }
    return NULL;
}

static bool has_region(const struct path *p, const struct ast *node)
{
    struct ast_walk walk;
    if (!node)
        return false;
    for (const struct ast *n = ast_first(&walk, p->ctx->arena, node); n; n = ast_next(&walk))
        if (region_of(p, n))
            return true;
    return false;
}

/* --- statements ------------------------------------------------------------------------------- */

static void statement_follow(struct path *p, const struct ast *node);

/* States of all arrays, for where ways part and meet. */
static unsigned *states_copy(struct path *p)
{
    unsigned *states = ARENA_ARRAY(p->ctx->arena, unsigned, p->arrays.count + 1);
    for (size_t i = 0; i < p->arrays.count; i++)
        states[i] = p->arrays.at[i].states;
    return states;
}

static void states_set(struct path *p, const unsigned *states)
{
    for (size_t i = 0; i < p->arrays.count; i++)
        p->arrays.at[i].states = states[i];
}

/* Did the union grow? */
static bool states_join(struct path *p, const unsigned *states)
{
    bool grew = false;
    for (size_t i = 0; i < p->arrays.count; i++) {
        unsigned joined = p->arrays.at[i].states | states[i];
        grew |= joined != states[i];
        p->arrays.at[i].states = joined;
    }
    return grew;
}

static void children_follow(struct path *p, const struct ast *node, int first)
{
    for (int i = first; i < node->n_children; i++)
        if (node->children[i])
            statement_follow(p, node->children[i]);
}

/* Rounds without output until the states at a round's beginning stay the same, then one with it. */
static void loop_follow(struct path *p, const struct ast *loop)
{
    struct str *out = p->out;
    unsigned *begin = states_copy(p);
    p->out = NULL;
    for (bool grows = true; grows;) {
        children_follow(p, loop, 0);
        grows = states_join(p, begin);
        begin = states_copy(p);
    }
    p->out = out;
    if (out)
        children_follow(p, loop, 0);
    for (size_t i = 0; i < p->arrays.count; i++)
        begin[i] |= p->jumps && begin[i] ? (unsigned)ANYWHERE : 0;
    states_set(p, begin);
}

static void branch_follow(struct path *p, const struct ast *branch)
{
    const struct ast *yes = branch->n_children > 1 ? branch->children[1] : NULL;
    const struct ast *no = branch->n_children > 2 ? branch->children[2] : NULL;
    bool is_test = yes && has_region(p, yes) && !has_region(p, no) &&
                   (no || yes->kind == AST_SCHEDULE);
    unsigned *before = states_copy(p);
    if (yes)
        statement_follow(p, yes);
    if (is_test)
        return;
    unsigned *after = states_copy(p);
    states_set(p, before);
    if (no)
        statement_follow(p, no);
    states_join(p, after);
}

static void statement_follow(struct path *p, const struct ast *node)
{
    const struct touch *touch = touch_of(p, node);
    const struct region *region = region_of(p, node);
    if (touch)
        touch_follow(p, touch->kind, node->begin, "host code");
    else if (region)
        region_follow(p, region);
    else if (node->kind == AST_FOR || node->kind == AST_WHILE || node->kind == AST_DO)
        loop_follow(p, node);
    else if (node->kind == AST_IF)
        branch_follow(p, node);
    else
        children_follow(p, node, 0);
    if (region && p->function->is_eager)
        touch_follow(p, p->function->eager_kind, region->begin, "host code behind it");
}

/* Every array is known before the states of any are copied. */
static void function_follow(struct path *p, const struct ast *body)
{
    struct ast_walk walk;
    for (size_t i = 0; i < p->program->n_regions; i++) {
        const struct region *region = p->program->regions[i];
        const struct kernel *k = region->kernel;
        if (&p->program->functions[region->function] != p->function)
            continue;
        for (int a = 0; a < k->n_arrays; a++)
            if (array_is_given(k->arrays[a]) && !region->is_scratch[a])
                array_find(p, k->arrays[a]->name);
    }
    for (const struct ast *n = ast_first(&walk, p->ctx->arena, body); n; n = ast_next(&walk))
        p->jumps |= n->kind == AST_BREAK || n->kind == AST_CONTINUE || n->kind == AST_GOTO;
    statement_follow(p, body);
    touch_follow(p, TOUCH_RETURN, p->function->body_end - 1, "end");
}

bool copies_print(struct ctx *ctx, struct str *out, const struct program *program,
                  const struct program_options *options)
{
    struct ast_unit *unit = ast_parse(ctx, program->source, options->arguments,
                                      options->n_arguments);
    if (!unit)
        return false;
    for (size_t f = 0; f < program->n_functions; f++) {
        struct path path = {.ctx = ctx, .out = out, .program = program};
        path.function = &program->functions[f];
        for (size_t i = 0; i < unit->n_declarations; i++) {
            const struct ast *decl = unit->declarations[i];
            const struct ast *body = decl->kind == AST_FUNCTION ? ast_body(unit, decl) : NULL;
            if (body && strcmp(decl->name, path.function->name) == 0)
                function_follow(&path, body);
        }
    }
    ast_close(unit);
    return true;
}

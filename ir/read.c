/* Reads the text of a kernel as ir/print.c writes it: declarations in any order (but used names
   first), then the body.

   In: any text; out: a kernel, or NULL after one diagnostic that points at the first thing that is
   not understood. The kernel is well-formed as far as names and types go; ir/verify.c judges
   the rest.

   Invariant: printing, reading and printing again gives the same text. */
#include "ir/own.h"
#include "ir/read.h"

enum { DIMENSIONS_MAX = 16 };

/* The lists in which the parts of a kernel are gathered. */
struct parts {
    struct kernel *kernel;
    VEC(const struct param *) params;
    VEC(const struct array *) arrays;
    VEC(struct axis) grid, block;
    VEC(struct divisible) divisible;
};

/* The row of `names` that stands here. */
static int read_word(struct kernel_reader *r, const char *const *names, int n, const char *what)
{
    for (int i = 0; i < n; i++)
        if (reader_accept(r, names[i]))
            return i;
    reader_fail(r, "expected %s", what);
    return 0;
}

static int64_t read_constant(struct kernel_reader *r)
{
    int64_t value = 0;
    const struct expr *e = reader_integer(r);
    if (!r->failed && !expr_get_integer(e, &value))
        reader_fail(r, "expected a constant before this");
    return value;
}

static void read_ring(struct kernel_reader *r, struct parts *parts)
{
    struct loc loc;
    do {
        const char *name = reader_name(r, &loc);
        if (!r->failed && ring_variable(parts->kernel->ring, name) < 0)
            reader_fail(r, "more than %d variables", RING_CAPACITY);
    } while (!r->failed && reader_accept(r, ","));
}

static void read_param(struct kernel_reader *r, struct parts *parts)
{
    static const char *const classes[] = {"machine", "program", "data"};
    static const char *const roles[] = {"machine", "size", "tunable", "uniform", "value"};
    struct loc loc;
    struct param *param = ARENA_NEW(r->arena, struct param);
    param->class = (enum param_class)read_word(r, classes, 3, "a class (machine, program, data)");
    param->role = (enum param_role)read_word(r, roles, 5,
                                             "a role (machine, size, tunable, uniform, value)");
    enum type type = reader_type(r);
    struct var *var = var_new(r->arena, reader_name(r, &loc), type, VAR_PARAM);
    var->loc = loc;
    param->var = var;
    param->variable = -1;
    if (r->failed)
        return;
    if (param->role != ROLE_VALUE) {
        param->variable = ring_variable(parts->kernel->ring, var->name);
        if (param->variable < 0)
            reader_fail(r, "more than %d variables", RING_CAPACITY);
    }
    param->has_lo = reader_accept(r, ">=");
    param->lo = param->has_lo ? read_constant(r) : 0;
    reader_declare(r, var);
    vec_push(r->arena, &parts->params, param);
}

static void read_dims(struct kernel_reader *r, struct array *array)
{
    const struct expr *dims[DIMENSIONS_MAX] = {0};
    while (reader_accept(r, "[")) {
        if (array->n_dims == DIMENSIONS_MAX)
            reader_fail(r, "more than %d dimensions", DIMENSIONS_MAX);
        if (r->failed)
            return;
        dims[array->n_dims++] = reader_at(r, "]") ? NULL : reader_integer(r);
        reader_expect(r, "]");
    }
    if (!array->n_dims)
        reader_expect(r, "[");
    const struct expr **copy = ARENA_ARRAY(r->arena, const struct expr *, array->n_dims);
    for (int i = 0; i < array->n_dims; i++)
        copy[i] = dims[i];
    array->dims = copy;
}

static void read_array(struct kernel_reader *r, struct parts *parts, enum space space)
{
    struct loc origin;
    struct array *array = ARENA_NEW(r->arena, struct array);
    array->space = space;
    array->is_const = reader_accept(r, "const");
    array->is_restrict = reader_accept(r, "restrict");
    array->element = reader_type(r);
    array->name = reader_name(r, &array->loc);
    if (map_get(r->vars, array->name) || map_get(r->arrays, array->name))
        reader_fail_at(r, array->loc, "'%s' is declared twice", array->name);
    read_dims(r, array);
    array->cache = reader_accept(r, "cache");
    array->is_partial = reader_accept(r, "partial");
    if (reader_accept(r, "at"))
        array->offset = reader_integer(r);
    if (reader_accept(r, "of")) {
        const char *name = reader_name(r, &origin);
        array->origin = map_get(r->arrays, name);
        if (!array->origin)
            reader_fail_at(r, origin, "'%s' is not declared", name);
    }
    if (r->failed)
        return;
    map_put(r->arrays, array->name, array);
    vec_push(r->arena, &parts->arrays, array);
}

/* The text up to the end of the line, or up to the last such word before (NULL: none), as other
   readers take it. A parameter may have the word for its name. */
static const char *read_raw(struct kernel_reader *r, const char *word)
{
    size_t begin = r->lexer.token_begin;
    struct lexer last = r->lexer;
    bool found = false;
    for (; r->lexer.token.kind != TOKEN_END && !reader_at(r, ";"); lexer_next(&r->lexer)) {
        bool is_word = word && reader_at(r, word);
        found |= is_word;
        last = is_word ? r->lexer : last;
    }
    if (found)
        r->lexer = last;
    return arena_strndup(r->arena, r->lexer.source->text + begin, r->lexer.token_begin - begin);
}

static void read_divisible(struct kernel_reader *r, struct parts *parts)
{
    struct loc loc = r->lexer.token.loc;
    struct divisible divisible;
    const char *error = NULL, *text = read_raw(r, "by");
    divisible.value = poly_read(parts->kernel->ring, text, &error);
    if (!divisible.value) {
        r->lexer.token.loc = loc;
        reader_fail(r, "no polynomial is divisible here: %s", error ? error : "syntax error");
        return;
    }
    reader_expect(r, "by");
    divisible.divisor = read_constant(r);
    vec_push(r->arena, &parts->divisible, divisible);
}

static void read_fact(struct kernel_reader *r, struct parts *parts)
{
    struct loc loc = r->lexer.token.loc;
    struct constraint c;
    const char *error = NULL, *text = read_raw(r, NULL);
    if (constraint_read(parts->kernel->ring, text, &c, &error)) {
        parts->kernel->facts = sas_add(r->arena, parts->kernel->facts, c);
        return;
    }
    r->lexer.token.loc = loc;
    reader_fail(r, "a fact that is no constraint: %s", error ? error : "syntax error");
}

static void read_shape(struct kernel_reader *r, struct parts *parts, bool is_grid)
{
    struct axis axis = reader_axis(r);
    if ((is_grid ? parts->grid.count : parts->block.count) == AXES_MAX)
        reader_fail(r, "more than %d axes", AXES_MAX);
    reader_declare(r, axis.var);
    if (is_grid)
        vec_push(r->arena, &parts->grid, axis);
    else
        vec_push(r->arena, &parts->block, axis);
}

static void read_pressure(struct kernel_reader *r, struct parts *parts)
{
    int64_t level = read_constant(r);
    if (level < 0 || level > 3)
        reader_fail(r, "the pressure level is 0, 1, 2 or 3");
    parts->kernel->pressure = (int)level;
}

static void read_lanes(struct kernel_reader *r, struct parts *parts)
{
    if (read_constant(r) != OWN_LANES)
        reader_fail(r, "a thread's own sums have %d lanes", OWN_LANES);
    parts->kernel->own_lanes = true;
}

static void read_declaration(struct kernel_reader *r, struct parts *parts)
{
    if (reader_accept(r, "ring"))
        read_ring(r, parts);
    else if (reader_accept(r, "param"))
        read_param(r, parts);
    else if (reader_accept(r, "global"))
        read_array(r, parts, SPACE_GLOBAL);
    else if (reader_accept(r, "shared"))
        read_array(r, parts, SPACE_SHARED);
    else if (reader_accept(r, "private"))
        read_array(r, parts, SPACE_PRIVATE);
    else if (reader_accept(r, "fact"))
        read_fact(r, parts);
    else if (reader_accept(r, "divisible"))
        read_divisible(r, parts);
    else if (reader_accept(r, "shared_bytes"))
        parts->kernel->shared_bytes = reader_integer(r);
    else if (reader_accept(r, "pressure"))
        read_pressure(r, parts);
    else if (reader_accept(r, "lanes"))
        read_lanes(r, parts);
    else if (reader_accept(r, "grid"))
        read_shape(r, parts, true);
    else if (reader_accept(r, "block"))
        read_shape(r, parts, false);
    else
        reader_fail(r, "expected ring, param, global, shared, private, fact, divisible, "
                       "shared_bytes, pressure, lanes, grid, block or body");
    reader_expect(r, ";");
}

struct kernel *kernel_read(struct ctx *ctx, const struct source *source)
{
    struct loc loc;
    struct kernel_reader r = reader_new(ctx, source);
    struct parts parts = {.kernel = ARENA_NEW(ctx->arena, struct kernel)};
    struct kernel *kernel = parts.kernel;
    kernel->ring = ring_new(ctx->arena);
    kernel->facts = sas_empty(kernel->ring);
    reader_expect(&r, "kernel");
    kernel->name = reader_name(&r, &loc);
    reader_expect(&r, "{");
    while (!r.failed && !reader_at(&r, "body"))
        read_declaration(&r, &parts);
    kernel->params = parts.params.at;
    kernel->n_params = (int)parts.params.count;
    kernel->arrays = parts.arrays.at;
    kernel->n_arrays = (int)parts.arrays.count;
    kernel->grid = parts.grid.at;
    kernel->n_grid = (int)parts.grid.count;
    kernel->block = parts.block.at;
    kernel->n_block = (int)parts.block.count;
    kernel->divisible = parts.divisible.at;
    kernel->n_divisible = (int)parts.divisible.count;
    reader_expect(&r, "body");
    reader_expect(&r, "{");
    kernel->body = reader_body(&r, kernel);
    reader_expect(&r, "}");
    if (!r.failed && r.lexer.token.kind != TOKEN_END)
        reader_fail(&r, "expected the end of the text");
    return r.failed ? NULL : kernel;
}

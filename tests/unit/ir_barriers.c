/* Barriers that stand twice, and barriers moved to the heads of loops. Bodies are written short: A
   is a band that stores to a global array, G a scalar loaded from one, P a band that stores to a
   private array, L a scalar, | a barrier, W one that waits for asynchronous copies, f(…) a loop,
   ?(…:…) an if. A table of results, then random bodies, which must keep the order of accesses on
   every path. */
#include "ir/barriers.h"
#include "ir_check.h"

struct body {
    struct arena *arena;
    const struct array *global, *own;
    const struct expr *param;
    int n_names;
};

static const struct expr *zero(struct body *b)
{
    return expr_integer(b->arena, TYPE_I32, 0);
}

static struct array *array_of(struct arena *arena, const char *name, enum space space)
{
    struct array *array = ARENA_NEW(arena, struct array);
    const struct expr **dims = ARENA_ARRAY(arena, const struct expr *, 1);
    dims[0] = expr_integer(arena, TYPE_I32, 8);
    *array = (struct array){
        .name = name, .element = TYPE_I32, .space = space, .n_dims = 1, .dims = dims};
    return array;
}

static struct body body_of(struct arena *arena)
{
    struct body b = {.arena = arena};
    b.global = array_of(arena, "a", SPACE_GLOBAL);
    b.own = array_of(arena, "p", SPACE_PRIVATE);
    b.param = expr_var(arena, var_new(arena, "n", TYPE_I32, VAR_PARAM));
    return b;
}

static struct var *name_new(struct body *b, enum var_kind kind)
{
    return var_new(b->arena, arena_printf(b->arena, "v%d", b->n_names++), TYPE_I32, kind);
}

static const struct stmt *band_storing(struct body *b, const struct array *array)
{
    struct axis axis = {name_new(b, VAR_ITERATOR), expr_integer(b->arena, TYPE_I32, 8)};
    const struct expr *index = zero(b);
    return stmt_band(b->arena, &axis, 1, true,
                     stmt_store(b->arena, array, &index, zero(b), loc_none()));
}

static const struct stmt *let_of(struct body *b, bool loads)
{
    const struct expr *index = zero(b);
    return stmt_let(b->arena, name_new(b, VAR_LOCAL),
                    loads ? expr_load(b->arena, b->global, &index, loc_none()) : index);
}

static const struct stmt *loop_of(struct body *b, const struct stmt *body)
{
    return stmt_for(b->arena, name_new(b, VAR_ITERATOR), zero(b), b->param,
                    expr_integer(b->arena, TYPE_I32, 1), body);
}

/* Reads up to a parenthesis or colon that closes. */
static const struct stmt *body_read(struct body *b, const char **at)
{
    VEC(const struct stmt *) list = {0};
    for (; **at && **at != ')' && **at != ':'; ++*at) {
        const struct stmt *s = NULL, *otherwise = NULL;
        char letter = **at;
        if (letter == 'f' || letter == '?') {
            *at += 2;
            s = body_read(b, at);
            if (**at == ':') {
                ++*at;
                otherwise = body_read(b, at);
            }
        }
        switch (letter) {
        case 'A': s = band_storing(b, b->global); break;
        case 'P': s = band_storing(b, b->own); break;
        case 'G': s = let_of(b, true); break;
        case 'L': s = let_of(b, false); break;
        case '|': s = stmt_barrier(b->arena); break;
        case 'W': s = stmt_pending(b->arena, 0); break;
        case 'f': s = loop_of(b, s); break;
        default:
            s = stmt_if(b->arena, expr_var(b->arena, name_new(b, VAR_PARAM)), s, otherwise);
            break;
        }
        vec_push(b->arena, &list, s);
    }
    return stmt_sequence(b->arena, list.at, (int)list.count);
}

static char letter_of(const struct body *b, const struct stmt *s)
{
    switch (s->kind) {
    case STMT_BAND: return s->children[0]->array == b->own ? 'P' : 'A';
    case STMT_LET: return s->value->kind == EXPR_LOAD ? 'G' : 'L';
    case STMT_FOR: return 'f';
    case STMT_IF: return '?';
    default: return s->waits ? 'W' : '|';
    }
}

static void body_print(const struct body *b, struct str *out, const struct stmt *s)
{
    if (s->kind == STMT_SEQUENCE) {
        for (int i = 0; i < s->n_children; i++)
            body_print(b, out, s->children[i]);
        return;
    }
    str_char(out, letter_of(b, s));
    if (s->kind != STMT_FOR && s->kind != STMT_IF)
        return;
    str_char(out, '(');
    body_print(b, out, s->children[0]);
    if (s->n_children > 1) {
        str_char(out, ':');
        body_print(b, out, s->children[1]);
    }
    str_char(out, ')');
}

static const char *text_of(const struct body *b, const struct stmt *s)
{
    struct str out = str_new(b->arena);
    body_print(b, &out, s);
    return out.text;
}

/* Body, without doubled barriers, and that with barriers at heads of loops. */
static const char *const rows[][3] = {
    {"ALA", "ALA", "ALA"},
    {"A|LPA", "A|LPA", "A|LPA"},
    {"A||LA", "A|LA", "A|LA"},
    {"A|LP|A", "ALP|A", "ALP|A"},
    {"A|G|A", "A|G|A", "A|G|A"},
    {"|A", "|A", "|A"},
    {"A|", "A|", "|A"},
    {"|A|", "|A", "|A"},
    {"|L", "L", "L"},
    {"|LPf(|A|A)|A", "LPf(|A|A)|A", "LPf(|A|A)|A"},
    {"f(A|)A", "f(A|)A", "f(|A)|A"},
    {"f(A|A|)", "f(A|A|)", "f(|A|A)"},
    {"f(A|A|)|A", "f(A|A|)|A", "f(|A|A)|A"},
    {"Lf(A|)Lf(A|)A", "Lf(A|)Lf(A|)A", "Lf(|A)Lf(|A)|A"},
    {"f(Af(A|)|)A", "f(Af(A|)|)A", "f(|Af(|A))|A"},
    {"f(A|)|A|", "f(A|)A|", "f(|A)|A"},
    {"A?(|)|A", "A?()|A", "A?()|A"},
    {"A?(|)A", "A?(|)A", "A?(|)A"},
    {"A?(A|:|)|A|", "A?(A:)|A|", "|A?(A:)|A"},
    {"A|?(A|:|)A|", "A|?(A|:)A|", "|A|?(A|:)A"},
    {"A|?(|A:A)A|", "A|?(A:A)A|", "|A|?(A:A)A"},
    {"f(|L)A", "f(|L)A", "f(|L)A"},
    {"A||WA", "AWA", "AWA"},
    {"AW|A", "AWA", "AWA"},
    {"AW|WA", "AWWA", "AWWA"},
    {"LWWA|", "LWWA", "LWWA"},
    {"f(WA)|A", "f(WA)|A", "f(WA)|A"},
    {"f(WA|)WA", "f(WA)WA", "f(WA)WA"},
};

static void check_rows(struct check *check, struct body *b)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check_test(check);
        const char *at = rows[i][0];
        const struct stmt *body = body_read(b, &at);
        const char *once = text_of(b, barriers_drop_doubled(b->arena, body));
        const struct stmt *turned = barriers_to_heads(b->arena, body);
        const char *heads = text_of(b, barriers_drop_doubled(b->arena, turned));
        check_that(check, !strcmp(once, rows[i][1]), "%s becomes %s, not %s", rows[i][0], once,
                   rows[i][1]);
        check_that(check, !strcmp(heads, rows[i][2]),
                   "%s becomes %s, not %s, with barriers at heads", rows[i][0], heads, rows[i][2]);
    }
}

/* What a run of a body does: accesses, and a bar between two that a barrier keeps apart. */
struct run {
    const struct body *body;
    struct str trace;
    size_t n_accesses;
    bool bar;
    uint64_t way;                   /* random numbers for branches and rounds */
};

/* The same loop or if takes the same way in both bodies: what it does depends on the number of
   accesses so far and on its own number, which rewriting keeps. */
static unsigned way_taken(struct run *run, const struct stmt *s)
{
    const char *name = s->kind == STMT_IF ? s->value->var->name : s->var->name;
    uint64_t number = strtoull(name + 1, NULL, 10) + 1;
    uint64_t mixed =
        run->way ^ run->n_accesses * 0x9e3779b97f4a7c15u ^ number * 0xd1342543de82ef95u;
    return (unsigned)(check_random(&mixed) >> 20) % 3;
}

static void run_stmt(struct run *run, const struct stmt *s)
{
    switch (s->kind) {
    case STMT_SEQUENCE:
        for (int i = 0; i < s->n_children; i++)
            run_stmt(run, s->children[i]);
        return;
    case STMT_FOR: {
        unsigned rounds = way_taken(run, s);
        for (unsigned i = 0; i < rounds; i++)
            run_stmt(run, s->children[0]);
        return;
    }
    case STMT_IF:
        if (way_taken(run, s) % 2)
            run_stmt(run, s->children[0]);
        else if (s->n_children > 1)
            run_stmt(run, s->children[1]);
        return;
    case STMT_BARRIER:
        run->bar = run->n_accesses > 0;
        return;
    default:
        if (letter_of(run->body, s) != 'A' && letter_of(run->body, s) != 'G')
            return;
        if (run->bar)
            str_char(&run->trace, '|');
        run->bar = false;
        run->n_accesses++;
        str_char(&run->trace, letter_of(run->body, s));
    }
}

/* The trace of three rounds over the grid. */
static const char *trace_of(const struct body *b, const struct stmt *body, uint64_t way)
{
    struct run run = {.body = b, .trace = str_new(b->arena), .way = way};
    for (int i = 0; i < 3; i++)
        run_stmt(&run, body);
    return run.trace.text;
}

/* Are these the same accesses, kept apart wherever `expected` keeps them apart? */
static bool is_as_strict(const char *found, const char *expected)
{
    for (; *found && *expected; found++) {
        if (*found == *expected)
            expected++;
        else if (*found != '|')
            return false;
    }
    return !*found && !*expected;
}

static void random_text(struct str *out, uint64_t *seed, int depth)
{
    static const char letters[] = "AA||||WGPLff??";
    int n = 1 + (int)(check_random(seed) % 5);
    for (int i = 0; i < n; i++) {
        char letter = letters[check_random(seed) % (sizeof letters - 1)];
        if ((letter == 'f' || letter == '?') && depth == 0)
            continue;
        str_char(out, letter);
        if (letter != 'f' && letter != '?')
            continue;
        str_char(out, '(');
        random_text(out, seed, depth - 1);
        if (letter == '?' && check_random(seed) % 2) {
            str_char(out, ':');
            random_text(out, seed, depth - 1);
        }
        str_char(out, ')');
    }
}

/* No two barriers stand beside each other in a text without anything shared between them. */
static bool is_doubled(const char *text)
{
    bool after_barrier = false;
    for (; *text; text++) {
        if (*text == '|' && after_barrier)
            return true;
        after_barrier = *text == '|' || (after_barrier && (*text == 'L' || *text == 'P'));
    }
    return false;
}

static void check_body(struct check *check, struct body *b, const char *text)
{
    const char *at = text;
    const struct stmt *body = body_read(b, &at);
    const struct stmt *once = barriers_drop_doubled(b->arena, body);
    const struct stmt *heads = barriers_to_heads(b->arena, body);
    const struct stmt *both = barriers_drop_doubled(b->arena, heads);
    check_that(check, !is_doubled(text_of(b, once)), "%s: a pair stays in %s", text,
               text_of(b, once));
    check_that(check, !is_doubled(text_of(b, both)), "%s: a pair stays in %s", text,
               text_of(b, both));
    for (uint64_t i = 1; i <= 8; i++) {
        uint64_t way = i * 0x2545f4914f6cdd1du;
        const char *asked = trace_of(b, body, way), *less = trace_of(b, once, way);
        const char *moved = trace_of(b, heads, way), *least = trace_of(b, both, way);
        check_that(check, !strcmp(less, asked), "%s became %s: %s instead of %s", text,
                   text_of(b, once), less, asked);
        check_that(check, is_as_strict(moved, asked), "%s became %s: %s instead of %s", text,
                   text_of(b, heads), moved, asked);
        check_that(check, !strcmp(least, moved), "%s became %s: %s instead of %s",
                   text_of(b, heads), text_of(b, both), least, moved);
    }
}

static void check_random_bodies(struct check *check)
{
    check_test(check);
    uint64_t seed = 20261122;
    int n = test_scale(3000, 100000);
    for (int i = 0; i < n; i++) {
        struct ctx *ctx = check_ctx();
        struct body body = body_of(ctx->arena);
        struct str text = str_new(ctx->arena);
        random_text(&text, &seed, 3);
        check_body(check, &body, text.text);
        ctx_free(ctx);
    }
}

int main(void)
{
    struct check check = {0};
    struct ctx *ctx = check_ctx();
    struct body body = body_of(ctx->arena);
    check_rows(&check, &body);
    check_random_bodies(&check);
    ctx_free(ctx);
    return check_end(&check, "ir_barriers");
}

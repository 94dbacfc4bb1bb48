/* The general simplex method for satisfiability. In: forms over variables and bounds on both; out:
   a point or a set of bounds that exclude each other. Each form is a basic variable defined by a
   row over the nonbasic ones; nonbasic variables always keep their bounds, and a basic one that
   does not is exchanged with a nonbasic one that can move; if none can, the row itself is the
   refutation. Bland's rule (least item) ensures an end. Strict bounds are bounds shifted by an
   infinitesimal: values are pairs (x, k) for x + k epsilon, and at the end epsilon gets a value
   small enough for every bound. Source: Dutertre and de Moura, A fast linear-arithmetic solver for
   DPLL(T), 2006. */
#include "constraints/front/simplex.h"

struct value {
    fmpq x, k;
};

struct side {
    bool set;
    struct value value;
    size_t number;
};

struct simplex {
    struct arena *arena;
    size_t columns, capacity;       /* variables; room for rows */
    size_t rows, items;             /* rows so far; items: columns, then one per row */
    fmpq *table;                    /* rows x columns */
    size_t *basic, *nonbasic;       /* item of a row; item of a column of the table */
    size_t *place;                  /* by item: its row (from `columns` on) or its column of the
                                       table */
    struct value *values;           /* by item */
    struct side *lo, *hi;           /* by item */
    bool started;                   /* variables are within their bounds */
    size_t *conflict, conflict_count;
    fmpq *multipliers;              /* of the conflict */
    fmpq *point;
};

static void table_clear(void *object)
{
    struct simplex *s = object;
    size_t items = s->columns + s->capacity;
    for (size_t i = 0; i < s->capacity * s->columns; i++)
        fmpq_clear(s->table + i);
    for (size_t i = 0; i < items; i++) {
        fmpq_clear(&s->values[i].x);
        fmpq_clear(&s->values[i].k);
        fmpq_clear(&s->lo[i].value.x);
        fmpq_clear(&s->lo[i].value.k);
        fmpq_clear(&s->hi[i].value.x);
        fmpq_clear(&s->hi[i].value.k);
    }
    for (size_t i = 0; i < s->columns; i++)
        fmpq_clear(s->point + i);
    for (size_t i = 0; i < s->columns + 2; i++)
        fmpq_clear(s->multipliers + i);
}

static void value_init(struct value *value)
{
    fmpq_init(&value->x);
    fmpq_init(&value->k);
}

struct simplex *simplex_new(struct arena *arena, size_t columns, size_t rows)
{
    struct simplex *s = ARENA_NEW(arena, struct simplex);
    size_t items = columns + rows;
    *s = (struct simplex){.arena = arena, .columns = columns, .capacity = rows, .items = columns};
    s->table = ARENA_ARRAY(arena, fmpq, rows * columns + 1);
    s->basic = ARENA_ARRAY(arena, size_t, rows + 1);
    s->nonbasic = ARENA_ARRAY(arena, size_t, columns + 1);
    s->place = ARENA_ARRAY(arena, size_t, items + 1);
    s->values = ARENA_ARRAY(arena, struct value, items + 1);
    s->lo = ARENA_ARRAY(arena, struct side, items + 1);
    s->hi = ARENA_ARRAY(arena, struct side, items + 1);
    s->conflict = ARENA_ARRAY(arena, size_t, columns + 2);
    s->multipliers = ARENA_ARRAY(arena, fmpq, columns + 2);
    s->point = ARENA_ARRAY(arena, fmpq, columns + 1);
    for (size_t i = 0; i < rows * columns; i++)
        fmpq_init(s->table + i);
    for (size_t i = 0; i < items; i++) {
        value_init(&s->values[i]);
        value_init(&s->lo[i].value);
        value_init(&s->hi[i].value);
    }
    for (size_t i = 0; i < columns; i++) {
        fmpq_init(s->point + i);
        s->nonbasic[i] = s->place[i] = i;
    }
    for (size_t i = 0; i < columns + 2; i++)
        fmpq_init(s->multipliers + i);
    arena_on_free(arena, table_clear, s);
    return s;
}

/* The form is written over the variables that are nonbasic now. */
size_t simplex_row(struct simplex *s, const fmpz *coefficients)
{
    size_t row = s->rows++, item = s->items++;
    fmpq *own = s->table + row * s->columns;
    fmpq_t factor;
    fmpq_init(factor);
    for (size_t j = 0; j < s->columns; j++) {
        if (fmpz_is_zero(coefficients + j))
            continue;
        fmpq_set_fmpz(factor, coefficients + j);
        fmpq_addmul(&s->values[item].x, factor, &s->values[j].x);
        fmpq_addmul(&s->values[item].k, factor, &s->values[j].k);
        if (s->place[j] < s->columns) {
            fmpq_add(own + s->place[j], own + s->place[j], factor);
            continue;
        }
        const fmpq *other = s->table + (s->place[j] - s->columns) * s->columns;
        for (size_t k = 0; k < s->columns; k++)
            if (!fmpq_is_zero(other + k))
                fmpq_addmul(own + k, factor, other + k);
    }
    fmpq_clear(factor);
    s->basic[row] = item;
    s->place[item] = s->columns + row;
    return item;
}

void simplex_bound(struct simplex *s, size_t item, bool upper, const fmpq_t value, bool strict,
                   size_t number)
{
    struct side *side = upper ? &s->hi[item] : &s->lo[item];
    side->set = true;
    side->number = number;
    fmpq_set(&side->value.x, value);
    fmpq_set_si(&side->value.k, strict ? (upper ? -1 : 1) : 0, 1);
}

static int value_compare(const struct value *a, const struct value *b)
{
    int order = fmpq_cmp(&a->x, &b->x);
    return order ? order : fmpq_cmp(&a->k, &b->k);
}

/* Moves a nonbasic column by `delta`, and every basic item with it. */
static void column_move(struct simplex *s, size_t column, const struct value *delta)
{
    struct value *own = &s->values[s->nonbasic[column]];
    fmpq_add(&own->x, &own->x, &delta->x);
    fmpq_add(&own->k, &own->k, &delta->k);
    for (size_t row = 0; row < s->rows; row++) {
        const fmpq *a = s->table + row * s->columns + column;
        if (fmpq_is_zero(a))
            continue;
        struct value *basic = &s->values[s->basic[row]];
        fmpq_addmul(&basic->x, a, &delta->x);
        if (!fmpq_is_zero(&delta->k))
            fmpq_addmul(&basic->k, a, &delta->k);
    }
}

/* Moves a nonbasic column onto `target`. */
static void column_set(struct simplex *s, size_t column, const struct value *target)
{
    struct value delta;
    value_init(&delta);
    fmpq_sub(&delta.x, &target->x, &s->values[s->nonbasic[column]].x);
    fmpq_sub(&delta.k, &target->k, &s->values[s->nonbasic[column]].k);
    column_move(s, column, &delta);
    fmpq_clear(&delta.x);
    fmpq_clear(&delta.k);
}

/* Variables with bounds start within them; false if two bounds of one item exclude each other. */
static bool columns_start(struct simplex *s)
{
    for (size_t i = 0; i < s->items; i++)
        if (s->lo[i].set && s->hi[i].set && value_compare(&s->lo[i].value, &s->hi[i].value) > 0) {
            s->conflict[0] = s->lo[i].number;
            s->conflict[1] = s->hi[i].number;
            fmpq_one(s->multipliers);
            fmpq_set_si(s->multipliers + 1, -1, 1);
            s->conflict_count = 2;
            return false;
        }
    for (size_t j = 0; !s->started && j < s->columns; j++) {
        if (s->lo[j].set && value_compare(&s->values[j], &s->lo[j].value) < 0)
            column_set(s, j, &s->lo[j].value);
        if (s->hi[j].set && value_compare(&s->values[j], &s->hi[j].value) > 0)
            column_set(s, j, &s->hi[j].value);
    }
    s->started = true;
    return true;
}

/* The violated row with the least item; *side: its bound. */
static bool row_violated(const struct simplex *s, size_t *row, const struct side **side)
{
    size_t least = s->items;
    for (size_t r = 0; r < s->rows; r++) {
        size_t item = s->basic[r];
        if (item >= least)
            continue;
        if (s->lo[item].set && value_compare(&s->values[item], &s->lo[item].value) < 0)
            *side = &s->lo[item];
        else if (s->hi[item].set && value_compare(&s->values[item], &s->hi[item].value) > 0)
            *side = &s->hi[item];
        else
            continue;
        least = item;
        *row = r;
    }
    return least < s->items;
}

/* The bound that stops a nonbasic item from moving up (or down); NULL if it can move. */
static const struct side *obstacle(const struct simplex *s, size_t item, bool up)
{
    const struct side *side = up ? &s->hi[item] : &s->lo[item];
    if (!side->set)
        return NULL;
    int order = value_compare(&s->values[item], &side->value);
    return (up ? order < 0 : order > 0) ? NULL : side;
}

/* The column of least item that can move the row's item upwards (or downwards); s->columns if none
   can, and then the conflict is recorded. */
static size_t column_choose(struct simplex *s, size_t row, const struct side *violated, bool up)
{
    size_t chosen = s->columns;
    s->conflict_count = 1;
    s->conflict[0] = violated->number;
    fmpq_set_si(s->multipliers, up ? 1 : -1, 1);
    for (size_t j = 0; j < s->columns; j++) {
        const fmpq *a = s->table + row * s->columns + j;
        if (fmpq_is_zero(a))
            continue;
        const struct side *stop = obstacle(s, s->nonbasic[j], (fmpq_sgn(a) > 0) == up);
        if (stop) {
            fmpq *multiplier = s->multipliers + s->conflict_count;
            s->conflict[s->conflict_count++] = stop->number;
            (up ? fmpq_neg : fmpq_set)(multiplier, a);
        } else if (chosen == s->columns || s->nonbasic[j] < s->nonbasic[chosen])
            chosen = j;
    }
    return chosen;
}

/* What an exchange will cost: entries of the row, by their length, for each row that it changes. */
static uint64_t pivot_cost(const struct simplex *s, size_t row, size_t column)
{
    const fmpq *own = s->table + row * s->columns;
    uint64_t weight = 1, rows = 1;
    for (size_t j = 0; j < s->columns; j++)
        if (!fmpq_is_zero(own + j))
            weight += 1 + (uint64_t)fmpq_height_bits(own + j) / 32;
    for (size_t r = 0; r < s->rows; r++)
        rows += !fmpq_is_zero(s->table + r * s->columns + column);
    return weight * rows;
}

/* Exchanges the basic item of a row with the nonbasic item of a column. */
static void pivot(struct simplex *s, size_t row, size_t column)
{
    size_t n = s->columns;
    fmpq *own = s->table + row * n;
    fmpq_t inverse;
    fmpq_init(inverse);
    fmpq_inv(inverse, own + column);
    for (size_t j = 0; j < n; j++) {
        if (j == column || fmpq_is_zero(own + j))
            continue;
        fmpq_mul(own + j, own + j, inverse);
        fmpq_neg(own + j, own + j);
    }
    fmpq_set(own + column, inverse);
    fmpq_clear(inverse);
    for (size_t r = 0; r < s->rows; r++) {
        fmpq *other = s->table + r * n;
        if (r == row || fmpq_is_zero(other + column))
            continue;
        fmpq_t factor;
        fmpq_init(factor);
        fmpq_swap(factor, other + column);
        for (size_t j = 0; j < n; j++)
            if (!fmpq_is_zero(own + j))
                fmpq_addmul(other + j, factor, own + j);
        fmpq_clear(factor);
    }
    size_t item = s->basic[row];
    s->basic[row] = s->nonbasic[column];
    s->nonbasic[column] = item;
    s->place[item] = column;
    s->place[s->basic[row]] = n + row;
}

int simplex_solve(struct simplex *s, uint64_t *work)
{
    if (!columns_start(s))
        return 0;
    size_t row = 0;
    const struct side *side = NULL;
    while (row_violated(s, &row, &side)) {
        size_t item = s->basic[row];
        bool up = side == &s->lo[item];
        size_t column = column_choose(s, row, side, up);
        if (column == s->columns)
            return 0;
        uint64_t cost = pivot_cost(s, row, column);
        if (*work < cost)
            return -1;
        *work -= cost;
        pivot(s, row, column);
        column_set(s, column, &side->value);
    }
    return 1;
}

const size_t *simplex_conflict(const struct simplex *s, size_t *count)
{
    *count = s->conflict_count;
    return s->conflict;
}

const fmpq *simplex_multipliers(const struct simplex *s)
{
    return s->multipliers;
}

/* Lowers epsilon so that value and bound keep their order: low.x + low.k e <= high.x + high.k e. */
static void epsilon_limit(fmpq_t epsilon, const struct value *low, const struct value *high)
{
    if (fmpq_cmp(&low->k, &high->k) <= 0)
        return;
    fmpq_t gap, slope;
    fmpq_init(gap);
    fmpq_init(slope);
    fmpq_sub(gap, &high->x, &low->x);
    fmpq_sub(slope, &low->k, &high->k);
    fmpq_div(gap, gap, slope);
    if (fmpq_cmp(gap, epsilon) < 0)
        fmpq_set(epsilon, gap);
    fmpq_clear(gap);
    fmpq_clear(slope);
}

void simplex_settle(struct simplex *s)
{
    fmpq_t epsilon;
    fmpq_init(epsilon);
    fmpq_one(epsilon);
    for (size_t i = 0; i < s->items; i++) {
        if (s->lo[i].set)
            epsilon_limit(epsilon, &s->lo[i].value, &s->values[i]);
        if (s->hi[i].set)
            epsilon_limit(epsilon, &s->values[i], &s->hi[i].value);
    }
    for (size_t j = 0; j < s->columns; j++) {
        fmpq_set(s->point + j, &s->values[j].x);
        fmpq_addmul(s->point + j, epsilon, &s->values[j].k);
    }
    fmpq_clear(epsilon);
}

const fmpq *simplex_value(const struct simplex *s, size_t column)
{
    return s->point + column;
}

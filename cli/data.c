/* The data of `treefork verify`: how long each array is (its declared type, else the access
   relations, else --extent), in what range its values lie (what is used as a subscript stays inside
   the array it indexes), and one generator, used by the printed harness and by the witnesses inside
   the generator alike. Same seed, same data. */
#include "cli/verify.h"
#include "ir/fold.h"
#include "ir/interpret.h"
#include <math.h>
#include <string.h>

enum { VALUE_LIMIT = 99, REAL_STEPS = 1024 };

/* Named values for integer_value: --set, then what meta_tunable says. */
static bool lookup(struct verification *v, const char *name, int64_t *value)
{
    const int64_t *given = assignment_find(&v->set, name);
    if (given) {
        *value = *given;
        return true;
    }
    for (size_t i = 0; i < v->program->n_regions; i++) {
        *value = region_default(v->program->regions[i], name);
        if (*value)
            return true;
    }
    return false;
}

static bool binary_value(enum op op, int64_t a, int64_t b, int64_t *value)
{
    switch (op) {
    case OP_ADD: return !__builtin_add_overflow(a, b, value);
    case OP_SUB: return !__builtin_sub_overflow(a, b, value);
    case OP_MUL: return !__builtin_mul_overflow(a, b, value);
    case OP_DIV: *value = b ? a / b : 0; return b != 0 && !(a == INT64_MIN && b == -1);
    case OP_REM: *value = b ? a % b : 0; return b != 0 && !(a == INT64_MIN && b == -1);
    case OP_LT: *value = a < b; return true;
    case OP_LE: *value = a <= b; return true;
    case OP_GT: *value = a > b; return true;
    case OP_GE: *value = a >= b; return true;
    case OP_EQ: *value = a == b; return true;
    case OP_NE: *value = a != b; return true;
    case OP_LAND: *value = a && b; return true;
    case OP_LOR: *value = a || b; return true;
    case OP_SHL:
        *value = b >= 0 && b < 62 ? a * ((int64_t)1 << b) : 0;
        return b >= 0 && b < 62 && a < INT32_MAX;
    case OP_SHR: *value = b >= 0 && b < 64 ? a >> b : 0; return b >= 0 && b < 64;
    case OP_AND: *value = a & b; return true;
    case OP_OR: *value = a | b; return true;
    case OP_XOR: *value = a ^ b; return true;
    default: return false;
    }
}

static bool value_of(struct verification *v, const struct expr *e, const char **missing,
                     int64_t *value)
{
    int64_t a, b;
    switch (e->kind) {
    case EXPR_INTEGER:
        *value = e->integer;
        return true;
    case EXPR_VAR:
        if (!lookup(v, e->var->name, value))
            *missing = e->var->name;
        return !*missing;
    case EXPR_CAST:
        return !type_is_floating(e->type) && value_of(v, e->arguments[0], missing, value);
    case EXPR_UNARY:
        if (!value_of(v, e->arguments[0], missing, &a))
            return false;
        *value = e->op == OP_NOT ? !a : e->op == OP_COMPLEMENT ? ~a : -a;
        return a != INT64_MIN;
    case EXPR_SELECT:
        return value_of(v, e->arguments[0], missing, &a) &&
               value_of(v, e->arguments[a ? 1 : 2], missing, value);
    case EXPR_BINARY:
        return value_of(v, e->arguments[0], missing, &a) &&
               value_of(v, e->arguments[1], missing, &b) && binary_value(e->op, a, b, value);
    default:
        return false;
    }
}

bool integer_value(struct verification *v, const struct expr *e, const char *what, int64_t *value)
{
    const char *missing = NULL;
    if (value_of(v, e, &missing, value))
        return true;
    if (what && missing)
        diag_error(v->ctx, loc_none(), "%s depends on %s: give --set %s=…", what, missing, missing);
    else if (what)
        diag_error(v->ctx, loc_none(), "%s cannot be computed: %s", what,
                   expr_text(v->ctx->arena, e));
    return false;
}

/* The elements of type `to` that have room for so many of type `from`. */
static int64_t elements_rounded(int64_t count, enum type from, enum type to)
{
    int64_t bytes = 0, size = type_bytes(to);
    if (from == to || count < 0 || __builtin_mul_overflow(count, (int64_t)type_bytes(from), &bytes))
        return count;
    return bytes / size + (bytes % size != 0);
}

/* The names that may mean the same array as `name` in the course of a call, it among them. */
typedef VEC(const char *) alias_list;

static bool aliases_have(const alias_list *aliases, const char *name)
{
    for (size_t i = 0; i < aliases->count; i++)
        if (strcmp(aliases->at[i], name) == 0)
            return true;
    return false;
}

static alias_list aliases_of(struct verification *v, int function, const char *name)
{
    const struct function *f = &v->program->functions[function];
    alias_list aliases = {0};
    size_t before = 0;
    vec_push(v->ctx->arena, &aliases, name);
    while (aliases.count > before) {
        before = aliases.count;
        for (size_t i = 0; i < f->n_aliasings; i++) {
            const struct aliasing *pair = &f->aliasings[i];
            bool has_a = aliases_have(&aliases, pair->a), has_b = aliases_have(&aliases, pair->b);
            if (has_a != has_b && !pair->is_shifted)
                vec_push(v->ctx->arena, &aliases, has_a ? pair->b : pair->a);
        }
    }
    return aliases;
}

static const struct array *region_array(struct verification *v, int function, size_t i,
                                        const char *name)
{
    const struct region *region = v->program->regions[i];
    return region->function == function ? kernel_array(region->kernel, name) : NULL;
}

/* Does a region use the array by a pointer to one of its elements, as is said nowhere which? */
static bool is_entered(struct verification *v, int function, const alias_list *aliases)
{
    const struct function *f = &v->program->functions[function];
    for (size_t k = 0; k < f->n_aliasings * v->program->n_regions; k++) {
        const struct aliasing *pair = &f->aliasings[k / v->program->n_regions];
        if (pair->is_shifted && aliases_have(aliases, pair->b) &&
            region_array(v, function, k % v->program->n_regions, pair->a))
            return true;
    }
    return false;
}

/* The largest extent that the regions of a function promise for an array, under any of its names;
   -1 if none tells, *missing then names what its extent depends on, if that is the reason. */
static int64_t extent_by_access(struct verification *v, int function, const struct datum *datum,
                                const char **missing)
{
    int64_t largest = -1, value = 0;
    alias_list aliases = aliases_of(v, function, datum->name);
    if (is_entered(v, function, &aliases))
        return -1;
    for (size_t i = 0; i < v->program->n_regions * aliases.count; i++) {
        const struct region *region = v->program->regions[i / aliases.count];
        const struct array *array = region_array(v, function, i / aliases.count,
                                                 aliases.at[i % aliases.count]);
        const struct expr *extent = array ? access_extent(v->ctx, region->kernel, array) : NULL;
        const char *unknown = NULL;
        if (extent && value_of(v, extent, &unknown, &value)) {
            value = elements_rounded(value, array->element, datum->type);
            largest = value > largest ? value : largest < 0 ? 0 : largest;
        }
        *missing = unknown ? unknown : *missing;
    }
    return *missing ? -1 : largest;
}

/* Product of declared extents; false if one is open or cannot be computed. */
static bool extent_by_type(struct verification *v, int n_dims, const struct expr *const *dims,
                           int64_t *count)
{
    int64_t extent;
    *count = 1;
    for (int i = 0; i < n_dims; i++)
        if (!dims[i] || !integer_value(v, dims[i], NULL, &extent) || extent < 0 ||
            __builtin_mul_overflow(*count, extent, count))
            return false;
    return n_dims > 0;
}

static bool array_count(struct verification *v, int function, struct datum *datum, int n_dims,
                        const struct expr *const *dims)
{
    const int64_t *given = assignment_find(&v->extents, datum->name);
    const char *missing = NULL;
    if (given) {
        datum->count = *given;
    } else if (!extent_by_type(v, n_dims, dims, &datum->count)) {
        datum->count = extent_by_access(v, function, datum, &missing);
    }
    if (datum->count >= 0 && datum->count < (int64_t)1 << 31) {
        return true;
    }
    if (given || datum->count > 0)
        diag_error(v->ctx, loc_none(), "array %s would have %lld elements; choose smaller values",
                   datum->name, (long long)datum->count);
    else if (missing)
        diag_error(v->ctx, loc_none(),
                   "array %s: its length depends on %s, which no argument gives: --extent %s=COUNT",
                   datum->name, missing, datum->name);
    else
        diag_error(v->ctx, loc_none(),
                   "array %s: neither its type nor the regions tell its length: --extent %s=COUNT",
                   datum->name, datum->name);
    return false;
}

/* Is `name` a parameter of a region of the function that only serves as a value? */
static bool is_value(struct verification *v, int function, const char *name)
{
    for (size_t i = 0; i < v->program->n_regions; i++) {
        const struct region *region = v->program->regions[i];
        const struct param *p = region->function == function ? kernel_param(region->kernel, name)
                                                             : NULL;
        if (p)
            return p->role == ROLE_VALUE;
    }
    return false;
}

static bool plan_scalar(struct verification *v, struct datum *datum, bool may_be_random,
                        struct str *missing)
{
    const struct assignment *given = assignment_get(&v->set, datum->name);
    datum->count = 1;
    bool integer = !type_is_floating(datum->type);
    bool large = datum->type == TYPE_U64 && may_be_random;
    if (integer && !assignment_whole(v->ctx, &v->set, datum->name, large))
        return false;
    if (given) {
        datum->is_given = true;
        datum->lo = given->value;
        datum->real = real_round(datum->type, given->is_real || given->is_large
                                                  ? given->real
                                                  : (double)given->value);
    } else if (!may_be_random) {
        str_addf(missing, "%s%s", missing->length ? ", " : "", datum->name);
    }
    return true;
}

static bool report_missing(struct verification *v, const char *where, const struct str *missing)
{
    if (missing->length)
        diag_error(v->ctx, loc_none(), "%s needs --set for: %s", where, missing->text);
    return missing->length == 0;
}

static bool plan_arguments(struct verification *v, const struct function *f, int function,
                           struct datum *data)
{
    struct str missing = str_new(v->ctx->arena);
    for (int i = 0; i < f->n_arguments; i++) {
        const struct argument *a = &f->arguments[i];
        data[i] = (struct datum){.name = a->name, .type = a->type, .is_array = a->is_array};
        if (!a->is_supported) {
            diag_error(
                v->ctx, loc_none(),
                "%s: argument '%s' is neither a number nor an array of numbers: its data cannot be "
                "made here",
                f->name, a->text);
            return false;
        }
        bool random = type_is_floating(a->type) || is_value(v, function, a->name);
        if (!a->is_array && !plan_scalar(v, &data[i], random, &missing))
            return false;
    }
    return report_missing(v, f->name, &missing);
}

/* The extents of a file-scope array, as a region sees it. */
static bool plan_file_array(struct verification *v, int function, const struct file_array *array,
                            struct datum *datum)
{
    *datum = (struct datum){.name = array->name,
                            .type = array->type,
                            .is_array = true,
                            .is_file_array = !array->is_pointer,
                            .is_file_pointer = array->is_pointer};
    for (size_t i = 0; i < v->program->n_regions; i++) {
        const struct region *region = v->program->regions[i];
        const struct array *a = region->function == function
                                    ? kernel_array(region->kernel, array->name)
                                    : NULL;
        if (a)
            return array_count(v, function, datum, a->n_dims, a->dims);
    }
    return false;
}

/* Arrays that host code exchanges have room for each other, so that a region may meet each under
   the other's name; but an array at file scope has the room that it has, and one whose length
   --extent gives has that. */
static void exchanged_grow(struct verification *v, int function, struct datum *data, int n_data)
{
    for (int i = 0; i < n_data; i++) {
        alias_list aliases = aliases_of(v, function, data[i].name);
        if (!data[i].is_array || data[i].is_file_array ||
            assignment_find(&v->extents, data[i].name))
            continue;
        for (int k = 0; k < n_data; k++) {
            int64_t count = elements_rounded(data[k].count, data[k].type, data[i].type);
            if (data[k].is_array && count > data[i].count && aliases_have(&aliases, data[k].name))
                data[i].count = count;
        }
    }
}

/* Left as it is where --set does not name it. */
static bool plan_file_scalar(struct verification *v, const struct file_scalar *scalar,
                             struct datum *datum)
{
    struct str missing = str_new(v->ctx->arena);
    *datum = (struct datum){.name = scalar->name, .type = scalar->type, .is_file_scalar = true};
    bool good = plan_scalar(v, datum, false, &missing);
    datum->count = datum->is_given;
    return good;
}

bool data_plan(struct verification *v, int function, struct datum **data, int *n_data)
{
    const struct function *f = &v->program->functions[function];
    int n = f->n_arguments;
    size_t at_file_scope = f->n_file_arrays + f->n_file_scalars;
    *data = ARENA_ARRAY(v->ctx->arena, struct datum, n + (int)at_file_scope + 1);
    if (!plan_arguments(v, f, function, *data))
        return false;
    for (int i = 0; i < n; i++)
        if ((*data)[i].is_array &&
            !array_count(v, function, &(*data)[i], f->arguments[i].n_dims, f->arguments[i].dims))
            return false;
    for (size_t i = 0; i < f->n_file_arrays; i++)
        if (!f->file_arrays[i].is_const &&
            !plan_file_array(v, function, &f->file_arrays[i], &(*data)[n++]))
            return false;
    for (size_t i = 0; i < f->n_file_scalars; i++)
        if (!plan_file_scalar(v, &f->file_scalars[i], &(*data)[n++]))
            return false;
    exchanged_grow(v, function, *data, n);
    index_ranges(v, function, *data, n);
    for (int i = 0; i < n; i++)
        (*data)[i].scale = data_scale(v, *data, n);
    *n_data = n;
    return true;
}

/* The value that --set gives for parameter i of the region in place of meta_tunable's; NULL: it
   stays as it is. */
static const int64_t *tunable_given(const struct verification *v, const struct region *region,
                                    int i)
{
    bool is_chosen = region->defaults[i] && region->kernel->params[i]->role == ROLE_TUNABLE &&
                     region->automatic.tunables[i] != CHOOSABLE_NEVER;
    return is_chosen ? assignment_find(&v->set, region->kernel->params[i]->var->name) : NULL;
}

bool tunables_give(const struct verification *v, const struct region *region, union value *params)
{
    bool any = false;
    for (int i = 0; i < region->kernel->n_params; i++) {
        const int64_t *given = tunable_given(v, region, i);
        if (given)
            params[i].integer = *given;
        any |= given != NULL;
    }
    return any;
}

const char *tunables_setting(const struct verification *v, int function)
{
    struct str text = str_new(v->ctx->arena);
    for (size_t r = 0; r < v->program->n_regions; r++) {
        const struct region *region = v->program->regions[r];
        if (region->function != function)
            continue;
        for (int i = 0; i < region->kernel->n_params; i++) {
            const int64_t *given = tunable_given(v, region, i);
            if (given)
                str_addf(&text, "%s%s.%s=%lld", text.length ? "," : "", region->name,
                         region->kernel->params[i]->var->name, (long long)*given);
        }
    }
    return text.text;
}

const char *data_below_least(struct verification *v, const struct region *region,
                             const struct param *p)
{
    const int64_t *given = assignment_find(&v->set, p->var->name);
    if (p->variable < 0 || !p->has_lo || !given || *given >= p->lo)
        return NULL;
    return arena_printf(v->ctx->arena, "region %s needs %s >= %lld, and it is %lld", region->name,
                        p->var->name, (long long)p->lo, (long long)*given);
}

/* xorshift64*: the harness prints the same lines. */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (*state * 2685821657736338717ull) >> 11;
}

static void store_integer(enum type type, void *memory, int64_t i, int64_t value)
{
    switch (type_bytes(type)) {
    case 1: ((int8_t *)memory)[i] = (int8_t)(type == TYPE_BOOL ? value & 1 : value); break;
    case 2: ((int16_t *)memory)[i] = (int16_t)value; break;
    case 4: ((int32_t *)memory)[i] = (int32_t)value; break;
    default: ((int64_t *)memory)[i] = value; break;
    }
}

void data_fill(const struct datum *d, uint64_t *state, void *memory)
{
    int64_t lo = d->has_range ? d->lo : type_is_signed(d->type) ? -VALUE_LIMIT : 0;
    int64_t hi = d->has_range ? d->hi : type_is_signed(d->type) ? VALUE_LIMIT : 2 * VALUE_LIMIT;
    for (int64_t i = 0; i < d->count; i++) {
        uint64_t random = next_random(state);
        double real = d->is_given
                          ? d->real
                          : (double)((int64_t)(random % (2 * REAL_STEPS + 1)) - REAL_STEPS) /
                                REAL_STEPS;
        if (type_is_floating(d->type))
            value_store(d->type, (unsigned char *)memory + i * type_bytes(d->type),
                        (union value){.real = real});
        else
            store_integer(d->type, memory, i,
                          d->is_given ? d->lo : lo + (int64_t)(random % (uint64_t)(hi - lo + 1)));
    }
}

/* Both sides round every operation alike, only library functions may differ, unless sums are taken
   in another order, of whose terms nothing is known here, or products and sums are fused: a fused
   operation leaves out the rounding of its product, which is at most half a unit in the last place
   of the product, and its sum may be rounded the other way, which is as much of the sum. So many
   roundings are allowed for in one value. A half is rounded once more, by one step the other way at
   most. */
enum { CONTRACTED_ROUNDINGS = 1024 };

double data_bound(const struct verification *v, enum type type)
{
    enum type computed = type_promote(type);
    double library = computed == TYPE_F32 ? 1e-5 : 1e-12;
    double half_unit = type_epsilon(computed) / 2;
    double rounded = computed == type ? 0 : type_epsilon(type);
    if (v->tolerance >= 0)
        return v->tolerance;
    library *= v->sums_lie_apart ? 100 : 1;
    return rounded + (v->ctx->contract ? library + CONTRACTED_ROUNDINGS * half_unit : library);
}

/* What is summed may cancel, so that the result is small: where products are fused, the magnitude
   of what the function is given counts too. Where nothing is said data_fill gives 1 at most. */
double data_scale(const struct verification *v, const struct datum *data, int n_data)
{
    double scale = 1;
    for (int i = 0; i < n_data; i++)
        if (type_is_floating(data[i].type) && data[i].is_given && isfinite(data[i].real) &&
            fabs(data[i].real) > scale)
            scale = fabs(data[i].real);
    return v->ctx->contract ? scale : 0;
}

/* Results in a file may lie anywhere. */
double data_element(enum type type, const void *memory, int64_t i)
{
    return value_load(type, (const unsigned char *)memory + i * type_bytes(type)).real;
}

static bool compare_real(struct verification *v, const struct datum *d, const void *got,
                         const void *expected, struct str *text)
{
    double largest = d->scale, difference = 0, bound = data_bound(v, d->type);
    int64_t worst = 0;
    for (int64_t i = 0; i < d->count; i++) {
        double a = data_element(d->type, got, i), b = data_element(d->type, expected, i);
        if (isfinite(b) && fabs(b) > largest)
            largest = fabs(b);
        bool same = a == b || (isnan(a) && isnan(b));
        double distance = same ? 0 : isfinite(a) && isfinite(b) ? fabs(a - b) : INFINITY;
        if (distance > difference) {
            difference = distance;
            worst = i;
        }
    }
    bool equal = difference <= bound * (largest > 0 ? largest : 1);
    if (!equal)
        str_addf(text, "%s[%lld] is %.9g, serial %.9g (bound %.2g of the largest magnitude %.3g)",
                 d->name, (long long)worst, data_element(d->type, got, worst),
                 data_element(d->type, expected, worst), bound, largest);
    else if (difference > 0)
        str_addf(text, " %s: largest difference %.2g, bound %.2g of %.3g;", d->name, difference,
                 bound, largest);
    return equal;
}

bool data_compare(struct verification *v, const struct datum *d, const void *got,
                  const void *expected, struct str *text)
{
    if (type_is_floating(d->type))
        return compare_real(v, d, got, expected, text);
    size_t size = type_bytes(d->type);
    for (int64_t i = 0; i < d->count; i++)
        if (memcmp((const char *)got + (size_t)i * size, (const char *)expected + (size_t)i * size,
                   size) != 0) {
            int64_t a = 0, b = 0;
            memcpy(&a, (const char *)got + (size_t)i * size, size);
            memcpy(&b, (const char *)expected + (size_t)i * size, size);
            str_addf(text, "%s[%lld] is 0x%llx, serial 0x%llx", d->name, (long long)i,
                     (unsigned long long)a, (unsigned long long)b);
            return false;
        }
    return true;
}

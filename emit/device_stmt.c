/* Statements in device text; expressions are device_expr.c's, axes device_axes.c's. */
#include "emit/device.h"
#include "ir/async.h"
#include <string.h>

void device_line(struct device *device)
{
    str_char(device->out, '\n');
    for (int i = 0; i < device->depth; i++)
        str_add(device->out, device->step);
}

void device_block_open(struct device *device)
{
    str_char(device->out, '{');
    device->depth++;
}

void device_block_close(struct device *device)
{
    device->depth--;
    device_line(device);
    str_char(device->out, '}');
}

/* Is it the guard of a band whose loops and threads have one text inside? */
static bool guard_has_forms(const struct device *device, const struct stmt *s)
{
    return s == device->rows.guard && !device->rows.lanes;
}

/* Begins with a line of the preprocessor? */
static bool has_forms(const struct device *device, const struct stmt *s)
{
    return device->rows.band && (s == device->rows.band || guard_has_forms(device, s) ||
                                 device_vectors_find(device, s));
}

static void print_statement(struct device *device, const struct stmt *s)
{
    if (!has_forms(device, s))
        device_line(device);
    device_stmt(device, s);
}

void device_children(struct device *device, const struct stmt *s)
{
    if (!s)
        return;
    if (s->kind != STMT_SEQUENCE)
        print_statement(device, s);
    if (s->kind == STMT_SEQUENCE)
        for (int i = 0; i < s->n_children; i++)
            device_children(device, s->children[i]);
}

static void print_body(struct device *device, const struct stmt *s)
{
    device_block_open(device);
    device_children(device, s);
    device_block_close(device);
}

static void print_band(struct device *device, const struct stmt *s)
{
    struct str *out = device->out;
    if (s == device->rows.band) {
        device_rows_open(device, s);
        device_children(device, s->children[0]);
        device_rows_close(device, s);
        return;
    }
    if (!s->strided) {
        device_block_open(device);
        device_threads(device, s->axes, s->n_axes);
    } else if (s->n_axes == 1 && s->axes[0].var->type == TYPE_I32) {
        const char *name = device_name(device, s->axes[0].var->name);
        str_addf(out, "for (int %s = %s; %s < ", name, device->thread, name);
        device_expr(device, s->axes[0].extent, op_precedence(OP_LT) + 1);
        str_addf(out, "; %s += %s) ", name, device->threads);
        device_block_open(device);
    } else {
        str_addf(out, "for (int %s = %s, %s = ", device->item, device->thread, device->items);
        device_extents(device, s->axes, s->n_axes, "int");
        str_addf(out, "; %s < %s; %s += %s) ", device->item, device->items, device->item,
                 device->threads);
        device_block_open(device);
        device_axes(device, s->axes, s->n_axes, device->item, "int");
    }
    device_children(device, s->children[0]);
    device_block_close(device);
}

static bool is_empty(const struct stmt *s)
{
    return s->kind == STMT_SEQUENCE && s->n_children == 0;
}

void device_condition(struct device *device, const struct expr *condition)
{
    str_add(device->out, "if (");
    device_expr(device, condition, 0);
    str_add(device->out, ") ");
}

static void print_if(struct device *device, const struct stmt *s)
{
    if (device->rows.band && guard_has_forms(device, s)) {
        device_rows_guard(device, s);
        return;
    }
    const struct expr *e = s->value;
    bool negates = is_empty(s->children[0]) && s->children[1] && e->kind == EXPR_BINARY &&
                   op_is_comparison(e->op) && !type_is_floating(e->arguments[0]->type);
    if (negates) {
        device_condition(device, expr_binary(device->arena, op_negate(e->op), e->arguments[0],
                                            e->arguments[1]));
        print_body(device, s->children[1]);
        return;
    }
    device_condition(device, e);
    print_body(device, s->children[0]);
    if (s->n_children > 1 && s->children[1]) {
        str_add(device->out, " else ");
        device->rare += s->rare;
        print_body(device, s->children[1]);
        device->rare -= s->rare;
    }
}

void device_for_head(struct device *device, const struct stmt *s)
{
    struct str *out = device->out;
    const char *name = device_name(device, s->var->name);
    str_addf(out, "for (%s %s = ", device_type(s->var->type), name);
    device_expr(device, s->from, 0);
    str_addf(out, "; %s < ", name);
    device_expr(device, s->to, op_precedence(OP_LT) + 1);
    if (s->step->kind == EXPR_INTEGER && s->step->integer == 1) {
        str_addf(out, "; %s++) ", name);
    } else {
        str_addf(out, "; %s += ", name);
        device_expr(device, s->step, 0);
        str_add(out, ") ");
    }
}

/* Does s accumulate in global memory, but for loops in it? */
static bool accumulates_globally(const struct stmt *s)
{
    if (s->kind == STMT_STORE)
        return s->reduction && s->array->space == SPACE_GLOBAL;
    for (int i = 0; i < s->n_children; i++) {
        const struct stmt *child = s->children[i];
        if (child && child->kind != STMT_FOR && accumulates_globally(child))
            return true;
    }
    return false;
}

/* Threads of the host run the innermost loop around an accumulation in global memory one at a
   time. */
static bool print_alone(struct device *device, const struct stmt *s)
{
    if (!device->is_serial || device->is_alone || !accumulates_globally(s))
        return false;
    str_add(device->out, "tf_alone");
    device_line(device);
    device->is_alone = true;
    return true;
}

static bool uses_private_arrays(const struct device *device, const struct stmt *s)
{
    for (int i = 0; i < device->kernel->n_arrays; i++) {
        const struct array *array = device->kernel->arrays[i];
        if (array->space == SPACE_PRIVATE && stmt_uses_array(s, array))
            return true;
    }
    return false;
}

/* The pragma of a loop whose rounds are to stand one behind the other. Of one that holds a loop of
   the thread it is left out in OpenCL C, where no private array needs it to be in registers: such
   copies gain little, and PoCL 3.1 computes wrong values of some (tests/metafork/chain.c). */
static const char *unroll_pragma(const struct device *device, const struct stmt *s)
{
    const struct dialect *d = device->dialect;
    if (!stmt_has_rolled_loop(s) || uses_private_arrays(device, s))
        return "#pragma unroll";
    return *d->unroll_around
               ? arena_printf(device->arena, "%s%s%s", d->cuda, d->unroll_around, d->end) : "";
}

/* The pragma of a loop, "" if it has none. Copies of one that is seldom reached would only take
   room. */
static const char *loop_pragma(const struct device *device, const struct stmt *s)
{
    const struct dialect *d = device->dialect;
    if (s->unroll)
        return unroll_pragma(device, s);
    if (device->rare)
        return "#pragma unroll 1";
    if (!*d->unroll_groups || stmt_group_copies(s) < 2)
        return "";
    return arena_printf(device->arena, "%s%s%d%s", d->cuda, d->unroll_groups, stmt_group_copies(s),
                        d->end);
}

static void print_for(struct device *device, const struct stmt *s)
{
    bool is_alone = print_alone(device, s);
    const struct vectors *vectors = device_vectors_find(device, s);
    if (vectors)
        device_vectors(device, vectors);
    const char *pragma = loop_pragma(device, s);
    if (*pragma) {
        str_add(device->out, pragma);
        device_line(device);
    }
    device_for_head(device, s);
    print_body(device, s->children[0]);
    device->is_alone &= !is_alone;
}

static void print_while(struct device *device, const struct stmt *s)
{
    str_add(device->out, "while (");
    device_expr(device, s->value, 0);
    str_add(device->out, ") ");
    print_body(device, s->children[0]);
}

/* Is the array read or written by vectors in s? */
static bool has_vectors_of(const struct stmt *s, const struct array *array)
{
    if (s->kind == STMT_STORE && s->width && (s->array == array || vector_source(s) == array))
        return true;
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i] && has_vectors_of(s->children[i], array))
            return true;
    return false;
}

static void print_private(struct device *device, const struct array *array)
{
    bool is_aligned = has_vectors_of(device->batches.kernel->body, array);
    str_addf(device->out, "%s%s %s", is_aligned ? device->dialect->aligned : "",
             device_type(array->element), device_name(device, array->name));
    device->constant = !device->is_serial;
    for (int d = 0; d < array->n_dims; d++) {
        str_char(device->out, '[');
        device_expr(device, array->dims[d], 0);
        str_char(device->out, ']');
    }
    device->constant = false;
    str_char(device->out, ';');
}

/* The value of a store or assignment is converted to the type of its place; _Bool needs its
   own conversion. */
static void print_value(struct device *device, enum type type, const struct expr *value)
{
    if (type == TYPE_BOOL && value->type != TYPE_BOOL) {
        device_expr(device, value, op_precedence(OP_NE) + 1);
        str_add(device->out, " != 0;");
        return;
    }
    device_expr(device, value, 0);
    str_char(device->out, ';');
}

/* 16 bytes; both languages name their vectors so. */
static const char *const VECTORS[TYPE_COUNT] =
    {[TYPE_I32] = "int4",   [TYPE_U32] = "uint4",  [TYPE_I64] = "long2",
     [TYPE_U64] = "ulong2", [TYPE_F32] = "float4", [TYPE_F64] = "double2"};

/* "(__local float4 *)" */
static void print_vector_type(struct device *device, const char *qualifier,
                              const struct array *array)
{
    const struct dialect *d = device->dialect;
    const char *const spaces[] = {
        [SPACE_GLOBAL] = d->global, [SPACE_SHARED] = d->shared, [SPACE_PRIVATE] = ""};
    const char *space = spaces[array->space];
    str_addf(device->out, "(%s%s%s *)", space, qualifier, VECTORS[array->element]);
}

/* "*(__local float4 *)&a[4 * i]" */
static void print_vector_element(struct device *device, const char *qualifier,
                                 const struct array *array, const struct expr *const *indices)
{
    str_char(device->out, '*');
    print_vector_type(device, qualifier, array);
    str_char(device->out, '&');
    device_element(device, array, indices);
}

/* "((float4 *)a)[(unsigned int)(4 * i) / 4]": nvcc makes four stores of what a pointer to elements
   leads to. */
static void print_vector_of(struct device *device, const struct array *array,
                            const struct expr *const *indices)
{
    str_char(device->out, '(');
    print_vector_type(device, "", array);
    str_addf(device->out, "%s)[(unsigned int)(", device_name(device, array->name));
    device_flat(device, array, indices);
    str_addf(device->out, ") / %d]", type_vector_width(array->element));
}

static void print_vector_target(struct device *device, const struct stmt *s)
{
    if (s->array->space == SPACE_SHARED)
        print_vector_of(device, s->array, s->indices);
    else
        print_vector_element(device, "", s->array, s->indices);
    str_add(device->out, " = ");
}

/* OpenCL alone prints guarded ones: elsewhere they are macros. */
static void print_copy(struct device *device, const struct stmt *s)
{
    const struct expr *condition, *load = async_load(s->value, &condition);
    if (condition) {
        str_add(device->out, "if (!(");
        device_expr(device, condition, 0);
        str_add(device->out, ")) ");
        print_vector_target(device, s);
        str_addf(device->out, "(%s)(0); else ", VECTORS[s->array->element]);
    }
    print_vector_target(device, s);
    print_vector_element(device, "const ", load->array, load->arguments);
    str_char(device->out, ';');
}

static void print_store(struct device *device, const struct stmt *s)
{
    device_element(device, s->array, s->indices);
    str_add(device->out, " = ");
    print_value(device, s->array->element, s->value);
}

/* "TREEFORK_COPY(4, tile[i], a[i], i < n)": a macro of dialect.def; a vector's begins with its
   type in place of its bytes. */
static void print_async(struct device *device, const struct stmt *s)
{
    const struct expr *condition, *load = async_load(s->value, &condition);
    if (s->width) {
        str_addf(device->out, "TREEFORK_COPY_VECTOR(%s, ", VECTORS[s->array->element]);
        print_vector_of(device, s->array, s->indices);
        str_add(device->out, ", ");
        print_vector_element(device, "const ", load->array, load->arguments);
    } else {
        str_addf(device->out, "TREEFORK_COPY(%u, ", type_bytes(s->array->element));
        device_element(device, s->array, s->indices);
        str_add(device->out, ", ");
        device_element(device, load->array, load->arguments);
    }
    str_add(device->out, ", ");
    if (condition)
        device_expr(device, condition, 0);
    else
        str_char(device->out, '1');
    str_add(device->out, ");");
}

/* An accumulating store, by the language's atomic function. */
static void print_accumulation(struct device *device, const struct stmt *s)
{
    const struct dialect *d = device->dialect;
    bool is_alone = print_alone(device, s);
    const char *const functions[REDUCE_COUNT] = {
        [REDUCE_ADD] = d->atomic_add, [REDUCE_AND] = d->atomic_and,
        [REDUCE_OR] = d->atomic_or,   [REDUCE_XOR] = d->atomic_xor,
        [REDUCE_MIN] = d->atomic_min, [REDUCE_MAX] = d->atomic_max};
    str_addf(device->out, "%s(&", functions[s->reduction]);
    device_element(device, s->array, s->indices);
    str_add(device->out, ", ");
    device_expr(device, s->value, 0);
    str_add(device->out, ");");
    device->is_alone &= !is_alone;
}

static void print_any_store(struct device *device, const struct stmt *s)
{
    bool is_async = s->async && *device->dialect->copies;
    if (s->reduction)
        print_accumulation(device, s);
    else if (is_async)
        print_async(device, s);
    else if (s->width)
        print_copy(device, s);
    else
        print_store(device, s);
}

static void print_barrier(struct device *device, const struct stmt *s)
{
    if (s->waits && *device->dialect->copies)
        str_addf(device->out, "TREEFORK_PENDING(%d);", s->pending);
    else
        str_addf(device->out, "%s;", device->dialect->barrier);
}

void device_stmt(struct device *device, const struct stmt *s)
{
    struct str *out = device->out;
    unsigned around = device_origin_begin(device, s);
    switch (s->kind) {
    case STMT_SEQUENCE: print_body(device, s); break;
    case STMT_LET:
        str_addf(out, "%s %s", device_type(s->var->type), device_name(device, s->var->name));
        str_add(out, s->value ? " = " : ";");
        if (s->value)
            print_value(device, s->var->type, s->value);
        break;
    case STMT_SET:
        str_addf(out, "%s = ", device_name(device, s->var->name));
        print_value(device, s->var->type, s->value);
        break;
    case STMT_ARRAY: print_private(device, s->array); break;
    case STMT_STORE: print_any_store(device, s); break;
    case STMT_IF: print_if(device, s); break;
    case STMT_FOR: print_for(device, s); break;
    case STMT_WHILE: print_while(device, s); break;
    case STMT_BAND: print_band(device, s); break;
    case STMT_BARRIER: print_barrier(device, s); break;
    case STMT_LAST: break;
    }
    device_origin_end(device, around);
}

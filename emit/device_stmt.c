/* Statements and kernels in device text. In: a kernel. Out: an entry function.

   Arguments: the parameters, the global arrays, and in OpenCL C the dynamic local memory, last,
   where the kernel stages anything. A parameter that a launch may bind is called any_NAME in the
   list and NAME in the body, where it is TREEFORK_BIND_NAME if that macro is defined. Where
   TREEFORK_PLANE is defined, the grid is launched as a plane: a block for every point, the last
   axis along a row, all others together across, and the threads of plain bands likewise; so no
   axis of two is found by division, and no extent is asked for. Else the body is a loop over the
   linear number of the block, so that every grid covers the space; the axes are recovered by
   division, the last one fastest. A plain band is one thread per point; a strided one is a loop
   over points that starts at the thread's number. Where TREEFORK_ROWS is defined, the threads of
   some kernels are loops of one thread (emit/rows.c).
   Invariant: barriers are printed at block level only, where control flow is uniform. The block
   loop is ours, and its rounds follow each other without a barrier of its own: a kernel that leaves
   tiles in use at the end of its body has one there. A barrier that ends the body of a loop is
   printed at its head instead, and once more behind the loop: the same order of accesses, and PoCL
   3.1 miscompiles a barrier at the end of a body behind conditional loads
   (tests/programs/separable.c). Of two barriers with no access between them one is printed
   (ir/barriers.c). The host makes sure that all extents are positive (else nothing is launched) and
   that the points of a strided band fit in int. */
#include "emit/device.h"
#include "ir/barriers.h"
#include <string.h>

void device_line(struct device *device)
{
    str_char(device->out, '\n');
    for (int i = 0; i < device->depth; i++)
        str_add(device->out, device->step);
}

static void open_block(struct device *device)
{
    str_char(device->out, '{');
    device->depth++;
}

static void close_block(struct device *device)
{
    device->depth--;
    device_line(device);
    str_char(device->out, '}');
}

/* Begins with a line of the preprocessor? */
static bool has_forms(const struct device *device, const struct stmt *s)
{
    return device->rows.band && (s == device->rows.band || s == device->rows.guard);
}

static void print_statement(struct device *device, const struct stmt *s)
{
    if (!has_forms(device, s))
        device_line(device);
    device_stmt(device, s);
}

static void print_children(struct device *device, const struct stmt *s)
{
    if (!s)
        return;
    if (s->kind != STMT_SEQUENCE)
        print_statement(device, s);
    if (s->kind == STMT_SEQUENCE)
        for (int i = 0; i < s->n_children; i++)
            print_children(device, s->children[i]);
}

static void print_body(struct device *device, const struct stmt *s)
{
    open_block(device);
    print_children(device, s);
    close_block(device);
}

/* `const int name = …` for an axis whose value is the text so far. */
static void axis_begin(struct device *device, const struct var *var)
{
    device_line(device);
    str_addf(device->out, "const %s %s = ", device_type(var->type), device_name(device, var->name));
}

/* Recovers the axes from `number` (of type `wide`), the last axis fastest. */
static void print_axes(struct device *device, const struct axis *axes, int n, const char *number,
                       const char *wide)
{
    struct str *out = device->out;
    if (n > 1) {
        device_line(device);
        str_addf(out, "%s %s = %s;", wide, device->rest, number);
        number = device->rest;
    }
    for (int i = n - 1; i >= 0; i--) {
        const struct var *var = axes[i].var;
        bool cast = strcmp(device_type(var->type), wide) != 0;
        axis_begin(device, var);
        if (cast)
            str_addf(out, "(%s)", device_type(var->type));
        if (i == 0) {
            str_addf(out, "%s;", number);
            break;
        }
        str_addf(out, "%s%s %% ", cast ? "(" : "", number);
        device_expr(device, axes[i].extent, op_precedence(OP_MUL) + 1);
        str_add(out, cast ? ");" : ";");
        device_line(device);
        str_addf(out, "%s /= ", number);
        device_expr(device, axes[i].extent, 0);
        str_char(out, ';');
    }
}

static void print_extents(struct device *device, const struct axis *axes, int n, const char *wide)
{
    if (n == 0)
        str_char(device->out, '1');
    for (int i = 0; i < n; i++) {
        bool cast = i == 0 && strcmp(device_type(axes[i].extent->type), wide) != 0;
        str_add(device->out, i ? " * " : "");
        int binding = n == 1 ? 0 : op_precedence(OP_MUL) + 1;
        if (cast) {
            str_addf(device->out, "(%s)", wide);
            binding = op_precedence(OP_NEG);
        }
        device_expr(device, axes[i].extent, binding);
    }
}

/* Do threads stand in rows where the launch is a plane? The compiler sees then that neighbours
   touch neighbouring elements. */
static bool has_rows(const struct device *device)
{
    return device->kernel->n_block > 1 && !kernel_all_strided(device->kernel);
}

/* The axes of a plain band from the thread. */
static void print_threads(struct device *device, const struct axis *axes, int n)
{
    if (!has_rows(device)) {
        print_axes(device, axes, n, device->thread, "int");
        return;
    }
    print_axes(device, axes, n - 1, device->row, "int");
    print_axes(device, axes + n - 1, 1, device->column, "int");
}

static void print_bound(struct device *device, const char *name, const struct expr *bound)
{
    str_addf(device->out, "const long %s = ", name);
    device_expr(device, bound, 0);
    str_char(device->out, ';');
    device_line(device);
}

/* Both forms of the head of a band whose threads may be loops; closed by rows_close. */
static void rows_open(struct device *device, const struct stmt *s)
{
    struct str *out = device->out;
    int n = s->n_axes - 1, depth = device->depth;
    const char *column = device_name(device, s->axes[n].var->name);
    str_add(out, "\n#ifdef TREEFORK_ROWS");
    device_line(device);
    if (n > 0) {
        str_addf(out, "for (int %s = 0; %s < ", device->row, device->row);
        print_extents(device, s->axes, n, "int");
        str_addf(out, "; %s++) ", device->row);
        open_block(device);
        print_axes(device, s->axes, n, device->row, "int");
        device_line(device);
    }
    print_bound(device, device->from, device->rows.from);
    print_bound(device, device->to, device->rows.to);
    str_addf(out, "for (int %s = (int)(%s < %s ? %s : %s); %s < %s; %s++) ", column, device->from,
             device->to, device->from, device->to, column, device->to, column);
    open_block(device);
    str_add(out, "\n#else");
    device->depth = depth;
    device_line(device);
    open_block(device);
    print_threads(device, s->axes, s->n_axes);
    if (n > 0) {
        device_line(device);
        open_block(device);
    }
    str_add(out, "\n#endif");
}

static void rows_close(struct device *device, const struct stmt *s)
{
    close_block(device);
    if (s->n_axes > 1)
        close_block(device);
}

static void print_band(struct device *device, const struct stmt *s)
{
    struct str *out = device->out;
    if (s == device->rows.band) {
        rows_open(device, s);
        print_children(device, s->children[0]);
        rows_close(device, s);
        return;
    }
    if (!s->strided) {
        open_block(device);
        print_threads(device, s->axes, s->n_axes);
    } else if (s->n_axes == 1 && s->axes[0].var->type == TYPE_I32) {
        const char *name = device_name(device, s->axes[0].var->name);
        str_addf(out, "for (int %s = %s; %s < ", name, device->thread, name);
        device_expr(device, s->axes[0].extent, op_precedence(OP_LT) + 1);
        str_addf(out, "; %s += %s) ", name, device->threads);
        open_block(device);
    } else {
        str_addf(out, "for (int %s = %s, %s = ", device->item, device->thread, device->items);
        print_extents(device, s->axes, s->n_axes, "int");
        str_addf(out, "; %s < %s; %s += %s) ", device->item, device->items, device->item,
                 device->threads);
        open_block(device);
        print_axes(device, s->axes, s->n_axes, device->item, "int");
    }
    print_children(device, s->children[0]);
    close_block(device);
}

static bool is_empty(const struct stmt *s)
{
    return s->kind == STMT_SEQUENCE && s->n_children == 0;
}

static void print_condition(struct device *device, const struct expr *condition)
{
    str_add(device->out, "if (");
    device_expr(device, condition, 0);
    str_add(device->out, ") ");
}

/* The guard of threads that may be loops: the loops ask only for what their bounds do not. */
static void print_guard(struct device *device, const struct stmt *s)
{
    str_add(device->out, "\n#ifdef TREEFORK_ROWS");
    device_line(device);
    if (device->rows.left)
        print_condition(device, device->rows.left);
    str_add(device->out, "{\n#else");
    device_line(device);
    print_condition(device, s->value);
    open_block(device);
    str_add(device->out, "\n#endif");
    print_children(device, s->children[0]);
    close_block(device);
}

static void print_if(struct device *device, const struct stmt *s)
{
    if (s == device->rows.guard) {
        print_guard(device, s);
        return;
    }
    const struct expr *e = s->value;
    bool negates = is_empty(s->children[0]) && s->children[1] && e->kind == EXPR_BINARY &&
                   op_is_comparison(e->op) && !type_is_floating(e->arguments[0]->type);
    if (negates) {
        print_condition(device, expr_binary(device->arena, op_negate(e->op), e->arguments[0],
                                            e->arguments[1]));
        print_body(device, s->children[1]);
        return;
    }
    print_condition(device, e);
    print_body(device, s->children[0]);
    if (s->n_children > 1 && s->children[1]) {
        str_add(device->out, " else ");
        device->rare += s->rare;
        print_body(device, s->children[1]);
        device->rare -= s->rare;
    }
}

/* Copies of a loop that is seldom reached would only take room. */
static void print_for(struct device *device, const struct stmt *s)
{
    struct str *out = device->out;
    const char *name = device_name(device, s->var->name);
    if (s->unroll || device->rare) {
        str_add(out, s->unroll ? "#pragma unroll" : "#pragma unroll 1");
        device_line(device);
    } else if (*device->dialect->unroll_groups && stmt_group_copies(s) > 1) {
        str_addf(out, "%s%d", device->dialect->unroll_groups, stmt_group_copies(s));
        device_line(device);
    }
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
    print_body(device, s->children[0]);
}

/* Is the array read or written by vectors in s? */
static bool has_vectors_of(const struct stmt *s, const struct array *array)
{
    if (s->kind == STMT_STORE && s->width && (s->array == array || s->value->array == array))
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
    device->constant = true;
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

/* "*(__local float4 *)&a[4 * i]": 16 bytes at an element; both languages name their vectors so. */
static void print_vector_element(struct device *device, const char *qualifier,
                                 const struct array *array, const struct expr *const *indices)
{
    static const char *const VECTORS[TYPE_COUNT] =
        {[TYPE_I32] = "int4",   [TYPE_U32] = "uint4",  [TYPE_I64] = "long2",
         [TYPE_U64] = "ulong2", [TYPE_F32] = "float4", [TYPE_F64] = "double2"};
    const struct dialect *d = device->dialect;
    const char *const spaces[] = {
        [SPACE_GLOBAL] = d->global, [SPACE_SHARED] = d->shared, [SPACE_PRIVATE] = ""};
    const char *space = spaces[array->space];
    str_addf(device->out, "*(%s%s%s *)&", space, qualifier, VECTORS[array->element]);
    device_element(device, array, indices);
}

static void print_copy(struct device *device, const struct stmt *s)
{
    print_vector_element(device, "", s->array, s->indices);
    str_add(device->out, " = ");
    print_vector_element(device, "const ", s->value->array, s->value->arguments);
    str_char(device->out, ';');
}

static void print_store(struct device *device, const struct stmt *s)
{
    device_element(device, s->array, s->indices);
    str_add(device->out, " = ");
    print_value(device, s->array->element, s->value);
}

void device_stmt(struct device *device, const struct stmt *s)
{
    struct str *out = device->out;
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
    case STMT_STORE: s->width ? print_copy(device, s) : print_store(device, s); break;
    case STMT_IF: print_if(device, s); break;
    case STMT_FOR: print_for(device, s); break;
    case STMT_BAND: print_band(device, s); break;
    case STMT_BARRIER: str_addf(out, "%s;", device->dialect->barrier); break;
    }
}

static void print_parameters(struct device *device)
{
    struct str *out = device->out;
    const struct kernel *k = device->kernel;
    const struct dialect *d = device->dialect;
    const char *comma = "";
    for (int i = 0; i < k->n_params; i++, comma = ", ")
        str_addf(out, "%s%s %s", comma, device_type(k->params[i]->var->type),
                 device_argument(device, k->params[i]));
    for (int i = 0; i < k->n_arrays; i++) {
        const struct array *a = k->arrays[i];
        if (a->space != SPACE_GLOBAL)
            continue;
        bool is_const = a->is_const || !stmt_stores_to(k->body, a);
        bool is_restrict = a->is_restrict || kernel_array_is_restrict(k, a);
        str_addf(out, "%s%s%s%s *%s%s%s", comma, d->global, is_const ? "const " : "",
                 device_type(a->element), is_restrict ? d->restricted : "",
                 is_restrict ? " " : "", device_name(device, a->name));
        comma = ", ";
    }
    if (device_uses_shared(k) && *d->shared_parameter)
        str_addf(out, "%s%s%s", comma, d->shared_parameter, device->shared);
}

/* "const int s = VALUE;" */
static void print_constant(struct device *device, const struct var *var, const char *value)
{
    device_line(device);
    str_addf(device->out, "const %s %s = %s;", device_type(var->type),
             device_name(device, var->name), value);
}

/* The parameters that may be bound, as constants of the body. */
static void print_bindings(struct device *device)
{
    struct str *out = device->out;
    const struct kernel *k = device->kernel;
    for (int i = 0; i < k->n_params; i++) {
        const struct var *var = k->params[i]->var;
        const char *macro = arena_printf(device->arena, "TREEFORK_BIND_%s", var->name);
        if (!device_binds(k, k->params[i]))
            continue;
        str_addf(out, "\n#ifdef %s", macro);
        print_constant(device, var, macro);
        str_add(out, "\n#else");
        if (device_must_bind(k, k->params[i]))
            str_addf(out,
                     "\n#error \"%s: %s sizes a private array: compile with -D%s=<its value>\"",
                     k->name, var->name, macro);
        print_constant(device, var, device_argument(device, k->params[i]));
        str_add(out, "\n#endif");
    }
}

static void print_shared(struct device *device)
{
    struct str *out = device->out;
    const struct kernel *k = device->kernel;
    const struct dialect *d = device->dialect;
    if (*d->shared_declaration) {
        device_line(device);
        str_addf(out, "%s%s[];", d->shared_declaration, device->shared);
    }
    for (int i = 0; i < k->n_arrays; i++) {
        const struct array *a = k->arrays[i];
        if (a->space != SPACE_SHARED)
            continue;
        device_line(device);
        str_addf(out, "%s%s *const %s = (%s%s *)((%s *)%s", d->shared, device_type(a->element),
                 device_name(device, a->name), d->shared, device_type(a->element), d->shared_byte,
                 device->shared);
        if (a->offset && !(a->offset->kind == EXPR_INTEGER && a->offset->integer == 0)) {
            str_add(out, " + ");
            device_expr(device, a->offset, op_precedence(OP_ADD) + 1);
        }
        str_add(out, ");");
    }
}

/* The body that is printed: the kernel's, with barriers at heads of loops, none of them twice. */
static const struct stmt *device_body(const struct device *device)
{
    const struct stmt *body = barriers_to_heads(device->arena, device->batches.kernel->body);
    return barriers_drop_doubled(device->arena, body);
}

/* "const int NAME = (int)VALUE;" */
static void print_number(struct device *device, const char *name, const char *value)
{
    device_line(device);
    str_addf(device->out, "const int %s = (int)%s;", name, value);
}

static bool has_strided_band(const struct stmt *s)
{
    if (s->kind == STMT_BAND && s->strided)
        return true;
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i] && has_strided_band(s->children[i]))
            return true;
    return false;
}

/* Does what is printed deal out points by this number of batches, or in strided bands? */
static bool deals_by(const struct device *device, const struct var *number)
{
    const struct batches *batches = &device->batches;
    bool in_batches = batches->begin && (stmt_uses_var(batches->begin, number) ||
                                         stmt_uses_var(batches->kernel->body, number));
    return in_batches || has_strided_band(batches->kernel->body);
}

/* The numbers of the thread that the body uses: column and row where threads stand in plain bands,
   one number where they deal out points. */
static void print_thread(struct device *device)
{
    struct str *out = device->out;
    const struct kernel *k = device->kernel;
    const struct dialect *d = device->dialect;
    const char *number = d->thread_number, *count = d->thread_count;
    if (has_rows(device)) {
        str_add(out, "\n#ifdef TREEFORK_PLANE");
        print_number(device, device->column, d->thread_number);
        print_number(device, device->row, d->thread_row);
        str_add(out, "\n#else");
        for (int i = 0; i < 2; i++) {
            device_line(device);
            str_addf(out, "const int %s = (int)%s %s ", i ? device->row : device->column,
                     d->thread_number, i ? "/" : "%");
            device_expr(device, k->block[k->n_block - 1].extent, op_precedence(OP_MUL) + 1);
            str_char(out, ';');
        }
        str_add(out, "\n#endif");
        number = arena_printf(device->arena, "(%s * %s + %s)", d->thread_row, d->thread_count,
                              d->thread_number);
        count = arena_printf(device->arena, "(%s * %s)", d->thread_count, d->thread_rows);
    }
    if (deals_by(device, device->batches.thread) || !has_rows(device))
        print_number(device, device->thread, number);
    if (deals_by(device, device->batches.threads))
        print_number(device, device->threads, count);
}

/* The one point of the block in a plane. It needs no loop: compilers of CPU devices run the threads
   of a block as a loop, and vectorise it where no other loop stands around its body. */
static void print_plane(struct device *device)
{
    const struct kernel *k = device->kernel;
    int last = k->n_grid - 1;
    device_line(device);
    open_block(device);
    if (last > 0)
        print_axes(device, k->grid, last, device->dialect->block_row, "long");
    print_axes(device, k->grid + last, 1, device->dialect->block_number, "long");
}

/* The loop over the points that the block has in a line. */
static void print_line(struct device *device)
{
    struct str *out = device->out;
    const struct kernel *k = device->kernel;
    device_line(device);
    str_addf(out, "const long %s = ", device->blocks);
    print_extents(device, k->grid, k->n_grid, "long");
    str_char(out, ';');
    device_line(device);
    str_addf(out, "for (long %s = (long)%s; %s < %s; %s += (long)%s) ", device->block,
             device->dialect->block_number, device->block, device->blocks, device->block,
             device->dialect->block_count);
    open_block(device);
    print_axes(device, k->grid, k->n_grid, device->block, "long");
}

/* The points of the grid that are the block's, open, with the axes defined. */
static void print_grid(struct device *device)
{
    int depth = device->depth;
    if (device->kernel->n_grid == 0) {
        print_line(device);
        return;
    }
    str_add(device->out, "\n#ifdef TREEFORK_PLANE");
    print_plane(device);
    str_add(device->out, "\n#else");
    device->depth = depth;
    print_line(device);
    str_add(device->out, "\n#endif");
}

void device_kernel(struct device *device, const char *entry)
{
    struct str *out = device->out;
    device->batches = batches_expand(device->arena, device->kernel, false);
    device_names(device);
    const struct stmt *body = device_body(device);
    if (*device->dialect->one_thread)
        device->rows = rows_find(device->arena, device->kernel, body);
    if (device->rows.band)
        str_addf(out, "#ifdef TREEFORK_ROWS\n%s\n#endif\n", device->dialect->one_thread);
    device->depth = 1;
    str_addf(out, "%s %s(", device->dialect->entry, entry);
    print_parameters(device);
    str_add(out, ")\n{");
    print_bindings(device);
    if (device_uses_shared(device->kernel))
        print_shared(device);
    print_thread(device);
    print_children(device, device->batches.begin);
    print_grid(device);
    print_children(device, body);
    close_block(device);
    str_add(out, "\n}\n");
}

/* Kernels in device text. In: a kernel. Out: an entry function.

   Arguments: the parameters, the global arrays, in the text that the runtime compiles the two of a
   part (TREEFORK_PART: the block's place in the plane is that of the part plus its own; in OpenCL C
   an argument for each array says how many bytes of it lie before its memory), and in
   OpenCL C the dynamic local memory, last, where the kernel stages anything. A parameter that a
   launch may bind is called any_NAME in the list and NAME in the body, where it is
   TREEFORK_BIND_NAME if that macro is defined. Where TREEFORK_PLANE is defined, the grid is
   launched as a plane: a block for every point, the last axis along a row, all others together
   across, and the threads of plain bands likewise; so no axis of two is found by division, and no
   extent is asked for. Else the body is a loop over the
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
#include "emit/blocks.h"
#include "emit/device.h"
#include "ir/own.h"
#include "ir/barriers.h"

/* "const float", the elements of a global array. */
static const char *pointed_text(struct device *device, const struct array *a)
{
    bool is_const = a->is_const || !stmt_stores_to(device->kernel->body, a);
    return arena_printf(device->arena, "%s%s", is_const ? "const " : "", device_type(a->element));
}

static bool has_part_form(const struct device *device)
{
    return device->kernel->n_grid > 0 && *device->dialect->part_parameters &&
           !body_last(device->kernel->body);
}

/* The arguments of a part. */
static void print_part_parameters(struct device *device)
{
    const struct kernel *k = device->kernel;
    str_addf(device->out, " %s", device->dialect->part_parameters);
    for (int i = 0; i < k->n_arrays; i++)
        if (k->arrays[i]->space == SPACE_GLOBAL)
            str_addf(device->out, " %s%s)", device->dialect->part_from,
                     device_name(device, k->arrays[i]->name));
}

/* An array whose memory is a window begins as far before it as its argument says. */
static void print_windows(struct device *device)
{
    const struct kernel *k = device->kernel;
    for (int i = 0; i < k->n_arrays; i++) {
        if (k->arrays[i]->space != SPACE_GLOBAL)
            continue;
        device_line(device);
        str_addf(device->out, "%s%s, %s)", device->dialect->part_window,
                 pointed_text(device, k->arrays[i]), device_name(device, k->arrays[i]->name));
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
        bool is_restrict =
            kernel_array_is_restrict(k, a) || (a->is_restrict && !body_last(k->body));
        str_addf(out, "%s%s%s *%s%s%s", comma, d->global, pointed_text(device, a),
                 is_restrict ? d->restricted : "", is_restrict ? " " : "",
                 device_name(device, a->name));
        comma = ", ";
    }
    if (has_part_form(device))
        print_part_parameters(device);
    if (body_last(k->body))
        str_addf(out, "%s%s%s", comma, d->counter, device->counter);
    if (device_uses_shared(k) && *d->shared_parameter)
        str_addf(out, "%s%s%s%s%s", d->opencl, comma, d->shared_parameter, device->shared, d->end);
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
        if (device->is_serial) {
            const char *value = device->values ? device->values[i] : NULL;
            print_constant(device, var, value ? value : device_argument(device, k->params[i]));
            continue;
        }
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
        if (*d->cuda)
            str_add(out, d->cuda);
        else
            device_line(device);
        str_addf(out, "%s%s[];%s", d->shared_declaration, device->shared, d->end);
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
static const struct stmt *device_body(const struct device *device, const struct stmt *body)
{
    return barriers_drop_doubled(device->arena, barriers_to_heads(device->arena, body));
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
    if (device_has_rows(device)) {
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
    if (deals_by(device, device->batches.thread) || !device_has_rows(device))
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
    device_block_open(device);
    if (last > 0)
        device_axes(device, k->grid, last, device->dialect->block_row, "long");
    device_axes(device, k->grid + last, 1, device->dialect->block_number, "long");
}

/* The loop over the points that the block has in a line. */
static void print_line(struct device *device)
{
    struct str *out = device->out;
    const struct kernel *k = device->kernel;
    device_line(device);
    str_addf(out, "const long %s = ", device->blocks);
    device_extents(device, k->grid, k->n_grid, "long");
    str_char(out, ';');
    device_line(device);
    str_addf(out, "for (long %s = (long)%s; %s < %s; %s += (long)%s) ", device->block,
             device->dialect->block_number, device->block, device->blocks, device->block,
             device->dialect->block_count);
    device_block_open(device);
    device_axes(device, k->grid, k->n_grid, device->block, "long");
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

/* Where a compiler is asked for threads as loops, and knows what sizes their arrays. */
static void print_rows_condition(struct device *device)
{
    const struct thread_rows *rows = &device->rows;
    str_add(device->out, rows->n_bound ? "#if defined TREEFORK_ROWS" : "#ifdef TREEFORK_ROWS");
    for (int i = 0; i < rows->n_bound; i++)
        str_addf(device->out, " && defined TREEFORK_BIND_%s", rows->bound[i]->name);
}

/* The body, and a block of one thread as another form of it. */
static void print_bodies(struct device *device, const struct stmt *body)
{
    if (device->rows.block) {
        str_char(device->out, '\n');
        print_rows_condition(device);
        device_children(device, device->rows.block);
        str_add(device->out, "\n#else");
    }
    device_children(device, body);
    if (device->rows.block)
        str_add(device->out, "\n#endif");
}

/* The statements of the last block, behind the question whether this is the one. */
static void print_last(struct device *device, const struct stmt *last)
{
    struct str *out = device->out;
    if (!last)
        return;
    device_line(device);
    str_addf(out, "if (tf_is_last(%s, (int *)%s)) ", device->counter, device->shared);
    device_block_open(device);
    device_children(device, device_body(device, last->children[0]));
    device_block_close(device);
}

void device_kernel(struct device *device, const char *entry)
{
    struct str *out = device->out;
    device->batches = batches_expand(device->arena, device->kernel,
                                     (struct batch_options){0});
    const struct stmt *all = device->batches.kernel->body,
                      *body = device_body(device, body_without_last(device->arena, all));
    if (*device->dialect->one_thread && !body_last(all))
        device->rows = rows_find(device->arena, device->kernel, body);
    device_names(device);
    if (device->rows.band || device->rows.block) {
        print_rows_condition(device);
        str_addf(out, "\n%s\n#endif\n", device->dialect->one_thread);
    }
    device->depth = 1;
    str_addf(out, "%s %s(", device->dialect->entry, entry);
    print_parameters(device);
    str_add(out, ")\n{");
    if (has_part_form(device))
        print_windows(device);
    print_bindings(device);
    if (device_uses_shared(device->kernel))
        print_shared(device);
    print_thread(device);
    device_children(device, device->batches.begin);
    print_grid(device);
    print_bodies(device, body);
    device_block_close(device);
    print_last(device, body_last(all));
    str_add(out, "\n}\n");
}

/* The block's shared arrays, which lie in the memory of the thread that runs the block. */
static void print_shared_serial(struct device *device)
{
    struct str bytes = str_new(device->arena);
    struct device of_bytes = *device;
    const char *shared = device->shared;
    of_bytes.out = &bytes;
    device_expr(&of_bytes, device->kernel->shared_bytes, 0);
    device->shared = arena_printf(device->arena, "tf_own(%s, %s)", shared, bytes.text);
    print_shared(device);
    device->shared = shared;
}

/* A function of C that runs one block; its last argument is the block's number. */
static void print_serial_block(struct device *device, const char *entry, const struct stmt *body)
{
    struct str *out = device->out;
    const struct kernel *k = device->kernel;
    str_addf(out, "%s %s_block(", device->dialect->entry, entry);
    print_parameters(device);
    str_addf(out, ", long %s)\n{", device->block);
    print_bindings(device);
    if (device_uses_shared(k))
        print_shared_serial(device);
    device_axes(device, k->grid, k->n_grid, device->block, "long");
    device_children(device, body);
    str_add(out, "\n}\n");
}

/* The loop of calls of that function for all blocks. */
static void print_serial_loop(struct device *device, const char *entry, const char *step)
{
    struct str *out = device->out;
    const struct kernel *k = device->kernel;
    str_addf(out, "%sfor (long %s = 0; %s < %s; %s++)\n", step, device->block, device->block,
             device->blocks, device->block);
    str_addf(out, "%s    %s_block(", step, entry);
    for (int i = 0; i < k->n_params; i++)
        str_addf(out, "%s, ", device_argument(device, k->params[i]));
    for (int i = 0; i < k->n_arrays; i++)
        if (k->arrays[i]->space == SPACE_GLOBAL)
            str_addf(out, "%s, ", device_name(device, k->arrays[i]->name));
    if (device_uses_shared(k))
        str_addf(out, "%s, ", device->shared);
    str_addf(out, "%s);\n", device->block);
}

/* Columns that a thread of the host sums at once: it goes along rows then, and their sums lie in
   its first-level cache. */
enum { COLUMNS_MOST = 4096 };

bool device_serial_block(struct device *device, const char *entry)
{
    const struct kernel *k = device->kernel;
    const struct stmt *body =
        kernel_column_sums(device->arena, k) ? rows_in_step(device->arena, k, COLUMNS_MOST) : NULL;
    body = body ? body : blocks_body(device->arena, k);
    if (!body)
        return false;
    device->batches = (struct batches){.kernel = k};
    device->rows.block = body;
    device_names(device);
    device->depth = 1;
    print_serial_block(device, entry, body);
    return true;
}

bool device_serial(struct device *device, const char *entry)
{
    struct str *out = device->out;
    const struct kernel *k = device->kernel;
    if (!device_serial_block(device, entry))
        return false;
    str_addf(out, "%s %s(", device->dialect->entry, entry);
    print_parameters(device);
    str_add(out, device->is_shared ? ")\n{" : ", double tf_points)\n{");
    print_bindings(device);
    str_addf(out, "\n    const long %s = ", device->blocks);
    device_extents(device, k->grid, k->n_grid, "long");
    str_add(out, ";\n");
    if (!device->is_shared) {
        str_addf(out, "#ifdef _OPENMP\n    if (tf_shares(%s, tf_points)) {\n", device->blocks);
        str_add(out, "#pragma omp parallel for\n");
        print_serial_loop(device, entry, "        ");
        str_add(out, "        return;\n    }\n#endif\n");
    } else {
        str_add(out, "#pragma omp parallel for schedule(guided)\n");
    }
    print_serial_loop(device, entry, "    ");
    str_add(out, "}\n");
    return true;
}

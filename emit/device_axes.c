/* The axes of blocks and threads in device text. In: bands and the kernel's grid. Out: declarations
   and loops that give every axis its value.

   Axes are recovered from one number by division, the last one fastest; in a plane the last axis of
   a block or a plain band is a number of its own, and where rows.c found that threads are better
   loops of one thread, the text has both forms. */
#include "emit/device.h"
#include <string.h>

/* `const int name = …` for an axis whose value is the text so far; what device_origin_end gets. */
static unsigned axis_begin(struct device *device, const struct var *var)
{
    device_line(device);
    unsigned around = device_origin_axis(device, var);
    str_addf(device->out, "const %s %s = ", device_type(var->type), device_name(device, var->name));
    return around;
}

/* The axis' digit of a number, which becomes the number of the axes before it. */
static void axis_divide(struct device *device, const struct expr *extent, const char *number,
                        bool cast)
{
    struct str *out = device->out;
    str_addf(out, "%s%s %% ", cast ? "(" : "", number);
    device_expr(device, extent, op_precedence(OP_MUL) + 1);
    str_add(out, cast ? ");" : ";");
    device_line(device);
    str_addf(out, "%s /= ", number);
    device_expr(device, extent, 0);
    str_char(out, ';');
}

void device_axes(struct device *device, const struct axis *axes, int n, const char *number,
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
        unsigned around = axis_begin(device, var);
        if (cast)
            str_addf(out, "(%s)", device_type(var->type));
        if (i == 0)
            str_addf(out, "%s;", number);
        else
            axis_divide(device, axes[i].extent, number, cast);
        device_origin_end(device, around);
    }
}

void device_extents(struct device *device, const struct axis *axes, int n, const char *wide)
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

bool device_has_rows(const struct device *device)
{
    return device->kernel->n_block > 1 && !kernel_all_strided(device->kernel);
}

void device_threads(struct device *device, const struct axis *axes, int n)
{
    if (!device_has_rows(device)) {
        device_axes(device, axes, n, device->thread, "int");
        return;
    }
    device_axes(device, axes, n - 1, device->row, "int");
    device_axes(device, axes + n - 1, 1, device->column, "int");
}

static void print_bound(struct device *device, const char *name, const struct expr *bound)
{
    str_addf(device->out, "const long %s = ", name);
    device_expr(device, bound, 0);
    str_char(device->out, ';');
    device_line(device);
}

/* The rows of a block of one thread, open. They are counted in memory, so that their number is
   nothing a compiler follows from row to row. LLVM 15 does follow it: an element of the row that
   all its points load (A[i*n + k]) then moves by n from row to row, and the loop of a row is
   vectorised for n == 1 alone. */
static void rows_open(struct device *device, const struct stmt *s)
{
    int n = s->n_axes - 1 - (device->rows.joint > 0);
    if (n == 0)
        return;
    str_addf(device->out, "for (volatile int %s = 0; %s < ", device->row, device->row);
    device_extents(device, s->axes, n, "int");
    str_addf(device->out, "; %s++) ", device->row);
    device_block_open(device);
    device_axes(device, s->axes, n, device->row, "int");
    device_line(device);
}

/* `for (int NAME = (int)(FROM < TO ? FROM : TO); NAME < TO; NAME++) {` */
static void points_open(struct device *device, const char *name, const char *from, const char *to)
{
    str_addf(device->out, "for (int %s = (int)(%s < %s ? %s : %s); %s < %s; %s++) ", name, from, to,
             from, to, name, to, name);
    device_block_open(device);
}

/* The loops over the points of the last two axes, open: one row, where all points of the last one
   are there, else a row for each point of the other. */
static void joint_open(struct device *device, const struct stmt *s)
{
    const struct thread_rows *rows = &device->rows;
    const struct axis *axes = s->axes + s->n_axes - 2;
    int joint = (int)rows->joint;
    print_bound(device, device->outer_from, rows->outer_from);
    print_bound(device, device->outer_to, rows->outer_to);
    str_addf(device->out, "const int %s = %s - %s == %d;", device->joint, device->to, device->from,
             joint);
    device_line(device);
    str_addf(device->out, "for (volatile int %s = %s ? 0 : (int)%s; %s < (%s ? 1 : %s); %s++) ",
             device->row, device->joint, device->outer_from, device->row, device->joint,
             device->outer_to, device->row);
    device_block_open(device);
    device_axes(device, axes, 1, device->row, "int");
    device_line(device);
    str_addf(device->out, "const long %s = %s ? %d * %s + %s : %s;", device->begin, device->joint,
             joint, device->outer_from, device->from, device->from);
    device_line(device);
    str_addf(device->out, "const long %s = %s ? %d * %s + %s : %s;", device->end, device->joint,
             joint, device->outer_to, device->from, device->to);
    device_line(device);
    points_open(device, device_name(device, axes[1].var->name), device->begin, device->end);
}

/* The loop over the points of a row, open. */
static void row_open(struct device *device, const struct stmt *s)
{
    const char *column = device_name(device, s->axes[s->n_axes - 1].var->name);
    print_bound(device, device->from, device->rows.from);
    print_bound(device, device->to, device->rows.to);
    if (device->rows.joint > 0)
        joint_open(device, s);
    else
        points_open(device, column, device->from, device->to);
}

/* All work of a row. */
static void print_lanes(struct device *device, const struct stmt *s)
{
    device_block_open(device);
    device_children(device, device->rows.lanes);
    device_block_close(device);
    if (s->n_axes > 1)
        device_block_close(device);
}

/* Blocks of text around a point: of the last axis, of all others or of the one before it and the
   rest. */
static int blocks_of_rows(const struct device *device, const struct stmt *s)
{
    int most = device->rows.joint > 0 ? 3 : 2;
    return s->n_axes < most ? s->n_axes : most;
}

void device_rows_open(struct device *device, const struct stmt *s)
{
    int depth = device->depth;
    str_add(device->out, "\n#ifdef TREEFORK_ROWS");
    device_line(device);
    rows_open(device, s);
    if (device->rows.lanes)
        print_lanes(device, s);
    else
        row_open(device, s);
    str_add(device->out, "\n#else");
    device->depth = depth;
    device_line(device);
    device_block_open(device);
    device_threads(device, s->axes, s->n_axes);
    if (device->rows.lanes)
        return;
    for (int i = 1; i < blocks_of_rows(device, s); i++) {
        device_line(device);
        device_block_open(device);
    }
    str_add(device->out, "\n#endif");
}

void device_rows_close(struct device *device, const struct stmt *s)
{
    device_block_close(device);
    if (device->rows.lanes)
        str_add(device->out, "\n#endif");
    else
        for (int i = 1; i < blocks_of_rows(device, s); i++)
            device_block_close(device);
}

/* The guard of threads that may be loops: the loops ask only for what their bounds do not. */
void device_rows_guard(struct device *device, const struct stmt *s)
{
    str_add(device->out, "\n#ifdef TREEFORK_ROWS");
    device_line(device);
    if (device->rows.left)
        device_condition(device, device->rows.left);
    str_add(device->out, "{\n#else");
    device_line(device);
    device_condition(device, s->value);
    device_block_open(device);
    str_add(device->out, "\n#endif");
    device_children(device, s->children[0]);
    device_block_close(device);
}

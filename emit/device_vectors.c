/* Rounds of a long loop for several vectors of points (emit/vectors.c), in OpenCL C: as long as so
   many points are left, what they keep is loaded into vectors, all rounds are run, and it is stored
   again. One vector does the same while so many are left. A scalar among the operands of a vector
   stands for each of its elements. */
#include "emit/device.h"
#include "emit/vectors.h"

enum { WIDE_REGISTERS = 16, REGISTERS = 4, COUNT_MOST = 4 };    /* vectors that may be kept */

const struct vectors *device_vectors_find(const struct device *device, const struct stmt *loop)
{
    const struct vectors *v = device->rows.vectors;
    while (v && v->loop != loop)
        v = v->next;
    return v;
}

static int vector_width(const struct vectors *v)
{
    return POINTS_BYTES / (int)type_bytes(v->type);
}

void device_vector_load(struct device *device, const struct expr *e)
{
    const struct vectors *v = device->vectors;
    int n = vectors_find_kept(v, e->array, e->arguments);
    bool is_vector = n < 0 && vectors_expr_varies(v, e);
    if (n >= 0) {
        str_addf(device->out, "%s[%s]", device_name(device, v->kept[n].name),
                 device_name(device, v->vector));
        return;
    }
    if (is_vector)
        str_addf(device->out, "vload%d(0, &", vector_width(v));
    device->vectors = NULL;
    device_element(device, e->array, e->arguments);
    device->vectors = v;
    if (is_vector)
        str_char(device->out, ')');
}

static void print_assignment(struct device *device, const char *name, const struct expr *value)
{
    str_addf(device->out, "%s = ", name);
    device_expr(device, value, 0);
    str_char(device->out, ';');
}

/* A statement of a round for one vector. */
static void print_work(struct device *device, const struct stmt *s)
{
    const struct vectors *v = device->vectors;
    for (int i = 0; i < s->n_children; i++)
        print_work(device, s->children[i]);
    if (s->kind == STMT_SEQUENCE)
        return;
    device_line(device);
    if (s->kind == STMT_LET) {
        bool is_vector = type_is_floating(s->var->type) && map_get_pointer(v->varying, s->var);
        str_add(device->out, device_type(s->var->type));
        if (is_vector)
            str_addf(device->out, "%d", vector_width(v));
        str_char(device->out, ' ');
    }
    if (s->kind == STMT_STORE) {
        int n = vectors_find_kept(v, s->array, s->indices);
        str_addf(device->out, "%s[%s]", device_name(device, v->kept[n].name),
                 device_name(device, v->vector));
    }
    print_assignment(device, s->var ? device_name(device, s->var->name) : "", s->value);
}

/* clang warns that functions pass vectors of 64 bytes otherwise where registers are shorter; vload
   and vstore, which alone are called, are compiled with the kernel. */
#define NO_WARNING "#pragma clang diagnostic ignored \"-Wpsabi\""

/* How many vectors there are: registers of 64 bytes hold more of them. */
static void print_count(struct device *device, const struct vectors *v)
{
    const int registers[] = {WIDE_REGISTERS, REGISTERS};
    for (int i = 0; i < 2; i++) {
        int count = registers[i] / v->n_kept;
        if (count > COUNT_MOST)
            count = COUNT_MOST;
        str_add(device->out, i ? "\n#else\n" NO_WARNING : "\n#ifdef __AVX512F__");
        device_line(device);
        str_addf(device->out, "enum { %s = %d };", device_name(device, v->count),
                 count < 1 ? 1 : count);
    }
    str_add(device->out, "\n#endif");
}

/* A loop over the vectors, open, and the lane that is first in each. */
static void vectors_open(struct device *device, const struct vectors *v, const char *count)
{
    const char *vector = device_name(device, v->vector);
    device_line(device);
    str_add(device->out, "#pragma unroll");
    device_line(device);
    str_addf(device->out, "for (int %s = 0; %s < %s; %s++) ", vector, vector, count, vector);
    device_block_open(device);
    device_line(device);
    str_addf(device->out, "const int %s = %s + %d * %s;", device_name(device, v->lane->name),
             device_name(device, v->done->name), vector_width(v), vector);
}

static void print_place(struct device *device, const struct kept *kept)
{
    str_char(device->out, '&');
    device_element(device, kept->array, kept->indices);
}

static void print_loads(struct device *device, const struct vectors *v, const char *count)
{
    for (int i = 0; i < v->n_kept; i++) {
        device_line(device);
        str_addf(device->out, "%s%d %s[%s];", device_type(v->type), vector_width(v),
                 device_name(device, v->kept[i].name), count);
    }
    vectors_open(device, v, count);
    for (int i = 0; i < v->n_kept; i++) {
        device_line(device);
        str_addf(device->out, "%s[%s] = vload%d(0, ", device_name(device, v->kept[i].name),
                 device_name(device, v->vector), vector_width(v));
        print_place(device, &v->kept[i]);
        str_add(device->out, ");");
    }
    device_block_close(device);
}

static void print_stores(struct device *device, const struct vectors *v, const char *count)
{
    vectors_open(device, v, count);
    for (int i = 0; i < v->n_kept; i++) {
        if (!v->kept[i].is_stored)
            continue;
        device_line(device);
        str_addf(device->out, "vstore%d(%s[%s], 0, ", vector_width(v),
                 device_name(device, v->kept[i].name), device_name(device, v->vector));
        print_place(device, &v->kept[i]);
        str_add(device->out, ");");
    }
    device_block_close(device);
}

/* All rounds for `count` vectors at once, as long as there are so many. */
static void print_rounds(struct device *device, const struct vectors *v, const char *count)
{
    const char *done = device_name(device, v->done->name);
    device_line(device);
    str_addf(device->out, "for (; %s + %d * %s <= %s; %s += %d * %s) ", done, vector_width(v),
             count, device_name(device, v->lanes->name), done, vector_width(v), count);
    device_block_open(device);
    print_loads(device, v, count);
    device_line(device);
    device_for_head(device, v->loop);
    device_block_open(device);
    device_children(device, v->before);
    vectors_open(device, v, count);
    device->vectors = v;
    print_work(device, v->work);
    device->vectors = NULL;
    device_block_close(device);
    device_block_close(device);
    print_stores(device, v, count);
    device_block_close(device);
}

void device_vectors(struct device *device, const struct vectors *v)
{
    print_count(device, v);
    print_rounds(device, v, device_name(device, v->count));
    print_rounds(device, v, "1");
    device_line(device);
    str_addf(device->out, "if (%s < %s)", device_name(device, v->done->name),
             device_name(device, v->lanes->name));
    device_line(device);
    str_add(device->out, device->step);
}

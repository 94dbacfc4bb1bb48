#ifndef NULL_WORK_H
#define NULL_WORK_H
/* Launches of `add_one`, the one kernel of the null driver that does something. */
#include "runtime/treefork.h"

static const struct treefork_ptx work_ptx[] = {
    {".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry add_one(.param .u64 a, .param "
     ".u32 n)\n{\n    ret;\n}\n",
     70, ""}};
static const struct treefork_module work_module = {
    .name = "work",
    .opencl = "__kernel void add_one(__global int *a, int n) {}",
    .n_ptx = 1,
    .ptx = work_ptx};

static inline int work_add(struct treefork_device *device, int *array, int count)
{
    struct treefork_argument arguments[2] = {{.type = TREEFORK_BUFFER},
                                             {.type = TREEFORK_I32, .value.i = count}};
    struct treefork_launch launch = {.module = &work_module,
                                     .kernel = "add_one",
                                     .blocks = 1,
                                     .threads = 32,
                                     .n_arguments = 2,
                                     .arguments = arguments};
    int status = treefork_use(device, array, (size_t)count * sizeof *array,
                              TREEFORK_READ | TREEFORK_WRITE, &arguments[0].value.buffer);
    return status ? status : treefork_run(device, &launch);
}

#endif

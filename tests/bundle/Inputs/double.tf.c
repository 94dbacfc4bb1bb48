/* A generated file in miniature: one region that doubles an array, as `treefork build` would write it. */
#include <treefork.h>
#include "double.tf.h"

static const struct treefork_module module = {
    .name = "double",
    .opencl = "__kernel void double_1(int n, __global int *a) {\n"
              "    for (int i = get_global_id(0); i < n; i += get_global_size(0)) a[i] *= 2;\n"
              "}\n",
};

int double_all(int n, int *a)
{
    struct treefork_device *device = treefork_default();
    struct treefork_argument arguments[2] = { { TREEFORK_I32, { .i = n } }, { TREEFORK_BUFFER, { 0 } } };
    struct treefork_launch launch = { .module = &module, .kernel = "double_1", .blocks = 4, .threads = 16, .n_arguments = 2,
                                      .arguments = arguments };
    int status = device ? treefork_use(device, a, (size_t)n * sizeof *a, TREEFORK_READ | TREEFORK_WRITE,
                                       &arguments[1].value.buffer) : TREEFORK_NO_DEVICE;
    if (!status)
        status = treefork_run(device, &launch);
    if (!status)
        return treefork_host(device, a, TREEFORK_READ | TREEFORK_WRITE);
    if (!treefork_failed("double_all", status))
        return status;
    for (int i = 0; i < n; i++)
        a[i] *= 2;
    return TREEFORK_OK;
}

/* Modules and functions of the simulated driver. In: PTX text or a cubin, as the runtime passes
   them; out: entries with the IR that runs for them. PTX is really assembled by nvJitLink or ptxas
   where there is one, for the device's architecture and within a limit of registers; a cubin must
   be for exactly this architecture, as on a device. The entry must exist in the image, and the
   parameters that it declares must be those of the IR in number and size (image.c). */
#include "ir/ptx/ptx.h"
#include "tests/simulated/simulated.h"
#include <stdlib.h>
#include <string.h>

enum {
    FUNCTION_MAX_THREADS = 0,
    FUNCTION_STATIC_SHARED = 1,
    FUNCTION_LOCAL = 3,
    FUNCTION_REGISTERS = 4,
    FUNCTION_MAX_DYNAMIC_SHARED = 8
};

static uint64_t little(const unsigned char *at, int bytes)
{
    uint64_t value = 0;
    while (bytes-- > 0)
        value = value << 8 | at[bytes];
    return value;
}

int sim_ptx_check(const char *text)
{
    const char *target = strstr(text, ".target"), *number = target ? strstr(target, "sm_") : NULL;
    int wanted = number ? atoi(number + 3) : 0,
        have = (int)simulated()->machine.value[TREEFORK_A_D];
    if (!strstr(text, ".version") || wanted == 0)
        return sim_fail(CU_INVALID_PTX, "the text has no .version or no .target");
    return wanted <= have ? CU_OK
                          : sim_fail(CU_NO_BINARY, "PTX for sm_%d on a device sm_%d", wanted, have);
}

/* The architecture of a cubin stands in e_flags: bits 8 to 15 since ABI 8 (CUDA 13), bits 0 to 7
   before. */
static int cubin_check(const unsigned char *image)
{
    uint64_t flags = little(image + 0x30, 4),
             have = (uint64_t)simulated()->machine.value[TREEFORK_A_D];
    bool cuda = little(image + 0x12, 2) == 190;
    if (!cuda)
        return sim_fail(CU_INVALID_IMAGE, "the image is no cubin");
    return (flags & 0xff) == have || (flags >> 8 & 0xff) == have
               ? CU_OK
               : sim_fail(CU_NO_BINARY, "a cubin with flags %llx on a device sm_%llu",
                          (unsigned long long)flags, (unsigned long long)have);
}

int cuModuleLoadDataEx(void **handle, const void *image, unsigned n_options, int *options,
                       void **values)
{
    struct sim *sim = simulated();
    int code = sim_enter("cuModuleLoadDataEx", true);
    bool cubin = memcmp(image, "\177ELF", 4) == 0;
    if (!code)
        code = cubin ? cubin_check(image) : sim_ptx_check(image);
    if (code)
        return code;
    struct sim_module *module = calloc(1, sizeof *module);
    if (!module)
        return CU_OUT_OF_MEMORY;
    module->entries = sim_describe(image, cubin);
    module->image = cubin ? NULL : strdup(image);
    for (unsigned i = 0; i < n_options; i++)
        if (options[i] == JIT_MAX_REGISTERS)
            module->max_registers = (int)(uintptr_t)values[i];
    if (!cubin && strncmp(image, SIM_LINKED, strlen(SIM_LINKED)) == 0)
        module->max_registers = atoi((const char *)image + strlen(SIM_LINKED));
    module->device = sim_device();
    module->next = sim->modules;
    sim->modules = module;
    *handle = module;
    return CU_OK;
}

static void module_free(struct sim_module *module)
{
    while (module->functions) {
        struct sim_function *function = module->functions;
        module->functions = function->next;
        free(function->entry);
        free(function);
    }
    free(module->image);
    free(module->entries);
    free(module);
}

int cuModuleUnload(void *handle)
{
    struct sim_module **place = &simulated()->modules, *module;
    int code = sim_enter("cuModuleUnload", true);
    while (*place && *place != handle)
        place = &(*place)->next;
    module = *place;
    if (code || !module)
        return code ? code : sim_fail(CU_INVALID_VALUE, "an unknown module is unloaded");
    sim_run_device(module->device);
    *place = module->next;
    module_free(module);
    return CU_OK;
}

int sim_modules_free(const struct sim_device *device)
{
    struct sim_module **place = &simulated()->modules;
    int count = 0;
    while (*place) {
        struct sim_module *module = *place;
        if (module->device != device) {
            place = &module->next;
            continue;
        }
        *place = module->next;
        module_free(module);
        count++;
    }
    return count;
}

/* The parameters that the image declares against those of the IR: scalars in order, then global
   arrays; of the part form two more, of 4 bytes each, and where the last block does something the
   address of the count of blocks. */
static int function_layout(struct sim_function *function, const char *sizes)
{
    enum { PART_VALUES = 2 };
    const struct kernel *k = function->kernel;
    int shared = 0, n = 0, n_arrays = 0, bad = 0, counters = body_last(k->body) != NULL, size,
        used = 0;
    while (n_arrays < k->n_arrays && k->arrays[n_arrays]->space == SPACE_GLOBAL)
        n_arrays++;
    if (sscanf(sizes, " %d %d%n", &function->registers, &shared, &used) != 2)
        return sim_fail(CU_INVALID_IMAGE, "%s: the image does not describe it", function->entry);
    function->static_bytes = shared;
    for (sizes += used; *sizes != '\n' && sscanf(sizes, " %d%n", &size, &used) == 1;
         sizes += used, n++) {
        int want = n < k->n_params ? (int)type_bytes(k->params[n]->var->type)
                                   : n < k->n_params + n_arrays + counters ? 8 : 4;
        if (size != want && !bad)
            bad = n + 1;
    }
    function->is_part = !counters && n == k->n_params + n_arrays + PART_VALUES;
    if ((n == k->n_params + n_arrays + counters || function->is_part) && !bad)
        return CU_OK;
    return sim_fail(
        CU_INVALID_IMAGE,
        "%s: the image has %d parameters, the kernel %d scalars and %d arrays; first that differs "
        "in size: %d",
        function->entry, n, k->n_params, n_arrays, bad);
}

/* Real assembly, so that a text no driver would take is not taken here. */
static int ptx_assemble(struct sim_function *function)
{
    struct sim *sim = simulated();
    struct ptx_measure measure;
    const char *message = "";
    int target = (int)sim->machine.value[TREEFORK_A_D], done = 0;
    int limit = function->module->max_registers;
    const char *text = function->module->image;
    const char *limited = limit ? ptx_limited(sim->ctx->arena, text, function->entry, limit) : NULL;
    if (target >= 75)
        done = ptx_measure(sim->ctx, limited ? limited : text, function->entry, target, &measure,
                           &message);
    if (done < 0)
        return sim_fail(CU_INVALID_PTX, "%s does not assemble: %s", function->entry, message);
    if (done > 0) {
        function->registers = measure.registers;
        function->local_bytes = measure.stack_bytes;
    }
    return CU_OK;
}

int cuModuleGetFunction(void **handle, void *owner, const char *entry)
{
    struct sim_module *module = simulated()->modules;
    int code = sim_enter("cuModuleGetFunction", true);
    while (module && module != owner)
        module = module->next;
    if (code || !module)
        return code ? code : sim_fail(CU_INVALID_VALUE, "a function of an unknown module");
    const char *described = sim_entry(module->entries, entry);
    if (!described)
        return CU_NOT_FOUND;
    struct sim_function *function = calloc(1, sizeof *function);
    if (!function)
        return CU_OUT_OF_MEMORY;
    *function =
        (struct sim_function){.next = module->functions, .module = module, .entry = strdup(entry)};
    module->functions = function;
    function->kernel = sim_kernel(entry);
    if (!function->kernel)
        return sim_fail(CU_NOT_FOUND, "TREEFORK_SIMULATED_IR has no kernel for %s", entry);
    code = function_layout(function, described);
    if (!code && module->image)
        code = ptx_assemble(function);
    if (!code && module->max_registers &&
        (function->registers == 0 || function->registers > module->max_registers))
        function->registers = module->max_registers;
    *handle = function;
    return code;
}

struct sim_function *sim_function_of(const void *handle)
{
    for (struct sim_module *m = simulated()->modules; m; m = m->next)
        for (struct sim_function *f = m->functions; f; f = f->next)
            if (f == handle)
                return f;
    return NULL;
}

int cuFuncGetAttribute(int *value, int attribute, void *handle)
{
    struct sim_function *f = sim_function_of(handle);
    const int64_t *machine = simulated()->machine.value;
    int code = sim_enter("cuFuncGetAttribute", true);
    if (code || !f)
        return code ? code : sim_fail(CU_INVALID_VALUE, "an attribute of an unknown function");
    switch (attribute) {
    case FUNCTION_MAX_THREADS:
        *value = machine[TREEFORK_T_B] > 1024 ? 1024 : (int)machine[TREEFORK_T_B];
        return CU_OK;
    case FUNCTION_STATIC_SHARED:
        *value = f->static_bytes;
        return CU_OK;
    case FUNCTION_LOCAL:
        *value = f->local_bytes;
        return CU_OK;
    case FUNCTION_REGISTERS:
        *value = f->registers;
        return CU_OK;
    case FUNCTION_MAX_DYNAMIC_SHARED:
        *value = (int)f->dynamic_bytes;
        return CU_OK;
    default:
        return CU_INVALID_VALUE;
    }
}

int cuFuncSetAttribute(void *handle, int attribute, int value)
{
    struct sim_function *f = sim_function_of(handle);
    int64_t words = simulated()->machine.value[TREEFORK_Z_B];
    int code = sim_enter("cuFuncSetAttribute", true);
    if (code || !f || attribute != FUNCTION_MAX_DYNAMIC_SHARED || value < 0)
        return code ? code : sim_fail(CU_INVALID_VALUE, "attribute %d of a function", attribute);
    if (words <= INT32_MAX / 4 && value > 4 * words)
        return sim_fail(CU_INVALID_VALUE, "%s asks for %d bytes of shared memory", f->entry, value);
    f->dynamic_bytes = value;
    return CU_OK;
}

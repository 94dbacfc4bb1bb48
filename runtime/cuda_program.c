/* Text to CUDA functions. In: a module's CUDA C and PTX and the values bound; out: a function
   object with what must be checked before a launch. With NVRTC the CUDA text is compiled with
   everything bound; without it, for a device that NVRTC no longer knows, or where it refuses the
   text, an embedded PTX text stands in: of those whose target the device has, whose bindings all
   agree with the launch and that hold the entry, the one that binds most, then the one with the
   highest target. */
#include "runtime/cuda.h"
#include <stdlib.h>
#include <string.h>

enum {
    FUNCTION_MAX_THREADS = 0,
    FUNCTION_STATIC_SHARED = 1,
    FUNCTION_LOCAL = 3,
    FUNCTION_REGISTERS = 4
};

/* Number of bindings in "s=4,B=64" if the launch agrees with all of them, else -1. */
static int binding_agrees(const char *binding, const struct treefork_launch *launch)
{
    int count = 0;
    while (binding && *binding) {
        size_t length = strcspn(binding, "=");
        char *end = NULL;
        bool found = false;
        long long value = binding[length] ? strtoll(binding + length + 1, &end, 10) : 0;
        if (end)
            for (size_t i = 0; i < launch->n_bindings && !found; i++)
                found = strlen(launch->bindings[i].name) == length &&
                        memcmp(launch->bindings[i].name, binding, length) == 0 &&
                        launch->bindings[i].value == value;
        if (!found)
            return -1;
        count++;
        binding = *end == ',' ? end + 1 : end;
    }
    return count;
}

static bool ptx_has_entry(const char *text, const char *kernel)
{
    size_t length = strlen(kernel);
    for (const char *at = strstr(text, ".entry"); at; at = strstr(at + 1, ".entry")) {
        const char *name = at + strlen(".entry");
        name += strspn(name, " \t");
        if (strncmp(name, kernel, length) == 0 && strcspn(name + length, " \t\r\n({") == 0)
            return true;
    }
    return false;
}

/* The kernel's name in a PTX text, which holds all bindings side by side: "s=4,u=2" is
   KERNEL__s_4__u_2, "" is KERNEL. */
static bool ptx_entry(const struct treefork_ptx *ptx, const char *kernel, char *entry, size_t room)
{
    const char *binding = ptx->binding ? ptx->binding : "";
    int n = snprintf(entry, room, "%s%s", kernel, *binding ? "__" : "");
    size_t length = n < 0 ? room : (size_t)n;
    for (; *binding && length + 3 < room; binding++) {
        entry[length++] = *binding == '=' || *binding == ',' ? '_' : *binding;
        if (*binding == ',')
            entry[length++] = '_';
        entry[length] = '\0';
    }
    return !*binding && length < room && ptx_has_entry(ptx->text, entry);
}

/* False if none fits. */
static bool ptx_find(const struct treefork_device *device, const struct treefork_launch *launch,
                     struct treefork_choice *choice)
{
    const struct cuda *cuda = device->state;
    char entry[sizeof choice->entry];
    int best_bound = -1, best_target = 0;
    for (size_t i = 0; i < launch->module->n_ptx; i++) {
        const struct treefork_ptx *ptx = &launch->module->ptx[i];
        int bound = binding_agrees(ptx->binding, launch);
        bool better = bound > best_bound || (bound == best_bound && ptx->target > best_target);
        if (bound < 0 || !better || ptx->target > cuda->architecture ||
            !ptx_entry(ptx, launch->kernel, entry, sizeof entry))
            continue;
        choice->text = ptx->text;
        memcpy(choice->entry, entry, sizeof entry);
        best_bound = bound;
        best_target = ptx->target;
    }
    choice->bound = false;
    return best_bound >= 0;
}

static int ptx_choose(const struct treefork_device *device, const struct treefork_launch *launch,
                      struct treefork_choice *choice)
{
    const struct cuda *cuda = device->state;
    if (ptx_find(device, launch, choice))
        return TREEFORK_OK;
    return treefork_fail(
        TREEFORK_BUILD,
        "%s: module %s has no PTX for sm_%d with these values, and NVRTC is not installed or "
        "does not know this device",
        launch->kernel, launch->module->name ? launch->module->name : "?", cuda->architecture);
}

/* Is the module's CUDA C compiled for this device? */
static bool cuda_compiles(struct cuda *cuda, const struct treefork_module *module)
{
    if (module->cuda && !cuda->nvrtc_tried) {
        cuda->nvrtc_tried = true;
        cuda->nvrtc = treefork_nvrtc_open();
        cuda->nvrtc_target = cuda->nvrtc ? treefork_nvrtc_target(cuda->nvrtc, cuda->architecture)
                                         : 0;
    }
    return module->cuda && cuda->nvrtc_target > 0;
}

/* Number of bindings in "s=4,B=64". */
static int binding_count(const char *binding)
{
    int count = 0;
    if (!binding)
        return 0;
    for (const char *at = binding; *at; at++)
        count += *at == '=';
    return count;
}

bool treefork_cuda_is_general(struct treefork_device *device, const struct treefork_launch *launch)
{
    int most = 0, bound = -1;
    if (cuda_compiles(device->state, launch->module))
        return false;
    for (size_t i = 0; i < launch->module->n_ptx; i++) {
        const char *binding = launch->module->ptx[i].binding;
        int all = binding_count(binding), agreed = binding_agrees(binding, launch);
        most = all > most ? all : most;
        bound = agreed > bound ? agreed : bound;
    }
    return bound >= 0 && bound < most;
}

int treefork_cuda_choose(struct treefork_device *device, const struct treefork_launch *launch,
                         struct treefork_choice *choice)
{
    choice->bound = cuda_compiles(device->state, launch->module);
    if (!choice->bound)
        return ptx_choose(device, launch, choice);
    choice->text = launch->module->cuda;
    snprintf(choice->entry, sizeof choice->entry, "%s", launch->kernel);
    return TREEFORK_OK;
}

/* Only CUDA C is compiled; PTX that is refused has been tried already. */
bool treefork_cuda_choose_instead(struct treefork_device *device,
                                  const struct treefork_launch *launch,
                                  struct treefork_choice *choice)
{
    return choice->text == launch->module->cuda && ptx_find(device, launch, choice);
}

static int module_load(struct treefork_device *device, const struct treefork_launch *launch,
                       const char *image, void **module)
{
    struct cuda *cuda = device->state;
    char log[2048] = "";
    int options[] = { JIT_ERROR_LOG, JIT_ERROR_LOG_SIZE, JIT_MAX_REGISTERS };
    void *values[] = {log, treefork_cuda_option(sizeof log - 1),
                      treefork_cuda_option((uintptr_t)launch->registers)};
    int status = treefork_cuda_enter(device);
    if (status)
        return status;
    int code = cuda->api.module_load(module, image, launch->registers > 0 ? 3 : 2, options, values);
    treefork_cuda_leave(device);
    if (!code)
        return TREEFORK_OK;
    status = treefork_driver_error(device, TREEFORK_CUDA, code, "loading the kernels");
    return log[0] ? treefork_fail(status, "%s: %s refused module %s (error %d):\n%s",
                                  launch->kernel, device->name,
                                  launch->module->name ? launch->module->name : "?", code, log)
                  : status;
}

/* The part form of CUDA C is a matter of its compiler's options. */
int treefork_cuda_program_new(struct treefork_device *device, const struct treefork_launch *launch,
                              const char *text, struct treefork_image *image,
                              union treefork_object *program)
{
    void *module = NULL;
    bool is_made = launch->part && text != launch->module->cuda;
    char *part = is_made ? treefork_ptx_part(text) : NULL;
    if (is_made && !part)
        return TREEFORK_BUILD;
    text = part ? part : text;
    int status = treefork_cuda_image(device, launch, text, image);
    if (!status)
        status = module_load(device, launch, image->bytes ? image->bytes : text, &module);
    free(part);
    program->pointer = module;
    return status;
}

/* The driver is told no size: it reads a cubin by its own tables, and PTX up to a zero. */
int treefork_cuda_program_load(struct treefork_device *device,
                               const struct treefork_launch *launch,
                               const struct treefork_image *image, union treefork_object *program)
{
    const char *bytes = image->bytes;
    void *module = NULL;
    if (image->size < 4 || (memcmp(bytes, "\177ELF", 4) != 0 && bytes[image->size - 1] != '\0'))
        return treefork_fail(TREEFORK_BUILD, "it is neither a cubin nor PTX");
    int status = module_load(device, launch, bytes, &module);
    program->pointer = module;
    return status;
}

void treefork_cuda_program_free(struct treefork_device *device, union treefork_object program)
{
    struct cuda *cuda = device->state;
    if (treefork_cuda_enter(device))
        return;
    cuda->api.module_unload(program.pointer);
    treefork_cuda_leave(device);
}

int treefork_cuda_function_new(struct treefork_device *device, union treefork_object program,
                               const char *kernel, union treefork_object *function)
{
    struct cuda *cuda = device->state;
    struct cuda_function *f = calloc(1, sizeof *f);
    if (!f)
        return treefork_fail(TREEFORK_MEMORY, "no memory for a kernel");
    int status = treefork_cuda_enter(device);
    if (status) {
        free(f);
        return status;
    }
    int code = cuda->api.module_function(&f->function, program.pointer, kernel);
    if (!code)
        code = cuda->api.function_attribute(&f->threads_max, FUNCTION_MAX_THREADS, f->function);
    if (!code)
        code = cuda->api.function_attribute(&f->static_bytes, FUNCTION_STATIC_SHARED, f->function);
    if (!code)
        code = cuda->api.function_attribute(&f->registers, FUNCTION_REGISTERS, f->function);
    if (!code)
        code = cuda->api.function_attribute(&f->local_bytes, FUNCTION_LOCAL, f->function);
    treefork_cuda_leave(device);
    function->pointer = f;
    if (code) {
        free(f);
        return treefork_driver_error(device, TREEFORK_CUDA, code, kernel);
    }
    return TREEFORK_OK;
}

int treefork_cuda_function_registers(union treefork_object function)
{
    const struct cuda_function *f = function.pointer;
    return f->registers;
}

int treefork_cuda_function_local(union treefork_object function)
{
    const struct cuda_function *f = function.pointer;
    return f->local_bytes;
}

void treefork_cuda_function_free(struct treefork_device *device, union treefork_object function)
{
    (void)device;
    free(function.pointer);
}

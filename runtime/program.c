/* Loaded programs: text compiled for this device with values bound, kept by (text, bindings,
   register budget) and, within one, by entry name. In: a launch; out: the driver's function object.
   The whole text is compared, not its address: a program that reuses memory for another text must
   never meet an old kernel. A few kilobytes compare in a microsecond. */
#include "runtime/internal.h"
#include <stdlib.h>
#include <string.h>

/* "s=4,B=128;registers=40": what else than the text decides the binary. */
static char *program_options(const struct treefork_launch *launch, bool bound)
{
    struct treefork_text options = { 0 };
    treefork_text_add(&options, "registers=%d", launch->registers);
    if (launch->grid_width || launch->block_width)
        treefork_text_add(&options, ";plane");
    if (bound)
        for (size_t i = 0; i < launch->n_bindings; i++)
            treefork_text_add(&options, ";%s=%lld", launch->bindings[i].name,
                              (long long)launch->bindings[i].value);
    return options.text;
}

static char *program_copy(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

static void program_free(struct treefork_device *device, struct treefork_program *program)
{
    while (program->functions) {
        struct treefork_function *function = program->functions;
        program->functions = function->next;
        device->driver->function_free(device, function->object);
        free(function->name);
        free(function);
    }
    if (program->object.address)
        device->driver->program_free(device, program->object);
    free(program->text);
    free(program->options);
    free(program);
}

static struct treefork_program *program_find(struct treefork_device *device, const char *text,
                                             const char *options)
{
    struct treefork_program *p = device->programs;
    while (p && (strcmp(p->options, options) != 0 || strcmp(p->text, text) != 0))
        p = p->next;
    return p;
}

/* Takes `options`. */
static int program_build(struct treefork_device *device, const struct treefork_launch *launch,
                         const char *text, char *options, struct treefork_program **result)
{
    struct treefork_program *program = calloc(1, sizeof *program);
    if (!program) {
        free(options);
        return treefork_fail(TREEFORK_MEMORY, "no memory for a program");
    }
    program->options = options;
    program->text = program_copy(text);
    int status = program->text ? device->driver->program_new(device, launch, text, &program->object)
                               : treefork_fail(TREEFORK_MEMORY, "no memory for a program");
    if (status) {
        program_free(device, program);
        return status;
    }
    program->next = device->programs;
    device->programs = program;
    device->statistics.builds++;
    *result = program;
    return TREEFORK_OK;
}

static int program_entry(struct treefork_device *device, struct treefork_program *program,
                         const char *name, union treefork_object *object)
{
    struct treefork_function *function = program->functions;
    while (function && strcmp(function->name, name) != 0)
        function = function->next;
    if (function) {
        *object = function->object;
        return TREEFORK_OK;
    }
    function = calloc(1, sizeof *function);
    char *copy = program_copy(name);
    int status = TREEFORK_MEMORY;
    if (function && copy)
        status = device->driver->function_new(device, program->object, name, object);
    else
        treefork_fail(TREEFORK_MEMORY, "no memory for a kernel");
    if (status || !function) {
        free(copy);
        free(function);
        return status;
    }
    *function =
        (struct treefork_function){.next = program->functions, .name = copy, .object = *object};
    program->functions = function;
    return TREEFORK_OK;
}

int treefork_program_function(struct treefork_device *device, const struct treefork_launch *launch,
                              union treefork_object *function)
{
    struct treefork_choice choice;
    int status = device->driver->choose(device, launch, &choice);
    if (status)
        return status;
    char *options = program_options(launch, choice.bound);
    if (!options)
        return treefork_fail(TREEFORK_MEMORY, "no memory for build options");
    struct treefork_program *program = program_find(device, choice.text, options);
    if (program)
        free(options);
    else
        status = program_build(device, launch, choice.text, options, &program);
    return status ? status : program_entry(device, program, choice.entry, function);
}

void treefork_program_free_all(struct treefork_device *device)
{
    while (device->programs) {
        struct treefork_program *program = device->programs;
        device->programs = program->next;
        program_free(device, program);
    }
}

/* Loaded programs: text compiled for this device (or taken from the cache on disk, binary.c) with
   values bound, kept by (text, bindings, register budget, contraction) and, within one, by entry
   name. In: a launch; out: the driver's
   function object. The whole text is compared, not its address: a program that reuses memory for
   another text must never meet an old kernel. A few kilobytes compare in a microsecond.
   Where a text does not compile and the module has a binary form too (PTX), that one is loaded; the
   text that failed is remembered, so that it is not compiled again at every launch. */
#include "runtime/internal.h"
#include <stdlib.h>
#include <string.h>

/* Registers of a thread are given in steps of so many. */
enum { STEP = 8 };

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
    for (size_t i = 0; i < program->n_bindings; i++)
        free((char *)program->bindings[i].name);
    free(program->bindings);
    free(program->key.text);
    free(program->text);
    free(program);
}

static bool bindings_equal(const struct treefork_program *p, const struct treefork_launch *launch,
                           bool bound)
{
    size_t n = bound ? launch->n_bindings : 0;
    if (p->n_bindings != n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (p->bindings[i].value != launch->bindings[i].value ||
            strcmp(p->bindings[i].name, launch->bindings[i].name) != 0)
            return false;
    return true;
}

/* Does the program come from this text and from all else that decides the binary? */
static bool program_serves(const struct treefork_program *p, const struct treefork_launch *launch,
                           const struct treefork_choice *choice)
{
    return p->registers == launch->registers && p->is_plane == (launch->grid_width != 0) &&
           p->is_part == launch->part && p->has_small_arrays == launch->small_arrays &&
           p->is_contracted == (launch->module->contract != 0) &&
           bindings_equal(p, launch, choice->bound) && strcmp(p->text, choice->text) == 0;
}

static struct treefork_program *program_find(struct treefork_device *device,
                                             const struct treefork_launch *launch,
                                             const struct treefork_choice *choice)
{
    struct treefork_program *p = device->programs;
    while (p && !program_serves(p, launch, choice))
        p = p->next;
    return p;
}

static bool bindings_copy(struct treefork_program *program, const struct treefork_launch *launch)
{
    program->bindings = calloc(launch->n_bindings + 1, sizeof *program->bindings);
    if (!program->bindings)
        return false;
    for (size_t i = 0; i < launch->n_bindings; i++) {
        char *name = program_copy(launch->bindings[i].name);
        if (!name)
            return false;
        program->bindings[program->n_bindings++] =
            (struct treefork_binding){name, launch->bindings[i].value};
    }
    return true;
}

/* Not yet in the device's list, nor compiled; NULL after a failure. */
static struct treefork_program *program_alloc(struct treefork_device *device,
                                              const struct treefork_launch *launch,
                                              const struct treefork_choice *choice)
{
    struct treefork_program *program = calloc(1, sizeof *program);
    bool is_whole = program && (program->text = program_copy(choice->text)) != NULL &&
                    (!choice->bound || bindings_copy(program, launch));
    if (!is_whole) {
        if (program)
            program_free(device, program);
        treefork_fail(TREEFORK_MEMORY, "no memory for a program");
        return NULL;
    }
    program->registers = launch->registers;
    program->is_plane = launch->grid_width != 0;
    program->is_part = launch->part;
    program->has_small_arrays = launch->small_arrays;
    program->is_contracted = launch->module->contract != 0;
    return program;
}

static void program_add(struct treefork_device *device, struct treefork_program *program)
{
    program->next = device->programs;
    device->programs = program;
}

static int program_make(struct treefork_device *device, const struct treefork_launch *launch,
                         const struct treefork_choice *choice, struct treefork_program **result)
{
    struct treefork_program *program = program_alloc(device, launch, choice);
    if (!program)
        return TREEFORK_MEMORY;
    int status = treefork_binary_get(device, launch, choice->text, program);
    if (status) {
        program_free(device, program);
        return status;
    }
    program_add(device, program);
    *result = program;
    return TREEFORK_OK;
}

/* The program of the text that was chosen, compiled unless it is there. BUILD, and no program,
   after the compiler's refusal; BUILD with a program if it refused the text before. */
static int program_get(struct treefork_device *device, const struct treefork_launch *launch,
                       const struct treefork_choice *choice, struct treefork_program **program)
{
    *program = program_find(device, launch, choice);
    if (!*program)
        return program_make(device, launch, choice, program);
    return (*program)->is_refused ? TREEFORK_BUILD : TREEFORK_OK;
}

/* Says why, by the first two lines of the last message: which kernel, and the first error. */
static void refusal_trace(void)
{
    const char *message = treefork_message(), *second = strchr(message, '\n');
    int length = (int)strcspn(message, "\n");
    if (!treefork_tracing())
        return;
    fprintf(stderr, "%.*s%s%.*s; the embedded PTX is loaded\n", length, message, second ? " " : "",
            second ? (int)strcspn(second + 1, "\n") : 0, second ? second + 1 : "");
}

/* So that it is not compiled again; without memory it will be. */
static void refusal_keep(struct treefork_device *device, const struct treefork_launch *launch,
                         const struct treefork_choice *choice)
{
    struct treefork_program *refused = program_alloc(device, launch, choice);
    if (!refused)
        return;
    refused->is_refused = true;
    program_add(device, refused);
}

/* The compiler refuses the text that was chosen, now or (then it is *program) before: another one
   is loaded in its place. BUILD, with the compiler's message, if there is none. */
static int program_instead(struct treefork_device *device, const struct treefork_launch *launch,
                           const struct treefork_choice *choice, struct treefork_choice *instead,
                           struct treefork_program **program)
{
    bool is_known = *program != NULL;
    if (!device->driver->choose_instead || !device->driver->choose_instead(device, launch, instead))
        return !is_known ? TREEFORK_BUILD
                         : treefork_fail(TREEFORK_BUILD,
                                         "%s: its text was refused before, and there is no PTX "
                                         "for it",
                                         launch->kernel);
    if (!is_known) {
        refusal_trace();
        refusal_keep(device, launch, choice);
    }
    return program_get(device, launch, instead, program);
}

static int program_entry(struct treefork_device *device, struct treefork_program *program,
                         const char *name, struct treefork_function **result)
{
    struct treefork_function *function = program->functions;
    while (function && strcmp(function->name, name) != 0)
        function = function->next;
    *result = function;
    if (function)
        return TREEFORK_OK;
    function = calloc(1, sizeof *function);
    char *copy = program_copy(name);
    int status = TREEFORK_MEMORY;
    if (function && copy)
        status = device->driver->function_new(device, program->object, name, &function->object);
    else
        treefork_fail(TREEFORK_MEMORY, "no memory for a kernel");
    if (status || !function) {
        free(copy);
        free(function);
        return status;
    }
    function->name = copy;
    function->program = program;
    function->next = program->functions;
    *result = program->functions = function;
    return TREEFORK_OK;
}

/* Compiled within launch->registers, 0 = without a limit. */
static int function_get(struct treefork_device *device, const struct treefork_launch *launch,
                        struct treefork_function **function)
{
    struct treefork_choice choice;
    struct treefork_program *program = NULL;
    int status = device->driver->choose(device, launch, &choice);
    if (status)
        return status;
    status = program_get(device, launch, &choice, &program);
    struct treefork_choice instead = choice;
    if (status == TREEFORK_BUILD)
        status = program_instead(device, launch, &choice, &instead, &program);
    return status ? status : program_entry(device, program, instead.entry, function);
}

bool treefork_program_is_kept(struct treefork_device *device, const struct treefork_launch *launch)
{
    struct treefork_choice choice;
    if (device->driver->choose(device, launch, &choice)) {
        treefork_message_clear();
        return false;
    }
    return program_find(device, launch, &choice) ||
           treefork_binary_is_kept(device, launch, choice.text);
}

/* May each of the block's threads have so many registers? A multiprocessor gives registers to whole
   warps of each partition, as `clamped` of tables.c has it. */
static bool block_holds(const struct treefork_machine *machine, int64_t threads, int registers)
{
    int64_t unit = machine->value[TREEFORK_W_B] * machine->value[TREEFORK_Q_B];
    int64_t file = machine->value[TREEFORK_F_B];
    if (registers > machine->value[TREEFORK_R_B])
        return false;
    if (file == TREEFORK_UNLIMITED || unit <= 0)
        return true;
    return (threads + unit - 1) / unit * unit <= file / registers;
}

/* Says how many registers a kernel has in the end that spilled some within the limit. */
static void rise_trace(const struct treefork_launch *launch, int registers, int bytes)
{
    if (treefork_tracing())
        fprintf(stderr, "%s: spills within %d registers, runs with %d, %d bytes spilled\n",
                launch->kernel, launch->registers, registers, bytes);
}

/* Compiled within launch->registers, or within so many steps more that nothing is spilled that
   `freely` keeps in registers, as far as the block fits. */
static int function_within(struct treefork_device *device, const struct treefork_launch *launch,
                           struct treefork_function *freely, struct treefork_function **function)
{
    const struct treefork_driver *driver = device->driver;
    struct treefork_launch within = *launch;
    int most = driver->function_registers(freely->object);
    int local = driver->function_local(freely->object);
    int status = function_get(device, &within, function);
    bool rises = !status && driver->function_local((*function)->object) > local, spills = rises;
    while (spills && block_holds(&device->machine, launch->threads, within.registers + STEP)) {
        within.registers += STEP;
        if (within.registers >= most)
            *function = freely;
        else
            status = function_get(device, &within, function);
        if (status)
            return status;
        spills = driver->function_local((*function)->object) > local;
    }
    if (rises)
        rise_trace(launch, within.registers,
                   driver->function_local((*function)->object) - local);
    return status;
}

/* A compiler that is given a limit fills it, and now and then spills where it needs no more than
   that without one. So the limit is given only to what takes more freely; what is compiled freely
   serves all launches of a module. The limit is an estimate: where a kernel spills within the
   limit, the limit rises by steps while the block still fits, at most to what is taken freely. */
static int function_find(struct treefork_device *device, const struct treefork_launch *launch,
                         struct treefork_function **function)
{
    struct treefork_launch freely = *launch;
    freely.registers = 0;
    if (launch->registers <= 0 || !device->driver->function_registers)
        return function_get(device, launch, function);
    int status = function_get(device, &freely, function);
    if (status || device->driver->function_registers((*function)->object) <= launch->registers)
        return status;
    return function_within(device, launch, *function, function);
}

/* The place where a launch of a region is remembered; NULL if it cannot be. */
static struct treefork_known_launch *known_place(struct treefork_device *device,
                                                 const struct treefork_launch *launch,
                                                 struct treefork_origin origin)
{
    if (origin.region == 0 || launch->n_bindings > TREEFORK_KNOWN_BINDINGS)
        return NULL;
    return &device->known[(origin.region * 7 + origin.launch) % TREEFORK_KNOWN];
}

/* Is it that launch with the same values? Their names, the text and the entry are its row's. */
static bool known_serves(const struct treefork_known_launch *known,
                         const struct treefork_launch *launch, struct treefork_origin origin)
{
    bool serves = known->origin.region == origin.region &&
                  known->origin.launch == origin.launch && known->registers == launch->registers &&
                  known->is_plane == (launch->grid_width != 0) &&
                  known->has_small_arrays == launch->small_arrays &&
                  known->n_bindings == launch->n_bindings;
    for (size_t i = 0; serves && i < launch->n_bindings; i++)
        serves = known->bindings[i] == launch->bindings[i].value;
    return serves;
}

static void known_set(struct treefork_known_launch *known, const struct treefork_launch *launch,
                      struct treefork_origin origin, struct treefork_function *function)
{
    *known = (struct treefork_known_launch){.origin = origin,
                                            .function = function,
                                            .registers = launch->registers,
                                            .is_plane = launch->grid_width != 0,
                                            .has_small_arrays = launch->small_arrays,
                                            .n_bindings = launch->n_bindings};
    for (size_t i = 0; i < launch->n_bindings; i++)
        known->bindings[i] = launch->bindings[i].value;
}

int treefork_program_function(struct treefork_device *device, const struct treefork_launch *launch,
                              struct treefork_origin origin, struct treefork_function **function)
{
    struct treefork_known_launch *known = known_place(device, launch, origin);
    if (known && known_serves(known, launch, origin)) {
        *function = known->function;
        return TREEFORK_OK;
    }
    int status = function_find(device, launch, function);
    if (!status && known)
        known_set(known, launch, origin, *function);
    return status;
}

bool treefork_text_is_general(struct treefork_device *device, const struct treefork_launch *launch)
{
    if (!device->driver->is_general)
        return false;
    pthread_mutex_lock(&device->mutex);
    bool is_general = device->driver->is_general(device, launch);
    pthread_mutex_unlock(&device->mutex);
    return is_general;
}

void treefork_program_free_all(struct treefork_device *device)
{
    while (device->programs) {
        struct treefork_program *program = device->programs;
        device->programs = program->next;
        program_free(device, program);
    }
}

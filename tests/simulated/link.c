/* The linker of the simulated driver. In: PTX with a zero at its end; out: an image that
   cuModuleLoadDataEx takes. It is the text itself behind a line that holds the register budget,
   since the simulated driver runs the kernels' IR. TREEFORK_SIMULATED_FAIL reaches it as it does
   every entry point. */
#include "tests/simulated/simulated.h"
#include <stdlib.h>
#include <string.h>

enum { INPUT_PTX = 1 };

static struct sim_link *link_of(const void *handle)
{
    struct sim_link *link = simulated()->links;
    while (link && link != handle)
        link = link->next;
    return link;
}

static void link_free(struct sim_link *link)
{
    free(link->input);
    free(link->image);
    free(link);
}

int sim_links_free(void)
{
    struct sim *sim = simulated();
    int count = 0;
    for (; sim->links; count++) {
        struct sim_link *link = sim->links;
        sim->links = link->next;
        link_free(link);
    }
    return count;
}

int cuLinkCreate_v2(unsigned n_options, int *options, void **values, void **state)
{
    struct sim *sim = simulated();
    int code = sim_enter("cuLinkCreate_v2", true);
    struct sim_link *link = code ? NULL : calloc(1, sizeof *link);
    if (!link)
        return code ? code : CU_OUT_OF_MEMORY;
    for (unsigned i = 0; i < n_options; i++)
        if (options[i] == JIT_MAX_REGISTERS)
            link->max_registers = (int)(uintptr_t)values[i];
    link->next = sim->links;
    *state = sim->links = link;
    return CU_OK;
}

int cuLinkAddData_v2(void *state, int type, void *data, size_t size, const char *name,
                     unsigned n_options, int *options, void **values)
{
    struct sim_link *link = link_of(state);
    int code = sim_enter("cuLinkAddData_v2", true);
    (void)name, (void)options, (void)values;
    if (code || !link || type != INPUT_PTX || n_options || link->input)
        return code ? code
                    : sim_fail(CU_INVALID_VALUE,
                               "an input of another kind, or a second one, is linked");
    if (!data || size == 0 || ((const char *)data)[size - 1] != '\0' || strlen(data) + 1 != size)
        return sim_fail(CU_INVALID_VALUE, "PTX is linked that ends elsewhere than its size says");
    link->input = strdup(data);
    return sim_ptx_check(data);
}

int cuLinkComplete(void *state, void **image, size_t *size)
{
    struct sim_link *link = link_of(state);
    int code = sim_enter("cuLinkComplete", true);
    if (code || !link || !link->input)
        return code ? code : sim_fail(CU_INVALID_VALUE, "a link without input is completed");
    size_t room = strlen(link->input) + strlen(SIM_LINKED) + 32;
    link->image = calloc(room, 1);
    if (!link->image)
        return CU_OUT_OF_MEMORY;
    int n = snprintf(link->image, room, SIM_LINKED "%d\n%s", link->max_registers, link->input);
    *image = link->image;
    *size = (size_t)n + 1;
    return CU_OK;
}

int cuLinkDestroy(void *state)
{
    struct sim_link **place = &simulated()->links, *link;
    int code = sim_enter("cuLinkDestroy", true);
    while (*place && *place != state)
        place = &(*place)->next;
    link = *place;
    if (code || !link)
        return code ? code : sim_fail(CU_INVALID_VALUE, "an unknown link is destroyed");
    *place = link->next;
    link_free(link);
    return CU_OK;
}

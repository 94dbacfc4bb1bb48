/* Devices with members: opening, closing and waiting. In: single devices, opened one after the
   other; out: the first device, which has the others as its further members. Arrays are copied,
   also where a member could work in the host's memory. The limits of all members hold for every
   one of them, since they run parts of one launch. TREEFORK_WEIGHTS says which shares of the
   blocks the members get, if not equal ones. */
#include "runtime/group.h"
#include <stdlib.h>
#include <string.h>

/* --- lists of numbers ------------------------------------------------------------------------- */

static bool numbers_read(const char *list, long most, long *numbers, size_t *count)
{
    bool is_more = true;
    *count = 0;
    while (is_more && *count < TREEFORK_MEMBERS_MAX) {
        char *end = NULL;
        bool is_digit = *list >= '0' && *list <= '9';
        long number = is_digit ? strtol(list, &end, 10) : -1;
        if (!is_digit || number > most || (*end && *end != ','))
            return false;
        numbers[(*count)++] = number;
        is_more = *end == ',';
        list = end + 1;
    }
    return !is_more;
}

int treefork_group_numbers(const char *list, int devices, int *numbers, size_t *count)
{
    long read[TREEFORK_MEMBERS_MAX];
    if (strcmp(list, "all") == 0) {
        *count = (size_t)(devices < TREEFORK_MEMBERS_MAX ? devices : TREEFORK_MEMBERS_MAX);
        for (size_t i = 0; i < *count; i++)
            numbers[i] = (int)i;
        return *count ? TREEFORK_OK : treefork_fail(TREEFORK_NO_DEVICE, "there is no such device");
    }
    if (!numbers_read(list, 4095, read, count))
        return treefork_fail(TREEFORK_ARGUMENT,
                             "'%s' is no list of devices: use numbers with commas between them, "
                             "%d at most, or all",
                             list, TREEFORK_MEMBERS_MAX);
    for (size_t i = 0; i < *count; i++)
        numbers[i] = (int)read[i];
    return TREEFORK_OK;
}

static int weights_read(struct treefork_group *group)
{
    const char *text = treefork_environment("TREEFORK_WEIGHTS");
    long read[TREEFORK_MEMBERS_MAX], sum = 0;
    size_t count;
    for (size_t i = 0; i < group->count; i++)
        group->weight[i] = 1;
    group->several.weight = text && *text ? group->weight : NULL;
    if (!text || !*text || strcmp(text, "equal") == 0)
        return TREEFORK_OK;
    bool is_list = numbers_read(text, 1000000, read, &count) && count == group->count;
    for (size_t i = 0; i < (is_list ? count : 0); i++)
        sum += group->weight[i] = read[i];
    return sum > 0 ? TREEFORK_OK
                   : treefork_fail(TREEFORK_ARGUMENT,
                                   "TREEFORK_WEIGHTS: '%s' is no list of %zu weights, one for each "
                                   "device and not all of them 0; or equal",
                                   text, group->count);
}

/* --- members ---------------------------------------------------------------------------------- */

static uint64_t least_known(uint64_t a, uint64_t b)
{
    return a && (!b || a < b) ? a : b;
}

/* The limits of each member hold for all members. */
static void group_meet(struct treefork_device *device, struct treefork_group *group)
{
    for (size_t i = 1; i < group->count; i++) {
        const struct treefork_device *member = group->member[i];
        treefork_machine_meet(&device->machine, &member->machine);
        treefork_machine_meet(&device->enforced, &member->enforced);
        device->memory_all = least_known(device->memory_all, member->memory_all);
        device->memory_one = least_known(device->memory_one, member->memory_one);
    }
    device->machine.value[TREEFORK_N_D] = (int64_t)group->count;
    group->name = strlen(device->name);
    snprintf(device->name + group->name, sizeof device->name - group->name, " and %zu more",
             group->count - 1);
}

/* The devices as predictions know them. */
static void group_predict(struct treefork_group *group)
{
    group->first = group->member[0]->machine;
    group->several.count = group->count;
    group->several.machine[0] = &group->first;
    for (size_t i = 1; i < group->count; i++)
        group->several.machine[i] = &group->member[i]->machine;
}

const struct treefork_several *treefork_device_several(const struct treefork_device *device)
{
    return device && device->group ? &device->group->several : NULL;
}

int treefork_group_new(struct treefork_device *const *devices, size_t count)
{
    struct treefork_device *device = devices[0];
    if (!device->driver->join)
        return treefork_fail(TREEFORK_ARGUMENT,
                             "devices of this kind do not work together");
    struct treefork_group *group = calloc(1, sizeof *group);
    if (!group)
        return treefork_fail(TREEFORK_MEMORY, "no memory for devices");
    group->count = count;
    memcpy(group->member, devices, count * sizeof *devices);
    int status = weights_read(group);
    if (status) {
        free(group);
        return status;
    }
    group->windows = treefork_environment_is("TREEFORK_WINDOWS", "always");
    group->reaches = device->driver->join(devices, count);
    for (size_t i = 0; i < count; i++)
        devices[i]->shares = false;
    group_predict(group);
    group_meet(device, group);
    device->group = group;
    return TREEFORK_OK;
}

void treefork_group_end(struct treefork_device *device)
{
    struct treefork_group *group = device->group;
    if (!group)
        return;
    treefork_order_end(device);
    device->group = NULL;
    for (size_t i = 1; i < group->count; i++)
        treefork_close(group->member[i]);
    free(group->bounce);
    free(group);
}

int treefork_member_status(struct treefork_device *device, const struct treefork_device *member,
                           int status)
{
    device->lost |= member->lost;
    return status;
}

int treefork_group_wait(struct treefork_device *device, const char *what)
{
    int result = TREEFORK_OK;
    for (size_t i = 0; i < treefork_members(device); i++) {
        struct treefork_device *member = treefork_member(device, i);
        int status = member->driver->wait(member, what);
        result = status ? treefork_member_status(device, member, status) : result;
    }
    if (device->group)
        treefork_order_done(device);
    return result;
}

uint64_t treefork_member_bytes(const struct treefork_device *device, int member)
{
    uint64_t bytes = 0;
    if (!device || member < 0)
        return 0;
    pthread_mutex_t *mutex = &((struct treefork_device *)device)->mutex;
    pthread_mutex_lock(mutex);
    if ((size_t)member < treefork_members(device))
        bytes = treefork_exchange_held(device, (size_t)member);
    pthread_mutex_unlock(mutex);
    return bytes;
}

struct treefork_exchanged treefork_exchanged(const struct treefork_device *device)
{
    struct treefork_exchanged exchanged = {.members = device ? 1 : 0};
    if (!device || !device->group)
        return exchanged;
    pthread_mutex_t *mutex = &((struct treefork_device *)device)->mutex;
    pthread_mutex_lock(mutex);
    exchanged.members = (int)device->group->count;
    exchanged.copies = device->group->copies;
    exchanged.bytes = device->group->bytes;
    pthread_mutex_unlock(mutex);
    return exchanged;
}

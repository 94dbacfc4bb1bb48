/* What a choice (runtime/choice.c) asks of a process that has devices, for a page, which has none:
   nothing is remembered, tuned or set. */
#include "runtime/choice.h"
#include "runtime/several.h"
#include "runtime/tuned.h"

const struct treefork_machine *treefork_device_machine(const struct treefork_device *device)
{
    (void)device;
    return NULL;
}

const struct treefork_several *treefork_device_several(const struct treefork_device *device)
{
    (void)device;
    return NULL;
}

bool treefork_text_is_general(struct treefork_device *device, const struct treefork_launch *launch)
{
    (void)device, (void)launch;
    return false;
}

void treefork_choice_count(struct treefork_device *device)
{
    (void)device;
}

uint64_t treefork_choice_generation(void)
{
    return 0;
}

bool treefork_choice_recall(const struct treefork_key *key, struct treefork_chosen *choice)
{
    (void)key, (void)choice;
    return false;
}

void treefork_choice_remember(const struct treefork_key *key, const struct treefork_chosen *choice)
{
    (void)key, (void)choice;
}

bool treefork_tuned_choose(const struct treefork_tunables *tunables, treefork_int *integers,
                           struct treefork_chosen *choice)
{
    (void)tunables, (void)integers, (void)choice;
    return false;
}

int treefork_setting(enum treefork_setting list, const char *name)
{
    (void)list, (void)name;
    return 0;
}

#ifndef TREEFORK_GROUP_H
#define TREEFORK_GROUP_H
/* A device with members: several devices that share out the blocks of a launch and keep arrays
   together. Member 1 is the device itself, which works alone where a launch cannot be cut; further
   ones are devices that nobody else sees, with drivers and programs of their own, but no buffers.
   Side SIDE_OF_MEMBER << k of a buffer is that of number k here, from 0 on. */
#include "runtime/several.h"

#pragma GCC visibility push(hidden)

struct treefork_parting;

/* A copy from member to member that may not be done. Launches of either member that are given to a
   queue from now on run behind it where `target_knows`, `source_knows`. */
struct treefork_copying {
    union treefork_object done;
    const struct treefork_buffer *buffer;
    size_t to, from;
    struct treefork_row row;
    bool target_knows, source_knows;
};

/* The order of launches and copies (order.c). */
enum { TREEFORK_COPYINGS = 64 };
struct treefork_order {
    struct treefork_copying copying[TREEFORK_COPYINGS];
    size_t count;
    union treefork_object launched[TREEFORK_MEMBERS_MAX];   /* events of the members' launches */
    uint32_t is_current;        /* by member: its event stands for all launches so far */
    uint32_t known[TREEFORK_MEMBERS_MAX];   /* by member: whose events its queue of copies awaits */
};

struct treefork_group {
    size_t count;
    struct treefork_device *member[TREEFORK_MEMBERS_MAX];
    int64_t weight[TREEFORK_MEMBERS_MAX];   /* shares of blocks; positive, 0: it gets none */
    struct treefork_machine first;          /* the first member's own */
    size_t name;                /* so many bytes of the device's name are the first member's */
    struct treefork_several several;        /* for predictions */
    bool reaches;               /* members copy to each other without the host */
    char *bounce;               /* for copies through the host; NULL: there was none yet */
    uint64_t copies, bytes;     /* from member to member */
    struct treefork_order order;
    const struct treefork_parting *parting;     /* of the launches at hand; NULL: they run
                                                   whole */
    bool windows;               /* members have memory of the bytes alone that their blocks touch,
                                   since whole arrays did not fit */
};

static inline size_t treefork_members(const struct treefork_device *device)
{
    return device->group ? device->group->count : 1;
}
static inline struct treefork_device *treefork_member(struct treefork_device *device, size_t number)
{
    return device->group ? device->group->member[number] : device;
}
/* A row of an array that lies in the window, as one of its memory. */
static inline struct treefork_row treefork_window_row(const struct treefork_window *window,
                                                      const struct treefork_row *row)
{
    return (struct treefork_row){row->begin - window->begin, row->bytes, row->pitch, row->pieces};
}
static inline uint64_t treefork_member_side(size_t number)
{
    return (uint64_t)SIDE_OF_MEMBER << number;
}

/* group.c */
/* "0,1,2" or "all" of so many devices: their numbers. ARGUMENT for anything else. */
int treefork_group_numbers(const char *list, int devices, int *numbers, size_t *count);
/* Makes the first of several opened devices one with members. ARGUMENT, with nothing changed, if
   they cannot work together. */
int treefork_group_new(struct treefork_device *const *devices, size_t count);
/* Closes the further members. */
void treefork_group_end(struct treefork_device *device);
/* Waits for all members. */
int treefork_group_wait(struct treefork_device *device, const char *what);
/* A driver's call for this member has this status; what it says of the member holds for the device.
   The status. */
int treefork_member_status(struct treefork_device *device, const struct treefork_device *member,
                           int status);

/* exchange.c: the memory of a buffer on a member, and copies between all sides. */
/* The buffer's memory on a member; without memory the address is 0. */
struct treefork_window treefork_exchange_memory(const struct treefork_buffer *b, size_t member);
/* Gets memory there of bytes begin .. end - 1 at least, in whose place other buffers' may go. */
int treefork_exchange_reserve(struct treefork_device *device, struct treefork_buffer *b,
                              size_t member, size_t begin, size_t end);
/* So many bytes of a range have room in all memory that the buffer has; SIZE_MAX without memory. */
size_t treefork_exchange_room(const struct treefork_device *device,
                              const struct treefork_buffer *b);
/* Bytes of a member's memory that buffers have; those of the program's own do not count. */
uint64_t treefork_exchange_held(const struct treefork_device *device, size_t member);
/* All arrays that members may have copies of come to the host, and members have no memory of them.
   Partial results, which have no host side, stay. */
int treefork_exchange_empty(struct treefork_device *device);
/* The side gets what it lacks of the row; a member has memory. The host has it when the call
   returns, and launches that a member is given from then on have it. */
int treefork_exchange_need(struct treefork_device *device, struct treefork_buffer *b,
                           uint64_t side, struct treefork_row row);
/* The same for a part, which asks itself which copies it has to run behind. */
int treefork_exchange_bring(struct treefork_device *device, struct treefork_buffer *b,
                            uint64_t side, struct treefork_row row);
/* Notes a use of the buffer by launches, which copy what their members need themselves. */
int treefork_exchange_later(struct treefork_device *device, struct treefork_buffer *b,
                            unsigned access);
/* Fills all memory that the member has of the array with a word. */
int treefork_exchange_fill(struct treefork_device *device, struct treefork_buffer *b, size_t member,
                           uint32_t word);
/* The host joins its contents, the newest ones, with what the member's blocks have added up in its
   memory of the array. */
int treefork_exchange_join(struct treefork_device *device, struct treefork_buffer *b, size_t member,
                           enum treefork_reduction reduction);
/* Fills what the member lacks of the array, so that nothing old looks right by chance. */
int treefork_exchange_poison(struct treefork_device *device, struct treefork_buffer *b,
                             size_t member);
/* Frees the buffer's memory on all members but the first, with the contents there. */
void treefork_exchange_free(struct treefork_device *device, struct treefork_buffer *b);
/* order.c: copies between members run beside launches. */
/* Gives a copy to the target's queue of copies, behind all launches of both members and all copies
   that touch what it touches. */
int treefork_order_copy(struct treefork_device *device, const struct treefork_buffer *b, size_t to,
                        size_t from, const struct treefork_row *row);
/* Later operations of the member's queue of launches run behind copies that touch these bytes. A
   row of NULL: all bytes. */
int treefork_order_behind(struct treefork_device *device, const struct treefork_buffer *b,
                          size_t member, const struct treefork_row *row, bool writes);
/* Is there a copy that such an operation of the member would run behind? */
bool treefork_order_meets(const struct treefork_device *device, const struct treefork_buffer *b,
                          size_t member, const struct treefork_row *row, bool writes);
/* Nanoseconds of the copies into the member's memory that its launches have not waited for, by the
   machine's figures. */
double treefork_order_time(const struct treefork_device *device, size_t member,
                           const struct treefork_machine *machine);
/* Behind all copies from and to the member. */
int treefork_order_behind_all(struct treefork_device *device, size_t member);
/* The member's queue of launches was given something. */
void treefork_order_given(struct treefork_device *device, size_t member);
/* Before memory of the array is freed or lent: until all copies of it are done. */
int treefork_order_settle(struct treefork_device *device, const struct treefork_buffer *b);
/* All copies are done. */
void treefork_order_done(struct treefork_device *device);
void treefork_order_end(struct treefork_device *device);

/* May members other than the first keep copies of this buffer? */
bool treefork_is_spread(const struct treefork_device *device, const struct treefork_buffer *b);

#pragma GCC visibility pop
#endif

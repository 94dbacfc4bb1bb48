/* Whether there is room for a run of `treefork verify` and `tune`: what arrays of so many bytes
   take in memory and in the folder of the run, against what there is. A run that does not fit would
   be killed without a word.

   Arrays are there three times at most, in memory and files together (tests/verify/memory.test). On
   a device: the expected results in a file, and in memory the arrays with a device's copies of
   them; or in files those results and results as they are written, while the arrays go (harness.c).
   Inside the generator: the arrays that host code works on, in a file, or at file scope in memory;
   the expected contents; and copies of what a region that is checked writes. Beside that the
   sanitizer of the serial program has a byte for each eight of them, the interpreter of threads its
   notes of each element that is written, `tune` a copy of the arrays, with which each call begins.
   */
#include "cli/verify.h"
#include "ir/interpret.h"
#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>

/* Times the bytes of the arrays; `together` where the files of the folder are in memory, too. */
static const struct needs {
    double memory, files, together;
} needs[] = {[ROOM_DEVICE] = {2.2, 2, 3.2},
             [ROOM_TUNE] = {3.2, 2, 4.2},
             [ROOM_GENERATOR] = {2, 1, 3}};

/* Of large arrays the tool says what a run takes before it starts. */
static const double large = 100e6;

/* What the C compiler and the libraries of a device take beside. */
static const double beside = 256e6;

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* The number behind a word of a file of the system, in bytes of `unit`; infinite if it is not there
   or no number. */
static double system_number(const char *path, const char *word, double unit)
{
    char line[256];
    double value = INFINITY, found;
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, word, strlen(word)) == 0 &&
            sscanf(line + strlen(word), "%lf", &found) == 1) {
            value = found * unit;
            break;
        }
    if (file)
        fclose(file);
    return value;
}

/* Of what a container may have, without what its files hold that are on a disk, too. */
static double container_available(void)
{
    double most = least(system_number("/sys/fs/cgroup/memory.max", "", 1),
                        system_number("/sys/fs/cgroup/memory/memory.limit_in_bytes", "", 1));
    double taken = least(system_number("/sys/fs/cgroup/memory.stat", "anon ", 1),
                         system_number("/sys/fs/cgroup/memory/memory.stat", "total_rss ", 1));
    return isfinite(taken) ? most - taken : most;
}

static double memory_available(void)
{
    struct rlimit limit;
    double available = least(system_number("/proc/meminfo", "MemAvailable:", 1024) +
                                 least(system_number("/proc/meminfo", "SwapFree:", 1024), 1e18),
                             container_available());
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        available = least(available, (double)limit.rlim_cur);
    return available;
}

/* Are the files of the folder in memory? */
static bool is_in_memory(const char *folder)
{
    enum { TMPFS = 0x01021994, RAMFS = (int)0x858458f6 };
    struct statfs status;
    return statfs(folder, &status) == 0 &&
           ((int)status.f_type == TMPFS || (int)status.f_type == RAMFS);
}

static double folder_available(const char *folder)
{
    struct statvfs status;
    return statvfs(folder, &status) == 0 ? (double)status.f_bavail * (double)status.f_frsize
                                         : INFINITY;
}

/* The array that has most bytes. */
static const struct datum *largest_array(const struct datum *data, int n_data)
{
    const struct datum *largest = data;
    for (int i = 1; i < n_data; i++)
        if ((double)data[i].count * type_bytes(data[i].type) >
            (double)largest->count * type_bytes(largest->type))
            largest = &data[i];
    return largest;
}

static bool is_written(const struct verification *v, int function, const char *name)
{
    bool any = false;
    for (size_t i = 0; i < v->program->n_regions; i++) {
        const struct kernel *kernel = v->program->regions[i]->kernel;
        const struct array *array = kernel_array(kernel, name);
        any |= v->program->regions[i]->function == function && array &&
               stmt_stores_to(kernel->body, array);
    }
    return any;
}

/* Bytes that the interpreter of threads notes; < 0 after a diagnostic if it cannot. */
static double notes_of(struct verification *v, int function, const struct datum *data, int n_data)
{
    double most = 0;
    if (!v->interprets_threads)
        return 0;
    for (int i = 0; i < n_data; i++) {
        double notes = (double)data[i].count * INTERPRET_NOTE;
        if (!data[i].is_array || !is_written(v, function, data[i].name))
            continue;
        if (notes > INTERPRET_NOTES_MOST) {
            diag_error(v->ctx, loc_none(),
                       "%s: `%s` has %lld elements, and --witness threads takes %d at most of what "
                       "a region writes: choose smaller values, or another witness",
                       v->program->functions[function].name, data[i].name,
                       (long long)data[i].count, INTERPRET_NOTES_MOST / INTERPRET_NOTE);
            return -1;
        }
        most += notes;
    }
    return most;
}

struct room {
    double arrays, memory, files;    /* bytes, and what a run takes of them */
    double free_memory, free_files;
};

static bool room_lacks(struct verification *v, int function, const struct room *room,
                       const struct datum *largest)
{
    bool lacks_memory = room->memory > room->free_memory;
    double gigabyte = 1e9;
    if (room->arrays == 0 || (!lacks_memory && room->files <= room->free_files))
        return false;
    diag_error(v->ctx, loc_none(),
               "%s: its arrays have %.1f GB, so a run takes %.1f GB %s%s, and %.1f GB are left",
               v->program->functions[function].name, room->arrays / gigabyte,
               (lacks_memory ? room->memory : room->files) / gigabyte,
               lacks_memory ? "of memory" : "in the folder ", lacks_memory ? "" : v->folder,
               (lacks_memory ? room->free_memory : room->free_files) / gigabyte);
    diag_note(v->ctx, loc_none(), "`%s` has %lld elements; give smaller values by --set%s",
              largest->name, (long long)largest->count,
              lacks_memory ? "" : ", or another folder by TMPDIR");
    return true;
}

static void room_say(struct verification *v, int function, const struct room *room)
{
    if (room->arrays < large || room->arrays == v->arrays_said)
        return;
    v->arrays_said = room->arrays;
    printf("%s: its arrays have %.2f GB; a run takes up to %.2f GB of memory and %.2f GB in %s\n",
           v->program->functions[function].name, room->arrays / 1e9, room->memory / 1e9,
           room->files / 1e9, v->folder);
    fflush(stdout);
}

bool room_suffices(struct verification *v, int function, const struct datum *data, int n_data,
                   enum room_kind kind)
{
    struct room room = {.free_files = folder_available(v->folder),
                        .free_memory = memory_available()};
    double notes = notes_of(v, function, data, n_data);
    if (notes < 0)
        return false;
    for (int i = 0; i < n_data; i++)
        room.arrays += data[i].is_array ? (double)data[i].count * type_bytes(data[i].type) : 0;
    room.files = room.arrays * needs[kind].files;
    room.memory = beside + notes + room.arrays * (is_in_memory(v->folder) ? needs[kind].together
                                                                          : needs[kind].memory);
    if (room_lacks(v, function, &room, largest_array(data, n_data)))
        return false;
    room_say(v, function, &room);
    return true;
}

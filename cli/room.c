/* Whether there is room for a run of `treefork verify` and `tune`: what arrays of so many bytes
   take in memory and in the folder of the run, against what there is. A run that does not fit would
   be killed without a word, with all its files left behind.

   On a device the serial program has the arrays and copies of them, under a sanitizer that keeps a
   byte for each eight of them, and a leaf has both and perhaps the device's; files are the results
   of both and what host code works on. Inside the generator there are what is expected and what an
   interpreter notes of each element; the file is what host code works on. */
#include "cli/verify.h"
#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>

/* Times the bytes of the arrays. */
static const struct needs {
    double memory, files;
} needs[] = {[ROOM_DEVICE] = {3.3, 3}, [ROOM_GENERATOR] = {2, 1}};

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

bool room_suffices(struct verification *v, int function, const struct datum *data, int n_data,
                   enum room_kind kind)
{
    double bytes = 0, gigabyte = 1e9;
    for (int i = 0; i < n_data; i++)
        bytes += data[i].is_array ? (double)data[i].count * type_bytes(data[i].type) : 0;
    double files = bytes * needs[kind].files, memory = bytes * needs[kind].memory + beside;
    double free_files = folder_available(v->folder), free_memory = memory_available();
    memory += is_in_memory(v->folder) ? files : 0;
    bool lacks_memory = memory > free_memory;
    if (bytes == 0 || (!lacks_memory && files <= free_files))
        return true;
    diag_error(v->ctx, loc_none(),
               "%s: its arrays have %.1f GB, so a run takes %.1f GB %s%s, and %.1f GB are left",
               v->program->functions[function].name, bytes / gigabyte,
               (lacks_memory ? memory : files) / gigabyte,
               lacks_memory ? "of memory" : "in the folder ", lacks_memory ? "" : v->folder,
               (lacks_memory ? free_memory : free_files) / gigabyte);
    diag_note(v->ctx, loc_none(), "`%s` has %lld elements; give smaller values by --set%s",
              largest_array(data, n_data)->name, (long long)largest_array(data, n_data)->count,
              lacks_memory ? "" : ", or another folder by TMPDIR");
    return false;
}

/* The cache on disk, without a device: digests, entries, folders, and what others do to them.
   Nothing but the image that was written for a key ever comes back for it, whatever bit of the file
   is turned, however many processes write at once, and however they end. Launches through the cache
   are in runtime_cache_device.c. */
#include "runtime/cache.h"
#include "runtime/hash.h"
#include "runtime/internal.h"
#include "tests/unit/runtime_test.h"
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <time.h>

static char base[512];          /* folder of this run */
static char path[800];          /* of what was made last in it */

static const char *in_base(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", base, name);
    return path;
}

/* An empty cache of its own with a bound in bytes. */
static struct treefork_cache *cache_new(const char *name, uint64_t bytes_max)
{
    struct treefork_cache *cache = treefork_cache_at(in_base(name), true);
    if (cache)
        cache->bytes_max = bytes_max;
    return cache;
}

/* The image of a key is its text over and over, so that a wrong one shows. */
static struct treefork_image image_of(const char *key, size_t size)
{
    struct treefork_image image = {malloc(size + 1), size};
    for (size_t i = 0; i < size; i++)
        ((char *)image.bytes)[i] = key[i % strlen(key)];
    return image;
}

static bool put(const struct treefork_cache *cache, const char *key, size_t size)
{
    struct treefork_image image = image_of(key, size);
    bool is_kept = treefork_cache_write(cache, key, strlen(key), &image);
    free(image.bytes);
    return is_kept;
}

/* 1: the image of the key; 0: none; -1: something else. */
static int get(const struct treefork_cache *cache, const char *key)
{
    struct treefork_image image;
    int result = treefork_cache_read(cache, key, strlen(key), &image);
    if (!result && (image.bytes || image.size))
        result = -1;
    for (size_t i = 0; i < image.size && result == 1; i++)
        if (((char *)image.bytes)[i] != key[i % strlen(key)])
            result = -1;
    free(image.bytes);
    return result;
}

static const char *file_of(const struct treefork_cache *cache, const char *key)
{
    char name[TREEFORK_ENTRY_NAME];
    treefork_entry_name(key, strlen(key), name);
    snprintf(path, sizeof path, "%s/%s", cache->path, name);
    return path;
}

static bool file_write(const char *file, const void *bytes, size_t size)
{
    FILE *out = fopen(file, "wb");
    bool is_written = out && fwrite(bytes, 1, size, out) == size;
    return out && fclose(out) == 0 && is_written;
}

static size_t file_read(const char *file, unsigned char *bytes, size_t room)
{
    FILE *in = fopen(file, "rb");
    size_t size = in ? fread(bytes, 1, room, in) : 0;
    if (in)
        fclose(in);
    return size;
}

/* Files whose names begin with `prefix`. */
static int files(const struct treefork_cache *cache, const char *prefix)
{
    DIR *folder = opendir(cache->path);
    int count = 0;
    for (struct dirent *item = folder ? readdir(folder) : NULL; item; item = readdir(folder))
        count += strncmp(item->d_name, prefix, strlen(prefix)) == 0 &&
                 strcmp(item->d_name, ".") != 0 && strcmp(item->d_name, "..") != 0;
    if (folder)
        closedir(folder);
    return count;
}

/* The digests that the authors of SipHash publish for the bytes 0, 1, …; and that pieces make no
   difference. */
static void digests(struct test *test)
{
    static const unsigned char published[][TREEFORK_HASH_BYTES] = {
        {0xa3, 0x81, 0x7f, 0x04, 0xba, 0x25, 0xa8, 0xe6, 0x6d, 0xf6, 0x72, 0x14, 0xc7, 0x55, 0x02,
         0x93},
        {0xda, 0x87, 0xc1, 0xd8, 0x6b, 0x99, 0xaf, 0x44, 0x34, 0x76, 0x59, 0x11, 0x9b, 0x22, 0xfc,
         0x45},
        {0x81, 0x77, 0x22, 0x8d, 0xa4, 0xa4, 0x5d, 0xc7, 0xfc, 0xa3, 0x8b, 0xde, 0xf6, 0x0a, 0xff,
         0xe4},
    };
    unsigned char bytes[100], whole[TREEFORK_HASH_BYTES], pieces[TREEFORK_HASH_BYTES];
    struct treefork_hash hash;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)i;
    check_test(&test->count);
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        treefork_hash_start(&hash);
        treefork_hash_add(&hash, bytes, i);
        treefork_hash_end(&hash, whole);
        CHECK(test, memcmp(whole, published[i], sizeof whole) == 0);
    }
    for (size_t size = 0; size <= sizeof bytes; size++)
        for (size_t cut = 0; cut <= size; cut++) {
            treefork_hash_start(&hash);
            treefork_hash_add(&hash, bytes, size);
            treefork_hash_end(&hash, whole);
            treefork_hash_start(&hash);
            treefork_hash_add(&hash, bytes, cut);
            treefork_hash_add(&hash, bytes + cut, (size - cut) / 2);
            treefork_hash_add(&hash, bytes + cut + (size - cut) / 2, size - cut - (size - cut) / 2);
            treefork_hash_end(&hash, pieces);
            CHECK(test, memcmp(whole, pieces, sizeof whole) == 0);
        }
}

static void round_trips(struct test *test)
{
    static const size_t sizes[] = {0, 1, 7, 8, 9, 100, 4096, 1000003};
    struct treefork_cache *cache = cache_new("round", 1 << 30);
    check_test(&test->count);
    if (!CHECK(test, cache))
        return;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char key[64];
        snprintf(key, sizeof key, "key %zu", sizes[i]);
        CHECK(test, get(cache, key) == 0 && put(cache, key, sizes[i]) && get(cache, key) == 1);
    }
    CHECK(test, put(cache, "key 100", 3000) && get(cache, "key 100") == 1);
    CHECK(test, files(cache, "") == sizeof sizes / sizeof *sizes);
    treefork_cache_close(cache);
}

/* Every bit of the head and the key, samples of the image, every length, and bytes too many. */
static void damage(struct test *test)
{
    enum { IMAGE = 700 };
    static unsigned char whole[4000], broken[sizeof whole];
    const char *key = "a key of some length";
    struct treefork_cache *cache = cache_new("damage", 1 << 30);
    check_test(&test->count);
    if (!CHECK(test, cache && put(cache, key, IMAGE)))
        return;
    size_t size = file_read(file_of(cache, key), whole, sizeof whole);
    size_t dense = TREEFORK_ENTRY_HEAD + strlen(key);
    CHECK(test, size == dense + IMAGE);
    for (size_t bit = 0; bit < 8 * size; bit += bit < 8 * dense ? 1 : 13) {
        memcpy(broken, whole, size);
        broken[bit / 8] ^= (unsigned char)(1 << bit % 8);
        CHECK(test, file_write(file_of(cache, key), broken, size) && get(cache, key) == 0);
    }
    for (size_t length = 0; length < size; length++)
        CHECK(test, file_write(file_of(cache, key), whole, length) && get(cache, key) == 0);
    memset(broken, 0, sizeof broken);
    memcpy(broken, whole, size);
    CHECK(test, file_write(file_of(cache, key), broken, size + 1) && get(cache, key) == 0);
    CHECK(test, file_write(file_of(cache, key), broken, sizeof broken) && get(cache, key) == 0);
    CHECK(test, put(cache, key, IMAGE) && get(cache, key) == 1);
    treefork_cache_close(cache);
}

/* Sizes that a file states are no reason to read beyond it, even where they add up around zero. */
static void lies(struct test *test)
{
    static const uint64_t sizes[][2] = {
        {0, 0}, {UINT64_MAX, 9}, {UINT64_MAX - 47, 56}, {8, UINT64_MAX},
        {4, 4}, {1 << 25, 8},    {8, (uint64_t)1 << 40}};
    unsigned char bytes[TREEFORK_ENTRY_HEAD + 8], digest[TREEFORK_HASH_BYTES];
    size_t at = 0;
    check_test(&test->count);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct treefork_image file = {0}, image = {"1234", 4};
        struct treefork_hash hash;
        CHECK(test, treefork_entry_write("abcd", 4, &image, &file) && file.size == sizeof bytes);
        memcpy(bytes, file.bytes, sizeof bytes);
        free(file.bytes);
        for (int k = 0; k < 16; k++)
            bytes[16 + k] = (unsigned char)(sizes[i][k / 8] >> 8 * (k % 8));
        treefork_hash_start(&hash);
        treefork_hash_add(&hash, bytes, 32);
        treefork_hash_add(&hash, bytes + TREEFORK_ENTRY_HEAD, 8);
        treefork_hash_end(&hash, digest);
        memcpy(bytes + 32, digest, sizeof digest);
        file = (struct treefork_image){bytes, sizeof bytes};
        bool is_true = sizes[i][0] == 4 && sizes[i][1] == 4;
        CHECK(test, treefork_entry_read(&file, "abcd", 4, &at) ==
                        (is_true ? TREEFORK_ENTRY_SERVES : TREEFORK_ENTRY_IS_DAMAGED));
        CHECK(test, treefork_entry_read(&file, "abce", 4, &at) != TREEFORK_ENTRY_SERVES);
    }
    struct treefork_image large = {NULL, (size_t)TREEFORK_IMAGE_MAX + 1}, file;
    CHECK(test, !treefork_entry_write("abcd", 4, &large, &file) && !file.bytes);
}

/* A whole entry under the name of another key, as two keys with one digest would leave it. */
static void collision(struct test *test)
{
    char from[800];
    struct treefork_cache *cache = cache_new("collision", 1 << 30);
    check_test(&test->count);
    if (!CHECK(test, cache && put(cache, "first", 50)))
        return;
    snprintf(from, sizeof from, "%s", file_of(cache, "first"));
    CHECK(test, rename(from, file_of(cache, "other")) == 0 && get(cache, "other") == 0 &&
                    get(cache, "first") == 0);
    CHECK(test, put(cache, "other", 60) && get(cache, "other") == 1);
    treefork_cache_close(cache);
}

/* What stands in an entry's place but is no plain file is not followed, not waited for, and
   replaced where it can be. */
static void odd_files(struct test *test)
{
    char target[800];
    struct treefork_cache *cache = cache_new("odd", 1 << 30);
    check_test(&test->count);
    if (!CHECK(test, cache && put(cache, "link", 50)))
        return;
    snprintf(target, sizeof target, "%s/elsewhere", base);
    CHECK(test, rename(file_of(cache, "link"), target) == 0 &&
                    symlink(target, file_of(cache, "link")) == 0);
    CHECK(test, get(cache, "link") == 0 && put(cache, "link", 70) && get(cache, "link") == 1);
    struct stat status;
    CHECK(test, stat(target, &status) == 0 && status.st_size == TREEFORK_ENTRY_HEAD + 4 + 50);
    CHECK(test, mkfifo(file_of(cache, "pipe"), 0600) == 0 && get(cache, "pipe") == 0);
    CHECK(test, put(cache, "pipe", 9) && get(cache, "pipe") == 1);
    CHECK(test, mkdir(file_of(cache, "folder"), 0700) == 0 && get(cache, "folder") == 0 &&
                    !put(cache, "folder", 9));
    CHECK(test, files(cache, TREEFORK_CACHE_UNFINISHED) == 0);
    treefork_cache_close(cache);
}

static void age(const struct treefork_cache *cache, const char *key, time_t seconds)
{
    struct timespec times[2] = {{time(NULL) - seconds, 0}, {time(NULL) - seconds, 0}};
    utimensat(AT_FDCWD, file_of(cache, key), times, 0);
}

/* Used longest ago goes first, down to three quarters of the bound; reading is use; what does not
   fit alone is not kept. */
static void bound(struct test *test)
{
    struct treefork_cache *cache = cache_new("bound", 5000);
    check_test(&test->count);
    if (!CHECK(test, cache))
        return;
    for (int i = 0; i < 4; i++) {
        char key[] = {'k', (char)('0' + i), 0};
        CHECK(test, put(cache, key, 1000));
        age(cache, key, 100 - i);
    }
    CHECK(test, file_write(in_base("bound/notes.txt"), "mine", 4));
    CHECK(test, file_write(in_base("bound/.unfinished-new"), "", 0) &&
                    file_write(in_base("bound/.unfinished-old"), "", 0));
    struct timespec old[2] = {{time(NULL) - 7200, 0}, {time(NULL) - 7200, 0}};
    CHECK(test, utimensat(AT_FDCWD, in_base("bound/.unfinished-old"), old, 0) == 0);
    CHECK(test, get(cache, "k0") == 1);
    CHECK(test, put(cache, "k4", 1000));
    CHECK(test, get(cache, "k0") == 1 && get(cache, "k1") == 0 && get(cache, "k2") == 0 &&
                    get(cache, "k3") == 1 && get(cache, "k4") == 1);
    CHECK(test, access(in_base("bound/notes.txt"), F_OK) == 0 &&
                    access(in_base("bound/.unfinished-new"), F_OK) == 0 &&
                    access(in_base("bound/.unfinished-old"), F_OK) != 0);
    CHECK(test, !put(cache, "large", 6000) && get(cache, "k4") == 1);
    cache->bytes_max = 0;
    CHECK(test, !put(cache, "k5", 10) && get(cache, "k4") == 1);
    treefork_cache_close(cache);
}

/* Folders that may not be used, and those that are made. */
static void folders(struct test *test)
{
    struct treefork_cache *cache = cache_new("a/b/c", 1 << 20);
    struct stat status;
    check_test(&test->count);
    CHECK(test, cache && stat(in_base("a/b"), &status) == 0 && (status.st_mode & 07777) == 0700);
    treefork_cache_close(cache);
    static const mode_t wrong[] = {0755, 0770, 0701, 0500, 01700, 02700};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK(test, chmod(in_base("a/b/c"), wrong[i]) == 0 && !treefork_cache_at(path, true));
        CHECK(test, chmod(path, 0700) == 0);
    }
    char target[800];
    snprintf(target, sizeof target, "%s/a/b/c", base);
    CHECK(test, symlink(target, in_base("link")) == 0 && !treefork_cache_at(path, true));
    CHECK(test, file_write(in_base("file"), "", 0) && !treefork_cache_at(path, true));
    CHECK(test, !treefork_cache_at(in_base("file/below"), true) && !treefork_cache_at("", true));
    if (geteuid() == 0) {
        CHECK(test, chown(in_base("a/b/c"), 65534, 65534) == 0 && !treefork_cache_at(path, true));
        CHECK(test, chown(path, 0, 0) == 0);
    }
    cache = treefork_cache_at(in_base("a/b/c"), true);
    CHECK(test, cache);
    treefork_cache_close(cache);
}

/* TREEFORK_CACHE_DIR, then XDG_CACHE_HOME where it is absolute, then HOME. */
static void environment(struct test *test)
{
    struct treefork_cache *cache;
    check_test(&test->count);
    setenv("TREEFORK_CACHE_DIR", "none", 1);
    CHECK(test, !treefork_cache_open());
    setenv("TREEFORK_CACHE_DIR", in_base("named"), 1);
    setenv("TREEFORK_CACHE_MIB", "3", 1);
    cache = treefork_cache_open();
    CHECK(test, cache && strcmp(cache->path, path) == 0 && cache->bytes_max == 3 << 20);
    treefork_cache_close(cache);
    setenv("TREEFORK_CACHE_DIR", "", 1);
    setenv("TREEFORK_CACHE_MIB", "many", 1);
    setenv("XDG_CACHE_HOME", in_base("xdg"), 1);
    setenv("HOME", in_base("home"), 1);
    cache = treefork_cache_open();
    CHECK(test, cache && strcmp(cache->path, in_base("xdg/treefork")) == 0 &&
                    cache->bytes_max == 256 << 20);
    treefork_cache_close(cache);
    unsetenv("TREEFORK_CACHE_DIR");
    unsetenv("TREEFORK_CACHE_MIB");
    setenv("XDG_CACHE_HOME", "relative", 1);
    cache = treefork_cache_open();
    CHECK(test, cache && strcmp(cache->path, in_base("home/.cache/treefork")) == 0);
    treefork_cache_close(cache);
    unsetenv("HOME");
    CHECK(test, !treefork_cache_open());
}

/* In a child, which ends by a signal if the library lets it. */
static bool in_child(bool (*run)(void))
{
    int status = 0;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        _exit(run() ? 0 : 1);
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

/* Files of more than a thousand bytes would end the process. */
static bool run_limited(void)
{
    struct rlimit limit = {1000, 1000};
    struct treefork_cache *cache = cache_new("limited", 1 << 20);
    return cache && setrlimit(RLIMIT_FSIZE, &limit) == 0 && put(cache, "small", 100) &&
           !put(cache, "large", 2000) && get(cache, "small") == 1 && get(cache, "large") == 0 &&
           files(cache, TREEFORK_CACHE_UNFINISHED) == 0;
}

static bool is_mounted;

static bool run_full(void)
{
    char key[16];
    int kept = 0, served = 0;
    struct treefork_cache *cache = cache_new("tmpfs", 1 << 30);
    for (int i = 0; i < 60; i++) {
        snprintf(key, sizeof key, "key %d", i);
        kept += cache && put(cache, key, 10000);
    }
    for (int i = 0; i < 60; i++) {
        snprintf(key, sizeof key, "key %d", i);
        int state = cache ? get(cache, key) : -1;
        served += state == 1;
        if (state < 0)
            return false;
    }
    return kept > 2 && kept < 60 && served == kept && files(cache, TREEFORK_CACHE_UNFINISHED) == 0;
}

static bool run_read_only(void)
{
    struct treefork_cache *cache = cache_new("tmpfs", 1 << 30);
    return cache && get(cache, "key 0") == 1 && get(cache, "new") == 0 && !put(cache, "new", 10) &&
           get(cache, "new") == 0;
}

/* A file system of 128 KiB, where the user may mount one. */
static void small_disk(struct test *test)
{
    check_test(&test->count);
    CHECK(test, in_child(run_limited));
    CHECK(test, mkdir(in_base("tmpfs"), 0700) == 0);
    is_mounted = mount("tmpfs", path, "tmpfs", 0, "size=128k,mode=0700") == 0;
    if (!is_mounted) {
        test->count.skipped++;
        return;
    }
    CHECK(test, in_child(run_full));
    CHECK(test, mount("tmpfs", in_base("tmpfs"), NULL, MS_REMOUNT | MS_RDONLY, NULL) == 0);
    CHECK(test, in_child(run_read_only));
    CHECK(test, umount(in_base("tmpfs")) == 0);
}

enum { PROCESSES = 16, KEYS = 12, ROUNDS = 150 };

/* Reads and writes at random; the folder is bounded so that entries go all the time. */
static bool run_shared(unsigned seed)
{
    struct treefork_cache *cache = cache_new("shared", 60000);
    if (!cache)
        return false;
    for (int i = 0; i < ROUNDS; i++) {
        char key[32];
        seed = seed * 1664525u + 1013904223u;
        snprintf(key, sizeof key, "shared key %u", (seed >> 16) % KEYS);
        if (get(cache, key) < 0)
            return false;
        if ((seed >> 8) % 3 == 0)
            put(cache, key, 2000 + (seed >> 20) % 8000);
    }
    return true;
}

/* Every second process is killed at some moment. What they leave is whole or unfinished. */
static void many_processes(struct test *test)
{
    pid_t ids[PROCESSES];
    int wrong = 0;
    check_test(&test->count);
    fflush(NULL);
    for (int i = 0; i < PROCESSES; i++) {
        ids[i] = fork();
        if (ids[i] == 0)
            _exit(run_shared((unsigned)i * 77u + 1u) ? 0 : 1);
    }
    for (int i = 1; i < PROCESSES; i += 2) {
        struct timespec moment = {0, 3000000};
        nanosleep(&moment, NULL);
        kill(ids[i], SIGKILL);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status = 0;
        wrong += waitpid(ids[i], &status, 0) != ids[i] ||
                 (WIFEXITED(status) ? WEXITSTATUS(status) != 0
                                    : i % 2 == 0 || WTERMSIG(status) != SIGKILL);
    }
    CHECK(test, wrong == 0);
    struct treefork_cache *cache = cache_new("shared", 60000);
    int entries = cache ? files(cache, "") - files(cache, TREEFORK_CACHE_UNFINISHED) : 0,
        served = 0;
    for (int i = 0; i < KEYS && cache; i++) {
        char key[32];
        snprintf(key, sizeof key, "shared key %d", i);
        int state = get(cache, key);
        served += state;
        CHECK(test, state >= 0);
    }
    CHECK(test, entries > 0 && served == entries);
    treefork_cache_close(cache);
}

/* A program with the rights of another user than its caller's has no environment. */
static void raised(struct test *test, const char *self)
{
    char command[4000];
    check_test(&test->count);
    snprintf(command, sizeof command,
             "cp '%s' '%s' && chown 65534 '%s' && chmod 4755 '%s' && chmod 755 '%s'", self,
             in_base("raised"), path, path, base);
    if (geteuid() != 0 || system(command) != 0) {
        test->count.skipped++;
        return;
    }
    int status = test_child(in_base("raised"), "raised", "TREEFORK_CACHE_DIR", "/tmp");
    if (status == 77)
        test->count.skipped++;
    else
        CHECK(test, status == 0);
    CHECK(test,
          test_child(self, "raised", "TREEFORK_CACHE_DIR", "/tmp") == 77 && chmod(base, 0700) == 0);
}

/* Ends at once: a checker of leaks cannot look into a process with raised rights. */
static int raised_child(void)
{
    if (geteuid() == getuid())
        return 77;              /* the file system passes the mode over */
    return treefork_environment("TREEFORK_CACHE_DIR") || treefork_cache_open() ? 1 : 0;
}

int main(int argc, char **argv)
{
    struct test test = {.name = "runtime_cache"};
    if (argc > 1)
        _exit(raised_child());
    CHECK(&test, test_cache(base, sizeof base));
    setenv("TREEFORK_QUIET", "1", 1);
    digests(&test);
    round_trips(&test);
    damage(&test);
    lies(&test);
    collision(&test);
    odd_files(&test);
    bound(&test);
    folders(&test);
    small_disk(&test);
    many_processes(&test);
    raised(&test, argv[0]);
    environment(&test);
    test_cache_end(base);
    return test_end(&test);
}

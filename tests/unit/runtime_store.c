/* The store of tuned choices, without a device: lines that sixteen processes add at once are all
   there and whole, whatever killed writers, damage and full disks leave; a file or folder that is
   not the user's alone is not used. */
#include "runtime/store.h"
#include "runtime/tuned.h"
#include "tests/unit/runtime_test.h"
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <time.h>

#define HEADER "{\"test\": 1}"
enum { WRITERS = 16, LINES = 20 };

static char base[512], path[800];

static const char *in_base(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", base, name);
    return path;
}

/* Lines "N x…x" with as many x as N says. */
struct seen {
    int lines, wrong;
    bool by_writer[WRITERS * LINES];
};

static bool line_see(void *state, const char *line, size_t length)
{
    struct seen *seen = state;
    char *end;
    long number = strtol(line, &end, 10);
    size_t head = (size_t)(end - line) + 1;
    if (end == line || *end != ' ' || number < 0 || number >= WRITERS * LINES ||
        length != head + (size_t)number)
        return false;
    seen->lines++;
    seen->wrong += seen->by_writer[number];
    seen->by_writer[number] = true;
    return true;
}

static struct seen see(const char *name)
{
    struct seen seen = {0};
    treefork_store_read(name, HEADER, line_see, &seen);
    return seen;
}

static int add(const char *name, int number)
{
    char line[WRITERS * LINES + 32];
    int head = snprintf(line, sizeof line, "%d ", number);
    memset(line + head, 'x', (size_t)number);
    line[head + number] = '\0';
    return treefork_store_append(name, HEADER, line);
}

static void append_raw(const char *name, const char *text)
{
    char file[1024];
    snprintf(file, sizeof file, "%s/kept/%s", base, name);
    FILE *out = fopen(file, "a");
    if (out) {
        fputs(text, out);
        fclose(out);
    }
}

static int lines_of(const char *name)
{
    char file[1024];
    int lines = 0;
    snprintf(file, sizeof file, "%s/kept/%s", base, name);
    FILE *in = fopen(file, "r");
    for (int c = in ? getc(in) : EOF; c != EOF; c = getc(in))
        lines += c == '\n';
    if (in)
        fclose(in);
    return lines;
}

static void writers_at_once(struct test *test)
{
    pid_t writers[WRITERS];
    check_test(&test->count);
    for (int w = 0; w < WRITERS; w++) {
        writers[w] = fork();
        if (writers[w] == 0) {
            int status = 0;
            for (int i = 0; i < LINES; i++)
                status |= add("many.jsonl", w * LINES + i);
            _exit(status);
        }
    }
    for (int w = 0; w < WRITERS; w++) {
        int status = 1;
        waitpid(writers[w], &status, 0);
        CHECK(test, WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    struct seen seen = see("many.jsonl");
    CHECK(test, seen.lines == WRITERS * LINES && seen.wrong == 0 &&
                    lines_of("many.jsonl") == WRITERS * LINES + 1);
}

/* Nothing is written while another holds the file. */
static void writer_waits(struct test *test)
{
    static const struct timespec moment = {0, 50000000};
    int status = 1;
    check_test(&test->count);
    CHECK(test, add("held.jsonl", 1) == TREEFORK_OK);
    int held = open(in_base("kept/held.jsonl"), O_RDONLY);
    CHECK(test, held >= 0 && flock(held, LOCK_EX) == 0);
    pid_t writer = fork();
    if (writer == 0) {
        close(held);
        _exit(add("held.jsonl", 2));
    }
    nanosleep(&moment, NULL);
    CHECK(test, see("held.jsonl").lines == 1);
    close(held);
    waitpid(writer, &status, 0);
    CHECK(test, status == 0 && see("held.jsonl").lines == 2);
}

/* A reader that meets half a line waits for the writer of the other half. */
static void reader_waits(struct test *test)
{
    static const struct timespec moment = {0, 50000000};
    int status = 1;
    check_test(&test->count);
    CHECK(test, add("half.jsonl", 1) == TREEFORK_OK);
    append_raw("half.jsonl", "3 x");
    int held = open(in_base("kept/half.jsonl"), O_RDONLY);
    CHECK(test, held >= 0 && flock(held, LOCK_EX) == 0);
    pid_t writer = fork();         /* with the lock */
    if (writer == 0) {
        nanosleep(&moment, NULL);
        append_raw("half.jsonl", "xx\n");
        _exit(0);
    }
    close(held);
    struct seen seen = see("half.jsonl");
    waitpid(writer, &status, 0);
    CHECK(test, status == 0 && seen.lines == 2 && seen.wrong == 0 && seen.by_writer[3]);
}

/* Who waits for a file that its last user removes takes the file that comes after it. */
static void use_outlives_removal(struct test *test)
{
    static const struct timespec moment = {0, 50000000};
    int status = 1;
    check_test(&test->count);
    int last = treefork_store_use("left");
    CHECK(test, last >= 0 && !treefork_store_used(last));
    pid_t next = fork();
    if (next == 0) {
        close(last);
        _exit(treefork_store_use("left") < 0 || access(in_base("kept/left"), F_OK) != 0);
    }
    nanosleep(&moment, NULL);
    treefork_store_remove("left");
    close(last);
    waitpid(next, &status, 0);
    CHECK(test, status == 0);
}

/* A process that holds the folder's lock, or says that it works with a file, until it is killed. */
static pid_t holder(bool (*hold)(void))
{
    int ends[2];
    char byte = 0;
    if (pipe(ends) != 0)
        return -1;
    pid_t pid = fork();
    if (pid == 0) {
        byte = hold();
        _exit(write(ends[1], &byte, 1) == 1 && pause());
    }
    bool is_held = read(ends[0], &byte, 1) == 1 && byte;
    close(ends[0]);
    close(ends[1]);
    return is_held ? pid : -1;
}

static bool lock_hold(void)
{
    return treefork_store_lock() >= 0;
}

static bool use_hold(void)
{
    return treefork_store_use("used") >= 0;
}

static bool turn_hold(void)
{
    return treefork_store_turn("turn") >= 0;
}

/* A process that asks for a turn waits for the one that has it. */
static void turns(struct test *test)
{
    static const struct timespec moment = {0, 50000000};
    check_test(&test->count);
    int turn = treefork_store_turn("turn");
    pid_t waits = fork();
    if (waits == 0) {
        close(turn);
        _exit(!turn_hold());
    }
    nanosleep(&moment, NULL);
    CHECK(test, turn >= 0 && waitpid(waits, NULL, WNOHANG) == 0);
    close(turn);
    int status = 1;
    CHECK(test, waitpid(waits, &status, 0) == waits && status == 0);
    pid_t killed = holder(turn_hold);
    kill(killed, SIGKILL);
    waitpid(killed, NULL, 0);
    CHECK(test, killed > 0 && turn_hold());
}

/* Locks end with their process. */
static void locks(struct test *test)
{
    check_test(&test->count);
    pid_t pid = holder(lock_hold);
    CHECK(test, pid > 0 && treefork_store_lock() == TREEFORK_LOCK_HELD);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    int lock = treefork_store_lock();
    CHECK(test, lock >= 0 && treefork_store_lock() == TREEFORK_LOCK_HELD);
    close(lock);
    int use = treefork_store_use("used");
    pid = holder(use_hold);
    CHECK(test, pid > 0 && use >= 0 && treefork_store_used(use));
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    CHECK(test, !treefork_store_used(use) && !treefork_store_used(-1));
    close(use);
}

/* What a killed writer left ends where the next line begins. */
static void damage(struct test *test)
{
    check_test(&test->count);
    CHECK(test, add("torn.jsonl", 5) == TREEFORK_OK);
    append_raw("torn.jsonl", "7 xx");
    CHECK(test, see("torn.jsonl").lines == 1);
    CHECK(test, add("torn.jsonl", 6) == TREEFORK_OK);
    append_raw("torn.jsonl", "\n\n9 xxxx\nwhat\n");
    CHECK(test, add("torn.jsonl", 8) == TREEFORK_OK);
    struct seen seen = see("torn.jsonl");
    CHECK(test, seen.lines == 3 && seen.by_writer[5] && seen.by_writer[6] && seen.by_writer[8]);
    append_raw("other.jsonl", "{\"test\": 2}\n5 xxxxx\n");
    CHECK(test, see("other.jsonl").lines == 0 && add("other.jsonl", 3) == TREEFORK_FILE);
    CHECK(test, strstr(treefork_message(), "of another format"));
    CHECK(test, see("none.jsonl").lines == 0);
}

/* What a writer that was killed within the header left, is completed. */
static void header_torn(struct test *test)
{
    check_test(&test->count);
    for (int length = 0; length <= (int)strlen(HEADER); length++) {
        char name[32], begun[sizeof HEADER];
        snprintf(name, sizeof name, "begun%d.jsonl", length);
        snprintf(begun, sizeof begun, "%.*s", length, HEADER);
        append_raw(name, begun);
        CHECK(test, see(name).lines == 0);
        CHECK(test,
              add(name, 3) == TREEFORK_OK && add(name, 4) == TREEFORK_OK && see(name).lines == 2);
    }
    append_raw("foreign.jsonl", "{\"text");
    CHECK(test, see("foreign.jsonl").lines == 0 && add("foreign.jsonl", 3) == TREEFORK_FILE);
    append_raw("longer.jsonl", HEADER "}");
    CHECK(test, see("longer.jsonl").lines == 0 && add("longer.jsonl", 3) == TREEFORK_FILE);
}

static void full_disk(struct test *test)
{
    struct rlimit before, little;
    check_test(&test->count);
    CHECK(test, add("full.jsonl", 4) == TREEFORK_OK && getrlimit(RLIMIT_FSIZE, &before) == 0);
    little = before;
    little.rlim_cur = 100;
    setrlimit(RLIMIT_FSIZE, &little);
    CHECK(test, add("full.jsonl", 200) == TREEFORK_FILE);
    CHECK(test, strstr(treefork_message(), "cannot write to"));
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK(test, see("full.jsonl").lines == 1);
    CHECK(test, add("full.jsonl", 200) == TREEFORK_OK && see("full.jsonl").lines == 2);
}

static void not_own(struct test *test)
{
    char kept[800];
    check_test(&test->count);
    snprintf(kept, sizeof kept, "%s/kept", base);
    CHECK(test,
          add("mine.jsonl", 1) == TREEFORK_OK && chmod(in_base("kept/mine.jsonl"), 0666) == 0);
    CHECK(test, see("mine.jsonl").lines == 0 && add("mine.jsonl", 2) == TREEFORK_FILE);
    CHECK(test, symlink("full.jsonl", in_base("kept/link.jsonl")) == 0);
    CHECK(test, see("link.jsonl").lines == 0 && add("link.jsonl", 2) == TREEFORK_FILE);
    CHECK(test, mkfifo(in_base("kept/pipe.jsonl"), 0600) == 0);
    CHECK(test, see("pipe.jsonl").lines == 0 && add("pipe.jsonl", 2) == TREEFORK_FILE);
    CHECK(test, chmod(kept, 0755) == 0 && add("new.jsonl", 1) == TREEFORK_FILE &&
                    see("torn.jsonl").lines == 0);
    CHECK(test, chmod(kept, 0700) == 0 && see("torn.jsonl").lines == 3);
    setenv("TREEFORK_CACHE_DIR", "none", 1);
    CHECK(test, see("torn.jsonl").lines == 0 && add("torn.jsonl", 1) == TREEFORK_FILE);
    setenv("TREEFORK_CACHE_DIR", kept, 1);
}

static bool record_take(void *state, const char *line, size_t length)
{
    return treefork_record_read(line, length, state);
}

/* A record printed and read again is the same; with a bit turned it is another one or none, and
   never a fault. */
static void records(struct test *test)
{
    static const struct treefork_record record = {.region = "f\"\\x",
                                                  .source = "0123456789abcdef0123456789abcdef",
                                                  .kind = "opencl",
                                                  .device = "a \t device",
                                                  .architecture = "opencl:a",
                                                  .driver = "f",
                                                  .names = "s,B",
                                                  .fixed = "t=3",
                                                  .choice = "s=4,B=64",
                                                  .sizes = "32,-1",
                                                  .is_generic = true,
                                                  .leaf = 7,
                                                  .nanoseconds = 50,
                                                  .low = 49,
                                                  .high = INT64_MAX,
                                                  .predicted = 3};
    struct treefork_record read;
    struct treefork_text line = treefork_record_line(&record);
    treefork_int sizes[SIZES_MAX];
    check_test(&test->count);
    CHECK(test, line.text && treefork_record_read(line.text, line.length, &read));
    CHECK(test, memcmp(&record, &read, sizeof read) == 0);
    for (size_t bit = 0; bit < 8 * line.length; bit++) {
        line.text[bit / 8] ^= (char)(1 << bit % 8);
        treefork_record_read(line.text, line.length, &read);
        line.text[bit / 8] ^= (char)(1 << bit % 8);
    }
    for (size_t length = 0; length < line.length; length++)
        CHECK(test, !treefork_record_read(line.text, length, &read));
    CHECK(test, treefork_sizes_read("32,-1", sizes) == 2 && sizes[0] == 32 && sizes[1] == ANY_SIZE);
    CHECK(test, treefork_sizes_read("", sizes) == 0 && treefork_sizes_read("3,x", sizes) < 0);
    CHECK(test, treefork_tune_keep("{}", 1, 1, 1, 0) == TREEFORK_ARGUMENT);
    CHECK(test, treefork_tune_keep(line.text, 1, 2, 3, 0) == TREEFORK_ARGUMENT);
    CHECK(test, treefork_tune_keep(line.text, 7.5, 6, 9, 0) == TREEFORK_OK);
    treefork_store_read(TREEFORK_TUNED_FILE, TREEFORK_TUNED_HEADER, record_take, &read);
    CHECK(test, read.nanoseconds == 7 && read.low == 6 && read.high == 9 && !read.is_generic);
    CHECK(test, strcmp(read.choice, record.choice) == 0 && read.leaf == record.leaf);
    free(line.text);
}

int main(void)
{
    struct test test = {.name = "runtime_store"};
    const char *folder = getenv("TMPDIR");
    snprintf(base, sizeof base, "%s/treefork-store-XXXXXX", folder && *folder ? folder : "/tmp");
    if (!mkdtemp(base))
        return 1;
    setenv("TREEFORK_CACHE_DIR", in_base("kept"), 1);
    setenv("TREEFORK_QUIET", "1", 1);
    writers_at_once(&test);
    writer_waits(&test);
    reader_waits(&test);
    use_outlives_removal(&test);
    turns(&test);
    locks(&test);
    damage(&test);
    header_torn(&test);
    full_disk(&test);
    not_own(&test);
    records(&test);
    snprintf(path, sizeof path, "rm -rf %s", base);
    return system(path) != 0 || test_end(&test);
}

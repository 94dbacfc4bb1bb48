/* Launches through the cache on disk: on the first OpenCL device, and on the simulated CUDA driver
   with NVRTC and with embedded PTX. Each launch is a process of its own, as caches are for; its
   exit status says how often it compiled and how often it took a binary from the cache. Whatever
   decides a binary and is changed compiles anew; whatever happens to the folder, the result is
   right. */
#include "runtime/cache_entry.h"
#include "tests/unit/runtime_test.h"
#include <dirent.h>

static const char *const opencl =
    "__kernel void add_1(int n, int any_B, __global int *a) {\n"
    "    for (int i = get_global_id(0); i < n; i += get_global_size(0)) a[i] = a[i] + 1;\n"
    "}\n";

static const char *const cuda =
    "extern \"C\" __global__ void add_1(int n, int B, int *a) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) a[i] = a[i] + 1;\n"
    "}\n";

/* What the simulated driver runs for both CUDA texts. */
static const char *const ir =
    "// leaf 1\n"
    "kernel add {\n"
    "    ring n, B;\n"
    "    param data size int n >= 1;\n"
    "    param program tunable int B >= 1;\n"
    "    global int a[n];\n"
    "    grid int i < n / B;\n"
    "    block int j < B;\n"
    "    body {\n"
    "        band (int q < B) {\n"
    "            a[i * B + q] = a[i * B + q] + 1;\n"
    "        }\n"
    "    }\n"
    "}\n";

static const char ptx[] =
    ".version 6.3\n.target sm_70\n.address_size 64\n"
    ".visible .entry add_1(.param .u32 p0, .param .u32 p1, .param .u64 p2)\n{\n    ret;\n}\n";

enum { N = 64, BLOCK = 16, WRONG = 255, SKIPPED = 254 };

/* What a launch is changed by. */
struct change {
    const char *name;
    bool text, binding, plane, registers, contract;
    const char *variable, *value;
};

static const struct change changes[] = {
    {.name = "nothing"},
    {.name = "text", .text = true},
    {.name = "binding", .binding = true},
    {.name = "plane", .plane = true},
    {.name = "registers", .registers = true},
    {.name = "contract", .contract = true},
    {.name = "version", .variable = "TREEFORK_SIMULATED_VERSION", .value = "12080"},
    {.name = "unlinked", .variable = "TREEFORK_SIMULATED_FAIL", .value = "cuLinkComplete:1=218"},
    {.name = "unstarted", .variable = "TREEFORK_SIMULATED_FAIL", .value = "cuLinkCreate_v2:1=2"},
    {.name = "unloaded",
     .variable = "TREEFORK_SIMULATED_FAIL",
     .value = "cuModuleLoadDataEx:1=200"},
    {.name = "small", .variable = "TREEFORK_CACHE_MIB", .value = "0"},
};
enum { CHANGES = sizeof changes / sizeof *changes };

static char *changed(const char *text, bool is_changed)
{
    size_t size = strlen(text) + 2;
    char *copy = calloc(size, 1);
    snprintf(copy, size, "%s%s", text, is_changed ? "\n" : "");
    return copy;
}

static bool add(struct treefork_device *device, const struct change *change)
{
    int a[N], wrong = 0;
    char *texts[] = {changed(opencl, change->text), changed(cuda, change->text),
                     changed(ptx, change->text)};
    struct treefork_ptx row = {texts[2], 70, ""};
    struct treefork_module module = {.name = "add",
                                     .opencl = texts[0],
                                     .cuda = texts[1],
                                     .n_ptx = 1,
                                     .ptx = &row,
                                     .contract = change->contract};
    struct treefork_argument arguments[] = {{.type = TREEFORK_I32, .value.i = N},
                                            {.type = TREEFORK_I32, .value.i = BLOCK},
                                            {.type = TREEFORK_BUFFER}};
    struct treefork_binding bindings[] = {{"B", BLOCK}, {"u", change->binding ? 2 : 1}};
    for (int i = 0; i < N; i++)
        a[i] = i;
    bool works = treefork_use(device, a, sizeof a, TREEFORK_READ | TREEFORK_WRITE,
                              &arguments[2].value.buffer) == TREEFORK_OK;
    struct treefork_launch launch = {.module = &module,
                                     .kernel = "add_1",
                                     .blocks = N / BLOCK,
                                     .threads = BLOCK,
                                     .grid_width = change->plane ? N / BLOCK : 0,
                                     .registers = change->registers ? 40 : 0,
                                     .n_arguments = 3,
                                     .arguments = arguments,
                                     .n_bindings = 2,
                                     .bindings = bindings};
    works = works && treefork_run(device, &launch) == TREEFORK_OK &&
            treefork_run(device, &launch) == TREEFORK_OK && treefork_message()[0] == '\0' &&
            treefork_release(device, NULL) == TREEFORK_OK;
    if (!works)
        fprintf(stderr, "%s: %s\n", change->name, treefork_message());
    for (int i = 0; i < N; i++)
        wrong += a[i] != i + 2;
    for (int i = 0; i < 3; i++)
        free(texts[i]);
    return works && wrong == 0;
}

/* "DEVICE CHANGE"; the status is 16 for each program that was compiled and 1 for each that was
   loaded. */
static int child(const char *argument)
{
    struct treefork_device *device = NULL;
    char kind[32] = "";
    const char *space = strchr(argument, ' ');
    snprintf(kind, sizeof kind, "%.*s", (int)(space - argument), argument);
    const struct change *change = changes;
    while (strcmp(change->name, space + 1) != 0)
        change++;
    if (treefork_open(kind, &device))
        return SKIPPED;
    bool is_right = add(device, change);
    struct treefork_statistics statistics = treefork_statistics(device);
    treefork_close(device);
    return is_right ? (int)(16 * statistics.builds + statistics.loads) : WRONG;
}

static const char *self_path, *device_kind;
static char folder[800];

static char log_path[600];

/* The driver says on stderr what a program leaves behind in it; the rest is said where something is
   wrong. */
static bool log_is_clean(bool is_shown)
{
    char line[2000];
    bool is_clean = true;
    FILE *in = fopen(log_path, "r");
    while (in && fgets(line, sizeof line, in)) {
        bool is_bad = strstr(line, "left behind") != NULL;
        is_clean = is_clean && !is_bad;
        if (is_bad || is_shown)
            fputs(line, stderr);
    }
    if (in)
        fclose(in);
    return is_clean;
}

static int launch_logged(const char *argument, const char *variable, const char *value)
{
    fflush(stderr);
    int saved = dup(2);
    if (!freopen(log_path, "w", stderr))
        return WRONG;
    int status = test_child(self_path, argument, variable, value);
    fflush(stderr);
    dup2(saved, 2);
    close(saved);
    return log_is_clean(status < 0 || status == WRONG) ? status : WRONG;
}

static int launch(const char *name)
{
    char argument[64];
    const struct change *change = changes;
    while (strcmp(change->name, name) != 0)
        change++;
    snprintf(argument, sizeof argument, "%s %s", device_kind, name);
    return launch_logged(argument, change->variable, change->value);
}

enum { COMPILED = 16, LOADED = 1 };

/* Runs something over every entry; the number of them. */
static int entries(bool (*each)(const char *path))
{
    DIR *list = opendir(folder);
    int count = 0;
    for (struct dirent *item = list ? readdir(list) : NULL; item; item = readdir(list)) {
        char path[1200];
        snprintf(path, sizeof path, "%s/%s", folder, item->d_name);
        if (treefork_entry_is_name(item->d_name) && (!each || each(path)))
            count++;
    }
    if (list)
        closedir(list);
    return count;
}

static struct treefork_image content_of(const char *path)
{
    struct treefork_image content = {0};
    struct stat status;
    FILE *in = fopen(path, "rb");
    if (in && fstat(fileno(in), &status) == 0) {
        content = (struct treefork_image){malloc((size_t)status.st_size), (size_t)status.st_size};
        content.size = fread(content.bytes, 1, content.size, in);
    }
    if (in)
        fclose(in);
    return content;
}

static bool content_write(const char *path, const void *bytes, size_t size)
{
    FILE *out = fopen(path, "wb");
    bool is_written = out && fwrite(bytes, 1, size, out) == size;
    return out && fclose(out) == 0 && is_written;
}

static bool turn_bit(const char *path)
{
    struct treefork_image content = content_of(path);
    ((char *)content.bytes)[content.size / 2] ^= 4;
    bool is_written = content_write(path, content.bytes, content.size);
    free(content.bytes);
    return is_written;
}

/* A whole entry, with the right key, whose image is no binary of any driver. */
static bool fill_with_nonsense(const char *path)
{
    struct treefork_image content = content_of(path), file,
                          image = {"\177ELFnonsense, nonsense, nonsense, nonsense, "
                                   "nonsense, nonsense",
                                   61};
    const unsigned char *bytes = content.bytes;
    size_t size = bytes[16] | (size_t)bytes[17] << 8 | (size_t)bytes[18] << 16;
    bool is_written =
        treefork_entry_write((const char *)bytes + TREEFORK_ENTRY_HEAD, size, &image, &file) &&
        content_write(path, file.bytes, file.size);
    free(file.bytes);
    free(content.bytes);
    return is_written;
}

/* Which of the changes ask for another binary. */
static void keys(struct test *test, const char *const *others, const char *const *same)
{
    for (; *others; others++) {
        int before = entries(NULL);
        CHECK(test, launch(*others) == COMPILED && entries(NULL) == before + 1);
        CHECK(test, launch(*others) == LOADED);
    }
    for (; *same; same++)
        CHECK(test, launch(*same) == LOADED);
    CHECK(test, launch("nothing") == LOADED);
}

/* Damage, and a folder that may not be used. */
static void harm(struct test *test)
{
    int count = entries(turn_bit);
    CHECK(test,
          launch("nothing") == COMPILED && launch("nothing") == LOADED && count == entries(NULL));
    CHECK(test, entries(fill_with_nonsense) == count);
    CHECK(test, launch("nothing") == COMPILED && launch("nothing") == LOADED);
    CHECK(test, chmod(folder, 0755) == 0 && launch("nothing") == COMPILED &&
                    launch("nothing") == COMPILED);
    CHECK(test, chmod(folder, 0700) == 0 && launch("nothing") == LOADED);
    CHECK(test, launch("small") == LOADED);
}

static bool begin(struct test *test, const char *base, const char *kind, const char *name)
{
    check_test(&test->count);
    device_kind = kind;
    snprintf(folder, sizeof folder, "%s/%s", base, name);
    setenv("TREEFORK_CACHE_DIR", folder, 1);
    int status = launch("nothing");
    if (status == SKIPPED) {
        test->count.skipped++;
        return false;
    }
    CHECK(test, status == COMPILED && entries(NULL) == 1);
    return CHECK(test, launch("nothing") == LOADED);
}

static void with_opencl(struct test *test, const char *base)
{
    static const char *const others[] = {"text", "binding", "plane", NULL}, *const same[] = {
                                                                                "registers",
                                                                                "contract", NULL};
    if (!begin(test, base, "opencl", "with-opencl"))
        return;
    keys(test, others, same);
    harm(test);
}

static bool simulated_begin(struct test *test, const char *base, const char *nvrtc,
                            const char *name)
{
    char path[900];
    snprintf(path, sizeof path, "%s/leaves.txt", base);
    setenv("TREEFORK_NVRTC", nvrtc, 1);
    setenv("TREEFORK_SIMULATED_IR", path, 1);
    setenv("TREEFORK_SIMULATED_MACHINE", "machines/ampere-a100.json", 1);
    snprintf(path, sizeof path, "%.*s/../libcuda-simulated.so",
             (int)(strrchr(self_path, '/') - self_path), self_path);
    setenv("TREEFORK_CUDA_DRIVER", path, 1);
    return begin(test, base, "simulated", name);
}

static void with_nvrtc(struct test *test, const char *base)
{
    static const char *const others[] = {"text", "binding", "plane", "contract", "version", NULL},
                      *const same[] = {"registers", NULL};   /* a limit that it keeps freely */
    if (!simulated_begin(test, base, "", "with-nvrtc"))
        return;
    keys(test, others, same);
    harm(test);
    CHECK(test, launch("unloaded") == COMPILED && launch("nothing") == LOADED);
}

/* The driver's linker makes what is kept; where it fails, the text is loaded and nothing kept. */
static void with_ptx(struct test *test, const char *base)
{
    static const char *const others[] = {"text", "version", NULL},
                      *const same[] = {"binding", "plane", "registers", "contract", NULL};
    if (!simulated_begin(test, base, "none", "with-ptx"))
        return;
    keys(test, others, same);
    harm(test);
    snprintf(folder, sizeof folder, "%s/unlinked", base);
    setenv("TREEFORK_CACHE_DIR", folder, 1);
    CHECK(test,
          launch("unlinked") == COMPILED && launch("unstarted") == COMPILED && entries(NULL) == 0);
    CHECK(test, launch("nothing") == COMPILED && launch("nothing") == LOADED);
}

int main(int argc, char **argv)
{
    struct test test = {.name = "runtime_cache_device"};
    char base[512], path[600];
    if (argc > 1)
        return child(argv[1]);
    self_path = argv[0];
    CHECK(&test, test_cache(base, sizeof base));
    setenv("TREEFORK_QUIET", "1", 1);
    snprintf(log_path, sizeof log_path, "%s/log.txt", base);
    snprintf(path, sizeof path, "%s/leaves.txt", base);
    CHECK(&test, content_write(path, ir, strlen(ir)));
    with_nvrtc(&test, base);
    with_ptx(&test, base);
    with_opencl(&test, base);
    test_cache_end(base);
    return test_end(&test);
}

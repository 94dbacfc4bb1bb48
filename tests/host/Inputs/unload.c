/* Generated code in libraries that are unloaded: what has run is not explained from memory that is gone, and another library at its
   place is not taken for it. Usage: unload ONE.so TWO.so */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <treefork.h>

static int run(const char *path, const char *name)
{
    float a[100] = {0};
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    int (*scale)(int, int, int, float *, float) = library ? (int (*)(int, int, int, float *, float))dlsym(library, name) : NULL;
    if (!scale)
        return puts(dlerror()), 1;
    scale(100, 1, 16, a, 2);
    if (treefork_explain(name, TREEFORK_JSON, fopen("/dev/null", "w")))
        return puts(treefork_message()), 1;
    dlclose(library);
    printf("loaded %d, ", dlopen(path, RTLD_NOW | RTLD_NOLOAD) != NULL);
    printf("explained %d: %s\n", treefork_explain(NULL, TREEFORK_TEXT, stdout) == TREEFORK_OK, treefork_message());
    return 0;
}

int main(int argc, char **argv)
{
    struct treefork_tune_runs runs;
    treefork_tune_watch(treefork_default(), "scale");
    for (int i = 0; i < 4; i++)
        if (run(argv[1 + i % 2], "scale"))
            return 1;
    int status = treefork_tune_watched(treefork_default(), &runs);
    printf("%d runs, %d: %s\n", (int)runs.runs, status, treefork_message());
    return 0;
}

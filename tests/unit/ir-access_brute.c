/* The answers about the kernels of the table against traces at small parameters: no proof meets a
   witness, tiles hold what is touched and are written back where it was written, fills stay in the
   array, promoted elements are private, extents are tight, conflicts are real. Parameters are drawn
   at random; the seed is printed. */
#include "tests/unit/draw.h"
#include "tests/unit/ir-access_judge.h"
#include <glob.h>

enum { POINTS = 60, TRIES = 400 };

static void point_draw(const struct kernel *kernel, uint64_t *state, int64_t *point)
{
    for (int i = 0; i < kernel->n_params; i++) {
        const struct param *param = kernel->params[i];
        if (param->variable >= 0)
            point[param->variable] = (int64_t)draw(state, param->role == ROLE_TUNABLE ? 4 : 14);
    }
}

static void run_kernel(struct check *check, const char *path, uint64_t seed)
{
    check_test(check);
    struct ctx *ctx = ctx_new();
    struct source source = {.path = path};
    source.text = file_read(ctx, path, &source.length);
    const struct kernel *kernel = source.text ? kernel_read(ctx, &source) : NULL;
    if (check_that(check, kernel != NULL, "%s cannot be read", path)) {
        struct answers answers = answers_of(ctx, kernel);
        int points = 0;
        for (int i = 0; i < TRIES && points < POINTS; i++) {
            int64_t point[RING_CAPACITY] = {0};
            point_draw(kernel, &seed, point);
            points += judge_point(check, path, &answers, point);
        }
        check_that(check, points >= POINTS / 3, "%s: only %d points", path, points);
    }
    ctx_free(ctx);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 7;
    glob_t found = {0};
    printf("seed %llu\n", (unsigned long long)seed);
    glob("tests/unit/ir-access_kernels/*.kernel", 0, NULL, &found);
    check_that(&check, found.gl_pathc > 0, "no kernel in tests/unit/ir-access_kernels");
    for (size_t i = 0; i < found.gl_pathc; i++)
        run_kernel(&check, found.gl_pathv[i], seed);
    globfree(&found);
    return check_end(&check, "ir-access_brute");
}

struct treefork_region;
struct treefork_argument;
static inline int no_run(const struct treefork_region *region, struct treefork_argument *arguments,
                         const void *const *arrays, int automatic)
{
    (void)region;
    (void)arguments;
    (void)arrays;
    (void)automatic;
    return 7;
}

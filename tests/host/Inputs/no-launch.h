struct treefork_device;
struct treefork_launch;
static inline int no_run(struct treefork_device *device, const struct treefork_launch *launch)
{
    (void)device;
    (void)launch;
    return 7;
}
static inline int no_failure(const char *region, int status)
{
    (void)region;
    (void)status;
    return 1;
}

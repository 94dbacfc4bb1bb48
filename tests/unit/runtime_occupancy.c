/* Occupancy: the rules on hand-made machines; equal to the vendor's host-only header at random
   blocks for sm_70 … sm_90, with the limit that decides, from the machine files and from the
   capability alone; what is not told limits nothing. Skipped where the toolkit's header is not
   installed. */
#include "runtime/internal.h"
#include "tests/unit/occupancy_header.h"
#include "tests/unit/runtime_test.h"

static bool is(const char *machine, int64_t threads, int64_t registers, int64_t bytes,
               int64_t blocks, unsigned limits)
{
    struct treefork_machine m;
    struct treefork_occupancy o;
    if (treefork_machine_parse(machine, strlen(machine), "m.json", &m) ||
        treefork_occupancy(&m, threads, registers, bytes, &o))
        return false;
    return o.blocks == blocks && o.limits == limits;
}

static void rules(struct test *test)
{
    check_test(&test->count);
    struct treefork_occupancy o;
    struct treefork_machine m;
    CHECK(test, is("{}", 256, 64, 4096, TREEFORK_UNLIMITED, 0));
    CHECK(test, is("{\"T_M\": 2048, \"W_B\": 32}", 33, 64, 0, 32, TREEFORK_BY_WARPS));
    CHECK(test, is("{\"T_M\": 2048, \"N_M\": 32, \"W_B\": 32}", 33, 64, 0, 32,
                   TREEFORK_BY_WARPS | TREEFORK_BY_BLOCKS));
    CHECK(test, is("{\"T_B\": 256}", 257, 1, 0, 0, TREEFORK_BY_WARPS));
    /* 5 registers of 16 threads in units of 64: 128 a warp; 2 warps of 4 partitions count as 4 at
       launch. */
    CHECK(test, is("{\"F_M\": 2048, \"F_B\": 512, \"W_B\": 16, \"Q_B\": 4, \"U_F\": 64}", 32, 5, 0,
                   8, TREEFORK_BY_REGISTERS));
    CHECK(test, is("{\"F_M\": 2048, \"F_B\": 511, \"W_B\": 16, \"Q_B\": 4, \"U_F\": 64}", 32, 5, 0,
                   0, TREEFORK_BY_REGISTERS));
    /* 640 registers a partition hold 5 whole warps each. */
    CHECK(test, is("{\"F_M\": 2600, \"W_B\": 16, \"Q_B\": 4, \"U_F\": 64}", 48, 5, 0, 6,
                   TREEFORK_BY_REGISTERS));
    CHECK(test, is("{\"R_B\": 63}", 32, 64, 0, 0, TREEFORK_BY_REGISTERS));
    /* 9 bytes are 3 words, with 2 reserved ones 5, in units of 4 words 8. */
    CHECK(test, is("{\"Z_M\": 31, \"Z_R\": 2, \"U_Z\": 4}", 32, 8, 9, 3, TREEFORK_BY_SHARED));
    CHECK(test, is("{\"Z_M\": 31, \"Z_B\": 2, \"Z_R\": 2}", 32, 8, 9, 0, TREEFORK_BY_SHARED));
    treefork_machine_clear(&m, "m");
    CHECK(test, treefork_occupancy(&m, INT64_MAX, INT64_MAX, INT64_MAX, &o) == TREEFORK_OK &&
                    o.blocks == TREEFORK_UNLIMITED);
    CHECK(test, o.percent == -1);
    CHECK(test, treefork_occupancy(&m, 0, 0, 0, &o) == TREEFORK_ARGUMENT);
    CHECK(test, treefork_occupancy(&m, 1, -1, 0, &o) == TREEFORK_ARGUMENT);
    m.value[TREEFORK_F_B] = 65536;
    m.value[TREEFORK_W_B] = 32;
    CHECK(test, treefork_occupancy(&m, INT64_MAX, INT64_MAX, INT64_MAX, &o) == TREEFORK_OK &&
                    o.blocks == 0);
    CHECK(test, treefork_machine_read("machines/ampere-a100.json", &m) == TREEFORK_OK &&
                    treefork_occupancy(&m, 256, 40, 20480, &o) == TREEFORK_OK && o.blocks == 6 &&
                    o.warps == 48 && o.warps_most == 64 && o.percent == 75 &&
                    o.limits == TREEFORK_BY_REGISTERS);
}

#ifdef HAS_HEADER
static uint64_t random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static int64_t limit(int header)
{
    return header == INT_MAX ? TREEFORK_UNLIMITED : header;
}

static bool agree(const struct treefork_machine *m, int threads, int registers, int bytes)
{
    cudaOccResult want;
    struct treefork_occupancy o;
    if (!header_ask(m, threads, registers, bytes, &want) ||
        treefork_occupancy(m, threads, registers, bytes, &o))
        return false;
    unsigned limits = want.limitingFactors & (OCC_LIMIT_WARPS | OCC_LIMIT_REGISTERS |
                                              OCC_LIMIT_SHARED_MEMORY | OCC_LIMIT_BLOCKS);
    unsigned own = (o.limits & TREEFORK_BY_WARPS ? OCC_LIMIT_WARPS : 0) |
                   (o.limits & TREEFORK_BY_REGISTERS ? OCC_LIMIT_REGISTERS : 0) |
                   (o.limits & TREEFORK_BY_SHARED ? OCC_LIMIT_SHARED_MEMORY : 0) |
                   (o.limits & TREEFORK_BY_BLOCKS ? OCC_LIMIT_BLOCKS : 0);
    bool same =
        o.blocks == want.activeBlocksPerMultiprocessor && own == limits &&
        o.by_warps == limit(want.blockLimitWarps) && o.by_registers == limit(want.blockLimitRegs) &&
        o.by_shared == limit(want.blockLimitSharedMem) && o.by_blocks == want.blockLimitBlocks;
    if (!same)
        fprintf(stderr,
                "%s: %d threads, %d registers, %d bytes: header %d blocks (%d %d %d %d), treefork "
                "%lld (%lld %lld %lld %lld)\n",
                m->name, threads, registers, bytes, want.activeBlocksPerMultiprocessor,
                want.blockLimitWarps, want.blockLimitBlocks, want.blockLimitRegs,
                want.blockLimitSharedMem, (long long)o.blocks, (long long)o.by_warps,
                (long long)o.by_blocks, (long long)o.by_registers, (long long)o.by_shared);
    return same;
}

static void header(struct test *test, uint64_t seed)
{
    check_test(&test->count);
    static const char *const files[] = {"volta-v100",     "turing-t4", "ampere-a100",
                                        "ampere-rtx3060", "ada-l4",    "hopper-h100"};
    static const int capability[] = {70, 75, 80, 86, 89, 90};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[100], text[64];
        struct treefork_machine m, implied;
        int wrong = 0;
        snprintf(path, sizeof path, "machines/%s.json", files[i]);
        snprintf(text, sizeof text, "{\"architecture\": %d}", capability[i]);
        CHECK(test, treefork_machine_read(path, &m) == TREEFORK_OK &&
                        m.value[TREEFORK_A_D] == capability[i]);
        CHECK(test, treefork_machine_parse(text, strlen(text), "m.json", &implied) == TREEFORK_OK &&
                        implied.value[TREEFORK_U_F] == m.value[TREEFORK_U_F] &&
                        implied.value[TREEFORK_U_Z] == m.value[TREEFORK_U_Z] &&
                        implied.value[TREEFORK_Z_R] == m.value[TREEFORK_Z_R]);
        for (int k = 0; k < 5000; k++) {
            int threads = 1 + (int)(random_next(&seed) % (k % 10 ? 1024 : 1300));
            int registers = (int)(random_next(&seed) % 256);
            int most = 4 * (int)m.value[TREEFORK_Z_B] + 2048;
            int bytes = k % 4 ? (int)(random_next(&seed) % (uint64_t)most) >> (k % 8) : 0;
            wrong += !agree(&m, threads, registers, bytes);
        }
        CHECK(test, wrong == 0);
    }
}
#endif

int main(int argc, char **argv)
{
    struct test test = { .name = "runtime_occupancy" };
    unsigned long seed = argc > 1 ? strtoul(argv[1], NULL, 10) : 20;
    rules(&test);
#ifdef HAS_HEADER
    printf("seed %lu\n", seed);
    header(&test, seed + 1);
#else
    printf("UNSUPPORTED: no cuda_occupancy.h (seed %lu not used)\n", seed);
    test.count.skipped++;
#endif
    return test_end(&test);
}

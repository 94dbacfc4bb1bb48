#ifndef TESTS_UNIT_OCCUPANCY_HEADER_H
#define TESTS_UNIT_OCCUPANCY_HEADER_H
/* The vendor's host-only occupancy header as an oracle, where the toolkit has it (HAS_HEADER). In:
   a machine and a block. Out: what the header answers for a kernel whose shared memory is dynamic
   and opted in, one barrier, no preference. */
#include "runtime/treefork.h"
#if __has_include(<cuda_occupancy.h>)
#include <cuda_occupancy.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#define HAS_HEADER 1

/* False if the header does not know the machine. */
static inline bool header_ask(const struct treefork_machine *m, int threads, int registers,
                              int bytes, cudaOccResult *result)
{
    const int64_t *value = m->value;
    cudaOccDeviceProp device = {
        .computeMajor = (int)value[TREEFORK_A_D] / 10,
        .computeMinor = (int)value[TREEFORK_A_D] % 10,
        .maxThreadsPerBlock = (int)value[TREEFORK_T_B],
        .maxThreadsPerMultiprocessor = (int)value[TREEFORK_T_M],
        .regsPerBlock = (int)value[TREEFORK_F_B],
        .regsPerMultiprocessor = (int)value[TREEFORK_F_M],
        .warpSize = (int)value[TREEFORK_W_B],
        .sharedMemPerBlock = 48 * 1024,
        .sharedMemPerMultiprocessor = 4 * (size_t)value[TREEFORK_Z_M],
        .numSms = (int)value[TREEFORK_M_D],
        .sharedMemPerBlockOptin = 4 * (size_t)value[TREEFORK_Z_B],
        .reservedSharedMemPerBlock = 4 * (size_t)value[TREEFORK_Z_R],
    };
    cudaOccFuncAttributes kernel = {.maxThreadsPerBlock = INT_MAX,
                                    .numRegs = registers,
                                    .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
                                    .maxDynamicSharedSizeBytes = 4 * (size_t)value[TREEFORK_Z_B],
                                    .numBlockBarriers = 1};
    cudaOccDeviceState state = {.carveoutConfig = SHAREDMEM_CARVEOUT_DEFAULT};
    return cudaOccMaxActiveBlocksPerMultiprocessor(result, &device, &kernel, &state, threads,
                                                   (size_t)bytes) == CUDA_OCC_SUCCESS;
}
#endif
#endif

/* Two functions of cuBLAS for the simulated CUDA driver, whose memory is the host's; matrices in columns, none transposed. */
#include <stddef.h>

int cublasCreate_v2(void **handle)
{
    static int one;
    *handle = &one;
    return 0;
}

int cublasDestroy_v2(void *handle)
{
    return handle ? 0 : 1;
}

#define GEMM(name, type) \
    int name(void *handle, int ta, int tb, int m, int n, int k, const type *alpha, const type *a, int lda, const type *b, int ldb, \
             const type *beta, type *c, int ldc) \
    { \
        if (!handle || ta || tb || lda < m || ldb < k || ldc < m) \
            return 7; \
        for (int j = 0; j < n; j++) \
            for (int i = 0; i < m; i++) { \
                type sum = 0; \
                for (int z = 0; z < k; z++) \
                    sum += a[i + (size_t)z * lda] * b[z + (size_t)j * ldb]; \
                c[i + (size_t)j * ldc] = *alpha * sum + *beta * c[i + (size_t)j * ldc]; \
            } \
        return 0; \
    }
GEMM(cublasSgemm_v2, float)
GEMM(cublasDgemm_v2, double)

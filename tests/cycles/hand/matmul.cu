/* c += a b for n by n matrices, n a multiple of 32: a block has 32 by 32 points and 64 threads of
   4 by 4 points, tiles of 16 rounds in two buffers, the next one loaded into registers meanwhile;
   a's tile lies transposed. A warp is 4 by 8 threads. */
enum { POINTS = 32, DEPTH = 16, PITCH = POINTS + 4 };

struct fetched {
    float4 a[2], b[2];
};

static __device__ fetched fetch(int n, int k, const float *a, const float *b)
{
    int t = threadIdx.x, row = blockIdx.y * POINTS, column = blockIdx.x * POINTS;
    fetched f;
    for (int i = 0; i < 2; i++) {
        int at = t + 64 * i;
        f.a[i] = *(const float4 *)&a[(row + at / 4) * n + k + at % 4 * 4];
        f.b[i] = *(const float4 *)&b[(k + at / 8) * n + column + at % 8 * 4];
    }
    return f;
}

static __device__ void keep(const fetched &f, float (*ta)[PITCH], float (*tb)[POINTS])
{
    int t = threadIdx.x;
    for (int i = 0; i < 2; i++) {
        int at = t + 64 * i, row = at / 4, k = at % 4 * 4;
        ta[k][row] = f.a[i].x;
        ta[k + 1][row] = f.a[i].y;
        ta[k + 2][row] = f.a[i].z;
        ta[k + 3][row] = f.a[i].w;
        *(float4 *)&tb[at / 8][at % 8 * 4] = f.b[i];
    }
}

extern "C" __global__ void matmul(int n, const float *__restrict__ a, const float *__restrict__ b,
                                  float *__restrict__ c)
{
    __shared__ __align__(16) float ta[2][DEPTH][PITCH], tb[2][DEPTH][POINTS];
    int t = threadIdx.x, y = t / 8 * 4, x = t % 8 * 4;
    int row = blockIdx.y * POINTS + y, column = blockIdx.x * POINTS + x;
    float4 sum[4];
    for (int i = 0; i < 4; i++)
        sum[i] = *(const float4 *)&c[(row + i) * n + column];
    keep(fetch(n, 0, a, b), ta[0], tb[0]);
    __syncthreads();
    for (int k = 0, turn = 0; k < n; k += DEPTH, turn ^= 1) {
        fetched next;
        if (k + DEPTH < n)
            next = fetch(n, k + DEPTH, a, b);
#pragma unroll
        for (int z = 0; z < DEPTH; z++) {
            float4 u = *(const float4 *)&ta[turn][z][y], v = *(const float4 *)&tb[turn][z][x];
            const float us[4] = {u.x, u.y, u.z, u.w};
#pragma unroll
            for (int i = 0; i < 4; i++) {
                sum[i].x += us[i] * v.x;
                sum[i].y += us[i] * v.y;
                sum[i].z += us[i] * v.z;
                sum[i].w += us[i] * v.w;
            }
        }
        if (k + DEPTH < n)
            keep(next, ta[turn ^ 1], tb[turn ^ 1]);
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        *(float4 *)&c[(row + i) * n + column] = sum[i];
}

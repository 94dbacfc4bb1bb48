/* y = A x, m and n multiples of 32 and 128: a warp takes a row, each lane four neighbours at a time;
   the lanes' sums are added by halves in shared memory. */
extern "C" __global__ void matvec(int m, int n, const float *__restrict__ a,
                                  const float *__restrict__ x, float *__restrict__ y)
{
    __shared__ float sums[4][64];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * 4 + warp;
    volatile float *own = sums[warp];
    float sum = 0;
#pragma unroll 2
    for (int k = 4 * lane; k < n; k += 128) {
        float4 u = *(const float4 *)&a[row * n + k], v = *(const float4 *)&x[k];
        sum += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
    }
    own[lane] = sum;
    __syncthreads();
    for (int half = 16; half > 0; half /= 2) {
        if (lane < half)
            own[lane] = sum += own[lane + half];
        __syncthreads();
    }
    if (lane == 0)
        y[row] = sum;
}

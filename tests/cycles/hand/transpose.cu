/* b = transpose of a, n a multiple of 32: tiles of 32 by 32 through shared memory, rows of 33. */
extern "C" __global__ void transpose(int n, const float *__restrict__ a, float *__restrict__ b)
{
    __shared__ float tile[32][33];
    int x = threadIdx.x, row = blockIdx.y * 32, column = blockIdx.x * 32;
    for (int y = threadIdx.y; y < 32; y += 8)
        tile[y][x] = a[(row + y) * n + column + x];
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8)
        b[(column + y) * n + row + x] = tile[x][y];
}

/* One step of the five-point stencil, n by n with a border: a thread goes down four rows of a column
   and keeps what it has read. */
extern "C" __global__ void jacobi2d(int n, const float *__restrict__ u, float *__restrict__ v)
{
    int x = blockIdx.x * 32 + threadIdx.x + 1, y = (blockIdx.y * 8 + threadIdx.y) * 4 + 1;
    if (x >= n - 1 || y >= n - 1)
        return;
    const float *at = &u[y * n + x];
    float above = at[-n], here = at[0];
#pragma unroll
    for (int i = 0; i < 4; i++, at += n) {
        if (y + i >= n - 1)
            return;
        float below = at[n];
        v[(y + i) * n + x] = 0.2f * (here + at[-1] + at[1] + above + below);
        above = here;
        here = below;
    }
}

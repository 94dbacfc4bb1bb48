/* The product of two vectors. The directive of OpenMP says that the sum may be taken in any order. */
float dot(int n, const float x[n], const float y[n])
{
    float sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

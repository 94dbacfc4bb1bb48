#include <math.h>

void softmax(int rows, int cols, const float *x, float *y)
{
    for (int r = 0; r < rows; r++) {
        float most = x[r * cols];
        float sum = 0.0f;
        for (int c = 1; c < cols; c++)
            if (x[r * cols + c] > most)
                most = x[r * cols + c];
        for (int c = 0; c < cols; c++) {
            y[r * cols + c] = expf(x[r * cols + c] - most);
            sum += y[r * cols + c];
        }
        for (int c = 0; c < cols; c++)
            y[r * cols + c] /= sum;
    }
}

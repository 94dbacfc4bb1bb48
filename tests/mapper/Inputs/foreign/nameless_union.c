typedef struct { int type; union { struct { int rows, cols; }; int size[2]; }; unsigned char *data; } image;
void widen(image *a, double *restrict out)
{
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < a->cols; j++)
            out[i * a->cols + j] = a->data[i * a->cols + j] * 2.0;
}

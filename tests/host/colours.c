/* An innermost axis of three points: on devices without warps the last two axes are one row where
   elements lie so (emit/rows.c), and rows of their own where a block has not all three.
   RUN: %treefork build --all %s -o %t
   RUN: FileCheck --input-file=%t/colours.cl %s
   RUN: FileCheck --check-prefix=CUDA --input-file=%t/colours.cu %s
   RUN: %treefork verify --all %s --device opencl --tolerance 0 --leaf 1 --set h=5,w=70,B0=2,B1=16,B2=4,B3=2,B4=16,B5=3,B6=2,B7=16,B8=3 --set h=3,w=9,B0=2,B1=4,B2=2,B3=1,B4=3,B5=1,B6=2,B7=4,B8=2 --set h=0,w=4,B0=1,B1=1,B2=1,B3=1,B4=1,B5=1,B6=1,B7=1,B8=1 | FileCheck --check-prefix=VERIFY %s
   CHECK: blur_1(
   CHECK: const int joint = to - from == 3;
   CHECK: brighten_1(
   CHECK: const int joint = to - from == 3;
   CHECK: swap_1(
   CHECK-NOT: joint
   CUDA-NOT: joint
   VERIFY: {{^}}9 verified, 0 failed, 0 skipped
*/
void blur(int h, int w, const unsigned char in[h * w * 3], unsigned char out[h * w * 3])
{
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++)
            for (int c = 0; c < 3; c++) {
                int sum = 0;
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++)
                        sum += in[((y + dy) * w + x + dx) * 3 + c];
                out[(y * w + x) * 3 + c] = (unsigned char)(sum / 9);
            }
}

void brighten(int h, int w, const float gain[h], float image[h][w][3])
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            for (int c = 0; c < 3; c++)
                image[y][x][c] = image[y][x][c] * gain[y] + 0.25f;
}

/* Colours change their places, so that a row is none of two axes. */
void swap(int h, int w, const float in[h][w][3], float out[h][w][3])
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            for (int c = 0; c < 3; c++)
                out[y][x][c] = in[y][x][2 - c];
}

/* The mapped functions beside the sources. */
#include <stdio.h>
#include <string.h>

#define BOTH(type, name, arguments)                                                                \
    type name arguments;                                                                           \
    type name##_source arguments;
BOTH(int, last_of, (int n, const int *restrict a, int *restrict b))
BOTH(int, running, (int n, int start, const int *restrict a, int *restrict b, int *restrict c))
BOTH(int, count_records, (int n, const int *restrict a, int *restrict b))
BOTH(void, choose, (int n, const int *restrict a, int *restrict b, int *restrict total))
BOTH(void, rows, (int n, int m, int scale, int *restrict out, const int in[restrict][7]))

enum { ROOM = 40 };
struct memory {
    int b[ROOM], c[ROOM], result[4];
};
static struct memory source, mapped;

int main(void)
{
    static const int sizes[] = {-3, 0, 1, 2, 7, 33};
    int a[ROOM], in[ROOM][7], wrong = 0;
    for (int i = 0; i < ROOM; i++) {
        a[i] = (i * 29 + 5) % 31 - 9;
        for (int j = 0; j < 7; j++)
            in[i][j] = (i * 11 + j * 17) % 23 - 11;
    }
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int f = 0; f < 5; f++) {
            int n = sizes[k];
            memset(&source, 0, sizeof source);
            memset(&mapped, 0, sizeof mapped);
            switch (f) {
            case 0:
                source.result[0] = last_of_source(n, a, source.b);
                mapped.result[0] = last_of(n, a, mapped.b);
                break;
            case 1:
                source.result[1] = running_source(n, 4, a, source.b, source.c);
                mapped.result[1] = running(n, 4, a, mapped.b, mapped.c);
                break;
            case 2:
                source.result[2] = count_records_source(n, a, source.b);
                mapped.result[2] = count_records(n, a, mapped.b);
                break;
            case 3:
                choose_source(n, a, source.b, source.c);
                choose(n, a, mapped.b, mapped.c);
                break;
            default:
                for (int m = 0; m < 8; m++) {
                    rows_source(n, m, 3, source.b, (const int(*)[7])in);
                    rows(n, m, 3, mapped.b, (const int(*)[7])in);
                }
            }
            if (memcmp(&source, &mapped, sizeof source)) {
                printf("function %d differs at n=%d\n", f, n);
                wrong++;
            }
        }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}

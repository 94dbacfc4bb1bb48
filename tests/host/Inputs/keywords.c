#include <metafork.h>

void scale(int new, int class, const float this[restrict new], float *restrict template, const char *restrict friend)
{
    (void)friend;
    meta_schedule {
        meta_for (int i = 0; i < (new + class - 1) / class; i++)
            meta_for (int j = 0; j < class; j++)
                if (i * class + j < new)
                    template[i * class + j] = 2 * this[i * class + j];
    }
}

void delete(int n, int B, float *operator)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
                operator[i * B + j] = 0;
    }
}

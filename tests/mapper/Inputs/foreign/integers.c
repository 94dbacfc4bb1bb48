_Complex int a[1024];
void fill(void)
{
    for (int i = 0; i < 1024; i++)
        a[i] = -1;
}

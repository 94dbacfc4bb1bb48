/* A structure that a call makes: where no loop runs nobody may look into it. And members that two
   loops read, one of which runs. */
struct lattice {
    int rows;
    double *value;
};
void lattice_make(struct lattice **);

void fill(const double *in, int n)
{
    struct lattice *d;
    lattice_make(&d);
    for (int i = 0; i < n; i++)
        d->value[i] = in[i];
}

void both(int n, int m)
{
    struct lattice *d;
    lattice_make(&d);
#pragma scop
    for (int i = 0; i < n; i++)
        d->value[i] = i;
    for (int i = 0; i < m; i++)
        d->value[i] += 2;
#pragma endscop
}

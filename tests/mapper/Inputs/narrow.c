/* Iterators of few bits, as code for small machines has them. */
void scaled(short n, float *a, const float *b)
{
  short i;
  for (i = 0; i < n; i++)
    a[i] = b[i] * i;
}

void table(int n, float a[n][64], const float b[n][64])
{
  unsigned char j;
  int i;
  for (i = 0; i < n; i++)
    for (j = 0; j < 64; j += 2)
      a[i][j] = b[i][j] * j;
}

int summed(const unsigned char *x, unsigned short n)
{
  int s = 0;
  for (unsigned short i = 0; i != n; ++i)
    s += x[i];
  return s;
}

/* A counter that wraps: it is none of these. */
unsigned char wrapping(float a[300], const float b[300])
{
  unsigned char i, k = 0;
  for (i = 10; i < 200; i--) {
    a[i] = b[i];
    k++;
  }
  return k;
}

void long_steps(float a[300], const float b[300], int n)
{
  unsigned char i;
  for (i = 0; i < n; i += 3)
    a[i] = b[i];
}

/* Pointers and integers that loops move, in the arguments and the bodies of macros, as in code that hides its accesses. */
#define SQUARE(x) ((x) * (x))
#define GET(p) (*(p))
#define NEXT(p) (*(p)++)
#define PUT(d, v) *(d)++ = (v)
#define AT(k) a[(k) + 1]
#define ROW(p, y, w) ((p) + (y) * (w))
#define WIDTH 64
#define OFFSET(y) ((y) * WIDTH)

void strided(int n, int inc, float *b, const float *a)
{
  int k = inc;

  for (int i = 0; i < n; i++) {
    b[i] = SQUARE(a[k]) + AT(k);
    k += inc;
  }
}

void moved(int n, float *d, const float *p)
{
  while (n--) {
    PUT(d, SQUARE(GET(p)) * n);
    p++;
  }
}

void stepped(int n, float *b, const float *p)
{
  for (int i = 0; i < n; i++)
    b[i] = 2 * NEXT(p);
}

void rows(int w, int h, unsigned char *o, const unsigned char *q)
{
  for (int y = 0; y < h; y++) {
    const unsigned char *r = ROW(q, y, w);
    unsigned char *d = ROW(o, y, w);
    for (int x = 0; x < w; x++) {
      GET(d) = 255 - GET(r);
      r++;
      d++;
    }
  }
}

void fixed(int h, float *o, const float *q)
{
  for (int y = 0; y < h; y++) {
    const float *r = &q[OFFSET(y)];
    float *d = o + OFFSET(y);
    for (int x = 0; x < WIDTH; x++)
      d[x] = r[x] + GET(r + x);
  }
}

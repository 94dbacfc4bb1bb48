/* The least and the greatest in the words of several libraries: macros, functions, fmax, conditions that are turned round. */
#include <math.h>

#define LARGER(a, b) ((a) > (b) ? (a) : (b))

double later(double x, double y)
{
  double value;

  if (y < x)
  {
    value = x;
  }
  else
  {
    value = y;
  }
  return value;
}

int most(int a, int b)
{
  if (a > b)
    return a;
  return b;
}

static float floor_of(float a, float b)
{
  return a < b ? a : b;
}

int whole(int n, const int x[])
{
  int m = -5, i;

  for (i = 0; i < n; i++)
    m = most(x[i], m);
  return m;
}

double kept(int n, const double x[])
{
  double m = 0.5;
  int i;

  for (i = 0; i < n; i++)
    m = later(x[i], m);
  return m;
}

float guarded(int n, const float x[])
{
  float m = 3;
  int i;

  for (i = 0; i < n; i++)
    if (x[i] > -0.5f)
      m = floor_of(x[i], m);
    else
      m = floor_of(m, 0.25f);
  return m;
}

double taken(int n, const double x[])
{
  double m = 0.5;
  int i;

  for (i = 0; i < n; i++)
    m = later(m, x[i]);
  return m;
}

double library(int n, const double x[])
{
  double m = 0;

  for (int i = 0; i < n; i++)
    m = fmax(m, fabs(x[i]));
  return m;
}

double macro(int n, const double x[])
{
  double m = 0;

  for (int i = 0; i < n; i++) {
    m = LARGER(m, x[i] * 2);
  }
  return m;
}

float strided(int n, int inc, const float x[n * inc + 1], int at[1])
{
  float m = fabsf(x[0]);
  int k = inc, index = 0;

  for (int i = 1; i < n; i++) {
    if (fabsf(x[k]) <= m) goto next;
    index = i;
    m = fabsf(x[k]);
next:
    k += inc;
  }
  at[0] = index;
  return m;
}

/* Loops of a thread: the words change there, too. */
void of_rows(int m, int n, const double x[m][n], double y[restrict m], double z[restrict m])
{
  int i, j;

  for (i = 0; i < m; i++)
  {
    double most = 0, least = 5, sum = 0;
    for (j = 0; j < n; j++)
    {
      most = fmax(most, fabs(x[i][j]));
      least = fmin(x[i][j], least);
      sum += x[i][j];
    }
    y[i] = most - least;
    z[i] = sum;
  }
}

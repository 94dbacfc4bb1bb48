/* The greatest value of a function that is more than an expression, in the style of libraries that write their own. */
float own_abs(float x)
{
  float value;

  if (0.0 <= x)
  {
    value = x;
  }
  else
  {
    value = -x;
  }
  return value;
}

float amax(int n, float a[])
{
  float most;
  int i;

  most = 0.0;
  for (i = 0; i < n; i++)
  {
    if (most < own_abs(a[i]))
    {
      most = own_abs(a[i]);
    }
  }
  return most;
}

static float apart(float x, float y)
{
  float far = own_abs(x - y);

  if (far < 0.25f)
    far = 0.25f;
  return far + own_abs(x) * own_abs(y);
}

/* The same function twice, with other arguments. */
void widths(int n, float a[], float b[], float to[])
{
  int i;

  for (i = 0; i < n; i++)
  {
    float w = 1.0f;
    if (w < apart(a[i], b[i]))
      w = apart(a[i], b[i]);
    if (w < apart(b[i], 2 * a[i]))
      w = apart(b[i], a[i]);
    to[i] = w;
  }
}

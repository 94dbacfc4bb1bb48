"""What all files share: a text of C as a module, and a device that is always asked."""
import os
import textwrap

import pytest

import treefork


@pytest.fixture(scope="session")
def build():
    """build(text, **options): a module from a text, compiled once per text."""
    def made(text, **options):
        return treefork.compile(textwrap.dedent(text), **options)
    return made


@pytest.fixture(scope="session")
def smooth(build):
    """Two functions with regions, one without."""
    return build("""
        void smooth(int n, const double *a, double *b)
        {
            for (int i = 1; i < n - 1; i++)
                b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
        }
        void scale(int n, int m, float s, float a[n][m])
        {
            for (int i = 0; i < n; i++)
                for (int j = 0; j < m; j++)
                    a[i][j] *= s;
        }
        int twice(int x) { return 2 * x; }
        double half(double x) { return x / 2; }
        _Bool flip(_Bool x) { return !x; }
        unsigned long wide(unsigned char c, long long l) { return c + l; }
        double last(long n, const double *a) { return a[n - 1]; }
        char *text(void) { return 0; }
        int strings(char **names) { return names == 0; }
    """, name="smooth.c")


@pytest.fixture
def no_cache_of_mine(monkeypatch, tmp_path):
    """A cache of its own."""
    monkeypatch.setenv("TREEFORK_CACHE_DIR", str(tmp_path / "cache"))
    os.makedirs(tmp_path / "cache", mode=0o700)
    return tmp_path / "cache"

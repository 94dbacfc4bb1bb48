"""README's loop from the wheel: the results are NumPy's, and the device has computed them."""
import os

import numpy as np
import treefork

k = treefork.load("smooth.c")
a = np.arange(100_000, dtype=np.float32)
b = np.zeros_like(a)
k.smooth(len(a), a, b)
assert np.allclose(b[1:-1], a[1:-1])
print(f"Python {os.path.dirname(treefork.__file__)}: b[9] = {b[9]:g}, device {treefork.device().kind}")

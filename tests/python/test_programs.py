"""First programs equal NumPy."""
import os

import numpy as np
import pytest

import programs
import treefork

SIZE = 10**6 if os.environ.get("TEST_SCALE") == "full" else 30000


@pytest.mark.parametrize("program", programs.PROGRAMS, ids=lambda program: program.name)
def test_program(program):
    k = programs.load(treefork, program)
    data = program.data(np.random.default_rng(7), SIZE)
    again = {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in data.items()}
    assert programs.differs(program, program.call(k, data), program.numpy(again)) is None

"""What all tests of the package share."""

import numpy as np
import pytest

DTYPES = [
    np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64,
    np.float16, np.float32, np.float64,
]


def numbers(dtype, shape, seed=0):
    """Small numbers that every type holds exactly."""
    values = np.random.default_rng(seed).integers(0, 2 if dtype == np.bool_ else 100, shape)
    return values.astype(dtype)


@pytest.fixture(params=DTYPES, ids=lambda t: np.dtype(t).name)
def dtype(request):
    return request.param

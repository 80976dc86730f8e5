# SPDX-License-Identifier: GPL-3.0-or-later
"""Every modifier reproduces its golden bits on every processor; with every NumPy `test_same_bits.py` shows more.

The digests change only through ``python tools/update_golden.py --modifiers``, in a commit that
says why.
"""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import modifier_types
from tests.core import golden_modifiers

pytestmark = pytest.mark.bits


@pytest.mark.newest
@pytest.mark.parametrize("key", list(modifier_types()))
def test_the_bits_are_what_they_were(key):
    if key not in golden_modifiers.saved():
        pytest.skip("no golden digests yet: python tools/update_golden.py --modifiers")
    assert golden_modifiers.digests(key) == golden_modifiers.saved()[key]


def test_no_digest_is_without_its_modifier():
    assert set(golden_modifiers.saved()) <= set(modifier_types())


def test_the_ground_has_slopes_hollows_and_no_seam():
    for grid in golden_modifiers.GRIDS.values():
        height = golden_modifiers.ground(grid)
        assert height.dtype == np.float32 and 50 < np.ptp(height) < 500
        assert len(np.unique(height)) > 0.9 * height.size

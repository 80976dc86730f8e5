# SPDX-License-Identifier: GPL-3.0-or-later
"""Both ways to gather columns give the same result with every NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core.base import gathering


@pytest.mark.parametrize("one_by_one", [True, False])
def test_columns_are_taken_from_all_rows(monkeypatch, one_by_one):
    monkeypatch.setattr(gathering, "_TAKES_ONE_BY_ONE", one_by_one)
    rows = np.arange(2 * 3 * 5, dtype=np.float32).reshape(2, 3, 5)
    columns = np.array([4, 0, 0, 2, 3, 4, 1], np.intp)
    out = np.full((2, 3, 7), np.nan, np.float32)
    assert gathering.gather(rows, columns, out) is out
    for row, found in zip(rows.reshape(-1, 5), out.reshape(-1, 7)):
        assert found.tolist() == [row[column] for column in columns]


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.uint8, np.intp, np.bool_])
@pytest.mark.parametrize("one_by_one", [True, False])
def test_values_are_taken_from_any_places(monkeypatch, one_by_one, dtype):
    monkeypatch.setattr(gathering, "_TAKES_ONE_BY_ONE", one_by_one)
    values = np.array([3, 1, 0, 2, 5], dtype)
    for places in ([4, 0, 0], [[1, 2], [3, 4]], []):
        expected = [values[one] for one in np.ravel(np.array(places, np.intp))]
        for kind in (np.intp, np.uint8):
            found = gathering.gather(values, np.array(places, kind))
            assert found.shape == np.shape(places) and found.dtype == values.dtype
            assert found.ravel().tolist() == expected
            out = np.empty(np.shape(places), dtype)
            assert gathering.gather(values, np.array(places, kind), out=out) is out
            assert out.ravel().tolist() == expected

# SPDX-License-Identifier: GPL-3.0-or-later
"""The programs that benchmarks start in processes of their own run, and return what they are to measure."""

from __future__ import annotations

import sys

import pytest

from benchmarks import processes

pytestmark = [
    pytest.mark.newest,
    pytest.mark.skipif(sys.platform != "linux", reason="reads the peak of memory from /proc"),
]


def test_memory_of_exports_and_erosion_is_measured(tmp_path):
    _, writing = processes.export_bytes_per_sample(505, tmp_path)
    assert 0.0 < writing < 100.0
    assert 4.0 < processes.erosion_bytes_per_cell(257) < 1000.0


def test_imports_are_timed():
    assert processes.import_milliseconds(1) > 1.0

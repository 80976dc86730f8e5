# SPDX-License-Identifier: GPL-3.0-or-later
"""Point caches: their bytes, and the rest of an incomplete one."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from noise_core.base import atomic_files
from noise_core.base.errors import TerraneError
from noise_core.io.point_cache import PointCache


def test_the_bytes_are_those_of_pc2(tmp_path):
    path = tmp_path / "a.pc2"
    frames = np.arange(18, dtype=np.float32).reshape(2, 3, 3)
    cache = PointCache(path, 3, 5.0, 2.0, 2)
    for frame in frames:
        cache.write(frame)
    cache.close()
    content = path.read_bytes()
    assert struct.unpack("<12siiffi", content[:32]) == (b"POINTCACHE2\0", 1, 3, 5.0, 2.0, 2)
    assert np.array_equal(np.frombuffer(content[32:], "<f4").reshape(2, 3, 3), frames)


def test_an_incomplete_cache_leaves_the_former_one(tmp_path):
    path = tmp_path / "a.pc2"
    path.write_bytes(b"former")
    cache = PointCache(path, 1, 1.0, 1.0, 2)
    cache.write(np.zeros((1, 3), np.float32))
    cache.close()
    assert [one.name for one in tmp_path.iterdir()] == ["a.pc2"] and path.read_bytes() == b"former"


def test_a_folder_that_is_not_there_is_one_line(tmp_path):
    with pytest.raises(TerraneError, match="cannot be written: No such file"):
        PointCache(tmp_path / "none" / "a.pc2", 1, 1.0, 1.0, 1)


@pytest.mark.skipif(not __import__("os").path.exists("/dev/full"), reason="Linux alone has it")
def test_a_full_disk_is_one_line(tmp_path, monkeypatch):
    path, part = tmp_path / "a.pc2", tmp_path / "a.pc2.part"
    monkeypatch.setattr(atomic_files, "part_of", {path: part}.__getitem__)
    part.symlink_to("/dev/full")
    with pytest.raises(TerraneError, match=r"a\.pc2: cannot be written: No space left") as caught:
        PointCache(path, 1, 1.0, 1.0, 1)
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())

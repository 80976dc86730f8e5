# SPDX-License-Identifier: GPL-3.0-or-later
"""The film of a minute is joined of played frames and of landforms, and stays small."""

from __future__ import annotations

import json

from PIL import Image

from tools import film


def test_frames_and_landforms_are_joined(tmp_path):
    frames = {"frame_000.png": 40_000, "frame_001.png": 180}
    for number, name in enumerate(frames):
        Image.new("RGB", (1600, 900), (90, 120 + 40 * number, 60)).save(tmp_path / name)
    (tmp_path / "frames.json").write_text(json.dumps(list(frames.items())), encoding="utf-8")
    path = film.join(tmp_path)
    assert path.stat().st_size < film.LARGEST
    with Image.open(path) as joined:
        assert joined.size == film.SIZE and joined.n_frames == 2 + len(film.LAST)
    _, times = film.shown(tmp_path)
    assert sum(times) == 40_180 + len(film.LAST) * film.LAST_SHOWN

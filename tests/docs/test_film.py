# SPDX-License-Identifier: GPL-3.0-or-later
"""The film of a minute is joined of played frames and of landforms, and stays small."""

from __future__ import annotations

import json

import pytest
from PIL import Image

from tools import film

OVER = {"film.webp": film.LARGEST, "curves_film.webp": 700_000}
"""Pictures of the repository that may be larger than others: films, of 24 frames and of a minute."""


def frames_in(folder, *frames):
    """Write plain frames with their times and captions."""
    for number, (name, _, _) in enumerate(frames):
        Image.new("RGB", (1311, 737 + 60 * number), (90, 120 + 40 * number, 60)).save(folder / name)
    (folder / "frames.json").write_text(json.dumps(frames), encoding="utf-8")


def test_frames_and_landforms_are_joined(tmp_path):
    frames_in(tmp_path, ("a.png", 40_000, ""), ("b.png", 180, "Draw a river"))
    path = film.join(tmp_path)
    assert path.stat().st_size < film.LARGEST
    with Image.open(path) as joined:
        assert joined.size == film.SIZE and joined.n_frames == 2 + len(film.LAST)
        plain, captioned = (_lower_left(joined, number) for number in (0, 1))
    assert plain.getextrema()[0][0] > 60, "nothing is written where there is no caption"
    darkest, lightest = captioned.getextrema()[0]
    assert darkest < 40 and lightest > 200, "white letters stand on a dark ground"
    times = [milliseconds for _, milliseconds, _ in film.shown(tmp_path)]
    assert sum(times) == 40_180 + len(film.LAST) * film.LAST_SHOWN


def _lower_left(joined, number):
    joined.seek(number)
    return joined.convert("RGB").crop((30, film.SIZE[1] - 55, 140, film.SIZE[1] - 25))


def test_screenshots_are_the_last_frames_of_their_captions(tmp_path):
    names = [(f"{number}.png", 180, caption) for number, caption in enumerate(film.STILLS)]
    frames_in(tmp_path, ("first.png", 180, "Draw"), *names)
    film.keep_stills(tmp_path, tmp_path)
    for number, name in enumerate(film.STILLS.values(), 1):
        with Image.open(tmp_path / f"{name}.jpg") as still:
            assert still.size == (1311, 737 + 60 * number)


def test_the_film_of_the_pages_is_a_minute_and_is_shown():
    with Image.open(film.IMAGES / "film.webp") as shown:
        assert shown.size == film.SIZE
        times = []
        for number in range(shown.n_frames):
            shown.seek(number)
            shown.load()
            times.append(shown.info["duration"])
    assert 45_000 < sum(times) < 75_000
    for page in ("README.md", "docs/index.md"):
        assert "images/film.webp" in (film.ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted(film.IMAGES.iterdir()), ids=lambda path: path.name)
def test_pictures_are_small(path):
    assert path.stat().st_size <= OVER.get(path.name, film.LARGEST_STILL)

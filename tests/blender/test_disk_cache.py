# SPDX-License-Identifier: GPL-3.0-or-later
"""Images that are made once for all sessions: found again to the byte, and never in the way."""

from __future__ import annotations

import os

import numpy as np
import pytest

from tests.blender.extension import module

KEYS = ("a tile", "its relief")


@pytest.fixture
def cache(terrane):
    return module("operators.bridge.textures.disk_cache")


def contents(shade=0.5):
    images = module("operators.bridge.datablocks.images")
    return [
        images.content(np.full((4, 8, channels), shade, np.float32), float_buffer=False)
        for channels in (4, 3)
    ]


def refused():
    pytest.fail("it was made again")


def test_another_session_finds_the_same_bytes(cache, tmp_path):
    made = cache.DiskCache(tmp_path).find_or_make_images(KEYS, contents)
    images = cache.DiskCache(tmp_path).find_or_make_images(KEYS, refused)
    assert images == made == tuple(contents()) and images[0].shape == (4, 8)
    assert {path.suffix for path in tmp_path.iterdir()} == {".terrane"}


def test_bytes_are_kept_as_images_are(cache, tmp_path):
    kept = cache.DiskCache(tmp_path)
    assert kept.find_or_make(["shapes"], lambda: [b"\0shapes"]) == (b"\0shapes",)
    assert cache.DiskCache(tmp_path).find_or_make(["shapes"], refused) == (b"\0shapes",)
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:-1] + b"z")
    assert kept.find_or_make(["shapes"], lambda: [b"more"]) == (b"more",)


def test_another_key_or_another_version_is_made_anew(cache, tmp_path, monkeypatch):
    kept = cache.DiskCache(tmp_path)
    kept.find_or_make_images(KEYS, contents)
    light = tuple(contents(1.0))
    assert kept.find_or_make_images(("other", "keys"), lambda: light) == light
    monkeypatch.setattr(cache, "_version", lambda: "another one")
    assert kept.find_or_make_images(KEYS, lambda: light) == light


@pytest.mark.parametrize("bytes_left", [0, 10, -1])
def test_a_damaged_file_is_made_anew(cache, tmp_path, bytes_left):
    kept = cache.DiskCache(tmp_path)
    kept.find_or_make_images(KEYS, contents)
    for file in tmp_path.iterdir():
        file.write_bytes(file.read_bytes()[:bytes_left])
    assert kept.find_or_make_images(KEYS, contents) == tuple(contents())
    kept.find_or_make_images(KEYS, refused)


def test_where_nothing_can_be_written_it_is_made_each_time(cache, tmp_path):
    no_folder = tmp_path / "file"
    no_folder.write_text("no folder")
    for folder in (None, no_folder, tmp_path / "missing"):
        for _ in range(2):
            calls = []
            images = cache.DiskCache(folder).find_or_make_images(
                KEYS, lambda calls=calls: calls.append(1) or contents()
            )
            assert calls == [1] and images == tuple(contents())


def test_what_was_used_longest_ago_goes_first(cache, tmp_path, monkeypatch):
    kept = cache.DiskCache(tmp_path)
    sizes = {}
    for place, keys in enumerate((("first",), ("second",), ("third",))):
        files_before = set(tmp_path.iterdir())
        kept.find_or_make_images(keys, lambda: contents()[:1])
        (file,) = set(tmp_path.iterdir()) - files_before
        sizes[keys] = file.stat().st_size
        os.utime(file, (place, place))
    kept.find_or_make_images(("first",), refused)  # which is the newest now
    monkeypatch.setattr(cache, "MOST_BYTES", 3 * sizes["first",])
    kept.find_or_make_images(("fourth",), lambda: contents()[:1])
    kept.find_or_make_images(("first",), refused)
    with pytest.raises(pytest.fail.Exception):
        kept.find_or_make_images(("second",), refused)

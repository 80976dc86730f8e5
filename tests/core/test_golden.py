# SPDX-License-Identifier: GPL-3.0-or-later
"""Every type reproduces its golden field: to the byte, or within the stated tolerance.

Golden files change only through ``python tools/update_golden.py KEY``, in a commit that says why.
"""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Recipe, noise_types
from noise_core.lattice.hash import child_seed
from noise_core.noises import warp
from tests.core import golden

TYPES = noise_types()

pytestmark = [
    pytest.mark.bits,
    pytest.mark.skipif(
        not golden.FOLDER.exists(), reason="no golden fields: run tools/update_golden.py --all"
    ),
]


def load(key):
    """Return a golden recipe and its fields; skip the test for a new type that has none yet."""
    if not golden.path(key).exists():
        pytest.skip(f"no golden fields yet: python tools/update_golden.py {key}")
    return golden.load(key)


@pytest.mark.parametrize("key", list(golden.named()))
def test_the_field_is_what_it_was(key):
    text, kept = load(key)
    noise = Recipe.from_json(text).noise
    scale = max(1.0, *(abs(bound) for bound in noise.bounds()))
    now = golden.fields(noise)
    assert set(now) == set(kept)
    wrong = {name: golden.difference(now[name], kept[name], scale) for name in kept}
    assert not any(wrong.values()), f"{key}: {wrong}"


@pytest.mark.parametrize("key", list(TYPES))
def test_the_defaults_are_what_they_were(key):
    text, _ = load(key)
    then, now = Recipe.from_json(text).noise, TYPES[key]()
    now = now.in_meters(1.0, 100.0)  # as a recipe tells it its measures
    for parameter in now.parameters():
        before, after = getattr(then, parameter.name), getattr(now, parameter.name)
        # A default picture may be computed, with the last bit as this NumPy has it.
        is_picture = parameter.kind == "pixels"
        same = np.allclose(before, after, rtol=0.0, atol=1e-6) if is_picture else before == after
        assert same, f"{key}.{parameter.name}: a new default; say so, then update its golden fields"


@pytest.mark.parametrize("key", list(golden.variants()))
def test_a_variant_is_the_one_that_was_kept(key):
    assert Recipe.from_json(golden.load(key)[0]).noise == golden.variants()[key]


@pytest.mark.parametrize("key", [key for key in golden.variants() if key.startswith("warp-levels")])
def test_a_second_level_with_the_first_ones_copies_is_noticed(key, monkeypatch):
    monkeypatch.setattr(
        warp, "_copy_seed", lambda seed, level, axis: child_seed(seed, 0x200 + axis)
    )
    now, (_, kept) = golden.fields(golden.variants()[key]), golden.load(key)
    assert all(golden.difference(now[name], kept[name]) for name in kept)


def test_no_golden_file_is_without_its_type():
    assert {file.stem for file in golden.FOLDER.glob("*.npz")} <= set(golden.named())


def test_golden_files_are_small():
    assert sum(file.stat().st_size for file in golden.FOLDER.glob("*.npz")) < 400_000


def test_a_changed_field_is_found_and_told():
    field = np.linspace(-1.0, 1.0, 12, dtype=np.float32).reshape(3, 4)
    assert golden.difference(field, field.copy()) == ""
    near, far, broken = field.copy(), field.copy(), field.copy()
    near[1, 2] += np.float32(1e-6)
    far[1, 2] += np.float32(1e-3)
    broken[1, 2] = np.nan
    assert golden.difference(near, field) == ""
    assert golden.difference(far, field).startswith("differs by up to 0.001, at (1, 2): ")
    assert golden.difference(broken, field) == "1 samples are not finite"
    assert golden.difference(field[:2], field) == "shape (2, 4) instead of (3, 4)"


def test_what_is_saved_is_what_is_loaded(tmp_path, monkeypatch):
    monkeypatch.setattr(golden, "FOLDER", tmp_path)
    noise = TYPES["perlin"]()
    golden.save("perlin", noise)
    first = golden.path("perlin").read_bytes()
    text, kept = golden.load("perlin")
    assert Recipe.from_json(text).noise == noise
    for name, field in golden.fields(noise).items():
        assert kept[name].tobytes() == field.tobytes()
    golden.save("perlin", noise)
    assert golden.path("perlin").read_bytes() == first

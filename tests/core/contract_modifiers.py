# SPDX-License-Identifier: GPL-3.0-or-later
"""Contract of all modifiers on their fields: one function per promise, raising AssertionError.

`test_modifier_contract.py` runs them over all registered types, `test_modifier_contract_catches.py`
over modifiers that are broken on purpose, so that no check can quietly stop checking.
"""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest

from noise_core import Cancelled, Grid, Modifier, ParameterError
from noise_core.base import blocks
from noise_core.base.arrays import MAX_HEIGHT, Field
from noise_core.noises import Fractal, Perlin

SEED = 20260
WIDTH = 2400.0
RELIEF = 500.0

HEARD = 0.05
"""Seconds of CPU time until a cancel is heard; 0.2 are allowed with ten times as many samples."""

SHAPES = ((1, 1), (1, 9), (9, 1), (2, 2), (3, 7), (17, 16), (65, 40))

MOVES = (((64, 96), (16, 48)), ((96, 32), (-32, 16)), ((48, 48), (16, 0)))
"""Rows and columns of tori, and by how much they are moved along both."""

KNOWN = json.loads(
    (Path(__file__).parents[1] / "golden" / "modifier_checks.json").read_text("utf-8")
)
"""By the keys of types, what checks have to know of them:

* ``steady``: values that turn off chance, directions or cells that belong to places. All other types must give a
  moved result for a moved terrain.
* ``few_steps``: values of types that take many steps, all alike, for checks that apply one many times.
* ``fewer_steps``: more of them, for checks that compare one result with another: what adds up over more steps is no
  matter there.
* ``drains_at_the_border``: the border is where water leaves, so no lake can stand there.
* ``is_without_literature``: plain arithmetic; one of them may still name its source.
* ``step``, ``runs``: the function that makes a step, or several, and values to run it with, by the names of tests.
"""

_TERRAIN = Fractal(source=Perlin(frequency=3.0), octaves=5)


def known(cls: type[Modifier], *names: str) -> dict[str, Any]:
    """Return the values in `KNOWN` for a type, of all these names."""
    entry = KNOWN.get(cls.key, {})
    return {key: value for name in names for key, value in entry.get(name, {}).items()}


@functools.lru_cache(maxsize=64)
def terrain(rows: int, columns: int, wrap: bool = False, seed: int = 5) -> Field:
    """Return hills on a grid of `WIDTH` meters, about `RELIEF` meters high; not to be written to."""
    grid = Grid(rows, columns, wrap=wrap, size=WIDTH)
    field = _TERRAIN.sample_grid(grid, seed) * np.float32(RELIEF)
    field.flags.writeable = False
    return field


def grid_of(field: Field, wrap: bool = False) -> Grid:
    """Return the grid that `terrain` lies on."""
    return Grid(*field.shape, wrap=wrap, size=WIDTH)


def odd_fields(rows: int, columns: int) -> Iterator[tuple[str, Field]]:
    """Yield unusual inputs that a modifier must survive, by name."""
    shape = (rows, columns)
    hills = terrain(rows, columns)
    spike = hills.copy()
    spike[rows // 2, columns // 3] = 1e5
    pit = hills.copy()
    pit[rows // 3, columns // 2] = -1e5
    yield "constant zero", np.zeros(shape, np.float32)
    yield "constant", np.full(shape, -7.25, np.float32)
    yield "spike", spike
    yield "pit", pit
    yield "below the sea", hills - np.float32(1e4)
    yield "tiny", hills * np.float32(1e-6)
    yield "huge", hills * np.float32(1e5)
    yield (
        "nearly as high as allowed",
        hills * np.float32(0.1 * MAX_HEIGHT / max(np.abs(hills).max(), 1.0)),
    )
    yield "next to nothing", hills * np.float32(1e-40)
    white = np.random.default_rng(3).normal(0.0, RELIEF, shape)
    yield "white noise", white.astype(np.float32)
    yield "clamped sea", np.maximum(hills, np.float32(20.0))
    yield "stairs", np.floor(hills / np.float32(60.0)) * np.float32(60.0)


def assert_sound(modifier: Modifier, relief: object, shape: tuple[int, int], what: str) -> None:
    """Assert that height and maps are fields of a shape, finite, with the declared names."""
    height, maps = relief.height, relief.maps  # type: ignore[attr-defined]
    assert set(maps) == set(modifier.makes), f"{what}: maps {set(maps) ^ set(modifier.makes)}"
    for name, field in {"height": height, **maps}.items():
        assert isinstance(field, np.ndarray), f"{what}: {name}"
        assert field.shape == shape, f"{what}: {name} has shape {field.shape}"
        assert field.dtype == np.float32, f"{what}: {name} is {field.dtype}"
        assert np.isfinite(field).all(), f"{what}: {name} has nan or inf"


def assert_same(first: object, second: object, what: str) -> None:
    """Assert that two results have the same bits."""
    assert first.height.tobytes() == second.height.tobytes(), what  # type: ignore[attr-defined]
    for name in first.maps:  # type: ignore[attr-defined]
        one, other = first.maps[name], second.maps[name]  # type: ignore[attr-defined]
        assert one.tobytes() == other.tobytes(), f"{what}: {name}"


def check_any_shape(modifier: Modifier, shapes: tuple[tuple[int, int], ...] = SHAPES) -> None:
    """Height and maps are float32 of the grid's shape, for every shape."""
    for shape in shapes:
        for wrap in (False, True):
            field = terrain(*shape, wrap)
            relief = modifier.apply(field, grid_of(field, wrap), SEED)
            assert_sound(modifier, relief, shape, f"{shape}, wrap {wrap}")


def check_finite_for_any_heights(modifier: Modifier) -> None:
    """No heights that are finite give nan, inf or a warning."""
    for shape, wrap in (((24, 31), False), ((32, 16), True)):
        for name, field in odd_fields(*shape):
            relief = modifier.apply(field, grid_of(field, wrap), SEED)
            assert_sound(modifier, relief, shape, f"{name}, wrap {wrap}")


def check_any_size(modifier: Modifier) -> None:
    """The grid may be as wide as a stamp or as a planet."""
    field = terrain(20, 33)
    for size in (1e-3, 1.0, 100.0, 1e5, 4e7):
        relief = modifier.apply(field, Grid(20, 33, size=size), SEED)
        assert_sound(modifier, relief, field.shape, f"{size} m wide")


def check_defaults_change_something(modifier: Modifier) -> None:
    """A modifier out of the box is seen, and keeps the terrain in sight."""
    field = terrain(96, 96)
    change = modifier.apply(field, grid_of(field), SEED).height - field
    assert np.abs(change).max() > 1e-4 * RELIEF, "changes nothing"
    assert np.abs(change).max() < 4.0 * RELIEF, "leaves nothing of the terrain"


def check_input_is_left_alone(modifier: Modifier) -> None:
    """Nothing is written into height or mask, and the result shares no memory with them."""
    field = terrain(33, 30).copy()
    mask = np.linspace(0.0, 1.0, field.size, dtype=np.float32).reshape(field.shape)
    kept, kept_mask = field.copy(), mask.copy()
    for given in (None, mask):
        relief = modifier.apply(field, grid_of(field), SEED, mask=given)
        assert field.tobytes() == kept.tobytes(), "height was written to"
        assert mask.tobytes() == kept_mask.tobytes(), "mask was written to"
        outputs = [relief.height, *relief.maps.values()]
        for place, socket in enumerate(outputs):
            assert not np.shares_memory(socket, field) and not np.shares_memory(socket, mask)
            assert not any(np.shares_memory(socket, other) for other in outputs[:place])
    expected = modifier.apply(kept, grid_of(kept), SEED)
    kept.flags.writeable = False
    assert_same(modifier.apply(kept, grid_of(kept), SEED), expected, "read-only height")
    turned = np.asfortranarray(kept)
    assert_same(modifier.apply(turned, grid_of(kept), SEED), expected, "height in columns")


def check_same_seed_same_bits(modifier: Modifier) -> None:
    """Nothing but arguments counts: no earlier call, no copy of the modifier."""
    field = terrain(50, 41)
    first = modifier.apply(field, grid_of(field), SEED)
    modifier.apply(terrain(50, 41, True), grid_of(field, True), SEED + 1)
    assert_same(modifier.apply(field, grid_of(field), SEED), first, "asked again")
    twin = modifier.with_values()
    assert_same(twin.apply(field, grid_of(field), SEED), first, "asked of a twin")
    signed = modifier.apply(field, grid_of(field), -1)
    assert_same(modifier.apply(field, grid_of(field), 0xFFFFFFFF), signed, "the same seed")


def check_threads_agree(modifier: Modifier) -> None:
    """One thread gives the bits that two give."""
    for wrap in (False, True):
        field = terrain(120, 48, wrap)  # many enough for several strips of what takes long
        results = []
        for count in (1, 2, 3):
            with mock.patch.object(blocks, "processor_count", lambda count=count: count):
                results.append(modifier.apply(field, grid_of(field, wrap), SEED))
        assert_same(results[0], results[1], f"two threads, wrap {wrap}")
        assert_same(results[0], results[2], f"three threads, wrap {wrap}")


def check_mask(modifier: Modifier) -> None:
    """A mask of 0 leaves heights to the bit, of 1 changes all, between lies between."""
    field = terrain(40, 36)
    grid = grid_of(field)
    full = modifier.apply(field, grid, SEED)
    ramp = np.clip(np.linspace(-0.5, 1.5, 36, dtype=np.float32), 0.0, 1.0)
    mask = np.repeat(ramp[np.newaxis], 40, axis=0)
    mixed = modifier.apply(field, grid, SEED, mask=mask)
    assert_sound(modifier, mixed, field.shape, "masked")
    outside = mask == 0.0
    np.testing.assert_array_equal(mixed.height[outside], field[outside])
    between = field + (full.height - field).astype(np.float64) * mask
    allowed = 1e-5 * RELIEF
    np.testing.assert_allclose(mixed.height, between, rtol=0.0, atol=allowed)
    for name in modifier.makes:
        share = mask if name in modifier.amounts else 1.0
        np.testing.assert_allclose(
            mixed.maps[name], full.maps[name] * share, rtol=1e-5, atol=allowed, err_msg=name
        )
    untouched = modifier.apply(field, grid, SEED, mask=np.zeros_like(field))
    np.testing.assert_array_equal(untouched.height, field)
    for name in modifier.amounts:
        assert not untouched.maps[name].any(), f"{name} where nothing happened"


def check_opacity(modifier: Modifier) -> None:
    """An opacity of 0 changes nothing, one of a half does half."""
    field = terrain(33, 40)
    none = modifier.with_values(opacity=0.0).apply(field, grid_of(field), SEED)
    np.testing.assert_array_equal(none.height, field)
    full = modifier.with_values(opacity=1.0).apply(field, grid_of(field), SEED).height
    half = modifier.with_values(opacity=0.5).apply(field, grid_of(field), SEED).height
    np.testing.assert_allclose(half, (field + full) / 2.0, rtol=0.0, atol=1e-5 * RELIEF)


def check_maps_are_described(modifier: Modifier) -> None:
    """Every map has a line of help, and `amounts` names maps; an amount is never negative."""
    for name, text in modifier.makes.items():
        assert name.isidentifier() and name == name.lower(), name
        assert text.strip() and not text.endswith("."), f"{name}: one line without a full stop"
    assert set(modifier.amounts) <= set(modifier.makes)
    field = terrain(60, 60)
    relief = modifier.apply(field, grid_of(field), SEED)
    for name in modifier.makes:
        assert relief.maps[name].min() >= 0.0, f"{name} is negative"


def check_progress_rises(modifier: Modifier) -> None:
    """Progress is told, begins at 0 or above, never falls, and ends at 1 or below."""
    field = terrain(80, 80)
    told: list[float] = []
    modifier.apply(field, grid_of(field), SEED, progress=told.append)
    assert told, "no progress"
    assert all(0.0 <= share <= 1.0 for share in told), told
    assert told == sorted(told), f"falls: {told}"


def check_cancel_stops(modifier: Modifier) -> None:
    """A cancel stops the work at any moment, and is asked for often enough."""
    field = terrain(320, 320)
    grid = grid_of(field)
    with pytest.raises(Cancelled):
        modifier.apply(field, grid, SEED, cancel=lambda: True)
    with mock.patch.object(blocks, "processor_count", lambda: 1):
        for _ in range(3):  # others at work on the same processor disturb each one
            asked = _moments_asked(modifier, field)
            if _longest(asked) < HEARD:
                break
        assert _longest(asked) < HEARD, f"works {_longest(asked):.3f} s without asking"
        left = (len(asked) - 1) // 2

        def later() -> bool:
            nonlocal left
            left -= 1
            return left < 0

        with pytest.raises(Cancelled):
            modifier.apply(field, grid, SEED, cancel=later)
    assert left == -1, "went on after a cancel"


def _moments_asked(modifier: Modifier, field: Field) -> list[float]:
    """Return when a run asked whether to stop, and when it ended, in CPU seconds."""
    moments: list[float] = []

    def never() -> bool:
        moments.append(time.thread_time())
        return False

    modifier.apply(field, grid_of(field), SEED, cancel=never)
    return [*moments, time.thread_time()]


def _longest(moments: list[float]) -> float:
    return float(np.diff(moments).max())


def check_torus_has_no_border(
    modifier: Modifier, moves: tuple[tuple[tuple[int, int], tuple[int, int]], ...] = MOVES
) -> None:
    """On a grid that wraps, moving the terrain moves the result, to the bit.

    For modifiers whose chance belongs to places, with that chance turned off.
    """
    for shape, shift in moves:
        field = terrain(*shape, True)
        straight = modifier.apply(field, grid_of(field, True), SEED)
        moved = np.roll(field, shift, (0, 1))
        rolled = modifier.apply(moved, grid_of(field, True), SEED)
        for name, one, other in _pairs(straight, rolled):
            expected = np.roll(one, shift, (0, 1))
            worst = float(np.abs(expected - other).max())
            assert worst == 0.0, f"{name} of {shape} by {shift}: differs by {worst:g}"


def _pairs(first: object, second: object) -> Iterator[tuple[str, Field, Field]]:
    yield "height", first.height, second.height  # type: ignore[attr-defined]
    for name in first.maps:  # type: ignore[attr-defined]
        yield name, first.maps[name], second.maps[name]  # type: ignore[attr-defined]


def check_seam_is_like_the_interior(modifier: Modifier) -> None:
    """On a grid that wraps, the last sample meets the first as any two neighbors do."""
    field = terrain(90, 75, True)
    change = modifier.apply(field, grid_of(field, True), SEED).height - field
    for axis in (0, 1):
        steps = np.abs(change - np.roll(change, -1, axis)).mean(axis=1 - axis)
        seam = max(steps[-2], steps[-1], steps[0])
        assert seam <= 3.0 * steps[2:-3].max() + 1e-6, f"axis {axis}: a step of {seam:g}"


def check_border_is_not_torn(modifier: Modifier) -> None:
    """The change goes on to the border as it does inside: neither a step nor a rim."""
    change = _change_with_borders(modifier)
    for turned in (change, change[::-1], change.T, change.T[::-1]):
        steps = np.abs(np.diff(turned, axis=0)).mean(axis=1)
        inside = np.sort(steps[3:-3])
        assert steps[0] <= 2.5 * inside[-1] + 1e-6, f"step of {steps[0]:g}, inside {inside[-1]:g}"


def check_border_is_not_pinned(modifier: Modifier) -> None:
    """Heights at the border may change as others do, unless the border is where water leaves.

    On two lands: the few rivers of one may all end before its border.
    """
    change = np.abs(np.stack([_change_with_borders(modifier, seed) for seed in (4, 5)]))
    sides = change[:, 0], change[:, -1], change[:, :, 0], change[:, :, -1]
    rim = np.concatenate(sides).mean()
    inside = change[:, 6:-6, 6:-6].mean()
    assert rim >= 0.1 * inside, f"changes by {rim:g} at the border, {inside:g} inside"


def _change_with_borders(modifier: Modifier, seed: int = 5) -> Field:
    field = terrain(97, 97, seed=seed)
    return modifier.apply(field, grid_of(field), SEED).height - field


def check_refuses_bad_arguments(modifier: Modifier) -> None:
    """Other shapes, heights that are not finite or too high, masks beyond [0, 1] are refused by name."""
    name = type(modifier).__name__
    good = terrain(6, 5)
    bad = good.copy()
    bad[2, 2] = np.nan
    high = good.copy()
    high[2, 2] = -1e13
    mask = np.full((6, 5), 1.5, np.float32)
    for field, keywords in (
        (bad, {}),
        (high, {}),
        ([[1.0], [1.0, 2.0]], {}),
        (good[:, :4], {}),
        (good, {"mask": mask}),
        (good, {"mask": mask[:3]}),
        (good, {"mask": bad}),
        (good, {"seed": 1 << 32}),
        (good, {"seed": 0.5}),
    ):
        with pytest.raises(ParameterError, match=rf"^{name}\.apply: .* must .*; got "):
            modifier.apply(field, grid_of(good), **keywords)

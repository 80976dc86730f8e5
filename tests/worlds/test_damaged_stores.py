# SPDX-License-Identifier: GPL-3.0-or-later
"""Any damage to a store: the right digest with the right bytes, or one line with the file's name."""

from __future__ import annotations

import itertools
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from noise_core import Recipe
from noise_core.codecs.image_files import read_image
from noise_core.modifiers import FillLakes, StreamErosion
from noise_core.noises import Fractal, Perlin
from terrane_worlds import World, WorldError
from terrane_worlds.store import checksums
from tests import drawing
from tests.worlds.damaged_files import damage, files_below
from tests.worlds.lands import run_command

_NOISE = Fractal(source=Perlin(frequency=3.0), octaves=5)
WORLDS = {
    "noise": World(Recipe(layers=(_NOISE,), seed=3, height=700.0, size=5000.0), 530, 610, 128),
    "rivers": World(
        Recipe(layers=(_NOISE, StreamErosion(), FillLakes()), seed=3, height=700.0, size=5000.0),
        129,
        150,
        32,
    ),
}
ORDERS = {
    "noise": {},
    "compressed": {"compress": True},
    "rivers": {"maps": ["flow"]},
    "edges": {"maps": ["flow"], "edges": True},
    "edges only": {"edges": "only"},
}


def world_of(name: str) -> World:
    return WORLDS["noise" if name in ("noise", "compressed") else "rivers"]


class Whole:
    """A store that was built at once, and its exports."""

    def __init__(self, folder: Path, name: str) -> None:
        self.world, self.order = world_of(name), ORDERS[name]
        self.store = folder / name.replace(" ", "_") / "a.zarr"
        self.statuses = 0
        self.digest = self.world.build(self.store, **self.order, progress=self._count)
        self.files = {one: (self.store / one).read_bytes() for one in checksums.read(self.store)}
        self.height = self.world.recipe.evaluate(self.world.grid).height

    def _count(self, status) -> None:
        self.statuses += 1

    def check(self, store: Path) -> None:
        """Check that a store has the bytes of this one, whichever way it was built."""
        assert {one: (store / one).read_bytes() for one in checksums.read(store)} == self.files

    def is_same(self, store: Path) -> bool:
        """Return whether a store has all files of this one, and their checksums."""
        names = (*self.files, checksums.NAME)
        pairs = [(store / name, self.store / name) for name in names]
        return all(new.exists() and new.read_bytes() == old.read_bytes() for new, old in pairs)

    @property
    def has_edges(self) -> bool:
        return any(key.startswith("edges") for key in self.order)

    @property
    def has_samples(self) -> bool:
        return self.order.get("edges") != "only"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder, known = tmp_path_factory.mktemp("whole"), {}

    def find(name: str) -> Whole:
        if name not in known:
            known[name] = Whole(folder, name)
        return known[name]

    return find


def stop_after(count: int):
    """Return a progress that ends a build after so many items."""
    numbers = itertools.count(1)

    def stop(status) -> None:
        if next(numbers) == count:
            raise KeyboardInterrupt

    return stop


def is_line_about(text: str, *folders: Path) -> bool:
    """Return whether a message is one line that names a file in one of some folders."""
    return "\n" not in text and any(f"{folder}" in text for folder in folders)


@pytest.mark.parametrize("name", ORDERS)
def test_builds_that_go_on_over_damage(tmp_path, whole, name):
    chance = drawing.generator(f"half-built {name}")
    one = whole(name)
    for number in range(drawing.count_of(40)):
        store = tmp_path / str(number) / "a.zarr"
        with pytest.raises(KeyboardInterrupt):
            one.world.build(
                store, **one.order, progress=stop_after(chance.randrange(1, one.statuses))
            )
        scratch = store.with_name("a.zarr.build")
        did = [damage(files_below(store, scratch), chance) for _ in range(chance.choice([1, 1, 3]))]
        try:
            digest = one.world.build(store, **one.order)
        except WorldError as error:
            assert is_line_about(str(error), store, scratch), (did, error)
            # What decides which world it is cannot be built again; all else can.
            assert re.search("zarr.json: |holds another world", str(error)), (did, error)
        else:
            assert digest == one.digest, did
            one.check(store)
            assert not scratch.exists(), did
        shutil.rmtree(store.parent)


class Reader:
    """Commands that read a store, each with the check of its results."""

    def __init__(self, whole: Whole, folder: Path) -> None:
        self.whole, self.folder = whole, folder
        self._run_picture(whole.store)
        self.picture = self._picture()

    def read(self, store: Path, row: int, column: int) -> list[tuple[int, list[str]]]:
        """Return the status and the lines of commands, after a comparison of their results."""
        ended = [run_command("info", store), self._run_picture(store)]
        assert ended[-1][0] != 0 or np.array_equal(self._picture(), self.picture)
        if self.whole.has_samples:
            ended.append(
                run_command(
                    "export", store, self.folder / "a.npy", "--target", "npy", "--overwrite"
                )
            )
            self._check_heights(ended[-1], "a.npy", self.whole.height)
        part = self.whole.height[row : row + 13, column : column + 20]
        window = ("--row", row, "--column", column, "--samples", "20x13", "--overwrite")
        for more in [(), ("--rebuild",)] if self.whole.has_edges else [()]:
            ended.append(run_command("region", store, self.folder / "b.npy", *window, *more))
            self._check_heights(ended[-1], "b.npy", part)
        return [(status, noted) for status, _, noted in ended]

    def _run_picture(self, store: Path) -> tuple[int, list[str], list[str]]:
        return run_command("picture", store, self.folder / "a.png", "--side", 256, "--overwrite")

    def _picture(self):
        path = self.folder / "a.png"  # stores of edges alone have no samples to draw
        return read_image(path) if path.exists() else None

    def _check_heights(self, ended, name: str, expected: np.ndarray) -> None:
        assert ended[0] != 0 or np.load(self.folder / name).tobytes() == expected.tobytes()


@pytest.mark.parametrize("name", ORDERS)
def test_finished_stores_that_are_damaged(tmp_path, whole, name):
    chance = drawing.generator(f"finished {name}")
    one, store = whole(name), tmp_path / "a.zarr"
    reader = Reader(one, tmp_path)
    assert [status for status, _ in reader.read(one.store, 3, 5)].count(0) >= 3
    for _ in range(drawing.count_of(40)):
        shutil.rmtree(store, ignore_errors=True)
        shutil.copytree(one.store, store)
        did = damage(files_below(store), chance)
        print(did)  # shown with a failure
        assert (run_command("verify", store)[0] == 0) == one.is_same(store), did
        for status, lines in reader.read(store, chance.randrange(100), chance.randrange(100)):
            assert status == 0 or (len(lines) == 1 and is_line_about(lines[0], store)), lines
        try:
            digest = one.world.build(store, **one.order)
        except WorldError as error:
            assert is_line_about(str(error), store)
        else:
            assert digest == one.digest
            one.check(store)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Regular files alone are read; contents beyond the memory are refused before the work; writers do not meet."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time

import numpy as np
import pytest

from noise_core import Control, Grid, ParameterError, Recipe, TerraneError, coloring_types
from noise_core.base import atomic_files, input_files, installed_memory
from noise_core.codecs.image_files import read_image, read_pixels
from noise_core.commands.command_line import run
from noise_core.io.elevation_reading import probe_elevation, read_elevation
from noise_core.io.heightmaps import ExportOptions, export_heightmap
from noise_core.materials.by_example.settings import ByExample
from noise_core.materials.surfaces import surface
from noise_core.noises import Constant, Perlin

pytestmark = pytest.mark.newest

POSIX = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such files")
READERS = (read_image, read_pixels, read_elevation, probe_elevation)
SUFFIXES = (".png", ".npy", ".tif", ".hgt", ".asc", ".r16", ".json", "")


@POSIX
@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("reader", READERS, ids=lambda one: one.__name__)
def test_pipes_devices_and_folders_are_not_opened(reader, suffix, tmp_path):
    pipe, folder = tmp_path / f"pipe{suffix}", tmp_path / f"folder{suffix}"
    link, device = tmp_path / f"link{suffix}", tmp_path / f"device{suffix}"
    os.mkfifo(pipe)
    folder.mkdir()
    link.symlink_to(pipe)
    device.symlink_to("/dev/zero")
    begin = time.monotonic()
    for path in (pipe, folder, link, device):
        with pytest.raises(ParameterError, match="cannot be read: it is no file") as refused:
            reader(path)
        assert path.name in str(refused.value) and "\n" not in str(refused.value)
    assert time.monotonic() - begin < 5.0


@POSIX
@pytest.mark.parametrize("command", ["export", "build", "figures", "texture"])
def test_command_lines_open_no_pipe(command, tmp_path):
    pipe, noted = tmp_path / "land.json", []
    if command == "texture":
        pipe = tmp_path / "land.png"
    os.mkfifo(pipe)
    more = {
        "export": ["--target", "npy", "--samples", "9"],
        "texture": [str(tmp_path / "made.png")],
    }
    assert run([command, str(pipe), *more.get(command, [])], print, noted.append) == 2
    assert noted == [noted[0]] and "cannot be read: it is no file" in noted[0]


@pytest.mark.parametrize("name", ["none.png", "a\0b.png", "x" * 300 + ".png"])
def test_files_that_cannot_be_there_are_one_line(name, tmp_path):
    for reader in READERS:
        with pytest.raises(ParameterError, match="cannot be read") as refused:
            reader(tmp_path / name)
        assert len(str(refused.value).splitlines()) == 1


def test_more_bytes_than_allowed_are_not_read(tmp_path):
    file = tmp_path / "a.json"
    file.write_bytes(bytes(100))
    assert input_files.read_file(file, 100) == bytes(100)
    with pytest.raises(OSError, match="it must be a file of at most 99 bytes"):
        input_files.read_file(file, 99)


# --- memory ------------------------------------------------------------------------------------


LARGE = Grid(1 << 20, 1 << 20, size=1000.0)


@pytest.mark.parametrize(
    "work",
    [
        lambda: Perlin().sample_grid(LARGE),
        lambda: Perlin().gradient_grid(LARGE),
        lambda: Recipe.from_preset("alps").evaluate(LARGE),
        lambda: Recipe(layers=Constant()).evaluate(LARGE),
        lambda: Recipe.from_preset("alps").ground(LARGE),
        lambda: surface("granite").textures(LARGE),
        lambda: coloring_types()["marble"]().paint(LARGE),
        lambda: ByExample().paint(np.zeros((8, 8, 3), np.uint8), LARGE),
        lambda: export_heightmap(
            Recipe.from_preset("alps"), "never", target="npy", samples=1 << 20
        ),
    ],
)
def test_what_no_memory_holds_is_refused_before_the_work(work):
    begin = time.process_time()
    with pytest.raises(
        ParameterError, match=r"would take \d+ GB of memory; this computer has \d+ GB$"
    ):
        work()
    assert time.process_time() - begin < 2.0


@pytest.mark.parametrize(
    "arguments",
    [
        ["export", "alps", "--target", "npy", "--samples", "900000"],
        ["export", "alps", "--target", "npy", "--samples", "900000x900000"],
        ["figures", "alps", "--samples", "900000"],
    ],
)
def test_command_lines_say_so_in_one_line(arguments, tmp_path):
    noted = []
    assert (
        run(
            [*arguments, "--folder", str(tmp_path)][: 99 if arguments[0] == "export" else -2],
            print,
            noted.append,
        )
        == 2
    )
    assert "of memory; this computer has" in noted[-1] and len(noted[-1].splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_nothing_is_refused_where_the_memory_is_not_known(monkeypatch):
    monkeypatch.setattr(installed_memory, "total_bytes", lambda: 0)
    installed_memory.require("Image", 1 << 40, 24)


def test_windows_of_large_grids_are_small():
    assert Perlin().sample_grid(LARGE.window(5, 7, 3, 4)).shape == (3, 4)


# --- writers of one name ---------------------------------------------------------------------------


def _export(path, seed, errors):
    for _ in range(8):
        try:
            export_heightmap(Recipe(layers=Perlin(frequency=3.3), seed=seed, height=9.0), path, target="npy", samples=17, options=ExportOptions(overwrite=True), control=Control(threads=1))  # fmt: skip
        except TerraneError as error:
            errors.append(str(error))


def _export_in_process(path, seed):
    errors: list[str] = []
    _export(path, seed, errors)
    os._exit(1 if errors else 0)


def test_threads_that_write_one_name_do_not_meet(tmp_path):
    errors: list[str] = []
    writers = [
        threading.Thread(target=_export, args=(tmp_path / "a", seed, errors)) for seed in range(4)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert not errors
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.npy", "a.npy.json"]


def test_processes_that_write_one_name_do_not_meet(tmp_path):
    context = multiprocessing.get_context("spawn")
    writers = [
        context.Process(target=_export_in_process, args=(tmp_path / "a", seed)) for seed in range(3)
    ]
    for one in writers:
        one.start()
    for one in writers:
        one.join()
    assert [writer.exitcode for writer in writers] == [0, 0, 0]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.npy", "a.npy.json"]


def test_each_writer_has_a_part_of_its_own(tmp_path):
    names = {atomic_files.part_of(tmp_path / "a.png").name for _ in range(500)}
    assert len(names) == 500 and all(name.startswith("a.png.") for name in names)
    assert all(name.endswith(atomic_files.PART) for name in names)

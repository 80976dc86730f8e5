# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that another program has open for a moment, as scanners and viewers have on Windows."""

from __future__ import annotations

import logging
from pathlib import Path

import bpy
import pytest

from tests.blender.extension import module


class Clock:
    """Passes as fast as somebody waits."""

    def __init__(self):
        self.now = 0.0

    def wait(self, seconds):
        assert seconds > 0.0
        self.now += seconds


@pytest.fixture
def files(terrane, monkeypatch):
    files = module("noise_core.base.atomic_files")
    monkeypatch.setattr(files, "part_of", lambda file: file.with_name(file.name + files.PART))
    return files


@pytest.fixture
def clock(files, monkeypatch):
    clock = Clock()
    monkeypatch.setattr(files, "_pause", clock.wait)
    return clock


@pytest.fixture
def lock(clock, monkeypatch):
    """Return a function that locks files by their names, for so many attempts, with Windows' number."""
    locked, path_class = {}, type(Path())

    def wrap(name):
        usual = getattr(path_class, name)

        def attempt(path, *arguments, **keywords):
            # A file that is open cannot be renamed, whichever of the two names it has.
            names = {
                path.name,
                *(Path(argument).name for argument in arguments if name == "replace"),
            }
            for own in names & set(locked):
                # To look at a file that is open is allowed, but not at one that is on its way out;
                # neither is what these tests themselves read kept from them.
                is_looked_at = name == "stat" and locked[own][1] != 5
                is_read = name == "open" and "w" not in keywords.get("mode", *arguments[:1])
                if locked[own][0] > 0 and not is_looked_at and not is_read:
                    locked[own][0] -= 1
                    error = PermissionError(13, "The file is in use")
                    error.winerror = locked[own][1]
                    raise error
            return usual(path, *arguments, **keywords)

        monkeypatch.setattr(path_class, name, attempt)

    for name in ("replace", "unlink", "open", "stat"):
        wrap(name)

    def lock(name, attempts=10**9, number=32):
        locked[name] = [attempts, number]

    yield lock
    monkeypatch.undo()


def contents(folder):
    return {path.name: path.read_text() for path in folder.iterdir()}


@pytest.mark.parametrize("attempts", [1, 5])
@pytest.mark.parametrize("number", [5, 32, 33])
@pytest.mark.parametrize("name", ["a.txt", "a.txt.part"])
def test_a_file_that_is_locked_for_a_moment_is_waited_for(
    files, lock, clock, tmp_path, name, number, attempts
):
    (tmp_path / "a.txt").write_text("old")
    lock(name, attempts, number)
    files.write(tmp_path / "a.txt", b"new")
    assert contents(tmp_path) == {"a.txt": "new"} and 0.0 < clock.now < files.PATIENCE


def test_a_file_that_stays_locked_is_given_up_after_a_while(files, lock, clock, tmp_path):
    (tmp_path / "a.txt").write_text("old")
    lock("a.txt")
    with pytest.raises(
        module("noise_core.base.errors").TerraneError, match="a.txt: .*: The file is in use$"
    ):
        files.write(tmp_path / "a.txt", b"new")
    assert contents(tmp_path) == {"a.txt": "old"}
    assert files.PATIENCE <= clock.now < files.PATIENCE + 0.5


def test_a_file_that_is_on_its_way_out_is_waited_for(files, lock, clock, tmp_path):
    lock("a.txt", 2, number=5)
    assert not files.is_there(tmp_path / "a.txt") and clock.now > 0.0


def test_other_errors_are_not_waited_for(files, lock, clock, tmp_path):
    lock("a.txt", number=3)
    with pytest.raises(module("noise_core.base.errors").TerraneError):
        files.write(tmp_path / "a.txt", b"new")
    assert clock.now == 0.0 and contents(tmp_path) == {}


@pytest.fixture
def three(tmp_path):
    """Return the new names of files: the second and the third replace others."""
    names = {tmp_path / f"{name}.part": tmp_path / name for name in ("a", "b", "c")}
    for part, path in names.items():
        part.write_text("new")
        if path.name != "a":
            path.write_text("old")
    return names


def test_a_whole_set_is_put_through_short_locks(files, lock, tmp_path, three):
    for name in ("a", "b.part", "b", "c.old.part"):
        lock(name, 2)
    files.put(three)
    assert contents(tmp_path) == {"a": "new", "b": "new", "c": "new"}


def test_a_locked_file_puts_all_others_back(files, lock, tmp_path, three):
    lock("c.part")
    with pytest.raises(
        module("noise_core.base.errors").TerraneError,
        match="c: cannot be written: The file is in use$",
    ):
        files.put(three)
    assert {name: text for name, text in contents(tmp_path).items() if "part" not in name} == {
        "b": "old",
        "c": "old",
    }
    assert set(contents(tmp_path)) == {"b", "c", "a.part", "b.part", "c.part"}


def test_files_are_put_back_through_short_locks(files, lock, tmp_path, three):
    lock("c.part")
    replace = type(tmp_path).replace

    def from_now_on(path, target):
        if path.name == "c.part":  # the first failure: from here on files are put back
            lock("b.old.part", 3)
        return replace(path, target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(tmp_path), "replace", from_now_on)
        with pytest.raises(module("noise_core.base.errors").TerraneError, match="use$"):
            files.put(three)
    assert contents(tmp_path)["b"] == "old" and "b.old.part" not in contents(tmp_path)


def test_what_cannot_be_put_back_is_named(files, lock, tmp_path, three):
    lock("c.part")
    replace = type(tmp_path).replace

    def from_now_on(path, target):
        if path.name == "c.part":
            lock("b.old.part")
            lock("b")
        return replace(path, target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(tmp_path), "replace", from_now_on)
        with pytest.raises(
            module("noise_core.base.errors").TerraneError,
            match=r"c: cannot be written: The file is in use; not put back: b \(was b.part\), b.old.part \(was b\)$",
        ):
            files.put(three)
    assert contents(tmp_path)["b.old.part"] == "old"
    # What is left is all that its owner has: the next time takes another name.
    (tmp_path / "b.part").write_text("newer")
    for name in ("b", "b.old.part", "c.part"):
        lock(name, 0)
    files.put({tmp_path / "b.part": tmp_path / "b"})
    assert contents(tmp_path)["b"] == "newer" and contents(tmp_path)["b.old.part"] == "old"


def test_what_cannot_be_removed_is_named_in_the_log(files, lock, tmp_path, three, caplog):
    unlink = type(tmp_path).unlink

    def from_now_on(path, **keywords):
        lock(path.name)
        return unlink(path, **keywords)

    with pytest.MonkeyPatch.context() as patch, caplog.at_level(logging.WARNING):
        patch.setattr(type(tmp_path), "unlink", from_now_on)
        files.put(three)
    assert {"a", "b", "c"} < set(contents(tmp_path)) and contents(tmp_path)["c"] == "new"
    assert "c.old.part is left over: The file is in use" in caplog.text


def test_a_set_of_textures_outlives_a_scanner(terrane, lock, tmp_path):
    """Today's finished bake is not thrown away for a file that somebody looks at."""
    (tmp_path / "granite_roughness.png").write_bytes(b"old")
    for name in ("granite_height.png", "granite_roughness.png", "granite_normal.png.part"):
        lock(name, 4)
    saved = bpy.ops.terrane.images_save(
        surface="granite", directory=str(tmp_path), maps={"height", "normal", "roughness"},
        width=16, height=16, overwrite=True,
    )  # fmt: skip
    assert saved == {"FINISHED"}
    assert {path.name for path in tmp_path.iterdir()} == {
        f"granite_{name}.png" for name in ("height", "normal", "roughness")
    }
    assert (tmp_path / "granite_roughness.png").read_bytes() != b"old"


@pytest.mark.parametrize("suffix", [".png", ".json"])
def test_a_preset_is_deleted_whole_or_not_at_all(terrane, lock, suffix):
    presets = module("operators.bridge.schema.presets")
    bpy.ops.terrane.preset_save(name="Mine")
    try:
        kept = {path.name for path in presets.folder().iterdir()}
        assert kept == {"mine.json", "mine.png"}
        lock(f"mine{suffix}")
        with pytest.raises(
            RuntimeError, match=f"mine{suffix}: cannot be removed: The file is in use"
        ):
            bpy.ops.terrane.preset_delete(preset="mine")
        assert {path.name for path in presets.folder().iterdir()} == kept
        assert "mine" in module("noise_core.landscapes.preset_library").own_names()
        lock(f"mine{suffix}", 3)
        assert bpy.ops.terrane.preset_delete(preset="mine") == {"FINISHED"}
        assert list(presets.folder().iterdir()) == []
    finally:
        lock(f"mine{suffix}", 0)
        for path in presets.folder().iterdir():
            path.unlink()
        presets.find()

# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of files that some system cannot have are refused on every one, in one line."""

from __future__ import annotations

from pathlib import PurePosixPath, PureWindowsPath

import pytest

from noise_core.base.errors import ParameterError
from noise_core.base.file_names import (
    MAX_PATH_LENGTH,
    avoid_device_name,
    check_file_name,
    check_file_path,
    is_key,
)
from noise_core.landscapes import preset_library
from noise_core.materials.surfaces import broken_surfaces, library_files, surface_names

DEVICES = ["con", "PRN", "Aux", "nul", "COM1", "com9", "lpt1", "LPT9", "CONIN$", "com¹", "lpt³"]
GOOD = ["a", "Granite", "my hills.v2", "Ünïcode 山", "con_basecolor", "console", "com10", "com0", "nul_"]  # fmt: skip


@pytest.mark.parametrize("name", GOOD)
def test_names_that_every_system_can_have(name):
    check_file_name(name)
    check_file_name(f"{name}.json")
    check_file_path(PurePosixPath("/home/a:b") / name)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        *((name, "device on Windows") for name in DEVICES),
        *((f"{name}.tar.gz", "device on Windows") for name in DEVICES),
        ("con .json", "device on Windows"),
        *((f"a{sign}b", "Windows does not allow") for sign in '\\:*?"<>|\t\n\x00'),
        ("a.", "end with a dot or a space"),
        ("a ", "end with a dot or a space"),
        ("", "without a folder"),
        ("a/b", "without a folder"),
        ("..", "without a folder"),
        (".hidden", "dot before it"),
    ],
)
def test_names_that_some_system_cannot_have(name, message):
    with pytest.raises(ParameterError, match=message) as refused:
        check_file_name(name, "label")
    text = str(refused.value)
    assert text.startswith("label must ") and text.endswith(f"got {name!r}") and "\n" not in text
    if "/" not in name and name not in ("", ".."):
        with pytest.raises(ParameterError, match=message):
            check_file_path(PurePosixPath("/tmp") / name)


def test_a_path_is_as_long_as_windows_allows():
    folder = PureWindowsPath("C:/") / ("f" * 100)
    name = "n" * (MAX_PATH_LENGTH - len(str(folder)) - 1)
    check_file_path(folder / name)
    assert len(str(folder / f"{name}.01234567.part")) < 260, "with the zero at its end"
    with pytest.raises(
        ParameterError, match="at most 245 characters on Windows; got 246: C:"
    ) as one:
        check_file_path(folder / f"{name}n")
    assert "\n" not in str(one.value)
    check_file_path(PurePosixPath("/") / ("f" * 200) / ("g" * 200) / "a.png")


@pytest.mark.parametrize("name", DEVICES)
def test_libraries_have_no_file_of_a_device(name):
    assert not is_key(name.lower()) and is_key("con_1") and not is_key("Mine")
    assert not preset_library.is_preset_name(name.lower())
    assert avoid_device_name(name) == f"{name}_" and avoid_device_name("console") == "console"


def test_libraries_say_what_is_wrong_with_a_name(tmp_path):
    for name in ("Mine", "mine", "con"):
        (tmp_path / f"{name}.json").write_text(preset_library.preset("alps").to_json(), "utf-8")
    try:
        preset_library.look_again(tmp_path)
        assert preset_library.own_names() == ("mine",)
        assert set(preset_library.broken_presets()) == {"Mine", "con"}
        library_files.look_again(tmp_path)
        assert {"Mine", "con"} <= set(broken_surfaces()) and "con" not in surface_names()
        for reasons in (preset_library.broken_presets(), broken_surfaces()):
            for name in ("Mine", "con"):
                assert reasons[name].endswith("lower_case, and not that of a device on Windows")
    finally:
        preset_library.look_again()
        library_files.look_again()

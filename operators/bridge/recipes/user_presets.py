# SPDX-License-Identifier: GPL-3.0-or-later
"""A user's own presets: files in the folder that Blender gives an extension for its user's data.

They stand beside the shipped ones wherever a preset is chosen, and last longer than an update of
Terrane. Each has a picture beside it.
"""

from __future__ import annotations

import logging
import unicodedata
import zlib
from pathlib import Path

import bpy

from ....noise_core.arrays import Field
from ....noise_core.errors import TerraneError
from ....noise_core.image_writing import image_bytes
from ....noise_core.preset_library import (
    Preset,
    is_preset_name,
    look_again,
    own_names,
    shipped_names,
)
from .. import preferences, thumbnails
from . import preset_choice

LONGEST_LABEL = 60

_LOG = logging.getLogger(__package__)
_PART = ".part"


def folder(*, create: bool = False) -> Path | None:
    """Return the folder of a user's own presets; None if Terrane is not installed as an extension.

    Raises
    ------
    TerraneError
        If it cannot be made.
    """
    try:
        return Path(
            bpy.utils.extension_path_user(preferences.PACKAGE, path="presets", create=create)
        )
    except ValueError:
        return None
    except OSError as error:
        raise TerraneError(f"The folder for presets cannot be made: {error}") from error


def find() -> None:
    """Read a user's own presets anew, and say which ones were left out, and why."""
    own = folder()
    look_again(*([] if own is None else [own]))
    for name, reason in preset_choice.left_out().items():
        _LOG.warning("Terrane: the preset %s was left out: %s", name, reason)


def name_of(label: str) -> str:
    """Return the name of the file for a preset that somebody calls so.

    Raises
    ------
    TerraneError
        If nobody can tell presets of this name apart from others.
    """
    label = label.strip()
    if not label:
        raise TerraneError("Give the preset a name")
    if len(label) > LONGEST_LABEL:
        raise TerraneError(f"A preset's name has at most {LONGEST_LABEL} letters; got {len(label)}")
    plain = unicodedata.normalize("NFKD", label).encode("ascii", "ignore").decode()
    words = "".join(letter if letter.isalnum() else " " for letter in plain.lower()).split()
    name = "_".join(words)
    if not all(
        letter.isascii() or unicodedata.combining(letter)
        for letter in unicodedata.normalize("NFKD", label)
    ):
        name = f"{name}_{zlib.crc32(label.encode()):08x}"  # other scripts have no such letters
    if not name[:1].isalpha():
        name = f"preset_{name.strip('_')}"
    if not is_preset_name(name) or name in shipped_names():
        raise TerraneError(f"{label} is the name of a preset that comes with Terrane: give another")
    return name


def save(kept: Preset, *, overwrite: bool) -> None:
    """Write a preset of the user's own.

    Raises
    ------
    TerraneError
        If it cannot be written, or there is one that is not to be replaced.
    """
    own = folder(create=True)
    if own is None:
        raise TerraneError("Presets can be saved where Terrane is installed as an extension")
    file = own / f"{kept.name}.json"
    if file.exists() and not overwrite:
        raise TerraneError(
            f"There is a preset {kept.label} already: give another name, or switch on Replace"
        )
    _write(file, kept.to_json().encode())
    file.with_suffix(".png").unlink(missing_ok=True)  # of the one before
    thumbnails.forget_preset(kept.name)
    look_again(own)


def save_picture(name: str, picture: Field) -> None:
    """Write the picture of a preset of the user's own, unless the preset is gone again.

    Raises
    ------
    TerraneError
        If it cannot be written.
    """
    own = folder()
    if own is None or name not in own_names():
        return
    _write(own / f"{name}.png", image_bytes(picture, "png", 8, is_colour=True))
    thumbnails.show_preset(name, picture)


def delete(name: str) -> None:
    """Remove a preset of the user's own, and its picture.

    Raises
    ------
    TerraneError
        If there is none of that name, or it cannot be removed.
    """
    own = folder()
    if own is None or name not in own_names():
        allowed = ", ".join(own_names()) or "none, for none was saved"
        raise TerraneError(f"preset must be one of your own: {allowed}; got {name!r}")
    try:
        for suffix in (".json", ".png"):
            (own / f"{name}{suffix}").unlink(missing_ok=True)
    except OSError as error:
        raise TerraneError(f"{name}: cannot be removed: {error.strerror}") from error
    thumbnails.forget_preset(name)
    look_again(own)


def _write(file: Path, content: bytes) -> None:
    """Write a file; nothing has its name before all is there."""
    part = file.with_name(file.name + _PART)
    try:
        part.write_bytes(content)
        part.replace(file)
    except OSError as error:
        raise TerraneError(f"{file}: cannot be written: {error.strerror}") from error

# SPDX-License-Identifier: GPL-3.0-or-later
"""A folder of assets for Blender's asset browser: its catalogs, its files, and a note of what Terrane wrote.

Each asset is a file of its own. The note `NOTE` has a digest of each file as it was written: a file that has
another one was changed by the user, and is never written over. Assets are made in the open file, written,
and removed again at once; datablocks of the user's that have such names are out of the way for so long.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ....noise_core.base import atomic_files
from ....noise_core.base.arrays import Field
from ....noise_core.base.errors import TerraneError
from ....noise_core.base.version import __version__
from ..datablocks import compat
from ..interface import user_files
from ..tasks.jobs import Work, as_work
from ..tasks.steps import Steps, part_of_work

NAME = "Terrane"
"""Name of the library in Blender's preferences."""

FOLDER = "assets"
"""Of the extension's folder for user data: the library unless the user chooses another folder."""

NOTE, CATALOGS = "terrane_assets.json", "blender_assets.cats.txt"

_HEAD = "# This is an Asset Catalog Definition file for Blender.\n\nVERSION 1\n\n"

_COLLECTIONS = ("materials", "images", "node_groups", "worlds", "objects", "meshes", "collections", "textures", "lights", "scenes")  # fmt: skip
"""Kinds of datablocks that assets are made of."""


@dataclass(frozen=True, kw_only=True)
class Asset:
    """An asset, and how it is made.

    Attributes
    ----------
    path : str
        Of its file in the library, such as ``surfaces/granite.blend``.
    catalog : str
        Such as ``Terrane/Surfaces/Stone``.
    description : str
    names : tuple of str
        Beginnings of the names of all datablocks that are made.
    tags : tuple of str
    picture : Path, optional
    made_of : str
        All that it depends on besides Terrane's version: a digest tells whether it is up to date.
    write : callable
        Makes the datablocks of the work's result, in the main thread.
    work : callable
        Returns the work on arrays before; called in the main thread.
    """

    path: str
    catalog: str
    description: str
    names: tuple[str, ...]
    write: Callable[[bpy.types.Context, Any], list[Any]]
    work: Callable[[], Work] = lambda: as_work(lambda: None)
    tags: tuple[str, ...] = ()
    picture: Path | None = None
    made_of: str = ""

    @property
    def digest(self) -> str:
        """Digest of all that it depends on."""
        whole = json.dumps([__version__, compat.file_version(), self.path, self.made_of])
        return hashlib.blake2b(whole.encode(), digest_size=16).hexdigest()


@dataclass
class Filled:
    """What was done to the files of a library, by their paths."""

    written: list[str] = field(default_factory=list)
    edited: list[str] = field(default_factory=list)
    """Files that the user has changed, which stay."""
    current: list[str] = field(default_factory=list)


def usual_folder() -> Path:
    """Return the folder of the library in the extension's folder for user data; raise a TerraneError without one."""
    folder = user_files.user_folder(FOLDER)
    if folder is None:
        raise TerraneError("Choose a folder for the assets: Terrane is not installed here")
    return folder


def fill(context: bpy.types.Context, folder: Path, assets: Sequence[Asset]) -> Steps[Filled]:
    """Write the assets of a library that are missing or out of date, one after the other.

    After each step all files are whole and noted, so that the next time goes on where it was canceled.
    """
    created: list[Path] = []
    parents = dict.fromkeys((folder / asset.path).parent for asset in assets)
    try:
        atomic_files.make_folders([folder, *parents], created)
    except OSError as error:
        raise TerraneError("{}: cannot be written: {}", folder, error.strerror) from error
    note = _read_note(folder)
    _write_catalogs(folder, assets)
    filled = Filled()
    due = []
    for asset in assets:
        state = _state(folder, asset, note)
        getattr(filled, state).append(asset.path) if state else due.append(asset)
    for number, asset in enumerate(due):
        part = part_of_work(asset.work(), number / len(due), (number + 1) / len(due))
        result = yield part
        _write_asset(context, folder / asset.path, asset, result)
        note[asset.path] = {"file": _digest_of(folder / asset.path), "made_of": asset.digest}
        _write_note(folder, note)
        filled.written.append(asset.path)
    return filled


def register(folder: Path) -> None:
    """Show a folder in the asset browser, unless the preferences have it."""
    libraries: Any = bpy.context.preferences.filepaths.asset_libraries
    for library in libraries:
        if library.path and Path(bpy.path.abspath(library.path)).resolve() == folder.resolve():
            return
    names = {library.name for library in libraries}
    name = NAME if NAME not in names else f"{NAME} {folder.name}"
    library = libraries.new(name=name, directory=str(folder))
    compat.append_from(library)


# --- what was written ----------------------------------------------------------------------------


def _state(folder: Path, asset: Asset, note: Mapping[str, Any]) -> str:
    """Return the list of `Filled` that a file belongs to; empty if it is to be written."""
    path = folder / asset.path
    if not atomic_files.is_there(path):
        return ""
    known = note.get(asset.path)
    if known is None or known.get("file") != _digest_of(path):
        return "edited"
    return "current" if known.get("made_of") == asset.digest else ""


def _digest_of(path: Path) -> str:
    try:
        return hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()
    except OSError as error:
        raise TerraneError("{}: cannot be read: {}", path, error.strerror) from error


def _read_note(folder: Path) -> dict[str, Any]:
    """Return the note of a folder; without a readable one all files are the user's."""
    try:
        files = json.loads((folder / NOTE).read_text("utf-8"))["files"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    is_whole = isinstance(files, dict) and all(isinstance(one, dict) for one in files.values())
    return files if is_whole else {}


def _write_note(folder: Path, files: Mapping[str, Any]) -> None:
    text = json.dumps({"version": __version__, "files": files}, indent=1, sort_keys=True)
    atomic_files.write(folder / NOTE, text.encode())


def _write_catalogs(folder: Path, assets: Iterable[Asset]) -> None:
    """Write the catalogs that are missing; those of the user's stay, renamed or moved ones too."""
    path = folder / CATALOGS
    try:
        text = path.read_text("utf-8") if atomic_files.is_there(path) else _HEAD
    except (OSError, ValueError) as error:
        raise TerraneError("{}: cannot be read: {}", path, error) from error
    names: set[str] = set()
    for asset in assets:
        parts = asset.catalog.split("/")
        names |= {"/".join(parts[:count]) for count in range(1, len(parts) + 1)}
    lines = [
        f"{catalog_id(name)}:{name}:{name.replace('/', '-')}\n"
        for name in sorted(names)
        if catalog_id(name) not in text
    ]
    if lines:
        ended = text if text.endswith("\n") else text + "\n"
        atomic_files.write(path, (ended + "".join(lines)).encode())


def catalog_id(name: str) -> str:
    """Return the number that identifies a catalog, always the same."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"terrane-assets/{name}"))


# --- one asset -----------------------------------------------------------------------------------


def _write_asset(context: bpy.types.Context, path: Path, asset: Asset, result: Any) -> None:
    """Make an asset, write its file, and remove it again; the open file is as before."""
    with _apart(asset.names):
        blocks = asset.write(context, result)
        for block in blocks:
            _describe(block, asset)
        part = atomic_files.part_of(path)
        try:
            bpy.data.libraries.write(str(part), set(blocks), fake_user=True, compress=True)
            atomic_files.put({part: path})
        except (RuntimeError, OSError) as error:  # this is how Blender says that it cannot
            reason = str(error).strip().removeprefix("Error: ")
            raise TerraneError("{}: cannot be written: {}", path, reason) from error
        finally:
            atomic_files.remove(part)


def _describe(block: Any, asset: Asset) -> None:
    """Mark a datablock as an asset, with its catalog, texts and picture."""
    block.asset_mark()
    data = block.asset_data
    data.catalog_id = catalog_id(asset.catalog)
    data.description, data.author = asset.description, NAME
    for tag in dict.fromkeys((NAME, *asset.tags)):
        data.tags.new(tag, skip_if_exists=True)
    if asset.picture is not None:
        picture: Any = bpy.data.images.load(str(asset.picture))
        columns, rows = picture.size
        values = np.empty(rows * columns * 4, np.float32)
        picture.pixels.foreach_get(values)
        bpy.data.images.remove(picture)
        set_picture(block, values.reshape(rows, columns, 4))


def set_picture(block: Any, picture: Field) -> None:
    """Give a datablock a picture of shape (rows, columns, 4), sRGB with transparency."""
    rows, columns, _ = picture.shape
    preview = block.preview_ensure()
    preview.image_size = (columns, rows)
    preview.image_pixels_float.foreach_set(np.ascontiguousarray(picture).reshape(-1))


@contextmanager
def _apart(names: tuple[str, ...]) -> Iterator[None]:
    """Remove what is made within the block; datablocks whose names begin so have other names for so long.

    Those of Terrane are then not found as such either: see `ownership`.
    """
    known = _datablocks()
    away = {
        block: block.name
        for block in known
        if block.library is None and block.name.startswith(names)
    }
    try:
        for number, block in enumerate(away):
            block.name = f"terrane away {number}"
        yield
    finally:
        bpy.data.batch_remove([block for block in _datablocks() if block not in known])
        for block, name in away.items():
            block.name = name


def _datablocks() -> dict[Any, None]:
    return dict.fromkeys(block for kind in _COLLECTIONS for block in getattr(bpy.data, kind))

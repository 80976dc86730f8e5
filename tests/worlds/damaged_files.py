# SPDX-License-Identifier: GPL-3.0-or-later
"""Damage to files, drawn at random."""

from __future__ import annotations

import random
from pathlib import Path


def files_below(*folders: Path) -> list[Path]:
    """Return all files in folders that are not empty, in their order."""
    found = (path for folder in folders for path in folder.rglob("*"))
    return sorted(path for path in found if path.is_file() and path.stat().st_size)


def damage(files: list[Path], chance: random.Random) -> str:
    """Damage a file, or exchange two; return a description."""
    path = draw(files, chance)
    kind = chance.choice(["zero", "zero a part", "cut", "flip", "remove", "exchange", "append"])
    content = bytearray(path.read_bytes())
    start = chance.randrange(len(content))
    if kind == "zero":
        content = bytearray(len(content))
    elif kind == "zero a part":
        end = min(len(content), start + chance.choice([1, 16, 512, 4096]))
        content[start:end] = bytes(end - start)
    elif kind == "cut":
        del content[start:]
    elif kind == "flip":
        content[start] ^= 1 << chance.randrange(8)
    elif kind == "append":
        content += chance.randbytes(chance.choice([1, 4, 4096]))
    elif kind == "exchange":
        other = draw(files, chance)
        content, others = bytearray(other.read_bytes()), content
        other.write_bytes(others)
        kind += f" with {other}"
    if kind == "remove":
        path.unlink()
    else:
        path.write_bytes(content)
    return f"{kind} at {start}: {path}"


def draw(files: list[Path], chance: random.Random) -> Path:
    """Return one of some files: each kind of them, told by its folder's name, as often as the others."""
    kinds = {kind_of(path) for path in files}
    kind = chance.choice(sorted(kinds))
    return chance.choice([path for path in files if kind_of(path) == kind])


def kind_of(path: Path) -> str:
    """Return the kind of a file, the same for all arrays, tiles and stages."""
    parts = [part for part in path.parts if part in KINDS]
    return "/".join([*parts, path.suffix])


KINDS = (
    "height flow c x y overviews edges whole tiles numbers kinds read told fields journal checksums"
).split()
"""Folders whose files are told apart."""

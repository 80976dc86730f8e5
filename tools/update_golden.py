# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the golden fields of noise types, the digests of modifiers or of recipes, or the files of GDAL anew, and report the changes.

    python tools/update_golden.py perlin value
    python tools/update_golden.py --all
    python tools/update_golden.py --modifiers
    python tools/update_golden.py --digests
    python tools/update_golden.py --gdal-files      # with the rasterio of the group test-clients

Look at the changes before you commit them, and say in the commit why they are right.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1]))

from noise_core import modifier_types
from tests.core import digests as recipe_digests
from tests.core import golden, golden_modifiers

if TYPE_CHECKING:
    from tests.core.gdal_files import GdalFile


def main() -> int:
    """Update the files that the command line names; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "keys", nargs="*", metavar="KEY", help="noise types, such as perlin, and variants"
    )
    parser.add_argument("--all", action="store_true", help="all types; drops files without a type")
    parser.add_argument("--modifiers", action="store_true", help="all modifiers instead")
    parser.add_argument("--digests", action="store_true", help="the recipes of all kinds instead")
    parser.add_argument("--gdal-files", action="store_true", help="elevation files instead")
    arguments = parser.parse_args()
    if arguments.gdal_files:
        return update_gdal_files()
    if arguments.digests:
        return update_digests()
    if arguments.modifiers:
        return update_modifiers()
    unknown = sorted(set(arguments.keys) - set(golden.named()))
    if unknown:
        parser.error(f"no such noise: {', '.join(unknown)}; there are {', '.join(golden.named())}")
    if not arguments.keys and not arguments.all:
        parser.error("which types? name some, or say --all")
    for key in golden.named() if arguments.all else arguments.keys:
        print(f"{key}: {update(key)}")
    if arguments.all:
        for file in golden.FOLDER.glob("*.npz"):
            if file.stem not in golden.named():
                file.unlink()
                print(f"{file.stem}: gone")
    return 0


def update(key: str) -> str:
    """Write one type's golden fields; return the changes."""
    noise = golden.named()[key]
    old = golden.load(key)[1] if golden.path(key).exists() else None
    golden.save(key, noise)
    if old is None:
        return "new"
    new = golden.fields(noise)
    changes = [
        f"{name} {golden.difference(new[name], old[name])}"
        for name in new
        if name in old and golden.difference(new[name], old[name])
    ]
    return "; ".join(changes) or "unchanged"


def update_modifiers() -> int:
    """Write the digests of all modifiers and say which have changed; return the exit status."""
    old = golden_modifiers.saved() if golden_modifiers.FILE.exists() else {}
    new = {key: golden_modifiers.digests(key) for key in modifier_types()}
    for key, digests in new.items():
        print(f"{key}: {'unchanged' if old.get(key) == digests else 'new'}")
    golden_modifiers.save(new)
    return 0


def update_digests() -> int:
    """Write the digests of all recipes and say which have changed; return the exit status."""
    old = recipe_digests.saved() if recipe_digests.FILE.exists() else {}
    new = recipe_digests.computed()
    changed = [name for name, digest in new.items() if old.get(name) != digest]
    gone = [name for name in old if name not in new]
    print(
        f"{len(new)} recipes; new: {', '.join(changed) or 'none'}; gone: {', '.join(gone) or 'none'}"
    )
    recipe_digests.save(new)
    return 0


def update_gdal_files() -> int:
    """Write the elevation files of GDAL and say which are read otherwise; return the exit status."""
    from tests.clients import gdal_writing  # which needs rasterio
    from tests.core import gdal_files

    old = gdal_files.names() if gdal_files.FILE.exists() else []
    new = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, write in gdal_writing.writers().items():
            path = Path(folder, name)
            write(path)
            new[name] = path.read_bytes(), gdal_writing.read(path)
            was = gdal_files.load(name) if name in old else None
            print(f"{name}: {'new' if was is None else describe_change(was, new[name])}")
    for name in set(old) - set(new):
        print(f"{name}: gone")
    gdal_files.save(new)
    return 0


def describe_change(old: GdalFile, new: GdalFile) -> str:
    """Return the differences of two files of GDAL, or of their contents in rasterio."""
    if differences := old[1].difference(new[1]):
        return f"another {differences}"
    return "unchanged" if old[0] == new[0] else "other bytes, read the same"


if __name__ == "__main__":
    sys.exit(main())

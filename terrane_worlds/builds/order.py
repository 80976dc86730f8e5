# SPDX-License-Identifier: GPL-3.0-or-later
"""Orders for builds: the content of a store, and its progress."""

from __future__ import annotations

import dataclasses
import json
import shutil
from collections.abc import Mapping
from pathlib import Path

from noise_core.base import atomic_files
from noise_core.base.grid import Grid
from noise_core.recipes.recipe import Recipe

from ..base import sealed
from ..base.errors import DamageError
from ..base.ledger import Files
from ..base.tiling import Tiling
from ..edges.notes import EDGES
from ..store import checksums
from ..store.attributes import check_identity, write_group
from ..tiles.fields import remove_damaged

_MARK = "identity"
"""File beside the journal that says of which world the progress is."""


@dataclasses.dataclass(frozen=True)
class BuildOrder:
    """Content of a store, and its place.

    Attributes
    ----------
    recipe : Recipe
    grid : Grid
        Of the whole world.
    tiling : Tiling
    store : Path
    identity : mapping of str to object
        Attributes of the store that tell it from others.
    facts : mapping of str to object
        More attributes.
    maps : tuple of str
        Names of the arrays beside the heights.
    is_compressed : bool
    edges : str or None
        "too" if the edges of tiles are stored too (see `edges`), "only" without the
        samples of the arrays.
    in_memory : bool
        Whether fields stay in memory until a layer is finished; see `kept_tiles`.
    """

    recipe: Recipe
    grid: Grid
    tiling: Tiling
    store: Path
    identity: Mapping[str, object]
    facts: Mapping[str, object]
    maps: tuple[str, ...] = ()
    is_compressed: bool = False
    edges: str | None = None
    in_memory: bool = False

    @property
    def scratch(self) -> Path:
        """Folder for the journal and for fields that are needed for a while, beside the store."""
        return self.store.with_name(f"{self.store.name}.build")

    def digest_of_finished(self) -> str | None:
        """Return the digest of the store if it is finished; None if it is not, or is not there.

        The files of a finished store are read, since its digest is that of the files on the disk.

        Raises
        ------
        WorldError
            If it holds something else, or is damaged.
        """
        if self._is_new():
            return None
        digest: str | None = check_identity(self.store, self.identity).get("digest")
        if digest is not None:
            checksums.check_files(self.store)
        return digest

    def begin(self) -> bool:
        """Make the folders of a build, and return whether it goes on from an earlier one.

        Raises
        ------
        TerraneError
            If files cannot be written.
        """
        mark, name = self.scratch / _MARK, str(self.scratch / _MARK)
        text = json.dumps(self.identity, sort_keys=True).encode()
        goes_on = not self._is_new() and mark.exists() and self._is_mark(mark, text)
        if goes_on:
            remove_damaged(self.scratch / "fields")
        else:
            self.clear()
            sealed.write(mark, [text], name, is_flushed=True)
        write_group(self.store, {**self.identity, **self.facts})
        return goes_on

    def finish(self, digest: str, files: Files) -> None:
        """Mark the store as finished, given the files that were checked when they were written."""
        write_group(self.store, {**self.identity, **self.facts, "digest": digest})
        write_group(self.store / checksums.GROUP)
        checksums.write(self.store, files)

    def clear_unfinished(self) -> None:
        """Forget the progress of those layers and arrays that are not finished."""
        journal = self.scratch / "journal"
        for part in [path for path in journal.iterdir() if path.is_dir()]:
            if not part.with_name(f"{part.name}.log").exists():
                shutil.rmtree(part, ignore_errors=True)

    def clear(self) -> None:
        """Forget all progress, so that the build begins again."""
        for name in ("fields", "journal", EDGES):
            shutil.rmtree(self.scratch / name, ignore_errors=True)
        shutil.rmtree(self.store / EDGES, ignore_errors=True)
        atomic_files.remove(self.scratch / _MARK)

    def clean_up(self) -> None:
        """Remove the files that a finished store does not need, the lock last."""
        for name in ("fields", "journal", "workers", EDGES):
            shutil.rmtree(self.scratch / name, ignore_errors=True)
        shutil.rmtree(self.scratch, ignore_errors=True)

    def _is_new(self) -> bool:
        """Return whether there is no store, or only the beginning of one that failed in its first moment."""
        if not self.store.is_dir():
            return not self.store.exists()
        return all(path.name.endswith(atomic_files.PART) for path in self.store.iterdir())

    @staticmethod
    def _is_mark(mark: Path, text: bytes) -> bool:
        try:
            return sealed.read(mark, str(mark)) == text
        except DamageError:
            return False

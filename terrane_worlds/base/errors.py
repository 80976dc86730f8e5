# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors of building worlds."""

from __future__ import annotations

from noise_core.base.errors import TerraneError


class WorldError(TerraneError):
    """A world cannot be built or read: a store in use, damaged or of another world, a worker that dies.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from terrane_worlds import World, WorldError
    >>> with TemporaryDirectory() as folder:
    ...     try:
    ...         World.open(Path(folder) / "missing.zarr")
    ...     except WorldError:
    ...         print("refused")
    refused
    """


class DamageError(WorldError):
    """A file that a build has finished is missing or damaged."""

# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors of building worlds."""

from __future__ import annotations

from noise_core.base.errors import TerraneError


class WorldError(TerraneError):
    """A world cannot be built or read: a store in use, damaged or of another world, a worker that dies."""


class DamageError(WorldError):
    """A file that a build has finished is missing or damaged."""

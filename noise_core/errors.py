# SPDX-License-Identifier: GPL-3.0-or-later
"""The errors that the core raises on purpose: who, what is allowed, what came."""

from __future__ import annotations


class TerraneError(Exception):
    """Anything the core refuses or gives up; catch this one to catch them all."""


class ParameterError(TerraneError, ValueError):
    """A parameter or an argument is outside what its declaration allows."""


class RecipeError(TerraneError, ValueError):
    """A saved recipe cannot be read: not JSON, an unknown type, a newer format."""


class Cancelled(TerraneError):  # noqa: N818  (it is an outcome, not a fault)
    """The caller's `cancel` said yes; nothing was changed."""

# SPDX-License-Identifier: GPL-3.0-or-later
"""Other names for `datablocks.execution`."""

from __future__ import annotations

from ..datablocks.execution import is_synchronous as is_at_once
from ..datablocks.execution import synchronously as at_once

__all__ = ("at_once", "is_at_once")

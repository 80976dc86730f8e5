# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's datablocks: references to them, and meshes and images as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....noise_core.base.late_modules import late_modules

if not TYPE_CHECKING:  # a checker sees the modules themselves
    __getattr__ = late_modules(__name__)

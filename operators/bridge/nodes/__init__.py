# SPDX-License-Identifier: GPL-3.0-or-later
"""Noise as nodes: a recipe becomes an ordinary node group of Blender's own nodes.

`translators` knows who writes which noise; one file per noise lies in `noises/`. `graph` adds nodes,
`domain` says where a noise is taken, `layout` places what was made, `groups` writes the whole group, and
`material` puts it into a material.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....noise_core.late_modules import late_modules

if not TYPE_CHECKING:  # a checker sees the modules themselves
    __getattr__ = late_modules(__name__)

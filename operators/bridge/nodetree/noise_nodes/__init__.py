# SPDX-License-Identifier: GPL-3.0-or-later
"""Noise as nodes: a recipe's noise becomes a group of Blender's own nodes.

`registry` knows the function in `writers` that declares the nodes of each noise. `noise_graph` declares
nodes and describes where a noise is evaluated, `groups` makes the group, `material` uses it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .....noise_core.base.late_modules import late_modules

if TYPE_CHECKING:
    from . import groups as groups
    from . import material as material
    from . import registry as registry
else:
    __getattr__ = late_modules(__name__)

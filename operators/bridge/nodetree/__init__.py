# SPDX-License-Identifier: GPL-3.0-or-later
"""Node trees: declared as plain data, built and placed by one builder.

`node_graph` declares nodes and links, `builder` makes them, `layout` places them. `shared_groups` finds
groups that several materials use, `own_nodes` replaces Terrane's nodes in a material. The folders hold the
trees themselves. Reading vertex groups takes nodes too, so the files beside this one know no other folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....noise_core.base.late_modules import late_modules

if not TYPE_CHECKING:  # a checker sees the modules themselves
    __getattr__ = late_modules(__name__)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Colors of the ground: the layers of a landscape at every sample of a height field."""

from __future__ import annotations

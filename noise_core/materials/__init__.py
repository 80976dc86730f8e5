# SPDX-License-Identifier: GPL-3.0-or-later
"""Colors, surfaces, colorings and tilings."""

from __future__ import annotations

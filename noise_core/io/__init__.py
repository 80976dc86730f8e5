# SPDX-License-Identifier: GPL-3.0-or-later
"""Files: image files, presets, and migrations of old recipes."""

from __future__ import annotations

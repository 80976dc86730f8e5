# SPDX-License-Identifier: GPL-3.0-or-later
"""Base classes of noises, modifiers, maps, masks and colorings, and of what they share."""

from __future__ import annotations

# SPDX-License-Identifier: GPL-3.0-or-later
"""Version of Terrane, for files that name the program that wrote them."""

from __future__ import annotations

__version__ = "0.1.0"
"""That of `pyproject.toml`; a test compares the two."""

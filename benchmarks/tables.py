# SPDX-License-Identifier: GPL-3.0-or-later
"""What all tables of the report share."""

from __future__ import annotations

import sys


def say(text: str) -> None:
    """Tell whoever waits how far it is, apart from the report."""
    print(text, file=sys.stderr, flush=True)


def verdict(value: float, must: float, aim: float) -> str:
    """Return which of two limits a value keeps."""
    return "aim" if value <= aim else "must" if value <= must else "**missed**"

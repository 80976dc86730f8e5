# SPDX-License-Identifier: GPL-3.0-or-later
"""Helpers for all tables of the report."""

from __future__ import annotations

import math
import platform
import sys
from pathlib import Path


def say(text: str) -> None:
    """Print the progress, apart from the report."""
    print(text, file=sys.stderr, flush=True)


def verdict(value: float, must: float, aim: float = -math.inf) -> str:
    """Return which of two limits a value keeps."""
    return "aim" if value <= aim else "must" if value <= must else "**missed**"


def machine() -> str:
    """Return what processors are at work."""
    information = Path("/proc/cpuinfo")
    names = [platform.processor() or platform.machine()]
    if information.exists():
        text = information.read_text(encoding="utf-8").splitlines()
        names = [line.split(":", 1)[1].strip() for line in text if line.startswith("model name")]
    return f"{len(names)} x {names[0]}"

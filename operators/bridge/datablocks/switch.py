# SPDX-License-Identifier: GPL-3.0-or-later
"""States of all of Terrane that hold within a block of code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Switch:
    """A state that is off, and on within some blocks of code.

    Attributes
    ----------
    is_on : bool
    """

    def __init__(self) -> None:
        self.is_on = False

    @contextmanager
    def on(self) -> Iterator[None]:
        """Switch it on within the block."""
        previous, self.is_on = self.is_on, True
        try:
            yield
        finally:
            self.is_on = previous

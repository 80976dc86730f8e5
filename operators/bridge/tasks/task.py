# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks of the queue: products to be updated, and when each changed."""

from __future__ import annotations

from typing import Any

from ..datablocks.ref import Ref
from .product import Product

Key = tuple[str, Any]
"""Name of the product, and the number of its owner; of two tasks with the same key only one is queued."""


class Task:
    """Product of an owner that is queued; without an owner it is a picture, which a name tells from others."""

    changed = 0.0  # when its settings changed last
    begun = 0.0  # when work on it began last
    has_preview = False  # a preview of the newest settings is shown
    is_thorough = False  # paint, which is no setting, is compared too: that takes time

    def __init__(self, product: Product, owner: Any = None, name: str = "") -> None:
        self.product = product
        self.ref: Ref[Any] | None = None if owner is None else Ref.of(owner)
        self.key: Key = (product.key, name if self.ref is None else self.ref.uid)
        self.title = name if self.ref is None else f"Updating {owner.name}"  # for the progress bar

    def find(self) -> Any | None:
        """Return the owner, None if it was removed; looked up each time, since undo moves it.

        A picture has no owner, and is there itself.
        """
        if self.ref is None:
            return self
        owner = self.ref.find()
        return owner if owner is not None and self.product.is_of(owner) else None


PRODUCTS: list[Product] = []
"""Products that follow the settings of datablocks."""


def product_of(owner: Any) -> Product | None:
    """Return the product that is made of the settings of a datablock, None if none is."""
    for product in PRODUCTS:
        if type(owner) is product.owners and product.is_of(owner):
            return product
    return None

# SPDX-License-Identifier: GPL-3.0-or-later
"""Terms: formulas with known settings, reduced to as few passes as possible.

Every pass over a block of a field costs about the same. So sums have
one constant and one factor for each term, products are taken of fields before they are taken of
colors, steps absorb the arithmetic around them, and results overwrite operands that are no longer
needed. `simplifying` builds them.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Union

import numpy as np

from ...base.arrays import Field
from .functions import Function

Value = Union[float, Field]
"""A number, a block of a field of shape (rows, columns), or colors of shape (3, rows, columns)."""

Lookup = Callable[[str], Value]

Result = tuple[Value, bool]
"""A value, and whether it is a temporary array that may be overwritten."""

Ask = Callable[[str], Result]
"""Called with a name: its value. Only a value with a single use may be overwritten."""


@dataclass(frozen=True, eq=False)
class ConstantTerm:
    """A number, or a color of shape (3, 1, 1)."""

    value: Value

    def names(self) -> Counter[str]:
        """Return the fields of the term, with the number of uses of each."""
        return Counter()

    def result(self, ask: Ask) -> Result:
        """Return the value for a block."""
        return self.value, False


@dataclass(frozen=True, eq=False)
class FieldTerm:
    """A field."""

    name: str

    def names(self) -> Counter[str]:
        """Return the fields of the term, with the number of uses of each."""
        return Counter((self.name,))

    def result(self, ask: Ask) -> Result:
        """Return the value for a block."""
        return ask(self.name)


@dataclass(frozen=True, eq=False)
class SumTerm:
    """A constant and terms, each with its factor; there is at least one."""

    terms: tuple[tuple[Value, Term], ...]
    constant: Value = 0.0

    def names(self) -> Counter[str]:
        """Return the fields of the term, with the number of uses of each."""
        return _names(term for _, term in self.terms)

    def result(self, ask: Ask) -> Result:
        """Return the value for a block."""
        totals: dict[int, Result] = {}  # of fields, and of colors, which take three times as long
        constant = self._constant
        for factor, is_less, term in self._parts:
            part = term.result(ask)
            if factor is not None:
                part = combine(np.multiply, part, factor)
            channels = np.ndim(part[0])
            partial = totals.get(channels)
            if partial is None and constant is not None and np.ndim(constant[0]) <= channels:
                partial, constant = constant, None
            if partial is not None:
                part = combine(np.subtract if is_less else np.add, partial, part)
            elif is_less:
                part = combine(np.multiply, part, (-1.0, False))
            totals[channels] = part
        if len(totals) == 1 and constant is None:
            return part
        total, *wider = (totals[channels] for channels in sorted(totals))
        for part in (*wider, *([] if constant is None else [constant])):
            total = combine(np.add, part, total)
        return total

    @functools.cached_property
    def _constant(self) -> Result | None:
        return None if _equals(self.constant, 0.0) else (self.constant, False)

    @functools.cached_property
    def _parts(self) -> list[tuple[Result | None, bool, Term]]:
        """Factors (none where it is 1 or -1), signs, and terms."""
        return [
            (
                None if _equals(factor, 1.0) or _equals(factor, -1.0) else (factor, False),
                _equals(factor, -1.0),
                term,
            )
            for factor, term in self.terms
        ]


@dataclass(frozen=True, eq=False)
class ProductTerm:
    """The product of some terms, none of them plain."""

    factors: tuple[Term, ...]

    def names(self) -> Counter[str]:
        """Return the fields of the term, with the number of uses of each."""
        return _names(self.factors)

    def result(self, ask: Ask) -> Result:
        """Return the value for a block."""
        products: dict[int, Result] = {}
        for factor in self.factors:
            part = factor.result(ask)
            channels = np.ndim(part[0])
            if channels in products:
                part = combine(np.multiply, products[channels], part)
            products[channels] = part
        product, *wider = (products[channels] for channels in sorted(products))
        for part in wider:
            product = combine(np.multiply, part, product)
        return product


@dataclass(frozen=True, eq=False)
class PowerTerm:
    """A term times itself."""

    base: Term
    exponent: int

    def names(self) -> Counter[str]:
        """Return the fields of the term, with the number of uses of each."""
        return self.base.names()

    def result(self, ask: Ask) -> Result:
        """Return the value for a block."""
        base, _ = self.base.result(ask)
        power: Result = (base, False)
        for _ in range(self.exponent - 1):
            power = combine(np.multiply, power, (base, False))
        return power


@dataclass(frozen=True, eq=False)
class ClampTerm:
    """A term clamped at both ends."""

    term: Term
    low: float = 0.0
    high: float = 1.0

    def names(self) -> Counter[str]:
        """Return the fields of the term, with the number of uses of each."""
        return self.term.names()

    def result(self, ask: Ask) -> Result:
        """Return the value for a block."""
        value, is_free = self.term.result(ask)
        if isinstance(value, float):
            return min(max(value, self.low), self.high), False
        return np.clip(value, self.low, self.high, out=value if is_free else None), True


@dataclass(frozen=True, eq=False)
class SmoothstepTerm:
    """A factor times s s (3 - 2 s), for a term s clamped to [0, 1]."""

    term: Term
    factor: float = 1.0

    def names(self) -> Counter[str]:
        """Return the fields of the term, with the number of uses of each."""
        return self.term.names()

    def result(self, ask: Ask) -> Result:
        """Return the value for a block."""
        share, _ = ClampTerm(self.term).result(ask)
        result = share * (-2.0 * self.factor)
        result += 3.0 * self.factor
        result *= share
        result *= share
        return result, True


@dataclass(frozen=True, eq=False)
class MixTerm:
    """A linear interpolation between two terms."""

    first: Term
    second: Term
    share: Term

    def names(self) -> Counter[str]:
        """Return the fields of the term, with the number of uses of each."""
        return _names((self.first, self.second, self.share))

    def result(self, ask: Ask) -> Result:
        """Return the value for a block."""
        first, _ = self.first.result(ask)
        second = self.second.result(ask)
        mixed = combine(np.subtract, second, (first, False))
        mixed = combine(np.multiply, mixed, self.share.result(ask))
        return combine(np.add, mixed, (first, False))


@dataclass(frozen=True, eq=False)
class CallTerm:
    """A function call with terms as arguments."""

    function: Function
    arguments: tuple[Term, ...]

    def names(self) -> Counter[str]:
        """Return the fields of the term, with the number of uses of each."""
        return _names(self.arguments)

    def result(self, ask: Ask) -> Result:
        """Return the value for a block."""
        results = [argument.result(ask) for argument in self.arguments]
        work: Any = self.function.work
        if isinstance(work, np.ufunc) and results[0][1]:
            return work(results[0][0], out=results[0][0]), True
        return self.function([value for value, _ in results]), True


Term = Union[
    ConstantTerm,
    FieldTerm,
    SumTerm,
    ProductTerm,
    PowerTerm,
    ClampTerm,
    SmoothstepTerm,
    MixTerm,
    CallTerm,
]


def read_only(lookup: Lookup) -> Ask:
    """Return a lookup whose values must not be overwritten."""
    return lambda name: (lookup(name), False)


def combine(operation: np.ufunc, left: Result, right: Result) -> Result:
    """Return an operation's result, in the memory of an operand that may be overwritten."""
    (first, is_first_free), (second, is_second_free) = left, right
    if isinstance(first, float) and isinstance(second, float):
        return float(operation(first, second)), False
    if is_first_free and _has_result_shape(first, second):
        return operation(first, second, out=first), True
    if is_second_free and _has_result_shape(second, first):
        return operation(first, second, out=second), True
    return operation(first, second), True


def _has_result_shape(value: Any, reference: Value) -> bool:
    """Return whether the first value is an array with the shape of the result."""
    if isinstance(value, float):
        return False
    if isinstance(reference, float) or value.shape == reference.shape:
        return True
    is_wide = value.ndim >= reference.ndim
    return is_wide and reference.shape[-2:] in ((1, 1), value.shape[-2:])


def _equals(value: Value, number: float) -> bool:
    """Return whether a value is one plain number."""
    return isinstance(value, float) and value == number


def _names(terms: Iterable[Term]) -> Counter[str]:
    names: Counter[str] = Counter()
    for term in terms:
        names.update(term.names())
    return names

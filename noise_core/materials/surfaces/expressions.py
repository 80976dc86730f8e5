# SPDX-License-Identifier: GPL-3.0-or-later
"""Formulas as text, such as ``"mix(stone, moss, wear * (1 - slope))"``.

A formula consists of arithmetic with numbers and names, and the functions of `functions.py`. Python's
parser reads it, and everything beyond that arithmetic is refused: a formula from an untrusted file can
do nothing but compute. Names refer to fields and exposed parameters.

`Expression.value` evaluates the formula as written, which validates it. `simplify` compiles it for
evaluation block by block.
"""

from __future__ import annotations

import ast
import copy
import math
from collections import Counter
from collections.abc import Mapping

import numpy as np

from ...base.arrays import to_float
from ...base.errors import ParameterError, format_value
from .functions import FUNCTIONS, Function
from .simplifying import Known, simplify
from .terms import Ask, Lookup, Result, Term, Value, read_only

_OPERATORS: dict[type[ast.operator], np.ufunc] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
}
_MAX_LENGTH = 2000
"""Characters; longer formulas want to be cut into fields with names."""

_MAX_DEPTH = 200
"""Parts of a formula that stand one inside the other; a sum of n terms has n. Each takes two of the 1000
calls that Python allows inside each other."""

_MAX_POWER = 8


class Expression:
    """A formula that is evaluated block by block.

    Parameters
    ----------
    text : str
    who : str
        Name that starts error messages.

    Attributes
    ----------
    names : frozenset of str
        Names in the formula.
    counts : mapping of str to int
        Number of uses of each name.

    Raises
    ------
    ParameterError
        If the text is no formula.
    """

    def __init__(self, text: str, who: str) -> None:
        self.text, self._who = text, who
        if len(text) > _MAX_LENGTH:
            raise ParameterError(
                "{} must be at most {} characters", who, _MAX_LENGTH, got=len(text)
            )
        try:
            self._root = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
            raise ParameterError(
                "{} must be a formula", who, got=f"{format_value(text)} ({error})"
            ) from None
        counts: Counter[str] = Counter()
        self._check(self._root, counts, 1)
        self.counts: Mapping[str, int] = counts
        self.names = frozenset(counts)
        self._term: Term | None = None

    @property
    def name(self) -> str | None:
        """The name, if the formula is only a name; else None."""
        return self._root.id if isinstance(self._root, ast.Name) else None

    def simplify(self, constants: Known) -> Expression:
        """Return the formula compiled to terms, with known values inserted.

        It asks only for names that still matter, and has the value of this one but for rounding.

        Parameters
        ----------
        constants : mapping of str to Value
            Names that are the same everywhere: numbers, or colors of shape (3, 1, 1). With these
            the formula has been worked out before without an error.
        """
        simplified = copy.copy(self)
        simplified._term = simplify(self._root, constants)
        simplified.counts = simplified._term.names()
        simplified.names = frozenset(simplified.counts)
        return simplified

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expression) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def value(self, lookup: Lookup) -> Value:
        """Return the formula's value.

        Parameters
        ----------
        lookup : callable
            Returns the value of a name; an array it returns is not written to.

        Returns
        -------
        float or ndarray
            An array only if one went in; then float32. It may be one that `lookup` returned.
        """
        return self.result(read_only(lookup))[0]

    def result(self, ask: Ask) -> Result:
        """Return the formula's value, and whether it is a new array that may be overwritten.

        Parameters
        ----------
        ask : callable
            Returns the value of a name, and whether the formula may write over it. A name that
            it asks for several times must not be written over.
        """
        if self._term is not None:
            return self._term.result(ask)
        return self._value(self._root, lambda name: ask(name)[0]), False

    def _check(self, node: ast.expr, names: Counter[str], depth: int) -> None:
        """Raise an error for anything but arithmetic, and count the names."""
        if depth > _MAX_DEPTH:
            raise ParameterError(
                "{} must have at most {} parts one inside the other; got more",
                self._who,
                _MAX_DEPTH,
            )
        if isinstance(node, ast.Name):
            names[node.id] += 1
        elif isinstance(node, ast.Constant) and math.isfinite(to_float(node.value)):
            pass
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            self._check(node.operand, names, depth + 1)
        elif isinstance(node, ast.BinOp) and isinstance(
            node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)
        ):
            self._check(node.left, names, depth + 1)
            self._check(node.right, names, depth + 1)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            self._function(node)
            for argument in node.args:
                self._check(argument, names, depth + 1)
        else:
            raise ParameterError(
                "{} must be arithmetic with numbers, names and functions",
                self._who,
                got=format_value(self._part(node)),
            )

    def _part(self, node: ast.expr) -> str:
        """Return the text of a part; `ast.unparse` may need more calls inside each other than Python has."""
        return ast.get_source_segment(self.text.strip(), node) or self.text

    def _function(self, node: ast.Call) -> Function:
        assert isinstance(node.func, ast.Name)
        function = FUNCTIONS.get(node.func.id)
        if function is None:
            allowed = ", ".join(FUNCTIONS)
            raise ParameterError(
                "{}: a function must be one of {}",
                self._who,
                allowed,
                got=format_value(node.func.id),
            )
        if not function.least <= len(node.args) <= function.most:
            raise ParameterError(
                "{} must call {}",
                self._who,
                function.signature,
                got=format_value(self._part(node)),
            )
        return function

    def _value(self, node: ast.expr, lookup: Lookup) -> Value:
        if isinstance(node, ast.Constant):
            assert isinstance(node.value, (int, float))
            return float(node.value)
        if isinstance(node, ast.Name):
            return lookup(node.id)
        if isinstance(node, ast.Call):
            values = [self._value(argument, lookup) for argument in node.args]
            function = self._function(node)
            for place in function.constants:
                self._constant(values[place], f"argument {place + 1} of {function.signature}")
            result: Value = function(values)
            return result
        if isinstance(node, ast.UnaryOp):
            return -self._value(node.operand, lookup)
        assert isinstance(node, ast.BinOp)
        return self._combine(node, lookup)

    def _combine(self, node: ast.BinOp, lookup: Lookup) -> Value:
        left, right = self._value(node.left, lookup), self._value(node.right, lookup)
        if isinstance(node.op, ast.Div):
            # By a field there could be zeros.
            divisor = self._constant(right, "what is divided by")
            if divisor == 0.0:
                raise ParameterError(
                    "{}: must not divide by 0", self._who, got=format_value(self.text)
                )
            return left / divisor if isinstance(left, float) else left * np.float32(1.0 / divisor)
        if isinstance(node.op, ast.Pow):
            return self._power(left, self._constant(right, "an exponent"))
        if isinstance(left, float) and isinstance(right, float):
            return float(_OPERATORS[type(node.op)](left, right))
        result: Value = _OPERATORS[type(node.op)](left, right)
        return result

    def _constant(self, value: Value, what: str) -> float:
        if not isinstance(value, float):
            raise ParameterError("{}: {} must be a number; got a field", self._who, what)
        return value

    def _power(self, base: Value, exponent: float) -> Value:
        # Multiplications only: NumPy's power differs from processor to processor.
        if not (exponent.is_integer() and 1.0 <= exponent <= _MAX_POWER):
            raise ParameterError(
                "{}: an exponent must be a whole number in [1, {}]",
                self._who,
                _MAX_POWER,
                got=f"{exponent:g}",
            )
        result = base * 1.0
        for _ in range(int(exponent) - 1):
            result = result * base
        return result

# SPDX-License-Identifier: GPL-3.0-or-later
"""Compilation of formulas to terms: known values are inserted, and zeros drop out."""

from __future__ import annotations

import ast
from collections.abc import Mapping

import numpy as np

from .functions import FUNCTIONS
from .terms import (
    CallTerm,
    ClampTerm,
    ConstantTerm,
    FieldTerm,
    MixTerm,
    PowerTerm,
    ProductTerm,
    SmoothstepTerm,
    SumTerm,
    Term,
    Value,
)

Known = Mapping[str, Value]
"""Numbers, and colors of shape (3, 1, 1), by the names that stand for them."""


def simplify(node: ast.expr, constants: Known) -> Term:
    """Return the simplest term of a formula.

    Parameters
    ----------
    node : ast.expr
        A formula that `Expression` has checked, and worked out once.
    constants : mapping of str to Value
    """
    if isinstance(node, ast.Constant):
        assert isinstance(node.value, (int, float))
        return ConstantTerm(float(node.value))
    if isinstance(node, ast.Name):
        return ConstantTerm(constants[node.id]) if node.id in constants else FieldTerm(node.id)
    if isinstance(node, ast.UnaryOp):
        return scale(simplify(node.operand, constants), -1.0)
    if isinstance(node, ast.Call):
        assert isinstance(node.func, ast.Name)
        return _call(node.func.id, [simplify(argument, constants) for argument in node.args])
    assert isinstance(node, ast.BinOp)
    left, right = simplify(node.left, constants), simplify(node.right, constants)
    if isinstance(node.op, ast.Mult):
        return _product(left, right)
    if isinstance(node.op, ast.Add):
        return add(left, right)
    if isinstance(node.op, ast.Sub):
        return add(left, scale(right, -1.0))
    assert isinstance(right, ConstantTerm) and isinstance(right.value, float)
    if isinstance(node.op, ast.Div):
        return scale(left, 1.0 / right.value)
    return _power(left, int(right.value))


def scale(term: Term, factor: Value) -> Term:
    """Return a term times a number or a color."""
    if isinstance(factor, float) and factor == 0.0:
        return ConstantTerm(0.0)
    if isinstance(factor, float) and factor == 1.0:
        return term
    if isinstance(term, ConstantTerm):
        return ConstantTerm(_times(term.value, factor))
    if isinstance(factor, float):
        if isinstance(term, SmoothstepTerm):
            return SmoothstepTerm(term.term, term.factor * factor)
        if isinstance(term, ProductTerm):
            return _scaled_product(term, factor)
    if isinstance(term, SumTerm) and _is_cheap_inside(term, factor):
        parts = tuple((_times(weight, factor), part) for weight, part in term.terms)
        return SumTerm(parts, _times(term.constant, factor))
    return SumTerm(((factor, term),))


def add(left: Term, right: Term) -> Term:
    """Return the sum of two terms."""
    if isinstance(left, ConstantTerm) and isinstance(right, ConstantTerm):
        return ConstantTerm(_plus(left.value, right.value))
    parts, constant = _parts(left)
    more, other_terms = _parts(right)
    total = SumTerm((*parts, *more), _plus(constant, other_terms))
    if len(total.terms) == 1 and isinstance(total.constant, float):
        factor, term = total.terms[0]
        if total.constant == 0.0 and isinstance(factor, float) and factor == 1.0:
            return term
        # 1 - smoothstep(a, b, x) is smoothstep(b, a, x).
        if isinstance(term, SmoothstepTerm) and total.constant == -term.factor:
            if isinstance(factor, float) and factor == 1.0:
                return SmoothstepTerm(add(ConstantTerm(1.0), scale(term.term, -1.0)), -term.factor)
    return total


def _parts(term: Term) -> tuple[tuple[tuple[Value, Term], ...], Value]:
    """Return a term as summands and a constant."""
    if isinstance(term, SumTerm):
        return term.terms, term.constant
    if isinstance(term, ConstantTerm):
        return (), term.value
    return ((1.0, term),), 0.0


def _is_cheap_inside(term: SumTerm, factor: Value) -> bool:
    """Return whether a factor is free when distributed over the terms of a sum."""
    if not isinstance(factor, float):
        return len(term.terms) == 1 and isinstance(term.constant, float) and term.constant == 0.0
    bare = sum(isinstance(weight, float) and abs(weight) == 1.0 for weight, _ in term.terms)
    return bare <= 1 or factor == -1.0


def _product(left: Term, right: Term) -> Term:
    if isinstance(left, ConstantTerm):
        return scale(right, left.value)
    if isinstance(right, ConstantTerm):
        return scale(left, right.value)
    (first, first_term), (second, second_term) = _with_factor(left), _with_factor(right)
    factors = [*_factors(first_term), *_factors(second_term)]
    return scale(ProductTerm(tuple(factors)), _times(first, second))


def _with_factor(term: Term) -> tuple[Value, Term]:
    """Return a term's factor, and the term without it."""
    if isinstance(term, SumTerm) and len(term.terms) == 1:
        if isinstance(term.constant, float) and term.constant == 0.0:
            return term.terms[0]
    return 1.0, term


def _factors(term: Term) -> tuple[Term, ...]:
    return term.factors if isinstance(term, ProductTerm) else (term,)


def _scaled_product(term: ProductTerm, factor: float) -> Term:
    """Absorb a factor into a smoothstep among the others, where it costs nothing."""
    for place, factor_term in enumerate(term.factors):
        if isinstance(factor_term, SmoothstepTerm):
            taken = scale(factor_term, factor)
            return ProductTerm((*term.factors[:place], taken, *term.factors[place + 1 :]))
    return SumTerm(((factor, term),))


def _power(base: Term, exponent: int) -> Term:
    if not isinstance(base, ConstantTerm):
        return PowerTerm(base, exponent) if exponent > 1 else base
    power = base.value
    for _ in range(exponent - 1):
        power = _times(power, base.value)
    return ConstantTerm(power)


def _call(name: str, arguments: list[Term]) -> Term:
    plain = [argument.value for argument in arguments if isinstance(argument, ConstantTerm)]
    if len(plain) == len(arguments):
        return ConstantTerm(FUNCTIONS[name](plain))
    if name == "mix":
        return _mix(*arguments)
    if name in ("linearstep", "smoothstep"):
        low, high = plain[:2]
        assert isinstance(low, float) and isinstance(high, float)  # the function says so
        width = 1.0 / (high - low)
        share = add(scale(arguments[2], width), ConstantTerm(-low * width))
        return ClampTerm(share) if name == "linearstep" else SmoothstepTerm(share)
    if (
        name == "clamp"
        and len(plain) == len(arguments) - 1
        and not isinstance(arguments[0], ConstantTerm)
    ):
        if all(isinstance(limit, float) for limit in plain):
            return ClampTerm(arguments[0], *plain)  # type: ignore[arg-type]
    return CallTerm(FUNCTIONS[name], tuple(arguments))


def _mix(first: Term, second: Term, share: Term) -> Term:
    if isinstance(share, ConstantTerm) and isinstance(share.value, float):
        if share.value in (0.0, 1.0):
            return second if share.value else first
    if isinstance(first, ConstantTerm) and isinstance(second, ConstantTerm):
        return add(scale(share, _plus(second.value, _times(first.value, -1.0))), first)
    return MixTerm(first, second, share)


def _times(left: Value, right: Value) -> Value:
    product = left * right
    return product if isinstance(product, np.ndarray) else float(product)


def _plus(left: Value, right: Value) -> Value:
    total = left + right
    return total if isinstance(total, np.ndarray) else float(total)

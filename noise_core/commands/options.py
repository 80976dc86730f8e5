# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of written and read types: ``--option name=value``, as the parameters are declared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..base.errors import ParameterError
from ..base.params import Parameter

_SWITCHES = {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}


def options_of(
    who: str, parameters: Iterable[Parameter], assignments: Sequence[str]
) -> dict[str, object]:
    """Return the values of options, by name.

    Parameters
    ----------
    who : str
        Name of the type with these options, for error messages.
    parameters : iterable of Parameter
        Those that may be given.
    assignments : sequence of str
        Each one "name=value".

    Raises
    ------
    ParameterError
        If there is no such option, or its value is of another kind.
    """
    declared = {parameter.name: parameter for parameter in parameters}
    values: dict[str, object] = {}
    for option in assignments:
        name, _, text = option.partition("=")
        if name not in declared:
            allowed = ", ".join(declared) or "none"
            raise ParameterError("--option of {} must be of {}", who, allowed, got=repr(option))
        kind = declared[name].kind
        try:
            if kind == "boolean":
                values[name] = _SWITCHES[text.lower()]
            elif kind in ("number", "integer"):
                values[name] = float(text) if kind == "number" else int(text)
            else:
                values[name] = text
        except (ValueError, KeyError):
            raise ParameterError("--option {} must be a {}", name, kind, got=repr(text)) from None
    return values

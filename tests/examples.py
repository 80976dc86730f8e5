# SPDX-License-Identifier: GPL-3.0-or-later
"""Examples in docstrings: found in all modules of a package, and run one docstring at a time.

``pytest --doctest-modules noise_core`` runs them too, but for those of functions that are generated. Output
must not depend on the version of NumPy: print arrays and round numbers, as ``repr`` of both changed in NumPy 2.
"""

from __future__ import annotations

import doctest
import importlib
import io
import pkgutil
from collections.abc import Iterable, Iterator
from types import ModuleType


def find_examples(package: ModuleType, more: Iterable[object] = ()) -> Iterator[doctest.DocTest]:
    """Yield a test per docstring with examples: of all modules of a package, and of further objects."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    prefix = f"{package.__name__}."
    names = [
        package.__name__,
        *(info.name for info in pkgutil.walk_packages(package.__path__, prefix)),
    ]
    for name in names:
        if name.rpartition(".")[2] != "__main__":
            module = importlib.import_module(name)
            yield from (test for test in finder.find(module, name) if test.examples)
    for item in more:
        name = f"{item.__module__}.{item.__qualname__}"
        yield from (test for test in finder.find(item, name, globs={}) if test.examples)


def run_example(test: doctest.DocTest) -> None:
    """Run the examples of a docstring; an AssertionError shows those that print something else."""
    output = io.StringIO()
    result = doctest.DocTestRunner(verbose=False).run(test, out=output.write)
    assert result.failed == 0, output.getvalue()


def has_example(item: object) -> bool:
    """Return whether the docstring of a class or function shows how it is used."""
    text = getattr(item, "__doc__", None) or ""
    return (
        "\nExamples\n" in "\n".join(line.strip() for line in text.splitlines()) and ">>> " in text
    )

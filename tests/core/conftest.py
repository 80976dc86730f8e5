# SPDX-License-Identifier: GPL-3.0-or-later
"""Hypothesis profiles: "ci" takes the same examples every time, "few" fewer, "thorough" many and shrinks.

Choose by the environment variable TERRANE_HYPOTHESIS.
"""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil

from hypothesis import HealthCheck, Phase, settings

settings.register_profile(
    "ci",
    deadline=None,
    derandomize=True,
    max_examples=10,
    print_blob=True,
    # Shrinking a failure may take minutes: the other profile does.
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.register_profile("few", settings.get_profile("ci"), max_examples=4)
settings.register_profile(
    "thorough", settings.get_profile("ci"), max_examples=300, phases=tuple(Phase)
)
settings.load_profile(os.environ.get("TERRANE_HYPOTHESIS", "ci"))


def _import_everything() -> None:
    """Import all modules of the core, so that tests patch the modules, not their placeholders.

    `late_modules` gives a stand-in for a module that is not loaded yet.
    """
    import noise_core

    for module in pkgutil.walk_packages(noise_core.__path__, "noise_core."):
        importlib.import_module(module.name)


_import_everything()


def _limit_memory(gibibytes: int) -> None:
    """Let a test that asks for terabytes fail, instead of the machine it runs on."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    expected = gibibytes << 30
    if hard == resource.RLIM_INFINITY or hard > expected:
        resource.setrlimit(resource.RLIMIT_AS, (expected, hard))


_limit_memory(8)


def pytest_collection_finish() -> None:
    """Exempt the collected tests, which are never freed, from garbage collection."""
    gc.collect()
    gc.freeze()

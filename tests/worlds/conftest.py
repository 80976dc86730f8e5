# SPDX-License-Identifier: GPL-3.0-or-later
"""Two workers that tests share, since it takes seconds to start them, and the world of a test file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from distributed import Client

from terrane_worlds.base.workers import local_client


@pytest.fixture(scope="session")
def client(tmp_path_factory) -> Iterator[Client]:
    """Yield a client with two workers of one thread each."""
    with local_client(2, tmp_path_factory.mktemp("workers")) as client:
        yield client


@pytest.fixture(scope="module")
def store(request, tmp_path_factory) -> Path:
    """Return the store of the test file's `WORLD`."""
    path = tmp_path_factory.mktemp("stores") / "a.zarr"
    request.module.WORLD.build(path)
    return path


@pytest.fixture(scope="module")
def height(request) -> np.ndarray:
    """Return the heights of the test file's `WORLD`, evaluated as a whole."""
    world = request.module.WORLD
    return world.recipe.evaluate(world.grid).height

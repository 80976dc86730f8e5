# SPDX-License-Identifier: GPL-3.0-or-later
"""Two workers that tests share, since it takes seconds to start them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from distributed import Client

from terrane_worlds.workers import local_client


@pytest.fixture(scope="session")
def client(tmp_path_factory) -> Iterator[Client]:
    """Yield a client with two workers of one thread each."""
    with local_client(2, tmp_path_factory.mktemp("workers")) as client:
        yield client

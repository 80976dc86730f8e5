# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of the cookbook with Dask and xarray: their code runs. The others: tests/docs."""

from __future__ import annotations

import pytest

from tests.page_code import run_page


@pytest.mark.parametrize("name", ["dask", "xarray"])
def test_the_page_is_true(name, tmp_path):
    run_page(f"docs/cookbook/{name}.md", tmp_path)

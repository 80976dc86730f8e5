# SPDX-License-Identifier: GPL-3.0-or-later
"""Benchmarks: ratios against peers measured in the same run: ``python -m benchmarks``."""

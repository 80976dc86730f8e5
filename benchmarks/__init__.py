# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast Terrane is, as ratios against peers measured in the same run: ``python -m benchmarks``."""

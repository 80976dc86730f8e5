# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands of ``python -m terrane_worlds``; the core handles arguments and errors."""

# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands of ``python -m terrane_worlds``; what becomes of arguments and errors is the core's affair."""

# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions of whole fields in windows, with the bits of the whole.

Levels are whole ones, windows are parts of them. `source` is the window that the values given cover, `want`
the one whose values are returned. How far `source` must reach around `want`, a function beside says.
"""

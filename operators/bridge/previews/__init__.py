# SPDX-License-Identifier: GPL-3.0-or-later
"""The small pictures in panels: of settings, of nine variations."""

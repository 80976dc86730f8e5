# SPDX-License-Identifier: GPL-3.0-or-later
"""Derivatives of noises: carried through their arithmetic, or by differences."""

# SPDX-License-Identifier: GPL-3.0-or-later
"""The triangular lattice that simplex noise lives on."""

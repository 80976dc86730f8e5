# SPDX-License-Identifier: GPL-3.0-or-later
"""What the erosion modifiers are made of."""

# SPDX-License-Identifier: GPL-3.0-or-later
"""The only place that turns arrays into datablocks and settings into recipes, and back."""

# SPDX-License-Identifier: GPL-3.0-or-later
"""Images of noise and colourings: their settings, pixels and files."""

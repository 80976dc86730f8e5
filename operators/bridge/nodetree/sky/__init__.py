# SPDX-License-Identifier: GPL-3.0-or-later
"""The nodes of the sky, and of the haze in front of the ground."""

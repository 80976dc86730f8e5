# SPDX-License-Identifier: GPL-3.0-or-later
"""Sets of textures: as images, as files, as nodes."""

# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights that leave Blender for engines, robots and maps."""

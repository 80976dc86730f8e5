# SPDX-License-Identifier: GPL-3.0-or-later
"""What takes long: it goes on in threads and in steps, and Blender draws between them."""

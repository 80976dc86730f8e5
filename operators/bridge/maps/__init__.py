# SPDX-License-Identifier: GPL-3.0-or-later
"""Maps as vertex groups, attributes and images, and who needs which."""

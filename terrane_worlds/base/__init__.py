# SPDX-License-Identifier: GPL-3.0-or-later
"""Foundation: tiles and windows, files that are on the disk before they count, workers, errors."""

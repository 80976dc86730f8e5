# SPDX-License-Identifier: GPL-3.0-or-later
"""One file per map that is read off a finished height field."""

# SPDX-License-Identifier: GPL-3.0-or-later
"""One file per modifier type: what needs neighbours, so it works on a finished grid."""

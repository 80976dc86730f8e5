# SPDX-License-Identifier: GPL-3.0-or-later
"""Stream-power erosion: what one step needs besides the flow tree, and the steps in a row."""

# SPDX-License-Identifier: GPL-3.0-or-later
"""Live update: what is made of settings follows them; `live_update` says how."""

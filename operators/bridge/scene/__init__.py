# SPDX-License-Identifier: GPL-3.0-or-later
"""What surrounds a terrain in a picture: sky and sun, camera, surroundings."""

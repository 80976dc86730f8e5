# SPDX-License-Identifier: GPL-3.0-or-later
# Written by tools/type_stubs.py; a test compares it.
from .layer_mask import LayerMask as LayerMask
from .map_mask import MapMask as MapMask
from .noise_mask import NoiseMask as NoiseMask
from .product_mask import ProductMask as ProductMask

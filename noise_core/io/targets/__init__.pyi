# SPDX-License-Identifier: GPL-3.0-or-later
# Written by tools/type_stubs.py; a test compares it.
from .exr import Exr as Exr
from .gazebo import Gazebo as Gazebo
from .geotiff import GeoTiff as GeoTiff
from .gltf import Gltf as Gltf
from .godot import Godot as Godot
from .mujoco import MuJoCo as MuJoCo
from .npy import Npy as Npy
from .obj import Obj as Obj
from .png16 import Png16 as Png16
from .pybullet import PyBullet as PyBullet
from .quantized_mesh import QuantizedMesh as QuantizedMesh
from .terrain3d import Terrain3D as Terrain3D
from .terrain_rgb import TerrainRgb as TerrainRgb
from .terrarium import Terrarium as Terrarium
from .unity import Unity as Unity
from .unreal import Unreal as Unreal
from .usd import Usd as Usd
from .usd_chunks import UsdChunks as UsdChunks

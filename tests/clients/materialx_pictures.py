# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of materials by MaterialX's own renderer, which needs an X display: run by the tests and tools as a script.

    python materialx_pictures.py request.json result.npy

The request has the file of the material, its name, a mesh as OBJ (square from -1 to 1 if none), pixels along both
sides, and for light the direction in which it shines and its irradiance; without light the base color is shown.
"""

from __future__ import annotations

import ctypes
import json
import sys
import tempfile
from pathlib import Path

import MaterialX
import numpy as np
from MaterialX import (
    PyMaterialXGenGlsl,
    PyMaterialXGenShader,
    PyMaterialXRender,
    PyMaterialXRenderGlsl,
)
from PIL import Image

SQUARE = """\
v -1 -1 0
v 1 -1 0
v 1 1 0
v -1 1 0
vt 0 0
vt 1 0
vt 1 1
vt 0 1
vn 0 0 1
f 1/1/1 2/2/1 3/3/1
f 1/1/1 3/3/1 4/4/1
"""

_FAR = 10.0

_FINER = 3
"""Pixels along a texel, in the copy of an image and in the picture, of which the middle one is kept. This renderer blends
neighbors as they are stored, in sRGB, which makes colors darker: the middle of such a texel is not blended with others."""


def library():
    """Return the standard nodes."""
    nodes = MaterialX.createDocument()
    MaterialX.loadLibraries(
        MaterialX.getDefaultDataLibraryFolders(), MaterialX.getDefaultDataSearchPath(), nodes
    )
    return nodes


def document_of(path):
    """Return the document of a file with the standard nodes; raise an AssertionError unless it is valid."""
    document = MaterialX.createDocument()
    document.setDataLibrary(library())
    MaterialX.readFromXmlFile(document, str(path))
    is_valid, message = document.validate()
    assert is_valid, message
    return document


def picture(
    path, material, *, pixels, light=None, irradiance=3.14159265, mesh=None, half=1.0, finer=_FINER
):
    """Return linear colors of shape (pixels, pixels, 3), the top row first, of a mesh from above."""
    document = document_of(path)
    generator = PyMaterialXGenGlsl.GlslShaderGenerator.create()
    context = PyMaterialXGenShader.GenContext(generator)
    context.registerSourceCodeSearchPath(MaterialX.getDefaultDataSearchPath())
    colors = PyMaterialXGenShader.DefaultColorManagementSystem.create(generator.getTarget())
    colors.loadLibrary(document.getDataLibrary())
    generator.setColorManagementSystem(colors)
    options = context.getOptions()
    options.targetColorSpaceOverride = "lin_rec709"
    options.fileTextureVerticalFlip = True
    side = finer * pixels
    renderer = PyMaterialXRenderGlsl.GlslRenderer.create(
        side, side, PyMaterialXRender.BaseType.FLOAT
    )
    renderer.initialize()
    images = PyMaterialXRenderGlsl.GLTextureHandler.create(
        PyMaterialXRender.StbImageLoader.create()
    )
    renderer.setImageHandler(images)
    renderer.setLightHandler(_lights(document, context, light, irradiance))
    with tempfile.TemporaryDirectory() as folder:
        _enlarge(document, Path(path).parent, Path(folder), finer)
        images.setSearchPath(MaterialX.FileSearchPath(folder))
        file = Path(folder) / "square.obj"
        file.write_text(SQUARE)
        geometry = PyMaterialXRender.GeometryHandler.create()
        geometry.addLoader(PyMaterialXRender.TinyObjLoader.create())
        assert geometry.loadGeometry(MaterialX.FilePath(str(mesh or file)), False)
        renderer.setGeometryHandler(geometry)
        renderer.setCamera(_from_above(half))
        shader = generator.generate(
            "Shown", _shown(document, material, is_lit=light is not None), context
        )
        renderer.createProgram(shader)
        renderer.validateInputs()
        renderer.render()
        middle = slice(finer // 2, None, finer)
        return _numbers(renderer.captureImage(None))[middle, middle]


def _enlarge(document, source, folder, finer):
    """Copy the images of a document into a folder, each texel as several pixels."""
    files = {one.getValueString() for one in document.traverseTree() if one.getType() == "filename"}
    for name in files:
        with Image.open(source / name) as image:
            size = tuple(finer * side for side in image.size)
            image.resize(size, Image.Resampling.NEAREST).save(folder / name)


def _shown(document, material, *, is_lit):
    surface = document.getNode(material).getConnectedNode("surfaceshader")
    if is_lit:
        return surface
    color = surface.getInput("base_color")
    return color.getConnectedOutput()


def _lights(document, context, light, irradiance):
    lights = PyMaterialXRender.LightHandler.create()
    dark = PyMaterialXRender.createUniformImage(
        1, 1, 3, PyMaterialXRender.BaseType.FLOAT, MaterialX.Color4(0.0, 0.0, 0.0, 1.0)
    )
    lights.setEnvRadianceMap(dark)
    lights.setEnvIrradianceMap(dark)
    lights.setIndirectLighting(False)
    if light is not None:
        sun = document.addNode("directional_light", "Sun", "lightshader")
        sun.setInputValue("direction", MaterialX.Vector3(*light))
        sun.setInputValue("color", MaterialX.Color3(1.0, 1.0, 1.0))
        sun.setInputValue("intensity", float(irradiance))
        lights.registerLights(document, [sun], context)
        lights.setLightSources([sun])
    return lights


def _from_above(half):
    camera = PyMaterialXRender.Camera.create()
    camera.setProjectionMatrix(
        PyMaterialXRender.Camera.createOrthographicMatrix(
            -half, half, -half, half, 0.01, 2.0 * _FAR * half
        )
    )
    camera.setViewMatrix(
        PyMaterialXRender.Camera.createViewMatrix(
            MaterialX.Vector3(0.0, 0.0, _FAR * half),
            MaterialX.Vector3(0.0, 0.0, 0.0),
            MaterialX.Vector3(0.0, 1.0, 0.0),
        )
    )
    return camera


def _numbers(image):
    rows, columns, channels = image.getHeight(), image.getWidth(), image.getChannelCount()
    size = rows * columns * channels
    buffer = (ctypes.c_float * size).from_address(image.getResourceBuffer())
    return np.array(buffer, np.float32).reshape(rows, columns, channels)[::-1, :, :3].copy()


if __name__ == "__main__":
    asked = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    np.save(sys.argv[2], picture(**asked))

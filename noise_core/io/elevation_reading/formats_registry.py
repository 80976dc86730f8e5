# SPDX-License-Identifier: GPL-3.0-or-later
"""Registry of elevation formats: a file in `formats/` adds one."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar, TypeVar, dataclass_transform

from ...base.declared import declared_type
from ...base.errors import Message, ParameterError
from ...base.params import Declared
from ...base.registry import Registry

if TYPE_CHECKING:
    from .elevation_file import ElevationFile
    from .sidecars import Sidecar
    from .source import InputFile


@declared_type
class ElevationFormat(Declared):
    """Base of all formats. Its parameters are facts that the file itself does not tell.

    Examples
    --------
    >>> from noise_core.io.elevation_reading import elevation_formats
    >>> raw = elevation_formats()["raw"](columns=1024, rows=512)
    >>> raw.columns, raw.extensions
    (1024, ('.raw', '.r16', '.r8', '.r32', '.bin'))
    """

    extensions: ClassVar[tuple[str, ...]] = ()
    """In lower case, with their dots."""
    signatures: ClassVar[tuple[bytes, ...]] = ()
    """First bytes of such files, in lower case; none if they begin with anything."""
    tells_place: ClassVar[bool] = False
    """Whether such files usually tell their place on Earth: a folder of them is joined."""

    def complete(self, sidecar: Sidecar) -> ElevationFormat:
        """Return the format with those parameters that are not given and stand in a sidecar."""
        return self

    def open(self, file: InputFile) -> ElevationFile:
        """Read the header and return the samples, with the facts of the file and those beside it.

        Raises
        ------
        ParameterError
            If the file is damaged, or of a kind that cannot be read.
        """
        raise NotImplementedError


FormatType = TypeVar("FormatType", bound=type[ElevationFormat])

_REGISTRY: Registry[ElevationFormat] = Registry("io.elevation_reading.formats")


@dataclass_transform(frozen_default=True, kw_only_default=True)
def elevation_format(
    key: str, label: str, *, extensions: tuple[str, ...], signatures: tuple[bytes, ...] = ()
) -> Callable[[FormatType], FormatType]:
    """Make a class a format: a frozen keyword-only dataclass, registered under `key`."""

    def decorate(cls: FormatType) -> FormatType:
        cls.key, cls.label, cls.extensions, cls.signatures = key, label, extensions, signatures
        declared_type(cls)
        _REGISTRY.add(cls)
        return cls

    return decorate


def elevation_formats() -> Mapping[str, type[ElevationFormat]]:
    """Return every format by its key.

    Examples
    --------
    >>> from noise_core.io.elevation_reading import elevation_formats
    >>> {"tiff", "hgt", "npy", "png", "raw"} <= set(elevation_formats())
    True
    """
    return _REGISTRY.all()


def find_format(file: InputFile) -> ElevationFormat:
    """Return the format of a file, by its first bytes, or else by its extension.

    Raises
    ------
    ParameterError
        If there is none.
    """
    head = file.head.lstrip().lower() if file.head[:1].isspace() else file.head.lower()
    formats = elevation_formats().values()
    for cls in formats:
        if any(head.startswith(signature) for signature in cls.signatures):
            return cls()
    extension = os.path.splitext(file.name)[1].lower()
    for cls in formats:
        if extension in cls.extensions:
            if cls.signatures:
                raise ParameterError(
                    "{} must be a file of the format {}",
                    file.name,
                    cls.label,
                    got=Message("one that begins with {!r}", file.head[:4]),
                )
            return cls()
    extensions = ", ".join(sorted(extension for cls in formats for extension in cls.extensions))
    raise ParameterError(
        "{}: the extension must be one of {}", file.name, extensions, got=repr(extension)
    )

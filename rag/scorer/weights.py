"""The trained part of the scorer as a file: eight bits a weight, with the embedding model that it was trained over.

Matrices are kept as int8 with one scale a row (the largest absolute weight over 127), the rest as float16.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rag.errors import EmbeddingError, ScorerDamaged

if TYPE_CHECKING:
    from torch import Tensor

FILE: Final = Path(__file__).with_name("weights.safetensors")
_SCALE: Final = ".scale"
_BASE: Final = "base"


def save(state: Mapping[str, Tensor], base: str, path: Path = FILE) -> None:
    """Write *state*, a network's tensors by name, trained over the embedding model *base*."""
    import torch
    from safetensors.torch import save_file

    kept: dict[str, Tensor] = {}
    for name, tensor in state.items():
        if tensor.ndim == 2 and tensor.shape[0] > 2:
            scale = tensor.float().abs().amax(dim=1, keepdim=True).clamp(min=1e-12) / 127
            kept[name] = (tensor.float() / scale).round().to(torch.int8).contiguous()
            kept[name + _SCALE] = scale.contiguous()
        else:
            kept[name] = tensor.half().contiguous()
    save_file(kept, str(path), metadata={_BASE: base})


def damaged(path: Path) -> ScorerDamaged:
    """Return the error of a file that is not what it should be."""
    return ScorerDamaged(
        f"found {path.name} damaged; expected the file of this version; restore it from the repository, or set "
        "REFERENT_SCORER=off to go on with the rules alone",
        {"name": path.name},
    )


def base_of(path: Path = FILE, error_of: Callable[[Path], EmbeddingError] = damaged) -> str:
    """Return the name of the embedding model that the weights belong to, "" where there are none.

    Raises: ScorerDamaged, or what *error_of* gives.
    """
    if not path.is_file():
        return ""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(str(path), framework="pt") as file:
            return str((file.metadata() or {}).get(_BASE, ""))
    except (OSError, SafetensorError) as error:
        raise error_of(path) from error


def load(path: Path = FILE, error_of: Callable[[Path], EmbeddingError] = damaged) -> dict[str, Tensor]:
    """Return the network's tensors by name, float32.

    Raises: ScorerDamaged, or what *error_of* gives.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        kept = load_file(str(path))
    except (OSError, SafetensorError) as error:
        raise error_of(path) from error
    return {
        name: tensor.float() * kept[name + _SCALE] if name + _SCALE in kept else tensor.float()
        for name, tensor in kept.items()
        if not name.endswith(_SCALE)
    }

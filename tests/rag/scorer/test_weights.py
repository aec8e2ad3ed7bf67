"""The scorer's weights as a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag.errors import ScorerDamaged
from rag.scorer.weights import base_of, load, save


def test_eight_bits_keep_each_weight_within_half_a_step_of_its_row(tmp_path: Path) -> None:
    import torch

    torch.manual_seed(1)
    state = {"layers.0.weight": torch.randn(8, 16), "layers.0.bias": torch.randn(8), "heads.weight": torch.randn(1, 16)}
    path = tmp_path / "weights.safetensors"
    save(state, "model@1", path)
    loaded = load(path)
    assert loaded.keys() == state.keys()
    steps = state["layers.0.weight"].abs().amax(dim=1, keepdim=True) / 127
    assert bool(((loaded["layers.0.weight"] - state["layers.0.weight"]).abs() <= steps / 2 + 1e-6).all())
    assert torch.allclose(loaded["layers.0.bias"], state["layers.0.bias"], atol=2e-3)
    assert torch.allclose(loaded["heads.weight"], state["heads.weight"], atol=2e-3)


def test_weights_say_which_model_they_belong_to(tmp_path: Path) -> None:
    import torch

    path = tmp_path / "weights.safetensors"
    save({"bias": torch.zeros(2)}, "model@1", path)
    assert base_of(path) == "model@1"
    assert base_of(tmp_path / "none.safetensors") == ""


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "weights.safetensors"
    path.write_bytes(b"not weights at all")
    with pytest.raises(ScorerDamaged, match="REFERENT_SCORER=off"):
        base_of(path)
    with pytest.raises(ScorerDamaged):
        load(path)

"""Processes that write at once and are killed lose no confirmed turn and mix nobody; a small run of the benchmark."""

from __future__ import annotations

from pathlib import Path

from benchmarks.memory_stress import run


def test_killed_writers_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    assert run(tmp_path / "data", processes=3, turns=12, kills=3, seed=7) == []

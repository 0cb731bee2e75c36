"""The JSON documents about TensorFlow Lite Micro: arena, rewrite. null for what is not known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mcucomp
from mcucomp.report.documents import SCHEMA

if TYPE_CHECKING:
    from mcucomp.check.interpreter import Measured
    from mcucomp.ir import Model
    from mcucomp.rewriting import Needs, Rewritten
    from mcucomp.tflm import Arena, Footprint, Peak


def arena_document(needs: Needs) -> dict[str, object]:
    """What `mcucomp arena --json` prints; `smallest_arena_bytes` is this host's."""
    return {
        **_head(needs.model),
        "kernels": needs.arena.kernels,
        "offsets_prescribed": needs.arena.is_prescribed,
        **_needed(needs.arena, needs.host),
        "target": _target(needs.arena.target),
        "peak": _peak(needs.arena.peak),
    }


def rewrite_document(done: Rewritten) -> dict[str, object]:
    """What `mcucomp rewrite --json` prints."""
    compared = done.comparison
    before, after = done.measured or (None, None)
    return {
        **_head(done.model),
        "output": str(done.path),
        "rules": done.rewrite.rules.value,
        "kernels": done.rewrite.kernels,
        "before": {
            "file_bytes": done.rewrite.file_bytes[0],
            **_needed(done.before, before),
            "target": _target(done.before.target),
        },
        "after": {
            "file_bytes": done.rewrite.file_bytes[1],
            **_needed(done.after, after),
            "target": _target(done.after.target),
        },
        "operators_moved": done.rewrite.moved,
        "offsets_prescribed": done.after.is_prescribed,
        "outputs_in_place": done.rewrite.after.shared,
        "notes": list(done.notes),
        "verified": None
        if compared is None
        else {
            "inputs": compared.inputs,
            "output_bytes": compared.output_bytes,
            "mismatching_bytes": 0,
            "heads_as_predicted": True,
        },
    }


def _head(model: Model) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "mcucomp": mcucomp.__version__,
        "model": {"file": model.source, "sha256": model.sha256},
    }


def _needed(arena: Arena, host: Measured | None) -> dict[str, object]:
    return {
        "head_bytes": arena.head_bytes,
        "tail_bytes": None if host is None else host.tail_bytes,
        "smallest_arena_bytes": None if host is None else host.smallest_arena_bytes,
    }


def _target(target: Footprint) -> dict[str, object]:
    return {
        "tail_bytes": target.tail_bytes,
        "smallest_arena_bytes": target.smallest_arena_bytes,
        "uncertainty_bytes": target.uncertainty_bytes,
    }


def _peak(peak: Peak | None) -> dict[str, object] | None:
    if peak is None:
        return None
    return {
        "step": peak.operator,
        "graph": peak.graph,
        "kind": peak.kind,
        "live_bytes": peak.live_bytes,
        "tensors": [
            {
                "name": item.name,
                "offset": item.offset,
                "size_bytes": item.size_bytes,
                "scratch": item.is_scratch,
            }
            for item in peak.in_use
        ],
    }

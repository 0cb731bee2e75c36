"""The JSON documents: plan, build, run, check. Sizes in bytes, null for what is not known."""

from __future__ import annotations

import dataclasses
import zlib
from typing import TYPE_CHECKING

import mcucomp

if TYPE_CHECKING:
    from mcucomp.build_directory import BuildDirectory
    from mcucomp.check import Verdict
    from mcucomp.device import Run
    from mcucomp.pipeline import Built, Planned

SCHEMA = 1


def _memory(planned: Planned) -> dict[str, object]:
    plan = planned.plan
    return {
        "memory": {
            "peak_bytes": plan.peak_bytes,
            "arena_bytes": plan.arena_bytes,
            "floor_bytes": plan.floor_bytes,
            "floor_kind": plan.floor_kind,
            "verdict": plan.verdict,
        },
        "arena_peak_bytes": plan.high_water_bytes,
        "rules": plan.rules,
        "order": list(plan.order),
    }


def build_document(built: Built) -> dict[str, object]:
    """`report.json`, and what `mcucomp build --json` prints."""
    sizes = built.image.sizes
    graph = built.planned.model.graphs[0]
    return {
        "schema": SCHEMA,
        "mcucomp": mcucomp.__version__,
        "model": {
            "file": built.planned.model.source,
            "sha256": built.planned.model.sha256,
            "name": built.name,
        },
        "build_id": built.sources.build_id,
        "board": built.board.name,
        **_memory(built.planned),
        "sizes": None
        if sizes is None
        else {
            "flash_bytes": sizes.flash_bytes,
            "code_bytes": sizes.code_bytes,
            "weights_bytes": sizes.flash_weights_bytes,
            "ram_bytes": sizes.ram_bytes,
            "flash": {
                "weights_bytes": sizes.flash_weights_bytes,
                "model_bytes": sizes.flash_model_bytes,
                "kernels_bytes": sizes.flash_kernels_bytes,
                "rest_bytes": sizes.flash_rest_bytes,
            },
            "ram": {
                "arena_bytes": sizes.ram_arena_bytes,
                "data_bytes": sizes.ram_data_bytes,
                "stack_bytes": sizes.ram_stack_bytes,
            },
        },
        "operators": [
            {
                "step": k,
                "operator": operator.index,
                "kind": operator.kind,
                "kernel": call.kernel,
                "macs": call.macs,
                "writes": list(call.writes),
            }
            for k, s in enumerate(built.planned.plan.order)
            for operator in (graph.operators[built.planned.memory.operators[s]],)
            for call in (built.planned.calls[s],)
        ],
        "inputs": [_tensor(built, t) for t in graph.inputs],
        "outputs": [_tensor(built, t) for t in graph.outputs],
    }


def _tensor(built: Built, index: int) -> dict[str, object]:
    tensor = built.planned.model.graphs[0].tensors[index]
    return {
        "name": tensor.name,
        "dtype": tensor.dtype.value,
        "shape": list(tensor.shape),
        "bytes": tensor.size_bytes,
    }


def run_document(build: BuildDirectory, run: Run) -> dict[str, object]:
    """What `mcucomp run --json` prints."""
    return {
        "schema": SCHEMA,
        "mcucomp": mcucomp.__version__,
        "model": build.report["model"],
        "board": run.board,
        "transport": run.transport,
        "predicted": {"arena_peak_bytes": build.arena_peak_bytes},
        "measured": {
            "arena_peak_bytes": run.arena_peak_bytes,
            "stack_bytes": run.stack_bytes,
            "instructions": run.instructions,
            "cycles": run.cycles,
            "guards_ok": run.guards_ok,
        },
        "steps": None
        if run.steps is None
        else [
            {
                "step": operator["step"],
                "kind": operator["kind"],
                "instructions": step.instructions,
                "cycles": step.cycles,
            }
            for operator, step in zip(build.report["operators"], run.steps, strict=True)
        ],
        "outputs": [
            {
                "name": name,
                "bytes": len(data),
                "crc32": f"{zlib.crc32(data):08x}",
                "data": data.hex(),
            }
            for name, data in zip(build.output_names, run.outputs, strict=True)
        ],
    }


def check_document(build: BuildDirectory, verdict: Verdict) -> dict[str, object]:
    """What `mcucomp check --json` prints: the first run's document, and the verdict."""
    mismatch = verdict.first_mismatch
    return {
        **run_document(build, verdict.runs[0]),
        "check": {
            "ok": verdict.ok,
            "inputs": verdict.inputs,
            "mismatching_bytes": verdict.mismatching_bytes,
            "peaks_as_predicted": verdict.peak_ok,
            "guards_ok": verdict.guards_ok,
            "first_mismatch": None if mismatch is None else dataclasses.asdict(mismatch),
        },
    }

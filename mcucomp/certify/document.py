"""What does `plan.json` hold?

In: a plan, the step graph that it plans, the model that the graph is from. Out:
a document that `checker.check` can verify against the model alone. Sizes in
bytes; steps and buffers by their index. The digest covers everything but
`timing`, so that a damaged file is noticed even where the damage does no harm.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import mcucomp
from mcucomp.certify.digest import digest_of
from mcucomp.memory.types import StepGraph

if TYPE_CHECKING:
    from mcucomp.order.bounds import Bound, ForcedEdge, StepFloor
    from mcucomp.order.cuts import Chain
    from mcucomp.planner import Plan

SCHEMA = 1


def certificate(
    plan: Plan,
    model_sha256: str,
    step_graph: StepGraph,
    *,
    source: str = "",
    extra: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The document of `plan`.

    `source` names the model's file, without its folder; `extra` are further
    members that the digest is to cover.
    """
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "mcucomp": mcucomp.__version__,
        "model": {"file": source, "sha256": model_sha256},
        **memory_members(plan),
        "alignment": plan.alignment,
        "steps": [
            {
                "name": step.name,
                "kind": step.kind,
                "scratch_bytes": step.scratch_bytes,
                "scratch_offset": offset,
                "form": form,
            }
            for step, offset, form in zip(
                step_graph.steps, plan.scratch_offsets, plan.forms, strict=True
            )
        ],
        "buffers": _buffers(plan, step_graph),
        "precedence": [list(pair) for pair in step_graph.precedence],
        "overlaps": [dataclasses.asdict(overlap) for overlap in step_graph.overlaps],
        "certificates": [] if plan.floor is None else [_floor_members(plan.floor)],
        **(extra or {}),
    }
    document["digest"] = digest_of(document)
    document["timing"] = dict(plan.timing)
    return document


def memory_members(plan: Plan) -> dict[str, Any]:
    """What every document about a plan says of its memory."""
    return {
        "memory": {
            "peak_bytes": plan.peak_bytes,
            "arena_bytes": plan.arena_bytes,
            "floor_bytes": plan.floor_bytes,
            "floor_kind": plan.floor_kind,
            "verdict": plan.verdict,
        },
        "arena_peak_bytes": plan.high_water_bytes,
        "high_water_bytes": plan.high_water_bytes,
        "rules": plan.rules,
        "order": list(plan.order),
    }


def _buffers(plan: Plan, step_graph: StepGraph) -> list[dict[str, Any]]:
    position = {step: k for k, step in enumerate(plan.order)}
    rows = []
    for buffer, offset in zip(step_graph.buffers, plan.offsets, strict=True):
        touched = [position[s] for s in (*buffer.writers, *buffer.readers)]
        written = [position[s] for s in buffer.writers]
        start = 0 if buffer.from_start or not written else min(written)
        end = len(plan.order) if buffer.held else max(touched, default=0) + 1
        rows.append(
            {
                "name": buffer.name,
                "size_bytes": buffer.size_bytes,
                "offset": offset,
                "live": [start, max(end, start + 1)],
                "writers": list(buffer.writers),
                "readers": list(buffer.readers),
                "held": buffer.held,
                "from_start": buffer.from_start,
                "in_parts": buffer.in_parts,
            }
        )
    return rows


def _floor_members(bound: Bound) -> dict[str, Any]:
    members: dict[str, Any] = {"claim": "floor", "kind": bound.kind, "bytes": bound.bytes}
    if bound.edges:
        members["edges"] = [_edge_members(edge) for edge in bound.edges]
    if bound.chain:
        members["chain"] = list(bound.chain)
    if bound.trap is not None:
        members["trap"] = {
            "direction": "reverse" if bound.trap.reverse else "forward",
            "members": _listed(bound.trap.members),
            "floors": [_step_members(floor) for floor in bound.trap.floors],
        }
    return members


def _edge_members(edge: ForcedEdge) -> dict[str, Any]:
    return {"before": edge.before, "after": edge.after, **_step_members(edge.floor)}


def _step_members(floor: StepFloor) -> dict[str, Any]:
    """What is left out: chains where the step always writes over something, no overlaps."""
    members: dict[str, Any] = {"step": floor.step, "bytes": floor.bytes}
    if floor.chains is not None:
        members["chains"] = _chain_members(floor.chains)
    if floor.saved:
        members["overlaps"] = [
            {
                "buffers": list(case.reads),
                "bytes": case.bytes,
                "chains": _chain_members(case.chains),
            }
            for case in floor.saved
        ]
    return members


def _chain_members(chains: tuple[Chain, ...]) -> list[list[int]]:
    """Chains as [bytes, buffer, buffer, ...]."""
    return [[size_bytes, *buffers] for size_bytes, buffers in chains]


def _listed(steps: int) -> list[int]:
    return [v for v in range(steps.bit_length()) if steps >> v & 1]

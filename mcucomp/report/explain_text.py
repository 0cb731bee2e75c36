"""What the weights prove, told to a person: layer by layer, then what it is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mcucomp.errors import printable, short_name
from mcucomp.report.terminal import stdout, table

if TYPE_CHECKING:
    from mcucomp.explaining import Explanation, Step


def explain_text(found: Explanation, *, shows_channels: bool = False) -> None:
    """Print the layers of which something was found, and the sums."""
    line, source = stdout().print, printable(found.model.source)
    changed = [step for step in found.steps if step.is_changed]
    if not changed:
        line(f"{source}: no channel is constant and nothing is needless, for all that was proven")
    else:
        line(f"{source}: what no input can change, by exact interval arithmetic")
        several = len(found.model.graphs) > 1
        for step in changed:
            name = f"{step.operator.index} {printable(step.operator.kind)}"
            line(f"{f'graph {step.graph} ' if several else ''}operator {name}: {words(step)}")
            if shows_channels:
                for sentence in reasons(found, step):
                    line(f"    {sentence}")
    _print_worth(found)


def words(step: Step) -> str:
    """What was found about an operator's output, and what is done about it."""
    said = []
    if step.constant:
        said.append(f"{step.constant} of {step.channels} channels never change")
    if step.left is None:
        said.append("the operator is dropped")
    elif step.left != step.channels:
        gone = step.channels - step.left
        said.append(f"{gone} {'is' if gone == 1 else 'are'} dropped, {step.left} left")
        spared = step.before.macs - step.after.macs
        if spared:
            share = 100 * spared / step.before.macs
            said.append(f"{spared:,} MACs ({share:.0f} %) spared")
    elif step.constant:
        said.append("all are kept, since others need them or blocks are whole")
    if step.loses_clamp:
        said.append("its activation never clamps and is dropped")
    return "; ".join(said)


def reasons(found: Explanation, step: Step) -> list[str]:
    """A sentence for each channel of the operator's output that never changes."""
    values, result = found.values[step.graph], step.operator.outputs[0]
    if result not in values.tensors:
        return []
    low, _ = values.channels(result)
    known = values.tensors[result]
    name = short_name(values.graph.tensors[result].name)
    sentences = []
    for channel in np.flatnonzero(values.constant_channels(result)).tolist():
        why = known.why
        if known.sums is not None:
            first, last = known.sums.low.ravel()[channel], known.sums.high.ravel()[channel]
            why = f"its sum is within [{first:,}, {last:,}]; {why}"
        sentences.append(f"{name} channel {channel} is {low[channel]}: {why}")
    return sentences


def _print_worth(found: Explanation) -> None:
    rows = table("", "before", "after", "saved", right=("before", "after", "saved"))
    for what, before, after in (
        ("MACs", found.before.macs, found.after.macs),
        ("weights", found.before.weights_bytes, found.after.weights_bytes),
        ("arena", *found.arena_bytes),
    ):
        saved = f"{100 * (before - after) / before:.1f} %" if before else ""
        rows.add_row(what, f"{before:,}", f"{after:,}", saved)
    stdout().print(rows)

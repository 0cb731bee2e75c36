"""The arena over time, as a picture: address against step, and the curve of live bytes.

In: a plan and its step graph. Out: SVG text that stands by itself. Every buffer
is a rectangle from its first to its last step and from its first to its last
byte; the curve below shows what is live at each step, the floor that no order
can go below, and the waists at which the graph falls apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from mcucomp.errors import short_name
from mcucomp.fit import peak_position
from mcucomp.memory import Lifetime, StepGraph, lifetimes, live_bytes
from mcucomp.planner import Plan

_LEFT, _RIGHT, _TOP, _BETWEEN, _BOTTOM = 86.0, 20.0, 28.0, 46.0, 40.0
_WIDTH, _ARENA_HEIGHT, _CURVE_HEIGHT = 1000.0, 380.0, 130.0
_LEAST_LABEL_HEIGHT, _CHARACTER_WIDTH = 11.0, 6.1
_LEAST_LABEL_CHARACTERS = 5
_LEAST_EDGED_HEIGHT = 4.0
_TICKS = 5

STYLE = """
.sheet{fill:#fff}.axis{stroke:#8a8f98;stroke-width:1}.grid{stroke:#e6e8eb;stroke-width:1}
text{font:11px system-ui,sans-serif;fill:#3c4149}.label{fill:#14171a;pointer-events:none}
.block{stroke:#fff;stroke-width:.7}.block:hover{stroke:#111;stroke-width:1.6}
.thin{stroke:none}.scratch{fill:#b8bcc4}.live{fill:#9fb7d9;fill-opacity:.55;stroke:#3f6296;stroke-width:1.3}
.floor{stroke:#b3261e;stroke-width:1.5;stroke-dasharray:6 4}.floor-text{fill:#b3261e}
.arena{stroke:#3c4149;stroke-width:1.2;stroke-dasharray:2 3}
.waist{stroke:#2e7d4f;stroke-width:1;stroke-opacity:.55}.peak{fill:#b3261e;fill-opacity:.09}
"""


@dataclass(frozen=True, slots=True)
class _Block:
    """A rectangle of the picture."""

    name: str
    size_bytes: int
    offset: int
    life: Lifetime
    colour: str | None


@dataclass(frozen=True, slots=True)
class _Scale:
    """From positions and bytes to places on the sheet."""

    positions: int
    most_bytes: int

    def x(self, position: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * position / max(1, self.positions)

    def address(self, offset: float) -> float:
        return _TOP + _ARENA_HEIGHT * (1 - offset / self.most_bytes)

    def curve(self, size_bytes: float) -> float:
        top = _TOP + _ARENA_HEIGHT + _BETWEEN
        return top + _CURVE_HEIGHT * (1 - size_bytes / self.most_bytes)


def plan_svg(plan: Plan, step_graph: StepGraph) -> str:
    """The picture of `plan`."""
    scale = _Scale(max(1, len(plan.order)), max(1, plan.arena_bytes))
    height = _TOP + _ARENA_HEIGHT + _BETWEEN + _CURVE_HEIGHT + _BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH:g} {height:g}" role="img"'
        ' aria-label="the arena over time">',
        f"<style>{STYLE}</style>",
        f'<rect class="sheet" width="{_WIDTH:g}" height="{height:g}"/>',
        *_axes(scale),
        *_peak(plan, step_graph, scale),
        *(_rectangle(block, plan, scale) for block in _blocks(plan, step_graph)),
        *_curve(plan, step_graph, scale),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _blocks(plan: Plan, step_graph: StepGraph) -> list[_Block]:
    lives = lifetimes(step_graph, plan.order)
    blocks = [
        _Block(short_name(buffer.name), buffer.size_bytes, offset, life, colour_of(k))
        for k, (buffer, offset, life) in enumerate(
            zip(step_graph.buffers, plan.offsets, lives, strict=True)
        )
        if buffer.size_bytes
    ]
    for position, step in enumerate(plan.order):
        offset = plan.scratch_offsets[step]
        if offset is not None:
            named = step_graph.steps[step]
            life = Lifetime(position, position + 1)
            name = f"scratch of {named.kind} {short_name(named.name)}"
            blocks.append(_Block(name, named.scratch_bytes, offset, life, None))
    return blocks


def colour_of(index: int) -> str:
    """Neighbours in the list get hues far apart: the golden angle."""
    return f"hsl({index * 137.508 % 360:.0f} 46% {70 + index % 3 * 5}%)"


def _rectangle(block: _Block, plan: Plan, scale: _Scale) -> str:
    end = min(block.life.end, max(1, len(plan.order)))
    left, right = scale.x(block.life.start), scale.x(end)
    top, bottom = scale.address(block.offset + block.size_bytes), scale.address(block.offset)
    told = (
        f"{block.name}\n{block.size_bytes:,} B at"
        f" [{block.offset:,}, {block.offset + block.size_bytes:,})\n"
        f"steps {block.life.start} to {end - 1}"
    )
    fill = f' style="fill:{block.colour}"' if block.colour else ""
    kind = "block" if block.colour else "block scratch"
    if bottom - top < _LEAST_EDGED_HEIGHT or right - left < _LEAST_EDGED_HEIGHT:
        kind += " thin"
    text = (
        f'<rect class="{kind}"{fill} x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}"'
        f' height="{max(0.8, bottom - top):.1f}" data-told={quoteattr(told)}>'
        f"<title>{escape(told)}</title></rect>"
    )
    label = _label(block, int((right - left - 6) / _CHARACTER_WIDTH))
    if label and bottom - top >= _LEAST_LABEL_HEIGHT:
        middle = (top + bottom) / 2 + 4
        text += f'<text class="label" x="{left + 3:.1f}" y="{middle:.1f}">{escape(label)}</text>'
    return text


def _label(block: _Block, room: int) -> str:
    """What of a block's name and bytes `room` characters can hold; names differ at their end."""
    name = block.name
    for text in (f"{name} {block.size_bytes:,} B", name):
        if len(text) <= room:
            return text
    return "…" + name[1 - room :] if room >= _LEAST_LABEL_CHARACTERS else ""


def _axes(scale: _Scale) -> list[str]:
    """Bytes on the left of both parts, step numbers below each."""
    right = _WIDTH - _RIGHT
    parts = []
    for place, title in ((scale.address, "address"), (scale.curve, "live bytes")):
        for k in range(_TICKS):
            size_bytes = scale.most_bytes * k // (_TICKS - 1)
            y = place(size_bytes)
            parts.append(
                f'<line class="grid" x1="{_LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>'
            )
            parts.append(
                f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{size_bytes:,}</text>'
            )
        parts.append(f'<text x="6" y="{place(scale.most_bytes) - 12:.1f}">{title}, B</text>')
        stride = max(1, -(-scale.positions // 20))
        for position in range(0, scale.positions, stride):
            x = scale.x(position + 0.5)
            parts.append(
                f'<text x="{x:.1f}" y="{place(0) + 15:.1f}" text-anchor="middle">{position}</text>'
            )
    y = scale.curve(0) + 32
    parts.append(f'<text x="{right}" y="{y:.1f}" text-anchor="end">step</text>')
    return parts


def _peak(plan: Plan, step_graph: StepGraph, scale: _Scale) -> list[str]:
    """A band over the step that needs the most."""
    if not plan.order:
        return []
    position = peak_position(step_graph, plan)
    left, right = scale.x(position), scale.x(position + 1)
    return [
        f'<rect class="peak" x="{left:.1f}" width="{max(2.0, right - left):.1f}" y="{_TOP}"'
        f' height="{scale.curve(0) - _TOP:.1f}"/>'
    ]


def _curve(plan: Plan, step_graph: StepGraph, scale: _Scale) -> list[str]:
    """The live bytes as steps, the floor, and the waists."""
    bottom = scale.curve(0)
    points = [f"{scale.x(0):.1f},{bottom:.1f}"]
    for position, size_bytes in enumerate(live_bytes(step_graph, plan.order)):
        y = scale.curve(size_bytes)
        points += [f"{scale.x(position):.1f},{y:.1f}", f"{scale.x(position + 1):.1f},{y:.1f}"]
    points.append(f"{scale.x(len(plan.order)):.1f},{bottom:.1f}")
    parts = [f'<polygon class="live" points="{" ".join(points)}"/>']
    for ran, waist_bytes in plan.waists:
        x, y = scale.x(ran), scale.curve(waist_bytes)
        parts.append(
            f'<line class="waist" x1="{x:.1f}" x2="{x:.1f}" y1="{bottom:.1f}" y2="{y:.1f}">'
            f"<title>waist before step {ran}: {waist_bytes:,} B live</title></line>"
        )
    if plan.floor_bytes:
        y = scale.curve(plan.floor_bytes)
        parts.append(
            f'<line class="floor" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text class="floor-text" x="{_WIDTH - _RIGHT - 4}" y="{y - 5:.1f}"'
            f' text-anchor="end">floor {plan.floor_bytes:,} B ({plan.floor_kind})</text>'
        )
    return parts

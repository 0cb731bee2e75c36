"""The picture and the page of a plan: whole, escaped, and what they show is the plan."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from mcucomp.errors import short_name
from mcucomp.memory import Buffer, Step, StepGraph
from mcucomp.planner import Plan, plan
from mcucomp.report.plan_svg import plan_svg
from mcucomp.report.plan_text import order_text
from mcucomp.report.witness_text import witness_text

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = 'x"><script>alert(1)</script>\x1b[31m'

GRAPH = StepGraph(
    (Step(HOSTILE, "CONV_2D", 5), Step("y", "ADD")),
    (
        Buffer("x", 16, (), (0, 1)),
        Buffer(HOSTILE, 32, (0,), (1,)),
        Buffer("y", 16, (1,), (), held=True),
        Buffer("empty", 0, (1,), ()),
    ),
    alignment=4,
)


def made() -> Plan:
    return plan(GRAPH)


def test_every_buffer_with_bytes_and_every_scratch_is_a_rectangle() -> None:
    root = ElementTree.fromstring(plan_svg(made(), GRAPH))
    told = [r.get("data-told") for r in root.iter(f"{SVG}rect") if r.get("data-told")]
    assert len(told) == 4
    assert sum("scratch" in (text or "") for text in told) == 1
    assert any("16 B at" in (text or "") for text in told)


def test_names_are_data() -> None:
    picture = plan_svg(made(), GRAPH)
    assert "<script" not in picture
    assert "\x1b" not in picture
    assert "<script" in "".join(ElementTree.fromstring(picture).itertext())


def test_a_graph_without_steps_has_a_picture() -> None:
    graph = StepGraph((), (Buffer("x", 8, (), (), held=True),), (), 4)
    picture = ElementTree.fromstring(plan_svg(plan(graph), graph))
    assert picture.tag.endswith("svg")
    assert "x" in "".join(picture.itertext())


def test_the_witness_is_told_with_its_bytes() -> None:
    sentences = witness_text(made(), GRAPH)
    assert sentences == [
        "Whenever ADD y runs, at least 64 B are live.",
        f"It uses 32 B {short_name(HOSTILE)}, 16 B x, 16 B y.",
    ]


def test_orders_are_drawn_together_in_runs() -> None:
    assert order_text((0, 1, 2)) == "as in the file"
    assert order_text((0, 1, 4, 2, 3)) == "0-1, 4, 2-3"

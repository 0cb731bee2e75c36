"""`mcucomp plan`: the order, the offsets, and the proof; no compiler needed."""

from __future__ import annotations

import json
from pathlib import Path

import click

from mcucomp import boards, ir, tflite
from mcucomp.cli.options import alignment_option, custom_option, json_option, rules_option
from mcucomp.errors import DoesNotFit, InvalidInput
from mcucomp.fit import arena_limit_bytes
from mcucomp.output_folder import write_whole
from mcucomp.planner import PLANNERS, PlanOptions
from mcucomp.planning import IO, ModelPlan, plan_document, plan_graphs
from mcucomp.report.plan_html import plan_html
from mcucomp.report.plan_svg import plan_svg
from mcucomp.report.plan_text import budget_details, plan_text
from mcucomp.report.terminal import print_json, story
from mcucomp.rules import Rules
from mcucomp.trade import Trade, trades


@click.command("plan")
@click.argument("model", type=click.Path(path_type=Path))
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the plan with its certificate, for 'mcucomp check-plan'.",
)
@click.option(
    "--html", type=click.Path(path_type=Path), metavar="FILE", help="Write a page that shows it."
)
@click.option(
    "--svg", type=click.Path(path_type=Path), metavar="FILE", help="Write the arena over time."
)
@click.option("--budget", type=click.IntRange(min=0), metavar="BYTES", help="Does it fit?")
@click.option("--board", "-b", metavar="BOARD", help="Does it fit this board?")
@click.option(
    "--planner",
    type=click.Choice(list(PLANNERS)),
    default="auto",
    show_default=True,
    help="Which means may be used; auto takes the cheapest that settles it.",
)
@alignment_option
@rules_option("all")
@click.option(
    "--io",
    type=click.Choice(list(IO)),
    default="shared",
    show_default=True,
    help="held: inputs and outputs keep their place during the whole inference.",
)
@click.option(
    "--time-limit",
    "time_limit_s",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    help="Stop improving then; the best plan is printed with its proven gap.",
)
@custom_option
@json_option
def command(
    model: Path,
    output: Path | None,
    html: Path | None,
    svg: Path | None,
    budget: int | None,
    board: str | None,
    planner: str,
    alignment: int,
    rules: Rules,
    io: str,
    time_limit_s: float | None,
    as_json: bool,
) -> None:
    """Find the operator order and the offsets of MODEL with the smallest arena.

    Prints order, peak, arena, a floor for every order, and whether the arena is
    proven to be the smallest. With --budget or --board the exit status says
    whether it fits.
    """
    read = tflite.load(model)
    ir.verify(read)
    with story() as tell:
        tell("plan")
        options = PlanOptions(planner=planner, time_limit_s=time_limit_s)
        planned = plan_graphs(read, alignment, io=io, options=options, rules=rules)
    _require_budget(planned, budget, board)
    document = plan_document(planned)
    if output is not None:
        _write(output, json.dumps(document, indent=1) + "\n")
    if html is not None:
        _write(html, plan_html(planned, _trades(read, alignment, rules)))
    if svg is not None:
        _write(svg, plan_svg(planned.main.plan, planned.main.memory.step_graph))
    if as_json:
        print_json(document)
    else:
        plan_text(planned)


def _trades(model: ir.Model, alignment: int, rules: Rules) -> tuple[Trade, ...]:
    """Where a plan may be in rows, what that takes beside what it gives."""
    return trades(model, alignment) if rules.rows else ()


def _require_budget(planned: ModelPlan, budget: int | None, board: str | None) -> None:
    """Raise DoesNotFit unless every graph's arena is within every limit."""
    limits = [] if budget is None else [(f"the budget is {budget:,} B", budget)]
    if board is not None:
        found = boards.find(board)
        limit_bytes = arena_limit_bytes(found)
        if limit_bytes is not None:
            limits.append((f"{found.name} has {limit_bytes:,} B", limit_bytes))
    for words, limit_bytes in limits:
        for graph in planned.graphs:
            if graph.plan.arena_bytes > limit_bytes:
                raise DoesNotFit(
                    f"needs {graph.plan.arena_bytes:,} B of arena; {words}",
                    at=planned.model.source,
                    details=budget_details(graph.plan, graph.memory.step_graph, limit_bytes),
                )


def _write(path: Path, text: str) -> None:
    """Write a whole file or none."""
    try:
        write_whole(path, text.encode("utf-8"))
    except OSError as error:
        raise InvalidInput(f"cannot be written: {error.strerror}", at=str(path)) from error

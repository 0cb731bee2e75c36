"""What running in rows saves, for every model that has rows, and what limits each.

    python benchmarks/rows.py [--docs] [--json FILE] [--rows FILE]... [MODEL.tflite ...]

Without models: all of MCUCOMP_MODELS (default: the folder ../shared/models beside the
checkout). Bytes at alignment 4, portable kernels, scratch included. *whole*: an
order of whole operators; *overlap*: with every rule but +rows; *rows*: with +rows;
*streamed*: the same with --io stream-input. A floor is of the live peak, and holds for
every order of the row steps; an arena that meets it is the smallest there is.
--docs puts the table into docs/rows.md. With --rows nothing is planned: the rows are those that
--json wrote, of one file or several; of two for one model the later one counts. *seconds* are
those of all four plans.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from measurements import DOCS, Place, kept_rows, models_folder, rows_option

from mcucomp import ir, tflite
from mcucomp.errors import McucompError
from mcucomp.fit import peak_position
from mcucomp.memory import lifetimes
from mcucomp.planning import GraphPlan, ModelPlan, plan_graphs
from mcucomp.rules import ALL, Rules, parse

PLACE = Place(
    DOCS / "rows.md", "<!-- table: benchmarks/rows.py --docs -->", "<!-- end of table -->"
)
ALIGNMENT_BYTES = 4
IN_ROWS = parse("all,rows")
COLUMNS = ("model", "whole", "overlap", "rows", "floor", "in rows", "streamed", "floor", "in rows")


def limit(graph: GraphPlan) -> str:
    """What is live at the peak: the operator, and bytes of inputs, rows, whole tensors, scratch."""
    plan, steps = graph.plan, graph.memory.step_graph
    if not plan.order or graph.rows is None:
        return "whole operators"
    position = peak_position(steps, plan)
    step = plan.order[position]
    sums = {"input": 0, "rows": 0, "tensors": 0, "states": 0}
    states = set(graph.rows.model.state_buffers.values())
    tensors: set[str] = set()
    for k, (buffer, life) in enumerate(
        zip(steps.buffers, lifetimes(steps, plan.order), strict=True)
    ):
        if life.start <= position < life.end:
            in_rows = buffer.piece is not None or " row " in buffer.name
            kind = "input" if not buffer.writers else "rows" if in_rows else "tensors"
            sums["states" if k in states else kind] += buffer.size_bytes
            if kind == "rows":
                tensors.add(buffer.name.split(" row ")[0])
    sums["scratch"] = steps.steps[step].scratch_bytes
    told = [f"{kind} {size:,}" for kind, size in sums.items() if size]
    operator = graph.rows.model.steps[step][0]
    where = f"operator {operator} {steps.steps[step].kind}"
    return f"{where}: {', '.join(told)} ({len(tensors)} tensors in rows)"


def planned(model: ir.Model, rules: Rules, io: str = "shared") -> ModelPlan | None:
    """A plan; None where no input is read in rows."""
    try:
        return plan_graphs(model, ALIGNMENT_BYTES, rules=rules, io=io)
    except McucompError:
        return None


def measured(path: Path) -> dict[str, Any] | None:
    """A row of the table; None where nothing runs in rows."""
    model = tflite.load(path)
    ir.verify(model)
    started_s = time.monotonic()
    row: dict[str, Any] = {"model": path.stem}
    found = {"rows": planned(model, IN_ROWS), "streamed": planned(model, IN_ROWS, "stream-input")}
    if all(plan is None or plan.main.rows is None for plan in found.values()):
        return None
    row["whole"] = _members(planned(model, Rules()))
    row["overlap"] = _members(planned(model, ALL))
    row |= {name: _members(plan) for name, plan in found.items()}
    row["seconds"] = round(time.monotonic() - started_s, 1)
    return row


def _members(plan: ModelPlan | None) -> dict[str, Any] | None:
    if plan is None:
        return None
    main = plan.main
    rows = 0 if main.rows is None else len(main.rows.model.forms)
    return {
        "arena_bytes": main.plan.arena_bytes,
        "peak_bytes": main.plan.peak_bytes,
        "floor_bytes": main.plan.floor_bytes,
        "floor_kind": main.plan.floor_kind,
        "operators_in_rows": rows,
        "limit": limit(main),
    }


def table(rows: Sequence[dict[str, Any]]) -> str:
    """In Markdown: the arenas, then what limits each."""
    lines = [
        "| " + " | ".join(COLUMNS) + " |",
        "|---|" + "---:|" * (len(COLUMNS) - 1),
    ]
    for row in rows:
        cells = [row["model"]]
        cells += [f"{row[name]['arena_bytes']:,}" for name in ("whole", "overlap")]
        for name in ("rows", "streamed"):
            plan = row[name]
            if plan is None:
                cells += ["", "", ""]
                continue
            exact = plan["floor_bytes"] == plan["peak_bytes"]
            floor = f"{plan['floor_bytes']:,}" + ("" if exact else f" of {plan['peak_bytes']:,}")
            cells += [f"{plan['arena_bytes']:,}", floor, f"{plan['operators_in_rows']}"]
        lines.append("| " + " | ".join(cells) + " |")
    lines += ["", "| model | limited by | streamed, by |", "|---|---|---|"]
    for row in rows:
        told = ["" if row[name] is None else row[name]["limit"] for name in ("rows", "streamed")]
        lines.append(f"| {row['model']} | {told[0]} | {told[1]} |")
    return "\n".join(lines)


@click.command()
@click.option("--docs", is_flag=True, help="Put the table into docs/rows.md.")
@click.option("--json", "json_path", type=click.Path(path_type=Path))
@rows_option
@click.argument("models", nargs=-1, type=click.Path(path_type=Path))
def main(
    docs: bool, json_path: Path | None, row_files: tuple[Path, ...], models: tuple[Path, ...]
) -> None:
    """Print the table of all models that have rows."""
    rows = list({row["model"]: row for row in kept_rows(row_files)}.values())
    for path in () if row_files else models or sorted(models_folder().glob("*.tflite")):
        row = None
        try:
            row = measured(path)
        except McucompError as error:
            click.echo(f"{path.stem}: {error}", err=True)
        if row is not None:
            rows.append(row)
            click.echo(json.dumps(row), err=True)
    text = table(rows)
    click.echo(text)
    if json_path is not None:
        json_path.write_text(json.dumps({"schema": 1, "rows": rows}, indent=1) + "\n")
    if docs:
        PLACE.put(text)


if __name__ == "__main__":
    main()

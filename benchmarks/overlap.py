"""What each rule saves: floor and arena of models under growing sets of rules, beside TFLM's.

    python benchmarks/overlap.py [--docs] [--json FILE] [MODEL.tflite ...]

Without models: all in MCUCOMP_MODELS (default: the folder ../shared/models beside the
checkout) that can be planned, the ten of peer.toml first. Bytes at alignment 4, portable
kernels. TFLM's head is what its own planner needs for activations and scratch, as the
installed tflite-micro reports it; its total on a Cortex-M4 with CMSIS-NN is that of
peer.toml. --docs puts the table into docs/overlap.md.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import click
from measurements import DOCS, Place, models_folder

from mcucomp import pipeline
from mcucomp.errors import McucompError
from mcucomp.rules import Rules

HERE = Path(__file__).resolve().parent
PEER: dict[str, dict[str, Any]] = tomllib.loads((HERE / "peer.toml").read_text("utf-8"))
PLACE = Place(
    DOCS / "overlap.md", "<!-- table: benchmarks/overlap.py --docs -->", "<!-- end of table -->"
)

RULES = (
    Rules(),
    Rules(views=True),
    Rules(views=True, rewrites=True),
    Rules(views=True, rewrites=True, overlap=True),
    Rules(views=True, rewrites=True, overlap=True, edges=True),
)
HEADINGS = ("model", "rules", "floor", "arena", "verdict", "saved", "TFLM head", "TFLM total")

# Prints the arena that TFLM's interpreter asks for; it writes to the C library's stderr.
_TFLM = """
import sys
from tflite_micro import runtime
interpreter = runtime.Interpreter.from_file(sys.argv[1], arena_size=32 << 20)
interpreter.print_allocations()
"""


def models_at_hand() -> list[Path]:
    """The models in the folder, those first that TFLM was measured with."""
    listed = list(PEER)
    found = sorted(models_folder().glob("*.tflite"))
    return sorted(found, key=lambda p: listed.index(p.stem) if p.stem in PEER else len(listed))


def tflm_head_bytes(model: Path) -> int | None:
    """TFLM's head for `model`; None where it does not run it, or is not installed."""
    command = [sys.executable, "-c", _TFLM, str(model)]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    found = re.search(r"Arena allocation head (\d+) bytes", said)
    return int(found[1]) if found else None


def measure(model: Path) -> list[dict[str, Any]]:
    """A row for each set of rules; one that changes nothing is left out."""
    data, head_bytes = model.read_bytes(), tflm_head_bytes(model)
    rows: list[dict[str, Any]] = []
    for rules in RULES:
        plan = pipeline.plan_model(data, model.name, rules=rules).plan
        if rows and rows[-1]["arena_bytes"] == plan.arena_bytes:
            continue
        rows.append(
            {
                "model": model.stem,
                "rules": rules.name,
                "floor_bytes": plan.floor_bytes,
                "arena_bytes": plan.arena_bytes,
                "verdict": plan.verdict,
                "tflm_head_bytes": head_bytes,
                "tflm_total_bytes": PEER.get(model.stem, {}).get("cmsis_nn_arena_bytes"),
            }
        )
    for row in rows:
        row["saved_percent"] = 100 * (1 - row["arena_bytes"] / rows[0]["arena_bytes"])
    return rows


def table(rows: list[dict[str, Any]]) -> str:
    """The rows in Markdown; what does not change from row to row stands once."""
    lines = ["| " + " | ".join(HEADINGS) + " |", "|---|---|" + "---:|" * 2 + "---|" + "---:|" * 3]
    previous = None
    for row in rows:
        first = row["model"] != previous
        previous = row["model"]
        named = row["rules"] if first else "+" + row["rules"].rpartition("+")[2]
        lines.append(
            "| "
            + " | ".join(
                [
                    row["model"] if first else "",
                    named,
                    f"{row['floor_bytes']:,}",
                    f"{row['arena_bytes']:,}",
                    row["verdict"],
                    "" if first else f"{row['saved_percent']:.0f} %",
                    *(
                        f"{row[key]:,}" if first and row[key] is not None else ""
                        for key in ("tflm_head_bytes", "tflm_total_bytes")
                    ),
                ]
            )
            + " |"
        )
    return "\n".join(lines)


@click.command()
@click.argument("models", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--docs", is_flag=True, help="Put the table into docs/overlap.md.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Keep the rows here.")
def main(models: tuple[Path, ...], docs: bool, json_file: Path | None) -> None:
    """Plan models under growing sets of rules."""
    chosen = models or models_at_hand()
    if not chosen:
        raise click.ClickException("no models: name some, or set MCUCOMP_MODELS to their folder")
    rows = []
    for model in chosen:
        try:
            rows += measure(model)
        except McucompError as error:
            click.echo(str(error).splitlines()[0], err=True)
    click.echo(table(rows))
    if json_file is not None:
        json_file.write_text(json.dumps({"schema": 1, "rows": rows}, indent=2) + "\n")
    if docs:
        PLACE.put(table(rows))


if __name__ == "__main__":
    main()

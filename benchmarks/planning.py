"""How often is the best order proven, by what, and how long does it take?

    python benchmarks/planning.py [--graphs N] [--seed S] [--growth] [--check] [--family NAME]

Draws graphs of five families and several sizes from consecutive seeds, plans
each, and prints a table: the share of graphs whose order is proven optimal by
traps alone (step bound, forward and reverse traps), by traps and forced
precedence, and with exhaustion; and seconds of one core. `--growth` measures chains with skips
of 50 to 400 steps and a chain of 3,000 steps with narrow waists. `--check` gives
every order's certificate to the independent checker. `--small` compares every
graph of up to nine steps with all of its orders.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1])]

from step_graphs import FAMILIES, narrow_chain  # noqa: E402

from mcucomp.certify import certificate, check  # noqa: E402
from mcucomp.memory import StepGraph  # noqa: E402
from mcucomp.planner import plan  # noqa: E402
from tests.oracle import brute_force  # noqa: E402

SIZES = (12, 16, 20, 24, 30, 36, 48, 60)
GROWTH = (50, 100, 200, 300, 400)
TRAPS = ("inputs", "step", "forward-trap", "reverse-trap")


def cases(family: str, graphs: int, seed: int) -> Iterator[StepGraph]:
    """`graphs` graphs of a family, sizes in turn, from consecutive seeds."""
    for k in range(graphs):
        yield FAMILIES[family](SIZES[k % len(SIZES)], random.Random(seed + k))


def measure(name: str, graphs: Iterator[StepGraph], checked: bool) -> Counter[str]:
    """Plan every graph; print one row; return how often each kind of proof settled it."""
    kinds: Counter[str] = Counter()
    times = []
    for graph in graphs:
        started_s = time.process_time()
        made = plan(graph)
        times.append(time.process_time() - started_s)
        order_proven = made.floor_bytes == made.peak_bytes and made.floor_kind != "ilp"
        kinds[str(made.floor_kind) if order_proven else "open"] += 1
        kinds["packed"] += made.arena_bytes == made.peak_bytes
        if checked:
            check(certificate(made, "0" * 64, graph), graph, "0" * 64)
    count = len(times)
    traps = sum(kinds[kind] for kind in TRAPS)
    forced = traps + kinds["forced-precedence"]
    print(
        f"{name:<20}{count:>7}{share(kinds['step'] + kinds['inputs'], count)}"
        f"{share(traps, count)}{share(forced, count)}"
        f"{share(forced + kinds['exhaustion'], count)}{share(kinds['packed'], count)}"
        f"{statistics.mean(times):>9.3f}{sorted(times)[int(0.95 * (count - 1))]:>9.3f}"
        f"{max(times):>9.2f}",
        flush=True,
    )
    kinds["graphs"] = count
    return kinds


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:>9.1f}%"


def header() -> None:
    print(
        f"{'family':<20}{'graphs':>7}{'step':>10}{'traps':>10}{'+ forced':>10}{'+ search':>10}"
        f"{'packed':>10}{'mean s':>9}{'95 % s':>9}{'max s':>9}"
    )


def small(graphs: int, seed: int) -> None:
    """Every graph of up to nine steps against all of its orders."""
    for family, draw_graph in FAMILIES.items():
        for k in range(graphs):
            graph = draw_graph(4 + k % 6, random.Random(seed + k))
            made, least = plan(graph), brute_force.least_peak(graph)
            assert made.peak_bytes == least == made.floor_bytes, (family, seed + k)
        print(f"{family:<20}{graphs:>7} graphs of 4 to 9 steps agree with all of their orders")


def growth(seed: int) -> None:
    """Time against size, and the long chain."""
    for count in GROWTH:
        graphs = (FAMILIES["chains with skips"](count, random.Random(seed + k)) for k in range(5))
        measure(f"skips, {count} steps", graphs, False)
    measure("narrow, 3,000 steps", iter([narrow_chain(3000, random.Random(seed))]), False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", type=int, default=1000, help="of all families together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--growth", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--small", type=int, default=0, metavar="N", help="small graphs a family")
    parser.add_argument("--family", choices=list(FAMILIES), help="this one alone")
    options = parser.parse_args()
    if options.small:
        small(options.small, options.seed)
    header()
    for family in [options.family] if options.family else FAMILIES:
        each = options.graphs // len(FAMILIES)
        measure(family, cases(family, each, options.seed), options.check)
    if options.growth:
        growth(options.seed)


if __name__ == "__main__":
    main()

"""Do the known hard instances of offset placement fit their capacity, and how long does it take?

    python benchmarks/placing.py FOLDER [--nodes N] [--tries N] [--only LETTERS]

FOLDER holds CSV files with the columns id, lower, upper (half open), size; the
number in a file's name is a capacity into which its buffers are known to fit.
Prints a row each: the live peak, which no placement can beat; whether the level search,
or after it the constraint solver, fitted the capacity; the nodes and seconds that
took; and what that proves.
"""

from __future__ import annotations

import argparse
import csv
import math
import sys
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from mcucomp.memory import Lifetime  # noqa: E402
from mcucomp.place import Block, highest_byte, live_peak  # noqa: E402
from mcucomp.place.constraint_solver import solver_fit  # noqa: E402
from mcucomp.place.level_search import level_search  # noqa: E402


def blocks_of(path: Path) -> list[Block]:
    with path.open(newline="") as file:
        return [
            Block(int(row["size"]), Lifetime(int(row["lower"]), int(row["upper"])))
            for row in csv.DictReader(file)
        ]


def overlaps(blocks: list[Block], offsets: tuple[int, ...]) -> bool:
    """Every pair against every other, with nothing of the placers."""
    boxes = [
        (b.lifetime.start, b.lifetime.end, offset, offset + b.size_bytes)
        for b, offset in zip(blocks, offsets, strict=True)
    ]
    return any(
        a[0] < b[1] and b[0] < a[1] and a[2] < b[3] and b[2] < a[3]
        for k, a in enumerate(boxes)
        for b in boxes[:k]
    )


def measure(path: Path, limit_nodes: int, limit_tries: int) -> bool:
    """Fit one instance and print its row."""
    blocks, capacity_bytes = blocks_of(path), int(path.stem.split(".")[1])
    unit = math.gcd(*(b.size_bytes for b in blocks), 1 << 20)
    peak_bytes = live_peak(blocks, 1)
    started_s = time.monotonic()
    fit = level_search(blocks, unit, capacity_bytes, limit_nodes)
    nodes, placer = fit.nodes, "level search"
    if fit.offsets is None and not fit.impossible:
        fit = solver_fit(blocks, unit, capacity_bytes, limit_tries)
        nodes, placer = nodes + fit.nodes, "constraint solver"
    took_s = time.monotonic() - started_s
    told = "not fitted within the limit"
    if fit.offsets is not None:
        assert not overlaps(blocks, fit.offsets)
        assert min(fit.offsets) >= 0
        assert highest_byte(blocks, fit.offsets) <= capacity_bytes
        told = "optimal: equals the live peak"
        if peak_bytes < capacity_bytes:
            told = f"fits; optimum proven to lie in [{peak_bytes:,}, {capacity_bytes:,}]"
    print(
        f"{path.stem:<12}{len(blocks):>8}{peak_bytes:>11,}{capacity_bytes:>11,}"
        f"{nodes:>10,}{took_s:>8.1f}  {placer:<18}{told}",
        flush=True,
    )
    return fit.offsets is not None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--nodes", type=int, default=40_000, help="of the level search")
    parser.add_argument("--tries", type=int, default=48, help="of the constraint solver after it")
    parser.add_argument("--only", default="", help="first letters of the files wanted")
    options = parser.parse_args()
    print(f"{'instance':<12}{'blocks':>8}{'live peak':>11}{'capacity':>11}{'nodes':>10}{'s':>8}")
    paths = sorted(options.folder.glob("*.csv"))
    wanted = [p for p in paths if not options.only or p.name[0] in options.only]
    fitted = [measure(path, options.nodes, options.tries) for path in wanted]
    return 0 if all(fitted) else 1


if __name__ == "__main__":
    sys.exit(main())

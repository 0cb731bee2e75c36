"""Do the known hard instances of offset placement fit their capacity, and how long does it take?

    python benchmarks/placing.py FOLDER [--nodes N] [--only LETTERS]

FOLDER holds CSV files with the columns id, lower, upper (half open), size; the
number in a file's name is a capacity into which its buffers are known to fit.
Prints a row each: the live peak, which no placement can beat; whether the search
fitted the capacity; the nodes and seconds it took; and what that proves.
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
from mcucomp.place.integer_program import fits  # noqa: E402
from mcucomp.place.level_search import level_search  # noqa: E402


def blocks_of(path: Path) -> list[Block]:
    with path.open(newline="") as file:
        return [
            Block(int(row["size"]), Lifetime(int(row["lower"]), int(row["upper"])))
            for row in csv.DictReader(file)
        ]


def measure(path: Path, limit_nodes: int) -> bool:
    """Fit one instance and print its row."""
    blocks, capacity_bytes = blocks_of(path), int(path.stem.split(".")[1])
    unit = math.gcd(*(b.size_bytes for b in blocks), 1 << 20)
    peak_bytes = live_peak(blocks, 1)
    started_s = time.monotonic()
    fit = level_search(blocks, unit, capacity_bytes, limit_nodes)
    took_s = time.monotonic() - started_s
    told = "not fitted within the limit"
    if fit.offsets is not None:
        assert fits(blocks, unit, fit.offsets)
        assert highest_byte(blocks, fit.offsets) <= capacity_bytes
        told = "optimal: equals the live peak"
        if peak_bytes < capacity_bytes:
            told = f"fits; optimum proven to lie in [{peak_bytes:,}, {capacity_bytes:,}]"
    print(
        f"{path.stem:<12}{len(blocks):>8}{peak_bytes:>11,}{capacity_bytes:>11,}"
        f"{fit.nodes:>10,}{took_s:>8.1f}  {told}",
        flush=True,
    )
    return fit.offsets is not None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--nodes", type=int, default=2_000_000)
    parser.add_argument("--only", default="", help="first letters of the files wanted")
    options = parser.parse_args()
    print(f"{'instance':<12}{'blocks':>8}{'live peak':>11}{'capacity':>11}{'nodes':>10}{'s':>8}")
    paths = sorted(options.folder.glob("*.csv"))
    wanted = [p for p in paths if not options.only or p.name[0] in options.only]
    fitted = [measure(path, options.nodes) for path in wanted]
    return 0 if all(fitted) else 1


if __name__ == "__main__":
    sys.exit(main())

"""The reader under a coverage-guided fuzzer, atheris (extra `fuzz`).

    python -m tests.fuzz.reader [--seconds S] [--keep DIR] [FILE or DIR]...

Files are read, verified, and dumped as text; each gives a model or one of our errors whose
message is safe to show. A find is kept in the folder of finds, and ends the run with another
exit status than 0. Without atheris it says so and ends well.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

MOST_BYTES = 4096  # small files are damaged more densely, and read faster


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--keep", type=Path, default=Path("build/fuzz"))
    parser.add_argument("paths", nargs="*", type=Path)
    given = parser.parse_args()
    try:
        import atheris
    except ImportError:
        print("skipped: atheris is not installed (pip install '.[fuzz]')")
        return 0
    given.keep.mkdir(parents=True, exist_ok=True)
    with atheris.instrument_imports(include=["mcucomp"]), tempfile.TemporaryDirectory() as corpus:
        # What is imported before is not instrumented.
        from tests.fuzz.seeds import read_seeds
        from tests.fuzz.test_reader import outcome

        for number, data in enumerate(read_seeds(given.paths, MOST_BYTES)):
            (Path(corpus) / f"seed{number}").write_bytes(data)
        options = [
            f"-max_total_time={given.seconds}",
            f"-max_len={MOST_BYTES}",
            "-timeout=10",
            "-rss_limit_mb=2048",
            f"-artifact_prefix={given.keep}/reader-",
            "-print_final_stats=1",
        ]
        atheris.Setup([sys.argv[0], *options, corpus], lambda data: outcome(data) and None)
        atheris.Fuzz()  # ends the process
    return 0


if __name__ == "__main__":
    sys.exit(main())

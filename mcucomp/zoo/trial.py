"""What becomes of a public model here?

In: a model whose file is present. Out: a `Trial`: built for the host, run on
drawn inputs and compared with TensorFlow Lite Micro, byte for byte, and with
the plan; or why not.
"""

from __future__ import annotations

import enum
import tempfile
from dataclasses import dataclass
from pathlib import Path

from mcucomp import build_directory, check, pipeline
from mcucomp.check.inputs import drawn
from mcucomp.errors import DeviceError, InvalidInput, McucompError, RequestError, ToolFailed
from mcucomp.zoo.folder import model_file
from mcucomp.zoo.table import ZooModel

_SEQUENCE = 10


class Outcome(enum.Enum):
    """What a trial found. Good are `SAME`, and `REFUSED_BY_BOTH` and `BUILT` for what TFLM has not.

    A model that TFLM does not run has no reference: it may be refused with a message
    (`REFUSED_BY_BOTH`), or be built and run (`BUILT`).
    """

    SAME = "same"
    DIFFERENT = "different"
    FAILED = "failed"
    REFUSED = "refused"
    REFUSED_BY_BOTH = "refused, by TFLM too"
    BUILT = "built; TFLM does not run it"

    @property
    def is_good(self) -> bool:
        return self not in (Outcome.DIFFERENT, Outcome.REFUSED, Outcome.FAILED)


@dataclass(frozen=True, slots=True)
class Trial:
    """A model's outcome; `note` is the reason where it is not simply good.

    `arena_peak_bytes` is what was predicted, and measured where the outcome is `SAME`.
    """

    model: ZooModel
    outcome: Outcome
    note: str = ""
    arena_peak_bytes: int | None = None

    def as_json(self) -> dict[str, object]:
        """A row of `mcucomp zoo test --json`."""
        return {
            "name": self.model.name,
            "outcome": self.outcome.value,
            "ok": self.outcome.is_good,
            "note": self.note,
            "arena_peak_bytes": self.arena_peak_bytes,
        }


def try_model(model: ZooModel, inputs: int, seed: int) -> Trial:
    """Build `model` for the host and run it on `inputs` inputs drawn with `seed`.

    One with state is run on ten times as many, which follow each other.

    Raises:
        InvalidInput: its file is not there.
        ToolMissing: there is no compiler, or no TFLM.
    """
    path = model_file(model)
    if not path.is_file():
        raise InvalidInput(
            f"its file is not in {path.parent}",
            at=model.name,
            fix=f"'mcucomp zoo fetch {model.name}' downloads it",
        )
    with tempfile.TemporaryDirectory(prefix="mcucomp-zoo-") as name:
        folder = Path(name) / "out"
        try:
            pipeline.build(path, "host", folder, pipeline.Options())
        except RequestError as refused:
            outcome = Outcome.REFUSED if model.in_tflm else Outcome.REFUSED_BY_BOTH
            return Trial(model, outcome, _in_a_line(refused))
        except ToolFailed as failed:
            return Trial(model, Outcome.FAILED, _in_a_line(failed))
        build = build_directory.load(folder)
        try:
            return _compared(model, build, inputs, seed)
        except (ToolFailed, DeviceError) as failed:
            return Trial(model, Outcome.FAILED, _in_a_line(failed), build.arena_peak_bytes)


def _in_a_line(refused: McucompError) -> str:
    """The message without its file: the row says that."""
    _, _, within = refused.at.partition(": ")
    more = len(refused.details) - 1
    first = f": {refused.details[0]}" if refused.details else ""
    return (
        (f"{within}: " if within else "")
        + refused.what
        + first
        + (f" (and {more} more)" if more > 0 else "")
    )


def _compared(
    model: ZooModel, build: build_directory.BuildDirectory, inputs: int, seed: int
) -> Trial:
    # State shows after a while.
    count = inputs * (_SEQUENCE if build.state_bytes else 1)
    rows, sequence = drawn(build.graph, count, seed), count if build.state_bytes else 1
    peak_bytes = build.arena_peak_bytes
    with check.session(build) as device:
        if not model.in_tflm:
            runs = device.infer_sequence(rows)
            good = all(
                run.guards_ok and run.arena_peak_bytes in build.possible_peaks_bytes for run in runs
            )
            outcome = Outcome.BUILT if good else Outcome.DIFFERENT
            return Trial(model, outcome, "" if good else "not the predicted arena", peak_bytes)
        verdict = check.compare(build, device, rows, lambda what, done, total: None, sequence)
    outcome = Outcome.SAME if verdict.ok else Outcome.DIFFERENT
    return Trial(model, outcome, "; ".join(verdict.problems), peak_bytes)
